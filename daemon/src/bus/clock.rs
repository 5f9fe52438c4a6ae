//! `org.chessclock.Clock1`: the state of the clock, for anyone to read.

use super::convert;
use super::dry_runs::{DryRuns, Present};
use super::served::Members;
use super::shared_state::SharedState;
use crate::game::GameInfo;
use clock_dbus::argument::{NAME_LIMIT, limited};
use clock_dbus::{Error, FurtherSignal, State, Timebase};
use clock_engine::text::{ControlFile, spoken};
use clockd_rt::clock::{ClockReadings, boot_id};
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::Arc;
use zbus::message::Header;
use zbus::names::OwnedUniqueName;
use zbus::object_server::SignalEmitter;
use zbus::{OwnedVariant, interface};

/// The interface `org.chessclock.Clock1`, which anyone may read: its methods, the properties of
/// [`State`], the signal `Transition`, and the signals of [`FurtherSignal`].
pub struct ClockInterface {
    /// The state that all interfaces share.
    pub shared: Arc<SharedState>,
    /// At the object of the dry runs: the copies of the callers. `None` at the object of the clock.
    pub dry_runs: Option<Arc<DryRuns>>,
}

impl ClockInterface {
    /// The copy of this caller, if there is one.
    fn copied(&self, header: Option<&Header<'_>>) -> Option<Present> {
        let program = OwnedUniqueName::from(header?.sender()?.to_owned());
        self.dry_runs.as_ref()?.present(&program)
    }

    /// The state of the copy of this caller or, if there is none, of the clock.
    fn state(&self, header: Option<&Header<'_>>) -> Arc<State> {
        self.copied(header).map_or_else(|| self.shared.state(), |copied| copied.state)
    }

    /// The game of the copy of this caller or, if there is none, the one on the clock.
    fn game(&self, header: &Header<'_>) -> GameInfo {
        self.copied(Some(header)).map_or_else(|| self.shared.game(), |copied| copied.game)
    }
}

impl Members for ClockInterface {
    fn property(
        &self,
        name: &str,
        header: Option<&Header<'_>>,
    ) -> Option<zbus::Result<OwnedVariant>> {
        self.state(header).property(name)
    }

    fn properties(
        &self,
        header: Option<&Header<'_>>,
    ) -> zbus::Result<HashMap<String, OwnedVariant>> {
        self.state(header).properties()
    }

    fn introspect(writer: &mut dyn Write, level: usize) -> fmt::Result {
        for (name, arguments) in FurtherSignal::ALL {
            writeln!(writer, "{:level$}<signal name=\"{name}\">", "")?;
            for (argument, signature) in *arguments {
                writeln!(writer, "{:level$}  <arg name=\"{argument}\" type=\"{signature}\"/>", "")?;
            }
            writeln!(writer, "{:level$}</signal>", "")?;
        }
        for (name, signature) in State::PROPERTIES {
            writeln!(
                writer,
                "{:level$}<property name=\"{name}\" type=\"{signature}\" access=\"read\"/>",
                ""
            )?;
        }
        Ok(())
    }
}

// Each method without arguments takes the header, because without any parameter zbus would also
// accept calls that pass arguments.
#[interface(name = "org.chessclock.Clock1", introspection_docs = false)]
impl ClockInterface {
    #[zbus(out_args("state"))]
    fn get_state(&self, #[zbus(header)] header: Header<'_>) -> State {
        State::clone(&self.state(Some(&header)))
    }

    #[zbus(out_args("timebase"))]
    fn get_timebase(&self, #[zbus(header)] _header: Header<'_>) -> Timebase {
        let now = ClockReadings::read();
        Timebase {
            monotonic_nsec: now.monotonic.as_nanos(),
            realtime_nsec: if now.is_wall_time_known { now.realtime_ns } else { 0 },
            boot_id: boot_id().to_owned(),
        }
    }

    #[zbus(out_args("name", "file", "changed_method", "notation"))]
    fn get_time_control(
        &self,
        #[zbus(header)] header: Header<'_>,
    ) -> (String, String, String, String) {
        let game = self.game(&header);
        let parsed = ControlFile::parse(&game.control_text).ok();
        let notation = parsed.and_then(|file| spoken(&file.control).ok()).unwrap_or_default();
        let changed = self.state(Some(&header)).changed_method.clone();
        (game.control, game.control_text, changed, notation)
    }

    #[zbus(out_args("file"))]
    fn read_time_control(&self, name: &str) -> Result<String, Error> {
        let name = limited("name", name, NAME_LIMIT)?;
        let known = self.shared.controls.find(name);
        known.map(|known| known.text).map_err(|problem| convert::invalid_control(&problem))
    }

    #[zbus(out_args("controls"))]
    fn list_time_controls(&self, #[zbus(header)] _header: Header<'_>) -> Vec<(String, String)> {
        self.shared.controls.list()
    }

    #[zbus(out_args("name", "file"))]
    fn get_rules(&self, #[zbus(header)] header: Header<'_>) -> (String, String) {
        let rules = self.game(&header).rules;
        rules.map(|rules| (rules.name.clone(), rules.rules.to_toml())).unwrap_or_default()
    }

    #[zbus(out_args("rules"))]
    fn list_rules(&self, #[zbus(header)] _header: Header<'_>) -> Vec<(String, String)> {
        self.shared.rules.list()
    }

    #[zbus(out_args("file"))]
    fn read_rules(&self, name: &str) -> Result<String, Error> {
        let name = limited("name", name, NAME_LIMIT)?;
        let known = self.shared.rules.find(name);
        let known = known.map_err(|problem| convert::invalid_rules(&problem))?;
        Ok(known.rules.to_toml())
    }

    #[zbus(signal)]
    async fn transition(emitter: &SignalEmitter<'_>, cause: &str, state: State)
    -> zbus::Result<()>;

    #[zbus(property(emits_changed_signal = "const"))]
    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }
}
