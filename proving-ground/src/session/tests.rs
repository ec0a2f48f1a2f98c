use super::*;
use crate::course::CourseName;
use jounce::presets;
use rstest::rstest;

const AHEAD: CarCommand = CarCommand {
    throttle: 1.0,
    brake: 0.0,
    handbrake: 0.0,
    steer: 0.05,
    clutch: 0.0,
    gear: jounce::core::GearCommand::Hold,
    automatic: true,
    steering_wheel: None,
    levers: jounce::core::Levers::RELEASED,
};

fn on(course: CourseName) -> Session {
    let start = SessionStart {
        course,
        ..SessionStart::of("sedan").unwrap()
    };
    Session::new(start).unwrap()
}

fn drive(session: &mut Session, steps: usize) {
    for _ in 0..steps {
        session.step(&AHEAD).unwrap();
        assert_eq!(session.refusal(), None);
    }
}

fn speed(session: &Session) -> f32 {
    session.body().unwrap().forward_speed()
}

fn text(name: &str) -> String {
    let file = presets::FILES.into_iter().find(|(known, _)| *known == name);
    file.unwrap().1.to_owned()
}

#[test]
fn a_recording_replays_to_the_same_bits_through_every_change() {
    let mut session = on(CourseName::SkidPad);
    drive(&mut session, 90);
    for kind in WorldKind::all() {
        session
            .change(Change::World(kind.name().to_owned()))
            .unwrap();
        drive(&mut session, 20);
    }
    let softer = text("sedan").replace("stiffness = 25000.0", "stiffness = 20000.0");
    session.change(Change::Tune(softer)).unwrap();
    drive(&mut session, 20);
    session.change(Change::Vehicle(text("truck-6x6"))).unwrap();
    drive(&mut session, 20);
    session.change(Change::Course(CourseName::Boxes)).unwrap();
    drive(&mut session, 60);
    let again = Session::replay(session.recording()).unwrap();
    assert_eq!(again.hash(), session.hash());
    assert_eq!(again.recording(), session.recording());
    let mut other = session.recording().clone();
    other.entries[0].at += 1;
    assert_ne!(Session::replay(&other).unwrap().hash(), session.hash());
}

#[test]
fn an_aid_is_switched_off_and_its_recording_replays() {
    let brakes = CarCommand {
        throttle: 0.0,
        brake: 1.0,
        ..AHEAD
    };
    let start = SessionStart {
        course: CourseName::SkidPad,
        ..SessionStart::of("sports-car").unwrap()
    };
    let stopped = |aid: bool| {
        let mut session = Session::new(start.clone()).unwrap();
        session.change(Change::Aid("abs".to_owned(), aid)).unwrap();
        drive(&mut session, 240);
        for _ in 0..30 {
            session.step(&brakes).unwrap();
        }
        session
    };
    let (with, without) = (stopped(true), stopped(false));
    assert_ne!(with.hash(), without.hash());
    let again = Session::replay(without.recording()).unwrap();
    assert_eq!(again.hash(), without.hash());
    let unknown = Change::Aid("autopilot".to_owned(), true);
    let refused = stopped(true).change(unknown).unwrap_err().to_string();
    assert!(refused.contains("autopilot"), "{refused}");
}

#[test]
fn another_engine_keeps_place_and_speed() {
    for kind in WorldKind::all() {
        let mut session = on(CourseName::Hills);
        drive(&mut session, 180);
        let (before, was) = (session.body().unwrap(), speed(&session));
        assert!(was > 5.0, "{was}");
        session
            .change(Change::World(kind.name().to_owned()))
            .unwrap();
        let after = session.body().unwrap();
        assert!((after.position - before.position).length() < 1e-4);
        assert!((after.linear_velocity - before.linear_velocity).length() < 1e-4);
        drive(&mut session, 6);
        assert!((speed(&session) - was).abs() < 0.6, "{}", kind.name());
    }
}

#[rstest]
#[case::springs("stiffness = 25000.0", "stiffness = 15000.0")]
#[case::mass("mass = 1500.0", "mass = 1900.0")]
fn tuning_keeps_the_motion(#[case] from: &str, #[case] to: &str) {
    let mut session = on(CourseName::SkidPad);
    drive(&mut session, 120);
    let was = session.body().unwrap();
    session
        .change(Change::Tune(text("sedan").replace(from, to)))
        .unwrap();
    let body = session.body().unwrap();
    assert!((body.linear_velocity - was.linear_velocity).length() < 1e-5);
    assert_ne!(session.driven().car.spec(), presets::sedan().spec());
    drive(&mut session, 5);
}

#[test]
fn a_refused_change_changes_nothing() {
    let mut session = on(CourseName::SkidPad);
    drive(&mut session, 30);
    let before = session.recording().clone();
    let bad = text("sedan").replace("mass = 1500.0", "mass = -1.0");
    let told = session.change(Change::Tune(bad)).unwrap_err().to_string();
    assert!(told.contains("chassis.mass = -1 kg"), "{told}");
    session
        .change(Change::World("havok".to_owned()))
        .unwrap_err();
    assert_eq!(*session.recording(), before);
    assert_eq!(session.driven().car.spec(), presets::sedan().spec());
}

#[test]
fn a_moment_restored_goes_on_to_the_same_bits() {
    for kind in WorldKind::all() {
        let mut session = on(CourseName::Turntable);
        session
            .change(Change::World(kind.name().to_owned()))
            .unwrap();
        drive(&mut session, 40);
        let Ok(moment) = session.snapshot() else {
            continue;
        };
        drive(&mut session, 40);
        let first = session.hash().to_owned();
        session
            .change(Change::World("standalone".to_owned()))
            .unwrap();
        session.restore(&moment).unwrap();
        assert_eq!(session.steps(), moment.steps());
        drive(&mut session, 40);
        assert_eq!(session.hash(), first, "{}", kind.name());
    }
}

#[test]
fn a_parked_car_turns_with_the_turntable() {
    let mut session = on(CourseName::Turntable);
    let held = CarCommand {
        brake: 1.0,
        ..CarCommand::default()
    };
    for _ in 0..120 {
        session.step(&held).unwrap();
    }
    let spin = session.body().unwrap().angular_velocity.z;
    assert!(
        (spin - session.course().platforms[0].turning).abs() < 0.01,
        "{spin}"
    );
}

#[test]
fn a_trailer_follows_through_another_engine() {
    let mut session = on(CourseName::SkidPad);
    session.change(Change::Vehicle(text("tractor"))).unwrap();
    session
        .change(Change::Trailer(Some(text("trailer"))))
        .unwrap();
    drive(&mut session, 120);
    for kind in WorldKind::all() {
        session
            .change(Change::World(kind.name().to_owned()))
            .unwrap();
        drive(&mut session, 30);
        let towed = session.trailer().unwrap().vehicle.body();
        let place = session.world().body_state(towed).unwrap().position;
        let gap = (place - session.body().unwrap().position).length();
        assert!(gap < 12.0, "{gap}");
    }
    session.change(Change::Trailer(None)).unwrap();
    assert!(session.trailer().is_none());
    drive(&mut session, 10);
}
