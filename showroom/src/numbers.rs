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

/// The table with this value at a path; tables on the way are made, and `*` is every place of a list. `None` if something
/// else stands in the way.
pub(crate) fn put(table: &Table, path: &str, value: &Value) -> Option<Table> {
    let mut whole = Value::Table(table.clone());
    let parts: Vec<&str> = path.split('.').collect();
    lay(&mut whole, &parts, value)?;
    match whole {
        Value::Table(table) => Some(table),
        _ => None,
    }
}

fn lay(slot: &mut Value, parts: &[&str], value: &Value) -> Option<()> {
    match (parts.split_first(), slot) {
        (None, slot) => *slot = value.clone(),
        (Some((part, rest)), Value::Table(table)) => {
            let empty = || Value::Table(Table::new());
            let slot = table.entry(*part).or_insert_with(empty);
            lay(slot, rest, value)?;
        }
        (Some((&"*", rest)), Value::Array(list)) => {
            list.iter_mut()
                .try_for_each(|slot| lay(slot, rest, value))?;
        }
        (Some((part, rest)), Value::Array(list)) => {
            lay(list.get_mut(part.parse::<usize>().ok()?)?, rest, value)?;
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_put_where_the_path_leads() {
        let table: Table = "a = 1\nlist = [{ b = 2 }, { b = 3 }]".parse().unwrap();
        let put = |path: &str| put(&table, path, &Value::Integer(7)).map(|table| table.to_string());
        for (path, text) in [
            ("a", "a = 7\n\n[[list]]\nb = 2\n\n[[list]]\nb = 3\n"),
            (
                "list.1.c.d",
                "a = 1\n\n[[list]]\nb = 2\n\n[[list]]\nb = 3\n\n[list.c]\nd = 7\n",
            ),
            ("list.*.b", "a = 1\n\n[[list]]\nb = 7\n\n[[list]]\nb = 7\n"),
        ] {
            assert_eq!(put(path).as_deref(), Some(text), "{path}");
        }
        assert_eq!(
            (put("a.b"), put("list.2.b"), put("list.x")),
            (None, None, None)
        );
    }
}
