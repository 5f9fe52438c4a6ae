//! The clauses of each edition of the laws, by topic.

use super::Topic;

/// The Chess Organisers' Handbook: Articles 6 and 10, the articles to which they refer, and the
/// preface of the league.
pub(super) const fn handbook(topic: Topic) -> Option<&'static str> {
    Some(match topic {
        Topic::Fixed => "S0 6.2a",
        Topic::Placement => "S0 6.4",
        Topic::Arrival => "S0 6.6",
        Topic::Default => "S0 6.7",
        Topic::Handling | Topic::Force => "S0 6.8c",
        Topic::FlagCall | Topic::Bystander | Topic::NoFlag | Topic::NoFlagYet => "S0 6.9",
        Topic::LastPeriod | Topic::MovesNotMade => "S0 6.10",
        Topic::BothFlags => "S0 6.12",
        Topic::Restart => "S0 6.13c",
        Topic::Stop => "S0 6.13d",
        Topic::IllegalMove | Topic::NothingCompleted | Topic::RepliedTo => "S0 6.14",
        Topic::Displays => "S0 6.15",
        Topic::QuickplayFinish | Topic::NoQuickplayClaims => "S0 10.1",
        // The only claim that Article 10 knows.
        Topic::DrawClaim
        | Topic::Repetition
        | Topic::FiftyMoves
        | Topic::PositionClaim
        | Topic::Request => "S0 10.2",
        Topic::ClaimRuling | Topic::Undecided | Topic::ArbitersDraw => "S0 10.2a",
        Topic::Postponed => "S0 10.2b",
        Topic::Rejected => "S0 10.2c",
        Topic::Final => "S0 10.2d",
        Topic::Penalties => "S0 13.4",
        Topic::Captains | Topic::Referral | Topic::ReferredPosition | Topic::ReferredScoresheet => {
            "S0 preface"
        }
        Topic::IllegalMoveClaim
        | Topic::Unsupervised
        | Topic::DesignatedArbiter
        | Topic::Concluded
        | Topic::Announced
        | Topic::Controls
        | Topic::Setting
        | Topic::Adjournment => return None,
    })
}

/// The old FIDE Laws: Article 6. The Handbook prints the other articles of the same edition (5, 10
/// and 13.4), so those are cited from there.
pub(super) const fn article_6(topic: Topic) -> Option<&'static str> {
    Some(match topic {
        Topic::Fixed => "S4 6.2a",
        Topic::Placement => "S4 6.4",
        Topic::Arrival => "S4 6.6",
        Topic::Default => "S4 6.7",
        Topic::Handling | Topic::Force => "S4 6.8c",
        Topic::FlagCall | Topic::Bystander | Topic::NoFlag | Topic::NoFlagYet => "S4 6.9",
        Topic::LastPeriod | Topic::MovesNotMade => "S4 6.10",
        Topic::BothFlags => "S4 6.12",
        Topic::Restart => "S4 6.13c",
        Topic::Stop => "S4 6.13d",
        Topic::IllegalMove | Topic::NothingCompleted | Topic::RepliedTo => "S4 6.14",
        Topic::Displays => "S4 6.15",
        // The preface is the league's, not FIDE's.
        Topic::Captains | Topic::Referral | Topic::ReferredPosition | Topic::ReferredScoresheet => {
            return None;
        }
        _ => return handbook(topic),
    })
}

/// The FIDE Laws in force from 1 January 2023, with their Guidelines I and III.
pub(super) const fn fide_2023(topic: Topic) -> Option<&'static str> {
    Some(match topic {
        Topic::Handling | Topic::Force => "FIDE 6.2.4",
        Topic::LastPeriod => "FIDE 6.3",
        Topic::Fixed => "FIDE 6.3.1",
        Topic::Placement => "FIDE 6.5",
        Topic::Default => "FIDE 6.7",
        Topic::Arrival => "FIDE 6.7.1",
        Topic::FlagCall | Topic::Bystander | Topic::NoFlag => "FIDE 6.8",
        Topic::MovesNotMade => "FIDE 6.9",
        Topic::Restart => "FIDE 6.11.3",
        Topic::Stop => "FIDE 6.11.4",
        Topic::Displays => "FIDE 6.12.2",
        Topic::IllegalMove | Topic::NothingCompleted | Topic::RepliedTo => "FIDE 7.5.5",
        Topic::Repetition => "FIDE 9.2",
        Topic::FiftyMoves => "FIDE 9.3",
        Topic::PositionClaim => "FIDE 9.5",
        Topic::NoFlagYet => "FIDE 12.6",
        Topic::Penalties => "FIDE 12.9",
        Topic::Setting => "FIDE A.5.1.1",
        Topic::Adjournment => "FIDE I.1",
        Topic::QuickplayFinish => "S2 III.1",
        Topic::NoQuickplayClaims | Topic::Announced => "S2 III.2.1",
        Topic::Controls => "S2 III.2.2",
        Topic::BothFlags => "S2 III.3",
        Topic::Request => "S2 III.4",
        Topic::DrawClaim => "S2 III.5",
        Topic::ClaimRuling | Topic::Undecided => "S2 III.5.1",
        Topic::Postponed => "S2 III.5.2",
        Topic::Rejected => "S2 III.5.3",
        Topic::Unsupervised => "S2 III.6",
        Topic::Concluded => "S2 III.6.1",
        Topic::ReferredPosition => "S2 III.6.1.1",
        Topic::ReferredScoresheet => "S2 III.6.1.2",
        Topic::Referral | Topic::DesignatedArbiter => "S2 III.6.2",
        Topic::Captains | Topic::IllegalMoveClaim | Topic::Final | Topic::ArbitersDraw => {
            return None;
        }
    })
}

/// The Irish allegro rules of 1996. Their rule 2 lets the FIDE Laws of that time hold otherwise.
pub(super) const fn allegro(topic: Topic) -> Option<&'static str> {
    Some(match topic {
        Topic::LastPeriod => "S3 1.1",
        Topic::QuickplayFinish => "S3 1.2",
        Topic::Handling => "S3 4.2",
        Topic::Stop => "S3 4.3",
        Topic::Force => "S3 4.4",
        Topic::IllegalMove => "S3 5.1",
        Topic::NothingCompleted | Topic::IllegalMoveClaim => "S3 5.2",
        Topic::RepliedTo => "S3 5.3",
        Topic::NoFlag | Topic::BothFlags => "S3 6.1",
        Topic::MovesNotMade => "S3 6.2",
        Topic::FlagCall | Topic::Bystander | Topic::NoFlagYet => "S3 6.3",
        Topic::DrawClaim
        | Topic::NoQuickplayClaims
        | Topic::ClaimRuling
        | Topic::Postponed
        | Topic::Rejected => "S3 7",
        Topic::ArbitersDraw => "S3 8",
        Topic::Undecided => "S3 10.1",
        _ => return article_6(topic),
    })
}

/// The rules of US Chess, as far as they concern the clock.
pub(super) const fn us_chess(topic: Topic) -> Option<&'static str> {
    Some(match topic {
        Topic::IllegalMove | Topic::NothingCompleted | Topic::RepliedTo => "US 11D",
        Topic::FlagCall
        | Topic::Bystander
        | Topic::NoFlag
        | Topic::NoFlagYet
        | Topic::LastPeriod
        | Topic::MovesNotMade => "US 13C",
        Topic::BothFlags => "US 14G",
        Topic::QuickplayFinish
        | Topic::NoQuickplayClaims
        | Topic::DrawClaim
        | Topic::ClaimRuling
        | Topic::Postponed
        | Topic::Undecided
        | Topic::Rejected
        | Topic::Controls => "US 14H",
        _ => return None,
    })
}
