//! For the tests: a record that answers with functions, and an update of the clock loop.

use super::{BetweenPages, Game, ReadError, ReadRecord, Row, Turns};
use clock_engine::{Clock, Control, EarlierClock, Instant, Method, Span, rules};
use clockd_rt::{Cause, Update};

/// A record that answers each read with a function. A read without a function fails the test.
pub struct FakeRecord {
    /// The argument is the number of the game before which the games are listed.
    pub games: Box<dyn FnMut(u64) -> Vec<Game> + Send>,
    pub game: Box<dyn FnMut() -> Result<Option<Game>, ReadError> + Send>,
    /// The arguments are the number of the first entry and the number of entries.
    pub entries: Box<dyn FnMut(u64, usize) -> Vec<Row> + Send>,
}

impl Default for FakeRecord {
    fn default() -> FakeRecord {
        FakeRecord {
            games: Box::new(|_| unreachable!("the test does not list games")),
            game: Box::new(|| unreachable!("the test does not read a game")),
            entries: Box::new(|_, _| unreachable!("the test does not read entries")),
        }
    }
}

impl ReadRecord for FakeRecord {
    fn games(&mut self, before: u64, _: usize) -> Result<Vec<Game>, ReadError> {
        Ok((self.games)(before))
    }

    fn game(&mut self, _: u64) -> Result<Option<Game>, ReadError> {
        (self.game)()
    }

    fn entries(&mut self, _: u64, first: u64, count: usize) -> Result<Vec<Row>, ReadError> {
        Ok((self.entries)(first, count))
    }

    fn clock_after(
        &mut self,
        _: u64,
        _: &mut dyn BetweenPages,
    ) -> Result<Option<EarlierClock>, ReadError> {
        unreachable!("no test replays")
    }

    fn game_after(
        &mut self,
        _: u64,
        _: u64,
        _: &mut dyn BetweenPages,
    ) -> Result<Option<rules::Game>, ReadError> {
        unreachable!("no test replays")
    }

    fn turns(&mut self, _: u64, _: &mut dyn BetweenPages) -> Result<Option<Turns>, ReadError> {
        unreachable!("no test replays")
    }
}

/// An update with this cause, at 5 ns, of a game that has not begun.
pub fn update(cause: Cause) -> Update {
    let at = Instant::from_nanos(5);
    let clock = Clock::new(Control::single(Span::from_secs(60), Method::None), at);
    Update::new(cause, at, clock.view(at), 1)
}
