//! The wheel of a row, in the frame of its attachment.

use glam::{Quat, Vec3};
use jounce::core::internals::chassis::Chassis;
use jounce::core::internals::contact::MovingGround;
use jounce::core::internals::{ExplicitGrip, GripMemory};
use jounce::core::lanes::{V3x4, W4};
use jounce::core::params::{Compliance, WheelParams};
use jounce::core::state::WheelState;
use jounce::core::{Checked, internals::slip, math};
use jounce::tires::{Michigan, MichiganParams};
use proving_ground::scenario as axes;

use super::super::suspension::at_pose;
use super::super::{all, tire, vector};
use crate::row::Row;

/// Axis names of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    /// Whether the row uses our axes, not those of the other tables.
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

    pub(super) fn vector(self, row: &Row<'_>, key: &str) -> Vec3 {
        self.named(row.list(key).try_into().expect("three numbers"))
    }

    pub(super) fn rotation(self, row: &Row<'_>, key: &str) -> Quat {
        let numbers = row.four(key);
        if self.ours {
            Quat::from_array(numbers)
        } else {
            axes::rotation_from_physx(numbers)
        }
    }

    pub(super) fn column(self, v: Vec3) -> Vec<f64> {
        if self.ours {
            all(v.to_array())
        } else {
            vector(v)
        }
    }
}

/// The wheel of a row, in the frame of its attachment, about which it is steered: jounce 0 is full
/// compression here, so ours is PhysX's minus the travel.
///
/// PhysX rotates a wheel on its hub after steering: static toe and camber, and a pitch, which does
/// not change a round wheel. PhysX's camber angle depends on the pitch nevertheless, like that of
/// an inclined strut, so the pitch is part of the frame.
pub(super) struct Attached<'a> {
    pub(super) row: &'a Row<'a>,
    pub(super) axes: Axes,
    /// Attachment → vehicle.
    attachment: Quat,
    /// Attachment → vehicle, with the pitch of the hub.
    tilt: Quat,
    /// Hub → vehicle, where it is not steered.
    hub: Quat,
    /// Static toe and camber (`rad`).
    askew: [f32; 2],
    pub(super) travel: f32,
}

impl<'a> Attached<'a> {
    pub(super) fn new(row: &'a Row<'a>) -> Self {
        let axes = Axes::of(row);
        let attachment = axes.rotation(row, "susp_attach_quat");
        let on_hub = axes.rotation(row, "wheel_attach_quat");
        let hub = math::matrix(on_hub);
        // hub = pitch about y · toe about z · camber about x.
        let heading = hub.x_axis;
        let pitch = (-heading.z).atan2(heading.x);
        let toe = heading.y.asin();
        let camber = (-hub.z_axis.y).atan2(hub.y_axis.y);
        let steer = row.number("steer");
        let lean = [(Vec3::Z, steer), (Vec3::Y, pitch), (Vec3::Z, -steer)]
            .map(|(axis, angle)| math::rotation_about(axis, angle));
        Self {
            row,
            axes,
            attachment,
            tilt: lean.into_iter().fold(attachment, math::compose),
            hub: math::compose(attachment, on_hub),
            askew: [toe, camber],
            travel: row.number("susp_travel_dist"),
        }
    }

    /// A vector of the vehicle's frame.
    fn vehicle(&self, key: &str) -> Vec3 {
        math::matrix(self.tilt).transpose() * self.axes.vector(self.row, key)
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
            ..Compliance::default()
        }
    }

    /// The position of the attachment in its own frame (`m`).
    pub(super) fn place(&self) -> Vec3 {
        self.vehicle("susp_attach_pos")
    }

    pub(super) fn describe(&self, w: &mut WheelParams) {
        let row = self.row;
        // The hub carries the wheel around as it is steered.
        let hub = math::rotation_about(Vec3::Z, row.number("steer"));
        let turn = math::matrix(math::compose(self.attachment, hub));
        let aside = turn * self.axes.vector(row, "wheel_attach_pos");
        w.position = self.place() + math::matrix(self.tilt).transpose() * aside;
        w.suspension.travel_direction = self.vehicle("susp_travel_dir");
        w.suspension.application_point = self.place();
        w.tire.application_point = self.place();
        w.radius = row.number("radius");
        w.width = 2.0 * row.number("half_width");
        w.mass = row.number("wheel_mass");
        w.suspension.stiffness = row.number("stiffness");
        w.suspension.damping = row.number("damping").into();
        w.suspension.sprung_mass = row.number("sprung_mass");
        w.suspension.max_compression = 0.0;
        w.suspension.max_droop = self.travel;
        w.suspension.free_at_droop = true;
        [w.toe, w.suspension.camber.at_rest] = self.askew;
        w.compliance = self.compliance();
        w.tire.friction_curve = tire::curve(row);
        w.tire.rest_mass = Some(row.number("rest_load") / self.gravity());
    }

    pub(super) fn gravity(&self) -> f32 {
        let g = self.axes.vector(self.row, "gravity");
        math::sqrt(g.dot(g))
    }

    pub(super) fn tire(&self) -> Michigan {
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

    /// The chassis in the frame of the attachment.
    pub(super) fn chassis(&self) -> Chassis {
        let body = self.axes.rotation(self.row, "body_quat");
        let speeds = ["lin_vel", "ang_vel"].map(|key| self.axes.vector(self.row, key));
        at_pose(math::compose(body, self.tilt), speeds)
    }

    /// Tire axes by the legacy rule, which turns the hub's in the plane of the ground, world.
    pub(super) fn legacy_axes(&self) -> [Vec3; 2] {
        let body = self.axes.rotation(self.row, "body_quat");
        let turn = math::matrix(math::compose(body, self.hub));
        let normal = turn.transpose() * self.normal();
        let (sin, cos) = math::sin_cos(self.row.number("steer"));
        let axes = slip::tire_axes(V3x4::splat(normal), W4::splat(sin), W4::splat(cos));
        [axes.longitudinal, axes.lateral].map(|axis| turn * axis.lane(0))
    }

    /// Normal of what the wheel's query hit, world; 0 for nothing.
    pub(super) fn normal(&self) -> Vec3 {
        if self.row.flag("hit") {
            self.axes.vector(self.row, "plane_n")
        } else {
            Vec3::ZERO
        }
    }

    pub(super) fn state(&self) -> WheelState {
        let row = self.row;
        let normal = self.axes.vector(row, "plane_n");
        let height = normal.dot(self.axes.vector(row, "body_pos")) + row.number("plane_d");
        let before = row.optional("prev_jounce").map(|j| j - self.travel);
        WheelState {
            spin: W4::splat(row.number("wheel_omega")),
            angle: W4::splat(row.number("wheel_angle")),
            jounce: W4::splat(before.unwrap_or(WheelState::UNKNOWN)),
            steer: W4::splat(row.number("steer")),
            grip: GripMemory::Explicit(ExplicitGrip {
                still: ["sticky_long_time", "sticky_lat_time"]
                    .map(|key| W4::splat(row.number(key))),
                ..ExplicitGrip::default()
            }),
            ground_normal: V3x4::splat(self.normal()),
            ground_height: W4::splat(height),
            ground_friction: W4::splat(row.number("road_friction")),
            ..WheelState::AT_REST
        }
    }

    pub(super) fn ground(&self) -> MovingGround {
        let velocity = self.axes.vector(self.row, "road_velocity");
        MovingGround {
            any: velocity != Vec3::ZERO,
            velocity: V3x4::splat(velocity),
            ..MovingGround::FIXED
        }
    }
}
