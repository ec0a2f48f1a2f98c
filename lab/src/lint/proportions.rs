//! Numbers that do not suit each other: power and mass, wheels and vehicle, steering in front and behind. `jounce check` tells
//! them, too.

use proving_ground::gears::engine_peaks;

use super::finding::{Findings, Rule, Severity, above, graded, when};
use super::plausible::significant;
use super::subject::LintedCar;

use Severity::{Note, Warning};

/// Greatest power of the engine over the mass. Note outside 15–600 kW/t up to 3.5 t, outside 4–100 kW/t above; warning beyond a
/// third and three times of that.
const POWER: Rule = Rule::new(
    "power",
    "not in the guide: Citroën 2CV of 1948 18 kW/t, Bugatti Chiron 553 kW/t; directive 96/53/EC: heavy trucks 5 kW/t",
);
/// Radius of a wheel over the wheelbase, and over the cube root of the mass in tonnes. Note above 0.18, and above 0.5 m: those of
/// cars are 0.12 and 0.3 m, those of tractors 0.33 and 0.49 m.
const WHEEL_SIZE: Rule = Rule::new("wheel-size", "not in the guide: as vehicles that ship");
/// Mean angle of the wheels behind the center of mass over that of the others, at full lock and a standstill. Note above half, to
/// the same side.
const CRAB: Rule = Rule::new(
    "crab-steering",
    "not in the guide: rear wheels of cars steer by up to 10°, at low speed to the other side",
);

/// Mass up to which a vehicle is a car or a van (`t`).
const CAR: f32 = 3.5;
/// Usual powers of cars and of heavier vehicles (`kW/t`).
const POWERS: [[f32; 2]; 2] = [[15.0, 600.0], [4.0, 100.0]];
/// Powers of everyday ones (`kW/t`).
const EVERYDAY: [f32; 2] = [80.0, 12.0];
/// Units of torque that are mistaken for N·m, and their values (`N·m`).
const TORQUES: [(&str, f32); 2] = [("kgf·m", 9.806_65), ("kN·m", 1000.0)];

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    power(subject, findings);
    wheel_size(subject, findings);
    crab(subject, findings);
}

/// Whether a vehicle is heavier than cars and vans.
pub(super) fn is_heavy(subject: &LintedCar<'_>) -> bool {
    1e-3 * subject.params.chassis.mass > CAR
}

fn power(subject: &LintedCar<'_>, findings: &mut Findings) {
    // Behind a power split, an engine does not drive alone.
    let (Some(engine), Some(peaks)) = (&subject.engine, engine_peaks(&subject.car.model())) else {
        return;
    };
    let tonnes = 1e-3 * subject.params.chassis.mass;
    let heavy = usize::from(is_heavy(subject));
    let [least, most] = POWERS[heavy];
    let power = 1e-3 * peaks.gross_power;
    let specific = power / tonnes;
    let unit = TORQUES.into_iter().find(|(_, value)| {
        let converted = specific * value;
        (least..=most).contains(&converted)
    });
    let proposal = match unit {
        Some((name, value)) => format!(
            "engine.peak_torque = {} N·m, if it is in {name}",
            significant(engine.peak_torque * value)
        ),
        None => format!(
            "engine.peak_torque = {} N·m, if engine.max_speed is right: {} kW/t",
            significant(engine.peak_torque * EVERYDAY[heavy] / specific.max(1e-3)),
            EVERYDAY[heavy]
        ),
    };
    findings.add(
        graded(
            specific,
            ([least, most], Note),
            ([least / 3.0, 3.0 * most], Warning),
        ),
        POWER,
        "engine.peak_torque",
        format!(
            "{} kW for {} t: {} kW/t",
            significant(power),
            significant(tonnes),
            significant(specific)
        ),
        [
            format!(
                "{least} to {most} kW/t {} {CAR} t",
                if heavy == 0 { "up to" } else { "above" },
            ),
            proposal,
        ],
    );
}

fn wheel_size(subject: &LintedCar<'_>, findings: &mut Findings) {
    /// Radius over the wheelbase, at most (–).
    const OF_BASE: f32 = 0.18;
    /// Radius for a vehicle of one tonne, at most (`m`).
    const OF_TONNE: f32 = 0.5;
    // The wheels of a trailer carry it with what tows it.
    if subject.params.chassis.support.is_some() {
        return;
    }
    let base = subject.wheelbase();
    let size = libm::cbrtf(1e-3 * subject.params.chassis.mass);
    let most = (OF_BASE * base).max(OF_TONNE * size);
    for (_, wheel) in subject.wheels() {
        findings.add(
            above(wheel.radius, most, Note),
            WHEEL_SIZE,
            &wheel.name,
            format!(
                "radius {} m, at a wheelbase of {} m and {:.0} kg",
                wheel.radius,
                significant(base),
                subject.params.chassis.mass
            ),
            [
                format!(
                    "at most {} m; such cars have {} m",
                    significant(most),
                    significant(0.3 * size)
                ),
                format!(
                    "radius = {} m, if {} m is the diameter",
                    significant(0.5 * wheel.radius),
                    wheel.radius
                ),
            ],
        );
    }
}

/// A car whose wheels all steer to the same side by the same angle moves sideways, and does not turn.
fn crab(subject: &LintedCar<'_>, findings: &mut Findings) {
    /// Angle of the other wheels from which they count as steered (`rad`).
    const STEERED: f32 = 0.01;
    let angles = subject.signed_steering_angles(1.0, 0.0);
    let center = subject.params.chassis.center_of_mass.x;
    let mean = |behind: bool| {
        let wheels = subject.wheels();
        let of_end = wheels.filter(|(_, wheel)| (wheel.position.x < center) == behind);
        let [sum, count] = of_end.fold([0.0, 0.0], |[sum, count], (n, _)| {
            [sum + angles.get(n).unwrap_or(&0.0), count + 1.0]
        });
        sum / f32::max(count, 1.0)
    };
    let [ahead, behind] = [false, true].map(mean);
    findings.add(
        when(ahead.abs() > STEERED && behind / ahead > 0.5, Note),
        CRAB,
        "steering",
        format!(
            "wheels behind steer by {:.0}°, those ahead by {:.0}°, to the same side",
            behind.abs().to_degrees(),
            ahead.abs().to_degrees()
        ),
        [
            "to the other side, or by a few degrees: steered alike, a car moves sideways and does not turn"
                .to_owned(),
            "steering = { counter = true } of the axle behind, or no steering".to_owned(),
        ],
    );
}
