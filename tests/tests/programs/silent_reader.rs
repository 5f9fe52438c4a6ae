//! Programs that call without pause and read no answers, on `dbus-daemon` and on `dbus-broker`.
//! They run as a user without rights, or as another arbiter. Meanwhile the commands of an arbiter
//! must be carried out with the instant at which they were sent, and the signals of presses must
//! arrive.

use super::bus_policy::{clockd, policy, users};
use clock_bus_policy::User;
use clock_dbus::{
    ARBITER_INTERFACE, ARBITER_SERVICE, CLOCK_INTERFACE, HISTORY_INTERFACE, PATH, SERVICE,
};
use clock_test_bus::RawClient;
use clock_test_bus::raw_client::{Kind, Outgoing, Value};
use clock_tests::system_bus::{BusProgram, SystemBus, can_be_other_users};
use clock_tests::{Bench, Buttons, Program, eventually};
use rustix::process::Signal;
use rustix::time::{ClockId, clock_gettime};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How many programs call at the same time.
const CALLERS: usize = 4;
/// How many presses, and how many pauses, are measured.
const ROUNDS: usize = 6;
/// The longest time that the signal of a press, or a command, may take, in nanoseconds. When all callers
/// shared one queue, both took up to 13 s. On a busy machine the processor time of the service and the
/// bus in that time counts, if it is shorter: other programs do not change it.
const LIMIT: u64 = 3_000_000_000;

/// How long a button is down, and then up: longer than the debounce needs for either.
const HOLD: Duration = Duration::from_millis(60);

fn monotonic_now() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    u64::try_from(now.tv_sec).unwrap() * 1_000_000_000 + u64::try_from(now.tv_nsec).unwrap()
}

/// The calls of a user without rights whose answers are the largest.
fn reading_calls(_: &str) -> Vec<Outgoing> {
    let introspect =
        Outgoing::call(SERVICE, PATH, "org.freedesktop.DBus.Introspectable", "Introspect");
    let entries = Outgoing::call(SERVICE, PATH, HISTORY_INTERFACE, "ReadEntries").body(vec![
        Value::U64(0),
        Value::U64(0),
        Value::U32(200),
    ]);
    vec![Outgoing::call(SERVICE, PATH, CLOCK_INTERFACE, "GetState"), introspect, entries]
}

/// A command that is always refused.
fn refused_command(_: &str) -> Vec<Outgoing> {
    let start = Outgoing::call(ARBITER_SERVICE, PATH, ARBITER_INTERFACE, "Start");
    vec![start.body(vec![Value::U64(0), Value::text("")])]
}

/// A signal that is sent to the connection with the name `service`.
fn signal_to(service: &str) -> Vec<Outgoing> {
    let signal = Outgoing::signal("/org/example", "org.example.Free", "Free").to(service);
    vec![signal.body(vec![Value::Text("x".repeat(100_000))])]
}

/// Sends these calls until `over` is set, and reads nothing.
fn call_without_reading(user: &User, calls: &[Outgoing], socket: &Path, over: &AtomicBool) {
    while !over.load(Ordering::Acquire) {
        // The bus may end the connection of a program that does not read.
        let Ok(mut client) = user.connect(socket) else { continue };
        client.stream().set_write_timeout(Some(Duration::from_millis(100))).unwrap();
        for call in calls.iter().cycle() {
            if over.load(Ordering::Acquire) {
                return;
            }
            match client.send(call) {
                Ok(_) => {}
                // Part of a message may have been sent, so this connection is of no more use.
                Err(_) => break,
            }
        }
    }
}

/// The processes that take part in an answer: the service and the bus.
struct Processes(Vec<u32>);

impl Processes {
    fn of(clockd: &Program, bus: &SystemBus) -> Processes {
        let mut found = vec![clockd.id(), bus.id()];
        let mut next = 1;
        while let Some(id) = found.get(next) {
            let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
            found.extend(children.unwrap().split_whitespace().map(|id| id.parse::<u32>().unwrap()));
            next += 1;
        }
        Processes(found)
    }

    /// Their processor time so far, in nanoseconds.
    fn used(&self) -> u64 {
        let used = |id: &u32| clock_tests::processor_time(*id).unwrap().as_nanos();
        u64::try_from(self.0.iter().map(used).sum::<u128>()).unwrap()
    }
}

/// Sends a command of the arbiter, again if the service is busy: on a busy machine the commands before it
/// can take longer than it waits for its turn (0.5 s). Returns the instant at which it was first sent.
fn command(client: &mut RawClient, name: &str, reason: Vec<Value>) -> u64 {
    let revision = property(client, "Revision");
    let mut body = reason;
    body.extend([Value::U64(revision), Value::text("test")]);
    let call = Outgoing::call(ARBITER_SERVICE, PATH, ARBITER_INTERFACE, name).body(body);
    let sent = monotonic_now();
    eventually(name, || {
        let answer = client.call(&call).unwrap();
        let is_busy = answer.error_name == "org.chessclock.Clock1.Error.Busy";
        assert!(answer.kind == Kind::Return || is_busy, "{name}: {answer:?}");
        (!is_busy).then_some(())
    });
    sent
}

fn property(client: &mut RawClient, name: &str) -> u64 {
    let body = vec![Value::text(CLOCK_INTERFACE), Value::text(name)];
    let get =
        Outgoing::call(ARBITER_SERVICE, PATH, "org.freedesktop.DBus.Properties", "Get").body(body);
    client.call(&get).unwrap().number_in_variant().unwrap()
}

/// Waits for the signal of the next change.
fn next_transition(subscriber: &mut RawClient) {
    while subscriber.receive().unwrap().member != "Transition" {}
}

/// Presses a button. Returns the time from the stamp of the press until its signal was received, in
/// nanoseconds. The subscriber must have received the signals of all earlier changes.
fn press(buttons: &mut Buttons, button: &str, subscriber: &mut RawClient) -> u64 {
    let stamp = buttons.edge(&format!("{button} down")).unwrap();
    next_transition(subscriber);
    let took = monotonic_now().saturating_sub(stamp);
    std::thread::sleep(HOLD);
    buttons.edge(&format!("{button} up")).unwrap();
    std::thread::sleep(HOLD);
    took
}

/// Pauses and resumes a game and plays in it while others flood the service.
fn game(which: BusProgram, caller: &str, calls: fn(&str) -> Vec<Outgoing>) {
    if !can_be_other_users(&format!("a flood of calls on {which:?}")) {
        return;
    }
    let (bench, users) = (Bench::new().unwrap(), users());
    let bus = SystemBus::start(bench.folder(), which, &users, &policy()).unwrap();
    let clockd = clockd(&bench, &users);
    let processes = Processes::of(&clockd, &bus);
    let [arbiter, caller] = ["arbiter", caller].map(|name| users.find(name).unwrap());
    let mut subscriber = arbiter.connect(bus.socket()).unwrap();
    let rule = format!("type='signal',interface='{CLOCK_INTERFACE}'");
    subscriber.ask_bus("AddMatch", vec![Value::Text(rule)]).unwrap();
    let mut arbiter = arbiter.connect(bus.socket()).unwrap();
    let owner = arbiter.ask_bus("GetNameOwner", vec![Value::text(ARBITER_SERVICE)]).unwrap();
    let calls = calls(&owner.text().unwrap());
    let mut buttons = bench.buttons().unwrap();
    press(&mut buttons, "black", &mut subscriber);
    let over = AtomicBool::new(false);
    let (signals, pauses) = std::thread::scope(|scope| {
        for _ in 0..CALLERS {
            scope.spawn(|| call_without_reading(&caller, &calls, bus.socket(), &over));
        }
        let measured = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let (mut signals, mut pauses) = (Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                for button in ["white", "black"] {
                    let before = processes.used();
                    let took = press(&mut buttons, button, &mut subscriber);
                    signals.push(took.min(processes.used() - before));
                }
                let before = processes.used();
                let sent = command(&mut arbiter, "Pause", vec![Value::text("")]);
                let used = processes.used() - before;
                pauses.push(property(&mut arbiter, "AtNSec").saturating_sub(sent).min(used));
                next_transition(&mut subscriber);
                command(&mut arbiter, "Resume", vec![Value::text("")]);
                next_transition(&mut subscriber);
            }
            (signals, pauses)
        }));
        over.store(true, Ordering::Release);
        measured.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    let most = |times: &[u64]| times.iter().max().copied().unwrap() / 1_000_000;
    let _ = writeln!(
        std::io::stderr(),
        "{which:?}: signals {} ms after the press at most, pauses {} ms after they were sent",
        most(&signals),
        most(&pauses)
    );
    assert!(signals.iter().all(|took| *took < LIMIT), "{which:?}: {signals:?}");
    assert!(pauses.iter().all(|took| *took < LIMIT), "{which:?}: {pauses:?}");
}

#[test]
fn callers_that_read_no_answers_delay_neither_commands_nor_signals_on_dbus_daemon() {
    game(BusProgram::DbusDaemon, "nobody", reading_calls);
}

#[test]
fn callers_that_read_no_answers_delay_neither_commands_nor_signals_on_dbus_broker() {
    game(BusProgram::DbusBroker, "nobody", reading_calls);
}

#[test]
fn an_arbiter_whose_commands_are_refused_delays_no_other_arbiter_on_dbus_daemon() {
    game(BusProgram::DbusDaemon, "deputy", refused_command);
}

#[test]
fn an_arbiter_whose_commands_are_refused_delays_no_other_arbiter_on_dbus_broker() {
    game(BusProgram::DbusBroker, "deputy", refused_command);
}

/// While the service reads nothing, one arbiter sends 20 MB of commands. `dbus-broker` refuses the
/// commands that exceed its limit, so no other arbiter's command waits behind all of them.
#[test]
fn dbus_broker_lets_16_mib_of_commands_wait_at_most() {
    const SIZE: usize = 100_000;
    if !can_be_other_users("the limit of dbus-broker") {
        return;
    }
    let (bench, users) = (Bench::new().unwrap(), users());
    let bus = SystemBus::start(bench.folder(), BusProgram::DbusBroker, &users, &policy()).unwrap();
    let clockd = clockd(&bench, &users);
    let mut deputy = users.find("deputy").unwrap().connect(bus.socket()).unwrap();
    property(&mut deputy, "Revision");
    clockd.signal(Signal::STOP).unwrap();
    let start = Outgoing::call(ARBITER_SERVICE, PATH, ARBITER_INTERFACE, "Start");
    let start = start.body(vec![Value::U64(0), Value::Text("x".repeat(SIZE))]);
    let serials: Vec<u32> = (0..200).map(|_| deputy.send(&start).unwrap()).collect();
    deputy.synchronize().unwrap();
    clockd.signal(Signal::CONT).unwrap();
    let last = deputy.received().pop().unwrap();
    assert_eq!(last.error_name, "org.freedesktop.DBus.Error.LimitsExceeded");
    assert_eq!(last.reply_serial, serials.last().copied());
}

#[test]
fn signals_to_the_service_delay_no_arbiter() {
    game(BusProgram::DbusDaemon, "nobody", signal_to);
}
