//! Three vehicles without a file, on `PhysX`'s default drives, over a road given by a formula: no
//! rays are cast, the program itself gives each wheel its ground: `cargo run --release -p jounce-lab
//! --example in_code`.
//!
//! Writes `out/in_code.html`.

use core::error::Error;
use core::f64::consts::PI;
use std::path::Path;
use std::sync::Arc;

use glam::{DVec2, DVec3, Mat3, Vec3};
use jounce::core::params::{ChassisParams, SuspensionParams, TireFit, WheelParams};
use jounce::core::sprung_mass::sprung_masses;
use jounce::core::{
    BodyState, CarCommand, Checked, Command, Contact, Gear, GroundHit, GroundRay, RigidBodies as _,
    TankCommand, TireForces, TireInput, TireModel, Vehicle, VehicleModel, VehicleParams, phases,
};
use jounce::drive::{EngineDrive, EngineDriveParams, physx};
use jounce::scene::{BodyDesc, Grounds, Standalone};
use jounce_lab::report::{Chart, ChartCurve, ReportTable, Sheet, heading, note};
use proving_ground::stage::{FREE, GRAVITY, steps};

/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;
/// Duration (`s`).
const END: f32 = 12.0;
/// Height of a wave of the road over its trough, and its length (`m`); the first 10 m are level.
const WAVE: f64 = 0.08;
const LENGTH: f64 = 12.0;
const LEVEL: f64 = 10.0;

/// Height (`m`) and slope (–) of the road, `x` (`m`) from the start.
fn road(x: f64) -> (f64, f64) {
    if x < LEVEL {
        return (0.0, 0.0);
    }
    let phase = 2.0 * PI * (x - LEVEL) / LENGTH;
    let height = 0.5 * WAVE * (1.0 - libm::cos(phase));
    (height, PI * WAVE / LENGTH * libm::sin(phase))
}

/// The hit of a ray on the road.
fn meet(ray: &GroundRay) -> Option<Contact> {
    let (start, ahead) = (ray.anchor + ray.offset.as_dvec3(), ray.direction.as_dvec3());
    // The road is so much flatter than the ray that a few iterations suffice.
    let distance = (0..8).fold(0.0, |way: f64, _| {
        let (height, _) = road(start.x + way * ahead.x);
        (height - start.z) / ahead.z
    });
    let (_, slope) = road(start.x + distance * ahead.x);
    let hit = GroundHit {
        distance: distance as f32,
        normal: DVec3::new(-slope, 0.0, 1.0).normalize().as_vec3(),
        material: Default::default(),
        body: None,
        collider: Default::default(),
        triangle: None,
    };
    let found = (0.0..=f64::from(ray.length)).contains(&distance);
    found.then(|| Contact::new(ray, hit, 1.0))
}

/// A custom tire law: proportional to slip until it slides, independently in both directions.
#[derive(Debug)]
struct Rubber;

impl TireModel for Rubber {
    fn forces(&self, tire: &TireInput) -> TireForces {
        let grip = tire.friction * tire.load;
        let longitudinal = (15.0 * tire.load * tire.slip_ratio).clamp(-grip, grip);
        TireForces {
            longitudinal,
            lateral: (-12.0 * tire.load * tire.tan_slip_angle).clamp(-grip, grip),
            wheel_torque: -longitudinal * tire.radius,
            ..TireForces::default()
        }
    }
}

/// Design of a vehicle.
struct Design {
    name: &'static str,
    /// (`kg`)
    mass: f32,
    /// Radius of the wheels (`m`).
    radius: f32,
    /// Positions of the axles (`m`), front to rear, and the track width (`m`).
    axles: Vec<f32>,
    track: f32,
    drive: EngineDriveParams,
}

/// The three drives of `PhysX` that have an engine.
fn designs() -> [Design; 3] {
    [
        Design {
            name: "car",
            mass: 1500.0,
            radius: 0.33,
            axles: vec![1.35, -1.35],
            track: 1.55,
            drive: physx::four_wheel_drive(4),
        },
        Design {
            name: "truck 6x4",
            mass: 6000.0,
            radius: 0.48,
            axles: vec![2.2, -1.2, -2.4],
            track: 1.9,
            drive: physx::n_wheel_drive(6, vec![2, 3, 4, 5]),
        },
        Design {
            name: "tank",
            mass: 6000.0,
            radius: 0.4,
            axles: vec![1.8, 1.08, 0.36, -0.36, -1.08, -1.8],
            track: 2.2,
            drive: physx::tank(12, true),
        },
    ]
}

impl Design {
    /// Height of the center of mass over the road at rest (`m`).
    fn height(&self) -> f32 {
        0.25 + self.radius
    }

    /// Positions of its wheels, from the center of mass: left and right alternating (`m`).
    fn places(&self) -> Vec<Vec3> {
        let half = 0.5 * self.track;
        let pair = |&x: &f32| [half, -half].map(|y| Vec3::new(x, y, self.radius - self.height()));
        self.axles.iter().flat_map(pair).collect()
    }

    fn inertia(&self) -> Mat3 {
        let half = Vec3::new(self.axles[0] + 0.8, 0.5 * self.track, 0.6);
        BodyDesc::box_inertia(self.mass, half)
    }

    fn wheel(&self, n: usize, position: Vec3, sprung_mass: f32) -> WheelParams {
        let mass = 0.015 * self.mass;
        let strut = SuspensionParams {
            // Both are set below.
            stiffness: 1.0,
            damping: 1.0.into(),
            bump_stop_stiffness: 900.0 * sprung_mass,
            max_compression: 0.15,
            max_droop: 0.12,
            sprung_mass,
            application_point: position,
            ..SuspensionParams::blank()
        };
        WheelParams {
            name: format!("wheel {n}"),
            position,
            radius: self.radius,
            width: 0.6 * self.radius,
            mass,
            inertia: 0.5 * mass * self.radius * self.radius,
            damping: 0.25,
            suspension: strut.tuned_for(sprung_mass),
            tire: TireFit {
                application_point: position,
                ..TireFit::blank()
            },
            ..WheelParams::blank()
        }
    }

    fn model(&self) -> Result<VehicleModel, Box<dyn Error>> {
        let places = self.places();
        let masses = sprung_masses(&places, Vec3::ZERO, self.mass, Vec3::Z)?;
        let wheels = places.iter().zip(masses).enumerate();
        let params = VehicleParams {
            chassis: ChassisParams {
                mass: self.mass,
                inertia: self.inertia().diagonal(),
                center_of_mass: Vec3::ZERO,
                ..ChassisParams::blank()
            },
            wheels: wheels.map(|(n, (at, m))| self.wheel(n, *at, m)).collect(),
            ..VehicleParams::blank()
        };
        let drive = EngineDrive::new(Checked::new(self.drive.clone())?);
        let tires: [Arc<dyn TireModel>; 1] = [Arc::new(Rubber)];
        Ok(VehicleModel::new(
            Checked::new(params)?,
            &tires,
            Arc::new(drive),
        )?)
    }

    /// High throttle, and the brake for the last three seconds.
    fn command(&self, time: f32) -> Command {
        let (throttle, brake) = if time < END - 3.0 {
            (0.8, 0.0)
        } else {
            (0.0, 0.4)
        };
        if self.name == "tank" {
            return Command::Tank(TankCommand {
                throttle,
                thrust: [throttle; 2],
                brake: [brake; 2],
                automatic: true,
                ..TankCommand::default()
            });
        }
        Command::Car(CarCommand {
            throttle,
            brake,
            automatic: true,
            ..FREE
        })
    }
}

/// A vehicle after a step.
struct Moment {
    time: f32,
    place: DVec3,
    /// Forward (`m/s`).
    speed: f32,
    /// Maximum and minimum jounce of a wheel (`m`).
    jounces: [f32; 2],
}

struct Drive {
    design: Design,
    moments: Vec<Moment>,
}

fn drive(design: Design) -> Result<Drive, Box<dyn Error>> {
    // A world without ground only moves the body.
    let mut world = Standalone::new(Grounds::default());
    let place = DVec3::Z * f64::from(design.height());
    let body = world.add(&BodyDesc::at_rest(place, design.mass, design.inertia()))?;
    let mut vehicle = Vehicle::new(Arc::new(design.model()?), body);
    vehicle.state_mut().drive.force_gear(Gear::FIRST);
    let mut rays = vec![GroundRay::BLANK; design.places().len()];
    let mut state = [BodyState::BLANK];
    let mut moments = Vec::new();
    for step in 0..steps(END, RATE) {
        let time = step as f32 / RATE;
        world.read(&[body], &mut state)?;
        phases::plan_rays(&vehicle, &state[0], &mut rays);
        // The ground does not move.
        let meet = |wheel: usize| Some((meet(&rays[wheel])?, None));
        phases::take_contacts(&mut vehicle, state[0].position, meet)?;
        let outcome = phases::update(
            &mut vehicle,
            &state[0],
            &design.command(time),
            GRAVITY,
            1.0 / RATE,
        )?;
        world.apply(&[body], &[outcome])?;
        world.step(GRAVITY, 1.0 / RATE);
        let jounces = (0..rays.len()).map(|wheel| vehicle.wheel_report(wheel).jounce);
        let bounds = |[most, least]: [f32; 2], x: f32| [most.max(x), least.min(x)];
        moments.push(Moment {
            time,
            place: state[0].position,
            speed: vehicle.updated_velocity().0.x,
            jounces: jounces.fold([f32::MIN, f32::MAX], bounds),
        });
    }
    Ok(Drive { design, moments })
}

fn drives() -> Result<Vec<Drive>, Box<dyn Error>> {
    designs().into_iter().map(drive).collect()
}

impl Drive {
    /// Deviation of its height above the road (`m`).
    fn off(&self, moment: &Moment) -> f64 {
        moment.place.z - road(moment.place.x).0 - f64::from(self.design.height())
    }

    fn curve(&self, color: usize, point: impl Fn(&Moment) -> DVec2) -> ChartCurve {
        let points = self.moments.iter().map(point);
        ChartCurve::new(self.design.name, color, points.collect())
    }
}

fn table(drives: &[Drive]) -> ReportTable {
    let head = [
        "",
        "wheels",
        "way [m]",
        "fastest [m/s]",
        "heave [mm]",
        "jounce [mm]",
    ];
    let row = |drive: &Drive| {
        let moments = &drive.moments;
        let most = |value: &dyn Fn(&Moment) -> f64| moments.iter().map(value).fold(0.0, f64::max);
        let jounces = moments.iter().map(|m| m.jounces);
        let bounds = jounces.fold([0.0_f32; 2], |a, b| [a[0].max(b[0]), a[1].min(b[1])]);
        vec![
            drive.design.name.to_owned(),
            drive.design.places().len().to_string(),
            format!("{:.1}", moments.last().map_or(0.0, |m| m.place.x)),
            format!("{:.1}", most(&|m| m.speed.into())),
            format!("{:.0}", 1e3 * most(&|m| drive.off(m).abs())),
            format!("{:.0} … {:.0}", 1e3 * bounds[1], 1e3 * bounds[0]),
        ]
    };
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: drives.iter().map(row).collect(),
    }
}

fn sheet(drives: &[Drive], table: &ReportTable) -> Sheet {
    let curves = |point: &dyn Fn(&Drive, &Moment) -> DVec2| -> Vec<ChartCurve> {
        let all = drives.iter().enumerate();
        all.map(|(n, drive)| drive.curve(n, |m| point(drive, m)))
            .collect()
    };
    let car = &drives[0];
    let millimeters = |m: &Moment, meters: f64| DVec2::new(m.time.into(), 1e3 * meters);
    let heights = vec![
        ChartCurve {
            name: "road".to_owned(),
            ..car.curve(4, |m| millimeters(m, road(m.place.x).0))
        },
        car.curve(0, |m| millimeters(m, road(m.place.x).0 + car.off(m))),
    ];
    Sheet {
        brand: "jounce example: in_code".to_owned(),
        title: "No file, no rays".to_owned(),
        what: "A car, a truck and a tank are made in code, around the default drives of PhysX: four driven \
               wheels, any driven wheels, two tracks. The road is a formula outside any engine: the program \
               gives each wheel its ground. The tire law is custom, too."
            .to_owned(),
        facts: vec![
            ("step", format!("1/{RATE} s")),
            ("waves", format!("{:.0} mm high, {LENGTH} m long", 1e3 * WAVE)),
            ("throttle", "0.8; then the brake".to_owned()),
        ],
        sections: vec![
            heading("Over the road"),
            Chart::plain(
                "The car's height",
                "mm, over that on level ground",
                "Relative to that of the road below its center.",
                heights,
            )
            .html(),
            Chart::plain(
                "Heave",
                "mm, over the height above the road",
                "",
                curves(&|drive, m| millimeters(m, drive.off(m))),
            )
            .html(),
            Chart::plain(
                "Speed",
                "m/s",
                "",
                curves(&|_, m| DVec2::new(m.time.into(), m.speed.into())),
            )
            .html(),
            heading("Figures"),
            table.html(),
            note("Heave is the maximum deviation of the center of mass from its height above the road."),
        ],
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let drives = drives()?;
    let table = table(&drives);
    let path = sheet(&drives, &table).save(Path::new("out"), "in_code.html")?;
    println!("{table}\nwritten: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rides_the_waves_and_stops() {
        let drives = drives().unwrap();
        for drive in &drives {
            let (name, end) = (drive.design.name, drive.moments.last().unwrap());
            assert!(end.place.x > 30.0, "{name}: {} m", end.place.x);
            assert!(end.place.y.abs() < 0.01, "{name}: {}", end.place);
            let rolling = drive.moments.iter().filter(|m| m.place.x > LEVEL);
            for moment in rolling {
                assert!(drive.off(moment).abs() < 0.12, "{name}: {}", moment.place);
            }
            let off = drive.moments.iter().map(|m| drive.off(m).abs());
            assert!(off.fold(0.0, f64::max) > 0.005, "{name} feels the waves");
            let fastest = drive.moments.iter().map(|m| m.speed).fold(0.0, f32::max);
            assert!(end.speed < 0.6 * fastest, "{name}: {} m/s", end.speed);
        }
        let html = sheet(&drives, &table(&drives)).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
