//! The kernel: whether it is a real-time kernel, and its interface to the lines.

use super::facts::Facts;
use super::finding::{Finding, Verdict};

/// The release in which version 2 of the interface came.
const UAPI_V2: (u32, u32) = (5, 10);

pub fn findings(facts: &Facts) -> Vec<Finding> {
    let Some((release, version)) = &facts.system.kernel else {
        let value = "nothing says which kernel runs".to_owned();
        return vec![
            Finding::new("kernel", "the kernel", Verdict::Unknown, value)
                .with_remedy("on the clock: uname -a"),
        ];
    };
    let model = facts.system.model.as_deref();
    let mut findings = vec![preemption(release, version, model)];
    findings.extend(interface(facts, release));
    findings
}

fn preemption(release: &str, version: &str, model: Option<&str>) -> Finding {
    let machine = model.map(|model| format!(", {model}")).unwrap_or_default();
    let finding = |verdict, value| Finding::new("kernel", "the kernel", verdict, value);
    match version.contains("PREEMPT_RT") {
        true => finding(Verdict::Fit, format!("{release} with PREEMPT_RT{machine}")),
        false => finding(Verdict::Warning, format!("{release} without PREEMPT_RT{machine}"))
            .with_remedy("docs/wiring.md, \"A real-time kernel\""),
    }
}

fn interface(facts: &Facts, release: &str) -> Option<Finding> {
    let finding = |verdict, value: String| {
        Finding::new("gpio-interface", "the kernel's interface to the lines", verdict, value)
    };
    let options = facts.machine.as_ref().and_then(|machine| machine.kernel_options.as_ref());
    let is_off = options.is_some_and(|lines| {
        let has = |option: &str| lines.iter().any(|line| line == &format!("{option}=y"));
        !has("CONFIG_GPIO_CDEV")
    });
    if is_off {
        let value = "the kernel is built without CONFIG_GPIO_CDEV".to_owned();
        return Some(
            finding(Verdict::Unfit, value).with_remedy("install the distribution's own kernel"),
        );
    }
    let mut numbers = release.split(['.', '-', '+']).map(|part| part.parse::<u32>());
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return None };
    Some(match (major, minor) >= UAPI_V2 {
        true => finding(Verdict::Fit, "GPIO uAPI v2, which loses no edge unseen".to_owned()),
        false => finding(Verdict::Warning, "GPIO uAPI v1 only: fast bounces are dropped unseen".to_owned())
            .with_remedy("a kernel from 5.10 on; docs/testing.md, \"The two versions of the kernel's interface\""),
    })
}
