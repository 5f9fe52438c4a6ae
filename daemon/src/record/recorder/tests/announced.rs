//! An announcement to the players is there again after a kill and after a power cut.

use super::kept::Kept;
use super::*;
use clock_engine::rules::Announcement;

const TEXT: &str = "lunch until 14:00";

fn announced(rig: &mut Rig) {
    rig.start_and_press(2);
    rig.command(2, Command::Pause { by: clock_engine::Caller::Arbiter });
    rig.command(3, GameCommand::Announce(Announcement::new(TEXT)));
    assert_eq!(text_of(&rig.clock).as_deref(), Some(TEXT));
}

fn text_of(clock: &VersionedClock) -> Option<String> {
    clock.game().announcement().map(|text| text.as_str().to_owned())
}

#[test]
fn an_announcement_is_there_again_after_a_kill() {
    let (_folder, path) = folder();
    let (kept, mut rig) = Kept::new(&path);
    announced(&mut rig);
    rig.close_record();
    let mut rig = kept.kill(rig, &path);
    assert_eq!(text_of(&rig.clock).as_deref(), Some(TEXT));
    rig.command(4, Command::Resume { side: None });
    rig.close_record();
    assert_eq!(text_of(&kept.kill(rig, &path).clock), None);
}

#[test]
fn an_announcement_is_there_again_after_a_power_cut_and_on_record() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    announced(&mut rig);
    rig.pass();
    let (stored, _) = rig.on_record();
    let command = stored.rows.last().and_then(|row| row.row.command.clone()).unwrap();
    assert!(command.contains("The players are told: lunch until 14:00"), "{command}");
    drop(rig);
    let (started, _) = set_up(Some(&path), "boot-2");
    let kept = started.kept.expect("a game is on record");
    let Since::PowerCut(stopped) = kept.since else { panic!("{:?}", kept.since) };
    let mut clock = *kept.clock;
    let at = Instant::from_nanos(SECOND);
    let input = Input::PowerCut { stopped, at, closed: Some([false; 2]) };
    clock.handle(&input, &mut |_: Update| {});
    assert_eq!(text_of(&clock).as_deref(), Some(TEXT));
}
