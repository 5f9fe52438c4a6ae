//! A backup of a clock: one tar file with the record, the settings and a manifest.

mod archive;
mod place;
mod stick;
mod system;

pub use archive::{Checked, FORMAT, InArchive, Manifest, Unfit, Writer, check, manifest_of};
pub use place::Place;
pub use stick::{Disks, Stick, StickLock, mounted_at};
pub use system::System;
