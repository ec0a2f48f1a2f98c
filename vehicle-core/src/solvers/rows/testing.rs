//! A vehicle with the rows solver, stepped without an engine over arbitrary planes.

use crate::exchange::grip_memory::{GripMemory, RowsGrip};
use alloc::sync::Arc;
use alloc::vec::Vec;

use glam::{DMat3, DVec3, Quat, Vec3};
use proptest::prelude::*;

use super::group::GroupRows;
use super::moving_ground::GroundDeviation;
use super::observer::BodyObservation;
use super::{self as solver, Step};
use crate::base::lanes::{Groups, LANES, V3x4, W4};
use crate::base::velocity::Velocity;
use crate::contracts::drivetrain::Control;
use crate::contracts::tire::{TireForces, TireInput, TireTraits};
use crate::contracts::tire_model::TireModel;
use crate::exchange::air::{Air, AirLoad};
use crate::exchange::state::VehicleState;
use crate::params::{AntiRollBar, LoadFilter};
use crate::stages::chassis::Chassis;
use crate::stages::contact::MovingGround;
use crate::stages::model::VehicleModel;
use crate::stages::outputs::{GroundPushes, WheelOutputs, Workspace};
use crate::stages::steering::Steering;
use crate::{BodyState, Checked, Profile, VehicleParams, inertia, math, testing};

pub(super) const H: f32 = 1.0 / 60.0;
pub(super) const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// Slip stiffness of 10 loads forward and 8 laterally, clamped to friction; and moments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rubber {
    pub(super) traits: TireTraits,
    /// Aligning moment per lateral force (`m`) and overturning moment (`N·m`).
    pub(super) moments: [f32; 2],
    /// Rolling resistance (`N·m`).
    pub(super) resistance: f32,
}

impl Rubber {
    pub(super) const PLAIN: Self = Self {
        traits: TireTraits::PLAIN,
        moments: [0.0; 2],
        resistance: 0.0,
    };

    /// Tires with moments.
    pub(super) const TURNING: Self = Self {
        traits: TireTraits {
            has_moments: true,
            has_offsets: true,
            ..TireTraits::PLAIN
        },
        moments: [-0.05, 60.0],
        resistance: 20.0,
    };
}

impl TireModel for Rubber {
    fn forces(&self, i: &TireInput) -> TireForces {
        let most = i.friction * i.load;
        let of = |force: f32| force.clamp(-most, most);
        let longitudinal = of(10.0 * i.load * i.slip_ratio);
        let lateral = of(-8.0 * i.load * i.tan_slip_angle);
        TireForces {
            longitudinal,
            lateral,
            aligning_moment: self.moments[0] * lateral,
            overturning_moment: self.moments[1],
            rolling_resistance: self.resistance,
            wheel_torque: -longitudinal * i.radius,
        }
    }

    fn traits(&self) -> TireTraits {
        self.traits
    }
}

/// The sample car with the rows solver, without load filter.
pub(super) fn car(change: impl FnOnce(&mut VehicleParams)) -> VehicleParams {
    let mut params = VehicleParams {
        profile: Profile::DEFAULT,
        load_filter: LoadFilter::OFF,
        ..testing::four_wheeler()
    };
    change(&mut params);
    params
}

/// Adds `more` axles, equal to the rear one and spaced by 1 m, with their own bars and sprung mass.
pub(super) fn with_axles(params: &mut VehicleParams, more: usize) {
    for axle in 1..=more {
        for n in [2, 3] {
            let mut wheel = params.wheels[n].clone();
            let back = axle as f32;
            wheel.position.x -= back;
            wheel.suspension.application_point.x -= back;
            wheel.tire.application_point.x -= back;
            params.chassis.mass += wheel.suspension.sprung_mass;
            params.wheels.push(wheel);
        }
        let first = params.wheels.len() - 2;
        params.anti_roll.push(AntiRollBar {
            wheels: [first, first + 1],
            stiffness: 10_000.0,
        });
    }
}

/// A vehicle at its design height over level ground, and the inputs of a step.
#[derive(Clone, Debug)]
pub(super) struct Rig {
    pub(super) model: Arc<VehicleModel>,
    pub(super) gravity: Vec3,
    pub(super) state: VehicleState,
    pub(super) chassis: Chassis,
    pub(super) control: Control,
    pub(super) steering: Groups<Steering>,
    pub(super) ground: Groups<MovingGround>,
    pub(super) outputs: Groups<WheelOutputs>,
    pub(super) reactions: Groups<GroundPushes>,
    pub(super) rows: Groups<GroupRows>,
}

impl Rig {
    pub(super) fn new(params: VehicleParams) -> Self {
        Self::on(params, Rubber::PLAIN)
    }

    pub(super) fn on(params: VehicleParams, tire: impl TireModel + 'static) -> Self {
        Self::on_tires(params, &[Arc::new(tire)])
    }

    /// A rig with these models of tires.
    pub(super) fn on_tires(params: VehicleParams, tires: &[Arc<dyn TireModel>]) -> Self {
        let params = Checked::new(params).unwrap();
        let model = VehicleModel::new(params, tires, testing::no_drive()).unwrap();
        let wheels = model.wheel_count();
        let body = BodyState {
            mass: model.params().chassis.mass,
            inverse_inertia: inertia::inverse(model.params().chassis.inertia_tensor()),
            ..BodyState::BLANK
        };
        let mut state = VehicleState::at_rest(wheels, Default::default());
        state.extras = model.fresh_extras();
        // Not placed.
        state.last_step.duration = H;
        for group in state.wheels.iter_mut() {
            group.ground_normal = V3x4::splat(Vec3::Z);
            group.ground_height = W4::splat(1.65);
            group.ground_friction = W4::ONE;
            group.jounce = W4::ZERO;
        }
        Self {
            gravity: GRAVITY,
            state,
            chassis: Chassis::new(&body, Vec3::ZERO, Vec3::ZERO),
            control: model.idle_control(),
            steering: Groups::for_wheels(wheels, |_| Steering::STRAIGHT),
            ground: Groups::for_wheels(wheels, |_| MovingGround::FIXED),
            outputs: Groups::for_wheels(wheels, |_| WheelOutputs::default()),
            reactions: Groups::for_wheels(wheels, |_| GroundPushes::default()),
            rows: Groups::for_wheels(wheels, |_| GroupRows::default()),
            model: Arc::new(model),
        }
    }

    pub(super) fn advance(&mut self, dt: f32) {
        self.advance_from(
            dt,
            &GroundDeviation::default(),
            Velocity::ZERO,
            Velocity::ZERO,
        );
    }

    /// Advances by `dt` (`s`) after the engine displaced the chassis by `pose_drift` (`m`, `rad`) and changed its
    /// velocity by `external_change` (`m/s`, `rad/s`).
    pub(super) fn advance_from(
        &mut self,
        dt: f32,
        ground: &GroundDeviation,
        pose_drift: Velocity,
        external_change: Velocity,
    ) {
        let observation = BodyObservation {
            velocity: self.chassis.velocity,
            pose_drift: pose_drift.in_lanes(),
            external_change: external_change.in_lanes(),
            push: self.state.last_step.push.in_lanes(),
            velocity_jump: Velocity::ZERO.in_lanes(),
            is_rolling: true,
            placed: self.state.last_step.duration == 0.0,
        };
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
        let settings = self.model.params().profile.rows().unwrap();
        solver::advance(
            &self.model,
            &Step {
                settings,
                observation: &observation,
                ground: Some(ground),
                gravity: self.gravity,
                dt,
            },
            &mut self.state,
            &mut self.chassis,
            &mut work,
            &mut self.rows,
        );
        self.chassis.turn_by_arc();
    }

    /// Mass of the chassis (`kg`).
    pub(super) fn mass(&self) -> f32 {
        self.model.params().chassis.mass
    }

    pub(super) fn wheels(&self) -> core::ops::Range<usize> {
        0..self.model.wheel_count()
    }

    /// Velocity of the chassis in the vehicle frame of `frame`.
    pub(super) fn velocity_in(&self, frame: &Self) -> (DVec3, DVec3) {
        let back = frame.chassis.matrix.as_dmat3().transpose();
        let Velocity { linear, angular } = self.chassis.velocity.truncated();
        (back * linear.as_dvec3(), back * angular.as_dvec3())
    }

    /// The vehicle at its position, turned as it is in the middle of a substep of `h` (`s`).
    pub(super) fn halfway(&self, h: f32) -> Self {
        let mut halfway = self.clone();
        halfway.chassis.rotation = self.chassis.rotation_after(0.5 * h);
        halfway.chassis.matrix = math::matrix(halfway.chassis.rotation);
        halfway
    }

    /// Points of wheel `n`'s rows at this pose, and their directions in the vehicle frame of `middle`.
    pub(super) fn contact(&self, n: usize, middle: &Self) -> Contact {
        let (group, lane) = (n / LANES, n % LANES);
        let wheel = &self.model.params().wheels[n];
        let planes = &self.state.wheels[group];
        let normal = planes.ground_normal.lane(lane).as_dvec3();
        let moved = normal.dot(self.chassis.moved.as_dvec3());
        let height = f64::from(planes.ground_height.lane(lane)) + moved;
        let (center, travel) = (wheel.position.as_dvec3(), DVec3::NEG_Z);
        // The strut's line meets the plane where n·p = −height.
        let here = self.chassis.matrix.as_dmat3().transpose() * normal;
        let bottom = center + travel * ((-height - here.dot(center)) / here.dot(travel));
        let normal = middle.chassis.matrix.as_dmat3().transpose() * normal;
        let ahead = DVec3::Y.cross(normal).normalize();
        let across = normal.cross(ahead);
        let (sin, cos) = f64::from(self.steering[group].angle.lane(lane)).sin_cos();
        let point = wheel.tire.application_point.as_dvec3();
        let lowered = point.z * f64::from(wheel.suspension.roll_influence);
        Contact {
            directions: [
                normal,
                ahead * cos + across * sin,
                across * cos - ahead * sin,
            ],
            points: [bottom, point, point.with_z(lowered)],
        }
    }

    /// Forces of wheel `n` in the last substep: along the normal, forward, to the left (`N`).
    pub(super) fn forces(&self, n: usize) -> [f64; 3] {
        let (wheels, lane) = (&self.state.wheels[n / LANES], n % LANES);
        let [forward, left] = wheels.grip.rows().force;
        let all = [wheels.normal_force, forward, left];
        all.map(|force| f64::from(force.lane(lane)))
    }

    /// Sets a value of each wheel.
    pub(super) fn set(values: impl Fn(usize) -> f32, group: usize) -> W4 {
        W4::from_fn(|lane| values(group * LANES + lane))
    }
}

/// Directions and points of a wheel's three rows (vehicle frame, from the center of mass).
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) directions: [DVec3; 3],
    pub(super) points: [DVec3; 3],
}

impl Contact {
    /// Speed along row `n` at this velocity of the chassis.
    pub(super) fn speed(&self, n: usize, velocity: (DVec3, DVec3)) -> f64 {
        let point = velocity.0 + velocity.1.cross(self.points[n]);
        self.directions[n].dot(point)
    }

    /// Force and moment of three forces.
    pub(super) fn wrench(&self, forces: [f64; 3]) -> (DVec3, DVec3) {
        let each = core::array::from_fn::<DVec3, 3, _>(|n| self.directions[n] * forces[n]);
        let moment = (0..3).map(|n| self.points[n].cross(each[n])).sum();
        (each.iter().sum(), moment)
    }
}

/// Arbitrary inputs of a wheel.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnyWheel {
    pub(super) spin: f32,
    pub(super) height: f32,
    pub(super) slope: [f32; 2],
    pub(super) drive: f32,
    pub(super) brake: f32,
    pub(super) friction: f32,
    pub(super) steer: f32,
    /// Deflections of its carcass (`m`).
    pub(super) held: [f32; 2],
    /// Forces of the substep before (`N`).
    pub(super) forces: [f32; 3],
}

/// Arbitrary inputs of a vehicle with up to eight wheels.
#[derive(Clone, Debug)]
pub(super) struct Anything {
    pub(super) velocity: Velocity,
    /// Rotation vector of the chassis (`rad`).
    pub(super) turned: Vec3,
    pub(super) push: Velocity,
    pub(super) moment: Vec3,
    pub(super) wheels: Vec<AnyWheel>,
    /// Length of a substep (`s`).
    pub(super) h: f32,
}

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from)
}

prop_compose! {
    fn any_wheel(fastest: f32)(
        spin in -fastest..fastest, height in 1.45f32..1.8, slope in prop::array::uniform2(-0.15f32..0.15),
        drive in -1000f32..1000.0, brake in prop_oneof![Just(0f32), 0f32..4000.0],
        friction in prop_oneof![Just(0f32), 0.1f32..1.2], steer in -0.5f32..0.5,
        held in prop::array::uniform2(-1e-3f32..1e-3),
        normal in 0f32..8000.0, tire in prop::array::uniform2(-3000f32..3000.0),
    ) -> AnyWheel {
        let forces = [normal, tire[0], tire[1]];
        AnyWheel { spin, height, slope, drive, brake, friction, steer, held, forces }
    }
}

prop_compose! {
    /// Any motion at up to this speed (`m/s`).
    pub(super) fn anything(fastest: f32)(
        linear in vector(fastest), angular in vector(1.0), turned in vector(0.2),
        push in vector(2.0), turning in vector(1.0), moment in vector(300.0),
        wheels in prop::collection::vec(any_wheel(2.0 * fastest), 8), h in 1f32 / 240.0..1.0 / 60.0,
    ) -> Anything {
        Anything {
            velocity: Velocity { linear, angular },
            push: Velocity { linear: push, angular: turning },
            turned, moment, wheels, h,
        }
    }
}

impl Anything {
    pub(super) fn happen_to(&self, rig: &mut Rig) {
        rig.chassis.velocity = self.velocity.in_lanes();
        rig.chassis.rotation = math::turn(Quat::IDENTITY, self.turned, 1.0);
        rig.chassis.matrix = math::matrix(rig.chassis.rotation);
        rig.state.last_step.push = self.push;
        if rig.model.has_moments() {
            rig.state.tire_moment = self.moment;
        }
        let of = |value: fn(&AnyWheel) -> f32, g: usize| Rig::set(|n| value(&self.wheels[n]), g);
        for g in 0..rig.state.wheels.len() {
            let normals = core::array::from_fn(|lane| {
                let [x, y] = self.wheels[g * LANES + lane].slope;
                Vec3::new(x, y, 1.0).normalize()
            });
            let wheels = &mut rig.state.wheels[g];
            wheels.spin = of(|w| w.spin, g);
            wheels.ground_normal = V3x4::from_array(normals);
            wheels.ground_height = of(|w| w.height, g);
            wheels.ground_friction = of(|w| w.friction, g);
            wheels.normal_force = of(|w| w.forces[0], g);
            wheels.grip = GripMemory::Rows(RowsGrip {
                deflection: [of(|w| w.held[0], g), of(|w| w.held[1], g)],
                force: [of(|w| w.forces[1], g), of(|w| w.forces[2], g)],
            });
            rig.control.wheels[g].drive = of(|w| w.drive, g);
            rig.control.wheels[g].brake = of(|w| w.brake, g);
            rig.steering[g].turn_to(of(|w| w.steer, g));
        }
    }
}

/// Inertia of a vehicle (vehicle frame).
pub(super) fn inverse_inertia(rig: &Rig) -> DMat3 {
    rig.chassis.inverse_inertia.as_dmat3()
}
