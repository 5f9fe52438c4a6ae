//! The kernel's GPIO character device.
//!
//! Line events of uAPI v1 are stamped with CLOCK_MONOTONIC in the hard interrupt. The kernel queues
//! up to 16 events for each line; it drops any further event and does not report the loss.

use super::{Button, Edge, GpioError, Lines, QUEUE};
use crate::config::{LineName, Wiring};
use clock_engine::Instant;
use gpio_cdev::{Chip, EventRequestFlags, LineEventHandle, LineRequestFlags};
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::path::PathBuf;

/// `GPIOHANDLE_REQUEST_BIAS_PULL_UP` (linux/gpio.h), which gpio-cdev has no name for.
const PULL_UP: u32 = 1 << 5;
/// `struct gpioevent_data` (linux/gpio.h): u64 time stamp, u32 id, 4 bytes of padding.
const RECORD: usize = 16;
/// `GPIOEVENT_EVENT_RISING_EDGE`: an edge to active, because the request carries the polarity.
const RISING: u32 = 1;

/// The lines of a real board.
pub struct CdevLines {
    lines: [Option<LineEventHandle>; Button::ALL.len()],
}

impl CdevLines {
    /// Requests the board's lines.
    pub fn open(wiring: &Wiring) -> Result<CdevLines, GpioError> {
        let mut chip = find_chip(&wiring.chip)?;
        let mut lines = [None, None, None];
        for (button, wired) in wiring.buttons() {
            let offset = offset(&chip, &wiring.chip, button, &wired.line)?;
            lines[button.index()] = Some(request(&mut chip, wiring, button, offset)?);
        }
        Ok(CdevLines { lines })
    }

    fn line(&self, button: Button) -> io::Result<&LineEventHandle> {
        self.lines[button.index()].as_ref().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Lines for CdevLines {
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
        self.lines[button.index()].as_ref().map(|line| line.file().as_fd())
    }

    fn read(&mut self, button: Button, edges: &mut [Edge; QUEUE]) -> io::Result<usize> {
        let mut buffer = [0_u8; RECORD * QUEUE];
        let mut file = self.line(button)?.file();
        let len = match file.read(&mut buffer) {
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(0),
            Err(error) => return Err(error),
        };
        Ok(decode(&buffer[..len], edges))
    }

    fn level(&self, button: Button) -> io::Result<bool> {
        // Only the errno is kept: an error that contains another error would need an allocation.
        let failed = |error| match errno(&error) {
            Some(errno) => io::Error::from_raw_os_error(errno),
            None => io::ErrorKind::Other.into(),
        };
        self.line(button)?.get_value().map(|value| value != 0).map_err(failed)
    }
}

/// Decodes the kernel's records into edges; returns the number of edges.
pub fn decode(bytes: &[u8], edges: &mut [Edge; QUEUE]) -> usize {
    let records = bytes.chunks_exact(RECORD);
    let count = records.len().min(QUEUE);
    for (edge, record) in edges.iter_mut().zip(records) {
        let (stamp, rest) = record.split_at(8);
        let stamp = u64::from_ne_bytes(stamp.try_into().expect("split at eight bytes"));
        let id = u32::from_ne_bytes(rest[..4].try_into().expect("a record has four more"));
        *edge = Edge { at: Instant::from_nanos(stamp), active: id == RISING };
    }
    count
}

/// The record the kernel would write for an edge.
pub fn encode(edge: Edge) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..8].copy_from_slice(&edge.at.as_nanos().to_ne_bytes());
    let id = if edge.active { RISING } else { RISING + 1 };
    record[8..12].copy_from_slice(&id.to_ne_bytes());
    record
}

/// Finds a chip by its label, since numbers can change between kernels; its name or path is accepted
/// too.
fn find_chip(wanted: &str) -> Result<Chip, GpioError> {
    let mut found = Vec::new();
    for path in chip_paths() {
        match Chip::new(&path) {
            Ok(chip) => {
                let is_wanted = [chip.label(), chip.name()].contains(&wanted)
                    || chip.path().to_str() == Some(wanted);
                if is_wanted {
                    return Ok(chip);
                }
                found.push(format!("{} ({})", chip.name(), chip.label()));
            }
            // It may be the wanted chip, so the message says why it cannot be opened.
            Err(error) => found.push(format!("{} ({})", path.display(), hint(&error))),
        }
    }
    let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
    Err(GpioError::NoChip { wanted: wanted.to_owned(), found })
}

/// The paths of all GPIO chips. `gpio_cdev::chips` is not used, because it stops at the first
/// device that it may not open.
fn chip_paths() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir("/dev")
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("gpiochip"))
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    paths
}

fn offset(chip: &Chip, label: &str, button: Button, line: &LineName) -> Result<u32, GpioError> {
    let found = match line {
        LineName::Offset(offset) => (*offset < chip.num_lines()).then_some(*offset),
        LineName::Name(name) => chip
            .lines()
            .find(|line| line.info().is_ok_and(|info| info.name() == Some(name)))
            .map(|line| line.offset()),
    };
    found.ok_or_else(|| GpioError::NoLine {
        chip: label.to_owned(),
        line: line.to_string(),
        button,
        found: format!("lines 0 to {}", chip.num_lines().saturating_sub(1)),
    })
}

fn request(
    chip: &mut Chip,
    wiring: &Wiring,
    button: Button,
    offset: u32,
) -> Result<LineEventHandle, GpioError> {
    let mut flags = LineRequestFlags::INPUT;
    if wiring.active_low {
        flags |= LineRequestFlags::ACTIVE_LOW;
    }
    if wiring.pull_up {
        flags |= LineRequestFlags::from_bits_retain(PULL_UP);
    }
    let failed = |source: gpio_cdev::Error| GpioError::Request {
        chip: wiring.chip.clone(),
        line: offset,
        button,
        hint: hint(&source),
        source,
    };
    let line = chip.get_line(offset).map_err(failed)?;
    let handle = line.events(flags, EventRequestFlags::BOTH_EDGES, "clockd").map_err(failed)?;
    // Non-blocking: a read without queued edges must return at once.
    let file = handle.file();
    rustix::fs::fcntl_getfl(file)
        .and_then(|mode| rustix::fs::fcntl_setfl(file, mode | rustix::fs::OFlags::NONBLOCK))
        .map_err(|errno| GpioError::Request {
            chip: wiring.chip.clone(),
            line: offset,
            button,
            hint: format!("fd {} cannot be made non-blocking: {errno}", file.as_raw_fd()),
            source: gpio_cdev::Error::from(io::Error::from(errno)),
        })?;
    Ok(handle)
}

/// What the kernel's refusal means, for the person who has to correct it.
fn hint(error: &gpio_cdev::Error) -> String {
    match errno(error) {
        Some(libc::EINVAL) => "the kernel lacks line events of uAPI v1 (CONFIG_GPIO_CDEV_V1) or \
                               pull-ups on this line"
            .to_owned(),
        Some(libc::EBUSY) => "another program or driver has the line".to_owned(),
        Some(libc::EPERM | libc::EACCES) => {
            "permission denied; clockd must be in the group of the chip's device".to_owned()
        }
        _ => error.to_string(),
    }
}

/// The errno of an error. gpio-cdev keeps that of an ioctl in nix's type, and that of opening a file in
/// the standard library's.
fn errno(error: &gpio_cdev::Error) -> Option<i32> {
    let source = std::error::Error::source(error)?;
    let of_ioctl = source.downcast_ref::<nix::errno::Errno>().map(|errno| *errno as i32);
    of_ioctl.or_else(|| source.downcast_ref::<io::Error>()?.raw_os_error())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_the_kernel_writes_them() {
        let sent = [
            Edge { at: Instant::from_nanos(u64::MAX), active: true },
            Edge { at: Instant::from_nanos(1), active: false },
        ];
        let bytes: Vec<u8> = sent.into_iter().flat_map(encode).collect();
        let mut edges = [Edge::default(); QUEUE];
        assert_eq!(decode(&bytes, &mut edges), 2);
        assert_eq!(edges[..2], sent);
        assert_eq!(decode(&bytes[..31], &mut edges), 1, "half a record is none");
    }

    #[test]
    fn the_errno_of_a_refusal_is_found_whoever_kept_it() {
        let no_chip = Chip::new("/dev/null").expect_err("no chip");
        assert_eq!(errno(&no_chip), Some(libc::ENOTTY));
        let no_file = Chip::new("/dev/nowhere").expect_err("no file");
        assert_eq!(errno(&no_file), Some(libc::ENOENT));
        let busy = gpio_cdev::Error::from(io::Error::from_raw_os_error(libc::EBUSY));
        assert_eq!(hint(&busy), "another program or driver has the line");
    }

    #[test]
    fn a_missing_chip_is_named_with_what_there_is() {
        let error = find_chip("pinctrl-nowhere").expect_err("no such chip").to_string();
        assert!(error.contains("`pinctrl-nowhere`") && error.contains("this machine has"));
    }
}
