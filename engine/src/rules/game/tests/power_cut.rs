//! A power cut in each phase, and what becomes of the instants on the axis of the new boot.

use super::*;
use crate::rules::ClaimView;
use crate::rules::action::LatePlayers;
use crate::rules::action::Ruling;
use crate::{AfterFlag, EventKind, PausedBy, Terms, View};

/// The present instant after a power cut: 5 s after the start of the new boot. Most instants of a
/// game would be before zero on the axis of this boot.
const SOON: Instant = Instant::from_nanos(5_000_000_000);

/// The view without the instants, which the move to another axis changes.
fn without_instants(game: &Game) -> View {
    let mut view = game.view(game.last());
    view.at = Instant::ZERO;
    for side in Side::BOTH {
        view.sides[side].flag = view.sides[side].flag.map(|_| Instant::ZERO);
    }
    view.claim = view.claim.map(|claim| ClaimView { at: Instant::ZERO, ..claim });
    view
}

/// Handles a power cut, and checks that its effect is that of a pause by `Caller::PowerCut`.
fn cut(game: &mut Game, stopped: Instant, now: Instant) {
    let mut paused = *game;
    let _ = paused.handle_timeout(stopped);
    let _ = paused.handle_command(Command::Pause { by: Caller::PowerCut }.into(), stopped);
    game.handle_power_cut(stopped, now);
    assert_eq!(without_instants(game), without_instants(&paused));
    assert_eq!(game.last(), now);
    assert_eq!(game.clock().poll_timeout(), None);
}

/// A game of three minutes with a clock that runs on after the final flag.
fn runs_on(profile: Profile) -> Game {
    set_up(Profile { after_flag: Some(AfterFlag::Run), ..profile }, minutes(3), Method::None)
}

/// White's flag falls at 180 s, Black's at 400 s.
fn both_flags_down() -> Game {
    let mut game = runs_on(Profile::default());
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_press(Side::White, secs(220)).unwrap();
    game.handle_timeout(secs(400)).unwrap();
    events(&mut game);
    game
}

fn flags(game: &Game) -> [Option<u64>; 2] {
    let sides = game.view(game.last()).sides;
    [sides.white, sides.black].map(|side| side.flag.map(Instant::as_nanos))
}

#[test]
fn a_running_clock_is_paused_at_the_last_instant_that_is_known() {
    let mut game = started(Profile::default());
    game.handle_press(Side::White, secs(10)).unwrap();
    events(&mut game);
    cut(&mut game, secs(35), SOON);
    let view = game.view(SOON);
    assert_eq!(view.paused_by, Some(PausedBy::Caller(Caller::PowerCut)));
    assert_eq!((view.phase, view.on_move, view.called_by), (Phase::Paused, Side::Black, None));
    let left = view.sides.map(|side| side.remaining);
    assert_eq!(left, PerSide { white: Span::from_secs(170), black: Span::from_secs(155) });
    // After the cut, the clock goes on with the same times on the new axis.
    command(&mut game, Command::Resume { side: None }, 6).unwrap();
    let black = game.view(secs(10)).sides.black;
    assert_eq!(black.remaining, Span::from_secs(151));
    assert_eq!(events(&mut game), []);
}

#[test]
fn a_turn_keeps_what_is_left_of_its_delay() {
    let mut game = set_up(Profile::default(), minutes(3), Method::Delay(Span::from_secs(5)));
    command(&mut game, Command::Start, 0).unwrap();
    cut(&mut game, secs(2), SOON);
    assert_eq!(game.view(SOON).sides.white.delay, Span::from_secs(3));
}

#[test]
fn what_was_due_before_the_cut_is_decided_at_its_own_instant() {
    let mut game = runs_on(Profile::default());
    command(&mut game, Command::Start, 0).unwrap();
    events(&mut game);
    cut(&mut game, secs(200), secs(1_000));
    let flag = EventKind::Flag { side: Side::White, period: 1 };
    // The flag fell 20 s before the cut. On the new axis the cut was at 1000 s.
    assert_eq!(events(&mut game), [(980_000_000_000, GameEventKind::Clock(flag))]);
    assert_eq!(flags(&game), [Some(980_000_000_000), None]);
    let view = game.view(game.last());
    assert_eq!((view.phase, view.sides.white.overrun), (Phase::Paused, Span::from_secs(20)));
    assert_eq!(
        (view.first_flag, first_question(&game)),
        (Some(Side::White), Some(QuestionKind::Flag))
    );
}

#[test]
fn an_earlier_instant_than_the_latest_one_is_not_taken() {
    let mut game = started(Profile::default());
    game.handle_timeout(secs(30)).unwrap();
    game.handle_power_cut(secs(20), SOON);
    assert_eq!(game.view(SOON).sides.white.remaining, Span::from_secs(150));
    assert_eq!(game.last(), SOON);
}

#[test]
fn phases_in_which_both_clocks_stand_stay() {
    let ready = set_up(Profile::default(), minutes(3), Method::None);
    let mut paused = started(Profile::default());
    command(&mut paused, Command::Pause { by: Caller::Arbiter }, 20).unwrap();
    let mut halted = set_up(
        Profile { after_flag: Some(AfterFlag::Halt), ..Profile::default() },
        minutes(3),
        Method::None,
    );
    command(&mut halted, Command::Start, 0).unwrap();
    halted.handle_timeout(secs(180)).unwrap();
    let mut over = started(Profile::default());
    command(&mut over, Command::Finish(Outcome::WhiteWins), 20).unwrap();
    for (mut game, phase) in [
        (ready, Phase::Ready),
        (paused, Phase::Paused),
        (halted, Phase::Ruling),
        (over, Phase::Over),
    ] {
        events(&mut game);
        cut(&mut game, secs(300), SOON);
        assert_eq!(game.phase(), phase);
        assert_eq!(events(&mut game), []);
    }
    let by = paused.view(paused.last()).paused_by;
    assert_eq!(by, Some(PausedBy::Caller(Caller::Arbiter)));
}

#[test]
fn s0_6_12_both_flags_keep_their_order_and_their_distance() {
    let mut game = both_flags_down();
    cut(&mut game, secs(410), secs(1_000));
    assert_eq!(flags(&game), [Some(770_000_000_000), Some(990_000_000_000)]);
}

#[test]
fn s0_6_12_flags_before_the_start_of_the_new_boot_keep_their_order() {
    for first in Side::BOTH {
        let mut game = runs_on(Profile::default());
        command(&mut game, Command::Start, 0).unwrap();
        // If Black's flag is to fall first, White presses at 0 s. The time of `first` is then used
        // up at 180 s, before `first` presses at 220 s.
        if first == Side::Black {
            game.handle_press(Side::White, secs(0)).unwrap();
        }
        game.handle_press(first, secs(220)).unwrap();
        game.handle_timeout(secs(400)).unwrap();
        events(&mut game);
        cut(&mut game, secs(600), SOON);
        let expected = match first {
            Side::White => [Some(0), Some(1)],
            Side::Black => [Some(1), Some(0)],
        };
        assert_eq!(flags(&game), expected);
        assert_eq!(game.view(SOON).first_flag, Some(first));
        act(&mut game, Action::ClaimFlag { by: Claimant::Arbiter, evidence: Evidence::Flag }, 6)
            .unwrap();
        act(&mut game, rule(Ruling::Lost), 7).unwrap();
        assert_eq!(game.view(secs(7)).outcome, Some(Outcome::lost_by(first)));
    }
}

#[test]
fn a_second_power_cut_keeps_the_order_too() {
    let mut game = both_flags_down();
    cut(&mut game, secs(600), SOON);
    cut(&mut game, SOON, secs(1));
    assert_eq!(flags(&game), [Some(0), Some(1)]);
}

#[test]
fn at_the_zero_of_the_new_boot_the_latest_instant_is_not_before_the_flags() {
    let mut game = both_flags_down();
    game.handle_power_cut(secs(600), Instant::ZERO);
    assert_eq!((flags(&game), game.last()), ([Some(0), Some(1)], Instant::from_nanos(1)));
}

#[test]
fn s0_10_2_a_claim_and_the_question_about_it_stay() {
    let mut game = started(quickplay());
    act(&mut game, claim(Side::White), 100).unwrap();
    events(&mut game);
    cut(&mut game, secs(110), secs(1_000));
    assert_eq!(game.phase(), Phase::Ruling);
    let claimed = game.claim().unwrap();
    assert_eq!((claimed.by, claimed.pending, claimed.at), (Side::White, false, secs(990)));
    assert_eq!(game.question(), Some(QuestionKind::Claim));
    act(&mut game, rule(Ruling::Postpone), 1_001).unwrap();
    command(&mut game, Command::Resume { side: None }, 1_002).unwrap();
    // A postponed claim stays open when the power cut pauses the running clock.
    cut(&mut game, secs(1_010), SOON);
    assert!(game.claim().unwrap().pending);
}

#[test]
fn s0_6_13_a_call_that_is_not_answered_stays() {
    let mut game = started(Profile::default());
    command(&mut game, Command::Pause { by: Caller::Player(Side::White) }, 50).unwrap();
    cut(&mut game, secs(60), SOON);
    assert_eq!(game.view(SOON).called_by, Some(Caller::Player(Side::White)));
    assert_eq!(game.question(), Some(QuestionKind::Stop));
}

#[test]
fn an_adjourned_game_stays_adjourned() {
    let mut game = started(Profile::default());
    act(&mut game, Action::Adjourn { side: Side::White }, 50).unwrap();
    cut(&mut game, secs(60), SOON);
    assert_eq!((game.adjourned(), game.phase()), (Some(Side::White), Phase::Paused));
    act(&mut game, Action::ResumeAdjourned, 6).unwrap();
    command(&mut game, Command::Resume { side: None }, 7).unwrap();
}

/// A profile with a default time of a quarter of an hour after the start of the session.
fn quarter_of_an_hour() -> Profile {
    Profile { default_after: minutes(15), ..Profile::default() }
}

#[test]
fn s0_6_7_lateness_counts_on_from_before_the_cut() {
    let control = Control::single(minutes(90), Method::None);
    let session = Session::At(secs(600));
    let setup = Setup { control, profile: Some(quarter_of_an_hour()), session, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 600).unwrap();
    act(&mut game, Action::Arrive(Side::White), 601).unwrap();
    // Ten of the fifteen minutes are over at the cut. The session began before the new boot did.
    cut(&mut game, secs(1_200), SOON);
    let due = Instant::from_nanos(SOON.as_nanos() + 300_000_000_001);
    assert_eq!(game.poll_timeout(), Some(due));
    act(&mut game, Action::Arrive(Side::Black), 304).unwrap();
    let forfeit = Action::rule_late(Side::Black.into(), Ruling::Forfeit);
    assert_eq!(reason(act(&mut game, forfeit, 305)), Reason::NotLate(Side::Black));
}

#[test]
fn s0_6_7_who_was_late_before_the_cut_stays_late() {
    for arrives in [false, true] {
        let profile = quarter_of_an_hour();
        let mut game = set_up(profile, minutes(90), Method::None);
        command(&mut game, Command::Start, 0).unwrap();
        events(&mut game);
        if arrives {
            act(&mut game, Action::Arrive(Side::Black), 1_000).unwrap();
            act(&mut game, Action::Arrive(Side::White), 1_001).unwrap();
            events(&mut game);
        }
        cut(&mut game, secs(3_600), SOON);
        let noted = events(&mut game);
        let late = |side| GameEventKind::DefaultDue { side };
        let expected = [(0, late(Side::White)), (0, late(Side::Black))];
        assert_eq!(noted, if arrives { &[][..] } else { &expected });
        let side = LatePlayers::Both;
        act(&mut game, Action::rule_late(side, Ruling::Forfeit), 6).unwrap();
        assert_eq!(game.view(secs(6)).outcome, Some(Outcome::BothLose));
    }
}

#[test]
fn an_end_of_a_period_before_the_new_boot_is_kept() {
    let period = |moves| crate::Period {
        moves,
        time: PerSide::both(minutes(1)),
        method: PerSide::both(Method::None),
    };
    let terms = Terms { period_end: crate::PeriodEnd::Zero, ..Terms::default() };
    let control = Control::new(&[period(Some(40)), period(None)], terms).unwrap();
    let setup = Setup { control, profile: None, session: Session::Unknown, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    cut(&mut game, secs(70), SOON);
    // The flag fell 10 s before the cut, 5 s before the zero of the new boot.
    assert_eq!(flags(&game), [Some(0), None]);
    assert_eq!(game.view(SOON).sides.map(|side| side.period), PerSide::both(2));
}
