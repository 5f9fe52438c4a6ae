//! French.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words =
    Words { name: "Français", face: Face { low: "peu" }, menu: Menu { title: "Menu" } };
