//! Roll centers and shares of the load transfer, as slopes and as faults.

use super::*;
use rstest::rstest;

/// The suv with a part of its file replaced.
fn suv(from: &str, to: &str) -> Result<Car, FileError> {
    let (_, text) = presets::FILES
        .iter()
        .find(|(name, _)| *name == "suv")
        .expect("it is shipped");
    assert!(text.contains(from), "{from}");
    Car::parse(&text.replace(from, to), "suv.toml")
}

const FRONT: &str = "roll_center = 0.07, roll_center_change = -1.3, anti_dive = 25.0";

/// Slopes are those of the textbooks: z/y to the side; in braking, the share of h/L over the axle's share of the brakes.
#[test]
fn shares_and_roll_centers_become_slopes() {
    let car = suv("name = \"suv\"", "name = \"suv\"").unwrap();
    let wheels = car.model().params().wheels.clone();
    let links = |n: usize| wheels[n].compliance.links.unwrap();
    let near = |found: f32, expected: f32| (found - expected).abs() < 1e-5;
    let [left, right, rear] = [links(0), links(1), links(2)];
    assert!(near(left.lateral, 0.07 / 0.825), "{left:?}");
    assert!(near(left.lateral_change, -1.3 / 0.825), "{left:?}");
    assert_eq!(right.lateral, -left.lateral);
    assert_eq!((right.braked, right.driven), (left.braked, 0.0));
    // The brakes' share of an axle of equal radii is that of its torque.
    let rise = 0.68 / 2.9;
    let share = 3700.0 / (3700.0 + 2000.0);
    assert!(near(left.braked, 0.25 * rise / share), "{left:?}");
    assert!(near(rear.braked, -0.35 * rise / (1.0 - share)), "{rear:?}");
    assert!(near(rear.driven, -0.30 * rise), "{rear:?}");
}

#[rstest]
#[case::too_high(
    "roll_center = 0.9",
    "axles[0].links.roll_center = 0.9 m: must be in the body, and no farther from the ground than half the track: within ±"
)]
#[case::behind_alone(
    "anti_squat = 20.0",
    "axles[0].links.anti_squat = 20 %: belongs to an axle behind the center of mass"
)]
#[case::too_steep(
    "anti_dive = 900.0",
    "axles[0].links.anti_dive = 900 %: must not lead forces to the body at more than 45°"
)]
#[case::no_number(
    "roll_center_change = nan",
    "axles[0].links.roll_center_change = NaN m/m: must be finite"
)]
#[case::unknown("roll_centre = 0.1", "axles[0].links.roll_centre")]
fn faults_of_links_are_named_where_they_stand(#[case] key: &str, #[case] expected: &str) {
    let error = suv(FRONT, key).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
    assert_eq!(error.matches("links").count(), 1, "told once: {error}");
}

#[test]
fn links_of_one_axle_alone_are_a_fault() {
    let text = suv(&format!("links = {{ {FRONT} }}\n"), "")
        .unwrap_err()
        .to_string();
    assert!(
        text.contains("axles[1].links = true: all wheels have links, or none"),
        "{text}"
    );
}
