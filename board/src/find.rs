//! The search for a board file.

use std::fmt;
use std::path::{Path, PathBuf};

/// The board file, unless a configuration names another one.
pub const DEFAULT: &str = "raspberry-pi";
/// The package's folder. A board file that is not in the folder `boards` of the configuration's
/// folder is looked for in the folder `boards` of this one.
pub const SHARED: &str = "/usr/share/chess-clock";

/// There is no board file of this name. The message names every path that was tried.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no board `{name}`; looked for {}", Paths(looked))]
pub struct NoBoard {
    name: String,
    looked: Vec<PathBuf>,
}

struct Paths<'a>(&'a [PathBuf]);

impl fmt::Display for Paths<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, path) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { " and " };
            write!(f, "{separator}{}", path.display())?;
        }
        Ok(())
    }
}

/// Finds the board file of this name: first in the folder `boards` of the configuration's folder,
/// then in the folder `boards` of [`SHARED`]. A name with a `/`, or with the ending `.toml`, is a
/// path from the configuration's folder.
///
/// # Errors
///
/// None of these files exists.
pub fn find(folder: &Path, name: &str) -> Result<PathBuf, NoBoard> {
    let looked = if name.contains('/') || name.ends_with(".toml") {
        vec![folder.join(name)]
    } else {
        let file = format!("boards/{name}.toml");
        vec![folder.join(&file), Path::new(SHARED).join(&file)]
    };
    match looked.iter().find(|path| path.exists()) {
        Some(path) => Ok(path.clone()),
        None => Err(NoBoard { name: name.to_owned(), looked }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_for_in_both_folders_and_a_path_in_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let message = |name| find(folder.path(), name).expect_err(name).to_string();
        let own = |path| folder.path().join(path).display().to_string();
        assert_eq!(
            message("nowhere"),
            format!(
                "no board `nowhere`; looked for {} and {SHARED}/boards/nowhere.toml",
                own("boards/nowhere.toml")
            )
        );
        let path = "boards/nowhere.toml";
        assert_eq!(message(path), format!("no board `{path}`; looked for {}", own(path)));
        std::fs::create_dir(folder.path().join("boards")).expect("a folder");
        std::fs::write(folder.path().join(path), "").expect("a file");
        for name in ["nowhere", path] {
            assert_eq!(find(folder.path(), name), Ok(folder.path().join(path)));
        }
    }
}
