//! The macro that makes a structure from a list of properties, for the service and its clients.

use serde::Serialize;
use zbus::wire::serialized::Context;
use zbus::wire::{NATIVE_ENDIAN, to_bytes};
use zbus::{OwnedVariant, Type, as_variant};

/// Defines a structure whose fields are properties of an interface, with its conversions to and
/// from D-Bus. Each property is its description and one line, `field: type = "Name"`; the element of
/// the XML and the key in the JSON Schemas are made from both.
/// The line of a field of the type `Option<u64>` or `Option<u32>` ends with `or -1`, because -1
/// stands for `None` on the wire.
///
/// A list that begins with `for each side` defines a second structure. The first one then has the
/// fields `white` and `black` of that type, and each line of the list is the two properties
/// `WhiteName` and `BlackName`. Its description says "the side" and "the opponent".
///
/// If the names of the two structures are followed by `from name: Type`, they implement `From<Type>`.
/// A row then ends with `from` and the expression that gives its value; a row without one gets the
/// default value. The source of the first structure has the sources of the sides in its field
/// `sides`.
///
/// On the wire the structure is a dictionary with the names of the properties as keys. In JSON it is
/// an object with the names of the fields, or those of their attributes of serde, as keys; the values
/// of a side are an object of their own. Deserializing ignores keys that are not in the list.
macro_rules! properties {
    (@type $type:ty) => { $type };
    (@type $type:ty, $absent:literal) => { crate::absent::OrMinus1<$type> };
    (@to_wire $value:expr; $type:ty) => { &$value };
    (@to_wire $value:expr; $type:ty, $absent:literal) => { &crate::absent::OrMinus1($value) };
    (@from_wire $value:expr; $type:ty) => { $value };
    (@from_wire $value:expr; $type:ty, $absent:literal) => { $value.0 };
    (
        $(#[$($doc:tt)+])*
        $name:ident from $source:ident: $source_type:ty {
            $(
                $(#[$($field_doc:tt)+])*
                $field:ident: $type:ty = $property:literal $(or $absent:literal)? $(from $value:expr)?,
            )+
        }
        $(#[$($side_doc:tt)+])*
        for each side $side:ident from $of:ident: $of_type:ty {
            $(
                $(#[$($of_side_doc:tt)+])*
                $of_side:ident: $side_type:ty = $side_property:literal $(or $side_absent:literal)?
                    $(from $side_value:expr)?,
            )+
        }
    ) => {
        properties! {
            $(#[$($doc)+])*
            $name { $(
                $(#[$($field_doc)+])*
                $field: $type = $property $(or $absent)?,
            )+ }
            $(#[$($side_doc)+])*
            for each side $side { $(
                $(#[$($of_side_doc)+])*
                $of_side: $side_type = $side_property $(or $side_absent)?,
            )+ }
        }

        impl From<$source_type> for $name {
            fn from($source: $source_type) -> $name {
                $name {
                    white: $side::from(&$source.sides.white),
                    black: $side::from(&$source.sides.black),
                    $( $( $field: $value, )? )+
                    ..$name::default()
                }
            }
        }

        impl From<$of_type> for $side {
            fn from($of: $of_type) -> $side {
                $side { $( $( $of_side: $side_value, )? )+ ..$side::default() }
            }
        }
    };
    (
        $(#[$doc:meta])*
        $name:ident {
            $(
                $(#[doc = $field_doc:literal])*
                $(#[serde($($field_serde:tt)+)])?
                $field:ident: $type:ty = $property:literal $(or $absent:literal)?,
            )+
        }
        $(
            $(#[$side_doc:meta])*
            for each side $side:ident {
                $(
                    $(#[doc = $of_side_doc:literal])*
                    $(#[serde($($of_side_serde:tt)+)])?
                    $of_side:ident: $side_type:ty = $side_property:literal $(or $side_absent:literal)?,
                )+
            }
        )?
    ) => {
        crate::properties::described_fields! {
            $(#[$doc])*
            #[derive(Clone, Debug, Default, PartialEq, zbus::Type)]
            #[derive(serde::Serialize, serde::Deserialize)]
            #[serde(remote = "Self")]
            #[zbus(signature = "a{sv}")]
            pub struct $name {
                $(
                    $(#[doc = $field_doc])*
                    $(#[serde($($field_serde)+)])?
                    pub $field: $type,
                )+
                $(
                    /// The values of White.
                    pub white: $side,
                    /// The values of Black.
                    pub black: $side,
                )?
            }

            $(
                $(#[$side_doc])*
                #[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
                pub struct $side {
                    $(
                        $(#[doc = $of_side_doc])*
                        $(#[serde($($of_side_serde)+)])?
                        pub $of_side: $side_type,
                    )+
                }
            )?
        }

        #[cfg(test)]
        impl $name {
            /// The properties of the list, with their descriptions.
            pub const DESCRIBED: crate::tests::Described = &[$( ($property, &[$($field_doc),*]) ),+];
            $(
                /// The properties of each side, with their descriptions.
                pub const OF_SIDE: crate::tests::Described =
                    &[$( ($side_property, &[$($of_side_doc),*]) ),+];
            )?
        }

        properties! { @impl $name
            $( [$property] [$field] [$type $(, $absent)?] )+
            $(
                $( [concat!("White", $side_property)] [white.$of_side]
                    [$side_type $(, $side_absent)?] )+
                $( [concat!("Black", $side_property)] [black.$of_side]
                    [$side_type $(, $side_absent)?] )+
            )?
        }
    };
    (@impl $name:ident $( [$($property:tt)+] [$($field:tt)+] [$($type:tt)+] )+) => {
        impl $name {
            /// The names and the types of all properties.
            pub const PROPERTIES: &'static [(&'static str, &'static zbus::wire::Signature)] = &[$(
                ($($property)+, <properties!(@type $($type)+) as zbus::Type>::SIGNATURE),
            )+];

            /// The value of the property with this D-Bus name; `None` if there is no such property.
            ///
            /// # Errors
            ///
            /// The value cannot be encoded, for example because a text contains a NUL.
            pub fn property(&self, name: &str) -> Option<zbus::Result<zbus::OwnedVariant>> {
                use crate::properties::variant;
                match name {
                    $( $($property)+ => {
                        Some(variant(properties!(@to_wire self.$($field)+; $($type)+)))
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
                    $($property)+.to_owned(),
                    variant(properties!(@to_wire self.$($field)+; $($type)+))?,
                ) ),+]))
            }

            /// Writes the properties that differ from `before`; all properties if `before` is
            /// `None`.
            fn write<M: serde::ser::SerializeMap>(
                &self,
                before: Option<&$name>,
                map: &mut M,
            ) -> Result<(), M::Error> {
                $( if before.is_none_or(|before| self.$($field)+ != before.$($field)+) {
                    let value = properties!(@to_wire self.$($field)+; $($type)+);
                    map.serialize_entry($($property)+, &zbus::as_variant::Serialize(value))?;
                } )+
                Ok(())
            }

            /// Reads the value of the property with this D-Bus name. Returns whether there is such
            /// a property; if there is none, no value is read.
            fn read<'de, M: serde::de::MapAccess<'de>>(
                &mut self,
                name: &str,
                map: &mut M,
            ) -> Result<bool, M::Error> {
                match name {
                    $( $($property)+ => {
                        type OnWire = properties!(@type $($type)+);
                        let value: zbus::as_variant::Deserialize<'_, OnWire> = map.next_value()?;
                        self.$($field)+ = properties!(@from_wire value.0; $($type)+);
                    } )+
                    _ => return Ok(false),
                }
                Ok(true)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;
                if serializer.is_human_readable() {
                    return $name::serialize(self, serializer);
                }
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
                struct Dictionary;

                impl<'de> serde::de::Visitor<'de> for Dictionary {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a dictionary of properties")
                    }

                    fn visit_map<M>(self, mut map: M) -> Result<$name, M::Error>
                    where
                        M: serde::de::MapAccess<'de>,
                    {
                        let mut read = $name::default();
                        let names = $name::PROPERTIES.iter().map(|(name, _)| *name);
                        let mut missing: Vec<&'static str> = names.collect();
                        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
                            if read.read(&key, &mut map)? {
                                missing.retain(|name| *name != key);
                            } else {
                                map.next_value::<serde::de::IgnoredAny>()?;
                            }
                        }
                        match missing.first() {
                            None => Ok(read),
                            Some(name) => Err(serde::de::Error::missing_field(name)),
                        }
                    }
                }

                if deserializer.is_human_readable() {
                    return $name::deserialize(deserializer);
                }
                deserializer.deserialize_map(Dictionary)
            }
        }
    };
}

/// Defines structures, and for the tests the list of the fields of each, from which the JSON Schemas
/// follow.
macro_rules! described_fields {
    (@list $(
        $(#[$attribute:meta])*
        pub struct $name:ident { $(
            $(#[doc = $doc:literal])*
            $(#[serde($($serde:tt)+)])?
            pub $field:ident: $type:ty,
        )+ }
    )+) => {$(
        #[cfg(test)]
        impl $name {
            /// The fields with their types, attributes and comments.
            pub const FIELDS: &'static [crate::tests::Field] = &[$( crate::tests::Field {
                name: stringify!($field),
                of: stringify!($type),
                serde: stringify!($($($serde)+)?),
                comment: &[$($doc),*],
            } ),+];
        }
    )+};
    ($($structures:tt)+) => {
        $($structures)+
        crate::properties::described_fields! { @list $($structures)+ }
    };
}
pub(crate) use {described_fields, properties};

/// Converts the value to a variant: encodes it as a variant and decodes that again. So a type such
/// as [`Who`](crate::Who) needs no conversion of its own.
pub fn variant<T: Type + Serialize>(value: &T) -> zbus::Result<OwnedVariant> {
    let encoded = to_bytes(Context::new(NATIVE_ENDIAN, 0), &as_variant::Serialize(value))?;
    Ok(encoded.deserialize()?.0)
}
