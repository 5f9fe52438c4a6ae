//! Random games with a menu: what must hold of the inputs and of what the menu tells, whatever is
//! pressed, held and commanded.

use super::*;
use clock_engine::rules::{Authority, Profile, Session, Setup};
use std::collections::BTreeSet;

const GAMES: u64 = 600;
/// The hold of these games.
const HOLD: u64 = 2_000 * MS;
/// There are fewer presses than with [`Habits::PLAYING`], and half of them are long.
const HABITS: Habits = Habits { pauses: [7000 * MS, 700 * MS], long: 2, longest: 5000 * MS };

/// A core for a game under rules that note a button held for 700 ms, if the rules allow the
/// control. In half of the games, nobody has authority, so that presses confirm a resume. `kind` is
/// the switch of the players.
fn core(control: Control, kind: InputKind, has_menu: bool, random: &mut Random) -> LoopCore {
    let hold_warning = Some(Span::from_nanos(700 * MS));
    let authority = random.pick([Profile::default().authority, Authority::Nobody]);
    let profile = Some(Profile { hold_warning, authority, ..Profile::default() });
    let setup = Setup { control, profile, session: Session::Unknown, force: false };
    let game = clock_engine::rules::Game::new(&setup, at(START))
        .unwrap_or_else(|_| crate::game_without_rules(control, at(START)));
    let stop_together = kind == InputKind::Buttons && random.pick([true, false]);
    let inputs = Inputs { kind, stop_together, ..Inputs::default() };
    let core = LoopCore::new(game, inputs, Some([false; LINES]), at(START));
    let opening = MenuOpening::new(Span::from_nanos(HOLD)).unwrap();
    if has_menu { core.with_menu(opening) } else { core }
}

fn played(kernel: Kernel, number: u64, menu: WithMenu, kind: InputKind) -> (Game, String) {
    let first = seed();
    let seed = first.wrapping_mul(1_000_000) + number;
    let has_menu = menu != WithMenu::No;
    let (mut game, _) = Game::with(seed, kernel, menu, HABITS, |control, random| {
        core(control, kind, has_menu, random)
    });
    game.play();
    (game, format!("CLOCK_SEED={first}, {kernel:?}, {kind:?}, game {number}"))
}

/// A time in which the menu was open or about to open: the stamp of its long press, the release
/// that opened it (`None` if it did not open), and when it closed.
struct Cycle {
    from: u64,
    opened: Option<u64>,
    closed: u64,
}

/// The cycles of a game. Checks the order of the events.
fn cycles(seen: &[Seen], say: &str) -> Vec<Cycle> {
    let mut cycles: Vec<Cycle> = Vec::new();
    let (mut is_closed, mut is_shown) = (true, false);
    for one in seen {
        let Seen::Menu { now, event } = one else { continue };
        match (event, is_closed) {
            (MenuEvent::HoldBegan(_), true) => {
                assert!(!std::mem::replace(&mut is_shown, true), "{say}");
            }
            (MenuEvent::HoldEnded, true) => {
                assert!(std::mem::replace(&mut is_shown, false), "{say}");
            }
            (MenuEvent::Hold(end), true) => {
                assert!(std::mem::replace(&mut is_shown, false), "{say}");
                let from = end.as_nanos() - HOLD;
                cycles.push(Cycle { from, opened: None, closed: u64::MAX });
                is_closed = false;
            }
            (MenuEvent::Opened { at: up, .. }, false) => {
                cycles.last_mut().unwrap().opened = Some(up.as_nanos());
            }
            (MenuEvent::Press(_) | MenuEvent::Repeat(..), false) => {
                assert!(cycles.last().unwrap().opened.is_some())
            }
            (MenuEvent::Closed(_, closed), false) => {
                cycles.last_mut().unwrap().closed = closed.as_nanos();
                is_closed = true;
            }
            _ => panic!("{event:?} at {now}; {say}"),
        }
    }
    cycles
}

/// Checks the inputs and the events of a game. Returns how often the menu opened.
fn check(game: &mut Game, kernel: Kernel, say: &str) -> usize {
    let seen = std::mem::take(&mut game.seen);
    let cycles = cycles(&seen, say);
    let (mut in_game, mut in_menu) = (BTreeSet::new(), BTreeSet::new());
    let mut repeated = BTreeSet::new();
    let (mut latest, mut latest_event) = (0, 0);
    let delay = MAX_DELAY + kernel.most_delay();
    for one in &seen {
        if let Seen::Menu { now, .. } = one {
            latest_event = *now;
        }
        match one {
            Seen::Input { now, at, button, is_hold } => {
                // A long hold can come after an `Input::Time` of the same step, although its own
                // stamp is earlier.
                assert!(*is_hold || *at >= latest, "{one:?} after {latest}; {say}");
                latest = latest.max(*at);
                // Only a press, and the long hold that belongs to it, can wait for a release.
                let waits = button.is_some() || *is_hold;
                // The first of two presses also waits for the second one, for at most the length of
                // a hold.
                let most = delay + if waits { 2 * HOLD + 60 * MS } else { 0 };
                // A long press of the call button that may not open the menu any more becomes an
                // input when the menu reports that it does not open.
                let is_refused = *button == Some(Button::Call)
                    && *now == latest_event
                    && cycles.iter().any(|cycle| cycle.from == *at && cycle.opened.is_none());
                let is_late = now.saturating_sub(*at) > most;
                assert!(!is_late || is_refused, "{one:?} is late; {say}");
                if let Some(button) = button {
                    let is_new = in_game.insert((button.index(), *at));
                    assert!(is_new, "{one:?} is given twice; {say}");
                }
            }
            Seen::Menu { event: MenuEvent::Press(press), .. } => {
                let is_new = in_menu.insert((press.button.index(), press.at.as_nanos()));
                assert!(is_new, "{one:?} is given twice; {say}");
            }
            Seen::Menu { event: MenuEvent::Repeat(button, at), .. } => {
                repeated.insert((button.index(), at.as_nanos()));
            }
            Seen::Menu { .. } => {}
        }
    }
    assert!(in_game.is_disjoint(&in_menu) && in_game.is_disjoint(&repeated), "{say}");
    let is_open = |at: u64| {
        let within =
            |cycle: &Cycle| cycle.opened.is_some_and(|up| (up..cycle.closed).contains(&at));
        cycles.iter().any(within)
    };
    assert!(!in_game.iter().any(|(_, at)| is_open(*at)), "a press of the open menu; {say}");
    assert!(in_menu.iter().all(|(_, at)| is_open(*at)), "a press before or after it; {say}");
    // In unsupervised play, a press with which the bar of the hold was seen is nothing.
    let nobody = game.core.clock().game().is_unsupervised();
    let bars: Vec<u64> = seen
        .iter()
        .filter_map(|one| match one {
            Seen::Menu { event: MenuEvent::HoldBegan(at), .. } if nobody => Some(at.as_nanos()),
            _ => None,
        })
        .collect();
    // Each press of a player is an input, or began while the menu was open or about to open.
    let inputs = game.inputs();
    let made: BTreeSet<(usize, u64)> = inputs
        .iter()
        .filter_map(|(at, input)| match input {
            Input::Press(line) => Some((*line, *at)),
            _ => None,
        })
        .collect();
    for (line, at) in &made {
        let is_menu = cycles.iter().any(|cycle| (cycle.from..cycle.closed).contains(at))
            || cycles.iter().any(|cycle| is_first_of_two(game, cycle, (*line, *at)));
        let is_nothing = bars.iter().any(|bar| is_of_bar(game, *bar, (*line, *at)));
        let is_known =
            in_game.contains(&(*line, *at)) || is_menu || is_nothing || *at > END - 200 * MS;
        // A press that is deferred at the end of the game is not decided.
        let is_deferred = game.core.undecided_since() == Some(super::at(*at));
        assert!(is_known || is_deferred, "the press on line {line} at {at} is lost; {say}");
    }
    assert!(in_game.union(&in_menu).all(|press| made.contains(press)), "nobody pressed; {say}");
    assert_eq!(game.core.counts().late, 0, "{say}");
    cycles.iter().filter(|cycle| cycle.opened.is_some()).count()
}

/// Whether this press is the one that is stamped `bar`, or was held together with it.
fn is_of_bar(game: &Game, bar: u64, (line, at): (usize, u64)) -> bool {
    let lasts =
        |press: &Press| (press.line, press.stamp) == (line, at) && press.over >= bar + 300 * MS;
    at == bar || (line < 2 && at < bar && game.truth.presses.iter().any(lasts))
}

/// Whether this press was deferred with the later press that opened the menu: it began at most
/// [`HOLD`] before that press, and lasted until [`HOLD`] after the beginning of that press.
fn is_first_of_two(game: &Game, cycle: &Cycle, (line, at): (usize, u64)) -> bool {
    let lasts =
        |press: &&Press| (press.line, press.stamp) == (line, at) && press.over >= cycle.from + HOLD;
    line < 2
        && (cycle.from.saturating_sub(HOLD)..cycle.from).contains(&at)
        && game.truth.presses.iter().any(|press| lasts(&press))
}

#[test]
fn random_presses_go_to_the_game_or_to_the_menu_and_never_to_both() {
    for kernel in [Kernel::Prompt, Kernel::Slow] {
        for kind in [InputKind::Buttons, InputKind::Rocker] {
            let (mut opened, mut told) = (0, 0);
            for number in 0..GAMES {
                let (mut game, say) = played(kernel, number, WithMenu::Random, kind);
                let is_told =
                    |seen: &&Seen| matches!(seen, Seen::Menu { event: MenuEvent::Press(_), .. });
                told += game.seen.iter().filter(is_told).count();
                opened += check(&mut game, kernel, &say);
            }
            assert!(opened > 20 && told > 20, "{opened} menus, {told} presses; {kind:?}");
        }
    }
}

#[test]
fn merged_and_lost_records_leave_at_most_one_meaning_for_each_press() {
    for kernel in [Kernel::Merging, Kernel::Lossy] {
        for number in 0..GAMES {
            let (game, say) = played(kernel, number, WithMenu::Random, InputKind::Buttons);
            let mut given = BTreeSet::new();
            cycles(&game.seen, &say);
            for one in &game.seen {
                let press = match one {
                    Seen::Input { at, button: Some(button), .. } => (button.index(), *at),
                    Seen::Menu { event: MenuEvent::Press(press), .. } => {
                        (press.button.index(), press.at.as_nanos())
                    }
                    _ => continue,
                };
                assert!(given.insert(press), "{one:?} is given twice; {say}");
            }
        }
    }
}

#[test]
fn a_menu_that_may_not_open_gives_the_inputs_of_a_clock_without_a_menu() {
    let mut checked = Checked::default();
    for number in 0..GAMES {
        let kernel = if number % 2 == 0 { Kernel::Prompt } else { Kernel::Slow };
        for kind in [InputKind::Buttons, InputKind::Rocker] {
            let (plain, say) = played(kernel, number, WithMenu::No, kind);
            let (closed, _) = played(kernel, number, WithMenu::Closed, kind);
            assert_eq!(plain.seen, closed.seen, "{say}");
            assert_eq!(plain.core.clock(), closed.core.clock(), "{say}");
            checked.add(&plain.checked);
        }
    }
    assert!(checked.has(100), "{checked:?}");
}
