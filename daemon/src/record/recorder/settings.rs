//! How the record is kept.

/// How much of the record is kept, and how often the time of a running clock is stored.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The file; `None` keeps no record.
    pub path: Option<std::path::PathBuf>,
    /// How many games are kept. The present game and adjourned games are always kept.
    pub keep_games: u64,
    /// How often the time of a running clock is stored. After a power cut, the clock continues with
    /// the time of the last press or of the last checkpoint.
    pub checkpoint: std::time::Duration,
}
