//! Paints the same picture as `ours` with Slint, as Slint's documentation advises for a small
//! device: the glyphs are part of the program, and only what has changed is painted, straight into
//! the pixels of the screen.

use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use slint::platform::software_renderer::{
    MinimalSoftwareWindow, PremultipliedRgbaColor, RepaintBufferType, TargetPixel,
};
use slint::platform::{Platform, PlatformError, WindowAdapter};
use slint::{ComponentHandle as _, PhysicalSize, SharedString};

use crate::{PIXELS, shown::SIZE};

slint::include_modules!();

pub struct Slints {
    window: Rc<MinimalSoftwareWindow>,
    component: Face,
    /// One text for each digit, so that no text is allocated while the time is taken.
    digits: Vec<SharedString>,
    pixels: Vec<Xrgb>,
}

/// A pixel in the form XRGB8888.
#[derive(Clone, Copy)]
struct Xrgb(u32);

/// The platform for Slint: it creates the only window.
struct OneWindow {
    window: Rc<MinimalSoftwareWindow>,
    started: Instant,
}

impl Slints {
    /// This can be called only once, because Slint has one platform for the whole program.
    pub fn new() -> Result<Slints> {
        let window = MinimalSoftwareWindow::new(RepaintBufferType::ReusedBuffer);
        let platform = OneWindow { window: window.clone(), started: Instant::now() };
        slint::platform::set_platform(Box::new(platform)).map_err(|error| anyhow!("{error}"))?;
        // Without `std`, Slint's errors do not implement the `Error` trait of the standard library.
        let component = Face::new().map_err(|error| anyhow!("{error}"))?;
        component.show().map_err(|error| anyhow!("{error}"))?;
        window.set_size(PhysicalSize::new(SIZE.0, SIZE.1));
        let digits = (0..10).map(|digit| digit.to_string().into()).collect();
        let mut slints = Slints { window, component, digits, pixels: vec![Xrgb(0); PIXELS] };
        slints.paint(RepaintBufferType::ReusedBuffer);
        Ok(slints)
    }

    /// Paints the picture. `buffer` says whether the pixels are those that were painted last, or
    /// whether every pixel has to be painted.
    fn paint(&mut self, buffer: RepaintBufferType) {
        slint::platform::update_timers_and_animations();
        let pixels = &mut self.pixels;
        self.window.draw_if_needed(|renderer| {
            renderer.set_repaint_buffer_type(buffer);
            renderer.render(pixels, SIZE.0 as usize);
        });
    }
}

impl crate::Painted for Slints {
    fn show(&mut self, seconds: usize) {
        self.component.set_seconds(self.digits[seconds].clone());
        self.paint(RepaintBufferType::ReusedBuffer);
    }

    fn repaint(&mut self) {
        self.window.request_redraw();
        self.paint(RepaintBufferType::NewBuffer);
    }

    fn pixels(&self) -> Vec<u32> {
        self.pixels.iter().map(|pixel| pixel.0).collect()
    }
}

impl Platform for OneWindow {
    fn create_window_adapter(&self) -> Result<Rc<dyn WindowAdapter>, PlatformError> {
        Ok(self.window.clone())
    }

    fn duration_since_start(&self) -> Duration {
        self.started.elapsed()
    }
}

/// Blends the parts of a pixel one by one, as Slint does for its own pixels of three bytes.
impl TargetPixel for Xrgb {
    fn blend(&mut self, colour: PremultipliedRgbaColor) {
        let rest = u32::from(u8::MAX - colour.alpha);
        let [_, red, green, blue] = self.0.to_be_bytes();
        let part = |under: u8, over: u8| u32::from(under) * rest / 255 + u32::from(over);
        self.0 =
            part(red, colour.red) << 16 | part(green, colour.green) << 8 | part(blue, colour.blue);
    }

    fn from_rgb(red: u8, green: u8, blue: u8) -> Xrgb {
        Xrgb(u32::from_be_bytes([0, red, green, blue]))
    }
}
