//! The settings of the face (the sound, the brightness and the language), the page about the machine,
//! and the page while an arbiter tests the buttons.

use crate::context::Context;
use crate::effect::{Effect, Setting};
use crate::list::{Item, List, PageState};
use crate::page::{self, wrap};
use crate::words::Words;
use clock_dbus::MenuPage;
use clock_engine::Side;
use clock_languages::Language;

/// The offered values of the brightness in percent.
const PERCENT: [u8; 5] = [100, 75, 50, 25, 10];

/// The lines of the settings. What the clock does not have is not offered.
pub(super) fn items(context: &Context) -> Vec<Item> {
    let (words, situation) = (context.words, context.situation);
    let sound = situation.settings.sound;
    let now = if sound { words.settings.on } else { words.settings.off };
    let text = format!("{}{}{now}", words.settings.sound, words.colon());
    let items = [
        (situation.machine.has_buzzer, Item::effect(text, Effect::Set(Setting::Sound(!sound)))),
        (
            situation.machine.has_backlight,
            Item::open(words.settings.brightness, PageState::list(brightness)),
        ),
        (true, Item::open(words.settings.language, PageState::list(language))),
    ];
    items.into_iter().filter_map(|(is_offered, item)| is_offered.then_some(item)).collect()
}

/// A line that makes this setting, with a mark if it is the present one.
fn choice(text: &str, is_now: bool, setting: Setting) -> Item {
    let mark = if is_now { "•" } else { " " };
    Item::effect(format!("{mark} {text}"), Effect::Set(setting)).begun(is_now)
}

fn brightness(context: &Context) -> List {
    let (words, now) = (&context.words.settings, context.situation.settings.brightness);
    let mut items = vec![choice(words.by_schedule, now.is_none(), Setting::Brightness(None))];
    items.extend(PERCENT.map(|percent| {
        let (text, value) = (format!("{percent} %"), Some(percent));
        choice(&text, value == now, Setting::Brightness(value)).with_value(percent.to_string())
    }));
    List::with_back(context, 12, words.brightness, items)
}

/// Each language is listed under its own name, so that a player who cannot read the present
/// language finds his own.
fn language(context: &Context) -> List {
    let now = context.config.language(context.situation.settings);
    let item = |language: Language| {
        choice(language.words().name, language == now, Setting::Language(language))
    };
    let items = Language::ALL.map(item).into();
    List::with_back(context, 14, context.words.settings.language, items)
}

/// The machine: name, addresses, version, faults; and the board with its players.
pub(super) fn about(context: &Context) -> List {
    let (situation, words) = (context.situation, &context.words.settings);
    let mut texts = vec![situation.machine.name.clone()];
    match situation.machine.addresses.as_deref() {
        Some([]) => texts.push(words.no_address.to_owned()),
        addresses => {
            let addresses = addresses.unwrap_or_default().iter();
            texts.extend(addresses.map(|address| words.address.with([address])));
        }
    }
    texts.push(words.version.with([&situation.version]));
    if !situation.board.is_empty() {
        texts.push(words.board.with([&situation.board]));
    }
    let named = Side::BOTH.into_iter().filter(|side| !situation.players[*side].is_empty());
    texts.extend(named.map(|side| context.words.said_of(side, situation.players[side])));
    match situation.faults {
        [] => texts.push(words.no_faults.to_owned()),
        // Their texts are in English.
        faults if context.words.own.is_none() => texts.extend_from_slice(faults),
        faults => texts.push(words.faults.with([&faults.len()])),
    }
    let lines = texts.iter().flat_map(|text| wrap(text)).collect();
    List::with_back(context, 13, words.about, Item::texts(lines))
}

/// The page while an arbiter tests the buttons, in this language. No button does anything on it.
pub fn button_test_page(language: Language) -> MenuPage {
    let words = &Words(language).settings;
    let lines = [words.presses_do_not_count.to_owned()];
    page::new(39, words.button_test, &lines, None)
}
