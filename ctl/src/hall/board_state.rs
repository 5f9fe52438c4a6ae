//! The state of one clock of many, read from the JSON that `clockctl` prints for a single clock.

use clockctl::times::clock;
use serde::Deserialize;

/// What is read of `status --json`, of a line of `watch --json`, or of the answer to a command.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct BoardState {
    pub phase: String,
    pub running: Option<String>,
    pub on_move: Option<String>,
    pub white: BoardSide,
    pub black: BoardSide,
    pub players: Players,
    pub result: Option<String>,
    pub arbiter_called_by: Option<String>,
    pub out_of_time: Both<bool>,
    pub notes: Both<Notes>,
    pub faults: Vec<BoardFault>,
    pub adjourned: Option<String>,
    pub questions: Vec<BoardQuestion>,
}

/// One side of a clock.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct BoardSide {
    pub remaining_ns: u64,
    pub moves: u32,
}

/// The players' names; empty if they are not known.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Players {
    pub white: String,
    pub black: String,
}

/// A value of each side.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Both<T> {
    pub white: T,
    pub black: T,
}

/// What the rules have noted of a player.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Notes {
    pub penalty_due: bool,
}

/// A fault of the clock.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct BoardFault {
    pub text: String,
}

/// Something that awaits an answer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct BoardQuestion {
    pub kind: String,
    pub side: Option<String>,
}

/// How urgently a board needs the arbiter. The most urgent comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// A ruling is awaited, or a player has called the arbiter.
    Awaited,
    /// Something is wrong with the clock.
    Fault,
    /// The arbiter may want to know: a flag has fallen, or a penalty is due.
    Notice,
    None,
}

impl BoardState {
    /// How urgently the board needs the arbiter, and what for.
    pub fn needs(&self) -> (Urgency, String) {
        let mut reasons = Vec::new();
        let mut urgency = Urgency::None;
        let mut needs = |level: Urgency, text: String| {
            urgency = urgency.min(level);
            reasons.push(text);
        };
        if let Some(caller) = &self.arbiter_called_by {
            needs(Urgency::Awaited, format!("called by {}", caller_of(caller)));
        }
        for question in &self.questions {
            needs(Urgency::Awaited, question.text());
        }
        for fault in &self.faults {
            needs(Urgency::Fault, format!("fault: {}", fault.text));
        }
        let sides = [("White", &self.notes.white), ("Black", &self.notes.black)];
        for (side, _) in sides.iter().filter(|(_, notes)| notes.penalty_due) {
            needs(Urgency::Notice, format!("penalty due: {side}"));
        }
        if self.questions.is_empty() && self.result.is_none() {
            let flags = [("White", self.out_of_time.white), ("Black", self.out_of_time.black)];
            for (side, _) in flags.iter().filter(|(_, is_out)| *is_out) {
                needs(Urgency::Notice, format!("flag: {side}"));
            }
        }
        (urgency, reasons.join("; "))
    }

    /// Whether `new` gives up a game on this clock, and therefore wants `--force`.
    pub fn has_game(&self) -> bool {
        self.adjourned.is_none() && matches!(self.phase.as_str(), "running" | "paused")
    }

    /// The phase, with the result where there is one.
    pub fn headline(&self) -> String {
        match (&self.adjourned, &self.result) {
            (Some(_), _) => "adjourned".to_owned(),
            (None, Some(result)) => result.clone(),
            (None, None) => self.phase.clone(),
        }
    }

    /// The state in a few words, as after a command: `running: White 1:29:58.1 (on move), Black …`.
    pub fn brief(&self) -> String {
        let side = |name: &str, word: &str, side: &BoardSide| {
            let is_on_move = self.phase != "over" && self.on_move.as_deref() == Some(word);
            let on_move = if is_on_move { " (on move)" } else { "" };
            format!("{name} {}{on_move}", clock(side.remaining_ns))
        };
        let white = side("White", "white", &self.white);
        let black = side("Black", "black", &self.black);
        format!("{}: {white}, {black}", self.headline())
    }
}

impl BoardQuestion {
    /// What is asked, in a few words.
    fn text(&self) -> String {
        let what = match self.kind.as_str() {
            "illegal-move" => "second illegal move",
            "claim" => "draw claim",
            "request" => "request for an increment",
            "flag-order" => "both flags down",
            "moves-made" => "flag: moves made?",
            "flag" => "flag",
            "stop" => "clocks stopped",
            "default" => "late player",
            "postponed-claim" => "postponed draw claim",
            other => other,
        };
        match &self.side {
            Some(side) => format!("{what} ({})", title(side)),
            None => what.to_owned(),
        }
    }
}

/// Who has called the arbiter: a side, or the call button that both players share.
fn caller_of(word: &str) -> String {
    if word == "button" { "the call button".to_owned() } else { title(word) }
}

/// The word of a side or of the arbiter with a capital letter.
fn title(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
