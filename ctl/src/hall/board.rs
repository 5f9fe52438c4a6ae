//! A board of a hall, the hall, and the command line of a command for some of its boards.

use crate::options::{Options, shell_word};
use crate::target::Target;

/// The boards that the command line names, and what the hall file says of all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hall {
    pub event: Option<String>,
    pub round: Option<String>,
    pub boards: Vec<Board>,
    /// Whether the command line has said which boards of the file are meant.
    pub are_chosen: bool,
}

/// One board of a hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The number of the table, or the name of the host.
    pub name: String,
    pub target: Target,
    /// The players, as far as the hall file names them.
    pub white: Option<String>,
    pub black: Option<String>,
    /// The revision that the command line gives with the board: a command is carried out only if the
    /// clock still has it.
    pub revision: Option<u64>,
}

impl Board {
    pub fn new(name: String, target: Target) -> Board {
        Board { name, target, white: None, black: None, revision: None }
    }
}

/// How a command for these boards begins: `clockctl --hall hall.toml --boards 3`, or
/// `clockctl -H clock-12`.
pub fn beginning(options: &Options, boards: &[&Board]) -> String {
    let listed = |name: &dyn Fn(&Board) -> String| {
        shell_word(&boards.iter().map(|board| name(board)).collect::<Vec<_>>().join(","))
    };
    match &options.hall {
        Some(hall) => {
            let hall = shell_word(&hall.display().to_string());
            format!("clockctl --hall {hall} --boards {}", listed(&|board| board.name.clone()))
        }
        None => {
            let host = |board: &Board| match &board.target {
                Target::Host(host) => host.as_str().to_owned(),
                other => other.to_string(),
            };
            format!("clockctl -H {}", listed(&host))
        }
    }
}

/// Returns the command line `words` with other boards, such as `3@212` and `9`. If the hall file was
/// implied, the new command line names it.
pub fn again(options: &Options, words: &[String], boards: &[&str]) -> String {
    let mut typed = Vec::new();
    if let (Some(hall), true) = (&options.hall, options.is_hall_implied) {
        typed.extend(["--hall".to_owned(), hall.display().to_string()]);
    }
    // The option `--boards` can stand before the verb, after it, or twice.
    let mut place = typed.len();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--boards" => {
                words.next();
                place = typed.len();
            }
            joined if joined.starts_with("--boards=") => place = typed.len(),
            _ => typed.push(word.clone()),
        }
    }
    typed.splice(place..place, ["--boards".to_owned(), boards.join(",")]);
    typed.iter().fold("clockctl".to_owned(), |line, word| format!("{line} {}", shell_word(word)))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use clap::Parser;

    use super::{Board, again, beginning};
    use crate::{options::Options, target::Target};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn the_boards_are_named_as_they_are_typed() {
        let board = |name: &str| {
            let host = format!("arbiter@{name}").parse().unwrap();
            Board::new(name.to_owned(), Target::Host(host))
        };
        let (one, two) = (board("1"), board("A2"));
        let of = |words: &[&str], boards: &[&Board]| {
            beginning(&Line::parse_from([&["clockctl"], words].concat()).options, boards)
        };
        let hall = ["--hall", "the hall.toml", "--boards", "all"];
        assert_eq!(of(&hall, &[&one]), "clockctl --hall 'the hall.toml' --boards 1");
        assert_eq!(of(&hall, &[&one, &two]), "clockctl --hall 'the hall.toml' --boards 1,A2");
        assert_eq!(of(&["-H", "a,b"], &[&one]), "clockctl -H arbiter@1");
    }

    #[test]
    fn a_command_is_given_again_with_the_same_words_for_other_boards() {
        let mut options = Line::parse_from(["clockctl"]).options;
        let of = |options: &Options, words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            again(options, &words, &["3@212", "A2"])
        };
        for (words, expected) in [
            (
                &["--hall", "the hall.toml", "--boards", "all", "add", "white", "2m"][..],
                "clockctl --hall 'the hall.toml' --boards 3@212,A2 add white 2m",
            ),
            (&["start", "--boards=3-9"], "clockctl start --boards 3@212,A2"),
            (&["-H", "3,A2", "start"], "clockctl --boards 3@212,A2 -H 3,A2 start"),
            (
                &["--boards", "1", "pause", "--boards", "all", "--reason", "O'Kelly"],
                r"clockctl pause --boards 3@212,A2 --reason 'O'\''Kelly'",
            ),
        ] {
            assert_eq!(of(&options, words), expected);
        }
        options.hall = Some(PathBuf::from("hall.toml"));
        options.is_hall_implied = true;
        let expected = "clockctl --hall hall.toml start --boards 3@212,A2";
        assert_eq!(of(&options, &["start", "--boards", "all"]), expected);
    }
}
