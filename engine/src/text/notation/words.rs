//! The words of the spoken notation, in the languages in which tournaments are announced.

use super::token::Token;

/// Each meaning with all its words, in lower case.
const WORDS: &[(Token<'static>, &str)] = &[
    (Token::Hours, "h hr hrs hour hours std stunde stunden heure heures hora horas ora ore"),
    (
        Token::Minutes,
        "min mins minute minutes minuten mn minuto minutos minuti minuta minut minuter minutter",
    ),
    (
        Token::Seconds,
        "s sec secs second seconds sek sekunde sekunden sekund seconde secondes seg segundo \
         segundos secondo secondi sekunder",
    ),
    (
        Token::Moves,
        "move moves mv mvs zug züge zügen zuege z coup coups jugada jugadas movimiento movimientos \
         mossa mosse zet zetten trekk",
    ),
    (Token::M, "m"),
    (Token::Times, "x"),
    (Token::Game, "g"),
    (Token::SuddenDeath, "sd"),
    (
        Token::Rest,
        "rest end game remaining remainder ko qpf mat finish partie partida partita finire finir \
         terminar reste resto",
    ),
    (
        Token::Increment,
        "inc incs incr incrs increment increments bonus inkrement incrément incremento incrementos \
         addition zeitgutschrift",
    ),
    (Token::D, "d"),
    (Token::B, "b"),
    (Token::Delay, "delay"),
    (Token::Bronstein, "bronstein"),
    (Token::From, "from starting beginning ab dès desde dalla"),
    (Token::After, "after nach"),
    (Token::In, "in en"),
    (Token::For, "for until für fuer pour para"),
    (Token::Per, "per pro par por po à"),
    (Token::A, "a"),
    (Token::Each, "each every jeden jede je chaque cada ogni"),
    (Token::Player, "player players spieler joueur jugador giocatore igraču igracu"),
    (
        Token::Article,
        "the an un une of to die der den dem das le la les los las el i de di du next nächsten \
         naechsten ganze gesamte",
    ),
    (
        Token::First,
        "first one ersten erste premier premiers première premières primer primera primeras \
         primeros primi prime prima",
    ),
    (Token::Versus, "v vs"),
    (Token::Repeat, "repeat repeating"),
    (Token::Draw, "draw"),
    (Token::White, "white"),
    (Token::Black, "black"),
    (Token::And, "and und et y e"),
    (Token::Plus, "plus zuzüglich zzgl más mas più"),
    (
        Token::Then,
        "with then followed by at mit dann danach avec puis con luego poi después despues",
    ),
];

/// The units that stand within a duration only, such as the `ms` of `500ms`.
const UNITS: [&str; 3] = ["ms", "us", "ns"];

/// The endings of an ordinal number: the `th` of `40th`.
pub(super) const ORDINALS: [&str; 4] = ["st", "nd", "rd", "th"];

/// What a word in lower case means; `None` for a word that is not one of the notation.
pub(super) fn meaning(word: &str) -> Option<Token<'static>> {
    let has_word = |words: &str| words.split_whitespace().any(|known| known == word);
    WORDS.iter().find(|(_, words)| has_word(words)).map(|(token, _)| *token)
}

/// Whether these letters, in lower case, are a word of the notation, or empty.
pub(super) fn is_word(letters: &str) -> bool {
    let is_ending = || UNITS.contains(&letters) || ORDINALS.contains(&letters);
    letters.is_empty() || is_ending() || meaning(letters).is_some()
}

/// Whether this word, in lower case, may stand after a slash: `30 s/move`, `30 min/end`.
pub(super) fn may_follow_slash(word: &str) -> bool {
    matches!(
        meaning(word),
        Some(Token::Moves | Token::M | Token::Rest | Token::Each | Token::Player)
    )
}
