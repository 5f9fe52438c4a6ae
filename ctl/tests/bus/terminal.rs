//! Runs the built `clockctl`, or another program, on a pseudo-terminal.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Instant;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::private_bus::PrivateBus;
use crate::program::DEADLINE;

const COLUMNS: u16 = 80;
const ROWS: u16 = 24;

/// A running program and its screen.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    screen: Arc<(Mutex<vt100::Parser>, Condvar)>,
    _master: Box<dyn MasterPty + Send>,
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a screen has cells")
}

impl Terminal {
    pub fn start(bus: &PrivateBus, args: &[&str]) -> Terminal {
        Terminal::start_with_rows(bus, args, ROWS)
    }

    /// Starts `clockctl` in a terminal with this many rows.
    pub fn start_with_rows(bus: &PrivateBus, args: &[&str], rows: u16) -> Terminal {
        Terminal::start_with(bus, args, rows, &[])
    }

    /// Starts `clockctl` with these environment variables in a terminal of 80 rows.
    pub fn start_with_variables(
        bus: &PrivateBus,
        args: &[&str],
        variables: &[(&str, &str)],
    ) -> Terminal {
        Terminal::start_with(bus, args, 80, variables)
    }

    fn start_with(
        bus: &PrivateBus,
        args: &[&str],
        rows: u16,
        variables: &[(&str, &str)],
    ) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_clockctl"));
        command.env("DBUS_SYSTEM_BUS_ADDRESS", bus.address());
        command.args(args);
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        for (name, value) in variables {
            command.env(name, value);
        }
        Terminal::of(command, rows)
    }

    /// Starts any program in a terminal with this many rows.
    pub fn of(command: CommandBuilder, rows: u16) -> Terminal {
        let size = PtySize { rows, cols: COLUMNS, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let child = pair.slave.spawn_command(command).expect("it starts");
        drop(pair.slave);
        let mut output = pair.master.try_clone_reader().expect("its output");
        let keys = pair.master.take_writer().expect("its input");
        let parser = vt100::Parser::new(cells(rows), cells(COLUMNS), 0);
        let screen = Arc::new((Mutex::new(parser), Condvar::new()));
        let painted = Arc::clone(&screen);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails once the program has ended.
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                painted.0.lock().unwrap().process(&bytes[..count]);
                painted.1.notify_all();
            }
        });
        Terminal { child, keys, screen, _master: pair.master }
    }

    /// Waits until `wanted` returns true for the screen. Returns the text of the screen.
    fn wait_until(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) -> String {
        let (screen, changed) = &*self.screen;
        let (screen, late) = changed
            .wait_timeout_while(screen.lock().unwrap(), DEADLINE, |parser| !wanted(parser.screen()))
            .unwrap();
        let text = screen.screen().contents();
        assert!(!late.timed_out(), "{what} was not seen on\n{text}");
        text
    }

    pub fn wait_for(&self, text: &str) -> String {
        self.wait_until(text, |screen| screen.contents().contains(text))
    }

    /// Waits until the screen shows this text so many times.
    pub fn wait_for_times(&self, text: &str, times: usize) {
        let what = format!("{text}, {times} times");
        self.wait_until(&what, |screen| screen.contents().matches(text).count() >= times);
    }

    /// Waits until this is one of the lines on the screen.
    pub fn wait_for_line(&self, line: &str) -> String {
        self.wait_until(line, |screen| {
            screen.contents().lines().any(|shown| shown.trim_end() == line)
        })
    }

    /// The colour of this text on the screen; `None` if the screen does not show it.
    pub fn colour_of(&self, text: &str) -> Option<vt100::Color> {
        let parser = self.screen.0.lock().unwrap();
        let screen = parser.screen();
        let place = |(row, line): (u16, String)| Some((row, line.find(text)?));
        let (row, column) = (0..).zip(screen.rows(0, COLUMNS)).find_map(place)?;
        Some(screen.cell(row, u16::try_from(column).ok()?)?.fgcolor())
    }

    pub fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Waits until the program ends and the normal screen has shown this text. Returns the exit
    /// code.
    pub fn end(mut self, text: &str) -> u32 {
        let deadline = Instant::now() + DEADLINE;
        let exit = loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                break status.exit_code();
            }
            assert!(Instant::now() < deadline, "it does not end");
            thread::sleep(std::time::Duration::from_millis(5));
        };
        self.wait_until(&format!("{text} on the normal screen"), |screen| {
            let is_normal = !screen.alternate_screen() && !screen.hide_cursor();
            is_normal && screen.contents().contains(text)
        });
        exit
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The program has ended already, unless the test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
