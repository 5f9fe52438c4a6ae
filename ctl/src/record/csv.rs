//! The record as CSV (RFC 4180): one line for each entry.

use super::wall_time::WallTime;
use super::words::{what_happened, who_and_why};
use super::{Entry, Record};
use clock_dbus::one_line;

/// The titles of the columns.
const HEADER: &str = "entry,utc,boot,at_ns,kind,what,who,verb,uid,reason,text,phase,on_move,running,\
                      white_remaining_ns,white_moves,white_period,white_out_of_time,\
                      black_remaining_ns,black_moves,black_period,black_out_of_time,result,revision,chain";

/// The whole record, with a header and CRLF after each line.
///
/// A spreadsheet computes a cell that begins with `=`, `+`, `-` or `@`, and a player's name or a reason comes
/// from anybody. Such a cell begins with an apostrophe here, which spreadsheets take for a mark of text.
pub fn csv(record: &Record) -> String {
    let mut text = format!("{HEADER}\r\n");
    for entry in &record.entries {
        let cells = cells(entry).map(|cell| quoted(&cell));
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    text
}

fn cells(entry: &Entry) -> [String; 25] {
    let state = &entry.state;
    let command = entry.command.as_ref();
    let uid = command.and_then(|command| command.uid);
    [
        entry.entry.to_string(),
        WallTime::new(entry.wall_ns, 0).map_or_else(String::new, |time| iso(&time)),
        one_line(&entry.boot),
        entry.at_ns.to_string(),
        one_line(&entry.kind),
        what_happened(entry),
        who_and_why(entry),
        command.map_or_else(String::new, |command| one_line(&command.verb)),
        uid.map_or_else(String::new, |uid| uid.to_string()),
        command.map_or_else(String::new, |command| one_line(&command.reason)),
        command.map_or_else(String::new, |command| one_line(&command.text)),
        state.phase.as_str().to_owned(),
        state.on_move.as_str().to_owned(),
        state.running.as_str().to_owned(),
        state.white.remaining_ns.to_string(),
        state.white.moves.to_string(),
        state.white.period.to_string(),
        state.white.out_of_time.to_string(),
        state.black.remaining_ns.to_string(),
        state.black.moves.to_string(),
        state.black.period.to_string(),
        state.black.out_of_time.to_string(),
        one_line(&state.result),
        state.revision.to_string(),
        one_line(&entry.chain),
    ]
}

fn iso(time: &WallTime) -> String {
    let WallTime { year, month, day, hour, minute, second, millisecond } = time;
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z")
}

fn quoted(cell: &str) -> String {
    let mark = if cell.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    if cell.contains([',', '"', '\r', '\n']) {
        format!("\"{mark}{}\"", cell.replace('"', "\"\""))
    } else {
        format!("{mark}{cell}")
    }
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
        ] {
            assert_eq!(quoted(cell), expected, "{cell}");
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
