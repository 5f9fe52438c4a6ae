use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use clock_dbus::{MenuPage, MenuSettings, SideState, State};
use embedded_hal::digital::ErrorType;
use embedded_hal_mock::eh1::spi::Mock as Spi;
use zbus::Address;

use super::*;
use crate::content::{Content, FlagOrder, SideDisplay, TimeLevel, TurnMark};
use crate::language::EN;
use crate::link;
use crate::low_time::LowTime;
use crate::rules::Rules;
use buzzer::Buzzer;
use fake::{FakeClock, paused};
use lamps::Light;
use occasions::Occasions;
use test_content::{SIDE, game};
use wiring::BuzzerConfig;
use worker::Retried;

#[path = "../../tests/face/fake.rs"]
#[allow(dead_code)]
mod fake;
mod open;
#[path = "../../tests/states/mod.rs"]
#[allow(dead_code)]
mod states;

/// A pin that records each change of its state with the instant.
struct NotedPin(Arc<Mutex<Vec<(bool, Instant)>>>);

impl NotedPin {
    fn note(&mut self, on: bool) -> Result<(), Infallible> {
        let mut noted = self.0.lock().unwrap();
        if noted.last().is_none_or(|(before, _)| *before != on) {
            noted.push((on, Instant::now()));
        }
        Ok(())
    }
}

impl ErrorType for NotedPin {
    type Error = Infallible;
}

impl OutputPin for NotedPin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.note(false)
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.note(true)
    }
}

/// A worker with a buzzer on this pin. The buzzer is enabled, and its occasions are those of the
/// default configuration.
fn buzzer(pin: NotedPin) -> Worker<Spi<u8>, NotedPin> {
    let mut pin = Some(pin);
    let open = move || Ok(Buzzer::new(pin.take().expect("opened once")));
    let sounds = BuzzerConfig { enabled: true, ..BuzzerConfig::default() };
    Worker {
        segments: None,
        lamps: None,
        buzzer: Some((Retried::new("buzzer", Box::new(open), |_| ()), sounds)),
        heard: Occasions::default(),
    }
}

/// This test uses a fake service on a real bus, a real thread and real time. A change of the pin
/// can come late, but never early.
#[tokio::test]
async fn a_gong_of_the_service_is_heard_for_its_time_and_ends_with_the_program() {
    let noted = Arc::new(Mutex::new(Vec::new()));
    let states = || noted.lock().unwrap().iter().map(|(on, _)| *on).collect::<Vec<_>>();
    let wait_for = async |count: usize| {
        let deadline = Instant::now() + Duration::from_secs(30);
        while states().len() < count {
            assert!(Instant::now() < deadline, "{:?}", states());
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("bus");
    let mut bus = clock_test_bus::start(&socket, "").unwrap();
    let address = clock_test_bus::address(&socket);
    let clock = FakeClock::start(&address, paused()).await;
    let (sender, mut link) = watch::channel(Link::Down(None));
    tokio::spawn(link::follow(Address::try_from(&*address).unwrap(), sender));
    let driver =
        Driver::start(buzzer(NotedPin(noted.clone())), (link.clone(), LowTime::Auto)).unwrap();
    let devices = Devices(Some(driver));
    link.wait_for(|link| matches!(link, Link::Up(_))).await.unwrap();
    wait_for(1).await;
    let before = Instant::now();
    for cause in ["press", "gong", "press"] {
        clock
            .transition(
                cause,
                State { white: SideState { moves: 13, ..paused().white }, ..paused() },
            )
            .await;
    }
    wait_for(3).await;
    let lasted = noted.lock().unwrap()[2].1 - before;
    assert!(lasted >= Duration::from_millis(600), "{lasted:?}");
    // A gong while the sound is switched off in the menu is not heard.
    let sound = async |sound: bool, link: &mut watch::Receiver<Link>| {
        let settings = MenuSettings { sound, ..MenuSettings::default() };
        clock.set_menu(MenuPage::default(), settings).await;
        link.wait_for(|link| link.settings().sound == sound).await.unwrap();
    };
    sound(false, &mut link).await;
    clock.transition("gong", paused()).await;
    link.wait_for(|link| link.signals().is_some_and(|signals| signals.gongs == 2)).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(states().len(), 3);
    sound(true, &mut link).await;
    clock.transition("gong", paused()).await;
    wait_for(4).await;
    drop(devices);
    // `drop` waits at most `PATIENCE` for the thread. A slow thread switches the buzzer off after
    // that, so the test waits until the buzzer is off.
    wait_for(5).await;
    assert_eq!(states(), [false, true, false, true, false]);
    bus.kill().unwrap();
    bus.wait().unwrap();
}

/// Two states of a side differ on the modules if one of these differs: the mark, the level of the
/// time, whether the final flag fell first, whether there is an overrun, whether there is an
/// earlier flag.
#[test]
fn the_states_of_a_side_differ_on_the_modules() {
    use TurnMark::{Running, Stopped, Waiting};
    let flagged = |first: bool, overrun: Option<&str>| TimeLevel::Flagged {
        order: if first { FlagOrder::First } else { FlagOrder::Second },
        overrun: overrun.map(str::to_owned),
    };
    let mut seen = BTreeMap::new();
    for mark in [Running, Stopped, Waiting] {
        for (time, level) in [
            ("1:00", TimeLevel::Ample),
            ("0:59", TimeLevel::Low(500)),
            ("10.0", TimeLevel::Low(500)),
            ("0.0", TimeLevel::Low(500)),
            ("0.0", flagged(true, None)),
            ("0.0", flagged(false, None)),
            ("0.0", flagged(true, Some("+0:12"))),
            ("0.0", flagged(false, Some("+0:12"))),
        ] {
            for earlier_flag in [false, true] {
                let side = SideDisplay {
                    mark,
                    time: time.into(),
                    time_level: level.clone(),
                    earlier_flag,
                    ..SIDE
                };
                let digits = segments::encode(&game(side.clone(), SIDE))[0];
                if let Some(other) = seen.insert(digits, side.clone()) {
                    panic!("{side:?} looks like {other:?}");
                }
            }
        }
    }
}

/// For every state of `states::states`: the modules and the lamps at the buttons that are wired as
/// White's and as Black's. In the texts of the modules, `=` stands for three bars, `|` for two
/// upright bars, and `t` for an `F` upside down.
#[test]
fn every_state_of_the_face_on_the_devices() {
    use Light::{Fault, Flag, Off, On, RunningAfterFlag, Stopped};
    let expected = [
        ("ready", " 0 1.30.00", " 0 1.30.00", [Off, Off]),
        ("ready-without-buttons", " 0E1.30.00", " 0E1.30.00", [Fault, Fault]),
        ("white-runs", "12=1.30.00", "11 1.24.07", [On, Off]),
        ("black-runs", "12 1.30.00", "11=1.24.07", [Off, On]),
        ("event", "12=1.30.00", "11 1.24.07", [On, Off]),
        ("low", "12=L 0.47", "11 1.24.07", [On, Off]),
        ("low-tenths", "12=L  9.4", "11 L 0.38", [On, Off]),
        ("delay", " 9.d1.30.00", "11 1.24.07", [On, Off]),
        ("bronstein", "12=1.30.00", "11 1.24.07", [On, Off]),
        ("overtime", " 5.=  0.30", "11 1.24.07", [On, Off]),
        ("earlier-flag", "12=. 28.00", "11 1.24.07", [On, Off]),
        ("hourglass", "12=  1.15", "11   1.05", [On, Off]),
        ("counting-up", "12=U12.34", "11 1.02.03", [On, Off]),
        ("counting-up-with-a-limit", "12=U12.34", "11 L59.31", [On, Off]),
        ("claim-pending", "12=1.30.00", "11A1.24.07", [On, Off]),
        ("default-time", "12=1.30.00", "11A1.24.07", [On, Off]),
        ("button-stuck", "12=1.30.00", "11E1.24.07", [On, Off]),
        // White's values are on the devices that stand at the button wired as Black's.
        ("buttons-exchanged", "11E1.24.07", "12=1.30.00", [Off, On]),
        ("restarted", "12=1.30.00", "11E1.24.07", [On, Off]),
        ("paused", "12|1.30.00", "11 1.24.07", [Stopped, Off]),
        ("paused-announced", "12|1.30.00", "11 1.24.07", [Stopped, Off]),
        ("paused-to-note", "12|1.30.00", "11 1.24.07", [Stopped, Off]),
        ("arbiter-called", "12|1.30.00", "11A1.24.07", [Stopped, Off]),
        ("buttons-disconnected", "12|1.30.00", "11E1.24.07", [Fault, Fault]),
        ("after-power-cut", "12|1.30.00", "11E1.24.07", [Fault, Fault]),
        ("ruling-awaited", "12|1.30.00", "11A1.24.07", [Stopped, Off]),
        ("adjourned", "12|1.30.00", "11 1.24.07", [Stopped, Off]),
        ("result", "12 1.30.00", "11 1.24.07", [Off, Off]),
        ("flag", "12A1.30.00", "11|F  0.0", [Off, Flag]),
        ("overrun", "12 1.30.00", "11=F. 0.12", [Off, RunningAfterFlag]),
        ("two-flags", "12At  0.0", "11|F  0.0", [Flag, Flag]),
        ("flag-and-result", "12 1.30.00", "11 F  0.0", [Off, Flag]),
        ("names-long", "12=1.30.00", "11 1.24.07", [On, Off]),
        ("names-cyrillic-greek", "12=1.30.00", "11 1.24.07", [On, Off]),
        ("names-unusual", "12=1.30.00", "11 1.24.07", [On, Off]),
        ("no-names", "12=10.00h", "11 9.59.00", [On, Off]),
    ];
    let states = states::states(1_000_000_000_000);
    let names: Vec<&str> = states.iter().map(|named| named.name).collect();
    assert_eq!(names, expected.map(|(name, ..)| name));
    for (states::Named { name, state, .. }, (_, white, black, lights)) in
        states.iter().zip(expected)
    {
        let content = Content::of(state, Rules::NONE, EN);
        let digits = segments::encode(&content).map(segments::tests::read);
        assert_eq!(digits, [white, black], "{name}");
        assert_eq!(Light::of(&content), lights, "{name}");
    }
}
