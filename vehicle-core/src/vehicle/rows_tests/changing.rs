//! Cars that become another kind on the way.

use super::*;
use crate::retune::ThreeWheeler;

/// Most that a change may do to the velocity in a step, half throttle included [m/s].
const KICK: f32 = 0.06;

/// The sample car with its mass in front and to the right, so that it stands without its rear left
/// wheel, too.
fn lopsided() -> VehicleParams {
    params(|p| p.move_centre_of_mass(Vec3::new(0.3, -0.3, 0.0)).unwrap())
}

/// A world with the car rolling at 10 m/s.
fn rolling(kind: &Arc<VehicleKind>) -> World {
    let mut world = World::new(kind, 0.0, 0.0);
    world.command = CarCommand {
        throttle: 0.5,
        ..CarCommand::default()
    };
    world.body.linear_velocity = Vec3::X * 10.0;
    let state = world.car.state_mut();
    state.drive.engine_speed = 160.0;
    state
        .wheels
        .iter_mut()
        .for_each(|w| w.spin = W4::splat(20.0));
    world.run(1.0);
    world
}

/// How much the next step changes the velocity [m/s]; gravity alone would by 0.16.
fn kick(world: &mut World) -> f32 {
    let start = world.velocity();
    world.step();
    (world.velocity() - start).length()
}

fn spins(world: &World) -> Vec<f32> {
    let groups = world.car.state().wheels.iter();
    groups.flat_map(|w| w.spin.to_array()).collect()
}

#[test]
fn a_wheel_comes_off_and_on_again_in_a_driven_car() {
    let four = kind(lopsided(), geared(Some(1e4)));
    let mut off = lopsided();
    off.enable_only(&[0, 1, 3]).unwrap();
    let three = Arc::new(four.with_params(Checked::new(off).unwrap()).unwrap());
    let mut world = rolling(&four);
    world.car.set_kind(three);
    assert!(kick(&mut world) < KICK);
    world.run(1.0);
    assert_eq!(spins(&world)[2], 0.0);
    assert_eq!(world.forces()[2], 0.0);
    assert!(world.car.contacts()[2].is_none());
    assert!(world.lean() < 0.01, "{}", world.lean());
    let control = &world.car.control().wheels[0];
    assert_eq!(control.torque_share.lane(2), 0.0);
    assert!((control.torque_share.sum() - 1.0).abs() < 1e-6);
    let drive = world.car.state().drive;
    let mean: f32 = spins(&world).iter().sum::<f32>() / 3.0;
    assert!(
        (drive.engine_speed - 8.0 * mean).abs() < 0.5,
        "{drive:?} {mean}"
    );

    world.car.set_kind(four);
    let [a, b, c, d] = spins(&world)[..] else {
        panic!("four wheels");
    };
    assert!((c - (a + b + d) / 3.0).abs() < 1e-3, "{c}");
    assert!(kick(&mut world) < KICK);
    world.run(1.0);
    assert!(world.forces()[2] > 1000.0, "{:?}", world.forces());
}

#[test]
fn a_parked_car_stays_when_wheels_come_off() {
    let six = params(six_wheeler);
    let four = six.with_wheels(&[0, 1, 4, 5]).unwrap();
    let (six, four) = (
        kind(six, testing::no_drive()),
        kind(four, testing::no_drive()),
    );
    let mut world = World::new(&six, 0.1, 0.0);
    world.run(2.0);
    let place = world.body.position;
    world
        .car
        .set_kind_with(Arc::clone(&four), &[0, 1, 4, 5].map(Some));
    world.run(1.0);
    let down = (world.body.position - place).length();
    assert!(down < 0.002, "{down}");
    world
        .car
        .set_kind_with(Arc::clone(&six), &[0, 1, 0, 1, 2, 3].map(Some));
    world.run(1.0);
    let up = (world.body.position - place).length();
    assert!(up < 0.002, "{up}");
}

#[test]
fn wheels_that_were_none_roll_as_the_others_do() {
    let six = params(six_wheeler);
    let four = six.with_wheels(&[0, 1, 4, 5]).unwrap();
    let (six, four) = (kind(six, geared(None)), kind(four, geared(None)));
    let mut world = rolling(&four);
    let before = spins(&world);
    let map = [Some(0), Some(1), None, None, Some(2), Some(3)];
    world.car.set_kind_with(Arc::clone(&six), &map);
    let after = spins(&world);
    assert_eq!([after[0], after[5]], [before[0], before[3]]);
    let mean = before.iter().sum::<f32>() / 4.0;
    assert!((after[2] - mean).abs() < 1e-3, "{after:?}");
    assert!(kick(&mut world) < KICK);
    assert!(world.forces().iter().all(|force| *force > 1000.0));
}

#[test]
fn a_car_becomes_a_three_wheeler_on_the_way() {
    for layout in [ThreeWheeler::Tadpole, ThreeWheeler::Delta] {
        let four = kind(params(|_| ()), geared(None));
        let three = kind(
            params(|p| p.make_three_wheeler(layout).unwrap()),
            geared(None),
        );
        let mut world = rolling(&four);
        world.car.set_kind(three);
        world.run(2.0);
        let gone = world.forces()[layout.removed()];
        assert_eq!(gone, 0.0);
        let carried: f32 = world.forces().iter().sum();
        assert!((carried - 1500.0 * 9.81).abs() < 30.0, "{carried}");
        assert!(world.lean() < 0.02 && world.velocity().x > 10.0);
    }
}

#[test]
fn the_centre_of_mass_moves_without_a_jump() {
    let shift = Vec3::new(0.2, 0.0, -0.1);
    let moved = params(|p| p.move_centre_of_mass(shift).unwrap());
    let (before, after) = (
        kind(params(|_| ()), geared(None)),
        kind(moved, geared(None)),
    );
    let mut world = rolling(&before);
    let wheel = |world: &World| {
        let place = world.car.wheel_pose(0).position;
        let offset = world.car.kind().params().from_centre_of_mass(place);
        let offset = math::matrix(world.body.rotation) * offset;
        world.body.position + offset.as_dvec3()
    };
    let start = wheel(&world);
    world.car.set_kind(after);
    let way = math::matrix(world.body.rotation) * shift;
    world.body.position += way.as_dvec3();
    assert!(kick(&mut world) < KICK);
    let way = (wheel(&world) - start).as_vec3() - world.velocity() * DT;
    assert!(way.length() < 0.005, "{way}");
}

#[test]
fn a_vehicle_moves_over_to_another_body() {
    let kind = kind(params(|_| ()), testing::no_drive());
    let mut world = World::new(&kind, 0.0, 0.0);
    world.car.filter_mut().ignore[1] = Some(BodyId(3));
    world.run(1.0);
    let state = world.car.state().wheels.clone();
    world.car.set_body(BodyId(4));
    assert_eq!(world.car.body(), BodyId(4));
    assert_eq!(
        world.car.filter_mut().ignore,
        [Some(BodyId(4)), Some(BodyId(3))]
    );
    assert_eq!(world.car.state().wheels, state);
    let place = world.body.position;
    world.run(1.0);
    assert!((world.body.position - place).length() < 1e-3);
}
