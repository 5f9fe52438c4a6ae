//! Rewinds and missing entries. The replay of the turns is tested with the engine.

use super::*;
use clock_engine::rules::{Session, Setup};
use clock_engine::{Caller, Command, Method, Side, Span};

fn control(method: fn(Span) -> Method, seconds: u64) -> Control {
    Control::single(Span::from_secs(30 * 60), method(Span::from_secs(seconds)))
}

fn at(seconds: u64) -> Instant {
    Instant::from_nanos(seconds * 1_000_000_000)
}

/// A game and its turns, as they are collected from its entries.
struct Table {
    game: Game,
    turns: Turns,
}

impl Table {
    fn new() -> Table {
        let control = control(Method::Delay, 5);
        let setup = Setup { control, profile: None, session: Session::Unknown, force: false };
        let game = Game::new(&setup, Instant::ZERO).unwrap();
        let mut table = Table { game, turns: Turns::begin(game, [TurnEvent::Begun]) };
        table.command(Command::Start, 0);
        table
    }

    fn press(&mut self, side: Side, seconds: u64) {
        self.game.handle_press(side, at(seconds)).unwrap();
        self.turns.add(None, &self.game, self.game.last());
    }

    fn command(&mut self, command: impl Into<GameCommand>, seconds: u64) {
        let command = command.into();
        self.game.handle_command(command, at(seconds)).unwrap();
        self.turns.add(Some(&command), &self.game, self.game.last());
    }

    /// The seconds of White and Black after a change to 30+5 in which the turns are played again, or
    /// why it was refused.
    fn recomputed(&self) -> Result<(u64, u64), String> {
        let control = control(Method::Increment, 5);
        let (mut game, recompute) = (self.game, self.turns.recompute(&control));
        let change = GameCommand::ChangeTimeControl { control, recompute, schedule_suffers: false };
        game.handle_command(change, game.last()).map_err(|refused| refused.to_string())?;
        let left =
            game.view(game.last()).sides.map(|side| side.remaining.as_nanos() / 1_000_000_000);
        Ok((left.white, left.black))
    }
}

const PAUSE: Command = Command::Pause { by: Caller::Arbiter };

#[test]
fn a_rewind_removes_the_turns_after_the_move_also_from_an_earlier_boot() {
    let mut table = Table::new();
    table.press(Side::White, 30);
    let mut earlier = EarlierClock::from(&table.game);
    table.press(Side::Black, 33);
    table.press(Side::White, 100);
    table.command(PAUSE, 110);
    assert_eq!(table.recomputed(), Ok((1718, 1797)));
    earlier.handle_power_cut(at(200), at(5));
    table.command(GameCommand::Rewind(earlier), 120);
    assert_eq!(table.recomputed(), Ok((1780, 1805)), "White has made one move");
    // The game goes on from there.
    table.command(Command::Resume { side: None }, 120);
    table.press(Side::Black, 130);
    table.command(PAUSE, 130);
    assert_eq!(table.recomputed(), Ok((1780, 1800)));
    // A rewind to a state before a correction makes the turns known again.
    table.command(Command::Set(moves(7)), 130);
    let refused = table.recomputed().unwrap_err();
    assert!(refused.contains("was corrected in this game"), "{refused}");
    table.command(GameCommand::Rewind(earlier), 140);
    assert_eq!(table.recomputed(), Ok((1780, 1805)));
}

fn moves(white: u32) -> clock_engine::Correction {
    let mut correction = clock_engine::Correction::default();
    correction.moves.white = Some(white);
    correction
}

#[test]
fn a_rewind_to_an_unknown_state_and_missing_entries_make_the_turns_unknown() {
    let mut table = Table::new();
    table.press(Side::White, 30);
    table.command(PAUSE, 40);
    let mut other = Table::new();
    other.press(Side::White, 31);
    table.command(GameCommand::Rewind(EarlierClock::from(&other.game)), 40);
    let refused = table.recomputed().unwrap_err();
    assert!(refused.contains("a move whose turns are not on record"), "{refused}");

    let mut table = Table::new();
    table.press(Side::White, 30);
    table.turns.add_gap(&table.game);
    table.command(PAUSE, 40);
    assert_eq!(table.recomputed(), Ok((1780, 1795)), "nothing is missing");
    table.game.handle_command(Command::Resume { side: None }.into(), at(40)).unwrap();
    table.game.handle_press(Side::Black, at(50)).unwrap();
    table.turns.add_gap(&table.game);
    table.command(PAUSE, 60);
    let refused = table.recomputed().unwrap_err();
    assert!(refused.contains("entries of this game are missing in the record"), "{refused}");
}

#[test]
fn the_largest_state_has_room_for_its_hash() {
    let game = Table::new().game;
    assert!(hash(&EarlierClock::from(&game)).is_some());
    assert!(size_of::<EarlierClock>() < MOST_BYTES, "{}", size_of::<EarlierClock>());
}
