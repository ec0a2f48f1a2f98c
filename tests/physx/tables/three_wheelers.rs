//! Conversions of four-wheelers: every number of a car's parameters, before and after.

use std::collections::BTreeMap;
use std::path::Path;

use crate::lines;
use crate::reference::{self, Comparison};
use jounce::core::retune::ThreeWheeler;
use proving_ground::scenario::described;
use serde::Serialize;
use serde_json::Value;

use crate::rounding::ROUNDINGS;

/// Compares all numbers of all rows, each scaled by the largest of its name.
pub(super) fn compare(path: &Path) -> Result<Vec<Comparison>, String> {
    let name = reference::stem(path);
    let rows = lines::rows(path)?;
    let mut columns = BTreeMap::<String, Column>::new();
    for (n, row) in rows.iter().enumerate() {
        let fault = |error: String| format!("{name} row {}: {error}", n + 1);
        let (ours, theirs) = pair(row).map_err(fault)?;
        if ours.len() != theirs.len() {
            return Err(fault("other fields".to_owned()));
        }
        for ((key, a), (other, b)) in ours.iter().zip(&theirs) {
            if key != other {
                return Err(fault(format!("{key} instead of {other}")));
            }
            // All wheels share a scale.
            let field = key
                .rsplit(['/'])
                .find(|part| part.parse::<usize>().is_err());
            let column = columns
                .entry(field.unwrap_or_default().to_owned())
                .or_default();
            column.scale = column.scale.max(b.abs());
            column.error = column.error.max((a - b).abs());
        }
    }
    let worst = columns
        .iter()
        .max_by(|a, b| a.1.relative().total_cmp(&b.1.relative()))
        .ok_or("no rows")?;
    Ok(vec![Comparison {
        name,
        rows: rows.len(),
        max_error: worst.1.relative(),
        bound: ROUNDINGS,
        note: format!("worst: {}", worst.0),
    }])
}

type Numbers = Vec<(String, f64)>;

/// All numbers of our three-wheeler and of that of PhysX.
fn pair(row: &Value) -> Result<(Numbers, Numbers), String> {
    let layout = match row["mode"].as_str() {
        Some("tadpole") => ThreeWheeler::Tadpole,
        Some("delta") => ThreeWheeler::Delta,
        other => return Err(format!("unknown mode {other:?}")),
    };
    let read = |key: &str| described(&row[key]).map_err(|error| format!("{key}: {error}"));
    let (mut params, mut drive) = read("before")?;
    params
        .make_three_wheeler_as_physx(layout)
        .map_err(|error| error.to_string())?;
    drive.make_three_wheeler(layout);
    let (theirs, their_drive) = read("after")?;
    // PhysX has no stiffness of bump stops.
    for (ours, theirs) in params.wheels.iter_mut().zip(&theirs.wheels) {
        ours.suspension.bump_stop_stiffness = theirs.suspension.bump_stop_stiffness;
    }
    Ok((numbers(&(params, drive))?, numbers(&(theirs, their_drive))?))
}

/// Scale and error of one column.
#[derive(Default)]
struct Column {
    scale: f64,
    error: f64,
}

impl Column {
    fn relative(&self) -> f64 {
        if self.error == 0.0 {
            0.0
        } else {
            self.error / self.scale
        }
    }
}

/// Every number and Boolean of a value, by its path.
fn numbers(thing: &impl Serialize) -> Result<Numbers, String> {
    fn walk(value: &Value, path: &str, found: &mut Numbers) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    walk(value, &format!("{path}/{key}"), found);
                }
            }
            Value::Array(list) => {
                for (n, value) in list.iter().enumerate() {
                    walk(value, &format!("{path}/{n}"), found);
                }
            }
            Value::Bool(yes) => found.push((path.to_owned(), f64::from(u8::from(*yes)))),
            Value::Number(number) => {
                found.push((path.to_owned(), number.as_f64().unwrap_or(f64::NAN)));
            }
            Value::String(_) | Value::Null => {}
        }
    }
    let value = serde_json::to_value(thing).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    walk(&value, "", &mut found);
    Ok(found)
}
