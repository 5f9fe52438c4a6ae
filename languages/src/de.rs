//! German.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words =
    Words { name: "Deutsch", face: Face { low: "knapp" }, menu: Menu { title: "Menü" } };
