//! `jounce check --migrate`: a vehicle file in the newest schema, whose layout and comments stay.

use std::fs;
use std::path::Path;

use jounce::file::Car;
use toml::{Table, Value};
use toml_edit::{DocumentMut, Item, Key, TableLike};

use crate::error::{LabError, read_text};

/// Rewrites a vehicle file in the newest schema.
///
/// # Errors
/// If the file is no vehicle, or would be another one then; it is left as it was.
pub(crate) fn migrate(path: &Path) -> Result<String, LabError> {
    let failed = LabError::of_file(path);
    let name = path.display().to_string();
    let fault = |message: String| LabError::Syntax {
        file: name.clone(),
        message,
    };
    let car = Car::load(path)?;
    let text = read_text(path)?;
    let old: Table = text
        .parse()
        .map_err(|error: toml::de::Error| fault(error.to_string()))?;
    let new = car
        .upgraded_file()
        .ok_or_else(|| fault("has no file".to_owned()))?;
    if old == new {
        return Ok(format!("{name}: is in the newest schema\n"));
    }
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| fault(error.to_string()))?;
    bring_to(document.as_table_mut(), &old, &new);
    let before = fs::read(path).map_err(&failed)?;
    fs::write(path, document.to_string()).map_err(&failed)?;
    match Car::load(path) {
        Ok(now) if now.spec() == car.spec() => Ok(format!("written: {name}\n")),
        other => {
            fs::write(path, before).map_err(&failed)?;
            other?;
            Err(fault(
                "would be another vehicle in the newest schema".to_owned(),
            ))
        }
    }
}

/// Makes a table with the contents `old` one with the contents `new`. A key whose value went to another key keeps its line.
fn bring_to(table: &mut dyn TableLike, old: &Table, new: &Table) {
    let mut added: Vec<&str> = new.keys().map(String::as_str).collect();
    added.retain(|key| !old.contains_key(*key));
    let keys: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    for key in keys {
        let Some((mut place, mut item)) = take(table, &key) else {
            continue;
        };
        let before = &old[&key];
        let present = match new.get(&key) {
            Some(value) => Some((key.as_str(), value)),
            None => successor(before, &mut added, new),
        };
        // All keys are put back in turn, so that their order stays.
        if let Some((name, after)) = present {
            if name != key {
                let decor = place.leaf_decor().clone();
                place = Key::new(name).with_leaf_decor(decor);
            }
            bring_item_to(&mut item, before, after);
            table.entry_format(&place).or_insert(item);
        }
    }
    for key in added {
        table.insert(key, item_of(&new[key]));
    }
}

fn take(table: &mut dyn TableLike, key: &str) -> Option<(Key, Item)> {
    let (place, _) = table.get_key_value(key)?;
    let place = place.clone();
    Some((place, table.remove(key)?))
}

/// The added key that has a removed key's value, or stands alone.
fn successor<'a>(
    value: &Value,
    added: &mut Vec<&'a str>,
    new: &'a Table,
) -> Option<(&'a str, &'a Value)> {
    let equal = added.iter().position(|key| new[*key] == *value);
    let alone = (added.len() == 1).then_some(0);
    let key = added.remove(equal.or(alone)?);
    Some((key, &new[key]))
}

fn bring_item_to(item: &mut Item, before: &Value, after: &Value) {
    if before == after {
        return;
    }
    match (before, after) {
        (Value::Table(before), Value::Table(after)) => {
            if let Some(table) = item.as_table_like_mut() {
                bring_to(table, before, after);
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            bring_list_to(item, before, after);
        }
        _ => replace(item, after),
    }
}

/// A list of tables, each with its own lines, or an array.
fn bring_list_to(item: &mut Item, before: &[Value], after: &[Value]) {
    let pairs = before.iter().zip(after).enumerate();
    if let Some(tables) = item.as_array_of_tables_mut() {
        for (table, (_, pair)) in tables.iter_mut().zip(pairs) {
            if let (Value::Table(before), Value::Table(after)) = pair {
                bring_to(table, before, after);
            }
        }
    } else if let Some(array) = item.as_array_mut() {
        for (n, (before, after)) in pairs {
            if before != after
                && let Some(value) = array.get_mut(n)
            {
                let mut single = Item::Value(value.clone());
                bring_item_to(&mut single, before, after);
                if let Ok(changed) = single.into_value() {
                    *value = changed;
                }
            }
        }
    }
}

/// Replaces a value; its surroundings, such as a comment, stay.
fn replace(item: &mut Item, value: &Value) {
    let decor = item.as_value().map(|value| value.decor().clone());
    *item = item_of(value);
    if let (Some(decor), Some(value)) = (decor, item.as_value_mut()) {
        *value.decor_mut() = decor;
    }
}

fn item_of(value: &Value) -> Item {
    let text = value.to_string();
    text.parse::<toml_edit::Value>()
        .map_or(Item::None, Item::Value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "# A kart.\nschema = 3\n[chassis]\n# Measured.\ncentre_of_mass = [0.1, 0.0, 0.4] # m\nmass = 1.0\n\
        hull = { size = [1.0, 1.0, 1.0], centre = [0.0, 0.0, 0.5] }\n\n[[axles]]\nname = \"a\" # first\n\
        [drivetrain.steering]\nphysx_rules = true # as there\n";
    const NEW: &str = "# A kart.\nschema = 4\n[chassis]\n# Measured.\ncenter_of_mass = [0.1, 0.0, 0.4] # m\nmass = 1.0\n\
        hull = { size = [1.0, 1.0, 1.0], center = [0.0, 0.0, 0.5] }\n\n[[axles]]\nname = \"a\" # first\n\
        [drivetrain.steering]\naxle_law = \"mean\" # as there\n";

    #[test]
    fn order_and_comments_stay() {
        let (old, new): (Table, Table) = (OLD.parse().unwrap(), NEW.parse().unwrap());
        let mut document: DocumentMut = OLD.parse().unwrap();
        bring_to(document.as_table_mut(), &old, &new);
        assert_eq!(document.to_string(), NEW);
    }

    /// A key that moves to another table is written at its end.
    #[test]
    fn keys_move_between_tables() {
        let old = "[a]\nx = 1 # one\ny = 2\n[b]\nz = 3\n";
        let new = "[a]\ny = 2\n[b]\nz = 3\nx = 1\n";
        let mut document: DocumentMut = old.parse().unwrap();
        bring_to(
            document.as_table_mut(),
            &old.parse().unwrap(),
            &new.parse().unwrap(),
        );
        assert_eq!(document.to_string(), new);
    }
}
