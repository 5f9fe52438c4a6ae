//! The command that a refusal names: every verb is tried in many states of a game, and each command
//! that a refusal names is tried, too. It is accepted, it mends the reason of the refusal, and it starts
//! no clock unless a start was wanted. A dry run has the same refusal.

use clock_tests::{Bench, Program};
use std::collections::BTreeMap;
use std::process::{Command, Output};

/// A state: a name, the control, the rule profile, and the commands after the set-up, separated by
/// `; `.
pub type StateOf = (&'static str, &'static str, &'static str, &'static str);

const FIDE: &str = "fide-2023";
const NOBODY: &str = "guidelines-iii-unsupervised";
const US: &str = "us-chess";

const FLAG_DOWN: &str = "start; pause; set white 0s --force; resume";
const POSTPONED: &str = "start; pause; set white 1m; resume; claim draw no-effort --by white; \
    rule postpone; change-method none; set white 0s --force; resume";
/// White's time has ended, and the penalties in points exclude every result.
pub const NO_RESULT: &str = "start; pause; penalize white opponent-points 1; \
    penalize black opponent-points 1; set white 0s --force; resume; flag";

/// White's time ends in a game without an arbiter.
pub const WHITE_IS_OUT_OF_TIME: &str = "start; pause --by white; \
    record-confirmation white correction; record-confirmation black correction; \
    set white 0s --force; record-confirmation white; record-confirmation black; resume";
const WHITE_IS_CALLED_OUT: &str = "start; pause --by white; \
    record-confirmation white correction; record-confirmation black correction; \
    set white 0s --force; record-confirmation white; record-confirmation black; resume; \
    flag --by black";
/// A draw claim concludes a game without an arbiter.
const CONCLUDED: &str = "start; pause --by white; \
    record-confirmation white correction; record-confirmation black correction; \
    set white 1m; record-confirmation white; record-confirmation black; resume; \
    claim draw cannot-win --by white";
const CONCLUDED_AND_OVER: &str = "start; pause --by white; \
    record-confirmation white correction; record-confirmation black correction; \
    set white 1m; record-confirmation white; record-confirmation black; resume; \
    claim draw cannot-win --by white; \
    record-attachment position text --verified-by black; refer; result 1/2-1/2 arbiter";

pub const STATES: &[StateOf] = &[
    ("ready", "3+2", "", ""),
    ("running", "3+2", "", "start"),
    ("paused", "3+2", "", "start; pause"),
    ("flag down", "3+2", "", FLAG_DOWN),
    ("over", "3+2", "", "start; result 1-0"),
    ("ready under rules", "3+2", FIDE, ""),
    ("running under rules", "3+2", FIDE, "start"),
    ("paused under rules", "3+2", FIDE, "start; pause"),
    ("flag down under rules", "3+2", FIDE, FLAG_DOWN),
    ("flag called", "3+2", FIDE, "start; pause; set white 0s --force; resume; flag"),
    ("over under rules", "3+2", FIDE, "start; result 1-0 mate"),
    ("stopped by White", "3+2", FIDE, "start; pause --by white"),
    ("penalty due", "3+2", FIDE, "start; pause --by white; rule obviously-invalid"),
    ("handled improperly", "3+2", FIDE, "start; pause; incident black force"),
    (
        "draw claimed",
        "G/120",
        "guidelines-iii",
        "start; pause; set white 1m; resume; claim draw no-effort --by white",
    ),
    (
        "points given and taken off",
        "3+2",
        FIDE,
        "start; pause; penalize white opponent-points 1; penalize white points-off 1",
    ),
    ("flag called, points forbid every result", "3+2", FIDE, NO_RESULT),
    ("adjourned", "40/120, G/60", "handbook-county", "start; adjourn white Nf3"),
    ("unsupervised", "G/120", NOBODY, "start"),
    ("unsupervised and stopped", "G/120", NOBODY, "start; pause --by white"),
    ("flag down, nobody supervises", "G/120", NOBODY, WHITE_IS_OUT_OF_TIME),
    ("flag called, nobody supervises", "G/120", NOBODY, WHITE_IS_CALLED_OUT),
    ("flag down, the players agree", "40/90, G/30", "players-agree", WHITE_IS_OUT_OF_TIME),
    ("flag down that players call", "G/120", US, FLAG_DOWN),
    ("flag down that players call, moves asked", "40/90, G/30", US, FLAG_DOWN),
    ("flag down after a postponed claim", "G/120", US, POSTPONED),
    ("concluded by a claim", "G/120", NOBODY, CONCLUDED),
    ("concluded by a claim and over", "G/120", NOBODY, CONCLUDED_AND_OVER),
];

/// The verbs that are tried in each state, separated by `; `.
pub const VERBS: &str = "start; pause; resume; new 5+3; set white 5m; add black 1m; add white -3h; \
    announce lunch; undo-press; result 0-1 resignation; reopen; claim flag --by black; \
    claim draw cannot-win --by black; claim increment --by white; flag; flag --by white; \
    rule made; rule postpone; rule reject; rule white-loses; rule drawn; rule valid; \
    rule forfeit --side white; penalize white warning; penalize black loss; penalize white loss; \
    penalize white points-off 1.5; penalize white opponent-points 0.5; \
    illegal-move white; illegal-move black; arrive white; record-confirmation white; \
    record-confirmation white correction; refer; record-attachment details text; \
    incident white other; set-assistant white yes; adjourn white Nf3; resume-adjourned; \
    set-rules handbook-county; change-time-control 5+3; change-method increment 5s; rewind W0; \
    set-buttons exchanged";

/// A clock, and how a command line names it.
pub struct Table {
    pub bench: Bench,
    /// The first words of every command line that is not from a hint.
    address: Vec<String>,
    _programs: [Program; 2],
}

impl Table {
    /// A clock with a record, on the system bus.
    pub fn start() -> Table {
        Table::configured("")
    }

    /// As [`Table::start`], with this text of `clockd.toml`.
    pub fn configured(configuration: &str) -> Table {
        let bench = Bench::in_memory().unwrap();
        bench.configure(configuration).unwrap();
        let bus = bench.bus().unwrap();
        let record = bench.folder().join("games");
        let clockd = bench.clockd(&["--record", record.to_str().unwrap()]).unwrap();
        // The clock is stopped before the bus.
        Table { bench, address: Vec::new(), _programs: [clockd, bus] }
    }

    /// A clock that is reached only with these words. `BUS` stands for the address of its bus.
    fn at(words: &[&str]) -> Table {
        let mut table = Table::start();
        let address = table.bench.address();
        table.address = words.iter().map(|word| word.replace("BUS", &address)).collect();
        let hall = format!(
            "[[board]]\nboard = '3'\nbus = '{address}'\n[[board]]\nboard = '4'\nbus = 'unix:path=/no'\n"
        );
        std::fs::write(table.bench.folder().join("the hall.toml"), hall).unwrap();
        table
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.bench.clockctl(words);
        command.current_dir(self.bench.folder());
        if !self.address.is_empty() {
            command.env("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/no");
        }
        command
    }

    /// Runs the words of a command on the clock.
    pub fn run(&self, words: &[&str]) -> Output {
        let address = self.address.iter().map(String::as_str);
        self.command(&address.chain(words.iter().copied()).collect::<Vec<_>>()).output().unwrap()
    }

    /// What a line prints on standard output.
    pub fn out(&self, line: &str) -> String {
        let output = self.run(&line.split(' ').collect::<Vec<_>>());
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a line. Returns the exit code and what is printed on standard error.
    pub fn ctl(&self, line: &str) -> (Option<i32>, String) {
        ended(self.run(&line.split(' ').collect::<Vec<_>>()))
    }

    /// Runs what a hint has after the name of the program, as a shell does. Only a file name can be
    /// in quotation marks.
    fn as_printed(&self, line: &str) -> (Option<i32>, String) {
        let parts = line.split('\'').enumerate();
        let words = parts.flat_map(|(index, part)| match index % 2 {
            0 => part.split(' ').filter(|word| !word.is_empty()).collect(),
            _ => vec![part],
        });
        ended(self.command(&words.collect::<Vec<_>>()).output().unwrap())
    }

    pub fn set_up(&self, (name, control, rules, commands): &StateOf) {
        let new = ["new", "--force", "--control", control, "--rules", rules];
        let output = self.run(&new);
        assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
        for command in commands.split_terminator("; ") {
            let (exit, err) = self.ctl(command);
            assert_eq!(exit, Some(0), "{name}: {command}: {err}");
        }
    }
}

fn ended(output: Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// The commands that a message names. Each item of the outer list is one way to go on; its commands
/// are given one after the other.
fn ways(message: &str) -> Vec<Vec<String>> {
    let mut ways: Vec<Vec<String>> = Vec::new();
    let mut parts = message.split("clockctl ");
    // The first part is the name of the program, the second one ends before the first command.
    let mut between = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = [
            " or ",
            " and ",
            ";",
            " (",
            ")",
            ",",
            " ends it",
            " gives it up",
            " takes it",
            " shows",
            " says",
            "\n",
        ]
        .iter()
        .filter_map(|mark| part.find(mark))
        .min()
        .unwrap_or(part.len());
        let (command, rest) = part.split_at(end);
        let command = command.trim().replace("NAME", FIDE).replace("TEXT", "text");
        let command =
            command.replace("RESULT", "1-0").replace("REASON", "mate").replace("TIME", "5m");
        let goes_on = between.starts_with(" and ") || between.contains("then");
        match ways.last_mut().filter(|_| goes_on) {
            Some(way) => way.push(command),
            None => ways.push(vec![command]),
        }
        rest.clone_into(&mut between);
    }
    ways
}

/// A command with a value for each word in capital letters.
fn filled(command: &str) -> String {
    let values =
        [("RESULT REASON", "1-0 mate"), ("TIME", "5m"), ("CONTROL", "G/120"), ("TEXT", "text")];
    values.iter().fold(command.to_owned(), |command, (word, value)| command.replace(word, value))
}

/// The message without what many boards say below it: the refused command for those that have refused
/// it. A dry run does not say it.
fn without_again(message: &str) -> &str {
    message.find("the command again, for ").map_or(message, |at| &message[..at])
}

fn without_digits(text: &str) -> String {
    text.replace(|letter: char| letter.is_ascii_digit(), "0")
}

#[test]
fn without_a_verb_five_commands_are_named_that_work_now() {
    five_commands_work(&Table::start(), STATES);
}

#[test]
fn the_commands_for_a_board_of_a_hall_or_a_bus_are_named_as_they_are_typed() {
    let hall = Table::at(&["--hall", "the hall.toml", "--boards", "3"]);
    let states = ["paused under rules", "penalty due", "draw claimed", "unsupervised and stopped"];
    let states: Vec<StateOf> =
        STATES.iter().filter(|(name, ..)| states.contains(name)).copied().collect();
    refusals_name_commands_that_work(&hall, &states);
    five_commands_work(&hall, &states);
    five_commands_work(&Table::at(&["--bus", "BUS"]), &states[..1]);
}

fn five_commands_work(table: &Table, states: &[StateOf]) {
    let mut wrong = Vec::new();
    for state in states {
        table.set_up(state);
        let output = table.run(&[]);
        assert_eq!(output.status.code(), Some(0), "{}: {output:?}", state.0);
        let said = String::from_utf8(output.stdout).unwrap();
        let (_, next) = said.split_once("\nnext:\n").expect("the next commands");
        let commands: Vec<&str> = next
            .lines()
            .filter_map(|line| line.strip_prefix("  clockctl "))
            .map(|line| line.split_once("  ").map_or(line, |(command, _)| command))
            .collect();
        let object = table.run(&["--json"]).stdout;
        let object: serde_json::Value = serde_json::from_slice(&object).unwrap();
        let in_json: Vec<_> = commands.iter().map(|it| format!("clockctl {it}").into()).collect();
        assert_eq!(object["next"], serde_json::Value::Array(in_json), "{}", state.0);
        assert_eq!(commands.len(), 5, "{}: {said}", state.0);
        let mut is_as_set_up = true;
        for command in commands {
            // `watch` would not end.
            let command = filled(command).replace("watch", "status");
            if !is_as_set_up {
                table.set_up(state);
            }
            let only_looks = ["status", "log", "doctor", "export", "time-control", "rules"];
            let has = |verb: &&str| command.split(' ').any(|word| word == *verb);
            is_as_set_up = only_looks.iter().any(has);
            let (exit, err) = table.as_printed(&command);
            // `doctor` says with 8 that this machine has no real-time scheduling.
            if exit != Some(0) && !(has(&"doctor") && exit == Some(8)) {
                wrong.push(format!("{}: {command}: {exit:?}: {err}", state.0));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.concat());
}

#[test]
fn every_refusal_names_commands_that_work_now() {
    refusals_name_commands_that_work(&Table::start(), STATES);
}

fn refusals_name_commands_that_work(table: &Table, states: &[StateOf]) {
    let mut wrong = Vec::new();
    for state in states {
        // The hints of this state, each with its reason and with a verb that was refused with it.
        let mut hints = BTreeMap::new();
        table.set_up(state);
        for verb in VERBS.split("; ") {
            let (tried_exit, tried) = table.ctl(&format!("-n {verb}"));
            let (exit, err) = table.ctl(verb);
            let refusal = without_again(&err).to_owned();
            // A running clock has other digits in the message.
            if tried_exit != exit || without_digits(&tried) != without_digits(&refusal) {
                wrong.push(format!(
                    "{}: {verb}: the dry run ended with {tried_exit:?}: {tried}, and the command \
                     with {exit:?}: {err}",
                    state.0
                ));
            }
            match exit {
                Some(0) => table.set_up(state),
                Some(5) => {
                    for way in ways(refusal.trim_start_matches("clockctl: ")) {
                        let key = (way, reason(&refusal), wants_start(verb));
                        hints.entry(key).or_insert((verb, refusal.clone()));
                    }
                }
                _ => wrong.push(format!("{}: {verb}: exit {exit:?}: {err}", state.0)),
            }
        }
        for ((way, ..), (verb, refusal)) in hints {
            table.set_up(state);
            wrong.extend(wrong_way(table, state, &way, (verb, &refusal)));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.concat());
}

/// What is wrong with this way on after a refusal of `verb`.
fn wrong_way(
    table: &Table,
    state: &StateOf,
    way: &[String],
    (verb, refusal): (&str, &str),
) -> Option<String> {
    let wrong =
        |why: String| Some(format!("{}: {verb} was refused: {refusal}but {why}\n", state.0));
    let ran = is_running(table);
    for command in way {
        let (exit, err) = table.as_printed(command);
        if exit != Some(0) && !(command.contains("doctor") && exit == Some(8)) {
            return wrong(format!("`{command}` of {way:?} fails: {err}"));
        }
    }
    if is_running(table) && !ran && !wants_start(verb) {
        return wrong(format!("{way:?} starts a clock"));
    }
    // These only look, and name what can be chosen; or they name the rulings that are allowed.
    let looks = ["rules list", "time-control list", "doctor", "status", "log"];
    let chooses = verb.starts_with("rule ") && refusal.contains("allowed now:");
    // A game is started once. What is named goes on with it, and is not followed by a second start.
    if chooses
        || verb == "start"
        || way.iter().any(|command| looks.iter().any(|look| command.ends_with(look)))
    {
        return None;
    }
    // A flag that only a player calls was called by him.
    if verb == "flag" && way.iter().any(|command| command.starts_with("flag --by")) {
        return None;
    }
    // A way can have several steps. After each, the refusal names the next one.
    let (exit, again) = table.ctl(verb);
    if exit == Some(5) && reason(&again) == reason(refusal) && ways(&again) == ways(refusal) {
        return wrong(format!(
            "after {way:?} it is refused for the same reason, with the same hint"
        ));
    }
    None
}

/// Whether the user has asked for a clock that runs.
fn wants_start(verb: &str) -> bool {
    ["start", "resume"].contains(&verb)
}

/// Why a verb was refused, without the numbers of a running clock and without the clause and the hint.
fn reason(refusal: &str) -> String {
    let said = refusal.split_once("refused: ").map_or(refusal, |(_, said)| said);
    without_digits(said.split(" (").next().unwrap_or_default())
}

fn is_running(table: &Table) -> bool {
    let status: serde_json::Value = serde_json::from_str(&table.out("status --json")).unwrap();
    status["phase"] == "running"
}

/// The hints that answer a refusal, word for word, and refusals that no command mends, which have none.
#[test]
fn a_hint_answers_the_refusal_or_is_absent() {
    let table = Table::start();
    let none = "";
    for (name, verb, expected) in [
        ("ready", "announce lunch", none),
        ("ready", "pause", none),
        ("ready", "resume", "(now: clockctl start)"),
        ("running", "set white 5m", "(stop the clocks first: clockctl pause)"),
        ("running", "start", none),
        ("paused", "start", "(now: clockctl resume)"),
        ("paused", "add white -3h", none),
        ("paused", "undo-press", none),
        ("paused under rules", "illegal-move black", none),
        ("paused under rules", "refer", none),
        ("paused under rules", "flag", none),
        ("paused under rules", "rule valid", none),
        ("paused under rules", "add white -3h", none),
        ("over", "add black 1m", "(first: clockctl reopen)"),
        ("penalty due", "resume", "(first: clockctl penalize white warning)"),
        ("adjourned", "resume", "(first: clockctl resume-adjourned)"),
        ("draw claimed", "rule made", "(allowed now: clockctl rule reject"),
        ("flag called", "flag", "(first: clockctl rule "),
    ] {
        let state = STATES.iter().find(|state| state.0 == name).unwrap();
        table.set_up(state);
        let (exit, err) = table.ctl(verb);
        assert_eq!(exit, Some(5), "{name}: {verb}: {err}");
        match expected {
            "" => assert!(
                !err.contains("clockctl ") || err.matches("clockctl").count() == 1,
                "{name}: {verb}: {err}"
            ),
            expected => assert!(err.contains(expected), "{name}: {verb}: {err}"),
        }
    }
}
