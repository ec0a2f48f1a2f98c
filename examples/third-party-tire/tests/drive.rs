//! The kart drives on the law, with either way of registration.

use std::sync::Arc;

use jounce::core::BodyState;
use jounce::document::tagged::Tagged;
use third_party_tire::kart::{Drive, kart};

/// State of the body after this many more steps.
fn after(drive: &mut Drive, steps: usize) -> BodyState {
    for _ in 0..steps {
        drive.step().expect("it is updated");
    }
    drive.state().expect("it is there")
}

#[test]
fn it_drives_turns_and_stands() {
    let mut drive = Drive::new(&kart().expect("its file is sound")).expect("it is sound");
    let ahead = after(&mut drive, 120);
    assert!(ahead.linear_velocity.x > 3.0, "{ahead:?}");
    let turned = after(&mut drive, 120);
    assert!(
        turned.position.y < -1.0,
        "it steers to the right: {turned:?}"
    );
    let stopped = after(&mut drive, 240);
    let stays = after(&mut drive, 60);
    assert!(
        stopped.position.distance(stays.position) < 1e-4,
        "{stays:?}"
    );
}

#[test]
fn registered_by_itself_it_is_the_same() {
    let car = kart().expect("its file is sound");
    let model = car
        .spec()
        .build(&Tagged)
        .expect("its models registered themselves");
    let mut tagged = Drive::of_model(&car, Arc::new(model)).expect("it is sound");
    let mut named = Drive::new(&car).expect("it is sound");
    assert_eq!(after(&mut tagged, 300), after(&mut named, 300));
}

#[test]
fn it_goes_on_alike_from_a_snapshot() {
    let mut drive = Drive::new(&kart().expect("its file is sound")).expect("it is sound");
    after(&mut drive, 150);
    let snapshot = drive.clone();
    let (first, warm) = (after(&mut drive, 150), drive.warmth());
    assert_ne!(warm, snapshot.warmth(), "else nothing would be rolled back");
    drive
        .roll_back(&snapshot)
        .expect("it is of the same wheels");
    assert_eq!(drive.warmth(), snapshot.warmth());
    assert_eq!(first, after(&mut drive, 150));
    assert_eq!(drive.warmth(), warm);
}

#[test]
fn tires_warm_up_and_hold_more() {
    let car = kart().expect("its file is sound");
    let mut drive = Drive::new(&car).expect("it is sound");
    after(&mut drive, 240);
    let warm = drive.warmth();
    assert!(
        warm.iter().all(|w| *w > 0.1 && *w <= 1.0),
        "after two seconds of a bend: {warm:?}"
    );
}
