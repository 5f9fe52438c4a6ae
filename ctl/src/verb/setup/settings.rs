//! What a set-up file changes on a system: the new contents of files, worked out before the first one
//! is written.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use clock_controls::{ReadError, read_text};
use clock_wiring::SHARED;
use clockctl::setup::{Arbiter, Change, SetUp, Wifi, Wired, changed, check_wiring};
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::files::{FOLDER, NewFile, Refused};
use super::start;
use super::wireless::Program;

/// The file with what is known of the last set-up, below the root. It has the passphrase, so only
/// root reads it.
pub(super) const APPLIED: &str = "etc/chess-clock/chessclock.applied";
/// The name of the wiring file that is written for a table `[wiring]`.
const WIRING: &str = "chessclock";
/// The wiring of a clock whose configuration names none.
const SHIPPED_WIRING: &str = "raspberry-pi";
/// The link to the time zone of the machine, and the folder of all of them.
pub(super) const LOCAL_TIME: &str = "etc/localtime";
const ZONES: &str = "/usr/share/zoneinfo";
/// The account of the arbiters.
const ACCOUNT: &str = "arbiter";

/// What is kept of the last set-up file.
#[derive(Clone, Default, Deserialize, Serialize)]
pub(super) struct Applied {
    /// The SHA-256 of the file as it is on the boot partition.
    pub sha256: String,
    /// The name of the machine. A system with a read-only root does not keep it elsewhere.
    pub host_name: Option<String>,
    pub ssid: Option<String>,
    pub passphrase: Option<String>,
}

impl Applied {
    /// Reads what was kept. If the file is missing or damaged, nothing was kept; the set-up file is
    /// then applied again.
    pub(super) fn read(root: &Path) -> Applied {
        let text = read_text(&root.join(APPLIED)).ok();
        text.and_then(|text| toml::from_str(&text).ok()).unwrap_or_default()
    }

    pub(super) fn file(&self) -> Result<NewFile, String> {
        let text = toml::to_string(self).map_err(|error| error.to_string())?;
        Ok(NewFile::new(APPLIED, text, 0o600))
    }
}

/// The files that change, and what is kept of the set-up file.
pub(super) struct Settings {
    pub files: Vec<NewFile>,
    pub applied: Applied,
}

impl Settings {
    /// What this set-up changes on the system below `root`. `before` is what was kept of the last one.
    pub(super) fn new(set_up: &SetUp, root: &Path, before: &Applied) -> Result<Settings, Refused> {
        let mut settings = Settings { files: Vec::new(), applied: before.clone() };
        if let Some(name) = &set_up.host_name {
            settings.host_name(name, root)?;
        }
        if let Some(zone) = &set_up.time_zone {
            settings.time_zone(zone, root)?;
        }
        let clockd = existing(root, &format!("{FOLDER}/clockd.toml"))?.unwrap_or_default();
        let wiring = settings.wiring(set_up, &clockd, root)?;
        settings.configuration(set_up, &clockd, wiring, root)?;
        if let Some(arbiters) = &set_up.arbiters {
            settings.arbiters(arbiters.get_ref(), arbiters.span(), root)?;
        }
        if let Some(wifi) = &set_up.wifi {
            settings.wifi(wifi.get_ref(), wifi.span(), root, before)?;
        }
        Ok(settings)
    }

    fn host_name(&mut self, name: &str, root: &Path) -> Result<(), Refused> {
        self.applied.host_name = Some(name.to_owned());
        let old = existing(root, "etc/hostname")?.unwrap_or_default();
        let hosts = existing(root, "etc/hosts")?.unwrap_or_default();
        self.files.push(NewFile::new("etc/hostname", format!("{name}\n"), 0o644));
        self.files.push(NewFile::new("etc/hosts", renamed(&hosts, old.trim(), name), 0o644));
        Ok(())
    }

    fn time_zone(&mut self, zone: &Spanned<String>, root: &Path) -> Result<(), Refused> {
        let path = format!("{ZONES}/{}", zone.get_ref());
        let found = fs::read(root.join(path.trim_start_matches('/')));
        if !found.is_ok_and(|contents| contents.starts_with(b"TZif")) {
            let name = zone.get_ref();
            let message =
                format!("no time zone `{name}` in {ZONES}; expected one such as \"Europe/Berlin\"");
            return Err(Refused::There(zone.span(), message));
        }
        self.files.push(NewFile::link(LOCAL_TIME, path));
        Ok(())
    }

    /// Returns the name of the wiring file, if it changes. `clockd` is the text of `clockd.toml`.
    fn wiring(
        &mut self,
        set_up: &SetUp,
        clockd: &str,
        root: &Path,
    ) -> Result<Option<String>, Refused> {
        if let Some(Wired::Written(text)) = &set_up.wiring {
            let path = format!("{FOLDER}/wiring/{WIRING}.toml");
            self.files.push(NewFile::new(path, text.clone(), 0o644));
            return Ok(Some(WIRING.to_owned()));
        }
        let present: toml::Table = clockd.parse().unwrap_or_default();
        let present = present.get("wiring").and_then(toml::Value::as_str);
        if let (Some(path), None, Some(given)) = (present, &set_up.wiring, &set_up.call_button)
            && clock_wiring::is_path(path)
        {
            let message = format!(
                "the clock has the wiring of the path `{path}`; expected the key `wiring`, too"
            );
            return Err(Refused::There(given.span(), message));
        }
        let Some(name) = set_up.wiring_name(present.unwrap_or(SHIPPED_WIRING)) else {
            return Ok(None);
        };
        let (span, name) = (name.span(), name.into_inner());
        let shared = SHARED.trim_start_matches('/');
        let paths = [FOLDER, shared].map(|folder| format!("{folder}/wiring/{name}.toml"));
        for path in &paths {
            let Some(text) = existing(root, path)? else { continue };
            check_wiring(&text)
                .map_err(|error| Refused::There(span.clone(), format!("/{path}:{error}")))?;
            return Ok(Some(name));
        }
        let looked = paths.map(|path| format!("/{path}")).join(" and ");
        Err(Refused::There(span, format!("no wiring `{name}`; looked for {looked}")))
    }

    fn configuration(
        &mut self,
        set_up: &SetUp,
        clockd: &str,
        wiring: Option<String>,
        root: &Path,
    ) -> Result<(), Refused> {
        let [control, rules] = start::changes(set_up, clockd, root)?;
        let SetUp { board, language, arrangement, rotation, screen_mode, .. } = set_up;
        let wiring = wiring.map(|name| Change::new("", "wiring", name));
        let board = board.clone().map(|board| Change::new("", "board", board));
        let language = language.map(|it| Change::new("menu", "language", it.code()));
        self.change("clockd.toml", [control, rules, wiring.clone(), board, language], root)?;
        let arrangement = arrangement.map(|word| Change::new("screen", "arrangement", word));
        let rotation = rotation.map(|degrees| Change::new("screen", "rotation", degrees));
        let mode = screen_mode.map(|mode| Change::new("screen", "mode", mode.to_string()));
        self.change("display.toml", [wiring, arrangement, rotation, mode], root)
    }

    /// Changes keys of a configuration file.
    fn change(
        &mut self,
        name: &str,
        changes: impl IntoIterator<Item = Option<Change<'static>>>,
        root: &Path,
    ) -> Result<(), Refused> {
        let changes: Vec<Change<'static>> = changes.into_iter().flatten().collect();
        if changes.is_empty() {
            return Ok(());
        }
        let path = format!("{FOLDER}/{name}");
        let text = existing(root, &path)?.unwrap_or_default();
        let text =
            changed(&text, &changes).map_err(|error| Refused::Other(format!("/{path}:{error}")))?;
        self.files.push(NewFile::new(path, text, 0o644));
        Ok(())
    }

    fn arbiters(
        &mut self,
        arbiters: &[Arbiter],
        span: Range<usize>,
        root: &Path,
    ) -> Result<(), Refused> {
        let accounts = existing(root, "etc/passwd")?.unwrap_or_default();
        if !arbiters.is_empty()
            && !accounts.lines().any(|line| line.split(':').next() == Some(ACCOUNT))
        {
            let message = format!(
                "this system has no account `{ACCOUNT}`; sudo useradd --create-home --gid arbiter --password '*' {ACCOUNT}"
            );
            return Err(Refused::There(span, message));
        }
        // The bridge passes the messages of clockctl on to the bus, whose policy says what the group
        // may do. With this key nothing else can be run.
        let line = |arbiter: &Arbiter| {
            let Arbiter { name, key } = arbiter;
            format!("restrict,command=\"systemd-stdio-bridge\" {key} {name}\n")
        };
        let lines: String = arbiters.iter().map(line).collect();
        let path = format!("{FOLDER}/authorized-keys/{ACCOUNT}");
        let text = format!("# Written from chessclock.toml.\n{lines}");
        self.files.push(NewFile::new(path, text, 0o644));
        Ok(())
    }

    fn wifi(
        &mut self,
        wifi: &Wifi,
        span: Range<usize>,
        root: &Path,
        before: &Applied,
    ) -> Result<(), Refused> {
        let Some(program) = Program::of(root) else {
            let message = "this system has neither NetworkManager nor iwd, which connect to a wireless network";
            return Err(Refused::There(span, message.to_owned()));
        };
        let passphrase = match &wifi.passphrase {
            None => None,
            Some(secret) => match (secret.given(), &before.ssid, &before.passphrase) {
                (Some(given), ..) => Some(given.to_owned()),
                (None, Some(ssid), Some(kept)) if *ssid == wifi.ssid => Some(kept.clone()),
                _ => {
                    let message = format!(
                        "stars stand for a passphrase that was applied, and this clock has none for `{}`; write it again",
                        wifi.ssid
                    );
                    return Err(Refused::There(secret.inside.clone(), message));
                }
            },
        };
        self.files.extend(program.radio(root));
        self.files.extend(program.files(wifi, passphrase.as_deref()));
        self.applied.ssid = Some(wifi.ssid.clone());
        self.applied.passphrase = passphrase;
        Ok(())
    }
}

/// The text of a file of the system; `None` if there is none.
fn existing(root: &Path, path: &str) -> Result<Option<String>, Refused> {
    match read_text(&root.join(path)) {
        Ok(text) => Ok(Some(text)),
        Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(ReadError::Io(error)) => Err(Refused::Other(format!("/{path}: {error}"))),
        Err(ReadError::NotText(error)) => Err(Refused::Other(format!("/{path}:{error}"))),
    }
}

/// The table of hosts with the new name of this machine. A machine that cannot look up its own name
/// makes `sudo` wait.
fn renamed(hosts: &str, old: &str, new: &str) -> String {
    let mut text = String::new();
    let mut is_known = false;
    for line in hosts.lines() {
        let is_own = line.starts_with("127.") || line.starts_with("::1");
        let mut words: Vec<&str> = line.split_whitespace().collect();
        // The first word of a line is the address.
        if is_own && !old.is_empty() && words.iter().skip(1).any(|name| *name == old) {
            words.iter_mut().filter(|word| **word == old).for_each(|word| *word = new);
            text += &words.join("\t");
        } else {
            text += line;
        }
        text.push('\n');
        is_known |= is_own && words.iter().skip(1).any(|name| *name == new);
    }
    if !is_known {
        text += &format!("127.0.1.1\t{new}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn the_table_of_hosts_has_the_new_name_once() {
        let hosts = "127.0.0.1\tlocalhost\n::1 localhost pi\n127.0.1.1 pi\n10.0.0.1 pi\n";
        let expected =
            "127.0.0.1\tlocalhost\n::1\tlocalhost\tclock-1\n127.0.1.1\tclock-1\n10.0.0.1 pi\n";
        assert_eq!(renamed(hosts, "pi", "clock-1"), expected);
        assert_eq!(renamed(expected, "clock-1", "clock-1"), expected);
        assert_eq!(renamed("", "", "clock-1"), "127.0.1.1\tclock-1\n");
    }
}
