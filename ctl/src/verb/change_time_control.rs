//! `clockctl change-time-control`: replaces a time control that was set up wrongly.

use anyhow::{Context, Result};
use clock_dbus::commands::Text;
use clock_dbus::{Given, Side, State};

use super::{command, new};
use crate::{options::Options, text};

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// A time control the clock knows; a control file (with a '/' in its path, or *.toml); or a
    /// notation: 3+2, '40/90, G/30, +30', 'G/60 d5', pgn:40/5400+30:1800+30
    #[arg(value_name = "NAME|FILE|NOTATION")]
    control: String,
    /// Play the turns so far again with the new time control; without it the times stay
    #[arg(long)]
    recompute: bool,
    /// The schedule of the event would suffer otherwise: the reason that FIDE Laws 2023 A.5.1.1 accepts
    #[arg(long)]
    schedule_suffers: bool,
}

const HELP: &str = "\
Stop the clocks first (clockctl pause). Both readings are shown before and after. The move counters and the side on \
move stay. With --recompute each side has what it would have if the new time control had held from the start, with its \
increments and delays; awards and penalties count, too, and a flag that would not have fallen is annulled. It is refused \
where a flag would have fallen, and where a turn is not on record: after `clockctl set`, `import` and `change-method`, and after a \
ruling that moves were made. Then change the time control alone, and set the times. What `clockctl change-method` has set ends.";

/// Replaces the time control. Shows the times of both sides before and after it, because an arbiter
/// writes them down.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let wanted = "change the time control";
    let given = new::time_control(options, Some(&args.control));
    let (name, file) = given.with_context(|| format!("cannot {wanted}"))?;
    let given = Given::ChangeTimeControl {
        time_control: Text(name.unwrap_or_default()),
        time_control_file: Text(file.unwrap_or_default()),
        recompute: args.recompute,
        schedule_suffers: args.schedule_suffers,
    };
    let completed = command::connect(options, wanted).await?.send(options, given).await?;
    completed.show(options, |before, after| say(before, after, args.recompute)).await
}

fn say(before: &State, after: &State, recompute: bool) -> String {
    let [was, is] = [before, after].map(|state| text::plain(&state.time_control));
    let times = |state: &State| Side::BOTH.map(|side| state.side(side).remaining_nsec);
    let note = match recompute && is == was && times(before) == times(after) {
        true => "note: this time control was in force already, so no time is another one.\n",
        false => "",
    };
    format!(
        "{}time control: {is}, before: {was}\n{note}{}",
        command::readings_table(before, after),
        text::questions::summary(after)
    )
}
