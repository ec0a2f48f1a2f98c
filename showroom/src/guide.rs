//! What the numbers of a vehicle file mean: unit and a sentence of the tuning guide, by key.

/// What a number means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Its unit; empty if dimensionless.
    pub unit: &'static str,
    /// What turning it does.
    pub effect: &'static str,
}

/// Last key of a path, unit, sentence.
const ADVICE: [(&str, &str, &str); 66] = [
    (
        "max_substep",
        "s",
        "Longest substep of the rows solver. Shorter ones cost more and change little.",
    ),
    ("sweeps", "", "Rounds of the rows solver per substep."),
    (
        "carcass_stiffness",
        "1/m",
        "Force over rest load per deflection: holds a standing tire.",
    ),
    (
        "carcass_damping_time",
        "s",
        "How soon a standing tire stops swaying.",
    ),
    (
        "observer_gain",
        "",
        "How fast the solver learns of forces that it does not know.",
    ),
    (
        "neutral_up",
        "",
        "Share of the engine's speed at which the automatic leaves neutral.",
    ),
    (
        "roll",
        "1/rad",
        "Height of a side wind's force, as a lean away from it.",
    ),
    (
        "yaw",
        "1/rad",
        "How a side wind turns the nose away from it.",
    ),
    (
        "mass",
        "kg",
        "Of the chassis with its wheels, or of one wheel. More mass needs stiffer springs and stronger brakes.",
    ),
    (
        "inertia",
        "kg m²",
        "Resistance to turning. Less about z makes the car turn in faster, and spin sooner.",
    ),
    (
        "centre_of_mass",
        "m",
        "Ahead of the origin, left, up. Lower rolls less; further ahead understeers more.",
    ),
    (
        "x",
        "m",
        "Where the axle is, ahead of the origin. A longer wheelbase is calmer.",
    ),
    (
        "track",
        "m",
        "Between the wheels of an axle. Wider rolls and lifts its inner wheels less.",
    ),
    (
        "radius",
        "m",
        "Of the wheel. Larger ones gear the car longer and climb higher steps.",
    ),
    (
        "width",
        "m",
        "Of the tire: drawn, and swept where wheels are swept.",
    ),
    (
        "damping",
        "",
        "Of a damper [N s/m], or of a bearing [N m s/rad]. Too little and the car bounces on; too much and it hops over bumps.",
    ),
    (
        "toe_deg",
        "°",
        "Inwards. A little at the rear makes the car stable on the straight.",
    ),
    (
        "stiffness",
        "N/m",
        "Of a spring or of an anti-roll bar. Stiffer at one end moves grip to the other one; 1 to 1.5 Hz of ride suit a family car.",
    ),
    (
        "bump_stop_stiffness",
        "N/m",
        "Beyond the travel. Keeps the body off the wheels; ten springs are usual.",
    ),
    (
        "max_compression",
        "m",
        "Travel up from the design height. Too little and kerbs reach the bump stop.",
    ),
    (
        "max_droop",
        "m",
        "Travel down. Too little and inner wheels lose the ground in bends.",
    ),
    (
        "force_height",
        "m",
        "Where forces act, above the ground. Closer to the center of mass rolls less.",
    ),
    (
        "camber_deg",
        "°",
        "Negative: the top leans inwards. Helps the outer tire in bends, wears it on the straight.",
    ),
    (
        "camber_at_max_compression_deg",
        "°",
        "Camber with the spring at its stop.",
    ),
    ("camber_at_max_droop_deg", "°", "Camber at full droop."),
    (
        "max_torque",
        "N m",
        "Of one brake. Enough locks the wheel; more in front is stable.",
    ),
    (
        "max_handbrake_torque",
        "N m",
        "Of one handbrake. Enough locks the rear wheels and holds the car on a slope.",
    ),
    (
        "max_deg",
        "°",
        "Steering lock. More turns tighter, and is twitchier at speed.",
    ),
    (
        "ackermann",
        "",
        "0: both wheels turn alike; 1: each towards the same center.",
    ),
    (
        "area",
        "m²",
        "Of the front, which the air coefficients refer to.",
    ),
    (
        "drag",
        "",
        "Sets the top speed: the force grows with the square of speed.",
    ),
    ("side", "1/rad", "Force of a wind from the side."),
    ("lift_front", "", "Negative presses the front axle down."),
    (
        "lift_rear",
        "",
        "Negative presses the rear axle down: more grip in fast bends.",
    ),
    (
        "lat_stiff_x",
        "",
        "Load over rest load at which cornering stiffness saturates.",
    ),
    (
        "lat_stiff_y",
        "1/rad",
        "Cornering stiffness over rest load: higher answers sooner.",
    ),
    (
        "long_stiff_per_g",
        "N s²/m",
        "Force per slip and gravity: higher needs less slip to drive and brake.",
    ),
    (
        "camber_stiff_per_g",
        "",
        "Side force per camber and gravity.",
    ),
    ("slip_stiffness", "", "Force over load per slip."),
    (
        "cornering_stiffness",
        "",
        "Side force over load per slip angle.",
    ),
    (
        "trail",
        "m",
        "Lever of the side force, which turns the steering back.",
    ),
    (
        "peak_torque",
        "N m",
        "Of the engine at full throttle. More than the tires hold only spins them.",
    ),
    ("max_speed", "rad/s", "Of the engine: it pulls no further."),
    (
        "idle_speed",
        "rad/s",
        "Below it, the engine keeps itself running.",
    ),
    (
        "damping_full_throttle",
        "N m s/rad",
        "Friction of the engine with the throttle open.",
    ),
    (
        "damping_zero_throttle_engaged",
        "N m s/rad",
        "Engine brake: how fast a coasting car slows down in gear.",
    ),
    (
        "damping_zero_throttle_disengaged",
        "N m s/rad",
        "How fast a free engine slows down.",
    ),
    (
        "static_friction",
        "N m",
        "Holds a car that is parked in gear.",
    ),
    (
        "strength",
        "N m s/rad",
        "Of the clutch: torque per difference of speeds. Stronger couples harder.",
    ),
    (
        "capacity",
        "N m",
        "Most torque of the clutch. Below the engine's, it slips.",
    ),
    (
        "final_ratio",
        "",
        "Of all gears. Longer (smaller) is slower off the line and faster at the end.",
    ),
    (
        "forward",
        "",
        "Ratio of a gear. Close ones keep the engine in its best range.",
    ),
    ("reverse", "", "Ratio backwards, negative."),
    (
        "switch_time",
        "s",
        "How long a change of gear takes, without drive.",
    ),
    (
        "latency",
        "s",
        "Least time between changes of the automatic.",
    ),
    (
        "up",
        "",
        "Share of the engine's speed at which the automatic shifts up.",
    ),
    (
        "down",
        "",
        "Share of the engine's speed at which the automatic shifts down.",
    ),
    (
        "front_rear_split",
        "",
        "Share of the torque for the front axle.",
    ),
    ("front_split", "", "Share of the left wheel in front."),
    ("rear_split", "", "Share of the left wheel at the rear."),
    (
        "centre_bias",
        "",
        "How much faster one axle may turn before the center differential gives to the other.",
    ),
    (
        "front_bias",
        "",
        "The same between the front wheels: less locks sooner, and understeers.",
    ),
    (
        "rear_bias",
        "",
        "The same between the rear wheels: less locks sooner, and oversteers under power.",
    ),
    (
        "torque_curve",
        "",
        "Share of the greatest torque at a share of the greatest speed.",
    ),
    (
        "hull",
        "m",
        "The box of the body: length, width, height, and its center.",
    ),
    (
        "roll_center",
        "m",
        "Height about which links let the body roll.",
    ),
];

/// What the number at a path means.
#[must_use]
pub fn advice(path: &str) -> Option<Advice> {
    path.split('.').rev().find_map(|key| {
        let (_, unit, effect) = ADVICE.iter().find(|(known, _, _)| *known == key)?;
        Some(Advice { unit, effect })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::garage::Garage;

    #[test]
    fn every_number_of_the_sedan_has_advice() {
        let garage = Garage::open("sedan", jounce::presets::FILES[0].1).unwrap();
        let knobs = garage.knobs();
        for knob in knobs {
            assert!(advice(&knob.path).is_some(), "{}", knob.path);
        }
    }

    #[test]
    fn advice_goes_by_the_last_known_key() {
        assert_eq!(advice("axles.0.suspension.stiffness").unwrap().unit, "N/m");
        assert_eq!(
            advice("drivetrain.engine.torque_curve.3.1").unwrap().unit,
            ""
        );
        assert_eq!(advice("nothing.here"), None);
    }
}
