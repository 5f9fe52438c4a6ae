//! The table of a hall: a CSV file with one line for each board, whose first line names keys of the
//! set-up file. A board's card gets the set-up file with the values of its line.

use super::change::{Change, changed};
use super::file::SetUp;
use clock_engine::text::FileError;
use csv::ReaderBuilder;
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
    /// The line, and what is wrong there.
    pub fn parse(text: &str) -> Result<HallTable, String> {
        let delimiter = separator(text);
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .trim(csv::Trim::All)
            .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        let titles = reader.headers().map_err(|error| error.to_string())?;
        let columns = titles.iter().map(column).collect::<Result<Vec<_>, _>>()?;
        if let Some(twice) = columns.iter().enumerate().find(|(at, it)| columns[..*at].contains(it))
        {
            return Err(format!("line 1: the column `{}` is given twice", twice.1));
        }
        if !columns.contains(&"board") {
            return Err(format!("line 1: no column `board`; expected {}", COLUMNS.join(", ")));
        }
        let mut table = HallTable { rows: Vec::new() };
        for record in reader.records() {
            let record = record.map_err(|error| error.to_string())?;
            let line = record.position().map_or(0, csv::Position::line);
            let row = Row::new(line, columns.iter().copied().zip(record.iter()));
            table.add(row.map_err(|why| format!("line {line}: {why}"))?)?;
        }
        if table.rows.is_empty() {
            return Err("it has no board".to_owned());
        }
        Ok(table)
    }

    /// Adds a row. No earlier row may have the same board or the same host name.
    fn add(&mut self, row: Row) -> Result<(), String> {
        let line = row.line;
        for other in &self.rows {
            let before = other.line;
            if other.board == row.board {
                return Err(format!("line {line}: board {} is in line {before}, too", row.board));
            }
            match (&other.host_name, &row.host_name) {
                (Some(theirs), Some(ours)) if theirs.eq_ignore_ascii_case(ours) => {
                    return Err(format!("line {line}: {ours} is in line {before}, too"));
                }
                _ => {}
            }
        }
        if self.rows.len() == BOARDS_LIMIT {
            return Err(format!("line {line}: more than {BOARDS_LIMIT} boards"));
        }
        self.rows.push(row);
        Ok(())
    }

    /// The place of this board in the table.
    ///
    /// # Errors
    ///
    /// The table has no such board.
    pub fn place(&self, board: &str) -> Result<usize, String> {
        self.rows.iter().position(|row| row.board == board).ok_or_else(|| {
            let [first, .., last] = self.rows.as_slice() else {
                return format!("no board {board}; it has only board {}", self.rows[0].board);
            };
            let count = self.rows.len();
            format!(
                "no board {board}; it has {count} boards from {} to {}",
                first.board, last.board
            )
        })
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
        .ok_or_else(|| format!("line 1: the column `{title}`; expected {}", COLUMNS.join(", ")))
}

impl Row {
    fn new<'a>(
        line: u64,
        cells: impl Iterator<Item = (&'static str, &'a str)>,
    ) -> Result<Row, String> {
        let given = cells.filter(|(_, cell)| !cell.is_empty());
        let change = |(key, cell): (&'static str, &str)| {
            let value = match key {
                "rotation" => cell.parse::<i64>().map_or_else(|_| cell.into(), Value::from),
                _ => cell.into(),
            };
            Change::new("", key, value)
        };
        let changes: Vec<Change<'static>> = given.map(change).collect();
        let text = changed("", &changes).map_err(|error| error.message)?;
        let SetUp { board, host_name, .. } = SetUp::parse(&text).map_err(|error| error.message)?;
        let board = board.ok_or("it has no board")?;
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
            assert_eq!(table.place("A2").unwrap(), 1);
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
            ("", "line 1: no column `board`"),
            ("board\n", "it has no board"),
            ("host_name\nclock-1\n", "line 1: no column `board`; expected board, host_name"),
            ("board,white\n1,Vera\n", "line 1: the column `white`; expected board, host_name"),
            ("board,board\n1,2\n", "line 1: the column `board` is given twice"),
            ("board,host_name\n1,a\n,b\n", "line 3: it has no board"),
            ("board,host_name\n1,clock_1\n", "line 2: the host name \"clock_1\""),
            ("board\n10000\n", "line 2: `10000`; expected a number from 1 to 9999"),
            ("board,language\n1,dk\n", "line 2: `dk`; expected \"en\""),
            ("board,rotation\n1,left\n", "line 2: "),
            ("board\n1\n2\n1\n", "line 4: board 1 is in line 2, too"),
            ("board,host_name\n1,a\n2,A\n", "line 3: A is in line 2, too"),
            ("board,host_name\n1,a,b\n", "line: 2"),
        ] {
            let why = HallTable::parse(text).unwrap_err();
            assert!(why.contains(said), "{text:?}: {why}");
        }
        let many: String = (1..=2001).map(|board| format!("{board}\n")).collect();
        let why = HallTable::parse(&format!("board\n{many}")).unwrap_err();
        assert!(why.contains("line 2002: more than 2000 boards"), "{why}");
    }

    #[test]
    fn a_board_that_is_not_in_the_table_is_refused() {
        let table = HallTable::parse("board\n1\n2\n").unwrap();
        assert_eq!(table.place("3").unwrap_err(), "no board 3; it has 2 boards from 1 to 2");
        let table = HallTable::parse("board\n7\n").unwrap();
        assert_eq!(table.place("3").unwrap_err(), "no board 3; it has only board 7");
        let why = table.rows[0].text("wiring.x = 1\n").unwrap_err().to_string();
        assert!(why.starts_with("1:"), "{why}");
    }
}
