//! Every page of the menu, from the golden texts of the crate that makes the pages.

use clock_dbus::{MenuButton, MenuHint, MenuPage, MenuState};

const TEXTS: &str = include_str!("../../../daemon/menu/src/tests/pages.txt");
/// The most lines that a page shows at a time.
const VISIBLE: usize = 6;

/// The pages, each as it is opened: with its first lines, and the first one chosen if the page is a
/// list.
pub fn every_page() -> Vec<MenuPage> {
    TEXTS.split("== ").skip(1).map(|text| page(text).unwrap_or_else(|| panic!("{text}"))).collect()
}

/// The page of a text such as
///
/// ```text
/// ready: Sound
/// 11 Sound | 1
///   • On
///     Off
///   [White: back | Black: on | Call: choose | CallHeld: leave]
/// ```
fn page(text: &str) -> Option<MenuPage> {
    let mut lines = text.trim_end().lines().skip(1);
    let (heading, value) = lines.next()?.rsplit_once(" | ")?;
    let (number, title) = heading.split_once(' ')?;
    let mut lines: Vec<&str> = lines.map(|line| &line[2..]).collect();
    let hints = lines.pop()?.strip_prefix('[')?.strip_suffix(']')?;
    let hints: Vec<MenuHint> = hints.split(" | ").map(hint).collect::<Option<_>>()?;
    let action = |button| hints.iter().find(|hint| hint.button == button).map(|it| &*it.action);
    let chosen = match action(MenuButton::Call) {
        Some("choose") => Some(0),
        // The second line has the digits.
        Some("next digit") => Some(1),
        _ => None,
    };
    Some(MenuPage {
        state: MenuState::Open,
        number: number.parse().ok()?,
        title: title.to_owned(),
        more_above: false,
        more_below: lines.len() > VISIBLE,
        lines: lines.into_iter().take(VISIBLE).map(str::to_owned).collect(),
        chosen,
        segments: (number.to_owned(), value.to_owned()),
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
    Some(MenuHint { button, action: action.to_owned() })
}
