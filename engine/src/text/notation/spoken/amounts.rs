//! Increments and delays, and the move from which they hold.

use super::super::NotationError;
use super::super::token::Token;
use super::given::Given;
use super::partial_control::MoveAmount;
use super::{Reader, SECOND};
use crate::{Method, Span};

/// The largest amount without a unit, in seconds. `90+900` can be meant as 15 more minutes.
pub(in super::super) const MOST_SECONDS: u64 = 60;

impl<'a> Reader<'a> {
    /// The amount after `d`, `b`, `inc` or `increment of`.
    pub(super) fn method(
        &mut self,
        kind: fn(Span) -> Method,
        at: usize,
    ) -> Result<(), NotationError> {
        self.skip(|token| matches!(token, Token::Article | Token::A));
        if matches!(self.peek(1), Some(Token::Amount(_))) {
            self.found(Token::Slash);
        }
        let Some((Token::Amount(amount), amount_at)) = self.take() else {
            return self.wrong(at, "no amount; expected seconds, as in +30, d5 or b5");
        };
        let given = self.given(amount, amount_at)?;
        self.found_each_move();
        self.add_method(kind, &given, at)
    }

    /// Takes `/move`, `per move` or `for each move`. Returns whether it was there.
    pub(super) fn found_each_move(&mut self) -> bool {
        self.attempt(|reader| {
            let is_per = |token| matches!(token, Token::Slash | Token::Per | Token::A);
            let has_per = reader.found_if(is_per);
            let has_each = {
                reader.found_if(|token| token == Token::For && !has_per);
                reader.found(Token::Each)
            };
            let is_move = |token| matches!(token, Token::Moves | Token::M);
            ((has_per || has_each) && reader.found_if(is_move)).then_some(())
        })
        .is_some()
    }

    /// Adds an increment or a delay whose amount was just taken.
    pub(super) fn add_method(
        &mut self,
        kind: fn(Span) -> Method,
        given: &Given<'a>,
        at: usize,
    ) -> Result<(), NotationError> {
        let amounts = self.both(given, SECOND)?;
        for number in [Some(given.white), given.black].into_iter().flatten() {
            let seconds = number.text.parse().unwrap_or(0);
            if number.is_bare() && seconds > MOST_SECONDS {
                let why = format!(
                    "more than {MOST_SECONDS} seconds a move need their unit, as in +{seconds}s; \
                     the time of a second period needs the moves of the first, as in 40/90, G/15"
                );
                return self.wrong(number.at, &why);
            }
        }
        // An amount of zero is no increment and no delay, so it has no first move.
        let method =
            amounts.map(|amount| if amount.is_zero() { Method::None } else { kind(amount) });
        let (moves_before, is_ordinal) = match self.from()? {
            Some((before, is_ordinal)) => (Some(before), is_ordinal),
            None => (None, false),
        };
        let periods_before = self.control.periods.len();
        match &mut self.control.method {
            None => {
                let given = MoveAmount { method, moves_before, is_ordinal, periods_before, at };
                self.control.method = Some(given);
            }
            Some(first) if first.periods_before == periods_before => {
                return self.wrong(
                    at,
                    "a second increment or delay of the same period; one may be repeated after the \
                     time of another period, as in 40/90+30, G/30+30",
                );
            }
            Some(first) => {
                let from = moves_before.unwrap_or(first.from());
                if (first.method, first.from()) != (method, from) {
                    return self.wrong(
                        at,
                        "a second increment or delay, and it differs from the first; one holds \
                         from move 1 (or `from` the move that is said) to the end; increments that \
                         change can be said in seconds, as in `pgn:40/5400+30:1800+10`",
                    );
                }
                first.periods_before = periods_before;
            }
        }
        Ok(())
    }

    /// Takes `from` and the number of a move. Returns the number of moves before that move, and
    /// whether the move was said as in `from 40th move` or `from 40 move`.
    pub(super) fn from(&mut self) -> Result<Option<(u32, bool)>, NotationError> {
        let Some((Token::From, at)) = self.tokens.first().copied() else { return Ok(None) };
        let between = |token| {
            matches!(token, Token::From | Token::Then | Token::Article | Token::Moves | Token::M)
        };
        self.skip(between);
        let expected = "no move; expected its number, as in `+30 from 61`";
        let (number, at, is_ordinal) = match self.take() {
            Some((Token::Amount(number), at)) => (number, at, false),
            Some((Token::Ordinal(number), at)) => (number, at, true),
            Some((Token::First, at)) => ("1", at, true),
            _ => return self.wrong(at, expected),
        };
        let is_ordinal = self.found(Token::Moves) || is_ordinal;
        let number = number.parse().ok().and_then(|number: u64| number.checked_sub(1));
        match number.and_then(|before| u32::try_from(before).ok()) {
            Some(before) => Ok(Some((before, is_ordinal))),
            None => self.wrong(at, "expected the number of a move, from 1 to 4294967296"),
        }
    }
}
