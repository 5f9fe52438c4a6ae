use super::*;

fn write_of(file: &str, at: u64, bytes: &[u8]) -> Operation {
    Operation::Write { file: file.into(), at, bytes: bytes.to_vec() }
}

fn open(file: &str) -> Operation {
    Operation::Open { file: file.into() }
}

fn sync(file: &str) -> Operation {
    Operation::Sync { file: file.into() }
}

fn disk(operations: &[Operation]) -> CrashDisk {
    let mut disk = CrashDisk::default();
    operations.iter().for_each(|operation| disk.perform(operation));
    disk
}

fn states(disk: &CrashDisk) -> Vec<Files> {
    let mut random = Random::new(1);
    (0..300).map(|_| disk.after_crash(Survival::Some, &mut random)).collect()
}

#[test]
fn what_was_synced_is_in_every_state() {
    let disk =
        disk(&[open("a"), write_of("a", 0, &[1; 2000]), sync("a"), write_of("a", 2000, b"x")]);
    for files in states(&disk) {
        assert_eq!(files["a"][..2000], [1; 2000]);
    }
    let mut random = Random::new(1);
    assert_eq!(disk.after_crash(Survival::None, &mut random)["a"].len(), 2000);
    assert_eq!(disk.after_crash(Survival::All, &mut random)["a"].len(), 2001);
}

#[test]
fn what_was_not_synced_is_there_whole_in_part_or_not() {
    let disk = disk(&[
        open("a"),
        write_of("a", 0, &[1; 4096]),
        sync("a"),
        write_of("a", 100, &[2; 2000]),
        write_of("a", 3000, &[3; 100]),
    ]);
    let states = states(&disk);
    let first = |files: &Files| files["a"][100..2100].iter().all(|byte| *byte == 2);
    let second = |files: &Files| files["a"][3000..3100].iter().all(|byte| *byte == 3);
    assert!(states.iter().any(|files| first(files) && second(files)));
    assert!(states.iter().any(|files| !first(files) && second(files)), "in the other order");
    assert!(states.iter().any(|files| files["a"] == [1; 4096]));
    for files in &states {
        assert!(files["a"][..100].iter().all(|byte| *byte == 1), "bytes beside the write changed");
        assert!(files["a"][2100..3000].iter().all(|byte| *byte == 1));
    }
    // A write is torn between two sectors, and not within a sector.
    let torn = |files: &&Files| files["a"][511] != files["a"][512];
    let edge = states.iter().find(torn).expect("a torn write");
    assert!(edge["a"][100..512].iter().all(|byte| *byte == edge["a"][100]));
}

#[test]
fn names_are_certain_once_the_folder_was_synced() {
    let mut disk = disk(&[open("journal"), write_of("journal", 0, b"j"), sync("journal")]);
    disk.perform(&Operation::Delete { file: "journal".into(), synced: false });
    let seen = states(&disk);
    assert!(seen.iter().any(|files| files.contains_key("journal")), "it can come back");
    assert!(seen.iter().any(|files| !files.contains_key("journal")));
    [open("log"), write_of("log", 0, b"l")].iter().for_each(|operation| disk.perform(operation));
    assert!(states(&disk).iter().any(|files| !files.contains_key("log")));
    disk.perform(&sync("log"));
    for files in states(&disk) {
        assert!(!files.contains_key("journal") && files["log"] == b"l");
    }
}

#[test]
fn the_states_are_the_same_for_the_same_seed() {
    let disk = disk(&[open("a"), write_of("a", 0, &[7; 9000])]);
    assert_eq!(states(&disk), states(&disk));
    assert!(states(&disk).windows(2).any(|pair| pair[0] != pair[1]));
}
