//! Energy of a strut that bounces on its spring and its stop.

use super::*;

/// A mass that bounces on wheel 0's spring and stop, without damper or bar.
struct Bounce {
    k: WheelConsts,
    mass: f64,
    jounce: f64,
    away: f64,
}

impl Bounce {
    fn energy(&self) -> f64 {
        let of = |w: W4| f64::from(w.lane(0));
        let j = self.jounce;
        let over = (j - of(self.k.max_compression)).max(0.0);
        // The energies of gravity and preload, m·g each, cancel.
        let moving = 0.5 * self.mass * self.away * self.away;
        moving + 0.5 * of(self.k.stiffness) * j * j + 0.5 * of(self.k.bump_stop) * over * over
    }

    /// Whether the stop acts in a substep from jounce `a` to `b`.
    fn stops(&self, a: f64, b: f64) -> bool {
        a.max(b) >= f64::from(self.k.max_compression.lane(0))
    }

    fn step(&mut self, h: f32) {
        let unconstrained = self.away - 9.81 * f64::from(h);
        let strut = Strut {
            k: self.k,
            mass: self.mass as f32,
            jounce: self.jounce as f32,
            away: self.away as f32,
            without: unconstrained as f32,
            h,
            ..STRUT()
        };
        let (_, impulse, _) = strut.solve();
        let end = unconstrained + f64::from(impulse) / self.mass;
        self.jounce -= 0.5 * f64::from(h) * (self.away + end);
        self.away = end;
    }
}

proptest! {
    #[test]
    fn spring_and_stop_give_back_no_more_than_they_took(
        stiffness in 5000f32..100_000.0, stop in 5e4f32..2e6, clearance in 0.01f32..0.2,
        speed in 0.1f64..3.0, steps in prop::collection::vec(1f32/500.0..1.0/30.0, 50..200),
    ) {
        let k = consts(|p| {
            for wheel in &mut p.wheels {
                wheel.suspension.stiffness = stiffness;
                wheel.suspension.damping = 0.0.into();
                wheel.suspension.bump_stop_stiffness = stop;
                wheel.suspension.max_compression = clearance;
                // It never leaves the ground.
                wheel.suspension.max_droop = 10.0;
            }
            p.anti_roll.clear();
        });
        let mut mass = Bounce { k, mass: 437.5, jounce: 0.0, away: -speed };
        let start = mass.energy();
        for h in steps {
            let (before, from, speed) = (mass.energy(), mass.jounce, -mass.away);
            mass.step(h);
            let pressed = 437.5 * 9.81 + f64::from(stiffness) * from.min(mass.jounce);
            if pressed <= 0.0 {
                // The spring would have to pull, which it does not.
                return Ok(());
            }
            let change = mass.energy() - before;
            // f32 impulses: 1e-7 of a momentum exchange of up to the whole energy.
            let rounding = 2e-6 * start;
            // A mass that accelerates from full droop reaches the stop deeper than its initial speed predicts;
            // the stop stores the difference without absorbing it.
            let unforeseen = (0.5 * f64::from(h) * (-mass.away - speed)).max(0.0);
            let over = (mass.jounce - f64::from(clearance)).max(0.0);
            let unpaid = 0.5 * f64::from(stop) * over * unforeseen;
            prop_assert!(change < unpaid + rounding, "{change} {unpaid} {rounding}");
            if !mass.stops(from, mass.jounce) {
                prop_assert!(change > -rounding, "{change} {rounding}");
            }
        }
        // Over many bounces, the difference is absorbed when the stop is left within a step.
        prop_assert!(mass.energy() < start * 1.005, "{} {start}", mass.energy());
    }
}
