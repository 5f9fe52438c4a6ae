//! Prints the lines of `clockctl watch`: states, faults, heartbeats, and that there is no clock
//! service.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use clock_dbus::{Fault, State, Timebase};
use clockctl::json::{NO_STATE_YET, Sent, WatchJson, WatchKind};
use rustix::time::{ClockId, clock_gettime};

use crate::{options::Options, out, text};

/// The word that is printed as the cause of the first state that is read from a service.
const NOW: &str = "now";

/// Turns states into lines.
pub struct Printer {
    json: bool,
    quiet: bool,
    send: Box<dyn Fn(String)>,
    shown: Shown,
    /// The faults of the state that was printed last; empty with `--json`, and while there is no
    /// clock service.
    faults: Vec<Fault>,
    /// The instant from which the times in the lines count.
    since: Option<u64>,
    /// The machine of the service; `None` until a state was read.
    machine: Option<Machine>,
    /// The latest state with its cause, with `--json`.
    latest: Option<(String, State)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Nothing,
    Service,
    NoService,
}

impl Printer {
    /// A printer that passes each line to `send`.
    pub fn new(options: &Options, send: impl Fn(String) + 'static) -> Self {
        Printer {
            json: options.json,
            quiet: options.quiet,
            send: Box::new(send),
            shown: Shown::Nothing,
            faults: Vec::new(),
            since: None,
            machine: None,
            latest: None,
        }
    }

    /// Whether anything was printed yet.
    pub fn has_shown(&self) -> bool {
        self.shown != Shown::Nothing
    }

    /// Whether the last line showed the state of a clock. If not, it showed that there is no
    /// service, or nothing was printed yet.
    pub fn has_service(&self) -> bool {
        self.shown == Shown::Service
    }

    /// Prints once that there is no clock service. With `--json` this is the last known state.
    pub fn no_service(&mut self) {
        if self.shown == Shown::NoService {
            return;
        }
        self.shown = Shown::NoService;
        self.faults.clear();
        if !self.json {
            self.send(Ok("no clock service\n".to_owned()));
        } else if self.latest.is_some() {
            self.send_latest(WatchKind::State);
        } else {
            self.send(out::json_line(&NO_STATE_YET));
        }
    }

    /// Prints a state that was read for the first time from the present process of the service,
    /// with the clocks of its machine.
    pub fn read(&mut self, state: &State, timebase: Timebase) {
        // A line of text shows only the instant of its state, so that must be the present instant.
        let shown = if self.json { state.clone() } else { state.at(timebase.monotonic_nsec) };
        self.machine = Some(Machine::new(timebase));
        self.state(NOW, &shown);
    }

    /// Prints a state with its cause.
    pub fn state(&mut self, cause: &str, state: &State) {
        self.shown = Shown::Service;
        if self.json {
            self.latest = Some((cause.to_owned(), state.clone()));
            self.send_latest(WatchKind::State);
            return;
        }
        // After a restart of the clock's machine, CLOCK_MONOTONIC begins at zero again.
        let since = self.since.unwrap_or(state.at_nsec).min(state.at_nsec);
        self.since = Some(since);
        self.send(Ok(text::watch_line(state.at_nsec - since, cause, state)));
        for line in text::fault_lines(&self.faults, &state.faults) {
            self.send(Ok(line));
        }
        self.faults.clone_from(&state.faults);
    }

    /// Prints the latest state once more, because the service has just answered with the clocks of
    /// its machine.
    pub fn heartbeat(&mut self, timebase: Timebase) {
        if self.shown == Shown::Service {
            self.machine = Some(Machine::new(timebase));
            self.send_latest(WatchKind::Heartbeat);
        }
    }

    fn send_latest(&self, kind: WatchKind) {
        let (Some((cause, state)), Some(machine)) = (&self.latest, &self.machine) else { return };
        let mut line = WatchJson::new(state, cause, machine.boot_id(), machine.now());
        line.kind = kind;
        line.stale = self.shown == Shown::NoService;
        line.machine = machine.name();
        self.send(out::json_line(&line));
    }

    fn send(&self, line: anyhow::Result<String>) {
        if !self.quiet {
            (self.send)(line.expect("a structure with string keys always turns into JSON"));
        }
    }
}

/// The files in which the kernel gives the boot id and the name of this machine.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";
const NAME: &str = "/proc/sys/kernel/hostname";

/// The clocks of the machine of the service, as they were read last.
pub struct Machine {
    timebase: Timebase,
    /// When the answer with the timebase came, on the clock of this machine.
    read_at: Instant,
    /// The name of the machine; `None` if it is another machine than that of `clockctl`.
    name: Option<String>,
}

impl Machine {
    /// The machine whose clocks were read just now.
    pub fn new(timebase: Timebase) -> Machine {
        let line = |path| std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
        // Within one boot of the kernel, both processes read the same clocks.
        let is_own = line(BOOT_ID).is_some_and(|own| own == timebase.boot_id);
        let name = if is_own { line(NAME) } else { None };
        Machine { timebase, read_at: Instant::now(), name }
    }

    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub fn boot_id(&self) -> &str {
        &self.timebase.boot_id
    }

    /// The present instant on the clocks of the machine. On another machine, it is too early by the
    /// time that the answer with the timebase took.
    pub fn now(&self) -> Sent {
        if self.name.is_some() {
            return own_now();
        }
        let elapsed = nanos(self.read_at.elapsed().as_nanos());
        let realtime = Some(self.timebase.realtime_nsec).filter(|known| *known > 0);
        Sent {
            monotonic_nsec: self.timebase.monotonic_nsec.saturating_add(elapsed),
            realtime_nsec: realtime.map_or(0, |realtime| realtime.saturating_add(elapsed)),
        }
    }
}

/// The present instant on the clocks of this machine.
pub fn own_now() -> Sent {
    let monotonic = clock_gettime(ClockId::Monotonic);
    let monotonic = i128::from(monotonic.tv_sec) * 1_000_000_000 + i128::from(monotonic.tv_nsec);
    // A time that is not known is given as 0.
    let now = clock_wall_time::is_known().then(SystemTime::now);
    let since_1970 = now.and_then(|now| now.duration_since(UNIX_EPOCH).ok());
    let realtime = since_1970.unwrap_or_default();
    Sent {
        monotonic_nsec: nanos(monotonic.unsigned_abs()),
        realtime_nsec: nanos(realtime.as_nanos()),
    }
}

/// Nanoseconds as the bus has them; they last until the year 2554.
fn nanos(nanos: u128) -> u64 {
    u64::try_from(nanos).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use clock_dbus::{Fault, FaultCode, State};

    use super::{Printer, Shown, *};

    fn printer() -> (Printer, Receiver<String>) {
        let (lines, sent) = channel();
        let printer = Printer {
            json: false,
            quiet: false,
            send: Box::new(move |line| lines.send(line).unwrap()),
            shown: Shown::Nothing,
            faults: Vec::new(),
            since: None,
            machine: None,
            latest: None,
        };
        (printer, sent)
    }

    fn state(sequence: u64, at_nsec: u64) -> State {
        State { sequence, at_nsec, ..State::default() }
    }

    #[test]
    fn a_fault_is_shown_once_and_again_after_an_absence() {
        let (mut printer, sent) = printer();
        let fault = Fault::new(FaultCode::BoardGone, "no buttons");
        let broken = |sequence| State { faults: vec![fault.clone()], ..state(sequence, 100) };
        printer.state("now", &state(4, 100));
        printer.state("fault", &broken(5));
        printer.state("press", &broken(6));
        printer.state("fault", &state(7, 100));
        printer.no_service();
        printer.state("now", &broken(1));
        let lines: Vec<String> = sent.try_iter().collect();
        let printed: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
        let starts = ["+", "+", "fault     no buttons", "+", "+", "fault     board-gone is over"];
        let after = ["no clock service", "+", "fault     no buttons"];
        let expected: Vec<&str> = starts.into_iter().chain(after).collect();
        assert_eq!(printed.len(), expected.len(), "{lines:?}");
        assert!(
            printed.iter().zip(expected).all(|(line, start)| line.starts_with(start)),
            "{lines:?}"
        );
    }

    #[test]
    fn an_absence_is_shown_once() {
        let (mut printer, sent) = printer();
        printer.no_service();
        printer.no_service();
        printer.state("now", &state(1, 5));
        printer.no_service();
        let lines: Vec<String> = sent.try_iter().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], "no clock service\n");
        assert_eq!(lines[2], "no clock service\n");
    }

    #[test]
    fn a_clock_machine_started_anew_counts_from_zero() {
        let (mut printer, sent) = printer();
        printer.state("now", &state(9, 60_000_000_000));
        printer.no_service();
        printer.state("now", &state(1, 2_000_000_000));
        printer.state("start", &state(2, 3_000_000_000));
        let last = sent.try_iter().last().unwrap();
        assert!(last.trim_start().starts_with("+0:00:01.0"), "{last}");
    }

    #[test]
    fn a_wall_time_that_is_not_known_stays_0() {
        let now = |realtime_nsec| {
            let timebase = Timebase { realtime_nsec, ..Timebase::default() };
            Machine::new(timebase).now().realtime_nsec
        };
        assert_eq!(now(0), 0);
        assert!(now(1_795_500_000_000_000_000) >= 1_795_500_000_000_000_000);
    }
}
