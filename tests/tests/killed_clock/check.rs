//! What is checked after each kill.

use crate::arbiter::{ADDED, CONTROLS, Command, control, other_control};
use crate::game::{Game, Round};
use crate::numbers::Numbers;
use crate::presses::Presses;
use crate::record;
use clock_dbus::{ClockProxy, Phase, State, Who};
use serde_json::Value;

impl Game {
    /// Checks the record and the state after a restart.
    pub async fn check(&mut self, round: Round) {
        let mut entries = self.new_entries(round.killed_at).await;
        let context = format!("{}: {:?}\n{entries:#?}", round.reason, round.command);
        let restart = entries.pop().unwrap();
        check_gap(&restart, &entries, round.killed_at, &context);
        let mut numbers = Numbers::of_state(&round.before);
        let (mut decided, mut done) = (Vec::new(), None);
        let mut in_force = control(&round.before.time_control);
        for entry in &entries {
            let at = entry["at_ns"].as_u64().unwrap();
            numbers = match entry["kind"].as_str().unwrap() {
                "press" => {
                    let event = &entry["events"][0];
                    let side = if event["side"] == "white" { Who::White } else { Who::Black };
                    assert_eq!(event["accepted"], true, "{context}");
                    decided.push((side, at));
                    numbers.pressed_with(side, at, in_force.increment)
                }
                "command" => {
                    assert_eq!(entry["command"]["reason"], *round.reason, "{context}");
                    assert!(done.replace(entry.clone()).is_none(), "{context}");
                    let (command, _) = round.command.as_ref().unwrap();
                    match command {
                        Command::New => in_force = &CONTROLS[0],
                        Command::ChangeTimeControl => {
                            in_force = other_control(in_force.name);
                            self.counts.controls_changed += 1;
                        }
                        _ => {}
                    }
                    after_command(&numbers, command, at, entry)
                }
                "time" => numbers.at(at),
                // This entry contains the whole state of the clock. `clockd` adds such an entry to
                // the record at its own start. It says that no entry was lost.
                "state" => {
                    assert_eq!(entry["events"][0]["lost"], 0, "{context}");
                    numbers.at(at)
                }
                kind => panic!("{kind}: {context}\n{}", self.clock.log()),
            };
            assert_agree(&Numbers::of_entry(entry), &numbers, &context);
        }
        // What was seen on the bus is in the record, in the same order.
        let mut recorded = entries.iter();
        for (cause, state) in &round.seen {
            // A fault and a number of the record are no inputs of the clock, so they have no entries.
            // The storage can become faulty here, because a disk that other programs use may not
            // answer for 3 s.
            if matches!(cause.as_str(), "fault" | "game-number") {
                continue;
            }
            let found = recorded.any(|entry| {
                entry["state"]["revision"] == state.revision
                    && Numbers::of_entry(entry).agrees_with(&Numbers::of_state(state))
            });
            assert!(found, "{cause} is not in the record: {state:?}\n{context}");
        }
        // The clock shows, to the nanosecond, what it would show without the kill.
        assert_agree(&Numbers::of_entry(&restart), &numbers, &context);
        assert_agree(&Numbers::of_state(&self.state), &numbers, &context);
        let proxy = ClockProxy::new(&self.connection).await.unwrap();
        let (name, file, _, _) = proxy.get_time_control().await.unwrap();
        assert_eq!((&*name, &*file), (in_force.name, in_force.file), "{context}");
        assert_eq!(self.state.time_control, name, "{context}");
        let since = restart["events"][0]["since_ns"].as_u64().unwrap();
        self.check_presses(&round, &decided, since, &context);
        self.check_command(&round, done.as_ref(), &context);
        self.check_whole_state(&round, &entries, &context);
    }

    /// The entries since the last check, up to the restart.
    async fn new_entries(&mut self, killed_at: u64) -> Vec<Value> {
        let latest = record::latest_game(&self.connection).await;
        let mut entries = Vec::new();
        if latest != self.game {
            entries = record::entries(&self.connection, self.game, self.next_entry).await;
        }
        let rest = record::entries_until_restart(
            &self.connection,
            latest,
            self.next_entry + u64::try_from(entries.len()).unwrap(),
            killed_at,
        );
        entries.extend(rest.await);
        for (index, entry) in (self.next_entry..).zip(&entries) {
            assert_eq!(entry["entry"], index, "{entries:#?}");
        }
        self.game = latest;
        self.next_entry += u64::try_from(entries.len()).unwrap();
        entries
    }

    /// Checks that the decided presses are the presses that were made, in their order and each at
    /// its own stamp; only the last presses may be missing. The missing presses must be in the gap
    /// that begins at `since`.
    fn check_presses(&mut self, round: &Round, decided: &[(Who, u64)], since: u64, context: &str) {
        let Presses { answered, unanswered } = &round.presses;
        let known = decided.len().min(answered.len());
        assert_eq!(decided[..known], answered[..known], "{context}");
        let lost = &answered[known..];
        assert!(lost.iter().all(|(_, at)| *at > since), "{lost:?} {since}: {context}");
        // The answer to the last press may have been lost with the clock.
        let unknown: Vec<Who> = decided[known..].iter().map(|(side, _)| *side).collect();
        let last: Vec<Who> = unanswered.iter().copied().collect();
        assert!(last.starts_with(&unknown), "{unknown:?} {last:?} {context}");
        let seen = round.seen.iter().filter(|(cause, _)| cause == "press" || cause == "start");
        let counts = &mut self.counts;
        counts.presses_decided += u64::try_from(decided.len()).unwrap();
        counts.presses_decided_unseen += u64::try_from(decided.len() - seen.count()).unwrap();
        counts.presses_lost += u64::try_from(answered.len() - known).unwrap();
    }

    /// Checks that a command that was answered without an error is in the record, with the revision
    /// of the answer. A command without such an answer can be in the record or not.
    fn check_command(&mut self, round: &Round, done: Option<&Value>, context: &str) {
        let counts = &mut self.counts;
        match (&round.command, done) {
            (Some((_, Ok(completed))), Some(entry)) => {
                assert_eq!(entry["state"]["revision"], completed.revision, "{context}");
                counts.commands_done += 1;
            }
            (Some((_, Ok(_))), None) => panic!("an answered command is lost: {context}"),
            (Some((_, Err(_))), Some(_)) => counts.commands_done_unanswered += 1,
            (Some((_, Err(_))), None) => counts.commands_lost += 1,
            (None, done) => assert_eq!(done, None, "{context}"),
        }
    }

    /// Checks that a game that runs has the fault `restarted`. If every entry was also seen on the
    /// bus, the whole state is known, and this checks the whole state, too.
    fn check_whole_state(&self, round: &Round, entries: &[Value], context: &str) {
        let is_said = self.state.faults.iter().any(|fault| fault.code == "restarted");
        assert!(is_said || self.state.phase != Phase::Running, "{:?}\n{context}", self.state);
        if entries.len() != round.seen.len() {
            return;
        }
        let last = round.seen.last().map_or(&round.before, |(_, state)| state);
        let expected = State {
            sequence: self.state.sequence,
            revision: self.state.revision,
            // Each start of the service gives the texts another version.
            texts_version: self.state.texts_version,
            faults: self.state.faults.clone(),
            ..last.at(self.state.at_nsec)
        };
        assert_eq!(self.state, expected, "{context}");
        assert!(self.state.revision >= last.revision, "{context}");
    }

    /// Reads the entries of all games once more and checks that their numbers have no gap. Then
    /// stops the clock and checks that its log tells of no damage and no loss.
    pub async fn check_whole_record(&mut self) {
        let mut next = 1;
        for game in 1..=record::latest_game(&self.connection).await {
            for entry in record::entries(&self.connection, game, 0).await {
                assert_eq!(entry["entry"], next);
                next += 1;
            }
        }
        assert_eq!(next, self.next_entry);
        assert_eq!(self.clock.stop().unwrap(), 0);
        let log = self.clock.log();
        for word in ["damaged", "cannot be used", "does not agree", "is lost"] {
            assert!(!log.contains(word), "{log}");
        }
    }
}

/// What a clock shows right after a command.
fn after_command(before: &Numbers, command: &Command, at: u64, entry: &Value) -> Numbers {
    match command {
        Command::Pause => before.commanded(at, Phase::Paused),
        Command::Resume => before.commanded(at, Phase::Running),
        Command::Claim => before.commanded(at, Phase::Ruling),
        Command::Result => before.commanded(at, Phase::Over),
        Command::Rule(answer) => before.commanded(at, answer.phase).with(answer),
        Command::ChangeTimeControl => before.at(at),
        Command::AddTime => {
            let mut numbers = before.at(at);
            numbers.remaining[0] = numbers.remaining[0].checked_add_signed(ADDED).unwrap();
            numbers
        }
        Command::New => {
            let numbers = Numbers::of_entry(entry);
            assert_eq!(
                (&*numbers.phase, numbers.moves, numbers.running.as_str()),
                ("ready", [0, 0], "")
            );
            numbers
        }
    }
}

/// Checks the gap, the time in which no press was read. It is an event of the restart. It begins
/// before the kill, when the clock was last known to be alive, and ends after the kill.
fn check_gap(restart: &Value, entries: &[Value], killed_at: u64, context: &str) {
    let since = restart["events"][0]["since_ns"].as_u64().unwrap();
    let at = restart["at_ns"].as_u64().unwrap();
    assert!(since <= killed_at && killed_at <= at, "{killed_at}: {context}");
    let latest = entries.iter().map(|entry| entry["at_ns"].as_u64().unwrap()).max();
    assert!(latest.is_none_or(|latest| latest <= at), "{context}");
}

#[track_caller]
fn assert_agree(shown: &Numbers, computed: &Numbers, context: &str) {
    assert!(shown.agrees_with(computed), "{shown:?}\n{computed:?}\n{context}");
}
