//! Energy of a strut that bounces on its spring and its stop, and on a spring with a curve.

use alloc::vec::Vec;

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

/// A progressive spring of 31 points and a soft one: force over stiffness over jounce.
fn progressive() -> Vec<(f32, f32)> {
    let at = |n: i32| 0.01 * n as f32;
    (-15..=15)
        .map(|n| (at(n), at(n) + 40.0 * at(n.max(0)).powi(2)))
        .collect()
}

/// A mass that bounces on a spring with a curve.
struct CurvedBounce {
    k: WheelConsts,
    curves: StrutCurves,
    mass: f64,
    jounce: f64,
    away: f64,
}

impl CurvedBounce {
    fn new(speed: f64) -> Self {
        let mut params = testing::four_wheeler();
        for wheel in &mut params.wheels {
            wheel.suspension.damping = 0.0.into();
            wheel.suspension.max_compression = 10.0;
            wheel.suspension.max_droop = 10.0;
            wheel.compliance.spring = progressive();
        }
        params.anti_roll.clear();
        let curves = StrutCurves::new(&params.wheels);
        let k = consts(|p| *p = params);
        Self {
            k,
            curves,
            mass: 437.5,
            jounce: 0.0,
            away: -speed,
        }
    }

    /// Energy of motion and spring; those of gravity and preload cancel.
    fn energy(&self) -> f64 {
        let stiffness = f64::from(self.k.stiffness.lane(0));
        let points = progressive();
        let force = |j: f64| {
            let n = points[1..points.len() - 1]
                .iter()
                .filter(|point| f64::from(point.0) <= j)
                .count();
            let [a, b] = [points[n], points[n + 1]].map(|(x, y)| (f64::from(x), f64::from(y)));
            a.1 + (b.1 - a.1) * (j - a.0) / (b.0 - a.0)
        };
        let count = 20_000;
        let step = self.jounce / f64::from(count);
        let work: f64 = (0..count)
            .map(|n| force((f64::from(n) + 0.5) * step) * step)
            .sum();
        0.5 * self.mass * self.away * self.away + stiffness * work
    }

    fn step(&mut self, h: f32) {
        let unconstrained = self.away - 9.81 * f64::from(h);
        let actual = ContactDepth {
            reaches: Mask4::from_array([true, false, false, false]),
            ..contact_depth(self.jounce as f32, 1.0)
        };
        let (away, without) = (W4::splat(self.away as f32), W4::splat(unconstrained as f32));
        let full = Extension::full(&self.k);
        let at = Compression::new(full, -self.k.max_droop, &actual, away, without, h);
        let mut rows = RowBlock::<1>::default();
        let up = Jacobian::new(V3x4::splat(Vec3::Z), V3x4::ZERO, &Mat3::ZERO);
        rows.jacobian = [up];
        rows.prepare([W4::ZERO], [W4::ZERO], 1.0 / self.mass as f32);
        let velocity = Velocity {
            linear: Vec3::Z * unconstrained as f32,
            angular: Vec3::ZERO,
        };
        rows.read_velocity(&velocity.in_lanes());
        let forces = StrutForces {
            springs: springs(&self.k),
            ..StrutForces::default()
        };
        let struts = StrutRows::curved(
            &self.k,
            &self.curves,
            W4::splat(f32::INFINITY),
            &at,
            &forces,
            &rows,
        );
        struts.sweep(&mut rows, (&self.k, &at), &self.k.axles);
        let end = unconstrained + f64::from(rows.impulses[0].lane(0)) / self.mass;
        self.jounce -= 0.5 * f64::from(h) * (self.away + end);
        self.away = end;
    }
}

proptest! {
    /// The stiffness triples over the travel, in 15 corners; whatever it is, no energy comes from them or goes into them.
    #[test]
    fn a_progressive_spring_gives_back_what_it_took(
        speed in 0.1f64..1.0, steps in prop::collection::vec(1f32/500.0..1.0/30.0, 50..200),
    ) {
        let mut mass = CurvedBounce::new(speed);
        let start = mass.energy();
        let mut greatest = 0.0_f64;
        for h in steps {
            let before = mass.energy();
            mass.step(h);
            // It never leaves the ground.
            prop_assert!(mass.jounce > -0.12);
            greatest = greatest.max((mass.energy() - before).abs());
        }
        prop_assert!(greatest < 2e-3 * start, "{greatest} of {start}");
        prop_assert!((mass.energy() / start - 1.0).abs() < 5e-3, "{} of {start}", mass.energy());
    }
}
