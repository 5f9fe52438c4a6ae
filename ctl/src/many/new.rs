//! The words that `new` has for each board: what the hall file says of it, unless the command line
//! says it for all.

use crate::{
    cli::{Cli, Verb},
    hall::{Board, Hall},
};

/// The options of `new` for this board. Each is one word, so that a name that begins with a dash is
/// still a name.
pub fn words(cli: &Cli, hall: &Hall, board: &Board) -> Vec<String> {
    let Some(Verb::New(args)) = &cli.verb else { return Vec::new() };
    // Without a hall file the name of the board is that of its host.
    let number = cli.options.hall.is_some().then(|| board.name.clone());
    let all = [
        ("board", &number),
        ("white", &board.white),
        ("black", &board.black),
        ("round", &hall.round),
        ("event", &hall.event),
    ];
    let missing = all.into_iter().filter(|(key, _)| !args.has(key));
    missing.filter_map(|(key, value)| Some(format!("--{key}={}", value.as_ref()?))).collect()
}
