//! A round of a player in a TRF.

/// One round of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Round {
    /// `None` for a bye.
    pub opponent: Option<u32>,
    /// `None` if the line has no colour.
    pub is_white: Option<bool>,
    pub outcome: Outcome,
}

/// What the column of the result has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Outcome {
    /// No result yet.
    Open,
    /// A result, in a capital letter.
    Letter(char),
}

impl Round {
    /// Whether nobody plays this game: it was forfeited, or it has no colour.
    pub fn is_not_played(&self) -> bool {
        self.is_white.is_none()
            || matches!(self.outcome, Outcome::Letter('+' | '-' | 'F' | 'H' | 'U'))
    }
}
