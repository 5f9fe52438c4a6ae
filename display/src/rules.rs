//! The parameters of the game's rule profile that concern the display. The clauses that are named
//! here, such as S0 6.15, are in `docs/laws.md`.

/// The parameters of a rule profile that concern the display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether the press counters, and the moves left in an overtime, are shown (S0 6.15, FIDE
    /// 12.6).
    pub show_moves: bool,
    /// Whether Black's press starts White's clock (S0 6.5); `None` if the profile is not known.
    pub black_starts: Option<bool>,
    /// Whether somebody has the arbiter's authority. In a game without an arbiter the players confirm
    /// together that the game goes on, and enter the result (S2 III.6).
    pub has_arbiter: bool,
}

impl Rules {
    /// The parameters of a game without a rule profile.
    pub const NONE: Rules = Rules { show_moves: true, black_starts: Some(true), has_arbiter: true };
    /// The parameters while the profile is not known. The face then shows nothing that a profile
    /// can forbid.
    pub const UNKNOWN: Rules = Rules { show_moves: false, black_starts: None, has_arbiter: true };

    /// Reads the parameters from the text of a rule profile, as the service returns it
    /// (`GetRules`). Each parameter is on its own line before the first table. A missing parameter
    /// counts as `false`; without `authority`, the arbiter has it.
    pub fn of_file(text: &str) -> Rules {
        let has = |key: &str, wanted: &str| {
            let parameters = text.lines().take_while(|line| !line.starts_with('['));
            let mut values = parameters.filter_map(|line| line.split_once('='));
            values.any(|(name, value)| name.trim() == key && value.trim() == wanted)
        };
        Rules {
            show_moves: has("show_moves", "true"),
            black_starts: Some(has("black_starts", "true")),
            has_arbiter: !has("authority", "\"nobody\""),
        }
    }

    /// The title in the text of a rule profile, for people; `None` if it has none.
    pub fn title_of_file(text: &str) -> Option<String> {
        let mut parameters = text.lines().take_while(|line| !line.starts_with('['));
        let (_, value) = parameters
            .find_map(|line| line.split_once('=').filter(|(key, _)| key.trim() == "name"))?;
        let title = value.trim().strip_prefix('"')?.strip_suffix('"')?;
        Some(title.to_owned()).filter(|title| !title.is_empty() && !title.contains('\\'))
    }
}

#[cfg(test)]
mod tests {
    use super::Rules;

    #[test]
    fn each_parameter_is_read_from_its_line() {
        let rules = |show_moves, black_starts| Rules {
            show_moves,
            black_starts: Some(black_starts),
            has_arbiter: true,
        };
        for (text, expected) in [
            ("name = \"x\"\nshow_moves = true\nblack_starts = true\n", rules(true, true)),
            ("show_moves = false\nblack_starts = true\n", rules(false, true)),
            ("show_moves = true\nblack_starts = false\n", rules(true, false)),
            ("black_starts = true\n[guidance]\nshow_moves = true\n", rules(false, true)),
            ("", rules(false, false)),
        ] {
            assert_eq!(Rules::of_file(text), expected, "{text}");
        }
        assert!(!Rules::of_file("authority = \"nobody\"\n").has_arbiter);
        assert!(Rules::of_file("authority = \"captains\"\n").has_arbiter);
        let title = |text| Rules::title_of_file(text);
        assert_eq!(title("# x\nname = \"FIDE Laws\"\n").as_deref(), Some("FIDE Laws"));
        assert_eq!(title("show_moves = true\n[x]\nname = \"y\"\n"), None);
    }
}
