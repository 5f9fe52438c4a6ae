//! clockd is killed on every page of the menu, with and without the memory that systemd keeps. The
//! clock comes back with the same game, and with the menu closed.

#[path = "../../../daemon/menu/src/tests/pages.rs"]
mod pages;

use super::menu::Table;
use super::*;
use clock_dbus::{MenuPage, MenuSettings};
use pages::{Begin, PAGES, PageCase};

/// How many pages one clock opens. The menu is opened by a hold of 2 s, so several clocks run at
/// the same time.
const PAGES_OF_A_CLOCK: usize = 4;

/// A clock at the beginning of a walk.
async fn clock(begin: Begin) -> Table {
    let mut table = match begin {
        Begin::Over | Begin::Standing => {
            Table::with_game("40/90, G/30", "fide-article-6", "").await
        }
        Begin::Agreeing => Table::with_game("3+2", "players-agree", "").await,
        Begin::Coded => Table::with_game("3+2", "fide-2023", "arbiter_code = 'wbwb'").await,
    };
    table.supervised().await;
    for button in ["black", "white", "call"] {
        table.play(button).await;
    }
    if begin == Begin::Over {
        let revision = table.state().await.revision;
        table.fixture.arbiter().await.result("1-0", revision, "mate").await.unwrap();
    }
    table
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
        table.choose_all(lines).await;
        table.titled(title).await;
        table.kill_and_restart_with(keeps).await;
        assert_eq!(unchanged(&table).await, before, "{lines:?}, kept: {keeps}");
        assert_eq!(table.page, MenuPage::default(), "{lines:?}, kept: {keeps}");
    }
}

#[test]
fn a_kill_on_every_page_changes_nothing() {
    let mut pages = PAGES.to_vec();
    pages.sort_by_key(|(begin, ..)| *begin as u8);
    let of_begin: Vec<&[PageCase]> = pages.chunk_by(|one, other| one.0 == other.0).collect();
    std::thread::scope(|scope| {
        for pages in of_begin.iter().flat_map(|pages| pages.rchunks(PAGES_OF_A_CLOCK)) {
            for keeps in [true, false] {
                scope.spawn(move || {
                    let mut runtime = tokio::runtime::Builder::new_current_thread();
                    let runtime = runtime.enable_all().build().unwrap();
                    runtime.block_on(killed_on(pages.to_vec(), keeps));
                });
            }
        }
    });
}
