//! Contents of a vehicle file: axles with mirrored wheels, degrees if a key ends in `_deg`.

use std::collections::BTreeMap;
use std::fmt;

use driver_aids::AidSuite;
use glam::{Vec2, Vec3};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use vehicle_core::params::{
    AntiRollBar, ChassisParams, Damping, LoadFilter, SubstepPolicy, SweepSettings,
};
use vehicle_core::profile::RowsSettings;
use vehicle_core::{Check, ContactPolicy, Inspector, Profile, ShapeKind};

use super::air::AerodynamicsFile;
use super::coupling::{CouplingFile, RearCoupling};
use super::ladder::{LadderSpec, SoftConstraint, Wheels};
use super::links::LinksFile;
use super::steering::{SteeringAxisFile, SteeringSystemFile};
use super::target::TargetsFile;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VehicleFile {
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
    /// Solver; the profile's by default.
    pub(super) solver: Option<SolverName>,
    pub(super) profile: ProfileName,
    /// Settings of the rows solver, the profile's by default; ignored with the other solver.
    pub(super) rows: Option<RowsSettings>,
    /// Whether a wheel's mass limits the speed at which it follows the ground; the profile's by default.
    pub(super) limit_expansion: Option<bool>,
    /// Whether the moments of tires act on chassis and spins; the profile's by default.
    pub(super) tire_moments: Option<bool>,
    /// Whether sprung masses may sum to another mass than the chassis'; the profile's by default.
    pub(super) sprung_masses_may_differ: Option<bool>,
    pub(super) chassis: ChassisFile,
    pub(super) axles: Vec<AxleFile>,
    /// Contact of the wheels with the ground; by default sweeps if there are settings of them, else rays.
    pub(super) wheels: Option<Wheels>,
    /// Settings of swept wheels.
    pub(super) sweep: Option<SweepFile>,
    #[serde(default)]
    pub(super) anti_roll: Vec<AntiRollBar>,
    /// Aerodynamic coefficients; without them, the air has no effect.
    pub(super) aerodynamics: Option<AerodynamicsFile>,
    pub(super) load_filter: Option<LoadFilter>,
    pub(super) substeps: Option<SubstepPolicy>,
    pub(super) tires: BTreeMap<String, toml::Table>,
    pub(super) drivetrain: toml::Table,
    /// Driver aids; only those that are given.
    #[serde(default)]
    pub(super) aids: AidSuite,
    pub(super) coupling: Option<CouplingFile>,
    pub(super) rear_coupling: Option<RearCoupling>,
    /// Levels of detail by the distance from the camera.
    pub(super) ladder: Option<LadderSpec>,
    /// Figures of cars of the class.
    #[serde(default)]
    pub(super) target: TargetsFile,
}

impl VehicleFile {
    /// Contact of the wheels with the ground.
    pub(super) fn contact(&self) -> Wheels {
        let unsaid = if self.sweep.is_some() {
            Wheels::Sweeps
        } else {
            Wheels::Rays
        };
        self.wheels.unwrap_or(unsaid)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SolverName {
    Rows,
    Explicit,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ProfileName {
    Default,
    #[serde(rename = "physx-4")]
    Physx4,
    #[serde(rename = "physx-5")]
    Physx5,
}

impl ProfileName {
    pub(super) fn profile(self) -> Profile {
        match self {
            Self::Default => Profile::DEFAULT,
            Self::Physx4 => Profile::PHYSX_4,
            Self::Physx5 => Profile::PHYSX_5,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChassisFile {
    pub(super) mass: f32,
    pub(super) inertia: Vec3,
    #[serde(default)]
    pub(super) products: ProductsFile,
    pub(super) center_of_mass: Vec3,
    /// Gravity for which struts and tires are designed (`m/s²`).
    #[serde(default = "design_gravity")]
    pub(super) design_gravity: f32,
    pub(super) hull: HullFile,
}

fn design_gravity() -> f32 {
    ChassisParams::DESIGN_GRAVITY
}

/// An unsprung mass; absent keys of the tire are the tire's own properties.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UnsprungFile {
    pub(super) mass: f32,
    pub(super) tire_stiffness: Option<f32>,
    pub(super) tire_damping: Option<f32>,
}

/// Products of inertia; 0 where absent.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ProductsFile {
    pub(super) xy: f32,
    pub(super) xz: f32,
    pub(super) yz: f32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HullFile {
    pub(super) size: Vec3,
    pub(super) center: Vec3,
}

/// Rules of worlds for the collision box of a body.
impl Check for HullFile {
    fn check(&self, i: &mut Inspector) {
        let holds = self.size.is_finite() && self.size.min_element() > 0.0;
        let rule = "must be finite and > 0 in every component";
        i.rule(holds, "size", self.size, "m", rule);
        i.finite_vector("center", self.center, "m");
    }
}

/// Hits of a sweep that the vehicle uses.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Hits {
    First,
    #[default]
    All,
}

/// Swept wheels; absent keys are as in [`SweepSettings::DEFAULT`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SweepFile {
    #[serde(default)]
    pub(super) shape: ShapeKind,
    #[serde(default)]
    pub(super) hits: Hits,
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
            all_hits: matches!(self.hits, Hits::All),
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

/// Two mirrored wheels, the left one first; or one in the middle.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AxleFile {
    pub(super) name: String,
    pub(super) x: f32,
    /// Number of the axle's wheels, 1 or 2.
    #[serde(default = "two")]
    pub(super) wheels: usize,
    /// Distance between the axle's two wheels; absent for a single one.
    pub(super) track: Option<f32>,
    /// Height of the wheel centers above the origin; the radius by default.
    pub(super) z: Option<f32>,
    pub(super) radius: f32,
    pub(super) width: f32,
    pub(super) mass: f32,
    /// Moment of inertia of each wheel; by default that of a solid disc.
    pub(super) inertia: Option<f32>,
    pub(super) damping: f32,
    #[serde(default)]
    pub(super) toe_deg: f32,
    #[serde(default = "all_layers")]
    pub(super) layers: u32,
    pub(super) suspension: SuspensionFile,
    #[serde(default)]
    pub(super) compliance: ComplianceFile,
    /// Compliance of the right wheel; by default the left one's, mirrored.
    pub(super) compliance_right: Option<ComplianceFile>,
    pub(super) links: Option<LinksFile>,
    /// Unsprung mass and vertical stiffness of the tire of each wheel, for wheels with vertical motion of their own.
    pub(super) unsprung: Option<UnsprungFile>,
    pub(super) tire: TireFile,
    pub(super) brakes: drivetrain::BrakeParams,
    pub(super) steering: Option<SteeringFile>,
}

fn two() -> usize {
    2
}

impl AxleFile {
    /// Height of the axle's wheel centers at the design position (`m`, vehicle frame).
    pub(super) fn height(&self) -> f32 {
        self.z.unwrap_or(self.radius)
    }

    /// Height of the ground under the axle's wheels (`m`, vehicle frame).
    pub(super) fn ground(&self) -> f32 {
        self.height() - self.radius
    }

    /// Compliance of the axle's left or `right` wheel.
    pub(super) fn compliance_of(&self, right: bool) -> &ComplianceFile {
        let own = self.compliance_right.as_ref().filter(|_| right);
        own.unwrap_or(&self.compliance)
    }

    /// Wheel centers of the axle at the design position (`m`, vehicle frame).
    pub(super) fn wheel_centers(&self) -> Vec<Vec3> {
        let at = |y: f32| Vec3::new(self.x, y, self.height());
        match self.wheels {
            1 => vec![at(0.0)],
            _ => {
                let half = 0.5 * self.track.unwrap_or(f32::NAN);
                vec![at(half), at(-half)]
            }
        }
    }
}

fn all_layers() -> u32 {
    u32::MAX
}

/// Origin of the force on the sprung mass at the design position: a preload, or the spring itself.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Spring {
    #[default]
    SprungMass,
    Pure,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SuspensionFile {
    /// Spring stiffness; given with `damping`, or absent with `constraint`.
    pub(super) stiffness: Option<f32>,
    #[serde(default)]
    pub(super) spring: Spring,
    pub(super) damping: Option<DampingFile>,
    /// Jounce (`m`) and the spring's force in addition to the static load (`N`).
    #[serde(default)]
    pub(super) spring_curve: Vec<(f32, f32)>,
    /// Speed of compression (`m/s`) and force (`N`).
    #[serde(default)]
    pub(super) bump_curve: Vec<(f32, f32)>,
    /// Speed of extension (`m/s`) and force (`N`).
    #[serde(default)]
    pub(super) rebound_curve: Vec<(f32, f32)>,
    /// Soft constraint instead of a spring and a damper.
    pub(super) constraint: Option<SoftConstraint>,
    /// Stiffness of the bump stop; ten times `stiffness` by default. For a constraint, that of its limit.
    pub(super) bump_stop_stiffness: Option<f32>,
    pub(super) max_compression: f32,
    pub(super) max_droop: f32,
    /// Sprung mass; by default the share that balances the chassis.
    pub(super) sprung_mass: Option<f32>,
    /// Height at which the suspension's force acts, for the explicit solver; by default that of the wheel's center.
    pub(super) force_height: Option<f32>,
    /// Roll influence of the suspension's force (–); 1 by default.
    pub(super) roll_influence: Option<f32>,
    #[serde(default)]
    pub(super) camber_deg: f32,
    #[serde(default)]
    pub(super) camber_at_max_compression_deg: f32,
    #[serde(default)]
    pub(super) camber_at_max_droop_deg: f32,
}

/// Damping in both directions, as one rate or as a damper for each.
#[derive(Clone, Copy, Debug)]
pub(super) struct DampingFile(pub(super) Damping);

impl<'de> Deserialize<'de> for DampingFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DampingVisitor)
    }
}

/// Distinguishes a number from a table by its type, so that faults name the wrong key.
struct DampingVisitor;

impl<'de> Visitor<'de> for DampingVisitor {
    type Value = DampingFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a rate, or a table of bump and rebound")
    }

    fn visit_f64<E>(self, rate: f64) -> Result<DampingFile, E> {
        Ok(DampingFile(Damping::from(rate as f32)))
    }

    fn visit_i64<E>(self, rate: i64) -> Result<DampingFile, E> {
        Ok(DampingFile(Damping::from(rate as f32)))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<DampingFile, M::Error> {
        Damping::deserialize(MapAccessDeserializer::new(map)).map(DampingFile)
    }
}

/// Tables over jounce (`m`) and forces for the left wheel of an axle; the right one mirrors them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ComplianceFile {
    /// Jounce and toe angle, positive inwards.
    pub(super) toe_deg: Vec<(f32, f32)>,
    /// Jounce and camber angle, negative with the top inwards.
    pub(super) camber_deg: Vec<(f32, f32)>,
    /// Additional camber angle of both wheels by the axle's roll against the body (–).
    pub(super) roll_camber: f32,
    /// Additional steering angle of both wheels by the axle's roll against the body (–).
    pub(super) roll_steer: f32,
    /// Jounce and displacement of the wheel forward and outwards (`m`).
    pub(super) shift: Vec<(f32, Vec2)>,
    /// Additional angles and displacements by the tire's longitudinal force (`N`), positive forward.
    pub(super) by_longitudinal_force: ForceComplianceFile,
    /// Additional angles and displacements by the tire's lateral force (`N`), positive inwards.
    pub(super) by_lateral_force: ForceComplianceFile,
    /// Additional angles and displacements by the tire's aligning moment (`N·m`), positive where it turns the wheel inwards.
    pub(super) by_aligning_moment: ForceComplianceFile,
    /// Jounce and offset of the suspension's force point forward, outwards, up (`m`).
    pub(super) suspension_point: Vec<(f32, Vec3)>,
    /// Jounce and offset of the tire's force point forward, outwards, up (`m`).
    pub(super) tire_point: Vec<(f32, Vec3)>,
}

/// Tables of toe, camber and displacement of a wheel over a force or moment.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ForceComplianceFile {
    pub(super) toe_deg: Vec<(f32, f32)>,
    pub(super) camber_deg: Vec<(f32, f32)>,
    pub(super) shift: Vec<(f32, Vec2)>,
}

impl ComplianceFile {
    /// Tables over longitudinal force, lateral force and aligning moment, with their keys.
    pub(super) fn by_force(&self) -> [(&'static str, &ForceComplianceFile); 3] {
        [
            ("by_longitudinal_force", &self.by_longitudinal_force),
            ("by_lateral_force", &self.by_lateral_force),
            ("by_aligning_moment", &self.by_aligning_moment),
        ]
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TireFile {
    pub(super) model: String,
    /// Name of the right wheel's tire; by default that of the left wheel's.
    pub(super) right: Option<String>,
    /// Height at which the tire's force acts; by default that of the ground. Without effect where an axle has `links`.
    pub(super) force_height: Option<f32>,
    #[serde(default)]
    pub(super) kind: u16,
    pub(super) friction_curve: Option<[[f32; 2]; 3]>,
    /// Coefficient of a law without rolling resistance (–); the profile's by default.
    pub(super) rolling_resistance: Option<f32>,
    /// Rise of the rolling resistance with the square of speed (`s²/m²`).
    #[serde(default)]
    pub(super) rolling_resistance_rise: f32,
}

impl TireFile {
    /// Coefficient of road tires (–), where a file of the default profile has none: between the classes C and D of
    /// Regulation (EU) 2020/740, 9 kg/t. With bearings and brakes, cars lose 0.06 to 0.14 m/s² at 10 km/h (coast-downs of the
    /// EPA, 2022).
    pub(super) const ROAD: f32 = 0.009;

    /// Rolling resistance of [`TireFit`](vehicle_core::params::TireFit): coefficient, and its rise with speed.
    pub(super) fn resistance(&self, profile: ProfileName) -> [f32; 2] {
        let default = match profile {
            ProfileName::Default => Self::ROAD,
            ProfileName::Physx4 | ProfileName::Physx5 => 0.0,
        };
        let coefficient = self.rolling_resistance.unwrap_or(default);
        [coefficient, self.rolling_resistance_rise]
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SteeringFile {
    pub(super) max_deg: f32,
    /// Ackermann accuracy, 0…1; ignored for a single wheel.
    #[serde(default)]
    pub(super) ackermann: f32,
    /// Distance from the line on which the wheels' axes meet (`m`); by default that of the farthest
    /// other axle.
    pub(super) separation: Option<f32>,
    #[serde(default)]
    pub(super) counter: bool,
    /// The axis about which the axle's wheels are steered, for the torque at the steering wheel.
    pub(super) axis: Option<SteeringAxisFile>,
}

/// A drivetrain with an engine; steering and brakes are given with the axles.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EngineFile {
    pub(super) engine: drivetrain::EngineParams,
    pub(super) clutch: drivetrain::ClutchParams,
    pub(super) converter: Option<drivetrain::ConverterParams>,
    pub(super) dual_clutch: Option<drivetrain::DualClutchParams>,
    pub(super) variator: Option<drivetrain::VariatorParams>,
    pub(super) retarder: Option<drivetrain::RetarderParams>,
    pub(super) power_take_off: Option<drivetrain::PowerTakeOffParams>,
    pub(super) gearbox: drivetrain::GearboxParams,
    pub(super) autobox: Option<drivetrain::AutoboxParams>,
    /// Table of the differential, whose key `model` names the law.
    #[serde(default)]
    pub(super) differential: toml::Table,
    #[serde(default)]
    pub(super) responses: drivetrain::Responses,
    #[serde(default)]
    pub(super) steering: SteeringResponseFile,
}

/// A drivetrain that sets the torque of each wheel, without an engine.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DirectFile {
    pub(super) max_torques: Vec<f32>,
    #[serde(default)]
    pub(super) responses: drivetrain::Responses,
    #[serde(default, rename = "rules")]
    pub(super) logic: drivetrain::DriveLogic,
    #[serde(default)]
    pub(super) steering: SteeringResponseFile,
}

/// A drivetrain with electric motors, and an engine if there is a power split or a separating clutch.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ElectricFile {
    pub(super) motors: Vec<drivetrain::MotorParams>,
    pub(super) engine: Option<drivetrain::EngineParams>,
    pub(super) power_split: Option<drivetrain::PowerSplitParams>,
    pub(super) parallel: Option<drivetrain::ParallelHybridParams>,
    pub(super) battery: drivetrain::BatteryParams,
    #[serde(default)]
    pub(super) regeneration: drivetrain::RegenerationParams,
    pub(super) creep: Option<drivetrain::CreepParams>,
    pub(super) vectoring: Option<drivetrain::YawVectoringParams>,
    #[serde(default)]
    pub(super) responses: drivetrain::Responses,
    #[serde(default)]
    pub(super) steering: SteeringResponseFile,
}

/// Response of the steering to the command, and its steering wheel.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SteeringResponseFile {
    pub(super) response: drivetrain::ResponseTable,
    pub(super) axle_law: drivetrain::AxleLaw,
    /// The steering wheel, if torques move it.
    pub(super) system: Option<SteeringSystemFile>,
}

/// Tracks; absent keys are as for a tank that shares all its torque.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TankFile {
    /// Tracks; by default one over all left wheels, and one over all right ones.
    pub(super) tracks: Option<Vec<drivetrain::Track>>,
    #[serde(default = "shared")]
    pub(super) law: drivetrain::TankLaw,
    #[serde(default)]
    pub(super) special: bool,
    #[serde(default, rename = "hold")]
    pub(super) idle_brake: f32,
    #[serde(default)]
    pub(super) coupling: drivetrain::TrackCoupling,
}

fn shared() -> drivetrain::TankLaw {
    drivetrain::TankLaw::Shared
}
