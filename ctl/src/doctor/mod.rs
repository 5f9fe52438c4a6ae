//! Whether a clock is fit for play: what was found out about it ([`Facts`]), and what follows.
//!
//! Nothing here reads a bus, a file or the time, so every finding is a table of values in a test.

mod access;
pub mod buttons;
pub mod certificate;
pub mod facts;
pub mod finding;
mod kernel;
pub mod press;
mod service;
mod storage;
mod surroundings;
pub mod tester_report;
#[cfg(test)]
mod tests;

use self::facts::Facts;
use self::finding::{Finding, Verdict};

/// All findings about a clock, the service first.
pub fn findings(facts: &Facts) -> Vec<Finding> {
    let mut findings = service::findings(facts);
    findings.extend(access::findings(facts));
    findings.extend(kernel::findings(facts));
    findings.extend(storage::findings(facts));
    findings.extend(surroundings::findings(facts));
    if facts.machine.is_none() {
        let value =
            "scheduling, storage, power and files of another machine cannot be seen from here";
        let finding = Finding::new("machine", "the machine", Verdict::Unknown, value.to_owned());
        findings.push(finding.with_remedy("on the clock itself: clockctl doctor"));
    }
    findings
}

/// Whether a game can be played on the clock.
pub fn is_fit(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.verdict != Verdict::Unfit)
}

/// Whether a game can be played on the clock, in words.
fn overall_verdict(findings: &[Finding]) -> &'static str {
    if is_fit(findings) { "the clock is fit for play" } else { "the clock is NOT fit for play" }
}

/// The findings in one line.
pub fn overall(findings: &[Finding]) -> String {
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let of = |count: usize, one: &str, more: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {more}")),
    };
    let unfit: Vec<&str> = findings
        .iter()
        .filter(|finding| finding.verdict == Verdict::Unfit)
        .map(|finding| finding.id)
        .collect();
    let head = match unfit.as_slice() {
        [] => overall_verdict(findings).to_owned(),
        unfit => format!("{}: {}", overall_verdict(findings), unfit.join(", ")),
    };
    let notes = [
        of(count(Verdict::Warning), "warning", "warnings"),
        of(count(Verdict::Unknown), "thing is not known", "things are not known"),
    ];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    if notes.is_empty() { head } else { format!("{head}; {}", notes.join(", ")) }
}
