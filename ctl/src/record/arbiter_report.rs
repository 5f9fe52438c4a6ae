//! The report of a round for the arbiter: of each game its players and its result, and of its
//! record what the arbiter has to answer for: penalties, incidents, corrections, claims and rulings,
//! flags, and troubles of the clock.

mod entries;
mod html;

use super::Entry;
use super::csv::{iso, quoted};
use super::wall_time::WallTime;
use super::words::{both_times, what_happened, who_and_why};
use clock_dbus::one_line;
use entries::{players, reported, result, what, who};

pub use entries::{ReportedGame, Subject};
pub use html::html;

/// The report as text. `when` gives the time of an entry in words.
pub fn text(games: &[ReportedGame], when: &dyn Fn(&Entry) -> String) -> String {
    let game = |game: &ReportedGame| {
        let parts = [one_line(game.board), players(game.record), result(game.record)];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let lines = reported(game.record).map(|(subject, entry)| {
            let who = match who(entry) {
                who if who.is_empty() => who,
                who => format!(" ({who})"),
            };
            let (times, what) = (both_times(&entry.state), what(entry));
            format!("  {}  {times}  {:<10}  {what}{who}\n", when(entry), subject.as_str())
        });
        format!("{}\n{}", parts.join("  "), lines.collect::<String>())
    };
    games.iter().map(game).collect()
}

/// The titles of the columns.
const HEADER: &str = "event,round,board,white,black,result,game,entry,utc,subject,what,who,\
                      white_remaining_ns,white_moves,black_remaining_ns,black_moves";

/// The report as CSV (RFC 4180): a header, then one line for each reported entry. A game without
/// one has a line that is empty from the column `entry` on. Cells that a spreadsheet would evaluate
/// get an apostrophe, as in [`super::csv::csv`].
pub fn csv(games: &[ReportedGame]) -> String {
    let mut text = format!("{HEADER}\r\n");
    for ReportedGame { board, record } in games {
        let game = &record.game;
        let head = [
            one_line(&game.event),
            one_line(&game.round),
            one_line(board),
            one_line(&game.white),
            one_line(&game.black),
            result(record),
            game.game.to_string(),
        ];
        let mut lines: Vec<[String; 9]> = reported(record).map(cells).collect();
        if lines.is_empty() {
            lines.push(Default::default());
        }
        for line in lines {
            let cells: Vec<String> = head.iter().chain(&line).map(|cell| quoted(cell)).collect();
            text.push_str(&cells.join(","));
            text.push_str("\r\n");
        }
    }
    text
}

fn cells((subject, entry): (Subject, &Entry)) -> [String; 9] {
    let (white, black) = (&entry.state.white, &entry.state.black);
    [
        entry.entry.to_string(),
        WallTime::new(entry.wall_ns, 0).map_or_else(String::new, |time| iso(&time)),
        subject.as_str().to_owned(),
        what_happened(entry),
        who_and_why(entry),
        white.remaining_ns.to_string(),
        white.moves.to_string(),
        black.remaining_ns.to_string(),
        black.moves.to_string(),
    ]
}

#[cfg(test)]
mod tests;
