//! The clauses that rulings and refusals cite, and the titles of their sources.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::profile::RuleSource;
use core::fmt;

/// A subject of the laws. For each subject, every source can have a clause of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
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
    /// Penalties.
    Penalties,
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

/// The clause that a profile with this source cites on this topic.
pub fn clause(topic: Topic, source: RuleSource) -> &'static str {
    use RuleSource::{Allegro, Article6, Fide2023, GuidelinesIii, Handbook, UsChess};
    // The clauses of the Handbook's Article 6 have the same numbers as those of FIDE Article 6.
    let article6 = |handbook: &'static str, fide: &'static str| match source {
        Handbook => handbook,
        _ => fide,
    };
    let quickplay = |s0, s2, s3, us| match source {
        GuidelinesIii => s2,
        Allegro => s3,
        UsChess => us,
        Handbook | Article6 | Fide2023 => s0,
    };
    match topic {
        Topic::Placement => article6("S0 6.4", "S4 6.4"),
        Topic::Default => match source {
            Fide2023 => "FIDE 6.7",
            _ => article6("S0 6.7", "S4 6.7"),
        },
        Topic::Arrival => article6("S0 6.6", "S4 6.6"),
        Topic::Handling => article6("S0 6.8c", "S4 6.8c"),
        Topic::Force => "S3 4.4",
        Topic::FlagCall => match source {
            UsChess => "US 13C",
            Allegro => "S3 6.3",
            _ => article6("S0 6.9", "S4 6.9"),
        },
        Topic::NoFlag => match source {
            Allegro => "S3 6.1",
            _ => clause(Topic::FlagCall, source),
        },
        Topic::NoFlagYet => match source {
            Fide2023 => "FIDE 12.6",
            _ => clause(Topic::FlagCall, source),
        },
        Topic::LastPeriod => match source {
            Allegro => "S3 1.1",
            Fide2023 => "FIDE 6.3",
            _ => article6("S0 6.10", "S4 6.10"),
        },
        Topic::Bystander => "S0 6.9",
        Topic::MovesNotMade => article6("S0 6.10", "S4 6.10"),
        Topic::BothFlags => match source {
            Handbook => "S0 6.12",
            GuidelinesIii | Fide2023 => "S2 III.3",
            Allegro => "S3 6.1",
            UsChess => "US 14G",
            Article6 => "S4 6.12",
        },
        Topic::Stop => match source {
            Allegro => "S3 4.3",
            _ => article6("S0 6.13d", "S4 6.13d"),
        },
        Topic::Restart => article6("S0 6.13c", "S4 6.13c"),
        Topic::Displays => match source {
            Fide2023 | GuidelinesIii => "FIDE 6.12.2",
            _ => article6("S0 6.15", "S4 6.15"),
        },
        Topic::QuickplayFinish => quickplay("S0 10.1", "S2 III.1", "S3 1.2", "US 14H"),
        Topic::NoQuickplayClaims => match source {
            Fide2023 => "S2 III.2.1",
            _ => "S0 10.1",
        },
        Topic::DrawClaim => quickplay("S0 10.2", "S2 III.5", "S3 7", "US 14H"),
        Topic::ClaimRuling => quickplay("S0 10.2a", "S2 III.5.1", "S3 7", "US 14H"),
        Topic::Postponed => quickplay("S0 10.2b", "S2 III.5.2", "S3 7", "US 14H"),
        Topic::Undecided => quickplay("S0 10.2a", "S2 III.5.1", "S3 10.1", "US 14H"),
        Topic::Rejected => quickplay("S0 10.2c", "S2 III.5.3", "S3 7", "US 14H"),
        Topic::Final => "S0 10.2d",
        Topic::Repetition => "FIDE 9.2",
        Topic::FiftyMoves => "FIDE 9.3",
        Topic::PositionClaim => "FIDE 9.5",
        Topic::Request => "S2 III.4",
        Topic::NothingCompleted => match source {
            Allegro => "S3 5.2",
            _ => clause(Topic::IllegalMove, source),
        },
        Topic::IllegalMove => match source {
            Allegro => "S3 5.1",
            UsChess => "US 11D",
            _ => "FIDE 7.5.5",
        },
        Topic::RepliedTo => match source {
            Allegro => "S3 5.3",
            _ => clause(Topic::IllegalMove, source),
        },
        Topic::ArbitersDraw => "S3 8",
        Topic::Penalties => match source {
            Fide2023 => "FIDE 12.9",
            _ => "S0 13.4",
        },
        Topic::Referral => quickplay("S0 preface", "S2 III.6.2", "S0 preface", "S0 preface"),
        Topic::ReferredPosition => {
            quickplay("S0 preface", "S2 III.6.1.1", "S0 preface", "S0 preface")
        }
        Topic::ReferredScoresheet => {
            quickplay("S0 preface", "S2 III.6.1.2", "S0 preface", "S0 preface")
        }
        Topic::Unsupervised => "S2 III.6",
        Topic::DesignatedArbiter => "S2 III.6.2",
        Topic::Concluded => "S2 III.6.1",
        Topic::Announced => "S2 III.2.1",
        Topic::Fixed => article6("S0 6.2a", "S4 6.2a"),
        Topic::Controls => match source {
            UsChess => "US 14H",
            _ => "S2 III.2.2",
        },
        Topic::Setting => "FIDE A.5.1.1",
        Topic::Adjournment => "FIDE I.1",
    }
}

/// The clause of this source that says the same as a clause that the clock cites without knowing
/// the profile; `None` if the source has no such clause.
pub(super) fn of_clock(general: &'static str, source: RuleSource) -> Option<&'static str> {
    use RuleSource::{Allegro, Article6, Fide2023, GuidelinesIii, Handbook, UsChess};
    match (general, source) {
        // The Handbook's Article 6 has the numbers of FIDE's.
        ("S4 6.5", Handbook) => Some("S0 6.5"),
        ("S4 6.13", Handbook) => Some("S0 6.13"),
        (clause, Handbook) => Some(clause),
        (clause, Article6 | Fide2023 | GuidelinesIii) if clause.starts_with("S4 ") => Some(clause),
        (_, Article6 | Fide2023 | GuidelinesIii | Allegro | UsChess) => None,
    }
}

impl RuleSource {
    /// The title of the source as it stands before the number of a clause, for text that people
    /// read.
    pub const fn title(self) -> &'static str {
        match self {
            RuleSource::Handbook => "Chess Organisers' Handbook",
            RuleSource::GuidelinesIii => "FIDE Guidelines",
            RuleSource::Allegro => "Irish allegro rules",
            RuleSource::Article6 | RuleSource::Fide2023 => "FIDE Laws",
            RuleSource::UsChess => "US Chess rules",
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
            None => return f.write_str(clause),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_has_the_title_of_the_source_in_place_of_its_word() {
        for (topic, source, shown) in [
            (Topic::FlagCall, RuleSource::Handbook, "Chess Organisers' Handbook 6.9"),
            (Topic::Referral, RuleSource::Handbook, "Chess Organisers' Handbook preface"),
            (Topic::BothFlags, RuleSource::GuidelinesIii, "FIDE Guidelines III.3"),
            (Topic::DrawClaim, RuleSource::Allegro, "Irish allegro rules 7"),
            (Topic::Restart, RuleSource::Article6, "FIDE Laws 6.13c"),
            (Topic::Penalties, RuleSource::Fide2023, "FIDE Laws 12.9"),
            (Topic::Adjournment, RuleSource::Fide2023, "FIDE Guidelines I.1"),
            (Topic::RepliedTo, RuleSource::Fide2023, "FIDE Laws 7.5.5"),
            (Topic::DrawClaim, RuleSource::UsChess, "US Chess rules 14H"),
        ] {
            assert_eq!(citation(clause(topic, source)).to_string(), shown);
        }
        for (general, source, of_source) in [
            ("S4 6.13", RuleSource::Handbook, Some("S0 6.13")),
            ("S0 5.1", RuleSource::Handbook, Some("S0 5.1")),
            ("S4 6.13", RuleSource::Fide2023, Some("S4 6.13")),
            ("S0 5.1", RuleSource::Fide2023, None),
            ("S4 6.5", RuleSource::Allegro, None),
            ("S4 6.13", RuleSource::UsChess, None),
        ] {
            assert_eq!(of_clock(general, source), of_source, "{general} {source:?}");
        }
        assert_eq!(citation("FIDE Guidelines I").to_string(), "FIDE Guidelines I");
        assert_eq!(citation("X 1").to_string(), "X 1");
        assert_eq!(citation("S1 ¶3").to_string(), "Summary of the chess clock ¶3");
        assert_eq!(citation("S1").to_string(), "Summary of the chess clock");
        assert_eq!(citation("S4").to_string(), "FIDE Laws");
    }
}
