//! What a car can do on a level road, as its driver reckons with it.

use jounce::core::lanes::LANES;
use jounce::core::{Air, CarCommand, Command, Control, VehicleModel};
use jounce::file::Car;
use jounce::input::grip_control::GripControl;

use crate::error::ProvingError;
use crate::performance::{self, SkidPadPoint};

/// Part of the braking with which the driver reckons (–). tuned: passenger, sports and rally cars lap all tracks within the
/// edges, 30 to 240 Hz.
pub(super) const BRAKING: f64 = 0.85;
/// Part of the lateral acceleration with which the driver reckons (–). tuned: as above.
const LATERAL: f64 = 0.97;
/// Part of the greatest lateral acceleration beyond which more steering hardly gives more of it (–).
const STEADY: f64 = 0.97;
/// Slip angle of the rear axle up to which a racing driver does not counter-steer, unless the car's own is greater (`rad`).
const SLIP: f32 = 0.08;
/// How many times that slip angle the driver allows in a steady bend (–). tuned: as above.
const STEADY_SLIP: f64 = 1.2;
/// Speed on the skid pad (`m/s`).
const PAD_SPEED: f64 = 20.0;

/// Limits of a car: grip, air, brakes and power, from its own parameters and from two drives on the proving ground, over a skid
/// pad and at full throttle.
#[derive(Clone, Debug)]
pub struct CarLimits {
    /// Lateral acceleration that a steady bend needs no counter-steering for, without lift (`m/s²`).
    pub lateral: f64,
    /// Lateral acceleration that downforce adds per square of the speed (`1/m`), negative with lift.
    pub downforce: f64,
    /// Deceleration by drag per square of the speed (`1/m`).
    pub drag: f64,
    /// Deceleration by the brakes at the pedal at which no wheel locks (`m/s²`).
    pub braking: f64,
    /// Mean accelerations at full throttle from each whole speed to the next one (`m/s²`), two or more.
    pub throttle: Vec<f64>,
    /// Name of the car.
    pub name: String,
    /// Half of the width over the tires (`m`).
    pub half_width: f64,
    /// The greatest of `throttle` (`m/s²`): what the driven wheels can bring to the road.
    traction: f64,
    /// Lateral accelerations (`m/s²`), rising from 0, and the steering, −1…1, that each takes in addition to that of a car that
    /// rolls without slip.
    understeer: Vec<[f64; 2]>,
    /// Steering, −1…1, per curvature of the path of a car that rolls without slip (`m`).
    steer_per_curvature: f64,
    /// How the driver keeps the car within its grip.
    pub(super) grip: GripControl,
}

impl CarLimits {
    /// The limits of a car, in some tenths of a second.
    ///
    /// # Errors
    /// [`ProvingError::CannotRace`] if the car does not steer by wheels ahead of its center of mass, or hardly moves; or if it
    /// cannot be driven.
    pub fn of(car: &Car) -> Result<Self, ProvingError> {
        let cannot = || ProvingError::CannotRace {
            vehicle: car.name.clone(),
        };
        let mut grip = car.smoothing().grip.ok_or_else(cannot)?;
        grip.tolerance = grip.tolerance.max(SLIP);
        grip.slide = 2.0 * grip.tolerance;
        let throttle = performance::full_throttle(car)?;
        let pad = performance::skid_pad(car, PAD_SPEED)?;
        let usable = usable(&pad, grip.tolerance).filter(|_| throttle.len() >= 2);
        let usable = usable.ok_or_else(cannot)?;
        let (model, [drag, lift]) = (car.model(), air(car));
        let params = model.params();
        let downforce = -lift / f64::from(params.chassis.design_gravity);
        // Grip is in proportion to the load: that of the downforce on the pad is taken off.
        let lateral = usable.lateral_acceleration / (1.0 + downforce * usable.speed * usable.speed);
        grip.lateral_acceleration = lateral as f32;
        let [base, angle] = [grip.axles, grip.angles].map(|[front, rear]| f64::from(front - rear));
        let sides = params
            .wheels
            .iter()
            .map(|wheel| wheel.position.y.abs() + 0.5 * wheel.width);
        Ok(Self {
            lateral,
            downforce: downforce * lateral,
            drag,
            braking: f64::from(grip.brake) * braking_force(&model) / f64::from(params.chassis.mass),
            traction: throttle.iter().copied().fold(0.0, f64::max),
            throttle,
            name: car.name.clone(),
            half_width: sides.fold(0.0, f32::max).into(),
            understeer: understeer(&pad, base / angle),
            steer_per_curvature: base / angle,
            grip,
        })
    }

    /// The limits where tires have this part of the grip of a dry road on Earth (–), > 0.
    #[must_use]
    pub fn with_grip(mut self, part: f64) -> Self {
        let least = part.min(1.0);
        self.lateral *= part;
        self.downforce *= part;
        self.traction *= least;
        self.braking *= least;
        self.grip.brake *= least as f32;
        self.grip.lateral_acceleration *= part as f32;
        for [lateral, _] in &mut self.understeer {
            *lateral *= part;
        }
        self
    }

    /// Greatest lateral acceleration at a speed (`m/s²`), with which the driver reckons.
    #[must_use]
    pub fn lateral_at(&self, speed: f64) -> f64 {
        LATERAL * (self.lateral + self.downforce * speed * speed).max(0.1 * self.lateral)
    }

    /// Acceleration at full throttle at a speed (`m/s²`); 0 beyond the greatest speed.
    #[must_use]
    pub fn throttle_at(&self, speed: f64) -> f64 {
        let at = (speed - 0.5).max(0.0);
        let n = at as usize;
        let [from, to] = [n, n + 1].map(|n| self.throttle.get(n).copied().unwrap_or(0.0));
        from + (to - from) * (at - n as f64)
    }

    /// Deceleration at a speed by drag, and by the brakes as far as no wheel locks (`m/s²`).
    #[must_use]
    pub fn braking_at(&self, speed: f64) -> f64 {
        self.braking + self.drag * speed * speed
    }

    /// Greatest speed (`m/s`).
    #[must_use]
    pub fn top_speed(&self) -> f64 {
        self.throttle.len() as f64
    }

    /// The brake pedal at which no wheel locks, 0…1.
    pub(super) fn brake(&self) -> f64 {
        self.grip.brake.into()
    }

    /// The fastest that the car goes through a bend of this curvature (`1/m`, ≥ 0), in `m/s`.
    pub(super) fn in_bend(&self, curvature: f64) -> f64 {
        let needed = curvature - LATERAL * self.downforce;
        let top = self.top_speed();
        if needed > 0.0 {
            (LATERAL * self.lateral / needed).sqrt().min(top)
        } else {
            top
        }
    }

    /// The fastest that the driver goes (`m/s`) at a `distance` (`m`) ahead of a bend of this curvature (`1/m`, ≥ 0): the brakes take
    /// off the rest. The road has this part of the grip (–), > 0.
    #[must_use]
    pub fn before_bend(&self, curvature: f64, distance: f64, grip: f64) -> f64 {
        let bend = self.in_bend(curvature / grip);
        let braking = BRAKING * self.braking * grip.min(1.0);
        (bend * bend + 2.0 * braking * distance)
            .sqrt()
            .min(self.top_speed())
    }

    /// Part of the grip that a lateral acceleration (`m/s²`) at a speed (`m/s`) leaves along the car, 0…1: of the ellipse of
    /// friction.
    pub(super) fn left_beside(&self, lateral: f64, speed: f64) -> f64 {
        let used = (lateral / self.lateral_at(speed)).min(1.0);
        (1.0 - used * used).sqrt()
    }

    /// Acceleration that the driven wheels can bring beside a lateral acceleration (`m/s²`) at a speed (`m/s`).
    pub(super) fn traction_beside(&self, lateral: f64, speed: f64) -> f64 {
        self.left_beside(lateral, speed) * self.traction
    }

    /// Steering to the left, −1…1, for a curvature of the path (`1/m`, positive to the left) at a speed (`m/s`).
    pub(super) fn steer_for(&self, curvature: f64, speed: f64) -> f64 {
        let lateral = (curvature * speed * speed).abs();
        let last = self.understeer.len() - 1;
        let after = self
            .understeer
            .iter()
            .position(|[known, _]| *known > lateral);
        let more = after.map_or(self.understeer[last][1], |n| {
            let [[low, from], [high, to]] = [n - 1, n].map(|n| self.understeer[n]);
            from + (to - from) * (lateral - low) / (high - low)
        });
        (self.steer_per_curvature * curvature + more.copysign(curvature)).clamp(-1.0, 1.0)
    }
}

/// The point of a skid pad from which more steering brings more slip of the rear axle than acceleration.
fn usable(pad: &[SkidPadPoint], tolerance: f32) -> Option<&SkidPadPoint> {
    let greatest = pad.last()?.lateral_acceleration;
    let most_slip = STEADY_SLIP * f64::from(tolerance);
    pad.iter().find(|point| {
        point.lateral_acceleration >= STEADY * greatest || point.rear_slip > most_slip
    })
}

/// Deceleration by drag and acceleration by lift per square of the speed (`1/m`), straight on.
fn air(car: &Car) -> [f64; 2] {
    let model = car.model();
    let params = model.params();
    params.aerodynamics.as_ref().map_or([0.0; 2], |air| {
        let pressure = 0.5 * f64::from(Air::STILL.density * air.area / params.chassis.mass);
        let lift = air.lift_front.at(0.0) + air.lift_rear.at(0.0);
        [air.drag.at(0.0), lift].map(|coefficient| pressure * f64::from(coefficient))
    })
}

/// Steering in addition to that of a car that rolls without slip, over the lateral acceleration, up to [`STEADY`] of the
/// greatest.
fn understeer(pad: &[SkidPadPoint], steer_per_curvature: f64) -> Vec<[f64; 2]> {
    let mut known = vec![[0.0; 2]];
    let greatest = pad.last().map_or(0.0, |point| point.lateral_acceleration);
    for point in pad {
        let lateral = point.lateral_acceleration;
        let curvature = lateral / (point.speed * point.speed);
        let [before, _] = known[known.len() - 1];
        if lateral > before && lateral < STEADY * greatest {
            known.push([lateral, point.steer - steer_per_curvature * curvature]);
        }
    }
    known
}

/// Force of all brakes on the road at full pedal (`N`).
fn braking_force(model: &VehicleModel) -> f64 {
    let drivetrain = model.drivetrain();
    let mut control = Control::idle(model.wheel_count());
    let command = Command::Car(CarCommand {
        brake: 1.0,
        ..CarCommand::default()
    });
    let taken = drivetrain.control(&command, &mut drivetrain.initial_state(), &mut control);
    let wheels = model.params().wheels.iter().enumerate();
    let forces = wheels.map(|(n, wheel)| {
        let brake = control.wheels[n / LANES].brake.lane(n % LANES);
        f64::from(brake / wheel.radius)
    });
    taken.map_or(0.0, |()| forces.sum())
}
