//! The connections of the service: one of them is lost, or its name is still held at the start.

use super::*;
use anyhow::ensure;
use clock_dbus::{ARBITER_SERVICE, SERVICE};
use clock_tests::{DEADLINE, eventually, eventually_ok, program};
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use zbus::fdo::DBusProxy;

/// Passes the bytes of each connection to `socket` on to the bus, and those of the bus back. The
/// receiver gets the connections in the order in which they are made; a connection is lost when the
/// test shuts it down.
fn passed_on(socket: &Path, bus: &Path) -> Receiver<UnixStream> {
    let (listener, bus) = (UnixListener::bind(socket).unwrap(), bus.to_owned());
    let (made, connections) = channel();
    std::thread::spawn(move || {
        while let Ok((client, _)) = listener.accept() {
            let Ok(server) = UnixStream::connect(&bus) else { return };
            let pairs = [(&client, &server), (&server, &client)];
            for (from, to) in pairs.map(|(from, to)| (from.try_clone(), to.try_clone())) {
                let (from, to) = (from.unwrap(), to.unwrap());
                std::thread::spawn(move || pass_on(from, to));
            }
            if made.send(client).is_err() {
                return;
            }
        }
    });
    connections
}

fn pass_on(mut from: UnixStream, mut to: UnixStream) {
    let mut bytes = [0; 4096];
    while let Ok(length) = from.read(&mut bytes)
        && length > 0
        && to.write_all(&bytes[..length]).is_ok()
    {}
    // Both ends can be gone already.
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// The service asks the bus about its callers on a connection of its own. Without that connection,
/// every command but a stop would be refused, because nobody would know who gives it.
#[tokio::test]
async fn any_connection_that_is_lost_is_made_again_and_callers_are_known() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let socket = bench.folder().join("passed-on");
    let connections = passed_on(&socket, &bench.folder().join("bus"));
    let mut command = std::process::Command::new(program("clockd"));
    command.arg("--bus").arg(clock_test_bus::address(&socket));
    command.arg("--gpio").arg(format!("sim:{}", bench.socket().display()));
    command.arg("--config").arg(bench.folder().join("clockd.toml"));
    let clockd = bench.start(command).unwrap();
    let three = || [(); 3].map(|()| connections.recv_timeout(DEADLINE).unwrap());
    let mut made = three();
    for lost in 0..3 {
        made[lost].shutdown(Shutdown::Both).unwrap();
        made = three();
        let reason = format!("after-connection-{lost}");
        eventually_ok(&reason, || {
            let given = bench.ctl(&["add", "white", "1s", "--reason", &reason])?;
            ensure!(given.status.success(), "{given:?}\n{}", bench.log());
            Ok(())
        });
        let uid = format!("uid={}", rustix::process::getuid().as_raw());
        eventually(&reason, || {
            let log = bench.log();
            log.lines().find(|line| line.contains(&reason) && line.contains(&uid)).map(drop)
        });
    }
    drop(clockd);
}

/// After a kill, the bus can keep the name of the killed process for a moment.
#[tokio::test]
async fn a_name_that_is_still_held_at_the_start_is_waited_for() {
    let bench = Arc::new(Bench::new().unwrap());
    let _bus = bench.bus().unwrap();
    let connect =
        async || connection::Builder::address(bench.address().as_str()).build().await.unwrap();
    let (holder, witness) = (connect().await, connect().await);
    holder.request_name(SERVICE).await.unwrap();
    let names = DBusProxy::new(&witness).await.unwrap();
    let mut changes = names.receive_name_owner_changed().await.unwrap();
    let of_thread = Arc::clone(&bench);
    let started = std::thread::spawn(move || {
        let clockd = of_thread.clockd(&[]).unwrap();
        assert!(of_thread.status().is_ok(), "{}", of_thread.log());
        drop(clockd);
    });
    // The service gives the name `ARBITER_SERVICE` up when it cannot have the name `SERVICE`, which
    // `holder` has. That it does so twice shows that it tries again.
    let mut given_up = 0;
    while given_up < 2 {
        let change = tokio::time::timeout(DEADLINE, changes.next()).await;
        let change = change.expect("the service tries again").unwrap();
        let change = change.args().unwrap();
        given_up += u32::from(change.name == ARBITER_SERVICE && change.new_owner.is_none());
    }
    assert!(!started.is_finished(), "it is not ready yet");
    holder.close().await.unwrap();
    started.join().unwrap();
}

/// If another process still holds the name after 5 s, the start fails.
#[tokio::test]
async fn a_name_that_stays_held_ends_the_start() {
    let fixture = fixture(&[]).await;
    let mut command = std::process::Command::new(program("clockd"));
    command.args(["--bus", &fixture.bench.address(), "--gpio"]);
    command.arg(format!("sim:{}", fixture.bench.folder().join("other-buttons").display()));
    command.arg("--config").arg(fixture.bench.folder().join("clockd.toml"));
    let begun = std::time::Instant::now();
    let ended = command.env_remove("NOTIFY_SOCKET").output().unwrap();
    let text = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(5), "{text}");
    assert!(text.contains("another clockd runs there"), "{text}");
    assert!(begun.elapsed() >= Duration::from_secs(5), "{:?}", begun.elapsed());
}
