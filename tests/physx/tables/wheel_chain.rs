//! PhysX 5's wheel through the whole chain: suspension, axes, slips, tire, rotation.

mod attached;
mod construction;

use std::sync::Arc;

use glam::Vec3;
use jounce::core::internals::alignment::WheelAlignment;
use jounce::core::internals::chassis::{Chassis, View};
use jounce::core::internals::contact::{MovingGround, SweptWheels};
use jounce::core::internals::explicit::{WheelStage, wheel_forces};
use jounce::core::internals::load::LoadLine;
use jounce::core::internals::outputs::WheelOutputs;
use jounce::core::internals::slip::TireAxes;
use jounce::core::internals::strut_curves::{self, StrutCurves};
use jounce::core::internals::suspension::Touch;
use jounce::core::internals::tire_use::TireUse;
use jounce::core::internals::wheel_consts::WheelConsts;
use jounce::core::lanes::{Mask4, V3x4, W4};
use jounce::core::profile::{ExplicitSettings, SlipSettings};
use jounce::core::state::WheelState;
use jounce::core::{
    ShapeKind,
    internals::{slip, spin, suspension},
};

use super::suspension::{acting, consts, four_wheeler, steered, wheel};
use super::{Outputs, one, tire, yes};
use crate::row::Row;
use attached::Attached;

pub(crate) fn wheel_chain(row: &Row<'_>) -> Option<Outputs> {
    row.ignore("vehicle_mass");
    let chain = Chain::new(row);
    let mut wheels = chain.before;
    let mut out = WheelOutputs::default();
    chain.solve(&mut wheels, &mut out);
    let seen = Seen::new(&chain, &out);
    let mut outputs = chain.suspension(&seen, &out);
    outputs.extend(chain.legacy_suspension(&seen, &out));
    outputs.extend(chain.slips(&seen, &out));
    outputs.extend(chain.tire(&seen, &wheels, &out));
    outputs.extend(chain.rotation(&seen, &mut wheels, &out));
    Some(outputs)
}

/// A row's wheel before the step.
struct Chain<'a> {
    at: Attached<'a>,
    k: WheelConsts,
    curves: StrutCurves,
    limits_expansion: bool,
    chassis: Chassis,
    view: View,
    ground: MovingGround,
    before: WheelState,
    swept: Option<SweptWheels>,
    /// Braked wheels and driven wheels: all or none.
    braked: Mask4,
    driven: Mask4,
}

/// Camber and slip of the wheel after the step, also of one off the ground.
struct Seen {
    camber: W4,
    /// Camber to the road (`rad`).
    to_road: W4,
    axes: TireAxes,
    /// Speeds along and across (`m/s`).
    long: W4,
    lat: W4,
    suspension_point: Vec3,
    tire_point: Vec3,
}

impl<'a> Chain<'a> {
    fn new(row: &'a Row<'a>) -> Self {
        let at = Attached::new(row);
        let params = four_wheeler(|w| at.describe(w));
        let curves = StrutCurves::new(&params.wheels);
        let k: WheelConsts = *consts(params).first();
        let (chassis, mut before) = (at.chassis(), at.state());
        let swept = match row.text("jounce_type") {
            "raycast" => None,
            "sweep" => Some(SweptWheels::new(
                &k,
                None, // PhysX's sweeps ignore compliance.
                None,
                &before,
                ShapeKind::Cylinder,
                true,
            )),
            other => panic!("unknown schema: jounce_type {other}"),
        };
        if let Some(swept) = swept.as_ref().filter(|_| row.is_variant()) {
            before.ground_height += W4::splat(construction::lift(&at, &k, &chassis, swept));
        }
        let all = |flag: &str| Mask4::from_array([row.flag(flag); 4]);
        Self {
            curves,
            limits_expansion: row.flag("limit_expansion"),
            view: chassis.view(at.axes.vector(row, "gravity")),
            ground: at.ground(),
            braked: all("brake_applied"),
            driven: all("drive_applied"),
            at,
            k,
            chassis,
            before,
            swept,
        }
    }

    fn solve(&self, wheels: &mut WheelState, out: &mut WheelOutputs) {
        let row = self.at.row;
        let tires = [TireUse {
            model: Arc::new(self.at.tire()),
            wheels: Mask4::ALL,
        }];
        let stage = WheelStage {
            consts: &self.k,
            curves: Some(&self.curves),
            tires: &tires,
            tire_states: &[],
            control: &acting(self.braked, self.driven),
            steering: &steered(W4::splat(row.number("steer")) + self.k.toe),
            ground: &self.ground,
            swept: self.swept.as_ref(),
            settings: &ExplicitSettings::PHYSX_5,
            limits_expansion: self.limits_expansion,
            max_ground_acceleration: f32::INFINITY,
            load_line: &LoadLine::of(&tire::filter(&row.list("load_filter"))),
            accelerating: self.driven.any(),
            braking: self.braked.any(),
        };
        wheel_forces(&stage, &self.view, wheels, row.number("dt"), out);
    }

    fn world(&self, v: Vec3) -> Vec<f64> {
        self.at.axes.column(self.chassis.matrix * v)
    }

    /// Height at which the wheel hangs above the ground, where its expansion is limited (`m`); 0 where it is not.
    fn height(&self, jounce: W4) -> f32 {
        let (before, swept) = (&self.before, self.swept.as_ref());
        let found = suspension::contact_depth(&self.k, &self.view, before, &self.ground, swept);
        let droop = -self.k.max_droop;
        let asked = found.reaches.select(found.jounce.max(droop), droop);
        (jounce - asked).lane(0)
    }

    fn suspension(&self, seen: &Seen, out: &WheelOutputs) -> Outputs {
        let touch = &out.touch;
        let separation = if out.loaded.lane(0) {
            -touch.beyond_stop.lane(0).max(0.0)
        } else {
            // At full droop off the ground, it is a mark.
            self.height(touch.jounce).max(f32::MIN_POSITIVE)
        };
        let force = out.suspension_force.lane(0);
        let up = touch.normal.lane(0) * force;
        // Force points of the table are from the attachment.
        let from_attachment = |point: Vec3| self.at.axes.column(point - self.at.place());
        let yielded = seen.camber - self.k.camber(touch.jounce);
        vec![
            ("out_separation", one(separation)),
            ("out_jounce", one(touch.jounce.lane(0) + self.at.travel)),
            ("out_jounce_speed", one(touch.jounce_speed.lane(0))),
            ("out_toe", one(self.curves.toe(touch.jounce, None).lane(0))),
            ("out_camber_compliance", one(yielded.lane(0))),
            ("out_susp_app", from_attachment(seen.suspension_point)),
            ("out_tire_app", from_attachment(seen.tire_point)),
            ("out_susp_force", self.world(up)),
            (
                "out_susp_torque",
                self.world(seen.suspension_point.cross(up)),
            ),
            ("out_susp_normal_force", one(force)),
        ]
    }

    /// The legacy suspension force of PhysX 5, in which sprung mass and travel follow from the rest
    /// distance.
    fn legacy_suspension(&self, seen: &Seen, out: &WheelOutputs) -> Outputs {
        let k = wheel(|w| {
            self.at.describe(w);
            w.suspension.free_at_droop = false;
        });
        let rest = self.at.row.number("legacy_rest_distance");
        let touch = Touch {
            jounce: out.touch.jounce + W4::splat(rest),
            ..out.touch
        };
        let (fixed, settings) = (MovingGround::FIXED, ExplicitSettings::PHYSX_4);
        let ground = (&fixed, f32::INFINITY);
        let loaded = touch.touching;
        let force =
            suspension::force(&k, None, &settings, &self.view, &touch, ground, loaded).lane(0);
        let up = touch.normal.lane(0) * force;
        vec![
            ("out_legacy_susp_force", self.world(up)),
            (
                "out_legacy_susp_torque",
                self.world(seen.suspension_point.cross(up)),
            ),
            ("out_legacy_normal_force", one(force)),
        ]
    }

    fn slip_ratio(&self, settings: &SlipSettings, seen: &Seen) -> f32 {
        let rim = self.before.spin * self.k.radius;
        slip::slip_ratio(settings, self.braked | self.driven, seen.long, rim).lane(0)
    }

    fn slips(&self, seen: &Seen, out: &WheelOutputs) -> Outputs {
        let settings = &ExplicitSettings::PHYSX_5.slip;
        let legacy = SlipSettings {
            active_counts_spin: true,
            passive_adds: false,
            ..*settings
        };
        let ratio = self.slip_ratio(settings, seen);
        let tangent = slip::tan_slip_angle(settings, seen.long, seen.lat);
        let angle = jounce::core::math::atan(tangent.lane(0));
        let kept = |held: Mask4, slip: f32| if held.lane(0) { 0.0 } else { slip };
        let [legacy_long, legacy_lat] = self.at.legacy_axes().map(|v| self.at.axes.column(v));
        vec![
            (
                "out_tire_long_dir",
                self.world(seen.axes.longitudinal.lane(0)),
            ),
            ("out_tire_lat_dir", self.world(seen.axes.lateral.lane(0))),
            ("out_legacy_tire_long_dir", legacy_long),
            ("out_legacy_tire_lat_dir", legacy_lat),
            ("out_long_speed", one(seen.long.lane(0))),
            ("out_lat_speed", one(seen.lat.lane(0))),
            ("out_long_slip", one(ratio)),
            ("out_lat_slip", one(angle)),
            ("out_legacy_long_slip", one(self.slip_ratio(&legacy, seen))),
            ("out_legacy_lat_slip", one(angle)),
            (
                "out_sticky_long_slip",
                one(kept(out.sticky.longitudinal, ratio)),
            ),
            ("out_sticky_lat_slip", one(kept(out.sticky.lateral, angle))),
            ("out_camber_angle", one(seen.to_road.lane(0))),
        ]
    }

    fn tire(&self, seen: &Seen, wheels: &WheelState, out: &WheelOutputs) -> Outputs {
        let forward = seen.axes.longitudinal.lane(0) * out.forces.longitudinal.lane(0);
        let side = seen.axes.lateral.lane(0) * out.forces.lateral.lane(0);
        let arm = seen.tire_point;
        vec![
            ("out_load", one(out.load.lane(0))),
            ("out_friction", one(out.friction.lane(0))),
            (
                "out_sticky_long_time",
                one(wheels.grip.explicit().still[0].lane(0)),
            ),
            (
                "out_sticky_lat_time",
                one(wheels.grip.explicit().still[1].lane(0)),
            ),
            ("out_sticky_long", yes(out.sticky.longitudinal.lane(0))),
            ("out_sticky_lat", yes(out.sticky.lateral.lane(0))),
            ("out_tire_long_force", self.world(forward)),
            ("out_tire_lat_force", self.world(side)),
            ("out_tire_long_torque", self.world(arm.cross(forward))),
            ("out_tire_lat_torque", self.world(arm.cross(side))),
            ("out_wheel_torque", one(out.forces.wheel_torque.lane(0))),
            ("out_align_moment", one(out.forces.aligning_moment.lane(0))),
        ]
    }

    fn rotation(&self, seen: &Seen, wheels: &mut WheelState, out: &WheelOutputs) -> Outputs {
        let touching = out.touch.jounce.gt(-self.k.max_droop);
        let free = !(self.braked | self.driven) & touching;
        let display = spin::Display::of(&ExplicitSettings::PHYSX_5);
        let h = self.at.row.number("dt");
        spin::turn_wheels(&self.k, wheels, free, seen.long, &display, h);
        vec![
            ("out_wheel_angle", one(wheels.angle.lane(0))),
            ("out_corrected_omega", one(wheels.spin_shown.lane(0))),
        ]
    }
}

impl Seen {
    fn new(chain: &Chain<'_>, out: &WheelOutputs) -> Self {
        let (k, touch, mut room) = (&chain.k, &out.touch, None);
        let steering = steered(W4::splat(chain.at.row.number("steer")) + k.toe);
        let alignment = WheelAlignment::new(
            k,
            Some(&chain.curves),
            &steering,
            touch.jounce,
            None,
            &mut room,
        );
        let camber = strut_curves::camber(k, Some(&chain.curves), touch.jounce, None);
        let (axes, to_road) = slip::axle_axes(
            touch.normal,
            *alignment.steer_sin,
            *alignment.steer_cos,
            camber,
        );
        let point: V3x4 = suspension::wheel_end(k, touch);
        let velocity = suspension::contact_velocity(&chain.view, point, &chain.ground);
        Self {
            camber,
            to_road,
            long: velocity.dot(axes.longitudinal),
            lat: velocity.dot(axes.lateral),
            axes,
            suspension_point: alignment.suspension_point.lane(0),
            tire_point: alignment.tire_point.lane(0),
        }
    }
}
