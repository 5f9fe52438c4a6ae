//! Reads expected.txt, and finds the expected outcome of an attempt.

use anyhow::{Context, Result, ensure};

pub struct Expected {
    /// The names of the table's columns, which are those of the users.
    pub users: Vec<String>,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    outcomes: Vec<String>,
    used: bool,
}

/// The programs that can be a system bus.
const BUSES: [&str; 2] = ["dbus-daemon", "dbus-broker"];

impl Expected {
    /// The rows for this bus. A row that begins with the name of another bus is left out.
    pub fn read(text: &str, bus: &str) -> Result<Expected> {
        ensure!(BUSES.contains(&bus), "the table has no rows for {bus}");
        let is_row = |line: &&str| !line.starts_with('#') && !line.trim().is_empty();
        let mut lines = text.lines().filter(is_row);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let header = lines.next().and_then(|line| line.split_once('|'));
        let users = words(header.context("the table has no header")?.1);
        let mut rows = Vec::new();
        for line in lines {
            let (name, outcomes) = line.split_once('|').with_context(|| line.to_owned())?;
            let (name, outcomes) = (name.trim(), words(outcomes));
            ensure!(outcomes.len() == users.len(), "not {} outcomes: {line}", users.len());
            let name = match name.split_once(": ") {
                Some((only, name)) if only == bus => name,
                Some((other, _)) if BUSES.contains(&other) => continue,
                _ => name,
            };
            rows.push(Row { name: name.to_owned(), outcomes, used: false });
        }
        Ok(Expected { users, rows })
    }

    /// The expected outcome of this user's attempt. The first row that fits the attempt's name
    /// gives it. `None` if the table has no such user or row.
    pub fn find(&mut self, name: &str, user: &str) -> Option<&str> {
        let column = self.users.iter().position(|known| known == user)?;
        let row = self.rows.iter_mut().find(|row| fits(&row.name, name))?;
        row.used = true;
        Some(&row.outcomes[column])
    }

    /// The rows that no attempt needed.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().filter(|row| !row.used).map(|row| row.name.as_str())
    }
}

/// Whether a name fits a pattern, in which each `*` stands for any text.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len())
                .filter(|at| tail.is_char_boundary(*at))
                .any(|at| fits(rest, &tail[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Expected, fits};

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(fits("get *.Clock1.*", "get org.chessclock.Clock1.Phase"));
        assert!(fits("monitor", "monitor"));
        assert!(!fits("get *", "set a.b"));
        assert!(!fits("* x", "a x b"));
    }

    #[test]
    fn the_first_row_that_fits_counts_and_only_those_of_the_bus() {
        let text =
            "# c\nwhat | a b\nown x | yes no\ndbus-broker: own * | p q\nown * | r s\nget * | t t\n";
        let mut expected = Expected::read(text, "dbus-daemon").unwrap();
        assert_eq!(expected.find("own x", "b"), Some("no"));
        assert_eq!(expected.find("own y", "a"), Some("r"));
        assert_eq!(expected.find("set y", "a"), None);
        assert_eq!(expected.find("own x", "c"), None);
        assert_eq!(expected.unused().collect::<Vec<_>>(), ["get *"]);
        let mut expected = Expected::read(text, "dbus-broker").unwrap();
        assert_eq!(expected.find("own y", "a"), Some("p"));
    }
}
