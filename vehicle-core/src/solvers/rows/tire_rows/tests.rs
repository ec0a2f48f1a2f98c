//! Tread rows between their two limits, static friction and the law; for laws of every model.

mod moments;
mod properties;

use super::*;
use crate::contracts::tire::{TireForces, TireInput, TireProperties, TireTraits};
use crate::contracts::tire_model::TireModel;
use crate::stages::model::VehicleModel;
use crate::{Checked, Profile, VehicleParams, testing};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};
use proptest::prelude::*;
use rstest::rstest;

const SETTINGS: RowsSettings = RowsSettings::DEFAULT;
const REST: f32 = 4000.0;
const H: f32 = 1.0 / 60.0;

/// A law for tests that counts its evaluations.
#[derive(Debug)]
struct Counted {
    law: fn(&TireInput) -> [f32; 2],
    traits: TireTraits,
    calls: AtomicU32,
    /// Relaxation lengths (`m`); slip stiffnesses are those of [`plain`].
    relaxation: [f32; 2],
}

impl TireModel for Counted {
    fn forces(&self, input: &TireInput) -> TireForces {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let [longitudinal, lateral] = (self.law)(input);
        TireForces {
            longitudinal,
            lateral,
            ..TireForces::default()
        }
    }

    fn traits(&self) -> TireTraits {
        self.traits
    }

    fn properties(&self, input: &TireInput) -> TireProperties {
        TireProperties {
            slip_stiffness: [10.0 * input.load, 8.0 * input.load],
            relaxation_length: self.relaxation,
            ..TireProperties::plain(input)
        }
    }
}

/// 10 and 8 loads per unit of slip, up to the friction.
fn plain(i: &TireInput) -> [f32; 2] {
    let most = i.friction * i.load;
    let of = |force: f32| force.clamp(-most, most);
    [
        of(10.0 * i.load * i.slip_ratio),
        of(-8.0 * i.load * i.tan_slip_angle),
    ]
}

/// Forces with camber thrust, and with ply steer forward for good measure.
fn cambered(i: &TireInput) -> [f32; 2] {
    let [longitudinal, lateral] = plain(i);
    [
        longitudinal + 0.01 * i.load,
        lateral - 0.8 * i.load * i.camber,
    ]
}

/// Rises, falls, and turns against its slip beyond 2.
fn treacherous(i: &TireInput) -> [f32; 2] {
    let of = |slip: f32| 5.0 * i.load * slip * (1.0 - 0.25 * slip * slip);
    [of(i.slip_ratio), -of(i.tan_slip_angle)]
}

/// A group of wheels with one law.
struct Tires {
    model: Arc<Counted>,
    consts: WheelConsts,
    uses: [TireUse; 1],
}

impl Tires {
    fn new(law: fn(&TireInput) -> [f32; 2], traits: TireTraits) -> Self {
        Self::relaxing(law, traits, [0.0; 2])
    }

    fn relaxing(law: fn(&TireInput) -> [f32; 2], traits: TireTraits, relaxation: [f32; 2]) -> Self {
        let model = Arc::new(Counted {
            law,
            traits,
            calls: AtomicU32::new(0),
            relaxation,
        });
        let params = Checked::new(testing::four_wheeler()).unwrap();
        let models: [Arc<dyn TireModel>; 1] = [Arc::clone(&model) as _];
        let vehicle = VehicleModel::new(params, &models, testing::no_drive()).unwrap();
        let wheels = Mask4::ALL;
        Self {
            consts: *vehicle.wheels().first(),
            uses: [TireUse {
                model: Arc::clone(&model) as _,
                wheels,
            }],
            model,
        }
    }

    fn evaluate(&self, motion: &ContactMotion, camber: f32, loaded: Mask4) -> TireLinearization {
        let input = TireQuery {
            settings: &SETTINGS,
            consts: &self.consts,
            tires: &self.uses,
            ground_friction: W4::ONE,
            stiffness: W4::ONE,
            loaded,
        };
        let mut law = TireLinearization::default();
        law.evaluate(&input, motion, &stand(camber));
        law
    }
}

fn stand(camber: f32) -> TireOperatingPoint {
    TireOperatingPoint {
        load: W4::splat(REST),
        rest_load: W4::splat(REST),
        camber: W4::splat(camber),
        ..TireOperatingPoint::default()
    }
}

fn offsets() -> TireTraits {
    TireTraits {
        has_offsets: true,
        ..TireTraits::PLAIN
    }
}

fn motion(forward: f32, left: f32, rim: f32) -> ContactMotion {
    ContactMotion {
        forward: W4::splat(forward),
        left: W4::splat(left),
        rim: W4::splat(rim),
    }
}

#[rstest]
#[case::rolling(10.0, 1.0, 10.0, 0.0, 0.1)]
#[case::locked(10.0, 0.0, 0.0, -1.0, 0.0)]
#[case::spinning(5.0, 1.0, 10.0, 0.5, 0.1)]
#[case::backwards(-10.0, 1.0, -8.0, 0.2, 0.1)]
#[case::crawling(0.01, 0.005, 0.02, 0.2, 0.1)]
#[case::standing(0.0, 0.0, 0.0, 0.0, 0.0)]
fn slips_are_over_the_faster_of_ground_and_rim(
    #[case] forward: f32,
    #[case] left: f32,
    #[case] rim: f32,
    #[case] kappa: f32,
    #[case] tangent: f32,
) {
    let (ratio, angle) = motion(forward, left, rim).slips();
    assert!((ratio.lane(1) - kappa).abs() < 1e-6, "{ratio:?}");
    assert!((angle.lane(1) - tangent).abs() < 1e-6, "{angle:?}");
}

#[rstest]
#[case::slower_before([0.5, 0.1, 0.2], [0.01, 0.0], [0.01, 0.0])]
#[case::faster_before([0.5, 0.1, 0.2], [0.6, 0.0], [0.5, 0.1])]
#[case::at_speed([1.5, 0.1, 1.5], [0.01, 0.0], [1.5, 0.1])]
#[case::spinning([0.1, 0.1, 1.5], [0.01, 0.0], [0.1, 0.1])]
fn the_slower_motion_is_used_below_1_m_s(
    #[case] now: [f32; 3],
    #[case] before: [f32; 2],
    #[case] expected: [f32; 2],
) {
    let present = motion(now[0], now[1], now[2]);
    let seen = present.or_slower(&motion(before[0], before[1], 7.0));
    assert_eq!(seen, motion(expected[0], expected[1], now[2]));
}

#[rstest]
#[case::plain(TireTraits::PLAIN, 1)]
#[case::falling(TireTraits { friction_falls: true, ..TireTraits::PLAIN }, 1)]
#[case::with_offsets(offsets(), 2)]
#[case::unknown(TireTraits::UNKNOWN, 2)]
fn a_law_is_evaluated_only_as_needed(#[case] traits: TireTraits, #[case] times: u32) {
    let tires = Tires::new(plain, traits);
    tires.evaluate(&motion(10.0, 0.2, 10.1), 0.0, Mask4::ALL);
    assert_eq!(tires.model.calls.swap(0, Ordering::Relaxed), 4 * times);
    // The law is not evaluated for a wheel without load.
    let loaded = Mask4::from_array([true, false, true, false]);
    let law = tires.evaluate(&motion(10.0, 0.2, 10.1), 0.0, loaded);
    assert_eq!(tires.model.calls.load(Ordering::Relaxed), 2 * times);
    assert_eq!(law.forces.longitudinal.lane(1), 0.0);
    assert_eq!(law.slip_ratio.lane(3), 0.0);
    assert_eq!(law.friction.lane(1), 0.0);
}

proptest! {
    /// A tire at a standstill is a spring and its damper, K·(u + h·s) + K·τ·s, whatever the law.
    #[test]
    fn a_standing_tire_is_a_spring_and_damper(
        u in -2e-3f32..2e-3, slip in -0.05f32..0.05, h in 1f32/500.0..1.0/20.0, camber in -0.3f32..0.3,
    ) {
        let tires = Tires::new(cambered, offsets());
        let law = tires.evaluate(&motion(0.0, 0.0, 0.0), camber, Mask4::ALL);
        let deflections = [W4::splat(u), W4::splat(-0.5 * u)];
        let rows = rows(&law, W4::ZERO, deflections, h);
        let stiffness = REST * SETTINGS.carcass_stiffness;
        let time = SETTINGS.carcass_damping_time;
        for (row, u) in rows.iter().zip([u, -0.5 * u]) {
            let force = row.force.lane(2) + row.gain.lane(2) * slip;
            let expected = stiffness * (u + h * slip + time * slip);
            // A few roundings of terms of up to 12 kN.
            prop_assert!((force - expected).abs() < 0.01, "{force} {expected}");
        }
    }

    /// At constant slip, a carcass with the law's force keeps force and deflection, offsets included, at any speed
    /// and step.
    #[test]
    fn at_constant_slip_a_tire_follows_its_law(
        speed in 0.2f32..80.0, kappa in -0.9f32..0.9, tangent in -0.8f32..0.8,
        camber in -0.3f32..0.3, h in 1f32/500.0..1.0/20.0,
    ) {
        // Of κ and the larger of both speeds follow both.
        let (forward, rim) = if kappa > 0.0 {
            (speed * (1.0 - kappa), speed)
        } else {
            (speed, speed * (1.0 + kappa))
        };
        prop_assume!(kappa.abs() > 2.0 * LEAST_SLIP && tangent.abs() > 2.0 * LEAST_SLIP);
        let tires = Tires::new(cambered, offsets());
        let motion = motion(forward, speed * tangent, rim);
        let law = tires.evaluate(&motion, camber, Mask4::ALL);
        let said = [law.forces.longitudinal.lane(0), law.forces.lateral.lane(0)];
        let stiffness = REST * SETTINGS.carcass_stiffness;
        let deflections = said.map(|force| W4::splat(force / stiffness));
        let rows = rows(&law, motion.speed(), deflections, h);
        for (n, slip) in [rim - forward, -speed * tangent].into_iter().enumerate() {
            let force = rows[n].force.lane(0) + rows[n].gain.lane(0) * slip;
            // Offset and odd part come from forces of up to 5 kN, the slip from two speeds.
            prop_assert!((force - said[n]).abs() < 0.05, "{n} {force} {}", said[n]);
            let end = deflected(&law.carcass, deflections, [W4::splat(force); 2], h)[n];
            prop_assert!((end.lane(0) - deflections[n].lane(0)).abs() < 2e-8);
        }
    }

    /// Forces build up over the provided relaxation lengths, at any speed.
    #[test]
    fn rows_relax_over_the_provided_length(
        lengths in prop::array::uniform2(0.2f32..1.0), speed in 1f32..40.0, tangent in 0.01f32..0.05,
    ) {
        let traits = TireTraits { has_properties: true, ..TireTraits::PLAIN };
        let tires = Tires::relaxing(plain, traits, lengths);
        let motion = motion(speed, speed * tangent, speed * 0.97);
        let law = tires.evaluate(&motion, 0.0, Mask4::ALL);
        for (n, slip) in [-0.03, -tangent].into_iter().enumerate() {
            // Steps of a hundredth of the length.
            let h = 0.01 * lengths[n] / speed;
            let mut deflections = [W4::ZERO; 2];
            let mut reached = Vec::new();
            for _ in 0..1000 {
                let rows = rows(&law, motion.speed(), deflections, h);
                let forces = rows.map(|row| row.force + row.gain * W4::splat(slip * speed));
                deflections = deflected(&law.carcass, deflections, forces, h);
                reached.push(forces[n].lane(0));
            }
            let said = [10.0, 8.0][n] * REST * slip;
            prop_assert!((reached[999] - said).abs() < 2e-3 * said.abs(), "{} {said}", reached[999]);
            // The damper takes a tenth of the length at once.
            let part = reached[99] / said;
            prop_assert!((0.62..0.67).contains(&part), "{part}");
        }
    }

    /// At very high speed, the carcass has no effect.
    #[test]
    fn at_very_high_speed_a_tire_follows_its_law_at_once(
        kappa in -0.05f32..0.05, camber in -0.3f32..0.3, u in -1e-3f32..1e-3,
    ) {
        let tires = Tires::new(cambered, offsets());
        let speed = 1e5;
        let rim = speed * (1.0 + kappa);
        let motion = motion(speed, 0.0, rim);
        let kappa = (rim - speed) / speed.max(rim);
        let law = tires.evaluate(&motion, camber, Mask4::ALL);
        let deflections = [W4::splat(u); 2];
        let rows = rows(&law, motion.speed(), deflections, H);
        let force = rows[0].force.lane(0) + rows[0].gain.lane(0) * (rim - speed);
        let expected = 10.0 * REST * kappa + 0.01 * REST;
        // D·V = 1.2e4·C: a ten-thousandth of 4 kN is left, and roundings of 1e5 m/s.
        prop_assert!((force - expected).abs() < 5.0, "{force} {expected}");
        let force = rows[1].force.lane(0);
        prop_assert!((force + 0.8 * REST * camber).abs() < 5.0, "{force}");
    }

    /// Force and deflection of a carcass: F = K·u⁺ + K·τ·(u⁺ − u)/h.
    #[test]
    fn deflection_and_force_satisfy_the_carcass_law(
        before in -5e-3f32..5e-3, force in -2e4f32..2e4, h in 1f32/500.0..1.0/20.0,
        time in 0f32..0.2, stiffness in 50f32..5000.0,
    ) {
        let settings = RowsSettings {
            carcass_stiffness: stiffness,
            carcass_damping_time: time,
            ..SETTINGS
        };
        let carcass = Carcass::of(&settings, W4::splat(REST));
        let [end, _] = deflected(&carcass, [W4::splat(before); 2], [W4::splat(force); 2], h);
        let (end, before) = (f64::from(end.lane(3)), f64::from(before));
        let scale = f64::from(REST * stiffness);
        let actual = scale * (end + f64::from(time / h) * (end - before));
        let rounding = 1e-6 * (f64::from(force.abs()) + scale * f64::from(1.0 + time / h) * before.abs());
        prop_assert!((actual - f64::from(force)).abs() < rounding + 1e-3, "{actual} {force}");
    }

    /// Whatever the law, a row resists slip, and is no steeper than its carcass.
    #[test]
    fn every_row_resists_slip(
        forward in -60f32..60.0, left in -30f32..30.0, rim in -90f32..90.0, camber in -0.5f32..0.5,
        u in -2e-3f32..2e-3, h in 1f32/500.0..1.0/20.0, which in 0usize..4,
    ) {
        let laws: [fn(&TireInput) -> [f32; 2]; 4] =
            [plain, cambered, treacherous, |_| [0.0, 0.0]];
        let tires = Tires::new(laws[which], TireTraits::UNKNOWN);
        let motion = motion(forward, left, rim);
        let law = tires.evaluate(&motion, camber, Mask4::ALL);
        let deflections = [W4::splat(u), W4::splat(-u)];
        let stiffness = REST * SETTINGS.carcass_stiffness;
        let steepest = stiffness * (h + SETTINGS.carcass_damping_time) * 1.000_001;
        for (n, row) in rows(&law, motion.speed(), deflections, h)
            .iter()
            .enumerate()
        {
            prop_assert!(law.secants[n].lane(0) > 0.0);
            prop_assert!(row.gain.lane(0) > 0.0 && row.gain.lane(0) <= steepest, "{row:?}");
            prop_assert!(row.force.is_finite());
        }
    }

    /// Odd and even part add up to the law.
    #[test]
    fn secant_and_offset_add_up_to_the_law(
        kappa in 0.002f32..0.08, tangent in 0.002f32..0.09, camber in -0.3f32..0.3,
        ahead in any::<bool>(), leftward in any::<bool>(),
    ) {
        let signed = |slip: f32, positive: bool| if positive { slip } else { -slip };
        let (kappa, tangent) = (signed(kappa, ahead), signed(tangent, leftward));
        let tires = Tires::new(cambered, offsets());
        let forward = if kappa > 0.0 { 10.0 * (1.0 - kappa) } else { 10.0 };
        let rim = if kappa > 0.0 { 10.0 } else { 10.0 * (1.0 + kappa) };
        let law = tires.evaluate(&motion(forward, 10.0 * tangent, rim), camber, Mask4::ALL);
        // Differences of forces of 5 kN over a slip of 0.002.
        prop_assert!((law.secants[0].lane(0) - 10.0 * REST).abs() < 2.0, "{:?}", law.secants);
        prop_assert!((law.secants[1].lane(0) - 8.0 * REST).abs() < 2.0, "{:?}", law.secants);
        prop_assert!((law.offsets[0].lane(0) - 0.01 * REST).abs() < 5e-3);
        prop_assert!((law.offsets[1].lane(0) + 0.8 * REST * camber).abs() < 5e-3);
    }
}

#[test]
fn a_standing_wheel_has_no_offset_force() {
    let tires = Tires::new(cambered, offsets());
    let law = tires.evaluate(&motion(0.0, 0.0, 0.0), 0.2, Mask4::ALL);
    assert!((law.offsets[1].lane(0) + 0.16 * REST).abs() < 1e-2);
    let [_, left] = rows(&law, W4::ZERO, [W4::ZERO; 2], H);
    assert_eq!(left.force, W4::ZERO);
}

// Locked wheels sliding forward, diagonally and sideways, with slips of 1, 1.5 and 1.4.
#[rstest]
#[case::ahead(3.0, 0.0)]
#[case::aslant(1.0, 1.5)]
#[case::to_its_side(0.0, 0.07)]
fn a_locked_wheel_slides_with_the_force_of_its_law(#[case] forward: f32, #[case] left: f32) {
    let tires = Tires::new(treacherous, TireTraits::PLAIN);
    let slide = motion(forward, left, 0.0);
    let law = tires.evaluate(&slide, 0.0, Mask4::ALL);
    let forces = [law.forces.longitudinal, law.forces.lateral];
    let deflections = core::array::from_fn(|n| forces[n] / law.carcass.stiffness[n]);
    let actual = rows(
        &law,
        slide.creep_speed(W4::ONE, Mask4::NONE),
        deflections,
        H,
    );
    let slides = |&(_, speed, _): &(_, f32, _)| speed != 0.0;
    let directions = [0, 1].map(|n| (actual[n], [forward, left][n], forces[n].lane(0)));
    for (row, speed, force) in directions.into_iter().filter(slides) {
        let held = row.force.lane(0) - row.gain.lane(0) * speed;
        assert!((held - force).abs() < 1e-3 * REST, "{held} {force}");
    }
}

#[test]
fn a_standing_wheel_does_not_creep() {
    let still = motion(0.0, 0.0, 0.0).creep_speed(W4::ONE, Mask4::NONE);
    assert_eq!(still, W4::ZERO);
    // An unsprung mass that moves faster than a carcass yields creeps; a softer carcass yields as many times faster.
    let yields = motion(0.06, 0.0, 0.0);
    let creep = |softer: f32, held| yields.creep_speed(W4::splat(softer), held);
    assert_eq!(creep(1.0, Mask4::NONE), W4::splat(0.06));
    assert_eq!(creep(2.0, Mask4::NONE), W4::ZERO);
    // It sticks by static friction.
    assert_eq!(creep(1.0, Mask4::ALL), W4::ZERO);
    // At speed, sideways sliding adds nothing.
    let fast = motion(10.0, 3.0, 9.0).creep_speed(W4::ONE, Mask4::NONE);
    assert_eq!(fast, W4::splat(10.0));
}

/// A wheel below 1 m/s that does not turn sticks until its carcass has most of the force with which it would slide,
/// against the motion.
#[rstest]
#[case::unwound(0.6, 0.0, 0.0, true)]
#[case::wound_up(0.6, 0.0, 0.85, true)]
#[case::breaks_away(0.6, 0.0, 0.95, false)]
#[case::sideways(0.0, -0.6, 0.85, true)]
#[case::breaks_away_sideways(0.0, -0.6, 0.95, false)]
#[case::obliquely(0.4, 0.4, 0.95, false)]
#[case::unwinds(0.6, 0.0, -0.95, true)]
#[case::fast(1.2, 0.0, 0.0, false)]
fn static_friction_sticks_until_breakaway(
    #[case] forward: f32,
    #[case] left: f32,
    #[case] wound: f32,
    #[case] sticks: bool,
) {
    let tires = Tires::new(plain, TireTraits::PLAIN);
    let slide = motion(forward, left, 0.0);
    let law = tires.evaluate(&slide, 0.0, Mask4::ALL);
    let sliding = [law.forces.longitudinal, law.forces.lateral];
    let deflections =
        core::array::from_fn(|n| sliding[n] * W4::splat(wound) / law.carcass.stiffness[n]);
    assert_eq!(law.sticks(&slide, deflections).lane(0), sticks);
}

#[test]
fn a_law_at_zero_slip_has_its_initial_secant() {
    let tires = Tires::new(plain, TireTraits::PLAIN);
    for rim in [10.0, 10.000_01, 9.999_99] {
        let law = tires.evaluate(&motion(10.0, 0.0, rim), 0.0, Mask4::ALL);
        assert!((law.secants[0].lane(0) - 10.0 * REST).abs() < 1.0);
        assert!((law.secants[1].lane(0) - 8.0 * REST).abs() < 1.0);
    }
}

#[test]
fn the_friction_curve_is_applied() {
    let mut tires = Tires::new(plain, TireTraits::PLAIN);
    tires.consts.curve_friction = [W4::ONE, W4::ONE, W4::splat(0.6)];
    tires.consts.friction_curved = true;
    let sliding = tires.evaluate(&motion(10.0, 0.0, 0.0), 0.0, Mask4::ALL);
    assert!((sliding.friction.lane(0) - 0.6).abs() < 1e-6);
    assert!((sliding.forces.longitudinal.lane(0) + 0.6 * REST).abs() < 1e-2);
}
