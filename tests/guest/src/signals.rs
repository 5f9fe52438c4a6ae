//! How long a signal is under way: the clock's, and a bare one on the same bus.

use crate::button::{Button, now, sleep_until};
use anyhow::{Context, Result};
use clock_dbus::{CLOCK_INTERFACE, State};
use futures_util::StreamExt as _;
use std::path::PathBuf;
use std::process::Stdio;
use tokio::io::AsyncWriteExt as _;
use tokio::process::{ChildStdin, Command};
use zbus::{Connection, MatchRule, MessageStream, message};

const PEER_PATH: &str = "/org/chessclock/Peer";
const PEER_INTERFACE: &str = "org.chessclock.Peer";
/// Between presses of one button: the debounce has forgotten the last one.
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
    /// Prints a line a signal: from the press's stamp, or from the call that sent the bare one, to
    /// its receipt. The two kinds alternate.
    pub async fn run(self) -> Result<()> {
        let buttons = [Button::new(&self.chip, self.white)?, Button::new(&self.chip, self.black)?];
        let bus = Connection::system().await?;
        let mut presses = stream(&bus, CLOCK_INTERFACE, "Transition").await?;
        let mut bare = stream(&bus, PEER_INTERFACE, "Tick").await?;
        let mut sender = start_sender()?;
        for number in 0..self.count {
            sender.write_all(b"\n").await?;
            let message = bare.next().await.context("no more bare signals")??;
            let (sent, _): (u64, State) = message.body().deserialize()?;
            report("bare", sent);

            let button = &buttons[usize::from(number % 2 == 0)];
            button.press()?;
            let message = presses.next().await.context("no more transitions")??;
            let (_, state): (String, State) = message.body().deserialize()?;
            report("press", state.at_nsec);
            sleep_until(now() + REST);
            button.release()?;
            sleep_until(now() + REST);
        }
        Ok(())
    }
}

fn report(kind: &str, stamp: u64) {
    println!("{}", serde_json::json!({ "kind": kind, "nsec": now().saturating_sub(stamp) }));
}

async fn stream(bus: &Connection, interface: &str, member: &str) -> Result<MessageStream> {
    let rule = MatchRule::builder()
        .msg_type(message::Type::Signal)
        .interface(interface)
        .member(member)
        .build()?;
    Ok(MessageStream::for_match_rule(rule, bus, None).await?)
}

/// A process of its own, as the clock is one.
fn start_sender() -> Result<ChildStdin> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg("sender")
        .stdin(Stdio::piped())
        .spawn()
        .context("the sender")?;
    child.stdin.take().context("the sender's input")
}

/// A signal for each line of standard input, with the instant at which it was sent and as much
/// beside it as a clock's transition carries.
pub async fn send() -> Result<()> {
    let bus = Connection::system().await?;
    let state = State::default();
    for line in std::io::stdin().lines() {
        line?;
        bus.emit_signal(None::<&str>, PEER_PATH, PEER_INTERFACE, "Tick", &(now(), &state)).await?;
    }
    Ok(())
}
