//! Follows the clock service on D-Bus, and finds it again when it or the bus was away.

use std::time::Duration;

use clock_dbus::{
    ClockProxy, Error, Followed, Follower, METHOD_TIMEOUT, Phase, Result, State, Who,
};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use zbus::fdo::DBusProxy;
use zbus::proxy::CacheProperties;
use zbus::{Address, Connection, connection};

use crate::next_change::monotonic_now;
use crate::rules::Rules;
use crate::signals::Signals;

/// The first and the longest time before the bus or the service is tried again.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(1));

/// How often the bus is asked whether it answers, and how long it may take.
const BUS_CHECK: Duration = Duration::from_secs(1);
const BUS_TIMEOUT: Duration = Duration::from_secs(3);

/// What is known of the clock.
#[derive(Clone, Debug)]
pub enum Link {
    /// There is no bus, or no clock service on it that answers. With what was last known of the clock, if anything
    /// was.
    Down(Option<Box<LastKnown>>),
    Up(Box<Up>),
}

/// What was known of the clock when the service was lost.
#[derive(Clone, Debug)]
pub struct LastKnown {
    /// The state of that instant.
    pub state: State,
    pub rules: Rules,
}

impl Link {
    /// What is to be heard, if a service answers.
    pub fn signals(&self) -> Option<Signals> {
        match self {
            Link::Up(up) => Some(up.signals),
            Link::Down(_) => None,
        }
    }

    /// Notes that no service answers from now on.
    fn lose(&mut self) {
        if let Link::Up(up) = self {
            let state = up.state.at(monotonic_now());
            *self = Link::Down(Some(Box::new(LastKnown { state, rules: up.rules })));
        }
    }
}

/// A clock service that answers.
#[derive(Clone, Debug)]
pub struct Up {
    /// The state after the latest transition.
    pub state: State,
    /// What the rule profile of the game says about the display.
    pub rules: Rules,
    /// Whether the rule profile was asked for. A state is first shown without waiting for it.
    pub rules_asked: bool,
    /// What is to be heard of the changes since the program started.
    pub signals: Signals,
    /// The connection, for the arbiter's commands of the demonstration.
    pub connection: Connection,
}

/// Follows the service for ever and keeps `link` current.
pub async fn follow(address: Address, link: watch::Sender<Link>) {
    let (first, longest) = BACK_OFF;
    let mut wait = first;
    let mut signals = Signals::default();
    loop {
        if let Ok(connection) = connect(&address).await {
            wait = first;
            // Whatever the reason for its end, the display shows that there is no service, and the
            // loop connects again.
            tokio::select! {
                _ = follow_connection(&connection, &link, &mut signals) => {}
                () = hangs(&connection, &link) => {}
            }
            link.send_modify(Link::lose);
        }
        sleep(wait).await;
        wait = (wait * 2).min(longest);
    }
}

/// Connects to the bus. The timeout is needed because a stopped bus daemon accepts a connection and never answers.
pub async fn connect(address: &Address) -> Result<Connection> {
    let build =
        connection::Builder::address(address.clone()).method_timeout(METHOD_TIMEOUT).build();
    match timeout(METHOD_TIMEOUT, build).await {
        Ok(connection) => Ok(connection?),
        Err(_) => Err(Error::TimedOut("the bus does not answer".into())),
    }
}

/// Returns when the bus does not answer while a clock runs: the signal that another one runs now would not arrive either.
/// While both clocks stand, nothing is asked.
async fn hangs(connection: &Connection, link: &watch::Sender<Link>) {
    let Ok(bus) = DBusProxy::new(connection).await else { return };
    loop {
        sleep(BUS_CHECK).await;
        let runs = matches!(&*link.borrow(), Link::Up(up) if up.state.phase == Phase::Running);
        // An error of the connection is noticed by whoever follows the service.
        if runs && timeout(BUS_TIMEOUT, bus.get_id()).await.is_err() {
            return;
        }
    }
}

/// Follows the service until the connection is lost.
async fn follow_connection(
    connection: &Connection,
    link: &watch::Sender<Link>,
    signals: &mut Signals,
) -> Result<()> {
    let mut follower = Follower::new(connection).await?;
    let mut profile = Profile::new(connection, signals).await?;
    loop {
        match follower.next().await {
            Ok(Some(Followed::NoService)) => {
                link.send_modify(Link::lose);
            }
            Ok(Some(Followed::Transition { cause, state })) => {
                profile.signals.note(&cause, profile.caller, &state);
                let anew = CHANGE_OF_PROFILE.contains(&&*cause);
                profile.show(&state, anew, link, &mut follower).await;
            }
            // Of this service nothing is known yet.
            Ok(Some(Followed::Read { state, .. })) => {
                profile.show(&state, true, link, &mut follower).await;
            }
            // Of these changes only the outcome is known.
            Ok(Some(Followed::Missed(state))) => {
                profile.signals.note("", profile.caller, &state);
                profile.show(&state, true, link, &mut follower).await;
            }
            Ok(None) => return Ok(()),
            // The service is there and does not answer. It is asked again after a while.
            Err(_) => {
                link.send_modify(Link::lose);
                let _ = timeout(BACK_OFF.1, follower.gather()).await;
            }
        }
    }
}

/// The causes of the transitions after which the rule profile can have another text under the same name.
const CHANGE_OF_PROFILE: [&str; 3] = ["new", "set-rules", "import"];

/// The rule profile of the game, as far as it concerns the display.
struct Profile<'a> {
    connection: &'a Connection,
    clock: ClockProxy<'static>,
    /// The name of the profile that was read; empty for none.
    name: String,
    rules: Rules,
    /// Who had called the arbiter when the state was shown last.
    caller: Who,
    signals: &'a mut Signals,
}

impl<'a> Profile<'a> {
    async fn new(connection: &'a Connection, signals: &'a mut Signals) -> Result<Profile<'a>> {
        let clock = ClockProxy::builder(connection).cache_properties(CacheProperties::No);
        let clock = clock.build().await?;
        let (name, rules) = (String::new(), Rules::NONE);
        Ok(Profile { connection, clock, name, rules, caller: Who::Nobody, signals })
    }

    /// Shows a state. If its profile is another one, or may be, the state is first shown without what the
    /// profile might forbid, so that nothing waits for the answer.
    async fn show(
        &mut self,
        state: &State,
        anew: bool,
        link: &watch::Sender<Link>,
        follower: &mut Follower,
    ) {
        let read = (anew || state.rules != self.name) && !state.rules.is_empty();
        self.name.clone_from(&state.rules);
        self.caller = state.arbiter_called_by;
        if state.rules.is_empty() {
            self.rules = Rules::NONE;
        } else if read {
            self.rules = Rules::UNKNOWN;
        }
        self.send(state, link, !read);
        if read {
            self.rules = tokio::select! {
                file = self.clock.get_rules() => match file {
                    Ok((_name, file)) => Rules::of_file(&file),
                    Err(_) => {
                        // The next state asks again.
                        self.name.clear();
                        Rules::UNKNOWN
                    }
                },
                // The connection is closed.
                () = follower.gather() => Rules::UNKNOWN,
            };
            self.send(state, link, true);
        }
    }

    fn send(&self, state: &State, link: &watch::Sender<Link>, rules_asked: bool) {
        let up = Up {
            state: state.clone(),
            rules: self.rules,
            rules_asked,
            signals: *self.signals,
            connection: self.connection.clone(),
        };
        link.send_replace(Link::Up(Box::new(up)));
    }
}
