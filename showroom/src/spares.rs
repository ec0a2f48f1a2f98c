//! Entries that a vehicle file leaves out and may have, with the values that the library uses for them.

use jounce::core::params::{SweepSettings, WheelParams};
use jounce::file::Car;
use serde::Serialize;
use toml::{Table, Value};

use crate::numbers::put;

/// Values of keys that do not depend on the vehicle.
const USUAL: &str = include_str!("spares.toml");

/// Tables that all axles have, or none.
const ALL_OR_NONE: [&str; 2] = ["links", "unsprung"];

/// Something that a file may have and does not.
#[derive(Clone, Debug, PartialEq)]
pub struct Spare {
    /// Path of the entry: keys and indices between dots; `*` for all axles.
    pub path: String,
    /// Value of the entry: a number, or a list or table of them.
    pub value: Value,
}

/// Finds the entries that the library takes beside all that a file has, in the order of the keys.
pub(crate) fn left_out(file: &Table, car: &Car) -> Vec<Spare> {
    let mut usual: Table = USUAL.parse().expect("a table");
    let axle = usual.remove("axle").and_then(table).unwrap_or_default();
    let takes = |spare: &Spare| {
        put(file, &spare.path, &spare.value)
            .is_some_and(|table| Car::parse(&table.to_string(), "").is_ok())
    };
    let mut found = Vec::new();
    let rest = with_axles(with_settings(usual, file, car), &axle, file, car);
    walk(
        &Value::Table(rest),
        &Value::Table(file.clone()),
        "",
        &mut found,
        &takes,
    );
    for key in ALL_OR_NONE {
        if !axles(file).any(|axle| axle.get(key).is_some()) {
            offer(&axle[key], format!("axles.*.{key}"), &mut found, &takes);
        }
    }
    found
}

/// Finds the entries of `known` that `file` does not have.
fn walk(
    known: &Value,
    file: &Value,
    path: &str,
    found: &mut Vec<Spare>,
    takes: &dyn Fn(&Spare) -> bool,
) {
    match (known, file) {
        (Value::Table(known), Value::Table(file)) => {
            for (key, value) in known {
                match file.get(key) {
                    Some(there) => walk(value, there, &below(path, key), found, takes),
                    None => offer(value, below(path, key), found, takes),
                }
            }
        }
        (Value::Array(known), Value::Array(file)) => {
            for (n, (known, file)) in known.iter().zip(file).enumerate() {
                walk(known, file, &below(path, &n.to_string()), found, takes);
            }
        }
        _ => {}
    }
}

/// Offers a value, in parts that are as small as the library takes them.
fn offer(value: &Value, path: String, found: &mut Vec<Spare>, takes: &dyn Fn(&Spare) -> bool) {
    let before = found.len();
    for (key, part) in value.as_table().into_iter().flatten() {
        offer(part, below(&path, key), found, takes);
    }
    let whole = Spare {
        path,
        value: value.clone(),
    };
    if found.len() == before && takes(&whole) {
        found.push(whole);
    }
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

fn axles(file: &Table) -> impl Iterator<Item = &Value> {
    file.get("axles")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// Adds the settings of solver, sweeps and air that a car has to the usual entries.
fn with_settings(mut usual: Table, file: &Table, car: &Car) -> Table {
    let model = car.model();
    let params = model.params();
    lay(&mut usual, "rows", &params.profile.rows());
    lay(&mut usual, "substeps", &params.substeps);
    lay(&mut usual, "load_filter", &params.load_filter);
    if file.contains_key("sweep") {
        let SweepSettings {
            radius_scale,
            width_scale,
            ..
        } = SweepSettings::DEFAULT;
        lay(&mut usual, "sweep.radius_scale", &radius_scale);
        lay(&mut usual, "sweep.width_scale", &width_scale);
    } else {
        // Whether wheels are swept is chosen as a whole.
        usual.remove("sweep");
    }
    if let Some(air) = &params.aerodynamics {
        lay(&mut usual, "aerodynamics.wheelbase", &air.length);
        lay(&mut usual, "aerodynamics.vertical", &air.vertical);
        lay(&mut usual, "aerodynamics.point", &air.point);
    }
    usual
}

/// Adds the entries that each axle may have to the usual ones, from its first wheel.
fn with_axles(mut usual: Table, axle: &Table, file: &Table, car: &Car) -> Table {
    let model = car.model();
    let mut wheels = model.params().wheels.as_slice();
    let rows = axles(file).filter_map(|own| {
        let first = wheels.first()?;
        let count = own.get("wheels").and_then(Value::as_integer).unwrap_or(2);
        wheels = wheels.get(count as usize..).unwrap_or_default();
        Some(Value::Table(of_wheel(axle.clone(), first)))
    });
    let rows = rows.collect();
    usual.insert("axles".to_owned(), Value::Array(rows));
    usual
}

/// Entries that may be left out of an axle with this first wheel.
fn of_wheel(mut axle: Table, wheel: &WheelParams) -> Table {
    let strut = &wheel.suspension;
    for (path, number) in [
        ("z", wheel.position.z),
        ("inertia", wheel.inertia),
        ("suspension.bump_stop_stiffness", strut.bump_stop_stiffness),
        ("suspension.sprung_mass", strut.sprung_mass),
        ("suspension.force_height", strut.application_point.z),
        ("suspension.roll_influence", strut.roll_influence),
        ("tire.force_height", wheel.tire.application_point.z),
    ] {
        lay(&mut axle, path, &number);
    }
    let over =
        |from: f32, to: f32, rate: f32| vec![[from, rate * from], [0.0, 0.0], [to, rate * to]];
    let spring = over(-strut.max_droop, strut.max_compression, strut.stiffness);
    lay(&mut axle, "suspension.spring_curve", &spring);
    for (path, damper) in [
        ("bump", strut.damping.bump),
        ("rebound", strut.damping.rebound),
    ] {
        let curve = [1.0, 2.0].map(|speed| [speed, damper.rate * speed]);
        lay(&mut axle, &format!("suspension.{path}_curve"), &curve);
    }
    axle
}

fn table(value: Value) -> Option<Table> {
    match value {
        Value::Table(table) => Some(table),
        _ => None,
    }
}

/// Puts something of the library's at a path, with the digits that a reader of files would write.
fn lay(into: &mut Table, path: &str, what: &impl Serialize) {
    let value = Value::try_from(what).ok();
    if let Some(next) = value.and_then(|value| put(into, path, &rounded(value))) {
        *into = next;
    }
}

/// Single precision in its own digits: 0.1, not 0.10000000149.
fn rounded(value: Value) -> Value {
    match value {
        Value::Float(number) => {
            let text = (number as f32).to_string();
            Value::Float(text.parse().unwrap_or(number))
        }
        Value::Array(list) => Value::Array(list.into_iter().map(rounded).collect()),
        Value::Table(table) => table
            .into_iter()
            .map(|(key, value)| (key, rounded(value)))
            .collect::<Table>()
            .into(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guide;
    use crate::numbers::each;
    use crate::parts::Part;
    use jounce::file::find_value;
    use std::collections::BTreeSet;
    use std::sync::LazyLock;

    fn opened(text: &str) -> (Table, Car) {
        (text.parse().unwrap(), Car::parse(text, "own").unwrap())
    }

    fn with(file: &Table, spare: &Spare) -> Table {
        put(file, &spare.path, &spare.value).unwrap()
    }

    /// Paths of all numbers, without indices of lists.
    fn numbers(file: &Table) -> BTreeSet<String> {
        let mut paths = BTreeSet::new();
        each(file, &mut |path, _| {
            paths.insert(guide::general(path));
        });
        paths
    }

    /// Every vehicle that is shipped, and one with swept wheels: name, file, what it leaves out.
    static ALL: LazyLock<Vec<(String, Table, Vec<Spare>)>> = LazyLock::new(|| {
        let swept = opened(jounce::presets::FILES[0].1).0;
        let swept = Part::Contact.swapped(&swept, &swept, "sweeps").unwrap();
        let shipped = jounce::presets::FILES.map(|(name, text)| (name, text.to_owned()));
        let all = shipped.into_iter().chain([("swept", swept.to_string())]);
        let spares = |(name, text): (&str, String)| {
            let (file, car) = opened(&text);
            let spares = left_out(&file, &car);
            (name.to_owned(), file, spares)
        };
        all.map(spares).collect()
    });

    #[test]
    fn whatever_is_added_has_a_sentence() {
        let mut silent = BTreeSet::new();
        for (name, file, spares) in &*ALL {
            assert!(spares.len() > 10, "{name}: {spares:?}");
            for spare in spares {
                let mut added = 0;
                each(&with(file, spare), &mut |path, _| {
                    if find_value(file, path).is_none() {
                        added += 1;
                        silent.extend(guide::advice(path).is_none().then(|| guide::general(path)));
                    }
                });
                assert!(added > 0, "{name}: {}", spare.path);
            }
        }
        assert!(silent.is_empty(), "{silent:?}");
    }

    /// An added entry for which the library has a default changes nothing.
    #[test]
    fn defaults_that_are_added_are_the_librarys() {
        // What the sedan has none of: then usual numbers are added.
        let none = ["coupling", "unsprung", "steering", "_limit", "links"];
        let (file, car) = opened(jounce::presets::FILES[0].1);
        let params = |car: &Car| format!("{:?}", car.spec().drive);
        let mut same = 0;
        for spare in left_out(&file, &car) {
            if none.iter().any(|part| spare.path.contains(part)) || spare.value.is_array() {
                continue;
            }
            let next = Car::parse(&with(&file, &spare).to_string(), "next").unwrap();
            assert_eq!(next.spec().params, car.spec().params, "{}", spare.path);
            assert_eq!(params(&next), params(&car), "{}", spare.path);
            same += 1;
        }
        assert!(same > 20, "{same}");
    }

    /// Every number that a file can have is in a shipped file or can be added, but for those that are chosen as a whole.
    #[test]
    fn every_number_is_in_a_file_or_can_be_added() {
        let mut found = BTreeSet::new();
        for (_, file, spares) in &*ALL {
            found.extend(numbers(file));
            found.extend(spares.iter().flat_map(|spare| numbers(&with(file, spare))));
        }
        let all: Table = include_str!("../../src/file/tests/rest.toml")
            .parse()
            .unwrap();
        // Of rungs of a ladder, of a second description of a spring, of the right wheel alone, of a coupling that has no place yet.
        let whole = [
            "rear_coupling.",
            "ladder.",
            "axles.suspension.constraint",
            "axles.suspension.damping",
            "axles.compliance_right",
            "axles.layers",
            "axles.wheels",
        ];
        let missing: Vec<String> = numbers(&all).difference(&found).cloned().collect();
        let missing: Vec<_> = missing
            .iter()
            .filter(|path| !whole.iter().any(|known| path.starts_with(known)))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
