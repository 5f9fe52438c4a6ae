//! The lines of the demonstration below the face.

use super::*;
use crate::demo::Hint;

#[test]
fn the_demo_always_says_its_keys() {
    let demo = |line: DemoLine, width, height| {
        let screen = Screen {
            content: Content::of(&running(Who::White), Rules::NONE, EN),
            demo: Some(line),
        };
        rows(&shown(&screen, width, height, COLOURED)).pop().unwrap()
    };
    for (width, height, want) in [
        (120, 30, " w White's button  b Black's button  c call  m call held  h both players' "),
        (80, 24, " w White  b Black  c call  m call held  h both held  q quit "),
        (59, 15, "w White b Black c call m held h both q end"),
        (41, 10, "w b c m h q"),
        (20, 5, "w b c m h q"),
        (8, 3, "wbcmhq"),
    ] {
        let row = demo(DemoLine::default(), width, height);
        assert!(row.starts_with(want), "{width}x{height}: '{row}'");
    }
    let refused = DemoLine {
        refusal: Some("only while paused".into()),
        no_buttons: true,
        ..DemoLine::default()
    };
    assert!(demo(refused, 80, 24).starts_with(" no buttons  only while paused "));
}

#[test]
fn the_demo_shows_the_whole_command_for_another_terminal() {
    let bus = "unix:path=/tmp/chess-clock-demo/bus".parse().unwrap();
    let line = DemoLine { hint: Hint::new(Some(&bus)), ..DemoLine::default() };
    let screen = Screen { content: Content::of(&paused(), Rules::NONE, EN), demo: Some(line) };
    for (width, height) in [(80, 24), (160, 50), (40, 24)] {
        let buffer = shown(&screen, width, height, COLOURED);
        let whole = rows(&buffer).concat();
        let command = "clockctl --bus unix:path=/tmp/chess-clock-demo/bus status";
        assert!(whole.contains(command), "{}", text(&buffer));
        // The digits, the status and the keys are shown in addition to the hint.
        assert_says(&buffer, &["█", "Paused", " q"]);
    }
    // If there are too few lines, the hint is left out, because the times are more important.
    assert_silent(&shown(&screen, 80, 12, COLOURED), &["--bus"]);
}
