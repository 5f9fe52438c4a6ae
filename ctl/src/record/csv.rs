//! A game of the record as CSV (RFC 4180): one line for each entry.

use super::wall_time::WallTime;
use super::words::{what_happened, who_and_why};
use super::{Command, Entry, Record};
use clock_dbus::{RecordedSide, one_line};

/// The titles of the columns.
const HEADER: &str = "entry,utc,boot,at_ns,kind,what,who,verb,uid,reason,text,phase,on_move,running,\
                      white_remaining_ns,white_moves,white_period,white_out_of_time,\
                      black_remaining_ns,black_moves,black_period,black_out_of_time,result,revision,chain";

/// The game with all its entries as CSV: a header, then one line for each entry. Each line ends
/// with CRLF.
///
/// A spreadsheet evaluates a cell that begins with `=`, `+`, `-` or `@` as a formula, and anybody
/// can choose a player's name or a reason. So such a cell gets an apostrophe before that character.
/// The spreadsheet then shows the cell as text.
pub fn csv(record: &Record) -> String {
    let mut text = format!("{HEADER}\r\n");
    for entry in &record.entries {
        let cells = cells(entry).map(|cell| quoted(&cell, ','));
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    text
}

fn cells(entry: &Entry) -> [String; 25] {
    let Entry { state, command, .. } = entry;
    let [verb, uid, reason, text] = command.as_ref().map(of_command).unwrap_or_default();
    let [white_time, white_moves, white_period, white_out_of_time] = of_side(&state.white);
    let [black_time, black_moves, black_period, black_out_of_time] = of_side(&state.black);
    [
        entry.entry.to_string(),
        WallTime::new(entry.wall_ns, 0).map_or_else(String::new, |time| iso(&time)),
        one_line(&entry.boot),
        entry.at_ns.to_string(),
        one_line(&entry.kind),
        what_happened(entry),
        who_and_why(entry),
        verb,
        uid,
        reason,
        text,
        state.phase.as_str().to_owned(),
        state.on_move.as_str().to_owned(),
        state.running.as_str().to_owned(),
        white_time,
        white_moves,
        white_period,
        white_out_of_time,
        black_time,
        black_moves,
        black_period,
        black_out_of_time,
        one_line(&state.result),
        state.revision.to_string(),
        one_line(&entry.chain),
    ]
}

fn of_command(command: &Command) -> [String; 4] {
    let Command { verb, uid, reason, text, .. } = command;
    let uid = uid.map_or_else(String::new, |uid| uid.to_string());
    [one_line(verb), uid, one_line(reason), one_line(text)]
}

fn of_side(side: &RecordedSide) -> [String; 4] {
    let RecordedSide { remaining_ns, moves, period, out_of_time, .. } = side;
    [remaining_ns.to_string(), moves.to_string(), period.to_string(), out_of_time.to_string()]
}

pub(super) fn iso(time: &WallTime) -> String {
    let WallTime { year, month, day, hour, minute, second, millisecond } = time;
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z")
}

/// Returns the text of a cell for a table whose cells have this separator between them. A spreadsheet does
/// not compute the cell as a formula.
///
/// A spreadsheet can also take a semicolon, a tab or the end of a line for the end of a cell: in many
/// countries the separator is a semicolon, and then the quotation marks around the cell are part of
/// the cell before. So the character that begins a formula gets an apostrophe after each of these,
/// too, also behind spaces and quotation marks.
pub fn quoted(cell: &str, separator: char) -> String {
    let mut text = String::new();
    let mut begins = true;
    for letter in cell.chars() {
        if begins && matches!(letter, '=' | '+' | '-' | '@') {
            text.push('\'');
        }
        begins = match letter {
            ';' | '\t' | '\r' | '\n' => true,
            ' ' | '"' => begins,
            _ => false,
        };
        text.push(letter);
    }
    if text.contains([separator, '"', '\r', '\n']) {
        text = format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{HEADER, csv, quoted};
    use crate::record::file;

    #[test]
    fn cells_are_quoted_and_never_computed() {
        for (cell, expected) in [
            ("", ""),
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"check\"", "\"say \"\"check\"\"\""),
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1,2)", "\"'@SUM(A1,2)\""),
            ("1-0", "1-0"),
            ("a;b", "a;b"),
            ("Bob;=HYPERLINK(1);c", "Bob;'=HYPERLINK(1);c"),
            ("a\t@b", "a\t'@b"),
            ("a; \"+1\"", "\"a; \"\"'+1\"\"\""),
            ("a\n-1", "\"a\n'-1\""),
            (" =1", " '=1"),
        ] {
            assert_eq!(quoted(cell, ','), expected, "{cell}");
        }
    }

    /// Each piece of a line that a reader can take for a cell begins with no formula, whichever of
    /// comma, semicolon and tab separates the cells.
    #[test]
    fn no_cell_is_computed_whichever_separator_the_reader_has() {
        let parts = ["=", "+1", "-", "@", ";", "\t", ",", "\"", " ", "x", "\n", "\r"];
        let mut cells = vec![String::new()];
        for _ in 0..3 {
            let longer = |cell: &String| parts.map(|part| format!("{cell}{part}"));
            cells = cells.iter().flat_map(longer).collect();
            for cell in &cells {
                let line = format!("1,{},2\r\n", quoted(cell, ','));
                for separator in [b',', b';', b'\t'] {
                    let mut reader = csv::ReaderBuilder::new();
                    reader.delimiter(separator).has_headers(false).flexible(true);
                    for record in reader.from_reader(line.as_bytes()).records() {
                        for read in &record.unwrap() {
                            let begin = read.trim_start_matches([' ', '"']);
                            assert!(!begin.starts_with(['=', '+', '-', '@']), "{cell:?}: {read:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_line_has_the_columns_of_the_header() {
        let file = file::read(include_bytes!("../../tests/record/game.json")).unwrap();
        let text = csv(&file.record);
        assert_eq!(text.matches("\r\n").count(), file.record.entries.len() + 1);
        assert!(text.starts_with(&format!("{HEADER}\r\n")));
        let columns = HEADER.matches(',').count();
        for line in text.lines() {
            // The fixture has commas inside quotation marks.
            let outside: String = line.split('"').step_by(2).collect();
            assert_eq!(outside.matches(',').count(), columns, "{line}");
        }
    }
}
