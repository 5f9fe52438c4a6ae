//! Other values for a parameter of a rule file, made from the words that say what it accepts.

use clock_engine::Span;
use clock_engine::text::{hms, parse_duration, parse_points, points};

const NEVER: &str = "\"never\"";

/// Some values that differ from `value`, as TOML: all other words, and for a duration, for example, 0,
/// half of it, and one minute more. Some of them may contradict other parameters.
pub fn others(accepted: &str, value: &str) -> Vec<String> {
    let mut others = match accepted.split_once(", or \"never\"") {
        // Every duration and every number above 0 is accepted.
        Some((accepted, _)) if value == NEVER => {
            let example = if accepted.contains("duration") { "\"0:02:00\"" } else { "1" };
            vec![example.to_owned()]
        }
        Some((accepted, _)) => [others(accepted, value), vec![NEVER.to_owned()]].concat(),
        None if accepted.starts_with("a list of") => lists(accepted, value),
        None if accepted.contains("for each rate") && !value.starts_with('{') => {
            durations(&format!("{{ standard = {value}, rapid = {value}, blitz = {value} }}"))
        }
        None if accepted.starts_with("a duration") => durations(value),
        None if accepted.starts_with("a number") => numbers(value),
        None if accepted.starts_with("points") => half_points(value),
        None if accepted == "true or false" => vec!["true".to_owned(), "false".to_owned()],
        None => quoted(accepted),
    };
    if accepted.contains("above 0") {
        others.retain(|other| other != "\"0:00:00\"");
    }
    others.dedup();
    others.retain(|other| other != value);
    others
}

/// The words of a text, each in its quotation marks.
fn quoted(text: &str) -> Vec<String> {
    text.split('"').skip(1).step_by(2).map(|word| format!("\"{word}\"")).collect()
}

/// For each word: the list without it if it has it, otherwise the list with it. The empty list is left
/// out.
fn lists(accepted: &str, value: &str) -> Vec<String> {
    let (words, members) = (quoted(accepted), quoted(value));
    let changed = |changed: &String| {
        let kept = |word: &&String| members.contains(word) != (*word == changed);
        words.iter().filter(kept).cloned().collect::<Vec<_>>()
    };
    let lists = words.iter().map(changed).filter(|list| !list.is_empty());
    lists.map(|list| format!("[{}]", list.join(", "))).collect()
}

/// Other durations. Of a duration for each rate of play, one is changed at a time.
fn durations(value: &str) -> Vec<String> {
    let parts: Vec<&str> = value.split('"').collect();
    let of_part = |index: usize| {
        let duration = parse_duration(parts[index]).expect("a duration");
        let half = Span::from_nanos(duration.as_nanos() / 2);
        let others = [Span::ZERO, half, duration.plus(Span::from_secs(60))];
        let others = others.into_iter().filter(move |other| *other != duration);
        others.map(move |other| (index, hms(other).to_string())).collect::<Vec<_>>()
    };
    let changes = (1..parts.len()).step_by(2).flat_map(of_part);
    changes
        .map(|(changed, other)| {
            let mut parts = parts.clone();
            parts[changed] = &other;
            let all_are_it = parts.iter().skip(1).step_by(2).all(|part| *part == other);
            if all_are_it { format!("\"{other}\"") } else { parts.join("\"") }
        })
        .collect()
}

fn numbers(value: &str) -> Vec<String> {
    let number: u32 = value.parse().expect("a number");
    [0, number.saturating_sub(1), number + 1].map(|other| other.to_string()).to_vec()
}

fn half_points(value: &str) -> Vec<String> {
    let half_points = parse_points(value.trim_matches('"')).expect("points");
    [half_points + 2, half_points.saturating_sub(1).max(1)]
        .map(|other| format!("\"{}\"", points(other)))
        .to_vec()
}
