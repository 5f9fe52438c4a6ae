//! Spanish.

use crate::{Face, Menu, Words};

pub(crate) static WORDS: Words = Words { name: "Español", face: FACE, menu: MENU };

// The face.

use crate::face::{
    Buttons, Count, Fault, Faults, Notes, Paused, Phases, Release, Sides, Sign, Signs,
};

const FACE: Face = Face {
    sides: Sides { white: "Blancas", black: "Negras" },
    letters: Sides { white: "B", black: "N" },
    colon: ": ",
    flag: "BANDERA",
    notes: Notes {
        low: "apuro",
        used: "usado",
        used_of: "usado de ",
        last_known: "último dato",
        delay: "retardo ",
        delay_short: "r",
        earlier: "antes ",
        first: "1ª",
        second: "2ª",
        overtime: "prórroga ",
        overtime_moves: Count { before: "", one: " jugada", others: " jugadas" },
        moves: "jug. ",
        period: "período ",
        period_short: "P",
        rules: "reglas ",
    },
    battery: "batería",
    battery_low: "BATERÍA BAJA",
    enlarge: ["ampliar a ", "ampliar: "],
    no_service: ["sin servicio", "sin reloj"],
    none: "nada",
    no_service_remedy: [
        "si dura un minuto, apague y encienda el reloj",
        "tras un minuto, apague y encienda",
    ],
    stale: [
        "sin servicio - últimos tiempos conocidos - PARA EL ÁRBITRO",
        "sin servicio - últimos tiempos conocidos",
        "sin servicio - PARA EL ÁRBITRO",
        "sin servicio",
        "sin reloj",
    ],
    stale_phase: [
        "sin servicio - PARA EL ÁRBITRO - último dato: ",
        "sin servicio - último dato: ",
        "último: ",
    ],
    signs: Signs {
        called: Sign {
            white: "ÁRBITRO LLAMADO (Blancas)",
            black: "ÁRBITRO LLAMADO (Negras)",
            nobody: "ÁRBITRO LLAMADO",
            short: "ÁRBITRO",
        },
        claim: Sign {
            white: "RECLAMA TABLAS (Blancas)",
            black: "RECLAMA TABLAS (Negras)",
            nobody: "RECLAMACIÓN",
            short: "TABLAS",
        },
        claim_pending: Sign {
            white: "TABLAS PENDIENTES (Blancas)",
            black: "TABLAS PENDIENTES (Negras)",
            nobody: "TABLAS PENDIENTES",
            short: "TABLAS",
        },
        late: Sign {
            white: "ESPERA AGOTADA (Blancas)",
            black: "ESPERA AGOTADA (Negras)",
            nobody: "ESPERA AGOTADA",
            short: "ESPERA",
        },
    },
    phases: Phases {
        ready: "LISTO",
        black_starts: [
            "LISTO - el reloj de Blancas arranca si pulsan Negras o lo inicia el árbitro",
            "LISTO - Negras inician el reloj de Blancas",
            "Negras inician el reloj de Blancas",
            "Negras inician a Blancas",
        ],
        arbiter_starts: [
            "LISTO - el árbitro inicia el reloj de Blancas",
            "el árbitro inicia a Blancas",
        ],
        scheduled: ["LISTO - inicio del reloj de Blancas: ", "inicio del reloj de Blancas: "],
        scheduled_short: ["inicio del reloj de Blancas: ", "inicio de Blancas: "],
        countdown: ", en ",
        adjourned: "APLAZADA",
        ruling: ["DECISIÓN PENDIENTE", "DECISIÓN"],
        result: "RESULTADO ",
        on_time: ", tiempo",
        round: "ronda ",
        board: "mesa ",
        now: "ahora ",
        changed: "cambiado",
    },
    paused: Paused {
        paused: "PAUSA",
        by_arbiter: "PAUSA del árbitro",
        by_player: Sides { white: "PAUSA de Blancas", black: "PAUSA de Negras" },
        by_button: "PAUSA por el botón de llamada",
        board_gone: "PAUSA desde la desconexión de los botones",
        power_cut: "PAUSA desde el corte o reinicio",
        to_note: [
            "PAUSA hasta que el árbitro anote ambos tiempos",
            "PAUSA - el árbitro anota ambos tiempos",
            "el árbitro anota los tiempos",
        ],
    },
    faults: Faults {
        board_gone: Fault {
            long: "BOTONES SIN CONECTAR",
            remedy: "REVISE EL CABLE",
            short: "SIN BOTONES",
        },
        stuck_white: Fault {
            long: "BOTÓN BLANCAS ATASCADO",
            remedy: "REVISE EL BOTÓN",
            short: "B ATASCADO",
        },
        stuck_black: Fault {
            long: "BOTÓN NEGRAS ATASCADO",
            remedy: "REVISE EL BOTÓN",
            short: "N ATASCADO",
        },
        stuck_call: Fault {
            long: "BOTÓN DE LLAMADA ATASCADO",
            remedy: "REVISE EL BOTÓN",
            short: "LLAMADA",
        },
        rocker_crossed: Fault {
            long: "BALANCÍN MAL CABLEADO",
            remedy: "REVISAR",
            short: "BALANCÍN",
        },
        power_cut: Fault {
            long: "CORTE DE LUZ O REINICIO",
            remedy: "PARA EL ÁRBITRO",
            short: "CORTE DE LUZ",
        },
        restarted: Fault {
            long: "EL RELOJ SE REINICIÓ",
            remedy: "PARA EL ÁRBITRO",
            short: "REINICIADO",
        },
        press_before_flag: Fault {
            long: "FALLO DEL RELOJ",
            remedy: "PARA EL ÁRBITRO",
            short: "FALLO",
        },
        memory_damaged: Fault {
            long: "LA MEMORIA SE DAÑÓ",
            remedy: "PARA EL ÁRBITRO",
            short: "MEMORIA",
        },
        configuration_refused: Fault {
            long: "CONFIGURACIÓN ERRÓNEA",
            remedy: "PARA EL ÁRBITRO",
            short: "CONFIGURACIÓN",
        },
        record_mismatch: Fault {
            long: "FALLO EN EL REGISTRO",
            remedy: "PARA EL ÁRBITRO",
            short: "REGISTRO",
        },
        record_lost: Fault {
            long: "REGISTRO INCOMPLETO",
            remedy: "PARA EL ÁRBITRO",
            short: "INCOMPLETO",
        },
        storage: Fault {
            long: "LA PARTIDA NO SE REGISTRA",
            remedy: "PARA EL ÁRBITRO",
            short: "SIN REGISTRO",
        },
        clock_rate: Fault {
            long: "EL RELOJ MIDE MAL EL TIEMPO",
            remedy: "PARA EL ÁRBITRO",
            short: "RITMO FALSO",
        },
    },
    buttons: Buttons {
        rocker: "Balancín",
        call: "Llamar",
        call_held: "Llamar largo",
        both_held: "Ambos largo",
    },
    release: Release { word: "SUELTE", what: "los botones", line: "SUELTE los botones" },
};

// The menu at the clock.

const MENU: Menu = Menu { title: "Menú" };
