//! Colours for a terminal. The texts are made without colours; this module paints whole lines of
//! them.

/// The start of what has these properties on a terminal, and the end of all of them.
const BOLD: &str = "\u{1b}[1m";
const RED: &str = "\u{1b}[1;31m";
const YELLOW: &str = "\u{1b}[33m";
const CYAN: &str = "\u{1b}[36m";
const END: &str = "\u{1b}[0m";

/// A line in a colour. The end of the line stays outside.
fn painted(colour: &str, line: &str) -> String {
    match line.strip_suffix('\n') {
        Some(line) => format!("{colour}{line}{END}\n"),
        None => format!("{colour}{line}{END}"),
    }
}

/// What is wrong.
pub fn wrong(line: &str) -> String {
    painted(RED, line)
}

/// What the reader should not miss.
pub fn notable(line: &str) -> String {
    painted(YELLOW, line)
}

/// The text of `status`: its headline is bold, faults are red, what awaits the arbiter is yellow,
/// and commands are cyan.
pub fn status(text: &str) -> String {
    // What awaits the arbiter stands between the headline and the first empty line.
    let mut is_above_table = true;
    let lines = text.split_inclusive('\n').enumerate();
    let paint = lines.map(|(number, line)| {
        is_above_table &= line != "\n";
        match line {
            _ if number == 0 => painted(BOLD, line),
            _ if line.starts_with("fault: ") => wrong(line),
            _ if line.trim_start().starts_with("clockctl ") => painted(CYAN, line),
            _ if is_above_table => notable(line),
            _ => line.to_owned(),
        }
    });
    paint.collect()
}

#[cfg(test)]
mod tests {
    use super::{END, status};

    #[test]
    fn the_colours_of_the_status_leave_its_text_as_it_is() {
        let text = "ruling: x\nclaim     a draw claim\n          clockctl rule reject\nfault: y\n\nplayer\n";
        let painted = status(text);
        let colours: Vec<_> =
            painted.lines().map(|line| line.split_once('m').unwrap_or(("", line)).0).collect();
        assert_eq!(colours, ["\u{1b}[1", "\u{1b}[33", "\u{1b}[36", "\u{1b}[1;31", "", ""]);
        let mut plain = painted.replace(END, "");
        for colour in ["\u{1b}[1m", "\u{1b}[33m", "\u{1b}[36m", "\u{1b}[1;31m"] {
            plain = plain.replace(colour, "");
        }
        assert_eq!(plain, text);
    }
}
