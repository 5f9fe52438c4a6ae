//! A graphics card and the screen that is connected to it.
//!
//! The interface of the kernel is KMS (`Documentation/gpu/drm-kms.rst`). A process that opens a
//! card becomes the master of the card if the card has no master. Only the master may set modes.
//! The process needs no seat and no session.
//!
//! A card shows the last picture of a process for as long as the process has the card open. systemd
//! keeps the open card while the face is restarted (`FileDescriptorStoreMax=`), also after a kill, so
//! the screen keeps the last picture until the next process of the face shows one of its own.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clock_wiring::ScreenMode;
use drm::Device as _;
use drm::buffer::{self, Buffer, DrmFourcc};
use drm::control::dumbbuffer::{DumbBuffer, DumbMapping};
use drm::control::{
    ClipRect, Device as _, Mode, ResourceHandles, connector, crtc, framebuffer, from_u32,
};
use sd_notify::NotifyState::{FdName, FdStore, FdStoreRemove};

use super::mode::{Offer, best_first, next, offer, smaller};
use crate::pixels::Area;

/// The folder with the device files of the cards.
const CARDS: &str = "/dev/dri";

/// The highest number that a buffer of an earlier picture can have. The kernel numbers the buffers
/// from 1 and uses free numbers again. At most two buffers are open at a time.
const LAST_BUFFER: u32 = 8;

/// What is said if a mode cannot be set.
pub const NOT_SET: &str = "the mode cannot be set";

/// The open file of a card, which systemd has open, too. It stays open while no screen is
/// connected, because another open file of the card may not set modes meanwhile.
pub type OpenCard = Rc<File>;

pub struct Card {
    file: OpenCard,
    path: PathBuf,
}

impl AsFd for Card {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl drm::Device for Card {}
impl drm::control::Device for Card {}

/// What was found at the connectors.
pub enum Found {
    /// A screen that can be used.
    Screen(Target),
    /// A screen is connected to the connector of this name, but the card can show none of its modes.
    WithoutMode(String),
    /// No screen is connected.
    Nothing,
}

/// A connected screen, with the card, the connector and the mode for it.
pub struct Target {
    pub card: Card,
    connector: connector::Handle,
    /// The name of the connector, for example `HDMI-A-1`.
    name: String,
    crtc: crtc::Handle,
    /// The modes that can be used, the best one first.
    modes: Vec<Mode>,
    mode: Mode,
    wanted: Option<ScreenMode>,
    /// Whether no screen tells that it is connected, and one with the wanted mode is assumed.
    is_assumed: bool,
    /// The width and height of the visible panel in millimetres, if the panel reports them.
    pub panel_mm: Option<(u32, u32)>,
}

/// The first connected screen. Cards are tried in the order of their names, and the connectors of a card
/// in the order in which the kernel lists them. The card of `open` is not opened again. With a `wanted`
/// mode, a screen at the first connector is assumed if none tells that it is connected.
///
/// # Errors
///
/// The folder of the cards cannot be read; or no screen was found and at least one card could not
/// be used.
pub fn find(open: Option<&OpenCard>, wanted: Option<ScreenMode>) -> io::Result<Found> {
    let mut failed = None;
    let mut found = Found::Nothing;
    for path in cards()? {
        match Card::open(&path, open).and_then(|card| card.connected(wanted)) {
            Ok(Found::Nothing) => {}
            Ok(Found::Screen(target)) if !target.is_assumed => return Ok(Found::Screen(target)),
            Ok(other) => {
                if matches!(found, Found::Nothing) {
                    found = other;
                }
            }
            Err(error) => failed = Some(at(&path.display().to_string(), error)),
        }
    }
    match (found, failed) {
        (Found::Nothing, Some(error)) => Err(error),
        (found, _) => Ok(found),
    }
}

/// The cards in the order of their names; none if the folder [`CARDS`] does not exist.
fn cards() -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(CARDS) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"card"))
        })
        .collect();
    paths.sort();
    Ok(paths)
}

/// Puts `what` before the text of an error.
fn at(what: &str, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

impl Card {
    fn open(path: &Path, open: Option<&OpenCard>) -> io::Result<Card> {
        let device = path.metadata()?.rdev();
        let is_open = |file: &&OpenCard| file.metadata().is_ok_and(|of| of.rdev() == device);
        let file = match open.filter(is_open) {
            Some(file) => Rc::clone(file),
            None => Rc::new(File::options().read(true).write(true).open(path)?),
        };
        Ok(Card { file, path: path.to_owned() })
    }

    /// The first connected screen of this card that has a mode and a CRTC.
    ///
    /// # Errors
    ///
    /// The resources of the card cannot be read; or no screen was found and at least one connector
    /// could not be read.
    fn connected(self, wanted: Option<ScreenMode>) -> io::Result<Found> {
        let resources = match self.resource_handles() {
            // The card has no outputs and only renders, such as the 3D unit of a Raspberry Pi.
            Err(error)
                if error.raw_os_error() == Some(rustix::io::Errno::OPNOTSUPP.raw_os_error()) =>
            {
                return Ok(Found::Nothing);
            }
            resources => resources?,
        };
        let mut failed = None;
        let mut found = Found::Nothing;
        let mut first = None;
        for handle in resources.connectors() {
            let connector = match self.get_connector(*handle, true) {
                Ok(connector) => connector,
                Err(error) => {
                    failed = Some(error);
                    continue;
                }
            };
            match offer(connector.state(), connector.modes(), wanted) {
                Offer::NoScreen => first = first.or(Some(connector)),
                Offer::WithoutMode => found = Found::WithoutMode(name_of(&connector)),
                Offer::Modes(modes) => {
                    if let Some(crtc) = self.crtc(&resources, &connector) {
                        let target = Target::new(self, &connector, crtc, modes, wanted);
                        return Ok(Found::Screen(target));
                    }
                }
            }
        }
        if let (Found::Nothing, Some(_), Some(connector)) = (&found, wanted, first)
            && let Some(crtc) = self.crtc(&resources, &connector)
        {
            let modes = best_first(&[], wanted);
            let target = Target::new(self, &connector, crtc, modes, wanted);
            return Ok(Found::Screen(Target { is_assumed: true, ..target }));
        }
        match (found, failed) {
            (Found::Nothing, Some(error)) => Err(error),
            (found, _) => Ok(found),
        }
    }

    /// A CRTC that can drive this connector.
    fn crtc(
        &self,
        resources: &ResourceHandles,
        connector: &connector::Info,
    ) -> Option<crtc::Handle> {
        let encoders = connector.encoders().iter();
        let encoders = encoders.filter_map(|encoder| self.get_encoder(*encoder).ok());
        encoders.flat_map(|encoder| resources.filter_crtcs(encoder.possible_crtcs())).next()
    }

    /// Whether a screen at any connector tells that it is connected.
    fn has_screen(&self, ask: bool) -> io::Result<bool> {
        let resources = self.resource_handles()?;
        let is_connected = |connector: &connector::Handle| {
            let connector = self.get_connector(*connector, ask);
            connector.is_ok_and(|of| of.state() == connector::State::Connected)
        };
        Ok(resources.connectors().iter().any(is_connected))
    }
}

/// The name of a connector, for example `HDMI-A-1`.
fn name_of(connector: &connector::Info) -> String {
    format!("{}-{}", connector.interface().as_str(), connector.interface_id())
}

impl Target {
    /// `modes` has at least one mode.
    fn new(
        card: Card,
        connector: &connector::Info,
        crtc: crtc::Handle,
        modes: Vec<Mode>,
        wanted: Option<ScreenMode>,
    ) -> Target {
        Target {
            card,
            connector: connector.handle(),
            name: name_of(connector),
            crtc,
            mode: modes[0],
            modes,
            wanted,
            is_assumed: false,
            panel_mm: connector.size().filter(|(width, height)| *width > 0 && *height > 0),
        }
    }

    /// The card, which can be kept open.
    pub fn open_card(&self) -> OpenCard {
        Rc::clone(&self.card.file)
    }

    /// The size of the screen in pixels.
    pub fn size(&self) -> (u32, u32) {
        let (width, height) = self.mode.size();
        (width.into(), height.into())
    }

    /// The card, the connector, the mode and the driver, for the log.
    pub fn description(&self) -> String {
        let (width, height) = self.size();
        let driver =
            self.card.get_driver().map(|driver| driver.name().to_string_lossy().into_owned());
        format!(
            "{} {}{}: {width}x{height} at {} Hz, driver {}",
            self.card.path.display(),
            self.name,
            if self.is_assumed { ", where no screen tells that it is connected" } else { "" },
            self.mode.vrefresh(),
            driver.unwrap_or_else(|_| "unknown".into()),
        )
    }

    /// Creates a buffer for the pixels of the screen. [`Screen::set_mode`] shows it. If the card has not
    /// enough memory, the next smaller mode is used, because a blurred picture is better than none.
    pub fn buffer(&mut self) -> io::Result<DumbBuffer> {
        loop {
            match self.card.create_dumb_buffer(self.size(), DrmFourcc::Xrgb8888, 32) {
                Ok(buffer) => return Ok(buffer),
                Err(error) => {
                    let smaller = smaller(&self.modes, &self.mode);
                    self.mode = smaller.ok_or_else(|| at("no buffer for the pixels", error))?;
                }
            }
        }
    }

    /// Takes the next of the modes, because the card cannot show this one. Returns `false` if there is none.
    pub fn use_next_mode(&mut self) -> bool {
        let next = next(&self.modes, &self.mode);
        self.mode = next.unwrap_or(self.mode);
        next.is_some()
    }

    /// Whether there is a better mode, which the card could not show.
    pub fn is_second_choice(&self) -> bool {
        self.modes.first() != Some(&self.mode)
    }

    /// Creates a [`Screen`] that takes its pixels from `buffer`. [`Screen::set_mode`] shows them.
    pub fn screen<'a>(&'a self, buffer: &'a mut DumbBuffer) -> io::Result<Screen<'a>> {
        let pitch = buffer.pitch() as usize;
        let framebuffer = self.card.add_framebuffer(buffer, 24, 32)?;
        let handle = buffer.handle();
        let pixels = self.card.map_dumb_buffer(buffer)?;
        Ok(Screen { target: self, framebuffer, buffer: handle, pixels, pitch })
    }

    /// Frees the memory of a buffer whose mode the card has refused, so that the next mode can use this
    /// memory. An error is ignored.
    pub fn free(&self, buffer: DumbBuffer) {
        let _ = self.card.destroy_dumb_buffer(buffer);
    }
}

/// A screen and the pixels of its buffer. The screen shows the buffer from the call of
/// [`Screen::set_mode`] until this value is dropped.
pub struct Screen<'a> {
    target: &'a Target,
    framebuffer: framebuffer::Handle,
    buffer: buffer::Handle,
    pixels: DumbMapping<'a>,
    /// The distance between the beginnings of two rows, in bytes.
    pitch: usize,
}

impl Screen<'_> {
    /// Shows the pixels of the buffer on the screen.
    pub fn set_mode(&self) -> io::Result<()> {
        let Target { card, crtc, connector, mode, .. } = self.target;
        card.set_crtc(*crtc, Some(self.framebuffer), (0, 0), &[*connector], Some(*mode))
    }

    /// Frees the memory of the earlier pictures of this open card: those of a process that was
    /// killed, and those of a screen that was disconnected. Must be called after
    /// [`Screen::set_mode`], so that the card never has nothing to show.
    ///
    /// The errors are ignored: most numbers belong to no buffer.
    pub fn free_earlier(&self) {
        let card = &self.target.card;
        let framebuffers =
            card.resource_handles().map(|of| of.framebuffers().to_vec()).unwrap_or_default();
        for earlier in framebuffers.into_iter().filter(|earlier| *earlier != self.framebuffer) {
            let _ = card.destroy_framebuffer(earlier);
        }
        let buffers = (1..=LAST_BUFFER).filter_map(from_u32);
        for earlier in buffers.filter(|earlier| *earlier != self.buffer) {
            let _ = card.close_buffer(earlier);
        }
    }

    /// Copies the pixels of `area`, row by row as `0x00RRGGBB`, to the buffer.
    pub fn put(&mut self, area: Area, pixels: &[u32]) {
        let (width, first) =
            (area.width as usize, area.y as usize * self.pitch + area.x as usize * 4);
        for (row, painted) in pixels.chunks(width).enumerate() {
            let line = &mut self.pixels[first + row * self.pitch..][..width * 4];
            // Each pixel of `line` is an array of four bytes and not a slice, so that the compiler
            // can copy several pixels at once.
            for (bytes, pixel) in line.as_chunks_mut().0.iter_mut().zip(painted) {
                *bytes = pixel.to_le_bytes();
            }
        }
    }

    /// Tells the card which areas have new pixels. Only a card that keeps a copy of the buffer
    /// needs this, for example a card on USB or a virtual card. The drivers of other cards return
    /// ENOSYS, which is ignored.
    pub fn flush(&self, areas: &[Area]) -> io::Result<()> {
        let end = |value: u32| u16::try_from(value).unwrap_or(u16::MAX);
        let clips: Vec<ClipRect> = areas
            .iter()
            .map(|area| {
                ClipRect::new(end(area.x), end(area.y), end(area.right()), end(area.bottom()))
            })
            .collect();
        match self.target.card.dirty_framebuffer(self.framebuffer, &clips) {
            Err(error) if error.raw_os_error() != Some(rustix::io::Errno::NOSYS.raw_os_error()) => {
                Err(at("the new pixels cannot be shown", error))
            }
            _ => Ok(()),
        }
    }

    /// Returns `false` if this screen is disconnected, or if the best mode of the connector has
    /// changed, or if a screen is connected while one was only assumed. Otherwise returns `true`. If the card shows another buffer, another program has set
    /// a mode; this function then sets the mode of this screen again.
    ///
    /// With `ask`, the driver reads the connector, which can take some 100 ms. Otherwise the kernel
    /// returns the last known state of the connector. `ask` is needed because not every driver
    /// reads the connector before it sends a hotplug message, and because another screen can have
    /// replaced this one between two checks.
    pub fn check(&self, ask: bool) -> io::Result<bool> {
        let Target { card, crtc, connector, modes, wanted, is_assumed, .. } = self.target;
        if *is_assumed {
            if card.has_screen(ask)? {
                return Ok(false);
            }
        } else {
            let now = card.get_connector(*connector, ask)?;
            let is_connected = now.state() == connector::State::Connected;
            if !is_connected || best_first(now.modes(), *wanted).first() != modes.first() {
                return Ok(false);
            }
        }
        if card.get_crtc(*crtc)?.framebuffer() != Some(self.framebuffer) {
            self.set_mode().map_err(|error| at(NOT_SET, error))?;
        }
        Ok(true)
    }
}

impl Drop for Screen<'_> {
    fn drop(&mut self) {
        // An error is ignored. The card may be gone, and the kernel frees the framebuffer anyway
        // when the card is closed.
        let _ = self.target.card.destroy_framebuffer(self.framebuffer);
    }
}

/// The name of the card in the store of systemd.
const NAME: &str = "card";

/// Returns the graphics card that an earlier process of the face has left open; `None` if there is
/// none. Must be called only once.
///
/// From then on systemd does not keep it any more. If this process ends before it has shown a
/// picture, the screen goes black: a face that cannot start must not leave an old time on the
/// screen.
pub fn take_kept() -> io::Result<Option<File>> {
    let mut kept = None;
    for (fd, name) in sd_notify::listen_fds_with_names()? {
        #[expect(
            unsafe_code,
            reason = "a descriptor that was passed at the start has only a number"
        )]
        // SAFETY: the process was started with this open descriptor for its own use, as LISTEN_PID
        // says, and nobody else in it looks for passed descriptors. This function is called once.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        if name == NAME {
            kept = Some(File::from(fd));
        }
    }
    if kept.is_some() {
        release_kept()?;
    }
    Ok(kept)
}

/// Asks systemd to keep this card, and no other one. Does nothing outside systemd.
pub fn keep(card: &impl AsFd) -> io::Result<()> {
    release_kept()?;
    sd_notify::notify_with_fds(&[FdStore, FdName(NAME)], &[card.as_fd()])
}

/// Asks systemd to close the card that it keeps. Does nothing outside systemd.
pub fn release_kept() -> io::Result<()> {
    sd_notify::notify(&[FdStoreRemove, FdName(NAME)])
}
