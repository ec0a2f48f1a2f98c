//! A whole wheel of the legacy vehicles: suspension and tire on a plane.

use std::sync::Arc;

use glam::Vec3;
use jounce::core::internals::chassis::{Chassis, View};
use jounce::core::internals::contact::{MovingGround, SweptWheels};
use jounce::core::internals::explicit::{WheelStage, chassis_load, wheel_forces};
use jounce::core::internals::load::LoadLine;
use jounce::core::internals::outputs::WheelOutputs;
use jounce::core::internals::suspension;
use jounce::core::internals::tire_use::TireUse;
use jounce::core::internals::wheel_consts::WheelConsts;
use jounce::core::internals::{ExplicitGrip, GripMemory};
use jounce::core::lanes::{Mask4, V3x4, W4};
use jounce::core::params::{LoadFilter, WheelParams};
use jounce::core::profile::{ExplicitSettings, SlipSettings};
use jounce::core::state::WheelState;
use jounce::core::{ShapeKind, math};

use super::suspension::{acting, at_pose, camber, steered, wheel};
use super::{Outputs, one, tire, vector, yes};
use crate::row::Row;

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

/// Bits of PhysX's wheel flags; others do not concern a wheel's update.
const LIMIT_EXPANSION: u32 = 1;
const DIRECT_SWEEP: u32 = 2;
const NO_PROJECTION: u32 = 4;

fn settings(row: &Row<'_>) -> ExplicitSettings {
    ExplicitSettings {
        slip: SlipSettings {
            passive_denominator: row.number("min_long_slip_denominator"),
            active_counts_spin: !row.flag("is_tank"),
            ..ExplicitSettings::PHYSX_4.slip
        },
        project_suspension_force: row.count("flags") & NO_PROJECTION == 0,
        ..ExplicitSettings::PHYSX_4
    }
}

/// The only wheel of a row among four equal ones.
fn one_wheel() -> Mask4 {
    Mask4::from_array([true, false, false, false])
}

pub(crate) fn wheel_module(row: &Row<'_>) -> Option<Outputs> {
    row.ignore("wheel");
    let module = Module::new(row);
    let rest = module.k.rest_mass.lane(0);
    assert!((rest - row.number("tire_rest_load_kg")).abs() < 1e-3);
    let solved = module.solve();
    let mut outputs = module.suspension(&solved);
    outputs.extend(module.tire(&solved));
    outputs.extend(module.holds(&solved));
    Some(outputs)
}

/// A row's wheel before the step.
struct Module<'a> {
    row: &'a Row<'a>,
    k: WheelConsts,
    settings: ExplicitSettings,
    chassis: Chassis,
    view: View,
    before: WheelState,
    swept: Option<SweptWheels>,
}

/// The wheel after the step, and force and moment on the chassis in world axes.
struct Solved {
    wheels: WheelState,
    out: WheelOutputs,
    force: Vec3,
    torque: Vec3,
}

impl<'a> Module<'a> {
    fn new(row: &'a Row<'a>) -> Self {
        let k = wheel(|w| described(row, w));
        let velocities = ["lin_vel", "ang_vel"].map(|key| row.vector(key));
        let chassis = at_pose(row.rotation("com_quat"), velocities);
        let view = chassis.view(row.vector("gravity"));
        let before = before(row);
        let mut swept = match row.text("hit_type") {
            "ray" => None,
            "cylinder" => {
                let kind = ShapeKind::Cylinder;
                Some(SweptWheels::new(&k, None, None, &before, kind, false))
            }
            other => panic!("unknown schema: hit_type {other}"),
        };
        if let Some(swept) = swept
            .as_mut()
            .filter(|_| row.count("flags") & DIRECT_SWEEP != 0)
        {
            let fixed = &MovingGround::FIXED;
            let contact = suspension::fix_contact(&k, &view, &before, fixed, swept, |_| None);
            swept.fixed = Some(contact);
        }
        Self {
            row,
            k,
            settings: settings(row),
            chassis,
            view,
            before,
            swept,
        }
    }

    fn solve(&self) -> Solved {
        let row = self.row;
        let [brake, drive] = ["brake_applied", "accel_applied"].map(|key| {
            if row.flag(key) {
                one_wheel()
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
            wheels: one_wheel(),
        }];
        let stage = WheelStage {
            swept: self.swept.as_ref(),
            consts: &self.k,
            curves: None,
            tires: &tires,
            tire_states: &[],
            control: &control,
            steering: &steering,
            ground: &MovingGround::FIXED,
            settings: &self.settings,
            limits_expansion: row.count("flags") & LIMIT_EXPANSION != 0,
            max_ground_acceleration: f32::INFINITY,
            load_line: &LoadLine::of(&LoadFilter::PHYSX),
            accelerating: row.flag("intention_to_accelerate"),
            braking: row.flag("brake_applied"),
        };
        let (mut wheels, mut out) = (self.before, WheelOutputs::default());
        wheel_forces(&stage, &self.view, &mut wheels, row.number("dt"), &mut out);
        out.loaded = out.loaded & one_wheel();
        let mut alone = self.k;
        alone.enabled = one_wheel();
        let stage = WheelStage {
            consts: &alone,
            ..stage
        };
        let (force, torque) = chassis_load(stage.consts, stage.curves, stage.steering, &out);
        Solved {
            force: self.chassis.matrix * force.truncate(),
            torque: self.chassis.matrix * torque.truncate(),
            wheels,
            out,
        }
    }

    fn suspension(&self, solved: &Solved) -> Outputs {
        let (out, beyond) = (&solved.out, solved.out.touch.beyond_stop.lane(0));
        vec![
            ("out_in_air", yes(!out.loaded.lane(0))),
            ("out_jounce", one(solved.wheels.jounce.lane(0))),
            ("out_susp_force", one(out.suspension_force.lane(0))),
            ("out_chassis_force", vector(solved.force)),
            ("out_chassis_torque", vector(solved.torque)),
            ("out_limit_active", yes(beyond > 0.0)),
            ("out_limit_error", one(beyond)),
        ]
    }

    fn tire(&self, solved: &Solved) -> Outputs {
        let out = &solved.out;
        let shown = |axis: V3x4| {
            let axis = if out.loaded.lane(0) {
                axis.lane(0)
            } else {
                Vec3::ZERO
            };
            vector(self.chassis.matrix * axis)
        };
        vec![
            ("out_friction", one(out.friction.lane(0))),
            ("out_long_slip", one(out.slip_ratio.lane(0))),
            ("out_lat_slip", one(math::atan(out.tan_slip_angle.lane(0)))),
            ("out_forward_speed", one(out.forward_speed.lane(0))),
            ("out_tire_torque", one(out.forces.wheel_torque.lane(0))),
            ("out_long_dir", shown(out.axes.longitudinal)),
            ("out_lat_dir", shown(out.axes.lateral)),
        ]
    }

    fn holds(&self, solved: &Solved) -> Outputs {
        let (out, sticky) = (&solved.out, &self.settings.sticky);
        let [forward, side] = solved.wheels.grip.explicit().still;
        // The table has the timers before PhysX resets those of unprocessed wheels.
        let timer = |ours: W4, given: &str| {
            if out.loaded.lane(0) {
                one(ours.lane(0))
            } else {
                one(self.row.number(given))
            }
        };
        let target = |held: Mask4, share: f32, speed: W4| {
            let speed = share * speed.lane(0);
            one(if held.lane(0) { speed } else { 0.0 })
        };
        let long = target(
            out.sticky.longitudinal,
            sticky.forward_target,
            out.forward_speed,
        );
        let lat = target(out.sticky.lateral, sticky.side_target, out.lateral_speed);
        vec![
            ("out_fwd_timer", timer(forward, "fwd_timer")),
            ("out_side_timer", timer(side, "side_timer")),
            ("out_sticky_long", yes(out.sticky.longitudinal.lane(0))),
            ("out_sticky_long_speed", long),
            ("out_sticky_lat", yes(out.sticky.lateral.lane(0))),
            ("out_sticky_lat_speed", lat),
        ]
    }
}

/// A row's wheel before the step: PhysX turns the table's wheels by steering and by the camber of the last jounce.
fn before(row: &Row<'_>) -> WheelState {
    let normal = row.vector("plane_n");
    WheelState {
        spin: W4::splat(row.number("wheel_omega")),
        jounce: W4::splat(row.optional("prev_jounce").unwrap_or(WheelState::UNKNOWN)),
        steer: W4::splat(row.number("steer")),
        grip: GripMemory::Explicit(ExplicitGrip {
            still: ["fwd_timer", "side_timer"].map(|key| W4::splat(row.number(key))),
            ..ExplicitGrip::default()
        }),
        ground_normal: V3x4::splat(normal),
        ground_height: W4::splat(normal.dot(row.vector("com_pos")) + row.number("plane_d")),
        ground_friction: W4::splat(row.number("friction_multiplier")),
        ..WheelState::AT_REST
    }
}
