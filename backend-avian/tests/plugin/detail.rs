//! Cars that are not computed in every tick.

use backend_avian::{Vehicle, VehicleDetail};
use glam::Vec3;
use vehicle_core::{CarCommand, Detail};

use crate::{FULL, game, sedan};

/// `VehicleDetail`: fewer queries change nothing on level ground; fewer updates change a standing start, the
/// worst of all drives because of the clutch that slips, by less than a tenth.
#[test]
fn a_car_of_little_detail_drives_as_one_of_full() {
    let mut game = game();
    let details = [(1, 1), (8, 1), (1, 3), (4, 2)].map(|(probe_every, update_every)| Detail {
        probe_every,
        update_every,
    });
    let cars = details.map(|detail| {
        let lane = 16 * detail.probe_every + 300 * detail.update_every;
        let place = Vec3::X * lane as f32;
        let car = game.spawn((sedan(place), VehicleDetail(detail)));
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
    for n in 1..cars.len() {
        let off = way(n) - full;
        println!("{:?}: {off} of {full}", details[n]);
        assert!(
            off.length() < 0.03 * full.length(),
            "{:?}: {off}",
            details[n]
        );
    }
    let asked = |n: usize| {
        let vehicle = game.get::<Vehicle>(cars[n].0);
        assert_eq!(vehicle.fault(), None);
        vehicle.core().contacts().iter().any(Option::is_some)
    };
    assert!(asked(0), "in every tick");
}
