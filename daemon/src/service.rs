//! Starts the parts of the daemon and runs them. The first part that ends stops the daemon.

use crate::args::Args;
use crate::board_opener::{self, BoardOpener};
use crate::bus::button_test::{self, ButtonTest};
use crate::bus::commits::Commits;
use crate::bus::history::History;
use crate::bus::shared_state::{Configured, Record, SharedState};
use crate::bus::{self, Bus, BusError};
use crate::config::{self, Chosen, Config, ConfigError, Configuration, LastConfiguration};
use crate::game::{GameInfo, GameText, IdentityKeeper, journal, scheduler};
use crate::menu::{self, MenuService};
use crate::notify;
use crate::rate_monitor;
use crate::record::recorder::{self, Kept};
use crate::record::{self, RecordFile};
use crate::storage_monitor;
use clock_controls::{LoadError, NamedRules, RuleLibrary};
use clock_engine::rules::{Game, RuleRefused};
use clockd_core::{Button, InputKind};
use clockd_menu::{Keys, NO_MENU};
use clockd_rt::clock::{ClockReadings, boot_id};
use clockd_rt::gpio::sim::{self, SimBoard};
use clockd_rt::gpio::{self, GpioError, Lines};
use clockd_rt::{Health, Inputs, RunningLoop, Since, Start};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::signal::unix::{SignalKind, signal};

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
    /// The record cannot be copied or replaced; standard output has said why.
    #[error("the record cannot be copied or replaced")]
    Backup,
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
            Failure::Backup | Failure::Io(_) => 1,
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
    runtime.block_on(serve(&args, chosen, last, configured))
}

/// The folder in which the service keeps its files, if it has one.
fn state_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("STATE_DIRECTORY").filter(|folder| !folder.is_empty())?;
    Some(PathBuf::from(folder))
}

/// The game that is set up from the configuration.
fn first_game(configuration: &Configuration) -> Result<Game, Failure> {
    let refused = |refused: RuleRefused| Failure::Io(io::Error::other(refused.to_string()));
    configuration.game().map_err(refused)
}

fn rules_name(rules: Option<&NamedRules>) -> &str {
    rules.map_or("", |rules| &rules.name)
}

/// The names and texts of the configured game. The engine does not keep them.
fn configured(configuration: &Configuration) -> GameInfo {
    let Configuration { config, control, rules, .. } = configuration;
    GameInfo {
        control: control.name.clone(),
        control_text: control.text.clone(),
        rules: rules.clone().map(Arc::new),
        board: config.board().unwrap_or_default().to_owned(),
        set_up_at_clock: true,
        ..GameInfo::default()
    }
}

fn read_line(path: &str) -> io::Result<String> {
    std::fs::read_to_string(path).map(|text| text.trim().to_owned())
}

/// The path of the record, how many games it keeps, and the interval of its checkpoints.
fn record_settings(args: &Args, config: &Config) -> recorder::Settings {
    let in_state_folder = || Some(state_folder()?.join("record.sqlite3"));
    let path = match &args.record {
        Some(path) if path.as_os_str() == "none" => None,
        Some(path) => Some(path.clone()),
        None => config.record.path.clone().or_else(in_state_folder),
    };
    recorder::Settings {
        path,
        keep_games: u64::from(config.record.keep_games),
        checkpoint: std::time::Duration::from_nanos(config.record.checkpoint.as_nanos()),
    }
}

/// The clock to start with, and the names and texts of its game. A kept game continues in each of
/// two cases: the present configuration is refused, or the kept game is not outdated
/// (`Kept::is_outdated`). In every other case, the game of the configuration is set up.
fn first_clock(
    found: (Option<Kept>, u64),
    (configured, is_refused): (GameInfo, bool),
    library: &RuleLibrary,
    game: impl FnOnce() -> Result<Game, Failure>,
) -> Result<(Start, GameInfo), Failure> {
    let (kept, last_entry) = found;
    match kept {
        Some(kept) if is_refused || !kept.is_outdated(&GameText::from(&configured)) => {
            let info = kept_game(&kept, library, ClockReadings::read());
            let Kept { clock, since, is_recorded, .. } = kept;
            Ok((Start::Restored { clock, since, is_recorded }, info))
        }
        _ => Ok((Start::New { game: game()?, last_entry }, configured)),
    }
}

/// The names and texts of a kept game. If the time of a scheduled start came while the earlier
/// process ran, and the start is still awaited, the start is late: the earlier process could not
/// carry it out, because the button board was missing.
fn kept_game(kept: &Kept, library: &RuleLibrary, now: ClockReadings) -> GameInfo {
    let of_clock = (kept.clock.control(), kept.clock.game().profile());
    let mut info = kept.text.clone().info(library, known_until(kept.since, now), of_clock);
    if let Some(start) = info.start.as_mut().filter(|start| !start.starts_clock) {
        start.is_late = kept.awaits_start;
        start.starts_clock = kept.awaits_start;
    }
    info
}

/// Returns the wall time up to which scheduled starts are not carried out any more, in nanoseconds
/// since 1970. After a restart of the daemon, this is the time at which the daemon last ran, so a
/// start that was due after that time is carried out now. After a power cut, it is the present
/// time, so a start that was missed is left to the arbiter.
fn known_until(since: Since, now: ClockReadings) -> u64 {
    let gap = match since {
        Since::Restart(since) => now.monotonic.since(since).as_nanos(),
        Since::PowerCut(_) => 0,
    };
    now.realtime_ns.saturating_sub(gap)
}

async fn serve(
    args: &Args,
    chosen: Chosen,
    last: Option<LastConfiguration>,
    of_configuration: Configured,
) -> Result<(), Failure> {
    let Chosen { configuration, refused } = chosen;
    let is_refused = refused.is_some();
    // A load that has failed is not tried again, and a set-up file that is refused changed nothing. So the
    // configuration is used as it is.
    let refused = refused.or_else(config::failed_load).or_else(config::refused_set_up);
    let config = &configuration.config;
    let (open, kind, sim_board) = opener(args, &configuration)?;
    let has_call = has_call(&configuration, sim_board.is_some());
    let menu = menu_setup(&configuration, has_call);
    // A board that cannot be opened does not stop the start. It is a fault of the running clock,
    // like a board that is unplugged.
    let mut opener = BoardOpener::new(open);
    let lines = opener.try_open();
    let is_missing = lines.is_none();
    let game = configured(&configuration);
    let health = Arc::new(Health::new(refused));
    let settings = record_settings(args, config);
    let path = settings.path.clone();
    health.no_record.store(path.is_none(), Ordering::Relaxed);
    let started = recorder::start(recorder::Setup {
        settings,
        configured: GameText::from(&game),
        health: Arc::clone(&health),
        boot: boot_id().to_owned(),
        machine: read_line("/etc/machine-id").unwrap_or_default(),
    })?;
    let recorder::Started {
        mut recorder,
        wakeups,
        entries,
        notes,
        identity,
        snapshots,
        alive,
        committed,
        status,
        ..
    } = started;
    let last_entry = started.last_entry;
    let is_configured = started.kept.as_ref().is_none_or(|kept| kept.is_configured);
    let first_entry = started.kept.as_ref().and_then(|kept| kept.first_entry);
    let found = (started.kept, last_entry);
    let new_game = || first_game(&configuration);
    let (start, game) = first_clock(found, (game, is_refused), &of_configuration.rules, new_game)?;
    let is_new = matches!(start, Start::New { .. });
    let request = if is_new { 0 } else { started.game_request };
    let first_entry = if is_new { Some(last_entry + 1) } else { first_entry };
    let is_configured = is_new || is_configured;
    let identity = IdentityKeeper::new(identity, is_configured, first_entry, request);
    if is_new {
        recorder.begin_game(last_entry);
    }
    let inputs = Inputs { kind, times: config.times };
    let control = *start.control();
    let opening = menu.keys.map(|keys| menu.config.opening(keys));
    let running = clockd_rt::spawn(start, inputs, opening, lines, entries, Arc::clone(&health))?;
    // The log also contains the meaning of the time control, because a notation may mean something
    // else than its author thinks: `300` is 300 minutes.
    tracing::info!(
        control = game.control,
        meaning = clock_engine::text::describe(&control),
        rules = rules_name(game.rules.as_deref()),
        "the clock starts with this time control"
    );
    journal::update(&running.first, &running.health);
    if let Some(reason) = &running.not_realtime {
        tracing::warn!(%reason, "the clock loop has no real-time priority");
    }
    let RunningLoop { requests, menu_requests, updates, first, boards, health, traced, .. } =
        running;
    let (menu_events, heartbeat, ended) = (running.menu, running.heartbeat, running.ended);
    let clock_loop = requests.notifier();
    recorder::spawn(recorder, wakeups, requests.notifier())?;
    let record_status = Arc::clone(&status);
    let record = match path {
        Some(path) => Record {
            commits: Commits::new(committed),
            identity,
            notes,
            history: History::start(RecordFile::new(path, record::REPLAY))?,
            status,
        },
        None => {
            let (commits, history) = (Commits::none(), History::none());
            Record { commits, history, identity, notes, status }
        }
    };
    let is_scheduled = game.start.is_some();
    let rings = (requests, menu_requests);
    let shared =
        SharedState::new(rings, &first, game, of_configuration, Arc::clone(&health), record);
    let board = button_test::board(kind, has_call, config.times);
    let button_test = ButtonTest::new(Some(traced), board);
    let shared = Arc::new(shared.with_button_test(button_test));
    // The menu is on the heap, like the recorder. Otherwise the future of this function would
    // contain several copies of it. The future is made on the stack, and all memory that was used
    // is locked.
    let menu = Box::new(MenuService::new(Arc::clone(&shared), menu, state_folder().as_deref()));
    if is_scheduled {
        shared.commands.start_scheduled.notify_one();
    }
    let bus = Bus::new(args.bus.clone(), Arc::clone(&shared), config.captains, snapshots)?;
    // The configuration is kept only if a board was opened: the whole configuration has then
    // worked, including the wiring.
    if !is_refused && !is_missing {
        keep_configuration(last, configuration)?;
    }
    let (publications, queue) = bus::publication_queue();
    notify::start_feeding(heartbeat, alive)?;
    tokio::select! {
        // With `biased`, the branches are polled in this order. So a publication that the first one
        // queues is sent by the second one at once, and not only after a further wait.
        biased;
        done = bus::forward_updates(updates, &shared, &publications) => Ok(done?),
        done = bus.serve(queue, notify::ready) => Ok(done?),
        done = menu.serve(menu_events) => Ok(done?),
        never = scheduler::serve(&shared.commands, &shared.health) => match never {},
        never = rate_monitor::serve(Arc::clone(&health), clock_loop.clone()) => match never {},
        never = storage_monitor::serve(record_status, health, clock_loop) => match never {},
        done = serve_sim_board(sim_board.as_ref()) => Ok(done?),
        done = board_opener::serve(boards, opener, is_missing) => Ok(done?),
        ended = ended => Err(ended.unwrap_or_else(|_| io::Error::other("the clock loop died")).into()),
        done = stop_signal() => Ok(done?),
    }
}

/// Keeps this configuration. A later start uses it if its own configuration is refused. A thread
/// writes the file, because a storage that hangs must not delay the present start.
fn keep_configuration(
    last: Option<LastConfiguration>,
    configuration: Configuration,
) -> io::Result<()> {
    let Some(last) = last else { return Ok(()) };
    let thread = std::thread::Builder::new().name("configuration".into()).stack_size(256 * 1024);
    thread.spawn(move || {
        if let Err(error) = last.keep(&configuration) {
            tracing::warn!(%error, "the configuration cannot be kept for the next start");
        }
    })?;
    Ok(())
}

/// Whether the board has a call button.
fn has_call(configuration: &Configuration, is_simulated: bool) -> bool {
    match &configuration.wiring {
        Some(file) => file.wiring.lines[Button::Call.index()].is_some(),
        // Only a simulated board is opened without a wiring, and it has a call button.
        None => is_simulated,
    }
}

/// What the menu needs of the configuration.
fn menu_setup(configuration: &Configuration, has_call: bool) -> menu::Setup {
    let Configuration { config, rules, wiring, .. } = configuration;
    let kind = wiring.as_ref().map(|file| file.input).unwrap_or_default();
    let keys = Keys::of(kind, has_call);
    if keys.is_none() {
        tracing::info!("{NO_MENU}");
    }
    menu::Setup {
        config: config.menu.config.clone(),
        keys,
        configured_rules: rules.clone().map(Arc::new),
    }
}

/// A function that opens the button board.
type Opener = Box<dyn Fn() -> Result<Box<dyn Lines>, Failure>>;

/// The function that opens the button board, the kind of its switch, and the simulated board,
/// which is `None` if the board is real.
fn opener(
    args: &Args,
    configuration: &Configuration,
) -> Result<(Opener, InputKind, Option<SimBoard>), Failure> {
    let Configuration { config, wiring, .. } = configuration;
    let kind = wiring.as_ref().map(|file| file.input).unwrap_or_default();
    if let Some(path) = &args.gpio {
        let (opener, board) = sim::board(path)?;
        let open = move || Ok(Box::new(opener.open()?) as Box<dyn Lines>);
        return Ok((Box::new(open), kind, Some(board)));
    }
    let (wiring, uapi) = (wiring.clone(), config.uapi);
    let open = move || {
        let Some(file) = &wiring else { return Err(Failure::NoWiring) };
        match gpio::open(&file.wiring, uapi) {
            Ok((lines, uapi)) => {
                tracing::info!(uapi, "the lines of the buttons are requested");
                Ok(lines)
            }
            Err(error) => Err(file.wrong(error.button(), error.to_string()).into()),
        }
    };
    Ok((Box::new(open), kind, None))
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

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::rules::{Session, Setup};
    use clock_engine::{Control, Instant, Method, Span};
    use clockd_rt::VersionedClock;

    #[test]
    fn a_start_that_was_scheduled_for_the_time_of_a_restart_is_carried_out() {
        let at = Instant::from_nanos;
        let (monotonic, realtime_ns) = (at(1_000), 50_000);
        let now = ClockReadings { monotonic, realtime_ns, ..ClockReadings::default() };
        let control = Control::single(Span::from_secs(60), Method::None);
        let starts = |since, realtime_nsec, awaits_start| {
            let setup = Setup { control, profile: None, session: Session::Unknown, force: false };
            let game = Game::new(&setup, at(1)).unwrap();
            let kept = Kept {
                clock: Box::new(VersionedClock::new(game, None, false)),
                since,
                is_recorded: true,
                text: GameText { start_realtime_ns: Some(realtime_nsec), ..GameText::default() },
                is_configured: false,
                first_entry: None,
                awaits_start,
            };
            let start = kept_game(&kept, &RuleLibrary::default(), now).start.unwrap();
            (start.starts_clock, start.is_late)
        };
        let (not, at_its_time, late) = ((false, false), (true, false), (true, true));
        let restart = Since::Restart(at(700));
        assert_eq!(starts(restart, 49_701, true), at_its_time, "it came in the last 300 ns");
        assert_eq!(starts(restart, 49_700, true), late, "it came while the board was missing");
        assert_eq!(starts(restart, 49_700, false), not, "it was carried out before");
        let power_cut = Since::PowerCut(at(700));
        assert_eq!(starts(power_cut, 50_000, false), not);
        assert_eq!(starts(power_cut, 50_001, false), at_its_time, "it is still to come");
    }
}
