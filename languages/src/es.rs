//! Spanish.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "Español", face: FACE, menu: MENU };

const FACE: Face = Face { low: "poco" };

// The menu at the clock.

const MENU: Menu = Menu { title: "Menú" };
