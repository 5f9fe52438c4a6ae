//! The penalties of the profile: the offender, and the penalty with its amount.

use crate::access::Need;
use crate::context::Context;
use crate::effect::Proposal;
use crate::list::{Item, List, PageState};
use crate::words::{face_time, of};
use clock_engine::rules::{Action, Penalty, PenaltyAmount, PenaltyKind};
use clock_engine::{Side, Span};

/// The offered times of a penalty. `clockctl penalize` gives another one.
const TIMES: [Span; 2] = [Span::from_secs(120), Span::from_secs(60)];

/// The line of the penalties, if the profile has some.
pub(super) fn item(context: &Context) -> Option<Item> {
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
