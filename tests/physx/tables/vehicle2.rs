//! Tables of PhysX 5's `vehicle2`: one wheel through the whole chain, anti-roll bars, defaults.

use std::path::Path;
use std::sync::Arc;

use conformance::reference::{self, Comparison};
use glam::{DVec3, Mat3, Quat, Vec3};
use jounce::core::anti_roll::{Bar, BarEnd};
use jounce::core::chassis::Chassis;
use jounce::core::contact::{MovingGround, SweptWheels};
use jounce::core::drivetrain::WheelControl;
use jounce::core::explicit::{WheelStage, wheel_forces};
use jounce::core::kind::{TireUse, WheelConsts};
use jounce::core::lanes::{Mask4, V3x4, W4};
use jounce::core::outputs::WheelOutputs;
use jounce::core::params::{AntiRollBar, Compliance, LoadFilter, SpringLaw, WheelParams};
use jounce::core::profile::{Profile, SlipSettings};
use jounce::core::rigid_bodies::BodyState;
use jounce::core::state::WheelState;
use jounce::core::steering::Steering;
use jounce::core::strut_curves::{self, Stance, StrutCurves};
use jounce::core::suspension::Touch;
use jounce::core::{Checked, ShapeKind, math, slip, spin, suspension};
use jounce::tires::{Michigan, MichiganParams};

use super::suspension::{consts, four_wheeler, wheel};
use super::{Outputs, all, one, tire, vector, yes};
use crate::row::Row;
use lab::scenario as axes;

/// How a row's axes are named.
#[derive(Clone, Copy, Debug)]
struct Axes {
    /// Whether they are ours, and not those of the other tables.
    ours: bool,
}

impl Axes {
    fn of(row: &Row<'_>) -> Self {
        Self {
            ours: match row.text("frame") {
                "lng=+X lat=+Y vrt=+Z" => true,
                "lng=+Z lat=+X vrt=+Y" => false,
                other => panic!("unknown schema: frame {other}"),
            },
        }
    }

    fn named(self, numbers: [f32; 3]) -> Vec3 {
        if self.ours {
            Vec3::from_array(numbers)
        } else {
            axes::from_physx(numbers)
        }
    }

    fn vector(self, row: &Row<'_>, key: &str) -> Vec3 {
        self.named(row.list(key).try_into().expect("three numbers"))
    }

    fn rotation(self, row: &Row<'_>, key: &str) -> Quat {
        let numbers = row.four(key);
        if self.ours {
            Quat::from_array(numbers)
        } else {
            axes::rotation_from_physx(numbers)
        }
    }

    fn column(self, v: Vec3) -> Vec<f64> {
        if self.ours {
            all(v.to_array())
        } else {
            vector(v)
        }
    }
}

/// The wheel of a row, in the frame of its attachment, which it is steered about: jounce 0 here is its
/// full compression, so that ours is PhysX's less the travel.
struct Attached<'a> {
    row: &'a Row<'a>,
    axes: Axes,
    /// Attachment → vehicle.
    tilt: Mat3,
    travel: f32,
}

impl<'a> Attached<'a> {
    fn new(row: &'a Row<'a>) -> Self {
        let axes = Axes::of(row);
        Self {
            row,
            axes,
            tilt: math::matrix(axes.rotation(row, "susp_attach_quat")),
            travel: row.number("susp_travel_dist"),
        }
    }

    /// A vector of the vehicle's frame.
    fn vehicle(&self, key: &str) -> Vec3 {
        self.tilt.transpose() * self.axes.vector(self.row, key)
    }

    /// Points of a table against the share of travel, `T` numbers each.
    fn table<T>(&self, key: &str, size: usize, value: impl Fn(&[f32]) -> T) -> Vec<(f32, T)> {
        let numbers = self.row.list(key);
        let point = |p: &[f32]| ((p[0] - 1.0) * self.travel, value(&p[1..]));
        numbers.chunks(1 + size).map(point).collect()
    }

    fn compliance(&self) -> Compliance {
        let angle = |key| self.table(key, 1, |p| p[0]);
        let shift = |key| self.table(key, 3, |p| self.axes.named([p[0], p[1], p[2]]));
        Compliance {
            toe: angle("toe_vs_jounce"),
            camber: angle("camber_vs_jounce"),
            suspension_point: shift("susp_app_vs_jounce"),
            tire_point: shift("tire_app_vs_jounce"),
        }
    }

    fn describe(&self, w: &mut WheelParams) {
        let row = self.row;
        w.position = self.vehicle("susp_attach_pos");
        w.suspension.travel_direction = self.vehicle("susp_travel_dir");
        w.suspension.application_point = w.position;
        w.tire.application_point = w.position;
        w.radius = row.number("radius");
        w.width = 2.0 * row.number("half_width");
        w.mass = row.number("wheel_mass");
        w.suspension.stiffness = row.number("stiffness");
        w.suspension.damping = row.number("damping").into();
        w.suspension.sprung_mass = row.number("sprung_mass");
        w.suspension.max_compression = 0.0;
        w.suspension.max_droop = self.travel;
        w.suspension.spring = SpringLaw::Pure;
        w.compliance = self.compliance();
        w.tire.friction_curve = tire::curve(row);
        w.tire.rest_mass = Some(row.number("rest_load") / self.gravity());
    }

    fn gravity(&self) -> f32 {
        let g = self.axes.vector(self.row, "gravity");
        math::sqrt(g.dot(g))
    }

    fn tire(&self) -> Michigan {
        let (row, g) = (self.row, self.gravity());
        let params = MichiganParams {
            lat_stiff_x: row.number("lat_stiff_x"),
            lat_stiff_y: row.number("lat_stiff_y") / row.number("rest_load"),
            long_stiff_per_g: row.number("long_stiff") / g,
            camber_stiff_per_g: row.number("camber_stiff") / g,
            minimum_slip: MichiganParams::physx_minimum_slip(),
            physical_camber: true,
        };
        Michigan::new(Checked::new(params).expect("PhysX's parameters are valid"))
    }

    fn load_filter(&self) -> LoadFilter {
        let [min_load, min_filtered, max_load, max_filtered] = self.row.four("load_filter");
        LoadFilter {
            min_load,
            min_filtered,
            max_load,
            max_filtered,
        }
    }

    fn chassis(&self) -> Chassis {
        let linear = self.axes.vector(self.row, "lin_vel");
        let angular = self.axes.vector(self.row, "ang_vel");
        let tilt = self.axes.rotation(self.row, "susp_attach_quat");
        let body = BodyState {
            position: DVec3::ZERO,
            rotation: math::compose(self.axes.rotation(self.row, "body_quat"), tilt),
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

    fn state(&self) -> WheelState {
        let row = self.row;
        let normal = self.axes.vector(row, "plane_n");
        let height = normal.dot(self.axes.vector(row, "body_pos")) + row.number("plane_d");
        let before = row.optional("prev_jounce").map(|j| j - self.travel);
        let hit = row.flag("hit");
        WheelState {
            spin: W4::splat(row.number("wheel_omega")),
            angle: W4::splat(row.number("wheel_angle")),
            jounce: W4::splat(before.unwrap_or(WheelState::UNKNOWN)),
            steer: W4::splat(row.number("steer")),
            hold_forward: W4::splat(row.number("sticky_long_time")),
            hold_sideways: W4::splat(row.number("sticky_lat_time")),
            ground_normal: V3x4::splat(if hit { normal } else { Vec3::ZERO }),
            ground_height: W4::splat(height),
            ground_friction: W4::splat(row.number("road_friction")),
            ..WheelState::AT_REST
        }
    }

    fn ground(&self) -> MovingGround {
        let velocity = self.axes.vector(self.row, "road_velocity");
        MovingGround {
            any: velocity != Vec3::ZERO,
            velocity: V3x4::splat(velocity),
            ..MovingGround::FIXED
        }
    }
}

/// The legacy suspension force of PhysX 5, whose rest distance makes a strut of sprung mass and travel.
fn legacy_force(at: &Attached<'_>, touch: &Touch, view: &jounce::core::chassis::View) -> f32 {
    let rest = at.row.number("legacy_rest_distance");
    let k = wheel(|w| {
        at.describe(w);
        w.suspension.spring = SpringLaw::SprungMass;
    });
    let touch = Touch {
        jounce: touch.jounce + W4::splat(rest),
        ..*touch
    };
    let fixed = MovingGround::FIXED;
    let profile = Profile::PHYSX_4;
    suspension::force(&k, None, &profile, view, &touch, &fixed, touch.touching).lane(0)
}

pub(crate) fn wheel_chain(row: &Row<'_>) -> Option<Outputs> {
    let at = Attached::new(row);
    let profile = Profile {
        limit_expansion: row.flag("limit_expansion"),
        ..Profile::PHYSX_5
    };
    for known in ["vehicle_mass", "wheel_attach_pos"] {
        row.ignore(known);
    }
    // A wheel that stands askew on its hub at all angles of steering has no counterpart here.
    if at.axes.rotation(row, "wheel_attach_quat") != Quat::IDENTITY {
        return None;
    }
    let params = four_wheeler(|w| at.describe(w));
    let curves = StrutCurves::new(&params.wheels);
    let k: WheelConsts = *consts(params).first();
    let (chassis, mut wheels) = (at.chassis(), at.state());
    let gravity = at.axes.vector(row, "gravity");
    let view = chassis.view(gravity);
    let swept = match row.text("jounce_type") {
        "raycast" => None,
        "sweep" => Some(SweptWheels::new(&k, &wheels, ShapeKind::Cylinder, true)),
        other => panic!("unknown schema: jounce_type {other}"),
    };
    let (brake, drive) = (row.flag("brake_applied"), row.flag("drive_applied"));
    let flag = |flag: bool| Mask4::from_array([flag; 4]);
    let control = WheelControl {
        brake: flag(brake).keep(W4::ONE),
        accelerated: flag(drive),
        ..WheelControl::default()
    };
    let mut steering = Steering::STRAIGHT;
    steering.turn_to(W4::splat(row.number("steer")));
    let (ground, filter) = (at.ground(), at.load_filter());
    let tires = [TireUse {
        model: Arc::new(at.tire()),
        wheels: Mask4::ALL,
    }];
    let stage = WheelStage {
        consts: &k,
        curves: Some(&curves),
        tires: &tires,
        control: &control,
        steering: &steering,
        ground: &ground,
        swept: swept.as_ref(),
        profile: &profile,
        load_filter: &filter,
        accelerating: drive,
        braking: brake,
    };
    // PhysX finds the lowest point of a swept wheel from the direction of the line where wheel and ground
    // meet. In the one row where that line is 4 mm from the centre, single precision costs it 8e-6 m of
    // separation; ours is then within 1e-7 m of double precision.
    let centre =
        k.centre.rotated(&chassis.matrix) + k.travel.rotated(&chassis.matrix) * k.max_droop;
    let height = (wheels.ground_height + wheels.ground_normal.dot(centre)).lane(0);
    if swept.is_some() && height.abs() < 5e-3 {
        row.call_tie();
        return None;
    }
    let (h, mut out) = (row.number("dt"), WheelOutputs::default());
    wheel_forces(&stage, &view, &mut wheels, h, &mut out);
    let touch = &out.touch;
    let on_ground = out.carrying.lane(0);

    // Beyond full sliding the aligning moment is a polynomial without bound: up to 1e21 N·m here, which is
    // rounding to the fourth power. It is compared where tires grip; the law itself is in a table of its
    // own.
    let grip = out.friction.lane(0) * out.load.lane(0);
    let forces = [out.forces.longitudinal, out.forces.lateral].map(|f| f.lane(0));
    let aligning = if forces[0].hypot(forces[1]) > 0.9999 * grip {
        vec![]
    } else {
        one(out.forces.aligning_moment.lane(0))
    };

    // The table has stance, speeds and slips also of wheels off the ground.
    let mut room = None;
    let stance = Stance::new(&k, Some(&curves), &steering, touch.jounce, &mut room);
    let camber = strut_curves::camber(&k, Some(&curves), touch.jounce);
    let (dirs, to_road) =
        slip::axle_axes(touch.normal, *stance.steer_sin, *stance.steer_cos, camber);
    let legacy = slip::tire_axes(touch.normal, steering.sin, steering.cos);
    let point = suspension::contact_point(&k, profile.contact_point, touch);
    let velocity = suspension::contact_velocity(&view, point, &ground);
    let (long, lat) = (velocity.dot(dirs.long), velocity.dot(dirs.lat));
    let rim = wheels.spin * k.radius;
    let ratio = |settings| slip::slip_ratio(settings, flag(brake | drive), long, rim).lane(0);
    let lateral = math::atan(slip::tan_slip_angle(&profile.slip, long, lat).lane(0));
    let kept = |held: Mask4, slip: f32| if held.lane(0) { 0.0 } else { slip };

    let world = |v: Vec3| at.axes.column(chassis.matrix * v);
    let up = touch.normal.lane(0) * out.suspension_force.lane(0);
    let arm = stance.suspension_point.lane(0);
    let old_force = legacy_force(&at, touch, &view);
    let old_up = touch.normal.lane(0) * old_force;
    let forward = dirs.long.lane(0) * out.forces.longitudinal.lane(0);
    let side = dirs.lat.lane(0) * out.forces.lateral.lane(0);
    let tire_arm = stance.tire_point.lane(0);
    let separation = if on_ground {
        one(-touch.beyond_stop.lane(0).max(0.0))
    } else {
        vec![]
    };
    // Force points of the table are from the attachment.
    let from_attachment = |point: Vec3| at.axes.column(point - k.centre.lane(0));

    let free = flag(!brake & !drive) & touch.jounce.gt(-k.max_droop);
    spin::turn_wheels(&k, &mut wheels, free, long, &spin::Display::of(&profile), h);
    let legacy_slip = SlipSettings {
        active_counts_spin: true,
        passive_adds: false,
        ..profile.slip
    };
    Some(vec![
        ("out_jounce", one(touch.jounce.lane(0) + at.travel)),
        ("out_jounce_speed", one(touch.jounce_speed.lane(0))),
        ("out_separation", separation),
        ("out_toe", one(curves.toe(touch.jounce).lane(0))),
        ("out_camber_compliance", one(camber.lane(0))),
        ("out_susp_app", from_attachment(arm)),
        ("out_tire_app", from_attachment(tire_arm)),
        ("out_susp_force", world(up)),
        ("out_susp_torque", world(arm.cross(up))),
        ("out_susp_normal_force", one(out.suspension_force.lane(0))),
        ("out_legacy_susp_force", world(old_up)),
        ("out_legacy_susp_torque", world(arm.cross(old_up))),
        ("out_legacy_normal_force", one(old_force)),
        ("out_tire_long_dir", world(dirs.long.lane(0))),
        ("out_tire_lat_dir", world(dirs.lat.lane(0))),
        ("out_legacy_tire_long_dir", world(legacy.long.lane(0))),
        ("out_legacy_tire_lat_dir", world(legacy.lat.lane(0))),
        ("out_long_speed", one(long.lane(0))),
        ("out_lat_speed", one(lat.lane(0))),
        ("out_long_slip", one(ratio(&profile.slip))),
        ("out_lat_slip", one(lateral)),
        ("out_legacy_long_slip", one(ratio(&legacy_slip))),
        ("out_legacy_lat_slip", one(lateral)),
        ("out_camber_angle", one(to_road.lane(0))),
        ("out_load", one(out.load.lane(0))),
        ("out_friction", one(out.friction.lane(0))),
        ("out_sticky_long_time", one(wheels.hold_forward.lane(0))),
        ("out_sticky_lat_time", one(wheels.hold_sideways.lane(0))),
        ("out_sticky_long", yes(out.hold.forward.lane(0))),
        ("out_sticky_lat", yes(out.hold.sideways.lane(0))),
        (
            "out_sticky_long_slip",
            one(kept(out.hold.forward, ratio(&profile.slip))),
        ),
        ("out_sticky_lat_slip", one(kept(out.hold.sideways, lateral))),
        ("out_tire_long_force", world(forward)),
        ("out_tire_lat_force", world(side)),
        ("out_tire_long_torque", world(tire_arm.cross(forward))),
        ("out_tire_lat_torque", world(tire_arm.cross(side))),
        ("out_align_moment", aligning),
        ("out_wheel_torque", one(out.forces.wheel_torque.lane(0))),
        ("out_wheel_angle", one(wheels.angle.lane(0))),
        ("out_corrected_omega", one(wheels.spin_shown.lane(0))),
    ])
}

pub(crate) fn anti_roll(row: &Row<'_>) -> Option<Outputs> {
    assert_eq!(row.text("bars"), "(0,1),(2,3)", "the only bars known");
    assert_eq!(
        row.text("travel_dir"),
        "(0,-1,0)",
        "the only direction known"
    );
    let stiffness = row.list("stiffness");
    let (attach, app) = (row.list("attach_xyz"), row.list("susp_app_xyz"));
    let mut params = four_wheeler(|_| ());
    let points = attach.chunks(3).zip(app.chunks(3));
    for (wheel, (a, b)) in params.wheels.iter_mut().zip(points) {
        let point = axes::from_physx([a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
        wheel.suspension.application_point = point;
    }
    let consts = consts(params);
    // A wheel is in the air where its jounce is that of full droop.
    let jounce = row.four("jounce");
    row.ignore("separation");
    let bars = [[0, 1], [2, 3]].into_iter().zip(stiffness);
    let torque: Vec3 = bars
        .map(|(wheels, stiffness)| {
            let bar = AntiRollBar { wheels, stiffness };
            Bar::new(&bar, |group, lane| consts[group].suspension_arm(lane)).torque(|_, lane| {
                BarEnd {
                    jounce: jounce[lane],
                    carrying: jounce[lane] > 0.0,
                }
            })
        })
        .sum();
    let world = math::matrix(row.rotation("quat")) * torque;
    Some(vec![("out_torque", vector(world))])
}

/// Compares the default values of PhysX 5's context.
pub(crate) fn compare_defaults(path: &Path) -> Result<Vec<Comparison>, String> {
    let text = reference::text(path).map_err(|error| error.to_string())?;
    let value: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let Profile { slip, sticky, .. } = Profile::PHYSX_5;
    let ours = [
        ("tireSlip.minLatSlipDenominator", slip.lateral_offset),
        ("tireSlip.minActiveLongSlipDenominator", slip.active_offset),
        (
            "tireSlip.minPassiveLongSlipDenominator",
            slip.passive_denominator,
        ),
        ("sticky.long.thresholdSpeed", sticky.speed),
        ("sticky.long.thresholdTime", sticky.forward_time),
        ("sticky.long.damping", sticky.forward_damping),
        ("sticky.lat.thresholdSpeed", sticky.speed),
        ("sticky.lat.thresholdTime", sticky.side_time),
        ("sticky.lat.damping", sticky.side_damping),
    ];
    let fields = value.as_object().ok_or("an object")?;
    let mut worst = 0.0_f64;
    for (name, theirs) in fields {
        let known = ours.iter().find(|(known, _)| known == name);
        let (_, ours) = known.ok_or_else(|| format!("unknown schema: {name}"))?;
        let theirs = theirs
            .as_f64()
            .ok_or_else(|| format!("{name}: no number"))?;
        worst = worst.max((f64::from(*ours) - theirs).abs());
    }
    Ok(vec![Comparison {
        name: reference::stem(path),
        rows: fields.len(),
        max_error: worst,
        bound: 1e-7,
        note: String::new(),
    }])
}
