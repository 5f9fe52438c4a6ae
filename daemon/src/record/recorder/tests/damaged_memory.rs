//! Tests with retained memory that is damaged.

use super::kept::Kept;
use super::losses::{keep_identity, of_white};
use super::*;
use crate::game::Identity;
use clockd_rt::retained::adopt_or_create;
use std::os::fd::AsFd;

#[test]
fn damaged_memory_is_reported_without_a_record_and_the_rest_of_it_is_used() {
    for damaged in ["snapshot", "entries", "alive", "identity"] {
        let memory = RetainedMemory::create([0; 16], FORMAT).unwrap();
        let kept = Kept::of(&memory);
        let mut rig = begin(set_up_with(None, "boot-1", memory, Origin::New));
        rig.start_and_press(2);
        if damaged == "snapshot" {
            rig.pass();
        }
        rig.press(Side::White);
        if damaged == "snapshot" {
            rig.pass();
        }
        let parts = kept.memory().split().unwrap();
        parts.alive.set(Instant::from_nanos(rig.now));
        let mut identity = parts.identity.0;
        let length = postcard::to_slice(&Identity::default(), identity.buffer()).unwrap().len();
        identity.commit(length, 0);
        kept.memory().damage(damaged);
        let (started, health) = kept.next(None);
        assert!(health.memory_damaged.load(Ordering::Relaxed), "{damaged}");
        let clock = started.kept.unwrap().clock;
        let missing = u64::from(damaged == "snapshot");
        assert_eq!(clock.entry(), rig.clock.entry() - missing, "{damaged}");
    }
    let memory = RetainedMemory::create([0; 16], FORMAT).unwrap();
    let kept = Kept::of(&memory);
    let mut rig = begin(set_up_with(None, "boot-1", memory, Origin::New));
    rig.start_and_press(3);
    let (started, health) = kept.next(None);
    assert!(!health.memory_damaged.load(Ordering::Relaxed));
    assert_eq!(*started.kept.unwrap().clock, rig.clock);
}

/// The names of the game were in the memory, and zeros are there now. The game goes on with the names
/// that are on record.
#[test]
fn an_identity_of_zeros_is_a_fault_and_one_that_was_never_kept_is_none() {
    for (is_kept, is_erased) in [(false, false), (true, false), (false, true), (true, true)] {
        let (_folder, path) = folder();
        let (kept, mut rig) = Kept::new(&path);
        rig.noted_command(1, of_white("Vera"), Command::New { control: control(), force: true });
        rig.command(2, Command::Start);
        rig.press(Side::White);
        rig.pass();
        rig.close_record();
        if is_kept {
            keep_identity(&kept, 1, of_white("Vera"), 2);
        }
        if is_erased {
            kept.memory().erase("identity", true);
        }
        let (started, health) = kept.next(Some(&path));
        let is_fault = health.memory_damaged.load(Ordering::Relaxed);
        assert_eq!(is_fault, is_erased, "{is_kept}");
        let found = started.kept.unwrap();
        assert_eq!((*found.clock, found.text), (rig.clock, of_white("Vera")));
    }
}

/// Without a record, the game is lost with the snapshots of the clock.
#[test]
fn a_clock_of_zeros_is_a_fault() {
    let memory = RetainedMemory::create([0; 16], FORMAT).unwrap();
    let kept = Kept::of(&memory);
    let mut rig = begin(set_up_with(None, "boot-1", memory, Origin::New));
    rig.start_and_press(3);
    rig.pass();
    kept.memory().erase("snapshot", true);
    let (started, health) = kept.next(None);
    assert!(started.kept.is_none() && health.memory_damaged.load(Ordering::Relaxed));
}

#[test]
fn memory_with_a_damaged_header_or_of_another_boot_is_a_fault() {
    const BOOT: [u8; 16] = *b"0123456789abcdef";
    let create = || RetainedMemory::create(BOOT, FORMAT).unwrap();
    let is_fault = |kept| {
        let (memory, origin) = adopt_or_create(Some(kept), BOOT, FORMAT).unwrap();
        let (started, health) = set_up_with(None, "boot-1", memory, origin);
        assert!(started.kept.is_none());
        health.memory_damaged.load(Ordering::Relaxed)
    };
    let mut headers = 0;
    RetainedMemory::with_damaged_headers(create, |kept| {
        assert!(is_fault(kept), "word {headers} of the header");
        headers += 1;
    });
    assert_eq!(headers, 6, "magic, layout, version, format and two words of the boot id");
    let of_other_boot = RetainedMemory::create(*b"fedcba9876543210", FORMAT).unwrap();
    assert!(is_fault(of_other_boot.as_fd().try_clone_to_owned().unwrap()));
}
