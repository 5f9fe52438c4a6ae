//! English.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "English", face: FACE, menu: MENU };

const FACE: Face = Face { low: "low" };

// The menu at the clock.

const MENU: Menu = Menu { title: "Menu" };
