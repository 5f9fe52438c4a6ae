//! A time control in lines, in the words of the menu. In English most controls have the engine's
//! description.

use crate::page::wrap;
use crate::words::{Words, face_time, of};
use clock_engine::text::describe;
use clock_engine::{Control, Method, Overtime, PerSide, Period, PeriodEnd, Side, Span};
use clock_languages::{Notes, Template, menu};

impl Words {
    /// The lines that describe the control. Each part of the control begins on a new line.
    pub fn control(self, control: &Control) -> Vec<String> {
        if let Some(said) = self.increment(control) {
            return wrap(&said);
        }
        let parts = match &self.own {
            None => {
                let said = describe(control);
                said.split([',', ';']).map(|part| part.trim().to_owned()).collect()
            }
            Some(own) => self.own_parts(&own.control, control),
        };
        parts.iter().flat_map(|part| wrap(part)).collect()
    }

    /// A control with one period and the same increment from the first move on, as the face says it.
    fn increment(self, control: &Control) -> Option<String> {
        const SECOND: u64 = 1_000_000_000;
        let terms = control.terms();
        let [Period { time, moves: None, method, .. }] = control.periods() else { return None };
        let PerSide { white: Method::Increment(span), black } = *method else { return None };
        let is_same = time.white == time.black && black == method.white;
        let is_plain = terms.first_move_increment && !terms.repeat && terms.draw_odds.is_none();
        if !is_same || !is_plain || span.as_nanos() % SECOND != 0 {
            return None;
        }
        let (time, seconds) = (face_time(time.white), span.as_nanos() / SECOND);
        let Notes { per_move, from_first, .. } = &self.0.words().face.notes;
        let text = if seconds == 1 { per_move.one } else { per_move.others };
        Some(from_first.with([&text.with([&time, &seconds])]))
    }

    fn own_parts(self, words: &menu::Control, control: &Control) -> Vec<String> {
        let [white, black] = Side::BOTH.map(|side| Description { words, control, side }.parts());
        let mut parts = if white == black {
            white
        } else {
            let of_side = |(side, parts): (Side, Vec<String>)| {
                [format!("{}{}", self.side_name(side), self.colon()).trim_end().to_owned()]
                    .into_iter()
                    .chain(parts)
            };
            [(Side::White, white), (Side::Black, black)].into_iter().flat_map(of_side).collect()
        };
        parts.extend(control.terms().draw_odds.map(|side| of(&words.draw_wins, side).to_owned()));
        parts
    }
}

/// The description of one side's periods.
struct Description<'a> {
    words: &'a menu::Control,
    control: &'a Control,
    side: Side,
}

impl Description<'_> {
    /// Each period with its increment or delay.
    fn parts(&self) -> Vec<String> {
        let (terms, periods) = (self.control.terms(), self.control.periods());
        let (mut parts, mut due) = (Vec::new(), 0);
        for (index, period) in periods.iter().enumerate() {
            if index > 0 {
                parts.extend(self.period_end(due));
            }
            due += u64::from(period.moves.unwrap_or(0));
            parts.extend(self.period(index, period));
            if index + 1 == periods.len() && terms.repeat {
                parts.push(self.words.again_and_again.to_owned());
            }
            let method = period.method[self.side];
            let amount = self.amount(method);
            let is_late = matches!(method, Method::Increment(_)) && !terms.first_move_increment;
            let from = match is_late {
                true => self.words.from_first_press.to_owned(),
                false => self.words.from_move.with([&1]),
            };
            let from = amount.is_some().then_some(from).filter(|_| index == 0);
            parts.extend(amount.into_iter().chain(from));
        }
        parts
    }

    /// The condition under which a period after the first one begins. Empty if the moves of the
    /// previous period decide it.
    fn period_end(&self, due: u64) -> Vec<String> {
        let words = self.words;
        match self.control.terms().period_end {
            PeriodEnd::Moves => Vec::new(),
            PeriodEnd::Zero => vec![words.when_either_time_is_up.to_owned()],
            PeriodEnd::MovesAtZero => vec![words.when_time_is_up.to_owned()],
            PeriodEnd::BlackCompletes { pause } => {
                let stop = pause.then(|| words.both_clocks_stop.to_owned());
                let first = words.when_black_completes.with([&due]);
                [first].into_iter().chain(stop).collect()
            }
        }
    }

    /// The description of a period: its time, its moves, and its method.
    fn period(&self, index: usize, period: &Period) -> Vec<String> {
        let words = self.words;
        let time = period.time[self.side];
        let then = |period: String| if index > 0 { words.then.with([&period]) } else { period };
        let overtime = match period.method[self.side] {
            Method::Hourglass => return vec![then(words.hourglass.with([&time]))],
            Method::Gong(slice) => return vec![then(words.gong.with([&amount(slice)]))],
            Method::CountUp { limit } => {
                let limit = limit.map(|limit| words.at_most.with([&limit]));
                return [words.counted_up.to_owned()].into_iter().chain(limit).collect();
            }
            Method::Overtime(overtime) if time.is_zero() => return self.overtime(overtime),
            Method::Overtime(overtime) => self.overtime(overtime),
            Method::None | Method::Increment(_) | Method::Delay(_) | Method::Bronstein(_) => {
                Vec::new()
            }
        };
        // A first period without time has only its increment or delay: 0+5 begins with 0:00:00.
        let gives_none = time.is_zero() && index > 0;
        let given = match gives_none {
            true => words.no_added_time.to_owned(),
            false => time.to_string(),
        };
        let is_only = self.control.periods().len() == 1;
        let first = match period.moves {
            Some(moves) if gives_none => then(format!("{}, {given}", words.moves.with([&moves]))),
            Some(moves) => then(words.in_time.with([&moves, &given])),
            None if index == 0 && is_only => words.all_moves_in.with([&given]),
            None => then(given),
        };
        let at_once = matches!(
            self.control.terms().period_end,
            PeriodEnd::Zero | PeriodEnd::BlackCompletes { .. }
        );
        let for_both = index > 0 && at_once && period.time.white == period.time.black;
        let first = match for_both && !time.is_zero() {
            true => words.for_both.with([&first]),
            false => first,
        };
        [first].into_iter().chain(overtime).collect()
    }

    fn overtime(&self, Overtime { periods, moves, time }: Overtime) -> Vec<String> {
        let words = self.words;
        let first = match periods {
            1 => words.overtime.to_owned(),
            periods => words.overtime_periods.with([&periods]),
        };
        let second = match moves {
            1 => words.each_move.with([&time]),
            moves => words.in_time.with([&moves, &time]),
        };
        vec![first, second]
    }

    /// The increment or delay; `None` for every other method.
    fn amount(&self, method: Method) -> Option<String> {
        let words = self.words;
        let (text, span): (Template<1>, Span) = match method {
            Method::Increment(span) => (words.increment, span),
            Method::Delay(span) => (words.delay, span),
            Method::Bronstein(span) => (words.bronstein, span),
            Method::None
            | Method::Overtime(_)
            | Method::Hourglass
            | Method::Gong(_)
            | Method::CountUp { .. } => return None,
        };
        Some(text.with([&amount(span)]))
    }
}

/// A whole number of seconds below 10 minutes in the form `30 s`, and every other span as `h:mm:ss`.
fn amount(span: Span) -> String {
    const SECOND: u64 = 1_000_000_000;
    match (span.as_nanos() / SECOND, span.as_nanos() % SECOND) {
        (seconds @ 0..=599, 0) => format!("{seconds} s"),
        _ => span.to_string(),
    }
}

#[cfg(test)]
mod tests;
