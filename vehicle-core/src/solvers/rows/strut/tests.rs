//! Struts against their laws in f64: midpoint springs, dampers by the mean or final speed, bump stops engaged
//! at the start or reached within, landing and lift-off.

mod bounce;
mod dampers;
mod extension;

use super::*;
use crate::base::lanes::V3x4;
use crate::base::velocity::Velocity;
use crate::exchange::state::WheelState;
use crate::solvers::rows::contact_space::Jacobian;
use crate::stages::model::VehicleModel;
use crate::stages::suspension::ContactDepth;
use crate::{Checked, VehicleParams, testing};
use glam::{Mat3, Vec3};
use proptest::prelude::*;
use rstest::rstest;

const H: f32 = 1.0 / 60.0;

fn consts(change: impl FnOnce(&mut VehicleParams)) -> WheelConsts {
    let mut params = testing::four_wheeler();
    change(&mut params);
    let params = Checked::new(params).unwrap();
    let model = VehicleModel::new(params, &testing::tires(), testing::no_drive()).unwrap();
    *model.wheels().first()
}

/// Four equal wheels with this incidence and jounce.
fn contact_depth(jounce: f32, incidence: f32) -> ContactDepth {
    ContactDepth {
        reaches: Mask4::ALL,
        along: W4::splat(-incidence),
        jounce: W4::splat(jounce),
        ..ContactDepth::default()
    }
}

/// Contact of wheel 0; `away` is the speed along the normal without gravity.
fn meet(jounce: f32, incidence: f32, away: f32, h: f32) -> Compression {
    let k = testing::wheel_consts();
    let away = W4::splat(away);
    Compression::new(
        Extension::full(&k),
        -k.max_droop,
        &contact_depth(jounce, incidence),
        away,
        away,
        h,
    )
}

/// A ray bears more and more of its wheel's force beyond the bound of the incidence, and all of it from 30° on.
#[rstest]
#[case::beyond(0.25, 0.0)]
#[case::grazing(0.251, 0.004)]
#[case::half(0.375, 0.5)]
#[case::almost(0.499, 0.996)]
#[case::steep(0.5, 1.0)]
#[case::upright(1.0, 1.0)]
fn a_grazing_ray_bears_little(#[case] incidence: f32, #[case] share: f32) {
    let at = meet(0.02, incidence, 0.0, H);
    let forces = StrutForces {
        springs: Springs {
            preload: W4::splat(2000.0),
            stiffness: W4::splat(20_000.0),
        },
        twist: W4::ZERO,
    };
    let k = testing::wheel_consts();
    // A chassis that does not move.
    let rows = StrutRows::new(&k, W4::ZERO, &at, &forces, W4::splat(1e-9));
    let borne = rows.free.impulse(W4::ZERO).lane(0) * incidence / (2400.0 * H);
    let expected = if at.touching.lane(0) { share } else { 0.0 };
    assert!(
        (borne * f32::from(u8::from(at.touching.lane(0))) - expected).abs() < 1e-3,
        "{borne}"
    );
}

// The sample car droops by 0.1 m.
#[rstest]
#[case::pressed(0.05, 1.0, 0.3, Some((0.05, H)))]
#[case::far_above(-0.5, 1.0, -2.0, None)]
#[case::just_not_landing(-0.1334, 1.0, -2.0, None)]
#[case::landing_halfway(-0.1 - H, 1.0, -2.0, Some((-0.1, 0.5 * H)))]
#[case::landing_obliquely(-0.1 - H, 0.5, -1.0, Some((-0.1, 0.5 * H)))]
#[case::landing_at_once(-0.1, 1.0, -2.0, Some((-0.1, H)))]
#[case::lying_on_droop(-0.1, 1.0, 0.0, None)]
#[case::leaving(-0.09, 1.0, 2.4, Some((-0.09, 0.25 * H)))]
#[case::not_leaving_yet(-0.09, 1.0, 0.59, Some((-0.09, H)))]
#[case::leaving_at_once(-0.099_999, 1.0, 2.4, Some((-0.099_999, 1e-3 * H)))]
#[case::lying_down(0.05, 0.25, -2.0, None)]
#[case::inclined_far(0.05, 0.26, 0.0, Some((0.05, H)))]
fn contact_duration_of_landing_and_leaving_wheels(
    #[case] jounce: f32,
    #[case] incidence: f32,
    #[case] away: f32,
    #[case] touch: Option<(f32, f32)>,
) {
    let at = meet(jounce, incidence, away, H);
    assert_eq!(at.touching.lane(2), touch.is_some());
    let (expected, duration) = touch.unwrap_or((-0.1, H));
    assert!((at.jounce.lane(2) - expected).abs() < 1e-6, "{at:?}");
    assert!((at.duration.lane(2) - duration).abs() < 2e-4 * H, "{at:?}");
    let middle = match touch {
        Some(_) => expected - 0.5 * duration * away / incidence,
        None => expected,
    };
    // The minimum duration only avoids a division by zero: it does not affect the middle.
    let bound = 1e-6 + 0.5e-3 * H * (away / incidence).abs();
    assert!((at.middle.lane(2) - middle).abs() < bound, "{at:?}");
}

#[rstest]
#[case::stands_until_the_end(-0.05, 0.0, 0.25, Some(0.25))]
#[case::stands_on_ground_that_lasts(-0.05, 0.0, 1.5, Some(1.0))]
#[case::leaves_before_the_end(-0.09, 2.4, 0.5, Some(0.25))]
#[case::lands_before_the_end(-0.11, -0.9, 0.9, Some(0.23))]
#[case::would_land_after_the_end(-0.11, -0.9, 0.6, None)]
fn contacts_end_with_the_ground(
    #[case] jounce: f32,
    #[case] away: f32,
    #[case] after: f32,
    #[case] lasts: Option<f32>,
) {
    let mut at = meet(jounce, 1.0, away, H);
    at.end_after(W4::splat(after * H), &contact_depth(jounce, 1.0), H);
    assert_eq!(at.touching.lane(2), lasts.is_some());
    if let Some(lasts) = lasts {
        assert!((at.duration.lane(2) / H - lasts).abs() < 0.01, "{at:?}");
    } else {
        assert_eq!(at.jounce.lane(2), at.free.jounce.lane(2));
    }
}

#[test]
fn landing_uses_half_of_gravitys_speed_change() {
    let k = testing::wheel_consts();
    // From rest, it falls ½·9.81·h² = 1.4 mm.
    let unconstrained = W4::splat(-9.81 * H);
    for (gap, lands) in [(1.3e-3, true), (1.45e-3, false)] {
        let at = Compression::new(
            Extension::full(&k),
            -k.max_droop,
            &contact_depth(-0.1 - gap, 1.0),
            W4::ZERO,
            unconstrained,
            H,
        );
        assert_eq!(at.touching.any(), lands, "{gap}");
    }
}

#[test]
fn a_disabled_wheel_touches_nothing() {
    let actual = ContactDepth {
        reaches: Mask4::from_array([true, false, true, true]),
        ..contact_depth(0.1, 1.0)
    };
    let k = testing::wheel_consts();
    let at = Compression::new(
        Extension::full(&k),
        -k.max_droop,
        &actual,
        W4::ZERO,
        W4::ZERO,
        H,
    );
    assert_eq!(
        at.touching,
        Mask4::from_array([true, false, true, true]),
        "{at:?}"
    );
    assert_eq!(at.jounce.lane(1), -0.1);
}

/// Linear springs that carry the sample car.
fn springs(k: &WheelConsts) -> Springs {
    Springs {
        preload: k.sprung_mass * W4::splat(9.81),
        stiffness: k.stiffness,
    }
}

proptest! {
    /// A bar that pulls more than spring and stop push lifts the wheel to their equilibrium.
    #[test]
    fn a_lifted_wheel_balances_spring_stop_and_bar(
        jounce in -0.1f32..0.4, twist in -100_000f32..5000.0,
    ) {
        let k = testing::wheel_consts();
        let at = meet(jounce, 1.0, 0.0, H);
        let springs = springs(&k);
        let free = at.free_jounce(&k, springs, W4::splat(twist)).lane(0);
        // The opposite wheel of the bar is fixed.
        let force = |j: f32| {
            let bar = twist + k.bar_stiffness.lane(0) * (j - jounce);
            let stop = k.bump_stop.lane(0) * (j - k.max_compression.lane(0)).max(0.0);
            springs.preload.lane(0) + k.stiffness.lane(0) * j + bar + stop
        };
        if force(jounce) >= 0.0 {
            prop_assert_eq!(free, jounce);
        } else {
            prop_assert!(free > jounce);
            // Rounding of terms of 1e5 N, and of the position in a stiff stop.
            prop_assert!(force(free).abs() < 0.2, "{}", force(free));
        }
    }
}

/// One strut of wheel 0 on a mass of 400 kg.
#[derive(Clone, Copy, Debug)]
struct Strut {
    k: WheelConsts,
    mass: f32,
    /// At the start of the substep: jounce (`m`), speed away from the ground (`m/s`),
    jounce: f32,
    away: f32,
    /// and that at its end without the strut.
    without: f32,
    incidence: f32,
    twist: f32,
    h: f32,
}

impl Strut {
    fn solve(&self) -> (Compression, f32, f32) {
        let actual = ContactDepth {
            reaches: Mask4::from_array([true, false, false, false]),
            ..contact_depth(self.jounce, self.incidence)
        };
        let (away, unconstrained) = (W4::splat(self.away), W4::splat(self.without));
        let at = Compression::new(
            Extension::full(&self.k),
            -self.k.max_droop,
            &actual,
            away,
            unconstrained,
            self.h,
        );
        let forces = StrutForces {
            springs: springs(&self.k),
            twist: W4::splat(self.twist),
        };
        let rows = self.swept(&at, &forces, self.without);
        (at, rows.impulses[0].lane(0), rows.speeds[0].lane(0))
    }

    /// Rows of the strut after a sweep from this normal speed `without` them (`m/s`).
    fn swept(&self, at: &Compression, forces: &StrutForces, without: f32) -> RowBlock<1> {
        let mut rows = RowBlock::<1>::default();
        let up = Jacobian::new(V3x4::splat(Vec3::Z), V3x4::ZERO, &Mat3::ZERO);
        rows.jacobian = [up];
        rows.prepare([W4::ZERO], [W4::ZERO], 1.0 / self.mass);
        let velocity = Velocity {
            linear: Vec3::Z * without,
            angular: Vec3::ZERO,
        };
        rows.read_velocity(&velocity.in_lanes());
        let own = rows.inverse_effective_mass(0);
        StrutRows::new(&self.k, self.k.damper, at, forces, own).sweep(
            &mut rows,
            (&self.k, at),
            &self.k.axles,
        );
        rows
    }

    /// Normal speed after the rows (`m/s`).
    fn end_at(&self, at: &Compression, forces: &StrutForces, without: f32) -> f32 {
        self.swept(at, forces, without).speeds[0].lane(0)
    }

    /// The strut's impulse by its laws in f64, for a final normal speed `end` (`m/s`).
    fn law(&self, at: &Compression, end: f64) -> f64 {
        let of = |w: W4| f64::from(w.lane(0));
        let (k, d) = (&self.k, of(at.duration));
        let (before, after) = (of(at.speed), -end / of(at.incidence));
        let (start, displacement) = (of(at.jounce), 0.5 * d * (before + after));
        // Where the ray grazes the ground, the strut bears less.
        let share = (4.0 * (of(at.incidence) - 0.25)).clamp(0.0, 1.0);
        // Springs act by the jounce in the middle; stiff ones by that at the end; rigid ones by the final speed.
        let reached = |stiffness: f64| {
            let ratio = share * stiffness / f64::from(self.mass) * (d / of(at.incidence)).powi(2);
            match ratio {
                100.0.. => d * after,
                2.5.. => displacement,
                _ => 0.5 * displacement,
            }
        };
        let moved = reached(of(k.stiffness) + of(k.bar_stiffness));
        let spring = of(k.sprung_mass) * 9.81 + of(k.stiffness) * (start + moved);
        let bar = f64::from(self.twist) + of(k.bar_stiffness) * (moved - 0.5 * d * before);
        let strong =
            share * of(k.damper) / f64::from(self.mass) * d / of(at.incidence).powi(2) >= 1.0;
        let damped = of(k.damper)
            * if strong {
                after
            } else {
                0.5 * (before + after)
            };
        let over = start - of(k.max_compression);
        let stop = if over >= 0.0 {
            over + reached(of(k.bump_stop))
        } else {
            // Half of its final deflection, for the part of the travel beyond the stop.
            let foreseen = (over + before * d).max(0.0);
            0.5 * foreseen / (foreseen - over) * (over + displacement)
        };
        let force = spring + bar + damped + of(k.bump_stop) * stop.max(0.0);
        let pushed = (share * force * d / of(at.incidence)).max(0.0);
        // A falling wheel is stopped where its spring ends.
        let beyond = (f64::from(self.jounce) + of(k.max_droop)).max(0.0);
        let release = of(at.incidence) * beyond / f64::from(self.h);
        let to_release = f64::from(self.mass) * (release - f64::from(self.without));
        if self.without < 0.0 {
            pushed.min(to_release)
        } else {
            pushed
        }
    }

    /// Checks the impulse against the law and returns it.
    fn check(&self) -> f32 {
        let (at, impulse, end) = self.solve();
        if !at.touching.lane(0) {
            assert_eq!(impulse, 0.0);
            return 0.0;
        }
        assert!(impulse >= 0.0 && impulse.is_finite());
        let gained = f64::from(end) - f64::from(self.without);
        let expected = self.law(&at, f64::from(end));
        // The law is as steep as mass/(own response) at most: what rounding of the end speed and of
        // forces of stop and spring makes of it.
        let steep = 1.0 + self.steepness(&at);
        let rounding =
            1e-6 * steep * (self.mass * (1.0 + end.abs() + self.without.abs()) + impulse);
        assert!(
            (f64::from(impulse) - expected).abs() < f64::from(rounding),
            "{impulse} {expected} ±{rounding} {self:?}"
        );
        assert!((gained * f64::from(self.mass) - f64::from(impulse)).abs() < f64::from(rounding));
        impulse
    }

    /// Impulse per speed at the end, over the mass.
    fn steepness(&self, at: &Compression) -> f32 {
        let of = |w: W4| w.lane(0);
        let (k, d) = (&self.k, of(at.duration));
        let damping = of(k.damper) + (of(k.stiffness) + of(k.bar_stiffness) + of(k.bump_stop)) * d;
        damping * d / (of(at.incidence) * of(at.incidence) * self.mass)
    }
}

const STRUT: fn() -> Strut = || Strut {
    k: testing::wheel_consts(),
    mass: 400.0,
    jounce: 0.0,
    away: 0.0,
    without: -9.81 * H,
    incidence: 1.0,
    twist: 0.0,
    h: H,
};

// Impulses calculated by hand, from the formula of their branch with the damper's mean speed.
#[rstest]
#[case::free(0.02, -1.0, 1.0, 0.0)]
#[case::rebound(0.1, 1.5, 1.0, 0.0)]
#[case::oblique(0.02, -0.5, 0.7, 0.0)]
#[case::with_bar(0.02, -1.0, 1.0, 800.0)]
#[case::beyond_the_stop(0.32, -1.0, 1.0, 0.0)]
#[case::at_the_stop(0.3, -1.0, 1.0, 0.0)]
#[case::out_of_the_stop(0.301, 2.0, 1.0, 0.0)]
#[case::stop_within(0.29, -2.0, 1.0, 0.0)]
#[case::stop_just_within(0.29, -0.61, 1.0, 0.0)]
#[case::stop_obliquely_within(0.29, -2.0, 0.7, 0.0)]
#[case::landing(-0.12, -3.0, 1.0, 0.0)]
#[case::hard_landing(-0.12, -30.0, 1.0, 0.0)]
#[case::leaving(-0.09, 3.0, 1.0, 0.0)]
#[case::in_the_air(-0.12, 3.0, 1.0, 0.0)]
#[case::at_its_end(-0.1, 0.0, 1.0, 0.0)]
fn impulses_follow_the_law_by_hand(
    #[case] jounce: f32,
    #[case] away: f32,
    #[case] incidence: f32,
    #[case] twist: f32,
) {
    let strut = Strut {
        jounce,
        away,
        incidence,
        twist,
        without: away - 9.81 * H,
        ..STRUT()
    };
    strut.check();
    for damping in [0.0, 400.0 / H, 1e6] {
        let mut other = strut;
        other.k.damper = W4::splat(damping);
        other.check();
    }
}

/// A mass that rests on a spring which could push harder than its weight: at its end, it comes to rest there.
#[rstest]
#[case::a_sixth(0.16)]
#[case::a_tenth(0.1)]
fn a_spring_at_its_end_holds_what_is_lighter_than_its_force(#[case] weight: f32) {
    let mut strut = Strut {
        jounce: -0.098,
        ..STRUT()
    };
    let droop = strut.k.max_droop.lane(0);
    let push = strut.k.sprung_mass.lane(0) * 9.81 - strut.k.stiffness.lane(0) * droop;
    assert!(push > weight * strut.mass * 9.81, "{push}");
    for _ in 0..200 {
        strut.without = strut.away - weight * 9.81 * H;
        let end = strut.solve().2;
        strut.jounce -= 0.5 * H * (strut.away + end);
        strut.away = end;
    }
    // What it would fall within a substep.
    let fall = 0.5 * weight * 9.81 * H * H;
    assert!((strut.jounce + droop).abs() < fall, "{}", strut.jounce);
    assert!(strut.away.abs() < 1e-4, "{}", strut.away);
}

#[test]
fn a_standing_strut_carries_its_static_load() {
    let (_, impulse, end) = Strut {
        mass: 437.5,
        ..STRUT()
    }
    .solve();
    assert!((impulse / H - 437.5 * 9.81).abs() < 0.01, "{impulse}");
    assert!(end.abs() < 1e-5, "{end}");
}

#[test]
fn an_undamped_strut_matches_a_hand_calculation() {
    // Without gravity and damper: p = h(P + k(j − h·v̄/2)), v̄ = v + p/2m.
    let mut strut = Strut {
        jounce: 0.05,
        away: -1.0,
        without: -1.0,
        ..STRUT()
    };
    strut.k.damper = W4::ZERO;
    strut.k.bar_stiffness = W4::ZERO;
    let (p, k, m, h) = (437.5 * 9.81, 35_000.0, 400.0, H);
    let expected = h * (p + k * (0.05 + 0.5 * h)) / (1.0 + 0.25 * h * h * k / m);
    let (_, impulse, _) = strut.solve();
    assert!((impulse - expected).abs() < 1e-4 * expected, "{impulse}");
    // 0.02 m beyond the stop adds its 350 kN/m.
    strut.jounce = 0.32;
    let (both, over) = (k + 350_000.0, 0.02 + 0.5 * h);
    let force = p + k * (0.32 + 0.5 * h) + 350_000.0 * over;
    let expected = h * force / (1.0 + 0.25 * h * h * both / m);
    let (_, impulse, _) = strut.solve();
    assert!((impulse - expected).abs() < 1e-4 * expected, "{impulse}");
}

#[test]
fn a_strut_never_pulls() {
    let mut strut = Strut {
        away: 30.0,
        without: 30.0,
        jounce: 0.2,
        h: 1e-3,
        ..STRUT()
    };
    assert_eq!(strut.check(), 0.0);
    strut.twist = -1e6;
    strut.away = 0.0;
    strut.without = 0.0;
    assert_eq!(strut.check(), 0.0);
}

#[test]
fn a_strong_damper_does_not_overshoot() {
    for damper in [1e5, 1e7, 1e9] {
        let mut strut = Strut {
            away: -2.0,
            without: -2.0,
            ..STRUT()
        };
        strut.k.damper = W4::splat(damper);
        let (_, _, end) = strut.solve();
        // The springs alone give about h·P/m = 0.18 m/s.
        assert!(end > -2.0 && end < 0.5, "{damper} {end}");
    }
}

proptest! {
    #[test]
    fn any_impulse_is_what_the_law_says(
        jounce in -0.3f32..0.5, away in -20f32..20.0, pull in -10f32..10.0,
        incidence in 0.26f32..1.0, twist in -5000f32..5000.0, mass in 50f32..5000.0,
        damper in prop_oneof![Just(0.0f32), 0f32..20_000.0],
        stop in 1e4f32..2e6, h in prop_oneof![1f32/480.0..1.0/15.0, Just(1e-4)],
    ) {
        let mut strut = Strut {
            jounce, away, without: away + pull * h, incidence, twist, mass, h, ..STRUT()
        };
        strut.k.damper = W4::splat(damper);
        strut.k.bump_stop = W4::splat(stop);
        strut.check();
    }

    /// Wheels on one chassis, with any number of sweeps: no impulse pulls, none overflows.
    #[test]
    fn impulses_of_coupled_struts_are_finite_and_never_pull(
        jounce in prop::array::uniform4(-0.3f32..1.0),
        incidence in prop::array::uniform4(-1f32..1.0),
        vz in -60f32..60.0, wx in -10f32..10.0, wy in -10f32..10.0,
        sweeps in 1usize..6, h in 1e-4f32..0.1,
    ) {
        let k = testing::wheel_consts();
        let actual = ContactDepth {
            reaches: Mask4::from_array(incidence.map(|i| i > 0.0)),
            along: -W4::from_array(incidence),
            jounce: W4::from_array(jounce),
            ..ContactDepth::default()
        };
        let inertia = Mat3::from_diagonal(Vec3::new(1.0 / 1281.0, 1.0 / 3625.0, 1.0 / 3125.0));
        let up = Jacobian::new(V3x4::splat(Vec3::Z), k.center, &inertia);
        let velocity = Velocity {
            linear: Vec3::Z * vz,
            angular: Vec3::new(wx, wy, 0.0),
        };
        let mut rows = RowBlock::<1>::default();
        rows.jacobian = [up];
        rows.prepare([W4::ZERO], [W4::ZERO], 1.0 / 1500.0);
        rows.read_velocity(&velocity.in_lanes());
        let away = rows.speeds_of(0);
        let at = Compression::new(Extension::full(&k), -k.max_droop, &actual, away, away - W4::splat(9.81 * h), h);
        let forces = StrutForces {
            springs: springs(&k),
            twist: W4::ZERO,
        };
        let struts = StrutRows::new(&k, k.damper, &at, &forces, rows.inverse_effective_mass(0));
        for _ in 0..sweeps {
            struts.sweep(&mut rows, (&k, &at), &k.axles);
        }
        let mut velocity = velocity.in_lanes();
        rows.apply_impulses(&mut velocity, k.axles.pairs);
        prop_assert!(velocity.truncated().is_finite());
        for (lane, impulse) in rows.impulses[0].to_array().into_iter().enumerate() {
            prop_assert!(impulse >= 0.0 && impulse.is_finite());
            prop_assert!(impulse == 0.0 || at.touching.lane(lane));
        }
    }
}
