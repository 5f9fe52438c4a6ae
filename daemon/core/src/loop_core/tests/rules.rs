//! Tests of a game under a rule profile: what the core notes without a command, and what its
//! updates contain.

use super::*;
use crate::Restart;
use clock_engine::PerSide;
use clock_engine::rules::{
    Action, Authority, Claimant, Evidence, IncidentKind, Profile, QuestionKind, Ruling, Session,
    Setup,
};

/// How long a button can be held under [`Profile::default`] before an incident is noted: 3 s.
const LONGEST: u64 = 3_000 * MS;

/// A game with one hour for each side under a profile. The session starts at 0.
fn under_rules(profile: Profile, inputs: Inputs) -> VirtualLoop {
    let control = Control::single(Span::from_secs(3600), Method::None);
    let setup =
        Setup { control, profile: Some(profile), session: Session::At(at(0)), force: false };
    let mut core = VirtualLoop::of(Game::new(&setup, at(0)).unwrap(), inputs, [false; LINES]);
    // Both players arrive, so that neither of them is late.
    for side in Side::BOTH {
        command(&mut core, Action::Arrive(side), 1).unwrap();
    }
    core
}

/// Decides everything up to `nanos`. Returns the causes of the updates with their instants, and
/// when the loop wakes up next (`None` if nothing is due).
fn decide_and_sleep(core: &mut VirtualLoop, nanos: u64) -> (Vec<(Cause, u64)>, Option<u64>) {
    let mut found = Vec::new();
    let wake = core.step(at(nanos), &mut |update| found.push((update.cause, update.at.as_nanos())));
    (found, wake.map(Instant::as_nanos))
}

#[test]
fn a_button_held_for_longer_than_the_warning_is_noted_once_at_its_instant() {
    let mut core = under_rules(Profile::default(), Inputs::default());
    edge(&mut core, BLACK, 100 * MS, true);
    let (found, wake) = decide_and_sleep(&mut core, 110 * MS);
    assert_eq!(found, [(Cause::press(Side::Black), 100 * MS)]);
    // The loop wakes up once to note the long hold: at `due`, plus the time in which an edge can
    // still arrive.
    let due = 100 * MS + LONGEST;
    assert_eq!(wake, Some(due + 100_000));
    assert_eq!(decide(&mut core, due + 99_999), []);
    assert_eq!(decide(&mut core, due + 100_000), [(Cause::hold(Side::Black), due)]);
    // A held button does not prevent presses of the other button.
    edge(&mut core, WHITE, due + MS, true);
    edge(&mut core, WHITE, due + 3 * MS, false);
    assert_eq!(decide(&mut core, due + 10 * MS), [(Cause::press(Side::White), due + MS)]);
    assert_eq!(decide(&mut core, due + 5 * LONGEST), []);
    // A second press that is held for too long is noted, too.
    edge(&mut core, BLACK, due + 5 * LONGEST + MS, false);
    edge(&mut core, BLACK, due + 5 * LONGEST + 100 * MS, true);
    let (found, _) = decide_and_sleep(&mut core, due + 7 * LONGEST);
    let again = due + 6 * LONGEST + 100 * MS;
    assert!(found.contains(&(Cause::hold(Side::Black), again)), "{found:?}");
}

#[test]
fn a_button_released_in_time_is_not_noted_and_causes_no_wake_up() {
    let mut core = under_rules(Profile::default(), Inputs::default());
    edge(&mut core, BLACK, 100 * MS, true);
    edge(&mut core, BLACK, 100 * MS + LONGEST - 1, false);
    let (found, wake) = decide_and_sleep(&mut core, 200 * MS + LONGEST);
    assert_eq!(found, [(Cause::press(Side::Black), 100 * MS)]);
    // The next deadline is White's flag.
    assert!(wake.is_some_and(|wake| wake > 3_600_000 * MS), "{wake:?}");
}

#[test]
fn without_a_warning_in_the_profile_and_with_a_rocker_nothing_is_noted() {
    let without = Profile { hold_warning: None, ..Profile::default() };
    let rocker = Inputs { kind: InputKind::Rocker, ..Inputs::default() };
    for (profile, inputs) in [(without, Inputs::default()), (Profile::default(), rocker)] {
        let mut core = under_rules(profile, inputs);
        edge(&mut core, BLACK, 100 * MS, true);
        let found = decide(&mut core, 5 * LONGEST);
        assert_eq!(found, [(Cause::press(Side::Black), 100 * MS)]);
    }
    let mut alone = running();
    edge(&mut alone, WHITE, 500 * MS, true);
    let found = decide(&mut alone, 900 * MS + LONGEST);
    assert!(!found.iter().any(|(cause, _)| cause.as_str() == "hold"), "{found:?}");
}

#[test]
fn the_default_time_is_noted_at_its_nanosecond_and_makes_a_revision() {
    let profile = Profile { default_after: Span::from_secs(1), ..Profile::default() };
    let control = Control::single(Span::from_secs(3600), Method::None);
    let session = Session::At(at(0));
    let setup = Setup { control, profile: Some(profile), session, force: false };
    let game = Game::new(&setup, at(0)).unwrap();
    let mut core = VirtualLoop::of(game, Inputs::default(), [false; LINES]);
    press(&mut core, BLACK, 100 * MS);
    let before = core.update(Cause::Missed).revision;
    // A player is late one nanosecond after the default time. Black has pressed, so Black has
    // arrived, and only White is late.
    let due = 1000 * MS + 1;
    assert_eq!(decide(&mut core, due + 100_000 - 1), []);
    assert_eq!(
        decide(&mut core, due + 100_000),
        [(GameEventKind::DefaultDue { side: Side::White }.into(), due)]
    );
    let update = core.update(Cause::Missed);
    assert_eq!(update.revision, before + 1);
    let (question, answers) = update.questions.iter().next().unwrap();
    assert_eq!((question.kind, question.side), (QuestionKind::Default, Some(Side::White)));
    assert_eq!(answers.count(), 2);
}

#[test]
fn the_answers_in_an_update_do_what_they_say() {
    let no_time = Control::single(Span::from_nanos(MS), Method::None);
    let setup = Setup {
        control: no_time,
        profile: Some(Profile::default()),
        session: Session::Unknown,
        force: false,
    };
    let game = Game::new(&setup, at(0)).unwrap();
    let mut core = VirtualLoop::of(game, Inputs::default(), [false; LINES]);
    press(&mut core, BLACK, 0);
    decide(&mut core, 10 * MS);
    let claim = Action::ClaimFlag { by: Claimant::Player(Side::Black), evidence: Evidence::Flag };
    let mut event = None;
    let revision = core.update(Cause::Missed).revision;
    core.request(Request { id: 1, at: at(20 * MS), revision, command: claim.into() });
    core.step(at(22 * MS), &mut |update| event = event.or(update.cause.event()));
    let called = GameEventKind::Called { by: Claimant::Player(Side::Black) };
    assert_eq!(event, Some(called));
    let update = core.update(Cause::Missed);
    assert_eq!(update.view.phase, Phase::Ruling);
    let (question, answers) = update.questions.iter().next().unwrap();
    assert_eq!((question.kind, question.side), (QuestionKind::Flag, Some(Side::White)));
    let mut tried = 0;
    for offered in answers {
        let mut trial = core.core.clone();
        let (ruling, command) = (offered.ruling, offered.action().into());
        let request = Request { id: 2, at: at(30 * MS), revision: update.revision, command };
        let readings = [const { LineReading::EMPTY }; LINES];
        trial.step(at(32 * MS), &readings, std::iter::once(request), &mut |update: Update| {
            assert!(update.answer.is_none_or(|(_, done)| done.is_ok()), "{ruling}");
        });
        let after = trial.update(Cause::Missed).view;
        assert_eq!((after.phase, after.outcome), (offered.phase, offered.outcome), "{ruling}");
        tried += 1;
    }
    assert_eq!(tried, 4, "lost, drawn, not-made and not-established");
    let refused = Action::rule(Ruling::Postpone);
    assert!(matches!(command(&mut core, refused, 40), Err(Refusal::Game(_))));
}

#[test]
fn an_incident_is_noted_with_its_command() {
    let mut core = under_rules(Profile::default(), Inputs::default());
    let incident = Action::Incident { side: Side::White, kind: IncidentKind::Defect };
    let revision = core.update(Cause::Missed).revision;
    core.request(Request { id: 9, at: at(50 * MS), revision, command: incident.into() });
    let mut found = Vec::new();
    core.step(at(52 * MS), &mut |update| found.push(update.cause));
    let event = GameEventKind::Incident { side: Side::White, kind: IncidentKind::Defect };
    assert_eq!(found, [Cause::Command("incident", Some(event))]);
}

fn unsupervised() -> Profile {
    Profile { authority: Authority::Nobody, ..Profile::default() }
}

/// A clock with 60 s for each side in unsupervised play. White's clock runs since 100 ms.
fn running_unsupervised() -> VersionedClock {
    let control = Control::single(Span::from_secs(60), Method::None);
    let (profile, session) = (Some(unsupervised()), Session::WithGame);
    let setup = Setup { control, profile, session, force: false };
    let game = Game::new(&setup, at(0)).unwrap();
    let mut clock = VersionedClock::new(game, None, false);
    handle(&mut clock, Input::Press(BLACK, at(100 * MS)));
    assert_eq!(clock.game().phase(), Phase::Running);
    clock
}

fn handle(clock: &mut VersionedClock, input: Input) -> Vec<Update> {
    let mut found = Vec::new();
    clock.handle(&input, &mut |update| found.push(update));
    found
}

#[test]
fn in_unsupervised_play_the_presses_of_both_players_resume_the_game() {
    let mut core = under_rules(unsupervised(), Inputs::default());
    press(&mut core, BLACK, 100 * MS);
    press(&mut core, Button::Call, 200 * MS);
    let stopped = core.update(Cause::Missed);
    assert_eq!(stopped.view.phase, Phase::Paused);
    let ignored = |side| Cause::ignored_press(side);
    let confirmed = Cause::Command("record-confirmation", None);
    let first = press(&mut core, BLACK, 300 * MS);
    assert_eq!(first, [(ignored(Side::Black), 300 * MS), (confirmed, 300 * MS)]);
    let by = core.update(Cause::Missed).view.sides.map(|side| side.notes);
    assert!(by.black.confirmed_resume && !by.white.confirmed_resume, "{by:?}");
    // Another press of the same player changes nothing.
    assert_eq!(press(&mut core, BLACK, 400 * MS), [(ignored(Side::Black), 400 * MS)]);
    let resumed = press(&mut core, WHITE, 500 * MS);
    let expected = [(ignored(Side::White), 500 * MS), (Cause::Command("resume", None), 500 * MS)];
    assert_eq!(resumed, expected);
    let running = core.update(Cause::Missed);
    assert_eq!((running.view.phase, running.revision), (Phase::Running, stopped.revision + 2));
    let moves = PerSide { white: running.view.sides.white.moves, black: 0 };
    assert_eq!(moves, PerSide { white: 0, black: 0 });
}

#[test]
fn a_press_made_before_a_stop_and_read_after_it_confirms_no_resumption() {
    let mut clock = running_unsupervised();
    handle(&mut clock, Input::Press(Button::Call, at(200 * MS)));
    assert_eq!(clock.game().phase(), Phase::Paused);
    // White's press was made while the clock ran.
    let late = handle(&mut clock, Input::Press(WHITE, at(199 * MS)));
    let late: Vec<_> = late.iter().map(|update| (update.cause, update.at)).collect();
    let ignored = Cause::ignored_press(Side::White);
    assert_eq!(late, [(Cause::Late(WHITE), at(199 * MS)), (ignored, at(200 * MS))]);
    handle(&mut clock, Input::Press(BLACK, at(5_000 * MS)));
    assert_eq!(clock.game().phase(), Phase::Paused, "only Black has confirmed");
    handle(&mut clock, Input::Press(WHITE, at(6_000 * MS)));
    assert_eq!(clock.game().phase(), Phase::Running);
}

#[test]
fn the_notice_of_a_power_cut_ends_when_both_players_have_resumed() {
    let mut clock = running_unsupervised();
    let cut = at(200 * MS);
    handle(&mut clock, Input::PowerCut { stopped: cut, at: cut, closed: Some([false; 2]) });
    let notice = Some(Restart::PowerCut { was_running: true });
    let restart = |clock: &VersionedClock| clock.update(Cause::Missed, clock.last()).restart;
    assert_eq!(restart(&clock), notice);
    handle(&mut clock, Input::Press(WHITE, at(300 * MS)));
    assert_eq!((clock.game().phase(), restart(&clock)), (Phase::Paused, notice));
    let revision = clock.revision();
    let resumed = handle(&mut clock, Input::Press(BLACK, at(400 * MS)));
    assert_eq!(resumed.last().unwrap().cause, Cause::Command("resume", None));
    assert!(resumed.iter().all(|update| update.restart.is_none()), "{resumed:?}");
    assert_eq!((clock.game().phase(), restart(&clock)), (Phase::Running, None));
    assert_eq!(clock.revision(), revision + 1);
}
