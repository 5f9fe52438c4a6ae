//! The menu at the clock, as far as the clock loop knows it: how it is opened, and that the presses
//! go to the menu while it is open. Its pages are policy outside the loop.
//!
//! # Opening
//!
//! A long press opens the menu: a press of the call button or, with two buttons for the players, the
//! presses of both together. Both clocks must stand. The press must last for [`MenuOpening::hold`],
//! and the menu opens at the release, if that follows within [`RELEASE_WITHIN`]. So neither a stuck
//! button nor a hand that was left lying opens it. From [`SHOWN_AFTER`] on, the face shows how much
//! of the hold has passed.
//!
//! A press that could become a long press, alone or with one of the other player, is a *deferred
//! press*: it is decided when it is released, and at the latest after `hold`, or after [`TOGETHER`]
//! if it is the press of one player alone.
//!
//! - If it is released before `hold`, it becomes an input of the game with its own stamp, as if
//!   there were no menu. In unsupervised play ([`Game::is_unsupervised`]), a press that the face
//!   has shown ([`MenuEvent::HoldBegan`]) never becomes an input, so that players who let go when they see the bar
//!   start no clock.
//! - If any other input of the game with a later stamp is to be decided, the deferred press is
//!   decided before it, as a short press. So it delays nothing, and the order of the stamps
//!   remains. A command that is refused is such an input, too: the engine has handled the instant
//!   of the command, so after it, a press with an earlier stamp would be late.
//! - If it lasts for `hold`, it belongs to the menu and never becomes an input of the game. For the
//!   buttons of both players, this includes [`Input::Hold`](super::Input::Hold). There is one
//!   exception: if [`MenuRequest::MayOpen`] forbids the menu before it opens, a long press of the
//!   call button is a call with its own stamp, unless an input with a later stamp was decided or
//!   the play is unsupervised. Two buttons that were held are no presses even then, because they
//!   could start a clock.
//!
//! Players hold their two buttons in any order, and the first press alone could start a clock. So
//! each press of a player is deferred:
//!
//! - Alone, it is decided at its release, and after [`TOGETHER`] at the latest. So a finger that is
//!   left on the button does not delay the start of a clock for longer, and the other player's answer
//!   to the press is no part of a hold.
//! - If the other player's button is pressed while it is down, both presses wait together. If one
//!   of them is released before the later press has lasted for `hold`, they are decided in the
//!   order of their stamps, or are no inputs if the bar was shown in unsupervised play. If both
//!   last for `hold`, neither is an input.
//! - A press that was decided after [`TOGETHER`] and is still down opens the menu with a later press
//!   of the other player while the clocks stand, if that follows within [`RELEASE_WITHIN`], and if the
//!   first press did nothing: one that starts the game or confirms that it goes on is answered by
//!   the later press.
//!
//! During the countdown after which the game goes on, no press is deferred. A press of the call
//! button ends the countdown at its first edge, as it would stop a running clock.
//!
//! A release is dated at the last edge of the press. It counts when the contact has stayed open for
//! the release time R, because a contact that bounces has not been released.
//!
//! # The open menu
//!
//! No press becomes an input of the game. Each press is reported once: when it is released, or when
//! it has lasted for `hold`. While a player's button is down, repetitions are reported, too, for at
//! most [`RELEASE_WITHIN`]: a button that is stuck must not keep the menu open. A button that is down
//! when the menu closes counts as held: it must be released before its next press counts. A running
//! clock and an open menu exclude each other.
//!
//! Where both players' buttons together leave the menu, two presses that overlap for [`TOGETHER`] are
//! meant so, even if they are released too early: neither is reported. Two presses that overlap
//! never repeat, not even the one that lasts longer.
//!
//! The program leaves the menu at an instant of its own, and [`MenuRequest::Close`] reaches the
//! loop later. A press that begins between these two instants is taken by the menu, because the
//! loop does not know the request yet. If such a press was already reported when the request
//! arrives, it remains the menu's. If not, it is one of the game, with its own stamp, unless an
//! input of the game with a later stamp was decided in the meantime (for example a command of the
//! menu).
//!
//! # The test of the buttons
//!
//! [`MenuRequest::Test`] gives the buttons to a test instead of to a page. It is allowed only
//! between games ([`Phase::Ready`](clock_engine::Phase::Ready) and
//! [`Phase::Over`](clock_engine::Phase::Over)) and while the menu is closed. The test is a menu that
//! no press has opened: each press is reported once, when it is decided
//! ([`MenuEvent::TestPress`]), and everything that closes the menu ends the test.
//!
//! # Replay
//!
//! All of this happens before the inputs of the game are made. So neither the
//! [`VersionedClock`](super::VersionedClock) nor the retained memory nor the record contains
//! anything of the menu, with one exception: a rocker that was pushed in the menu has another
//! position, on which a resume depends. [`Input::RockerFound`](super::Input::RockerFound) contains
//! this position, and no single push.
//!
//! A process that is killed while a press is deferred has not decided it. A button that is down at
//! the start is held and opens nothing.
//!
//! [`Game::is_unsupervised`]: clock_engine::rules::Game::is_unsupervised

mod deferral;
mod due;
mod state;
mod steps;

pub use deferral::{Deferred, plus};
pub use state::MenuState;
pub use steps::InputFacts;

use crate::Button;
use clock_engine::{Instant, Span};

/// A long press opens the menu if it is released at most this long after [`MenuOpening::hold`].
/// Also: of two buttons that are held together, the second must be pressed at most this long after
/// the first.
pub const RELEASE_WITHIN: Span = Span::from_secs(10);
/// The menu closes this long after the latest acknowledgement of the program that shows it
/// ([`MenuRequest::Acknowledge`]), or after its opening if there was none. The loop does so itself,
/// so that a program that has failed cannot keep the buttons, whatever is pressed.
pub const MENU_TIMEOUT: Span = Span::from_secs(30);

/// If the presses of both players overlap for at least this long, the players hold both buttons
/// on purpose, and neither press is one of its own. Also: for how long the press of one player alone
/// is deferred while both clocks stand.
const TOGETHER: Span = Span::from_nanos(600_000_000);

/// A player's button that is held in the open menu repeats: the first time after the first span,
/// and then each time after the second one.
const REPEATS: (Span, Span) = (Span::from_nanos(600_000_000), Span::from_nanos(150_000_000));

/// A press that can open the menu is reported after this time ([`MenuEvent::HoldBegan`]).
pub const SHOWN_AFTER: Span = Span::from_nanos(300_000_000);

/// How the menu is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MenuOpening {
    hold: Span,
}

impl MenuOpening {
    /// The shortest and the longest hold that are accepted. A button counts as stuck after 10 s.
    pub const HOLDS: (Span, Span) = (Span::from_secs(1), Span::from_secs(8));

    /// A menu that is opened by a press of this length; `None` if the length is not within
    /// [`MenuOpening::HOLDS`].
    pub const fn new(hold: Span) -> Option<MenuOpening> {
        let (shortest, longest) = MenuOpening::HOLDS;
        let nanos = hold.as_nanos();
        match shortest.as_nanos() <= nanos && nanos <= longest.as_nanos() {
            true => Some(MenuOpening { hold }),
            false => None,
        }
    }

    /// How long a press must last to open the menu, and to be a long press in the menu.
    pub fn hold(self) -> Span {
        self.hold
    }
}

impl Default for MenuOpening {
    /// A hold of 1.5 s.
    fn default() -> MenuOpening {
        MenuOpening { hold: Span::from_nanos(1_500_000_000) }
    }
}

/// What the program that shows the menu tells the loop, with
/// [`LoopCore::menu_request`](super::LoopCore::menu_request).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuRequest {
    /// Whether the menu may open. It may not before the first of these requests. While it may not,
    /// every press is decided at once. `MayOpen(false)` does not close an open menu. If
    /// `MayOpen(false)` comes after [`MenuEvent::Hold`] and before the menu opens, a long press of
    /// the call button becomes a call, unless nobody can be called.
    MayOpen(bool),
    /// The menu is left at this instant. Presses that began before it still belong to the menu. So
    /// does a later press that was already reported when this request arrives. Without an effect
    /// if the menu is neither open nor about to open.
    Close(Instant),
    /// The program has handled everything up to this instant, which is not later than now. The
    /// program gives this after each [`MenuEvent::Opened`], [`MenuEvent::Press`] and
    /// [`MenuEvent::Repeat`] that it has handled, and after the answers to the commands that it
    /// gave. Without an effect if the menu is not open. See [`MENU_TIMEOUT`].
    Acknowledge(Instant),
    /// The command with this [`Request::id`](super::Request::id) comes from the menu. So it does
    /// not close the menu when it is accepted, unless it starts a clock. This request must be given
    /// before the command.
    Command(u64),
    /// A wrong arbiter's code was entered at this instant. It becomes an
    /// [`Input::WrongCode`](super::Input::WrongCode),
    /// so that the record has it.
    WrongCode(Instant),
    /// The test of the buttons begins at this instant. Either [`MenuEvent::TestBegan`] or
    /// [`MenuEvent::TestRefused`] follows. The test ends like an open menu: with
    /// [`MenuRequest::Close`], without an acknowledgement for [`MENU_TIMEOUT`], or for another
    /// reason of [`MenuClosed`]. It also works on a board on which no press opens a menu.
    Test(Instant),
    /// Presses that are stamped before this instant belong to the test of the buttons, even if a
    /// command ends the test in the meantime. A program that makes presses asks for this before it
    /// makes one, so that no such press is one of a game. The latest request of this kind counts.
    Keep(Instant),
}

/// What the loop tells the program that shows the menu, through
/// [`Output::menu`](super::Output::menu).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuEvent {
    /// A press with this stamp, or the later one of two that are held together, has lasted for
    /// [`SHOWN_AFTER`] and can open the menu. Either [`MenuEvent::HoldEnded`] or
    /// [`MenuEvent::Hold`] follows.
    HoldBegan(Instant),
    /// The press was released before the hold was over, or was decided for another reason. In
    /// unsupervised play it is no input of the game.
    HoldEnded,
    /// A long press has lasted for the hold at this instant. The menu opens if the press is now
    /// released within [`RELEASE_WITHIN`]. Either [`MenuEvent::Opened`] or [`MenuEvent::Closed`]
    /// follows.
    Hold(Instant),
    /// The menu is open. If two buttons were held together, the release is that of the one that was
    /// released first.
    ///
    /// A press counts in the menu only from the moment when all buttons of the long press are up.
    Opened {
        /// The instant of the release.
        at: Instant,
        /// Whether the buttons of both players opened it, and not the call button.
        by_players: bool,
    },
    /// A press in the open menu.
    Press(MenuPress),
    /// A player's button is held in the open menu, with a press of this stamp, long enough for a
    /// repetition. It comes again until the release, for at most [`RELEASE_WITHIN`]. The press is
    /// reported, too.
    Repeat(Button, Instant),
    /// The menu has closed at this instant, or did not open after [`MenuEvent::Hold`]. The buttons
    /// are those of the game again.
    Closed(MenuClosed, Instant),
    /// The test of the buttons began at this instant. It ends with [`MenuEvent::Closed`].
    TestBegan(Instant),
    /// The test that was requested for this instant did not begin, because a game is under way, or
    /// because the menu is open or a press that can open it is down.
    TestRefused(Instant),
    /// A press of this button in the test, with its stamp.
    TestPress(Button, Instant),
}

/// A press in the open menu. It is reported when its end is certain, so the reports are neither in
/// the order of the stamps nor in that of the ends. Two presses overlap if each begins before the
/// end of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MenuPress {
    /// The button, by its wiring.
    pub button: Button,
    /// The stamp of the press.
    pub at: Instant,
    /// The instant of the release. If the press has lasted for the hold: the end of the hold. For a
    /// throw of a rocker: the stamp of the press.
    pub end: Instant,
    /// How long the press lasted.
    pub length: PressLength,
}

/// How long a press in the menu lasted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressLength {
    /// The press was released before [`MenuOpening::hold`] had passed. A throw of a rocker stays
    /// down, so its press is always short.
    Short,
    /// The press has lasted for [`MenuOpening::hold`]. Its release is not reported.
    Long,
    /// Like [`PressLength::Long`], and during all of that time the button of the other player was
    /// down, too, with a press that counts in the menu. The earlier of these two presses is
    /// reported as [`PressLength::Long`] first.
    LongTogether,
}

/// Why the menu has closed, or did not open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuClosed {
    /// The program that shows the menu asked for the closing, or does not let the menu open.
    Asked,
    /// There was no acknowledgement for [`MENU_TIMEOUT`], or the long press was not released within
    /// [`RELEASE_WITHIN`].
    TimedOut,
    /// Before the long press was released, another button was pressed.
    OtherPress,
    /// A command was carried out that did not come from the menu.
    Command,
    /// A clock runs.
    ClockRuns,
    /// The button board is gone.
    BoardGone,
}
