//! The search for a wiring file.

use std::fmt;
use std::path::{Path, PathBuf};

/// The folder in which the package installs its files. A wiring file is looked for in the folder
/// `wiring` of the configuration's folder first, and then in the folder `wiring` of this folder.
///
/// It is `/usr/share/chess-clock`, unless the build named another one in the environment variable
/// `CHESS_CLOCK_SHARED`, as `make build PREFIX=/usr/local` does.
pub const SHARED: &str = match option_env!("CHESS_CLOCK_SHARED") {
    Some(folder) => folder,
    None => "/usr/share/chess-clock",
};

/// There is no wiring file of this name. The message names every path that was tried.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no wiring `{name}`; looked for {}", Paths(looked))]
pub struct NoWiringFile {
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

/// Whether this is the path of a wiring file, and not its name. The path is relative to the folder of the
/// configuration.
pub fn is_path(name: &str) -> bool {
    name.contains('/') || name.ends_with(".toml")
}

/// Finds the wiring file of this name: first in the folder `wiring` of the configuration's folder,
/// then in the folder `wiring` of [`SHARED`]. If the name is a path ([`is_path`]),
/// only this path is tried.
///
/// # Errors
///
/// None of these files exists.
pub fn find(folder: &Path, name: &str) -> Result<PathBuf, NoWiringFile> {
    let looked = if is_path(name) {
        vec![folder.join(name)]
    } else {
        let file = format!("wiring/{name}.toml");
        vec![folder.join(&file), Path::new(SHARED).join(&file)]
    };
    match looked.iter().find(|path| path.exists()) {
        Some(path) => Ok(path.clone()),
        None => Err(NoWiringFile { name: name.to_owned(), looked }),
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
                "no wiring `nowhere`; looked for {} and {SHARED}/wiring/nowhere.toml",
                own("wiring/nowhere.toml")
            )
        );
        let path = "wiring/nowhere.toml";
        assert_eq!(message(path), format!("no wiring `{path}`; looked for {}", own(path)));
        std::fs::create_dir(folder.path().join("wiring")).expect("a folder");
        std::fs::write(folder.path().join(path), "").expect("a file");
        for name in ["nowhere", path] {
            assert_eq!(find(folder.path(), name), Ok(folder.path().join(path)));
        }
    }
}
