//! Converts serde's errors to the terms of a vehicle file: without type names, and with a
//! suggestion for misspelt keys and names.

use toml::Value;

/// Start of the message about an unknown key.
pub(super) const UNKNOWN_KEY: &str = "unknown field";
const UNKNOWN_NAME: &str = "unknown variant";
const MISSING: &str = "missing field";

/// A misspelt word matches a known one if its similarity is at least this.
const MISSPELT: f64 = 0.5;

/// The path of the key that a message at `path` refers to.
pub(super) fn place(path: &str, message: &str) -> String {
    let base = if path == "." { "" } else { path };
    let about_key = message.starts_with(MISSING) || message.starts_with(UNKNOWN_KEY);
    let Some(key) = quoted(message).next().filter(|_| about_key) else {
        return base.to_owned();
    };
    // The path of an unknown key already ends in it.
    if base == key || base.ends_with(&format!(".{key}")) {
        base.to_owned()
    } else if base.is_empty() {
        key.to_owned()
    } else {
        format!("{base}.{key}")
    }
}

/// The expected names in a message about an unknown one.
pub(super) fn known_names(message: &str) -> Option<impl Iterator<Item = &str>> {
    let names = message.strip_prefix(UNKNOWN_NAME)?;
    Some(quoted(names).skip(1))
}

/// The rule that a value violates.
pub(super) fn rule(message: &str) -> String {
    let mut words = quoted(message);
    if message.starts_with(MISSING) {
        "must be given".to_owned()
    } else if message.starts_with(UNKNOWN_KEY) {
        let key = words.next().unwrap_or_default();
        unknown_key(key, &words.collect::<Vec<_>>())
    } else if message.starts_with(UNKNOWN_NAME) {
        format!(
            "must be one of {}",
            words.skip(1).collect::<Vec<_>>().join(", ")
        )
    } else if let Some((_, expected)) = message.rsplit_once("expected ") {
        format!("must be {}", expected_value(expected.trim_end()))
    } else {
        message.trim_end().replace('\n', " ")
    }
}

fn unknown_key(key: &str, known: &[&str]) -> String {
    format!("unknown key{}", meant(key, known))
}

/// A suggestion for an unknown word, or all known ones, for the end of a message.
pub(super) fn meant(unknown: &str, known: &[&str]) -> String {
    let likeness = |word: &&str| strsim::normalized_damerau_levenshtein(unknown, word);
    let nearest = known
        .iter()
        .copied()
        .max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    match nearest {
        Some(word) if likeness(&word) >= MISSPELT => format!(", did you mean {word}?"),
        Some(_) => format!("; known are: {}", known.join(", ")),
        None => String::new(),
    }
}

/// The value that serde expects, in users' terms.
fn expected_value(expected: &str) -> String {
    match expected {
        "f32" | "f64" => "a number".to_owned(),
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, not below 0".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" => "a text in quotes".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a table".to_owned(),
        _ if expected.starts_with("struct ") => "a table".to_owned(),
        _ if expected.contains("struct ") || expected.contains("enum ") => {
            "a name or a table".to_owned()
        }
        _ => expected
            .replace("a sequence of", "a list of")
            .replace("f32 values", "numbers"),
    }
}

/// Words in backquotes.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').skip(1).step_by(2)
}

/// A value as written; truncated if long.
pub(super) fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    let text = text.trim_end().replace('\n', " ");
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST).chain(" …".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::missing("missing field `mass`", "must be given")]
    #[case::near(
        "unknown field `mas`, expected one of `inertia`, `mass`",
        "unknown key, did you mean mass?"
    )]
    #[case::far(
        "unknown field `zzzz`, expected `inertia` or `mass`",
        "unknown key; known are: inertia, mass"
    )]
    #[case::none("unknown field `x`, there are no fields", "unknown key")]
    #[case::name(
        "unknown variant `row`, expected `rows` or `explicit`",
        "must be one of rows, explicit"
    )]
    #[case::number("invalid type: string \"a\", expected f32", "must be a number")]
    #[case::whole(
        "invalid value: integer `-3`, expected usize",
        "must be a whole number, not below 0"
    )]
    #[case::any_whole(
        "invalid type: floating point `1.5`, expected i32",
        "must be a whole number"
    )]
    #[case::switch(
        "invalid type: integer `1`, expected a boolean",
        "must be true or false"
    )]
    #[case::text(
        "invalid type: integer `1`, expected a string",
        "must be a text in quotes"
    )]
    #[case::list("invalid type: integer `1`, expected a sequence", "must be a list")]
    #[case::map("invalid type: integer `1`, expected a map", "must be a table")]
    #[case::name_or_table(
        "invalid type: integer `1`, expected string or struct Probe",
        "must be a name or a table"
    )]
    #[case::name_of_many(
        "invalid type: integer `1`, expected internally tagged enum Law",
        "must be a name or a table"
    )]
    #[case::table(
        "invalid type: floating point `1.0`, expected struct AxleFile",
        "must be a table"
    )]
    #[case::vector(
        "invalid length 2, expected a sequence of 3 f32 values",
        "must be a list of 3 numbers"
    )]
    fn rules_are_in_plain_words(#[case] message: &str, #[case] expected: &str) {
        assert_eq!(rule(message), expected);
    }
}
