//! The report as a page to be printed.

use super::super::words::both_times;
use super::super::{Entry, Game};
use super::entries::{ReportedGame, players, reported, result, what, who};
use clock_dbus::one_line;

const STYLE: &str = "\
body { font: 10pt/1.35 sans-serif; margin: 1.5cm; color: #000; background: #fff }
h1 { font-size: 14pt; margin: 0 0 .5em }
h2 { font-size: 11pt; margin: 1.2em 0 .2em; break-after: avoid }
table { border-collapse: collapse; width: 100% }
td { border-top: 1px solid #999; padding: .15em .6em .15em 0; vertical-align: top }
td.time { white-space: nowrap; font-variant-numeric: tabular-nums }
tr { break-inside: avoid }
@page { margin: 1.5cm }
@media print { body { margin: 0 } }";

/// The report as one HTML page. It has no scripts and loads nothing. `when` gives the time of an
/// entry in words. Games without a reported entry are listed at the end, with their results.
pub fn html(games: &[ReportedGame], when: &dyn Fn(&Entry) -> String) -> String {
    let title = title(games);
    let (with, without): (Vec<&ReportedGame>, Vec<&ReportedGame>) =
        games.iter().partition(|game| reported(game.record).next().is_some());
    let sections: String = with.into_iter().map(|game| section(game, when)).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>\n{STYLE}\n</style>\n<h1>{title}</h1>\n{sections}{}</html>\n",
        nothing_to_report(&without)
    )
}

/// `Arbiter's report`, with the event and the round if all games have the same ones.
fn title(games: &[ReportedGame]) -> String {
    let same = |value: &dyn Fn(&Game) -> &String| {
        let mut values = games.iter().map(|game| value(&game.record.game));
        let first = values.next()?;
        Some(escaped(first)).filter(|text| !text.is_empty() && values.all(|value| value == first))
    };
    let event = same(&|game| &game.event).map(|event| format!(": {event}"));
    let round = same(&|game| &game.round).map(|round| format!(", round {round}"));
    format!("Arbiter's report{}{}", event.unwrap_or_default(), round.unwrap_or_default())
}

fn section(game: &ReportedGame, when: &dyn Fn(&Entry) -> String) -> String {
    let rows = reported(game.record).map(|(subject, entry)| {
        format!(
            "<tr><td class=\"time\">{}<td class=\"time\">{}<td>{}<td>{}<td>{}\n",
            escaped(&when(entry)),
            escaped(&both_times(&entry.state)),
            subject.as_str(),
            escaped(&what(entry)),
            escaped(&who(entry)),
        )
    });
    format!("<h2>{}</h2>\n<table>\n{}</table>\n", heading(game), rows.collect::<String>())
}

/// `Board 12: Anand - Carlsen, 1-0`.
fn heading(game: &ReportedGame) -> String {
    let board = match game.board {
        "" => format!("Game {}", game.record.game.game),
        board => format!("Board {}", escaped(board)),
    };
    let players = match players(game.record) {
        players if players.is_empty() => players,
        players => format!(": {}", escaped(&players)),
    };
    format!("{board}{players}, {}", escaped(&result(game.record)))
}

fn nothing_to_report(games: &[&ReportedGame]) -> String {
    if games.is_empty() {
        return String::new();
    }
    let lines: String = games.iter().map(|game| format!("<tr><td>{}\n", heading(game))).collect();
    format!("<h2>Nothing to report</h2>\n<table>\n{lines}</table>\n")
}

/// The text on one line, with the characters that have a meaning in HTML escaped.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in one_line(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}
