//! Smoothing that is made for a car, from its own data.

use alloc::vec::Vec;

use vehicle_core::lanes::LANES;
use vehicle_core::{Checked, Curve, VehicleModel, math};

use crate::car::CarSmoothing;
use crate::grip_control::GripControl;
use crate::planar::{self, AxleEnd, PlanarCar, STEP};
use crate::rate::{CarRates, Rate};
use crate::steer_limit::SteerLimit;

/// Speeds at which the steering limit is found, over that at which full lock is as much as the grip allows (–).
const SPEEDS: [f32; 8] = [0.9, 1.2, 1.55, 2.05, 2.75, 3.9, 6.0, 10.0];
/// Share of the lateral acceleration that the tires sustain at rest loads (–): load that moves to the outer wheels costs grip.
const OF_GRIP: f32 = 0.85;
/// Share of the lateral acceleration at which the inner wheels lift (–): a car that is steered to and fro leans further.
const OF_TIPPING: f32 = 0.75;
/// Maximum part that leaning takes of it, for cars that hardly stand (–).
const MOST_LEANING: f32 = 1.0;
/// Maximum slip angle of a rear axle that counts as no slide (`rad`), 6°: soft tires grip the most far beyond.
const MOST_TOLERANCE: f32 = 0.105;
/// Share of the pedal at which a wheel locks (–).
const OF_LOCKING: f32 = 0.9;
/// How fast the lateral acceleration may grow while the limit is sought (`m/s³`), of a car with this understeer gradient
/// (`rad·s²/m`, 2°/g).
const GROWTH: f32 = 3.0;
const UNDERSTEER: f32 = 0.004;
/// Speed at which the response is found (`m/s`; ISO 7401: 80 km/h).
const RESPONSE_SPEED: f32 = 22.0;

/// Rates of pedals, in full travels per second: a third of a second down, a fifth up.
const PEDALS: Rate = Rate::new(3.0, 5.0);
const HANDBRAKE: Rate = Rate::new(10.0, 10.0);

impl CarSmoothing {
    /// Smoothing made for a car from its own data, for keys, pad and touch.
    ///
    /// The steering limit at each speed is the steering with which the car takes the fastest bend that the lateral grip of
    /// its tires, or its track over the height of its center of mass, allows on a level road of friction 1. Full steering
    /// takes as long as the yaw rate takes to respond. The brake pedal ends where a wheel would lock, and the hands keep
    /// the car within its [grip](GripControl).
    ///
    /// It holds for cars that steer by the wheels ahead of their center of mass; others, and vehicles that take no car's
    /// command, get the rates of pedals alone. It takes some milliseconds.
    #[must_use]
    pub fn for_car(model: &VehicleModel) -> Self {
        let made = Grip::of(model).map(|grip| grip.smoothing());
        let valid = made.filter(|made| Checked::new(made.clone()).is_ok());
        valid.unwrap_or_else(|| Self {
            rates: CarRates::symmetric(PEDALS, HANDBRAKE, Rate::new(2.5, 5.0)),
            steer_limit: SteerLimit::none(),
            grip: None,
        })
    }
}

/// Model of a car by which its smoothing is made.
struct Grip<'a> {
    model: &'a VehicleModel,
    ends: [AxleEnd; 2],
    /// Angles of the wheels at full steering to the left (`rad`), load-weighted, ahead and behind.
    angles: [f32; 2],
    /// Lateral acceleration (`m/s²`).
    sideways: f32,
}

impl<'a> Grip<'a> {
    fn of(model: &'a VehicleModel) -> Option<Self> {
        let ends = planar::ends(model, RESPONSE_SPEED);
        let [front, rear] = ends;
        let angles = mean_angles(model)?;
        let base = front.ahead - rear.ahead;
        let steers = angles[0] > 0.0
            && angles[0] > angles[1]
            && base > 0.0
            && front.grip > 0.0
            && rear.grip > 0.0;
        if !steers {
            return None;
        }
        let chassis = &model.params().chassis;
        let held = [front.grip / -rear.ahead, rear.grip / front.ahead];
        let held = held[0].min(held[1]) * base / chassis.mass;
        let sideways = (OF_GRIP * held).min(OF_TIPPING * tipping(model));
        Some(Self {
            model,
            ends,
            angles,
            sideways,
        })
    }

    fn smoothing(&self) -> CarSmoothing {
        let limits: Vec<_> = self
            .speeds()
            .map(|speed| (speed, self.limit(speed)))
            .collect();
        let by_speed = limits.iter().map(|(speed, (limit, _))| [*speed, *limit]);
        let slips = limits.iter().map(|(_, (_, slip))| *slip);
        let time = self.response();
        let steer = Rate::new(1.0 / time, 1.0 / time);
        CarSmoothing {
            rates: CarRates::symmetric(PEDALS, HANDBRAKE, steer),
            steer_limit: SteerLimit {
                by_speed: Curve(by_speed.collect()),
                sharpness: 0.0,
            },
            grip: Some(self.control(slips.fold(0.0, f32::max))),
        }
    }

    /// Speeds at which the steering limit is found (`m/s`).
    fn speeds(&self) -> impl Iterator<Item = f32> {
        let radius = (self.ends[0].ahead - self.ends[1].ahead) / self.turn();
        let first = math::sqrt(self.sideways * radius);
        SPEEDS.into_iter().map(move |of_first| of_first * first)
    }

    /// Steering of the front axle against the rear one at full command (`rad`).
    fn turn(&self) -> f32 {
        self.angles[0] - self.angles[1]
    }

    /// Steering at which the car bends as fast as it can at this speed, 0…1, and the slip angle of its rear then (`rad`).
    fn limit(&self, speed: f32) -> (f32, f32) {
        let mut car = PlanarCar::new(self.model, speed);
        let base = self.ends[0].ahead - self.ends[1].ahead;
        let growth =
            (GROWTH * (base / (speed * speed) + UNDERSTEER) / self.turn() * STEP).min(0.5 * STEP);
        let mut steer = 0.0;
        while steer < 1.0 && car.acceleration < self.sideways {
            steer += growth;
            car.advance(-steer);
        }
        let slip = car.slip_angle(self.ends[1].ahead) - steer * self.angles[1];
        (steer.min(1.0), slip.abs())
    }

    /// Time in which the yaw rate follows a step of the steering to 90 % of its maximum (`s`).
    fn response(&self) -> f32 {
        let steer = 0.5 * self.limit(RESPONSE_SPEED).0;
        let mut car = PlanarCar::new(self.model, RESPONSE_SPEED);
        let rates: Vec<f32> = (0..500)
            .map(|_| {
                car.advance(-steer);
                car.yaw_rate
            })
            .collect();
        let most = rates.iter().copied().fold(0.0, f32::max);
        let there = rates.iter().position(|rate| *rate >= 0.9 * most);
        (there.unwrap_or(0) as f32 * STEP).clamp(0.15, 1.0)
    }

    fn control(&self, slip: f32) -> GripControl {
        let tolerance = slip.min(MOST_TOLERANCE);
        GripControl {
            lateral_acceleration: self.sideways,
            brake: self.brake().unwrap_or(1.0),
            axles: self.ends.map(|end| end.ahead),
            angles: self.angles,
            tolerance,
            slide: 2.0 * tolerance,
        }
    }

    /// Pedal at which no wheel locks on a straight, 0…1; `None` if none locks at all.
    fn brake(&self) -> Option<f32> {
        let braked = planar::braked(self.model)?;
        let wheels = self.model.wheels();
        let forces = |g: usize| braked.wheels[g].brake * wheels[g].inverse_radius;
        let sum: f32 = (0..wheels.len()).map(|g| forces(g).sum()).sum();
        let [front, rear] = self.ends;
        // Load that full braking moves from the rear to the front.
        let moved = sum * center_height(self.model) / (front.ahead - rear.ahead);
        // A wheel holds up to grip·(1 + moved·pedal/load), and the pedal asks for force·pedal.
        let pedals = wheels.iter().enumerate().flat_map(|(g, k)| {
            let grip = planar::longitudinal_grip(self.model, g, RESPONSE_SPEED);
            (0..LANES).filter_map(move |lane| {
                let behind = k.center.x.lane(lane) < 0.0;
                let more = if behind {
                    -moved / rear.load
                } else {
                    moved / front.load
                };
                let (force, grip) = (forces(g).lane(lane), grip.lane(lane));
                let locks = grip > 0.0 && force > grip * (1.0 + more);
                locks.then(|| grip / (force - grip * more))
            })
        });
        pedals.reduce(f32::min).map(|pedal| OF_LOCKING * pedal)
    }
}

/// Mean angles of the wheels ahead of the center of mass and behind it at full steering to the left (`rad`).
fn mean_angles(model: &VehicleModel) -> Option<[f32; 2]> {
    let turned = planar::steered(model, -1.0, 0.0)?;
    let (mut sum, mut loads) = ([0.0; 2], [0.0; 2]);
    for (g, k) in model.wheels().iter().enumerate() {
        for lane in 0..LANES {
            if k.present.lane(lane) && k.enabled.lane(lane) {
                let end = usize::from(k.center.x.lane(lane) < 0.0);
                sum[end] += k.rest_load.lane(lane) * turned.wheels[g].steer.lane(lane);
                loads[end] += k.rest_load.lane(lane);
            }
        }
    }
    Some([sum[0] / loads[0].max(1.0), sum[1] / loads[1].max(1.0)])
}

/// Height of the center of mass over the ground (`m`).
fn center_height(model: &VehicleModel) -> f32 {
    let params = model.params();
    let wheel = &params.wheels[0];
    params.chassis.center_of_mass.z - wheel.position.z + wheel.radius
}

/// Lateral acceleration at which the inner wheels lift (`m/s²`): with the half track t, the center of mass at the height h
/// and the roll φ, g·(t − h·φ)/h, where springs and bars of the stiffness K lean to φ = m·a·h/(K − m·g·h).
///
/// Source: T. Gillespie, *Fundamentals of Vehicle Dynamics*, 1992, chapter 9, suspended vehicle; the roll axis on the ground.
fn tipping(model: &VehicleModel) -> f32 {
    let (mut arm, mut load, mut stiffness) = (0.0, 0.0, 0.0);
    for k in model.wheels().iter() {
        let there = k.present.keep(k.enabled.keep(k.rest_load));
        let rate = k.stiffness + k.bar_stiffness + k.bar_stiffness;
        arm += (there * k.center.y.abs()).sum();
        load += there.sum();
        stiffness += k
            .present
            .keep(k.enabled.keep(rate * k.center.y * k.center.y))
            .sum();
    }
    let height = center_height(model);
    let upright = stiffness - load * height;
    let leaning = if upright > 0.0 {
        (load * height / upright).min(MOST_LEANING)
    } else {
        MOST_LEANING
    };
    let gravity = model.params().chassis.design_gravity;
    gravity * arm / (load * height * (1.0 + leaning))
}
