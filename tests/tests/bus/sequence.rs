//! `Sequence`: how a client joins a state that it has read and the signals after it.

use super::*;
use clock_dbus::CLOCK_INTERFACE;
use clock_tests::FAST_DEBOUNCE;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use zbus::message::Message;

/// After this number of moves, the test waits until the client has seen them. The number is far
/// below the number of publications that can wait, so that none is dropped.
const BATCH: u32 = 60;
const BATCHES: u32 = 8;

/// The changed properties of a `PropertiesChanged`.
fn changes(message: &Message) -> HashMap<String, OwnedVariant> {
    let (interface, changes, _): (String, HashMap<String, OwnedVariant>, Vec<String>) =
        message.body().deserialize().unwrap();
    assert_eq!(interface, CLOCK_INTERFACE);
    changes
}

fn number(changes: &HashMap<String, OwnedVariant>) -> u64 {
    changes["Sequence"].clone().try_into().unwrap()
}

async fn signals(connection: &Connection) -> MessageStream {
    let rule = MatchRule::builder().msg_type(Type::Signal).path(clock_dbus::PATH).build().unwrap();
    MessageStream::for_match_rule(rule, connection, NonZero::new(4096)).await.unwrap()
}

async fn get_all_properties(connection: &Connection) -> HashMap<String, OwnedVariant> {
    let (bus, path) = (Some(clock_dbus::SERVICE), clock_dbus::PATH);
    let interface = Some("org.freedesktop.DBus.Properties");
    let body = &(CLOCK_INTERFACE,);
    let reply = connection.call_method(bus, path, interface, "GetAll", body).await.unwrap();
    let mut all: HashMap<String, OwnedVariant> = reply.body().deserialize().unwrap();
    all.remove("Version");
    all
}

/// Plays moves as fast as the debounce lets it, and waits after each batch until the client has
/// seen it.
fn play(mut buttons: clock_tests::Buttons, seen: &AtomicU32) {
    for batch in 1..=BATCHES {
        for _ in 0..BATCH / 2 {
            buttons.tap("white").unwrap();
            buttons.tap("black").unwrap();
        }
        while seen.load(Ordering::Relaxed) < batch * BATCH {
            std::thread::yield_now();
        }
    }
}

fn has_all_moves(state: &State) -> bool {
    moves(state) == BATCHES * BATCH
}

fn moves(state: &State) -> u32 {
    state.white.moves + state.black.moves
}

/// The signals that were received, by the sequence number of their change. On a busy machine a
/// fault can come or go during the test. This is a change with a number of its own, and it is
/// handled like the others.
#[derive(Default)]
struct Followed {
    transitions: BTreeMap<u64, State>,
    changed: BTreeMap<u64, HashMap<String, OwnedVariant>>,
}

impl Followed {
    /// Reads signals until `is_last` is true for the state of a `Transition`. The
    /// `PropertiesChanged` of the same change is sent before it and has therefore been read as
    /// well.
    async fn until(
        &mut self,
        signals: &mut MessageStream,
        seen: &AtomicU32,
        is_last: impl Fn(&State) -> bool,
    ) {
        while !self.transitions.last_key_value().is_some_and(|(_, state)| is_last(state)) {
            let message = signals.next().await.unwrap().unwrap();
            match message.header().member().unwrap().as_str() {
                "PropertiesChanged" => {
                    let changes = changes(&message);
                    self.changed.insert(number(&changes), changes);
                }
                "Transition" => {
                    let (cause, state): (String, State) = message.body().deserialize().unwrap();
                    assert_ne!(cause, "missed");
                    seen.store(moves(&state), Ordering::Relaxed);
                    self.transitions.insert(state.sequence, state);
                }
                other => assert_eq!(other, "FaultListChanged"),
            }
        }
    }
}

#[tokio::test]
async fn a_state_read_amid_changes_and_the_signals_after_it_give_the_present_state_without_a_gap() {
    let bench = Bench::new().unwrap();
    bench.configure(FAST_DEBOUNCE).unwrap();
    let fixture = fixture_on(bench, &["--control", "blitz-3-2"]).await;
    let mut signals = signals(&fixture.connection).await;
    let first = fixture.state().await.sequence;
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.tap("black").unwrap();
    let seen = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&seen);
    let player = std::thread::spawn(move || play(buttons, &counted));

    // A second client reads the state again and again while the changes go on.
    let reader = async {
        let connection = connection::Builder::address(fixture.bench.address().as_str());
        let connection = connection.build().await.unwrap();
        let clock = ClockProxy::new(&connection).await.unwrap();
        let (mut states, mut properties) = (Vec::new(), Vec::new());
        while !states.last().is_some_and(has_all_moves) {
            states.push(clock.get_state().await.unwrap());
            properties.push(get_all_properties(&connection).await);
        }
        (states, properties)
    };
    let mut followed = Followed::default();
    let follower = followed.until(&mut signals, &seen, has_all_moves);
    let ((states, properties), ()) = tokio::join!(reader, follower);
    player.join().unwrap();
    // If a fault has come or gone after the last move, the reader can have read a newer state than
    // the follower. The follower therefore reads on until it has that state as well.
    let newest = number(properties.last().unwrap());
    followed.until(&mut signals, &seen, |state| state.sequence >= newest).await;
    let Followed { mut transitions, mut changed } = followed;
    // Changes between the subscription and the first reading of the state are not part of the test.
    transitions.retain(|sequence, _| *sequence > first);
    changed.retain(|sequence, _| *sequence > first);
    let last = *transitions.keys().last().unwrap();

    // Every change has a Transition and a PropertiesChanged of its own, and no number is left out.
    assert!(transitions.keys().copied().eq(first + 1..=last), "{:?}", transitions.keys());
    assert!(changed.keys().copied().eq(first + 1..=last), "{:?}", changed.keys());
    let mut joined_amid = 0;
    for (state, properties) in states.iter().zip(&properties) {
        joined_amid += u64::from((first + 2..last).contains(&state.sequence));
        if let Some(transition) = transitions.get(&state.sequence) {
            assert_eq!(state, transition);
        }
        let from = number(properties);
        let mut followed = properties.clone();
        for changes in changed.range(from + 1..).map(|(_, changes)| changes) {
            followed.extend(changes.clone());
        }
        assert_eq!(followed, properties_of(&transitions[&last]), "joined at {from}");
    }
    assert!(joined_amid > 0, "no state was read while the changes went on");
}

/// The state as the properties that it consists of.
fn properties_of(state: &State) -> HashMap<String, OwnedVariant> {
    let body = Message::signal("/", "a.b", "C").build(state).unwrap();
    body.body().deserialize().unwrap()
}

#[tokio::test]
async fn every_signal_of_a_change_has_its_number_and_what_changes_nothing_has_none() {
    let fixture = fixture(&["--control", "blitz-3-2"]).await;
    let arbiter = fixture.arbiter().await;
    let mut signals = signals(&fixture.connection).await;
    let mut buttons = fixture.bench.buttons().unwrap();
    // A refused command and a press that does nothing are not published.
    assert!(arbiter.start(9, "").await.is_err());
    buttons.press("white").unwrap();
    assert_eq!(fixture.state().await.sequence, 1);
    buttons.press("black").unwrap();
    buttons.press("call").unwrap();
    let time = Corrections { white_time_nsec: Some(1), ..Corrections::default() };
    let revision = fixture.state().await.revision;
    let revision = arbiter.set(time, revision, "").await.unwrap().revision;
    arbiter.resume(None, revision, "").await.unwrap();

    let mut told = Vec::new();
    while told.last().is_none_or(|(name, _): &(String, u64)| name != "FlagFell") {
        let message = signals.next().await.unwrap().unwrap();
        let name = message.header().member().unwrap().to_string();
        let body = message.body();
        let sequence = match name.as_str() {
            "PropertiesChanged" => number(&changes(&message)),
            "Transition" => body.deserialize::<(String, State)>().unwrap().1.sequence,
            "ArbiterCalled" => body.deserialize::<(Who, u64, u64)>().unwrap().2,
            "FlagFell" => body.deserialize::<(Who, u32, u64, bool, u64)>().unwrap().4,
            other => panic!("{other}"),
        };
        told.push((name, sequence));
    }
    let told: Vec<_> = told.iter().map(|(name, sequence)| (name.as_str(), *sequence)).collect();
    let (changed, transition) = ("PropertiesChanged", "Transition");
    let mut expected: Vec<_> =
        (2..=6).flat_map(|sequence| [(changed, sequence), (transition, sequence)]).collect();
    expected.insert(4, ("ArbiterCalled", 3));
    expected.push(("FlagFell", 6));
    assert_eq!(told, expected);
}

#[tokio::test]
async fn the_numbers_go_on_when_the_bus_is_restarted() {
    let bench = Bench::new().unwrap();
    let mut fixture = fixture_on(bench, &["--control", "blitz-3-2"]).await;
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.press("black").unwrap();
    assert_eq!(fixture.state().await.sequence, 2);
    fixture.bus.kill().unwrap();
    buttons.press("white").unwrap();
    fixture.bus = fixture.bench.bus().unwrap();
    let connection = connection::Builder::address(fixture.bench.address().as_str());
    fixture.connection = connection.build().await.unwrap();
    let mut signals = signals(&fixture.connection).await;
    let back = tokio::time::timeout(clock_tests::DEADLINE, async {
        loop {
            if let Ok(state) = fixture.clock().await.get_state().await {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert_eq!(back.await.unwrap().sequence, 3);
    buttons.press("black").unwrap();
    // The change that happened without a bus is not signalled later with its old number.
    let message = signals.next().await.unwrap().unwrap();
    assert_eq!(number(&changes(&message)), 4);
}
