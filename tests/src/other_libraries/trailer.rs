//! A truck that tows a trailer without an engine by a joint of the engine. Neither vehicle knows
//! the joint; its effect reaches them as a push by the engine.

use glam::{DVec3, Vec3};
use jounce::core::{Air, BodyState, CarCommand, Command, Environment, Surfaces, Vehicle, step};
use jounce::file::Car;
use jounce::presets;
use proving_ground::ProvingError;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::stage::{FLAT_OUT, FREE, GRAVITY, Scene, Stage, steps};
use proving_ground::world;

use super::{RATE, car_of, noted};
use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 6] = [
    Case::measured_assertion(
        "a trailer follows a truck that drives off",
        "gap of the coupling [m]",
        0.01,
        follows,
    )
    .needs(Need::Joints),
    Case::measured_assertion(
        "a trailer cuts corners as its length says",
        "radius [%]",
        1.0,
        turns,
    )
    .needs(Need::Joints),
    Case::assertion("a truck and its trailer brake in line", brakes).needs(Need::Joints),
    Case::measured_assertion(
        "a truck parks with its trailer on a slope",
        "way in 9 s [mm]",
        1.0,
        |backend| parks(backend, &BRAKED),
    )
    .needs(Need::Joints),
    Case::measured_assertion(
        "a braked truck holds a free trailer on a slope",
        "way in 9 s [mm]",
        2.0,
        |backend| parks(backend, &FREE),
    )
    .needs(Need::Joints),
    Case::assertion("a trailer that holds its place lets go when towed", lets_go)
        .needs(Need::Joints),
];

const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };

/// The coupling, from the truck's and from the trailer's origin (`m`).
const HITCH: [Vec3; 2] = [Vec3::new(-4.5, 0.0, 0.6), Vec3::new(4.0, 0.0, 0.6)];
/// Position of the truck's rear axle (`m`).
const REAR_AXLE: f32 = -2.1;

/// Truck and trailer, joined.
struct Road {
    truck: Stage,
    trailer: Vehicle,
    surfaces: Surfaces,
}

/// The trailer, with a profile.
fn trailer(profile: &str) -> Result<Car, Failure> {
    car_of(include_str!("trailer.toml"), |table| {
        table["profile"] = profile.into();
    })
}

impl Road {
    /// A truck with a trailer at rest in first gear on a slope that rises toward +x by this many degrees, nose up.
    fn new(backend: &dyn Backend, slope: f64, trailer: &Car) -> Result<Self, Failure> {
        let spec = if slope == 0.0 {
            GroundSpec::Flat
        } else {
            GroundSpec::Slope(slope)
        };
        let terrain = Terrain::new(&spec, MeshUp::Z)?;
        let world = backend.open(&terrain, 1.0 / RATE)?;
        let (car, scene) = (presets::truck(), Scene::IN_FIRST);
        let mut truck = Stage::put(world, &terrain, &car, &scene, 1.0 / RATE)?;
        let body = truck.body()?;
        let arm = body.rotation * (HITCH[0] - car.center_of_mass());
        let (hitch, rotation) = (body.position + arm.as_dvec3(), body.rotation);
        let pose = world::Pose {
            origin: hitch - (rotation * HITCH[1]).as_dvec3(),
            rotation,
        };
        let mut desc = world::chassis(trailer, &pose);
        desc.sleep_threshold = 0.0;
        let body = truck.world.add_body(&desc)?;
        truck.world.join(truck.vehicle.body(), body, hitch)?;
        Ok(Self {
            truck,
            trailer: Vehicle::new(trailer.model(), body),
            surfaces: Surfaces::new(),
        })
    }

    /// One step; the trailer brakes with the truck, or not at all.
    fn step(&mut self, command: &CarCommand, trailer: &CarCommand) -> Result<(), Failure> {
        let environment = Environment {
            gravity: GRAVITY,
            surfaces: &self.surfaces,
            air: Air::STILL,
        };
        let (world, dt) = (&mut *self.truck.world, self.truck.dt);
        let trailer = Command::Car(*trailer);
        let stepped = step(&mut self.trailer, world, &trailer, &environment, dt);
        stepped.map_err(ProvingError::from)?;
        Ok(self.truck.step(command)?)
    }

    fn run(&mut self, seconds: f32, command: &CarCommand) -> Result<(), Failure> {
        (0..steps(seconds, RATE)).try_for_each(|_| self.step(command, command))
    }

    /// The bodies of both.
    fn bodies(&self) -> Result<[BodyState; 2], Failure> {
        let trailer = self.truck.world.body_state(self.trailer.body())?;
        Ok([self.truck.body()?, trailer])
    }

    /// Points of both (`m`, world), from offsets to their origins (`m`).
    fn points(&self, from_origins: [Vec3; 2]) -> Result<[DVec3; 2], Failure> {
        let bodies = self.bodies()?;
        let params = [&self.truck.vehicle, &self.trailer].map(|vehicle| vehicle.model().params());
        Ok([0, 1].map(|n| {
            let offset = params[n].from_center_of_mass(from_origins[n]);
            bodies[n].position + (bodies[n].rotation * offset).as_dvec3()
        }))
    }

    /// Gap between the halves of the coupling (`m`).
    fn gap(&self) -> Result<f64, Failure> {
        let [one, other] = self.points(HITCH)?;
        Ok(one.distance(other))
    }

    /// The angle between truck and trailer (`°`).
    fn fold(&self) -> Result<f64, Failure> {
        let [one, other] = self.bodies()?.map(|body| body.rotation * Vec3::X);
        Ok(f64::from(one.angle_between(other)).to_degrees())
    }

    /// Accelerated to this speed (`m/s`), for this long (`s`).
    fn cruise(&mut self, seconds: f32, speed: f32, steer: f32) -> Result<(), Failure> {
        for _ in 0..steps(seconds, RATE) {
            let lacking = speed - self.truck.velocity().length();
            let command = CarCommand {
                throttle: lacking.clamp(0.0, 1.0),
                steer,
                ..FREE
            };
            self.step(&command, &FREE)?;
        }
        Ok(())
    }
}

/// Maximum gap between truck and trailer in eight seconds at full throttle (`m`).
fn follows(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut road = Road::new(backend, 0.0, &trailer("default")?)?;
    let mut widest = 0.0_f64;
    for _ in 0..steps(8.0, RATE) {
        road.step(&FLAT_OUT, &FREE)?;
        widest = widest.max(road.gap()?);
    }
    let speeds = road.bodies()?.map(|body| body.linear_velocity.length());
    let note = format!("{speeds:.3?} m/s, {:.3}° between them", road.fold()?);
    let follows = speeds[0] > 5.0 && (speeds[0] - speeds[1]).abs() < 0.05 && road.fold()? < 0.5;
    expect(follows, || note.clone())?;
    Ok(Measure {
        value: widest,
        note,
    })
}

/// A slow circle: the axles' midpoints and the coupling turn about one point.
fn turns(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut road = Road::new(backend, 0.0, &trailer("default")?)?;
    road.cruise(30.0, 3.0, 0.5)?;
    let seen = road.points([Vec3::X * REAR_AXLE, Vec3::ZERO])?;
    let bodies = road.bodies()?;
    let radius = |n: usize| {
        let body = &bodies[n];
        let arm = (seen[n] - body.position).as_vec3();
        let speed = body.linear_velocity + body.angular_velocity.cross(arm);
        f64::from(speed.truncate().length() / body.angular_velocity.z.abs())
    };
    let [overhang, length] = [HITCH[0].x - REAR_AXLE, HITCH[1].x].map(f64::from);
    let (truck, found) = (radius(0), radius(1));
    let ideal = (truck * truck + overhang * overhang - length * length).sqrt();
    Ok(Measure {
        value: 100.0 * (found / ideal - 1.0).abs(),
        note: format!("truck {truck:.3} m, trailer {found:.3} m, ideal {ideal:.3} m"),
    })
}

/// Brakes from 15 m/s within 6 s, then stands for another second.
fn brakes(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut road = Road::new(backend, 0.0, &trailer("default")?)?;
    while road.truck.velocity().x < 15.0 {
        road.run(1.0, &FLAT_OUT)?;
        expect(road.truck.position()?.x < 500.0, || "it is slow".to_owned())?;
    }
    let (start, mut fold) = (road.truck.position()?, 0.0_f64);
    for _ in 0..steps(6.0, RATE) {
        road.step(&BRAKED, &BRAKED)?;
        fold = fold.max(road.fold()?);
    }
    let way = road.truck.position()?.distance(start);
    let stood = road.bodies()?;
    road.run(1.0, &BRAKED)?;
    let crept = road.bodies()?;
    let crept = [0, 1].map(|n| 1000.0 * crept[n].position.distance(stood[n].position));
    let stands = crept.iter().all(|way| *way < 1.0) && way < 30.0;
    let note = format!("{way:.2} m, at most {fold:.3}° between them, then {crept:.4?} mm in 1 s");
    noted(stands && fold < 2.0, note)
}

/// Distance that the vehicle that moves further creeps on 10°, after 3 s of settling (`mm`).
fn parks(backend: &dyn Backend, trailer_command: &CarCommand) -> Result<Measure, Failure> {
    let mut road = Road::new(backend, 10.0, &trailer("default")?)?;
    for _ in 0..steps(3.0, RATE) {
        road.step(&BRAKED, trailer_command)?;
    }
    let stood = road.bodies()?;
    let mut ways = [0.0_f64; 2];
    for _ in 0..steps(9.0, RATE) {
        road.step(&BRAKED, trailer_command)?;
        for ((way, body), stood) in ways.iter_mut().zip(road.bodies()?).zip(&stood) {
            *way = way.max(1000.0 * body.position.distance(stood.position));
        }
    }
    Ok(Measure {
        value: ways[0].max(ways[1]),
        note: format!("truck {:.4}, trailer {:.4}", ways[0], ways[1]),
    })
}

/// A trailer with `PhysX`'s profile that has stood for a second keeps its position against a gentle
/// pull: its own pedals do not reflect the truck's. Code that steps both must inform it.
fn lets_go(backend: &dyn Backend) -> Result<Measure, Failure> {
    let gently = CarCommand {
        throttle: 0.15,
        ..FREE
    };
    let way = |told: bool| -> Result<f64, Failure> {
        let mut road = Road::new(backend, 0.0, &trailer("physx-4")?)?;
        for _ in 0..steps(3.0, RATE) {
            road.step(&BRAKED, &FREE)?;
        }
        let start = road.truck.position()?;
        for _ in 0..steps(3.0, RATE) {
            let drives_off = road.truck.vehicle.control().accelerating;
            road.trailer.set_towed(told && drives_off);
            road.step(&gently, &FREE)?;
        }
        Ok(road.truck.position()?.distance(start))
    };
    let (held, free) = (way(false)?, way(true)?);
    let note = format!("{held:.3} m, told {free:.3} m");
    noted(held < 0.1 && free > 0.5, note)
}
