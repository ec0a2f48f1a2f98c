//! The coefficients of a tire: [`Coefficients`], and the metadata of each key.

#[rustfmt::skip]
mod table;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use table::{Coefficients, KEYS};

use super::version::Version;

/// The table entry of one coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Name in files, and of the field.
    pub name: &'static str,
    /// Section of a file that contains it.
    pub section: &'static str,
    /// Default in SI units, where a file gives no value.
    pub default: f64,
    /// Dimension of the coefficient.
    pub dimension: Dimension,
    /// Meaning of the coefficient in a few words.
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

            /// Returns these coefficients in another number type.
            pub fn map<U>(&self, mut f: impl FnMut(&T) -> U) -> Coefficients<U> {
                Coefficients { $($($key: f(&self.$key),)*)* }
            }

            /// Combines these coefficients with others, pair by pair.
            pub fn zip<U, V>(
                &self,
                other: &Coefficients<U>,
                f: impl Fn(&T, &U) -> V,
            ) -> Coefficients<V> {
                Coefficients { $($($key: f(&self.$key, &other.$key),)*)* }
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
const ALIASES: [(&str, &str); 4] = [
    ("LFZ0", "LFZO"),
    ("IP", "INFLPRES"),
    ("IP_NOM", "NOMPRES"),
    ("LKC", "LKYC"),
];

/// Keys that only the law of motorcycles has.
const OF_MOTORCYCLES: [&str; 4] = ["PCY2", "PTY3", "LCC", "LEC"];

/// Keys that no formula here uses: they belong to models of belts, of vertical motion, and of
/// roads.
const UNUSED: [&str; 35] = [
    "RIM_WIDTH",
    "MASS",
    "IXX",
    "IYY",
    "BELT_MASS",
    "BELT_IXX",
    "BELT_IYY",
    "GRAVITY",
    "VERTICAL_DAMPING",
    "MC_CONTOUR_A",
    "MC_CONTOUR_B",
    "Q_CAM",
    "YAW_STIFFNESS",
    "FREQ_LONG",
    "FREQ_LAT",
    "FREQ_YAW",
    "FREQ_WINDUP",
    "DAMP_LONG",
    "DAMP_LAT",
    "DAMP_YAW",
    "DAMP_WINDUP",
    "DAMP_RESIDUAL",
    "DAMP_VLOW",
    "Q_BVX",
    "Q_BVT",
    "PCMZ1",
    "ELLIPS_SHIFT",
    "ELLIPS_LENGTH",
    "ELLIPS_HEIGHT",
    "ELLIPS_ORDER",
    "ELLIPS_MAX_STEP",
    "ELLIPS_NWIDTH",
    "ELLIPS_NLENGTH",
    "ENV_C1",
    "ENV_C2",
];

impl Key {
    /// Whether a formula of any version uses the key. Other keys are kept, written and converted, and may hold placeholders.
    #[must_use]
    pub fn is_used(&self) -> bool {
        !UNUSED.contains(&self.name)
    }

    /// Whether the key is one of combined slip, which begin with `R`.
    #[must_use]
    pub fn is_weight(&self) -> bool {
        self.name.starts_with('R') && self.section.ends_with("COEFFICIENTS")
    }

    /// Whether the key is one of a version's files.
    #[must_use]
    pub fn belongs_to(&self, version: Version) -> bool {
        version == Version::Motorcycle || !OF_MOTORCYCLES.contains(&self.name)
    }
}

/// The table entry of the key `name`, in any case and with alternative spellings found in files
/// (`LFZ0`).
#[must_use]
pub fn key(name: &str) -> Option<&'static Key> {
    let alias = ALIASES
        .iter()
        .find(|(other, _)| other.eq_ignore_ascii_case(name));
    let name = alias.map_or(name, |(_, name)| name);
    let asked = || name.bytes().map(|letter| letter.to_ascii_uppercase());
    let place = BY_NAME.binary_search_by(|&n| KEYS[n].name.bytes().cmp(asked()));
    place.ok().map(|place| &KEYS[BY_NAME[place]])
}

/// Places in the table, ordered by name. A file has hundreds of keys to look up.
static BY_NAME: [usize; KEYS.len()] = by_name();

const fn by_name() -> [usize; KEYS.len()] {
    let mut order = [0; KEYS.len()];
    let mut sorted = 0;
    while sorted < order.len() {
        let mut place = sorted;
        while place > 0 && is_before(KEYS[sorted].name, KEYS[order[place - 1]].name) {
            order[place] = order[place - 1];
            place -= 1;
        }
        order[place] = sorted;
        sorted += 1;
    }
    order
}

const fn is_before(name: &str, other: &str) -> bool {
    let (name, other) = (name.as_bytes(), other.as_bytes());
    let mut n = 0;
    while n < name.len() && n < other.len() {
        if name[n] != other[n] {
            return name[n] < other[n];
        }
        n += 1;
    }
    name.len() < other.len()
}

/// Defaults for motorcycles, where they differ.
const MOTORCYCLE: [(&str, f64); 10] = [
    ("PCY1", 0.9),
    ("PDY2", 0.0),
    ("PKY2", 2.0),
    ("PKY3", 1.5),
    ("PKY4", 0.0),
    ("PKY6", -0.7),
    ("QDZ8", 0.0),
    ("CAMMIN", -1.1),
    ("CAMMAX", 1.1),
    ("PTY2", 2.0),
];

impl Coefficients {
    /// The defaults for absent keys: a plausible passenger-car tire.
    #[must_use]
    pub fn template() -> Self {
        Self::from_keys(|key| key.default)
    }

    /// The defaults for a version. Keys of the law of motorcycles mean something else than those
    /// of the same name for cars.
    #[must_use]
    pub fn template_of(version: Version) -> Self {
        let mut c = Self::template();
        if version == Version::Motorcycle {
            for (key, value) in MOTORCYCLE {
                c.set(key, value);
            }
        }
        c
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

impl Coefficients<Option<f64>> {
    /// Returns these coefficients, with those of `template` where there are none.
    #[must_use]
    pub fn over(&self, template: &Coefficients) -> Coefficients {
        let mut c = template.clone();
        for (key, given) in self.iter() {
            if let Some(value) = given {
                c.set(key.name, *value);
            }
        }
        c
    }
}

impl<'de> Deserialize<'de> for Coefficients {
    /// Reads the coefficients from a map of keys; absent keys have their defaults, unknown ones are an error.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Coefficients::<Option<f64>>::deserialize(deserializer)?;
        Ok(given.over(&Self::template()))
    }
}

impl<'de> Deserialize<'de> for Coefficients<Option<f64>> {
    /// Reads the coefficients from a map of keys; unknown ones are an error.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Coefficients<Option<f64>>;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("a table of Magic Formula coefficients")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut given = Coefficients::from_keys(|_| None);
                while let Some(name) = map.next_key::<String>()? {
                    let Some(slot) = key(&name).and_then(|key| given.slot(key.name)) else {
                        return Err(A::Error::custom(format!("unknown coefficient `{name}`")));
                    };
                    *slot = Some(map.next_value()?);
                }
                Ok(given)
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
