//! The state of a game that is imported, in words.

use clock_dbus::one_line;
use clock_engine::rules::{Game, QuestionProgress, SideNotes};
use clock_engine::text::{hms, points};
use clock_engine::{Method, Phase, Side};

/// A line for each thing that is not as at the start of a game, except times, counters and periods.
pub fn lines(game: &Game) -> Vec<String> {
    let view = game.view(game.last());
    let mut lines = vec![format!("phase {}", view.phase.as_str())];
    for side in Side::BOTH {
        if view.sides[side].out_of_time {
            let first = if view.first_flag == Some(side) { ", as the first one" } else { "" };
            lines.push(format!("{}'s flag has fallen{first}", side.name()));
        }
    }
    if let Some(announcement) = game.announcement() {
        lines.push(format!("announced to the players: {}", one_line(announcement.as_str())));
    }
    if let Some(method) = game.clock().changed_method() {
        lines.push(format!("the method in force is {}", of_method(method)));
    }
    if game.increment_agreed() {
        lines.push(
            "the increment that a player requested is agreed (FIDE Guidelines III.4)".to_owned(),
        );
    }
    let delay = view.sides[view.on_move].delay;
    if view.phase != Phase::Ready && !delay.is_zero() {
        lines.push(format!("{} has {} of the delay left", view.on_move.name(), delay.left()));
    }
    if let Some(claim) = game.claim() {
        let how = if claim.pending { ", and the game goes on" } else { "" };
        lines.push(format!("{} claims a draw: {}{how}", claim.by.name(), claim.ground.as_str()));
    }
    for question in game.questions().iter() {
        let side = question.side.map_or(String::new(), |side| format!(" {}", side.name()));
        let progress = match question.progress {
            QuestionProgress::Referred => ", referred to the designated arbiter",
            // The lines for White and Black below say who has confirmed.
            _ => "",
        };
        lines.push(format!("open: {}{side}{progress}", question.kind.as_str()));
    }
    for side in Side::BOTH {
        // Without `..`, the compiler reports every new field that is not handled here.
        let SideNotes {
            illegal_moves,
            warnings,
            penalty_due,
            force_warning,
            force_unanswered,
            half_points_off,
            half_points_given,
            arrived,
            default_waived,
            confirmed_resume,
            confirmed_correction,
            confirmed_order_unknown,
        } = game.side_notes(side);
        let name = side.name();
        // Usually both players have arrived once the game has begun, and not before. A line is
        // added only if this is not so.
        if arrived != (view.phase != Phase::Ready) {
            let has = if arrived { "has" } else { "has not" };
            lines.push(format!("{name} {has} arrived"));
        }
        if illegal_moves > 0 {
            lines.push(format!("{name}'s illegal moves: {illegal_moves}"));
        }
        if warnings > 0 {
            lines.push(format!("{name}'s warnings: {warnings}"));
        }
        if penalty_due {
            lines.push(format!("{name} is to be penalised"));
        }
        if force_warning {
            lines.push(format!("{name} was warned for undue force"));
        }
        if force_unanswered {
            lines.push(format!("undue force of {name} is noted, and no warning was given for it"));
        }
        if half_points_off > 0 {
            lines.push(format!("points off for {name}: {}", points(half_points_off)));
        }
        if half_points_given > 0 {
            lines.push(format!("points of penalties for {name}: {}", points(half_points_given)));
        }
        if default_waived {
            lines.push(format!("{name} came late, and does not lose by default"));
        }
        for (is_confirmed, what) in [
            (confirmed_resume, "that the game goes on"),
            (confirmed_correction, "a correction"),
            (confirmed_order_unknown, "that the order of the flags is unknown"),
        ] {
            if is_confirmed {
                lines.push(format!("{name} has confirmed {what}"));
            }
        }
    }
    for (kind, verified) in game.attachments() {
        let by: Vec<&str> =
            Side::BOTH.into_iter().filter(|side| verified[*side]).map(Side::name).collect();
        let verified = match by.is_empty() {
            true => String::new(),
            false => format!(", verified by {}", by.join(" and ")),
        };
        lines.push(format!("attached: {kind}{verified} (the text is in the record there)"));
    }
    if game.clock_in_doubt() {
        lines.push("a defect of the clock or a gap is noted".to_owned());
    }
    if game.is_concluded() {
        lines.push("a claim has concluded the game".to_owned());
    }
    if let Some(side) = game.adjourned() {
        lines.push(format!("adjourned: {} has sealed", side.name()));
    }
    lines
}

fn of_method(method: Method) -> String {
    match method {
        Method::Increment(amount) => format!("an increment of {}", hms(amount)),
        Method::Delay(amount) => format!("a delay of {}", hms(amount)),
        Method::Bronstein(amount) => format!("Bronstein's with {}", hms(amount)),
        _ => "none".to_owned(),
    }
}
