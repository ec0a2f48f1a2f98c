//! One frame of a trace, with the names and axes of the PhysX traces.

use jounce::core::Vehicle;
use jounce::core::report::EngineReport;
use jounce::core::rigid_bodies::BodyState;
use serde::Serialize;

use super::axes::{place_to_physx, rotation_to_physx, to_physx};

/// One object per frame. Units are SI; vectors are in PhysX's axes (+Y up, +Z forward).
#[derive(Clone, Debug, Serialize)]
#[expect(
    missing_docs,
    reason = "the names are those of the reference traces' schema"
)]
pub struct TraceFrame {
    pub f: usize,
    pub p: [f64; 3],
    pub q: [f32; 4],
    pub v: [f32; 3],
    pub w: [f32; 3],
    pub v1: [f32; 3],
    pub w1: [f32; 3],
    #[serde(rename = "in")]
    pub analog: [f32; 5],
    pub eng: f32,
    pub gear: i8,
    pub tgear: i8,
    pub gst: f32,
    pub abt: f32,
    pub gu: bool,
    pub gd: bool,
    pub cslip: f32,
    #[serde(flatten)]
    pub wheels: Wheels,
    pub asleep: bool,
    pub skipped: bool,
}

/// One value per wheel.
#[derive(Clone, Debug, Default, Serialize)]
#[expect(
    missing_docs,
    reason = "the names are those of the reference traces' schema"
)]
pub struct Wheels {
    pub omega: Vec<f32>,
    pub angle: Vec<f32>,
    pub steer: Vec<f32>,
    pub jounce: Vec<f32>,
    pub susp: Vec<f32>,
    pub load: Vec<f32>,
    pub mu: Vec<f32>,
    pub lslip: Vec<f32>,
    pub tslip: Vec<f32>,
    pub lforce: Vec<f32>,
    pub tforce: Vec<f32>,
    pub camber: Vec<f32>,
    pub air: Vec<u8>,
    pub stick_l: Vec<u8>,
    pub stick_t: Vec<u8>,
    pub lim: Vec<u8>,
    pub lft: Vec<f32>,
    pub lst: Vec<f32>,
}

impl Wheels {
    fn of(vehicle: &Vehicle) -> Self {
        let mut wheels = Self::default();
        for n in 0..vehicle.model().wheel_count() {
            let report = vehicle.wheel_report(n);
            wheels.omega.push(report.spin_shown);
            wheels.angle.push(report.angle);
            wheels.steer.push(report.steer);
            wheels.jounce.push(report.jounce);
            wheels.susp.push(report.suspension_force);
            wheels.load.push(report.load);
            wheels.mu.push(report.friction);
            wheels.lslip.push(report.slip_ratio);
            wheels.tslip.push(report.slip_angle);
            wheels.lforce.push(report.longitudinal_force);
            wheels.tforce.push(report.lateral_force);
            wheels.camber.push(report.camber);
            wheels.air.push(u8::from(report.in_air));
            wheels.stick_l.push(u8::from(report.sticks_longitudinally));
            wheels.stick_t.push(u8::from(report.sticks_laterally));
            wheels.lim.push(u8::from(report.at_stop));
            wheels.lft.push(report.still_forward);
            wheels.lst.push(report.still_lateral);
        }
        wheels
    }
}

impl TraceFrame {
    /// The frame after an update of `vehicle` and the world's step, with the chassis at `body`;
    /// `origin` is relative to the center of mass (`m`, vehicle frame).
    #[must_use]
    pub fn of(
        f: usize,
        vehicle: &Vehicle,
        body: &BodyState,
        origin: glam::Vec3,
        analog: [f32; 5],
        skipped: bool,
    ) -> Self {
        let state = vehicle.state();
        let moving = state.at_end_of_step(body);
        let rotation = jounce::core::math::matrix(body.rotation);
        let drive = &state.drive;
        let (v1, w1) = vehicle.updated_velocity();
        Self {
            f,
            p: place_to_physx(body.position + (rotation * origin).as_dvec3()),
            q: rotation_to_physx(body.rotation),
            v: to_physx(moving.linear_velocity),
            w: to_physx(moving.angular_velocity),
            v1: to_physx(v1),
            w1: to_physx(w1),
            analog,
            eng: drive.engine_speed,
            gear: drive.gear.0 + 1,
            tgear: drive.target_gear.0 + 1,
            gst: drive.switch_time,
            abt: drive.autobox_time,
            gu: drive.gear_up,
            gd: drive.gear_down,
            cslip: EngineReport::of(vehicle).map_or(0.0, |engine| engine.clutch_slip),
            wheels: Wheels::of(vehicle),
            asleep: body.asleep,
            skipped,
        }
    }
}
