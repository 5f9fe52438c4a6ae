//! A time control in lines, in the words of the menu. In English it is the engine's description.

use crate::page::wrap;
use crate::words::{Words, of};
use clock_engine::text::describe;
use clock_engine::{Control, Method, Overtime, Period, PeriodEnd, Side, Span};
use clock_languages::menu;

impl Words {
    /// The lines that describe the control. Each part of the control begins on a new line.
    pub fn control(self, control: &Control) -> Vec<String> {
        let parts = match &self.own {
            None => {
                let said = describe(control);
                said.split([',', ';']).map(|part| part.trim().to_owned()).collect()
            }
            Some(own) => self.own_parts(&own.control, control),
        };
        parts.iter().flat_map(|part| wrap(part)).collect()
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
    fn parts(&self) -> Vec<String> {
        let terms = self.control.terms();
        let mut periods = self.control.periods().to_vec();
        let amount = |period: &Period| self.amount(period.method[self.side]);
        let with_amount = periods.iter().position(|period| amount(period).is_some());
        let with_amount = with_amount.unwrap_or(periods.len());
        let is_same =
            periods[with_amount..].windows(2).all(|pair| amount(&pair[0]) == amount(&pair[1]));
        // If this is `true`, only the last line names the increment or delay, with the number of
        // the move from which it applies.
        let is_uniform = is_same && (with_amount == 0 || terms.period_end == PeriodEnd::Moves);
        let due_before = |index: usize, periods: &[Period]| -> u64 {
            periods[..index].iter().filter_map(|period| period.moves).map(u64::from).sum()
        };
        let uniform = periods.get(with_amount).filter(|_| is_uniform).and_then(|first| {
            let from = match first.method[self.side] {
                Method::Increment(_) if with_amount == 0 && !terms.first_move_increment => {
                    self.words.from_first_press.to_owned()
                }
                _ => format!("{} {}", self.words.from_move, due_before(with_amount, &periods) + 1),
            };
            Some([amount(first)?, from])
        });
        // A period that gives no time only marks where the increment or delay begins. The last line
        // says this, so the period gets no line of its own.
        let gives_no_time =
            |period: &Period| period.time[self.side].is_zero() && !terms.repeat && is_uniform;
        if with_amount > 0 && periods.get(with_amount).is_some_and(gives_no_time) {
            let joined = periods.remove(with_amount);
            let before = &mut periods[with_amount - 1];
            before.moves = before.moves.zip(joined.moves).map(|(one, other)| one + other);
        }
        let mut parts = Vec::new();
        for (index, period) in periods.iter().enumerate() {
            if index > 0 {
                parts.extend(self.period_end(due_before(index, &periods)));
            }
            parts.extend(self.period(index, &periods));
            if index + 1 == periods.len() && terms.repeat {
                parts.push(self.words.again_and_again.to_owned());
            }
            parts.extend(amount(period).filter(|_| !is_uniform));
        }
        parts.extend(uniform.into_iter().flatten());
        parts
    }

    /// Whether the second and last period gives nothing: it only marks the move of Black after which
    /// the rules of a finish hold.
    fn nothing_added(&self, periods: &[Period]) -> bool {
        let at_blacks_move =
            matches!(self.control.terms().period_end, PeriodEnd::BlackCompletes { .. });
        let is_finish = |last: &Period| {
            let has_overtime = matches!(last.method[self.side], Method::Overtime(_));
            last.time[self.side].is_zero() && !has_overtime && !self.control.terms().repeat
        };
        at_blacks_move && matches!(periods, [_, last] if is_finish(last))
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
                let first = format!("{} {due}", words.when_black_completes);
                [first].into_iter().chain(stop).collect()
            }
        }
    }

    /// The description of a period: its time, its moves, and its method.
    fn period(&self, index: usize, periods: &[Period]) -> Vec<String> {
        let words = self.words;
        let period = &periods[index];
        let time = period.time[self.side];
        let then = if index > 0 { format!("{} ", words.then) } else { String::new() };
        let overtime = match period.method[self.side] {
            Method::Hourglass => return vec![format!("{then}{} {time}", words.hourglass)],
            Method::Gong(slice) => return vec![format!("{then}{} {}", words.gong, amount(slice))],
            Method::CountUp { limit } => {
                let limit = limit.map(|limit| format!("{} {limit}", words.at_most));
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
        let is_only = periods.len() == 1 || self.nothing_added(periods);
        let first = match period.moves.filter(|_| index > 0 || !self.nothing_added(periods)) {
            Some(moves) if gives_none => format!("{then}{} {moves}, {given}", words.moves),
            Some(moves) => format!("{then}{} {moves} {} {given}", words.moves, words.in_time),
            None if index == 0 && is_only => format!("{} {given}", words.all_moves_in),
            None => format!("{then}{given}"),
        };
        let at_once = matches!(
            self.control.terms().period_end,
            PeriodEnd::Zero | PeriodEnd::BlackCompletes { .. }
        );
        let for_both = index > 0 && at_once && period.time.white == period.time.black;
        let first = match for_both && !time.is_zero() {
            true => format!("{first} {}", words.for_both),
            false => first,
        };
        [first].into_iter().chain(overtime).collect()
    }

    fn overtime(&self, Overtime { periods, moves, time }: Overtime) -> Vec<String> {
        let words = self.words;
        let first = match periods {
            1 => words.overtime.to_owned(),
            periods => format!("{} {periods}", words.overtime_periods),
        };
        let second = match moves {
            1 => format!("{} {time}", words.each_move),
            moves => format!("{} {moves} {} {time}", words.moves, words.in_time),
        };
        vec![first, second]
    }

    /// The increment or delay; `None` for every other method.
    fn amount(&self, method: Method) -> Option<String> {
        let words = self.words;
        let (name, span) = match method {
            Method::Increment(span) => (words.increment, span),
            Method::Delay(span) => (words.delay, span),
            Method::Bronstein(span) => (words.bronstein, span),
            Method::None
            | Method::Overtime(_)
            | Method::Hourglass
            | Method::Gong(_)
            | Method::CountUp { .. } => return None,
        };
        Some(format!("{name} {}", amount(span)))
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
