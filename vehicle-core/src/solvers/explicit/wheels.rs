//! Suspension, load, slip and tire of four wheels in a substep, and what they exert on the chassis.

use glam::Vec4;

use crate::base::lanes::{Mask4, V3x4, W4};
use crate::base::math;
use crate::contracts::drivetrain::WheelControl;
use crate::exchange::state::WheelState;
use crate::exchange::tire_state::TireState;
use crate::params::profile::ExplicitSettings;
use crate::stages::alignment::WheelAlignment;
use crate::stages::chassis::View;
use crate::stages::contact::{MovingGround, SweptWheels};
use crate::stages::load::LoadLine;
use crate::stages::outputs::WheelOutputs;
use crate::stages::slip::{self, TireAxes};
use crate::stages::steering::Steering;
use crate::stages::strut_curves::{self, StrutCurves};
use crate::stages::suspension::{self, Touch};
use crate::stages::tire_use::{
    self, ContactMotion, TireOperatingPoint, TireUse, tire_forces, tire_input,
};
use crate::stages::wheel_consts::WheelConsts;

use super::relaxation;
use super::sticky::{self, Stillness};

/// Below this speed, the moments of tires on the chassis fade (`m/s`).
const NEARLY_STANDING: f32 = 1.0;

/// Constant inputs of four wheels over a step's substeps.
#[derive(Clone, Copy, Debug)]
pub struct WheelStage<'a> {
    /// Constants.
    pub consts: &'a WheelConsts,
    /// Nonlinear dampers and compliance, if any.
    pub curves: Option<&'a StrutCurves>,
    /// Tire models.
    pub tires: &'a [TireUse],
    /// States of stateful tires, if any.
    pub tire_states: &'a [TireState],
    /// Brakes and drive.
    pub control: &'a WheelControl,
    /// Steering.
    pub steering: &'a Steering,
    /// Motion of the ground under them.
    pub ground: &'a MovingGround,
    /// Orientation of the wheels, if they are swept.
    pub swept: Option<&'a SweptWheels>,
    /// Settings.
    pub settings: &'a ExplicitSettings,
    /// Whether the wheel's mass limits the speed at which a spring extends it.
    pub limits_expansion: bool,
    /// Maximum acceleration of the body under a wheel (`m/s²`).
    pub max_ground_acceleration: f32,
    /// Filter from suspension force to load.
    pub load_line: &'a LoadLine,
    /// Whether the driver requests acceleration.
    pub accelerating: bool,
    /// Whether any wheel of the vehicle is braked.
    pub braking: bool,
}

impl WheelStage<'_> {
    /// Wheels that are driven or braked.
    #[inline]
    fn active(&self) -> Mask4 {
        self.control.accelerated | self.control.brake.gt(W4::ZERO)
    }
}

/// Suspension, load, slip and tire of four wheels for one substep of `h` (`s`). Advances jounce and timers of
/// `wheels`, but not spins.
#[inline(always)]
pub fn wheel_forces(
    stage: &WheelStage<'_>,
    view: &View,
    wheels: &mut WheelState,
    h: f32,
    out: &mut WheelOutputs,
) {
    let weights = Weights::of(stage.consts, stage.settings, view);
    travel(stage, view, wheels, h, out);
    bear(stage, view, &weights, wheels, out);
    let camber = roll(stage, view, wheels, out);
    grip(stage, view, (&weights, camber), wheels, h, out);
}

/// Contact of the wheels, and which of them carry load; advances jounce and jounce speed in `wheels`.
#[inline(always)]
fn travel(
    stage: &WheelStage<'_>,
    view: &View,
    wheels: &mut WheelState,
    h: f32,
    out: &mut WheelOutputs,
) {
    let (k, settings) = (stage.consts, stage.settings);
    let mut touch = suspension::touch(k, view, wheels, stage.ground, stage.swept, h);
    let mut loaded = touch.touching;
    if settings.extends_at_own_speed {
        let limiting = stage
            .limits_expansion
            .then(|| suspension::damper(k, stage.curves, wheels.jounce_speed));
        touch = suspension::limit_extension(k, view, wheels, &touch, limiting, h);
        loaded = touch.touching;
    } else if stage.limits_expansion {
        loaded = loaded & !suspension::outrun(k, view, &touch, wheels.jounce, h);
    }
    (wheels.jounce, wheels.jounce_speed) = (touch.jounce, touch.jounce_speed);
    (out.touch, out.loaded) = (touch, loaded);
}

/// Gravity at which tires rest, and what rests on them.
pub(super) struct Weights {
    /// Gravity (`m/s²`): the present one if the preload follows it, otherwise that of the design.
    pub(super) gravity: f32,
    /// Weight on the tires (`N`).
    pub(super) on_tires: W4,
}

impl Weights {
    #[inline(always)]
    pub(super) fn of(k: &WheelConsts, settings: &ExplicitSettings, view: &View) -> Self {
        let gravity = if settings.preload_follows_gravity {
            math::sqrt(view.gravity.dot(view.gravity))
        } else {
            k.design_gravity
        };
        Self {
            gravity,
            on_tires: k.rest_mass * W4::splat(gravity),
        }
    }
}

/// Forces of the suspension, and loads of the tires.
#[inline(always)]
fn bear(
    stage: &WheelStage<'_>,
    view: &View,
    weights: &Weights,
    wheels: &mut WheelState,
    out: &mut WheelOutputs,
) {
    let force = suspension::force(
        stage.consts,
        stage.curves,
        stage.settings,
        view,
        &out.touch,
        (stage.ground, stage.max_ground_acceleration),
        out.loaded,
    );
    let load = stage.load_line.tire_load(force, weights.on_tires);
    out.suspension_force = force;
    out.load = out.loaded.keep(load);
    // For differentials that split by load.
    wheels.normal_force = out.loaded.keep(force);
}

/// Axes and slips of the tires; returns their camber to the ground (`rad`).
#[inline(always)]
fn roll(stage: &WheelStage<'_>, view: &View, wheels: &WheelState, out: &mut WheelOutputs) -> W4 {
    let (k, settings, touch) = (stage.consts, stage.settings, &out.touch);
    let (jounce, mut room) = (touch.jounce, None);
    let alignment = WheelAlignment::new(k, stage.curves, stage.steering, jounce, None, &mut room);
    let (sin, cos) = (*alignment.steer_sin, *alignment.steer_cos);
    let to_chassis = strut_curves::camber(k, stage.curves, jounce, None);
    let (directions, scale, camber) = if settings.axes_follow_axle {
        let (
            TireAxes {
                longitudinal: long,
                lateral: lat,
            },
            camber,
        ) = slip::axle_axes(touch.normal, sin, cos, to_chassis);
        ([long, lat], W4::ONE, camber)
    } else {
        let (directions, scale) = slip::tire_directions(touch.normal, sin, cos);
        (directions, scale, to_chassis)
    };
    let point = if settings.slips_at_wheel_end {
        suspension::wheel_end(k, touch)
    } else {
        touch.bottom
    };
    let velocity = suspension::contact_velocity(view, point, stage.ground);
    let [forward_speed, lateral_speed] =
        directions.map(|direction| out.loaded.keep(velocity.dot(direction) * scale));
    let rim_speed = wheels.spin * k.radius;
    out.slip_ratio = slip::slip_ratio(&settings.slip, stage.active(), forward_speed, rim_speed);
    out.tan_slip_angle = slip::tan_slip_angle(&settings.slip, forward_speed, lateral_speed);
    (out.forward_speed, out.lateral_speed) = (forward_speed, lateral_speed);
    (out.axes, out.camber) = (TireAxes::along(directions, scale), to_chassis);
    camber
}

/// Friction, sticky contact, and what the tires do at this `camber` to the ground (`rad`).
#[inline(always)]
fn grip(
    stage: &WheelStage<'_>,
    view: &View,
    (weights, camber): (&Weights, W4),
    wheels: &mut WheelState,
    h: f32,
    out: &mut WheelOutputs,
) {
    let (k, settings) = (stage.consts, stage.settings);
    let (loaded, forward, rim) = (out.loaded, out.forward_speed, wheels.spin * k.radius);
    let condition = tire_use::conditions(k, stage.tires, stage.tire_states);
    let friction = wheels.ground_friction * condition.friction;
    let friction = friction * slip::curve_friction(k, out.slip_ratio);
    let gripping = loaded & (out.load * wheels.ground_friction * condition.friction).gt(W4::ZERO);

    let seen = Stillness {
        loaded: gripping,
        forward,
        lateral: out.lateral_speed,
        spin: wheels.spin,
        inverse_radius: k.inverse_radius,
        accelerating: stage.accelerating,
        braking: stage.braking,
    };
    let still = &mut wheels.grip.explicit_mut().still;
    let sticky = sticky::engage(&settings.sticky, &seen, still, h);
    out.sticky = sticky;

    let point = TireOperatingPoint {
        load: out.load,
        rest_load: weights.on_tires,
        camber,
        yaw_speed: yaw_speed(stage, view, wheels, &out.touch),
        pressure: condition.pressure,
        gravity: weights.gravity,
    };
    let motion = ContactMotion {
        forward,
        left: out.lateral_speed,
        rim,
    };
    let slips = [
        (loaded & !sticky.longitudinal).keep(out.slip_ratio),
        (loaded & !sticky.lateral).keep(out.tan_slip_angle),
    ];
    let mut input = tire_input(k, &point, &motion, slips, loaded.keep(friction));
    if k.properties.any() {
        let speeds = [
            slip::longitudinal_denominator(&settings.slip, stage.active(), forward, rim),
            slip::lateral_denominator(&settings.slip, forward),
        ];
        let rolling = [gripping & !sticky.longitudinal, gripping & !sticky.lateral];
        let forces = &mut wheels.grip.explicit_mut().relaxed;
        relaxation::relax(k, stage.tires, forces, &mut input, rolling, speeds, h);
    }
    (out.slip_ratio, out.tan_slip_angle) = (input.slip_ratio, input.tan_slip_angle);
    (out.friction, out.deflection, out.lateral_grip) = (input.friction, W4::ZERO, W4::ONE);
    input.slip_ratio = input.slip_ratio * condition.stiffness;
    input.tan_slip_angle = input.tan_slip_angle * condition.stiffness;
    out.forces = tire_forces(stage.tires, &input, gripping);
}

/// Yaw rates of the wheels relative to the ground (`rad/s`).
fn yaw_speed(stage: &WheelStage<'_>, view: &View, wheels: &WheelState, touch: &Touch) -> W4 {
    let own = touch.normal.dot(V3x4::splat(view.angular));
    if stage.ground.any {
        own - wheels.ground_normal.dot(stage.ground.spin)
    } else {
        own
    }
}

/// Sum of forces (`N`) and of moments about the center of mass (`N·m`) on the chassis, vehicle frame; the last lanes count for
/// nothing.
#[must_use]
#[inline(always)]
pub fn chassis_load(
    k: &WheelConsts,
    curves: Option<&StrutCurves>,
    steering: &Steering,
    out: &WheelOutputs,
) -> (Vec4, Vec4) {
    let (jounce, mut room) = (out.touch.jounce, None);
    let alignment = WheelAlignment::new(k, curves, steering, jounce, None, &mut room);
    let up = (out.touch.normal * out.suspension_force).kept(out.loaded);
    let side = out.axes.lateral * out.forces.lateral;
    let tire = out.axes.longitudinal * out.forces.longitudinal + side;
    let force = (up + tire).sum_in_lanes();
    let mut moment = alignment.suspension_point.cross(up) + alignment.tire_point.cross(tire);
    if k.lowers_sides {
        moment = moment + (*alignment.side_point - *alignment.tire_point).cross(side);
    }
    if k.moments.any() {
        moment = moment + tire_moments(k, out);
    }
    (force, moment.sum_in_lanes())
}

/// Aligning and overturning moments on the chassis (`N·m`, vehicle frame).
fn tire_moments(k: &WheelConsts, out: &WheelOutputs) -> V3x4 {
    let speed = out.forward_speed.abs().max(out.lateral_speed.abs());
    let slow = W4::splat(NEARLY_STANDING);
    let acting = k.moments.keep((speed / slow).min(W4::ONE));
    out.touch.normal * (out.forces.aligning_moment * acting)
        + out.axes.longitudinal * (out.forces.overturning_moment * acting)
}
