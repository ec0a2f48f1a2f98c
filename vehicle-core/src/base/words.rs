//! Settings of yes or no that documents write as one of two words.

/// A module for `serde(with = …)` that writes a `bool` as its word for no or for yes.
macro_rules! words {
    ($module:ident: $no:literal, $yes:literal) => {
        #[cfg(feature = "serde")]
        mod $module {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            #[derive(Serialize, Deserialize)]
            enum Word {
                #[serde(rename = $no)]
                No,
                #[serde(rename = $yes)]
                Yes,
            }

            pub(super) fn serialize<S: Serializer>(yes: &bool, to: S) -> Result<S::Ok, S::Error> {
                let word = if *yes { Word::Yes } else { Word::No };
                word.serialize(to)
            }

            pub(super) fn deserialize<'de, D: Deserializer<'de>>(
                from: D,
            ) -> Result<bool, D::Error> {
                let word = Word::deserialize(from)?;
                Ok(matches!(word, Word::Yes))
            }
        }
    };
}
pub(crate) use words;
