//! The interface `org.chessclock.Clock1.Arbiter`. Every method does the same: it reads its arguments, and
//! carries out the command.

use super::Arbiter;
use clock_dbus::argument::limited;
use clock_dbus::commands::*;
use clock_dbus::{Error, Given, with_commands};
use zbus::interface;
use zbus::message::Header;

macro_rules! arbiter_interface {
    ($(
        $(#[$doc:meta])*
        $method:ident $name:literal $function:ident($(
            $(#[$arg_doc:meta])* $arg:ident: $type:ty,
        )*) $(= $made:expr)?;
    )+) => {
        #[interface(name = "org.chessclock.Clock1.Arbiter", introspection_docs = false)]
        #[expect(clippy::too_many_arguments, reason = "flat calls, as the XML has them")]
        impl Arbiter { $(
            #[zbus(out_args("new_revision", "recorded", "report"))]
            async fn $method(
                &self,
                $($arg: <$type as Argument>::Wire<'_>,)*
                revision: u64,
                reason: &str,
                #[zbus(header)] header: Header<'_>,
            ) -> Result<(u64, bool, String), Error> {
                let given = Given::$method {
                    $($arg: <$type as Argument>::read(stringify!($arg), $arg)?),*
                };
                limited("reason", reason, TEXT_LIMIT)?;
                let done = self.give(given, revision, reason, &header).await?;
                // The introspection data names three return values for a tuple, but only one for a
                // structure.
                Ok((done.revision, done.recorded, done.report))
            }
        )+ }
    };
}
with_commands!(arbiter_interface);
