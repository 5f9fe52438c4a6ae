//! Tests with edges that reach the loop long after their stamp. Meanwhile, the loop has to decide
//! commands, flags, other presses, and whether a contact has settled.
//!
//! The level of a line changes at once; the edge reaches the loop after a delay. With delays of up
//! to 50 ms, the decisions must be the same as without a delay.

use super::*;

/// Delays of an edge, in nanoseconds. With each of them, every decision still follows from the
/// stamps alone.
const JUDGED_BY_STAMP: [u64; 7] =
    [0, 50_000, 100_000, 1_000_000, 10_000_000, 40_000_000, 49_000_000];
/// Delays that are longer than the longest wait for a missing edge, in nanoseconds.
const TOO_LONG: [u64; 3] = [52_000_000, 70_000_000, 100_000_000];
/// The delay of an edge that never arrives.
const NEVER: u64 = u64::MAX;

/// A change of a line, and the delay of its edge.
#[derive(Clone, Copy)]
struct Change {
    button: Button,
    at: u64,
    active: bool,
    delay: u64,
}

fn down(button: Button, at: u64, delay: u64) -> Change {
    Change { button, at, active: true, delay }
}

fn up(button: Button, at: u64, delay: u64) -> Change {
    Change { button, at, active: false, delay }
}

/// Runs the loop as its thread does: it wakes up for edges, for commands and at its deadlines.
/// Returns the causes of the updates with their instants, and the latest instant at which one of
/// them was decided.
fn play(
    core: &mut VirtualLoop,
    changes: &[Change],
    commands: &[(u64, Command)],
) -> (Vec<(Cause, u64)>, u64) {
    let (mut found, mut decided) = (Vec::new(), 0);
    let mut now = 10 * MS;
    let mut deadline = core.step(at(now), &mut |_| {}).map(Instant::as_nanos);
    let arrivals = changes.iter().map(|change| change.at.saturating_add(change.delay));
    let wakes: Vec<u64> = arrivals.chain(commands.iter().map(|(at, _)| *at)).collect();
    let mut pending: Vec<Change> = changes.to_vec();
    loop {
        let woken = wakes.iter().copied().filter(|at| *at > now && *at != NEVER).min();
        let Some(next) = woken.into_iter().chain(deadline).min().filter(|next| *next < 2000 * MS)
        else {
            return (found, decided);
        };
        let revision = core.update(Cause::Missed).revision;
        for (id, (at, command)) in (1..).zip(commands) {
            if *at > now && *at <= next {
                let at = super::at(*at);
                core.request(Request { id, at, revision, command: (*command).into() });
            }
        }
        now = now.max(next);
        pending.retain(|change| {
            let arrived = change.at.saturating_add(change.delay) <= now;
            if arrived {
                edge(core, change.button, change.at, change.active);
            }
            !arrived
        });
        for change in changes.iter().filter(|change| change.at <= now) {
            core.levels[change.button.index()] = change.active;
        }
        let before = found.len();
        let wake =
            core.step(at(now), &mut |update| found.push((update.cause, update.at.as_nanos())));
        if found.len() > before {
            decided = now;
        }
        deadline = wake.map(Instant::as_nanos);
    }
}

const FLAG: u64 = 1_000_000_001;
const WHITE_FLAG: (Cause, u64) = (Cause::flag(Side::White, 1), FLAG);
const PRESS: u64 = 500 * MS;
const LATER: u64 = PRESS + 200_000;

/// The causes of the updates, with their instants, that are expected with each delay in
/// [`JUDGED_BY_STAMP`].
type Expected = Vec<(Cause, u64)>;

#[test]
fn nothing_is_decided_before_an_earlier_edge_that_is_up_to_50_ms_late() {
    let white = |cause: fn(Side) -> Cause, at| (cause(Side::White), at);
    let paused = (Cause::Command("pause", None), LATER);
    // A race has a name, a function that returns the changes of the lines for a delay of their
    // edges, the commands, and the updates that are expected.
    type Race = (&'static str, fn(u64) -> Vec<Change>, Vec<(u64, Command)>, Expected);
    let races: Vec<Race> = vec![
        (
            "a press before a command",
            |delay| vec![down(WHITE, PRESS, delay)],
            vec![(LATER, PAUSE)],
            vec![white(Cause::press, PRESS), paused],
        ),
        (
            "a press a nanosecond before the flag",
            |delay| vec![down(WHITE, FLAG - 1, delay)],
            vec![],
            vec![white(Cause::press, FLAG - 1)],
        ),
        (
            "a press at the instant of the flag",
            |delay| vec![down(WHITE, FLAG, delay)],
            vec![],
            vec![WHITE_FLAG, white(Cause::ignored_press, FLAG)],
        ),
        (
            "the end of a glitch before the settle time is over",
            |delay| vec![down(WHITE, PRESS, 0), up(WHITE, PRESS + 900_000, delay)],
            vec![],
            vec![WHITE_FLAG],
        ),
        (
            "the end of a glitch before a command",
            |delay| vec![down(WHITE, PRESS, 0), up(WHITE, PRESS + 100_000, delay)],
            vec![(LATER, PAUSE)],
            vec![paused],
        ),
        (
            "the second contact of a chattering press before a command",
            |delay| {
                vec![
                    down(WHITE, PRESS, 0),
                    up(WHITE, PRESS + 300_000, 0),
                    down(WHITE, PRESS + 15 * MS, delay.min(30 * MS)),
                ]
            },
            vec![(LATER, PAUSE)],
            vec![white(Cause::press, PRESS), paused],
        ),
        (
            "a call before a command",
            |delay| vec![down(Button::Call, PRESS, delay)],
            vec![(LATER, PAUSE)],
            // The use of the call button has made a new revision, so the command is stale.
            vec![(Cause::CALL, PRESS), (Cause::Refused, LATER)],
        ),
        (
            "a call before a flag",
            |delay| vec![down(Button::Call, FLAG - 1, delay)],
            vec![],
            vec![(Cause::CALL, FLAG - 1)],
        ),
        (
            "a press before the opponent's press",
            |delay| vec![down(WHITE, PRESS, delay), down(BLACK, LATER, 0)],
            vec![],
            vec![white(Cause::press, PRESS), (Cause::press(Side::Black), LATER)],
        ),
        (
            "a release before a command",
            |delay| vec![down(BLACK, 400 * MS, 0), up(BLACK, PRESS, delay)],
            vec![(LATER, PAUSE)],
            vec![(Cause::ignored_press(Side::Black), 400 * MS), paused],
        ),
    ];
    for (name, changes, commands, expected) in &races {
        for delay in JUDGED_BY_STAMP {
            let mut core = running();
            let (mut found, decided) = play(&mut core, &changes(delay), commands);
            // Flags that fall after the race are not compared.
            found.retain(|(cause, at)| cause.as_str() != "flag" || (*cause, *at) == WHITE_FLAG);
            if !expected.contains(&WHITE_FLAG) {
                found.retain(|what| *what != WHITE_FLAG);
            }
            assert_eq!(&found, expected, "{name}, {delay} ns late");
            let counts = core.counts();
            assert_eq!((counts.late, counts.lost_edges), (0, 0), "{name}, {delay} ns late");
            if commands.is_empty() && expected.contains(&WHITE_FLAG) {
                assert!(decided <= FLAG + 51 * MS + 200_000, "{name}: {decided}");
            }
        }
    }
}

#[test]
fn a_level_holds_a_command_or_a_flag_for_50_ms_at_most() {
    for delay in TOO_LONG.into_iter().chain([NEVER]) {
        // The edge arrives too late, so the command is decided first. The press is dated at the
        // instant at which the loop first read the level of the pressed button.
        let mut core = running();
        let (found, decided) = play(&mut core, &[down(WHITE, PRESS, delay)], &[(LATER, PAUSE)]);
        let ignored = Cause::ignored_press(Side::White);
        assert_eq!(found, [(Cause::Command("pause", None), LATER), (ignored, LATER)], "{delay}");
        assert!((LATER + 50 * MS..=LATER + 52 * MS).contains(&decided), "{delay}: {decided}");
        assert_eq!(core.counts().lost_edges, 1);

        let mut core = running();
        let (found, _) = play(&mut core, &[down(WHITE, FLAG - 1, delay)], &[]);
        let seen = FLAG + EDGE_DELIVERY_WINDOW.as_nanos();
        assert_eq!(found, [WHITE_FLAG, (ignored, seen)], "{delay}");
    }
}

#[test]
fn an_edge_without_a_competing_input_keeps_its_stamp_however_late_it_is() {
    for delay in JUDGED_BY_STAMP.into_iter().chain(TOO_LONG) {
        let mut core = running();
        let (found, _) = play(&mut core, &[down(WHITE, PRESS, delay)], &[]);
        assert_eq!(found[0], (Cause::press(Side::White), PRESS), "{delay}");
        assert_eq!((core.counts().late, core.counts().lost_edges), (0, 0), "{delay}");
    }
}

#[test]
fn an_edge_lost_beside_another_lines_edge_is_found_by_its_level() {
    // The chip made no interrupt for White's contact. Soon after this contact, the release of
    // Black's button wakes the loop, which finds the contact by the level of the line.
    let mut core = running();
    let changes = [
        down(BLACK, 400 * MS, 0),
        down(WHITE, PRESS, NEVER),
        up(BLACK, PRESS + 1000, 40_000),
        up(WHITE, PRESS + 100 * MS, 0),
    ];
    let (found, _) = play(&mut core, &changes, &[]);
    let seen = PRESS + 41_000;
    assert_eq!(found[1], (Cause::press(Side::White), seen));
    assert_eq!(core.counts().lost_edges, 1);
    assert!(!core.is_active(WHITE), "the release was found by its edge");
    // A lost release is noticed too, so the next press counts.
    let mut core = running();
    let changes = [
        down(WHITE, 100 * MS, 0),
        up(WHITE, 200 * MS, NEVER),
        down(BLACK, 300 * MS, 0),
        down(WHITE, 500 * MS, 0),
    ];
    let (found, _) = play(&mut core, &changes, &[]);
    let presses: Vec<u64> = found[..3].iter().map(|(_, at)| *at / MS).collect();
    assert_eq!(presses, [100, 300, 500], "{found:?}");
}

#[test]
fn a_held_button_that_wobbles_and_loses_an_edge_presses_nothing() {
    // White's finger stays on the button while White is on move again. The contact opens for 2 ms,
    // and the edge of its closing is lost. Nothing reads the line before the release time R is
    // over.
    let mut core = running();
    let changes = [
        down(WHITE, 100 * MS, 0),
        down(BLACK, 200 * MS, 0),
        up(BLACK, 230 * MS, 0),
        up(WHITE, 300 * MS, 0),
        down(WHITE, 302 * MS, NEVER),
        up(WHITE, 500 * MS, 0),
        down(WHITE, 700 * MS, 0),
    ];
    let (found, _) = play(&mut core, &changes, &[]);
    let presses = [(Side::White, 100), (Side::Black, 200), (Side::White, 700)];
    let presses = presses.map(|(side, millis)| (Cause::press(side), millis * MS));
    assert_eq!(found[..3], presses, "{found:?}");
    assert_eq!(core.counts().lost_edges, 1);
}

#[test]
fn a_line_without_edges_delays_the_first_gong_only() {
    let slice = Span::from_nanos(10 * MS);
    let control = Control::single(Span::ZERO, Method::Gong(slice));
    let mut core = VirtualLoop::new(control, Inputs::default(), [false; LINES], at(0));
    assert_eq!(command(&mut core, Command::Start, 1), Ok(()));
    core.levels[WHITE.index()] = true;
    let mut gongs = Vec::new();
    let mut now = 3 * MS;
    while now < 300 * MS {
        let deadline = core.step(at(now), &mut |update| {
            if update.cause.as_str() == "gong" {
                gongs.push((update.at.as_nanos(), now));
            }
        });
        now = deadline.map_or(now, Instant::as_nanos).max(now + 1);
    }
    assert!(gongs.iter().zip(1..).all(|((at, _), index)| *at == MS + index * 10 * MS), "{gongs:?}");
    let late = |(at, now): &(u64, u64)| now - at > 2 * EDGE_DELIVERY_WINDOW.as_nanos();
    assert!(gongs.iter().filter(|gong| late(gong)).all(|(_, now)| *now <= 53 * MS), "{gongs:?}");
    assert_eq!(gongs.len(), 29);
}
