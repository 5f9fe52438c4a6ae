//! The reads of the record that wait for the thread that makes them, one after the other.
//!
//! There are two lanes, because anyone may read the record, and an arbiter's command must not wait
//! behind strangers: the reads of the arbiters come before all others, and also between two pages of
//! a long read that has begun. Of the reads of everyone, one user has at most [`OF_USER`] waiting.
//!
//! At most 24 calls of everyone are in progress (`guarded_socket::calls::READS`). [`OF_ALL`] is
//! much smaller, so that a storage that hangs keeps nobody from reading the state.

use crate::game::{BetweenPages, ReadError, ReadRecord};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many reads of the arbiters can wait.
pub const OF_ARBITERS: usize = 8;
/// How many reads of everyone else can wait.
pub const OF_ALL: usize = 8;
/// How many reads of one user can wait among those of everyone.
pub const OF_USER: usize = 4;

/// For whom the record is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadFor {
    /// For a command, or for a program that has called the name of the service to which only
    /// arbiters can send.
    Arbiter,
    /// For this user; `None` if the bus has not given the user id yet.
    User(Option<u32>),
}

/// Reads something from the record and sends the answer.
pub type Job = Box<dyn FnOnce(&mut dyn ReadRecord, &ReadQueue) + Send>;

/// Why a read cannot wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPlace {
    /// Too many reads wait.
    Full,
    /// Too many reads of this user wait.
    FullOfUser,
    /// The thread that makes the reads has ended.
    Ended,
}

/// The reads that wait.
#[derive(Default)]
pub struct ReadQueue {
    waiting: Mutex<Waiting>,
    /// Is notified when a read is added, and when the queue is closed.
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    of_arbiters: VecDeque<Job>,
    of_users: VecDeque<(Option<u32>, Job)>,
    is_closed: bool,
}

impl ReadQueue {
    /// Adds a read.
    ///
    /// # Errors
    ///
    /// Too many reads wait, or the queue is closed.
    pub fn push(&self, reader: ReadFor, job: Job) -> Result<(), NoPlace> {
        let mut waiting = self.lock();
        if waiting.is_closed {
            return Err(NoPlace::Ended);
        }
        match reader {
            ReadFor::Arbiter if waiting.of_arbiters.len() >= OF_ARBITERS => {
                return Err(NoPlace::Full);
            }
            ReadFor::Arbiter => waiting.of_arbiters.push_back(job),
            ReadFor::User(uid) => {
                if waiting.of_users.iter().filter(|(of, _)| *of == uid).count() >= OF_USER {
                    return Err(NoPlace::FullOfUser);
                }
                if waiting.of_users.len() >= OF_ALL {
                    return Err(NoPlace::Full);
                }
                waiting.of_users.push_back((uid, job));
            }
        }
        self.changed.notify_one();
        Ok(())
    }

    /// Waits for the next read: the oldest one of the arbiters or, if there is none, of everyone.
    /// `None` if the queue is closed.
    pub fn next(&self) -> Option<Job> {
        let mut waiting = self.lock();
        loop {
            if waiting.is_closed {
                return None;
            }
            let of_user = |waiting: &mut Waiting| waiting.of_users.pop_front().map(|(_, job)| job);
            if let Some(job) = waiting.of_arbiters.pop_front().or_else(|| of_user(&mut waiting)) {
                return Some(job);
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Drops the reads that wait, and refuses all further ones.
    pub fn close(&self) {
        *self.lock() = Waiting { is_closed: true, ..Waiting::default() };
        self.changed.notify_all();
    }

    fn next_of_arbiters(&self) -> Option<Job> {
        self.lock().of_arbiters.pop_front()
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // The lock is not held while a read is made, so no panic can leave the lanes incomplete.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is done between two pages of a long read. A read of everyone lets the reads of the arbiters
/// go first. Every read ends if its caller has given up.
pub struct Between<'a> {
    pub queue: &'a ReadQueue,
    pub reader: ReadFor,
    /// Whether the caller does not wait for the answer any more.
    pub is_given_up: &'a dyn Fn() -> bool,
}

impl BetweenPages for Between<'_> {
    fn before_page(&mut self, record: &mut dyn ReadRecord) -> Result<(), ReadError> {
        if self.reader != ReadFor::Arbiter {
            while let Some(job) = self.queue.next_of_arbiters() {
                job(record, self.queue);
            }
        }
        if (self.is_given_up)() { Err(ReadError::GivenUp) } else { Ok(()) }
    }
}

/// Closes the queue when it is dropped, also if the thread that makes the reads panics. So no caller
/// waits for a thread that has ended.
pub struct Closing(pub std::sync::Arc<ReadQueue>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests;
