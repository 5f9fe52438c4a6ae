//! Who can do what on the system bus of the guest, with the policy as it is installed.

use anyhow::{Context, Result, ensure};
use clock_bus_policy::{User, try_all};
use rustix::process::{Gid, Uid};
use std::path::PathBuf;
use std::process::Command;

#[derive(clap::Args)]
pub struct BusPolicy {
    /// The account of a user of the table. Without it, the account has the user's name.
    #[arg(long = "account", value_name = "USER=ACCOUNT")]
    accounts: Vec<String>,
    /// The socket of the bus.
    #[arg(long, default_value = "/run/dbus/system_bus_socket")]
    socket: PathBuf,
}

impl BusPolicy {
    /// Makes all attempts. Prints how many attempts were made, and what was wrong.
    pub fn run(self) -> Result<()> {
        let report = try_all(&self.socket, |user| account(self.account_of(user)))?;
        let line = serde_json::json!({
            "bus": report.bus, "attempts": report.attempts, "wrong": report.wrong,
        });
        println!("{line}");
        Ok(())
    }

    fn account_of<'a>(&'a self, user: &'a str) -> &'a str {
        let known = self.accounts.iter().filter_map(|account| account.split_once('='));
        known.filter(|(name, _)| *name == user).map(|(_, account)| account).next().unwrap_or(user)
    }
}

/// The user with this account, with the groups that the system gives to it.
fn account(name: &str) -> Result<User> {
    let group = id("-g", name)?[0];
    let groups = id("-G", name)?.into_iter().filter(|id| *id != group).map(Gid::from_raw).collect();
    Ok(User { id: Uid::from_raw(id("-u", name)?[0]), group: Gid::from_raw(group), groups })
}

/// The numbers that `id` prints for an account. There is at least one.
fn id(option: &str, account: &str) -> Result<Vec<u32>> {
    let output = Command::new("id").args([option, "--", account]).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let ids: Result<Vec<u32>, _> =
        String::from_utf8(output.stdout)?.split_whitespace().map(str::parse).collect();
    let ids = ids.context("id prints numbers")?;
    ensure!(!ids.is_empty(), "{account} has no ids");
    Ok(ids)
}
