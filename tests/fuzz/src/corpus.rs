//! The corpus of a target in one text file: each line is an input as a byte string of Rust, such as
//! `b"G/60\n"`. The inputs are sorted, so a diff of the file shows which inputs were added and
//! which were removed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Reads the inputs in the file, in the order of its lines. There is at least one input.
///
/// # Errors
///
/// A message with the name of the file if the file cannot be read or has no input, and with the
/// number of the line if a line is not as [`pack`] writes it or is not in order.
pub fn read(file: &Path) -> Result<BTreeSet<Vec<u8>>, String> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    // Bytes that are not UTF-8 become a character that no line may have. So they are an error that
    // names the line.
    parse(&file.display().to_string(), &String::from_utf8_lossy(&bytes))
}

/// Writes each input of the file into a file of its own in the folder, named by the number of the
/// line. The folder is created if it does not exist.
///
/// # Errors
///
/// Those of [`read`], and a message with the path that cannot be written.
pub fn unpack(file: &Path, folder: &Path) -> Result<(), String> {
    let inputs = read(file)?;
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (number, input) in (1..).zip(inputs) {
        let path = folder.join(format!("{number:04}"));
        fs::write(&path, input).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Replaces `file` by a corpus file in which each file of the folder is one input.
///
/// # Errors
///
/// A message with the path that cannot be read or written, or that the folder has no files.
pub fn pack(file: &Path, folder: &Path) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let inputs: BTreeSet<Vec<u8>> = entries
        .map(|entry| fs::read(entry?.path()))
        .collect::<Result<_, _>>()
        .map_err(|error| format!("a file in {}: {error}", folder.display()))?;
    if inputs.is_empty() {
        return Err(format!("{} has no files; the corpus is left as it is", folder.display()));
    }
    let text: String = inputs.iter().map(|input| line(input) + "\n").collect();
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

fn parse(file: &str, text: &str) -> Result<BTreeSet<Vec<u8>>, String> {
    let mut inputs = BTreeSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        let error = |wrong: &str| {
            let begin: String = line.chars().take(40).collect();
            Err(format!("{file}:{number}: {wrong}: {begin}"))
        };
        let Some(input) = input(line) else {
            return error("not a byte string b\"…\" as `escape_ascii` writes it");
        };
        if inputs.last().is_some_and(|last| *last >= input) {
            return error("not greater than the input of the line before");
        }
        inputs.insert(input);
    }
    if inputs.is_empty() { Err(format!("{file} has no inputs")) } else { Ok(inputs) }
}

fn line(input: &[u8]) -> String {
    format!("b\"{}\"", input.escape_ascii())
}

/// The input that a line stands for. `None` if `text` is not what [`line()`] writes for an input.
fn input(text: &str) -> Option<Vec<u8>> {
    let mut rest = text.strip_prefix("b\"")?.strip_suffix('"')?;
    let mut input = Vec::new();
    while let Some((plain, escape)) = rest.split_once('\\') {
        input.extend_from_slice(plain.as_bytes());
        let (byte, length) = match *escape.as_bytes().first()? {
            b'n' => (b'\n', 1),
            b'r' => (b'\r', 1),
            b't' => (b'\t', 1),
            b'x' => (u8::from_str_radix(escape.get(1..3)?, 16).ok()?, 3),
            byte => (byte, 1),
        };
        input.push(byte);
        rest = escape.get(length..)?;
    }
    input.extend_from_slice(rest.as_bytes());
    // Each input can be written in one way only. So every changed line in a diff is a changed
    // input.
    (line(&input) == text).then_some(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_the_input_that_it_was_written_from() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        for bytes in [b"".as_slice(), b"G/60\n", b"\\x41", b"\\", b"\"", b" ", &all] {
            assert_eq!(input(&line(bytes)).as_deref(), Some(bytes), "{}", line(bytes));
        }
        // A line is a byte string literal of Rust: the compiler reads the same bytes from it.
        assert_eq!(line(b"\t\r\n\'\"\\\x00\x7f\xff a"), r#"b"\t\r\n\'\"\\\x00\x7f\xff a""#);
    }

    #[test]
    fn a_wrong_line_is_refused_with_its_number() {
        let wrong = [
            "",
            "G/60",
            "\"G/60\"",
            "b\"G/60",
            "b\"",
            " b\"G/60\"",
            "b\"G/60\" ",
            r#"b"\"#,
            r#"b"\""#,
            r#"b"\x""#,
            r#"b"\x4""#,
            r#"b"\xgg""#,
            r#"b"\x41""#,
            r#"b"\xFF""#,
            r#"b"\0""#,
            r#"b"""""#,
            "b\"\t\"",
            "b\"é\"",
            "b\"\\é\"",
            "b\"\u{fffd}\"",
        ];
        for line in wrong {
            let error = parse("x.txt", &format!("b\"\"\n{line}\nb\"z\"\n")).expect_err(line);
            assert!(error.starts_with("x.txt:2: not a byte string"), "{line}: {error}");
        }
        for same_or_less in ["b\"b\"", "b\"a\"", "b\"\""] {
            let error = parse("x.txt", &format!("b\"a\"\nb\"b\"\n{same_or_less}")).expect_err("");
            assert!(error.starts_with("x.txt:3: not greater than"), "{error}");
        }
        assert_eq!(parse("x.txt", ""), Err("x.txt has no inputs".to_owned()));
    }
}
