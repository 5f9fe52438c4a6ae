//! `org.chessclock.Clock1`: the state of the clock, for anyone to read.

use super::arguments;
use super::shared_state::SharedState;
use crate::clock::{boot_id, monotonic_now, realtime_now};
use clock_dbus::{Error, FurtherSignal, State, Timebase};
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::Arc;
use zbus::export::async_trait::async_trait;
use zbus::message::{Header, Message};
use zbus::names::{InterfaceName, MemberName};
use zbus::object_server::{DispatchResult, Interface, SignalEmitter};
use zbus::{BoxDBusError, Connection, ObjectServer, OwnedVariant, Variant, fdo, interface};

/// The interface that anyone may read: the methods of [`Methods`], the properties of [`State`], and
/// the signals of [`FurtherSignal`].
pub struct ClockInterface {
    shared: Arc<SharedState>,
    methods: Methods,
}

impl ClockInterface {
    pub fn new(shared: Arc<SharedState>) -> ClockInterface {
        ClockInterface { methods: Methods { shared: Arc::clone(&shared) }, shared }
    }
}

/// Implemented by hand, because `#[interface]` needs a function for each property and each signal.
/// Here they come from lists.
#[async_trait]
impl Interface for ClockInterface {
    fn name() -> InterfaceName<'static> {
        Methods::name()
    }

    async fn get(
        &self,
        name: &str,
        server: &ObjectServer,
        connection: &Connection,
        header: Option<&Header<'_>>,
        emitter: &SignalEmitter<'_>,
    ) -> Option<Result<OwnedVariant, BoxDBusError>> {
        match self.shared.read(|state| state.property(name)) {
            Some(value) => Some(value.map_err(BoxDBusError::from)),
            None => self.methods.get(name, server, connection, header, emitter).await,
        }
    }

    /// Reads all properties at one instant.
    async fn get_all(
        &self,
        server: &ObjectServer,
        connection: &Connection,
        header: Option<&Header<'_>>,
        emitter: &SignalEmitter<'_>,
    ) -> fdo::Result<HashMap<String, OwnedVariant>> {
        let mut all = self.methods.get_all(server, connection, header, emitter).await?;
        all.extend(self.shared.read(State::properties)?);
        Ok(all)
    }

    /// No property can be set.
    async fn set_mut(
        &mut self,
        _name: &str,
        _value: &Variant<'_>,
        _server: &ObjectServer,
        _connection: &Connection,
        _header: Option<&Header<'_>>,
        _emitter: &SignalEmitter<'_>,
    ) -> Option<Result<(), BoxDBusError>> {
        None
    }

    fn call<'call>(
        &'call self,
        server: &'call ObjectServer,
        connection: &'call Connection,
        message: &'call Message,
        name: MemberName<'call>,
    ) -> DispatchResult<'call> {
        self.methods.call(server, connection, message, name)
    }

    fn call_mut<'call>(
        &'call mut self,
        _server: &'call ObjectServer,
        _connection: &'call Connection,
        _message: &'call Message,
        _name: MemberName<'call>,
    ) -> DispatchResult<'call> {
        DispatchResult::NotFound
    }

    /// Inserts the signals and the properties into the element that zbus writes, right before its
    /// end.
    fn introspect_to_writer(&self, writer: &mut dyn Write, level: usize) {
        let mut element = String::new();
        self.methods.introspect_to_writer(&mut element, level);
        let (members, end) =
            element.rsplit_once("</interface>").expect("zbus writes one element with an end");
        let members = members.trim_end();
        let written = write_members(writer, members, level)
            .and_then(|()| write!(writer, "{:level$}</interface>{end}", ""));
        written.expect("zbus writes the introspection into memory");
    }
}

/// Writes `members`, which are the members from zbus, then the further signals and the properties
/// of the state.
fn write_members(writer: &mut dyn Write, members: &str, level: usize) -> fmt::Result {
    writeln!(writer, "{members}")?;
    for (name, arguments) in FurtherSignal::ALL {
        writeln!(writer, "{:level$}  <signal name=\"{name}\">", "")?;
        for (argument, signature) in *arguments {
            writeln!(writer, "{:level$}    <arg name=\"{argument}\" type=\"{signature}\"/>", "")?;
        }
        writeln!(writer, "{:level$}  </signal>", "")?;
    }
    for (name, signature) in State::PROPERTIES {
        writeln!(
            writer,
            "{:level$}  <property name=\"{name}\" type=\"{signature}\" access=\"read\"/>",
            ""
        )?;
    }
    Ok(())
}

/// The methods, the signal `Transition`, and the only property that is not in [`State`].
struct Methods {
    shared: Arc<SharedState>,
}

// Methods without arguments take the header, because zbus would otherwise accept calls with
// arguments.
#[interface(name = "org.chessclock.Clock1", introspection_docs = false)]
impl Methods {
    #[zbus(out_args("state"))]
    fn get_state(&self, #[zbus(header)] _header: Header<'_>) -> State {
        self.shared.state()
    }

    #[zbus(out_args("timebase"))]
    fn get_timebase(&self, #[zbus(header)] _header: Header<'_>) -> Timebase {
        Timebase {
            monotonic_nsec: monotonic_now().as_nanos(),
            realtime_nsec: realtime_now(),
            boot_id: boot_id().to_owned(),
        }
    }

    #[zbus(out_args("name", "file"))]
    fn get_time_control(&self, #[zbus(header)] _header: Header<'_>) -> (String, String) {
        let game = self.shared.game();
        (game.control, game.control_text)
    }

    #[zbus(out_args("file"))]
    fn read_time_control(&self, name: &str) -> Result<String, Error> {
        let name = arguments::name("name", name)?;
        let known = self.shared.controls.find(name);
        known.map(|known| known.text).map_err(|problem| arguments::invalid_control(&problem))
    }

    #[zbus(out_args("controls"))]
    fn list_time_controls(&self, #[zbus(header)] _header: Header<'_>) -> Vec<(String, String)> {
        self.shared.controls.list()
    }

    #[zbus(out_args("name", "file"))]
    fn get_rules(&self, #[zbus(header)] _header: Header<'_>) -> (String, String) {
        let rules = self.shared.game().rules;
        rules.map(|rules| (rules.name.clone(), rules.rules.to_toml())).unwrap_or_default()
    }

    #[zbus(out_args("rules"))]
    fn list_rules(&self, #[zbus(header)] _header: Header<'_>) -> Vec<(String, String)> {
        self.shared.rules.list()
    }

    #[zbus(out_args("file"))]
    fn read_rules(&self, name: &str) -> Result<String, Error> {
        let name = arguments::name("name", name)?;
        let known = self.shared.rules.find(name);
        let known = known.map_err(|problem| arguments::invalid_rules(&problem))?;
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
