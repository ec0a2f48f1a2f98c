//! The samples of a drive as CSV: columns of the car, of its wheels, and of what only some have.

use std::io;

use jounce::core::{AirLoad, FuelUse, SteeringWheel};
use proving_ground::drive::Drive;
use proving_ground::sample::{Sample, TowedSample, WheelSample, rpm};

const COLUMNS: [&str; 25] = [
    "time [s]",
    "stage",
    "x [m]",
    "y [m]",
    "z [m]",
    "heading [deg]",
    "pitch [deg]",
    "roll [deg]",
    "speed [m/s]",
    "forward speed [m/s]",
    "lateral speed [m/s]",
    "yaw rate [deg/s]",
    "acceleration ahead [m/s2]",
    "acceleration left [m/s2]",
    "acceleration up [m/s2]",
    "throttle [1]",
    "brake [1]",
    "handbrake [1]",
    "steering right [1]",
    "gear",
    "engine [rpm]",
    "in air",
    "clamped",
    "refused",
    "target gear",
];

const WHEEL_COLUMNS: [&str; 11] = [
    "jounce [m]",
    "load [N]",
    "slip ratio [1]",
    "slip angle [deg]",
    "longitudinal force [N]",
    "lateral force [N]",
    "grip used [1]",
    "spin [rad/s]",
    "steer left [deg]",
    "in air",
    "loaded radius [m]",
];

/// Columns of tires that have a temperature.
const TIRE_COLUMNS: [&str; 1] = ["tire temperature [degC]"];

/// Columns of a steering wheel that torques move.
const STEERING_COLUMNS: [&str; 4] = [
    "steering wheel left [deg]",
    "steering torque left [N m]",
    "power assist left [N m]",
    "road torque left [N m]",
];

/// Columns of cars that count their fuel.
const FUEL_COLUMNS: [&str; 2] = ["fuel flow [g/s]", "fuel used [kg]"];

/// Columns of each towed vehicle.
const TOWED_COLUMNS: [&str; 6] = [
    "x [m]",
    "y [m]",
    "z [m]",
    "roll [deg]",
    "forward speed [m/s]",
    "angle left [deg]",
];

/// Columns of cars with aerodynamics, after those of the wheels.
const AIR_COLUMNS: [&str; 7] = [
    "air speed [m/s]",
    "air force ahead [N]",
    "air force left [N]",
    "air force up [N]",
    "air moment roll [N m]",
    "air moment pitch [N m]",
    "air moment yaw [N m]",
];

/// Names of columns and cells.
#[derive(Clone, Debug, Default)]
pub struct CsvNames {
    /// The stages of the maneuver.
    pub stages: Vec<String>,
    /// The wheels.
    pub wheels: Vec<String>,
    /// The towed vehicles.
    pub towed: Vec<String>,
    /// The driver aids.
    pub aids: Vec<String>,
}

impl CsvNames {
    /// Names of the stages, wheels, towed vehicles and driver aids of a drive.
    #[must_use]
    pub fn of(drive: &Drive) -> Self {
        Self {
            stages: drive.stage_names(),
            wheels: drive.wheel_names(),
            towed: drive.towed_names(),
            aids: drive.aid_names(),
        }
    }
}

/// Columns that only some cars have, in their order.
struct CsvExtras {
    air: bool,
    steering: bool,
    fuel: bool,
    /// Whether each wheel has temperature columns.
    temperatures: Vec<bool>,
}

impl CsvExtras {
    fn of(samples: &[Sample]) -> Self {
        let last = samples.last();
        let wheels = last.map_or(&[][..], |sample| &sample.wheels);
        Self {
            air: samples.iter().any(|sample| sample.air.is_some()),
            steering: samples.iter().any(|sample| sample.steering.is_some()),
            fuel: samples.iter().any(|sample| sample.fuel.is_some()),
            temperatures: wheels.iter().map(|w| w.temperature.is_some()).collect(),
        }
    }

    fn columns(&self, names: &CsvNames) -> Vec<String> {
        let air = AIR_COLUMNS.iter().filter(|_| self.air);
        let steering = STEERING_COLUMNS.iter().filter(|_| self.steering);
        let fuel = FUEL_COLUMNS.iter().filter(|_| self.fuel);
        let own = air
            .chain(steering)
            .chain(fuel)
            .map(|&column| column.to_owned());
        let wheels = names.wheels.iter().zip(&self.temperatures);
        let warm = wheels.filter_map(|(wheel, warm)| warm.then_some(wheel));
        let of = |name: &String, column: &&str| format!("{name}: {column}");
        let warm = warm.flat_map(|wheel| TIRE_COLUMNS.map(|column| of(wheel, &column)));
        let towed = names.towed.iter();
        let towed = towed.flat_map(|name| TOWED_COLUMNS.map(|column| of(name, &column)));
        let aids = names.aids.iter().map(|name| format!("{name} [1]"));
        own.chain(warm).chain(towed).chain(aids).collect()
    }

    fn cells(&self, sample: &Sample) -> Vec<String> {
        let mut cells = Vec::new();
        if self.air {
            cells.extend(air_cells(sample.air.unwrap_or_default()));
        }
        if self.steering {
            cells.extend(steering_cells(&sample.steering.unwrap_or_default()));
        }
        if self.fuel {
            cells.extend(fuel_cells(sample.fuel.unwrap_or_default()));
        }
        let wheels = sample.wheels.iter().zip(&self.temperatures);
        let warm = wheels.filter(|(_, warm)| **warm);
        cells.extend(warm.map(|(wheel, _)| fine(wheel.temperature.unwrap_or_default())));
        cells.extend(sample.towed.iter().flat_map(towed_cells));
        cells.extend(sample.aids.iter().map(|activity| fine(*activity)));
        cells
    }
}

/// Writes samples as CSV, units in the header.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_csv(
    out: impl io::Write,
    samples: &[Sample],
    names: &CsvNames,
) -> Result<(), ::csv::Error> {
    let mut csv = ::csv::Writer::from_writer(out);
    let of_wheels = names
        .wheels
        .iter()
        .flat_map(|wheel| WHEEL_COLUMNS.map(|column| format!("{wheel}: {column}")));
    let extras = CsvExtras::of(samples);
    let own = COLUMNS.map(str::to_owned).into_iter();
    csv.write_record(own.chain(of_wheels).chain(extras.columns(names)))?;
    for sample in samples {
        let stage = names.stages.get(sample.stage).map_or("", String::as_str);
        let of_wheels = sample.wheels.iter().flat_map(wheel_cells);
        let own = cells(sample, stage).into_iter();
        csv.write_record(own.chain(of_wheels).chain(extras.cells(sample)))?;
    }
    csv.flush()?;
    Ok(())
}

fn fine(value: f32) -> String {
    format!("{value:.4}")
}

fn coarse(value: f32) -> String {
    format!("{value:.1}")
}

fn flag(value: bool) -> String {
    u8::from(value).to_string()
}

/// Cells of a sample in the order of [`COLUMNS`].
fn cells(s: &Sample, stage: &str) -> [String; COLUMNS.len()] {
    let [x, y, z] = s.position.to_array().map(|meters| format!("{meters:.4}"));
    [
        fine(s.time),
        stage.to_owned(),
        x,
        y,
        z,
        fine(s.heading.to_degrees()),
        fine(s.pitch.to_degrees()),
        fine(s.roll.to_degrees()),
        fine(s.speed),
        fine(s.forward_speed),
        fine(s.lateral_speed),
        fine(s.yaw_rate.to_degrees()),
        fine(s.acceleration.x),
        fine(s.acceleration.y),
        fine(s.acceleration.z),
        fine(s.command.throttle),
        fine(s.command.brake),
        fine(s.command.handbrake),
        fine(s.command.steer),
        s.gear.to_string(),
        coarse(rpm(s.engine_speed)),
        flag(s.in_air),
        flag(s.clamped),
        flag(s.refused),
        s.target_gear.to_string(),
    ]
}

/// Cells of a wheel in the order of [`WHEEL_COLUMNS`].
fn wheel_cells(w: &WheelSample) -> [String; WHEEL_COLUMNS.len()] {
    [
        format!("{:.5}", w.jounce),
        coarse(w.load),
        fine(w.slip_ratio),
        fine(w.slip_angle.to_degrees()),
        coarse(w.longitudinal_force),
        coarse(w.lateral_force),
        fine(w.grip_used),
        fine(w.spin),
        fine(w.steer.to_degrees()),
        flag(w.in_air),
        fine(w.loaded_radius),
    ]
}

/// Cells of the air's load in the order of [`AIR_COLUMNS`].
fn air_cells(air: AirLoad) -> [String; AIR_COLUMNS.len()] {
    [
        fine(air.speed()),
        coarse(air.force.x),
        coarse(air.force.y),
        coarse(air.force.z),
        coarse(air.moment.x),
        coarse(air.moment.y),
        coarse(air.moment.z),
    ]
}

/// Cells of the steering wheel in the order of [`STEERING_COLUMNS`].
fn steering_cells(wheel: &SteeringWheel) -> [String; STEERING_COLUMNS.len()] {
    let torques = [wheel.torque, wheel.assist, wheel.road].map(fine);
    let [torque, assist, road] = torques;
    [fine(wheel.angle.to_degrees()), torque, assist, road]
}

/// Cells of the fuel in the order of [`FUEL_COLUMNS`].
fn fuel_cells(fuel: FuelUse) -> [String; FUEL_COLUMNS.len()] {
    [fine(1000.0 * fuel.flow), format!("{:.6}", fuel.mass)]
}

/// Cells of a towed vehicle in the order of [`TOWED_COLUMNS`].
fn towed_cells(towed: &TowedSample) -> [String; TOWED_COLUMNS.len()] {
    let [x, y, z] = towed
        .position
        .to_array()
        .map(|meters| format!("{meters:.4}"));
    [
        x,
        y,
        z,
        fine(towed.roll.to_degrees()),
        fine(towed.forward_speed),
        fine(towed.angle.to_degrees()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn every_row_has_as_many_cells_as_the_header() {
        let sample = Sample {
            wheels: vec![WheelSample::default(); 2],
            ..Sample::default()
        };
        let mut text = Vec::new();
        let names = CsvNames {
            wheels: vec!["a".to_owned(), "b".to_owned()],
            ..CsvNames::default()
        };
        write_csv(&mut text, &[sample], &names).unwrap();
        let text = String::from_utf8(text).unwrap();
        let counts: Vec<usize> = text.lines().map(|l| l.split(',').count()).collect();
        assert_eq!(counts, [25 + 2 * 11; 2]);
        assert!(text.contains("speed [m/s]") && text.contains("b: load [N]"));
        assert!(!text.contains("air speed"));
    }

    #[test]
    fn a_car_with_aerodynamics_has_columns_for_them() {
        let air = AirLoad {
            velocity: Vec3::new(3.0, 4.0, 0.0),
            force: Vec3::new(-10.0, 11.0, 12.0),
            moment: Vec3::new(13.0, 14.0, -15.0),
        };
        let samples = [None, Some(air)].map(|air| Sample {
            air,
            ..Sample::default()
        });
        let mut text = Vec::new();
        write_csv(&mut text, &samples, &CsvNames::default()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let rows: Vec<Vec<&str>> = text.lines().map(|l| l.split(',').collect()).collect();
        assert!(rows.iter().all(|row| row.len() == 25 + 7), "{text}");
        assert_eq!(rows[0][25..], AIR_COLUMNS);
        let cells = ["5.0000", "-10.0", "11.0", "12.0", "13.0", "14.0", "-15.0"];
        assert_eq!(rows[2][25..], cells);
    }

    #[test]
    fn what_only_some_cars_have_has_columns_of_its_own() {
        let sample = Sample {
            fuel: Some(FuelUse {
                flow: 1.5e-3,
                mass: 0.25,
                volume: 3e-4,
            }),
            steering: Some(SteeringWheel {
                angle: core::f32::consts::PI,
                torque: 2.5,
                ..SteeringWheel::STRAIGHT
            }),
            wheels: vec![
                WheelSample::default(),
                WheelSample {
                    temperature: Some(61.5),
                    ..WheelSample::default()
                },
            ],
            towed: vec![TowedSample {
                angle: -0.5 * core::f32::consts::PI,
                ..TowedSample::default()
            }],
            aids: vec![0.25],
            ..Sample::default()
        };
        let names = CsvNames {
            wheels: vec!["a".to_owned(), "b".to_owned()],
            towed: vec!["caravan".to_owned()],
            aids: vec!["abs".to_owned()],
            ..CsvNames::default()
        };
        let mut text = Vec::new();
        write_csv(&mut text, &[sample], &names).unwrap();
        let mut table = ::csv::Reader::from_reader(&*text);
        let head = table.headers().unwrap().clone();
        let row = table.records().next().unwrap().unwrap();
        let cell = |name: &str| {
            let place = head.iter().position(|column| column == name)?;
            Some(row[place].to_owned())
        };
        for (name, value) in [
            ("steering wheel left [deg]", Some("180.0000")),
            ("steering torque left [N m]", Some("2.5000")),
            ("fuel flow [g/s]", Some("1.5000")),
            ("fuel used [kg]", Some("0.250000")),
            ("b: tire temperature [degC]", Some("61.5000")),
            ("a: tire temperature [degC]", None),
            ("caravan: angle left [deg]", Some("-90.0000")),
            ("abs [1]", Some("0.2500")),
            ("air speed [m/s]", None),
        ] {
            assert_eq!(cell(name).as_deref(), value, "{name}");
        }
    }
}
