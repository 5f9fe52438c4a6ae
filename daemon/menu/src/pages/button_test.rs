//! The page while an arbiter tests the buttons.

use crate::page;
use crate::words::Words;
use clock_dbus::MenuPage;
use clock_languages::Language;

const NUMBER: u32 = 39;

/// The page in this language. No button does anything on it.
pub fn page(language: Language) -> MenuPage {
    let words = &Words(language).settings;
    let lines = [words.presses_do_not_count.to_owned()];
    page::new(NUMBER, words.button_test, &lines, None)
}
