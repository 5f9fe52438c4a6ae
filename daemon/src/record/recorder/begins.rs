//! Begins a game on record, with its names and texts.

use super::describe::json;
use super::ledger::{Begin, Ledger, TakenUp};
use super::noted_entry::NotedEntry;
use super::open_game::{GameJson, OpenGame};
use crate::game::GameText;
use clock_dbus::ImportedFrom;
use clockd_rt::Entry;

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

    /// The names and texts of the game of this state, if they differ from those on record. Commands that
    /// gave them can be among the entries that were lost before the state.
    pub(super) fn text_of_state(&self, noted: &NotedEntry) -> Option<(GameText, bool)> {
        let game = self.game.as_ref()?;
        let (_, kept) = self.kept.as_ref().filter(|(id, _)| *id == game.id)?;
        let is_state = matches!(noted.entry, Entry::State { .. });
        if !is_state || kept.text == GameText::default() {
            return None;
        }
        let (mut text, on_record) = (kept.text.clone(), &game.info.text);
        // The memory leaves out the text of a file for which it has no room.
        if text.control_text.is_empty() && text.control == on_record.control {
            text.control_text.clone_from(&on_record.control_text);
        }
        if text.rules_text.is_empty() && text.rules == on_record.rules {
            text.rules_text.clone_from(&on_record.rules_text);
        }
        (text != *on_record).then_some((text, kept.is_configured))
    }

    /// What the clock itself says of its game: the time control and the rules.
    pub(super) fn text_of_clock(&self) -> GameText {
        let clock = self.replay.clock();
        clock
            .map(|clock| GameText::of_clock((clock.control(), clock.game().profile())))
            .unwrap_or_default()
    }

    /// If a game with these texts continues an earlier game on record, that earlier game.
    pub(super) fn taken_up(&self, text: &GameText) -> Option<TakenUp> {
        let is_on_record =
            |from: &&ImportedFrom| from.machine == self.machine && from.game <= self.last_game;
        let from = text.imported_from.as_ref().filter(is_on_record);
        from.map(|from| TakenUp { game: from.game, chain: from.chain.clone() })
    }

    /// Begins a game with the identity `id` and with the entry `first_entry`.
    pub(super) fn begin(
        &mut self,
        id: u64,
        first_entry: u64,
        (text, is_configured): (GameText, bool),
    ) -> Begin {
        let takes_up = self.taken_up(&text);
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
            has_other_text: false,
        });
        begins
    }
}
