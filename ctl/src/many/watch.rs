//! `watch` on many clocks: a live table on a terminal, otherwise the lines of each clock with the
//! board before them.

mod feed;
mod reload;
mod remote_clock;
mod screen;
mod view;

use std::{
    cell::Cell,
    io::{self, IsTerminal},
    rc::Rc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use tokio::{
    signal::unix::{SignalKind, signal},
    task::{AbortHandle, JoinSet},
    time::{MissedTickBehavior, interval, sleep},
};

use self::{
    feed::Feeds,
    reload::{Reload, Reloaded},
    screen::{Screen, read_keys},
    view::HallView,
};
use super::{finished::line_json, runs::for_board};
use crate::{
    cli::{Cli, Verb},
    failure::Failure,
    hall::{Board, Hall},
    options::{Options, place_of},
    out,
    text::{padded, plain},
    verb::watch::{Args, Lines, Printer, watch, written},
};

/// The interval at which the running times are shown anew.
const REFRESH: Duration = Duration::from_millis(100);

/// Follows all clocks of the hall until the user leaves, or the process is ended.
pub async fn run(cli: &Cli, hall: Hall) -> Result<u8> {
    let Some(Verb::Watch(args)) = &cli.verb else { return Ok(0) };
    let is_live = io::stdout().is_terminal() && io::stdin().is_terminal() && !cli.options.json;
    if !is_live {
        return lines(&cli.options, args, hall).await.map(|()| 0);
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

/// How long to wait before another attempt to reach a clock.
const RETRY: Duration = Duration::from_secs(5);

/// Prints the lines until the reader has gone or the process is ended.
async fn lines(options: &Options, args: &Args, hall: Hall) -> Result<()> {
    let heartbeat = args.heartbeat(options)?;
    written(args, async |lines| {
        let shared = Shared { options: options.clone(), heartbeat, lines, width: Cell::new(0) };
        follow_all(options, hall, shared).await
    })
    .await
}

/// The values that the tasks of all boards use.
struct Shared {
    options: Options,
    heartbeat: Option<Duration>,
    lines: Lines,
    /// The width of the longest name of a board.
    width: Cell<usize>,
}

async fn follow_all(options: &Options, mut hall: Hall, shared: Shared) -> Result<()> {
    let mut running =
        Running { shared: Rc::new(shared), tasks: JoinSet::new(), boards: Vec::new() };
    let mut reload = Reload::of(options);
    loop {
        running.follow(&hall.boards);
        let said = match reload.next(&hall).await {
            Reloaded::Wrong(why) => Some(why),
            Reloaded::Hall { hall: after, said } => {
                hall = after;
                said
            }
        };
        said.iter().for_each(|said| out::report(&format!("clockctl: {}\n", plain(said))));
    }
}

/// The boards that are followed.
struct Running {
    shared: Rc<Shared>,
    /// The tasks, one for each board. When this value is dropped, all of them end.
    tasks: JoinSet<()>,
    boards: Vec<(Board, AbortHandle)>,
}

impl Running {
    /// Follows these boards and no others. A board that is followed already and still has its clock
    /// keeps its connection.
    fn follow(&mut self, boards: &[Board]) {
        let width = boards.iter().map(|board| board.name.chars().count()).max();
        self.shared.width.set(width.unwrap_or(0));
        let mut before = std::mem::take(&mut self.boards);
        for board in boards {
            let is_same = |(other, _): &(Board, AbortHandle)| {
                other.name == board.name && other.target == board.target
            };
            let running = match before.iter().position(is_same) {
                Some(index) => before.swap_remove(index),
                None => {
                    let (options, one) = for_board(&self.shared.options, board);
                    let follow = follow(board.clone(), options, Rc::clone(&self.shared));
                    (board.clone(), self.tasks.spawn_local(one.scope(follow)))
                }
            };
            self.boards.push(running);
        }
        for (_, task) in before {
            task.abort();
        }
    }
}

async fn follow(board: Board, options: Options, shared: Rc<Shared>) {
    let mut said = String::new();
    loop {
        let (of_board, of_lines) = (board.clone(), Rc::clone(&shared));
        let printer = Printer::new(&options, move |line| of_lines.send(&of_board, line));
        if let Err(mut error) = watch(&options, shared.heartbeat, printer).await {
            Failure::look_at(&mut error, place_of(&board.target));
            let why = plain(&format!("{error:#}"));
            // If a clock cannot be reached, that is reported once, not at every attempt.
            if why != said {
                out::report(&format!("clockctl: {}: {why}\n", plain(&board.name)));
                said = why;
            }
        }
        sleep(RETRY).await;
    }
}

impl Shared {
    fn send(&self, board: &Board, line: String) {
        match self.options.json {
            // Serializing a value of JSON cannot fail.
            true => line_json(board, 0, line).into_iter().for_each(|line| self.lines.send(line)),
            false => {
                let name = padded(&board.name, self.width.get());
                self.lines.send(format!("{name}  {line}"));
            }
        }
    }
}
