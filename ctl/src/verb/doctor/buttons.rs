//! `clockctl doctor --buttons`: asks for a press of each button and shows its edges.

use std::{io::IsTerminal, time::Duration};

use anyhow::Result;
use clock_dbus::{TestReadings, TestedBoard, TestedButton, TestedPress};
use serde::Serialize;
use tokio::time::{Instant, sleep};

use super::button_session::ButtonSession;
use super::remedy::remedy_for;
use crate::{
    doctor::{
        buttons::{self, Outcome, PATIENCE_SECONDS, PressJson},
        finding::{Finding, Verdict},
        is_fit,
        press::{Edge, Press, WIDTH},
    },
    failure::Failure,
    options::Options,
    out,
    text::plain,
};

/// How often the clock is asked for edges.
const INTERVAL: Duration = Duration::from_millis(50);
/// How long a button may stay down before the next one is asked for.
const LONGEST_HOLD: Duration = Duration::from_secs(5);
/// After how many presses of a wrong button the program asks once more.
const MISTAKES: usize = 1;

/// The findings for scripts.
#[derive(Serialize)]
struct ButtonsJson<'a> {
    /// The version of the form; `docs/schemas/doctor-buttons.schema.json` describes it.
    format: u32,
    /// Whether no finding is `unfit`.
    fit: bool,
    findings: &'a [Finding],
    presses: &'a [PressJson],
    /// How long a contact must stay closed to be a press.
    settle_ns: u64,
    /// How many edges and presses are missing, because they were not read in time.
    untraced: u64,
}

/// Asks for each button in turn. If one of them is unfit, the exit code is 8.
pub async fn run(options: &Options) -> Result<()> {
    let mut session = ButtonSession::begin(&options.target()).await?;
    let board = session.board.clone();
    let (mut findings, mut presses) = (Vec::new(), Vec::new());
    for button in board.buttons.iter().copied() {
        let outcome = ask(&mut session, button).await?;
        let finding = buttons::finding(button, &outcome, &board);
        if !options.quiet && !options.json {
            out::print(&text(&finding, &outcome, &board))?;
        }
        findings.push(finding);
        presses.push(PressJson::new(button, &outcome));
    }
    let untraced = session.untraced;
    session.end().await?;
    if options.json && !options.quiet {
        out::print_json(&ButtonsJson {
            format: 1,
            fit: is_fit(&findings),
            findings: &findings,
            presses: &presses,
            settle_ns: board.settle_nsec,
            untraced,
        })?;
    }
    let unfit = findings.iter().filter(|finding| finding.verdict == Verdict::Unfit);
    let unfit: Vec<&str> = unfit.map(|finding| finding.id).collect();
    match unfit.is_empty() {
        true => Ok(()),
        false => {
            let message = format!("the buttons are NOT fit for play: {}", unfit.join(", "));
            Err(Failure::NotInOrder(message).into())
        }
    }
}

fn text(finding: &Finding, outcome: &Outcome, board: &TestedBoard) -> String {
    let Finding { id, value, verdict, remedy, .. } = finding;
    let mut text = format!("{:7}  {id:12}  {}\n", verdict.as_str(), plain(value));
    if let Outcome::Pressed(press) | Outcome::Other(press) = outcome {
        text.push_str(&press.picture(board.settle_nsec, width()));
    }
    if let Some(remedy) = remedy {
        text.push_str(&format!("{:7}  {:12}  → {}\n", "", "", remedy_for(remedy)));
    }
    text
}

/// How many columns a picture may have: those of the terminal, if there is one.
fn width() -> u64 {
    let is_terminal = std::io::stdout().is_terminal();
    let size = is_terminal.then(crossterm::terminal::size).and_then(Result::ok);
    size.map_or(WIDTH, |(columns, _)| u64::from(columns).min(WIDTH))
}

/// The edges of the lines since a button was asked for.
#[derive(Default)]
struct Lines {
    edges: Vec<(TestedButton, Edge)>,
}

impl Lines {
    /// Takes what was read, and returns the first press in it.
    fn take(&mut self, readings: TestReadings) -> Option<TestedPress> {
        let edge = |edge: clock_dbus::TestedEdge| {
            (edge.button, Edge { at_nsec: edge.at_nsec, closed: edge.closed })
        };
        self.edges.extend(readings.edges.into_iter().map(edge));
        readings.presses.first().copied()
    }

    fn of(&self, button: TestedButton) -> Vec<Edge> {
        let its_own = self.edges.iter().filter(|(other, _)| *other == button);
        its_own.map(|(_, edge)| *edge).collect()
    }

    fn is_closed(&self, button: TestedButton) -> bool {
        self.of(button).last().is_some_and(|edge| edge.closed)
    }
}

/// Asks for a press of this button, and waits for it.
async fn ask(session: &mut ButtonSession, button: TestedButton) -> Result<Outcome, Failure> {
    let mut mistakes = 0;
    let mut lines = Lines::default();
    out::report(&format!("{}.\n", buttons::request(button, &session.board)));
    let mut deadline = Instant::now() + Duration::from_secs(PATIENCE_SECONDS);
    while Instant::now() < deadline {
        let Some(found) = lines.take(session.read(0).await?) else {
            sleep(INTERVAL).await;
            continue;
        };
        let TestedPress { button: moved, at_nsec, decided_nsec } = found;
        let press = Press::new(moved, at_nsec, decided_nsec, &lines.of(moved));
        wait_for_release(session, &mut lines, moved).await?;
        if moved == button {
            return Ok(Outcome::Pressed(press));
        }
        if mistakes == MISTAKES {
            return Ok(Outcome::Other(press));
        }
        mistakes += 1;
        if !session.board.is_rocker {
            let asked = buttons::request(button, &session.board);
            let moved = buttons::name(moved);
            out::report(&format!("The line of {moved} moved. {asked} once more.\n"));
        }
        deadline = Instant::now() + Duration::from_secs(PATIENCE_SECONDS);
    }
    let is_stuck = session.is_stuck(button).await?;
    Ok(Outcome::Silent { edges: lines.of(button).len(), is_stuck })
}

/// Waits until the button is up for the release time, so that its bounce is not taken for the next
/// press. A throw of a rocker stays down.
async fn wait_for_release(
    session: &mut ButtonSession,
    lines: &mut Lines,
    button: TestedButton,
) -> Result<(), Failure> {
    let release = Duration::from_nanos(session.board.release_nsec);
    let deadline = Instant::now() + LONGEST_HOLD;
    while !session.board.is_rocker && Instant::now() < deadline {
        let before = lines.of(button).len();
        sleep(release.max(INTERVAL)).await;
        lines.take(session.read(0).await?);
        if lines.of(button).len() == before && !lines.is_closed(button) {
            break;
        }
    }
    Ok(())
}
