use super::*;
use rustix::io::{FdFlags, fcntl_getfd};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use std::fs::File;
use std::io::{IoSliceMut, Read, Seek, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};

/// The next message, with the descriptors that came with it.
fn receive(manager: &UnixDatagram) -> (String, Vec<OwnedFd>) {
    let mut bytes = [0; 256];
    let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
    let mut attached = RecvAncillaryBuffer::new(&mut room);
    let mut buffers = [IoSliceMut::new(&mut bytes)];
    let received = recvmsg(manager, &mut buffers, &mut attached, RecvFlags::CMSG_CLOEXEC).unwrap();
    let fds = attached.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(fds) => Some(fds),
        _ => None,
    });
    let fds = fds.flatten().collect();
    (String::from_utf8(bytes[..received.bytes].to_vec()).unwrap(), fds)
}

/// The environment variable that is set only in the child process of the next test.
const KEEPER: &str = "KEEP_A_DESCRIPTOR";

/// The child process keeps its standard input.
#[test]
fn a_kept_descriptor_arrives_with_its_name_and_replaces_older_ones() {
    if std::env::var_os(KEEPER).is_some() {
        assert!(keep_fd(io::stdin().as_fd(), "memory").unwrap());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("notify");
    let manager = UnixDatagram::bind(&socket).unwrap();
    let mut file = tempfile::tempfile().unwrap();
    let name =
        format!("{}::a_kept_descriptor_arrives_with_its_name_and_replaces_older_ones", module());
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", &name]).env(KEEPER, "1").env("NOTIFY_SOCKET", &socket);
    let output = child.stdin(file.try_clone().unwrap()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let (message, fds) = receive(&manager);
    assert_eq!((message.as_str(), fds.len()), ("FDSTOREREMOVE=1\nFDNAME=memory\n", 0));
    let (message, mut fds) = receive(&manager);
    assert_eq!((message.as_str(), fds.len()), ("FDSTORE=1\nFDNAME=memory\n", 1));
    // The descriptor refers to the same open file, not to a copy of it.
    file.write_all(b"kept").unwrap();
    file.rewind().unwrap();
    let mut text = String::new();
    File::from(fds.remove(0)).read_to_string(&mut text).unwrap();
    assert_eq!(text, "kept");
}

/// The environment variable that is set only in the child process of the next test.
const CHILD: &str = "TAKE_PASSED_DESCRIPTORS";

#[test]
fn each_name_gives_its_first_descriptor_once_and_the_others_are_closed() {
    if std::env::var_os(CHILD).is_some() {
        return take_in_the_child();
    }
    let mut passed = tempfile::NamedTempFile::new().unwrap();
    passed.write_all(b"kept").unwrap();
    let null = || Stdio::from(File::open("/dev/null").unwrap());
    let path = passed.path().display();
    // The shell opens descriptors 3 to 6, and passes them on as systemd does.
    let script = format!(
        "exec 3</dev/null 4<{path} 5<{path} 6</dev/null; \
         LISTEN_PID=$$ LISTEN_FDS=4 LISTEN_FDNAMES=other:{MEMORY}:{MEMORY}:{IPV4_ADDRESSES} exec \"$@\""
    );
    let name = format!(
        "{}::each_name_gives_its_first_descriptor_once_and_the_others_are_closed",
        module()
    );
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh"]).arg(std::env::current_exe().unwrap());
    command.args(["--exact", &name, "--nocapture"]).env(CHILD, "1").stdin(null());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{output:?}");
}

/// This module's path without the name of the crate, as the test harness names it.
fn module() -> &'static str {
    module_path!().split_once("::").unwrap().1
}

fn take_in_the_child() {
    let fd = take_fd(MEMORY).unwrap().unwrap();
    assert_eq!(fd.as_raw_fd(), 4);
    assert_eq!(fcntl_getfd(&fd).unwrap(), FdFlags::CLOEXEC);
    for closed in [3, 5] {
        let link = std::fs::read_link(format!("/proc/self/fd/{closed}"));
        // The descriptor is closed, and no other file has this number.
        assert!(link.is_err(), "{closed}: {link:?}");
    }
    assert!(take_fd(MEMORY).unwrap().is_none(), "only once");
    assert_eq!(take_fd(IPV4_ADDRESSES).unwrap().unwrap().as_raw_fd(), 6);
    assert!(take_fd(IPV4_ADDRESSES).unwrap().is_none(), "only once");
    let mut text = String::new();
    File::from(fd).read_to_string(&mut text).unwrap();
    assert_eq!(text, "kept");
}
