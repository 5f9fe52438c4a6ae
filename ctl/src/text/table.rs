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
