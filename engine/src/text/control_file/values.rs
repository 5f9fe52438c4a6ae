//! The values of a period's keys.

use super::Wrong;
use crate::text::parse_duration;
use crate::{Method, Overtime, PerSide, Span};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

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
