//! State and outputs of four wheels after a substep, against the geometry of their contacts.

mod tire_inputs;

use super::*;
use crate::base::lanes::V3x4;
use crate::contracts::tire_model::TireModel;
use crate::params::{DamperKnee, DamperStroke, Damping, LinkSlopes, Unsprung};
use crate::solvers::rows::testing::{
    self, Anything, Contact, GRAVITY, H, Rig, Rubber, anything, car,
};
use crate::stages::contact::MovingGround;
use alloc::sync::Arc;
use glam::{DVec3, Vec3};
use proptest::prelude::*;
use rstest::rstest;

/// A substep of the sample car in any state: before, after, and the chassis' initial, unconstrained and final velocities
/// in its frame in the middle.
struct Substep {
    before: Rig,
    middle: Rig,
    after: Rig,
    start: (DVec3, DVec3),
    unconstrained: (DVec3, DVec3),
    end: (DVec3, DVec3),
}

fn substep(mut before: Rig, anything: &Anything) -> Substep {
    anything.happen_to(&mut before);
    // Its forces are of substeps of the same length.
    before.state.last_step.duration = anything.h;
    let mut after = before.clone();
    after.advance(anything.h);
    let middle = before.halfway(anything.h);
    let start = before.velocity_in(&middle);
    let back = middle.chassis.matrix.as_dmat3().transpose();
    let h = f64::from(anything.h);
    let inverse = testing::inverse_inertia(&before);
    let pushed = before.state.last_step.push;
    let unconstrained = (
        start.0 + back * (GRAVITY + pushed.linear).as_dvec3() * h,
        start.1
            + back * pushed.angular.as_dvec3() * h
            + inverse * before.state.tire_moment.as_dvec3() * h,
    );
    Substep {
        start,
        unconstrained,
        end: after.velocity_in(&middle),
        before,
        middle,
        after,
    }
}

/// Jounce given by the ground; the sample car's wheels have a radius of 0.5 m.
fn asked_jounce(rig: &Rig, n: usize, contact: &Contact) -> f64 {
    let center = rig.model.params().wheels[n].position.as_dvec3();
    0.5 - (contact.points[0] - center).dot(DVec3::NEG_Z)
}

/// Jounce from which on the spring of wheel `n` pushes (`m`).
fn slack(rig: &Rig, n: usize) -> f64 {
    let strut = &rig.model.params().wheels[n].suspension;
    f64::from(-9.81 * strut.sprung_mass / strut.stiffness).max(-0.1)
}

fn of(w: W4, n: usize) -> f64 {
    f64::from(w.lane(n % LANES))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// On the ground, jounce speed is the contact's approach speed, and jounce changes by the mean of
    /// both ends' speeds; beyond its spring's length it follows the ground, in the air it is at full droop.
    #[test]
    fn jounce_changes_by_the_mean_rate(anything in anything(5.0)) {
        let Substep { before, middle, after, start, end, .. } = substep(Rig::new(car(|_| ())), &anything);
        for n in before.wheels() {
            let contact = before.contact(n, &middle);
            let asked = asked_jounce(&before, n, &contact);
            let wheels = &after.state.wheels[0];
            let incidence = contact.directions[0].z;
            let touching = after.outputs[0].touch.touching.lane(n);
            let slack = slack(&before, n);
            prop_assert!(touching || asked < slack + 1e-4, "{asked}");
            if !touching {
                prop_assert!((of(wheels.jounce, n) - asked.max(-0.1)).abs() < 1e-5);
                prop_assert_eq!(of(wheels.jounce_speed, n), 0.0);
                continue;
            }
            let [first, last] = [start, end].map(|velocity| -contact.speed(0, velocity) / incidence);
            let speed = of(wheels.jounce_speed, n);
            prop_assert!((speed - last).abs() < 1e-4 * (1.0 + last.abs()), "{speed} {last}");
            let displacement = 0.5 * f64::from(anything.h) * (first + last);
            let expected = (asked.max(slack) + displacement).clamp(-0.1, 0.3);
            let jounce = of(wheels.jounce, n);
            prop_assert!((jounce - expected).abs() < 1e-5, "{jounce} {expected}");
        }
    }

    /// Deflections satisfy the carcass law with the transmitted forces; angles advance by the final spins.
    #[test]
    fn deflections_match_the_transmitted_forces(anything in anything(10.0)) {
        let Substep { before, after, .. } = substep(Rig::new(car(|_| ())), &anything);
        let (was, is) = (&before.state.wheels[0], &after.state.wheels[0]);
        for (n, wheel) in before.model.params().wheels.iter().enumerate() {
            let stiffness = 1000.0 * 9.81 * f64::from(wheel.mass + wheel.suspension.sprung_mass);
            let (was, grip) = (was.grip.rows(), is.grip.rows());
            for model in 0..2 {
                let (u0, u1) = (was.deflection[model], grip.deflection[model]);
                let force = grip.force[model];
                let (u0, u1) = (of(u0, n), of(u1, n));
                // Below 1 m/s, damping is bounded by stiffness that is bounded: K·h² ≤ m, K·τ·h ≤ m.
                let (h, mass) = (f64::from(anything.h), stiffness / 9810.0);
                let bounded = stiffness.min(mass / (h * h));
                let off = [0.03, f64::min(0.03, mass / (bounded * h))].map(|time| {
                    let actual = stiffness * (u1 + time * (u1 - u0) / h);
                    (actual - of(force, n)).abs()
                });
                let most = 0.2 + 1e-4 * of(force, n).abs();
                prop_assert!(off[0] < most || off[1] < most, "{off:?}");
            }
            let turned = of(is.angle, n) - of(is.spin, n) * f64::from(anything.h);
            prop_assert!(turned.abs() < 1e-5);
            prop_assert_eq!(is.spin, is.spin_shown);
        }
    }

    /// Outputs contain contact point, axes in the middle of the substep, and the contact's speeds along those at its end.
    #[test]
    fn outputs_describe_the_contact(anything in anything(10.0)) {
        let seen = substep(Rig::new(car(|_| ())), &anything);
        let (out, wheels) = (&seen.after.outputs[0], &seen.after.state.wheels[0]);
        for n in seen.before.wheels() {
            let contact = seen.before.contact(n, &seen.middle);
            let asked = asked_jounce(&seen.before, n, &contact);
            let vector = |v: V3x4| v.lane(n).as_dvec3();
            prop_assert!((vector(out.touch.normal) - contact.directions[0]).length() < 1e-6);
            prop_assert!((vector(out.touch.bottom) - contact.points[0]).length() < 2e-6);
            prop_assert!((vector(out.axes.longitudinal) - contact.directions[1]).length() < 1e-6);
            prop_assert!((vector(out.axes.lateral) - contact.directions[2]).length() < 1e-6);
            let beyond = (asked.max(slack(&seen.before, n)) - 0.3) * contact.directions[0].z;
            let beyond = if out.touch.touching.lane(n) { beyond } else { 0.0 };
            prop_assert!((of(out.touch.beyond_stop, n) - beyond).abs() < 1e-5);
            prop_assert_eq!(out.touch.jounce, wheels.jounce);
            let carries = seen.after.forces(n)[0] > 0.0;
            prop_assert_eq!(out.loaded.lane(n), carries);
            let params = &seen.before.model.params();
            let wheel = &params.wheels[n];
            let rest = 9.81 * f64::from(wheel.mass + wheel.suspension.sprung_mass);
            let most = rest * f64::from(params.load_filter.max_filtered);
            let load = if carries { seen.after.forces(n)[0].min(most) } else { 0.0 };
            prop_assert!((of(out.load, n) - load).abs() < 1e-3 * (1.0 + load));
            prop_assert_eq!(of(out.suspension_force, n), seen.after.forces(n)[0]);
            // Along axes rotated on by half of the substep's yaw.
            let swing = 0.5 * f64::from(anything.h) * contact.directions[0].dot(seen.unconstrained.1);
            let speed = |model: usize, velocity| contact.speed(model, velocity);
            let forward = speed(1, seen.end) + swing * speed(2, seen.unconstrained);
            let left = speed(2, seen.end) - swing * speed(1, seen.unconstrained);
            let [forward, left] = [forward, left].map(|speed| if carries { speed } else { 0.0 });
            prop_assert!((of(out.forward_speed, n) - forward).abs() < 1e-3, "{forward} {out:?}");
            prop_assert!((of(out.lateral_speed, n) - left).abs() < 1e-3, "{left} {out:?}");
            let torque = -0.5 * seen.after.forces(n)[1];
            prop_assert!((of(out.forces.wheel_torque, n) - torque).abs() < 1e-3 * (1.0 + torque.abs()));
        }
    }

    /// A bar's end forces are opposite and proportional to the difference of jounces, unless a wheel is lifted.
    #[test]
    fn a_bar_acts_equally_and_oppositely_at_both_ends(anything in anything(3.0), six in any::<bool>()) {
        let rig = Rig::new(car(|p| testing::with_axles(p, usize::from(six))));
        let Substep { before, after, .. } = substep(rig, &anything);
        for bar in &before.model.params().anti_roll {
            let [a, b] = bar.wheels.map(|n| (n / LANES, n % LANES));
            let lifted = |(g, lane): (usize, usize)| {
                after.rows[g].free_jounce.lane(lane) > after.rows[g].middle_jounce().lane(lane)
            };
            let ends = [a, b].map(|(g, lane)| after.rows[g].forces.twist.lane(lane));
            let [ja, jb] = [a, b].map(|(g, lane)| after.rows[g].middle_jounce().lane(lane));
            if !lifted(a) && !lifted(b) {
                let expected = 10_000.0 * (ja - jb);
                prop_assert!((ends[0] - expected).abs() < 0.01 && (ends[1] + expected).abs() < 0.01, "{ends:?}");
            }
        }
    }

    /// Moments of the tires act about the ground's normal and the wheel's heading.
    #[test]
    fn moments_act_about_normal_and_heading(anything in anything(10.0)) {
        let Substep { before, middle, after, .. } = substep(Rig::on(car(|_| ()), Rubber::TURNING), &anything);
        let out = &after.outputs[0];
        let moment: DVec3 = before.wheels().map(|n| {
            let [normal, ahead, _] = before.contact(n, &middle).directions;
            let carries = after.forces(n)[0] > 0.0 && anything.wheels[n].friction > 0.0;
            let [align, overturning] = [out.forces.aligning_moment, out.forces.overturning_moment].map(|m| of(m, n));
            assert!(carries || (align, overturning) == (0.0, 0.0));
            normal * align + ahead * overturning
        }).sum();
        let off = after.state.tire_moment.as_dvec3() - moment;
        prop_assert!(off.length() < 1e-3 * (10.0 + moment.length()), "{off} {moment}");
        for n in before.wheels() {
            // A trail of 5 cm, times the transmitted force.
            let [_, _, left] = after.forces(n);
            let align = of(out.forces.aligning_moment, n);
            prop_assert!(align.abs() <= 0.05 * left.abs() + 0.05, "{align} {left}");
        }
    }
}

// The sample car: 1500 kg on springs of 35 kN/m, preloaded or pure with a droop of 0.1 m; under any gravity.
#[rstest]
#[case::on_earth(9.81, false)]
#[case::on_mars(3.71, false)]
#[case::pure(9.81, true)]
fn a_car_rests_at_its_springs_equilibrium(#[case] g: f32, #[case] free_at_droop: bool) {
    let mut rig = Rig::new(car(|p| {
        p.wheels
            .iter_mut()
            .for_each(|w| w.suspension.free_at_droop = free_at_droop);
    }));
    rig.gravity = Vec3::NEG_Z * g;
    for _ in 0..400 {
        rig.advance(H);
        // Planes are relative to the start of a step.
        let moved = rig.chassis.moved;
        crate::stages::contact::move_planes(&mut rig.state.wheels[0], moved);
        rig.chassis.moved = Vec3::ZERO;
    }
    let weight: f64 = rig.wheels().map(|n| rig.forces(n)[0]).sum();
    assert!(
        (weight / f64::from(1500.0 * g) - 1.0).abs() < 1e-3,
        "{weight}"
    );
    for (n, wheel) in rig.model.params().wheels.iter().enumerate() {
        let expected = if free_at_droop {
            wheel.suspension.sprung_mass * g / 35_000.0 - 0.1
        } else {
            wheel.suspension.sprung_mass * (g - 9.81) / 35_000.0
        };
        let jounce = rig.state.wheels[0].jounce.lane(n);
        assert!((jounce - expected).abs() < 2e-3, "{n}: {jounce} {expected}");
    }
}

// A damper of 3 kN·s/m in bump and 6 in rebound, a quarter of each beyond 0.3 m/s; the wheel carries 437.5 kg.
#[rstest]
#[case::slowly(-0.2, 600.0)]
#[case::fast(-1.0, 900.0 + 525.0)]
#[case::extending(1.0, -1800.0 - 1050.0)]
fn a_strut_follows_its_damper_curve(#[case] speed: f32, #[case] damped: f64) {
    let stroke = |rate: f32| DamperStroke {
        rate,
        knee: Some(DamperKnee {
            speed: 0.3,
            rate: 0.25 * rate,
        }),
    };
    let damping = Damping {
        bump: stroke(3000.0),
        rebound: stroke(6000.0),
    };
    let mut rig = Rig::new(car(|p| {
        p.wheels
            .iter_mut()
            .for_each(|w| w.suspension.damping = damping);
    }));
    rig.chassis.velocity.linear = (Vec3::Z * speed).extend(0.0);
    let h = 1e-3;
    rig.advance(h);
    // In the middle of 1 ms, it has moved by at most 0.5 mm and is 10 mm/s faster.
    let expected = 437.5 * 9.81 + damped;
    let actual = rig.forces(0)[0];
    assert!((actual - expected).abs() < 60.0, "{actual} {expected}");
}

/// A car with what only some cars have, on ground that a push moves, after a substep.
fn laden(anything: &Anything) -> Rig {
    let params = car(|p| {
        for wheel in &mut p.wheels {
            wheel.compliance.links = Some(LinkSlopes {
                lateral: 0.2 / wheel.position.y,
                ..LinkSlopes::default()
            });
            wheel.suspension.sprung_mass -= 40.0;
            wheel.unsprung = Some(Unsprung {
                mass: 40.0,
                tire_stiffness: 200_000.0,
                tire_damping: 500.0,
            });
        }
    });
    let mut rig = Rig::on(params, Rubber::TURNING);
    anything.happen_to(&mut rig);
    for ground in rig.ground.iter_mut() {
        *ground = MovingGround {
            any: true,
            moves: Mask4::ALL,
            velocity: V3x4::splat(Vec3::new(3.0, -2.0, 0.5)),
            // A kilogram, which bears hardly any damper.
            response: [Vec3::X, Vec3::Y, Vec3::Z].map(V3x4::splat),
            ..MovingGround::FIXED
        };
    }
    rig.advance(anything.h);
    assert!(rig.rows[0].links.is_some() && rig.rows[0].unsprung_masses.is_some());
    rig
}

/// A car whose tires have no moments, or one of eight wheels of which the last four have none.
fn plain(mixed: bool) -> Rig {
    let params = car(|p| {
        testing::with_axles(p, if mixed { 2 } else { 0 });
        for wheel in p.wheels.iter_mut().skip(4) {
            wheel.tire.model = 1;
        }
    });
    let tires: [Arc<dyn TireModel>; 2] = [Arc::new(Rubber::TURNING), Arc::new(Rubber::PLAIN)];
    Rig::on_tires(params, if mixed { &tires } else { &tires[1..] })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Vehicles that are updated one after the other share the memory of their rows, and nothing else.
    #[test]
    fn rows_keep_nothing_of_another_vehicle(anything in anything(20.0), mixed in any::<bool>()) {
        let mut fresh = plain(mixed);
        anything.happen_to(&mut fresh);
        let mut used = fresh.clone();
        let others = laden(&anything).rows;
        used.rows.iter_mut().for_each(|rows| *rows = others[0]);
        fresh.advance(anything.h);
        used.advance(anything.h);
        prop_assert!(fresh.chassis.velocity.truncated().linear.is_finite());
        prop_assert_eq!(used.state, fresh.state);
        prop_assert_eq!(used.chassis, fresh.chassis);
        prop_assert_eq!(used.outputs, fresh.outputs);
    }
}
