//! The games that the scripts are played on.

use crate::law_file::GameSetup;
use clock_controls::Library;
use clockctl::simulate::Game;
use std::path::Path;

/// A new game.
pub fn new(setup: &GameSetup) -> Result<Game, String> {
    let control = Library::default().resolve(&setup.control, Path::new(""));
    let control = control.map_err(|error| error.to_string())?;
    Ok(Game::new(control.control))
}
