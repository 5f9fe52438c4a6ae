//! Reads made-up machines: folders with the files that a Raspberry Pi has.

use std::{fs, os::unix::fs::symlink, path::Path};

use tempfile::TempDir;

use super::*;

/// A folder with these files.
fn machine(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

/// A line of `/proc/…/stat` of a thread with this name, parent, priority and policy.
fn stat_line(name: &str, parent: u32, priority: u32, policy: u32) -> String {
    let between = "0 ".repeat(35);
    format!("77 ({name}) S {parent} {between}{priority} {policy} 0 0 0\n")
}

#[test]
fn scheduling_is_that_of_proc() {
    let root = machine(&[
        ("proc/77/task/77/stat", &stat_line("clockd", 1, 0, 0)),
        ("proc/77/task/78/stat", &stat_line("clock-loop", 1, 40, 1)),
        ("proc/77/task/79/stat", &stat_line("a) b (c", 1, 3, 2)),
        ("proc/200/stat", &stat_line("irq/55-clockd", 2, 55, 1)),
        // Any program can call itself so.
        ("proc/201/stat", &stat_line("irq/56-clockd", 77, 50, 1)),
        ("proc/202/stat", &stat_line("irq/57-mmc0", 2, 50, 1)),
        ("proc/self/stat", &stat_line("irq/58-clockd", 2, 50, 1)),
    ]);
    let shown = |threads: Vec<Thread>| -> Vec<(String, Option<u32>)> {
        threads.into_iter().map(|thread| (thread.name, thread.fifo)).collect()
    };
    assert_eq!(
        shown(threads(root.path(), 77)),
        [
            ("clockd".to_owned(), None),
            ("clock-loop".to_owned(), Some(40)),
            ("a) b (c".to_owned(), None)
        ]
    );
    assert_eq!(shown(interrupt_threads(root.path())), [("irq/55-clockd".to_owned(), Some(55))]);
    assert_eq!(threads(root.path(), 78), []);
}

/// The fields of the running kernel are where proc(5) says.
#[test]
fn the_scheduling_of_this_process_can_be_read() {
    let all = threads(Path::new("/"), std::process::id());
    assert!(!all.is_empty() && all.iter().all(|thread| thread.fifo.is_none()), "{all:?}");
    let own = stat(&fs::read_to_string("/proc/self/stat").unwrap()).unwrap();
    assert_eq!(own.parent, std::os::unix::process::parent_id());
}

#[test]
fn the_kernel_and_the_model_are_those_of_the_files() {
    let root = machine(&[
        ("proc/sys/kernel/osrelease", "6.12.47+rpt-rpi-v8-rt\n"),
        ("proc/sys/kernel/version", "#1 SMP PREEMPT_RT Debian\n"),
        ("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0"),
        (
            "boot/config-6.12.47+rpt-rpi-v8-rt",
            "CONFIG_X=y\nCONFIG_GPIO_CDEV=y\n# CONFIG_GPIO_CDEV_V1 is not set\n",
        ),
        ("dev/gpiochip0", ""),
        ("dev/gpiomem", ""),
    ]);
    let kernel = kernel(root.path()).unwrap();
    assert_eq!(kernel, ("6.12.47+rpt-rpi-v8-rt".into(), "#1 SMP PREEMPT_RT Debian".into()));
    assert_eq!(model(root.path()).unwrap(), "Raspberry Pi 4 Model B Rev 1.5");
    assert_eq!(kernel_options(root.path()).unwrap(), ["CONFIG_GPIO_CDEV=y"]);
    assert_eq!(gpio_chips(root.path()), 1);
    let empty = machine(&[]);
    assert_eq!((super::kernel(empty.path()), model(empty.path())), (None, None));
    assert_eq!(kernel_options(empty.path()), None);
}

#[test]
fn the_policy_is_compared_and_others_are_found() {
    let path = "usr/share/dbus-1/system.d/org.chessclock.Clock1.conf";
    let found = |files: &[(&str, &str)]| {
        let root = machine(files);
        let policy = policy(root.path())?;
        let name = |path: &String| path.rsplit('/').next().unwrap().to_owned();
        Some((policy.is_ours, policy.others.iter().map(name).collect::<Vec<_>>()))
    };
    assert_eq!(found(&[]), None);
    assert_eq!(found(&[(path, POLICY)]), Some((true, Vec::new())));
    assert_eq!(found(&[(path, "<busconfig/>")]), Some((false, Vec::new())));
    let other = ("etc/dbus-1/system.d/z.conf", "<allow own='org.chessclock.Clock1'/>");
    let unrelated = ("etc/dbus-1/system.d/a.conf", "<allow own='org.example'/>");
    assert_eq!(found(&[(path, POLICY), other, unrelated]), Some((true, vec!["z.conf".into()])));
    // An older installation has its policy there.
    let older = ("etc/dbus-1/system.d/org.chessclock.Clock1.conf", POLICY);
    assert_eq!(
        found(&[(path, POLICY), older]),
        Some((true, vec!["org.chessclock.Clock1.conf".into()]))
    );
}

#[test]
fn the_members_of_the_group_are_read() {
    let members = |groups: &str| gpio_members(machine(&[("etc/group", groups)]).path());
    assert_eq!(members("root:x:0:\ngpio:x:997:pi,chess-clock\n").unwrap(), ["pi", "chess-clock"]);
    assert_eq!(members("gpio:x:997:\n"), Some(Vec::new()));
    assert_eq!(members("mygpio:x:1:pi\n"), None);
}

#[test]
fn the_record_is_where_the_configuration_says() {
    let root = machine(&[
        ("var/lib/chess-clock/x", ""),
        ("media/stick/x", ""),
        (
            "proc/self/mounts",
            "/dev/root / ext4 rw,noatime 0 0\n/dev/sda1 /media/stick vfat ro,noatime 0 0\n",
        ),
    ]);
    let of_root = storage(root.path()).unwrap();
    assert_eq!((of_root.folder.as_str(), of_root.kind.as_str()), ("/var/lib/chess-clock", "ext4"));
    assert!(!of_root.is_read_only && of_root.free_bytes > 0);
    let write = |text: &str| {
        fs::create_dir_all(root.path().join("etc/chess-clock")).unwrap();
        fs::write(root.path().join(CONFIGURATION), text).unwrap();
    };
    write("[record]\npath = '/media/stick/games'\n");
    let stick = storage(root.path()).unwrap();
    assert_eq!((stick.folder.as_str(), stick.kind.as_str()), ("/media/stick", "vfat"));
    assert!(stick.is_read_only);
    write("[record]\npath = '/no/such/folder/games'\n");
    assert!(storage(root.path()).is_none());
}

#[test]
fn the_last_mount_of_the_longest_path_counts() {
    let mounts = "/dev/root / ext4 rw 0 0\ntmpfs /var tmpfs rw 0 0\n/dev/a /var/lib btrfs rw 0 0\n\
                  overlay /var/lib overlay rw,lowerdir=/ro 0 0\n/dev/b /my\\040disk ext4 ro 0 0\n";
    let kind = |folder: &str| mount_of(mounts, Path::new(folder)).unwrap();
    assert_eq!(kind("/var/lib/chess-clock"), ("overlay".into(), false));
    assert_eq!(kind("/variable"), ("ext4".into(), false));
    assert_eq!(kind("/var"), ("tmpfs".into(), false));
    assert_eq!(kind("/my disk/x"), ("ext4".into(), true));
}

#[test]
fn flushes_are_those_of_the_whole_disk() {
    let line = " 9 0 72 4 1 0 8 1 0 3 5 0 0 0 0 1234 5678\n";
    assert!(matches!(flushes_of(line), Some(Flushes { count: 1234, milliseconds: 5678 })));
    // Kernels before 5.5 have no such fields.
    assert!(flushes_of(" 9 0 72 4 1 0 8 1 0 3 5 0 0 0 0\n").is_none());
    let root = machine(&[
        ("sys/block/mmcblk0/stat", line),
        ("sys/block/mmcblk0/mmcblk0p2/partition", "2\n"),
        ("sys/block/mmcblk0/mmcblk0p2/stat", "0\n"),
        ("sys/dev/block/x", ""),
    ]);
    let partition = root.path().join("sys/block/mmcblk0/mmcblk0p2");
    symlink(partition, root.path().join("sys/dev/block/179:2")).unwrap();
    let device = rustix::fs::makedev(179, 2);
    assert!(matches!(flushes(root.path(), device), Some(Flushes { count: 1234, .. })));
    assert!(flushes(root.path(), rustix::fs::makedev(179, 3)).is_none());
}

#[test]
fn the_power_is_what_the_firmware_and_the_monitor_say() {
    let root = machine(&[
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n"),
        ("sys/class/hwmon/hwmon0/name", "cpu_thermal\n"),
        ("sys/class/hwmon/hwmon1/name", "rpi_volt\n"),
        ("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n"),
        ("sys/class/thermal/thermal_zone0/temp", "48312\n"),
    ]);
    let Power { throttled, is_low, temperature } = power(root.path());
    assert_eq!((throttled, is_low, temperature), (Some(0x50005), Some(true), Some(48_312)));
    let Power { throttled, is_low, temperature } = power(machine(&[]).path());
    assert_eq!((throttled, is_low, temperature), (None, None, None));
}
