//! The fault that the status line shows.

use std::borrow::Cow;

use clock_dbus::{FaultCode, State};
use clock_languages::{Face, Fault};

use super::super::foreign;
use crate::rules::Rules;

/// The texts of a fault, for the players or for an arbiter who passes by.
pub(super) struct ShownFault {
    pub long: &'static str,
    /// The text after `long`: what the players can do about the fault (`CHECK THE CABLE`), or
    /// `FOR THE ARBITER`, or the place of the mistake in a configuration that was refused. Empty in a game without
    /// an arbiter if the players can do nothing.
    pub remedy: Cow<'static, str>,
    pub short: &'static str,
}

/// The most serious fault that concerns the players, a time, a flag or the record. Only `clockctl
/// doctor` shows the other faults: they are over, or nothing on the face is wrong because of them.
/// No text prompts a player (FIDE 12.6).
pub(super) fn fault(shown: &State, rules: Rules, words: &'static Face) -> Option<ShownFault> {
    let mut codes: Vec<FaultCode> = shown.faults.iter().filter_map(|fault| fault.known()).collect();
    codes.sort_unstable();
    let exchanged = shown.buttons_exchanged;
    let mut found =
        codes.into_iter().find_map(|code| Some((code, shown_fault(code, exchanged, words)?)));
    if let Some((_, found)) = &mut found
        && found.remedy.is_empty()
        && rules.has_arbiter
    {
        found.remedy = Cow::Borrowed(words.for_arbiter);
    }
    if let Some((code @ FaultCode::ConfigurationRefused, found)) = &mut found {
        let text = shown.faults.iter().find(|fault| fault.known() == Some(*code));
        if let Some(mistake) = text.and_then(|fault| mistake(&fault.text)) {
            found.remedy = Cow::Owned(foreign(&mistake));
        }
    }
    found.map(|(_, found)| found)
}

/// The place of the mistake in the text of `configuration-refused`: the file without its folder, and
/// the line and the column if the text has them, such as `clockd.toml:3:1`. What follows is English.
/// `None` if the text has another form.
fn mistake(text: &str) -> Option<String> {
    let (_, mistake) = text.split_once(" is taken: ")?;
    let mut parts = mistake.split(':');
    let path = parts.next()?;
    let file = path.rsplit('/').next().unwrap_or(path);
    let is_number =
        |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let place: Vec<&str> = [file].into_iter().chain(parts.take_while(is_number)).collect();
    Some(place.join(":"))
}

/// The texts of a fault; `None` if only `clockctl doctor` shows it. The code of a stuck button
/// names the side for which the button is wired, and the text names the side whose player uses the
/// button.
fn shown_fault(
    code: FaultCode,
    buttons_exchanged: bool,
    words: &'static Face,
) -> Option<ShownFault> {
    let code = match (code, buttons_exchanged) {
        (FaultCode::StuckWhite, true) => FaultCode::StuckBlack,
        (FaultCode::StuckBlack, true) => FaultCode::StuckWhite,
        (code, _) => code,
    };
    let faults = &words.faults;
    let Fault { long, remedy, short } = match code {
        // The board can be missing from the start, so the text does not say that it was
        // disconnected.
        FaultCode::BoardGone => faults.board_gone,
        FaultCode::StuckWhite => faults.stuck_white,
        FaultCode::StuckBlack => faults.stuck_black,
        FaultCode::StuckCall => faults.stuck_call,
        FaultCode::RockerCrossed => faults.rocker_crossed,
        FaultCode::PowerCut => faults.power_cut,
        FaultCode::Restarted => faults.restarted,
        FaultCode::PressBeforeFlag => faults.press_before_flag,
        FaultCode::MemoryDamaged => faults.memory_damaged,
        FaultCode::ConfigurationRefused => faults.configuration_refused,
        FaultCode::RecordMismatch => faults.record_mismatch,
        FaultCode::RecordLost => faults.record_lost,
        FaultCode::Storage => faults.storage,
        FaultCode::ClockRate => faults.clock_rate,
        FaultCode::NoRecord
        | FaultCode::RecordMovedAside
        | FaultCode::LatePress
        | FaultCode::EdgesDropped
        | FaultCode::Noise
        | FaultCode::UpdatesLost
        | FaultCode::NoRealtime => return None,
    };
    Some(ShownFault { long, remedy: Cow::Borrowed(remedy), short })
}
