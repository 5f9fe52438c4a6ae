//! The `[[period]]` tables of a control file, and the values in them.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use toml::Spanned;

use super::Wrong;
use crate::text::parse_duration;
use crate::{Method, Overtime, PerSide, Period, Side, Span};

/// A duration.
pub(super) struct Duration(pub Span);

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        deserializer.deserialize_any(DurationVisitor)
    }
}

struct DurationVisitor;

impl Visitor<'_> for DurationVisitor {
    type Value = Duration;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a duration such as \"1:30:00\", \"90m\" or \"30s\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Duration, E> {
        parse_duration(text).map(Duration).map_err(E::custom)
    }
}

/// A duration for both sides, or `{ white = …, black = … }`, where a side may be left out.
pub(super) struct Amounts(pub PerSide<Option<Span>>);

impl<'de> Deserialize<'de> for Amounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amounts, D::Error> {
        deserializer.deserialize_any(AmountsVisitor)
    }
}

struct AmountsVisitor;

impl<'de> Visitor<'de> for AmountsVisitor {
    type Value = Amounts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a duration such as \"1:30:00\", \"90m\" or \"30s\", or { white = …, black = … }",
        )
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Amounts, E> {
        parse_duration(text).map(|span| Amounts(PerSide::both(Some(span)))).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Amounts, A::Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Sides {
            white: Option<Duration>,
            black: Option<Duration>,
        }
        let Sides { white, black } = Sides::deserialize(MapAccessDeserializer::new(map))?;
        let sides = PerSide { white, black };
        Ok(Amounts(sides.map(|given| given.map(|Duration(span)| span))))
    }
}

/// A number of moves or of periods. Zero is refused here, so that the error names the line.
struct Count(u32);

/// The moves of a period.
pub(super) struct Moves(pub u32);

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Moves, D::Error> {
        deserializer.deserialize_any(CountVisitor("moves")).map(|Count(moves)| Moves(moves))
    }
}

struct Periods(u32);

impl<'de> Deserialize<'de> for Periods {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Periods, D::Error> {
        deserializer.deserialize_any(CountVisitor("periods")).map(|Count(count)| Periods(count))
    }
}

struct CountVisitor(&'static str);

impl Visitor<'_> for CountVisitor {
    type Value = Count;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number of {} from 1 to {}", self.0, u32::MAX)
    }

    fn visit_i64<E: de::Error>(self, given: i64) -> Result<Count, E> {
        match u32::try_from(given) {
            Ok(count) if count > 0 => Ok(Count(count)),
            _ => Err(E::invalid_value(de::Unexpected::Signed(given), &self)),
        }
    }
}

/// A table with its keys. Without this type serde would also accept a list of the values.
pub(super) struct Table<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Table<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Table<T>, D::Error> {
        deserializer.deserialize_any(TableVisitor(PhantomData))
    }
}

struct TableVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for TableVisitor<T> {
    type Value = Table<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(OVERTIME)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Table<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Table)
    }
}

const OVERTIME: &str = "{ periods = …, time = …, moves = … }, or one such for each side: \
                        { white = …, black = … }";

/// One overtime for both sides (`periods`, `time`, `moves`), or a table with an overtime for
/// `white`, for `black` or for each of them.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OvertimeTable {
    periods: Option<Periods>,
    time: Option<Duration>,
    moves: Option<Moves>,
    white: Option<Table<SideOvertime>>,
    black: Option<Table<SideOvertime>>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct SideOvertime {
    periods: Periods,
    time: Duration,
    moves: Moves,
}

impl SideOvertime {
    fn method(self) -> Method {
        let SideOvertime { periods: Periods(periods), time: Duration(time), moves: Moves(moves) } =
            self;
        Method::Overtime(Overtime { periods, time, moves })
    }
}

impl OvertimeTable {
    pub(super) fn build(self, span: &Range<usize>) -> Result<PerSide<Option<Method>>, Wrong> {
        let wrong = |message: &str| Err((span.clone(), format!("{message}; expected {OVERTIME}")));
        let OvertimeTable { periods, time, moves, white, black } = self;
        match (periods, time, moves, white, black) {
            (Some(periods), Some(time), Some(moves), None, None) => {
                Ok(PerSide::both(Some(SideOvertime { periods, time, moves }.method())))
            }
            (None, None, None, None, None) => wrong("`overtime` is empty"),
            (None, None, None, white, black) => {
                let sides = PerSide { white, black };
                Ok(sides.map(|table| table.map(|Table(side)| side.method())))
            }
            (None, _, _, None, None) => wrong("`overtime` has no `periods`"),
            (_, None, _, None, None) => wrong("`overtime` has no `time`"),
            (_, _, None, None, None) => wrong("`overtime` has no `moves`"),
            _ => wrong("`overtime` is given for both sides and for one"),
        }
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPeriod {
    moves: Option<Moves>,
    time: Option<Spanned<Amounts>>,
    increment: Option<Spanned<Amounts>>,
    delay: Option<Spanned<Amounts>>,
    bronstein: Option<Spanned<Amounts>>,
    hourglass: Option<Spanned<bool>>,
    gong: Option<Spanned<Amounts>>,
    count_up: Option<Spanned<bool>>,
    limit: Option<Spanned<Duration>>,
    overtime: Option<Spanned<Table<OvertimeTable>>>,
    repeat: Option<Spanned<bool>>,
}

/// A period, with the positions of its `time`, of the keys of its methods and of `repeat` in the
/// text.
pub(super) struct ReadPeriod {
    pub period: Period,
    pub whole: Range<usize>,
    keys: Vec<(&'static str, Range<usize>)>,
}

impl ReadPeriod {
    /// The position of `key` in the file; `None` if the period does not have this key. The key is
    /// `time`, `repeat` or the key of a method.
    pub fn place(&self, key: &str) -> Option<Range<usize>> {
        self.keys.iter().find(|(name, _)| *name == key).map(|(_, span)| span.clone())
    }
}

impl RawPeriod {
    pub(super) fn build(raw: Spanned<RawPeriod>) -> Result<ReadPeriod, Wrong> {
        let whole = raw.span();
        let mut raw = raw.into_inner();
        let given = raw.methods()?;
        let method = PerSide {
            white: method_of(&given, Side::White)?,
            black: method_of(&given, Side::Black)?,
        };
        let place = raw.time.as_ref().map(|time| ("time", time.span()));
        let time = time(raw.time, &given, &whole)?;
        let mut keys: Vec<_> =
            given.into_iter().map(|MethodKey { key, span, .. }| (key, span)).collect();
        keys.extend(place);
        keys.extend(switched_on(raw.repeat).map(|span| ("repeat", span)));
        let moves = raw.moves.map(|Moves(moves)| moves);
        Ok(ReadPeriod { period: Period { moves, time, method }, whole, keys })
    }

    /// The keys of methods, in the order of the text.
    fn methods(&mut self) -> Result<Vec<MethodKey>, Wrong> {
        let mut given = Vec::new();
        for (key, amounts, method) in [
            ("increment", self.increment.take(), Method::Increment as fn(Span) -> Method),
            ("delay", self.delay.take(), Method::Delay),
            ("bronstein", self.bronstein.take(), Method::Bronstein),
            ("gong", self.gong.take(), Method::Gong),
        ] {
            let Some(amounts) = amounts else { continue };
            let span = amounts.span();
            let Amounts(sides) = amounts.into_inner();
            if sides == PerSide::both(None) {
                let message = format!(
                    "`{key}` for neither side; expected a duration such as \"30s\", or \
                     {{ white = …, black = … }}"
                );
                return Err((span, message));
            }
            given.push(MethodKey { key, span, sides: sides.map(|amount| amount.map(method)) });
        }
        if let Some(span) = switched_on(self.hourglass.take()) {
            given.push(MethodKey::both("hourglass", span, Method::Hourglass));
        }
        let limit = self.limit.take();
        if let Some(span) = switched_on(self.count_up.take()) {
            let limit = limit.map(|limit| limit.into_inner().0);
            given.push(MethodKey::both("count_up", span, Method::CountUp { limit }));
        } else if let Some(limit) = limit {
            let message = "`limit` without `count_up`; expected it only with `count_up = true`";
            return Err((limit.span(), message.into()));
        }
        if let Some(table) = self.overtime.take() {
            let span = table.span();
            let sides = table.into_inner().0.build(&span)?;
            given.push(MethodKey { key: "overtime", span, sides });
        }
        given.sort_by_key(|given| given.span.start);
        Ok(given)
    }
}

/// A key that gives one or both sides a method.
struct MethodKey {
    key: &'static str,
    span: Range<usize>,
    sides: PerSide<Option<Method>>,
}

impl MethodKey {
    fn both(key: &'static str, span: Range<usize>, method: Method) -> MethodKey {
        MethodKey { key, span, sides: PerSide::both(Some(method)) }
    }
}

/// The place of a key that is `true`. A key that is `false` counts as absent.
fn switched_on(given: Option<Spanned<bool>>) -> Option<Range<usize>> {
    given.filter(|given| *given.get_ref()).map(|given| given.span())
}

fn method_of(given: &[MethodKey], side: Side) -> Result<Method, Wrong> {
    let mut of_side = given.iter().filter(|given| given.sides[side].is_some());
    let Some(first) = of_side.next() else {
        return Ok(Method::None);
    };
    if let Some(second) = of_side.next() {
        let message = format!(
            "two methods for {side} in one period, `{}` and `{}`; expected at most one of \
             `increment`, `delay`, `bronstein`, `hourglass`, `gong`, `count_up`, `overtime`",
            first.key, second.key
        );
        return Err((second.span.clone(), message));
    }
    Ok(first.sides[side].unwrap_or_default())
}

/// The time of both sides. It must be given, except for methods that have no main time.
fn time(
    given: Option<Spanned<Amounts>>,
    methods: &[MethodKey],
    period: &Range<usize>,
) -> Result<PerSide<Span>, Wrong> {
    let timeless = methods.iter().find(|given| matches!(given.key, "gong" | "count_up"));
    let Some(given) = given else {
        return match timeless {
            Some(_) => Ok(PerSide::both(Span::ZERO)),
            None => {
                let message = "a period needs `time`, a duration such as \"1:30:00\"";
                Err((period.clone(), message.into()))
            }
        };
    };
    if let Some(MethodKey { key, .. }) = timeless {
        let message = format!("`time` beside `{key}`, which has no main time; expected no `time`");
        return Err((given.span(), message));
    }
    match given.get_ref().0 {
        PerSide { white: Some(white), black: Some(black) } => Ok(PerSide { white, black }),
        PerSide { white, .. } => {
            let missing = if white.is_none() { Side::White } else { Side::Black };
            let message = format!(
                "missing key `{}`; expected a `time` for both sides, {{ white = …, black = … }}",
                missing.as_str()
            );
            Err((given.span(), message))
        }
    }
}
