//! The rows of a table and their cells, each with its place in the text. The `csv` crate does not
//! say where in a row a cell is; errors and the results that are written back need it.

use std::ops::Range;

use clock_engine::text::{FileError, Place};

/// The most cells of a row. No list of pairings has as many.
const CELLS_LIMIT: usize = 256;

/// A cell of a table.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The text without quotes and without spaces around it.
    pub text: String,
    /// Where the cell is in the text of the file, with its quotes.
    pub at: Range<usize>,
    /// Its first character.
    pub place: Place,
}

/// Reads the rows of a table one by one. Lines end with CR, LF or both.
pub(super) struct Rows<'a> {
    text: &'a str,
    separator: char,
    /// Where the next row begins.
    offset: usize,
    line: usize,
}

impl<'a> Rows<'a> {
    /// The rows of the text from this place on.
    pub fn new(text: &'a str, separator: char) -> Rows<'a> {
        let offset = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Rows { text, separator, offset, line: 1 }
    }

    fn row(&mut self) -> Result<Vec<Cell>, FileError> {
        let mut cells = Vec::new();
        let mut column = 1;
        loop {
            let start = self.offset;
            let place = Place { line: self.line, column };
            let text = self.cell(place)?;
            let span = &self.text[start..self.offset];
            let last_line = span.rsplit_once('\n').map(|(_, last)| last);
            column = last_line.map_or(column, |_| 1);
            column += last_line.unwrap_or(span).chars().count() + 1;
            cells.push(Cell { text, at: start..self.offset, place });
            if cells.len() > CELLS_LIMIT {
                let message = format!("a line of more than {CELLS_LIMIT} columns");
                return Err(FileError { place, message });
            }
            match self.rest().chars().next() {
                Some(next) if next == self.separator => self.offset += next.len_utf8(),
                _ => break,
            }
        }
        self.end_line();
        Ok(cells)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// Goes on to the next line, if the line ends here.
    fn end_line(&mut self) {
        let length = if self.rest().starts_with("\r\n") { 2 } else { self.rest().len().min(1) };
        self.offset += length;
        self.line += 1;
    }

    /// Reads a cell, up to its separator or to the end of the line.
    fn cell(&mut self, place: Place) -> Result<String, FileError> {
        let is_end = |c: char| c == self.separator || c == '\r' || c == '\n';
        let before = self.rest();
        let blanks = before.len() - before.trim_start_matches(' ').len();
        let Some(quoted) = before[blanks..].strip_prefix('"') else {
            let text = &before[..before.find(is_end).unwrap_or(before.len())];
            self.offset += text.len();
            return Ok(text.trim().to_owned());
        };
        let mut text = String::new();
        let mut rest = quoted;
        loop {
            let Some((part, after)) = rest.split_once('"') else {
                let message = "the quotation mark is not closed".to_owned();
                return Err(FileError { place, message });
            };
            text.push_str(part);
            rest = after;
            // Two marks stand for one.
            let Some(after) = rest.strip_prefix('"') else { break };
            text.push('"');
            rest = after;
        }
        // What follows the mark belongs to the cell, too.
        let end = rest.find(is_end).unwrap_or(rest.len());
        text.push_str(&rest[..end]);
        self.line += text.matches('\n').count();
        self.offset += before.len() - rest.len() + end;
        Ok(text.trim().to_owned())
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Vec<Cell>, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest().is_empty() {
            return None;
        }
        let row = self.row();
        if row.is_err() {
            // Nothing after an error can be read.
            self.offset = self.text.len();
        }
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;

    #[test]
    fn cells_have_their_text_and_their_place() {
        let text = "\u{feff}a; b ;\"c;\"\"d\"\"\"\r\n\r;x\n\"two\nlines\";é;y";
        let rows: Vec<_> = Rows::new(text, ';').map(Result::unwrap).collect();
        let shown: Vec<Vec<String>> = rows
            .iter()
            .map(|row| {
                let cell = |cell: &super::Cell| {
                    format!("{}:{} {:?}", cell.place.line, cell.place.column, cell.text)
                };
                row.iter().map(cell).collect()
            })
            .collect();
        let expected: [&[&str]; 4] = [
            &["1:1 \"a\"", "1:3 \"b\"", "1:7 \"c;\\\"d\\\"\""],
            &["2:1 \"\""],
            &["3:1 \"\"", "3:2 \"x\""],
            &["4:1 \"two\\nlines\"", "5:8 \"é\"", "5:10 \"y\""],
        ];
        for (row, expected) in shown.iter().zip(expected) {
            assert_eq!(row, expected);
        }
        assert_eq!(shown.len(), 4);
        assert_eq!(&text[rows[0][1].at.clone()], " b ");
    }

    #[test]
    fn what_is_no_table_is_refused_with_its_place() {
        let error = |text: &str| Rows::new(text, ',').find_map(Result::err).unwrap().to_string();
        assert_eq!(error("a\nb,\"c\n"), "2:3: the quotation mark is not closed");
        assert_eq!(error(&",".repeat(300)), "1:257: a line of more than 256 columns");
    }
}
