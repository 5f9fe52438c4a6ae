//! What `clockctl` names as the way on in situations that need a configuration or a game of their
//! own.

use crate::hints::{NO_RESULT, Table, WHITE_IS_OUT_OF_TIME};

impl Table {
    /// Runs a line that has to succeed.
    fn good(&self, line: &str) -> String {
        let output = self.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(0), "{line}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a line that has to be refused.
    fn refused(&self, line: &str) -> String {
        let (exit, err) = self.ctl(line);
        assert_eq!(exit, Some(5), "{line}: {err}");
        err
    }
}

/// A clock on which this user is White's captain.
fn of_captain() -> Table {
    Table::configured(&format!("[captains]\nwhite = '{}'\n", rustix::process::getuid().as_raw()))
}

#[test]
fn a_captain_is_told_how_to_rule_after_the_consultation() {
    let table = of_captain();
    let new = ["new", "G/90", "--rules", "handbook-county", "--present-arbiter", "Maria O'Hara"];
    assert_eq!(table.run(&new).status.code(), Some(0));
    table.good("start");
    table.good("pause --by black");
    let reason = r"captains  add to a ruling or a penalty: --reason 'consulted Maria O'\''Hara'";
    let status = table.good("status");
    assert!(status.contains("          clockctl rule valid\n"), "{status}");
    assert!(status.ends_with(&format!("\n{reason}\n")), "{status}");
    let refusal = table.refused("rule valid");
    let command = r"clockctl rule valid --reason 'consulted Maria O'\''Hara'";
    assert!(refusal.contains(&format!("(then: {command} or ")), "{refusal}");
    let ruled = table.run(&["rule", "valid", "--reason", "consulted Maria O'Hara"]);
    assert_eq!(ruled.status.code(), Some(0), "{ruled:?}");
    // Nothing awaits a ruling now.
    let status = table.good("status");
    assert!(!status.contains("captains"), "{status}");
}

#[test]
fn a_captain_without_authority_is_told_what_a_player_can_do() {
    let table = of_captain();
    table.good("new G/90 --rules handbook-county --captain-plays white");
    table.bench.buttons().unwrap().press("black").unwrap();
    let runs = || {
        let state = table.bench.status().ok()?;
        (state["phase"] == "running").then_some(())
    };
    clock_tests::eventually("the press starts the clock", runs);
    let refusal = table.refused("pause");
    assert!(refusal.ends_with("(as a player: clockctl pause --by white)\n"), "{refusal}");
    table.good("pause --by white");
    // Somebody else decides.
    for line in ["resume", "rule valid"] {
        let refusal = table.refused(line);
        assert!(!refusal.contains("clockctl resume") && !refusal.contains("now:"), "{refusal}");
        assert!(!refusal.contains("first:"), "{refusal}");
    }
}

#[test]
fn the_state_of_an_adjourned_game_names_the_command_that_takes_it_up_again() {
    let table = Table::start();
    table.good("new 40/120,G/60 --rules handbook-county");
    table.good("start");
    table.good("adjourn white Nf3");
    let status = table.good("status");
    let head =
        "adjourned: White has sealed; Black is on move\n          clockctl resume-adjourned\n";
    assert!(status.starts_with(head), "{status}");
    // What was sealed is read in the log only.
    assert!(!status.contains("Nf3") && !table.good("status --json").contains("Nf3"), "{status}");
    let log = table.good("log");
    assert!(log.contains("White has sealed: Nf3"), "{log}");
}

#[test]
fn a_claim_for_an_illegal_move_that_brings_no_time_says_why() {
    let table = Table::start();
    table.good("new G/30 --rules allegro-1996");
    table.good("start");
    table.bench.buttons().unwrap().press("white").unwrap();
    let said = table.good("illegal-move white --claimed");
    let why = "Black got no time: a claim needs less than 0:05:00 left (Irish allegro rules 5.2)\n";
    assert!(said.contains(why), "{said}");
}

#[test]
fn a_game_that_nobody_supervises_does_not_speak_of_the_arbiter() {
    let table = Table::start();
    table.good("new --control G/120 --rules guidelines-iii-unsupervised");
    for line in WHITE_IS_OUT_OF_TIME.split("; ") {
        table.good(line);
    }
    let flag = "question  White's flag: what is the ruling?\n          clockctl flag --by black\n";
    let status = table.good("status");
    assert!(status.starts_with(&format!("running: White's clock\n{flag}")), "{status}");
    let refusal = table.refused("flag");
    assert!(refusal.ends_with("(clockctl flag --by black)\n"), "{refusal}");
    table.good("flag --by black");
    let status = table.good("status");
    let called = "ruling: the clocks stand for a decision; White is on move\n\
                  question  White's flag: what is the ruling?\n          clockctl result RESULT REASON\n";
    assert!(status.starts_with(called), "{status}");
    table.good("result 0-1 time");
}

#[test]
fn a_flag_that_only_players_call_is_called_by_the_opponent() {
    let table = Table::start();
    table.good("new --control G/120 --rules us-chess");
    for line in ["start", "pause", "set white 0s --force", "resume"] {
        table.good(line);
    }
    for line in ["flag", "rule drawn"] {
        let refusal = table.refused(line);
        assert!(refusal.ends_with("(clockctl flag --by black)\n"), "{refusal}");
    }
    let called = table.good("flag --by black");
    assert!(called.contains("clockctl rule white-loses"), "{called}");
}

#[test]
fn a_pause_while_a_claim_awaits_a_ruling_says_so() {
    let table = Table::start();
    table.good("new --control G/120 --rules guidelines-iii");
    for line in ["start", "pause", "set white 1m", "resume", "claim draw no-effort --by white"] {
        table.good(line);
    }
    for line in ["pause", "start", "resume"] {
        let refusal = table.refused(line);
        assert!(!refusal.contains("the clock is paused"), "{refusal}");
        let said = "the clock is awaiting a ruling";
        let way = "White's draw claim (no-effort); first: clockctl rule reject or ";
        assert!(refusal.contains(said) && refusal.contains(way), "{refusal}");
    }
    table.good("rule reject");
}

#[test]
fn where_points_forbid_every_ruling_the_way_on_is_to_take_them_back() {
    let table = Table::start();
    table.good("new --control 3+2 --rules fide-2023");
    for line in NO_RESULT.split("; ") {
        table.good(line);
    }
    let taken_back = ["penalize black opponent-points 0", "penalize white opponent-points 0"];
    let way = format!("clockctl {} and clockctl {}", taken_back[0], taken_back[1]);
    let status = table.good("status");
    let asked = format!("question  White's flag: what is the ruling?\n          {way}\n");
    assert!(status.contains(&asked), "{status}");
    let refusal = table.refused("resume");
    assert!(refusal.ends_with(&format!("(first: {way})\n")), "{refusal}");
    table.refused("rule white-loses");
    for line in taken_back {
        table.good(line);
    }
    table.good("rule white-loses");
}
