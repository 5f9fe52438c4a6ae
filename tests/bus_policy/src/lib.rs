//! Who can do what on the system bus: each user tries every method, every property, every name and
//! every signal. The file expected.txt has the expected outcome of each attempt.
//!
//! The bus and the clock on it run already. The tests start both with the policy file of the
//! repository; in the appliance they are those of the installed system. Connecting as other users
//! needs root.

mod attempts;
mod cells;
mod expected;
mod user;

use anyhow::{Context, Result, ensure};
use attempts::Attempts;
use expected::Expected;
use std::path::Path;
pub use user::User;

const TABLE: &str = include_str!("expected.txt");

/// The results of all attempts.
pub struct Report {
    /// The program that is the bus: `dbus-daemon` or `dbus-broker`.
    pub bus: String,
    /// How many attempts were made, by all users together.
    pub attempts: usize,
    /// One line for each thing that is wrong: an attempt with another outcome than in the table, an
    /// attempt without a row in the table, a row without an attempt, or a changed state of the
    /// clock.
    pub wrong: Vec<String>,
}

/// The name that the table uses for the attempt that sends a command and asks for no answer.
const COMMAND: &str = "command without an answer";

/// Makes all attempts on the bus with this socket. `clockd` must run on it, and both clocks must
/// stand. `user` returns the user with a name of the table.
///
/// Only the last attempt of each user may change the clock: a command that asks for no answer. The
/// reason of this command is `of ` and the user's name in the table.
pub fn try_all(socket: &Path, user: impl Fn(&str) -> Result<User>) -> Result<Report> {
    let mut attempts = Attempts::new(socket, user)?;
    attempts.record_is_open()?;
    let mut expected = Expected::read(TABLE, &attempts.bus()?)?;
    let cells = cells::cells(&attempts.names)?;
    let mut report = Report { bus: attempts.bus()?, attempts: 0, wrong: Vec::new() };
    let before = attempts.state()?;
    for user in expected.users.clone() {
        for cell in &cells {
            let outcome = attempts.attempt(&user, &cell.attempt);
            let outcome = outcome.with_context(|| format!("{} by {user}", cell.name))?;
            report.note(&mut expected, &cell.name, &user, &outcome);
        }
    }
    if attempts.state()? != before {
        report.wrong.push("the state of the clock has changed".to_owned());
    }
    for user in expected.users.clone() {
        let outcome = attempts.command_without_an_answer(&user);
        let outcome = outcome.with_context(|| format!("{COMMAND} by {user}"))?;
        report.note(&mut expected, COMMAND, &user, outcome);
    }
    report
        .wrong
        .extend(expected.unused().map(|row| format!("no attempt belongs to the row {row}")));
    ensure!(report.attempts > 0, "the table has no users");
    Ok(report)
}

impl Report {
    /// Counts an attempt. Adds a line to `wrong` if the table has another outcome or no row for it.
    fn note(&mut self, expected: &mut Expected, name: &str, user: &str, outcome: &str) {
        self.attempts += 1;
        match expected.find(name, user) {
            Some(wanted) if wanted == outcome => {}
            Some(wanted) => self.wrong.push(format!("{name} by {user}: {outcome}, not {wanted}")),
            None => {
                self.wrong.push(format!("{name} by {user}: {outcome}; the table has no row for it"))
            }
        }
    }
}
