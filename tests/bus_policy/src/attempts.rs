//! Makes attempts on a running bus, each as one user, and names the outcomes with the words of the
//! table expected.txt.

use crate::User;
use crate::cells::{Attempt, Names};
use anyhow::{Context, Result, ensure};
use clock_dbus::{
    ARBITER_INTERFACE, ARBITER_SERVICE, CLOCK_INTERFACE, HISTORY_INTERFACE, PATH, SERVICE,
};
use clock_test_bus::RawClient;
use clock_test_bus::raw_client::{BUS, Kind, Outgoing, Received, Value};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The user whose clients receive what others send.
const RECEIVER: &str = "player";
/// The user of the face, who receives signals of the service and of the bus only.
const FACE: &str = "clock-display";
/// How long a signal of the service, or the opening of the record, may take.
const TIMEOUT: Duration = Duration::from_secs(30);
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";

pub struct Attempts<Find> {
    socket: PathBuf,
    /// Returns the user for a name in the table expected.txt.
    user: Find,
    /// The clients of each user, which are kept until the end.
    clients: HashMap<String, RawClient>,
    /// Receives every signal that it can.
    subscriber: RawClient,
    /// Receives the signals of the service and those of the bus.
    trusting: RawClient,
    /// A client of the face's user that asks for every signal.
    face: RawClient,
    /// The number in the last marker. A marker is the text in a forged signal by which the signal
    /// is recognized.
    marker: u32,
    pub names: Names,
}

impl<Find: Fn(&str) -> Result<User>> Attempts<Find> {
    pub fn new(socket: &Path, user: Find) -> Result<Attempts<Find>> {
        let receiver = user(RECEIVER)?;
        let (mut subscriber, mut trusting) = (receiver.connect(socket)?, receiver.connect(socket)?);
        let mut face = user(FACE)?.connect(socket)?;
        add_match(&mut subscriber, "type='signal'")?;
        add_match(&mut face, "type='signal'")?;
        for sender in [SERVICE, BUS] {
            add_match(&mut trusting, &format!("type='signal',sender='{sender}'"))?;
        }
        let names = names(&mut trusting, subscriber.name.clone(), face.name.clone())?;
        let (socket, clients) = (socket.to_owned(), HashMap::new());
        Ok(Attempts { socket, user, clients, subscriber, trusting, face, marker: 0, names })
    }

    /// The name of the program that is the bus.
    pub fn bus(&mut self) -> Result<String> {
        let pid = process(&mut self.trusting, BUS)?;
        let program = std::fs::read_link(format!("/proc/{pid}/exe"))?;
        let name = program.file_name().context("a program has a name")?.to_string_lossy();
        // Asked for its own process, dbus-broker names its launcher, `dbus-broker-launch`.
        Ok(name.trim_end_matches("-launch").to_owned())
    }

    /// Waits until the service answers from its record. It opens the record after it has its name
    /// on the bus, and until then it refuses to read it.
    pub fn record_is_open(&mut self) -> Result<()> {
        let game = Outgoing::call(SERVICE, PATH, HISTORY_INTERFACE, "GetGame");
        let game = game.body(vec![Value::U64(0)]);
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let answer = self.trusting.call(&game)?;
            if answer.kind == Kind::Return {
                return Ok(());
            }
            ensure!(Instant::now() < deadline, "the record cannot be read: {answer:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The state of the clock as the service encodes it, so that nothing of it is left out of a
    /// comparison.
    pub fn state(&mut self) -> Result<Vec<u8>> {
        let state = Outgoing::call(SERVICE, PATH, CLOCK_INTERFACE, "GetState");
        Ok(returned(self.trusting.call(&state)?)?.body)
    }

    /// Makes the attempt as this user. Returns the outcome as a word of the table.
    pub fn attempt(&mut self, user: &str, attempt: &Attempt) -> Result<String> {
        match attempt {
            Attempt::Call(call) => {
                let answer = self.client(user)?.call(call);
                Ok(self.settle(user, answer.map(|answer| self.told(&answer))))
            }
            Attempt::Signal(signal) => self.signal(user, signal),
            Attempt::ForgedAnswer { is_error } => self.forged_answer(user, *is_error),
            Attempt::Eavesdrop { rule } => self.eavesdrop(user, rule),
            Attempt::BecomeMonitor => self.become_monitor(user),
        }
    }

    /// Sends a valid command that asks for no answer, and says whether the clock has carried it
    /// out.
    pub fn command_without_an_answer(&mut self, user: &str) -> Result<&'static str> {
        let before = self.state()?;
        let property = vec![Value::text(CLOCK_INTERFACE), Value::text("Revision")];
        let get = Outgoing::call(SERVICE, PATH, PROPERTIES, "Get").body(property);
        let revision = self.trusting.call(&get)?.number_in_variant().context("no revision")?;
        let command = |revision| {
            Outgoing::call(SERVICE, PATH, ARBITER_INTERFACE, "Add").body(vec![
                Value::text("white"),
                Value::I64(1_000_000_000),
                Value::U64(revision),
                Value::text(format!("of {user}")),
            ])
        };
        let client = self.client(user)?;
        client.send(&command(revision).without_answer())?;
        // The clock loop takes commands in their order. So this second command, whose revision is
        // wrong, is refused only after the first one was carried out. If the user may not give
        // commands, the bus refuses both.
        let refused = client.call(&command(u64::MAX))?;
        ensure!(refused.kind == Kind::Error, "{refused:?}");
        if self.state()? == before {
            return Ok("ignored");
        }
        self.face_hears_the_service_and_the_bus()?;
        Ok("done")
    }

    /// Waits until the face has received a signal of the service, and a signal of the bus about a
    /// program that has connected.
    fn face_hears_the_service_and_the_bus(&mut self) -> Result<()> {
        let _connects = self.another_client(RECEIVER)?;
        let deadline = Instant::now() + TIMEOUT;
        let (mut service, mut bus) = (false, false);
        while !(service && bus) {
            ensure!(Instant::now() < deadline, "the face hears: service {service}, bus {bus}");
            self.face.synchronize()?;
            for signal in self.face.received() {
                service |= signal.reply_serial.is_none() && signal.sender == self.names.service;
                bus |= signal.reply_serial.is_none() && signal.sender == BUS;
            }
        }
        Ok(())
    }

    /// The client of this user.
    fn client(&mut self, user: &str) -> Result<&mut RawClient> {
        if !self.clients.contains_key(user) {
            self.clients.insert(user.to_owned(), self.another_client(user)?);
        }
        Ok(self.clients.get_mut(user).expect("inserted above"))
    }

    /// A new client of this user. It is not in `clients`, so no other attempt uses it.
    fn another_client(&self, user: &str) -> Result<RawClient> {
        (self.user)(user)?.connect(&self.socket)
    }

    /// Returns the outcome as a word of the table. An error means that the bus has ended the user's
    /// connection: the word is then `disconnected`, and the client is forgotten.
    fn settle(&mut self, user: &str, outcome: io::Result<String>) -> String {
        outcome.unwrap_or_else(|_| {
            self.clients.remove(user);
            "disconnected".to_owned()
        })
    }

    /// An answer in a word: who gave it, and what kind of answer it is.
    fn told(&self, answer: &Received) -> String {
        let is_from_service = [&self.names.service, &self.names.arbiters, &self.names.second]
            .contains(&&answer.sender);
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

    fn signal(&mut self, user: &str, signal: &Outgoing) -> Result<String> {
        self.marker += 1;
        let marker = format!("marker {}", self.marker);
        let signal = signal.clone().body(vec![Value::text(&marker)]);
        let client = self.client(user)?;
        let sent = client.send(&signal).and_then(|_| client.synchronize());
        let own = client.name.clone();
        if sent.is_err() {
            return Ok(self.settle(user, sent.map(|()| String::new())));
        }
        let mut senders = Vec::new();
        for receiver in [&mut self.subscriber, &mut self.trusting, &mut self.face] {
            receiver.synchronize()?;
            let forged = receiver.received().into_iter();
            let forged = forged.filter(|message| message.text().as_ref() == Some(&marker));
            senders.extend(forged.map(|message| (message.sender, receiver.name.clone())));
        }
        // A forged signal is harmless if the bus names its real sender and passes it neither to a
        // client that asks for the signals of the service nor to the face.
        let is_harmless =
            |(sender, to): &(String, String)| *sender == own && *to == self.subscriber.name;
        let outcome = match senders.as_slice() {
            [] => "dropped",
            [one] if is_harmless(one) => "delivered",
            _ => "believed",
        };
        Ok(outcome.to_owned())
    }

    /// Forges an answer: another program waits for an answer of the service, and this user answers
    /// first, while the service is stopped.
    fn forged_answer(&mut self, user: &str, is_error: bool) -> Result<String> {
        let service = self.names.service.clone();
        let pid = process(&mut self.trusting, &service)?;
        let pid = Pid::from_raw(pid).context("no process has the id 0")?;
        kill_process(pid, Signal::STOP)?;
        let call = Outgoing::call(SERVICE, PATH, CLOCK_INTERFACE, "GetTimeControl");
        let serial = self.subscriber.send(&call)?;
        self.subscriber.synchronize()?;
        let to = self.subscriber.name.clone();
        let forged = match is_error {
            false => Outgoing::reply(&to, serial),
            true => Outgoing::error(&to, serial, "org.chessclock.Clock1.Error.Busy"),
        };
        let client = self.client(user)?;
        let sent = client.send(&forged).and_then(|_| client.synchronize());
        // The user sends the answer again under the name of the service. A bus may end the
        // connection for that.
        let _ = client.send(&forged.from(&service)).and_then(|_| client.synchronize());
        self.clients.remove(user);
        self.subscriber.synchronize()?;
        let early = self.subscriber.received().into_iter();
        let early = early.filter(|message| message.reply_serial == Some(serial)).count();
        kill_process(pid, Signal::CONT)?;
        if sent.is_err() {
            return Ok("disconnected".to_owned());
        }
        if early > 0 {
            return Ok("delivered".to_owned());
        }
        let answer = self.subscriber.answer(serial)?;
        ensure!(answer.sender == service, "an answer of another program: {answer:?}");
        Ok("dropped".to_owned())
    }

    /// Eavesdrops: the subscriber calls the service, and this user asks the bus for a copy of the
    /// answer.
    fn eavesdrop(&mut self, user: &str, rule: &str) -> Result<String> {
        let mut client = self.another_client(user)?;
        let rules = [rule.to_owned(), format!("type='method_return',{rule}")];
        for rule in rules {
            let rule = rule.trim_end_matches(',').to_owned();
            // A bus may refuse the rule.
            let _ = client.ask_bus("AddMatch", vec![Value::text(rule)])?;
        }
        let call = Outgoing::call(SERVICE, PATH, CLOCK_INTERFACE, "GetTimeControl");
        returned(self.subscriber.call(&call)?)?;
        client.synchronize()?;
        let heard = client.received();
        let of_others = |message: &&Received| message.reply_serial.is_some();
        let outcome =
            if heard.iter().any(|message| of_others(&message)) { "heard" } else { "not-heard" };
        Ok(outcome.to_owned())
    }

    fn become_monitor(&mut self, user: &str) -> Result<String> {
        let mut client = self.another_client(user)?;
        let interface = "org.freedesktop.DBus.Monitoring";
        let call = Outgoing::call(BUS, "/org/freedesktop/DBus", interface, "BecomeMonitor");
        let body = vec![Value::Array("s".to_owned(), Vec::new()), Value::U32(0)];
        let answer = client.call(&call.body(body))?;
        Ok(self.told(&answer))
    }
}

/// The answer, if it is not an error.
fn returned(answer: Received) -> Result<Received> {
    ensure!(answer.kind == Kind::Return, "{answer:?}");
    Ok(answer)
}

fn add_match(client: &mut RawClient, rule: &str) -> Result<()> {
    returned(client.ask_bus("AddMatch", vec![Value::text(rule)])?).map(drop)
}

/// Calls the method `question` of the bus for the program with this name. Returns the number in the
/// answer.
fn ask_about(client: &mut RawClient, question: &str, name: &str) -> Result<u32> {
    let answer = returned(client.ask_bus(question, vec![Value::text(name)])?)?;
    answer.number().with_context(|| format!("no number: {answer:?}"))
}

/// The number of the process that has this name on the bus.
fn process(client: &mut RawClient, name: &str) -> Result<i32> {
    Ok(ask_about(client, "GetConnectionUnixProcessID", name)?.try_into()?)
}

/// Asks the bus for the connections of the service.
fn names(client: &mut RawClient, subscriber: String, face: String) -> Result<Names> {
    let owner = returned(client.ask_bus("GetNameOwner", vec![Value::text(SERVICE)])?)?;
    let service = owner.text().context("a name has an owner")?;
    let pid = process(client, &service)?;
    let all = returned(client.ask_bus("ListNames", Vec::new())?)?;
    let arbiters = returned(client.ask_bus("GetNameOwner", vec![Value::text(ARBITER_SERVICE)])?)?;
    let arbiters = arbiters.text().context("a name has an owner")?;
    let mut second = None;
    for name in all.texts().context("a bus has names")? {
        // A program can leave the bus meanwhile.
        let is_other = name.starts_with(':') && ![&service, &arbiters].contains(&&name);
        if is_other && process(client, &name).is_ok_and(|other| other == pid) {
            second = Some(name);
        }
    }
    let second = second.context("the service has no second connection")?;
    let introspect =
        Outgoing::call(SERVICE, PATH, "org.freedesktop.DBus.Introspectable", "Introspect");
    let introspection =
        returned(client.call(&introspect)?)?.text().context("no introspection data")?;
    Ok(Names { service, arbiters, second, subscriber, face, introspection })
}
