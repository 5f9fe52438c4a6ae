//! A test with bouncing contacts on two lines at once. The kernel delays the edges and the loop
//! wakes up late, but every press must reach the clock, in the order of the stamps.

use super::tests::VirtualLoop;
use super::*;
use crate::Edge;
use crate::debounce::corpus::{draw, seed};
use clock_engine::rules::GameEventKind;
use clock_engine::{EventKind, Method, Side, Span};
use edge_player::{Class, Edge as Contact, Pace, Trace, Verdict, trace};
use std::collections::VecDeque;

const TRACES: u64 = 300 * Class::COUNT as u64;
/// How late the loop may wake up, in nanoseconds.
const MAX_OVERSLEEP: u64 = 60_000;
const SECOND: u64 = 1_000_000_000;

/// The edges that the loop has not read yet. Each has the instant from which it can be read.
struct Kernel {
    underway: [VecDeque<(u64, Contact)>; 2],
}

impl Kernel {
    /// The delay of each edge is random, up to the delivery window. The edges of a line stay in
    /// order.
    fn new(trace: &Trace, random: &mut u64) -> Kernel {
        let mut underway = [VecDeque::new(), VecDeque::new()];
        for edge in &trace.edges {
            let line: &mut VecDeque<(u64, Contact)> = &mut underway[edge.line];
            let before = line.back().map_or(0, |(arrives, _)| *arrives);
            let arrives = edge.at + draw(random) % (EDGE_DELIVERY_WINDOW.as_nanos() + 1);
            line.push_back((arrives.max(before), *edge));
        }
        Kernel { underway }
    }

    fn next(&self) -> Option<u64> {
        self.underway.iter().filter_map(|line| line.front()).map(|(arrives, _)| *arrives).min()
    }

    /// The level of a line at `now`. `read` is the level after the latest edge that the loop has
    /// read. `read` is returned if no later edge has a stamp up to `now`.
    fn level(&self, line: usize, now: u64, read: bool) -> bool {
        let changed = self.underway[line].iter().rev().find(|(_, edge)| edge.at <= now);
        changed.map_or(read, |(_, edge)| edge.active)
    }

    fn read(&mut self, line: usize, now: u64) -> Option<Edge> {
        let (_, edge) = self.underway[line].pop_front_if(|(arrives, _)| *arrives <= now)?;
        Some(Edge { at: Instant::from_nanos(edge.at), active: edge.active })
    }
}

/// Plays a trace. Returns the presses in the order in which the clock received them, and the counts
/// of the core.
fn play(trace: &Trace, random: &mut u64) -> (Vec<(u64, usize)>, Counts) {
    let control = Control::single(Span::from_secs(3_600_000), Method::None);
    let start = Instant::from_nanos(1);
    let mut core = VirtualLoop::new(control, Inputs::default(), [false; LINES], start);
    let mut kernel = Kernel::new(trace, random);
    let mut presses = Vec::new();
    let (mut now, mut wake) = (1, None);
    let end = trace.edges.last().map_or(0, |edge| edge.at) + SECOND;
    loop {
        let Some(next) = kernel.next().into_iter().chain(wake).min().filter(|next| *next < end)
        else {
            return (presses, core.counts());
        };
        now = now.max(next) + draw(random) % MAX_OVERSLEEP;
        for side in Side::BOTH {
            let button = Button::Player(side);
            while let Some(edge) = kernel.read(button.index(), now) {
                core.edge(button, edge);
            }
            // The level already includes the effect of edges that the loop has not read yet.
            core.levels[button.index()] =
                kernel.level(button.index(), now, core.levels[button.index()]);
        }
        let deadline = core.step(Instant::from_nanos(now), &mut |update| match update.cause {
            Cause::Event(GameEventKind::Clock(EventKind::Press { side, .. })) => {
                presses.push((update.at.as_nanos(), Button::Player(side).index()));
            }
            other => panic!("{other:?}: {trace:#?}"),
        });
        wake = deadline.map(Instant::as_nanos);
    }
}

#[test]
fn presses_reach_the_clock_in_the_order_of_their_first_contacts() {
    let seed = seed();
    for index in 0..TRACES {
        let trace = trace(seed, index, Pace::EXACT);
        let (mut found, counts) = play(&trace, &mut (seed ^ index));
        let say = || format!("EDGE_PLAYER_SEED={seed}, trace {index}: {trace:#?}");
        assert!(found.is_sorted_by_key(|(at, _)| *at), "{found:?} {}", say());
        // Two presses with the same stamp may come in any order.
        found.sort_unstable();
        let expected: Vec<_> = trace.presses().map(|press| (press.at, press.line)).collect();
        assert_eq!(found, expected, "{}", say());
        let count = |of: &[Verdict]| {
            let found = trace.expected.iter().filter(|outcome| of.contains(&outcome.verdict));
            found.count() as u64
        };
        let rejected = count(&[Verdict::Rejected, Verdict::Noise]);
        let noise = count(&[Verdict::Noise]);
        let expected = Counts { rejected, noise, ..Counts::default() };
        assert_eq!(counts, expected, "{}", say());
    }
}
