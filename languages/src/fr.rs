//! French.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "Français", face: FACE, menu: MENU };

// The face.

use crate::face::{
    Buttons, Count, Fault, Faults, Notes, Paused, Phases, Release, Sides, Sign, Signs,
};

const FACE: Face = Face {
    sides: Sides { white: "Blancs", black: "Noirs" },
    letters: Sides { white: "B", black: "N" },
    colon: " : ",
    flag: "DRAPEAU",
    notes: Notes {
        low: "zeitnot",
        used: "utilisé",
        used_of: "utilisé sur ",
        last_known: "dernier état",
        delay: "délai ",
        delay_short: "d",
        earlier: "déjà ",
        first: "1er",
        second: "2e",
        overtime: "prolongation ",
        overtime_moves: Count { before: "", one: " coup", others: " coups" },
        moves: "coups ",
        period: "période ",
        period_short: "P",
        rules: "règles ",
    },
    battery: "batterie",
    battery_low: "BATTERIE FAIBLE",
    enlarge: ["agrandir à ", "agrandir "],
    no_service: ["service absent", "sans pendule"],
    none: "rien",
    no_service_remedy: [
        "si cela dure une minute, éteindre et rallumer la pendule",
        "après une minute, éteindre et rallumer",
    ],
    stale: [
        "service absent - derniers temps connus - POUR L'ARBITRE",
        "service absent - derniers temps connus",
        "service absent - POUR L'ARBITRE",
        "service absent",
        "sans pendule",
    ],
    stale_phase: [
        "service absent - POUR L'ARBITRE - dernier état : ",
        "service absent - dernier état : ",
        "dernier état : ",
    ],
    signs: Signs {
        called: Sign {
            white: "ARBITRE APPELÉ (Blancs)",
            black: "ARBITRE APPELÉ (Noirs)",
            nobody: "ARBITRE APPELÉ",
            short: "ARBITRE",
        },
        claim: Sign {
            white: "NULLE RÉCLAMÉE (Blancs)",
            black: "NULLE RÉCLAMÉE (Noirs)",
            nobody: "NULLE RÉCLAMÉE",
            short: "NULLE",
        },
        claim_pending: Sign {
            white: "NULLE À TRANCHER (Blancs)",
            black: "NULLE À TRANCHER (Noirs)",
            nobody: "NULLE À TRANCHER",
            short: "NULLE",
        },
        late: Sign {
            white: "DÉLAI DÉPASSÉ (Blancs)",
            black: "DÉLAI DÉPASSÉ (Noirs)",
            nobody: "DÉLAI DÉPASSÉ",
            short: "FORFAIT",
        },
    },
    phases: Phases {
        ready: "PRÊT",
        black_starts: [
            "PRÊT - pendule des Blancs lancée par l'appui des Noirs ou par l'arbitre",
            "PRÊT - les Noirs lancent la pendule des Blancs",
            "les Noirs lancent la pendule des Blancs",
            "les Noirs lancent les Blancs",
        ],
        arbiter_starts: [
            "PRÊT - l'arbitre lance la pendule des Blancs",
            "l'arbitre lance les Blancs",
        ],
        scheduled: [
            "PRÊT - départ de la pendule des Blancs : ",
            "départ de la pendule des Blancs : ",
        ],
        scheduled_short: ["départ de la pendule des Blancs : ", "départ des Blancs : "],
        countdown: ", dans ",
        adjourned: "AJOURNÉE",
        ruling: ["DÉCISION ATTENDUE", "DÉCISION"],
        result: "RÉSULTAT ",
        on_time: ", temps",
        round: "ronde ",
        board: "table ",
        now: "désormais ",
        changed: "modifié",
    },
    paused: Paused {
        paused: "PAUSE",
        by_arbiter: "PAUSE par l'arbitre",
        by_player: Sides { white: "PAUSE par les Blancs", black: "PAUSE par les Noirs" },
        by_button: "PAUSE par le bouton d'appel",
        board_gone: "PAUSE depuis la déconnexion des boutons",
        power_cut: "PAUSE depuis la coupure ou le redémarrage",
        to_note: [
            "PAUSE jusqu'à ce que l'arbitre note les deux temps",
            "PAUSE - l'arbitre note les deux temps",
            "l'arbitre note les temps",
        ],
    },
    faults: Faults {
        board_gone: Fault {
            long: "BOUTONS NON CONNECTÉS",
            remedy: "VÉRIFIER LE CÂBLE",
            short: "SANS BOUTONS",
        },
        stuck_white: Fault {
            long: "BOUTON BLANCS BLOQUÉ",
            remedy: "VÉRIFIER LE BOUTON",
            short: "B BLOQUÉ",
        },
        stuck_black: Fault {
            long: "BOUTON NOIRS BLOQUÉ",
            remedy: "VÉRIFIER LE BOUTON",
            short: "N BLOQUÉ",
        },
        stuck_call: Fault {
            long: "BOUTON D'APPEL BLOQUÉ",
            remedy: "VÉRIFIER LE BOUTON",
            short: "APPEL BLOQUÉ",
        },
        rocker_crossed: Fault {
            long: "BASCULE MAL CÂBLÉE",
            remedy: "À VÉRIFIER",
            short: "BASCULE",
        },
        power_cut: Fault {
            long: "COUPURE OU REDÉMARRAGE",
            remedy: "POUR L'ARBITRE",
            short: "COUPURE",
        },
        restarted: Fault {
            long: "PENDULE REDÉMARRÉE",
            remedy: "POUR L'ARBITRE",
            short: "REDÉMARRÉE",
        },
        press_before_flag: Fault {
            long: "DÉFAUT DE LA PENDULE",
            remedy: "POUR L'ARBITRE",
            short: "DÉFAUT",
        },
        memory_damaged: Fault {
            long: "MÉMOIRE ENDOMMAGÉE",
            remedy: "POUR L'ARBITRE",
            short: "MÉMOIRE",
        },
        configuration_refused: Fault {
            long: "CONFIGURATION ERRONÉE",
            remedy: "POUR L'ARBITRE",
            short: "CONFIGURATION",
        },
        record_mismatch: Fault {
            long: "ENREGISTREMENT FAUTIF",
            remedy: "POUR L'ARBITRE",
            short: "DONNÉES",
        },
        record_lost: Fault {
            long: "ENREGISTREMENT INCOMPLET",
            remedy: "POUR L'ARBITRE",
            short: "INCOMPLET",
        },
        storage: Fault {
            long: "PARTIE NON ENREGISTRÉE",
            remedy: "POUR L'ARBITRE",
            short: "NON ENREGISTRÉE",
        },
        clock_rate: Fault {
            long: "LA PENDULE MESURE MAL LE TEMPS",
            remedy: "POUR L'ARBITRE",
            short: "MARCHE FAUSSE",
        },
    },
    buttons: Buttons {
        rocker: "Bascule",
        call: "Appel",
        call_held: "Appel long",
        both_held: "Deux longs",
    },
    release: Release { word: "LEVEZ", what: "les doigts", line: "LEVEZ les doigts" },
};

// The menu at the clock.

const MENU: Menu = Menu { title: "Menu" };
