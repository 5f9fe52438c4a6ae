//! What the states of many clocks say to the arbiter, one by one and as a table.

use clock_dbus::{Phase, Question, QuestionKind, Side, State, Who};
use clockctl::times::clock;

use crate::text::{Column, name, plain, table};

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

/// How urgently the board needs the arbiter, and what for.
pub fn needs(state: &State) -> (Urgency, String) {
    let mut reasons = Vec::new();
    let mut urgency = Urgency::None;
    let mut needs = |level: Urgency, text: String| {
        urgency = urgency.min(level);
        reasons.push(text);
    };
    if state.arbiter_called_by != Who::Nobody {
        needs(Urgency::Awaited, format!("called by {}", name(state.arbiter_called_by)));
    }
    for question in &state.questions {
        needs(Urgency::Awaited, question_text(question));
    }
    for fault in &state.faults {
        needs(Urgency::Fault, format!("fault: {}", fault.text));
    }
    for side in Side::BOTH.into_iter().filter(|side| state.side(*side).penalty_due) {
        needs(Urgency::Notice, format!("penalty due: {}", side.name()));
    }
    if state.questions.is_empty() && state.result.is_empty() {
        for side in Side::BOTH.into_iter().filter(|side| state.side(*side).out_of_time) {
            needs(Urgency::Notice, format!("flag: {}", side.name()));
        }
    }
    (urgency, reasons.join("; "))
}

/// Whether `new` gives up a game on this clock, and therefore wants `--force`.
pub fn has_game(state: &State) -> bool {
    state.adjourned == Who::Nobody && matches!(state.phase, Phase::Running | Phase::Paused)
}

/// The phase, with the result where there is one.
pub fn headline(state: &State) -> String {
    match state.adjourned {
        Who::Nobody if state.result.is_empty() => state.phase.as_str().to_owned(),
        Who::Nobody => plain(&state.result),
        _ => "adjourned".to_owned(),
    }
}

/// The state in a few words, as after a command: `running: White 1:29:58.1 (on move), Black …`.
pub fn brief(state: &State) -> String {
    let [white, black] = Side::BOTH.map(|side| {
        let is_on_move = state.phase != Phase::Over && state.on_move == Who::from(side);
        let on_move = if is_on_move { " (on move)" } else { "" };
        format!("{} {}{on_move}", side.name(), clock(state.side(side).remaining_nsec))
    });
    format!("{}: {white}, {black}", headline(state))
}

/// What is asked, in a few words.
fn question_text(question: &Question) -> String {
    let what = match question.kind {
        Some(QuestionKind::IllegalMove) => "second illegal move",
        Some(QuestionKind::Claim) => "draw claim",
        Some(QuestionKind::Request) => "request for an increment",
        Some(QuestionKind::FlagOrder) => "both flags down",
        Some(QuestionKind::MovesMade) => "flag: moves made?",
        Some(QuestionKind::Flag) => "flag",
        Some(QuestionKind::Stop) => "clocks stopped",
        Some(QuestionKind::Default) => "late player",
        Some(QuestionKind::PostponedClaim) => "postponed draw claim",
        None => "question of a later version",
    };
    match question.side {
        Who::Nobody => what.to_owned(),
        side => format!("{what} ({})", name(side)),
    }
}

/// The table of the boards, each with its index, its name and its state, or why it did not answer.
/// The boards that need the arbiter are on top, in the order of urgency.
pub fn table_of(mut boards: Vec<(usize, String, Result<State, String>)>) -> String {
    let urgency = |state: &Result<State, String>| state.as_ref().ok().map(|state| needs(state).0);
    // A board that does not answer comes before one that needs nothing.
    boards.sort_by_key(|(index, _, state)| (urgency(state).unwrap_or(Urgency::Fault), *index));
    let cells = |cell: &dyn Fn(&State) -> String| -> Vec<String> {
        let states = boards.iter().map(|(_, _, state)| state.as_ref());
        states.map(|state| state.map(cell).unwrap_or_default()).collect()
    };
    let or_failure = |cell: &dyn Fn(&State) -> String, failure: &dyn Fn(&str) -> String| {
        let cells = boards.iter().map(|(_, _, state)| match state {
            Ok(state) => cell(state),
            Err(why) => failure(why),
        });
        cells.collect::<Vec<_>>()
    };
    let time = |state: &State, side: Side| {
        let mark = if state.running.side() == Some(side) { "▶ " } else { "" };
        format!("{mark}{}", clock(state.side(side).remaining_nsec))
    };
    table(&[
        Column::left("board", boards.iter().map(|(_, name, _)| plain(name)).collect::<Vec<_>>()),
        Column::left("state", or_failure(&headline, &|_| "no answer".to_owned())),
        Column::right("White", cells(&|state| time(state, Side::White))),
        Column::right("Black", cells(&|state| time(state, Side::Black))),
        Column::right(
            "moves",
            cells(&|state| state.white.moves.max(state.black.moves).to_string()),
        ),
        Column::left("arbiter", or_failure(&|state| plain(&needs(state).1), &plain)),
        Column::left(
            "players",
            cells(&|state| match (&*state.white.player, &*state.black.player) {
                ("", "") => String::new(),
                (white, black) => plain(&format!("{white} - {black}")),
            }),
        ),
    ])
}
