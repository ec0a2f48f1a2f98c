//! A vehicle driven on jointed wheels.

mod handover;

use std::sync::Arc;

use vehicle_core::drivetrain::Control;
use vehicle_core::lanes::{LANES, W4};
use vehicle_core::params::AntiRollBar;
use vehicle_core::state::{DriveState, WheelState};
use vehicle_core::{Air, BodyId, BodyState, Command, Reaction, VehicleModel};

use crate::attachment::Attachments;
use crate::contract::{JointedWheels, Motor, WheelDrive};
use crate::error::JointedError;
use crate::motion::WheelMotion;
use crate::motor::Clutch;

/// Acceleration by the air that counts as none (`m/s²`), so that a parked car may sleep.
const STILL: f32 = 1e-4;

/// A vehicle whose wheels are bodies of an engine.
#[derive(Clone, Debug)]
pub struct JointedCar {
    model: Arc<VehicleModel>,
    attachments: Attachments,
    body: BodyId,
    wheels: Vec<BodyId>,
    drive: DriveState,
    control: Control,
    /// Spins and travels as the drivetrain reads them.
    states: Vec<WheelState>,
    motions: Vec<WheelMotion>,
    drives: Vec<WheelDrive>,
    /// The clutch of the last step.
    clutch: Option<Clutch>,
    /// The command of the last step: a change wakes the bodies.
    given: Option<Command>,
}

impl JointedCar {
    /// Puts a vehicle on wheels of its own: `body` is its chassis, of the mass, inertia and center
    /// of mass of `attachments`, which are those of its model.
    ///
    /// # Errors
    /// If the world cannot attach them.
    pub fn new<W: JointedWheels + ?Sized>(
        world: &mut W,
        model: Arc<VehicleModel>,
        attachments: Attachments,
        body: BodyId,
    ) -> Result<Self, JointedError> {
        let wheels = world.attach_wheels(body, &attachments.wheels)?;
        let count = wheels.len();
        Ok(Self {
            drive: model.drivetrain().initial_state(),
            control: Control::idle(count),
            states: vec![WheelState::AT_REST; count.div_ceil(LANES)],
            motions: vec![WheelMotion::default(); count],
            drives: vec![WheelDrive::default(); count],
            clutch: None,
            given: None,
            model,
            attachments,
            body,
            wheels,
        })
    }

    /// One step of `dt` (`s`), before the world's: reads the wheels, sets their torques and steering, and lets the
    /// `air` act. `state` is that of the chassis.
    ///
    /// # Errors
    /// If the command does not suit the drivetrain, the drivetrain binds wheels to each other, or
    /// the world does not have this vehicle's chassis on its wheels.
    pub fn step<W: JointedWheels + ?Sized>(
        &mut self,
        world: &mut W,
        state: &BodyState,
        command: &Command,
        air: &Air,
        dt: f32,
    ) -> Result<(), JointedError> {
        world.wheel_motions(self.body, &mut self.motions)?;
        self.control.forward_speed = state.forward_speed();
        self.follow();
        let refuses = self.model.params().profile.refuses_out_of_range;
        let command = command.accepted(refuses, self.wheels.len())?;
        let drivetrain = self.model.drivetrain();
        drivetrain.control(&command, &mut self.drive, &mut self.control)?;
        let control = &mut self.control;
        drivetrain.change_gears(&mut self.drive, &self.states, dt, control);
        drivetrain.split_torque(&self.drive, &self.states, control);
        if control.wheel_couplings > 0 {
            return Err(JointedError::Bound);
        }
        let requests_motion = drivetrain.requests_motion(&command, &self.drive);
        self.turn(dt);
        let changed = self.given.replace(command) != self.given;
        world.drive_wheels(self.body, &self.drives, requests_motion || changed)?;
        match self.blown(state, air) {
            Some(push) => world.push_chassis(&push),
            None => Ok(()),
        }
    }

    /// Force and torque of the air on the chassis, unless it is too little to move a parked car.
    fn blown(&self, state: &BodyState, air: &Air) -> Option<Reaction> {
        let whole = self.model.params().chassis.center_of_mass;
        let offset = state.rotation * (whole - self.attachments.center_of_mass);
        let moving = BodyState {
            linear_velocity: state.linear_velocity + state.angular_velocity.cross(offset),
            ..*state
        };
        let load = self.model.air_load(air, &moving, &self.states)?;
        let felt = load.force.length() > STILL * state.mass;
        felt.then(|| Reaction {
            body: self.body,
            force: state.rotation * load.force,
            torque: state.rotation * load.moment,
            anchor: state.position,
            offset,
        })
    }

    /// Takes over the motion of wheels and engine from the engine's step.
    fn follow(&mut self) {
        let motions = self.motions.chunks(LANES);
        for (state, motions) in self.states.iter_mut().zip(motions) {
            let lanes =
                |of: fn(&WheelMotion) -> f32| W4::from_fn(|lane| motions.get(lane).map_or(0.0, of));
            state.spin = lanes(|motion| motion.spin);
            state.jounce = lanes(|motion| motion.travel);
        }
        if let Some(clutch) = self.clutch {
            let mean = self.mean();
            (self.drive.clutch_torque, self.drive.engine_speed) = clutch.after(mean);
        }
    }

    /// Mean spin that the clutch sees (`rad/s`).
    fn mean(&self) -> f32 {
        let shares = self.control.wheels.iter();
        let spins = shares.zip(&self.states);
        spins
            .map(|(wheels, state)| (wheels.speed_share * state.spin).sum())
            .sum()
    }

    /// Sets the drives from the drivetrain's control.
    fn turn(&mut self, dt: f32) {
        let engine = self.drive.engine_speed;
        let mean = self.mean();
        let coupling = self.control.coupling.as_ref();
        self.clutch = coupling.map(|coupling| Clutch::new(coupling, engine, mean, dt));
        for n in 0..self.wheels.len() {
            let (group, lane) = (&self.control.wheels[n / LANES], n % LANES);
            let (wheel, attachment) = (&self.model.params().wheels[n], &self.attachments.wheels[n]);
            let spin = self.motions[n].spin;
            let brake = group.brake.lane(lane);
            let share = group.torque_share.lane(lane);
            let own = group.drive.lane(lane) - wheel.damping * spin;
            let motor = if brake > 0.0 {
                Motor {
                    torque: self.clutch.map_or(0.0, |clutch| clutch.drag(share)),
                    inertia: f32::INFINITY,
                    most: brake,
                    ..Motor::default()
                }
            } else {
                let clutch = self.clutch;
                clutch.map_or_else(Motor::default, |clutch| clutch.motor(share, spin))
            };
            self.drives[n] = WheelDrive {
                // With toe, wheels without slip would slide all the time, and push more where more load is.
                steer: group.steer.lane(lane),
                free_travel: attachment.free_travel - self.rolled(n) / attachment.stiffness,
                motor: Motor {
                    torque: motor.torque + own,
                    ..motor
                },
            };
        }
    }

    /// Force of the anti-roll bars on a wheel, downward (`N`).
    fn rolled(&self, wheel: usize) -> f32 {
        let bars = self.model.params().anti_roll.iter();
        let force = |bar: &AntiRollBar| {
            let [a, b] = bar.wheels.map(|n| self.motions[n].travel);
            let [first, second] = bar.wheels;
            let sign = f32::from(u8::from(wheel == first)) - f32::from(u8::from(wheel == second));
            sign * bar.stiffness * (a - b)
        };
        bars.map(force).sum()
    }

    /// Body of the chassis.
    #[must_use]
    pub const fn body(&self) -> BodyId {
        self.body
    }

    /// Bodies of its wheels, in the vehicle's order.
    #[must_use]
    pub fn wheels(&self) -> &[BodyId] {
        &self.wheels
    }

    /// Model of the vehicle.
    #[must_use]
    pub const fn model(&self) -> &Arc<VehicleModel> {
        &self.model
    }

    /// Masses and positions of the vehicle's bodies.
    #[must_use]
    pub const fn attachments(&self) -> &Attachments {
        &self.attachments
    }

    /// Engine and gears.
    #[must_use]
    pub const fn drive(&self) -> &DriveState {
        &self.drive
    }

    /// Engine and gears, to set.
    pub const fn drive_mut(&mut self) -> &mut DriveState {
        &mut self.drive
    }

    /// Motions of the wheels before the last step.
    #[must_use]
    pub fn motions(&self) -> &[WheelMotion] {
        &self.motions
    }

    /// Drives of the joints of the wheels since the last step.
    #[must_use]
    pub fn drives(&self) -> &[WheelDrive] {
        &self.drives
    }
}
