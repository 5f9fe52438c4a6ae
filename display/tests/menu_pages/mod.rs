//! Every page of the menu, from the golden texts of the crate that makes the pages.

use clock_dbus::{MenuButton, MenuHint, MenuPage, MenuState};

const TEXTS: &str = include_str!("../../../daemon/menu/src/tests/pages.txt");
/// The most lines that a page shows at a time.
const VISIBLE: usize = 6;

/// The pages, each as it is opened: with the chosen line, if it is a list.
pub fn every_page() -> Vec<MenuPage> {
    TEXTS.split("== ").skip(1).map(|text| page(text).unwrap_or_else(|| panic!("{text}"))).collect()
}

/// The page of a text such as
///
/// ```text
/// ready: Sound
/// 11 Sound | 1
/// > • On
///     Off
///   [White: ▲ | Black: ▼ | Call: choose | CallHeld: leave]
/// ```
fn page(text: &str) -> Option<MenuPage> {
    let mut lines = text.trim_end().lines().skip(1);
    let (heading, value) = lines.next()?.rsplit_once(" | ")?;
    let (number, title) = heading.split_once(' ')?;
    let mut lines: Vec<&str> = lines.collect();
    let times = lines.first().and_then(|line| line.strip_prefix("# "));
    let times = times.and_then(|times| times.split_once(" | ")).unwrap_or_default();
    lines.retain(|line| !line.starts_with('#'));
    let chosen = lines.iter().position(|line| line.starts_with('>'));
    let mut lines: Vec<&str> = lines.into_iter().map(|line| &line[2..]).collect();
    let hints = lines.pop()?.strip_prefix('[')?.strip_suffix(']')?;
    let hints: Vec<MenuHint> = hints.split(" | ").map(hint).collect::<Option<_>>()?;
    let first = chosen.map_or(0, |at| (at + 2).min(lines.len()).saturating_sub(VISIBLE));
    Some(MenuPage {
        state: MenuState::Open,
        number: number.parse().ok()?,
        title: title.to_owned(),
        more_above: first > 0,
        more_below: lines.len() > first + VISIBLE,
        lines: lines.into_iter().skip(first).take(VISIBLE).map(str::to_owned).collect(),
        chosen: chosen.and_then(|at| u32::try_from(at - first).ok()),
        segments: (number.to_owned(), value.to_owned()),
        times: (times.0.to_owned(), times.1.to_owned()),
        hints,
    })
}

fn hint(text: &str) -> Option<MenuHint> {
    let (button, action) = text.split_once(": ")?;
    let button = match button {
        "White" => MenuButton::White,
        "Black" => MenuButton::Black,
        "Rocker" => MenuButton::Rocker,
        "Call" => MenuButton::Call,
        "CallHeld" => MenuButton::CallHeld,
        "BothHeld" => MenuButton::BothHeld,
        _ => return None,
    };
    Some(MenuHint { button: Some(button), action: action.to_owned() })
}
