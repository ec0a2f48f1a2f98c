//! The quarter car and the half car in closed form: bodies on springs and dampers over ground that goes up and down.
//!
//! Wheels are massless at first, as in the cars: the ground moves the lower ends of the springs. Then they are masses on tires
//! that give.

use core::f64::consts::TAU;

use glam::{DVec2, DVec3, Vec3};
use jounce::core::Command;
use jounce::core::VehicleParams;
use jounce::core::params::Unsprung;
use jounce::document::Registries;
use jounce::file::Car;
use jounce::presets;
use proving_ground::ProvingError;
use proving_ground::stage::{FREE, Scene, Setup, Stage, on_free_tires, steps};
use proving_ground::world::WorldKind;

use super::{Apart, Reckoning};

/// Source of the ride formulas.
pub const RIDE: &str = "quarter and half car, closed form (Gillespie, Fundamentals of Vehicle Dynamics, 1992, chapter 5; \
                        Wong, Theory of Ground Vehicles, 3rd ed. 2001, chapter 7)";

/// The cars that are compared with the model.
const CARS: [&str; 3] = ["sedan", "hatchback", "truck"];
/// Allowed difference (%).
const BOUND: f64 = 2.0;
/// Rate of the drives (`Hz`): the closed forms' time is continuous.
const RATE: f32 = 3840.0;
/// Amplitude of the ground (`m`): no wheel lifts off, no stop is reached.
const AMPLITUDE: f64 = 0.002;
/// Frequencies (`Hz`).
const FREQUENCIES: [f64; 8] = [0.5, 1.0, 1.5, 2.0, 4.0, 8.0, 12.0, 20.0];

/// Sum, product and quotient of complex numbers are those of [`DVec2`] and these.
fn times(a: DVec2, b: DVec2) -> DVec2 {
    DVec2::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}

fn over(above: DVec2, below: DVec2) -> DVec2 {
    times(above, DVec2::new(below.x, -below.y)) / below.length_squared()
}

/// A body on two axles.
#[derive(Clone, Copy, Debug)]
struct HalfCar {
    mass: f64,
    /// Inertia about the lateral axis (`kg·m²`).
    inertia: f64,
    /// Places of the axles ahead of the center of mass (`m`).
    places: [f64; 2],
    /// Stiffness (`N/m`) and damping (`N·s/m`) of both wheels of each.
    struts: [DVec2; 2],
}

impl HalfCar {
    fn of(car: &Car) -> Self {
        let model = car.model();
        let wheels = &model.params().wheels;
        let strut = |n: usize| {
            let strut = &wheels[n].suspension;
            2.0 * DVec2::new(strut.stiffness.into(), strut.damping.mean_rate().into())
        };
        let place = |n: usize| f64::from(wheels[n].position.x - car.center_of_mass().x);
        Self {
            mass: car.mass().into(),
            inertia: car.inertia().y_axis.y.into(),
            places: [0, 2].map(place),
            struts: [0, 2].map(strut),
        }
    }

    /// Motion of the body over both axles, over that of the ground under both, at a frequency (`Hz`).
    fn transmissibility(&self, frequency: f64) -> [f64; 2] {
        let omega = TAU * frequency;
        // (A − M·ω²)·(heave, lift of the nose) = ground, with impedances k + jωc.
        let impedances = self
            .struts
            .map(|strut| DVec2::new(strut.x, omega * strut.y));
        let sum = |power: i32| {
            let parts = impedances.iter().zip(self.places);
            parts.fold(DVec2::ZERO, |sum, (z, x)| sum + *z * x.powi(power))
        };
        let [heave, coupling, pitch] = [0, 1, 2].map(sum);
        let square = omega * omega;
        let a = heave - DVec2::X * (self.mass * square);
        let d = pitch - DVec2::X * (self.inertia * square);
        let determinant = times(a, d) - times(coupling, coupling);
        let up = over(times(heave, d) - times(coupling, coupling), determinant);
        let turn = over(times(a, coupling) - times(coupling, heave), determinant);
        self.places.map(|x| (up + turn * x).length())
    }
}

/// A mass on a spring and damper over another on a tire.
#[derive(Clone, Copy, Debug)]
struct TwoMasses {
    /// Masses above and below (`kg`).
    masses: [f64; 2],
    /// Stiffness (`N/m`) and damping (`N·s/m`) of the strut and of the tire.
    struts: [DVec2; 2],
}

impl TwoMasses {
    /// A corner of a car that has been [`quartered`].
    fn of(car: &Car) -> Self {
        let model = car.model();
        let wheel = &model.params().wheels[0];
        let (strut, hub) = (&wheel.suspension, wheel.unsprung.expect("it hops"));
        let pair = |k: f32, c: f32| DVec2::new(k.into(), c.into());
        Self {
            masses: [strut.sprung_mass.into(), hub.mass.into()],
            struts: [
                pair(strut.stiffness, strut.damping.mean_rate()),
                pair(hub.tire_stiffness, hub.tire_damping),
            ],
        }
    }

    /// Motion of the body and of the wheel over that of the ground, at a frequency (`Hz`).
    fn transmissibility(&self, frequency: f64) -> [f64; 2] {
        let omega = TAU * frequency;
        let [strut, tire] = self.struts.map(|s| DVec2::new(s.x, omega * s.y));
        let [above, below] = self.masses.map(|mass| DVec2::X * (mass * omega * omega));
        // (Z − M·ω²)·z = Z·y,  (Z + T − m·ω²)·y = Z·z + T
        let free = strut - above;
        let determinant = times(free, strut + tire - below) - times(strut, strut);
        [times(strut, tire), times(free, tire)].map(|part| over(part, determinant).length())
    }
}

/// Unsprung mass over the mass that a corner carries, and the frequency of its wheel hop (`Hz`): those of passenger cars
/// (Gillespie, chapter 5).
const UNSPRUNG: f32 = 0.12;
const HOP: f32 = 11.5;
/// Damping of the tire over the critical one for the unsprung mass on it (–).
const TIRE_DAMPING: f32 = 0.03;

/// This car with unsprung masses on its tires.
fn hopping(car: &Car) -> Result<Car, ProvingError> {
    let mut params = car.spec().params.clone();
    for wheel in &mut params.wheels {
        let strut = &mut wheel.suspension;
        let mass = UNSPRUNG * strut.sprung_mass;
        let omega = core::f32::consts::TAU * HOP;
        let tire_stiffness = mass * omega * omega - strut.stiffness;
        wheel.unsprung = Some(Unsprung {
            mass,
            tire_stiffness,
            tire_damping: TIRE_DAMPING * 2.0 * (mass * tire_stiffness).sqrt(),
        });
        strut.sprung_mass -= mass;
    }
    changed(car, params)
}

/// A car with other parameters.
fn changed(car: &Car, params: VehicleParams) -> Result<Car, ProvingError> {
    let syntax = |error: jounce::document::VehicleSpecError| ProvingError::Syntax {
        file: car.name.clone(),
        message: error.to_string(),
    };
    car.with_params(&Registries::with_builtins(), params)
        .map_err(syntax)
}

/// A car whose axles are both as its front one, with the center of mass in the middle: four quarter cars.
fn quartered(name: &str) -> Result<Car, ProvingError> {
    let car = on_free_tires(&presets::load(name)?)?;
    let mut params = car.spec().params.clone();
    let middle = 0.5 * (params.wheels[0].position.x + params.wheels[2].position.x);
    params.chassis.center_of_mass.x = middle;
    let front = params.wheels[0].suspension;
    for wheel in &mut params.wheels {
        wheel.suspension.stiffness = front.stiffness;
        wheel.suspension.damping = front.damping;
        wheel.suspension.sprung_mass = 0.25 * params.chassis.mass;
    }
    changed(&car, params)
}

/// Motion of a car's body over its axles, over that of the ground.
fn driven(car: &Car, places: [f64; 2], frequency: f64) -> Result<[f64; 2], ProvingError> {
    followed(car, frequency, |stage| {
        let body = stage.body()?;
        let ahead = (body.rotation * Vec3::X).as_dvec3();
        Ok(places.map(|place| body.position.z + place * ahead.z))
    })
}

/// Motion of a car's body and of its first wheel, over that of the ground.
fn hopped(car: &Car, frequency: f64) -> Result<[f64; 2], ProvingError> {
    followed(car, frequency, |stage| {
        let height = stage.body()?.position.z;
        let jounce = stage.vehicle.wheel_report(0).jounce;
        Ok([height, height + f64::from(jounce)])
    })
}

/// Amplitudes of two heights (`m`) at the frequency (`Hz`) of the ground, over the ground's.
fn followed(
    car: &Car,
    frequency: f64,
    heights: impl Fn(&Stage) -> Result<[f64; 2], ProvingError>,
) -> Result<[f64; 2], ProvingError> {
    /// Time before anything is measured (`s`), and the least that is measured.
    const SETTLES: f64 = 4.0;
    const MEASURED: f64 = 1.0;
    let top = DVec3::new(0.0, 0.0, 5.0);
    let scene = Scene {
        platform: Some(top),
        hull: false,
        ..Scene::LEVEL
    };
    let setup = Setup {
        world: WorldKind::Standalone,
        car,
    };
    let mut stage = Stage::new(&setup, &scene, RATE)?;
    let id = stage.platform.expect("the scene has one");
    let rate = f64::from(RATE);
    let first = steps(((SETTLES * frequency).ceil() / frequency) as f32, RATE);
    let count = steps(((MEASURED * frequency).ceil() / frequency) as f32, RATE);
    let height = |n: usize| AMPLITUDE * libm::sin(TAU * frequency * n as f64 / rate);
    let mut sums = [DVec2::ZERO; 2];
    let rest = heights(&stage)?;
    for n in 0..first + count {
        let velocity = (height(n + 1) - height(n)) * rate;
        let velocity = Vec3::Z * velocity as f32;
        stage
            .world
            .set_platform_velocity(id, velocity, Vec3::ZERO)?;
        stage.obey(&Command::Car(FREE), stage.dt)?;
        if n < first {
            continue;
        }
        let angle = TAU * frequency * (n + 1) as f64 / rate;
        let found = heights(&stage)?;
        for (n, sum) in sums.iter_mut().enumerate() {
            let lift = found[n] - rest[n];
            *sum += lift * DVec2::new(libm::sin(angle), libm::cos(angle));
        }
    }
    Ok(sums.map(|sum| sum.length() * 2.0 / (count as f64 * AMPLITUDE)))
}

/// Every figure of every car.
///
/// # Errors
/// If a car cannot be driven.
pub fn ride() -> Result<Vec<Reckoning>, ProvingError> {
    let mut found = Vec::new();
    for name in CARS {
        let quarter = quartered(name)?;
        let half = on_free_tires(&presets::load(name)?)?;
        let two_masses = hopping(&quarter)?;
        for frequency in FREQUENCIES {
            let [theirs, _] = HalfCar::of(&quarter).transmissibility(frequency);
            let [ours, _] = driven(&quarter, HalfCar::of(&quarter).places, frequency)?;
            let subject = format!("{name}, quarter car");
            found.push(reckoning(
                subject,
                "transmissibility",
                frequency,
                ours,
                theirs,
            ));
            let (ours, theirs) = (
                hopped(&two_masses, frequency)?,
                TwoMasses::of(&two_masses).transmissibility(frequency),
            );
            for (n, figure) in MASSES.into_iter().enumerate() {
                let subject = format!("{name}, two masses");
                found.push(reckoning(subject, figure, frequency, ours[n], theirs[n]));
            }
            let model = HalfCar::of(&half);
            let (ours, theirs) = (
                driven(&half, model.places, frequency)?,
                model.transmissibility(frequency),
            );
            for (n, figure) in AXLES.into_iter().enumerate() {
                let subject = format!("{name}, half car");
                found.push(reckoning(subject, figure, frequency, ours[n], theirs[n]));
            }
        }
    }
    Ok(found)
}

const MASSES: [&str; 2] = ["transmissibility, body", "transmissibility, wheel"];
const AXLES: [&str; 2] = [
    "transmissibility, front axle",
    "transmissibility, rear axle",
];

fn reckoning(
    subject: String,
    figure: &'static str,
    frequency: f64,
    ours: f64,
    theirs: f64,
) -> Reckoning {
    Reckoning {
        subject,
        figure,
        at: format!("{frequency} Hz"),
        ours,
        theirs,
        apart: Apart::Percent,
        bound: BOUND,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two equal axles about the center: the body heaves as one mass on one spring.
    #[test]
    fn a_balanced_half_car_is_a_quarter_car() {
        let car = HalfCar {
            mass: 1000.0,
            inertia: 1500.0,
            places: [1.3, -1.3],
            struts: [DVec2::new(40e3, 3e3); 2],
        };
        for frequency in [0.2, 1.5, 10.0] {
            let (natural, omega) = (libm::sqrt(80.0), TAU * frequency);
            let ratio = omega / natural;
            let damped = 2.0 * ratio * 6e3 / (2.0 * libm::sqrt(80e3 * 1000.0));
            let square = damped * damped;
            let rest = 1.0 - ratio * ratio;
            let wanted = libm::sqrt((1.0 + square) / (rest * rest + square));
            for found in car.transmissibility(frequency) {
                assert!((found / wanted - 1.0).abs() < 1e-9, "{found} {wanted}");
            }
        }
    }

    /// The body of two masses on a rigid tire moves as that of a quarter car; slow ground carries both along.
    #[test]
    fn two_masses_on_rigid_tires_are_one() {
        let car = TwoMasses {
            masses: [300.0, 40.0],
            struts: [DVec2::new(20e3, 1.5e3), DVec2::new(1e12, 0.0)],
        };
        for frequency in [0.2, 1.5, 10.0] {
            let omega = TAU * frequency;
            let strut = DVec2::new(20e3, omega * 1.5e3);
            let alone = over(strut, strut - DVec2::X * (300.0 * omega * omega)).length();
            let [body, wheel] = car.transmissibility(frequency);
            assert!((body / alone - 1.0).abs() < 1e-6 && (wheel - 1.0).abs() < 1e-6);
        }
        let soft = TwoMasses {
            struts: [DVec2::new(20e3, 1.5e3), DVec2::new(2e5, 1e2)],
            ..car
        };
        let slow = soft.transmissibility(1e-3);
        assert!(slow.iter().all(|x| (x - 1.0).abs() < 1e-4), "{slow:?}");
    }

    /// Slow ground carries the body along; a mass with the inertia of two points over the axles has independent ends.
    #[test]
    fn ends_with_a_dynamic_index_of_one_are_independent() {
        let places = [1.2, -1.5];
        let mass = 1200.0;
        let car = HalfCar {
            mass,
            inertia: mass * 1.2 * 1.5,
            places,
            struts: [DVec2::new(50e3, 3e3), DVec2::new(40e3, 2e3)],
        };
        for slow in car.transmissibility(1e-3) {
            assert!((slow - 1.0).abs() < 1e-4);
        }
        let front = mass * 1.5 / 2.7;
        let omega = TAU * 3.0;
        let strut = DVec2::new(50e3, omega * 3e3);
        let alone = over(strut, strut - DVec2::X * (front * omega * omega)).length();
        assert!((car.transmissibility(3.0)[0] / alone - 1.0).abs() < 1e-9);
    }
}
