//! The record of the present game, as the bus gives it.

use anyhow::Result;
use clock_dbus::METHOD_TIMEOUT;
use zbus::Proxy;
use zbus::connection::Builder;

const SERVICE: &str = "org.chessclock.Clock1";
const PATH: &str = "/org/chessclock/Clock1";
const HISTORY: &str = "org.chessclock.Clock1.History";
/// The largest number of entries that one call of `ReadEntries` may ask for.
const COUNT: u32 = 200;

/// Prints a line of JSON for the present game, and one for each of its entries.
pub async fn print() -> Result<()> {
    let bus = Builder::system().method_timeout(METHOD_TIMEOUT).build().await?;
    let history = Proxy::new(&bus, SERVICE, PATH, HISTORY).await?;
    let games: Vec<String> = history.call("ListGames", &(0_u64, 1_u32)).await?;
    let Some(game) = games.first() else { anyhow::bail!("there is no game on record") };
    println!("{game}");
    let fields: serde_json::Value = serde_json::from_str(game)?;
    let mut first = fields["first_entry"].as_u64().unwrap_or_default();
    loop {
        let entries: Vec<String> = history.call("ReadEntries", &(0_u64, first, COUNT)).await?;
        let Some(last) = entries.last() else { return Ok(()) };
        let fields: serde_json::Value = serde_json::from_str(last)?;
        first = fields["entry"].as_u64().unwrap_or(u64::MAX - 1) + 1;
        for entry in &entries {
            println!("{entry}");
        }
    }
}
