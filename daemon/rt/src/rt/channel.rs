//! A wait-free ring with an eventfd, over which the clock loop exchanges values with the rest of
//! the daemon, and the queue before the ring of updates.

use super::health::Health;
use clockd_core::{Cause, MAX_REQUESTS, Update};
use rustix::event::{EventfdFlags, eventfd};
use std::hint::black_box;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// The writing end.
pub struct Sender<T> {
    ring: rtrb::Producer<T>,
    notifier: Notifier,
}

/// The reading end. Its file descriptor is readable from [`Notifier::notify`] until
/// [`Receiver::clear_notification`].
pub struct Receiver<T> {
    ring: rtrb::Consumer<T>,
    eventfd: Arc<OwnedFd>,
}

/// Wakes the reader, even if the ring is empty.
#[derive(Clone)]
pub struct Notifier(Arc<OwnedFd>);

impl Notifier {
    /// Wakes the reader. One call is enough for any number of values.
    pub fn notify(&self) {
        // The write fails only if the counter is at its maximum, after 2^64 - 2 calls without a
        // read. In that case the descriptor is readable anyway.
        let _ = rustix::io::write(&self.0, &1_u64.to_ne_bytes());
    }
}

/// Makes a ring for `capacity` values, and touches its memory, so that no `push` causes a page
/// fault.
pub fn channel<T>(capacity: usize) -> io::Result<(Sender<T>, Receiver<T>)> {
    let (mut producer, consumer) = rtrb::RingBuffer::new(capacity);
    touch(&mut producer);
    let eventfd = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
    Ok((
        Sender { ring: producer, notifier: Notifier(Arc::clone(&eventfd)) },
        Receiver { ring: consumer, eventfd },
    ))
}

fn touch<T>(ring: &mut rtrb::Producer<T>) {
    if let Ok(mut free) = ring.write_chunk_uninit(ring.slots()) {
        let (first, second) = free.as_mut_slices();
        first.iter_mut().chain(second).for_each(|slot| *slot = MaybeUninit::zeroed());
        // The chunk is not committed, so the ring is still empty.
        black_box(free);
    }
}

impl<T> Sender<T> {
    /// Puts a value into the ring, or returns it if the ring is full. Never blocks.
    pub fn push(&mut self, value: T) -> Result<(), T> {
        self.ring.push(value).map_err(|rtrb::PushError::Full(value)| value)
    }

    /// Copies a value into the ring, in one step. Returns `false` if the ring is full. Never blocks.
    /// [`Sender::push`] moves a large value several times.
    pub(super) fn push_copy(&mut self, value: &T) -> bool
    where
        T: Copy,
    {
        let Ok(mut free) = self.ring.write_chunk_uninit(1) else { return false };
        let (slots, _) = free.as_mut_slices();
        let [slot] = slots else { return false };
        slot.write(*value);
        // SAFETY: the chunk has one slot, which was written.
        unsafe { free.commit_all() };
        true
    }

    /// Wakes the reader. One call is enough for any number of values.
    pub fn notify(&self) {
        self.notifier.notify();
    }

    /// A handle with which other parts of the daemon wake the reader.
    pub fn notifier(&self) -> Notifier {
        self.notifier.clone()
    }
}

impl<T> Receiver<T> {
    /// Clears the notification. Call this before the last `pop`. Otherwise a value that arrives
    /// after the last `pop` and before this call stays in the ring without a notification.
    pub fn clear_notification(&self) {
        // The read fails only if there is no notification.
        let _ = rustix::io::read(&self.eventfd, &mut [0_u8; 8]);
    }

    /// Takes the oldest value; `None` if the ring is empty.
    pub fn pop(&mut self) -> Option<T> {
        self.ring.pop().ok()
    }
}

/// Registers the reading end with tokio, for a task that waits for notifications.
pub fn listen<T>(receiver: Receiver<T>) -> io::Result<AsyncFd<Receiver<T>>> {
    // SAFETY: the receiver owns its eventfd and always gives the same one, until it is dropped.
    let listening = unsafe { AsyncFd::register_with_interest(receiver, Interest::READABLE) };
    listening.map_err(io::Error::from)
}

impl<T> AsFd for Receiver<T> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.eventfd.as_fd()
    }
}

impl<T> std::os::fd::AsRawFd for Receiver<T> {
    fn as_raw_fd(&self) -> std::os::fd::RawFd {
        self.eventfd.as_fd().as_raw_fd()
    }
}

/// Puts updates into the ring without waiting. After an update has found no room, the queue keeps
/// the answers and the latest state, and drops all other updates, until it has sent everything that
/// it keeps.
pub(super) struct UpdateQueue {
    updates: Sender<Update>,
    /// Answers that found no room, the oldest first. They are not dropped, because a caller waits
    /// for each. No more than `MAX_REQUESTS` requests wait for an answer at once.
    answers: [Option<Update>; MAX_REQUESTS],
    /// The latest state, with the cause [`Cause::Missed`]; `None` if no update waits for room.
    unsent: Option<Update>,
    pushed: bool,
}

impl UpdateQueue {
    pub(super) fn new(updates: Sender<Update>) -> UpdateQueue {
        let answers = [None; MAX_REQUESTS];
        UpdateQueue { updates, answers, unsent: None, pushed: false }
    }

    /// Whether updates that found no room are still to be sent.
    pub(super) fn is_behind(&self) -> bool {
        self.unsent.is_some()
    }

    /// Whether exactly this many answers wait for room.
    #[cfg(test)]
    pub(super) fn holds(&self, answers: usize) -> bool {
        self.answers.iter().flatten().count() == answers
    }

    pub(super) fn put(&mut self, update: &Update) {
        if !self.is_behind() && self.updates.push_copy(update) {
            self.pushed = true;
            return;
        }
        if let (Some(_), Some(free)) =
            (update.answer, self.answers.iter_mut().find(|slot| slot.is_none()))
        {
            *free = Some(*update);
        }
        self.unsent = Some(Update { cause: Cause::Missed, answer: None, ..*update });
    }

    /// Sends the updates that found no room before, and wakes the reader if anything was sent.
    pub(super) fn send(&mut self, health: &Health) {
        self.catch_up(health);
        self.wake_reader();
    }

    /// Wakes the reader if an update was put into the ring after the reader was last woken.
    pub(super) fn wake_reader(&mut self) {
        if std::mem::take(&mut self.pushed) {
            self.updates.notify();
        }
    }

    /// Sends the updates that found no room: first the answers in their order, then the latest
    /// state.
    fn catch_up(&mut self, health: &Health) {
        let Some(unsent) = &self.unsent else { return };
        while let [Some(answer), ..] = &self.answers {
            if !self.updates.push_copy(answer) {
                return;
            }
            // The free slot moves to the end, behind the answers that still wait.
            self.answers[0] = None;
            self.answers.rotate_left(1);
            self.pushed = true;
        }
        if self.updates.push_copy(unsent) {
            health.lost_updates.fetch_add(1, Ordering::Relaxed);
            self.unsent = None;
            self.pushed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residency;
    use clock_engine::{Clock, Control, Instant, Method, Span};

    #[test]
    fn a_ring_that_is_new_is_in_memory() {
        let (mut sender, _receiver) = channel::<[u8; 4096]>(64).unwrap();
        let mut free = sender.ring.write_chunk_uninit(64).unwrap();
        let (slots, _) = free.as_mut_slices();
        let slots = slots.as_ptr_range();
        let (pages, in_memory) =
            residency::pages(slots.start.expose_provenance()..slots.end.expose_provenance());
        assert!(pages >= 15);
        assert_eq!(in_memory, pages);
    }

    #[test]
    fn answers_that_found_no_room_are_sent_in_their_order() {
        let clock = Clock::new(Control::single(Span::ZERO, Method::None), Instant::ZERO);
        let answer = |id: u64| Update {
            answer: Some((id, Ok(()))),
            ..Update::new(Cause::Refused, Instant::ZERO, clock.view(Instant::ZERO), id)
        };
        let (updates, mut reader) = channel(1).unwrap();
        let (mut queue, health) = (UpdateQueue::new(updates), Health::default());
        let mut found = Vec::new();
        // From the third update on, the reader takes one update after each `send`.
        for id in 1..=6 {
            queue.put(&answer(id));
            queue.send(&health);
            if id > 2 {
                found.extend(reader.pop().map(|update| update.revision));
            }
        }
        for _ in 0..6 {
            queue.send(&health);
            found.extend(reader.pop().map(|update| update.revision));
        }
        // The last update is the latest state, which `send` adds after the answers.
        assert_eq!(found, [1, 2, 3, 4, 5, 6, 6]);
        assert!(!queue.is_behind());
    }
}
