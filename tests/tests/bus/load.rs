//! A flood of calls, calls that are too long, and a client that reads no answers.

use super::*;
use std::io::Write;
use zbus::message::Message;

#[tokio::test]
async fn a_flood_of_calls_is_answered_and_blocks_no_client() {
    let fixture = fixture(&[]).await;
    // The service has at most 8 commands of one program in progress. The test makes 120 calls at
    // once, so most of them wait.
    let arbiter = fixture.arbiter().await;
    let calls = (0..120).map(|_| arbiter.start(99, "flood"));
    let answers = futures_util::future::join_all(calls).await;
    let stale = |answer: &&clock_dbus::Result<Completed>| {
        matches!(answer, Err(Error::StaleRevision(_) | Error::Busy(_)))
    };
    let other = answers.iter().find(|answer| !stale(answer));
    assert!(other.is_none(), "{other:?}");
    assert_eq!(fixture.state().await.revision, 1);
}

/// A figure of the service's memory, in KiB. `kind` is its name in /proc/PID/status: `VmHWM:` is
/// the most memory that was ever in use.
fn memory(fixture: &Fixture, kind: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", fixture.clockd.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(kind)).unwrap();
    line.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
}

#[tokio::test]
async fn messages_of_30_megabytes_are_not_kept() {
    let fixture = fixture(&[]).await;
    let clock = fixture.clock().await;
    clock.list_time_controls().await.unwrap();
    let before = memory(&fixture, "VmHWM:");
    let body = "x".repeat(30_000_000);
    for _ in 0..25 {
        // Several calls are made at once: without a limit in the service, zbus would queue up to 64
        // such calls.
        let calls = (0..4).map(|_| clock.read_time_control(&body));
        for answer in futures_util::future::join_all(calls).await {
            let refused = format!("{:?}", answer.unwrap_err());
            assert!(refused.contains("expected at most 131072"), "{refused}");
        }
    }
    let most = memory(&fixture, "VmHWM:");
    println!("100 calls of 30 MB: from {before} KiB to {most} KiB at most");
    assert!(most < before + 4096, "{before} KiB, then {most} KiB");
    assert_eq!(fixture.state().await.revision, 1);
}

fn call(
    service: &'static str,
    path: &'static str,
    interface: &'static str,
    method: &'static str,
) -> Message {
    let call = Message::method_call(path, method).destination(service).interface(interface);
    call.build(&()).unwrap()
}

#[tokio::test]
async fn a_client_that_reads_no_answers_fills_no_memory() {
    // While 1 MB from the service waits for a reader (127 MiB on the system bus), the bus reads
    // nothing more from the service. On the system bus each client may have 128 open calls. In this
    // test one client stands for many clients of the system bus, so it may have 50000.
    let limit = "</policy><limit name=\"max_incoming_bytes\">1000000</limit>\
                 <limit name=\"max_replies_per_connection\">50000</limit>\
                 <policy context=\"mandatory\">";
    let bench = Bench::new().unwrap();
    let bus = bench.bus_with(limit).unwrap();
    let fixture = fixture_with(bench, bus, &[]).await;
    fixture.clock().await.list_time_controls().await.unwrap();
    let before = memory(&fixture, "VmHWM:");
    let mut silent =
        std::os::unix::net::UnixStream::connect(fixture.bench.folder().join("bus")).unwrap();
    let uid = rustix::process::getuid().as_raw().to_string();
    let uid: String = uid.bytes().map(|digit| format!("{digit:02x}")).collect();
    silent.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
    let mut send = |bytes: &[u8]| silent.write_all(bytes);
    send(format!("\0AUTH EXTERNAL {uid}\r\nBEGIN\r\n").as_bytes()).unwrap();
    let (bus, bus_path) = ("org.freedesktop.DBus", "/org/freedesktop/DBus");
    send(call(bus, bus_path, bus, "Hello").data()).unwrap();
    let (service, path) = (clock_dbus::SERVICE, clock_dbus::PATH);
    let call = |_| call(service, path, clock_dbus::CLOCK_INTERFACE, "ListTimeControls");
    let sent = (0..20_000).map(call).take_while(|call| send(call.data()).is_ok()).count();
    let most = memory(&fixture, "VmHWM:");
    println!("{sent} calls without a reader: from {before} KiB to {most} KiB at most");
    assert!(most < before + 4096, "{before} KiB, then {most} KiB after {sent} calls");
    // After the silent client has left, other clients are answered again.
    drop(silent);
    assert_eq!(fixture.state().await.revision, 1);
}
