use super::*;

const IDLE: LoopState = LoopState::Waiting { until: None };
const MS: u64 = 1_000_000;

fn until(millis: u64) -> LoopState {
    LoopState::Waiting { until: Some(Instant::from_nanos(millis * MS)) }
}

/// Makes observations one after another, each given as (time in ms, number of wake-ups, state,
/// whether something is unread). Returns for each observation whether the loop is alive.
fn check(observed: &[(u64, u64, LoopState, bool)]) -> Vec<bool> {
    let mut check = LivenessCheck::default();
    let observe = |&(at, wake_ups, state, unread): &(u64, u64, LoopState, bool)| {
        check.is_alive(LoopObservation {
            now: Instant::from_nanos(at * MS),
            wake_ups,
            state,
            unread,
            decided_until: None,
        })
    };
    observed.iter().map(observe).collect()
}

#[test]
fn a_loop_that_hangs_is_distinguished_from_one_that_waits() {
    const HOUR: u64 = 3_600_000;
    let (no, yes) = (false, true);
    let working = LoopState::Working;
    for (name, observed, alive) in [
        (
            "idle for hours",
            vec![(0, 7, IDLE, no), (HOUR, 7, IDLE, no), (9 * HOUR, 7, IDLE, no)],
            vec![yes, yes, yes],
        ),
        (
            "a far flag",
            vec![(0, 7, until(HOUR), no), (125, 7, until(HOUR), no), (HOUR, 7, until(HOUR), no)],
            vec![yes, yes, yes],
        ),
        (
            "its deadline passed",
            vec![(0, 7, until(200), no), (250, 7, until(200), no), (251, 7, until(200), no)],
            vec![yes, yes, no],
        ),
        (
            "late, and on again",
            vec![(0, 7, until(100), no), (151, 7, until(100), no), (202, 8, IDLE, no)],
            vec![yes, no, yes],
        ),
        (
            "stuck at work",
            vec![(0, 7, working, no), (125, 7, working, no), (250, 7, working, no)],
            vec![yes, no, no],
        ),
        (
            "stuck at work, with something unread",
            vec![(0, 7, IDLE, no), (125, 8, working, yes), (250, 8, working, yes)],
            vec![yes, yes, no],
        ),
        (
            "busy",
            vec![(0, 7, working, yes), (125, 900, working, yes), (250, 1800, working, yes)],
            vec![yes, yes, yes],
        ),
        (
            "an unread command",
            vec![
                (0, 7, IDLE, no),
                (125, 7, IDLE, yes),
                (250, 7, IDLE, yes),
                (325, 7, IDLE, yes),
                (326, 7, IDLE, yes),
            ],
            vec![yes, yes, yes, yes, no],
        ),
        (
            "an unread command before a far flag",
            vec![(0, 7, until(HOUR), yes), (201, 7, until(HOUR), yes)],
            vec![yes, no],
        ),
        (
            "unread now and then",
            vec![(0, 7, IDLE, yes), (125, 7, IDLE, no), (250, 7, IDLE, yes), (375, 7, IDLE, yes)],
            vec![yes, yes, yes, yes],
        ),
        (
            "unread, woken, unread again",
            vec![(0, 7, IDLE, yes), (125, 8, IDLE, yes), (250, 8, IDLE, yes), (375, 8, IDLE, yes)],
            vec![yes, yes, yes, no],
        ),
        (
            "ended",
            vec![(0, 7, IDLE, no), (125, 8, LoopState::Ended, no), (250, 8, LoopState::Ended, no)],
            vec![yes, no, no],
        ),
    ] {
        assert_eq!(check(&observed), alive, "{name}");
    }
}

#[test]
fn what_is_decided_ends_before_the_earliest_undecided_input() {
    let heartbeat = Heartbeat::new().unwrap();
    let decided_until = || heartbeat.observe().unwrap().decided_until;
    heartbeat.works();
    assert_eq!(decided_until(), None, "an edge may have been read and not be decided");
    heartbeat.leaves_undecided(None);
    heartbeat.waits(None);
    let before = monotonic_now();
    let until = decided_until().unwrap().as_nanos();
    let window = EDGE_DELIVERY_WINDOW.as_nanos();
    assert!(until >= before.as_nanos() - window && until + window <= monotonic_now().as_nanos());
    heartbeat.works();
    heartbeat.leaves_undecided(Some(Instant::from_nanos(700)));
    heartbeat.waits(None);
    assert_eq!(decided_until(), Some(Instant::from_nanos(699)));
}

#[test]
fn an_observation_shows_what_the_loop_has_published() {
    let heartbeat = Heartbeat::new().unwrap();
    heartbeat.works();
    let seen = heartbeat.observe().unwrap();
    assert_eq!((seen.wake_ups, seen.state, seen.unread), (1, LoopState::Working, false));
    heartbeat.waits(None);
    assert_eq!(heartbeat.observe().unwrap().state, IDLE);
    for nanos in [0, 5, u64::MAX] {
        heartbeat.waits(Some(Instant::from_nanos(nanos)));
        let state = heartbeat.observe().unwrap().state;
        assert!(matches!(state, LoopState::Waiting { until: Some(_) }), "{nanos}: {state:?}");
    }
    heartbeat.end();
    assert_eq!(heartbeat.observe().unwrap().state, LoopState::Ended);
}
