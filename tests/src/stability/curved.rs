//! Curved ground and edges: loops give no energy, ramps and curbs act the same at every rate.

use core::f64::consts::TAU;

use glam::{DVec3, Quat, Vec3};
use jounce::core::detail::Detail;
use jounce::core::lanes::W4;
use jounce::core::phases::step_with;
use jounce::core::{BodyState, Command, Environment, Gear, Surfaces, Vehicle};
use jounce::scene::{Axes, Steps, Triangles};
use proving_ground::ProvingError;
use proving_ground::ground::Terrain;
use proving_ground::stage::{self, NO_AIR};
use proving_ground::world::{self, Pose, World, WorldKind};

use super::finding::{CarFinding, RATES};
use super::stage::{FREE, GRAVITY, Setup};

/// Radii of loops (`m`).
const LOOPS: [f64; 3] = [8.0, 12.0, 30.0];
/// Square of the speed at a loop's foot over g·R (–): 5 just keep a point on the track.
const FAST_ENOUGH: f64 = 6.5;
/// Width of facets along an arc (`m`): a tenth of the shortest step at 30 Hz, most of one at 240 Hz.
const FACET: f64 = 0.05;
/// Angle in which springs take up the load of a loop (`rad`); soft ones bounce before it.
const SETTLED: f64 = 1.0;
/// Half of a track's width (`m`).
const HALF_WIDTH: f64 = 20.0;
/// Phases at which steps begin before an edge.
const PHASES: usize = 4;

/// A car that coasts, without its hull.
struct Coasting {
    world: Box<dyn World>,
    vehicle: Vehicle,
    surfaces: Surfaces,
    dt: f32,
    detail: Detail,
    steps: u64,
}

impl Coasting {
    fn new(
        setup: &Setup<'_>,
        terrain: &Terrain,
        origin: DVec3,
        speed: f32,
        rate: f32,
    ) -> Result<Self, ProvingError> {
        let dt = 1.0 / rate;
        let mut world = world::open(setup.world, terrain, dt)?;
        let rotation = Quat::IDENTITY;
        let mut desc = world::chassis(setup.car, &Pose { origin, rotation });
        desc.hull = None;
        desc.sleep_threshold = 0.0;
        desc.linear_velocity = Vec3::X * speed;
        let model = setup.car.model();
        let mut vehicle = Vehicle::new(model.clone(), world.add_body(&desc)?);
        let state = vehicle.state_mut();
        state.drive.force_gear(Gear::NEUTRAL);
        for (wheels, k) in state.wheels.iter_mut().zip(model.wheels().iter()) {
            wheels.spin = W4::splat(speed) / k.radius;
        }
        Ok(Self {
            world,
            vehicle,
            surfaces: Surfaces::new(),
            dt,
            detail: Detail::FULL,
            steps: 0,
        })
    }

    fn step(&mut self) -> Result<BodyState, ProvingError> {
        let environment = Environment {
            gravity: GRAVITY,
            surfaces: &self.surfaces,
            air: NO_AIR,
        };
        let command = Command::Car(FREE);
        let update_level = self.vehicle.update_level(self.detail, self.steps, 0);
        self.steps += 1;
        step_with(
            update_level,
            &mut self.vehicle,
            &mut *self.world,
            &command,
            &environment,
            self.dt,
        )?;
        self.world.advance(GRAVITY, self.dt);
        Ok(self.world.body_state(self.vehicle.body())?)
    }

    fn flies(&self) -> bool {
        let (count, state) = (self.vehicle.model().wheel_count(), self.vehicle.state());
        !(0..count).any(|wheel| state.wheel(wheel).normal_force > 0.0)
    }

    /// Energy of its speed, its wheels' spins and its height (`J`).
    fn energy(&self, body: &BodyState) -> f64 {
        let wheels = self.vehicle.model().params().wheels.iter();
        let rolling: f32 = wheels.map(|w| w.inertia / (w.radius * w.radius)).sum();
        let square = f64::from(self.vehicle.updated_velocity().0.length_squared());
        let (mass, g) = (f64::from(body.mass), f64::from(-GRAVITY.z));
        0.5 * (mass + f64::from(rolling)) * square + mass * g * body.position.z
    }
}

/// An arc about the y axis that begins level at the origin and rises by an angle (`rad`).
fn arc(radius: f64, angle: f64) -> Triangles {
    let count = (radius * angle / FACET).ceil() as u32;
    let vertices = (0..=count).flat_map(|n| {
        let (sin, cos) = (angle * f64::from(n) / f64::from(count)).sin_cos();
        [-HALF_WIDTH, HALF_WIDTH].map(|y| DVec3::new(radius * sin, y, radius * (1.0 - cos)))
    });
    let corners = (0..count).flat_map(|n| {
        let [right, left] = [2 * n, 2 * n + 1];
        [[right, right + 2, left + 2], [right, left + 2, left]]
    });
    Triangles {
        vertices: vertices.collect(),
        corners: corners.collect(),
    }
}

/// Largest distance of a wheel from the vehicle's origin, along it (`m`).
fn reach(setup: &Setup<'_>) -> f64 {
    let model = setup.car.model();
    let wheels = model.params().wheels.iter();
    wheels
        .map(|w| f64::from(w.position.x.abs()))
        .fold(0.0, f64::max)
}

/// The most by which the mean energy of a round in a loop exceeds that of the round before (`%`): every loop that is wide enough
/// for the car, up to three rounds each, as far as it stays on the track.
pub(super) fn rounds(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    // A resistance would hide what a round gains.
    let car = stage::on_free_tires(setup.car)?;
    let setup = &Setup {
        car: &car,
        ..*setup
    };
    let reach = reach(setup);
    let mut counted = 0;
    let found = CarFinding::at_rates(|rate| {
        let mut most = f64::NEG_INFINITY;
        for radius in LOOPS.into_iter().filter(|radius| reach < 0.3 * radius) {
            let energies = energies_of_rounds(setup, radius, rate)?;
            counted += energies.len();
            let pairs = energies.windows(2);
            most = pairs
                .map(|pair| 100.0 * (pair[1] / pair[0] - 1.0))
                .fold(most, f64::max);
        }
        // A car that leaves every track shows nothing.
        Ok(if most.is_finite() {
            most
        } else {
            f64::INFINITY
        })
    })?;
    let note = format!("{counted} rounds");
    Ok(CarFinding { note, ..found })
}

fn energies_of_rounds(setup: &Setup<'_>, radius: f64, rate: f32) -> Result<Vec<f64>, ProvingError> {
    let (mut energies, mut sum, mut steps) = (Vec::new(), 0.0, 0);
    coast_in_loop(setup, Detail::FULL, (radius, rate), |turned, energy| {
        (sum, steps) = (sum + energy, steps + 1);
        if turned > TAU * (energies.len() + 1) as f64 {
            energies.push(sum / f64::from(steps));
            (sum, steps) = (0.0, 0);
        }
    })?;
    Ok(energies)
}

/// The most by which the energy of a car that is updated in every second or third step exceeds that at the start (`%`): every
/// loop that is wide enough for the car, up to three rounds each, until the car leaves the track.
pub(super) fn seldom_in_loops(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let car = stage::on_free_tires(setup.car)?;
    let setup = &Setup {
        car: &car,
        ..*setup
    };
    let reach = reach(setup);
    CarFinding::at_rates(|rate| {
        let mut most = f64::NEG_INFINITY;
        for radius in LOOPS.into_iter().filter(|radius| reach < 0.3 * radius) {
            for update_every in [2, 3] {
                let detail = Detail {
                    update_every,
                    ..Detail::FULL
                };
                let mut start = None;
                coast_in_loop(setup, detail, (radius, rate), |_, energy| {
                    let start = *start.get_or_insert(energy);
                    most = most.max(100.0 * (energy / start - 1.0));
                })?;
            }
        }
        Ok(most)
    })
}

/// Coasts in a loop with a radius (`m`) at a rate (`Hz`) for three rounds, or until the car leaves the track. Calls `each` after
/// each step with the angle in which the car has turned (`rad`) and its energy (`J`).
fn coast_in_loop(
    setup: &Setup<'_>,
    detail: Detail,
    (radius, rate): (f64, f32),
    mut each: impl FnMut(f64, f64),
) -> Result<(), ProvingError> {
    const ROUNDS: f64 = 3.0;
    let terrain = Terrain::triangles("loop".to_owned(), arc(radius, TAU))?;
    let speed = (FAST_ENOUGH * f64::from(-GRAVITY.z) * radius).sqrt();
    let height = radius - (radius * radius - reach(setup).powi(2)).sqrt();
    let mut car = Coasting::new(setup, &terrain, DVec3::Z * height, speed as f32, rate)?;
    car.detail = detail;
    let (mut turned, mut before) = (0.0, 0.0);
    for _ in 0..(8.0 * TAU * radius / speed * f64::from(rate)) as usize {
        let body = car.step()?;
        let angle = body.position.x.atan2(radius - body.position.z);
        turned += (angle - before + 1.5 * TAU).rem_euclid(TAU) - 0.5 * TAU;
        before = angle;
        if car.flies() && turned > SETTLED {
            break;
        }
        each(turned, car.energy(&body));
        if turned > TAU * ROUNDS {
            break;
        }
    }
    Ok(())
}

/// The most by which the pitch rate with which a car leaves a ski jump differs from that at 1920 Hz (`%`), over phases at which its
/// steps begin.
pub(super) fn ski_jump(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const LIMIT: f32 = 1920.0;
    let limit = pitch_rate(setup, LIMIT, 0.0)?;
    CarFinding::at_rates(|rate| {
        let mut most = 0.0_f64;
        for phase in 0..PHASES {
            let found = pitch_rate(setup, rate, phase as f64 / PHASES as f64)?;
            most = most.max(100.0 * (found / limit - 1.0).abs());
        }
        Ok(most)
    })
}

/// Pitch rate after a ski jump of 20° with a radius of 30 m, reached with 25 m/s (`rad/s`).
fn pitch_rate(setup: &Setup<'_>, rate: f32, phase: f64) -> Result<f64, ProvingError> {
    const RUN_UP: f64 = 30.0;
    const SPEED: f32 = 25.0;
    let mut triangles = arc(30.0, 20.0_f64.to_radians());
    let first = triangles.vertices.len() as u32;
    let begin = [-HALF_WIDTH, HALF_WIDTH].map(|y| DVec3::new(-200.0, y, 0.0));
    triangles.vertices.extend(begin);
    triangles
        .corners
        .extend([[first, 0, 1], [first, 1, first + 1]]);
    let terrain = Terrain::triangles("ski jump".to_owned(), triangles)?;
    let origin = DVec3::NEG_X * (RUN_UP + phase * f64::from(SPEED / rate));
    let mut car = Coasting::new(setup, &terrain, origin, SPEED, rate)?;
    let mut left = false;
    for _ in 0..(4.0 * rate) as usize {
        let body = car.step()?;
        let flies = body.position.x > 5.0 && car.flies();
        // In the step in which it leaves, the body has the mean of that step's velocities.
        if left && flies {
            return Ok(f64::from(body.angular_velocity.y));
        }
        left = flies;
    }
    Ok(f64::NAN)
}

/// The most by which a car with swept wheels rises above a curb, over its height above the road (`m`): curbs of 5 and 10 cm, at 5 to
/// 30 m/s, over phases at which its steps begin.
pub(super) fn thrown_by_curbs(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    if setup.world != WorldKind::Standalone {
        return Err(ProvingError::Lacks {
            world: setup.world.name(),
            what: "exact sweeps over edges",
        });
    }
    let mut values = Vec::new();
    for rate in RATES {
        let mut most = 0.0_f64;
        for curb in [0.05, 0.1] {
            for speed in [5.0, 10.0, 20.0, 30.0] {
                for phase in 0..PHASES {
                    let phase = phase as f64 / PHASES as f64;
                    most = most.max(risen(setup, curb, (speed, phase), rate)?);
                }
            }
        }
        values.push(most);
    }
    Ok(CarFinding {
        values,
        note: String::new(),
    })
}

fn risen(
    setup: &Setup<'_>,
    curb: f64,
    (speed, phase): (f32, f64),
    rate: f32,
) -> Result<f64, ProvingError> {
    const REACH: f64 = 5000.0;
    const EDGE: f64 = 20.0;
    let steps = Steps::new(Axes::Z_UP, DVec3::X * EDGE, curb, 4.0, 1)?;
    let terrain = Terrain::triangles("curb".to_owned(), steps.triangles(REACH))?;
    let origin = DVec3::X * (0.5 * EDGE - phase * f64::from(speed / rate));
    let car = stage::car_with(&setup.car.name, "sweep", toml::Table::new())?;
    let setup = Setup {
        car: &car,
        ..*setup
    };
    let mut car = Coasting::new(&setup, &terrain, origin, speed, rate)?;
    let level = car.world.body_state(car.vehicle.body())?.position.z + curb;
    let mut most = 0.0_f64;
    for _ in 0..((20.0 / speed + 1.5) * rate) as usize {
        most = most.max(car.step()?.position.z - level);
    }
    Ok(most)
}
