//! The text of `clockctl doctor --report`, which somebody who has tried the clock on a board can send to others.
//!
//! It has no names of players, arbiters, accounts, machines and networks, no addresses and no keys: only
//! values in whose text none of them can be are shown, and of every other finding only the verdict.

use std::fmt::Write as _;

use clockctl::times::millis;

use super::facts::{Facts, Machine};
use super::finding::Finding;
use super::{findings, overall_verdict};

/// The findings whose values are made of numbers and of words of this program.
const PLAIN: [&str; 9] = [
    "real-time",
    "interrupts",
    "latency",
    "gpio-interface",
    "sync",
    "clock-rate",
    "screen",
    "time-service",
    "power",
];
/// The most modes of a screen that are listed.
const MODES: usize = 12;

/// What the report has beside the [`Facts`].
#[derive(Default)]
pub struct Board {
    /// The distribution, such as `Debian GNU/Linux 13 (trixie)`.
    pub distribution: Option<String>,
    /// Options of the kernel.
    pub options: Vec<String>,
    /// The GPIO chips, with their devices and drivers.
    pub chips: Vec<String>,
    pub connectors: Vec<Connector>,
    /// Units, and how many microseconds after the start of the kernel they were started.
    pub started: Vec<(String, u64)>,
    /// The units that have failed.
    pub failed: Vec<String>,
}

/// A connector for a screen.
pub struct Connector {
    /// Such as `HDMI-A-1`.
    pub name: String,
    /// `connected` or another word of the kernel.
    pub status: String,
    /// Whether a picture is sent to it.
    pub is_used: bool,
    /// The modes, each one once, such as `1920x1080`.
    pub modes: Vec<String>,
    /// The bytes of the EDID, which describes the screen; none if it was not read.
    pub edid: Vec<u8>,
}

pub fn text(facts: &Facts, board: &Board) -> String {
    let mut text = "Report of a chess clock: no names, no addresses, no keys\n".to_owned();
    let mut line = |what: &str, value: &str| {
        let _ = writeln!(text, "{what}: {value}");
    };
    let unknown = || "unknown".to_owned();
    let clock = facts.clock.as_ref().ok();
    line("clockctl", env!("CARGO_PKG_VERSION"));
    line("clockd", clock.map_or("does not answer", |clock| &clock.version));
    line("board", &facts.system.model.clone().unwrap_or_else(unknown));
    line("system", &board.distribution.clone().unwrap_or_else(unknown));
    let kernel = facts.system.kernel.as_ref();
    line(
        "kernel",
        &kernel.map_or_else(unknown, |(release, version)| format!("{release} {version}")),
    );
    line("options", &board.options.join(" "));
    board.chips.iter().for_each(|chip| line("chip", chip));
    board.connectors.iter().for_each(|it| line("connector", &connector(it)));
    if let Some(storage) =
        facts.machine.as_ref().and_then(|machine: &Machine| machine.storage.as_ref())
    {
        line("disk", &format!("{}, {} MiB free", storage.kind, storage.free_bytes >> 20));
    }
    for (unit, microseconds) in &board.started {
        line(
            "started",
            &format!("{} {}", millis(microseconds.saturating_mul(1000)), without_instance(unit)),
        );
    }
    // A unit that somebody has made, or that is named for a folder, can have a name in its own.
    let (known, others): (Vec<_>, Vec<_>) = board.failed.iter().partition(|unit| is_known(unit));
    known.iter().for_each(|unit| line("failed", &without_instance(unit)));
    if !others.is_empty() {
        line("failed", &format!("{} other units", others.len()));
    }
    if let Some(restarts) = facts.system.restarts {
        line("restarts", &restarts.to_string());
    }
    if let Some(clock) = clock {
        let health = &clock.health;
        for (what, buckets) in [
            ("edges", &health.edge_latency_nsec),
            ("wake-ups", &health.wake_lateness_nsec),
            ("decisions", &health.decision_latency_nsec),
        ] {
            line(what, &histogram(buckets));
        }
        line("worst", &millis(health.worst_lateness_nsec));
        line("rejected", &health.rejected_presses.to_string());
        line("lost edges", &health.lost_edges.to_string());
        clock.faults.iter().for_each(|fault| line("fault", &fault.code));
    }
    let findings = findings(facts);
    for Finding { id, value, verdict, .. } in &findings {
        let value = if PLAIN.contains(id) { value.as_str() } else { "" };
        line(verdict.as_str(), format!("{id} {value}").trim_end());
    }
    line("overall", overall_verdict(&findings));
    text
}

fn connector(connector: &Connector) -> String {
    let Connector { name, status, is_used, modes, edid } = connector;
    let mut text = format!("{name}: {status}");
    if *is_used {
        text += ", used";
    }
    if !modes.is_empty() {
        let more = if modes.len() > MODES { " …" } else { "" };
        let first: Vec<&str> = modes.iter().take(MODES).map(String::as_str).collect();
        let _ = write!(text, "; modes {}{more}", first.join(" "));
    }
    if status == "connected" {
        let _ = write!(text, "; EDID of {} bytes", edid.len());
    }
    // The rest of an EDID can have the name and the serial number of the screen, and so can this part if it does
    // not begin with a pixel clock.
    if let Some(timing @ [low, high, ..]) = edid.get(54..72)
        && (*low, *high) != (0, 0)
    {
        let bytes: Vec<String> = timing.iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = write!(text, ", first timing {}", bytes.join(" "));
    }
    text
}

/// The counts of a histogram that are not 0, each with the longest time of its bucket.
fn histogram(buckets: &[(u64, u64)]) -> String {
    let counted = buckets.iter().filter(|(_, count)| *count > 0);
    let shown: Vec<String> =
        counted.map(|(longest, count)| format!("{count} up to {}", millis(*longest))).collect();
    if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
}

/// Whether the unit is one of the clock or of its system.
fn is_known(unit: &str) -> bool {
    const BEGINNINGS: [&str; 10] = [
        "clock",
        "chess-clock",
        "systemd-",
        "dbus",
        "iwd.",
        "ssh",
        "chrony",
        "boot-firmware.",
        "var-lib-chess",
        "udev",
    ];
    BEGINNINGS.iter().any(|beginning| unit.starts_with(beginning))
}

/// The name of a unit without what is between `@` and the ending, which can be a name.
fn without_instance(unit: &str) -> String {
    match (unit.split_once('@'), unit.rsplit_once('.')) {
        (Some((template, _)), Some((_, ending))) => format!("{template}@.{ending}"),
        _ => unit.to_owned(),
    }
}
