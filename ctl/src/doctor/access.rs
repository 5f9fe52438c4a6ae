//! Who may do what: the caller, the bus policy, and the group of the buttons' lines.

use super::facts::Facts;
use super::finding::{Finding, Verdict};

pub fn findings(facts: &Facts) -> Vec<Finding> {
    let mut findings = Vec::new();
    if facts.clock.is_ok() {
        findings.push(caller(facts));
        findings.extend(owner(facts));
    }
    findings.extend(policy(facts));
    findings.extend(lines(facts));
    findings
}

fn caller(facts: &Facts) -> Finding {
    let finding = |verdict, value: &str| {
        Finding::new("permissions", "whether you may give commands", verdict, value.to_owned())
    };
    match facts.bus.may_command {
        Some(true) => finding(Verdict::Fit, "the bus lets you command the clock"),
        Some(false) => {
            finding(Verdict::Warning, "the bus lets only the group arbiter command the clock")
                .with_remedy("sudo usermod -aG arbiter \"$USER\", then log in again")
        }
        None => finding(Verdict::Unknown, "the bus did not answer"),
    }
}

/// Both names belong to one program. A name of another user would be a forged clock.
fn owner(facts: &Facts) -> Option<Finding> {
    let (reading, commands) = facts.bus.users?;
    (reading != commands).then(|| {
        let value =
            format!("the two names of the service belong to the users {reading} and {commands}");
        let finding = Finding::new("owner", "who owns the names on the bus", Verdict::Unfit, value);
        finding.with_remedy(
            "busctl status org.chessclock.Clock1; busctl status org.chessclock.Clock1.Arbiter",
        )
    })
}

fn policy(facts: &Facts) -> Option<Finding> {
    let machine = facts.machine.as_ref().filter(|_| facts.bus.is_system)?;
    let finding =
        |verdict, value: String| Finding::new("bus-policy", "the bus policy", verdict, value);
    let path = "/usr/share/dbus-1/system.d/org.chessclock.Clock1.conf";
    let install = "sudo make install; sudo systemctl reload dbus";
    Some(match &machine.policy {
        None => finding(Verdict::Unfit, format!("{path} is missing")).with_remedy(install),
        Some(policy) if !policy.others.is_empty() => {
            let value = format!("{} speaks of the clock, too", policy.others.join(", "));
            finding(Verdict::Warning, value)
                .with_remedy("remove it, or compare it with the installed policy")
        }
        Some(policy) if !policy.is_ours => {
            finding(Verdict::Warning, format!("{path} is not that of this version"))
                .with_remedy(install)
        }
        Some(_) => finding(
            Verdict::Fit,
            "that of this version, and no other file names the clock".to_owned(),
        ),
    })
}

fn lines(facts: &Facts) -> Option<Finding> {
    let members = facts.machine.as_ref()?.gpio_members.as_ref()?;
    let others: Vec<&str> =
        members.iter().map(String::as_str).filter(|name| *name != "chess-clock").collect();
    let finding = |verdict, value: String| {
        Finding::new("gpio-group", "who can make presses without a button", verdict, value)
    };
    Some(match others.as_slice() {
        [] => finding(Verdict::Fit, "only the service is in the group gpio".to_owned()),
        others => {
            let value = format!("{} in the group gpio", others.join(", "));
            let remedy = format!(
                "if players can use the account: sudo gpasswd -d {} gpio; docs/wiring.md, \"Who may use the lines\"",
                others.first().unwrap_or(&"NAME")
            );
            finding(Verdict::Warning, value).with_remedy(remedy)
        }
    })
}
