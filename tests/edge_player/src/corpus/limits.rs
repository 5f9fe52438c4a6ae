//! Contacts and gaps that last for N, G or R, or 1 ns less or more, and noise of the greatest age
//! or 1 ns more. The documentation of the crate explains these times.

use crate::script::Script;
use crate::{GAP, MAX_CANDIDATE_AGE, RELEASE, SETTLE, Verdict};

pub fn settle_short(script: &mut Script, line: usize, at: u64) {
    script.contact(line, (at, at + SETTLE - 1));
    script.expect(line, Verdict::Rejected, at);
}

pub fn settle_exact(script: &mut Script, line: usize, at: u64) {
    script.clean_press(line, at, at + SETTLE);
}

/// Adds one or several bounces. Returns the instant at which the last one opens.
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

/// Adds a bounce, then a gap of G or longer, then a press. The press is dated at the end of the
/// gap.
pub fn gap(script: &mut Script, line: usize, at: u64, gap: u64) {
    let closes = bounce(script, line, at) + gap;
    script.expect(line, Verdict::Rejected, at);
    let up = closes + script.hold();
    script.clean_press(line, closes, up);
}

pub fn release_short(script: &mut Script, line: usize, at: u64) {
    let up = at + script.hold();
    script.clean_press(line, at, up);
    let closes = up + RELEASE - 1;
    let opens = closes + script.hold();
    script.contact(line, (closes, opens));
}

/// Adds two presses, with an opening of R or longer between them.
pub fn release(script: &mut Script, line: usize, at: u64, release: u64) {
    let up = at + script.hold();
    script.clean_press(line, at, up);
    let down = up + release;
    let up = down + script.hold();
    script.clean_press(line, down, up);
}

/// A press that follows noise, and is decided `late` nanoseconds after the instant at which the
/// noise has reached the greatest age, 50 ms.
pub fn age(script: &mut Script, line: usize, at: u64, late: u64) {
    let down = at + MAX_CANDIDATE_AGE - SETTLE + late;
    let contacts = script.burst(at, down - GAP / 2);
    let up = down + script.hold();
    script.noise(line, &contacts, Some((down, up)));
}
