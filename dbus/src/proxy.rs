//! Client proxies of the interfaces. The XML documents each member that no table has.
#![allow(missing_docs)]

use crate::health::with_health;
use crate::signal::with_signals;
use crate::{
    Fault, MenuPage, MenuSettings, Result, State, TestReadings, TestedBoard, Timebase, Who,
};

macro_rules! clock_proxy {
    ($(
        $(#[$doc:meta])*
        $function:ident $name:ident($(
            $(#[$argument_doc:meta])*
            $argument:ident $(: $type:ty)? $(= $text:ident)?,
        )+);
    )+) => {
        /// The interface `org.chessclock.Clock1`.
        ///
        /// [`get_state`](ClockProxy::get_state) returns all properties of the state at one instant.
        #[zbus::proxy(
            interface = "org.chessclock.Clock1",
            default_service = "org.chessclock.Clock1",
            default_path = "/org/chessclock/Clock1"
        )]
        pub trait Clock {
            fn get_state(&self) -> Result<State>;
            fn get_timebase(&self) -> Result<Timebase>;
            fn get_time_control(&self) -> Result<(String, String, String, String)>;
            fn read_time_control(&self, name: &str) -> Result<String>;
            fn list_time_controls(&self) -> Result<Vec<(String, String)>>;

            fn get_rules(&self) -> Result<(String, String)>;
            fn list_rules(&self) -> Result<Vec<(String, String)>>;
            fn read_rules(&self, name: &str) -> Result<String>;

            #[zbus(signal)]
            fn transition(&self, cause: &str, state: State) -> zbus::Result<()>;
            $(
                #[zbus(signal)]
                fn $function(
                    &self,
                    $($argument: $($type)? $(&$text)?,)+
                    sequence: u64,
                ) -> zbus::Result<()>;
            )+

            #[zbus(property(emits_changed_signal = "const"))]
            fn version(&self) -> zbus::Result<String>;
        }
    };
}
with_signals!(clock_proxy);

/// The interface `org.chessclock.Clock1.History`.
#[zbus::proxy(
    interface = "org.chessclock.Clock1.History",
    default_service = "org.chessclock.Clock1",
    default_path = "/org/chessclock/Clock1"
)]
pub trait History {
    fn list_games(&self, before: u64, count: u32) -> Result<Vec<String>>;
    fn get_game(&self, game: u64) -> Result<String>;
    fn read_entries(&self, game: u64, first: u64, count: u32) -> Result<Vec<String>>;
    fn find_move(&self, game: u64, side: Who, r#move: u32) -> Result<u64>;
    fn read_state(&self, game: u64, entry: u64) -> Result<String>;
}

/// The interface `org.chessclock.Clock1.Menu`.
#[zbus::proxy(
    interface = "org.chessclock.Clock1.Menu",
    default_service = "org.chessclock.Clock1",
    default_path = "/org/chessclock/Clock1"
)]
pub trait Menu {
    #[zbus(property)]
    fn page(&self) -> zbus::Result<MenuPage>;
    #[zbus(property)]
    fn settings(&self) -> zbus::Result<MenuSettings>;
}

/// The interface `org.chessclock.Clock1.ButtonTest`.
#[zbus::proxy(
    interface = "org.chessclock.Clock1.ButtonTest",
    default_service = "org.chessclock.Clock1",
    default_path = "/org/chessclock/Clock1"
)]
pub trait ButtonTest {
    fn begin(&self) -> Result<TestedBoard>;
    fn read(&self, keep_nsec: u64) -> Result<TestReadings>;
    fn end(&self) -> Result<()>;
}

macro_rules! health_proxy {
    ($( $(#[$doc:meta])* $property:ident: $type:ty = $name:literal, )+) => {
        /// The interface `org.chessclock.Clock1.Health`.
        #[zbus::proxy(
            interface = "org.chessclock.Clock1.Health",
            default_service = "org.chessclock.Clock1",
            default_path = "/org/chessclock/Clock1"
        )]
        pub trait Health {
            fn report_display(&self, digit_height: u32) -> Result<()>;
            $(
                #[zbus(property(emits_changed_signal = "false"), name = $name)]
                fn $property(&self) -> zbus::Result<$type>;
            )+
        }
    };
}
with_health!(health_proxy);
