//! How a command for some boards of a hall begins when it is typed.

use super::board::Board;
use crate::options::{Options, shell_word};
use crate::target::Target;

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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::beginning;
    use crate::{hall::Board, options::Options, target::Target};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn the_boards_are_named_as_they_are_typed() {
        let board = |name: &str| Board {
            name: name.to_owned(),
            target: Target::Host(format!("arbiter@{name}").parse().unwrap()),
            white: None,
            black: None,
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
}
