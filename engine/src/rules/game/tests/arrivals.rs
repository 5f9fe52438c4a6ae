//! Lateness, absence, and the end of the duty to keep score.

use super::*;
use crate::rules::Lateness;
use crate::rules::action::Ruling;

fn set_up_at(profile: Profile, session: Session) -> Game {
    let control = Control::single(minutes(90), Method::None);
    let setup = Setup { control, profile: Some(profile), session, force: false };
    Game::new(&setup, Instant::ZERO).unwrap()
}

/// One hour and 1 ns after the session's start at 100 s.
const LATE: u64 = 3_700_000_000_001;

#[test]
fn s0_6_7_lateness_counts_from_the_start_of_the_session() {
    let mut game = set_up_at(Profile::default(), Session::At(secs(100)));
    assert_eq!(game.poll_timeout(), Some(Instant::from_nanos(LATE)));
    // The game starts ten minutes later; that changes nothing.
    command(&mut game, Command::Start, 700).unwrap();
    act(&mut game, Action::Arrive(Side::White), 701).unwrap();
    game.handle_timeout(Instant::from_nanos(LATE)).unwrap();
    let due = (LATE, GameEventKind::DefaultDue { side: Side::Black });
    assert_eq!(events(&mut game), [due]);
    assert_eq!(game.question(), Some(QuestionKind::Default));
}

#[test]
fn s0_6_7_lateness_counts_from_a_start_before_the_zero_of_the_axis() {
    let game = set_up_at(Profile::default(), Session::BeforeZero(Span::from_secs(600)));
    assert_eq!(game.poll_timeout(), Some(Instant::from_nanos(3_000_000_000_001)));
    let lateness = game.lateness(Side::White, secs(3_100));
    assert_eq!(lateness, Some(Lateness { by: Span::from_secs(3_700), is_absent: true }));
}

#[test]
fn s0_6_7_how_late_a_player_is_grows_until_the_arrival() {
    let mut game = set_up_at(Profile::default(), Session::At(secs(100)));
    let by = |nanos, is_absent| Some(Lateness { by: Span::from_nanos(nanos), is_absent });
    command(&mut game, Command::Start, 100).unwrap();
    act(&mut game, Action::Arrive(Side::White), 3_700).unwrap();
    assert_eq!(game.lateness(Side::Black, secs(3_700)), None, "one hour exactly");
    game.handle_timeout(Instant::from_nanos(LATE)).unwrap();
    assert_eq!(game.lateness(Side::Black, game.last()), by(3_600_000_000_001, true));
    assert_eq!(game.lateness(Side::Black, secs(3_800)), by(3_700_000_000_000, true));
    // A waiver does not change how late the player is.
    let waive = Action::rule_late(Side::Black.into(), Ruling::Waive);
    act(&mut game, waive, 3_900).unwrap();
    act(&mut game, Action::Arrive(Side::Black), 4_000).unwrap();
    assert_eq!(game.lateness(Side::Black, secs(5_000)), by(3_900_000_000_000, false));
    assert_eq!(game.lateness(Side::White, secs(5_000)), None);
}

#[test]
fn who_has_lost_by_default_is_no_longer_counted_as_absent() {
    let mut game = set_up_at(Profile::default(), Session::At(secs(100)));
    act(&mut game, Action::Arrive(Side::White), 100).unwrap();
    game.handle_timeout(secs(3_800)).unwrap();
    assert!(game.lateness(Side::Black, secs(3_800)).is_some());
    let forfeit = Action::rule_late(Side::Black.into(), Ruling::Forfeit);
    act(&mut game, forfeit, 3_801).unwrap();
    assert_eq!(game.lateness(Side::Black, secs(3_801)), None);
}

#[test]
fn s1_p3_lateness_counts_from_the_start_of_the_game() {
    let profile = Profile { late_from: LateFrom::Game, ..Profile::default() };
    let mut game = set_up_at(profile, Session::At(secs(100)));
    assert_eq!(game.poll_timeout(), None);
    command(&mut game, Command::Start, 700).unwrap();
    game.handle_timeout(secs(4_300)).unwrap();
    assert_eq!((events(&mut game), game.question()), (vec![], None));
    game.handle_timeout(Instant::from_nanos(4_300_000_000_001)).unwrap();
    assert_eq!(events(&mut game).len(), 2);
}

#[test]
fn without_a_known_start_of_the_session_nobody_is_late() {
    let mut game = set_up_at(Profile::default(), Session::Unknown);
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_timeout(secs(4_000)).unwrap();
    assert_eq!(events(&mut game), []);
    let forfeit = Action::rule_late(Side::Black.into(), Ruling::Forfeit);
    assert_eq!(reason(act(&mut game, forfeit, 4_001)), Reason::NotLate(Side::Black));
}

#[test]
fn s0_6_7_a_start_in_the_past_is_noted_at_once_and_never_before_what_was_handled() {
    let profile = Profile { default_after: Span::ZERO, ..Profile::default() };
    let mut game = set_up_at(profile, Session::Unknown);
    game.handle_timeout(secs(50)).unwrap();
    let control = *game.clock().control();
    let session = Session::At(secs(10));
    let setup = Setup { control, profile: Some(profile), session, force: false };
    game.handle_command(GameCommand::New(setup), secs(50)).unwrap();
    game.handle_timeout(secs(60)).unwrap();
    let instants: Vec<u64> = events(&mut game).iter().map(|(at, _)| *at).collect();
    assert_eq!(instants, [50_000_000_000, 50_000_000_000]);
}

#[test]
fn s0_6_6_the_profile_says_who_is_charged_while_both_players_are_absent() {
    for (both_absent, white, black) in
        [(BothAbsent::White, 80, 90), (BothAbsent::Split, 85, 85), (BothAbsent::Nobody, 90, 90)]
    {
        let profile = Profile { both_absent, ..Profile::default() };
        let mut game = set_up_at(profile, Session::WithGame);
        command(&mut game, Command::Start, 0).unwrap();
        act(&mut game, Action::Arrive(Side::Black), 600).unwrap();
        // The second arrival changes no time.
        act(&mut game, Action::Arrive(Side::White), 600).unwrap();
        let view = game.view(secs(600));
        let shown = view.sides.map(|side| side.remaining);
        assert_eq!(shown, PerSide { white: minutes(white), black: minutes(black) });
        assert_eq!(view.running(), Some(Side::White));
    }
}

#[test]
fn s0_6_6_half_of_a_long_absence_leaves_the_other_player_a_nanosecond() {
    let profile = Profile { both_absent: BothAbsent::Split, ..Profile::default() };
    let control = Control::new(
        &[crate::Period {
            moves: None,
            time: PerSide { white: minutes(60), black: minutes(1) },
            method: PerSide::both(Method::None),
        }],
        crate::Terms::default(),
    );
    let session = Session::WithGame;
    let setup = Setup { control: control.unwrap(), profile: Some(profile), session, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    act(&mut game, Action::Arrive(Side::White), 600).unwrap();
    let shown = game.view(secs(600)).sides.map(|side| side.remaining.as_nanos());
    assert_eq!(shown, PerSide { white: 3_059_999_999_999, black: 1 });
}

#[test]
fn time_that_the_arbiter_has_taken_before_the_first_arrival_is_not_given_back() {
    for both_absent in [BothAbsent::Nobody, BothAbsent::Split] {
        let mut game =
            set_up(Profile { both_absent, ..Profile::default() }, minutes(90), Method::None);
        let ns = |minutes: i64| minutes * 60_000_000_000;
        let cut = Command::Add { side: Side::White, delta_ns: ns(-60) };
        command(&mut game, cut, 0).unwrap();
        command(&mut game, Command::Start, 0).unwrap();
        command(&mut game, Command::Pause { by: Caller::Arbiter }, 60).unwrap();
        let award = Command::Add { side: Side::White, delta_ns: ns(5) };
        command(&mut game, award, 60).unwrap();
        command(&mut game, Command::Resume { side: None }, 60).unwrap();
        act(&mut game, Action::Arrive(Side::Black), 120).unwrap();
        let sides = game.view(secs(120)).sides;
        let [white, black] = match both_absent {
            BothAbsent::Nobody => [35, 90],
            _ => [34, 89],
        };
        assert_eq!(
            (sides.white.remaining, sides.black.remaining),
            (minutes(white), minutes(black))
        );
    }
}

#[test]
fn s0_6_6_time_that_is_counted_up_is_shared_out_like_time_that_is_counted_down() {
    let add = |side, minutes: i64| Command::Add { side, delta_ns: minutes * 60_000_000_000 };
    for limit in [None, Some(minutes(90))] {
        for (both_absent, given, white, black) in [
            (BothAbsent::White, 0, 10, 0),
            (BothAbsent::Split, 0, 5, 5),
            (BothAbsent::Nobody, 0, 0, 0),
            // Of the 10 minutes, 3 were given back before the arrival.
            (BothAbsent::Split, 3, 2, 5),
            // The 3 minutes that the arbiter took are no time that White has used.
            (BothAbsent::Split, -3, 8, 5),
            (BothAbsent::Nobody, -3, 3, 0),
        ] {
            let profile = Profile { both_absent, ..Profile::default() };
            let control = Control::single(Span::ZERO, Method::CountUp { limit });
            let session = Session::WithGame;
            let setup = Setup { control, profile: Some(profile), session, force: false };
            let mut game = Game::new(&setup, Instant::ZERO).unwrap();
            command(&mut game, Command::Start, 0).unwrap();
            command(&mut game, Command::Pause { by: Caller::Arbiter }, 300).unwrap();
            command(&mut game, add(Side::White, given), 300).unwrap();
            command(&mut game, Command::Resume { side: None }, 300).unwrap();
            act(&mut game, Action::Arrive(Side::Black), 600).unwrap();
            let shown = game.view(secs(600)).sides.map(|side| side.remaining);
            let expected = PerSide { white: minutes(white), black: minutes(black) };
            assert_eq!(shown, expected, "{limit:?} {both_absent:?} {given}");
        }
    }
}

#[test]
fn s0_6_6_the_periods_of_overtime_that_white_used_are_shared_out_too() {
    let thirty = Span::from_secs(30);
    // The main time, how long White's clock has run, and what White shows then: the main time, or
    // the periods of overtime left and the time of the running one.
    for (both_absent, main, ran, shown, periods, black) in [
        (BothAbsent::Nobody, 60, 100, 60, None, 60),
        (BothAbsent::Split, 60, 100, 10, None, 10),
        // Half of 140 s is more than Black has: Black keeps a nanosecond, and White gets 60 s less one.
        (BothAbsent::Split, 60, 140, 10, Some(3), 1),
        (BothAbsent::Nobody, 0, 40, 30, Some(3), 30),
        (BothAbsent::White, 60, 100, 20, Some(2), 60),
    ] {
        let overtime = crate::Overtime { periods: 3, time: thirty, moves: 1 };
        let control = Control::single(Span::from_secs(main), Method::Overtime(overtime));
        let profile = Some(Profile { both_absent, ..Profile::default() });
        let setup = Setup { control, profile, session: Session::WithGame, force: false };
        let mut game = Game::new(&setup, Instant::ZERO).unwrap();
        command(&mut game, Command::Start, 0).unwrap();
        act(&mut game, Action::Arrive(Side::Black), ran).unwrap();
        let sides = game.view(secs(ran)).sides;
        let left = |side: &crate::SideView| {
            let nanos = side.remaining.as_nanos();
            (nanos.div_ceil(1_000_000_000), side.overtime.map(|left| left.periods))
        };
        assert_eq!(left(&sides.white), (shown, periods), "{both_absent} after {ran} s");
        assert_eq!(left(&sides.black).0, black, "{both_absent} after {ran} s");
    }
}

#[test]
fn what_became_due_during_an_adjournment_is_noted_when_the_game_is_continued() {
    let profile = Profile { default_after: Span::ZERO, ..Profile::default() };
    let mut game = set_up_at(profile, Session::WithGame);
    command(&mut game, Command::Start, 0).unwrap();
    act(&mut game, Action::Adjourn { side: Side::White }, 0).unwrap();
    game.handle_timeout(secs(10)).unwrap();
    assert_eq!(game.question(), None);
    act(&mut game, Action::ResumeAdjourned, 10).unwrap();
    assert_eq!(game.question(), Some(QuestionKind::Default));
}

#[test]
fn no_time_is_below_a_limit_of_0_for_the_duty_to_keep_score() {
    let profile = Profile { score_off_below: Some(Span::ZERO), ..Profile::default() };
    let mut game = set_up_at(profile, Session::Unknown);
    command(&mut game, Command::Start, 0).unwrap();
    // The flag fell ten minutes ago, and the clock runs on.
    game.handle_timeout(secs(6_000)).unwrap();
    let noted: Vec<_> = events(&mut game);
    assert!(!noted.iter().any(|(_, kind)| matches!(kind, GameEventKind::ScoreOff { .. })));
    assert_eq!(game.poll_timeout(), None);
}
