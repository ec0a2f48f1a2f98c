//! Which solver advances a vehicle, and with which habits: every threshold is a setting.

use crate::base::units::UnitScale;

/// What advances a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Solver {
    /// Rows for struts, tires and clutch, solved together and implicitly: stands still, and does
    /// not depend on the time step.
    Rows,
    /// One stage after the other, as PhysX does it.
    Explicit,
}

/// What to do with finite values outside their range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RangePolicy {
    /// Clamp them, and say so in the report.
    Clamp,
    /// Refuse the command beyond a tolerance of 0.01, as PhysX does (ALGORITHMS §4.10).
    Refuse,
}

/// How the explicit solver's result is handed to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum OutputMode {
    /// As a change of velocity, before the engine's own step.
    VelocityChange,
    /// As an acceleration over the engine's own step.
    Acceleration,
}

/// Denominators of the slips (ALGORITHMS §1.4, §3.7).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct SlipSettings {
    /// Least longitudinal denominator of a wheel that rolls freely [m/s].
    pub passive_denominator: f32,
    /// Added to the longitudinal denominator of a driven or braked wheel [m/s].
    pub active_offset: f32,
    /// Added to the lateral denominator [m/s].
    pub lateral_offset: f32,
    /// Whether the spin counts in a driven or braked wheel's denominator (cars) or only the
    /// ground speed does (tanks, and PhysX 5).
    pub active_counts_spin: bool,
    /// Whether the passive denominator is added to the ground speed (PhysX 5, ALGORITHMS §7.11) and not
    /// its least value.
    pub passive_adds: bool,
}

crate::scaled!(SlipSettings {
    passive_denominator: [1, 0],
    active_offset: [1, 0],
    lateral_offset: [1, 0],
    active_counts_spin: same,
    passive_adds: same,
});

/// The low-speed hold of the explicit solver (ALGORITHMS §3.8).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct StickySettings {
    /// Below this speed a wheel counts as standing [m/s].
    pub speed: f32,
    /// How long it must stand before it holds forward [s].
    pub forward_time: f32,
    /// How long it must stand before it holds sideways [s].
    pub side_time: f32,
    /// Share of the forward speed that the row aims at [−].
    pub forward_target: f32,
    /// Share of the side speed that the row aims at [−].
    pub side_target: f32,
    /// Damping of the forward row [1/s].
    pub forward_damping: f32,
    /// Damping of the sideways row [1/s].
    pub side_damping: f32,
    /// Whether a wheel that does not turn holds at once only while it is braked (PhysX 5) or always.
    pub locks_when_braked: bool,
    /// Whether the rows aim at the speed of the ground; in PhysX 5 they do not (⚑ ALGORITHMS §9 no. 32).
    pub follows_ground: bool,
}

crate::scaled!(StickySettings {
    speed: [1, 0],
    forward_time: same,
    side_time: same,
    forward_target: same,
    side_target: same,
    forward_damping: same,
    side_damping: same,
    locks_when_braked: same,
    follows_ground: same,
});

/// Along what the tires of the explicit solver push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum TireAxesRule {
    /// The vehicle's own axes in the ground plane, steered there: camber is that to the chassis and
    /// tilts nothing (ALGORITHMS §3.7).
    Steered,
    /// The wheel's axle as it stands, in the ground plane; camber is that to the ground
    /// (ALGORITHMS §7.11).
    Axle,
}

/// Which point of a wheel slides over the ground, in the explicit solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ContactPoint {
    /// Where the suspension meets the ground plane (ALGORITHMS §3.4).
    Ground,
    /// The end of the wheel along its travel (ALGORITHMS §7.11).
    WheelEnd,
}

/// What becomes of a wheel that the ground outruns, where expansion is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ExpansionRule {
    /// It carries nothing; its jounce is that of the ground all the same (⚑ ALGORITHMS §3.5).
    GroundJounce,
    /// It extends as far as spring and mass let it (ALGORITHMS §7.9).
    OwnJounce,
}

/// Which part of gravity the ground bears without the spring, in the explicit solver: that across the
/// strut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum GravityAcross {
    /// Borne while gravity points down the strut (ALGORITHMS §3.6).
    DownStrut,
    /// Borne while gravity points into the ground (ALGORITHMS §7.10).
    IntoGround,
}

/// The rows by which the explicit solver keeps struts within their travel and holds standing wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct StopSettings {
    /// Whether the rows are those of the last substep (PhysX 5) or of the first (⚑ ALGORITHMS §9 no. 8).
    pub of_last_substep: bool,
    /// Whether a stop pushes along the ground's normal at the tire's point (⚑ PhysX 5, ALGORITHMS §7.12)
    /// or along the strut at the wheel's centre.
    pub along_normal: bool,
    /// Share of a stop's speed of compression that it gives back [−], 0…1.
    pub restitution: f32,
}

/// The settings of the rows solver (docs/ROWS.md §10).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct RowsSettings {
    /// Longest substep [s], 1e-5…1. A step has at most 100 substeps, whatever this says.
    pub max_substep: f32,
    /// Sweeps over all rows per substep, 1…20. Each begins with the last substep's forces, so that
    /// one suffices; wheels that land get one more, tires whose friction falls two.
    pub sweeps: u32,
    /// Stiffness of a tire's carcass, which holds a standing wheel, per rest load [1/m], 10…1e6: 1000
    /// yields a millimetre at full grip.
    pub carcass_stiffness: f32,
    /// Damping of the carcass over its stiffness [s], 0…10.
    pub carcass_damping_time: f32,
    /// How much of a push by the engine is learned from one step [−], 0…1.
    pub observer_gain: f32,
    /// Only a car whose wheels are slower than this learns [m/s], ≥ 0.
    pub observer_speed: f32,
}

impl RowsSettings {
    /// Substeps of at most 1/60 s: one per step at 60 Hz.
    pub const DEFAULT: Self = Self {
        max_substep: 1.0 / 60.0,
        sweeps: 1,
        carcass_stiffness: 1000.0,
        carcass_damping_time: 0.03,
        observer_gain: 0.25,
        observer_speed: 0.3,
    };

    /// Substeps of at most 1/120 s: results of different rates agree about twice as well, at twice
    /// the price.
    pub const FINE: Self = Self {
        max_substep: 1.0 / 120.0,
        ..Self::DEFAULT
    };

    /// Substeps of a step of `dt` [s].
    #[must_use]
    pub fn substeps(&self, dt: f32) -> u32 {
        // A step of exactly n substeps must not become n + 1 by rounding.
        const ROUNDING: f32 = 1e-3;
        let most = Self::MOST_SUBSTEPS as f32;
        libm::ceilf((dt / self.max_substep - ROUNDING).clamp(1.0, most)) as u32
    }

    /// Most substeps of a step.
    pub const MOST_SUBSTEPS: u32 = 100;
}

crate::scaled!(RowsSettings {
    max_substep: same,
    sweeps: same,
    carcass_stiffness: [-1, 0],
    carcass_damping_time: same,
    observer_gain: same,
    observer_speed: [1, 0],
});

impl Default for RowsSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The settings of both solvers, in metres and kilograms; those for a world in other units come from
/// [`Scaled::scaled`](crate::Scaled::scaled) (ALGORITHMS §1.4, §6.5).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Profile {
    /// What advances the vehicle. All but `commands`, `rows`, `tire_moments`, `limit_expansion`,
    /// `overlaps_carry`, `sweeps_lag`, `max_ground_acceleration` and `brakes_wake` are settings of the
    /// explicit solver.
    pub solver: Solver,
    /// The units of everything else of the vehicle: what the solvers' own thresholds follow.
    #[cfg_attr(feature = "serde", serde(default))]
    pub units: UnitScale,
    /// The rows solver's settings.
    pub rows: RowsSettings,
    /// How the result is handed to the engine.
    pub output: OutputMode,
    /// What happens to finite commands outside their range.
    pub commands: RangePolicy,
    /// Slip denominators.
    pub slip: SlipSettings,
    /// Low-speed hold.
    pub sticky: StickySettings,
    /// Rows of stops and holds.
    pub stops: StopSettings,
    /// Along what tires push.
    pub tire_axes: TireAxesRule,
    /// Which point of a wheel slides.
    pub contact_point: ContactPoint,
    /// Which gravity the ground bears without the spring.
    pub gravity_across: GravityAcross,
    /// Whether the moments of tires that have some ([`TireTraits::has_moments`]) act on chassis and spins,
    /// in both solvers. In PhysX they do not: its aligning moment is only reported, about a trail of 1 m.
    ///
    /// [`TireTraits::has_moments`]: crate::contracts::tire::TireTraits::has_moments
    pub tire_moments: bool,
    /// Whether substeps integrate gravity (PhysX 5): the engine's own is then cancelled in the outcome.
    pub integrates_gravity: bool,
    /// Whether the rule of substeps compares the speed with its sign, so that reversing is slow
    /// (⚑ PhysX 5's samples, ALGORITHMS §7.1).
    pub signed_substep_speed: bool,
    /// The same for the blend of displayed spins (⚑ PhysX 5.1, ALGORITHMS §9 no. 42).
    pub signed_blend_speed: bool,
    /// Whether wheels are turned once at the end of a step, to angles within ±2π (PhysX 5), or in every
    /// substep, to angles within ±10π.
    pub turns_once: bool,
    /// Below this speed a free wheel's displayed spin is blended towards rolling [m/s]
    /// (ALGORITHMS §3.12).
    pub blend_speed: f32,
    /// Greatest acceleration that a wheel may give the dynamic body under it [m/s²]; infinite for no
    /// limit. The explicit solver's wheel then carries no more than that, either (ALGORITHMS §3.6).
    #[cfg_attr(feature = "serde", serde(with = "crate::base::infinite"))]
    pub max_ground_acceleration: f32,
    /// Whether only the spring force's component along the contact's normal acts, `true`, or all
    /// of it along that normal, `false` (PhysX's flag "disable suspension-force projection").
    pub project_suspension_force: bool,
    /// Whether a spring may push a wheel out only as fast as its mass allows
    /// (ALGORITHMS §3.5, ROWS §4).
    pub limit_expansion: bool,
    /// What then becomes of a wheel that the ground outruns, in the explicit solver.
    pub expansion: ExpansionRule,
    /// Whether an anti-roll bar may hang on a wheel that is off: as if that drooped to its end, it then
    /// pushes its mate for good, as in PhysX's three-wheelers (⚑ ALGORITHMS §4.9).
    pub bars_outlive_wheels: bool,
    /// Whether a wheel whose sweep starts inside the ground stands on it; in PhysX it stands on
    /// nothing (ALGORITHMS §2.4).
    pub overlaps_carry: bool,
    /// Whether the damper may pull the chassis down when it exceeds the spring (⚑ of PhysX,
    /// ALGORITHMS §9 no. 13).
    pub damper_may_pull: bool,
    /// Whether bound wheels come out with equal spins, whatever their ratios, which only the
    /// equations then know (⚑ of PhysX's tank, ALGORITHMS §9 no. 4).
    pub equal_bound_spins: bool,
    /// Whether swept wheels stand in a step as they were steered in the last one, which is how they looked
    /// for the ground (ALGORITHMS §2.2), or as they are steered now (PhysX 5).
    pub sweeps_lag: bool,
    /// Whether a change of the brakes wakes a sleeping car, so that it rolls when they are released
    /// on a slope; in PhysX it does not (§3.15).
    pub brakes_wake: bool,
}

crate::scaled!(Profile {
    solver: same,
    units: inner,
    rows: inner,
    output: same,
    commands: same,
    slip: inner,
    sticky: inner,
    stops: same,
    tire_axes: same,
    contact_point: same,
    gravity_across: same,
    tire_moments: same,
    integrates_gravity: same,
    signed_substep_speed: same,
    signed_blend_speed: same,
    turns_once: same,
    blend_speed: [1, 0],
    max_ground_acceleration: [1, 0],
    project_suspension_force: same,
    limit_expansion: same,
    equal_bound_spins: same,
    sweeps_lag: same,
    expansion: same,
    bars_outlive_wheels: same,
    overlaps_carry: same,
    damper_may_pull: same,
    brakes_wake: same,
});

impl Profile {
    /// The legacy PhysX vehicle SDK (3.x to 5.1, `PxVehicleDrive4W` and its kin), quirks included.
    pub const PHYSX_4: Self = Self {
        solver: Solver::Explicit,
        units: UnitScale::SI,
        rows: RowsSettings::DEFAULT,
        output: OutputMode::VelocityChange,
        commands: RangePolicy::Refuse,
        slip: SlipSettings {
            passive_denominator: 4.0,
            active_offset: 0.1,
            lateral_offset: 1.0,
            active_counts_spin: true,
            passive_adds: false,
        },
        sticky: StickySettings {
            speed: 0.2,
            forward_time: 1.0,
            side_time: 1.0,
            forward_target: 0.01,
            side_target: 0.1,
            forward_damping: 1000.0,
            side_damping: 1000.0,
            locks_when_braked: false,
            follows_ground: true,
        },
        stops: StopSettings {
            of_last_substep: false,
            along_normal: false,
            restitution: 0.0,
        },
        tire_axes: TireAxesRule::Steered,
        contact_point: ContactPoint::Ground,
        gravity_across: GravityAcross::DownStrut,
        tire_moments: false,
        integrates_gravity: false,
        signed_substep_speed: false,
        signed_blend_speed: false,
        turns_once: false,
        blend_speed: 5.0,
        max_ground_acceleration: f32::INFINITY,
        project_suspension_force: true,
        limit_expansion: false,
        expansion: ExpansionRule::GroundJounce,
        bars_outlive_wheels: true,
        overlaps_carry: false,
        damper_may_pull: true,
        equal_bound_spins: true,
        sweeps_lag: true,
        brakes_wake: false,
    };

    /// The vehicle SDK of PhysX 5 (`vehicle2`), quirks included. Its springs are
    /// [`SpringLaw::Pure`](crate::params::SpringLaw::Pure), its tires Michigan tires whose camber pushes
    /// towards the lean. Forces that a user adds to a vehicle are the engine's affair here: PhysX counts
    /// them in the first substep only (⚑ ALGORITHMS §9 no. 30).
    pub const PHYSX_5: Self = Self {
        slip: SlipSettings {
            active_counts_spin: false,
            passive_adds: true,
            ..Self::PHYSX_4.slip
        },
        sticky: StickySettings {
            forward_target: 0.0,
            side_target: 0.0,
            forward_damping: 1.0,
            side_damping: 0.1,
            locks_when_braked: true,
            follows_ground: false,
            ..Self::PHYSX_4.sticky
        },
        stops: StopSettings {
            of_last_substep: true,
            along_normal: true,
            restitution: 0.0,
        },
        tire_axes: TireAxesRule::Axle,
        contact_point: ContactPoint::WheelEnd,
        gravity_across: GravityAcross::IntoGround,
        integrates_gravity: true,
        signed_substep_speed: true,
        signed_blend_speed: true,
        turns_once: true,
        equal_bound_spins: false,
        expansion: ExpansionRule::OwnJounce,
        sweeps_lag: false,
        overlaps_carry: true,
        ..Self::PHYSX_4
    };

    /// The rows solver. Where a vehicle asks for the explicit one, it comes without PhysX's quirks:
    /// dampers never pull the chassis down, commands are clamped, brakes wake a sleeping car, and
    /// the result is an acceleration: engines spread gravity over substeps of their own, against
    /// which a change of velocity at once would lift the car a little.
    pub const DEFAULT: Self = Self {
        solver: Solver::Rows,
        output: OutputMode::Acceleration,
        commands: RangePolicy::Clamp,
        expansion: ExpansionRule::OwnJounce,
        tire_moments: true,
        bars_outlive_wheels: false,
        overlaps_carry: true,
        max_ground_acceleration: 100.0,
        damper_may_pull: false,
        equal_bound_spins: false,
        brakes_wake: true,
        ..Self::PHYSX_4
    };
}

impl Default for Profile {
    fn default() -> Self {
        Self::DEFAULT
    }
}
