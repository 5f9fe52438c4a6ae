//! `watch` on many clocks: a live table on a terminal, otherwise the lines of each clock with the
//! board before them.

mod feed;
mod input;
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
    sync::mpsc,
    time::{MissedTickBehavior, interval},
};

use self::{
    feed::Feeds,
    reload::{Reload, Reloaded},
    screen::Screen,
    view::{Action, HallView},
};
use crate::{
    cli::{Cli, Verb},
    failure::Failure,
    hall::{
        Board, Hall,
        child::{self, Finished, Run},
    },
    out,
};

/// The interval at which the running times are shown anew.
const REFRESH: Duration = Duration::from_millis(100);

/// Follows all clocks of the hall until the user leaves, or the process is ended.
pub async fn run(cli: &Cli, hall: Hall) -> Result<u8> {
    let Some(Verb::Watch(args)) = &cli.verb else { return Ok(0) };
    let is_live = io::stdout().is_terminal() && io::stdin().is_terminal() && !cli.options.json;
    if !is_live {
        return lines::run(cli, hall).await;
    }
    if args.changes_lines() {
        let why = "--heartbeat and --delay are for lines: they need --json or another output than a \
                   terminal";
        return Err(Failure::Usage(why.to_owned()).into());
    }
    live(cli, hall, args.bell).await
}

async fn live(cli: &Cli, mut hall: Hall, bell: bool) -> Result<u8> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let (mut feeds, mut news) = Feeds::new();
    let mut reload = Reload::of(&cli.options);
    let mut keys = input::read_keys().context("no thread to read the keys")?;
    let mut screen =
        Screen::open(out::is_coloured(&io::stdout())).context("the terminal cannot be set up")?;
    let mut view = HallView::new(&hall, &feeds.follow(&hall.boards));
    let mut ticks = interval(REFRESH);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (done, mut finished) = mpsc::channel(16);
    loop {
        tokio::select! {
            _ = terminate.recv() => return Ok(0),
            _ = hangup.recv() => return Ok(0),
            key = keys.recv() => match key.map(|key| view.press(key)) {
                // The terminal cannot be read any more.
                None | Some(Action::Leave) => return Ok(0),
                Some(Action::Nothing) => {}
                Some(Action::Run { board, words }) => {
                    let (run, done) = (run_of(cli, words), done.clone());
                    let board: Board = hall.boards[board].clone();
                    tokio::spawn(async move {
                        let answer = answer(child::run(&board, &run).await.0);
                        // If the user has left, nobody waits for the answer.
                        let _ = done.send(format!("{}: {answer}", board.name)).await;
                    });
                }
            },
            Some((clock, news)) = news.recv() => {
                if view.take(clock, news) && bell {
                    screen.ring().context("the terminal went away")?;
                }
                // Many changes are shown together, at the next tick.
                continue;
            }
            Some(answer) = finished.recv() => view.say(&answer),
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

fn run_of(cli: &Cli, words: Vec<String>) -> Run {
    Run {
        words: words.into_iter().map(Into::into).collect(),
        // The next command is typed on the same line, for the same board.
        beginning: "clockctl".to_owned(),
        deadline: Duration::from_secs(cli.options.deadline),
    }
}

/// What a command has answered, as text.
fn answer(finished: Finished) -> String {
    match finished {
        Finished::Exit { out, messages, .. } => (messages + &out).trim_end().to_owned(),
        Finished::Late => "no answer in time; look at the clock before you repeat it".to_owned(),
        Finished::Failed(why) => why,
    }
}
