//! Compares the face with golden pictures, pixel by pixel: every state in every arrangement, and a
//! few states in other themes, on larger screens and turned. The tests also check that all states
//! look different on each screen, and that the contact sheet shows every state.
//!
//! `make pictures` paints the golden pictures anew. Look at the pictures that have changed before
//! you commit them. The tests run on x86-64 only, because other processors may round the outlines
//! of glyphs differently.
#![cfg(target_arch = "x86_64")]

mod menu_pages;
mod states;

use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

use clock_dbus::{MenuPage, Method, Phase, SideState, State, Who};
use clock_display::battery::Battery;
use clock_display::content::Content;
use clock_display::pixels::{Arrangement, Rotation, Setup, Theme, pixels, write_png};
use clock_display::rules::Rules;
use clock_languages::{Face, Language};
use menu_pages::every_page;
use states::menu::{NamedPage, pages};

use states::{Named, states};

/// The words of the golden pictures.
const EN: &Face = Language::English.face();
/// The instant at which every picture is taken, on `CLOCK_MONOTONIC`.
const NOW: u64 = 1_000_000_000_000;
const SECOND: u64 = 1_000_000_000;

/// A screen, and how the face is shown on it.
struct Screen {
    name: &'static str,
    setup: Setup,
    /// The names of the states to paint on this screen; all states if the list is empty.
    only: &'static [&'static str],
    words: &'static Face,
}

/// The states with the longest texts.
const LONG: &[&str] = &["ready", "after-power-cut", "counting-up-with-a-limit"];
/// The states that suffice to check the themes, the turned picture and the larger screens.
const FEW: &[&str] = &["white-runs", "low-tenths", "flag", "stale", "menu-list"];

fn screen(name: &'static str, size: (u32, u32), arrangement: Option<Arrangement>) -> Screen {
    let setup = Setup { size, rotation: Rotation::None, arrangement, theme: Theme::DARK };
    Screen { name, setup, only: &[], words: EN }
}

fn screens() -> Vec<Screen> {
    let few = |screen: Screen| Screen { only: FEW, ..screen };
    let with =
        |theme, screen: Screen| Screen { setup: Setup { theme, ..screen.setup }, ..few(screen) };
    // German has the widest texts of all languages.
    let words = Language::German.face();
    let german = |screen: Screen| Screen { only: LONG, words, ..screen };
    let turned = screen("800x480-turned-90", (800, 480), None);
    vec![
        screen("800x480", (800, 480), None),
        screen("800x480-facing", (800, 480), Some(Arrangement::Facing)),
        screen("1280x400", (1280, 400), None),
        screen("480x800", (480, 800), None),
        with(Theme::LIGHT, screen("800x480-light", (800, 480), None)),
        with(Theme::NIGHT, screen("800x480-night", (800, 480), None)),
        with(Theme::HIGH_CONTRAST, screen("800x480-high-contrast", (800, 480), None)),
        Screen { setup: Setup { rotation: Rotation::Quarter, ..turned.setup }, ..few(turned) },
        german(screen("800x480-german", (800, 480), None)),
        german(screen("480x800-german", (480, 800), None)),
        few(screen("800x480-stacked", (800, 480), Some(Arrangement::Stacked))),
        few(screen("1280x400-stacked", (1280, 400), Some(Arrangement::Stacked))),
        few(screen("480x320", (480, 320), None)),
        few(screen("1024x600", (1024, 600), None)),
        few(screen("1920x1080", (1920, 1080), None)),
        few(screen("3840x2160", (3840, 2160), None)),
    ]
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures")
}

/// The pictures, each with its name, what the face shows in it, and its content.
fn contents(words: &'static Face) -> Vec<(&'static str, &'static str, Content)> {
    let content = |Named { name, shows, state }: Named| {
        (name, shows, Content::of(&state.at(NOW), Rules::NONE, words))
    };
    let mut contents: Vec<_> = states(NOW).into_iter().map(content).collect();
    let lost = states(NOW).into_iter().find(|named| named.name == "white-runs");
    let lost = lost.expect("it is one of the states").state;
    contents.push((
        "stale",
        "no service answers; the times are the last known ones",
        Content::last_known(&lost, Rules::NONE, words),
    ));
    contents.push(("starting", "the machine was switched on", Content::Starting(words)));
    contents.push((
        "no-service",
        "no service answers, and none has answered before",
        Content::NoService(words),
    ));
    for (name, shows, percent, minutes) in [
        ("battery", "the clock runs on a battery", 64, None),
        ("battery-low", "the battery lasts for less than ten hours", 64, Some(440)),
        ("battery-nearly-empty", "the battery is nearly empty", 9, None),
    ] {
        let content = Content::of(&lost.at(NOW), Rules::NONE, words)
            .with_battery(Some(Battery { percent, minutes }));
        contents.push((name, shows, content));
    }
    let ready = states(NOW).into_iter().find(|named| named.name == "ready");
    let ready = State {
        rules: "FIDE Laws of Chess 2023".into(),
        ..ready.expect("it is one of the states").state
    };
    contents.push((
        "ready-for-the-arbiter",
        "a rule profile under which only the arbiter starts White's clock",
        Content::of(&ready, Rules { black_starts: Some(false), ..Rules::NONE }, words),
    ));
    let over = states(NOW).into_iter().find(|named| named.name == "result");
    contents.push((
        "stale-result",
        "no service answers since the game ended",
        Content::last_known(&over.expect("it is one of the states").state, Rules::NONE, words),
    ));
    let hidden = Rules { show_moves: false, ..Rules::NONE };
    contents.push((
        "no-press-counter",
        "a rule profile that keeps the press counter off the display",
        Content::of(&lost, hidden, words),
    ));
    contents.extend(without_arbiter(words));
    let paused = states(NOW).into_iter().find(|named| named.name == "paused");
    let paused = Content::of(&paused.expect("it is one of the states").state, Rules::NONE, words);
    for NamedPage { name, shows, page } in pages() {
        contents.push((name, shows, paused.clone().with_menu(Some(&page))));
    }
    let called = states(NOW).into_iter().find(|named| named.name == "arbiter-called");
    let called = Content::of(&called.expect("it is one of the states").state, Rules::NONE, words);
    let list = pages().into_iter().find(|named| named.name == "menu-list");
    contents.push((
        "menu-called",
        "the menu is open while the arbiter is awaited",
        called.with_menu(Some(&list.expect("it is one of the pages").page)),
    ));
    contents
}

/// A game of 3+2 between two players without an arbiter.
fn without_arbiter(words: &'static Face) -> Vec<(&'static str, &'static str, Content)> {
    let rules = Rules { has_arbiter: false, ..Rules::NONE };
    let named = |of: &str| states(NOW).into_iter().find(|named| named.name == of);
    let state = |of: &str| {
        let State { phase, paused_by, on_move, running, white, black, .. } =
            named(of).expect("it is one of the states").state;
        State {
            at_nsec: NOW,
            phase,
            paused_by,
            on_move,
            running,
            white: SideState {
                moves: white.moves,
                remaining_nsec: 182 * SECOND,
                method: Method::Increment,
                method_nsec: 2 * SECOND,
                ..SideState::default()
            },
            black: SideState {
                moves: black.moves,
                remaining_nsec: 182 * SECOND,
                method: Method::Increment,
                method_nsec: 2 * SECOND,
                ..SideState::default()
            },
            time_control: "3+2".into(),
            periods: 1,
            rules: "Two players who agree, without an arbiter".into(),
            ..State::default()
        }
    };
    let paused = state("paused");
    let flag = State {
        first_flag: Who::White,
        white: SideState {
            remaining_nsec: 0,
            flag_nsec: Some(1),
            out_of_time: true,
            ..state("flag").white
        },
        ..state("flag")
    };
    [
        ("club-ready", "a game without an arbiter, before its start", state("ready")),
        ("club-running", "a game without an arbiter", state("white-runs")),
        ("club-paused", "a game without an arbiter is paused", paused.clone()),
        (
            "club-white-pressed",
            "White has confirmed that a game without an arbiter goes on",
            State { resume_confirmed_by: Who::White, ..paused.clone() },
        ),
        ("club-flag", "White's flag has fallen in a game without an arbiter", flag),
        (
            "club-draw",
            "a game without an arbiter is drawn",
            State { phase: Phase::Over, result: "1/2-1/2".into(), ..paused },
        ),
    ]
    .map(|(name, shows, state)| (name, shows, Content::of(&state, rules, words)))
    .into()
}

fn read(path: &Path) -> Option<((u32, u32), Vec<u8>)> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).ok()?)).read_info().ok()?;
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut bytes).ok()?;
    bytes.truncate(info.buffer_size());
    Some(((info.width, info.height), bytes))
}

/// Whether these pixels are those of the golden picture in this file. With `UPDATE_PICTURES` in the
/// environment, they become the golden picture.
fn is_golden(file: &str, painted: &[u32], size: (u32, u32)) -> bool {
    let path = folder().join(file);
    let rgb = |pixel: &u32| {
        let [_, red, green, blue] = pixel.to_be_bytes();
        [red, green, blue]
    };
    let bytes: Vec<u8> = painted.iter().flat_map(rgb).collect();
    if read(&path) == Some((size, bytes)) {
        return true;
    }
    if std::env::var_os("UPDATE_PICTURES").is_none() {
        return false;
    }
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder of pictures");
    let out = BufWriter::new(File::create(&path).expect("a golden picture"));
    write_png(out, painted, size).expect("a golden picture");
    true
}

/// The size of a page on a sheet of the menu, and how many pages a sheet has side by side and one
/// above the other.
const PAGE: (u32, u32) = (480, 320);
const TILES: (u32, u32) = (4, 5);
const SHEET: (u32, u32) = (PAGE.0 * TILES.0, PAGE.1 * TILES.1);

/// Every page of the menu on a screen of 480 × 320 pixels, on sheets of 20 pages.
fn menu_sheets() -> Vec<Vec<u32>> {
    let setup = Setup { size: PAGE, ..screen("", PAGE, None).setup };
    let paused = states(NOW).into_iter().find(|named| named.name == "paused");
    let paused = Content::of(&paused.expect("it is one of the states").state, Rules::NONE, EN);
    let painted = |page: &MenuPage| pixels(&paused.clone().with_menu(Some(page)), &setup);
    let [width, columns, across] = [PAGE.0, TILES.0, SHEET.0].map(|number| number as usize);
    let sheet = |pages: &[MenuPage]| {
        let mut sheet = vec![0; (SHEET.0 * SHEET.1) as usize];
        for (index, page) in pages.iter().enumerate() {
            let (column, row) = (index % columns, index / columns);
            for (y, line) in painted(page).chunks(width).enumerate() {
                let at = (row * PAGE.1 as usize + y) * across + column * width;
                sheet[at..at + width].copy_from_slice(line);
            }
        }
        sheet
    };
    every_page().chunks((TILES.0 * TILES.1) as usize).map(sheet).collect()
}

#[test]
fn every_state_looks_as_its_golden_picture() {
    let mut different = Vec::new();
    let mut expected = Vec::new();
    for screen in screens() {
        for (name, _, content) in contents(screen.words) {
            if !screen.only.is_empty() && !screen.only.contains(&name) {
                continue;
            }
            let file = format!("{}/{name}.png", screen.name);
            let painted = pixels(&content, &screen.setup);
            if !is_golden(&file, &painted, screen.setup.size) {
                different.push(file.clone());
            }
            expected.push(file);
        }
    }
    for (number, sheet) in menu_sheets().iter().enumerate() {
        let file = format!("menu-pages/{}.png", number + 1);
        if !is_golden(&file, sheet, SHEET) {
            different.push(file.clone());
        }
        expected.push(file);
    }
    assert!(different.is_empty(), "`make pictures` paints them anew; look at them: {different:#?}");
    let mut found: Vec<String> = Vec::new();
    for entry in
        fs::read_dir(folder()).unwrap().filter_map(Result::ok).filter(|entry| entry.path().is_dir())
    {
        for picture in fs::read_dir(entry.path()).unwrap() {
            let (of, name) = (entry.file_name(), picture.unwrap().file_name());
            found.push(format!("{}/{}", of.to_str().unwrap(), name.to_str().unwrap()));
        }
    }
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "a picture that is no state of the face");
}

/// If two states looked the same on a screen, nobody could tell them apart there.
#[test]
fn on_each_screen_every_state_looks_different() {
    for screen in screens() {
        // Two pictures usually differ in one of their first rows, so that comparing them is much
        // faster than hashing them.
        let mut seen: Vec<(Vec<u32>, &str)> = Vec::new();
        for (name, _, content) in contents(screen.words) {
            let painted = pixels(&content, &screen.setup);
            if let Some((_, other)) = seen.iter().find(|(earlier, _)| *earlier == painted) {
                panic!("{name} looks like {other} on {}", screen.name);
            }
            seen.push((painted, name));
        }
    }
}

/// The contact sheet is `docs/face-states.md`.
#[test]
fn the_contact_sheet_shows_every_state() {
    let mut sheet = String::from(
        "# Every state of the face\n\nThe pictures that the tests compare with, on a screen of 800 × 480 pixels, side \
         by side and facing. `make pictures` paints them anew.\n\n| state | side by side | facing |\n|---|---|---|\n",
    );
    for (name, shows, _) in contents(EN) {
        let picture = |screen| format!("![{name}](pictures/{screen}/{name}.png)");
        sheet += &format!(
            "| **{name}**: {shows} | {} | {} |\n",
            picture("800x480"),
            picture("800x480-facing")
        );
    }
    let path = folder().join("../face-states.md");
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        fs::write(&path, &sheet).unwrap();
    }
    assert_eq!(
        fs::read_to_string(&path).unwrap_or_default(),
        sheet,
        "`make pictures` writes it anew"
    );
}
