//! What the files of this machine say: the kernel's in `/proc` and `/sys`, and those that are
//! installed. Every path is below `root`, so that tests can make a machine.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::fs::{major, minor, statvfs};
use tokio::{process::Command, time::timeout};

use crate::doctor::facts::{Checked, Flushes, Machine, PolicyFile, Power, Storage, Thread};

/// The policy that is installed with this version.
const POLICY: &str = include_str!("../../../../systemd/org.chessclock.Clock1.conf");
const POLICY_NAME: &str = "org.chessclock.Clock1.conf";
const CONFIGURATION: &str = "etc/chess-clock/clockd.toml";
/// Where the record is if the configuration does not say it.
const RECORD: &str = "/var/lib/chess-clock/games";
/// How long `clockd --check` may take.
const CHECK_LIMIT: Duration = Duration::from_secs(3);

/// Reads everything that the machine says. `process` is that of the service.
pub async fn read(root: &Path, process: Option<u32>, is_system_bus: bool) -> Machine {
    Machine {
        threads: process.map(|process| threads(root, process)),
        interrupt_threads: interrupt_threads(root),
        gpio_chips: gpio_chips(root),
        kernel_options: kernel_options(root),
        policy: policy(root),
        gpio_members: gpio_members(root),
        storage: storage(root),
        power: Some(power(root)),
        configuration: match is_system_bus {
            true => Some(check().await),
            // The service of another bus can have another configuration.
            false => None,
        },
        has_chrony_drop_in: root.join("etc/chrony/conf.d/chess-clock.conf").exists(),
    }
}

/// The model of the machine, where the firmware tells it.
pub fn model(root: &Path) -> Option<String> {
    let model = text(root, "proc/device-tree/model")?;
    Some(model.trim_end_matches('\0').trim().to_owned())
}

/// The release and the version of the kernel.
pub fn kernel(root: &Path) -> Option<(String, String)> {
    let line = |name| Some(text(root, &format!("proc/sys/kernel/{name}"))?.trim().to_owned());
    Some((line("osrelease")?, line("version")?))
}

fn text(root: &Path, path: &str) -> Option<String> {
    fs::read_to_string(root.join(path)).ok()
}

/// The names of the entries of a folder.
fn entries(root: &Path, folder: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort_unstable();
    paths
}

fn threads(root: &Path, process: u32) -> Vec<Thread> {
    let tasks = entries(root, &format!("proc/{process}/task"));
    tasks
        .iter()
        .filter_map(|task| Some(stat(&fs::read_to_string(task.join("stat")).ok()?)?.thread))
        .collect()
}

/// The kernel's threads of the lines that `clockd` has requested. Any process can have such a name,
/// but only the kernel starts threads whose parent is process 2.
fn interrupt_threads(root: &Path) -> Vec<Thread> {
    let is_number = |path: &&PathBuf| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()))
    };
    let processes = entries(root, "proc");
    let all = processes.iter().filter(is_number).filter_map(|process| {
        let Stat { thread, parent } = stat(&fs::read_to_string(process.join("stat")).ok()?)?;
        let is_line = thread.name.starts_with("irq/") && thread.name.contains("-clockd");
        (is_line && parent == 2).then_some(thread)
    });
    all.collect()
}

/// What is read of `/proc/…/stat`.
struct Stat {
    thread: Thread,
    parent: u32,
}

/// The fields after the name of the thread, which is in brackets and can have spaces and brackets
/// itself. proc(5): the parent is field 4, the real-time priority 40, the policy 41.
fn stat(line: &str) -> Option<Stat> {
    const SCHED_FIFO: &str = "1";
    let (before, after) = line.rsplit_once(')')?;
    let (_, name) = before.split_once('(')?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).copied();
    let fifo = (field(41)? == SCHED_FIFO).then(|| field(40)?.parse().ok()).flatten();
    Some(Stat { thread: Thread { name: name.to_owned(), fifo }, parent: field(4)?.parse().ok()? })
}

fn gpio_chips(root: &Path) -> usize {
    let is_chip = |path: &&PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("gpiochip"))
    };
    entries(root, "dev").iter().filter(is_chip).count()
}

/// The options that are asked for, from the configuration of the running kernel.
fn kernel_options(root: &Path) -> Option<Vec<String>> {
    let (release, _) = kernel(root)?;
    let all = text(root, &format!("boot/config-{release}"))?;
    Some(
        all.lines()
            .filter(|line| line.starts_with("CONFIG_GPIO_CDEV"))
            .map(str::to_owned)
            .collect(),
    )
}

fn policy(root: &Path) -> Option<PolicyFile> {
    let installed = text(root, &format!("usr/share/dbus-1/system.d/{POLICY_NAME}"))?;
    let folders = ["usr/share/dbus-1/system.d", "etc/dbus-1/system.d"];
    let files = folders.iter().flat_map(|folder| entries(root, folder));
    let names_the_clock = |path: &PathBuf| {
        let ours = path.ends_with(Path::new("usr/share/dbus-1/system.d").join(POLICY_NAME));
        !ours && fs::read_to_string(path).is_ok_and(|text| text.contains("org.chessclock"))
    };
    let others = files.filter(names_the_clock).map(|path| path.display().to_string());
    Some(PolicyFile { is_ours: installed == POLICY, others: others.collect() })
}

fn gpio_members(root: &Path) -> Option<Vec<String>> {
    let groups = text(root, "etc/group")?;
    let line = groups.lines().find_map(|line| line.strip_prefix("gpio:"))?;
    let members = line.rsplit(':').next()?.split(',');
    Some(members.filter(|member| !member.is_empty()).map(str::to_owned).collect())
}

fn storage(root: &Path) -> Option<Storage> {
    let configured = text(root, CONFIGURATION).and_then(|text| {
        let table: toml::Table = text.parse().ok()?;
        Some(table.get("record")?.get("path")?.as_str()?.to_owned())
    });
    let record = Path::new(configured.as_deref().unwrap_or(RECORD));
    let in_root = |folder: &Path| root.join(folder.strip_prefix("/").unwrap_or(folder));
    // The service makes the folder, and only the service may look into the folder above it.
    let folder = if in_root(record).is_dir() { record } else { record.parent()? };
    let here = in_root(folder);
    let free = statvfs(&here).ok()?;
    let device = fs::metadata(&here).ok()?.dev();
    let mounts = text(root, "proc/self/mounts").unwrap_or_default();
    let (kind, is_read_only) = mount_of(&mounts, folder).unwrap_or_default();
    Some(Storage {
        folder: folder.display().to_string(),
        kind,
        is_read_only,
        free_bytes: free.f_frsize.saturating_mul(free.f_bavail),
        flushes: flushes(root, device),
    })
}

/// The kind of the file system of a folder, and whether it can only be read. The last line for the
/// longest path counts, because it hides the others.
fn mount_of(mounts: &str, folder: &Path) -> Option<(String, bool)> {
    let fields = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let above = fields.filter_map(|fields| {
        let [_, at, kind, options, ..] = fields.as_slice() else { return None };
        // The kernel writes a space in a path as \040.
        let at = at.replace("\\040", " ");
        let is_read_only = options.split(',').any(|option| option == "ro");
        folder.starts_with(&at).then(|| (at.len(), kind.to_string(), is_read_only))
    });
    let found = above.max_by_key(|(length, ..)| *length);
    found.map(|(_, kind, is_read_only)| (kind, is_read_only))
}

/// The flushes of the disk on which the file system is. The kernel counts them for the whole disk,
/// not for a partition.
fn flushes(root: &Path, device: u64) -> Option<Flushes> {
    let block = root.join(format!("sys/dev/block/{}:{}", major(device), minor(device)));
    let block = fs::canonicalize(block).ok()?;
    let disk = if block.join("partition").exists() { block.parent()?.to_owned() } else { block };
    flushes_of(&fs::read_to_string(disk.join("stat")).ok()?)
}

/// Fields 16 and 17 of `/sys/block/…/stat`: the flushes, and the milliseconds that they took.
fn flushes_of(stat: &str) -> Option<Flushes> {
    let fields: Vec<u64> = stat.split_whitespace().map_while(|field| field.parse().ok()).collect();
    let [count, milliseconds] = fields.get(15..17)?.try_into().ok()?;
    Some(Flushes { count, milliseconds })
}

fn power(root: &Path) -> Power {
    let firmware = entries(root, "sys/devices/platform").into_iter().flat_map(|device| {
        let is_firmware = |path: &PathBuf| path.to_string_lossy().ends_with("firmware");
        fs::read_dir(device)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(is_firmware)
    });
    let bits = firmware.filter_map(|path| fs::read_to_string(path.join("get_throttled")).ok());
    let throttled = bits
        .filter_map(|bits| u32::from_str_radix(bits.trim().trim_start_matches("0x"), 16).ok())
        .next();
    let monitor = entries(root, "sys/class/hwmon").into_iter().find(|path| {
        fs::read_to_string(path.join("name")).is_ok_and(|name| name.trim() == "rpi_volt")
    });
    let alarm = monitor.and_then(|path| fs::read_to_string(path.join("in0_lcrit_alarm")).ok());
    Power {
        throttled,
        is_low: alarm.map(|alarm| alarm.trim() != "0"),
        temperature: text(root, "sys/class/thermal/thermal_zone0/temp")
            .and_then(|text| text.trim().parse().ok()),
    }
}

/// Runs `clockd --check`, which reads the configuration and the files that it names.
async fn check() -> Checked {
    let mut command = Command::new("clockd");
    command.arg("--check").kill_on_drop(true);
    match timeout(CHECK_LIMIT, command.output()).await {
        Err(_) => Checked::Unknown("clockd --check does not end".to_owned()),
        Ok(Err(error)) => Checked::Unknown(format!("clockd cannot be run: {error}")),
        Ok(Ok(output)) => {
            let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
            let error = said(&output.stderr);
            match output.status.success() {
                true => Checked::Good(said(&output.stdout)),
                // With an arbiter's code in it, only the service may read the file.
                false if error.contains("Permission denied") => Checked::Unknown(error),
                false => Checked::Wrong(error),
            }
        }
    }
}

#[cfg(test)]
mod tests;
