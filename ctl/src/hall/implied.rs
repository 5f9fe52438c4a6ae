//! The hall file of a command line that names boards of a hall and no file.
//!
//! A file is implied only where a hall is meant without doubt: with `--boards`, and for a verb that
//! works with a hall alone. `clockctl pause` in a folder with a hall file is still for the clock of this
//! machine, so a file that lies there never makes a command reach other clocks.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use crate::{failure::Failure, options::Options};

/// The environment variable with the path of the hall file.
const VARIABLE: &str = "CLOCKCTL_HALL";
/// The hall file in the working folder.
const IN_FOLDER: &str = "hall.toml";

/// The hall file that is meant if none is named: that of `CLOCKCTL_HALL`, otherwise `hall.toml` in the
/// working folder. `None` if there is neither.
pub fn implied_file() -> Option<PathBuf> {
    choose(env::var_os(VARIABLE), Path::new(IN_FOLDER).exists())
}

/// An empty variable counts as none.
fn choose(variable: Option<OsString>, is_in_folder: bool) -> Option<PathBuf> {
    let named = variable.filter(|path| !path.is_empty()).map(PathBuf::from);
    named.or_else(|| is_in_folder.then(|| PathBuf::from(IN_FOLDER)))
}

/// Puts the implied hall file into the options if the command line means a hall and names none.
/// `needs_hall`: whether the verb works with a hall alone.
pub fn imply(options: &mut Options, needs_hall: bool) -> Result<(), Failure> {
    let is_named = options.hall.is_some() || !options.hosts.is_empty() || options.bus.is_some();
    let is_meant = options.boards.is_some() || needs_hall;
    if is_named || options.retry || !is_meant {
        return Ok(());
    }
    let Some(file) = implied_file() else {
        let option = if options.boards.is_some() { "--boards" } else { "--pairings" };
        return Err(Failure::Usage(format!(
            "{option} needs the boards of a hall, and no hall file is named: give --hall FILE, set \
             {VARIABLE}, or work in the folder of {IN_FOLDER}"
        )));
    };
    options.hall = Some(file);
    options.is_hall_implied = true;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::choose;

    #[test]
    fn the_variable_comes_before_the_folder() {
        let variable = || Some("/srv/round.toml".into());
        assert_eq!(choose(variable(), true), Some(PathBuf::from("/srv/round.toml")));
        assert_eq!(choose(variable(), false), Some(PathBuf::from("/srv/round.toml")));
        assert_eq!(choose(Some("".into()), true), Some(PathBuf::from("hall.toml")));
        assert_eq!(choose(None, true), Some(PathBuf::from("hall.toml")));
        assert_eq!(choose(None, false), None);
    }
}
