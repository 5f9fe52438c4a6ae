//! German.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "Deutsch", face: FACE, menu: MENU };

const FACE: Face = Face { low: "knapp" };

// The menu at the clock.

const MENU: Menu = Menu { title: "Menü" };
