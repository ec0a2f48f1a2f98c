//! Contact of wheels with the ground: by rays, swept, or as bodies on joints.

use super::*;
use jointed_wheels::Attachments;
use vehicle_core::params::{Probe, SweepSettings};

/// The sedan with its commented-out table of sweeps, changed.
fn swept_sedan(from: &str, to: &str) -> Result<Car, FileError> {
    sedan_uncommented("# [sweep]", from, to)
}

#[test]
fn sweeps_are_read_and_the_sedans_example_is_the_default() {
    let car = swept_sedan("cylinder", "cylinder").unwrap();
    let Probe::Sweep(sweep) = car.model().params().probe else {
        panic!("its wheels are swept");
    };
    assert_eq!(sweep, SweepSettings::DEFAULT);
    let fault = |from, to| swept_sedan(from, to).unwrap_err().to_string();
    let text = fault("radius_scale = 1.0", "radius_scale = 0.0");
    let rule = ": sweep.radius_scale = 0: must be finite and > 0";
    assert!(text.contains(rule), "{text}");
    let text = fault("\"cylinder\"", "\"box\"");
    assert!(text.contains(": sweep.shape"), "{text}");
    let text = fault("inflation = 0.0", "inflate = 0.0");
    assert!(text.contains("sweep.inflate"), "{text}");
}

/// The sedan's commented-out contact.
const CONTACT: &str = "# wheels = \"sections\"";

/// A contact is named, or follows from the settings of sweeps; only swept wheels have some.
#[rstest]
#[case::unsaid("", "", Ok(Probe::Ray))]
#[case::settings("", "# [sweep]", Ok(Probe::Sweep(SweepSettings::DEFAULT)))]
#[case::rays("rays", "", Ok(Probe::Ray))]
#[case::as_in_older_files("probes", "", Ok(Probe::Ray))]
#[case::auto("auto", "", Ok(Probe::Auto))]
#[case::sections("sections", "", Ok(Probe::Sections))]
#[case::sweeps("sweeps", "", Ok(Probe::Sweep(SweepSettings::DEFAULT)))]
#[case::swept_rays(
    "rays",
    "# [sweep]",
    Err("wheels = rays: does not go with [sweep]: leave one out")
)]
#[case::swept_sections(
    "sections",
    "# [sweep]",
    Err("wheels = sections: does not go with [sweep]: leave one out")
)]
#[case::swept_choice(
    "auto",
    "# [sweep]",
    Err("wheels = auto: does not go with [sweep]: leave one out")
)]
#[case::swept_bodies(
    "rigid",
    "# [sweep]",
    Err("wheels = rigid: does not go with [sweep]: leave one out")
)]
#[case::constraints(
    "constraints",
    "",
    Err("wheels = constraints: is for rungs of a ladder")
)]
fn contacts_are_named(
    #[case] contact: &str,
    #[case] uncommented: &str,
    #[case] found: Result<Probe, &str>,
) {
    let (_, text) = presets::FILES[0];
    let mut text = text.to_owned();
    if !contact.is_empty() {
        text = text.replacen(CONTACT, &format!("wheels = \"{contact}\""), 1);
    }
    if !uncommented.is_empty() {
        text = text.replacen("# [sweep]", "[sweep]", 1);
    }
    let read = Car::parse(&text, "sedan.toml");
    match found {
        Ok(probe) => assert_eq!(read.unwrap().model().params().probe, probe),
        Err(rule) => {
            let text = read.unwrap_err().to_string();
            assert!(text.contains(rule), "{text}");
        }
    }
}

/// The explicit solver has one plane a step: wheels that meet sections need the other.
#[test]
fn sections_need_rows() {
    let (_, text) = presets::FILES[0];
    let text = text.replacen(CONTACT, "wheels = \"sections\"", 1);
    let text = text.replacen("solver = \"rows\"", "solver = \"explicit\"", 1);
    let text = Car::parse(&text, "sedan.toml").unwrap_err().to_string();
    assert!(
        text.contains("wheels = sections: needs solver = \"rows\""),
        "{text}"
    );
}

#[test]
fn wheels_are_probes_or_bodies() {
    let rigid = (CONTACT, "wheels = \"rigid\"");
    assert_eq!(sedan("", "").wheels, WheelKind::Probes);
    let car = sedan(rigid.0, rigid.1);
    assert_eq!(car.wheels, WheelKind::Jointed);
    let attachments = Attachments::of(&car.model(), 1.0).unwrap();
    let wheels: f32 = attachments.wheels.iter().map(|wheel| wheel.mass).sum();
    assert!((attachments.mass + wheels - car.mass()).abs() < 1e-3);
    let places = attachments.wheels.iter();
    let moment: Vec3 = places
        .map(|w| (w.position + attachments.center_of_mass) * w.mass)
        .sum();
    let center = (attachments.center_of_mass * attachments.mass + moment) / car.mass();
    assert!((center - car.center_of_mass()).length() < 1e-5, "{center}");
    assert!(attachments.center_of_mass.z > car.center_of_mass().z);
    let less = (car.inertia() - attachments.inertia).diagonal();
    // 84 kg, most of it 1.36 m ahead or behind and 0.78 m aside.
    assert!(
        (less - Vec3::new(55.0, 160.0, 207.0)).length() < 10.0,
        "{less}"
    );
    let parts = attachments.wheels.iter().map(|w| (w.mass, w.position));
    let own = |(mass, at)| {
        inertia::of_point(mass, at + attachments.center_of_mass - car.center_of_mass())
    };
    let lifted = (attachments.mass, Vec3::ZERO);
    let whole = parts
        .chain([lifted])
        .map(own)
        .fold(attachments.inertia, |sum, part| sum + part);
    let off = (whole - car.inertia()).to_cols_array();
    assert!(off.into_iter().all(|x| x.abs() < 0.01), "{whole}");
    let fault = |from: &str, to: &str| {
        let text = SEDAN;
        let text = text.replacen(rigid.0, rigid.1, 1).replacen(from, to, 1);
        Car::parse(&text, "rigid.toml").unwrap_err().to_string()
    };
    let text = fault("[chassis]", "[sweep]\n[chassis]");
    assert!(
        text.contains(": wheels = rigid: does not go with [sweep]"),
        "{text}"
    );
    let text = fault("mass = 22.0 ", "mass = 500.0 ");
    assert!(text.contains("is heavier than what it carries"), "{text}");
    let text = fault("wheels = \"rigid\"", "wheels = \"square\"");
    assert!(text.contains(": wheels"), "{text}");
}

/// A car with rigid wheels names the parameters that it ignores, on all four wheels or on those of the changed axle.
#[rstest]
#[case::as_it_is("name", "name", &["toe", "suspension.camber"])]
#[case::toe("toe_deg = 0.1 ", "toe_deg = 0.0 ", &["suspension.camber"])]
#[case::damper("damping = 2600.0", "damping = { bump = { rate = 2000.0 }, rebound = { rate = 3200.0 } }",
    &["toe", "suspension.camber", "suspension.damping"])]
#[case::curves("max_compression = 0.11", "max_compression = 0.11, spring_curve = [[-0.1, -2750.0], [0.0, 0.0], [0.1, 2750.0]], \
    bump_curve = [[0.1, 260.0], [0.5, 1000.0]], rebound_curve = [[0.1, 260.0], [0.5, 1000.0]]",
    &["toe", "suspension.camber", "compliance.spring", "compliance.bump", "compliance.rebound"])]
#[case::tables("steering = {", "compliance = { toe_deg = [[0.1, 0.1]], camber_deg = [[0.1, 0.1]], suspension_point = \
    [[0.1, [0.0, 0.0, 0.1]]], tire_point = [[0.1, [0.0, 0.0, 0.1]]] }\nsteering = {", &["toe", "suspension.camber",
    "compliance.toe", "compliance.camber", "compliance.suspension_point", "compliance.tire_point"])]
#[case::friction("force_height = 0.20,", "force_height = 0.20, friction_curve = [[0.0, 1.0], [0.1, 1.1], [1.0, 0.9]],",
    &["toe", "suspension.camber", "tire.friction_curve"])]
fn what_rigid_wheels_leave_out_is_named(
    #[case] from: &str,
    #[case] to: &str,
    #[case] names: &[&str],
) {
    let found = jointed_wheels::left_out(&sedan(from, to).model());
    let of_first = found
        .iter()
        .filter_map(|fault| fault.path.strip_prefix("wheels[0]."));
    assert_eq!(of_first.collect::<Vec<_>>(), names, "{found:#?}");
    let rear = found
        .iter()
        .filter(|fault| fault.path.starts_with("wheels[3]."))
        .count();
    assert_eq!(
        rear, 2,
        "the rear axle has toe and camber alone: {found:#?}"
    );
}

#[test]
fn of_a_steering_wheel_rigid_wheels_are_told() {
    let text = steering::tests::with_system();
    let car = Car::parse(&text, "s").unwrap();
    let found = jointed_wheels::left_out(&car.model());
    let last = found.last().map(|fault| fault.path.as_str());
    assert_eq!(last, Some("drivetrain.steering.system"));
}

/// Tracks, and axles that lock at once or only when one wheel turns faster.
#[test]
fn wheels_that_a_drivetrain_binds_are_no_bodies() {
    for (name, from, to) in [
        ("tractor", "", ""),
        ("tank", "", ""),
        (
            "tractor",
            "{ bias = 1.0, target = 1.0 }",
            "{ bias = 1.5, target = 1.2 }\nrate = 10.0",
        ),
    ] {
        let mut files = presets::FILES.into_iter();
        let (_, text) = files.find(|(known, _)| *known == name).unwrap();
        assert!(text.contains(from), "{name}");
        let text = text.replacen(from, to, 1);
        assert!(Car::parse(&text, name).is_ok());
        let text = text.replacen("\nname = ", "\nwheels = \"rigid\"\nname = ", 1);
        let error = Car::parse(&text, name).unwrap_err().to_string();
        let rule = ": wheels = rigid: the drivetrain binds wheels to each other";
        assert!(error.contains(rule), "{name}: {error}");
    }
}
