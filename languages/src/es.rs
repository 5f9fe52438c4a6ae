//! Spanish.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words =
    Words { name: "Español", face: Face { low: "poco" }, menu: Menu { title: "Menú" } };
