//! Long presses that open the menu, and presses while it is open.

mod button_test;
mod closing;
mod confirming;
mod gestures;
mod meanwhile;
mod open;
mod profiles;
mod stop_together;

use super::*;
use clock_engine::rules::{Action, Authority, Profile, Session, Setup};
use clock_engine::{Caller, Outcome};

const SECOND: u64 = 1_000 * MS;
/// The default hold.
const HOLD: u64 = 3 * SECOND;
/// A long press opens the menu if it is released at most this long after [`HOLD`].
const WITHIN: u64 = 10 * SECOND;
/// When the press of a test begins.
const T0: u64 = 20 * SECOND;
/// The release time R of the debounce.
const R: u64 = 50 * MS;
const WINDOW: u64 = 100_000;
const CALL: Button = Button::Call;
/// A player's press alone is decided after this time at the latest.
const ALONE: u64 = 600 * MS;
/// How long one button is held before the other one in a test that holds both.
const APART: u64 = 500 * MS;
/// The face shows a hold from here on.
const SHOWN: u64 = 300 * MS;
/// How long [`TimedLoop::tap`] presses a button.
const TAP: u64 = 100 * MS;

/// What the core gave out.
#[derive(Clone, Default)]
struct Log {
    inputs: Vec<Input>,
    events: Vec<MenuEvent>,
    causes: Vec<(Cause, u64)>,
    /// The phases, each with the instant at which it began.
    phases: Vec<(u64, Phase)>,
    phase: Option<Phase>,
}

impl Output for Log {
    fn input(&mut self, _clock: &VersionedClock, input: &Input) {
        self.inputs.push(*input);
    }

    fn update(&mut self, update: &Update) {
        let (at, phase) = (update.at.as_nanos(), update.view.phase);
        self.causes.push((update.cause, at));
        if self.phase.replace(phase) != Some(phase) {
            self.phases.push((at, phase));
        }
    }

    fn menu(&mut self, event: MenuEvent) {
        self.events.push(event);
    }
}

/// A loop that wakes up exactly at its deadlines and when something arrives.
struct TimedLoop {
    core: VirtualLoop,
    now: u64,
    deadline: Option<u64>,
    log: Log,
}

impl TimedLoop {
    fn step(&mut self, now: u64) {
        self.now = now;
        let deadline = self.core.step_into(at(now), &mut self.log);
        self.deadline = deadline.map(Instant::as_nanos);
        assert!(self.deadline.is_none_or(|deadline| deadline > now), "the loop spins at {now}");
        let runs = self.core.update(Cause::Missed).view.phase == Phase::Running;
        assert!(!(runs && self.core.is_menu_open()), "a clock runs and the menu is open at {now}");
    }

    fn run_to(&mut self, nanos: u64) {
        while let Some(deadline) = self.deadline.filter(|deadline| *deadline < nanos) {
            self.step(deadline);
        }
        self.step(nanos);
    }

    fn edge(&mut self, button: Button, nanos: u64, active: bool) {
        self.run_to(nanos);
        edge(&mut self.core, button, nanos, active);
        self.step(nanos);
    }

    fn down(&mut self, button: Button, nanos: u64) {
        self.edge(button, nanos, true);
    }

    fn up(&mut self, button: Button, nanos: u64) {
        self.edge(button, nanos, false);
    }

    /// Presses and releases a button.
    fn tap(&mut self, button: Button, nanos: u64) {
        self.down(button, nanos);
        self.up(button, nanos + TAP);
    }

    fn menu(&mut self, request: MenuRequest) {
        self.core.menu_request(request);
        self.step(self.now);
    }

    /// Gives a command that is stamped `nanos`.
    fn command(&mut self, id: u64, command: impl Into<GameCommand>, nanos: u64) {
        self.run_to(nanos);
        let revision = self.core.update(Cause::Missed).revision;
        self.core.request(Request { id, at: at(nanos), revision, command: command.into() });
        self.step(nanos);
        self.run_to(nanos + WINDOW);
    }

    /// The inputs since the last call, without [`Input::Time`].
    fn inputs(&mut self) -> Vec<Input> {
        let mut inputs = std::mem::take(&mut self.log.inputs);
        inputs.retain(|input| !matches!(input, Input::Time(_)));
        inputs
    }

    /// What the menu was told, without the repetitions.
    fn events(&mut self) -> Vec<MenuEvent> {
        let events = std::mem::take(&mut self.log.events).into_iter();
        let is_shown_only = |event: &MenuEvent| {
            matches!(event, MenuEvent::Repeat(..) | MenuEvent::HoldBegan(_) | MenuEvent::HoldEnded)
        };
        events.filter(|event| !is_shown_only(event)).collect()
    }

    fn phase(&self) -> Phase {
        self.core.update(Cause::Missed).view.phase
    }
}

/// A state in which both clocks stand.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Standing {
    Ready,
    Paused,
    Called,
    Adjourned,
    Ruling,
    Over,
    Unsupervised,
    WithoutRules,
}

const STANDING: [Standing; 8] = [
    Standing::Ready,
    Standing::Paused,
    Standing::Called,
    Standing::Adjourned,
    Standing::Ruling,
    Standing::Over,
    Standing::Unsupervised,
    Standing::WithoutRules,
];

fn setup(profile: Option<Profile>) -> Setup {
    let control = Control::single(Span::from_secs(10), Method::None);
    Setup { control, profile, session: Session::Unknown, force: false }
}

fn of(setup: &Setup, inputs: Inputs, menu: Option<MenuOpening>) -> TimedLoop {
    let mut core = VirtualLoop::of(Game::new(setup, at(0)).unwrap(), inputs, [false; 3]);
    if let Some(opening) = menu {
        core.core = core.core.clone().with_menu(opening);
        core.menu_request(MenuRequest::MayOpen(true));
    }
    TimedLoop { core, now: 0, deadline: None, log: Log::default() }
}

/// A loop in this state. The press of the test can begin at [`T0`] − 1 s.
fn standing(state: Standing, inputs: Inputs, menu: Option<MenuOpening>) -> TimedLoop {
    let profile = match state {
        Standing::Unsupervised => {
            Some(Profile { authority: Authority::Nobody, ..Profile::default() })
        }
        Standing::WithoutRules => None,
        _ => Some(Profile::default()),
    };
    let mut test = of(&setup(profile), inputs, menu);
    let pause = Command::Pause { by: Caller::Arbiter };
    match state {
        Standing::Ready | Standing::WithoutRules => {}
        Standing::Paused => {
            test.command(1, Command::Start, SECOND);
            test.command(2, pause, 2 * SECOND);
        }
        Standing::Called | Standing::Unsupervised => {
            if state == Standing::Called {
                test.command(1, Command::Start, SECOND);
            } else {
                test.tap(BLACK, SECOND);
            }
            test.tap(CALL, 2 * SECOND);
        }
        Standing::Adjourned => {
            test.command(1, Command::Start, SECOND);
            test.command(2, pause, 2 * SECOND);
            test.command(3, Action::Adjourn { side: Side::White }, 3 * SECOND);
        }
        Standing::Ruling => {
            test.command(1, Command::Start, SECOND);
            test.run_to(12 * SECOND);
            test.tap(CALL, 12 * SECOND + MS);
        }
        Standing::Over => {
            test.command(1, Command::Start, SECOND);
            test.command(2, pause, 2 * SECOND);
            test.command(3, Command::Finish(Outcome::Drawn), 3 * SECOND);
        }
    }
    test.run_to(13 * SECOND);
    let runs = test.phase() == Phase::Running;
    assert!(!runs, "{state:?}: {:?}", test.log.causes);
    assert_eq!(test.events(), [], "{state:?}");
    test.inputs();
    test
}

impl Standing {
    /// Whether a press that can open the menu and lasts so long is nothing at all for the game, even
    /// if the menu does not open.
    fn takes(self, lasts: u64) -> bool {
        self == Standing::Unsupervised && lasts >= SHOWN
    }
}

/// What opens the menu.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Opener {
    /// The call button, beside two buttons or a rocker.
    Call(InputKind),
    /// White's button goes down [`APART`] before [`T0`], and Black's goes down at [`T0`]. The value
    /// is the button that is released first.
    Both(Button),
}

const OPENERS: [Opener; 4] = [
    Opener::Call(InputKind::Buttons),
    Opener::Call(InputKind::Rocker),
    Opener::Both(BLACK),
    Opener::Both(WHITE),
];

impl Opener {
    fn inputs(self) -> Inputs {
        let kind = match self {
            Opener::Call(kind) => kind,
            Opener::Both(_) => InputKind::Buttons,
        };
        Inputs { kind, ..Inputs::default() }
    }

    /// The button whose press is deferred.
    fn button(self) -> Button {
        match self {
            Opener::Call(_) => CALL,
            Opener::Both(_) => BLACK,
        }
    }

    fn down(self, test: &mut TimedLoop) {
        if matches!(self, Opener::Both(_)) {
            test.down(WHITE, T0 - APART);
        }
        test.down(self.button(), T0);
    }

    /// The event of a menu that opens at `nanos`.
    fn opened(self, nanos: u64) -> MenuEvent {
        MenuEvent::Opened { at: at(nanos), by_players: matches!(self, Opener::Both(_)) }
    }

    /// Releases the press at `nanos`, and the other button 1 s later.
    fn up(self, test: &mut TimedLoop, nanos: u64) {
        match self {
            Opener::Call(_) => test.up(CALL, nanos),
            Opener::Both(button) => {
                test.up(button, nanos);
                test.up(if button == WHITE { BLACK } else { WHITE }, nanos + SECOND);
            }
        }
    }
}

/// Holds the press of the opener from [`T0`] to `up`.
fn held(state: Standing, opener: Opener, menu: Option<MenuOpening>, up: u64) -> TimedLoop {
    let mut test = standing(state, opener.inputs(), menu);
    opener.down(&mut test);
    opener.up(&mut test, up);
    test.run_to(up + 2 * SECOND);
    test
}

fn each(run: impl Fn(Standing, Opener, &str)) {
    for state in STANDING {
        for opener in OPENERS {
            run(state, opener, &format!("{state:?}, {opener:?}"));
        }
    }
}

const MENU: Option<MenuOpening> = MenuOpening::new(Span::from_secs(3));

#[test]
fn a_press_released_before_the_hold_is_the_same_input_as_without_a_menu_or_nothing() {
    each(|state, opener, say| {
        for lasts in [10 * MS, SHOWN - 1, SHOWN, 2_500 * MS, HOLD - 1] {
            let mut plain = held(state, opener, None, T0 + lasts);
            let mut found = held(state, opener, MENU, T0 + lasts);
            if state.takes(lasts) {
                let expected = standing(state, opener.inputs(), MENU);
                assert_eq!((found.inputs(), found.events()), (vec![], vec![]), "{say}, {lasts}");
                assert_eq!(found.core.clock(), expected.core.clock(), "{say}, {lasts}");
                continue;
            }
            assert_eq!(found.inputs(), plain.inputs(), "{say}, {lasts}");
            assert_eq!(found.log.causes, plain.log.causes, "{say}, {lasts}");
            assert_eq!(found.phase(), plain.phase(), "{say}, {lasts}");
            assert_eq!(found.events(), [], "{say}, {lasts}");
            assert!(!found.core.is_menu_open(), "{say}, {lasts}");
        }
    });
}

#[test]
fn a_press_that_lasts_for_the_hold_opens_the_menu_at_its_release_and_is_no_input() {
    each(|state, opener, say| {
        for lasts in [HOLD, HOLD + 1, HOLD + SECOND, HOLD + WITHIN] {
            let mut test = held(state, opener, MENU, T0 + lasts);
            let hold = MenuEvent::Hold(at(T0 + HOLD));
            assert_eq!(test.events(), [hold, opener.opened(T0 + lasts)], "{say}, {lasts}");
            // Neither of two presses is an input, and neither gives a long hold.
            assert_eq!(test.inputs(), [], "{say}, {lasts}");
            assert!(test.core.is_menu_open(), "{say}, {lasts}");
        }
    });
}

#[test]
fn a_loop_that_wakes_up_late_decides_the_same() {
    for (lasts, opens) in
        [(HOLD - 1, false), (HOLD, true), (HOLD + WITHIN, true), (HOLD + WITHIN + 1, false)]
    {
        let mut test = standing(Standing::Paused, Inputs::default(), MENU);
        test.run_to(T0);
        edge(&mut test.core, CALL, T0, true);
        edge(&mut test.core, CALL, T0 + lasts, false);
        test.step(T0 + lasts + SECOND);
        let call = (lasts < HOLD).then_some(Input::Press(CALL, at(T0)));
        assert_eq!((test.inputs().as_slice(), test.core.is_menu_open()), (call.as_slice(), opens));
    }
}

#[test]
fn a_press_that_is_held_for_too_long_never_opens_the_menu_and_is_no_input() {
    each(|state, opener, say| {
        for lasts in [HOLD + WITHIN + 1, HOLD + 2 * WITHIN] {
            let mut test = held(state, opener, MENU, T0 + lasts);
            let hold = MenuEvent::Hold(at(T0 + HOLD));
            let closed = MenuEvent::Closed(MenuClosed::TimedOut, at(T0 + HOLD + WITHIN + 1));
            assert_eq!(test.events(), [hold, closed], "{say}, {lasts}");
            let is_input = |input: &Input| input.at() >= at(T0);
            assert!(!test.inputs().iter().any(is_input), "{say}, {lasts}");
            // The next press is an input again.
            test.tap(CALL, T0 + 60 * SECOND);
            test.run_to(T0 + 61 * SECOND);
            let call = Input::Press(CALL, at(T0 + 60 * SECOND));
            assert_eq!(test.inputs(), [call], "{say}, {lasts}");
        }
    });
}

#[test]
fn the_loop_wakes_up_at_the_hold_at_the_limit_and_after_thirty_seconds_and_not_otherwise() {
    let mut test = standing(Standing::Paused, Inputs::default(), MENU);
    assert_eq!(test.deadline, None, "nothing is held and the menu is closed");
    test.down(CALL, T0);
    test.run_to(T0 + 10 * MS);
    // The bar of the hold is shown.
    assert_eq!(test.deadline, Some(T0 + 300 * MS + WINDOW));
    test.run_to(T0 + 300 * MS + WINDOW);
    assert_eq!(test.deadline, Some(T0 + HOLD + WINDOW));
    test.run_to(T0 + HOLD + WINDOW);
    // The button counts as stuck at the age of 10 s, with or without a menu.
    assert_eq!(test.deadline, Some(T0 + 10 * SECOND));
    test.run_to(T0 + 10 * SECOND);
    assert_eq!(test.deadline, Some(T0 + HOLD + WITHIN + 1 + WINDOW));
    test.run_to(T0 + HOLD + WITHIN + 1 + WINDOW);
    assert_eq!(test.deadline, None);
    test.up(CALL, T0 + 20 * SECOND);
    test.down(CALL, T0 + 30 * SECOND);
    test.up(CALL, T0 + 34 * SECOND);
    test.run_to(T0 + 35 * SECOND);
    assert_eq!(test.deadline, Some(T0 + 64 * SECOND + WINDOW));
    test.run_to(T0 + 64 * SECOND + WINDOW);
    let closed = MenuEvent::Closed(MenuClosed::TimedOut, at(T0 + 64 * SECOND));
    assert_eq!((test.events().last(), test.deadline), (Some(&closed), None));
}

#[test]
fn contacts_that_bounce_neither_shorten_nor_lengthen_a_press() {
    for (openings, lasts) in [
        // The contact is open for less than the release time R during the hold.
        (vec![(SECOND, SECOND + 20 * MS)], HOLD),
        // It is open at the end of the hold, and closes again.
        (vec![(HOLD - MS, HOLD + 5 * MS)], HOLD + SECOND),
        // It bounces at the release; the last edge decides.
        (vec![(HOLD - 4 * MS, HOLD - 2 * MS)], HOLD),
    ] {
        let mut test = standing(Standing::Ready, Inputs::default(), MENU);
        // The press bounces, too. Its stamp is the first edge.
        for (nanos, active) in [(0, true), (200_000, false), (600_000, true)] {
            test.edge(CALL, T0 + nanos, active);
        }
        for (open, close) in &openings {
            test.up(CALL, T0 + open);
            test.down(CALL, T0 + close);
        }
        test.up(CALL, T0 + lasts);
        test.run_to(T0 + lasts + SECOND);
        let hold = MenuEvent::Hold(at(T0 + HOLD));
        assert_eq!(
            test.events(),
            [hold, Opener::Call(InputKind::Buttons).opened(T0 + lasts)],
            "{openings:?}"
        );
        assert_eq!(test.inputs(), [], "{openings:?}");
    }
    // The last edge of a bouncing release is before the end of the hold.
    let mut test = standing(Standing::Ready, Inputs::default(), MENU);
    for (nanos, active) in
        [(0, true), (HOLD - 9 * MS, false), (HOLD - 5 * MS, true), (HOLD - 1, false)]
    {
        test.edge(CALL, T0 + nanos, active);
    }
    test.run_to(T0 + HOLD - 1 + R);
    assert_eq!((test.inputs(), test.core.undecided_since()), (vec![], Some(at(T0))));
    test.run_to(T0 + HOLD - 1 + R + WINDOW);
    assert_eq!(test.inputs(), [Input::Press(CALL, at(T0))]);
    assert_eq!((test.events(), test.core.undecided_since()), (vec![], None));
}

#[test]
fn a_hold_is_one_to_eight_seconds() {
    let holds = [999_999_999, 1_000_000_000, 8_000_000_000, 8_000_000_001];
    let accepted = holds.map(|nanos| MenuOpening::new(Span::from_nanos(nanos)).is_some());
    assert_eq!(accepted, [false, true, true, false]);
    assert_eq!(MenuOpening::default().hold(), Span::from_nanos(1_500_000_000));
}
