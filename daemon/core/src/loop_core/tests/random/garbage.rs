//! Tests with edges and levels that no kernel reports, at both ends of the range of instants.

use super::*;
use clock_engine::rules::{Authority, Profile, Session, Setup};

/// Readings with stamps near `now`, in random order.
fn garbage(random: &mut Random, now: u64) -> [LineReading; LINES] {
    let mut readings = [const { LineReading::EMPTY }; LINES];
    for reading in &mut readings {
        for _ in 0..random.below(4) * random.below(20) {
            let stamp = (now - now.min(random.below(60 * MS))).saturating_add(random.below(MS));
            reading.add(&[Edge { at: at(stamp), active: random.chance(2) }]);
        }
        reading.overflowed = random.chance(20);
        reading.drained = !random.chance(20);
        reading.level = (!random.chance(20)).then(|| random.chance(2));
    }
    readings
}

#[test]
fn garbage_at_both_ends_of_time_is_survived_and_every_request_answered() {
    let first = seed();
    for number in 0..60 {
        let mut random = Random(first.wrapping_mul(1_000_000) + number);
        let start = random.pick([0, 1, 40 * MS, u64::MAX - 900 * MS, u64::MAX - 1]);
        let kind = if random.chance(2) { InputKind::Rocker } else { InputKind::Buttons };
        let inputs = Inputs { kind, ..Inputs::default() };
        let control = arbiter::control(&mut random);
        // Under these rules, presses confirm a resume.
        let profile = Profile { authority: Authority::Nobody, ..Profile::default() };
        let profile = Some(profile).filter(|_| random.chance(2));
        let setup = Setup { control, profile, session: Session::Unknown, force: false };
        let game = clock_engine::rules::Game::new(&setup, at(start))
            .unwrap_or_else(|_| crate::game_without_rules(control, at(start)));
        let mut core = LoopCore::new(game, inputs, Some([false; LINES]), at(start));
        if random.chance(2) {
            core = core.with_menu(MenuOpening::default());
        }
        let (mut now, mut given, mut answered, mut revision) = (start, 0, 0, 0);
        let mut is_gone = false;
        for _ in 0..300 {
            // The next step is at the same instant, at the next nanosecond, or later.
            let later = random.pick([0, 1, 3 * MS, 60 * MS, 4_000 * MS]);
            now = now.saturating_add(random.below(later + 1));
            let shown = core.update(Cause::Missed);
            let request = (given == answered && random.chance(3)).then(|| {
                given += 1;
                let at = at(now - now.min(random.below(MS)));
                let profile = core.clock().game().profile().copied();
                let command = arbiter::command(&mut random, &shown.view, profile);
                Request { id: given, at, revision: shown.revision, command }
            });
            let mut out = |update: Update| {
                assert!(update.revision >= revision, "CLOCK_SEED={first}, {number}");
                revision = update.revision;
                if let Some((id, _)) = update.answer {
                    assert_eq!(id, given, "CLOCK_SEED={first}, {number}");
                    answered += 1;
                }
            };
            core.menu_request(match random.below(11) {
                0 => MenuRequest::MayOpen(false),
                1 => MenuRequest::Close(at(now)),
                2 => MenuRequest::Command(given),
                3 => MenuRequest::Acknowledge(at(now)),
                4 => MenuRequest::Test(at(now)),
                5 => MenuRequest::Keep(at(now)),
                _ => MenuRequest::MayOpen(true),
            });
            core.step(at(now), &garbage(&mut random, now), request.into_iter(), &mut out);
            if !is_gone && random.chance(30) {
                is_gone = true;
                core.board_gone(BLACK, at(now));
            } else if is_gone && random.chance(20) {
                is_gone = false;
                let levels = std::array::from_fn(|_| random.chance(2));
                core.board_back(levels, at(now), &mut out);
            }
        }
        // No more input arrives, so all inputs that were delayed must be decided now.
        for _ in 0..200 {
            let Some(later) = now.checked_add(MS) else { break };
            now = later;
            let readings = [const { LineReading::EMPTY }; LINES];
            core.step(at(now), &readings, std::iter::empty::<Request>(), &mut |update: Update| {
                answered += u64::from(update.answer.is_some());
            });
        }
        assert!(given == answered || now > u64::MAX - MS, "CLOCK_SEED={first}, {number}");
    }
}
