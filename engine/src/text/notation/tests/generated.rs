//! Announcements made from a grammar of numbers, units and words. Each is made from its meaning, so
//! the meaning does not depend on the parser. Every one of them is read with this meaning or
//! refused, never read otherwise.

use crate::text::{looks_like_notation, parse_notation, spoken};
use crate::{Control, Method, PerSide, Period, Span, Terms};
use std::collections::BTreeMap;

/// A generator of numbers with a fixed seed, so that the test is the same every time.
struct Choices(u64);

impl Choices {
    fn below(&mut self, count: usize) -> usize {
        // The generator "xorshift64".
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(count).unwrap()).unwrap()
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// The number of minutes in words or signs.
fn minutes(choices: &mut Choices, minutes: u64) -> String {
    let units = [" min", "min", "'", "’", " minutes", " Minuten", "m", " min.", " mins", "′"];
    let hours = (minutes / 60, minutes % 60);
    match (choices.below(4), hours) {
        (0, (1.., 0)) => format!("{}{}", hours.0, choices.of(&["h", " h", " hours", " Stunden"])),
        (0, (1.., 10..)) => match choices.below(3) {
            0 => format!("{}h{}", hours.0, hours.1),
            1 => format!("{} h {} min", hours.0, hours.1),
            _ => format!("{}:{}:00", hours.0, hours.1),
        },
        _ => format!("{minutes}{}", choices.of(&units)),
    }
}

fn seconds(choices: &mut Choices, seconds: u64) -> String {
    let units = [" s", "s", "\"", "”", "''", " sec", " sec.", " seconds", " Sek.", " secondes"];
    format!("{seconds}{}", choices.of(&units))
}

/// A period of some moves. `T` stands for its time, `N` for its moves.
const WITH_MOVES: [&str; 16] = [
    "N/T",
    "N moves in T",
    "N moves/T",
    "T/N",
    "T/N moves",
    "T for N moves",
    "T x N",
    "T x N moves",
    "T für N Züge",
    "N coups en T",
    "T/N coups",
    "T for the N moves",
    "N Züge in T",
    "T/N Z",
    "T para N jugadas",
    "T per N mosse",
];

const REST: [&str; 14] = [
    "G/T",
    "SD/T",
    "T",
    "T/end",
    "T rest",
    "T for the rest of the game",
    "T QPF",
    "T/game",
    "T für den Rest der Partie",
    "T KO",
    "rest in T",
    "T per finire",
    "T to finish",
    "T mat",
];

/// Between two periods.
const SEPARATORS: [&str; 9] =
    [", ", " + ", "+", " then ", ", then ", " & ", "; ", " followed by ", ", danach "];

/// An increment; `S` stands for its amount with a unit, `B` for the number of seconds.
const INCREMENTS: [&str; 20] = [
    " + S/move",
    ", +B",
    " +B",
    " + S per move",
    " with incr. S",
    " & S/move",
    "; inc/B",
    ", inc B",
    " + S",
    " with S increment",
    ", S/move",
    " + S/Zug",
    " + S par coup",
    " + S/m",
    " + S pro Zug",
    ", with an increment of S per move",
    " + S/move from move 1",
    " + S for each move",
    ", S per move, starting from move 1",
    " plus S a move ab dem ersten Zug",
];

const DELAYS: [&str; 6] = [" dB", ", d/B", "; dB", " d B", " with S delay", ", delay S"];

fn no_amount() -> PerSide<Method> {
    PerSide::default()
}

fn period(moves: Option<u32>, minutes: u64) -> Period {
    let time = PerSide::both(Span::from_secs(60 * minutes));
    Period { moves, time, method: no_amount() }
}

/// An increment or a delay, or nothing.
fn amount(choices: &mut Choices) -> (String, Method) {
    let (forms, kind): (&[&str], fn(Span) -> Method) = match choices.below(5) {
        0 => return (String::new(), Method::None),
        1 => (&DELAYS, Method::Delay),
        _ => (&INCREMENTS, Method::Increment),
    };
    let number = choices.of(&[2, 3, 5, 10, 15, 20, 30, 60]);
    let form = choices.of(forms);
    let said = form.replace('S', &seconds(choices, number)).replace('B', &number.to_string());
    (said, kind(Span::from_secs(number)))
}

fn control(mut periods: Vec<Period>, method: Method, repeat: bool) -> Control {
    for period in &mut periods {
        period.method = PerSide::both(method);
    }
    Control::new(&periods, Terms { repeat, ..Terms::default() }).unwrap()
}

/// Periods that say their moves and end with the rest, or a single time for all moves.
fn usual(choices: &mut Choices) -> (String, Control) {
    let mut said = String::new();
    let mut periods = Vec::new();
    for _ in 0..choices.below(3) {
        let moves = choices.of(&[20, 30, 35, 36, 40, 60]);
        let number = choices.of(&[30, 50, 60, 75, 90, 100, 105, 120]);
        let time = minutes(choices, number);
        let form = choices.of(&WITH_MOVES);
        said += &form.replace('N', &moves.to_string()).replace('T', &time);
        said += choices.of(&SEPARATORS);
        periods.push(period(Some(moves), number));
    }
    let number = choices.of(&[3, 5, 10, 15, 25, 30, 60, 75, 90]);
    let time = minutes(choices, number);
    said += &choices.of(&REST).replace('T', &time);
    periods.push(period(None, number));
    let (amount, method) = amount(choices);
    (said + &amount, control(periods, method, false))
}

/// Times without a unit: US hours, the seconds of PGN's tag, the time before its moves.
fn without_unit(choices: &mut Choices) -> (String, Control) {
    match choices.below(4) {
        0 => {
            let moves = choices.of(&[30, 40, 45, 50]);
            let (first, last) = (choices.of(&[1, 2, 3]), choices.of(&[1, 2]));
            let rest = choices.of(&["SD/", "G/", "sd", "G"]);
            let (amount, method) = amount(choices);
            let said = format!("{moves}/{first}, {rest}{last}{amount}");
            let periods = vec![period(Some(moves), 60 * first), period(None, 60 * last)];
            (said, control(periods, method, false))
        }
        1 => {
            let (moves, minutes) = (choices.of(&[30, 40, 45]), choices.of(&[30, 60, 90]));
            let (amount, method) = amount(choices);
            let hours = choices.of(&[1, 2]);
            let said = format!("{moves}/{hours}, SD/{minutes}{amount}");
            let periods = vec![period(Some(moves), 60 * hours), period(None, minutes)];
            (said, control(periods, method, false))
        }
        2 => {
            let tags = [(60, 0), (120, 1), (180, 2), (300, 3), (600, 5), (900, 10), (1800, 20)];
            let (time, amount) = choices.of(&tags);
            let method = Method::Increment(Span::from_secs(amount));
            let said = format!("{time}{}{amount}", choices.of(&["+", " + "]));
            let mut only = period(None, 0);
            only.time = PerSide::both(Span::from_secs(time));
            (said, control(vec![only], method, false))
        }
        _ => {
            let (time, moves) = (choices.of(&[75, 90, 100, 120]), choices.of(&[30, 35, 40]));
            let rest = choices.of(&[15, 30]);
            let last = choices.of(&["G/T", "T min", "T'"]).replace('T', &rest.to_string());
            let said = format!("{time}/{moves}{}{last}", choices.of(&[" + ", ", "]));
            let periods = vec![period(Some(moves), time), period(None, rest)];
            (said, control(periods, Method::None, false))
        }
    }
}

/// A second time whose first has no moves, and other texts without a meaning.
fn meaningless(choices: &mut Choices) -> String {
    let (first, second) = (choices.of(&[60, 75, 90, 120]), choices.of(&[10, 15, 30, 60]));
    let [first, second] = [first, second].map(|number| minutes(choices, number));
    let separator = choices.of(&SEPARATORS);
    let (amount, _) = amount(choices);
    match choices.below(3) {
        0 => format!("{first}{separator}{second}{amount}"),
        1 => format!("G/{first}{separator}{second}{amount}"),
        _ => format!("{first}{separator}{second}/40 moves{amount}"),
    }
}

#[test]
fn announcements_are_read_with_their_meaning_or_refused() {
    let mut choices = Choices(0x9E37_79B9_7F4A_7C15);
    let mut all: BTreeMap<String, Control> = BTreeMap::new();
    let mut usual_texts = 0;
    for _ in 0..1500 {
        let (said, meaning) = usual(&mut choices);
        usual_texts += usize::from(all.insert(said, meaning).is_none());
    }
    for _ in 0..600 {
        let (said, meaning) = without_unit(&mut choices);
        all.insert(said, meaning);
    }
    assert!(all.len() >= 500, "{} announcements", all.len());
    let mut read = 0;
    for (said, meaning) in &all {
        let Ok(control) = parse_notation(said) else { continue };
        read += 1;
        assert_eq!(control, *meaning, "{said} is read as {:?}", spoken(&control));
        // Printed, it is the same control again.
        let printed = spoken(&control).unwrap();
        assert_eq!(parse_notation(&printed), Ok(control), "{said}: {printed}");
        assert!(looks_like_notation(&printed), "{printed}");
    }
    // A parser that refuses everything does not pass.
    assert!(read * 10 >= usual_texts * 9, "{read} of {usual_texts} are read");
}

#[test]
fn announcements_without_a_meaning_are_refused() {
    let mut choices = Choices(0x2545_F491_4F6C_DD1D);
    for _ in 0..1000 {
        let said = meaningless(&mut choices);
        let read = parse_notation(&said).map(|control| spoken(&control));
        assert!(read.is_err(), "{said} is read as {read:?}");
    }
}
