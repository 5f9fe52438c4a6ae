//! Files of pairings in the forms in which public programs write them. Each file was written for
//! this test, with invented names, after the structure of the file or program that is named with it.

use std::{fs, path::Path};

use clockctl::pairings::{PairingFile, Pairings};

fn file(name: &str) -> PairingFile {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pairings");
    PairingFile::decode(fs::read(folder.join(name)).unwrap()).unwrap()
}

/// The boards, such as `1 A - B`.
fn boards(pairings: &Pairings) -> Vec<String> {
    let board = |game: &clockctl::pairings::Pairing| {
        format!("{} {} - {}", game.board, game.white, game.black)
    };
    pairings.games.iter().map(board).collect()
}

/// A file, its round, and the boards and byes that it has in it.
struct Expected {
    name: &'static str,
    round: &'static str,
    boards: &'static [&'static str],
    byes: &'static [&'static str],
}

const FILES: &[Expected] = &[
    // `tests/trf/example_trf16.trf` of Sharly-Chess/sharly-chess: no-shows have the opponent and
    // no colour, dates have full stops, names have a third part.
    Expected {
        name: "no_shows.trf",
        round: "2",
        boards: &[
            "1 Brandt, Eva - Ahlberg, Nils",
            "2 Duval, Marie, Dr. - Costa, Rui",
            "3 Egger, Jan - Horn, Max",
        ],
        byes: &[],
    },
    // `test/tests/issue_15.input` of BieremaBoyzProgramming/bbpPairings: lines end with CR, and
    // forfeited games have colours.
    Expected {
        name: "carriage_returns.trf",
        round: "2",
        boards: &[
            "1 Test0001 Player0001 - Test0002 Player0002",
            "3 Test0006 Player0006 - Test0005 Player0005",
        ],
        byes: &[],
    },
    // `tests/unit/tournament_importers/trf-team-import-test.trf` of Sharly-Chess/sharly-chess: TRF26
    // with line-ups (300), the bye of a team (320), scores of matches (362) and comments. Before
    // round 2 team 3 has 3 match points, team 2 has 2 for its bye, teams 1 and 5 have 1, team 4 none.
    Expected {
        name: "team_line_ups.trf",
        round: "2",
        boards: &[
            "1 ELIA, Leo - ALBA, Ugo",
            "2 BRUN, Ana - FARO, Tim",
            "3 GILL, Ned - CARO, Eva",
            "4 DURI, Max - HALL, Joe",
        ],
        byes: &["IVES, Roy", "JUST, Kim"],
    },
    // `tests/trf/gacrux/berger_12.trf` of Sharly-Chess/sharly-chess: a round robin by its code (192),
    // with six keys of the scoring system (162).
    Expected {
        name: "round_robin.trf",
        round: "2",
        boards: &[
            "1 Player    3 - Player    4",
            "2 Player    2 - Player    5",
            "3 Player   11 - Player    9",
        ],
        byes: &[],
    },
    // `tests/trf/2021_03.trf` of Sharly-Chess/sharly-chess, from lichess.org: byes have no opponent
    // and no colour, and the games of the running round `Z`.
    Expected {
        name: "blank_byes.trf",
        round: "3",
        boards: &["1 quietrook - slowknight", "2 deepbishop - longpawn"],
        byes: &["oddking"],
    },
    // `TRFXSample2.txt` of JaVaFo: the byes of round 2 stand in the file before it is paired.
    Expected {
        name: "byes_before_pairing.trf",
        round: "1",
        boards: &["1 Arana Luis - Cano Jon", "2 Diaz Eva - Bilbao Ana"],
        byes: &[],
    },
    // An exporter of pairings with schools (`PairingsList.tsx` with `exportPairingsCSV`).
    Expected {
        name: "schools.csv",
        round: "",
        boards: &["1 Ada Lake - Ben Moor", "2 Cleo Field - Dan Wood"],
        byes: &["Elsa Reed"],
    },
    // `exportToExcel` of a tournament manager for browsers: standings first, then all rounds, then
    // lines on the tournament.
    Expected {
        name: "standings_first.csv",
        round: "2",
        boards: &["1 Ada Lake - Cleo Field"],
        byes: &["Ben Moor"],
    },
    // `Round;Board;White;Black;Result`, which two importers of club nights read.
    Expected {
        name: "rounds_semicolon.csv",
        round: "2",
        boards: &["1 Ada Lake - Cleo Field"],
        byes: &["Ben Moor"],
    },
    // `pairings_RN.csv` of a Spanish Swiss manager on Streamlit, as Excel saves it: Windows-1252.
    Expected {
        name: "mesa.csv",
        round: "",
        boards: &["1 Núria Puig - Iñaki Sola", "3 Pau Roca - Rosa Mas"],
        byes: &["Óscar Vila"],
    },
    // The list of Swiss-Manager and chess-results.com in German, which a Java reader finds by
    // `^Br.;Nr.;Name;`: UTF-16, as a spreadsheet saves it.
    Expected {
        name: "br_nr_name.csv",
        round: "3",
        boards: &["1 Weiß Uwe - Groß Ina", "2 Klein Max - Lang Eva"],
        byes: &["Kurz Leo", "Alt Jan"],
    },
    // `Bo.,No.,,Name,Pts.,Result,Pts.,,Name,No.,date`, which a reader of chess-results.com files has.
    Expected {
        name: "name_twice_date.csv",
        round: "",
        boards: &["1 Ray Ann - Fox Bea", "2 Elm, Cid - Oak Dee"],
        byes: &["Ash Eve"],
    },
];

#[test]
fn files_of_public_programs_have_their_boards() {
    for Expected { name, round, boards: expected, byes } in FILES {
        let pairings = file(name).pairings(None).unwrap_or_else(|why| panic!("{name}:{why}"));
        assert_eq!(boards(&pairings), *expected, "{name}");
        assert_eq!(pairings.round.as_deref().unwrap_or_default(), *round, "{name}");
        assert_eq!(pairings.byes, *byes, "{name}");
    }
}

#[test]
fn only_a_round_with_an_open_game_is_set_up_unasked() {
    let played: Vec<&str> = FILES
        .iter()
        .map(|expected| expected.name)
        .filter(|name| file(name).pairings(None).unwrap().is_played())
        .collect();
    assert_eq!(played, ["byes_before_pairing.trf", "rounds_semicolon.csv"]);
}

#[test]
fn an_encoding_that_is_not_utf_8_is_noted() {
    let noted: Vec<&str> = FILES
        .iter()
        .map(|expected| expected.name)
        .filter(|name| file(name).note().is_some())
        .collect();
    assert_eq!(noted, ["mesa.csv", "br_nr_name.csv"]);
}
