//! Follows the page of the menu and the settings that are made there.

use std::future::pending;
use std::time::Duration;

use clock_dbus::{MENU_INTERFACE, MenuChanges, MenuProperties, PATH, Result, SERVICE};
use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::time::sleep;
use zbus::Connection;
use zbus::fdo::{self, PropertiesProxy};
use zbus::proxy::CacheProperties;

use crate::pending::or_never;

/// The time from a failed call of `GetAll` until the next one.
const AGAIN: Duration = Duration::from_secs(1);

/// What is known of the menu; `None` until the present service has answered. A service without a
/// menu has the default values.
pub type Known = Option<MenuProperties>;

/// Stores in `menu` what the service says of its menu, until the connection is lost.
///
/// A signal can be older or newer than the answer to `GetAll`, whether it arrives before or after
/// that answer. But each change is signalled, so the value of the latest signal since the
/// subscription is always the present one. The answer counts only for a property without a signal.
pub async fn follow(connection: &Connection, menu: &watch::Sender<Known>) -> Result<()> {
    let properties = PropertiesProxy::builder(connection).destination(SERVICE).path(PATH);
    let properties = properties.cache_properties(CacheProperties::No).build().await?;
    let of_menu = &[(0, MENU_INTERFACE)];
    let mut changes = properties.receive_properties_changed_with_args(of_menu).await?;
    let mut owners = properties.inner().receive_owner_changed().await?;
    loop {
        menu.send_if_modified(|menu| menu.take().is_some());
        let mut newer = MenuChanges::default();
        let mut reading = Some(Box::pin(read(&properties)));
        loop {
            tokio::select! {
                owner = owners.next() => match owner {
                    Some(_) => break,
                    None => return Ok(()),
                },
                change = changes.next() => {
                    let Some(change) = change else { return Ok(()) };
                    let Some(change) = changes_in(change.message()) else { break };
                    newer.page = change.page.or(newer.page);
                    newer.settings = change.settings.or(newer.settings);
                    menu.send_if_modified(|menu| {
                        menu.as_mut().is_some_and(|menu| apply(menu, &newer))
                    });
                }
                mut read = or_never(&mut reading) => {
                    reading = None;
                    apply(&mut read, &newer);
                    menu.send_replace(Some(read));
                }
            }
        }
    }
}

/// The properties in a signal `PropertiesChanged`; `None` if it cannot be deserialized.
fn changes_in(signal: &zbus::Message) -> Option<MenuChanges> {
    let body = signal.body();
    let (_interface, changes, _): (String, MenuChanges, Vec<String>) = body.deserialize().ok()?;
    Some(changes)
}

/// Applies changes. Returns whether anything is different now.
fn apply(menu: &mut MenuProperties, changes: &MenuChanges) -> bool {
    let MenuChanges { page, settings } = changes;
    let before = menu.clone();
    menu.page = page.clone().unwrap_or_else(|| std::mem::take(&mut menu.page));
    menu.settings = settings.unwrap_or(menu.settings);
    *menu != before
}

/// Reads the properties, until that succeeds. A service without a menu has the default values.
async fn read(properties: &PropertiesProxy<'_>) -> MenuProperties {
    let proxy = properties.inner();
    loop {
        let answer = proxy.call_method("GetAll", &MENU_INTERFACE).await;
        let read = match answer {
            Ok(answer) => answer.body().deserialize().ok(),
            Err(error) => match fdo::Error::from(error) {
                fdo::Error::UnknownInterface(_) | fdo::Error::InvalidArgs(_) => {
                    Some(MenuProperties::default())
                }
                // The service has left the bus. `follow` drops this future when the owner of the
                // name changes.
                fdo::Error::ServiceUnknown(_) | fdo::Error::NameHasNoOwner(_) => pending().await,
                _ => None,
            },
        };
        match read {
            Some(read) => return read,
            None => sleep(AGAIN).await,
        }
    }
}
