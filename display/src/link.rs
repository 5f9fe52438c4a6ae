//! Follows the clock service on D-Bus: the state of the clock, the rule profile of the game, the
//! menu (`menu`) and the signals for the buzzer. Connects again if the bus was lost or hangs.

mod menu;

use std::future::Future;
use std::pin::{Pin, pin};
use std::time::Duration;

use clock_dbus::{
    ClockProxy, Error, Followed, Follower, METHOD_TIMEOUT, MenuPage, MenuSettings, Phase, Result,
    State,
};
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

/// The shortest and the longest delay before the next attempt to connect. The delay doubles after
/// each attempt that fails.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(1));

/// While a clock runs, the face sends requests to the bus: each one `BUS_CHECK` after the answer to
/// the previous one. If an answer takes longer than `BUS_TIMEOUT`, the bus counts as hanging.
const BUS_CHECK: Duration = Duration::from_secs(1);
const BUS_TIMEOUT: Duration = Duration::from_secs(3);

/// What is known of the clock at present.
#[derive(Clone, Debug)]
pub enum Link {
    /// The bus or the clock service does not answer. The value is the last known state; `None` if
    /// no service has answered since the program started.
    Down(Option<Box<LastKnown>>),
    Up(Box<Up>),
}

/// The last known state of the clock.
#[derive(Clone, Debug)]
pub struct LastKnown {
    /// The state of the clock when the loss of the service was noticed.
    pub state: State,
    pub rules: Rules,
    /// The last known settings of the menu.
    pub settings: MenuSettings,
}

impl Link {
    /// Whether a service has answered since the program started.
    pub fn has_answered(&self) -> bool {
        !matches!(self, Link::Down(None))
    }

    /// The counts of the signals for which the buzzer may sound; `None` if no service answers.
    pub fn signals(&self) -> Option<Signals> {
        match self {
            Link::Up(up) => Some(up.signals),
            Link::Down(_) => None,
        }
    }

    /// The latest known settings of the menu.
    pub fn settings(&self) -> MenuSettings {
        match self {
            Link::Up(up) => up.settings,
            Link::Down(Some(last)) => last.settings,
            Link::Down(None) => MenuSettings::default(),
        }
    }

    /// Changes `Up` to `Down` with the state at the present instant. `Down` stays as it is.
    fn lose(&mut self) {
        if let Link::Up(up) = self {
            let (state, rules) = (up.state.at(monotonic_now()), up.rules);
            let settings = up.settings;
            *self = Link::Down(Some(Box::new(LastKnown { state, rules, settings })));
        }
    }
}

/// A clock service that answers.
#[derive(Clone, Debug)]
pub struct Up {
    /// The state after the latest change.
    pub state: State,
    /// Which texts the rule profile of the game allows on the display.
    pub rules: Rules,
    /// `false` while the request for the text of the rule profile has no answer; `rules` is then
    /// [`Rules::UNKNOWN`]. `true` also if the game has no rule profile or if the request failed.
    pub rules_asked: bool,
    /// The page of the menu; `None` until the service has answered what it is.
    pub page: Option<MenuPage>,
    /// The latest known settings of the menu.
    pub settings: MenuSettings,
    /// The counts of the signals for which the buzzer may sound, since the program started.
    pub signals: Signals,
}

/// Follows the service for ever, and stores in `link` what is known of the clock.
pub async fn follow(address: Address, link: watch::Sender<Link>) {
    let (first, longest) = BACK_OFF;
    let mut wait = first;
    let mut signals = Signals::default();
    loop {
        if let Ok(connection) = connect(&address).await {
            wait = first;
            let (menu_sender, menu) = watch::channel(None);
            // Each of these futures ends when the service can no longer be followed. The display
            // then shows that there is no service, and the loop connects again.
            tokio::select! {
                _ = follow_connection(&connection, &link, &mut signals, menu) => {}
                _ = menu::follow(&connection, &menu_sender) => {}
                () = hangs(&connection, &link) => {}
            }
            link.send_modify(Link::lose);
        }
        sleep(wait).await;
        wait = (wait * 2).min(longest);
    }
}

/// Connects to the bus. The timeout is needed because a stopped bus daemon accepts connections and
/// never answers.
pub async fn connect(address: &Address) -> Result<Connection> {
    let build =
        connection::Builder::address(address.clone()).method_timeout(METHOD_TIMEOUT).build();
    match timeout(METHOD_TIMEOUT, build).await {
        Ok(connection) => Ok(connection?),
        Err(_) => Err(Error::TimedOut("the bus does not answer".into())),
    }
}

/// Returns when the bus does not answer for [`BUS_TIMEOUT`] while a clock runs. A bus that does not
/// answer would not deliver the next signal of the service either. While both clocks stand, no
/// request is sent to the bus.
async fn hangs(connection: &Connection, link: &watch::Sender<Link>) {
    let Ok(bus) = DBusProxy::new(connection).await else { return };
    let mut known = link.subscribe();
    let runs = |link: &Link| matches!(link, Link::Up(up) if up.state.phase == Phase::Running);
    while known.wait_for(runs).await.is_ok() {
        // Only the timeout counts here: `follow_connection` notices an error of the connection.
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
    mut menu: watch::Receiver<menu::Known>,
) -> Result<()> {
    let mut follower = Follower::new(connection).await?;
    let mut profile = Profile::new(connection, signals).await?;
    profile.settings = link.borrow().settings();
    loop {
        let followed = {
            // The future is kept until it is ready: if it were dropped while the state is being
            // read, the read would begin again.
            let mut next = pin!(follower.next());
            loop {
                tokio::select! {
                    followed = &mut next => break followed,
                    rules = or_never(&mut profile.asked) => profile.apply(rules, link),
                    // The sender is dropped only together with this future.
                    Ok(()) = menu.changed() => {
                        profile.set_menu(menu.borrow_and_update().clone(), link);
                    }
                }
            }
        };
        messages::debug(|| described(&followed));
        match followed {
            Ok(Some(Followed::NoService)) => {
                link.send_modify(Link::lose);
            }
            Ok(Some(Followed::Transition { cause, state })) => {
                profile.signals.note(&cause, profile.state.arbiter_called_by, &state);
                profile.show(*state, link);
            }
            // This is the first state that was read from this service. A service of another boot can
            // have the same number for other texts, so they are requested in any case.
            Ok(Some(Followed::Read { state, .. })) => {
                profile.requested = None;
                profile.show(*state, link);
            }
            // Some signals were missed, and their causes are not known. Of these signals only a
            // call is counted, because the state shows it.
            Ok(Some(Followed::Missed(state))) => {
                profile.signals.note("", profile.state.arbiter_called_by, &state);
                profile.show(*state, link);
            }
            Ok(None) => return Ok(()),
            // The service is on the bus but does not answer. It is asked again after 1 s. Signals
            // that arrive before that are stored.
            Err(_) => {
                link.send_modify(Link::lose);
                let _ = timeout(BACK_OFF.1, follower.gather()).await;
            }
        }
    }
}

/// A description of what the service sent, for the log.
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

/// The largest size of the text of a rule profile, in bytes. A larger text is not used.
const LARGEST_PROFILE: usize = 64 << 10;

/// The request for the text of the rule profile, with the notation of the time control.
/// `Read::rules` is `None` if the request for the profile fails, or if the text has more than
/// [`LARGEST_PROFILE`] bytes.
type Asked = Pin<Box<dyn Future<Output = Read> + Send>>;

/// What was read of a game.
struct Read {
    rules: Option<Rules>,
    /// The notation of the time control; empty if it has none, `None` if the request failed.
    notation: Option<String>,
    /// The title of the rule profile; empty if it has none.
    title: String,
}

/// The state that was shown last, its rule profile, and the request for the text of the profile.
struct Profile<'a> {
    clock: ClockProxy<'static>,
    state: State,
    rules: Rules,
    /// The notation of the time control. Empty until it has been read, or if the control has none.
    notation: String,
    /// The title of the rule profile. Empty until it has been read, if the game has no profile, or
    /// if the profile has no title.
    title: String,
    /// The request for the text of the profile, while it has no answer.
    asked: Option<Asked>,
    /// The `texts_version` of the state for which the texts were last requested. `None` if they are
    /// requested when the next state arrives: no request was made to this service yet, or a part of
    /// the last one failed.
    requested: Option<u64>,
    /// The page of the menu, as in [`Up`].
    page: Option<MenuPage>,
    /// The settings of the menu, as in [`Up`].
    settings: MenuSettings,
    signals: &'a mut Signals,
}

impl<'a> Profile<'a> {
    async fn new(connection: &Connection, signals: &'a mut Signals) -> Result<Profile<'a>> {
        let clock = ClockProxy::builder(connection).cache_properties(CacheProperties::No);
        let clock = clock.build().await?;
        let (state, rules) = (State::default(), Rules::NONE);
        let (notation, title) = (String::new(), String::new());
        Ok(Profile {
            clock,
            state,
            rules,
            notation,
            title,
            asked: None,
            requested: None,
            page: None,
            settings: MenuSettings::default(),
            signals,
        })
    }

    /// Shows a state at once, without waiting for the profile.
    ///
    /// The texts are requested if their version (`texts_version`) is another one than that of the last
    /// request, or if that request failed. Until the answer, the state is shown with
    /// [`Rules::UNKNOWN`]. A game without a profile has [`Rules::NONE`].
    fn show(&mut self, state: State, link: &watch::Sender<Link>) {
        self.state = state;
        if self.requested != Some(self.state.texts_version) {
            self.notation.clear();
            self.title.clear();
            let has_rules = !self.state.rules.is_empty();
            self.rules = if has_rules { Rules::UNKNOWN } else { Rules::NONE };
            self.asked = Some(Box::pin(read_game(self.clock.clone(), has_rules)));
            self.requested = Some(self.state.texts_version);
        }
        self.send(link);
    }

    /// Applies the result of the request: shows the last state again, now with `rules`, unless the
    /// service was lost in the meantime. If `rules` is `None`, the state keeps
    /// [`Rules::UNKNOWN`], and the text is requested again when the next state arrives.
    fn apply(&mut self, Read { rules, notation, title }: Read, link: &watch::Sender<Link>) {
        self.asked = None;
        if rules.is_none() || notation.is_none() {
            self.requested = None;
        }
        self.notation = notation.unwrap_or_default();
        self.title = title;
        self.rules = rules.unwrap_or(Rules::UNKNOWN);
        self.send_again(link);
    }

    /// Shows the last state again, now with this menu. While the menu is not known, there is no
    /// page, and the settings stay.
    fn set_menu(&mut self, menu: menu::Known, link: &watch::Sender<Link>) {
        self.settings = menu.as_ref().map_or(self.settings, |menu| menu.settings);
        self.page = menu.map(|menu| menu.page);
        self.send_again(link);
    }

    /// Shows the last state again, unless the service was lost.
    fn send_again(&self, link: &watch::Sender<Link>) {
        if matches!(&*link.borrow(), Link::Up(_)) {
            self.send(link);
        }
    }

    /// The last state, with the notation of the time control and the title of the rule profile in
    /// place of their names: players know `40/90, G/30, +30`, and not the name of a file.
    fn shown(&self) -> State {
        let mut state = self.state.clone();
        if !self.notation.is_empty() {
            state.time_control.clone_from(&self.notation);
        }
        if !self.title.is_empty() {
            state.rules.clone_from(&self.title);
        }
        state
    }

    fn send(&self, link: &watch::Sender<Link>) {
        let up = Up {
            state: self.shown(),
            rules: self.rules,
            rules_asked: self.asked.is_none(),
            page: self.page.clone(),
            settings: self.settings,
            signals: *self.signals,
        };
        link.send_replace(Link::Up(Box::new(up)));
    }
}

/// Reads the rule profile of the game, if it has one, and the notation of its time control.
async fn read_game(clock: ClockProxy<'static>, has_rules: bool) -> Read {
    let control = clock.get_time_control().await;
    let notation = control.map(|(_name, _file, _method, notation)| notation).ok();
    let (rules, title) = match has_rules {
        true => {
            read_profile(clock).await.map_or((None, None), |(rules, title)| (Some(rules), title))
        }
        false => (Some(Rules::NONE), None),
    };
    Read { rules, notation, title: title.unwrap_or_default() }
}

async fn read_profile(clock: ClockProxy<'static>) -> Option<(Rules, Option<String>)> {
    let (_name, file) = clock.get_rules().await.ok()?;
    let read = || (Rules::of_file(&file), Rules::title_of_file(&file));
    (file.len() <= LARGEST_PROFILE).then(read)
}
