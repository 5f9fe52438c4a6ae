//! Tests of what the loop writes into the retained memory, and when.

use super::*;

/// Gives the loop new retained memory. Its ring has room for entries if `has_room` is `true`.
/// Returns a function that takes the memory over as the next process would.
fn with_memory(test: &mut TestLoop, has_room: bool) -> impl Fn() -> RetainedMemory + use<> {
    let memory = RetainedMemory::create([0; 16], crate::rt::FORMAT).unwrap();
    let fd = memory.as_fd().try_clone_to_owned().unwrap();
    let (health, mut parts) = (Arc::clone(&test.clock_loop.health), memory.split().unwrap());
    while !has_room && parts.entries.0.push(0, &[]).is_ok() {}
    let entries = EntryLog::new(parts.entries.0, parts.snapshot.0, parts.wakeups.0, health);
    test.clock_loop.out.entries = entries;
    move || RetainedMemory::adopt(fd.try_clone().unwrap(), [0; 16], crate::rt::FORMAT).unwrap()
}

/// Starts the clock, and runs iterations until the update of the start has been sent.
fn start(test: &mut TestLoop) {
    let command = Command::Start.into();
    let request = Request { id: 1, at: monotonic_now(), revision: 1, command };
    assert!(test.requests.push(request.into()).is_ok());
    test.requests.notify();
    while test.updates.pop().is_none() {
        test.clock_loop.iterate().unwrap();
    }
}

#[test]
fn the_entry_is_in_the_memory_before_the_update_is_sent_and_the_state_later() {
    let mut test = test_loop(8);
    let memory = with_memory(&mut test, true);
    start(&mut test);
    let numbers = memory().left_entries().frames.into_iter().map(|(number, _)| number);
    assert_eq!(numbers.collect::<Vec<_>>(), [1]);
    assert_eq!(memory().snapshot(), None);
    test.settle();
    assert_eq!(memory().snapshot().map(|kept| kept.entry), Some(1));
    // Without an input there is nothing more to write.
    assert_eq!(test.clock_loop.keep_at, None);
}

#[test]
fn without_room_for_the_entry_the_state_is_in_the_memory_before_the_update_is_sent() {
    let mut test = test_loop(8);
    let memory = with_memory(&mut test, false);
    start(&mut test);
    assert_eq!(memory().snapshot().map(|kept| kept.entry), Some(1));
}

/// The note of a command lies beside its entry, also if others were taken with it. Entries before a game
/// begins have the identity of the game before.
#[test]
fn a_note_lies_beside_the_entry_of_its_command() {
    let mut test = test_loop(16);
    let memory = with_memory(&mut test, true);
    let control = Control::single(Span::from_secs(30), Method::None);
    let commands = [Command::Start, Command::New { control, force: true }, Command::Start];
    for (id, revision, command) in (1..).zip(commands).map(|(id, command)| (id, id, command)) {
        let request = Request { id, at: monotonic_now(), revision, command: command.into() };
        let note =
            Arc::new(Note { game: 70 + id, bytes: Box::new([u8::try_from(id).unwrap(); 9]) });
        assert!(test.requests.push(NotedRequest { request, note }).is_ok());
    }
    test.settle();
    let frames = memory().left_entries().frames;
    let found = frames.iter().map(|(_, bytes)| EntryFrame::read(bytes).unwrap());
    let found: Vec<_> = found.map(|frame| (frame.game, frame.note.to_vec())).collect();
    assert_eq!(found, [(0, vec![1; 9]), (0, vec![2; 9]), (72, vec![3; 9])]);
}
