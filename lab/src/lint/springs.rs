//! Suspensions.

use jounce::core::params::WheelParams;
use jounce::core::profile::Solver;

use super::finding::{Findings, Rule, Severity, below, graded, when};
use super::plausible::significant;
use super::subject::LintedCar;

use Severity::{Error, Note, Warning};

const STRENGTH: &str = "Tuning Guide, PxVehicleSuspensionData: mSpringStrength";
const WAYS: &str = "Tuning Guide, PxVehicleSuspensionData: mMaxCompression, mMaxDroop";

/// Number of substeps per oscillation, 1 / (natural frequency × substep). Note below 5 and warning below 2; with the
/// explicit solver warning below 5 and error below 1.
const SAMPLES_PER_OSCILLATION: Rule = Rule::new("samples-per-oscillation", STRENGTH);
/// Natural frequency, √(stiffness / sprung mass) / 2π. Note outside 0.7–2.5 Hz, warning outside 0.4–5.
const NATURAL_FREQUENCY: Rule = Rule::new(
    "natural-frequency",
    "not in the guide: OptimumG, Tech Tip: Springs & Dampers, part 1",
);
/// Range of natural frequencies outside which a car rides badly (`Hz`).
const RIDE: [f32; 2] = [0.4, 5.0];
/// Stiffness × droop of a pure spring against the weight that it carries. Warning if 10 % apart.
const THEORETICAL_SPRING: Rule = Rule::new("theoretical-spring", STRENGTH);
/// Mean of bump and rebound damping over the critical damping. Note outside 0.2–1.2, warning outside 0.15–2 or at 0.
const DAMPING_RATIO: Rule = Rule::new(
    "damping-ratio",
    "Milliken & Milliken, Race Car Vehicle Dynamics (1995), chapter 16; Tuning Guide, PxVehicleSuspensionData: \
     mSpringDamperRate",
);
/// Compression and droop of a strut, `max_compression` and `max_droop`. Warning at 0.
const TRAVEL: Rule = Rule::new("travel", WAYS);
/// Stiffness × travel against the weight that the strut carries. Error below.
const CARRIES_THE_CAR: Rule = Rule::new("carries-the-car", STRENGTH);
/// Load at which a strut reaches its bump stop. Warning below 1.3 g.
const BOTTOMS: Rule = Rule::new("bottoms", WAYS);
/// Frequency of an unsprung mass between spring and tire. Note outside 8–20 Hz, warning outside 5–40.
const WHEEL_HOP: Rule = Rule::new(
    "wheel-hop",
    "not in the guide: Gillespie, Fundamentals of Vehicle Dynamics, ch. 5",
);
/// Application point of the suspension's force. Warning off the strut between wheel and center of mass, with the
/// explicit solver.
const FORCE_POINT: Rule = Rule::new(
    "force-point",
    "Tuning Guide, PxVehicleWheelsSimData: setSuspForceAppPointOffset",
);

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    let gravity = subject.params.chassis.design_gravity;
    for (_, wheel) in subject.wheels() {
        samples(subject, wheel, findings);
        frequency(wheel, gravity, findings);
        damping(wheel, findings);
        travel(wheel, findings);
        carried(wheel, gravity, findings);
        force_point(subject, wheel, findings);
        hop(wheel, findings);
    }
}

/// Frequency of the wheel hop of an unsprung mass between spring and tire: 10 to 14 Hz for cars.
fn hop(wheel: &WheelParams, findings: &mut Findings) {
    let Some(hub) = wheel.unsprung else {
        return;
    };
    let rate = wheel.suspension.stiffness + hub.tire_stiffness;
    let found = (rate / hub.mass).sqrt() / core::f32::consts::TAU;
    let stiffness = |hop: f32| {
        let omega = core::f32::consts::TAU * hop;
        omega * omega * hub.mass - wheel.suspension.stiffness
    };
    findings.add(
        graded(found, ([8.0, 20.0], Note), ([5.0, 40.0], Warning)),
        WHEEL_HOP,
        &wheel.name,
        format!("{found:.1} Hz"),
        [
            "10 to 14 Hz for a car, up to 20 for a racing car or a kart".to_owned(),
            format!(
                "a tire_stiffness of {:.0} to {:.0} N/m",
                stiffness(10.0),
                stiffness(14.0)
            ),
        ],
    );
}

/// Natural frequency (`rad/s`).
fn natural(wheel: &WheelParams) -> f32 {
    let s = &wheel.suspension;
    (s.stiffness / s.sprung_mass).sqrt()
}

/// Substeps per oscillation of a spring, by the guide's measure.
fn samples(subject: &LintedCar<'_>, wheel: &WheelParams, findings: &mut Findings) {
    let alpha = 1.0 / (natural(wheel) * subject.substep());
    // Springs of the rows solver are implicit: they stay stable, and lose detail.
    let (low, slight, grave) = match subject.params.profile.solver {
        Solver::Rows(_) => (2.0, Note, Warning),
        Solver::Explicit(_) => (1.0, Warning, Error),
    };
    let severity = graded(
        alpha,
        ([5.0, f32::INFINITY], slight),
        ([low, f32::INFINITY], grave),
    );
    let most = 1.0 / (5.0 * natural(wheel));
    let key = match subject.params.profile.solver {
        Solver::Rows(_) => format!("rows.max_substep = {}", significant(0.99 * most)),
        Solver::Explicit(_) => {
            let count = (subject.dt / most).ceil();
            format!("substeps with slow and fast = {count:.0}")
        }
    };
    findings.add(
        severity,
        SAMPLES_PER_OSCILLATION,
        &wheel.name,
        format!(
            "{alpha:.1} substeps of {:.4} s per 1/natural frequency",
            subject.substep()
        ),
        [
            "more than 5".to_owned(),
            format!("{key}, or a softer spring"),
        ],
    );
}

/// Proposal for a spring whose stiffness is a usual one in N/mm.
fn from_millimeters(wheel: &WheelParams) -> Option<String> {
    let stiffness = wheel.suspension.stiffness;
    // A thousand times the stiffness.
    let hertz = natural(wheel) * 1000.0_f32.sqrt() / core::f32::consts::TAU;
    let usual = (RIDE[0]..=RIDE[1]).contains(&hertz);
    usual.then(|| {
        format!(
            "a stiffness of {:.0} N/m, if {} is in N/mm",
            1e3 * stiffness,
            significant(stiffness)
        )
    })
}

fn frequency(wheel: &WheelParams, gravity: f32, findings: &mut Findings) {
    const TAU: f32 = core::f32::consts::TAU;
    let found = natural(wheel) / TAU;
    let mass = wheel.suspension.sprung_mass;
    let stiffness = |hertz: f32| (TAU * hertz) * (TAU * hertz) * mass;
    findings.add(
        graded(found, ([0.7, 2.5], Note), (RIDE, Warning)),
        NATURAL_FREQUENCY,
        &wheel.name,
        format!(
            "rides at {found:.2} Hz, {:.0} mm under its weight",
            1000.0 * gravity / natural(wheel).powi(2)
        ),
        [
            "0.7 to 2.5 Hz: road cars 0.8 to 1.5, trucks and sports cars to 2.5; with wings 3 to 5"
                .to_owned(),
            format!(
                "a stiffness of {:.0} to {:.0} N/m",
                stiffness(1.0),
                stiffness(2.0)
            ),
        ],
    );
    let s = &wheel.suspension;
    let (free, weight) = (s.stiffness * s.max_droop, s.sprung_mass * gravity);
    // Only a pure spring carries the car by this product; others are set to carry it at the design position.
    let carries = (free / weight - 1.0).abs() <= 0.1;
    findings.add(
        when(s.free_at_droop && !carries, Warning),
        THEORETICAL_SPRING,
        &wheel.name,
        format!("stiffness x droop = {free:.0} N, weight carried = {weight:.0} N"),
        [
            "equal, so that the pure spring carries the car at its design height".to_owned(),
            format!(
                "a droop of {:.3} m, or a stiffness of {:.0} N/m",
                weight / s.stiffness,
                weight / s.max_droop.max(1e-3)
            ),
        ],
    );
}

fn damping(wheel: &WheelParams, findings: &mut Findings) {
    let s = &wheel.suspension;
    let critical = 2.0 * (s.stiffness * s.sprung_mass).sqrt();
    let [bump, rebound] = [s.damping.bump.rate, s.damping.rebound.rate];
    let ratio = 0.5 * (bump + rebound) / critical;
    let severity = if bump == 0.0 || rebound == 0.0 {
        Some(Warning)
    } else {
        graded(ratio, ([0.2, 1.2], Note), ([0.15, 2.0], Warning))
    };
    findings.add(
        severity,
        DAMPING_RATIO,
        &wheel.name,
        format!("{ratio:.2} of critical, bump {bump:.0} and rebound {rebound:.0} N·s/m"),
        [
            "0.2 to 1.2: road cars about 0.4, stiff game cars up to 1.2".to_owned(),
            format!(
                "a damping of {:.0} to {:.0} N·s/m",
                0.4 * critical,
                critical
            ),
        ],
    );
}

fn travel(wheel: &WheelParams, findings: &mut Findings) {
    let s = &wheel.suspension;
    for (name, way) in [
        ("max_compression", s.max_compression),
        ("max_droop", s.max_droop),
    ] {
        findings.add(
            when(way <= 0.0, Warning),
            TRAVEL,
            &wheel.name,
            format!("{name} = {way} m"),
            [
                "some motion both ways: otherwise wheels jitter (Troubleshooting: Jittery Vehicles)"
                    .to_owned(),
                format!("{name} = {:.2} m", 0.3 * wheel.radius),
            ],
        );
    }
}

/// Checks that a spring can carry its share of the car, and twice that before its stop.
fn carried(wheel: &WheelParams, gravity: f32, findings: &mut Findings) {
    let s = &wheel.suspension;
    let weight = s.sprung_mass * gravity;
    let most = s.stiffness * (s.max_compression + s.max_droop);
    findings.add(
        below(most, weight, Error),
        CARRIES_THE_CAR,
        &wheel.name,
        format!("{most:.0} N over the whole travel, weight carried = {weight:.0} N"),
        [
            "more than the weight: otherwise the wheel sinks to its stop".to_owned(),
            from_millimeters(wheel).unwrap_or_else(|| {
                let least = weight / (s.max_compression + s.max_droop);
                format!("a stiffness of at least {least:.0} N/m")
            }),
        ],
    );
    let over = s.stiffness * s.max_compression / weight;
    findings.add(
        below(over, 0.3, Warning),
        BOTTOMS,
        &wheel.name,
        format!("the bump stop is reached at {:.2} g", 1.0 + over),
        [
            "at 1.3 g or more".to_owned(),
            format!("a compression of {:.3} m", 0.3 * weight / s.stiffness),
        ],
    );
}

/// The guide's range: on the strut, from the wheel's center up to the center of mass.
fn force_point(subject: &LintedCar<'_>, wheel: &WheelParams, findings: &mut Findings) {
    let center = subject.params.chassis.center_of_mass;
    let point = wheel.suspension.application_point;
    let (low, high) = (wheel.position.z, center.z.max(wheel.position.z));
    let aside = (point - wheel.position).reject_from_normalized(wheel.suspension.travel_direction);
    let off = !(low..=high).contains(&point.z) || aside.length() > 0.5 * wheel.radius;
    // The rows solver applies forces at the ground, whatever the file says.
    let acts = matches!(subject.params.profile.solver, Solver::Explicit(_));
    findings.add(
        when(off && acts, Warning),
        FORCE_POINT,
        &wheel.name,
        format!(
            "{:.2} m up, {:.2} m beside the strut",
            point.z,
            aside.length()
        ),
        [
            format!(
                "on the strut, {low:.2} to {high:.2} m up: between wheel center and center of mass"
            ),
            format!("force_height = {:.2}", 0.75 * low + 0.25 * high),
        ],
    );
}
