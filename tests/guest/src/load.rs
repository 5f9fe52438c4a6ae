//! A load that varies: what a busy small computer does, drawn from a seed.
//!
//! Threads at ordinary priority copy memory, start processes and wait for timers. Three threads
//! under SCHED_FIFO, with a priority below the clock loop's, do a little of the same. So the
//! latency with which a program reads an edge differs from edge to edge. Under a load that is
//! always the same, the latency would always be the same, too.

use crate::button::{now, schedule, sleep_until};
use anyhow::{Context, Result};
use edge_player::Rng;
use std::hint::black_box;
use std::process::{Child, Command, Stdio};
use std::thread;

/// The size of the memory that is copied: more than the caches of a small computer hold.
const MEMORY: usize = 4 << 20;

#[derive(clap::Args)]
pub struct Load {
    /// The seed of all instants and spans.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What a thread does, and when: in turn it sleeps for a random time within `rest`, and works for a
/// random time within `busy`. Each is a pair: the shortest and the longest time, in nanoseconds.
struct Work {
    /// The priority: 0 is ordinary priority, any other number is a priority of SCHED_FIFO.
    priority: i32,
    kind: Kind,
    busy: (u64, u64),
    rest: (u64, u64),
}

#[derive(Clone, Copy)]
enum Kind {
    CopyMemory,
    StartProcesses,
    CallKernel,
}

const US: u64 = 1_000;
const MS: u64 = 1_000_000;

const WORK: [Work; 7] = [
    Work { priority: 0, kind: Kind::CopyMemory, busy: (MS, 40 * MS), rest: (MS, 20 * MS) },
    Work {
        priority: 0,
        kind: Kind::CopyMemory,
        busy: (100 * US, 5 * MS),
        rest: (100 * US, 5 * MS),
    },
    Work { priority: 0, kind: Kind::StartProcesses, busy: (MS, 10 * MS), rest: (MS, 50 * MS) },
    // Timers that fire often.
    Work {
        priority: 0,
        kind: Kind::CallKernel,
        busy: (10 * US, 100 * US),
        rest: (50 * US, 2 * MS),
    },
    Work {
        priority: 10,
        kind: Kind::CopyMemory,
        busy: (20 * US, 2 * MS),
        rest: (200 * US, 20 * MS),
    },
    Work {
        priority: 20,
        kind: Kind::CallKernel,
        busy: (20 * US, 2 * MS),
        rest: (200 * US, 20 * MS),
    },
    Work {
        priority: 39,
        kind: Kind::CallKernel,
        busy: (20 * US, 500 * US),
        rest: (200 * US, 20 * MS),
    },
];

impl Load {
    /// Runs until it is killed.
    pub fn run(self) -> Result<()> {
        let threads = WORK.iter().zip(0..).map(|(work, index)| {
            let rng = Rng::of_trace(self.seed, index);
            thread::spawn(move || work.run(rng))
        });
        for thread in threads.collect::<Vec<_>>() {
            thread.join().ok().context("a thread of the load panicked")??;
        }
        Ok(())
    }
}

impl Work {
    fn run(&self, mut rng: Rng) -> Result<()> {
        schedule(self.priority)?;
        let (from, mut to) = (vec![1_u8; MEMORY], vec![0_u8; MEMORY]);
        loop {
            sleep_until(now() + rng.span(self.rest.0, self.rest.1));
            let until = now() + rng.span(self.busy.0, self.busy.1);
            while now() < until {
                match self.kind {
                    Kind::CopyMemory => copy_memory(&mut rng, &from, &mut to),
                    Kind::StartProcesses => start_processes(rng.between(1, 6))?,
                    Kind::CallKernel => call_kernel()?,
                }
            }
        }
    }
}

/// Copies 64 KiB, so that the thread soon looks at the clock again.
fn copy_memory(rng: &mut Rng, from: &[u8], to: &mut [u8]) {
    const PART: usize = 64 << 10;
    let start = usize::try_from(rng.between(0, (MEMORY - PART) as u64)).unwrap_or(0);
    to[start..start + PART].copy_from_slice(&from[start..start + PART]);
    black_box(to);
}

/// Starts this many processes at once, and waits for their end.
fn start_processes(count: u64) -> Result<()> {
    let start = |_| Command::new("true").stdin(Stdio::null()).spawn().context("true");
    let children = (0..count).map(start).collect::<Result<Vec<Child>>>()?;
    for mut child in children {
        child.wait()?;
    }
    Ok(())
}

/// Reads a file whose contents the kernel makes during the call, under several locks.
fn call_kernel() -> Result<()> {
    black_box(std::fs::read("/proc/self/stat")?);
    Ok(())
}
