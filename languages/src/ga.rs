//! Irish.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "Gaeilge", face: FACE, menu: MENU };

// The face.

use crate::face::{
    Buttons, Count, Fault, Faults, Notes, Paused, Phases, Release, Sides, Sign, Signs,
};

const FACE: Face = Face {
    sides: Sides { white: "Bán", black: "Dubh" },
    letters: Sides { white: "B", black: "D" },
    colon: ": ",
    flag: "BRATACH",
    notes: Notes {
        low: "gann",
        used: "caite",
        used_of: "caite as ",
        last_known: "is déanaí",
        delay: "moill ",
        delay_short: "m",
        earlier: "sean ",
        first: "1ú",
        second: "2ú",
        overtime: "am breise ",
        overtime_moves: Count { before: "bearta: ", one: "", others: "" },
        moves: "bearta ",
        period: "tréimhse ",
        period_short: "T",
        rules: "rialacha ",
    },
    battery: "ceallraí",
    battery_low: "CEALLRAÍ ÍSEAL",
    enlarge: ["méadaigh go ", "méadaigh "],
    no_service: ["gan freagra", "gan clog"],
    none: "gan",
    no_service_remedy: [
        "má mhaireann sé nóiméad, múch agus las an clog",
        "tar éis nóiméid, múch agus las é",
    ],
    stale: [
        "gan freagra - na hamanna is déanaí ar eolas - DON RÉITEOIR",
        "gan freagra - amanna is déanaí ar eolas",
        "gan freagra - DON RÉITEOIR",
        "gan freagra",
        "gan clog",
    ],
    stale_phase: [
        "gan freagra - DON RÉITEOIR - is déanaí ar eolas: ",
        "gan freagra - is déanaí: ",
        "is déanaí: ",
    ],
    signs: Signs {
        called: Sign {
            white: "RÉITEOIR GLAOITE (Bán)",
            black: "RÉITEOIR GLAOITE (Dubh)",
            nobody: "RÉITEOIR GLAOITE",
            short: "RÉITEOIR",
        },
        claim: Sign {
            white: "ÉILEAMH COTHROIM (Bán)",
            black: "ÉILEAMH COTHROIM (Dubh)",
            nobody: "ÉILEAMH COTHROIM",
            short: "ÉILEAMH",
        },
        claim_pending: Sign {
            white: "ÉILEAMH GAN CHINNEADH (Bán)",
            black: "ÉILEAMH GAN CHINNEADH (Dubh)",
            nobody: "ÉILEAMH GAN CHINNEADH",
            short: "ÉILEAMH",
        },
        late: Sign {
            white: "AM FEITHIMH CAITE (Bán)",
            black: "AM FEITHIMH CAITE (Dubh)",
            nobody: "AM FEITHIMH CAITE",
            short: "AM FEITHIMH",
        },
    },
    phases: Phases {
        ready: "RÉIDH",
        black_starts: [
            "RÉIDH - tosóidh clog Bháin nuair a bhrúfaidh Dubh nó ar ordú an réiteora",
            "RÉIDH - tosaíonn Dubh clog Bháin",
            "tosaíonn Dubh clog Bháin",
            "tosaíonn Dubh Bán",
        ],
        arbiter_starts: [
            "RÉIDH - tosaíonn an réiteoir clog Bháin",
            "tosaíonn an réiteoir clog Bháin",
        ],
        scheduled: ["RÉIDH - tús chlog Bháin: ", "tús chlog Bháin: "],
        scheduled_short: ["tús chlog Bháin: ", "tús Bháin: "],
        countdown: ", i gceann ",
        adjourned: "AR ATHLÁ",
        ruling: ["CINNEADH AG TEASTÁIL", "CINNEADH"],
        result: "TORADH ",
        on_time: ", am",
        round: "babhta ",
        board: "clár ",
        now: "anois ",
        changed: "athraithe",
    },
    paused: Paused {
        paused: "STOPTHA",
        by_arbiter: "STOPTHA ag an réiteoir",
        by_player: Sides { white: "STOPTHA ag Bán", black: "STOPTHA ag Dubh" },
        by_button: "STOPTHA leis an gcnaipe glao",
        board_gone: "STOPTHA ó dícheanglaíodh na cnaipí",
        power_cut: "STOPTHA ón ngearradh cumhachta nó atosú",
        to_note: [
            "STOPTHA go nótálann an réiteoir an dá am",
            "STOPTHA - nótálann an réiteoir an dá am",
            "nótálann réiteoir na hamanna",
        ],
    },
    faults: Faults {
        board_gone: Fault {
            long: "CNAIPÍ GAN CHEANGAL",
            remedy: "SEICEÁIL AN CÁBLA",
            short: "GAN CNAIPÍ",
        },
        stuck_white: Fault {
            long: "CNAIPE BHÁIN GREAMAITHE",
            remedy: "SEICEÁIL É",
            short: "B GREAMAITHE",
        },
        stuck_black: Fault {
            long: "CNAIPE DHUIBH GREAMAITHE",
            remedy: "SEICEÁIL É",
            short: "D GREAMAITHE",
        },
        stuck_call: Fault {
            long: "CNAIPE GLAO GREAMAITHE",
            remedy: "SEICEÁIL É",
            short: "CNAIPE GLAO",
        },
        rocker_crossed: Fault {
            long: "SREANGÚ AN LUASCÁIN MÍCHEART",
            remedy: "SEICEÁIL É",
            short: "LUASCÁN",
        },
        power_cut: Fault {
            long: "GEARRADH NÓ ATOSÚ", remedy: "DON RÉITEOIR", short: "GEARRADH"
        },
        restarted: Fault {
            long: "ATOSAÍODH AN CLOG", remedy: "DON RÉITEOIR", short: "ATOSAITHE"
        },
        press_before_flag: Fault {
            long: "LOCHT SA CHLOG", remedy: "DON RÉITEOIR", short: "LOCHT"
        },
        memory_damaged: Fault {
            long: "CUIMHNE DAMÁISTITHE",
            remedy: "DON RÉITEOIR",
            short: "CUIMHNE",
        },
        configuration_refused: Fault {
            long: "CUMRAÍOCHT MHÍCHEART",
            remedy: "DON RÉITEOIR",
            short: "CUMRAÍOCHT",
        },
        record_mismatch: Fault {
            long: "LOCHT SA TAIFEAD",
            remedy: "DON RÉITEOIR",
            short: "LOCHT TAIFID",
        },
        record_lost: Fault {
            long: "CUID DEN TAIFEAD CAILLTE",
            remedy: "DON RÉITEOIR",
            short: "BEARNA",
        },
        storage: Fault {
            long: "NÍL TAIFEAD DEN CHLUICHE",
            remedy: "DON RÉITEOIR",
            short: "GAN TAIFEAD",
        },
        clock_rate: Fault {
            long: "RÁTA AN CHLOIG MÍCHEART",
            remedy: "DON RÉITEOIR",
            short: "RÁTA MÍCHEART",
        },
    },
    buttons: Buttons {
        rocker: "Luascán",
        call: "Glao",
        call_held: "Glao fada",
        both_held: "Beirt fada",
    },
    release: Release { word: "SCAOIL", what: "na cnaipí", line: "SCAOIL na cnaipí" },
};

// The menu at the clock.

const MENU: Menu = Menu { title: "Roghchlár" };
