//! Checks the language files in `texts`, and writes their texts as constants, so that no file is read
//! when a program starts. A mistake in a file ends the build with the file, the line and the key.

#[path = "build/check.rs"]
mod check;

use std::env;
use std::fs;
use std::path::Path;

const LANGUAGES: [&str; 7] = ["en", "de", "fr", "es", "nl", "pl", "ga"];

fn main() {
    for path in ["build.rs", "build", "src/limits.rs", "src/structure.rs", "texts"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let folder = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("texts.rs");
    let mut rust = String::new();
    for code in LANGUAGES {
        let file = format!("texts/{code}.toml");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        match check::checked(code, &text) {
            Ok(constants) => rust += &constants,
            Err(mistakes) => mistakes
                .iter()
                .for_each(|mistake| println!("cargo::error=languages/texts/{mistake}")),
        }
    }
    fs::write(folder, rust).expect("cargo has made the folder");
}
