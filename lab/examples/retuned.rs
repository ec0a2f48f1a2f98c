//! A sedan modified while it drives in a circle on Rapier: a load in its boot, stiffer springs, a
//! removed wheel, three wheels: `cargo run --release -p jounce-lab --example retuned`.
//!
//! Writes `out/retuned.html`.

use core::error::Error;
use std::path::Path;
use std::sync::Arc;

use glam::{DVec2, Vec3};
use jounce::core::params::ChassisParams;
use jounce::core::retune::ThreeWheeler;
use jounce::core::{
    Air, CarCommand, Checked, Command, Environment, Frame, Gear, Surfaces, Vehicle, VehicleModel,
    VehicleParams, inertia, step,
};
use jounce::drive::{EngineDrive, EngineDriveParams};
use jounce::file::Car;
use jounce::presets;
use jounce::rapier::{RapierLink, RapierWorld, body_handle, index_colliders, set_mass_properties};
use jounce_lab::report::{
    Chart, ChartCurve, Pin, Plan, ReportTable, Sheet, Window, heading, note, outline,
};
use proving_ground::stage::{FREE, GRAVITY, steps};
use rapier3d::prelude::*;

/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;
/// Axes of the car's body in the engine.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;
/// Number of colors of curves; later curves are dashed.
const COLORS: usize = 6;
/// Duration of each version, and the averaging time at its end (`s`).
const EACH: f32 = 12.0;
const MEAN: f32 = 2.0;
/// Speed that the driver keeps (`m/s`); `STEER` is the steering command (–), positive to the right.
const SPEED: f32 = 10.0;
const STEER: f32 = -0.15;
/// The load (`kg`), and where it lies (`m`, vehicle frame).
const LOAD: f32 = 250.0;
const BOOT: Vec3 = Vec3::new(-1.9, 0.0, 0.6);

/// Versions of the car, one after the other; each is a change of the car as it ships.
const VERSIONS: [(&str, Version); 8] = [
    ("as it ships", |_, _| Ok(())),
    // The springs know nothing of it.
    ("load in the boot", |params, _| {
        params.chassis.center_of_mass = loaded(&params.chassis).center_of_mass;
        Ok(())
    }),
    ("springs follow", |params, _| {
        let chassis = loaded(&params.chassis);
        params.set_mass(chassis.mass);
        params.move_center_of_mass(chassis.center_of_mass)?;
        params.chassis.inertia = chassis.inertia;
        params.chassis.products = chassis.products;
        Ok(())
    }),
    ("stiff behind", |params, _| {
        for wheel in &mut params.wheels[2..] {
            wheel.suspension.stiffness *= 2.0;
        }
        params.anti_roll[1].stiffness *= 6.0;
        Ok(())
    }),
    ("roll influence 0.3", |params, _| {
        for wheel in &mut params.wheels {
            wheel.suspension.roll_influence = 0.3;
        }
        Ok(())
    }),
    ("rear left off", |params, _| {
        Ok(params.enable_only(&[0, 1, 3])?)
    }),
    ("tadpole", |params, drive| {
        three_wheels(params, drive, ThreeWheeler::Tadpole)
    }),
    ("delta", |params, drive| {
        three_wheels(params, drive, ThreeWheeler::Delta)
    }),
];
/// The versions whose body carries the load.
const LOADED: [usize; 2] = [1, 2];

type Version = fn(&mut VehicleParams, &mut EngineDriveParams) -> Result<(), Box<dyn Error>>;

fn three_wheels(
    params: &mut VehicleParams,
    drive: &mut EngineDriveParams,
    layout: ThreeWheeler,
) -> Result<(), Box<dyn Error>> {
    params.make_three_wheeler(layout)?;
    drive.make_three_wheeler(layout);
    Ok(())
}

/// A chassis with the load in its boot.
fn loaded(chassis: &ChassisParams) -> ChassisParams {
    let mass = chassis.mass + LOAD;
    let arm = BOOT - chassis.center_of_mass;
    // Both turn about the center of mass that they have in common.
    let off = inertia::of_point(chassis.mass * LOAD / mass, arm);
    let (inertia, products) = inertia::moments_and_products(chassis.inertia_tensor() + off);
    ChassisParams {
        mass,
        inertia,
        products,
        center_of_mass: chassis.center_of_mass + arm * (LOAD / mass),
        ..*chassis
    }
}

/// The model that a version makes of the car.
fn model(car: &Car, version: Version) -> Result<Arc<VehicleModel>, Box<dyn Error>> {
    let mut params = car.spec().params.clone();
    let mut drive = car.spec().drive.0.clone();
    drive.remove("model");
    let mut drive: EngineDriveParams = drive.try_into()?;
    version(&mut params, &mut drive)?;
    let drive = EngineDrive::new(Checked::new(drive)?);
    let model = car.model();
    Ok(Arc::new(
        model.with(Checked::new(params)?, Arc::new(drive))?,
    ))
}

/// The car after a step.
#[derive(Clone, Copy, Default)]
struct Moment {
    place: DVec2,
    /// Heading, to the left of +x (`rad`).
    heading: f64,
    /// Height of the body over the axles minus its design height: front, rear (`m`).
    rise: [f32; 2],
    /// Roll angle, to the right (`rad`).
    roll: f32,
    /// Forward speed (`m/s`); `yaw` is the yaw rate, to the left (`rad/s`).
    speed: f32,
    yaw: f32,
    /// Mean of the wheels that steer, to the left (`rad`).
    steer: f32,
}

impl Moment {
    fn of(body: &RigidBody, vehicle: &Vehicle) -> Self {
        let (rotation, params) = (*body.rotation(), vehicle.model().params());
        let ahead = rotation * Vec3::X;
        let rise = [0, 3].map(|wheel| {
            let axle = Vec3::X * params.wheels[wheel].position.x;
            (body.translation() + rotation * axle).z
        });
        let steered = [0, 1].into_iter().filter(|&n| params.wheels[n].enabled);
        let angles = steered.map(|wheel| {
            let toe = params.wheels[wheel].toe;
            vehicle.wheel_report(wheel).steer - toe
        });
        let angles: Vec<f32> = angles.collect();
        Self {
            place: body.center_of_mass().as_dvec3().truncate(),
            heading: f64::from(ahead.y).atan2(ahead.x.into()),
            rise,
            roll: libm::asinf((rotation * Vec3::Y).z),
            speed: body.linvel().dot(ahead),
            yaw: body.angvel().z,
            steer: angles.iter().sum::<f32>() / angles.len() as f32,
        }
    }

    /// Radius of the circle (`m`).
    fn radius(&self) -> f32 {
        self.speed / self.yaw
    }

    /// Steering that the tires' slip asks for, over lateral acceleration (`°/g`).
    fn understeer(&self, wheelbase: f32) -> f32 {
        let more = self.steer - wheelbase / self.radius();
        more.to_degrees() / (self.speed * self.yaw / -GRAVITY.z)
    }
}

/// Moments of each version.
type Drive = Vec<Vec<Moment>>;

/// A flat world with the car on it.
fn park(car: &Car) -> Result<(PhysicsWorld, RapierLink, Vehicle), Box<dyn Error>> {
    let mut world = PhysicsWorld::new();
    world.gravity = GRAVITY;
    let ground = ColliderBuilder::new(SharedShape::halfspace(Vec3::Z));
    world.insert_collider(ground, None);
    let start = RigidBodyBuilder::dynamic().can_sleep(false);
    let body = world.insert_body(start);
    let mut link = RapierLink::new(FRAME);
    let chassis = link.add_chassis(body, FRAME);
    let (parameters, tree) = (&world.integration_parameters, &mut world.broad_phase);
    index_colliders(parameters, &world.bodies, &mut world.colliders, tree);
    let mut vehicle = Vehicle::new(car.model(), chassis);
    vehicle.state_mut().drive.force_gear(Gear(2));
    Ok((world, link, vehicle))
}

fn drive(car: &Car) -> Result<Drive, Box<dyn Error>> {
    let (mut world, mut link, mut vehicle) = park(car)?;
    let (chassis, dt) = (vehicle.body(), world.integration_parameters.dt);
    let surfaces = Surfaces::new();
    let environment = Environment {
        gravity: GRAVITY,
        surfaces: &surfaces,
        air: Air::STILL,
    };
    let mut drive = Drive::new();
    for (n, (_, version)) in VERSIONS.into_iter().enumerate() {
        let model = model(car, version)?;
        let body = match LOADED.contains(&n) {
            true => loaded(&car.spec().params.chassis),
            false => model.params().chassis,
        };
        // The program changes the engine's body; the vehicle continues unchanged.
        let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
        let (mass, inertia, center) = (body.mass, body.inertia_tensor(), body.center_of_mass);
        set_mass_properties(bodies, colliders, chassis, &FRAME, mass, inertia, center)?;
        vehicle.set_model(model);
        let mut moments: Vec<Moment> = Vec::new();
        for _ in 0..steps(EACH, RATE) {
            let speed = world.bodies[body_handle(chassis)].linvel().length();
            let command = Command::Car(CarCommand {
                throttle: (0.12 + 0.4 * (SPEED - speed)).clamp(0.0, 1.0),
                steer: STEER,
                ..FREE
            });
            let mut view = RapierWorld::of(&mut link, &mut world);
            step(&mut vehicle, &mut view, &command, &environment, dt)?;
            world.step();
            link.end_step(&mut world.bodies);
            moments.push(Moment::of(&world.bodies[body_handle(chassis)], &vehicle));
        }
        drive.push(moments);
    }
    Ok(drive)
}

/// Means over the end of a version.
fn settled(moments: &[Moment]) -> Moment {
    let last = &moments[moments.len() - steps(MEAN, RATE)..];
    let mean = |value: fn(&Moment) -> f32| last.iter().map(value).sum::<f32>() / last.len() as f32;
    Moment {
        rise: [mean(|m| m.rise[0]), mean(|m| m.rise[1])],
        roll: mean(|m| m.roll),
        speed: mean(|m| m.speed),
        yaw: mean(|m| m.yaw),
        steer: mean(|m| m.steer),
        ..Moment::default()
    }
}

/// Distance of the axles (`m`).
fn wheelbase(car: &Car) -> f32 {
    let wheels = &car.spec().params.wheels;
    wheels[0].position.x - wheels[3].position.x
}

fn table(car: &Car, drive: &Drive) -> ReportTable {
    let head = [
        "version",
        "rise, front [mm]",
        "rise, rear [mm]",
        "roll [°]",
        "radius [m]",
        "understeer [°/g]",
    ];
    let row = |((name, _), moments): (&(&str, Version), &Vec<Moment>)| {
        let mean = settled(moments);
        vec![
            (*name).to_owned(),
            format!("{:.1}", 1e3 * mean.rise[0]),
            format!("{:.1}", 1e3 * mean.rise[1]),
            format!("{:.2}", mean.roll.to_degrees()),
            format!("{:.2}", mean.radius()),
            format!("{:.2}", mean.understeer(wheelbase(car))),
        ]
    };
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: VERSIONS.iter().zip(drive).map(row).collect(),
    }
}

/// A curve over the whole drive.
fn curve(drive: &Drive, name: &str, color: usize, value: impl Fn(&Moment) -> f32) -> ChartCurve {
    let moments = drive.iter().flatten().enumerate();
    let point = |(n, m): (usize, &Moment)| DVec2::new(n as f64 / f64::from(RATE), value(m).into());
    ChartCurve::new(name, color, moments.map(point).collect())
}

fn plan(car: &Car, drive: &Drive) -> String {
    let end = |moments: &Vec<Moment>| moments.last().copied().unwrap_or_default();
    let paths = drive.iter().zip(VERSIONS).enumerate();
    let path = |(n, (moments, (name, _))): (usize, (&Vec<Moment>, (&str, Version)))| {
        let path = moments.iter().map(|m| m.place).collect();
        ChartCurve {
            dashed: n >= COLORS,
            ..ChartCurve::new(name, n % COLORS, path)
        }
    };
    let window = Window::around(drive.iter().flatten().map(|m| m.place)).expect("it drives");
    let pins = drive.iter().zip(VERSIONS).enumerate();
    let pin = |(n, (moments, (name, _))): (usize, (&Vec<Moment>, (&str, Version)))| Pin {
        at: end(moments).place,
        color: n % COLORS,
        text: name.to_owned(),
    };
    Plan {
        title: "The path".to_owned(),
        how: format!("Markers show where each version ends, after {EACH} s."),
        window: window.resized(window.size + DVec2::splat(8.0)),
        curves: paths.map(path).collect(),
        shapes: (drive
            .iter()
            .map(end)
            .map(|m| outline(car, m.place, m.heading)))
        .collect(),
        pins: pins.map(pin).collect(),
    }
    .html()
}

fn sheet(car: &Car, drive: &Drive, table: &ReportTable) -> Sheet {
    // The versions' names are at a height without curves.
    let chart = |title: &str, unit: &'static str, names: f64, curves: Vec<ChartCurve>| {
        let mut chart = Chart::plain(title, unit, "", curves);
        let starts = VERSIONS.iter().enumerate();
        let word = |(n, (name, _)): (usize, &(&'static str, Version))| {
            (DVec2::new((n as f64 + 0.5) * f64::from(EACH), names), *name)
        };
        chart.words = starts.map(word).collect();
        chart.html()
    };
    Sheet {
        brand: "jounce example: retuned".to_owned(),
        title: "Changed while it drives".to_owned(),
        what: "A sedan drives in a circle with constant steering and speed. Every 12 s it \
               is modified and continues: a load in the boot, on the existing \
               springs, and on springs adapted to the mass; stiffer springs behind; side forces that roll it \
               less; a wheel less; two kinds of three-wheelers."
            .to_owned(),
        facts: vec![
            ("world", "Rapier".to_owned()),
            ("speed", format!("{SPEED} m/s")),
            ("steering", format!("{:.0} % to the left", -100.0 * STEER)),
            ("load", format!("{LOAD} kg")),
            ("step", format!("1/{RATE} s")),
        ],
        sections: vec![
            heading("Seen from above"),
            plan(car, drive),
            heading("What each change does"),
            chart(
                "Ride height",
                "mm over the design height",
                -92.0,
                vec![
                    curve(drive, "front axle", 0, |m| 1e3 * m.rise[0]),
                    curve(drive, "rear axle", 1, |m| 1e3 * m.rise[1]),
                ],
            ),
            chart("Roll", "°, to the right", 4.8, vec![curve(drive, "roll", 2, |m| m.roll.to_degrees())]),
            chart(
                "Radius of the circle",
                "m",
                5.0,
                vec![curve(drive, "radius", 3, |m| m.radius().clamp(0.0, 60.0))],
            ),
            heading("Figures"),
            table.html(),
            note("Means of the last 2 s of each. Understeer is the steering angle beyond that of the circle at a \
                  walk, over lateral acceleration."),
        ],
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let car = presets::sedan();
    let drive = drive(&car)?;
    let table = table(&car, &drive);
    let path = sheet(&car, &drive, &table).save(Path::new("out"), "retuned.html")?;
    println!("{table}\nwritten: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_has_its_expected_effect() {
        let car = presets::sedan();
        let drive = drive(&car).unwrap();
        let means: Vec<Moment> = drive.iter().map(|moments| settled(moments)).collect();
        let [shipped, load, told, stiff, flat, ..] = means[..] else {
            panic!("there are eight");
        };
        // Links lift the rear by some millimeters in a bend.
        let level = |mean: &Moment| mean.rise.iter().all(|rise| rise.abs() < 5e-3);
        assert!(level(&shipped) && level(&told));
        assert!(
            load.rise[0] > 2e-3 && load.rise[1] < -0.03,
            "{:?}",
            load.rise
        );
        let understeer = |mean: &Moment| mean.understeer(wheelbase(&car));
        // At 0.2 g, measured tires lose little by load transfer.
        assert!(understeer(&stiff) < understeer(&shipped));
        assert!(stiff.roll < 0.7 * shipped.roll);
        assert!(flat.roll < 0.5 * shipped.roll);
        for ((name, _), mean) in VERSIONS.iter().zip(&means) {
            assert!(
                (mean.speed - SPEED).abs() < 0.5,
                "{name}: {} m/s",
                mean.speed
            );
            assert!(
                (24.0..40.0).contains(&mean.radius()),
                "{name}: {} m",
                mean.radius()
            );
            assert!(mean.roll.abs() < 0.15, "{name}: {}", mean.roll);
        }
        for pair in drive.windows(2) {
            let (before, after) = (pair[0].last().unwrap(), pair[1][0]);
            let kick = after.speed - before.speed;
            assert!(kick.abs() < 0.1, "{kick} m/s");
        }
        let html = sheet(&car, &drive, &table(&car, &drive)).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
