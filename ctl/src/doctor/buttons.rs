//! Judges the presses of `clockctl doctor --buttons`, which asks for one press of each button.

use clock_dbus::{TestedBoard, TestedButton};
use serde::Serialize;

use super::finding::{Finding, Verdict};
use super::press::Press;
use clockctl::times::millis;

/// How long the program waits for a press, in seconds.
pub const PATIENCE_SECONDS: u64 = 15;
/// A contact that bounces for longer than this should be replaced: each of its presses is decided
/// so much later.
const LONG_BOUNCE_NSEC: u64 = 10_000_000;

/// What came of the request to press a button.
pub enum Outcome {
    /// The button was pressed.
    Pressed(Press),
    /// Another button was pressed, and once more after the second request. This is its last press.
    Other(Press),
    /// No press was decided. `edges` is the number of edges of the button's line, and `is_stuck`
    /// says whether its contact is closed all the time.
    Silent { edges: usize, is_stuck: bool },
}

/// The button in words.
pub fn name(button: TestedButton) -> &'static str {
    match button {
        TestedButton::White => "White's button",
        TestedButton::Black => "Black's button",
        TestedButton::Call => "the call button",
    }
}

/// The request to press the button.
pub fn request(button: TestedButton, board: &TestedBoard) -> String {
    match (button, board.is_rocker) {
        (TestedButton::White, true) => {
            "Push the rocker away from White's side, and back to it".to_owned()
        }
        (TestedButton::Black, true) => {
            "Push the rocker away from Black's side, and back to it".to_owned()
        }
        _ => format!("Press {} and let it go", name(button)),
    }
}

/// The edges and the times of a press in one line.
pub fn described(press: &Press) -> String {
    let decided = millis(press.decided_after_nsec());
    match press.edges().count() {
        0 | 1 => format!("1 edge, no bounce; decided after {decided}"),
        edges => {
            let bounce = millis(press.bounce_nsec());
            format!("{edges} edges in {bounce}; decided after {decided}")
        }
    }
}

/// What follows from the outcome for this button.
pub fn finding(button: TestedButton, outcome: &Outcome, board: &TestedBoard) -> Finding {
    let id = match button {
        TestedButton::White => "white-button",
        TestedButton::Black => "black-button",
        TestedButton::Call => "call-button",
    };
    let finding = |verdict, value| Finding::new(id, name(button), verdict, value);
    match outcome {
        Outcome::Pressed(press) if press.bounce_nsec() > LONG_BOUNCE_NSEC => {
            finding(Verdict::Warning, described(press))
                .with_remedy("a loose wire or a worn contact; docs/debounce.md")
        }
        Outcome::Pressed(press) => finding(Verdict::Fit, described(press)),
        Outcome::Other(press) => {
            finding(Verdict::Unfit, format!("the line of {} moved", name(press.button)))
                .with_remedy("exchange the wires, or the lines in the wiring file; docs/wiring.md")
        }
        Outcome::Silent { is_stuck: true, .. } => {
            finding(Verdict::Unfit, "the contact is closed all the time".to_owned()).with_remedy(
                "a button that jams, or a wire that touches ground; without the wire the line must \
                 be open; docs/wiring.md",
            )
        }
        Outcome::Silent { edges: 0, .. } => {
            finding(Verdict::Unfit, format!("no edge in {PATIENCE_SECONDS} s")).with_remedy(
                "the wires to the line and to ground, and the line's number; on the clock itself: \
                 gpioinfo | grep clockd; docs/wiring.md",
            )
        }
        Outcome::Silent { edges, .. } => {
            let settle = millis(board.settle_nsec);
            let edges = if *edges == 1 { "1 edge" } else { &format!("{edges} edges") };
            let value = format!("{edges}, but the contact never stayed closed for {settle}");
            finding(Verdict::Unfit, value)
                .with_remedy("a loose wire, or a line without its pull-up; docs/wiring.md")
        }
    }
}

/// An edge for scripts.
#[derive(Serialize)]
struct EdgeJson {
    after_ns: u64,
    closed: bool,
}

/// A press for scripts.
#[derive(Serialize)]
pub struct PressJson {
    asked_for: &'static str,
    moved: Option<&'static str>,
    bounce_ns: Option<u64>,
    decided_after_ns: Option<u64>,
    edges: Vec<EdgeJson>,
}

impl PressJson {
    pub fn new(button: TestedButton, outcome: &Outcome) -> PressJson {
        let press = match outcome {
            Outcome::Pressed(press) | Outcome::Other(press) => Some(press),
            Outcome::Silent { .. } => None,
        };
        let edge = |(after_ns, closed)| EdgeJson { after_ns, closed };
        PressJson {
            asked_for: button.as_str(),
            moved: press.map(|press| press.button.as_str()),
            bounce_ns: press.map(Press::bounce_nsec),
            decided_after_ns: press.map(Press::decided_after_nsec),
            edges: press.into_iter().flat_map(Press::edges).map(edge).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::press::Edge;
    use super::*;

    fn press(button: TestedButton, last: u64) -> Press {
        let edges = [Edge { at_nsec: 7, closed: true }, Edge { at_nsec: 7 + last, closed: true }];
        Press::new(button, 7, 7 + last + 1_100_000, &edges)
    }

    #[test]
    fn each_outcome_has_its_verdict_and_its_remedy() {
        let board = TestedBoard { settle_nsec: 1_000_000, ..TestedBoard::default() };
        for (outcome, verdict, value, remedy) in [
            (
                Outcome::Pressed(press(TestedButton::White, 2_314_000)),
                Verdict::Fit,
                "2 edges in 2.314 ms; decided after 3.414 ms",
                "",
            ),
            (
                Outcome::Pressed(press(TestedButton::White, 10_000_001)),
                Verdict::Warning,
                "2 edges in 10",
                "docs/debounce.md",
            ),
            (
                Outcome::Other(press(TestedButton::Black, 1)),
                Verdict::Unfit,
                "the line of Black's button moved",
                "exchange the wires",
            ),
            (
                Outcome::Silent { edges: 0, is_stuck: false },
                Verdict::Unfit,
                "no edge in 15 s",
                "ground",
            ),
            (
                Outcome::Silent { edges: 0, is_stuck: true },
                Verdict::Unfit,
                "the contact is closed all the time",
                "jams",
            ),
            (
                Outcome::Silent { edges: 1, is_stuck: false },
                Verdict::Unfit,
                "1 edge, but the contact never",
                "pull-up",
            ),
            (
                Outcome::Silent { edges: 3, is_stuck: false },
                Verdict::Unfit,
                "3 edges, but the contact never stayed closed for 1.000 ms",
                "pull-up",
            ),
        ] {
            let found = finding(TestedButton::White, &outcome, &board);
            assert_eq!(found.verdict, verdict, "{found:?}");
            assert!(found.value.starts_with(value), "{found:?}");
            assert!(found.remedy.unwrap_or_default().contains(remedy), "{value}");
        }
    }
}
