//! Tire laws at rest load, asked for their forces.

use jounce::core::TireInput;
use jounce::core::lanes::{LANES, Mask4, W4};
use jounce::core::params::WheelParams;

use super::subject::{G, LintedCar};

/// Speed at which laws are asked (`m/s`).
const SPEED: f32 = 20.0;

/// A wheel's tire at its rest load, rolling straight on at [`SPEED`].
pub(super) struct RestingTire<'a> {
    subject: &'a LintedCar<'a>,
    wheel: &'a WheelParams,
    index: usize,
    /// Load on the tire (`N`).
    pub(super) load: f32,
}

impl<'a> RestingTire<'a> {
    pub(super) fn new(subject: &'a LintedCar<'a>, index: usize) -> Self {
        let wheel = &subject.params.wheels[index];
        let mass = wheel.suspension.sprung_mass + wheel.unsprung_mass();
        Self {
            subject,
            wheel,
            index,
            load: mass * G,
        }
    }

    /// Forces forward and to the left (`N`) at a slip ratio and a tangent of the slip angle (–).
    pub(super) fn forces(&self, slip_ratio: f32, tan_slip_angle: f32) -> [f32; 2] {
        let model = self.subject.car.model();
        let (group, lane) = (self.index / LANES, self.index % LANES);
        let rest = self.wheel.tire.rest_mass.map_or(self.load, |mass| mass * G);
        let input = TireInput {
            slip_ratio,
            tan_slip_angle,
            forward_speed: SPEED,
            lateral_speed: SPEED * tan_slip_angle,
            rim_speed: SPEED * (1.0 + slip_ratio),
            radius: self.wheel.radius,
            load: self.load,
            rest_load: rest,
            camber: 0.0,
            friction: self.friction(slip_ratio.abs()),
            yaw_speed: 0.0,
            pressure: 0.0,
            gravity: G,
        };
        let own = Mask4::from_fn(|n| n == lane);
        let tires = model.tires()[group].iter();
        let tire = tires.into_iter().find(|tire| tire.wheels.lane(lane));
        tire.map_or([0.0; 2], |tire| {
            let forces = tire
                .model
                .forces4(&TireInput::<W4>::of(&[input; LANES]), own);
            [forces.longitudinal.lane(lane), forces.lateral.lane(lane)]
        })
    }

    /// Friction over the magnitude of longitudinal slip (–).
    fn friction(&self, slip: f32) -> f32 {
        let [first, second, third] = self.wheel.tire.friction_curve;
        let between = |[x0, y0]: [f32; 2], [x1, y1]: [f32; 2]| {
            y0 + (y1 - y0) * ((slip - x0) / (x1 - x0).max(1e-6)).clamp(0.0, 1.0)
        };
        if slip < second[0] {
            between(first, second)
        } else {
            between(second, third)
        }
    }

    /// The greatest force to a side over the load (–), up to a slip angle of 30°.
    pub(super) fn peak_friction(&self) -> f32 {
        let forces = (1..=60).map(|n| {
            let tangent = libm::tanf(0.5_f32.to_radians() * n as f32);
            [-tangent, tangent].map(|tangent| self.forces(0.0, tangent)[1].abs())
        });
        forces.flatten().fold(0.0, f32::max) / self.load
    }

    /// Slip ratio (–) nearest to 0 at which the tire neither drives nor brakes, up to 0.9 either way.
    pub(super) fn free_slip(&self) -> Option<f32> {
        const STEPS: i32 = 90;
        let drives = |n: i32| self.forces(n as f32 / 100.0, 0.0)[0] >= 0.0;
        // Between two of these slips its force changes its sign.
        let turns = (-STEPS..STEPS).filter(|n| !drives(*n) && drives(n + 1));
        let nearest = turns.min_by_key(|n| (2 * n + 1).abs())?;
        Some((nearest as f32 + 0.5) / 100.0)
    }

    /// Longitudinal force per slip ratio about free rolling (`N`), positive where it drives.
    pub(super) fn slip_stiffness(&self) -> f32 {
        const SMALL: f32 = 0.01;
        let along = [-SMALL, SMALL].map(|slip| self.forces(slip, 0.0)[0]);
        (along[1] - along[0]) / (2.0 * SMALL)
    }

    /// Lateral force per slip angle about straight running (`N/rad`), positive where it resists.
    pub(super) fn cornering_stiffness(&self) -> f32 {
        const SMALL: f32 = 0.01;
        let across = [-SMALL, SMALL].map(|tangent| self.forces(0.0, tangent)[1]);
        (across[0] - across[1]) / (2.0 * SMALL)
    }
}

impl LintedCar<'_> {
    /// Peak lateral friction of the tires (–), by the load that each carries at rest.
    pub(super) fn peak_friction(&self) -> f32 {
        let [force, load] = self.wheels().fold([0.0, 0.0], |[force, load], (n, _)| {
            let tire = RestingTire::new(self, n);
            [force + tire.peak_friction() * tire.load, load + tire.load]
        });
        force / load
    }

    /// A force of each tire (`N`) over its load (–), of those ahead of the center of mass and behind.
    pub(super) fn of_ends(&self, of: impl Fn(&RestingTire<'_>) -> f32) -> [f32; 2] {
        let middle = self.params.chassis.center_of_mass.x;
        [1.0, -1.0].map(|side| {
            let wheels = self.wheels();
            let wheels = wheels.filter(|(_, wheel)| (wheel.position.x - middle) * side > 0.0);
            let [force, load] = wheels.fold([0.0, 0.0], |[force, load], (n, _)| {
                let tire = RestingTire::new(self, n);
                [force + of(&tire), load + tire.load]
            });
            force / load
        })
    }

    /// Part of a rest load that a bend at the limit of grip, or of tipping, moves to the outer wheel (–).
    pub(super) fn load_transfer(&self) -> f32 {
        let reach = self.footing().map(|[right, left]| right.min(left));
        reach.map_or(1.0, |reach| {
            (self.peak_friction() * self.tipping_height() / reach).clamp(0.0, 1.0)
        })
    }
}
