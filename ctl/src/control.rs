//! Time controls on this machine: the shipped ones, files, and notations.

use crate::cli::Options;
use crate::failure::Failure;
use crate::text::plain;
use clock_engine::Control;
use clock_engine::text::{
    ControlFile, FileError, describe, looks_like_notation, meant, parse_notation, pgn, preset,
    presets, spoken, to_toml,
};
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
/// What lies in the present folder must not take the place of a control of the same name, nor of
/// `40/90, G/30`: such a file is `./40/90, G/30`.
pub fn is_file(argument: &str) -> bool {
    !is_notation(argument) && (argument.contains('/') || argument.ends_with(".toml"))
}

/// Whether an argument says a control rather than naming one: it looks like a notation, good or
/// bad; or it is a good one, such as `2h` and `G60`, and neither the name of a shipped control nor
/// the path of a file that is there.
pub fn is_notation(argument: &str) -> bool {
    let file = || argument.contains('/') && Path::new(argument).exists();
    looks_like_notation(argument)
        || (preset(argument).is_none() && parse_notation(argument).is_ok() && !file())
}

/// The shipped control of this name, the one in this file, or the one a notation says.
pub fn local(argument: &str) -> Result<Known, Failure> {
    if is_notation(argument) {
        return notation(argument);
    }
    if is_file(argument) {
        return file(argument);
    }
    if let Some(preset) = preset(argument) {
        return parse(argument, preset.file.to_owned(), argument);
    }
    let names: Vec<&str> = presets().iter().map(|preset| preset.name).collect();
    Err(Failure::Usage(format!(
        "no time control `{argument}`; {}; a control file (*.toml) or a notation such as 3+2 or \
         '40/90, G/30, +30' will do too{}",
        meant(argument, &names),
        nor_notation(argument)
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
    let bytes = bytes(Path::new(path))
        .map_err(|error| unusable(format!("{error}{}", perhaps_notation(path, &error))))?;
    let text = FileError::text(bytes).map_err(|error| Failure::Usage(format!("{path}:{error}")))?;
    Ok((name.to_owned(), text))
}

/// `G/60 x5` looks like a file and is none: what is wrong with it as a notation, where it may have
/// been meant as one.
fn perhaps_notation(path: &str, error: &io::Error) -> String {
    let file = path.starts_with(['.', '/']) || path.ends_with(".toml");
    match error.kind() {
        io::ErrorKind::NotFound if !file => nor_notation(path),
        _ => String::new(),
    }
}

/// What is wrong with it as a notation; where it has no digit it was hardly meant as one.
fn nor_notation(argument: &str) -> String {
    match parse_notation(argument) {
        Err(why) if argument.contains(|c: char| c.is_ascii_digit()) => {
            format!("; nor is it a notation: {why}")
        }
        _ => String::new(),
    }
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

/// The control a notation says, with the file it would have. It is called by its own words.
pub fn notation(argument: &str) -> Result<Known, Failure> {
    let control = parse_notation(argument)
        .map_err(|error| Failure::Usage(format!("the time control {argument}: {error}")))?;
    let name = spoken(&control)
        .or_else(|_| pgn(&control).map(|tag| format!("pgn:{tag}")))
        .unwrap_or_else(|_| argument.trim().to_owned());
    let text = to_toml(&name, &control);
    Ok(Known { title: name.clone(), name, text, control })
}

/// Says how an argument was read, if it was a notation: `300` is five hours, and whoever meant
/// seconds should see that. Standard output belongs to the answer.
pub fn echo(options: &Options, argument: &str, known: &Known) {
    if is_notation(argument) && !options.quiet {
        let said = format!("`{}` means {}", known.name, describe(&known.control));
        eprintln!("clockctl: {}", plain(&said));
    }
}

#[cfg(test)]
mod tests {
    use super::{ControlFile, is_file, is_notation, notation};

    #[test]
    fn notations_files_and_names_are_told_apart() {
        for notation in [
            "40/90, G/30, +30",
            "3+2",
            "G/60 d5",
            "g/60",
            "SD/30",
            "+30",
            "pgn:40/5400+30",
            "2h",
            "90m",
            "10v7",
            "G60",
            "sd60d5",
            "G/60\u{a0}d5",
            "40/90\nG/30",
        ] {
            assert!(is_notation(notation) && !is_file(notation), "{notation}");
        }
        for file in ["./x", "/x", "a/b", "x.toml", "40/x.toml", "../d5"] {
            assert!(is_file(file) && !is_notation(file), "{file}");
        }
        for name in ["blitz-3-2", "fide-standard", "x", "d5", "G", "2x", ""] {
            assert!(!is_file(name) && !is_notation(name), "{name}");
        }
    }

    #[test]
    fn a_notation_is_a_control_with_a_name_and_a_file() {
        for (argument, name) in [
            (" g/60D5", "G/60 d5"),
            ("pgn:40/5400+30:1800+30", "40/90, G/30, +30"),
            ("PGN:*180", "pgn:*180"),
            ("300", "G/300"),
        ] {
            let known = notation(argument).unwrap();
            assert_eq!((known.name.as_str(), known.title.as_str()), (name, name));
            let file = ControlFile::parse(&known.text).unwrap();
            assert_eq!((file.name, file.control), (known.title, known.control));
        }
        assert!(notation("40/90").is_err());
    }
}
