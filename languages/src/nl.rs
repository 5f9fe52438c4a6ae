//! Dutch.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "Nederlands", face: FACE, menu: MENU };

const FACE: Face = Face { low: "weinig" };

// The menu at the clock.

const MENU: Menu = Menu { title: "Menu" };
