//! `clockctl doctor --loopback`: the clock presses its own button over a wire, and the certificate
//! says how exactly.

use std::{path::Path, time::Duration};

use anyhow::Result;
use clock_dbus::{HealthProxy, TestedButton, TestedPress};
use tokio::time::sleep;

use super::{args::Args, button_session::ButtonSession, driver::Driver, on_machine};
use crate::{
    bus::{Bus, bounded},
    doctor::certificate::{Certificate, Made, Measured},
    failure::Failure,
    options::Options,
    out,
    target::Target,
};

/// How much longer than the settle time a press lasts, and how much longer than the release time the
/// line stays open: a random time between these, in nanoseconds.
const HOLD_NSEC: (u64, u64) = (5_000_000, 35_000_000);
const PAUSE_NSEC: (u64, u64) = (5_000_000, 65_000_000);
/// How long a press and its decision can be on their way at the end.
const LAST: Duration = Duration::from_millis(200);

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
    let seed = args.seed.unwrap_or_else(random_seed);
    let mut driver = Driver::start(line).await?;
    let session = ButtonSession::begin(&target).await?;
    let settle_ns = session.board.settle_nsec;
    if !session.board.buttons.contains(&button) {
        let message = format!("--button {}: the board has no such button", button.as_str());
        return Err(Failure::Usage(message).into());
    }
    let (made, seen, untraced) = press(&mut driver, session, args.presses, seed).await?;
    if untraced > 0 {
        let message = format!("{untraced} edges and presses were not read in time; try again");
        return Err(Failure::Protocol(message).into());
    }
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

/// Makes the presses, and returns them with those that the clock saw, and how many it could not
/// tell.
async fn press(
    driver: &mut Driver,
    mut session: ButtonSession,
    presses: u32,
    seed: u64,
) -> Result<(Vec<Made>, Vec<TestedPress>, u64), Failure> {
    let mut random = Random(seed);
    let (mut made, mut seen) = (Vec::new(), Vec::new());
    let (settle, release) = (session.board.settle_nsec, session.board.release_nsec);
    for _ in 0..presses {
        let pause = release.saturating_add(random.between(PAUSE_NSEC));
        made.push(driver.set(true, pause).await?);
        let hold = settle.saturating_add(random.between(HOLD_NSEC));
        driver.set(false, hold).await?;
        seen.extend(session.read().await?.presses);
    }
    sleep(LAST).await;
    seen.extend(session.read().await?.presses);
    let untraced = session.untraced;
    session.end().await?;
    Ok((made, seen, untraced))
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
    let now = jiff::Timestamp::now().round(jiff::Unit::Second).unwrap_or_default();
    Ok(Certificate {
        format: 1,
        fit: measured.is_fit(),
        date: now.to_string(),
        machine: on_machine::model(root),
        kernel: kernel.map(|(release, version)| format!("{release} {version}")),
        clockd,
        clockctl: env!("CARGO_PKG_VERSION"),
        real_time,
        button: button.as_str(),
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
