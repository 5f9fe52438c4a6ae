//! The answers to what awaits a ruling, and whose clock runs after it.

use super::table::{BLACK, CALL, Table, config};
use super::tables::standing;
use crate::words::Words;
use crate::{Keys, When};
use clock_engine::rules::{Action, Answer, Claimant, Ground, OfferAnswer};
use clock_engine::{Command, Side};
use clock_languages::Language;
use clockd_core::PressLength;

/// A claim under a profile that lets the arbiter postpone it with and without an award.
pub fn claimed() -> Table {
    // The captains have the authority, so the players need the arbiter's code.
    let code = config(When::Always, Some("wbwb"));
    let mut table = Table::with("G/5", "handbook-county", Keys::ButtonsAndCall, code);
    table.play(Side::Black, 5);
    table.wait(200);
    let by = Claimant::Player(Side::White);
    let claim = Action::ClaimDraw {
        by,
        ground: Ground::CannotWin,
        stop: true,
        offer: Some(OfferAnswer::Refused),
    };
    let at = table.at();
    table.game.handle_command(claim.into(), at).unwrap();
    table.wait(1);
    table
}

pub fn flagged() -> Table {
    let mut table = Table::new("40/90, G/30", "fide-article-6");
    table.play(Side::Black, 5);
    table.wait(6000);
    table.call(1);
    table
}

#[test]
fn every_answer_does_what_its_page_says() {
    let english = Words(Language::English);
    let mut tried = 0;
    for begin in [claimed, flagged, standing] {
        let questions = |table: &mut Table| -> Vec<(String, Vec<Answer>)> {
            table.with_situation(|_, _, situation| {
                let open = situation.questions.iter();
                open.map(|(question, answers)| (english.question(&question), answers.collect()))
                    .collect()
            })
        };
        for (number, (title, answers)) in questions(&mut begin()).iter().enumerate() {
            for (index, answer) in answers.iter().enumerate() {
                let mut table = begin();
                table.open().unwrap();
                table.choose("What awaits");
                (0..number).for_each(|_| {
                    table.press(BLACK, PressLength::Short);
                });
                table.press(CALL, PressLength::Short);
                assert_eq!(table.page().title, *title);
                (0..index).for_each(|_| {
                    table.press(BLACK, PressLength::Short);
                });
                table.press(CALL, PressLength::Short);
                let before = table.view();
                if table.page().title == "Both agree?" {
                    table.both_agree();
                } else {
                    table.choose("Yes");
                    table.enter_code("wbwb");
                    table.choose("Yes");
                }
                assert!(table.refused.is_empty(), "{answer:?} {:?}", table.refused);
                let after = table.view();
                let is = (after.phase, after.outcome);
                assert_eq!(is, (answer.phase, answer.outcome), "{answer:?}");
                for side in Side::BOTH {
                    let [before, after] = [&before, &after]
                        .map(|view| i128::from(view.sides[side].remaining.as_nanos()));
                    assert_eq!(after - before, i128::from(answer.delta_ns[side]), "{answer:?}");
                }
                tried += 1;
            }
        }
    }
    assert!(tried >= 12, "{tried} answers");
}

#[test]
fn the_turn_of_the_side_on_move_goes_on() {
    for (line, side) in [("Black's", None), ("White's", Some(Side::White))] {
        let mut table = standing();
        table.open().unwrap();
        table.choose_all(&["Go on", line]);
        table.both_agree();
        assert_eq!(table.accepted, [Command::Resume { side }.into()]);
    }
}
