//! Maneuvers of the comparison, driven by vehicles that come with other engines: what stands in the column of peers of
//! `README.md` and of the book's comparison is printed here.
//!
//! The car is that of Jolt's samples: 1500 kg, a wheelbase of 2.8 m, front-wheel drive. Axes: y up, z forward, x left. Slopes
//! are slanted gravity over level ground.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

use glam::Vec3;

/// Standard gravity (`m/s²`).
const GRAVITY: f32 = 9.81;
/// Rates of the table (`Hz`).
const RATES: [u16; 5] = [30, 60, 120, 240, 480];
/// Columns that the comparison speaks of: 30 to 240 Hz.
const COMPARED: usize = 4;
/// 100 km/h (`m/s`).
const FAST: f32 = 100.0 / 3.6;

/// Positions of the driver's pedals and steering.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pedals {
    /// 0…1.
    pub throttle: f32,
    /// 0…1.
    pub brake: f32,
    /// Angle of the front wheels (`rad`), to the left.
    pub steer: f32,
}

/// A vehicle that an engine brings along, alone on a level plane.
pub trait OwnVehicle: Sized {
    /// Name of the vehicle, with the engine's version.
    const NAME: &'static str;
    /// Whether the vehicle has an engine with gears. Without, throttle is a force.
    const HAS_ENGINE: bool;

    /// A vehicle at rest on its wheels, in a world with this gravity (`m/s²`) and step (`s`).
    fn new(gravity: Vec3, dt: f32) -> Self;
    /// One step.
    fn step(&mut self, pedals: Pedals);
    /// Gives the vehicle a velocity (`m/s`); its wheels roll soon after.
    fn push(&mut self, velocity: Vec3);
    /// Position of the center of mass (`m`).
    fn position(&self) -> Vec3;
    /// Velocity of the center of mass (`m/s`).
    fn velocity(&self) -> Vec3;
    /// Upward and left axis of the vehicle in the world.
    fn axes(&self) -> [Vec3; 2];
    /// Greatest force of a tire in the ground plane over its greatest friction × its load, in the last step (–).
    fn grip_used(&self) -> f32;
}

/// A vehicle with its step.
struct Test<V> {
    car: V,
    dt: f32,
}

impl<V: OwnVehicle> Test<V> {
    /// A test on a slope of this angle (`rad`) that falls in this direction.
    fn on_slope(rate: u16, angle: f32, down: Vec3) -> Self {
        let dt = 1.0 / f32::from(rate);
        let gravity = GRAVITY * (down * angle.sin() - Vec3::Y * angle.cos());
        Self {
            car: V::new(gravity, dt),
            dt,
        }
    }

    fn level(rate: u16) -> Self {
        Self::on_slope(rate, 0.0, Vec3::Z)
    }

    fn pass(&mut self, seconds: f32, pedals: Pedals) {
        for _ in 0..(seconds / self.dt).round() as u32 {
            self.car.step(pedals);
        }
    }

    /// A test at 100 km/h, with rolling wheels.
    fn fast(rate: u16) -> Self {
        let mut test = Self::level(rate);
        test.pass(2.0, Pedals::default());
        for _ in 0..2 {
            test.car.push(Vec3::Z * FAST);
            test.pass(0.5, Pedals::default());
        }
        test.car.push(Vec3::Z * FAST);
        test
    }
}

const BRAKED: Pedals = Pedals {
    throttle: 0.0,
    brake: 1.0,
    steer: 0.0,
};

/// Drift in 10 s, parked by the brake on 20° that fall in this direction (`mm`).
fn parked<V: OwnVehicle>(rate: u16, down: Vec3) -> f32 {
    let mut test = Test::<V>::on_slope(rate, 20_f32.to_radians(), down);
    test.pass(2.0, BRAKED);
    let start = test.car.position();
    test.pass(10.0, BRAKED);
    1000.0 * (test.car.position() - start).length()
}

/// Speed one step after the brake is released on 10°, nose down, over that of a free slide (–).
fn released<V: OwnVehicle>(rate: u16) -> f32 {
    let angle = 10_f32.to_radians();
    let mut test = Test::<V>::on_slope(rate, angle, Vec3::Z);
    test.pass(2.0, BRAKED);
    let before = test.car.velocity().z;
    test.car.step(Pedals::default());
    (test.car.velocity().z - before) / (GRAVITY * angle.sin() * test.dt)
}

/// Way from 100 km/h to 1 km/h (`m`).
fn stopping<V: OwnVehicle>(rate: u16) -> f32 {
    let mut test = Test::<V>::fast(rate);
    let start = test.car.position();
    let most = (20.0 / test.dt) as u32;
    let stands = (0..most).any(|_| {
        test.car.step(BRAKED);
        test.car.velocity().length() < 1.0 / 3.6
    });
    if stands {
        (test.car.position() - start).length()
    } else {
        f32::NAN
    }
}

/// Time from rest to 100 km/h (`s`).
fn sprint<V: OwnVehicle>(rate: u16) -> f32 {
    let mut test = Test::<V>::level(rate);
    test.pass(2.0, BRAKED);
    let full = Pedals {
        throttle: 1.0,
        ..Pedals::default()
    };
    let steps = (0..(60.0 / test.dt) as u32).find(|_| {
        test.car.step(full);
        test.car.velocity().z >= FAST
    });
    steps.map_or(f32::NAN, |n| (n + 1) as f32 * test.dt)
}

/// Roll outward in a circle at 10 m/s with 9° of steering (`deg`), the mean of two seconds.
fn roll<V: OwnVehicle>(rate: u16) -> f32 {
    let mut test = Test::<V>::level(rate);
    test.pass(2.0, Pedals::default());
    test.car.push(Vec3::Z * 10.0);
    let steps = (2.0 / test.dt) as u32;
    let mut sum = 0.0;
    for n in 0..4 * steps {
        let slow = 10.0 - test.car.velocity().length();
        test.car.step(Pedals {
            throttle: (0.1 + 0.5 * slow).clamp(0.0, 1.0),
            brake: 0.0,
            steer: 9_f32.to_radians(),
        });
        if n >= 3 * steps {
            let [_, left] = test.car.axes();
            sum += left.y.asin().to_degrees();
        }
    }
    sum / steps as f32
}

/// Greatest [`OwnVehicle::grip_used`], braked fully in a bend from 100 km/h (–).
fn bend<V: OwnVehicle>(rate: u16) -> f32 {
    let mut test = Test::<V>::fast(rate);
    let steer = 9_f32.to_radians();
    test.pass(
        0.4,
        Pedals {
            steer,
            ..Pedals::default()
        },
    );
    let most = (1.0 / test.dt) as u32;
    (0..most).fold(0.0, |most, _| {
        test.car.step(Pedals { steer, ..BRAKED });
        test.car.grip_used().max(most)
    })
}

/// The lowest rate from which on the car goes straight and upright for 5 s at full throttle (`Hz`).
fn lowest<V: OwnVehicle>() -> u16 {
    let stable = |rate: u16| {
        let mut test = Test::<V>::level(rate);
        test.pass(2.0, BRAKED);
        let high = test.car.position().y;
        let full = Pedals {
            throttle: 1.0,
            ..Pedals::default()
        };
        (0..5 * rate).all(|_| {
            test.car.step(full);
            let place = test.car.position();
            let [up, _] = test.car.axes();
            place.x.abs() < 0.1 && (place.y - high).abs() < 0.3 && up.y > 0.97
        })
    };
    let mut rates = (2..=60).rev();
    rates.find(|rate| !stable(*rate)).map_or(2, |rate| rate + 1)
}

/// Greatest less least over the mean (%).
fn spread(values: &[f32]) -> f32 {
    let most = values.iter().copied().fold(f32::MIN, f32::max);
    let least = values.iter().copied().fold(f32::MAX, f32::min);
    let mean = values.iter().sum::<f32>() / values.len() as f32;
    100.0 * (most - least) / mean.abs()
}

/// Prints the table of a vehicle.
pub fn print<V: OwnVehicle>() {
    println!("{}", V::NAME);
    let head = RATES.map(|rate| format!("{rate:>9} Hz"));
    println!("{:<52}{}", "", head.concat());
    let row = |name: &str, measure: fn(u16) -> f32| {
        let values = RATES.map(measure);
        let cells = values.map(|value| format!("{value:>12.3}"));
        println!("{name:<52}{}", cells.concat());
        values
    };
    row("parked on 20°, nose down: drift in 10 s [mm]", |rate| {
        parked::<V>(rate, Vec3::Z)
    });
    row("parked on 20°, across: drift in 10 s [mm]", |rate| {
        parked::<V>(rate, Vec3::X)
    });
    row("released on 10°: speed after a step / ideal", released::<V>);
    let braking = row("100–0 km/h: distance [m]", stopping::<V>);
    println!(
        "    spread, 30–240 Hz: {:.1} %",
        spread(&braking[..COMPARED])
    );
    if V::HAS_ENGINE {
        let times = row("0–100 km/h: time [s]", sprint::<V>);
        println!("    spread, 30–240 Hz: {:.1} %", spread(&times[..COMPARED]));
        let rolls = row("circle at 10 m/s: roll [deg]", roll::<V>);
        let [least, most] = [f32::min, f32::max].map(|of| rolls.into_iter().reduce(of));
        let times = least.zip(most).map_or(f32::NAN, |(least, most)| {
            (most / least).abs().max((least / most).abs())
        });
        println!("    greatest / least, 30–480 Hz: {times:.1}");
    }
    row("braked in a bend at 100 km/h: force / μN", bend::<V>);
    println!("lowest stable rate, full throttle: {} Hz", lowest::<V>());
}
