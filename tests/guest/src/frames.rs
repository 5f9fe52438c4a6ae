//! When a program hands a picture to the kernel, and when the kernel is done with it.
//!
//! The program runs under ptrace, and a filter of its system calls stops it at that one request only. `strace` can select a
//! system call and not its request: it would stop the program at every `ioctl`, and delay the pictures that it measures.

use crate::button::now;
use crate::thread::{trace, wait_for};
use anyhow::{Context, Result, ensure};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};
use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// `DRM_IOCTL_MODE_DIRTYFB` of the kernel's `drm/drm.h`, with which a program says which part of the picture is new.
const DIRTYFB: u64 = 0xc018_64b1;

/// The signal of a thread that stops where a system call returns, with `PTRACE_O_TRACESYSGOOD`.
const RETURNED: i32 = libc::SIGTRAP | 0x80;

#[derive(clap::Args)]
pub struct Frames {
    /// The program and its arguments.
    #[arg(required = true, trailing_var_arg = true)]
    command: Vec<String>,
}

impl Frames {
    /// Runs the program. Prints for each picture the instants of CLOCK_MONOTONIC at which the call began and returned.
    pub fn run(self) -> Result<()> {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        let filter = stop_at_pictures()?;
        // SAFETY: between fork and exec, both make system calls and allocate nothing.
        unsafe {
            command.pre_exec(move || {
                be_traced()?;
                seccompiler::apply_filter(&filter).map_err(|_| std::io::ErrorKind::Other.into())
            })
        };
        let child = command.spawn().with_context(|| self.command[0].clone())?;
        let process = i32::try_from(child.id())?;
        // The program stops at its start.
        ensure!(libc::WIFSTOPPED(wait_for(process)?.1), "{} has ended at once", self.command[0]);
        let options = libc::PTRACE_O_TRACESECCOMP
            | libc::PTRACE_O_TRACESYSGOOD
            | libc::PTRACE_O_TRACECLONE
            | libc::PTRACE_O_TRACEEXEC
            | libc::PTRACE_O_EXITKILL;
        trace(libc::PTRACE_SETOPTIONS, process, 0, options.into())?;
        trace(libc::PTRACE_CONT, process, 0, 0)?;
        follow(process)
    }
}

/// Follows the threads of the program until it has ended.
fn follow(process: i32) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let mut called = None;
    loop {
        let (thread, status) = wait_for(-1)?;
        if !libc::WIFSTOPPED(status) {
            if thread == process {
                return Ok(());
            }
            continue;
        }
        let (signal, event) = (libc::WSTOPSIG(status), status >> 16);
        let mut go_on = libc::PTRACE_CONT;
        let mut passed_on = 0;
        match (signal, event) {
            (libc::SIGTRAP, libc::PTRACE_EVENT_SECCOMP) => {
                called = Some(now());
                go_on = libc::PTRACE_SYSCALL;
            }
            (RETURNED, _) => {
                let returned = now();
                let called = called.take().context("a call has returned that did not begin")?;
                writeln!(out, "{}", serde_json::json!({ "called": called, "returned": returned }))?;
            }
            // A new thread and its start, or another program in the place of this one.
            (libc::SIGTRAP | libc::SIGSTOP, _) => {}
            _ => passed_on = signal,
        }
        trace(go_on, thread, 0, passed_on.into())?;
    }
}

fn be_traced() -> std::io::Result<()> {
    // SAFETY: the request has no arguments.
    let done = unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) };
    if done == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

/// A filter that stops a program at `ioctl` with the request [`DIRTYFB`], and lets every other call pass.
fn stop_at_pictures() -> Result<BpfProgram> {
    let is_picture = SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, DIRTYFB)?;
    let rules = BTreeMap::from([(libc::SYS_ioctl, vec![SeccompRule::new(vec![is_picture])?])]);
    let (others, pictures) = (SeccompAction::Allow, SeccompAction::Trace(0));
    let filter = SeccompFilter::new(rules, others, pictures, std::env::consts::ARCH.try_into()?)?;
    Ok(filter.try_into()?)
}
