//! Cars driven straight ahead, without steering.

use proving_ground::stage::FLAT_OUT;
use proving_ground::world::WorldKind;
use vehicle_conformance::stability::Scene;

use super::{car, stage};

/// Full throttle for 18 s: the difference between left and right that the order of the wheels in a
/// solver sweep causes stays small, even where spinning wheels amplify it.
#[test]
fn full_throttle_leads_straight_on() {
    for (name, bound) in [("sedan", 0.05), ("truck", 0.05), ("sports-car", 1.5)] {
        let mut stage = stage(WorldKind::Standalone, &car(name), &Scene::IN_FIRST);
        let start = stage.body().unwrap().position;
        stage.run(18.0, &FLAT_OUT).unwrap();
        let way = stage.body().unwrap().position - start;
        println!("{name}: {:.3} m aside after {:.0} m", way.y, way.x);
        assert!(way.x > 150.0 && way.y.abs() < bound, "{name}: {way}");
    }
}
