//! The words, numbers and signs of the spoken notation, with the words of the languages in which
//! tournaments are announced.

use super::{NotationError, shortened};

/// A token of the text, in lower case. The words of each meaning are in `words.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A number, or a duration such as `1:30:00` and `90s`.
    Amount(&'a str),
    /// The number of an ordinal: the 40 of `40th`.
    Ordinal(&'a str),
    /// The unit of hours after a number.
    Hours,
    /// The unit of minutes after a number: `'`, `min`.
    Minutes,
    /// The unit of seconds after a number: `"`, `sec`.
    Seconds,
    /// `moves` or `move`.
    Moves,
    /// A single `m`, which is `moves` after a slash or a number of moves.
    M,
    Plus,
    Slash,
    /// The `x` of `5x30s` and of `90' x 40`.
    Times,
    Game,
    SuddenDeath,
    /// All the moves that remain: `rest`, `end`, `QPF`.
    Rest,
    Increment,
    D,
    B,
    Delay,
    Bronstein,
    From,
    After,
    In,
    For,
    Per,
    A,
    Each,
    Player,
    /// A word that has no meaning of its own here: `the`, `of`.
    Article,
    First,
    Versus,
    Repeat,
    Draw,
    White,
    Black,
    And,
    /// A word that may stand between parts: `with`, `then`.
    Then,
}

/// A token and the byte it begins at.
pub(super) type Placed<'a> = (Token<'a>, usize);

/// Signs of the notation other than letters and digits.
pub(super) const SIGNS: &str = "+|/*&,.:;'’‘′´\"”“″×";

/// The text in lower case. A letter whose lower case has another length stays as it is, so that a
/// byte position is valid in both texts.
pub(super) fn lower_case(text: &str) -> String {
    let lower = |c: char| {
        let mut letters = c.to_lowercase();
        match (letters.next(), letters.next()) {
            (Some(one), None) if one.len_utf8() == c.len_utf8() => one,
            _ => c,
        }
    };
    text.chars().map(lower).collect()
}

/// The tokens of a text, without separators. `lower` is the text in lower case.
pub(super) fn tokens<'a>(text: &str, lower: &'a str) -> Result<Vec<Placed<'a>>, NotationError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = lower[at..].chars().next() {
        let rest = &lower[at..];
        let (token, length) = match first {
            ',' if is_decimal_comma(lower, at) => {
                let why = "this can be a decimal comma; a comma between two parts needs a space \
                           after it, and 1.5 hours are written 1h30";
                return Err(NotationError::at(text, number_before(lower, at), why));
            }
            ',' | ';' => (None, 1),
            '.' if ends_word(lower, at) => (None, 1),
            _ if first.is_whitespace() => (None, first.len_utf8()),
            '+' | '|' => (Some(Token::Plus), 1),
            '&' => (Some(Token::Plus), 1),
            '\'' | '’' | '‘' | '´' if rest[first.len_utf8()..].starts_with(first) => {
                (Some(Token::Seconds), 2 * first.len_utf8())
            }
            '\'' | '’' | '‘' | '´' | '′' => (Some(Token::Minutes), first.len_utf8()),
            '"' | '”' | '“' | '″' => (Some(Token::Seconds), first.len_utf8()),
            '/' => (Some(Token::Slash), 1),
            '×' => (Some(Token::Times), first.len_utf8()),
            '0'..='9' => {
                let (token, length) = number(rest);
                (Some(token), length)
            }
            _ if first.is_alphabetic() => {
                let word = run(rest, char::is_alphabetic);
                let Some(token) = meaning(word) else {
                    return Err(NotationError::at(text, at, NOT_UNDERSTOOD));
                };
                (Some(token), word.len())
            }
            _ => {
                let why = "is not part of the notation; expected parts as in `40/90, G/30, +30`";
                return Err(NotationError::at(text, at, &format!("`{first}` {why}")));
            }
        };
        tokens.extend(token.map(|token| (token, at)));
        at += length;
    }
    Ok(tokens)
}

/// The message for a word that is unknown or that stands where it has no meaning.
pub(super) const NOT_UNDERSTOOD: &str = "not understood; expected 40/90 (moves and minutes), G/30, +30, d5 or b5 (seconds a move), \
     `from 61`, `10 v 7`, `repeat` or `draw Black`";

/// The number at the beginning of a text, and its length with an ordinal's ending.
fn number(text: &str) -> (Token<'_>, usize) {
    let digits = run(text, |c| c.is_ascii_digit());
    let letters = run(&text[digits.len()..], char::is_alphabetic);
    if ORDINALS.contains(&letters) {
        return (Token::Ordinal(digits), digits.len() + letters.len());
    }
    // `90min` is a number followed by a unit; `30s` is one token, a duration.
    let is_apart = letters.chars().count() > 1 && meaning(letters).is_some();
    let amount = if is_apart { digits } else { amount(text) };
    (Token::Amount(amount), amount.len())
}

/// Whether a character belongs to an amount. Of the letters only those of units do, so `60d5` is
/// three tokens, `60`, `d` and `5`.
fn in_amount(c: char) -> bool {
    c.is_ascii_digit() || ":.hmsun".contains(c)
}

/// The amount at the beginning of a text. The `min` of `1h30min` belongs to it, a full stop after
/// it does not.
fn amount(text: &str) -> &str {
    let amount = run(text, in_amount);
    let is_min =
        amount.ends_with('m') && run(&text[amount.len()..], |c| c.is_ascii_lowercase()) == "in";
    let amount = if is_min { &text[..amount.len() + "in".len()] } else { amount };
    let goes_on = text[amount.len()..].starts_with(|c: char| c.is_alphanumeric());
    if goes_on { amount } else { amount.strip_suffix('.').unwrap_or(amount) }
}

/// Whether the full stop at this byte ends a word, such as `min.`, or the whole text. It does not
/// if it can be the point of a decimal number without digits before it.
fn ends_word(text: &str, at: usize) -> bool {
    let before = text[..at].chars().rev();
    let letters = before.take_while(|c| c.is_alphabetic()).count();
    letters > 1 || (at > 0 && !text[at + 1..].starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether the comma at this byte can be a decimal comma, as in `1,5 h`. A number that is followed
/// by a slash or an `x` begins a part of its own: `40/90,20/60`.
fn is_decimal_comma(text: &str, at: usize) -> bool {
    let after = &text[at + 1..];
    let digits = run(after, |c| c.is_ascii_digit());
    let begins_part = after[digits.len()..].trim_start().starts_with(['/', 'x', '×']);
    text[..at].ends_with(|c: char| c.is_ascii_digit()) && !digits.is_empty() && !begins_part
}

/// The byte at which the digits before this byte begin.
fn number_before(text: &str, at: usize) -> usize {
    text[..at].trim_end_matches(|c: char| c.is_ascii_digit()).len()
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c: char| !belongs(c)).unwrap_or(text.len());
    &text[..end]
}

impl NotationError {
    /// An error in the part of the text that begins at this byte.
    pub(super) fn at(text: &str, at: usize, why: &str) -> NotationError {
        let rest = &text[at..];
        let number = text[..at].chars().count() + 1;
        let between = |c: char| c.is_whitespace() || [',', ';'].contains(&c);
        let part = shortened(rest.split(between).next().unwrap_or(rest));
        NotationError::new(format!("`{part}` (character {number}): {why}"))
    }
}

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
