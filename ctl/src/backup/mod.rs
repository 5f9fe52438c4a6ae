//! A backup of a clock: one tar file with the record, the settings and a manifest.

mod archive;
mod manifest;
mod place;
mod stick;
mod system;

pub use archive::{Checked, InArchive, Unfit, Writer, check, manifest_of};
pub use manifest::{FORMAT, Manifest};
pub use place::Place;
pub use stick::{Disks, Stick, StickLock, mounted_at};
pub use system::System;
