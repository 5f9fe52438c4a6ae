//! What an imported record proposes for this clock.

use super::file::RecordFile;
use super::{SIDES, SideReading};
use clock_dbus::{Phase, Proposal, Source, Who};
use clock_engine::text::ControlFile;
use clock_engine::{Control, Method, Side};

/// The game as it stood after the last entry, as a proposal.
///
/// The number that the other clock showed is taken over. In the phase `over` the game is paused here, without
/// its result: an arbiter who imports it wants it to go on.
pub fn proposal(file: &RecordFile) -> Proposal {
    let (game, last) = (&file.record.game, file.last());
    let state = &last.state;
    let begun = has_begun(file);
    let control = control(file);
    let time = |who| main_time(control.as_ref(), who, state.side(who).expect("a player"));
    let [white, black] = SIDES.map(overtime_of(state));
    Proposal {
        begun: Some(begun),
        source: Some(Source {
            machine: game.machine.clone(),
            game: game.game,
            chain: last.chain.clone(),
        }),
        time_control: Some(game.control.clone()),
        time_control_file: Some(game.control_text.clone()),
        white_player: Some(game.white.clone()),
        black_player: Some(game.black.clone()),
        force: None,
        rules: Some(game.rules.clone()),
        start_at_realtime_nsec: None,
        captain_plays: match game.captain_plays.as_str() {
            "white" => Some(Who::White),
            "black" => Some(Who::Black),
            _ => None,
        },
        present_arbiter: Some(game.present_arbiter.clone()).filter(|name| !name.is_empty()),
        white_time_nsec: Some(time(Who::White)),
        black_time_nsec: Some(time(Who::Black)),
        white_moves: Some(state.white.moves),
        black_moves: Some(state.black.moves),
        white_period: Some(state.white.period),
        black_period: Some(state.black.period),
        white_overtime_periods: white.0,
        white_overtime_moves: white.1,
        black_overtime_periods: black.0,
        black_overtime_moves: black.1,
        // Before the start it is White's turn.
        on_move: Some(state.on_move).filter(|who| begun && *who != Who::Nobody),
    }
}

/// Whether White's clock was ever started. A game can be over before.
pub fn has_begun(file: &RecordFile) -> bool {
    file.record.entries.iter().any(|entry| entry.state.phase == Phase::Running)
        || !matches!(file.last().state.phase, Phase::Ready | Phase::Over)
}

/// The time control of the record, if its text is one.
pub fn control(file: &RecordFile) -> Option<Control> {
    ControlFile::parse(&file.record.game.control_text).ok().map(|file| file.control)
}

/// The main time with which this clock shows the same number: with Bronstein the delay of the turn, which
/// begins anew here, is part of it.
fn main_time(control: Option<&Control>, who: Who, side: &SideReading) -> u64 {
    let engine = if who == Who::Black { Side::Black } else { Side::White };
    let method = control.and_then(|control| {
        let periods = control.periods();
        let index = usize::try_from(side.period.checked_sub(1)?).ok()?;
        // Of a control whose last period repeats, every later one is like it.
        Some(periods.get(index).or(periods.last())?.method[engine])
    });
    match method {
        Some(Method::Bronstein(delay)) if !side.out_of_time => {
            side.remaining_ns.saturating_sub(delay.as_nanos())
        }
        _ => side.remaining_ns,
    }
}

/// What is left of a side's overtime. After the final flag nothing is.
fn overtime_of(state: &super::Reading) -> impl Fn(Who) -> (Option<u32>, Option<u32>) {
    |who| {
        let Some(side) = state.side(who).filter(|side| !side.out_of_time) else {
            return (None, None);
        };
        let some = |left: Option<u32>| left.filter(|left| *left > 0);
        (some(side.overtime_periods), some(side.overtime_moves))
    }
}

#[cfg(test)]
mod tests {
    use super::proposal;
    use crate::record::file::read;
    use clock_dbus::{Phase, Who};

    fn game() -> crate::record::file::RecordFile {
        read(include_bytes!("../../tests/record/game.json")).unwrap()
    }

    #[test]
    fn the_last_entry_is_proposed_with_its_source() {
        let file = game();
        let made = proposal(&file);
        let source = made.source.clone().unwrap();
        assert_eq!((source.machine.as_str(), source.game), ("fedcba9876543210fedcba9876543210", 3));
        assert_eq!(source.chain, file.last().chain);
        assert_eq!((made.begun, made.on_move), (Some(true), Some(Who::Black)));
        assert_eq!((made.white_moves, made.black_moves), (Some(5), Some(4)));
        assert_eq!((made.white_time_nsec, made.black_time_nsec), (Some(365_000_000_000), Some(0)));
        assert_eq!((made.white_period, made.rules.as_deref()), (Some(1), Some("fide-2023")));
        assert!(made.time_control_file.unwrap().contains("increment"));
        assert_eq!(made.force, None);
    }

    #[test]
    fn a_game_before_its_start_has_nobody_on_move() {
        let mut file = game();
        file.record.entries.truncate(1);
        let made = proposal(&file);
        assert_eq!((made.begun, made.on_move), (Some(false), None));
        // A game that was decided before its start, for example by default.
        file.record.entries[0].state.phase = Phase::Over;
        assert_eq!(proposal(&file).begun, Some(false));
    }

    #[test]
    fn with_bronstein_the_number_shown_stays() {
        let mut file = game();
        file.record.game.control_text =
            "name = \"x\"\n[[period]]\ntime = \"1:00:00\"\nbronstein = \"5s\"\n".to_owned();
        let last = file.record.entries.last_mut().unwrap();
        last.state.black.remaining_ns = 3_000_000_000;
        last.state.black.out_of_time = false;
        let made = proposal(&file);
        assert_eq!((made.white_time_nsec, made.black_time_nsec), (Some(360_000_000_000), Some(0)));
    }

    #[test]
    fn overtime_is_taken_over_until_the_final_flag() {
        let mut file = game();
        let state = &mut file.record.entries.last_mut().unwrap().state;
        for side in [&mut state.white, &mut state.black] {
            (side.overtime_periods, side.overtime_moves) = (Some(2), Some(7));
        }
        let made = proposal(&file);
        assert_eq!((made.white_overtime_periods, made.white_overtime_moves), (Some(2), Some(7)));
        assert_eq!((made.black_overtime_periods, made.black_overtime_moves), (None, None));
    }
}
