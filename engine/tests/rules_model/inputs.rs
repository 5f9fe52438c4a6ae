//! The profiles, the time controls and the inputs of the games.

use crate::model::Input;
use clock_engine::rules::{
    Action, Attachment, Claimant, Confirmation, Evidence, Ground, IncidentKind, LatePlayers,
    Penalty, PenaltyCause, PenaltyKind, Profile, ResultGround, Ruling,
};
use clock_engine::text::{RuleFile, rule_preset, rule_presets};
use clock_engine::{
    Caller, Command, Control, Method, Outcome, PerSide, Period, PeriodEnd, Side, Span, Terms,
};

/// The shipped profiles, with their names.
pub fn profiles() -> Vec<(&'static str, Profile)> {
    let read = |name: &str| {
        rule_preset(name).map(|preset| preset.file.to_owned()).ok_or_else(|| name.to_owned())
    };
    rule_presets()
        .iter()
        .map(|preset| {
            let file = RuleFile::parse(preset.file, read).expect("a shipped profile");
            (preset.name, file.profile)
        })
        .collect()
}

const fn minutes(minutes: u64) -> Span {
    Span::from_secs(60 * minutes)
}

/// A time control, and the name by which the messages of the tests call it.
pub type NamedControl = (&'static str, Control);

/// Rapid and blitz controls, with one period and with two, with and without increment.
pub fn controls() -> Vec<NamedControl> {
    let two = |period_end| {
        let period = |moves| Period {
            moves,
            time: PerSide::both(minutes(6)),
            method: PerSide::both(Method::None),
        };
        Control::new(&[period(Some(1)), period(None)], Terms { period_end, ..Terms::default() })
            .expect("a control as it should be")
    };
    let single = |time, method| Control::single(minutes(time), method);
    vec![
        ("G/11", single(11, Method::None)),
        ("1/6, G/6", two(PeriodEnd::Moves)),
        ("1/6, G/6, set back", two(PeriodEnd::BlackCompletes { pause: true })),
        ("10+5", single(10, Method::Increment(Span::from_secs(5)))),
        ("G/3", single(3, Method::None)),
        ("hourglass of 3", single(3, Method::Hourglass)),
        ("counted up to 11", single(0, Method::CountUp { limit: Some(minutes(11)) })),
    ]
}

/// Waits in a game in which little time is left.
const WAITS: [Span; 3] = [Span::from_nanos(1), Span::from_secs(50), Span::from_secs(100)];

const DEFECT: Action = Action::Incident { side: Side::White, kind: IncidentKind::Defect };

/// The name of a situation, and the inputs that lead to it from a new game.
type Situation = (&'static str, Vec<Input>);

/// The situations from which the inputs are tried.
pub fn situations() -> Vec<Situation> {
    let wait = |seconds| Input::Wait(Span::from_secs(seconds));
    let start = Input::Command(Command::Start);
    let [white, black] = Side::BOTH.map(Input::Press);
    let unknown = Input::Action(Action::rule(Ruling::OrderUnknown));
    vec![
        ("before the start", vec![]),
        ("White under two minutes", vec![start, wait(570)]),
        ("both under two minutes", vec![start, wait(560), white, wait(570), black]),
        ("White's flag down", vec![start, wait(700)]),
        ("both flags down", vec![start, wait(700), white, wait(700)]),
        (
            "both flags down in an unknown order",
            vec![start, wait(700), white, wait(700), Input::Action(DEFECT), unknown],
        ),
    ]
}

/// Waits in a random game, which reach and exceed the limits of claims, flags and the default time.
pub fn random_waits() -> Vec<Span> {
    let mut all: Vec<Span> = [10, 60, 120, 240, 300, 420, 480, 540].map(Span::from_secs).into();
    all.push(Span::from_nanos(1));
    all.push(Span::from_secs(3600));
    all
}

/// Every input that the enumeration tries.
pub fn inputs() -> Vec<Input> {
    let mut all = vec![Input::Call];
    all.extend(WAITS.map(Input::Wait));
    all.extend(Side::BOTH.map(Input::Press));
    all.extend(commands().into_iter().map(Input::Command));
    all.extend(actions().into_iter().map(Input::Action));
    all
}

fn commands() -> Vec<Command> {
    let mut all = vec![
        Command::Start,
        Command::Pause { by: Caller::Arbiter },
        Command::Resume { side: None },
        Command::UndoPress,
        Command::Reopen,
    ];
    for side in Side::BOTH {
        all.push(Command::Pause { by: Caller::Player(side) });
        all.push(Command::Resume { side: Some(side) });
        all.push(Command::Add { side, delta_ns: 60_000_000_000 });
    }
    all
}

fn actions() -> Vec<Action> {
    let mut all = claims();
    let award = Some(minutes(2));
    for &ruling in Ruling::ALL {
        all.push(Action::rule(ruling));
        if matches!(ruling, Ruling::Postpone | Ruling::Reject) {
            for award in [award, Some(Span::ZERO), Some(minutes(3))] {
                all.push(Action::Rule { ruling, side: None, award });
            }
        }
        if matches!(ruling, Ruling::Forfeit | Ruling::Waive | Ruling::Drawn) {
            all.extend(LatePlayers::ALL.iter().map(|&side| Action::rule_late(side, ruling)));
        }
    }
    all.extend(penalties().into_iter().map(Action::Penalize));
    for side in Side::BOTH {
        for claimed in [false, true] {
            all.push(Action::IllegalMove { side, claimed, award: None });
        }
        all.push(Action::IllegalMove { side, claimed: false, award: Some(minutes(1)) });
        all.push(Action::Arrive(side));
        all.push(Action::Adjourn { side });
        all.push(Action::Incident { side, kind: IncidentKind::Force });
        all.push(Action::RecordConfirmation { by: side, what: Some(Confirmation::Resume) });
        all.push(Action::RecordConfirmation { by: side, what: Some(Confirmation::OrderUnknown) });
        all.push(Action::RecordConfirmation { by: side, what: None });
        for kind in [Attachment::Position, Attachment::Scoresheet] {
            all.push(Action::RecordAttachment { kind, verified_by: Some(side) });
        }
    }
    all.push(Action::RecordAttachment { kind: Attachment::Details, verified_by: None });
    all.push(DEFECT);
    all.extend([Action::Refer, Action::ResumeAdjourned]);
    all.extend(results());
    all
}

fn claims() -> Vec<Action> {
    let mut all = Vec::new();
    let claimants =
        [Claimant::Player(Side::White), Claimant::Player(Side::Black), Claimant::Arbiter];
    for by in claimants {
        all.push(Action::ClaimFlag { by, evidence: Evidence::Flag });
        all.push(Action::RequestIncrement { by });
        for &ground in Ground::ALL {
            all.push(Action::ClaimDraw { by, ground, stop: true, offer: None });
        }
        all.push(Action::ClaimDraw { by, ground: Ground::CannotWin, stop: false, offer: None });
    }
    let by = Claimant::Player(Side::White);
    all.push(Action::ClaimFlag { by, evidence: Evidence::Display });
    all.push(Action::ClaimFlag { by, evidence: Evidence::DisplayAndOther });
    all.push(Action::ClaimFlag { by: Claimant::Bystander, evidence: Evidence::Flag });
    all
}

fn penalties() -> Vec<Penalty> {
    let mut all = Vec::new();
    for side in Side::BOTH {
        for &kind in PenaltyKind::ALL {
            let timed = matches!(kind, PenaltyKind::OpponentPlus | PenaltyKind::OffenderMinus);
            let pointed = matches!(kind, PenaltyKind::PointsOff | PenaltyKind::OpponentPoints);
            let time = if timed { minutes(1) } else { Span::ZERO };
            let half_points = u32::from(pointed);
            all.push(Penalty { side, kind, time, half_points, cause: Some(PenaltyCause::Other) });
            if pointed {
                all.push(Penalty { side, kind, time, half_points: 0, cause: None });
            }
            let force = [PenaltyKind::Warning, PenaltyKind::Loss, PenaltyKind::Expulsion];
            if force.contains(&kind) {
                for cause in [None, Some(PenaltyCause::Force)] {
                    all.push(Penalty { side, kind, time, half_points, cause });
                }
            }
        }
    }
    all
}

fn results() -> Vec<Action> {
    let result = |outcome, ground| Action::Result { outcome, ground };
    vec![
        result(Outcome::WhiteWins, ResultGround::Game),
        result(Outcome::BothLose, ResultGround::Game),
        result(Outcome::Drawn, ResultGround::Game),
        result(Outcome::Drawn, ResultGround::ArbitersDraw),
    ]
}
