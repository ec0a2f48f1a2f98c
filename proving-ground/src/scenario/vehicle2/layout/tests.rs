use rstest::rstest;
use serde_json::{Value, json};

use super::*;
use crate::scenario::{Scenario, random};

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

/// Why a header is refused.
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
    let header: Header = crate::scenario::vehicle2::header_of(&header, "file").expect("valid");
    let layout = Layout::of(&header).expect("supported");
    let first = &layout.tracks[0];
    assert_eq!(first.side, TrackSide::Right);
    assert_eq!(first.wheels, [0, 2, 4]);
    assert_eq!(first.radii, [0.5, 0.25, 0.5]);
}
