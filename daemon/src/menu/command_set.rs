//! Gives the commands of the menu to the clock loop.

use crate::bus::shared_state::SharedState;
use crate::clock::monotonic_now;
use crate::game::{Answer, CommandSource, Done, GameInfo, Given};
use crate::rt::name_of_command;
use clock_controls::NamedRules;
use clock_dbus::one_line;
use clock_engine::PerSide;
use clock_engine::rules::GameCommand;
use clockd_menu::{CommandSet, NewGame, NewRules};
use std::sync::Arc;

/// The name of the shipped profile for two players without an arbiter.
const PLAYERS_AGREE: &str = "players-agree";
/// What is added to a report if the command is not on record.
const NOT_RECORDED: &str = "Not on record: see the faults.";
const START_IS_SCHEDULED: &str =
    "The start of the game on the clock is scheduled. Only the arbiter can cancel it.";

/// What has become of the commands.
#[derive(Debug, Default)]
pub struct Answered {
    /// The reports of the commands that were carried out, in their order.
    pub reports: Vec<String>,
    /// The refusal of the command after these; `None` if all were carried out.
    pub refusal: Option<String>,
}

/// Gives the commands one after the other. A refused one ends them. Logs each of them.
pub async fn give(
    shared: &SharedState,
    configured: Option<Arc<NamedRules>>,
    commands: CommandSet,
) -> Answered {
    let CommandSet { commands, mut revision, reason, shows_moves, new_game } = commands;
    let mut answered = Answered::default();
    let game = match new_game.map(|new| game(shared, configured, new)).transpose() {
        Ok(game) => game,
        Err(error) => return Answered { refusal: Some(error), ..answered },
    };
    for command in commands {
        let sent = send(shared, (command, game.clone()), revision, &reason).await;
        let sent = sent.map(|sent| if shows_moves { sent } else { sent.without_moves() });
        match carried_out(sent, name_of_command(&command), &reason).await {
            Ok(done) => {
                revision = done.revision;
                let is_recorded = shared.commits.recorded(done.entry).await;
                let mut report = done.report;
                if shared.commits.is_kept() && !is_recorded {
                    report = format!("{report} {NOT_RECORDED}");
                }
                answered.reports.push(report);
            }
            Err(refusal) => {
                answered.refusal = Some(refusal);
                break;
            }
        }
    }
    answered
}

/// Sends a command to the clock loop.
async fn send(
    shared: &SharedState,
    (command, game): (GameCommand, Option<GameInfo>),
    revision: u64,
    reason: &str,
) -> Result<Answer, String> {
    let (command, game) = match command {
        GameCommand::New(mut setup) => {
            if shared.is_start_scheduled() {
                return Err(START_IS_SCHEDULED.to_owned());
            }
            setup.force |= shared.keeps_adjourned().await;
            (GameCommand::New(setup), game)
        }
        other => (other, None),
    };
    let text = game.as_ref().map(GameInfo::described).unwrap_or_default();
    let (source, at) = (CommandSource::Buttons, monotonic_now());
    let given = Given { source, at, revision, reason, text: &text, command, game };
    shared.commands.give(given).map_err(|refused| refused.to_string())
}

/// Waits for the answer to a command, and logs it.
async fn carried_out(
    sent: Result<Answer, String>,
    verb: &str,
    reason: &str,
) -> Result<Done, String> {
    let done = match sent {
        Ok(answer) => answer.wait().await.map_err(|error| error.to_string()),
        Err(refused) => Err(refused),
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
        Err(error) => {
            tracing::warn!(verb, reason, %error, "command with the buttons of the clock refused");
        }
    }
    done
}

/// The names and texts of the new game: the players and the event of the game before, and the board
/// of the configuration.
fn game(
    shared: &SharedState,
    configured: Option<Arc<NamedRules>>,
    new: NewGame,
) -> Result<GameInfo, String> {
    let present = shared.game();
    let rules = match new.rules {
        NewRules::PlayersAgree => Some(Arc::new(shared.rules.find(PLAYERS_AGREE)?)),
        NewRules::Configured => configured,
        NewRules::AsBefore => present.rules,
    };
    let PerSide { white, black } = present.players;
    let players = match new.exchange_sides {
        true => PerSide { white: black, black: white },
        false => PerSide { white, black },
    };
    Ok(GameInfo {
        rules,
        control: new.control.name,
        control_text: new.control.text,
        players,
        board: shared.configured_board.clone().unwrap_or(present.board),
        event: present.event,
        set_up_at_clock: true,
        ..GameInfo::default()
    })
}
