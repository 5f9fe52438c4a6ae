//! `clockctl simulate`: plays a script in virtual time.

use crate::control;
use crate::failure::Failure;
use crate::options::Options;
use crate::out::{self, Reader};
use crate::rules;
use crate::simulate::Game;
use anyhow::Result;
use clock_engine::Control;
use clock_engine::rules::RuleRefused;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

/// The byte order mark that some editors put before a text in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();
/// The largest length of a line, in bytes. A longer line is answered as malformed.
const LINE_LIMIT: u64 = 64 * 1024;

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The time control: the name of a shipped one; a control file; or a notation: 3+2,
    /// '40/90, G/30, +30', 'G/60 d5', pgn:40/5400+30:1800+30
    #[arg(long, value_name = "NAME|FILE|NOTATION")]
    control: String,
    /// The rule profile: the name of a shipped one, or a rule file. Without it claims and rulings
    /// are refused
    #[arg(long, value_name = "NAME|FILE")]
    rules: Option<String>,
    /// The script; `-` or nothing is standard input
    script: Option<PathBuf>,
}

const HELP: &str = "\
A script has one JSON object a line, such as {\"at_ns\": 5000000000, \"event\": \"press\", \
\"side\": \"white\"}; each is answered with the clock right after it, as one JSON object a line. \
docs/simulate.md has all events and answers. A malformed line is answered with an error, later lines are still played, and the exit code is 1. \
When the reader of the answers closes the pipe (… | head -1), the script ends there, with exit code 0.";

/// Plays a script.
pub fn run(options: &Options, args: &Args) -> Result<()> {
    let known = control::local(&args.control)?;
    control::echo(options, &args.control, &known);
    let mut game = new_game(known.control, args.rules.as_deref())?;
    let reader = match args.script.as_deref() {
        Some(path) if path.as_os_str() != "-" => {
            let file = File::open(path).map_err(|error| {
                Failure::Usage(format!("the script {}: {error}", path.display()))
            })?;
            play(options, &mut game, BufReader::new(file))?
        }
        _ => play(options, &mut game, io::stdin().lock())?,
    };
    match reader {
        Reader::Present if game.malformed => Err(Failure::MalformedScript.into()),
        Reader::Present | Reader::Gone => Ok(()),
    }
}

/// A game with this time control, under the rule profile if one is given. Returns an error if the
/// profile cannot be read or refuses the control.
fn new_game(control: Control, rules: Option<&str>) -> Result<Game, Failure> {
    let Some(rules) = rules else { return Ok(Game::new(control)) };
    let refused = |refused: RuleRefused| Failure::Refused {
        code: "refused-by-rules".to_owned(),
        message: refused.cited().to_string(),
    };
    Game::with_rules(control, *rules::local(rules)?.profile()).map_err(refused)
}

/// Plays the script to its end, or for as long as somebody reads the answers.
fn play(options: &Options, game: &mut Game, mut script: impl BufRead) -> Result<Reader> {
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        let length = script.by_ref().take(LINE_LIMIT).read_until(b'\n', &mut line);
        if length.map_err(unreadable)? == 0 {
            return Ok(Reader::Present);
        }
        number += 1;
        let answer = if line.ends_with(b"\n") || u64::try_from(line.len())? < LINE_LIMIT {
            let text = if number == 1 { line.strip_prefix(MARK).unwrap_or(&line) } else { &line };
            game.play(number, text.trim_ascii_end())
        } else {
            script.skip_until(b'\n').map_err(unreadable)?;
            game.answer_malformed(number, &format!("longer than {LINE_LIMIT} bytes"))
        };
        if !options.quiet && out::print_while_read(&out::json_line(&answer)?)? == Reader::Gone {
            return Ok(Reader::Gone);
        }
    }
}

fn unreadable(error: io::Error) -> Failure {
    Failure::Usage(format!("cannot read the script: {error}"))
}
