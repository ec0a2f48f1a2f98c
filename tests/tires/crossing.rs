//! Cars that steer at a standstill, and cars that cross speed 0: on every tire, at every step, with
//! both solvers.
//!
//! On the rows solver nothing may jump. A standing car stays where it is while its wheels turn from
//! lock to lock: its carcasses carry no load then, and the bound is half of their deflection at
//! full grip. When a car reverses its motion, rolling or driven, its acceleration changes by no
//! more than the dry friction of its tires: rolling resistance, which reverses with the wheels as
//! fast as the carcasses oscillate.
//!
//! The explicit solver is that of PhysX, with weaker bounds: its stiff tires chatter about speed 0,
//! and the shifts of a law push a standing car. It must not gain or lose speed by that
//! ([`EXPLICIT_SPEEDS`]), and braked cars must stay.

use core::fmt;

use glam::Vec3;
use jounce::core::{CarCommand, Gear, TireInput};
use proving_ground::ProvingError;
use proving_ground::stage::{FREE, GRAVITY, Scene, Setup, Stage, steps};
use proving_ground::world::WorldKind;
use vehicle_conformance::harness::Trial;
use vehicle_conformance::stability::Goal;

use crate::laws::{self, Tire};
use crate::standing::{Bench, judge, rates};

/// Maximum displacement of a standing car that steers (`mm`).
const ROWS_STAY: Goal = Goal::Below(0.5);
const EXPLICIT_STAYS: Goal = Goal::Below(10.0);

/// Changes of acceleration up to this do not count as jumps (`m/s²`).
const NO_JUMP: f64 = 0.01;

/// Rate at which rolling resistance reverses [1/s]: with the oscillation of the carcasses, within 4
/// ms at the fastest.
const TURNS_ROUND: f64 = 250.0;

/// Final speeds on the explicit solver, relative to those on the rows solver.
const EXPLICIT_SPEEDS: Goal = Goal::Within(0.9, 1.1);

/// One test per tire.
pub(crate) fn all() -> Vec<Trial> {
    laws::tires().into_iter().enumerate().map(trial).collect()
}

fn trial((n, tire): (usize, Tire)) -> Trial {
    let name = format!("crossing::{n} {}", tire.name).replace(' ', "_");
    Trial::new(name, move || {
        let [rows, explicit] = ["rows", "explicit"].map(|solver| Cars::new(&tire, solver));
        let (rows, explicit) = (rows?, explicit?);
        let lines = rates().iter();
        let lines = lines.map(|&rate| Line::of(&tire.name, &rows, &explicit, rate));
        judge(lines, |line| line.broken().collect())
    })
}

/// One car twice: the preset, and with direct torque on its wheels.
struct Cars {
    rolling: Bench,
    driven: Bench,
}

impl Cars {
    fn new(tire: &Tire, solver: &str) -> Result<Self, String> {
        Ok(Self {
            rolling: Bench::new(tire, solver)?,
            driven: Bench::driven(tire, solver)?,
        })
    }
}

/// A tire at a step.
struct Line<'a> {
    tire: &'a str,
    rate: f32,
    rows: Found,
    explicit: Found,
    /// Bound of the jumps on the rows solver (`m/s²`).
    most: f64,
}

impl<'a> Line<'a> {
    fn of(tire: &'a str, rows: &Cars, explicit: &Cars, rate: f32) -> Result<Self, ProvingError> {
        let turned = TURNS_ROUND / f64::from(rate);
        Ok(Self {
            tire,
            rate,
            rows: Found::of(rows, rate)?,
            explicit: Found::of(explicit, rate)?,
            most: NO_JUMP + 2.0 * rolling_resistance(&rows.rolling) * turned.min(1.0),
        })
    }

    /// Violations of the bounds.
    fn broken(&self) -> impl Iterator<Item = &'static str> {
        let (rows, explicit) = (&self.rows, &self.explicit);
        let stays = |goal: Goal, ways: &[f64]| ways.iter().all(|way| goal.admits(*way));
        let turns = || rows.turns.iter().zip(&explicit.turns);
        let checks = [
            ("rows steer", stays(ROWS_STAY, &rows.ways)),
            (
                "explicit steers",
                stays(EXPLICIT_STAYS, &explicit.ways[..1]),
            ),
            (
                "rows jump",
                rows.turns.iter().all(|turn| turn.jump < self.most),
            ),
            (
                "turns round",
                turns().all(|(rows, explicit)| rows.end < -0.5 && explicit.end < -0.5),
            ),
            (
                "explicit ends",
                turns().all(|(rows, explicit)| EXPLICIT_SPEEDS.admits(explicit.end / rows.end)),
            ),
        ];
        checks
            .into_iter()
            .filter(|(_, holds)| !holds)
            .map(|(what, _)| what)
    }
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, explicit, .. } = self;
        let [rolling, driven] = [0, 1].map(|n| explicit.turns[n].end / rows.turns[n].end);
        write!(f, "{:<22} 1/{:<4} s:", self.tire, self.rate)?;
        write!(f, " rows {rows} ({ROWS_STAY} mm, < {:.3} m/s²);", self.most)?;
        write!(f, " explicit {explicit} (braked {EXPLICIT_STAYS} mm),")?;
        write!(
            f,
            " ends at {rolling:.3}, {driven:.3} of rows' speeds ({EXPLICIT_SPEEDS})"
        )
    }
}

/// Measured motion of a car.
struct Found {
    /// Displacement while the car steers at a standstill, braked and free (`mm`).
    ways: [f64; 2],
    /// Rolling back down a slope, and driven back.
    turns: [Turn; 2],
}

impl Found {
    fn of(cars: &Cars, rate: f32) -> Result<Self, ProvingError> {
        let back = Scene {
            speed: 1.5,
            ..Scene::LEVEL
        };
        let mut rolling = stage(&cars.rolling, back, rate)?;
        // Up a slope.
        let (sine, cosine) = (libm::sinf(SLOPE), libm::cosf(SLOPE));
        rolling.gravity = GRAVITY.z * Vec3::new(sine, 0.0, cosine);
        let reverse = Scene {
            gear: Gear::REVERSE,
            ..back
        };
        let mut driven = stage(&cars.driven, reverse, rate)?;
        let throttle = CarCommand {
            throttle: 1.0,
            ..FREE
        };
        Ok(Self {
            ways: [
                steered(&cars.rolling, 1.0, rate)?,
                steered(&cars.rolling, 0.0, rate)?,
            ],
            turns: [
                Turn::of(&mut rolling, &FREE, 4.0)?,
                Turn::of(&mut driven, &throttle, 3.0)?,
            ],
        })
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([braked, free], [rolling, driven]) = (self.ways, &self.turns);
        write!(
            f,
            "steers on the spot: {braked:.2} mm braked, {free:.2} mm free; turns round: jumps of {:.3} m/s² rolling, \
             {:.3} m/s² driven",
            rolling.jump, driven.jump
        )
    }
}

/// The slope on which a car rolls back (`rad`).
const SLOPE: f32 = 0.087;

/// A car that goes forward, comes to rest and goes back.
struct Turn {
    /// Maximum change of its acceleration from step to step below 0.5 m/s (`m/s²`).
    jump: f64,
    /// Speed at the end (`m/s`).
    end: f64,
}

impl Turn {
    fn of(stage: &mut Stage, command: &CarCommand, seconds: f32) -> Result<Self, ProvingError> {
        let dt = f64::from(stage.dt);
        let speed =
            |stage: &Stage| Ok::<_, ProvingError>(f64::from(stage.body()?.linear_velocity.x));
        let (mut end, mut before, mut jump) = (speed(stage)?, None, 0.0_f64);
        for _ in 0..steps(seconds, 1.0 / stage.dt) {
            stage.step(command)?;
            let now = speed(stage)?;
            let acceleration = (now - end) / dt;
            end = now;
            if now.abs() < 0.5 {
                let change = acceleration - before.unwrap_or(acceleration);
                jump = jump.max(change.abs());
                before = Some(acceleration);
            } else {
                before = None;
            }
        }
        Ok(Self { jump, end })
    }
}

fn stage(bench: &Bench, scene: Scene, rate: f32) -> Result<Stage, ProvingError> {
    let setup = Setup {
        world: WorldKind::Standalone,
        car: &bench.car,
    };
    let scene = Scene {
        hull: false,
        ..scene
    };
    Stage::new(&setup, &scene, rate)
}

/// Displacement of a standing car (`mm`) that steers right, left and straight again within 4 s.
fn steered(bench: &Bench, brake: f32, rate: f32) -> Result<f64, ProvingError> {
    let mut stage = stage(bench, Scene::LEVEL, rate)?;
    stage.run(2.0, &CarCommand { brake, ..FREE })?;
    let start = stage.position()?;
    let mut way = 0.0_f64;
    for n in 0..steps(6.0, rate) {
        let time = n as f32 * stage.dt;
        let steer = match time {
            ..1.0 => time,
            ..3.0 => 2.0 - time,
            ..4.0 => time - 4.0,
            _ => 0.0,
        };
        let command = CarCommand {
            brake,
            steer,
            ..FREE
        };
        stage.step(&command)?;
        way = way.max(stage.position()?.distance(start));
    }
    Ok(1e3 * way)
}

/// Deceleration of a car by rolling resistance (`m/s²`).
fn rolling_resistance(bench: &Bench) -> f64 {
    let model = bench.car.model();
    let wheels = model.params().wheels.iter().map(|wheel| {
        let load = (wheel.mass + wheel.suspension.sprung_mass) * -GRAVITY.z;
        let input = TireInput {
            radius: wheel.radius,
            load,
            rest_load: load,
            friction: 1.0,
            gravity: -GRAVITY.z,
            ..TireInput::default()
        };
        let traits = bench.tire.traits();
        let moment = bench.tire.forces(&input).rolling_resistance;
        if traits.has_moments {
            f64::from(moment / wheel.radius)
        } else {
            0.0
        }
    });
    wheels.sum::<f64>() / f64::from(bench.car.mass())
}
