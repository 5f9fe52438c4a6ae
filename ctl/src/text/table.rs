//! Tables of plain text.

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
            let blanks = blanks(cell, width);
            let (before, after) = if column.right { (&*blanks, "") } else { ("", &*blanks) };
            line.push_str(&format!("{before}{cell}{after}  "));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The text with blanks behind it, so that it has at least `width` characters. A width in a format
/// string must not come from outside: a width above 65,535 ends the program.
pub fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", blanks(text, width))
}

fn blanks(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::{Column, table};

    #[test]
    fn a_cell_can_be_longer_than_the_width_of_a_format_string() {
        let long = "x".repeat(70_000);
        let text = table(&[
            Column::left("a", ["1".to_owned(), long.clone()]),
            Column::right("b", [long.clone(), "2".to_owned()]),
        ]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() == 140_002), "{}", lines.len());
        assert!(lines[1].starts_with("1 ") && lines[2].ends_with(" 2"));
    }
}
