//! Checks rings with notifications: the reader is notified of everything that was put in.

use crate::model::{Eventfd, Ring};
use crate::rt::clock_rate::{ClockRate, Rate};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;

/// A ring with its eventfd, as in `channel.rs`.
#[derive(Default)]
struct Channel {
    ring: Ring<u64>,
    eventfd: Eventfd,
}

impl Channel {
    /// Does what a writer does: pushes, then notifies.
    fn send(&self, value: u64) {
        self.ring.push(value).expect("there is room");
        self.eventfd.notify();
    }

    /// Does what a reader does each time it is woken: clears the notification, then takes all that
    /// is there.
    fn take_all(&self) -> Vec<u64> {
        self.eventfd.clear();
        std::iter::from_fn(|| self.ring.pop()).collect()
    }
}

/// Sends two values while the reader takes what is there. Checks that the reader is notified of
/// every value that it has not taken.
fn nothing_stays_unnoticed(take: fn(&Channel) -> Vec<u64>) {
    loom::model(move || {
        let channel = Arc::new(Channel::default());
        let writer = Arc::clone(&channel);
        let writing = thread::spawn(move || {
            writer.send(1);
            writer.send(2);
        });
        let mut taken = take(&channel);
        taken.extend(take(&channel));
        writing.join().expect("the writer ended");
        let is_notified = channel.eventfd.is_readable();
        let left: Vec<u64> = std::iter::from_fn(|| channel.ring.pop()).collect();
        assert!(left.is_empty() || is_notified, "unnoticed: {left:?}");
        taken.extend(left);
        assert_eq!(taken, [1, 2]);
    });
}

#[test]
fn what_is_sent_is_taken_in_order_and_what_is_left_is_notified() {
    nothing_stays_unnoticed(Channel::take_all);
}

#[test]
#[should_panic(expected = "unnoticed")]
fn clearing_after_the_last_pop_would_leave_a_value_unnoticed() {
    nothing_stays_unnoticed(|channel| {
        let taken = std::iter::from_fn(|| channel.ring.pop()).collect();
        channel.eventfd.clear();
        taken
    });
}

#[test]
fn a_counter_that_is_stored_before_an_update_is_read_after_it() {
    loom::model(|| {
        // The counters of `Health` are stored and loaded with Relaxed; the ring orders them.
        let shared = Arc::new((AtomicU64::new(0), Channel::default()));
        let clock_loop = Arc::clone(&shared);
        let running = thread::spawn(move || {
            clock_loop.0.store(7, Ordering::Relaxed);
            clock_loop.1.send(1);
        });
        if !shared.1.take_all().is_empty() {
            assert_eq!(shared.0.load(Ordering::Relaxed), 7);
        }
        running.join().expect("the loop ended");
    });
}

const SLEWED: Rate = Rate { ppb: 500_000, worst_ppb: 500_000, is_fault: true };
const NORMAL: Rate = Rate { ppb: 3, worst_ppb: 500_000, is_fault: false };

#[test]
fn a_fault_that_is_set_outside_the_loop_is_published_or_notified() {
    loom::model(|| {
        let shared = Arc::new((ClockRate::default(), Eventfd::default()));
        let monitor = Arc::clone(&shared);
        let measuring = thread::spawn(move || {
            for rate in [SLEWED, NORMAL, SLEWED] {
                if monitor.0.publish(rate) {
                    monitor.1.notify();
                }
            }
        });
        // These are two iterations of the loop: it clears the notification, then reads the faults
        // and publishes them.
        let mut published = false;
        for _ in 0..2 {
            shared.1.clear();
            published = shared.0.is_fault();
        }
        measuring.join().expect("the monitor ended");
        let is_fault = shared.0.is_fault();
        assert!(is_fault && (published || shared.1.is_readable()));
    });
}

#[test]
fn who_sees_a_window_sees_its_rate() {
    loom::model(|| {
        let shared = Arc::new(ClockRate::default());
        let monitor = Arc::clone(&shared);
        let measuring = thread::spawn(move || monitor.publish(SLEWED));
        assert!(matches!(shared.ppb(), None | Some(500_000)));
        assert!(matches!(shared.worst_ppb(), None | Some(500_000)));
        measuring.join().expect("the monitor ended");
        assert_eq!((shared.windows(), shared.ppb()), (1, Some(500_000)));
    });
}
