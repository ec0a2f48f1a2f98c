//! Numbers that no vehicle has: reported by `jounce check`, too.

use super::finding::{Findings, Rule, Severity, above, below, when};
use super::grip::RestingTire;
use super::subject::{LintedCar, extent};

use Severity::{Error, Note, Warning};

/// Sum of the masses of the wheels against the mass of the chassis, which includes them. Warning above half, error
/// where the chassis is lighter.
const WHEEL_MASSES: Rule = Rule::new("wheel-masses", "not in the guide: mass includes wheels");
/// Center of mass, which lies between the wheels, seen from above, and over the ground. Files without sprung masses of
/// their own are refused otherwise. Error outside; note less than 0.3 of a wheel's radius above the ground, and beside the middle
/// by over 0.1 of half the track, warning by over 0.3.
const CENTER_OF_MASS: Rule = Rule::new(
    "center-of-mass",
    "Tuning Guide: center of mass; Troubleshooting: The Wheels Are Spinning But The Vehicle Does Not Move Forwards",
);
/// Speed of the vehicle in the highest gear at the engine's greatest speed. Warning above 600 km/h, error if `max_speed` is one in
/// revolutions per minute; note below 30 km/h.
const TOP_SPEED: Rule = Rule::new("top-speed", "not in the guide: road cars reach 490 km/h");
/// Radii of wheels, wheelbase, track, hull, and speeds of the explicit solver. Error outside of any vehicle's.
pub(super) const LENGTH_SCALE: Rule = Rule::new(
    "length-scale",
    "SI Units; Troubleshooting: Jittery Vehicles",
);
/// Law of each tire at its rest load: peak friction of 0.1–3, forces against the slip, free rolling at a slip ratio
/// within ±0.05. Error otherwise.
const TIRE_FORCES: Rule = Rule::new(
    "tire-forces",
    "not in the guide: Pacejka, Tire and Vehicle Dynamics (2012), chapter 4",
);

/// Speed above that of any road car (`m/s`): 600 km/h.
const FASTEST: f32 = 600.0 / 3.6;
/// Wheels in sum over the mass of the vehicle, at least (–).
const LIGHTEST: f32 = 0.005;
/// Speed below that of any vehicle for roads (`m/s`): 30 km/h.
const SLOWEST: f32 = 30.0 / 3.6;
/// Radii of wheels (`m`), from those of skateboards to those of dump trucks.
const RADII: [f32; 2] = [0.02, 3.0];
/// Greatest distance of the first and the last axle; `WIDEST` is that of wheels across (`m`).
const LONGEST: f32 = 40.0;
const WIDEST: f32 = 10.0;
/// Height of the center of mass over the radius of the wheels, at least (–): that of karts and racing cars.
const LOWEST: f32 = 0.3;
/// Slip ratio of a wheel that rolls freely, at most (–).
const FREE_SLIP: f32 = 0.05;
/// Friction of tires, from ice to drag racing (–).
const GRIP: [f32; 2] = [0.1, 3.0];

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    sizes(subject, findings);
    wheel_masses(subject, findings);
    center_of_mass(subject, findings);
    top_speed(subject, findings);
    tire_forces(subject, findings);
}

/// Lengths that are in another unit.
fn sizes(subject: &LintedCar<'_>, findings: &mut Findings) {
    let mut add = |place: &str, name: &str, found: f32, [low, high]: [f32; 2], usual: &str| {
        let (unit, factor) = if found > 33.0 * high {
            ("mm", 1e-3)
        } else {
            ("cm", 1e-2)
        };
        let converted = found * factor;
        let proposal = if (low..=high).contains(&converted) {
            format!("{} m, if it is in {unit}", significant(converted))
        } else {
            usual.to_owned()
        };
        findings.add(
            when(!(low..=high).contains(&found), Error),
            LENGTH_SCALE,
            place,
            format!("{name} {found} m"),
            [
                format!("{low} to {high} m"),
                format!("{proposal}; other units than SI are declared under [units]"),
            ],
        );
    };
    for (_, wheel) in subject.wheels() {
        add(&wheel.name, "radius", wheel.radius, RADII, "0.3 m");
    }
    let [right, left] = extent(subject.wheels().map(|(_, wheel)| wheel.position.y));
    let base = subject.wheelbase();
    add("axles.x", "wheelbase", base, [0.0, LONGEST], "2.7 m");
    add("axles.track", "track", left - right, [0.0, WIDEST], "1.5 m");
    let size = subject.hull.size;
    add("hull", "length", size.x, [0.0, LONGEST], "4.6 m");
    add("hull", "width", size.y, [0.0, WIDEST], "1.8 m");
}

fn wheel_masses(subject: &LintedCar<'_>, findings: &mut Findings) {
    let wheels: f32 = subject.wheels().map(|(_, wheel)| wheel.mass).sum();
    let whole = subject.params.chassis.mass;
    let count = subject.wheels().count() as f32;
    let found = format!(
        "{} with wheels of {} in sum",
        kilograms(whole),
        kilograms(wheels)
    );
    if wheels < LIGHTEST * whole {
        findings.add(
            Note,
            WHEEL_MASSES,
            "axles.mass",
            found,
            [
                "wheels of a hundredth of the mass or more; those of a car are a twentieth"
                    .to_owned(),
                format!(
                    "mass = {}, and inertia for that mass",
                    significant(0.05 * whole / count)
                ),
            ],
        );
        return;
    }
    findings.add(
        when(wheels >= whole, Error).or(above(wheels, 0.5 * whole, Warning)),
        WHEEL_MASSES,
        "chassis.mass",
        if wheels >= whole {
            format!("{found}: the chassis is lighter than its wheels")
        } else {
            found
        },
        [
            "wheels of at most half of the mass; those of a car are a twentieth".to_owned(),
            lighter_wheels(wheels, whole, count),
        ],
    );
}

/// Proposal for a number of wheels whose masses are too large in sum for that of the whole vehicle (`kg`).
fn lighter_wheels(wheels: f32, whole: f32, count: f32) -> String {
    let in_tons = 1000.0 * whole;
    if wheels >= whole && (LIGHTEST * in_tons..0.5 * in_tons).contains(&wheels) {
        return format!(
            "chassis.mass = {in_tons:.0}, if {} is in t",
            significant(whole)
        );
    }
    let (mass, each) = (20.0 * wheels, 0.05 * whole / count);
    format!("chassis.mass = {mass:.0}, wheels included, or a mass of {each:.2} kg per wheel")
}

/// Checks that the center of mass, seen from above, lies between the wheels: otherwise the car falls over at rest. Files
/// without sprung masses of their own are refused for it.
fn center_of_mass(subject: &LintedCar<'_>, findings: &mut Findings) {
    let (_, center) = subject.params.chassis.on_wheels();
    let mean = |of: fn(&glam::Vec3) -> f32| {
        let places = subject.wheels().map(|(_, wheel)| of(&wheel.position));
        places.sum::<f32>() / subject.wheels().count() as f32
    };
    let ground = extent(
        subject
            .wheels()
            .map(|(_, wheel)| wheel.position.z - wheel.radius),
    )[0];
    let height = center.z - ground;
    let [_, radius] = extent(subject.wheels().map(|(_, wheel)| wheel.radius));
    let roof = subject.hull.center.z + 0.5 * subject.hull.size.z - ground;
    findings.add(
        below(height, LOWEST * radius, Note),
        CENTER_OF_MASS,
        "chassis.center_of_mass",
        if height < 0.0 {
            format!("{:.2} m below the ground", -height)
        } else {
            format!("{height:.2} m above the ground")
        },
        [
            "as high as that of real ones: below it the car hardly leans or dives, below the ground it leans into bends"
                .to_owned(),
            format!("center_of_mass {:.2} m up", ground + 0.4 * roof),
        ],
    );
    beside(subject, findings);
    findings.add(
        when(subject.footing().is_none(), Error),
        CENTER_OF_MASS,
        "chassis.center_of_mass",
        format!(
            "{:.2} m ahead and {:.2} m to the left of the origin: outside the wheels",
            center.x, center.y
        ),
        [
            "between the wheels, so that each carries some of the weight".to_owned(),
            format!(
                "center_of_mass = [{:.2}, {:.2}, {:.2}]",
                mean(|p| p.x),
                mean(|p| p.y),
                center.z
            ),
        ],
    );
}

/// Checks that the center of mass, seen from above, is near the middle of the wheels.
fn beside(subject: &LintedCar<'_>, findings: &mut Findings) {
    let Some([right, left]) = subject.footing() else {
        return;
    };
    let (_, center) = subject.params.chassis.on_wheels();
    // The edges are this far from it, so that it is half of their difference off their middle.
    let off = 0.5 * (right - left);
    let side = if off > 0.0 { "left" } else { "right" };
    let share = 2.0 * off.abs() / (right + left);
    findings.add(
        above(share, 0.3, Warning).or(above(share, 0.1, Note)),
        CENTER_OF_MASS,
        "chassis.center_of_mass",
        format!(
            "{:.2} m to the {side} of the middle of the wheels",
            off.abs()
        ),
        [
            "in the middle: otherwise the car leans to a side, and pulls to it as it brakes"
                .to_owned(),
            format!(
                "center_of_mass = [{:.2}, {:.2}, {:.2}]",
                center.x,
                center.y - off,
                center.z
            ),
        ],
    );
}

fn top_speed(subject: &LintedCar<'_>, findings: &mut Findings) {
    let Some(speed) = subject.top_speed() else {
        return;
    };
    let low = subject
        .gearbox
        .as_ref()
        .map_or(1.0, |gears| gears.final_ratio);
    // Cars of 300 km/h and machines of 100 km/h have such gears.
    let (usual, wanted) = if speed > FASTEST {
        (300.0 / 3.6, format!("at most {:.0} km/h", 3.6 * FASTEST))
    } else {
        (100.0 / 3.6, format!("at least {:.0} km/h", 3.6 * SLOWEST))
    };
    let in_rpm = subject
        .engine
        .as_ref()
        .and_then(|engine| from_rpm(engine.max_speed));
    // Such an engine never comes to its next gear.
    let grave = if in_rpm.is_some() { Error } else { Warning };
    let ratio = format!(
        "final_ratio = {}, if engine.max_speed and the radius of the wheels are right",
        significant(low * speed / usual)
    );
    findings.add(
        above(speed, FASTEST, grave).or(below(speed, SLOWEST, Note)),
        TOP_SPEED,
        "gearbox.final_ratio",
        format!("{low:.2}: the gears allow {:.0} km/h", 3.6 * speed),
        [wanted, in_rpm.unwrap_or(ratio)],
    );
}

/// Tires have the friction of some rubber, resist slip, and roll freely where they do not slip.
fn tire_forces(subject: &LintedCar<'_>, findings: &mut Findings) {
    for (n, wheel) in subject.wheels() {
        let tire = RestingTire::new(subject, n);
        // A law that is wrong in one way is often so in others: the first says most.
        if let Some((found, [wanted, proposal])) = wrong_friction(&tire)
            .or_else(|| wrong_sign(&tire))
            .or_else(|| wrong_rolling(&tire))
        {
            let told = [wanted.to_owned(), proposal.to_owned()];
            findings.add(Error, TIRE_FORCES, &wheel.name, found, told);
        }
    }
}

/// Value found, value wanted, and a proposal.
type Wrong = (String, [&'static str; 2]);

fn wrong_friction(tire: &RestingTire<'_>) -> Option<Wrong> {
    let peak = tire.peak_friction();
    (!(GRIP[0]..=GRIP[1]).contains(&peak)).then(|| {
        (
            format!("peak friction {peak:.2} at its rest load of {:.0} N", tire.load),
            [
                "0.1 on ice to 3 in drag racing; about 1 on a road",
                "friction of about 1: PDY1 and LMUY of a Magic Formula of about 1, and its FNOMIN in N",
            ],
        )
    })
}

fn wrong_sign(tire: &RestingTire<'_>) -> Option<Wrong> {
    let along = [-0.9, 0.9].map(|slip| tire.forces(slip, 0.0)[0]);
    let across = [-0.1, 0.1].map(|tangent| tire.forces(0.0, tangent)[1]);
    if along[0] > 0.0 && along[1] < 0.0 {
        let found = format!(
            "{:.0} N forward as it brakes, {:.0} N as it drives",
            along[0], along[1]
        );
        let proposal = "slip stiffness of the other sign: PKX1 above 0 in a Magic Formula";
        return Some((
            found,
            ["backward as it brakes, forward as it drives", proposal],
        ));
    }
    (across[0] < across[1]).then(|| {
        (
            format!("{:.0} N to the left as it slips to the left", across[1]),
            [
                "to the right: against the slip",
                "cornering stiffness of the other sign: PKY1 below 0 in a Magic Formula, as in ISO",
            ],
        )
    })
}

fn wrong_rolling(tire: &RestingTire<'_>) -> Option<Wrong> {
    let free = tire.free_slip();
    let wrong = free.is_none_or(|slip| slip.abs() > FREE_SLIP);
    wrong.then(|| {
        (
            match free {
                Some(slip) => format!(
                    "rolls freely at a slip ratio of {slip:.2}: the car is {:.1} times as fast as its rims",
                    1.0 / (1.0 + slip)
                ),
                None => "rolls freely at no slip ratio between -0.9 and 0.9".to_owned(),
            },
            [
                "at 0",
                "no shift of the longitudinal slip: PHX1, PHX2, PVX1 and PVX2 of a Magic Formula at 0",
            ],
        )
    })
}

/// Proposal for an implausible greatest engine speed (`rad/s`) that is a usual one in revolutions per minute.
pub(super) fn from_rpm(speed: f32) -> Option<String> {
    const USUAL: core::ops::RangeInclusive<f32> = 150.0..=1300.0;
    let converted = speed * core::f32::consts::PI / 30.0;
    let fits = !USUAL.contains(&speed) && USUAL.contains(&converted);
    fits.then(|| {
        format!(
            "engine.max_speed = {converted:.0} rad/s, if it is in rpm, and the other speeds alike"
        )
    })
}

/// A mass (`kg`) in whole kilograms, or with three digits if it is small.
fn kilograms(mass: f32) -> String {
    if mass < 10.0 {
        format!("{} kg", significant(mass))
    } else {
        format!("{mass:.0} kg")
    }
}

/// A number with three significant digits.
pub(super) fn significant(number: f32) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    let whole = libm::floorf(libm::log10f(number.abs())) as i32 + 1;
    let places = (3 - whole).max(0) as usize;
    format!("{number:.places$}")
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn small_numbers_keep_their_digits() {
        let texts = [0.00342, 0.034, 12.34, 1234.5, 0.0].map(significant);
        assert_eq!(texts, ["0.00342", "0.0340", "12.3", "1234", "0"]);
    }
}
