//! The words of the face.
//!
//! A text with a number or a name ends where that follows, as in `moves ` or `RESULT `, so no word
//! depends on the number. A text that names a side exists once for White and once for Black, so no
//! name is inserted into a sentence. A list has the longest text first, and the face shows the
//! first one that fits.
//!
//! Signs are the same in every language: ⚑, ▶, the units `h`, `min` and `%`, results, and those of
//! seven-segment digits.

use core::fmt;

use crate::Language;

/// The words of the face.
#[derive(PartialEq, Eq)]
pub struct Face {
    /// The names of the sides.
    pub sides: Sides,
    /// The names of the sides in one letter.
    pub letters: Sides,
    /// What separates a name from what is said of it, with its blanks: `: `.
    pub colon: &'static str,
    /// The note for a final flag.
    pub flag: &'static str,
    /// The texts beside the times.
    pub notes: Notes,
    /// The battery, before how long it lasts.
    pub battery: &'static str,
    /// The text before how long a nearly empty battery lasts.
    pub battery_low: &'static str,
    /// The texts before the size that a terminal must have.
    pub enlarge: [&'static str; 2],
    /// The machine was just switched on, and no clock service has answered yet.
    pub starting: &'static str,
    /// No clock service answers, and none has answered before.
    pub no_service: [&'static str; 2],
    /// The same in one short word.
    pub none: &'static str,
    /// What to do while no clock service answers.
    pub no_service_remedy: [&'static str; 2],
    /// No clock service answers, and the times are the last known ones. The last text is also the
    /// fault in one or two words.
    pub stale: [&'static str; 3],
    /// The texts before the last known phase of the game, while no clock service answers.
    pub stale_phase: [&'static str; 2],
    /// The reasons why the arbiter is awaited.
    pub signs: Signs,
    /// The phase of the game.
    pub phases: Phases,
    /// What stopped the clocks.
    pub paused: Paused,
    /// A fault is a matter for the arbiter, in a game that has one.
    pub for_arbiter: &'static str,
    /// The faults.
    pub faults: Faults,
    /// The buttons on a page of the menu.
    pub buttons: Buttons,
    /// A button that opens the menu is held.
    pub hold: &'static str,
    /// The buttons that open the menu must be released.
    pub release: Release,
}

/// A text for White and one for Black.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sides {
    pub white: &'static str,
    pub black: &'static str,
}

/// The texts beside the times.
#[derive(PartialEq, Eq)]
pub struct Notes {
    /// A time that is counted up.
    pub used: &'static str,
    /// The same before its limit.
    pub used_of: &'static str,
    /// A time that is only the last known one.
    pub last_known: &'static str,
    /// The text before the seconds of the delay, and the same in one letter (`delay_short`).
    pub delay: &'static str,
    pub delay_short: &'static str,
    /// The text before the note for a flag after which play went on.
    pub earlier: &'static str,
    /// The texts after the note for a final flag if both final flags have fallen: `first` if it
    /// fell first, otherwise `second`.
    pub first: &'static str,
    pub second: &'static str,
    /// The text before the number of overtime periods.
    pub overtime: &'static str,
    /// The number of moves that are left in an overtime period.
    pub overtime_moves: Count,
    /// The text before the press counter.
    pub moves: &'static str,
    /// The text before the number of the period, and the same in one letter (`period_short`).
    pub period: &'static str,
    pub period_short: &'static str,
    /// The text between the number of the period and the number of all periods.
    pub period_of: &'static str,
    /// The text before the name of the rule profile.
    pub rules: &'static str,
    /// The seconds that each move adds, after a time: `3:00, and 2 seconds a move`.
    pub per_move: Count,
    /// The text after it if the first move adds them, too.
    pub from_first: &'static str,
}

/// What is said before and after a number.
#[derive(PartialEq, Eq)]
pub struct Count {
    pub before: &'static str,
    /// After the number 1.
    pub one: &'static str,
    /// After every other number.
    pub others: &'static str,
}

/// A text for White, for Black, and without a side, and a short text.
#[derive(PartialEq, Eq)]
pub struct Sign {
    pub white: &'static str,
    pub black: &'static str,
    pub nobody: &'static str,
    pub short: &'static str,
}

/// The reasons why the arbiter is awaited.
#[derive(PartialEq, Eq)]
pub struct Signs {
    /// The arbiter is called.
    pub called: Sign,
    /// A draw is claimed, and the clocks stand.
    pub claim: Sign,
    /// The claim of a draw is pending.
    pub claim_pending: Sign,
    /// A player who has not arrived at the board is later than the default time of the rule
    /// profile (FIDE Laws 2023, 6.7).
    pub late: Sign,
}

/// The phases of the game.
#[derive(PartialEq, Eq)]
pub struct Phases {
    pub ready: &'static str,
    /// A press of Black's button starts White's clock.
    pub black_starts: [&'static str; 2],
    /// Only the arbiter starts White's clock.
    pub arbiter_starts: [&'static str; 2],
    /// The texts before the time of a scheduled start.
    pub scheduled: [&'static str; 2],
    /// The text between the time of a scheduled start and the time until then.
    pub countdown: &'static str,
    pub adjourned: &'static str,
    /// The arbiter must decide something.
    pub ruling: [&'static str; 2],
    /// The final flag of a side has fallen, and of both sides if it is unknown which was the first.
    pub time_is_up: Sides,
    pub both_times_are_up: &'static str,
    /// The texts after a flag in a game without an arbiter: how the players enter the result. They
    /// are true with a call button and without one.
    pub enter_result: [&'static str; 2],
    /// The texts before the result: the winner, a draw, and another result.
    pub wins: Sides,
    pub draw: &'static str,
    pub result: &'static str,
    /// The text after the result of a game that was lost on time.
    pub on_time: &'static str,
    /// The texts after the result of a game without an arbiter: how the players begin the next one.
    pub next_game: [&'static str; 2],
    /// The texts before the round and before the board.
    pub round: &'static str,
    pub board: &'static str,
    /// The text before the method that has replaced the method of the time control.
    pub now: &'static str,
    /// The method was replaced.
    pub changed: &'static str,
}

/// What stopped the clocks. Each text begins with `paused`.
#[derive(PartialEq, Eq)]
pub struct Paused {
    pub paused: &'static str,
    pub by_arbiter: &'static str,
    pub by_player: Sides,
    pub by_button: &'static str,
    /// The buttons were disconnected.
    pub board_gone: &'static str,
    pub power_cut: &'static str,
    /// The clocks stand until the arbiter has noted the times of both sides.
    pub to_note: [&'static str; 3],
    /// In a game without an arbiter: the seconds follow until the game goes on.
    pub goes_on_in: &'static str,
    /// In a game without an arbiter: the game goes on once both players have pressed.
    pub both_press: [&'static str; 2],
    /// The same after White's press, and after Black's.
    pub pressed: Sides,
}

/// A fault.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    pub long: &'static str,
    /// What the players can do about it. Empty if it is a matter for the arbiter, who is named by
    /// [`Face::for_arbiter`].
    pub remedy: &'static str,
    /// The fault in one or two words.
    pub short: &'static str,
}

/// The faults that the face shows.
#[derive(PartialEq, Eq)]
pub struct Faults {
    /// The buttons are not connected.
    pub board_gone: Fault,
    pub stuck_white: Fault,
    pub stuck_black: Fault,
    pub stuck_call: Fault,
    /// The rocker's two lines are exchanged or inverted.
    pub rocker_crossed: Fault,
    pub power_cut: Fault,
    pub restarted: Fault,
    /// A press was found only after a flag that fell later. No text about a press may prompt the
    /// players (FIDE 12.6), so this one says only that the clock has a fault.
    pub press_before_flag: Fault,
    pub memory_damaged: Fault,
    /// If the mistake in the file is known, it takes the place of the remedy.
    pub configuration_refused: Fault,
    pub record_mismatch: Fault,
    pub record_lost: Fault,
    /// The game is not recorded.
    pub storage: Fault,
    pub clock_rate: Fault,
}

/// The buttons on a page of the menu. Those of the players have the names of the sides.
#[derive(PartialEq, Eq)]
pub struct Buttons {
    pub rocker: &'static str,
    pub call: &'static str,
    pub call_held: &'static str,
    pub both_held: &'static str,
}

/// The buttons that open the menu must be released.
#[derive(PartialEq, Eq)]
pub struct Release {
    /// The word over the digits, and the line below it.
    pub word: &'static str,
    pub what: &'static str,
    /// Both in one line.
    pub line: &'static str,
}

/// Shows only the names of the sides, which tell the language.
impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Face({}/{})", self.sides.white, self.sides.black)
    }
}

impl Language {
    /// The words of the face in this language.
    pub const fn face(self) -> &'static Face {
        &self.words().face
    }
}
