//! Measures when a program hands each picture to the kernel with a call of `ioctl`, and when the
//! call returns.
//!
//! The program runs under ptrace, with a seccomp filter that stops it only at the calls of `ioctl`
//! with one request. `strace` cannot select a request. It would stop the program at every `ioctl`,
//! and so delay the pictures that it measures.

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

/// The request `DRM_IOCTL_MODE_DIRTYFB` of the kernel's `drm/drm.h`. With it a program tells the
/// kernel which part of the picture has changed.
const DIRTYFB: u64 = 0xc018_64b1;

/// The stop signal that ptrace reports when a system call returns, if the option
/// `PTRACE_O_TRACESYSGOOD` is set.
const RETURNED: i32 = libc::SIGTRAP | 0x80;

#[derive(clap::Args)]
pub struct Frames {
    /// The program and its arguments.
    #[arg(required = true, trailing_var_arg = true)]
    command: Vec<String>,
}

impl Frames {
    /// Runs the program. Prints for each picture the instants of CLOCK_MONOTONIC at which the call
    /// of `ioctl` with `DIRTYFB` began and returned.
    pub fn run(self) -> Result<()> {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        let filter = stop_at_pictures()?;
        // SAFETY: `be_traced` and `apply_filter` run between fork and exec. Both only make system
        // calls and allocate nothing.
        unsafe {
            command.pre_exec(move || {
                be_traced()?;
                seccompiler::apply_filter(&filter).map_err(|_| std::io::ErrorKind::Other.into())
            })
        };
        let child = command.spawn().with_context(|| self.command[0].clone())?;
        let process = i32::try_from(child.id())?;
        // A traced program stops when `exec` has loaded it.
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

/// Handles the stops of all threads of the program until the program has ended.
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
            // These stops are not passed on to the program: a thread was created, a new thread
            // starts, or the process has executed another program.
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

/// The seccomp filter: it stops the program at each call of `ioctl` with the request [`DIRTYFB`],
/// and at no other system call.
fn stop_at_pictures() -> Result<BpfProgram> {
    let is_picture = SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, DIRTYFB)?;
    let rules = BTreeMap::from([(libc::SYS_ioctl, vec![SeccompRule::new(vec![is_picture])?])]);
    let (others, pictures) = (SeccompAction::Allow, SeccompAction::Trace(0));
    let filter = SeccompFilter::new(rules, others, pictures, std::env::consts::ARCH.try_into()?)?;
    Ok(filter.try_into()?)
}
