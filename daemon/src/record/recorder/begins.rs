//! Decides whether an entry begins a game on record, and which names and texts the game gets. Several
//! games can wait in the retained memory until the record can be opened, so each game needs names and
//! texts of its own. Those of the game on the clock can be wrong for it.

use super::describe::json;
use super::ledger::Ledger;
use super::ledger::{Begin, TakenUp};
use super::open_game::{GameJson, OpenGame};
use crate::game::{GameText, Identity};
use clock_dbus::ImportedFrom;
use clockd_rt::{Entry, VersionedClock};

impl Ledger {
    /// Returns whether the next entry, the state `clock`, begins another game than the latest one on
    /// record, and keeps that decision for [`begin`](Self::begin). `lost` is how many entries before
    /// this state are not on record.
    ///
    /// The kept game is the one that an earlier process had on the clock. Only its first state is
    /// compared with the game on record: for all others, the result is `false`.
    pub fn leaves_other_game(&mut self, clock: &VersionedClock, lost: u64) -> bool {
        let begins = self.kept.as_ref().and_then(|kept| kept.first_entry);
        let set_up = self.latest_set_up(clock.entry());
        if set_up.is_some_and(|set_up| begins.is_none_or(|begins| begins < set_up)) {
            // The configuration has set up a game after the kept one, and the state is of that game.
            return false;
        }
        let is_other = self.is_other_game(clock, lost);
        let kept = self.take_kept(clock.entry());
        self.begins |= is_other;
        if self.begins || self.game.is_none() {
            self.next = kept.or(self.next.take());
        }
        is_other
    }

    /// Takes the names and texts of the kept game. If the kept game begins only after the entry
    /// `number`, that entry belongs to an earlier game, and the result is `None`.
    pub(super) fn take_kept(&mut self, number: u64) -> Option<(GameText, bool)> {
        let can_be_of = |kept: &mut Identity| kept.first_entry.is_none_or(|first| first <= number);
        self.kept.take_if(can_be_of).map(|kept| (kept.text, kept.is_configured))
    }

    /// The first entry of the latest game up to the entry `number` that the configuration has set
    /// up and that is not on record yet.
    pub(super) fn latest_set_up(&self, number: u64) -> Option<u64> {
        let last = self.last().max(self.first_entry().unwrap_or_default());
        self.notes.latest_set_up(last, number)
    }

    /// Whether the latest game on record is certainly not that of `clock`, which is the next entry.
    fn is_other_game(&self, clock: &VersionedClock, lost: u64) -> bool {
        let (Some(kept), Some(game)) = (&self.kept, &self.game) else { return false };
        if kept.first_entry.is_some_and(|first| first > clock.entry()) {
            return false;
        }
        if let Some(on_record) = self.clock() {
            if kept.first_entry.is_some_and(|first| first > on_record.entry()) {
                return true;
            }
            // If exactly one entry was lost, the state has the number of that entry. So the numbers
            // show that nothing is missing only if `lost` is not 1.
            if lost != 1 && on_record.entry() + 1 == clock.entry() {
                // No entry is between the two clocks, so their games must be equal. The rest of the
                // clocks is not compared: it changes with the configured kind of switch, and such a
                // change is not an entry.
                return on_record.game() != clock.game();
            }
        }
        game.is_other_than(kept, &self.machine)
    }

    /// Takes the note on the game that the configuration has set up with the entry `first`, if the
    /// game begins on record with the entry `number`. That is a later entry than `first` if the first
    /// ones were lost.
    pub(super) fn take_set_up(&mut self, first: Option<u64>, number: u64) -> Option<GameText> {
        let of_kept = self.kept.as_ref().and_then(|kept| kept.first_entry);
        let first = first.filter(|first| {
            // If `begins` is set, the entry begins another game. That is the kept game, unless the
            // kept game begins before `first`. Only then does a note with an earlier `first` belong
            // to this entry.
            *first == number || !self.begins || of_kept.is_some_and(|kept| kept < *first)
        });
        self.notes.take_set_up(first, number)
    }

    /// Whether the entry is the present state of the clock, which is still as it was set up. A
    /// process adds such an entry if an earlier one has set the clock up without a record.
    pub(super) fn is_same_as(&self, entry: &Entry) -> bool {
        let Entry::State { clock, .. } = entry else { return false };
        self.clock().is_some_and(|before| before.is_new() && before.game() == clock.game())
    }

    /// What the clock itself says of its game: the time control and the rules.
    pub(super) fn text_of_clock(&self) -> GameText {
        let clock = self.replay.clock();
        clock
            .map(|clock| GameText::of_clock((clock.control(), clock.game().profile())))
            .unwrap_or_default()
    }

    /// Begins a game with the entry `first_entry`. `noted` are its names and texts from a note, and
    /// whether they are those of a configuration. Without a note, the game is the kept one or the
    /// next one, or it continues the game before it, which is full.
    pub(super) fn begin(&mut self, first_entry: u64, noted: Option<(GameText, bool)>) -> Begin {
        let kept = self.take_kept(first_entry);
        let before = self.game.take().map(|game| game.info.text);
        let is_other = std::mem::take(&mut self.begins);
        let known = |(text, _): &(GameText, bool)| *text != GameText::default();
        let (text, is_configured) = match (noted, before) {
            (Some(noted), _) => noted,
            (None, Some(before)) if !is_other => (before, false),
            _ => (kept.or_else(|| self.next.take()).filter(known))
                .unwrap_or_else(|| (self.text_of_clock(), false)),
        };
        let is_on_record =
            |from: &&ImportedFrom| from.machine == self.machine && from.game <= self.last_game;
        let from = text.imported_from.as_ref().filter(is_on_record);
        let takes_up = from.map(|from| TakenUp { game: from.game, chain: from.chain.clone() });
        let (machine, result) = (self.machine.clone(), String::new());
        let clock = self.replay.clock().cloned().map(Box::new);
        let info = GameJson { machine, text, result, is_configured, clock };
        self.last_game += 1;
        let begins = Begin { info: json(&info), takes_up };
        self.game = Some(OpenGame {
            number: self.last_game,
            first_entry,
            input_bytes: 0,
            info,
            ended: false,
            is_rewritten: false,
            adjourned: false,
        });
        begins
    }
}
