//! Who can do what on the system bus, with the policy file of the repository, on `dbus-daemon` and
//! on `dbus-broker`. The crate `clock-bus-policy` has the attempts and their expected outcomes.

use clock_tests::system_bus::{BusProgram, SystemBus, Users, can_be_other_users, run_as};
use clock_tests::{Bench, Program, eventually, program};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The user of the service, and the only one who may own its name.
const SERVICE_USER: &str = "chess-clock";

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The users of the sysusers file, two arbiters and a player.
pub fn users() -> Users {
    let sysusers = std::fs::read_to_string(repository("systemd/chess-clock.sysusers")).unwrap();
    Users::new(
        &sysusers,
        &[("arbiter", Some("arbiter")), ("deputy", Some("arbiter")), ("player", None)],
    )
}

/// The policy file of the clock.
pub fn policy() -> PathBuf {
    repository("systemd/org.chessclock.Clock1.conf").canonicalize().unwrap()
}

/// A clock with a record, run by its own user.
pub fn clockd(bench: &Bench, users: &Users) -> Program {
    // The folder of the build may be closed to other users, so the program is copied. This process
    // does not write the copy itself. Otherwise a child of the other test could have the copy open
    // for writing, and the kernel would refuse to run it.
    let clockd = bench.folder().join("clockd");
    let copied = Command::new("cp").arg(program("clockd")).arg(&clockd).status().unwrap();
    assert!(copied.success(), "{copied}");
    let mut command = Command::new(clockd);
    command.args(["--bus", &bench.address(), "--gpio"]);
    command.arg(format!("sim:{}", bench.socket().display()));
    command.arg("--record").arg(bench.folder().join("games"));
    command.arg("--config").arg(bench.folder().join("clockd.toml")).stdin(Stdio::null());
    run_as(&mut command, users.find(SERVICE_USER).unwrap());
    bench.start(command).unwrap()
}

/// Makes every attempt as every user on a bus of this program, and checks the outcomes. Without
/// root it does nothing, except that it fails in CI.
fn matrix(which: BusProgram) {
    if !can_be_other_users(&format!("the matrix of users on {which:?}")) {
        return;
    }
    let (bench, users) = (Bench::new().unwrap(), users());
    let bus = SystemBus::start(bench.folder(), which, &users, &policy()).unwrap();
    let _clockd = clockd(&bench, &users);
    let report = clock_bus_policy::try_all(bus.socket(), |user| users.find(user)).unwrap();
    println!("{}: {} attempts", report.bus, report.attempts);
    assert_eq!(report.bus, which.name());
    assert!(report.wrong.is_empty(), "{which:?}:\n{}", report.wrong.join("\n"));
    // The log line of the command that was carried out contains the arbiter's user id.
    let uid = format!("uid={}", users.find("arbiter").unwrap().id.as_raw());
    eventually("a line in the log", || {
        let log = bench.log();
        log.lines().any(|line| line.contains("of arbiter") && line.contains(&uid)).then_some(())
    });
}

#[test]
fn every_user_can_do_what_the_table_says_on_dbus_daemon() {
    matrix(BusProgram::DbusDaemon);
}

#[test]
fn every_user_can_do_what_the_table_says_on_dbus_broker() {
    matrix(BusProgram::DbusBroker);
}
