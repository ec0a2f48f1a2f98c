use rstest::rstest;
use serde_json::{Value, json};

use super::*;
use crate::scenario::{Replay, Scenario, random};
use crate::world::WorldKind;

/// A random header with this differential and number of wheels.
fn header(differential: &str, wheels: usize) -> Value {
    let headers = (0..4000).map(|number| random(11, number, 20));
    let is_alike = |header: &Value| {
        let params = &header["params"];
        let count = params["wheels"].as_array().map(Vec::len);
        params["diff_type"] == differential && count == Some(wheels)
    };
    headers.into_iter().find(is_alike).expect("it is drawn")
}

/// Reason why a header is refused.
fn refusal(header: &Value) -> String {
    let refused = Scenario::from_header(header, "file").expect_err("refused");
    refused.to_string()
}

#[test]
fn axles_are_read_with_their_names() {
    let read = axles("(0,1) front, (2,3) middle, (4) rear; even ids at -X (left)");
    let [front, middle, rear] = [
        (vec![0, 1], "front"),
        (vec![2, 3], "middle"),
        (vec![4], "rear"),
    ]
    .map(|(wheels, name)| Axle { wheels, name });
    assert_eq!(read, Some(vec![front, middle, rear]));
    assert_eq!(axles("0,1 front"), None);
    assert_eq!(axles("(0,x) front"), None);
}

#[test]
fn a_track_turns_wheels_by_their_radii() {
    let mut header = header("tank", 6);
    for (wheel, radius) in [(0, 0.5), (2, 0.25), (4, 0.5)] {
        header["params"]["wheels"][wheel]["radius"] = radius.into();
    }
    let header: Vehicle2Header =
        crate::scenario::vehicle2::header_of(&header, "file").expect("valid");
    let layout = AxleLayout::of(&header).expect("supported");
    let first = &layout.tracks[0];
    assert_eq!(first.side, TrackSide::Right);
    assert_eq!(first.wheels, [0, 2, 4]);
    assert_eq!(first.radii, [0.5, 0.25, 0.5]);
}

#[rstest]
#[case::out_of_order(json!("(1,0) front, (2,3) rear"), "wheels out of order")]
#[case::missing(json!("(0,1) front"), "wheels out of order")]
#[case::single_front(json!("(0) front, (1,2,3) rear"), "Ackermann geometry other than of two wheels")]
#[case::too_many(json!("(0,1) front, (2,3) rear, (4,5) rear"), "wheels out of order")]
#[case::words(json!("front: 0, 1"), "axles front: 0, 1")]
fn axles_that_cannot_be_are_refused(#[case] words: Value, #[case] reason: &str) {
    let mut header = header("four_wheel", 4);
    header["params"]["axles"] = words;
    let refused = refusal(&header);
    assert!(refused.contains(reason), "{refused}");
}

#[test]
fn a_four_wheel_differential_is_between_axles_of_two_wheels() {
    let mut header = header("four_wheel", 6);
    header["params"]["axles"] = "(0,1) front, (2,3,4,5) rear".into();
    let refused = refusal(&header);
    assert!(refused.contains("four-wheel differential"), "{refused}");
}

#[rstest]
#[case(6, "(0,1) front, (2,3) rear, (4,5) trailing", [2, 3])]
#[case(6, "(0,1) front, (2,3) middle, (4,5) last", [4, 5])]
fn the_rear_axle_is_the_one_so_called_or_the_last(
    #[case] wheels: usize,
    #[case] words: &str,
    #[case] rear: [usize; 2],
) {
    let mut header = header("four_wheel", wheels);
    header["params"]["axles"] = words.into();
    let scenario = Scenario::from_header(&header, "file").expect("valid");
    let locking = scenario.locking().expect("a four-wheel differential");
    assert_eq!((locking.front, locking.rear), ([0, 1], rear));
}

#[rstest]
#[case("brake_multipliers")]
#[case("handbrake_multipliers")]
#[case("steer_multipliers")]
fn a_list_that_is_not_per_wheel_is_refused(#[case] key: &str) {
    let mut header = header("multi_wheel", 5);
    header["params"][key] = json!([1.0, 1.0]);
    let refused = refusal(&header);
    let reason = format!("{key}: 2 values, 5 wheels");
    assert!(refused.contains(&reason), "{refused}");
}

#[test]
fn a_tank_with_a_handbrake_or_steered_wheels_is_refused() {
    for (response, command, reason) in [
        ("handbrake_max_response", "brake1", "handbrake"),
        ("steer_max_response", "steer", "steers"),
    ] {
        let mut header = header("tank", 4);
        header["params"][response] = 0.5.into();
        header["schedule"][0][command] = 1.0.into();
        let refused = refusal(&header);
        assert!(refused.contains(reason), "{refused}");
    }
}

#[test]
fn load_filters_may_differ_by_rounding_only() {
    let mut header = header("multi_wheel", 4);
    header["params"]["wheels"][3]["load_filter"][1] = 0.230_000_02.into();
    assert!(Scenario::from_header(&header, "file").is_ok());
    header["params"]["wheels"][3]["load_filter"][1] = 0.25.into();
    assert!(refusal(&header).contains("load filters"));
}

#[test]
fn wheels_behind_the_front_axle_steer_by_their_multipliers() {
    let mut header = header("multi_wheel", 6);
    let params = &mut header["params"];
    params["steer_max_response"] = 0.5.into();
    params["steer_multipliers"] = json!([1.0, 1.0, 0.0, 0.0, -0.25, -0.25]);
    for wheel in params["wheels"].as_array_mut().expect("a list") {
        wheel["toe"] = 0.0.into();
    }
    header["schedule"][0]["steer"] = 1.0.into();
    let scenario = Scenario::from_header(&header, "file").expect("valid");
    let mut replay = Replay::new(&scenario, WorldKind::Standalone).expect("valid");
    let frame = replay.next().expect("a frame").expect("driven");
    let angles = frame.wheels.steer;
    assert_eq!(angles[2..6], [0.0, 0.0, -0.125, -0.125]);
    assert_eq!(angles[0].max(angles[1]), 0.5);
}

#[test]
fn more_wheels_than_physx_has_are_refused() {
    let mut header = header("multi_wheel", 20);
    let wheels = header["params"]["wheels"].as_array_mut().expect("a list");
    wheels.push(wheels[0].clone());
    assert!(refusal(&header).contains("21 wheels"));
}
