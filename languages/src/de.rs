//! German.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "Deutsch", face: FACE, menu: MENU };

// The face.

use crate::face::{
    Buttons, Count, Fault, Faults, Notes, Paused, Phases, Release, Sides, Sign, Signs,
};

const FACE: Face = Face {
    sides: Sides { white: "Weiß", black: "Schwarz" },
    letters: Sides { white: "W", black: "S" },
    colon: ": ",
    flag: "FLAGGE",
    notes: Notes {
        low: "Zeitnot",
        used: "verbraucht",
        used_of: "bis ",
        last_known: "zuletzt",
        delay: "Verzögerung ",
        delay_short: "V",
        earlier: "früher ",
        first: "1.",
        second: "2.",
        overtime: "Verlängerung ",
        overtime_moves: Count { before: "", one: " Zug", others: " Züge" },
        moves: "Züge ",
        period: "Periode ",
        period_short: "P",
        rules: "Regeln ",
    },
    battery: "Akku",
    battery_low: "AKKU FAST LEER",
    enlarge: ["vergrößern auf ", "größer: "],
    no_service: ["kein Uhrendienst", "keine Uhr"],
    none: "keine",
    no_service_remedy: [
        "bleibt das eine Minute lang so: Uhr aus- und einschalten",
        "nach einer Minute aus- und einschalten",
    ],
    stale: [
        "kein Uhrendienst - zuletzt bekannte Zeiten - FÜR SCHIEDSRICHTER",
        "kein Uhrendienst - zuletzt bekannte Zeiten",
        "kein Uhrendienst - FÜR SCHIEDSRICHTER",
        "kein Uhrendienst",
        "keine Uhr",
    ],
    stale_phase: [
        "kein Uhrendienst - FÜR SCHIEDSRICHTER - zuletzt bekannt: ",
        "kein Uhrendienst - zuletzt bekannt: ",
        "zuletzt: ",
    ],
    signs: Signs {
        called: Sign {
            white: "SCHIEDSRICHTER (Weiß)",
            black: "SCHIEDSRICHTER (Schwarz)",
            nobody: "SCHIEDSRICHTER GERUFEN",
            short: "GERUFEN",
        },
        claim: Sign {
            white: "REMISANTRAG (Weiß)",
            black: "REMISANTRAG (Schwarz)",
            nobody: "REMISANTRAG",
            short: "ANTRAG",
        },
        claim_pending: Sign {
            white: "REMISANTRAG OFFEN (Weiß)",
            black: "REMISANTRAG OFFEN (Schwarz)",
            nobody: "REMISANTRAG OFFEN",
            short: "ANTRAG",
        },
        late: Sign {
            white: "KARENZZEIT VORBEI (Weiß)",
            black: "KARENZZEIT VORBEI (Schwarz)",
            nobody: "KARENZZEIT VORBEI",
            short: "KARENZZEIT",
        },
    },
    phases: Phases {
        ready: "BEREIT",
        black_starts: [
            "BEREIT - Uhr von Weiß startet, wenn Schwarz drückt oder Schiedsrichter startet",
            "BEREIT - Schwarz startet die Uhr von Weiß",
            "Schwarz startet die Uhr von Weiß",
            "Schwarz startet Weiß",
        ],
        arbiter_starts: [
            "BEREIT - Schiedsrichter startet die Uhr von Weiß",
            "Schiedsrichter startet Weiß",
        ],
        scheduled: ["BEREIT - Start der Uhr von Weiß: ", "Start der Uhr von Weiß: "],
        scheduled_short: ["Start der Uhr von Weiß: ", "Start Weiß: "],
        countdown: ", in ",
        adjourned: "HÄNGEPARTIE",
        ruling: ["ENTSCHEIDUNG STEHT AUS", "ENTSCHEID"],
        result: "ERGEBNIS ",
        on_time: ", Zeit",
        round: "Runde ",
        board: "Brett ",
        now: "jetzt ",
        changed: "geändert",
    },
    paused: Paused {
        paused: "PAUSE",
        by_arbiter: "PAUSE (Schiedsrichter)",
        by_player: Sides { white: "PAUSE (Weiß)", black: "PAUSE (Schwarz)" },
        by_button: "PAUSE (Ruftaste)",
        board_gone: "PAUSE, seit die Tasten getrennt sind",
        power_cut: "PAUSE seit Stromausfall oder Neustart",
        to_note: [
            "PAUSE, bis der Schiedsrichter beide Stände notiert",
            "PAUSE - Schiedsrichter notiert beide Stände",
            "Schiedsrichter notiert Stände",
        ],
    },
    faults: Faults {
        board_gone: Fault {
            long: "TASTEN NICHT VERBUNDEN",
            remedy: "KABEL PRÜFEN",
            short: "KEINE TASTEN",
        },
        stuck_white: Fault {
            long: "TASTE VON WEISS KLEMMT",
            remedy: "TASTE PRÜFEN",
            short: "W KLEMMT",
        },
        stuck_black: Fault {
            long: "TASTE VON SCHWARZ KLEMMT",
            remedy: "TASTE PRÜFEN",
            short: "S KLEMMT",
        },
        stuck_call: Fault { long: "RUFTASTE KLEMMT", remedy: "TASTE PRÜFEN", short: "RUF KLEMMT" },
        rocker_crossed: Fault {
            long: "WIPPE FALSCH VERDRAHTET", remedy: "PRÜFEN", short: "WIPPE"
        },
        power_cut: Fault {
            long: "AUSFALL ODER NEUSTART",
            remedy: "FÜR SCHIEDSRICHTER",
            short: "STROMAUSFALL",
        },
        restarted: Fault {
            long: "UHR NEU GESTARTET",
            remedy: "FÜR SCHIEDSRICHTER",
            short: "NEUSTART",
        },
        press_before_flag: Fault {
            long: "UHRENFEHLER",
            remedy: "FÜR SCHIEDSRICHTER",
            short: "FEHLER",
        },
        memory_damaged: Fault {
            long: "SPEICHER WAR BESCHÄDIGT",
            remedy: "FÜR SCHIEDSRICHTER",
            short: "SPEICHER",
        },
        configuration_refused: Fault {
            long: "KONFIGURATION FALSCH",
            remedy: "FÜR SCHIEDSRICHTER",
            short: "KONFIGURATION",
        },
        record_mismatch: Fault {
            long: "AUFZEICHNUNG FEHLERHAFT",
            remedy: "FÜR SCHIEDSRICHTER",
            short: "AUFZEICHNUNG",
        },
        record_lost: Fault {
            long: "AUFZEICHNUNG LÜCKENHAFT",
            remedy: "FÜR SCHIEDSRICHTER",
            short: "LÜCKE",
        },
        storage: Fault {
            long: "KEINE AUFZEICHNUNG DER PARTIE",
            remedy: "FÜR SCHIEDSRICHTER",
            short: "UNGESICHERT",
        },
        clock_rate: Fault {
            long: "UHR GEHT FALSCH",
            remedy: "FÜR SCHIEDSRICHTER",
            short: "GANG FALSCH",
        },
    },
    buttons: Buttons {
        rocker: "Wippe",
        call: "Ruf",
        call_held: "Ruf lang",
        both_held: "Beide lang",
    },
    release: Release { word: "TASTEN", what: "loslassen", line: "TASTEN loslassen" },
};

// The menu at the clock.

const MENU: Menu = Menu { title: "Menü" };
