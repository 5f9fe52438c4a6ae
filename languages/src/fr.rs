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
        last_known: "dernier connu",
        delay: "délai ",
        delay_short: "d",
        earlier: "ancien ",
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
    no_service: ["pendule sans réponse", "sans pendule"],
    none: "rien",
    no_service_remedy: [
        "si cela dure une minute, éteindre et rallumer la pendule",
        "après une minute, éteindre et rallumer",
    ],
    stale: [
        "pendule sans réponse - derniers temps connus - POUR L'ARBITRE",
        "pendule sans réponse - derniers temps connus",
        "pendule sans réponse - POUR L'ARBITRE",
        "pendule sans réponse",
        "sans pendule",
    ],
    stale_phase: [
        "pendule sans réponse - POUR L'ARBITRE - dernier état : ",
        "pendule sans réponse - dernier état : ",
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
            white: "NULLE RÉCLAMÉE, EN COURS (Blancs)",
            black: "NULLE RÉCLAMÉE, EN COURS (Noirs)",
            nobody: "NULLE RÉCLAMÉE, EN COURS",
            short: "NULLE",
        },
        late: Sign {
            white: "DÉLAI DE FORFAIT PASSÉ (Blancs)",
            black: "DÉLAI DE FORFAIT PASSÉ (Noirs)",
            nobody: "DÉLAI DE FORFAIT PASSÉ",
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
            "l'arbitre lance la pendule des Blancs",
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
        board: "échiquier ",
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
            long: "BOUTON DES BLANCS BLOQUÉ",
            remedy: "VÉRIFIER LE BOUTON",
            short: "B BLOQUÉ",
        },
        stuck_black: Fault {
            long: "BOUTON DES NOIRS BLOQUÉ",
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
    release: Release { word: "RELÂCHER", what: "les boutons", line: "RELÂCHER les boutons" },
};

// The menu at the clock.

const MENU: Menu = Menu { title: "Menu" };
