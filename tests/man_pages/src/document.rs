//! A page from a document in Markdown: headings, paragraphs, lists, tables, and lines that are
//! indented by four spaces. A table becomes a list, because its cells do not fit side by side in a
//! terminal.

use crate::roff::{item, literal, marked, paragraph, section};

/// The text of the document as sections of a page. Its title is left out.
///
/// # Errors
///
/// The document has something else, such as a picture.
pub fn sections(text: &str) -> Result<String, String> {
    let mut page = section("description");
    let mut header = Vec::new();
    for block in blocks(text) {
        let [first, ..] = block.as_slice() else { continue };
        if first.starts_with("# ") {
            continue;
        } else if let Some(title) = first.strip_prefix("## ") {
            page.push_str(&section(&plain(title)));
        } else if first.starts_with("    ") {
            page.push_str(&literal(
                block.iter().map(|line| line.strip_prefix("    ").unwrap_or(line)),
            ));
        } else if first.starts_with('|') {
            for row in rows(&block) {
                if header.is_empty() {
                    header = row;
                } else {
                    page.push_str(&of_row(&header, &row));
                }
            }
            header.clear();
        } else if first.starts_with("- ") {
            for point in block.join("\n").split("\n- ") {
                let point = point.trim_start_matches("- ").split_whitespace().collect::<Vec<_>>();
                page.push_str(&format!(
                    ".IP \\(bu 2\n{}\n",
                    marked(&without_links(&point.join(" ")))
                ));
            }
        } else if first.starts_with(['#', '!', '>', '<']) {
            return Err(format!("{first}: no manual page can have this"));
        } else {
            page.push_str(&paragraph(&without_links(&block.join(" "))));
        }
    }
    Ok(page)
}

/// The lines of the document in groups: those between empty lines, but all indented lines that
/// follow each other are one group.
fn blocks(text: &str) -> Vec<Vec<&str>> {
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines() {
        match (line.is_empty(), blocks.last_mut()) {
            (false, Some(block)) => block.push(line),
            _ => blocks.push(Vec::new()),
        }
    }
    let mut joined: Vec<Vec<&str>> = Vec::new();
    for block in blocks.into_iter().filter(|block| !block.is_empty()) {
        let is_literal = |block: &[&str]| block.iter().all(|line| line.starts_with("    "));
        match joined.last_mut() {
            Some(before) if is_literal(before) && is_literal(&block) => {
                before.push("");
                before.extend(block);
            }
            _ => joined.push(block),
        }
    }
    joined
}

/// The cells of the rows of a table, without the line below its header.
fn rows(lines: &[&str]) -> Vec<Vec<String>> {
    let is_line = |line: &&&str| !line.starts_with("|--") && !line.starts_with("| --");
    let cells = |line: &&str| {
        let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
        inner.split('|').map(|cell| without_links(cell.trim())).collect()
    };
    lines.iter().filter(is_line).map(cells).collect()
}

/// The first cell with the others below it, each behind the title of its column if there are more
/// than one.
fn of_row(header: &[String], row: &[String]) -> String {
    let [term, cells @ ..] = row else { return String::new() };
    let titles = header.iter().skip(1);
    let filled = titles.zip(cells).filter(|(_, cell)| !cell.is_empty());
    let several = cells.len() > 1;
    // What a column with this title contains is seen without it.
    let is_plain = |title: &str| ["", "meaning", "what it does"].contains(&title);
    let lines = filled.map(|(title, cell)| match several && !is_plain(title) {
        true => format!("{}\n", marked(&format!("{}: {cell}", plain(title)))),
        false => format!("{}\n", marked(cell)),
    });
    let description = lines.collect::<Vec<_>>().join(".br\n");
    item(&plain(term), if description.is_empty() { "\\&\n" } else { &description })
}

/// The text without marks.
fn plain(text: &str) -> String {
    text.replace(['`'], "").replace("**", "")
}

/// The text with `[word](target)` as the word alone.
fn without_links(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let (Some(open), Some(close)) = (before.rfind('['), after.find(')')) else { break };
        let (lead, word) = before.split_at(open);
        shown.push_str(lead);
        shown.push_str(word.trim_start_matches('['));
        rest = &after[close + 1..];
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::sections;

    #[test]
    fn a_document_becomes_sections_lists_and_literal_lines() {
        let text = "# Title\n\nSee [the rules](rules.md),\nand `x`.\n\n    code [a](b)\n\n    more\n\n## Keys\n\n\
                    | key | meaning | values |\n|---|---|---|\n| `a` | first | |\n| b | | 1 |\n\n- one\n  more\n- two\n";
        assert_eq!(
            sections(text).unwrap(),
            ".SH \"DESCRIPTION\"\n.PP\nSee the rules, and \\fBx\\fR.\n\
             .PP\n.RS 4\n.nf\ncode [a](b)\n\nmore\n.fi\n.RE\n.SH \"KEYS\"\n\
             .TP\n\\fBa\\fR\nfirst\n.TP\n\\fBb\\fR\nvalues: 1\n\
             .IP \\(bu 2\none more\n.IP \\(bu 2\ntwo\n"
        );
        assert!(sections("![x](y.png)\n").is_err());
    }
}
