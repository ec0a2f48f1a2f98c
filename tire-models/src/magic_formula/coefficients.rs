//! The coefficients of a tire: [`Coefficients`], and the metadata of each key.

#[rustfmt::skip]
mod table;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use table::{Coefficients, KEYS};

/// The table entry of one coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Name in files, and of the field.
    pub name: &'static str,
    /// Section of a file that contains it.
    pub section: &'static str,
    /// Default in SI units, where a file gives no value.
    pub default: f64,
    /// Its dimension.
    pub dimension: Dimension,
    /// Its meaning in a few words.
    pub meaning: &'static str,
}

/// Dimension of a coefficient: which units of a file it is converted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Dimensionless; coefficients of the formulas use slips and angles in radians, whatever the
    /// file's units are.
    None,
    /// Length (`m`).
    Length,
    /// Force (`N`).
    Force,
    /// Angle (`rad`).
    Angle,
    /// Mass (`kg`).
    Mass,
    /// Moment of inertia (`kg·m²`).
    Inertia,
    /// Force per length (`N/m`).
    Stiffness,
    /// Moment per angle (`N·m/rad`).
    YawStiffness,
    /// Force per speed (`N·s/m`).
    Damping,
    /// Length per time (`m/s`).
    Speed,
    /// Length per time squared (`m/s²`).
    Acceleration,
    /// Pressure (`Pa`).
    Pressure,
    /// Per time (`1/s`).
    Frequency,
}

/// Makes [`Coefficients`] and [`KEYS`] of the table, so that each key is written once.
macro_rules! coefficients {
    ($($section:literal {
        $($key:ident: $default:literal, $dimension:ident, $meaning:literal;)*
    })*) => {
        /// The coefficients of a tire in SI units: a field for each key of a file, with the same
        /// name.
        ///
        /// [`KEYS`] lists them with section, dimension and meaning.
        #[expect(non_snake_case, reason = "fields have the names that keys have in files")]
        #[derive(Clone, Debug, PartialEq)]
        pub struct Coefficients<T = f64> {
            $($(
                #[doc = concat!($meaning, " (`[", $section, "]`); ", stringify!($default),
                    " where absent.")]
                pub $key: T,
            )*)*
        }

        /// Every coefficient, in the order of the fields.
        pub const KEYS: &[Key] = &[$($(Key {
            name: stringify!($key),
            section: $section,
            default: $default,
            dimension: Dimension::$dimension,
            meaning: $meaning,
        },)*)*];

        impl<T> Coefficients<T> {
            /// Coefficients made by a function of each table entry.
            pub fn from_keys(mut f: impl FnMut(&'static Key) -> T) -> Self {
                let mut keys = KEYS.iter();
                let mut next = || f(keys.next().expect("as many keys as fields"));
                Self { $($($key: next(),)*)* }
            }

            /// The same coefficients in another number type.
            pub fn map<U>(&self, mut f: impl FnMut(&T) -> U) -> Coefficients<U> {
                Coefficients { $($($key: f(&self.$key),)*)* }
            }

            /// Every key with its value, in the order of the table.
            pub fn iter(&self) -> impl Iterator<Item = (&'static Key, &T)> {
                KEYS.iter().zip([$($(&self.$key,)*)*])
            }

            /// The field of a key.
            pub(crate) fn slot(&mut self, name: &str) -> Option<&mut T> {
                match name {
                    $($(stringify!($key) => Some(&mut self.$key),)*)*
                    _ => None,
                }
            }
        }
    };
}
use coefficients;

/// Alternative spellings of keys found in files.
const ALIASES: [(&str, &str); 3] = [("LFZ0", "LFZO"), ("IP", "INFLPRES"), ("IP_NOM", "NOMPRES")];

/// The table entry of the key `name`, in any case and with alternative spellings found in files
/// (`LFZ0`).
#[must_use]
pub fn key(name: &str) -> Option<&'static Key> {
    let alias = ALIASES
        .iter()
        .find(|(other, _)| other.eq_ignore_ascii_case(name));
    let name = alias.map_or(name, |(_, name)| name);
    KEYS.iter().find(|key| key.name.eq_ignore_ascii_case(name))
}

impl Coefficients {
    /// The defaults for absent keys: a plausible passenger-car tire.
    #[must_use]
    pub fn template() -> Self {
        Self::from_keys(|key| key.default)
    }

    /// The value of the key `name`, if there is such a key.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        let wanted = key(name)?;
        self.iter()
            .find(|(key, _)| key.name == wanted.name)
            .map(|(_, &value)| value)
    }

    /// Sets the key `name` (in any case, [`key`]) to a value in SI units, and returns its entry;
    /// `None` and no change if there is no such key.
    pub fn set(&mut self, name: &str, value: f64) -> Option<&'static Key> {
        let key = key(name)?;
        *self.slot(key.name)? = value;
        Some(key)
    }
}

impl Serialize for Coefficients {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(key, value)| (key.name, value)))
    }
}

impl<'de> Deserialize<'de> for Coefficients {
    /// From a map of keys; absent keys have their defaults, unknown ones are an error.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Coefficients;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("a table of Magic Formula coefficients")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Coefficients, A::Error> {
                let mut coefficients = Coefficients::template();
                while let Some(name) = map.next_key::<String>()? {
                    let value = map.next_value()?;
                    if coefficients.set(&name, value).is_none() {
                        return Err(A::Error::custom(format!("unknown coefficient `{name}`")));
                    }
                }
                Ok(coefficients)
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_unique_and_each_reaches_its_own_field() {
        let mut coefficients = Coefficients::template();
        for (i, key) in KEYS.iter().enumerate() {
            assert_eq!(
                coefficients.get(key.name),
                Some(key.default),
                "{}",
                key.name
            );
            let set = coefficients.set(&key.name.to_lowercase(), i as f64);
            assert_eq!(set.map(|key| key.name), Some(key.name));
        }
        for (i, (_, &value)) in coefficients.iter().enumerate() {
            assert_eq!(value, i as f64);
        }
        assert_eq!(coefficients.PCX1, coefficients.get("PCX1").unwrap());
    }

    #[test]
    fn alternative_spellings_are_known() {
        let mut coefficients = Coefficients::template();
        coefficients.set("LFZ0", 1.5);
        assert_eq!(coefficients.LFZO, 1.5);
        assert!(coefficients.set("PCX9", 1.0).is_none());
    }

    #[test]
    fn a_table_of_keys_is_read_over_the_template_and_written_whole() {
        let read: Coefficients = toml::from_str("PCX1 = 1.7\nlfz0 = 2.0").unwrap();
        assert_eq!((read.PCX1, read.LFZO, read.PDX1), (1.7, 2.0, 1.3));
        let again: Coefficients = toml::from_str(&toml::to_string(&read).unwrap()).unwrap();
        assert_eq!(again, read);
        let error = toml::from_str::<Coefficients>("PCX9 = 1.0").unwrap_err();
        assert!(error.to_string().contains("PCX9"), "{error}");
    }
}
