//! Measures how long signals take: those of the clock, and on the same bus those of a process that
//! only sends signals, which are called bare.

use crate::button::{Button, now, sleep_until};
use anyhow::{Context, Result};
use clock_dbus::PATH;
use futures_util::StreamExt as _;
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Stdio;
use tokio::io::AsyncWriteExt as _;
use tokio::process::{ChildStdin, Command};
use zbus::{Connection, MatchRule, Message, MessageStream, Variant, message};

const PEER_PATH: &str = "/org/chessclock/Peer";
const PEER_INTERFACE: &str = "org.chessclock.Peer";
/// The property that holds the instant.
const AT: &str = "AtNSec";
/// How long a button stays down, and then up, in nanoseconds. It is longer than the release time of
/// the debounce.
const REST: u64 = 60_000_000;

#[derive(clap::Args)]
pub struct Signals {
    /// The folder of the chip's lines in sysfs.
    chip: PathBuf,
    /// The line of White's button.
    white: u32,
    /// The line of Black's button.
    black: u32,
    /// How many signals of each kind.
    #[arg(long, default_value_t = 200)]
    count: u32,
}

impl Signals {
    /// Prints for each signal the time until it is received. For a signal of the clock, the time
    /// begins at the stamp of the press; for a bare signal, when it is sent. The two kinds
    /// alternate.
    pub async fn run(self) -> Result<()> {
        let buttons = [Button::new(&self.chip, self.white)?, Button::new(&self.chip, self.black)?];
        let bus = Connection::system().await?;
        let mut presses = stream(&bus, "org.freedesktop.DBus.Properties", PATH).await?;
        let mut bare = stream(&bus, "org.freedesktop.DBus.Properties", PEER_PATH).await?;
        let mut sender = start_sender()?;
        for number in 0..self.count {
            sender.write_all(b"\n").await?;
            let message = bare.next().await.context("no more bare signals")??;
            report("bare", &message)?;

            let button = &buttons[usize::from(number % 2 == 0)];
            button.press()?;
            let message = presses.next().await.context("no more changes")??;
            report("press", &message)?;
            sleep_until(now() + REST);
            button.release()?;
            sleep_until(now() + REST);
        }
        Ok(())
    }
}

/// Prints the time from the instant in the message to now, and how many properties the message has.
fn report(kind: &str, message: &Message) -> Result<()> {
    let body = message.body();
    let (_, changed, _): (&str, HashMap<&str, Variant<'_>>, Vec<&str>) = body.deserialize()?;
    let at: u64 = changed.get(AT).context("no instant")?.try_into()?;
    let (nsec, properties) = (now().saturating_sub(at), changed.len());
    println!("{}", serde_json::json!({ "kind": kind, "nsec": nsec, "properties": properties }));
    Ok(())
}

async fn stream(bus: &Connection, interface: &str, path: &str) -> Result<MessageStream> {
    let rule = MatchRule::builder()
        .msg_type(message::Type::Signal)
        .interface(interface)
        .member("PropertiesChanged")
        .path(path)
        .build()?;
    Ok(MessageStream::for_match_rule(rule, bus, None).await?)
}

/// Starts the sender as a separate process, because the clock is a separate process, too.
fn start_sender() -> Result<ChildStdin> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg("sender")
        .stdin(Stdio::piped())
        .spawn()
        .context("the sender")?;
    child.stdin.take().context("the sender's input")
}

/// Sends a `PropertiesChanged` for each line of standard input, with the instant at which it was
/// sent and the properties that a press changes.
pub async fn send() -> Result<()> {
    let bus = Connection::system().await?;
    for line in std::io::stdin().lines() {
        line?;
        let changed: HashMap<&str, Variant<'_>> = HashMap::from([
            (AT, Variant::from(now())),
            ("Sequence", Variant::from(0_u64)),
            ("WhiteRemainingNSec", Variant::from(0_u64)),
            ("WhiteMoves", Variant::from(0_u32)),
            ("OnMove", Variant::from("white")),
            ("Running", Variant::from("white")),
        ]);
        let body = (PEER_INTERFACE, changed, &[] as &[&str]);
        let interface = "org.freedesktop.DBus.Properties";
        bus.emit_signal(None::<&str>, PEER_PATH, interface, "PropertiesChanged", &body).await?;
    }
    Ok(())
}
