//! Reads the spoken notation: `40/90, G/30, +30`.

use super::super::parse_duration;
use super::token::{Placed, Token, tokens};
use super::{NotationError, shortened};
use crate::{Control, MAX_GIVEN, Method, Overtime, PerSide, Period, Side, Span, Terms};
use hours_or_minutes::SuddenDeath;

mod hours_or_minutes;

pub(super) fn parse(text: &str) -> Result<Control, NotationError> {
    // `text` and `lower` have the same length in bytes, so a byte position is valid in both.
    let lower = text.to_ascii_lowercase();
    let tokens = tokens(text, &lower)?;
    let mut reader = Reader {
        text,
        tokens: &tokens,
        control: PartialControl::default(),
        sudden_death: SuddenDeath::default(),
    };
    while let Some((token, at)) = reader.take() {
        reader.part(token, at)?;
    }
    reader.finish()
}

fn is_number(amount: &str) -> bool {
    amount.bytes().all(|byte| byte.is_ascii_digit())
}

const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

struct Reader<'a> {
    text: &'a str,
    /// The tokens not read yet.
    tokens: &'a [Placed<'a>],
    control: PartialControl,
    sudden_death: SuddenDeath,
}

/// The control as far as it has been parsed.
#[derive(Default)]
struct PartialControl {
    periods: Vec<Period>,
    /// The position of a time that has no `G/`, no number of moves and no unit.
    bare: Option<usize>,
    repeat: bool,
    method: Option<MoveAmount>,
    overtime: Option<(Overtime, usize)>,
    draw_odds: Option<Side>,
}

/// An increment or a delay.
struct MoveAmount {
    method: PerSide<Method>,
    /// The number of moves before the first move that has this increment or delay; `None` if the
    /// text names no move.
    moves_before: Option<u32>,
    /// How many periods stand in the text before this method. If the text gives the method several
    /// times, the last time counts.
    periods_before: usize,
    at: usize,
}

impl MoveAmount {
    fn from(&self) -> u32 {
        self.moves_before.unwrap_or(0)
    }
}

impl<'a> Reader<'a> {
    fn take(&mut self) -> Option<Placed<'a>> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(*first)
    }

    /// Takes the next token if it is `token`. Returns whether it was.
    fn found(&mut self, token: Token<'_>) -> bool {
        let found = self.tokens.first().is_some_and(|(next, _)| *next == token);
        if found {
            self.take();
        }
        found
    }

    /// Takes these two tokens if they come next. Returns whether they did.
    fn found_both(&mut self, first: Token<'_>, second: Token<'_>) -> bool {
        let found =
            matches!(self.tokens, [(one, _), (other, _), ..] if *one == first && *other == second);
        if found {
            self.tokens = &self.tokens[2..];
        }
        found
    }

    fn at_amount(&self) -> bool {
        matches!(self.tokens.first(), Some((Token::Amount(_), _)))
    }

    fn wrong<T>(&self, at: usize, why: &str) -> Result<T, NotationError> {
        Err(NotationError::at(self.text, at, why))
    }

    fn part(&mut self, token: Token<'a>, at: usize) -> Result<(), NotationError> {
        match token {
            Token::Word("with" | "then" | "and") => Ok(()),
            Token::Word(word @ ("g" | "sd")) if self.found(Token::Slash) || self.at_amount() => {
                self.sudden_death.said |= word == "sd";
                self.period(None, at)
            }
            Token::Amount(periods) if self.found(Token::Word("x")) => self.overtime(periods, at),
            Token::Amount(moves)
                if is_number(moves)
                    && (self.found(Token::Slash)
                        || self.found_both(Token::Word("moves"), Token::Slash)) =>
            {
                let moves = self.moves(moves, at)?;
                self.period(Some(moves), at)
            }
            Token::Amount(time) => self.time_first(time, at),
            Token::Plus if self.at_period() => Ok(()),
            Token::Plus => self.method(Method::Increment, at),
            Token::Word("d") => self.method(Method::Delay, at),
            Token::Word("b") => self.method(Method::Bronstein, at),
            Token::Word("repeat" | "repeating") => self.repeat(at),
            Token::Word("draw") => self.draw(at),
            Token::Word(_) | Token::Slash | Token::Minutes | Token::Seconds | Token::Hours => self.wrong(
                at,
                "not understood; expected 40/90 (moves and minutes), G/30, +30, d5 or b5 (seconds \
                 a move), `from 61`, `10 v 7`, `repeat` or `draw Black`",
            ),
        }
    }

    /// Whether what follows a `+` is another period, and not an increment.
    fn at_period(&self) -> bool {
        let (time, mut rest) = match self.tokens {
            [(Token::Word("g" | "sd"), _), ..] => return true,
            [(Token::Amount(_), _), (Token::Word("x"), _), ..] => return true,
            [(Token::Amount(time), _), rest @ ..] => (*time, rest),
            _ => return false,
        };
        let mut is_long = is_long(time);
        if let [(unit @ (Token::Minutes | Token::Hours | Token::Seconds), _), after @ ..] = rest {
            is_long |= *unit != Token::Seconds;
            rest = after;
        }
        match rest {
            [(Token::Slash, _), (after, _), ..] => return matches!(after, Token::Amount(_)),
            [(Token::Word("per" | "from"), _), ..] => return false,
            _ => {}
        }
        let rest_is_due = self.control.periods.last().is_some_and(|last| last.moves.is_some());
        let another_period = rest.windows(2).any(|pair| {
            matches!(
                (pair[0].0, pair[1].0),
                (Token::Word("g" | "sd"), _) | (Token::Slash, Token::Amount(_))
            )
        });
        is_long && rest_is_due && !self.control.repeat && !another_period
    }

    /// A period whose time stands first: `3`, or, with a unit, `90 min/40 moves`.
    fn time_first(&mut self, time: &'a str, at: usize) -> Result<(), NotationError> {
        let first = self.tokens;
        let has_unit = !is_number(time)
            || matches!(first, [(Token::Minutes | Token::Seconds | Token::Hours, _), ..]);
        let time = self.both(time, at, MINUTE)?;
        if !has_unit {
            self.control.bare = Some(at);
        } else if self.found(Token::Slash) {
            let Some((Token::Amount(moves), at)) = self.take() else {
                return self.wrong(at, "no moves after the `/`; expected them as in 90 min/40");
            };
            let moves = Some(self.moves(moves, at)?);
            let _ = self.found(Token::Word("moves")) || self.found(Token::Word("move"));
            return self.push(Period { moves, time, ..Period::default() }, at);
        }
        self.push(Period { time, ..Period::default() }, at)
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
        let unit = self.unit(time).unwrap_or(SECOND);
        let overtime = Overtime { periods, time: self.span(time, time_at, unit)?, moves: 1 };
        match self.control.overtime.replace((overtime, at)) {
            None => Ok(()),
            Some(_) => self.wrong(at, "a second overtime; a game can have one"),
        }
    }

    fn period(&mut self, moves: Option<u32>, at: usize) -> Result<(), NotationError> {
        let Some((Token::Amount(time), time_at)) = self.take() else {
            return self.wrong(at, "no time after the `/`; expected minutes, as in G/30");
        };
        let is_alone = !matches!(
            self.tokens,
            [(Token::Minutes | Token::Seconds | Token::Hours | Token::Word("v" | "vs"), _), ..]
        );
        self.sudden_death.note(time, time_at, is_alone);
        let time = self.both(time, time_at, MINUTE)?;
        self.push(Period { moves, time, ..Period::default() }, at)
    }

    fn push(&mut self, period: Period, at: usize) -> Result<(), NotationError> {
        if self.control.repeat {
            return self.wrong(at, "nothing can follow the period that repeats");
        }
        if self.control.periods.last().is_some_and(|last| last.moves.is_none()) {
            return self.wrong(
                at,
                "the period before it is for all the rest of the moves; a period that another \
                 follows says its moves, as in 40/90",
            );
        }
        self.control.periods.push(period);
        Ok(())
    }

    /// The amounts of both sides. `white` was just taken; it is also Black's amount unless `v` and
    /// another amount follow.
    fn both(&mut self, white: &str, at: usize, unit: u64) -> Result<PerSide<Span>, NotationError> {
        let white_unit = self.unit(white);
        if !self.found(Token::Word("v")) && !self.found(Token::Word("vs")) {
            return Ok(PerSide::both(self.span(white, at, white_unit.unwrap_or(unit))?));
        }
        match self.take() {
            Some((Token::Amount(black), black_at)) => {
                // If only the second amount has a unit, it is the unit of both, as in `10 v 7 min`.
                let black_unit = self.unit(black).or(white_unit).unwrap_or(unit);
                let white = self.span(white, at, white_unit.unwrap_or(black_unit))?;
                Ok(PerSide { white, black: self.span(black, black_at, black_unit)? })
            }
            _ => self.wrong(at, "nothing for Black after the `v`; expected it as in 10 v 7"),
        }
    }

    /// Takes the unit after a number and returns its length in nanoseconds. Returns `None` if no
    /// unit follows or if `amount` is a duration such as `90s`.
    fn unit(&mut self, amount: &str) -> Option<u64> {
        let unit = match self.tokens.first()?.0 {
            Token::Minutes => MINUTE,
            Token::Seconds => SECOND,
            Token::Hours => HOUR,
            _ => return None,
        };
        is_number(amount).then(|| self.take())?;
        Some(unit)
    }

    fn span(&self, text: &str, at: usize, unit: u64) -> Result<Span, NotationError> {
        if !is_number(text) {
            let duration = parse_duration(&shortened(text));
            return duration.or_else(|error| self.wrong(at, &error.to_string()));
        }
        let nanos = text.parse().ok().and_then(|number: u64| number.checked_mul(unit));
        match nanos.map(Span::from_nanos) {
            Some(span) if span <= MAX_GIVEN => Ok(span),
            _ => {
                let units = match unit {
                    HOUR => "hours",
                    MINUTE => "minutes",
                    _ => "seconds",
                };
                self.wrong(at, &format!("more {units} than the 1000:00:00 a clock takes"))
            }
        }
    }

    fn moves(&self, text: &str, at: usize) -> Result<u32, NotationError> {
        match text.parse() {
            Ok(moves) if is_number(text) && moves > 0 => Ok(moves),
            _ => {
                let expected = format!("expected a number of moves from 1 to {}", u32::MAX);
                self.wrong(at, &expected)
            }
        }
    }

    fn method(&mut self, kind: fn(Span) -> Method, at: usize) -> Result<(), NotationError> {
        let Some((Token::Amount(amount), amount_at)) = self.take() else {
            return self.wrong(at, "no amount; expected seconds, as in +30, d5 or b5");
        };
        let method = self.both(amount, amount_at, SECOND)?;
        let _ = self.found_both(Token::Slash, Token::Word("move"))
            || self.found_both(Token::Word("per"), Token::Word("move"));
        // An amount of zero is no increment and no delay, so it has no first move.
        let method =
            method.map(|amount| if amount.is_zero() { Method::None } else { kind(amount) });
        let moves_before = self.from()?;
        let periods_before = self.control.periods.len();
        match &mut self.control.method {
            None => {
                let given = MoveAmount { method, moves_before, periods_before, at };
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

    /// Takes `from` and the number of a move. Returns the number of moves before that move.
    fn from(&mut self) -> Result<Option<u32>, NotationError> {
        let Some(&(Token::Word("from"), at)) = self.tokens.first() else { return Ok(None) };
        self.take();
        self.found(Token::Word("move"));
        let Some((Token::Amount(number), at)) = self.take() else {
            return self.wrong(at, "no move; expected its number, as in `+30 from 61`");
        };
        let number = number.parse().ok().and_then(|number: u64| number.checked_sub(1));
        match number.and_then(|before| u32::try_from(before).ok()) {
            Some(before) => Ok(Some(before)),
            None => self.wrong(at, "expected the number of a move, from 1 to 4294967296"),
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
            Some((Token::Word("white"), _)) => Side::White,
            Some((Token::Word("black"), _)) => Side::Black,
            _ => return self.wrong(at, "expected for whom a draw is a win, as in `draw Black`"),
        };
        match self.control.draw_odds.replace(side) {
            Some(before) if before != side => self.wrong(at, "a draw can win for one side only"),
            _ => Ok(()),
        }
    }

    fn finish(self) -> Result<Control, NotationError> {
        let PartialControl { ref periods, bare, repeat, ref method, overtime, draw_odds } =
            self.control;
        let mut periods = periods.clone();
        let Some(last) = periods.last() else {
            let message = "no time; expected the moves and minutes of each period, as in `40/90, \
                           G/30` or `3+2`";
            return Err(NotationError::new(message.into()));
        };
        if let (Some(at), true) = (bare, periods.len() > 1) {
            return self.wrong(at, "minutes for which moves? G/30 is for all the rest of them");
        }
        if let (Some(_), false) = (last.moves, repeat) {
            let moves = periods.iter().filter_map(|period| period.moves.map(u64::from));
            let moves: u64 = moves.sum();
            let message = format!(
                "no time for the moves after move {moves}; expected a last period such as G/30, or \
                 `repeat`"
            );
            return Err(NotationError::new(message));
        }
        let given = method.as_ref().filter(|given| given.method != PerSide::default());
        if let Some(given) = given {
            let Some(first) = begin_period(&mut periods, given.from(), repeat) else {
                return self.wrong(
                    given.at,
                    "it begins within the period that repeats; expected the first move of a \
                     period, or a move before",
                );
            };
            for period in &mut periods[first..] {
                period.method = given.method;
            }
        }
        if let Some((overtime, at)) = overtime {
            if given.is_some() || repeat {
                return self.wrong(
                    at,
                    "an overtime goes with no increment, no delay and no period that repeats",
                );
            }
            if let Some(last) = periods.last_mut() {
                last.method = PerSide::both(Method::Overtime(overtime));
            }
        }
        let terms = Terms { repeat, draw_odds, ..Terms::default() };
        let control =
            Control::new(&periods, terms).map_err(|error| NotationError::new(error.to_string()))?;
        self.sudden_death.check(self.text).map(|()| control)
    }
}

/// Whether a duration with units, such as `30m`, has hours or minutes in it.
fn is_long(time: &str) -> bool {
    let has_colon = time.contains(':');
    let mut units = time.split(|c: char| !c.is_ascii_lowercase());
    !has_colon && units.any(|unit| matches!(unit, "h" | "m" | "min"))
}

/// The index of the period that begins after this number of moves. If there is none, the period in
/// which these moves end is divided in two. The second part gets no time; because the time left is
/// kept, nothing else changes. `None` if a repeating period would have to be divided.
fn begin_period(periods: &mut Vec<Period>, mut moves_before: u32, repeat: bool) -> Option<usize> {
    for index in 0..periods.len() {
        if moves_before == 0 {
            return Some(index);
        }
        match periods[index].moves {
            _ if repeat && index + 1 == periods.len() => return None,
            Some(moves) if moves <= moves_before => moves_before -= moves,
            moves => {
                periods[index].moves = Some(moves_before);
                let rest = moves.map(|moves| moves - moves_before);
                periods.insert(index + 1, Period { moves: rest, ..Period::default() });
                return Some(index + 1);
            }
        }
    }
    // Without `repeat` the last period has all remaining moves.
    None
}
