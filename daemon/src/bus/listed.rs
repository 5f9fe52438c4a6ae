//! Serves interfaces whose properties and signals are defined by lists such as `State::PROPERTIES`.

use std::collections::HashMap;
use std::fmt::{self, Write};
use zbus::export::async_trait::async_trait;
use zbus::message::{Header, Message};
use zbus::names::{InterfaceName, MemberName};
use zbus::object_server::{DispatchResult, Interface, SignalEmitter};
use zbus::{BoxDBusError, Connection, ObjectServer, OwnedVariant, Variant, fdo};

/// The signals and properties of an interface that a list defines, such as
/// `HealthProperties::PROPERTIES`. With `#[interface]`, each of them would need a function.
pub trait Members {
    /// The value of the property with this name, if the list has it. `header` is that of the call
    /// that reads it.
    fn property(
        &self,
        name: &str,
        header: Option<&Header<'_>>,
    ) -> Option<zbus::Result<OwnedVariant>>;

    /// The values of all properties of the list, at one instant, for the call with this header.
    fn properties(
        &self,
        header: Option<&Header<'_>>,
    ) -> zbus::Result<HashMap<String, OwnedVariant>>;

    /// Writes the introspection data of the signals and properties, each line after `level` spaces.
    fn introspect(writer: &mut dyn Write, level: usize) -> fmt::Result;
}

/// An interface with the members that `#[interface]` defines and the members that lists define.
pub struct Listed<I>(pub I);

#[async_trait]
impl<I: Interface + Members> Interface for Listed<I> {
    fn name() -> InterfaceName<'static> {
        I::name()
    }

    async fn get(
        &self,
        name: &str,
        server: &ObjectServer,
        connection: &Connection,
        header: Option<&Header<'_>>,
        emitter: &SignalEmitter<'_>,
    ) -> Option<Result<OwnedVariant, BoxDBusError>> {
        match self.0.property(name, header) {
            Some(value) => Some(value.map_err(BoxDBusError::from)),
            None => self.0.get(name, server, connection, header, emitter).await,
        }
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

    /// Returns `None`, because no property can be set. `Served` makes the error for the caller.
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
        self.0.call(server, connection, message, name)
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
