//! Players' names of any length, on faces of any size.

use super::*;

fn named(name: &str) -> State {
    State {
        white: SideState { player: name.into(), ..running(Who::White).white },
        black: SideState { player: name.into(), ..running(Who::White).black },
        ..running(Who::White)
    }
}

#[test]
fn a_long_name_is_shortened_and_not_dropped() {
    let state = named("Chandrashekhar Praggnanandhaa");
    for (width, height, want) in [
        (160, 24, "▶ White  Chandrashekhar Praggnanandhaa "),
        (40, 24, "▶ White  C. Praggnanandhaa "),
        (40, 10, "▶ White  Praggnana… period 1/2   move 12"),
    ] {
        let buffer = face(&state, width, height, COLOURED);
        assert_says(&buffer, &[want]);
    }
    assert_says(&face(&state, 40, 24, PLAIN), &["> White  C. Praggnanandhaa"]);
    // On a small face, a name of 12 characters is already too long to fit in full.
    let small = face(&named("Vera Menchik"), 40, 10, COLOURED);
    assert_says(&small, &["▶ White  V. Menchik period 1/2   move 12"]);
}

#[test]
fn no_name_is_dropped_and_none_overlaps_anything() {
    // Names of 0 to 200 characters: with one word, with many words, with wide letters, and with the
    // surname first.
    let of = |length: usize| {
        [
            "x".repeat(length),
            "xy ".repeat(length / 3) + "Surname",
            "盤".repeat(length),
            format!("Surname, {}", "x".repeat(length)),
        ]
    };
    for length in (0..9).chain([13, 17, 21, 30, 50, 100, 199, 200]) {
        for name in of(length) {
            for (width, height) in sizes() {
                check(&name, width, height, if length % 2 == 0 { COLOURED } else { PLAIN });
            }
        }
    }
}

fn sizes() -> impl Iterator<Item = (u16, u16)> {
    let small = [40, 47, 58].into_iter().flat_map(|width| [10, 19].map(|height| (width, height)));
    small.chain([(80, 24), (100, 12)])
}

fn check(name: &str, width: u16, height: u16, theme: Theme) {
    let buffer = face(&named(name), width, height, theme);
    let without = face(&named(""), width, height, theme);
    let layout = Layout::of(buffer.area, theme.glyphs);
    for (room, letter) in layout.sides.into_iter().zip(["W", "B"]) {
        let case = || format!("{name:?} on {width}x{height}:\n{}", text(&buffer));
        let heading: String =
            (room.left()..room.right()).map(|x| buffer[(x, room.y)].symbol()).collect();
        assert!(heading.contains(letter), "{}", case());
        // The heading contains at least the first three letters of the name or of the surname, in
        // the characters that the terminal can show.
        let shown = [name, "Surname"].map(|text| theme.glyphs.text(text));
        let begins = shown.iter().any(|text| {
            let start: String = text.chars().take(3).collect();
            !start.is_empty() && heading.replace(' ', "").contains(&start.replace(' ', ""))
        });
        // If a terminal could show only question marks in place of a name, it does not show the
        // name.
        let can_be_shown = !theme.glyphs.name(name).is_empty();
        assert!(!can_be_shown || begins, "{}", case());
        // Below the heading, the side is the same as without names. In a frame, the corners beside
        // the heading are the same, too.
        for at in room.positions().filter(|at| at.y > room.y) {
            assert_eq!(buffer[at].symbol(), without[at].symbol(), "{}", case());
        }
        if room.width >= 30 && room.height >= 8 {
            for x in [room.left(), room.right() - 1] {
                let at = (x, room.y);
                assert_eq!(buffer[at].symbol(), without[at].symbol(), "{}", case());
            }
        }
        assert!(text_in(&buffer, room).contains("1/2"), "{}", case());
    }
}

#[test]
fn what_steers_a_terminal_or_turns_text_round_is_not_painted() {
    let state = State {
        time_control: "\u{202e}ztilb\u{1b}[2J".into(),
        ..named("\u{202e}nehcneM\u{202c}\t\u{1b}]0;x\u{7} \u{2067}areV\u{200b}")
    };
    for (width, height) in [(160, 40), (80, 24), (40, 10), (20, 5)] {
        let text = text(&face(&state, width, height, COLOURED));
        let turns = ['\u{200b}', '\u{202c}', '\u{202e}', '\u{2067}'];
        let harmful = |c: char| c.is_control() && c != '\n' || turns.contains(&c);
        assert!(!text.contains(harmful), "{text:?}");
    }
    assert_says(&face(&state, 160, 40, COLOURED), &["White  nehcneM ]0;x areV "]);
}
