use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant as StdInstant;

use clock_dbus::State;
use schedule::Dim;
use tokio::time::sleep;

use super::*;
use crate::link::LastKnown;
use crate::rules::Rules;

fn link(phase: Phase) -> Link {
    let state = State { phase, ..State::default() };
    let settings = MenuSettings::default();
    Link::Down(Some(Box::new(LastKnown { state, rules: Rules::NONE, settings })))
}

fn schedule() -> Schedule {
    let percent = |value| Percent::try_from(value).unwrap();
    let time = |hour| TimeOfDay::new(hour, 30).unwrap();
    let dim = Dim { brightness: percent(10), from: time(22), to: time(2) };
    Schedule { brightness: percent(100), dim: Some(dim) }
}

#[test]
fn a_game_is_in_progress_from_its_start_to_its_end() {
    for (phase, wanted) in [
        (Phase::Ready, false),
        (Phase::Running, true),
        (Phase::Paused, true),
        (Phase::Ruling, true),
        (Phase::Over, false),
    ] {
        assert_eq!(game_in_progress(&link(phase)), wanted, "{phase:?}");
    }
    assert!(!game_in_progress(&Link::Down(None)));
}

/// The brightness at an instant in the time zone of central Europe, without a game.
fn percent_at(instant: &str) -> u8 {
    schedule().percent(clock_at(instant, true).time_of_day(), false).get()
}

fn clock_at(instant: &str, is_known: bool) -> WallClock {
    let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
    WallClock { now: instant.parse().unwrap(), zone, is_known }
}

#[test]
fn local_time_counts_also_when_it_jumps() {
    for (instant, wanted) in [
        // Dimming begins at 22:30, which is 21:30 UTC in winter and 20:30 UTC in summer.
        ("2026-01-10T21:29:59Z", 100),
        ("2026-01-10T21:30:00Z", 10),
        ("2026-07-10T20:29:59Z", 100),
        ("2026-07-10T20:30:00Z", 10),
        // On 2026-03-29 the time goes from 02:00 to 03:00. There is no 02:30, at which dimming
        // would end, so it ends at 03:00.
        ("2026-03-29T00:59:59Z", 10),
        ("2026-03-29T01:00:00Z", 100),
        // On 2026-10-25 the time goes back from 03:00 to 02:00. So 02:30, at which dimming ends,
        // comes twice, and the half hour before the second 02:30 is dimmed again.
        ("2026-10-25T00:29:59Z", 10),
        ("2026-10-25T00:30:00Z", 100),
        ("2026-10-25T01:00:00Z", 10),
        ("2026-10-25T01:30:00Z", 100),
    ] {
        assert_eq!(percent_at(instant), wanted, "{instant}");
    }
}

#[test]
fn a_machine_that_does_not_know_the_time_is_not_dimmed_whatever_the_year() {
    // All times of day are in the dimmed part of the day.
    for instant in ["1970-01-01T23:00:00Z", "2025-01-01T00:00:00Z", "2026-04-13T23:00:00Z"] {
        let percent =
            |is_known| schedule().percent(clock_at(instant, is_known).time_of_day(), false).get();
        assert_eq!((percent(false), percent(true)), (100, 10), "{instant}");
    }
}

#[test]
fn the_brightness_of_the_menu_counts_until_midnight() {
    let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
    let instant = |text: &str| text.parse::<Timestamp>().unwrap();
    let settings = |percent, set_at: &str| MenuSettings {
        brightness_percent: percent,
        set_at_realtime_nsec: u64::try_from(instant(set_at).as_nanosecond()).ok(),
        ..MenuSettings::default()
    };
    // 23:00 UTC is midnight in this zone in winter.
    for (percent, set_at, now, wanted) in [
        (Some(40), "2026-01-10T12:00:00Z", "2026-01-10T12:00:00Z", Some(40)),
        (Some(40), "2026-01-10T12:00:00Z", "2026-01-10T22:59:59Z", Some(40)),
        (Some(40), "2026-01-10T12:00:00Z", "2026-01-10T23:00:00Z", None),
        (Some(40), "2026-01-10T23:00:00Z", "2026-01-11T22:59:59Z", Some(40)),
        (Some(40), "2026-01-11T12:00:00Z", "2026-01-10T12:00:00Z", None),
        (Some(0), "2026-01-10T12:00:00Z", "2026-01-10T12:00:00Z", None),
        (Some(101), "2026-01-10T12:00:00Z", "2026-01-10T12:00:00Z", None),
        (None, "2026-01-10T12:00:00Z", "2026-01-10T12:00:00Z", None),
    ] {
        let shown = of_menu(settings(percent, set_at), instant(now), &zone);
        assert_eq!(shown.map(Percent::get), wanted, "{percent:?} {set_at} {now}");
    }
    assert_eq!(of_menu(MenuSettings::default(), instant("2026-01-10T12:00:00Z"), &zone), None);
    let latest = MenuSettings {
        brightness_percent: Some(40),
        set_at_realtime_nsec: Some(u64::MAX),
        ..MenuSettings::default()
    };
    assert_eq!(of_menu(latest, instant("2026-01-10T12:00:00Z"), &zone), None);
}

/// Noon on a day in winter. The schedule of the tests is not dimmed then.
fn noon() -> WallClock {
    let now = "2026-01-10T12:00:00Z".parse().unwrap();
    WallClock { now, zone: TimeZone::UTC, is_known: true }
}

#[test]
fn the_menu_comes_before_the_schedule_and_full_brightness_after_the_menu() {
    let set = MenuSettings {
        brightness_percent: Some(40),
        set_at_realtime_nsec: u64::try_from(noon().now.as_nanosecond()).ok(),
        ..MenuSettings::default()
    };
    let with = |settings| {
        let Link::Down(Some(last)) = link(Phase::Running) else { panic!("it has a state") };
        Link::Down(Some(Box::new(LastKnown { settings, ..*last })))
    };
    for (schedule, settings, was_set, wanted) in [
        (Some(schedule()), set, false, Some(40)),
        (Some(schedule()), MenuSettings::default(), true, Some(100)),
        (None, set, false, Some(40)),
        (None, MenuSettings::default(), false, None),
        (None, MenuSettings::default(), true, Some(100)),
    ] {
        let backlight = Backlight { schedule, folder: PathBuf::new(), now: noon, report: |_| () };
        let percent = backlight.wanted(&with(settings), was_set).map(Percent::get);
        assert_eq!(percent, wanted, "{schedule:?} {settings:?} {was_set}");
    }
}

static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

async fn until(what: &str, condition: impl Fn() -> bool) {
    let begun = StdInstant::now();
    while !condition() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}: {:?}", SAID.lock().unwrap());
        sleep(Duration::from_millis(5)).await;
    }
}

fn panel(folder: &Path, highest: &str) {
    fs::create_dir_all(folder.join("panel")).unwrap();
    for (file, value) in [("type", "raw"), ("brightness", "7"), ("max_brightness", highest)] {
        fs::write(folder.join("panel").join(file), value).unwrap();
    }
}

#[tokio::test]
async fn the_start_and_the_end_of_a_game_count_at_once_and_a_failure_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    panel(folder.path(), "garbage");
    let (sender, receiver) = watch::channel(link(Phase::Ready));
    let backlight = Backlight {
        schedule: Some(schedule()),
        folder: folder.path().to_owned(),
        now: || {
            let now = "2026-01-10T23:00:00Z".parse().unwrap();
            WallClock { now, zone: TimeZone::UTC, is_known: true }
        },
        report: |message| SAID.lock().unwrap().push(message.into()),
    };
    let task = tokio::spawn(backlight.follow(receiver));
    let is = |wanted: &'static str| {
        let file = folder.path().join("panel/brightness");
        move || fs::read_to_string(&file).unwrap() == wanted
    };
    let said = || SAID.lock().unwrap().len();
    until("the failure", || said() == 1).await;
    // After each change of the phase the face tries to set the devices again. Each attempt fails in
    // the same way, so the failure is not reported again.
    for phase in [Phase::Running, Phase::Over, Phase::Running, Phase::Ready] {
        sender.send_replace(link(phase));
        sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(said(), 1);
    // The device works at the next attempt, which comes 2 s after the failure.
    panel(folder.path(), "10");
    until("dimmed", is("1")).await;
    sender.send_replace(link(Phase::Running));
    until("bright in a game", is("10")).await;
    sender.send_replace(link(Phase::Paused));
    sleep(Duration::from_millis(50)).await;
    assert!(is("10")());
    sender.send_replace(link(Phase::Over));
    until("dimmed after the game", is("1")).await;
    let bad = "backlight: panel: max_brightness is `garbage`; expected a number; it is tried again every 2 s";
    assert_eq!(*SAID.lock().unwrap(), [bad, "backlight: panel is set"]);
    drop(sender);
    task.await.unwrap();
}
