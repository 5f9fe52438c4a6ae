//! Tests that a process that is killed while it writes leaves whole frames and a whole snapshot.
//!
//! The test calls `fork`. After that, the first write to each page of this process is a page fault
//! again, because both processes share the page until then. So the test has a process of its own:
//! beside it, no other test could count page faults.

#![allow(clippy::unwrap_used)]

use clockd_rt::retained::{BootId, Frame, Parts, RetainedMemory, Snapshot, SnapshotWriter};
use edge_player::Rng;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

const BOOT: BootId = *b"0123456789abcdef";
const FORMAT: u64 = 7;

const KILLS: u64 = 300;
/// On a busy machine, a process is often killed before it has written much. So there are more kills
/// until enough has been written, but no more than this.
const MOST_KILLS: u64 = 100 * KILLS;

/// The size of the longest frame and of the longest snapshot, in bytes.
const LONGEST: usize = 700;

/// A snapshot is written after this many entries.
const ENTRIES_PER_SNAPSHOT: u64 = 4;

/// The bytes of the frame and of the snapshot with this number.
fn content(number: u64, buffer: &mut [u8; LONGEST]) -> &[u8] {
    let mut rng = Rng::new(number);
    let length = usize::try_from(rng.between(0, 700)).unwrap_or(LONGEST);
    for chunk in buffer[..length].chunks_mut(8) {
        chunk.copy_from_slice(&rng.draw().to_le_bytes()[..chunk.len()]);
    }
    &buffer[..length]
}

fn is_whole(number: u64, bytes: &[u8]) -> bool {
    bytes == content(number, &mut [0; LONGEST])
}

/// The memory as the next process takes it over.
fn after_a_restart(fd: &OwnedFd) -> RetainedMemory {
    RetainedMemory::adopt(fd.try_clone().unwrap(), BOOT, FORMAT).unwrap()
}

fn write_snapshot(writer: &mut SnapshotWriter, bytes: &[u8], entry: u64) {
    writer.buffer()[..bytes.len()].copy_from_slice(bytes);
    writer.commit(bytes.len(), entry);
}

/// A child process. It is killed when this value is dropped.
struct Child(libc::pid_t);

impl Child {
    /// Starts a process that writes frames and snapshots as fast as it can, beginning with the
    /// number `first`.
    fn writing(mut parts: Parts, first: u64) -> (Child, Parts) {
        // SAFETY: the child uses its own stack and the shared memory, and makes no call that could
        // need a lock which another thread of this process holds at this moment: it allocates
        // nothing.
        match unsafe { libc::fork() } {
            0 => write_for_ever(&mut parts, first),
            pid => {
                assert!(pid > 0, "{}", io::Error::last_os_error());
                (Child(pid), parts)
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // SAFETY: the child has not been waited for, so the number is its own.
        unsafe {
            libc::kill(self.0, libc::SIGKILL);
            libc::waitpid(self.0, std::ptr::null_mut(), 0);
        }
    }
}

/// Writes for ever as the clock loop does: some entries, and then the snapshot that includes them.
/// If there is no room for an entry, the snapshot is written at once.
fn write_for_ever(parts: &mut Parts, first: u64) -> ! {
    let (mut next, mut buffer) = (first, [0; LONGEST]);
    loop {
        let has_room = parts.entries.0.push(next, content(next, &mut buffer)).is_ok();
        next += u64::from(has_room);
        if !has_room || next.is_multiple_of(ENTRIES_PER_SNAPSHOT) {
            let bytes = content(next - 1, &mut buffer);
            write_snapshot(&mut parts.snapshot.0, bytes, next - 1);
        }
    }
}

/// Reads and releases frames for the duration `time`, as the recorder does. Returns the last number
/// that was released.
fn record(parts: &mut Parts, time: Duration, mut last: u64) -> u64 {
    let start = std::time::Instant::now();
    let mut read = last;
    while start.elapsed() < time {
        while let Some(frame) = parts.entries.1.next() {
            let Frame { number, bytes } = frame.unwrap();
            assert!(number == read + 1 && is_whole(number, bytes), "{number} after {read}");
            read = number;
        }
        last = read.min(parts.snapshot.1.entry());
        parts.entries.1.release_through(last);
    }
    last
}

#[test]
fn a_process_that_is_killed_at_any_instant_leaves_all_frames_whole_and_in_order() {
    let mut memory = RetainedMemory::create(BOOT, FORMAT).unwrap();
    let fd = memory.as_fd().try_clone_to_owned().unwrap();
    let (mut rng, mut next, mut released) = (Rng::new(3), 1, 0);
    let (mut ahead, mut left_frames) = (0, 0);
    for kill in 0..MOST_KILLS {
        // The kills have come at different places, and the writer has passed the end of the ring
        // many times.
        if kill >= KILLS && next > 20_000 && left_frames > 1_000 && ahead > 0 {
            return;
        }
        let mut parts = memory.split().unwrap();
        // A process that starts again makes a snapshot that includes the entries that it found.
        let last = next - 1;
        write_snapshot(&mut parts.snapshot.0, content(last, &mut [0; LONGEST]), last);
        let (child, mut parts) = Child::writing(parts, next);
        // In every third round no frame is read, so the ring becomes full.
        let time = Duration::from_micros(rng.between(0, 3_000));
        if kill % 3 == 0 {
            std::thread::sleep(time);
        } else {
            released = record(&mut parts, time, released);
        }
        drop((child, parts));
        memory = after_a_restart(&fd);
        let left = memory.left_entries();
        assert!(!left.damaged && !memory.snapshot_is_damaged(), "kill {kill}");
        left_frames += left.frames.len();
        for (index, (number, bytes)) in left.frames.iter().enumerate() {
            let expected = released + 1 + u64::try_from(index).unwrap();
            assert!(*number == expected && is_whole(*number, bytes), "{number}, kill {kill}");
        }
        let last = left.frames.last().map_or(released, |(number, _)| *number);
        let Snapshot { entry, bytes, .. } = memory.snapshot().unwrap();
        // The kill may have come between an entry and the snapshot that includes it.
        let not_included = entry..=entry + ENTRIES_PER_SNAPSHOT;
        assert!(not_included.contains(&last), "{entry} {last}, kill {kill}");
        assert!(entry >= released && is_whole(entry, &bytes), "{entry}, kill {kill}");
        ahead += u64::from(entry != last);
        next = last + 1;
    }
    panic!("too little was written: {next} {left_frames} {ahead}");
}
