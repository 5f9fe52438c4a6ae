//! Nothing is allocated while a game runs: the clock loop has locked its memory and must not wait
//! for an allocator.

use clock_engine::{
    AfterFlag, Caller, Clock, Command, Control, Correction, Instant, Method, Outcome, PerSide,
    Period, Side, Span, Terms,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    // A constant without a destructor: reading it allocates nothing.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes on to the system's allocator with its arguments as they are, so its
// guarantees are this one's; counting touches no memory but a cell of the thread.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps to what `alloc` asks of it.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps to what `dealloc` asks of it, and the block is the system's.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as for `dealloc`, and the caller has seen to the size.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often this thread allocates in the course of `work`.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1_u8; 100]))) > 0);
}

#[test]
fn a_game_allocates_nothing() {
    let span = Span::from_secs(5);
    for method in
        [Method::None, Method::Increment(span), Method::Delay(span), Method::Bronstein(span)]
    {
        for after_flag in [AfterFlag::Halt, AfterFlag::Run] {
            assert_eq!(allocations(|| game(method, after_flag)), 0, "{method:?}");
        }
    }
}

/// Set up, played through two periods, with every command, refusals and both flags.
fn game(method: Method, after_flag: AfterFlag) {
    let period = |moves| Period {
        moves,
        time: PerSide::both(Span::from_secs(300)),
        method: PerSide::both(method),
    };
    let periods = [period(Some(40)), period(None)];
    let control =
        Control::new(&periods, Terms { after_flag: Some(after_flag), ..Terms::default() })
            .expect("a good control");
    let mut clock = Clock::new(control, Instant::ZERO);
    let mut now = 0;
    let command = |clock: &mut Clock, command, now| {
        let done = clock.handle_command(command, Instant::from_nanos(now));
        take(clock);
        done.is_ok()
    };
    assert!(command(&mut clock, Command::Start, now));
    for _ in 0..60 {
        for side in Side::BOTH {
            now += 1_000_000_000;
            let at = Instant::from_nanos(now);
            clock.handle_press(side.other(), at).expect("in order");
            clock.handle_press(side, at).expect("in order");
            take(&mut clock);
            let view = clock.view(at);
            assert_eq!(view.running(), Some(side.other()));
        }
    }
    let by = Caller::Arbiter;
    let correction = Correction {
        time: PerSide::both(Some(Span::from_secs(9))),
        moves: PerSide::both(Some(60)),
        period: PerSide::both(Some(2)),
        on_move: Some(Side::Black),
    };
    let (side, delta_ns) = (Side::White, -1);
    assert!(!command(&mut clock, Command::Correct(correction), now));
    assert!(command(&mut clock, Command::Pause { by }, now));
    assert!(command(&mut clock, Command::Correct(correction), now));
    assert!(command(&mut clock, Command::AddTime { side, delta_ns }, now));
    assert!(command(&mut clock, Command::Resume { side: None }, now));
    clock.handle_call(Instant::from_nanos(now)).expect("in order");
    assert!(command(&mut clock, Command::Resume { side: None }, now));
    now += 100_000_000_000;
    clock.handle_timeout(Instant::from_nanos(now)).expect("in order");
    assert!(clock.view(Instant::from_nanos(now)).first_flag.is_some());
    assert!(command(&mut clock, Command::Finish(Outcome::Drawn), now));
    assert!(command(&mut clock, Command::New(control), now));
}

fn take(clock: &mut Clock) {
    while clock.poll_event().is_some() {}
}
