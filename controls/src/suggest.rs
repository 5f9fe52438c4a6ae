//! Suggestions for a name that does not exist.

use strsim::jaro_winkler;

/// The similarity below which a name is not suggested; 1 means equal.
const SIMILAR: f64 = 0.8;
/// A name is suggested only if its similarity is less than that of the most similar name by at most
/// this much.
const NEARLY_AS_SIMILAR: f64 = 0.05;
/// The similarity of a name that contains the given text: `standard` is part of `fide-standard`.
const CONTAINS: f64 = 0.95;
/// The shortest text, in bytes, for which `CONTAINS` applies: a shorter one is part of too many
/// names.
const CONTAINS_AT_LEAST: usize = 3;
/// The most suggestions that are listed.
const MOST: usize = 5;

/// The names that are similar to `given`, the most similar first. Capitals make no difference, and
/// only letters and digits are compared.
///
/// ```
/// use clock_controls::suggest;
/// let names = ["blitz-10-0", "blitz-5-0", "blitz-5-3", "g60-30"];
/// assert_eq!(suggest("Blitz5", &names), ["blitz-5-0", "blitz-5-3"]);
/// assert_eq!(suggest("g06-30", &names), ["g60-30"]);
/// assert!(suggest("x", &names).is_empty());
/// ```
pub fn suggest<'a>(given: &str, names: &[&'a str]) -> Vec<&'a str> {
    let given = normalized(given);
    let rated = names.iter().map(|name| (similarity(&given, &normalized(name)), *name));
    let mut similar: Vec<(f64, &str)> = rated.filter(|(rate, _)| *rate >= SIMILAR).collect();
    // Names that are equally similar stay in their order.
    similar.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let best = similar.first().map_or(0.0, |(rate, _)| *rate);
    similar.retain(|(rate, _)| *rate >= best - NEARLY_AS_SIMILAR);
    similar.into_iter().take(MOST).map(|(_, name)| name).collect()
}

fn similarity(given: &str, name: &str) -> f64 {
    let contains = given.len() >= CONTAINS_AT_LEAST && name.contains(given);
    jaro_winkler(given, name).max(if contains { CONTAINS } else { 0.0 })
}

fn normalized(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::suggest;
    use clock_engine::text::presets;

    #[test]
    fn a_misspelt_name_of_a_shipped_control_is_recognized() {
        let names: Vec<&str> = presets().iter().map(|preset| preset.name).collect();
        for (given, first) in [
            ("fide-standrad", "fide-standard"),
            ("fide_standard", "fide-standard"),
            ("standard", "fide-standard"),
            ("bundeslgia", "bundesliga"),
            ("byoyomi", "byo-yomi-30-5x30"),
            ("Hourglas", "hourglass-1"),
            ("rapid-15+10", "rapid-15-10"),
            ("us-g60-d6", "us-g60-d5"),
        ] {
            assert_eq!(suggest(given, &names).first(), Some(&first), "{given}");
        }
        for given in ["", "x", "lichess", "???"] {
            assert!(suggest(given, &names).is_empty(), "{given}: {:?}", suggest(given, &names));
        }
        assert_eq!(suggest("handicap", &names).len(), 5);
    }
}
