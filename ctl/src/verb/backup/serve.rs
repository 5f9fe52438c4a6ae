//! `clockctl backup serve`: carries out one request of the menu at the clock.
//!
//! The request is one line on standard input: `list`, or `load NAME` with the name of a backup in that
//! list. The answer on standard output is the JSON of `backup list` or of `backup load`.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use anyhow::Result;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::args::Serve;
use super::list::ListedJson;
use super::load::{Order, load};
use super::target::{Target, is_backup_name};
use crate::backup::System;
use crate::failure::Failure;
use crate::{options::Options, out};

/// The longest request, in bytes: a word and a name.
const LINE_LIMIT: usize = 256;
/// The longest time until the request has arrived.
const REQUEST_TIME: Duration = Duration::from_secs(5);
/// The largest number of backups that are listed for the menu.
const MOST: usize = 20;
/// How long listing the backups may take.
const LIST_TIME: Duration = Duration::from_secs(60);

pub async fn run(options: &Options, args: &Serve) -> Result<()> {
    let system = System::new(&args.root);
    system.check_rights()?;
    // `io::stdin()` has a buffer. `poll` does not see bytes in that buffer, so the descriptor is read directly.
    let input = io::stdin().as_fd().try_clone_to_owned().map_err(Failure::Output)?;
    let request = Request::read(&mut File::from(input), REQUEST_TIME)?;
    let source = args.source.clone();
    let open = move || Target::open(source.as_deref(), false);
    let name = match request {
        Request::List => {
            let list = move || ListedJson::of(&open()?, MOST);
            return out::print_json(&within(LIST_TIME, list).await?);
        }
        Request::Load(name) => name,
    };
    let target = open()?;
    if !target.names()?.names.contains(&name) {
        let message =
            format!("{}: it has no {name}; nothing was changed", target.shown().display());
        return Err(Failure::NotLoaded { code: "no-backup", message }.into());
    }
    let (path, file) = target.found(&name)?;
    let order =
        Order { system: &system, target: &target, without_accounts: true, is_from_menu: true };
    let loaded = load(options, &order, &path, file).await?;
    out::print_json(&loaded)
}

/// A request of the menu.
#[derive(Debug, PartialEq, Eq)]
enum Request {
    List,
    /// The name of the backup.
    Load(String),
}

impl Request {
    /// Reads a line of at most [`LINE_LIMIT`] bytes, which must arrive within this time.
    fn read(from: &mut (impl Read + AsFd), within: Duration) -> Result<Request, Failure> {
        let wrong = |why: String| Failure::Usage(format!("the request: {why}"));
        let end = Instant::now() + within;
        let mut line = Vec::new();
        while !line.contains(&b'\n') {
            let left = end.saturating_duration_since(Instant::now());
            let wait = Timespec::try_from(left).map_err(|error| wrong(error.to_string()))?;
            let ready = poll(&mut [PollFd::new(from, PollFlags::IN)], Some(&wait));
            if ready.map_err(|error| wrong(error.to_string()))? == 0 {
                return Err(wrong(format!("no line within {} s", within.as_secs())));
            }
            let mut buffer = [0; LINE_LIMIT];
            let read = from.read(&mut buffer).map_err(|error| wrong(error.to_string()))?;
            line.extend_from_slice(buffer.get(..read).unwrap_or_default());
            if read == 0 || line.len() > LINE_LIMIT {
                return Err(wrong(format!("no line of at most {LINE_LIMIT} bytes")));
            }
        }
        let text = std::str::from_utf8(&line).ok().and_then(|text| text.strip_suffix('\n'));
        Request::parse(text.unwrap_or_default()).ok_or_else(|| {
            let given = String::from_utf8_lossy(&line).escape_debug().to_string();
            wrong(format!("`{given}`; expected `list`, or `load` and the name of a backup"))
        })
    }

    fn parse(line: &str) -> Option<Request> {
        match line.split_once(' ') {
            None if line == "list" => Some(Request::List),
            Some(("load", name)) if is_backup_name(name) => Some(Request::Load(name.to_owned())),
            _ => None,
        }
    }
}

/// Runs `work` in a thread of its own and waits for its result, for at most this time. A read from a stick
/// that does not answer can block its thread for ever. Then this process ends without that thread, so that
/// the next request can be carried out.
async fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let (sender, result) = oneshot::channel();
    std::thread::spawn(move || {
        // This fails if the time is over and nobody waits for the result any more.
        let _ = sender.send(work());
    });
    match timeout(limit, result).await {
        Ok(Ok(result)) => result,
        _ => {
            let message = format!("the stick has not answered within {} s", limit.as_secs());
            Err(Failure::Stick { code: "unusable-stick", message })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    fn read(text: &[u8]) -> Result<Request, String> {
        let (mut from, mut to) = UnixStream::pair().unwrap();
        to.write_all(text).unwrap();
        drop(to);
        Request::read(&mut from, REQUEST_TIME).map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_request_is_one_line_with_the_name_of_a_backup() {
        assert_eq!(read(b"list\n"), Ok(Request::List));
        let name = "chess-clock-clock-12-2026-11-27-1830.tar";
        let load = format!("load {name}\n");
        assert_eq!(read(load.as_bytes()), Ok(Request::Load(name.to_owned())));
        for wrong in [
            "load \n",
            "load /etc/chess-clock-x.tar\n",
            "load chess-clock-../../x.tar\n",
            "load chess-clock-\u{1b}.tar\n",
            "load passwd\n",
            "save chess-clock-x.tar\n",
            "list \n",
            "list\nlist\n",
            "\n",
        ] {
            let said = read(wrong.as_bytes()).unwrap_err();
            assert!(said.contains("expected `list`, or `load`"), "{wrong:?}: {said}");
        }
        let long = format!("load chess-clock-{}.tar\n", "x".repeat(256));
        for (given, expected) in [
            ("list", "no line of at most"),
            ("", "no line of at most"),
            (&long, "no line of at most"),
        ] {
            let said = read(given.as_bytes()).unwrap_err();
            assert!(said.contains(expected), "{given:?}: {said}");
        }
        assert!(read(b"load chess-clock-\xff.tar\n").is_err());
    }

    #[test]
    fn a_request_that_does_not_come_is_not_awaited_for_ever() {
        let (mut from, mut to) = UnixStream::pair().unwrap();
        to.write_all(b"li").unwrap();
        let said = Request::read(&mut from, Duration::ZERO).and_then(|_| {
            // The two bytes are there already, and nothing follows.
            Request::read(&mut from, Duration::ZERO)
        });
        let said = said.unwrap_err().to_string();
        assert!(said.contains("no line within 0 s"), "{said}");
    }

    #[tokio::test]
    async fn a_stick_that_hangs_is_given_up() {
        let (_held, waits) = std::sync::mpsc::channel::<()>();
        let hangs = move || {
            let _ = waits.recv();
            Ok(())
        };
        let failure = within(Duration::from_millis(1), hangs).await.unwrap_err();
        assert_eq!(failure.code(), "unusable-stick");
        assert_eq!(within(LIST_TIME, || Ok(7)).await.ok(), Some(7));
    }
}
