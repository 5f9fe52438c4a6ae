//! A press with its edges, and its picture in text.

use clock_dbus::TestedButton;

/// How many columns the level of a press has at most, and how many of them are before its first edge.
const COLUMNS: u64 = 60;
const BEFORE: u64 = 4;
/// How many columns the picture of a press has at most. Its lines of text can be longer than the
/// line of the level.
pub const WIDTH: u64 = 80;
/// The columns that are left free for the last numbers of the ruler.
const MARGIN: u64 = 12;
/// The columns before each line.
const INDENT: u64 = 2;
/// The shortest time that a picture shows.
const SHORTEST_NSEC: u64 = 4_000_000;

/// An edge of a line, and whether the contact is closed after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub at_nsec: u64,
    pub closed: bool,
}

/// A press, with the edges from its first one up to its decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Press {
    pub button: TestedButton,
    pub at_nsec: u64,
    pub decided_nsec: u64,
    edges: Vec<Edge>,
}

impl Press {
    /// A press of this button. `line` are the edges of its line.
    pub fn new(button: TestedButton, at_nsec: u64, decided_nsec: u64, line: &[Edge]) -> Press {
        let its_own = |edge: &&Edge| (at_nsec..=decided_nsec).contains(&edge.at_nsec);
        let edges = line.iter().filter(its_own).copied().collect();
        Press { button, at_nsec, decided_nsec, edges }
    }

    /// The edges, each with its time after the first one.
    pub fn edges(&self) -> impl Iterator<Item = (u64, bool)> {
        self.edges.iter().map(|edge| (edge.at_nsec - self.at_nsec, edge.closed))
    }

    /// The time from the first to the last edge.
    pub fn bounce_nsec(&self) -> u64 {
        self.edges().last().map_or(0, |(after, _)| after)
    }

    /// The time from the first edge to the decision.
    pub fn decided_after_nsec(&self) -> u64 {
        self.decided_nsec.saturating_sub(self.at_nsec)
    }

    /// Three lines of at most `width` columns: the level of the line over time, a ruler in
    /// milliseconds, and the time for which the contact must stay closed after the last edge. If its
    /// text does not fit there, it has a line of its own.
    pub fn picture(&self, settle_nsec: u64, width: u64) -> String {
        let columns = COLUMNS.min(width.saturating_sub(MARGIN)).max(2 * BEFORE);
        let settled = self.bounce_nsec().saturating_add(settle_nsec);
        let span = settled.saturating_add(settle_nsec).max(SHORTEST_NSEC);
        // The column of an instant, counted from the first edge.
        let column = |after: u64| {
            BEFORE
                + u64::try_from(u128::from(after) * u128::from(columns - BEFORE) / u128::from(span))
                    .unwrap_or(columns)
        };
        format!(
            "  {}\n  {}\n  {}\n",
            self.level(columns, column),
            ruler(span, column),
            window(column(self.bounce_nsec()), column(settled), settle_nsec, width)
        )
    }

    /// The level: low while the contact is open, high while it is closed, and a stroke where there
    /// are edges.
    fn level(&self, columns: u64, column: impl Fn(u64) -> u64) -> String {
        let mut closed = false;
        let level = |at: u64| {
            let mut has_edge = false;
            for (_, after) in self.edges().filter(|(after, _)| column(*after) == at) {
                (has_edge, closed) = (true, after);
            }
            match (has_edge, closed) {
                (true, _) => '│',
                (false, true) => '▔',
                (false, false) => '▁',
            }
        };
        (0..columns).map(level).collect()
    }
}

/// The milliseconds after the first edge, below the columns of their instants.
fn ruler(span: u64, column: impl Fn(u64) -> u64) -> String {
    let milliseconds = span / 1_000_000;
    let powers = (0..20).map_while(|power| 10_u64.checked_pow(power));
    let mut steps = powers.flat_map(|power| [1, 2, 5].map(|digit| power.saturating_mul(digit)));
    let step = steps.find(|step| milliseconds / step <= 8).unwrap_or(u64::MAX);
    let mut line = String::new();
    for at in (0..=8).map(|tick| tick * step).take_while(|at| *at <= milliseconds) {
        let place = usize::try_from(column(at * 1_000_000)).unwrap_or_default();
        let blanks = place.saturating_sub(line.chars().count());
        line.push_str(&format!("{}{at}", " ".repeat(blanks)));
    }
    line.push_str(" ms");
    line
}

fn window(from: u64, to: u64, settle_nsec: u64, width: u64) -> String {
    let repeated = |text: &str, count: u64| text.repeat(usize::try_from(count).unwrap_or_default());
    let inside = repeated("─", to.saturating_sub(from + 1));
    let settle = clockctl::times::millis(settle_nsec);
    let (window, text) =
        (format!("{}└{inside}┘", repeated(" ", from)), format!("closed for {settle}: a press"));
    let is_together =
        INDENT.saturating_add(chars(&window)).saturating_add(1 + chars(&text)) <= width;
    let before = INDENT.saturating_add(from).min(width.saturating_sub(chars(&text)));
    match is_together {
        true => format!("{window} {text}"),
        false => format!("{window}\n{}{text}", repeated(" ", before)),
    }
}

fn chars(text: &str) -> u64 {
    text.chars().count().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTLE: u64 = 1_000_000;

    fn press(edges: &[(u64, bool)], decided: u64) -> Press {
        let edges: Vec<Edge> = edges
            .iter()
            .map(|(at, closed)| Edge { at_nsec: 5_000 + at, closed: *closed })
            .collect();
        Press::new(TestedButton::White, 5_000, 5_000 + decided, &edges)
    }

    #[test]
    fn a_bouncing_press_is_drawn_with_its_edges_and_the_settle_time() {
        let press = press(
            &[(0, true), (300_000, false), (700_000, true), (1_500_000, false), (2_000_000, true)],
            3_100_000,
        );
        assert_eq!((press.bounce_nsec(), press.decided_after_nsec()), (2_000_000, 3_100_000));
        let expected = "  \
▁▁▁▁│▔▔▔│▁▁▁▁│▔▔▔▔▔▔▔▔▔▔▔│▁▁▁▁▁▁│▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔
      0             1             2             3             4 ms
                                  └─────────────┘ closed for 1.000 ms: a press
";
        let picture = press.picture(SETTLE, WIDTH);
        assert_eq!(picture, expected, "\n{picture}");
        let narrow = "  \
▁▁▁▁││▁▁│▔▔▔▔│▁▁│▔▔▔▔▔▔▔▔▔▔▔
      0     1     2     3     4 ms
                  └─────┘
            closed for 1.000 ms: a press
";
        let picture = press.picture(SETTLE, 40);
        assert_eq!(picture, narrow, "\n{picture}");
    }

    #[test]
    fn edges_before_the_press_and_after_its_decision_are_not_its_own() {
        let edges = [(1, true), (2, false), (5_000, true), (9_000_000, false)]
            .map(|(at_nsec, closed)| Edge { at_nsec, closed });
        let press = Press::new(TestedButton::Call, 5_000, 1_200_000, &edges);
        assert_eq!(press.edges().collect::<Vec<_>>(), [(0, true)]);
        assert_eq!(press.bounce_nsec(), 0);
    }

    #[test]
    fn a_picture_of_any_length_has_its_width() {
        for bounce in [0, 1, 999, 40_000_000, 10_000_000_000] {
            for (width, level) in [(WIDTH, 62), (40, 30), (1000, 62)] {
                let press = press(&[(0, true), (bounce, true)], u64::MAX / 2);
                let picture = press.picture(SETTLE, width);
                let lines: Vec<u64> = picture.lines().map(chars).collect();
                assert_eq!(lines[0], level, "{picture}");
                assert!((3..=4).contains(&lines.len()), "{picture}");
                assert!(lines.iter().all(|line| *line <= width), "{lines:?}\n{picture}");
            }
            // With a width of 0, the picture has a limited length, too.
            assert!(press(&[(0, true), (bounce, true)], 1).picture(SETTLE, 0).len() < 1000);
        }
    }
}
