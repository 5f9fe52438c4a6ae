//! What the arbiter's commands have in common.

use anyhow::{Context, Result};
use clock_dbus::{ArbiterProxy, State};

use crate::{
    bus::{Bus, bounded},
    cli::Options,
    failure::Failure,
    json::StatusJson,
    out, text,
};

/// A command that was carried out.
pub struct Given {
    /// The connection it was given over.
    pub bus: Bus,
    done: &'static str,
    /// The state whose revision the command was given for.
    pub before: State,
}

/// What to call a command: `pause the clocks`, and when it worked `the clocks are paused`.
pub struct Words {
    pub wanted: &'static str,
    pub done: &'static str,
}

/// Gives a command and says how the clock stands after it.
pub async fn run(
    options: &Options,
    words: Words,
    call: impl AsyncFnOnce(&ArbiterProxy<'static>, u64, &str) -> clock_dbus::Result<u64>,
) -> Result<()> {
    run_and_say(options, words, call, |_, after| text::brief(after)).await
}

/// Gives a command and says what there is to say of the clock before it and after it.
pub async fn run_and_say(
    options: &Options,
    words: Words,
    call: impl AsyncFnOnce(&ArbiterProxy<'static>, u64, &str) -> clock_dbus::Result<u64>,
    say: impl FnOnce(&State, &State) -> String,
) -> Result<()> {
    let given = give(options, words, call).await?;
    if options.quiet {
        return Ok(());
    }
    let after = given.after().await?;
    if options.json {
        return out::print_json(&StatusJson::from(&after));
    }
    out::print(&say(&given.before, &after))
}

/// Gives a command for the revision that was named, or for the one the clock has now.
///
/// Two round trips and no more: a clock that is to be stopped runs on until the second.
pub async fn give(
    options: &Options,
    words: Words,
    call: impl AsyncFnOnce(&ArbiterProxy<'static>, u64, &str) -> clock_dbus::Result<u64>,
) -> Result<Given> {
    let Words { wanted, done } = words;
    let cannot = || format!("cannot {wanted}");
    let bus = Bus::connect(options.bus.as_ref()).await.with_context(cannot)?;
    let before = bus.state().await.with_context(cannot)?;
    let revision = options.revision.unwrap_or(before.revision);
    let answer = bounded(call(&bus.arbiter, revision, &options.reason)).await;
    match answer {
        Ok(_revision) => Ok(Given { bus, done, before }),
        Err(failure) => Err(refused(failure, wanted)),
    }
}

/// A call without an answer may have been carried out, and the arbiter has to know that.
fn refused(failure: Failure, wanted: &str) -> anyhow::Error {
    let doubt = failure.leaves_in_doubt();
    let error = anyhow::Error::new(failure);
    if doubt {
        let said = format!("tried to {wanted}, and whether it was done is not known");
        error.context(format!("{said} (clockctl status shows it)"))
    } else {
        error.context(format!("cannot {wanted}"))
    }
}

impl Given {
    /// How the clock stands after the command.
    pub async fn after(&self) -> Result<State> {
        let now = self.bus.now().await;
        now.with_context(|| format!("{}, but cannot read the clock", self.done))
    }
}
