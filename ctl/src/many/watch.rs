//! `watch` on many clocks: a live table on a terminal, otherwise the lines of each clock with the
//! board before them.

mod feed;
mod lines;
mod reload;
mod remote_clock;
mod screen;
mod view;

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use tokio::{
    signal::unix::{SignalKind, signal},
    time::{MissedTickBehavior, interval},
};

use self::{
    feed::Feeds,
    reload::{Reload, Reloaded},
    screen::{Screen, read_keys},
    view::HallView,
};
use crate::{
    cli::{Cli, Verb},
    failure::Failure,
    hall::Hall,
    options::Options,
    out,
};

/// The interval at which the running times are shown anew.
const REFRESH: Duration = Duration::from_millis(100);

/// Follows all clocks of the hall until the user leaves, or the process is ended.
pub async fn run(cli: &Cli, hall: Hall) -> Result<u8> {
    let Some(Verb::Watch(args)) = &cli.verb else { return Ok(0) };
    let is_live = io::stdout().is_terminal() && io::stdin().is_terminal() && !cli.options.json;
    if !is_live {
        return lines::run(&cli.options, args, hall).await.map(|()| 0);
    }
    if args.changes_lines() {
        let why = "--heartbeat and --delay are for lines: they need --json or another output than a \
                   terminal";
        return Err(Failure::Usage(why.to_owned()).into());
    }
    live(&cli.options, hall, args.bell).await.map(|()| 0)
}

async fn live(options: &Options, mut hall: Hall, bell: bool) -> Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let (mut feeds, mut news) = Feeds::new();
    let mut reload = Reload::of(options);
    let mut keys = read_keys().context("no thread to read the keys")?;
    let mut screen =
        Screen::open(out::is_coloured(&io::stdout())).context("the terminal cannot be set up")?;
    let mut view = HallView::new(&hall, &feeds.follow(&hall.boards));
    let mut ticks = interval(REFRESH);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = terminate.recv() => return Ok(()),
            _ = hangup.recv() => return Ok(()),
            key = keys.recv() => {
                // `None` means that the terminal cannot be read any more.
                if !key.is_some_and(|key| view.press(key)) {
                    return Ok(());
                }
            }
            Some((clock, news)) = news.recv() => {
                if view.take(clock, news) && bell {
                    screen.ring().context("the terminal went away")?;
                }
                // Many changes are shown together, at the next tick.
                continue;
            }
            reloaded = reload.next(&hall) => match reloaded {
                Reloaded::Wrong(why) => view.say(&why),
                Reloaded::Hall { hall: after, said } => {
                    hall = after;
                    view.replace(&hall, &feeds.follow(&hall.boards));
                    said.iter().for_each(|said| view.say(said));
                }
            },
            _ = ticks.tick() => {}
        }
        screen.show(&view, Instant::now()).context("the terminal went away")?;
    }
}
