//! The clock in words and tables.
//!
//! Plain text without colours, so that it reads the same in a terminal, in a mail and in a log.

pub mod questions;

use clock_dbus::{
    ClaimState, Counting, Fault, OvertimeLeft, PausedBy, Phase, QuestionKind, SideState, State,
    Who, one_line,
};
use clock_engine::Span;
use clock_engine::text::hms;
use clockctl::times::to_tenths;

pub use clockctl::times::clock;

const SIDES: [Who; 2] = [Who::White, Who::Black];

/// One column of a [`table`].
pub struct Column {
    title: &'static str,
    right: bool,
    cells: Vec<String>,
}

impl Column {
    /// Text, aligned to the left.
    pub fn left(title: &'static str, cells: impl Into<Vec<String>>) -> Self {
        Column { title, right: false, cells: cells.into() }
    }

    /// Numbers, aligned to the right.
    pub fn right(title: &'static str, cells: impl Into<Vec<String>>) -> Self {
        Column { title, right: true, cells: cells.into() }
    }
}

/// Columns side by side under their titles. An empty column is left out.
pub fn table(columns: &[Column]) -> String {
    let columns: Vec<&Column> =
        columns.iter().filter(|c| c.cells.iter().any(|cell| !cell.is_empty())).collect();
    let rows = columns.iter().map(|c| c.cells.len()).max().unwrap_or(0);
    let mut text = String::new();
    for row in 0..=rows {
        let mut line = String::new();
        for column in &columns {
            let width = column.cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
            let width = width.max(column.title.len());
            let cell = match row.checked_sub(1) {
                None => column.title,
                Some(row) => column.cells.get(row).map_or("", String::as_str),
            };
            if column.right {
                line.push_str(&format!("{cell:>width$}  "));
            } else {
                line.push_str(&format!("{cell:<width$}  "));
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

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

/// `1/2`, or only `3` if the last period repeats without end.
pub fn period(state: &State, who: Who) -> String {
    let period = state.side(who).period;
    match state.periods {
        0 => period.to_string(),
        periods => format!("{period}/{periods}"),
    }
}

/// `5×, 1 move left`; empty outside overtime and after the final flag.
pub fn overtime(state: &State, who: Who) -> String {
    let side = state.side(who);
    let Some(OvertimeLeft { periods, moves }) = side.overtime.filter(|_| !side.out_of_time) else {
        return String::new();
    };
    let plural = if moves == 1 { "" } else { "s" };
    format!("{periods}×, {moves} move{plural} left")
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

/// The draw claim that is open: `White, no-effort: pending`.
fn claim(state: &State) -> Option<String> {
    let what = match state.claim_state {
        ClaimState::Nothing => return None,
        ClaimState::Called => "a ruling is awaited",
        ClaimState::Pending => "pending",
    };
    Some(format!("{}, {}: {what}", name(state.claim_by), plain(&state.claim_ground)))
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
        Phase::Paused => format!("paused{}: {on_move} is on move", reason(state.paused_by)),
        Phase::Ruling => format!("ruling: the arbiter has to decide; {on_move} is on move"),
        Phase::Over if state.result.is_empty() => "over".to_owned(),
        Phase::Over => format!("over: {}", plain(&state.result)),
    }
}

/// Why the clocks are paused, to follow the word `paused`.
fn reason(paused_by: PausedBy) -> &'static str {
    match paused_by {
        PausedBy::Nothing => "",
        PausedBy::Arbiter => " by the arbiter",
        PausedBy::White => " by White",
        PausedBy::Black => " by Black",
        PausedBy::Button => " by the call button",
        PausedBy::BoardGone => " because the buttons were disconnected",
        PausedBy::PowerCut => " because the machine was restarted",
        PausedBy::SetBack => " for both times to be noted",
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

/// One line of `watch`: the time, the cause, and what the clock shows.
pub fn watch_line(since_nsec: u64, cause: &str, state: &State) -> String {
    let [white, black] = SIDES.map(|who| {
        let time = clock(state.side(who).remaining_nsec);
        format!("{} {} {time:>9}", mark(state, who), name(who))
    });
    let mut line = format!(
        "{:>11}  {:<8}  {:<7}  {white}  {black}",
        format!("+{}", clock(since_nsec)),
        plain(cause),
        state.phase.as_str(),
    );
    for note in notes(state) {
        line.push_str("  ");
        line.push_str(&note);
    }
    line.push('\n');
    line
}

/// The lines of `watch` for the faults that began, were counted once more, or ended since `before`.
pub fn fault_lines(before: &[Fault], now: &[Fault]) -> Vec<String> {
    let line = |text: String| format!("{:>11}  {:<8}  {text}\n", "", "fault");
    let came = now.iter().filter(|fault| !before.contains(fault));
    let gone = before.iter().filter(|old| !now.iter().any(|fault| fault.code == old.code));
    came.map(|fault| line(plain(&fault.text)))
        .chain(gone.map(|fault| line(format!("{} is over", plain(&fault.code)))))
        .collect()
}

fn notes(state: &State) -> Vec<String> {
    let mut notes = Vec::new();
    for who in SIDES {
        let (name, side) = (name(who), state.side(who));
        if side.out_of_time {
            notes.push(format!("{name}'s flag {}", flag(state, who)));
        } else if has_flag(side) {
            notes.push(format!("{name}'s flag fell in an {}", flag(state, who)));
        }
        let overtime = overtime(state, who);
        if !overtime.is_empty() {
            notes.push(format!("{name}'s overtime {overtime}"));
        }
    }
    if state.paused_by != PausedBy::Nothing {
        notes.push(format!("paused{}", reason(state.paused_by)));
    }
    if state.arbiter_called_by != Who::Nobody {
        notes.push(format!("{} called the arbiter", name(state.arbiter_called_by)));
    }
    if state.adjourned != Who::Nobody {
        notes.push(format!("adjourned, sealed by {}", name(state.adjourned)));
    }
    if let Some(claim) = claim(state) {
        notes.push(format!("draw claim: {claim}"));
    }
    // The claim is shown already.
    let is_claim = |kind| matches!(kind, QuestionKind::Claim | QuestionKind::PostponedClaim);
    let others = state.questions.iter().filter(|question| !is_claim(question.kind));
    notes.extend(others.map(|question| questions::question(state, question)));
    if !state.result.is_empty() {
        notes.push(plain(&state.result));
    }
    notes
}

fn has_flag(side: SideState) -> bool {
    side.flag_nsec >= 0
}

fn flag(state: &State, who: Who) -> &'static str {
    let side = state.side(who);
    match (side.out_of_time, state.first_flag == who) {
        // Play went on in the next period.
        (false, _) if has_flag(side) => "earlier period",
        (false, _) => "",
        (true, false) => "fell",
        (true, true) => "fell first",
    }
}

/// The mark before the side on move.
fn mark(state: &State, who: Who) -> char {
    if state.on_move == who { '>' } else { ' ' }
}

/// A side or a caller, as a word in a sentence.
pub fn name(who: Who) -> &'static str {
    match who {
        Who::Nobody => "nobody",
        Who::White => "White",
        Who::Black => "Black",
        Who::Arbiter => "the arbiter",
        Who::Button => "the call button",
    }
}

fn unless_all_zero(values: [u64; 2], show: fn(u64) -> String) -> [String; 2] {
    if values == [0, 0] { [String::new(), String::new()] } else { values.map(show) }
}

/// Makes foreign text harmless for a terminal and a table: one line, without control characters and
/// without characters that reverse the direction of the text after them.
pub fn plain(text: &str) -> String {
    one_line(text)
}

#[cfg(test)]
mod tests {
    use clock_dbus::{Counting, Fault, FaultCode, PausedBy, Phase, State, Who};

    use super::{brief, clock, fault_lines, plain, status, watch_line};

    const SECOND: u64 = 1_000_000_000;

    fn paused() -> State {
        State {
            revision: 17,
            phase: Phase::Paused,
            on_move: Who::White,
            time_control: "classical".to_owned(),
            periods: 2,
            white_remaining_nsec: 5398 * SECOND + 250_000_000,
            white_moves: 12,
            white_period: 1,
            white_flag_nsec: -1,
            black_remaining_nsec: 5400 * SECOND,
            black_moves: 11,
            black_period: 1,
            black_flag_nsec: -1,
            white_player: "Ánna".to_owned(),
            black_player: "Bo".to_owned(),
            ..State::default()
        }
    }

    #[test]
    fn times_are_rounded_up_to_tenths() {
        let table = [
            (0, "0:00:00.0"),
            (1, "0:00:00.1"),
            (100_000_000, "0:00:00.1"),
            (59 * SECOND + 900_000_001, "0:01:00.0"),
            (5400 * SECOND, "1:30:00.0"),
            (u64::MAX, "5124095:34:33.7"),
        ];
        for (nsec, text) in table {
            assert_eq!(clock(nsec), text);
        }
    }

    #[test]
    fn the_table_shows_what_there_is() {
        let expected = "\
paused: White is on move

              time  period  moves  player
> White  1:29:58.3     1/2     12  Ánna
  Black  1:30:00.0     1/2     11  Bo

control   classical
revision  17
";
        assert_eq!(status(&paused()), expected);
    }

    #[test]
    fn the_table_grows_with_delay_flag_overrun_call_and_result() {
        let state = State {
            phase: Phase::Over,
            first_flag: Who::White,
            arbiter_called_by: Who::Black,
            white_remaining_nsec: 0,
            white_flag_nsec: 0,
            white_out_of_time: true,
            white_overrun_nsec: 12 * SECOND,
            black_delay_nsec: 5 * SECOND,
            result: "0-1".to_owned(),
            white_player: String::new(),
            black_player: String::new(),
            ..paused()
        };
        let expected = "\
over: 0-1

              time      delay  period  moves  flag           overrun
> White  0:00:00.0  0:00:00.0     1/2     12  fell first  +0:00:12.0
  Black  1:30:00.0  0:00:05.0     1/2     11

control   classical
arbiter   called by Black
result    0-1
revision  17
";
        assert_eq!(status(&state), expected);
    }

    #[test]
    fn overtime_an_earlier_flag_and_periods_without_end_are_shown() {
        let overtime = State {
            periods: 1,
            white_remaining_nsec: 30 * SECOND,
            white_overtime_periods: 5,
            white_overtime_moves: 1,
            black_overtime_periods: 1,
            black_overtime_moves: 25,
            ..paused()
        };
        let expected = "\
paused: White is on move

              time  period  overtime           moves  player
> White  0:00:30.0     1/1  5×, 1 move left       12  Ánna
  Black  1:30:00.0     1/1  1×, 25 moves left     11  Bo

control   classical
revision  17
";
        assert_eq!(status(&overtime), expected);
        let line = watch_line(0, "overtime", &State { black_overtime_periods: -1, ..overtime });
        assert!(line.contains("  overtime  paused  "), "{line}");
        assert!(line.ends_with("1:30:00.0  White's overtime 5×, 1 move left\n"), "{line}");

        let earlier = State { periods: 0, white_period: 3, white_flag_nsec: 7, ..paused() };
        let expected = "\
paused: White is on move

              time  period  moves  flag            player
> White  1:29:58.3       3     12  earlier period  Ánna
  Black  1:30:00.0       1     11                  Bo

control   classical
revision  17
";
        assert_eq!(status(&earlier), expected);
        let line = watch_line(0, "now", &earlier);
        assert!(line.ends_with("White's flag fell in an earlier period\n"), "{line}");
    }

    fn board_gone() -> Fault {
        Fault::new(FaultCode::BoardGone, "the buttons are not connected: check the cable")
    }

    fn noise(times: &str) -> Fault {
        Fault::new(FaultCode::Noise, format!("a line was noisy {times}"))
    }

    #[test]
    fn faults_stand_below_the_headline_and_a_pause_has_its_reason() {
        let state = State {
            paused_by: PausedBy::BoardGone,
            faults: vec![board_gone(), noise("once")],
            ..paused()
        };
        let expected = "\
paused because the buttons were disconnected: White is on move
fault: the buttons are not connected: check the cable
fault: a line was noisy once

              time  period";
        assert!(status(&state).starts_with(expected), "{}", status(&state));
        for (paused_by, headline) in [
            (PausedBy::Arbiter, "paused by the arbiter: White is on move"),
            (PausedBy::White, "paused by White: White is on move"),
            (PausedBy::Black, "paused by Black: White is on move"),
            (PausedBy::Button, "paused by the call button: White is on move"),
            (PausedBy::SetBack, "paused for both times to be noted: White is on move"),
        ] {
            let status = status(&State { paused_by, ..paused() });
            assert!(status.starts_with(&format!("{headline}\n\n")), "{status}");
        }
    }

    #[test]
    fn watch_shows_which_faults_began_and_ended() {
        let [once, twice] = ["once", "twice"].map(noise);
        let indent = " ".repeat(13);
        let line = |text: &str| format!("{indent}fault     {text}\n");
        let table: [(&[Fault], &[Fault], &[&str]); 5] = [
            (&[], &[], &[]),
            (&[], &[board_gone()], &["the buttons are not connected: check the cable"]),
            (&[board_gone()], &[board_gone()], &[]),
            (&[board_gone(), noise("once")], &[noise("once")], &["board-gone is over"]),
            (&[once, board_gone()], &[twice], &["a line was noisy twice", "board-gone is over"]),
        ];
        for (before, now, lines) in table {
            let lines: Vec<String> = lines.iter().map(|text| line(text)).collect();
            assert_eq!(fault_lines(before, now), lines);
        }
    }

    #[test]
    fn a_time_counted_up_is_called_used() {
        let state = State { counting: Counting::Up, ..paused() };
        assert!(status(&state).contains("\n              used  period"), "{}", status(&state));
        assert!(!status(&state).contains("limit"));
        for (black, limit) in [
            (7_200_000_000_000, "2:00:00.0"),
            (7_100_000_000_000, "White 2:00:00.0, Black 1:58:20.0"),
            (-1, "White 2:00:00.0, Black none"),
        ] {
            let (white_limit_nsec, black_limit_nsec) = (7_200_000_000_000, black);
            let shown = status(&State { white_limit_nsec, black_limit_nsec, ..state.clone() });
            assert!(shown.contains(&format!("\nlimit     {limit}\n")), "{shown}");
        }
        // A side that is out of time shows its limit, and the overrun beside it.
        let flagged =
            State { white_out_of_time: true, white_overrun_nsec: SECOND, ..state.clone() };
        let shown = status(&flagged);
        assert!(shown.contains("> White  1:29:58.3     1/2     12  fell  +0:00:01.0"), "{shown}");
    }

    #[test]
    fn owed_time_is_shown_if_there_is_some() {
        assert!(!status(&paused()).contains("owed"));
        let white = State { white_owed_nsec: 14 * SECOND, ..paused() };
        let shown = status(&white);
        assert!(shown.contains("\nowed      White 0:00:14.0 off the next set-back\n"), "{shown}");
        let both = State { black_owed_nsec: 1, ..white };
        let shown = status(&both);
        assert!(shown.contains("\nowed      White 0:00:14.0, Black 0:00:00.1 off"), "{shown}");
    }

    #[test]
    fn the_brief_line_names_phase_side_and_times() {
        assert_eq!(brief(&paused()), "paused: White 1:29:58.3 (on move), Black 1:30:00\n");
        let over = State { phase: Phase::Over, result: "1-0".to_owned(), ..paused() };
        assert_eq!(brief(&over), "over 1-0: White 1:29:58.3, Black 1:30:00\n");
    }

    #[test]
    fn lines_of_watch_stand_below_each_other() {
        assert_eq!(
            watch_line(12_300_000_000, "pause", &paused()),
            "+0:00:12.3  pause     paused   > White 1:29:58.3    Black 1:30:00.0\n"
                .replace("+0", " +0")
        );
        let state = State {
            phase: Phase::Ruling,
            white_flag_nsec: 3,
            white_out_of_time: true,
            first_flag: Who::White,
            arbiter_called_by: Who::Black,
            ..paused()
        };
        assert!(
            watch_line(0, "flag", &state)
                .ends_with("1:30:00.0  White's flag fell first  Black called the arbiter\n")
        );
    }

    #[test]
    fn foreign_text_cannot_control_the_terminal() {
        assert_eq!(plain("\u{1b}[2JEve\r"), "[2JEve");
        assert_eq!(plain("line 3\n  ^ here\n\n"), "line 3 ^ here");
        assert_eq!(plain("Łukasz Ødegård"), "Łukasz Ødegård");
        // The text after an override would be read backwards: 1-0 instead of 0-1.
        assert_eq!(plain("Eve\u{202e}\u{2066} 0-1"), "Eve 0-1");
    }
}
