//! The lines of the buttons, as the clock loop reads them.
//!
//! The trait [`Lines`] has three implementations: the kernel's GPIO character device with its uAPI
//! v2 (`v2`), the same device with its uAPI v1 (`v1`), and a simulated board ([`sim`]). One of
//! them is chosen at run time.

mod chip;
pub mod sim;
pub(crate) mod v1;
mod v2;

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use clock_wiring::LineName;
use clockd_core::{Button, LINES, LineReading};
use serde::Deserialize;
pub use v2::OutputLine;

/// The label that the kernel shows for the lines. It is also in the names of the interrupts'
/// threads, `irq/NN-clockd`.
const CONSUMER: &str = "clockd";

/// The lines of a board. None of these calls may block or allocate.
pub trait Lines: Send {
    /// The descriptor to wait on for this button; `None` if the board has no such button.
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>>;

    /// Whether one descriptor, with one queue, carries the edges of all lines.
    fn share_descriptor(&self) -> bool {
        false
    }

    /// Reads the queued edges of the wanted lines, oldest first, and returns the lines that cannot
    /// be read any more. The edges of other lines stay queued, or are discarded if all lines share
    /// a queue.
    fn read_edges(
        &mut self,
        wanted: &[bool; LINES],
        readings: &mut [LineReading; LINES],
    ) -> [bool; LINES];

    /// Reads whether each of the wanted buttons is pressed now. If the level of a line cannot be
    /// read, the level in its reading is not set.
    fn read_levels(&self, wanted: &[bool; LINES], readings: &mut [LineReading; LINES]);

    /// Whether the board has this button.
    fn has(&self, button: Button) -> bool {
        self.fd(button).is_some()
    }
}

/// The version of the kernel's interface for GPIO lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Uapi {
    /// v2, or v1 if the kernel lacks v2.
    #[default]
    Auto,
    /// v2 only, which Linux has from 5.10 on.
    V2,
    /// v1 only, which a kernel has if `CONFIG_GPIO_CDEV_V1` is set.
    V1,
}

/// Requests the lines of a board from the kernel; returns them with the version that is in use.
pub fn open(wiring: &Wiring, uapi: Uapi) -> Result<(Box<dyn Lines>, &'static str), GpioError> {
    let v1 = || v1::V1Lines::open(wiring).map(|lines| Box::new(lines) as Box<dyn Lines>);
    let v2 = || v2::V2Lines::open(wiring).map(|lines| Box::new(lines) as Box<dyn Lines>);
    choose(uapi, v1, v2)
}

/// Opens the lines with the wanted version; returns them with the version that is in use.
fn choose<T>(
    uapi: Uapi,
    v1: impl FnOnce() -> Result<T, GpioError>,
    v2: impl FnOnce() -> Result<T, GpioError>,
) -> Result<(T, &'static str), GpioError> {
    let with_v1 = || v1().map(|lines| (lines, "v1"));
    match uapi {
        Uapi::V1 => with_v1(),
        Uapi::V2 => v2().map(|lines| (lines, "v2")),
        Uapi::Auto => match v2() {
            Err(error) if error.is_unsupported() => with_v1(),
            other => other.map(|lines| (lines, "v2")),
        },
    }
}

/// Makes reads of this file return at once if nothing is queued.
fn set_non_blocking(file: impl AsFd) -> io::Result<()> {
    let mode = rustix::fs::fcntl_getfl(&file)?;
    Ok(rustix::fs::fcntl_setfl(&file, mode | rustix::fs::OFlags::NONBLOCK)?)
}

/// Why a board cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GpioError {
    /// There is no such chip; the message lists the chips that exist.
    #[error("no GPIO chip {wanted}; this machine has {found}")]
    NoChip {
        /// The labels that were looked for.
        wanted: String,
        /// The chips that exist.
        found: String,
    },
    /// The chip has no such line.
    #[error("GPIO chip `{chip}` has no line {line} for the {button} button; it has {found}")]
    NoLine {
        /// The label of the chip.
        chip: String,
        /// The offset or the name of the line.
        line: String,
        /// The button that is wired to the line.
        button: Button,
        /// The lines that the chip has.
        found: String,
    },
    /// The kernel refused a line.
    #[error("cannot watch {lines} of GPIO chip `{chip}`: {reason}")]
    Request {
        /// The label of the chip.
        chip: String,
        /// The lines that were requested, in words.
        lines: String,
        /// The button that is wired to the line that was refused, if it is known.
        button: Option<Button>,
        /// Why, in words for the person who has to correct it.
        reason: String,
        /// The kernel's error.
        #[source]
        source: io::Error,
    },
    /// The chip has no such line to drive.
    #[error("GPIO chip `{chip}` has no line {line}; it has {found}")]
    NoOutput {
        /// The label of the chip.
        chip: String,
        /// The offset or the name of the line.
        line: String,
        /// The lines that the chip has.
        found: String,
    },
    /// The kernel refused to let a line be driven.
    #[error("cannot drive line {line} of GPIO chip `{chip}`: {reason}")]
    Output {
        /// The label of the chip.
        chip: String,
        /// The offset or the name of the line.
        line: String,
        /// Why.
        reason: String,
        /// The kernel's error.
        #[source]
        source: io::Error,
    },
    /// The socket of the simulated board cannot be used.
    #[error("cannot listen for simulated buttons at {path}: {hint}")]
    Socket {
        /// The path of the socket.
        path: String,
        /// Why.
        hint: String,
    },
}

impl GpioError {
    /// The button that the error concerns, if it concerns one.
    pub fn button(&self) -> Option<Button> {
        match self {
            GpioError::NoLine { button, .. } => Some(*button),
            GpioError::Request { button, .. } => *button,
            GpioError::NoChip { .. }
            | GpioError::NoOutput { .. }
            | GpioError::Output { .. }
            | GpioError::Socket { .. } => None,
        }
    }

    /// Whether the kernel refused the request as invalid (`EINVAL`). A kernel that lacks the uAPI
    /// of the request refuses it in this way.
    fn is_unsupported(&self) -> bool {
        let GpioError::Request { source, .. } = self else { return false };
        source.raw_os_error() == Some(libc::EINVAL)
    }
}

/// The chip and the lines of the buttons.
#[derive(Clone, Debug)]
pub struct Wiring {
    /// The labels of the chips to which the board can be connected; the first one that the machine
    /// has is used. A name or a path is accepted as well, but the number in it can change between
    /// kernels.
    pub chips: Vec<String>,
    /// Whether a pressed button pulls its line to ground.
    pub active_low: bool,
    /// Whether the pull-ups of the chip are switched on.
    pub pull_up: bool,
    /// The line of each button, by [`Button::index`]; `None` for a button that the board does not
    /// have.
    pub lines: [Option<LineName>; LINES],
}

impl Wiring {
    /// The buttons that are wired, with their lines.
    pub fn buttons(&self) -> impl Iterator<Item = (Button, &LineName)> {
        let wired = |button: Button| Some((button, self.lines[button.index()].as_ref()?));
        Button::ALL.into_iter().filter_map(wired)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_takes_v1_only_from_a_kernel_without_v2() {
        let refused = |errno: i32| {
            let source = io::Error::from_raw_os_error(errno);
            let (chip, lines, reason) = (String::new(), String::new(), String::new());
            Err(GpioError::Request { chip, lines, button: None, reason, source })
        };
        let auto = |v2: Result<u8, GpioError>| choose(Uapi::Auto, || Ok(1), || v2);
        assert_eq!(auto(Ok(2)).expect("v2"), (2, "v2"));
        assert_eq!(auto(refused(libc::EINVAL)).expect("v1"), (1, "v1"));
        // Another program uses the line. v1 would be refused too, and its error message would say
        // less.
        assert!(auto(refused(libc::EBUSY)).is_err());
        let named = |uapi, v1, v2| choose::<u8>(uapi, || v1, || v2).is_err();
        assert!(named(Uapi::V2, Ok(1), refused(libc::EINVAL)));
        assert!(named(Uapi::V1, refused(libc::EINVAL), Ok(2)));
    }
}
