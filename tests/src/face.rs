//! A program in a pseudo-terminal, and the screen it paints.

use crate::eventually;
use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex};

/// A program in its own pseudo-terminal.
pub struct Face {
    screen: Arc<Mutex<vt100::Parser>>,
    keys: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
}

impl Face {
    /// Starts `program` in a terminal of this size.
    pub fn start<S: AsRef<OsStr>>(program: S, arguments: &[&str], cols: u16, rows: u16) -> Face {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        command.env("LANG", "C.UTF-8");
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let mut output = pair.master.try_clone_reader().expect("a reader");
        let keys = pair.master.take_writer().expect("a writer");
        let screen = Arc::new(Mutex::new(vt100::Parser::new(cells(rows), cells(cols), 0)));
        let painted = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(len @ 1..) = output.read(&mut bytes) {
                painted
                    .lock()
                    .expect("no thread panics while it holds the lock")
                    .process(&bytes[..len]);
            }
        });
        Face { screen, keys, master: pair.master, child }
    }

    /// Everything on the screen, as text.
    pub fn text(&self) -> String {
        self.screen.lock().expect("no thread panics while it holds the lock").screen().contents()
    }

    /// Calls `look` with the row, the column and the contents of every cell of the screen.
    pub fn cells(&self, mut look: impl FnMut(u16, u16, &vt100::Cell)) {
        let painted = self.screen.lock().expect("no thread panics while it holds the lock");
        let (rows, cols) = painted.screen().size();
        for (row, col) in (0..rows.get()).flat_map(|row| (0..cols.get()).map(move |col| (row, col)))
        {
            if let Some(cell) = painted.screen().cell(row, col) {
                look(row, col, cell);
            }
        }
    }

    /// Whether the program uses the alternate screen.
    pub fn alternate(&self) -> bool {
        self.screen
            .lock()
            .expect("no thread panics while it holds the lock")
            .screen()
            .alternate_screen()
    }

    /// Types these keys.
    pub fn keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
        self.keys.flush().expect("the terminal takes keys");
    }

    /// Changes the size of the terminal.
    pub fn resize(&self, cols: u16, rows: u16) {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        self.screen
            .lock()
            .expect("no thread panics while it holds the lock")
            .screen_mut()
            .set_size(cells(rows), cells(cols));
        self.master.resize(size).expect("the terminal takes a size");
    }

    /// Waits until the screen shows this text.
    #[track_caller]
    pub fn shows(&self, text: &str) {
        let what = format!("the screen shows {text:?}");
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            eventually(&what, || self.text().contains(text).then_some(()));
        }));
        assert!(found.is_ok(), "{what}; it shows:\n{}", self.text());
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.process_id().expect("it was started")
    }

    /// Whether the program still runs.
    pub fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits until the program ends by itself. Returns its exit code.
    #[track_caller]
    pub fn wait(&mut self) -> u32 {
        eventually("the program ends", || self.child.try_wait().expect("it can be waited for"))
            .exit_code()
    }
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a terminal has a size")
}

impl Drop for Face {
    fn drop(&mut self) {
        // The program may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
