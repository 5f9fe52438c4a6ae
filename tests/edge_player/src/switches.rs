//! Models of switches, for choosing the debounce times by measurement.
//!
//! In contrast to the [corpus](crate::trace) nothing here knows the debounce times. A model says
//! how the contacts of a kind of switch close, stay closed and open. Its gaps can be longer than
//! any debounce time if that kind of switch has such gaps. The truth is the instant of each press's
//! first contact.
//!
//! J. Ganssle measured 18 switches 300 times each (*A Guide to Debouncing*): bouncing lasted 1.6 ms
//! on average and 6.2 ms at most, except for one switch with 157 ms at the opening; pressing slowly
//! made it longer. Data sheets of tactile switches allow 5 ms, some 10 ms. The models
//! `tactile`, `pushbutton`, `snap-action` and `outlier` follow these figures. For leaf
//! switches, rockers, slow presses, contacts lost while held and rebounds there are no published
//! distributions; the spans below are assumptions that exceed what is known, so that the
//! weaknesses of a setting show.

use crate::Edge;
use crate::rng::Rng;
use crate::script::Contact;

const US: u64 = 1_000;
const MS: u64 = 1_000_000;

/// Presses of one button, and what else happens on its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presses {
    /// Each press: from its first contact to its last opening, in nanoseconds from an arbitrary
    /// zero.
    pub spans: Vec<(u64, u64)>,
    contacts: Vec<Contact>,
}

/// A kind of switch.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// The name in tables.
    pub name: &'static str,
    /// What its contacts do.
    pub about: &'static str,
    /// Whether the documentation advises against this kind of switch.
    pub is_refused: bool,
    press: fn(&mut Rng, u64) -> Vec<Contact>,
    /// How long the button is up between two presses.
    rest: (u64, u64),
    /// Whether interference closes the line for a moment before each press.
    has_spikes: bool,
}

/// How a contact bounces.
#[derive(Clone, Copy)]
struct Bounce {
    /// The shortest and the longest time for which the contact bounces.
    lasts: (u64, u64),
    /// The longest contact.
    contact: u64,
    /// The longest gap.
    gap: u64,
}

/// The usual bounce of a switch, both when it closes and when it opens.
const ORDINARY: Bounce = Bounce { lasts: (200 * US, 6_200 * US), contact: MS, gap: 2 * MS };
const USUAL_REST: (u64, u64) = (150 * MS, 2_000 * MS);

const fn switch(
    name: &'static str,
    about: &'static str,
    press: fn(&mut Rng, u64) -> Vec<Contact>,
) -> Switch {
    Switch { name, about, is_refused: false, press, rest: USUAL_REST, has_spikes: false }
}

/// All models. Those that the documentation advises against come last.
pub const SWITCHES: [Switch; 12] = [
    switch("tactile", "bounces up to 5 ms, gaps up to 2 ms", |rng, at| {
        let bounce = Bounce { lasts: (50 * US, 5 * MS), contact: MS, gap: 2 * MS };
        press(rng, at, bounce, bounce)
    }),
    switch("pushbutton", "bounces 0.2–6.2 ms, gaps up to 2 ms", |rng, at| {
        press(rng, at, ORDINARY, ORDINARY)
    }),
    switch("snap-action", "bounces up to 3 ms with contacts up to 0.2 ms", |rng, at| {
        let bounce = Bounce { lasts: (20 * US, 3 * MS), contact: 200 * US, gap: MS };
        press(rng, at, bounce, bounce)
    }),
    Switch {
        rest: (70 * MS, 200 * MS),
        ..switch("scramble", "a pushbutton, up for only 70–200 ms between presses", |rng, at| {
            press(rng, at, ORDINARY, ORDINARY)
        })
    },
    switch(
        "leaf",
        "2–20 ms with gaps up to 8 ms; opening 5–30 ms, gaps up to 20 ms",
        |rng, at| {
            let make = Bounce { lasts: (2 * MS, 20 * MS), contact: 2 * MS, gap: 8 * MS };
            let release = Bounce { lasts: (5 * MS, 30 * MS), contact: 3 * MS, gap: 20 * MS };
            press(rng, at, make, release)
        },
    ),
    switch("rocker", "1–20 ms with gaps up to 15 ms, as long when it opens", |rng, at| {
        let bounce = Bounce { lasts: (MS, 20 * MS), contact: 2 * MS, gap: 15 * MS };
        press(rng, at, bounce, bounce)
    }),
    switch(
        "slow-press",
        "5–40 ms with gaps up to 18 ms; opening to 60 ms, gaps to 40",
        |rng, at| {
            let make = Bounce { lasts: (5 * MS, 40 * MS), contact: 3 * MS, gap: 18 * MS };
            let release = Bounce { lasts: (5 * MS, 60 * MS), contact: 3 * MS, gap: 40 * MS };
            press(rng, at, make, release)
        },
    ),
    switch("lost-while-held", "a pushbutton, open for up to 45 ms while held", lost_while_held),
    switch("rebound", "closed 0.8–8 ms, open 3–35 ms, then a pushbutton", rebound),
    switch("spikes", "no press: 1–4 spikes of up to 0.9 ms, 1–60 ms apart", |_, _| Vec::new())
        .with_spikes(),
    switch("spike-before", "a pushbutton, with such spikes up to 60 ms before it", |rng, at| {
        press(rng, at, ORDINARY, ORDINARY)
    })
    .with_spikes(),
    Switch {
        is_refused: true,
        ..switch("outlier", "opening bounces up to 157 ms with gaps up to 80 ms", |rng, at| {
            let release = Bounce { lasts: (20 * MS, 157 * MS), contact: 5 * MS, gap: 80 * MS };
            press(rng, at, ORDINARY, release)
        })
    },
];

impl Switch {
    const fn with_spikes(self) -> Switch {
        Switch { has_spikes: true, ..self }
    }

    /// Two presses of one button. They are drawn from `seed` and `index`.
    pub fn presses(&self, seed: u64, index: u64) -> Presses {
        let mut rng = Rng::of_trace(seed, index);
        let mut presses = Presses::default();
        let mut at = 1_000 * MS;
        for _ in 0..2 {
            if self.has_spikes {
                at = spikes(&mut rng, at, &mut presses.contacts);
            }
            let contacts = (self.press)(&mut rng, at);
            if let Some((_, up)) = contacts.last() {
                presses.spans.push((at, *up));
                at = *up;
            }
            at += rng.between(self.rest.0, self.rest.1);
            presses.contacts.extend(contacts);
        }
        presses
    }
}

impl Presses {
    /// The changes of the line.
    pub fn changes(&self) -> Vec<Edge> {
        let edges = |&(closes, opens): &Contact| {
            [(closes, true), (opens, false)].map(|(at, active)| Edge { at, line: 0, active })
        };
        self.contacts.iter().flat_map(edges).collect()
    }
}

/// The contacts of a press: the switch bounces while it closes, stays closed while it is held, and
/// bounces while it opens.
fn press(rng: &mut Rng, at: u64, make: Bounce, release: Bounce) -> Vec<Contact> {
    let (mut contacts, down) = bounces(rng, at, make);
    let up = down + hold(rng);
    contacts.push((down, up));
    let closes = up + rng.span(US, release.gap);
    let (last, _) = bounces(rng, closes, release);
    contacts.extend(last);
    contacts
}

fn hold(rng: &mut Rng) -> u64 {
    rng.between(30 * MS, 400 * MS)
}

/// Draws bouncing contacts from `at` on. Also returns the instant at which the contact after them
/// closes.
fn bounces(rng: &mut Rng, at: u64, bounce: Bounce) -> (Vec<Contact>, u64) {
    let (shortest, longest) = bounce.lasts;
    let end = at + rng.span(shortest, longest);
    let mut contacts = Vec::new();
    let mut closes = at;
    while closes < end {
        let opens = closes + rng.span(US, bounce.contact);
        contacts.push((closes, opens));
        closes = opens + rng.span(US, bounce.gap);
    }
    (contacts, closes)
}

fn lost_while_held(rng: &mut Rng, at: u64) -> Vec<Contact> {
    let (mut contacts, mut down) = bounces(rng, at, ORDINARY);
    for _ in 0..rng.between(1, 3) {
        let opens = down + hold(rng);
        contacts.push((down, opens));
        down = opens + rng.span(10 * US, 45 * MS);
    }
    let up = down + hold(rng);
    contacts.push((down, up));
    let closes = up + rng.span(US, ORDINARY.gap);
    contacts.extend(bounces(rng, closes, ORDINARY).0);
    contacts
}

/// Adds spikes from `at` on. Returns the instant at which the next spike would come.
fn spikes(rng: &mut Rng, at: u64, contacts: &mut Vec<Contact>) -> u64 {
    let mut closes = at;
    for _ in 0..rng.between(1, 4) {
        let opens = closes + rng.span(US, 900 * US);
        contacts.push((closes, opens));
        closes = opens + rng.between(MS, 60 * MS);
    }
    closes
}

/// A button that is hit hard comes up from its stop once and goes down again.
fn rebound(rng: &mut Rng, at: u64) -> Vec<Contact> {
    let opens = at + rng.span(800 * US, 8 * MS);
    let closes = opens + rng.span(3 * MS, 35 * MS);
    let mut contacts = vec![(at, opens)];
    contacts.extend(press(rng, closes, ORDINARY, ORDINARY));
    contacts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_are_in_order_and_presses_begin_and_end_with_one() {
        for switch in SWITCHES {
            for index in 0..200 {
                let presses = switch.presses(1, index);
                let changes = presses.changes();
                let name = switch.name;
                assert!(changes.windows(2).all(|two| two[0].at < two[1].at), "{name}");
                assert!(changes.windows(2).all(|two| two[0].active != two[1].active), "{name}");
                assert_eq!(presses.spans.len(), if name == "spikes" { 0 } else { 2 });
                for (first, last) in presses.spans {
                    let is = |at, active| changes.contains(&Edge { at, line: 0, active });
                    assert!(is(first, true) && is(last, false), "{name}");
                }
            }
        }
    }

    /// Checks the longest gap of several models. If all gaps of all models stayed below the
    /// debounce times, the models could not tell a good debounce time from a bad one.
    #[test]
    fn the_hard_models_have_gaps_longer_than_those_of_ordinary_switches() {
        let longest_gap = |name: &str| {
            let switch = SWITCHES.iter().find(|switch| switch.name == name).expect(name);
            let within_a_press = |presses: &Presses| {
                let (second, _) = presses.spans[1];
                let gaps = presses.contacts.windows(2).filter(|two| two[1].0 != second);
                gaps.map(|two| two[1].0 - two[0].1).max().unwrap_or(0)
            };
            (0..2000).map(|index| within_a_press(&switch.presses(1, index))).max().unwrap_or(0)
        };
        for (name, least, most) in [
            ("tactile", MS, 2 * MS),
            ("leaf", 15 * MS, 20 * MS),
            ("rocker", 10 * MS, 15 * MS),
            ("slow-press", 25 * MS, 40 * MS),
            ("lost-while-held", 25 * MS, 45 * MS),
            ("rebound", 25 * MS, 35 * MS),
            ("outlier", 50 * MS, 80 * MS),
        ] {
            let gap = longest_gap(name);
            assert!((least..=most).contains(&gap), "{name}: {gap} ns");
        }
    }
}
