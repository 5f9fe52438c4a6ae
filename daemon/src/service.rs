//! Runs the parts of the daemon. The first part that ends stops the daemon.

mod start;

use crate::args::Args;
use crate::board_opener::{self, BoardOpener};
use crate::bus::shared_state::{Configured, SharedState};
use crate::bus::{self, Bus, BusError};
use crate::config::{self, Chosen, ConfigError, Configuration, LastConfiguration};
use crate::game::{RecordStatus, scheduler, watch_storage};
use crate::menu::MenuService;
use crate::notify;
use crate::rate_monitor;
use clock_controls::LoadError;
use clockd_core::{MenuEvent, Update};
use clockd_rt::channel::{Notifier, Receiver};
use clockd_rt::gpio::sim::SimBoard;
use clockd_rt::gpio::{GpioError, Lines};
use clockd_rt::{BoardChannels, Health};
use start::start;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

/// Why the daemon ends.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Control(#[from] LoadError),
    #[error("it is not known how the buttons are wired, because the configuration is refused")]
    NoWiring,
    #[error(transparent)]
    Gpio(#[from] GpioError),
    #[error(transparent)]
    Bus(#[from] BusError),
    /// A line cannot be driven; standard output has said why.
    #[error("the line cannot be driven")]
    Line,
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Failure {
    /// The exit code of the daemon for this failure, as `clockd --help` lists it.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Config(_)
            | Failure::Control(_)
            | Failure::NoWiring
            | Failure::Gpio(_)
            | Failure::Line
            | Failure::Bus(BusError::Address { .. }) => 2,
            Failure::Bus(BusError::NotAllowed { .. }) => 4,
            Failure::Bus(BusError::NameTaken { .. }) => 5,
            Failure::Bus(_) => 7,
            Failure::Io(_) => 1,
        }
    }
}

/// Runs the daemon until a signal or a failure ends it. With `--check`, only checks the
/// configuration.
pub fn run(args: Args) -> Result<(), Failure> {
    let named = args.config.as_deref();
    let control = args
        .control
        .as_deref()
        .map(|argument| config::control_library(named).resolve(argument, Path::new("")));
    let control = control.transpose()?;
    let is_simulated = args.gpio.is_some();
    if args.check {
        let configured = Configuration::load(named, control.as_ref(), is_simulated)?;
        return Ok(writeln!(io::stdout(), "{configured}")?);
    }
    let last = LastConfiguration::of_state_folder(state_folder());
    let chosen = Chosen::load(named, control.as_ref(), is_simulated, last.as_ref())?;
    let configured = Configured {
        controls: config::control_library(named),
        rules: chosen.configuration.config.rule_library(),
        board: chosen.configuration.config.board().map(str::to_owned),
    };
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    // The service waits for some ten descriptors. Without a limit, memory for 1024 events is taken.
    // After every eighth task, and not only after every 61st, it looks whether the clock loop has an update: while many
    // clients call at once, tasks wait all the time, and the state that a client reads would be old by as long as 61 calls
    // take (30 ms were seen in a build without optimization).
    let runtime = runtime.enable_all().max_io_events_per_tick(64).event_interval(8).build()?;
    let serving = begin(&runtime, &args, chosen, last, configured)?;
    if let Err(error) = clockd_rt::release_stack() {
        tracing::warn!(%error, "the memory that the start has used cannot be given back");
    }
    runtime.block_on(serving)
}

/// Starts all parts. Returns the future that runs them.
///
/// The future is on the heap, and this function is not inlined. So the values of the start have no
/// place in the frame of [`run`], which stays in memory as long as the service runs.
#[inline(never)]
fn begin(
    runtime: &Runtime,
    args: &Args,
    chosen: Chosen,
    last: Option<LastConfiguration>,
    configured: Configured,
) -> Result<Pin<Box<impl Future<Output = Result<(), Failure>>>>, Failure> {
    // The parts register their descriptors with the runtime.
    let _entered = runtime.enter();
    let service = start(args, chosen, last, configured)?;
    Ok(Box::pin(service.serve()))
}

/// The folder in which the service keeps its files, if it has one.
fn state_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("STATE_DIRECTORY").filter(|folder| !folder.is_empty())?;
    Some(PathBuf::from(folder))
}

/// A function that opens the button board.
type Opener = Box<dyn Fn() -> Result<Box<dyn Lines>, Failure>>;

/// The parts of the service that run until it ends.
struct Service {
    bus: Bus,
    menu: Box<MenuService>,
    shared: Arc<SharedState>,
    updates: Receiver<Update>,
    menu_events: Receiver<MenuEvent>,
    boards: BoardChannels,
    opener: BoardOpener<Opener>,
    /// Whether no board could be opened at the start.
    is_missing: bool,
    /// The simulated board; `None` if the board is real.
    sim_board: Option<SimBoard>,
    health: Arc<Health>,
    record_status: Arc<RecordStatus>,
    /// Wakes the clock loop.
    clock_loop: Notifier,
    /// Resolves when the clock loop has ended, which it never should.
    ended: oneshot::Receiver<io::Error>,
}

impl Service {
    /// Runs all parts until the first one ends.
    async fn serve(self) -> Result<(), Failure> {
        let Service { bus, menu, shared, updates, health, clock_loop, .. } = self;
        let (publications, queue) = bus::publication_queue();
        tokio::select! {
            // With `biased`, the branches are polled in this order. So a publication that the first one
            // queues is sent by the second one at once, and not only after a further wait.
            biased;
            done = bus::forward_updates(updates, &shared, &publications) => Ok(done?),
            done = bus.serve(queue, notify::ready) => Ok(done?),
            done = menu.serve(self.menu_events) => Ok(done?),
            never = scheduler::serve(&shared.commands, &shared.health) => match never {},
            never = rate_monitor::serve(Arc::clone(&health), clock_loop.clone()) => match never {},
            never = watch_storage(self.record_status, health, clock_loop) => match never {},
            done = serve_sim_board(self.sim_board.as_ref()) => Ok(done?),
            done = board_opener::serve(self.boards, self.opener, self.is_missing) => Ok(done?),
            ended = self.ended => Err(ended.unwrap_or_else(|_| io::Error::other("the clock loop died")).into()),
            done = stop_signal() => Ok(done?),
        }
    }
}

async fn serve_sim_board(board: Option<&SimBoard>) -> io::Result<()> {
    match board {
        Some(board) => board.serve().await,
        None => std::future::pending().await,
    }
}

async fn stop_signal() -> io::Result<()> {
    let (mut terminate, mut interrupt) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    notify::stopping();
    Ok(())
}
