//! The files with which the system's own program finds a wireless network.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use clockctl::setup::Wifi;

use super::files::NewFile;

/// The file with the country, for the kernel's module.
pub(super) const MODULE: &str = "etc/modprobe.d/chess-clock-wifi.conf";
/// The file with which systemd-networkd requests an address after iwd has connected.
pub(super) const NETWORK: &str = "etc/systemd/network/30-chess-clock-wifi.network";

/// The file in which NetworkManager stores whether the radio is on. Raspberry Pi OS switches the radio off
/// until a country is set.
const RADIO: &str = "var/lib/NetworkManager/NetworkManager.state";

/// A program that connects to wireless networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    NetworkManager,
    Iwd,
}

impl Program {
    /// The program that a system has. NetworkManager can use iwd, so it is asked for first.
    pub(super) fn of(root: &Path) -> Option<Program> {
        let programs = [
            ("usr/sbin/NetworkManager", Program::NetworkManager),
            ("usr/libexec/iwd", Program::Iwd),
            ("usr/lib/iwd/iwd", Program::Iwd),
        ];
        programs.into_iter().find(|(path, _)| root.join(path).exists()).map(|(_, program)| program)
    }

    /// The file with which NetworkManager switches the radio on; `None` if the radio is on already.
    pub(super) fn radio(self, root: &Path) -> Option<NewFile> {
        let text = fs::read_to_string(root.join(RADIO))
            .ok()
            .filter(|_| self == Program::NetworkManager)?;
        let on = text.replace("WirelessEnabled=false", "WirelessEnabled=true");
        (on != text).then(|| NewFile::new(RADIO, on, 0o644))
    }

    /// The files for this network. They belong to root, and only root reads a passphrase.
    pub(super) fn files(self, wifi: &Wifi, passphrase: Option<&str>) -> Vec<NewFile> {
        let Wifi { country, ssid, .. } = wifi;
        // With this file, the kernel module knows the country before any program sends.
        let module = format!("options cfg80211 ieee80211_regdom={country}\n");
        let mut files = vec![NewFile::new(MODULE, module, 0o644)];
        match self {
            Program::NetworkManager => {
                let path = "etc/NetworkManager/system-connections/chess-clock.nmconnection";
                files.push(NewFile::new(path, network_manager(ssid, passphrase), 0o600));
            }
            Program::Iwd => {
                let (path, text) = iwd(ssid, passphrase);
                files.push(NewFile::new(path, text, 0o600));
                let main = format!("[General]\nCountry={country}\n");
                files.push(NewFile::new("etc/iwd/main.conf", main, 0o644));
                let network =
                    "[Match]\nName=wlan*\n\n[Link]\nRequiredForOnline=no\n\n[Network]\nDHCP=yes\n";
                files.push(NewFile::new(NETWORK, network.to_owned(), 0o644));
            }
        }
        files
    }
}

/// A connection of NetworkManager, as nm-settings-keyfile(5) describes it.
fn network_manager(ssid: &str, passphrase: Option<&str>) -> String {
    let mut text = String::from("[connection]\nid=chess-clock\ntype=wifi\n\n[wifi]\nssid=");
    // The bytes are written as decimal numbers, because `;` and `\` have a meaning in a key file.
    for byte in ssid.bytes() {
        let _ = write!(text, "{byte};");
    }
    if let Some(passphrase) = passphrase {
        let _ = write!(text, "\n\n[wifi-security]\nkey-mgmt=wpa-psk\npsk={}", escaped(passphrase));
    }
    text + "\n\n[ipv4]\nmethod=auto\n\n[ipv6]\nmethod=auto\n"
}

/// The file of a network of iwd, as iwd.network(5) describes it.
fn iwd(ssid: &str, passphrase: Option<&str>) -> (String, String) {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_ ".contains(letter);
    let name = match ssid.chars().all(is_plain) {
        true => ssid.to_owned(),
        false => ssid.bytes().fold("=".to_owned(), |name, byte| format!("{name}{byte:02x}")),
    };
    match passphrase {
        Some(passphrase) => (
            format!("var/lib/iwd/{name}.psk"),
            format!("[Security]\nPassphrase={}\n", escaped(passphrase)),
        ),
        None => (format!("var/lib/iwd/{name}.open"), "[Settings]\nAutoConnect=true\n".to_owned()),
    }
}

/// The text as a value of a key file: both programs would drop a space at its beginning or end.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(' ', "\\s")
}

#[cfg(test)]
mod tests {
    use super::{iwd, network_manager};

    #[test]
    fn a_network_of_network_manager_has_no_character_with_another_meaning() {
        let text = network_manager("a;", Some(" p\\q;x"));
        assert!(text.contains("\nssid=97;59;\n"), "{text}");
        assert!(text.contains("\nkey-mgmt=wpa-psk\npsk=\\sp\\\\q;x\n"), "{text}");
        let open = network_manager("a", None);
        assert!(!open.contains("security") && open.contains("\nssid=97;\n\n[ipv4]"), "{open}");
    }

    #[test]
    fn the_file_of_iwd_has_the_name_of_the_network() {
        let (path, text) = iwd("Club 1", Some("sesame  open"));
        assert_eq!(path, "var/lib/iwd/Club 1.psk");
        assert_eq!(text, "[Security]\nPassphrase=sesame\\s\\sopen\n");
        assert_eq!(iwd("a/b", None).0, "var/lib/iwd/=612f62.open");
    }
}
