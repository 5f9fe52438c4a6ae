//! Sends an arbiter's command and prints the result.

use anyhow::{Context, Result};
use clock_dbus::{Completed, Given, Phase, Side, State};
use clock_engine::Control;
use clock_engine::rules::{Authority, Profile};
use clock_engine::text::{ControlFile, RuleFile};

use crate::{
    bus::{Bus, bounded},
    failure::Failure,
    json::CommandJson,
    one_of_many,
    options::Options,
    out,
    text::{
        self, Column,
        hint::{Situation, Wanted, hint},
    },
};

/// A command that the clock has carried out.
pub struct CompletedCommand {
    /// The connection over which the command was sent.
    pub bus: Bus,
    /// The state before the command.
    pub before: State,
    /// The answer of the clock. Its report says what the command did.
    pub answer: Completed,
    /// Whether the clock was as wanted before, so that no command was sent.
    is_already: bool,
}

/// What is printed after a command that is not on record yet.
const NOT_RECORDED: &str = "(not on record yet: the storage is slow or fails; the clock has carried the command out; \
                            clockctl status shows a fault of the storage)\n";

/// The phrases of the commands whose refusals have hints of their own.
pub const PAUSE: &str = "pause the clocks";
pub const RESUME: &str = "start a clock again";
pub const FLAG_CALL: &str = "call the flag";
pub const RULING: &str = "give a ruling";

/// What is printed before the text of a dry run.
const DRY_RUN: &str = "dry run: nothing was changed\n";

/// A connection for sending a command, and the state of the clock before the command.
pub struct Connected {
    pub bus: Bus,
    pub before: State,
    /// A phrase for the command, such as `pause the clocks`.
    wanted: &'static str,
}

/// Connects, and reads the state before the command. A clock that has left the revision of the command
/// line is refused here: what a verb checks before it sends the command, such as a time that is far too
/// high, may follow from the same command, which was carried out before.
pub async fn connect(options: &Options, wanted: &'static str) -> Result<Connected> {
    let cannot = || format!("cannot {wanted}");
    let bus = Bus::connect_for_command(options).await.with_context(cannot)?;
    let before = bus.state().await.with_context(cannot)?;
    match options.revision.filter(|given| *given != before.revision) {
        None => Ok(Connected { bus, before, wanted }),
        Some(given) => {
            let failure = has_changed(given, before.revision);
            Err(not_completed(&bus, failure, wanted, before.revision).await)
        }
    }
}

fn has_changed(given: u64, now: u64) -> Failure {
    Failure::Refused {
        code: "stale-revision".to_owned(),
        message: format!(
            "the clock has changed since: revision {given} was given, it is at {now} now"
        ),
    }
}

impl Connected {
    /// Sends the command for the revision given on the command line, or for that of the state that was
    /// read.
    ///
    /// With the read this takes two round trips. More would delay `pause`: the clock runs until the command
    /// arrives.
    pub async fn send(self, options: &Options, given: Given) -> Result<CompletedCommand> {
        self.send_because(options, given, &options.reason).await
    }

    /// As [`Connected::send`], for this reason.
    pub async fn send_because(
        self,
        options: &Options,
        given: Given,
        reason: &str,
    ) -> Result<CompletedCommand> {
        let Connected { bus, before, wanted } = self;
        let revision = options.revision.unwrap_or(before.revision);
        if !bus.is_dry_run {
            one_of_many::note_sent(revision);
        }
        match bounded(bus.arbiter.give(given, revision, reason)).await {
            Ok(completed) => {
                if !bus.is_dry_run {
                    one_of_many::note_carried_out();
                }
                Ok(CompletedCommand::new(bus, before, completed))
            }
            Err(failure) => Err(not_completed(&bus, failure, wanted, before.revision).await),
        }
    }

    /// Sends no command, because the clock is as wanted already. `said` says how it is.
    pub async fn show_already(self, options: &Options, said: &str) -> Result<()> {
        let said = format!("{said}; no command was sent");
        let completed = CompletedCommand::unsent(self.bus, &said, self.before);
        let completed = CompletedCommand { is_already: true, ..completed };
        completed.show(options, after_done).await
    }

    /// The error for a command line with which the command cannot be sent.
    pub fn usage(&self, message: String) -> anyhow::Error {
        let failure = Failure::Usage(message);
        anyhow::Error::new(failure).context(format!("cannot {}", self.wanted))
    }
}

/// Returns an error that names the command and contains `failure`. A refusal gets the command that
/// works now. If the clock may have carried out the command, the clock is asked once more, and the
/// error says what happened. `revision` is that of the state before the command.
pub async fn not_completed(
    bus: &Bus,
    failure: Failure,
    wanted: &str,
    revision: u64,
) -> anyhow::Error {
    let failure = match failure {
        Failure::Refused { code, message } => {
            let message = with_hint(bus, &code, message, wanted).await;
            Failure::Refused { code, message }
        }
        other => other,
    };
    let doubt = failure.leaves_in_doubt() && !bus.is_dry_run;
    let error = anyhow::Error::new(failure);
    if doubt {
        let asked = bus.state().await.ok();
        error.context(format!("tried to {wanted}, {}", what_happened(asked.as_ref(), revision)))
    } else {
        error.context(format!("cannot {wanted}"))
    }
}

/// What became of a command that got no answer, from the state after it. Every command that is
/// carried out makes a new revision; a completed move makes none.
fn what_happened(asked: Option<&State>, revision: u64) -> String {
    match asked {
        None => "and whether it was done is not known (clockctl status shows it)".to_owned(),
        Some(state) if state.revision == revision => format!(
            "got no answer, and asked again: it has not been done so far (the clock still has the \
             revision {revision}, sequence {})",
            state.sequence
        ),
        Some(state) => format!(
            "got no answer, and asked again: the clock has changed, so it was probably done (revision \
             {}, before {revision}): {}; clockctl log has it",
            state.revision,
            text::brief(state).trim_end()
        ),
    }
}

/// The message of a refusal with the command that works now, as far as the state can be read. The
/// state is read again, because it may have changed since the command was prepared.
async fn with_hint(bus: &Bus, code: &str, message: String, wanted: &str) -> String {
    let Ok(state) = bus.now().await else { return message };
    match hint(code, &message, of_phrase(wanted), &situation(bus, &state).await) {
        Some(hint) if message.is_empty() => format!("{code} ({hint})"),
        Some(hint) => format!("{message} ({hint})"),
        None => message,
    }
}

/// What was refused, from the phrase for it.
fn of_phrase(wanted: &str) -> Wanted {
    match wanted {
        PAUSE => Wanted::Pause,
        RESUME => Wanted::Resume,
        FLAG_CALL => Wanted::FlagCall,
        RULING => Wanted::Ruling,
        _ => Wanted::Other,
    }
}

/// What the next command depends on.
pub async fn situation<'a>(bus: &Bus, state: &'a State) -> Situation<'a> {
    let is_unsupervised = !state.rules.is_empty() && is_unsupervised(bus).await;
    Situation { state, is_unsupervised }
}

async fn is_unsupervised(bus: &Bus) -> bool {
    let rules = profile_in_use(bus).await;
    rules.is_some_and(|profile| profile.authority == Authority::Nobody)
}

/// The time control of the clock; `None` if it cannot be read. What depends on it, a note or a check of
/// a time, is left out then, and a correction is made all the same.
pub async fn control_in_use(bus: &Bus) -> Option<Control> {
    let (_name, file, _changed_method, _notation) =
        bounded(bus.clock.get_time_control()).await.ok()?;
    ControlFile::parse(&file).ok().map(|file| file.control)
}

/// The rule profile of the game; `None` if the game has none or it cannot be read.
pub async fn profile_in_use(bus: &Bus) -> Option<Profile> {
    let (_name, file) = bounded(bus.clock.get_rules()).await.ok()?;
    let resolved = |_: &str| Err("the text is resolved".to_owned());
    RuleFile::parse(&file, resolved).ok().map(|file| file.profile)
}

impl CompletedCommand {
    /// A command that the clock has carried out.
    pub fn new(bus: Bus, before: State, answer: Completed) -> Self {
        CompletedCommand { bus, before, answer, is_already: false }
    }

    /// A command that was not sent. `said` says why.
    pub fn unsent(bus: Bus, said: &str, before: State) -> Self {
        let answer =
            Completed { revision: before.revision, recorded: true, report: said.to_owned() };
        CompletedCommand::new(bus, before, answer)
    }

    /// Prints the state after the command as JSON, or what the command did and below it the text that
    /// `below` returns for the states before and after the command. The JSON and the text also say if
    /// the command is not on record. With `--quiet`, prints nothing.
    pub async fn show(
        self,
        options: &Options,
        below: impl FnOnce(&State, &State) -> String,
    ) -> Result<()> {
        if options.quiet {
            return Ok(());
        }
        let (before, after) = self.before_and_after().await?;
        if options.json {
            let (is_dry_run, is_already) = (self.bus.is_dry_run, self.is_already);
            let Completed { recorded, report, .. } = self.answer;
            let object = CommandJson::new(&before, &after, recorded, report);
            return out::print_json(&CommandJson { is_dry_run, is_already, ..object });
        }
        self.print(&below(&before, &after))
    }

    /// The state right before the command and the present one.
    async fn before_and_after(&self) -> Result<(State, State)> {
        let read = async {
            let after = self.bus.state().await?;
            let now = self.bus.monotonic_nsec().await?;
            Ok::<_, Failure>((after, now))
        };
        let (after, now) = read.await.with_context(|| self.unread())?;
        Ok((self.right_before(&after), after.at(now)))
    }

    /// The state before the command, at the instant of the command. If a move was completed in
    /// between, the times at that instant are not known, and this is the state that was read first.
    fn right_before(&self, after: &State) -> State {
        let moves = |state: &State| u64::from(state.white.moves) + u64::from(state.black.moves);
        match moves(after) <= moves(&self.before) {
            true => self.before.at(after.at_nsec),
            false => self.before.clone(),
        }
    }

    /// Prints the state after the command as JSON, and whether the command is on record.
    pub fn print_json(&self, after: &State) -> Result<()> {
        out::print_json(&self.json(after))
    }

    /// The object that is printed after the command.
    pub fn json(&self, after: &State) -> CommandJson {
        let Completed { recorded, report, .. } = &self.answer;
        let is_dry_run = self.bus.is_dry_run;
        let object = CommandJson::new(&self.before, after, *recorded, report.clone());
        CommandJson { is_dry_run, ..object }
    }

    /// Prints what the command did, below it the text, and a note if the command is not on record. Above
    /// the text of a dry run, says so.
    pub fn print(&self, text: &str) -> Result<()> {
        let Completed { recorded, report, .. } = &self.answer;
        let (above, below) = match (self.bus.is_dry_run, recorded) {
            (true, _) => (DRY_RUN, String::new()),
            (false, true) => ("", String::new()),
            (false, false) => ("", text::addressed(NOT_RECORDED)),
        };
        out::print(&format!("{above}{}\n{text}{below}", text::plain(report)))
    }

    /// The state after the command.
    pub async fn after(&self) -> Result<State> {
        let now = self.bus.now().await;
        now.with_context(|| self.unread())
    }

    fn unread(&self) -> String {
        format!("{}, but cannot read the clock", self.answer.report)
    }
}

/// A table of the times, counters and periods of both sides before and after, with the times as the
/// clock shows them; `before` in the JSON has them to the nanosecond.
pub fn readings_table(before: &State, after: &State) -> String {
    let states = [before, after];
    let time = |side| states.map(|state| text::clock(state.side(side).remaining_nsec));
    let moves = |side| states.map(|state| state.side(side).moves.to_string());
    let period = |side| states.map(|state| text::period(state, side));
    let overtime = |side| states.map(|state| text::overtime(state, side));
    text::table(&[
        Column::left("", ["before", "after"].map(str::to_owned)),
        Column::right("White", time(Side::White)),
        Column::right("moves", moves(Side::White)),
        Column::right("period", period(Side::White)),
        Column::left("overtime", overtime(Side::White)),
        Column::right("Black", time(Side::Black)),
        Column::right("moves", moves(Side::Black)),
        Column::right("period", period(Side::Black)),
        Column::left("overtime", overtime(Side::Black)),
        Column::left("on move", states.map(|state| text::name(state.on_move).to_owned())),
    ])
}

/// What follows the sentence that says what a command did: the table of [`table`] if the clocks
/// stand and a time, a counter or the side on move has changed, then the state in one line and what
/// awaits an answer now.
pub fn after_done(before: &State, after: &State) -> String {
    let shown = |state: &State| {
        let of = |side| {
            let side = state.side(side);
            (side.remaining_nsec, side.moves, side.period)
        };
        (of(Side::White), of(Side::Black), state.on_move)
    };
    let readings = after.phase != Phase::Running && shown(before) != shown(after);
    let readings_table = if readings { readings_table(before, after) } else { String::new() };
    readings_table + &text::brief_and_questions(after)
}
