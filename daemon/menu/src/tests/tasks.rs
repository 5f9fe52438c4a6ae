//! The tasks of an evening at the clock, as data: `presses.rs` plays them in virtual time, and
//! `tests/tests/bus/menu_counts.rs` with the real programs.

/// What the players have before them. The game has no arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// The game of 5+3 that the clock starts with.
    PowerOn,
    /// A game of 3+2 that is set up.
    Ready,
    /// The same while White's clock runs.
    Running,
    /// A game in which White's flag has fallen.
    Flag,
    /// The same after both players have entered that White has lost.
    Over,
}

/// How the buttons are wired. The value is the index in [`Task::keys`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    ButtonsAndCall,
    Buttons,
    RockerAndCall,
}

impl Board {
    pub const ALL: [Board; 3] = [Board::ButtonsAndCall, Board::Buttons, Board::RockerAndCall];
}

/// What is true when a task is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// White's clock runs in a new game of this control.
    Runs(&'static str),
    /// White's clock runs in a new game of the same control. The value says whether the buttons are
    /// exchanged.
    Again(bool),
    /// White's clock runs on.
    GoesOn,
    /// White's clock runs on with 2 minutes more.
    TwoMinutesMore,
    /// Black has won.
    BlackWins,
    /// The sound is off.
    NoSound,
}

pub struct Task {
    pub name: &'static str,
    pub begin: Begin,
    pub goal: Goal,
    /// For each [`Board`], the most presses and holds that are allowed, and the keys:
    ///
    /// | key | |
    /// |---|---|
    /// | `w`, `b`, `c` | a press of the button that is wired as White's, Black's or call; a throw of a rocker |
    /// | `C`, `B` | the call button, or the buttons of both players, held for the menu |
    /// | `S` | the buttons of both players, held to stop the clock |
    pub keys: [(usize, &'static str); 3],
    /// The presses with the call button before the first page had tiles.
    pub before: usize,
    /// Those of a DGT 3000 as its manual describes it; `None` if it has no such task.
    pub dgt: Option<usize>,
}

/// What a task takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// All presses, held ones too.
    pub presses: usize,
    /// How many of them are held.
    pub holds: usize,
    /// For how long they are held in all, in milliseconds.
    pub held_ms: u32,
}

impl Task {
    /// What this task takes on this board.
    pub fn counts(&self, board: Board) -> Counts {
        let (_, keys) = self.keys[board as usize];
        // The shipped hold of the menu, and the hold that stops a clock.
        let held = |key| match key {
            'C' | 'B' => 1500,
            'S' => 1000,
            _ => 0,
        };
        let presses = || keys.chars().filter(|key| *key != ' ');
        Counts {
            presses: presses().count(),
            holds: presses().filter(|key| held(*key) > 0).count(),
            held_ms: presses().map(held).sum(),
        }
    }

    /// The counts as a line of text.
    pub fn line(&self, board: Board) -> String {
        let Counts { presses, holds, held_ms } = self.counts(board);
        let (most, _) = self.keys[board as usize];
        let dgt = self.dgt.map_or("-".to_owned(), |dgt| dgt.to_string());
        format!(
            "{board:14?} {presses:2} presses (at most {most:2}), {holds} of them held, for {:.1} s in all; \
             before {:2}, DGT 3000 {dgt:>2}: {}",
            f64::from(held_ms) / 1000.0,
            self.before,
            self.name
        )
    }
}

pub const TASKS: [Task; 8] = [
    Task {
        name: "3+2 after power-on, until White's clock runs",
        begin: Begin::PowerOn,
        goal: Goal::Runs("3+2"),
        keys: [(6, "C c w c b"), (4, "B w b b"), (4, "C c c b")],
        before: 6,
        dgt: Some(12),
    },
    Task {
        name: "the same again",
        begin: Begin::Over,
        goal: Goal::Again(false),
        keys: [(2, "C b"), (2, "B b"), (4, "C c w b")],
        before: 4,
        dgt: Some(3),
    },
    Task {
        name: "a rematch with the sides exchanged",
        begin: Begin::Over,
        goal: Goal::Again(true),
        keys: [(3, "C w"), (3, "B B b"), (5, "C w b c w")],
        before: 5,
        dgt: Some(5),
    },
    Task {
        name: "stop and go on",
        begin: Begin::Running,
        goal: Goal::GoesOn,
        keys: [(2, "c c"), (3, "S w b"), (2, "c c")],
        before: 3,
        dgt: Some(2),
    },
    Task {
        name: "White + 2 minutes, from running to running",
        begin: Begin::Running,
        goal: Goal::TwoMinutesMore,
        keys: [(9, "c C c b b C w b c"), (11, "S B B b ww B w b w b"), (10, "c C w c bw C bw c")],
        before: 20,
        dgt: Some(16),
    },
    Task {
        name: "the result after a flag, both agreeing",
        begin: Begin::Flag,
        goal: Goal::BlackWins,
        keys: [(6, "C b w b"), (4, "B b w b"), (4, "C c w b")],
        before: 9,
        dgt: None,
    },
    Task {
        name: "an own control, 45+15",
        begin: Begin::Ready,
        goal: Goal::Runs("45+15"),
        keys: [
            (24, "C c ww c bbbb c c b c bb c c c b"),
            (32, "B w wwwwwwwwwwwww b wwww bb w b ww b b b b"),
            (32, "C c bwbwbwbwbwbwb c wbwb cc w c bw c c c b"),
        ],
        before: 33,
        dgt: Some(30),
    },
    Task {
        name: "sound off",
        begin: Begin::Ready,
        goal: Goal::NoSound,
        keys: [(4, "C C c C"), (5, "B B w b B"), (4, "C C c C")],
        before: 7,
        dgt: Some(1),
    },
];
