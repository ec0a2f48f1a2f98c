//! A hovercraft: wheels without friction are its cushions, and the program applies fan and rudder
//! forces to Rapier's body: `cargo run --release -p jounce-lab --example hovercraft`.
//!
//! Writes `out/hovercraft.html`.

use core::error::Error;
use std::path::Path;

use glam::{DVec2, Vec3};
use jounce::core::{
    Air, Axis, Command, Environment, Frame, SurfaceType, Surfaces, TireType, Vehicle, WheelCommand,
    step,
};
use jounce::file::{Car, FileError};
use jounce::rapier::{RapierLink, RapierWorld, body_handle};
use jounce_lab::report::{Chart, ChartCurve, Plan, Sheet, Window, abreast, heading, note, outline};
use rapier3d::prelude::*;

/// The file without the axles.
const CRAFT: &str = r#"
schema = 2
name = "hovercraft"
description = "two seats, a fan and a rudder"
solver = "rows"
profile = "default"
drivetrain = { model = "direct", max_torques = [0.0, 0.0, 0.0, 0.0] }

[chassis]
mass = 500.0
inertia = [150.0, 550.0, 600.0]
center_of_mass = [0.0, 0.0, 0.5]
hull = { size = [3.6, 1.8, 0.5], center = [0.0, 0.0, 0.6] }

[tires.skirt]
model = "michigan"
lat_stiff_x = 2.0
lat_stiff_y = 10.0
long_stiff_per_g = 100.0
camber_stiff_per_g = 0.0
"#;
/// Two cushions: 1.3 Hz, well damped. They replace wheels.
const CUSHIONS: &str = r#"
track = 1.4
radius = 0.2
width = 0.3
mass = 4.0
inertia = 0.1
damping = 0.1
suspension = { stiffness = 8000.0, damping = 1000.0, max_compression = 0.15, max_droop = 0.16, force_height = 0.3 }
tire = { model = "skirt", force_height = 0.2 }
brakes = { max_torque = 0.0, max_handbrake_torque = 0.0 }
"#;

fn craft() -> Result<Car, FileError> {
    let axles = [("bow", 1.2), ("stern", -1.2)];
    let axles = axles.map(|(name, x)| format!("[[axles]]\nname = \"{name}\"\nx = {x:?}{CUSHIONS}"));
    Car::parse(&[CRAFT, &axles[0], &axles[1]].join("\n"), "hovercraft")
}

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
/// Point of application of fan and rudder, from the center of mass [m]: at its height, so that they
/// do not pitch.
const FAN: Vec3 = Vec3::new(-1.6, 0.0, 0.0);
/// Air drag over speed squared (`N·s²/m²`), longitudinal and lateral, and yaw damping (`N·m·s`).
const DRAG: [f32; 2] = [1.0, 4.0];
const YAW_DRAG: f32 = 700.0;

/// Thrust (`N`), and the rudder's angle, to the left (`rad`).
fn pilot(time: f32) -> (f32, f32) {
    match time {
        ..6.0 => (900.0, 0.0),
        ..10.0 => (900.0, 0.2),
        ..16.0 => (900.0, 0.0),
        ..19.0 => (900.0, -0.2),
        _ => (900.0, 0.0),
    }
}

/// The craft after a step.
struct Moment {
    time: f32,
    place: DVec2,
    /// Heading, to the left of +x (`rad`).
    heading: f64,
    /// Drift angle, to the left (`rad`).
    drift: f32,
    /// Yaw rate, to the left (`rad/s`).
    yaw: f32,
    /// Maximum horizontal force of a cushion (`N`).
    grip: f32,
    /// Height of the center of mass (`m`).
    height: f32,
}

/// Air forces on the craft: the fan's thrust, deflected by the rudder, and drag.
fn blow(body: &mut RigidBody, (thrust, rudder): (f32, f32)) {
    let (rotation, velocity, turning) = (*body.rotation(), body.linvel(), body.angvel());
    let (sin, cos) = (libm::sinf(rudder), libm::cosf(rudder));
    let local = rotation.inverse() * velocity;
    let drag = Vec3::new(
        DRAG[0] * local.x * local.x.abs(),
        DRAG[1] * local.y * local.y.abs(),
        0.0,
    );
    let place = body.center_of_mass() + rotation * FAN;
    body.reset_forces(true);
    body.reset_torques(true);
    body.add_force_at_point(rotation * Vec3::new(cos, -sin, 0.0) * thrust, place, true);
    body.add_force(rotation * -drag, true);
    body.add_torque(Vec3::Z * (-YAW_DRAG * turning.z), true);
}

fn fly(craft: &Car) -> Result<Vec<Moment>, Box<dyn Error>> {
    let frame = Frame::new(Axis::X, Axis::Z)?;
    let mut world = PhysicsWorld::new();
    world.gravity = GRAVITY;
    world.insert_collider(
        ColliderBuilder::cuboid(500.0, 500.0, 1.0).translation(Vec3::NEG_Z),
        None,
    );
    let body = world.insert_body(RigidBodyBuilder::dynamic().can_sleep(false));
    let hull = craft.hull;
    let half = hull.size * 0.5;
    let hull = ColliderBuilder::cuboid(half.x, half.y, half.z).translation(hull.center);
    world.insert_collider(hull, Some(body));
    let mut link = RapierLink::new(frame);
    let chassis = link.attach(&mut world, body, craft)?;
    let mut vehicle = Vehicle::new(craft.model(), chassis);
    let mut surfaces = Surfaces::new();
    surfaces.set_friction(SurfaceType(0), TireType(0), 0.0)?;
    let dt = world.integration_parameters.dt;
    let mut moments = Vec::new();
    for step_number in 0..(24.0 / dt) as u32 {
        let time = step_number as f32 * dt;
        blow(&mut world.bodies[body_handle(chassis)], pilot(time));
        let environment = Environment {
            gravity: GRAVITY,
            surfaces: &surfaces,
            air: Air::STILL,
        };
        let mut view = RapierWorld::of(&mut link, &mut world);
        let nothing = Command::Wheels(WheelCommand::default());
        step(&mut vehicle, &mut view, &nothing, &environment, dt)?;
        world.step();
        link.end_step(&mut world.bodies);
        moments.push(moment(time, &world.bodies[body_handle(chassis)], &vehicle));
    }
    Ok(moments)
}

fn moment(time: f32, body: &RigidBody, vehicle: &Vehicle) -> Moment {
    let (ahead, place) = (*body.rotation() * Vec3::X, body.center_of_mass());
    let velocity = body.linvel();
    let heading = f64::from(ahead.y).atan2(ahead.x.into());
    let wheels = (0..vehicle.model().wheel_count()).map(|n| vehicle.wheel_report(n));
    let grips = wheels.map(|wheel| wheel.longitudinal_force.hypot(wheel.lateral_force));
    Moment {
        time,
        place: place.as_dvec3().truncate(),
        heading,
        drift: ahead.truncate().angle_to(velocity.truncate()),
        yaw: body.angvel().z,
        grip: grips.fold(0.0, f32::max),
        height: place.z,
    }
}

fn chart(
    flight: &[Moment],
    title: &str,
    unit: &'static str,
    value: impl Fn(&Moment) -> f32,
) -> String {
    let points = flight.iter().skip(60);
    let points = points.map(|m| DVec2::new(m.time.into(), value(m).into()));
    Chart::plain(
        title,
        unit,
        "",
        vec![ChartCurve::new(title, 0, points.collect())],
    )
    .html()
}

/// Text on heights and forces too small for the pictures.
fn hovering(flight: &[Moment]) -> String {
    let heights = flight.iter().skip(120).map(|moment| moment.height);
    let low = heights.clone().fold(f32::INFINITY, f32::min);
    let high = heights.fold(0.0, f32::max);
    let grip = flight.iter().map(|moment| moment.grip).fold(0.0, f32::max);
    format!(
        "After two seconds, the center of mass is {low:.3} to {high:.3} m high. The most that a \
         cushion ever pushed along the ground is {grip:.1} N."
    )
}

fn sheet(craft: &Car, flight: &[Moment]) -> Sheet {
    let path: Vec<DVec2> = flight.iter().map(|moment| moment.place).collect();
    let window = Window::around(path.iter().copied()).expect("it flies");
    let every = flight.iter().step_by(60);
    let plan = Plan {
        title: "The path".to_owned(),
        how: "The craft, once per second.".to_owned(),
        window: window.resized(window.size + DVec2::splat(12.0)),
        curves: vec![ChartCurve::new("hovercraft", 0, path)],
        shapes: every.map(|m| outline(craft, m.place, m.heading)).collect(),
        pins: Vec::new(),
    };
    let charts = [
        chart(flight, "Drift", "to the left, °", |m| m.drift.to_degrees()),
        chart(flight, "Yaw rate", "to the left, °/s", |m| {
            m.yaw.to_degrees()
        }),
    ];
    Sheet {
        brand: "jounce example: hovercraft".to_owned(),
        title: "A hovercraft".to_owned(),
        what: "Four wheels without friction carry it: they are only springs and dampers. \
               A fan of 900 N and its rudder push the body by Rapier's own forces, and the vehicle \
               leaves them in place. It turns at once but drifts sideways, since only air \
               holds it."
            .to_owned(),
        facts: vec![
            ("world", "rapier".to_owned()),
            ("step", "1/60 s".to_owned()),
        ],
        sections: vec![
            heading("Seen from above"),
            plan.html(),
            abreast(&charts),
            note(&hovering(flight)),
        ],
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let craft = craft()?;
    let flight = fly(&craft)?;
    let path = sheet(&craft, &flight).save(Path::new("out"), "hovercraft.html")?;
    println!("written: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_hovers_without_grip_and_drifts_where_it_is_steered() {
        let craft = craft().unwrap();
        let flight = fly(&craft).unwrap();
        let moving = flight.iter().filter(|m| m.time > 2.0);
        let drift = moving.map(|m| m.drift.to_degrees());
        let (low, high) = drift.fold((0.0_f32, 0.0_f32), |(l, h), d| (l.min(d), h.max(d)));
        println!("{low}° to {high}°");
        assert!(flight.iter().all(|m| m.grip == 0.0));
        let settled = flight.iter().filter(|m| m.time > 2.0);
        for m in settled {
            assert!(
                (m.height - 0.5).abs() < 0.05,
                "{} m at {} s",
                m.height,
                m.time
            );
        }
        let at = |time: f32| flight.iter().find(|m| m.time >= time).unwrap();
        assert!(at(5.9).place.y.abs() < 0.01 && at(5.9).place.x > 15.0);
        assert!(at(8.0).yaw > 0.1 && at(18.0).yaw < -0.1);
        assert!(low < -30.0 && high > 30.0, "{low}° to {high}°");
        let html = sheet(&craft, &flight).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
