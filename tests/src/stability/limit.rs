//! Cars at the limit of their grip: their paths are the same at every rate.

use core::f32::consts::TAU;

use glam::{DVec3, Vec3};
use jounce::core::{CarCommand, Gear};
use jounce::file::TargetFigure;

use super::finding::{CarFinding, RATES};
use super::stage::{FREE, Scene, Setup, Stage, steps};
use proving_ground::ProvingError;
use proving_ground::world::WorldKind;

/// Rate at which a car is looked at: all others are multiples of it (`Hz`).
const LOOKS: f32 = RATES[0];
/// The rate that the others are compared with (`Hz`).
const FINEST: f32 = RATES[3];
/// Duration of a slalom: some 300 m (`s`).
const SLALOM: f32 = 15.0;

/// Position and heading of a car.
#[derive(Clone, Copy, Debug)]
struct Whereabouts {
    place: DVec3,
    /// Heading, to the left of +x (`°`).
    heading: f64,
}

/// A drive of a car.
struct ScriptedDrive {
    scene: Scene,
    seconds: f32,
    /// The command at a time (`s`) and a speed (`m/s`).
    command: Box<dyn Fn(f32, f32) -> CarCommand>,
}

impl ScriptedDrive {
    /// Calls `see` after every step, with the velocity before it (`m/s`).
    fn run(
        &self,
        setup: &Setup<'_>,
        rate: f32,
        mut see: impl FnMut(usize, &Stage, Vec3) -> Result<(), ProvingError>,
    ) -> Result<(), ProvingError> {
        let mut stage = Stage::new(setup, &self.scene, rate)?;
        // The car's own is that after its last update.
        let placed = stage.body()?.linear_velocity;
        for n in 0..steps(self.seconds, rate) {
            let before = if n == 0 { placed } else { stage.velocity() };
            let time = (n as f32 + 0.5) / rate;
            stage.step(&(self.command)(time, before.length()))?;
            see(n, &stage, before)?;
        }
        Ok(())
    }

    fn looks(&self, setup: &Setup<'_>, rate: f32) -> Result<Vec<Whereabouts>, ProvingError> {
        let mut looks = Vec::new();
        let between = steps(1.0 / LOOKS, rate);
        self.run(setup, rate, |n, stage, _| {
            if (n + 1) % between == 0 {
                let body = stage.body()?;
                let ahead = body.rotation * Vec3::X;
                looks.push(Whereabouts {
                    place: body.position,
                    heading: f64::from(ahead.y).atan2(ahead.x.into()).to_degrees(),
                });
            }
            Ok(())
        })?;
        Ok(looks)
    }

    /// The most by which looks at each coarser rate differ from those at the finest, whose way (`m`) `differ` gets, too.
    fn apart(
        &self,
        setup: &Setup<'_>,
        differ: impl Fn(&Whereabouts, &Whereabouts, f64) -> f64,
    ) -> Result<CarFinding, ProvingError> {
        let finest = self.looks(setup, FINEST)?;
        let way = way(&finest);
        let apart = |rate: f32| {
            let looks = self.looks(setup, rate)?;
            let pairs = looks.iter().zip(&finest);
            Ok(pairs.map(|(a, b)| differ(a, b, way)).fold(0.0, f64::max))
        };
        let coarser = RATES.into_iter().filter(|rate| *rate < FINEST);
        Ok(CarFinding {
            values: coarser.map(apart).collect::<Result<_, ProvingError>>()?,
            note: format!("{way:.0} m"),
        })
    }

    /// Greatest distance of the positions over the path (`%`).
    fn places(&self, setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
        self.apart(setup, |a, b, way| 100.0 * a.place.distance(b.place) / way)
    }

    /// The most that the headings are apart (`°`).
    fn headings(&self, setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
        self.apart(setup, |a, b, _| (a.heading - b.heading).abs())
    }
}

/// Length of a path (`m`).
fn way(looks: &[Whereabouts]) -> f64 {
    let pairs = looks.windows(2);
    pairs
        .map(|pair| pair[1].place.distance(pair[0].place))
        .sum()
}

/// Returns this speed, or the car's top speed by its class where that is lower (`m/s`).
fn within_class(setup: &Setup<'_>, speed: f32) -> f32 {
    let mut targets = setup.car.targets.iter();
    let top = targets.find(|target| target.figure == TargetFigure::TopSpeed);
    top.map_or(speed, |top| speed.min(top.value / 3.6))
}

/// Period of a turn to the right and one to the left (`s`).
const PERIOD: f32 = 4.0;

/// A slalom at 20 m/s, the wheel turned to and fro by `steer` (–).
fn slalom(setup: &Setup<'_>, steer: f32, seconds: f32) -> ScriptedDrive {
    /// Throttle per speed error (`s/m`).
    const GAIN: f32 = 0.3;
    let cruise = within_class(setup, 20.0);
    ScriptedDrive {
        scene: Scene {
            speed: cruise,
            gear: Gear(5),
            ..Scene::LEVEL
        },
        seconds,
        command: Box::new(move |time, speed| CarCommand {
            throttle: (GAIN * (cruise - speed)).clamp(0.0, 1.0),
            steer: steer * libm::sinf(time / PERIOD * TAU),
            ..FREE
        }),
    }
}

/// Result of a slalom of two periods.
struct Slalom {
    /// The highest lateral acceleration (`m/s²`).
    acceleration: f32,
    upright: bool,
    /// Greatest lateral over forward displacement of the car in each of its four turns (–).
    sideslips: [f32; 4],
}

impl Slalom {
    fn of(setup: &Setup<'_>, steer: f32) -> Result<Self, ProvingError> {
        let turn = steps(0.5 * PERIOD, FINEST);
        let mut seen = Self {
            acceleration: 0.0,
            upright: true,
            sideslips: [0.0; 4],
        };
        slalom(setup, steer, 2.0 * PERIOD).run(setup, FINEST, |n, stage, before| {
            let body = stage.body()?;
            let velocity = body.rotation.inverse() * stage.velocity();
            let gained = (stage.velocity() - before).dot(body.rotation * Vec3::Y);
            seen.acceleration = seen.acceleration.max(gained.abs() / stage.dt);
            seen.upright &= (body.rotation * Vec3::Z).z > 0.9;
            let sideslip = &mut seen.sideslips[n / turn];
            *sideslip = sideslip.max((velocity.y / velocity.x).abs());
            Ok(())
        })?;
        Ok(seen)
    }

    /// Whether the slalom can go on: the car neither tips over, nor grows its sideslip by more than a tenth from the first turn
    /// to the last.
    fn lasts(&self) -> bool {
        const GROWTH: f32 = 1.1;
        let [first, .., last] = self.sideslips;
        self.upright && last < GROWTH * first
    }
}

/// Steering (–) for 0.95 of the highest lateral acceleration that any gives in a slalom that lasts.
fn at_the_limit(setup: &Setup<'_>) -> Result<f32, ProvingError> {
    const SHARE: f32 = 0.95;
    let alone = Setup {
        world: WorldKind::Standalone,
        ..*setup
    };
    let mut found = Vec::new();
    for steer in (1..=30).map(|n| 0.02 * n as f32) {
        let slalom = Slalom::of(&alone, steer)?;
        if !slalom.lasts() {
            break;
        }
        found.push((steer, slalom.acceleration));
    }
    let most = found.iter().map(|(_, most)| *most).fold(0.0, f32::max);
    let least = found.into_iter().find(|(_, found)| *found >= SHARE * most);
    Ok(least.map_or(f32::NAN, |(steer, _)| steer))
}

pub(super) fn slalom_way(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    slalom(setup, at_the_limit(setup)?, SLALOM).places(setup)
}

pub(super) fn slalom_heading(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    slalom(setup, at_the_limit(setup)?, SLALOM).headings(setup)
}

/// The most that a slalom at the limit and its mirror image are apart (`cm`).
pub(super) fn mirrored(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let steer = at_the_limit(setup)?;
    let [drive, image] = [steer, -steer].map(|steer| slalom(setup, steer, SLALOM));
    CarFinding::at_rates(|rate| {
        let (looks, image) = (drive.looks(setup, rate)?, image.looks(setup, rate)?);
        let pairs = looks.iter().zip(&image);
        let apart = pairs.map(|(a, b)| a.place.distance(b.place * DVec3::new(1.0, -1.0, 1.0)));
        Ok(100.0 * apart.fold(0.0, f64::max))
    })
}

/// Drive from 150 km/h to a standstill at full braking, hands off.
fn full_braking(setup: &Setup<'_>) -> ScriptedDrive {
    ScriptedDrive {
        scene: Scene {
            speed: within_class(setup, 150.0 / 3.6),
            ..Scene::LEVEL
        },
        seconds: 10.0,
        command: Box::new(|_, _| CarCommand { brake: 1.0, ..FREE }),
    }
}

pub(super) fn braking_way(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    full_braking(setup).places(setup)
}

pub(super) fn braking_heading(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    full_braking(setup).headings(setup)
}
