//! The page of a configuration file, from the commented file that is installed.
//!
//! A comment describes the key or the table below it. A key behind `#` is not set in the file; it
//! is listed with the value there as an example.

use crate::roff::{item, marked, paragraph, section};

/// What the page says besides the keys.
pub struct Configuration<'a> {
    /// The path of the file.
    pub path: &'a str,
    /// The text of the file.
    pub text: &'a str,
}

/// A part of the file: a comment, and what it is about.
struct Entry {
    comment: Vec<String>,
    subject: Subject,
}

enum Subject {
    /// The comment is about the whole file, or about what follows.
    Nothing,
    Table(String),
    Key {
        line: String,
        is_set: bool,
    },
}

/// The keys of the file as sections of a page.
///
/// # Errors
///
/// A line of the file is neither a comment nor a key, nor a table.
pub fn sections(file: &Configuration<'_>) -> Result<String, String> {
    let mut page = section("synopsis") + &format!(".B {}\n", file.path) + &section("description");
    let mut is_begun = false;
    for Entry { comment, subject } in entries(file.text)? {
        // The first line of the file says what it is, which the page has already.
        let is_shown = |line: &&String| !line.contains(file.path);
        let shown: Vec<&str> = comment.iter().filter(is_shown).map(String::as_str).collect();
        let comment = shown.join(" ");
        match subject {
            Subject::Nothing => page.push_str(&paragraph(&comment)),
            Subject::Table(name) => {
                page.push_str(&section(&format!("the table {name}")));
                is_begun = true;
                if !comment.is_empty() {
                    page.push_str(&paragraph(&comment));
                }
            }
            Subject::Key { line, is_set } => {
                if !is_begun {
                    page.push_str(&section("keys"));
                    is_begun = true;
                }
                let note = if is_set { "" } else { " Not set; the value is an example." };
                let text = format!("{comment}{note}");
                page.push_str(&item(&line, &format!("{}\n", marked(text.trim_start()))));
            }
        }
    }
    Ok(page)
}

fn entries(text: &str) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    let mut comment = Vec::new();
    let mut lines = text.lines().map(str::trim_end);
    while let Some(line) = lines.next() {
        let (content, is_set) = match line.strip_prefix('#') {
            Some(rest) => (rest.strip_prefix(' ').unwrap_or(rest), false),
            None => (line, true),
        };
        let subject = if content.is_empty() {
            if comment.is_empty() {
                continue;
            }
            Subject::Nothing
        } else if is_table(content) {
            Subject::Table(content.trim_matches(['[', ']']).to_owned())
        } else if is_key(content) {
            let (value, remark) = split_remark(content);
            let mut value = value.to_owned();
            // A list on several lines.
            while value.ends_with(['[', ',']) {
                let Some(next) = lines.next() else { return Err(format!("{content}: no end")) };
                let (part, remark) = split_remark(next.trim());
                comment.extend(
                    remark.map(|remark| format!("{}: {remark}.", part.trim_end_matches(','))),
                );
                let separator = if value.ends_with('[') || part == "]" { "" } else { " " };
                value.push_str(&format!("{separator}{part}"));
            }
            comment.extend(remark.map(str::to_owned));
            Subject::Key { line: value.replace(",]", "]"), is_set }
        } else if is_set {
            return Err(format!("{content}: neither a key nor a table"));
        } else {
            comment.push(content.to_owned());
            continue;
        };
        entries.push(Entry { comment: std::mem::take(&mut comment), subject });
    }
    Ok(entries)
}

fn is_table(line: &str) -> bool {
    line.starts_with('[') && line.ends_with(']') && !line.contains(' ')
}

/// Whether the line sets a key: one word, an equals sign and something that begins as a value does.
fn is_key(line: &str) -> bool {
    let is_word = |key: &str| {
        !key.is_empty() && key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')
    };
    line.split_once(" = ").is_some_and(|(key, value)| {
        is_word(key)
            && (value.starts_with(|first: char| "\"[{tf".contains(first) || first.is_ascii_digit()))
    })
}

/// The line without a comment behind its value, and that comment.
fn split_remark(line: &str) -> (&str, Option<&str>) {
    match line.split_once(" # ") {
        Some((value, remark)) => (value.trim_end(), Some(remark.trim())),
        None => (line, None),
    }
}

#[cfg(test)]
mod tests {
    use super::{Configuration, sections};

    #[test]
    fn each_key_has_the_comment_above_it_and_the_value_of_the_file() {
        let text = "# The file.\n# Of the clock.\n\n# When.\nwhen = \"now\"\n# Whose.\n# name = \"me\"\n\n\
                    # A table.\n[menu]\n# Which.\nlist = [\n    \"a\", # one\n    \"b\",\n]\nline = 17 # pin 11\n";
        let page = sections(&Configuration { path: "/etc/x.toml", text }).unwrap();
        assert_eq!(
            page,
            ".SH \"SYNOPSIS\"\n.B /etc/x.toml\n.SH \"DESCRIPTION\"\n.PP\nThe file. Of the clock.\n\
             .SH \"KEYS\"\n.TP\n\\fBwhen = \"now\"\\fR\nWhen.\n\
             .TP\n\\fBname = \"me\"\\fR\nWhose. Not set; the value is an example.\n\
             .SH \"THE TABLE MENU\"\n.PP\nA table.\n\
             .TP\n\\fBlist = [\"a\", \"b\"]\\fR\nWhich. \"a\": one.\n\
             .TP\n\\fBline = 17\\fR\npin 11\n"
        );
        assert!(sections(&Configuration { path: "x", text: "when\n" }).is_err());
    }
}
