//! The loop under the hands of the tests, with a program that shows the menu.

use super::model::{Clock, Given, Model, Press, Told, Why, Wiring};
use super::*;
use clock_engine::View;

/// The menu closes if nobody presses a button for so long. For the last [`SAYS_CLOSED`], it says so.
const IDLE: u64 = 30 * SECOND;
const SAYS_CLOSED: u64 = 2 * SECOND;

fn phase(phase: Phase) -> model::Phase {
    match phase {
        Phase::Ready => model::Phase::Ready,
        Phase::Running => model::Phase::Running,
        Phase::Paused => model::Phase::Paused,
        Phase::Ruling => model::Phase::Ruling,
        Phase::Over => model::Phase::Over,
    }
}

/// The clock as the loop shows it.
pub fn shown(view: &View) -> Clock {
    let sides = Side::BOTH.map(|side| view.sides[side]);
    Clock {
        phase: phase(view.phase),
        on_move: usize::from(view.on_move == Side::Black),
        left: sides.map(|side| side.remaining.as_nanos()),
        moves: sides.map(|side| side.moves),
        since: view.at.as_nanos(),
        called: view.called_by.is_some(),
        stopped_by_call: view.called_by.is_some(),
        confirmed: [false; 2],
        goes_on: None,
    }
}

/// The loop, and the program that shows the menu.
pub struct Played {
    pub test: TimedLoop,
    /// How many events the program has handled.
    handled: usize,
    /// The latest press for the program.
    latest: Option<u64>,
    is_hung: bool,
    pub given: Vec<Given>,
}

impl Played {
    fn step(&mut self, now: u64) {
        self.test.step(now);
        while let Some(event) = self.test.log.events.get(self.handled).copied() {
            self.handled += 1;
            if self.is_hung {
                continue;
            }
            match event {
                MenuEvent::Opened { .. } => self.latest = Some(now),
                MenuEvent::Press(MenuPress { length: PressLength::Short, .. }) => {
                    let shows = |latest: &u64| now < latest + IDLE - SAYS_CLOSED;
                    if self.latest.is_some_and(|latest| shows(&latest)) {
                        self.latest = Some(now);
                    }
                }
                MenuEvent::Press(_) => self.leave(now),
                MenuEvent::Closed(..) => self.latest = None,
                _ => continue,
            }
            self.test.menu(MenuRequest::Acknowledge(at(now)));
        }
        if self.latest.is_some_and(|latest| now >= latest + IDLE) {
            self.leave(now);
        }
    }

    fn leave(&mut self, now: u64) {
        self.latest = None;
        self.given.push(Given::Leave(now));
        self.test.menu(MenuRequest::Close(at(now)));
    }

    fn run_to(&mut self, nanos: u64) {
        loop {
            let idle = self.latest.map(|latest| latest + IDLE);
            let next = self.test.deadline.into_iter().chain(idle).min();
            let Some(next) = next.filter(|next| *next < nanos) else { break };
            self.step(next.max(self.test.now));
        }
        self.step(nanos);
    }

    fn edge(&mut self, line: usize, nanos: u64, active: bool) {
        self.run_to(nanos);
        edge(&mut self.test.core, Button::ALL[line], nanos, active);
        self.step(nanos);
    }

    /// The arbiter stops the clock that runs, or starts the one that stands.
    fn command(&mut self, nanos: u64) {
        self.run_to(nanos);
        let update = self.test.core.update(Cause::Missed);
        let command = match update.view.phase {
            Phase::Ready => Command::Start,
            Phase::Running => Command::Pause { by: Caller::Arbiter },
            _ => Command::Resume { side: Some(update.view.on_move) },
        };
        let (revision, command) = (update.revision, command.into());
        self.test.core.request(Request { id: 9, at: at(nanos), revision, command });
        self.given.push(Given::Command(nanos));
        self.step(nanos);
    }

    /// Makes the presses and gives the commands.
    pub fn play(test: TimedLoop, presses: &[Press], commands: &[u64], is_hung: bool) -> Played {
        let mut played = Played { test, handled: 0, latest: None, is_hung, given: Vec::new() };
        let mut edges: Vec<(u64, usize, Option<bool>)> = Vec::new();
        for press in presses {
            played.given.push(Given::Press(*press));
            edges.push((press.down, press.line, Some(true)));
            if press.up < u64::MAX {
                edges.push((press.up, press.line, Some(false)));
            }
        }
        edges.extend(commands.iter().map(|nanos| (*nanos, LINES, None)));
        edges.sort_unstable();
        let end = edges.last().map_or(BEGIN, |(nanos, ..)| *nanos) + 50 * SECOND;
        for (nanos, line, active) in edges {
            match active {
                Some(active) => played.edge(line, nanos, active),
                None => played.command(nanos),
            }
        }
        played.run_to(end);
        played.given.sort_by_key(Given::key);
        played
    }

    /// What became of the game.
    pub fn game(&self) -> (Vec<Told>, Vec<Told>) {
        let inputs = self.test.log.inputs.iter().filter_map(|input| match input {
            Input::Press(button, at) => Some(Told::Press(button.index(), at.as_nanos())),
            Input::HeldTogether { at, .. } => Some(Told::Stop(at.as_nanos())),
            _ => None,
        });
        let phases = self.test.log.phases.iter();
        let phases = phases.map(|(at, found)| Told::Phase(*at, phase(*found)));
        (inputs.collect(), phases.collect())
    }

    pub fn menu(&self) -> Vec<Told> {
        let told = self.test.log.events.iter().filter_map(|event| {
            Some(match event {
                MenuEvent::HoldBegan(at) => Told::BarBegan(at.as_nanos()),
                MenuEvent::HoldEnded => Told::BarEnded,
                MenuEvent::Hold(at) => Told::Held(at.as_nanos()),
                MenuEvent::Opened { at, by_players } => Told::Opened(at.as_nanos(), *by_players),
                MenuEvent::Closed(why, at) => {
                    let why = match why {
                        MenuClosed::Asked => Why::Asked,
                        MenuClosed::TimedOut => Why::TimedOut,
                        MenuClosed::OtherPress => Why::OtherPress,
                        MenuClosed::Command => Why::Command,
                        MenuClosed::ClockRuns => Why::ClockRuns,
                        MenuClosed::BoardGone => panic!("no board goes away"),
                    };
                    Told::Closed(why, at.as_nanos())
                }
                _ => return None,
            })
        });
        told.collect()
    }

    /// Checks without the model that each press of a running game is one of the game, and that no
    /// press of the open menu is.
    pub fn check_promises(&self, start: model::Phase, presses: &[Press], say: &str) {
        let (inputs, phases) = self.game();
        let is_input = |press: &Press| inputs.contains(&Told::Press(press.line, press.down));
        let (mut phase, mut since) = (start, 0);
        for told in phases.into_iter().chain([Told::Phase(u64::MAX, start)]) {
            let Told::Phase(until, next) = told else { continue };
            let mut within = presses.iter().filter(|one| since < one.down && one.down < until);
            let all = phase != model::Phase::Running || within.all(is_input);
            assert!(all, "a press between {since} and {until} is lost to the menu; {say}");
            (phase, since) = (next, until);
        }
        let mut opened = u64::MAX;
        for told in self.menu() {
            match told {
                Told::Opened(at, _) => opened = at,
                Told::Closed(_, at) => {
                    let mut within =
                        presses.iter().filter(|one| opened <= one.down && one.down < at);
                    assert!(!within.any(is_input), "a press of the menu reaches the game; {say}");
                    opened = u64::MAX;
                }
                _ => {}
            }
        }
    }

    /// Checks the presses that the menu reported: no other than its own, each with its length, and
    /// each that counts, ends before the menu closes and meets no other one.
    pub fn check_presses(&self, model: &Model, say: &str) {
        let is_throw = |line| model.wiring == Wiring::RockerAndCall && line != CALL_LINE;
        let reported: Vec<MenuPress> = self
            .test
            .log
            .events
            .iter()
            .filter_map(|event| match event {
                MenuEvent::Press(press) => Some(*press),
                _ => None,
            })
            .collect();
        let find = |press: &Press| {
            let is_it = |one: &&MenuPress| {
                one.button.index() == press.line && one.at.as_nanos() == press.down
            };
            reported.iter().filter(is_it).collect::<Vec<_>>()
        };
        let mut found = 0;
        for (press, counts, closed) in &model.of_menu {
            let told = find(press);
            found += told.len();
            assert!(told.len() <= usize::from(*counts), "{press:?}: {told:?}; {say}");
            if let [one] = told[..] {
                let long = !is_throw(press.line) && press.up - press.down >= HOLD;
                assert_eq!(one.length != PressLength::Short, long, "{one:?}; {say}");
            }
            let meets = |(other, ..): &(Press, bool, u64)| {
                other != press && other.down < press.up && press.down < other.up
            };
            let ends = if is_throw(press.line) { press.down } else { press.up + R };
            let must = *counts && ends < *closed && !model.of_menu.iter().any(meets);
            assert!(!must || told.len() == 1, "{press:?} is not reported; {say}");
        }
        assert_eq!(found, reported.len(), "{say}");
    }
}
