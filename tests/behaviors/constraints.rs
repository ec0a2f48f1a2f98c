//! Friction as bounded velocity constraints: a law of the rows solver. The suite has what every world is held to.

use jounce::core::CarCommand;
use jounce::file::Car;
use jounce::presets;
use proving_ground::stage::car_with;
use proving_ground::world::WorldKind;
use vehicle_conformance::stability::{Scene, Setup, Stage};

use super::FREE;

/// The mean slip angle of a sedan's wheels in a bend at 10 m/s (`rad`).
fn slip_in_a_bend(car: &Car) -> f32 {
    let fast = Scene {
        speed: 10.0,
        ..Scene::IN_FIRST
    };
    let bend = CarCommand {
        steer: 0.15,
        clutch: 1.0,
        ..FREE
    };
    let setup = Setup {
        world: WorldKind::Standalone,
        car,
    };
    let mut stage = Stage::new(&setup, &fast, super::RATE).expect("the scene can be made");
    stage.run(2.0, &bend).unwrap();
    let rate = stage.body().unwrap().angular_velocity.z;
    assert!(rate < -0.1, "it turns: {rate}");
    let wheels = (0..4).map(|n| stage.vehicle.wheel_report(n));
    wheels.map(|wheel| wheel.slip_angle.abs()).sum::<f32>() / 4.0
}

/// A contact with enough friction hardly slides: no more than toe and steering geometry make its wheels disagree.
#[test]
fn a_constrained_contact_follows_its_wheel() {
    let sticking = toml::Table::from_iter([("model".to_owned(), "friction".into())]);
    let tires = toml::Table::from_iter(
        ["front", "rear"].map(|name| (name.to_owned(), sticking.clone().into())),
    );
    let constrained = car_with("hatchback", "tires", tires).expect("it is valid");
    let own = presets::hatchback();
    let [own, constrained] = [&own, &constrained].map(slip_in_a_bend);
    println!("{constrained} rad, {own} rad on its own tires");
    assert!(
        constrained < 0.006 && constrained < 0.5 * own,
        "{constrained} {own}"
    );
}
