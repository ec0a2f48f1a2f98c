//! Paths such as `axles[1].suspension.stiffness`: their values, how these are changed, and their lines in a file.

use toml::de::{DeTable, DeValue};
use toml::{Table, Value};
use vehicle_core::Fault;

use super::message::shown;

/// Keys and indices of a path.
fn steps(path: &str) -> impl Iterator<Item = &str> {
    let steps = path.split(['.', '[']);
    let steps = steps.map(|step| step.trim_end_matches(']'));
    steps.filter(|step| !step.is_empty())
}

/// The value at a path.
pub(super) fn find<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    steps(path).try_fold(value, |value, step| match value {
        Value::Table(table) => table.get(step),
        Value::Array(list) => list.get(step.parse::<usize>().ok()?),
        _ => None,
    })
}

/// The value at a path of a document, such as `axles[1].radius` or `axles.1.radius`; `None` if the path leads nowhere.
#[must_use]
pub fn find_value<'a>(document: &'a Table, path: &str) -> Option<&'a Value> {
    let (first, rest) = path.split_once(['.', '[']).unwrap_or((path, ""));
    find(document.get(first)?, rest)
}

/// Changes the value at a path of a document; tables that are missing on the way are made.
///
/// The steps of a path are keys and indices, from 0: `axles[1].radius`, or `axles.1.radius`. Without an index a list of
/// tables stands for each of them (`axles.radius`), and `*` stands for every element of any list.
///
/// `change` gets the present value, or `None`, and returns the new one, or the rule that the present one breaks.
///
/// # Errors
/// If an index is not in its list, if something other than a table or a list stands in the way, or with the rule of
/// `change`. The document may then be changed in part.
pub fn change_value(
    document: &mut Table,
    path: &str,
    mut change: impl FnMut(Option<&Value>) -> Result<Value, String>,
) -> Result<(), Fault> {
    let steps: Vec<&str> = steps(path).collect();
    let changed = change_in_table(document, &steps, &mut change);
    changed.map_err(|rule| Fault {
        path: path.to_owned(),
        value: find_value(document, path).map_or("nothing".to_owned(), shown),
        rule,
    })
}

type ValueChange<'a> = &'a mut dyn FnMut(Option<&Value>) -> Result<Value, String>;

fn change_in_table(
    table: &mut Table,
    steps: &[&str],
    change: ValueChange<'_>,
) -> Result<(), String> {
    match steps {
        [] => Err("must name a key".to_owned()),
        [key] => {
            let next = change(table.get(*key))?;
            table.insert((*key).to_owned(), next);
            Ok(())
        }
        [key, rest @ ..] => {
            let empty = || Value::Table(Table::new());
            let inner = table.entry(*key).or_insert_with(empty);
            change_within(inner, rest, change)
        }
    }
}

fn change_within(value: &mut Value, steps: &[&str], change: ValueChange<'_>) -> Result<(), String> {
    match (value, steps) {
        (value, []) => {
            *value = change(Some(value))?;
            Ok(())
        }
        (Value::Table(table), _) => change_in_table(table, steps, change),
        (Value::Array(list), [step, rest @ ..]) => match step.parse::<usize>() {
            Ok(index) => {
                let count = list.len();
                let slot = list.get_mut(index);
                let slot = slot.ok_or_else(|| format!("the list has {count} elements"))?;
                change_within(slot, rest, change)
            }
            Err(_) if *step == "*" => list
                .iter_mut()
                .try_for_each(|slot| change_within(slot, rest, change)),
            Err(_) if !list.is_empty() && list.iter().all(Value::is_table) => list
                .iter_mut()
                .try_for_each(|slot| change_within(slot, steps, change)),
            Err(_) => Err(format!("must have an index instead of `{step}`")),
        },
        (other, [step, ..]) => Err(format!(
            "`{step}` leads nowhere: before it stands {}",
            shown(other)
        )),
    }
}

/// Inserts a value at `path`, or removes the one there; returns whether the path exists.
pub(super) fn replace(value: &mut Value, path: &str, by: Option<Value>) -> bool {
    let steps: Vec<&str> = steps(path).collect();
    let Some((&last, parents)) = steps.split_last() else {
        return false;
    };
    let parent = parents.iter().try_fold(value, |value, step| match value {
        Value::Table(table) => table.get_mut(*step),
        Value::Array(list) => list.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    });
    match (parent, by) {
        (Some(Value::Table(table)), Some(by)) => {
            table.insert(last.to_owned(), by);
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

/// Whether a path equals `outer` or is within it.
pub(super) fn is_within(path: &str, outer: &str) -> bool {
    let mut steps_of_path = steps(path);
    steps(outer).all(|step| steps_of_path.next() == Some(step))
}

/// The lines of a file.
pub(super) struct FileLines<'a> {
    text: &'a str,
    file: Option<DeTable<'a>>,
}

impl<'a> FileLines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let file = DeTable::parse(text).ok();
        Self {
            text,
            file: file.map(toml::Spanned::into_inner),
        }
    }

    /// The line, from 1, of the value at a path, or of the innermost existing table around it.
    pub(super) fn line(&self, path: &str) -> Option<usize> {
        let mut steps = steps(path);
        let (key, value) = self.file.as_ref()?.get_key_value(steps.next()?)?;
        let (mut start, mut value) = (key.span().start, value.get_ref());
        for step in steps {
            let inner = match value {
                DeValue::Table(table) => table
                    .get_key_value(step)
                    .map(|(key, value)| (key.span().start, value)),
                DeValue::Array(list) => list
                    .get(step.parse::<usize>().unwrap_or(usize::MAX))
                    .map(|value| (value.span().start, value)),
                _ => None,
            };
            let Some((place, inner)) = inner else {
                break;
            };
            (start, value) = (place, inner.get_ref());
        }
        Some(1 + self.text[..start].matches('\n').count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const FILE: &str = "name = 'a'\n\n[chassis]\nmass = 3\nhull = { size = [1, 2, 3] }\n\n\
                        [[axles]]\nx = 1\n\n[[axles]]\nx = 2\n[axles.tire]\nmodel = 'b'\n";

    #[rstest]
    #[case::key("name", Some(1))]
    #[case::table("chassis", Some(3))]
    #[case::within("chassis.mass", Some(4))]
    #[case::inline("chassis.hull.size[2]", Some(5))]
    #[case::missing("chassis.inertia", Some(3))]
    #[case::list("axles[0].x", Some(8))]
    #[case::second("axles[1].x", Some(11))]
    #[case::missing_in_second("axles[1].mass", Some(10))]
    #[case::below_second("axles[1].tire.model", Some(13))]
    #[case::nowhere("drivetrain.engine", None)]
    fn lines_are_those_of_keys(#[case] path: &str, #[case] line: Option<usize>) {
        assert_eq!(FileLines::of(FILE).line(path), line);
    }

    fn set(path: &str) -> Result<String, String> {
        let mut document: Table = "a = 1\nlist = [{ b = 2 }, { b = 3 }]\nnumbers = [1, 2]"
            .parse()
            .unwrap();
        let set = change_value(&mut document, path, |_| Ok(Value::Integer(7)));
        set.map(|()| document.to_string())
            .map_err(|fault| fault.to_string())
    }

    #[rstest]
    #[case::key("a", "a = 7\nnumbers = [1, 2]\n\n[[list]]\nb = 2\n\n[[list]]\nb = 3\n")]
    #[case::made(
        "list.1.c.d",
        "a = 1\nnumbers = [1, 2]\n\n[[list]]\nb = 2\n\n[[list]]\nb = 3\n\n[list.c]\nd = 7\n"
    )]
    #[case::brackets(
        "list[0].b",
        "a = 1\nnumbers = [1, 2]\n\n[[list]]\nb = 7\n\n[[list]]\nb = 3\n"
    )]
    #[case::each(
        "list.b",
        "a = 1\nnumbers = [1, 2]\n\n[[list]]\nb = 7\n\n[[list]]\nb = 7\n"
    )]
    #[case::star(
        "list.*.b",
        "a = 1\nnumbers = [1, 2]\n\n[[list]]\nb = 7\n\n[[list]]\nb = 7\n"
    )]
    #[case::of_numbers(
        "numbers[1]",
        "a = 1\nnumbers = [1, 7]\n\n[[list]]\nb = 2\n\n[[list]]\nb = 3\n"
    )]
    fn a_value_is_changed_where_the_path_leads(#[case] path: &str, #[case] text: &str) {
        assert_eq!(set(path).as_deref(), Ok(text));
    }

    #[rstest]
    #[case::no_table("a.b", "a.b = nothing: `b` leads nowhere: before it stands 1")]
    #[case::no_element("list.2.b", "list.2.b = nothing: the list has 2 elements")]
    #[case::no_index("numbers.x", "numbers.x = nothing: must have an index instead of `x`")]
    #[case::nothing("", " = nothing: must name a key")]
    fn a_path_that_leads_nowhere_is_refused(#[case] path: &str, #[case] told: &str) {
        assert_eq!(set(path).as_ref().map_err(String::as_str), Err(told));
    }

    #[test]
    fn a_value_is_found_by_either_spelling() {
        let document: Table = FILE.parse().unwrap();
        for path in ["axles[1].x", "axles.1.x"] {
            assert_eq!(find_value(&document, path), Some(&Value::Integer(2)));
        }
        assert_eq!(find_value(&document, "name"), Some(&Value::from("a")));
        assert_eq!(find_value(&document, "axles.2.x"), None);
        assert_eq!(find_value(&document, "name.x"), None);
    }

    #[test]
    fn a_path_is_within_another_by_whole_steps() {
        assert!(is_within("axles[1].x", "axles") && is_within("axles", "axles"));
        assert!(is_within("axles[1].x", "axles[1]") && !is_within("axles[11].x", "axles[1]"));
        assert!(!is_within("axle", "axles") && !is_within("axles", "axles[0]"));
    }
}
