//! Plays commands on a copy of the clock, to find out what they would do.
//!
//! The copy is a [`VersionedClock`], so the rules and the clock decide as they do for a command that
//! is carried out. Nothing leaves this process: there is no entry, no note and no log.

use super::info::GameInfo;
use super::report::report;
use super::turns::Turns;
use super::view_at::view_at;
use clock_engine::{Control, Recompute, TurnEvent};
use clockd_rt::begins_game;
use clockd_rt::{Cause, Input, Refusal, Request, Update, VersionedClock};

/// A copy of the clock and of the [`GameInfo`] of its game, on which commands are played.
#[derive(Clone)]
pub struct DryRun {
    clock: Box<VersionedClock>,
    /// The entry after which the clock was copied.
    copied_after: u64,
    /// The events of the commands that were played, on which the times depend.
    turns: Vec<TurnEvent>,
    game: GameInfo,
    latest: Update,
    changes: u64,
    games_begun: u64,
}

impl DryRun {
    /// A dry run that begins with this clock and this game.
    ///
    /// `rocker` is the position of a rocker that was pushed in the menu
    /// ([`Health::rocker_in_menu`](clockd_rt::Health::rocker_in_menu)), which the clock learns
    /// before the next command.
    pub fn new(
        mut clock: Box<VersionedClock>,
        game: GameInfo,
        rocker: Option<[bool; 2]>,
    ) -> DryRun {
        let (at, copied_after) = (clock.last(), clock.entry());
        if let Some(closed) = rocker {
            clock.handle(&Input::RockerFound { closed, at }, &mut |_: Update| {});
        }
        let latest = clock.update(Cause::Started, at);
        let turns = Vec::new();
        DryRun { clock, copied_after, turns, game, latest, changes: 0, games_begun: 0 }
    }

    /// Plays a command, and returns its report. `text` and `game` are those of
    /// [`Given`](super::Given). After a refusal the copy must not be used any more,
    /// because its time has passed on to the instant of the command.
    ///
    /// # Errors
    ///
    /// The refusal of the same command if it were carried out.
    pub fn give(
        &mut self,
        request: Request,
        text: &str,
        game: Option<GameInfo>,
    ) -> Result<String, Refusal> {
        let (mut refusal, shown) = (None, self.latest.view);
        let mut take = |update: Update| {
            if let Some((_, Err(refused))) = update.answer {
                refusal = Some(refused);
            }
            if update.cause.published().is_some() {
                self.changes += 1;
                self.latest = update;
            }
            self.games_begun += u64::from(begins_game(&update));
        };
        let before = *self.clock.game();
        let command = request.command;
        self.clock.handle(&Input::Request(request), &mut take);
        if let Some(refused) = refusal {
            return Err(refused);
        }
        let after = self.clock.game();
        self.turns.extend(before.turn_events(Some(&command), after, after.last()));
        if let Some(game) = game {
            let texts_version = self.game.texts_version + 1;
            self.game = GameInfo { texts_version, ..game };
        }
        let shown = view_at(&shown, self.latest.at);
        Ok(report(&command, text, &shown, &self.latest.view))
    }

    /// The game after the commands that were played.
    pub fn game(&self) -> &GameInfo {
        &self.game
    }

    /// The times of the game on the copy for a change to this time control. `turns` are the turns of
    /// the game up to [`DryRun::copied_after`].
    pub fn recompute(&self, control: &Control, turns: Turns) -> Recompute {
        let mut turns = turns;
        turns.add_events(&self.turns, self.clock.game());
        turns.recompute(control)
    }

    /// The times for a change to this time control, if the game was set up in this dry run.
    pub fn recompute_own(&self, control: &Control) -> Option<Recompute> {
        let begun = self.turns.contains(&TurnEvent::Begun);
        begun.then(|| self.clock.game().recompute(control, self.turns.iter().copied()))
    }

    /// The number of the entry after which the clock was copied.
    pub fn copied_after(&self) -> u64 {
        self.copied_after
    }

    /// The update of the latest change.
    pub fn latest(&self) -> &Update {
        &self.latest
    }

    /// How many changes would have been published.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// How many games would have begun.
    pub fn games_begun(&self) -> u64 {
        self.games_begun
    }
}
