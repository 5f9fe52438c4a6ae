//! Threads of the clock that are killed, stopped or made to spin.

use anyhow::{Context, Result, ensure};
use std::fs::read_to_string;
use std::path::PathBuf;

/// The process with this name, if it runs.
pub fn find_process(name: &str) -> Option<i32> {
    with_name("/proc".into(), name)
}

/// The thread with this name of a process.
pub fn find_thread(process: i32, name: &str) -> Result<i32> {
    with_name(format!("/proc/{process}/task").into(), name)
        .with_context(|| format!("process {process} has no thread {name}"))
}

fn with_name(folder: PathBuf, name: &str) -> Option<i32> {
    let ids = std::fs::read_dir(folder).ok()?.flatten();
    ids.filter(|entry| {
        read_to_string(entry.path().join("comm")).is_ok_and(|comm| comm.trim_end() == name)
    })
    .find_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Kills a process with SIGKILL, which it cannot catch.
pub fn kill(process: i32) -> Result<()> {
    // SAFETY: the arguments are numbers.
    let done = unsafe { libc::kill(process, libc::SIGKILL) };
    ensure!(done == 0, "kill: {}", std::io::Error::last_os_error());
    Ok(())
}

/// A thread that is traced. If a traced thread is killed, it is gone only after its tracer has
/// waited for it.
pub struct Traced(i32);

impl Traced {
    /// Stops the thread, while the other threads of its process run on.
    pub fn stop(thread: i32) -> Result<Traced> {
        trace(libc::PTRACE_SEIZE, thread, 0, 0)?;
        trace(libc::PTRACE_INTERRUPT, thread, 0, 0)?;
        wait_for(thread)?;
        Ok(Traced(thread))
    }

    /// Waits until the thread has ended.
    pub fn wait_for_end(self) -> Result<()> {
        while libc::WIFSTOPPED(wait_for(self.0)?.1) {}
        Ok(())
    }

    /// Replaces the thread's next instruction by a jump to itself, and lets the thread go. When the
    /// system call in which the thread waits returns, the thread uses the processor for ever.
    pub fn make_spin(self) -> Result<()> {
        let at = self.next_instruction()?;
        let word = trace(libc::PTRACE_PEEKTEXT, self.0, at, 0)?;
        let mask = (1_i64 << (8 * JUMP_BYTES)) - 1;
        trace(libc::PTRACE_POKETEXT, self.0, at, (word & !mask) | JUMP_TO_ITSELF)?;
        trace(libc::PTRACE_DETACH, self.0, 0, 0)?;
        Ok(())
    }

    fn next_instruction(&self) -> Result<i64> {
        // SAFETY: the registers are plain numbers, for which zeros are valid.
        let mut registers: libc::user_regs_struct = unsafe { std::mem::zeroed() };
        let mut vector =
            libc::iovec { iov_base: (&raw mut registers).cast(), iov_len: size_of_val(&registers) };
        // SAFETY: the vector and the registers that it describes live for the time of the call.
        let done = unsafe {
            libc::ptrace(
                libc::PTRACE_GETREGSET,
                self.0,
                i64::from(libc::NT_PRSTATUS),
                &raw mut vector,
            )
        };
        ensure!(done == 0, "its registers: {}", std::io::Error::last_os_error());
        #[cfg(target_arch = "aarch64")]
        let at = registers.pc;
        #[cfg(target_arch = "x86_64")]
        let at = registers.rip;
        Ok(at.cast_signed())
    }
}

/// The machine code of a jump to itself, in the order of the processor's bytes.
#[cfg(target_arch = "aarch64")]
const JUMP_TO_ITSELF: i64 = 0x1400_0000;
#[cfg(target_arch = "aarch64")]
const JUMP_BYTES: u32 = 4;
#[cfg(target_arch = "x86_64")]
const JUMP_TO_ITSELF: i64 = 0xfeeb;
#[cfg(target_arch = "x86_64")]
const JUMP_BYTES: u32 = 2;

/// Makes a request of `ptrace` for a thread. Returns the word that the request has read, if it
/// reads one.
pub fn trace(request: libc::c_uint, thread: i32, address: i64, data: i64) -> Result<i64> {
    // The result -1 can also be a word that was read. Only a failure changes errno.
    // SAFETY: errno is this thread's own. The requests here read and write the traced thread only.
    let (done, errno) = unsafe {
        *libc::__errno_location() = 0;
        (libc::ptrace(request, thread, address, data), *libc::__errno_location())
    };
    ensure!(errno == 0, "ptrace {request}: {}", std::io::Error::from_raw_os_error(errno));
    Ok(done)
}

/// Waits until this traced thread has stopped or ended. If `thread` is -1, waits until any traced
/// thread has. Returns the number of that thread and its wait status.
pub fn wait_for(thread: i32) -> Result<(i32, i32)> {
    let mut status = 0;
    // SAFETY: the status is a live integer for the time of the call.
    let waited = unsafe { libc::waitpid(thread, &raw mut status, libc::__WALL) };
    ensure!(waited > 0, "waitpid: {}", std::io::Error::last_os_error());
    Ok((waited, status))
}
