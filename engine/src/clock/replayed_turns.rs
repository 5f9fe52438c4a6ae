//! The turns of a game, played again under another time control.

use super::Clock;
use super::instants::of_sides;
use super::side_state::SideState;
use super::turns::{PresentTimes, TurnEvent, UnknownTurns};
use crate::{Control, ControlUnfit, Instant, PerSide, Refused, Side, Span};
use serde::{Deserialize, Serialize};

/// Where a change of the time control takes the times from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "boxing the turns would allocate in the clock loop")]
pub enum Recompute {
    /// The times and the periods stay.
    No,
    /// Each side gets what it would have if the new control had held from the start.
    Turns(ReplayedTurns),
    /// The times were to be recomputed, but the turns are not known: the change is refused.
    Unknown(UnknownTurns),
}

/// What each side has after its turns were played under another time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayedTurns {
    /// The instants in these states have no meaning: a flag is down, or it is not.
    sides: PerSide<SideState>,
    delay_left: Span,
    /// How long the clock of each side ran, without the delays.
    used: PerSide<Span>,
    /// The number of the move in which the final flag of a side fell, if it did.
    flag_move: PerSide<u32>,
    /// What the clock showed when the turns were played again. If it shows something else when the
    /// control is changed, these are not its turns.
    present: PresentTimes,
}

/// A clock on which turns are played again. It has instants of its own, from 0 on.
struct Replay {
    clock: Clock,
    used: PerSide<Span>,
    flag_move: PerSide<u32>,
}

impl Recompute {
    /// Plays the turns of a game again, under `control`. `events` are the events of the game from
    /// its start on, and `present` is its clock after them.
    pub fn from_turns(
        control: &Control,
        events: impl IntoIterator<Item = TurnEvent>,
        present: &Clock,
    ) -> Recompute {
        if control.period(1).method.white.slice().is_some() {
            return Recompute::Unknown(UnknownTurns::Gong);
        }
        // What happens at a flag is not played again: the game went on.
        let control = control.running_on();
        let mut replay = Replay::new(control);
        let mut unknown = None;
        for event in events {
            if event == TurnEvent::Begun {
                (replay, unknown) = (Replay::new(control), None);
            } else if unknown.is_none() {
                unknown = replay.play(event).err();
            }
        }
        match unknown {
            None => Recompute::Turns(replay.turns(present)),
            Some(why) => Recompute::Unknown(why),
        }
    }

    /// Whether the times are to be recomputed.
    pub fn is_asked(&self) -> bool {
        *self != Recompute::No
    }
}

impl Replay {
    fn new(control: Control) -> Replay {
        Replay {
            clock: Clock::new(control, Instant::ZERO),
            used: PerSide::default(),
            flag_move: PerSide::default(),
        }
    }

    fn play(&mut self, event: TurnEvent) -> Result<(), UnknownTurns> {
        let clock = &mut self.clock;
        match event {
            TurnEvent::Begun => {}
            TurnEvent::Ran(span) => self.run(span),
            TurnEvent::Completed => clock.complete_standing(),
            TurnEvent::TakenBack => {
                clock.undo_press().map_err(|_| UnknownTurns::TakenBack)?;
            }
            TurnEvent::HandedOver(side) => clock.hand_over(Some(side)),
            TurnEvent::Given { side, delta_ns, settles_owed } => {
                clock.give(side, delta_ns, settles_owed).map_err(|_| UnknownTurns::Cut)?;
            }
            TurnEvent::Agreed(method) => {
                let at = clock.last;
                clock.change_method(method, at).map_err(|_| UnknownTurns::MethodChanged)?;
            }
            TurnEvent::Unknown(why) => return Err(why),
        }
        Ok(())
    }

    fn run(&mut self, span: Span) {
        let Replay { clock, used, flag_move } = self;
        let side = clock.on_move;
        used[side] = used[side].plus(span.minus(clock.delay_left));
        let was_out = clock.sides[side].final_flag.is_some();
        clock.run_for(span);
        if !was_out && clock.sides[side].final_flag.is_some() {
            flag_move[side] = clock.sides[side].moves.saturating_add(1);
        }
    }

    fn turns(self, present: &Clock) -> ReplayedTurns {
        let Replay { mut clock, used, flag_move } = self;
        of_sides(&mut clock.sides, &mut |at| *at = Instant::ZERO);
        let present = present.standing_at(present.last).present_times();
        let (sides, delay_left) = (clock.sides, clock.delay_left);
        ReplayedTurns { sides, delay_left, used, flag_move, present }
    }
}

impl Clock {
    /// Gives each side what it has after its turns were played again. `self` has the new control
    /// already.
    ///
    /// A final flag that would not have fallen is annulled. If it would have fallen, it stays, with
    /// the overrun that it would have.
    pub(super) fn take_turns(&mut self, turns: &ReplayedTurns) -> Result<(), Refused> {
        let unfit = |why| Err(Refused::ControlUnfit(why));
        let ReplayedTurns { sides, delay_left, used, flag_move, present } = turns;
        let moves = |sides: &PerSide<SideState>| sides.map(|state| state.moves);
        if self.present_times() != *present || moves(&self.sides) != moves(sides) {
            return unfit(ControlUnfit::TurnsUnknown(UnknownTurns::Changed));
        }
        for side in Side::BOTH {
            let (now, played) = (self.sides[side], sides[side]);
            let is_out = played.final_flag.is_some();
            if is_out && now.final_flag.is_none() {
                let (used, in_move) = (used[side], flag_move[side]);
                let time = used.minus(played.overrun);
                let is_present = in_move == now.moves.saturating_add(1);
                let in_move = Some(in_move).filter(|_| !is_present);
                return unfit(ControlUnfit::UsedUp { side, used, time, in_move });
            }
            if !is_out {
                self.annul_flag(side);
            }
            self.sides[side] = SideState {
                period_flag: now.period_flag,
                final_flag: now.final_flag.filter(|_| is_out),
                ..played
            };
        }
        self.delay_left = *delay_left;
        Ok(())
    }
}
