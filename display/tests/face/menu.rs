//! The menu of the clock on the face.

use clock_dbus::{Language, MenuPage, MenuSettings, MenuState, State};

use super::bus::{Bus, Folder};
use super::fake::{FakeClock, paused};
use super::pages::pages;
use super::screen::Face;
use super::{runtime, white_runs};

fn page(name: &str) -> MenuPage {
    let mut pages = pages().into_iter();
    pages.find(|page| page.name == name).expect("there is such a page").page
}

#[test]
fn the_page_takes_the_place_of_the_clock_until_the_menu_is_closed() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let clock = runtime.block_on(FakeClock::start(&bus.address, paused()));
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for("Paused");
    let set = |page| runtime.block_on(clock.set_menu(page, MenuSettings::default()));
    set(MenuPage { state: MenuState::Release, ..MenuPage::default() });
    face.wait_for("RELEASE the buttons");
    face.wait_for("Vera Menchik");
    set(page("menu-tiles"));
    for text in ["A press starts White's clock", "Again", "Call held: More"] {
        face.wait_for(text);
    }
    set(page("menu-list"));
    for text in ["Time control", "> 25+10", "White: ▲", "Call: choose   Call held: leave"] {
        face.wait_for(text);
    }
    face.wait_without("Paused");
    set(page("menu-digits"));
    face.wait_for("> 1:3[2]:00");
    face.wait_without("Time control");
    set(MenuPage::default());
    face.wait_for("Paused");
}

/// A face that is started while the menu is open shows its page, and so does one whose service was
/// restarted. A page of the service before is not kept.
#[test]
fn the_page_is_read_from_each_service() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let clock = runtime.block_on(FakeClock::start(&bus.address, paused()));
    runtime.block_on(clock.set_menu(page("menu-list"), MenuSettings::default()));
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for("Time control");
    runtime.block_on(clock.leave());
    face.wait_for("no clock service");
    face.wait_without("Time control");
    let clock = runtime.block_on(FakeClock::start(&bus.address, paused()));
    face.wait_for("Paused");
    runtime.block_on(clock.set_menu(page("menu-code"), MenuSettings::default()));
    face.wait_for("Arbiter's code");
    face.wait_without("Time control");
}

#[test]
fn a_running_clock_is_never_hidden() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let clock = runtime.block_on(FakeClock::start(&bus.address, paused()));
    runtime.block_on(clock.set_menu(page("menu-list"), MenuSettings::default()));
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for("Time control");
    let running: State = white_runs(5_400_000_000_000);
    runtime.block_on(clock.transition("start", running));
    face.wait_for("▶ White");
    face.wait_without("Time control");
}

/// The face follows the language of the menu, also while no service answers, unless its
/// configuration names another one.
#[test]
fn the_face_has_the_language_of_the_menu_or_of_its_configuration() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let clock = runtime.block_on(FakeClock::start(&bus.address, paused()));
    let config = folder.file("display.toml");
    std::fs::write(&config, "language = \"de\"\n").expect("it is written");
    let config = config.to_str().expect("a path of ASCII");
    let german = Face::start(&["--bus", &bus.address, "--config", config]);
    german.wait_for("Weiß");
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for("Paused");
    let polish = MenuSettings { language: Language::Polish, ..MenuSettings::default() };
    runtime.block_on(clock.set_menu(MenuPage::default(), polish));
    face.wait_for("Pauza");
    runtime.block_on(clock.set_menu(page("menu-list"), polish));
    face.wait_for("Białe: ▲");
    german.wait_for("Weiß: ▲");
    runtime.block_on(clock.leave());
    face.wait_for("brak odpowiedzi");
    german.wait_for("kein Uhrendienst");
}
