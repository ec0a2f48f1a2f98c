//! The vehicle file of a data sheet.

use core::f64::consts::TAU;
use core::fmt::{Display, Write as _};

use super::quantities::DrivenAxles;
use super::sheet::{CarSheet, torque_of};

const TEMPLATE: &str = include_str!("template.toml");

/// The sedan that ships, to which other cars are scaled: mass (`kg`), rolling radius (`m`), share of the weight on
/// the front axle (–).
const SEDAN: (f64, f64, f64) = (1500.0, 0.33, 0.55);
const GRAVITY: f64 = 9.81;
/// Density of air (`kg/m³`).
const DENSITY: f64 = 1.204;
/// Rolling resistance of tires over their load (–).
const ROLLING: f64 = 0.012;
/// Height of the underside of the sedan's box over the ground (`m`), and of its roof over the box.
const UNDERSIDE: f64 = 0.255;
const ROOF: f64 = 0.155;
/// Maximum engine speed of the file over that of the data sheet: the torque falls to 0 between them.
const OVER_REV: f64 = 1.05;

/// The text of the vehicle file, with this name.
#[must_use]
pub fn vehicle_file(name: &str, sheet: &CarSheet) -> String {
    let mut values = TemplateValues(Vec::new());
    values.text("name", name.replace(['"', '\\'], ""));
    body(sheet, &mut values);
    axles(sheet, &mut values);
    engine(sheet, &mut values);
    gears(sheet, &mut values);
    let mut text = TEMPLATE.to_owned();
    for (key, value) in values.0 {
        text = text.replace(&format!("@{key}@"), &value);
    }
    text + &targets(sheet)
}

/// Texts of the template's places, by their names.
struct TemplateValues(Vec<(&'static str, String)>);

impl TemplateValues {
    fn text(&mut self, key: &'static str, value: impl Display) {
        self.0.push((key, value.to_string()));
    }

    /// A number with four digits.
    fn number(&mut self, key: &'static str, value: f64) {
        self.text(key, digits(value));
    }
}

/// A number with four digits, as TOML has it.
fn digits(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    format!("{rounded:?}")
}

fn list(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|value| digits(*value)).collect();
    values.join(", ")
}

fn body(sheet: &CarSheet, values: &mut TemplateValues) {
    let (mass, track, wheelbase) = (sheet.mass, sheet.track(), sheet.wheelbase);
    let inertia = |radius: f64| mass * radius * radius;
    values.number("mass", mass);
    values.number("ixx", inertia(0.39 * track));
    values.number("iyy", inertia(0.465 * wheelbase));
    values.number("izz", inertia(0.489 * wheelbase));
    values.number("com_x", (0.01 * sheet.front_weight - 0.5) * wheelbase);
    let (com_z, com_reason) = match sheet.height {
        Some(height) => (0.37 * height, "0.37 of the height up, as the sedan's"),
        None => (0.2 * wheelbase, "0.2 wheelbase high"),
    };
    values.number("com_z", com_z);
    values.text("com_reason", com_reason);
    // The body's box, beside the wheels: from UNDERSIDE up to below the curve of the roof.
    let hull_height = height(sheet) - UNDERSIDE - ROOF;
    values.number("hull_height", hull_height);
    values.number("hull_z", UNDERSIDE + 0.5 * hull_height);
    values.number("front_share", sheet.front_weight);
    values.number("length", 1.69 * wheelbase);
    values.number("hull_width", track + 0.26);
    values.number("area", area(sheet));
    values.number("drag", drag(sheet));
    let (drive, power) = (sheet.drive, sheet.power.round());
    let drive = match drive {
        DrivenAxles::All => "all-wheel drive".to_owned(),
        axle => format!("{axle}-wheel drive"),
    };
    values.text("description", format!("{power} kW, {mass:.0} kg, {drive}"));
}

/// Height (`m`), or that of the sedan.
fn height(sheet: &CarSheet) -> f64 {
    sheet.height.unwrap_or(1.46)
}

/// Drag coefficient (–), or that of the sedan.
fn drag(sheet: &CarSheet) -> f64 {
    sheet.drag.unwrap_or(0.30)
}

/// Frontal area (`m²`): 0.81 width × height (Hucho, Aerodynamics of Road Vehicles, 4th ed. 1998).
fn area(sheet: &CarSheet) -> f64 {
    0.81 * (sheet.track() + 0.26) * height(sheet)
}

fn axles(sheet: &CarSheet, values: &mut TemplateValues) {
    let (mass, radius, share) = SEDAN;
    let (heavier, own) = (sheet.mass / mass, sheet.tires.rolling_radius());
    let (front, share_now) = (0.01 * sheet.front_weight / share, 0.01 * sheet.front_weight);
    let rear = (1.0 - share_now) / (1.0 - share);
    values.number("axle_x", 0.5 * sheet.wheelbase);
    values.number("track", sheet.track());
    values.number("radius", own);
    values.number("width", 1e-3 * sheet.tires.width);
    values.text("tires", sheet.tires);
    let wheel = 21.0 * heavier;
    values.number("wheel_mass", wheel);
    values.number("wheel_inertia", wheel * (0.75 * own).powi(2));
    for (key, sedan, axle) in [
        ("k_front", 25e3, front),
        ("c_front", 2750.0, front),
        ("stop_front", 275e3, front),
        ("k_rear", 24e3, rear),
        ("c_rear", 2450.0, rear),
        ("stop_rear", 260e3, rear),
        ("roll_front", 4500.0, 1.0),
        ("roll_rear", 1500.0, 1.0),
        ("mount_force", 6000.0, 1.0),
        ("lfzo", 0.81, 1.0),
    ] {
        values.number(key, sedan * heavier * axle);
    }
    // Braked at 1 g, an axle carries 0.19 of the weight more or less; the front wheels lock first.
    let torque = heavier * own / radius;
    let braked = (share_now + 0.19).min(0.9);
    values.number("brake_front", 2500.0 * torque * braked);
    values.number("brake_rear", 2500.0 * torque * (1.0 - braked));
    values.number("handbrake", 1600.0 * torque);
}

fn engine(sheet: &CarSheet, values: &mut TemplateValues) {
    let torque = sheet.torque;
    values.text("power", sheet.power);
    values.text("power_at", sheet.power_at);
    values.number("torque", torque);
    values.text("torque_at", sheet.torque_at);
    values.text("redline", sheet.redline().round());
    let redline_reason = match sheet.redline {
        Some(_) => "sheet",
        None => "1.14 times that of peak power",
    };
    values.text("redline_reason", redline_reason);
    values.number("max_speed", OVER_REV * sheet.redline() * TAU / 60.0);
    let points = torque_curve(sheet).into_iter();
    let points: Vec<String> = points.map(|point| format!("[{}]", list(&point))).collect();
    values.text("curve", points.join(", "));
    let share = torque / 230.0;
    values.number("engine_inertia", 0.22 * share);
    values.number("drag_torque", 0.12 * share);
    values.number("clutch_strength", 12.0 * share);
    values.number("clutch_capacity", 1.4 * torque);
}

/// Parts of maximum speed and of peak torque: through the points of the data sheet, 10 % less power at the greatest speed.
fn torque_curve(sheet: &CarSheet) -> Vec<[f64; 2]> {
    let most = OVER_REV * sheet.redline();
    let at_power = |rpm| (rpm, (torque_of(sheet.power, rpm) / sheet.torque).min(1.0));
    let end = 0.9 * torque_of(sheet.power, sheet.redline()) / sheet.torque;
    let (from, to) = (sheet.torque_at.from, sheet.torque_at.to);
    let points = [
        (0.0, 0.6),
        (0.6 * from, 0.85),
        (from, 1.0),
        (to, 1.0),
        at_power(sheet.power_at.from),
        at_power(sheet.power_at.to),
        (sheet.redline(), end.min(1.0)),
        (most, 0.0),
    ];
    let mut curve: Vec<[f64; 2]> = Vec::new();
    for (rpm, part) in points {
        let x = rpm / most;
        // Speeds that are the same on the data sheet are one point.
        if curve.last().is_none_or(|[before, _]| x > before + 0.005) {
            curve.push([x, part]);
        }
    }
    curve
}

fn gears(sheet: &CarSheet, values: &mut TemplateValues) {
    let (first, count) = (sheet.gears[0], sheet.gears.len());
    let ratio = sheet.final_drive.unwrap_or_else(|| final_drive(sheet));
    let reason = match sheet.final_drive {
        Some(_) => "(sheet)".to_owned(),
        None => format!(
            "{:.0} km/h at {} 1/min in gear {}",
            3.6 * top_speed(sheet),
            sheet.power_at.middle(),
            fastest(sheet) + 1
        ),
    };
    values.number("reverse", -0.92 * first);
    values.text("gears", list(&sheet.gears));
    values.number("final_drive", ratio);
    values.text("final_reason", reason);
    let up = 0.97 / OVER_REV;
    values.text("up", list(&[&vec![up; count - 1][..], &[1.0]].concat()));
    // A gear lower, the engine turns at 0.8 of where it shifts up again.
    let down = |n: usize| {
        if n == 0 {
            0.0
        } else {
            0.8 * 0.5 * up * (1.0 + sheet.gears[n] / sheet.gears[n - 1]) * sheet.gears[n]
                / sheet.gears[n - 1]
        }
    };
    values.text("down", list(&(0..count).map(down).collect::<Vec<_>>()));
    let held = sheet.mass * GRAVITY * 20_f64.to_radians().sin() * sheet.tires.rolling_radius();
    values.number("static_friction", 1.4 * held / (first * ratio));
    let (differential, split) = match sheet.drive {
        DrivenAxles::Front => ("open-front", 1.0),
        DrivenAxles::Rear => ("open-rear", 0.0),
        DrivenAxles::All => ("open-all", 0.5),
    };
    values.text("differential", differential);
    values.number("front_split", split);
}

/// The gear, from 0, in which the car is fastest: of more than four the last one is for economy.
fn fastest(sheet: &CarSheet) -> usize {
    let last = sheet.gears.len() - 1;
    if last > 3 { last - 1 } else { last }
}

/// Ratio with which the engine has its peak power at the top speed.
fn final_drive(sheet: &CarSheet) -> f64 {
    let wheel = top_speed(sheet) / sheet.tires.rolling_radius();
    sheet.power_at.middle() * TAU / 60.0 / (wheel * sheet.gears[fastest(sheet)])
}

/// Top speed (`m/s`) of the data sheet, or that at which air and rolling resistance take the power.
fn top_speed(sheet: &CarSheet) -> f64 {
    let air = 0.5 * DENSITY * drag(sheet) * area(sheet);
    let rolling = ROLLING * sheet.mass * GRAVITY;
    let taken = |speed: f64| speed * (air * speed * speed + rolling);
    let (mut low, mut high) = (1.0, 200.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if taken(middle) < 1e3 * sheet.power {
            low = middle;
        } else {
            high = middle;
        }
    }
    sheet.top_speed.map_or(low, |speed| speed / 3.6)
}

/// The table `[target]`, with the data sheet's figures.
fn targets(sheet: &CarSheet) -> String {
    let told = [
        ("zero_to_100", "s", sheet.zero_to_100, 0.07),
        ("top_speed", "km/h", sheet.top_speed, 0.04),
    ];
    let mut text = String::new();
    for (key, unit, value, within) in told {
        if let Some(value) = value {
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "\n[target.{key}]    # {unit}: `jounce check --targets` compares\nvalue = {}\ntolerance = {}\nsource = \"data sheet\"\n",
                digits(value),
                digits(within * value)
            );
        }
    }
    text
}
