//! The table of a hall: a CSV file with one line for each board, whose first line names keys of the
//! set-up file. A board gets the set-up file with the values of its line.

use super::change::{Change, changed};
use super::file::SetUp;
use clock_engine::text::{FileError, Place};
use csv::{ReaderBuilder, StringRecord};
use toml::Value;

/// The keys that can be columns. Any other column is an error.
const COLUMNS: [&str; 6] = ["board", "host_name", "language", "arrangement", "rotation", "wiring"];
/// The most boards.
const BOARDS_LIMIT: usize = 2000;

/// The table of a hall.
#[derive(Debug)]
pub struct HallTable {
    pub rows: Vec<Row>,
}

/// The line of a board.
#[derive(Debug)]
pub struct Row {
    /// The number of the board.
    pub board: String,
    /// The name of the clock's machine, if there is such a column.
    pub host_name: Option<String>,
    /// The number of the line in the file.
    pub line: u64,
    changes: Vec<Change<'static>>,
}

impl HallTable {
    /// Reads the text of the table.
    ///
    /// # Errors
    ///
    /// The line and the column, and what is wrong there.
    pub fn parse(text: &str) -> Result<HallTable, String> {
        let delimiter = separator(text);
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        let wrong = |place: Place, why: String| {
            format!("line {}, column {}: {why}", place.line, place.column)
        };
        let at = |record: &StringRecord, cell| cell_place(text, delimiter, record, cell);
        let titles = reader.headers().map_err(|error| csv_words(&error))?.clone();
        let mut columns = Vec::new();
        for (cell, title) in titles.iter().enumerate() {
            let known = column(title).map_err(|why| wrong(at(&titles, cell), why))?;
            if columns.contains(&known) {
                let why = format!("the column `{known}` is given twice");
                return Err(wrong(at(&titles, cell), why));
            }
            columns.push(known);
        }
        if !columns.contains(&"board") {
            let why = format!("no column `board`; expected {}", COLUMNS.join(", "));
            return Err(wrong(Place::START, why));
        }
        let mut table = HallTable { rows: Vec::new() };
        for record in reader.records() {
            let record = record.map_err(|error| csv_words(&error))?;
            let line = record.position().map_or(0, csv::Position::line);
            if record.len() != columns.len() {
                let cell = columns.len().min(record.len().saturating_sub(1));
                let why = format!("{} cells; the first line has {}", record.len(), columns.len());
                return Err(wrong(at(&record, cell), why));
            }
            let cell_of = |key| columns.iter().position(|column| *column == key).unwrap_or(0);
            let row = Row::new(line, columns.iter().copied().zip(record.iter()));
            let row = row.map_err(|(key, why)| wrong(at(&record, cell_of(key)), why))?;
            table.add(row).map_err(|(key, why)| wrong(at(&record, cell_of(key)), why))?;
        }
        if table.rows.is_empty() {
            return Err("it has no board".to_owned());
        }
        Ok(table)
    }

    /// Adds a row. No earlier row may have the same board or the same host name.
    fn add(&mut self, row: Row) -> Result<(), Wrong> {
        for other in &self.rows {
            let before = other.line;
            if other.board == row.board {
                return Err(("board", format!("board {} is in line {before}, too", row.board)));
            }
            match (&other.host_name, &row.host_name) {
                (Some(theirs), Some(ours)) if theirs.eq_ignore_ascii_case(ours) => {
                    return Err(("host_name", format!("{ours} is in line {before}, too")));
                }
                _ => {}
            }
        }
        if self.rows.len() == BOARDS_LIMIT {
            return Err(("board", format!("more than {BOARDS_LIMIT} boards")));
        }
        self.rows.push(row);
        Ok(())
    }
}

/// The character that separates most of the titles.
fn separator(text: &str) -> u8 {
    let titles = text.lines().next().unwrap_or_default();
    let count = |separator: &u8| titles.bytes().filter(|byte| byte == separator).count();
    [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',')
}

fn column(title: &str) -> Result<&'static str, String> {
    let name = title.to_lowercase().replace([' ', '-'], "_");
    COLUMNS
        .into_iter()
        .find(|column| *column == name)
        .ok_or_else(|| format!("the column `{title}`; expected {}", COLUMNS.join(", ")))
}

/// The column that is wrong, and what is wrong there.
type Wrong = (&'static str, String);

/// An error of the reader of tables. It reads UTF-8 text from memory, and lines of different lengths
/// are allowed, so this does not happen.
fn csv_words(error: &csv::Error) -> String {
    let line = error.position().map_or(1, csv::Position::line);
    format!("line {line}, column 1: this is no line of a table")
}

/// Where the cell with this index begins.
fn cell_place(text: &str, delimiter: u8, record: &StringRecord, cell: usize) -> Place {
    let begin = text.len() - text.trim_start_matches('\u{feff}').len();
    let byte = record.position().map_or(0, csv::Position::byte);
    let start = begin.saturating_add(usize::try_from(byte).unwrap_or(usize::MAX));
    let line = text.get(start..).unwrap_or_default();
    // The position of a record can be the end of the line before it.
    let blank = line.len() - line.trim_start_matches(['\r', '\n']).len();
    let (mut left, mut is_quoted) = (cell, false);
    let mut offset = start + blank;
    for byte in line.bytes().skip(blank) {
        if left == 0 {
            break;
        }
        offset += 1;
        match byte {
            b'"' => is_quoted = !is_quoted,
            byte if byte == delimiter && !is_quoted => left -= 1,
            _ => {}
        }
    }
    Place::new(text, offset)
}

impl Row {
    fn new<'a>(
        line: u64,
        cells: impl Iterator<Item = (&'static str, &'a str)>,
    ) -> Result<Row, Wrong> {
        let given = cells.filter(|(_, cell)| !cell.is_empty());
        let change = |(key, cell): (&'static str, &str)| {
            let value = match key {
                "rotation" => cell.parse::<i64>().map_or_else(|_| cell.into(), Value::from),
                _ => cell.into(),
            };
            Change::new("", key, value)
        };
        let changes: Vec<Change<'static>> = given.map(change).collect();
        let text = changed("", &changes).map_err(|error| ("board", error.message))?;
        // The text has one line for each cell, which begins with the column.
        let wrong = |error: FileError| {
            let line = text.lines().nth(error.place.line - 1).unwrap_or_default();
            let key = COLUMNS.into_iter().find(|column| line.starts_with(column));
            (key.unwrap_or("board"), error.message)
        };
        let SetUp { board, host_name, .. } = SetUp::parse(&text).map_err(wrong)?;
        let board = board.ok_or_else(|| ("board", "it has no board".to_owned()))?;
        Ok(Row { board, host_name, line, changes })
    }

    /// The set-up file of this board: `file` with the values of this row.
    ///
    /// # Errors
    ///
    /// The file cannot be changed, or is wrong.
    pub fn text(&self, file: &str) -> Result<String, FileError> {
        SetUp::parse(file)?;
        let text = changed(file, &self.changes)?;
        SetUp::parse(&text).map(|_| text)
    }
}

#[cfg(test)]
mod tests {
    use super::HallTable;

    #[test]
    fn a_board_gets_the_values_of_its_line_and_keeps_the_others() {
        let template =
            "# Ours.\nlanguage = 'de'\nrotation = 90\n\n[wifi]\ncountry = 'IE'\nssid = 'Club'\n";
        for text in [
            "board,host_name,language\n1,clock-1,\nA2,clock-2,ga\n",
            "\u{feff}Language;Board;Host name\r\n;1;clock-1\r\nga;A2;clock-2\r\n",
        ] {
            let table = HallTable::parse(text).unwrap();
            let first = table.rows[0].text(template).unwrap();
            for part in ["board = \"1\"\n", "host_name = \"clock-1\"\n", "language = 'de'\n"] {
                assert!(first.contains(part), "{first}");
            }
            let second = table.rows[1].text(template).unwrap();
            assert!(second.contains("language = \"ga\"\nrotation = 90\n"), "{second}");
            assert!(second.ends_with("[wifi]\ncountry = 'IE'\nssid = 'Club'\n"), "{second}");
        }
    }

    #[test]
    fn a_wrong_table_is_refused_with_its_line() {
        for (text, said) in [
            ("", "line 1, column 1: no column `board`"),
            ("board\n", "it has no board"),
            (
                "host_name\nclock-1\n",
                "line 1, column 1: no column `board`; expected board, host_name",
            ),
            (
                "board,white\n1,Vera\n",
                "line 1, column 7: the column `white`; expected board, host_name",
            ),
            ("board,board\n1,2\n", "line 1, column 7: the column `board` is given twice"),
            ("board,host_name\n1,a\n,b\n", "line 3, column 1: it has no board"),
            (
                "board,host_name\n1,clock_1\n",
                "line 2, column 3: `host_name`: the host name \"clock_1\"",
            ),
            (
                "board\n10000\n",
                "line 2, column 1: `board`: `10000`; expected a number from 1 to 9999",
            ),
            ("board,language\n1,dk\n", "line 2, column 3: `language`: `dk`; expected \"en\""),
            (
                "board,rotation\n1,left\n",
                "line 2, column 3: `rotation` is \"left\"; expected a whole number",
            ),
            ("\u{feff}board;wiring;rotation\n1;\"a;b\";90\n", "line 2, column 3: `wiring`"),
            ("board;wiring;rotation\n\n1;\"ä\";90\n", "line 3, column 3: `wiring`"),
            (
                "board;language;rotation\n1;;45\n",
                "line 2, column 4: `rotation`: `45`; expected 0, 90",
            ),
            ("board\n1\n2\n1\n", "line 4, column 1: board 1 is in line 2, too"),
            ("board,host_name\n1,a\n2,A\n", "line 3, column 3: A is in line 2, too"),
            ("board,host_name\n1,a,b\n", "line 2, column 5: 3 cells; the first line has 2"),
            ("board,host_name\n1\n", "line 2, column 1: 1 cells; the first line has 2"),
        ] {
            let why = HallTable::parse(text).unwrap_err();
            assert!(why.contains(said), "{text:?}: {why}");
        }
        let many: String = (1..=2001).map(|board| format!("{board}\n")).collect();
        let why = HallTable::parse(&format!("board\n{many}")).unwrap_err();
        assert!(why.contains("line 2002, column 1: more than 2000 boards"), "{why}");
    }
}
