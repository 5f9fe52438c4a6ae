//! `new --pairings`: the boards of the hall get the players of a round. Before anything is set up,
//! the command shows what is on each clock now and what will be, and asks once.

use anyhow::Result;
use clock_dbus::State;
use clockctl::pairings::{Pairing, Pairings};

use super::{
    board_state,
    runs::{BoardFinished, on_each},
};
use crate::{
    bus::Bus,
    cli::{Cli, Verb},
    failure::Failure,
    hall::{Board, Hall, read_pairings, shortened, wrong_at},
    options::Options,
    out, prompt,
    text::{Column, plain, table},
};

/// A message names at most this number of boards or players.
const NAMED: usize = 20;

/// What a file of pairings says of the round that is set up.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The file, its round and what is without a clock there, as lines.
    header: String,
    lines: String,
    /// Why the round is set up only if the command line names it; `None` if nothing is in the way.
    doubt: Option<String>,
    unmatched: Unmatched,
}

/// What the pairings leave open.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Unmatched {
    /// The boards of the pairings for which the hall has no clock.
    without_clock: Vec<String>,
    /// The boards of the hall that have no game in this round. They get no command.
    without_game: Vec<String>,
}

/// If the command has `--pairings`, gives the boards of the hall their players, and leaves out
/// those without a game.
pub fn apply(cli: &Cli, hall: &mut Hall) -> Result<Option<Found>, Failure> {
    let Some(Verb::New(args)) = &cli.verb else { return Ok(None) };
    let Some(path) = &args.pairings else { return Ok(None) };
    if args.names_players() {
        let why = "--pairings names the players: leave out --white and --black";
        return Err(Failure::Usage(why.to_owned()));
    }
    let file = read_pairings(path)?;
    let round = args.round.as_deref();
    let pairings = file.pairings(round).map_err(|error| wrong_at(path, &error))?;
    let name = path.display().to_string();
    let note = file.note().map(|note| format!("{name}: {note}\n")).unwrap_or_default();
    let mut found = Found {
        header: plain_lines(&(note + &header(&name, &pairings))),
        lines: plain_lines(&without_clock(&pairings)),
        doubt: round.is_none().then(|| doubt(&name, &pairings)).flatten(),
        unmatched: Unmatched::default(),
    };
    hall.round = pairings.round.or(hall.round.take());
    hall.event = pairings.event.or(hall.event.take());
    let of_file: Vec<String> = pairings.games.iter().map(|game| game.board.clone()).collect();
    if of_file.is_empty() {
        let why = format!("{name}: no game of this round gets a clock\n{}", found.lines);
        return Err(Failure::Usage(why.trim_end().to_owned()));
    }
    let unmatched = assign(pairings.games, hall);
    if hall.boards.is_empty() {
        let boards =
            if hall.are_chosen { "one of the chosen boards" } else { "a board of the hall" };
        return Err(Failure::Usage(format!(
            "{}: none of its boards ({}) is {boards} ({})",
            path.display(),
            shortened(&of_file, NAMED, ", "),
            shortened(&unmatched.without_game, NAMED, ", ")
        )));
    }
    found.unmatched = unmatched;
    Ok(Some(found))
}

/// The round that was found. It is shown with `--yes` and `-n` too: nobody has chosen it there.
fn header(name: &str, pairings: &Pairings) -> String {
    let round = match &pairings.round {
        Some(round) => format!("round {round}"),
        None => "a round without a number".to_owned(),
    };
    let results = match pairings.games.iter().filter(|game| game.score.is_some()).count() {
        0 => String::new(),
        count => format!(", {count} of them with results already"),
    };
    let games = match pairings.games.len() {
        1 => "1 game".to_owned(),
        count => format!("{count} games"),
    };
    format!("{round} of {name}: {games}{results}\n")
}

/// What the file has beside the games that get a clock.
fn without_clock(pairings: &Pairings) -> String {
    let forfeited = pairings.forfeited.iter().map(|game| {
        format!("board {} is forfeited: {} - {}\n", game.board, game.white, game.black)
    });
    let mut lines: String = forfeited.collect();
    if !pairings.byes.is_empty() {
        // The names have commas.
        lines += &format!("bye: {}\n", shortened(&pairings.byes, NAMED, "; "));
    }
    lines
}

/// Why this round is hardly the one that is meant: all its games have results.
fn doubt(name: &str, pairings: &Pairings) -> Option<String> {
    let has_results = !pairings.games.is_empty() && pairings.is_played();
    let round = pairings.round.as_deref();
    has_results.then(|| {
        format!(
            "{name}: all games of {} have results already: give the file in which the next round is \
             paired, or --round {} to set this one up again",
            round.map_or("its round".to_owned(), |round| format!("round {round}")),
            round.unwrap_or("N")
        )
    })
}

/// The lines with what a terminal could take for a command made harmless.
fn plain_lines(text: &str) -> String {
    text.lines().map(|line| plain(line) + "\n").collect()
}

/// Gives each board the players of the game with its number, and removes the boards without one.
fn assign(mut games: Vec<Pairing>, hall: &mut Hall) -> Unmatched {
    let mut unmatched = Unmatched::default();
    for mut board in std::mem::take(&mut hall.boards) {
        match games.iter().position(|game| game.is_on(&board.name)) {
            Some(index) => {
                let Pairing { white, black, .. } = games.swap_remove(index);
                (board.white, board.black) = (Some(white), Some(black));
                hall.boards.push(board);
            }
            None => unmatched.without_game.push(board.name),
        }
    }
    // If the command line has chosen some boards, the others are not missing.
    if !hall.are_chosen {
        games.sort_by_key(|game| (game.board.parse().unwrap_or(u32::MAX), game.board.clone()));
        unmatched.without_clock = games.into_iter().map(|game| game.board).collect();
    }
    unmatched
}

/// Shows what is on the clocks now and what will be set up, and asks whether to do it. The answer
/// `no` is an error, and so is a round that has all its results, unless the command line names it.
///
/// With `--force` the answer holds for the games that were shown, so the boards get the revisions of
/// their clocks. A clock on which a game has begun since then refuses. Returns whether a board
/// without a revision gets no command: it gave no answer, so nobody has seen what is on its clock.
pub async fn confirm(cli: &Cli, hall: &mut Hall, found: &Found) -> Result<bool> {
    let Some(Verb::New(args)) = &cli.verb else { return Ok(false) };
    if let Some(doubt) = &found.doubt {
        return Err(Failure::Usage(doubt.clone()).into());
    }
    let is_asked = !args.yes && !cli.options.dry_run;
    if !is_asked && cli.options.quiet {
        return Ok(false);
    }
    let states = states(&cli.options, hall).await;
    let table = shown(hall, &states, args.force);
    let Found { header, lines, unmatched, .. } = found;
    let text = format!("{header}{table}{lines}{}", left_open(unmatched));
    if cli.options.json {
        out::report(&text);
    } else {
        out::print(&text)?;
    }
    if !is_asked {
        return Ok(false);
    }
    if !prompt::has_terminal() {
        let why = "there is no terminal to ask on: add --yes to set the boards up";
        return Err(Failure::Usage(why.to_owned()).into());
    }
    if !prompt::agreed(&question(hall, args.control_given()))? {
        return Err(Failure::NotAgreed("nothing was set up".to_owned()).into());
    }
    if args.force {
        for (board, state) in hall.boards.iter_mut().zip(&states) {
            board.revision = board.revision.or(state.as_ref().map(|state| state.revision));
        }
    }
    Ok(args.force)
}

fn question(hall: &Hall, control: Option<&str>) -> String {
    let round = hall.round.as_deref().map(|round| format!("round {round}, "));
    let control = control.map_or_else(
        || "each with the control that it has".to_owned(),
        |control| format!("with {control}"),
    );
    let boards = match hall.boards.len() {
        1 => "this board".to_owned(),
        count => format!("these {count} boards"),
    };
    plain(&format!("Set up {}{boards}, {control}?", round.unwrap_or_default()))
}

/// The state of each clock; `None` if it does not answer.
async fn states(options: &Options, hall: &Hall) -> Vec<Option<State>> {
    let mut states = vec![None; hall.boards.len()];
    let boards = hall.boards.iter().cloned().enumerate().collect();
    let mut running = on_each(options, boards, |options, _| async move {
        Ok(Bus::connect(&options.target()).await?.state().await?)
    });
    while let Some(finished) = running.join_next().await {
        if let Ok((BoardFinished { index, .. }, state)) = finished {
            states[index] = state;
        }
    }
    states
}

/// A table of the boards: what is on each clock, and the players of the new game.
fn shown(hall: &Hall, states: &[Option<State>], force: bool) -> String {
    let boards = || hall.boards.iter().zip(states);
    let column = |cell: &dyn Fn(&Board) -> &str| {
        boards().map(|(board, _)| plain(cell(board))).collect::<Vec<_>>()
    };
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    let (white, black) = (
        boards().map(|(board, _)| plain(&name(&board.white))).collect::<Vec<_>>(),
        boards().map(|(board, _)| plain(&name(&board.black))).collect::<Vec<_>>(),
    );
    table(&[
        Column::left("board", column(&|board| &board.name)),
        Column::left("White", white),
        Column::left("Black", black),
        Column::left(
            "on the clock now",
            boards()
                .map(|(board, state)| on_the_clock(board, state.as_ref(), force))
                .collect::<Vec<_>>(),
        ),
    ])
}

/// What differs on the clock from a clock that is ready for this game.
fn on_the_clock(board: &Board, state: Option<&State>, force: bool) -> String {
    let Some(state) = state else { return "no answer".to_owned() };
    let given = (board.white.as_deref(), board.black.as_deref());
    let players = match (&*state.white.player, &*state.black.player) {
        ("", "") => String::new(),
        (white, black) if given == (Some(white), Some(black)) => " (the same players)".to_owned(),
        (white, black) => format!(": {white} - {black}"),
    };
    let game = match (board_state::has_game(state), force) {
        (false, _) => "",
        (true, false) => "; the game is left alone (--force gives it up)",
        (true, true) => "; THE GAME IS GIVEN UP",
    };
    plain(&format!("{}{players}{game}", board_state::headline(state)))
}

fn left_open(unmatched: &Unmatched) -> String {
    let Unmatched { without_clock, without_game } = unmatched;
    let line = |boards: &[String], what: &str| match boards {
        [] => String::new(),
        boards => format!("{what}: {}\n", plain(&shortened(boards, NAMED, ", "))),
    };
    line(without_clock, "no clock for board") + &line(without_game, "no game on board")
}

#[cfg(test)]
mod tests {
    use super::{Unmatched, assign};
    use crate::{
        hall::{Board, Hall},
        target::Target,
    };
    use clockctl::pairings::Pairing;

    fn hall(names: &[&str]) -> Hall {
        let board = |name: &&str| Board {
            white: Some("of the hall file".to_owned()),
            ..Board::new((*name).to_owned(), Target::SystemBus)
        };
        Hall { boards: names.iter().map(board).collect(), ..Hall::default() }
    }

    fn games(boards: &[&str]) -> Vec<Pairing> {
        let game = |board: &&str| Pairing::new(board, &format!("W{board}"), &format!("B{board}"));
        boards.iter().map(game).collect()
    }

    #[test]
    fn a_board_gets_the_players_of_its_number_and_one_without_a_game_is_left_out() {
        let mut hall = hall(&["03", "1", "A2", "7"]);
        let unmatched = assign(games(&["1", "2", "3", "10", "A2"]), &mut hall);
        let shown: Vec<_> = hall
            .boards
            .iter()
            .map(|board| (board.name.as_str(), board.white.as_deref(), board.black.as_deref()))
            .collect();
        let expected = [
            ("03", Some("W3"), Some("B3")),
            ("1", Some("W1"), Some("B1")),
            ("A2", Some("WA2"), Some("BA2")),
        ];
        assert_eq!(shown, expected);
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let expected =
            Unmatched { without_clock: names(&["2", "10"]), without_game: names(&["7"]) };
        assert_eq!(unmatched, expected);
    }

    #[test]
    fn boards_that_were_not_chosen_are_not_missing() {
        let mut hall = Hall { are_chosen: true, ..hall(&["1"]) };
        assert_eq!(assign(games(&["1", "2"]), &mut hall), Unmatched::default());
    }
}
