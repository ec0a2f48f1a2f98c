//! The numbers of a TOML table by their paths: keys and indices between dots.

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

/// The value at a path.
pub(crate) fn find<'a>(table: &'a Table, path: &str) -> Option<&'a Value> {
    let mut parts = path.split('.');
    let first = table.get(parts.next()?)?;
    parts.try_fold(first, |value, part| match value {
        Value::Table(table) => table.get(part),
        Value::Array(list) => list.get(part.parse::<usize>().ok()?),
        _ => None,
    })
}

/// The table with this number at a path, rounded where the file has a whole one; `None` if there is none.
pub(crate) fn with(table: &Table, path: &str, number: f64) -> Option<Table> {
    let mut table = table.clone();
    let mut parts = path.split('.');
    let first = table.get_mut(parts.next()?)?;
    let slot = parts.try_fold(first, |value, part| match value {
        Value::Table(table) => table.get_mut(part),
        Value::Array(list) => list.get_mut(part.parse::<usize>().ok()?),
        _ => None,
    })?;
    *slot = match slot {
        Value::Integer(_) => Value::Integer(number.round() as i64),
        Value::Float(_) => Value::Float(number),
        _ => return None,
    };
    Some(table)
}
