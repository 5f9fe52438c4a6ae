//! The words of the values in JSON, and the errors for wrong values.

use clock_engine::rules::{
    Attachment, Authority, AwardChoice, BothAbsent, BothFlags, BothFlagsOrderKnown, ClaimStops,
    Claimant, Confirmation, DisplayClaims, Evidence, FlagCaller, FlagDrawTest, Game, GameCommand,
    Ground, IncidentKind, LateFrom, OfferAnswer, PenaltyCause, PenaltyKind, Profile, RateOfPlay,
    Referral, ResultGround, RuleSource, Ruling, Session, Setup,
};
use clock_engine::{
    AfterFlag, Caller, Command, Control, Correction, Instant, Method, Outcome, Overtime, PerSide,
    Period, PeriodEnd, Side, Span, Terms,
};
use serde_json::{Value, from_value, json, to_value};

macro_rules! has_its_words {
    ($($name:ident),+) => { $(
        for value in $name::ALL.iter().copied() {
            let word = Value::from(value.as_str());
            assert_eq!(to_value(value).expect("a word"), word);
            assert_eq!(from_value::<$name>(word).expect("its word"), value);
        }
        assert!(from_value::<$name>(json!("nonsense")).is_err());
    )+ };
}

#[test]
fn an_enumeration_of_words_is_written_as_its_words() {
    has_its_words!(
        Attachment,
        Authority,
        AwardChoice,
        BothAbsent,
        BothFlags,
        ClaimStops,
        Confirmation,
        DisplayClaims,
        Evidence,
        FlagCaller,
        FlagDrawTest,
        Ground,
        IncidentKind,
        BothFlagsOrderKnown,
        LateFrom,
        OfferAnswer,
        Outcome,
        PenaltyCause,
        PenaltyKind,
        RateOfPlay,
        Referral,
        ResultGround,
        RuleSource,
        Ruling
    );
    for side in Side::BOTH {
        assert_eq!(to_value(side).expect("a word"), side.as_str());
    }
    for after_flag in [AfterFlag::Halt, AfterFlag::Run] {
        assert_eq!(to_value(after_flag).expect("a word"), after_flag.as_str());
    }
}

#[test]
fn a_command_is_written_in_plain_words() {
    let written = |command: GameCommand| to_value(command).expect("a command can be written");
    let by = Caller::Player(Side::White);
    assert_eq!(
        written(Command::Pause { by }.into()),
        json!({"clock": {"pause": {"by": {"player": "white"}}}})
    );
    assert_eq!(written(Command::UndoPress.into()), json!({"clock": "undo-press"}));
    assert_eq!(
        written(Command::Finish(Outcome::Drawn).into()),
        json!({"clock": {"finish": "1/2-1/2"}})
    );
    let add = Command::Add { side: Side::Black, delta_ns: -5 };
    assert_eq!(written(add.into()), json!({"clock": {"add": {"side": "black", "delta_ns": -5}}}));
    assert_eq!(written(GameCommand::SetButtons(true)), json!({"set-buttons": true}));
    assert_eq!(written(GameCommand::SetNames), json!("set-names"));
    assert_eq!(
        written(GameCommand::ReplaceResult(Outcome::Drawn)),
        json!({"replace-result": "1/2-1/2"})
    );
    let agreed = GameCommand::Agreed(clock_engine::rules::AgreedChange::UndoPress);
    assert_eq!(written(agreed), json!({"agreed": "undo-press"}));
    let lunch = clock_engine::rules::Announcement::new("lunch until 14:00");
    assert_eq!(written(GameCommand::Announce(lunch)), json!({"announce": "lunch until 14:00"}));
    assert_eq!(written(GameCommand::Announce(None)), json!({"announce": null}));
    let by = Claimant::Player(Side::Black);
    let claim = clock_engine::rules::Action::ClaimFlag { by, evidence: Evidence::DisplayAndOther };
    assert_eq!(
        written(claim.into()),
        json!({"action": {"claim-flag": {"by": {"player": "black"}, "evidence": "display-and-other"}}})
    );
    let time = PerSide { white: Some(Span::from_nanos(7)), black: None };
    let correction = to_value(Correction { time, ..Correction::default() }).expect("a correction");
    assert_eq!(correction["time"], json!({"white": 7, "black": null}));
}

#[test]
fn a_control_is_written_as_its_periods_and_terms() {
    let overtime = Overtime { periods: 3, time: Span::from_secs(30), moves: 1 };
    let method =
        PerSide { white: Method::Overtime(overtime), black: Method::CountUp { limit: None } };
    let method = PerSide { black: Method::None, ..method };
    let period = Period { moves: None, time: PerSide::both(Span::from_secs(60)), method };
    let terms = Terms { period_end: PeriodEnd::BlackCompletes { pause: true }, ..Terms::default() };
    let control = Control::new(&[period], terms).expect("a good control");
    let written = json!({
        "periods": [{
            "moves": null,
            "time": {"white": 60_000_000_000_u64, "black": 60_000_000_000_u64},
            "method": {
                "white": {"overtime": {"periods": 3, "time": 30_000_000_000_u64, "moves": 1}},
                "black": "none",
            },
        }],
        "terms": {
            "advance": {"black-completes": {"pause": true}},
            "repeat": false,
            "after_flag": null,
            "first_move_increment": true,
            "draw_odds": null,
        },
    });
    assert_eq!(to_value(control).expect("a control"), written);
    assert_eq!(from_value::<Control>(written).expect("a control"), control);
}

#[test]
fn the_sets_of_a_profile_are_lists_of_words() {
    let written = to_value(Profile::default()).expect("a profile");
    assert_eq!(written["rates"], json!(["standard", "rapid", "blitz"]));
    assert_eq!(
        written["penalties"],
        json!([
            "warning",
            "opponent-plus",
            "offender-minus",
            "loss",
            "points-off",
            "opponent-points",
            "expulsion"
        ])
    );
}

/// A game as JSON: two periods with overtime in the second. White's clock has run for one second.
fn running() -> Value {
    let overtime = Method::Overtime(Overtime { periods: 3, time: Span::from_secs(5), moves: 2 });
    let period = |moves, method| Period {
        moves,
        time: PerSide::both(Span::from_secs(60)),
        method: PerSide::both(method),
    };
    let periods = [period(Some(1), Method::None), period(None, overtime)];
    let control = Control::new(&periods, Terms::default()).expect("a good control");
    let profile = Some(Profile::default());
    let setup = Setup { control, profile, session: Session::WithGame, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).expect("the profile holds for it");
    game.handle_command(Command::Start.into(), Instant::ZERO).expect("it starts");
    game.handle_press(Side::White, Instant::from_nanos(1_000_000_000)).expect("in order");
    to_value(game).expect("a game can be written")
}

/// The error when the game of `running` is read after the value at `place` was replaced by `value`.
fn refusal(place: &str, value: Value) -> String {
    let mut game = running();
    *game.pointer_mut(place).unwrap_or_else(|| panic!("{place} is not in a game")) = value;
    match from_value::<Game>(game) {
        Ok(_) => panic!("{place} can have this value"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_wrong_value_is_refused_with_a_message() {
    let cases = [
        ("/clock/on_move", json!("red"), "unknown variant `red`, expected `white` or `black`"),
        ("/clock/last", json!(-1), "invalid value: integer `-1`, expected u64"),
        ("/clock/control/periods", json!([]), "0 periods; a time control has 1 to 16"),
        ("/clock/control/periods/0/moves", json!(0), "period 1 has `moves = 0`"),
        ("/clock/control/terms/repeat", json!(true), "`repeat = true`"),
        ("/clock/sides/white/period", json!(3), "a period that the time control does not have"),
        ("/clock/sides/white/period", json!(0), "a period that the time control does not have"),
        ("/clock/sides/white/overtime", json!({"periods": 4, "moves": 1}), "the overtime"),
        ("/clock/sides/white/overtime", json!({"periods": 0, "moves": 1}), "the overtime"),
        ("/clock/sides/white/overtime", json!({"periods": 1, "moves": 0}), "the overtime"),
        ("/clock/sides/black/overtime", json!({"periods": 1, "moves": 1}), "the overtime"),
        (
            "/clock/sides/black/interrupted",
            json!({"set-aside": {"periods": 9, "moves": 1}}),
            "the overtime",
        ),
        ("/clock/first_flag", json!("white"), "whose flag fell first"),
        ("/clock/sides/white/final_flag", json!(0), "whose flag fell first"),
        ("/clock/sides/white/period_flag", json!(1_000_000_001), "later than the last one"),
        ("/clock/progress/running/since", json!(1_000_000_001), "later than the last one"),
        ("/clock/last_move/sides/black/period", json!(2), "does not lead to the state"),
        ("/clock/changed_method", json!({"increment": 5}), "does not go with the time control"),
        ("/facts/game_start", json!(2_000_000_000), "an instant of the game is later"),
        ("/rate", json!("standard"), "the rate of play is not that of the time control"),
        ("/profile/rates", json!(["standard"]), "blitz"),
        ("/profile/penalties", json!(["beheading"]), "unknown variant `beheading`"),
        ("/profile", json!({"cites": "S0"}), "missing field"),
    ];
    for (place, value, expected) in cases {
        let refused = refusal(place, value.clone());
        assert!(refused.contains(expected), "{place} = {value}: {refused}");
    }
}

#[test]
fn a_count_that_an_earlier_version_wrote_is_passed_over() {
    let mut older = running();
    for sides in ["/clock/sides", "/clock/last_move/sides"] {
        for side in ["white", "black"] {
            let place = format!("{sides}/{side}");
            let side = older.pointer_mut(&place).and_then(Value::as_object_mut).expect("a side");
            side.insert("moves_without_increment".to_owned(), json!(0));
        }
    }
    let game: Game = from_value(older).expect("it is read");
    assert_eq!(to_value(game).expect("a game can be written"), running());
}

#[test]
fn the_changed_method_is_checked() {
    let control = Control::single(Span::from_secs(60), Method::None);
    let setup = Setup { control, profile: None, session: Session::Unknown, force: false };
    let game = Game::new(&setup, Instant::ZERO).expect("no profile refuses it");
    let mut written = to_value(game).expect("a game can be written");
    for (method, expected) in [
        (json!({"gong": 0}), "does not go with the time control"),
        (json!({"delay": 0}), "the amount of the changed method"),
        (json!({"delay": 3_600_000_000_000_001_u64}), "the amount of the changed method"),
    ] {
        written["clock"]["changed_method"] = method;
        let refused = from_value::<Game>(written.clone()).expect_err("a wrong method").to_string();
        assert!(refused.contains(expected), "{refused}");
    }
}

#[test]
fn too_many_periods_are_refused() {
    let mut game = running();
    let period = game["clock"]["control"]["periods"][0].clone();
    game["clock"]["control"]["periods"] = vec![period; 17].into();
    let refused = from_value::<Game>(game).expect_err("17 periods").to_string();
    assert!(refused.contains("1 to 16 periods"), "{refused}");
}

#[test]
fn an_unknown_key_is_refused() {
    let mut game = running();
    game["clock"]["colour"] = json!("red");
    let refused = from_value::<Game>(game).expect_err("an unknown key").to_string();
    assert!(refused.contains("unknown field `colour`"), "{refused}");
}
