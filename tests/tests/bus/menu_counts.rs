//! How many presses the tasks of an evening take, through the real programs: two players press only
//! the simulated buttons, on the shipped configuration with its hold of 1.5 s.

#[path = "../../../daemon/menu/src/tests/tasks.rs"]
mod tasks;

use super::menu::Table;
use super::menu_boards::wiring;
use super::*;
use clock_dbus::{MenuHint, MenuPage, MenuState};
use tasks::{Begin, Board, Goal, TASKS, Task};

const SECOND: u64 = 1_000_000_000;
/// The order in which the buttons of both players go down. Black's press alone would start a game.
const BOTH: [&str; 2] = ["black", "white"];
/// The number of the page that is shown until a command is answered.
const ONE_MOMENT: u32 = 34;

/// What a press changes on a page. The texts above the choices are not part of it, because they turn
/// by themselves.
type Shown = (MenuState, u32, Vec<String>, (String, String), Vec<MenuHint>);

fn shown(page: &MenuPage) -> Shown {
    let lines = match page.chosen {
        Some(at) => page.lines.get(at as usize).into_iter().cloned().collect(),
        // On the page on which both players agree, each has a line at the top.
        None => page.lines.iter().take(2).cloned().collect(),
    };
    (page.state, page.number, lines, page.times.clone(), page.hints.clone())
}

/// The control of the game with which a task begins. Where White's flag has fallen, each player had
/// only 1 s.
fn control(begin: Begin) -> &'static str {
    match begin {
        Begin::PowerOn => "5+3",
        Begin::Ready | Begin::Running => "3+2",
        Begin::Flag | Begin::Over => "G/1s",
    }
}

/// Whether White's clock runs, or has run until the flag fell.
fn has_started(state: &State) -> bool {
    [state.running, state.first_flag].contains(&Who::White)
}

/// The players, and the buttons that they press.
struct Players {
    table: Table,
    board: Board,
    /// The state when the clocks were stopped last.
    stopped: Option<State>,
}

impl Players {
    /// A clock with what a task begins with.
    async fn at(begin: Begin, board: Board) -> Players {
        let wiring = match board {
            Board::ButtonsAndCall => wiring("buttons", true),
            Board::Buttons => wiring("buttons", false),
            Board::RockerAndCall => wiring("rocker", true),
        };
        let hold = "hold = '1500ms'";
        let table = match begin {
            Begin::PowerOn => Table::on_board(hold, &wiring).await,
            _ => Table::with_game_on_board([control(begin), "players-agree"], hold, &wiring).await,
        };
        let mut players = Players { table, board, stopped: None };
        if board == Board::RockerAndCall {
            players.press('w');
        }
        if matches!(begin, Begin::Running | Begin::Flag | Begin::Over) {
            players.press('b');
            players.table.state_when("the start", has_started).await;
        }
        if matches!(begin, Begin::Flag | Begin::Over) {
            let has_fallen = |state: &State| state.first_flag == Who::White;
            players.table.state_when("the flag", has_fallen).await;
        }
        if begin == Begin::Over {
            let result = TASKS.iter().find(|task| task.begin == Begin::Flag).unwrap();
            players.play(result.keys[board as usize].1).await;
            players.assert_done(begin, result.goal).await;
        }
        players
    }

    /// Presses a button, or throws the rocker.
    fn press(&mut self, key: char) {
        let button = match key {
            'w' => "white",
            'b' => "black",
            _ => "call",
        };
        match (self.board, key) {
            (Board::RockerAndCall, 'w' | 'b') => {
                // A throw stays down until the rocker is thrown to the other side.
                let other = if key == 'w' { "black" } else { "white" };
                self.table.up(&[other]);
                self.table.down(&[button]);
            }
            _ => _ = self.table.buttons.tap(button).unwrap(),
        }
    }

    /// Plays these keys. Waits for what each of them changes before the next one.
    async fn play(&mut self, keys: &str) {
        for key in keys.chars().filter(|key| *key != ' ') {
            match (key, self.table.page.state) {
                ('C', MenuState::Closed) => self.table.open_with(&["call"]).await,
                ('B', MenuState::Closed) => self.table.open_with(&BOTH).await,
                ('S', _) => {
                    self.table.down(&BOTH);
                    self.stop().await;
                    self.table.up(&BOTH);
                }
                (_, MenuState::Closed) => self.press_in_game(key).await,
                _ => self.press_in_menu(key).await,
            }
        }
    }

    /// Waits until the clocks stand.
    async fn stop(&mut self) {
        let is_paused = |state: &State| state.phase == Phase::Paused;
        self.stopped = Some(self.table.state_when("the stop", is_paused).await);
    }

    async fn press_in_game(&mut self, key: char) {
        let stops = key == 'c' && self.table.state().await.phase == Phase::Running;
        self.press(key);
        if stops {
            self.stop().await;
        }
    }

    async fn press_in_menu(&mut self, key: char) {
        let held: &[&str] = match key {
            'C' => &["call"],
            'B' => &BOTH,
            _ => &[],
        };
        self.table.down(held);
        let before = shown(&self.table.page);
        if held.is_empty() {
            self.press(key);
        }
        let is_next = |page: &MenuPage| shown(page) != before && page.number != ONE_MOMENT;
        self.table.page_when("the next page", is_next).await;
        self.table.up(held);
    }

    /// Asserts that a task is done.
    async fn assert_done(&self, begin: Begin, goal: Goal) {
        assert_eq!(self.table.page.state, MenuState::Closed, "{:?}", self.table.page);
        let stopped = self.stopped.as_ref().map_or(0, |state| state.white.remaining_nsec);
        let is_done = |state: &State| {
            let game = (&*state.time_control, state.buttons_exchanged);
            let moves = (state.white.moves, state.black.moves);
            let is_new = has_started(state) && state.result.is_empty() && moves == (0, 0);
            match goal {
                Goal::Runs(control) => is_new && game == (control, false),
                Goal::Again(exchanged) => is_new && game == (control(begin), exchanged),
                Goal::GoesOn => has_started(state) && state.white.remaining_nsec == stopped,
                Goal::TwoMinutesMore => {
                    // The exact form has whole seconds.
                    let added = state.white.remaining_nsec.saturating_sub(stopped);
                    has_started(state) && added.abs_diff(120 * SECOND) < SECOND
                }
                Goal::BlackWins => state.result == "0-1",
                Goal::NoSound => true,
            }
        };
        self.table.state_when("the goal", is_done).await;
        assert_eq!(self.table.settings().await.sound, goal != Goal::NoSound);
    }
}

/// Plays a task on a clock of its own.
async fn play(task: &Task, board: Board) {
    let mut players = Players::at(task.begin, board).await;
    players.play(task.keys[board as usize].1).await;
    players.assert_done(task.begin, task.goal).await;
}

#[test]
fn the_tasks_of_an_evening_take_so_many_presses() {
    for board in Board::ALL {
        // A hold takes 1.5 s, so all tasks of a board are played at the same time.
        std::thread::scope(|scope| {
            for task in &TASKS {
                let name = format!("{board:?}: {}", task.name);
                let thread = std::thread::Builder::new().name(name);
                let play = move || {
                    let mut runtime = tokio::runtime::Builder::new_current_thread();
                    runtime.enable_all().build().unwrap().block_on(play(task, board));
                };
                thread.spawn_scoped(scope, play).unwrap();
            }
        });
        for task in &TASKS {
            println!("{}", task.line(board));
            assert!(task.counts(board).presses <= task.keys[board as usize].0, "{}", task.name);
        }
    }
}
