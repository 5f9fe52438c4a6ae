//! Random games that are compared with a model. They contain contacts on three lines, a kernel that
//! delivers their edges late, an arbiter, a board that is unplugged, and a loop that wakes up late.
//!
//! With `CLOCK_SEED=N`, other games are played.

mod arbiter;
mod game;
mod garbage;
mod in_one_step;
mod kept;
mod menu;
mod model;
mod truth;

use super::*;
use crate::loop_core;
use clock_engine::View;
use game::{Game, MAX_OVERSLEEP, MAX_READING, WithMenu};
use in_one_step::Checked;
use kept::{Kept, Seen, Tell};
use model::{Input, Model, Told};
use std::collections::VecDeque;
use truth::{Habits, Kernel, Press, Record, Truth};

const START: u64 = 7 * MS;
const END: u64 = 12_000 * MS;
/// The longest time from the instant of an update to its decision, if edges arrive within the
/// delivery window. It is the sum of 50 ms for a missing edge, 1 ms until the level is read again,
/// twice the delivery window, and the delays of two wake-ups. For kernels that deliver edges later,
/// the tests add the longest delay of an edge.
const MAX_DELAY: u64 = 51 * MS + 200_000 + 2 * MAX_OVERSLEEP;

pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        // The algorithm is SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    pub(super) fn pick<T: Copy, const N: usize>(&mut self, from: [T; N]) -> T {
        from[usize::try_from(self.below(N as u64)).unwrap()]
    }

    /// Returns `true` once in `times` calls on average.
    pub(super) fn chance(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

pub(super) fn seed() -> u64 {
    let set = std::env::var("CLOCK_SEED").ok();
    set.map_or(20_260_707, |set| set.parse().expect("CLOCK_SEED is a number"))
}

/// Plays a game. Returns it with its time control and a description for messages. Checks that the
/// core has no deadline at the end if no clock runs and all lines are idle.
fn play(kernel: Kernel, number: u64) -> (Game, Control, String) {
    let first = seed();
    let (mut game, control) = Game::new(first.wrapping_mul(1_000_000) + number, kernel);
    game.play();
    let shown = game.core.update(Cause::Missed).view.phase;
    let is_idle = |line: &Line| {
        line.debounce().decides_at().is_none() && line.debounce().held_since().is_none()
    };
    if shown != Phase::Running && game.core.lines.iter().all(is_idle) {
        assert_eq!(game.core.wake_at(at(END + 300 * MS)), None, "nothing is due");
    }
    let say = format!("CLOCK_SEED={first}, {kernel:?}, game {number}: {:?}", control.periods());
    (game, control, say)
}

fn until(told: &[Told], end: u64) -> &[Told] {
    let count = told.iter().take_while(|told| told.at <= end).count();
    &told[..count]
}

fn play_against_the_model(kernel: Kernel, games: u64) {
    let mut flags = 0;
    for number in 0..games {
        let (mut game, control, say) = play(kernel, number);
        let inputs = game.inputs();
        let expected = Model::play(control, START, &inputs, END);
        let found: Vec<Told> = game.told.iter().map(|(_, told)| told.clone()).collect();
        let (expected, found) = (until(&expected, END), until(&found, END));
        for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
            assert_eq!(found, expected, "update {index}; {say}");
        }
        assert_eq!(found.len(), expected.len(), "{say}");
        for (decided, told) in &game.told {
            let late = decided.saturating_sub(told.at);
            let most = MAX_DELAY + kernel.most_delay();
            assert!(late <= most, "{told:?} {late} ns late; {say}");
        }
        assert_eq!((game.core.counts().late, game.core.counts().lost_edges), (0, 0), "{say}");
        flags += found.iter().filter(|told| told.cause.as_str() == "flag").count();
    }
    assert!(flags > usize::try_from(games).unwrap() / 2, "{flags} flags");
}

#[test]
fn games_with_bouncing_contacts_agree_with_the_model() {
    play_against_the_model(Kernel::Prompt, 200);
}

#[test]
fn games_with_late_records_agree_with_the_model() {
    play_against_the_model(Kernel::Slow, 200);
}

/// Checks what must hold even if the kernel merges or loses edges:
///
/// - the revision never falls, and each request gets one answer;
/// - the instant of an update is not earlier than that of any update before it. Updates of a late
///   or an ignored press may be earlier, and the instants of updates with the cause `BoardBack` or
///   `Refused` are not compared with those of later updates;
/// - flags and gongs are decided at most [`MAX_DELAY`] + 40 ms after their instant.
fn check_updates(game: &Game, say: &str) {
    let mut revision = 0;
    let mut answers = Vec::new();
    let mut latest = 0;
    for (decided, told) in &game.told {
        assert!(told.revision >= revision, "{told:?}; {say}");
        revision = told.revision;
        answers.extend(told.answer.map(|(id, _)| id));
        let late = decided.saturating_sub(told.at);
        let is_ignored = Side::BOTH.map(Cause::ignored_press).contains(&told.cause);
        let is_late = is_ignored || matches!(told.cause, Cause::Late(_));
        assert!(is_late || told.at >= latest, "{told:?} after {latest}; {say}");
        // A board that comes back does not advance the game. Neither do some of the refused
        // commands, such as stale ones. A press that arrives later can then be decided at an
        // earlier stamp, so the instants of these updates are not compared with later ones.
        if !matches!(told.cause, Cause::BoardBack | Cause::Refused) {
            latest = latest.max(told.at);
        }
        let is_timeout = matches!(told.cause.as_str(), "flag" | "gong");
        assert!(!is_timeout || late <= MAX_DELAY + 40 * MS, "{told:?} {late} ns late; {say}");
    }
    let given = game.inputs.iter().filter_map(|(_, input)| match input {
        Input::Request(request) => Some(request.id),
        _ => None,
    });
    let mut given: Vec<u64> = given.collect();
    given.sort_unstable();
    answers.sort_unstable();
    assert_eq!(answers, given, "{say}");
}

/// The line and the stamp of each decided press of a player. Checks that each of them was published.
fn decided_presses(game: &Game) -> Vec<(usize, u64)> {
    let decided = game.seen.iter().filter_map(|seen| match seen {
        Seen::Input { at, button: Some(button @ Button::Player(_)), .. } => {
            Some((button.index(), *at))
        }
        _ => None,
    });
    let mut presses: Vec<(usize, u64)> = decided.collect();
    presses.sort_unstable();
    let is_press = |cause: Cause| cause.as_str() == "press";
    let told = game.told.iter().filter(|(_, told)| is_press(told.cause)).count();
    assert_eq!(told, presses.len());
    presses
}

#[test]
fn merged_records_lose_no_press_and_make_none() {
    for number in 0..200 {
        let kernel = Kernel::Merging;
        let (mut game, _, say) = play(kernel, number);
        check_updates(&game, &say);
        let found = decided_presses(&game);
        let inputs = game.inputs();
        let made = |press: &&Press| {
            press.line < 2
                && inputs.iter().any(|(at, input)| {
                    *at == press.stamp && matches!(input, Input::Press(line) if *line == press.line)
                })
        };
        let mut made: Vec<Press> = game.truth.presses.iter().filter(made).copied().collect();
        made.sort_unstable_by_key(|press| (press.line, press.first));
        assert_eq!(found.len(), made.len(), "{found:?} {made:?}; {say}");
        for ((line, at), press) in found.iter().zip(&made) {
            let dated = press.first..=press.first + 2 * kernel.most_delay();
            assert!(*line == press.line && dated.contains(at), "{at} {press:?}; {say}");
        }
    }
}

#[test]
fn a_kernel_that_loses_edges_makes_no_press_that_nobody_made() {
    for number in 0..200 {
        let (game, _, say) = play(Kernel::Lossy, number);
        check_updates(&game, &say);
        let mut presses = game.truth.presses.clone();
        presses.extend(&game.truth.glitches);
        for (line, at) in decided_presses(&game) {
            let made = presses.iter().position(|press| {
                // A lost edge is dated at an instant before the lines were read, at most
                // `MAX_READING` before the level was read.
                let made = press.first - MAX_READING..=press.over + 60 * MS;
                press.line == line && made.contains(&at)
            });
            let made = made.unwrap_or_else(|| panic!("{line} at {at}: nobody pressed; {say}"));
            presses.remove(made);
        }
    }
}
