//! Gives a command of the menu to the clock loop.

use crate::bus::shared_state::SharedState;
use crate::game::{Answer, CommandSource, Done, GameInfo, Given, NotDone};
use clock_controls::{NamedRules, RuleLibrary};
use clock_dbus::one_line;
use clock_engine::PerSide;
use clock_engine::rules::GameCommand;
use clockd_menu::{Failure, MenuCommand, NewGame, NewRules, PLAYERS_AGREE, Refusal, RefusalClass};
use clockd_rt::clock::monotonic_now;
use clockd_rt::{Refusal as Refused, name_of_command};
use std::sync::Arc;

const START_IS_SCHEDULED: &str =
    "The start of the game on the clock is scheduled. Only the arbiter can cancel it.";

/// What has become of the command.
#[derive(Debug)]
pub struct Answered {
    /// Why the command was not carried out, if it was not.
    pub outcome: Result<(), Problem>,
    /// Whether the command was carried out but is not on record, although a record is kept.
    pub not_on_record: bool,
}

/// Why a command was not carried out.
#[derive(Debug)]
pub enum Problem {
    /// It was refused.
    Refused {
        /// What kind of reason it is.
        class: RefusalClass,
        /// The clause that forbids it, if there is one.
        clause: Option<&'static str>,
        /// The refusal in English.
        text: String,
    },
    /// The clock loop has not answered. It is not known whether the command was carried out.
    NoAnswer,
}

impl Answered {
    /// The command was not carried out, or its outcome is unknown.
    pub fn problem(problem: Problem) -> Answered {
        Answered { outcome: Err(problem), not_on_record: false }
    }

    /// The answer as the pages of the menu take it.
    pub fn as_answer(&self) -> clockd_menu::Answer<'_> {
        let outcome = self.outcome.as_ref().copied().map_err(|problem| match problem {
            Problem::Refused { class, clause, text } => {
                Failure::Refused(Refusal { class: *class, clause: *clause, text })
            }
            Problem::NoAnswer => Failure::NoAnswer,
        });
        clockd_menu::Answer { outcome, not_on_record: self.not_on_record }
    }
}

impl From<NotDone> for Problem {
    fn from(not_done: NotDone) -> Problem {
        match not_done {
            NotDone::TimedOut => Problem::NoAnswer,
            NotDone::Refused(refusal) => {
                let (class, clause) = (class(refusal), clause(refusal));
                Problem::Refused { class, clause, text: not_done.to_string() }
            }
            NotDone::NotAllowed(text) => {
                Problem::Refused { class: RefusalClass::NotByYou, clause: None, text }
            }
        }
    }
}

/// The refusal of a command for which the record could not be read.
fn unread(error: clock_dbus::Error) -> Problem {
    use clock_dbus::Error;
    let (class, text) = match error {
        Error::Busy(text) => (RefusalClass::TooMuchAtOnce, text),
        Error::NoRecord(text) => (RefusalClass::FileUnreadable, text),
        other => (RefusalClass::FileUnreadable, other.to_string()),
    };
    Problem::Refused { class, clause: None, text }
}

fn class(refusal: Refused) -> RefusalClass {
    match refusal {
        Refused::Game(refused) => refused.into(),
        Refused::Stale { .. } => RefusalClass::ClockHasChanged,
        Refused::ConfirmOnMove { .. } => RefusalClass::Rocker,
        Refused::BoardGone => RefusalClass::NoButtons,
        Refused::Busy => RefusalClass::TooMuchAtOnce,
    }
}

fn clause(refusal: Refused) -> Option<&'static str> {
    match refusal {
        Refused::Game(refused) => refused.clause(),
        Refused::Stale { .. }
        | Refused::ConfirmOnMove { .. }
        | Refused::BoardGone
        | Refused::Busy => None,
    }
}

/// Gives the command, logs it, and waits for the record.
pub async fn give(
    shared: &SharedState,
    configured: Option<Arc<NamedRules>>,
    command: MenuCommand,
) -> Answered {
    let MenuCommand { command, revision, reason, new_game } = command;
    let game = match new_game.map(|new| game(shared, configured, new)).transpose() {
        Ok(game) => game,
        Err(text) => {
            let class = RefusalClass::FileUnreadable;
            return Answered::problem(Problem::Refused { class, clause: None, text });
        }
    };
    let sent = send(shared, (command, game), revision, &reason).await;
    match carried_out(sent, name_of_command(&command), &reason).await {
        Ok(done) => {
            let on_record = !shared.commits.is_kept() || shared.commits.recorded(done.entry).await;
            Answered { outcome: Ok(()), not_on_record: !on_record }
        }
        Err(problem) => Answered::problem(problem),
    }
}

/// Sends a command to the clock loop.
async fn send(
    shared: &SharedState,
    (mut command, game): (GameCommand, Option<GameInfo>),
    revision: u64,
    reason: &str,
) -> Result<Answer, Problem> {
    if let GameCommand::New(setup) | GameCommand::NewExchanged(setup) = &mut command {
        if shared.is_start_scheduled() {
            let (class, text) = (RefusalClass::StartIsScheduled, START_IS_SCHEDULED.to_owned());
            return Err(Problem::Refused { class, clause: None, text });
        }
        if !setup.force {
            setup.force = shared.keeps_adjourned().await.map_err(unread)?;
        }
    }
    let text = game.as_ref().map(GameInfo::described).unwrap_or_default();
    let (source, at) = (CommandSource::Buttons, monotonic_now());
    let given = Given { source, at, revision, reason, text: &text, command, game };
    shared.commands.give(given).map_err(Problem::from)
}

/// Waits for the answer to a command, and logs it.
async fn carried_out(
    sent: Result<Answer, Problem>,
    verb: &str,
    reason: &str,
) -> Result<Done, Problem> {
    let done = match sent {
        Ok(answer) => answer.wait().await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match &done {
        Ok(Done { revision, report, .. }) => {
            let why = one_line(reason);
            tracing::info!(
                verb,
                reason,
                revision,
                "{report} [with the buttons of the clock: {why}]"
            );
        }
        Err(Problem::Refused { text: error, .. }) => {
            tracing::warn!(verb, reason, error, "command with the buttons of the clock refused");
        }
        Err(Problem::NoAnswer) => {
            tracing::error!(verb, reason, "the outcome of a command of the menu is unknown");
        }
    }
    done
}

/// The names and texts of the new game. It has the board of the configuration and, only if the game
/// before is played again, the players and the event of that game.
fn game(
    shared: &SharedState,
    configured: Option<Arc<NamedRules>>,
    new: NewGame,
) -> Result<GameInfo, String> {
    let present = shared.game();
    let again = new.rules == NewRules::AsBefore;
    let rules = match new.rules {
        // The command has the profile that is compiled in. It is not looked up in
        // `SharedState::rules`, where a file can replace it.
        NewRules::PlayersAgree => {
            let shipped = RuleLibrary::default().find(PLAYERS_AGREE);
            Some(Arc::new(shipped.map_err(|error| error.to_string())?))
        }
        NewRules::Configured => configured,
        NewRules::AsBefore => present.rules,
    };
    let PerSide { white, black } = present.players;
    let players = match (again, new.exchange_sides) {
        (false, _) => PerSide::default(),
        (true, false) => PerSide { white, black },
        (true, true) => PerSide { white: black, black: white },
    };
    Ok(GameInfo {
        rules,
        control: new.control.name,
        control_text: new.control.text,
        players,
        board: shared.configured_board.clone().unwrap_or(present.board),
        event: if again { present.event } else { String::new() },
        set_up_at_clock: true,
        ..GameInfo::default()
    })
}
