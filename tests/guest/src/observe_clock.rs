//! Measures from outside when the clock loop hands out what it has decided.
//!
//! The loop writes to an eventfd once an update is in its ring. This program copies the eventfds of
//! clockd and waits for them, with a priority above the loop's. So it sees the decision when
//! another program could see it. [`observe`](crate::observe) measures at the same point: when
//! another program can see the line that a program prints.

use crate::button::now;
use crate::presses::{Contact, Presses};
use anyhow::{Context, Result, ensure};
use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};
use std::collections::BTreeMap;
use std::fs;
use std::os::fd::OwnedFd;

/// For how long after a press the eventfds are observed, in nanoseconds. The clock needs 1.1 ms of
/// this time for the settle time and the delivery window.
const LONGEST: u64 = 20_000_000;

#[derive(clap::Args)]
pub struct ObserveClock {
    #[command(flatten)]
    presses: Presses,
    /// The process of clockd.
    #[arg(long)]
    process: i32,
}

/// For each eventfd, by its number: the instant of the first write to it after a press.
type FirstWrites = BTreeMap<u64, u64>;

impl ObserveClock {
    /// Prints for each press the instant at which the loop handed out its decision.
    pub fn run(self) -> Result<()> {
        let eventfds = Eventfds::of(self.process)?;
        let buttons = self.presses.buttons()?;
        let mut writes = Vec::new();
        self.presses.play(&buttons, |contact| {
            let observed = eventfds.observe(now() + LONGEST)?;
            if contact == Contact::Closed {
                writes.push(observed);
            }
            Ok(())
        })?;
        for nsec in of_the_loop(&writes)? {
            println!("{}", serde_json::json!({ "decided": nsec }));
        }
        Ok(())
    }
}

/// The instants at which the loop wrote. The loop's eventfd is the one that is written to after
/// every press and before all others. Everything else that clockd does for a press comes later.
fn of_the_loop(presses: &[FirstWrites]) -> Result<Vec<u64>> {
    let first = presses.first().context("no presses")?;
    let after_each = first.keys().filter_map(|eventfd| {
        presses.iter().map(|writes| writes.get(eventfd).copied()).collect::<Option<Vec<u64>>>()
    });
    after_each.min().context("no eventfd of clockd was written to after every press")
}

/// Copies of all eventfds of a process.
struct Eventfds {
    epoll: OwnedFd,
    _copies: Vec<OwnedFd>,
}

impl Eventfds {
    fn of(process: i32) -> Result<Eventfds> {
        let pid = Pid::from_raw(process).context("a process has a number above 0")?;
        let process = pidfd_open(pid, PidfdFlags::empty())?;
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let mut copies = Vec::new();
        for entry in fs::read_dir(format!("/proc/{pid}/fd"))? {
            let entry = entry?;
            let is_eventfd = fs::read_link(entry.path())
                .is_ok_and(|target| target.as_os_str() == "anon_inode:[eventfd]");
            if !is_eventfd {
                continue;
            }
            let number = entry.file_name().to_str().and_then(|name| name.parse().ok());
            let copy =
                pidfd_getfd(&process, number.context("a descriptor")?, PidfdGetfdFlags::empty())?;
            let data = epoll::EventData::new_u64(copies.len() as u64);
            // With ET (edge-triggered), every write ends a wait, even if clockd has not read the
            // earlier write yet.
            epoll::add(&epoll, &copy, data, epoll::EventFlags::IN | epoll::EventFlags::ET)?;
            copies.push(copy);
        }
        ensure!(!copies.is_empty(), "process {pid} has no eventfd");
        Ok(Eventfds { epoll, _copies: copies })
    }

    /// The first write to each eventfd from now until `until`.
    fn observe(&self, until: u64) -> Result<FirstWrites> {
        let mut writes = FirstWrites::new();
        loop {
            let left = i64::try_from(until.saturating_sub(now())).unwrap_or(i64::MAX);
            if left == 0 {
                return Ok(writes);
            }
            let limit = Timespec { tv_sec: left / 1_000_000_000, tv_nsec: left % 1_000_000_000 };
            let mut events = Vec::with_capacity(8);
            epoll::wait(&self.epoll, spare_capacity(&mut events), Some(&limit))?;
            let at = now();
            for event in events {
                writes.entry(event.data.u64()).or_insert(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_is_the_first_to_write_after_every_press() {
        let writes = |pairs: &[(u64, u64)]| pairs.iter().copied().collect::<FirstWrites>();
        // The eventfd 7 is written to first once, but not after every press.
        let presses = [writes(&[(3, 11), (5, 12), (7, 10)]), writes(&[(5, 22), (3, 21)])];
        assert_eq!(of_the_loop(&presses).unwrap(), [11, 21]);
        assert!(of_the_loop(&[writes(&[(3, 1)]), writes(&[(5, 2)])]).is_err());
        assert!(of_the_loop(&[]).is_err());
    }
}
