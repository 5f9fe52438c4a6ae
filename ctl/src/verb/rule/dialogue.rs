//! The dialogue of `clockctl rule`, without a terminal: keys come in, pages of text come out.
//!
//! One key chooses a ruling and shows what it does; Enter confirms it. If the clock changes after a
//! ruling was chosen, the choice is dropped and the dialogue asks again. So Enter never confirms a
//! ruling for a state of the clock that the arbiter has not seen.

use clock_dbus::{Question, QuestionKind, Side, State};
use clock_engine::text::{Guidance, Situation};

use crate::rulings::{self, AllowedRuling};
use crate::text::{self, Column, questions};

/// A key that the arbiter has pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Enter,
    /// Backspace: back to the list.
    Back,
    /// Escape, Ctrl-C or Ctrl-D.
    Leave,
}

/// What follows a key or a change of the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The page is shown, and the next key awaited.
    Ask,
    /// The dialogue ends, and nothing is sent.
    Leave,
    /// The arbiter has confirmed this ruling for this revision of the clock.
    Send { ruling: AllowedRuling, revision: u64 },
    /// Nothing awaits a ruling any more.
    Settled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Choosing,
    /// The ruling with this index was chosen.
    Confirming(usize),
}

/// The dialogue.
#[derive(Clone, Debug)]
pub struct Dialogue {
    state: State,
    guidance: Guidance,
    allowed: Vec<AllowedRuling>,
    stage: Stage,
    notice: Option<&'static str>,
}

const NO_RULING: &str = "This key chooses no ruling.";
const CHANGED: &str = "The clock has changed. Look at it and choose again.";

impl Dialogue {
    /// Begins a dialogue about this state of the clock. `guidance` has the texts of the clock's
    /// rule profile.
    pub fn new(state: State, guidance: Guidance) -> Dialogue {
        let allowed = rulings::allowed(&state);
        Dialogue { state, guidance, allowed, stage: Stage::Choosing, notice: None }
    }

    /// The latest state. Its times are those of its own instant, `at_nsec`.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes a key.
    pub fn press(&mut self, key: Key) -> Next {
        match (key, self.stage) {
            (Key::Leave | Key::Char('q'), _) => return Next::Leave,
            (Key::Back, _) => self.stage = Stage::Choosing,
            (Key::Enter, Stage::Confirming(index)) => {
                let ruling = self.allowed[index].clone();
                return Next::Send { ruling, revision: self.state.revision };
            }
            (Key::Enter, Stage::Choosing) => {}
            (Key::Char(typed), _) => {
                if let Some(index) = self.allowed.iter().position(|ruling| ruling.key == typed) {
                    self.stage = Stage::Confirming(index);
                    self.notice = None;
                } else {
                    self.notice = Some(NO_RULING);
                }
            }
        }
        Next::Ask
    }

    /// Whether a ruling is chosen, so that Enter gives it.
    pub fn is_confirming(&self) -> bool {
        matches!(self.stage, Stage::Confirming(_))
    }

    /// Takes a new state of the clock.
    pub fn update(&mut self, state: State) -> Next {
        let allowed = rulings::allowed(&state);
        let expected = rulings::allowed(&self.state.at(state.at_nsec));
        if state.revision != self.state.revision || allowed != expected {
            self.ask_again();
        }
        (self.state, self.allowed) = (state, allowed);
        if self.state.questions.is_empty() { Next::Settled } else { Next::Ask }
    }

    /// Drops the choice because the clock has changed, or has refused the ruling because of a
    /// change.
    pub fn ask_again(&mut self) {
        self.stage = Stage::Choosing;
        self.notice = Some(CHANGED);
    }

    /// Takes the texts of another rule profile.
    pub fn set_guidance(&mut self, guidance: Guidance) {
        self.guidance = guidance;
    }

    /// What the terminal shows at `now_nsec` of the clock's machine. The texts of the rule profile
    /// are broken into lines of at most `width` characters. The least important lines come last,
    /// because a terminal with few rows does not show them.
    pub fn page(&self, now_nsec: u64, width: usize) -> String {
        let state = self.state.at(now_nsec);
        let allowed_now = rulings::allowed(&state);
        // The ruling with what it does now. It keeps the key that it had in the list.
        let at_now = |ruling: &AllowedRuling| {
            let now = allowed_now.iter().find(|now| now.is(&ruling.answer))?;
            Some(AllowedRuling { answer: now.answer.clone(), ..ruling.clone() })
        };
        let chosen = match self.stage {
            Stage::Choosing => None,
            Stage::Confirming(index) => Some(at_now(&self.allowed[index])),
        };
        // The clock refuses a chosen ruling that has ceased to be allowed.
        let notice = if chosen == Some(None) { Some(CHANGED) } else { self.notice };
        let notice = notice.map(|notice| format!("{notice}\n\n")).unwrap_or_default();
        notice
            + &match chosen.flatten() {
                Some(chosen) => confirmation(&state, &chosen),
                None => {
                    let allowed: Vec<_> = self.allowed.iter().filter_map(at_now).collect();
                    self.list(&state, &allowed, width)
                }
            }
    }

    fn list(&self, state: &State, allowed: &[AllowedRuling], width: usize) -> String {
        let mut page = String::new();
        let mut guidance = Vec::new();
        for (index, question) in state.questions.iter().enumerate() {
            let waiting = questions::waiting(question, state.at_nsec);
            page.push_str(&format!("{} ({waiting} ago)\n", questions::question(state, question)));
            let of_this: Vec<&AllowedRuling> =
                allowed.iter().filter(|ruling| ruling.question == index).collect();
            if !of_this.is_empty() {
                page.push_str(&questions::rulings(state, &of_this, |ruling| {
                    format!(" {}", ruling.key)
                }));
            }
            page.push('\n');
            let text = self.guidance.get(situation(question));
            if let Some(text) = text.filter(|text| !guidance.contains(text)) {
                guidance.push(text);
            }
        }
        let keys = if allowed.is_empty() { "q: leave" } else { "a key: choose   q: leave" };
        page.push_str(&format!("{keys}\n"));
        for text in guidance {
            page.push_str(&format!("\n{}", wrapped(text, width)));
        }
        page
    }
}

/// What the chosen ruling does, and how it is confirmed.
fn confirmation(state: &State, chosen: &AllowedRuling) -> String {
    let question = &state.questions[chosen.question];
    let before = Side::BOTH.map(|side| state.side(side).remaining_nsec);
    let deltas = [chosen.answer.white_delta_nsec, chosen.answer.black_delta_nsec];
    let after = |at: usize| before[at].saturating_add_signed(deltas[at]);
    let table = text::table(&[
        Column::left("", Side::BOTH.map(|side| format!("  {}", side.name()))),
        Column::right("before", before.map(text::clock)),
        Column::right("after", [0, 1].map(after).map(text::clock)),
    ]);
    format!(
        "{}\n\n{}: {}\n{table}  then {}\n\nEnter: confirm   Backspace: back   q: leave\n",
        questions::question(state, question),
        questions::label(&chosen.answer),
        questions::meaning(&chosen.answer),
        questions::then(&chosen.answer),
    )
}

/// Which text of the rule profile helps with a question.
fn situation(question: &Question) -> Situation {
    match question.kind {
        QuestionKind::IllegalMove => Situation::IllegalMove,
        QuestionKind::Claim | QuestionKind::PostponedClaim => Situation::Claim,
        QuestionKind::Request => Situation::Request,
        QuestionKind::FlagOrder => Situation::FlagOrder,
        QuestionKind::MovesMade | QuestionKind::Flag => Situation::Flag,
        QuestionKind::Stop => Situation::Stop,
        QuestionKind::Default => Situation::Default,
    }
}

/// The words of a text in lines of at most `width` characters; a longer word has a line of its own.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let word = text::plain(word);
        let last = lines.last_mut().expect("there is a first line");
        if last.is_empty() {
            *last = word;
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            last.push_str(&format!(" {word}"));
        } else {
            lines.push(word);
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests;
