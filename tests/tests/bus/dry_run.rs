//! The object of the dry runs: it answers as the clock would, and nothing of the clock, of its
//! record or of the bus changes.

use super::*;
use clock_dbus::commands::Side;
use clock_dbus::{ARBITER_INTERFACE, CLOCK_INTERFACE, DRY_RUN_PATH, HistoryProxy, SERVICE};
use zbus_xml::Node;

/// The two interfaces of the object of the dry runs.
pub struct DryRun {
    pub connection: Connection,
    pub clock: ClockProxy<'static>,
    pub arbiter: ArbiterProxy<'static>,
}

impl DryRun {
    pub async fn of(fixture: &Fixture) -> DryRun {
        let address = fixture.bench.address();
        let builder = connection::Builder::address(address.as_str());
        let connection = builder.method_timeout(Duration::from_secs(10)).build().await.unwrap();
        let clock = ClockProxy::builder(&connection).path(DRY_RUN_PATH);
        let arbiter = ArbiterProxy::builder(&connection).path(DRY_RUN_PATH);
        let (clock, arbiter) = (clock.build().await.unwrap(), arbiter.build().await.unwrap());
        DryRun { connection, clock, arbiter }
    }
}

impl Fixture {
    /// Everything that is on record of the first two games.
    async fn rows(&self) -> Vec<String> {
        let history = HistoryProxy::new(&self.connection).await.unwrap();
        let mut rows = history.list_games(0, 100).await.unwrap();
        for game in 1..=rows.len() as u64 {
            rows.extend(history.read_entries(game, 0, 200).await.unwrap());
        }
        rows
    }
}

async fn recorded() -> Fixture {
    let bench = Bench::in_memory().unwrap();
    let games = bench.folder().join("games");
    fixture_on(bench, &["--control", "blitz-3-2", "--record", games.to_str().unwrap()]).await
}

#[tokio::test]
async fn a_dry_run_sends_no_signal_records_nothing_and_has_the_state_of_the_command() {
    let fixture = recorded().await;
    fixture.arbiter().await.start(1, "").await.unwrap();
    let paused = fixture.arbiter().await.pause(None, 2, "").await.unwrap();
    let rule = MatchRule::builder().msg_type(Type::Signal).path_namespace(clock_dbus::PATH);
    let mut signals =
        MessageStream::for_match_rule(rule.build().unwrap(), &fixture.connection, None)
            .await
            .unwrap();
    let (before, rows) = (fixture.state().await, fixture.rows().await);
    let game = || NewGame {
        white_player: Some("Anna".to_owned()),
        rules: Some("fide-2023".to_owned()),
        force: Some(true),
        ..NewGame::default()
    };

    // What each of the two commands does is found out before it is given.
    let dry_run = DryRun::of(&fixture).await;
    assert_eq!(dry_run.clock.get_state().await.unwrap(), before, "without a copy");
    let tried = dry_run.arbiter.add(Side::White, 5_000_000_000, paused.revision, "").await;
    let tried = tried.unwrap();
    assert_eq!((tried.revision, tried.recorded), (paused.revision + 1, false));
    assert!(tried.report.starts_with("White gets 0:00:05"), "{tried:?}");
    let longer = dry_run.clock.get_state().await.unwrap();
    assert_eq!(longer.white.remaining_nsec, before.white.remaining_nsec + 5_000_000_000);
    dry_run.arbiter.new_game(game(), tried.revision, "").await.unwrap();
    let new = dry_run.clock.get_state().await.unwrap();
    assert_eq!((new.phase, new.white.player.as_str()), (Phase::Ready, "Anna"));
    assert_eq!(dry_run.clock.get_rules().await.unwrap().0, "fide-2023");
    let players: String = property(&dry_run.connection, "WhitePlayer").await.try_into().unwrap();
    assert_eq!(players, "Anna");
    // A refusal names what the command would be refused with, and leaves the copy as it is.
    let refused = dry_run.arbiter.undo_press(tried.revision + 1, "").await;
    assert!(matches!(refused, Err(Error::RefusedByRules(_))), "{refused:?}");
    assert_eq!(dry_run.clock.get_state().await.unwrap(), new);

    assert_eq!((fixture.state().await, fixture.rows().await), (before.clone(), rows.clone()));
    // The first signals are those of the commands that are carried out now.
    let arbiter = fixture.arbiter().await;
    arbiter.add(Side::White, 5_000_000_000, before.revision, "").await.unwrap();
    let mut next = async || {
        for member in ["PropertiesChanged", "Transition"] {
            let message = signals.next().await.unwrap().unwrap();
            assert_eq!(message.header().member().unwrap(), member);
            if member == "Transition" {
                return message.body().deserialize::<(String, State)>().unwrap();
            }
        }
        unreachable!("the loop returns")
    };
    let (cause, state) = next().await;
    // The instant is that of the command; nothing else depends on it while both clocks stand.
    let at_that_instant = |dry: &State| State { at_nsec: state.at_nsec, ..dry.clone() };
    assert_eq!((cause.as_str(), &state), ("add", &at_that_instant(&longer)));
    arbiter.new_game(game(), state.revision, "").await.unwrap();
    let (cause, state) = next().await;
    // The texts of the copy have a version of their own.
    assert!(
        new.texts_version != before.texts_version && state.texts_version != before.texts_version
    );
    let (at_nsec, texts_version) = (state.at_nsec, state.texts_version);
    let expected = State { at_nsec, texts_version, ..new };
    assert_eq!((cause.as_str(), state), ("new", expected));
    assert!(fixture.rows().await.len() > rows.len());
}

#[tokio::test]
async fn a_game_that_is_adjourned_in_a_dry_run_is_kept_and_one_that_goes_on_there_is_not() {
    let fixture = recorded().await;
    let arbiter = fixture.arbiter().await;
    let rules = NewGame { rules: Some("fide-2023".to_owned()), ..NewGame::default() };
    arbiter.new_game(rules, 1, "").await.unwrap();
    arbiter.start(2, "").await.unwrap();
    let number = fixture.state().await.game_number.unwrap();
    let dry_run = DryRun::of(&fixture).await;
    dry_run.arbiter.adjourn(Side::White, "e4", 3, "").await.unwrap();
    dry_run.arbiter.new_game(NewGame::default(), 4, "").await.unwrap();
    let new = dry_run.clock.get_state().await.unwrap();
    assert_eq!((new.phase, new.game_number), (Phase::Ready, Some(number + 1)));
    // Entry 1 is one of the game on the clock, which is not the one of the copy.
    let refused = dry_run.arbiter.rewind(1_u64, 5, "").await;
    assert!(
        matches!(&refused, Err(Error::NoRecord(why)) if why.contains("dry run")),
        "{refused:?}"
    );

    // The command is accepted, too, and the game on the clock is adjourned from now on.
    arbiter.adjourn(Side::White, "e4", 3, "").await.unwrap();
    let dry_run = DryRun::of(&fixture).await;
    dry_run.arbiter.resume_adjourned(0_u64, 4, "").await.unwrap();
    let refused = dry_run.arbiter.new_game(NewGame::default(), 5, "").await;
    assert!(matches!(refused, Err(Error::GameUnderWay(_))), "{refused:?}");
    arbiter.new_game(NewGame::default(), 4, "").await.unwrap();
}

async fn property(connection: &Connection, name: &str) -> OwnedVariant {
    let reply = connection
        .call_method(
            Some(SERVICE),
            DRY_RUN_PATH,
            Some("org.freedesktop.DBus.Properties"),
            "Get",
            &(CLOCK_INTERFACE, name),
        )
        .await
        .unwrap();
    reply.body().deserialize().unwrap()
}

#[tokio::test]
async fn a_copy_belongs_to_its_connection_and_two_commands_work_one_after_the_other() {
    let fixture = fixture(&["--control", "blitz-3-2"]).await;
    fixture.arbiter().await.start(1, "").await.unwrap();
    let (first, other) = (DryRun::of(&fixture).await, DryRun::of(&fixture).await);
    first.arbiter.pause(None, 2, "").await.unwrap();
    first.arbiter.announce("lunch", 3, "").await.unwrap();
    let state = first.clock.get_state().await.unwrap();
    assert_eq!((state.phase, state.announcement.as_str()), (Phase::Paused, "lunch"));
    // For another connection, and for the clock, the game still runs.
    let refused = other.arbiter.announce("lunch", 2, "").await;
    assert!(matches!(refused, Err(Error::NotPaused(_))), "{refused:?}");
    assert_eq!(other.clock.get_state().await.unwrap().phase, Phase::Running);
    assert_eq!(fixture.state().await.phase, Phase::Running);
    // A press after the dry run changes the clock and not the copy.
    fixture.bench.buttons().unwrap().press("white").unwrap();
    assert_eq!(first.clock.get_state().await.unwrap().white.moves, 0);
    let stale = first.arbiter.resume(None, 2, "").await;
    assert!(matches!(stale, Err(Error::StaleRevision(_))), "the copy has another revision");
}

#[tokio::test]
async fn the_object_has_two_of_the_interfaces_and_their_members() {
    let fixture = fixture(&[]).await;
    let live = async |path: &'static str| {
        let introspect = fixture.connection.call_method(
            Some(SERVICE),
            path,
            Some("org.freedesktop.DBus.Introspectable"),
            "Introspect",
            &(),
        );
        let xml: String = introspect.await.unwrap().body().deserialize().unwrap();
        let node = Node::try_from(xml.as_str()).unwrap();
        let ours = node.interfaces().iter().filter(|it| it.name().contains("chessclock"));
        ours.map(|it| (it.name().to_string(), format!("{it:?}"))).collect::<HashMap<_, _>>()
    };
    let (clock, mut dry_run) = (live(clock_dbus::PATH).await, live(DRY_RUN_PATH).await);
    for name in [CLOCK_INTERFACE, ARBITER_INTERFACE] {
        assert_eq!(dry_run.remove(name).as_ref(), clock.get(name), "{name}");
    }
    assert_eq!(dry_run, HashMap::new());
}
