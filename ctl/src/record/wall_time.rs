//! Wall time: dates and times of day for people. The clock itself counts from the start of its
//! machine. The service records a wall time only while its machine knows it (`clock_wall_time`).

const SECOND: u64 = 1_000_000_000;
const DAY: u64 = 86_400;

/// A date and a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WallTime {
    pub year: u64,
    pub month: u64,
    pub day: u64,
    pub hour: u64,
    pub minute: u64,
    pub second: u64,
    pub millisecond: u64,
}

/// The seconds since 1970 of a wall time; `None` if the machine did not know it. No clock was used
/// before 1970.
pub fn known_seconds(wall_ns: Option<i64>) -> Option<u64> {
    Some(u64::try_from(wall_ns?).ok()? / SECOND)
}

impl WallTime {
    /// The instant `wall_ns` in the zone that is `offset` seconds east of UTC; `None` if the
    /// machine did not know the time.
    pub fn new(wall_ns: Option<i64>, offset: i32) -> Option<WallTime> {
        let seconds = known_seconds(wall_ns)?.checked_add_signed(offset.into())?;
        let (days, rest) = (seconds / DAY, seconds % DAY);
        let (year, month, day) = date(days);
        Some(WallTime {
            year,
            month,
            day,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
            millisecond: u64::try_from(wall_ns?).ok()? / 1_000_000 % 1000,
        })
    }
}

/// Year, month and day of a number of days since 1970-01-01.
fn date(days: u64) -> (u64, u64, u64) {
    // The days are counted from 1 March of the year 0, which is 719,468 days before 1970. Years
    // that begin in March have their leap day at the end; 400 of them have 146,097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::{WallTime, date};

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_148, (2025, 3, 1)),
            (20_819, (2027, 1, 1)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(date(days), expected, "{days}");
        }
    }

    #[test]
    fn a_machine_that_does_not_know_the_time_has_none() {
        let at = |seconds: i64, offset| WallTime::new(Some(seconds * 1_000_000_000), offset);
        assert_eq!(WallTime::new(None, 0), None);
        assert_eq!(WallTime::new(Some(i64::MIN), 0), None);
        assert_eq!(at(-1, 7200), None);
        let first = at(1_735_689_600, 0).unwrap();
        assert_eq!((first.year, first.month, first.day, first.hour), (2025, 1, 1, 0));
        let west = at(1_735_689_600, -3600).unwrap();
        assert_eq!((west.year, west.month, west.day, west.hour), (2024, 12, 31, 23));
        assert_eq!(WallTime::new(Some(i64::MAX), 0).map(|time| time.year), Some(2262));
    }
}
