//! Tests of commands whose notes (who gave them, and why) find no room in the retained memory.

use super::kept::Kept;
use super::*;

const COMMANDS: u64 = 700;

impl Rig {
    /// Gives a pause or a resume with a long reason.
    fn command_with_long_reason(&mut self, request: u64, uid: Option<u32>) {
        let CommandNote::Given { verb, sender, capacity, text, .. } = note(1, "pause", uid, None)
        else {
            unreachable!("`note` makes this kind")
        };
        let (reason, caller_pending, game) = ("r".repeat(480), uid.is_none(), None);
        let given = CommandNote::Given {
            request,
            verb,
            uid,
            caller_pending,
            sender,
            capacity,
            reason,
            text,
            game,
        };
        self.notes.add(&given);
        match request % 2 {
            0 => self.command(request, Command::Pause { by: clock_engine::Caller::Arbiter }),
            _ => self.command(request, Command::Resume { side: None }),
        }
        if caller_pending {
            let capacity = "arbiter".to_owned();
            self.notes.add(&CommandNote::Caller { request, uid: Some(1000), capacity });
        }
    }

    fn unnoted(&self) -> u64 {
        self.health.unnoted_commands.load(Ordering::Relaxed)
    }
}

/// How many commands on record have nobody who gave them.
fn unnoted_on_record(rig: &mut Rig) -> u64 {
    let rows = rig.on_record().0.rows;
    let is_unnoted = |row: &&Row| {
        let command = row.row.command.as_ref().unwrap();
        let command: serde_json::Value = serde_json::from_str(command).unwrap();
        let is_of_nobody = command["capacity"] == "";
        assert_eq!(command["uid"].is_null(), is_of_nobody, "{command}");
        assert_eq!(command["reason"] == "", is_of_nobody, "{command}");
        is_of_nobody
    };
    let commands = rows.iter().filter(|row| row.row.kind == "command");
    commands.filter(is_unnoted).count().try_into().unwrap()
}

/// The retained memory and a process whose record cannot be opened. So many commands were given that
/// the memory has no room for more notes.
fn full_of_notes(path: &Path) -> (Kept, Rig) {
    let (kept, mut rig) = Kept::new(path);
    let start = note(1, "start", Some(1000), None);
    rig.notes.add(&start);
    rig.command(1, Command::Start);
    for request in 2..2 + COMMANDS {
        // The callers of some commands become known only after their commands.
        rig.command_with_long_reason(request, (request % 3 > 0).then_some(1000));
        rig.pass();
    }
    (kept, rig)
}

#[test]
fn commands_without_room_for_who_gave_them_are_a_fault_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("there");
    let path = there.join("games");
    let (kept, rig) = full_of_notes(&path);
    let unnoted = rig.unnoted();
    assert!((1..COMMANDS).contains(&unnoted) && rig.lost() == 0, "{unnoted}");
    let text = format!("{unnoted} commands are recorded without the person and the reason");
    assert!(rig.health.faults().iter().any(|fault| fault.starts_with(&text)));

    let mut rig = kept.kill(rig, &path);
    assert_eq!(rig.unnoted(), unnoted);
    std::fs::create_dir(&there).unwrap();
    for _ in 0..COMMANDS {
        rig.pass_later();
    }
    assert_eq!((rig.latest(), rig.lost()), (rig.clock.entry(), 0));
    assert_eq!(unnoted_on_record(&mut rig), unnoted);
    rig.command_with_long_reason(2 + COMMANDS, Some(1000));
    rig.pass();
    assert_eq!((rig.unnoted(), unnoted_on_record(&mut rig)), (unnoted, unnoted), "there is room");
}

#[test]
fn a_game_that_is_set_up_without_room_for_its_note_is_no_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing").join("games");
    let (kept, rig) = full_of_notes(&path);
    let unnoted = rig.unnoted();
    drop(rig);
    // The next process has another configuration, and sets its game up.
    let (started, health) = kept.next(Some(&path));
    let Started { mut recorder, notes, last_entry, .. } = started;
    recorder.configured.control = "c".repeat(1000);
    recorder.begin_game(last_entry, &notes);
    assert_eq!(health.unnoted_commands.load(Ordering::Relaxed), unnoted);
}
