//! The words of lists of pairings in the languages in which chess-results.com, Swiss-Manager and
//! other programs write them: heads of columns, a player without a game, and the result of a game.

use super::cells::Cell;

const BOARD: &[&str] = &[
    "board",
    "table",
    "bo",
    "bd",
    "brd",
    "tbl", // English
    "brett",
    "br",
    "tisch", // German
    "echiquier",
    "échiquier",
    "ech",
    "éch",
    "table", // French
    "tablero",
    "mesa",
    "tab",
    "m", // Spanish, Portuguese, Galician
    "scacchiera",
    "sc",
    "tavolo",
    "tav", // Italian
    "bord",
    "borden", // Dutch, Swedish, Norwegian
    "szachownica",
    "szach",
    "stolik",
    "stół", // Polish
    "clár",
    "bord", // Irish
    "tabuleiro",
    "taula",
    "tauler", // Portuguese, Catalan
    "bræt",
    "bræt nr",
    "borð",
    "pöytä", // Danish, Icelandic, Finnish
    "šachovnice",
    "šach",
    "stůl",
    "š",
    "šachovnica",
    "stôl", // Czech, Slovak
    "tábla",
    "asztal",
    "masă",
    "masa", // Hungarian, Romanian, Turkish
    "ploča",
    "stol",
    "šahovnica",
    "tabla",
    "табла", // Croatian, Slovene, Serbian
    "доска",
    "стол",
    "дошка",
    "стіл",
    "дъска",
    "маса", // Russian, Ukrainian, Bulgarian
    "σκακιέρα",
    "σκ",
    "laud",
    "galds",
    "lenta", // Greek, Estonian, Latvian, Lithuanian
];

const WHITE: &[&str] = &[
    "white",
    "white player",
    "white name",
    "player white",
    "white player name", // English
    "weiß",
    "weiss",
    "spieler weiß",
    "name weiß", // German
    "blanc",
    "blancs",
    "joueur blanc",
    "les blancs", // French
    "blancas",
    "blanco",
    "jugador blanco",
    "blancas nombre", // Spanish
    "bianco",
    "wit",
    "białe",
    "biały",
    "bán", // Italian, Dutch, Polish, Irish
    "brancas",
    "blanques", // Portuguese, Catalan
    "hvid",
    "hvit",
    "vit",
    "hvítur",
    "hvítt",
    "valkea",
    "valkeat", // Danish … Finnish
    "bílý",
    "biely",
    "világos",
    "alb",
    "beyaz", // Czech, Slovak, Hungarian, Romanian, Turkish
    "bijeli",
    "beli",
    "бели",
    "белые",
    "білі", // Croatian, Slovene, Bulgarian, Russian, Ukrainian
    "λευκά",
    "λευκός",
    "valge",
    "baltie",
    "baltieji", // Greek, Estonian, Latvian, Lithuanian
];

const BLACK: &[&str] = &[
    "black",
    "black player",
    "black name",
    "player black",
    "black player name", // English
    "schwarz",
    "spieler schwarz",
    "name schwarz", // German
    "noir",
    "noirs",
    "joueur noir",
    "les noirs", // French
    "negras",
    "negro",
    "jugador negro",
    "negras nombre", // Spanish
    "nero",
    "zwart",
    "czarne",
    "czarny",
    "dubh", // Italian, Dutch, Polish, Irish
    "pretas",
    "negres", // Portuguese, Catalan
    "sort",
    "svart",
    "svartur",
    "svört",
    "musta",
    "mustat", // Danish … Finnish
    "černý",
    "čierny",
    "sötét",
    "negru",
    "siyah", // Czech, Slovak, Hungarian, Romanian, Turkish
    "crni",
    "črni",
    "черни",
    "черные",
    "чёрные",
    "чорні", // Croatian … Ukrainian
    "μαύρα",
    "μαύρος",
    "must",
    "melnie",
    "juodieji", // Greek, Estonian, Latvian, Lithuanian
];

/// The head of both players' columns in many of these lists: White's comes first.
const NAME: &[&str] = &[
    "name",
    "player",
    "nom",
    "joueur",
    "nombre",
    "jugador",
    "nome",
    "giocatore",
    "naam",
    "speler",
    "nazwisko",
    "nazwisko i imię",
    "ainm",
    "jogador",
    "navn",
    "namn",
    "nafn",
    "nimi",
    "jméno",
    "meno",
    "név",
    "nume",
    "isim",
    "i\u{307}sim",
    "ad",
    "ime",
    "име",
    "имя",
    "фио",
    "ім'я",
    "όνομα",
    "vārds",
    "vardas",
];

const ROUND: &[&str] = &[
    "round",
    "rd",
    "rnd",
    "runde",
    "ronde",
    "ronda",
    "turno",
    "runda",
    "rodada",
    "umferð",
    "omgång",
    "kierros",
    "kolo",
    "forduló",
    "tur",
    "kolo",
    "тур",
    "кръг",
    "γύρος",
    "voor",
    "kārta",
    "ratas",
    "babhta",
];

const RESULT: &[&str] = &[
    "result",
    "res",
    "score",
    "ergebnis",
    "erg",
    "résultat",
    "resultat",
    "rés",
    "resultado",
    "risultato",
    "ris",
    "uitslag",
    "wynik",
    "toradh",
    "resultater",
    "úrslit",
    "tulos",
    "výsledek",
    "výsledok",
    "eredmény",
    "rezultat",
    "sonuç",
    "результат",
    "резултат",
    "αποτέλεσμα",
    "tulemus",
    "rezultāts",
    "rezultatas",
];

/// What stands in place of an opponent if a player has none.
const NO_PLAYER: &[&str] = &[
    "not paired",
    "unpaired",
    "no opponent",
    "spielfrei",
    "freilos",
    "nicht ausgelost",
    "nicht gelost",
    "exempt",
    "non apparié",
    "non appariée",
    "exento",
    "descansa",
    "no emparejado",
    "libre",
    "riposo",
    "non abbinato",
    "vrij",
    "vrijgeloot",
    "niet gepaard",
    "niet ingedeeld",
    "pauza",
    "wolny los",
    "nieskojarzony",
    "isento",
    "folga",
    "frirunda",
    "oman",
    "sitter over",
    "bay",
    "не в паре",
    "свободен",
];

/// The words around `bye`, such as in `half point bye` and `bye (requested)`.
const WITH_BYE: &[&str] = &[
    "bye",
    "byes",
    "half",
    "full",
    "zero",
    "one",
    "point",
    "points",
    "requested",
    "pairing",
    "allocated",
];

/// Where the columns of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    pub board: usize,
    pub white: usize,
    pub black: usize,
    pub round: Option<usize>,
    pub result: Option<usize>,
    /// How many cells the row of the heads has.
    pub count: usize,
}

impl Columns {
    /// The columns, if this row has the heads of a list of pairings.
    pub fn of(row: &[Cell]) -> Option<Columns> {
        let heads: Vec<String> = row.iter().map(|cell| head(&cell.text)).collect();
        let find = |words: &[&str]| heads.iter().position(|head| words.contains(&head.as_str()));
        let is_name = |head: &String| NAME.contains(&head.as_str());
        let first_name = heads.iter().position(is_name);
        let last_name = heads.iter().rposition(is_name).filter(|last| Some(*last) != first_name);
        let two_names = first_name.zip(last_name);
        let (white, black) = match (find(WHITE), find(BLACK)) {
            (Some(white), Some(black)) => (white, black),
            _ => two_names?,
        };
        Some(Columns {
            board: find(BOARD)?,
            white,
            black,
            round: find(ROUND),
            result: find(RESULT),
            count: row.len(),
        })
    }
}

/// How many heads of a list of pairings a row has: the row with the most is the one that a person
/// means to be the heads.
pub(super) fn known_heads(row: &[Cell]) -> usize {
    let known = |cell: &&Cell| {
        let head = head(&cell.text);
        [BOARD, WHITE, BLACK, NAME].iter().any(|words| words.contains(&head.as_str()))
    };
    row.iter().filter(known).count()
}

/// A head without what programs write around the word: `Board #`, `Board No.` and `Bo.` become
/// `board` and `bo`.
fn head(text: &str) -> String {
    let text = text.to_lowercase().replace('_', " ");
    let text =
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '#' | ':' | '°' | 'º'));
    let number = [" no", " nr", " num", " number", " nummer", " n"];
    let word = number.iter().find_map(|number| text.strip_suffix(number));
    word.unwrap_or(text).trim_end_matches(['.', ' ']).to_owned()
}

/// Whether this stands for no player: an empty cell, `bye`, `spielfrei` and the like.
pub(super) fn is_no_player(text: &str) -> bool {
    let text = text.to_lowercase();
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphabetic() && c != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    // A comma divides the names of a person: `Bye, John` has a game.
    let is_bye = words.iter().any(|word| word.starts_with("bye")) && !text.contains(',');
    !text.contains(char::is_alphanumeric)
        || is_bye && words.iter().all(|word| WITH_BYE.contains(word))
        || NO_PLAYER.contains(&words.join(" ").as_str())
}

/// The number of the round in a line before a list, such as `Round 4 on 2026/02/13 at 10:00` or
/// `4. Runde`.
pub(super) fn round_of_line(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let is_end = |c: char| c.is_whitespace() || matches!(c, '.' | ',' | ':' | ';' | '-' | '/');
    let mut words = text.split(is_end).filter(|word| !word.is_empty());
    let (first, second) = (words.next()?, words.next()?);
    let is_number = |word: &str| word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit());
    match (ROUND.contains(&first), ROUND.contains(&second)) {
        (true, false) if is_number(second) => Some(second.to_owned()),
        (false, true) if is_number(first) => Some(first.to_owned()),
        _ => None,
    }
}

/// The name of a round: of `Round 10` the number.
pub(super) fn round_name(text: &str) -> String {
    round_of_line(text).unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::cells::Rows;
    use super::{Columns, is_no_player, round_name, round_of_line};

    #[test]
    fn heads_of_every_language_are_found() {
        for (heads, board, white, black) in [
            ("Bo.;No.;;Name;Rtg;Pts.;Result;Pts.;;Name;Rtg;No.", 0, 3, 9),
            ("Bo.;No.;;White;Rtg;Pts.;Result;Pts.;;Black;Rtg;No.", 0, 3, 9),
            ("Board No;White;Black", 0, 1, 2),
            ("Board #;White Name;Black Name", 0, 1, 2),
            ("Black;White;Bd", 2, 1, 0),
            ("Table;White Player;White Elo;Black Player;Black Elo", 0, 1, 3),
            ("Br.;Nr.;Name;Elo;Punkte;Ergebnis;Punkte;Name;Elo;Nr.", 0, 2, 7),
            ("Br.;Nr.;Weiß;Elo;Erg.;Schwarz;Elo;Nr.", 0, 2, 5),
            ("BRETT;WEISS;SCHWARZ", 0, 1, 2),
            ("Ech.;No.;Blancs;Elo;Résultat;Noirs;Elo;No.", 0, 2, 5),
            ("Échiquier n°;Blancs;Noirs", 0, 1, 2),
            ("M.;No.;Nombre;Elo;Pts.;Resultado;Pts.;Nombre;Elo;No.", 0, 2, 7),
            ("Mesa;Blancas;Negras", 0, 1, 2),
            ("Sc.;Nr.;Bianco;Elo;Risultato;Nero;Elo;Nr.", 0, 2, 5),
            ("Bord;Wit;Zwart", 0, 1, 2),
            ("Szach.;Białe;Czarne", 0, 1, 2),
            ("Clár;Bán;Dubh", 0, 1, 2),
            ("Tabuleiro;Brancas;Pretas", 0, 1, 2),
            ("Masa;İsim;Sonuç;İsim", 0, 1, 3),
            ("Доска;Белые;Черные", 0, 1, 2),
            ("Tábla;Világos;Sötét", 0, 1, 2),
        ] {
            let row = Rows::new(heads, ';').next().unwrap().unwrap();
            let found = Columns::of(&row).unwrap_or_else(|| panic!("{heads}"));
            assert_eq!((found.board, found.white, found.black), (board, white, black), "{heads}");
        }
        for heads in ["board;white", "Bo.;Name", "Rk.;SNo;Name;Rtg", "Dublin Open 2026"] {
            let row = Rows::new(heads, ';').next().unwrap().unwrap();
            assert_eq!(Columns::of(&row), None, "{heads}");
        }
    }

    #[test]
    fn what_stands_for_no_player_is_told_from_names() {
        for text in [
            "",
            " ",
            "-",
            "bye",
            "BYE",
            "Bye.",
            "(bye)",
            "half-point bye",
            "Half Point Bye",
            "bye 1/2",
            "not paired",
            "Not Paired",
            "spielfrei",
            "nicht ausgelost",
            "exempt",
            "descansa",
        ] {
            assert!(is_no_player(text), "{text:?}");
        }
        for text in ["Bye, John", "Byers", "Bye Anna", "Exempt, A", "A", "1", "Freilos-Meier, K"] {
            assert!(!is_no_player(text), "{text:?}");
        }
    }

    #[test]
    fn a_line_before_the_list_names_the_round() {
        for (text, round) in [
            ("Round 4 on 2026/02/13 at 10:00", Some("4")),
            ("4. Runde am 13.02.2026", Some("4")),
            ("Runde 10", Some("10")),
            ("Ronda 2", Some("2")),
            ("Last update 13.02.2026", None),
            ("Open Round Robin 2026", None),
            ("Round Table Open", None),
            ("", None),
        ] {
            assert_eq!(round_of_line(text).as_deref(), round, "{text}");
        }
        assert_eq!(
            (round_name("Round 10").as_str(), round_name("Final").as_str()),
            ("10", "Final")
        );
    }
}
