//! Follows the page of the menu and the settings that are made there.

use std::future::pending;
use std::time::Duration;

use clock_dbus::{MENU_INTERFACE, MenuProperties, PATH, Result, SERVICE};
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
/// After each signal that a property has changed, this reads all properties again. So it does not
/// matter whether a signal or the answer to a read arrives first.
pub async fn follow(connection: &Connection, menu: &watch::Sender<Known>) -> Result<()> {
    let properties = PropertiesProxy::builder(connection).destination(SERVICE).path(PATH);
    let properties = properties.cache_properties(CacheProperties::No).build().await?;
    let of_menu = &[(0, MENU_INTERFACE)];
    let mut changes = properties.receive_properties_changed_with_args(of_menu).await?;
    let mut owners = properties.inner().receive_owner_changed().await?;
    let mut reading = Some(Box::pin(read(&properties)));
    loop {
        tokio::select! {
            owner = owners.next() => {
                menu.send_if_modified(|menu| menu.take().is_some());
                match owner {
                    Some(_) => reading = Some(Box::pin(read(&properties))),
                    None => return Ok(()),
                }
            }
            change = changes.next() => match change {
                Some(_) => reading = Some(Box::pin(read(&properties))),
                None => return Ok(()),
            },
            read = or_never(&mut reading) => {
                reading = None;
                menu.send_if_modified(|menu| menu.replace(read.clone()) != Some(read));
            }
        }
    }
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
