//! The macro that makes a structure from a list of properties, for the service and its clients.

use serde::Serialize;
use zbus::wire::serialized::Context;
use zbus::wire::{NATIVE_ENDIAN, to_bytes};
use zbus::{OwnedVariant, Type, as_variant};

/// Defines a structure whose fields are properties of an interface, with its conversions to and
/// from D-Bus. Each property is one line, `field: type = "Name"`, and needs an element in the XML.
/// The line of a field of the type `Option<u64>` or `Option<u32>` ends with `or -1`, because -1
/// stands for `None` on the wire.
///
/// On the wire the structure is a dictionary with the names of the properties as keys.
/// Deserializing ignores keys that are not in the list.
macro_rules! properties {
    (@type $type:ty) => { $type };
    (@type $type:ty, $absent:literal) => { crate::or_minus_1::OrMinus1<$type> };
    (@to_wire $value:expr) => { &$value };
    (@to_wire $value:expr, $absent:literal) => { &crate::or_minus_1::OrMinus1($value) };
    (@from_wire $value:expr) => { $value };
    (@from_wire $value:expr, $absent:literal) => { $value.0 };
    (
        $(#[$doc:meta])*
        $name:ident {
            $(
                $(#[$field_doc:meta])*
                $field:ident: $type:ty = $property:literal $(or $absent:literal)?,
            )+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, zbus::Type)]
        #[zbus(signature = "a{sv}")]
        pub struct $name { $( $(#[$field_doc])* pub $field: $type, )+ }

        impl $name {
            /// The names and the types of all properties, in the order of the fields.
            pub const PROPERTIES: &'static [(&'static str, &'static zbus::wire::Signature)] = &[$(
                ($property, <properties!(@type $type $(, $absent)?) as zbus::Type>::SIGNATURE),
            )+];

            /// The value of the property with this D-Bus name; `None` if there is no such property.
            ///
            /// # Errors
            ///
            /// The value cannot be encoded, for example because a text contains a NUL.
            pub fn property(&self, name: &str) -> Option<zbus::Result<zbus::OwnedVariant>> {
                use crate::properties::variant;
                match name {
                    $( $property => {
                        Some(variant(properties!(@to_wire self.$field $(, $absent)?)))
                    } )+
                    _ => None,
                }
            }

            /// The values of all properties, by their D-Bus names.
            ///
            /// # Errors
            ///
            /// A value cannot be encoded, for example because a text contains a NUL.
            pub fn properties(
                &self,
            ) -> zbus::Result<std::collections::HashMap<String, zbus::OwnedVariant>> {
                use crate::properties::variant;
                Ok(std::collections::HashMap::from([$( (
                    $property.to_owned(),
                    variant(properties!(@to_wire self.$field $(, $absent)?))?,
                ) ),+]))
            }

            /// Writes the properties that differ from `before`; all properties if `before` is
            /// `None`.
            fn write<M: serde::ser::SerializeMap>(
                &self,
                before: Option<&$name>,
                map: &mut M,
            ) -> Result<(), M::Error> {
                $( if before.is_none_or(|before| self.$field != before.$field) {
                    let value = properties!(@to_wire self.$field $(, $absent)?);
                    map.serialize_entry($property, &zbus::as_variant::Serialize(value))?;
                } )+
                Ok(())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;
                let mut map = serializer.serialize_map(None)?;
                self.write(None, &mut map)?;
                map.end()
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D>(deserializer: D) -> Result<$name, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                #[derive(zbus::DeserializeDict)]
                struct OnWire {
                    $(
                        #[zbus(rename = $property)]
                        $field: properties!(@type $type $(, $absent)?),
                    )+
                }
                let wire = OnWire::deserialize(deserializer)?;
                Ok($name { $( $field: properties!(@from_wire wire.$field $(, $absent)?), )+ })
            }
        }
    };
}
pub(crate) use properties;

/// Converts the value to a variant: encodes it as a variant and decodes that again. So a type such
/// as [`Who`](crate::Who) needs no conversion of its own.
pub fn variant<T: Type + Serialize>(value: &T) -> zbus::Result<OwnedVariant> {
    let encoded = to_bytes(Context::new(NATIVE_ENDIAN, 0), &as_variant::Serialize(value))?;
    Ok(encoded.deserialize()?.0)
}
