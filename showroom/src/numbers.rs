//! The numbers of a TOML table by their paths: keys and indices between dots.

use jounce::file::change_value;
use toml::{Table, Value};

/// A number, whole or not.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(*number),
        Value::Integer(number) => Some(*number as f64),
        _ => None,
    }
}

/// Calls `found` with path and value of every number, in the order of the keys.
pub(crate) fn each(table: &Table, found: &mut dyn FnMut(&str, &Value)) {
    for (key, value) in table {
        visit(key, value, found);
    }
}

fn visit(path: &str, value: &Value, found: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Table(table) => {
            each(table, &mut |key, value| {
                found(&format!("{path}.{key}"), value);
            });
        }
        Value::Array(list) => {
            for (n, value) in list.iter().enumerate() {
                visit(&format!("{path}.{n}"), value, found);
            }
        }
        _ if number(value).is_some() => found(path, value),
        _ => {}
    }
}

/// The table with this number at a path, rounded where the file has a whole one; `None` if there is none.
pub(crate) fn with(table: &Table, path: &str, number: f64) -> Option<Table> {
    changed(table, path, |value| match value {
        Some(Value::Integer(_)) => Ok(Value::Integer(number.round() as i64)),
        Some(Value::Float(_)) => Ok(Value::Float(number)),
        _ => Err("must be a number".to_owned()),
    })
}

/// The table with this value at a path; tables on the way are made, and `*` is every index of a list. `None` if something
/// else stands in the way.
pub(crate) fn put(table: &Table, path: &str, value: &Value) -> Option<Table> {
    changed(table, path, |_| Ok(value.clone()))
}

fn changed(
    table: &Table,
    path: &str,
    change: impl FnMut(Option<&Value>) -> Result<Value, String>,
) -> Option<Table> {
    let mut next = table.clone();
    change_value(&mut next, path, change).ok().map(|()| next)
}
