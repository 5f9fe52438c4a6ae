//! English.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "English", face: FACE, menu: MENU };

// The face.

use crate::face::{
    Buttons, Count, Fault, Faults, Notes, Paused, Phases, Release, Sides, Sign, Signs,
};

const FACE: Face = Face {
    sides: Sides { white: "White", black: "Black" },
    letters: Sides { white: "W", black: "B" },
    colon: ": ",
    flag: "FLAG",
    notes: Notes {
        low: "low",
        used: "used",
        used_of: "used of ",
        last_known: "last known",
        delay: "delay ",
        delay_short: "d",
        earlier: "earlier ",
        first: "1st",
        second: "2nd",
        overtime: "overtime ",
        overtime_moves: Count { before: "", one: " move", others: " moves" },
        moves: "moves ",
        period: "period ",
        period_short: "P",
        rules: "rules ",
    },
    battery: "battery",
    battery_low: "BATTERY LOW",
    enlarge: ["enlarge to ", "enlarge: "],
    no_service: ["no clock service", "no clock"],
    none: "none",
    no_service_remedy: [
        "if this stays for a minute, switch the clock off and on",
        "after a minute switch it off and on",
    ],
    stale: [
        "no clock service - the times are the last known ones - FOR THE ARBITER",
        "no clock service - the times are the last known ones",
        "no clock service - FOR THE ARBITER",
        "no clock service",
        "no clock",
    ],
    stale_phase: [
        "no clock service - FOR THE ARBITER - last known: ",
        "no clock service - last known: ",
        "last known: ",
    ],
    signs: Signs {
        called: Sign {
            white: "ARBITER CALLED (White)",
            black: "ARBITER CALLED (Black)",
            nobody: "ARBITER CALLED",
            short: "ARBITER",
        },
        claim: Sign {
            white: "DRAW CLAIM (White)",
            black: "DRAW CLAIM (Black)",
            nobody: "DRAW CLAIM",
            short: "CLAIM",
        },
        claim_pending: Sign {
            white: "DRAW CLAIM PENDING (White)",
            black: "DRAW CLAIM PENDING (Black)",
            nobody: "DRAW CLAIM PENDING",
            short: "CLAIM",
        },
        late: Sign {
            white: "DEFAULT TIME PASSED (White)",
            black: "DEFAULT TIME PASSED (Black)",
            nobody: "DEFAULT TIME PASSED",
            short: "DEFAULT TIME",
        },
    },
    phases: Phases {
        ready: "READY",
        black_starts: [
            "READY - White's clock starts when Black presses or the arbiter starts",
            "READY - Black's press starts White's clock",
            "Black's press starts White's clock",
            "Black starts White's clock",
        ],
        arbiter_starts: [
            "READY - the arbiter starts White's clock",
            "the arbiter starts White's clock",
        ],
        scheduled: ["READY - White's clock starts at ", "White's clock starts at "],
        scheduled_short: ["White's clock starts at ", "White starts at "],
        countdown: ", in ",
        adjourned: "ADJOURNED",
        ruling: ["AWAITING A RULING", "RULING"],
        result: "RESULT ",
        on_time: ", time",
        round: "round ",
        board: "board ",
        now: "now ",
        changed: "changed",
    },
    paused: Paused {
        paused: "PAUSED",
        by_arbiter: "PAUSED by the arbiter",
        by_player: Sides { white: "PAUSED by White", black: "PAUSED by Black" },
        by_button: "PAUSED by the call button",
        board_gone: "PAUSED since the buttons were disconnected",
        power_cut: "PAUSED since the power cut or restart",
        to_note: [
            "PAUSED until both readings are noted by the arbiter",
            "PAUSED - both readings noted by the arbiter",
            "readings noted by the arbiter",
        ],
    },
    faults: Faults {
        board_gone: Fault {
            long: "BUTTONS NOT CONNECTED",
            remedy: "CHECK THE CABLE",
            short: "NO BUTTONS",
        },
        stuck_white: Fault {
            long: "WHITE'S BUTTON IS STUCK",
            remedy: "CHECK THE BUTTON",
            short: "W STUCK",
        },
        stuck_black: Fault {
            long: "BLACK'S BUTTON IS STUCK",
            remedy: "CHECK THE BUTTON",
            short: "B STUCK",
        },
        stuck_call: Fault {
            long: "THE CALL BUTTON IS STUCK",
            remedy: "CHECK THE BUTTON",
            short: "CALL STUCK",
        },
        rocker_crossed: Fault {
            long: "THE ROCKER'S WIRING IS WRONG",
            remedy: "CHECK IT",
            short: "BAD ROCKER",
        },
        power_cut: Fault {
            long: "POWER CUT OR RESTART",
            remedy: "FOR THE ARBITER",
            short: "POWER CUT",
        },
        restarted: Fault {
            long: "THE CLOCK WAS RESTARTED",
            remedy: "FOR THE ARBITER",
            short: "RESTARTED",
        },
        press_before_flag: Fault { long: "CLOCK FAULT", remedy: "FOR THE ARBITER", short: "FAULT" },
        memory_damaged: Fault {
            long: "THE MEMORY WAS DAMAGED",
            remedy: "FOR THE ARBITER",
            short: "DAMAGED",
        },
        configuration_refused: Fault {
            long: "THE CONFIGURATION IS WRONG",
            remedy: "FOR THE ARBITER",
            short: "CONFIGURATION",
        },
        record_mismatch: Fault {
            long: "THE RECORD HAS A FAULT",
            remedy: "FOR THE ARBITER",
            short: "BAD RECORD",
        },
        record_lost: Fault {
            long: "PART OF THE RECORD IS LOST",
            remedy: "FOR THE ARBITER",
            short: "LOST RECORD",
        },
        storage: Fault {
            long: "THE GAME IS NOT RECORDED",
            remedy: "FOR THE ARBITER",
            short: "NO RECORD",
        },
        clock_rate: Fault {
            long: "THE CLOCK RUNS AT A WRONG RATE",
            remedy: "FOR THE ARBITER",
            short: "WRONG RATE",
        },
    },
    buttons: Buttons {
        rocker: "Rocker",
        call: "Call",
        call_held: "Call held",
        both_held: "Both held",
    },
    release: Release { word: "RELEASE", what: "the buttons", line: "RELEASE the buttons" },
};

// The menu at the clock.

const MENU: Menu = Menu { title: "Menu" };
