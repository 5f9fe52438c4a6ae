//! The signals that the service sends after `Transition`.

use crate::{Fault, Who};
use zbus::message::Builder;
use zbus::wire::Signature;
use zbus::{Message, Type};

/// Calls the macro `$then` with the list of the signals. To add a signal to the interface, add a
/// line `function Name(argument: type)` to this list and an element to the XML. An argument
/// `argument = str` is a borrowed text. The macros add the last argument, which is the number of
/// the state that the signal belongs to (`sequence: u64`).
macro_rules! with_signals {
    ($then:ident) => {
        $then! {
            flag_fell FlagFell(side: Who, period: u32, at_nsec: u64, first: bool);
            arbiter_called ArbiterCalled(by: Who, at_nsec: u64);
            // The name is not `FaultsChanged`, because zbus uses that name for a change of the
            // property `Faults`.
            fault_list_changed FaultListChanged(faults: Vec<Fault>, at_nsec: u64);
            claim_made ClaimMade(by: Who, ground = str, at_nsec: u64);
            ruling_given RulingGiven(ruling = str, side: Who, at_nsec: u64);
            penalty_applied PenaltyApplied(side: Who, kind = str, at_nsec: u64);
            illegal_move_noted IllegalMoveNoted(side: Who, number: u32, at_nsec: u64);
            default_due DefaultDue(side: Who, at_nsec: u64);
            incident_noted IncidentNoted(side: Who, kind = str, at_nsec: u64);
        }
    };
}

macro_rules! define {
    ($(
        $function:ident $name:ident(
            $($argument:ident $(: $type:ty)? $(= $text:ident)?),+
        );
    )+) => {
        /// A signal that the service sends after `Transition`, without the number of the state that
        /// it belongs to. The XML describes the signals and their arguments.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "the XML describes them")]
        pub enum FurtherSignal {
            $( $name { $($argument: $($type)? $(&'static $text)?),+ }, )+
        }

        impl FurtherSignal {
            /// The names of all signals, each with the names and the types of its arguments.
            pub const ALL: &'static [(&'static str, &'static [Argument])] = &[$((
                stringify!($name),
                &[
                    $((
                        stringify!($argument),
                        <$($type)? $(&$text)? as Type>::SIGNATURE,
                    ),)+
                    ("sequence", <u64 as Type>::SIGNATURE),
                ],
            )),+];

            /// The name of the signal on the bus.
            pub fn name(&self) -> &'static str {
                match self { $( FurtherSignal::$name { .. } => stringify!($name), )+ }
            }

            /// Adds the arguments to the header of a message. `sequence` is the number of the state
            /// that the signal belongs to.
            ///
            /// # Errors
            ///
            /// A text cannot be encoded because it contains a NUL.
            pub fn message(&self, header: Builder<'_>, sequence: u64) -> zbus::Result<Message> {
                match self { $(
                    FurtherSignal::$name { $($argument),+ } => {
                        header.build(&($($argument,)+ sequence))
                    }
                )+ }
            }
        }
    };
}

/// The name and the type of an argument of a signal.
pub type Argument = (&'static str, &'static Signature);

with_signals!(define);
pub(crate) use with_signals;
