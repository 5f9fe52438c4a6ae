//! An arbiter on a thread of its own, so that a command can be under way while the clock is killed.

use clock_dbus::commands::{Claimant, Ground, OfferAnswer, Outcome, Side};
use clock_dbus::{Answer, ArbiterProxy, Completed, NewGame, State};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use zbus::connection;

/// A time control of a game.
#[derive(Debug)]
pub struct Control {
    pub name: &'static str,
    pub file: &'static str,
    /// What each completed move brings, in nanoseconds.
    pub increment: u64,
}

/// The control with which each game begins, and the one that replaces it. Both are a finish with
/// less than two minutes, in which a draw can be claimed.
pub const CONTROLS: [Control; 2] = [
    Control {
        name: "finish",
        file: "name = 'finish'\n[[period]]\ntime = '110s'\nincrement = '1ms'\n",
        increment: 1_000_000,
    },
    Control {
        name: "other-finish",
        file: "name = 'other-finish'\n[[period]]\ntime = '100s'\nincrement = '3ms'\n",
        increment: 3_000_000,
    },
];

/// The control of this name.
pub fn control(name: &str) -> &'static Control {
    CONTROLS.iter().find(|control| control.name == name).unwrap()
}

/// The control that replaces the control of this name.
pub fn other_control(name: &str) -> &'static Control {
    CONTROLS.iter().find(|control| control.name != name).unwrap()
}

/// By how much [`Command::AddTime`] lengthens White's time.
pub const ADDED: i64 = 250_000_001;

#[derive(Clone, Debug)]
pub enum Command {
    New,
    Pause,
    Resume,
    AddTime,
    /// The other time control takes the place of the present one. The times stay.
    ChangeTimeControl,
    /// A draw claim of the side on move.
    Claim,
    /// The answer to the open question.
    Rule(Box<Answer>),
    Result,
}

/// A command for the arbiter's thread, with the state that the arbiter sees and the reason.
struct Job(Command, Box<State>, String);

/// The arbiter's thread, as the test sees it.
pub struct Arbiter {
    jobs: Sender<Job>,
    answers: Receiver<clock_dbus::Result<Completed>>,
}

impl Arbiter {
    pub fn start(address: String) -> Arbiter {
        let (jobs, jobs_in) = channel();
        let (answers_out, answers) = channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(serve(address, jobs_in, answers_out));
        });
        Arbiter { jobs, answers }
    }

    /// Gives a command and does not wait.
    pub fn give(&self, command: Command, seen: &State, reason: &str) {
        self.jobs.send(Job(command, Box::new(seen.clone()), reason.to_owned())).unwrap();
    }

    /// Waits for the answer to the command.
    pub fn answer(&self) -> clock_dbus::Result<Completed> {
        self.answers.recv_timeout(clock_tests::DEADLINE).unwrap()
    }
}

async fn serve(
    address: String,
    jobs: Receiver<Job>,
    answers: Sender<clock_dbus::Result<Completed>>,
) {
    let connection = connection::Builder::address(address.as_str());
    let connection = connection.method_timeout(Duration::from_secs(10)).build().await.unwrap();
    let arbiter = ArbiterProxy::new(&connection).await.unwrap();
    while let Ok(Job(command, seen, reason)) = jobs.recv() {
        let answer = carry_out(&arbiter, command, &seen, &reason).await;
        // Sending fails if the test is over.
        let _ = answers.send(answer);
    }
}

async fn carry_out(
    arbiter: &ArbiterProxy<'_>,
    command: Command,
    seen: &State,
    reason: &str,
) -> clock_dbus::Result<Completed> {
    let revision = seen.revision;
    match command {
        Command::New => {
            let game = NewGame {
                time_control: Some(CONTROLS[0].name.to_owned()),
                time_control_file: Some(CONTROLS[0].file.to_owned()),
                rules: Some("handbook-county".to_owned()),
                white_player: Some("Vera Menchik".to_owned()),
                black_player: Some("Sonja Graf".to_owned()),
                ..NewGame::default()
            };
            arbiter.new_game(game, revision, reason).await
        }
        Command::Pause => arbiter.pause(None, revision, reason).await,
        Command::Resume => arbiter.resume(None, revision, reason).await,
        Command::AddTime => arbiter.add(Side::White, ADDED, revision, reason).await,
        Command::ChangeTimeControl => {
            let Control { name, file, .. } = other_control(&seen.time_control);
            arbiter.change_time_control(*name, *file, false, true, revision, reason).await
        }
        Command::Claim => {
            let by = Claimant::Player(seen.on_move.side().unwrap());
            let offer = OfferAnswer::Refused;
            arbiter.claim_draw(by, Ground::NoEffort, true, offer, revision, reason).await
        }
        Command::Rule(answer) => {
            let Answer { ruling, side, award_nsec, .. } = *answer;
            arbiter.rule(ruling.unwrap(), side, award_nsec, revision, reason).await
        }
        Command::Result => arbiter.result(Outcome::Drawn, revision, reason).await,
    }
}
