//! The loop in a test of the buttons.

use super::*;
use clockd_core::MenuRequest;

/// Begins or ends a test of the buttons, after what was written to the lines.
fn menu(test: &mut TestLoop, request: MenuRequest) {
    test.clock_loop.core.menu_request(request);
    let later = monotonic_now().checked_add(Span::from_nanos(1_000_000)).unwrap();
    while monotonic_now() < later {
        test.requests.notify();
        test.clock_loop.iterate().unwrap();
    }
}

fn traced(test: &mut TestLoop) -> Vec<Traced> {
    std::iter::from_fn(|| test.traced.pop()).collect()
}

/// Presses White's button with a contact that bounces once, waits until the press is decided, and
/// releases it. Returns the edges.
fn press(test: &mut TestLoop) -> Vec<Edge> {
    let start = monotonic_now();
    let edge = |nanos, active| {
        let at = start.checked_add(Span::from_nanos(nanos)).unwrap();
        Edge { at, active }
    };
    let down = [edge(0, true), edge(200, false), edge(500, true)];
    down.iter().for_each(|edge| test.edge(edge.at, edge.active));
    test.level(true);
    let settled = edge(2_000_000, false).at;
    // The last iteration begins after this time, however late this thread runs.
    let mut is_settled = false;
    while !is_settled {
        is_settled = monotonic_now() >= settled;
        test.requests.notify();
        test.clock_loop.iterate().unwrap();
    }
    let up = Edge { at: monotonic_now(), active: false };
    test.edge(up.at, up.active);
    test.level(false);
    test.requests.notify();
    test.clock_loop.iterate().unwrap();
    down.into_iter().chain([up]).collect()
}

#[test]
fn edges_and_presses_are_traced_during_the_test_and_only_then() {
    let mut test = test_loop(8);
    menu(&mut test, MenuRequest::Test(monotonic_now()));
    assert!(test.clock_loop.core.is_test());
    let edges = press(&mut test);
    let found = traced(&mut test);
    let seen: Vec<Edge> = found
        .iter()
        .filter_map(|traced| match traced {
            Traced::Edge(WHITE, edge) => Some(*edge),
            _ => None,
        })
        .collect();
    assert_eq!(seen, edges);
    // The press comes after the edges that made it, and before that of its release.
    let Traced::Press { button, at, decided } = found[3] else { panic!("{found:?}") };
    assert_eq!((found.len(), button, at), (5, WHITE, edges[0].at));
    let settle = clockd_core::Times::default().settle;
    assert!(decided >= edges[2].at.checked_add(settle).unwrap(), "{found:?}");
    assert!(decided < edges[3].at, "{found:?}");
    assert_eq!(test.causes(), [], "no press reached the game");
    let histogram = &test.clock_loop.health.decision_latency;
    assert_eq!(histogram.buckets(), [], "they are kept apart from those of games");
    menu(&mut test, MenuRequest::Close(monotonic_now()));
    test.settle();
    press(&mut test);
    test.settle();
    assert_eq!(traced(&mut test), []);
    assert_eq!(test.causes().len(), 1);
}

#[test]
fn what_finds_no_room_is_counted() {
    let mut test = test_loop(8);
    let readings = {
        let mut readings = [LineReading::EMPTY; LINES];
        readings[WHITE.index()].add(&[Edge { at: monotonic_now(), active: true }; 64]);
        readings
    };
    for _ in 0..crate::rt::TRACED / 64 + 1 {
        test.clock_loop.out.trace.edges(&readings);
    }
    assert_eq!(traced(&mut test).len(), crate::rt::TRACED);
    assert_eq!(test.clock_loop.health.untraced.load(Ordering::Relaxed), 64);
}
