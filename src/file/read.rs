//! Reads a table into a type and finds every unknown key, missing key and wrong type at once: what
//! is wrong is noted, replaced by a stand-in, and reading goes on.

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use vehicle_core::Fault;

/// Values that stand in for a missing or mistyped one, tried in turn.
fn stand_ins() -> [Value; 7] {
    let ones = |n: usize| Value::Array(vec![Value::Float(1.0); n]);
    [
        Value::Float(1.0),
        Value::Integer(1),
        Value::String(String::new()),
        Value::Boolean(false),
        Value::Table(Table::new()),
        ones(3),
        Value::Array(vec![]),
    ]
}

/// The outcome of reading: the value unless it is beyond repair.
pub(super) struct Reading<T> {
    pub(super) value: Option<T>,
    /// Whether stand-ins were used.
    pub(super) patched: bool,
}

/// Most repairs before reading gives up.
const MOST_REPAIRS: usize = 200;

/// Reads `table`, which stands under `prefix` in its file.
pub(super) fn read<T: DeserializeOwned>(
    table: Table,
    prefix: &str,
    faults: &mut Vec<Fault>,
) -> Reading<T> {
    let mut value = Value::Table(table);
    let mut patched = false;
    let mut repairing: Option<(String, usize)> = None;
    for _ in 0..MOST_REPAIRS {
        let error = match serde_path_to_error::deserialize(value.clone()) {
            Ok(read) => {
                return Reading {
                    value: Some(read),
                    patched,
                };
            }
            Err(error) => error,
        };
        let message = error.inner().message().to_owned();
        let path = place(&error.path().to_string(), &message);
        let attempt = match &repairing {
            Some((known, attempt)) if *known == path => attempt + 1,
            _ => {
                faults.push(fault(prefix, &path, &value, &message));
                0
            }
        };
        if message.starts_with("unknown field") {
            if !replace(&mut value, &path, None) {
                break;
            }
            continue;
        }
        let stand_in = suggestion(&message).or_else(|| stand_ins().into_iter().nth(attempt));
        let Some(stand_in) = stand_in.filter(|_| attempt < stand_ins().len()) else {
            break;
        };
        patched = true;
        if !replace(&mut value, &path, Some(stand_in)) {
            break;
        }
        repairing = Some((path, attempt));
    }
    Reading {
        value: None,
        patched,
    }
}

/// The path of the key that a message is about.
fn place(path: &str, message: &str) -> String {
    let base = if path == "." { "" } else { path };
    let about_field = message.starts_with("missing field") || message.starts_with("unknown field");
    let Some(field) = message.split('`').nth(1).filter(|_| about_field) else {
        return base.to_owned();
    };
    // For unknown fields the path already ends in the field.
    if base == field || base.ends_with(&format!(".{field}")) {
        base.to_owned()
    } else if base.is_empty() {
        field.to_owned()
    } else {
        format!("{base}.{field}")
    }
}

/// The first value that a message about an unknown variant expects.
fn suggestion(message: &str) -> Option<Value> {
    let expected = message
        .strip_prefix("unknown variant")?
        .split("expected")
        .nth(1)?;
    let first = expected.split('`').nth(1)?;
    Some(Value::String(first.to_owned()))
}

fn fault(prefix: &str, path: &str, value: &Value, message: &str) -> Fault {
    let shown = find(value, path).map_or("nothing".to_owned(), ToString::to_string);
    let full = match (prefix.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => prefix.to_owned(),
        _ => format!("{prefix}.{path}"),
    };
    Fault {
        path: full,
        value: shown,
        rule: message.trim_end().replace('\n', " "),
    }
}

/// Keys and indices of a path such as `axles[1].suspension.stiffness`.
fn steps(path: &str) -> Vec<String> {
    path.split(['.', '['])
        .map(|step| step.trim_end_matches(']').to_owned())
        .filter(|step| !step.is_empty())
        .collect()
}

/// What stands at `path`.
pub(super) fn find<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    steps(path)
        .iter()
        .try_fold(value, |value, step| match value {
            Value::Table(table) => table.get(step),
            Value::Array(list) => list.get(step.parse::<usize>().ok()?),
            _ => None,
        })
}

/// Puts a value in at `path`, or takes out what is there; says whether the place exists.
pub(super) fn replace(value: &mut Value, path: &str, by: Option<Value>) -> bool {
    let steps = steps(path);
    let Some((last, parents)) = steps.split_last() else {
        return false;
    };
    let parent = parents.iter().try_fold(value, |value, step| match value {
        Value::Table(table) => table.get_mut(step),
        Value::Array(list) => list.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    });
    match (parent, by) {
        (Some(Value::Table(table)), Some(by)) => {
            table.insert(last.clone(), by);
            true
        }
        (Some(Value::Table(table)), None) => table.remove(last).is_some(),
        (Some(Value::Array(list)), Some(by)) => {
            let slot = last.parse().ok().and_then(|n: usize| list.get_mut(n));
            slot.map(|slot| *slot = by).is_some()
        }
        _ => false,
    }
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
    fn a_good_table_has_no_faults() {
        let (value, faults) =
            read_text("name = 'a'\ncolour = 'green'\ninner = [{ depth = 2, count = 3 }]");
        let value = value.unwrap();
        assert!(faults.is_empty());
        assert!(matches!(value.colour, Colour::Green) && !matches!(value.colour, Colour::Red));
        assert_eq!((value.name.as_str(), value.inner[0].count), ("a", 3));
        assert_eq!(value.inner[0].depth, 2.0);
    }

    #[test]
    fn everything_wrong_is_found_in_one_go() {
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
}
