//! Contacts whose meaning no clock can know from the edges. For each of them, one verdict was
//! chosen, and a clock must always give this verdict. The documentation of the crate explains the
//! times N, G and R.

use crate::script::Script;
use crate::{GAP, MAX_CANDIDATE_AGE, RELEASE, SETTLE, Verdict};

const MS: u64 = 1_000_000;

pub fn glitch_before_press(script: &mut Script, line: usize, at: u64) {
    let opens = at + script.under(900_001);
    script.contact(line, (at, opens));
    let down = opens + script.under(GAP);
    let up = down + script.hold();
    script.contact(line, (down, up));
    script.expect(line, Verdict::Press, at);
}

pub fn burst_before_press(script: &mut Script, line: usize, at: u64) {
    let end = at + script.rng.span(MS, 25 * MS);
    press_after_burst(script, line, at, end);
}

pub fn press_in_long_burst(script: &mut Script, line: usize, at: u64) {
    let end = at + script.rng.span(MAX_CANDIDATE_AGE + MS, 3 * MAX_CANDIDATE_AGE);
    press_after_burst(script, line, at, end);
}

fn press_after_burst(script: &mut Script, line: usize, at: u64, end: u64) {
    let contacts = script.burst(at, end);
    let over = contacts.last().map_or(at, |(_, opens)| *opens);
    let down = over + script.under(GAP);
    let up = down + script.hold();
    script.noise(line, &contacts, Some((down, up)));
}

/// The glitch comes less than R after the release. The next press comes more than R after the
/// release, but less than R after the glitch.
pub fn glitch_after_release(script: &mut Script, line: usize, at: u64) {
    let up = at + script.hold();
    script.clean_press(line, at, up);
    let glitch = up + script.just_under(RELEASE * 3 / 5, RELEASE);
    let over = glitch + script.under(SETTLE);
    script.contact(line, (glitch, over));
    let down = over + script.just_under(RELEASE * 3 / 5, RELEASE);
    let up = down + script.hold();
    script.contact(line, (down, up));
}
