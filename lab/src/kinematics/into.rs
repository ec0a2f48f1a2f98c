//! Curves written into a vehicle file, whose layout and comments stay.

use std::fs;
use std::path::Path;

use jounce::core::VehicleParams;
use jounce::core::params::Compliance;
use jounce::file::Car;
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::stance::WheelStance;
use super::sweep::TravelSweep;
use crate::error::{LabError, read_text};

/// Points of the curves that are written, of those that a file may have.
const POINTS: usize = 9;
const _: () = assert!(POINTS <= Compliance::POINTS);

/// A suspension for an axle of a vehicle.
pub(super) struct Fitted<'a> {
    pub(super) axle: &'a str,
    pub(super) sweep: &'a TravelSweep,
    /// Whether both wheels of the axle are on a beam.
    pub(super) beam: bool,
}

/// Writes suspensions into a vehicle file; returns what was done.
///
/// # Errors
/// If the file is no vehicle, has no such axle, or would not be a vehicle then; it is left as it was.
pub(super) fn write_into(path: &Path, fitted: &[Fitted<'_>]) -> Result<String, LabError> {
    let failed = LabError::of_file(path);
    let name = path.display().to_string();
    let car = Car::load(path)?;
    let before = fs::read(path).map_err(&failed)?;
    let text = read_text(path)?;
    let fault = |message: String| LabError::Syntax {
        file: name.clone(),
        message,
    };
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| fault(error.to_string()))?;
    let notes = change(&mut document, car.model().params(), fitted).map_err(fault)?;
    fs::write(path, document.to_string()).map_err(&failed)?;
    if let Err(error) = Car::load(path) {
        fs::write(path, before).map_err(&failed)?;
        return Err(error.into());
    }
    let notes: String = notes.iter().map(|note| format!("  {note}\n")).collect();
    Ok(format!("written: {name}\n{notes}"))
}

/// References of the numbers of an axle of a file.
struct AxleBasis {
    /// Index of the axle's first wheel.
    wheel: usize,
    /// Unit of length of the file (`m`).
    unit: f64,
    /// Share of the axle in the brakes' force.
    brakes: f64,
}

fn change(
    document: &mut DocumentMut,
    params: &VehicleParams,
    fitted: &[Fitted<'_>],
) -> Result<Vec<String>, String> {
    let axles = document
        .get_mut("axles")
        .and_then(Item::as_array_of_tables_mut)
        .ok_or("axles: must be tables `[[axles]]`")?;
    let names: Vec<String> = axles.iter().map(|axle| text_of(axle, "name")).collect();
    let whole: f64 = axles.iter().map(brakes).sum();
    let is_fitted = |name: &String| fitted.iter().any(|fitted| fitted.axle == name);
    let linked = |(axle, name): (&Table, &String)| is_fitted(name) || axle.contains_key("links");
    let all_linked = axles.iter().zip(&names).all(linked);
    let mut notes = Vec::new();
    for fitted in fitted {
        let index = names
            .iter()
            .position(|name| name == fitted.axle)
            .ok_or_else(|| {
                format!(
                    "--axle = {:?}: must be one of {}",
                    fitted.axle,
                    names.join(", ")
                )
            })?;
        let before = axles.iter().take(index);
        let wheel: usize = before
            .map(|axle| number(axle, "wheels").unwrap_or(2.0) as usize)
            .sum();
        let axle = axles.get_mut(index).ok_or("no axle")?;
        let radius = f64::from(params.wheels[wheel].radius);
        let place = AxleBasis {
            wheel,
            unit: radius / number(axle, "radius").unwrap_or(radius),
            brakes: brakes(axle) / whole,
        };
        set_stance(axle, fitted, &place)?;
        if all_linked {
            set(
                axle,
                "links",
                Value::InlineTable(links(fitted, &place, params)),
            );
        } else {
            notes.push(format!(
                "{}: no `links`, as other axles have none; write all axles at once, or give the others `links = {{}}`",
                fitted.axle
            ));
        }
    }
    Ok(notes)
}

/// Camber and toe at the design position and over jounce, changes of wheelbase and track over it.
fn set_stance(axle: &mut Table, fitted: &Fitted<'_>, place: &AxleBasis) -> Result<(), String> {
    let sweep = fitted.sweep;
    let design = *sweep.design();
    let toe: fn(&WheelStance) -> f64 = |s| s.toe.to_degrees();
    let camber: fn(&WheelStance) -> f64 = |s| s.camber.to_degrees();
    set(axle, "toe_deg", rounded(toe(&design)));
    let suspension = axle
        .get_mut("suspension")
        .and_then(Item::as_table_like_mut)
        .ok_or("suspension: must be a table")?;
    set(suspension, "camber_deg", rounded(camber(&design)));
    for linear in ["camber_at_max_compression_deg", "camber_at_max_droop_deg"] {
        suspension.remove(linear);
    }
    // A beam keeps its track: both of its wheels go to the same side.
    let aside = if fitted.beam { 0.0 } else { 1.0 };
    let shift = |s: &WheelStance| {
        let way = [
            s.center.x - design.center.x,
            aside * (s.contact.y - design.contact.y),
        ];
        array(way.map(|way| rounded(way / place.unit)))
    };
    let angle = |of: fn(&WheelStance) -> f64| {
        let design = of(&design);
        curve(sweep, place, |s| rounded(of(s) - design))
    };
    let empty = Item::Value(Value::InlineTable(InlineTable::new()));
    let compliance = axle.entry("compliance").or_insert(empty);
    let compliance = compliance
        .as_table_like_mut()
        .ok_or("compliance: must be a table")?;
    set(compliance, "toe_deg", angle(toe));
    set(compliance, "camber_deg", angle(camber));
    set(compliance, "shift", curve(sweep, place, shift));
    set_roll(compliance, design.roll_steer);
    Ok(())
}

/// Sets the keys by which a beam's roll acts on its wheels: they roll with it, and steer with it as far as its links turn
/// it. Wheels that are not on a beam have no such keys.
fn set_roll(compliance: &mut dyn TableLike, roll_steer: Option<f64>) {
    match roll_steer {
        Some(to_the_left) => {
            set(compliance, "roll_camber", Value::from(1.0));
            // In files, positive to the side to which the body rolls.
            set(compliance, "roll_steer", rounded(-to_the_left));
        }
        None => {
            compliance.remove("roll_camber");
            compliance.remove("roll_steer");
        }
    }
}

/// A table over jounce, in the file's unit of length.
fn curve(sweep: &TravelSweep, place: &AxleBasis, of: impl Fn(&WheelStance) -> Value) -> Value {
    let every = (sweep.jounces.len() - 1) / (POINTS - 1);
    let stances = sweep.jounces.iter().step_by(every);
    let point = |s: &WheelStance| array([rounded(s.jounce / place.unit), of(s)]);
    Value::Array(stances.map(point).collect())
}

fn array(values: [Value; 2]) -> Value {
    Value::Array(values.into_iter().collect())
}

/// Roll center and shares of the load transfer that a suspension's slopes are in a vehicle.
fn links(fitted: &Fitted<'_>, place: &AxleBasis, params: &VehicleParams) -> InlineTable {
    let design = fitted.sweep.design();
    let wheel = &params.wheels[place.wheel];
    let center = params.chassis.center_of_mass;
    let ends = params.wheels.iter().map(|wheel| wheel.position.x);
    let length = ends.clone().fold(f32::MIN, f32::max) - ends.fold(f32::MAX, f32::min);
    let rise = f64::from((center.z - wheel.position.z + wheel.radius) / length);
    let (toward, braked, driven) = if wheel.position.x > center.x {
        (100.0, "anti_dive", "anti_lift")
    } else {
        (-100.0, "anti_lift", "anti_squat")
    };
    let mut links = InlineTable::new();
    links.insert("roll_center", rounded(design.roll_center / place.unit));
    if fitted.beam {
        links.insert("beam", Value::from(true));
    } else {
        links.insert(
            "roll_center_change",
            rounded(roll_center_change(fitted.sweep)),
        );
    }
    if place.brakes > 0.0 {
        links.insert(
            braked,
            rounded(toward * design.braked * place.brakes / rise),
        );
    }
    links.insert(driven, rounded(toward * design.driven / rise));
    links
}

/// The slope of the line through the design position that comes nearest to the roll center over jounce (–).
fn roll_center_change(sweep: &TravelSweep) -> f64 {
    let height = sweep.design().roll_center;
    let stances = sweep.jounces.iter();
    let [above, below] = stances.fold([0.0; 2], |[above, below], s| {
        [
            above + s.jounce * (s.roll_center - height),
            below + s.jounce * s.jounce,
        ]
    });
    above / below
}

/// Force of an axle's brakes, in the file's units.
fn brakes(axle: &Table) -> f64 {
    let torque = axle.get("brakes").and_then(Item::as_table_like);
    let torque = torque.and_then(|brakes| number(brakes, "max_torque"));
    let wheels = number(axle, "wheels").unwrap_or(2.0);
    torque.unwrap_or(0.0) * wheels / number(axle, "radius").unwrap_or(1.0)
}

fn number(table: &dyn TableLike, key: &str) -> Option<f64> {
    let value = table.get(key)?;
    value.as_float().or(value.as_integer().map(|x| x as f64))
}

fn text_of(table: &Table, key: &str) -> String {
    let name = table.get(key).and_then(Item::as_str);
    name.unwrap_or_default().to_owned()
}

/// A number of four decimals.
fn rounded(x: f64) -> Value {
    // Adding zero makes −0 positive.
    Value::from((x * 1e4).round() / 1e4 + 0.0)
}

/// Sets a key, and keeps the space and the comment around a value that is there.
fn set(table: &mut dyn TableLike, key: &str, mut value: Value) {
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        *value.decor_mut() = old.decor().clone();
    }
    table.insert(key, Item::Value(value));
}
