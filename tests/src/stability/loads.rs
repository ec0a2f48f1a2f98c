//! Cars under loads that the engine applies: put on, lifted off, swinging, and steady ones at speed.

use glam::{DVec3, Vec3};

use super::finding::{CarFinding, RATES};
use super::stage::{FREE, GRAVITY, PushKind, Scene, Setup, Stage, steps};
use super::standing::{ALL_BRAKES, BRAKED, drift, drift_of_periods, settling};
use proving_ground::ProvingError;
use proving_ground::world::WorldKind;

/// The slope (`°`).
const SLOPE: f64 = 10.0;
/// Share of the load that a car can hold that is asked of it (–).
pub(super) const SHARE: f32 = 0.95;
/// Duration of a measurement (`s`).
const WATCH: f32 = 10.0;
/// Loads over the car's own weight: put on, lifted off. What is left of it keeps every spring within its travel.
const LOADS: [f32; 8] = [0.1, 0.5, 1.0, 2.0, 3.0, -0.3, -0.45, -0.55];
/// Loads over the car's own weight that a hoist lifts off until springs are at their ends.
const HOISTS: [f32; 2] = [-0.75, -0.9];
/// Time until a hoist, or a push to the side, pulls in full (`s`).
const GROWTH: f32 = 2.0;

/// Point of the body at the ground under its center of mass (`m`): pitch and roll hardly move it.
pub(super) fn foot(setup: &Setup<'_>, stage: &Stage) -> Result<DVec3, ProvingError> {
    let body = stage.body()?;
    let down = body.rotation * Vec3::NEG_Z * setup.car.ride_height() as f32;
    Ok(body.position + down.as_dvec3())
}

/// Most that the car moves (`mm`) under a constant load, of which the slope's part is at most 0.95 of what it holds.
pub(super) fn loaded(setup: &Setup<'_>, kind: PushKind) -> Result<CarFinding, ProvingError> {
    let scene = Scene::nose_down(SLOPE);
    let most = SHARE * held(setup, Vec3::X)? / -scene.downhill().z - 1.0;
    let hoists = HOISTS.map(|load| (load, GROWTH));
    let at_once = LOADS.map(|load| (load.min(most), 0.0));
    CarFinding::at_rates(|rate| {
        let mut worst = 0.0_f64;
        for (load, growth) in at_once.into_iter().chain(hoists) {
            let mut stage = Stage::new(setup, &scene, rate)?;
            let weight = GRAVITY * stage.body()?.mass;
            stage.run(settling(setup), &BRAKED)?;
            grow(&mut stage, kind, weight * load, growth)?;
            stage.run(settling(setup) * 4.0, &BRAKED)?;
            worst = worst.max(drift(&mut stage, WATCH, &BRAKED)?);
        }
        Ok(worst)
    })
}

/// Pushes a braked car by a force (`N`) that grows to this within a time (`s`).
fn grow(stage: &mut Stage, kind: PushKind, force: Vec3, time: f32) -> Result<(), ProvingError> {
    let growth = steps(time, 1.0 / stage.dt);
    for n in 1..=growth {
        stage.push(kind, force * (n as f32 / growth as f32))?;
        stage.step(&BRAKED)?;
    }
    stage.push(kind, force)
}

/// Force over its weight (–) that a braked car on level ground holds in a `direction` before its tires or brakes slip, or
/// it tips over: in the standalone world, by bisection.
pub(super) fn held(setup: &Setup<'_>, direction: Vec3) -> Result<f32, ProvingError> {
    /// A push that moves the car farther than this, and than springs and carcasses yield, is not held (`m`).
    const SLIPS: f64 = 0.01;
    let alone = Setup {
        world: WorldKind::Standalone,
        ..*setup
    };
    let holds = |share: f32| {
        let mut stage = Stage::new(&alone, &Scene::LEVEL, RATES[3])?;
        let weight = GRAVITY.length() * stage.body()?.mass;
        let force = direction * (share * weight);
        grow(&mut stage, PushKind::Force, force, GROWTH)?;
        stage.run(settling(setup), &BRAKED)?;
        let stood = stage.position()?;
        stage.run(settling(setup), &BRAKED)?;
        let upright = (stage.body()?.rotation * Vec3::Z).z > 0.9;
        Ok::<_, ProvingError>(upright && stage.position()?.distance(stood) < SLIPS)
    };
    largest(2.0, holds)
}

/// The largest number up to `most` of which something holds, by bisection.
fn largest(
    mut most: f32,
    holds: impl Fn(f32) -> Result<bool, ProvingError>,
) -> Result<f32, ProvingError> {
    let mut least = 0.0;
    for _ in 0..8 {
        let middle = 0.5 * (least + most);
        let end = if holds(middle)? {
            &mut least
        } else {
            &mut most
        };
        *end = middle;
    }
    Ok(least)
}

/// Most that the car moves (`mm`) on level ground while it is pushed to the side by 0.95 of what it holds, which
/// grows to that within 2 s.
pub(super) fn at_the_limit(setup: &Setup<'_>, kind: PushKind) -> Result<CarFinding, ProvingError> {
    let share = SHARE * held(setup, Vec3::Y)?;
    let found = CarFinding::at_rates(|rate| {
        let mut stage = Stage::new(setup, &Scene::LEVEL, rate)?;
        let weight = GRAVITY.length() * stage.body()?.mass;
        stage.run(settling(setup), &BRAKED)?;
        grow(&mut stage, kind, Vec3::Y * (share * weight), GROWTH)?;
        stage.run(settling(setup) * 2.0, &BRAKED)?;
        drift(&mut stage, WATCH, &BRAKED)
    })?;
    Ok(CarFinding {
        note: format!("{share:.2} g"),
        ..found
    })
}

/// A braked car on the slope, under a load that turns in the plane of its fall.
struct SwungCar {
    stage: Stage,
    kind: PushKind,
    /// The load (`N`).
    load: f32,
    downhill: Vec3,
    /// Steps of a turn.
    period: usize,
}

impl SwungCar {
    /// Time of a turn (`s`).
    const PERIOD: f32 = 2.0;

    /// A test of a push with a `load` over the car's weight (–).
    fn new(setup: &Setup<'_>, kind: PushKind, load: f32, rate: f32) -> Result<Self, ProvingError> {
        let scene = Scene::nose_down(SLOPE);
        let stage = Stage::new(setup, &scene, rate)?;
        Ok(Self {
            load: load * stage.body()?.mass * GRAVITY.length(),
            stage,
            kind,
            downhill: scene.downhill(),
            period: steps(Self::PERIOD, rate),
        })
    }

    fn step(&mut self, n: usize) -> Result<(), ProvingError> {
        let turned = n as f32 / self.period as f32 * core::f32::consts::TAU;
        let (sine, cosine) = jounce::core::math::sin_cos(turned);
        let force = (self.downhill * sine + Vec3::Z * cosine) * self.load;
        self.stage.push(self.kind, force)?;
        self.stage.step(&ALL_BRAKES)
    }

    /// Whether any wheel stands through a whole turn of the push, after settling. Where each slips or turns in its brake at one
    /// moment or another, the car walks: wheels that the load has lifted hand their parts to the others, and stand elsewhere
    /// when it presses on them again.
    fn holds_throughout(mut self) -> Result<bool, ProvingError> {
        /// Share of a wheel's grip in use above which it slips (–).
        const SLIPS: f32 = 0.999;
        let mut stands = vec![true; self.stage.vehicle.model().wheel_count()];
        for n in 0..4 * self.period {
            self.step(n)?;
            if n >= 3 * self.period {
                for (wheel, stands) in stands.iter_mut().enumerate() {
                    let report = self.stage.vehicle.wheel_report(wheel);
                    *stands &= report.grip_used < SLIPS && report.turned == 0.0;
                }
            }
        }
        Ok(stands.into_iter().any(|stands| stands))
    }
}

/// The swinging load over the weight (–) that is asked of a car: half of it, or 0.95 of what it holds, as a whole at every
/// angle, and by some wheel throughout.
fn swung(setup: &Setup<'_>) -> Result<f32, ProvingError> {
    let alone = Setup {
        world: WorldKind::Standalone,
        ..*setup
    };
    let downhill = Scene::nose_down(SLOPE).downhill();
    // sin + L·sin φ ≤ μ·(cos − L·cos φ) for every φ
    let friction = SHARE * held(setup, Vec3::X)?;
    let (sine, cosine) = (-downhill.z, -downhill.x);
    let whole = (friction * cosine - sine) / friction.hypot(1.0);
    let asked = whole.min(0.5);
    let holds =
        |load: f32| SwungCar::new(&alone, PushKind::Force, load, RATES[3])?.holds_throughout();
    if holds(asked)? {
        return Ok(asked);
    }
    Ok(SHARE * largest(asked, holds)?)
}

/// Most that the car's foot moves (`mm`) under a swinging load: from the same moment of the first period after settling.
pub(super) fn swinging(setup: &Setup<'_>, kind: PushKind) -> Result<CarFinding, ProvingError> {
    let load = swung(setup)?;
    let found = CarFinding::at_rates(|rate| {
        let mut swing = SwungCar::new(setup, kind, load, rate)?;
        drift_of_periods(swing.period, |n| {
            swing.step(n)?;
            foot(setup, &swing.stage)
        })
    })?;
    Ok(CarFinding {
        note: format!("{load:.2} g"),
        ..found
    })
}

/// Pushes on a car at 40 m/s, over gravity: down, up by less than its weight, along and across within its grip.
const PUSHES: [Vec3; 11] = [
    Vec3::new(0.0, 0.0, -0.1),
    Vec3::new(0.0, 0.0, -0.5),
    Vec3::new(0.0, 0.0, -1.0),
    Vec3::new(0.0, 0.0, -3.0),
    Vec3::new(0.0, 0.0, 0.3),
    Vec3::new(0.0, 0.0, 0.55),
    Vec3::new(0.1, 0.0, 0.0),
    Vec3::new(-0.3, 0.0, 0.0),
    Vec3::new(0.0, 0.1, 0.0),
    Vec3::new(0.0, -0.3, 0.0),
    Vec3::new(-0.2, 0.2, -0.5),
];

/// Ride height (`m`), and the wheels' loads over those of the closed form (–), of a car at 40 m/s that has been pushed
/// for 4 s.
fn pressed(
    setup: &Setup<'_>,
    kind: PushKind,
    push: Vec3,
    rate: f32,
) -> Result<(f64, f64), ProvingError> {
    let scene = Scene {
        speed: 40.0,
        ..Scene::LEVEL
    };
    let mut stage = Stage::new(setup, &scene, rate)?;
    let weight = stage.body()?.mass * GRAVITY.length();
    stage.push(kind, push * weight)?;
    stage.run(4.0, &FREE)?;
    let wheels = 0..stage.vehicle.model().wheel_count();
    let loads: f32 = wheels
        .map(|wheel| stage.vehicle.wheel_report(wheel).load)
        .sum();
    let closed = weight * (1.0 - push.z);
    Ok((stage.position()?.z, f64::from(loads / closed)))
}

/// Spread of the ride height over the rates (`mm`) of a car at 40 m/s that is pushed.
pub(super) fn pressed_at_speed(
    setup: &Setup<'_>,
    kind: PushKind,
) -> Result<CarFinding, ProvingError> {
    let mut found = CarFinding::noted(0.0, String::new());
    for push in PUSHES {
        let heights = RATES.map(|rate| pressed(setup, kind, push, rate).map(|(height, _)| height));
        let heights: Vec<f64> = heights.into_iter().collect::<Result<_, _>>()?;
        let least = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let most = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let spread = 1000.0 * (most - least);
        if !spread.is_finite() || spread > found.values[0] {
            found = CarFinding::noted(spread, format!("{push} g"));
        }
    }
    Ok(found)
}

/// Most by which the loads of a car at 40 m/s that is pushed are away from the closed form (`%`).
pub(super) fn loads_at_speed(
    setup: &Setup<'_>,
    kind: PushKind,
) -> Result<CarFinding, ProvingError> {
    CarFinding::at_rates(|rate| {
        PUSHES.into_iter().try_fold(0.0_f64, |most, push| {
            let (_, loads) = pressed(setup, kind, push, rate)?;
            Ok(most.max(100.0 * (loads - 1.0).abs()))
        })
    })
}
