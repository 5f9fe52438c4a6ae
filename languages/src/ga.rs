//! Irish.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "Gaeilge", face: FACE, menu: MENU };

const FACE: Face = Face { low: "gann" };

// The menu at the clock.

const MENU: Menu = Menu { title: "Roghchlár" };
