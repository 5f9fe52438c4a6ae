//! French.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "Français", face: FACE, menu: MENU };

const FACE: Face = Face { low: "peu" };

// The menu at the clock.

const MENU: Menu = Menu { title: "Menu" };
