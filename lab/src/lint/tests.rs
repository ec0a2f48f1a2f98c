//! Every finding, provoked by a broken sedan; preset vehicles have no errors.

mod bounds;
mod complaints;
mod driven;
mod plausible;
mod proportions;
mod proposals;

use super::*;
use Severity::{Error, Note, Warning};
use jounce::document::Registries;
use jounce::presets::{self, BENCHMARK_SEDAN as SEDAN};
use jounce::tires::MichiganParams;
use rstest::rstest;

const DT: f32 = 1.0 / 60.0;

/// The sedan with parts of its file replaced wherever they stand.
fn sedan_with(changes: &[(&str, &str)]) -> Car {
    let text = SEDAN;
    let changed = changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "the sedan has {from:?}");
        text.replace(from, to)
    });
    Car::parse(&changed, "sedan.toml").unwrap()
}

/// A preset with a part of its file replaced.
pub(super) fn preset_with(name: &str, from: &str, to: &str) -> Car {
    let mut files = presets::FILES.into_iter();
    let (_, text) = files.find(|(known, _)| *known == name).unwrap();
    assert!(text.contains(from), "{name} has {from:?}");
    Car::parse(&text.replacen(from, to, 1), "car.toml").unwrap()
}

fn severities(car: &Car, dt: f32, rule: &str) -> Vec<Severity> {
    let findings = lint(car, dt).unwrap();
    let of_rule = findings.iter().filter(|found| found.rule == rule);
    of_rule.map(|found| found.severity).collect()
}

const FRONT_SPRING: &str = "stiffness = 27500.0, damping = 2600.0";
/// The sedan's table of aerodynamics.
const AIR: &str = "[aerodynamics]\narea = 2.15                             # m2\ndrag = 0.30\n\
    side = 2.3                              # 1/rad\nlift_front = 0.13                       # positive lifts\n\
    lift_rear = 0.17\nroll = 0.5                              # 1/rad: the side force acts 0.6 m above the ground\n\
    yaw = 0.5                               # 1/rad: turns the nose away from the wind\n";
/// The front spring as one that is free at full droop, with half of the droop that it needs for the weight.
const PURE: &str = "spring = \"pure\", stiffness = 27500.0, damping = 2600.0";
const REAR_SPRING: &str = "stiffness = 26000.0, damping = 2300.0";
const EXPLICIT: (&str, &str) = ("solver = \"rows\"", "solver = \"explicit\"");

/// Stiff springs without dampers, on which a car jumps from bump to bump.
const JUMPY: [(&str, &str); 2] = [
    (FRONT_SPRING, "stiffness = 80000.0, damping = 0.0"),
    (REAR_SPRING, "stiffness = 80000.0, damping = 0.0"),
];

/// A table of petrol with this efficiency (–) and friction (`N·m`), before the clutch's.
fn fueled(efficiency: f32, friction: f32) -> String {
    format!(
        "[drivetrain.engine.fuel]\nheating_value = 42.5e6\ndensity = 745.0\nefficiency = {efficiency}\n\
         friction = [[0.0, {friction}]]\n[drivetrain.clutch]"
    )
}

#[rstest]
// Springs.
#[case::samples("samples-per-oscillation", Error,
    &[EXPLICIT, (FRONT_SPRING, "stiffness = 9e6, damping = 2600.0")])]
#[case::few_samples("samples-per-oscillation", Note,
    &[(FRONT_SPRING, "stiffness = 2e5, damping = 9000.0")])]
#[case::too_few_samples("samples-per-oscillation", Warning,
    &[(FRONT_SPRING, "stiffness = 6e5, damping = 9000.0")])]
#[case::frequency("natural-frequency", Warning, &[(FRONT_SPRING, "stiffness = 2000.0, damping = 900.0")])]
#[case::free_spring("theoretical-spring", Warning, &[(FRONT_SPRING, PURE)])]
#[case::damper("damping-ratio", Warning, &[("damping = 2600.0", "damping = 0.0")])]
#[case::overdamped("damping-ratio", Warning, &[("damping = 2600.0", "damping = 20000.0")])]
#[case::compression("travel", Warning, &[("max_compression = 0.11", "max_compression = 0.0")])]
#[case::droop("travel", Warning, &[("max_droop = 0.10", "max_droop = 0.0")])]
#[case::too_soft("carries-the-car", Error, &[(FRONT_SPRING, "stiffness = 9000.0, damping = 1500.0")])]
#[case::bottoms("bottoms", Warning, &[("max_compression = 0.11", "max_compression = 0.02")])]
#[case::force_point_that_counts("force-point", Warning,
    &[EXPLICIT, ("force_height = 0.36", "force_height = 0.9")])]
// Wheels.
#[case::wheel_inertia("wheel-inertia", Warning, &[("inertia = 1.1 ", "inertia = 9.0 ")])]
#[case::wheel_inertia_in_other_units("wheel-inertia", Error, &[("inertia = 1.1 ", "inertia = 11000.0 ")])]
#[case::bearing("wheel-damping", Warning, &[("damping = 0.1 ", "damping = 0.0 ")])]
#[case::grippy("friction", Warning, &[("model = \"street\", force_height = 0.20",
    "model = \"street\", force_height = 0.20, friction_curve = [[0.0, 1.0], [0.1, 2.5], [1.0, 1.0]]")])]
#[case::slick("friction", Warning, &[("model = \"street\", force_height = 0.20",
    "model = \"street\", force_height = 0.20, friction_curve = [[0.0, 0.2], [0.1, 0.2], [1.0, 0.2]]")])]
#[case::load_filter("load-filter", Warning, &[("solver = \"rows\"",
    "solver = \"rows\"\nload_filter = { min_load = 0.0, min_filtered = 0.2, max_load = 1.5, max_filtered = 3.0 }")])]
#[case::ray("ray-start", Warning, &[("center = [0.0, 0.0, 0.78]", "center = [0.0, 0.0, 0.0]")])]
#[case::coefficients("tire-coefficients", Note, &[
    ("model = \"street\", force_height = 0.20", "model = \"odd\", force_height = 0.20"),
    ("[tires.street]", "[tires.odd]\nmodel = \"magic-formula\"\nversion = \"6.1\"\n\
     coefficients = { PCX1 = 2.5 }\n[tires.street]")])]
#[case::tire_point("tire-force-point", Warning, &[("force_height = 0.20", "force_height = 1.2")])]
#[case::roll_center("roll-center", Warning, &[("camber_at_max_droop_deg = 0.8 }\ntire", "camber_at_max_droop_deg = 0.8 }\nlinks = { roll_center = 0.7 }\ntire")])]
#[case::roll_center_below("roll-center", Warning, &[("camber_at_max_droop_deg = 0.8 }\ntire", "camber_at_max_droop_deg = 0.8 }\nlinks = { roll_center = -0.2 }\ntire")])]
#[case::soft_tires("wheel-hop", Warning, &[("camber_at_max_droop_deg = 0.8 }\ntire", "camber_at_max_droop_deg = 0.8 }\nunsprung = { mass = 42.0, tire_stiffness = 1000.0 }\ntire")])]
#[case::wheelbase_in_mm("length-scale", Error, &[("x = 1.36", "x = 1360.0"), ("x = -1.36", "x = -1360.0")])]
#[case::light_wheels("wheel-masses", Note, &[("mass = 22.0", "mass = 1.0"), ("mass = 20.0", "mass = 1.0")])]
#[case::scale("length-scale", Error, &[("radius = 0.32 ", "radius = 32.0 ")])]
// Body.
#[case::inertia("inertia", Warning, &[("inertia = [560.0, 2400.0, 2650.0]", "inertia = [560.0, 900.0, 1000.0]")])]
#[case::inertia_in_other_units("inertia", Error, &[("inertia = [560.0, 2400.0, 2650.0]", "inertia = [5.6, 24.0, 26.5]")])]
#[case::turned_frame("mass-frame", Warning, &[("inertia = [560.0, 2400.0, 2650.0]", "inertia = [2400.0, 560.0, 2650.0]")])]
#[case::no_body_with_products("mass-frame", Error, &[("center_of_mass = [0.14", "products = { xz = 700.0 }\ncenter_of_mass = [0.14")])]
#[case::no_body("mass-frame", Error, &[("inertia = [560.0, 2400.0, 2650.0]", "inertia = [560.0, 1000.0, 2650.0]")])]
#[case::beside("center-of-mass", Warning, &[("center_of_mass = [0.14, 0.0, 0.54]", "center_of_mass = [0.14, 0.3, 0.54]")])]
#[case::on_the_ground("center-of-mass", Note, &[("center_of_mass = [0.14, 0.0, 0.54]", "center_of_mass = [0.14, 0.0, 0.0]")])]
#[case::sprung_masses("sprung-masses", Warning, &[
    (FRONT_SPRING, "stiffness = 27500.0, damping = 2600.0, sprung_mass = 250.0"),
    (REAR_SPRING, "stiffness = 26000.0, damping = 2300.0, sprung_mass = 500.0")])]
#[case::sprung_masses_in_sum("sprung-masses", Warning, &[
    ("solver = \"rows\"", "solver = \"rows\"\nsprung_masses_may_differ = true"),
    (FRONT_SPRING, "stiffness = 27500.0, damping = 2600.0, sprung_mass = 430.0"),
    (REAR_SPRING, "stiffness = 26000.0, damping = 2300.0, sprung_mass = 350.0")])]
#[case::on_its_belly("clearance", Error, &[("center = [0.0, 0.0, 0.78]", "center = [0.0, 0.0, 0.5]")])]
#[case::rigid("rigid-wheels", Note, &[("# wheels = \"sections\"", "wheels = \"rigid\"")])]
#[case::low("clearance", Warning, &[("center = [0.0, 0.0, 0.78]", "center = [0.0, 0.0, 0.6]")])]
#[case::no_air("aerodynamics", Note, &[(AIR, "")])]
// Drive.
#[case::engine_speed("engine-speed", Warning, &[("max_speed = 680.0", "max_speed = 6500.0")])]
#[case::engine_damping("engine-damping", Warning, &[("damping_zero_throttle_engaged = 0.12", "damping_zero_throttle_engaged = 0.0")])]
#[case::torque_curve("torque-curve", Note, &[("[0.55, 1.0]", "[0.55, 2.0]")])]
#[case::no_torque("torque-curve", Error, &[
    ("[[0.0, 0.55], [0.15, 0.72], [0.3, 0.94], [0.55, 1.0], [0.8, 0.93], [0.93, 0.8], [1.0, 0.0]]", "[[0.0, 0.0]]")])]
#[case::gear_steps("gear-steps", Warning, &[("forward = [3.6, 2.05,", "forward = [9.6, 2.05,")])]
#[case::latency("autobox-latency", Error, &[("latency = 0.6", "latency = 0.2")])]
#[case::short_latency("autobox-latency", Warning, &[("latency = 0.6", "latency = 0.3")])]
#[case::hunting("autobox-hunting", Warning, &[("down = [0.0, 0.38,", "down = [0.0, 0.7,")])]
#[case::hunts_uphill("gear-hunting", Warning, &[EXPLICIT, ("2.05, 1.38", "1.6, 1.1")])]
#[case::slow_turbo("turbo-lag", Warning, &[("[drivetrain.clutch]",
    "[drivetrain.engine.turbo]\nunboosted = [[0.0, 0.6]]\nlag = [[0.0, 20.0]]\n[drivetrain.clutch]")])]
#[case::limited("rev-limiter", Warning, &[("[drivetrain.clutch]",
    "[drivetrain.engine.limiter]\ncuts_above = 590.0\nresumes_below = 570.0\n[drivetrain.clutch]")])]
#[case::wasted_fuel("fuel-efficiency", Warning, &[("[drivetrain.clutch]", &*fueled(0.09, 18.0))])]
#[case::saved_fuel("fuel-efficiency", Note, &[("[drivetrain.clutch]", &*fueled(0.55, 18.0))])]
#[case::idles_for_nothing("idle-consumption", Note,
    &[("[drivetrain.engine]", "[drivetrain.engine]\nidle_speed = 78.5"), ("[drivetrain.clutch]", &*fueled(0.4, 2.0))])]
#[case::weak_brakes("brakes", Warning, &[("max_torque = 1900.0", "max_torque = 200.0")])]
#[case::rear_locks_first("brakes", Warning, &[("max_torque = 950.0", "max_torque = 1900.0")])]
#[case::rear_locks_first_when_braked_hard("brakes", Note, &[("max_torque = 950.0", "max_torque = 1100.0")])]
#[case::in_rpm("top-speed", Error, &[("max_speed = 680.0", "max_speed = 6500.0")])]
#[case::far_too_short("top-speed", Note, &[("final_ratio = 4.05", "final_ratio = 40.5")])]
#[case::weak_engine("power", Note, &[("peak_torque = 230.0 ", "peak_torque = 23.0 ")])]
#[case::toy_engine("power", Warning, &[("peak_torque = 230.0 ", "peak_torque = 0.23 ")])]
#[case::strong_engine("power", Note, &[("peak_torque = 230.0 ", "peak_torque = 2300.0 ")])]
#[case::diameters("wheel-size", Note, &[("radius = 0.32 ", "radius = 0.64 ")])]
#[case::no_brakes("brakes", Error, &[("max_torque = 1900.0", "max_torque = 0.0"), ("max_torque = 950.0", "max_torque = 0.0")])]
#[case::no_handbrake("handbrake", Warning, &[("max_handbrake_torque = 1600.0", "max_handbrake_torque = 10.0")])]
// Driving.
#[case::lazy_engine("engine-spins", Error, &[("inertia = 0.22 ", "inertia = 500.0 ")])]
#[case::slipping_clutch("wheels-spin", Error, &[("strength = 12.0", "strength = 1e-6"), ("capacity = 320.0", "capacity = 0.01")])]
#[case::sunk("sinks", Error, &[
    (FRONT_SPRING, "stiffness = 100.0, damping = 300.0, sprung_mass = 409.5"),
    (REAR_SPRING, "stiffness = 100.0, damping = 300.0, sprung_mass = 333.2")])]
#[case::jitters("stands-still", Error, &[EXPLICIT,
    (FRONT_SPRING, "stiffness = 9e8, damping = 2600.0, sprung_mass = 409.5"), (REAR_SPRING, "stiffness = 9e8, damping = 2300.0, sprung_mass = 333.2")])]
#[case::no_power("moves", Error, &[("peak_torque = 230.0 ", "peak_torque = 1.0 ")])]
#[case::sluggish("moves", Warning, &[("peak_torque = 230.0 ", "peak_torque = 20.0 ")])]
#[case::first_gear_only("leaves-first-gear", Error, &[("up = [0.88, ", "up = [1.5, ")])]
#[case::rolls_on("slows-down", Warning, &[("damping = 0.1\n", "damping = 0.0\n"), ("damping = 0.1 ", "damping = 0.0 "),
    ("damping_zero_throttle_engaged = 0.12", "damping_zero_throttle_engaged = 0.0"),
    ("damping_full_throttle = 0.05", "damping_full_throttle = 0.0")])]
#[case::never_stops("stops", Error, &[("max_torque = 1900.0", "max_torque = 20.0"), ("max_torque = 950.0", "max_torque = 10.0")])]
#[case::no_load("driven-load", Warning, &[("center_of_mass = [0.14,", "center_of_mass = [-1.1,")])]
#[case::strong("spin-in-bends", Warning, &[("peak_torque = 230.0 ", "peak_torque = 400.0 ")])]
#[case::slippery("wheel-spin", Warning, &[("model = \"street\", force_height = 0.20",
    "model = \"street\", force_height = 0.20, friction_curve = [[0.0, 0.5], [0.1, 0.5], [1.0, 0.5]]")])]
#[case::nervous("turns-in", Warning, &[("inertia = [560.0, 2400.0, 2650.0]", "inertia = [560.0, 2400.0, 800.0]")])]
#[case::lazy("turns-in", Warning, &[("inertia = [560.0, 2400.0, 2650.0]", "inertia = [560.0, 2400.0, 26500.0]")])]
#[case::stiff_tires("turns-in", Warning, &[("lat_stiff_y = 14.0", "lat_stiff_y = 60.0")])]
#[case::swinging_slip("slip-oscillation", Warning, &[EXPLICIT])]
#[case::jumpy("bumps", Warning, &JUMPY)]
#[case::locked_steering("steers", Warning, &[("max_deg = 36.0", "max_deg = 0.0")])]
#[case::wrong_way("steers", Error, &[("ackermann = 0.8 }", "ackermann = 0.8, counter = true }")])]
#[case::straight_on("steers", Error, &[("max_deg = 36.0", "max_deg = 0.1")])]
#[case::wide_bend("steers", Warning, &[("max_deg = 36.0", "max_deg = 2.0")])]
fn each_fault_is_found(
    #[case] rule: &str,
    #[case] severity: Severity,
    #[case] changes: &[(&str, &str)],
) {
    assert!(
        severities(&sedan_with(&[]), DT, rule)
            .iter()
            .all(|s| *s == Note),
        "the sedan is sound"
    );
    let found = severities(&sedan_with(changes), DT, rule);
    assert!(found.contains(&severity), "{found:?}");
}

const VECTORING: &str =
    "[drivetrain.vectoring]\ngain = 4000.0\ncharacteristic_speed = 22.0\nmax_torque = 600.0\n";

/// Aids that fight each other, or the drive, are found.
#[rstest]
#[case(
    "aid-references",
    Warning,
    "torque-vectoring.characteristic_speed = 15.0\nstability-control = {}"
)]
#[case(
    "aid-slips",
    Warning,
    "traction-control.slip = 0.05\nlaunch-control.slip = 0.1"
)]
#[case(
    "aid-speeds",
    Warning,
    "speed-limiter.speed = 1.0\nhill-descent.speed = 2.0"
)]
#[case("aid-vectoring", Warning, "torque-vectoring = {}")]
#[case("aid-abs", Note, "abs = {}")]
#[case("aid-parking", Warning, "parking-brake.torque = 300.0")]
fn aids_that_fight_are_found(#[case] rule: &str, #[case] severity: Severity, #[case] aids: &str) {
    let text = presets::FILES.iter().find(|(name, _)| *name == "ev-saloon");
    let (_, text) = text.unwrap();
    let (head, rest) = text.split_once("[[drivetrain.motors]]").unwrap();
    let (motor, rest) = rest.split_once("[drivetrain.battery]").unwrap();
    let motor = |wheel| motor.replace("wheels = [2, 3]", &format!("wheels = [{wheel}]"));
    let (rest, _) = rest.split_once("[aids.abs]").unwrap();
    let with = |changed: bool| {
        let (vectoring, aids, brakes) = if changed {
            (VECTORING, aids, "max_torque = 1000.0")
        } else {
            ("", "abs = {}", "max_torque = 3400.0")
        };
        let text = format!(
            "{}[[drivetrain.motors]]{}[[drivetrain.motors]]{}{vectoring}[drivetrain.battery]{rest}[aids]\n{aids}\n",
            head.replace("max_torque = 3400.0", brakes),
            motor(2),
            motor(3)
        );
        inspect(&Car::parse(&text, "e.toml").unwrap(), DT)
    };
    let found = |findings: &[Finding]| findings.iter().find(|found| found.rule == rule).cloned();
    assert_eq!(found(&with(false)), None);
    assert_eq!(
        found(&with(true)).map(|found| found.severity),
        Some(severity)
    );
}

#[test]
fn shipped_vehicles_have_no_errors_and_no_warnings() {
    for (name, _) in presets::FILES {
        let car = presets::by_name(name).unwrap();
        let findings = lint(&car, DT).unwrap();
        // PhysX's own numbers are as they are.
        let allowed = if name == "physx-snippet" {
            Warning
        } else {
            Note
        };
        let sound = findings.iter().all(|found| found.severity >= allowed);
        assert!(sound, "{name}: {findings:#?}");
    }
}

#[test]
fn a_longer_step_gives_fewer_substeps() {
    let sedan = sedan_with(&[EXPLICIT]);
    assert!(severities(&sedan, DT, "samples-per-oscillation").is_empty());
    let found = severities(&sedan, 2.0 * DT, "samples-per-oscillation");
    assert_eq!(found, [Warning; 2], "front and rear");
}

#[test]
fn a_tire_model_of_ones_own_is_linted_like_any_other() {
    let mut models = Registries::with_builtins();
    models.tires = models.tires.register::<MichiganParams>("own");
    let text = SEDAN;
    let own = text.replace("model = \"michigan\"", "model = \"own\"");
    let own = Car::parse_with(&own, "own.toml", &models.tires).unwrap();
    assert_eq!(lint(&own, DT).unwrap(), lint(&sedan_with(&[]), DT).unwrap());
}

#[test]
fn a_vehicle_with_per_wheel_torques_is_driven_too() {
    let text = SEDAN;
    let start = text.find("[drivetrain]").unwrap();
    let direct = |torques: &str| {
        let drive = "[drivetrain]\nmodel = \"direct\"\nmax_torques = ";
        Car::parse(&format!("{}{drive}{torques}", &text[..start]), "e.toml").unwrap()
    };
    let good = lint(&direct("[300.0, 300.0, 0.0, 0.0]"), DT).unwrap();
    assert!(good.iter().all(|found| found.severity == Note), "{good:#?}");
    assert_eq!(
        severities(&direct("[1.0, 0.0, 0.0, 0.0]"), DT, "moves"),
        [Error]
    );
}

#[test]
fn more_substeps_damp_oscillating_slips() {
    let many = "solver = \"explicit\"\nsubsteps = { threshold_speed = 5.0, slow = 10, fast = 10 }";
    let calm = sedan_with(&[("solver = \"rows\"", many)]);
    assert!(severities(&calm, DT, "slip-oscillation").is_empty());
}

#[test]
fn a_limited_slip_keeps_the_inner_wheel_of_a_strong_car() {
    let strong = ("peak_torque = 230.0 ", "peak_torque = 400.0 ");
    let limited = ("kind = \"open-front\"", "kind = \"limited-slip-front\"");
    let rule = "spin-in-bends";
    assert_eq!(severities(&sedan_with(&[strong]), DT, rule), [Warning]);
    assert!(severities(&sedan_with(&[strong, limited]), DT, rule).is_empty());
}

/// The sample car's tires keep their grip in full slip; the guide takes it away.
#[test]
fn friction_that_falls_with_slip_keeps_a_car_off_steep_slopes() {
    let (_, text) = presets::FILES
        .into_iter()
        .find(|(name, _)| *name == "physx-snippet")
        .unwrap();
    let tire = "tire = { model = \"default\",";
    let falling = format!("{tire} friction_curve = [[0.0, 1.0], [0.1, 1.0], [1.0, 0.7]],");
    let [bad, tamed] = [text.to_owned(), text.replace(tire, &falling)]
        .map(|text| severities(&Car::parse(&text, "sample.toml").unwrap(), DT, "climbs"));
    assert_eq!(
        (bad.as_slice(), tamed.as_slice()),
        (&[Warning][..], &[][..])
    );
}

/// A filter that flattens loads lets a jumpy car keep its line on bumps.
#[test]
fn a_flatter_load_filter_holds_a_jumpy_car_on_bumps() {
    let filter = "solver = \"rows\"\nload_filter = { min_load = 0.0, min_filtered = 0.8, \
                  max_load = 3.0, max_filtered = 1.4 }";
    let flat = [JUMPY[0], JUMPY[1], ("solver = \"rows\"", filter)];
    assert_eq!(severities(&sedan_with(&JUMPY), DT, "bumps"), [Warning]);
    assert!(severities(&sedan_with(&flat), DT, "bumps").is_empty());
}

/// Whatever damping the engine has for the body is read from it, and slows the drive.
#[rstest]
#[case::none([0.0, 0.0], &[])]
#[case::some([0.05, 0.5], &[Note, Note])]
#[case::much([0.2, 2.0], &[Warning, Warning])]
#[case::of_one_kind([0.0, 2.0], &[Warning])]
fn the_bodys_damping_is_told(#[case] damping: [f32; 2], #[case] wanted: &[Severity]) {
    let [linear, angular] = damping;
    let body = BodyState {
        linear_damping: linear,
        angular_damping: angular,
        ..BodyState::BLANK
    };
    let findings = lint_in(&sedan_with(&[]), &LintSurroundings::of(&body, DT)).unwrap();
    let told = findings.iter().filter(|found| found.rule == "body-damping");
    let told: Vec<Severity> = told.map(|found| found.severity).collect();
    assert_eq!(told, wanted);
}
