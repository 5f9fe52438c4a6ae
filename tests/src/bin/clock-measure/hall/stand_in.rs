//! A stand-in for `ssh` with connections that are warm: each has its `systemd-stdio-bridge` on the
//! other side already.
//!
//! `clockctl` starts this program in place of `ssh`. It copies its input and its output to a socket
//! of the measuring process, as a client of a shared connection of `ssh` does. The measuring process
//! passes the bytes on to a bridge, each direction with a delay.

use anyhow::{Context, Result};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::fd::AsFd as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// Tells the stand-in the folder that has the sockets `host-1`, `host-2` and so on.
const HOSTS: &str = "CLOCK_MEASURE_HOSTS";

/// The size of a buffer, in bytes.
const BUFFER: usize = 65_536;

/// If `clockctl` started this program in place of `ssh`, copies the connection to its end and
/// returns `true`. Host `board-N` is the clock N; after the last clock the first one follows.
pub fn run() -> Result<bool> {
    let Some(hosts) = std::env::var_os(HOSTS) else { return Ok(false) };
    let host = std::env::args().rev().nth(1).context("no host")?;
    let board: usize = host.trim_start_matches("board-").parse().context("no board")?;
    let clock = (board - 1) % super::CLOCKS + 1;
    let mut socket = UnixStream::connect(Path::new(&hosts).join(format!("host-{clock}")))?;
    let mut to_socket = socket.try_clone()?;
    thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut to_socket);
        let _ = to_socket.shutdown(Shutdown::Write);
    });
    // `std::io::stdout` would hold a part back until a later part ends its line.
    let output = std::io::stdout().as_fd().try_clone_to_owned()?;
    std::io::copy(&mut socket, &mut File::from(output))?;
    Ok(true)
}

/// The other side of the stand-ins.
pub struct Hosts {
    folder: PathBuf,
    /// By the number of the clock: the bridges that wait for a connection, and the address of the bus.
    waiting: HashMap<usize, Arc<Waiting>>,
}

struct Waiting {
    bus: String,
    bridges: Mutex<Vec<Child>>,
}

impl Hosts {
    /// Listens in `folder` for connections to each clock, and has a bridge for each.
    pub fn listen(folder: &Path, buses: impl Iterator<Item = String>) -> Result<Hosts> {
        let mut waiting = HashMap::new();
        for (index, bus) in buses.enumerate() {
            let clock = index + 1;
            let of_clock = Arc::new(Waiting { bus, bridges: Mutex::default() });
            waiting.insert(clock, Arc::clone(&of_clock));
            let listener = UnixListener::bind(folder.join(format!("host-{clock}")))?;
            thread::spawn(move || {
                for connection in listener.incoming().flatten() {
                    let of_clock = Arc::clone(&of_clock);
                    thread::spawn(move || of_clock.serve(connection, super::delay(clock)));
                }
            });
        }
        let hosts = Hosts { folder: folder.to_owned(), waiting };
        hosts.warm()?;
        Ok(hosts)
    }

    /// Sees to it that a bridge waits for a connection to each clock.
    pub fn warm(&self) -> Result<()> {
        for of_clock in self.waiting.values() {
            let mut bridges = of_clock.bridges.lock().unwrap_or_else(PoisonError::into_inner);
            if bridges.is_empty() {
                bridges.push(of_clock.bridge()?);
            }
        }
        Ok(())
    }

    /// The variables that let `clockctl` reach the clocks through the stand-in.
    pub fn variables(&self) -> Result<[(&'static str, OsString); 2]> {
        let this = std::env::current_exe()?.into_os_string();
        Ok([("CLOCKCTL_SSH", this), (HOSTS, self.folder.clone().into_os_string())])
    }
}

impl Waiting {
    fn bridge(&self) -> Result<Child> {
        let mut command = Command::new("/usr/bin/systemd-stdio-bridge");
        command.arg(format!("--bus-path={}", self.bus)).stdin(Stdio::piped());
        Ok(command.stdout(Stdio::piped()).spawn()?)
    }

    fn serve(&self, connection: UnixStream, delay: Duration) -> Result<()> {
        let waiting = self.bridges.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut bridge = waiting.map_or_else(|| self.bridge(), Ok)?;
        let input = bridge.stdin.take().context("no pipe")?;
        let output = bridge.stdout.take().context("no pipe")?;
        let from = connection.try_clone()?;
        // The bridge ends when its input is closed.
        let up = thread::spawn(move || delayed(from, input, delay));
        delayed(output, connection.try_clone()?, delay)?;
        connection.shutdown(Shutdown::Both)?;
        let _ = up.join();
        bridge.wait()?;
        Ok(())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let bridges = self.bridges.get_mut().unwrap_or_else(PoisonError::into_inner);
        for mut bridge in bridges.drain(..) {
            drop(bridge.stdin.take());
            let _ = bridge.wait();
        }
    }
}

/// Copies `from` to `to`. Each part that is read is written `delay` later. Meanwhile further parts are
/// read, so the delay does not limit the rate.
fn delayed(
    mut from: impl Read,
    mut to: impl Write + Send + 'static,
    delay: Duration,
) -> Result<()> {
    let (sender, receiver) = mpsc::channel::<(Instant, Vec<u8>)>();
    let writer = thread::spawn(move || -> std::io::Result<()> {
        for (due, part) in receiver {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            to.write_all(&part)?;
            to.flush()?;
        }
        Ok(())
    });
    let mut buffer = vec![0; BUFFER];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(len) if sender.send((Instant::now() + delay, buffer[..len].to_vec())).is_err() => {
                break;
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    drop(sender);
    // A failed write is no error: the other side may close its end before it has read every part.
    let _ = writer.join();
    Ok(())
}
