//! A changed vehicle file as text, with layout and comments of the text that it was opened as.

use toml::{Table, Value};
use toml_edit::{DocumentMut, Item, TableLike};

/// The text of `now`, written into `source`, of which it is a changed reading.
pub(crate) fn written(source: &str, now: &Table) -> String {
    let Ok(mut document) = source.parse::<DocumentMut>() else {
        return now.to_string();
    };
    lay(document.as_table_mut(), now);
    document.to_string()
}

fn lay(old: &mut dyn TableLike, now: &Table) {
    let gone: Vec<String> = old
        .iter()
        .filter(|(key, _)| !now.contains_key(*key))
        .map(|(key, _)| key.to_owned())
        .collect();
    for key in gone {
        old.remove(&key);
    }
    for (key, value) in now {
        match old.get_mut(key) {
            Some(item) => replace(item, value),
            None => {
                old.insert(key, item(value));
            }
        }
    }
}

/// Changes an item where it says something else.
fn replace(old: &mut Item, now: &Value) {
    if let (Some(list), Value::Array(values)) = (old.as_array_of_tables_mut(), now)
        && list.len() == values.len()
    {
        for (table, value) in list.iter_mut().zip(values) {
            if let Value::Table(value) = value {
                lay(table, value);
            }
        }
        return;
    }
    if let (Some(table), Value::Table(now)) = (old.as_table_like_mut(), now) {
        return lay(table, now);
    }
    if read(old).as_ref() == Some(now) {
        return;
    }
    let mut next = item(now);
    // A comment behind a value stays.
    if let (Some(old), Some(next)) = (old.as_value(), next.as_value_mut()) {
        *next.decor_mut() = old.decor().clone();
    }
    *old = next;
}

const KEY: &str = "k";

fn read(item: &Item) -> Option<Value> {
    let mut document = DocumentMut::new();
    document.insert(KEY, item.clone());
    let mut table: Table = document.to_string().parse().ok()?;
    table.remove(KEY)
}

fn item(value: &Value) -> Item {
    let mut table = Table::new();
    table.insert(KEY.to_owned(), value.clone());
    let document = table.to_string().parse::<DocumentMut>();
    document
        .ok()
        .and_then(|mut d| d.remove(KEY))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "# Mine.\nname = \"a\"   # as it is called\n\n[[axles]]\nx = 1.0 # m\nlist = [[0.0, 1.0], [1.0, 2.0]]\n\n\
                          [[axles]]\nx = -1.0\n\n# What it rolls on.\n[tires.street]\nmodel = \"b\"\n";

    #[test]
    fn what_has_not_changed_stays_to_the_letter() {
        assert_eq!(written(SOURCE, &SOURCE.parse().unwrap()), SOURCE);
        for (name, text) in jounce::presets::FILES {
            assert_eq!(written(text, &text.parse().unwrap()), text, "{name}");
        }
    }

    #[test]
    fn changes_keep_comments_and_are_read_as_they_are() {
        let changed = SOURCE
            .replace("x = 1.0", "x = 1.5")
            .replace("[1.0, 2.0]", "[1.0, 3.0]")
            .replace("model = \"b\"", "model = \"c\"\nstiffness = 2.0")
            + "[sweep]\n";
        let now: Table = changed.parse().unwrap();
        let text = written(SOURCE, &now);
        assert_eq!(text.parse::<Table>().unwrap(), now);
        for kept in [
            "# Mine.\n",
            "# as it is called\n",
            "x = 1.5 # m\n",
            "# What it rolls on.\n",
        ] {
            assert!(text.contains(kept), "{text}");
        }
        let back: Table = SOURCE.parse().unwrap();
        assert_eq!(written(&text, &back).parse::<Table>().unwrap(), back);
    }
}
