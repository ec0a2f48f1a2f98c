//! PhysX's behavior: the settings of both generations, and quirks that are not settings (docs/ALGORITHMS.md; ⚑
//! are its defects).

use crate::base::checked::Fault;
use crate::contracts::drivetrain::ClutchAccuracy;
use crate::params::contact_policy::ContactPolicy;
use crate::params::profile::{
    ExplicitSettings, Profile, SlipSettings, Solver, StickySettings, StopSettings,
};
use crate::params::retune::ThreeWheeler;
use crate::params::{LoadFilter, SubstepPolicy, SuspensionParams, SweepSettings, VehicleParams};

impl ExplicitSettings {
    /// Settings of the legacy PhysX vehicle SDK, quirks included.
    pub const PHYSX_4: Self = Self {
        accelerates: false,
        preload_follows_gravity: true,
        extends_at_own_speed: false,
        bars_outlive_wheels: true,
        damper_may_pull: true,
        equal_bound_spins: true,
        ..Self::DEFAULT
    };

    /// Settings of the vehicle SDK of PhysX 5, quirks included.
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
        axes_follow_axle: true,
        slips_at_wheel_end: true,
        bears_gravity_into_ground: true,
        integrates_gravity: true,
        signed_substep_speed: true,
        signed_blend_speed: true,
        turns_once: true,
        equal_bound_spins: false,
        sleep_keeps_jounce: true,
        extends_at_own_speed: true,
        ..Self::PHYSX_4
    };
}

impl Profile {
    /// The legacy PhysX vehicle SDK (3.x to 5.1, `PxVehicleDrive4W` and its kin), quirks included.
    pub const PHYSX_4: Self = Self {
        solver: Solver::Explicit(ExplicitSettings::PHYSX_4),
        refuses_out_of_range: true,
        tire_moments: false,
        max_ground_acceleration: f32::INFINITY,
        overlaps_carry: false,
        brakes_wake: false,
        ..Self::DEFAULT
    };

    /// The vehicle SDK of PhysX 5 (`vehicle2`), quirks included. Its springs are
    /// [free at droop](crate::params::SuspensionParams::free_at_droop), its tires Michigan tires whose camber force points
    /// toward the tilt. User forces on a vehicle are left to the engine: PhysX applies them in the first
    /// substep only (⚑ ALGORITHMS §9 no. 30).
    pub const PHYSX_5: Self = Self {
        solver: Solver::Explicit(ExplicitSettings::PHYSX_5),
        sprung_masses_may_differ: true,
        sweeps_lag: false,
        overlaps_carry: true,
        ..Self::PHYSX_4
    };
}

impl SubstepPolicy {
    /// Three below 5 m/s, one above: PhysX's default (ALGORITHMS §1.4).
    pub const PHYSX: Self = Self {
        threshold_speed: 5.0,
        slow: 3,
        fast: 1,
    };
}

impl LoadFilter {
    /// PhysX's default (ALGORITHMS §4.1): a tire in the air has 23 % of its rest load.
    pub const PHYSX: Self = Self {
        min_load: 0.0,
        min_filtered: 0.2308,
        max_load: 3.0,
        max_filtered: 3.0,
    };
}

impl ContactPolicy {
    /// The default angles with PhysX's rules.
    pub const PHYSX: Self = Self {
        leaves_gap: true,
        ..Self::DEFAULT
    };
}

impl SweepSettings {
    /// Settings of PhysX's sample with contact modification: a radius of 1.01 of the wheel's, and a gap between
    /// suspension and rigid contact.
    pub const PHYSX: Self = Self {
        radius_scale: 1.01,
        policy: ContactPolicy::PHYSX,
        ..Self::DEFAULT
    };
}

impl ClutchAccuracy {
    /// PhysX's estimate with this number of sweeps and its solver's tolerance (ALGORITHMS §1.4).
    #[must_use]
    pub const fn physx_estimate(sweeps: u32) -> Self {
        Self::Iterative {
            sweeps,
            tolerance: 1e-10,
        }
    }
}

impl SuspensionParams {
    /// This strut for another sprung mass (`kg`) as PhysX retunes it: unchanged natural frequency and damper (⚑
    /// ALGORITHMS §6.3: the damping ratio changes).
    #[must_use]
    pub fn with_sprung_mass_as_physx(self, sprung_mass: f32) -> Self {
        self.with_spring_for(sprung_mass)
    }
}

impl VehicleParams {
    /// [`make_three_wheeler`](Self::make_three_wheeler) as PhysX does it: springs keep their natural frequency;
    /// dampers, bars, toe and camber are unchanged (⚑ ALGORITHMS §4.9). A profile with
    /// [`bars_outlive_wheels`](ExplicitSettings::bars_outlive_wheels) accepts such a bar.
    ///
    /// # Errors
    /// As [`make_three_wheeler`](Self::make_three_wheeler).
    pub fn make_three_wheeler_as_physx(&mut self, layout: ThreeWheeler) -> Result<(), Fault> {
        self.disable_wheel(layout, SuspensionParams::with_sprung_mass_as_physx)
    }
}
