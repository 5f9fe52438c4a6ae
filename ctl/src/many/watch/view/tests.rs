use std::time::{Duration, Instant};

use clock_dbus::{Phase, SideState, State, Who};
use ratatui::{Terminal, backend::TestBackend, widgets::TableState};

use super::{super::screen::draw, HallView, Key};
use crate::{
    hall::{Board, Hall},
    many::watch::feed::News,
    target::Target,
};

fn hall(names: &[&str]) -> Hall {
    let board = |name: &&str| Board::new((*name).to_owned(), Target::SystemBus);
    let boards = names.iter().map(board).collect();
    let event = Some("Open".to_owned());
    Hall { event, round: Some("3".to_owned()), boards, are_chosen: false }
}

/// The clocks of the boards have the numbers 0, 1 and so on.
fn view(names: &[&str]) -> HallView {
    HallView::new(&hall(names), &(0..names.len()).collect::<Vec<_>>())
}

fn state(white: &str, running: Who) -> Box<State> {
    Box::new(State {
        phase: if running == Who::Nobody { Phase::Paused } else { Phase::Running },
        at_nsec: 10_000_000_000,
        running,
        on_move: Who::White,
        white: SideState {
            remaining_nsec: 60_000_000_000,
            player: white.to_owned(),
            ..SideState::default()
        },
        black: SideState {
            remaining_nsec: 50_000_000_000,
            player: "Öz".to_owned(),
            ..SideState::default()
        },
        ..State::default()
    })
}

/// The state, sent at once from a clock whose machine has run for ten seconds.
fn news(state: Box<State>, arrived: Instant) -> News {
    News::State { state, at_nsec: 10_000_000_000, arrived }
}

fn press(view: &mut HallView, text: &str) {
    for typed in text.chars() {
        assert!(view.press(Key::Char(typed)), "{typed}");
    }
}

fn boards(view: &HallView) -> Vec<String> {
    view.rows(Instant::now()).into_iter().map(|row| row.board).collect()
}

#[test]
fn running_times_run_and_the_boards_that_need_the_arbiter_are_on_top() {
    let start = Instant::now();
    let mut view = view(&["1", "2", "3"]);
    assert!(!view.take(0, news(state("Anand", Who::White), start)));
    assert!(!view.take(1, news(state("Tal", Who::Nobody), start)));
    let mut called = state("Ivanchuk", Who::Nobody);
    called.arbiter_called_by = Who::Black;
    assert!(view.take(2, news(called.clone(), start)), "the bell is for a new call");
    assert!(!view.take(2, news(called, start)), "and rings once");

    let rows = view.rows(start + Duration::from_millis(2_500));
    let shown: Vec<_> = rows.iter().map(|row| (&*row.board, &*row.white, &*row.black)).collect();
    let expected = [
        ("3", "  0:01:00.0", "  0:00:50.0"),
        ("1", "▶ 0:00:57.5", "  0:00:50.0"),
        ("2", "  0:01:00.0", "  0:00:50.0"),
    ];
    assert_eq!(shown, expected);
    assert_eq!(rows[0].needs, "called by Black");

    // Of a clock that does not answer the last known times are shown, and marked.
    view.take(0, News::Lost("no clock service".to_owned()));
    let rows = view.rows(start + Duration::from_secs(30));
    let lost = rows.iter().find(|row| row.board == "1").unwrap();
    let shown = (&*lost.state, &*lost.white, &*lost.black);
    assert_eq!(shown, ("no answer", "? 0:01:00.0", "? 0:00:50.0"));
    assert_eq!(lost.needs, "last heard 0:00:30.0 ago: no clock service");
    assert_eq!(view.title(), "Open · round 3 · 3 boards · 1 need you · 1 with a fault");
}

/// The board of the chosen row.
fn chosen(view: &HallView) -> Option<String> {
    let mut rows = view.rows(Instant::now()).into_iter();
    rows.find(|row| row.is_chosen).map(|row| row.board)
}

#[test]
fn a_board_stays_chosen_when_the_rows_change_their_order() {
    let mut view = view(&["1", "2", "3"]);
    assert!(view.press(Key::Down));
    assert_eq!(chosen(&view).as_deref(), Some("2"));
    // Board 3 does not answer and comes to the top.
    view.take(2, News::Lost("no answer".to_owned()));
    assert_eq!(boards(&view), ["3", "1", "2"]);
    assert_eq!(chosen(&view).as_deref(), Some("2"));
    for (key, expected) in [(Key::Up, "1"), (Key::Home, "3"), (Key::End, "2"), (Key::Down, "2")] {
        assert!(view.press(key));
        assert_eq!(chosen(&view).as_deref(), Some(expected));
    }
}

/// The table takes no commands. If somebody types one here, nothing happens.
#[test]
fn no_key_gives_a_command() {
    let mut view = view(&["1", "2", "3", "4"]);
    press(&mut view, "4");
    assert!(view.press(Key::Enter));
    press(&mut view, "rule reject:");
    assert!(view.press(Key::Enter));
    assert_eq!((chosen(&view).as_deref(), boards(&view).len()), (Some("1"), 4));
    assert_eq!(view.prompt(), "↑↓ move · / filter · q leave");
}

#[test]
fn what_is_said_is_plain_and_fits_the_width() {
    let mut view = view(&["1"]);
    view.say("board 1 is new,\u{1b}[31m on a");
    assert_eq!(view.messages(8, 80), ["board 1 is new, [31m on a"]);
    assert_eq!(view.messages(2, 10), [" new, [31m", " on a"]);
    view.press(Key::Escape);
    assert!(view.messages(8, 80).is_empty());
}

#[test]
fn a_changed_hall_keeps_what_is_known_and_the_chosen_board() {
    let mut view = view(&["1", "2", "3"]);
    let now = Instant::now();
    for clock in [0, 1, 2] {
        view.take(clock, news(state("Anand", Who::Nobody), now));
    }
    view.press(Key::Down);
    // Board 2 gets another clock, board 3 is left out, and there is a board 4 before the others.
    view.replace(&hall(&["4", "1", "2"]), &[3, 0, 4]);
    let known = |view: &HallView| -> Vec<(String, String)> {
        view.rows(now).into_iter().map(|row| (row.board, row.white_name)).collect()
    };
    let row = |board: &str, name: &str| (board.to_owned(), name.to_owned());
    assert_eq!(known(&view), [row("4", ""), row("1", "Anand"), row("2", "")]);
    // The old clock of board 2 and that of board 3 say one thing more.
    for clock in [1, 2] {
        view.take(clock, news(state("Tal", Who::Nobody), now));
    }
    assert_eq!(known(&view), [row("4", ""), row("1", "Anand"), row("2", "")]);
    assert_eq!(chosen(&view).as_deref(), Some("2"));
    view.replace(&hall(&["4", "1"]), &[3, 0]);
    assert_eq!(chosen(&view).as_deref(), Some("4"));
}

#[test]
fn a_filter_shows_boards_by_name_player_and_need() {
    let mut view = view(&["1", "2", "30"]);
    view.take(0, news(state("Anand", Who::Nobody), Instant::now()));
    view.take(1, News::Lost("no clock service".to_owned()));
    for (filter, expected) in
        [("anand", &["1"][..]), ("SERVICE", &["2"]), ("30", &["30"]), ("x", &[])]
    {
        press(&mut view, "/");
        press(&mut view, filter);
        assert_eq!(boards(&view), expected, "{filter}");
        assert!(view.press(Key::Down));
        view.press(Key::Escape);
    }
    assert_eq!(boards(&view), ["2", "1", "30"]);
    assert!(!view.press(Key::Char('q')));
}

/// What a terminal of this size shows.
fn shown(view: &HallView, columns: u16, rows: u16, is_coloured: bool) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let drawn = terminal.draw(|frame| {
        draw(frame, view, Instant::now(), is_coloured, &mut TableState::new());
    });
    let buffer = drawn.unwrap().buffer;
    let line = |row: u16| -> String { (0..columns).map(|x| buffer[(x, row)].symbol()).collect() };
    (0..rows).map(|row| format!("{}\n", line(row).trim_end())).collect()
}

#[test]
fn the_table_fits_wide_and_narrow_terminals() {
    let mut view = view(&["1", "12"]);
    let mut called = state("Anand, Viswanathan", Who::Nobody);
    called.arbiter_called_by = Who::White;
    view.take(1, news(called, Instant::now()));
    view.take(0, News::Lost("no route to host".to_owned()));

    let wide = shown(&view, 120, 6, true);
    let lines: Vec<&str> = wide.lines().collect();
    assert_eq!(lines[0], "Open · round 3 · 2 boards · 1 need you · 1 with a fault");
    assert!(lines[1].starts_with("board  state      White"), "{wide}");
    assert!(lines[2].contains("Anand, Viswanathan    0:00:50.0  Öz"), "{wide}");
    assert!(lines[2].ends_with("called by White"), "{wide}");
    assert!(lines[3].ends_with("no route to host"), "{wide}");

    let narrow = shown(&view, 40, 6, false);
    let lines: Vec<&str> = narrow.lines().collect();
    assert_eq!(lines[2], "12      0:01:00.0   0:00:50.0 called by…");
    // A very small terminal does not panic.
    for (columns, rows) in [(1, 1), (5, 2), (20, 3)] {
        shown(&view, columns, rows, false);
    }
}
