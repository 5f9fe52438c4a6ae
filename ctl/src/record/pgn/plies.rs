//! The moves of a game, derived from the press counters of the clock.

use crate::record::words::what_happened;
use crate::record::{Command, Entry};
use clock_dbus::{Side, one_line};

/// At most this many moves of each side are shown, because a correction can set a counter to any
/// number.
pub const MOST: usize = 1000;

/// One move of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// Whether a press completed the move. If not, a correction raised the counter.
    pub pressed: bool,
    /// The time left that the side's clock showed right after the press. It is `None` if no press
    /// completed the move, or if the clock counts up.
    pub shown_ns: Option<u64>,
    /// For how long the side's clock ran for this move; `None` if no press completed it.
    pub took_ns: Option<u64>,
    /// What happened after this move and before the next move, as comments.
    pub said: Vec<String>,
}

/// The moves of both sides. Move N of a side exists if the press counter of the side is N or more
/// after the last entry. So a move that was taken back does not exist. A move whose press was
/// forgotten, and which a correction counted later, exists without a press.
#[derive(Debug, Default)]
pub struct Plies {
    pub white: Vec<Ply>,
    pub black: Vec<Ply>,
    /// What happened before the first move.
    pub before: Vec<String>,
    /// Whether a counter was above [`MOST`].
    pub shortened: bool,
    /// A move about which nothing is known. It is written for a move that one side does not have,
    /// so that the later moves keep their numbers.
    pub unknown: Ply,
}

/// For how long each side's clock has run since its latest move.
#[derive(Default)]
struct Used {
    white: u64,
    black: u64,
}

impl Used {
    fn of(&mut self, side: Side) -> &mut u64 {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }
}

impl Plies {
    /// The moves in these entries. `time_left` says whether the clock shows time left.
    pub fn of(entries: &[Entry], time_left: bool) -> Plies {
        let mut plies = Plies::default();
        let mut used = Used::default();
        let mut before: Option<&Entry> = None;
        for entry in entries {
            let ran = before.filter(|before| before.boot == entry.boot);
            let ran = ran.and_then(|before| Some((before, before.state.running.side()?)));
            if let Some((before, side)) = ran {
                let used = used.of(side);
                *used = used.saturating_add(entry.at_ns.saturating_sub(before.at_ns));
            }
            plies.follow_counters(entry, &mut used);
            if let Some(side) = entry.completed_by() {
                let took = std::mem::take(used.of(side));
                if let Some(ply) = plies.side(side).last_mut() {
                    ply.pressed = true;
                    ply.took_ns = Some(took);
                    ply.shown_ns = time_left.then_some(entry.state.side(side).remaining_ns);
                }
            }
            let said = said(entry);
            plies.latest().extend(said);
            before = Some(entry);
        }
        plies
    }

    fn side(&mut self, side: Side) -> &mut Vec<Ply> {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }

    /// Adds or removes moves until each side has as many as its counter says.
    fn follow_counters(&mut self, entry: &Entry, used: &mut Used) {
        let mut taken_back = Vec::new();
        let is_rewind = entry.carried_out().is_some_and(is_rewind);
        if is_rewind {
            *used = Used::default();
        }
        for side in Side::BOTH {
            let counter = entry.state.side(side).moves;
            let moves = usize::try_from(counter).unwrap_or(usize::MAX);
            self.shortened |= moves > MOST;
            let plies = self.side(side);
            let had = plies.len();
            let back = plies.split_off(moves.min(had));
            if let [first, ..] = &back[..] {
                let numbers =
                    if back.len() == 1 { had.to_string() } else { format!("{}-{had}", moves + 1) };
                let shown = first.shown_ns.map(crate::times::clock);
                let shown =
                    shown.map(|shown| format!(" (the clock showed {shown})")).unwrap_or_default();
                let name = side.name();
                // If one press was taken back, the side has to make that move again. The time that
                // it had used for the move counts for the new move, too.
                if let ([_], false) = (&back[..], is_rewind) {
                    let used = used.of(side);
                    *used = used.saturating_add(first.took_ns.unwrap_or_default());
                }
                taken_back.extend(back.into_iter().flat_map(|ply| ply.said));
                taken_back.push(format!("{name}'s move {numbers} was taken back{shown}"));
            }
            plies.resize(moves.min(MOST), Ply::default());
        }
        self.latest().extend(taken_back);
    }

    /// The list to which the next comment is added: the comments after the latest move or, if there
    /// is no move, `before`.
    fn latest(&mut self) -> &mut Vec<String> {
        let white = self.white.len() > self.black.len();
        let side = if white { &mut self.white } else { &mut self.black };
        side.last_mut().map_or(&mut self.before, |ply| &mut ply.said)
    }
}

/// The comment for an entry. `None` for a mere press, which completed a move or did nothing; for a
/// refused command, which changed nothing; and for `new` and `start`, which are clear without a
/// comment.
fn said(entry: &Entry) -> Option<String> {
    let plain_press =
        entry.kind == "press" && entry.events.iter().all(|event| event.kind == "press");
    if plain_press {
        return None;
    }
    let happened = what_happened(entry);
    let Some(command) = &entry.command else { return Some(happened) };
    // Without `..`, the compiler reports every new field that is not handled here.
    let Command {
        verb,
        uid: _,      // a reader of the game does not know the users of the clock
        sender: _,   // a name of the bus, which says nothing after the connection is closed
        capacity: _, // a reader of the game sees what was done, not by whom
        reason,
        text,
        report: _, // in `happened`
        refused,
    } = command;
    if refused.is_some() || matches!(verb.as_str(), "new" | "start") {
        return None;
    }
    let text =
        Some(one_line(text)).filter(|text| !text.is_empty() && !happened.contains(text.as_str()));
    let reason = Some(one_line(reason)).filter(|reason| !reason.is_empty());
    let text = text.map(|text| format!(": {text}")).unwrap_or_default();
    let reason = reason.map(|reason| format!(", because: {reason}")).unwrap_or_default();
    Some(format!("{happened}{text}{reason}"))
}

/// Whether the command set the clock back to an earlier move. The earlier name of `rewind` was
/// `restore`. Exports that contain that name are still read.
fn is_rewind(command: &Command) -> bool {
    matches!(&*command.verb, "rewind" | "restore")
}
