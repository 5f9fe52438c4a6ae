//! Client proxies of the interfaces. The XML documents each member.
#![allow(missing_docs)]

use crate::health::with_health;
use crate::signal::with_signals;
use crate::{
    AnswerSide, Completed, Corrections, Fault, MenuPage, MenuSettings, Names, NewGame, OrMinus1,
    Proposal, Result, State, TestReadings, TestedBoard, Timebase, Who,
};

macro_rules! clock_proxy {
    ($(
        $function:ident $name:ident(
            $($argument:ident $(: $type:ty)? $(= $text:ident)?),+
        );
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

/// The interface `org.chessclock.Clock1.Arbiter`.
#[zbus::proxy(
    interface = "org.chessclock.Clock1.Arbiter",
    default_service = "org.chessclock.Clock1.Arbiter",
    default_path = "/org/chessclock/Clock1"
)]
pub trait Arbiter {
    fn start(&self, revision: u64, reason: &str) -> Result<Completed>;
    fn pause(&self, by: Who, revision: u64, reason: &str) -> Result<Completed>;
    fn resume(&self, side: Who, revision: u64, reason: &str) -> Result<Completed>;
    #[zbus(name = "New")]
    fn new_game(&self, game: NewGame, revision: u64, reason: &str) -> Result<Completed>;
    fn set(&self, corrections: Corrections, revision: u64, reason: &str) -> Result<Completed>;
    fn add_time(
        &self,
        side: Who,
        delta_nsec: i64,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    fn undo_press(&self, revision: u64, reason: &str) -> Result<Completed>;
    fn result(&self, result: &str, revision: u64, reason: &str) -> Result<Completed>;
    fn reopen(&self, revision: u64, reason: &str) -> Result<Completed>;

    fn claim_flag(
        &self,
        by: &str,
        evidence: &str,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    fn claim_draw(
        &self,
        by: &str,
        ground: &str,
        stop: bool,
        offer: &str,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    fn request_increment(&self, by: &str, revision: u64, reason: &str) -> Result<Completed>;
    fn answer_offer(&self, answer: &str, revision: u64, reason: &str) -> Result<Completed>;
    fn give_ruling(
        &self,
        decision: &str,
        side: AnswerSide,
        award_nsec: OrMinus1<Option<u64>>,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    fn give_stop_ruling(&self, ruling: &str, revision: u64, reason: &str) -> Result<Completed>;
    fn give_default_ruling(
        &self,
        side: AnswerSide,
        ruling: &str,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    #[allow(clippy::too_many_arguments, reason = "a flat call, as the XML has it")]
    fn penalize(
        &self,
        side: Who,
        kind: &str,
        time_nsec: u64,
        half_points: u32,
        cause: &str,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    fn illegal_move(
        &self,
        side: Who,
        claimed: bool,
        award_nsec: OrMinus1<Option<u64>>,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    fn arrive(&self, side: Who, revision: u64, reason: &str) -> Result<Completed>;
    fn record_confirmation(
        &self,
        by: Who,
        what: &str,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    fn refer(&self, revision: u64, reason: &str) -> Result<Completed>;
    fn record_attachment(
        &self,
        kind: &str,
        text: &str,
        verified_by: Who,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    fn set_assistant(
        &self,
        side: Who,
        accepted: bool,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    fn incident(&self, side: Who, kind: &str, revision: u64, reason: &str) -> Result<Completed>;
    fn adjourn(
        &self,
        side: Who,
        sealed_move: &str,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    fn resume_adjourned(&self, game: u64, revision: u64, reason: &str) -> Result<Completed>;
    fn change_method(
        &self,
        method: &str,
        amount_nsec: u64,
        schedule_suffers: bool,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    fn set_rules(&self, rules: &str, revision: u64, reason: &str) -> Result<Completed>;
    fn change_time_control(
        &self,
        time_control: &str,
        time_control_file: &str,
        recompute: bool,
        schedule_suffers: bool,
        revision: u64,
        reason: &str,
    ) -> Result<Completed>;
    fn set_buttons(&self, exchanged: bool, revision: u64, reason: &str) -> Result<Completed>;
    fn announce(&self, text: &str, revision: u64, reason: &str) -> Result<Completed>;
    fn set_names(&self, names: Names, revision: u64, reason: &str) -> Result<Completed>;
    fn rewind(&self, revision: u64, reason: &str, entry: u64) -> Result<Completed>;
    fn import(&self, revision: u64, reason: &str, proposal: Proposal) -> Result<Completed>;
}

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
