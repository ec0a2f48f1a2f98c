//! The strips of a report.

use super::strip::{RightAxis, Series, Strip, Timeline};
use super::svg::ChartAxis;
use glam::Vec3;
use proving_ground::drive::Drive;
use proving_ground::electric::ElectricCar;
use proving_ground::sample::{Sample, WheelSample, rpm};
use proving_ground::summary::AVERAGING;

/// Speed of the contact point below which slip is meaningless and not drawn (`m/s`).
const SLIP_SPEED: f32 = 1.0;

/// The axis of time, and the stages reached.
pub(super) fn timeline(drive: &Drive) -> Timeline {
    let times: Vec<f32> = drive.samples.iter().map(|s| s.time).collect();
    let names = drive.stage_names();
    let end = times.last().copied().unwrap_or_default();
    Timeline {
        axis: ChartAxis::until(f64::from(end), 12),
        times,
        stages: drive
            .stages
            .iter()
            .map(|start| (names[start.stage].clone(), start.time))
            .collect(),
    }
}

/// All strips, from the driver's input to the wheels.
pub(super) fn strips(drive: &Drive) -> Vec<Strip> {
    let mut strips = vec![
        speed(drive),
        engine(drive),
        driver(drive),
        acceleration(drive),
    ];
    strips.extend(aids(drive));
    if drive.terrain.relief {
        strips.push(height(drive));
    }
    strips.extend(air(drive));
    strips.extend(fuel(drive));
    strips.extend(
        ElectricCar::of(&drive.car)
            .map(|car| electric(drive, &car))
            .into_iter()
            .flatten(),
    );
    let wheels = [
        ("Wheel load", "kN", LOAD, 5.0, load as WheelValue),
        ("Slip ratio", "", RATIO, 0.2, slip_ratio),
        ("Slip angle", "°", ANGLE, 5.0, slip_angle),
        ("Jounce", "mm", JOUNCE, 40.0, jounce),
        (
            "Longitudinal tire force",
            "kN",
            LONG,
            2.0,
            longitudinal_force,
        ),
        ("Lateral tire force", "kN", LAT, 2.0, lateral_force),
    ];
    let wheels = wheels.map(|(title, unit, how, least, value)| Strip {
        title,
        unit,
        how,
        series: per_wheel(drive, value),
        least,
        right: None,
        height: 150,
    });
    strips.extend(wheels);
    strips
}

const LOAD: &str = "How hard each tire is pressed on the ground. Braking moves load to the front \
                    wheels, a bend moves it to the outer ones; 0 means a wheel in the air.";
const RATIO: &str = "How much faster (+) or slower (−) the tread moves than the road. A few \
                     hundredths grip best; −1 is a locked wheel. Not drawn below 1 m/s.";
const ANGLE: &str = "The angle between where a wheel points and where it goes. Up to some 8° it \
                     steers, beyond it slides. Rear wheels above front ones: the tail comes round.";
const JOUNCE: &str = "How far each suspension is compressed (+) or extended (−) from the design \
                      position. Flat tops are bump stops.";
const LONG: &str = "The force with which each tire drives (+) or brakes (−) the car.";
const LAT: &str =
    "The force with which each tire pushes the car to the left (+) or to the right (−).";

fn values(drive: &Drive, value: impl Fn(&Sample) -> f32) -> Vec<f32> {
    drive.samples.iter().map(value).collect()
}

fn speed(drive: &Drive) -> Strip {
    Strip {
        title: "Speed",
        unit: "km/h",
        how: "How fast the car goes over ground, backwards too. The numbers above the curves are \
              the stages of the maneuver.",
        series: vec![Series::new("speed", 0, values(drive, |s| s.speed * 3.6))],
        least: 10.0,
        right: None,
        height: 170,
    }
}

fn engine(drive: &Drive) -> Strip {
    let gears = drive.samples.iter().map(|s| s.gear);
    let (low, high) = gears.fold((0, 1), |(low, high), gear| (low.min(gear), high.max(gear)));
    let name = |gear: i8| match gear {
        ..=-1 => "R".to_owned(),
        0 => "N".to_owned(),
        _ => gear.to_string(),
    };
    let speed = Series::new("engine", 0, values(drive, |s| rpm(s.engine_speed) / 1000.0));
    let mut gear = Series::new("gear", 1, values(drive, |s| f32::from(s.gear)));
    gear.right = true;
    Strip {
        title: "Engine speed and gear",
        unit: "1000/min",
        how: "The engine climbs through a gear, then drops as the next one engages; N between two \
              gears is the moment without drive.",
        series: vec![speed, gear],
        least: 1.0,
        right: Some(RightAxis {
            axis: ChartAxis {
                low: f64::from(low) - 0.3,
                high: f64::from(high) + 0.3,
                step: 1.0,
            },
            ticks: (low..=high).map(|g| (f64::from(g), name(g))).collect(),
            unit: "(right)",
        }),
        height: 170,
    }
}

fn driver(drive: &Drive) -> Strip {
    let series = vec![
        Series::new("throttle", 4, values(drive, |s| s.command.throttle)),
        Series::new("brake", 1, values(drive, |s| s.command.brake)),
        Series::new("handbrake", 3, values(drive, |s| s.command.handbrake)),
        Series::new("steering, right +", 5, values(drive, |s| s.command.steer)),
    ];
    Strip {
        title: "Pedals and steering",
        unit: "share of full",
        how: "What the driver asks for: pedals from 0 to 1, steering from −1 (full lock left) to \
              1 (right).",
        series,
        least: 1.0,
        right: None,
        height: 140,
    }
}

fn acceleration(drive: &Drive) -> Strip {
    let ahead = smooth(&values(drive, |s| s.acceleration.x), drive.dt);
    let left = smooth(&values(drive, |s| s.acceleration.y), drive.dt);
    Strip {
        title: "Acceleration",
        unit: "m/s²",
        how: "What the passengers feel, averaged over 0.2 s: ahead (+) or braking (−), and to the \
              left (+) or right (−). 9.8 m/s² is 1 g.",
        series: vec![Series::new("ahead", 0, ahead), Series::new("left", 1, left)],
        least: 2.0,
        right: None,
        height: 150,
    }
}

/// Strip of the driver aids of a car that has any.
fn aids(drive: &Drive) -> Option<Strip> {
    let names = drive.aid_names();
    let of = |n: usize| values(drive, |s| s.aids.get(n).copied().unwrap_or_default());
    let series = names.iter().enumerate();
    let series: Vec<_> = series
        .map(|(n, name)| Series::new(name, n % 6, of(n)))
        .collect();
    (!series.is_empty()).then_some(Strip {
        title: "Driver aids",
        unit: "0 to 1",
        how: "How much each aid acts: an ABS that keeps a wheel from locking, or a traction control that keeps one from spinning.",
        series,
        least: 1.0,
        right: None,
        height: 110,
    })
}

/// Strip of the air's forces on a car with aerodynamics.
fn air(drive: &Drive) -> Option<Strip> {
    drive.samples.last()?.air?;
    let of =
        |part: fn(Vec3) -> f32| values(drive, |s| part(s.air.unwrap_or_default().force) / 1000.0);
    Some(Strip {
        title: "Forces of the air",
        unit: "kN",
        how: "Drag pulls back (−) and grows with the square of the speed; lift (+) takes load off the wheels, \
              downforce (−) adds to it; wind from the side pushes left (+) or right (−).",
        series: vec![
            Series::new("ahead", 0, of(|force| force.x)),
            Series::new("left", 1, of(|force| force.y)),
            Series::new("up", 4, of(|force| force.z)),
        ],
        least: 0.2,
        right: None,
        height: 140,
    })
}

/// Strip of the fuel of an engine that counts it.
fn fuel(drive: &Drive) -> Option<Strip> {
    drive.samples.last()?.fuel?;
    let grams = values(drive, |s| 1000.0 * s.fuel.unwrap_or_default().flow);
    Some(Strip {
        title: "Fuel",
        unit: "g/s",
        how: "What the engine burns: idling it burns for its own friction, and nothing while the wheels drive it.",
        series: vec![Series::new("flow", 3, smooth(&grams, drive.dt))],
        least: 0.5,
        right: None,
        height: 110,
    })
}

/// Strips of an electric drive's motors and battery.
fn electric(drive: &Drive, car: &ElectricCar) -> [Strip; 2] {
    let reports: Vec<_> = drive
        .samples
        .iter()
        .map(|s| car.report(&s.drivetrain_memory))
        .collect();
    let motors = reports.last().map_or(0, |report| report.motors.len());
    let torque = |n: usize| reports.iter().map(move |report| report.motors[n].torque);
    let torques = (0..motors).map(|n| {
        let name = format!("motor {}", n + 1);
        Series::new(name, n % 6, torque(n).collect())
    });
    let power = reports.iter().map(|report| report.power / 1000.0).collect();
    let charge: Vec<f32> = reports.iter().map(|r| 100.0 * r.state_of_charge).collect();
    let charges = || charge.iter().copied().map(f64::from);
    let (low, high) = charges().fold((100.0_f64, 0.0_f64), |(l, h), c| (l.min(c), h.max(c)));
    let (low, high) = ((low - 0.1).max(0.0), high + 0.1);
    let mut of_charge = Series::new("state of charge", 4, charge);
    of_charge.right = true;
    let motors = Strip {
        title: "Motor torque",
        unit: "N·m",
        how: "The torque of each motor at its rotor: it drives (+), or regenerates (−) while the car rolls forward.",
        series: torques.collect(),
        least: 50.0,
        right: None,
        height: 150,
    };
    let battery = Strip {
        title: "Battery",
        unit: "kW",
        how: "Power out of the battery (+), losses included, and back into it (−) while motors brake.",
        series: vec![Series::new("power", 0, power), of_charge],
        least: 10.0,
        right: Some(RightAxis {
            axis: ChartAxis {
                low,
                high,
                step: high - low,
            },
            ticks: [low, high].map(|c| (c, format!("{c:.1} %"))).to_vec(),
            unit: "(right)",
        }),
        height: 150,
    };
    [motors, battery]
}

fn height(drive: &Drive) -> Strip {
    let series = vec![Series::new(
        "center of mass",
        4,
        values(drive, |s| s.position.z as f32),
    )];
    Strip {
        title: "Height",
        unit: "m",
        how: "How high the car is: what it climbs and rolls down.",
        series,
        least: 1.0,
        right: None,
        height: 110,
    }
}

/// A wheel's value in the unit of its strip.
type WheelValue = fn(&WheelSample) -> f32;

fn load(wheel: &WheelSample) -> f32 {
    wheel.load / 1000.0
}

fn slip_ratio(wheel: &WheelSample) -> f32 {
    if rolls(wheel) {
        wheel.slip_ratio
    } else {
        f32::NAN
    }
}

fn slip_angle(wheel: &WheelSample) -> f32 {
    if rolls(wheel) {
        wheel.slip_angle.to_degrees()
    } else {
        f32::NAN
    }
}

fn jounce(wheel: &WheelSample) -> f32 {
    wheel.jounce * 1000.0
}

fn longitudinal_force(wheel: &WheelSample) -> f32 {
    wheel.longitudinal_force / 1000.0
}

fn lateral_force(wheel: &WheelSample) -> f32 {
    wheel.lateral_force / 1000.0
}

fn rolls(wheel: &WheelSample) -> bool {
    !wheel.in_air && wheel.forward_speed.abs() > SLIP_SPEED
}

/// One curve per wheel. Left wheels are blue, right ones red; rear wheels are lighter and thinner.
fn per_wheel(drive: &Drive, value: WheelValue) -> Vec<Series> {
    // Before the first step there are no wheel values.
    let of = |sample: &Sample, n: usize| match sample.wheels.get(n) {
        Some(wheel) if sample.time > 0.0 => value(wheel),
        _ => f32::NAN,
    };
    let names = drive.wheel_names().into_iter().enumerate();
    let series = names.map(|(n, name)| Series {
        thin: n >= 2,
        ..Series::new(name, n % 6, values(drive, |sample| of(sample, n)))
    });
    series.collect()
}

/// Mean over [`AVERAGING`] around each value.
pub(super) fn smooth(values: &[f32], dt: f32) -> Vec<f32> {
    let half = (AVERAGING / dt * 0.5) as usize;
    (0..values.len())
        .map(|n| {
            let part = &values[n.saturating_sub(half)..values.len().min(n + half + 1)];
            part.iter().sum::<f32>() / part.len() as f32
        })
        .collect()
}
