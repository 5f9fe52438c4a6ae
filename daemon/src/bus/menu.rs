//! `org.chessclock.Clock1.Menu`: the page of the menu at the clock and the settings of the face, for
//! anyone to read.

use super::publisher::signal;
use super::served::Members;
use super::shared_state::SharedState;
use clock_dbus::{MENU_INTERFACE, MenuProperties};
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::Arc;
use tokio::sync::watch;
use zbus::message::Header;
use zbus::{Connection, OwnedVariant, interface};

/// The interface `org.chessclock.Clock1.Menu`, whose properties are those of [`MenuProperties`].
pub struct MenuInterface {
    /// The state that all interfaces share. `SharedState::menu` has the page and the settings.
    pub shared: Arc<SharedState>,
}

impl Members for MenuInterface {
    fn property(&self, name: &str, _: Option<&Header<'_>>) -> Option<zbus::Result<OwnedVariant>> {
        self.shared.menu.borrow().property(name)
    }

    fn properties(&self, _: Option<&Header<'_>>) -> zbus::Result<HashMap<String, OwnedVariant>> {
        self.shared.menu.borrow().properties()
    }

    fn introspect(writer: &mut dyn Write, level: usize) -> fmt::Result {
        for (name, signature) in MenuProperties::PROPERTIES {
            writeln!(
                writer,
                "{:level$}<property name=\"{name}\" type=\"{signature}\" access=\"read\"/>",
                ""
            )?;
        }
        Ok(())
    }
}

#[interface(name = "org.chessclock.Clock1.Menu", introspection_docs = false)]
impl MenuInterface {}

/// Sends one `PropertiesChanged` for each change, until the connection is lost. `sent` is what the
/// clients of this connection have. Of several changes that come while the bus is slow, only the
/// last one is sent.
pub async fn publish(
    connection: &Connection,
    mut sent: MenuProperties,
    mut changes: watch::Receiver<MenuProperties>,
) -> zbus::Result<()> {
    loop {
        let present = changes.borrow_and_update().clone();
        let mut changed: HashMap<&str, OwnedVariant> = HashMap::new();
        for (name, _) in MenuProperties::PROPERTIES {
            let value = present.property(name).transpose()?;
            if value != sent.property(name).transpose()? {
                changed.extend(value.map(|value| (*name, value)));
            }
        }
        if !changed.is_empty() {
            let properties = "org.freedesktop.DBus.Properties";
            let body = (MENU_INTERFACE, changed, &[] as &[&str]);
            let sender = connection.unique_name();
            connection.send(&signal(sender, properties, "PropertiesChanged", &body)?).await?;
            sent = present;
        }
        if changes.changed().await.is_err() {
            // The sender lives as long as the service, so the service is ending and nothing more is
            // sent.
            std::future::pending::<()>().await;
        }
    }
}
