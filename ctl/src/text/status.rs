//! The state of the clock as `clockctl status` shows it, and in one line after a command.

use clock_dbus::{Counting, Fault, FaultCode, Phase, Side, SideState, State, Who};
use clock_engine::Span;
use clock_engine::text::{hms, points};
use clockctl::times::{clock, passed};

use crate::local_time::Zone;

use super::address::addressed;
use super::questions;
use super::table::{Column, table};
use super::words::{claim, flag, mark, name, overtime, paused_by, period, plain};

/// The whole state: a headline, what waits for the arbiter, the faults, a table of both sides, and
/// other facts.
pub fn status(state: &State) -> String {
    // Without `..`, the compiler reports every new field that is not handled here.
    let State {
        sequence: _, // for programs that join a snapshot and the signals after it
        at_nsec: _,  // the state is that of the present instant
        // Shown by headline().
        phase: _,
        running: _,
        paused_by: _,
        adjourned: _,
        // Shown by sides().
        on_move: _,
        first_flag: _,
        periods: _,
        counting: _,
        white: _,
        black: _,
        faults,
        // Shown by facts().
        time_control: _,
        changed_method: _,
        announcement: _,
        board: _,
        round: _,
        event: _,
        rules: _,
        buttons_exchanged: _,
        // The question about the stop has its progress.
        resume_confirmed_by: _,
        start_at_realtime_nsec: _,
        texts_version: _,
        game_number: _, // `clockctl log` names the game.
        arbiter_called_by: _,
        result: _,
        claim_by: _,
        claim_ground: _,
        claim_state: _,
        revision: _,
        questions: _,
    } = state;
    let first = format!("{}\n{}{}", headline(state), awaited(state), of_faults(faults));
    format!("{first}\n{}\n{}", sides(state), facts(state))
}

/// What waits for the arbiter: the open questions, a penalty that is due, and a call for the
/// arbiter. Each is followed by the commands with which the arbiter can answer it.
fn awaited(state: &State) -> String {
    let mut text = match state.adjourned {
        Who::Nobody => String::new(),
        _ => addressed("          clockctl resume-adjourned\n"),
    };
    text.push_str(&questions::summary(state));
    let due: Vec<Side> =
        Side::BOTH.into_iter().filter(|side| state.side(*side).penalty_due).collect();
    if !due.is_empty() {
        let names: Vec<_> = due.iter().map(|side| side.name()).collect();
        text.push_str(&format!("penalty   due: {}\n", names.join(" or ")));
        for side in &due {
            let side = side.as_str();
            text.push_str(&addressed(&format!(
                "          clockctl penalize {side} warning  # for force: --cause force\n"
            )));
        }
    }
    if state.arbiter_called_by != Who::Nobody {
        text.push_str(&format!("arbiter   called by {}\n", name(state.arbiter_called_by)));
        // `resume` is shown only if no question and no penalty comes before it, and if the buttons
        // are connected.
        let is_first = text.lines().count() == 1;
        let is_gone = |fault: &Fault| fault.known() == Some(FaultCode::BoardGone);
        if is_first && state.phase == Phase::Paused && !state.faults.iter().any(is_gone) {
            text.push_str(&addressed("          clockctl resume\n"));
        }
    }
    text
}

/// The table of both sides.
fn sides(state: &State) -> String {
    let cells = Side::BOTH.map(|side| {
        let SideState {
            remaining_nsec,
            delay_nsec,
            moves,
            overrun_nsec,
            illegal_moves,
            warnings,
            half_points_off,
            half_points_given,
            late_nsec,
            absent: _,
            penalty_due: _, // in awaited()
            // Shown by period(), overtime() and flag().
            period: _,
            overtime_periods: _,
            overtime_moves: _,
            flag_nsec: _,
            out_of_time: _,
            // Shown by facts().
            limit_nsec: _,
            owed_nsec: _,
            // facts() shows the time control and a changed method, from which these follow.
            method: _,
            method_nsec: _,
            low_nsec: _,
            ref player,
        } = *state.side(side);
        let overrun = match overrun_nsec {
            0 => String::new(),
            nsec => format!("+{}", passed(nsec)),
        };
        let counts = [illegal_moves, warnings].map(unless_zero);
        let points = [half_points_off, half_points_given].map(points_unless_zero);
        let late = if late_nsec == 0 { String::new() } else { passed(late_nsec) };
        (
            clock(remaining_nsec),
            delay_nsec,
            moves.to_string(),
            overrun,
            counts,
            points,
            late,
            plain(player),
        )
    });
    let [white, black] = cells;
    table(&[
        Column::left("", Side::BOTH.map(|side| format!("{} {}", mark(state, side), side.name()))),
        Column::right(time_title(state), [white.0, black.0]),
        Column::right("delay", unless_all_zero([white.1, black.1], clock)),
        Column::right("period", Side::BOTH.map(|side| period(state, side))),
        Column::left("overtime", Side::BOTH.map(|side| overtime(state, side))),
        Column::right("moves", [white.2, black.2]),
        Column::left("flag", Side::BOTH.map(|side| flag(state, side).to_owned())),
        Column::right("overrun", [white.3, black.3]),
        Column::right("illegal", [white.4[0].clone(), black.4[0].clone()]),
        Column::right("warned", [white.4[1].clone(), black.4[1].clone()]),
        Column::right("points off", [white.5[0].clone(), black.5[0].clone()]),
        Column::right("points given", [white.5[1].clone(), black.5[1].clone()]),
        Column::right("late", [white.6, black.6]),
        Column::left("player", [white.7, black.7]),
    ])
}

/// One line for each fault, the most serious first.
fn of_faults(faults: &[Fault]) -> String {
    faults.iter().map(|fault| format!("fault: {}\n", addressed(&plain(&fault.text)))).collect()
}

/// The title of the column of times: `used` if the time is counted up, otherwise `time`.
fn time_title(state: &State) -> &'static str {
    if state.counting == Counting::Up { "used" } else { "time" }
}

/// The amount that a side owes; `None` if it owes nothing. A side owes the time of a set-back that
/// it had used before the set-back was taken back. The amount is subtracted from the side's next
/// set-back.
fn owed(state: &State, side: Side) -> Option<String> {
    let nsec = state.side(side).owed_nsec;
    (nsec > 0).then(|| format!("{} {}", side.name(), clock(nsec)))
}

fn facts(state: &State) -> String {
    let control = match state.changed_method.as_str() {
        "" => plain(&state.time_control),
        method => format!("{}, now {}", plain(&state.time_control), plain(method)),
    };
    let mut facts = vec![("control", control)];
    if !state.rules.is_empty() {
        facts.push(("rules", plain(&state.rules)));
    }
    for (label, text) in [("event", &state.event), ("round", &state.round), ("board", &state.board)]
    {
        if !text.is_empty() {
            facts.push((label, plain(text)));
        }
    }
    if let Some(start) = state.start_at_realtime_nsec {
        let at = i64::try_from(start).ok();
        facts.push(("start", format!("White's clock starts at {}", Zone::system().text(at, 0))));
    }
    let limit = |side| state.side(side).limit_nsec.map(|nsec| hms(Span::from_nanos(nsec)));
    match Side::BOTH.map(limit) {
        [Some(white), Some(black)] if white == black => facts.push(("limit", white)),
        [None, None] => {}
        limits => {
            let [white, black] = limits.map(|limit| limit.unwrap_or_else(|| "none".to_owned()));
            facts.push(("limit", format!("White {white}, Black {black}")));
        }
    }
    let owed = Side::BOTH.map(|side| owed(state, side)).into_iter().flatten().collect::<Vec<_>>();
    if !owed.is_empty() {
        facts.push(("owed", format!("{} off the next set-back", owed.join(", "))));
    }
    if !state.announcement.is_empty() {
        facts.push(("announce", plain(&state.announcement)));
    }
    if state.buttons_exchanged {
        facts.push(("buttons", "exchanged".to_owned()));
    }
    if !state.result.is_empty() {
        facts.push(("result", plain(&state.result)));
    }
    if let Some(claim) = claim(state) {
        facts.push(("claim", claim));
    }
    facts.push(("revision", state.revision.to_string()));
    facts.iter().map(|(label, fact)| format!("{label:<8}  {fact}\n")).collect()
}

/// Whether something is asked that no arbiter at the board decides.
fn is_without_arbiter(state: &State) -> bool {
    let mut questions = state.questions.iter();
    !state.questions.is_empty() && questions.all(|question| question.answers.is_empty())
}

/// The phase, and whose turn it is.
fn headline(state: &State) -> String {
    let on_move = name(state.on_move);
    if state.adjourned != Who::Nobody {
        return format!("adjourned: {} has sealed; {on_move} is on move", name(state.adjourned));
    }
    match state.phase {
        Phase::Ready => format!("ready: {on_move} begins"),
        Phase::Running => format!("running: {}'s clock", name(state.running)),
        Phase::Paused => format!("paused{}: {on_move} is on move", paused_by(state.paused_by)),
        // Without an arbiter at the board no question has an answer.
        Phase::Ruling if is_without_arbiter(state) => {
            format!("ruling: the clocks stand for a decision; {on_move} is on move")
        }
        Phase::Ruling => format!("ruling: the arbiter has to decide; {on_move} is on move"),
        Phase::Over if state.result.is_empty() => "over".to_owned(),
        Phase::Over => format!("over: {}", plain(&state.result)),
    }
}

/// The state in one line ([`brief`]), and below it every question that awaits a ruling.
pub fn brief_and_questions(after: &State) -> String {
    brief(after) + &questions::summary(after)
}

/// The state in one short line, which is printed after a command.
pub fn brief(state: &State) -> String {
    let sides = Side::BOTH.map(|side| {
        let time = clock(state.side(side).remaining_nsec);
        let to_play = state.phase != Phase::Over && state.on_move == Who::from(side);
        let on_move = if to_play { " (on move)" } else { "" };
        format!("{} {time}{on_move}", side.name())
    });
    let mut phase = state.phase.as_str().to_owned();
    if !state.result.is_empty() {
        phase = format!("{phase} {}", plain(&state.result));
    }
    format!("{phase}: {}\n", sides.join(", "))
}

fn unless_zero(count: u32) -> String {
    if count == 0 { String::new() } else { count.to_string() }
}

/// Half points as points; empty for 0.
fn points_unless_zero(half_points: u32) -> String {
    if half_points == 0 { String::new() } else { points(half_points) }
}

fn unless_all_zero(values: [u64; 2], show: fn(u64) -> String) -> [String; 2] {
    if values == [0, 0] { [String::new(), String::new()] } else { values.map(show) }
}
