//! Polish.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "Polski", face: FACE, menu: MENU };

// The face.

use crate::face::{
    Buttons, Count, Fault, Faults, Notes, Paused, Phases, Release, Sides, Sign, Signs,
};

const FACE: Face = Face {
    sides: Sides { white: "Białe", black: "Czarne" },
    letters: Sides { white: "B", black: "C" },
    colon: ": ",
    flag: "FLAGA",
    notes: Notes {
        low: "niedoczas",
        used: "zużyto",
        used_of: "zużyto z ",
        last_known: "ostatni stan",
        delay: "opóźnienie ",
        delay_short: "o",
        earlier: "była ",
        first: "1.",
        second: "2.",
        overtime: "dogrywka ",
        overtime_moves: Count { before: "ruchów: ", one: "", others: "" },
        moves: "ruchy ",
        period: "etap ",
        period_short: "E",
        rules: "przepisy ",
    },
    battery: "bateria",
    battery_low: "BATERIA SŁABA",
    enlarge: ["powiększ do ", "powiększ "],
    no_service: ["brak odpowiedzi", "brak zegara"],
    none: "brak",
    no_service_remedy: [
        "jeśli potrwa to minutę, wyłącz i włącz zegar",
        "po minucie wyłącz i włącz",
    ],
    stale: [
        "brak odpowiedzi - ostatnie znane czasy - DLA SĘDZIEGO",
        "brak odpowiedzi - ostatnie znane czasy",
        "brak odpowiedzi - DLA SĘDZIEGO",
        "brak odpowiedzi",
        "brak zegara",
    ],
    stale_phase: [
        "brak odpowiedzi - DLA SĘDZIEGO - ostatni znany stan: ",
        "brak odpowiedzi - ostatni stan: ",
        "ostatnio: ",
    ],
    signs: Signs {
        called: Sign {
            white: "WEZWANO SĘDZIEGO (Białe)",
            black: "WEZWANO SĘDZIEGO (Czarne)",
            nobody: "WEZWANO SĘDZIEGO",
            short: "SĘDZIA",
        },
        claim: Sign {
            white: "REKLAMACJA REMISU (Białe)",
            black: "REKLAMACJA REMISU (Czarne)",
            nobody: "REKLAMACJA REMISU",
            short: "REMIS?",
        },
        claim_pending: Sign {
            white: "REKLAMACJA W TOKU (Białe)",
            black: "REKLAMACJA W TOKU (Czarne)",
            nobody: "REKLAMACJA W TOKU",
            short: "REMIS?",
        },
        late: Sign {
            white: "SPÓŹNIENIE (Białe)",
            black: "SPÓŹNIENIE (Czarne)",
            nobody: "SPÓŹNIENIE",
            short: "SPÓŹNIENIE",
        },
    },
    phases: Phases {
        ready: "GOTOWE",
        black_starts: [
            "GOTOWE - zegar białych ruszy, gdy naciśnie czarny lub uruchomi go sędzia",
            "GOTOWE - czarne uruchamiają zegar białych",
            "czarne uruchamiają zegar białych",
            "czarne uruchamiają białe",
        ],
        arbiter_starts: [
            "GOTOWE - sędzia uruchamia zegar białych",
            "sędzia uruchamia zegar białych",
        ],
        scheduled: ["GOTOWE - start zegara białych: ", "start zegara białych: "],
        scheduled_short: ["start zegara białych: ", "start białych: "],
        countdown: ", za ",
        adjourned: "ODŁOŻONA",
        ruling: ["OCZEKIWANIE NA DECYZJĘ", "DECYZJA"],
        result: "WYNIK ",
        on_time: ", czas",
        round: "runda ",
        board: "stół ",
        now: "teraz ",
        changed: "zmieniono",
    },
    paused: Paused {
        paused: "PAUZA",
        by_arbiter: "PAUZA: sędzia",
        by_player: Sides { white: "PAUZA: białe", black: "PAUZA: czarne" },
        by_button: "PAUZA: przycisk wezwania",
        board_gone: "PAUZA od odłączenia przycisków",
        power_cut: "PAUZA od zaniku prądu lub restartu",
        to_note: [
            "PAUZA, aż sędzia zapisze oba wskazania",
            "PAUZA - sędzia zapisuje wskazania",
            "sędzia zapisuje wskazania",
        ],
    },
    faults: Faults {
        board_gone: Fault {
            long: "PRZYCISKI NIEPODŁĄCZONE",
            remedy: "SPRAWDŹ KABEL",
            short: "BEZ PRZYCISKÓW",
        },
        stuck_white: Fault {
            long: "PRZYCISK BIAŁYCH ZACIĘTY",
            remedy: "SPRAWDŹ GO",
            short: "B ZACIĘTY",
        },
        stuck_black: Fault {
            long: "PRZYCISK CZARNYCH ZACIĘTY",
            remedy: "SPRAWDŹ GO",
            short: "C ZACIĘTY",
        },
        stuck_call: Fault {
            long: "PRZYCISK WEZWANIA ZACIĘTY",
            remedy: "SPRAWDŹ GO",
            short: "WEZWANIE",
        },
        rocker_crossed: Fault {
            long: "DŹWIGNIA ŹLE PODŁĄCZONA",
            remedy: "SPRAWDŹ JĄ",
            short: "DŹWIGNIA",
        },
        power_cut: Fault {
            long: "ZANIK PRĄDU LUB RESTART",
            remedy: "DLA SĘDZIEGO",
            short: "ZANIK PRĄDU",
        },
        restarted: Fault { long: "ZEGAR ZRESTARTOWANY", remedy: "DLA SĘDZIEGO", short: "RESTART" },
        press_before_flag: Fault {
            long: "BŁĄD ZEGARA", remedy: "DLA SĘDZIEGO", short: "BŁĄD"
        },
        memory_damaged: Fault {
            long: "PAMIĘĆ BYŁA USZKODZONA",
            remedy: "DLA SĘDZIEGO",
            short: "PAMIĘĆ",
        },
        configuration_refused: Fault {
            long: "BŁĘDNA KONFIGURACJA",
            remedy: "DLA SĘDZIEGO",
            short: "KONFIGURACJA",
        },
        record_mismatch: Fault {
            long: "BŁĄD W ZAPISIE",
            remedy: "DLA SĘDZIEGO",
            short: "BŁĄD ZAPISU",
        },
        record_lost: Fault {
            long: "CZĘŚĆ ZAPISU STRACONA",
            remedy: "DLA SĘDZIEGO",
            short: "LUKA W ZAPISIE",
        },
        storage: Fault {
            long: "PARTIA NIE JEST ZAPISYWANA",
            remedy: "DLA SĘDZIEGO",
            short: "BRAK ZAPISU",
        },
        clock_rate: Fault {
            long: "ZEGAR ŹLE MIERZY CZAS",
            remedy: "DLA SĘDZIEGO",
            short: "ZŁY POMIAR",
        },
    },
    buttons: Buttons {
        rocker: "Dźwignia",
        call: "Sędzia",
        call_held: "Sędzia długo",
        both_held: "Oba długo",
    },
    release: Release { word: "ZWOLNIJ", what: "przyciski", line: "ZWOLNIJ przyciski" },
};

// The menu at the clock.

const MENU: Menu = Menu { title: "Menu" };
