//! Batches as a whole.

mod lives;
mod towing;
mod tracks;

use glam::DVec2;
use jounce::core::lanes::W4;
use jounce::presets;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use rstest::rstest;

use super::*;
use crate::random::Uniform;
use crate::setup::Randomize;
use crate::task::{Goal, Limits};

fn terrain(spec: GroundSpec) -> Terrain {
    Terrain::new(&spec, MeshUp::Z).unwrap()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn setup(count: usize) -> Setup {
    Setup::new(presets::sedan(), count, terrain(GroundSpec::Flat))
}

/// Steps all cars by the same action, and returns the last results.
fn drive(batch: &mut Batch, action: &[f32], steps: usize) -> Steps {
    let actions = action.repeat(batch.count());
    let mut out = Steps::default();
    for _ in 0..steps {
        batch.step(&actions, &mut out).unwrap();
    }
    out
}

fn column(batch: &Batch, name: &str) -> Vec<f32> {
    batch.get(&names(&[name])).unwrap().1
}

#[rstest]
#[case::throttle(&[1.0, 0.0], "body.velocity.x", 3.0, 9.0)]
#[case::left(&[0.3, -0.5], "body.rate.z", 0.05, 2.0)]
#[case::right(&[0.3, 0.5], "body.rate.z", -2.0, -0.05)]
#[case::still(&[-1.0, 0.0], "body.velocity.x", -1e-3, 1e-3)]
#[case::loads(&[0.0, 0.0], "wheel.front_left.tire_load", 2000.0, 6000.0)]
#[case::accelerates(&[1.0, 0.0], "body.acceleration.x", 1.0, 6.0)]
fn cars_do_what_they_are_told(
    #[case] action: &[f32],
    #[case] name: &str,
    #[case] low: f32,
    #[case] high: f32,
) {
    let mut batch = Batch::new(&setup(3)).unwrap();
    drive(&mut batch, action, 40);
    for value in column(&batch, name) {
        assert!(low < value && value < high, "{value}");
    }
}

#[test]
fn a_car_reverses_in_the_direction_reverse() {
    let mut setup = setup(1);
    setup.actions = names(&["direction", "throttle"]);
    let mut batch = Batch::new(&setup).unwrap();
    drive(&mut batch, &[-1.0, 0.5], 60);
    assert!(column(&batch, "body.velocity.x")[0] < -1.0);
    assert_eq!(column(&batch, "drive.gear"), [-1.0]);
}

#[test]
fn a_rolling_start_keeps_its_speed() {
    let mut setup = setup(4);
    setup.randomize.speed = Uniform {
        low: 10.0,
        high: 30.0,
    };
    let mut batch = Batch::new(&setup).unwrap();
    let before = column(&batch, "body.velocity.x");
    drive(&mut batch, &[0.0, 0.0], 5);
    for (before, after) in before.iter().zip(column(&batch, "body.velocity.x")) {
        assert!((10.0..30.0).contains(before));
        let lost = before - after;
        assert!((0.0..0.5).contains(&lost), "{before} to {after} m/s");
    }
}

#[test]
fn grip_payload_and_wind_act() {
    let mut batch = Batch::new(&setup(4)).unwrap();
    batch
        .set(Parameter::Grip, &[1.0, 0.3, 1.0, 1.0], None)
        .unwrap();
    let mask = [false, true, true, false];
    batch
        .set(Parameter::Payload, &[500.0, 0.0, 300.0, 500.0], Some(&mask))
        .unwrap();
    batch
        .set(Parameter::WindY, &[0.0, 0.0, 0.0, 25.0], None)
        .unwrap();
    assert_eq!(batch.parameter(Parameter::Payload), [0.0, 0.0, 300.0, 0.0]);
    drive(&mut batch, &[1.0, 0.0], 40);
    let speed = column(&batch, "body.velocity.x");
    assert!(
        speed[1] < 0.9 * speed[0] && speed[2] < 0.95 * speed[0],
        "{speed:?}"
    );
    let heights = column(&batch, "body.position.z");
    assert!(heights[2] < heights[0] - 0.01, "{heights:?}");
    let aside = column(&batch, "air.side_force");
    assert!(aside[0] == 0.0 && aside[3] > 100.0, "{aside:?}");
    batch.reset(None, None, None).unwrap();
    assert_eq!(batch.parameter(Parameter::Payload), [0.0; 4]);
    assert_eq!(batch.parameter(Parameter::Grip), [1.0; 4]);
}

#[rstest]
#[case(Parameter::Grip, &[1.0, -0.1], "grip[1] = -0.1: must be within 0..=10")]
#[case(Parameter::Payload, &[1e7, 0.0], "payload[0] = 10000000 kg: must be within 0..=1000000")]
#[case(Parameter::WindX, &[0.0, f32::NAN], "wind.x[1] = NaN: must be finite")]
#[case(Parameter::WindY, &[0.0], "wind.y = 1: must be 2 values")]
fn bad_parameters_are_refused(
    #[case] parameter: Parameter,
    #[case] values: &[f32],
    #[case] expected: &str,
) {
    let mut batch = Batch::new(&setup(2)).unwrap();
    let error = batch.set(parameter, values, None).unwrap_err().to_string();
    assert_eq!(error, expected);
    assert!(
        Parameter::named("gripp")
            .unwrap_err()
            .to_string()
            .contains("grip?")
    );
}

#[test]
fn bad_actions_are_refused_before_any_car_moves() {
    let mut batch = Batch::new(&setup(3)).unwrap();
    drive(&mut batch, &[1.0, 0.0], 3);
    let before = batch.snapshot(None).unwrap();
    let mut out = Steps::default();
    let mut told = |actions: &[f32]| batch.step(actions, &mut out).unwrap_err().to_string();
    let nan = [0.0, 0.0, 0.0, 0.0, f32::NAN, 0.0];
    assert_eq!(told(&nan), "actions[2, 0] = NaN: must be finite");
    assert_eq!(told(&[0.0; 5]), "actions = 5: must be 6 values");
    assert_eq!(batch.snapshot(None).unwrap(), before);
}

#[test]
fn bad_resets_move_no_car() {
    let mut batch = Batch::new(&setup(2)).unwrap();
    drive(&mut batch, &[1.0, 0.0], 3);
    let before = batch.snapshot(None).unwrap();
    let start = |x: f64| Start {
        position: DVec2::new(x, 0.0),
        heading: 0.0,
    };
    let starts = [start(0.0), start(f64::NAN)];
    let error = batch
        .reset(None, None, Some(&starts))
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "at[1].x = NaN m: must be within -10000000..=10000000"
    );
    assert!(batch.reset(Some(&[true]), Some(7), None).is_err());
    assert_eq!(batch.snapshot(None).unwrap(), before);
}

#[test]
fn a_start_without_ground_moves_no_car() {
    let mut batch = Batch::new(&Setup::new(
        presets::sedan(),
        2,
        terrain(GroundSpec::Hills(1)),
    ));
    let batch = batch.as_mut().unwrap();
    let before = batch.snapshot(None).unwrap();
    let start = |x: f64| Start {
        position: DVec2::new(x, 0.0),
        heading: 0.0,
    };
    let error = batch.reset(None, Some(3), Some(&[start(0.0), start(9e5)]));
    assert!(matches!(error, Err(BatchError::Ground(_))), "{error:?}");
    assert_eq!(batch.snapshot(None).unwrap(), before);
}

#[test]
fn bad_setups_are_refused() {
    let told = |change: fn(&mut Setup)| {
        let mut setup = setup(2);
        change(&mut setup);
        Batch::new(&setup).unwrap_err().to_string()
    };
    assert_eq!(told(|it| it.count = 0), "count = 0: must be >= 1");
    assert_eq!(told(|it| it.dt = -1.0), "dt = -1 s: must be > 0");
    assert_eq!(
        told(|it| it.dt = f32::INFINITY),
        "dt = inf s: must be finite"
    );
    assert_eq!(told(|it| it.actions.clear()), "actions = 0: must be >= 1");
    let mixed = told(|it| it.cars.push(presets::load("truck-6x6").unwrap()));
    assert_eq!(mixed, "cars = 6 of truck-6x6: must be of 4 wheels");
    let grip = told(|it| it.randomize.grip = Uniform::fixed(-1.0));
    assert!(
        grip.starts_with("randomize.grip = -1..-1: must be"),
        "{grip}"
    );
}

#[test]
fn limits_cut_and_end_episodes() {
    let mut setup = setup(2);
    setup.limits = Limits {
        time: 1.0,
        distance: 1.5,
        ..Limits::default()
    };
    setup.rewards = vec![("failure".to_owned(), -5.0), ("time".to_owned(), 1.0)];
    let mut batch = Batch::new(&setup).unwrap();
    let mut out = Steps::default();
    let (mut cut_after, mut ended_after) = (None, None);
    for n in 1..=40 {
        batch.step(&[-1.0, 0.0, 1.0, 0.0], &mut out).unwrap();
        if out.cut[0] && cut_after.is_none() {
            cut_after = Some(n);
            assert!(!out.ended[0] && (out.rewards[0] - 0.05).abs() < 1e-6);
        }
        if out.ended[1] && ended_after.is_none() {
            ended_after = Some(n);
            assert_eq!(out.terms[2], -5.0);
            assert!((out.rewards[1] - (-5.0 + 0.05)).abs() < 1e-6);
        }
    }
    assert_eq!(cut_after, Some(20));
    assert!(
        ended_after.is_some_and(|n| (15..40).contains(&n)),
        "{ended_after:?}"
    );
}

#[test]
fn a_goal_is_approached_and_reached() {
    let mut setup = setup(1);
    setup.goal = Some(Goal {
        x: Uniform::fixed(8.0),
        y: Uniform::fixed(0.0),
        heading: Uniform::fixed(0.0),
        radius: 0.5,
        angle: 0.1,
        speed: f32::INFINITY,
    });
    setup.rewards = vec![("approach".to_owned(), 1.0), ("reached".to_owned(), 100.0)];
    setup.observe = names(&["goal.distance"]);
    let mut batch = Batch::new(&setup).unwrap();
    let (mut out, mut sum) = (Steps::default(), 0.0);
    assert_eq!(column(&batch, "goal.x"), [8.0]);
    for _ in 0..60 {
        batch.step(&[0.5, 0.0], &mut out).unwrap();
        sum += out.rewards[0];
        if out.ended[0] {
            break;
        }
    }
    assert!(out.ended[0] && !out.cut[0] && out.observations[0] < 0.5);
    assert!((sum - (108.0 - out.observations[0])).abs() < 1e-3, "{sum}");
}

#[test]
fn models_are_dealt_in_turn_or_drawn() {
    let mut setup = setup(60);
    setup.cars.push(presets::hatchback());
    let masses = |batch: &Batch| {
        let records = snapshot::read(&batch.snapshot(None).unwrap()).unwrap();
        let mass = |record: &snapshot::CarRecord| record.body.now().mass;
        records.iter().map(mass).collect::<Vec<_>>()
    };
    let [sedan, hatchback] = [presets::sedan().mass(), presets::hatchback().mass()];
    let batch = Batch::new(&setup).unwrap();
    assert_eq!(masses(&batch)[..3], [sedan, hatchback, sedan]);
    setup.randomize = Randomize {
        model: true,
        ..Randomize::NOTHING
    };
    let mut batch = Batch::new(&setup).unwrap();
    let share = |batch: &Batch| masses(batch).iter().filter(|&&mass| mass == sedan).count();
    assert!((15..45).contains(&share(&batch)), "{}", share(&batch));
    let before = masses(&batch);
    batch.reset(None, None, None).unwrap();
    assert_ne!(masses(&batch), before);
    drive(&mut batch, &[1.0, 0.0], 2);
    assert!(batch.refusals().is_empty());
}

#[test]
fn a_refused_car_is_cut_with_its_reason_and_others_go_on() {
    let mut batch = Batch::new(&setup(3)).unwrap();
    let mut records = snapshot::read(&batch.snapshot(None).unwrap()).unwrap();
    records.truncate(2);
    records[1].vehicle.wheels[0].spin = W4::splat(f32::NAN);
    batch.restore(&snapshot::written(records), None).unwrap();
    let out = drive(&mut batch, &[1.0, 0.0], 1);
    assert_eq!(out.refused, [false, true, false]);
    assert_eq!(out.cut, [false, true, false]);
    assert_eq!(out.ended, [false; 3]);
    let refusals = batch.refusals();
    assert_eq!(refusals.len(), 1);
    assert!(
        refusals[0].0 == 1 && refusals[0].1.contains("finite"),
        "{refusals:?}"
    );
    assert!(out.observations.iter().all(|number| number.is_finite()));
}

#[test]
fn snapshots_of_other_batches_are_refused() {
    let mut batch = Batch::new(&setup(2)).unwrap();
    let bytes = batch.snapshot(Some(&[true, false])).unwrap();
    let told = |batch: &mut Batch, bytes: &[u8], mask: Option<&[bool]>| {
        batch.restore(bytes, mask).unwrap_err().to_string()
    };
    assert!(told(&mut batch, &bytes[..40], None).starts_with("snapshot = "));
    let missing = "mask = a mask with car 1: must be of cars in the snapshot";
    assert_eq!(told(&mut batch, &bytes, Some(&[true, true])), missing);
    let three = Batch::new(&setup(3)).unwrap();
    let third = three.snapshot(Some(&[false, false, true])).unwrap();
    assert_eq!(
        told(&mut batch, &third, None),
        "snapshot = 2: must be of cars below 2"
    );
    let mut other = setup(2);
    other.actions = names(&["steer"]);
    let mut other = Batch::new(&other).unwrap();
    assert!(told(&mut other, &bytes, None).contains("these cars and actions"));
    assert!(batch.restore(&bytes, None).is_ok());
}
