//! A drive in worlds of meters, centimeters, inches and grams:
//! `cargo run --release -p jounce-lab --example scale`.
//!
//! Ground, body and gravity of the world are in its own units; the vehicle stays in SI and sees the world
//! through [`InUnits`].

use core::error::Error;

use glam::{DVec3, Quat};
use jounce::core::{
    Air, Axis, CarCommand, Command, Environment, Frame, Gear, GearCommand, InUnits, Surfaces,
    UnitScale, Vehicle, step,
};
use jounce::file::Car;
use jounce::scene::{BodyDesc, Plane, Standalone};

/// Time step (`s`).
const DT: f32 = 1.0 / 60.0;
/// Steps of the drive: 12 s.
const STEPS: u32 = 720;
/// Height that the car is dropped from (`m`).
const DROP: f64 = 0.2;

const INCHES_AND_GRAMS: UnitScale = UnitScale {
    length: UnitScale::INCHES.length,
    mass: UnitScale::GRAMS.mass,
};

/// Units and axes of the world of a drive.
#[derive(Clone, Copy, Debug)]
struct Place {
    units: UnitScale,
    /// World axes of the car's forward and up directions.
    axes: [Axis; 2],
    /// Additional drop height (`m`).
    higher: f64,
}

impl Place {
    const fn with(units: UnitScale) -> Self {
        Self {
            units,
            axes: [Axis::X, Axis::Z],
            higher: 0.0,
        }
    }
}

/// The driver's input: start, a bend, braking, handbrake, and finally nothing, in first gear.
fn command(tick: u32) -> Command {
    let mut car = CarCommand::default();
    match tick {
        0..30 => {}
        30..240 => car.throttle = 0.8,
        240..360 => (car.throttle, car.steer) = (0.3, 0.25),
        360..420 => car.brake = 0.4,
        420..600 => (car.brake, car.handbrake, car.steer) = (0.8, 1.0, -0.1),
        _ => (car.gear, car.automatic) = (GearCommand::Engage(Gear::FIRST), false),
    }
    Command::Car(car)
}

/// Position of the car after each step (`m`, along the axes that it started with).
fn drive(car: &Car, place: Place) -> Result<Vec<DVec3>, Box<dyn Error>> {
    let Place {
        units,
        axes,
        higher,
    } = place;
    let frame = Frame::new(axes[0], axes[1])?;
    let up = axes[1].unit();
    let mut world = InUnits::new(Standalone::new(Plane::level(axes[1], 0.0)?), units)?;
    let height = car.ride_height() + DROP + higher;
    let start = BodyDesc::at_rest(up.as_dvec3() * height, car.mass(), car.inertia());
    let turned = BodyDesc {
        rotation: frame.vehicle_rotation(Quat::IDENTITY),
        ..start
    };
    let body = world.world_mut().add(&turned.in_units(units))?;
    let mut vehicle = Vehicle::new(car.model(), body);
    let surfaces = Surfaces::new();
    let environment = Environment {
        gravity: up * -9.81,
        surfaces: &surfaces,
        air: Air::STILL,
    };
    let forward = axes[0].unit().as_dvec3();
    let left = up.as_dvec3().cross(forward);
    (0..STEPS)
        .map(|tick| {
            step(&mut vehicle, &mut world, &command(tick), &environment, DT)?;
            let own = world.world_mut();
            own.step(environment.gravity * units.length as f32, DT);
            let at = own.body(body)?.now().position / units.length;
            Ok(DVec3::new(
                at.dot(forward),
                at.dot(left),
                at.dot(up.as_dvec3()),
            ))
        })
        .collect()
}

/// Length of the horizontal path (`m`).
fn length(way: &[DVec3]) -> f64 {
    let steps = way.windows(2);
    steps
        .map(|pair| pair[1].truncate().distance(pair[0].truncate()))
        .sum()
}

/// Maximum distance between two drives at the same time (`m`).
fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// The sedan with `solver`.
fn sedan(solver: &str) -> Car {
    let (_, text) = jounce::presets::FILES[0];
    let text = text.replacen("solver = \"rows\"", &format!("solver = \"{solver}\""), 1);
    Car::parse(&text, "sedan").expect("both solvers take it")
}

fn main() -> Result<(), Box<dyn Error>> {
    let scales = [
        ("centimeters, kilograms", UnitScale::CENTIMETERS),
        ("inches, kilograms", UnitScale::INCHES),
        ("meters, grams", UnitScale::GRAMS),
        ("inches, grams", INCHES_AND_GRAMS),
    ];
    for solver in ["rows", "explicit"] {
        let car = sedan(solver);
        let meters = drive(&car, Place::with(UnitScale::SI))?;
        println!("{solver}: {:.2} m in meters and kilograms", length(&meters));
        for (name, units) in scales {
            let other = drive(&car, Place::with(units))?;
            println!(
                "  {name}: {:.2} m, at most {:.1e} m apart",
                length(&other),
                apart(&meters, &other),
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce::core::profile::{ExplicitSettings, RowsSettings, Solver};
    use rstest::rstest;

    const OTHERS: [UnitScale; 4] = [
        UnitScale::CENTIMETERS,
        UnitScale::INCHES,
        UnitScale::GRAMS,
        INCHES_AND_GRAMS,
    ];

    #[test]
    fn the_path_is_the_same_to_a_ten_thousandth_in_all_units() {
        let car = sedan("rows");
        let meters = drive(&car, Place::with(UnitScale::SI)).unwrap();
        let way = length(&meters);
        assert!(way > 50.0, "{way} m");
        for units in OTHERS {
            let apart = apart(&meters, &drive(&car, Place::with(units)).unwrap());
            assert!(apart < 1e-4 * way, "{units:?}: {apart} m in {way} m");
        }
    }

    /// The explicit solver amplifies an initial rounding to decimeters: drives in meters whose
    /// starts differ by a thousandth of a millimeter are equally far apart.
    #[test]
    fn units_affect_the_explicit_solver_no_more_than_rounding() {
        let car = sedan("explicit");
        let meters = drive(&car, Place::with(UnitScale::SI)).unwrap();
        let floor = (1..=8).map(|n| {
            let place = Place {
                higher: 1e-6 * f64::from(n),
                ..Place::with(UnitScale::SI)
            };
            apart(&meters, &drive(&car, place).unwrap())
        });
        let floor = floor.fold(0.0, f64::max);
        for units in OTHERS {
            let apart = apart(&meters, &drive(&car, Place::with(units)).unwrap());
            assert!(apart < 1.5 * floor, "{units:?}: {apart} m of {floor} m");
        }
    }

    /// Units that are powers of two scale every value exactly: no product rounds differently.
    #[rstest]
    fn in_powers_of_two_every_bit_is_the_same(
        #[values(
            Solver::Rows(RowsSettings::DEFAULT),
            Solver::Explicit(ExplicitSettings::DEFAULT)
        )]
        solver: Solver,
        #[values("sedan", "hatchback", "truck", "physx-snippet")] name: &str,
        #[values((64.0, 1.0), (0.25, 1.0), (1.0, 1024.0), (32.0, 1024.0))] units: (f64, f64),
    ) {
        let car = jounce::presets::by_name(name).unwrap();
        let mut spec = car.spec().clone();
        if !spec.params.profile.solver.is_like(&solver) {
            spec.params.profile.solver = solver;
        }
        let models = jounce::document::Registries::with_builtins();
        let car = car.with_params(&models, spec.params).unwrap();
        let (length, mass) = units;
        let drive = |units| drive(&car, Place::with(units)).unwrap();
        let meters = drive(UnitScale::SI);
        assert!(self::length(&meters) > 20.0);
        assert_eq!(meters, drive(UnitScale { length, mass }));
    }

    #[test]
    fn every_right_handed_pair_of_axes_gives_the_same_path() {
        const AXES: [Axis; 6] = [
            Axis::X,
            Axis::Y,
            Axis::Z,
            Axis::NegX,
            Axis::NegY,
            Axis::NegZ,
        ];
        let car = sedan("rows");
        let first = drive(&car, Place::with(UnitScale::SI)).unwrap();
        let pairs = AXES
            .into_iter()
            .flat_map(|forward| AXES.map(|up| [forward, up]));
        let right_handed: Vec<[Axis; 2]> =
            pairs.filter(|[f, u]| Frame::new(*f, *u).is_ok()).collect();
        assert_eq!(right_handed.len(), 24);
        for axes in right_handed {
            let place = Place {
                axes,
                ..Place::with(UnitScale::SI)
            };
            let other = drive(&car, place).unwrap();
            let apart = apart(&first, &other);
            assert!(apart < 1e-4 * length(&first), "{axes:?}: {apart} m");
        }
    }

    #[test]
    fn a_body_is_converted_as_a_whole() {
        let desc = BodyDesc::at_rest(
            DVec3::Z,
            1500.0,
            glam::Mat3::from_diagonal(glam::Vec3::splat(2000.0)),
        );
        let scaled = desc.in_units(UnitScale::CENTIMETERS);
        assert_eq!(scaled.sleep_threshold, 50.0);
        assert_eq!((scaled.position.z, scaled.inertia.x_axis.x), (100.0, 2e7));
    }
}
