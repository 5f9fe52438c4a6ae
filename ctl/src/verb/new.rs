//! `clockctl new`: sets the clock up for another game.

mod start_at;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clock_dbus::{Fault, FaultCode, Given, NewGame, Side, State, Who, face_has_letters};
use clockctl::record::Game;

use self::start_at::TimeOfDay;
use super::command;
use super::history::History;
use crate::{
    bus::Bus,
    control,
    failure::Failure,
    hall::{Board, Hall},
    json::NewGameJson,
    options::{Options, shell_word, words},
    out, text,
};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A time control the clock knows; a control file (with a '/' in its path, or *.toml); or a
    /// notation: 3+2, '40/90, G/30, +30', 'G/60 d5', pgn:40/5400+30:1800+30
    #[arg(long, value_name = "NAME|FILE|NOTATION")]
    control: Option<String>,
    /// The same as --control
    #[arg(value_name = "CONTROL", conflicts_with = "control")]
    given: Option<String>,
    /// The player of the white pieces [default: none]
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// The player of the black pieces [default: none]
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// The number of the board (the table), such as 12 or A3; '' for none
    #[arg(long, value_name = "NUMBER")]
    board: Option<String>,
    /// The round of the event, such as 3 [default: none]
    #[arg(long, value_name = "NUMBER")]
    pub round: Option<String>,
    /// The name of the event; '' for none
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// The name of a rule profile that the clock knows (clockctl rules list); '' for none
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// The scheduled start of the session and of the game, today; the clock then starts White's
    /// clock
    #[arg(long, value_name = "HH:MM", value_parser = TimeOfDay::parse)]
    start_at: Option<TimeOfDay>,
    /// The side whose captain plays at this board, and has no authority over it
    #[arg(long, value_parser = words::<Side>(), value_name = "SIDE")]
    captain_plays: Option<Side>,
    /// The name of a qualified arbiter who is present, whom the captains consult before they rule
    #[arg(long, value_name = "NAME")]
    present_arbiter: Option<String>,
    /// Give the boards of --hall or -H the players of a round, from a table with the columns
    /// board, white, black (CSV), or from a Tournament Report File (TRF)
    #[arg(long, value_name = "FILE")]
    pub pairings: Option<PathBuf>,
    /// With --pairings: set the boards up without the question
    #[arg(short, long)]
    pub yes: bool,
    /// Set up the new game even where a game is under way, which is then lost (an adjourned one on
    /// record is not), or where a start is scheduled, which is then cancelled
    #[arg(short, long)]
    pub force: bool,
}

/// Sets the clock up for a new game.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let wanted = "set up a new game";
    if args.pairings.is_some() && options.on_board.is_none() {
        let why = "--pairings needs boards: name them with --hall FILE or -H HOST";
        return Err(Failure::Usage(why.to_owned()).into());
    }
    if args.yes && args.pairings.is_none() {
        let why = "--yes answers the question of --pairings; without --pairings new asks nothing: \
                   leave --yes out";
        return Err(Failure::Usage(why.to_owned()).into());
    }
    let game = game(options, args).with_context(|| format!("cannot {wanted}"))?;
    let connected = command::connect(options, wanted).await?;
    let completed = connected.send(options, Given::New { game }).await?;
    if options.quiet {
        return Ok(());
    }
    let after = completed.after().await?;
    let as_before = as_before(args, &after);
    let game_before = History::known_game(&completed.bus, completed.before.game_number).await;
    let dropped = dropped(args, &completed.before, game_before);
    if options.json {
        return out::print_json(&NewGameJson {
            command: completed.json(&after),
            as_before: as_before.iter().map(|value| value.key).collect(),
            dropped: dropped.iter().map(|(key, _)| *key).collect(),
        });
    }
    let start = args.start_at.as_ref();
    let start = start.map(|time| format!("White's clock starts at {time} today\n"));
    let adjourned = adjourned(&completed.bus, &completed.before, args.force).await;
    let text = text::brief(&after)
        + &said(&as_before)
        + &said_of_dropped(&dropped)
        + &start.unwrap_or_default()
        + &said_of_letters(args)
        + &adjourned;
    completed.print(&text)
}

impl Args {
    /// Whether the command line names a player.
    pub fn names_players(&self) -> bool {
        self.white.is_some() || self.black.is_some()
    }

    /// Fills in the names of this board from the hall file. A name on the command line is for all boards, and
    /// stays.
    pub fn complete(&mut self, hall: &Hall, board: &Board, has_number: bool) {
        let number = has_number.then(|| board.name.clone());
        for (given, of_hall) in [
            (&mut self.board, &number),
            (&mut self.white, &board.white),
            (&mut self.black, &board.black),
            (&mut self.round, &hall.round),
            (&mut self.event, &hall.event),
        ] {
            *given = given.take().or_else(|| of_hall.clone());
        }
    }

    /// The time control as it was given.
    pub fn control_given(&self) -> Option<&str> {
        self.control().as_deref()
    }

    /// The time control, with or without its option.
    fn control(&self) -> &Option<String> {
        if self.given.is_some() { &self.given } else { &self.control }
    }
}

/// Of the options that hold for one game, those that the game before had and the new game does not
/// have, with their values. Only the record has the captain and the arbiter.
fn dropped(args: &Args, before: &State, on_record: Option<Game>) -> Vec<(&'static str, String)> {
    let (captain_plays, present_arbiter) =
        on_record.map(|game| (game.captain_plays, game.present_arbiter)).unwrap_or_default();
    let all = [
        ("white", args.white.is_some(), before.white.player.clone()),
        ("black", args.black.is_some(), before.black.player.clone()),
        ("round", args.round.is_some(), before.round.clone()),
        ("captain-plays", args.captain_plays.is_some(), captain_plays),
        ("present-arbiter", args.present_arbiter.is_some(), present_arbiter),
    ];
    let dropped = all.into_iter().filter(|(_, given, value)| !given && !value.is_empty());
    dropped.map(|(key, _, value)| (key, value)).collect()
}

fn said_of_dropped(dropped: &[(&str, String)]) -> String {
    if dropped.is_empty() {
        return String::new();
    }
    let line =
        |(key, value): &(&str, String)| format!("  --{key} {}\n", shell_word(&text::plain(value)));
    let lines: String = dropped.iter().map(line).collect();
    format!("not as before, give again if wanted:\n{lines}")
}

/// Warns of a name that the face cannot show.
fn said_of_letters(args: &Args) -> String {
    let given = [("White", &args.white), ("Black", &args.black)];
    let unknown = given
        .into_iter()
        .filter(|(_, name)| name.as_deref().is_some_and(|name| !face_has_letters(name)));
    let line = |(side, _)| {
        format!(
            "the face shows '{side}' and not this name: give it in Latin letters, as on FIDE's list\n"
        )
    };
    unknown.map(line).collect()
}

/// A value of the new game that the command line did not give.
struct NotGiven<'a> {
    /// The option that gives it, without the dashes, or `buttons`.
    key: &'static str,
    value: &'a str,
    /// How the value is cleared; empty if it cannot be.
    clear: String,
}

/// The values of the new game that no option gave, except empty ones. They are those of the game
/// before, or the board of the configuration. Exchanged buttons stay exchanged, too.
fn as_before<'a>(args: &Args, after: &'a State) -> Vec<NotGiven<'a>> {
    let all = [
        ("control", args.control(), &after.time_control),
        ("rules", &args.rules, &after.rules),
        ("event", &args.event, &after.event),
        ("board", &args.board, &after.board),
    ];
    let not_given =
        all.into_iter().filter(|(_, given, value)| given.is_none() && !value.is_empty());
    let not_given = not_given.map(|(key, _, value)| {
        let clear = if key == "control" { String::new() } else { format!("none: --{key} ''") };
        NotGiven { key, value, clear }
    });
    let buttons = after.buttons_exchanged.then(|| NotGiven {
        key: "buttons",
        value: "exchanged",
        clear: format!("back: {}", text::addressed("clockctl set-buttons as-wired")),
    });
    not_given.chain(buttons).collect()
}

/// Names the values that were not given, and how each is cleared. Without this text, a user might
/// not notice that the new game has the time control of the last one.
fn said(not_given: &[NotGiven<'_>]) -> String {
    if not_given.is_empty() {
        return String::new();
    }
    let lines = not_given.iter().map(|NotGiven { key, value, clear }| {
        let clear = if clear.is_empty() { String::new() } else { format!("  ({clear})") };
        format!("  {key:<8}{}{clear}\n", text::plain(value))
    });
    format!("not given, and so as before:\n{}", lines.collect::<String>())
}

/// Says how an adjourned game that was on the clock is taken up again, that it is lost, or that the
/// record could not be read. Without `--force` the service carries out `New` only if the adjourned
/// game is on record.
async fn adjourned(bus: &Bus, before: &State, force: bool) -> String {
    if before.adjourned == Who::Nobody {
        return String::new();
    }
    let stays = match before.game_number {
        Some(_) if !force => Ok(true),
        Some(game) => is_adjourned(bus, game).await,
        None if before.faults.iter().any(is_no_record) => Ok(false),
        None => Err("the record has not been read yet".to_owned()),
    };
    let games = text::addressed("clockctl log --games");
    match (stays, before.game_number) {
        (Ok(true), Some(game)) => {
            let command = text::addressed(&format!("clockctl resume-adjourned {game}"));
            format!("the adjourned game {game} stays on record: {command}\n")
        }
        (Ok(_), _) => "the adjourned game is lost: it was not on record\n".to_owned(),
        (Err(why), _) => format!(
            "whether the adjourned game is on record could not be read: {why}; look later: {games}\n"
        ),
    }
}

/// Whether this fault says that no record is kept.
fn is_no_record(fault: &Fault) -> bool {
    fault.code == FaultCode::NoRecord.as_str()
}

/// Whether this game is in the record and is adjourned there. The error says why that could not be
/// read.
async fn is_adjourned(bus: &Bus, game: u64) -> Result<bool, String> {
    let found = async { History::of(bus).await?.game(Some(game)).await };
    match found.await {
        Ok(found) => Ok(found.value.adjourned),
        Err(failure) if failure.is_not_found() => Ok(false),
        Err(failure) => Err(text::plain(&failure.to_string())),
    }
}

/// The argument of the D-Bus method `New`.
fn game(options: &Options, args: &Args) -> Result<NewGame, Failure> {
    let (time_control, time_control_file) = time_control(options, args.control().as_deref())?;
    let start_at = args.start_at.as_ref().map(TimeOfDay::today).transpose();
    let start_at_realtime_nsec = start_at.map_err(Failure::Usage)?;
    Ok(NewGame {
        time_control,
        time_control_file,
        white_player: args.white.clone(),
        black_player: args.black.clone(),
        board: args.board.clone(),
        round: args.round.clone(),
        event: args.event.clone(),
        force: args.force.then_some(true),
        rules: args.rules.clone(),
        start_at_realtime_nsec,
        captain_plays: args.captain_plays.map(Who::from),
        present_arbiter: args.present_arbiter.clone(),
    })
}

/// Returns the name of the time control that `argument` gives, and its text. The text is `None` if
/// `argument` is a name, and both are `None` if there is no argument.
///
/// A control file is checked by the service and not by this tool, because the two may run on
/// different machines in different versions. The service accepts no notation, so for a notation
/// this returns the text of its control file.
pub(super) fn time_control(
    options: &Options,
    argument: Option<&str>,
) -> Result<(Option<String>, Option<String>), Failure> {
    Ok(match argument {
        Some(said) if control::is_notation(said) => {
            let named = control::notation(options, said)?;
            control::echo(options, said, &named);
            (Some(named.name), Some(named.text))
        }
        Some(path) if control::is_file(path) => {
            let (name, text) = control::read(path)?;
            (Some(name), Some(text))
        }
        Some(name) => (Some(name.to_owned()), None),
        None => (None, None),
    })
}
