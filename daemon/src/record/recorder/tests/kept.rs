//! A test with a process that is killed, and with the next process, which takes over its retained
//! memory. Other tests use the types of this module.

use super::*;
use std::os::fd::{AsFd, OwnedFd};

/// The retained memory, which systemd keeps when a process is killed.
pub struct Kept(OwnedFd);

const BOOT: [u8; 16] = [0; 16];

impl Kept {
    /// Keeps this memory.
    pub fn of(memory: &RetainedMemory) -> Kept {
        Kept(memory.as_fd().try_clone_to_owned().unwrap())
    }

    /// Makes the retained memory, and the first process, which sets up a new clock.
    pub fn new(path: &Path) -> (Kept, Rig) {
        let memory = RetainedMemory::create(BOOT, FORMAT).unwrap();
        let kept = Kept::of(&memory);
        (kept, begin(set_up_with(Some(path), "boot-1", memory, Origin::New)))
    }

    /// Opens the memory as the next process does.
    pub fn memory(&self) -> RetainedMemory {
        RetainedMemory::adopt(self.0.try_clone().unwrap(), BOOT, FORMAT).unwrap()
    }

    /// What the next process finds.
    pub fn next(&self, path: Option<&Path>) -> (Started, Arc<Health>) {
        set_up_with(path, "boot-1", self.memory(), Origin::Earlier)
    }

    /// Ends the process `killed`, and starts the next one, which continues its game.
    pub fn kill(&self, killed: Rig, path: &Path) -> Rig {
        self.kill_with(killed, Some(path))
    }

    /// Like [`Kept::kill`]; the next process keeps no record if `path` is `None`.
    pub fn kill_with(&self, killed: Rig, path: Option<&Path>) -> Rig {
        let Rig { mut clock, now, .. } = killed;
        let (started, health) = self.next(path);
        let found = started.kept.unwrap();
        assert_eq!(*found.clock, clock);
        let Since::Restart(since) = found.since else { panic!("{:?}", found.since) };
        let Started { recorder, mut entries, .. } = started;
        // In the service, the clock loop makes these calls after a restart.
        if !found.is_recorded {
            clock.set_entry(clock.entry() + 1);
            entries.state(&clock, &[]);
            entries.keep(&clock);
        }
        let mut rig = Rig { recorder, entries, health, clock, now, game: found.id };
        let at = rig.at();
        rig.input(Input::Restarted { since, at, closed: Some([false; 2]) });
        rig
    }
}

impl Rig {
    /// Calls `pass` with an instant 2 s from now, when the recorder tries again after a failure.
    pub fn pass_later(&mut self) {
        self.recorder.pass(std::time::Instant::now() + Duration::from_secs(2));
    }

    /// Closes the file of the record, as the kernel does when a process is killed.
    pub fn close_record(&mut self) {
        drop(self.recorder.games.take());
    }
}

/// The clock loop writes each entry at once and the whole state later, so a kill can come between
/// the two writes. This test kills the process after 0 to 6 inputs, and each time the latest state
/// includes another number of these inputs.
#[test]
fn a_process_that_is_killed_between_an_entry_and_the_state_loses_nothing() {
    let (white, black) = (Button::Player(Side::White), Button::Player(Side::Black));
    let pause = Command::Pause { by: clock_engine::Caller::Arbiter };
    let new = Command::New { control: control(), force: true };
    // The whole state is written after each of the first `state_after` inputs. The process is
    // killed after `inputs` inputs.
    for (state_after, inputs) in (0..=6).flat_map(|after| (after..=6).map(move |all| (after, all)))
    {
        let (_folder, path) = folder();
        let (kept, mut rig) = Kept::new(&path);
        // With an even number of inputs, the recorder has also read the entries that the latest
        // state does not include.
        let is_read = inputs % 2 == 0;
        for number in 0..inputs {
            let at = rig.at();
            let command = |id: u64, command: Command, rig: &Rig| {
                let revision = rig.clock.update(clockd_rt::Cause::Started, at).revision;
                Input::Request(Request { id, at, revision, command: command.into() })
            };
            let input = match number {
                0 => command(1, Command::Start, &rig),
                3 => command(2, pause, &rig),
                4 => command(3, new, &rig),
                5 => command(4, Command::Start, &rig),
                _ if number % 2 == 1 => Input::Press(white, at),
                _ => Input::Press(black, at),
            };
            let text = GameText { control: "again".to_owned(), ..GameText::default() };
            let game = Some(Box::new(NotedGame { id: 3, text }));
            let noted = EntryNote::Command(CommandNote { game, ..note("new", Some(1000)) });
            let noted = if number == 4 { noted.encode(3) } else { Note::default() };
            rig.noted_input(input, &noted);
            if number < state_after {
                rig.entries.keep(&rig.clock);
            }
            if is_read {
                rig.pass();
            }
        }
        let unkept = rig.clock.entry() - kept.memory().snapshot().unwrap().entry;
        assert_eq!(unkept, inputs - state_after);
        rig.close_record();
        let (started, _) = kept.next(Some(&path));
        let found = started.kept.as_ref().unwrap();
        assert_eq!(*found.clock, rig.clock, "{state_after} {inputs}");
        // The names and texts of the second game come from the note of its command.
        let is_again = found.text.control == "again";
        let second = inputs > 4;
        assert_eq!((found.id == 3, is_again), (second, second));
        // A kill right after this start changes nothing.
        drop(started);
        let mut rig = kept.kill(rig, &path);
        rig.pass();
        assert_eq!((rig.latest(), rig.lost()), (rig.clock.entry(), 0), "{state_after} {inputs}");
    }
}
