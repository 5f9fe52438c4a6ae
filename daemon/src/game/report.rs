//! The report of a command: a sentence as an arbiter would write it.
//!
//! For example: `White claims a draw (cannot-win), clocks stopped at W 0:01:12.3 B 0:04:40.0`. A refused
//! command has an error with a message in its place.

use clock_dbus::{Error, one_line};
use clock_engine::rules::{
    Action, Attachment, Claimant, GameCommand, GameRefused, LatePlayers, Penalty, PenaltyAmount,
    Ruling,
};
use clock_engine::text::points;
use clock_engine::{
    Caller, Command, Correction, Method, Outcome, Phase, Refused, Side, Span, View,
};
use clockd_rt::Refusal;
use zbus::DBusError;

const SCHEDULE_SUFFERS: &str = ", the schedule would suffer otherwise";

/// The report of a command. `before` and `after` are the clock right before and right after it,
/// both at the instant of the command. `text` is the attachment, the sealed move, the name of the
/// rule profile or of the time control, the description of what was set up or rewound, or the names
/// that changed; empty for other commands.
pub fn report(command: &GameCommand, text: &str, before: &View, after: &View) -> String {
    format!("{}{}", action(command, text), clocks(before, after))
}

/// The part of the report after the action. If a clock stops or starts, or if the command changes
/// neither of the times shown, this part begins with both times. Then it lists what the command
/// changed: times, numbers of moves and the result.
fn clocks(before: &View, after: &View) -> String {
    let shown = |view: &View| {
        let [white, black] = Side::BOTH.map(|side| reading(view, side));
        format!("W {white} B {black}")
    };
    let mut text = match (before.phase, after.phase) {
        (Phase::Running, Phase::Paused | Phase::Ruling | Phase::Over) => {
            format!(", clocks stopped at {}", shown(before))
        }
        (_, Phase::Running) if before.phase != Phase::Running => {
            format!(", {}'s clock runs from {}", after.on_move.name(), shown(after))
        }
        _ if shown(before) == shown(after) => format!(", clocks at {}", shown(after)),
        _ => String::new(),
    };
    // Both views are of the same instant, so the time of a running clock differs only if the
    // command changed it.
    for side in Side::BOTH {
        let (old, new) = (reading(before, side), reading(after, side));
        if old != new {
            text.push_str(&format!(", {} {old} → {new}", side.name()));
        }
    }
    for side in Side::BOTH {
        let (old, new) = (before.sides[side].moves, after.sides[side].moves);
        if old != new {
            text.push_str(&format!(", {}'s moves {old} → {new}", side.name()));
        }
    }
    if before.outcome != after.outcome {
        let result = after.outcome.map_or("none", Outcome::as_str);
        text.push_str(&format!(", result {result}"));
    }
    text
}

/// Returns the time that a side has left. If the side is out of time and its clock ran on, returns
/// the overrun instead, with a plus sign.
fn reading(view: &View, side: Side) -> String {
    let side = &view.sides[side];
    match side.out_of_time {
        true if !side.overrun.is_zero() => format!("+{}", side.overrun.passed()),
        _ => side.remaining.left().to_string(),
    }
}

fn claimant(by: Claimant) -> &'static str {
    match by {
        Claimant::Player(side) => side.name(),
        Claimant::Arbiter => "The arbiter",
        Claimant::Bystander => "A bystander",
    }
}

fn action(command: &GameCommand, text: &str) -> String {
    match command {
        GameCommand::Clock(command) => of_clock(command),
        GameCommand::Action(action) => of_rules(action, text),
        GameCommand::New(_) => format!("A new game is set up: {}", one_line(text)),
        GameCommand::NewExchanged(_) => {
            format!("A new game is set up with the sides exchanged: {}", one_line(text))
        }
        GameCommand::ReplaceResult(outcome) => {
            format!("The result is taken back; the result is {}", outcome.as_str())
        }
        GameCommand::Agreed(change) => {
            format!("Both players agree: {}", action(&GameCommand::from(*change), text))
        }
        GameCommand::SetRules(_) => format!("The rule profile is {}", one_line(text)),
        GameCommand::ChangeTimeControl { recompute, schedule_suffers, .. } => {
            let how = match recompute.is_asked() {
                true => "the turns so far are played again with it",
                false => "the times stay",
            };
            let why = if *schedule_suffers { SCHEDULE_SUFFERS } else { "" };
            format!("The time control is {}; {how}{why}", one_line(text))
        }
        GameCommand::SetButtons(true) => {
            "The buttons are exchanged: White uses the one that is wired as Black's".to_owned()
        }
        GameCommand::SetButtons(false) => "Each player uses the button as wired".to_owned(),
        GameCommand::Announce(Some(text)) => {
            format!("The players are told: {}", one_line(text.as_str()))
        }
        GameCommand::Announce(None) => "The announcement is taken back".to_owned(),
        GameCommand::SetNames if text.is_empty() => {
            "The names are corrected; none has changed".to_owned()
        }
        GameCommand::SetNames => format!("The names are corrected: {}", one_line(text)),
        GameCommand::Rewind(_) => format!("The clock is set back: {}", one_line(text)),
        GameCommand::Import { .. } => {
            format!("A game is taken over: {}", one_line(text))
        }
    }
}

fn of_clock(command: &Command) -> String {
    match *command {
        Command::Start => "The game is started".to_owned(),
        Command::Pause { by: Caller::Player(side) } => {
            format!("{} stops the clocks and calls the arbiter", side.name())
        }
        Command::Pause { .. } => "The arbiter stops the clocks".to_owned(),
        Command::Resume { side: None } => "The game goes on".to_owned(),
        Command::Resume { side: Some(side) } => {
            format!("The game goes on with {} on move", side.name())
        }
        Command::Set(correction) => format!("Correction{}", corrected(&correction)),
        Command::Add { side, delta_ns } => {
            let verb = if delta_ns < 0 { "loses" } else { "gets" };
            format!("{} {verb} {}", side.name(), Span::from_nanos(delta_ns.unsigned_abs()))
        }
        Command::UndoPress => "The last press is taken back".to_owned(),
        Command::Finish(outcome) => format!("The result is {}", outcome.as_str()),
        Command::Reopen => "The result is taken back".to_owned(),
        Command::New { .. } => "A new game is set up".to_owned(),
    }
}

/// The period and the side on move that a correction sets. The function `clocks` adds the times and
/// the numbers of moves.
fn corrected(correction: &Correction) -> String {
    let mut text = String::new();
    for side in Side::BOTH {
        if let Some(period) = correction.period[side] {
            text.push_str(&format!(", {} is in period {period}", side.name()));
        }
    }
    if let Some(side) = correction.on_move {
        text.push_str(&format!(", {} is on move", side.name()));
    }
    text
}

fn of_rules(action: &Action, text: &str) -> String {
    match *action {
        Action::ClaimFlag { by, evidence } => {
            format!("{} calls the flag ({evidence})", claimant(by))
        }
        Action::ClaimDraw { by, ground, offer, .. } => {
            let offer = match offer {
                None => String::new(),
                Some(answer) => format!(", the draw offer before it was {answer}"),
            };
            format!("{} claims a draw ({ground}){offer}", claimant(by))
        }
        Action::RequestIncrement { by } => {
            format!("{} requests an increment for both", claimant(by))
        }
        Action::Rule { ruling, side, award } => ruled(ruling, side, award),
        Action::Penalize(penalty) => penalized(&penalty),
        Action::IllegalMove { side, claimed, award } => {
            let claimed = if claimed { ", the extra time was claimed" } else { "" };
            format!("An illegal move of {}{claimed}{}", side.name(), awarded(award))
        }
        Action::Arrive(side) => format!("{} has arrived", side.name()),
        Action::RecordConfirmation { by, what } => {
            let what = what.map_or("what can be confirmed now", |what| what.as_str());
            format!("{} confirms: {what}", by.name())
        }
        Action::Refer => "The claim is referred to the designated arbiter".to_owned(),
        Action::RecordAttachment { kind, verified_by } => attached(kind, verified_by, text),
        Action::SetAssistant { side, accepted } => {
            let word = if accepted { "accepted" } else { "not accepted" };
            format!("An assistant of {} is {word}", side.name())
        }
        Action::Incident { side, kind } => format!("Incident of {}: {kind}", side.name()),
        Action::Adjourn { side } => {
            let sealed = match one_line(text) {
                sealed if sealed.is_empty() => String::new(),
                sealed => format!(": {sealed}"),
            };
            format!("The game is adjourned, {} has sealed{sealed}", side.name())
        }
        Action::ResumeAdjourned => "The adjourned game is taken up again".to_owned(),
        Action::ChangeMethod { method, schedule_suffers } => {
            let why = if schedule_suffers { SCHEDULE_SUFFERS } else { "" };
            format!("{}{why}", changed(method))
        }
        Action::Result { outcome, .. } => format!("The result is {}", outcome.as_str()),
    }
}

fn ruled(ruling: Ruling, late: Option<LatePlayers>, award: Option<Span>) -> String {
    match ruling {
        Ruling::Call => "The arbiter calls the flag".to_owned(),
        Ruling::DrawAccepted => "The draw offer is accepted".to_owned(),
        Ruling::DrawRefused => "The draw offer is refused".to_owned(),
        Ruling::WhiteLoses => "Ruling: White has lost".to_owned(),
        Ruling::BlackLoses => "Ruling: Black has lost".to_owned(),
        Ruling::Valid | Ruling::NotObvious | Ruling::ObviouslyInvalid => {
            format!("Ruling on the stop of the clocks: {ruling}")
        }
        Ruling::Forfeit | Ruling::Waive => {
            let late = late.and_then(LatePlayers::side).map_or("both players", Side::name);
            format!("Ruling on the late arrival of {late}: {ruling}")
        }
        _ => format!("Ruling: {ruling}{}", awarded(award)),
    }
}

fn awarded(award: Option<Span>) -> String {
    award.map(|award| format!(", award {award}")).unwrap_or_default()
}

fn penalized(penalty: &Penalty) -> String {
    let Penalty { side, kind, time, half_points, cause } = *penalty;
    let amount = match kind.amount() {
        None => String::new(),
        Some(PenaltyAmount::Time) => format!(" of {time}"),
        Some(PenaltyAmount::OffenderPoints | PenaltyAmount::OpponentPoints) => match half_points {
            0 => ", the earlier ones are taken back".to_owned(),
            _ => format!(" of {}", points(half_points)),
        },
    };
    let cause = cause.map(|cause| format!(" (cause {cause})")).unwrap_or_default();
    format!("Penalty for {}: {kind}{amount}{cause}", side.name())
}

fn attached(kind: Attachment, verified_by: Option<Side>, text: &str) -> String {
    let verified = match verified_by {
        None => String::new(),
        Some(side) => format!(", verified by {}", side.name()),
    };
    format!("Attached to the record: {kind}{verified}: {}", one_line(text))
}

fn changed(method: Method) -> String {
    match method {
        Method::Increment(amount) => format!("The increment is {amount} from now on"),
        Method::Delay(amount) => format!("The delay is {amount} from now on"),
        Method::Bronstein(amount) => format!("The Bronstein delay is {amount} from now on"),
        _ => "There is no increment and no delay from now on".to_owned(),
    }
}

/// The error for this refusal. If a clause of the laws forbids the command, its message names the
/// clause and its source.
pub fn error_of(refusal: Refusal) -> Error {
    match refusal {
        Refusal::Game(game) => {
            let named = match game {
                GameRefused::Clock { refused, .. } => of_the_clock(refused),
                GameRefused::Rules(_) => Error::RefusedByRules,
                GameRefused::NoProfile => Error::NoProfile,
            };
            named(game.cited().to_string())
        }
        Refusal::Stale { given, current } => Error::StaleRevision(format!(
            "the clock has changed: revision {given} was given, it is at {current} now"
        )),
        Refusal::ConfirmOnMove { down } => {
            let throw = match down {
                Some(Side::White) => "White's throw is down",
                Some(Side::Black) => "Black's throw is down",
                None => "it is unknown which throw is down",
            };
            Error::ConfirmOnMove(format!(
                "the rocker does not match the side on move: {throw}; push it over, or name the side \
                 that is on move"
            ))
        }
        Refusal::BoardGone => Error::BoardGone(
            "the buttons are not connected, so no clock is started; check the cable, or look in the log \
             for the reason"
                .to_owned(),
        ),
        Refusal::Busy => {
            Error::Busy("too many commands wait at once; nothing was done".to_owned())
        }
    }
}

/// The text for the record: the name of the error, a colon, and the message.
pub fn refusal_on_record(refusal: Refusal) -> String {
    let error = error_of(refusal);
    format!("{}: {}", error.name(), error.description().unwrap_or_default())
}

fn of_the_clock(refused: Refused) -> fn(String) -> Error {
    match refused {
        Refused::NotReady(_) => Error::NotReady,
        Refused::NotRunning(_) => Error::NotRunning,
        Refused::NotPaused(_) => Error::NotPaused,
        Refused::GameOver => Error::GameOver,
        Refused::GameUnderWay(..) => Error::GameUnderWay,
        Refused::WhiteBegins
        | Refused::NotOver(_)
        | Refused::CutTooLarge { .. }
        | Refused::OutOfTime
        | Refused::NothingToUndo
        | Refused::NoUndo
        | Refused::MethodFixed => Error::RefusedByRules,
        Refused::Earlier { .. }
        | Refused::TooMuchTime
        | Refused::LimitReached { .. }
        | Refused::NoSuchPeriod { .. }
        | Refused::NoOvertime { .. }
        | Refused::NoSuchOvertime { .. }
        | Refused::OtherControl
        | Refused::ControlUnfit(_) => Error::InvalidArgument,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::rules::{Ground, OfferAnswer, PenaltyCause};
    use clock_engine::{Clock, Control, Instant};

    fn seconds(seconds: u64) -> Span {
        Span::from_secs(seconds)
    }

    fn running() -> View {
        let clock = Clock::new(Control::single(seconds(280), Method::None), Instant::ZERO);
        let mut view = clock.view(Instant::ZERO);
        view.phase = Phase::Running;
        view.sides.white.remaining = Span::from_nanos(72_299_999_999);
        view
    }

    fn ruling_awaited() -> View {
        View { phase: Phase::Ruling, ..running() }
    }

    #[test]
    fn a_claim_is_reported_with_the_readings_at_the_stop() {
        let claim = Action::ClaimDraw {
            by: Claimant::Player(Side::White),
            ground: Ground::CannotWin,
            stop: true,
            offer: Some(OfferAnswer::Refused),
        };
        let text = report(&claim.into(), "", &running(), &ruling_awaited());
        assert_eq!(
            text,
            "White claims a draw (cannot-win), the draw offer before it was refused, clocks stopped at \
             W 0:01:12.3 B 0:04:40.0"
        );
    }

    #[test]
    fn a_ruling_is_reported_with_what_it_changes() {
        let reject = Action::rule(Ruling::Reject);
        let mut after = View { phase: Phase::Paused, ..ruling_awaited() };
        after.sides.black.remaining = seconds(400);
        let text = report(&reject.into(), "", &ruling_awaited(), &after);
        assert_eq!(text, "Ruling: reject, Black 0:04:40.0 → 0:06:40.0");
        let resumed = View { phase: Phase::Running, ..after };
        let text = report(&Command::Resume { side: None }.into(), "", &after, &resumed);
        assert_eq!(text, "The game goes on, White's clock runs from W 0:01:12.3 B 0:06:40.0");
    }

    #[test]
    fn an_overrun_a_result_and_moves_are_reported() {
        let mut flagged = ruling_awaited();
        let white = &mut flagged.sides.white;
        (white.remaining, white.out_of_time) = (Span::ZERO, true);
        (white.overrun, white.moves) = (seconds(2), 35);
        let outcome = Outcome::from_text("0-1");
        let over = View { phase: Phase::Over, outcome, ..flagged };
        let lost = Action::rule(Ruling::WhiteLoses);
        let text = report(&lost.into(), "", &flagged, &over);
        assert_eq!(text, "Ruling: White has lost, clocks at W +0:00:02.0 B 0:04:40.0, result 0-1");
        let mut undone = flagged;
        undone.sides.white.moves = 34;
        let text = report(&Command::UndoPress.into(), "", &flagged, &undone);
        assert!(text.ends_with(", White's moves 35 → 34"), "{text}");
    }

    #[test]
    fn a_penalty_and_an_attachment_are_reported_on_one_line() {
        let points = Penalty {
            side: Side::Black,
            kind: clock_engine::rules::PenaltyKind::PointsOff,
            time: Span::ZERO,
            half_points: 3,
            cause: Some(PenaltyCause::Force),
        };
        assert_eq!(penalized(&points), "Penalty for Black: points-off of 1.5 (cause force)");
        let text = attached(Attachment::Position, Some(Side::Black), "8/8\n/8 w");
        assert_eq!(text, "Attached to the record: position, verified by Black: 8/8 /8 w");
    }
}
