//! What no clock can tell from its edges: the answer is chosen, and always the same.

use crate::script::Script;
use crate::{GAP, LONGEST, RELEASE, SETTLE, Verdict};

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
    let end = at + script.rng.span(MS, 40 * MS);
    press_after_burst(script, line, at, end);
}

pub fn press_in_long_burst(script: &mut Script, line: usize, at: u64) {
    let end = at + script.rng.span(LONGEST + MS, 3 * LONGEST);
    press_after_burst(script, line, at, end);
}

fn press_after_burst(script: &mut Script, line: usize, at: u64, end: u64) {
    let contacts = script.burst(at, end);
    let over = contacts.last().map_or(at, |(_, opens)| *opens);
    let down = over + script.under(GAP);
    let up = down + script.hold();
    script.noise(line, &contacts, Some((down, up)));
}

/// The glitch comes before R is over, and the next press more than R after the release, but less
/// than R after the glitch.
pub fn glitch_after_release(script: &mut Script, line: usize, at: u64) {
    let up = at + script.hold();
    script.finger(line, at, up);
    let glitch = up + script.just_under(RELEASE * 3 / 5, RELEASE);
    let over = glitch + script.under(SETTLE);
    script.contact(line, (glitch, over));
    let down = over + script.just_under(RELEASE * 3 / 5, RELEASE);
    let up = down + script.hold();
    script.contact(line, (down, up));
}
