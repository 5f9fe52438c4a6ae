//! The arguments of `clockctl image set` and `apply`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(super) struct Set {
    /// The set-up file: chessclock.toml(5)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The card, its image, or the folder where its boot partition is mounted
    #[arg(value_name = "CARD")]
    pub card: PathBuf,
    /// A table with one line for each board, whose titles are board, host_name or other keys of the
    /// file; the values of the line replace those of the file
    #[arg(long, value_name = "TABLE", requires = "board")]
    pub csv: Option<PathBuf>,
    /// The board of the table whose card this is
    #[arg(long, value_name = "BOARD", requires = "csv")]
    pub board: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct Apply {
    /// The set-up file, which need not exist
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The root of the system that is set up
    #[arg(long, value_name = "FOLDER", default_value = "/")]
    pub root: PathBuf,
    /// The file for the reason if the set-up file is refused; it is removed otherwise
    #[arg(long, value_name = "FILE")]
    pub refused: Option<PathBuf>,
}
