//! Parked cars that are moved, with their world or without it.

use glam::DVec3;
use proving_ground::world::WorldKind;
use vehicle_conformance::stability::{Scene, Stage};

use super::{BRAKED, car, stage, way};

/// A car that has stood on a slope of 20° for some time, nose down.
fn parked(world: WorldKind, name: &str) -> Stage {
    let mut stage = stage(world, &car(name), &Scene::nose_down(20.0));
    stage.run(4.0, &BRAKED).unwrap();
    stage
}

/// Asserts that the car stands for another 5 s.
fn assert_stands(stage: &mut Stage, what: &str) {
    let way = way(stage, 5.0).unwrap();
    assert!(way < 5e-4, "{what}: {way} m");
}

/// 100 m down the slope, without notice to the vehicle.
#[test]
fn a_teleported_car_stays_parked() {
    for &world in WorldKind::all() {
        for name in vehicle_conformance::stability::CARS {
            let mut stage = parked(world, name);
            let body = stage.vehicle.body();
            let by = Scene::nose_down(20.0).downhill().as_dvec3() * 100.0;
            stage.world.teleport(body, by).unwrap();
            assert_stands(&mut stage, &format!("{world:?} {name}"));
        }
    }
}

/// A parked car that is nudged stays at its new position.
#[test]
fn a_parked_car_stays_where_it_is_nudged_to() {
    for &world in WorldKind::all() {
        for millimeters in [1.0, 2.0, 5.0] {
            let mut stage = parked(world, "sedan");
            let before = stage.body().unwrap().position;
            let by = Scene::nose_down(20.0).downhill().as_dvec3() * (1e-3 * millimeters);
            let body = stage.vehicle.body();
            stage.world.teleport(body, by).unwrap();
            stage.run(2.0, &BRAKED).unwrap();
            let moved = stage.body().unwrap().position - before;
            let off = (moved - by).length();
            assert!(off < 2e-4, "{world:?} {millimeters} mm: {moved}");
        }
    }
}

/// `Vehicle::shift_origin`: the world's origin moves, and the vehicle is notified.
#[test]
fn a_car_that_is_told_of_a_new_origin_stays_parked() {
    for_origins(|stage, to| stage.vehicle.shift_origin(to));
}

/// The world's origin moves, without notice to the vehicle.
#[test]
fn a_car_that_is_not_told_of_a_new_origin_stays_parked() {
    for_origins(|_, _| ());
}

fn for_origins(tell: impl Fn(&mut Stage, DVec3)) {
    let origins = [DVec3::new(1.0, -2.0, 0.5), DVec3::new(200.0, -300.0, 40.0)];
    for &world in WorldKind::all() {
        for to in origins {
            let mut stage = parked(world, "sedan");
            stage.world.shift_origin(to).unwrap();
            tell(&mut stage, to);
            assert_stands(&mut stage, &format!("{world:?} {to}"));
        }
    }
}

/// A change of the origin does not affect a driving car either.
#[test]
fn a_driven_car_crosses_into_new_coordinates() {
    let to = DVec3::new(30.0, -20.0, 4.0);
    let throttle = jounce::core::CarCommand {
        throttle: 0.5,
        ..super::FREE
    };
    for &world in WorldKind::all() {
        let end = |shifted: bool| {
            let scene = Scene {
                speed: 15.0,
                gear: jounce::core::Gear(3),
                ..Scene::LEVEL
            };
            let mut stage = stage(world, &car("sedan"), &scene);
            stage.run(1.0, &throttle).unwrap();
            if shifted {
                stage.world.shift_origin(to).unwrap();
                stage.vehicle.shift_origin(to);
            }
            stage.run(1.0, &throttle).unwrap();
            let back = if shifted { to } else { DVec3::ZERO };
            (stage.position().unwrap() + back, stage.velocity())
        };
        let ((place, speed), (other, other_speed)) = (end(false), end(true));
        assert!(place.distance(other) < 1e-3, "{world:?}: {place} {other}");
        assert!(speed.distance(other_speed) < 1e-3, "{world:?}");
    }
}
