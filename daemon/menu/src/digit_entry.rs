//! The page on which the digits of a value are entered.

use crate::digits::Digits;
use crate::list::{Item, KeyActions, LineAction, List, PageState};
use std::sync::Arc;

/// Enter these digits on a page with this title. With the value, the page below is replaced by the one
/// that `page` makes.
pub(crate) fn enter(
    title: &str,
    digits: Digits,
    page: impl Fn(u64) -> PageState + Send + Sync + 'static,
) -> LineAction {
    LineAction::open(entry(title.into(), digits, Arc::new(page)))
}

fn entry(
    title: Arc<str>,
    digits: Digits,
    page: Arc<dyn Fn(u64) -> PageState + Send + Sync>,
) -> PageState {
    PageState::list(move |context| {
        let entry =
            |digits| LineAction::Replace(Box::new(entry(title.clone(), digits, page.clone())));
        let choose = match digits.next() {
            Some(next) => entry(next),
            None => LineAction::Enter(digits.value().map(|value| Box::new(page(value)))),
        };
        let words = context.words;
        let before = words.correction.before.with([&digits.before()]);
        let items = vec![Item::info(digits.marked()).with_value(digits.text()), Item::info(before)];
        let hints = context.hints_of(["−", "+", words.keys.next], words.keys.leave);
        let (back, on) = (entry(digits.turned(false)), entry(digits.turned(true)));
        List::new(33, &*title, items).keyed(KeyActions { back, on, choose, hints })
    })
}
