//! Wheels and tires.

use jounce::core::params::{LoadFilter, WheelParams};
use jounce::core::profile::{ExplicitSettings, Solver};

use crate::tire::findings_within;

use super::finding::{Findings, Rule, Severity, above, below, graded, when};
use super::grip::RestingTire;
use super::plausible::{LENGTH_SCALE, significant};
use super::subject::LintedCar;

use Severity::{Error, Note, Warning};

/// Moment of inertia of a wheel against a disk of its mass. Warning outside a half and twice, error outside 0.02–50
/// times.
const WHEEL_INERTIA: Rule = Rule::new("wheel-inertia", "Tuning Guide, PxVehicleWheelData: mMOI");
/// `damping` of a wheel: the deceleration by it at 20 m/s. Note above 2 m/s², warning above 20 or at 0.
const WHEEL_DAMPING: Rule = Rule::new(
    "wheel-damping",
    "Tuning Guide, PxVehicleWheelData: mDampingRate",
);
/// Highest point of the friction curve over slip. Warning outside 0.3–2.
const FRICTION: Rule = Rule::new(
    "friction",
    "Tuning Guide, PxVehicleTireData: mFrictionVsSlipGraph",
);
/// Rise of the filtered tire load over that of the load. Warning above 1.05.
const LOAD_FILTER: Rule = Rule::new(
    "load-filter",
    "Tuning Guide, PxVehicleTireLoadFilterData; Troubleshooting: The Vehicle Under-steers Then Over-steers",
);
/// Start of the wheel's ray, which lies in the body's box. Warning above or below it, note beside it.
const RAY_START: Rule = Rule::new("ray-start", "Filtering: suspension raycasts");
/// Height of the roll center, of axles with `links`. Warning above the center of mass, or a fifth of its height below
/// the ground.
const ROLL_CENTER: Rule = Rule::new(
    "roll-center",
    "not in the guide: Milliken & Milliken, Race Car Vehicle Dynamics, §17.2",
);
/// Height of the point where the tire's force acts, of wheels without `links`. Warning outside ground to center of
/// mass.
const TIRE_FORCE_POINT: Rule = Rule::new(
    "tire-force-point",
    "Tuning Guide, PxVehicleWheelsSimData: setTireForceAppPointOffset",
);

/// `toe_deg` of wheels behind the center of mass, and of all. Note for toe-out behind, warning beyond 0.25°; warning
/// beyond 2° anywhere.
const TOE: Rule = Rule::new(
    "toe",
    "not in the guide: Reimpell, Stoll, Betzler, The Automotive Chassis (2001), section 3.6",
);
/// Coefficients of a Magic Formula, from a `.tir` file or not, against the rules of fits, at the loads that the wheel
/// has in bends and within 5° of camber. Note if one is violated: published tires narrowly do.
const TIRE_COEFFICIENTS: Rule = Rule::new("tire-coefficients", "Magic Formula: rules of fits");

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    for (_, wheel) in subject.wheels() {
        inertia(wheel, findings);
        bearing(wheel, findings);
        friction(wheel, findings);
        ray(subject, wheel, findings);
        force_point(subject, wheel, findings);
        roll_center(subject, wheel, findings);
        toe(subject, wheel, findings);
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

/// Violated rules of the Magic Formula's coefficients, per wheel: where the car takes its tires.
fn coefficients(subject: &LintedCar<'_>, findings: &mut Findings) {
    let over = subject.load_transfer();
    for (n, wheel) in subject.wheels() {
        let load = RestingTire::new(subject, n).load;
        let spec = &subject.car.spec().tires[wheel.tire.model];
        let used = [(1.0 - over).max(0.1) * load, (1.0 + over) * load];
        for rule in findings_within(spec, used, CAMBER) {
            findings.add(
                Note,
                TIRE_COEFFICIENTS,
                &wheel.name,
                rule.to_string(),
                [
                    "coefficients that are plausible where the car takes its tires".to_owned(),
                    format!(
                        "another fit, or {} under the tire's coefficients",
                        rule.keys
                    ),
                ],
            );
        }
    }
}

/// Bearings stop a wheel in the air, and hardly brake the car.
fn bearing(wheel: &WheelParams, findings: &mut Findings) {
    /// Deceleration of a corner at 20 m/s by its bearing alone (`m/s²`).
    const BRAKES: [f32; 2] = [2.0, 20.0];
    let mass = wheel.suspension.sprung_mass + wheel.unsprung_mass();
    let brakes = wheel.damping * 20.0 / (wheel.radius * wheel.radius * mass);
    let severity = if wheel.damping == 0.0 {
        Some(Warning)
    } else {
        graded(
            brakes,
            ([0.0, BRAKES[0]], Note),
            ([0.0, BRAKES[1]], Warning),
        )
    };
    findings.add(
        severity,
        WHEEL_DAMPING,
        &wheel.name,
        format!(
            "{} N·m·s/rad, which brakes by {brakes:.2} m/s² at 20 m/s",
            wheel.damping
        ),
        [
            "above 0, as otherwise a wheel in the air never stops; at most 2 m/s²".to_owned(),
            format!(
                "damping = {}",
                significant(0.005 * mass * wheel.radius * wheel.radius)
            ),
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
fn ray(subject: &LintedCar<'_>, wheel: &WheelParams, findings: &mut Findings) {
    let travel = wheel.suspension.travel_direction;
    let start = wheel.position - travel * (wheel.radius + wheel.suspension.max_compression);
    let hull = &subject.hull;
    let beyond = ((start - hull.center).abs() - 0.5 * hull.size).max(glam::Vec3::ZERO);
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

/// Checks the roll center of wheels whose links lead lateral forces to the body.
fn roll_center(subject: &LintedCar<'_>, wheel: &WheelParams, findings: &mut Findings) {
    let Some(links) = &wheel.compliance.links else {
        return;
    };
    let center_of_mass = subject.params.chassis.center_of_mass;
    let height = links.lateral * (wheel.position.y - center_of_mass.y);
    let center = center_of_mass.z - (wheel.position.z - wheel.radius);
    findings.add(
        when(!(-0.2 * center..=center).contains(&height), Warning),
        ROLL_CENTER,
        &wheel.name,
        format!("{height:.2} m above the ground"),
        [
            format!(
                "up to the center of mass, {center:.2} m: above it, the car leans into the bend"
            ),
            if center < 0.3 * wheel.radius {
                "a higher center_of_mass".to_owned()
            } else {
                format!("links.roll_center = {:.2}", 0.15 * center)
            },
        ],
    );
}

/// Rear wheels that point outward turn the rear out of a bend; a lot of toe scrubs.
fn toe(subject: &LintedCar<'_>, wheel: &WheelParams, findings: &mut Findings) {
    let center = subject.params.chassis.center_of_mass;
    let across = wheel.position.y - center.y;
    if across == 0.0 {
        return;
    }
    let inward = -wheel.toe.to_degrees() * across.signum();
    let rear = wheel.position.x < center.x;
    let outward = below(inward, -0.25, Warning).or(below(inward, -0.005, Note));
    findings.add(
        above(inward.abs(), 2.0, Warning).or(outward.filter(|_| rear)),
        TOE,
        &wheel.name,
        if inward < 0.0 {
            format!("{:.2}° of toe-out", -inward)
        } else {
            format!("{inward:.2}° of toe-in")
        },
        [
            "0 to 0.3° of toe-in at the rear, which steadies the car; at most 2° anywhere"
                .to_owned(),
            format!("toe_deg = {}", if rear { "0.1" } else { "0.0" }),
        ],
    );
}

fn force_point(subject: &LintedCar<'_>, wheel: &WheelParams, findings: &mut Findings) {
    let height = wheel.tire.application_point.z;
    let ground = wheel.position.z - wheel.radius;
    let center = subject.params.chassis.center_of_mass.z;
    // With links, tire forces act on the ground.
    let acts = wheel.compliance.links.is_none();
    findings.add(
        when(acts && !(ground - 0.01..=center.max(wheel.position.z)).contains(&height), Warning),
        TIRE_FORCE_POINT,
        &wheel.name,
        format!("{height:.2} m up"),
        [
            format!("between the ground and the center of mass, {ground:.2} to {center:.2} m: above it, the car leans into the bend"),
            format!("tire.force_height = {:.2}", 0.5 * (ground + center)),
        ],
    );
}

/// Camber of a wheel in a bend (`rad`), to either side: 5°.
const CAMBER: f32 = 0.087;

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

/// Thresholds must use the same length scale as sizes.
fn length_scale(subject: &LintedCar<'_>, findings: &mut Findings) {
    let params = &subject.params;
    let substeps = (
        "substeps.threshold_speed",
        params.substeps.threshold_speed,
        [0.0, 50.0],
        "5 m/s",
    );
    let thresholds = match &params.profile.solver {
        Solver::Rows(_) => Vec::new(),
        Solver::Explicit(settings) => [&[substeps][..], &of_explicit(settings)].concat(),
    };
    for (place, found, [low, high], usual) in thresholds {
        findings.add(
            when(!(low..=high).contains(&found), Error),
            LENGTH_SCALE,
            place,
            format!("{found}"),
            [
                format!("{low} to {high}"),
                format!("{usual}; other units than SI are declared under [units]"),
            ],
        );
    }
}
