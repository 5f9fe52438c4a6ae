//! The command line, parsed without a library: it is short, and the program is built for another
//! machine.

use std::path::PathBuf;
use std::str::FromStr;

/// The text that is printed for `--help` and after a mistake in the command line.
pub const USAGE: &str = "\
edge-player chip make LABEL NAME...    make a gpio-sim chip (`-`: a line without a name);
                                       prints DEVICE CHIP DIR
edge-player chip remove LABEL          remove it
edge-player play DIR                   steps from standard input: WAIT_US LINE 0|1
edge-player at DIR                     steps from standard input: MONOTONIC_NS LINE 0|1
edge-player bounce DIR --seed S --count N [--lines WHITE,BLACK] [--spacing US]
                                       play traces of the corpus; one JSON object for each
edge-player cpu-load --fifo PRIORITY [--until MONOTONIC_NS]
                                       keep a processor busy until that instant, or in the spans of
                                       standard input: FROM_NS UNTIL_NS

DIR is the chip's directory below /sys/devices/platform, with sim_gpioN in it.
play, at: level 1 is pull-up. After all steps, one line for each: LINE LEVEL BEFORE_NS AFTER_NS, two
readings of CLOCK_MONOTONIC around the change. A wait is counted from the step before, as planned.
play, at, bounce: with --active-low, level 1 (pressed) is pull-down. --fifo PRIORITY [default: 45, below
the kernel's interrupt threads, which then run at once; 0: not real-time].
play, at, bounce: --load-spans FILE writes spans for cpu-load to FILE before the steps are made. Each step
is in one of them, which ends 0.2 ms to --load-us US [default: 3000] after the step.
bounce: --lines are the buttons' offsets [default: 0,1]. --spacing is the least time between two edges
[default: 60]. In the output, late_ns is the latest edge's delay, off_ns the greatest error of a contact
or a gap; `kept` is true if both are so small that the expected presses are valid.";

/// A valid command line.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    Help,
    MakeChip { label: String, names: Vec<String> },
    RemoveChip { label: String },
    Play(Target),
    At(Target),
    Bounce { target: Target, bounce: Bounce },
    CpuLoad { fifo: u8, until: Option<u64> },
}

/// The chip whose lines are changed, and how they are changed.
#[derive(Debug, PartialEq, Eq)]
pub struct Target {
    pub dir: PathBuf,
    pub fifo: u8,
    pub active_low: bool,
    /// Where the spans for `cpu-load` are written.
    pub load_spans: Option<PathBuf>,
    /// The longest time from a step to the end of its span of `cpu-load`, in nanoseconds.
    pub longest_load: u64,
}

/// Which traces are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounce {
    pub seed: u64,
    pub count: u64,
    pub lines: [u32; edge_player::LINES],
    /// In nanoseconds.
    pub spacing: u64,
}

/// The default priority: below the kernel's interrupt threads, which have 50, so that an edge is
/// queued before the next one is made.
const FIFO: u8 = 45;
/// The highest priority of `SCHED_FIFO`.
const HIGHEST_FIFO: u64 = 99;
/// The default spacing: the kernel's interrupt thread needs about that long to queue an edge.
const SPACING_US: u64 = 60;
/// The default of `--load-us`. It is longer than any contact of a bouncing button, so that the
/// kernel makes one record of several edges.
const LONGEST_LOAD_US: u64 = 3000;
/// The longest spacing that is accepted. If the spacing were longer, some contacts that must be
/// shorter than N (see the documentation of the crate) would last for N or longer.
const LONGEST_SPACING_US: u64 = 300;

type Parsed<T> = Result<T, String>;

/// Parses the words after the program's name.
pub fn parse(words: impl Iterator<Item = String>) -> Parsed<Command> {
    let mut words = Words::new(words)?;
    if words.flag("--help") {
        return Ok(Command::Help);
    }
    let command = match words.next("a verb: chip, play, at, bounce or cpu-load")?.as_str() {
        "chip" => chip(&mut words)?,
        "play" => Command::Play(target(&mut words)?),
        "at" => Command::At(target(&mut words)?),
        "bounce" => Command::Bounce { target: target(&mut words)?, bounce: bounce(&mut words)? },
        "cpu-load" => Command::CpuLoad {
            fifo: fifo(&mut words)?.ok_or("cpu-load needs --fifo PRIORITY")?,
            until: words.number("--until", 1, u64::MAX)?,
        },
        other => {
            return Err(format!("no verb `{other}`; there are chip, play, at, bounce, cpu-load"));
        }
    };
    words.finish()?;
    Ok(command)
}

fn chip(words: &mut Words) -> Parsed<Command> {
    let verb = words.next("make or remove")?;
    let label = words.next("the chip's label")?;
    // The label becomes the name of a directory.
    if label.is_empty() || label.starts_with('.') || label.contains('/') {
        return Err(format!("`{label}` cannot be a chip's label: it names a directory"));
    }
    match verb.as_str() {
        "make" => {
            let names = words.rest();
            if names.is_empty() {
                return Err("a chip needs at least one line: its name, or `-`".to_owned());
            }
            Ok(Command::MakeChip { label, names })
        }
        "remove" => Ok(Command::RemoveChip { label }),
        other => Err(format!("chip can make and remove, not `{other}`")),
    }
}

fn target(words: &mut Words) -> Parsed<Target> {
    Ok(Target {
        dir: words.next("DIR, the chip's directory")?.into(),
        fifo: fifo(words)?.unwrap_or(FIFO),
        active_low: words.flag("--active-low"),
        load_spans: words.value("--load-spans")?.map(PathBuf::from),
        longest_load: words.number("--load-us", 300, 100_000)?.unwrap_or(LONGEST_LOAD_US) * 1000,
    })
}

fn bounce(words: &mut Words) -> Parsed<Bounce> {
    let spacing = words.number("--spacing", 1, LONGEST_SPACING_US)?.unwrap_or(SPACING_US);
    Ok(Bounce {
        seed: words.number("--seed", 0, u64::MAX)?.ok_or("bounce needs --seed S")?,
        count: words.number("--count", 1, 1_000_000)?.ok_or("bounce needs --count N")?,
        lines: words.value("--lines")?.map_or(Ok([0, 1]), |given| lines(&given))?,
        spacing: spacing * 1000,
    })
}

fn fifo(words: &mut Words) -> Parsed<Option<u8>> {
    let given = words.number("--fifo", 0, HIGHEST_FIFO)?;
    Ok(given.and_then(|priority| u8::try_from(priority).ok()))
}

fn lines(given: &str) -> Parsed<[u32; 2]> {
    let two = given.split_once(',').map(|(white, black)| (u32::from_str(white), black.parse()));
    match two {
        Some((Ok(white), Ok(black))) if white != black => Ok([white, black]),
        _ => Err(format!("--lines takes two different offsets, such as 0,1, not `{given}`")),
    }
}

/// The words that are not taken yet: plain words in order, options in any order.
struct Words {
    plain: std::collections::VecDeque<String>,
    options: Vec<(String, Option<String>)>,
}

impl Words {
    fn new(words: impl Iterator<Item = String>) -> Parsed<Words> {
        let mut words = words.into_iter();
        let mut found = Words { plain: std::collections::VecDeque::new(), options: Vec::new() };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--help" | "-h" => found.options.push(("--help".to_owned(), None)),
                "--active-low" => found.options.push((word, None)),
                option if option.starts_with("--") => {
                    let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
                    found.options.push((word, Some(value)));
                }
                _ => found.plain.push_back(word),
            }
        }
        Ok(found)
    }

    fn next(&mut self, what: &str) -> Parsed<String> {
        self.plain.pop_front().ok_or_else(|| format!("missing: {what}"))
    }

    fn rest(&mut self) -> Vec<String> {
        self.plain.drain(..).collect()
    }

    fn option(&mut self, name: &str) -> Option<(String, Option<String>)> {
        let place = self.options.iter().position(|(option, _)| option == name)?;
        Some(self.options.remove(place))
    }

    fn flag(&mut self, name: &str) -> bool {
        self.option(name).is_some()
    }

    fn value(&mut self, name: &str) -> Parsed<Option<String>> {
        Ok(self.option(name).and_then(|(_, value)| value))
    }

    fn number(&mut self, name: &str, least: u64, most: u64) -> Parsed<Option<u64>> {
        let Some(given) = self.value(name)? else { return Ok(None) };
        match given.parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(Some(number)),
            _ => Err(format!("{name} takes a number from {least} to {most}, not `{given}`")),
        }
    }

    /// Returns an error if a word of the command line was not taken: the verb does not know this
    /// word, or an option was given twice.
    fn finish(self) -> Parsed<()> {
        let option = self.options.first().map(|(name, _)| name);
        match option.or(self.plain.front()) {
            Some(word) => Err(format!("`{word}` has no meaning here, or was given twice")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
