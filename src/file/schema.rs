//! What a vehicle file holds, as it is written: axles with mirrored wheels, degrees where a key
//! ends in `_deg`.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::Deserialize;

use vehicle_core::params::{
    AntiRollBar, FrictionCurve, LoadFilter, SubstepPolicy, SweepHits, SweepSettings,
};
use vehicle_core::profile::{RowsSettings, Solver};
use vehicle_core::{ContactPolicy, Profile, ShapeKind};

use crate::document::Schema;

/// The versions of vehicle files.
pub(super) const SCHEMA: Schema = Schema::first("vehicle file");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VehicleFile {
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
    /// By default the profile's.
    pub(super) solver: Option<Solver>,
    pub(super) profile: ProfileName,
    /// Settings of the rows solver; by default the profile's.
    pub(super) rows: Option<RowsSettings>,
    pub(super) chassis: ChassisFile,
    pub(super) axles: Vec<AxleFile>,
    /// How wheels are swept; by default they look for the ground with rays.
    pub(super) sweep: Option<SweepFile>,
    #[serde(default)]
    pub(super) anti_roll: Vec<AntiRollBar>,
    pub(super) load_filter: Option<LoadFilter>,
    pub(super) substeps: Option<SubstepPolicy>,
    pub(super) tires: BTreeMap<String, toml::Table>,
    pub(super) drivetrain: toml::Table,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ProfileName {
    Default,
    #[serde(rename = "physx-4")]
    Physx4,
}

impl ProfileName {
    pub(super) fn profile(self) -> Profile {
        match self {
            Self::Default => Profile::DEFAULT,
            Self::Physx4 => Profile::PHYSX_4,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChassisFile {
    pub(super) mass: f32,
    pub(super) inertia: Vec3,
    pub(super) centre_of_mass: Vec3,
    pub(super) hull: HullFile,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HullFile {
    pub(super) size: Vec3,
    pub(super) centre: Vec3,
}

/// Wheels that are swept; what is not said is as in [`SweepSettings::DEFAULT`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SweepFile {
    #[serde(default)]
    pub(super) shape: ShapeKind,
    #[serde(default)]
    pub(super) hits: SweepHits,
    pub(super) radius_scale: Option<f32>,
    pub(super) width_scale: Option<f32>,
    #[serde(default)]
    pub(super) inflation: f32,
    pub(super) point_angle_deg: Option<f32>,
    pub(super) normal_angle_deg: Option<f32>,
    #[serde(default)]
    pub(super) direct: bool,
}

impl SweepFile {
    pub(super) fn settings(&self) -> SweepSettings {
        let default = SweepSettings::DEFAULT;
        let angle = |given: Option<f32>, default: f32| given.map_or(default, f32::to_radians);
        SweepSettings {
            shape: self.shape,
            hits: self.hits,
            radius_scale: self.radius_scale.unwrap_or(default.radius_scale),
            width_scale: self.width_scale.unwrap_or(default.width_scale),
            inflation: self.inflation,
            policy: ContactPolicy {
                point_angle: angle(self.point_angle_deg, default.policy.point_angle),
                normal_angle: angle(self.normal_angle_deg, default.policy.normal_angle),
                ..default.policy
            },
            direct: self.direct,
        }
    }
}

/// Two wheels, mirrored; the left one comes first.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AxleFile {
    pub(super) name: String,
    pub(super) x: f32,
    pub(super) track: f32,
    /// Height of the wheel centres over the origin; by default the radius.
    pub(super) z: Option<f32>,
    pub(super) radius: f32,
    pub(super) width: f32,
    pub(super) mass: f32,
    /// By default that of a solid disc.
    pub(super) inertia: Option<f32>,
    pub(super) damping: f32,
    #[serde(default)]
    pub(super) toe_deg: f32,
    #[serde(default = "all_layers")]
    pub(super) layers: u32,
    pub(super) suspension: SuspensionFile,
    pub(super) tire: TireFile,
    pub(super) brakes: drivetrain::BrakeParams,
    pub(super) steering: Option<SteeringFile>,
}

fn all_layers() -> u32 {
    u32::MAX
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SuspensionFile {
    pub(super) stiffness: f32,
    pub(super) damping: f32,
    /// By default ten times `stiffness`.
    pub(super) bump_stop_stiffness: Option<f32>,
    pub(super) max_compression: f32,
    pub(super) max_droop: f32,
    /// By default what balances the chassis.
    pub(super) sprung_mass: Option<f32>,
    pub(super) force_height: f32,
    #[serde(default)]
    pub(super) camber_deg: f32,
    #[serde(default)]
    pub(super) camber_at_max_compression_deg: f32,
    #[serde(default)]
    pub(super) camber_at_max_droop_deg: f32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TireFile {
    pub(super) model: String,
    pub(super) force_height: f32,
    #[serde(default)]
    pub(super) kind: u16,
    pub(super) friction_curve: Option<FrictionCurve>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SteeringFile {
    pub(super) max_deg: f32,
    pub(super) ackermann: f32,
    #[serde(default)]
    pub(super) counter: bool,
}

/// A drivetrain with an engine; steering and brakes stand with the axles.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EngineFile {
    pub(super) engine: drivetrain::EngineParams,
    pub(super) clutch: drivetrain::ClutchParams,
    pub(super) gearbox: drivetrain::GearboxParams,
    pub(super) autobox: Option<drivetrain::AutoboxParams>,
    pub(super) differential: drivetrain::Differential4W,
    /// Front pair, then rear pair.
    #[serde(default = "first_four")]
    pub(super) driven: [usize; 4],
}

fn first_four() -> [usize; 4] {
    [0, 1, 2, 3]
}

/// Torque straight to the wheels.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DirectFile {
    pub(super) max_torques: Vec<f32>,
}
