//! Follows the clock service on D-Bus, and finds it again when it or the bus was away.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use clock_dbus::{ClockProxy, Error, Followed, Follower, METHOD_TIMEOUT, Phase, Result, State};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use zbus::fdo::DBusProxy;
use zbus::proxy::CacheProperties;
use zbus::{Address, Connection, connection};

use crate::messages;
use crate::next_change::monotonic_now;
use crate::pending::or_never;
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
    /// There is no bus, or no clock service on it that answers. With what was last known of the
    /// clock, if anything was.
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
    /// Whether a service has answered since the program started.
    pub fn has_answered(&self) -> bool {
        !matches!(self, Link::Down(None))
    }

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
    /// `false` while `rules` waits for the service's answer. A new state is shown at once, before
    /// the answer comes.
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

/// Connects to the bus. The timeout is needed because a stopped bus daemon accepts a connection and
/// never answers.
pub async fn connect(address: &Address) -> Result<Connection> {
    let build =
        connection::Builder::address(address.clone()).method_timeout(METHOD_TIMEOUT).build();
    match timeout(METHOD_TIMEOUT, build).await {
        Ok(connection) => Ok(connection?),
        Err(_) => Err(Error::TimedOut("the bus does not answer".into())),
    }
}

/// Returns when the bus does not answer while a clock runs: the signal that another one runs now
/// would not arrive either. While both clocks stand, nothing is asked.
async fn hangs(connection: &Connection, link: &watch::Sender<Link>) {
    let Ok(bus) = DBusProxy::new(connection).await else { return };
    let mut known = link.subscribe();
    let runs = |link: &Link| matches!(link, Link::Up(up) if up.state.phase == Phase::Running);
    while known.wait_for(runs).await.is_ok() {
        // An error of the connection is noticed by whoever follows the service.
        if timeout(BUS_TIMEOUT, bus.get_id()).await.is_err() {
            return;
        }
        sleep(BUS_CHECK).await;
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
        let followed = tokio::select! {
            followed = follower.next() => followed,
            rules = or_never(&mut profile.asked) => {
                profile.apply(rules, link);
                continue;
            }
        };
        messages::debug(|| described(&followed));
        match followed {
            Ok(Some(Followed::NoService)) => {
                link.send_modify(Link::lose);
            }
            Ok(Some(Followed::Transition { cause, state })) => {
                profile.signals.note(&cause, profile.state.arbiter_called_by, &state);
                profile.show(*state, CHANGE_OF_PROFILE.contains(&&*cause), link);
            }
            // Of this service nothing is known yet.
            Ok(Some(Followed::Read { state, .. })) => profile.show(*state, true, link),
            // Of these changes only the outcome is known.
            Ok(Some(Followed::Missed(state))) => {
                profile.signals.note("", profile.state.arbiter_called_by, &state);
                profile.show(*state, true, link);
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

/// What was heard from the service, for the log.
fn described(followed: &Result<Option<Followed>>) -> String {
    let (what, state) = match followed {
        Ok(Some(Followed::NoService)) => return "no clock service".to_owned(),
        Ok(Some(Followed::Transition { cause, state })) => (cause.as_str(), state),
        Ok(Some(Followed::Read { state, .. })) => ("the state was read", state),
        Ok(Some(Followed::Missed(state))) => ("transitions were missed", state),
        Ok(None) => return "the connection to the bus has ended".to_owned(),
        Err(error) => return format!("the clock service does not answer: {error}"),
    };
    format!("{what}: sequence {}, {}", state.sequence, state.phase.as_str())
}

/// The causes of the transitions after which the rule profile can have another text under the same
/// name.
const CHANGE_OF_PROFILE: [&str; 3] = ["new", "set-rules", "import"];
/// The longest text of a rule profile that is read, in bytes.
const LARGEST_PROFILE: usize = 64 << 10;

/// The answer to the question for the rule profile; `None` if there was none that can be used.
type Asked = Pin<Box<dyn Future<Output = Option<Rules>> + Send>>;

/// The state that was shown last, and the rule profile of its game as far as it concerns the
/// display.
struct Profile<'a> {
    connection: &'a Connection,
    clock: ClockProxy<'static>,
    state: State,
    rules: Rules,
    /// The question for the text of the profile, while it is not answered.
    asked: Option<Asked>,
    /// Whether the profile is asked for again with the next state, because there was no answer.
    ask_again: bool,
    signals: &'a mut Signals,
}

impl<'a> Profile<'a> {
    async fn new(connection: &'a Connection, signals: &'a mut Signals) -> Result<Profile<'a>> {
        let clock = ClockProxy::builder(connection).cache_properties(CacheProperties::No);
        let clock = clock.build().await?;
        let (state, rules) = (State::default(), Rules::NONE);
        Ok(Profile { connection, clock, state, rules, asked: None, ask_again: false, signals })
    }

    /// Shows a state. If its profile is another one, or may be (`anew`), the state is first shown
    /// without what the profile might forbid, and nothing waits for the answer.
    fn show(&mut self, state: State, anew: bool, link: &watch::Sender<Link>) {
        let anew = anew || self.ask_again || state.rules != self.state.rules;
        self.state = state;
        if self.state.rules.is_empty() {
            (self.rules, self.asked, self.ask_again) = (Rules::NONE, None, false);
        } else if anew {
            self.rules = Rules::UNKNOWN;
            self.asked = Some(Box::pin(read_profile(self.clock.clone())));
            self.ask_again = false;
        }
        self.send(link);
    }

    /// Shows the last state under the profile that was asked for.
    fn apply(&mut self, rules: Option<Rules>, link: &watch::Sender<Link>) {
        self.asked = None;
        self.ask_again = rules.is_none();
        self.rules = rules.unwrap_or(Rules::UNKNOWN);
        // The service may have been lost meanwhile.
        if matches!(&*link.borrow(), Link::Up(_)) {
            self.send(link);
        }
    }

    fn send(&self, link: &watch::Sender<Link>) {
        let up = Up {
            state: self.state.clone(),
            rules: self.rules,
            rules_asked: self.asked.is_none(),
            signals: *self.signals,
            connection: self.connection.clone(),
        };
        link.send_replace(Link::Up(Box::new(up)));
    }
}

async fn read_profile(clock: ClockProxy<'static>) -> Option<Rules> {
    let (_name, file) = clock.get_rules().await.ok()?;
    (file.len() <= LARGEST_PROFILE).then(|| Rules::of_file(&file))
}
