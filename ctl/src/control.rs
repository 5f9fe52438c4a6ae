//! Time controls on this machine: those that are compiled in, files, and notations.

use crate::failure::Failure;
use crate::one_of_many;
use crate::options::Options;
use crate::out;
use crate::prompt;
use crate::text::plain;
use clock_controls::{Argument, Library, LoadError, NamedControl, read_control_file};
use std::path::Path;

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Failure::Usage(error.to_string())
    }
}

/// Whether an argument is the path of a control file rather than a name or a notation.
pub fn is_file(argument: &str) -> bool {
    classify(argument) == Argument::File
}

/// Whether an argument is a notation rather than a name or the path of a file.
pub fn is_notation(argument: &str) -> bool {
    classify(argument) == Argument::Notation
}

/// Says whether an argument is a name, a file or a notation. This does not look into the clock's
/// folders of control files, because the clock may be on another machine.
fn classify(argument: &str) -> Argument {
    Library::default().classify(argument, Path::new(""))
}

/// Returns the time control that `argument` gives: a compiled-in one by its name, one by the path
/// of its file, or one in a notation.
pub fn local(argument: &str) -> Result<NamedControl, Failure> {
    Ok(Library::default().resolve(argument, Path::new(""))?)
}

/// The control in this file.
pub fn file(path: &str) -> Result<NamedControl, Failure> {
    let (name, text) = read(path)?;
    Ok(NamedControl::parse(&name, text, path)?)
}

/// Returns the name and the text of a control file. The text is not parsed here, because the clock
/// parses it.
pub fn read(path: &str) -> Result<(String, String), Failure> {
    Ok(read_control_file(path, Path::new(""))?)
}

/// The control with this notation. If the notation can be read in two ways and there is a terminal,
/// asks for the one that is meant.
pub fn notation(options: &Options, argument: &str) -> Result<NamedControl, Failure> {
    let error = match NamedControl::from_notation(argument) {
        Ok(named) => return Ok(named),
        Err(error) => error,
    };
    let LoadError::Notation { error: notation, .. } = &error else { return Err(error.into()) };
    match notation.spellings() {
        Some([hours, minutes]) if prompt::asks(options) => {
            let question = format!("Are these hours or minutes? h: {hours}, m: {minutes}");
            loop {
                match prompt::ask(&question)?.as_str() {
                    "h" => return Ok(NamedControl::from_notation(hours)?),
                    "m" => return Ok(NamedControl::from_notation(minutes)?),
                    _ => {}
                }
            }
        }
        _ => Err(error.into()),
    }
}

/// If `argument` is a notation, prints what it means. For example, `300` means 300 minutes, which a
/// user who wanted seconds should see. The text goes to standard error, because standard output is
/// for the output of the verb. If the command is for many boards, nothing
/// is printed, because the text would appear once for each board.
pub fn echo(options: &Options, argument: &str, named: &NamedControl) {
    if is_notation(argument) && !options.quiet && !one_of_many::is_here() {
        let message = format!("`{}` means {}", named.name, named.describe());
        out::report(&format!("clockctl: {}\n", plain(&message)));
    }
}
