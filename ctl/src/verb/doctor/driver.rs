//! The process that drives the spare line: `clockd --drive-line`, which only root may start.

use std::process::Stdio;

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

use crate::{doctor::certificate::Made, failure::Failure};

/// The process. It lets go of the line when this value is dropped.
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
        // A Ctrl-C on the terminal must not end it before it has let go of the line.
        command.stderr(Stdio::null()).process_group(0);
        let mut child = command
            .spawn()
            .map_err(|error| Failure::Usage(format!("clockd cannot be run: {error}")))?;
        let (orders, answers) =
            child.stdin.take().zip(child.stdout.take()).expect("both are pipes");
        let answers = BufReader::new(answers).lines();
        let mut driver = Driver { _child: child, orders, answers };
        driver.answer().await?;
        Ok(driver)
    }

    /// Sets the level of the line after this time.
    pub async fn set(&mut self, pressed: bool, after_nsec: u64) -> Result<Made, Failure> {
        let word = if pressed { "down" } else { "up" };
        let order = format!("{word} {after_nsec}\n");
        self.orders.write_all(order.as_bytes()).await.map_err(|_| ended())?;
        let answer = self.answer().await?;
        let mut numbers = answer.split(' ').map(str::parse);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(before_nsec)), Some(Ok(after_nsec))) => Ok(Made { before_nsec, after_nsec }),
            _ => Err(Failure::Protocol(format!("clockd --drive-line: {answer}"))),
        }
    }

    async fn answer(&mut self) -> Result<String, Failure> {
        let line = self.answers.next_line().await.ok().flatten().ok_or_else(ended)?;
        match line.strip_prefix("error: ") {
            Some(why) => Err(Failure::Usage(why.to_owned())),
            None => Ok(line),
        }
    }
}

fn ended() -> Failure {
    Failure::Protocol("clockd --drive-line has ended".to_owned())
}
