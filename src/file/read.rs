//! Reads a table into a type and reports every unknown key, missing key and wrong type at once:
//! each fault is recorded, replaced by a stand-in value, and reading continues. Faults within a
//! stand-in are not reported.

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use vehicle_core::Fault;

use super::message;
use super::path::{find, is_within, replace};

/// Stand-ins for a missing or mistyped value, tried in turn.
fn stand_ins() -> [Value; 7] {
    [
        Value::Float(1.0),
        Value::Integer(1),
        Value::String(String::new()),
        Value::Boolean(false),
        Value::Table(Table::new()),
        Value::Array(vec![]),
        Value::Array(vec![Value::Float(1.0); 3]),
    ]
}

/// The outcome of reading.
pub(super) struct ReadOutcome<T> {
    /// What was read, unless it is beyond repair or a whole table or list is missing, so that nothing could be
    /// said of the rest that is not made up.
    pub(super) value: Option<T>,
    /// Whether stand-ins were used.
    pub(super) patched: bool,
}

/// Maximum number of repairs before reading gives up.
const MOST_REPAIRS: usize = 400;

/// Reads `table`, located under `prefix` in its file.
pub(super) fn read<T: DeserializeOwned>(
    table: Table,
    prefix: &str,
    faults: &mut Vec<Fault>,
) -> ReadOutcome<T> {
    let mut value = Value::Table(table);
    let mut stood_in: Vec<String> = Vec::new();
    let mut attempt = 0;
    for _ in 0..MOST_REPAIRS {
        let error = match serde_path_to_error::deserialize(value.clone()) {
            Ok(read) => return finish(read, &value, &stood_in),
            Err(error) => error,
        };
        let text = error.inner().message().to_owned();
        let path = message::place(&error.path().to_string(), &text);
        let again = stood_in.last() == Some(&path);
        if !again && !stood_in.iter().any(|known| is_within(&path, known)) {
            faults.push(fault(prefix, &path, &value, &text));
        }
        if text.starts_with(message::UNKNOWN_KEY) {
            if !replace(&mut value, &path, None) {
                break;
            }
            continue;
        }
        attempt = if again { attempt + 1 } else { 0 };
        let stand_in = message::known_name(&text).map(Value::String);
        let stand_in = stand_in.filter(|_| attempt == 0);
        let Some(stand_in) = stand_in.or_else(|| stand_ins().into_iter().nth(attempt)) else {
            break;
        };
        if !replace(&mut value, &path, Some(stand_in)) {
            break;
        }
        if !again {
            stood_in.push(path);
        }
    }
    ReadOutcome {
        value: None,
        patched: true,
    }
}

/// The result with stand-ins at some paths.
fn finish<T>(read: T, value: &Value, stood_in: &[String]) -> ReadOutcome<T> {
    let whole =
        |path: &String| matches!(find(value, path), Some(Value::Table(_) | Value::Array(_)));
    ReadOutcome {
        value: (!stood_in.iter().any(whole)).then_some(read),
        patched: !stood_in.is_empty(),
    }
}

fn fault(prefix: &str, path: &str, value: &Value, text: &str) -> Fault {
    let full = match (prefix.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => prefix.to_owned(),
        _ => format!("{prefix}.{path}"),
    };
    Fault {
        path: full,
        value: find(value, path).map_or("nothing".to_owned(), shown),
        rule: message::rule(text),
    }
}

/// A value as written; truncated if long.
fn shown(value: &Value) -> String {
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
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Colour {
        Red,
        Green,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        depth: f32,
        count: usize,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        name: String,
        colour: Colour,
        inner: Vec<Inner>,
    }

    fn read_text(text: &str) -> (Option<Outer>, Vec<String>) {
        let mut faults = Vec::new();
        let reading = read(text.parse().unwrap(), "", &mut faults);
        let faults = faults.iter().map(ToString::to_string).collect();
        (reading.value, faults)
    }

    #[test]
    fn a_valid_table_has_no_faults() {
        let (value, faults) =
            read_text("name = 'a'\ncolour = 'green'\ninner = [{ depth = 2, count = 3 }]");
        let value = value.unwrap();
        assert!(faults.is_empty());
        assert!(matches!(value.colour, Colour::Green) && !matches!(value.colour, Colour::Red));
        assert_eq!((value.name.as_str(), value.inner[0].count), ("a", 3));
        assert_eq!(value.inner[0].depth, 2.0);
    }

    #[test]
    fn all_faults_are_found_at_once() {
        let (value, faults) = read_text(
            "nam = 'a'\ncolour = 'blue'\ninner = [{ depth = 'x', count = 1 }, { dept = 1.0, count = -3 }]",
        );
        let text = faults.join("\n");
        for path in [
            "nam ",
            "name ",
            "colour ",
            "inner[0].depth ",
            "inner[1].dept ",
            "inner[1].depth ",
            "inner[1].count ",
        ] {
            assert!(
                faults.iter().any(|f| f.starts_with(path)),
                "{path} in\n{text}"
            );
        }
        assert_eq!(faults.len(), 7, "{text}");
        assert!(value.is_some());
    }

    #[test]
    fn contents_of_a_missing_list_are_not_reported() {
        for text in [
            "name = 'a'\ncolour = 'red'",
            "name = 'a'\ncolour = 'red'\ninner = 3",
        ] {
            let (value, faults) = read_text(text);
            assert_eq!(faults.len(), 1, "{faults:?}");
            assert!(faults[0].starts_with("inner = "), "{faults:?}");
            assert!(value.is_none(), "the rest cannot be checked");
        }
        let (_, faults) = read_text("name = 'a'\ncolour = 'red'\ninner = [3.0]");
        assert_eq!(faults, ["inner[0] = 3.0: must be a table"]);
    }
}
