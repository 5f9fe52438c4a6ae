//! A game in virtual time, through the public interface alone.

use clock_engine::text::preset;
use clock_engine::{Clock, Command, EventKind, Instant, Phase, Side, SideView};

pub const SECOND: u64 = 1_000_000_000;

/// The text for `expect` on the results of the clock's methods. No call is refused, because the
/// instants never decrease and every command is allowed in its phase.
const FORWARD: &str = "accepted";

pub struct Game {
    pub clock: Clock,
    now: Instant,
}

impl Game {
    /// A game with the shipped control of this name, before the start.
    pub fn of(name: &str) -> Game {
        let preset = preset(name).unwrap_or_else(|| panic!("{name} is not shipped"));
        Game { clock: Clock::new(preset.read().control, Instant::ZERO), now: Instant::ZERO }
    }

    /// A game with the shipped control of this name, in which White's clock was started at 0.
    pub fn started(name: &str) -> Game {
        let mut game = Game::of(name);
        game.clock.handle_command(Command::Start, Instant::ZERO).expect(FORWARD);
        game
    }

    pub fn phase(&self) -> Phase {
        self.clock.phase()
    }

    pub fn running(&self) -> Option<Side> {
        self.clock.view(self.now).running()
    }

    pub fn side(&self, side: Side) -> SideView {
        self.clock.view(self.now).sides[side]
    }

    /// What both sides show, as the table writes it.
    pub fn readings(&self) -> String {
        let [white, black] = Side::BOTH.map(|side| {
            let side_view = self.side(side);
            let delay = side_view.delay.as_nanos();
            assert_eq!(delay % SECOND, 0);
            let delay = if delay > 0 { format!("+{}", delay / SECOND) } else { String::new() };
            format_time(side_view.remaining.as_nanos()) + &delay
        });
        format!("{white} {black}")
    }

    /// Waits as the clock loop does, with a call at every due instant.
    pub fn wait_until(&mut self, at: Instant) {
        self.now = at;
        while let Some(due) = self.clock.poll_timeout().filter(|due| *due < at) {
            self.clock.handle_timeout(due).expect(FORWARD);
        }
        self.clock.handle_timeout(at).expect(FORWARD);
    }

    pub fn wait(&mut self, nanos: u64) {
        self.wait_until(Instant::from_nanos(self.now.as_nanos() + nanos));
    }

    /// Waits for this time, and then presses the button of a side. Returns whether the press
    /// completed a move.
    pub fn press_after(&mut self, nanos: u64, side: Side) -> bool {
        self.wait(nanos);
        let moves = self.side(side).moves;
        self.clock.handle_press(side, self.now).expect(FORWARD);
        self.side(side).moves > moves
    }

    pub fn resume(&mut self) {
        self.clock.handle_command(Command::Resume { side: None }, self.now).expect(FORWARD);
    }

    /// Takes the events and returns all but the presses: `w2` is White in period 2, `b-flag`
    /// Black's flag, `gong-b` the start of Black's slice, `w-over-5` White in overtime with five
    /// periods left.
    pub fn take_events(&mut self) -> Vec<String> {
        let letter = |side: Side| &side.as_str()[..1];
        let events = std::iter::from_fn(|| self.clock.poll_event());
        events
            .filter_map(|event| match event.kind {
                EventKind::Period { side, period } => Some(format!("{}{period}", letter(side))),
                EventKind::Flag { side, .. } => Some(format!("{}-flag", letter(side))),
                EventKind::Gong { side } => Some(format!("gong-{}", letter(side))),
                EventKind::Overtime { side, periods_left } => {
                    Some(format!("{}-over-{periods_left}", letter(side)))
                }
                EventKind::Press { .. } | EventKind::Call { .. } => None,
            })
            .collect()
    }
}

/// Writes a time as `h:mm:ss`. Panics if it is not a whole number of seconds.
pub fn format_time(nanos: u64) -> String {
    assert_eq!(nanos % SECOND, 0, "{nanos} ns");
    let seconds = nanos / SECOND;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
