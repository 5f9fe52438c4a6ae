use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use embedded_hal_mock::eh1::MockError;
use embedded_hal_mock::eh1::digital::{Mock as Pin, State, Transaction as Set};
use embedded_hal_mock::eh1::spi::{Mock as Spi, Transaction};

use super::super::buzzer::Sound;
use super::*;

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn no_report(_: &str) {}

/// A device that the test provides. Each attempt to open it takes the next element of `devices`:
/// `Some` is the opened device, and `None` is a failure. All further attempts fail.
fn opens<T: Send + 'static>(devices: Vec<Option<T>>) -> Retried<T> {
    let mut devices = VecDeque::from(devices);
    let open = move || devices.pop_front().flatten().ok_or_else(|| anyhow::anyhow!("missing"));
    Retried::new("device", Box::new(open), no_report)
}

fn worker() -> Worker<Spi<u8>, Pin> {
    Worker { segments: None, lamps: None, buzzer: None, heard: Occasions::default() }
}

fn pin(states: &[State]) -> Pin {
    Pin::new(&states.iter().map(|state| Set::set(*state)).collect::<Vec<_>>())
}

fn after(occasions: [u64; 5]) -> Shown {
    Shown { occasions: Occasions(occasions), ..Shown::NO_SERVICE }
}

/// The transactions that write all registers, with four bytes each. The bytes of the far module
/// come first.
fn sent(near: Digits, far: Digits) -> Vec<Transaction<u8>> {
    let settings = [[15, 0, 15, 0], [11, 7, 11, 7], [9, 0, 9, 0], [10, 7, 10, 7]];
    let digits = (0..8_u8).map(|place| {
        let at = usize::from(place);
        [8 - place, far[at], 8 - place, near[at]]
    });
    let all = settings.into_iter().chain(digits).chain([[12, 1, 12, 1]]);
    all.flat_map(|bytes| {
        let write = Transaction::write_vec(bytes.to_vec());
        [Transaction::transaction_start(), write, Transaction::transaction_end()]
    })
    .collect()
}

#[test]
fn the_near_module_is_that_of_the_player_who_is_configured() {
    let (white, black) = ([1; 8], [2; 8]);
    let shown = Shown { digits: [white, black], ..Shown::NO_SERVICE };
    for (near, expected) in [(Side::White, sent(white, black)), (Side::Black, sent(black, white))] {
        let mut spi = Spi::new(&expected);
        let modules = Modules::new(spi.clone(), 7);
        let mut worker = worker();
        worker.segments = Some((opens(vec![Some(modules)]), near));
        assert!(worker.has_devices());
        assert_eq!(worker.update(&shown, millis(10)), Some(millis(5010)));
        spi.done();
    }
}

#[test]
fn a_device_that_is_missing_does_not_stop_the_others_and_is_opened_later() {
    let mut lamps = [pin(&[State::High]), pin(&[State::Low])];
    let mut buzzer = pin(&[State::Low, State::High]);
    let mut worker = worker();
    worker.lamps = Some(opens(vec![None, Some(Lamps::new(lamps.clone()))]));
    let sounds = BuzzerConfig { enabled: true, ..BuzzerConfig::default() };
    worker.buzzer = Some((opens(vec![Some(Buzzer::new(buzzer.clone()))]), sounds));
    let mut shown = Shown { lights: [Light::On, Light::Off], ..Shown::NO_SERVICE };
    assert_eq!(worker.update(&shown, millis(0)), Some(millis(2000)));
    shown.occasions = Occasions([1, 0, 0, 0, 0]);
    assert_eq!(worker.update(&shown, millis(1500)), Some(millis(2000)), "the buzzer sounds");
    assert_eq!(worker.update(&shown, millis(2000)), Some(millis(2100)), "the lamps are there");
    lamps.iter_mut().for_each(Pin::done);
    buzzer.done();
}

#[test]
fn a_chip_that_is_replaced_while_nothing_changes_is_noticed() {
    let error = MockError::Io(std::io::ErrorKind::NotConnected);
    let gone = [Set::set(State::High), Set::set(State::High).with_error(error)];
    let mut before = [Pin::new(&gone), pin(&[State::Low])];
    let mut later = [pin(&[State::High]), pin(&[State::Low])];
    let lamps = [&before, &later].map(|pins| Some(Lamps::new(pins.clone())));
    let mut worker = worker();
    worker.lamps = Some(opens(lamps.into()));
    let shown = Shown { lights: [Light::On, Light::Off], ..Shown::NO_SERVICE };
    for (now, next) in [(0, 2000), (2000, 4000), (4000, 6000)] {
        assert_eq!(worker.update(&shown, millis(now)), Some(millis(next)));
    }
    before.iter_mut().chain(&mut later).for_each(Pin::done);
}

#[test]
fn only_the_sounds_that_are_switched_on_are_heard() {
    let all = Sound::ALL;
    let off = BuzzerConfig {
        enabled: true,
        gong: false,
        arbiter_call: false,
        flag: false,
        low_time: false,
        menu: false,
    };
    let gong = BuzzerConfig { gong: true, ..off.clone() };
    let call = BuzzerConfig { arbiter_call: true, ..off.clone() };
    let flag = BuzzerConfig { flag: true, ..off.clone() };
    let low = BuzzerConfig { low_time: true, ..off.clone() };
    let menu = BuzzerConfig { menu: true, ..off.clone() };
    let usual = BuzzerConfig { enabled: true, ..BuzzerConfig::default() };
    for (config, heard) in [
        (off, vec![]),
        (gong, vec![Sound::Gong]),
        (call, vec![Sound::Call]),
        (flag, vec![Sound::Flag]),
        (low, vec![Sound::Low]),
        (menu, vec![Sound::Menu]),
        (usual, vec![Sound::Gong, Sound::Call, Sound::Menu]),
    ] {
        for (index, sound) in all.into_iter().enumerate() {
            let sounds = heard.contains(&sound);
            let states: &[State] = if sounds { &[State::Low, State::High] } else { &[State::Low] };
            let mut buzzer = pin(states);
            let mut worker = worker();
            worker.buzzer = Some((opens(vec![Some(Buzzer::new(buzzer.clone()))]), config.clone()));
            worker.update(&after([0; 5]), millis(0));
            let mut occasions = [0; 5];
            occasions[index] = 1;
            let next = worker.update(&after(occasions), millis(1));
            // Without a sound, the next update is due only after 2 s, when the pin is set again.
            assert_eq!(next < Some(millis(2000)), sounds, "{sound:?} {config:?}");
            buzzer.done();
        }
    }
}

#[test]
fn without_sound_nothing_is_heard_and_nothing_is_played_later() {
    let mut buzzer = pin(&[State::Low, State::High, State::Low]);
    let mut worker = worker();
    let sounds = BuzzerConfig { enabled: true, ..BuzzerConfig::default() };
    worker.buzzer = Some((opens(vec![Some(Buzzer::new(buzzer.clone()))]), sounds));
    worker.update(&after([0; 5]), millis(0));
    // A gong begins. The sound is switched off, a call comes, and the sound is switched on.
    worker.update(&after([1, 0, 0, 0, 0]), millis(1));
    worker.update(&Shown { sound: false, ..after([1, 0, 0, 0, 0]) }, millis(2));
    worker.update(&Shown { sound: false, ..after([1, 0, 1, 0, 0]) }, millis(3));
    assert_eq!(worker.update(&after([1, 0, 1, 0, 0]), millis(4)), Some(millis(2002)));
    buzzer.done();
}

#[test]
fn a_sound_that_came_while_the_buzzer_was_missing_is_not_played_later() {
    let mut buzzer = pin(&[State::Low]);
    let mut worker = worker();
    let sounds = BuzzerConfig { enabled: true, ..BuzzerConfig::default() };
    worker.buzzer = Some((opens(vec![None, Some(Buzzer::new(buzzer.clone()))]), sounds));
    worker.update(&after([0; 5]), millis(0));
    worker.update(&after([1, 0, 0, 0, 0]), millis(100));
    assert_eq!(worker.update(&after([1, 0, 0, 0, 0]), millis(2000)), Some(millis(4000)));
    buzzer.done();
}

#[test]
fn at_the_end_the_modules_show_dashes_and_the_rest_is_off() {
    let mut spi = Spi::new(&sent(NO_SERVICE[0], NO_SERVICE[1]));
    let mut lamps = [pin(&[State::High, State::Low]), pin(&[State::Low])];
    let mut buzzer = pin(&[State::Low, State::High, State::Low]);
    let mut worker = worker();
    worker.lamps = Some(opens(vec![Some(Lamps::new(lamps.clone()))]));
    let sounds = BuzzerConfig { enabled: true, ..BuzzerConfig::default() };
    worker.buzzer = Some((opens(vec![Some(Buzzer::new(buzzer.clone()))]), sounds));
    let lights = [Light::On, Light::Off];
    worker.update(&Shown { lights, ..after([0; 5]) }, millis(0));
    // A gong sounds, and a call waits for the end of the gong.
    worker.update(&Shown { lights, ..after([1, 0, 1, 0, 0]) }, millis(1));
    // The modules are not open before the call of `end`, which opens them.
    worker.segments = Some((opens(vec![Some(Modules::new(spi.clone(), 7))]), Side::White));
    worker.end(millis(2));
    spi.done();
    lamps.iter_mut().for_each(Pin::done);
    buzzer.done();
}

#[test]
fn a_failing_device_is_reported_by_its_name() {
    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let opened = Arc::new(Mutex::new(0));
    let count = opened.clone();
    let open = move || {
        *count.lock().unwrap() += 1;
        Err(anyhow::anyhow!("missing"))
    };
    let mut worker = worker();
    let report: Report = |line| SAID.lock().unwrap().push(line.to_owned());
    worker.lamps = Some(Retried::new("lamps", Box::new(open), report));
    for now in [0, 1999, 2000, 4000] {
        worker.update(&Shown::NO_SERVICE, millis(now));
    }
    assert_eq!(*opened.lock().unwrap(), 3);
    assert_eq!(*SAID.lock().unwrap(), ["lamps: missing; it is tried again every 2 s"]);
}
