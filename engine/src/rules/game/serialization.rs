//! The serialised form of a game. What is read is checked, so that every later call finds a state
//! that the game could be in.

use super::{Game, check_control};
use crate::rules::rate::rate_of_play;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Game::serialize(self, to)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Game, D::Error> {
        let game = Game::deserialize(from)?;
        let Game {
            // Not checked here: `Clock` checks the clock when it is read.
            clock,
            profile,
            rate,
            mut facts,
            // Every value is possible.
            own_after_flag: _,
            buttons_exchanged: _,
            // Events are not serialised.
            events: _,
        } = game;
        if let Some(profile) = &profile {
            check_control(profile, clock.control()).map_err(D::Error::custom)?;
        }
        if rate != rate_of_play(clock.control()) {
            return Err(D::Error::custom("the rate of play is not that of the time control"));
        }
        let (last, mut late) = (clock.last(), false);
        facts.for_each_instant(|at| late |= *at > last);
        // A session may start later than `last`.
        facts.session_start = None;
        facts.for_each_signed_instant(|at| late |= *at > last.into());
        if late {
            return Err(D::Error::custom(
                "an instant of the game is later than the last one that was handled",
            ));
        }
        Ok(game)
    }
}
