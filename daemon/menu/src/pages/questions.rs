//! What awaits an answer, the answers that the rules allow, and what each does.

use crate::access::{Gate, Need};
use crate::context::Context;
use crate::effect::Proposal;
use crate::list::{Item, List, PageState};
use crate::words::change;
use clock_engine::Side;
use clock_engine::rules::{Answer, QuestionKind};

pub(super) fn list(context: &Context) -> List {
    let words = context.words;
    let open = context.situation.questions.iter().map(|(question, _)| {
        let (kind, side) = (question.kind, question.side);
        let page = PageState::list(move |context| answers(context, kind, side));
        Item::open(words.question(&question), page)
    });
    List::with_back(context, 23, words.standing.awaits, open.collect())
}

fn answers(context: &Context, kind: QuestionKind, side: Option<Side>) -> List {
    let words = context.words;
    let mut open = context.situation.questions.iter();
    let found = open.find(|(question, _)| question.kind == kind && question.side == side);
    let Some((question, answers)) = found else {
        return List::with_back(context, 24, words.standing.nothing_awaits, Vec::new());
    };
    let items = answers.map(|answer| item(context, &answer)).collect();
    List::with_back(context, 24, words.question(&question), items)
}

/// The line of an answer. It opens a page with the effects of the answer, unless nobody here may
/// give it.
fn item(context: &Context, answer: &Answer) -> Item {
    let words = context.words;
    let Answer { ruling, side, award: _, phase, outcome, delta_ns } = answer;
    let mut effect = vec![words.phase(*phase).to_owned()];
    effect.extend(outcome.map(|outcome| words.outcome(outcome).to_owned()));
    for side in Side::BOTH {
        if delta_ns[side] != 0 {
            effect.push(format!("{} {}", words.side_name(side), change(delta_ns[side])));
        }
    }
    let set = context.command(answer.action().into());
    let said = words.answer(*ruling, *side);
    let mut text = said.to_owned();
    // Two answers can differ only in the award, so the line shows the awarded time.
    if let Some(side) = Side::BOTH.into_iter().find(|side| delta_ns[*side] != 0) {
        text = format!("{text} {}", change(delta_ns[side]));
    }
    if context.gate(Need::Change) == Gate::Closed {
        return Item::info(text);
    }
    Proposal::new(said, effect, set).item(context, text)
}
