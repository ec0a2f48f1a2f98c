//! Infinite limits in formats without an infinite number, such as JSON: the word `infinite`.

use core::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serializer};

const WORD: &str = "infinite";

pub(crate) fn serialize<S: Serializer>(limit: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    if *limit == f32::INFINITY && serializer.is_human_readable() {
        serializer.serialize_str(WORD)
    } else {
        serializer.serialize_f32(*limit)
    }
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_any(Limit)
    } else {
        f32::deserialize(deserializer)
    }
}

struct Limit;

impl Visitor<'_> for Limit {
    type Value = f32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number or \"{WORD}\"")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f32, E> {
        Ok(value as f32)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f32, E> {
        Ok(value as f32)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f32, E> {
        Ok(value as f32)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<f32, E> {
        if word == WORD {
            Ok(f32::INFINITY)
        } else {
            Err(E::invalid_value(serde::de::Unexpected::Str(word), &self))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::IntoDeserializer as _;
    use serde::de::value::{Error as ValueError, StrDeserializer};

    fn read(word: &str) -> Result<f32, ValueError> {
        let text: StrDeserializer<'_, ValueError> = word.into_deserializer();
        deserialize(text)
    }

    #[test]
    fn one_word_alone_is_without_limit() {
        assert_eq!(read(WORD), Ok(f32::INFINITY));
        assert!(read("endless").is_err());
    }
}
