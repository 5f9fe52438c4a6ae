//! Both players agree: what they agree to, and which presses count.

use super::table::{BLACK, CALL, Table, WHITE, config};
use super::tables::{agreeing, over, standing};
use crate::{Effect, Keys, When};
use clock_engine::{Instant, Outcome, Side};
use clockd_core::{Button, MenuPress, PressLength};

/// A table on whose page both players have to agree to 1-0.
fn asked(keys: Keys) -> Table {
    let mut table = Table::with("3+2", "fide-2023", keys, config(When::Always, None));
    table.play(Side::Black, 5);
    table.call(5);
    table.open().unwrap();
    table.choose_all(&["Result", "1-0"]);
    assert_eq!(table.page().title, "Both agree?");
    table
}

/// A press: the button, and its stamp and its end in milliseconds after the page was opened.
type Timed = (Button, u64, u64);

/// Gives the menu these presses. Returns whether both players have agreed.
fn both_agree(table: &mut Table, presses: &[Timed]) -> bool {
    let shown = table.now;
    for (button, at, end) in presses {
        let [at, end] = [at, end].map(|ms| Instant::from_nanos(shown + ms * 1_000_000));
        table.now = end.as_nanos();
        let lasts = end.since(at).as_nanos();
        let length = if lasts < 3_000_000_000 { PressLength::Short } else { PressLength::Long };
        table.report(&MenuPress { button: *button, at, end, length });
    }
    table.view().outcome == Some(Outcome::WhiteWins)
}

#[test]
fn two_presses_agree_in_any_order_and_also_together() {
    let cases: [(&[Timed], bool); 8] = [
        (&[(WHITE, 100, 200), (BLACK, 300, 400)], true),
        (&[(BLACK, 100, 200), (WHITE, 300, 400)], true),
        (&[(WHITE, 100, 200), (BLACK, 199, 400)], true),
        (&[(WHITE, 100, 500), (BLACK, 100, 500)], true),
        // The shorter press is reported first.
        (&[(BLACK, 200, 300), (WHITE, 100, 400)], true),
        // A hand that lies on a button agrees to nothing.
        (&[(WHITE, 100, 3100), (BLACK, 3200, 3300)], false),
        (&[(WHITE, 100, 200), (WHITE, 300, 400)], false),
        (&[(WHITE, 100, 200), (WHITE, 300, 400), (BLACK, 500, 600)], true),
    ];
    for (presses, agree) in cases {
        assert_eq!(both_agree(&mut asked(Keys::ButtonsAndCall), presses), agree, "{presses:?}");
        assert_eq!(both_agree(&mut asked(Keys::Buttons), presses), agree, "{presses:?}");
    }
}

#[test]
fn each_agreement_is_shown_at_once() {
    let mut table = asked(Keys::ButtonsAndCall);
    table.press(BLACK, PressLength::Short);
    assert_eq!(table.page().lines[..2], ["White: press your button", "Black ✓"]);
}

#[test]
fn a_press_that_began_before_the_page_was_shown_does_not_agree() {
    let mut table = asked(Keys::ButtonsAndCall);
    let at = Instant::from_nanos(table.now - 1);
    let end = Instant::from_nanos(table.now + 1000);
    let press = MenuPress { button: WHITE, at, end, length: PressLength::Short };
    assert_eq!(table.report(&press), Effect::None);
    assert_eq!(table.page().lines[0], "White: press your button");
    assert!(both_agree(&mut table, &[(BLACK, 100, 200), (WHITE, 300, 400)]));
}

#[test]
fn the_throws_of_a_rocker_agree() {
    // A throw has no end: it is reported with its stamp.
    let throws = [(BLACK, 100, 100), (WHITE, 200, 200)];
    assert!(both_agree(&mut asked(Keys::RockerAndCall), &throws));
    assert!(!both_agree(&mut asked(Keys::RockerAndCall), &throws[..1]));
}

#[test]
fn the_call_button_goes_back_from_the_agreement_and_every_board_can_leave_it() {
    for (keys, hints) in [
        (Keys::ButtonsAndCall, "White: agree, Black: agree, Call: back, CallHeld: leave"),
        (Keys::Buttons, "White: agree, Black: agree, BothHeld: leave"),
        (Keys::RockerAndCall, "White: agree, Black: agree, Call: back, CallHeld: leave"),
    ] {
        let mut table = asked(keys);
        let shown = table.page().hints;
        let shown: Vec<String> = shown
            .iter()
            .map(|hint| format!("{:?}: {}", hint.button.unwrap(), hint.action))
            .collect();
        assert_eq!(shown.join(", "), hints);
        match keys {
            Keys::Buttons => assert_eq!(table.hold_both(), Effect::Close),
            _ => {
                table.press(CALL, PressLength::Short);
                assert_eq!(table.page().title, "Result");
            }
        }
        assert!(table.accepted.is_empty());
    }
}

#[test]
fn the_page_shows_what_both_agree_to() {
    let shown = |mut table: Table, choices: &[&str]| {
        table.open().unwrap();
        table.choose_all(choices);
        assert_eq!(table.page().title, "Both agree?");
        table.read_what_is_agreed();
        let page = table.page();
        assert_eq!(page.lines[..2], ["White: press your button", "Black: press your button"]);
        page.lines[2..].to_vec()
    };
    let lines = shown(standing(), &["Result", "½"]);
    assert_eq!(lines, ["½-½ drawn", "White 1:29:00", "Black 1:29:00"]);
    let lines = shown(standing(), &["Penalties", "Black", "Time for"]);
    assert_eq!(lines, ["Time for opponent 2:00", "Offender: Black"]);
    let lines = shown(agreeing(), &["Take back"]);
    assert_eq!(lines[..2], ["Take back last press", "Then on move: Black"]);
    let lines = shown(agreeing(), &["New game", "We two", "5+0", "Accept"]);
    assert_eq!(lines[..3], ["New game", "The game here ends", "all moves in 0:05:00"]);
    let mut table = over();
    table.on_bus = true;
    let lines = shown(table, &["White's button"]);
    assert_eq!(lines, ["White's button", "Exchanged"]);
    // What is corrected comes first.
    let mut table = standing();
    table.open().unwrap();
    table.choose_all(&["Correct", "Black's time"]);
    table.enter("11930");
    table.choose_all(&["Show"]);
    let lines = &table.page().lines[2..];
    let expected = ["Correct the clock", "Black 1:29:00→1:19:30", "White 1:29:00"];
    assert_eq!(lines, expected);
}

#[test]
fn all_lines_are_shown_before_a_press_counts_and_turn_afterwards() {
    let mut table = agreeing();
    table.open().unwrap();
    table.choose_all(&["Correct", "White's time"]);
    table.enter("00500");
    for (field, digits) in
        [("Black's time", "00400"), ("White's moves", "012"), ("Black's moves", "039")]
    {
        table.choose(field);
        table.enter(digits);
    }
    table.choose_all(&["On move", "Show"]);
    let shown = table.now;
    let mut read = Vec::new();
    let mut lines_at = |seconds: u64| {
        table.now = shown + seconds * 1_000_000_000;
        let page = table.page();
        read.extend(page.lines.clone());
        let waits = match seconds {
            0 => "(3 s)",
            _ => "agree",
        };
        assert_eq!((page.hints[0].action.as_str(), page.hints[1].action.as_str()), (waits, waits));
        // A press that comes too early agrees to nothing.
        table.press(WHITE, PressLength::Short);
        table.now = shown + seconds * 1_000_000_000;
        page.lines
    };
    // The heading, two times, two counters and the side on move.
    let first = lines_at(0);
    assert_eq!((first.len(), first[0].as_str()), (6, "Correct the clock"), "{first:?}");
    let asked = lines_at(3);
    assert_eq!(asked[..2], ["White: press your button", "Black: press your button"]);
    assert_eq!(asked[2..], first[..4]);
    assert_eq!(lines_at(6)[2..], first[4..], "the press before it was White's");
}
