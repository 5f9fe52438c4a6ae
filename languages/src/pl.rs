//! Polish.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "Polski", face: FACE, menu: MENU };

const FACE: Face = Face { low: "mało" };

// The menu at the clock.

const MENU: Menu = Menu { title: "Menu" };
