//! `clockctl setup apply`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{Folder, KEY, files};

const APPLY: &str = "apply chessclock.toml --root root --refused refused";
const APPLIED: &str = "root/etc/chess-clock/chessclock.applied";
const CONNECTION: &str = "root/etc/NetworkManager/system-connections/chess-clock.nmconnection";

/// A system as the packages install it, with the account of the arbiters and NetworkManager.
fn system() -> Folder {
    let folder = Folder::new();
    let configs = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs");
    for file in ["clockd.toml", "display.toml"] {
        let text = fs::read_to_string(format!("{configs}/{file}")).unwrap();
        folder.write(&format!("root/etc/chess-clock/{file}"), text);
    }
    for file in ["wiring/raspberry-pi.toml", "wiring/raspberry-pi-two-buttons.toml"] {
        let text = fs::read_to_string(format!("{configs}/{file}")).unwrap();
        folder.write(&format!("root{}/{file}", clock_wiring::SHARED), text);
    }
    folder.write("root/etc/passwd", "root:x:0:0::/:/bin/sh\narbiter:x:1000:903::/:/bin/sh\n");
    folder.write("root/etc/hostname", "chess-clock\n");
    folder.write("root/etc/hosts", "127.0.0.1 localhost\n127.0.1.1 chess-clock\n");
    folder.write("root/usr/sbin/NetworkManager", "");
    folder
}

fn whole() -> String {
    format!(
        "host_name = 'clock-12'\nboard = 12\nlanguage = 'ga'\narrangement = 'facing'\nrotation = 180\n\
         [wiring]\nchip = 'pinctrl-rp1'\ninput = 'rocker'\nwhite.line = 5\nblack.line = 6\n\
         [arbiters]\n'Vera Menchik' = '{KEY} vera@home'\n\
         [wifi]\ncountry = 'IE'\nssid = 'Club'\npassphrase = 'sesame open'\n"
    )
}

fn mode(folder: &Folder, name: &str) -> u32 {
    fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_whole_file_is_applied_once_and_its_passphrase_becomes_stars() {
    let folder = system();
    let code = fs::Permissions::from_mode(0o640);
    fs::set_permissions(folder.path("root/etc/chess-clock/clockd.toml"), code).unwrap();
    folder.write("chessclock.toml", whole());
    let said = folder.said(APPLY);
    for file in
        ["/etc/hostname", "/etc/hosts", "/etc/chess-clock/clockd.toml", "authorized-keys/arbiter"]
    {
        assert!(said.contains(file), "{said}");
    }
    assert_eq!(folder.read("root/etc/hostname"), "clock-12\n");
    assert_eq!(folder.read("root/etc/hosts"), "127.0.0.1 localhost\n127.0.1.1\tclock-12\n");
    let clockd = folder.read("root/etc/chess-clock/clockd.toml");
    for line in ["board = \"12\"", "wiring = \"chessclock\"", "language = \"ga\""] {
        assert!(clockd.lines().any(|it| it == line), "{line}: {clockd}");
    }
    assert_eq!(mode(&folder, "root/etc/chess-clock/clockd.toml"), 0o640);
    let display = folder.read("root/etc/chess-clock/display.toml");
    for line in ["arrangement = \"facing\"", "rotation = 180", "wiring = \"chessclock\""] {
        assert!(display.lines().any(|it| it == line), "{line}: {display}");
    }
    let wiring = folder.read("root/etc/chess-clock/wiring/chessclock.toml");
    clockctl::setup::check_wiring(&wiring).unwrap();
    let keys = "root/etc/chess-clock/authorized-keys/arbiter";
    let line = format!("restrict,command=\"systemd-stdio-bridge\" {KEY} Vera Menchik");
    assert_eq!(folder.read(keys).lines().nth(1), Some(line.as_str()));
    assert_eq!(
        (mode(&folder, keys), mode(&folder, "root/etc/chess-clock/authorized-keys")),
        (0o644, 0o755)
    );
    assert!(folder.read(CONNECTION).contains("psk=sesame\\sopen\n"));
    let country = folder.read("root/etc/modprobe.d/chess-clock-wifi.conf");
    assert_eq!(country, "options cfg80211 ieee80211_regdom=IE\n");
    for secret in [CONNECTION, APPLIED] {
        assert_eq!(mode(&folder, secret), 0o600, "{secret}");
    }
    let masked = whole().replace("sesame open", "***********");
    assert_eq!(folder.read("chessclock.toml"), masked);
    assert!(!folder.path("refused").exists());
    // The second start changes nothing, and neither does a change at the clock.
    fs::write(folder.path("root/etc/hostname"), "renamed\n").unwrap();
    let before = files(&folder.path("root"));
    assert_eq!(folder.said(APPLY), "chessclock.toml: applied before\n");
    assert_eq!(files(&folder.path("root")), before);
    // With the stars, a changed file has the passphrase that was kept.
    folder.write("chessclock.toml", masked.replace("'IE'", "'GB'").replace("= 12", "= 13"));
    folder.said(APPLY);
    assert!(folder.read(CONNECTION).contains("psk=sesame\\sopen\n"));
    assert!(folder.read("root/etc/chess-clock/clockd.toml").contains("board = \"13\""));
    assert_eq!(folder.read("root/etc/hostname"), "clock-12\n");
}

#[test]
fn a_file_that_is_refused_changes_nothing_and_leaves_the_reason() {
    let folder = system();
    folder.write("chessclock.toml", "board = 12\n");
    folder.said(APPLY);
    let before = files(&folder.path("root"));
    let stars = "board = 2\n[wifi]\ncountry = 'IE'\nssid = 'Club'\npassphrase = '********'\n";
    let file = |text: &str| text.as_bytes().to_vec();
    for (text, said) in [
        (file("board = 2\nbord = 1\n"), "chessclock.toml:2:1: unknown key `bord`"),
        (b"board = 2\n\xff".to_vec(), "chessclock.toml:2:1: not UTF-8 text"),
        (vec![b'#'; 64 * 1024 + 1], "chessclock.toml: larger than 64 KiB"),
        (
            file("board = 2\nwiring = 'ours'\n"),
            "chessclock.toml:2:10: `wiring`: no wiring `ours`; looked for /etc/",
        ),
        (
            file(stars),
            "chessclock.toml:5:15: `passphrase`: stars stand for a passphrase that was applied",
        ),
        (
            file("board = 2\ncontrol = 'ours'\n"),
            "chessclock.toml:2:11: `control`: no time control `ours`; ",
        ),
        (
            file("use = 'club'\nrules = 'fide'\n"),
            "chessclock.toml:2:9: `rules`: no rule profile `fide`; perhaps ",
        ),
        (
            file("rules = 'guidelines-iii'\n"),
            "chessclock.toml:1:9: `rules`: guidelines-iii with 5+3: ",
        ),
        (
            file("wiring = 'ours'\ncall_button = false\n"),
            "chessclock.toml:2:15: `call_button`: no wiring `ours-two-buttons`; looked for /etc/",
        ),
    ] {
        folder.write("chessclock.toml", &text);
        let error = folder.refused(APPLY);
        assert!(error.contains(said), "{error}");
        let reason = folder.read("refused");
        assert!(reason.starts_with(said) && error.contains(reason.trim()), "{reason}");
        assert_eq!(files(&folder.path("root")), before, "{said}");
        assert_eq!(fs::read(folder.path("chessclock.toml")).unwrap(), text);
    }
    folder.write("chessclock.toml", "board = 3\n");
    folder.said(APPLY);
    assert!(!folder.path("refused").exists());
    assert!(folder.read("root/etc/chess-clock/clockd.toml").contains("board = \"3\""));
}

/// The lines of `clockd.toml` that begin with one of these keys.
fn set(folder: &Folder, keys: &[&str]) -> Vec<String> {
    let text = folder.read("root/etc/chess-clock/clockd.toml");
    let is_set = |line: &&str| keys.iter().any(|key| line.starts_with(&format!("{key} = ")));
    text.lines().filter(is_set).map(str::to_owned).collect()
}

#[test]
fn a_use_is_what_the_clock_starts_with_and_an_explicit_key_wins() {
    let folder = system();
    let start = |text: &str| {
        folder.write("chessclock.toml", text);
        folder.said(APPLY);
        set(&folder, &["control", "rules"])
    };
    let tournament = ["control = \"fide-standard\"", "rules = \"fide-2023\""];
    let club = ["control = \"5+3\"", "rules = \"players-agree\""];
    assert_eq!(set(&folder, &["control", "rules"]), club, "a new card is a club's clock");
    assert_eq!(start("use = 'tournament'\n"), tournament);
    // What the file does not say stays.
    assert_eq!(start("board = 1\n"), tournament);
    assert_eq!(start("use = 'club'\n"), club);
    assert_eq!(
        start("use = 'tournament'\ncontrol = '3+2'\n"),
        ["control = \"3+2\"", "rules = \"fide-2023\""]
    );
    folder.write(
        "root/etc/chess-clock/controls/ours.toml",
        "name = 'Ours'\n[[period]]\ntime = '7m'\n",
    );
    assert_eq!(
        start("use = 'club'\ncontrol = 'ours'\nrules = 'us-chess'\n"),
        ["control = \"ours\"", "rules = \"us-chess\""]
    );
}

#[test]
fn without_a_call_button_the_wiring_is_that_of_two_buttons() {
    let folder = system();
    let wiring = |text: &str| {
        folder.write("chessclock.toml", text);
        folder.said(APPLY);
        let display = folder.read("root/etc/chess-clock/display.toml");
        let wiring = set(&folder, &["wiring"]).concat();
        assert!(display.lines().any(|line| line == wiring), "{wiring}: {display}");
        wiring
    };
    assert_eq!(wiring("call_button = false\n"), "wiring = \"raspberry-pi-two-buttons\"");
    assert_eq!(wiring("call_button = true\n"), "wiring = \"raspberry-pi\"");
    let named = "wiring = 'raspberry-pi'\ncall_button = false\n";
    assert_eq!(wiring(named), "wiring = \"raspberry-pi-two-buttons\"");
    assert_eq!(wiring("wiring = 'raspberry-pi'\n"), "wiring = \"raspberry-pi\"");
    let clockd = folder.read("root/etc/chess-clock/clockd.toml");
    let of_path = clockd.replace("\"raspberry-pi\"", "\"wiring/ours.toml\"");
    folder.write("root/etc/chess-clock/clockd.toml", of_path);
    folder.write("chessclock.toml", "call_button = false\n");
    let error = folder.refused(APPLY);
    let said = "1:15: `call_button`: the clock has the wiring of the path `wiring/ours.toml`; expected the key `wiring`, too";
    assert!(error.contains(said), "{error}");
    assert_eq!(wiring(named), "wiring = \"raspberry-pi-two-buttons\"");
}

/// The file of the wireless network is written after the others. While it cannot be written, none is. If
/// it cannot take its place, the message names what is changed. Either way the next start applies all.
#[test]
fn a_write_error_midway_changes_nothing_or_names_what_is_changed() {
    let folder = system();
    folder.write("chessclock.toml", whole());
    folder.write("root/etc/modprobe.d", "no folder");
    let before = files(&folder.path("root"));
    let refused = || {
        let (code, _, error) = folder.setup(APPLY);
        assert_eq!(code, 1, "{error}");
        assert!(error.contains(folder.read("refused").trim()), "{error}");
        assert_eq!(folder.read("chessclock.toml"), whole(), "the passphrase is still there");
        error
    };
    let error = refused();
    assert!(error.contains("clockctl: /etc/modprobe.d/chess-clock-wifi.conf: "), "{error}");
    assert!(error.contains("; nothing was changed"), "{error}");
    assert_eq!(files(&folder.path("root")), before);

    fs::remove_file(folder.path("root/etc/modprobe.d")).unwrap();
    let in_the_way = folder.path("root/etc/modprobe.d/chess-clock-wifi.conf");
    fs::create_dir_all(&in_the_way).unwrap();
    let error = refused();
    assert!(error.contains("clockctl: /etc/modprobe.d/chess-clock-wifi.conf: "), "{error}");
    let before = "; 6 of 9 files were changed before: /etc/hostname, /etc/hosts, ";
    assert!(error.contains(before), "{error}");
    assert_eq!(folder.read("root/etc/hostname"), "clock-12\n");
    assert!(!folder.path(APPLIED).exists() && !folder.path(CONNECTION).exists());

    fs::remove_dir(in_the_way).unwrap();
    let said = folder.said(APPLY);
    assert!(said.contains("chess-clock.nmconnection") && !said.contains("hostname"), "{said}");
    assert!(folder.read(CONNECTION).contains("psk=sesame\\sopen\n"));
    assert!(!folder.path("refused").exists());
    let left = files(&folder.path("root"));
    assert!(left.iter().all(|(path, _)| !path.to_string_lossy().ends_with(".new")), "{left:?}");
}

#[test]
fn the_time_zone_is_a_link_and_the_mode_of_the_screen_is_a_key_of_the_face() {
    let folder = system();
    let local_time = folder.path("root/etc/localtime");
    folder.write("root/usr/share/zoneinfo/Europe/Dublin", "TZif2");
    folder.write("root/usr/share/zoneinfo/Europe/README", "no zone");
    std::os::unix::fs::symlink("/usr/share/zoneinfo/Etc/UTC", &local_time).unwrap();
    folder.write("chessclock.toml", "time_zone = 'Europe/Dublin'\nscreen_mode = '1280x400'\n");
    let said = folder.said(APPLY);
    assert!(said.contains("/etc/localtime"), "{said}");
    let dublin = std::path::Path::new("/usr/share/zoneinfo/Europe/Dublin");
    assert_eq!(fs::read_link(&local_time).unwrap(), dublin);
    let display = folder.read("root/etc/chess-clock/display.toml");
    assert!(display.lines().any(|line| line == "mode = \"1280x400@60\""), "{display}");
    for zone in ["Europe/Dubln", "Europe/README"] {
        folder.write("chessclock.toml", format!("board = 1\ntime_zone = '{zone}'\n"));
        let error = folder.refused(APPLY);
        let said = format!(
            "chessclock.toml:2:13: `time_zone`: no time zone `{zone}` in /usr/share/zoneinfo"
        );
        assert!(error.contains(&said), "{error}");
        assert_eq!(fs::read_link(&local_time).unwrap(), dublin);
    }
}

/// On a read-only root the name is not in `/etc/hostname`, but only in `chessclock.applied`.
#[test]
fn a_machine_keeps_its_name_if_the_next_set_up_file_is_refused() {
    let folder = Folder::new();
    folder.write("chessclock.toml", "bord = 1\n");
    let line = "mount -t tmpfs tmpfs /etc && mkdir /etc/chess-clock && \
                echo \"sha256 = 'a'\nhost_name = 'clock-12'\" >/etc/chess-clock/chessclock.applied && \
                { \"$0\" setup apply chessclock.toml || uname -n; }";
    let clockctl = super::clockctl().get_program().to_owned();
    let mut unshare = std::process::Command::new("unshare");
    unshare.args(["--mount", "--uts", "sh", "-c", line]).arg(clockctl);
    let output = unshare.current_dir(folder.path("")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.starts_with("unshare:") && std::env::var_os("CI").is_none() {
        eprintln!("not run: no namespaces: {said}");
        return;
    }
    assert!(said.contains("unknown key `bord`"), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "clock-12\n");
}

#[test]
fn what_a_system_lacks_is_named_with_the_line() {
    let folder = system();
    let wifi = "\n[wifi]\ncountry = 'IE'\nssid = 'Club'\n";
    let arbiters = format!("board = 1\n[arbiters]\nVera = '{KEY}'\n");
    for (missing, text, said) in [
        (
            "usr/sbin/NetworkManager",
            wifi,
            "chessclock.toml:2:1: this system has neither NetworkManager nor iwd",
        ),
        (
            "etc/passwd",
            &arbiters,
            "chessclock.toml:2:1: this system has no account `arbiter`; sudo useradd",
        ),
    ] {
        fs::remove_file(folder.path("root").join(missing)).unwrap();
        folder.write("chessclock.toml", text);
        let error = folder.refused(APPLY);
        assert!(error.contains(said), "{error}");
    }
    folder.write("root/etc/chess-clock/clockd.toml", "a =\n");
    folder.write("chessclock.toml", "board = 1\n");
    let error = folder.refused(APPLY);
    assert!(error.contains("/etc/chess-clock/clockd.toml:1:4: "), "{error}");
    folder.write(
        "root/etc/chess-clock/wiring/ours.toml",
        "chip = 'x'\nwhite.line = 1\nblack.line = 1\n",
    );
    folder.write("chessclock.toml", "wiring = 'ours'\n");
    let error = folder.refused(APPLY);
    let said = "chessclock.toml:1:10: `wiring`: /etc/chess-clock/wiring/ours.toml:3:14: `line`: line 1 is used \
                twice";
    assert!(error.contains(said), "{error}");
}

/// Raspberry Pi OS switches the radio off until a country is set.
#[test]
fn the_radio_of_network_manager_is_switched_on() {
    const STATE: &str = "root/var/lib/NetworkManager/NetworkManager.state";
    let folder = system();
    folder
        .write(STATE, "[main]\nNetworkingEnabled=true\nWirelessEnabled=false\nWWANEnabled=true\n");
    folder.write("chessclock.toml", "wifi = { country = 'IE', ssid = 'Open' }\n");
    folder.said(APPLY);
    let on = "[main]\nNetworkingEnabled=true\nWirelessEnabled=true\nWWANEnabled=true\n";
    assert_eq!(folder.read(STATE), on);
}

#[test]
fn a_network_of_iwd_and_an_open_network_need_no_network_manager() {
    let folder = system();
    fs::remove_file(folder.path("root/usr/sbin/NetworkManager")).unwrap();
    folder.write("root/usr/libexec/iwd", "");
    folder.write(
        "chessclock.toml",
        "wifi = { country = 'IE', ssid = 'Club', passphrase = 'sesame open' }\n",
    );
    folder.said(APPLY);
    assert_eq!(folder.read("root/var/lib/iwd/Club.psk"), "[Security]\nPassphrase=sesame\\sopen\n");
    assert_eq!(
        (mode(&folder, "root/var/lib/iwd"), mode(&folder, "root/var/lib/iwd/Club.psk")),
        (0o700, 0o600)
    );
    assert!(
        folder.read("root/etc/systemd/network/30-chess-clock-wifi.network").contains("DHCP=yes")
    );
    folder.write("chessclock.toml", "wifi = { country = 'IE', ssid = 'Open' }\n");
    folder.said(APPLY);
    assert!(folder.path("root/var/lib/iwd/Open.open").exists());
    assert!(!folder.read(APPLIED).contains("sesame"));
}

#[test]
fn without_a_file_nothing_is_done_and_an_earlier_reason_is_removed() {
    let folder = system();
    let before = files(&folder.path("root"));
    folder.write("refused", "an earlier one\n");
    assert_eq!(folder.said(APPLY), "chessclock.toml: there is no such file\n");
    assert_eq!(files(&folder.path("root")), before);
    assert!(!folder.path("refused").exists());
}

#[test]
fn an_ending_that_windows_hides_is_named() {
    let folder = system();
    folder.write("chessclock.toml.txt", "board = 12\n");
    let error = folder.refused(APPLY);
    assert!(error.contains("chessclock.toml.txt: rename it to chessclock.toml"), "{error}");
    folder.write("chessclock.toml", "board = 12\n");
    folder.said(APPLY);
}

/// The file that users copy has every key, and means nothing as it is.
#[test]
fn the_example_has_every_key_and_changes_nothing() {
    let example = include_str!("../../../../examples/chessclock.toml");
    let empty = clockctl::setup::SetUp::parse(example).unwrap();
    assert_eq!(empty, clockctl::setup::SetUp::default());
    let error = clockctl::setup::SetUp::parse("unknown = 1\n").unwrap_err().to_string();
    let keys: Vec<&str> =
        error.split_once("expected one of ").unwrap().1.split('`').skip(1).step_by(2).collect();
    assert_eq!(keys, clockctl::setup::KEYS);
    let lines: Vec<&str> = example.lines().filter_map(|line| line.strip_prefix("# ")).collect();
    for key in keys {
        let is_it =
            |line: &&&str| line.starts_with(&format!("{key} = ")) || **line == format!("[{key}]");
        assert!(lines.iter().any(|line| is_it(&line)), "{key}");
    }
    // With its marks removed, each example is a value that is accepted.
    let is_set = |line: &&&str| {
        line.starts_with('[')
            || line.split(" = ").next().is_some_and(|key| {
                line.contains(" = ") && key.chars().all(|it| it.is_ascii_lowercase() || it == '_')
            })
    };
    let set: String = lines.iter().filter(is_set).map(|line| format!("{line}\n")).collect();
    let set = clockctl::setup::SetUp::parse(&set).unwrap_or_else(|error| panic!("{error}: {set}"));
    assert!(set.board.is_some() && set.wifi.is_some() && set.arbiters.is_some(), "{set:?}");
    assert!(set.use_for.is_some() && set.call_button.is_some(), "{set:?}");
}
