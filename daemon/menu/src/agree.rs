//! Both players agree: each presses his own button once, in any order or at the same time.

use crate::context::Context;
use crate::effect::{MenuCommand, Proposal};
use crate::key::Press;
use crate::page::{self, PAGE_TURN, VISIBLE_LINES, turned};
use crate::words::of;
use clock_dbus::{MenuButton, MenuHint, MenuPage};
use clock_engine::{Instant, PerSide, Side, Span};

/// The number of the page on faces that show numbers only.
const NUMBER: u32 = 31;
/// How many lines have room beside the lines of the two players.
const BESIDE_PLAYERS: usize = VISIBLE_LINES - 2;

/// The command on which both players have to agree, and who has agreed.
#[derive(Clone, Debug)]
pub(crate) struct Agree {
    proposal: Proposal,
    /// When the page was shown.
    since: Instant,
    /// A press that began before this instant does not count: until then, all lines are shown,
    /// [`VISIBLE_LINES`] at a time, if they have no room beside the lines of the two players.
    begins: Instant,
    agreed: PerSide<bool>,
}

impl Agree {
    pub fn new(proposal: Proposal, since: Instant) -> Agree {
        let pages = match proposal.what.len() <= BESIDE_PLAYERS {
            true => 0,
            false => proposal.what.len().div_ceil(VISIBLE_LINES),
        };
        let reading = Span::from_nanos(PAGE_TURN.as_nanos().saturating_mul(pages as u64));
        let begins = since.checked_add(reading).unwrap_or(since);
        Agree { proposal, since, begins, agreed: PerSide::both(false) }
    }

    /// The page. If not all lines of what is agreed have room beside those of the two players, it
    /// first shows all of them, page by page; only then does it ask for the presses. Until then, the
    /// hints of the players have the seconds that are left.
    pub fn shown(&self, context: &Context) -> MenuPage {
        let words = context.words;
        let begins = self.begins;
        if context.now < begins {
            let lines = turned(&self.proposal.what, context.now.since(self.since), VISIBLE_LINES);
            let seconds = begins.since(context.now).as_nanos().div_ceil(1_000_000_000);
            let hints = hints(context, format!("({seconds} s)"));
            let page = page::new(NUMBER, words.access.both_agree, &lines, None);
            return page::with_hints(page, hints, "00");
        }
        let line = |side: Side| match self.agreed[side] {
            true => format!("{} ✓", words.side_name(side)),
            false => of(&words.access.press, side).to_owned(),
        };
        let mut lines = Side::BOTH.map(line).to_vec();
        lines.extend(turned(&self.proposal.what, context.now.since(begins), BESIDE_PLAYERS));
        let value: String =
            Side::BOTH.map(|side| if self.agreed[side] { '1' } else { '0' }).into_iter().collect();
        let page = page::new(NUMBER, words.access.both_agree, &lines, None);
        page::with_hints(page, hints(context, words.keys.agree.to_owned()), &value)
    }

    /// A press of the button that is wired as this player's agrees for the player who uses it. Returns
    /// the command if both have agreed.
    pub fn input(&mut self, context: &Context, press: Press, wired: Side) -> Option<&MenuCommand> {
        if press.key.is_some() && press.at >= self.begins {
            self.agreed[context.user(wired)] = true;
        }
        (self.agreed.white && self.agreed.black).then_some(&self.proposal.set)
    }
}

/// The hints of the page, with what the buttons of the players do.
fn hints(context: &Context, action: String) -> Vec<MenuHint> {
    let agree = |button| MenuHint { button: Some(button), action: action.clone() };
    let mut hints = vec![agree(MenuButton::White), agree(MenuButton::Black)];
    hints.extend(context.keys.call_hint(context.words.keys.back));
    hints.push(context.leave_hint());
    hints
}
