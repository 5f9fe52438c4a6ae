//! Times at their limits, to the nanosecond.

use crate::script::Script;
use crate::{GAP, LONGEST, RELEASE, SETTLE, Verdict};

pub fn settle_short(script: &mut Script, line: usize, at: u64) {
    script.contact(line, (at, at + SETTLE - 1));
    script.expect(line, Verdict::Rejected, at);
}

pub fn settle_exact(script: &mut Script, line: usize, at: u64) {
    script.finger(line, at, at + SETTLE);
}

/// A bounce, perhaps one of several, and when it is over.
fn bounce(script: &mut Script, line: usize, at: u64) -> u64 {
    let end = at + script.rng.span(200_000, 10_000_000);
    let (bounces, _) = script.bounces(at, end, SETTLE, GAP);
    bounces.into_iter().for_each(|bounce| script.contact(line, bounce));
    script.last_opening(line)
}

pub fn gap_short(script: &mut Script, line: usize, at: u64) {
    let closes = bounce(script, line, at) + GAP - 1;
    let up = closes + script.hold();
    script.contact(line, (closes, up));
    script.expect(line, Verdict::Press, at);
}

/// A gap of G or longer parts the bounce from the press.
pub fn gap(script: &mut Script, line: usize, at: u64, gap: u64) {
    let closes = bounce(script, line, at) + gap;
    script.expect(line, Verdict::Rejected, at);
    let up = closes + script.hold();
    script.finger(line, closes, up);
}

pub fn release_short(script: &mut Script, line: usize, at: u64) {
    let up = at + script.hold();
    script.finger(line, at, up);
    let closes = up + RELEASE - 1;
    let opens = closes + script.hold();
    script.contact(line, (closes, opens));
}

/// A release of R or longer parts two presses.
pub fn release(script: &mut Script, line: usize, at: u64, release: u64) {
    let up = at + script.hold();
    script.finger(line, at, up);
    let down = up + release;
    let up = down + script.hold();
    script.finger(line, down, up);
}

/// A press out of noise, decided so much later than the 50 ms.
pub fn longest(script: &mut Script, line: usize, at: u64, late: u64) {
    let down = at + LONGEST - SETTLE + late;
    let contacts = script.burst(at, down - GAP / 2);
    let up = down + script.hold();
    script.noise(line, &contacts, Some((down, up)));
}
