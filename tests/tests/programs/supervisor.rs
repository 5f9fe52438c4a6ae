//! The supervisor of the tests does what systemd does for a service, and `clockd` uses the memory
//! that the supervisor keeps.

use clock_tests::{Bench, End, Supervisor, eventually};
use rustix::process::Signal;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::process::Command;
use std::time::Duration;

/// A clock with a supervisor, not started yet.
fn clock(bench: &Bench) -> Supervisor {
    Supervisor::of_command(bench.folder(), &bench.clockd_command(&[])).unwrap()
}

#[test]
fn a_kept_descriptor_is_the_same_memory_after_kill_9() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let mut clock = clock(&bench);
    clock.start().unwrap();
    let kept = clock.kept("clock-memory").unwrap().unwrap();
    assert_eq!(clock.stores(), 1);
    for _ in 0..3 {
        clock.restart().unwrap();
        // The clock uses the memory that it was given. So it has sent no other memory to be kept.
        assert_eq!(clock.stores(), 1, "{}", clock.log());
    }
    let inode = rustix::fs::fstat(kept.as_fd()).unwrap().st_ino;
    let fds = format!("/proc/{}/map_files", clock.service().unwrap().id());
    let mapped = std::fs::read_dir(fds).unwrap().flatten();
    let mapped: Vec<u64> =
        mapped.filter_map(|entry| Some(std::fs::metadata(entry.path()).ok()?.ino())).collect();
    assert!(mapped.contains(&inode), "{inode} is not among {mapped:?}");
    assert_eq!(bench.status().unwrap()["phase"], "ready");
    assert_eq!(clock.stop().unwrap(), 0);
    assert!(clock.kept("clock-memory").unwrap().is_none(), "systemctl stop closes what is kept");
    clock.start().unwrap();
    assert_eq!(clock.stores(), 2);
}

#[test]
fn memory_that_clockd_cannot_use_is_replaced() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let mut clock = clock(&bench);
    clock.start().unwrap();
    // The first bytes are overwritten, as by another version of clockd.
    let kept = clock.kept("clock-memory").unwrap().unwrap();
    rustix::io::pwrite(&kept, b"no memory of clockd", 0).unwrap();
    clock.restart().unwrap();
    assert_eq!(clock.stores(), 2);
    clock.logged("it is not memory of clockd");
    let inode = |fd: &dyn AsFd| rustix::fs::fstat(fd.as_fd()).unwrap().st_ino;
    let new = clock.kept("clock-memory").unwrap().unwrap();
    assert_ne!(inode(&kept), inode(&new));
    clock.restart().unwrap();
    assert_eq!(clock.stores(), 2);
}

#[test]
fn a_service_that_stops_feeding_its_watchdog_is_killed() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let mut clock = clock(&bench);
    clock.watchdog(Duration::from_millis(1500));
    clock.start().unwrap();
    eventually("fed", || (clock.feeds() > 20).then_some(()));
    assert_eq!(clock.wait_for_end(Duration::from_millis(10)).unwrap(), None);
    clock.service().unwrap().signal(Signal::STOP).unwrap();
    assert_eq!(clock.wait_for_end(clock_tests::DEADLINE).unwrap(), Some(End::Watchdog));
    clock.start().unwrap();
    let fed = clock.feeds();
    eventually("fed again", || (clock.feeds() > fed + 20).then_some(()));
    clock.service().unwrap().signal(Signal::KILL).unwrap();
    assert_eq!(clock.wait_for_end(clock_tests::DEADLINE).unwrap(), Some(End::Code(137)));
}

#[test]
fn a_service_that_does_not_become_ready_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let make = || {
        let mut command = Command::new("sh");
        command.args(["-c", "echo no READY=1 is sent; exit 3"]);
        command
    };
    let mut service = Supervisor::new(folder.path(), make).unwrap();
    let error = service.start().unwrap_err().to_string();
    assert!(error.contains("no READY=1 is sent"), "{error}");
}

/// The offset, in bytes, of the ninth word of the retained memory. This word has the instant at
/// which the clock loop was last seen alive.
const ALIVE: u64 = 8 * 8;

#[test]
fn the_memory_says_when_the_clock_was_last_alive_also_without_a_watchdog() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let mut clock = clock(&bench);
    clock.start().unwrap();
    let memory = clock.kept("clock-memory").unwrap().unwrap();
    let alive = || {
        let mut stamp = [0; 8];
        assert_eq!(rustix::io::pread(&memory, &mut stamp, ALIVE).unwrap(), 8);
        // The word has the instant in microseconds, above a checksum in the lowest 16 bits.
        i64::from_le_bytes(stamp) / (1 << 16) * 1_000
    };
    let now = || {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        now.tv_sec * 1_000_000_000 + now.tv_nsec
    };
    let start = now();
    eventually("alive", || (alive() > start).then_some(()));
    clock.kill().unwrap();
    let (last, killed) = (alive(), now());
    assert!(start < last && last < killed);
    // The next process uses the same memory. The stamp in the memory changes once that process is
    // ready.
    clock.start().unwrap();
    eventually("alive again", || (alive() > killed).then_some(()));
}
