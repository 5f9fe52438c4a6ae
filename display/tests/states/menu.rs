//! Pages of the menu for the golden pictures, as the service sends them.

use clock_dbus::{MenuButton, MenuHint, MenuPage, MenuState};

/// A page, its name and what it shows.
pub struct NamedPage {
    pub name: &'static str,
    pub shows: &'static str,
    pub page: MenuPage,
}

fn hint(button: MenuButton, action: &str) -> MenuHint {
    MenuHint { button: Some(button), action: action.into() }
}

/// The hints of two buttons and the call button.
fn hints(back: &str, on: &str, choose: &str) -> Vec<MenuHint> {
    vec![
        hint(MenuButton::White, back),
        hint(MenuButton::Black, on),
        hint(MenuButton::Call, choose),
        hint(MenuButton::CallHeld, "leave"),
    ]
}

fn page(number: u32, title: &str, lines: &[&str], chosen: Option<u32>) -> MenuPage {
    MenuPage {
        state: MenuState::Open,
        number,
        title: title.into(),
        lines: lines.iter().map(|line| (*line).into()).collect(),
        chosen,
        more_above: false,
        more_below: false,
        hints: hints("▲", "▼", "choose"),
        segments: (format!("{number:02}"), String::new()),
        times: Default::default(),
    }
}

/// A page of tiles on White's, Black's and the call button.
fn tiles(number: u32, title: &str, [white, black, call]: [&str; 3]) -> MenuPage {
    let tiles = vec![
        hint(MenuButton::White, white),
        hint(MenuButton::Black, black),
        hint(MenuButton::Call, call),
        hint(MenuButton::CallHeld, "More"),
    ];
    MenuPage { hints: tiles, ..page(number, title, &[], None) }
}

/// Every kind of page.
pub fn pages() -> Vec<NamedPage> {
    let named = |name, shows, page| NamedPage { name, shows, page };
    let both = vec![
        hint(MenuButton::White, "agree"),
        hint(MenuButton::Black, "agree"),
        hint(MenuButton::CallHeld, "leave"),
    ];
    let list = page(3, "Time control", &["5+0", "10+0", "10+5", "15+10", "25+10", "G/30"], Some(4));
    let reading = vec![
        hint(MenuButton::White, "(4 s)"),
        hint(MenuButton::Black, "(4 s)"),
        hint(MenuButton::CallHeld, "leave"),
    ];
    let report = ["no press can be taken", "back: only the last one", "can", "Back"];
    vec![
        named(
            "menu-hold",
            "a button that opens the menu is held, and more than half of the hold has passed",
            MenuPage { state: MenuState::Hold, number: 60, ..MenuPage::default() },
        ),
        named(
            "menu-release",
            "the press that opens the menu has lasted long enough",
            MenuPage { state: MenuState::Release, ..MenuPage::default() },
        ),
        named(
            "menu-tiles",
            "the first page before a game and after it",
            tiles(1, "A press starts White's clock", ["Sides exchanged", "Again", "Time control"]),
        ),
        named(
            "menu-pause",
            "the first page in a pause",
            tiles(20, "Game: clocks stand", ["Go on", "Result", "Correct the clock"]),
        ),
        named(
            "menu-flag",
            "the first page after White's flag",
            tiles(45, "White: the flag fell", ["Correct the clock", "0-1 Black wins", "½-½ drawn"]),
        ),
        named(
            "menu-two-buttons",
            "the first page of a clock with two buttons",
            MenuPage {
                hints: vec![
                    hint(MenuButton::White, "Time control"),
                    hint(MenuButton::Black, "Again"),
                    hint(MenuButton::BothHeld, "More"),
                ],
                ..page(1, "A press starts White's clock", &[], None)
            },
        ),
        named(
            "menu-correct",
            "a time is corrected in steps",
            MenuPage {
                hints: [
                    &hints("− 1 min", "+ 1 min", "next")[..3],
                    &[hint(MenuButton::CallHeld, "OK")],
                ]
                .concat(),
                segments: ("48".into(), "4.57".into()),
                times: ("[4]:57".into(), "3:02".into()),
                ..page(
                    48,
                    "Correct the clock",
                    &["White ± 1 min", "White 0:02:57→0:04:57"],
                    Some(0),
                )
            },
        ),
        named(
            "menu-reading",
            "both players first read what they agree to",
            MenuPage {
                hints: reading,
                ..page(
                    31,
                    "Both agree?",
                    &[
                        "New game",
                        "The game here ends",
                        "3:00, and 2 seconds a move",
                        "from the first",
                        "Flag: both clocks stop",
                        "No move limit",
                    ],
                    None,
                )
            },
        ),
        named(
            "menu-list",
            "the menu is open: a list with more lines above and below",
            MenuPage {
                more_above: true,
                more_below: true,
                segments: ("03".into(), "7".into()),
                times: ("25:10".into(), "25:10".into()),
                ..list
            },
        ),
        named(
            "menu-digits",
            "a time is corrected digit by digit",
            MenuPage {
                hints: hints("−", "+", "next"),
                segments: ("33".into(), "1.32.00".into()),
                ..page(33, "White's time", &["1:3[2]:00", "before 1:30:00"], Some(0))
            },
        ),
        named(
            "menu-agree",
            "both players have to agree, and White has",
            MenuPage {
                hints: both,
                segments: ("31".into(), "10".into()),
                ..page(
                    31,
                    "Both agree?",
                    &[
                        "White ✓",
                        "Black: press your button",
                        "1-0 White wins",
                        "White 1:30:00",
                        "Black 0:58:41",
                        "then the game is over",
                    ],
                    None,
                )
            },
        ),
        named(
            "menu-code",
            "the arbiter's code is asked, and two buttons were pressed",
            MenuPage {
                hints: vec![hint(MenuButton::CallHeld, "leave")],
                segments: ("32".into(), "--".into()),
                ..page(32, "Arbiter's code", &["Press the code", "--"], None)
            },
        ),
        named(
            "menu-report",
            "why a command was refused",
            MenuPage {
                segments: ("36".into(), "0".into()),
                ..page(36, "Refused", &report, Some(3))
            },
        ),
        named(
            "menu-rocker",
            "a page of a clock with a rocker",
            MenuPage {
                hints: vec![
                    hint(MenuButton::Rocker, "▼"),
                    hint(MenuButton::Call, "choose"),
                    hint(MenuButton::CallHeld, "leave"),
                ],
                segments: ("01".into(), "1".into()),
                ..page(1, "Menu", &["Again", "Time control", "Sides exchanged", "More"], Some(0))
            },
        ),
    ]
}
