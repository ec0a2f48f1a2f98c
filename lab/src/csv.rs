//! The samples of a drive as CSV.

use std::io;

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
    csv.write_record(COLUMNS.map(str::to_owned).into_iter().chain(of_wheels))?;
    for sample in samples {
        let stage = stages.get(sample.stage).map_or("", String::as_str);
        let of_wheels = sample.wheels.iter().flat_map(wheel_cells);
        csv.write_record(cells(sample, stage).into_iter().chain(of_wheels))?;
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

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
