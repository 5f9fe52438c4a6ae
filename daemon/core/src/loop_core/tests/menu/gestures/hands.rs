//! Hands that press near the limits: 0.3 s, 1 s, 1.5 s and 3 s, to the nanosecond.

use super::super::super::random::Random;
use super::model::{Press, Wiring};
use super::{CALL_LINE, MS, SECOND};

/// The shortest time between two presses of a button. The release time of the debounce is shorter.
const APART: u64 = 60 * MS;

/// A time near one of the limits.
pub fn near(random: &mut Random, limits: &[u64]) -> u64 {
    let limit = limits[usize::try_from(random.below(limits.len() as u64)).unwrap()];
    match random.below(8) {
        0 | 1 => limit,
        2 => limit + 1,
        3 => limit - 1,
        4 => limit + MS,
        5 => limit.saturating_sub(MS),
        6 => limit + random.below(40 * MS),
        _ => limit - random.below(limit.min(40 * MS)),
    }
}

const HOLDS: [u64; 7] =
    [80 * MS, 200 * MS, 300 * MS, 1_000 * MS, 1_500 * MS, 1_550 * MS, 3_000 * MS];
const GAPS: [u64; 6] = [50 * MS, 150 * MS, 300 * MS, 1_000 * MS, 1_500 * MS, 3_000 * MS];

pub struct Hands<'a> {
    random: &'a mut Random,
    wiring: Wiring,
    /// For each line, from when on it can be pressed again.
    free: [u64; 3],
    /// The throw of the rocker that is down.
    throw: Option<usize>,
    pub presses: Vec<Press>,
}

impl Hands<'_> {
    /// Presses from `start` on, in the order of their first edges.
    pub fn play(random: &mut Random, wiring: Wiring, start: u64) -> Vec<Press> {
        let count = 5 + random.below(8);
        let mut hands = Hands { random, wiring, free: [0; 3], throw: None, presses: Vec::new() };
        let (mut down, mut up) = (start, start);
        for _ in 0..count {
            // A pause counts from the latest press or from the latest release.
            let from = if hands.random.chance(2) { down } else { up };
            let mut now = from.max(start) + near(hands.random, &GAPS);
            if hands.random.chance(16) {
                now = up + near(hands.random, &[28 * SECOND, 30 * SECOND]);
            }
            (down, up) = hands.gesture(now);
        }
        hands.presses.sort_by_key(|press| press.down);
        hands.presses
    }

    /// One press, or two that may overlap. Returns the latest first edge and the latest release.
    fn gesture(&mut self, now: u64) -> (u64, u64) {
        let has_call = self.wiring != Wiring::TwoAlone;
        let player = usize::from(self.random.chance(2));
        match self.random.below(8) {
            0 | 1 if has_call => self.hold(CALL_LINE, now),
            2 if has_call => self.overlap([CALL_LINE, player], now),
            3 if has_call => self.overlap([player, CALL_LINE], now),
            4 | 5 => self.overlap([player, 1 - player], now),
            _ => self.hold(player, now),
        }
    }

    fn hold(&mut self, line: usize, now: u64) -> (u64, u64) {
        let mut lasts = near(self.random, &HOLDS);
        if self.random.chance(30) {
            lasts = near(self.random, &[10 * SECOND, 11_500 * MS]);
        }
        self.press(line, now, lasts)
    }

    /// Two presses. Either is released first.
    fn overlap(&mut self, [first, second]: [usize; 2], now: u64) -> (u64, u64) {
        let gap = 1 + near(self.random, &[MS + 1, 20 * MS, 300 * MS, 1_000 * MS]);
        let gap = gap.min(self.random.pick([gap, 1_100 * MS]));
        let [short, more] = [near(self.random, &HOLDS), near(self.random, &[MS + 1, 300 * MS])];
        let (second_lasts, first_lasts) = match self.random.below(3) {
            0 => (short, gap + short),
            1 => (short + more, gap + short),
            _ => (short, gap + short + more),
        };
        let one = self.press(first, now, first_lasts);
        let begins = one.0 + gap;
        let other = self.press(second, begins, second_lasts);
        (one.0.max(other.0), one.1.max(other.1))
    }

    fn press(&mut self, line: usize, now: u64, lasts: u64) -> (u64, u64) {
        let mut down = now.max(self.free[line]);
        if self.wiring == Wiring::RockerAndCall && line != CALL_LINE {
            return self.push(line, down);
        }
        // No two lines change at the same instant, so that the order is certain.
        while self.presses.iter().any(|press| press.down == down) {
            down += 1;
        }
        let up = down + lasts;
        self.free[line] = up + APART;
        self.presses.push(Press { line, down, up });
        (down, up)
    }

    /// Pushes the rocker to the other side. The one throw opens before the other one closes.
    fn push(&mut self, line: usize, now: u64) -> (u64, u64) {
        let line = self.throw.map_or(line, |down| 1 - down);
        let latest = self.presses.iter().rposition(|press| press.line != CALL_LINE);
        let mut down = now.max(self.free[0].max(self.free[1]));
        while self.presses.iter().any(|press| press.down == down) {
            down += 1;
        }
        if let Some(latest) = latest {
            self.presses[latest].up = down - MS - self.random.below(2 * MS);
        }
        self.presses.push(Press { line, down, up: u64::MAX });
        self.throw = Some(line);
        self.free[line] = down + 2 * APART;
        (down, down)
    }
}
