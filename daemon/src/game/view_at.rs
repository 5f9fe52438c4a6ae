//! Computes what the clock shows at an instant after its latest change.

use clock_engine::{Counting, Instant, Span, View};

/// The clock as it is at the instant `at`, if nothing has happened since `view`. If `at` is earlier
/// than the instant of `view`, the result is `view` itself.
///
/// If the time of a side is used up before `at`, the side shows 0, or its limit if the time is
/// counted up. The result does not include what the engine does when the time is used up: a flag, a
/// gong, overtime or the next period.
pub fn view_at(view: &View, at: Instant) -> View {
    let mut later = View { at: view.at.max(at), ..*view };
    let Some(side) = view.running() else { return later };
    let elapsed = later.at.since(view.at);
    let running = &mut later.sides[side];
    if running.out_of_time {
        running.overrun = running.overrun.plus(elapsed);
        return later;
    }
    let of_main = elapsed.minus(running.delay);
    running.delay = running.delay.minus(elapsed);
    if view.counting == Counting::Up {
        let used = running.remaining.plus(of_main);
        running.remaining = running.limit.map_or(used, |limit| used.min(limit));
        return later;
    }
    let used: Span = of_main.min(running.remaining);
    running.remaining = running.remaining.minus(used);
    if view.counting == Counting::Hourglass {
        let other = &mut later.sides[side.other()];
        other.remaining = other.remaining.plus(used);
    }
    later
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::{Clock, Command, Control, Method};

    #[test]
    fn the_clock_runs_on_as_the_engine_says() {
        let at = |millis: u64| Instant::from_nanos(millis * 1_000_000);
        let five = Span::from_nanos(5_000_000);
        for method in
            [Method::None, Method::Increment(five), Method::Delay(five), Method::Hourglass]
        {
            let mut clock = Clock::new(Control::single(Span::from_secs(60), method), at(0));
            clock.handle_command(Command::Start, at(10)).unwrap();
            let view = clock.view(at(10));
            for millis in [10, 12, 15, 16, 500] {
                assert_eq!(view_at(&view, at(millis)), clock.view(at(millis)), "{method:?}");
            }
            assert_eq!(view_at(&view, at(9)), view, "{method:?}");
        }
    }

    #[test]
    fn a_side_whose_time_is_used_up_shows_0() {
        let start = Instant::from_nanos(1);
        let control = Control::single(Span::from_nanos(100), Method::None);
        let mut clock = Clock::new(control, start);
        clock.handle_command(Command::Start, start).unwrap();
        let later = view_at(&clock.view(start), Instant::from_nanos(500));
        assert_eq!(later.sides.white.remaining, Span::ZERO);
        assert!(!later.sides.white.out_of_time, "the flag follows with an update");
    }
}
