//! Runs the dialogue of `clockctl rule` on a terminal: shows its pages, reads the keys, follows
//! the clock, and sends the ruling.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use clock_dbus::{Completed, Error, Followed, Follower, Given, State};
use clock_engine::text::{Guidance, RuleFile};
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode, size,
};
use crossterm::{execute, queue};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use super::dialogue::{Dialogue, Key, Next};
use super::phrases::nothing_to_rule;
use crate::{
    bus::{Bus, bounded},
    failure::{Failure, Place},
    options::Options,
    out,
    verb::{
        command::{self, CompletedCommand},
        readings,
    },
};

/// The interval at which the running times are shown anew.
const REFRESH: Duration = Duration::from_millis(100);

/// The text that the terminal shows if the page of the chosen ruling does not fit into the window.
const TOO_SMALL: &str = "window too small: enlarge it, or q: leave\n";

/// How the dialogue ended.
enum Ended {
    Left,
    Settled,
    Sent { before: Box<State>, answer: Completed },
}

/// Asks for a ruling, sends it, and prints what the ruling has done.
pub async fn ask(options: &Options) -> Result<()> {
    let cannot = || format!("cannot {}", command::RULING);
    let bus = Bus::connect_for_command(options).await.with_context(cannot)?;
    let mut clock = FollowedClock::start(&bus).await.with_context(cannot)?;
    let state = clock.state.clone();
    if state.questions.is_empty() {
        let failure = Failure::Usage(nothing_to_rule(&state));
        return Err(anyhow::Error::new(failure).context(cannot()));
    }
    let dialogue = Dialogue::new(state, guidance(&bus).await);
    match converse(options, &bus, &mut clock, dialogue).await? {
        Ended::Left => out::print("no ruling was given\n"),
        Ended::Settled => out::print("nothing awaits a ruling any more\n"),
        Ended::Sent { before, answer } => {
            let completed = CompletedCommand::new(bus, *before, answer);
            completed.show(options, readings::after_done).await
        }
    }
}

/// The texts of the game's rule profile for the arbiter. If they cannot be read, the arbiter can
/// rule without them.
async fn guidance(bus: &Bus) -> Guidance {
    let Ok((_name, file)) = bounded(bus.clock.get_rules()).await else {
        return Guidance::default();
    };
    let resolved = |_: &str| Err("the text is resolved".to_owned());
    RuleFile::parse(&file, resolved).map(|file| file.guidance).unwrap_or_default()
}

/// Shows the pages and takes the keys until the dialogue ends. The terminal is restored then.
async fn converse(
    options: &Options,
    bus: &Bus,
    clock: &mut FollowedClock,
    mut dialogue: Dialogue,
) -> Result<Ended> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let screen = Screen::open().context("the terminal cannot be set up")?;
    let mut inputs = read_inputs().context("no thread to read the keys")?;
    loop {
        let is_whole =
            screen.show(&dialogue, clock.now_nsec()).context("the terminal went away")?;
        let next = tokio::select! {
            _ = terminate.recv() => Next::Leave,
            _ = hangup.recv() => Next::Leave,
            input = inputs.recv() => match input {
                // The terminal cannot be read any more.
                None => Next::Leave,
                Some(Input::Resize) => Next::Ask,
                // Enter does nothing here, because the arbiter must see the whole page of a ruling
                // before confirming it.
                Some(Input::Key(Key::Enter)) if !is_whole && dialogue.is_confirming() => Next::Ask,
                Some(Input::Key(key)) => dialogue.press(key),
            },
            changed = clock.changed() => {
                changed?;
                if clock.state.texts_version != dialogue.state().texts_version {
                    dialogue.set_guidance(guidance(bus).await);
                }
                dialogue.update(clock.state.clone())
            }
            () = sleep(REFRESH) => Next::Ask,
        };
        match next {
            Next::Ask => {}
            Next::Leave => return Ok(Ended::Left),
            Next::Settled => return Ok(Ended::Settled),
            Next::Send { ruling, revision } => {
                match send(options, bus, ruling.given(), revision).await? {
                    Sent::Done(answer) => {
                        let before = dialogue.state().at(clock.now_nsec());
                        return Ok(Ended::Sent { before: Box::new(before), answer });
                    }
                    Sent::Stale => dialogue.ask_again(),
                }
            }
        }
    }
}

enum Sent {
    Done(Completed),
    /// The clock has changed since the revision that was shown.
    Stale,
}

async fn send(options: &Options, bus: &Bus, given: Given, revision: u64) -> Result<Sent> {
    let named = options.revision;
    let revision_named = named.unwrap_or(revision);
    let call = bus.arbiter.give(given, revision_named, &options.reason);
    let answer = bounded(async {
        match call.await {
            Ok(completed) => Ok(Sent::Done(completed)),
            // A revision from the command line would be stale again, so the dialogue does not ask
            // again.
            Err(Error::StaleRevision(_)) if named.is_none() => Ok(Sent::Stale),
            Err(error) => Err(error),
        }
    })
    .await;
    match answer {
        Ok(sent) => Ok(sent),
        Err(failure) => Err(command::not_completed(bus, failure, command::RULING, revision).await),
    }
}

/// The clock's latest state, and when it was received.
struct FollowedClock {
    follower: Follower,
    state: State,
    /// The instant of the clock's machine that `next` returned with the state.
    received_nsec: u64,
    received: Instant,
}

impl FollowedClock {
    async fn start(bus: &Bus) -> Result<FollowedClock, Failure> {
        let mut follower = bounded(Follower::new(&bus.connection)).await?;
        let (state, received_nsec) = next(&mut follower).await?;
        Ok(FollowedClock { follower, state, received_nsec, received: Instant::now() })
    }

    /// Waits for the next state. No state is lost if the future is dropped.
    async fn changed(&mut self) -> Result<(), Failure> {
        (self.state, self.received_nsec) = next(&mut self.follower).await?;
        self.received = Instant::now();
        Ok(())
    }

    fn now_nsec(&self) -> u64 {
        let since = u64::try_from(self.received.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.received_nsec.saturating_add(since)
    }
}

/// The next state, and an instant of the clock's machine. If the state was the first one read from
/// a service, this is the instant right after it was read. For a later state, it is the state's own
/// instant.
async fn next(follower: &mut Follower) -> Result<(State, u64), Failure> {
    match follower.next().await? {
        None => Err(Failure::Lost("it was closed".to_owned())),
        Some(Followed::NoService) => Err(Failure::NoService(Place::Bus)),
        Some(Followed::Read { state, timebase }) => Ok((*state, timebase.monotonic_nsec)),
        Some(Followed::Missed(state) | Followed::Transition { state, .. }) => {
            let at_nsec = state.at_nsec;
            Ok((*state, at_nsec))
        }
    }
}

/// The terminal while it shows the dialogue on its alternate screen. Dropping this value restores
/// the terminal.
struct Screen;

impl Screen {
    fn open() -> io::Result<Screen> {
        enable_raw_mode()?;
        // From here on, dropping `screen` restores the terminal.
        let screen = Screen;
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }

    /// Shows the page. Lines that are too long continue on the next row, and lines that do not fit
    /// are left out at the end. If a ruling is chosen and its page does not fit, [`TOO_SMALL`] is
    /// shown instead. Returns whether the whole page fits.
    fn show(&self, dialogue: &Dialogue, now_nsec: u64) -> io::Result<bool> {
        let (columns, rows) =
            size().map(|(columns, rows)| (usize::from(columns), usize::from(rows)))?;
        let mut page = dialogue.page(now_nsec, columns);
        let is_whole = fitting(&page, columns, rows).count() == page.lines().count();
        if !is_whole && dialogue.is_confirming() {
            page = TOO_SMALL.to_owned();
        }
        let mut stdout = io::stdout().lock();
        queue!(stdout, MoveTo(0, 0))?;
        for line in fitting(&page, columns, rows) {
            write!(stdout, "{line}")?;
            queue!(stdout, Clear(ClearType::UntilNewLine))?;
            write!(stdout, "\r\n")?;
        }
        queue!(stdout, Clear(ClearType::FromCursorDown))?;
        stdout.flush()?;
        Ok(is_whole)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // If the terminal has gone, there is nothing to restore.
        let _ = execute!(io::stdout(), Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

/// The lines that fit on a screen with this many columns and rows. The last row of the screen stays
/// empty for the cursor.
fn fitting(page: &str, columns: usize, rows: usize) -> impl Iterator<Item = &str> {
    let mut left = rows.saturating_sub(1);
    page.lines().take_while(move |line| {
        let needed = line.chars().count().div_ceil(columns.max(1)).max(1);
        let fits = needed <= left;
        left = left.saturating_sub(needed);
        fits
    })
}

enum Input {
    Key(Key),
    Resize,
}

/// How many keys can wait while a ruling is sent.
const TYPED_AHEAD: usize = 32;

/// Starts the thread that reads the keys. It ends only with the process, because reading a key
/// blocks.
fn read_inputs() -> io::Result<mpsc::Receiver<Input>> {
    let (sender, receiver) = mpsc::channel(TYPED_AHEAD);
    thread::Builder::new().name("keys".to_owned()).spawn(move || {
        while let Ok(event) = event::read() {
            if let Some(input) = input_of(&event)
                && sender.blocking_send(input).is_err()
            {
                break;
            }
        }
    })?;
    Ok(receiver)
}

fn input_of(event: &Event) -> Option<Input> {
    match event {
        Event::Resize(..) => Some(Input::Resize),
        Event::Key(key) if key.kind == KeyEventKind::Press => key_of(key).map(Input::Key),
        _ => None,
    }
}

fn key_of(key: &KeyEvent) -> Option<Key> {
    let plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
    match key.code {
        KeyCode::Esc => Some(Key::Leave),
        KeyCode::Enter => Some(Key::Enter),
        KeyCode::Backspace => Some(Key::Back),
        KeyCode::Char('c' | 'd') if key.modifiers == KeyModifiers::CONTROL => Some(Key::Leave),
        // The letters work with Caps Lock, too.
        KeyCode::Char(typed) if plain => Some(Key::Char(typed.to_ascii_lowercase())),
        _ => None,
    }
}
