use super::*;

fn parsed(line: &str) -> Parsed<Command> {
    parse(line.split_whitespace().map(str::to_owned))
}

fn target(fifo: u8, active_low: bool) -> Target {
    Target { dir: "/sys/x".into(), fifo, active_low, load_spans: None, longest_load: 3_000_000 }
}

#[test]
fn every_verb_is_understood() {
    let label = || "sim".to_owned();
    let names = vec!["WHITE".to_owned(), "-".to_owned()];
    let bounce = |lines, spacing| Bounce { seed: 7, count: 20, lines, spacing };
    for (line, command) in [
        ("--help", Command::Help),
        ("play -h", Command::Help),
        ("chip make sim WHITE -", Command::MakeChip { label: label(), names }),
        ("chip remove sim", Command::RemoveChip { label: label() }),
        ("play /sys/x", Command::Play(target(45, false))),
        ("play --fifo 10 --active-low /sys/x", Command::Play(target(10, true))),
        ("at /sys/x --fifo 0", Command::At(target(0, false))),
        (
            "bounce /sys/x --seed 7 --count 20",
            Command::Bounce { target: target(45, false), bounce: bounce([0, 1], 60_000) },
        ),
        (
            "bounce /sys/x --seed 7 --count 20 --lines 3,2 --active-low --spacing 100",
            Command::Bounce { target: target(45, true), bounce: bounce([3, 2], 100_000) },
        ),
        (
            "play /sys/x --load-spans /tmp/spans --load-us 700",
            Command::Play(Target {
                load_spans: Some("/tmp/spans".into()),
                longest_load: 700_000,
                ..target(45, false)
            }),
        ),
        ("cpu-load --fifo 99 --until 5", Command::CpuLoad { fifo: 99, until: Some(5) }),
        ("cpu-load --fifo 60", Command::CpuLoad { fifo: 60, until: None }),
    ] {
        assert_eq!(parsed(line), Ok(command), "{line}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    for (line, wrong) in [
        ("", "missing: a verb: chip, play, at, bounce or cpu-load"),
        ("press", "no verb `press`; there are chip, play, at, bounce, cpu-load"),
        ("chip", "missing: make or remove"),
        ("chip make", "missing: the chip's label"),
        ("chip make sim", "a chip needs at least one line: its name, or `-`"),
        ("chip make a/b X", "`a/b` cannot be a chip's label: it names a directory"),
        ("chip mend sim", "chip can make and remove, not `mend`"),
        ("play", "missing: DIR, the chip's directory"),
        ("play /sys/x /sys/y", "`/sys/y` has no meaning here, or was given twice"),
        ("play /sys/x --seed 1", "`--seed` has no meaning here, or was given twice"),
        ("play /sys/x --fifo", "--fifo needs a value"),
        ("play /sys/x --fifo 100", "--fifo takes a number from 0 to 99, not `100`"),
        ("at /sys/x --fifo 1 --fifo 2", "`--fifo` has no meaning here, or was given twice"),
        ("bounce /sys/x --seed 1", "bounce needs --count N"),
        (
            "bounce /sys/x --seed 1 --count 1 --lines 2",
            "--lines takes two different offsets, such as 0,1, not `2`",
        ),
        (
            "bounce /sys/x --seed 1 --count 1 --lines 2,2",
            "--lines takes two different offsets, such as 0,1, not `2,2`",
        ),
        ("cpu-load --until 1", "cpu-load needs --fifo PRIORITY"),
        (
            "cpu-load --fifo 99 --until x",
            "--until takes a number from 1 to 18446744073709551615, not `x`",
        ),
    ] {
        assert_eq!(parsed(line), Err(wrong.to_owned()), "{line}");
    }
}
