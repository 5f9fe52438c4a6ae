//! A system bus with a clock on it, and the attempts.

use super::cells::{Attempt, Names};
use super::{Kind, Outgoing, Value};
use clock_dbus::{CLOCK_INTERFACE, PATH, SERVICE};
use clock_tests::raw_client::{BUS, Received};
use clock_tests::system_bus::{BusProgram, SystemBus, Users, run_as};
use clock_tests::{Bench, Program, RawClient, program};
use rustix::process::Signal;
use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// The user of the service, and the only one who may own its name.
pub const SERVICE_USER: &str = "chess-clock";

pub struct Fixture {
    /// The clients of each user, which are kept until the end.
    clients: HashMap<String, RawClient>,
    /// Receives every signal that it can.
    subscriber: RawClient,
    /// Receives the signals of the service and those of the bus.
    trusting: RawClient,
    /// The number of the last marker.
    marker: u32,
    pub names: Names,
    pub clockd: Program,
    pub bus: SystemBus,
    pub users: Users,
    pub bench: TestBench,
}

/// A bench whose clock is asked by root.
pub struct TestBench(pub Bench);

impl TestBench {
    /// What `clockctl status --json` prints, without what changes with time.
    pub fn ctl_status(&self) -> serde_json::Value {
        let mut status = self.0.status().unwrap();
        status.as_object_mut().unwrap().retain(|key, _| !key.contains("at_n") && key != "now");
        status
    }
}

fn repository(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The users of the installed system, an arbiter, a player, and the user of the kiosk's display.
fn users() -> Users {
    let sysusers = std::fs::read_to_string(repository("systemd/chess-clock.sysusers")).unwrap();
    Users::new(
        &sysusers,
        &[("arbiter", Some("arbiter")), ("player", None), ("clock-display", None)],
    )
}

impl Fixture {
    pub fn new(which: BusProgram) -> Fixture {
        let (bench, users) = (Bench::new().unwrap(), users());
        let policy = repository("systemd/org.chessclock.Clock1.conf").canonicalize().unwrap();
        let bus = SystemBus::start(bench.folder(), which, &users, &policy).unwrap();
        // The folder of the build may be closed to other users. Another process copies the program: a file that
        // this process has open for writing cannot be executed while a child of the other test still has it.
        let clockd = bench.folder().join("clockd");
        let copied = Command::new("cp").arg(program("clockd")).arg(&clockd).status().unwrap();
        assert!(copied.success(), "{copied}");
        let mut command = Command::new(clockd);
        command.args(["--bus", &bench.address(), "--gpio"]);
        command.arg(format!("sim:{}", bench.socket().display()));
        command.arg("--config").arg(bench.folder().join("clockd.toml")).stdin(Stdio::null());
        run_as(&mut command, users.find(SERVICE_USER));
        let clockd = bench.start(command).unwrap();

        let display = users.find("clock-display");
        let connect = || bus.connect(display).unwrap();
        let (mut subscriber, mut trusting) = (connect(), connect());
        add_match(&mut subscriber, "type='signal'");
        for sender in [SERVICE, BUS] {
            add_match(&mut trusting, &format!("type='signal',sender='{sender}'"));
        }
        let names = names(&mut trusting, users.find(SERVICE_USER).id, subscriber.name.clone());
        let clients = HashMap::new();
        let bench = TestBench(bench);
        Fixture { clients, subscriber, trusting, marker: 0, names, clockd, bus, users, bench }
    }

    /// Tries it as this user, and says in a word what came of it.
    pub fn attempt(&mut self, user: &str, attempt: &Attempt) -> String {
        match attempt {
            Attempt::Call(call) => {
                let answer = self.client(user).call(call);
                self.settle(user, answer.map(|answer| self.told(&answer)))
            }
            Attempt::Signal(signal) => self.signal(user, signal),
            Attempt::ForgedAnswer { is_error } => self.forged_answer(user, *is_error),
            Attempt::Eavesdrop { rule } => self.eavesdrop(user, rule),
            Attempt::BecomeMonitor => self.become_monitor(user),
        }
    }

    /// The client of this user.
    pub fn client(&mut self, user: &str) -> &mut RawClient {
        let (bus, users) = (&self.bus, &self.users);
        let new = || bus.connect(users.find(user)).unwrap();
        self.clients.entry(user.to_owned()).or_insert_with(new)
    }

    /// The outcome. A connection that the bus has ended is forgotten.
    fn settle(&mut self, user: &str, outcome: std::io::Result<String>) -> String {
        outcome.unwrap_or_else(|_| {
            self.clients.remove(user);
            "disconnected".to_owned()
        })
    }

    /// An answer in a word: who gave it, and what kind of answer it is.
    fn told(&self, answer: &Received) -> String {
        let is_from_service = [&self.names.service, &self.names.second].contains(&&answer.sender);
        let standard = "org.freedesktop.DBus.Error.";
        let outcome = match (is_from_service, answer.kind) {
            (true, Kind::Return) => "reply",
            (true, _) => match answer.error_name.strip_prefix(standard) {
                Some("PropertyReadOnly") => "read-only",
                Some(name) if name.starts_with("Unknown") => "unknown",
                // The service refuses the arguments.
                _ => "refused",
            },
            (false, Kind::Return) => match answer.number() {
                Some(1) => "owner",
                Some(2) => "not-owned",
                Some(3) => "owned-already",
                _ => "bus-reply",
            },
            (false, _) => match answer.error_name.strip_prefix(standard) {
                Some("AccessDenied") => "denied",
                Some(other) => return format!("bus-error-{other}"),
                None => return format!("bus-error-{}", answer.error_name),
            },
        };
        outcome.to_owned()
    }

    fn signal(&mut self, user: &str, signal: &Outgoing) -> String {
        self.marker += 1;
        let marker = format!("marker {}", self.marker);
        let signal = signal.clone().body(vec![Value::text(&marker)]);
        let client = self.client(user);
        let sent = client.send(&signal).and_then(|_| client.synchronize());
        let own = client.name.clone();
        if sent.is_err() {
            return self.settle(user, sent.map(|()| String::new()));
        }
        let mut senders = Vec::new();
        for receiver in [&mut self.subscriber, &mut self.trusting] {
            receiver.synchronize().unwrap();
            let forged = receiver.received().into_iter();
            let forged = forged.filter(|message| message.text().as_ref() == Some(&marker));
            senders.extend(forged.map(|message| (message.sender, receiver.name.clone())));
        }
        // The bus says whose message it is, and passes it to nobody who asks for those of the service.
        let is_harmless =
            |(sender, to): &(String, String)| *sender == own && *to == self.subscriber.name;
        match senders.as_slice() {
            [] => "dropped",
            [one] if is_harmless(one) => "delivered",
            _ => "believed",
        }
        .to_owned()
    }

    /// Another program waits for an answer of the service, and this user answers first.
    fn forged_answer(&mut self, user: &str, is_error: bool) -> String {
        self.clockd.signal(Signal::STOP).unwrap();
        let call = Outgoing::call(SERVICE, PATH, CLOCK_INTERFACE, "GetTimeControl");
        let serial = self.subscriber.send(&call).unwrap();
        self.subscriber.synchronize().unwrap();
        let to = self.subscriber.name.clone();
        let forged = match is_error {
            false => Outgoing::reply(&to, serial),
            true => Outgoing::error(&to, serial, "org.chessclock.Clock1.Error.Busy"),
        };
        let service = self.names.service.clone();
        let client = self.client(user);
        let sent = client.send(&forged).and_then(|_| client.synchronize());
        // The same under the name of the service. A bus may end the connection for that.
        let _ = client.send(&forged.from(&service)).and_then(|_| client.synchronize());
        self.clients.remove(user);
        self.subscriber.synchronize().unwrap();
        let early = self.subscriber.received().into_iter();
        let early = early.filter(|message| message.reply_serial == Some(serial)).count();
        self.clockd.signal(Signal::CONT).unwrap();
        if sent.is_err() {
            return "disconnected".to_owned();
        }
        if early > 0 {
            return "delivered".to_owned();
        }
        assert_eq!(self.subscriber.answer(serial).unwrap().sender, service);
        "dropped".to_owned()
    }

    /// The subscriber calls the service; this user asks for a copy of the answer.
    fn eavesdrop(&mut self, user: &str, rule: &str) -> String {
        let mut client = self.bus.connect(self.users.find(user)).unwrap();
        let rules = [rule.to_owned(), format!("type='method_return',{rule}")];
        for rule in rules {
            let rule = rule.trim_end_matches(',').to_owned();
            // A bus may refuse the rule.
            let _ = client.ask_bus("AddMatch", vec![Value::text(rule)]).unwrap();
        }
        self.call_of_the_subscriber();
        client.synchronize().unwrap();
        let heard = client.received();
        let of_others = |message: &&Received| message.reply_serial.is_some();
        if heard.iter().any(|message| of_others(&message)) { "heard" } else { "not-heard" }
            .to_owned()
    }

    fn call_of_the_subscriber(&mut self) {
        let call = Outgoing::call(SERVICE, PATH, CLOCK_INTERFACE, "GetTimeControl");
        assert_eq!(self.subscriber.call(&call).unwrap().kind, Kind::Return);
    }

    fn become_monitor(&mut self, user: &str) -> String {
        let mut client = self.bus.connect(self.users.find(user)).unwrap();
        let interface = "org.freedesktop.DBus.Monitoring";
        let call = Outgoing::call(BUS, "/org/freedesktop/DBus", interface, "BecomeMonitor");
        let body = vec![Value::Array("s".to_owned(), Vec::new()), Value::U32(0)];
        let answer = client.call(&call.body(body)).unwrap();
        self.told(&answer)
    }
}

fn add_match(client: &mut RawClient, rule: &str) {
    let answer = client.ask_bus("AddMatch", vec![Value::text(rule)]).unwrap();
    assert_eq!(answer.kind, Kind::Return, "{answer:?}");
}

/// Asks the bus for the connections of the service.
fn names(client: &mut RawClient, uid: u32, subscriber: String) -> Names {
    let owner = client.ask_bus("GetNameOwner", vec![Value::text(SERVICE)]).unwrap();
    let service = owner.text().unwrap();
    let all = client.ask_bus("ListNames", Vec::new()).unwrap().texts().unwrap();
    let mut of_user = |name: &String| {
        let user = client.ask_bus("GetConnectionUnixUser", vec![Value::text(name)]).unwrap();
        user.number() == Some(uid)
    };
    let unique = all.into_iter().filter(|name| name.starts_with(':') && *name != service);
    let second = unique.into_iter().find(|name| of_user(name)).unwrap();
    let introspect =
        Outgoing::call(SERVICE, PATH, "org.freedesktop.DBus.Introspectable", "Introspect");
    let introspection = client.call(&introspect).unwrap().text().unwrap();
    Names { service, second, subscriber, introspection }
}
