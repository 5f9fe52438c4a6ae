//! Dutch.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words =
    Words { name: "Nederlands", face: Face { low: "weinig" }, menu: Menu { title: "Menu" } };
