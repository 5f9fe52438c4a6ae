//! Starts the parts of the service, in the order in which they need each other.

use super::{Failure, Opener, Service, state_folder};
use crate::args::Args;
use crate::board_opener::BoardOpener;
use crate::bus::Bus;
use crate::bus::button_test::{self, ButtonTest};
use crate::bus::commits::Commits;
use crate::bus::history::History;
use crate::bus::shared_state::{Configured, Record, SharedState};
use crate::config::{self, Chosen, Config, Configuration, LastConfiguration};
use crate::game::{EntryNote, GameInfo, GameText, IdentityKeeper, journal, random_id};
use crate::menu::{self, MenuService};
use crate::notify;
use crate::record::recorder::{self, Kept, Started};
use crate::record::{self, RecordReader};
use crate::saved_time;
use clock_controls::{NamedRules, RuleLibrary};
use clock_engine::Control;
use clock_engine::rules::{Game, RuleRefused};
use clockd_core::{Button, InputKind};
use clockd_menu::{Keys, NO_MENU};
use clockd_rt::clock::{ClockReadings, boot_id};
use clockd_rt::gpio::sim::{self, SimBoard};
use clockd_rt::gpio::{self, Lines};
use clockd_rt::{Health, Inputs, RunningLoop, Since, Start};
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Starts all parts.
///
/// # Errors
///
/// A part cannot be started. A button board that cannot be opened is no error.
pub(super) fn start(
    args: &Args,
    chosen: Chosen,
    last: Option<LastConfiguration>,
    of_configuration: Configured,
) -> Result<Service, Failure> {
    let Chosen { configuration, refused } = chosen;
    let is_refused = refused.is_some();
    // A load that has failed is not tried again, and a set-up file that is refused changed nothing. So the
    // configuration is used as it is.
    let refused = refused.or_else(config::failed_load).or_else(config::refused_set_up);
    let times = configuration.config.times;
    let (open, kind, sim_board) = opener(args, &configuration)?;
    let has_call = has_call(&configuration, sim_board.is_some());
    let menu = menu_setup(&configuration, has_call);
    // A board that cannot be opened does not stop the start. It is a fault of the running clock,
    // like a board that is unplugged.
    let mut opener = BoardOpener::new(open);
    let lines = opener.try_open();
    let is_missing = lines.is_none();
    let health = Arc::new(Health::new(refused));
    let configured = configured(&configuration);
    let settings = record_settings(args, &configuration.config);
    let path = settings.path.clone();
    health.no_record.store(path.is_none(), Ordering::Relaxed);
    let started = recorder::start(recorder::Setup {
        settings,
        health: Arc::clone(&health),
        boot: boot_id().to_owned(),
        machine: read_line("/etc/machine-id").unwrap_or_default(),
    })?;
    let Started { mut recorder, wakeups, entries, snapshots, alive, .. } = started;
    let (committed, status, last_entry) = (started.committed, started.status, started.last_entry);
    let is_configured = started.kept.as_ref().is_none_or(|kept| kept.is_configured);
    let found = (started.kept, last_entry);
    let new_game = || first_game(&configuration);
    let (start, game) =
        first_clock(found, (configured, is_refused), &of_configuration.rules, new_game)?;
    let is_new = matches!(*start, Start::New { .. });
    if is_new {
        recorder.begin_game(game.id, last_entry);
    }
    let identity = IdentityKeeper::new(started.identity, is_new || is_configured);
    let control = *start.control();
    let opening = menu.keys.map(|_| menu.config.opening);
    let stop_together = kind == InputKind::Buttons && !has_call;
    let inputs = Inputs { kind, times, stop_together };
    let running = clockd_rt::spawn(start, inputs, opening, lines, entries, Arc::clone(&health))?;
    log_start(&game, &control, &running);
    recorder::spawn(recorder, wakeups, running.requests.notifier())?;
    let record_status = Arc::clone(&status);
    let record = match path {
        Some(path) => {
            let history = History::start(RecordReader::new(path, record::REPLAY))?;
            Record { commits: Commits::new(committed), history, identity, status }
        }
        None => {
            let (commits, history) = (Commits::none(), History::none());
            Record { commits, history, identity, status }
        }
    };
    let RunningLoop { requests, menu_requests, updates, first, boards, traced, .. } = running;
    let (heartbeat, menu_events, ended) = (running.heartbeat, running.menu, running.ended);
    let clock_loop = requests.notifier();
    let test = ButtonTest::new(Some(traced), button_test::board(kind, has_call, times));
    let rings = (requests, menu_requests);
    let is_scheduled = game.start.is_some();
    let shared =
        SharedState::new(rings, &first, game, of_configuration, Arc::clone(&health), record);
    let shared = Arc::new(shared.with_button_test(test));
    let menu = Box::new(MenuService::new(Arc::clone(&shared), menu, state_folder().as_deref()));
    if is_scheduled {
        shared.commands.start_scheduled.notify_one();
    }
    let captains = configuration.config.captains;
    let bus = Bus::new(args.bus.clone(), Arc::clone(&shared), captains, snapshots)?;
    // The configuration is kept only if a board was opened: the whole configuration has then
    // worked, including the wiring.
    if !is_refused && !is_missing {
        keep_configuration(last, configuration)?;
    }
    if let Some(folder) = state_folder() {
        saved_time::start_saving(folder)?;
    }
    notify::start_feeding(heartbeat, alive)?;
    Ok(Service {
        bus,
        menu,
        shared,
        updates,
        menu_events,
        boards,
        opener,
        is_missing,
        sim_board,
        health,
        record_status,
        clock_loop,
        ended,
    })
}

/// Writes to the log which game the clock starts with, and whether the clock loop has no real-time
/// priority.
fn log_start(game: &GameInfo, control: &Control, running: &RunningLoop) {
    // The log also contains the meaning of the time control, because a notation may mean something
    // else than its author thinks: `300` is 300 minutes.
    tracing::info!(
        control = game.control,
        meaning = clock_engine::text::describe(control),
        rules = rules_name(game.rules.as_deref()),
        "the clock starts with this time control"
    );
    journal::update(&running.first, &running.health);
    if let Some(reason) = &running.not_realtime {
        tracing::warn!(%reason, "the clock loop has no real-time priority");
    }
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
        id: random_id(),
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

/// The folder of the record, how many games it keeps, and the interval of its checkpoints.
fn record_settings(args: &Args, config: &Config) -> recorder::Settings {
    let in_state_folder = || Some(state_folder()?.join("games"));
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
) -> Result<(Box<Start>, GameInfo), Failure> {
    let (kept, last_entry) = found;
    match kept {
        Some(kept) if is_refused || !kept.is_outdated(&GameText::from(&configured)) => {
            let info = kept_game(&kept, library, ClockReadings::read());
            let Kept { clock, since, is_recorded, .. } = kept;
            Ok((Box::new(Start::Restored { clock, since, is_recorded }), info))
        }
        _ => {
            let note =
                EntryNote::SetUp(Box::new(GameText::from(&configured))).encode(configured.id);
            Ok((Box::new(Start::New { game: game()?, last_entry, note }), configured))
        }
    }
}

/// The names and texts of a kept game. If the time of a scheduled start came while the earlier
/// process ran, and the start is still awaited, the start is late: the earlier process could not
/// carry it out, because the button board was missing.
fn kept_game(kept: &Kept, library: &RuleLibrary, now: ClockReadings) -> GameInfo {
    let of_clock = (kept.clock.control(), kept.clock.game().profile());
    let info = kept.text.clone().info(library, known_until(kept.since, now), of_clock);
    let mut info = GameInfo { id: kept.id, ..info };
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
    let Configuration { config, wiring, .. } = configuration;
    let kind = wiring.as_ref().map(|file| file.input).unwrap_or_default();
    let keys = Keys::of(kind, has_call);
    if keys.is_none() {
        tracing::info!("{NO_MENU}");
    }
    menu::Setup {
        config: config.menu.config.clone(),
        keys,
        configured_rules: configuration.rules_with_arbiter().map(Arc::new),
    }
}

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
                id: 1,
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
