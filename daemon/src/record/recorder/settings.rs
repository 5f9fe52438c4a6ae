//! How the record is kept.

/// The folder of the record, how much of the record is kept, and how often the time of a running
/// clock is stored.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder; `None` if no record is kept.
    pub path: Option<std::path::PathBuf>,
    /// How many games are kept. The latest game and adjourned games are always kept.
    pub keep_games: u64,
    /// How often the time of a running clock is stored as a checkpoint. After a power cut, the
    /// clock continues with the time of the latest entry or of the checkpoint, whichever is later.
    pub checkpoint: std::time::Duration,
}
