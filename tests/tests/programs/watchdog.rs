//! The watchdog is fed while the clock loop works, and only then.

use clock_tests::{Bench, Program, eventually};
use std::os::unix::net::UnixDatagram;
use std::time::{Duration, Instant};

/// Receives the messages that systemd would receive. The watchdog's limit is 400 ms, and clockd
/// feeds the watchdog every 100 ms.
struct Manager(UnixDatagram);

/// The watchdog counts as starved after this time. It is 30 times the interval of 100 ms, because
/// the machine can be busy.
const STARVED: Duration = Duration::from_secs(3);

impl Manager {
    fn start(bench: &Bench, arguments: &[&str]) -> (Manager, Program) {
        let path = bench.folder().join("watchdog");
        let manager = Manager(UnixDatagram::bind(&path).unwrap());
        manager.0.set_read_timeout(Some(STARVED)).unwrap();
        let mut command = bench.clockd_command(arguments);
        command.env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", "400000");
        command.env_remove("WATCHDOG_PID").stderr(std::process::Stdio::null());
        let clockd = Program::start(&mut command).unwrap();
        eventually("ready", || (manager.message()? == "READY=1").then_some(()));
        (manager, clockd)
    }

    /// The next message, or `None` if none comes within `STARVED`.
    fn message(&self) -> Option<String> {
        let mut message = [0; 64];
        let len = self.0.recv(&mut message).ok()?;
        Some(String::from_utf8_lossy(&message[..len]).trim().to_owned())
    }

    /// Checks that the watchdog is triggered once and then not fed any more.
    fn starves(&self) {
        let start = Instant::now();
        let mut last = String::new();
        while let Some(message) = self.message() {
            assert!(start.elapsed() < clock_tests::DEADLINE, "a loop that hangs is fed");
            assert_ne!(last, "WATCHDOG=trigger", "{message} follows it");
            last = message;
        }
        assert_eq!(last, "WATCHDOG=trigger");
    }

    fn is_fed(&self) {
        for _ in 0..20 {
            assert_eq!(self.message().as_deref(), Some("WATCHDOG=1"));
        }
    }
}

/// The number of the thread with this name.
fn thread_of(clockd: &Program, name: &str) -> i32 {
    let tasks = format!("/proc/{}/task", clockd.id());
    let has_name = |tid: &i32| {
        let found = std::fs::read_to_string(format!("{tasks}/{tid}/comm"));
        found.is_ok_and(|found| found.trim() == name)
    };
    let entries = std::fs::read_dir(&tasks).unwrap().flatten();
    let mut tids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    tids.find(has_name).unwrap()
}

/// The clock loop's thread, stopped through ptrace while the other threads run on.
struct StoppedThread(i32);

impl StoppedThread {
    fn clock_loop_of(clockd: &Program) -> StoppedThread {
        let tid = thread_of(clockd, "clock-loop");
        for request in [libc::PTRACE_SEIZE, libc::PTRACE_INTERRUPT] {
            trace(request, tid);
        }
        let mut status = 0;
        // SAFETY: the status is a live integer for the time of the call.
        let waited = unsafe { libc::waitpid(tid, &raw mut status, libc::__WALL) };
        assert_eq!(waited, tid, "{}", std::io::Error::last_os_error());
        StoppedThread(tid)
    }

    fn resume(self) {
        trace(libc::PTRACE_DETACH, self.0);
    }
}

fn trace(request: libc::c_uint, tid: i32) {
    // SAFETY: these requests take no addresses.
    let done = unsafe { libc::ptrace(request, tid, 0, 0) };
    assert_eq!(done, 0, "{}", std::io::Error::last_os_error());
}

#[test]
fn the_watchdog_starves_if_an_idle_loop_hangs_and_something_is_unread() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let (manager, clockd) = Manager::start(&bench, &[]);
    manager.is_fed();
    let stopped = StoppedThread::clock_loop_of(&clockd);
    // The loop has nothing to do, so the watchdog cannot see yet that it was stopped.
    manager.is_fed();
    bench.buttons().unwrap().send("black down").unwrap();
    manager.starves();
    stopped.resume();
    eventually("fed again", || manager.message());
    manager.is_fed();
    assert_eq!(bench.status().unwrap()["phase"], "running");
}

#[test]
fn the_watchdog_starves_if_a_loop_hangs_past_its_deadline() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let control = bench.folder().join("two-seconds.toml");
    std::fs::write(&control, "name = \"Two seconds\"\n[[period]]\ntime = \"0:00:02\"\n").unwrap();
    let (manager, clockd) = Manager::start(&bench, &["--control", control.to_str().unwrap()]);
    bench.buttons().unwrap().press("black").unwrap();
    let stopped = StoppedThread::clock_loop_of(&clockd);
    manager.starves();
    stopped.resume();
    eventually("fed again", || manager.message());
    eventually("the flag", || {
        let status = bench.status().ok()?;
        (status["first_flag"] == "white").then_some(())
    });
}

/// The scheduling policy and the real-time priority of the thread with this name.
fn scheduling(clockd: &Program, name: &str) -> (libc::c_int, libc::c_int) {
    let tid = thread_of(clockd, name);
    let mut param = libc::sched_param { sched_priority: 0 };
    // SAFETY: the parameter lives for the time of the call; the others are numbers.
    let (policy, read) =
        unsafe { (libc::sched_getscheduler(tid), libc::sched_getparam(tid, &raw mut param)) };
    assert!(policy >= 0 && read == 0, "{}", std::io::Error::last_os_error());
    (policy & !libc::SCHED_RESET_ON_FORK, param.sched_priority)
}

/// Whether this user may have real-time priority, tried out on a thread that ends at once.
fn may_be_realtime() -> bool {
    let try_it = || {
        let param = libc::sched_param { sched_priority: 1 };
        // SAFETY: the parameter lives for the time of the call; 0 is this thread.
        unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const param) == 0 }
    };
    std::thread::spawn(try_it).join().unwrap()
}

#[test]
fn the_watchdog_is_fed_above_ordinary_programs_and_below_the_clock_loop() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let (manager, clockd) = Manager::start(&bench, &[]);
    manager.is_fed();
    let fifo = |priority| {
        if may_be_realtime() { (libc::SCHED_FIFO, priority) } else { (libc::SCHED_OTHER, 0) }
    };
    assert_eq!(scheduling(&clockd, "watchdog"), fifo(1));
    assert_eq!(scheduling(&clockd, "clock-loop"), fifo(40));
    // The main thread has neither priority.
    assert_eq!(scheduling(&clockd, "clockd"), (libc::SCHED_OTHER, 0));
}
