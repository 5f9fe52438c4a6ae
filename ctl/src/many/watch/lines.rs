//! Prints the lines of `watch` of all clocks. Each line begins with the name of its board.

use std::{cell::Cell, rc::Rc, time::Duration};

use anyhow::Result;
use tokio::{
    task::{AbortHandle, JoinSet},
    time::sleep,
};

use super::{
    super::{finished::line_json, runs::for_board},
    reload::{Reload, Reloaded},
};
use crate::{
    failure::Failure,
    hall::{Board, Hall},
    options::{Options, place_of},
    out,
    text::{padded, plain},
    verb::watch::{Args, Lines, Printer, watch, written},
};

/// How long to wait before another attempt to reach a clock.
const RETRY: Duration = Duration::from_secs(5);

/// Prints the lines until the reader has gone or the process is ended.
pub async fn run(options: &Options, args: &Args, hall: Hall) -> Result<()> {
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
