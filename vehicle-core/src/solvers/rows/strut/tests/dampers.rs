//! Nonlinear dampers in a strut.

use super::*;
use crate::params::{DamperKnee, DamperStroke, Damping};

/// A digressive damper, soft in compression and hard in extension.
pub(super) fn digressive() -> Damping {
    let stroke = |rate: f32| DamperStroke {
        rate,
        knee: Some(DamperKnee {
            speed: 0.3,
            rate: 0.25 * rate,
        }),
    };
    Damping {
        bump: stroke(3000.0),
        rebound: stroke(6000.0),
    }
}

proptest! {
    /// The final force of a nonlinear damper is its curve's at the speed by which it acts.
    #[test]
    fn a_nonlinear_damper_acts_on_its_curve(
        jounce in 0f32..0.15, away in -2f32..2.0, without in -2f32..2.0,
    ) {
        let mut wheel = testing::four_wheeler().wheels.remove(0);
        wheel.suspension.damping = digressive();
        let curves = StrutCurves::new(&[wheel]);
        let strut = Strut { jounce, away, without, ..STRUT() };
        let (at, ..) = strut.solve();
        let mut rows = RowBlock::<1>::default();
        let up = Jacobian::new(V3x4::splat(Vec3::Z), V3x4::ZERO, &Mat3::ZERO);
        rows.jacobian = [up];
        rows.prepare([W4::ZERO], [W4::ZERO], 1.0 / strut.mass);
        rows.read_velocity(&Velocity { linear: Vec3::Z * without, angular: Vec3::ZERO }.in_lanes());
        let forces = StrutForces { springs: springs(&strut.k), ..StrutForces::default() };
        let struts = StrutRows::curved(&strut.k, &curves, W4::splat(f32::INFINITY), &at, &forces, &rows);
        struts.sweep(&mut rows, (&strut.k, &at), &strut.k.axles);
        let end = -rows.speeds[0].lane(0);
        let impulse = rows.impulses[0].lane(0);
        prop_assume!(impulse > 0.0);
        // The damper's force is the total minus the springs'.
        let d = at.duration.lane(0);
        let middle = at.jounce.lane(0) + 0.25 * d * (at.speed.lane(0) + end);
        let spring = forces.springs.preload.lane(0) + strut.k.stiffness.lane(0) * middle;
        let bar = strut.k.bar_stiffness.lane(0) * 0.25 * d * (end - at.speed.lane(0));
        let damped = impulse / d - spring - bar;
        let coefficient = |speed: f32| curves.damper(W4::splat(speed)).lane(0);
        let mean = 0.5 * (at.speed.lane(0) + end);
        let expected = [mean, end].map(|speed| coefficient(speed) * speed);
        let error = expected.map(|force| (damped - force).abs());
        // What three estimates leave; the least of the two, as the strong damper acts by its end.
        prop_assert!(error[0].min(error[1]) < 0.02 * expected[0].abs().max(expected[1].abs()) + 20.0,
            "{damped} {expected:?}");
    }
}
