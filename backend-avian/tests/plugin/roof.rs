//! A car on another car's roof: ground that moves, and yields to the load.

use avian3d::prelude::Rotation;
use backend_avian::{GroundOptions, VehicleComponent, VehicleGround};
use bevy::prelude::Entity;
use glam::{Quat, Vec3};
use jounce::file::Car;
use vehicle_core::CarCommand;

use super::{FULL, Game, driven, game};

const BRAKED: CarCommand = CarCommand {
    throttle: 0.0,
    brake: 1.0,
    ..FULL
};

/// Deflection of the springs at the origin under a load (`N`) that far ahead of it (`m`).
fn sag_at_origin(car: &Car, load: f32, ahead: f32) -> f32 {
    let model = car.model();
    let wheels = model.params().wheels.iter();
    let [k, kx, kxx] = wheels.fold([0.0; 3], |[a, b, c], wheel| {
        let (x, k) = (wheel.position.x, wheel.suspension.stiffness);
        [a + k, b + k * x, c + k * x * x]
    });
    // Forces and moments of springs deflected by `sag + tilt·x`.
    load * (kxx - ahead * kx) / (k * kxx - kx * kx)
}

/// Position of the upper car in the axes of the lower one.
fn seat(game: &Game, lower: Entity, upper: Entity) -> Vec3 {
    let turned: Quat = game.get::<Rotation>(lower).0;
    turned.inverse() * (game.place(upper) - game.place(lower))
}

#[test]
fn a_braked_car_rides_on_the_roof_of_a_truck() {
    let car = |name| jounce::presets::by_name(name).unwrap();
    let (truck, small) = (car("truck"), car("hatchback"));
    let roof = truck.hull.center.z + 0.5 * truck.hull.size.z;
    let mut game = game();
    game.app.insert_resource(VehicleGround(GroundOptions {
        drive_on_vehicles: true,
        ..GroundOptions::default()
    }));
    let lower = game.spawn(driven(&truck, Vec3::ZERO));
    game.command(lower, BRAKED);
    game.ticks(8 * 64);
    let empty = game.place(lower).y;

    let upper = game.spawn(driven(&small, Vec3::Y * (roof + empty - 0.08)));
    game.command(upper, BRAKED);
    game.ticks(8 * 64);
    let sag = empty - game.place(lower).y;
    let expected = sag_at_origin(&truck, small.mass() * 9.81, small.center_of_mass().x);
    let right = (sag - expected).abs() < 0.05 * expected;
    assert!(right, "{sag} of {expected} m");

    let (before, start) = (seat(&game, lower, upper), game.place(lower));
    let half = CarCommand {
        throttle: 0.5,
        automatic: false,
        ..FULL
    };
    game.command(lower, half);
    game.ticks(4 * 64);
    let way = (game.place(lower) - start).length();
    assert!(way > 3.0, "{way} m");
    let slid = seat(&game, lower, upper) - before;
    let slid = Vec3::new(slid.x, 0.0, slid.z).length();
    // The ground's velocity is that of the previous step, so the car slides while the truck
    // accelerates: 4 to 8 cm, as measured; the bound is not a closed form.
    assert!(slid < 0.01 * way, "{slid} m of {way}");
    assert_eq!(game.faults(), []);
    let mut wheels = game.get::<VehicleComponent>(upper).core().wheel_reports();
    assert!(wheels.any(|wheel| wheel.ground.is_some_and(|hit| hit.body.is_some())));
}
