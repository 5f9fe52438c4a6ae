//! Which player uses which button (S0 6.4, Chess Organisers' Handbook).

use super::*;
use crate::loop_core::turn_history::Placement;
use clock_engine::rules::{GameCommand, Profile, Session, Setup};

/// The buttons, named after the players who use them while the buttons are exchanged.
const BLACKS: Button = WHITE;
const WHITES: Button = BLACK;
const EXCHANGE: GameCommand = GameCommand::SetButtons(true);
const AS_WIRED: GameCommand = GameCommand::SetButtons(false);

/// A clock before its start with 60 s for each side, and a rule profile that notes a button held
/// for 3 s.
fn ready(inputs: Inputs) -> VirtualLoop {
    let control = Control::single(Span::from_secs(60), Method::None);
    let profile = Profile { hold_warning: Some(Span::from_secs(3)), ..Profile::default() };
    let setup = Setup { control, profile: Some(profile), session: Session::Unknown, force: false };
    VirtualLoop::of(Game::new(&setup, at(0)).unwrap(), inputs, [false; LINES])
}

#[test]
fn a_press_belongs_to_the_player_whose_button_it_was_at_its_stamp() {
    let mut placement = Placement::new(false);
    assert!(!placement.set(false, at(5)) && placement.player(Side::White, at(0)) == Side::White);
    for (exchanged, since) in [(true, 10), (false, 20), (true, 30)] {
        assert!(placement.set(exchanged, at(since)) && !placement.set(exchanged, at(since + 1)));
        for (stamp, is_exchanged) in [(since - 1, !exchanged), (since, exchanged)] {
            let expected = if is_exchanged { Side::Black } else { Side::White };
            assert_eq!(placement.player(Side::White, at(stamp)), expected);
            assert_eq!(placement.player(Side::Black, at(stamp)), expected.other());
        }
    }
}

#[test]
fn after_an_exchange_the_other_button_is_whites() {
    let mut core = ready(Inputs::default());
    assert_eq!(command(&mut core, EXCHANGE, 10), Ok(()));
    assert!(core.update(Cause::Missed).view.buttons_exchanged);
    // White's button starts nothing; Black's button starts White's clock.
    assert_eq!(press(&mut core, WHITES, 100 * MS), [(Cause::ignored_press(Side::White), 100 * MS)]);
    assert_eq!(press(&mut core, BLACKS, 200 * MS), [(Cause::press(Side::Black), 200 * MS)]);
    assert_eq!(press(&mut core, WHITES, 300 * MS), [(Cause::press(Side::White), 300 * MS)]);
    let view = core.update(Cause::Missed).view;
    assert_eq!((view.running(), view.sides.white.moves), (Some(Side::Black), 1));
    // While a clock runs, the buttons cannot be exchanged.
    let before = core.update(Cause::Missed);
    assert!(matches!(command(&mut core, AS_WIRED, 400), Err(Refusal::Game(_))));
    let after = core.update(Cause::Missed);
    assert_eq!((after.view.buttons_exchanged, after.revision), (true, before.revision));
    assert_eq!(press(&mut core, BLACKS, 500 * MS), [(Cause::press(Side::Black), 500 * MS)]);
    // While the clocks stand, the arbiter can exchange the buttons.
    assert_eq!(command(&mut core, PAUSE, 600), Ok(()));
    assert_eq!(command(&mut core, AS_WIRED, 700), Ok(()));
    assert_eq!(command(&mut core, RESUME, 800), Ok(()));
    assert_eq!(press(&mut core, WHITE, 900 * MS), [(Cause::press(Side::White), 900 * MS)]);
}

#[test]
fn a_late_press_is_that_of_the_player_who_used_the_button_then_and_names_the_line() {
    let mut core = ready(Inputs::default());
    assert_eq!(command(&mut core, EXCHANGE, 200), Ok(()));
    // At the stamp of the press the button was still Black's, so the press starts White's clock.
    assert_eq!(
        press(&mut core, BLACK, 190 * MS),
        [(Cause::Late(BLACK), 190 * MS), (Cause::press(Side::Black), 200 * MS)]
    );
    assert_eq!(press(&mut core, WHITES, 300 * MS), [(Cause::press(Side::White), 300 * MS)]);
}

#[test]
fn a_held_button_is_that_of_its_player_and_a_stuck_button_that_of_its_line() {
    let mut core = ready(Inputs::default());
    assert_eq!(command(&mut core, EXCHANGE, 10), Ok(()));
    edge(&mut core, BLACKS, 100 * MS, true);
    assert_eq!(decide(&mut core, 200 * MS), [(Cause::press(Side::Black), 100 * MS)]);
    assert_eq!(decide(&mut core, 3_200 * MS), [(Cause::hold(Side::Black), 3_100 * MS)]);
    // However long the button is held, only one press and one hold are published.
    assert_eq!(decide(&mut core, 12_000 * MS), []);
    assert!(core.is_stuck(WHITE, at(12_000 * MS)) && !core.is_stuck(BLACK, at(12_000 * MS)));
}

#[test]
fn a_rocker_no_longer_stands_right_after_an_exchange_in_a_game() {
    let inputs = Inputs { kind: InputKind::Rocker, ..Inputs::default() };
    let mut core = ready(inputs);
    edge(&mut core, BLACK, 100 * MS, true);
    assert_eq!(decide(&mut core, 200 * MS), [(Cause::press(Side::Black), 100 * MS)]);
    assert_eq!(command(&mut core, PAUSE, 300), Ok(()));
    assert_eq!(command(&mut core, EXCHANGE, 400), Ok(()));
    // After the exchange, the throw that is down belongs to White. The clock has White on move, so
    // White's throw should be up. So the resume must name the side on move.
    let refused = Err(Refusal::ConfirmOnMove { down: Some(Side::White) });
    assert_eq!(command(&mut core, RESUME, 500), refused);
    assert_eq!(command(&mut core, AS_WIRED, 600), Ok(()));
    assert_eq!(command(&mut core, RESUME, 700), Ok(()));
    // When a board comes back, its throws belong to the players according to the latest exchange of
    // the buttons.
    assert_eq!(command(&mut core, PAUSE, 800), Ok(()));
    assert_eq!(command(&mut core, EXCHANGE, 900), Ok(()));
    core.board_back([true, false, false], at(1_000 * MS));
    assert_eq!(command(&mut core, RESUME, 1_100), Ok(()));
}
