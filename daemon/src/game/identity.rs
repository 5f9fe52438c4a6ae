//! Stores in the retained memory the names and texts of the game on the clock. So after a restart, the
//! service knows them even if the record cannot be read.

use super::info::{GameInfo, GameText};
use clock_engine::Phase;
use clockd_rt::retained::{Snapshot, SnapshotWriter};
use serde::{Deserialize, Serialize};
use std::sync::Mutex;

/// The game on the clock, as far as the clock itself does not know it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The names of the game, and the texts of its files.
    pub text: GameText,
    /// Whether the game was set up from the configuration, and no command has given it names or texts.
    pub is_configured: bool,
    /// The number of the game in the record; `None` if it is not known or no record is kept.
    pub number: Option<u64>,
    /// Whether the service is still to start White's clock at the scheduled time.
    pub awaits_start: bool,
}

impl Identity {
    /// What an earlier process kept of the game with the identity `game`; `None` if it kept another game,
    /// or if this version cannot read it.
    pub fn read(kept: &Snapshot, game: u64) -> Option<Identity> {
        (kept.game == game).then(|| postcard::from_bytes(&kept.bytes).ok()).flatten()
    }
}

/// Stores the names and texts of the game on the clock in the retained memory. The field is `None` only in
/// tests; then nothing is stored.
pub struct IdentityKeeper(Option<Mutex<Kept>>);

struct Kept {
    writer: SnapshotWriter,
    identity: Identity,
}

impl IdentityKeeper {
    /// Keeps games with this writer. `is_configured` says whether the game on the clock was set up from the
    /// configuration.
    pub fn new(writer: SnapshotWriter, is_configured: bool) -> IdentityKeeper {
        let identity = Identity { is_configured, ..Identity::default() };
        IdentityKeeper(Some(Mutex::new(Kept { writer, identity })))
    }

    /// Keeps nothing.
    #[cfg(test)]
    pub fn none() -> IdentityKeeper {
        IdentityKeeper(None)
    }

    /// Keeps the game that is on the clock at the start.
    pub fn begin(&self, game: &GameInfo, number: Option<u64>) {
        self.keep(number, |kept| kept.set(game));
    }

    /// Keeps the game that a command has set up or changed.
    pub fn change(&self, game: &GameInfo, number: Option<u64>) {
        self.keep(number, |kept| {
            kept.set(game);
            kept.identity.is_configured = false;
        });
    }

    /// Keeps the number of the game if it has changed, for example because the record can be read
    /// now. If the game has left the phase `Ready`, also stores that no start is awaited any more.
    pub fn follow(&self, number: Option<u64>, phase: Phase) {
        let Some(kept) = &self.0 else { return };
        let Identity { number: of_kept, awaits_start: awaited, .. } = lock(kept).identity;
        let (number, awaits_start) = (number.or(of_kept), awaited && phase == Phase::Ready);
        if (number, awaits_start) != (of_kept, awaited) {
            self.keep(number, |kept| kept.identity.awaits_start = awaits_start);
        }
    }

    fn keep(&self, number: Option<u64>, change: impl FnOnce(&mut Kept)) {
        let Some(kept) = &self.0 else { return };
        let mut kept = lock(kept);
        change(&mut kept);
        kept.identity.number = number;
        let Kept { writer, identity } = &mut *kept;
        // If the snapshot has no room for the identity, texts of files are left out. The clock
        // itself has the time control and the profile.
        let mut shorter = identity.clone();
        for texts in 0..=2 {
            if texts > 0 {
                shorter.text.rules_text.clear();
            }
            if texts > 1 {
                shorter.text.control_text.clear();
            }
            if let Ok(length) = postcard::to_slice(&shorter, writer.buffer()).map(|used| used.len())
            {
                writer.commit(length, 0);
                return;
            }
        }
        tracing::error!("there is no room for the names of the game: a killed clockd loses them");
    }
}

impl Kept {
    fn set(&mut self, game: &GameInfo) {
        self.writer.set_game(game.id);
        self.identity.text = GameText::from(game);
        self.identity.awaits_start = game.start.is_some_and(|start| start.starts_clock);
    }
}

fn lock(kept: &Mutex<Kept>) -> std::sync::MutexGuard<'_, Kept> {
    kept.lock().expect("nothing panics while it holds the lock")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::scheduled_start::ScheduledStart;
    use clock_engine::PerSide;
    use clockd_rt::retained::RetainedMemory;
    use std::os::fd::AsFd;

    #[test]
    fn the_game_is_known_again_also_with_the_largest_files() {
        let memory = RetainedMemory::create([0; 16], 1).unwrap();
        let fd = memory.as_fd().try_clone_to_owned().unwrap();
        let later = RetainedMemory::adopt(fd, [0; 16], 1).unwrap();
        let keeper = IdentityKeeper::new(memory.split().unwrap().identity.0, true);
        let players = PerSide { white: "Vera".to_owned(), black: "Sonja".to_owned() };
        let mut game = GameInfo { control: "5+3".to_owned(), players, ..GameInfo::default() };
        keeper.begin(&game, None);
        let read = |game| Identity::read(&later.identity().unwrap(), game);
        let text = GameText::from(&game);
        let expected = Identity { text, is_configured: true, ..Identity::default() };
        assert_eq!((read(0), read(1)), (Some(expected), None));
        keeper.follow(Some(3), Phase::Ready);
        let kept = read(0).unwrap();
        assert_eq!((kept.number, kept.is_configured), (Some(3), true));
        game.control_text = "#".repeat(clock_controls::FILE_LIMIT);
        game.id = 9;
        keeper.change(&game, Some(4));
        keeper.follow(None, Phase::Ready);
        let kept = read(9).unwrap();
        assert_eq!((kept.number, kept.is_configured), (Some(4), false));
        assert_eq!((kept.text.white.as_str(), kept.text.control_text.len()), ("Vera", 0));
    }

    #[test]
    fn an_awaited_start_is_kept_until_the_game_has_been_started() {
        let memory = RetainedMemory::create([0; 16], 1).unwrap();
        let fd = memory.as_fd().try_clone_to_owned().unwrap();
        let later = RetainedMemory::adopt(fd, [0; 16], 1).unwrap();
        let keeper = IdentityKeeper::new(memory.split().unwrap().identity.0, false);
        let awaits_start = || Identity::read(&later.identity().unwrap(), 0).unwrap().awaits_start;
        let of_start = |starts_clock| {
            let start = ScheduledStart { realtime_nsec: 5, starts_clock, is_late: false };
            GameInfo { start: Some(start), ..GameInfo::default() }
        };
        keeper.begin(&of_start(false), Some(1));
        assert!(!awaits_start());
        keeper.change(&of_start(true), Some(2));
        keeper.follow(Some(2), Phase::Ready);
        assert!(awaits_start());
        keeper.follow(Some(2), Phase::Running);
        assert!(!awaits_start());
        // The arbiter has rewound the game to its beginning. Even then, no start is awaited any
        // more.
        keeper.follow(Some(2), Phase::Ready);
        assert!(!awaits_start());
    }
}
