//! Gives a command of the menu to the clock loop.

use crate::bus::shared_state::SharedState;
use crate::game::{Answer as Pending, CommandSource, Done, GameInfo, Given, NotDone};
use clock_controls::{NamedRules, RuleLibrary};
use clock_dbus::one_line;
use clock_engine::PerSide;
use clock_engine::rules::GameCommand;
use clock_languages::menu;
use clockd_menu::{
    Answer, Failure, MenuCommand, NewGame, NewRules, PLAYERS_AGREE, Refusal, Sentence,
};
use clockd_rt::clock::monotonic_now;
use clockd_rt::{Refusal as Refused, name_of_command};
use std::sync::Arc;

const START_IS_SCHEDULED: &str =
    "The start of the game on the clock is scheduled. Only the arbiter can cancel it.";

/// The command was refused, without a clause that forbids it.
fn refused(sentence: Sentence<menu::Refusal>, text: String) -> Failure {
    Failure::Refused(Refusal { sentence, clause: None, text })
}

fn failure(not_done: NotDone) -> Failure {
    let text = not_done.to_string();
    match not_done {
        NotDone::TimedOut => Failure::NoAnswer,
        NotDone::NotAllowed(text) => refused(|words| words.not_by_you, text),
        NotDone::Refused(Refused::Game(refused)) => {
            Failure::Refused(Refusal { text, ..refused.into() })
        }
        NotDone::Refused(Refused::Stale { .. }) => refused(|words| words.clock_has_changed, text),
        NotDone::Refused(Refused::ConfirmOnMove { .. }) => refused(|words| words.rocker, text),
        NotDone::Refused(Refused::BoardGone) => refused(|words| words.no_buttons, text),
        NotDone::Refused(Refused::Busy) => refused(|words| words.too_much_at_once, text),
    }
}

/// The refusal of a command for which the record could not be read.
fn unread(error: clock_dbus::Error) -> Failure {
    use clock_dbus::Error;
    match error {
        Error::Busy(text) => refused(|words| words.too_much_at_once, text),
        Error::NoRecord(text) => unreadable(text),
        other => unreadable(other.to_string()),
    }
}

fn unreadable(text: String) -> Failure {
    refused(|words| words.file_unreadable, text)
}

/// Gives the command, waits for the answer, and logs it.
pub async fn give(
    shared: &SharedState,
    configured: Option<Arc<NamedRules>>,
    command: MenuCommand,
) -> Answer {
    let (verb, reason) = (name_of_command(&command.command), command.reason.clone());
    let done = match send(shared, configured, command).await {
        Ok(answer) => answer.wait().await.map_err(failure),
        Err(failure) => Err(failure),
    };
    match &done {
        Ok(Done { revision, report, .. }) => {
            let why = one_line(&reason);
            tracing::info!(
                verb,
                reason,
                revision,
                "{report} [with the buttons of the clock: {why}]"
            );
        }
        Err(Failure::Refused(Refusal { text: error, .. })) => {
            tracing::warn!(verb, reason, error, "command with the buttons of the clock refused");
        }
        Err(Failure::NoAnswer) => {
            tracing::error!(verb, reason, "the outcome of a command of the menu is unknown");
        }
    }
    done.map(drop)
}

async fn send(
    shared: &SharedState,
    configured: Option<Arc<NamedRules>>,
    command: MenuCommand,
) -> Result<Pending, Failure> {
    let MenuCommand { mut command, revision, reason, new_game } = command;
    let game = new_game
        .map(|new| game(shared, configured, new, &command))
        .transpose()
        .map_err(unreadable)?;
    if let GameCommand::New(setup) | GameCommand::NewExchanged(setup) = &mut command {
        if shared.is_start_scheduled() {
            return Err(refused(|words| words.start_is_scheduled, START_IS_SCHEDULED.to_owned()));
        }
        if !setup.force {
            setup.force = shared.keeps_adjourned().await.map_err(unread)?;
        }
    }
    let text = game.as_ref().map(GameInfo::described).unwrap_or_default();
    let (source, at) = (CommandSource::Buttons, monotonic_now());
    let given = Given { source, at, revision, reason: &reason, text: &text, command, game };
    shared.commands.give(given).map_err(failure)
}

/// The names and texts of the new game. It has the board of the configuration and, only if the game
/// before is played again, the players and the event of that game.
fn game(
    shared: &SharedState,
    configured: Option<Arc<NamedRules>>,
    new: NewGame,
    command: &GameCommand,
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
    let players = match command {
        _ if !again => PerSide::default(),
        // Each player keeps the button in front of him.
        GameCommand::NewExchanged(_) => PerSide { white: black, black: white },
        _ => PerSide { white, black },
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
