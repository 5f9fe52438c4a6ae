//! `clock-display shot`: a picture of the present face as a PNG file.

use std::fs::File;
use std::io::{self, BufWriter};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::builder::{PathBufValueParser, TypedValueParser};
use rustix::fs::{FileType, Stat, fstat, stat};
use tokio::sync::watch;
use tokio::time::timeout;
use zbus::Address;

use crate::app::block_on;
use crate::config::{Degrees, ThemeName};
use crate::content::Content;
use crate::language::LanguageChoice;
use crate::link::{self, Link};
use crate::next_change::monotonic_now;
use crate::pixels::{Arrangement, Setup, pixels, write_png};

/// How long to wait for the state and the rule profile from the clock service.
const PATIENCE: Duration = Duration::from_secs(3);
/// The largest width and height of a picture, in pixels.
const LARGEST: u32 = 8192;

#[derive(Debug, clap::Args)]
pub struct Shot {
    /// The PNG file to write, or /dev/stdout; an existing file is replaced.
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(writable))]
    pub out: PathBuf,

    /// The size of the screen in pixels, each side from 1 to 8192.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "800x480")]
    pub size: Size,

    /// How far the picture is turned on the screen, clockwise.
    #[arg(long, value_enum, value_name = "DEGREES", default_value = "0")]
    pub rotation: Degrees,

    /// The arrangement of the two halves [default: side by side if the screen is wider than high, otherwise stacked].
    #[arg(long, value_enum)]
    pub arrangement: Option<Arrangement>,

    /// The colours.
    #[arg(long, value_enum, default_value = "dark")]
    pub theme: ThemeName,

    /// The language; auto is that of the menu at the clock.
    #[arg(long, value_enum, value_name = "CODE", default_value = "auto")]
    pub language: LanguageChoice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(u32, u32);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let side = |text: &str| text.parse().ok().filter(|side| (1..=LARGEST).contains(side));
        text.split_once('x')
            .and_then(|(width, height)| Some(Size(side(width)?, side(height)?)))
            .ok_or_else(|| {
                format!("a size is WIDTHxHEIGHT with sides from 1 to {LARGEST}, as 800x480")
            })
    }
}

impl Shot {
    fn setup(&self) -> Setup {
        Setup {
            size: (self.size.0, self.size.1),
            rotation: self.rotation.into(),
            arrangement: self.arrangement,
            theme: self.theme.into(),
        }
    }
}

/// Writes the picture. If no service answers within 3 s, the picture shows that, as the face does.
/// If the service has answered within 3 s, but not yet with the rule profile, the picture leaves
/// out what a profile can forbid. The same holds for the page of the menu.
pub fn run(shot: &Shot, address: Address) -> anyhow::Result<()> {
    let content = block_on(async { Ok(content(address, shot.language).await) })?;
    let setup = shot.setup();
    // The pixels are painted before the file is opened, so that an existing picture is not lost if
    // painting fails.
    let painted = pixels(&content, &setup);
    let file = create(&shot.out).with_context(|| shot.out.display().to_string())?;
    write_png(BufWriter::new(file), &painted, setup.size)
        .map_err(|error| anyhow!("{}: {error}", shot.out.display()))
}

/// Accepts the path of a new file, of a regular file or of the standard output. Refuses any other
/// path: opening a FIFO waits for a reader, perhaps for ever, and opening a device can have any
/// effect. The path is checked before the program asks the clock service, which can take seconds.
fn writable(path: PathBuf) -> Result<PathBuf, String> {
    // A file that does not exist is created later. Other errors are reported when it is opened.
    let Ok(found) = stat(&path) else { return Ok(path) };
    let kind = match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile => return Ok(path),
        _ if is_stdout(&found) => return Ok(path),
        FileType::Directory => "directory",
        FileType::Fifo => "FIFO",
        FileType::Socket => "socket",
        _ => "device",
    };
    Err(format!(
        "this is a {kind}; a picture is written to a new file, a regular file or /dev/stdout"
    ))
}

/// Whether `file` is the standard output of the program.
fn is_stdout(file: &Stat) -> bool {
    fstat(io::stdout()).is_ok_and(|out| (out.st_dev, out.st_ino) == (file.st_dev, file.st_ino))
}

fn create(path: &Path) -> io::Result<File> {
    if stat(path).is_ok_and(|found| is_stdout(&found)) {
        // The descriptor of the standard output is copied, because opening the path again would
        // block for a pipe whose reader has ended, and would fail for a socket.
        return Ok(io::stdout().as_fd().try_clone_to_owned()?.into());
    }
    File::create(path)
}

async fn content(address: Address, language: LanguageChoice) -> Content {
    let (sender, mut link) = watch::channel(Link::Down(None));
    let following = tokio::spawn(link::follow(address, sender));
    let complete =
        |link: &Link| matches!(link, Link::Up(up) if up.rules_asked && up.page.is_some());
    let _ = timeout(PATIENCE, link.wait_for(complete)).await;
    let link = link.borrow();
    let words = language.words(link.settings().language);
    let content = match &*link {
        Link::Up(up) => {
            let state = up.state.at(monotonic_now());
            Content::of(&state, up.rules, words).with_menu(up.page.as_ref())
        }
        _ => Content::NoService(words),
    };
    following.abort();
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_two_numbers_within_their_limits() {
        assert_eq!("800x480".parse(), Ok(Size(800, 480)));
        assert_eq!("1x8192".parse(), Ok(Size(1, 8192)));
        for wrong in ["", "800", "800x", "0x480", "800x8193", "800x-1", "800x480x2", "8 x 4"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }
}
