//! Reads the spoken notation: `40/90, G/30, +30`.

mod amounts;
mod given;
mod partial_control;
mod times;
mod unclear;

use super::NotationError;
use super::token::{NOT_UNDERSTOOD, Placed, Token, lower_case, tokens};
use crate::{Control, Method, Overtime, Side};
pub(super) use amounts::MOST_SECONDS;
use partial_control::PartialControl;
pub(super) use unclear::{MOST_MINUTES, needs_unit, rest_needs_unit};
use unclear::{Place, UnclearTimes};

const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

pub(super) fn parse(text: &str) -> Result<Control, NotationError> {
    read(text, true)
}

/// Whether a text is read. Its error has no spellings, so checking a spelling needs no others.
fn is_accepted(text: &str) -> bool {
    read(text, false).is_ok()
}

fn read(text: &str, has_spellings: bool) -> Result<Control, NotationError> {
    // `text` and `lower` have the same length in bytes, so a byte position is valid in both.
    let lower = lower_case(text);
    let tokens = tokens(text, &lower)?;
    let mut reader = Reader {
        text,
        tokens: &tokens,
        control: PartialControl::default(),
        unclear: UnclearTimes::default(),
        has_spellings,
    };
    while let Some((token, at)) = reader.take() {
        reader.part(token, at)?;
    }
    let control = reader.control.finish(text)?;
    reader.unclear.check(text)?;
    Ok(control)
}

fn is_number(amount: &str) -> bool {
    amount.bytes().all(|byte| byte.is_ascii_digit())
}

struct Reader<'a> {
    text: &'a str,
    /// The tokens not read yet.
    tokens: &'a [Placed<'a>],
    control: PartialControl,
    unclear: UnclearTimes,
    /// Whether an error looks for spellings that are accepted.
    has_spellings: bool,
}

impl<'a> Reader<'a> {
    fn take(&mut self) -> Option<Placed<'a>> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(*first)
    }

    /// The token with this number among those that are not read yet, from 0.
    fn peek(&self, number: usize) -> Option<Token<'a>> {
        self.tokens.get(number).map(|(token, _)| *token)
    }

    /// Takes the next token if `belongs` accepts it. Returns whether it did.
    fn found_if(&mut self, belongs: impl Fn(Token<'a>) -> bool) -> bool {
        let found = self.peek(0).is_some_and(belongs);
        if found {
            self.take();
        }
        found
    }

    /// Takes the next token if it is `token`. Returns whether it was.
    fn found(&mut self, token: Token<'_>) -> bool {
        self.found_if(|next| next == token)
    }

    /// Takes all next tokens that `belongs` accepts.
    fn skip(&mut self, belongs: impl Fn(Token<'a>) -> bool) {
        while self.found_if(&belongs) {}
    }

    /// Takes the next tokens if `read` returns `Some`; otherwise takes none of them.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.tokens;
        let read = read(self);
        if read.is_none() {
            self.tokens = before;
        }
        read
    }

    fn at_amount(&self) -> bool {
        matches!(self.peek(0), Some(Token::Amount(_)))
    }

    /// Whether a comma or a semicolon stands before the next token.
    fn is_separated(&self) -> bool {
        let at = self.tokens.first().map_or(self.text.len(), |(_, at)| *at);
        self.text[..at].trim_end().ends_with([',', ';'])
    }

    fn wrong<T>(&self, at: usize, why: &str) -> Result<T, NotationError> {
        Err(NotationError::at(self.text, at, why))
    }

    fn part(&mut self, token: Token<'a>, at: usize) -> Result<(), NotationError> {
        match token {
            Token::Then | Token::And | Token::Article => Ok(()),
            Token::A | Token::First if self.at_amount() => Ok(()),
            Token::Game if self.found(Token::Slash) || self.at_amount() => {
                self.period(None, Place::Game, at)
            }
            Token::SuddenDeath if self.found(Token::Slash) || self.at_amount() => {
                self.period(None, Place::SuddenDeath, at)
            }
            Token::Rest => self.rest_first(at),
            Token::Amount(periods) if self.peek(0) == Some(Token::Times) => {
                self.take();
                self.overtime(periods, at)
            }
            Token::Amount(moves) if self.is_moves(moves) => self.moves_first(moves, at),
            Token::Amount(time) => self.time(time, at, None),
            Token::Plus => self.plus(at),
            Token::Increment => self.method(Method::Increment, at),
            Token::D | Token::Delay => self.method(Method::Delay, at),
            Token::B | Token::Bronstein => self.method(Method::Bronstein, at),
            Token::Repeat => self.repeat(at),
            Token::Draw => self.draw(at),
            _ => self.wrong(at, NOT_UNDERSTOOD),
        }
    }

    /// What follows a `+`: another period, an overtime or an increment.
    fn plus(&mut self, at: usize) -> Result<(), NotationError> {
        self.skip(|token| matches!(token, Token::Then | Token::And | Token::Article | Token::A));
        match self.peek(0) {
            Some(
                Token::Game
                | Token::SuddenDeath
                | Token::Rest
                | Token::First
                | Token::Increment
                | Token::Delay
                | Token::Bronstein,
            ) => Ok(()),
            Some(Token::Amount(number)) => {
                let (_, number_at) = self.tokens[0];
                if self.peek(1) == Some(Token::Times) {
                    return Ok(());
                }
                self.take();
                if self.is_moves(number) {
                    return self.moves_first(number, number_at);
                }
                self.time(number, number_at, Some(at))
            }
            _ => self.wrong(at, "no amount; expected seconds, as in +30, d5 or b5"),
        }
    }

    /// The overtime of `5x30s`. The number of its periods was just taken, and the `x`.
    fn overtime(&mut self, periods: &str, at: usize) -> Result<(), NotationError> {
        let count = is_number(periods).then(|| periods.parse().ok()).flatten();
        let Some(periods) = count.filter(|count| *count > 0) else {
            let expected = format!("expected a number of periods from 1 to {}", u32::MAX);
            return self.wrong(at, &expected);
        };
        let Some((Token::Amount(time), time_at)) = self.take() else {
            return self.wrong(at, "no time of a period of the overtime; expected it as in 5x30s");
        };
        if self.control.periods.is_empty() {
            let why = "an overtime stands after the time of a period, as in 30 + 5x30s; minutes \
                       for a number of moves need their unit, as in 90' x 40";
            return self.wrong(at, why);
        }
        let time = self.number(time, time_at)?;
        if self.unclear.has_time_first && time.is_bare() {
            let why = "moves or an overtime? Write 30'/20 for 30 minutes for 20 moves, or 5x30s for \
                       an overtime";
            return self.wrong(at, why);
        }
        let overtime = Overtime { periods, time: self.span(&time, SECOND)?, moves: 1 };
        match self.control.overtime.replace((overtime, at)) {
            None => Ok(()),
            Some(_) => self.wrong(at, "a second overtime; a game can have one"),
        }
    }

    fn repeat(&mut self, at: usize) -> Result<(), NotationError> {
        if self.control.periods.last().is_none_or(|last| last.moves.is_none()) {
            return self.wrong(
                at,
                "what repeats is a period with its moves, as in `40/120, 20/60 repeat`",
            );
        }
        self.control.repeat = true;
        Ok(())
    }

    fn draw(&mut self, at: usize) -> Result<(), NotationError> {
        let side = match self.take() {
            Some((Token::White, _)) => Side::White,
            Some((Token::Black, _)) => Side::Black,
            _ => return self.wrong(at, "expected for whom a draw is a win, as in `draw Black`"),
        };
        match self.control.draw_odds.replace(side) {
            Some(before) if before != side => self.wrong(at, "a draw can win for one side only"),
            _ => Ok(()),
        }
    }
}
