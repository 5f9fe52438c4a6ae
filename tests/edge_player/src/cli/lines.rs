//! Changes the levels of simulated lines at planned instants.

use super::args::Target;
use super::{Doing, Failure, Result, sys};
use std::fs::File;
use std::os::unix::fs::FileExt as _;

/// A planned change of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// `CLOCK_MONOTONIC`, in nanoseconds.
    pub at: u64,
    /// The offset on the chip.
    pub line: u32,
    /// The new level: `true` is high, or low with `--active-low`.
    pub level: bool,
}

/// Two readings of `CLOCK_MONOTONIC`, in nanoseconds, between which a change was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bracket {
    pub before: u64,
    pub after: u64,
}

/// The files that set the levels of a chip's lines.
pub struct Lines {
    files: Vec<(u32, File)>,
    active_low: bool,
}

impl Lines {
    /// Opens the files in advance, because opening one takes longer than a bounce.
    pub fn open(target: &Target, lines: impl IntoIterator<Item = u32>) -> Result<Lines> {
        let mut opened = Lines { files: Vec::new(), active_low: target.active_low };
        for line in lines {
            if opened.file(line).is_none() {
                let path = target.dir.join(format!("sim_gpio{line}/pull"));
                let file = File::options().write(true).open(&path);
                let file = file.doing(|| format!("open {} of line {line}", path.display()))?;
                opened.files.push((line, file));
            }
        }
        Ok(opened)
    }

    fn file(&self, line: u32) -> Option<&File> {
        self.files.iter().find(|(of, _)| *of == line).map(|(_, file)| file)
    }

    fn pull(&self, line: u32, level: bool) -> Result<()> {
        let pull: &[u8] = if level == self.active_low { b"pull-down" } else { b"pull-up" };
        let file = self.file(line).ok_or_else(|| Failure::new(format!("line {line} unopened")))?;
        file.write_all_at(pull, 0).doing(|| format!("change line {line}"))
    }

    /// Makes all steps, each at its instant or, if that is past, at once. There are at least
    /// `apart` nanoseconds between two steps, so that the kernel does not merge two late steps into
    /// one edge.
    pub fn play(&self, steps: &[Step], apart: u64) -> Result<Vec<Bracket>> {
        let mut made: Vec<Bracket> = Vec::with_capacity(steps.len());
        for step in steps {
            let earliest = made.last().map_or(0, |last| last.after + apart);
            sys::sleep_until(step.at.max(earliest))?;
            let before = sys::now();
            self.pull(step.line, step.level)?;
            made.push(Bracket { before, after: sys::now() });
        }
        Ok(made)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

    /// A temporary directory like a chip's.
    pub struct Chip(pub PathBuf);

    impl Chip {
        pub fn new(name: &str, lines: u32) -> Chip {
            let dir =
                std::env::temp_dir().join(format!("edge-player-{}-{name}", std::process::id()));
            for line in 0..lines {
                let line = dir.join(format!("sim_gpio{line}"));
                fs::create_dir_all(&line).expect("a temporary directory");
                fs::write(line.join("pull"), "").expect("a temporary file");
            }
            Chip(dir)
        }

        pub fn target(&self, active_low: bool) -> Target {
            Target { dir: self.0.clone(), fifo: 0, active_low, load_spans: None, longest_load: 0 }
        }

        fn pull(&self, line: u32) -> String {
            let path = self.0.join(format!("sim_gpio{line}/pull"));
            fs::read_to_string(path).expect("a line's file")
        }
    }

    impl Drop for Chip {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn steps_are_made_in_their_time() {
        let chip = Chip::new("steps", 2);
        let start = sys::now();
        let step = |after, line, level| Step { at: start + after, line, level };
        let steps = [step(0, 0, false), step(3_000_000, 1, true)];
        let lines = Lines::open(&chip.target(false), [0, 1, 0]).expect("opens");
        let made = lines.play(&steps, 0).expect("plays");
        assert_eq!((chip.pull(0), chip.pull(1)), ("pull-down".into(), "pull-up".into()));
        for (step, made) in steps.iter().zip(&made) {
            assert!(step.at <= made.before && made.before <= made.after);
        }
        let lines = Lines::open(&chip.target(true), [1]).expect("opens");
        lines.play(&[step(0, 1, false)], 0).expect("plays");
        assert!(chip.pull(1).starts_with("pull-up"));
    }

    #[test]
    fn late_steps_stay_apart() {
        let chip = Chip::new("apart", 1);
        let lines = Lines::open(&chip.target(false), [0]).expect("opens");
        let past = [true, false, true].map(|level| Step { at: 0, line: 0, level });
        let made = lines.play(&past, 500_000).expect("plays");
        assert!(made.windows(2).all(|two| two[1].before >= two[0].after + 500_000), "{made:?}");
    }

    #[test]
    fn a_missing_line_is_named() {
        let chip = Chip::new("missing", 1);
        let failure = Lines::open(&chip.target(false), [7]).err().expect("no line 7").to_string();
        assert!(failure.contains("sim_gpio7/pull of line 7: No such file"), "{failure}");
    }
}
