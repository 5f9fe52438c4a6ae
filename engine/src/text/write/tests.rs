//! Tests that a control file that `to_toml` has written is read back as the same control, and
//! contains only what differs from the usual. Also tests that every control can be described.

use super::*;
use crate::text::{ControlFile, parse_notation, presets};
use crate::{AfterFlag, Span};
use proptest::prelude::*;
use std::fmt::Debug;

#[test]
fn everything_that_differs_from_the_usual_is_written_and_nothing_else() {
    let side = |time, method| (Span::from_secs(time), method);
    let period = |moves, white: (Span, Method), black: (Span, Method)| Period {
        moves,
        time: PerSide { white: white.0, black: black.0 },
        method: PerSide { white: white.1, black: black.1 },
    };
    let overtime =
        |periods| Method::Overtime(Overtime { periods, time: Span::from_secs(30), moves: 1 });
    let periods = [
        period(Some(40), side(5400, Method::None), side(5400, Method::None)),
        period(
            Some(20),
            side(60, Method::Increment(Span::from_secs(3))),
            side(61, Method::Delay(Span::from_nanos(1))),
        ),
        period(None, side(0, overtime(5)), side(0, overtime(3))),
    ];
    let terms = Terms {
        period_end: PeriodEnd::BlackCompletes { pause: true },
        repeat: false,
        after_flag: Some(AfterFlag::Halt),
        first_move_increment: false,
        draw_odds: Some(Side::Black),
    };
    let expected = r#"name = "Everything"
period_end = "black-completes"
set_back_pause = true
after_flag = "halt"
first_move_increment = false
draw_odds = "black"

[[period]]
moves = 40
time = "1:30:00"

[[period]]
moves = 20
time = { white = "0:01:00", black = "0:01:01" }
increment = { white = "0:00:03" }
delay = { black = "0:00:00.000000001" }

[[period]]
time = "0:00:00"
overtime = { white = { periods = 5, time = "0:00:30", moves = 1 }, black = { periods = 3, time = "0:00:30", moves = 1 } }
"#;
    assert_eq!(to_toml("Everything", &Control::new(&periods, terms).unwrap()), expected);
    let repeating = parse_notation("36/90 repeat").unwrap();
    let expected = "name = \"x\"\n\n[[period]]\nmoves = 36\ntime = \"1:30:00\"\nrepeat = true\n";
    assert_eq!(to_toml("x", &repeating), expected);
}

#[test]
fn a_name_is_quoted_so_that_it_needs_no_escapes_where_that_is_possible() {
    let control = parse_notation("3+2").unwrap();
    let text = to_toml(r#"The "Night" Cup"#, &control);
    assert!(text.starts_with("name = 'The \"Night\" Cup'\n\n[[period]]\n"), "{text}");
    for end in ["'\"'''\"\"\"", "\\", " ", "\u{202e}"] {
        let name = format!("x{end}");
        let text = to_toml(&name, &control);
        assert_eq!(ControlFile::parse(&text).map(|file| file.name), Ok(name), "{text}");
    }
}

#[test]
fn every_shipped_control_is_written_as_it_is_read() {
    for preset in presets() {
        let file = preset.read();
        let text = to_toml(&file.name, &file.control);
        assert_eq!(ControlFile::parse(&text), Ok(file), "{text}");
    }
}

fn span() -> impl Strategy<Value = Span> + Clone {
    prop_oneof![
        (0..8_000_u64).prop_map(Span::from_secs),
        (0..10_000_000_000_u64).prop_map(Span::from_nanos),
        Just(crate::MAX_GIVEN),
    ]
    .boxed()
}

fn slice() -> impl Strategy<Value = Span> + Clone {
    span().prop_map(|span| span.max(crate::MIN_SLICE))
}

fn per_side<T: Copy + Debug>(
    one: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = PerSide<T>> + Clone {
    (one.clone(), one, any::<bool>()).prop_map(|(white, black, alike)| match alike {
        true => PerSide::both(white),
        false => PerSide { white, black },
    })
}

fn method() -> impl Strategy<Value = Method> + Clone {
    prop_oneof![
        Just(Method::None),
        span().prop_map(Method::Increment),
        span().prop_map(Method::Delay),
        span().prop_map(Method::Bronstein),
    ]
    .boxed()
}

/// The methods that the last period can have: those of the function `method`, and overtime.
fn last_method() -> impl Strategy<Value = Method> + Clone {
    let counts = || prop_oneof![1..5_u32, Just(u32::MAX)];
    let overtime = (counts(), slice(), counts())
        .prop_map(|(periods, time, moves)| Method::Overtime(Overtime { periods, time, moves }));
    prop_oneof![method(), overtime].boxed()
}

fn terms() -> impl Strategy<Value = Terms> {
    let period_end = prop_oneof![
        Just(PeriodEnd::Moves),
        Just(PeriodEnd::Zero),
        Just(PeriodEnd::MovesAtZero),
        any::<bool>().prop_map(|pause| PeriodEnd::BlackCompletes { pause }),
    ];
    let side = prop_oneof![Just(Side::White), Just(Side::Black)];
    let after = prop_oneof![Just(AfterFlag::Halt), Just(AfterFlag::Run)];
    let options = (proptest::option::of(after), proptest::option::of(side));
    (period_end, any::<bool>(), any::<bool>(), options).prop_map(
        |(period_end, repeat, first_move_increment, (after_flag, draw_odds))| Terms {
            period_end,
            repeat: repeat && period_end == PeriodEnd::Moves,
            after_flag,
            first_move_increment,
            draw_odds,
        },
    )
}

fn usual() -> impl Strategy<Value = Control> {
    let period = (1..70_u32, per_side(span()), per_side(method()));
    let periods = proptest::collection::vec(period, 1..6);
    (periods, per_side(last_method()), terms()).prop_map(|(list, last_method, terms)| {
        let last = list.len() - 1;
        let period = |(index, (moves, time, method))| Period {
            moves: (index < last || terms.repeat).then_some(moves),
            time,
            method: if index == last && !terms.repeat { last_method } else { method },
        };
        let mut periods: Vec<Period> = list.into_iter().enumerate().map(period).collect();
        // The first period needs a time.
        periods[0].time = periods[0].time.map(|time| time.max(Span::from_nanos(1)));
        Control::new(&periods, terms).expect("a good control")
    })
}

/// Controls with a method that is allowed only in a control of one period.
fn alone() -> impl Strategy<Value = Control> {
    let method = prop_oneof![
        Just(PerSide::both(Method::Hourglass)),
        per_side(slice()).prop_map(|slices| slices.map(Method::Gong)),
        proptest::option::of(span()).prop_map(|limit| PerSide::both(Method::CountUp { limit })),
    ];
    (method, per_side(span()), terms()).prop_map(|(method, time, terms)| {
        let timed = method.white == Method::Hourglass;
        let time = time.map(|time| time.max(Span::from_nanos(1)));
        let time = if timed { time } else { PerSide::default() };
        let terms = Terms { repeat: false, after_flag: None, ..terms };
        Control::new(&[Period { moves: None, time, method }], terms).expect("a good control")
    })
}

proptest! {
    #[test]
    fn a_written_control_is_read_back(
        control in prop_oneof![4 => usual(), 1 => alone()],
        name in r"[^ \p{Cc}]\P{Cc}*",
    ) {
        prop_assume!(!name.trim().is_empty());
        let text = to_toml(&name, &control);
        prop_assert_eq!(ControlFile::parse(&text), Ok(ControlFile { name, control }), "{}", text);
    }

    #[test]
    fn every_control_can_be_described(control in prop_oneof![4 => usual(), 1 => alone()]) {
        let said = crate::text::describe(&control);
        prop_assert!(!said.contains("  ") && !said.contains(", ,"), "{}", said);
        prop_assert!(!said.contains('\n') && !said.ends_with([' ', ',']), "{}", said);
    }
}
