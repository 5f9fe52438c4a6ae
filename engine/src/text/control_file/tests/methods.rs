//! The methods of a period.

use super::*;
use crate::Overtime;

/// Reads a control file with a single period, which has a time and these lines. Returns its method.
fn method(lines: &str) -> PerSide<Method> {
    read(&in_period(lines)).periods()[0].method
}

/// Reads a control file with a single period, which has these lines and no time. Returns the
/// period.
fn timeless(lines: &str) -> Period {
    read(&file(&format!("[[period]]\n{lines}"))).periods()[0]
}

fn overtime(periods: u32, time: u64, moves: u32) -> Method {
    Method::Overtime(Overtime { periods, time: secs(time), moves })
}

#[test]
fn every_method() {
    for (line, wanted) in [
        ("", Method::None),
        ("increment = '3s'", Method::Increment(secs(3))),
        ("delay = '3s'", Method::Delay(secs(3))),
        ("bronstein = '3s'", Method::Bronstein(secs(3))),
        ("hourglass = true", Method::Hourglass),
        ("overtime = { periods = 5, time = '30s', moves = 1 }", overtime(5, 30, 1)),
        ("[period.overtime]\nmoves = 20\ntime = '5m'\nperiods = 1", overtime(1, 300, 20)),
        ("overtime.periods = 5\novertime.time = '30s'\novertime.moves = 1", overtime(5, 30, 1)),
    ] {
        assert_eq!(method(line), PerSide::both(wanted), "{line}");
    }
    for (line, wanted) in [
        ("gong = '10s'", Method::Gong(secs(10))),
        ("count_up = true", Method::CountUp { limit: None }),
        ("limit = '2h'\ncount_up = true", Method::CountUp { limit: Some(secs(7200)) }),
    ] {
        let period = timeless(line);
        assert_eq!(period.method, PerSide::both(wanted), "{line}");
        assert_eq!(period.time, PerSide::both(Span::ZERO));
    }
}

#[test]
fn a_key_that_is_false_counts_as_absent() {
    for key in ["hourglass", "count_up", "repeat"] {
        assert_eq!(method(&format!("{key} = false")), PerSide::both(Method::None));
        method(&format!("{key} = false\nincrement = '3s'"));
        refused(&file(&format!("[[period]]\n{key} = false")), 2, &["needs `time`"]);
    }
}

#[test]
fn a_move_timer_has_no_main_time() {
    let text = "[[period]]\ntime = '0:00:00'\novertime = { periods = 1, time = '30s', moves = 1 }";
    let period = read(&file(text)).periods()[0];
    assert_eq!(period.time, PerSide::both(Span::ZERO));
    assert_eq!(period.method, PerSide::both(overtime(1, 30, 1)));
}

#[test]
fn the_sides_with_different_amounts() {
    let sides = "{ white = '3s', black = '2s' }";
    for (key, of) in [
        ("increment", Method::Increment as fn(Span) -> Method),
        ("delay", Method::Delay),
        ("bronstein", Method::Bronstein),
    ] {
        let wanted = PerSide { white: of(secs(3)), black: of(secs(2)) };
        assert_eq!(method(&format!("{key} = {sides}")), wanted);
    }
    let wanted = PerSide { white: Method::Gong(secs(3)), black: Method::Gong(secs(2)) };
    assert_eq!(timeless(&format!("gong = {sides}")).method, wanted);
    let wanted = PerSide { white: overtime(5, 30, 1), black: overtime(3, 20, 2) };
    let lines = "overtime = { white = { periods = 5, time = '30s', moves = 1 }, \
                 black = { periods = 3, time = '20s', moves = 2 } }";
    assert_eq!(method(lines), wanted);
}

#[test]
fn the_sides_with_different_methods() {
    let wanted = PerSide { white: Method::Increment(secs(3)), black: Method::Delay(secs(5)) };
    assert_eq!(method("increment = { white = '3s' }\ndelay = { black = '5s' }"), wanted);
    let wanted = PerSide { white: Method::None, black: Method::Bronstein(secs(5)) };
    assert_eq!(method("bronstein = { black = '5s' }"), wanted);
    let wanted = PerSide { white: overtime(5, 30, 1), black: Method::Increment(secs(3)) };
    let lines = "increment = { black = '3s' }\n\
                 overtime = { white = { periods = 5, time = '30s', moves = 1 } }";
    assert_eq!(method(lines), wanted);
}

#[test]
fn a_method_for_neither_side() {
    for key in ["increment", "delay", "bronstein", "gong"] {
        let parts = [&format!("`{key}` for neither side"), "expected a duration"];
        refused(&in_period(&format!("\n{key} = {{}}")), 5, &parts);
    }
}

#[test]
fn two_methods_for_one_side() {
    for (first, second) in [
        ("increment = '3s'", "delay = '3s'"),
        ("delay = '3s'", "increment = '3s'"),
        ("delay = '3s'", "bronstein = '3s'"),
        ("bronstein = '0s'", "increment = '3s'"),
        ("increment = '3s'", "delay = { black = '3s' }"),
        ("increment = { white = '3s' }", "bronstein = { white = '0s' }"),
        ("hourglass = true", "increment = '3s'"),
        ("overtime = { periods = 5, time = '30s', moves = 1 }", "delay = '3s'"),
        ("delay = { black = '3s' }", "overtime = { periods = 5, time = '30s', moves = 1 }"),
        ("gong = '3s'", "count_up = true"),
        ("increment = '3s'", "gong = '3s'"),
        ("count_up = true", "hourglass = true"),
    ] {
        let [one, two] = [first, second].map(|line| line.split(' ').next().unwrap());
        let named = format!("`{one}` and `{two}`");
        let parts = ["two methods for", &named, "at most one of", "`increment`", "`overtime`"];
        refused(&in_period(&format!("{first}\n\n{second}")), 6, &parts);
    }
    // Two methods are allowed if each is in a period of its own.
    read(&file(
        "[[period]]\nmoves = 1\ntime = '5m'\ndelay = '3s'\n[[period]]\ntime = '5m'\nincrement = '3s'",
    ));
}

#[test]
fn a_time_with_a_method_that_has_none_is_refused() {
    for method in ["gong = '10s'", "count_up = true", "gong = { white = '10s', black = '5s' }"] {
        let key = method.split(' ').next().unwrap();
        for time in ["'5m'", "'0s'", "{ white = '5m', black = '4m' }", "{ white = '5m' }"] {
            let text = file(&format!("[[period]]\n{method}\ntime = {time}"));
            refused(&text, 4, &["`time` beside", &format!("`{key}`"), "expected no `time`"]);
        }
    }
}

#[test]
fn methods_of_one_period_the_same_for_both_sides() {
    let first = "[[period]]\nmoves = 40\ntime = '5m'";
    for (lines, line, key) in [
        (format!("{first}\n[[period]]\ntime = '5m'\nhourglass = true"), 7, "hourglass"),
        (format!("{first}\n[[period]]\ngong = '10s'"), 6, "gong"),
        (format!("{first}\n[[period]]\ncount_up = true"), 6, "count_up"),
        (format!("{first}\nhourglass = true\n[[period]]\ntime = '5m'"), 5, "hourglass"),
        ("[[period]]\nmoves = 4\ncount_up = true\nrepeat = true".into(), 4, "count_up"),
        ("[[period]]\ngong = { white = '10s' }".into(), 3, "gong"),
    ] {
        let parts = [&format!("`{key}`"), "the only one, the same for both sides"];
        refused(&file(&lines), line, &parts);
    }
}

#[test]
fn overtime_comes_last() {
    let overtime = "overtime = { periods = 5, time = '30s', moves = 1 }";
    let text =
        file(&format!("[[period]]\nmoves = 4\ntime = '5m'\n{overtime}\n[[period]]\ntime = '5m'"));
    refused(&text, 5, &["period 1 has overtime", "last period"]);
    let text = file(&format!("[[period]]\nmoves = 4\ntime = '5m'\n{overtime}\nrepeat = true"));
    refused(&text, 5, &["period 1 has overtime", "does not repeat"]);
}

#[test]
fn a_wrong_overtime_is_refused() {
    for (value, parts) in [
        ("{}", &["`overtime` is empty", "periods = …", "white = …"][..]),
        ("{ time = '30s', moves = 1 }", &["no `periods`", "expected { periods = …"]),
        ("{ periods = 5, moves = 1 }", &["no `time`", "expected { periods = …"]),
        ("{ periods = 5, time = '30s' }", &["no `moves`", "expected { periods = …"]),
        (
            "{ periods = 5, time = '30s', moves = 1, black = { periods = 1, time = '1s', moves = 1 } }",
            &["for both sides and for one", "expected"],
        ),
        ("{ periods = 0, time = '30s', moves = 1 }", &["is", "`0`", "a number of periods from 1"]),
        ("{ periods = 5, time = '30s', moves = 0 }", &["is", "`0`", "a number of moves from 1"]),
        ("{ periods = '5', time = '30s', moves = 1 }", &["\"5\"", "a number of periods from 1"]),
        ("{ periods = 5, time = '-30s', moves = 1 }", &["`-30s` is negative"]),
        ("{ periods = 5, time = '0s', moves = 1 }", &["overtime", "shorter than 1 ms"]),
        (
            "{ periods = 5, time = { white = '3s' }, moves = 1 }",
            &["a table", "expected a duration"],
        ),
        ("{ periods = 5, time = '30s', move = 1 }", &["unknown key `move`", "`moves`", "`white`"]),
        ("{ white = { periods = 5, time = '30s' } }", &["missing key `moves`"]),
        (
            "{ white = { periods = 5, time = '30s', moves = 1, black = 1 } }",
            &["unknown key `black`"],
        ),
        ("{ white = [5, '30s', 1] }", &["is a list", "expected { periods = …"]),
        ("{ white = '30s' }", &["is \"30s\"", "expected { periods = …"]),
        ("[5, '30s', 1]", &["is a list", "expected { periods = …"]),
        ("'30s'", &["is \"30s\"", "expected { periods = …"]),
        ("true", &["`true`", "expected { periods = …"]),
    ] {
        refused(&in_period(&format!("# Overtime:\novertime = {value}")), 5, parts);
    }
    refused(&in_period("[period.overtime]\nperiods = 5\nmoves = 1\ntime = '5y'"), 7, &["`5y`"]);
    refused(&in_period("\n[period.overtime]\nperiods = 5\nmoves = 1"), 5, &["no `time`"]);
}

#[test]
fn a_gong_that_is_none() {
    for (value, parts) in [
        ("'0s'", &["slice", "shorter than 1 ms"][..]),
        ("{ white = '10s', black = '999us' }", &["slice", "shorter than 1 ms"]),
        ("'ten'", &["`ten`", "no duration"]),
        ("true", &["`true`", "expected a duration"]),
        ("10", &["`10`", "expected a duration"]),
    ] {
        refused(&file(&format!("[[period]]\n# Gong:\ngong = {value}")), 4, parts);
    }
}

#[test]
fn a_limit_belongs_to_counting_up() {
    for other in
        ["time = '5m'", "gong = '10s'", "time = '5m'\nhourglass = true", "count_up = false"]
    {
        let text = file(&format!("[[period]]\nlimit = '1h'\n{other}"));
        refused(&text, 3, &["`limit` without `count_up`", "expected"]);
    }
    for (value, part) in [("1", "`1`"), ("{ white = '1h' }", "a table"), ("'1y'", "`1y`")] {
        refused(
            &file(&format!("[[period]]\ncount_up = true\nlimit = {value}")),
            4,
            &[part, "expected"],
        );
    }
}

#[test]
fn a_switch_that_is_none() {
    for key in ["hourglass", "count_up", "repeat"] {
        for value in ["1", "'true'", "'1m'", "[]", "{}"] {
            refused(&in_period(&format!("{key} = {value}")), 4, &["is", "true or false"]);
        }
    }
}

#[test]
fn a_first_period_without_time_is_refused_at_its_time() {
    let error = |period: &str| {
        let text = format!("name = 'x'\n[[period]]\n{period}\n");
        ControlFile::parse(&text).map_err(|error| error.to_string())
    };
    for (period, side) in [
        ("time = '0:00:00'", "White"),
        ("time = '0s'\nincrement = '0s'", "White"),
        ("time = '0s'\nhourglass = true", "White"),
        ("time = { white = '5m', black = '0s' }\ndelay = { white = '2s' }", "Black"),
    ] {
        let said = error(period).unwrap_err();
        assert!(said.starts_with("3:8: "), "{period}: {said}");
        assert!(said.contains(&format!("{side}'s first period has the time 0:00:00")), "{said}");
    }
    for period in [
        "time = '0s'\novertime = { periods = 5, time = '30s', moves = 1 }",
        "moves = 40\ntime = '2h'\n[[period]]\ntime = '0s'",
        "gong = '10s'",
        "time = '0s'\nincrement = '3s'",
        "time = '0s'\ndelay = '3s'",
        "time = '0s'\nbronstein = '3s'",
        "time = { white = '5m', black = '0s' }\ndelay = '2s'",
    ] {
        assert!(error(period).is_ok(), "{period}: {:?}", error(period));
    }
    // Without the increment of move 1, the flag would fall at once.
    let late =
        "name = 'x'\nfirst_move_increment = false\n[[period]]\ntime = '0s'\nincrement = '3s'";
    let said = ControlFile::parse(late).unwrap_err().to_string();
    assert!(said.starts_with("4:8: ") && said.contains("nothing for the first move"), "{said}");
    for notation in ["0+0", "0", "G/0", "5 v 0", "pgn:0", "40/0, G/30", "0+5 from 2", "G/0 d5 v 0"]
    {
        let said = crate::text::parse_notation(notation).unwrap_err().to_string();
        assert!(said.contains("first period has the time 0:00:00"), "{notation}: {said}");
    }
    for notation in ["40/90, G/0, +30", "0+5", "G/0 d5", "G/0 b5", "pgn:0+3", "5 v 0, +3"] {
        assert!(crate::text::parse_notation(notation).is_ok(), "{notation}");
    }
}
