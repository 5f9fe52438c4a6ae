//! The rulings that are allowed now, and the ruling of a command line.

use clock_dbus::{Answer, Given, LatePlayers, Question, QuestionKind, Ruling, Side, State};

/// A ruling that the rules allow now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedRuling {
    pub ruling: Ruling,
    pub answer: Answer,
    /// The index of the open question that the ruling answers.
    pub question: usize,
}

impl AllowedRuling {
    /// Whether `answer` is given by the same command.
    pub fn is(&self, answer: &Answer) -> bool {
        let command = |of: &Answer| (of.ruling, of.side, of.award_nsec);
        command(&self.answer) == command(answer)
    }

    /// The command that gives the ruling.
    pub fn given(&self) -> Given {
        let Answer { side, award_nsec, .. } = self.answer;
        Given::Rule { ruling: self.ruling, side, award_nsec: award_nsec.into() }
    }
}

/// Every ruling that is allowed now, in the order of the questions. If one ruling answers two
/// questions it is listed with the first. A ruling that this version does not know is left out.
pub fn allowed(state: &State) -> Vec<AllowedRuling> {
    let mut all: Vec<AllowedRuling> = Vec::new();
    for (question, asked) in state.questions.iter().enumerate() {
        for answer in &asked.answers {
            if let Some(ruling) = answer.ruling
                && !all.iter().any(|listed| listed.is(answer))
            {
                all.push(AllowedRuling { ruling, answer: answer.clone(), question });
            }
        }
    }
    all
}

/// Why nothing can be ruled on.
pub fn nothing_to_rule(state: &State) -> String {
    if state.rules.is_empty() {
        "nothing awaits a ruling: the game has no rule profile (clockctl set-rules sets one)"
            .to_owned()
    } else {
        "nothing awaits a ruling".to_owned()
    }
}

/// The command for a ruling of the command line; an error if `award_nsec` or `side` does not belong to
/// the ruling, or if `side` is needed. This does not check whether the ruling is allowed now. The clock
/// refuses a ruling that is not allowed, and states the clause.
pub fn given(
    ruling: Ruling,
    side: Option<LatePlayers>,
    award_nsec: Option<u64>,
    state: &State,
) -> Result<Given, String> {
    if award_nsec.is_some() && !ruling.has_award() {
        return Err("--award goes with postpone and reject only".to_owned());
    }
    if side.is_some() && !ruling.is_on_lateness() {
        return Err("--side goes with forfeit and waive only".to_owned());
    }
    let side = match side {
        None if ruling.is_on_lateness() => Some(late(state)?.into()),
        side => side,
    };
    Ok(Given::Rule { ruling, side, award_nsec: award_nsec.into() })
}

/// The player who is later than the default time. If none or both are, the error asks for `--side`.
fn late(state: &State) -> Result<Side, String> {
    let of_lateness = |question: &&Question| question.kind == Some(QuestionKind::Default);
    let late = state.questions.iter().filter(of_lateness);
    let late: Vec<Side> = late.filter_map(|question| question.side.side()).collect();
    match late[..] {
        [side] => Ok(side),
        [] => Err("nobody has passed the default time; name the player with --side white or \
                   --side black"
            .to_owned()),
        _ => Err("both players are late; name them with --side both, or one with --side white or \
                  --side black"
            .to_owned()),
    }
}

#[cfg(test)]
pub mod tests;
