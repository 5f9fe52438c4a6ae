//! The state of the clock as `clockctl status` shows it, and in one line after a command.

use clock_dbus::{Counting, Phase, State, Who};
use clock_engine::Span;
use clock_engine::text::hms;
use clockctl::times::{clock, to_tenths};

use super::questions;
use super::table::{Column, table};
use super::words::{SIDES, claim, flag, mark, name, overtime, paused_by, period, plain};

/// The whole state: a headline, the faults, a table of both sides, and other facts.
pub fn status(state: &State) -> String {
    let sides = SIDES.map(|who| state.side(who));
    let players = [&state.white_player, &state.black_player];
    let grid = table(&[
        Column::left("", SIDES.map(|who| format!("{} {}", mark(state, who), name(who)))),
        Column::right(time_title(state), SIDES.map(|who| time(state, who))),
        Column::right("delay", unless_all_zero(sides.map(|side| side.delay_nsec), clock)),
        Column::right("period", SIDES.map(|who| period(state, who))),
        Column::left("overtime", SIDES.map(|who| overtime(state, who))),
        Column::right("moves", sides.map(|side| side.moves.to_string())),
        Column::left("flag", SIDES.map(|who| flag(state, who).to_owned())),
        Column::right(
            "overrun",
            sides.map(|side| match side.overrun_nsec {
                0 => String::new(),
                nsec => format!("+{}", clock(nsec)),
            }),
        ),
        Column::left("player", players.map(|player| plain(player))),
    ]);
    format!("{}\n{}\n{grid}\n{}", headline(state), faults(state), facts(state))
}

/// One line for each fault, the most serious first.
fn faults(state: &State) -> String {
    state.faults.iter().map(|fault| format!("fault: {}\n", plain(&fault.text))).collect()
}

/// The title of the column of times. If the time is counted up, it is the time used.
fn time_title(state: &State) -> &'static str {
    if state.counting == Counting::Up { "used" } else { "time" }
}

/// The time shown. If the time is counted up, it is the time used.
fn time(state: &State, who: Who) -> String {
    clock(state.side(who).remaining_nsec)
}

/// The time that a side has used of a set-back that was taken back, if there is any.
fn owed(state: &State, who: Who) -> Option<String> {
    let nsec = state.side(who).owed_nsec;
    (nsec > 0).then(|| format!("{} {}", name(who), clock(nsec)))
}

fn facts(state: &State) -> String {
    let mut facts = vec![("control", plain(&state.time_control))];
    if !state.rules.is_empty() {
        facts.push(("rules", plain(&state.rules)));
    }
    match SIDES.map(|who| state.side(who).limit_nsec.map(clock)) {
        [Some(white), Some(black)] if white == black => facts.push(("limit", white)),
        [None, None] => {}
        limits => {
            let [white, black] = limits.map(|limit| limit.unwrap_or_else(|| "none".to_owned()));
            facts.push(("limit", format!("White {white}, Black {black}")));
        }
    }
    let owed = SIDES.map(|who| owed(state, who)).into_iter().flatten().collect::<Vec<_>>();
    if !owed.is_empty() {
        facts.push(("owed", format!("{} off the next set-back", owed.join(", "))));
    }
    if state.buttons_exchanged {
        facts.push(("buttons", "exchanged".to_owned()));
    }
    if state.arbiter_called_by != Who::Nobody {
        facts.push(("arbiter", format!("called by {}", name(state.arbiter_called_by))));
    }
    if !state.result.is_empty() {
        facts.push(("result", plain(&state.result)));
    }
    if let Some(claim) = claim(state) {
        facts.push(("claim", claim));
    }
    facts.push(("revision", state.revision.to_string()));
    let facts: String = facts.iter().map(|(label, fact)| format!("{label:<8}  {fact}\n")).collect();
    facts + &questions::summary(state)
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
        Phase::Ruling => format!("ruling: the arbiter has to decide; {on_move} is on move"),
        Phase::Over if state.result.is_empty() => "over".to_owned(),
        Phase::Over => format!("over: {}", plain(&state.result)),
    }
}

/// The state in one short line, which is printed after a command.
pub fn brief(state: &State) -> String {
    let sides = SIDES.map(|who| {
        let time = hms(Span::from_nanos(to_tenths(state.side(who).remaining_nsec)));
        let to_play = state.phase != Phase::Over && state.on_move == who;
        let on_move = if to_play { " (on move)" } else { "" };
        format!("{} {time}{on_move}", name(who))
    });
    let mut phase = state.phase.as_str().to_owned();
    if !state.result.is_empty() {
        phase = format!("{phase} {}", plain(&state.result));
    }
    format!("{phase}: {}\n", sides.join(", "))
}

fn unless_all_zero(values: [u64; 2], show: fn(u64) -> String) -> [String; 2] {
    if values == [0, 0] { [String::new(), String::new()] } else { values.map(show) }
}
