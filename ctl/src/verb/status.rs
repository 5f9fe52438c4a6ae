//! `clockctl status`: prints the present state of the clock.

use anyhow::{Context, Result};
use clock_dbus::{ImportedFrom, Phase, Side, State, Who};
use clock_engine::rules::Authority;
use clockctl::record::Game;
use serde::Serialize;

use super::command;
use super::history::History;
use crate::{bus::Bus, failure::Failure, options::Options, out, text};

/// The exit codes of `--exit-code`. No failure has one of them, except 0.
const HELP: &str = "\
Exit codes with --exit-code: 0 a clock runs, 10 ready, 11 paused, 12 the arbiter has to decide, 13 the game is over, \
14 adjourned. Other codes are those of every command (clockctl --help). With --quiet nothing is printed.";

#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Say with the exit code what the clock does
    #[arg(long)]
    exit_code: bool,
}

impl Args {
    pub fn has_exit_code(&self) -> bool {
        self.exit_code
    }
}

#[derive(Serialize)]
struct ShownJson<'a> {
    #[serde(flatten)]
    state: &'a State,
    /// The game from which this one was taken over, if the record names one.
    imported_from: Option<ImportedFrom>,
    /// The commands that work now; only without a verb.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Vec<String>>,
}

/// Prints the present state. It takes three calls on one connection, which are sent at once.
/// Returns the exit code.
pub async fn run(options: &Options, args: &Args) -> Result<u8> {
    let bus = connected(options).await?;
    let (state, game) = read(&bus).await?;
    show(&bus, options, &state, game, None).await?;
    Ok(if args.exit_code { exit_code(&state) } else { 0 })
}

/// Prints the present state and the commands that work now.
pub async fn overview(options: &Options) -> Result<()> {
    let bus = connected(options).await?;
    let (state, game) = read(&bus).await?;
    let situation = command::situation(&bus, &state).await;
    show(&bus, options, &state, game, Some(&text::next(&situation))).await
}

/// What a failure to read the state begins with.
const CANNOT: &str = "cannot read the clock";

/// The game on the clock as far as the record knows it.
struct OnRecord {
    game: Game,
    /// Whether this record has the game from which it was taken over; `None` if that could not be
    /// read.
    has_source: Option<bool>,
}

async fn connected(options: &Options) -> Result<Bus> {
    Bus::connect(&options.target()).await.context(CANNOT)
}

async fn read(bus: &Bus) -> Result<(State, Option<OnRecord>)> {
    let read = async {
        let (state, newest) = tokio::join!(bus.now(), History::newest_game(bus));
        let state = state?;
        // Another game can have been set up between the calls.
        let game = match newest {
            Some(game) if state.game_number == Some(game.game) => Some(game),
            _ => History::known_game(bus, state.game_number).await,
        };
        let game = match game {
            None => None,
            Some(game) => {
                let from = game.imported_from.as_ref().filter(|from| from.machine == game.machine);
                let has_source = match from {
                    Some(from) => History::ends_with(bus, from).await,
                    None => Some(false),
                };
                Some(OnRecord { game, has_source })
            }
        };
        Ok::<_, Failure>((state, game))
    };
    read.await.context(CANNOT)
}

async fn show(
    bus: &Bus,
    options: &Options,
    state: &State,
    game: Option<OnRecord>,
    next: Option<&[text::Next]>,
) -> Result<()> {
    if options.quiet {
        return Ok(());
    }
    if options.json {
        let next = next.map(|next| next.iter().map(|next| next.command.clone()).collect());
        return out::print_json(&shown_json(state, game, next));
    }
    let mut shown = text::status(state);
    if let Some(game) = &game {
        shown.push_str(&from(game).unwrap_or_default());
        shown.push_str(&reason_of_captains(bus, state, &game.game).await.unwrap_or_default());
    }
    if let Some(next) = next {
        shown = format!("{shown}\n{}", text::next_text(next));
    }
    out::print(&out::painted(shown, text::colour::status))
}

/// The option `--reason` that a captain with the arbiter's authority adds to the rulings and penalties
/// shown above. `None` if nothing awaits a ruling, or if no arbiter is present to be consulted. An
/// arbiter needs no reason, and the state does not say who reads it.
async fn reason_of_captains(bus: &Bus, state: &State, game: &Game) -> Option<String> {
    let is_due = |side| state.side(side).penalty_due;
    let is_awaited = !state.questions.is_empty() || Side::BOTH.into_iter().any(is_due);
    if !is_awaited || game.present_arbiter.is_empty() {
        return None;
    }
    let profile = command::profile_in_use(bus).await?;
    let reason = text::plain(&text::hint::consulted(&game.present_arbiter));
    let line = format!("captains  add to a ruling or a penalty: {reason}\n");
    (profile.authority == Authority::Captains).then_some(line)
}

fn shown_json(state: &State, game: Option<OnRecord>, next: Option<Vec<String>>) -> ShownJson<'_> {
    let imported_from = game.and_then(|game| game.game.imported_from);
    ShownJson { state, imported_from, next }
}

/// The exit code of this state, as [`HELP`] has it.
fn exit_code(state: &State) -> u8 {
    match state.phase {
        _ if state.adjourned != Who::Nobody => 14,
        Phase::Running => 0,
        Phase::Ready => 10,
        Phase::Paused => 11,
        Phase::Ruling => 12,
        Phase::Over => 13,
    }
}

/// The game from which this one was taken over: by `import`, or by `resume-adjourned` from the same
/// record.
fn from(OnRecord { game, has_source }: &OnRecord) -> Option<String> {
    let ImportedFrom { machine, game: number, chain: _ } = game.imported_from.as_ref()?;
    let from = match *machine == game.machine {
        true if *has_source == Some(true) => {
            let log = text::addressed(&format!("clockctl log {number}"));
            format!("game {number} of this clock ({log})")
        }
        true if has_source.is_none() => {
            format!("game {number} of this machine; whether it is in this record could not be read")
        }
        // The record was lost, or there are two clocks on this machine.
        true => format!("game {number} of another record on this machine"),
        false => format!("game {number} of the clock {}", text::plain(machine)),
    };
    Some(format!("from      {from}\n"))
}
