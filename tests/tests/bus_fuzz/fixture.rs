//! A clock on a bus with the limits of a system bus, and what the tests read of it.

use super::GROWTH;
use clock_dbus::{ARBITER_INTERFACE, CLOCK_INTERFACE, PATH, SERVICE};
use clock_test_bus::RawClient;
use clock_test_bus::raw_client::{Kind, Outgoing, Value};
use clock_tests::{Bench, Program};
use std::os::unix::net::UnixStream;

/// The largest message of a system bus, in bytes.
pub const MAX_MESSAGE: usize = 32 << 20;

/// The number in this environment variable; `default` if the variable is not set.
pub fn number_from(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().unwrap())
}

/// The seed of this run. A test that fails shows it.
pub fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let seed = number_from("CLOCK_FUZZ_SEED", now.as_secs());
    println!("CLOCK_FUZZ_SEED={seed}");
    seed
}

pub struct Fixture {
    pub clockd: Program,
    _bus: Program,
    pub bench: Bench,
}

impl Fixture {
    pub fn new(configuration: &str, arguments: &[&str]) -> Fixture {
        let bench = Bench::new().unwrap();
        bench.configure(configuration).unwrap();
        // These are limits that a system bus has by default, except that one user may have 2000
        // connections: all clients of the test are of one user.
        let limits = format!(
            "</policy><limit name=\"max_message_size\">{MAX_MESSAGE}</limit>\
             <limit name=\"max_connections_per_user\">2000</limit>\
             <limit name=\"max_replies_per_connection\">128</limit>\
             <policy context=\"mandatory\">"
        );
        let bus = bench.bus_with(&limits).unwrap();
        let clockd = bench.clockd(arguments).unwrap();
        Fixture { clockd, _bus: bus, bench }
    }

    pub fn client(&self) -> RawClient {
        let stream = UnixStream::connect(self.bench.folder().join("bus")).unwrap();
        RawClient::new(stream, rustix::process::geteuid().as_raw()).unwrap()
    }

    /// The unique name of the service.
    pub fn owner(&self) -> String {
        let owner = self.client().ask_bus("GetNameOwner", vec![Value::text(SERVICE)]);
        owner.unwrap().text().unwrap()
    }

    pub fn introspection(&self) -> String {
        let interface = "org.freedesktop.DBus.Introspectable";
        let call = Outgoing::call(SERVICE, PATH, interface, "Introspect");
        self.client().call(&call).unwrap().text().unwrap()
    }

    /// The whole state.
    pub fn state(&self, client: &mut RawClient) -> State {
        let call = Outgoing::call(SERVICE, PATH, CLOCK_INTERFACE, "GetState");
        let answer = client.call(&call).unwrap();
        assert_eq!(answer.kind, Kind::Return, "{answer:?}");
        State { revision: property(client, "Revision"), all: answer.body }
    }

    /// A line of /proc/PID/status, in KiB.
    pub fn memory(&self, kind: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.clockd.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(kind)).unwrap();
        line.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
    }

    pub fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.clockd.id())).unwrap().count()
    }

    /// Checks that the service runs, has not panicked, takes less than `GROWTH` KiB more than
    /// `memory`, and has as many open files as `files`.
    pub fn is_sound(&self, memory: u64, files: usize) {
        let log = self.bench.log();
        assert!(!log.contains("panicked"), "{log}");
        let after = self.memory("VmRSS:");
        println!("memory of the service: {memory} KiB before, {after} KiB after");
        assert!(after < memory + GROWTH, "{memory} KiB, then {after} KiB");
        assert_eq!(self.open_files(), files);
    }
}

/// The state as the service has encoded it, so that nothing of it is left out of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub revision: u64,
    all: Vec<u8>,
}

/// Reads a property of the clock's interface that is a 64-bit number.
pub fn property(client: &mut RawClient, name: &str) -> u64 {
    let interface = "org.freedesktop.DBus.Properties";
    let body = vec![Value::text(CLOCK_INTERFACE), Value::text(name)];
    let got = client.call(&Outgoing::call(SERVICE, PATH, interface, "Get").body(body)).unwrap();
    got.number_in_variant().unwrap_or_else(|| panic!("no number: {got:?}"))
}

/// Stops the clocks, so that nothing changes by itself. If the clocks do not run, the service
/// refuses the call, which is no failure here.
pub fn stop(client: &mut RawClient, state: &State) {
    let body = vec![Value::text(""), Value::U64(state.revision), Value::text("stop")];
    client.call(&Outgoing::call(SERVICE, PATH, ARBITER_INTERFACE, "Pause").body(body)).unwrap();
}
