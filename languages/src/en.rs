//! English.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words =
    Words { name: "English", face: Face { low: "low" }, menu: Menu { title: "Menu" } };
