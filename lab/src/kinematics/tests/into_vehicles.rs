//! Curves in vehicle files.

use std::fs;
use std::path::PathBuf;

use clap::Parser;
use glam::Vec2;
use jounce::core::params::WheelParams;
use jounce::file::Car;
use jounce::presets::BENCHMARK_SEDAN as SEDAN;

use super::{at, close, file, parsed};
use crate::LabError;
use crate::kinematics::{KinematicsArgs, kinematics_command};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: KinematicsArgs,
}

fn jounce(words: &[&str]) -> Result<String, LabError> {
    kinematics_command(
        &Cli::try_parse_from([&["kinematics"], words].concat())
            .unwrap()
            .args,
    )
}

/// A folder with a vehicle, `car.toml`.
struct Garage(PathBuf);

impl Garage {
    fn new(name: &str, vehicle: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("kinematics-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let garage = Self(folder);
        fs::write(garage.path("car.toml"), vehicle).unwrap();
        garage
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn write(&self, pairs: &[(&str, &str)]) -> Result<String, LabError> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/hardpoints");
        let files: Vec<String> = pairs
            .iter()
            .map(|(name, _)| format!("{folder}/{name}.toml"))
            .collect();
        let (out, car) = (self.path("page.html"), self.path("car.toml"));
        let mut words: Vec<&str> = files.iter().map(String::as_str).collect();
        words.extend(["--out", &out, "--into", &car]);
        words.extend(pairs.iter().flat_map(|(_, axle)| ["--axle", axle]));
        jounce(&words)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

impl Drop for Garage {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Angles in the file are those of the hard points over the whole travel, and forces go where the contact goes.
fn agrees(wheel: &WheelParams, name: &str) {
    let points = parsed(&file(name));
    let design = at(&points, 0.0, 0.0);
    let links = wheel.compliance.links.unwrap();
    let outward = f64::from(wheel.position.y);
    close(
        "lateral",
        f64::from(links.lateral),
        design.roll_center / outward,
        1e-4,
    );
    close("braked", f64::from(links.braked), design.braked, 1e-4);
    close("driven", f64::from(links.driven), design.driven, 1e-4);
    // Of a left wheel, both are turned: to the left, and to the right.
    close("toe", f64::from(wheel.toe), -design.toe, 1e-5);
    close(
        "camber",
        f64::from(wheel.suspension.camber.at_rest),
        -design.camber,
        1e-5,
    );
    assert_eq!(wheel.suspension.camber.at_max_compression, 0.0);
    for (jounce, camber) in &wheel.compliance.camber {
        let s = at(&points, f64::from(*jounce), 0.0);
        close(
            "camber over jounce",
            f64::from(*camber),
            design.camber - s.camber,
            1e-5,
        );
    }
    for (jounce, toe) in &wheel.compliance.toe {
        let s = at(&points, f64::from(*jounce), 0.0);
        close("toe over jounce", f64::from(*toe), design.toe - s.toe, 1e-5);
    }
    let beam = links.beam;
    for (jounce, shift) in &wheel.compliance.shift {
        let s = at(&points, f64::from(*jounce), 0.0);
        let ahead = s.center.x - design.center.x;
        let outward = if beam {
            0.0
        } else {
            s.contact.y - design.contact.y
        };
        close("wheelbase", f64::from(shift.x), ahead, 6e-5);
        close("track", f64::from(shift.y), outward, 6e-5);
    }
    let tables = [
        wheel.compliance.camber.len(),
        wheel.compliance.toe.len(),
        wheel.compliance.shift.len(),
    ];
    assert!(tables.into_iter().all(|points| points > 2), "{tables:?}");
}

#[test]
fn both_axles_of_a_sedan_get_their_curves_and_keep_the_rest() {
    let garage = Garage::new("both", SEDAN);
    let pairs = [("macpherson", "front"), ("semi-trailing-arm", "rear")];
    let said = garage.write(&pairs).unwrap();
    assert!(
        said.contains("roll center [mm]") && !said.contains("no `links`"),
        "{said}"
    );
    let car = Car::load(garage.path("car.toml")).unwrap();
    for ((name, _), wheel) in pairs.iter().zip([0, 2]) {
        agrees(&car.model().params().wheels[wheel], name);
    }
    let [left, right] = [0, 1].map(|n| car.model().params().wheels[n].compliance.shift.clone());
    let most = |table: &[(f32, Vec2)]| {
        table
            .iter()
            .fold(Vec2::ZERO, |most, (_, by)| most.max(by.abs()))
    };
    assert!(most(&left).min_element() > 1e-3, "{left:?}");
    for ((_, left), (_, right)) in left.iter().zip(&right) {
        assert_eq!(*right, Vec2::new(left.x, -left.y), "mirrored");
    }
    let (text, page, table) = (
        garage.text("car.toml"),
        garage.text("page.html"),
        garage.text("page.csv"),
    );
    let changed = |line: &&str| !text.contains(*line);
    let lost: Vec<&str> = SEDAN.lines().filter(changed).collect();
    // Toe and suspension of two axles.
    assert_eq!(lost.len(), 4, "{lost:?}");
    assert!(text.contains("# inwards"), "comments stay");
    for part in [
        "Roll center",
        "MacPherson strut",
        "semi-trailing arm",
        "Over the rack",
        "Caster trail",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("NaN") && !table.contains("NaN"));
    assert_eq!(table.lines().count(), 1 + 41 + 41 + 41);
}

#[test]
fn a_beam_is_written_as_one() {
    let text =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../vehicles/suv.toml")).unwrap();
    let garage = Garage::new("beam", &text);
    garage.write(&[("live-axle", "rear")]).unwrap();
    let car = Car::load(garage.path("car.toml")).unwrap();
    let model = car.model();
    let wheel = &model.params().wheels[2];
    assert!(wheel.compliance.links.unwrap().beam);
    agrees(wheel, "live-axle");
    // Both of its wheels alike.
    let steer = at(&parsed(&file("live-axle")), 0.0, 0.0)
        .roll_steer
        .unwrap();
    for wheel in &model.params().wheels[2..] {
        assert_eq!(wheel.compliance.roll_camber, 1.0);
        close(
            "roll steer",
            f64::from(wheel.compliance.roll_steer),
            -steer,
            1e-4,
        );
    }
    assert!(steer.abs() > 0.01, "{steer}");
}

/// An axle that becomes independent does not keep what a beam did.
#[test]
fn independent_wheels_do_not_lean_with_their_axle() {
    let text =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../vehicles/suv.toml")).unwrap();
    let garage = Garage::new("independent", &text);
    garage.write(&[("live-axle", "rear")]).unwrap();
    garage.write(&[("semi-trailing-arm", "rear")]).unwrap();
    let car = Car::load(garage.path("car.toml")).unwrap();
    let model = car.model();
    let compliance = &model.params().wheels[2].compliance;
    let rolls = (compliance.roll_camber, compliance.roll_steer);
    assert_eq!(rolls, (0.0, 0.0));
    assert!(!garage.text("car.toml").contains("roll_camber"));
}

#[test]
fn an_axle_alone_has_no_links_where_the_others_have_none() {
    let garage = Garage::new("one", SEDAN);
    let said = garage.write(&[("trailing-arm", "rear")]).unwrap();
    assert!(
        said.contains("rear: no `links`, as other axles have none"),
        "{said}"
    );
    let car = Car::load(garage.path("car.toml")).unwrap();
    assert!(car.model().params().wheels[2].compliance.links.is_none());
}

/// The file stays as it is.
#[test]
fn what_cannot_be_written_is_named() {
    let garage = Garage::new("unknown", SEDAN);
    let error = garage
        .write(&[("trailing-arm", "back")])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("--axle = \"back\": must be one of front, rear"),
        "{error}"
    );
    // Side forces at 60° of the swing axle's short arm: the roll center is out of the body.
    let text = SEDAN.replace(
        "hull = { size = [4.6, 1.82, 1.05], centre = [0.0, 0.0, 0.78] }",
        "hull = { size = [4.6, 1.82, 0.02], centre = [0.0, 0.0, 0.03] }",
    );
    let low = Garage::new("low", &text);
    let pairs = [("macpherson", "front"), ("semi-trailing-arm", "rear")];
    let error = low.write(&pairs).unwrap_err().to_string();
    assert!(error.contains("links.roll_center"), "{error}");
    assert_eq!(low.text("car.toml"), text);
    let none = jounce(&[
        "x.toml", "--into", "y.toml", "--axle", "front", "--axle", "rear",
    ]);
    let error = none.unwrap_err().to_string();
    assert!(error.contains("--axle: 2 of them for 1 file(s)"), "{error}");
}
