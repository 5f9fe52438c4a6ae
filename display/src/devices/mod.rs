//! The devices beside the picture: seven-segment modules, the lamps of the players, the buzzer.
//!
//! The devices show the same content as the picture. `segments` encodes the digits of the modules,
//! and `max7219` writes them. `lamps` decides the states of the lamps, `occasions` counts the
//! occasions for sounds, and `buzzer` plays the sounds. `max7219`, `lamps`, `buzzer` and the pins
//! of `line` use only the traits of embedded-hal: `line` implements these traits for GPIO lines, and
//! linux-embedded-hal for the SPI device.
//!
//! `wiring` reads which devices there are. `worker` updates all devices; it reports a device that is missing or fails, and opens it again every 2 s.
//! [`without_picture`] runs them without a picture.
//!
//! A separate thread drives the devices, because a chip on USB or I2C can block its caller, and the
//! picture must not wait for it.

mod buzzer;
mod lamps;
mod line;
mod max7219;
mod occasions;
mod segments;
#[cfg(test)]
pub(crate) mod test_content;
pub mod wiring;
pub mod without_picture;
mod worker;

use std::fmt::Display;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;
use linux_embedded_hal::SpidevDevice;
use linux_embedded_hal::spidev::{SpiModeFlags, Spidev, SpidevOptions};
use tokio::runtime;
use tokio::sync::{oneshot, watch};
use tokio::time::sleep_until;

use crate::config::Config;
use crate::language::LanguageChoice;
use crate::link::Link;
use crate::low_time::LowTime;
use crate::presenter::Presenter;
use buzzer::Buzzer;
use lamps::Lamps;
use line::{Chip, OutputLine};
use max7219::Modules;
use occasions::{Counter, Occasions};
use wiring::DevicePath;
use worker::{Retried, Shown, Worker};

pub use wiring::OutputLines;
pub use worker::Report;

/// The longest time that the program waits at its end for the last update of the devices.
const PATIENCE: Duration = Duration::from_millis(500);
/// The size of the stack of the thread that drives the devices, in bytes. The thread needs less
/// than the default of 2 MiB.
const STACK: usize = 256 << 10;

/// The devices of the configuration, which follow the clock. Dropping this silences the buzzer,
/// switches the lamps off and shows dashes on the modules.
pub struct Devices(Option<Driver>);

/// The thread that drives the devices.
struct Driver {
    end: oneshot::Sender<()>,
    /// The thread that drives the devices closes this channel when it has updated the devices for
    /// the last time ([`Worker::end`]).
    ended: mpsc::Receiver<()>,
}

impl Devices {
    /// Starts the thread that drives the configured devices. The thread opens the devices, so a
    /// missing device is no error here.
    pub(crate) fn start(
        config: &Config,
        link: watch::Receiver<Link>,
        report: Report,
    ) -> anyhow::Result<Devices> {
        let worker = worker(config, report);
        if !worker.has_devices() {
            return Ok(Devices(None));
        }
        Driver::start(worker, (link, config.low_time)).map(|driver| Devices(Some(driver)))
    }

    /// Whether the configuration names no device.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl Driver {
    fn start<S, P>(
        worker: Worker<S, P>,
        known: (watch::Receiver<Link>, LowTime),
    ) -> anyhow::Result<Driver>
    where
        S: SpiDevice<Error: Display> + Send + 'static,
        P: OutputPin<Error: Display> + Send + 'static,
    {
        let runtime = runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .context("the runtime of the devices does not start")?;
        let (end, wanted) = oneshot::channel();
        let (running, ended) = mpsc::channel();
        let driving = move || {
            runtime.block_on(drive(worker, known, wanted));
            drop(running);
        };
        let thread = thread::Builder::new().name("devices".into()).stack_size(STACK);
        thread.spawn(driving).context("no thread for the devices")?;
        Ok(Driver { end, ended })
    }
}

impl Drop for Devices {
    fn drop(&mut self) {
        if let Some(Driver { end, ended }) = self.0.take() {
            let _ = end.send(());
            // A device that hangs must not keep the program from ending.
            let _ = ended.recv_timeout(PATIENCE);
        }
    }
}

/// Drives the devices until `end` is sent, or until the sender of `link` is dropped because nobody
/// follows the service any more.
async fn drive<S, P>(
    mut worker: Worker<S, P>,
    (link, low_time): (watch::Receiver<Link>, LowTime),
    mut end: oneshot::Receiver<()>,
) where
    S: SpiDevice<Error: Display>,
    P: OutputPin<Error: Display>,
{
    let begun = Instant::now();
    // Nothing that the devices show depends on the language.
    let mut presenter = Presenter::new(link, LanguageChoice::Auto, low_time);
    let mut counter = Counter::default();
    loop {
        let content = presenter.content();
        let signals = presenter.link().signals();
        let sound = presenter.link().settings().sound;
        let shown = Shown::of(&content, counter.count(&content, signals), sound);
        let next = worker.update(&shown, begun.elapsed());
        tokio::select! {
            _ = &mut end => break,
            changed = presenter.changed() => if changed.is_err() { break },
            () = sleep_to(next.map(|next| begun + next)) => {}
        }
    }
    worker.end(begun.elapsed());
}

/// Sleeps until `instant`; for ever if it is `None`.
async fn sleep_to(instant: Option<Instant>) {
    match instant {
        Some(instant) => sleep_until(instant.into()).await,
        None => std::future::pending().await,
    }
}

/// The clock frequency of the SPI bus. A MAX7219 accepts 10 MHz, but not at the end of a cable with
/// a level shifter. At 1 MHz, the 13 transactions of 32 bits that write all registers of both
/// modules take less than a millisecond.
const SPI_HZ: u32 = 1_000_000;

/// Creates a [`Worker`] for the devices of the configuration, without opening them.
fn worker(config: &Config, report: Report) -> Worker<SpidevDevice, OutputLine> {
    let segments = config.segments.device.clone().map(|device| {
        let brightness = config.segments.brightness.0;
        let open = move || spi(&device).map(|spi| Modules::new(spi, brightness));
        (Retried::new("seven segments", Box::new(open), report), config.segments.first_module)
    });
    let wired = config.wired_lines.as_ref();
    let lamps = wired.and_then(|wired| {
        let (chips, [white, black]) = (wired.chips.clone(), wired.lamps.clone()?);
        let open = move || {
            let chip = Chip::find(&chips)?;
            Ok(Lamps::new([chip.output(&white)?, chip.output(&black)?]))
        };
        Some(Retried::new("lamps", Box::new(open), report))
    });
    let buzzer = wired.and_then(|wired| {
        let (chips, line) = (wired.chips.clone(), wired.buzzer.clone()?);
        let open = move || Ok(Buzzer::new(Chip::find(&chips)?.output(&line)?));
        Some((Retried::new("buzzer", Box::new(open), report), config.buzzer.clone()))
    });
    Worker { segments, lamps, buzzer, heard: Occasions::default() }
}

fn spi(device: &DevicePath) -> anyhow::Result<SpidevDevice> {
    let name = || device.as_ref().display().to_string();
    let mut spi = Spidev::open(device).with_context(name)?;
    let options = SpidevOptions::new()
        .bits_per_word(8)
        .max_speed_hz(SPI_HZ)
        .mode(SpiModeFlags::SPI_MODE_0)
        .build();
    spi.configure(&options).with_context(name)?;
    Ok(SpidevDevice(spi))
}

#[cfg(test)]
mod tests;
