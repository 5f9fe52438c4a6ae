//! The table `[record]` of `clockd.toml`.

use super::Duration;
use clock_engine::Span;
use serde::Deserialize;
use std::ops::Range;
use std::path::PathBuf;
use toml::Spanned;

/// How many games are kept, unless the configuration says otherwise. This number of games needs at
/// most about 230 MB.
const DEFAULT_GAMES: u32 = 2_000;
/// How often the time of a running clock is stored, unless the configuration says otherwise.
const DEFAULT_CHECKPOINT: Span = Span::from_secs(5);
/// The longest interval for `checkpoint`. With a longer interval, a power cut could lose more time
/// than a player can remember.
const LONGEST_CHECKPOINT: Span = Span::from_secs(60);
/// The shortest interval for `checkpoint`. A shorter one would wear out an SD card.
const SHORTEST_CHECKPOINT: Span = Span::from_secs(1);

/// How the record is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordConfig {
    /// The folder of the record; `None` if the configuration names none.
    pub path: Option<PathBuf>,
    /// How many games are kept.
    pub keep_games: u32,
    /// How often the time of a running clock is stored.
    pub checkpoint: Span,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as [record]")]
pub(super) struct RawRecord {
    path: Option<Spanned<PathBuf>>,
    keep_games: Option<Spanned<u32>>,
    checkpoint: Option<Spanned<Duration>>,
}

impl RawRecord {
    /// The values of the table `[record]`, with defaults for missing keys. The error is the
    /// position in the text and the message.
    pub(super) fn record(self) -> Result<RecordConfig, (Range<usize>, String)> {
        let path = self.path.map(|path| {
            let text = path.get_ref().to_string_lossy();
            match path.get_ref().is_absolute() && !text.contains(char::is_control) {
                true => Ok(path.into_inner()),
                false => Err((
                    path.span(),
                    "expected an absolute path without control characters".to_owned(),
                )),
            }
        });
        let keep_games = self.keep_games.map(|count| match *count.get_ref() {
            0 => Err((count.span(), "expected at least 1".to_owned())),
            count => Ok(count),
        });
        let checkpoint = self.checkpoint.map(|span| {
            let allowed = SHORTEST_CHECKPOINT..=LONGEST_CHECKPOINT;
            match span.get_ref().0 {
                given if allowed.contains(&given) => Ok(given),
                _ => Err((span.span(), "expected 1 s to 60 s".to_owned())),
            }
        });
        Ok(RecordConfig {
            path: path.transpose()?,
            keep_games: keep_games.transpose()?.unwrap_or(DEFAULT_GAMES),
            checkpoint: checkpoint.transpose()?.unwrap_or(DEFAULT_CHECKPOINT),
        })
    }
}
