//! Reads from a board file which GPIO lines the lamps and the buzzer use, and checks that no line
//! of the file is used twice. clockd reads and checks the other keys.

use std::path::Path;

use clock_board::{ChipLabels, Lamps, LineName, Wire, WiredLines};
use serde::Deserialize;
use toml::Spanned;

use crate::config::{Config, ConfigError, parse, read};

/// The GPIO lines of the enabled devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardLines {
    /// The labels of the GPIO chips that the board can have. The first label whose chip the machine
    /// has is used.
    pub chips: Vec<String>,
    /// The lines of White's lamp and Black's lamp; `None` if the lamps are not enabled.
    pub lamps: Option<[LineName; 2]>,
    pub buzzer: Option<LineName>,
}

/// The keys of a board file that are read here; other keys are ignored. `white`, `black` and `call`
/// are the lines of the buttons. They are read only to find a line that is used twice.
#[derive(Deserialize)]
struct RawBoard {
    chip: Spanned<ChipLabels>,
    white: Option<Wire>,
    black: Option<Wire>,
    call: Option<Wire>,
    lamp: Option<Lamps>,
    buzzer: Option<Wire>,
}

impl BoardLines {
    /// Reads the lines of the enabled devices from the board file that `config` names, or from the
    /// file of the default board if `config` names none. Returns `None` if neither the lamps nor
    /// the buzzer are enabled. `path` and `text` are those of the configuration file.
    pub fn of(config: &Config, path: &Path, text: &str) -> Result<Option<BoardLines>, ConfigError> {
        if !config.lamps.enabled && !config.buzzer.enabled {
            return Ok(None);
        }
        let (name, place) = match &config.board {
            Some(name) => (name.as_ref().as_str(), name.span().start),
            None => (clock_board::DEFAULT, 0),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let board = clock_board::find(folder, name)
            .map_err(|missing| ConfigError::wrong(path, text, place, missing.to_string()))?;
        BoardLines::parse(config, &board, &read(&board)?).map(Some)
    }

    fn parse(config: &Config, path: &Path, text: &str) -> Result<BoardLines, ConfigError> {
        let raw: RawBoard = parse(path, text)?;
        let wrong = |place, message: String| Err(ConfigError::wrong(path, text, place, message));
        if let Some(twice) = raw.lines().used_twice() {
            let (first, second) = (twice.first, twice.second);
            let message = format!("this line is used twice, by `{first}` and `{second}`");
            return wrong(twice.span.start, message);
        }
        let place = raw.chip.span().start;
        let Some(chips) = raw.chip.into_inner().into_labels() else {
            let message = "`chip` names no chip; expected a label or a list of labels";
            return wrong(place, message.into());
        };
        let lamps = raw.lamp.filter(|_| config.lamps.enabled);
        let buzzer = raw.buzzer.filter(|_| config.buzzer.enabled);
        for (key, enabled, is_wired) in [
            ("lamp", config.lamps.enabled, lamps.is_some()),
            ("buzzer", config.buzzer.enabled, buzzer.is_some()),
        ] {
            if enabled && !is_wired {
                let message = format!("this board has no [{key}], which display.toml enables");
                return wrong(0, message);
            }
        }
        let name = |wire: Wire| wire.line.into_inner();
        Ok(BoardLines {
            chips,
            lamps: lamps.map(|lamps| [name(lamps.white), name(lamps.black)]),
            buzzer: buzzer.map(name),
        })
    }
}

impl RawBoard {
    fn lines(&self) -> WiredLines<'_> {
        WiredLines {
            white: self.white.as_ref(),
            black: self.black.as_ref(),
            call: self.call.as_ref(),
            lamp: self.lamp.as_ref(),
            buzzer: self.buzzer.as_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::config::{BuzzerConfig, LampsConfig};

    const BOARD: &str = "chip = ['a', 'b']\nwhite.line = 17\nblack.line = 27\n[lamp]\nwhite.line = 23\n\
                         black.line = 'GPIO24'\n[buzzer]\nline = 25\n";

    fn config(lamps: bool, buzzer: bool) -> Config {
        Config {
            lamps: LampsConfig { enabled: lamps },
            buzzer: BuzzerConfig { enabled: buzzer, ..BuzzerConfig::default() },
            ..Config::default()
        }
    }

    fn parsed(config: &Config, text: &str) -> Result<BoardLines, String> {
        BoardLines::parse(config, Path::new("b.toml"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn only_the_lines_of_what_is_enabled_are_taken() {
        let lamps = Some([LineName::Offset(23), LineName::Name("GPIO24".into())]);
        let buzzer = Some(LineName::Offset(25));
        for (lamps_enabled, buzzer_enabled) in [(true, true), (true, false), (false, true)] {
            let lines = parsed(&config(lamps_enabled, buzzer_enabled), BOARD).unwrap();
            assert_eq!(lines.chips, ["a", "b"]);
            assert_eq!(lines.lamps, lamps.clone().filter(|_| lamps_enabled));
            assert_eq!(lines.buzzer, buzzer.clone().filter(|_| buzzer_enabled));
        }
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let both = config(true, true);
        for (text, wanted) in [
            (
                BOARD.replace("line = 25", "line = 17"),
                "b.toml:8:8: this line is used twice, by `white` and `buzzer`",
            ),
            (
                BOARD.replace("line = 23", "line = 'GPIO24'"),
                "b.toml:6:14: this line is used twice, by `lamp.white` and `lamp.black`",
            ),
            (
                format!(
                    "chip = 'a'\n[buzzer]\nline = 25\n{}",
                    "[lamp]\nwhite.line = 25\nblack.line = 24\n"
                ),
                "b.toml:5:14: this line is used twice, by `buzzer` and `lamp.white`",
            ),
            (
                BOARD.replace("line = 25", "line = -1"),
                "b.toml:8:8: a line offset such as 17, or a line name such as \"GPIO17\"",
            ),
            (
                BOARD.replace("['a', 'b']", "[]"),
                "b.toml:1:8: `chip` names no chip; expected a label or a list of labels",
            ),
            (BOARD.replace("chip = ['a', 'b']", ""), "b.toml:1:1: missing field `chip`"),
            (
                BOARD.replace("[buzzer]\nline = 25\n", ""),
                "b.toml:1:1: this board has no [buzzer], which display.toml enables",
            ),
            (
                BOARD.replace("[lamp]", "[other]"),
                "b.toml:1:1: this board has no [lamp], which display.toml enables",
            ),
            (
                BOARD.replace("line = 25", "pin = 25"),
                "b.toml:8:1: unknown field `pin`, expected `line`",
            ),
        ] {
            assert_eq!(parsed(&both, &text).unwrap_err(), wanted, "{text}");
        }
    }

    #[test]
    fn the_board_is_looked_for_like_clockds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("display.toml");
        let of = |board: &str| {
            let text = format!("{board}\n[lamps]\nenabled = true\n");
            let config = parse::<Config>(&path, &text).unwrap();
            BoardLines::of(&config, &path, &text)
        };
        let missing = of("\nboard = 'nowhere'").unwrap_err().to_string();
        let looked = folder.path().join("boards/nowhere.toml").display().to_string();
        let shared = "/usr/share/chess-clock/boards/nowhere.toml";
        let message =
            format!("{}:2:9: no board `nowhere`; looked for {looked} and {shared}", path.display());
        assert_eq!(missing, message);
        std::fs::create_dir(folder.path().join("boards")).unwrap();
        std::fs::write(&looked, BOARD).unwrap();
        assert_eq!(of("board = 'nowhere'").unwrap().unwrap().chips, ["a", "b"]);
        assert_eq!(of("board = 'boards/nowhere.toml'").unwrap().unwrap().chips, ["a", "b"]);
        std::fs::write(
            folder.path().join("boards/raspberry-pi.toml"),
            BOARD.replace("['a', 'b']", "'c'"),
        )
        .unwrap();
        assert_eq!(of("").unwrap().unwrap().chips, ["c"]);
        // No board file is read if no device is enabled.
        let off = parse::<Config>(&path, "board = 'elsewhere'").unwrap();
        assert!(BoardLines::of(&off, &path, "").unwrap().is_none());
    }

    #[test]
    fn the_shipped_boards_have_lamps_and_a_buzzer() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/boards");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let lines =
                BoardLines::parse(&config(true, true), &path, &read(&path).unwrap()).unwrap();
            assert!(lines.lamps.is_some() && lines.buzzer.is_some() && lines.chips.len() == 3);
        }
    }
}
