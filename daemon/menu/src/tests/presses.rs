//! How many presses a typical correction takes. FIDE asks for less than 60 s.

use super::table::{Table, config};
use crate::{Keys, When};
use clock_engine::{Side, Span};

/// Presses at 0.5 s each within 60 s.
const LIMIT: u32 = 120;

/// Both times and both counters are corrected, and the game goes on.
fn correction(keys: Keys) -> u32 {
    let mut table = Table::with("40/90, G/30", "fide-article-6", keys, config(When::Always, None));
    table.play(Side::Black, 5);
    for side in [Side::White, Side::Black].into_iter().cycle().take(22) {
        table.play(side, 61);
    }
    table.call(30);
    table.open().unwrap();
    table.presses = 0;
    table.choose_all(&["Correct", "White's time"]);
    table.enter("11930");
    table.choose("White's moves");
    table.enter("012");
    table.choose_all(&["Show", "Yes"]);
    table.both_agree();
    let presses = table.presses;
    let white = table.view().sides.white;
    assert_eq!((white.remaining, white.moves), (Span::from_secs(4770), 12));
    presses
}

#[test]
fn a_time_and_a_counter_are_corrected_in_well_under_60_s() {
    for keys in [Keys::ButtonsAndCall, Keys::Buttons, Keys::RockerAndCall] {
        let presses = correction(keys);
        assert!(presses < LIMIT / 2, "{keys:?}: {presses} presses");
    }
}
