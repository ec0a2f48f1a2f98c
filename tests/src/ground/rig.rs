//! A car on ground that is a line across its path, in any world, and the same car before the judge.

use std::sync::Arc;

use glam::{DVec2, DVec3, Quat, Vec3};
use jounce::core::lanes::W4;
use jounce::core::params::{DamperKnee, Damping, Probe, VehicleParams};
use jounce::core::{
    BodyState, CarCommand, Checked, Command, Environment, Gear, Surfaces, Vehicle, VehicleModel,
    math, step,
};
use jounce::drive::EngineDriveParams;
use jounce::file::Car;
use jounce::presets;
use jounce::scene::Triangles;
use proving_ground::ProvingError;
use proving_ground::ground::Terrain;
use proving_ground::stage::NO_AIR;
use proving_ground::world::{self, Pose, World, WorldKind};

use super::judge::{Judge, JudgedAxle};

/// Gravity (`m/s²`).
const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
/// Half of the ground's width (`m`).
const HALF_WIDTH: f64 = 20.0;

/// Ground: a line of places and heights (`m`), level before its first and behind its last point.
#[derive(Clone, Debug)]
pub struct Line(pub Vec<[f64; 2]>);

impl Line {
    /// A curb of this height (`m`) at the origin: up, or down if it is negative.
    #[must_use]
    pub fn curb(height: f64) -> Self {
        Self(vec![[0.0, 0.0], [0.0, height]])
    }

    /// Its corners, with a long run before and behind them (`m`).
    fn corners(&self) -> Vec<DVec2> {
        let (first, last) = (self.0[0], self.0[self.0.len() - 1]);
        let mut all = vec![[-200.0, first[1]]];
        all.extend(self.0.iter().copied());
        all.push([200.0, last[1]]);
        all.into_iter().map(DVec2::from).collect()
    }

    /// The surface across the path, whose edges are at an `angle` to it (`rad`): 0 is square.
    fn triangles(&self, angle: f64) -> Triangles {
        let slant = angle.tan();
        let corners = self.corners();
        let vertices = corners.iter().flat_map(|point| {
            [-HALF_WIDTH, HALF_WIDTH].map(|y| DVec3::new(point.x + slant * y, y, point.y))
        });
        let strips = (0..corners.len() as u32 - 1).flat_map(|n| {
            let [right, left] = [2 * n, 2 * n + 1];
            [[right, right + 2, left + 2], [right, left + 2, left]]
        });
        Triangles {
            vertices: vertices.collect(),
            corners: strips.collect(),
        }
    }

    /// Distance of a point of a wheel's plane from the ground (`m`), negative below it.
    #[must_use]
    pub fn distance(&self, point: DVec2) -> f64 {
        let corners = self.corners();
        let pieces = corners.windows(2).map(|ends| {
            let (run, arm) = (ends[1] - ends[0], point - ends[0]);
            let square = run.length_squared().max(1e-12);
            let part = (arm.dot(run) / square).clamp(0.0, 1.0);
            (arm - run * part).length()
        });
        let near = pieces.fold(f64::INFINITY, f64::min);
        let mut below = f64::NEG_INFINITY;
        for ends in corners.windows(2) {
            if (ends[0].x..=ends[1].x).contains(&point.x) && ends[1].x > ends[0].x {
                let part = (point.x - ends[0].x) / (ends[1].x - ends[0].x);
                below = below.max(ends[0].y + (ends[1].y - ends[0].y) * part);
            }
        }
        if point.y < below { -near } else { near }
    }
}

/// A sedan with the springs, dampers and stops of the comparison of contacts, and wheels of this radius (`m`), without links, bars
/// and rolling resistance: what the judge knows is all that it has.
///
/// # Errors
/// If the parameters do not fit.
pub fn judged_car(radius: f32, probe: Probe) -> Result<(Car, Arc<VehicleModel>), ProvingError> {
    let car = presets::sedan();
    let mut params = VehicleParams::clone(car.model().params());
    params.probe = probe;
    params.anti_roll.clear();
    params.profile.tire_moments = false;
    params.aerodynamics = None;
    for wheel in &mut params.wheels {
        let (tire, strut) = (&mut wheel.tire, &mut wheel.suspension);
        wheel.radius = radius;
        wheel.damping = 0.0;
        wheel.compliance = Default::default();
        tire.rolling_resistance = Default::default();
        strut.stiffness = 30e3;
        strut.max_compression = 0.1;
        strut.max_droop = 0.12;
        strut.bump_stop_stiffness = 400e3;
        strut.damping = Damping::from(2400.0);
        strut.damping.bump.knee = Some(DamperKnee {
            speed: 0.5,
            rate: 1200.0,
        });
    }
    let model = (*car.model()).clone().with_params(Checked::new(params)?)?;
    Ok((car, Arc::new(model)))
}

/// A car before an obstacle.
#[expect(missing_debug_implementations, reason = "worlds have none")]
pub struct Rig {
    /// The world.
    pub world: Box<dyn World>,
    /// The car.
    pub vehicle: Vehicle,
    line: Line,
    surfaces: Surfaces,
    command: Command,
    dt: f32,
    radius: f32,
}

/// Where, how fast and in what a car begins.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The world.
    pub world: WorldKind,
    /// How wheels find the ground.
    pub probe: Probe,
    /// Radius of the wheels (`m`).
    pub radius: f32,
    /// Place of the vehicle's origin along the path (`m`), and over the ground there, more than at rest (`m`).
    pub place: [f64; 2],
    /// Speed (`m/s`).
    pub speed: f32,
    /// Steps in a second (`Hz`).
    pub rate: f32,
    /// Angle of the obstacle's edges to the path (`rad`): 0 is square.
    pub angle: f64,
    /// The driver's command.
    pub command: CarCommand,
}

impl Rig {
    /// Places a car.
    ///
    /// # Errors
    /// If the world refuses ground or car.
    pub fn new(line: Line, start: &Start) -> Result<Self, ProvingError> {
        let (car, model) = judged_car(start.radius, start.probe)?;
        let dt = 1.0 / start.rate;
        let terrain = Terrain::triangles("line".to_owned(), line.triangles(start.angle))?;
        let mut world = world::open(start.world, &terrain, dt)?;
        let [x, over] = start.place;
        let height = line.0[0][1] + f64::from(start.radius - car.model().params().wheels[0].radius);
        let origin = DVec3::new(x, 0.0, height + over);
        let rotation = Quat::IDENTITY;
        let mut desc = world::chassis(&car, &Pose { origin, rotation });
        desc.hull = None;
        desc.sleep_threshold = 0.0;
        desc.linear_velocity = Vec3::X * start.speed;
        let mut vehicle = Vehicle::new(model, world.add_body(&desc)?);
        let state = vehicle.state_mut();
        state.drive.force_gear(if start.command.throttle > 0.0 {
            Gear(2)
        } else {
            Gear::NEUTRAL
        });
        for wheels in state.wheels.iter_mut() {
            wheels.spin = W4::splat(start.speed / start.radius);
        }
        Ok(Self {
            world,
            vehicle,
            line,
            surfaces: Surfaces::new(),
            command: Command::Car(start.command),
            dt,
            radius: start.radius,
        })
    }

    /// Advances car and world by a step; returns the body afterwards.
    ///
    /// # Errors
    /// If the step fails.
    pub fn step(&mut self) -> Result<BodyState, ProvingError> {
        let environment = Environment {
            gravity: GRAVITY,
            surfaces: &self.surfaces,
            air: NO_AIR,
        };
        let vehicle = &mut self.vehicle;
        step(
            vehicle,
            &mut *self.world,
            &self.command,
            &environment,
            self.dt,
        )?;
        self.world.advance(GRAVITY, self.dt);
        self.body()
    }

    /// State of the body.
    ///
    /// # Errors
    /// Never, unless the world lost it.
    pub fn body(&self) -> Result<BodyState, ProvingError> {
        Ok(self.world.body_state(self.vehicle.body())?)
    }

    /// The center of a shown wheel (`m`, world).
    ///
    /// # Errors
    /// As [`Rig::body`].
    pub fn hub(&self, wheel: usize) -> Result<DVec3, ProvingError> {
        let (body, params) = (self.body()?, self.vehicle.model().params());
        let place = self.vehicle.wheel_pose(wheel).position - params.chassis.center_of_mass;
        Ok(body.position + (math::matrix(body.rotation) * place).as_dvec3())
    }

    /// How deep the middle planes of the shown wheels are in the ground at most (`m`), over square obstacles.
    ///
    /// # Errors
    /// As [`Rig::body`].
    pub fn clip(&self) -> Result<f64, ProvingError> {
        let mut deepest = 0.0_f64;
        for wheel in 0..4 {
            let hub = self.hub(wheel)?;
            let distance = self.line.distance(DVec2::new(hub.x, hub.z));
            deepest = deepest.max(f64::from(self.radius) - distance);
        }
        Ok(deepest)
    }
}

/// The car of a start before the judge, as it begins.
///
/// # Errors
/// If the parameters do not fit.
pub(super) fn judged(start: &Start) -> Result<Judge, ProvingError> {
    let (car, model) = judged_car(start.radius, start.probe)?;
    let (params, center) = (model.params(), car.center_of_mass().as_dvec3());
    let brakes = car.spec().drive.params_of::<EngineDriveParams>("engine");
    let axle = |wheel: usize| {
        let brake = brakes.as_ref().map_or(0.0, |drive| {
            drive.brakes[wheel].torque(start.command.brake, 0.0)
        });
        let wheel = &params.wheels[wheel];
        let (strut, place) = (&wheel.suspension, wheel.position.as_dvec3() - center);
        let both = |one: f32| 2.0 * f64::from(one);
        let bump = &strut.damping.bump;
        let knee = bump.knee.unwrap_or(DamperKnee {
            speed: 0.0,
            rate: bump.rate,
        });
        JudgedAxle {
            hub: DVec2::new(place.x, place.z),
            radius: f64::from(wheel.radius),
            preload: both(strut.sprung_mass) * 9.81,
            stiffness: both(strut.stiffness),
            damping: both(bump.rate),
            fast_damping: both(knee.rate),
            knee: f64::from(knee.speed),
            travel: [f64::from(strut.max_compression), f64::from(strut.max_droop)],
            stop: both(strut.bump_stop_stiffness),
            spin_mass: both(wheel.inertia / (wheel.radius * wheel.radius)),
            friction: 1.0,
            brake: both(brake / wheel.radius),
            rim: f64::from(start.speed),
        }
    };
    let height = f64::from(start.radius) - f64::from(params.wheels[0].position.z) + center.z;
    Ok(Judge {
        mass: f64::from(car.mass()),
        inertia: f64::from(car.inertia().y_axis.y),
        axles: vec![axle(0), axle(2)],
        place: DVec2::new(start.place[0] + center.x, height),
        pitch: 0.0,
        velocity: DVec2::new(f64::from(start.speed), 0.0),
        rate: 0.0,
    })
}

/// Corners of a line for the judge (`m`).
#[must_use]
pub(super) fn ground_of(line: &Line) -> Vec<DVec2> {
    line.corners()
}
