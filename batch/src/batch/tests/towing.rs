//! Cars with trailers.

use super::*;

fn tractor(count: usize) -> Setup {
    let tractor = presets::load("tractor").unwrap();
    let mut setup = Setup::new(tractor, count, terrain(GroundSpec::Flat));
    setup.trailer = Some(presets::load("trailer").unwrap());
    setup.actions = names(&["direction", "pedals", "steer"]);
    setup.observe = names(&["body.velocity.x", "trailer.angle"]);
    setup
}

/// Forward, the trailer follows into the bend; in reverse, a straight trailer folds away from the line.
#[rstest]
#[case::left(1.0, -0.5, -0.6..-0.1)]
#[case::right(1.0, 0.5, 0.1..0.6)]
#[case::reverse_left(-1.0, -0.3, 0.2..1.7)]
#[case::reverse_right(-1.0, 0.3, -1.7..-0.2)]
fn a_trailer_follows_or_folds(
    #[case] direction: f32,
    #[case] steer: f32,
    #[case] angle: core::ops::Range<f32>,
) {
    let mut batch = Batch::new(&tractor(2)).unwrap();
    drive(&mut batch, &[direction, 0.6, steer], 100);
    let [speed, found] = ["body.velocity.x", "trailer.angle"].map(|name| column(&batch, name)[0]);
    assert!(speed * direction > 1.0, "{speed} m/s");
    assert!(angle.contains(&found), "{found} rad at {speed} m/s");
    assert!(batch.refusals().is_empty());
}

#[test]
fn a_rolling_start_moves_the_trailer_too() {
    let mut setup = tractor(1);
    setup.randomize.speed = Uniform::fixed(6.0);
    let mut batch = Batch::new(&setup).unwrap();
    drive(&mut batch, &[1.0, 0.0, 0.0], 4);
    let [speed, angle] = ["body.velocity.x", "trailer.angle"].map(|name| column(&batch, name)[0]);
    assert!((5.0..6.1).contains(&speed), "{speed} m/s");
    assert!(angle.abs() < 1e-3, "{angle} rad");
    // Couplings 1.85 m behind and 4.065 m ahead of the centers of mass.
    let x = column(&batch, "trailer.x")[0];
    assert!((x + 5.915).abs() < 0.05, "{x} m");
}

/// The goal is that of the trailer: 6 m behind it, it is reached in reverse.
#[test]
fn the_trailer_reaches_the_goal() {
    let mut setup = tractor(1);
    setup.goal = Some(Goal {
        x: Uniform::fixed(-6.0),
        y: Uniform::fixed(0.0),
        heading: Uniform::fixed(0.0),
        radius: 0.5,
        angle: 0.2,
        speed: f32::INFINITY,
    });
    setup.rewards = vec![("approach".to_owned(), 1.0), ("reached".to_owned(), 10.0)];
    let mut batch = Batch::new(&setup).unwrap();
    let seen = ["goal.x", "goal.y"].map(|name| column(&batch, name)[0]);
    assert!((seen[0] + 6.0).abs() < 1e-4 && seen[1].abs() < 1e-4);
    let (mut out, mut sum) = (Steps::default(), 0.0);
    for _ in 0..200 {
        batch.step(&[-1.0, 0.4, 0.0], &mut out).unwrap();
        sum += out.rewards[0];
        if out.ended[0] {
            break;
        }
    }
    assert!(out.ended[0], "{:?}", out.observations);
    assert!((15.4..16.0).contains(&sum), "{sum}");
}

#[test]
fn what_cannot_tow_or_be_towed_is_refused() {
    let told = |change: fn(&mut Setup)| {
        let mut setup = tractor(1);
        change(&mut setup);
        Batch::new(&setup).unwrap_err().to_string()
    };
    let uncoupled = told(|it| it.cars = vec![presets::sedan()]);
    assert_eq!(uncoupled, "cars = sedan: must be with a coupling");
    let uncoupled = told(|it| it.trailer = Some(presets::sedan()));
    assert_eq!(uncoupled, "trailer = sedan: must be with a coupling");
    let two = told(|it| it.cars.push(presets::sedan()));
    assert_eq!(two, "cars = 2: must be one car, if it tows");
    let mut alone = setup(1);
    alone.observe = names(&["trailer.angle"]);
    let error = Batch::new(&alone).unwrap_err().to_string();
    assert!(error.contains("not known"), "{error}");
}
