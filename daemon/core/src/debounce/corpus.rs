//! Plays a hundred thousand bouncing contacts through the debounce, in virtual time. Further tests
//! change one time or rule of the debounce, and show that some of these contacts then give wrong
//! presses.

use super::*;
use edge_player::{Class, LINES, Outcome, Pace, STUCK, Trace, Verdict, trace};
use std::collections::BTreeMap;

/// A little more than 100,000 traces, the same number of each class.
const TRACES: u64 = 2_800 * Class::COUNT as u64;
/// A test that changes one rule or one time of the debounce plays this many traces: 60 of each
/// class. For each class that the test names, at least one of the 60 traces then gives a wrong
/// press.
const MUTATED: u64 = 60 * Class::COUNT as u64;

/// The seed of the corpus. `EDGE_PLAYER_SEED` overrides it.
pub fn seed() -> u64 {
    let set = std::env::var("EDGE_PLAYER_SEED").ok();
    set.map_or(20_260_101, |set| set.parse().expect("EDGE_PLAYER_SEED is a number"))
}

/// How a test gives edges to the state machine of a line.
#[derive(Clone, Copy)]
enum Drive<'a> {
    /// The edges only.
    Edges,
    /// The edges, and calls of `advance` between them at random instants. The number is the state
    /// of the random generator.
    Looks(u64),
    /// The edges only. The function computes the date of a press from the stamp of its first edge
    /// and the instant of the decision.
    Dated(&'a dyn Fn(Instant, Instant) -> Instant),
    /// All edges, but without the edges to inactive on an idle line.
    NoOpenings,
}

/// A line, and the decisions about it.
struct Line {
    line: usize,
    machine: Debounce,
    found: Vec<Outcome>,
    stuck: Option<Instant>,
    /// The stamp of the latest edge.
    last: Instant,
}

impl Line {
    fn new(line: usize, times: Times) -> Line {
        let machine = Debounce::new(times, false, Instant::ZERO);
        Line { line, machine, found: Vec::new(), stuck: None, last: Instant::ZERO }
    }

    fn edge(&mut self, edge: Edge, drive: &mut Drive) {
        match drive {
            Drive::Edges => {}
            Drive::Looks(state) => self.look(edge.at, state),
            Drive::Dated(date) => self.step(edge.at, *date),
            Drive::NoOpenings => {
                self.advance(edge.at);
                let is_idle = self.machine.decides_at().is_none() && !self.machine.is_active();
                if is_idle && !edge.active {
                    return;
                }
            }
        }
        let (line, found) = (self.line, &mut self.found);
        self.machine.edge(edge, &mut |decision| found.push(outcome(line, decision)));
        // The button may have been stuck until this edge. `note_stuck` can run after the edge,
        // because a button that is releasing still counts as down.
        self.note_stuck(edge.at);
        self.last = edge.at;
    }

    fn advance(&mut self, horizon: Instant) {
        let (line, found) = (self.line, &mut self.found);
        self.machine.advance(horizon, &mut |decision| found.push(outcome(line, decision)));
    }

    /// Calls `advance` up to three times before the next edge, at instants that are drawn: exactly
    /// at the instant of a decision, one nanosecond before it, or at another instant. If the next
    /// edge comes less than 200 µs after the latest one, as in fast noise, this makes the calls for
    /// only one edge in eight, to save time.
    fn look(&mut self, next: Instant, state: &mut u64) {
        let is_fast = next.since(self.last) < Span::from_nanos(200_000);
        if is_fast && !draw(state).is_multiple_of(8) {
            return;
        }
        for _ in 0..3 {
            let drawn = draw(state);
            let due = self.machine.decides_at().filter(|due| *due <= next);
            let from = due.unwrap_or(next).as_nanos();
            let look = match drawn % 4 {
                0 => from,
                1 => from - 1,
                2 => (next.as_nanos() - drawn % 30_000_000).max(from - 1),
                _ => continue,
            };
            self.advance(Instant::from_nanos(look));
        }
    }

    /// Makes the due decisions one by one, so that the instant of each is known.
    fn step(&mut self, horizon: Instant, date: &dyn Fn(Instant, Instant) -> Instant) {
        while let Some(due) = self.machine.decides_at().filter(|due| *due <= horizon) {
            let (line, found) = (self.line, &mut self.found);
            self.machine.advance(due, &mut |decision| {
                let dated = match decision {
                    Decision::Press(first) => Decision::Press(date(first, due)),
                    other => other,
                };
                found.push(outcome(line, dated));
            });
        }
    }

    fn note_stuck(&mut self, now: Instant) {
        let stuck = self.machine.stuck_at().filter(|stuck| *stuck <= now);
        if stuck.is_some() && stuck != self.stuck {
            self.stuck = stuck;
            let at = stuck.map_or(0, |stuck| stuck.as_nanos() - STUCK);
            self.found.push(Outcome { at, line: self.line, verdict: Verdict::Stuck });
        }
    }

    fn finish(mut self, drive: &Drive) -> Vec<Outcome> {
        let end = Instant::from_nanos(u64::MAX);
        if let Drive::Dated(date) = drive {
            self.step(end, *date);
        }
        self.advance(end);
        self.found
    }
}

/// The next number of a linear congruential generator, good enough to choose instants.
pub fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
    *state >> 33
}

fn outcome(line: usize, decision: Decision) -> Outcome {
    let (at, verdict) = match decision {
        Decision::Press(at) => (at, Verdict::Press),
        Decision::Rejected(at) => (at, Verdict::Rejected),
        Decision::Noise(at) => (at, Verdict::Noise),
    };
    Outcome { at: at.as_nanos(), line, verdict }
}

/// Plays a trace. Returns all decisions about the first line, then all about the second, and so on.
/// The decisions about one line are in their order.
fn play(trace: &Trace, times: Times, mut drive: Drive) -> Vec<Outcome> {
    let mut lines: [Line; LINES] = std::array::from_fn(|line| Line::new(line, times));
    for edge in &trace.edges {
        let at = Instant::from_nanos(edge.at);
        lines[edge.line].edge(Edge { at, active: edge.active }, &mut drive);
    }
    lines.into_iter().flat_map(|line| line.finish(&drive)).collect()
}

/// The expected decisions, in the order in which [`play`] returns them.
fn expected(trace: &Trace) -> Vec<Outcome> {
    let mut expected = trace.expected.clone();
    expected.sort_by_key(|outcome| outcome.line);
    expected
}

fn check(pace: Pace, drive: impl Fn(u64) -> Drive<'static>) {
    let seed = seed();
    let mut presses = 0;
    for index in 0..TRACES {
        let trace = trace(seed, index, pace);
        let found = play(&trace, Times::default(), drive(index));
        let expected = expected(&trace);
        if pace == Pace::THREADED && trace.class.is_cut_off() {
            // With a late interrupt thread, the kernel's first edge can have a later stamp than the
            // first contact has. The instants of noise can then differ from the expected ones, so
            // only the number of presses is compared.
            assert_eq!(count_presses(&found), count_presses(&expected), "{trace:#?}");
        } else {
            assert_eq!(found, expected, "EDGE_PLAYER_SEED={seed}, trace {index}: {trace:#?}");
        }
        presses += trace.presses().count();
    }
    println!("{TRACES} traces, {presses} presses, none wrong");
}

fn count_presses(outcomes: &[Outcome]) -> usize {
    outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Press).count()
}

#[test]
fn every_press_of_the_corpus_is_found_at_its_first_contact_and_nothing_else() {
    check(Pace::EXACT, |_| Drive::Edges);
}

#[test]
fn calls_of_advance_between_the_edges_change_nothing() {
    check(Pace::EXACT, |index| Drive::Looks(seed() ^ index));
}

/// A press has the stamp of the edge that the kernel queued for its first contact. This stamp can
/// be later than the contact, but by no more than the delay of the interrupt's thread: a test of
/// the crate `edge_player` shows that.
#[test]
fn a_press_is_dated_late_by_the_interrupt_threads_delay_at_most() {
    check(Pace::THREADED, |_| Drive::Edges);
}

/// The number of traces with wrong presses, for each class.
fn wrong_presses(times: Times, drive: Drive) -> BTreeMap<&'static str, u64> {
    wrong_presses_at(Pace::EXACT, times, drive)
}

fn wrong_presses_at(pace: Pace, times: Times, drive: Drive) -> BTreeMap<&'static str, u64> {
    let seed = seed();
    let mut wrong = BTreeMap::new();
    for index in 0..MUTATED {
        let trace = trace(seed, index, pace);
        let is_press = |outcome: &Outcome| outcome.verdict == Verdict::Press;
        let found: Vec<Outcome> = play(&trace, times, drive).into_iter().filter(is_press).collect();
        if found != expected(&trace).into_iter().filter(is_press).collect::<Vec<_>>() {
            *wrong.entry(trace.class.as_str()).or_insert(0) += 1;
        }
    }
    wrong
}

/// Asserts that each of the classes in `by` has a wrong press because of the change that `mutation`
/// names. Other classes may have wrong presses, too.
fn assert_caught(mutation: &str, wrong: &BTreeMap<&str, u64>, by: &[Class]) {
    println!("{mutation}: {wrong:?}");
    for class in by {
        assert!(wrong.contains_key(class.as_str()), "{mutation} passes `{class}`: {wrong:?}");
    }
}

const SMALLEST: Span = Span::from_nanos(1);

#[test]
fn without_the_gap_presses_that_chatter_are_late() {
    let wrong = wrong_presses(Times { longest_bounce: SMALLEST, ..Times::default() }, Drive::Edges);
    let by = [Class::Chatter, Class::DoubleMake, Class::TwoAtOnce, Class::GapShort];
    assert_caught("no G", &wrong, &by);
    assert!(!wrong.contains_key("clean"), "{wrong:?}");
}

#[test]
fn without_the_settle_time_noise_counts_as_presses() {
    let wrong = wrong_presses(Times { settle: SMALLEST, ..Times::default() }, Drive::Edges);
    let by = [Class::Glitch, Class::LightTouch, Class::Burst, Class::LongBurst, Class::SettleShort];
    assert_caught("no N", &wrong, &by);
    assert!(!wrong.contains_key("clean"), "{wrong:?}");
}

#[test]
fn without_the_release_time_one_press_counts_twice() {
    let wrong = wrong_presses(Times { release: SMALLEST, ..Times::default() }, Drive::Edges);
    let by = [Class::ReleaseChatter, Class::EarlyReturn, Class::ReleaseShort, Class::Chatter];
    assert_caught("no R", &wrong, &by);
    assert!(!wrong.contains_key("clean"), "{wrong:?}");
}

#[test]
fn without_the_backdating_presses_are_late() {
    let decided = wrong_presses(Times::default(), Drive::Dated(&|_, due| due));
    let by: Vec<Class> =
        Class::all().filter(|class| decided.contains_key(class.as_str())).collect();
    assert!(by.len() >= 30, "every class with a press must notice: {decided:?}");
    assert_caught("dated when decided", &decided, &[Class::Clean, Class::Chatter, Class::Exchange]);
    // The date that `last` computes is right for a clean press. For any other press that date is
    // too late, by the duration of the bouncing.
    let last =
        |_, due: Instant| Instant::from_nanos(due.as_nanos() - Times::default().settle.as_nanos());
    let wrong = wrong_presses(Times::default(), Drive::Dated(&last));
    let by = [Class::Chatter, Class::DoubleMake, Class::TwoAtOnce, Class::GapShort];
    assert_caught("dated at the last contact", &wrong, &by);
    assert!(!wrong.contains_key("clean"), "{wrong:?}");
}

#[test]
fn without_candidates_on_openings_presses_with_short_first_contacts_are_late() {
    let wrong = wrong_presses(Times::default(), Drive::NoOpenings);
    assert_caught("no candidate on an opening", &wrong, &[Class::Merged, Class::LostFirst]);
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    // With the delays of a real interrupt thread, presses of more classes are wrong. A first bounce
    // that is shorter than the delay gives only an edge to inactive, and this edge is left out
    // here.
    let wrong = wrong_presses_at(Pace::THREADED, Times::default(), Drive::NoOpenings);
    let by = [Class::Chatter, Class::DoubleMake, Class::TwoAtOnce, Class::Exchange];
    assert_caught("no candidate on an opening, late thread", &wrong, &by);
    assert!(!wrong.contains_key("clean"), "{wrong:?}");
}

/// The crate `edge_player` has constants of its own for the debounce times. They must equal
/// `Times::default()`.
#[test]
fn the_corpus_is_drawn_for_the_default_times() {
    let times = Times::default();
    let stuck = times.stuck.expect("a button can be stuck");
    let ours = [times.settle, times.longest_bounce, times.release, MAX_CANDIDATE_AGE, stuck];
    use edge_player::{GAP, RELEASE, SETTLE};
    assert_eq!(
        ours.map(Span::as_nanos),
        [SETTLE, GAP, RELEASE, edge_player::MAX_CANDIDATE_AGE, STUCK]
    );
}
