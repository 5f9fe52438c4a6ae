//! Moves by gong.

use super::*;

fn ten_seconds() -> Control {
    Control::single(Span::ZERO, Method::Gong(span("10s")))
}

#[test]
fn at_0_the_other_sides_slice_starts_with_a_gong() {
    play(
        ten_seconds(),
        "0       | look  | 10s | 10s | ready |
         0       | start | 10s | 10s | white |
         10s-1ns | look  | 1ns | 10s | white |
         10s     | look  | 10s | 10s | black | gong black
         17s     | look  | 10s | 3s  | black |
         45s     | look  | 5s  | 10s | white | gong white at 20s; gong black at 30s; gong white at 40s",
    );
}

#[test]
fn a_press_does_nothing_but_start_the_game() {
    play(
        ten_seconds(),
        "0   | press white | 10s    | 10s    | ready | press white ignored
         0   | press black | 10s    | 10s m0 | white | press black
         4s  | press white | 6s m0  | 10s    | white | press white ignored
         5s  | press black | 5s     | 10s m0 | white | press black ignored
         10s | press white | 10s m0 | 10s    | black | gong black; press white ignored
         10s | press black | 10s    | 10s m0 | black | press black ignored",
    );
}

#[test]
fn the_flag_never_falls() {
    play(
        ten_seconds(),
        "0     | start        | 10s | 10s | white |
         5s    | pause        | 5s  | 10s | paused |
         9h    | look         | 5s  | 10s | paused |
         9h    | time white 0 | 0   | 10s | paused |
         9h    | resume       | 10s | 10s | black | gong black",
    );
}

#[test]
fn a_pause_keeps_the_slice_and_a_resume_of_the_other_side_starts_a_whole_one() {
    play(
        ten_seconds(),
        "0   | start          | 10s | 10s | white |
         6s  | pause          | 4s  | 10s | paused |
         7s  | resume         | 4s  | 10s | white |
         8s  | pause          | 3s  | 10s | paused |
         8s  | resume black   | 10s | 10s | black |
         18s | look           | 10s | 10s | white | gong white",
    );
}

#[test]
fn a_correction_is_of_one_slice() {
    play(
        ten_seconds(),
        "0   | start          | 10s | 10s | white |
         6s  | pause          | 4s  | 10s | paused |
         6s  | undo           | 4s  | 10s | paused | refused no-undo -
         6s  | add black 20s  | 4s  | 30s | paused |
         6s  | resume         | 4s  | 30s | white |
         10s | look           | 10s | 30s | black | gong black
         41s | look           | 9s  | 10s | white | gong white at 40s",
    );
}

#[test]
fn the_sides_may_have_different_slices() {
    let slices = PerSide { white: Method::Gong(span("5s")), black: Method::Gong(span("8s")) };
    let control = Period { method: slices, ..Period::default() };
    play(
        Control::new(&[control], Terms::default()).unwrap(),
        "0   | start | 5s | 8s | white |
         14s | look  | 4s | 8s | white | gong black at 5s; gong white at 13s
         26s | look  | 5s | 8s | white | gong black at 18s; gong white",
    );
}

#[test]
fn after_a_very_late_call_only_the_latest_gongs_give_events() {
    let mut clock = Clock::new(ten_seconds(), Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    let end = Instant::from_nanos(u64::MAX);
    clock.handle_timeout(end).unwrap();
    let slice = nanos("10s");
    let (gongs, into) = (u64::MAX / slice, u64::MAX % slice);
    let on_move = if gongs.is_multiple_of(2) { Side::White } else { Side::Black };
    let view = clock.view(end);
    assert_eq!(view.running(), Some(on_move));
    assert_eq!(view.sides[on_move].remaining, Span::from_nanos(slice - into));
    let events: Vec<_> = core::iter::from_fn(|| clock.poll_event()).collect();
    assert!(events.len() >= 60, "{}", events.len());
    for (back, event) in (0..).zip(events.iter().rev()) {
        assert_eq!(event.at.as_nanos(), (gongs - back) * slice);
        let side = if back % 2 == 0 { on_move } else { on_move.other() };
        assert_eq!(event.kind, EventKind::Gong { side });
    }
}
