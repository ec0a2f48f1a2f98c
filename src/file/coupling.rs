//! `[coupling]` and `[rear_coupling]` of a vehicle file: where a joint holds two vehicles together, and how far they swing.

use glam::Vec3;
use scene_query::CouplingJoint;
use serde::{Deserialize, Serialize};
use vehicle_core::Inspector;

use super::Hull;

/// Construction of a coupling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CouplingKind {
    /// A ball and its head, as behind cars.
    #[default]
    Ball,
    /// A pin through the eye of a drawbar, as behind trucks and tractors.
    Drawbar,
    /// A plate and a king pin: the two vehicles roll as one.
    FifthWheel,
}

impl CouplingKind {
    /// Most yaw, pitch and roll (`rad`), usual ones. UN Regulation 55 demands of installed drawbar couplings at least
    /// 60° of yaw and 20° of pitch and of fifth wheels at least 90° and 7°, and permits those 3° of roll.
    #[must_use]
    pub fn limits(self) -> Vec3 {
        let degrees = match self {
            Self::Ball => Vec3::new(60.0, 25.0, 25.0),
            Self::Drawbar => Vec3::new(90.0, 20.0, 20.0),
            Self::FifthWheel => Vec3::new(90.0, 12.0, 3.0),
        };
        degrees * (core::f32::consts::PI / 180.0)
    }

    /// Stiffness against roll (`N·m/rad`): none, or infinite for a fifth wheel.
    #[must_use]
    pub const fn roll_stiffness(self) -> f32 {
        match self {
            Self::Ball | Self::Drawbar => 0.0,
            Self::FifthWheel => f32::INFINITY,
        }
    }
}

/// Joint of an engine by which a vehicle is coupled to another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coupling {
    /// Position of the joint (`m`, vehicle frame).
    pub position: Vec3,
    /// Mass of a trailer that rests on the coupling (`kg`), below the vehicle's; wheels and springs carry the rest. Negative if
    /// the trailer is tail-heavy and pulls its coupling up. 0 if absent.
    #[serde(default)]
    pub load: f32,
    /// Usual towing vehicle of a trailer: the name of a preset, or of a file relative to the trailer's folder.
    #[serde(default)]
    pub towed_by: Option<String>,
    /// Construction of the coupling; if absent, that of the other vehicle, or a ball if neither says.
    #[serde(default)]
    pub kind: Option<CouplingKind>,
    /// Most yaw of the towed vehicle against the towing one, either way (`rad`), > 0; if absent, that of the kind.
    #[serde(default)]
    pub yaw_limit: Option<f32>,
    /// Most pitch, as `yaw_limit` (`rad`).
    #[serde(default)]
    pub pitch_limit: Option<f32>,
    /// Most roll, as `yaw_limit` (`rad`).
    #[serde(default)]
    pub roll_limit: Option<f32>,
    /// Stiffness against roll (`N·m/rad`), ≥ 0; if absent, that of the kind.
    #[serde(default)]
    pub roll_stiffness: Option<f32>,
    /// Whether the bodies of the two coupled vehicles collide; if absent, they do unless their hulls overlap in line.
    #[serde(default)]
    pub contact: Option<bool>,
}

impl Coupling {
    /// The joint of a vehicle that tows by this coupling and of one that is `towed` by the other one, with their hulls.
    ///
    /// Of two limits, or two stiffnesses, the smaller one counts, and one vehicle suffices to rule out contact.
    #[must_use]
    pub fn joint(&self, hull: &Hull, (towed, towed_hull): (&Self, &Hull)) -> CouplingJoint {
        let kind = towed.kind.or(self.kind).unwrap_or_default();
        let both = |given: fn(&Self) -> Option<f32>| smaller(given(self), given(towed));
        let limits = [
            both(|c| c.yaw_limit),
            both(|c| c.pitch_limit),
            both(|c| c.roll_limit),
        ];
        let usual = kind.limits().to_array();
        let limits = [0, 1, 2].map(|n| limits[n].unwrap_or(usual[n]));
        let stiffness = both(|c| c.roll_stiffness);
        let contact = [self.contact, towed.contact];
        let apart = || !self.in_line(hull).overlaps(&towed.in_line(towed_hull));
        CouplingJoint {
            limits: limits.into(),
            roll_stiffness: stiffness.unwrap_or(kind.roll_stiffness()),
            contact: !contact.contains(&Some(false)) && (contact.contains(&Some(true)) || apart()),
        }
    }

    /// A hull of its vehicle, from this coupling.
    fn in_line(&self, hull: &Hull) -> Hull {
        Hull {
            center: hull.center - self.position,
            ..*hull
        }
    }
}

impl Hull {
    /// Whether the hull overlaps another one by more than a centimeter on every axis.
    fn overlaps(&self, other: &Self) -> bool {
        const SLOP: f32 = 0.01;
        let apart = (self.center - other.center).abs() - (self.size + other.size) * 0.5;
        apart.max_element() < -SLOP
    }
}

fn smaller(a: Option<f32>, b: Option<f32>) -> Option<f32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

/// A coupling as a file has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CouplingFile {
    pub(super) position: Vec3,
    #[serde(default)]
    pub(super) load: f32,
    towed_by: Option<String>,
    kind: Option<CouplingKind>,
    yaw_limit_deg: Option<f32>,
    pitch_limit_deg: Option<f32>,
    roll_limit_deg: Option<f32>,
    roll_stiffness: Option<f32>,
    contact: Option<bool>,
}

impl CouplingFile {
    pub(super) fn coupling(self) -> Coupling {
        Coupling {
            position: self.position,
            load: self.load,
            towed_by: self.towed_by,
            kind: self.kind,
            yaw_limit: self.yaw_limit_deg.map(f32::to_radians),
            pitch_limit: self.pitch_limit_deg.map(f32::to_radians),
            roll_limit: self.roll_limit_deg.map(f32::to_radians),
            roll_stiffness: self.roll_stiffness,
            contact: self.contact,
        }
    }

    /// Rules for the coupling of a vehicle of this `mass` (`kg`).
    pub(super) fn check(&self, mass: f32, i: &mut Inspector) {
        i.finite("load", self.load, "kg");
        // An invalid chassis mass is reported elsewhere.
        let holds = !(self.load >= mass && mass > 0.0);
        let rule = format!("must be below chassis.mass = {mass} kg");
        i.rule(holds, "load", self.load, "kg", rule);
        let (position, stiffness) = (self.position, self.roll_stiffness.unwrap_or(0.0));
        i.finite_vector("position", position, "m");
        for (name, limit) in [
            ("yaw_limit_deg", self.yaw_limit_deg),
            ("pitch_limit_deg", self.pitch_limit_deg),
            ("roll_limit_deg", self.roll_limit_deg),
        ] {
            let limit = limit.unwrap_or(180.0);
            let holds = limit > 0.0 && limit <= 180.0;
            let rule = "must be > 0, and at most 180, which is free";
            i.rule(holds, name, limit, "°", rule);
        }
        let (name, rule) = ("roll_stiffness", "must be >= 0");
        i.rule(stiffness >= 0.0, name, stiffness, "N·m/rad", rule);
    }
}

/// A coupling behind, by which a vehicle is not towed.
#[derive(Debug, Deserialize)]
#[serde(from = "RearCouplingFile")]
pub(super) struct RearCoupling(pub(super) CouplingFile);

/// Keys of the rear coupling.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RearCouplingFile {
    position: Vec3,
    kind: Option<CouplingKind>,
    yaw_limit_deg: Option<f32>,
    pitch_limit_deg: Option<f32>,
    roll_limit_deg: Option<f32>,
    roll_stiffness: Option<f32>,
    contact: Option<bool>,
}

impl From<RearCouplingFile> for RearCoupling {
    fn from(rear: RearCouplingFile) -> Self {
        Self(CouplingFile {
            position: rear.position,
            load: 0.0,
            towed_by: None,
            kind: rear.kind,
            yaw_limit_deg: rear.yaw_limit_deg,
            pitch_limit_deg: rear.pitch_limit_deg,
            roll_limit_deg: rear.roll_limit_deg,
            roll_stiffness: rear.roll_stiffness,
            contact: rear.contact,
        })
    }
}

#[cfg(test)]
mod tests;
