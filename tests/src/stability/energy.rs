//! Energy of cars without a driver: thrown onto level ground, it only decreases.

use std::sync::Arc;

use glam::{DMat3, DVec3, Mat3, Vec3};
use jounce::core::internals::rows::observer;
use jounce::core::lanes::{LANES, W4};
use jounce::core::{Air, BodyState, CarCommand, Environment, Surfaces, Vehicle, VehicleModel};
use jounce::core::{Command, math, step};
use jounce::file::Car;
use proving_ground::ProvingError;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::stage::on_free_tires;
use proving_ground::world::{self, Pose, World, WorldKind};

use super::finding::CarFinding;
use super::stage::{FREE, GRAVITY, Setup};
use super::statics::{self, carcass};

/// Total number of steps, and the maximum of one run.
const STEPS_IN_ALL: usize = 90_000;
const STEPS: usize = 300;
/// A run ends when a car's vertical is inclined this far [−], or a wheel's ray starts in the ground: the hull would hit it.
const TIPPED: f32 = 0.5;

/// The maximum energy over that of the start (–), 0 if it never exceeds it.
pub(super) fn above_the_start(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    worst(setup, |start, _, now| (now - start) / start)
}

/// The maximum gain of a step over the energy of the start (`%`).
pub(super) fn gain_of_a_step(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    worst(setup, |start, before, now| 100.0 * (now - before) / start)
}

/// The largest value of `judge` for the energies at the start, before and after a step (`J`).
fn worst(
    setup: &Setup<'_>,
    judge: impl Fn(f64, f64, f64) -> f64,
) -> Result<CarFinding, ProvingError> {
    if setup.world != WorldKind::Standalone {
        return Err(ProvingError::Lacks {
            world: setup.world.name(),
            what: "energy of the car alone: an engine's own solver contributes",
        });
    }
    // A resistance would hide what a step gains.
    let car = on_free_tires(setup.car)?;
    let setup = Setup {
        car: &car,
        ..*setup
    };
    let mut most = 0.0_f64;
    let mut steps = 0;
    let mut seed = 0;
    while steps < STEPS_IN_ALL {
        let energies = throw(&setup, seed)?;
        let start = energies[0];
        for pair in energies.windows(2) {
            most = most.max(judge(start, pair[0], pair[1]));
            steps += 1;
        }
        seed += 1;
    }
    Ok(CarFinding::noted(most, format!("{steps} steps")))
}

/// Energies of one run (`J`), from the start.
fn throw(setup: &Setup<'_>, seed: u64) -> Result<Vec<f64>, ProvingError> {
    let mut dice = SplitMix64(seed);
    let terrain = Terrain::new(&GroundSpec::Flat, MeshUp::Z)?;
    let mut world = world::open(setup.world, &terrain, 0.01)?;
    let mut vehicle = thrown(&mut *world, setup.car, &mut dice)?;
    let surfaces = Surfaces::new();
    let environment = Environment {
        gravity: GRAVITY,
        surfaces: &surfaces,
        air: Air::STILL,
    };
    let mut energies = vec![energy(&vehicle, &world.body_state(vehicle.body())?)];
    let mut command = FREE;
    for n in 0..STEPS {
        if n % 20 == 0 {
            command = CarCommand {
                brake: dice.within(-1.0, 1.0).max(0.0),
                steer: dice.within(-1.0, 1.0),
                ..FREE
            };
        }
        let dt = dice.within(1.0 / 240.0, 1.0 / 20.0);
        step(
            &mut vehicle,
            &mut *world,
            &Command::Car(command),
            &environment,
            dt,
        )?;
        world.advance(GRAVITY, dt);
        let body = world.body_state(vehicle.body())?;
        if (body.rotation * Vec3::Z).z < TIPPED || is_pierced(vehicle.model(), &body) {
            break;
        }
        energies.push(energy(&vehicle, &body));
    }
    Ok(energies)
}

/// A car in the air in a random state. Its inertia is a ball's: worlds omit gyroscopic torque,
/// which would change the energy of any other body in free flight.
fn thrown(
    world: &mut dyn World,
    car: &Car,
    dice: &mut SplitMix64,
) -> Result<Vehicle, ProvingError> {
    let rotation = math::compose(
        math::rotation_about(Vec3::Z, dice.within(-3.0, 3.0)),
        math::compose(
            math::rotation_about(Vec3::Y, dice.within(-0.6, 0.6)),
            math::rotation_about(Vec3::X, dice.within(-0.6, 0.6)),
        ),
    );
    let pose = Pose {
        origin: DVec3::ZERO,
        rotation,
    };
    let mut desc = world::chassis(car, &pose);
    // High enough for the lowest corner of the body, with a margin.
    let reach = desc
        .hull
        .map_or(0.0, |hull| (hull.half_extents + hull.center.abs()).length());
    desc.position.z = f64::from(reach * dice.within(1.0, 1.4));
    // The world's own contact of hull and ground is not tested here.
    desc.hull = None;
    let moments = desc.inertia.diagonal();
    desc.inertia = Mat3::from_diagonal(Vec3::splat(moments.element_sum() / 3.0));
    desc.linear_velocity = dice.vector(Vec3::new(15.0, 15.0, 4.0));
    desc.angular_velocity = dice.vector(Vec3::splat(1.0));
    let mut vehicle = Vehicle::new(car.model(), world.add_body(&desc)?);
    let drive = &mut vehicle.state_mut().drive;
    drive.force_gear(jounce::core::Gear::NEUTRAL);
    for wheels in vehicle.state_mut().wheels.iter_mut() {
        wheels.spin = W4::from_fn(|_| dice.within(-40.0, 40.0));
    }
    Ok(vehicle)
}

/// Energy of body, wheels, springs, bump stops, bars and carcasses (`J`), over ground at height 0.
fn energy(vehicle: &Vehicle, body: &BodyState) -> f64 {
    let model = Arc::clone(vehicle.model());
    let profile = &model.params().profile;
    let settings = profile.rows().expect("it is solved by rows");
    // The velocity at the start of the next update.
    let mut state = vehicle.state().clone();
    let velocity = observer::begin_step(settings, &mut state, body, GRAVITY)
        .velocity
        .truncated();
    let inertia = 1.0 / f64::from(body.inverse_inertia.x_axis.x);
    let moving = f64::from(body.mass) * velocity.linear.as_dvec3().length_squared();
    let turning = inertia * velocity.angular.as_dvec3().length_squared();
    let height = f64::from(body.mass) * f64::from(-GRAVITY.z) * body.position.z;
    let rolling: f64 = wheels(&model)
        .map(|(g, lane)| {
            let (k, wheel) = (&model.wheels()[g], &state.wheels[g]);
            let spin = f64::from(wheel.spin.lane(lane));
            let stiffness = carcass(&model, g, wheel.normal_force);
            let deflections = wheel.grip.rows().deflection;
            let wound: f64 = stiffness
                .iter()
                .zip(deflections)
                .map(|(k, u)| f64::from(k.lane(lane)) * f64::from(u.lane(lane)).powi(2))
                .sum();
            0.5 * (f64::from(k.inertia.lane(lane)) * spin * spin + wound)
        })
        .sum();
    0.5 * (moving + turning) + height + rolling + geared(vehicle) + struts(&model, body)
}

/// Energy of what gears turn with the wheels (`J`).
fn geared(vehicle: &Vehicle) -> f64 {
    let nodes = statics::geared_nodes(vehicle.model()).into_iter();
    let energy = nodes.map(|(inertia, ratios)| {
        let spin = |wheel: usize| f64::from(vehicle.state().wheel(wheel).spin);
        let each = ratios.iter().enumerate();
        let speed: f64 = each.map(|(n, ratio)| f64::from(*ratio) * spin(n)).sum();
        0.5 * f64::from(inertia) * speed * speed
    });
    energy.sum()
}

/// Whether the ray of any wheel starts in the ground.
fn is_pierced(model: &VehicleModel, body: &BodyState) -> bool {
    let down = |(g, lane): (usize, usize)| {
        (body.rotation * model.wheels()[g].ray_start.lane(lane))
            .as_dvec3()
            .z
    };
    wheels(model).any(|wheel| body.position.z + down(wheel) < 0.0)
}

/// Group and lane of every wheel.
fn wheels(model: &VehicleModel) -> impl Iterator<Item = (usize, usize)> + use<> {
    (0..model.wheel_count()).map(|wheel| (wheel / LANES, wheel % LANES))
}

/// Energy of springs, bump stops and bars (`J`).
fn struts(model: &VehicleModel, body: &BodyState) -> f64 {
    let turn = DMat3::from_quat(body.rotation.as_dquat());
    let spots: Vec<Strut> = wheels(model)
        .map(|(g, lane)| Strut::new(model, g, lane, &turn, body.position.z))
        .collect();
    let twist = |n: usize| -> f64 {
        let ends = model.bars().iter().filter_map(|bar| {
            let [a, b] = bar.wheels().map(|(g, lane)| g * LANES + lane);
            let mate = match n {
                n if n == a => b,
                n if n == b => a,
                _ => return None,
            };
            Some(f64::from(bar.stiffness()) * (spots[n].jounce - spots[mate].jounce))
        });
        ends.sum()
    };
    let free = (0..spots.len()).map(|n| spots[n].free_jounce(twist(n)));
    let free: Vec<f64> = free.collect();
    let springs: f64 = spots
        .iter()
        .zip(&free)
        .map(|(spot, free)| spot.energy(*free))
        .sum();
    let bars: f64 = model
        .bars()
        .iter()
        .map(|bar| {
            let [a, b] = bar.wheels().map(|(g, lane)| free[g * LANES + lane]);
            0.5 * f64::from(bar.stiffness()) * (a - b) * (a - b)
        })
        .sum();
    springs + bars
}

/// A strut over level ground.
struct Strut {
    /// Jounce imposed by the ground, full droop in the air (`m`).
    jounce: f64,
    droop: f64,
    stop: f64,
    /// Force at jounce 0 (`N`).
    preload: f64,
    stiffness: f64,
    bump_stop: f64,
    bar: f64,
}

impl Strut {
    fn new(model: &VehicleModel, g: usize, lane: usize, turn: &DMat3, height: f64) -> Self {
        let k = &model.wheels()[g];
        let number = |lanes: W4| f64::from(lanes.lane(lane));
        let start = height + (*turn * k.ray_start.lane(lane).as_dvec3()).z;
        let along = (*turn * k.travel.lane(lane).as_dvec3()).z;
        let droop = -number(k.max_droop);
        let reached = along < -f64::from(jounce::core::internals::suspension::LEAST_INCIDENCE)
            && start >= 0.0;
        let jounce = if reached {
            (number(k.rest_distance) + start / along).max(droop)
        } else {
            droop
        };
        Self {
            jounce,
            droop,
            stop: number(k.max_compression),
            preload: number(k.sprung_mass) * f64::from(-GRAVITY.z),
            stiffness: number(k.stiffness),
            bump_stop: number(k.bump_stop),
            bar: number(k.bar_stiffness),
        }
    }

    /// Position of the wheel if bars that add `twist` (`N`) may lift it, against its stop from there on.
    fn free_jounce(&self, twist: f64) -> f64 {
        let stopped = self.bump_stop * (self.jounce - self.stop).max(0.0);
        let excess = -(self.preload + self.stiffness * self.jounce + stopped + twist);
        let resisting = self.stiffness + self.bar;
        let free = self.jounce + (excess / resisting).max(0.0);
        let beyond = (free - self.stop.max(self.jounce)).max(0.0);
        free - beyond * self.bump_stop / (resisting + self.bump_stop)
    }

    /// Energy at a jounce, relative to droop (`J`).
    fn energy(&self, jounce: f64) -> f64 {
        let beyond = (jounce - self.stop).max(0.0);
        let spring = |j: f64| self.preload * j + 0.5 * self.stiffness * j * j;
        spring(jounce) - spring(self.droop) + 0.5 * self.bump_stop * beyond * beyond
    }
}

/// Random numbers: Steele, Lea and Flood's `SplitMix64`.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn within(&mut self, low: f32, high: f32) -> f32 {
        let part = (self.next() >> 40) as f32 / (1_u32 << 24) as f32;
        low + (high - low) * part
    }

    /// Each component within its bound.
    fn vector(&mut self, bound: Vec3) -> Vec3 {
        Vec3::from_array(bound.to_array().map(|b| self.within(-b, b)))
    }
}
