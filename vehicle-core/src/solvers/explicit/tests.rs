//! Steps of the explicit solver on a car that nothing else moves.

mod carcasses;
mod driving;
mod rows;
mod substeps;
mod wheels;

use alloc::sync::Arc;

use glam::{Mat3, Quat};
use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::base::checked::Checked;
use crate::base::lanes::{Groups, LANES, Mask4};
use crate::base::math;
use crate::base::velocity::Velocity;
use crate::contracts::drivetrain::Control;
use crate::contracts::rigid_bodies::BodyState;
use crate::contracts::stateful_tire::{StatefulTire, TireCondition, TireStep};
use crate::contracts::tire::{TireForces, TireInput, TireProperties, TireTraits};
use crate::contracts::tire_model::TireModel;
use crate::exchange::air::{Air, AirLoad};
use crate::exchange::state::{DriveState, WheelState};
use crate::exchange::tire_state::TireState;
use crate::params::profile::Profile;
use crate::params::{LoadFilter, VehicleParams};
use crate::stages::contact::MovingGround;
use crate::stages::slip;
use crate::stages::steering::Steering;
use crate::testing;
use crate::testing::uneven::{close, near, uneven};

const G: f32 = 9.81;
const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -G);
const H: f32 = 1.0 / 180.0;
/// Height of the center of mass of the sample car at rest (`m`). Each wheel's stiffness is 35 kN/m.
const REST: f32 = 1.65;

/// A tire that has one number for every question: what `of` makes of its input.
#[derive(Clone, Copy)]
struct Echo {
    of: fn(&TireInput) -> f32,
    /// Factors of friction and stiffness.
    condition: [f32; 2],
}

impl core::fmt::Debug for Echo {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Echo")
    }
}

impl TireModel for Echo {
    fn forces(&self, input: &TireInput) -> TireForces {
        let value = (self.of)(input);
        TireForces {
            longitudinal: value,
            lateral: 0.5 * value,
            aligning_moment: 0.3 * value,
            overturning_moment: -0.2 * value,
            rolling_resistance: value.abs(),
            wheel_torque: -0.25 * value,
        }
    }

    fn traits(&self) -> TireTraits {
        TireTraits {
            has_moments: true,
            ..TireTraits::PLAIN
        }
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        Some(self)
    }
}

impl StatefulTire for Echo {
    fn fresh(&self) -> TireState {
        TireState::default()
    }

    fn condition(&self, _: &TireState) -> TireCondition {
        TireCondition {
            friction: self.condition[0],
            stiffness: self.condition[1],
            pressure: 2e5,
        }
    }

    /// Number of steps that the tire received, and the last one.
    fn advance(&self, state: &mut TireState, step: &TireStep) {
        state.values[0] += 1.0;
        state.values[1] = (self.of)(&step.input);
        [state.values[2], state.values[3]] = step.forces;
        state.values[4] += step.duration;
    }
}

fn echo(of: fn(&TireInput) -> f32) -> Echo {
    Echo {
        of,
        condition: [1.0; 2],
    }
}

/// A car on one tire law.
fn on_tires(params: VehicleParams, tire: impl TireModel + 'static) -> VehicleModel {
    let tires: [Arc<dyn TireModel>; 1] = [Arc::new(tire)];
    VehicleModel::new(Checked::new(params).unwrap(), &tires, testing::no_drive()).unwrap()
}

/// The sample car with another profile, without a load filter, a step being one substep.
fn with_profile(profile: Profile) -> VehicleParams {
    let mut params = VehicleParams {
        profile,
        load_filter: LoadFilter::OFF,
        ..testing::four_wheeler()
    };
    substeps(&mut params, 1);
    params
}

fn on_ice(profile: Profile) -> VehicleModel {
    on_tires(with_profile(profile), echo(|_| 0.0))
}

/// A car within its steps, and all that they work with.
#[derive(Clone)]
struct Rig {
    model: VehicleModel,
    state: VehicleState,
    chassis: Chassis,
    control: Control,
    steering: Groups<Steering>,
    ground: Groups<MovingGround>,
    outputs: Groups<WheelOutputs>,
    reactions: Groups<GroundPushes>,
    rows: Vec<Row>,
}

impl Rig {
    /// Over level ground, its center of mass at a height (`m`).
    fn new(model: VehicleModel, height: f32) -> Self {
        let wheels = model.wheel_count();
        let mut state = VehicleState::at_rest(wheels, DriveState::default());
        for wheels in state.wheels.iter_mut() {
            wheels.ground_normal = V3x4::splat(Vec3::Z);
            wheels.ground_height = W4::splat(height);
            wheels.ground_friction = W4::ONE;
        }
        state.extras = model.fresh_extras();
        let body = BodyState {
            mass: 1500.0,
            inverse_inertia: Mat3::from_diagonal(Vec3::new(
                1.0 / 1281.0,
                1.0 / 3625.0,
                1.0 / 3125.0,
            )),
            ..BodyState::BLANK
        };
        Self {
            chassis: Chassis::new(&body, Vec3::ZERO, Vec3::ZERO),
            control: Control::idle(wheels),
            steering: Groups::for_wheels(wheels, |_| Steering::STRAIGHT),
            ground: Groups::for_wheels(wheels, |_| MovingGround::FIXED),
            outputs: Groups::for_wheels(wheels, |_| WheelOutputs::default()),
            reactions: Groups::for_wheels(wheels, |_| GroundPushes::default()),
            rows: Vec::new(),
            model,
            state,
        }
    }

    /// This vehicle, tilted and moving.
    fn moving(mut self, rotation: Quat, linear: Vec3, angular: Vec3) -> Self {
        self.chassis.rotation = rotation;
        self.chassis.matrix = math::matrix(rotation);
        self.chassis.velocity = Velocity { linear, angular }.in_lanes();
        self
    }

    fn advance(&mut self, dt: f32) {
        let swept = Groups::for_wheels(self.model.wheel_count(), |_| None);
        let mut work = Workspace {
            command: None,
            control: &mut self.control,
            steering: &mut self.steering,
            ground: &self.ground,
            swept: &swept,
            edges: None,
            ends: &[],
            outputs: &mut self.outputs,
            reactions: &mut self.reactions,
            air: Air::STILL,
            air_load: &mut AirLoad::default(),
        };
        let (model, state, chassis) = (&self.model, &mut self.state, &mut self.chassis);
        advance(
            model,
            (GRAVITY, dt),
            state,
            chassis,
            &mut work,
            &mut self.rows,
        );
    }

    fn wheels(&mut self) -> &mut WheelState {
        &mut self.state.wheels[0]
    }

    fn out(&self) -> &WheelOutputs {
        self.outputs.first()
    }
}

fn tilt(x: f32, y: f32, z: f32) -> Quat {
    math::unit(Quat::from_xyzw(x, y, z, 1.0))
}

/// Sets the number of substeps, whatever the speed.
fn substeps(params: &mut VehicleParams, count: u32) {
    (params.substeps.slow, params.substeps.fast) = (count, count);
}
