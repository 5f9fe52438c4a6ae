//! What an imported file proposes, as the arbiter sees it before being asked to confirm.

mod state;

use clock_dbus::{Phase, Proposal, Side, Who};
use clock_engine::rules::Game;
use clock_engine::text::{ControlFile, describe};
use clock_engine::{Control, Method};
use clockctl::record::file::RecordFile;
use clockctl::record::words::{both_times, what_happened, who_and_why};

use crate::local_time::Zone;
use crate::text::{self, Column, plain};

/// The line that names what is not a part of the state of a game. The wiring of the two clocks can
/// differ. A press that was made before a flag but decided after it is a note for the arbiter in
/// the log of the other clock.
const NOT_CARRIED: &str = "not taken over: which button is White's (here: clockctl set-buttons), and a press that was made \
                           before a flag but decided after it (only the log there shows it)";
/// How many of the last entries are shown.
const LAST: usize = 5;
/// A text of the file is shown up to this many characters.
const LONGEST: usize = 200;

/// What is shown before the arbiter is asked to confirm the import.
pub struct Shown<'a> {
    pub file: &'a RecordFile,
    /// The proposal without the whole state of the file: with the times, counters and periods after
    /// its last entry. Values of the command line have replaced some of them.
    pub readings: &'a Proposal,
    /// The proposal as it is sent: with the whole state, if the file has one that is taken over.
    pub proposal: &'a Proposal,
    /// The game in the state of the file; `None` if no state is taken over, or if this program does
    /// not know the game's time control or rule profile.
    pub game: Option<Game>,
    /// Whether the command line gives values that replace those of the file.
    pub changed: bool,
}

impl Shown<'_> {
    /// The whole text.
    pub fn text(&self) -> String {
        let mut text = text(self);
        if let Some(game) = &self.game {
            text.push_str("\nthe state there\n");
            text.extend(state::lines(game).iter().map(|line| format!("  {line}\n")));
        }
        text.push('\n');
        for note in notes(self) {
            text.push_str(&note);
            text.push('\n');
        }
        text
    }
}

/// Everything except the state and the notes.
fn text(shown: &Shown<'_>) -> String {
    let Shown { file, readings, .. } = shown;
    // Without `..`, the compiler reports every new field that is not handled here.
    let Proposal {
        begun: _,  // notes() has it
        source: _, // source() has it from the file
        state: _,  // Shown::text() has it
        time_control,
        time_control_file,
        white_player,
        black_player,
        board,
        round,
        event,
        force: _, // the arbiter has just given it
        rules,
        start_at_realtime_nsec: _, // an import schedules no start
        captain_plays: _,          // stays as it was on the other clock
        present_arbiter: _,        // stays as it was on the other clock
        // Shown in the table of sides().
        white_time_nsec: _,
        black_time_nsec: _,
        white_moves: _,
        black_moves: _,
        white_period: _,
        black_period: _,
        white_overtime_periods: _,
        white_overtime_moves: _,
        black_overtime_periods: _,
        black_overtime_moves: _,
        on_move: _,
    } = readings;
    let control = control(time_control_file);
    let mut text = source(file);
    text.push('\n');
    text.push_str(&facts(
        time_control,
        control.as_ref(),
        [("rules", rules), ("White", white_player), ("Black", black_player)],
    ));
    for (label, given) in [("event", event), ("round", round), ("board", board)] {
        if let Some(given) = given.as_deref().filter(|given| !given.is_empty()) {
            text.push_str(&format!("{label:<8}  {}\n", short(given)));
        }
    }
    text.push('\n');
    text.push_str(&sides(readings));
    text.push('\n');
    text.push_str("the last entries there\n");
    text.push_str(&entries(file));
    text
}

fn control(file: &Option<String>) -> Option<Control> {
    file.as_deref().and_then(|file| ControlFile::parse(file).ok()).map(|file| file.control)
}

fn source(file: &RecordFile) -> String {
    let (game, last) = (&file.record.game, file.last());
    let when = Zone::system().text(last.wall_ns, last.at_ns);
    let machine = short(&game.machine);
    let entry = last.entry;
    let from = format!("game {} of the clock {machine}, up to entry {entry} ({when})\n", game.game);
    let compare = "compare everything with the other clock and the scoresheets\n";
    let sums = match file.doubt() {
        Some(doubt) => format!("WARNING: {doubt}; {compare}"),
        None => "the record is as that clock wrote it: all sums match\n".to_owned(),
    };
    from + &sums
}

fn facts(
    control_name: &Option<String>,
    control: Option<&Control>,
    names: [(&str, &Option<String>); 3],
) -> String {
    let name = |name: &Option<String>| match name.as_deref().unwrap_or_default() {
        "" => "(not given)".to_owned(),
        name => short(name),
    };
    let described = control.map(|control| format!(": {}", short(&describe(control))));
    let control = format!("{}{}", name(control_name), described.unwrap_or_default());
    let names = names.map(|(label, fact)| (label, name(fact)));
    let facts = [("control", control)].into_iter().chain(names);
    facts.map(|(label, fact)| format!("{label:<8}  {fact}\n")).collect()
}

fn sides(proposal: &Proposal) -> String {
    let shown = |value: Option<u32>| value.map_or_else(String::new, |value| value.to_string());
    let time = |nsec: Option<u64>| nsec.map_or_else(String::new, text::clock);
    let mark = |side: Side| if proposal.on_move == Some(Who::from(side)) { '>' } else { ' ' };
    let labels = Side::BOTH.map(|side| format!("{} {}", mark(side), side.name()));
    text::table(&[
        Column::left("", labels),
        Column::right("time", [time(proposal.white_time_nsec), time(proposal.black_time_nsec)]),
        Column::right("moves", [shown(proposal.white_moves), shown(proposal.black_moves)]),
        Column::right("period", [shown(proposal.white_period), shown(proposal.black_period)]),
        Column::right(
            "overtime periods",
            [shown(proposal.white_overtime_periods), shown(proposal.black_overtime_periods)],
        ),
        Column::right(
            "overtime moves",
            [shown(proposal.white_overtime_moves), shown(proposal.black_overtime_moves)],
        ),
    ])
}

fn entries(file: &RecordFile) -> String {
    let entries = &file.record.entries;
    let zone = Zone::system();
    let line = |entry: &clockctl::record::Entry| {
        let when = zone.text(entry.wall_ns, entry.at_ns);
        let happened = match (what_happened(entry), who_and_why(entry)) {
            (happened, who) if who.is_empty() => short(&happened),
            (happened, who) => short(&format!("{happened} [{who}]")),
        };
        format!("{:>6}  {when:<19}  {}  {happened}\n", entry.entry, both_times(&entry.state))
    };
    entries[entries.len().saturating_sub(LAST)..].iter().map(line).collect()
}

fn notes(shown: &Shown<'_>) -> Vec<String> {
    let Shown { file, proposal, changed, .. } = shown;
    let state = &file.last().state;
    let mut notes = Vec::new();
    if state.phase == Phase::Running {
        let who = text::name(state.running);
        notes.push(format!(
            "{who}'s clock ran there at the last entry; what it ran after that is not on record"
        ));
    }
    if !state.result.is_empty() {
        notes.push(format!("the result there, {}, is not taken over", short(&state.result)));
    }
    match (&proposal.state, &file.state) {
        (Some(_), Some(Ok(whole))) if !whole.missing.is_empty() => notes.push(format!(
            "NOT IN THE FILE, and as at the start of a game: {}",
            short(&whole.missing.join(", "))
        )),
        (Some(_), _) => {}
        (None, whole) => notes.extend(left_out(shown, whole.is_some())),
    }
    notes.push(text::addressed(NOT_CARRIED));
    if proposal.begun == Some(true) {
        notes.push("the clocks stand until you resume".to_owned());
    }
    notes.push(if *changed {
        "values from the command line are in their places above".to_owned()
    } else {
        "each value can be changed, such as --white-time 0:12:41 (clockctl import --help)"
            .to_owned()
    });
    notes
}

/// Says what is not taken over if the whole state is not imported. `in_file` says whether the file
/// has the state.
fn left_out(shown: &Shown<'_>, in_file: bool) -> Vec<String> {
    let state = &shown.file.last().state;
    let why = if in_file { "LEFT OUT" } else { "NOT IN THE FILE" };
    let mut notes = vec![format!(
        "{why}, and as at the start of a game: flags and which fell first, a changed method, an agreed \
         increment, open claims and requests, illegal moves, warnings, incidents, an adjournment"
    )];
    for side in Side::BOTH {
        if state.side(side).out_of_time {
            let name = side.name();
            let first = if state.first_flag == Who::from(side) { ", as the first one" } else { "" };
            notes.push(format!(
                "{name}'s flag had fallen there{first}; here it falls when {name}'s clock runs"
            ));
        }
    }
    if control(&shown.readings.time_control_file).as_ref().is_some_and(delays) {
        notes.push("the side on move begins a new turn with its full delay".to_owned());
    }
    notes
}

/// Whether turns have a delay.
fn delays(control: &Control) -> bool {
    let delay = |method| matches!(method, Method::Delay(_) | Method::Bronstein(_));
    let mut periods = control.periods().iter();
    periods.any(|period| delay(period.method.white) || delay(period.method.black))
}

/// A text of the file on one line, not longer than [`LONGEST`].
fn short(text: &str) -> String {
    let text = plain(text);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
