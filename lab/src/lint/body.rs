//! The chassis.

use glam::Vec3;
use jounce::core::inertia;
use jounce::core::params::WheelParams;

use super::finding::{Findings, Rule, Severity, above, below, graded, when};
use super::subject::LintedCar;

use Severity::{Error, Note, Warning};

const MOMENTS: &str = "Tuning Guide: moment of inertia of the rigid body";

/// Moments of inertia of the chassis against those of the body's box. Warning outside a half and twice, error outside
/// 0.05–20 times.
const INERTIA: Rule = Rule::new("inertia", MOMENTS);
/// Swapped or impossible moments of inertia (the principal ones), or travel that does not point down. Warning; error
/// for impossible moments.
const MASS_FRAME: Rule = Rule::new("mass-frame", MOMENTS);
/// Sum of the sprung masses (only with `sprung_masses_may_differ`: otherwise a fault) and their center, against the
/// load of the wheels. Warning from 1 % apart; from above, note from 2 cm apart, warning from 10 cm.
const SPRUNG_MASSES: Rule = Rule::new(
    "sprung-masses",
    "Tuning Guide: center of mass; PxVehicleSuspensionData: mSprungMass",
);
/// Coefficients of a vehicle whose gears allow more than 30 m/s. Note if there are none.
const AIR: Rule = Rule::new("aerodynamics", "not in the guide: SAE J1594");
/// Height of the underside of the body's box over the ground at the design position. Error at 0, warning below the
/// compression of the wheels.
const CLEARANCE: Rule = Rule::new(
    "clearance",
    "Troubleshooting: The Wheels Are Spinning But The Vehicle Does Not Move Forwards",
);

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    inertia(subject, findings);
    mass_frame(subject, findings);
    sprung_masses(subject, findings);
    clearance(subject, findings);
    air(subject, findings);
}

fn inertia(subject: &LintedCar<'_>, findings: &mut Findings) {
    let (found, of_box) = (subject.params.chassis.inertia, subject.box_inertia());
    for (n, axis) in ["x", "y", "z"].into_iter().enumerate() {
        let severity = graded(
            found[n] / of_box[n],
            ([0.5, 2.0], Warning),
            ([0.05, 20.0], Error),
        );
        findings.add(
            severity,
            INERTIA,
            &format!("chassis.inertia about {axis}"),
            format!("{:.0} kg·m²", found[n]),
            [
                format!("about that of the body's box, {:.0} kg·m²", of_box[n]),
                format!("{:.0}", of_box[n]),
            ],
        );
    }
}

/// Moments that are swapped, or physically impossible.
fn mass_frame(subject: &LintedCar<'_>, findings: &mut Findings) {
    let chassis = &subject.params.chassis;
    let (found, (principal, _)) = (
        chassis.inertia,
        inertia::principal(chassis.inertia_tensor()),
    );
    let impossible = 2.0 * principal.max_element() > 1.01 * principal.element_sum();
    let of_box = subject.box_inertia();
    let misfit = |inertia: Vec3| {
        let ratio = inertia / of_box;
        ratio
            .to_array()
            .map(|r| r.ln().abs())
            .into_iter()
            .sum::<f32>()
    };
    let turned = [
        Vec3::new(found.y, found.x, found.z),
        Vec3::new(found.z, found.y, found.x),
        Vec3::new(found.x, found.z, found.y),
        Vec3::new(found.y, found.z, found.x),
        Vec3::new(found.z, found.x, found.y),
    ];
    let best = turned
        .into_iter()
        .min_by(|a, b| misfit(*a).total_cmp(&misfit(*b)));
    let best = best.unwrap_or(found);
    // Pitch and yaw of a car are similar; a swap of those two proves nothing.
    let swapped = misfit(best) + 1.0 < misfit(found);
    findings.add(
        when(impossible, Error).or(when(swapped, Warning)),
        MASS_FRAME,
        "chassis.inertia",
        format!("{found} kg·m² about x, y, z"),
        [
            "about x forward, y left, z up: no principal moment above the sum of the others, the least about the longest side".to_owned(),
            format!("{best}, or the moments of the box: {of_box:.0}"),
        ],
    );
    for wheel in &subject.params.wheels {
        let travel = wheel.suspension.travel_direction;
        findings.add(
            above(travel.z, -0.9, Warning),
            MASS_FRAME,
            &wheel.name,
            format!("droop along {travel}"),
            [
                "about straight down, (0, 0, -1)".to_owned(),
                "axes x forward, y left, z up".to_owned(),
            ],
        );
    }
}

/// Sprung masses must have the body's mass and center of mass.
fn sprung_masses(subject: &LintedCar<'_>, findings: &mut Findings) {
    let (mut sum, mut moment) = (0.0, Vec3::ZERO);
    for (_, wheel) in subject.wheels() {
        let mass = wheel.suspension.sprung_mass + wheel.unsprung_mass();
        sum += mass;
        moment += wheel.position * mass;
    }
    let carried = moment / sum;
    let (mass, center) = subject.params.chassis.on_wheels();
    let apart = (sum / mass - 1.0).abs();
    findings.add(
        above(apart, 0.01, Warning),
        SPRUNG_MASSES,
        "sprung masses",
        format!("{sum:.0} kg in sum"),
        [
            format!("what wheels carry, {mass:.0} kg: otherwise the car sinks, or stands too high"),
            "no sprung_mass in the file, and no sprung_masses_may_differ".to_owned(),
        ],
    );
    let off = (carried - center).truncate().length();
    let severity = graded(off, ([0.0, 0.02], Note), ([0.0, 0.1], Warning));
    findings.add(
        severity,
        SPRUNG_MASSES,
        "sprung masses",
        format!("their center is {off:.3} m from the center of mass"),
        [
            "at the center of mass, seen from above: else the car leans at rest".to_owned(),
            "no sprung_mass in the file: it is then what balances the car".to_owned(),
        ],
    );
}

/// Speed below which a vehicle hardly feels the air (`m/s`).
const WINDLESS: f32 = 30.0;

/// Checks the air's drag, without which only the engine's greatest speed ends a car's acceleration.
fn air(subject: &LintedCar<'_>, findings: &mut Findings) {
    let Some(speed) = subject.top_speed() else {
        return;
    };
    let size = subject.hull.size;
    // A body's height includes that of its underside.
    let height = subject.hull.center.z + 0.5 * size.z;
    findings.add(
        above(speed, WINDLESS, Note).filter(|_| subject.params.aerodynamics.is_none()),
        AIR,
        "aerodynamics",
        format!(
            "none: the gears allow {:.0} km/h, and no drag holds it back",
            3.6 * speed
        ),
        [
            "frontal area and drag of such a vehicle".to_owned(),
            format!(
                "[aerodynamics] with area = {:.2} and drag = 0.3",
                0.81 * size.y * height
            ),
        ],
    );
}

/// Checks that the suspension stops before the hull meets the ground.
pub(super) fn clearance(subject: &LintedCar<'_>, findings: &mut Findings) {
    let ground = |low: f32, wheel: &WheelParams| low.min(wheel.position.z - wheel.radius);
    let ground = subject
        .wheels()
        .fold(f32::INFINITY, |low, (_, w)| ground(low, w));
    let compression = subject.wheels().map(|(_, w)| w.suspension.max_compression);
    let least = compression.fold(f32::INFINITY, f32::min);
    let bottom = subject.hull.center.z - 0.5 * subject.hull.size.z;
    let free = bottom - ground;
    findings.add(
        when(free <= 0.0, Error).or(below(free, least, Warning)),
        CLEARANCE,
        "hull",
        format!("the body's box is {free:.2} m above the ground"),
        [
            format!("more than the wheels' compression of {least:.2} m: else the body drags on the ground"),
            format!("a hull that begins {:.2} m up", ground + 1.5 * least),
        ],
    );
}
