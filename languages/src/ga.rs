//! Irish.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words =
    Words { name: "Gaeilge", face: Face { low: "gann" }, menu: Menu { title: "Roghchlár" } };
