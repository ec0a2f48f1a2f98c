//! The same car, the same manoeuvres, on one world after the other.
//!
//! [`compare`] drives each car through each manoeuvre over level ground on the standalone world
//! and on another one, and says how far paths and speeds part.

mod manoeuvre;

use core::fmt;

use glam::{DVec3, Vec3};
use jounce::core::{
    BodyError, BodyId, BodyState, Command, Environment, Gear, StepError, Surfaces, Vehicle, step,
};
use jounce::file::Car;
use jounce::presets;
use lab::LabError;
use lab::ground::{GroundSpec, MeshUp, Terrain};
use lab::options::Start;
use lab::world::{self, World, WorldKind};

pub use manoeuvre::{MANOEUVRES, Manoeuvre};

/// Gravity [m/s², world axes]; z is up.
pub const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
/// Time step [s].
pub const DT: f32 = 1.0 / 60.0;
/// Steps of a manoeuvre: 10 s.
pub const STEPS: usize = 600;
/// How far paths may part, relative to the path's length [−].
pub const PATH_BOUND: f64 = 0.005;
/// How far speeds may part after the last step, relative to the speed [−].
pub const SPEED_BOUND: f64 = 0.01;
/// Slower than this, speeds are compared relative to this [m/s].
const SLOW: f64 = 1.0;

/// A world over some ground, and how the lab makes it.
#[derive(Clone, Debug)]
pub struct Place {
    kind: WorldKind,
    terrain: Terrain,
}

impl Place {
    /// A world of this kind over this ground.
    ///
    /// # Errors
    /// If the ground cannot be made.
    pub fn new(kind: WorldKind, ground: &GroundSpec) -> Result<Self, LabError> {
        let terrain = Terrain::new(ground, MeshUp::Z)?;
        Ok(Self { kind, terrain })
    }

    /// The world, with nobody in it.
    ///
    /// # Errors
    /// If the engine refuses the ground.
    pub fn open(&self) -> Result<Box<dyn World>, LabError> {
        world::open(self.kind, &self.terrain, DT)
    }

    /// Puts a car into the world, at rest where the ground begins, in first gear.
    ///
    /// # Errors
    /// If there is no ground, or the world refuses the body.
    pub fn put(&self, world: &mut dyn World, car: &Car) -> Result<Vehicle, LabError> {
        let start = Start {
            place: self.terrain.start,
            heading: 0.0,
        };
        let pose = world::standing(world, &self.terrain, car, start)?;
        let mut vehicle = Vehicle::new(car.kind(), world.add_chassis(car, &pose)?);
        vehicle.state_mut().drive.force_gear(Gear::FIRST);
        Ok(vehicle)
    }
}

/// Why a drive of the suite could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DriveError {
    /// The world could not be made.
    #[error(transparent)]
    World(#[from] LabError),
    /// The world lost the car, or an update was refused.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The world lost the car.
    #[error(transparent)]
    Body(#[from] BodyError),
}

/// The cars of the comparison, by their names in [`presets`].
pub const CARS: [&str; 3] = ["sedan", "sports-car", "physx-snippet"];

/// Drives `car` for [`STEPS`] steps of [`DT`] from rest; `command(time)` is asked before and `seen`
/// told after each.
///
/// # Errors
/// If the world cannot be made, loses the body, or an update is refused.
pub fn drive(
    place: &Place,
    car: &Car,
    command: impl Fn(f32) -> Command,
    mut seen: impl FnMut(f32, &BodyState, &Vehicle),
) -> Result<(), DriveError> {
    let mut world = place.open()?;
    let mut vehicle = place.put(&mut *world, car)?;
    let surfaces = Surfaces::new();
    let environment = Environment {
        gravity: GRAVITY,
        surfaces: &surfaces,
    };
    for n in 0..STEPS {
        let time = n as f32 * DT;
        step(&mut vehicle, &mut *world, &command(time), &environment, DT)?;
        world.advance(GRAVITY, DT);
        let state = body_state(&*world, vehicle.body())?;
        seen((n + 1) as f32 * DT, &state, &vehicle);
    }
    Ok(())
}

/// The state of one body.
fn body_state(world: &dyn World, body: BodyId) -> Result<BodyState, BodyError> {
    let mut state = [BodyState::BLANK];
    world.read(&[body], &mut state)?;
    Ok(state[0])
}

/// Where a car was after each step, and how fast after the last.
#[derive(Clone, Debug, Default)]
struct Trace {
    places: Vec<DVec3>,
    speed: f64,
}

impl Trace {
    fn of(place: &Place, car: &Car, manoeuvre: &Manoeuvre) -> Result<Self, DriveError> {
        let mut trace = Self::default();
        drive(place, car, manoeuvre.command, |_, body, _| {
            trace.places.push(body.position);
            trace.speed = f64::from(body.linear_velocity.length());
        })?;
        Ok(trace)
    }

    fn length(&self) -> f64 {
        let steps = self.places.windows(2);
        steps.map(|pair| pair[0].distance(pair[1])).sum()
    }
}

/// How one manoeuvre of one car compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The car's name.
    pub car: &'static str,
    /// The manoeuvre's name.
    pub manoeuvre: &'static str,
    /// Length of the path on the standalone world [m].
    pub length: f64,
    /// Greatest distance between the two cars at the same time, relative to the length [−].
    pub path_deviation: f64,
    /// Speed on the standalone world after the last step [m/s].
    pub speed: f64,
    /// Difference of the speeds after the last step, relative to the speed [−].
    pub speed_deviation: f64,
}

impl Row {
    fn new(car: &'static str, manoeuvre: &'static str, judge: &Trace, other: &Trace) -> Self {
        let pairs = judge.places.iter().zip(&other.places);
        let apart = pairs.fold(0.0_f64, |most, (a, b)| most.max(a.distance(*b)));
        let length = judge.length();
        Self {
            car,
            manoeuvre,
            length,
            path_deviation: apart / length,
            speed: judge.speed,
            speed_deviation: (other.speed - judge.speed).abs() / judge.speed.max(SLOW),
        }
    }

    /// Whether both deviations keep their bounds; what is no number does not.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.path_deviation <= PATH_BOUND && self.speed_deviation <= SPEED_BOUND
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<14} {:<12} {:>8.2} {:>10.4} {:>9.3} {:>10.4}  {}",
            self.car,
            self.manoeuvre,
            self.length,
            self.path_deviation * 100.0,
            self.speed,
            self.speed_deviation * 100.0,
            if self.holds() { "PASS" } else { "FAIL" }
        )
    }
}

/// The heading of a table of [`Row`]s.
#[must_use]
pub fn heading(world: &str) -> String {
    format!(
        "standalone against {world}, level ground, {:.0} s at {:.0} Hz; bounds: path {} %, speed {} %\n\
         {:<14} {:<12} {:>8} {:>10} {:>9} {:>10}",
        STEPS as f32 * DT,
        1.0 / DT,
        PATH_BOUND * 100.0,
        SPEED_BOUND * 100.0,
        "car",
        "manoeuvre",
        "path m",
        "apart %",
        "end m/s",
        "apart %",
    )
}

/// The worlds that are compared with the standalone one.
pub fn engines() -> impl Iterator<Item = WorldKind> {
    let all = WorldKind::all().iter().copied();
    all.filter(|&world| world != WorldKind::Standalone)
}

/// Every car through every manoeuvre over level ground, on the standalone world and on another.
///
/// # Errors
/// If a world cannot be made or loses a car, or an update is refused.
pub fn compare(kind: WorldKind) -> Result<Vec<Row>, DriveError> {
    let standalone = Place::new(WorldKind::Standalone, &GroundSpec::Flat)?;
    let place = Place::new(kind, &GroundSpec::Flat)?;
    let mut rows = Vec::new();
    for name in CARS {
        let car = presets::by_name(name).expect("the name is a preset's");
        for manoeuvre in &MANOEUVRES {
            let judge = Trace::of(&standalone, &car, manoeuvre)?;
            let other = Trace::of(&place, &car, manoeuvre)?;
            rows.push(Row::new(name, manoeuvre.name, &judge, &other));
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(places: &[f64], speed: f64) -> Trace {
        Trace {
            places: places.iter().map(|x| DVec3::X * *x).collect(),
            speed,
        }
    }

    #[test]
    fn deviations_are_relative() {
        let judge = trace(&[0.0, 50.0, 100.0], 20.0);
        let row = Row::new("car", "m", &judge, &trace(&[0.0, 50.4, 100.1], 20.1));
        assert!((row.path_deviation - 0.004).abs() < 1e-12);
        assert!((row.speed_deviation - 0.005).abs() < 1e-12);
        assert!(row.holds());
    }

    #[test]
    fn what_is_no_number_does_not_hold() {
        let judge = trace(&[0.0, 0.0], 20.0);
        assert!(!Row::new("car", "m", &judge, &judge).holds());
        let judge = trace(&[0.0, 50.0], 20.0);
        assert!(!Row::new("car", "m", &judge, &trace(&[0.0, 50.0], f64::NAN)).holds());
    }
}
