//! An evening without a laptop: two players with the three buttons alone, on the shipped
//! configuration.

use super::menu::Table;
use super::*;

const SECOND: u64 = 1_000_000_000;

#[tokio::test]
async fn an_evening_without_a_laptop() {
    let mut table = Table::with("").await;
    let ready = table.state().await;
    let starts_as = (ready.time_control.as_str(), ready.rules.as_str(), ready.phase);
    assert_eq!(starts_as, ("5+3", "players-agree", Phase::Ready));

    // A game of 3+2.
    table.open().await;
    table.choose_all(&["Time control", "3+2"]).await;
    table.closed().await;
    let ready = table.state().await;
    let set_up = (ready.time_control.as_str(), ready.rules.as_str(), ready.phase);
    assert_eq!(set_up, ("3+2", "players-agree", Phase::Ready));
    for button in ["black", "white", "black", "white"] {
        table.play(button).await;
    }
    assert_eq!(table.play("call").await.phase, Phase::Paused);

    corrected_in_60_seconds(&mut table).await;

    // Both players press, and the game goes on.
    table.buttons.tap("white").unwrap();
    assert_eq!(table.play("black").await.running, Who::Black);
    assert_eq!(table.play("call").await.phase, Phase::Paused);
    table.open().await;
    table.choose_all(&["Result", "½-½"]).await;
    table.both_agree().await;
    assert_eq!(table.state().await.result, "1/2-1/2");

    // The game is over, so one press sets up the same game with the sides exchanged, and starts it.
    table.open().await;
    table.choose("Sides exchanged").await;
    table.closed().await;
    let again = table.state_when("the start", |state| state.phase == Phase::Running).await;
    assert_eq!((again.running, again.buttons_exchanged), (Who::White, true));
    assert_eq!((again.time_control.as_str(), again.white.moves), ("3+2", 0));

    assert_eq!(table.play("call").await.phase, Phase::Paused);
    settings_and_an_own_control_outlive_kill_9(&mut table).await;
    own_control_is_played_until_a_flag(&mut table).await;
}

/// Corrects White's time and the number of Black's moves. With half a second for each press this
/// takes less than 60 s.
async fn corrected_in_60_seconds(table: &mut Table) {
    let before = table.state().await;
    table.open().await;
    table.presses = 0;
    table.choose_all(&["Correct", "White's time"]).await;
    table.enter("00215").await;
    table.choose("Black's moves").await;
    table.enter("007").await;
    table.choose("Show before and after").await;
    let shown = table.page.lines.join("\n");
    assert!(shown.contains("0:02:15"), "both readings are shown before and after: {shown}");
    assert_eq!(table.state().await, before, "nothing changes before both have agreed");
    table.both_agree().await;
    assert!(table.presses < 120, "{} presses", table.presses);
    let after = table.state().await;
    assert_eq!((after.white.remaining_nsec, after.black.moves), (135 * SECOND, 7));
    let others = (after.black.remaining_nsec, after.white.moves, after.on_move);
    assert_eq!(others, (before.black.remaining_nsec, before.white.moves, before.on_move));
}

/// Sets the sound, the brightness, the language and an own control, which is shown in its summary
/// when clockd is killed. The clock comes back with the same game and with what was set, and with
/// the menu closed.
async fn settings_and_an_own_control_outlive_kill_9(table: &mut Table) {
    table.open().await;
    table.choose_all(&["Sound: On", "Brightness", "50"]).await;
    // The pages are in the chosen language at once.
    table.choose_all(&["Back", "Language", "Gaeilge", "Siar", "Teanga", "English"]).await;
    table.choose_all(&["Back", "New game", "We two", "Our own"]).await;
    table.enter("0503").await;
    table.choose("Time").await;
    table.enter("00001").await;
    table.choose_all(&["Increment", "Delay", "Bronstein", "Hourglass", "Keep"]).await;
    table.titled("Is this right?").await;
    let settings = table.settings().await;
    assert_eq!((settings.sound, settings.brightness_percent), (false, Some(50)));
    assert_eq!(settings.language, clock_dbus::Language::English);
    let file = table.fixture.bench.folder().join("state").join("menu.json");
    clock_tests::eventually("the own control is written", || {
        std::fs::read_to_string(&file).ok()?.contains("G/1s").then_some(())
    });
    let before = table.state().await;
    table.kill_and_restart().await;
    let after = table.state().await;
    let game = |state: &State| {
        let State { time_control, rules, phase, buttons_exchanged, white, .. } = state.clone();
        (time_control, rules, phase, buttons_exchanged, white.remaining_nsec)
    };
    assert_eq!(game(&after), game(&before));
    assert_eq!(table.page, clock_dbus::MenuPage::default());
    assert_eq!(table.settings().await, settings);
}

/// Plays the own control of one second until White's flag has fallen. Then the players enter that
/// White has lost.
async fn own_control_is_played_until_a_flag(table: &mut Table) {
    table.open().await;
    table.choose_all(&["New game", "We two", "G/1s", "Accept"]).await;
    table.page_when("asked", |page| page.lines[0].contains("press your button")).await;
    table.press("white").await;
    table.page_when("agreed", |page| page.lines[1] == "Black ✓").await;
    table.press("black").await;
    table.closed().await;
    // The buttons are exchanged: Black uses the one that is wired as White's.
    let start = table.play("white").await;
    assert_eq!((start.running, start.white.remaining_nsec), (Who::White, SECOND));
    let flag = table.state_when("a flag", |state| state.first_flag == Who::White).await;
    assert_eq!(flag.white.flag_nsec, Some(start.at_nsec + SECOND));
    table.open().await;
    table.choose("0-1").await;
    // Each player agrees with the own button.
    table.press("white").await;
    assert_eq!(table.page.lines[1], "Black ✓");
    table.press("black").await;
    table.closed().await;
    assert_eq!(table.state().await.result, "0-1");
}

/// The shipped configuration with the arbiter's code that it shows, because the rules hide from the
/// players what awaits a ruling. White's flag falls in the first of two periods, and the arbiter
/// rules that enough moves were made. So the game goes on.
#[tokio::test]
async fn an_arbiter_rules_on_a_flag_without_a_laptop() {
    let mut table = Table::with("arbiter_code = \"wbbw\"").await;
    table.open().await;
    table.choose_all(&["New game", "With an arbiter", "Our own"]).await;
    table.enter("0503").await;
    table.choose("Time").await;
    table.enter("00001").await;
    table.choose("For each move").await;
    table.enter("00001").await;
    table.choose("Second").await;
    table.enter("03000").await;
    table.choose_all(&["Keep", "Accept"]).await;
    table.closed().await;
    let start = table.play("black").await;
    assert_eq!((start.running, start.rules.as_str()), (Who::White, "fide-2023"));
    let flag = table.state_when("a flag", |state| state.first_flag == Who::White).await;
    assert_eq!((flag.phase, flag.white.period), (Phase::Ruling, 1));
    assert_eq!(flag.white.flag_nsec, Some(start.at_nsec + 2 * SECOND));

    table.open().await;
    table.choose("What awaits").await;
    table.enter_code("wbbw").await;
    assert_eq!(table.lines().await, ["White: enough moves?", "Back"]);
    table.choose("White: enough moves?").await;
    let answers = table.lines().await;
    let offered = ["Moves were made +30:01", "Moves were not made", "Not established"];
    assert_eq!(answers, [offered.as_slice(), &["Call the flag", "Back"]].concat());
    table.choose("Moves were made").await;
    assert_eq!(table.page.lines[..2], ["Then the clocks stand", "White +30:01"]);
    assert_eq!(table.state().await, flag, "nothing changes before it is confirmed");
    table.choose("Yes").await;
    table.closed().await;
    let ruled = table.state().await;
    assert_eq!((ruled.phase, ruled.white.period), (Phase::Paused, 2));
    assert_eq!(ruled.white.remaining_nsec, 1801 * SECOND);

    // The code holds for one change.
    table.open().await;
    table.choose("Go on").await;
    table.enter_code("wbbw").await;
    table.choose_all(&["White's clock runs", "Yes"]).await;
    table.closed().await;
    assert_eq!(table.play("white").await.running, Who::Black);
    assert_eq!(table.play("call").await.phase, Phase::Paused);
    table.open().await;
    table.choose("Result").await;
    table.enter_code("wbbw").await;
    table.choose_all(&["1-0", "Yes"]).await;
    table.closed().await;
    assert_eq!(table.state().await.result, "1-0");
    let entries = table.entries().await;
    let commands = entries.iter().filter_map(|entry| entry["command"]["verb"].as_str());
    let commands: Vec<_> = commands.collect();
    assert_eq!(commands, ["new", "rule", "resume", "result"]);
}
