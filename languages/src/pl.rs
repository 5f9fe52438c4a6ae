//! Polish.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words =
    Words { name: "Polski", face: Face { low: "mało" }, menu: Menu { title: "Menu" } };
