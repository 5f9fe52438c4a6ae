//! Stores in the retained memory what identifies the game on the clock. So after a restart, the
//! service knows the game even if the record cannot be read.

use super::info::{GameInfo, GameText};
use clock_engine::Phase;
use clockd_rt::retained::{Snapshot, SnapshotWriter};
use serde::{Deserialize, Serialize};
use std::sync::Mutex;

/// What identifies the game on the clock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The names of the game, and the texts of its files.
    pub text: GameText,
    /// Whether the game was set up from the configuration, and not by a command.
    pub is_configured: bool,
    /// The number of the game in the record; `None` if it is not known or no record is kept.
    pub number: Option<u64>,
    /// The number of the entry with which the game began; `None` if it is not known.
    pub first_entry: Option<u64>,
    /// Whether the service is still to start White's clock at the scheduled time.
    pub awaits_start: bool,
}

impl Identity {
    /// The identity that an earlier process kept, and the number of the request whose command set
    /// up the game; `None` if this version cannot read it.
    pub fn read(kept: &Snapshot) -> Option<(u64, Identity)> {
        Some((kept.entry, postcard::from_bytes(&kept.bytes).ok()?))
    }

    /// Whether a game on record with the text `text` can be the game of this identity. If `number`
    /// is known, the caller has compared it with the number of the game on record. The texts of the
    /// files are then not compared, because a file can have been changed after the game was set up.
    /// If `number` is not known, the text of a file is compared only if both games have it, because
    /// [`IdentityKeeper`] leaves a text out if it has no room for it.
    pub fn is_of_game(&self, text: &GameText) -> bool {
        let mut other = text.clone();
        for (of_other, own) in [
            (&mut other.control_text, &self.text.control_text),
            (&mut other.rules_text, &self.text.rules_text),
        ] {
            if self.number.is_some() || own.is_empty() || of_other.is_empty() {
                of_other.clone_from(own);
            }
        }
        other == self.text
    }
}

/// Keeps the identity of the game. If the field is `None`, which is so only in tests, nothing is
/// kept.
pub struct IdentityKeeper(Option<Mutex<Kept>>);

struct Kept {
    writer: SnapshotWriter,
    /// The number of the request whose command has set up the game or changed its rules, its time
    /// control or its names; 0 if the game is that of the configuration.
    request: u64,
    identity: Identity,
}

impl IdentityKeeper {
    /// Keeps identities with this writer. `is_configured` says whether the game on the clock was
    /// set up from the configuration, and `first_entry` with which entry it began. `request` is the
    /// number of the request whose command has set the game; 0 if there is none.
    pub fn new(
        writer: SnapshotWriter,
        is_configured: bool,
        first_entry: Option<u64>,
        request: u64,
    ) -> IdentityKeeper {
        let identity = Identity { is_configured, first_entry, ..Identity::default() };
        IdentityKeeper(Some(Mutex::new(Kept { writer, request, identity })))
    }

    /// Keeps nothing.
    #[cfg(test)]
    pub fn none() -> IdentityKeeper {
        IdentityKeeper(None)
    }

    /// Keeps the identity of the game that is on the clock at the start.
    pub fn begin(&self, game: &GameInfo, number: Option<u64>) {
        self.keep(number, |kept| kept.set(game));
    }

    /// Keeps the game that the command of the request with the number `request` has set. `begins`
    /// is the entry of the command if it has begun a new game, and `None` if it has changed the
    /// present one.
    pub fn change(&self, request: u64, game: &GameInfo, number: Option<u64>, begins: Option<u64>) {
        self.keep(number, |kept| {
            kept.request = request;
            kept.set(game);
            kept.identity.first_entry = begins.or(kept.identity.first_entry);
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
        let Kept { writer, request, identity } = &mut *kept;
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
                writer.commit(length, *request);
                return;
            }
        }
        tracing::error!("there is no room for the names of the game: a killed clockd loses them");
    }
}

impl Kept {
    fn set(&mut self, game: &GameInfo) {
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
        let keeper = IdentityKeeper::new(memory.split().unwrap().identity.0, true, Some(2), 0);
        let players = PerSide { white: "Vera".to_owned(), black: "Sonja".to_owned() };
        let mut game = GameInfo { control: "5+3".to_owned(), players, ..GameInfo::default() };
        keeper.begin(&game, None);
        let read = || Identity::read(&later.identity().unwrap()).unwrap();
        let text = GameText::from(&game);
        let first_entry = Some(2);
        let expected = Identity { text, is_configured: true, first_entry, ..Identity::default() };
        assert_eq!(read(), (0, expected));
        keeper.follow(Some(3), Phase::Ready);
        assert_eq!((read().0, read().1.number, read().1.is_configured), (0, Some(3), true));
        game.control_text = "#".repeat(clock_controls::FILE_LIMIT);
        keeper.change(8, &game, Some(3), None);
        assert_eq!(read().1.first_entry, Some(2));
        keeper.change(9, &game, Some(4), Some(20));
        keeper.follow(None, Phase::Ready);
        let (request, identity) = read();
        assert_eq!(identity.first_entry, Some(20));
        assert_eq!((request, identity.number, identity.is_configured), (9, Some(4), false));
        assert_eq!((identity.text.white.as_str(), identity.text.control_text.len()), ("Vera", 0));
    }

    #[test]
    fn an_awaited_start_is_kept_until_the_game_has_been_started() {
        let memory = RetainedMemory::create([0; 16], 1).unwrap();
        let fd = memory.as_fd().try_clone_to_owned().unwrap();
        let later = RetainedMemory::adopt(fd, [0; 16], 1).unwrap();
        let keeper = IdentityKeeper::new(memory.split().unwrap().identity.0, false, None, 0);
        let awaits_start = || Identity::read(&later.identity().unwrap()).unwrap().1.awaits_start;
        let of_start = |starts_clock| {
            let start = ScheduledStart { realtime_nsec: 5, starts_clock, is_late: false };
            GameInfo { start: Some(start), ..GameInfo::default() }
        };
        keeper.begin(&of_start(false), Some(1));
        assert!(!awaits_start());
        keeper.change(1, &of_start(true), Some(2), Some(5));
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
