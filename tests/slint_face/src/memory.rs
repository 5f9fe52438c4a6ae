//! Measures how much memory each of the two renderers takes, in a process of its own.

use std::collections::HashMap;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::{PIXELS, Painted, ours::Ours, slints::Slints};

/// The argument with which this program starts itself.
pub const CHILD: &str = "--memory-of";

/// How much of a process is in memory, in kB.
struct Resident {
    all: i64,
    anonymous: i64,
}

/// Prints how much more memory each renderer takes than a process that has only the pixels of the
/// screen.
pub fn compare() -> Result<()> {
    let pixels = measure("pixels")?;
    let beyond = |of: Resident| Resident {
        all: of.all - pixels.all,
        anonymous: of.anonymous - pixels.anonymous,
    };
    let (ours, slints) = (beyond(measure("ours")?), beyond(measure("slint")?));
    for (name, ours, slints) in [
        ("resident memory", ours.all, slints.all),
        ("of it anonymous", ours.anonymous, slints.anonymous),
    ] {
        println!(
            "{name:<18} ours {ours:>8} kB   Slint {slints:>8} kB   ratio {:.2}",
            ours as f64 / slints as f64
        );
    }
    Ok(())
}

/// Starts this program as a child that prints the memory of `what`.
fn measure(what: &str) -> Result<Resident> {
    let output = Command::new(std::env::current_exe()?).args([CHILD, what]).output()?;
    ensure!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    let numbers: HashMap<&str, i64> = text
        .lines()
        .filter_map(|line| {
            let (name, rest) = line.split_once(':')?;
            Some((name, rest.split_whitespace().next()?.parse().ok()?))
        })
        .collect();
    let number = |name| numbers.get(name).copied().with_context(|| format!("{name} of {what}"));
    Ok(Resident { all: number("VmRSS")?, anonymous: number("RssAnon")? })
}

/// Shows each digit once with the renderer `what`. Then prints the kernel's status of this process,
/// which says how much memory the process takes.
pub fn print(what: &str) -> Result<()> {
    // The values are not 0, so that the pixels are written and all of them are in memory.
    let pixels = vec![1_u32; if what == "pixels" { PIXELS } else { 0 }];
    let mut shown: Option<Box<dyn Painted>> = match what {
        "pixels" => None,
        "ours" => Some(Box::new(Ours::new())),
        "slint" => Some(Box::new(Slints::new()?)),
        _ => bail!("unknown: {what}"),
    };
    for seconds in 0..10 {
        if let Some(face) = &mut shown {
            face.show(seconds);
        }
    }
    print!("{}", std::fs::read_to_string("/proc/self/status")?);
    // Both values must exist until the status has been read.
    drop((pixels, shown));
    Ok(())
}
