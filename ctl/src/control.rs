//! Time controls on this machine: the shipped ones, and files.

use crate::failure::Failure;
use clock_engine::Control;
use clock_engine::text::{ControlFile, preset, presets};
use std::path::Path;

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

/// Whether an argument names a file rather than a control.
pub fn is_file(argument: &str) -> bool {
    Path::new(argument).extension().is_some_and(|ending| ending == "toml")
        || Path::new(argument).is_file()
}

/// The shipped control of this name, or the one in this file.
pub fn local(argument: &str) -> Result<Known, Failure> {
    if is_file(argument) {
        return file(argument);
    }
    if let Some(preset) = preset(argument) {
        return parse(argument, preset.file.to_owned(), argument);
    }
    if is_notation(argument) {
        return Err(Failure::Usage(format!(
            "`{argument}`: the notation of time controls is not available in this version; name a \
             shipped control or a file"
        )));
    }
    let names: Vec<&str> = presets().iter().map(|preset| preset.name).collect();
    Err(Failure::Usage(format!(
        "no time control `{argument}`; expected a control file (*.toml) or one of {}",
        names.join(", ")
    )))
}

/// The control in this file.
pub fn file(path: &str) -> Result<Known, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("the control file {path}: {error}")))?;
    let name = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or(path);
    parse(name, text, path)
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

/// `40/90, G/30, +30`, `3+2`, `G/60 d5`, `pgn:*180`: known to be one, so that it is not taken for
/// a misspelt name.
fn is_notation(argument: &str) -> bool {
    argument.starts_with("pgn:")
        || argument.starts_with("G/")
        || (argument.starts_with(|c: char| c.is_ascii_digit()) && argument.contains(['+', '/']))
}
