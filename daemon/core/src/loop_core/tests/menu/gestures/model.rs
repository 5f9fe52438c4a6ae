//! What the documents say of the presses, as plain code over the contacts as they were made. It
//! knows nothing of the core: it shares no code with it, and has no debounce and no queue.

mod game;

pub use game::Clock;
use std::collections::VecDeque;

const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MS;
/// The bar of a hold begins.
const BAR: u64 = 300 * MS;
/// A player alone who holds a button longer does not mean the menu.
const TOGETHER: u64 = 600 * MS;
/// The page opens.
const HOLD: u64 = 1_500 * MS;
/// A hold that is not released this long after [`HOLD`] opens nothing.
const LET_GO_WITHIN: u64 = 10 * SECOND;
/// A contact that has been open for so long is released.
const RELEASED: u64 = 50 * MS;
/// A menu whose program does not answer closes.
const FORGOTTEN: u64 = 30 * SECOND;

const CALL: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Ready,
    Running,
    Paused,
    Ruling,
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wiring {
    TwoAndCall,
    TwoAlone,
    RockerAndCall,
}

/// A press of line 0 (White), 1 (Black) or 2 (call).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    pub line: usize,
    pub down: u64,
    pub up: u64,
}

/// What happens outside the loop.
#[derive(Clone, Copy, Debug)]
pub enum Given {
    /// The program that shows the menu leaves it.
    Leave(u64),
    Press(Press),
    /// The arbiter stops a clock that runs, and starts one that stands.
    Command(u64),
}

impl Given {
    /// The instant. What the program does comes before a press at the same instant.
    pub fn key(&self) -> (u64, usize) {
        match self {
            Given::Leave(at) => (*at, 0),
            Given::Press(press) => (press.down, 1 + press.line),
            Given::Command(at) => (*at, 4),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Asked,
    TimedOut,
    OtherPress,
    Command,
    ClockRuns,
}

/// What the loop tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// A press of the game, with its stamp.
    Press(usize, u64),
    /// Both players have stopped the clock.
    Stop(u64),
    Phase(u64, Phase),
    BarBegan(u64),
    BarEnded,
    Held(u64),
    /// The instant, and whether the players' buttons opened the menu.
    Opened(u64, bool),
    Closed(Why, u64),
}

/// A press, or two presses, for which the clock waits.
#[derive(Clone, Debug)]
struct Waiting {
    /// The one or two presses of the gesture. The last one is the later one.
    held: Vec<Press>,
    /// Those of them that are not decided.
    undecided: Vec<Press>,
    has_bar: bool,
}

impl Waiting {
    fn begins(&self) -> u64 {
        self.held[self.held.len() - 1].down
    }

    fn ends(&self) -> u64 {
        self.held.iter().map(|press| press.up).min().unwrap()
    }

    fn opens(&self) -> bool {
        self.held.len() == 2 || self.held[0].line == CALL
    }
}

#[derive(Clone, Debug)]
enum Stage {
    Closed,
    Waiting(Waiting),
    Held(Waiting),
    Open(Waiting, u64),
}

/// What happens without a press.
#[derive(Clone, Copy, Debug)]
enum Due {
    Stop,
    Bar,
    Decide,
    Hold,
    Open,
    Close,
    GoOn,
}

pub struct Model {
    pub wiring: Wiring,
    /// Whether nobody has the arbiter's authority.
    pub nobody: bool,
    pub is_hung: bool,
    pub clock: Clock,
    pub game: Vec<Told>,
    pub menu: Vec<Told>,
    /// The presses of the open menu, and whether they count there: all buttons that opened it are
    /// up. With each the instant at which the menu closes.
    pub of_menu: Vec<(Press, bool, u64)>,
    stage: Stage,
    /// The latest press of each player that the game got, with the clock before it.
    latest: [Option<(Press, Clock)>; 2],
    /// Changes that make a command of the arbiter stale.
    changes: u32,
}

impl Model {
    pub fn new(wiring: Wiring, nobody: bool, is_hung: bool, clock: Clock) -> Model {
        Model {
            wiring,
            nobody,
            is_hung,
            clock,
            game: Vec::new(),
            menu: Vec::new(),
            of_menu: Vec::new(),
            stage: Stage::Closed,
            latest: [None; 2],
            changes: 0,
        }
    }

    pub fn play(&mut self, mut given: VecDeque<Given>) {
        loop {
            let next = given.front().map(|given| given.key().0);
            match (self.due(), next) {
                (Some((at, due)), next) if next.is_none_or(|next| at <= next) => self.act(at, due),
                (_, Some(_)) => match given.pop_front().unwrap() {
                    Given::Press(press) => self.press(press),
                    Given::Command(at) => self.command(at),
                    Given::Leave(at) => self.close(Why::Asked, at),
                },
                (None, None) => return,
                (Some(_), None) => unreachable!(),
            }
        }
    }

    /// What is due next, without a press.
    fn due(&self) -> Option<(u64, Due)> {
        let stop = self.both_held().map(|(at, _)| (at, Due::Stop));
        let menu = match &self.stage {
            Stage::Closed => None,
            Stage::Waiting(waiting) => {
                let (begins, ends) = (waiting.begins(), waiting.ends());
                Some(if waiting.opens() && !waiting.has_bar && ends >= begins + BAR {
                    (begins + BAR, Due::Bar)
                } else if !waiting.opens() && ends >= begins + TOGETHER {
                    (begins + TOGETHER, Due::Decide)
                } else if ends < begins + HOLD {
                    (ends + RELEASED, Due::Decide)
                } else {
                    (begins + HOLD, Due::Hold)
                })
            }
            Stage::Held(waiting) => {
                let latest = waiting.begins() + HOLD + LET_GO_WITHIN;
                Some(match waiting.ends() <= latest {
                    true => (waiting.ends() + RELEASED, Due::Open),
                    false => (latest + 1, Due::Close),
                })
            }
            Stage::Open(_, at) => self.is_hung.then_some((at + FORGOTTEN, Due::Close)),
        };
        let goes_on = self.clock.goes_on.map(|at| (at, Due::GoOn));
        [stop, menu, goes_on].into_iter().flatten().min_by_key(|(at, _)| *at)
    }

    fn act(&mut self, at: u64, due: Due) {
        match (due, std::mem::replace(&mut self.stage, Stage::Closed)) {
            (Due::Stop, stage) => {
                self.stage = stage;
                self.stop_together(at);
            }
            (Due::GoOn, stage) => {
                self.stage = stage;
                self.go_on(at);
            }
            (Due::Bar, Stage::Waiting(waiting)) => {
                self.menu.push(Told::BarBegan(waiting.begins()));
                self.stage = Stage::Waiting(Waiting { has_bar: true, ..waiting });
            }
            (Due::Decide, Stage::Waiting(waiting)) => self.decide(waiting),
            (Due::Hold, Stage::Waiting(waiting)) => {
                self.menu.push(Told::Held(at));
                if waiting.held.len() == 2 {
                    self.latest = [None; 2];
                }
                self.stage = Stage::Held(waiting);
            }
            (Due::Open, Stage::Held(waiting)) => {
                let ends = waiting.ends();
                self.menu.push(Told::Opened(ends, waiting.held.len() == 2));
                self.stage = Stage::Open(waiting, ends);
            }
            (Due::Close, stage) => {
                self.stage = stage;
                self.close(Why::TimedOut, at);
            }
            (due, stage) => panic!("{due:?} in {stage:?}"),
        }
    }

    fn press(&mut self, press: Press) {
        match std::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::Closed => {}
            Stage::Open(waiting, at) => {
                let counts = waiting.held.iter().all(|held| held.up <= press.down);
                self.of_menu.push((press, counts, u64::MAX));
                self.stage = Stage::Open(waiting, at);
                return;
            }
            held @ Stage::Held(_) => {
                self.stage = held;
                self.close(Why::OtherPress, press.down);
            }
            Stage::Waiting(waiting) => {
                let first = waiting.held[0];
                let is_second = !waiting.opens() && press.line == 1 - first.line;
                if is_second && first.up > press.down {
                    let both = vec![first, press];
                    let (held, undecided) = (both.clone(), both);
                    self.stage = Stage::Waiting(Waiting { held, undecided, has_bar: false });
                    return;
                }
                self.decide(waiting);
            }
        }
        match self.waits_for(press) {
            None => self.input(press),
            Some(held) => {
                let undecided = vec![press];
                self.stage = Stage::Waiting(Waiting { held, undecided, has_bar: false });
            }
        }
    }

    /// The presses that can open the menu with this one, if the clock waits for its release.
    fn waits_for(&self, press: Press) -> Option<Vec<Press>> {
        if self.clock.phase == Phase::Running || self.clock.goes_on.is_some() {
            return None;
        }
        if press.line == CALL {
            return Some(vec![press]);
        }
        if self.wiring == Wiring::RockerAndCall {
            return None;
        }
        let nobody = self.nobody;
        let did_nothing = |(_, before): &(Press, Clock)| match before.phase {
            Phase::Running => false,
            Phase::Paused => !nobody,
            _ => true,
        };
        let first = self.latest[1 - press.line].filter(did_nothing).map(|(first, _)| first);
        match first {
            Some(first) if first.up > press.down && press.down - first.down <= LET_GO_WITHIN => {
                Some(vec![first, press])
            }
            _ => Some(vec![press]),
        }
    }

    /// The waiting presses open nothing. Without an arbiter, they are nothing at all if the bar was
    /// seen.
    fn decide(&mut self, waiting: Waiting) {
        if waiting.has_bar {
            self.menu.push(Told::BarEnded);
        }
        if !(waiting.has_bar && self.nobody) {
            waiting.undecided.iter().for_each(|press| self.input(*press));
        }
    }

    fn close(&mut self, why: Why, at: u64) {
        match std::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::Held(_) => {}
            Stage::Open(..) => {
                self.latest = [None; 2];
                let open = self.of_menu.iter_mut().filter(|(_, _, closed)| *closed == u64::MAX);
                open.for_each(|(_, _, closed)| *closed = at);
            }
            other => {
                self.stage = other;
                return;
            }
        }
        self.menu.push(Told::Closed(why, at));
    }
}
