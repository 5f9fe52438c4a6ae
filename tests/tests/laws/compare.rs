//! Compares an answer of `clockctl simulate` with what a law file expects.

use serde_json::Value;

/// Checks that an answer has what is expected. Otherwise the error names the first difference and
/// its place.
///
/// Objects are compared key by key, and keys that the expectation does not name are ignored. Arrays
/// must have the same length and order. Everything else must be equal.
pub fn compare(expected: &Value, got: &Value) -> Result<(), String> {
    at("", expected, got)
}

fn at(place: &str, expected: &Value, got: &Value) -> Result<(), String> {
    match (expected, got) {
        (Value::Object(expected), Value::Object(got)) => {
            expected.iter().try_for_each(|(key, expected)| {
                let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                match got.get(key) {
                    Some(got) => at(&place, expected, got),
                    None => Err(format!("{place}: expected {expected}, got no such key")),
                }
            })
        }
        (Value::Array(expected), Value::Array(items)) if expected.len() == items.len() => {
            let mut pairs = expected.iter().zip(items).enumerate();
            pairs.try_for_each(|(index, (expected, got))| {
                at(&format!("{place}[{index}]"), expected, got)
            })
        }
        _ if expected == got => Ok(()),
        _ => {
            let place = if place.is_empty() { "the answer" } else { place };
            Err(format!("{place}: expected {expected}, got {got}"))
        }
    }
}
