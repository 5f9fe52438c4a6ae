//! Decides who may give which command.
//!
//! The bus policy lets only members of the group `arbiter` give commands. This module adds the
//! limits of a rule profile, which concern only a captain and the player whom the captains have
//! designated:
//!
//! - If the profile gives the arbiter's authority to the two captains, a captain has no authority
//!   at the board at which he plays. Before a captain or the designated player rules, he consults
//!   the qualified arbiter who is present, if there is one (S0 preface, Chess Organisers' Handbook).
//! - If the profile gives the authority to nobody, a captain enters no result (S2 III.6.2, FIDE
//!   Guidelines III).
//!
//! The menu decides who may give a command with the buttons of the clock. This module adds one limit:
//! in a game without an arbiter, the players enter no result once a claim has concluded the game (S2
//! III.6.2).

use super::info::GameInfo;
use clock_engine::rules::{
    Action, AgreedChange, Authority, Cited, Claimant, GameCommand, Profile, Ruling, Topic, clause,
};
use clock_engine::{Caller, Command, PerSide, Side, View};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The user ids of the captains, and of the player whom they have designated to rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Captains {
    /// The captains of the two teams.
    pub captains: PerSide<Option<u32>>,
    /// The player who rules in the place of a captain.
    pub designate: Option<u32>,
}

/// The capacity in which a user gives a command. It is written into the log and the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capacity {
    /// An arbiter: a member of the group `arbiter` who is neither a captain nor the designate.
    Arbiter,
    /// The captain of a team.
    Captain(Side),
    /// The player whom the captains have designated.
    Designate,
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Capacity::Arbiter => "arbiter",
            Capacity::Captain(Side::White) => "White's captain",
            Capacity::Captain(Side::Black) => "Black's captain",
            Capacity::Designate => "designate",
        })
    }
}

impl Captains {
    /// Returns the capacity of the user with the id `uid`. It is [`Capacity::Arbiter`] for a user
    /// who is neither a captain nor the designate. The capacity of a user whose id is not known
    /// (`None`) is [`Capacity::Arbiter`], too.
    pub fn capacity(&self, uid: Option<u32>) -> Capacity {
        let is = |known: Option<u32>| known.is_some() && known == uid;
        // One captain can be the designate of the other. He then acts as the designate, who rules at
        // every board.
        if is(self.designate) {
            return Capacity::Designate;
        }
        let captain = Side::BOTH.into_iter().find(|side| is(self.captains[*side]));
        captain.map_or(Capacity::Arbiter, Capacity::Captain)
    }
}

/// Checks whether this command may be given in this capacity at the board of `game`.
///
/// # Errors
///
/// A sentence that says why the command is not allowed. It ends with the clause that the rules of the
/// game cite, if there is one.
pub fn check(
    capacity: Capacity,
    command: &GameCommand,
    reason: &str,
    game: &GameInfo,
) -> Result<(), String> {
    let Some(Profile { authority, cites, .. }) = game.rules.as_ref().map(|rules| rules.profile())
    else {
        return Ok(());
    };
    let refused = |text: String, on: Topic| Err(Cited::new(text, clause(on, *cites)).to_string());
    let captain = match capacity {
        Capacity::Arbiter => return Ok(()),
        Capacity::Captain(side) => Some(side),
        Capacity::Designate => None,
    };
    match authority {
        Authority::Arbiter => Ok(()),
        Authority::Nobody if captain.is_some() && kind(command) == Kind::Result => refused(
            "a captain enters no result in unsupervised play; refer the claim, and the designated \
             arbiter enters it"
                .to_owned(),
            Topic::DesignatedArbiter,
        ),
        Authority::Nobody => Ok(()),
        Authority::Captains if kind(command) == Kind::ForAnyone => Ok(()),
        Authority::Captains if captain.is_some() && game.captain_plays == captain => refused(
            format!(
                "{capacity} plays at this board and has no authority here; the other captain, a \
                 designated player or a qualified arbiter decides"
            ),
            Topic::Captains,
        ),
        Authority::Captains if kind(command) == Kind::Ruling && !is_consulted(reason, game) => {
            refused(
                format!(
                    "a qualified arbiter is present: {0}; consult {0} first, and name {0} in the \
                 reason, such as \"consulted {0}\"",
                    game.present_arbiter
                ),
                Topic::Captains,
            )
        }
        Authority::Captains => Ok(()),
    }
}

/// Checks whether this command may be given with the buttons of the clock, where the players are.
/// `view` is what the clock shows.
///
/// # Errors
///
/// A sentence that says why the command is not allowed, as [`check`] returns it.
pub fn check_at_the_clock(
    command: &GameCommand,
    view: &View,
    game: &GameInfo,
) -> Result<(), String> {
    let Some(profile) = game.rules.as_ref().map(|rules| rules.profile()) else {
        return Ok(());
    };
    let is_concluded = view.claim.is_some_and(|claim| profile.claim_stops.conclude(claim.ground));
    if profile.authority != Authority::Nobody || !is_concluded || kind(command) != Kind::Result {
        return Ok(());
    }
    let text = "a claim has concluded the game, so the players enter no result; refer the claim, and \
                the designated arbiter enters it";
    Err(Cited::new(text.to_owned(), clause(Topic::DesignatedArbiter, profile.cites)).to_string())
}

/// Whether the qualified arbiter was consulted: the reason names that arbiter, in capital
/// or small letters, or no qualified arbiter is present.
fn is_consulted(reason: &str, game: &GameInfo) -> bool {
    let name = &game.present_arbiter;
    name.is_empty() || reason.to_lowercase().contains(&name.to_lowercase())
}

/// What a captain may do with a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A captain may give it, also at the board at which the captain plays, because a player may
    /// give it too or because it only notes something.
    ForAnyone,
    /// A captain, or the designated player, must consult the qualified arbiter before giving it.
    Ruling,
    /// It enters a result.
    Result,
    Other,
}

/// The kind of a command. The match has no `_`, so that a new command needs a decision.
fn kind(command: &GameCommand) -> Kind {
    let unless = |is_arbiter| if is_arbiter { Kind::Other } else { Kind::ForAnyone };
    match command {
        GameCommand::Clock(Command::Pause { by }) => unless(*by == Caller::Arbiter),
        GameCommand::Action(
            Action::ClaimFlag { by, .. }
            | Action::ClaimDraw { by, .. }
            | Action::RequestIncrement { by },
        ) => unless(*by == Claimant::Arbiter),
        GameCommand::Action(Action::Rule { ruling, .. }) => match ruling {
            Ruling::DrawAccepted | Ruling::DrawRefused => Kind::ForAnyone,
            // The call of a flag decides nothing.
            Ruling::Call => Kind::Other,
            _ => Kind::Ruling,
        },
        GameCommand::Action(
            Action::Arrive(_)
            | Action::RecordConfirmation { .. }
            | Action::Refer
            | Action::RecordAttachment { .. }
            | Action::Incident { .. },
        ) => Kind::ForAnyone,
        GameCommand::Action(Action::Penalize(_) | Action::IllegalMove { .. }) => Kind::Ruling,
        GameCommand::Clock(Command::Finish(_))
        | GameCommand::Action(Action::Result { .. })
        | GameCommand::ReplaceResult(_)
        | GameCommand::Agreed(AgreedChange::ReplaceResult(_)) => Kind::Result,
        GameCommand::Clock(
            Command::Start
            | Command::Resume { .. }
            | Command::Set(_)
            | Command::Add { .. }
            | Command::UndoPress
            | Command::Reopen
            | Command::New { .. },
        )
        | GameCommand::Action(
            Action::SetAssistant { .. }
            | Action::Adjourn { .. }
            | Action::ResumeAdjourned
            | Action::ChangeMethod { .. },
        )
        | GameCommand::Agreed(
            AgreedChange::Set(_) | AgreedChange::UndoPress | AgreedChange::Reopen,
        )
        | GameCommand::New(_)
        | GameCommand::NewExchanged(_)
        | GameCommand::SetRules(_)
        | GameCommand::ChangeTimeControl { .. }
        | GameCommand::SetButtons(_)
        | GameCommand::Rewind(_)
        | GameCommand::Import { .. }
        | GameCommand::Announce(_)
        | GameCommand::SetNames => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_controls::RuleLibrary;
    use clock_engine::rules::{ClaimView, Ground, ResultGround};
    use clock_engine::{Clock, Control, Instant, Method, Outcome, Span};
    use std::sync::Arc;

    fn game(rules: &str, captain_plays: Option<Side>, arbiter: &str) -> GameInfo {
        let rules = Some(Arc::new(RuleLibrary::default().find(rules).unwrap()));
        GameInfo {
            rules,
            captain_plays,
            present_arbiter: arbiter.to_owned(),
            ..GameInfo::default()
        }
    }

    #[test]
    fn a_user_has_the_capacity_that_is_configured() {
        let captains = PerSide { white: Some(10), black: Some(11) };
        let roles = Captains { captains, designate: Some(12) };
        for (uid, expected) in [
            (Some(10), Capacity::Captain(Side::White)),
            (Some(11), Capacity::Captain(Side::Black)),
            (Some(12), Capacity::Designate),
            (Some(13), Capacity::Arbiter),
            (None, Capacity::Arbiter),
        ] {
            assert_eq!(roles.capacity(uid), expected);
            assert_eq!(Captains::default().capacity(uid), Capacity::Arbiter);
        }
    }

    #[test]
    fn a_captain_who_plays_here_can_only_do_what_a_player_can() {
        let rule = GameCommand::from(Action::rule(Ruling::Valid));
        let claim =
            GameCommand::from(Action::RequestIncrement { by: Claimant::Player(Side::White) });
        let (white, black) = (Capacity::Captain(Side::White), Capacity::Captain(Side::Black));
        let here = game("handbook-county", Some(Side::White), "");
        let refused = check(white, &rule, "", &here).unwrap_err().to_string();
        assert!(
            refused.contains("White's captain")
                && refused.ends_with("(Chess Organisers' Handbook preface)")
        );
        assert!(check(white, &Command::Reopen.into(), "", &here).is_err());
        for (capacity, command, game) in [
            (white, claim, &here),
            (black, rule, &here),
            (Capacity::Designate, rule, &here),
            (Capacity::Arbiter, rule, &here),
            (white, rule, &game("handbook-county", None, "")),
            (white, rule, &game("fide-2023", Some(Side::White), "")),
            (white, rule, &GameInfo::default()),
        ] {
            assert!(check(capacity, &command, "", game).is_ok(), "{capacity} {command:?}");
        }
    }

    #[test]
    fn s2_iii_6_2_the_players_enter_no_result_of_a_concluded_game_at_the_clock() {
        let result = GameCommand::from(Action::Result {
            outcome: Outcome::Drawn,
            ground: ResultGround::Game,
        });
        let view = |ground: Option<Ground>| {
            let at = Instant::ZERO;
            let clock = Clock::new(Control::single(Span::from_secs(60), Method::None), at);
            let claim =
                ground.map(|ground| ClaimView { by: Side::White, ground, pending: false, at });
            View { claim, ..clock.view(at) }
        };
        let unsupervised = game("guidelines-iii-unsupervised", None, "");
        let concluded = view(Some(Ground::CannotWin));
        for command in [
            result,
            GameCommand::ReplaceResult(Outcome::Drawn),
            GameCommand::Agreed(AgreedChange::ReplaceResult(Outcome::Drawn)),
        ] {
            let refused = check_at_the_clock(&command, &concluded, &unsupervised).unwrap_err();
            assert!(refused.ends_with("(FIDE Guidelines III.6.2)"), "{refused}");
        }
        for (command, view, game) in [
            (result, view(None), &unsupervised),
            (GameCommand::SetNames, concluded, &unsupervised),
            (result, concluded, &game("guidelines-iii", None, "")),
            (result, concluded, &GameInfo::default()),
        ] {
            assert_eq!(check_at_the_clock(&command, &view, game), Ok(()), "{command:?}");
        }
    }

    #[test]
    fn whoever_rules_for_the_arbiter_consults_the_one_who_is_present_before_a_ruling() {
        let rule = GameCommand::from(Action::rule(Ruling::Reject));
        let here = game("handbook-county", Some(Side::White), "A. Judge");
        for capacity in [Capacity::Captain(Side::Black), Capacity::Designate] {
            let refused = check(capacity, &rule, "no progress", &here).unwrap_err();
            assert!(refused.ends_with("(Chess Organisers' Handbook preface)"), "{refused}");
            assert!(check(capacity, &rule, "A. Judge agrees", &here).is_ok());
            assert!(check(capacity, &rule, "after consulting a. judge", &here).is_ok());
            assert!(check(capacity, &Command::Resume { side: None }.into(), "", &here).is_ok());
        }
        assert!(check(Capacity::Arbiter, &rule, "", &here).is_ok());
        let other_profile = game("fide-2023", None, "A. Judge");
        assert!(check(Capacity::Designate, &rule, "", &other_profile).is_ok());
    }
}
