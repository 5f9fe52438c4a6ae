//! Contents of the face for the tests of the devices and of the picture.

use crate::content::{
    Content, Game, Menu, Side, SideDisplay, Status, TimeLevel, TurnMark, Urgency,
};
use crate::language::EN;

/// A side that is not on move, with ample time and without a press counter.
pub const SIDE: SideDisplay = SideDisplay {
    side: Side::White,
    player: String::new(),
    time: String::new(),
    mark: TurnMark::Waiting,
    time_level: TimeLevel::Ample,
    delay: None,
    overtime: None,
    earlier_flag: false,
    used: None,
    period: None,
    moves: None,
    method: None,
    score: None,
    interrupted: false,
    conditions: Vec::new(),
    stale: false,
    words: EN,
};

pub fn game(white: SideDisplay, black: SideDisplay) -> Content {
    let status = Status {
        texts: Vec::new(),
        urgency: Urgency::Normal,
        fault: None,
        call: Vec::new(),
        battery: None,
        hold: None,
    };
    let black = SideDisplay { side: Side::Black, ..black };
    let menu = Menu::Closed;
    Content::Game(Box::new(Game {
        white,
        black,
        status,
        buttons_exchanged: false,
        menu,
        words: EN,
    }))
}

pub fn with_fault(mut content: Content) -> Content {
    if let Content::Game(game) = &mut content {
        game.status.fault = Some("NO BUTTONS");
    }
    content
}

pub fn with_arbiter_awaited(mut content: Content) -> Content {
    if let Content::Game(game) = &mut content {
        game.status.call = vec!["ARBITER CALLED".into(), "ARBITER".into()];
    }
    content
}

/// Returns `content` as the last known content, which is shown while no service answers.
pub fn stale(mut content: Content) -> Content {
    if let Content::Game(game) = &mut content {
        for side in [&mut game.white, &mut game.black] {
            side.mark = TurnMark::Waiting;
            side.stale = true;
        }
        game.status.fault = Some("no clock");
    }
    content
}
