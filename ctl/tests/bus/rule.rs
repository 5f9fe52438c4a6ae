//! `clockctl rule` on a terminal and without one.

use clock_dbus::{Error, Phase, SideState, State, Who};

use crate::fake::{Answer, Fake, SECOND};
use crate::private_bus::PrivateBus;
use crate::program::run;
use crate::rules::claimed;
use crate::terminal::Terminal;
use crate::verbs::paused;

fn calls(fake: &Fake) -> Vec<String> {
    fake.calls().into_iter().filter(|call| !call.starts_with("get-")).collect()
}

const LIST: &str = "Number of the ruling, or q to leave:";
const CONFIRM: &str = "Give this ruling? [y/N, q to leave]:";

/// `clockctl rule` in a terminal that holds all questions of a test.
fn start(bus: &PrivateBus) -> Terminal {
    Terminal::start_with_rows(bus, &["rule"], 200)
}

/// Answers the questions after the first `asked`, each once it is shown: what is typed before is
/// discarded.
fn answer(terminal: &mut Terminal, asked: usize, lines: &[&str]) {
    for (number, line) in (asked + 1..).zip(lines) {
        terminal.wait_for_times("q to leave", number);
        terminal.type_keys(&format!("{line}\r"));
    }
}

#[test]
fn a_number_and_a_confirmation_give_the_usual_ruling() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, claimed());
    let mut terminal = Terminal::start(&bus, &["rule", "--reason", "board 3"]);
    let list = terminal.wait_for(LIST);
    for text in [
        "White's draw claim (no-effort)",
        " 1  reject",
        "0:02:30.0 → 0:04:30.0  paused",
        " 3  drawn",
        "over 1/2-1/2",
        "Look for progress on the board.",
    ] {
        assert!(list.contains(text), "{text} is not on\n{list}");
    }
    terminal.type_keys("1\r");
    let shown = terminal.wait_for(CONFIRM);
    assert!(shown.contains("Black  0:02:30.0  0:04:30.0"), "{shown}");
    assert_eq!(calls(&fake), [""; 0]);
    terminal.type_keys("y\r");
    let exit = terminal.end("paused: White 0:01:12.3 (on move), Black 0:04:30.0");
    assert_eq!(exit, 0);
    assert_eq!(calls(&fake), [r#"rule reject "" -1 7 "board 3""#]);
}

#[test]
fn an_award_that_the_clock_offers_is_sent() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, claimed());
    let mut terminal = start(&bus);
    answer(&mut terminal, 0, &["2", "yes"]);
    assert_eq!(terminal.end("Black 0:04:30"), 0);
    assert_eq!(calls(&fake), [r#"rule postpone "" 120000000000 7 """#]);
}

#[test]
fn only_a_number_and_yes_give_a_ruling() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, claimed());
    let all: [&[&str]; 7] = [
        &["q"],
        &["Q"],
        &["1", "q"],
        &["", "", "q"],
        &["1", "", "q"],
        &["3", "n", "q"],
        &["7", "y", "q"],
    ];
    for lines in all {
        let mut terminal = start(&bus);
        answer(&mut terminal, 0, lines);
        assert_eq!(terminal.end("no ruling was given"), 0, "{lines:?}");
    }
    // The end of the input is no answer, as with every question of clockctl.
    let mut terminal = Terminal::start(&bus, &["rule"]);
    terminal.wait_for(LIST);
    terminal.type_keys("\u{4}");
    assert_eq!(terminal.end("nobody has answered"), 2);
    let mut terminal = Terminal::start(&bus, &["rule"]);
    terminal.wait_for(LIST);
    terminal.type_keys("\u{3}");
    assert_ne!(terminal.end(""), 0);
    assert_eq!(calls(&fake), [""; 0]);
}

#[test]
fn lines_that_were_typed_before_a_question_answer_it_not() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, claimed());
    let mut terminal = start(&bus);
    terminal.type_keys("1\ry\r");
    terminal.wait_for(LIST);
    terminal.type_keys("3\ry\r");
    answer(&mut terminal, 1, &["q"]);
    assert_eq!(terminal.end("no ruling was given"), 0);
    assert_eq!(calls(&fake), [""; 0]);
}

#[test]
fn a_dumb_terminal_is_enough() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, claimed());
    let mut terminal = Terminal::start_with_variables(&bus, &["rule"], &[("TERM", "dumb")]);
    terminal.wait_for(LIST);
    terminal.type_keys("3\r");
    terminal.wait_for(CONFIRM);
    terminal.type_keys("y\r");
    assert_eq!(terminal.end("over 1/2-1/2"), 0);
    assert_eq!(calls(&fake), [r#"rule drawn "" -1 7 """#]);
}

#[test]
fn a_change_of_the_clock_asks_again() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, claimed());
    let mut terminal = start(&bus);
    terminal.wait_for(LIST);
    fake.transition("flag", |state| state.revision = 8);
    answer(&mut terminal, 0, &["1", "1"]);
    terminal.wait_for("The clock has changed. Look at it and choose again.");
    terminal.wait_for("reject: The claim is rejected.");
    terminal.wait_for(CONFIRM);
    fake.transition("flag", |state| {
        state.revision = 9;
        state.white.remaining_nsec = 60 * SECOND;
    });
    terminal.type_keys("y\r");
    terminal.wait_for("0:01:00.0");
    assert_eq!(calls(&fake), [""; 0]);
    answer(&mut terminal, 3, &["3", "y"]);
    terminal.wait_for("drawn: The game is drawn.");
    assert_eq!(terminal.end("over 1/2-1/2"), 0);
    assert_eq!(calls(&fake), [r#"rule drawn "" -1 9 """#]);
}

/// The clock changes while the ruling is on its way. So the clock refuses the ruling.
#[test]
fn a_ruling_for_a_stale_revision_asks_again() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, claimed());
    fake.answer(Answer::Refuse(Error::StaleRevision, "the clock is at 8"));
    let mut terminal = start(&bus);
    answer(&mut terminal, 0, &["1", "y"]);
    terminal.wait_for("The clock has changed.");
    fake.answer(Answer::Obey);
    fake.transition("set", |state| {
        state.revision = 8;
        state.white.remaining_nsec = 60 * SECOND;
    });
    // An answer that chooses nothing shows the list again, with the state as it is now.
    answer(&mut terminal, 2, &["", "1", "y"]);
    terminal.wait_for("0:01:00.0");
    assert_eq!(terminal.end("Black 0:04:30"), 0);
    assert_eq!(calls(&fake).last().unwrap(), r#"rule reject "" -1 8 """#);
}

#[test]
fn a_revision_from_the_command_line_is_not_asked_for_again() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, claimed());
    fake.answer(Answer::Refuse(Error::StaleRevision, "the clock is at 8"));
    let mut terminal = Terminal::start(&bus, &["rule", "--if-revision", "7"]);
    answer(&mut terminal, 0, &["1", "y"]);
    assert_eq!(terminal.end("the clock is at 8"), 5);
    assert_eq!(calls(&fake), [r#"rule reject "" -1 7 """#]);
}

#[test]
fn a_refusal_ends_it_with_the_clause() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, claimed());
    fake.answer(Answer::Refuse(
        Error::RefusedByRules,
        "not before a flag (Chess Organisers' Handbook 10.2b)",
    ));
    let mut terminal = Terminal::start(&bus, &["rule"]);
    answer(&mut terminal, 0, &["3", "y"]);
    assert_eq!(terminal.end("not before a flag (Chess Organisers' Handbook 10.2b)"), 5);
}

#[test]
fn it_ends_when_somebody_else_has_ruled() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, claimed());
    let mut terminal = Terminal::start(&bus, &["rule"]);
    terminal.wait_for(LIST);
    fake.transition("rule", |state| {
        state.revision = 8;
        state.questions.clear();
    });
    terminal.type_keys("1\r");
    assert_eq!(terminal.end("nothing awaits a ruling any more"), 0);
}

#[test]
fn the_figures_are_those_of_now_while_a_clock_runs() {
    let bus = PrivateBus::start();
    let state = State { phase: Phase::Running, running: Who::White, ..claimed() };
    let fake = Fake::start(&bus, state);
    let mut terminal = Terminal::start_with_variables(&bus, &["rule"], &[]);
    assert!(terminal.wait_for(LIST).contains("0:01:12.3"));
    // The delay of 5 s runs first.
    fake.pass(6 * SECOND);
    terminal.type_keys("1\r");
    terminal.wait_for("White  0:01:11.3");
    fake.pass(SECOND);
    answer(&mut terminal, 1, &["n"]);
    terminal.wait_for(" 0:01:10.3 ");
    answer(&mut terminal, 2, &["q"]);
    assert_eq!(terminal.end("no ruling was given"), 0);
}

#[test]
fn with_arguments_or_for_a_program_it_never_asks() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, claimed());
    let terminal = Terminal::start(&bus, &["rule", "drawn"]);
    assert_eq!(terminal.end("over 1/2-1/2"), 0);
    assert_eq!(calls(&fake), [r#"rule drawn "" -1 7 """#]);
    for option in ["--json", "-q"] {
        let _fake = Fake::start(&bus, claimed());
        let terminal = Terminal::start(&bus, &["rule", option]);
        assert_eq!(terminal.end("no ruling is given"), 2, "{option}");
    }
}

#[test]
fn without_a_terminal_the_rulings_are_printed_and_the_exit_code_is_2() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, claimed());
    let ran = run(&bus, &["rule"]);
    let expected = "\
White's draw claim (no-effort) (0:00:42 ago)
    ruling             White      Black                  then
    reject             0:01:12.3  0:02:30.0 → 0:04:30.0  paused
    postpone +0:02:00  0:01:12.3  0:02:30.0 → 0:04:30.0  paused
    drawn              0:01:12.3  0:02:30.0              over 1/2-1/2
";
    assert_eq!((ran.exit, ran.out.as_str()), (2, expected), "{ran:?}");
    let says = "no ruling is given; type: rule reject or rule postpone or rule drawn";
    assert!(ran.err.contains(says), "{ran:?}");
    let ran = run(&bus, &["rule", "--json"]);
    assert!(ran.exit == 2 && ran.out.contains(r#""code":"usage""#), "{ran:?}");
    assert_eq!(calls(&fake), [""; 0]);
}

#[test]
fn with_nothing_to_rule_on_it_says_so() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, paused());
    let says = "nothing awaits a ruling: the game has no rule profile";
    assert_eq!(Terminal::start(&bus, &["rule"]).end(says), 2);
    let ran = run(&bus, &["rule"]);
    assert!(ran.exit == 2 && ran.err.contains(says), "{ran:?}");
}

#[test]
fn result_asks_for_the_reason_if_the_rules_need_one() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, State { questions: Vec::new(), ..claimed() });
    let mut terminal = Terminal::start(&bus, &["result", "1-0"]);
    terminal.wait_for("Why? mate, resignation");
    // The next command was typed before the question was read.
    terminal.type_keys("clockctl --hall hall.toml status\r");
    terminal.wait_for("this is a command and no reason; it is not carried out");
    terminal.type_keys("mate\r");
    assert_eq!(terminal.end("over 1-0"), 0);
    assert_eq!(calls(&fake), [r#"result 1-0 7 "mate""#]);
    // Without a profile no reason is needed.
    let fake = Fake::start(&bus, paused());
    assert_eq!(Terminal::start(&bus, &["result", "1-0"]).end("over 1-0"), 0);
    assert_eq!(calls(&fake), [r#"result 1-0 7 """#]);
}

#[test]
fn a_draw_claim_asks_for_the_offer_before_it_while_the_clocks_stand() {
    let bus = PrivateBus::start();
    let state = State { questions: Vec::new(), ..claimed() };
    let claim = ["claim", "draw", "no-effort", "--by", "white"];
    let fake = Fake::start(&bus, state.clone());
    let mut terminal = Terminal::start(&bus, &claim);
    terminal.wait_for("Was a draw offered before the claim?");
    terminal.type_keys("yes\rr\r");
    assert_eq!(terminal.end("White 0:01:12.3"), 0);
    assert_eq!(calls(&fake), [r#"claim-draw white no-effort true "refused" 7 """#]);
    // While a clock runs, the claim is sent at once, without a question.
    let running = State { phase: Phase::Running, running: Who::White, ..state };
    let fake = Fake::start(
        &bus,
        State { white: SideState { remaining_nsec: 72 * SECOND, ..running.white }, ..running },
    );
    assert_eq!(Terminal::start(&bus, &claim).end("the rules want a draw offer before a claim"), 0);
    assert_eq!(calls(&fake), [r#"claim-draw white no-effort true "" 7 """#]);
}
