//! The samples of a drive as CSV.

use std::io;

use jounce::core::AirLoad;
use proving_ground::sample::{Sample, WheelSample, rpm};

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

const WHEEL_COLUMNS: [&str; 10] = [
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

/// Writes samples as CSV, units in the header; `stages` and `wheels` are names.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_csv(
    out: impl io::Write,
    samples: &[Sample],
    stages: &[String],
    wheels: &[String],
) -> Result<(), ::csv::Error> {
    let mut csv = ::csv::Writer::from_writer(out);
    let of_wheels = wheels
        .iter()
        .flat_map(|wheel| WHEEL_COLUMNS.map(|column| format!("{wheel}: {column}")));
    let has_air = samples.iter().any(|sample| sample.air.is_some());
    let of_air = AIR_COLUMNS.map(str::to_owned);
    let of_air = of_air.into_iter().filter(|_| has_air);
    let own = COLUMNS.map(str::to_owned).into_iter();
    csv.write_record(own.chain(of_wheels).chain(of_air))?;
    for sample in samples {
        let stage = stages.get(sample.stage).map_or("", String::as_str);
        let of_wheels = sample.wheels.iter().flat_map(wheel_cells);
        let of_air = air_cells(sample.air.unwrap_or_default());
        let of_air = of_air.into_iter().filter(|_| has_air);
        let own = cells(sample, stage).into_iter();
        csv.write_record(own.chain(of_wheels).chain(of_air))?;
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

/// In the order of [`COLUMNS`].
fn cells(s: &Sample, stage: &str) -> [String; COLUMNS.len()] {
    let [x, y, z] = s.position.to_array().map(|metres| format!("{metres:.4}"));
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

/// In the order of [`WHEEL_COLUMNS`].
fn wheel_cells(w: &WheelSample) -> [String; WHEEL_COLUMNS.len()] {
    [
        format!("{:.5}", w.jounce),
        coarse(w.load),
        fine(w.slip_ratio),
        fine(w.slip_angle.to_degrees()),
        coarse(w.long_force),
        coarse(w.lat_force),
        fine(w.grip_used),
        fine(w.spin),
        fine(w.steer.to_degrees()),
        flag(w.in_air),
    ]
}

/// In the order of [`AIR_COLUMNS`].
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
        let wheels = ["a".to_owned(), "b".to_owned()];
        write_csv(&mut text, &[sample], &["go".to_owned()], &wheels).unwrap();
        let text = String::from_utf8(text).unwrap();
        let counts: Vec<usize> = text.lines().map(|l| l.split(',').count()).collect();
        assert_eq!(counts, [25 + 2 * 10; 2]);
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
        write_csv(&mut text, &samples, &["go".to_owned()], &[]).unwrap();
        let text = String::from_utf8(text).unwrap();
        let rows: Vec<Vec<&str>> = text.lines().map(|l| l.split(',').collect()).collect();
        assert!(rows.iter().all(|row| row.len() == 25 + 7), "{text}");
        assert_eq!(rows[0][25..], AIR_COLUMNS);
        let cells = ["5.0000", "-10.0", "11.0", "12.0", "13.0", "14.0", "-15.0"];
        assert_eq!(rows[2][25..], cells);
    }
}
