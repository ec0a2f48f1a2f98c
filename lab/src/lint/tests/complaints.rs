//! The commonest complaints, and that what is proposed cures them.

use super::proposals::{found, numbers};
use super::*;

const REAR_TIRE: &str = "tire = { model = \"street\", force_height = 0.20, rolling_resistance = 0.0 }\nbrakes = { max_torque = 950.0";
const CENTER: &str = "center_of_mass = [0.14, 0.0, 0.54]";
const HIGH: (&str, &str) = (CENTER, "center_of_mass = [0.14, 0.0, 1.2]");
const STREET: &str = "lat_stiff_y = 14.0                      # 1/rad";

/// The sedan with other tires behind: their stiffness (1/rad) and friction.
fn with_rear_tires(stiffness: f64, friction: f64, changes: &[(&str, &str)]) -> Car {
    let curve =
        format!("friction_curve = [[0.0, {friction}], [0.1, {friction}], [1.0, {friction}]]");
    let tire = format!(
        "tire = {{ model = \"rear\", force_height = 0.20, {curve} }}\nbrakes = {{ max_torque = 950.0"
    );
    let law = format!(
        "[tires.rear]\nmodel = \"michigan\"\nlat_stiff_x = 2.0\nlat_stiff_y = {stiffness:?}\n\
         long_stiff_per_g = 4500.0\ncamber_stiff_per_g = 0.0\n[tires.street]"
    );
    let rear = [(REAR_TIRE, tire.as_str()), ("[tires.street]", law.as_str())];
    sedan_with(&[changes, &rear].concat())
}

fn told(car: &Car, rule: &str) -> Option<Finding> {
    found(car, rule, "")
}

/// Center of mass of the sedan, at another height.
fn lower(height: f64) -> (&'static str, String) {
    (CENTER, format!("center_of_mass = [0.14, 0.0, {height}]"))
}

#[rstest]
#[case::lower(|n: &[f64]| vec![lower(n[0])])]
#[case::wider(|n: &[f64]| vec![(HIGH.0, HIGH.1.to_owned()), ("track = 1.56", format!("track = {}", n[1]))])]
#[case::less_grip(|n: &[f64]| {
    let curve = format!("force_height = 0.20, friction_curve = [[0.0, {0}], [0.1, {0}], [1.0, {0}]] }}", n[2]);
    vec![(HIGH.0, HIGH.1.to_owned()), ("force_height = 0.20, rolling_resistance = 0.0 }", curve)]
})]
fn a_car_that_tips_is_cured_as_proposed(#[case] cure: fn(&[f64]) -> Vec<(&'static str, String)>) {
    let tips = told(&sedan_with(&[HIGH]), "tips").expect("it tips");
    assert_eq!(tips.severity, Warning);
    assert!(
        tips.found.starts_with("tips over in a J-turn at 80 km/h"),
        "{tips}"
    );
    // Half of 1.56 m over 1.2 m, less the 0.2 m at which forces act; Michigan's tires have no more friction than the road.
    let [_, ratio, friction] = numbers(&tips.found)[..] else {
        panic!("{tips}")
    };
    assert!(
        (ratio - 0.78).abs() < 0.01 && (friction - 1.0).abs() < 0.02,
        "{tips}"
    );
    let changes = cure(&numbers(&tips.proposal));
    let changes: Vec<_> = changes
        .iter()
        .map(|(from, to)| (*from, to.as_str()))
        .collect();
    let left = told(&sedan_with(&changes), "tips");
    assert!(left.is_none(), "{left:?}");
}

/// A laden truck tips where a car must slide; at 0.3 g, it must not.
#[test]
fn heavy_trucks_may_tip_where_cars_must_not() {
    let truck = |height: &str| {
        let text = presets::FILES
            .iter()
            .find(|(name, _)| *name == "truck")
            .unwrap()
            .1;
        let changed = text.replacen(
            "center_of_mass = [-0.42, 0.0, 1.2]",
            &format!("center_of_mass = [-0.42, 0.0, {height}]"),
            1,
        );
        severities(&Car::parse(&changed, "truck.toml").unwrap(), DT, "tips")
    };
    assert_eq!(truck("1.2"), []);
    assert_eq!(truck("3.2"), [Warning]);
}

/// Tires of less stiffness behind than in front turn a car's rear out of a bend.
#[rstest]
fn a_car_that_oversteers_is_cured_by_stiffer_rear_tires(#[values(4.0, 9.0, 12.0)] rear: f64) {
    let loose = told(&with_rear_tires(rear, 1.0, &[]), "oversteers").expect("it oversteers");
    assert!(
        loose.severity == Warning && loose.found.contains("understeer gradient -"),
        "{loose}"
    );
    let times = numbers(&loose.proposal);
    let stiff = with_rear_tires(rear * times[0], 1.0, &[]);
    assert_eq!(told(&stiff, "oversteers"), None, "{loose}");
    let front = format!("lat_stiff_y = {:?} #", 14.0 / times[0]);
    let soft = with_rear_tires(rear, 1.0, &[(STREET, &front)]);
    assert_eq!(told(&soft, "oversteers"), None, "{loose}");
}

/// The numbers of a linear single-track model: K = 1/CC front − 1/CC rear, with stiffnesses over loads.
#[test]
fn the_gradient_told_is_that_of_the_tires() {
    let loose = told(&with_rear_tires(9.0, 1.0, &[]), "oversteers").unwrap();
    let subject = with_rear_tires(9.0, 1.0, &[]);
    let subject = LintedCar::new(&subject, &LintSurroundings::new(DT));
    let [front, rear] = subject.of_ends(|tire| tire.cornering_stiffness());
    let of_tires = (1.0 / f64::from(front) - 1.0 / f64::from(rear)).to_degrees();
    let gradient = numbers(&loose.found)[0];
    assert!(
        (gradient - of_tires).abs() < 0.3,
        "{gradient} for {of_tires}"
    );
    let critical = (2.72 * 9.81 / -gradient.to_radians()).sqrt() * 3.6;
    assert!(
        (numbers(&loose.found)[1] / critical - 1.0).abs() < 0.01,
        "{loose}"
    );
}

/// Rear wheels that their mounts turn out of the bend.
#[test]
fn a_car_that_steers_from_behind_is_cured_without_it() {
    let mounts = |toe: &str| {
        let tire = format!(
            "compliance = {{ by_lateral_force = {{ toe_deg = [[-6000.0, {toe}], [6000.0, -{toe}]] }} }}\n{REAR_TIRE}"
        );
        told(&sedan_with(&[(REAR_TIRE, &tire)]), "oversteers")
    };
    let loose = mounts("3.0").expect("it oversteers");
    assert!(loose.proposal.contains("by_lateral_force"), "{loose}");
    assert_eq!(mounts("0.0"), None);
}

/// Rear wheels that the engine brakes let the rear go in a bend.
#[test]
fn a_car_that_spins_as_the_driver_lifts_off_is_cured_by_less_engine_braking() {
    let braked = |damping: f64| {
        let drag = format!("damping_zero_throttle_engaged = {damping}");
        let changes = [
            ("kind = \"open-front\"", "kind = \"open-rear\""),
            ("front_rear_split = 1.0", "front_rear_split = 0.0"),
            ("damping_zero_throttle_engaged = 0.12", drag.as_str()),
        ];
        told(&sedan_with(&changes), "oversteers")
    };
    let spins = braked(1.6).expect("it spins");
    assert!(
        spins
            .proposal
            .starts_with("a quarter of damping_zero_throttle_engaged"),
        "{spins}"
    );
    assert_eq!(braked(0.4), None);
}

#[rstest]
#[case("-0.4", Some(Warning))]
#[case("-0.1", Some(Note))]
#[case("0.0", None)]
#[case("0.3", None)]
#[case("3.0", Some(Warning))]
fn toe_of_the_rear_is_told(#[case] toe: &str, #[case] severity: Option<Severity>) {
    let car = |toe: &str| sedan_with(&[("toe_deg = 0.15", &format!("toe_deg = {toe}"))]);
    let finding = told(&car(toe), "toe");
    assert_eq!(finding.as_ref().map(|it| it.severity), severity);
    if let Some(finding) = finding {
        assert_eq!(finding.place, "rear left, rear right");
        let cured = finding.proposal.strip_prefix("toe_deg = ").unwrap();
        assert_eq!(told(&car(cured), "toe"), None);
    }
}

/// A car on the default sedan's tires under a PhysX profile, which has no rolling resistance of its own.
#[test]
fn a_car_without_rolling_resistance_is_cured_by_that_of_its_tires() {
    let text = presets::FILES[0].1;
    let rolls = |coefficient: f64| {
        let profile = "profile = \"physx-5\"\nsolver = \"rows\"\ntire_moments = true\n";
        let own = format!("mirrored = true\ncoefficients = {{ QSY1 = {coefficient:?} }}");
        let left = format!(
            "preset = \"sedan-245-40-r18\"\ncoefficients = {{ QSY1 = {coefficient:?} }}\n\n[tires.right]"
        );
        let changed = text
            .replacen("solver = \"rows\"\n", "", 1)
            .replacen("profile = \"default\"", profile, 1)
            .replacen("preset = \"sedan-245-40-r18\"\n\n[tires.right]", &left, 1)
            .replacen("mirrored = true", &own, 1)
            .replace("damping = 0.1 ", "damping = 0.01 ");
        told(
            &Car::parse(&changed, "car.toml").unwrap(),
            "rolling-resistance",
        )
    };
    let finding = rolls(0.0).expect("it rolls on");
    assert!(numbers(&finding.found)[0] < 0.03, "{finding}");
    assert_eq!(rolls(numbers(&finding.proposal)[0]), None, "{finding}");
}

/// Bearings that never stop a wheel, or stop the car.
#[rstest]
#[case("0.0")]
#[case("9.0")]
fn bearings_are_cured_as_proposed(#[case] damping: &str) {
    let car = |damping: &str| {
        let [front, rear] = ["damping = {} ", "damping = {}\n"].map(|it| it.replace("{}", damping));
        sedan_with(&[("damping = 0.1 ", &front), ("damping = 0.1\n", &rear)])
    };
    let finding = told(&car(damping), "wheel-damping").unwrap();
    let cured = finding.proposal.strip_prefix("damping = ").unwrap();
    assert_eq!(told(&car(cured), "wheel-damping"), None, "{finding}");
}
