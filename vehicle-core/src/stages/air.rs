//! The air's forces on the chassis, in every substep of both solvers.

use core::f32::consts::{FRAC_PI_2, PI};

use glam::{Vec3, Vec4};

use crate::base::curve::Curve;
use crate::base::lanes::{Groups, W4};
use crate::base::math;
use crate::exchange::air::{Air, AirLoad};
use crate::exchange::state::WheelState;
use crate::params::{Aerodynamics, VehicleParams};
use crate::stages::chassis::View;

/// A vehicle's aerodynamics, prepared.
#[derive(Clone, Debug, PartialEq)]
pub struct AirShape {
    coefficients: Aerodynamics,
    /// Coefficients of a body that has the same at every yaw angle.
    steady: Option<AtYaw>,
    /// Arm from the center of mass to the reference point (`m`).
    point: Vec3,
    /// Each wheel's share in the mean jounce before and behind the reference point.
    weights: [Groups<W4>; 2],
    /// Whether any coefficient depends on the height over the ground.
    by_height: bool,
}

/// The air's load at the start of a substep, and how it changes with velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AirForce {
    /// The load.
    pub load: AirLoad,
    /// Resistance along each axis over its speed, ½ρA·c·V (`N·s/m`).
    resistance: Vec4,
    /// Resistance along each axis over its speed squared, ½ρA·c (`N·s²/m²`).
    coefficient: Vec4,
}

impl AirShape {
    /// Aerodynamics of a vehicle, if it has any.
    #[must_use]
    pub fn of(params: &VehicleParams) -> Option<Self> {
        let coefficients = params.aerodynamics.clone()?;
        let point = params.from_center_of_mass(coefficients.point);
        let count = params.wheels.len();
        let weights = [1.0, -1.0].map(|ahead: f32| {
            let at = |n: usize| {
                let wheel = params.wheels.get(n);
                wheel.is_some_and(|w| {
                    w.enabled && ahead * (w.position.x - coefficients.point.x) > 0.0
                })
            };
            let weight = 1.0 / (0..count).filter(|&n| at(n)).count().max(1) as f32;
            Groups::for_wheels(count, |g| {
                W4::from_fn(|lane| if at(4 * g + lane) { weight } else { 0.0 })
            })
        });
        Some(Self {
            point,
            weights,
            steady: AtYaw::steady(&coefficients),
            by_height: by_height(&coefficients).iter().any(|curve| curve.is_some()),
            coefficients,
        })
    }

    /// The load on a chassis of this `view` at these jounces; `wind` is in the vehicle frame (`m/s`).
    /// [`Aerodynamics`] has the equations.
    #[inline(always)]
    #[must_use]
    pub fn force(&self, air: &Air, wind: Vec3, view: &View, wheels: &[WheelState]) -> AirForce {
        let c = &self.coefficients;
        let v = view.linear - wind;
        let speed = math::sqrt(v.dot(v));
        let half = 0.5 * air.density * c.area;
        let at_yaw;
        let here = match &self.steady {
            Some(steady) => steady,
            None => {
                at_yaw = AtYaw::of(c, v);
                &at_yaw
            }
        };
        let here = if self.by_height {
            here.at_height(self.ground_effect(wheels))
        } else {
            *here
        };
        let coefficient = here.resistances * half;
        let resistance = coefficient * speed;
        // Lift is at a right angle to the flow.
        let up = Vec4::new(-v.z, 0.0, v.x, 0.0);
        let [front, rear] = here.lifts;
        let force = up * (half * (front + rear) * v.x) - resistance * v.extend(0.0);
        let squares = Vec4::new(speed, v.x, v.x, 0.0);
        let turning = here.turning * squares * Vec4::new(v.y, v.x, v.y, 0.0);
        let force = force.truncate();
        let moment = self.point.cross(force) + turning.truncate() * (half * c.length);
        AirForce {
            load: AirLoad {
                velocity: v,
                force,
                moment,
            },
            resistance,
            coefficient,
        }
    }

    /// Factors of the ground effect on both lifts and on drag (–).
    fn ground_effect(&self, wheels: &[WheelState]) -> [f32; 3] {
        let [front, rear] = self.weights.each_ref().map(|weights| {
            let parts = wheels.iter().zip(weights.iter());
            let mean: f64 = parts
                .map(|(wheels, weight)| {
                    let known = !wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
                    let parts = (known.keep(wheels.jounce) * *weight).to_array();
                    // In double precision, the order of the wheels does not show.
                    parts.into_iter().map(f64::from).sum::<f64>()
                })
                .sum();
            -mean as f32
        });
        let heights = [front, rear, 0.5 * (front + rear)];
        let curves = by_height(&self.coefficients);
        core::array::from_fn(|n| curves[n].as_ref().map_or(1.0, |curve| curve.at(heights[n])))
    }
}

/// Factors on both lifts and on drag over the height.
fn by_height(c: &Aerodynamics) -> [&Option<Curve>; 3] {
    [
        &c.lift_front_by_height,
        &c.lift_rear_by_height,
        &c.drag_by_height,
    ]
}

impl AirForce {
    /// The remainder of a `change` of velocity (`m/s`, vehicle frame) within `h` (`s`), since the air's resistance changes
    /// with velocity, and the air's mean load with that. Along each axis, with x = h·½ρA·c·V/m and κ = h·½ρA·c/m:
    ///
    /// ```text
    /// Δv = change/max(1 + x, x + √(x² + κ·|change|))
    /// ```
    ///
    /// The first is the force in the middle of the substep, `m·Δv = h·(F + F_air + ½F_air′·Δv)`: a body that coasts
    /// follows v₀/(1 + k·v₀·t) exactly, and one that keeps its velocity feels the force at that velocity, however long
    /// substeps are. The second takes over where a substep is longer than the air needs to stop the body: it then
    /// approaches the velocity at which forces balance, and never passes it. The `w` components are padding.
    #[inline]
    #[must_use]
    pub fn resist(&self, change: Vec4, inverse_mass: f32, h: f32) -> (Vec4, AirLoad) {
        let x = self.resistance * (h * inverse_mass);
        let stiff = x * x + self.coefficient * (h * inverse_mass) * change.abs();
        let root = Vec4::from(stiff.to_array().map(math::sqrt));
        let weight = Vec4::ONE / (x + Vec4::ONE).max(x + root);
        let lost = change * (Vec4::ONE - weight);
        let force = self.load.force.extend(0.0) - lost / (h * inverse_mass);
        let mean = AirLoad {
            force: force.truncate(),
            ..self.load
        };
        (change * weight, mean)
    }
}

/// Coefficients at a yaw angle of the flow (–).
#[derive(Clone, Copy, Debug, PartialEq)]
struct AtYaw {
    /// Drag, side force, and drag from above and below.
    resistances: Vec4,
    /// Front and rear.
    lifts: [f32; 2],
    /// Roll, and pitch and yaw turned to the vehicle's signs; pitch with that of both lifts about the reference point, half the
    /// length away.
    turning: Vec4,
}

impl AtYaw {
    /// Coefficients in a flow of this velocity (`m/s`, vehicle frame).
    fn of(c: &Aerodynamics, v: Vec3) -> Self {
        let angle = yaw_angle(v);
        Self::new(c, |curve| curve.at(angle))
    }

    /// Coefficients that are the same at every yaw angle; `None` if a curve has several points.
    fn steady(c: &Aerodynamics) -> Option<Self> {
        let curves = [
            &c.drag,
            &c.side,
            &c.lift_front,
            &c.lift_rear,
            &c.roll,
            &c.pitch,
            &c.yaw,
        ];
        let steady = curves.iter().all(|curve| curve.0.len() <= 1);
        steady.then(|| Self::new(c, |curve| curve.at(0.0)))
    }

    fn new(c: &Aerodynamics, at: impl Fn(&Curve) -> f32) -> Self {
        let lifts = [at(&c.lift_front), at(&c.lift_rear)];
        let pitch = at(&c.pitch) + levered(lifts);
        Self {
            resistances: Vec4::new(at(&c.drag), at(&c.side), c.vertical, 0.0),
            lifts,
            turning: Vec4::new(at(&c.roll), -pitch, -at(&c.yaw), 0.0),
        }
    }

    /// These coefficients with factors of the ground effect on both lifts and on drag (–).
    fn at_height(&self, [front, rear, drag]: [f32; 3]) -> Self {
        let lifts = [self.lifts[0] * front, self.lifts[1] * rear];
        let mut here = Self { lifts, ..*self };
        here.resistances.x *= drag;
        here.turning.y += levered(self.lifts) - levered(lifts);
        here
    }
}

/// Coefficient of pitch by the lift at the front and the rear, half the length away (–).
fn levered([front, rear]: [f32; 2]) -> f32 {
    0.5 * (front - rear)
}

/// Angle between a flow and the vehicle's x axis, 0…π (`rad`).
fn yaw_angle(v: Vec3) -> f32 {
    let (x, y) = (v.x.abs(), v.y.abs());
    let within = if y > x {
        FRAC_PI_2 - math::atan(x / y)
    } else if y > 0.0 {
        math::atan(y / x)
    } else {
        0.0
    };
    if v.x < 0.0 { PI - within } else { within }
}

#[cfg(test)]
mod tests;
