//! What awaits an answer, the answers that the rules allow, and what each does; and the penalties of the
//! profile: the offender, and the penalty with its amount.

use crate::access::{Gate, Need};
use crate::context::Context;
use crate::effect::Proposal;
use crate::list::{Item, List, PageState};
use crate::words::{change, face_time, of};
use clock_engine::rules::{Action, Answer, Penalty, PenaltyAmount, PenaltyKind, QuestionKind};
use clock_engine::{Side, Span};

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

/// The offered times of a penalty. `clockctl penalize` gives another one.
const TIMES: [Span; 2] = [Span::from_secs(120), Span::from_secs(60)];

/// The line of the penalties, if the profile has some.
pub(super) fn penalties_item(context: &Context) -> Option<Item> {
    let title = context.words.standing.penalties;
    let item = Item::guarded(context, Need::Change, title, PageState::list(offender));
    item.filter(|_| kinds(context).next().is_some())
}

fn kinds<'a>(context: &'a Context) -> impl Iterator<Item = PenaltyKind> + use<'a> {
    let allowed = context.situation.rules.map(|rules| rules.profile.penalties);
    let kinds = PenaltyKind::ALL.iter().copied();
    kinds.filter(move |kind| allowed.is_some_and(|allowed| kind.is_in(allowed)))
}

fn offender(context: &Context) -> List {
    let words = context.words;
    let item = |side: Side| {
        let page = PageState::list(move |context| penalties(context, side));
        Item::open(words.side_name(side), page)
    };
    List::with_back(context, 25, words.penalties.who, Side::BOTH.map(item).into())
}

fn penalties(context: &Context, side: Side) -> List {
    let items = kinds(context).flat_map(|kind| of_kind(context, side, kind)).collect();
    List::with_back(context, 26, of(&context.words.penalties.of, side), items)
}

/// A line for each amount of this penalty.
fn of_kind(context: &Context, side: Side, kind: PenaltyKind) -> Vec<Item> {
    let (words, name) = (context.words, context.words.penalty(kind));
    let item = |text: String, time, half_points| {
        let penalty = Penalty { side, kind, time, half_points, cause: None };
        let set = context.command(Action::Penalize(penalty).into());
        let offender = of(&words.penalties.offender, side).to_owned();
        Proposal::new(&text, vec![offender], set).item(context, text)
    };
    match kind.amount() {
        None => vec![item(name.to_owned(), Span::ZERO, 0)],
        Some(PenaltyAmount::Time) => {
            TIMES.map(|time| item(format!("{name} {}", face_time(time)), time, 0)).into()
        }
        Some(PenaltyAmount::OffenderPoints | PenaltyAmount::OpponentPoints) => {
            let text = |points| format!("{name}{}{points}", words.colon());
            vec![item(text('½'), Span::ZERO, 1), item(text('1'), Span::ZERO, 2)]
        }
    }
}
