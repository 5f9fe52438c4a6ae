//! The classes of traces, by name.

use std::fmt;

/// What the contacts of a trace do. The [crate's table](crate) describes each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the crate's table documents them, once")]
pub enum Class {
    Clean,
    Chatter,
    ReleaseChatter,
    Glitch,
    LightTouch,
    DoubleMake,
    EarlyReturn,
    SecondPress,
    Burst,
    LongBurst,
    BurstWhileHeld,
    Stuck,
    TwoAtOnce,
    Exchange,
    SettleShort,
    SettleExact,
    GapShort,
    GapExact,
    GapLong,
    ReleaseShort,
    ReleaseExact,
    ReleaseLong,
    AgeExact,
    AgeLong,
    GlitchBeforePress,
    BurstBeforePress,
    PressInLongBurst,
    GlitchAfterRelease,
    LostOpening,
    LostClosing,
    LostFirst,
    LostAtRelease,
    LostRelease,
    Merged,
    Overflow,
    OverflowLate,
}

/// Whether a trace can be played on a kernel. A trace cannot be played if it depends on single
/// nanoseconds, lasts too long, or needs the kernel to lose or merge edges.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Play {
    Kernel,
    Virtual,
}

use Play::{Kernel, Virtual};

const TABLE: [(Class, &str, Play); 36] = [
    (Class::Clean, "clean", Kernel),
    (Class::Chatter, "chatter", Kernel),
    (Class::ReleaseChatter, "release-chatter", Kernel),
    (Class::Glitch, "glitch", Kernel),
    (Class::LightTouch, "light-touch", Kernel),
    (Class::DoubleMake, "double-make", Kernel),
    (Class::EarlyReturn, "early-return", Kernel),
    (Class::SecondPress, "second-press", Kernel),
    (Class::Burst, "burst", Kernel),
    (Class::LongBurst, "long-burst", Kernel),
    (Class::BurstWhileHeld, "burst-while-held", Kernel),
    (Class::Stuck, "stuck", Virtual),
    (Class::TwoAtOnce, "two-at-once", Kernel),
    (Class::Exchange, "exchange", Kernel),
    (Class::SettleShort, "settle-short", Virtual),
    (Class::SettleExact, "settle-exact", Virtual),
    (Class::GapShort, "gap-short", Virtual),
    (Class::GapExact, "gap-exact", Virtual),
    (Class::GapLong, "gap-long", Virtual),
    (Class::ReleaseShort, "release-short", Virtual),
    (Class::ReleaseExact, "release-exact", Virtual),
    (Class::ReleaseLong, "release-long", Virtual),
    (Class::AgeExact, "age-exact", Virtual),
    (Class::AgeLong, "age-long", Virtual),
    (Class::GlitchBeforePress, "glitch-before-press", Kernel),
    (Class::BurstBeforePress, "burst-before-press", Kernel),
    (Class::PressInLongBurst, "press-in-long-burst", Virtual),
    (Class::GlitchAfterRelease, "glitch-after-release", Kernel),
    (Class::LostOpening, "lost-opening", Virtual),
    (Class::LostClosing, "lost-closing", Virtual),
    (Class::LostFirst, "lost-first", Virtual),
    (Class::LostAtRelease, "lost-at-release", Virtual),
    (Class::LostRelease, "lost-release", Virtual),
    (Class::Merged, "merged", Virtual),
    (Class::Overflow, "overflow", Virtual),
    (Class::OverflowLate, "overflow-late", Virtual),
];

impl Class {
    /// How many classes there are.
    pub const COUNT: usize = TABLE.len();

    /// All classes, in the order of the table.
    pub fn all() -> impl Iterator<Item = Class> {
        TABLE.iter().map(|(class, ..)| *class)
    }

    /// The name in the table and in reports.
    pub const fn as_str(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// Whether traces of this class can be played on a kernel's line.
    pub fn is_playable(self) -> bool {
        TABLE[self as usize].2 == Kernel
    }

    /// Whether the kernel drops edges of the traces of this class because the kernel's queue is
    /// full.
    pub const fn loses_edges(self) -> bool {
        matches!(
            self,
            Class::LostOpening
                | Class::LostClosing
                | Class::LostFirst
                | Class::LostAtRelease
                | Class::LostRelease
                | Class::Overflow
                | Class::OverflowLate
        )
    }

    /// Whether noise in the traces of this class reaches [`crate::MAX_CANDIDATE_AGE`], so that the
    /// answer depends on the exact stamp of the first edge.
    pub const fn is_cut_off(self) -> bool {
        matches!(
            self,
            Class::LongBurst | Class::AgeExact | Class::AgeLong | Class::PressInLongBurst
        )
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_classes() {
        for (place, class) in Class::all().enumerate() {
            assert_eq!(class as usize, place, "{class}");
        }
    }
}
