//! Each key of a vehicle file, changed alone, changes its parameter and no other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use toml::{Table, Value};

use super::rules::{Effect, RULES, captures, filled};
use super::*;
use crate::file::path::{find, replace};

/// All keys absent from the presets, except those of drives.
const REST: &str = include_str!("rest.toml");

/// Drives with keys absent from the presets.
const DRIVES: [&str; 10] = [
    "model = 'direct'\nmax_torques = [10, -20, 30.0]\nrules = 'physx-4'\n\
     responses.top_speed = 50.0\nresponses.top_speed_reverse = 5.0\n\
     steering = { axle_law = 'maximum', response.speed_axis = 'signed' }\n\
     responses.brake = { rows = [{ command = 0.5, by_speed = [[0.0, 0.4]] }], speed_axis = 'magnitude' }",
    "model = 'tank'\ndifferential = { model = 'tank', special = true, hold = 0.5, coupling = 'by-torque', \
     law.scaled = { torque_ratios = [0.5, 0.5], speed_ratios = [0.5, 0.5] }, tracks = [\
     { side = 'left', wheels = [0], radii = [0.3] }, { side = 'right', wheels = [1], radii = [0.3] }] }",
    "model = 'engine'\nresponses = { throttle.speed_axis = 'signed', clutch = { speed_axis = 'signed', \
     rows = [{ command = 0.4, by_speed = [[0.0, 0.5]] }] }, \
     handbrake.rows = [{ command = 0.5, by_speed = [[0.0, 0.4]] }], handbrake.speed_axis = 'signed' }\n\
     differential = { model = 'limited-slip', bias = 1.5, axles = [\
     { wheels = [2, 3], share = 0.4, split = 0.5, bias = 2.0 }, { wheels = [1], share = 0.6 }] }",
    "model = 'engine'\ndifferential = { model = 'limited-slip', \
     slip_limiter = { viscous = { torque_curve = [[5.0, 60.0], [40.0, 300.0]] } }, axles = [\
     { wheels = [0, 1], share = 0.4, slip_limiter = { torsen = { power = 2.5, coast = 1.5 } } }, \
     { wheels = [2, 3], share = 0.6, slip_limiter = { viscous = { torque_curve = [[5.0, 90.0], [40.0, 200.0]] } } }] }",
    "model = 'engine'\ndifferential = { model = 'limited-slip', \
     slip_limiter = { plates = { preload = 60.0, power = 0.3, coast = 0.2 } }, axles = [\
     { wheels = [0, 1], share = 0.4 }, { wheels = [2, 3], share = 0.6 }] }",
    "model = 'engine'\ndifferential = { model = 'limited-slip', \
     slip_limiter = { torsen = { power = 2.5, coast = 1.5 } }, axles = [\
     { wheels = [0, 1], share = 0.4 }, { wheels = [2, 3], share = 0.6 }] }",
    "model = 'engine'\ndifferential = { model = 'locking', front = [0, 1], rear = [2, 3], rate = 3.0, free_axle = 'open', \
     front_limit = { bias = 1.5, target = 1.2 }, center_limit = { bias = 2.0, target = 1.5 }, ratios = { \
     torque_ratios = [0.3, 0.3, 0.2, 0.2], speed_ratios = [0.3, 0.3, 0.2, 0.2], torque_by = 'torque-ratio', strict = true } }",
    "model = 'engine'\ndifferential = { model = 'multi-wheel', torque_by = 'torque-ratio', strict = true, \
     torque_ratios = [0.3, 0.3, 0.2, 0.2], speed_ratios = [0.25, 0.25, 0.25, 0.25] }",
    "model = 'electric'\nmotors = [{ wheels = [0], ratio = 1.0, inertia = 0.05, peak_torque = 200.0, peak_power = 4e4, \
     max_speed = 600.0 }]\n\
     engine = { inertia = 0.2, peak_torque = 150.0, idle_speed = 80.0, max_speed = 600.0, torque_curve = [[0.0, 0.8], [1.0, 0.9]], \
     damping_full_throttle = 0.1, damping_zero_throttle_engaged = 0.2, damping_zero_throttle_disengaged = 0.2 }\n\
     battery = { capacity = 2e4, state_of_charge = 0.5, voltage = [[0.0, 200.0], [1.0, 250.0]], resistance = 0.2, \
     discharge_power = 4e4, charge_power = 3e4 }\n\
     parallel = { input_torque = 250.0, cranking_torque = 60.0, efficiency = 0.9, start_power = 9e3, stop_power = 5e3, \
     electric_speed = 30.0, charge = [0.4, 0.6], charge_power = 6e3, clutch = { strength = 10.0, capacity = 200.0 }, \
     gearbox = { reverse = [-3.0], forward = [3.0, 2.0], final_ratio = 4.0, ranges = [1.0, 2.0], switch_time = 0.2, \
     rev_matching = true, rules = 'physx-4' }, \
     autobox = { neutral_up = 0.2, up = [0.8, 0.9], down = [0.1, 0.4], latency = 0.8, light_throttle = 0.3 } }",
    "model = 'electric'\nmotors = [{ wheels = [0], ratio = 9.0, inertia = 0.05, peak_torque = 200.0, peak_power = 1e5, \
     weakening_speed = 900.0, max_speed = 1500.0, torque_curve = [[0.0, 190.0], [900.0, 90.0]], share = 0.5, \
     losses = { copper = 0.06, iron = 1.5, constant = 200.0 }, heat = { capacity = 2e4, cooling = 50.0, derating = [80.0, 120.0] } }]\n\
     battery = { capacity = 7e5, state_of_charge = 0.8, voltage = [[0.0, 350.0], [1.0, 400.0]], resistance = 0.08, \
     discharge_power = 2e5, charge_power = 1e5, discharge_current = 600.0, charge_current = 300.0, taper = [0.1, 0.9] }\n\
     regeneration = { brake = true, alone = 100.0, lift_off = 0.1, fade = [0.5, 2.0], one_pedal = 0.0 }\n\
     creep = { torque = 400.0, speed = 2.0 }\nvectoring = { gain = 3000.0, characteristic_speed = 20.0, max_torque = 400.0 }",
];

/// All keys of driver aids but those of the ABS with valves.
const AIDS: &str = include_str!("aids.toml");
/// An ABS that takes the place of another.
const VALVES: &str = "[aids.valve-abs]\nslip = 0.13\nfalling = -25.0\nrising = 6.0\npedal_rate = 15000.0\n\
     fill_rate = 6000.0\nrelease_rate = 14000.0\ndead_time = 0.005\naccumulator = 1200.0\npump_rate = 3500.0\nleast_speed = 1.5\n";

/// Lines that make a rung of `REST` one of bodies.
const BODIES: &str = "wheels = \"rigid\", friction = 0.9, ";

/// Required keys of an engine, with some absent from the presets.
const ENGINE: &str = "[drivetrain.engine]\ninertia = 0.2\npeak_torque = 200.0\nidle_speed = 80.0\nidle_torque = 20.0\n\
     max_speed = 600.0\ntorque_curve = [[0.0, 0.8], [1.0, 0.9]]\ndamping_full_throttle = 0.1\n\
     damping_zero_throttle_engaged = 0.2\ndamping_zero_throttle_disengaged = 0.2\n\
     fuel = { heating_value = 4e7, density = 700.0, efficiency = 0.3, friction = [[0.0, 9.0], [500.0, 19.0]], cut_speed = 99.0, \
     map = { speeds = [90.0, 400.0], rows = [[20.0, [400.0, 420.0]], [90.0, [250.0, 260.0]]] } }\n\
     turbo = { unboosted = [[70.0, 0.7], [200.0, 0.5]], lag = [[90.0, 0.8], [300.0, 0.4]] }\n\
     limiter = { cuts_above = 500.0, resumes_below = 400.0 }\n\
     [drivetrain.clutch]\nstrength = 10.0\nautomatic = true\nclosing_time = 0.3\ncreep_torque = 9.0\naccuracy = { iterative = { sweeps = 5, tolerance = 0.01 } }\n\
     [drivetrain.gearbox]\nreverse = [-3.0]\nforward = [3.0]\nfinal_ratio = 4.0\nswitch_time = 0.2\nrev_matching = true\n\
     rules = 'physx-4'\n";

/// The files of the folder `vehicles`, and others with the keys that are left.
pub(in crate::file) fn files() -> BTreeMap<String, Table> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vehicles");
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let vehicles = paths.filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let shipped = vehicles.map(|path| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    });
    let rest = DRIVES.iter().enumerate().map(|(n, drive)| {
        let engine = if drive.contains("'engine'") || drive.contains("'tank'") {
            ENGINE
        } else {
            ""
        };
        // Wheels that a drive binds are no bodies, nor those that shafts turn.
        let binds = ["'locking'", "'electric'", "slip_limiter"];
        let binds = binds.iter().any(|part| drive.contains(part));
        let rest = if binds {
            REST.replace(BODIES, "")
        } else {
            REST.to_owned()
        };
        (
            format!("rest {n}"),
            format!("{rest}\n[drivetrain]\n{drive}\n{engine}"),
        )
    });
    let steering = ("steering wheel".to_owned(), steering::tests::with_system());
    let aided = [("aids", AIDS), ("valves", VALVES)];
    let aided = aided.map(|(name, aids)| (name.to_owned(), format!("{SEDAN}\n{aids}")));
    let sheets = [
        "net_torque = [[50.0, 180.0], [400.0, 230.0]]",
        "net_power = [[50.0, 9e3], [600.0, 1e5]]",
        "torque_map = { speeds = [90.0, 600.0], rows = [[0.0, [-9.0, -20.0]], [1.0, [150.0, 90.0]]] }",
    ];
    let sheets = sheets.map(|sheet| (sheet.to_owned(), data_sheet::tests::sedan_with(sheet)));
    let all = shipped
        .chain(rest)
        .chain([steering])
        .chain(aided)
        .chain(sheets);
    all.map(|(name, text)| (name, text.parse().unwrap()))
        .collect()
}

/// The file with a name.
pub(super) fn file(name: &str) -> Table {
    files().remove(name).expect("there is one")
}

/// Document of a file's car, in which wheels and tires have names.
pub(in crate::file) fn read(file: &Table) -> Result<Value, Vec<Fault>> {
    let car = build::build(file.clone(), &TireRegistry::with_builtins(), None)?;
    let mut document = Table::try_from(car.spec()).unwrap();
    document.insert("car".to_owned(), Value::Table(beside(&car)));
    let (wheels, tires) = (wheel_names(file), tire_names(file));
    let mut own = document["params"]["wheels"].clone();
    for wheel in list(&mut own) {
        let model = &mut wheel["tire"]["model"];
        *model = Value::String(tires[place(model)].clone());
    }
    document["params"]["wheels"] = Value::Array(Vec::new());
    document.insert("wheels".to_owned(), own);
    name_all(&mut document["wheels"], |n, _| wheels[n].clone());
    name_all(&mut document["drive"]["brakes"], |n, _| wheels[n].clone());
    name_all(&mut document["tires"], |n, _| tires[n].clone());
    name_steered(&mut document["drive"]["steering"], &wheels);
    Ok(Value::Table(document))
}

/// Properties of a car outside its model.
fn beside(car: &Car) -> Table {
    let hull = [("size", car.hull.size), ("center", car.hull.center)];
    let hull = hull.map(|(name, v)| (name.to_owned(), Value::try_from(v).unwrap()));
    let coupling = car.coupling.as_ref();
    let all = [
        ("name", Value::String(car.name.clone())),
        ("description", Value::String(car.description.clone())),
        ("hull", Value::Table(hull.into_iter().collect())),
    ];
    let coupling = coupling.map(|coupling| ("coupling", Value::try_from(coupling).unwrap()));
    let rear = car.rear_coupling.as_ref();
    let rear = rear.map(|coupling| ("rear_coupling", Value::try_from(coupling).unwrap()));
    let targets = (
        "target",
        Value::Table(car.targets.iter().map(target).collect()),
    );
    let ladder = car.ladder.as_ref();
    let ladder = ladder.map(|ladder| ("ladder", Value::try_from(ladder).unwrap()));
    let all = all
        .into_iter()
        .chain(coupling)
        .chain(rear)
        .chain([targets])
        .chain(ladder);
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Values of a target, by its key.
fn target(target: &ClassTarget) -> (String, Value) {
    let said = [
        ("value", Some(Value::Float(target.value.into()))),
        ("tolerance", Some(Value::Float(target.tolerance.into()))),
        ("source", Some(Value::String(target.source.clone()))),
        ("missed", target.missed.clone().map(Value::String)),
    ];
    let said = said
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    (target.figure.key().to_owned(), Value::Table(said.collect()))
}

/// `axle/side` of every wheel; for one in the middle, the side is left.
fn wheel_names(file: &Table) -> Vec<String> {
    let axles = file["axles"].as_array().unwrap().iter().enumerate();
    let wheels = axles.flat_map(|(n, axle)| match axle.get("wheels") {
        Some(Value::Integer(1)) => vec![format!("{n}/left")],
        _ => vec![format!("{n}/left"), format!("{n}/right")],
    });
    wheels.collect()
}

fn tire_names(file: &Table) -> Vec<String> {
    file["tires"].as_table().unwrap().keys().cloned().collect()
}

fn list(value: &mut Value) -> &mut Vec<Value> {
    value.as_array_mut().expect("a list")
}

fn place(value: &Value) -> usize {
    value.as_integer().expect("a place") as usize
}

/// Converts a list to a table.
fn name_all(value: &mut Value, name: impl Fn(usize, &Value) -> String) {
    let parts = core::mem::take(list(value)).into_iter().enumerate();
    *value = Value::Table(parts.map(|(n, part)| (name(n, &part), part)).collect());
}

/// Moves steering parameters under the index of their axle.
fn name_steered(steering: &mut Value, wheels: &[String]) {
    let mut steered = core::mem::take(list(&mut steering["axles"]));
    steered.append(list(&mut steering["wheels"]));
    steering["axles"] = Value::Array(steered);
    name_all(&mut steering["axles"], |_, part| {
        let wheel = part.get("left").or(part.get("wheel")).unwrap();
        wheels[place(wheel)].split('/').next().unwrap().to_owned()
    });
}

/// Visits all values, including nested ones, with their paths.
fn walk<'a>(value: &'a Value, path: &str, visit: &mut impl FnMut(String, &'a Value)) {
    visit(path.to_owned(), value);
    match value {
        Value::Table(table) => table.iter().for_each(|(key, part)| {
            let dot = if path.is_empty() { "" } else { "." };
            walk(part, &format!("{path}{dot}{key}"), visit);
        }),
        Value::Array(list) => {
            let parts = list.iter().enumerate();
            parts.for_each(|(n, part)| walk(part, &format!("{path}[{n}]"), visit));
        }
        _ => {}
    }
}

/// All values that are neither table nor list, by their paths.
pub(in crate::file) fn leaves(value: &Value) -> BTreeMap<String, &Value> {
    let mut found = BTreeMap::new();
    walk(value, "", &mut |path, value| {
        if !value.is_table() && !value.is_array() {
            found.insert(path, value);
        }
    });
    found
}

/// Values of enumerated keys.
const WORDS: [&str; 26] = [
    "rows",
    "explicit",
    "default",
    "physx-5",
    "pure",
    "sprung-mass",
    "sphere",
    "first",
    "left",
    "right",
    "delta",
    "sweeps",
    "open-front",
    "open-rear",
    "magnitude",
    "signed",
    "mean",
    "by-halves",
    "speed-ratio",
    "stops-second",
    "other",
    "ball",
    "select-low",
    "suv-255-55-r20",
    "suv-255-55-r20-62",
    "some text",
];

/// Nearby values, or other choices.
fn others(value: &Value, file: &Table) -> Vec<Value> {
    match value {
        Value::Float(x) => [x * 1.01, x * 0.99, x + 0.001, x - 0.001]
            .map(Value::Float)
            .into(),
        Value::Integer(n) => [n + 1, n - 1, n + 2, n - 2].map(Value::Integer).into(),
        Value::Boolean(yes) => vec![Value::Boolean(!yes)],
        Value::String(_) => {
            let words = WORDS.map(str::to_owned);
            let words = tire_names(file).into_iter().chain(words);
            words.map(Value::String).collect()
        }
        other => panic!("no key is {other}"),
    }
}

/// Tries another value of a key, and returns it with the parsed file if one is accepted.
fn changed(file: &Table, key: &str) -> Option<(Value, Value)> {
    let mut whole = Value::Table(file.clone());
    let own = find(&whole, key).unwrap().clone();
    let others = others(&own, file).into_iter();
    others.filter(|other| *other != own).find_map(|other| {
        replace(&mut whole, key, Some(other.clone()));
        Some((other, read(whole.as_table()?).ok()?))
    })
}

/// Whether a parameter is `times` the value of a key.
fn is(parameter: &Value, value: &Value, radians: bool, times: f64) -> bool {
    let number = match value {
        Value::Float(x) if radians => x.to_radians(),
        Value::Float(x) => *x,
        Value::Integer(n) => *n as f64,
        Value::Boolean(yes) => return parameter.as_bool() == Some(*yes),
        other => return parameter.as_str() == other.as_str(),
    };
    let parameter = parameter
        .as_float()
        .or(parameter.as_integer().map(|n| n as f64));
    parameter.is_some_and(|x| (x - times * number).abs() <= 1e-6 * number.abs())
}

/// The change of a key against its rule.
struct Change<'a> {
    key: &'a str,
    value: &'a Value,
    /// Leaves of the document that changed.
    differing: BTreeSet<&'a str>,
    after: &'a BTreeMap<String, &'a Value>,
}

impl Change<'_> {
    /// The parameters at a pattern's path.
    fn at(&self, pattern: &str) -> Vec<(&str, &Value)> {
        let matching = |path: &str| captures(pattern, path).is_some();
        let found = self.after.iter().filter(|(path, _)| matching(path));
        found.map(|(path, value)| (path.as_str(), *value)).collect()
    }

    /// Mismatches between the parameters and an effect.
    fn faults(&self, effect: &Effect, captured: &[&str]) -> Vec<String> {
        // In tables of angles, jounce comes first.
        let radians = self.key.contains("_deg") && !self.key.ends_with("[0]");
        let check = |pattern: &str, right: &dyn Fn(&str, &Value) -> bool| {
            let at = self.at(&filled(pattern, captured)).into_iter();
            let wrong =
                at.filter(|(path, value)| !self.differing.contains(path) || !right(path, value));
            wrong
                .map(|(path, value)| format!("{path} is {value}"))
                .collect()
        };
        match effect {
            Effect::Is(pattern) => check(pattern, &|_, value| is(value, self.value, radians, 1.0)),
            Effect::Mirrored(times, pattern) => check(pattern, &|path, value| {
                let side = if path.contains("/left") { 1.0 } else { -1.0 };
                is(value, self.value, radians, side * times)
            }),
            Effect::Moves(pattern) => check(pattern, &|_, _| true),
            Effect::Follows(_) | Effect::Bound => Vec::new(),
        }
    }

    /// Deviations from the rule.
    fn against(&self, effects: &[Effect], captured: &[&str]) -> Vec<String> {
        let wrong = effects
            .iter()
            .flat_map(|effect| self.faults(effect, captured));
        let patterns = effects.iter().filter_map(|effect| match effect {
            Effect::Is(at) | Effect::Mirrored(_, at) | Effect::Moves(at) | Effect::Follows(at) => {
                Some(filled(at, captured))
            }
            Effect::Bound => None,
        });
        let patterns: Vec<String> = patterns.collect();
        let named = |path: &str| patterns.iter().any(|at| captures(at, path).is_some());
        let others = self.differing.iter().filter(|path| !named(path));
        let others = others.map(|path| format!("{path} changes, too"));
        let nothing = self.differing.is_empty() && !patterns.is_empty();
        let nothing = nothing.then(|| "nothing changes".to_owned());
        wrong.chain(others).chain(nothing).collect()
    }
}

/// Faults of a key, and the index of its rule.
fn judge(file: &Table, before: &BTreeMap<String, &Value>, key: &str) -> (usize, Vec<String>) {
    let mut rules = RULES.iter().enumerate();
    let found =
        rules.find_map(|(n, (pattern, effects))| Some((n, effects, captures(pattern, key)?)));
    let Some((rule, effects, captured)) = found else {
        return (0, vec!["no rule says what it names".to_owned()]);
    };
    let bound = effects.iter().any(|effect| matches!(effect, Effect::Bound));
    let Some((value, document)) = changed(file, key) else {
        let refused = (!bound).then(|| "no other value is accepted".to_owned());
        return (rule, refused.into_iter().collect());
    };
    let after = leaves(&document);
    let paths = before.keys().chain(after.keys());
    let differing = paths.filter(|path| before.get(*path) != after.get(*path));
    let change = Change {
        key,
        value: &value,
        differing: differing.map(String::as_str).collect(),
        after: &after,
    };
    (rule, change.against(effects, &captured))
}

#[test]
fn each_key_changes_the_parameter_that_it_names_and_no_other() {
    let (mut faults, mut used) = (Vec::new(), BTreeSet::new());
    for (name, file) in files() {
        let document = read(&file).unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
        let before = leaves(&document);
        let whole = Value::Table(file.clone());
        for key in leaves(&whole).into_keys() {
            let (rule, wrong) = judge(&file, &before, &key);
            used.insert(rule);
            faults.extend(wrong.iter().map(|wrong| format!("{name}: {key}: {wrong}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let unused = RULES.iter().enumerate().filter(|(n, _)| !used.contains(n));
    let unused: Vec<_> = unused.map(|(_, (pattern, _))| pattern).collect();
    assert!(unused.is_empty(), "no file has a key {unused:?}");
}

/// The accepted keys of a file's table, from the error about an unknown one.
fn known_keys(file: &Table, table: &str) -> BTreeSet<String> {
    let mut whole = Value::Table(file.clone());
    let surprise = format!("{table}.surprise");
    replace(&mut whole, &surprise, Some(Value::Boolean(true)));
    let faults = read(whole.as_table().unwrap()).expect_err(table);
    let unknown = faults.iter().find(|fault| fault.path.ends_with("surprise"));
    let unknown = unknown.unwrap_or_else(|| panic!("{table}: {faults:?}"));
    let (_, names) = unknown.rule.split_once("known are: ").unwrap_or_default();
    let names = names.split(", ").filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

/// A path without list indices.
fn anywhere(path: &str) -> String {
    path.replace(|c: char| c.is_ascii_digit(), "")
}

#[test]
fn every_key_of_files_is_covered() {
    let (mut known, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for file in files().into_values() {
        let whole = Value::Table(file.clone());
        walk(&whole, "", &mut |path, value| {
            // A separating clutch has no pedal, which the other keys of clutches have.
            let others = [
                "tires",
                ".accuracy",
                ".law",
                ".slip_limiter",
                ".parallel.clutch",
            ];
            if let Some(table) = value.as_table()
                && !others.iter().any(|other| path.contains(other))
            {
                let key = |key: &String| format!("{}.{key}", anywhere(&path));
                seen.extend(table.keys().map(key));
                known.extend(known_keys(&file, &path).iter().map(key));
            }
        });
    }
    let missing: Vec<_> = known.difference(&seen).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
