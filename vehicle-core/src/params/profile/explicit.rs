//! Settings of the explicit solver, including all thresholds and quirks of PhysX.

use crate::base::checked::{Check, Inspector};
use crate::base::words::words;

words!(output: "velocity-change", "acceleration");
words!(tire_axes: "steered", "axle");
words!(contact_point: "ground", "wheel-end");
words!(gravity_across: "down-strut", "into-ground");
words!(expansion: "ground-jounce", "own-jounce");

/// Number of substeps per step of the explicit solver (ALGORITHMS §3.1).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct SubstepPolicy {
    /// Forward speed (`m/s`) that separates slow from fast, ≥ 0.
    pub threshold_speed: f32,
    /// Substeps below it, 1…100.
    pub slow: u32,
    /// Substeps at or above it, 1…100.
    pub fast: u32,
}

impl SubstepPolicy {
    /// One substep at every speed.
    pub const SINGLE: Self = Self {
        threshold_speed: 0.0,
        slow: 1,
        fast: 1,
    };

    /// Number of substeps at a speed (`m/s`).
    #[must_use]
    pub fn count(&self, speed: f32) -> u32 {
        if speed < self.threshold_speed {
            self.slow
        } else {
            self.fast
        }
    }
}

impl Check for SubstepPolicy {
    fn check(&self, i: &mut Inspector) {
        i.not_negative("threshold_speed", self.threshold_speed, "m/s");
        for (name, count) in [("slow", self.slow), ("fast", self.fast)] {
            i.rule(
                (1..=100).contains(&count),
                name,
                count,
                "",
                "must be within 1..=100",
            );
        }
    }
}

/// Denominators of the slips (ALGORITHMS §1.4, §3.7).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct SlipSettings {
    /// Minimum longitudinal denominator of a freely rolling wheel (`m/s`).
    pub passive_denominator: f32,
    /// Added to the longitudinal denominator of a driven or braked wheel (`m/s`).
    pub active_offset: f32,
    /// Added to the lateral denominator (`m/s`).
    pub lateral_offset: f32,
    /// Whether the spin enters a driven or braked wheel's denominator (cars), or only the ground speed (tanks,
    /// and PhysX 5).
    pub active_counts_spin: bool,
    /// Whether the passive denominator is added to the ground speed (PhysX 5, ALGORITHMS §7.11) instead of
    /// being its minimum.
    pub passive_adds: bool,
}

/// Sticky contact of the explicit solver at low speed (ALGORITHMS §3.8).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct StickySettings {
    /// Below this speed a wheel counts as standing (`m/s`).
    pub speed: f32,
    /// Time that a wheel must stand before it sticks longitudinally (`s`).
    pub forward_time: f32,
    /// Time that a wheel must stand before it sticks laterally (`s`).
    pub side_time: f32,
    /// Share of the forward speed that is the row's target (–).
    pub forward_target: f32,
    /// Share of the lateral speed that is the row's target (–).
    pub side_target: f32,
    /// Damping of the forward row (`1/s`).
    pub forward_damping: f32,
    /// Damping of the lateral row (`1/s`).
    pub side_damping: f32,
    /// Whether a wheel at zero spin sticks at once only while braked (PhysX 5) or always.
    pub locks_when_braked: bool,
    /// Whether the target velocity of a sticky row is relative to the ground; in PhysX 5 it is not (⚑ ALGORITHMS §9 no. 32).
    pub follows_ground: bool,
}

/// The rows by which the explicit solver keeps struts within their travel and makes standing wheels stick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct StopSettings {
    /// Whether the rows of stops are those of the last substep (PhysX 5) or of the first (⚑ ALGORITHMS §9 no. 8).
    pub of_last_substep: bool,
    /// Whether a stop acts along the ground's normal at the tire's point (⚑ PhysX 5, ALGORITHMS §7.12) or along
    /// the strut at the wheel's center.
    pub along_normal: bool,
    /// Restitution of a stop (–), 0…1.
    pub restitution: f32,
}

/// The settings of the explicit solver (ALGORITHMS §1.4).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ExplicitSettings {
    /// Whether the engine receives the result of the step as an acceleration over its own step, or as a change of
    /// velocity before it (PhysX's default).
    #[cfg_attr(feature = "serde", serde(rename = "output", with = "output"))]
    pub accelerates: bool,
    /// Slip denominators.
    pub slip: SlipSettings,
    /// Sticky contact at low speed.
    pub sticky: StickySettings,
    /// Rows of stops and sticky contacts.
    pub stops: StopSettings,
    /// Whether tire forces follow the wheel's axle projected to the ground plane, with camber relative to the ground
    /// (ALGORITHMS §7.11), or the vehicle's axes projected there and steered, with camber relative to the chassis,
    /// which tilts nothing (ALGORITHMS §3.7).
    #[cfg_attr(feature = "serde", serde(rename = "tire_axes", with = "tire_axes"))]
    pub axes_follow_axle: bool,
    /// Whether slip is measured at the end of the wheel along its travel (ALGORITHMS §7.11), or where the suspension
    /// meets the ground plane (ALGORITHMS §3.4).
    #[cfg_attr(
        feature = "serde",
        serde(rename = "contact_point", with = "contact_point")
    )]
    pub slips_at_wheel_end: bool,
    /// Whether preloads and rest loads follow the present gravity, and preloads its part along the strut, as in PhysX (ALGORITHMS
    /// §3.6): struts then rest at jounce 0 under any. Otherwise they are those of the
    /// design gravity of the chassis.
    #[cfg_attr(feature = "serde", serde(default = "as_before"))]
    pub preload_follows_gravity: bool,
    /// Whether the ground carries the part of gravity across the strut, without the spring, while gravity points into
    /// the ground (ALGORITHMS §7.10), or while it points down the strut (ALGORITHMS §3.6).
    #[cfg_attr(
        feature = "serde",
        serde(rename = "gravity_across", with = "gravity_across")
    )]
    pub bears_gravity_into_ground: bool,
    /// Whether substeps integrate gravity (PhysX 5): the step result then cancels the engine's gravity.
    pub integrates_gravity: bool,
    /// Whether the substep rule uses the signed speed, so that reversing is slow (⚑ PhysX 5's samples,
    /// ALGORITHMS §7.1).
    pub signed_substep_speed: bool,
    /// Whether the blend of displayed spins uses the signed speed (⚑ PhysX 5.1, ALGORITHMS §9 no. 42).
    pub signed_blend_speed: bool,
    /// Whether wheels rotate once at the end of a step, with angles within ±2π (PhysX 5), or in every substep,
    /// within ±10π.
    pub turns_once: bool,
    /// Below this speed, a free wheel's displayed spin is blended toward rolling (`m/s`) (ALGORITHMS §3.12).
    pub blend_speed: f32,
    /// Whether only the spring force's component along the contact's normal acts (`true`), or all of it along
    /// that normal (`false`; PhysX's flag "disable suspension-force projection").
    pub project_suspension_force: bool,
    /// Whether a wheel whose ground falls away faster than it extends, if expansion is limited, extends as fast as
    /// spring and mass allow (ALGORITHMS §7.9), or carries nothing at the ground's jounce (⚑ ALGORITHMS §3.5).
    #[cfg_attr(feature = "serde", serde(rename = "expansion", with = "expansion"))]
    pub extends_at_own_speed: bool,
    /// Whether an anti-roll bar may be attached to a disabled wheel, which counts as fully drooped: the bar
    /// then pushes the opposite wheel permanently, as in PhysX's three-wheelers (⚑ ALGORITHMS §4.9).
    pub bars_outlive_wheels: bool,
    /// Whether the damper may pull the chassis down when it exceeds the spring (⚑ of PhysX,
    /// ALGORITHMS §9 no. 13).
    pub damper_may_pull: bool,
    /// Whether coupled wheels end with equal spins for any ratios, which only the equations then use (⚑ of
    /// PhysX's tank, ALGORITHMS §9 no. 4).
    pub equal_bound_spins: bool,
    /// Whether struts of a sleeping vehicle keep their jounce and its speed, with which its first step begins (PhysX 5,
    /// ALGORITHMS §7.14); otherwise that step begins with struts at rest.
    #[cfg_attr(feature = "serde", serde(default))]
    pub sleep_keeps_jounce: bool,
}

/// The value for documents without `preload_follows_gravity`.
#[cfg(feature = "serde")]
const fn as_before() -> bool {
    true
}

impl ExplicitSettings {
    /// Settings without PhysX's quirks: dampers never pull the chassis down, bars need both wheels, and the result is an
    /// acceleration: engines spread gravity over their substeps, against which an immediate change of velocity
    /// would lift the car slightly.
    pub const DEFAULT: Self = Self {
        accelerates: true,
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
        axes_follow_axle: false,
        slips_at_wheel_end: false,
        preload_follows_gravity: false,
        bears_gravity_into_ground: false,
        integrates_gravity: false,
        signed_substep_speed: false,
        signed_blend_speed: false,
        turns_once: false,
        blend_speed: 5.0,
        project_suspension_force: true,
        extends_at_own_speed: true,
        bars_outlive_wheels: false,
        damper_may_pull: false,
        equal_bound_spins: false,
        sleep_keeps_jounce: false,
    };
}

impl Default for ExplicitSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Check for ExplicitSettings {
    fn check(&self, i: &mut Inspector) {
        i.within("slip", |i| {
            i.positive("passive_denominator", self.slip.passive_denominator, "m/s");
            i.positive("active_offset", self.slip.active_offset, "m/s");
            i.positive("lateral_offset", self.slip.lateral_offset, "m/s");
        });
        i.within("sticky", |i| {
            let s = &self.sticky;
            i.not_negative("speed", s.speed, "m/s");
            i.not_negative("forward_time", s.forward_time, "s");
            i.not_negative("side_time", s.side_time, "s");
            i.finite("forward_target", s.forward_target, "");
            i.finite("side_target", s.side_target, "");
            i.not_negative("forward_damping", s.forward_damping, "1/s");
            i.not_negative("side_damping", s.side_damping, "1/s");
        });
        let restitution = self.stops.restitution;
        i.within_range("stops.restitution", restitution, 0.0, 1.0, "");
        i.positive("blend_speed", self.blend_speed, "m/s");
    }
}
