//! `clockctl import`: takes over a game from the record of another clock.

mod shown;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clock_dbus::{Corrections, Given, Phase, Proposal, Side, State, Who};
use clock_engine::rules::{Cited, Game, GameCommand, Profile, Topic, clause};
use clock_engine::text::ControlFile;
use clock_engine::{Command, Correction, Method, PerSide, Span};
use clockctl::record::file::{RecordFile, WholeState, difference};
use clockctl::record::proposal::{method, proposal};

use super::set::Values;
use super::{command, new, record_file, usual};
use crate::failure::Failure;
use crate::options::Options;
use crate::prompt;
use crate::rules::{self, FromClock};
use crate::{out, text};

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The file that clockctl export --format json wrote, from the other clock; - is standard input
    file: PathBuf,
    /// The player of the white pieces
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// The player of the black pieces
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Another time control: a name the clock knows, a control file, or a notation
    #[arg(long, value_name = "NAME|FILE|NOTATION")]
    control: Option<String>,
    /// Another rule profile that the clock knows; '' for none
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    #[command(flatten)]
    values: Values,
    /// Take over only times, counters, periods and the side on move
    #[arg(long)]
    readings_only: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Import even where a game is under way on this clock, which is then lost; also a time of 0, at
    /// which the flag falls, or more than 999 moves
    #[arg(short, long)]
    force: bool,
}

const HELP: &str = "\
The whole state is taken over: flags and which fell first, the method in force, the delay left, open claims and requests, \
illegal moves, warnings, incidents, an adjournment. What a file does not have is listed before the question. The sums show whether the file was \
changed after it was exported, but they are no signature: who computes them anew can forge a file. Compare it with the other clock.";

const WANTED: &str = "import the game";

/// Shows what the file proposes, asks, and sets the game up on this clock.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let cannot = || format!("cannot {WANTED}");
    let (_, file) = record_file::read(&args.file).with_context(cannot)?;
    let readings = proposed(options, args, &file).with_context(cannot)?;
    check_announced(args, &file, &readings).with_context(cannot)?;
    let (proposal, game) = with_state(args, &file, readings.clone()).with_context(cannot)?;
    can_be_asked(args, &file, options.dry_run).with_context(cannot)?;
    if !args.force {
        check_usual(&args.values, &file, &readings, proposal.state.is_some())
            .with_context(cannot)?;
    }
    let changed = Corrections::from(&args.values) != Corrections::default();
    let shown =
        shown::Shown { file: &file, readings: &readings, proposal: &proposal, game, changed };
    show(options, &shown.text())?;
    if !args.yes && !options.dry_run && !prompt::agreed("Set this game up on this clock?")? {
        return Err(Failure::NotAgreed("nothing was changed".to_owned()).into());
    }
    let connected = command::connect(options, WANTED).await?;
    let completed = connected.send(options, Given::Import { proposal }).await?;
    completed
        .show(options, |_, after| {
            format!(
                "{}\ncompare both clocks and the scoresheets{}\n",
                text::status(after),
                next(game.as_ref(), after)
            )
        })
        .await
}

/// The end of the text that is printed after the import: the next command. If that is a resume, and
/// `game` (the imported game, if it is known here) refuses it, the text says why.
fn next(game: Option<&Game>, after: &State) -> String {
    let refused = game.filter(|game| game.phase() == Phase::Paused).and_then(|game| {
        let mut trial = *game;
        let resume = GameCommand::Clock(Command::Resume { side: None });
        trial.handle_command(resume, game.last()).err()
    });
    match (text::questions::next(after), refused) {
        (Some(_), Some(refused))
            if after.phase == Phase::Paused && after.adjourned == Who::Nobody =>
        {
            format!("; before {}: {refused}", text::addressed("clockctl resume"))
        }
        (Some(next), _) => format!("; then: {}", text::addressed(next)),
        (None, _) => String::new(),
    }
}

/// The proposal of the file, in which the values of the command line replace those of the file.
fn proposed(options: &Options, args: &Args, file: &RecordFile) -> Result<Proposal, Failure> {
    let from = proposal(file);
    let (control, control_file) = match &args.control {
        Some(_) => new::time_control(options, args.control.as_deref())?,
        None => (from.time_control.clone(), from.time_control_file.clone()),
    };
    let proposal = Proposal {
        time_control: control,
        time_control_file: control_file,
        white_player: args.white.clone().or(from.white_player),
        black_player: args.black.clone().or(from.black_player),
        rules: args.rules.clone().or(from.rules),
        force: args.force.then_some(true),
        ..from
    };
    Ok(proposal.corrected(Corrections::from(&args.values)))
}

/// Adds the whole state of the file to the proposal. The proposal then has no times, counters and
/// periods of the file, because the state has them. It keeps those of the command line, which
/// correct the state. Also returns the game in that state; `None` if this program cannot parse its
/// time control or does not know its rule profile. If the file has no state, or with
/// `--readings-only`, the proposal stays as it is.
fn with_state(
    args: &Args,
    file: &RecordFile,
    readings: Proposal,
) -> Result<(Proposal, Option<Game>), Failure> {
    let state = match &file.state {
        Some(Ok(state)) if !args.readings_only => state,
        Some(Err(wrong)) if !args.readings_only => return Err(wrong_state(&wrong.to_string())),
        _ => return Ok((readings, None)),
    };
    check_rules(args, file, &readings, state)?;
    let game = game_in(args, file, &readings, state)?;
    let source = readings.source.clone().unwrap_or_default();
    let (setup, _) = readings.into_parts();
    let corrections = Corrections::from(&args.values);
    let mut proposal = Proposal::new(state.state.has_begun(), source, setup, corrections);
    proposal.state = Some(state.text.clone());
    Ok((proposal, game))
}

/// Refuses another rule profile than that of the file if it has to be announced before the start and
/// the game of the file has begun (FIDE Guidelines III.2.1). The clock refuses `set-rules` for the
/// same reason. A profile that only the clock knows is not checked.
fn check_announced(args: &Args, file: &RecordFile, readings: &Proposal) -> Result<(), Failure> {
    let own = &file.record.game.rules;
    let Some(given) = args.rules.as_ref().filter(|given| *given != own) else { return Ok(()) };
    let Ok(known) = rules::local(given) else { return Ok(()) };
    let Profile { announced_before_start, cites, .. } = *known.profile();
    if !announced_before_start || readings.begun != Some(true) {
        return Ok(());
    }
    let (given, own) = (text::plain(given), text::plain(own));
    let (began, without) = match own.is_empty() {
        true => ("without rules".to_owned(), "without --rules".to_owned()),
        false => (format!("under {own}"), format!("under {own}")),
    };
    let refused = format!(
        "the game began {began}, and {given} holds only if it was announced before the start: import \
         the game {without}"
    );
    Err(Failure::Usage(Cited::new(refused, clause(Topic::Announced, cites)).to_string()))
}

/// Refuses a rule profile other than that of the file while something awaits an answer in the state
/// of the file, because the profile decides which answers are allowed. The clock refuses
/// `set-rules` for the same reason.
fn check_rules(
    args: &Args,
    file: &RecordFile,
    readings: &Proposal,
    state: &WholeState,
) -> Result<(), Failure> {
    let own = &file.record.game.rules;
    if own.is_empty() || args.rules.as_ref().is_none_or(|given| given == own) {
        return Ok(());
    }
    let text = readings.time_control_file.as_deref();
    let control = text.and_then(|text| ControlFile::parse(text).ok());
    let known = rules::of_the_clock(own, file.record.game.rules_text.clone()).ok();
    let (Some(control), Some(known)) = (control, known) else { return Ok(()) };
    let (FromClock::Shipped(known) | FromClock::Merged(known)) = known;
    let Ok(mut game) = state.game(control.control, Some(*known.profile())) else { return Ok(()) };
    // A time of the command line annuls a flag, and so closes its question.
    let Corrections { white_time_nsec, black_time_nsec, .. } = Corrections::from(&args.values);
    let time = |nsec: Option<u64>| nsec.map(Span::from_nanos);
    let time = PerSide { white: time(white_time_nsec), black: time(black_time_nsec) };
    let correct = Command::Set(Correction { time, ..Correction::default() });
    let _ = game.handle_command(GameCommand::Clock(correct), game.last());
    if game.questions().iter().next().is_none() {
        return Ok(());
    }
    let own = text::plain(own);
    Err(Failure::Usage(format!(
        "in the state of the game something awaits an answer, and the rules decide about it: import the \
         game under {own}, answer it, then clockctl set-rules; --readings-only leaves it out"
    )))
}

/// The game of the file in the state `state`. `None` if its control cannot be parsed, or if this
/// program does not know its rule profile.
fn game_in(
    args: &Args,
    file: &RecordFile,
    readings: &Proposal,
    state: &WholeState,
) -> Result<Option<Game>, Failure> {
    let text = readings.time_control_file.as_deref();
    let Some(control) = text.and_then(|text| ControlFile::parse(text).ok()) else {
        return Ok(None);
    };
    let profile = match (readings.rules.as_deref().unwrap_or_default(), &args.rules) {
        ("", _) => None,
        (_, Some(name)) => match rules::local(name) {
            Ok(known) => Some(*known.profile()),
            Err(_) => return Ok(None),
        },
        (name, None) => match rules::of_the_clock(name, file.record.game.rules_text.clone()) {
            Ok(FromClock::Shipped(known) | FromClock::Merged(known)) => Some(*known.profile()),
            Err(_) => return Ok(None),
        },
    };
    let game = state
        .game(control.control, profile)
        .map_err(|wrong| wrong_state(&format!("the state of the game: {wrong}")))?;
    // `difference` does not compare the result; it also does not compare the phase if it is
    // `running` or `over` in the last entry. A state has neither a result nor a running clock.
    if let Some(difference) = difference(&game, &file.last().state) {
        return Err(wrong_state(&difference));
    }
    Ok(Some(game))
}

fn wrong_state(what: &str) -> Failure {
    Failure::Usage(format!(
        "{what}; --readings-only takes over times, counters, periods and the side on move without it"
    ))
}

/// Refuses the import without `--yes` if nobody can be asked (a dry run asks nobody), and the import with `--yes` if the
/// file was changed or has no sum: somebody has to look at such a file.
fn can_be_asked(args: &Args, file: &RecordFile, is_dry_run: bool) -> Result<(), Failure> {
    if let (true, Some(wrong)) = (args.yes, file.doubt()) {
        return Err(Failure::Usage(format!(
            "{wrong}; look at it and answer the question, without --yes"
        )));
    }
    let asked = io::stdin().is_terminal() && args.file != Path::new("-");
    if args.yes || asked || is_dry_run {
        return Ok(());
    }
    Err(Failure::Usage(
        "there is no terminal to ask on: look at the file (clockctl export --from FILE --format csv), then \
         add --yes"
            .to_owned(),
    ))
}

/// Prints `text` to standard output. With `--json` it is printed to standard error, because
/// standard output is then for the clock's answer. With `--quiet`, nothing is printed.
fn show(options: &Options, text: &str) -> Result<()> {
    match (options.quiet, options.json) {
        (true, _) => Ok(()),
        (false, true) => {
            out::report(text);
            Ok(())
        }
        (false, false) => out::print(text),
    }
}

/// Refuses a time of 0 at which a flag falls, a given time that is far above what the time control
/// gives, and more moves than a game has, as `set` does. The
/// values are those of the command line, and where it has none, those of the file. `has_state` says
/// whether the whole state of the file is taken over.
///
/// A flag that has fallen on the other clock is taken over with the whole state, so its time of 0 is
/// not refused.
pub fn check_usual(
    values: &Values,
    file: &RecordFile,
    readings: &Proposal,
    has_state: bool,
) -> Result<(), Failure> {
    let given = Corrections::from(values);
    let text = readings.time_control_file.as_deref();
    let control = text.and_then(|text| ControlFile::parse(text).ok()).map(|file| file.control);
    let of_side = |side, time: Option<u64>, moves: Option<u32>| {
        let there = file.last().state.side(side);
        let falls = match method(control.as_ref(), there.period, side) {
            // 0 is the time used so far, or what is left until the next gong.
            Some(Method::CountUp { .. } | Method::Gong(_)) => false,
            _ => time.is_some() || !(has_state && there.out_of_time),
        };
        let time = Some(time.unwrap_or(there.remaining_ns)).filter(|_| falls);
        (time, Some(moves.unwrap_or(there.moves)))
    };
    let white = of_side(Side::White, given.white_time_nsec, given.white_moves);
    let black = of_side(Side::Black, given.black_time_nsec, given.black_moves);
    if let Some(control) = &control {
        let times = [(Side::White, given.white_time_nsec), (Side::Black, given.black_time_nsec)];
        for (side, time) in times {
            let there = file.last().state.side(side);
            if let Some(time) = time {
                usual::check_high(control, side, (there.moves, there.period), time)?;
            }
        }
    }
    usual::check([white.0, black.0], [white.1, black.1])
}
