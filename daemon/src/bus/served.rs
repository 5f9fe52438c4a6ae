//! The behaviour that all interfaces of the service share: the order in which calls start, the errors for
//! methods and properties that do not exist or cannot be set, and the properties and signals that lists
//! such as `State::PROPERTIES` define.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use tokio::task::unconstrained;
use zbus::export::async_trait::async_trait;
use zbus::fdo;
use zbus::message::{Header, Message};
use zbus::names::{InterfaceName, MemberName};
use zbus::object_server::{DispatchResult, Interface, SignalEmitter};
use zbus::{BoxDBusError, Connection, ObjectServer, OwnedVariant, Variant};

use clock_dbus::argument::quoted;

/// The signals and properties of an interface that a list defines, such as
/// `HealthProperties::PROPERTIES`. With `#[interface]`, each of them would need a function. Without a list
/// there are none.
pub trait Members {
    /// The value of the property with this name, if the list has it. `header` is that of the call
    /// that reads it.
    fn property(
        &self,
        _name: &str,
        _header: Option<&Header<'_>>,
    ) -> Option<zbus::Result<OwnedVariant>> {
        None
    }

    /// The values of all properties of the list, at one instant, for the call with this header.
    fn properties(
        &self,
        _header: Option<&Header<'_>>,
    ) -> zbus::Result<HashMap<String, OwnedVariant>> {
        Ok(HashMap::new())
    }

    /// Writes the introspection data of the signals and properties, each line after `level` spaces.
    fn introspect(_writer: &mut dyn Write, _level: usize) -> fmt::Result {
        Ok(())
    }
}

/// An interface whose calls start in the order of their arrival, and do not wait for each other.
///
/// zbus has two modes. In one mode, zbus waits for the end of each call before it handles the next
/// one. In the other mode, zbus starts each call from a separate task, in any order. Here the calls
/// start in the order of their arrival. Each call runs up to the first point at which it has to
/// wait. Then the next call starts, and the rest of the call that waits runs in a separate task. So
/// the arbiter's commands are put into the ring of the clock loop in the order of their arrival,
/// and the state can be read while the clock loop does not answer.
pub struct Served<I>(Arc<I>);

impl<I> Clone for Served<I> {
    fn clone(&self) -> Served<I> {
        Served(Arc::clone(&self.0))
    }
}

impl<I> Served<I> {
    pub fn new(interface: I) -> Served<I> {
        Served(Arc::new(interface))
    }
}

#[async_trait]
impl<I: Interface + Members> Interface for Served<I> {
    fn name() -> InterfaceName<'static> {
        I::name()
    }

    fn spawn_tasks_for_methods(&self) -> bool {
        false
    }

    async fn get(
        &self,
        name: &str,
        server: &ObjectServer,
        connection: &Connection,
        header: Option<&Header<'_>>,
        emitter: &SignalEmitter<'_>,
    ) -> Option<Result<OwnedVariant, BoxDBusError>> {
        let found = match self.0.property(name, header) {
            Some(value) => Some(value.map_err(BoxDBusError::from)),
            None => self.0.get(name, server, connection, header, emitter).await,
        };
        // If this returned `None`, zbus would make the error, and its text would repeat the name
        // without a limit.
        found.or_else(|| Some(Err(unknown_property::<I>(name))))
    }

    async fn get_all(
        &self,
        server: &ObjectServer,
        connection: &Connection,
        header: Option<&Header<'_>>,
        emitter: &SignalEmitter<'_>,
    ) -> fdo::Result<HashMap<String, OwnedVariant>> {
        let mut all = self.0.get_all(server, connection, header, emitter).await?;
        all.extend(self.0.properties(header)?);
        Ok(all)
    }

    /// Refuses to set a property, because all properties of this service are read-only.
    fn set<'call>(
        &'call self,
        name: &'call str,
        _value: &'call Variant<'_>,
        server: &'call ObjectServer,
        connection: &'call Connection,
        header: Option<&'call Header<'_>>,
        emitter: &'call SignalEmitter<'_>,
    ) -> DispatchResult<'call> {
        DispatchResult::Async(Box::pin(async move {
            let is_listed = self.0.property(name, header).is_some();
            let is_known =
                is_listed || self.0.get(name, server, connection, header, emitter).await.is_some();
            Err(if is_known { read_only(name) } else { unknown_property::<I>(name) })
        }))
    }

    async fn set_mut(
        &mut self,
        name: &str,
        _value: &Variant<'_>,
        _server: &ObjectServer,
        _connection: &Connection,
        _header: Option<&Header<'_>>,
        _emitter: &SignalEmitter<'_>,
    ) -> Option<Result<(), BoxDBusError>> {
        Some(Err(read_only(name)))
    }

    fn call<'call>(
        &'call self,
        _server: &'call ObjectServer,
        connection: &'call Connection,
        message: &'call Message,
        _name: MemberName<'call>,
    ) -> DispatchResult<'call> {
        let (interface, connection) = (Arc::clone(&self.0), connection.clone());
        let message = message.clone();
        DispatchResult::Async(Box::pin(async move {
            // Without `unconstrained`, tokio could suspend a call before its first wait, and the
            // order would be lost.
            let mut call = Box::pin(unconstrained(answer(interface, connection, message)));
            let started = poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
            if started.is_pending() {
                tokio::spawn(call);
            }
            Ok(())
        }))
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

    /// Inserts the members that come from lists before the end tag of the element that zbus writes.
    fn introspect_to_writer(&self, writer: &mut dyn Write, level: usize) {
        let mut element = String::new();
        self.0.introspect_to_writer(&mut element, level);
        let (members, end) =
            element.rsplit_once("</interface>").expect("zbus writes one element with an end");
        let written = writeln!(writer, "{}", members.trim_end())
            .and_then(|()| I::introspect(writer, level + 2))
            .and_then(|()| write!(writer, "{:level$}</interface>{end}", ""));
        written.expect("zbus writes the introspection into memory");
    }
}

/// Carries out one call and answers it.
async fn answer<I: Interface>(interface: Arc<I>, connection: Connection, message: Message) {
    let header = message.header();
    let Some(member) = header.member() else { return };
    let failed =
        match interface.call(connection.object_server(), &connection, &message, member.as_ref()) {
            DispatchResult::Async(call) => call.await.err(),
            DispatchResult::NotFound | DispatchResult::RequiresMut => {
                let text = format!("{} has no method {member}", I::name());
                Some(fdo::Error::UnknownMethod(text).into())
            }
        };
    if let Some(error) = failed {
        // Sending fails only if the connection is lost. Then no answer can reach the caller.
        let _ = connection.reply_dbus_error(&header, error).await;
    }
}

fn read_only(name: &str) -> BoxDBusError {
    fdo::Error::PropertyReadOnly(format!("the property {} is read-only", quoted(name))).into()
}

fn unknown_property<I: Interface>(name: &str) -> BoxDBusError {
    fdo::Error::UnknownProperty(format!("{} has no property {}", I::name(), quoted(name))).into()
}
