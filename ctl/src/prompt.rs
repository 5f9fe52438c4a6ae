//! Asks on the terminal for one line.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use rustix::termios::{QueueSelector, tcflush};

use crate::{failure::Failure, one_of_many, options::Options};

/// The longest answer, in bytes.
const ANSWER_LIMIT: usize = 1000;

/// Whether there is a terminal on which somebody can be asked.
pub fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Whether to ask the user. With `--json` or `--quiet` a program reads the output, so nobody is asked. In a
/// run on one board of many nobody is asked either, because the question would come for each board.
pub fn asks(options: &Options) -> bool {
    has_terminal() && !options.json && !options.quiet && !one_of_many::is_here()
}

/// Asks a question that only `y` or `yes` answers with yes.
pub fn agreed(question: &str) -> Result<bool, Failure> {
    let answer = ask(&format!("{question} [y/N]"))?;
    Ok(matches!(answer.to_lowercase().as_str(), "y" | "yes"))
}

/// Discards the lines that were typed before the question is shown, then asks as [`ask`] does.
pub fn ask_anew(question: &str) -> Result<String, Failure> {
    let stdin = io::stdin();
    // If the terminal cannot discard its input, the question is asked nevertheless.
    let _ = stdin.is_terminal().then(|| tcflush(&stdin, QueueSelector::IFlush));
    ask(question)
}

/// Writes the question to standard error, because standard output is for the answer of the clock,
/// and reads one line. The end of the input is an error: nobody has answered.
pub fn ask(question: &str) -> Result<String, Failure> {
    let mut stderr = io::stderr().lock();
    write!(stderr, "{question}: ").and_then(|()| stderr.flush()).map_err(Failure::Output)?;
    let mut answer = String::new();
    let limit = u64::try_from(ANSWER_LIMIT).expect("a small number") + 1;
    let read = io::stdin().lock().take(limit).read_line(&mut answer);
    match read {
        Ok(0) => Err(Failure::Usage("nobody has answered".to_owned())),
        Ok(_) if answer.len() > ANSWER_LIMIT => {
            Err(Failure::Usage(format!("the answer is longer than {ANSWER_LIMIT} bytes")))
        }
        Ok(_) => Ok(answer.trim().to_owned()),
        Err(error) => Err(Failure::Usage(format!("the terminal cannot be read: {error}"))),
    }
}
