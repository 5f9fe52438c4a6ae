//! Finds the retained memory that the process before this one left, or makes new memory.

use super::{BootId, RetainedMemory};
use crate::passed_fds::{MEMORY, keep_fd, take_fd};
use std::io;
use std::os::fd::{AsFd, OwnedFd};

/// Which process wrote the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An earlier process of the service wrote it.
    Earlier,
    /// No process: the memory is new and empty.
    New,
    /// No process: the memory is new and empty, because that of an earlier process is damaged.
    Damaged,
}

/// Returns the memory of an earlier process, if there is such memory and it can be used. Otherwise
/// makes new memory, and asks systemd to keep it for the next process.
pub fn open(boot_id: BootId, format: u64) -> io::Result<(RetainedMemory, Origin)> {
    let kept = take_fd(MEMORY).unwrap_or_else(|reason| {
        tracing::warn!(%reason, "systemd passed no usable descriptors");
        None
    });
    let (memory, origin) = adopt_or_create(kept, boot_id, format)?;
    if origin == Origin::Earlier {
        return Ok((memory, origin));
    }
    if let Err(reason) = keep_fd(memory.as_fd(), MEMORY) {
        tracing::warn!(%reason, "systemd does not keep the memory: a killed clockd loses what is in it");
    }
    Ok((memory, origin))
}

/// Adopts the memory `kept`. Makes new memory if that is `None` or cannot be used.
pub fn adopt_or_create(
    kept: Option<OwnedFd>,
    boot_id: BootId,
    format: u64,
) -> io::Result<(RetainedMemory, Origin)> {
    let origin = match kept.map(|fd| RetainedMemory::adopt(fd, boot_id, format)) {
        Some(Ok(memory)) => return Ok((memory, Origin::Earlier)),
        Some(Err(reason)) => {
            tracing::warn!(%reason, "the memory of the clockd before this one cannot be used");
            if reason.is_damage() { Origin::Damaged } else { Origin::New }
        }
        None => Origin::New,
    };
    Ok((RetainedMemory::create(boot_id, format)?, origin))
}

/// Reads a boot id: 32 hexadecimal digits, with any number of hyphens between them.
pub fn parse_boot_id(text: &str) -> Option<BootId> {
    let digits: String = text.trim().chars().filter(|letter| *letter != '-').collect();
    let id = u128::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 32)?;
    Some(id.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boot_id_is_read() {
        let id = parse_boot_id("00010203-0405-0607-0809-0a0b0c0d0e0f\n");
        assert_eq!(id, Some([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]));
        for wrong in [
            "",
            "0001",
            "00010203-0405-0607-0809-0a0b0c0d0e0f0",
            "+0010203040506070809a0b0c0d0e0fx",
        ] {
            assert_eq!(parse_boot_id(wrong), None, "{wrong}");
        }
    }
}
