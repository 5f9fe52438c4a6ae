//! The kernel's GPIO character device, uAPI v1.
//!
//! Each line has a separate queue for 16 events. If the queue is full, the kernel drops the new
//! event and does not report the loss. Events are stamped with CLOCK_MONOTONIC in the hard
//! interrupt.

use super::Wiring;
use super::{GpioError, Lines, chip};
use clock_engine::Instant;
use clock_wiring::LineName;
use clockd_core::{Button, Edge, LINES, LineReading, QUEUE};
use gpio_cdev::{Chip, EventRequestFlags, LineEventHandle, LineRequestFlags};
use gpiocdev_uapi::v1::{HandleRequestFlags, LineEdgeEvent};
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};

/// The size of the kernel's record of an edge, in bytes.
const RECORD: usize = size_of::<LineEdgeEvent>();
/// The code of a rising edge (linux/gpio.h, `GPIOEVENT_EVENT_RISING_EDGE`). It means an edge to
/// active for either polarity, because the polarity is part of the request.
const RISING: u32 = 1;

/// The lines of a board.
pub struct V1Lines {
    lines: [Option<LineEventHandle>; LINES],
}

impl V1Lines {
    /// Requests the board's lines.
    pub fn open(wiring: &Wiring) -> Result<V1Lines, GpioError> {
        let mut chip = chip::find(&wiring.chips)?;
        let mut lines = [const { None }; LINES];
        for (button, line) in wiring.buttons() {
            let offset = offset(&chip, line).ok_or_else(|| chip::no_line(&chip, button, line))?;
            lines[button.index()] =
                Some(request(&mut chip, wiring, offset).map_err(|source| GpioError::Request {
                    chip: chip.label().to_owned(),
                    lines: format!("line {offset} for the {button} button"),
                    button: Some(button),
                    reason: chip::reason(&source),
                    source,
                })?);
        }
        Ok(V1Lines { lines })
    }

    fn line(&self, button: Button) -> io::Result<&LineEventHandle> {
        self.lines[button.index()].as_ref().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Lines for V1Lines {
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
        self.lines[button.index()].as_ref().map(|line| line.file().as_fd())
    }

    fn read_edges(
        &mut self,
        wanted: &[bool; LINES],
        readings: &mut [LineReading; LINES],
    ) -> [bool; LINES] {
        read_queues(wanted, readings, |button, edges| {
            let mut buffer = [0_u8; RECORD * QUEUE];
            let mut file = self.line(button)?.file();
            let len = match file.read(&mut buffer) {
                Ok(len) => len,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(0),
                Err(error) => return Err(error),
            };
            Ok(decode(&buffer[..len], edges))
        })
    }

    fn read_levels(&self, wanted: &[bool; LINES], readings: &mut [LineReading; LINES]) {
        for button in Button::ALL.into_iter().filter(|button| wanted[button.index()]) {
            let value = self.line(button).ok().and_then(|line| line.get_value().ok());
            readings[button.index()].level = value.map(|value| value != 0);
        }
    }
}

/// Reads the wanted lines, each of which has its own queue. `read` reads edges of one line and
/// returns their number, or 0 if none are left. Returns the lines that cannot be read.
pub fn read_queues(
    wanted: &[bool; LINES],
    readings: &mut [LineReading; LINES],
    mut read: impl FnMut(Button, &mut [Edge; QUEUE]) -> io::Result<usize>,
) -> [bool; LINES] {
    let mut failed = [false; LINES];
    for button in Button::ALL.into_iter().filter(|button| wanted[button.index()]) {
        let reading = &mut readings[button.index()];
        reading.drained = false;
        for _ in 0..LineReading::CAPACITY / QUEUE {
            let mut edges = [Edge::default(); QUEUE];
            match read(button, &mut edges) {
                Ok(0) => reading.drained = true,
                Ok(count) => reading.add(&edges[..count]),
                Err(_) => failed[button.index()] = true,
            }
            if reading.drained || failed[button.index()] {
                break;
            }
        }
    }
    failed
}

/// Decodes the kernel's records into edges, at most [`QUEUE`]; returns the number of edges. An
/// incomplete record at the end is ignored.
pub fn decode(bytes: &[u8], edges: &mut [Edge; QUEUE]) -> usize {
    let records = bytes.chunks_exact(RECORD);
    let count = records.len().min(QUEUE);
    for (edge, record) in edges.iter_mut().zip(records) {
        let word = |from: usize| {
            let bytes = record[from..from + 8].try_into().expect("a record has two words");
            u64::from_ne_bytes(bytes)
        };
        let words = [word(0), word(8)];
        let event = LineEdgeEvent::from_slice(&words).expect("a record has two words");
        let (at, active) = (Instant::from_nanos(event.timestamp_ns), event.kind == RISING);
        *edge = Edge { at, active };
    }
    count
}

/// The record that the kernel would write for an edge.
pub fn encode(edge: Edge) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..8].copy_from_slice(&edge.at.as_nanos().to_ne_bytes());
    let kind = if edge.active { RISING } else { RISING + 1 };
    record[8..12].copy_from_slice(&kind.to_ne_bytes());
    record
}

fn offset(chip: &Chip, line: &LineName) -> Option<u32> {
    match line {
        LineName::Offset(offset) => (*offset < chip.num_lines()).then_some(*offset),
        LineName::Name(name) => chip
            .lines()
            .find(|line| line.info().is_ok_and(|info| info.name() == Some(name)))
            .map(|line| line.offset()),
    }
}

fn request(chip: &mut Chip, wiring: &Wiring, offset: u32) -> io::Result<LineEventHandle> {
    let mut flags = LineRequestFlags::INPUT;
    if wiring.active_low {
        flags |= LineRequestFlags::ACTIVE_LOW;
    }
    if wiring.pull_up {
        // gpio-cdev has no constant for the flag of the pull-up, so the bits are set directly.
        flags |= LineRequestFlags::from_bits_retain(HandleRequestFlags::BIAS_PULL_UP.bits());
    }
    let line = chip.get_line(offset).map_err(chip::v1_error)?;
    let handle = line
        .events(flags, EventRequestFlags::BOTH_EDGES, super::CONSUMER)
        .map_err(chip::v1_error)?;
    super::set_non_blocking(handle.file())?;
    Ok(handle)
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
}
