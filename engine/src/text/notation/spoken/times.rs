//! The times of the periods.

use super::super::NotationError;
use super::super::token::{NOT_UNDERSTOOD, Token};
use super::given::{Given, Length};
use super::unclear::Place;
use super::{MINUTE, Reader, is_accepted, is_number};
use crate::{Method, Period, Span};

/// What a time or an amount is for, as far as the words after it say it.
enum Purpose {
    /// It is the time for this number of moves.
    Moves {
        moves: u32,
        /// Whether the moves are called the first ones.
        is_first: bool,
    },
    /// It is the time for all the moves that remain.
    Rest,
    /// It is an increment or a delay.
    Amount(fn(Span) -> Method),
    Unsaid,
}

/// An increment of at least this length, or the time of a period, is at least this long.
const SHORTEST_TIME: Span = Span::from_nanos(MINUTE);

impl<'a> Reader<'a> {
    /// Whether a number that was just taken is the number of moves before its time: `40/90`,
    /// `40 moves in 90 min`.
    pub(super) fn is_moves(&self, number: &str) -> bool {
        let is_after_time = |token| {
            matches!(
                token,
                Token::Moves
                    | Token::M
                    | Token::Each
                    | Token::Rest
                    | Token::Article
                    | Token::Player
                    | Token::First
            )
        };
        is_number(number)
            && match (self.peek(0), self.peek(1)) {
                (Some(Token::Slash), after) => !after.is_some_and(is_after_time),
                (Some(Token::In), Some(Token::Amount(_))) => true,
                (Some(Token::Moves), after) => {
                    matches!(after, Some(Token::Slash | Token::In | Token::Amount(_)))
                }
                _ => false,
            }
    }

    /// A period whose number of moves stands first. The number was just taken.
    pub(super) fn moves_first(&mut self, moves: &str, at: usize) -> Result<(), NotationError> {
        self.found(Token::Moves);
        let has_slash = self.peek(0) == Some(Token::Slash);
        self.found_if(|token| matches!(token, Token::Slash | Token::In));
        if has_slash && self.is_fraction_of_hour(moves) {
            let why = "is this a fraction of an hour? Write hours and minutes, as in 2h30, and a \
                       move in two hours as 1/120";
            return self.wrong(at, why);
        }
        let moves = self.moves(moves, at)?;
        self.period(Some(moves), Place::Moves(moves), at)
    }

    /// Whether the hours that follow this number and a slash can be the denominator of a fraction, as
    /// in `1/2 hour` and `3/4h`.
    fn is_fraction_of_hour(&self, numerator: &str) -> bool {
        let Some(Token::Amount(text)) = self.peek(0) else { return false };
        let has_unit = text.ends_with('h') || self.peek(1) == Some(Token::Hours);
        let denominator = text.trim_end_matches('h').parse().ok().filter(|number| *number <= 4);
        has_unit
            && denominator
                .zip(numerator.parse().ok())
                .is_some_and(|(all, some): (u32, u32)| some < all)
    }

    /// A period that begins with `rest`: `rest in 30 min`.
    pub(super) fn rest_first(&mut self, at: usize) -> Result<(), NotationError> {
        self.skip(|token| matches!(token, Token::Rest | Token::Article | Token::Moves));
        self.found_if(|token| matches!(token, Token::Slash | Token::In));
        if !self.at_amount() {
            return self.wrong(at, NOT_UNDERSTOOD);
        }
        self.period(None, Place::Game, at)
    }

    /// A period whose time follows.
    pub(super) fn period(
        &mut self,
        moves: Option<u32>,
        place: Place,
        at: usize,
    ) -> Result<(), NotationError> {
        let Some((Token::Amount(time), time_at)) = self.take() else {
            return self.wrong(at, "no time after the `/`; expected minutes, as in G/30");
        };
        let given = self.given(time, time_at)?;
        self.found_each_player();
        self.push(moves, &given, place, at)
    }

    /// A time or an amount that stands first: `3`, `90 min/40 moves`, `30 s/move`. `plus` is the
    /// position of the `+` before it.
    pub(super) fn time(
        &mut self,
        time: &'a str,
        at: usize,
        plus: Option<usize>,
    ) -> Result<(), NotationError> {
        let given = self.given(time, at)?;
        match (self.purpose(&given, plus.is_some())?, plus) {
            (Purpose::Amount(kind), _) => self.add_method(kind, &given, plus.unwrap_or(at)),
            (Purpose::Moves { moves, is_first }, _) => self.time_for_moves(&given, moves, is_first),
            (Purpose::Rest, _) => {
                self.check_is_time(&given)?;
                self.push(None, &given, Place::Game, at)
            }
            (Purpose::Unsaid, Some(plus)) => self.after_plus(&given, plus),
            (Purpose::Unsaid, None) => self.without_plus(&given),
        }
    }

    fn time_for_moves(
        &mut self,
        given: &Given<'a>,
        moves: u32,
        is_first: bool,
    ) -> Result<(), NotationError> {
        let at = given.white.at;
        if is_first && !self.control.periods.is_empty() {
            return self.wrong(at, "only the first period is for the first moves");
        }
        self.check_is_time(given)?;
        self.unclear.has_time_first = true;
        self.push(Some(moves), given, Place::TimeFirst(moves), at)
    }

    /// Refuses less than a minute as the time of a period, for which `30 s for the first 40 moves`
    /// could be read.
    fn check_is_time(&self, given: &Given<'a>) -> Result<(), NotationError> {
        let time = self.both(given, MINUTE)?;
        let is_short = time.white.max(time.black) < SHORTEST_TIME;
        if given.length() == Length::Short && is_short {
            let why = "a time of less than a minute; a period is written as in G/30s, an increment \
                       as in 30 s/move";
            return self.wrong(given.white.at, why);
        }
        Ok(())
    }

    /// A time or an amount after a `+` whose purpose is not said.
    fn after_plus(&mut self, given: &Given<'a>, plus: usize) -> Result<(), NotationError> {
        if given.length() != Length::Long {
            self.check_is_no_handicap(given, plus)?;
            if given.white.is_bare() && given.black.is_none() {
                self.unclear.note_amount(given.white.text);
            }
            return self.add_method(Method::Increment, given, plus);
        }
        if self.control.moves_so_far().is_none() {
            return self.missing_moves(plus);
        }
        self.rest(given)
    }

    /// Refuses `5+3 v 4`, which can be 5+3 against 4 minutes. `5, +3 v 4` and `5 v 4 + 3 v 2` are clear.
    fn check_is_no_handicap(&self, given: &Given<'a>, plus: usize) -> Result<(), NotationError> {
        let has_time_of_both =
            self.control.periods.last().is_some_and(|last| last.time.white == last.time.black);
        let is_part = self.text[..plus].trim_end().ends_with([',', ';']);
        let is_bare =
            given.black.is_some_and(|black| black.is_bare() && black.text != given.white.text);
        if has_time_of_both && !is_part && is_bare {
            let why = "two increments, or the time of Black? Write two increments as a part of their \
                       own, as in G/5, +3 v 4, and two times as in 5 v 4, +3 v 0";
            return self.wrong(plus, why);
        }
        Ok(())
    }

    /// A time without a `+` before it whose purpose is not said.
    fn without_plus(&mut self, given: &Given<'a>) -> Result<(), NotationError> {
        let at = given.white.at;
        if given.white.has_minutes_and_seconds() {
            let why = "a time or an increment? Write G/3m2s for 3 minutes and 2 seconds, or 3+2 for \
                       2 seconds a move";
            return self.wrong(at, why);
        }
        match given.length() {
            Length::Bare => {
                self.control.bare = Some(at);
                self.push(None, given, Place::Bare, at)
            }
            Length::Long => self.rest(given),
            Length::Short if self.control.periods.is_empty() => {
                self.push(None, given, Place::Bare, at)
            }
            Length::Short => self.wrong(
                at,
                "seconds for which moves? A period is written as in G/30s, an increment as in +30 \
                 or 30 s/move",
            ),
        }
    }

    /// The time for all the moves that remain. `from move 41` or `after move 40` may follow.
    fn rest(&mut self, given: &Given<'a>) -> Result<(), NotationError> {
        let due = self.control.moves_so_far().unwrap_or(0);
        self.push(None, given, Place::Bare, given.white.at)?;
        let at = self.tokens.first().map_or(self.text.len(), |(_, at)| *at);
        let before = match self.peek(0) {
            Some(Token::From) => self.from()?.map(|(before, _)| u64::from(before)),
            Some(Token::After) => Some(self.after()?),
            _ => None,
        };
        match before {
            Some(before) if before != due => {
                let why = format!("the moves of the periods before this one end with move {due}");
                self.wrong(at, &why)
            }
            _ => Ok(()),
        }
    }

    /// Takes `after move 40`. Returns the number.
    fn after(&mut self) -> Result<u64, NotationError> {
        let Some((_, at)) = self.take() else { return Ok(0) };
        self.skip(|token| matches!(token, Token::Article | Token::Moves | Token::M));
        let number = match self.take() {
            Some((Token::Amount(number) | Token::Ordinal(number), _)) => number.parse().ok(),
            _ => None,
        };
        self.found(Token::Moves);
        match number {
            Some(number) => Ok(number),
            None => self.wrong(at, "no move; expected its number, as in `after move 40`"),
        }
    }

    /// Takes the words that say what a time or an amount is for.
    fn purpose(&mut self, given: &Given<'a>, has_plus: bool) -> Result<Purpose, NotationError> {
        self.found_each_player();
        if self.found_each_move() {
            return Ok(Purpose::Amount(Method::Increment));
        }
        if let Some(kind) = self.amount_word() {
            self.found_each_move();
            return Ok(Purpose::Amount(kind));
        }
        if !self.is_separated() && self.found_rest() {
            return Ok(Purpose::Rest);
        }
        self.moves_after(given, has_plus)
    }

    /// Takes `each` and `per player` after a time or an amount.
    fn found_each_player(&mut self) {
        self.attempt(|reader| {
            reader.found_if(|token| matches!(token, Token::Per | Token::For | Token::Slash));
            let is_each = reader.found(Token::Each);
            let ends = reader.is_separated()
                || matches!(reader.peek(0), None | Some(Token::Plus | Token::For | Token::Rest));
            (is_each && ends || reader.found(Token::Player)).then_some(())
        });
    }

    /// Takes the `increment` of `30 s increment`, unless its own amount follows.
    fn amount_word(&mut self) -> Option<fn(Span) -> Method> {
        self.attempt(|reader| {
            reader.skip(|token| token == Token::Article);
            let kind: fn(Span) -> Method = match reader.take()?.0 {
                Token::Increment => Method::Increment,
                Token::Delay => Method::Delay,
                Token::Bronstein => Method::Bronstein,
                _ => return None,
            };
            let is_before = |token| matches!(token, Token::Slash | Token::Article);
            let next = usize::from(reader.peek(0).is_some_and(is_before));
            (!matches!(reader.peek(next), Some(Token::Amount(_)))).then_some(kind)
        })
    }

    /// Takes `/end`, `rest`, `for the rest of the game`, `QPF`. Returns whether it was there.
    fn found_rest(&mut self) -> bool {
        let found = self.attempt(|reader| {
            reader.found_if(|token| matches!(token, Token::Slash | Token::For | Token::Per));
            reader.skip(|token| token == Token::Article);
            reader.found(Token::Rest).then_some(())
        });
        if found.is_some() {
            self.skip(|token| matches!(token, Token::Rest | Token::Article | Token::Moves));
        }
        found.is_some()
    }

    /// Takes the moves after their time: `/40`, `x 40`, `for the first 40 moves`, `40 coups`.
    fn moves_after(&mut self, given: &Given<'a>, has_plus: bool) -> Result<Purpose, NotationError> {
        let is_slash = self.peek(0) == Some(Token::Slash);
        let is_adjacent = !has_plus && given.length() == Length::Long && !self.is_separated();
        let mut is_first = false;
        let moves = self.attempt(|reader| {
            let is_connected =
                |token| matches!(token, Token::Slash | Token::Times | Token::For | Token::Per);
            let needs_word = match reader.peek(0)? {
                Token::Per => true,
                token if is_connected(token) => false,
                Token::Amount(_) if is_adjacent => true,
                _ => return None,
            };
            reader.found_if(is_connected);
            loop {
                match reader.peek(0)? {
                    Token::First => is_first = true,
                    Token::Article => {}
                    _ => break,
                }
                reader.take();
            }
            let Some((Token::Amount(moves), at)) = reader.take() else { return None };
            let has_word = reader.found_if(|token| matches!(token, Token::Moves | Token::M));
            let is_next = matches!(reader.peek(0), Some(Token::Slash | Token::In));
            (has_word && !is_next || !needs_word).then_some((moves, at))
        });
        match moves {
            Some((moves, at)) => {
                // `90'/40m` has 40 moves. `40m/90m` is refused: one of them is no time.
                let has_m = given.white.has_unit_after();
                let number = moves.strip_suffix('m').filter(|_| has_m).unwrap_or(moves);
                Ok(Purpose::Moves { moves: self.moves(number, at)?, is_first })
            }
            None if is_slash => {
                let at = given.white.at;
                self.wrong(at, "no moves after the `/`; expected them as in 90 min/40")
            }
            None => Ok(Purpose::Unsaid),
        }
    }

    fn push(
        &mut self,
        moves: Option<u32>,
        given: &Given<'a>,
        place: Place,
        at: usize,
    ) -> Result<(), NotationError> {
        let time = self.both(given, MINUTE)?;
        self.unclear.note(given, place);
        if self.control.overtime.is_some() {
            return self.wrong(at, "an overtime stands after the last period");
        }
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
        self.control.last_at = at;
        self.control.periods.push(Period { moves, time, ..Period::default() });
        Ok(())
    }

    /// The error for the second time of `75 min + 15 min`. It is not an increment, and the moves of
    /// the first time are missing.
    fn missing_moves(&self, plus: usize) -> Result<(), NotationError> {
        if self.control.periods.is_empty() || self.control.repeat {
            let why = "an increment in minutes is written as in 1 min/move; a period stands \
                       without `+`, as in G/30";
            return self.wrong(plus, why);
        }
        let (before, first) = self.text.split_at(self.control.last_at);
        let next = self.tokens.first().map_or(self.text.len(), |(_, at)| *at);
        let (begun, rest) = self.text.split_at(self.text[..next].trim_end().len());
        let accepted = |spelling: &String| self.has_spellings && is_accepted(spelling);
        let period = Some(format!("{before}40/{first}")).filter(accepted);
        let amount = Some(format!("{begun}/move{rest}")).filter(accepted);
        let period = period.unwrap_or_else(|| "40/90, G/30".to_owned());
        let amount = amount.unwrap_or_else(|| "+1 min/move".to_owned());
        let why = format!(
            "this is a second period, and for which moves is the time before it? Write, for \
             example, `{period}`; an increment is written as in `{amount}`"
        );
        self.wrong(plus, &why)
    }
}
