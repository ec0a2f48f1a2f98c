//! Wheel couplings balanced against each other, as a locked center does with open axles: momentum, torque, energy.

use super::geared::{couple, of, spin};
use super::*;
use crate::base::lanes::{V3x4, W4};
use crate::solvers::rows::testing::{Anything, H, Rig, anything, car};

/// The sum of the means of two axles, the first geared by 1, is kept at 0.
fn center(gear: f32) -> [f32; 4] {
    [0.5 * gear, 0.5 * gear, -0.5, -0.5]
}

/// A four-wheeler with these weights, each wheel a wheel coupling of its own.
fn balanced(weights: [f32; 4], damping: f32) -> Rig {
    let mut rig = Rig::new(car(|p| {
        p.wheels
            .iter_mut()
            .for_each(|wheel| wheel.damping = damping);
    }));
    rig.control.wheel_couplings = 4;
    let wheels = &mut rig.control.wheels[0];
    (wheels.wheel_coupling, wheels.coupling_ratio) = ([1, 2, 3, 4], W4::ONE);
    wheels.balance = W4::from_array(weights);
    rig
}

/// Takes the car off the ground, with these spins (`rad/s`).
fn lift(rig: &mut Rig, spins: [f32; 4]) {
    rig.state.wheels[0].ground_normal = V3x4::ZERO;
    rig.state.wheels[0].spin = W4::from_array(spins);
}

fn spins(rig: &Rig) -> [f64; 4] {
    core::array::from_fn(|n| spin(rig, n))
}

/// Kinetic energy of wheels of 2.5 kg·m² (`J`).
fn energy(spins: [f64; 4]) -> f64 {
    spins.iter().map(|spin| 0.5 * 2.5 * spin * spin).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Axles in the air come to equal means: both wheels of an axle get the same impulse, so that their difference stays; from the next step on,
    /// nothing is lost.
    #[test]
    fn axles_in_the_air_come_to_equal_means(
        before in prop::array::uniform4(-60f32..60.0), gear in 0.5f32..2.0,
    ) {
        let weights = center(gear).map(f64::from);
        let mut rig = balanced(center(gear), 0.0);
        lift(&mut rig, before);
        rig.advance(H);
        let old = before.map(f64::from);
        let apart: f64 = weights.iter().zip(old).map(|(w, spin)| w * spin).sum();
        let impulse = -apart / weights.iter().map(|w| w * w / 2.5).sum::<f64>();
        let actual = spins(&rig);
        for n in 0..4 {
            let expected = old[n] + weights[n] * impulse / 2.5;
            prop_assert!((actual[n] - expected).abs() < 1e-4, "{n}: {} {expected}", actual[n]);
        }
        prop_assert!(energy(actual) <= energy(old) * (1.0 + 1e-5));
        (0..20).for_each(|_| rig.advance(H));
        let kept = energy(spins(&rig)) / energy(actual);
        prop_assert!((kept - 1.0).abs() < 1e-4, "{kept}");
    }

    /// Whatever tires, brakes and engine do: the sum is 0, and a single impulse, weighted, closes the momentum of all
    /// wheels, each with its own brake.
    #[test]
    fn one_impulse_balances_all_wheels(
        anything in anything(15.0), gear in 0.5f32..2.0, capacity in prop::option::of(10f32..800.0),
        shares in prop::array::uniform4(0.1f32..0.4),
    ) {
        let mut rig = balanced(center(gear), 0.25);
        anything.happen_to(&mut rig);
        let shares = W4::from_array(shares);
        (rig.control.wheels[0].torque_share, rig.control.wheels[0].speed_share) = (shares, shares);
        if let Some(capacity) = capacity {
            couple(&mut rig, capacity);
        }
        let before = rig.clone();
        rig.advance(anything.h);
        let actual = spins(&rig);
        let sum: f64 = (0..4).map(|n| f64::from(center(gear)[n]) * actual[n]).sum();
        let size: f64 = actual.iter().map(|spin| spin.abs()).sum();
        prop_assert!(sum.abs() < 2e-5 * (1.0 + size), "{actual:?}: {sum}");
        let [least, most, slack] = impulses(&before, &rig, center(gear), &anything);
        prop_assert!(least <= most + slack, "{least} {most}");
    }
}

/// Least and most impulse of the balance that the spins of all wheels allow, and their rounding (`N·m·s`).
fn impulses(before: &Rig, after: &Rig, weights: [f32; 4], anything: &Anything) -> [f64; 3] {
    let h = f64::from(anything.h);
    let clutch = 8.0 * f64::from(after.state.drive.clutch_torque);
    let start = [f64::NEG_INFINITY, f64::INFINITY, 0.0];
    (0..4).fold(start, |[least, most, slack], n| {
        let share = of(before, n, |rig, g| rig.control.wheels[g].torque_share);
        let drive = of(before, n, |rig, g| rig.control.wheels[g].drive) + clutch * share;
        let (own, tire) = (2.5 * spin(before, n), 0.5 * h * after.forces(n)[1]);
        let brake = h * of(before, n, |rig, g| rig.control.wheels[g].brake);
        let turning = spin(after, n);
        let needed = (2.5 + 0.25 * h) * turning - (own + h * drive - tire);
        let ends = if turning == 0.0 {
            [needed - brake, needed + brake]
        } else {
            [needed + turning.signum() * brake; 2]
        };
        let [a, b] = ends.map(|end| end / f64::from(weights[n]));
        let size = own.abs() + (h * drive).abs() + tire.abs() + brake + 2.5 * turning.abs();
        [
            least.max(a.min(b)),
            most.min(a.max(b)),
            slack + 1e-4 * (1.0 + size) / f64::from(weights[n].abs()),
        ]
    })
}

/// A brake on one wheel of an open axle in the air stops that wheel: the other takes the mean.
#[test]
fn a_brake_holds_its_own_wheel() {
    let mut rig = balanced(center(1.0), 0.0);
    lift(&mut rig, [20.0; 4]);
    rig.control.wheels[0].brake = W4::from_array([3000.0, 0.0, 0.0, 0.0]);
    for _ in 0..60 {
        rig.advance(H);
    }
    let [a, b, c, d] = spins(&rig);
    assert_eq!(a, 0.0);
    assert!(
        c > 1.0 && (b - c - d).abs() < 1e-3 && (c - d).abs() < 1e-3,
        "{b} {c} {d}"
    );
}

/// Torque of the engine on one wheel of four in the air turns both axles.
#[test]
fn torque_goes_to_both_axles() {
    let mut rig = balanced(center(1.0), 0.0);
    lift(&mut rig, [0.0; 4]);
    rig.control.wheels[0].drive = W4::from_array([100.0, 0.0, 0.0, 0.0]);
    rig.advance(H);
    // 100 N·m·h = 2.5·a + 2.5·b + …: a gains 3/4, b loses 1/4 to the others, each 1/4.
    let whole = 100.0 * f64::from(H) / 2.5;
    let expected = [0.75, -0.25, 0.25, 0.25].map(|share| share * whole);
    for (actual, expected) in spins(&rig).into_iter().zip(expected) {
        assert!((actual - expected).abs() < 1e-5, "{actual} {expected}");
    }
}
