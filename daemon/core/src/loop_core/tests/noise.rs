//! Tests with a line that produces edges without end, at many rates.

use super::*;
use crate::QUEUE;
use std::collections::VecDeque;

/// The virtual time that the loop needs, in nanoseconds: `READ` for each read call, and `RECORD`
/// for each edge that the call returns.
const READ: u64 = 1000;
const RECORD: u64 = 200;

/// A loop in virtual time with a noisy line.
struct NoisyLine {
    core: VirtualLoop,
    now: u64,
    /// `interval` is the time between two edges. After the instant `ends` there are no more edges.
    interval: u64,
    ends: u64,
    /// `queue` has the edges in the kernel's queue; `next` has the instant and the level of the
    /// next edge.
    queue: VecDeque<Edge>,
    next: (u64, bool),
    deadline: Option<u64>,
    /// Whether the noise has ended. The contact is then open.
    at_rest: bool,
    /// How many edges of the line were read.
    records: usize,
}

impl NoisyLine {
    fn make_noise(&mut self) {
        while self.next.0 <= self.now.min(self.ends) {
            let (nanos, active) = self.next;
            if self.queue.len() < QUEUE {
                self.queue.push_back(Edge { at: at(nanos), active });
            }
            self.core.levels[WHITE.index()] = active;
            self.next = (nanos + self.interval, !active);
        }
        if self.now >= self.ends && !std::mem::replace(&mut self.at_rest, true) {
            self.core.levels[WHITE.index()] = false;
        }
    }

    /// Reads the noisy line as the loop's thread does.
    fn read(&mut self) {
        for _ in 0..LineReading::CAPACITY / QUEUE {
            self.now += READ;
            self.make_noise();
            let edges: Vec<Edge> = self.queue.drain(..).collect();
            self.records += edges.len();
            if edges.is_empty() {
                return;
            }
            self.now += RECORD * edges.len() as u64;
            self.core.readings[WHITE.index()].add(&edges);
        }
        self.core.readings[WHITE.index()].drained = false;
    }

    /// Runs the loop until `end`, with a clean press for each of `others`. For each update, returns
    /// its cause, its instant, and the instant at which it was decided.
    fn run(&mut self, others: &[(Button, u64)], end: u64) -> Vec<(Cause, u64, u64)> {
        let mut found = Vec::new();
        let mut presses: Vec<(Button, u64, bool)> = others
            .iter()
            .flat_map(|(button, down)| [(*button, *down, true), (*button, down + 80 * MS, false)])
            .collect();
        presses.sort_unstable_by_key(|(_, at, _)| *at);
        let mut presses = VecDeque::from(presses);
        while self.now < end {
            let muted = self.core.is_muted(WHITE, at(self.now));
            let noise =
                (!muted).then_some(if self.queue.is_empty() { self.next.0 } else { self.now });
            let noise = noise.filter(|at| *at <= self.ends);
            let press = presses.front().map(|(_, at, _)| *at);
            let wake = noise.into_iter().chain(press).chain(self.deadline).min().unwrap_or(end);
            self.now = self.now.max(wake.min(end));
            if wake > end {
                break;
            }
            self.make_noise();
            let start = self.now;
            while let Some((button, nanos, active)) =
                presses.pop_front_if(|(_, at, _)| *at <= start)
            {
                self.core.edge(button, Edge { at: at(nanos), active });
            }
            if !self.core.is_muted(WHITE, at(start)) {
                self.read();
            }
            let decided = self.now;
            let wake = self.core.step(at(start), &mut |update| {
                found.push((update.cause, update.at.as_nanos(), decided));
            });
            self.deadline = wake.map(Instant::as_nanos);
            self.now += READ;
        }
        found
    }
}

fn noisy(interval: u64, ends: u64) -> NoisyLine {
    let (queue, next) = (VecDeque::new(), (100 * MS, true));
    let core = running();
    NoisyLine {
        core,
        now: 10 * MS,
        interval,
        ends,
        queue,
        next,
        deadline: None,
        at_rest: false,
        records: 0,
    }
}

#[test]
fn noise_of_any_rate_delays_nothing_else_for_more_than_50_ms() {
    const FLAG: u64 = 1_000_000_001;
    for interval in [200, 1000, 3000, 10_000, 20_000, 24_000, 50_000, 400_000, 900_000] {
        let mut line = noisy(interval, u64::MAX);
        let found = line.run(&[(BLACK, 300 * MS), (BLACK, 600 * MS)], 1200 * MS);
        let what: Vec<(Cause, u64)> = found.iter().map(|(cause, at, _)| (*cause, *at)).collect();
        let expected = [
            (Cause::ignored_press(Side::Black), 300 * MS),
            (Cause::ignored_press(Side::Black), 600 * MS),
            (Cause::flag(Side::White, 1), FLAG),
        ];
        assert_eq!(what, expected, "every {interval} ns");
        for (cause, at, decided) in &found {
            assert!(decided - at <= 52 * MS, "{cause:?}, every {interval} ns: {}", decided - at);
        }
        assert!(line.core.counts().noise > 0, "every {interval} ns");
    }
}

#[test]
fn a_line_that_floods_the_loop_is_left_unread_for_most_of_the_time() {
    for interval in [200, 1000, 3000, 10_000, 20_000] {
        let mut line = noisy(interval, u64::MAX);
        line.run(&[], 1100 * MS);
        // Up to 1280 edges are read before the first mute, and up to 64 before each further mute.
        // There are at most a hundred mutes in a second. The reading that exceeds a limit can take
        // 64 edges more (`LineReading::CAPACITY`).
        let most = 1280 + 64 + 100 * (64 + 64);
        assert!(line.records <= most, "every {interval} ns: {} records", line.records);
    }
}

#[test]
fn a_button_works_again_after_its_noise() {
    for interval in [200, 3000, 20_000, 50_000] {
        let mut line = noisy(interval, 400 * MS);
        line.run(&[], 500 * MS);
        let found = line.run(&[(WHITE, 600 * MS)], 700 * MS);
        let what: Vec<(Cause, u64)> = found.iter().map(|(cause, at, _)| (*cause, *at)).collect();
        assert_eq!(what, [(Cause::press(Side::White), 600 * MS)], "every {interval} ns");
    }
}
