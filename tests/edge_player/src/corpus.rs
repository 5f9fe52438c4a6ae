//! Draws traces from a seed. The documentation of the crate explains the times N, G and R.

mod ambiguous;
mod contacts;
mod limits;
mod lost;

use crate::rng::Rng;
use crate::script::Script;
use crate::{Class, LINES, Trace};

/// How traces are drawn: to the nanosecond, or so that a kernel can play them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The shortest time of a contact or of a gap, in nanoseconds.
    pub shortest: u64,
    /// How far times stay away from N, G and R, in percent of these.
    pub slack_percent: u64,
    /// The longest time for which a button is held, in nanoseconds. Stuck buttons are held longer.
    pub longest_hold: u64,
    /// How late the kernel's interrupt thread runs at most, in nanoseconds: changes of a line that
    /// are closer together than that may become one record.
    pub thread_delay: u64,
}

impl Pace {
    /// Times to the nanosecond, also right at N, G and R.
    pub const EXACT: Pace =
        Pace { shortest: 1, slack_percent: 0, longest_hold: 2_000_000_000, thread_delay: 0 };

    /// Like [`Pace::EXACT`], with times to the nanosecond, but with an interrupt thread that runs
    /// between 0 and 100 µs after the interrupt. The delay of this thread can make a contact or a
    /// gap longer in the records. So the drawn times stay away from N, G and R by 10 %, which is at
    /// least 100 µs.
    pub const THREADED: Pace = Pace { slack_percent: 10, thread_delay: 100_000, ..Pace::EXACT };

    /// Traces whose answer stays the same if contacts and gaps are off by up to
    /// [`Pace::tolerance`]. Edges are at least `spacing` ns apart, because the kernel's interrupt
    /// thread needs this time to queue an edge.
    pub const fn kernel(spacing: u64) -> Pace {
        Pace { shortest: spacing, slack_percent: 30, longest_hold: 40_000_000, thread_delay: 0 }
    }

    /// By how many nanoseconds a contact or a gap may be longer or shorter than it was drawn,
    /// without a change of the answer.
    pub const fn tolerance(self) -> u64 {
        crate::SETTLE * self.slack_percent / 100
    }

    /// The longest time that counts as shorter than `limit` within the tolerance.
    pub(crate) const fn below(self, limit: u64) -> u64 {
        limit - limit * self.slack_percent / 100 - 1
    }

    /// The shortest time that counts as `limit` or longer within the tolerance.
    pub(crate) const fn above(self, limit: u64) -> u64 {
        limit + limit * self.slack_percent / 100
    }
}

/// The `index`th trace of a seed. The classes take turns.
pub fn trace(seed: u64, index: u64, pace: Pace) -> Trace {
    trace_of(class(index), Rng::of_trace(seed, index), pace)
}

fn class(index: u64) -> Class {
    let turn = usize::try_from(index % Class::COUNT as u64).expect("below COUNT, a usize");
    Class::all().nth(turn).expect("as many classes as COUNT")
}

/// The longest trace that is played on a kernel, in nanoseconds. A test plays thousands of them.
const LONGEST_PLAYED: u64 = 200_000_000;
/// How many times a trace is drawn at most. With two bouncing buttons, two edges are often too
/// close to each other for a kernel, and the trace is drawn again.
const REDRAWS: u64 = 100;

/// The `index`th trace of a seed if a kernel can play it: a playable class, all edges at least
/// `spacing` apart, and short. A trace that does not fit is drawn again, up to 100 times.
pub fn playable(seed: u64, index: u64, spacing: u64) -> Option<Trace> {
    let class = Some(class(index)).filter(|class| class.is_playable())?;
    let mut traces = (0..REDRAWS).map(|redraw| {
        // The upper bits of an index are zero, so no other trace has the seed of a redraw.
        let rng = Rng::of_trace(seed, index ^ redraw << 40);
        trace_of(class, rng, Pace::kernel(spacing))
    });
    traces.find(|trace| {
        let apart = trace.closest().is_none_or(|closest| closest >= spacing);
        apart && trace.duration() < LONGEST_PLAYED
    })
}

fn trace_of(class: Class, rng: Rng, pace: Pace) -> Trace {
    let mut script = Script::new(rng, pace);
    if !class.loses_edges() {
        script.merge_within(pace.thread_delay);
    }
    let start = script.rng.between(1_000_000_000, 1_000_000_000_000);
    let line = usize::from(script.rng.one_in(2));
    write(class, &mut script, line, start);
    other_player(&mut script, LINES - 1 - line, start);
    script.finish(class)
}

/// Adds a press of the other player, whose line is `line`, at about the same time and without
/// bounces. This is done in one of four traces, and only if the class of the trace has added no
/// contact to that line.
fn other_player(script: &mut Script, line: usize, start: u64) {
    if script.is_untouched(line) && script.rng.one_in(4) {
        let down = script.rng.between(start - 50_000_000, start + 100_000_000);
        let up = down + script.hold();
        script.clean_press(line, down, up);
    }
}

fn write(class: Class, script: &mut Script, line: usize, at: u64) {
    match class {
        Class::Clean => contacts::clean(script, line, at),
        Class::Chatter => contacts::chatter(script, line, at),
        Class::ReleaseChatter => contacts::release_chatter(script, line, at),
        Class::Glitch => contacts::glitch(script, line, at),
        Class::LightTouch => contacts::light_touch(script, line, at),
        Class::DoubleMake => contacts::double_make(script, line, at),
        Class::EarlyReturn => contacts::early_return(script, line, at),
        Class::SecondPress => contacts::second_press(script, line, at),
        Class::Burst => contacts::burst(script, line, at),
        Class::LongBurst => contacts::long_burst(script, line, at),
        Class::BurstWhileHeld => contacts::burst_while_held(script, line, at),
        Class::Stuck => contacts::stuck(script, line, at),
        Class::TwoAtOnce => contacts::two_at_once(script, line, at),
        Class::Exchange => contacts::exchange(script, line, at),
        Class::SettleShort => limits::settle_short(script, line, at),
        Class::SettleExact => limits::settle_exact(script, line, at),
        Class::GapShort => limits::gap_short(script, line, at),
        Class::GapExact => limits::gap(script, line, at, crate::GAP),
        Class::GapLong => limits::gap(script, line, at, crate::GAP + 1),
        Class::ReleaseShort => limits::release_short(script, line, at),
        Class::ReleaseExact => limits::release(script, line, at, crate::RELEASE),
        Class::ReleaseLong => limits::release(script, line, at, crate::RELEASE + 1),
        Class::AgeExact => limits::age(script, line, at, 0),
        Class::AgeLong => limits::age(script, line, at, 1),
        Class::GlitchBeforePress => ambiguous::glitch_before_press(script, line, at),
        Class::BurstBeforePress => ambiguous::burst_before_press(script, line, at),
        Class::PressInLongBurst => ambiguous::press_in_long_burst(script, line, at),
        Class::GlitchAfterRelease => ambiguous::glitch_after_release(script, line, at),
        Class::LostOpening => lost::opening(script, line, at),
        Class::LostClosing => lost::closing(script, line, at),
        Class::LostFirst => lost::first(script, line, at),
        Class::LostAtRelease => lost::at_release(script, line, at),
        Class::LostRelease => lost::release(script, line, at),
        Class::Merged => lost::merged(script, line, at),
        Class::Overflow => lost::overflow(script, line, at),
        Class::OverflowLate => lost::overflow_late(script, line, at),
    }
}

#[cfg(test)]
mod tests;
