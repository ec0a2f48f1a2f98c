//! `--rrd FILE`: a drive as a recording for [Rerun](https://rerun.io), with poses, forces and strips on one timeline.
//!
//! Needs the feature `rerun`. Entities: `world/ground`, `world/path`, `world/car` with `hull` and `wheels/N`,
//! `world/forces`, and one strip of scalars each below `car/`, `wheels/N/`, `aids/` and `electric/`. The timeline `time` is in seconds.

use std::io;
use std::path::Path;

use glam::{DVec2, Quat, Vec3};
use proving_ground::drive::Drive;
use proving_ground::ground::Terrain;
use proving_ground::sample::{Sample, WheelSample, rpm};
use re_sdk::{RecordingStream, RecordingStreamBuilder, RecordingStreamError};
use re_sdk_types::archetypes::{
    Arrows3D, Boxes3D, Cylinders3D, LineStrips3D, Mesh3D, Scalars, Transform3D, ViewCoordinates,
};
use re_sdk_types::components::{Color, RotationQuat};
use re_sdk_types::datatypes::Quaternion;

use crate::report::Window;
use proving_ground::electric::ElectricCar;

type Logged = Result<(), RecordingStreamError>;

/// A meter of an arrow stands for this force (`N`).
const ARROW: f32 = 4000.0;
/// Ground that is shown around the path (`m`).
const MARGIN: f64 = 40.0;
/// Cells along each side of the shown ground.
const CELLS: usize = 160;

/// Writes a drive to a file.
///
/// # Errors
/// If it cannot be written.
pub fn write_rrd(path: &Path, drive: &Drive) -> io::Result<()> {
    let stream = RecordingStreamBuilder::new("jounce").save(path);
    let stream = stream.map_err(io::Error::other)?;
    record(&stream, drive).map_err(io::Error::other)?;
    stream.flush_blocking().map_err(io::Error::other)
}

/// Logs a drive to a stream.
///
/// # Errors
/// If the stream refuses data.
pub fn record(stream: &RecordingStream, drive: &Drive) -> Logged {
    stream.log_static("world", &ViewCoordinates::RIGHT_HAND_Z_UP())?;
    log_ground(stream, drive)?;
    log_shapes(stream, drive)?;
    let center = drive.car.center_of_mass();
    let electric = ElectricCar::of(&drive.car);
    let aids = drive.aid_names();
    for sample in &drive.samples {
        stream.set_duration_secs("time", f64::from(sample.time));
        log_poses(stream, sample, center)?;
        log_forces(stream, sample)?;
        log_strips(stream, sample)?;
        log_aids(stream, &aids, sample)?;
        if let Some(electric) = &electric {
            log_electric(stream, electric, sample)?;
        }
    }
    Ok(())
}

fn log_ground(stream: &RecordingStream, drive: &Drive) -> Logged {
    let path: Vec<[f32; 3]> = drive
        .samples
        .iter()
        .map(|at| at.position.as_vec3().to_array())
        .collect();
    stream.log_static("world/path", &LineStrips3D::new([path]))?;
    match ground(&drive.terrain, drive) {
        Some(mesh) => stream.log_static("world/ground", &mesh),
        None => Ok(()),
    }
}

/// The ground around the path, as a grid; `None` if it has none anywhere.
fn ground(terrain: &Terrain, drive: &Drive) -> Option<Mesh3D> {
    let window = Window::around(drive.samples.iter().map(|at| at.position.truncate()))?;
    let window = window.resized(window.size + DVec2::splat(2.0 * MARGIN));
    let step = window.size / CELLS as f64;
    let side = CELLS + 1;
    let points: Vec<[f32; 3]> = (0..side * side)
        .map(|n| {
            let place = window.low + step * DVec2::new((n % side) as f64, (n / side) as f64);
            let height = terrain.height(place).unwrap_or(f64::NAN);
            place.extend(height).as_vec3().to_array()
        })
        .collect();
    let there = |triangle: &[u32; 3]| triangle.iter().all(|&n| points[n as usize][2].is_finite());
    let triangles: Vec<[u32; 3]> = (0..CELLS * CELLS)
        .map(|n| (n / CELLS * side + n % CELLS) as u32)
        .flat_map(|n| {
            let above = n + side as u32;
            [[n, n + 1, above], [n + 1, above + 1, above]]
        })
        .filter(there)
        .collect();
    let shown = !triangles.is_empty();
    shown.then(|| {
        Mesh3D::new(points)
            .with_triangle_indices(triangles)
            .with_albedo_factor([110, 140, 105, 255])
    })
}

/// The hull and the wheels, which never change in shape.
fn log_shapes(stream: &RecordingStream, drive: &Drive) -> Logged {
    let hull = &drive.car.hull;
    let shape = Boxes3D::from_centers_and_half_sizes(
        [hull.center.to_array()],
        [(0.5 * hull.size).to_array()],
    );
    stream.log_static("world/car/hull", &shape)?;
    // A cylinder of Rerun's stands along z, a wheel's axle is y.
    let upright = quaternion(Quat::from_rotation_x(core::f32::consts::FRAC_PI_2));
    for (n, wheel) in drive.model.params().wheels.iter().enumerate() {
        let tire = Cylinders3D::from_lengths_and_radii([wheel.width], [wheel.radius])
            .with_quaternions([RotationQuat(upright)])
            .with_colors([Color::from_rgb(40, 40, 44)]);
        stream.log_static(format!("world/car/wheels/{n}"), &tire)?;
    }
    Ok(())
}

fn log_poses(stream: &RecordingStream, sample: &Sample, center: Vec3) -> Logged {
    let origin = sample.position.as_vec3() - sample.rotation * center;
    stream.log("world/car", &pose(origin, sample.rotation))?;
    for (n, wheel) in sample.wheels.iter().enumerate() {
        stream.log(
            format!("world/car/wheels/{n}"),
            &pose(wheel.position, wheel.rotation),
        )?;
    }
    Ok(())
}

fn pose(place: Vec3, rotation: Quat) -> Transform3D {
    Transform3D::from_translation_rotation(place.to_array(), quaternion(rotation))
}

fn quaternion(rotation: Quat) -> Quaternion {
    Quaternion::from_xyzw(rotation.to_array())
}

/// Logs the force of the ground on each tire.
fn log_forces(stream: &RecordingStream, sample: &Sample) -> Logged {
    let center = sample.position.as_vec3();
    let origin = |wheel: &WheelSample| (center + wheel.tire_point).to_array();
    let arrows = Arrows3D::from_vectors(
        sample
            .wheels
            .iter()
            .map(|wheel| (wheel.force / ARROW).to_array()),
    )
    .with_origins(sample.wheels.iter().map(origin))
    .with_colors([Color::from_rgb(220, 90, 40)]);
    stream.log("world/forces", &arrows)
}

/// Logs how much each driver aid acts.
fn log_aids(stream: &RecordingStream, names: &[String], sample: &Sample) -> Logged {
    for (name, activity) in names.iter().zip(&sample.aids) {
        let value = Scalars::single(f64::from(*activity));
        stream.log(format!("aids/{name}"), &value)?;
    }
    Ok(())
}

/// Logs battery, energy and motors.
fn log_electric(stream: &RecordingStream, car: &ElectricCar, sample: &Sample) -> Logged {
    for (name, value) in car.report(&sample.drivetrain_memory).scalars() {
        let value = Scalars::single(f64::from(value));
        stream.log(format!("electric/{name}"), &value)?;
    }
    Ok(())
}

fn log_strips(stream: &RecordingStream, sample: &Sample) -> Logged {
    let car = [
        ("speed_kmh", 3.6 * sample.forward_speed),
        ("engine_rpm", rpm(sample.engine_speed)),
        ("gear", f32::from(sample.gear)),
        ("throttle", sample.command.throttle),
        ("brake", sample.command.brake),
        ("steer", sample.command.steer),
        ("ahead_mps2", sample.acceleration.x),
        ("left_mps2", sample.acceleration.y),
        ("roll_rad", sample.roll),
        ("pitch_rad", sample.pitch),
    ];
    for (name, value) in car {
        stream.log(format!("car/{name}"), &Scalars::single(f64::from(value)))?;
    }
    for (n, wheel) in sample.wheels.iter().enumerate() {
        let strips = [
            ("load_n", wheel.load),
            ("jounce_m", wheel.jounce),
            ("slip_ratio", wheel.slip_ratio),
            ("slip_angle_rad", wheel.slip_angle),
            ("grip_used", wheel.grip_used),
            ("spin_rad_s", wheel.spin),
        ];
        for (name, value) in strips {
            stream.log(
                format!("wheels/{n}/{name}"),
                &Scalars::single(f64::from(value)),
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proving_ground::drive::{DrivePlan, run};
    use re_sdk::log::{Chunk, LogMsg};

    /// Chunks of a recorded drive as a viewer reads them.
    fn chunks(drive: &Drive) -> Vec<Chunk> {
        let (stream, storage) = RecordingStreamBuilder::new("test")
            .memory()
            .expect("memory suffices");
        record(&stream, drive).expect("the drive is sound");
        stream.flush_blocking().expect("memory suffices");
        let messages = storage.take().into_iter();
        let told = messages.filter_map(|message| match message {
            LogMsg::ArrowMsg(_, message) => Some(message),
            _ => None,
        });
        told.map(|message| Chunk::from_arrow_msg(&message).expect("it is a chunk"))
            .collect()
    }

    #[test]
    fn every_pose_and_strip_of_a_drive_is_recorded() {
        let plan = DrivePlan {
            maneuver: Some("brake".to_owned()),
            ..DrivePlan::of("sedan")
        };
        let drive = run(&plan, |_, _| ()).expect("the sedan drives");
        let chunks = chunks(&drive);
        let of = |path: &str| {
            let path = path.to_owned();
            chunks
                .iter()
                .filter(move |chunk| chunk.entity_path().to_string() == path)
        };
        let moving = |path: &str| {
            of(path)
                .filter(|chunk| !chunk.is_static())
                .map(Chunk::num_rows)
                .sum::<usize>()
        };
        let paths = [
            "/world/car",
            "/world/car/wheels/3",
            "/world/forces",
            "/car/speed_kmh",
            "/wheels/0/load_n",
        ];
        for path in paths {
            assert_eq!(moving(path), drive.samples.len(), "{path}");
        }
        for path in ["/world/ground", "/world/path", "/world/car/hull"] {
            assert_eq!(
                of(path).filter(|chunk| chunk.is_static()).count(),
                1,
                "{path}"
            );
        }
        let component = Transform3D::descriptor_translation().component;
        let places = of("/world/car").flat_map(|chunk| chunk.iter_slices::<[f32; 3]>(component));
        let recorded: Vec<Vec3> = places.map(|place| Vec3::from(place[0])).collect();
        let center = drive.car.center_of_mass();
        for (place, sample) in recorded.iter().zip(&drive.samples) {
            let origin = sample.position.as_vec3() - sample.rotation * center;
            assert!(place.abs_diff_eq(origin, 1e-5), "{place}, not {origin}");
        }
        assert_eq!(recorded.len(), drive.samples.len());
    }
}
