//! Runs the built face in a pseudo-terminal, and reads what it shows there.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};

/// How long a test waits before it fails. It is long enough for the slowest machine; a test that
/// passes waits only for the awaited event.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// If a terminal has accepted no bytes for this long, it is taken as full.
const SETTLED: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// A running face.
pub struct Face {
    pty: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    shared: Arc<Shared>,
    reader: Option<JoinHandle<()>>,
}

struct Shared {
    screen: Mutex<vt100::Parser>,
    changed: Condvar,
    /// Whether the test still reads what the face writes.
    reads: AtomicBool,
}

impl Shared {
    fn screen(&self) -> MutexGuard<'_, vt100::Parser> {
        self.screen.lock().expect("nobody panics while holding it")
    }
}

const fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a screen has cells")
}

impl Face {
    /// Starts the face with these arguments in a terminal of 80x24.
    pub fn start(arguments: &[&str]) -> Face {
        let pair = native_pty_system().openpty(size(80, 24)).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_clock-display"));
        command.args(arguments);
        for (name, value) in [("TERM", "xterm-256color"), ("LC_ALL", "C.UTF-8"), ("NO_COLOR", "")] {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the face starts");
        let mut output = pair.master.try_clone_reader().expect("its output");
        let shared = Arc::new(Shared {
            screen: Mutex::new(vt100::Parser::new(cells(24), cells(80), 0)),
            changed: Condvar::new(),
            reads: AtomicBool::new(true),
        });
        let seen = shared.clone();
        let reader = thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails once the face has ended and the slave side is closed.
            while seen.reads.load(Ordering::Relaxed)
                && let Ok(count @ 1..) = output.read(&mut bytes)
            {
                seen.screen().process(&bytes[..count]);
                seen.changed.notify_all();
            }
        });
        let keys = pair.master.take_writer().expect("its input");
        Face { pty: pair.master, keys, child, shared, reader: Some(reader) }
    }

    /// Waits until `wanted` returns `true` for the screen. After [`PATIENCE`] the test fails and
    /// prints the screen.
    pub fn wait_until(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let screen = self.shared.screen();
        let (screen, late) = self
            .shared
            .changed
            .wait_timeout_while(screen, PATIENCE, |parser| !wanted(parser.screen()))
            .expect("nobody panics while holding it");
        let contents = screen.screen().contents();
        assert!(!late.timed_out(), "{what} was not seen on\n{contents}");
    }

    /// Waits until the face shows a text.
    pub fn wait_for(&self, text: &str) {
        self.wait_until(text, |screen| screen.contents().contains(text));
    }

    /// Waits until a text is no longer shown.
    pub fn wait_without(&self, text: &str) {
        self.wait_until(&format!("a screen without {text}"), |screen| {
            !screen.contents().contains(text)
        });
    }

    pub fn contents(&self) -> String {
        self.shared.screen().screen().contents()
    }

    /// Stops reading the terminal and fills its buffer, so that every further write of the face
    /// blocks. This is the state of an SSH connection whose peer is gone.
    pub fn stop_reading(&mut self) {
        self.shared.reads.store(false, Ordering::Relaxed);
        let path = self.pty.tty_name().expect("a terminal has a name");
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
        let tty = rustix::fs::open(path, flags, Mode::empty()).expect("the terminal can be opened");
        let mut tty = File::from(tty);
        // The reader thread is blocked in a read. A byte ends the read, and the thread then sees
        // that `reads` is `false`. While the face writes, the kernel refuses the byte (EAGAIN),
        // because only one program at a time can write to a terminal. So the loop tries again until
        // the thread has ended.
        let reader = self.reader.take().expect("it reads");
        while !reader.is_finished() {
            let _ = tty.write(b".");
            thread::yield_now();
        }
        reader.join().expect("it does not panic");
        // The kernel moves the bytes from one buffer to the next in the background. A terminal that
        // was full can therefore accept bytes again a moment later.
        while let Ok(1..) = poll(&mut [PollFd::new(&tty, PollFlags::OUT)], Some(&SETTLED)) {
            while tty.write(&[b'.'; 4096]).is_ok() {}
        }
    }

    /// The mode of the terminal, for example whether it echoes keys.
    pub fn mode(&self) -> String {
        format!("{:?}", self.pty.get_termios().expect("a terminal has a mode"))
    }

    pub fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the face reads its keys");
    }

    pub fn resize(&self, cols: u16, rows: u16) {
        self.wait_for_window_handler();
        self.shared.screen().screen_mut().set_size(cells(rows), cells(cols));
        self.pty.resize(size(cols, rows)).expect("the terminal takes another size");
    }

    /// Clears the screen. The face is not told.
    pub fn lose_picture(&self) {
        self.shared.screen().process(b"\x1b[2J");
    }

    /// Waits until the face has a handler for SIGWINCH. The kernel drops an earlier signal.
    pub fn wait_for_window_handler(&self) {
        const SIGWINCH: u32 = 28;
        let id = self.child.process_id().expect("the face runs");
        let deadline = Instant::now() + PATIENCE;
        loop {
            let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let caught = u64::from_str_radix(caught.expect("the signals").trim(), 16);
            if caught.expect("a mask of signals") >> (SIGWINCH - 1) & 1 == 1 {
                return;
            }
            assert!(Instant::now() < deadline, "the face has no handler for SIGWINCH");
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn signal(&self, name: &str) {
        let id = self.child.process_id().expect("the face runs").to_string();
        let status = std::process::Command::new("kill").args(["-s", name, &id]).status();
        assert!(status.expect("kill is there").success());
    }

    /// Waits until the face ends, and returns its exit code.
    pub fn exit_code(&mut self) -> u32 {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("the face can be waited for") {
                return status.exit_code();
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the face did not end: {}", self.contents());
    }
}

impl Drop for Face {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
