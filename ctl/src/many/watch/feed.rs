//! Follows each clock of the hall on a connection of its own.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use clock_dbus::{Followed, Follower, State, Timebase};
use tokio::{
    sync::{Semaphore, mpsc},
    task::{AbortHandle, spawn_local},
    time::{interval, sleep},
};

use crate::{
    bus::{Bus, bounded},
    failure::Failure,
    hall::Board,
    one_of_many::OneOfMany,
    target::Target,
};

/// The shortest and the longest pause before a clock is tried again.
const FIRST_RETRY: Duration = Duration::from_secs(1);
const LAST_RETRY: Duration = Duration::from_secs(10);
/// How often each clock is asked whether it still answers.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How many connections are made at the same time: each starts an `ssh`.
const CONNECTS_AT_ONCE: usize = 40;
/// How many messages can wait for the table. A clock whose message finds no room waits.
const WAITING: usize = 256;

/// What has come from a clock.
#[derive(Debug)]
pub enum News {
    /// A connection is there. The instants of an earlier one say nothing about this one.
    Connected,
    /// A new state. `at_nsec` is an instant of the clock's machine at which it was sent or before.
    State { state: Box<State>, at_nsec: u64, arrived: Instant },
    /// The clock still answers.
    Heartbeat { at_nsec: u64, arrived: Instant },
    /// The clock cannot be followed now.
    Lost(String),
}

/// The number of a clock that is followed. No two clocks have the same one, also after others.
pub type FeedId = usize;

/// The clocks that are followed.
pub struct Feeds {
    sender: mpsc::Sender<(FeedId, News)>,
    connects: Arc<Semaphore>,
    followed: Vec<FollowedClock>,
    next: FeedId,
}

struct FollowedClock {
    id: FeedId,
    target: Target,
    task: AbortHandle,
}

impl Feeds {
    /// Without a clock so far, and the messages of those that will be followed.
    pub fn new() -> (Feeds, mpsc::Receiver<(FeedId, News)>) {
        let (sender, receiver) = mpsc::channel(WAITING);
        let connects = Arc::new(Semaphore::new(CONNECTS_AT_ONCE));
        (Feeds { sender, connects, followed: Vec::new(), next: 0 }, receiver)
    }

    /// Follows the clocks of these boards, and no other clock any more. A clock that is followed
    /// already keeps its connection. Returns the number of each board's clock.
    pub fn follow(&mut self, boards: &[Board]) -> Vec<FeedId> {
        let mut before = std::mem::take(&mut self.followed);
        for Board { target, .. } in boards {
            let followed = match before.iter().position(|followed| followed.target == *target) {
                Some(index) => before.swap_remove(index),
                None => self.start(target),
            };
            self.followed.push(followed);
        }
        for FollowedClock { task, .. } in before {
            task.abort();
        }
        self.followed.iter().map(|followed| followed.id).collect()
    }

    fn start(&mut self, target: &Target) -> FollowedClock {
        let id = self.next;
        self.next += 1;
        let (sender, connects) = (self.sender.clone(), Arc::clone(&self.connects));
        let feed = Feed { id, sender, connects }.run(target.clone());
        // On the terminal that shows the table, `ssh` must not ask questions. The beginning of commands is
        // empty, because the table names no command.
        let task = spawn_local(OneOfMany::new(String::new()).scope(feed)).abort_handle();
        FollowedClock { id, target: target.clone(), task }
    }
}

/// One clock's way to the table.
struct Feed {
    id: FeedId,
    sender: mpsc::Sender<(FeedId, News)>,
    connects: Arc<Semaphore>,
}

/// The table is no longer there.
struct Closed;

impl Feed {
    async fn send(&self, news: News) -> Result<(), Closed> {
        self.sender.send((self.id, news)).await.map_err(|_| Closed)
    }

    async fn run(self, target: Target) {
        let mut pause = FIRST_RETRY;
        loop {
            let connected = {
                // The semaphore is never closed.
                let _turn = self.connects.acquire().await;
                Bus::connect(&target).await
            };
            let ended = match connected {
                Err(failure) => Ok(failure),
                Ok(bus) => {
                    pause = FIRST_RETRY;
                    self.follow(&bus).await
                }
            };
            let Ok(failure) = ended else { return };
            if self.send(News::Lost(failure.to_string())).await.is_err() {
                return;
            }
            sleep(pause).await;
            pause = LAST_RETRY.min(pause * 2);
        }
    }

    /// Follows the clock until the connection is lost. Returns why it was lost.
    async fn follow(&self, bus: &Bus) -> Result<Failure, Closed> {
        self.send(News::Connected).await?;
        let mut follower = match bounded(Follower::new(&bus.connection)).await {
            Ok(follower) => follower,
            Err(failure) => return Ok(failure),
        };
        let mut heartbeats = interval(HEARTBEAT);
        loop {
            // `select!` drops the future that is not ready, which loses nothing.
            let followed = tokio::select! {
                followed = follower.next() => followed,
                _ = heartbeats.tick() => {
                    match bounded(bus.clock.get_timebase()).await {
                        Ok(Timebase { monotonic_nsec, .. }) => {
                            let arrived = Instant::now();
                            self.send(News::Heartbeat { at_nsec: monotonic_nsec, arrived }).await?;
                        }
                        Err(Failure::NoService(_)) => {}
                        Err(failure) => return Ok(failure),
                    }
                    continue;
                }
            };
            let arrived = Instant::now();
            let news = match followed {
                Err(error) => return Ok(error.into()),
                Ok(None) => return Ok(Failure::Lost("it was closed".to_owned())),
                Ok(Some(Followed::NoService)) => News::Lost("no clock service".to_owned()),
                Ok(Some(Followed::Read { state, timebase })) => {
                    News::State { state, at_nsec: timebase.monotonic_nsec, arrived }
                }
                Ok(Some(Followed::Missed(state) | Followed::Transition { state, .. })) => {
                    let at_nsec = state.at_nsec;
                    News::State { state, at_nsec, arrived }
                }
            };
            self.send(news).await?;
        }
    }
}
