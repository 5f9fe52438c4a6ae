//! The face in a window on X11 or Wayland. It is for people who try the clock or design its face;
//! the appliance has no window system.

use std::io;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::thread;

use anyhow::{Context as _, anyhow};
use softbuffer::{Context, Surface};
use tokio::runtime;
use tokio::sync::watch;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop, OwnedDisplayHandle};
use winit::keyboard::Key;
use winit::window::{Fullscreen, Window, WindowId};
use zbus::Address;

use crate::app::StopSignals;
use crate::config::{Config, ScreenConfig};
use crate::content::Content;
use crate::devices::Devices;
use crate::language::LanguageChoice;
use crate::link::{self, Link};
use crate::low_time::LowTime;
use crate::messages;
use crate::pixels::{Painter, copy};
use crate::presenter::Presenter;

/// The size of the window when it opens, in pixels.
const SIZE: PhysicalSize<u32> = PhysicalSize::new(800, 480);

/// A message to the window from the thread that follows the clock.
enum Event {
    Show(Content),
    /// The window is to be closed: because of a signal, or because the clock cannot be followed.
    Stop(anyhow::Result<()>),
}

/// Shows the clock in a window, and on the devices that the configuration names, until the user
/// closes the window or presses `q`, or until a signal arrives.
pub fn run(config: &Config, address: Address) -> anyhow::Result<()> {
    let events: EventLoop<Event> = EventLoop::with_user_event()
        .build()
        // The text of this error names a line in the source of winit, so it is not shown.
        .map_err(|_| anyhow!("no window: neither X11 (DISPLAY) nor Wayland (WAYLAND_DISPLAY) answers"))?;
    let proxy = events.create_proxy();
    let (sender, link) = watch::channel(Link::Down(None));
    // The devices are switched off when `_devices` is dropped, so the main thread owns it. The
    // thread `clock` could end without dropping it, because the program does not wait for that
    // thread.
    let _devices = Devices::start(config, link.clone(), messages::report)?;
    // The window runs in the main thread, because some window systems accept no other one.
    let send = move |event| proxy.send_event(event).is_ok();
    let chosen = (config.language, config.low_time);
    let following = move || follow(address, sender, (link, chosen), send, StopSignals::new);
    thread::Builder::new().name("clock".into()).spawn(following)?;
    let mut face = Face {
        config: config.screen.clone(),
        context: Context::new(events.owned_display_handle())
            .map_err(|error| anyhow!("no window: {error}"))?,
        content: Content::NoService(config.language.words(clock_dbus::Language::English)),
        shown: None,
        failed: None,
    };
    events.run_app(&mut face).context("the window system went away")?;
    face.failed.map_or(Ok(()), Err)
}

/// Follows the clock, and sends each content to the window until the window is closed or a signal
/// arrives. Then sends [`Event::Stop`]. `send` returns `false` once the window is closed.
fn follow(
    address: Address,
    sender: watch::Sender<Link>,
    (link, (language, low_time)): (watch::Receiver<Link>, (LanguageChoice, LowTime)),
    send: impl Fn(Event) -> bool,
    signals: impl FnOnce() -> io::Result<StopSignals>,
) {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let followed = runtime.context("the clock cannot be followed").and_then(|runtime| {
        runtime.block_on(async {
            tokio::spawn(link::follow(address, sender));
            let mut presenter = Presenter::new(link, language, low_time);
            let mut stop = signals().context("no signal handlers")?;
            while send(Event::Show(presenter.content())) {
                tokio::select! {
                    () = stop.recv() => break,
                    changed = presenter.changed() => if changed.is_err() { break },
                }
            }
            Ok(())
        })
    });
    send(Event::Stop(followed));
}

/// The window and its contents.
struct Face {
    config: ScreenConfig,
    context: Context<OwnedDisplayHandle>,
    content: Content,
    shown: Option<Shown>,
    /// Why the window cannot be shown.
    failed: Option<anyhow::Error>,
}

struct Shown {
    window: Rc<Window>,
    surface: Surface<OwnedDisplayHandle, Rc<Window>>,
    painter: Painter,
    /// All pixels of the picture. They are kept, because the window system can use another buffer
    /// for each picture and the painter paints only what has changed.
    pixels: Vec<u32>,
}

impl Face {
    fn open(&self, events: &ActiveEventLoop) -> anyhow::Result<Shown> {
        let attributes =
            Window::default_attributes().with_title("Chess clock").with_inner_size(SIZE);
        let window = Rc::new(events.create_window(attributes)?);
        let surface = Surface::new(&self.context, Rc::clone(&window));
        let surface = surface.map_err(|error| anyhow!("no pixels in the window: {error}"))?;
        let painter = Painter::new(self.config.setup((1, 1)));
        Ok(Shown { window, surface, painter, pixels: Vec::new() })
    }

    fn paint(&mut self) -> anyhow::Result<()> {
        let Some(shown) = &mut self.shown else { return Ok(()) };
        let PhysicalSize { width, height } = shown.window.inner_size();
        // A minimized window has no pixels.
        let (Some(columns), Some(rows)) = (NonZeroU32::new(width), NonZeroU32::new(height)) else {
            return Ok(());
        };
        if shown.painter.setup().size != (width, height) {
            shown.painter = Painter::new(self.config.setup((width, height)));
            shown.pixels = vec![0; width as usize * height as usize];
            shown
                .surface
                .resize(columns, rows)
                .map_err(|error| anyhow!("the window cannot have this size: {error}"))?;
        }
        let pixels = &mut shown.pixels;
        shown.painter.paint(&self.content, &mut |area, painted| {
            copy(area, painted, pixels, width as usize);
        });
        let mut buffer = shown.surface.buffer_mut().map_err(|error| anyhow!("{error}"))?;
        buffer.copy_from_slice(pixels);
        buffer.present().map_err(|error| anyhow!("{error}"))
    }

    /// Ends the program if the outcome is an error.
    fn check(&mut self, outcome: anyhow::Result<()>, events: &ActiveEventLoop) {
        if let Err(error) = outcome {
            self.failed = Some(error);
            events.exit();
        }
    }
}

impl ApplicationHandler<Event> for Face {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.shown.is_none() {
            let opened = self.open(events).map(|shown| self.shown = Some(shown));
            self.check(opened, events);
        }
    }

    fn user_event(&mut self, events: &ActiveEventLoop, event: Event) {
        match event {
            Event::Stop(followed) => {
                self.check(followed, events);
                events.exit();
            }
            Event::Show(content) => {
                if self.content != content {
                    self.content = content;
                    if let Some(shown) = &self.shown {
                        shown.window.request_redraw();
                    }
                }
            }
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::RedrawRequested | WindowEvent::Resized(_) => {
                let painted = self.paint();
                self.check(painted, events);
            }
            WindowEvent::KeyboardInput {
                event:
                    KeyEvent { logical_key: Key::Character(key), state: ElementState::Pressed, .. },
                ..
            } => match key.as_str() {
                "q" | "Q" => events.exit(),
                "f" | "F" => {
                    if let Some(Shown { window, .. }) = &self.shown {
                        let whole = window.fullscreen().is_none();
                        window.set_fullscreen(whole.then_some(Fullscreen::Borderless(None)));
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn without_signal_handlers_the_window_ends_with_that_error() {
        let (sender, link) = watch::channel(Link::Down(None));
        let errors = RefCell::new(Vec::new());
        let send = |event| {
            if let Event::Stop(followed) = event {
                errors.borrow_mut().push(format!("{:#}", followed.unwrap_err()));
            }
            true
        };
        let address = "unix:path=/nonexistent".try_into().unwrap();
        let chosen = (LanguageChoice::Auto, LowTime::Auto);
        follow(address, sender, (link, chosen), send, || Err(io::Error::other("refused")));
        assert_eq!(errors.into_inner(), ["no signal handlers: refused"]);
    }
}
