//! The service itself: whether it answers, how its loop is scheduled, its buttons and faults.

use clock_dbus::{FaultCode, HealthProperties};

use super::facts::{Clock, Facts};
use super::finding::{Finding, Verdict};
use clockctl::times::millis;

/// A wake-up that is later than this is seen on the display.
const LATE_NSEC: u64 = 10_000_000;
/// The priorities of the clock loop and of the interrupt threads of its lines (`clockd.service`).
const LOOP_PRIORITY: u32 = 40;
const INTERRUPT_PRIORITY: u32 = 55;

pub fn findings(facts: &Facts) -> Vec<Finding> {
    let clock = match &facts.clock {
        Ok(clock) => clock,
        Err(why) => {
            let finding = Finding::new("service", "the clock service", Verdict::Unfit, why.clone());
            return vec![
                finding.with_remedy("systemctl status clockd; journalctl -u clockd -n 20"),
            ];
        }
    };
    let mut findings = vec![service(facts, clock), real_time(facts, clock)];
    findings.extend(interrupts(facts));
    findings.extend([latency(&clock.health), buttons(facts, clock)]);
    findings.extend(faults(clock));
    findings
}

fn service(facts: &Facts, clock: &Clock) -> Finding {
    let ours = env!("CARGO_PKG_VERSION");
    let restarts = facts.system.restarts.unwrap_or_default();
    let mut value = format!("clockd {} answers", clock.version);
    if restarts > 0 {
        value.push_str(&format!("; systemd has restarted it {restarts} times"));
    }
    let finding = |verdict, value| Finding::new("service", "the clock service", verdict, value);
    if clock.version != ours {
        let value = format!("{value}; clockctl has the version {ours}");
        return finding(Verdict::Warning, value).with_remedy("install both from the same version");
    }
    match restarts {
        0 => finding(Verdict::Fit, value),
        _ => finding(Verdict::Warning, value).with_remedy("journalctl -u clockd -p warning"),
    }
}

fn real_time(facts: &Facts, clock: &Clock) -> Finding {
    let finding = |verdict, value: String| {
        Finding::new("real-time", "the clock loop's priority", verdict, value)
    };
    let remedy = "systemctl show clockd -P LimitRTPRIO -P LimitMEMLOCK: 40 and 67108864, as clockd.service has them";
    if !clock.health.realtime_ok {
        let value = "the clock loop has no real-time priority or no locked memory";
        return finding(Verdict::Unfit, value.to_owned()).with_remedy(remedy);
    }
    let machine = facts.machine.as_ref();
    let threads = machine.and_then(|machine| machine.threads.as_ref());
    let thread = threads.and_then(|all| all.iter().find(|thread| thread.name == "clock-loop"));
    match thread.map(|thread| thread.fifo) {
        None => finding(Verdict::Fit, "the service reports real-time priority".to_owned()),
        Some(Some(LOOP_PRIORITY)) => {
            finding(Verdict::Fit, format!("SCHED_FIFO {LOOP_PRIORITY}, memory locked"))
        }
        Some(Some(other)) => {
            let value = format!("SCHED_FIFO {other} instead of {LOOP_PRIORITY}");
            finding(Verdict::Warning, value).with_remedy("sudo systemctl restart clockd")
        }
        Some(None) => {
            let value = "the thread clock-loop is scheduled like any program".to_owned();
            finding(Verdict::Unfit, value).with_remedy(remedy)
        }
    }
}

/// The threads of the buttons' interrupts. Without any, the buttons are simulated or have no
/// interrupt of their own.
fn interrupts(facts: &Facts) -> Option<Finding> {
    let threads = &facts.machine.as_ref()?.interrupt_threads;
    let priority = threads.iter().map(|thread| thread.fifo.unwrap_or(0)).min()?;
    let finding = |verdict, value| {
        Finding::new("interrupts", "the interrupt threads of the buttons", verdict, value)
    };
    let value = format!("{} threads, SCHED_FIFO {priority}", threads.len());
    Some(match priority {
        INTERRUPT_PRIORITY.. => finding(Verdict::Fit, value),
        _ => finding(Verdict::Warning, format!("{value} instead of {INTERRUPT_PRIORITY}"))
            .with_remedy("sudo systemctl reload clockd"),
    })
}

fn latency(health: &HealthProperties) -> Finding {
    let edge = health.edge_latency_nsec.iter().filter(|(_, count)| *count > 0);
    let edge = edge.map(|(bound, _)| *bound).max();
    let read = edge.map(|edge| format!(", reading an edge at most {}", millis(edge)));
    let value = format!(
        "wake-up at most {}{}",
        millis(health.worst_lateness_nsec),
        read.unwrap_or_default()
    );
    let finding =
        |verdict, value| Finding::new("latency", "how late the loop wakes up", verdict, value);
    match health.worst_lateness_nsec {
        0..=LATE_NSEC => finding(Verdict::Fit, value),
        _ => finding(Verdict::Warning, value)
            .with_remedy("docs/wiring.md, \"A real-time kernel\"; docs/hardware-check.md, step 8"),
    }
}

fn buttons(facts: &Facts, clock: &Clock) -> Finding {
    let finding = |verdict, value| Finding::new("buttons", "the button board", verdict, value);
    let of_board = [FaultCode::BoardGone, FaultCode::RockerCrossed];
    let stuck = [FaultCode::StuckWhite, FaultCode::StuckBlack, FaultCode::StuckCall];
    let fault = |codes: &[FaultCode]| {
        let is_it = |code: Option<FaultCode>| code.is_some_and(|code| codes.contains(&code));
        clock.faults.iter().find(|fault| is_it(fault.known()))
    };
    let health = &clock.health;
    if let Some(fault) = fault(&of_board) {
        let no_chip = facts.machine.as_ref().is_some_and(|machine| machine.gpio_chips == 0);
        let remedy = match no_chip {
            true => {
                "the kernel has no GPIO chip: ls /dev/gpiochip*; docs/hardware-check.md, step 1"
            }
            false => "docs/hardware-check.md, steps 1 and 3",
        };
        return finding(Verdict::Unfit, fault.text.clone()).with_remedy(remedy);
    }
    let held = "look at the button and its cable; docs/wiring.md, \"One button\"";
    if let Some(fault) = fault(&stuck) {
        return finding(Verdict::Unfit, fault.text.clone()).with_remedy(held);
    }
    if let Some(button) = health.stuck_buttons.first() {
        return finding(Verdict::Unfit, format!("the button {button} is stuck")).with_remedy(held);
    }
    let value = format!(
        "connected; {} presses rejected, {} edges lost since the service was started",
        health.rejected_presses, health.lost_edges
    );
    finding(Verdict::Fit, value)
}

/// The faults that no other finding has. Those that only say what has happened do not make the clock
/// unfit.
fn faults(clock: &Clock) -> Vec<Finding> {
    let of_fault = |fault: &clock_dbus::Fault| {
        let verdict = match fault.known() {
            // Other findings have them.
            Some(
                FaultCode::BoardGone
                | FaultCode::RockerCrossed
                | FaultCode::StuckWhite
                | FaultCode::StuckBlack
                | FaultCode::StuckCall
                | FaultCode::ConfigurationRefused
                | FaultCode::Storage
                | FaultCode::NoRecord
                | FaultCode::ClockRate
                | FaultCode::NoRealtime,
            ) => return None,
            Some(
                FaultCode::PowerCut
                | FaultCode::Restarted
                | FaultCode::PressBeforeFlag
                | FaultCode::RecordLost
                | FaultCode::RecordMovedAside
                | FaultCode::LatePress
                | FaultCode::EdgesDropped
                | FaultCode::UpdatesLost,
            ) => Verdict::Warning,
            Some(FaultCode::MemoryDamaged | FaultCode::RecordMismatch | FaultCode::Noise)
            | None => Verdict::Unfit,
        };
        let finding = Finding::new("fault", "a fault of the clock", verdict, fault.text.clone());
        Some(finding.with_remedy("docs/reliability.md has every fault"))
    };
    clock.faults.iter().filter_map(of_fault).collect()
}
