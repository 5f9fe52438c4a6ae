//! Time controls on this machine: the shipped ones, and files.

use crate::failure::Failure;
use clock_engine::Control;
use clock_engine::text::{ControlFile, FileError, preset, presets};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Far more than any control needs.
const LARGEST_FILE: u64 = 64 * 1024;

/// A time control with the text it was read from.
#[derive(Debug)]
pub struct Known {
    /// The name on command lines and on the bus.
    pub name: String,
    /// The title for people.
    pub title: String,
    /// The text of the file.
    pub text: String,
    /// What it says.
    pub control: Control,
}

/// Whether an argument names a file rather than a control: it has a slash, or ends in `.toml`.
///
/// What lies in the present folder must not take the place of a control of the same name.
pub fn is_file(argument: &str) -> bool {
    !is_notation(argument) && (argument.contains('/') || argument.ends_with(".toml"))
}

/// The shipped control of this name, or the one in this file.
pub fn local(argument: &str) -> Result<Known, Failure> {
    refuse_notation(argument)?;
    if is_file(argument) {
        return file(argument);
    }
    if let Some(preset) = preset(argument) {
        return parse(argument, preset.file.to_owned(), argument);
    }
    let names: Vec<&str> = presets().iter().map(|preset| preset.name).collect();
    Err(Failure::Usage(format!(
        "no time control `{argument}`; expected a control file (*.toml) or one of {}",
        names.join(", ")
    )))
}

/// The control in this file.
pub fn file(path: &str) -> Result<Known, Failure> {
    let (name, text) = read(path)?;
    parse(&name, text, path)
}

/// The name and the text of a control file.
pub fn read(path: &str) -> Result<(String, String), Failure> {
    let unusable = |why: String| Failure::Usage(format!("the control file {path}: {why}"));
    let name = Path::new(path).file_stem().and_then(|stem| stem.to_str());
    let name = name.ok_or_else(|| unusable("has no name".to_owned()))?;
    let bytes = bytes(Path::new(path)).map_err(|error| unusable(error.to_string()))?;
    let text = FileError::text(bytes).map_err(|error| Failure::Usage(format!("{path}:{error}")))?;
    Ok((name.to_owned(), text))
}

/// A device or a pipe is no file, and a wrong path must not fill the memory or the bus.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > LARGEST_FILE) {
        return Err(io::Error::other(format!("larger than {} KiB", LARGEST_FILE / 1024)));
    }
    Ok(bytes)
}

/// Reads the text of a control file found at `place`.
pub fn parse(name: &str, text: String, place: &str) -> Result<Known, Failure> {
    match ControlFile::parse(&text) {
        Ok(ControlFile { name: title, control }) => {
            Ok(Known { name: name.to_owned(), title, text, control })
        }
        Err(error) => Err(Failure::Usage(format!("{place}:{error}"))),
    }
}

/// The notation is known to be one, so that it is taken neither for a file nor for a misspelt name.
pub fn refuse_notation(argument: &str) -> Result<(), Failure> {
    if !is_notation(argument) {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "`{argument}`: the notation of time controls is not available in this version; name a \
         shipped control or a file"
    )))
}

/// `40/90, G/30, +30`, `3+2`, `G/60 d5`, `SD/30`, `pgn:*180`.
fn is_notation(argument: &str) -> bool {
    let spoken = |c: char| c.is_ascii_digit() || " +/,.:;".contains(c) || "gsdGSD".contains(c);
    argument.starts_with("pgn:")
        || (argument.contains(['+', '/'])
            && argument.contains(|c: char| c.is_ascii_digit())
            && argument.chars().all(spoken)
            && !argument.starts_with(['/', '.']))
}

#[cfg(test)]
mod tests {
    use super::{is_file, is_notation};

    #[test]
    fn notations_files_and_names_are_told_apart() {
        for notation in
            ["40/90, G/30, +30", "3+2", "G/60 d5", "g/60", "SD/30", "+30", "pgn:40/5400+30"]
        {
            assert!(is_notation(notation) && !is_file(notation), "{notation}");
        }
        for file in ["./x", "/x", "a/b", "x.toml", "40/x.toml", "../d5"] {
            assert!(is_file(file) && !is_notation(file), "{file}");
        }
        for name in ["blitz-3-2", "fide-standard", "x", "G60", ""] {
            assert!(!is_file(name) && !is_notation(name), "{name}");
        }
    }
}
