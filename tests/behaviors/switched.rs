//! Cars that change their solver while they drive.

use proving_ground::stage::car_with;
use proving_ground::world::WorldKind;
use vehicle_conformance::stability::Scene;

use super::{FREE, car, stage};

/// `Vehicle::set_model`: the first step after a change of solver changes the velocity by at most
/// half of what gravity does.
#[test]
fn a_coasting_car_changes_its_solver_without_a_kick() {
    const DT: f32 = 1.0 / 60.0;
    let models = [
        car("sedan").model(),
        car_with("sedan", "solver", "explicit").unwrap().model(),
    ];
    for &world in WorldKind::all() {
        let scene = Scene {
            speed: 20.0,
            ..Scene::LEVEL
        };
        let mut stage = stage(world, &car("sedan"), &scene);
        stage.run(1.0, &FREE).unwrap();
        for n in 0..8 {
            stage.vehicle.set_model(models[(n + 1) % 2].clone());
            let before = stage.body().unwrap().linear_velocity;
            stage.run(DT, &FREE).unwrap();
            let change = stage.body().unwrap().linear_velocity - before;
            let what = format!("{world:?}, change {n}: {change}");
            assert!(change.length() < 0.5 * 9.81 * DT, "{what}");
            stage.run(0.5, &FREE).unwrap();
        }
        assert!(stage.velocity().x > 15.0);
    }
}
