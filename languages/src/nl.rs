//! Dutch.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "Nederlands", face: FACE, menu: MENU };

// The face.

use crate::face::{
    Buttons, Count, Fault, Faults, Notes, Paused, Phases, Release, Sides, Sign, Signs,
};

const FACE: Face = Face {
    sides: Sides { white: "Wit", black: "Zwart" },
    letters: Sides { white: "W", black: "Z" },
    colon: ": ",
    flag: "VLAG",
    notes: Notes {
        low: "tijdnood",
        used: "gebruikt",
        used_of: "tot ",
        last_known: "oude stand",
        delay: "vertraging ",
        delay_short: "v",
        earlier: "eerder ",
        first: "1e",
        second: "2e",
        overtime: "verlenging ",
        overtime_moves: Count { before: "", one: " zet", others: " zetten" },
        moves: "zetten ",
        period: "periode ",
        period_short: "P",
        rules: "regels ",
    },
    battery: "accu",
    battery_low: "ACCU BIJNA LEEG",
    enlarge: ["vergroot tot ", "vergroot "],
    no_service: ["geen klokdienst", "geen klok"],
    none: "geen",
    no_service_remedy: [
        "blijft dit een minuut zo, zet de klok dan uit en aan",
        "na een minuut uit- en aanzetten",
    ],
    stale: [
        "geen klokdienst - dit zijn de laatst bekende tijden - VOOR DE ARBITER",
        "geen klokdienst - laatst bekende tijden",
        "geen klokdienst - VOOR DE ARBITER",
        "geen klokdienst",
        "geen klok",
    ],
    stale_phase: [
        "geen klokdienst - VOOR DE ARBITER - laatst bekend: ",
        "geen klokdienst - laatst bekend: ",
        "laatst: ",
    ],
    signs: Signs {
        called: Sign {
            white: "ARBITER GEROEPEN (Wit)",
            black: "ARBITER GEROEPEN (Zwart)",
            nobody: "ARBITER GEROEPEN",
            short: "ARBITER",
        },
        claim: Sign {
            white: "REMISECLAIM (Wit)",
            black: "REMISECLAIM (Zwart)",
            nobody: "REMISECLAIM",
            short: "CLAIM",
        },
        claim_pending: Sign {
            white: "REMISECLAIM LOOPT (Wit)",
            black: "REMISECLAIM LOOPT (Zwart)",
            nobody: "REMISECLAIM LOOPT",
            short: "CLAIM",
        },
        late: Sign {
            white: "VERZUIMTIJD VOORBIJ (Wit)",
            black: "VERZUIMTIJD VOORBIJ (Zwart)",
            nobody: "VERZUIMTIJD VOORBIJ",
            short: "VERZUIMTIJD",
        },
    },
    phases: Phases {
        ready: "GEREED",
        black_starts: [
            "GEREED - klok van Wit start als Zwart drukt of de arbiter hem start",
            "GEREED - Zwart start de klok van Wit",
            "Zwart start de klok van Wit",
            "Zwart start Wit",
        ],
        arbiter_starts: [
            "GEREED - de arbiter start de klok van Wit",
            "de arbiter start de klok van Wit",
        ],
        scheduled: ["GEREED - start klok van Wit: ", "start klok van Wit: "],
        scheduled_short: ["start klok van Wit: ", "start Wit: "],
        countdown: ", over ",
        adjourned: "AFGEBROKEN",
        ruling: ["WACHT OP BESLISSING", "BESLISSING"],
        result: "UITSLAG ",
        on_time: ", tijd",
        round: "ronde ",
        board: "bord ",
        now: "nu ",
        changed: "gewijzigd",
    },
    paused: Paused {
        paused: "PAUZE",
        by_arbiter: "PAUZE door de arbiter",
        by_player: Sides { white: "PAUZE door Wit", black: "PAUZE door Zwart" },
        by_button: "PAUZE door de oproepknop",
        board_gone: "PAUZE sinds de knoppen los zijn",
        power_cut: "PAUZE sinds stroomuitval of herstart",
        to_note: [
            "PAUZE tot de arbiter beide standen noteert",
            "PAUZE - arbiter noteert beide standen",
            "arbiter noteert standen",
        ],
    },
    faults: Faults {
        board_gone: Fault {
            long: "KNOPPEN NIET VERBONDEN",
            remedy: "CHECK DE KABEL",
            short: "GEEN KNOPPEN",
        },
        stuck_white: Fault {
            long: "KNOP VAN WIT ZIT VAST",
            remedy: "CHECK DE KNOP",
            short: "W ZIT VAST",
        },
        stuck_black: Fault {
            long: "KNOP VAN ZWART ZIT VAST",
            remedy: "CHECK DE KNOP",
            short: "Z ZIT VAST",
        },
        stuck_call: Fault {
            long: "OPROEPKNOP ZIT VAST",
            remedy: "CHECK DE KNOP",
            short: "OPROEP VAST",
        },
        rocker_crossed: Fault {
            long: "WIP VERKEERD BEDRAAD",
            remedy: "CHECK DIT",
            short: "WIP FOUT",
        },
        power_cut: Fault {
            long: "STROOMUITVAL OF HERSTART",
            remedy: "VOOR DE ARBITER",
            short: "STROOMUITVAL",
        },
        restarted: Fault {
            long: "DE KLOK IS HERSTART",
            remedy: "VOOR DE ARBITER",
            short: "HERSTART",
        },
        press_before_flag: Fault { long: "KLOKFOUT", remedy: "VOOR DE ARBITER", short: "FOUT" },
        memory_damaged: Fault {
            long: "GEHEUGEN WAS BESCHADIGD",
            remedy: "VOOR DE ARBITER",
            short: "GEHEUGEN",
        },
        configuration_refused: Fault {
            long: "CONFIGURATIE IS FOUT",
            remedy: "VOOR DE ARBITER",
            short: "CONFIGURATIE",
        },
        record_mismatch: Fault {
            long: "FOUT IN DE REGISTRATIE",
            remedy: "VOOR DE ARBITER",
            short: "REGISTRATIE",
        },
        record_lost: Fault {
            long: "REGISTRATIE ONVOLLEDIG",
            remedy: "VOOR DE ARBITER",
            short: "ONVOLLEDIG",
        },
        storage: Fault {
            long: "PARTIJ NIET GEREGISTREERD",
            remedy: "VOOR DE ARBITER",
            short: "NIET BEWAARD",
        },
        clock_rate: Fault {
            long: "DE KLOK LOOPT NIET GOED",
            remedy: "VOOR DE ARBITER",
            short: "LOOPT FOUT",
        },
    },
    buttons: Buttons {
        rocker: "Wip",
        call: "Oproep",
        call_held: "Oproep lang",
        both_held: "Beide lang",
    },
    release: Release { word: "LOS", what: "de knoppen", line: "LAAT de knoppen LOS" },
};

// The menu at the clock.

const MENU: Menu = Menu { title: "Menu" };
