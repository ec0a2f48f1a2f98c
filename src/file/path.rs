//! Paths such as `axles[1].suspension.stiffness`: their values, and their lines in a file.

use toml::Value;
use toml::de::{DeTable, DeValue};

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

    #[test]
    fn a_path_is_within_another_by_whole_steps() {
        assert!(is_within("axles[1].x", "axles") && is_within("axles", "axles"));
        assert!(is_within("axles[1].x", "axles[1]") && !is_within("axles[11].x", "axles[1]"));
        assert!(!is_within("axle", "axles") && !is_within("axles", "axles[0]"));
    }
}
