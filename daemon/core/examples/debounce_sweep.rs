//! Plays models of switches through the clock's own debounce with different debounce times. For
//! each set of times, prints how many presses are missed, counted twice, false, or dated late or
//! early. docs/debounce.md has the results.
//!
//!     cargo run --release -p clockd-core --example debounce_sweep [SCRIPTS [SEED]]

use clock_engine::{Instant, Span};
use clockd_core::{Debounce, Decision, Edge, Times};
use edge_player::kernel_records;
use edge_player::switches::{Presses, SWITCHES, Switch};

/// The sets of debounce times that are compared. Each consists of the settle time N, the gap G and
/// the release time R, in microseconds. The first set has the former defaults. The set with the
/// index `SHIPPED` has the present defaults.
const SETTINGS: [(u64, u64, u64); 12] = [
    (1_000, 5_000, 25_000),
    (1_000, 5_000, 50_000),
    (1_000, 10_000, 50_000),
    (1_000, 20_000, 25_000),
    (1_000, 20_000, 40_000),
    (1_000, 20_000, 50_000),
    (1_000, 20_000, 75_000),
    (1_000, 20_000, 100_000),
    (1_000, 30_000, 50_000),
    (500, 20_000, 50_000),
    (2_000, 20_000, 50_000),
    (5_000, 20_000, 50_000),
];
const SHIPPED: usize = 5;

/// The shortest and the longest time from the interrupt until its thread runs, in nanoseconds.
const THREAD_DELAY: (u64, u64) = (25_000, 50_000);
/// If a press is dated more than `OFF` nanoseconds too late or too early, it counts in the column
/// `late > 1 ms` or `early > 1 ms`.
const OFF: u64 = 1_000_000;

/// The results of one set of debounce times, for one kind of switch or for all kinds together.
#[derive(Clone, Default)]
struct Tally {
    presses: u64,
    missed: u64,
    /// How many of the found presses are doubled or false: all except the first one that is found
    /// for each real press.
    extra: u64,
    /// For each real press that was found: by how many nanoseconds it is dated later than its first
    /// contact; 0 if it is not dated later.
    late: Vec<u64>,
    /// For each real press that was found: by how many nanoseconds it is dated earlier than its
    /// first contact; 0 if it is not dated earlier.
    early: Vec<u64>,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.presses += other.presses;
        self.missed += other.missed;
        self.extra += other.extra;
        self.late.extend(&other.late);
        self.early.extend(&other.early);
    }

    /// Compares `found`, the dates of the presses that the debounce found, with the real presses,
    /// and adds the result to the tally. Both lists are in the order of time.
    fn count(&mut self, presses: &Presses, found: &[u64]) {
        let mut rest = found;
        for (first, last) in &presses.spans {
            let (dates, later) = rest.split_at(rest.partition_point(|date| date <= last));
            rest = later;
            self.presses += 1;
            match dates {
                [] => self.missed += 1,
                [date, extra @ ..] => {
                    self.late.push(date.saturating_sub(*first));
                    self.early.push(first.saturating_sub(*date));
                    self.extra += extra.len() as u64;
                }
            }
        }
        self.extra += rest.len() as u64;
    }

    fn row(&self, name: &str) -> String {
        let mut late = beyond(&self.late, THREAD_DELAY.1);
        late.sort_unstable();
        let millis = |nanos: Option<&u64>| match nanos {
            Some(nanos) => format!("{}.{:02}", nanos / 1_000_000, nanos % 1_000_000 / 10_000),
            None => "–".to_owned(),
        };
        format!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
            self.presses,
            self.missed,
            self.extra,
            late.len(),
            beyond(&self.late, OFF).len(),
            millis(late.get(late.len() / 2)),
            millis(self.late.iter().max()),
            beyond(&self.early, OFF).len(),
        )
    }
}

fn beyond(spans: &[u64], limit: u64) -> Vec<u64> {
    spans.iter().copied().filter(|span| *span > limit).collect()
}

/// Which of the edges the debounce gets.
#[derive(Clone, Copy)]
enum Edges {
    All,
    /// All edges except those to inactive on an idle line. Such an edge would begin a candidate (a
    /// contact that may become a press).
    NoOpeningWhenIdle,
}

/// Plays the edges that `which` selects through the debounce. Returns the dates of the presses that
/// it finds.
fn play(edges: &[edge_player::Edge], times: Times, which: Edges) -> Vec<u64> {
    let mut found = Vec::new();
    let mut note = |decision| {
        if let Decision::Press(at) = decision {
            found.push(at.as_nanos());
        }
    };
    let mut debounce = Debounce::new(times, false, Instant::ZERO);
    for edge in edges {
        let at = Instant::from_nanos(edge.at);
        debounce.advance(at, &mut note);
        let is_idle = debounce.decides_at().is_none() && !debounce.is_active();
        if edge.active || !is_idle || matches!(which, Edges::All) {
            debounce.edge(Edge { at, active: edge.active }, &mut note);
        }
    }
    debounce.advance(Instant::from_nanos(u64::MAX), &mut note);
    found
}

struct Sweep {
    scripts: u64,
    seed: u64,
}

impl Sweep {
    fn tally(&self, switch: &Switch, times: Times, which: Edges) -> Tally {
        let mut tally = Tally::default();
        for index in 0..self.scripts {
            let presses = switch.presses(self.seed, index);
            let mut state = self.seed ^ index;
            let edges = kernel_records(&presses.changes(), || delay(&mut state));
            tally.count(&presses, &play(&edges, times, which));
        }
        tally
    }

    fn all(&self, times: Times, which: Edges) -> Tally {
        let mut all = Tally::default();
        for switch in SWITCHES.iter().filter(|switch| !switch.is_refused) {
            all.add(&self.tally(switch, times, which));
        }
        all
    }

    fn each(&self, times: Times) {
        print_head("switch");
        for switch in &SWITCHES {
            let refused = if switch.is_refused { " (refuse it)" } else { "" };
            let name = format!("`{}`{refused}: {}", switch.name, switch.about);
            println!("{}", self.tally(switch, times, Edges::All).row(&name));
        }
    }
}

/// A random delay of the interrupt's thread, evenly distributed within [`THREAD_DELAY`].
fn delay(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let (least, most) = THREAD_DELAY;
    least + (*state >> 33) % (most - least + 1)
}

fn times(setting: (u64, u64, u64)) -> Times {
    let span = |micros: u64| Span::from_nanos(micros * 1000);
    let (settle, gap, release) = setting;
    Times {
        settle: span(settle),
        longest_bounce: span(gap),
        release: span(release),
        ..Times::default()
    }
}

fn name((settle, gap, release): (u64, u64, u64)) -> String {
    let millis = |micros: u64| {
        if micros.is_multiple_of(1000) {
            (micros / 1000).to_string()
        } else {
            format!("0.{}", micros / 100)
        }
    };
    format!("{}/{}/{}", millis(settle), millis(gap), millis(release))
}

fn print_head(first: &str) {
    println!(
        "\n| {first} | presses | missed | doubled or false | late > 50 µs | late > 1 ms \
         | median late, ms | latest, ms | early > 1 ms |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
}

fn main() {
    let number = |place, default| {
        let given = std::env::args().nth(place);
        given.map_or(default, |given| given.parse().expect("SCRIPTS and SEED are numbers"))
    };
    let sweep = Sweep { scripts: number(1, 20_000), seed: number(2, 1) };
    assert_eq!(times(SETTINGS[SHIPPED]), Times::default(), "the table names the shipped times");
    println!("{} scripts of two presses per switch, seed {}", sweep.scripts, sweep.seed);

    println!("\nAll switches but those to refuse, per N/G/R in ms:");
    print_head("N/G/R");
    for setting in SETTINGS {
        println!("{}", sweep.all(times(setting), Edges::All).row(&name(setting)));
    }
    for place in [0, SHIPPED] {
        println!("\nEach switch with {}:", name(SETTINGS[place]));
        sweep.each(times(SETTINGS[place]));
    }
    println!(
        "\nThe shipped times, with and without a candidate at an edge to inactive, `pushbutton`:"
    );
    print_head("candidates");
    let pushbutton = SWITCHES.iter().find(|switch| switch.name == "pushbutton").expect("a model");
    for (name, which) in [("with", Edges::All), ("without", Edges::NoOpeningWhenIdle)] {
        println!("{}", sweep.tally(pushbutton, Times::default(), which).row(name));
    }
}
