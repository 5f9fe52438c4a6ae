//! Makes JSON texts harmless for a terminal, and brings them into the form from which the sums of
//! the chain are computed.

/// Returns the same JSON, but escapes the characters that could change what a terminal shows around
/// it: control characters, and characters that reverse the direction of the text or have no width.
/// Line ends and tabs stay as they are.
///
/// ```
/// use clockctl::record::json_text::escaped;
/// assert_eq!(escaped("{\"white\":\"\u{202e}annA\u{9b}\"}"), r#"{"white":"\u202eannA\u009b"}"#);
/// ```
pub fn escaped(json: &str) -> String {
    if !json.contains(is_unsafe) {
        return json.to_owned();
    }
    let mut text = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_unsafe(c) {
            let mut units = [0; 2];
            // In JSON a character above U+FFFF is a pair of surrogates.
            for unit in c.encode_utf16(&mut units) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            text.push(c);
        }
    }
    text
}

/// Whether a character is escaped. Line ends and tabs are not: valid JSON contains them only
/// between its tokens, where they are white space.
fn is_unsafe(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Returns the same JSON in the form in which the service wrote it: without white space, and with
/// an escape only for those characters that JSON requires to be escaped. Numbers and the order of
/// the keys stay as they are.
///
/// A program such as `jq` or an editor may have changed the layout of a file; its chain still has
/// to match. `json` must be valid JSON. For any other text, the only promise is that the result is
/// not much longer.
pub fn canonical(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        if first == '"' {
            let end = string_end(rest);
            let (string, after) = rest.split_at(end);
            match serde_json::from_str::<String>(string) {
                Ok(content) => {
                    text.push_str(&serde_json::to_string(&content).expect("a text is JSON"));
                }
                Err(_) => text.push_str(string),
            }
            rest = after;
        } else {
            if !matches!(first, ' ' | '\n' | '\r' | '\t') {
                text.push(first);
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    text
}

/// The length of the string with which `text` begins, with both quotation marks.
fn string_end(text: &str) -> usize {
    let mut escape = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escape => escape = false,
            b'\\' => escape = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{canonical, escaped};

    #[test]
    fn the_canonical_form_does_not_depend_on_layout_and_escapes() {
        let written = r#"{"b":[1,-2.50e3,null],"a":"x \" \\ é 😀 \n"}"#;
        for same in [
            written,
            "{ \"b\" : [ 1,\r\n\t-2.50e3, null ],\n \"a\":\"x \\\" \\\\ \\u00e9 \\ud83d\\ude00 \\u000a\" }",
            r#"{"b":[1,-2.50e3,null],"a":"x \u0022 \u005c é 😀 \n"}"#,
        ] {
            assert_eq!(canonical(same), written, "{same}");
        }
        // A blank inside a string, the order of the keys and the digits of a number are content.
        for other in [r#"{"a":"x  "}"#, r#"{"b":1,"a":2}"#, "[1.0]"] {
            assert_eq!(canonical(other), other);
        }
    }

    #[test]
    fn what_is_no_json_does_no_harm() {
        for text in ["", "\"", "\"\\", "\"\\\"", "é\"\\ud800\"", "\"a\nb\"", "\\\"x"] {
            assert!(canonical(text).len() <= text.len() + 8, "{text}");
        }
    }

    #[test]
    fn escaping_changes_no_value() {
        let name = "\u{202e}a\u{1b}[31m\u{7f}\u{e0041}\u{200d}ß\t\"\\";
        let json = serde_json::to_string(name).unwrap();
        let safe = escaped(&json);
        assert!(!safe.contains(['\u{202e}', '\u{1b}', '\u{7f}', '\u{e0041}']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), name);
        assert_eq!(canonical(&safe), json);
        assert_eq!(escaped("{\n\t\"a\": 1}"), "{\n\t\"a\": 1}");
    }
}
