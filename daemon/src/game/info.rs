//! The parts of a game that the daemon keeps beside the engine: names, texts, the scheduled start,
//! the captain and the arbiter, and the clock from which the game was imported. The notes that lie
//! beside the entries in the retained memory have them, too.

use super::scheduled_start::ScheduledStart;
use clock_controls::{FILE_LIMIT, NamedControl, NamedRules, RuleLibrary};
use clock_dbus::{ImportedFrom, Names};
use clock_engine::rules::Profile;
use clock_engine::text::{ControlFile, spoken, to_toml};
use clock_engine::{Control, PerSide, Side};
use clockd_rt::Note;
use clockd_rt::retained::ENTRIES_BYTES;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The largest size of the number of a board or of a round, in bytes.
pub const BOARD_LIMIT: usize = 16;

/// The parts of a game that the daemon keeps beside the engine.
#[derive(Clone, Debug, Default)]
pub struct GameInfo {
    /// The identity of the game: a random number from its set-up on; 0 before.
    pub id: u64,
    /// The rule profile with its name and its text; `None` if the game has none.
    pub rules: Option<Arc<NamedRules>>,
    /// The side whose captain plays at this board, or `None`.
    pub captain_plays: Option<Side>,
    /// The name of the qualified arbiter who is present and whom the captains must consult; empty
    /// if there is none.
    pub present_arbiter: String,
    /// When White's clock is to be started, or `None` if no start is scheduled.
    pub start: Option<ScheduledStart>,
    /// The name of the time control.
    pub control: String,
    /// The text of the control file.
    pub control_text: String,
    /// The players' names, or empty.
    pub players: PerSide<String>,
    /// The number of the board (the table), or empty.
    pub board: String,
    /// The round of the event, or empty.
    pub round: String,
    /// The name of the event, or empty.
    pub event: String,
    /// The game on another clock from which this game was imported; `None` if it was not imported.
    pub imported_from: Option<ImportedFrom>,
    /// The version of the names and texts: the number of the request that has given them, so no two
    /// `GameInfo` of this boot have the same one. [`Commands`](super::Commands) sets it.
    pub texts_version: u64,
    /// Whether the game was set up in the menu at the clock or from the configuration, and no
    /// arbiter has changed its rules or its time control over D-Bus. Without the arbiter's code,
    /// both players together can change only such a game in the menu, or a game in which they have
    /// the authority.
    pub set_up_at_clock: bool,
}

impl GameInfo {
    /// What a command sets up, for the record and the log: the time control, the rules, the board,
    /// the round and the event.
    pub fn described(&self) -> String {
        let rules = self.rules.as_ref().map_or("no rule profile", |rules| &rules.name);
        let mut text = format!("{} under {rules}", self.control);
        for (word, name) in [("board", &self.board), ("round", &self.round), ("event", &self.event)]
        {
            if !name.is_empty() {
                text.push_str(&format!(", {word} {name}"));
            }
        }
        text
    }
}

impl GameInfo {
    /// The game with these names, and a text that names those that differ, each with the earlier
    /// one: `White Vera Mencik → Vera Menchik, round (none) → 3`.
    pub fn renamed(self, names: Names) -> (GameInfo, String) {
        let Names { white_player, black_player, board, round, event } = names;
        let mut changed = Vec::new();
        let mut name = |word: &str, now: String, given: Option<String>| {
            let given = given.unwrap_or_else(|| now.clone());
            if given != now {
                changed.push(format!("{word} {} → {}", or_none(&now), or_none(&given)));
            }
            given
        };
        let players = PerSide {
            white: name("White", self.players.white, white_player),
            black: name("Black", self.players.black, black_player),
        };
        let event = name("event", self.event, event);
        let round = name("round", self.round, round);
        let board = name("board", self.board, board);
        let game = GameInfo { players, event, round, board, ..self };
        (game, changed.join(", "))
    }
}

fn or_none(name: &str) -> &str {
    if name.is_empty() { "(none)" } else { name }
}

/// A [`GameInfo`] in the form in which it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameText {
    /// The name of the time control.
    pub control: String,
    /// The text of the control file.
    pub control_text: String,
    /// The name of the rule profile, or empty.
    pub rules: String,
    /// The text of the rule file.
    pub rules_text: String,
    /// The player of the white pieces, or empty.
    pub white: String,
    /// The player of the black pieces, or empty.
    pub black: String,
    /// The number of the board (the table), or empty.
    pub board: String,
    /// The round of the event, or empty.
    pub round: String,
    /// The name of the event, or empty.
    pub event: String,
    /// The side whose captain plays at this board: `white`, `black` or empty.
    pub captain_plays: String,
    /// The name of a qualified arbiter who is present, or empty.
    pub present_arbiter: String,
    /// When White's clock is to be started, in nanoseconds of CLOCK_REALTIME; `None` if no start is
    /// scheduled.
    pub start_realtime_ns: Option<u64>,
    /// The game on another clock from which this game was imported; `None` if it was not imported.
    pub imported_from: Option<ImportedFrom>,
    /// Whether the game was set up in the menu at the clock, or from the configuration.
    pub set_up_at_clock: bool,
}

/// The name of a time control or a profile whose name was lost. An empty name would mean that the
/// game has no rule profile.
const UNNAMED: &str = "unnamed";

fn non_empty(name: &str) -> &str {
    if name.is_empty() { UNNAMED } else { name }
}

impl From<&GameInfo> for GameText {
    fn from(game: &GameInfo) -> GameText {
        let rules = game.rules.as_ref();
        GameText {
            control: game.control.clone(),
            control_text: game.control_text.clone(),
            rules: rules.map(|rules| rules.name.clone()).unwrap_or_default(),
            rules_text: rules.map(|rules| rules.text.clone()).unwrap_or_default(),
            white: game.players.white.clone(),
            black: game.players.black.clone(),
            board: game.board.clone(),
            round: game.round.clone(),
            event: game.event.clone(),
            captain_plays: game.captain_plays.map_or("", Side::as_str).to_owned(),
            present_arbiter: game.present_arbiter.clone(),
            start_realtime_ns: game.start.map(|start| start.realtime_nsec),
            imported_from: game.imported_from.clone(),
            set_up_at_clock: game.set_up_at_clock,
        }
    }
}

impl GameText {
    /// The names and texts of a game of which only the clock is known: those of its time control and
    /// of its rules.
    pub fn of_clock(of_clock: (&Control, Option<&Profile>)) -> GameText {
        GameText::from(&GameText::default().info(&RuleLibrary::default(), 0, of_clock))
    }

    /// Converts the texts to a [`GameInfo`]. `control` and `profile` are those of the clock of the
    /// game. If the text of the control file or of the rule file is missing or cannot be read, or
    /// if the rule file no longer gives `profile` because an inherited file was changed, a new text
    /// is made from `control` or `profile`.
    ///
    /// `now` is in nanoseconds of CLOCK_REALTIME. The service starts White's clock only if the
    /// scheduled start is later than `now`.
    pub fn info(
        self,
        library: &RuleLibrary,
        now: u64,
        (control, profile): (&Control, Option<&Profile>),
    ) -> GameInfo {
        let rules = profile.map(|profile| {
            let file = format!("{}.toml", self.rules);
            match NamedRules::parse(library, &self.rules, self.rules_text, &file) {
                Ok(rules) if rules.profile() == profile => rules,
                _ => NamedRules::of_profile(non_empty(&self.rules), *profile),
            }
        });
        let name = match self.control.is_empty() {
            true => spoken(control).unwrap_or_else(|_| UNNAMED.to_owned()),
            false => self.control,
        };
        let control_text = match NamedControl::parse(&name, self.control_text, "") {
            Ok(named) => named.text,
            Err(_) => to_toml(&name, control),
        };
        let start = self.start_realtime_ns.map(|realtime_nsec| ScheduledStart {
            realtime_nsec,
            starts_clock: realtime_nsec > now,
            is_late: false,
        });
        GameInfo {
            id: 0,
            rules: rules.map(Arc::new),
            captain_plays: Side::BOTH.into_iter().find(|side| side.as_str() == self.captain_plays),
            present_arbiter: self.present_arbiter,
            start,
            control: name,
            control_text,
            players: PerSide { white: self.white, black: self.black },
            board: self.board,
            round: self.round,
            event: self.event,
            imported_from: self.imported_from,
            texts_version: 0,
            set_up_at_clock: self.set_up_at_clock,
        }
    }
}

/// What is noted with a command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandNote {
    /// The name of the command.
    pub verb: String,
    /// The user id of the caller; `None` if the bus has not given it.
    pub uid: Option<u32>,
    /// The unique name of the caller's connection to the bus.
    pub sender: String,
    /// The capacity in which the command was given.
    pub capacity: String,
    /// The reason that the caller gave.
    pub reason: String,
    /// What the record keeps beside the reason: an attachment, a sealed move, the name of a rule profile
    /// or of a time control, a description of what is set up or rewound, or the names that change. Empty
    /// for other commands.
    pub text: String,
    /// The game after a `New`, an `Import`, a `SetRules`, a `ChangeTimeControl` or a `SetNames`; `None`
    /// for other commands.
    pub game: Option<Box<NotedGame>>,
}

/// A game with its identity, its names and its texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedGame {
    /// The identity: a random number.
    pub id: u64,
    /// The names of the game, and the texts of its files.
    pub text: GameText,
}

/// What is noted with an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryNote {
    /// With a command.
    Command(CommandNote),
    /// With the state of a game that the configuration has set up.
    SetUp(Box<GameText>),
}

/// The largest size of a note in bytes: a control file and a rule file, and room for names, reason
/// and numbers.
const MAX_NOTE: usize = ControlFile::LIMIT + FILE_LIMIT + 8 * 1024;
const _: () = assert!(MAX_NOTE < ENTRIES_BYTES / 2, "the largest note has no room in the memory");

impl EntryNote {
    /// The note for the clock loop. `game` is the identity of the game that begins; 0 if none does.
    pub fn encode(&self, game: u64) -> Note {
        // JSON is not used, because its escapes could make the texts six times as long.
        let bytes = postcard::to_extend(self, Vec::new()).unwrap_or_default();
        Note { game, bytes: bytes.into_boxed_slice() }
    }

    /// Reads a note. `None` if nothing is noted, or if the bytes are not a note of this version.
    pub fn read(bytes: &[u8]) -> Option<EntryNote> {
        postcard::from_bytes(bytes).ok()
    }
}

impl From<&GameInfo> for NotedGame {
    fn from(game: &GameInfo) -> NotedGame {
        NotedGame { id: game.id, text: GameText::from(game) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::rules::Authority;
    use clock_engine::{Method, Span};

    #[test]
    fn names_that_differ_are_said_with_the_earlier_ones() {
        let players = PerSide { white: "Vera Mencik".to_owned(), black: "Sonja".to_owned() };
        let game = GameInfo { players, event: "Open".to_owned(), ..GameInfo::default() };
        let names = Names {
            white_player: Some("Vera Menchik".to_owned()),
            black_player: Some("Sonja".to_owned()),
            event: Some(String::new()),
            round: Some("3".to_owned()),
            board: None,
        };
        let (game, said) = game.renamed(names);
        assert_eq!(said, "White Vera Mencik → Vera Menchik, event Open → (none), round (none) → 3");
        assert_eq!((game.players.white.as_str(), game.event.as_str()), ("Vera Menchik", ""));
        assert_eq!((game.players.black.as_str(), game.round.as_str()), ("Sonja", "3"));
        let (_, said) = game.renamed(Names::default());
        assert_eq!(said, "");
    }

    /// If the game lost its rule profile, a captain could rule at his own board
    /// (`authority::check`).
    #[test]
    fn a_game_keeps_its_rules_and_its_control_although_their_texts_cannot_be_read() {
        let control = Control::single(Span::from_secs(300), Method::Increment(Span::from_secs(3)));
        let profile = Profile { authority: Authority::Captains, ..Profile::default() };
        let info = |rules: &str, rules_text: &str, profile: Option<&Profile>| {
            let (rules, rules_text) = (rules.to_owned(), rules_text.to_owned());
            let text = GameText { rules, rules_text, ..GameText::default() };
            text.info(&RuleLibrary::default(), 0, (&control, profile))
        };
        for (name, text, found) in [
            ("juniors", "name = 'Juniors'\ninherits = 'gone'\n", "juniors"),
            ("juniors", "name = 'Juniors'\nauthority = 'arbiter'\n", "juniors"),
            ("juniors", "", "juniors"),
            ("", "", UNNAMED),
        ] {
            let rules = info(name, text, Some(&profile)).rules.unwrap();
            assert_eq!((rules.name.as_str(), rules.profile()), (found, &profile), "{text}");
            let again =
                NamedRules::parse(&RuleLibrary::default(), found, rules.text.clone(), "").unwrap();
            assert_eq!(again.profile(), &profile);
        }
        let info = info("", "", None);
        assert!(info.rules.is_none());
        let named = NamedControl::parse(&info.control, info.control_text, "").unwrap();
        assert_eq!((named.name.as_str(), named.control), ("5+3", control));
    }
}
