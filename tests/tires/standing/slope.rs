//! Cars on slopes: parked, tilted until they slide, put down, sliding.

use glam::{DVec3, Vec3};
use jounce::core::CarCommand;
use lab::LabError;
use lab::stage::{FREE, GRAVITY, Scene, Setup, Stage, steps};
use lab::world::WorldKind;

use super::bench::Bench;
use super::grip;

/// Downhill, in the vehicle frame.
pub(super) const AHEAD: Vec3 = Vec3::X;
pub(super) const LEFT: Vec3 = Vec3::Y;

const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };

/// How long a car settles, and how long it is watched then [s].
const SETTLES: f32 = 2.0;
const WATCHED: f32 = 20.0;

/// What a parked car does.
pub(super) struct Parked {
    /// How far it moves [mm/min].
    pub(super) creep: f64,
    /// Changes of sign of a tire's force forward and to the left [1/s], the most of any wheel.
    pub(super) chatter: [f64; 2],
}

/// Parks a car on a slope [°] at a heading [rad].
pub(super) fn parked(bench: &Bench, slope: f64, heading: f32, rate: f32) -> Result<Parked, LabError> {
    let scene = Scene { heading, hull: false, ..Scene::nose_down(slope) };
    let setup = Setup { world: WorldKind::Standalone, car: &bench.car };
    let mut stage = Stage::new(&setup, &scene, rate)?;
    stage.run(SETTLES, &BRAKED)?;
    let settled = stage.position()?;
    let wheels = bench.car.kind().wheel_count();
    let mut signs = vec![[(0.0_f32, 0_u32); 2]; wheels];
    let mut way = 0.0_f64;
    for _ in 0..steps(WATCHED, rate) {
        stage.step(&BRAKED)?;
        way = way.max(stage.position()?.distance(settled));
        for (n, signs) in signs.iter_mut().enumerate() {
            let report = stage.vehicle.wheel_report(n);
            let forces = [report.long_force, report.lat_force];
            for ((sign, changes), force) in signs.iter_mut().zip(forces) {
                if force != 0.0 {
                    *changes += u32::from(*sign * force < 0.0);
                    *sign = force.signum();
                }
            }
        }
    }
    let most = |n: usize| {
        let changes = signs.iter().map(|wheel| wheel[n].1).max();
        f64::from(changes.unwrap_or_default()) / f64::from(WATCHED)
    };
    Ok(Parked {
        creep: 1e3 * way * f64::from(60.0 / WATCHED),
        chatter: [most(0), most(1)],
    })
}

/// A braked car on level ground under gravity that is tilted.
struct Slope<'a> {
    bench: &'a Bench,
    stage: Stage,
    downhill: Vec3,
    /// Tangent of the slope [−].
    tangent: f64,
}

impl<'a> Slope<'a> {
    fn new(bench: &'a Bench, downhill: Vec3, tangent: f64, rate: f32) -> Result<Self, LabError> {
        let setup = Setup { world: WorldKind::Standalone, car: &bench.car };
        let scene = Scene { hull: false, ..Scene::LEVEL };
        let stage = Stage::new(&setup, &scene, rate)?;
        let mut slope = Self { bench, stage, downhill, tangent };
        slope.tilt(tangent);
        Ok(slope)
    }

    fn tilt(&mut self, tangent: f64) {
        self.tangent = tangent;
        let cosine = 1.0 / tangent.hypot(1.0);
        let [down, along] = [cosine, cosine * tangent].map(|part| part as f32 * GRAVITY.z);
        self.stage.gravity = Vec3::Z * down - self.downhill * along;
    }

    fn step(&mut self) -> Result<(), LabError> {
        self.stage.step(&BRAKED)
    }

    /// Speed downhill [m/s].
    fn speed(&self) -> f32 {
        self.stage.velocity().dot(self.downhill)
    }

    fn position(&self) -> Result<DVec3, LabError> {
        self.stage.position()
    }

    /// What a force of the tires sums up to over what stands on the slope [−].
    fn needed_over(&self, force: impl Fn(&jounce::core::WheelReport, f32) -> f64) -> f64 {
        let kind = self.bench.car.kind();
        let wheels = kind.params().wheels.iter().enumerate();
        let held: f64 = wheels.map(|(n, w)| force(&self.stage.vehicle.wheel_report(n), w.radius)).sum();
        let weight = f64::from(self.bench.car.mass()) * f64::from(self.stage.gravity.length());
        weight * self.tangent / self.tangent.hypot(1.0) / held
    }

    /// What is needed to stand over what the tires' peaks hold at their present loads [−].
    fn share_of_peak(&self) -> f64 {
        let tire = &*self.bench.tire;
        self.needed_over(|wheel, radius| grip::peak(tire, wheel, radius, self.downhill))
    }

    /// The same over what sliding tires hold.
    fn share_of_sliding(&self) -> f64 {
        let tire = &*self.bench.tire;
        self.needed_over(|wheel, radius| grip::sliding(tire, wheel, radius, self.downhill, FAST))
    }
}

/// What slowly tilting finds.
pub(super) struct Tilt {
    /// What is needed where it slides, over the peak [−].
    pub(super) ratio: f64,
    pub(super) tangent: f64,
    /// How far it moves at 0.98 of that [mm/min].
    pub(super) creep: f64,
}

/// From here on a car slides [m/s].
const SLIDES: f32 = 0.01;

pub(super) fn tilt(bench: &Bench, downhill: Vec3, rate: f32) -> Result<Tilt, LabError> {
    const QUICK: f64 = 0.15;
    const SLOW: f64 = 0.004;
    const HOLDS: f32 = 5.0;
    let mut slope = Slope::new(bench, downhill, 0.0, rate)?;
    for _ in 0..steps(1.0, rate) {
        slope.step()?;
    }
    let (mut ratio, mut creep) = (0.0, f64::NAN);
    let dt = 1.0 / f64::from(rate);
    let every = steps(0.1, rate).max(1);
    for n in 0.. {
        if n % every == 0 {
            ratio = slope.share_of_peak();
        }
        if ratio > 1.1 || slope.speed() > SLIDES {
            break;
        }
        if ratio > 0.98 && creep.is_nan() {
            for _ in 0..steps(1.0, rate) {
                slope.step()?;
            }
            let stood = slope.position()?;
            for _ in 0..steps(HOLDS, rate) {
                slope.step()?;
            }
            creep = 1e3 * slope.position()?.distance(stood) * f64::from(60.0 / HOLDS);
        }
        let pace = if ratio < 0.85 { QUICK } else { SLOW };
        slope.tilt(slope.tangent + pace * dt);
        slope.step()?;
    }
    Ok(Tilt { ratio, tangent: slope.tangent, creep })
}

/// Halvings of a search.
const HALVINGS: u8 = 8;

/// The greatest tangent at which something holds, and the share of the peak there.
fn search(holds: impl Fn(f64) -> Result<Option<[f64; 2]>, LabError>) -> Result<[f64; 2], LabError> {
    let (mut low, mut high, mut found) = (0.0, 2.0, [0.0; 2]);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        match holds(middle)? {
            Some(share) => (low, found) = (middle, share),
            None => high = middle,
        }
    }
    Ok(found)
}

/// A car that is put down at rest: the greatest share of the peak at which it stays.
pub(super) fn put(bench: &Bench, downhill: Vec3, rate: f32) -> Result<f64, LabError> {
    let found = search(|tangent| {
        let mut slope = Slope::new(bench, downhill, tangent, rate)?;
        for _ in 0..steps(6.0, rate) {
            slope.step()?;
            if slope.speed() > 1.0 {
                return Ok(None);
            }
        }
        Ok((slope.speed() < 1e-3).then(|| [slope.share_of_peak(), 0.0]))
    })?;
    Ok(found[0])
}

/// Speed of a car that slides [m/s].
const FAST: f32 = 3.0;

/// A car that slides: the greatest share of the peak at which it comes to rest, and what it should be by the law.
pub(super) fn comes_to_rest(bench: &Bench, downhill: Vec3, rate: f32) -> Result<(f64, f64), LabError> {
    let found = search(|tangent| {
        let mut slope = Slope::new(bench, downhill, 3.0, rate)?;
        for _ in 0..steps(10.0, rate) {
            slope.step()?;
            if slope.speed() > FAST {
                break;
            }
        }
        slope.tilt(tangent);
        for _ in 0..steps(30.0, rate) {
            slope.step()?;
            if slope.speed() > 1.2 * FAST {
                return Ok(None);
            }
            if slope.speed() < 1e-3 {
                let share = slope.share_of_peak();
                return Ok(Some([share, share / slope.share_of_sliding()]));
            }
        }
        Ok(None)
    })?;
    Ok((found[0], found[1]))
}
