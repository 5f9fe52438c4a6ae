//! `clockctl rules` asks the clock for its rule profiles.

use serde_json::Value;

use crate::fake::Fake;
use crate::private_bus::PrivateBus;
use crate::program::{Ran, run};

#[test]
fn the_profiles_of_the_clock_are_listed_and_shown() {
    let bus = PrivateBus::start();
    let _fake = Fake::with_game(&bus, 0);
    let Ran { out, err, exit } = run(&bus, &["rules", "list"]);
    assert_eq!((exit, err.as_str()), (0, ""));
    assert_eq!(out, "county     County league\nfide-2023  FIDE Laws of Chess 2023\n");

    let Ran { out, exit, .. } = run(&bus, &["rules", "show", "county"]);
    assert!(exit == 0 && out.starts_with("County league\n"), "{out}");
    assert!(out.contains("\nshow_moves = false\n"), "{out}");
    // The clock sends one text with all values, so the files that set them are not known.
    assert!(
        out.contains("    Chess Organisers' Handbook 6.15, FIDE Laws 2023 12.6.\n")
            && !out.contains("From county"),
        "{out}"
    );

    // The files of a shipped profile are known here.
    let Ran { out, exit, .. } = run(&bus, &["rules", "show", "fide-2023", "--json"]);
    let shown: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((exit, &shown["inherits"][0]), (0, &"fide-article-6".into()));
}

#[test]
fn a_profile_that_the_clock_does_not_know_is_refused() {
    let bus = PrivateBus::start();
    let _fake = Fake::with_game(&bus, 0);
    let Ran { out, err, exit } = run(&bus, &["rules", "show", "handbok", "--json"]);
    assert_eq!(exit, 5, "{err}");
    let object: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(object["error"]["code"], "invalid-rules");
    assert!(err.contains("no rule profile `handbok`"), "{err}");
}
