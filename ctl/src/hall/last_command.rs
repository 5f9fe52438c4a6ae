//! The last command that was given to many clocks: its words, what was decided for each board, and
//! how it ended there. `--retry` reads it.

use std::{
    env,
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::sent::{SentCommand, SentOutcome};
use crate::failure::Failure;

/// A command for many clocks, in a folder of its own.
#[derive(Debug)]
pub struct LastCommand {
    folder: PathBuf,
    pub given: Given,
}

/// What was typed, and what was decided from the files that the words name. These files can have
/// changed before `--retry`: the pairings can be those of the next round then.
#[derive(Debug, Serialize, Deserialize)]
pub struct Given {
    /// The words of the command line, without the name of the program.
    pub words: Vec<String>,
    /// The folder in which it was typed: the words can name files there.
    pub folder: PathBuf,
    pub event: Option<String>,
    pub round: Option<String>,
    /// The boards, in the order of the files of the folder.
    pub boards: Vec<GivenBoard>,
}

/// What was decided for a board.
#[derive(Debug, Serialize, Deserialize)]
pub struct GivenBoard {
    pub name: String,
    pub white: Option<String>,
    pub black: Option<String>,
}

/// How the command ended on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Done,
    /// It was not carried out, and can be given again.
    NotDone,
    /// It was sent, and no answer has come.
    Unknown,
}

/// The file with what was typed.
const GIVEN: &str = "command.json";
/// The folder with a copy of the control file that the words name, under its own name.
const CONTROL: &str = "control";

/// The copy of this control file that was made when the command was given; `None` if there is none.
/// `sent_file` is the file of the command for a board.
pub fn control_copy(sent_file: &Path, control: &str) -> Option<PathBuf> {
    let copy = sent_file.parent()?.join(CONTROL).join(Path::new(control).file_name()?);
    copy.exists().then_some(copy)
}

impl LastCommand {
    /// Begins a new command. The folder of the command before is removed. `control` are the path and
    /// the text of the control file that the words name.
    pub fn begin(given: Given, control: Option<(&str, &str)>) -> Result<LastCommand, Failure> {
        let folder = folder()?;
        let cannot = |error: io::Error| {
            Failure::Usage(format!("cannot note the command in {}: {error}", folder.display()))
        };
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot(error)),
            _ => {}
        }
        let (mut builder, copies) = (DirBuilder::new(), folder.join(CONTROL));
        builder.recursive(true).mode(0o700).create(&copies).map_err(cannot)?;
        if let Some((name, text)) =
            control.and_then(|(path, text)| Some((Path::new(path).file_name()?, text)))
        {
            fs::write(copies.join(name), text).map_err(cannot)?;
        }
        let text = serde_json::to_vec(&given).map_err(|error| cannot(error.into()))?;
        fs::write(folder.join(GIVEN), text).map_err(cannot)?;
        Ok(LastCommand { folder, given })
    }

    /// The command that was given last.
    pub fn read() -> Result<LastCommand, Failure> {
        let folder = folder()?;
        let none = |why: String| Failure::Usage(format!("there is no command to retry: {why}"));
        let text = fs::read(folder.join(GIVEN)).map_err(|error| none(error.to_string()))?;
        let wrong = |_| none(format!("{} cannot be understood", folder.join(GIVEN).display()));
        let given = serde_json::from_slice(&text).map_err(wrong)?;
        Ok(LastCommand { folder, given })
    }

    /// The file of the command as it is sent to the board with this index.
    pub fn sent_file(&self, board: usize) -> PathBuf {
        self.folder.join(format!("{board}.sent"))
    }

    /// Notes that everything was done on the board, also where no command was sent.
    pub fn note_done(&self, board: usize) {
        // If it cannot be noted, `--retry` finds out from the clock.
        let _ = fs::write(self.done_file(board), "");
    }

    fn done_file(&self, board: usize) -> PathBuf {
        self.folder.join(format!("{board}.done"))
    }

    /// How the command ended on the board with this index.
    pub fn ended(&self, board: usize) -> Ended {
        if self.done_file(board).exists() {
            return Ended::Done;
        }
        match SentCommand::read(&self.sent_file(board)) {
            None => Ended::NotDone,
            Some(sent) => match sent.outcome {
                Some(SentOutcome::Done) => Ended::Done,
                Some(SentOutcome::NotDone) => Ended::NotDone,
                None => Ended::Unknown,
            },
        }
    }
}

/// The folder of the last command of this user.
fn folder() -> Result<PathBuf, Failure> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME");
    let state = state.or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    let none = || Failure::Usage("neither XDG_STATE_HOME nor HOME names a folder".to_owned());
    Ok(state.ok_or_else(none)?.join(Path::new("clockctl/last-command")))
}
