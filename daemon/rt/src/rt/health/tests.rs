use super::*;
use clock_engine::Side;

const WHITE: Button = Button::Player(Side::White);
const BLACK: Button = Button::Player(Side::Black);

type Setter<'a> = &'a dyn Fn(bool);
type Counted = fn(u64) -> Fault;

#[test]
fn the_position_of_a_rocker_in_the_menu_is_read_as_it_was_set() {
    let health = Health::default();
    let closed = [[false, false], [true, false], [false, true], [true, true]].map(Some);
    for position in [None].into_iter().chain(closed).chain([None]) {
        health.set_rocker_in_menu(position);
        assert_eq!(health.rocker_in_menu(), position);
    }
}

#[test]
fn every_fault_makes_another_set_and_a_fault_that_is_over_makes_the_first_again() {
    let health = Health::default();
    let none = health.fault_set();
    assert_eq!((none, none.iter().count()), (FaultSet::default(), 0));
    let rate = |is_fault| Rate { is_fault, ..Rate::default() };
    let set_and_cleared: [(&str, Setter<'_>, Fault); 8] = [
        ("board", &|on| health.set_broken(BLACK, on), Fault::BoardGone),
        ("white", &|on| _ = health.set_stuck(WHITE, on), Fault::Stuck(WHITE)),
        ("black", &|on| _ = health.set_stuck(BLACK, on), Fault::Stuck(BLACK)),
        ("call", &|on| _ = health.set_stuck(Button::Call, on), Fault::Stuck(Button::Call)),
        ("rocker", &|on| health.crossed.store(on, Ordering::Relaxed), Fault::RockerCrossed),
        ("rate", &|on| _ = health.clock_rate.publish(rate(on)), Fault::ClockRate),
        ("record", &|on| health.no_record.store(on, Ordering::Relaxed), Fault::NoRecord),
        ("realtime", &|on| health.set_realtime(!on), Fault::NoRealtime),
    ];
    for (name, set, fault) in set_and_cleared {
        set(true);
        let set_now = health.fault_set();
        assert_ne!(set_now, none, "{name}");
        assert_eq!(set_now.iter().collect::<Vec<_>>(), [fault], "{name}");
        set(false);
        assert_eq!(health.fault_set(), none, "{name}");
    }
    // A counted fault that occurs once more makes the set different.
    let counted: [(&AtomicU64, Counted); 4] = [
        (&health.late, Fault::LatePress),
        (&health.overflows, Fault::EdgesDropped),
        (&health.noise, Fault::Noise),
        (&health.lost_updates, Fault::UpdatesLost),
    ];
    for (counter, fault) in counted {
        let before = health.fault_set();
        counter.fetch_add(1, Ordering::Relaxed);
        let once = health.fault_set();
        assert!(once != before && once.iter().any(|found| found == fault(1)), "{once:?}");
        counter.fetch_add(1, Ordering::Relaxed);
        assert_ne!(health.fault_set(), once);
    }
    // A rejected glitch, and an edge that is lost in a fast bounce, are no faults.
    let before = health.fault_set();
    health.rejected.fetch_add(1, Ordering::Relaxed);
    health.lost_edges.fetch_add(1, Ordering::Relaxed);
    assert_eq!(health.fault_set(), before);
}

#[test]
fn every_fault_has_a_short_text_of_its_own_and_the_serious_ones_come_first() {
    let most = u64::MAX;
    let all = FaultSet {
        board_gone: true,
        stuck: 0b111,
        rocker_crossed: true,
        configuration_refused: true,
        late_presses: most,
        clock_rate: true,
        edges_dropped: most,
        noise: most,
        updates_lost: most,
        no_realtime: true,
        no_record: true,
        storage: true,
        record_moved_aside: true,
        record_mismatch: true,
        memory_damaged: true,
        entries_lost: most,
    };
    let texts: Vec<String> = all.iter().map(|fault| fault.to_string()).collect();
    assert_eq!(texts.len(), 18);
    for text in &texts {
        assert!(text.len() <= 200, "{} bytes: {text}", text.len());
        assert!(text.is_ascii() && !text.contains("  "), "{text}");
        assert_eq!(texts.iter().filter(|other| *other == text).count(), 1, "{text}");
    }
    assert!(texts[0].starts_with("the buttons are not connected: no press is read"), "{texts:?}");
    assert!(
        texts[1].starts_with("the button wired as White's")
            && texts[3].starts_with("the call button")
    );
    let once = FaultSet { noise: 1, late_presses: 1, ..FaultSet::default() };
    let texts: Vec<String> = once.iter().map(|fault| fault.to_string()).collect();
    assert!(texts[0].starts_with("1 press since"), "{texts:?}");
    assert!(texts[1].contains("once since the service started"), "{texts:?}");
}

#[test]
fn the_clock_rate_is_unknown_at_first_and_tells_when_the_fault_comes_or_goes() {
    let rate = &Health::default().clock_rate;
    assert_eq!((rate.windows(), rate.ppb(), rate.worst_ppb()), (0, None, None));
    let changes: Vec<bool> =
        [(5, false), (300_000, true), (-310_000, true), (7, false), (8, false)]
            .into_iter()
            .map(|(ppb, is_fault)| rate.publish(Rate { ppb, worst_ppb: 2 * ppb, is_fault }))
            .collect();
    assert_eq!(changes, [false, true, false, true, false]);
    assert_eq!((rate.windows(), rate.ppb(), rate.worst_ppb()), (5, Some(8), Some(16)));
}
