//! clockd is killed on every page of the menu, with the memory that systemd keeps and without it, and
//! while something at the buttons is not finished. The clock comes back with the same game, and with
//! the menu closed.
//!
//! Without the retained memory, clockd reads only its files, as after a power cut. After a power cut the
//! machine has also booted again, and then clockd pauses a running clock. No clock runs in these tests,
//! so this makes no difference. `test_power_cut` cuts the power.

#[path = "../../../daemon/menu/src/tests/pages.rs"]
mod pages;

use super::menu::Table;
use super::*;
use clock_dbus::commands::Outcome;
use clock_dbus::{MenuPage, MenuSettings, QuestionProgress};
use pages::{Begin, PAGES, PageCase};

/// How many pages one clock opens. The menu is opened by a hold of 1 s, so several clocks run at
/// the same time.
const PAGES_OF_A_CLOCK: usize = 4;

/// A clock at the beginning of a walk.
async fn clock(begin: Begin) -> Table {
    let mut table = match begin {
        Begin::Over | Begin::Standing => {
            Table::with_game("40/90, G/30", "fide-article-6", "").await
        }
        Begin::Agreeing | Begin::OursReady => Table::with_game("3+2", "players-agree", "").await,
        Begin::Coded => Table::with_game("3+2", "fide-2023", "arbiter_code = 'wbwb'").await,
        Begin::OursFlag | Begin::OursOver => Table::with_game("G/1s", "players-agree", "").await,
    };
    table.supervised().await;
    match begin {
        Begin::OursReady => {}
        Begin::OursFlag | Begin::OursOver => {
            table.play("black").await;
            table.state_when("the flag", |state| state.first_flag == Who::White).await;
        }
        Begin::Over | Begin::Standing | Begin::Agreeing | Begin::Coded => {
            for button in ["black", "white", "call"] {
                table.play(button).await;
            }
        }
    }
    if begin == Begin::Over {
        let revision = table.state().await.revision;
        table.fixture.arbiter().await.result(Outcome::WhiteWins, revision, "mate").await.unwrap();
    }
    if begin == Begin::OursOver {
        table.open().await;
        table.choose("0-1").await;
        table.both_agree().await;
    }
    table
}

/// Goes on to a line and chooses it, or makes the press that is in the place of a line.
async fn follow(table: &mut Table, line: &str) {
    match line {
        pages::WHITE => table.press("white").await,
        pages::BLACK => table.press("black").await,
        pages::HOLD => table.hold().await,
        line => table.choose(line).await,
    }
}

/// What must not change: the settings, and all of the state but the numbers and the instant of an
/// update. A restart makes a revision and an update of its own, and gives the texts another version.
async fn unchanged(table: &Table) -> (State, MenuSettings) {
    let state = table.state().await;
    let numbers = State { revision: 0, sequence: 0, at_nsec: 0, texts_version: 0, ..state };
    let state = State { faults: Vec::new(), ..numbers };
    (state, table.settings().await)
}

/// Opens each page, kills clockd, and compares the clock that comes back.
async fn killed_on(pages: Vec<PageCase>, keeps: bool) {
    let mut table = clock(pages[0].0).await;
    for (_, lines, title) in pages {
        let before = unchanged(&table).await;
        table.open().await;
        for line in lines {
            follow(&mut table, line).await;
        }
        table.titled(title).await;
        table.kill_and_restart_with(keeps).await;
        assert_eq!(unchanged(&table).await, before, "{lines:?}, kept: {keeps}");
        assert_eq!(table.page, MenuPage::default(), "{lines:?}, kept: {keeps}");
    }
}

/// Kills clockd and compares the clock that comes back, whose menu is closed.
async fn nothing_changes(table: &mut Table, before: &(State, MenuSettings), keeps: bool) {
    table.kill_and_restart_with(keeps).await;
    assert_eq!(unchanged(table).await, *before, "kept: {keeps}");
    assert_eq!(table.page, MenuPage::default(), "kept: {keeps}");
}

/// Runs a test on a clock of its own.
fn run(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(test);
}

#[test]
fn a_kill_on_every_page_changes_nothing() {
    let mut pages = PAGES.to_vec();
    pages.sort_by_key(|(begin, ..)| *begin as u8);
    let of_begin: Vec<&[PageCase]> = pages.chunk_by(|one, other| one.0 == other.0).collect();
    std::thread::scope(|scope| {
        for pages in of_begin.iter().flat_map(|pages| pages.rchunks(PAGES_OF_A_CLOCK)) {
            for keeps in [true, false] {
                scope.spawn(move || run(killed_on(pages.to_vec(), keeps)));
            }
        }
    });
}

/// While a button is held that can open the menu, the bar is shown. The press is not handled yet as a
/// press of the game or of the menu.
#[tokio::test]
async fn a_kill_during_the_hold_decides_no_press() {
    for rules in ["players-agree", "fide-2023"] {
        for keeps in [true, false] {
            // The longest hold: the kill comes long before its end.
            let mut table = Table::with_game("3+2", rules, "hold = '8s'").await;
            table.supervised().await;
            for button in ["black", "call"] {
                table.play(button).await;
            }
            let before = unchanged(&table).await;
            table.down(&["call"]);
            table.hold_is_shown().await;
            nothing_changes(&mut table, &before, keeps).await;
        }
    }
}

/// Nobody can see the countdown during a restart, so it does not start a clock.
#[tokio::test]
async fn a_kill_during_the_countdown_leaves_the_game_paused() {
    for keeps in [true, false] {
        let mut table = clock(Begin::Agreeing).await;
        let before = unchanged(&table).await;
        table.buttons.tap("call").unwrap();
        let is_counting = |state: &State| {
            state.questions.iter().any(|it| it.progress == QuestionProgress::Resuming)
        };
        table.state_when("the countdown", is_counting).await;
        nothing_changes(&mut table, &before, keeps).await;
        // The next call begins a countdown anew, at whose end the game goes on.
        table.buttons.tap("call").unwrap();
        let counting = table.state_when("the countdown", is_counting).await;
        let running = table.state_when("the game", |state| state.phase == Phase::Running).await;
        assert_eq!(running.at_nsec, counting.questions[0].since_nsec + 3_000_000_000);
    }
}

#[tokio::test]
async fn a_kill_after_one_player_has_agreed_to_go_on_waits_for_the_other() {
    for keeps in [true, false] {
        let mut table = clock(Begin::Agreeing).await;
        let before = table.state().await;
        let entries = table.entries().await.len();
        table.buttons.tap("white").unwrap();
        table.entries_when(entries + 1).await;
        table.kill_and_restart_with(keeps).await;
        let after = table.state().await;
        assert_eq!((after.phase, after.resume_confirmed_by), (Phase::Paused, Who::White));
        // White's own press again starts nothing.
        table.buttons.tap("white").unwrap();
        let running = table.play("black").await;
        assert_eq!((running.phase, running.running), (Phase::Running, before.on_move));
        let times = |state: &State| (state.white.remaining_nsec, state.black.remaining_nsec);
        assert_eq!(times(&running), times(&before));
    }
}

/// A call before the game, and one that has stopped the clocks.
#[tokio::test]
async fn a_kill_during_a_call_keeps_the_call() {
    for (keeps, buttons) in [true, false]
        .into_iter()
        .flat_map(|keeps| [(keeps, &["call"][..]), (keeps, &["black", "call"])])
    {
        let mut table = Table::with_game("3+2", "fide-2023", "").await;
        table.supervised().await;
        for button in buttons {
            table.play(button).await;
        }
        table.entries().await;
        let before = unchanged(&table).await;
        assert_eq!(before.0.arbiter_called_by, Who::Button);
        nothing_changes(&mut table, &before, keeps).await;
        if before.0.phase == Phase::Ready {
            // A second press takes the call back.
            assert_eq!(table.play("call").await.arbiter_called_by, Who::Nobody);
        }
    }
}
