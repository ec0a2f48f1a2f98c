mod levers;

use super::*;
use crate::input::Pedal;
use crate::orders::Order;
use jounce::core::phases;
use proving_ground::course::CourseName;

const FRAME: f32 = 1.0 / 60.0;
const SPRING: &str = "axles.0.suspension.stiffness";

fn driving() -> Showroom {
    let mut room = Showroom::new().unwrap();
    room.obey(Order::Course(CourseName::SkidPad));
    room.obey(Order::Press(Pedal::Throttle, true));
    frames(&mut room, 120);
    room
}

fn frames(room: &mut Showroom, count: u32) {
    for _ in 0..count {
        room.frame(FRAME);
    }
}

/// The dials of the first frame: the engine idles.
#[test]
fn the_first_frame_shows_an_engine_at_its_idle_speed() {
    let mut room = Showroom::new().unwrap();
    room.obey(Order::Course(CourseName::Town));
    frames(&mut room, 1);
    let rpm: f32 = room.state().rpm_text.parse().unwrap();
    assert!((700.0..800.0).contains(&rpm), "{rpm}");
}

#[test]
fn every_preset_drives_off_by_the_throttle_and_is_shown() {
    for (name, _) in jounce::presets::FILES {
        let mut room = Showroom::new().unwrap();
        room.obey(Order::Course(CourseName::SkidPad));
        room.obey(Order::Vehicle(name.to_owned()));
        room.inside = true;
        assert_eq!(room.fault, None, "{name}");
        room.obey(Order::Press(Pedal::Throttle, true));
        frames(&mut room, 90);
        let moving = room.frame(FRAME);
        let state = room.state();
        assert_eq!(state.vehicle, name);
        assert_eq!(moving.car.places.len(), state.wheels.len() + 1);
        assert!(room.overlay(&moving).triangles() > 0);
        let pulled = name.contains("trailer");
        assert!(pulled || state.speed > 0.5, "{name}: {}", state.speed);
    }
}

#[test]
fn another_engine_keeps_the_speed_and_is_shown() {
    let mut room = driving();
    let before = room.state();
    room.obey(Order::Engine("rapier".to_owned()));
    let after = room.state();
    assert_eq!(
        (before.engine.as_str(), after.engine.as_str()),
        ("standalone", "Rapier")
    );
    assert!((after.speed - before.speed).abs() < 0.01);
    frames(&mut room, 30);
    assert!(room.state().speed > before.speed);
}

#[test]
fn what_is_shown_is_what_the_library_says() {
    let room = driving();
    let (state, report) = (room.state(), room.report());
    assert_eq!(state.speed, report.forward_speed);
    assert_eq!(
        state.speed_text,
        format!("{:.0}", report.forward_speed * 3.6)
    );
    assert_eq!(state.gear, report.gear.0);
    let wheel = room.sim.session().driven().vehicle.wheel_report(2);
    assert_eq!(state.wheels[2].load, wheel.load);
    assert_eq!(state.hash, room.sim.session().hash());
}

#[test]
fn a_tuned_spring_is_in_the_running_vehicle() {
    let mut room = driving();
    room.obey(Order::Tune(SPRING.to_owned(), 20_000.0));
    assert_eq!(room.state().spring, 20_000.0);
    room.obey(Order::Tune(SPRING.to_owned(), -5.0));
    let state = room.state();
    assert_eq!(state.spring, 20_000.0);
    assert!(state.fault.unwrap().contains("stiffness"));
    room.obey(Order::Undo);
    assert_eq!(room.state().spring, 25_000.0);
    assert_eq!(room.state().fault, None);
}

#[test]
fn a_file_with_faults_keeps_the_last_good_car() {
    let mut room = driving();
    let before = room.state();
    let bad = format!("wings = 2\n{}", jounce::presets::FILES[1].1);
    room.obey(Order::Open("mine.toml".to_owned(), bad));
    let after = room.state();
    assert!(
        after.fault.as_ref().unwrap().contains("wings"),
        "{:?}",
        after.fault
    );
    assert_eq!((after.vehicle, after.hash), (before.vehicle, before.hash));
    frames(&mut room, 10);
    assert!(room.state().speed > before.speed);
}

#[test]
fn rewinding_is_shown() {
    let mut room = driving();
    let hash = room.state().hash;
    frames(&mut room, 60);
    room.obey(Order::Rewind(1.0));
    assert_eq!(room.state().hash, hash);
    assert_eq!(room.state().fault, None);
}

/// A number tuned after a moment is absent from the car that goes back to that moment, and from its file.
#[test]
fn a_file_goes_back_with_its_car() {
    let mut room = driving();
    room.obey(Order::Vehicle("hatchback".to_owned()));
    frames(&mut room, 60);
    let spring = room.state().spring;
    let stiffer = f64::from(spring) + 1e3;
    room.obey(Order::Tune(SPRING.to_owned(), stiffer));
    frames(&mut room, 30);
    room.obey(Order::Rewind(0.2));
    assert_eq!(room.state().changed, [(SPRING.to_owned(), stiffer)].into());
    room.obey(Order::Rewind(0.5));
    let back = room.state();
    assert_eq!(
        (back.spring, back.changed.len(), back.fault),
        (spring, 0, None)
    );
    room.obey(Order::Undo);
    assert_eq!(f64::from(room.state().spring), stiffer);
    room.obey(Order::Rewind(2.0));
    let back = room.state();
    assert_eq!((&*back.vehicle, &*room.garage.name), ("sedan", "sedan"));
}

#[test]
fn ice_is_felt_and_named() {
    let mut room = Showroom::new().unwrap();
    room.obey(Order::Course(CourseName::Patches));
    room.obey(Order::Press(Pedal::Throttle, true));
    let mut covers = std::collections::BTreeSet::new();
    for _ in 0..900 {
        room.frame(FRAME);
        covers.extend(room.state().wheels.into_iter().map(|wheel| wheel.cover));
    }
    for cover in ["asphalt", "ice", "gravel", "wet"] {
        assert!(covers.contains(cover), "{covers:?}");
    }
}

#[test]
fn a_recording_is_repeated_to_its_digest() {
    let mut room = driving();
    room.obey(Order::Engine("rapier".to_owned()));
    frames(&mut room, 30);
    let (hash, text) = (
        room.state().hash,
        serde_json::to_string(room.sim.session().recording()).unwrap(),
    );
    frames(&mut room, 30);
    room.obey(Order::Replay(text.clone()));
    assert_eq!(room.fault, None);
    assert_eq!(room.state().hash, hash);
    room.obey(Order::Replay(text.replacen(
        "\"throttle\":0.1",
        "\"throttle\":0.2",
        1,
    )));
    assert!(room.fault.unwrap().contains("recorded as"));
}

#[test]
fn a_fleet_is_shown_and_left() {
    let mut room = driving();
    room.obey(Order::Fleet(40));
    frames(&mut room, 120);
    let state = room.state();
    assert_eq!(state.fleet, 40);
    assert_eq!(state.fleet_levels.iter().sum::<usize>(), 40);
    assert!(
        state.speed > 2.0,
        "the throttle drives the car in the middle"
    );
    room.obey(Order::Pause(true));
    frames(&mut room, 10);
    assert_eq!(room.state().position, state.position);
    room.obey(Order::Fleet(0));
    assert_eq!(room.state().fleet, 0);
}

#[test]
fn a_fleet_goes_by_distance_from_the_camera_or_is_held() {
    let mut room = Showroom::new().unwrap();
    room.obey(Order::Fleet(400));
    frames(&mut room, 3);
    let near = room.state().fleet_levels;
    assert!(near[0] > 0 && near[1] > 0, "{near:?}");
    room.camera.zoom = 12.0;
    frames(&mut room, 3);
    let far = room.state().fleet_levels;
    assert!(far[0] < near[0], "{near:?}, {far:?}");
    room.obey(Order::Detail(Some(3)));
    frames(&mut room, 1);
    assert_eq!(room.state().fleet_levels, [0, 0, 0, 400]);
    room.obey(Order::Detail(Some(9)));
    assert!(room.state().fault.unwrap().contains("below 4"));
}

#[test]
fn lint_speaks_by_itself_after_a_change() {
    let mut room = driving();
    let damping = "axles.0.suspension.damping".to_owned();
    let before = room.state().lint;
    assert!(!before.concat().contains("warning"), "{before:?}");
    room.obey(Order::Tune(damping, 10.0));
    assert_eq!(room.fault, None);
    let told = room.state().lint;
    assert!(
        told.iter()
            .any(|found| found.starts_with("warning [damping-ratio]")),
        "{told:?}"
    );
    room.obey(Order::Lint);
    assert!(room.watch.driven);
    room.obey(Order::Undo);
    assert_eq!(room.state().lint, before);
}

#[test]
fn torque_is_told_per_output_of_the_differentials() {
    let mut room = driving();
    room.obey(Order::Vehicle("rally-car".to_owned()));
    room.obey(Order::Press(Pedal::Left, true));
    frames(&mut room, 150);
    let flow = room.state().torque;
    let engine = flow.engine.unwrap();
    let sum: f32 = flow.axles.iter().map(|axle| axle.torque).sum();
    assert!(
        engine.clutch > 10.0 && (sum - engine.gears).abs() < 1e-3 * sum,
        "{flow:?}"
    );
    assert_eq!(flow.axles.len(), 2);
    for axle in flow.axles {
        let [(_, left), (_, right)] = &axle.wheels[..] else {
            panic!("{axle:?}")
        };
        assert!((left + right - axle.torque).abs() < 1e-3 * sum);
        assert!(axle.torque > 0.0);
    }
}

/// A sweep at a curb hits more than the wheel may stand on; the overlay shows all of it.
#[test]
fn refused_hits_of_sweeps_are_shown() {
    let mut room = Showroom::new().unwrap();
    room.inside = true;
    room.obey(Order::Course(CourseName::Town));
    room.obey(Order::Contact("sweeps".to_owned()));
    assert_eq!(
        (room.fault.as_ref(), room.state().contact.as_str()),
        (None, "sweeps")
    );
    room.obey(Order::Press(Pedal::Throttle, true));
    room.obey(Order::Press(Pedal::Right, true));
    let hits = |room: &Showroom| {
        let session = room.sim.session();
        let (body, vehicle) = (session.body().unwrap(), &session.driven().vehicle);
        let mut hits = [0, 0];
        let query = session.world().sweeps().unwrap();
        phases::examine_sweeps(vehicle, &body, query, &mut |_, _, stands| {
            hits[usize::from(stands)] += 1;
        });
        hits
    };
    let found = (0..600).find_map(|_| {
        room.frame(FRAME);
        Some(hits(&room)).filter(|[refused, _]| *refused > 0)
    });
    let [refused, taken] = found.expect("a curb");
    let moving = room.frame(0.0);
    // Eight cones; a disc and a line for each hit.
    let least = 8 * 20 + 24 * (refused + taken);
    let swept = room.overlay(&moving).triangles();
    room.sim.paused = true;
    room.obey(Order::Contact("rays".to_owned()));
    let moving = room.frame(FRAME);
    let cast = room.overlay(&moving).triangles();
    assert!(
        swept + 12 >= cast + least,
        "{refused} and {taken}: {swept}, {cast}"
    );
}

#[test]
fn loads_go_back_in_acceleration_and_outwards_in_a_bend() {
    let mut room = driving();
    let [[front, rest], [left, half]] = room.load_shares();
    assert!(front < rest - 0.01 && (left - half).abs() < 0.01 && (half - 0.5).abs() < 1e-3);
    room.obey(Order::Press(Pedal::Left, true));
    frames(&mut room, 60);
    let [_, [left, _]] = room.load_shares();
    assert!(left < 0.45, "{left}");
}

#[test]
fn engine_and_tires_are_heard() {
    let mut room = driving();
    let quiet = room.heard();
    let engine = room.report().engine.unwrap();
    assert!((quiet.engine_pitch - engine.speed / core::f32::consts::PI).abs() < 0.1);
    assert!(quiet.squeal_level < 0.05, "{quiet:?}");
    room.obey(Order::Press(Pedal::Throttle, false));
    room.obey(Order::Press(Pedal::Handbrake, true));
    frames(&mut room, 30);
    let heard = room.heard();
    assert!(
        heard.squeal_level > 0.3 && heard.engine_level < quiet.engine_level,
        "{heard:?}"
    );
    room.obey(Order::Pause(true));
    assert_eq!(room.heard().engine_level, 0.0);
}

#[test]
fn a_number_is_asked_about_and_told_with_its_unit() {
    let mut room = driving();
    room.obey(Order::Ask(SPRING.to_owned()));
    let bounds = room.garage.bounds(SPRING).unwrap();
    assert_eq!(
        (bounds.unit.as_str(), bounds.to_string().as_str()),
        ("N/m", "> 0")
    );
}

#[test]
fn a_ghost_differs_by_what_is_asked() {
    for other in ["rapier", "explicit", "sweeps", "linear"] {
        let mut room = driving();
        room.obey(Order::Ghost(Some(other.to_owned())));
        assert_eq!(room.fault, None, "{other}");
        room.obey(Order::Press(Pedal::Left, true));
        frames(&mut room, 60);
        let (name, apart) = room.state().ghost.unwrap();
        assert!(
            name == other && apart > 1e-7 && apart < 10.0,
            "{other}: {apart}"
        );
    }
    let mut room = driving();
    room.obey(Order::Ghost(Some("rubber".to_owned())));
    assert!(room.fault.unwrap().contains("rubber"));
}

/// A ghost that gets every change of the car keeps no distance from it.
#[test]
fn a_ghost_that_does_not_differ_stays_inside_the_car() {
    let mut room = driving();
    room.obey(Order::Ghost(Some("rows".to_owned())));
    frames(&mut room, 60);
    assert!(room.state().ghost.unwrap().1 < 1e-6);
}

#[test]
fn a_tractor_takes_a_trailer() {
    let mut room = driving();
    room.obey(Order::Vehicle("tractor".to_owned()));
    room.obey(Order::Trailer(Some("trailer".to_owned())));
    assert_eq!(room.fault, None);
    frames(&mut room, 60);
    assert!(!room.frame(FRAME).trailer.places.is_empty());
}
