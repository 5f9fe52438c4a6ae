//! What the last entry of an imported file proposes for this clock.

use super::file::RecordFile;
use clock_dbus::{ImportedFrom, Phase, Proposal, RecordedSide, Who};
use clock_engine::text::ControlFile;
use clock_engine::{Control, Method, Side};

/// The game in `file` as it stood after the last entry, as a proposal.
///
/// The times are those that the exporting clock showed, less the delay with Bronstein's method. A
/// game in the phase `over` is proposed as paused, without its result: an arbiter who imports it
/// wants it to go on.
pub fn proposal(file: &RecordFile) -> Proposal {
    let begun = has_begun(file);
    let time_control = control(file);
    let last = file.last();
    let game = &file.record.game;
    let white_side = side(time_control.as_ref(), Side::White, &last.state.white);
    let black_side = side(time_control.as_ref(), Side::Black, &last.state.black);
    Proposal {
        // `clockctl import` adds the state.
        state: None,
        begun: Some(begun),
        source: Some(ImportedFrom {
            machine: game.machine.clone(),
            game: game.game,
            chain: last.chain.clone(),
        }),
        time_control: Some(game.control.clone()),
        time_control_file: Some(game.control_text.clone()),
        white_player: Some(game.white.clone()),
        black_player: Some(game.black.clone()),
        // Without a board in the file, the game has the board of this clock.
        board: Some(game.board.clone()).filter(|board| !board.is_empty()),
        round: Some(game.round.clone()),
        event: Some(game.event.clone()),
        force: None,
        rules: Some(game.rules.clone()),
        start_at_realtime_nsec: None,
        captain_plays: match game.captain_plays.as_str() {
            "white" => Some(Who::White),
            "black" => Some(Who::Black),
            _ => None,
        },
        present_arbiter: Some(game.present_arbiter.clone()).filter(|name| !name.is_empty()),
        white_time_nsec: Some(white_side.main_time_nsec),
        black_time_nsec: Some(black_side.main_time_nsec),
        white_moves: Some(white_side.moves),
        black_moves: Some(black_side.moves),
        white_period: Some(white_side.period),
        black_period: Some(black_side.period),
        white_overtime_periods: white_side.overtime_periods,
        white_overtime_moves: white_side.overtime_moves,
        black_overtime_periods: black_side.overtime_periods,
        black_overtime_moves: black_side.overtime_moves,
        // Before the start, White is on move in any case, so the key is left out.
        on_move: Some(last.state.on_move).filter(|who| begun && *who != Who::Nobody),
    }
}

/// Whether White's clock was ever started. The phase `over` does not show it, because a game can be
/// decided before its start.
pub fn has_begun(file: &RecordFile) -> bool {
    file.record.entries.iter().any(|entry| entry.state.phase == Phase::Running)
        || !matches!(file.last().state.phase, Phase::Ready | Phase::Over)
}

/// The time control of the game in the file; `None` if its text cannot be parsed.
pub fn control(file: &RecordFile) -> Option<Control> {
    ControlFile::parse(&file.record.game.control_text).ok().map(|file| file.control)
}

/// What is proposed for one side.
struct ProposedSide {
    main_time_nsec: u64,
    moves: u32,
    period: u32,
    overtime_periods: Option<u32>,
    overtime_moves: Option<u32>,
}

/// The side on move begins a new turn here with its full delay. A flag falls here anew, and what ran
/// after a final flag is not a part of the time.
fn side(control: Option<&Control>, engine: Side, side: &RecordedSide) -> ProposedSide {
    let RecordedSide { remaining_ns, moves, period, out_of_time, .. } = *side;
    // With Bronstein's method the time shown includes the delay of the turn. The delay is
    // subtracted here, because it begins anew on this clock.
    let main_time_nsec = match method(control, period, engine) {
        Some(Method::Bronstein(delay)) if !out_of_time => {
            remaining_ns.saturating_sub(delay.as_nanos())
        }
        _ => remaining_ns,
    };
    // After the final flag nothing is left of an overtime.
    let left = |left: Option<u32>| left.filter(|left| *left > 0 && !out_of_time);
    ProposedSide {
        main_time_nsec,
        moves,
        period,
        overtime_periods: left(side.overtime_periods),
        overtime_moves: left(side.overtime_moves),
    }
}

/// The method of a side in this period, such as an increment or a delay. The periods are counted
/// from 1. `None` if the control is not known.
pub fn method(control: Option<&Control>, period: u32, side: Side) -> Option<Method> {
    let periods = control?.periods();
    let index = usize::try_from(period.checked_sub(1)?).ok()?;
    // If the last period repeats, every later period is like it.
    Some(periods.get(index).or(periods.last())?.method[side])
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
    fn a_file_without_a_board_leaves_the_board_of_this_clock() {
        let mut file = game();
        let made = proposal(&file);
        assert_eq!((made.board, made.event.as_deref()), (None, Some("")));
        let names = ["12", "3", "Club \"Cup\""].map(str::to_owned);
        let of_file = &mut file.record.game;
        [of_file.board, of_file.round, of_file.event] = names.clone();
        let made = proposal(&file);
        assert_eq!([made.board, made.round, made.event], names.map(Some));
    }

    #[test]
    fn a_game_before_its_start_has_nobody_on_move() {
        let mut file = game();
        file.record.entries.truncate(1);
        let made = proposal(&file);
        assert_eq!((made.begun, made.on_move), (Some(false), None));
        // In this case the game was decided before its start, for example by default.
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
