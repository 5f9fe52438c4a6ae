//! The signals that the service sends after `Transition`.

use crate::{Fault, Who};
use zbus::message::Builder;
use zbus::wire::Signature;
use zbus::{Message, Type};

/// Calls the macro `$then` with the list of the signals. A row is `function Name(argument: type)`, with
/// the descriptions of the signal and of each argument. An argument `argument = str` is a borrowed
/// text. The macros add the last argument, which is the number of the state that the signal belongs
/// to (`sequence: u64`).
macro_rules! with_signals {
    ($then:ident) => {
        $then! {
            /// A side's time was used up. WhiteOutOfTime or BlackOutOfTime, which is sent before, says whether the
            /// flag is final.
            flag_fell FlagFell(
                /// The side whose time was used up: "white" or "black".
                side: Who,
                /// The period in which it was used up, from 1.
                period: u32,
                /// The instant of the flag.
                at_nsec: u64,
                /// Whether this is the final flag that fell first.
                first: bool,
            );
            /// A player called the arbiter or called a flag, or an arbiter stopped the clocks for a player.
            arbiter_called ArbiterCalled(
                /// Who called: "white", "black", or "button" (the call button, which does not say by whom it was
                /// pressed).
                by: Who,
                /// The instant of the call.
                at_nsec: u64,
            );
            // The name is not `FaultsChanged`, because zbus uses that name for a change of the
            // property `Faults`.
            /// A fault came, went, or was counted once more. The signal is sent after the PropertiesChanged and the
            /// Transition of the same change. A client that needs no instant does not need this signal.
            fault_list_changed FaultListChanged(
                /// The new value of `Faults`.
                faults: Vec<Fault>,
                /// The instant at which the service noticed the change.
                at_nsec: u64,
            );
            /// A player claimed a draw, or requested an increment for both.
            claim_made ClaimMade(
                /// The claimant: "white" or "black".
                by: Who,
                /// The ground: "cannot-win", "no-effort", "repetition" or "fifty-moves"; "" for a request for an
                /// increment.
                ground = str,
                /// The instant of the change.
                at_nsec: u64,
            );
            /// The arbiter ruled, or the players decided in the arbiter's place.
            ruling_given RulingGiven(
                /// The ruling, as Rule names it; lost for every loss.
                ruling = str,
                /// The side that the ruling is about: "white" or "black"; "" if it is about both or none.
                side: Who,
                /// The instant of the change.
                at_nsec: u64,
            );
            /// A penalty was applied.
            penalty_applied PenaltyApplied(
                /// The offender: "white" or "black".
                side: Who,
                /// The penalty, as Penalize names it.
                kind = str,
                /// The instant of the change.
                at_nsec: u64,
            );
            /// An illegal move was taken back or corrected.
            illegal_move_noted IllegalMoveNoted(
                /// The offender: "white" or "black".
                side: Who,
                /// The number of this player's illegal moves in this game, this one included; 0 if the opponent has
                /// replied to this one, which is then neither taken back nor counted.
                number: u32,
                /// The instant of the change.
                at_nsec: u64,
            );
            /// A player who has not arrived is later than the default time of the rule profile.
            default_due DefaultDue(
                /// The late player: "white" or "black".
                side: Who,
                /// The instant of the change.
                at_nsec: u64,
            );
            /// An incident was noted: by the arbiter, or by the clock for a button that is held for too long.
            incident_noted IncidentNoted(
                /// The player: "white" or "black".
                side: Who,
                /// The incident, as Incident names it.
                kind = str,
                /// The instant of the change.
                at_nsec: u64,
            );
        }
    };
}

macro_rules! define {
    ($(
        $(#[doc = $doc:literal])*
        $function:ident $name:ident($(
            $(#[doc = $argument_doc:literal])*
            $argument:ident $(: $type:ty)? $(= $text:ident)?,
        )+);
    )+) => {
        /// A signal that the service sends after `Transition`, without the number of the state that
        /// it belongs to.
        #[derive(Clone, Debug, PartialEq)]
        pub enum FurtherSignal { $(
            $(#[doc = $doc])*
            $name { $(
                $(#[doc = $argument_doc])*
                $argument: $($type)? $(&'static $text)?,
            )+ },
        )+ }

        #[cfg(test)]
        impl FurtherSignal {
            /// The descriptions of all signals, each with those of its arguments.
            pub const DESCRIBED: &'static [(&'static [&'static str], crate::tests::Described)] = &[$((
                &[$($doc),*],
                &[$( (stringify!($argument), &[$($argument_doc),*]) ),+],
            )),+];
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

            /// Adds the arguments to the header of a message. `sequence` is the number of the state that the signal
            /// belongs to.
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
