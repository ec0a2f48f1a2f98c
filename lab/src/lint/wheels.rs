//! Wheels and tires.

use jounce::core::params::{LoadFilter, WheelParams};
use jounce::core::profile::{ExplicitSettings, Solver};

use crate::tire::findings_of;

use super::finding::{Findings, Rule, Severity, above, graded, when};
use super::subject::Subject;

use Severity::{Error, Note, Warning};

const WHEEL_INERTIA: Rule = Rule::new("wheel-inertia", "Tuning Guide, PxVehicleWheelData: mMOI");
const WHEEL_DAMPING: Rule = Rule::new(
    "wheel-damping",
    "Tuning Guide, PxVehicleWheelData: mDampingRate",
);
const FRICTION: Rule = Rule::new(
    "friction",
    "Tuning Guide, PxVehicleTireData: mFrictionVsSlipGraph",
);
const LOAD_FILTER: Rule = Rule::new(
    "load-filter",
    "Tuning Guide, PxVehicleTireLoadFilterData; Troubleshooting: The Vehicle Under-steers Then Over-steers",
);
const RAY_START: Rule = Rule::new("ray-start", "Filtering: suspension raycasts");
const ROLL_CENTER: Rule = Rule::new(
    "roll-center",
    "not in the guide: Milliken & Milliken, Race Car Vehicle Dynamics, §17.2",
);
const TIRE_FORCE_POINT: Rule = Rule::new(
    "tire-force-point",
    "Tuning Guide, PxVehicleWheelsSimData: setTireForceAppPointOffset",
);
const LENGTH_SCALE: Rule = Rule::new(
    "length-scale",
    "SI Units; Troubleshooting: Jittery Vehicles",
);

const TIRE_COEFFICIENTS: Rule = Rule::new("tire-coefficients", "Magic Formula: rules of fits");

pub(super) fn look(subject: &Subject<'_>, findings: &mut Findings) {
    for (_, wheel) in subject.wheels() {
        inertia(wheel, findings);
        bearing(wheel, findings);
        friction(wheel, findings);
        ray(subject, wheel, findings);
        side_forces(subject, wheel, findings);
    }
    coefficients(subject, findings);
    load_filter(&subject.params.load_filter, findings);
    length_scale(subject, findings);
}

fn inertia(wheel: &WheelParams, findings: &mut Findings) {
    let disc = 0.5 * wheel.mass * wheel.radius * wheel.radius;
    let severity = graded(
        wheel.inertia / disc,
        ([0.5, 2.0], Warning),
        ([0.02, 50.0], Error),
    );
    findings.add(
        severity,
        WHEEL_INERTIA,
        &wheel.name,
        format!("{:.3} kg·m²", wheel.inertia),
        [
            format!("about that of a disc, ½·m·r² = {disc:.3} kg·m²"),
            format!("inertia = {disc:.2}"),
        ],
    );
}

/// Violated rules of the Magic Formula's coefficients, per wheel.
fn coefficients(subject: &Subject<'_>, findings: &mut Findings) {
    let specs = subject.car.spec().tires.iter();
    let broken: Vec<_> = specs.map(findings_of).collect();
    for (_, wheel) in subject.wheels() {
        for rule in broken.get(wheel.tire.model).into_iter().flatten() {
            findings.add(
                // Published tires narrowly violate one.
                Note,
                TIRE_COEFFICIENTS,
                &wheel.name,
                rule.to_string(),
                [
                    "coefficients that are plausible within their own ranges".to_owned(),
                    format!(
                        "another fit, or {} under the tire's coefficients",
                        rule.keys
                    ),
                ],
            );
        }
    }
}

fn bearing(wheel: &WheelParams, findings: &mut Findings) {
    let severity = if wheel.damping == 0.0 {
        Some(Warning)
    } else {
        graded(wheel.damping, ([0.05, 5.0], Note), ([0.0, 100.0], Warning))
    };
    findings.add(
        severity,
        WHEEL_DAMPING,
        &wheel.name,
        format!("{} N·m·s/rad", wheel.damping),
        [
            "0.25 to 2 N·m·s/rad, never 0: otherwise a free wheel never stops".to_owned(),
            "damping = 0.25".to_owned(),
        ],
    );
}

fn friction(wheel: &WheelParams, findings: &mut Findings) {
    let most = wheel.tire.friction_curve.map(|point| point[1]);
    let most = most.into_iter().fold(0.0, f32::max);
    findings.add(
        when(!(0.3..=2.0).contains(&most), Warning),
        FRICTION,
        &wheel.name,
        format!("friction {most}"),
        [
            "0.3 to 2; racing slicks have 1.6, snow has 0.3".to_owned(),
            "a friction curve of about 1".to_owned(),
        ],
    );
}

/// The load filter must not amplify bumps.
fn load_filter(filter: &LoadFilter, findings: &mut Findings) {
    // It must begin at no load.
    let rise = (filter.max_filtered - filter.min_filtered) / filter.max_load;
    findings.add(
        above(rise, 1.05, Warning),
        LOAD_FILTER,
        "load_filter",
        format!("filtered load rises by {rise:.2} of the load"),
        [
            "at most 1: otherwise grip comes and goes over bumps, first in front, then behind"
                .to_owned(),
            format!(
                "max_filtered = {:.2}",
                filter.min_filtered + 0.9 * filter.max_load
            ),
        ],
    );
}

/// A ray that starts outside the body can start beyond an obstacle that stops the body.
fn ray(subject: &Subject<'_>, wheel: &WheelParams, findings: &mut Findings) {
    let travel = wheel.suspension.travel_direction;
    let start = wheel.position - travel * (wheel.radius + wheel.suspension.max_compression);
    let hull = &subject.hull;
    let beyond = ((start - hull.centre).abs() - 0.5 * hull.size).max(glam::Vec3::ZERO);
    let over = beyond.max_element();
    findings.add(
        // Wheels of many vehicles are outside the body.
        above(beyond.z, 1e-3, Warning).or(above(
            beyond.truncate().max_element(),
            wheel.width,
            Note,
        )),
        RAY_START,
        &wheel.name,
        format!("its ray starts {over:.2} m outside of the body's box"),
        [
            "within the box: what the wheel passes through must stop the body, too".to_owned(),
            "a hull that covers the wheel's top at full compression".to_owned(),
        ],
    );
}

/// Where side forces reach the body: through links, or with the explicit solver at their point.
fn side_forces(subject: &Subject<'_>, wheel: &WheelParams, findings: &mut Findings) {
    match subject.params.profile.solver {
        Solver::Rows(_) => roll_center(subject, wheel, findings),
        Solver::Explicit(_) => force_point(subject, wheel, findings),
    }
}

fn roll_center(subject: &Subject<'_>, wheel: &WheelParams, findings: &mut Findings) {
    let aside = wheel.position.y - subject.params.chassis.centre_of_mass.y;
    let height = wheel.compliance.links.lateral * aside;
    let centre = subject.params.chassis.centre_of_mass.z - (wheel.position.z - wheel.radius);
    findings.add(
        when(!(-0.2 * centre..=centre).contains(&height), Warning),
        ROLL_CENTER,
        &wheel.name,
        format!("{height:.2} m above the ground"),
        [
            format!(
                "up to the centre of mass, {centre:.2} m: above it, the car leans into the bend"
            ),
            format!("links.roll_center = {:.2}", 0.15 * centre),
        ],
    );
}

fn force_point(subject: &Subject<'_>, wheel: &WheelParams, findings: &mut Findings) {
    let height = wheel.tire.application_point.z;
    let ground = wheel.position.z - wheel.radius;
    let centre = subject.params.chassis.centre_of_mass.z;
    findings.add(
        when(!(ground - 0.01..=centre.max(wheel.position.z)).contains(&height), Warning),
        TIRE_FORCE_POINT,
        &wheel.name,
        format!("{height:.2} m up"),
        [
            format!("between the ground and the centre of mass, {ground:.2} to {centre:.2} m: above it, the car leans into the bend"),
            format!("tire.force_height = {:.2}", 0.5 * (ground + centre)),
        ],
    );
}

/// A threshold: its key, value, allowed range and usual value.
type Threshold = (&'static str, f32, [f32; 2], &'static str);

/// Thresholds of the explicit solver (`m/s`).
fn of_explicit(settings: &ExplicitSettings) -> [Threshold; 3] {
    let slip = settings.slip.passive_denominator;
    [
        (
            "profile.explicit.sticky.speed",
            settings.sticky.speed,
            [0.0, 2.0],
            "0.2 m/s",
        ),
        (
            "profile.explicit.blend_speed",
            settings.blend_speed,
            [0.5, 50.0],
            "5 m/s",
        ),
        (
            "profile.explicit.slip.passive_denominator",
            slip,
            [0.1, 20.0],
            "4 m/s",
        ),
    ]
}

/// Thresholds and sizes must use the same length scale.
fn length_scale(subject: &Subject<'_>, findings: &mut Findings) {
    let params = &subject.params;
    let radii = params.wheels.iter().map(|wheel| {
        let place = format!("{}: radius", wheel.name);
        (place, wheel.radius, [0.02, 3.0], "a radius of 0.3 m")
    });
    let substeps = (
        "substeps.threshold_speed",
        params.substeps.threshold_speed,
        [0.0, 50.0],
        "5 m/s",
    );
    let of_solver = match &params.profile.solver {
        Solver::Rows(_) => Vec::new(),
        Solver::Explicit(settings) => of_explicit(settings).to_vec(),
    };
    let thresholds = [substeps].into_iter().chain(of_solver);
    let thresholds =
        thresholds.map(|(place, found, range, usual)| (place.to_owned(), found, range, usual));
    for (place, found, [low, high], usual) in radii.chain(thresholds) {
        findings.add(
            when(!(low..=high).contains(&found), Error),
            LENGTH_SCALE,
            &place,
            format!("{found}"),
            [
                format!("{low} to {high}"),
                format!("{usual}; other units than SI are declared under [units]"),
            ],
        );
    }
}
