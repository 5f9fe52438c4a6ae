//! Contacts whose meaning is known: presses, bounces, glitches and interference. The documentation
//! of the crate explains the times N, G and R.

use crate::script::Script;
use crate::{GAP, LINES, MAX_CANDIDATE_AGE, Pace, RELEASE, SETTLE, STUCK, Verdict};

const MS: u64 = 1_000_000;

pub fn clean(script: &mut Script, line: usize, at: u64) {
    let up = at + script.hold();
    script.clean_press(line, at, up);
}

pub fn chatter(script: &mut Script, line: usize, at: u64) {
    script.chattering_press(line, at);
}

pub fn release_chatter(script: &mut Script, line: usize, at: u64) {
    let up = at + script.hold();
    script.clean_press(line, at, up);
    bounce_at_release(script, line, up);
}

/// Bounces within R of the first opening, some of them as long as a press.
fn bounce_at_release(script: &mut Script, line: usize, up: u64) {
    let closes = up + script.under(RELEASE / 2);
    let end = up + script.pace.below(RELEASE);
    let (bounces, _) = script.bounces(closes, end, 3 * SETTLE, RELEASE / 2);
    bounces.into_iter().for_each(|bounce| script.contact(line, bounce));
}

pub fn glitch(script: &mut Script, line: usize, at: u64) {
    let mut closes = at;
    for _ in 0..script.rng.between(1, 3) {
        let opens = closes + script.under(900_001);
        script.contact(line, (closes, opens));
        script.expect(line, Verdict::Rejected, closes);
        closes = opens + script.rng.span(script.pace.above(GAP), 60 * MS);
    }
}

pub fn light_touch(script: &mut Script, line: usize, at: u64) {
    let end = at + script.rng.span(200_000, 20 * MS);
    let (bounces, _) = script.bounces(at, end, SETTLE, GAP);
    bounces.into_iter().for_each(|bounce| script.contact(line, bounce));
    script.expect(line, Verdict::Rejected, at);
}

pub fn double_make(script: &mut Script, line: usize, at: u64) {
    let opens = at + script.under(SETTLE);
    let closes = opens + script.just_under(MS, GAP);
    let up = closes + script.hold();
    script.contact(line, (at, opens));
    script.contact(line, (closes, up));
    script.expect(line, Verdict::Press, at);
}

pub fn early_return(script: &mut Script, line: usize, at: u64) {
    let up = at + script.hold();
    script.clean_press(line, at, up);
    let closes = up + script.just_under(MS, RELEASE);
    let opens = closes + script.hold();
    script.contact(line, (closes, opens));
}

pub fn second_press(script: &mut Script, line: usize, at: u64) {
    let up = at + script.hold();
    script.clean_press(line, at, up);
    bounce_at_release(script, line, up);
    let rest = script.rng.span(script.pace.above(RELEASE), 2 * RELEASE);
    let down = script.last_opening(line) + rest;
    script.chattering_press(line, down);
}

pub fn burst(script: &mut Script, line: usize, at: u64) {
    // The burst lasts for about 25 ms at most, and the line then stays open for G (20 ms). So noise
    // is decided before it is 50 ms old.
    let end = at + script.rng.span(MS, 25 * MS);
    let contacts = script.burst(at, end);
    script.noise(line, &contacts, None);
}

pub fn long_burst(script: &mut Script, line: usize, at: u64) {
    let end = at + script.rng.span(MAX_CANDIDATE_AGE + MS, 3 * MAX_CANDIDATE_AGE);
    let contacts = script.burst(at, end);
    script.noise(line, &contacts, None);
}

pub fn burst_while_held(script: &mut Script, line: usize, at: u64) {
    let mut closes = at;
    let mut opens = at + script.hold();
    let end = opens + script.rng.span(MS, 40 * MS);
    while opens < end {
        script.contact(line, (closes, opens));
        closes = opens + script.half_period();
        opens = closes + script.half_period();
    }
    let up = closes + script.hold();
    script.contact(line, (closes, up));
    script.expect(line, Verdict::Press, at);
}

pub fn stuck(script: &mut Script, line: usize, at: u64) {
    let up = at + script.rng.span(STUCK + MS, 10 * STUCK);
    script.clean_press(line, at, up);
    script.expect(line, Verdict::Stuck, at);
}

pub fn two_at_once(script: &mut Script, line: usize, at: u64) {
    script.chattering_press(line, at);
    // On a kernel, one program plays both lines. It needs at least `shortest` between two edges.
    let least = if script.pace == Pace::EXACT { 0 } else { script.pace.shortest };
    let later = script.rng.between(least, least + 20_000);
    script.chattering_press(LINES - 1 - line, at + later);
}

/// Presses of both players in turn, as fast as possible.
pub fn exchange(script: &mut Script, line: usize, at: u64) {
    let mut down = at;
    for turn in 0..script.rng.between(2, 8) {
        let line = if turn % 2 == 0 { line } else { LINES - 1 - line };
        if !script.is_untouched(line) {
            down = down.max(script.last_opening(line) + script.pace.above(RELEASE));
        }
        let up = script.chattering_press(line, down);
        if script.rng.one_in(2) {
            bounce_at_release(script, line, up);
        }
        down += script.rng.span(script.pace.shortest, 100 * MS);
    }
}
