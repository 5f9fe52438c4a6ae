//! Begins a game on record, with its names and texts.

use super::describe::json;
use super::ledger::{Begin, Ledger, TakenUp};
use super::open_game::{GameJson, OpenGame};
use crate::game::GameText;
use clock_dbus::ImportedFrom;

impl Ledger {
    /// The names and texts of the game with this identity, and whether they are those of the configuration.
    /// If they are not known, they are those of the time control and the rules.
    pub(super) fn known_text(&self, id: u64) -> (GameText, bool) {
        let of_game = self.game.as_ref().filter(|game| game.id == id);
        let of_game = of_game.map(|game| (&game.info.text, game.info.is_configured));
        let of_kept = self.kept.as_ref().filter(|(kept, _)| *kept == id);
        let of_kept = of_kept.map(|(_, kept)| (&kept.text, kept.is_configured));
        let known = of_game.or(of_kept).filter(|(text, _)| **text != GameText::default());
        known.map_or_else(|| (self.text_of_clock(), false), |(text, is)| (text.clone(), is))
    }

    /// What the clock itself says of its game: the time control and the rules.
    pub(super) fn text_of_clock(&self) -> GameText {
        let clock = self.replay.clock();
        clock
            .map(|clock| GameText::of_clock((clock.control(), clock.game().profile())))
            .unwrap_or_default()
    }

    /// Begins a game with the identity `id` and with the entry `first_entry`.
    pub(super) fn begin(
        &mut self,
        id: u64,
        first_entry: u64,
        (text, is_configured): (GameText, bool),
    ) -> Begin {
        let is_on_record =
            |from: &&ImportedFrom| from.machine == self.machine && from.game <= self.last_game;
        let from = text.imported_from.as_ref().filter(is_on_record);
        let takes_up = from.map(|from| TakenUp { game: from.game, chain: from.chain.clone() });
        let (machine, result) = (self.machine.clone(), String::new());
        let clock = self.replay.clock().cloned().map(Box::new);
        let info = GameJson { machine, text, result, is_configured, clock };
        let begins = Begin { id, info: json(&info), takes_up };
        self.last_game += 1;
        self.game = Some(OpenGame {
            id,
            first_entry,
            input_bytes: 0,
            info,
            ended: false,
            adjourned: false,
        });
        begins
    }
}
