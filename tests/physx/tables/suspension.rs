//! Tables of a whole wheel, its pose and rotation.

use jounce::core::grip_memory::{ExplicitGrip, GripMemory};
use std::sync::Arc;

use glam::{DVec3, Mat3, Quat, Vec3};
use jounce::core::drivetrain::WheelControl;
use jounce::core::internals::chassis::Chassis;
use jounce::core::internals::contact::{MovingGround, SweptWheels};
use jounce::core::internals::explicit::{WheelStage, chassis_load, wheel_forces};
use jounce::core::internals::outputs::WheelOutputs;
use jounce::core::internals::steering::Steering;
use jounce::core::internals::tire_use::TireUse;
use jounce::core::internals::wheel_consts::WheelConsts;
use jounce::core::lanes::{Groups, Mask4, V3x4, W4};
use jounce::core::params::{CamberCurve, LoadFilter, WheelParams};
use jounce::core::pose::wheel_rotation;
use jounce::core::profile::{ExplicitSettings, SlipSettings};
use jounce::core::rigid_bodies::BodyState;
use jounce::core::state::WheelState;
use jounce::core::{
    Checked, ShapeKind, TireModel, VehicleKind, VehicleParams, internals::spin, math,
};
use jounce::drive::{DirectDrive, DirectDriveParams, DriveLogic, Responses, SteeringParams};
use jounce::tires::{Michigan, MichiganParams};

use super::{Outputs, all, one, tire, vector, yes};
use crate::row::Row;
use proving_ground::scenario as axes;

/// The sample car with its origin at the centre of mass, each wheel changed.
pub(crate) fn four_wheeler(change: impl Fn(&mut WheelParams)) -> VehicleParams {
    let car = jounce::presets::physx_snippet();
    let mut params = car.kind().params().clone();
    let centre = params.chassis.centre_of_mass;
    params.chassis.centre_of_mass = Vec3::ZERO;
    for wheel in &mut params.wheels {
        wheel.position -= centre;
        wheel.suspension.application_point -= centre;
        wheel.tire.application_point -= centre;
        wheel.toe = 0.0;
        wheel.suspension.camber = CamberCurve::default();
        change(wheel);
    }
    params.chassis.mass = params
        .wheels
        .iter()
        .map(|wheel| wheel.suspension.sprung_mass)
        .sum();
    params
}

/// Prepared constants of parameters, independent of tire and drive.
pub(crate) fn consts(params: VehicleParams) -> Groups<WheelConsts> {
    let tire = Michigan::new(Checked::new(MichiganParams::physx()).expect("valid"));
    let drive = DirectDriveParams {
        max_torques: vec![],
        responses: Responses::default(),
        logic: DriveLogic::PHYSX_4,
        steering: SteeringParams::default(),
        brakes: vec![],
    };
    let kind = VehicleKind::new(
        Checked::new(params).unwrap_or_else(|faults| panic!("{faults}")),
        &[Arc::new(tire) as Arc<dyn TireModel>],
        Arc::new(DirectDrive::new(Checked::new(drive).expect("valid"))),
    );
    kind.expect("the tire exists").wheels().clone()
}

/// Constants of four equal wheels, the sample car's changed.
pub(crate) fn wheel(change: impl Fn(&mut WheelParams)) -> WheelConsts {
    *consts(four_wheeler(change)).first()
}

/// A vehicle with recorded wheels, its centre of mass at the origin.
pub(crate) fn wheels_of(wheels: &[Row<'_>], mass: f32) -> VehicleParams {
    let mut params = four_wheeler(|_| ());
    let template = params.wheels[0].clone();
    params.chassis.mass = mass;
    params.anti_roll.clear();
    params.wheels = wheels
        .iter()
        .map(|row| {
            let mut wheel = template.clone();
            wheel.suspension.stiffness = row.number("spring");
            wheel.suspension.damping = row.number("damper").into();
            wheel.suspension.sprung_mass = row.number("sprung_mass");
            wheel.mass = row.number("tire_rest_load_kg") - wheel.suspension.sprung_mass;
            wheel.position = row.vector("wheel_centre");
            wheel.suspension.application_point = row.vector("susp_app");
            wheel.tire.application_point = row.vector("tire_app");
            wheel.enabled = !row.flag("disabled");
            wheel
        })
        .collect();
    params
}

pub(crate) fn wheel_pose(row: &Row<'_>) -> Option<Outputs> {
    let k = wheel(|w| {
        w.suspension.max_compression = row.number("max_compression");
        w.suspension.max_droop = row.number("max_droop");
        w.suspension.camber = camber(row);
    });
    let camber = k.camber(W4::splat(row.number("jounce"))).lane(0);
    let rotation = wheel_rotation(row.number("steer"), camber, row.number("rotation_angle"));
    Some(vec![
        ("out_camber", one(camber)),
        ("out_quat", all(axes::rotation_to_physx(rotation))),
    ])
}

fn camber(row: &Row<'_>) -> CamberCurve {
    CamberCurve {
        at_rest: row.number("camber_rest"),
        at_max_compression: row.number("camber_max_compression"),
        at_max_droop: row.number("camber_max_droop"),
    }
}

pub(crate) fn rotation_angle(row: &Row<'_>) -> Option<Outputs> {
    let (radius, droop) = (row.number("radius"), row.number("max_droop"));
    let k = wheel(|w| {
        w.radius = radius;
        w.suspension.max_droop = droop;
    });
    let drive = row.number("clutch") * row.number("gear_ratio") * row.number("engine_torque");
    let undriven = (W4::from_array(row.four("torque_ratio")) * W4::splat(drive)).same(W4::ZERO);
    let braked = row.flags("brake_applied");
    let unbraked = Mask4::from_fn(|lane| !braked[lane]);
    let touching = W4::from_array(row.four("jounce")).gt(-k.max_droop);
    let mut wheels = WheelState {
        spin: W4::from_array(row.four("wheel_omega")),
        angle: W4::from_array(row.four("angle")),
        ..WheelState::AT_REST
    };
    let forward = W4::from_array(row.four("forward_speed"));
    let free = undriven & unbraked & touching;
    let display = spin::Display::of(&ExplicitSettings::PHYSX_4);
    spin::turn_wheels(&k, &mut wheels, free, forward, &display, row.number("dt"));
    Some(vec![
        ("out_angle", all(wheels.angle.to_array())),
        ("out_corrected_omega", all(wheels.spin_shown.to_array())),
    ])
}

/// The wheel that a row describes.
fn described(row: &Row<'_>, w: &mut WheelParams) {
    let tire = row.nested("tire");
    w.position = row.vector("wheel_centre_cm_offset");
    w.suspension.application_point = row.vector("force_app_cm_offset");
    w.tire.application_point = w.suspension.application_point;
    w.radius = row.number("radius");
    w.width = row.number("width");
    w.mass = row.number("wheel_mass");
    w.suspension.stiffness = row.number("spring");
    w.suspension.damping = row.number("damper").into();
    w.suspension.sprung_mass = row.number("sprung_mass");
    w.suspension.max_compression = row.number("max_compression");
    w.suspension.max_droop = row.number("max_droop");
    w.suspension.camber = camber(row);
    w.tire.friction_curve = tire::curve(&tire);
}

/// Settings, and whether expansion is limited.
fn settings(row: &Row<'_>) -> (ExplicitSettings, bool) {
    let flags = row.count("flags");
    assert_eq!(flags & !5, 0, "unknown schema: flags {flags}");
    let settings = ExplicitSettings {
        slip: SlipSettings {
            passive_denominator: row.number("min_long_slip_denominator"),
            active_counts_spin: !row.flag("is_tank"),
            ..ExplicitSettings::PHYSX_4.slip
        },
        project_suspension_force: flags & 4 == 0,
        ..ExplicitSettings::PHYSX_4
    };
    (settings, flags & 1 != 0)
}

/// A chassis at the origin with this rotation and linear and angular velocity (`m/s`, `rad/s`).
pub(crate) fn at_pose(rotation: Quat, [linear, angular]: [Vec3; 2]) -> Chassis {
    let body = BodyState {
        position: DVec3::ZERO,
        rotation,
        linear_velocity: linear,
        angular_velocity: angular,
        mass: 1.0,
        inverse_inertia: Mat3::IDENTITY,
        linear_damping: 0.0,
        angular_damping: 0.0,
        asleep: false,
    };
    Chassis::new(&body, linear, angular)
}

/// Control of wheels of which some are braked and some are driven.
pub(crate) fn acting(braked: Mask4, driven: Mask4) -> WheelControl {
    WheelControl {
        brake: braked.keep(W4::ONE),
        accelerated: driven,
        ..WheelControl::default()
    }
}

/// Wheels turned by an angle (`rad`).
pub(crate) fn steered(angle: W4) -> Steering {
    let mut steering = Steering::STRAIGHT;
    steering.turn_to(angle);
    steering
}

pub(crate) fn wheel_module(row: &Row<'_>) -> Option<Outputs> {
    let is_swept = match row.text("hit_type") {
        "ray" => false,
        "cylinder" => true,
        other => panic!("unknown schema: hit_type {other}"),
    };
    row.ignore("wheel");
    let k = wheel(|w| described(row, w));
    assert!((k.rest_mass.lane(0) - row.number("tire_rest_load_kg")).abs() < 1e-3);
    let (settings, limits_expansion) = settings(row);
    let one_wheel = Mask4::from_array([true, false, false, false]);
    let [brake, drive] = ["brake_applied", "accel_applied"].map(|key| {
        if row.flag(key) {
            one_wheel
        } else {
            Mask4::NONE
        }
    });
    let (control, steering) = (
        acting(brake, drive),
        steered(W4::splat(row.number("steer"))),
    );
    let tires = [TireUse {
        model: Arc::new(tire::model(&row.nested("tire"))),
        wheels: one_wheel,
    }];
    let normal = row.vector("plane_n");
    let mut wheels = WheelState {
        spin: W4::splat(row.number("wheel_omega")),
        jounce: W4::splat(row.optional("prev_jounce").unwrap_or(WheelState::UNKNOWN)),
        grip: GripMemory::Explicit(ExplicitGrip {
            still: ["fwd_timer", "side_timer"].map(|key| W4::splat(row.number(key))),
            ..ExplicitGrip::default()
        }),
        ground_normal: V3x4::splat(normal),
        ground_height: W4::splat(normal.dot(row.vector("com_pos")) + row.number("plane_d")),
        ground_friction: W4::splat(row.number("friction_multiplier")),
        ..WheelState::AT_REST
    };
    // PhysX turns the table's wheels by steering and by the camber of the last jounce.
    wheels.steer = W4::splat(row.number("steer"));
    let kind = ShapeKind::Cylinder;
    let swept = is_swept.then(|| SweptWheels::new(&k, None, &wheels, kind, false));
    let stage = WheelStage {
        swept: swept.as_ref(),
        consts: &k,
        curves: None,
        tires: &tires,
        tire_states: &[],
        control: &control,
        steering: &steering,
        ground: &MovingGround::FIXED,
        settings: &settings,
        limits_expansion,
        max_ground_acceleration: f32::INFINITY,
        load_filter: &LoadFilter::PHYSX,
        accelerating: row.flag("intention_to_accelerate"),
        braking: row.flag("brake_applied"),
    };
    let velocities = ["lin_vel", "ang_vel"].map(|key| row.vector(key));
    let chassis = at_pose(row.rotation("com_quat"), velocities);
    let view = chassis.view(row.vector("gravity"));
    let mut out = WheelOutputs::default();
    wheel_forces(&stage, &view, &mut wheels, row.number("dt"), &mut out);
    out.carrying = out.carrying & one_wheel;
    let mut alone = k;
    alone.enabled = one_wheel;
    let stage = WheelStage {
        consts: &alone,
        ..stage
    };
    let (force, torque) = chassis_load(&stage, &out);
    let carrying = out.carrying.lane(0);
    let limited = out.touch.beyond_stop.lane(0) > 0.0;
    // The table has the timers before PhysX resets those of unprocessed wheels.
    let timer = |ours: W4, given: &str| {
        if carrying {
            ours.lane(0)
        } else {
            row.number(given)
        }
    };
    let shown = |axis: Vec3| {
        if carrying {
            chassis.matrix * axis
        } else {
            Vec3::ZERO
        }
    };
    let sticky = &settings.sticky;
    let (long, lat) = (out.hold.forward.lane(0), out.hold.sideways.lane(0));
    let target = |held: bool, speed: f32| if held { speed } else { 0.0 };
    Some(vec![
        ("out_in_air", yes(!carrying)),
        ("out_jounce", one(wheels.jounce.lane(0))),
        ("out_susp_force", one(out.suspension_force.lane(0))),
        ("out_friction", one(out.friction.lane(0))),
        ("out_long_slip", one(out.slip_ratio.lane(0))),
        ("out_lat_slip", one(math::atan(out.tan_slip_angle.lane(0)))),
        ("out_forward_speed", one(out.forward_speed.lane(0))),
        ("out_tire_torque", one(out.forces.wheel_torque.lane(0))),
        ("out_long_dir", vector(shown(out.axes.long.lane(0)))),
        ("out_lat_dir", vector(shown(out.axes.lat.lane(0)))),
        ("out_chassis_force", vector(chassis.matrix * force)),
        ("out_chassis_torque", vector(chassis.matrix * torque)),
        (
            "out_fwd_timer",
            one(timer(wheels.grip.explicit().still[0], "fwd_timer")),
        ),
        (
            "out_side_timer",
            one(timer(wheels.grip.explicit().still[1], "side_timer")),
        ),
        ("out_limit_active", yes(limited)),
        ("out_limit_error", one(out.touch.beyond_stop.lane(0))),
        ("out_sticky_long", yes(long)),
        (
            "out_sticky_long_speed",
            one(target(
                long,
                sticky.forward_target * out.forward_speed.lane(0),
            )),
        ),
        ("out_sticky_lat", yes(lat)),
        (
            "out_sticky_lat_speed",
            one(target(lat, sticky.side_target * out.lateral_speed.lane(0))),
        ),
    ])
}
