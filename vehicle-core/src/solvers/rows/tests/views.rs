//! Symmetries: reflection, rotation, moving frames, inactive wheels, order of wheels.

use super::*;
use crate::base::math;
use crate::base::velocity::Velocity;
use crate::exchange::grip_memory::{GripMemory, RowsGrip};
use crate::params::WheelParams;
use crate::solvers::rows::testing::AnyWheel;
use glam::Quat;

/// Velocity of the chassis after what it did.
fn end_velocity(rig: &Rig) -> Velocity {
    rig.chassis.velocity.truncated()
}

/// The inputs reflected in the vehicle's middle plane.
fn mirrored(anything: &Anything) -> Anything {
    let polar = |v: Vec3| Vec3::new(v.x, -v.y, v.z);
    let axial = |v: Vec3| Vec3::new(-v.x, v.y, -v.z);
    let velocity = |v: Velocity| Velocity {
        linear: polar(v.linear),
        angular: axial(v.angular),
    };
    let mut seen = anything.clone();
    (seen.velocity, seen.push) = (velocity(anything.velocity), velocity(anything.push));
    (seen.turned, seen.moment) = (axial(anything.turned), axial(anything.moment));
    for wheel in &mut seen.wheels {
        wheel.slope[1] *= -1.0;
        wheel.steer *= -1.0;
        wheel.held[1] *= -1.0;
        wheel.forces[2] *= -1.0;
    }
    seen
}

fn mirrored_wheel(wheel: &mut WheelParams) {
    wheel.position.y *= -1.0;
    wheel.suspension.application_point.y *= -1.0;
    wheel.tire.application_point.y *= -1.0;
}

/// Laws whose offsets have a side are not mirrored with the car.
const EVEN: Rubber = Rubber {
    moments: [-0.05, 0.0],
    ..Rubber::TURNING
};

fn near(a: Vec3, b: Vec3, bound: f32) -> Result<(), TestCaseError> {
    prop_assert!((a - b).length() < bound, "{a} {b}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A reflected car gives bitwise reflected results.
    #[test]
    fn results_are_mirror_symmetric(anything in anything(20.0)) {
        let six = |p: &mut crate::VehicleParams| testing::with_axles(p, 1);
        let mut rig = Rig::on(car(six), EVEN);
        let mut mirror = Rig::on(car(|p| {
            six(p);
            p.wheels.iter_mut().for_each(mirrored_wheel);
        }), EVEN);
        anything.happen_to(&mut rig);
        mirrored(&anything).happen_to(&mut mirror);
        for rig in [&mut rig, &mut mirror] {
            drive(rig, Some(300.0));
            rig.advance(2.0 * H);
        }
        let polar = Vec3::new(1.0, -1.0, 1.0);
        let [actual, image] = [&rig, &mirror].map(end_velocity);
        prop_assert_eq!(actual.linear * polar, image.linear);
        prop_assert_eq!(actual.angular * -polar, image.angular);
        prop_assert_eq!(rig.state.tire_moment * -polar, mirror.state.tire_moment);
        for (one, other) in rig.state.wheels.iter().zip(mirror.state.wheels.iter()) {
            prop_assert_eq!(one.spin, other.spin);
            prop_assert_eq!(one.jounce, other.jounce);
            prop_assert_eq!(one.normal_force, other.normal_force);
            let (one, other) = (one.grip.rows(), other.grip.rows());
            prop_assert_eq!(one.force, [other.force[0], -other.force[1]]);
            prop_assert_eq!(one.deflection[1], -other.deflection[1]);
        }
    }

    /// Whichever side has the first number, while no two wheels of an axle carry the same.
    #[test]
    fn neither_side_is_first(anything in anything(20.0)) {
        let differ = |[a, b]: [&AnyWheel; 2]| a.forces[0] != b.forces[0];
        prop_assume!([0, 2, 4].iter().all(|&n| differ([0, 1].map(|m| &anything.wheels[n + m]))));
        let six = |p: &mut crate::VehicleParams| testing::with_axles(p, 1);
        let mut rig = Rig::on(car(six), EVEN);
        let mut mirror = Rig::on(car(six), EVEN);
        let mut image = mirrored(&anything);
        for pair in image.wheels.chunks_exact_mut(2) {
            pair.swap(0, 1);
        }
        anything.happen_to(&mut rig);
        image.happen_to(&mut mirror);
        for rig in [&mut rig, &mut mirror] {
            rig.advance(H);
        }
        let polar = Vec3::new(1.0, -1.0, 1.0);
        let [actual, image] = [&rig, &mirror].map(end_velocity);
        near(actual.linear * polar, image.linear, 1e-4)?;
        near(actual.angular * -polar, image.angular, 1e-4)?;
    }

    /// Rotating the world and gravity rotates the results.
    #[test]
    fn results_are_rotation_invariant(anything in anything(10.0), by in prop::array::uniform3(-3f32..3.0)) {
        let by = math::turn(Quat::IDENTITY, Vec3::from(by), 1.0);
        let matrix = math::matrix(by);
        let mut rig = Rig::on(car(|_| ()), Rubber::TURNING);
        anything.happen_to(&mut rig);
        let mut turned = rig.clone();
        turned.gravity = matrix * rig.gravity;
        turned.chassis.velocity = rig.chassis.velocity.rotated(&matrix);
        turned.chassis.rotation = math::compose(by, rig.chassis.rotation);
        turned.chassis.matrix = math::matrix(turned.chassis.rotation);
        let push = rig.state.last_step.push;
        turned.state.last_step.push = Velocity { linear: matrix * push.linear, angular: matrix * push.angular };
        let wheels = &mut turned.state.wheels[0];
        wheels.ground_normal = wheels.ground_normal.rotated(&matrix);
        rig.advance(H);
        turned.advance(H);
        // Stiff stops amplify rounding of 1 µm.
        let [actual, image] = [&rig, &turned].map(end_velocity);
        near(matrix * actual.linear, image.linear, 2e-3)?;
        near(matrix * actual.angular, image.angular, 2e-3)?;
        near(rig.state.tire_moment, turned.state.tire_moment, 1.0)?;
    }

    /// A common velocity of car and ground does not affect the results.
    #[test]
    fn results_are_galilean_invariant(anything in anything(10.0), along in prop::array::uniform3(-20f32..20.0)) {
        let along = Vec3::from(along);
        let mut rig = Rig::on(car(|_| ()), Rubber::TURNING);
        anything.happen_to(&mut rig);
        // Ground that can move is computed slightly differently from fixed ground.
        rig.ground[0].any = true;
        let mut moving = rig.clone();
        moving.chassis.velocity.linear += along.extend(0.0);
        let normal = rig.state.wheels[0].ground_normal;
        moving.ground[0] = MovingGround {
            any: true,
            velocity: V3x4::splat(along),
            rise: normal.dot(V3x4::splat(along)),
            ..MovingGround::FIXED
        };
        for rig in [&mut rig, &mut moving] {
            rig.advance(2.0 * H);
        }
        let [actual, image] = [&rig, &moving].map(end_velocity);
        near(actual.linear + along, image.linear, 1e-2)?;
        near(actual.angular, image.angular, 1e-2)?;
        let [still, moving] = [&rig, &moving].map(|rig| rig.outputs[0]);
        for lane in 0..LANES {
            let off = still.forward_speed.lane(lane) - moving.forward_speed.lane(lane);
            // Rounding of 20 m/s, on stiff rows.
            prop_assert!(off.abs() < 1e-2, "{off}");
        }
    }

    /// Wheels in the air in a separate group do not affect the others.
    #[test]
    fn wheels_in_the_air_do_not_affect_others(anything in anything(20.0), bound in any::<bool>()) {
        let mut four = Rig::on(car(|p| p.anti_roll.clear()), Rubber::TURNING);
        let mut more = Rig::on(car(|p| {
            testing::with_axles(p, 2);
            p.anti_roll.clear();
        }), Rubber::TURNING);
        for rig in [&mut four, &mut more] {
            anything.happen_to(rig);
            rig.control.wheel_couplings = u8::from(bound);
        }
        more.state.wheels[1].ground_normal = V3x4::ZERO;
        more.chassis.inverse_mass = four.chassis.inverse_mass;
        for rig in [&mut four, &mut more] {
            rig.advance(2.0 * H);
        }
        prop_assert_eq!(four.chassis, more.chassis);
        prop_assert_eq!(&four.state.wheels[0], &more.state.wheels[0]);
        prop_assert_eq!(four.outputs[0], more.outputs[0]);
        prop_assert_eq!(more.forces(5), [0.0; 3]);
    }
}

/// Iterates the warm start of a substep to its result.
fn settle_forces(rig: &mut Rig, h: f32) {
    let mut ahead = rig.clone();
    ahead.advance(h);
    for (from, to) in ahead.state.wheels.iter().zip(rig.state.wheels.iter_mut()) {
        to.normal_force = from.normal_force;
        to.grip = GripMemory::Rows(RowsGrip {
            force: from.grip.rows().force,
            ..to.grip.rows()
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// With enough sweeps, the order of wheels and groups does not matter.
    #[test]
    fn the_order_of_wheels_does_not_matter(
        anything in anything(10.0), order in Just([0usize, 1, 2, 3, 4, 5]).prop_shuffle(),
    ) {
        let rig = |order: [usize; 6]| {
            let mut rig = Rig::new(car(|p| {
                testing::with_axles(p, 1);
                crate::testing::rows(&mut p.profile).sweeps = 20;
                p.wheels = order.iter().map(|&n| p.wheels[n].clone()).collect();
                for bar in &mut p.anti_roll {
                    bar.wheels = bar.wheels.map(|n| order.iter().position(|&m| m == n).unwrap());
                }
            }));
            let mut shuffled = anything.clone();
            for (n, m) in order.into_iter().enumerate() {
                // Onto the springs, slowly, and not onto the stops.
                shuffled.wheels[n] = AnyWheel { height: anything.wheels[m].height.max(1.55), ..anything.wheels[m] };
            }
            shuffled.velocity.linear.z *= 0.1;
            shuffled.happen_to(&mut rig);
            for _ in 0..3 {
                // Laws are then evaluated at the resulting loads.
                settle_forces(&mut rig, anything.h);
            }
            rig.advance(anything.h);
            rig
        };
        let (straight, shuffled) = (rig([0, 1, 2, 3, 4, 5]), rig(order));
        let [actual, image] = [&straight, &shuffled].map(end_velocity);
        near(actual.linear, image.linear, 0.02)?;
        near(actual.angular, image.angular, 0.02)?;
        for (n, m) in order.into_iter().enumerate() {
            for (one, other) in straight.forces(m).into_iter().zip(shuffled.forces(n)) {
                prop_assert!((one - other).abs() < 100.0 + 0.02 * one.abs(), "{one} {other}");
            }
        }
    }
}
