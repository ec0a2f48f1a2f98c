use super::*;
use proving_ground::course::CourseName;

const AHEAD: CarCommand = CarCommand {
    throttle: 1.0,
    brake: 0.0,
    handbrake: 0.0,
    steer: 0.1,
    clutch: 0.0,
    gear: jounce::core::GearCommand::Hold,
    automatic: true,
    steering_wheel: None,
    levers: jounce::core::Levers::RELEASED,
};

fn sim() -> Sim {
    let start = SessionStart {
        course: CourseName::SkidPad,
        ..SessionStart::of("sedan").unwrap()
    };
    Sim::new(start).unwrap()
}

/// Frames of this length (`s`) for a second.
fn second(sim: &mut Sim, frame: f32) {
    for _ in 0..(1.0 / frame).round() as u32 {
        sim.pass(frame, |_, _| AHEAD).unwrap();
    }
}

#[test]
fn the_motion_does_not_depend_on_the_frame_rate() {
    let hash_after = |frame: f32| {
        let mut sim = sim();
        while sim.session().steps() < 120 {
            sim.pass(frame, |_, _| AHEAD).unwrap();
        }
        sim.session().steps()
    };
    assert_eq!(hash_after(1.0 / 240.0), 120);
    let hash = |frame: f32| {
        let mut sim = sim();
        second(&mut sim, frame);
        while sim.session().steps() < 64 {
            sim.step(&AHEAD).unwrap();
        }
        sim.session().hash().to_owned()
    };
    assert_eq!(hash(1.0 / 240.0), hash(1.0 / 25.0));
}

#[test]
fn slow_motion_and_a_pause_take_fewer_steps() {
    let mut sim = sim();
    sim.pace = 0.25;
    second(&mut sim, 1.0 / 60.0);
    assert!((14..=16).contains(&sim.session().steps()));
    sim.paused = true;
    let before = sim.session().steps();
    second(&mut sim, 1.0 / 60.0);
    assert_eq!(sim.session().steps(), before);
    sim.step(&AHEAD).unwrap();
    assert_eq!(sim.session().steps(), before + 1);
}

#[test]
fn shown_poses_lie_between_steps() {
    let mut sim = sim();
    second(&mut sim, 1.0 / 60.0);
    let [from, to] = [&sim.before, &sim.after].map(|moving| moving.car.places[0].position.x);
    sim.due = 0.5 * sim.session().dt();
    let shown = sim.moving().car.places[0].position.x;
    assert!(from < to && (shown - 0.5 * (from + to)).abs() < 1e-9);
}

#[test]
fn rewinding_returns_to_the_same_bits_and_drives_on() {
    for world in ["standalone", "rapier"] {
        let mut sim = sim();
        sim.change(Change::World(world.to_owned())).unwrap();
        second(&mut sim, 1.0 / 60.0);
        let (steps, hash) = (sim.session().steps(), sim.session().hash().to_owned());
        for _ in 0..95 {
            sim.step(&AHEAD).unwrap();
        }
        let far = sim.session().hash().to_owned();
        sim.rewind(95.0 / 60.0).unwrap();
        assert_eq!(sim.session().steps(), steps);
        assert_eq!(sim.session().hash(), hash);
        for _ in 0..95 {
            sim.step(&AHEAD).unwrap();
        }
        assert_eq!(sim.session().hash(), far);
        let again = Sim::replayed(sim.session().recording()).unwrap();
        assert_eq!(again.session().hash(), far);
    }
}

#[test]
fn a_ghost_drives_beside_in_another_engine() {
    let mut sim = sim();
    second(&mut sim, 1.0 / 60.0);
    let other = Change::World("rapier".to_owned());
    sim.haunt(Some(("rapier".to_owned(), other))).unwrap();
    assert_eq!(sim.ghost().unwrap().0, "rapier");
    second(&mut sim, 1.0 / 60.0);
    let (_, apart) = sim.ghost().unwrap();
    assert!(apart > 0.0 && apart < 0.05, "{apart}");
    assert_eq!(sim.moving().ghost.places.len(), 5);
    sim.haunt(None).unwrap();
    assert!(sim.ghost().is_none());
}
