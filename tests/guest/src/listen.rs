//! Prints every signal that reaches an ordinary client, whoever sends it.

use anyhow::Result;
use futures_util::StreamExt as _;
use std::time::Duration;
use zbus::{Connection, MatchRule, MessageStream, message};

#[derive(clap::Args)]
pub struct Listen {
    /// For how long, in seconds.
    #[arg(long)]
    seconds: u64,
}

impl Listen {
    /// Prints the name of each signal, in quotes, except for those of the bus itself.
    pub async fn run(self) -> Result<()> {
        let bus = Connection::system().await?;
        let rule = MatchRule::builder().msg_type(message::Type::Signal).build()?;
        let mut signals = MessageStream::for_match_rule(rule, &bus, None).await?;
        let _ = tokio::time::timeout(Duration::from_secs(self.seconds), async {
            while let Some(Ok(signal)) = signals.next().await {
                let header = signal.header();
                if let (Some(interface), Some(member)) = (header.interface(), header.member())
                    && interface != "org.freedesktop.DBus"
                {
                    println!("\"{interface}.{member}\"");
                }
            }
        })
        .await;
        Ok(())
    }
}
