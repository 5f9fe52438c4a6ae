//! The process that drives the spare line: `clockd --drive-line`, which only root may start.

use std::{process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

use crate::{doctor::certificate::Made, failure::Failure};

/// The longest time from the end of an order's wait to its answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The process. It releases the button when this value is dropped.
pub struct Driver {
    _child: Child,
    orders: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Driver {
    /// Starts the process for this line.
    ///
    /// # Errors
    ///
    /// The process cannot be started, or it says why the line cannot be driven.
    pub async fn start(line: &str) -> Result<Driver, Failure> {
        let mut command = Command::new("clockd");
        command.arg("--drive-line").arg(line).stdin(Stdio::piped()).stdout(Stdio::piped());
        // With a process group of its own, Ctrl-C on the terminal does not end it before it has
        // released the button.
        command.stderr(Stdio::null()).process_group(0);
        let mut child = command
            .spawn()
            .map_err(|error| Failure::Usage(format!("clockd cannot be run: {error}")))?;
        let (orders, answers) =
            child.stdin.take().zip(child.stdout.take()).expect("both are pipes");
        let answers = BufReader::new(answers).lines();
        let mut driver = Driver { _child: child, orders, answers };
        driver.answer(0).await?;
        Ok(driver)
    }

    /// Presses the button after this time, unless CLOCK_MONOTONIC has passed `until_nsec` by then.
    /// Returns `None` in that case.
    pub async fn press(
        &mut self,
        wait_nsec: u64,
        until_nsec: u64,
    ) -> Result<Option<Made>, Failure> {
        let answer = self.order(&format!("down {wait_nsec} {until_nsec}\n"), wait_nsec).await?;
        if answer == "late" {
            return Ok(None);
        }
        made(&answer).map(Some)
    }

    /// Releases the button after this time.
    pub async fn release(&mut self, wait_nsec: u64) -> Result<(), Failure> {
        let answer = self.order(&format!("up {wait_nsec}\n"), wait_nsec).await?;
        made(&answer).map(|_| ())
    }

    async fn order(&mut self, order: &str, wait_nsec: u64) -> Result<String, Failure> {
        self.orders.write_all(order.as_bytes()).await.map_err(|_| ended())?;
        self.answer(wait_nsec).await
    }

    async fn answer(&mut self, wait_nsec: u64) -> Result<String, Failure> {
        let patience = Duration::from_nanos(wait_nsec).saturating_add(PATIENCE);
        let Ok(line) = timeout(patience, self.answers.next_line()).await else {
            return Err(Failure::Protocol("clockd --drive-line does not answer".to_owned()));
        };
        let line = line.ok().flatten().ok_or_else(ended)?;
        if let Some(why) = line.strip_prefix("denied: ") {
            return Err(Failure::Denied(why.to_owned()));
        }
        match line.strip_prefix("error: ") {
            Some(why) => Err(Failure::Usage(why.to_owned())),
            None => Ok(line),
        }
    }
}

/// The readings of the clock in an answer.
fn made(answer: &str) -> Result<Made, Failure> {
    let mut numbers = answer.split(' ').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(before_nsec)), Some(Ok(after_nsec))) => Ok(Made { before_nsec, after_nsec }),
        _ => Err(Failure::Protocol(format!("clockd --drive-line: {answer}"))),
    }
}

fn ended() -> Failure {
    Failure::Protocol("clockd --drive-line has ended".to_owned())
}
