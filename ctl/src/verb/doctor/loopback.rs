//! `clockctl doctor --loopback`: the clock presses its own button over a wire, and the certificate
//! says how exactly it has stamped the presses.

mod progress;

use std::{path::Path, time::Duration};

use anyhow::Result;
use clock_dbus::{HealthProxy, TestedButton, TestedPress};
use tokio::time::sleep;

use self::progress::Progress;
use super::{args::Args, button_session::ButtonSession, driver::Driver, on_machine};
use crate::verb::watch::own_now;
use crate::{
    bus::{Bus, bounded},
    doctor::certificate::{Certificate, Made, Measured},
    failure::Failure,
    options::Options,
    out,
    target::Target,
};

/// A press lasts for the settle time and a random time of `HOLD_NSEC`. Then the line stays open for
/// the release time and a random time of `PAUSE_NSEC`. Both are the shortest and the longest time,
/// in nanoseconds.
const HOLD_NSEC: (u64, u64) = (5_000_000, 35_000_000);
const PAUSE_NSEC: (u64, u64) = (5_000_000, 65_000_000);
/// How long the program waits for the decision of the last press before it reads for the last time.
const LAST: Duration = Duration::from_millis(200);
/// For how long after the planned instant of a press the clock keeps presses for the test, even if
/// a command ends the test. The driver makes the press only in the first half of this time. The
/// second half is for a driver that is interrupted after it has read the time and before it makes
/// the press.
const KEEP_NSEC: u64 = 200_000_000;
/// The longest time before a press that the clock can be asked to keep.
const LONGEST_WAIT_NSEC: u64 = 200_000_000;

/// Presses the button as often as asked, and prints the certificate. If a press was lost, if there
/// was one that nobody made, or if a stamp is wrong, the exit code is 8.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let target = options.target();
    if let Target::Host(_) = target {
        let message = "doctor --loopback drives a line of this machine: run it on the clock itself";
        return Err(Failure::Usage(message.to_owned()).into());
    }
    let line = args.line.as_deref().expect("the command line requires it");
    let button = args.button.expect("the command line requires it");
    let seed = args.seed.map_or_else(random_seed, u64::from);
    // The test begins first, so that a game that is on the clock is never touched by the line.
    let mut session = ButtonSession::begin(&target).await?;
    let settle_ns = session.board.settle_nsec;
    let pressed = press(options, &mut session, args, line, button, seed).await;
    let ended = session.end().await;
    let (made, seen) = pressed?;
    ended?;
    let measured = Measured::new(button, &made, &seen);
    let certificate = certificate(&target, line, button, seed, settle_ns, measured).await?;
    if !options.quiet {
        match options.json {
            true => out::print_json(&certificate)?,
            false => out::print(&certificate.text())?,
        }
    }
    match certificate.fit {
        true => Ok(()),
        false => Err(Failure::NotInOrder("the clock is NOT fit for play: loopback".into()).into()),
    }
}

/// Makes the presses, and returns them with those that the clock saw.
async fn press(
    options: &Options,
    session: &mut ButtonSession,
    args: &Args,
    line: &str,
    button: TestedButton,
    seed: u64,
) -> Result<(Vec<Made>, Vec<TestedPress>), Failure> {
    if !session.board.buttons.contains(&button) {
        let message = format!("--button {}: the board has no such button", button.as_str());
        return Err(Failure::Usage(message));
    }
    let mut driver = Driver::start(line).await?;
    let mut random = Random(seed);
    let (mut made, mut seen) = (Vec::new(), Vec::new());
    let (settle, release) = (session.board.settle_nsec, session.board.release_nsec);
    let mean = |(least, most): (u64, u64)| (least + most) / 2;
    let each = settle.saturating_add(release).saturating_add(mean(HOLD_NSEC) + mean(PAUSE_NSEC));
    let mut progress = Progress::begin(options, button, args.presses, each);
    for number in 1..=args.presses {
        let pause = release.saturating_add(random.between(PAUSE_NSEC));
        made.push(one(&mut driver, session, pause, &mut seen).await?);
        driver.release(settle.saturating_add(random.between(HOLD_NSEC))).await?;
        progress.made(number);
    }
    sleep(LAST).await;
    seen.extend(session.read(0).await?.presses);
    if session.untraced > 0 {
        let untraced = session.untraced;
        let message = format!("{untraced} edges and presses were not read in time; try again");
        return Err(Failure::Protocol(message));
    }
    Ok((made, seen))
}

/// Makes a press after this time. Before it, the clock says that the test is on, and keeps the press
/// for the test, so that a game that is started in the meantime does not get it.
async fn one(
    driver: &mut Driver,
    session: &mut ButtonSession,
    pause: u64,
    seen: &mut Vec<TestedPress>,
) -> Result<Made, Failure> {
    let wait = pause.min(LONGEST_WAIT_NSEC);
    sleep(Duration::from_nanos(pause - wait)).await;
    loop {
        // The driver and the clock use CLOCK_MONOTONIC of this machine, too.
        let now = own_now().monotonic_nsec;
        let until = now.saturating_add(wait).saturating_add(KEEP_NSEC / 2);
        seen.extend(session.read(wait.saturating_add(KEEP_NSEC)).await?.presses);
        // The press is too late only if this process or the driver was stopped in the meantime. It
        // is then planned once more.
        if let Some(made) = driver.press(wait, until).await? {
            return Ok(made);
        }
    }
}

async fn certificate(
    target: &Target,
    line: &str,
    button: TestedButton,
    seed: u64,
    settle_ns: u64,
    measured: Measured,
) -> Result<Certificate, Failure> {
    let bus = Bus::connect(target).await?;
    let clockd = bounded(bus.clock.version()).await?;
    let health = HealthProxy::builder(&bus.connection)
        .cache_properties(zbus::proxy::CacheProperties::No)
        .build()
        .await?;
    let real_time = bounded(health.realtime_ok()).await?;
    let root = Path::new("/");
    let kernel = on_machine::kernel(root);
    let now = clock_wall_time::is_known().then(jiff::Timestamp::now);
    let date = now.and_then(|now| now.round(jiff::Unit::Second).ok()).map(|now| now.to_string());
    Ok(Certificate {
        format: 1,
        fit: measured.is_fit(),
        date,
        machine: on_machine::model(root),
        kernel: kernel.map(|(release, version)| format!("{release} {version}")),
        clockd,
        clockctl: env!("CARGO_PKG_VERSION"),
        real_time,
        button,
        line: line.to_owned(),
        seed,
        settle_ns,
        measured,
    })
}

/// A number that differs from run to run: the time of day, which need not be secret.
fn random_seed() -> u64 {
    let now = jiff::Timestamp::now().as_nanosecond();
    u64::try_from(now.unsigned_abs() % u128::from(u32::MAX)).unwrap_or_default()
}

/// SplitMix64: numbers that follow from a seed and look random.
struct Random(u64);

impl Random {
    /// A number from the first to the second one.
    fn between(&mut self, (least, most): (u64, u64)) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        least + (mixed ^ (mixed >> 31)) % (most - least + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_follow_from_the_seed_and_fill_their_range() {
        let times = |seed| {
            let mut random = Random(seed);
            (0..1000).map(|_| random.between(HOLD_NSEC)).collect::<Vec<_>>()
        };
        assert_eq!(times(7), times(7));
        assert_ne!(times(7), times(8));
        let (least, most) = HOLD_NSEC;
        assert!(times(7).iter().all(|time| (least..=most).contains(time)));
        let below = times(7).iter().filter(|time| **time < (least + most) / 2).count();
        assert!((400..600).contains(&below), "{below}");
    }
}
