//! The arguments of `clockctl backup save`, `list` and `load`.

use std::path::PathBuf;

#[derive(Clone, Debug, clap::Args)]
pub(super) struct Save {
    /// A folder, a new file, or a partition that is not mounted, such as /dev/sda1 [default: the one
    /// USB stick, which can be pulled out afterwards]
    #[arg(value_name = "TARGET")]
    pub target: Option<PathBuf>,
    /// The root of the system
    #[arg(long, value_name = "FOLDER", default_value = "/")]
    pub root: PathBuf,
}

#[derive(Clone, Debug, clap::Args)]
pub(super) struct List {
    /// A folder, a backup, or a partition that is not mounted [default: the one USB stick]
    #[arg(value_name = "SOURCE")]
    pub source: Option<PathBuf>,
}

#[derive(Clone, Debug, clap::Args)]
pub(super) struct Load {
    /// The backup, or the folder or the partition that has no other one [default: that of the one USB
    /// stick]
    #[arg(value_name = "SOURCE")]
    pub source: Option<PathBuf>,
    /// The root of the system; for another one than / nothing is stopped or started
    #[arg(long, value_name = "FOLDER", default_value = "/")]
    pub root: PathBuf,
}
