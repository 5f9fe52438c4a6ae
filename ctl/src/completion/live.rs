//! Candidates that depend on the clock and on files: read within a limit of time, and none if
//! anything fails.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use clock_dbus::SERVICE;
use clock_engine::{
    Outcome,
    rules::PenaltyKind,
    text::{presets, rule_presets},
};
use clockctl::record::Game;
use tokio::time::timeout;
use zbus::{fdo::DBusProxy, names::BusName};

use crate::{
    bus::Bus, hall, rulings, target::Target, text::questions::meaning, verb::history::History,
};

/// How long the shell waits for the clock. The user waits with it, and goes on typing if nothing
/// comes.
const LIMIT: Duration = Duration::from_millis(120);
/// How many of the last moves are offered. An arbiter goes back by a few.
const MOVES: u32 = 10;

/// Where the candidates of an argument come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Games,
    AdjournedGames,
    Controls,
    Rules,
    Rulings,
    Moves,
    Penalties,
    Results,
    Boards,
}

/// The arguments whose candidates are not in the command line's definition: the verb with its
/// subcommand, the identifier of the argument, and the source. No verb stands for every verb.
const SOURCES: &[(&str, &str, Source)] = &[
    ("", "boards", Source::Boards),
    ("change-time-control", "control", Source::Controls),
    ("export", "operands", Source::Games),
    ("import", "control", Source::Controls),
    ("import", "rules", Source::Rules),
    ("log", "game", Source::Games),
    ("new", "control", Source::Controls),
    ("new", "given", Source::Controls),
    ("new", "rules", Source::Rules),
    ("penalize", "kind", Source::Penalties),
    ("result", "result", Source::Results),
    ("resume-adjourned", "game", Source::AdjournedGames),
    ("rewind", "moved", Source::Moves),
    ("rewind", "to", Source::Moves),
    ("rule", "ruling", Source::Rulings),
    ("rules show", "rules", Source::Rules),
    ("set-rules", "rules", Source::Rules),
    ("simulate", "control", Source::Controls),
    ("simulate", "rules", Source::Rules),
    ("time-control show", "control", Source::Controls),
];

/// The source of the candidates for an argument of a verb; `None` if its definition has them all.
pub fn source(verb: &str, argument: &str) -> Option<Source> {
    let is_it =
        |(of, id, _): &&(&str, &str, Source)| (*of == verb || of.is_empty()) && *id == argument;
    SOURCES.iter().find(is_it).map(|(_, _, source)| *source)
}

/// The candidates of a source. `given` has the values of the options on the command line.
pub async fn read(source: Source, given: &[(&str, String)]) -> Vec<Candidate> {
    let option = |name| given.iter().rfind(|(id, _)| *id == name).map(|(_, value)| value.as_str());
    let fixed = |words: Vec<&str>| words.into_iter().map(|word| Candidate::new(word, "")).collect();
    match source {
        Source::Boards => {
            let named = option("hall").map(PathBuf::from).or_else(hall::implied_file);
            named.as_deref().map(boards).unwrap_or_default()
        }
        Source::Penalties => fixed(PenaltyKind::ALL.iter().map(|kind| kind.as_str()).collect()),
        Source::Results => fixed(Outcome::ALL.iter().map(|result| result.as_str()).collect()),
        Source::Controls | Source::Rules => {
            let known = known_to_the_clock(source, given).await;
            known.unwrap_or_else(|| compiled_in(source))
        }
        Source::Games | Source::AdjournedGames | Source::Rulings | Source::Moves => {
            known_to_the_clock(source, given).await.unwrap_or_default()
        }
    }
}

fn boards(file: &Path) -> Vec<Candidate> {
    let Ok(hall) = hall::read(file) else { return Vec::new() };
    let board = |board: hall::Board| {
        let players = [board.white, board.black].into_iter().flatten().collect::<Vec<_>>();
        Candidate::new(board.name, players.join(" - "))
    };
    let all = Candidate::new("all", "every board");
    hall.boards.into_iter().map(board).chain([all]).collect()
}

/// The names that every clock knows.
fn compiled_in(source: Source) -> Vec<Candidate> {
    match source {
        Source::Controls => {
            let named = presets().iter();
            named.map(|preset| Candidate::new(preset.name, preset.read().name)).collect()
        }
        Source::Rules => {
            let named = rule_presets().iter();
            named.map(|preset| Candidate::new(preset.name, preset.read().name)).collect()
        }
        _ => Vec::new(),
    }
}

/// What the clock of this machine, or that of `--bus`, says within [`LIMIT`].
async fn known_to_the_clock(source: Source, given: &[(&str, String)]) -> Option<Vec<Candidate>> {
    // A new connection of `ssh` takes longer than the limit, and can ask for a password.
    if given.iter().any(|(id, _)| ["hosts", "hall", "boards"].contains(id)) {
        return None;
    }
    let target = match given.iter().rfind(|(id, _)| *id == "bus") {
        Some((_, address)) => Target::Bus(address.parse().ok()?),
        None => Target::SystemBus,
    };
    timeout(LIMIT, ask(source, &target)).await.ok().flatten()
}

async fn ask(source: Source, target: &Target) -> Option<Vec<Candidate>> {
    let bus = Bus::connect(target).await.ok()?;
    let names = DBusProxy::new(&bus.connection).await.ok()?;
    // A call to a service that does not run could start it.
    if !names.name_has_owner(BusName::try_from(SERVICE).ok()?).await.ok()? {
        return None;
    }
    let named = |all: Vec<(String, String)>| {
        all.into_iter().map(|(name, title)| Candidate::new(name, title)).collect()
    };
    match source {
        Source::Controls => bus.clock.list_time_controls().await.ok().map(named),
        Source::Rules => bus.clock.list_rules().await.ok().map(named),
        Source::Games => games(&bus, |_| true).await,
        Source::AdjournedGames => games(&bus, |game| game.adjourned).await,
        Source::Rulings => {
            let state = bus.state().await.ok()?;
            let mut words: Vec<Candidate> = Vec::new();
            for allowed in rulings::allowed(&state) {
                let word = allowed.ruling.as_str();
                // Two rulings with the same word differ in their options.
                if words.iter().all(|other| other.word != word) {
                    words.push(Candidate::new(word, meaning(&allowed)));
                }
            }
            Some(words)
        }
        Source::Moves => {
            let state = bus.state().await.ok()?;
            Some(moves(state.white.moves, state.black.moves))
        }
        Source::Boards | Source::Penalties | Source::Results => None,
    }
}

async fn games(bus: &Bus, is_meant: fn(&Game) -> bool) -> Option<Vec<Candidate>> {
    let games = History::of(bus).await.ok()?.games(0).await.ok()?;
    let games = games.into_iter().map(|game| game.value).filter(is_meant);
    let described = games.map(|game| {
        let players = format!("{} - {}", game.white, game.black);
        let known = [players.as_str(), game.result.as_str(), game.control.as_str()];
        let known = known.into_iter().filter(|text| !["", " - "].contains(text));
        Candidate::new(game.game.to_string(), known.collect::<Vec<_>>().join(", "))
    });
    Some(described.collect())
}

/// The last moves of both sides, the latest first.
fn moves(white: u32, black: u32) -> Vec<Candidate> {
    let latest = white.max(black);
    let numbers = (latest.saturating_sub(MOVES)..=latest).rev();
    let of = |letter, side, number| {
        Candidate::new(format!("{letter}{number}"), format!("after {side}'s move {number}"))
    };
    numbers
        .flat_map(|number| {
            let black = (1..=black).contains(&number).then(|| of('B', "Black", number));
            let white = (1..=white).contains(&number).then(|| of('W', "White", number));
            black.into_iter().chain(white)
        })
        .collect()
}

/// A word that can follow, and what it means.
pub struct Candidate {
    pub word: String,
    pub description: String,
}

impl Candidate {
    pub fn new(word: impl Into<String>, description: impl Into<String>) -> Candidate {
        Candidate { word: word.into(), description: description.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::{SOURCES, moves};
    use crate::cli::Cli;

    #[test]
    fn every_source_belongs_to_an_argument_of_the_command_line() {
        let cli = Cli::all_verbs();
        for (verb, id, source) in SOURCES {
            let mut words = verb.split(' ').filter(|word| !word.is_empty());
            let verb = words.try_fold(&cli, |level, word| level.find_subcommand(word));
            let arguments: Vec<_> = verb.expect("a verb").get_arguments().collect();
            let found = arguments.iter().find(|argument| argument.get_id() == id);
            let found = found.unwrap_or_else(|| panic!("{verb:?} has no {id} for {source:?}"));
            // Otherwise the same words would be in two places.
            assert!(found.get_possible_values().is_empty(), "{id}");
        }
    }

    #[test]
    fn the_last_moves_are_offered_latest_first() {
        let words = |white, black| -> Vec<String> {
            moves(white, black).into_iter().map(|candidate| candidate.word).collect()
        };
        assert_eq!(words(2, 1), ["W2", "B1", "W1"]);
        assert_eq!(words(0, 0), [""; 0]);
        assert_eq!(words(60, 60).first().map(String::as_str), Some("B60"));
        assert_eq!(words(60, 60).len(), 22);
        assert_eq!(words(u32::MAX, 0).len(), 11);
    }
}
