use super::*;
use crate::gpio::{Edge, QUEUE};
use crate::rt::channel::channel;
use clock_engine::Side;
use std::os::fd::BorrowedFd;

const IDLE: Stage = Stage::Parked { until: None };
const MS: u64 = 1_000_000;

fn until(millis: u64) -> Stage {
    Stage::Parked { until: Some(Instant::from_nanos(millis * MS)) }
}

/// Looks (at ms, sequence, stage, something unread) one after another; whether it lived.
fn watch(looks: &[(u64, u64, Stage, bool)]) -> Vec<bool> {
    let mut watcher = Watcher::default();
    let look = |&(at, sequence, stage, unread): &(u64, u64, Stage, bool)| {
        watcher.is_alive(Seen { now: Instant::from_nanos(at * MS), sequence, stage, unread })
    };
    looks.iter().map(look).collect()
}

#[test]
fn what_lives_and_what_hangs() {
    const HOUR: u64 = 3_600_000;
    let (no, yes) = (false, true);
    let working = Stage::Working;
    for (name, looks, alive) in [
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
            "stuck in a round",
            vec![(0, 7, working, no), (125, 7, working, no), (250, 7, working, no)],
            vec![yes, no, no],
        ),
        (
            "stuck in a round, with the bell rung",
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
            vec![(0, 7, IDLE, no), (125, 8, Stage::Ended, no), (250, 8, Stage::Ended, no)],
            vec![yes, no, no],
        ),
    ] {
        assert_eq!(watch(&looks), alive, "{name}");
    }
}

#[test]
fn a_look_sees_what_the_loop_says_and_what_it_has_not_read() {
    let pulse = Pulse::new().unwrap();
    let (mut sender, mut receiver) = channel::<u8>(1).unwrap();
    pulse.watch(&receiver).unwrap();
    pulse.wake();
    let seen = pulse.look().unwrap();
    assert_eq!((seen.sequence, seen.stage, seen.unread), (1, Stage::Working, false));
    sender.push(1).unwrap();
    sender.ring_bell();
    pulse.park(None);
    assert!(matches!(pulse.look().unwrap(), Seen { stage: IDLE, unread: true, .. }));
    receiver.hush_bell();
    assert_eq!(receiver.pop(), Some(1));
    for nanos in [0, 5, u64::MAX] {
        pulse.park(Some(Instant::from_nanos(nanos)));
        let Seen { stage: Stage::Parked { until: Some(_) }, unread: false, .. } =
            pulse.look().unwrap()
        else {
            panic!("{nanos}: {:?}", pulse.look());
        };
    }
    pulse.end();
    assert_eq!(pulse.look().unwrap().stage, Stage::Ended);
}

#[test]
fn a_line_that_hung_up_is_told_and_unread_until_it_is_forgotten() {
    let pulse = Pulse::new().unwrap();
    let (line, writer) = rustix::pipe::pipe().unwrap();
    let line = White(line);
    pulse.watch_lines(&line).unwrap();
    drop(writer);
    assert!(pulse.look().unwrap().unread);
    let woken = pulse.wait(None).unwrap();
    assert_eq!(woken, Woken { on_time: false, hung: [true, false, false] });
    pulse.forget_lines(&line);
    assert!(!pulse.look().unwrap().unread);
}

#[test]
fn a_wait_ends_with_its_time_and_never_before() {
    let pulse = Pulse::new().unwrap();
    for nanos in [0, 1, 999_999, 1_500_000] {
        let until = monotonic_now().checked_add(Span::from_nanos(nanos)).unwrap();
        let woken = pulse.wait(Some(until)).unwrap();
        assert!(woken.on_time && monotonic_now() >= until, "{nanos}");
    }
    // A long one ends in parts, of which the last is short.
    let mut left = Span::from_secs(5400);
    let mut parts = 0;
    while left.as_nanos() > 0 {
        left = Span::from_nanos(left.as_nanos() - nap(left).as_nanos());
        parts += 1;
    }
    assert_eq!(parts, 3);
    assert!(pulse.wait(Some(Instant::ZERO)).unwrap().on_time, "long past");
}

/// A board with White's button only.
struct White(OwnedFd);

impl Lines for White {
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
        (button == Button::Player(Side::White)).then(|| self.0.as_fd())
    }

    fn read(&mut self, _: Button, _: &mut [Edge; QUEUE]) -> io::Result<usize> {
        Ok(0)
    }

    fn level(&self, _: Button) -> io::Result<bool> {
        Ok(false)
    }
}
