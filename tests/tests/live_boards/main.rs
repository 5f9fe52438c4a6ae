//! The live boards: six clocks publish to one mosquitto, and headless Chromium shows the page. Run
//! with `make live-boards`, which installs both; without it these tests are ignored.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

mod board;
mod broker;
mod browser;
mod examples;

use board::{Board, HOUR};
use broker::Broker;
use browser::Browser;
use clock_dbus::{Counting, SideState, State, Who, face_text};
use clock_tests::{DEADLINE, eventually};
use clockctl::json::{Sent, WatchJson};
use serde_json::{Value, json};
use std::path::Path;

const TREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const BOARDS: usize = 6;
/// The number of presses on each clock.
const PRESSES: usize = 20;
const LONGEST_NS: i128 = 100_000_000;
const MARKUP: &str = "<script>document.title='broken'</script>";

/// CLOCK_MONOTONIC of this machine, in nanoseconds.
fn now() -> i128 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    i128::from(now.tv_sec) * 1_000_000_000 + i128::from(now.tv_nsec)
}

/// A reading of the page's `performance.now()`, in milliseconds, as an instant of CLOCK_MONOTONIC.
struct PageClock(i128);

impl PageClock {
    /// Compares both clocks, over the quickest of ten answers.
    fn new(page: &mut Browser) -> PageClock {
        let readings = (0..10).map(|_| {
            let before = now();
            let read = page.evaluate("performance.now()");
            let after = now();
            (after - before, (after + before) / 2 - nanos(&read))
        });
        PageClock(readings.min().unwrap().1)
    }

    fn instant(&self, read: &Value) -> i128 {
        nanos(read) + self.0
    }
}

/// Converts milliseconds, as the page gives them, to nanoseconds.
#[expect(clippy::cast_possible_truncation, reason = "the page counts from its own start")]
fn nanos(milliseconds: &Value) -> i128 {
    (milliseconds.as_f64().unwrap() * 1e6) as i128
}

/// Waits until the text that the page shows for a board, such as `live`, begins with `words`.
fn says(page: &mut Browser, topic: &str, words: &str) {
    let read = format!("boards.get('{topic}')?.nodes.live.textContent ?? ''");
    eventually(&format!("{topic} is shown as {words}"), || {
        let said = page.evaluate(&read);
        said.as_str().unwrap().starts_with(words).then_some(())
    });
}

/// Records, in `window.frames`, the first frame after each change of the side whose clock runs.
const RECORD_FRAMES: &str = "
    window.shown = [];
    for (const board of boards.values()) {
        let before = board.line.running;
        new MutationObserver(() => {
            const side = ['white', 'black'].find(side => board.nodes[side].row.classList.contains('running'));
            if (side === undefined || side === before) return;
            before = side;
            requestAnimationFrame(() => shown.push([board.topic, side, performance.now()]));
        }).observe(board.nodes.card, { attributes: true, subtree: true });
    }";

#[test]
#[ignore = "needs Chromium and mosquitto: `make live-boards` installs them"]
fn six_boards_are_shown_live() {
    let broker = Broker::start();
    let mut boards: Vec<Board> = (0..BOARDS).map(|number| Board::start(&broker, number)).collect();
    boards[2].set_up(MARKUP);
    let mut page = Browser::open(&broker.page());
    for board in &boards {
        says(&mut page, &board.topic, "live");
    }
    markup_is_shown_as_text(&mut page, &boards[2].topic);
    times_are_written_as_on_the_face(&mut page);
    every_counting_is_computed(&mut page);
    presses_come_in_time(&mut page, &mut boards);
    times_are_those_of_the_clocks(&mut page, &boards);
    what_happens_is_shown(&mut page, &boards);
    a_board_without_heartbeats_is_stale(&mut page, &mut boards);
    all_are_live_again_after_a_restart_of_the_broker(&mut page, &boards, broker);
}

fn markup_is_shown_as_text(page: &mut Browser, topic: &str) {
    let name = page.evaluate(&format!("boards.get('{topic}').nodes.white.name.textContent"));
    assert_eq!(name, MARKUP);
    assert_eq!(page.evaluate("document.querySelectorAll('#boards script').length"), 0);
    assert_eq!(page.evaluate("document.title"), "Live boards");
}

fn times_are_written_as_on_the_face(page: &mut Browser) {
    const SECOND: u64 = 1_000_000_000;
    let times = [0, 1, SECOND, SECOND + 1, 19 * SECOND, 19_900_000_000, 19_900_000_001];
    let more = [20 * SECOND, 299 * SECOND + 1, 3600 * SECOND, 3_600_000 * SECOND];
    for time in times.into_iter().chain(more) {
        assert_eq!(page.evaluate(&format!("faceText({time})")), face_text(time));
    }
}

/// The page computes the numbers of both sides as every client does.
fn every_counting_is_computed(page: &mut Browser) {
    const SECOND: u64 = 1_000_000_000;
    let state = State {
        at_nsec: 1 << 62,
        white: SideState {
            remaining_nsec: 10 * SECOND,
            delay_nsec: 2 * SECOND,
            ..SideState::default()
        },
        black: SideState {
            remaining_nsec: 20 * SECOND,
            limit_nsec: Some(25 * SECOND),
            ..SideState::default()
        },
        ..State::default()
    };
    let sent = Sent { monotonic_nsec: state.at_nsec, realtime_nsec: 0 };
    for counting in [Counting::Down, Counting::Hourglass, Counting::Up] {
        for running in [Who::Nobody, Who::White, Who::Black] {
            for (white_out_of_time, elapsed) in [(false, 1), (false, 5), (false, 40), (true, 40)] {
                let state = State {
                    counting,
                    running,
                    white: SideState { out_of_time: white_out_of_time, ..state.clone().white },
                    ..state.clone()
                };
                let line = serde_json::to_string(&WatchJson::new(&state, "now", "boot", sent));
                let shown = page.evaluate(&format!(
                    "(() => {{ const line = parseLine({}); const now = {elapsed}000; \
                     const {{ white, black }} = sidesAt({{ line: {{ ...line, stale: false }}, \
                     base: line.sent, offsets: [0], heartbeat: now }}, now); \
                     return [white.remaining, white.delay, white.overrun, black.remaining]; }})()",
                    json!(line.unwrap())
                ));
                let then = state.at(state.at_nsec + elapsed * SECOND);
                let [white, delay] = [then.white.remaining_nsec, then.white.delay_nsec];
                let expected = [white, delay, then.white.overrun_nsec, then.black.remaining_nsec];
                assert_eq!(shown, json!(expected), "{counting:?} {running:?} {elapsed}");
            }
        }
    }
}

/// Measures the time from the edge of a press to the first frame of the page that shows the press.
fn presses_come_in_time(page: &mut Browser, boards: &mut [Board]) {
    for board in boards.iter_mut() {
        board.ctl(&["start"]);
    }
    let running = "[...boards.values()].filter(board => board.line.running === 'white').length";
    eventually("all clocks run", || (page.evaluate(running) == boards.len()).then_some(()));
    page.evaluate(RECORD_FRAMES);
    let clock = PageClock::new(page);
    let mut presses = Vec::new();
    for press in 0..PRESSES {
        let (side, then) = if press % 2 == 0 { ("white", "black") } else { ("black", "white") };
        for board in boards.iter_mut() {
            presses.push((board.topic.clone(), then, i128::from(board.press(side))));
        }
    }
    let count = presses.len();
    eventually("each press is shown", || (page.evaluate("shown.length") == count).then_some(()));
    let mut shown: Vec<Value> = page.evaluate("shown").as_array().unwrap().clone();
    let mut took: Vec<i128> = presses
        .into_iter()
        .map(|(topic, side, stamp)| {
            let of_press = |row: &Value| row[0] == *topic && row[1] == side;
            let place = shown.iter().position(of_press).expect("the press is shown");
            clock.instant(&shown.remove(place)[2]) - stamp
        })
        .collect();
    took.sort_unstable();
    let at = |percent: usize| took[(took.len() * percent / 100).min(took.len() - 1)];
    println!(
        "press to page, {count} presses on {} boards: p50 {:.1} ms, p95 {:.1} ms, max {:.1} ms",
        boards.len(),
        milliseconds(at(50)),
        milliseconds(at(95)),
        milliseconds(at(100))
    );
    assert!(took[0] > 0, "a press is shown before it was made: {took:?}");
    assert!(at(95) <= LONGEST_NS, "{took:?}");
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn milliseconds(nanos: i128) -> f64 {
    nanos as f64 / 1e6
}

/// The page computes what each clock shows at one instant; so does the clock itself. The clocks of
/// one board are an hour ahead of the browser's.
fn times_are_those_of_the_clocks(page: &mut Browser, boards: &[Board]) {
    let clock = PageClock::new(page);
    let mut largest = 0;
    for board in boards {
        let shown = page.evaluate(&format!(
            "(() => {{ const now = performance.now(); const {{ white, black }} = \
             sidesAt(boards.get('{}'), now); return [now, white.remaining, black.remaining]; }})()",
            board.topic
        ));
        let status = board.status();
        let running = status["running"].as_str().expect("its clock runs");
        let since = i128::from(status["at_ns"].as_u64().unwrap()) - clock.instant(&shown[0]);
        for (side, number) in [("white", 1), ("black", 2)] {
            let then = if side == running { since } else { 0 };
            let expected = i128::from(status[side]["remaining_ns"].as_u64().unwrap()) + then;
            let difference = (nanos(&shown[number]) / 1_000_000 - expected).abs();
            largest = largest.max(difference);
            assert!(difference <= LONGEST_NS, "{}, {side}: {difference} ns", board.topic);
        }
    }
    println!("largest difference of a shown time: {:.1} ms", milliseconds(largest));
    let mut seconds = |board: &Board| {
        let read = format!("Number(boards.get('{}').base / 1000000000n)", board.topic);
        i128::from(page.evaluate(&read).as_i64().unwrap())
    };
    let ahead = seconds(&boards[5]) - seconds(&boards[0]);
    assert!((ahead - HOUR).abs() < 600, "the clock of the last board is {ahead} s ahead");
}

fn what_happens_is_shown(page: &mut Browser, boards: &[Board]) {
    let rules = ["set-rules", "fide-2023"];
    let claim = ["claim", "draw", "repetition", "--by", "white"];
    let (result, flag) = (["result", "1-0"], ["set", "--white-time", "1s"]);
    for (board, commands, words) in [
        (&boards[1], &[&["pause"][..], &rules, &["resume"], &claim][..], "Claim by White"),
        (&boards[3], &[&["pause"], &result], "Result 1-0"),
        (&boards[4], &[&["pause"], &flag, &["resume"]], "White's flag has fallen"),
    ] {
        commands.iter().for_each(|command| board.ctl(command));
        let notes = format!("boards.get('{}').nodes.notes.textContent", board.topic);
        eventually(words, || page.evaluate(&notes).as_str().unwrap().contains(words).then_some(()));
    }
}

fn a_board_without_heartbeats_is_stale(page: &mut Browser, boards: &mut [Board]) {
    boards[0].stop_publishing();
    let begun = std::time::Instant::now();
    says(page, &boards[0].topic, "no signal");
    assert!(begun.elapsed() < DEADLINE.min(std::time::Duration::from_secs(8)));
    let stale = format!("boards.get('{}').nodes.card.className", boards[0].topic);
    assert_eq!(page.evaluate(&stale), "board stale");
    page.screenshot(&Path::new(TREE).join("target/live-boards.png"));
    boards[1].kill_clock();
    says(page, &boards[1].topic, "the clock is off");
    says(page, &boards[3].topic, "live");
    boards[0].publish();
    boards[1].start_clock();
    says(page, &boards[0].topic, "live");
    says(page, &boards[1].topic, "live");
}

fn all_are_live_again_after_a_restart_of_the_broker(
    page: &mut Browser,
    boards: &[Board],
    mut broker: Broker,
) {
    broker.restart(|| {
        for board in boards {
            says(page, &board.topic, "no signal");
        }
        let message = page.evaluate("document.getElementById('message').textContent");
        assert!(message.as_str().unwrap().contains("the broker is gone"), "{message}");
    });
    for board in boards {
        says(page, &board.topic, "live");
        eventually("the publisher says that the broker is gone", || {
            board.publisher_log().contains("<3>").then_some(())
        });
    }
    is_retained(&broker, boards);
    // mosquitto_pub connects again by itself to a broker that is back at once; over TLS, that of
    // Debian 12 often does not, and the time-out of the publisher ends it.
    broker.restart(|| {});
    is_retained(&broker, boards);
    for board in boards.iter().skip(1).step_by(2) {
        let log = board.publisher_log();
        assert!(log.contains("the connection to the broker was lost"), "{log}");
    }
}

/// Waits until the broker has retained the state of each board, and no heartbeat.
fn is_retained(broker: &Broker, boards: &[Board]) {
    clock_tests::eventually_ok("all is published anew", || {
        let retained = broker.retained("chessclock/#");
        assert!(!retained.contains("/heartbeat"), "{retained}");
        let is_there = boards.iter().all(|Board { topic, .. }| {
            let state = format!("{topic}/state {{\"format\":1,\"kind\":\"state\"");
            retained.contains(&state) && retained.contains(&format!("{topic}/status online"))
        });
        if is_there { Ok(()) } else { Err(retained) }
    });
}
