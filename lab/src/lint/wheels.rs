//! Wheels and tires.

use jounce::core::params::WheelParams;

use super::finding::{Findings, Rule, Severity, graded, when};
use super::subject::Subject;

use Severity::{Error, Note, Warning};

const INERTIA: &str = "Tuning Guide, PxVehicleWheelData: mMOI";
const DAMPING: &str = "Tuning Guide, PxVehicleWheelData: mDampingRate";
const FRICTION: &str = "Tuning Guide, PxVehicleTireData: mFrictionVsSlipGraph";
const SCALE: &str = "SI Units; Troubleshooting: Jittery Vehicles";
const RAYS: &str = "Filtering: suspension raycasts";
const POINT: &str = "Tuning Guide, PxVehicleWheelsSimData: setTireForceAppPointOffset";

pub(super) fn look(subject: &Subject<'_>, findings: &mut Findings) {
    for (_, wheel) in subject.wheels() {
        inertia(wheel, findings);
        bearing(wheel, findings);
        friction(wheel, findings);
        ray(subject, wheel, findings);
        force_point(subject, wheel, findings);
    }
    length_scale(subject, findings);
}

fn inertia(wheel: &WheelParams, findings: &mut Findings) {
    let rule = Rule {
        name: "wheel-inertia",
        section: INERTIA,
    };
    let disc = 0.5 * wheel.mass * wheel.radius * wheel.radius;
    let severity = graded(
        wheel.inertia / disc,
        ([0.5, 2.0], Warning),
        ([0.02, 50.0], Error),
    );
    findings.add(
        severity,
        rule,
        &wheel.name,
        format!("{:.3} kg·m²", wheel.inertia),
        [
            format!("about that of a disc, ½·m·r² = {disc:.3} kg·m²"),
            format!("inertia = {disc:.2}"),
        ],
    );
}

fn bearing(wheel: &WheelParams, findings: &mut Findings) {
    let rule = Rule {
        name: "wheel-damping",
        section: DAMPING,
    };
    let severity = if wheel.damping == 0.0 {
        Some(Warning)
    } else {
        graded(wheel.damping, ([0.05, 5.0], Note), ([0.0, 100.0], Warning))
    };
    findings.add(
        severity,
        rule,
        &wheel.name,
        format!("{} N·m·s/rad", wheel.damping),
        [
            "0.25 to 2 N·m·s/rad, never 0: else a free wheel never stops".to_owned(),
            "damping = 0.25".to_owned(),
        ],
    );
}

fn friction(wheel: &WheelParams, findings: &mut Findings) {
    let rule = Rule {
        name: "friction",
        section: FRICTION,
    };
    let most = wheel.tire.friction_curve.0.map(|point| point[1]);
    let most = most.into_iter().fold(0.0, f32::max);
    findings.add(
        when(most > 2.0, Warning),
        rule,
        &wheel.name,
        format!("friction {most}"),
        [
            "at most 2; racing slicks have 1.6".to_owned(),
            "a friction curve of about 1".to_owned(),
        ],
    );
}

/// A ray that starts outside of the body can start beyond what the body cannot pass.
fn ray(subject: &Subject<'_>, wheel: &WheelParams, findings: &mut Findings) {
    let rule = Rule {
        name: "ray-start",
        section: RAYS,
    };
    let travel = wheel.suspension.travel_direction;
    let start = wheel.position - travel * (wheel.radius + wheel.suspension.max_compression);
    let hull = &subject.hull;
    let beyond = ((start - hull.centre).abs() - 0.5 * hull.size).max(glam::Vec3::ZERO);
    let over = beyond.max_element();
    findings.add(
        // Wheels of many vehicles stand beside the body.
        when(beyond.z > 1e-3, Warning)
            .or(when(beyond.truncate().max_element() > wheel.width, Note)),
        rule,
        &wheel.name,
        format!("its ray starts {over:.2} m outside of the body's box"),
        [
            "within the box: what the wheel passes through must stop the body, too".to_owned(),
            "a hull that covers the wheel's top at full compression".to_owned(),
        ],
    );
}

fn force_point(subject: &Subject<'_>, wheel: &WheelParams, findings: &mut Findings) {
    let rule = Rule {
        name: "tire-force-point",
        section: POINT,
    };
    let height = wheel.tire.application_point.z;
    let ground = wheel.position.z - wheel.radius;
    let centre = subject.params.chassis.centre_of_mass.z;
    findings.add(
        when(!(ground - 0.01..=centre.max(wheel.position.z)).contains(&height), Warning),
        rule,
        &wheel.name,
        format!("{height:.2} m up"),
        [
            format!("between the ground and the centre of mass, {ground:.2} to {centre:.2} m: above it, the car leans into the bend"),
            format!("tire.force_height = {:.2}", 0.5 * (ground + centre)),
        ],
    );
}

/// Thresholds and sizes must be of one scale.
fn length_scale(subject: &Subject<'_>, findings: &mut Findings) {
    let rule = Rule {
        name: "length-scale",
        section: SCALE,
    };
    let profile = &subject.params.profile;
    let metre = profile.units.metres(1.0);
    let mut check = |place: &str, found: f32, [low, high]: [f32; 2], usual: &str| {
        let severity = when(!(low * metre..=high * metre).contains(&found), Error);
        findings.add(
            severity,
            rule,
            place,
            format!("{found} at {metre} units of length per metre"),
            [
                format!("{} to {}", low * metre, high * metre),
                format!("{usual}, in the units that the rest is in"),
            ],
        );
    };
    for wheel in &subject.params.wheels {
        check(
            &format!("{}: radius", wheel.name),
            wheel.radius,
            [0.02, 3.0],
            "a radius of 0.3 m",
        );
    }
    check(
        "substeps.threshold_speed",
        subject.params.substeps.threshold_speed,
        [0.0, 50.0],
        "5 m/s",
    );
    check(
        "profile.sticky.speed",
        profile.sticky.speed,
        [0.0, 2.0],
        "0.2 m/s",
    );
    check(
        "profile.blend_speed",
        profile.blend_speed,
        [0.5, 50.0],
        "5 m/s",
    );
    check(
        "profile.slip.passive_denominator",
        profile.slip.passive_denominator,
        [0.1, 20.0],
        "4 m/s",
    );
    check(
        "rows.observer_speed",
        profile.rows.observer_speed,
        [0.0, 3.0],
        "0.3 m/s",
    );
}
