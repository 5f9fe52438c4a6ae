//! The texts for the arbiter in a rule file: what to do in a situation in which the arbiter
//! decides.

/// The longest text for a situation, in characters.
pub const GUIDANCE_LIMIT: usize = 1000;

crate::words! {
    /// A situation in which the arbiter decides. A rule file can have a text for it, which the arbiter
    /// is shown. Its word is the key of that text in the table `[guidance]`.
    Situation {
        /// A flag has fallen or was called: were the moves made?
        Flag = "flag",
        /// Both flags have fallen: which one was first?
        FlagOrder = "flag-order",
        /// A player has stopped the clocks.
        Stop = "stop",
        /// A player claims a draw.
        Claim = "claim",
        /// A player requests an increment.
        Request = "request",
        /// A move was illegal.
        IllegalMove = "illegal-move",
        /// A player is late.
        Default = "default",
        /// A penalty is considered.
        Penalty = "penalty",
    }
}

/// The texts of a rule file: at most one for each situation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guidance([Option<String>; Situation::ALL.len()]);

impl Guidance {
    /// The text for this situation.
    pub fn get(&self, situation: Situation) -> Option<&str> {
        self.0[situation as usize].as_deref()
    }

    pub(super) fn set(&mut self, situation: Situation, text: String) {
        self.0[situation as usize] = Some(text);
    }
}
