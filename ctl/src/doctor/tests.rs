//! Each finding with its verdict and its remedy, from made-up facts.

use std::{collections::BTreeSet, fs};

use clock_dbus::{Fault, FaultCode, HealthProperties};

use super::{
    facts::{
        BusFacts, Checked, Clock, Facts, Flushes, Machine, PolicyFile, Power, Storage, System,
        Thread, TimeService,
    },
    finding::{Finding, Verdict},
    findings, is_fit, overall, tester_report,
};

fn thread(name: &str, fifo: Option<u32>) -> Thread {
    Thread { name: name.to_owned(), fifo }
}

/// A clock on which everything is as it should be.
fn good() -> Facts {
    let health = HealthProperties {
        realtime_ok: true,
        storage_ok: true,
        recorded_entries: 56,
        clock_rate_windows: 30,
        clock_rate_ppb: -3_150,
        worst_clock_rate_ppb: 5_000,
        digit_height: 21_500,
        worst_lateness_nsec: 80_001,
        edge_latency_nsec: vec![(10_000, 40), (20_000, 2)],
        rejected_presses: 0,
        lost_edges: 0,
        stuck_buttons: Vec::new(),
        wake_lateness_nsec: Vec::new(),
        decision_latency_nsec: Vec::new(),
        faults: Vec::new(),
        storage_error: String::new(),
        uncommitted_entries: 0,
        lost_entries: 0,
        record_bytes: 4096,
        warnings: Vec::new(),
    };
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let clock = Clock { version, health, faults: Vec::new() };
    let machine = Machine {
        threads: Some(vec![thread("clockd", None), thread("clock-loop", Some(40))]),
        interrupt_threads: vec![
            thread("irq/55-clockd", Some(55)),
            thread("irq/56-clockd", Some(55)),
        ],
        gpio_chips: 1,
        kernel_options: Some(vec!["CONFIG_GPIO_CDEV=y".to_owned()]),
        policy: Some(PolicyFile { is_ours: true, others: Vec::new() }),
        gpio_members: Some(vec!["chess-clock".to_owned()]),
        storage: Some(Storage {
            folder: "/var/lib/chess-clock".to_owned(),
            kind: "ext4".to_owned(),
            is_read_only: false,
            free_bytes: 1 << 30,
            flushes: Some(Flushes { count: 100, milliseconds: 1200 }),
        }),
        power: Some(Power { throttled: Some(0), is_low: Some(false), temperature: Some(48_300) }),
        configuration: Some(Checked::Good("time control fide-standard".to_owned())),
        has_chrony_drop_in: true,
    };
    let kernel = ("6.12.47-rt".to_owned(), "#1 SMP PREEMPT_RT".to_owned());
    Facts {
        clock: Ok(clock),
        bus: BusFacts { is_system: true, may_command: Some(true), users: Some((990, 990)) },
        system: System {
            kernel: Some(kernel),
            model: Some("Raspberry Pi 4 Model B Rev 1.5".to_owned()),
            restarts: Some(0),
            time: Some(TimeService {
                is_synchronized: true,
                has_chrony: true,
                has_timesyncd: false,
            }),
        },
        machine: Some(machine),
    }
}

#[test]
fn a_good_clock_is_fit_and_nothing_has_to_be_done() {
    let findings = findings(&good());
    for finding in &findings {
        assert_eq!((finding.verdict, &finding.remedy), (Verdict::Fit, &None), "{finding:?}");
    }
    let ids: Vec<&str> = findings.iter().map(|finding| finding.id).collect();
    assert_eq!(
        ids,
        [
            "service",
            "real-time",
            "interrupts",
            "latency",
            "buttons",
            "permissions",
            "bus-policy",
            "gpio-group",
            "kernel",
            "gpio-interface",
            "record",
            "disk",
            "sync",
            "clock-rate",
            "screen",
            "time-service",
            "power",
            "configuration",
        ]
    );
    assert_eq!(overall(&findings), "the clock is fit for play");
    let value = |id| &findings.iter().find(|finding| finding.id == id).unwrap().value;
    assert_eq!(value("latency"), "wake-up at most 0.081 ms, reading an edge at most 0.020 ms");
    assert_eq!(value("kernel"), "6.12.47-rt with PREEMPT_RT, Raspberry Pi 4 Model B Rev 1.5");
    assert_eq!(value("clock-rate"), "-3.1 ppm, worst +5.0 ppm");
    assert_eq!(value("sync"), "12 ms on average, 100 times since the start");
    assert_eq!(value("power"), "the voltage is good; 48 °C");
}

/// A change of the good clock, and what one finding then says: its name, its verdict, and a part of
/// its value and of its remedy.
type Case = (fn(&mut Facts), &'static str, Verdict, &'static str, &'static str);

fn clock(facts: &mut Facts) -> &mut Clock {
    facts.clock.as_mut().ok().unwrap()
}

fn machine(facts: &mut Facts) -> &mut Machine {
    facts.machine.as_mut().unwrap()
}

fn storage(facts: &mut Facts) -> &mut Storage {
    machine(facts).storage.as_mut().unwrap()
}

fn power(facts: &mut Facts) -> &mut Power {
    machine(facts).power.as_mut().unwrap()
}

fn fault(facts: &mut Facts, code: FaultCode) {
    clock(facts).faults.push(Fault::new(code, format!("the fault {}", code.as_str())));
}

use Verdict::{Unfit, Unknown, Warning};

const CASES: &[Case] = &[
    (
        |it| it.clock = Err("no clock service".into()),
        "service",
        Unfit,
        "no clock service",
        "systemctl status",
    ),
    (|it| it.system.restarts = Some(3), "service", Warning, "restarted it 3 times", "journalctl"),
    (|it| clock(it).version = "0.0.9".into(), "service", Warning, "clockd 0.0.9", "same version"),
    (
        |it| clock(it).health.realtime_ok = false,
        "real-time",
        Unfit,
        "no real-time priority",
        "LimitRTPRIO",
    ),
    (
        |it| machine(it).threads = Some(vec![thread("clock-loop", None)]),
        "real-time",
        Unfit,
        "like any program",
        "LimitRTPRIO",
    ),
    (
        |it| machine(it).threads = Some(vec![thread("clock-loop", Some(1))]),
        "real-time",
        Warning,
        "SCHED_FIFO 1",
        "restart clockd",
    ),
    (
        |it| machine(it).interrupt_threads[0].fifo = Some(50),
        "interrupts",
        Warning,
        "2 threads, SCHED_FIFO 50 instead of 55",
        "reload clockd",
    ),
    (
        |it| machine(it).interrupt_threads[1].fifo = None,
        "interrupts",
        Warning,
        "SCHED_FIFO 0",
        "reload clockd",
    ),
    (
        |it| clock(it).health.worst_lateness_nsec = 10_000_001,
        "latency",
        Warning,
        "10.001 ms",
        "real-time kernel",
    ),
    (|it| fault(it, FaultCode::BoardGone), "buttons", Unfit, "board-gone", "steps 1 and 3"),
    (
        |it| {
            fault(it, FaultCode::BoardGone);
            machine(it).gpio_chips = 0;
        },
        "buttons",
        Unfit,
        "board-gone",
        "no GPIO chip",
    ),
    (
        |it| fault(it, FaultCode::RockerCrossed),
        "buttons",
        Unfit,
        "rocker-crossed",
        "hardware-check",
    ),
    (|it| fault(it, FaultCode::StuckBlack), "buttons", Unfit, "stuck-black", "cable"),
    (
        |it| clock(it).health.stuck_buttons.push("white".into()),
        "buttons",
        Unfit,
        "white is stuck",
        "cable",
    ),
    (|it| fault(it, FaultCode::MemoryDamaged), "fault", Unfit, "memory-damaged", "reliability"),
    (
        |it| fault(it, FaultCode::RecordMismatch),
        "fault",
        Unfit,
        "record-mismatch",
        "reliability.md",
    ),
    (|it| fault(it, FaultCode::PowerCut), "fault", Warning, "power-cut", "reliability.md"),
    (|it| fault(it, FaultCode::EdgesDropped), "fault", Warning, "edges-dropped", "reliability.md"),
    (
        |it| it.bus.may_command = Some(false),
        "permissions",
        Warning,
        "only the group arbiter",
        "usermod -aG arbiter",
    ),
    (|it| it.bus.may_command = None, "permissions", Unknown, "did not answer", ""),
    (|it| it.bus.users = Some((990, 1000)), "owner", Unfit, "990 and 1000", "busctl"),
    (|it| machine(it).policy = None, "bus-policy", Unfit, "is missing", "make install"),
    (
        |it| machine(it).policy = Some(PolicyFile { is_ours: false, others: vec![] }),
        "bus-policy",
        Warning,
        "not that of this version",
        "reload dbus",
    ),
    (
        |it| {
            machine(it).policy =
                Some(PolicyFile { is_ours: true, others: vec!["/etc/x.conf".into()] })
        },
        "bus-policy",
        Warning,
        "/etc/x.conf",
        "remove it",
    ),
    (
        |it| machine(it).gpio_members = Some(vec!["chess-clock".into(), "pi".into()]),
        "gpio-group",
        Warning,
        "pi in the group gpio",
        "gpasswd -d pi gpio",
    ),
    (
        |it| it.system.kernel = Some(("6.12.1".into(), "#1 SMP PREEMPT_DYNAMIC".into())),
        "kernel",
        Warning,
        "without PREEMPT_RT",
        "real-time kernel",
    ),
    (|it| it.system.kernel = None, "kernel", Unknown, "nothing says", "uname"),
    (
        |it| it.system.kernel = Some(("5.4.0".into(), "PREEMPT_RT".into())),
        "gpio-interface",
        Warning,
        "v1 only",
        "5.10",
    ),
    (
        |it| machine(it).kernel_options = Some(vec!["# CONFIG_GPIO_CDEV is not set".into()]),
        "gpio-interface",
        Unfit,
        "without CONFIG_GPIO_CDEV",
        "kernel",
    ),
    (
        |it| {
            clock(it).health.storage_ok = false;
            clock(it).health.storage_error = "no space".into();
        },
        "record",
        Unfit,
        "not written: no space",
        "storage fails",
    ),
    (
        |it| clock(it).health.lost_entries = 2,
        "record",
        Warning,
        "2 entries were lost",
        "storage fails",
    ),
    (|it| storage(it).free_bytes = 50 << 20, "disk", Warning, "50 MiB are free", "keep_games"),
    (|it| storage(it).kind = "tmpfs".into(), "disk", Warning, "in memory (tmpfs)", "power is cut"),
    (|it| storage(it).is_read_only = true, "disk", Unfit, "can only be read", "dmesg"),
    (|it| machine(it).storage = None, "disk", Unknown, "is missing", "systemd-tmpfiles"),
    (
        |it| storage(it).flushes = Some(Flushes { count: 10, milliseconds: 2000 }),
        "sync",
        Warning,
        "200 ms on average",
        "memory card",
    ),
    (
        |it| clock(it).health.clock_rate_windows = 0,
        "clock-rate",
        Unknown,
        "not measured",
        "some seconds",
    ),
    (|it| clock(it).health.clock_rate_ppb = -200_001, "clock-rate", Unfit, "-200.0 ppm", "chrony"),
    (|it| fault(it, FaultCode::ClockRate), "clock-rate", Unfit, "ppm", "chrony"),
    (
        |it| clock(it).health.worst_clock_rate_ppb = 250_000,
        "clock-rate",
        Warning,
        "worst +250.0 ppm",
        "chrony",
    ),
    (|it| clock(it).health.digit_height = 0, "screen", Unknown, "no face", "panel_mm"),
    (|it| clock(it).health.digit_height = 12_000, "screen", Warning, "12.0 mm", "arrangement"),
    (
        |it| it.system.time.as_mut().unwrap().has_timesyncd = true,
        "time-service",
        Warning,
        "systemd-timesyncd",
        "chrony",
    ),
    (
        |it| machine(it).has_chrony_drop_in = false,
        "time-service",
        Warning,
        "chess-clock.conf",
        "make install",
    ),
    (
        |it| it.system.time.as_mut().unwrap().is_synchronized = false,
        "time-service",
        Warning,
        "not synchronized",
        "--start-at",
    ),
    (|it| power(it).throttled = Some(1), "power", Unfit, "voltage is too low", "power supply"),
    (|it| power(it).is_low = Some(true), "power", Unfit, "voltage is too low", "power supply"),
    (|it| power(it).throttled = Some(0b100), "power", Warning, "slowed down", "heat sink"),
    (|it| power(it).temperature = Some(80_000), "power", Warning, "80 °C", "heat sink"),
    (|it| power(it).throttled = Some(1 << 16), "power", Warning, "since the start", "power supply"),
    (|it| *power(it) = Power::default(), "power", Unknown, "does not report", ""),
    (
        |it| {
            machine(it).configuration = Some(Checked::Wrong("clockd.toml:1:1: unknown key".into()))
        },
        "configuration",
        Unfit,
        "unknown key",
        "clockd --check",
    ),
    (
        |it| machine(it).configuration = Some(Checked::Unknown("Permission denied".into())),
        "configuration",
        Unknown,
        "Permission denied",
        "sudo clockd --check",
    ),
    (
        |it| fault(it, FaultCode::ConfigurationRefused),
        "configuration",
        Unfit,
        "configuration-refused",
        "correct the file",
    ),
    (
        |it| {
            let text = "the set-up file is refused, what was set before is taken: x:1:1";
            clock(it).faults.push(Fault::new(FaultCode::ConfigurationRefused, text));
        },
        "configuration",
        Unfit,
        "x:1:1",
        "correct chessclock.toml on the boot partition",
    ),
    (|it| it.machine = None, "machine", Unknown, "another machine", "on the clock itself"),
];

fn of_case((change, id, ..): &Case) -> (Vec<Finding>, Finding) {
    let mut facts = good();
    change(&mut facts);
    let all = findings(&facts);
    let found = all.iter().find(|finding| finding.id == *id).cloned();
    let found = found.unwrap_or_else(|| panic!("no finding {id}: {all:?}"));
    (all, found)
}

#[test]
fn every_finding_has_its_verdict_and_a_remedy() {
    for case in CASES {
        let (_, id, verdict, value, remedy) = case;
        let (all, found) = of_case(case);
        assert_eq!(found.verdict, *verdict, "{found:?}");
        assert!(found.value.contains(value), "{id}: {value}: {found:?}");
        match remedy.is_empty() {
            true => assert_eq!(found.remedy, None, "{id}"),
            false => {
                assert!(
                    found.remedy.as_ref().is_some_and(|it| it.contains(remedy)),
                    "{id}: {found:?}"
                );
            }
        }
        assert_eq!(is_fit(&all), *verdict != Unfit, "{id}");
        assert_eq!(overall(&all).contains("NOT fit"), *verdict == Unfit, "{id}");
        // What was changed concerns no other finding, unless there is nothing to find out.
        let is_apart = |finding: &&Finding| finding.id != *id && finding.verdict != Verdict::Fit;
        let others: Vec<_> = all.iter().filter(is_apart).collect();
        assert!(others.is_empty(), "{id}: {others:?}");
    }
    let tried: BTreeSet<&str> = CASES.iter().map(|(_, id, ..)| *id).collect();
    let of_good: BTreeSet<&str> = findings(&good()).iter().map(|finding| finding.id).collect();
    assert_eq!(of_good.difference(&tried).count(), 0, "each finding is tried: {tried:?}");
}

/// Every fault of the clock is in one finding at least.
#[test]
fn no_fault_is_left_out() {
    for &code in FaultCode::ALL {
        let mut facts = good();
        fault(&mut facts, code);
        // The service reports these with the fault.
        let health = &mut clock(&mut facts).health;
        match code {
            FaultCode::Storage | FaultCode::NoRecord => health.storage_ok = false,
            FaultCode::NoRealtime => health.realtime_ok = false,
            _ => {}
        }
        let all = findings(&facts);
        assert!(all.iter().any(|finding| finding.verdict != Verdict::Fit), "{code:?}");
    }
}

#[test]
fn the_overall_line_counts_what_is_not_fit() {
    let mut facts = good();
    clock(&mut facts).health.realtime_ok = false;
    facts.bus.may_command = Some(false);
    facts.system.restarts = Some(1);
    clock(&mut facts).health.digit_height = 0;
    assert_eq!(
        overall(&findings(&facts)),
        "the clock is NOT fit for play: real-time; 2 warnings, 1 thing is not known"
    );
}

/// A remedy such as `docs/wiring.md, "A real-time kernel"` names a heading of that document.
#[test]
fn the_documents_that_the_remedies_name_exist() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let remedies: BTreeSet<String> =
        CASES.iter().filter_map(|case| of_case(case).1.remedy).collect();
    let mut headings = 0;
    for remedy in remedies {
        for part in remedy.split("; ") {
            let Some((file, heading)) = part.split_once(".md") else { continue };
            let text = fs::read_to_string(format!("{root}/{}.md", file.trim())).expect(part);
            if let Some(heading) = heading.strip_prefix(", \"") {
                let heading = heading.trim_end_matches('"');
                let line = |line: &str| line.trim_start_matches('#').trim() == heading;
                assert!(text.lines().any(|it| it.starts_with('#') && line(it)), "{part}");
                headings += 1;
            }
        }
    }
    assert!(headings > 5, "{headings}");
}

/// Facts in which a player, an account, a host, a network and its passphrase, an address and a key are named
/// wherever a text can have them.
fn with_names() -> (Facts, tester_report::Board) {
    let planted = PLANTED.join(" ");
    let mut facts = good();
    let clock = facts.clock.as_mut().unwrap();
    clock.faults = vec![
        Fault::new(
            FaultCode::ConfigurationRefused,
            format!("the set-up file is refused: {planted}"),
        ),
        Fault::new(FaultCode::RecordLost, planted.clone()),
        Fault::new(FaultCode::BoardGone, planted.clone()),
    ];
    clock.health.faults = vec![planted.clone()];
    clock.health.storage_ok = false;
    clock.health.storage_error = planted.clone();
    let machine = facts.machine.as_mut().unwrap();
    machine.policy = Some(PolicyFile { is_ours: true, others: vec![planted.clone()] });
    machine.gpio_members = Some(PLANTED.map(str::to_owned).to_vec());
    machine.storage.as_mut().unwrap().folder = format!("/srv/{planted}");
    machine.configuration = Some(Checked::Wrong(planted.clone()));
    let board = tester_report::Board {
        failed: vec![
            "iwd.service".to_owned(),
            format!("chess-clock-publish@{}.service", PLANTED[2]),
            format!("home-{}.mount", PLANTED[1]),
        ],
        connectors: vec![tester_report::Connector {
            name: "HDMI-A-1".to_owned(),
            status: "connected".to_owned(),
            is_used: false,
            modes: vec!["1024x600".to_owned()],
            edid: [[0xaa; 54].as_slice(), &[0x1a; 18], &[0xbb; 56]].concat(),
        }],
        ..tester_report::Board::default()
    };
    (facts, board)
}

const PLANTED: [&str; 7] = [
    "Vera Menchik",
    "vmenchik",
    "club-menchik",
    "Club Menchik",
    "sesame open",
    "192.0.2.17",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAB",
];

#[test]
fn the_report_of_a_tester_names_nobody() {
    let (facts, board) = with_names();
    let report = tester_report::text(&facts, &board);
    for planted in PLANTED {
        assert!(!report.contains(planted), "{planted}: {report}");
    }
    for line in [
        "board: Raspberry Pi 4 Model B Rev 1.5",
        "kernel: 6.12.47-rt #1 SMP PREEMPT_RT",
        "connector: HDMI-A-1: connected; modes 1024x600; EDID of 128 bytes, first timing 1a 1a",
        "failed: chess-clock-publish@.service",
        "failed: 1 other units",
        "edges: 40 up to 0.010 ms, 2 up to 0.020 ms",
        "decisions: none",
        "fault: record-lost",
        "fit: clock-rate -3.1 ppm, worst +5.0 ppm",
        "unfit: configuration",
        "overall: the clock is NOT fit for play",
    ] {
        assert!(report.lines().any(|it| it.starts_with(line)), "{line}: {report}");
    }
    assert!(!report.contains("aa") && !report.contains("bb"), "{report}");
    // A screen whose EDID begins with its name instead of a timing.
    let mut board = board;
    board.connectors[0].edid[54..56].fill(0);
    let named = tester_report::text(&facts, &board);
    assert!(named.contains("EDID of 128 bytes\n"), "{named}");
    // Without a service the reason can name the host.
    let facts = Facts { clock: Err(PLANTED.join(" ")), ..facts };
    let report = tester_report::text(&facts, &board);
    assert!(PLANTED.iter().all(|planted| !report.contains(planted)), "{report}");
    assert!(report.contains("\nclockd: does not answer\n"), "{report}");
}
