//! The language of manual pages, as far as the pages need it.

/// The first line of a page and its section NAME.
pub fn head(name: &str, section: &str, about: &str) -> String {
    let comment = ".\\\" Written by `make man`; a test compares it with its source.\n";
    // The date is left empty, because the text would change without its source.
    let title = format!(".TH {} {section} \"\" chess-clock \"Chess clock\"\n", escaped(name));
    format!("{comment}{title}.SH NAME\n{} \\- {}\n", escaped(name), escaped(about))
}

/// The heading of a section.
pub fn section(title: &str) -> String {
    format!(".SH {}\n", quoted(&title.to_uppercase()))
}

/// The heading of a part of a section.
pub fn subsection(title: &str) -> String {
    format!(".SS {}\n", quoted(title))
}

/// A paragraph of text in which `` ` `` encloses what is typed, and `**` what is important.
pub fn paragraph(text: &str) -> String {
    format!(".PP\n{}\n", marked(text))
}

/// A term with its description. The description is roff.
pub fn item(term: &str, description: &str) -> String {
    format!(".TP\n{}\n{description}", bold(term))
}

/// Lines that are shown as they are.
pub fn literal<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let lines: String = lines.into_iter().map(|line| format!("{}\n", protected(line))).collect();
    format!(".PP\n.RS 4\n.nf\n{lines}.fi\n.RE\n")
}

/// The references at the end of a page.
pub fn see_also(pages: &[&str]) -> String {
    let pages = pages.iter().map(|page| match page.split_once('(') {
        Some((name, section)) => format!("{}({section}", bold(name)),
        None => escaped(page),
    });
    format!("{}{}\n", section("see also"), pages.collect::<Vec<_>>().join(",\n"))
}

/// The text with its marks, in one line.
pub fn marked(text: &str) -> String {
    let mut roff = String::new();
    for (index, part) in text.split('`').enumerate() {
        if index % 2 == 1 {
            roff.push_str(&bold(part));
            continue;
        }
        for (index, part) in part.split("**").enumerate() {
            roff.push_str(&if index % 2 == 1 { bold(part) } else { escaped(part) });
        }
    }
    without_request(roff)
}

/// One line of text.
pub fn protected(text: &str) -> String {
    without_request(escaped(text))
}

fn bold(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\\fB{}\\fR", escaped(text)) }
}

/// A line that begins with a point or an apostrophe would be a request.
fn without_request(line: String) -> String {
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}

/// The text without characters that mean something else to roff. A plain `-` would be shown as a
/// hyphen, which cannot be copied into a command line.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => escaped.push_str("\\e"),
            '-' => escaped.push_str("\\-"),
            '\'' => escaped.push_str("\\(aq"),
            '`' => escaped.push_str("\\(ga"),
            '^' => escaped.push_str("\\(ha"),
            '~' => escaped.push_str("\\(ti"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// An argument of a request.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text).replace('"', "\\(dq"))
}

#[cfg(test)]
mod tests {
    use super::{literal, marked, section};

    #[test]
    fn what_roff_would_understand_is_protected() {
        assert_eq!(
            marked(".5 of `-n 'x'`, **once** \\"),
            "\\&.5 of \\fB\\-n \\(aqx\\(aq\\fR, \\fBonce\\fR \\e"
        );
        assert_eq!(literal(["'a", ""]), ".PP\n.RS 4\n.nf\n\\(aqa\n\n.fi\n.RE\n");
        assert_eq!(section("say \"x\""), ".SH \"SAY \\(dqX\\(dq\"\n");
    }
}
