//! Tests of the debounce of one line, in virtual time. Each test plays edges, lets time pass
//! without edges, and checks the decisions.

use super::*;

const MS: u64 = 1_000_000;

const ON: bool = true;
const OFF: bool = false;

fn at_micros(micros: u64) -> Instant {
    Instant::from_nanos(micros * 1000)
}

/// Gives edges (µs, active) to the state machine. Returns the decisions with their stamps in µs.
fn take(machine: &mut Debounce, edges: &[(u64, bool)]) -> Vec<(&'static str, u64)> {
    let mut found = Vec::new();
    for &(micros, active) in edges {
        machine.edge(Edge { at: at_micros(micros), active }, &mut |decision| {
            found.push(in_micros(decision));
        });
    }
    found
}

fn in_micros(decision: Decision) -> (&'static str, u64) {
    match decision {
        Decision::Press(at) => ("press", at.as_nanos() / 1000),
        Decision::Rejected(at) => ("rejected", at.as_nanos() / 1000),
        Decision::Noise(at) => ("noise", at.as_nanos() / 1000),
    }
}

/// Plays edges (µs, active) on an idle line and then lets time pass. Returns all decisions.
fn play(edges: &[(u64, bool)]) -> Vec<(&'static str, u64)> {
    let mut machine = Debounce::new(Times::default(), false, Instant::ZERO);
    let mut found = take(&mut machine, edges);
    machine.advance(Instant::from_nanos(u64::MAX), &mut |decision| found.push(in_micros(decision)));
    found
}

/// A row of a table: what happens, the edges, the decisions.
type Row<'a> = (&'a str, &'a [(u64, bool)], &'a [(&'static str, u64)]);

fn assert_rows(rows: &[Row]) {
    for (name, edges, expected) in rows {
        assert_eq!(play(edges), *expected, "{name}");
    }
}

#[test]
fn presses_glitches_and_bounces() {
    assert_rows(&[
        ("clean", &[(1000, ON), (80_000, OFF)], &[("press", 1000)]),
        ("shortest press", &[(1000, ON), (2000, OFF)], &[("press", 1000)]),
        ("glitch", &[(1000, ON), (1999, OFF)], &[("rejected", 1000)]),
        (
            "bouncing keeps the first edge",
            &[(1000, ON), (1300, OFF), (1500, ON), (1700, OFF), (6000, ON), (90_000, OFF)],
            &[("press", 1000)],
        ),
        (
            "an opening shorter than G belongs to the contact",
            &[(1000, ON), (1100, OFF), (21_099, ON), (90_000, OFF)],
            &[("press", 1000)],
        ),
        (
            "an opening of G ends the candidate",
            &[(1000, ON), (1100, OFF), (21_100, ON), (90_000, OFF)],
            &[("rejected", 1000), ("press", 21_100)],
        ),
        (
            "a bounce of the release is no press",
            &[
                (1000, ON),
                (60_000, OFF),
                (60_500, ON),
                (62_000, OFF),
                (111_999, ON),
                (140_000, OFF),
            ],
            &[("press", 1000)],
        ),
        (
            "after R the next press counts",
            &[(1000, ON), (60_000, OFF), (110_000, ON), (140_000, OFF)],
            &[("press", 1000), ("press", 110_000)],
        ),
        ("down for a minute", &[(1000, ON), (60_000_000, OFF)], &[("press", 1000)]),
    ]);
}

/// The direction of an edge is the level that the interrupt's thread reads. A contact that is
/// shorter than the thread's delay therefore produces only one edge, to inactive, with the stamp of
/// the end of the contact.
#[test]
fn an_edge_to_inactive_begins_a_candidate_too() {
    assert_rows(&[
        (
            "the first contact is shorter than the thread's delay",
            &[(1000, OFF), (1406, ON), (80_000, OFF)],
            &[("press", 1000)],
        ),
        (
            "so are the first three",
            &[(1000, OFF), (1200, OFF), (1500, OFF), (2406, ON), (80_000, OFF)],
            &[("press", 1000)],
        ),
        ("a glitch that short is counted", &[(1000, OFF)], &[("rejected", 1000)]),
        (
            "the contact closes for good less than G later",
            &[(1000, OFF), (20_999, ON), (80_000, OFF)],
            &[("press", 1000)],
        ),
        (
            "the contact closes G later: another candidate",
            &[(1000, OFF), (21_000, ON), (80_000, OFF)],
            &[("rejected", 1000), ("press", 21_000)],
        ),
        (
            "no contact after it lasts for N",
            &[(1000, OFF), (3000, ON), (3999, OFF)],
            &[("rejected", 1000)],
        ),
        (
            "in a candidate that is open: G starts anew",
            &[(1000, ON), (1100, OFF), (15_000, OFF), (34_999, ON), (80_000, OFF)],
            &[("press", 1000)],
        ),
        (
            "while releasing: R starts anew",
            &[(1000, ON), (60_000, OFF), (100_000, OFF), (149_999, ON), (160_000, OFF)],
            &[("press", 1000)],
        ),
        (
            "when R is just over: a candidate that is rejected, no press",
            &[(1000, ON), (60_000, OFF), (110_000, OFF)],
            &[("press", 1000), ("rejected", 110_000)],
        ),
        (
            "a bounce of the release after R: rejected as well",
            &[(1000, ON), (60_000, OFF), (110_000, OFF), (110_500, ON), (111_000, OFF)],
            &[("press", 1000), ("rejected", 110_000)],
        ),
        (
            "the rejected candidate keeps no press away: R is not started",
            &[(1000, ON), (60_000, OFF), (110_000, OFF), (130_000, ON), (160_000, OFF)],
            &[("press", 1000), ("rejected", 110_000), ("press", 130_000)],
        ),
    ]);
}

/// An opening that is shorter than the delay of the interrupt's thread produces only one edge, with
/// the stamp of the end of the opening.
#[test]
fn an_edge_to_active_on_a_closed_line_is_the_end_of_a_short_opening() {
    assert_rows(&[
        (
            "in a candidate: N starts anew",
            &[(1000, ON), (1400, ON), (2000, OFF)],
            &[("rejected", 1000)],
        ),
        (
            "in a candidate that is a press in the end",
            &[(1000, ON), (1400, ON), (2400, OFF)],
            &[("press", 1000)],
        ),
        (
            "while held: nothing happened",
            &[
                (1000, ON),
                (50_000, ON),
                (50_100, ON),
                (120_000, OFF),
                (170_000, ON),
                (180_000, OFF),
            ],
            &[("press", 1000), ("press", 170_000)],
        ),
        (
            "while held, then a release less than R before a contact",
            &[(1000, ON), (60_000, ON), (60_100, OFF), (110_099, ON), (120_000, OFF)],
            &[("press", 1000)],
        ),
    ]);
}

/// The interrupt's thread can be delayed for longer than R. The decision still follows from the
/// stamps of the edges, not from the time of their delivery.
#[test]
fn a_bounce_of_the_release_that_is_delivered_after_r_is_no_press() {
    let after_r = |late: &[(u64, bool)]| {
        let mut machine = Debounce::new(Times::default(), false, Instant::ZERO);
        let mut found = take(&mut machine, &[(1000, ON), (60_000, OFF)]);
        // The release time R was over at 110 ms.
        machine.advance(at_micros(150_000), &mut |decision| found.push(in_micros(decision)));
        found.extend(take(&mut machine, late));
        machine.advance(at_micros(900_000), &mut |decision| found.push(in_micros(decision)));
        (found, machine.stuck_at().is_some())
    };
    let (first, second) = (("press", 1000), ("press", 200_000));
    for (late, found, is_down) in [
        // The first row has a bounce that is longer than N. The second row has a bounce of which
        // the kernel queued only the edge at its end.
        (&[(65_000, ON), (67_000, OFF)][..], vec![first], false),
        (&[(65_000, OFF)], vec![first], false),
        // The release time R starts anew at the edge at 109 ms.
        (&[(109_000, OFF), (158_000, ON), (170_000, OFF)], vec![first], false),
        // The contact was open for less than the delay of the interrupt's thread, so the button is
        // still held.
        (&[(109_999, ON)], vec![first], true),
        // The stamp of the next contact is not before the end of the release time R, so this is
        // another press.
        (&[(110_000, ON), (130_000, OFF)], vec![first, ("press", 110_000)], false),
        (&[(65_000, ON), (67_000, OFF), (200_000, ON), (230_000, OFF)], vec![first, second], false),
    ] {
        assert_eq!(after_r(late), (found, is_down), "{late:?}");
    }
}

#[test]
fn the_level_is_that_of_the_latest_edge_in_every_state() {
    let mut machine = Debounce::new(Times::default(), false, Instant::ZERO);
    for (state, micros, active) in [
        ("candidate", 1000, OFF),
        ("candidate", 1100, ON),
        ("candidate", 1200, OFF),
        ("candidate", 1300, ON),
        ("held", 3000, ON),
        ("releasing", 60_000, OFF),
        ("held", 60_100, ON),
        ("releasing", 60_200, OFF),
        ("candidate after R", 110_200, OFF),
    ] {
        take(&mut machine, &[(micros, active)]);
        assert_eq!(machine.is_active(), active, "{state}, {micros} µs");
        let first = if micros < 3000 { Some(1000) } else { None };
        let first = if micros > 110_000 { Some(micros) } else { first };
        assert_eq!(machine.open_since(), first.map(at_micros), "{state}, {micros} µs");
    }
}

/// A candidate whose contact opens several times, each time for up to G (the longest bounce), is
/// decided after 50 ms at the latest, whatever edges follow.
#[test]
fn a_candidate_with_long_gaps_is_decided_within_50_ms() {
    assert_rows(&[
        (
            "two gaps of almost G and a press decided in time",
            &[(0, ON), (100, OFF), (20_000, ON), (20_100, OFF), (40_000, ON), (90_000, OFF)],
            &[("press", 0)],
        ),
        (
            "decided at 50 ms sharp",
            &[(0, ON), (100, OFF), (20_000, ON), (20_100, OFF), (40_000, OFF), (49_000, ON)],
            &[("press", 0)],
        ),
        (
            "closed at 50 ms, but not for N: noise, and a press of its own",
            &[(0, ON), (100, OFF), (20_000, ON), (20_100, OFF), (40_000, OFF), (49_001, ON)],
            &[("noise", 0), ("press", 49_001)],
        ),
        (
            "open at 50 ms: noise, and what closes then is a candidate of its own",
            &[(0, ON), (100, OFF), (20_000, OFF), (39_000, OFF), (51_000, ON), (51_500, OFF)],
            &[("noise", 0), ("rejected", 51_000)],
        ),
        (
            "a spike every 19 ms is cut every 50 ms",
            &[(0, OFF), (19_000, OFF), (38_000, OFF), (57_000, OFF), (76_000, OFF), (95_000, OFF)],
            &[("noise", 0), ("noise", 57_000)],
        ),
    ]);
}

#[test]
fn endless_noise_delays_decisions_by_50_ms_at_most() {
    // Two kinds of noise: the edges alternate, or all edges are to inactive. The second kind occurs
    // if the interrupt's thread finds the contact open each time.
    let alternating = (0..4000).map(|i| (1000 + i * 50, i % 2 == 0));
    let opening = (0..4000).map(|i| (1000 + i * 50, OFF));
    for edges in [Vec::from_iter(alternating), Vec::from_iter(opening)] {
        let found = play(&edges);
        assert!(found.iter().all(|(what, _)| *what != "press"), "{found:?}");
        assert_eq!(found[0], ("noise", 1000));
        let mut machine = Debounce::new(Times::default(), false, Instant::ZERO);
        for (micros, active) in edges {
            take(&mut machine, &[(micros, active)]);
            let open = machine.open_since().map(|first| at_micros(micros).since(first));
            assert!(open.is_none_or(|open| open <= MAX_CANDIDATE_AGE), "{open:?}");
        }
    }
}

#[test]
fn every_setting_of_the_times_leads_to_a_decision() {
    let spans = [0, 1, 1000, 60 * MS, u64::MAX].map(Span::from_nanos);
    let pairs = spans.iter().flat_map(|settle| spans.map(|longest| (*settle, longest)));
    for (settle, longest_bounce) in pairs {
        for release in spans {
            let times = Times { settle, longest_bounce, release, stuck: Some(release) };
            let mut machine = Debounce::new(times, false, Instant::ZERO);
            take(&mut machine, &[(1, ON), (500, OFF), (900, ON), (100_000, OFF), (200_000, OFF)]);
            machine.advance(Instant::from_nanos(u64::MAX - 1), &mut |_| {});
        }
    }
}

#[test]
fn a_stuck_button_that_flickers_stays_stuck_until_it_is_released() {
    let mut machine = Debounce::new(Times::default(), true, Instant::ZERO);
    let at = |millis: u64| Instant::from_nanos(millis * MS);
    let stuck = |machine: &Debounce, now| machine.stuck_at().is_some_and(|stuck| stuck <= now);
    assert!(stuck(&machine, at(10_000)));
    machine.edge(Edge { at: at(11_000), active: false }, &mut |_| {});
    assert!(stuck(&machine, at(11_001)));
    machine.edge(Edge { at: at(11_002), active: true }, &mut |_| {});
    machine.edge(Edge { at: at(11_004), active: false }, &mut |_| {});
    machine.advance(at(11_053), &mut |_| {});
    assert!(stuck(&machine, at(11_053)));
    machine.advance(at(11_054), &mut |_| {});
    assert!(!stuck(&machine, at(11_054)));
}

#[test]
fn a_button_down_at_the_start_is_held() {
    let mut machine = Debounce::new(Times::default(), true, Instant::ZERO);
    let mut found = Vec::new();
    machine.advance(Instant::from_nanos(100 * MS), &mut |decision| found.push(decision));
    assert_eq!((found.len(), machine.is_active()), (0, true));
    assert_eq!(machine.stuck_at(), Some(Instant::from_nanos(10_000 * MS)));
}
