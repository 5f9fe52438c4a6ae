//! A case of every command: a game in which the command is allowed.

use clock_controls::RuleLibrary;
use clock_engine::rules::{
    Action, Announcement, Attachment, Claimant, Confirmation, Evidence, Game, GameCommand, Ground,
    IncidentKind, LatePlayers, Penalty, PenaltyKind, Profile, ResultGround, Ruling, Session, Setup,
};
use clock_engine::{
    Caller, Command, Control, Correction, EarlierClock, Instant, Method, Outcome, PerSide,
    Recompute, Side, Span,
};

const SECOND: u64 = 1_000_000_000;
/// The arbiter stops both clocks.
pub const PAUSE: Command = Command::Pause { by: Caller::Arbiter };
/// The side on move goes on.
pub const RESUME: Command = Command::Resume { side: None };
const UNSUPERVISED: &str = "guidelines-iii-unsupervised";

/// What has happened in a game before a dry run. Each takes one second.
pub enum Step {
    Command(Box<GameCommand>),
    Press(Side),
    /// The time passes, and what is due happens.
    Wait,
}

impl<T: Into<GameCommand>> From<T> for Step {
    fn from(command: T) -> Step {
        Step::Command(Box::new(command.into()))
    }
}

/// A game under a rule profile (empty for none), with what has happened in it, and a command.
pub struct Case {
    pub rules: &'static str,
    pub steps: Vec<Step>,
    pub command: GameCommand,
}

fn case(
    rules: &'static str,
    steps: impl IntoIterator<Item = Step>,
    command: impl Into<GameCommand>,
) -> Case {
    Case { rules, steps: steps.into_iter().collect(), command: command.into() }
}

/// An instant, in seconds.
pub fn at(seconds: u64) -> Instant {
    Instant::from_nanos(seconds * SECOND)
}

fn profile(name: &str) -> Option<Profile> {
    (!name.is_empty()).then(|| *RuleLibrary::default().find(name).unwrap().profile())
}

/// The set-up of a game with two hours for each side, under this rule profile or, if the name is
/// empty, under none.
pub fn setup(rules: &str) -> Setup {
    let control = Control::single(Span::from_secs(7200), Method::None);
    Setup { control, profile: profile(rules), session: Session::Unknown, force: true }
}

fn time(side: Side, seconds: u64) -> Command {
    let mut correction = Correction::default();
    correction.time[side] = Some(Span::from_secs(seconds));
    Command::Set(correction)
}

/// Starts the game, and gives White this time while both clocks stand.
fn with_white_time(seconds: u64) -> Vec<Step> {
    vec![Command::Start.into(), PAUSE.into(), time(Side::White, seconds).into(), RESUME.into()]
}

fn player(side: Side) -> Claimant {
    Claimant::Player(side)
}

fn flag_called() -> Vec<Step> {
    let mut steps = with_white_time(0);
    steps.push(Action::ClaimFlag { by: player(Side::Black), evidence: Evidence::Flag }.into());
    steps
}

fn increment_requested() -> Vec<Step> {
    let mut steps = with_white_time(60);
    steps.push(Action::RequestIncrement { by: player(Side::White) }.into());
    steps
}

fn stopped_by_white() -> Vec<Step> {
    vec![Command::Start.into(), Command::Pause { by: Caller::Player(Side::White) }.into()]
}

fn confirm(by: Side, what: Confirmation) -> Step {
    Action::RecordConfirmation { by, what: Some(what) }.into()
}

fn draw_claimed(by: Side, ground: Ground) -> Action {
    Action::ClaimDraw { by: player(by), ground, stop: true, offer: None }
}

/// A claim without an arbiter, before the position is attached.
fn claimed_unsupervised() -> Vec<Step> {
    let mut steps = stopped_by_white();
    for what in [Confirmation::Correction, Confirmation::Resume] {
        steps.extend(Side::BOTH.map(|side| confirm(side, what)));
        if what == Confirmation::Correction {
            steps.push(time(Side::White, 60).into());
        }
    }
    steps.extend([RESUME.into(), draw_claimed(Side::White, Ground::CannotWin).into()]);
    steps
}

fn position() -> Action {
    Action::RecordAttachment { kind: Attachment::Position, verified_by: Some(Side::Black) }
}

/// A case of every command, in the order in which `name_of_command` has them, and of each further kind of
/// [`GameCommand`].
pub fn cases() -> Vec<Case> {
    let started = || [Command::Start.into()];
    let paused = || [Command::Start.into(), PAUSE.into()];
    let moved = || {
        let presses = [Side::White, Side::Black].map(Step::Press);
        [Command::Start.into()].into_iter().chain(presses).chain([PAUSE.into()])
    };
    let over = || [Command::Start.into(), Command::Finish(Outcome::WhiteWins).into()];
    let control = Control::single(Span::from_secs(300), Method::None);
    let warning = Penalty {
        side: Side::White,
        kind: PenaltyKind::Warning,
        time: Span::ZERO,
        half_points: 0,
        cause: None,
    };
    let earlier = EarlierClock::from(Game::new(&setup("fide-2023"), at(1)).unwrap().clock());
    let late = Setup { session: Session::At(at(1)), ..setup("fide-2023") };
    let five = Method::Increment(Span::from_secs(5));
    let mut referred = claimed_unsupervised();
    referred.push(position().into());
    let import = GameCommand::Import {
        setup: setup("fide-2023"),
        state: None,
        correction: Correction {
            moves: PerSide { white: Some(3), black: Some(2) },
            ..Correction::default()
        },
        begun: true,
    };
    vec![
        case("", [], Command::Start),
        case("", started(), PAUSE),
        case("", paused(), RESUME),
        case("", paused(), GameCommand::New(setup("fide-2023"))),
        case("", paused(), time(Side::Black, 5)),
        case("", paused(), Command::Add { side: Side::White, delta_ns: -5 }),
        case("", moved(), Command::UndoPress),
        case("", started(), Command::Finish(Outcome::WhiteWins)),
        case("", over(), Command::Reopen),
        case(
            "fide-2023",
            with_white_time(0),
            Action::ClaimFlag { by: player(Side::Black), evidence: Evidence::Flag },
        ),
        case("guidelines-iii", with_white_time(60), draw_claimed(Side::White, Ground::NoEffort)),
        case(
            "guidelines-iii",
            with_white_time(60),
            Action::RequestIncrement { by: player(Side::White) },
        ),
        case("guidelines-iii", increment_requested(), Action::rule(Ruling::DrawRefused)),
        case("fide-2023", flag_called(), Action::rule(Ruling::WhiteLoses)),
        case("fide-2023", stopped_by_white(), Action::rule(Ruling::Valid)),
        case(
            "fide-2023",
            [GameCommand::New(late).into(), Step::Wait],
            Action::Rule { ruling: Ruling::Forfeit, side: Some(LatePlayers::Both), award: None },
        ),
        case("fide-2023", paused(), Action::Penalize(warning)),
        case(
            "fide-2023",
            moved(),
            Action::IllegalMove { side: Side::Black, claimed: false, award: None },
        ),
        case("fide-2023", [], Action::Arrive(Side::White)),
        case(
            UNSUPERVISED,
            stopped_by_white(),
            Action::RecordConfirmation { by: Side::White, what: None },
        ),
        case(UNSUPERVISED, referred, Action::Refer),
        case(UNSUPERVISED, claimed_unsupervised(), position()),
        case("fide-2023", paused(), Action::SetAssistant { side: Side::White, accepted: true }),
        case(
            "fide-2023",
            started(),
            Action::Incident { side: Side::White, kind: IncidentKind::Force },
        ),
        case("handbook-county", started(), Action::Adjourn { side: Side::White }),
        case(
            "handbook-county",
            [Command::Start.into(), Action::Adjourn { side: Side::White }.into()],
            Action::ResumeAdjourned,
        ),
        case("fide-2023", paused(), Action::ChangeMethod { method: five, schedule_suffers: false }),
        case("fide-2023", paused(), GameCommand::SetRules(profile("handbook-county").unwrap())),
        case(
            "",
            paused(),
            GameCommand::ChangeTimeControl {
                control,
                recompute: Recompute::No,
                schedule_suffers: false,
            },
        ),
        case("", [], GameCommand::SetButtons(true)),
        case("", paused(), GameCommand::Announce(Announcement::new("lunch until 14:00"))),
        case("", started(), GameCommand::SetNames),
        case("fide-2023", moved(), GameCommand::Rewind(earlier)),
        case("", paused(), import),
        case("", paused(), GameCommand::NewExchanged(setup(""))),
        case("", over(), GameCommand::ReplaceResult(Outcome::Drawn)),
        case(
            "fide-2023",
            started(),
            Action::Result { outcome: Outcome::Drawn, ground: ResultGround::Game },
        ),
    ]
}
