//! Reads the arguments of the arbiter's actions under a rule profile.

use super::arguments::{invalid, limited, side_or_none, wrong_word};
use clock_dbus::Error;
use clock_engine::rules::{
    Attachment, Claimant, Confirmation, Decision, DefaultRuling, Evidence, Ground, IncidentKind,
    LatePlayers, Loser, OfferAnswer, PenaltyCause, PenaltyKind, StopRuling,
};
use clock_engine::{MAX_GIVEN, Method, Side, Span};

/// The largest size of the text of an attachment or of a sealed move, in bytes.
pub const TEXT_LIMIT: usize = 500;
/// The largest number of half points that the arguments of a penalty may have. No rule profile
/// allows so many; the rule profile of the game sets the actual limit.
const HALF_POINTS_LIMIT: u32 = 1000;
/// The words for the kinds of [`Method`] that an arbiter can choose.
const METHODS: [&str; 4] = ["none", "increment", "delay", "bronstein"];

/// An enumeration of the engine's rules. Each of its values has a word.
pub trait Words: Copy + 'static {
    const ALL: &'static [Self];
    fn word(self) -> &'static str;
}

macro_rules! words {
    ($($name:ident),+) => { $(
        impl Words for $name {
            const ALL: &'static [Self] = $name::ALL;
            fn word(self) -> &'static str {
                self.as_str()
            }
        }
    )+ };
}
words!(
    Attachment,
    Confirmation,
    DefaultRuling,
    Evidence,
    Ground,
    IncidentKind,
    LatePlayers,
    OfferAnswer,
    PenaltyCause,
    PenaltyKind,
    StopRuling
);

impl Words for Decision {
    const ALL: &'static [Decision] = Decision::GIVEN;
    fn word(self) -> &'static str {
        self.as_str()
    }
}

/// The value with this word.
pub fn one_of<T: Words>(argument: &str, word: &str) -> Result<T, Error> {
    let found = T::ALL.iter().copied().find(|value| value.word() == word);
    found.ok_or_else(|| wrong_word(argument, word, &accepted::<T>(None)))
}

/// The value with this word; `None` for the empty word.
pub fn one_or_none<T: Words>(argument: &str, word: &str) -> Result<Option<T>, Error> {
    if word.is_empty() {
        return Ok(None);
    }
    let found = T::ALL.iter().copied().find(|value| value.word() == word);
    found.map(Some).ok_or_else(|| wrong_word(argument, word, &accepted::<T>(Some(""))))
}

fn accepted<T: Words>(further: Option<&'static str>) -> Vec<&'static str> {
    T::ALL.iter().map(|value| value.word()).chain(further).collect()
}

/// The person who calls a flag, claims a draw or requests an increment.
pub fn claimant(word: &str) -> Result<Claimant, Error> {
    match word {
        "white" => Ok(Claimant::Player(Side::White)),
        "black" => Ok(Claimant::Player(Side::Black)),
        "arbiter" => Ok(Claimant::Arbiter),
        "bystander" => Ok(Claimant::Bystander),
        other => Err(wrong_word("by", other, &["white", "black", "arbiter", "bystander"])),
    }
}

/// The player who has verified an attachment; `None` for the empty word.
pub fn verified_by(word: &str) -> Result<Option<Side>, Error> {
    side_or_none("verified_by", word)
}

/// The player who has lost by a ruling; the empty word names nobody.
pub fn loser(word: &str) -> Result<Loser, Error> {
    side_or_none("side", word).map(Loser::from)
}

/// The time of an award in the argument `award_nsec`; `None` for -1, which leaves the amount to the
/// rule profile.
pub fn award(nsec: i64) -> Result<Option<Span>, Error> {
    match u64::try_from(nsec) {
        Ok(nsec) => time("award_nsec", nsec).map(Some),
        Err(_) if nsec == -1 => Ok(None),
        Err(_) => {
            Err(invalid(format!("award_nsec = {nsec}; expected -1, or 0 or more nanoseconds")))
        }
    }
}

/// The time in an argument: an award, the time of a penalty, or the time of a time method. It may
/// be at most [`MAX_GIVEN`].
pub fn time(argument: &str, nsec: u64) -> Result<Span, Error> {
    let span = Span::from_nanos(nsec);
    if span <= MAX_GIVEN {
        return Ok(span);
    }
    let most = MAX_GIVEN.as_nanos();
    Err(invalid(format!("{argument} = {nsec}; expected at most {most} nanoseconds (1000 hours)")))
}

/// The time of a penalty. It must be 0 for a penalty that gives or takes no time.
pub fn penalty_time(kind: PenaltyKind, nsec: u64) -> Result<Span, Error> {
    if !kind.has_time() && nsec > 0 {
        return Err(invalid(format!("time_nsec = {nsec} with the kind {kind}; expected 0")));
    }
    time("time_nsec", nsec)
}

/// The half points of a penalty. They must be 0 for a penalty without points.
pub fn penalty_points(kind: PenaltyKind, given: u32) -> Result<u32, Error> {
    match (kind.has_points(), given) {
        (false, 1..) => {
            Err(invalid(format!("half_points = {given} with the kind {kind}; expected 0")))
        }
        (_, 0..=HALF_POINTS_LIMIT) => Ok(given),
        _ => Err(invalid(format!("half_points = {given}; expected at most {HALF_POINTS_LIMIT}"))),
    }
}

/// Returns the text of an attachment or of a sealed move, or an error if it is longer than
/// [`TEXT_LIMIT`].
pub fn record_text<'a>(argument: &str, text: &'a str) -> Result<&'a str, Error> {
    limited(argument, text, TEXT_LIMIT)
}

/// The time method with this word and this time for each move. The time must be 0 for `none`, and
/// at least 1 ns for each other word.
pub fn method(word: &str, nsec: u64) -> Result<Method, Error> {
    let amount = time("amount_nsec", nsec)?;
    let method = match word {
        "none" => Method::None,
        "increment" => Method::Increment(amount),
        "delay" => Method::Delay(amount),
        "bronstein" => Method::Bronstein(amount),
        other => return Err(wrong_word("method", other, &METHODS)),
    };
    match (method, amount.is_zero()) {
        (Method::None, false) => {
            Err(invalid(format!("amount_nsec = {nsec} with the method none; expected 0")))
        }
        (Method::None, true) | (_, false) => Ok(method),
        (_, true) => {
            Err(invalid(format!("amount_nsec = 0 with the method {word}; expected 1 or more")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
        match result {
            Err(Error::InvalidArgument(message)) => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_wrong_word_lists_the_words_of_the_rules() {
        assert_eq!(
            message(one_of::<OfferAnswer>("answer", "yes")),
            r#"answer = "yes"; expected "accepted" or "refused""#
        );
        assert_eq!(
            message(one_or_none::<OfferAnswer>("offer", "yes")),
            r#"offer = "yes"; expected "accepted", "refused" or """#
        );
        assert_eq!(one_or_none::<OfferAnswer>("offer", "").unwrap(), None);
        assert!(message(claimant("")).contains(r#""arbiter" or "bystander""#));
    }

    #[test]
    fn amounts_have_limits_and_only_minus_one_is_negative() {
        assert_eq!(award(-1).unwrap(), None);
        assert_eq!(award(0).unwrap(), Some(Span::ZERO));
        let most = i64::try_from(MAX_GIVEN.as_nanos()).unwrap();
        assert_eq!(award(most).unwrap(), Some(MAX_GIVEN));
        for nsec in [-2, i64::MIN] {
            assert!(message(award(nsec)).starts_with(&format!("award_nsec = {nsec}; expected -1")));
        }
        assert!(message(award(most + 1)).contains("(1000 hours)"));
        assert!(message(penalty_points(PenaltyKind::PointsOff, 1001)).contains("at most 1000"));
        let warning = PenaltyKind::Warning;
        let points = message(penalty_points(warning, 2));
        assert_eq!(points, "half_points = 2 with the kind warning; expected 0");
        let time = message(penalty_time(warning, 5));
        assert_eq!(time, "time_nsec = 5 with the kind warning; expected 0");
        assert!(message(method("none", 1)).contains("expected 0"));
        assert!(message(method("delay", 0)).contains("expected 1 or more"));
        assert!(message(method("hourglass", 1)).contains(r#""none", "increment", "delay""#));
        assert!(matches!(method("delay", 5), Ok(Method::Delay(_))));
        assert!(message(record_text("text", &"x".repeat(501))).contains("at most 500"));
    }
}
