use super::super::{Car, FileError};
use crate::file::tests::SEDAN;
use crate::presets;
use rstest::rstest;
use vehicle_core::{CarCommand, Command, Control, TankCommand};

/// The sedan with another differential table.
fn with_differential(table: &str) -> Result<Car, FileError> {
    let (_, text) = presets::FILES[0];
    let header = "[drivetrain.differential]\n";
    let start = text.find(header).expect("the sedan has one") + header.len();
    Car::parse(&format!("{}{table}", &text[..start]), "other.toml")
}

fn fault(car: Result<Car, FileError>) -> String {
    car.map(|_| "accepted".to_owned())
        .unwrap_or_else(|error| error.to_string())
}

#[rstest]
#[case::equal("model = \"equal\"\nwheels = [0, 1]")]
#[case::limited_slip(
    "model = \"limited-slip\"\nbias = 1.5\n\
     axles = [{ wheels = [0, 1], share = 0.4, bias = 2.0 }, { wheels = [2, 3], share = 0.6 }]"
)]
#[case::torque_vectoring(
    "model = \"torque-vectoring\"\nwheels = [0, 1, 2, 3]\nair_share = 0.01\nleast_grounded = 2"
)]
#[case::multi_wheel(
    "model = \"multi-wheel\"\ntorque_ratios = [0.5, -0.5]\nspeed_ratios = [0.5, 0.5]"
)]
#[case::locking(
    "model = \"locking\"\nfront = [0, 1]\nrear = [2, 3]\nrear_limit = { bias = 1.0, target = 1.0 }\n\
     ratios = { torque_ratios = [0.0, 0.0, 0.5, 0.5], speed_ratios = [0.0, 0.0, 0.5, 0.5] }"
)]
#[case::tank("model = \"tank\"\nspecial = true")]
#[case::tank_by_ratios(
    "model = \"tank\"\nlaw = { scaled = { torque_ratios = [0.5, 0.5], speed_ratios = [0.5, 0.5] } }"
)]
fn every_law_is_read(#[case] table: &str) {
    assert_eq!(fault(with_differential(table)), "accepted");
}

#[rstest]
#[case::no_law(
    "wheels = [0, 1]",
    "drivetrain.differential.model = nothing: must be one of"
)]
#[case::unknown_law("model = \"lsd\"", "drivetrain.differential.model = \"lsd\"")]
#[case::unknown_key(
    "model = \"equal\"\nwheels = [0]\nwheel = 1",
    "drivetrain.differential.wheel = 1: unknown key, did you mean wheels?"
)]
#[case::no_such_wheel(
    "model = \"equal\"\nwheels = [0, 4]",
    "drivetrain.differential.wheels[1] = 4: must name a wheel, 0..4"
)]
#[case::share(
    "model = \"torque-vectoring\"\nwheels = [0, 1]\nair_share = 0.6\nleast_grounded = 1",
    "drivetrain.differential.air_share = 0.6: must be within 0..=0.5"
)]
#[case::sum(
    "model = \"multi-wheel\"\ntorque_ratios = [0.5, 0.6]\nspeed_ratios = [0.5, 0.5]",
    "drivetrain.differential.torque_ratios = 1.1: the magnitudes' sum must be 1 within 0.01"
)]
#[case::limit_of_wheels_without_torque(
    "model = \"locking\"\nfront = [0, 1]\nrear = [2, 3]\nfront_limit = { bias = 1.5, target = 1.5 }\n\
     ratios = { torque_ratios = [0.0, 0.0, 0.5, 0.5], speed_ratios = [0.0, 0.0, 0.5, 0.5] }",
    "drivetrain.differential.front[0] = 0: must have shares of torque and speed, because its speed is limited"
)]
#[case::target_of_the_bias(
    "model = \"locking\"\nfront = [0, 1]\nrear = [2, 3]\nrear_limit = { bias = 1.5, target = 1.5 }\n\
     ratios = { torque_ratios = [0.0, 0.0, 0.5, 0.5], speed_ratios = [0.0, 0.0, 0.5, 0.5] }",
    "drivetrain.differential.rear_limit.target = 1.5: must lie between 1 and the bias, 1.5"
)]
fn faults_are_named_under_the_table(#[case] table: &str, #[case] expected: &str) {
    let text = fault(with_differential(table));
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_tank_has_default_tracks() {
    let (_, text) = presets::FILES[0];
    let tank = text
        .replacen("model = \"engine\"", "model = \"tank\"", 1)
        .split("[drivetrain.differential]")
        .next()
        .expect("all before")
        .to_owned();
    let car = Car::parse(&tank, "tank.toml").unwrap();
    let (model, mut control) = (car.model(), Control::idle(4));
    let mut state = model.drivetrain().initial_state();
    let command = Command::Tank(TankCommand::default());
    let read = model
        .drivetrain()
        .control(&command, &mut state, &mut control);
    assert_eq!(read, Ok(()));
    assert_eq!(control.wheels.first().wheel_coupling, [1, 2, 1, 2]);
}

/// The sedan with one wheel in front.
fn delta() -> String {
    let mut text = SEDAN;
    text = text
        .split("[drivetrain.differential]")
        .next()
        .expect("all before");
    let changes = [
        ("track = 1.56  ", "wheels = 1  "),
        ("toe_deg = 0.1  ", "toe_deg = 0.0  "),
        (
            ", camber_deg = -0.7, camber_at_max_compression_deg = -1.2, \
             camber_at_max_droop_deg = 0.8",
            "",
        ),
        ("[[anti_roll]]\nwheels = [0, 1]\nstiffness = 14000.0 ", ""),
        ("wheels = [2, 3]", "wheels = [1, 2]"),
    ];
    let rest = "[drivetrain.differential]\nmodel = \"equal\"\nwheels = [1, 2]\n";
    changes
        .into_iter()
        .fold(format!("{text}{rest}"), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1)
        })
}

#[test]
fn an_axle_may_have_one_wheel_in_the_middle() {
    let car = Car::parse(&delta(), "delta.toml").unwrap();
    let model = car.model();
    let wheels = &model.params().wheels;
    let names: Vec<_> = wheels.iter().map(|wheel| wheel.name.as_str()).collect();
    assert_eq!(names, ["front", "rear left", "rear right"]);
    assert_eq!(wheels[0].position.y, 0.0);
    let mut control = Control::idle(3);
    let mut state = model.drivetrain().initial_state();
    let command = Command::Car(CarCommand {
        steer: -1.0,
        brake: 1.0,
        ..CarCommand::default()
    });
    let read = model
        .drivetrain()
        .control(&command, &mut state, &mut control);
    assert_eq!(read, Ok(()));
    let [front, rear, _, _] = control.wheels.first().steer.to_array();
    assert_eq!((front, rear), (36.0_f32.to_radians(), 0.0));
    let brakes = control.wheels.first().brake.to_array();
    assert_eq!(brakes, [1900.0, 950.0, 950.0, 0.0]);
}

#[rstest]
#[case::track(
    "wheels = 1  ",
    "wheels = 1\ntrack = 1.5 ",
    "axles[0].track = 1.5 m: an axle of"
)]
#[case::toe(
    "toe_deg = 0.0  ",
    "toe_deg = 0.2  ",
    "axles[0].toe_deg = 0.2: must be 0 on"
)]
#[case::compliance_toe(
    "tire = {",
    "compliance = { toe_deg = [[0.0, 0.0], [0.1, 0.2]] }\ntire = {",
    "axles[0].compliance.toe_deg[1] = 0.2: must be 0 on"
)]
#[case::compliance_camber(
    "tire = {",
    "compliance = { camber_deg = [[0.0, -0.3]] }\ntire = {",
    "axles[0].compliance.camber_deg[0] = -0.3: must be 0 on"
)]
#[case::compliance_point(
    "tire = {",
    "compliance = { tire_point = [[0.0, [0.1, 0.02, 0.0]]] }\ntire = {",
    "axles[0].compliance.tire_point[0].y = 0.02 m: must be 0 on"
)]
#[case::steering("max_deg = 36.0", "max_deg = 95.0", "axles[0].steering.max_deg = ")]
#[case::three("wheels = 1  ", "wheels = 3  ", "axles[0].wheels = 3: must be 1 or 2")]
#[case::no_track("track = 1.56", "", "axles[1].track = nothing: two wheels need one")]
#[case::wheel("radius = 0.32\n", "radius = -1.0\n", "axles[1].radius = -1 m")]
#[case::brakes(
    "max_torque = 950.0",
    "max_torque = -1.0",
    "axles[1].brakes.max_torque = -1"
)]
fn faults_of_wheels_are_under_their_axle(
    #[case] from: &str,
    #[case] to: &str,
    #[case] expected: &str,
) {
    let text = delta();
    assert!(text.contains(from), "{text}");
    let text = fault(Car::parse(&text.replacen(from, to, 1), "delta.toml"));
    assert!(text.contains(expected), "{text}");
}

#[rstest]
#[case::ackermann(
    "ackermann = 0.8",
    "ackermann = 3.0",
    "axles[0].steering.ackermann = 3: must be within 0..=1"
)]
#[case::angle("max_deg = 36.0", "max_deg = 90.0", "axles[0].steering.max_deg = 1.57")]
#[case::separation(
    "ackermann = 0.8",
    "separation = -1.0",
    "axles[0].steering.separation = -1 m"
)]
fn faults_of_steered_axles_are_under_their_axle(
    #[case] from: &str,
    #[case] to: &str,
    #[case] expected: &str,
) {
    assert!(SEDAN.contains(from), "{SEDAN}");
    let text = fault(Car::parse(&SEDAN.replacen(from, to, 1), "sedan.toml"));
    assert!(text.contains(expected), "{text}");
}

/// The electric saloon with some of its text changed.
fn electric_with(changes: &[(&str, &str)]) -> Result<Car, FileError> {
    let mut files = presets::FILES.into_iter();
    let (_, text) = files.find(|(name, _)| *name == "ev-saloon").unwrap();
    // Other solvers refuse its ABS, too.
    let text = text.replace("[aids.abs]", "[aids]");
    let changed = changes.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    Car::parse(&changed, "electric.toml")
}

/// A hybrid without its engine, with a generator that drives wheels, or with a wrong number, is refused by name.
#[rstest]
#[case::no_generator(
    "wheels = []",
    "wheels = [2]",
    "drivetrain.motors.wheels = 1 generator: must be the number"
)]
#[case::teeth(
    "planetary = 2.6",
    "planetary = 0.0",
    "drivetrain.power_split.planetary = 0: must be finite and > 0"
)]
#[case::line(
    "[73000.0, 545.0]]",
    "[73000.0, -5.0]]",
    "drivetrain.power_split.operating_line.[6].y = -5 rad/s"
)]
#[case::rate(
    "speed_rate = 150.0",
    "speed_rate = -1.0",
    "drivetrain.power_split.speed_rate = -1 rad/s²"
)]
#[case::engine(
    "static_friction = 40.0",
    "static_friction = -4.0",
    "drivetrain.engine.static_friction = -4 N·m"
)]
fn faults_of_a_power_split_are_named(#[case] from: &str, #[case] to: &str, #[case] expected: &str) {
    let mut files = presets::FILES.into_iter();
    let (_, text) = files.find(|(name, _)| *name == "hybrid-saloon").unwrap();
    assert!(text.contains(from), "{from}");
    let told = fault(Car::parse(&text.replacen(from, to, 1), "hybrid.toml"));
    assert!(told.contains(expected), "{told}");
}

/// A parallel hybrid with a wrong number, or without its engine, is refused by name.
#[rstest]
#[case::cranking(
    "cranking_torque = 60.0",
    "cranking_torque = 0.0",
    "drivetrain.parallel.cranking_torque = 0 N·m: must be finite and > 0"
)]
#[case::stops(
    "stop_power = 5000.0",
    "stop_power = 9500.0",
    "drivetrain.parallel.stop_power = 9500 W: must be at most the power at which the engine starts"
)]
#[case::gears(
    "down = [0.0, 0.36,",
    "down = [0.36,",
    "drivetrain.parallel.autobox.down = 5 thresholds: there must be one per forward gear, 6"
)]
#[case::unknown(
    "cranking_torque",
    "crank_torque",
    "drivetrain.parallel.crank_torque = 60.0: unknown key, did you mean cranking_torque?"
)]
fn faults_of_a_parallel_hybrid_are_named(
    #[case] from: &str,
    #[case] to: &str,
    #[case] expected: &str,
) {
    let mut files = presets::FILES.into_iter();
    let (_, text) = files.find(|(name, _)| *name == "hybrid-hatchback").unwrap();
    assert!(text.contains(from), "{from}");
    let told = fault(Car::parse(&text.replacen(from, to, 1), "hybrid.toml"));
    assert!(told.contains(expected), "{told}");
}

/// A double clutch has no converter beside it.
#[rstest]
#[case::time(
    "handover = 0.15",
    "handover = 0.0",
    "drivetrain.dual_clutch.handover = 0 s: must be finite and > 0"
)]
#[case::gains(
    "efficiency = 0.93",
    "efficiency = 1.3",
    "drivetrain.dual_clutch.efficiency = 1.3: must be > 0 and at most 1"
)]
#[case::converter(
    "[drivetrain.clutch]",
    "[drivetrain.converter]\ninertia = 0.1\ncapacity = [[0.0, 0.01], [1.0, 0.0]]\ntorque_ratio = [[0.0, 2.0], [1.0, 1.0]]\n[drivetrain.clutch]",
    "drivetrain.dual_clutch = there: must be left out beside a torque converter"
)]
fn faults_of_a_double_clutch_are_named(
    #[case] from: &str,
    #[case] to: &str,
    #[case] expected: &str,
) {
    let mut files = presets::FILES.into_iter();
    let (_, text) = files.find(|(name, _)| *name == "hatchback-dct").unwrap();
    assert!(text.contains(from), "{from}");
    let told = fault(Car::parse(&text.replacen(from, to, 1), "hatchback.toml"));
    assert!(told.contains(expected), "{told}");
}

/// A variator needs a converter, and a map by ascending throttle.
#[rstest]
#[case::ratios(
    "ratios = [4.0, 0.55]",
    "ratios = [0.4, 0.55]",
    "drivetrain.variator.ratios[1] = 0.55: must be at most"
)]
#[case::map(
    "throttle = 1.0",
    "throttle = 0.3",
    "drivetrain.variator.speed_map[2].throttle = 0.3: must be above"
)]
#[case::rate(
    "rate = 0.8",
    "rate = 0.0",
    "drivetrain.variator.rate = 0 1/s: must be finite and > 0"
)]
fn faults_of_a_variator_are_named(#[case] from: &str, #[case] to: &str, #[case] expected: &str) {
    let mut files = presets::FILES.into_iter();
    let (_, text) = files.find(|(name, _)| *name == "city-car-cvt").unwrap();
    assert!(text.contains(from), "{from}");
    let told = fault(Car::parse(&text.replacen(from, to, 1), "city.toml"));
    assert!(told.contains(expected), "{told}");
}

/// All faults of an electric drive are told at once, each with its path, its unit and its rule.
#[test]
fn faults_of_an_electric_drive_are_told_together() {
    let changes = [
        ("wheels = [2, 3]  ", "wheels = [2, 4]  "),
        ("peak_torque = 430.0", "peak_torque = 0.0"),
        ("derating = [90.0, 130.0]", "derating = [90.0, 80.0]"),
        ("resistance = 0.055", "resistance = -0.055"),
        ("fade = [0.5, 2.0]", "fade = [2.0, 2.0]"),
    ];
    let told = fault(electric_with(&changes));
    for expected in [
        "drivetrain.motors[0].peak_torque = 0 N·m: must be finite and > 0",
        "drivetrain.motors[0].heat.derating[1] = 80 K: must be above",
        "drivetrain.battery.resistance = -0.055 Ω: must be finite and > 0",
        "drivetrain.regeneration.fade[1] = 2 m/s: must be above",
    ] {
        assert!(told.contains(expected), "{told}");
    }
    let told = fault(electric_with(&changes[..1]));
    let expected = "drivetrain.motors[0].wheels[1] = 4: must name a wheel, 0..4";
    assert!(told.contains(expected), "{told}");
}

#[rstest]
#[case::explicit(("solver = \"rows\"", "solver = \"explicit\""), "the explicit solver turns no shafts")]
#[case::misspelt(("peak_power = 250000.0", "power = 250000.0"), "motors[0].power = 250000.0: unknown key")]
#[case::clutch(
    ("[drivetrain.responses]", "[drivetrain.responses]\ngovernor = 0.1"),
    "drivetrain.responses.governor = 0.1: an electric drive has no engine to govern"
)]
fn what_an_electric_drive_cannot_have_is_named(
    #[case] change: (&str, &str),
    #[case] expected: &str,
) {
    let told = fault(electric_with(&[change]));
    assert!(told.contains(expected), "{told}");
}

/// The preset `name` with one text in place of another.
fn preset_with(name: &str, [from, to]: [&str; 2]) -> Result<Car, FileError> {
    let mut files = presets::FILES.into_iter();
    let (_, text) = files.find(|(known, _)| *known == name).unwrap();
    assert!(text.contains(from), "{from}");
    Car::parse(&text.replacen(from, to, 1), "car.toml")
}

/// Every fault of a slip limiter is told at once, with its path.
#[test]
fn faults_of_a_slip_limiter_are_told_together() {
    let limiter = "preload = 14.0, power = 0.22, coast = 0.27";
    let told = fault(preset_with(
        "sports-car-manual",
        [limiter, "preload = -14.0, power = 1.2, coast = -0.1"],
    ));
    let limiter = "drivetrain.differential.axles[0].slip_limiter.plates";
    for expected in [
        "preload = -14 N·m: must be finite and >= 0",
        "power = 1.2: must be within 0..=1",
        "coast = -0.1: must be within 0..=1",
    ] {
        assert!(told.contains(&format!("{limiter}.{expected}")), "{told}");
    }
}

#[rstest]
#[case::bias(
    "sports-car-manual",
    ["share = 1.0\n", "share = 1.0\nbias = 1.3\n"],
    "drivetrain.differential.axles[0].slip_limiter = there: must be left out beside a bias"
)]
#[case::one_wheel(
    "sports-car-manual",
    ["wheels = [2, 3]\nshare", "wheels = [2]\nshare"],
    "drivetrain.differential.axles[0].slip_limiter = 1 outputs: must act between two outputs"
)]
#[case::one_axle(
    "sports-car-manual",
    ["model = \"limited-slip\"", "model = \"limited-slip\"\nslip_limiter = { torsen = { power = 2.0, coast = 2.0 } }"],
    "drivetrain.differential.slip_limiter = 1 outputs: must act between two outputs"
)]
#[case::torsen(
    "sports-car-manual",
    ["{ plates = { preload = 14.0, power = 0.22, coast = 0.27 } }", "{ torsen = { power = 0.5, coast = 1.0 } }"],
    "slip_limiter.torsen.power = 0.5: must be"
)]
#[case::viscous(
    "sports-car-manual",
    ["{ plates = { preload = 14.0, power = 0.22, coast = 0.27 } }", "{ viscous = { torque_curve = [[5.0, 90.0], [9.0, 80.0]] } }"],
    "slip_limiter.viscous.torque_curve.[1].y = 80 N·m: must be above the point before"
)]
#[case::explicit(
    "tractor-range",
    ["solver = \"rows\"", "solver = \"explicit\""],
    "the explicit solver turns no shafts"
)]
#[case::pedal(
    "sports-car-manual",
    ["closed_point = 0.25", "closed_point = 0.75"],
    "drivetrain.clutch.pedal.closed_point = 0.75: must be >= 0 and below the bite point"
)]
#[case::range(
    "tractor-range",
    ["ranges = [1.0, 4.0]", "ranges = [1.0, 0.0]"],
    "drivetrain.gearbox.ranges[1] = 0: must be finite and > 0"
)]
#[case::power_take_off(
    "tractor-range",
    ["torque = 400.0", "torque = -400.0"],
    "drivetrain.power_take_off.torque = -400 N·m: must be finite and > 0"
)]
#[case::retarder(
    "eighteen-wheeler-retarder",
    ["[20.0, 400.0]", "[20.0, -400.0]"],
    "drivetrain.retarder.torque_curve.[1].y = -400 N·m: must be finite and >= 0"
)]
#[case::steps(
    "eighteen-wheeler-retarder",
    ["steps = 5", "steps = 0"],
    "drivetrain.retarder.steps = 0: must be > 0"
)]
fn faults_of_parts_beside_the_gears_are_named(
    #[case] name: &str,
    #[case] change: [&str; 2],
    #[case] expected: &str,
) {
    let told = fault(preset_with(name, change));
    assert!(told.contains(expected), "{told}");
}
