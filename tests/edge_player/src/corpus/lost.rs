//! Edges that the kernel drops or merges. The documentation of the crate explains the times N, G
//! and R.

use crate::script::{Contact, Script};
use crate::{GAP, RELEASE, SETTLE, Verdict};

const MS: u64 = 1_000_000;
/// How many edges the kernel keeps for a line. It drops newer ones while there is no room.
const QUEUE: usize = 16;
/// How late the kernel's interrupt thread runs at most, in nanoseconds.
const THREAD_DELAY: u64 = 100_000;
/// The longest gap of chatter. It is so short that two gaps and an unrecorded bounce between them
/// together stay below G, and that ten gaps and bounces together stay below 50 ms.
const CHATTER_GAP: u64 = GAP / 8;

/// Adds `count` short bounces and a press. Returns all their contacts; the last one is the press.
fn chatter(script: &mut Script, line: usize, at: u64, count: u64) -> Vec<Contact> {
    let mut contacts = Vec::new();
    let mut closes = at;
    for _ in 0..count {
        let opens = closes + script.under(SETTLE);
        contacts.push((closes, opens));
        closes = opens + script.under(CHATTER_GAP);
    }
    let up = closes + script.hold();
    contacts.push((closes, up));
    contacts.iter().for_each(|contact| script.contact(line, *contact));
    contacts
}

/// A random index below `count`.
fn any(script: &mut Script, count: usize) -> usize {
    let most = count.saturating_sub(1) as u64;
    usize::try_from(script.rng.between(0, most)).expect("below a usize")
}

pub fn opening(script: &mut Script, line: usize, at: u64) {
    let count = script.rng.between(1, 10);
    let contacts = chatter(script, line, at, count);
    let (_, opens) = contacts[any(script, contacts.len() - 1)];
    script.lose(line, opens);
    script.expect(line, Verdict::Press, at);
}

pub fn closing(script: &mut Script, line: usize, at: u64) {
    let count = script.rng.between(2, 10);
    let contacts = chatter(script, line, at, count);
    // The lost closing is neither the first one, which would be another class, nor that of the
    // contact that stays closed.
    let (closes, _) = contacts[1 + any(script, contacts.len() - 2)];
    script.lose(line, closes);
    script.expect(line, Verdict::Press, at);
}

pub fn first(script: &mut Script, line: usize, at: u64) {
    let count = script.rng.between(1, 10);
    let contacts = chatter(script, line, at, count);
    script.lose(line, at);
    let (_, opens) = contacts[0];
    script.expect(line, Verdict::Press, opens);
}

pub fn at_release(script: &mut Script, line: usize, at: u64) {
    let up = at + script.hold();
    script.clean_press(line, at, up);
    let closes = up + script.under(RELEASE / 4);
    // Two neighbouring gaps, and the bounce between them, together stay below R.
    let (bounces, _) = script.bounces(closes, up + RELEASE, SETTLE, RELEASE / 4);
    let mut edges = vec![up];
    for &bounce in &bounces {
        script.contact(line, bounce);
        edges.extend([bounce.0, bounce.1]);
    }
    // The last edge is not removed, because then the whole release would be lost.
    let at = edges[any(script, edges.len() - 1)];
    script.lose(line, at);
}

pub fn release(script: &mut Script, line: usize, at: u64) {
    let up = at + script.hold();
    script.clean_press(line, at, up);
    script.lose(line, up);
    let down = up + script.rng.span(MS, 100 * MS);
    let opens = down + script.hold();
    script.contact(line, (down, opens));
}

pub fn merged(script: &mut Script, line: usize, at: u64) {
    script.merge_within(THREAD_DELAY);
    // This contact is mostly shorter than the delay of the interrupt thread, so that the first
    // record is an opening.
    let opens = at + script.under(THREAD_DELAY);
    script.contact(line, (at, opens));
    let next = opens + script.under(CHATTER_GAP);
    let count = script.rng.between(1, 9);
    chatter(script, line, next, count);
    script.expect(line, Verdict::Press, at);
}

pub fn overflow(script: &mut Script, line: usize, at: u64) {
    let (full, closes) = fill_queue(script, line, at);
    // The clock reads the level at `look`. The contact is then closed, and the last recorded edge
    // is less than G ago.
    let look = script.rng.between(closes, full + GAP - 1);
    stay(script, line, closes, look);
    script.expect(line, Verdict::Press, at);
}

pub fn overflow_late(script: &mut Script, line: usize, at: u64) {
    let (full, closes) = fill_queue(script, line, at);
    let look = full + script.rng.span(GAP, 200 * MS);
    stay(script, line, closes, look);
    script.expect(line, Verdict::Rejected, at);
    script.expect(line, Verdict::Press, look);
}

/// Adds chatter that fills the queue and then goes on for less than G without records. Returns the
/// last recorded edge, which is an opening, and the instant at which the contact closes for good.
fn fill_queue(script: &mut Script, line: usize, at: u64) -> (u64, u64) {
    let mut closes = at;
    let mut full = at;
    let recorded = QUEUE / 2;
    for bounce in 0..recorded + 2 {
        let opens = closes + script.under(SETTLE);
        script.contact(line, (closes, opens));
        if bounce < recorded {
            full = opens;
        } else {
            script.lose(line, closes);
            script.lose(line, opens);
        }
        closes = opens + script.under(SETTLE);
    }
    (full, closes)
}

/// The contact closes without a record, and the clock finds it closed at `look`. From `look` on,
/// the contact stays closed for as long as a button is held in a press.
fn stay(script: &mut Script, line: usize, closes: u64, look: u64) {
    let up = look + script.hold();
    script.contact(line, (closes, up));
    script.lose(line, closes);
    script.reread(line, look, true);
}
