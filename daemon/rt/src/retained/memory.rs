//! Finds the retained memory that the process before this one left, or makes new memory: a memfd that is mapped into this process, as an array of 64-bit words.
//!
//! Every access is an atomic one. So no access is undefined behaviour, whatever another process
//! wrote, and threads that share the memory need no lock.

use std::io;
use std::ops::{Deref, Range};
use std::os::fd::{AsFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::Arc;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, fstat, ftruncate};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use super::{BootId, NotUsable, RetainedMemory};
use crate::passed_fds::{MEMORY, keep_fd, take_fd};
pub use std::sync::atomic::{AtomicU64, Ordering, fence};

/// The number of words in the smallest page of any processor that clockd runs on.
const PAGE: usize = 4096 / 8;

/// A mapping of a whole memfd. The kernel keeps the memory as long as any process has the memfd
/// open or mapped.
pub struct Memory {
    start: NonNull<AtomicU64>,
    words: usize,
}

// SAFETY: the mapping belongs to the process, not to a thread, and is accessed through atomics
// only.
unsafe impl Send for Memory {}
// SAFETY: as for Send.
unsafe impl Sync for Memory {}

impl Memory {
    /// Makes a new memfd of zeros, and maps it. Seals prevent every change of its size.
    pub fn create(words: usize) -> io::Result<(OwnedFd, Memory)> {
        let fd = memfd()?;
        ftruncate(&fd, u64::try_from(words * 8).map_err(io::Error::other)?)?;
        fcntl_add_seals(&fd, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        let memory = Memory::map(&fd, words)?;
        Ok((fd, memory))
    }

    /// Maps a memfd that [`Memory::create`] made, possibly in a process that no longer exists.
    pub fn open(fd: impl AsFd, words: usize) -> Result<Memory, NotUsable> {
        let size = fstat(&fd).map_err(io::Error::from)?.st_size;
        if usize::try_from(size).ok() != words.checked_mul(8) {
            return Err(NotUsable::Size { bytes: size });
        }
        // If the file became shorter than its mapping, the next access would kill clockd. So a seal
        // must prevent that.
        let sealed = fcntl_get_seals(&fd).is_ok_and(|seals| seals.contains(SealFlags::SHRINK));
        if !sealed {
            return Err(NotUsable::NotSealed);
        }
        Ok(Memory::map(fd, words)?)
    }

    fn map(fd: impl AsFd, words: usize) -> io::Result<Memory> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: the kernel chooses the address, so no other mapping is replaced.
        let start =
            unsafe { mmap(std::ptr::null_mut(), words * 8, access, MapFlags::SHARED, fd, 0) }?;
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::AddrNotAvailable)?;
        Ok(Memory { start, words })
    }

    /// Writes to every page of these words, so that no later access to them causes a page fault. No
    /// other thread or process may write at the same time, because this could undo what it has just
    /// written.
    pub fn touch(&self, words: Range<usize>) {
        for word in self.words()[words].iter().step_by(PAGE) {
            word.store(word.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping starts at a page, has this many words for as long as `self` lives,
        // and never becomes shorter because of the seal. Every content of a word is a valid
        // AtomicU64.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.words) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the mapping was made with this start and size, and all references to it have
        // ended.
        let unmapped = unsafe { munmap(self.start.as_ptr().cast(), self.words * 8) };
        debug_assert!(unmapped.is_ok());
    }
}

/// Makes a memfd that can be sealed and never executed. Linux before 6.3 does not know
/// `NOEXEC_SEAL`, so there the memfd is made without it.
fn memfd() -> io::Result<OwnedFd> {
    let create = |more| {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING | more;
        rustix::fs::memfd_create("clockd", flags)
    };
    match create(MemfdFlags::NOEXEC_SEAL) {
        Err(rustix::io::Errno::INVAL) => Ok(create(MemfdFlags::empty())?),
        other => Ok(other?),
    }
}

/// A part of the memory.
#[derive(Clone)]
pub struct Area {
    memory: Arc<Memory>,
    words: Range<usize>,
}

impl Area {
    /// The words of this range. Panics if the range is not within the memory.
    pub fn new(memory: &Arc<Memory>, words: Range<usize>) -> Area {
        assert!(words.start <= words.end && words.end <= memory.words, "{words:?}");
        Area { memory: Arc::clone(memory), words }
    }
}

impl Deref for Area {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        &self.memory.words()[self.words.clone()]
    }
}

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
