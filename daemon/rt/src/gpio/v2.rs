//! The kernel's GPIO character device, uAPI v2 (Linux 5.10 and later).
//!
//! All lines are one request with one descriptor and one queue. Each event has a sequence number
//! for its line, so a jump of these numbers shows how many events the kernel has dropped. If the
//! queue is full, the kernel drops the *oldest* event, so the queue is as large as the kernel
//! allows. The kernel's own debounce is not used, because it stamps the end of the bouncing.
//!
//! The loopback test presses a button of the clock with an [`OutputLine`].

use super::Wiring;
use super::{GpioError, Lines, chip};
use clock_engine::Instant;
use clock_wiring::LineName;
use clockd_core::{Button, Edge, LINES, LineReading};
use gpiocdev_uapi::v2::{
    self, LineConfig, LineEdgeEvent, LineFlags, LineRequest, LineValues, Offsets,
};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

/// How many events the kernel is asked to queue for the board. The kernel reduces every larger
/// number to 1024.
const EVENTS: u32 = 1024;
/// The size of the kernel's record of an edge, in words of 8 bytes.
const RECORD: usize = size_of::<LineEdgeEvent>() / size_of::<u64>();
/// How many of the kernel's records one read takes at most.
const BATCH: usize = LineReading::CAPACITY;
/// The code of a rising edge (linux/gpio.h, `GPIO_V2_LINE_EVENT_RISING_EDGE`). It means an edge to
/// active for either polarity, because the polarity is part of the request.
const RISING: u32 = 1;

/// The lines of a board.
pub struct V2Lines {
    request: File,
    sorter: Sorter,
}

impl V2Lines {
    /// Requests the board's lines.
    pub fn open(wiring: &Wiring) -> Result<V2Lines, GpioError> {
        let chip = chip::find(&wiring.chips)?;
        let refused = |button, offset, source| refused(chip.label(), button, offset, source);
        let device = File::open(chip.path()).map_err(|error| refused(None, None, error))?;
        let mut offsets = [None; LINES];
        for (button, line) in wiring.buttons() {
            let found = offset(&device, chip.num_lines(), line)
                .map_err(|error| refused(Some(button), None, error))?;
            let offset = found.ok_or_else(|| chip::no_line(&chip, button, line))?;
            offsets[button.index()] = Some(offset);
        }
        let request = request(&device, wiring, &offsets).map_err(|error| {
            let (button, offset) = busy_line(&device, &offsets).unzip();
            refused(button, offset, error)
        })?;
        Ok(V2Lines { request, sorter: Sorter { offsets, sequence: [0; LINES] } })
    }

    /// Reads up to [`BATCH`] records; returns the number of words that were read.
    fn read_batch(&self, words: &mut [u64; RECORD * BATCH]) -> io::Result<usize> {
        match v2::read_event(&self.request, words) {
            Ok(count) => Ok(count),
            Err(error) => match chip::v2_error(&error) {
                error if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
                error => Err(error),
            },
        }
    }
}

impl Lines for V2Lines {
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
        self.sorter.offsets[button.index()].map(|_| self.request.as_fd())
    }

    fn share_descriptor(&self) -> bool {
        true
    }

    fn read_edges(
        &mut self,
        wanted: &[bool; LINES],
        readings: &mut [LineReading; LINES],
    ) -> [bool; LINES] {
        let mut words = [0; RECORD * BATCH];
        // The edges of a muted line can fill the queue. So while a line is muted, as many of the
        // kernel's records as the queue can hold are read, and the edges of that line are
        // discarded.
        let is_one_muted =
            Button::ALL.into_iter().any(|button| self.has(button) && !wanted[button.index()]);
        let batches = if is_one_muted { EVENTS as usize / BATCH } else { 1 };
        let mut drained = false;
        for _ in 0..batches {
            // If the read fails, all lines have failed, including muted ones, because they share
            // the descriptor.
            let Ok(count) = self.read_batch(&mut words) else {
                return Button::ALL.map(|button| self.has(button));
            };
            for record in words[..count].chunks_exact(RECORD) {
                self.sorter.take(record, wanted, readings);
            }
            drained = count < words.len();
            if drained {
                break;
            }
        }
        readings.iter_mut().for_each(|reading| reading.drained = drained);
        [false; LINES]
    }

    fn read_levels(&self, wanted: &[bool; LINES], readings: &mut [LineReading; LINES]) {
        let mut values = LineValues { bits: 0, mask: self.sorter.mask() };
        if v2::get_line_values(&self.request, &mut values).is_err() {
            return;
        }
        for button in Button::ALL.into_iter().filter(|button| wanted[button.index()]) {
            readings[button.index()].level = values.get(self.sorter.place(button));
        }
    }
}

/// Sorts the events of the queue by line, and counts missing events by the sequence numbers.
#[derive(Clone, Copy)]
struct Sorter {
    /// The offset of each button's line on the chip.
    offsets: [Option<u32>; LINES],
    /// The sequence number of the latest event of each line; 0 before the first event, which has
    /// the number 1.
    sequence: [u32; LINES],
}

impl Sorter {
    fn take(
        &mut self,
        record: &[u64],
        wanted: &[bool; LINES],
        readings: &mut [LineReading; LINES],
    ) {
        let Ok(event) = LineEdgeEvent::from_slice(record) else { return };
        let Some(index) = self.offsets.iter().position(|offset| *offset == Some(event.offset))
        else {
            return;
        };
        let before = std::mem::replace(&mut self.sequence[index], event.line_seqno);
        let lost = event.line_seqno.wrapping_sub(before).saturating_sub(1);
        if wanted[index] {
            let (at, active) = (Instant::from_nanos(event.timestamp_ns), event.kind == RISING);
            readings[index].lost = readings[index].lost.saturating_add(lost);
            readings[index].push(Edge { at, active });
        }
    }

    /// The number of the bit that belongs to the button's line in the levels that the kernel
    /// returns. The lines of the request have the bits 0, 1, … in the order of the buttons.
    fn place(&self, button: Button) -> usize {
        self.offsets[..button.index()].iter().flatten().count()
    }

    /// The bits of all lines of the request.
    fn mask(&self) -> u64 {
        (1 << self.offsets.iter().flatten().count()) - 1
    }
}

pub(super) fn offset(device: &File, lines: u32, line: &LineName) -> io::Result<Option<u32>> {
    match line {
        LineName::Offset(offset) => Ok((*offset < lines).then_some(*offset)),
        LineName::Name(name) => {
            for offset in 0..lines {
                let info = v2::get_line_info(device, offset).map_err(|e| chip::v2_error(&e))?;
                if info.name.as_os_str() == name.as_str() {
                    return Ok(Some(offset));
                }
            }
            Ok(None)
        }
    }
}

fn request(device: &File, wiring: &Wiring, offsets: &[Option<u32>; LINES]) -> io::Result<File> {
    let mut flags = LineFlags::INPUT | LineFlags::EDGE_RISING | LineFlags::EDGE_FALLING;
    flags.set(LineFlags::ACTIVE_LOW, wiring.active_low);
    flags.set(LineFlags::BIAS_PULL_UP, wiring.pull_up);
    let offsets: Vec<u32> = offsets.iter().flatten().copied().collect();
    let request = LineRequest {
        offsets: Offsets::from_slice(&offsets),
        consumer: super::CONSUMER.into(),
        config: LineConfig { flags, ..LineConfig::default() },
        num_lines: u32::try_from(offsets.len()).map_err(io::Error::other)?,
        event_buffer_size: EVENTS,
        ..LineRequest::default()
    };
    let file = v2::get_line(device, request).map_err(|error| chip::v2_error(&error))?;
    super::set_non_blocking(&file)?;
    Ok(file)
}

/// The button and the offset of the first requested line that another program or driver uses;
/// `None` if no requested line is in use.
fn busy_line(device: &File, offsets: &[Option<u32>; LINES]) -> Option<(Button, u32)> {
    Button::ALL.into_iter().find_map(|button| {
        let offset = offsets[button.index()]?;
        let info = v2::get_line_info(device, offset).ok()?;
        info.flags.contains(LineFlags::USED).then_some((button, offset))
    })
}

fn refused(
    chip: &str,
    button: Option<Button>,
    offset: Option<u32>,
    source: io::Error,
) -> GpioError {
    let lines = match (button, offset) {
        (Some(button), Some(offset)) => format!("line {offset} for the {button} button"),
        (Some(button), None) => format!("the line for the {button} button"),
        (None, _) => "the lines of the buttons".to_owned(),
    };
    let reason = chip::reason(&source);
    GpioError::Request { chip: chip.to_owned(), lines, button, reason, source }
}

/// The label that the kernel shows for the line of an [`OutputLine`].
const LOOPBACK_CONSUMER: &str = "clockd-loopback";

/// A spare line that this process drives as a button drives its wire: it is pulled to the level of a
/// pressed button or left open, and never driven to the other level. So a real button on the same wire
/// can be pressed at the same time without a short circuit.
pub struct OutputLine {
    request: File,
}

impl OutputLine {
    /// Requests a line of the first of these chips that the machine has. It is left open at first.
    /// `active_low` says whether a button that is pressed connects its line to ground.
    pub fn open(
        chips: &[String],
        line: &LineName,
        active_low: bool,
    ) -> Result<OutputLine, GpioError> {
        let chip = chip::find(chips)?;
        let refused = |source: io::Error| GpioError::Output {
            chip: chip.label().to_owned(),
            line: line.to_string(),
            reason: match source.raw_os_error() {
                Some(libc::EBUSY) => "another program or driver has the line".to_owned(),
                _ => source.to_string(),
            },
            source,
        };
        let device = File::open(chip.path()).map_err(refused)?;
        let Some(offset) = offset(&device, chip.num_lines(), line).map_err(refused)? else {
            return Err(GpioError::NoOutput {
                chip: chip.label().to_owned(),
                line: line.to_string(),
                found: format!("lines 0 to {}", chip.num_lines().saturating_sub(1)),
            });
        };
        let flags = match active_low {
            true => LineFlags::OUTPUT | LineFlags::OPEN_DRAIN | LineFlags::ACTIVE_LOW,
            false => LineFlags::OUTPUT | LineFlags::OPEN_SOURCE,
        };
        let request = LineRequest {
            offsets: Offsets::from_slice(&[offset]),
            consumer: LOOPBACK_CONSUMER.into(),
            config: LineConfig { flags, ..LineConfig::default() },
            num_lines: 1,
            ..LineRequest::default()
        };
        let request = v2::get_line(&device, request).map_err(|error| chip::v2_error(&error));
        Ok(OutputLine { request: request.map_err(refused)? })
    }

    /// Pulls the line to the level of a pressed button, or leaves it open.
    pub fn set(&self, pressed: bool) -> io::Result<()> {
        let mut values = LineValues::default();
        values.set(0, pressed);
        v2::set_line_values(&self.request, &values).map_err(|error| chip::v2_error(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::Side;

    const WHITE: Button = Button::Player(Side::White);
    const BLACK: Button = Button::Player(Side::Black);

    /// The words of `struct gpio_v2_line_event` (linux/gpio.h).
    fn record(at: u64, rising: bool, offset: u32, sequence: u32) -> [u64; RECORD] {
        let pair = |low: u32, high: u32| {
            let [a, b, c, d] = low.to_ne_bytes();
            let [e, f, g, h] = high.to_ne_bytes();
            u64::from_ne_bytes([a, b, c, d, e, f, g, h])
        };
        let kind = if rising { RISING } else { RISING + 1 };
        [at, pair(kind, offset), pair(99, sequence), 0, 0, 0]
    }

    fn sorter() -> Sorter {
        Sorter { offsets: [Some(17), None, Some(22)], sequence: [0; LINES] }
    }

    #[test]
    fn events_are_sorted_by_line() {
        let (mut sorter, mut readings) = (sorter(), [const { LineReading::EMPTY }; LINES]);
        for (at, offset, sequence) in [(5, 17, 1), (7, 22, 1), (9, 17, 2), (11, 3, 1)] {
            sorter.take(&record(at, at != 9, offset, sequence), &[true; LINES], &mut readings);
        }
        let edge = |at, active| Edge { at: Instant::from_nanos(at), active };
        assert_eq!(readings[WHITE.index()].edges(), [edge(5, true), edge(9, false)]);
        assert_eq!(readings[BLACK.index()].edges(), []);
        assert_eq!(readings[Button::Call.index()].edges(), [edge(7, true)]);
        assert!(readings.iter().all(|reading| reading.lost == 0));
    }

    #[test]
    fn a_gap_in_the_sequence_of_a_line_is_the_number_of_its_lost_edges() {
        let (mut sorter, mut readings) = (sorter(), [const { LineReading::EMPTY }; LINES]);
        // The first event of a line has the number 1. After the largest number, the numbers start
        // again at 0.
        for (sequence, lost) in
            [(3, 2), (4, 2), (9, 6), (u32::MAX, u32::MAX - 4), (0, u32::MAX - 4)]
        {
            sorter.take(&record(1, true, 17, sequence), &[true; LINES], &mut readings);
            assert_eq!(readings[WHITE.index()].lost, lost, "{sequence}");
        }
        assert_eq!(readings[Button::Call.index()].lost, 0);
        // The events that were lost while a line was muted are not counted, even when the line is
        // read again.
        let mut readings = [const { LineReading::EMPTY }; LINES];
        let wanted = [false, true, true];
        sorter.take(&record(1, true, 17, 500), &wanted, &mut readings);
        sorter.take(&record(1, true, 17, 501), &[true; LINES], &mut readings);
        assert_eq!((readings[WHITE.index()].lost, readings[WHITE.index()].edges().len()), (0, 1));
    }

    #[test]
    fn the_values_of_a_request_are_numbered_by_its_lines() {
        let sorter = sorter();
        assert_eq!((sorter.place(WHITE), sorter.place(Button::Call), sorter.mask()), (0, 1, 0b11));
    }
}
