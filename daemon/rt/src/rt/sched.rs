//! Real-time priority and locked memory.

use rustix::mm::{Advice, MlockAllFlags, madvise, mlockall, munlock};
use rustix::param::page_size;
use std::fs;
use std::io;
use std::ops::Range;

/// A priority under SCHED_FIFO. LimitRTPRIO= of the systemd unit must allow the highest of the
/// constants below.
#[derive(Clone, Copy, Debug)]
pub struct Priority(libc::c_int);

impl Priority {
    /// The priority of the clock loop. It is below the priority of the kernel's interrupt threads
    /// (FIFO 50; 55 for those of the lines, which the unit raises). With a higher priority, the
    /// loop would starve the threads that queue its own edges, and edges would be merged with wrong
    /// stamps.
    pub(super) const CLOCK_LOOP: Priority = Priority(40);
    /// The priority of the thread that feeds the watchdog: the lowest one. It is above every
    /// ordinary program, so that a busy machine cannot delay this thread, and below the loop, so
    /// that this thread never delays a decision.
    pub const WATCHDOG: Priority = Priority(1);
}

/// How much of the stack below the frame of [`release_stack`] is kept, in bytes: more than the calls
/// in it need.
const RELEASE_MARGIN: usize = 16 * 1024;

/// Locks all mappings that exist now: each of their pages stays in memory from its first use on
/// (`MCL_ONFAULT`).
///
/// Without `MCL_ONFAULT`, all pages would be loaded at once, which needs many times the memory,
/// most of it never used. `MCL_FUTURE` is not set. It would also lock later mappings, which do not
/// belong to the loop. They would count against the limit (RLIMIT_MEMLOCK), so the stack of the
/// next thread or a growing heap would be refused.
pub fn lock_memory() -> io::Result<()> {
    mlockall(MlockAllFlags::CURRENT | MlockAllFlags::ONFAULT)?;
    Ok(())
}

/// Loads and maps all code of the program, so that no later call of a function waits for the disk.
///
/// Without this, a function that has not been called before is read from the disk at its first call
/// (a major page fault), if the kernel has not read it together with its neighbours. Whether it
/// has, depends on the order of the functions in the file. The code of shared libraries is not
/// loaded: the prefault calls what the loop uses of it.
///
/// # Errors
///
/// The mappings cannot be read, or the kernel is older than 5.14, in which
/// `MADV_POPULATE_READ` was added.
pub fn load_code() -> io::Result<()> {
    let program = fs::read_link("/proc/self/exe")?;
    let maps = fs::read_to_string("/proc/self/maps")?;
    for Range { start, end } in code_of(&maps, &program.to_string_lossy()) {
        let first = std::ptr::with_exposed_provenance_mut(start);
        // SAFETY: this advice only reads pages of a mapping, and changes nothing in them.
        unsafe { madvise(first, end - start, Advice::LinuxPopulateRead) }?;
    }
    Ok(())
}

/// The addresses of the executable mappings of a file, from the text of `/proc/self/maps`. See
/// proc_pid_maps(5): `START-END PERMISSIONS OFFSET DEVICE INODE PATH`.
fn code_of(maps: &str, path: &str) -> Vec<Range<usize>> {
    let is_code = |line: &&str| {
        let permissions = line.split(' ').nth(1).unwrap_or_default();
        permissions.starts_with("r-x") && line.ends_with(&format!(" {path}"))
    };
    maps.lines().filter(is_code).filter_map(addresses).collect()
}

/// The addresses in a line of `/proc/self/maps`.
fn addresses(line: &str) -> Option<Range<usize>> {
    let (start, end) = line.split(' ').next()?.split_once('-')?;
    let address = |hex| usize::from_str_radix(hex, 16).ok();
    Some(address(start)?..address(end)?)
}

/// Gives the unused part of the main thread's stack back to the kernel, and unlocks it. Only the
/// main thread may call this.
///
/// The start of a service can use far more of the stack than the running service. Without this, the
/// pages that only the start has used stay in memory, because `lock_memory` has locked them.
///
/// # Errors
///
/// `/proc/self/maps` cannot be read, or the kernel refuses to unlock the pages or to take them back.
#[inline(never)]
pub fn release_stack() -> io::Result<()> {
    let maps = fs::read_to_string("/proc/self/maps")?;
    let here = std::ptr::from_ref(&maps).addr();
    let Some(Range { start, .. }) = stack_of(&maps, here) else { return Ok(()) };
    let end = here - RELEASE_MARGIN;
    let end = end - end % page_size();
    if end <= start {
        return Ok(());
    }
    let first = std::ptr::with_exposed_provenance_mut(start);
    // SAFETY: the stack grows downwards, and `end` is more below this frame than the calls below
    // need. So nothing in the range is in use. The kernel supplies zeroed pages when it is used again.
    unsafe {
        munlock(first, end - start)?;
        madvise(first, end - start, Advice::LinuxDontNeed)
    }?;
    Ok(())
}

/// The addresses of the mapping that contains the address `here`, from the text of
/// `/proc/self/maps`, if this mapping is a stack.
fn stack_of(maps: &str, here: usize) -> Option<Range<usize>> {
    let stacks = maps.lines().filter(|line| line.ends_with("[stack]"));
    stacks.filter_map(addresses).find(|range| range.contains(&here))
}

/// Makes all threads share one arena for their allocations. A separate arena would reserve 64 MB of
/// addresses for each thread. These addresses count against the limit on locked memory although
/// they are not used.
pub fn keep_mappings_small() {
    // SAFETY: mallopt only sets a number, and is called before any other thread is started.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
}

/// Puts the calling thread under SCHED_FIFO. Threads that it starts later have no real-time
/// priority.
pub fn enter_realtime(priority: Priority) -> io::Result<()> {
    let param = libc::sched_param { sched_priority: priority.0 };
    let policy = libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK;
    // SAFETY: the parameter is a sched_param that lives for the whole call; 0 is this thread.
    let result = unsafe { libc::sched_setscheduler(0, policy, &raw const param) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_the_program_is_found_among_its_mappings() {
        let maps = "55c0-55c4 r--p 00000000 fe:00 12  /usr/bin/clockd\n\
                    55c4-55d0 r-xp 00004000 fe:00 12  /usr/bin/clockd\n\
                    7f00-7f10 r-xp 00000000 fe:00 13  /usr/lib/libc.so.6\n\
                    7ffc-7ffd r-xp 00000000 00:00 0   [vdso]\n";
        let code = code_of(maps, "/usr/bin/clockd");
        assert_eq!((code.len(), &code[0]), (1, &(0x55c4..0x55d0)));
        assert!(code_of(maps, "/bin/clockd").is_empty());
    }

    #[test]
    fn the_stack_is_the_mapping_of_that_name_with_the_address() {
        let maps = "7f00-7f10 rw-p 00000000 00:00 0 \n\
                    7fa0-7fb0 rw-p 00000000 00:00 0                          [stack]\n\
                    7fb0-7fc0 rw-p 00000000 00:00 0                          [stack]\n";
        assert_eq!(stack_of(maps, 0x7fb8), Some(0x7fb0..0x7fc0));
        assert_eq!(stack_of(maps, 0x7f08), None, "a thread other than the main thread");
    }

    #[test]
    fn all_code_of_the_program_is_mapped_once_it_is_loaded() {
        load_code().unwrap();
        let smaps = fs::read_to_string("/proc/self/smaps").unwrap();
        let program = fs::read_link("/proc/self/exe").unwrap();
        let mappings = smaps.split_inclusive("VmFlags:");
        let kilobytes = |mapping: &str, key: &str| -> Option<u64> {
            let line = mapping.lines().find_map(|line| line.strip_prefix(key))?;
            line.trim().trim_end_matches(" kB").parse().ok()
        };
        let code: Vec<&str> = mappings
            .filter(|mapping| {
                let is_code = |line| !code_of(line, &program.to_string_lossy()).is_empty();
                mapping.lines().any(is_code)
            })
            .collect();
        assert!(!code.is_empty());
        for mapping in code {
            assert_eq!(kilobytes(mapping, "Rss:"), kilobytes(mapping, "Size:"));
        }
    }
}
