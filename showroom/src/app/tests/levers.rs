use super::*;
use crate::levers::Lever;

/// A car that stands still comes to rest, and its engine idles on the dial.
#[test]
fn a_car_at_rest_shows_its_engine_speed() {
    let mut room = Showroom::new().unwrap();
    room.obey(Order::Course(CourseName::SkidPad));
    frames(&mut room, 240);
    let rpm: f32 = room.state().rpm_text.parse().unwrap();
    assert!((700.0..900.0).contains(&rpm), "{rpm}");
}

#[test]
fn levers_and_aids_are_ordered_and_shown() {
    let mut room = Showroom::new().unwrap();
    room.obey(Order::Vehicle("eighteen-wheeler-retarder".to_owned()));
    room.obey(Order::Lever(Lever::Retarder));
    room.obey(Order::Lever(Lever::PowerTakeOff));
    frames(&mut room, 1);
    let levers = room.command().levers;
    assert!(levers.retarder == 1 && !levers.power_take_off);
    room.obey(Order::Vehicle("sports-car".to_owned()));
    assert_eq!(room.state().levers, jounce::core::Levers::RELEASED);
    let [abs] = &room.state().aids[..] else {
        panic!("{:?}", room.state().aids);
    };
    assert!(abs.name == "abs" && abs.on);
    room.obey(Order::Aid("abs".to_owned(), false));
    assert!(!room.state().aids[0].on);
    room.obey(Order::Aid("esp".to_owned(), true));
    assert!(room.fault.is_some_and(|fault| fault.contains("esp")));
}
