//! Cars that are not computed in every tick.

use backend_avian::{VehicleComponent, VehicleDetail};
use glam::Vec3;
use jounce::file::Car;
use vehicle_core::{CarCommand, Detail};

use super::{FULL, Game, PARKED, driven, game, sedan};

/// `VehicleDetail`: fewer queries change nothing on level ground. With fewer updates, the command
/// and each change of force take effect up to two ticks late: 1.6 % of the distance of a standing
/// start. (The shipped sedan's softer carcasses wind up first, which takes up to 3.6 %.)
#[test]
fn a_car_with_less_detail_drives_like_one_with_full() {
    let mut game = game();
    let details = [(1, 1), (8, 1), (1, 3), (4, 2)].map(|(probe_every, update_every)| Detail {
        probe_every,
        update_every,
    });
    let stiff = Car::parse(jounce::presets::BENCHMARK_SEDAN, "sedan").unwrap();
    let mut lane = 0.0;
    let cars = details.map(|detail| {
        let place = Vec3::X * lane;
        lane += 16.0;
        let car = game.spawn((driven(&stiff, place), VehicleDetail(detail)));
        (car, place)
    });
    game.ticks(64);
    let gentle = CarCommand {
        throttle: 0.6,
        automatic: false,
        ..FULL
    };
    for (car, _) in cars {
        game.command(car, gentle);
    }
    game.ticks(3 * 64);
    let way = |n: usize| game.place(cars[n].0) - cars[n].1;
    let full = way(0);
    assert!(full.z < -8.0, "{full}");
    for (n, detail) in details.iter().enumerate().skip(1) {
        let off = (way(n) - full).length() / full.length();
        let bound = if detail.update_every == 1 { 1e-3 } else { 0.02 };
        assert!(off < bound, "{detail:?}: {off} of {full}");
    }
    let asked = |n: usize| {
        let vehicle = game.get::<VehicleComponent>(cars[n].0);
        assert_eq!(vehicle.fault(), None);
        vehicle
            .core()
            .wheel_reports()
            .any(|wheel| wheel.ground.is_some())
    };
    assert!(asked(0), "in every tick");
}

/// Ticks until a car that has slept for so many wakes once its ground is gone.
fn notices_after(asleep: u32) -> u32 {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::ZERO));
    game.command(car, PARKED);
    game.ticks(4 * 64 + asleep as usize);
    let sleeps = |game: &Game| game.get::<VehicleComponent>(car).core().sleeps();
    assert!(sleeps(&game));
    let mut vehicle = game.app.world_mut().get_mut::<VehicleComponent>(car);
    let vehicle = vehicle.as_mut().unwrap().core_mut();
    vehicle.filter_mut().layers = 0;
    let mut ticks = 1..=2 * Detail::ASLEEP;
    let noticed = ticks.find(|_| {
        game.ticks(1);
        !sleeps(&game)
    });
    noticed.expect("it wakes")
}

/// `Detail::while_asleep`: a sleeping car looks for its ground when its turn comes, and not before.
#[test]
fn a_sleeping_car_probes_in_its_turn() {
    let mut waits: Vec<u32> = (0..Detail::ASLEEP).map(notices_after).collect();
    waits.sort_unstable();
    let turns: Vec<u32> = (1..=Detail::ASLEEP).collect();
    assert_eq!(waits, turns);
}

/// `VehicleComponent::knows_ground`: a car spawned or reset long before its turn still stands.
#[test]
fn a_car_does_not_fall_before_its_turn() {
    let mut game = game();
    let detail = Detail {
        probe_every: 60,
        update_every: 1,
    };
    // With three in a row, at most one has its turn when it comes.
    let cars: Vec<_> = (0..3)
        .map(|n| game.spawn((sedan(Vec3::X * 8.0 * n as f32), VehicleDetail(detail))))
        .collect();
    game.ticks(20);
    for &car in &cars {
        let mut vehicle = game
            .app
            .world_mut()
            .get_mut::<VehicleComponent>(car)
            .unwrap();
        vehicle.core_mut().reset_to_rest();
    }
    game.ticks(20);
    for car in cars {
        let height = game.place(car).y;
        assert!(height > -0.05, "{height}");
        let mut wheels = game.get::<VehicleComponent>(car).core().wheel_reports();
        assert!(wheels.any(|wheel| !wheel.in_air));
    }
}
