//! The first page while the clocks stand in a game.

use super::{PageState, start};
use crate::context::{Context, Need};
use crate::item::Item;
use clock_engine::rules::PenaltyKind;
use clock_engine::{Correction, Phase};

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let (situation, words) = (context.situation, context.words);
    let mut items = Vec::new();
    let mut add = |need, text: &str, page| items.extend(Item::guarded(context, need, text, page));
    if situation.questions.iter().next().is_some() {
        add(Need::Look, words.standing.awaits, PageState::Questions);
    }
    add(Need::Change, words.standing.result, PageState::Result);
    add(Need::Change, words.standing.correct, PageState::Correct(Correction::default()));
    add(Need::Change, words.standing.undo, PageState::Undo);
    if !situation.players_agree() {
        let has_penalties = situation.rules.is_some_and(|rules| {
            PenaltyKind::ALL.iter().any(|kind| kind.is_in(rules.profile.penalties))
        });
        if has_penalties {
            add(Need::Change, words.standing.penalties, PageState::Offender);
        }
        if situation.phase() == Phase::Paused {
            add(Need::Change, words.standing.resume, PageState::Resume);
        }
    }
    add(Need::NewGame, words.new_game.title, PageState::Players);
    items.extend(start::settings(context));
    (20, words.game.to_owned(), items)
}
