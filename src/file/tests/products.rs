//! Products of inertia of the chassis.

use super::*;
use glam::Vec3;
use rstest::rstest;

/// The sedan with this line in its chassis.
fn sedan(line: &str) -> Result<Car, FileError> {
    let text = SEDAN.replacen("[chassis]\n", &format!("[chassis]\n{line}\n"), 1);
    Car::parse(&text, "sedan.toml")
}

#[rstest]
#[case::all("products = { xy = 4.0, xz = 60.0, yz = -7.0 }", [4.0, 60.0, -7.0])]
#[case::one("products.xz = -60", [0.0, -60.0, 0.0])]
#[case::none("products = {}", [0.0; 3])]
#[case::without("", [0.0; 3])]
fn products_are_read_and_come_back(#[case] line: &str, #[case] expected: [f32; 3]) {
    let car = sedan(line).unwrap();
    let chassis = car.model().params().chassis;
    assert_eq!(chassis.products, expected);
    assert_eq!(chassis.inertia, Vec3::new(560.0, 2400.0, 2650.0));
    assert_eq!(car.inertia().x_axis.z, -expected[1]);
    let document = toml::to_string(car.spec()).unwrap();
    let again: VehicleSpec = toml::from_str(&document).unwrap();
    assert_eq!(again.params.chassis, chassis);
}

/// Products of inertia of 0 change no number of a car, compared with absent ones.
#[test]
fn no_products_are_no_change() {
    let [with, without] = ["products.xz = 0.0", ""].map(|line| sedan(line).unwrap());
    assert_eq!(with.spec().params, without.spec().params);
    let diagonal = Mat3::from_diagonal(Vec3::new(560.0, 2400.0, 2650.0));
    let bits = |m: Mat3| m.to_cols_array().map(f32::to_bits);
    assert_eq!(bits(with.inertia()), bits(diagonal));
}

#[rstest]
#[case::endless(
    "products = { xz = inf }",
    "chassis.products.xz = inf kg·m²: must be finite"
)]
#[case::nan(
    "products = { xy = nan }",
    "chassis.products.xy = NaN kg·m²: must be finite"
)]
#[case::too_large(
    "products = { xz = 1300.0 }",
    "chassis.products = { xy = 0, xz = 1300, yz = 0 } kg·m²: every principal moment must be > 0, and with inertia = \
     [560, 2400, 2650] kg·m² they are [-6"
)]
#[case::unknown(
    "products = { zx = 60.0 }",
    "chassis.products.zx = 60.0: unknown key, did you mean "
)]
#[case::text("products = { xz = \"much\" }", "chassis.products.xz")]
fn faults_of_products_are_named(#[case] line: &str, #[case] expected: &str) {
    let text = sedan(line).unwrap_err().to_string();
    let place = 1 + line_of(SEDAN, "[chassis]");
    let fault = format!("sedan.toml:{place}: {expected}");
    assert!(text.contains(&fault), "{text}");
}
