//! The rulings that the arbiter can give: which are allowed now, and what a word on the command
//! line means.

use clock_dbus::{Answer, AnswerMethod, AnswerSide, Given, OrMinus1, Phase, Question, Side, State};
use clock_engine::rules::{
    Claimant, Decision, DefaultRuling, Evidence, LatePlayers, OfferAnswer, StopRuling,
};

/// A ruling as it is sent to the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The arbiter calls the flag.
    Call,
    /// A decision on a flag, a claim, a request or an illegal move. If `award_nsec` is `None`,
    /// `reject` gives the opponent the time that the rule profile says, and `postpone` gives none.
    Decision { decision: Decision, award_nsec: Option<u64> },
    /// This player has lost.
    Loses(Side),
    /// A ruling on a player's stop of the clocks.
    Stop(StopRuling),
    /// A ruling on a late arrival.
    Default { side: LatePlayers, ruling: DefaultRuling },
    /// The opponent's answer to a draw offer.
    Offer(OfferAnswer),
}

impl Ruling {
    /// The word that the arbiter types for this ruling.
    pub fn word(&self) -> &'static str {
        match *self {
            Ruling::Call => CALL,
            Ruling::Loses(side) => loses(side),
            Ruling::Decision { decision, .. } => typed(decision),
            Ruling::Offer(answer) => answered(answer),
            Ruling::Stop(ruling) => ruling.as_str(),
            Ruling::Default { ruling, .. } => ruling.as_str(),
        }
    }

    /// The command that gives the ruling.
    pub fn given(&self) -> Given {
        match *self {
            Ruling::Call => Given::ClaimFlag { by: Claimant::Arbiter, evidence: Evidence::Flag },
            Ruling::Decision { decision, award_nsec } => {
                Given::GiveRuling { decision, side: None, award_nsec: award_nsec.into() }
            }
            Ruling::Loses(side) => Given::GiveRuling {
                decision: Decision::Lost,
                side: Some(side),
                award_nsec: OrMinus1(None),
            },
            Ruling::Stop(ruling) => Given::GiveStopRuling { ruling },
            Ruling::Default { side, ruling } => Given::GiveDefaultRuling { side, ruling },
            Ruling::Offer(answer) => Given::AnswerOffer { answer },
        }
    }

    /// The ruling of an answer; `None` for a word of a later version.
    pub fn of(answer: &Answer) -> Option<Ruling> {
        let (word, award_nsec) = (&answer.word, answer.award_nsec);
        Some(match answer.method {
            AnswerMethod::GiveRuling => match answer.side {
                AnswerSide::White => Ruling::Loses(Side::White),
                AnswerSide::Black => Ruling::Loses(Side::Black),
                AnswerSide::Nobody | AnswerSide::Both => {
                    Ruling::Decision { decision: Decision::from_word(word)?, award_nsec }
                }
            },
            AnswerMethod::GiveStopRuling => Ruling::Stop(StopRuling::from_word(word)?),
            AnswerMethod::GiveDefaultRuling => Ruling::Default {
                side: LatePlayers::from_word(answer.side.as_str())?,
                ruling: DefaultRuling::from_word(word)?,
            },
            AnswerMethod::AnswerOffer => Ruling::Offer(OfferAnswer::from_word(word)?),
            AnswerMethod::ClaimFlag => Ruling::Call,
        })
    }
}

/// A ruling that the rules allow now, and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedRuling {
    pub ruling: Ruling,
    /// The index of the open question that the ruling answers.
    pub question: usize,
    /// The key that chooses the ruling.
    pub key: char,
    /// By how many nanoseconds the ruling raises the main numbers of White and of Black; negative
    /// if it lowers them.
    pub deltas_nsec: [i64; 2],
    pub phase: Phase,
    pub result: String,
}

/// Every ruling that is allowed now, in the order of the questions. If one ruling answers two
/// questions it is listed with the first.
pub fn allowed(state: &State) -> Vec<AllowedRuling> {
    let mut all: Vec<AllowedRuling> = Vec::new();
    for (index, question) in state.questions.iter().enumerate() {
        for answer in &question.answers {
            let Some(ruling) = Ruling::of(answer) else { continue };
            if all.iter().any(|listed| listed.ruling == ruling) {
                continue;
            }
            let Some(key) = free_key(&ruling, &all) else { continue };
            all.push(AllowedRuling {
                ruling,
                question: index,
                key,
                deltas_nsec: [answer.white_delta_nsec, answer.black_delta_nsec],
                phase: answer.phase,
                result: answer.result.clone(),
            });
        }
    }
    all
}

/// The key that chooses a ruling. Each ruling has a letter of its own, so that arbiters can learn
/// it. If a ruling in `taken` has that letter already, the first free digit or letter is returned.
/// `q` is never returned, because it leaves the dialogue.
fn free_key(ruling: &Ruling, taken: &[AllowedRuling]) -> Option<char> {
    let letter = match (ruling, ruling.word()) {
        // A postponement that gives the opponent time.
        (Ruling::Decision { award_nsec: Some(_), .. }, "postpone") => 't',
        (Ruling::Loses(_), _) => 'l',
        // These two never answer the same question.
        (_, "not-made" | "not-obvious") => 'n',
        (_, "not-established") => 'e',
        (_, "order-unknown") => 'u',
        (_, "obviously-invalid") => 'i',
        (_, "draw-accepted") => 'a',
        (_, "draw-refused") => 'r',
        (_, "increment-agreed") => 'g',
        (_, "increment-refused") => 'f',
        (_, word) => word.chars().next()?,
    };
    let mut keys = std::iter::once(letter).chain('1'..='9').chain('a'..='p').chain('r'..='z');
    keys.find(|key| taken.iter().all(|listed| listed.key != *key))
}

/// The word for the arbiter's own call of a flag. The clock offers the call as one of the answers
/// to the question about the flag.
const CALL: &str = "call";

/// The word for the ruling that the player of this side has lost.
const fn loses(side: Side) -> &'static str {
    match side {
        Side::White => "white-loses",
        Side::Black => "black-loses",
    }
}

/// The decisions for which the arbiter types a word of their own. `lost` is left out, because the
/// words of [`loses`] stand for it. `accept` is left out, because the opponent's answer
/// `draw-accepted` stands for it.
fn decisions() -> impl Iterator<Item = Decision> {
    let others = |decision: &Decision| !matches!(decision, Decision::Lost | Decision::Accept);
    Decision::GIVEN.iter().copied().filter(others)
}

/// The word that the arbiter types for a decision. The words for a request for an increment name
/// the increment. Such a request is a draw offer, too, and the arbiter must not enter a draw, which
/// ends the game, by mistake.
const fn typed(decision: Decision) -> &'static str {
    match decision {
        Decision::Agree => "increment-agreed",
        Decision::Refuse => "increment-refused",
        other => other.as_str(),
    }
}

/// The word for the opponent's answer to the draw offer.
const fn answered(answer: OfferAnswer) -> &'static str {
    match answer {
        OfferAnswer::Accepted => "draw-accepted",
        OfferAnswer::Refused => "draw-refused",
    }
}

/// A word that the arbiter can give as a ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Call,
    Decision(Decision),
    Loses(Side),
    Stop(StopRuling),
    Default(DefaultRuling),
    Offer(OfferAnswer),
}

impl Word {
    /// The value of this word. The error lists all words.
    pub fn parse(text: &str) -> Result<Word, String> {
        let found = (text == CALL)
            .then_some(Word::Call)
            .or_else(|| {
                let of_loss = Side::BOTH.map(Word::Loses).into_iter();
                let mut words = of_loss.chain(decisions().map(Word::Decision));
                words.find(|word| word.as_decision() == Some(text))
            })
            .or_else(|| StopRuling::from_word(text).map(Word::Stop))
            .or_else(|| DefaultRuling::from_word(text).map(Word::Default))
            .or_else(|| {
                let mut answers = OfferAnswer::ALL.iter().copied();
                answers.find(|answer| answered(*answer) == text).map(Word::Offer)
            });
        found.ok_or_else(|| format!("a ruling is {}", Word::list()))
    }

    /// The word of a decision or of a loss; `None` for every other ruling.
    fn as_decision(self) -> Option<&'static str> {
        match self {
            Word::Decision(decision) => Some(typed(decision)),
            Word::Loses(side) => Some(loses(side)),
            _ => None,
        }
    }

    /// All words, for the help and for errors.
    fn list() -> String {
        let join = |words: Vec<&str>| words.join(", ");
        format!(
            "on a flag, a claim, a request or an illegal move: {CALL}, {}, {}, {}; on a stop of the clocks: {}; on a \
             late arrival: {}; on a draw offer: {}",
            loses(Side::White),
            loses(Side::Black),
            join(decisions().map(typed).collect()),
            join(StopRuling::ALL.iter().map(|word| word.as_str()).collect()),
            join(DefaultRuling::ALL.iter().map(|word| word.as_str()).collect()),
            join(OfferAnswer::ALL.iter().copied().map(answered).collect()),
        )
    }

    /// The ruling with this word; an error if `award_nsec` or `side` is given but does not belong
    /// to the word, or if `side` is needed. This does not check whether the ruling is allowed now.
    /// The clock refuses a ruling that is not allowed, and states the clause.
    pub fn ruling(
        self,
        state: &State,
        award_nsec: Option<u64>,
        side: Option<LatePlayers>,
    ) -> Result<Ruling, String> {
        if award_nsec.is_some() && !matches!(self, Word::Decision(_)) {
            return Err("--award goes with postpone and reject only".to_owned());
        }
        if side.is_some() && !matches!(self, Word::Default(_)) {
            return Err("--side goes with forfeit and waive only".to_owned());
        }
        Ok(match self {
            Word::Call => Ruling::Call,
            Word::Loses(side) => Ruling::Loses(side),
            Word::Decision(decision) => Ruling::Decision { decision, award_nsec },
            Word::Stop(ruling) => Ruling::Stop(ruling),
            Word::Offer(answer) => Ruling::Offer(answer),
            Word::Default(ruling) => {
                let side = side.map_or_else(|| late(state), Ok)?;
                Ruling::Default { side, ruling }
            }
        })
    }
}

/// The player who is later than the default time. If none or both are, the error asks for `--side`.
fn late(state: &State) -> Result<LatePlayers, String> {
    let of_lateness = |question: &&Question| question.kind == clock_dbus::QuestionKind::Default;
    let late = state.questions.iter().filter(of_lateness);
    let late: Vec<Side> = late.filter_map(|question| question.side.side()).collect();
    match late[..] {
        [side] => Ok(side.into()),
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
