//! The clauses that rulings and refusals cite, and the titles of their sources.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

mod editions;

use super::profile::RuleSource;
use core::fmt;

/// Defines an enumeration with the list of all its values.
macro_rules! topics {
    ($(#[$doc:meta])* $name:ident { $( $(#[$value_doc:meta])* $value:ident ),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $( $(#[$value_doc])* $value, )+
        }

        impl $name {
            /// All values, in the order of their definition.
            pub const ALL: &'static [$name] = &[$($name::$value),+];
        }
    };
}

topics! {
    /// A subject of the laws. For each subject, every source can have a clause of its own.
    Topic {
        /// Where the clock is placed, and so which button is White's.
        Placement,
        /// A player who is later than the default time.
        Default,
        /// Arrivals.
        Arrival,
        /// Handling the clock.
        Handling,
        /// A loss for undue force.
        Force,
        /// Who observes or claims a flag.
        FlagCall,
        /// A call or a claim by somebody who is neither a player nor the arbiter.
        Bystander,
        /// A call before a flag has fallen.
        NoFlag,
        /// A ruling on whether the moves were made, before a flag has fallen.
        NoFlagYet,
        /// A ruling that the moves were made, in the period in which all remaining moves are due.
        LastPeriod,
        /// Moves not made in the allotted time.
        MovesNotMade,
        /// Both flags have fallen.
        BothFlags,
        /// A player's stop of the clocks.
        Stop,
        /// The restart after a stop.
        Restart,
        /// Information shown on displays.
        Displays,
        /// Which phase of the game is a quickplay finish.
        QuickplayFinish,
        /// A claim in a quickplay finish under rules that have no such claims.
        NoQuickplayClaims,
        /// Who can claim a draw, and when.
        DrawClaim,
        /// The ruling on a draw claim.
        ClaimRuling,
        /// A postponed draw claim.
        Postponed,
        /// A claim that is decided before the arbiter has watched the game.
        Undecided,
        /// A rejected draw claim.
        Rejected,
        /// A ruling is final.
        Final,
        /// Who can claim a repetition of the position, and when.
        Repetition,
        /// Who can claim a draw after fifty moves, and when.
        FiftyMoves,
        /// What a claim of repetition or of fifty moves does.
        PositionClaim,
        /// The request for an increment.
        Request,
        /// An illegal move that was not completed.
        NothingCompleted,
        /// Illegal moves.
        IllegalMove,
        /// An illegal move to which the opponent has replied.
        RepliedTo,
        /// The arbiter's own award of a draw.
        ArbitersDraw,
        /// What the opponent of an illegal move can claim in time trouble.
        IllegalMoveClaim,
        /// Penalties.
        Penalties,
        /// The captains in the arbiter's place.
        Captains,
        /// The referral of a claim.
        Referral,
        /// The final position of a referred claim.
        ReferredPosition,
        /// The scoresheet of a referred claim.
        ReferredScoresheet,
        /// Unsupervised play: nobody rules at the board.
        Unsupervised,
        /// Unsupervised play: what the designated arbiter alone decides.
        DesignatedArbiter,
        /// Unsupervised play: a claim concludes the game.
        Concluded,
        /// The rules are announced before the start.
        Announced,
        /// The time control and the rules are fixed before the start.
        Fixed,
        /// With which time controls the rules can be used.
        Controls,
        /// Changes of the setting during the game.
        Setting,
        /// Adjournment.
        Adjournment,
    }
}

/// The clause that a profile with this source cites on this topic. `None` if the edition of this
/// source has no clause on it.
pub fn clause(topic: Topic, source: RuleSource) -> Option<&'static str> {
    match source {
        RuleSource::Handbook => editions::handbook(topic),
        RuleSource::Article6 => editions::article_6(topic),
        // Guidelines III belong to the Laws of 2023: one edition.
        RuleSource::GuidelinesIii | RuleSource::Fide2023 => editions::fide_2023(topic),
        RuleSource::Allegro => editions::allegro(topic),
        RuleSource::UsChess => editions::us_chess(topic),
        RuleSource::NoSource => None,
    }
}

/// The clause of this source that says the same as a clause that the clock cites without knowing
/// the profile; `None` if the source has no such clause.
pub(super) fn of_clock(general: &'static str, source: RuleSource) -> Option<&'static str> {
    use RuleSource::{Allegro, Article6, Fide2023, GuidelinesIii, Handbook, NoSource, UsChess};
    match (general, source) {
        // The Handbook's Article 6 has the numbers of the old Laws.
        ("S4 6.5", Handbook) => Some("S0 6.5"),
        ("S4 6.13", Handbook) => Some("S0 6.13"),
        ("S4 6.5", Fide2023 | GuidelinesIii) => Some("FIDE 6.6"),
        ("S4 6.13", Fide2023 | GuidelinesIii) => Some("FIDE 6.11"),
        ("S0 5.1", Fide2023 | GuidelinesIii) => Some("FIDE 5.1"),
        ("S0 13.4", Fide2023 | GuidelinesIii) => Some("FIDE 12.9"),
        (clause, Handbook | Article6) => Some(clause),
        (_, Fide2023 | GuidelinesIii | Allegro | UsChess | NoSource) => None,
    }
}

impl RuleSource {
    /// The title of the source as it stands before the number of a clause, for text that people
    /// read. It names the edition, because the numbers of the FIDE Laws change with each edition.
    pub const fn title(self) -> &'static str {
        match self {
            RuleSource::Handbook => "Chess Organisers' Handbook",
            RuleSource::GuidelinesIii => "FIDE Guidelines",
            RuleSource::Allegro => "Irish allegro rules",
            RuleSource::Article6 => "old FIDE Laws",
            RuleSource::Fide2023 => "FIDE Laws 2023",
            RuleSource::UsChess => "US Chess rules",
            RuleSource::NoSource => "",
        }
    }
}

/// The title of S1, from which no ruling and no refusal cites a clause.
const SUMMARY: &str = "Summary of the chess clock";

/// A clause with the title of its source; [`citation`] makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation<'a>(&'a str);

/// Formats a clause with the title of its source in place of the source's word, for text that
/// people read: `S0 6.9` becomes `Chess Organisers' Handbook 6.9`, and the word alone the title alone.
/// A clause of an unknown source is shown as it is.
pub const fn citation(clause: &str) -> Citation<'_> {
    Citation(clause)
}

impl fmt::Display for Citation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Citation(clause) = *self;
        let (word, number) = clause.split_once(' ').unwrap_or((clause, ""));
        let title = match RuleSource::from_word(word) {
            None if word == "S1" => SUMMARY,
            None | Some(RuleSource::NoSource) => return f.write_str(clause),
            // Guidelines I and III belong to the Laws of 2023, but have their own title.
            Some(RuleSource::Fide2023) if number.starts_with('I') => {
                RuleSource::GuidelinesIii.title()
            }
            Some(RuleSource::Fide2023) if number.starts_with("Guidelines") => {
                return f.write_str(clause);
            }
            Some(source) => source.title(),
        };
        f.write_str(title)?;
        if number.is_empty() { Ok(()) } else { write!(f, " {number}") }
    }
}

/// A text with a clause in parentheses, if there is one.
#[derive(Clone, Copy, Debug)]
pub struct Cited<T> {
    text: T,
    clause: Option<&'static str>,
}

impl<T> Cited<T> {
    /// The text with this clause.
    pub const fn new(text: T, clause: Option<&'static str>) -> Cited<T> {
        Cited { text, clause }
    }
}

impl<T: fmt::Display> fmt::Display for Cited<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)?;
        match self.clause {
            Some(clause) => write!(f, " ({})", citation(clause)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_has_the_title_of_the_source_in_place_of_its_word() {
        for (topic, source, shown) in [
            (Topic::FlagCall, RuleSource::Handbook, "Chess Organisers' Handbook 6.9"),
            (Topic::Referral, RuleSource::Handbook, "Chess Organisers' Handbook preface"),
            (Topic::BothFlags, RuleSource::GuidelinesIii, "FIDE Guidelines III.3"),
            (Topic::Restart, RuleSource::GuidelinesIii, "FIDE Laws 2023 6.11.3"),
            (Topic::DrawClaim, RuleSource::Allegro, "Irish allegro rules 7"),
            (Topic::Restart, RuleSource::Allegro, "old FIDE Laws 6.13c"),
            (Topic::Restart, RuleSource::Article6, "old FIDE Laws 6.13c"),
            (Topic::Restart, RuleSource::Fide2023, "FIDE Laws 2023 6.11.3"),
            (Topic::Penalties, RuleSource::Fide2023, "FIDE Laws 2023 12.9"),
            (Topic::Adjournment, RuleSource::Fide2023, "FIDE Guidelines I.1"),
            (Topic::RepliedTo, RuleSource::Fide2023, "FIDE Laws 2023 7.5.5"),
            (Topic::DrawClaim, RuleSource::UsChess, "US Chess rules 14H"),
        ] {
            let cited = clause(topic, source).map(|clause| citation(clause).to_string());
            assert_eq!(cited.as_deref(), Some(shown));
        }
        for (general, source, of_source) in [
            ("S4 6.13", RuleSource::Handbook, Some("S0 6.13")),
            ("S0 5.1", RuleSource::Handbook, Some("S0 5.1")),
            ("S4 6.13", RuleSource::Article6, Some("S4 6.13")),
            ("S4 6.13", RuleSource::Fide2023, Some("FIDE 6.11")),
            ("S0 5.1", RuleSource::GuidelinesIii, Some("FIDE 5.1")),
            ("S4 6.5", RuleSource::Allegro, None),
            ("S4 6.13", RuleSource::UsChess, None),
            ("S4 6.13", RuleSource::NoSource, None),
        ] {
            assert_eq!(of_clock(general, source), of_source, "{general} {source:?}");
        }
        assert_eq!(citation("FIDE Guidelines I").to_string(), "FIDE Guidelines I");
        assert_eq!(citation("X 1").to_string(), "X 1");
        assert_eq!(citation("S1 ¶3").to_string(), "Summary of the chess clock ¶3");
        assert_eq!(citation("S1").to_string(), "Summary of the chess clock");
        assert_eq!(citation("S4").to_string(), "old FIDE Laws");
    }
}
