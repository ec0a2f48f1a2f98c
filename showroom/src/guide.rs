//! What the numbers of a vehicle file do: the sentence of the book's guides, or one of our own.

use std::sync::LazyLock;

/// The chapters with tables of keys.
const CHAPTERS: [&str; 3] = [
    include_str!("../../book/src/tuning.md"),
    include_str!("../../book/src/tires.md"),
    include_str!("../../book/src/differentials.md"),
];

/// Last key of a path, sentence: of keys that the book leaves out.
const BESIDES: [(&str, &str); 72] = [
    (
        "carcass_damping_time",
        "How soon a standing tire stops swaying.",
    ),
    (
        "observer_gain",
        "How fast the solver learns of forces that it does not know.",
    ),
    (
        "neutral_up",
        "Share of the engine's speed at which the automatic leaves neutral.",
    ),
    (
        "roll",
        "Height of a side wind's force, as a lean away from it.",
    ),
    ("yaw", "How a side wind turns the nose away from it."),
    ("mass", "Of one wheel with what moves with it."),
    (
        "inertia",
        "Resistance of a wheel to turning. More of it reacts later to throttle and brakes.",
    ),
    (
        "x",
        "Where the axle is, ahead of the origin. A longer wheelbase is calmer.",
    ),
    (
        "track",
        "Between the wheels of an axle. Wider rolls and lifts its inner wheels less.",
    ),
    (
        "radius",
        "Of the wheel. Larger ones gear the car longer and climb higher steps.",
    ),
    (
        "width",
        "Of the tire: drawn, and swept where wheels are swept.",
    ),
    ("damping", "Of the bearing. More of it slows a free wheel."),
    (
        "bump_stop_stiffness",
        "Beyond the travel. Keeps the body off the wheels; ten springs are usual.",
    ),
    (
        "force_height",
        "Where forces act, above the ground. Closer to the center of mass rolls less.",
    ),
    (
        "camber_at_max_compression_deg",
        "Camber with the spring at its stop.",
    ),
    ("camber_at_max_droop_deg", "Camber at full droop."),
    ("area", "Of the front, which the air coefficients refer to."),
    (
        "drag",
        "Sets the top speed: the force grows with the square of speed.",
    ),
    ("side", "Force of a wind from the side."),
    ("lift_front", "Negative presses the front axle down."),
    (
        "lift_rear",
        "Negative presses the rear axle down: more grip in fast bends.",
    ),
    ("camber_stiff_per_g", "Side force per camber and gravity."),
    ("camber_stiffness", "Side force over load per camber."),
    ("slip_stiffness", "Force over load per slip."),
    (
        "cornering_stiffness",
        "Side force over load per slip angle.",
    ),
    (
        "trail",
        "Lever of the side force, which turns the steering back.",
    ),
    ("idle_speed", "Below it, the engine keeps itself running."),
    (
        "damping_full_throttle",
        "Friction of the engine with the throttle open.",
    ),
    (
        "damping_zero_throttle_disengaged",
        "How fast a free engine slows down.",
    ),
    ("static_friction", "Holds a car that is parked in gear."),
    (
        "forward",
        "Ratio of a gear. Close ones keep the engine in its best range.",
    ),
    ("reverse", "Ratio backwards, negative."),
    (
        "up",
        "Share of the engine's speed at which the automatic shifts up.",
    ),
    (
        "down",
        "Share of the engine's speed at which the automatic shifts down.",
    ),
    ("front_split", "Share of the left wheel in front."),
    ("rear_split", "Share of the left wheel at the rear."),
    (
        "torque_curve",
        "Share of the greatest torque at a share of the greatest speed.",
    ),
    (
        "hull",
        "The box of the body: length, width, height, and its center.",
    ),
    ("roll_center", "Height about which links let the body roll."),
    (
        "compliance",
        "How the wheel turns or shifts over its travel: jounce, then angle or way.",
    ),
    ("bump", "Damping as the wheel rises."),
    ("rebound", "Damping as the wheel falls."),
    (
        "knee",
        "From this speed of the damper on, another rate: softer on fast bumps.",
    ),
    (
        "anti_dive",
        "Share of braking that links carry instead of springs: the nose dips less.",
    ),
    (
        "anti_lift",
        "Share of braking that links carry instead of springs: the tail rises less.",
    ),
    (
        "anti_squat",
        "Share of drive that links carry instead of springs: the tail sinks less.",
    ),
    (
        "roll_center_change",
        "How the roll center moves with the wheel.",
    ),
    ("separation", "Between the axles that steer together."),
    ("point", "Where the air acts, from the origin."),
    (
        "wheelbase",
        "Over which the air's pitching is told as lifts.",
    ),
    ("vertical", "Force of air from above or below."),
    ("load", "Mass that rests on the coupling."),
    ("position", "Of the joint, from the origin."),
    (
        "max_torques",
        "Of the motor on each wheel, at full throttle.",
    ),
    (
        "by_speed",
        "What becomes of a command at a speed: less steering when fast is calmer.",
    ),
    ("command", "The command that a row is about."),
    ("share", "Of the torque for this axle; all sum to 1."),
    (
        "air_share",
        "Share of the torque that a wheel in the air keeps.",
    ),
    (
        "least_grounded",
        "With fewer wheels on the ground, each keeps its share.",
    ),
    ("hold", "How firmly the inner track is held back in bends."),
    (
        "radii",
        "Of the sprockets: what a track's speed is over its spin.",
    ),
    (
        "speed_ratios",
        "Share of a wheel in the mean speed that the clutch sees.",
    ),
    (
        "torque_ratios",
        "Share of the torque for a wheel; negative turns it backward.",
    ),
    (
        "bias",
        "How much faster one side may turn before the axle locks; 1 is a lock.",
    ),
    ("target", "To which ratio of speeds a locking axle returns."),
    (
        "fast",
        "Substeps of the explicit solver from the threshold speed on.",
    ),
    (
        "slow",
        "Substeps of the explicit solver below the threshold speed: more are steadier.",
    ),
    ("threshold_speed", "Where slow ends and fast begins."),
    (
        "load_filter",
        "Of the explicit solver's tires: how far loads may leave those at rest.",
    ),
    (
        "wheels",
        "Of an axle: 1 or 2; of a differential: which, counted from 0.",
    ),
    ("front", "Wheels of the front axle, counted from 0."),
    ("rear", "Wheels of the rear axle, counted from 0."),
];

/// Path and sentence of each row of the book's tables.
static BOOK: LazyLock<Vec<(String, String)>> =
    LazyLock::new(|| CHAPTERS.iter().flat_map(|page| rows(page)).collect());

/// The rows of the tables of a page that begin with `| key |`.
fn rows(page: &str) -> Vec<(String, String)> {
    let tables = page
        .split("\n\n")
        .filter(|table| table.starts_with("| key |"));
    let rows = tables.flat_map(|table| {
        let more = table
            .lines()
            .next()
            .is_some_and(|head| head.contains("more of it"));
        let sentence = move |effect: &str| {
            if more {
                format!("More of it: {effect}.")
            } else {
                format!("{effect}.")
            }
        };
        table.lines().skip(2).filter_map(move |line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            Some((
                cells.get(1)?.trim_matches('`').to_owned(),
                sentence(cells.get(4)?),
            ))
        })
    });
    rows.collect()
}

/// A path without places in lists and names of tires.
fn general(path: &str) -> String {
    let mut keys: Vec<&str> = path
        .split('.')
        .filter(|key| key.parse::<usize>().is_err())
        .collect();
    if keys.len() > 2 && keys[0] == "tires" {
        keys.remove(1);
    }
    keys.join(".")
}

/// What the number at a path does. Of the rows for several axles, the last speaks of those that have none.
#[must_use]
pub fn advice(path: &str) -> Option<&'static str> {
    let same = |known: &str| {
        path.strip_prefix(known)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let exact = BOOK.iter().find(|(known, _)| same(known));
    let alike = || {
        BOOK.iter()
            .rev()
            .find(|(known, _)| general(known) == general(path))
    };
    if let Some((_, sentence)) = exact.or_else(alike) {
        return Some(sentence);
    }
    let mut keys = path.split('.').rev();
    keys.find_map(|key| BESIDES.iter().find(|(known, _)| *known == key))
        .map(|(_, sentence)| *sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::garage::Garage;

    #[test]
    fn every_number_of_every_preset_has_a_sentence() {
        let knobs =
            jounce::presets::FILES.map(|(name, text)| Garage::open(name, text).unwrap().knobs());
        let without = knobs
            .iter()
            .flatten()
            .filter(|knob| advice(&knob.path).is_none());
        let without: Vec<_> = without.map(|knob| &knob.path).collect();
        assert!(without.is_empty(), "{without:?}");
    }

    #[test]
    fn sentences_are_the_books() {
        assert!(BOOK.len() > 40, "{} rows", BOOK.len());
        let (front, rear) = ("axles.0.suspension.damping", "axles.1.suspension.damping");
        assert!(advice(front).unwrap().contains("lose the ground on bumps"));
        assert_ne!(advice(rear), advice(front));
        assert_eq!(advice("axles.2.suspension.damping"), advice(rear));
        assert_eq!(
            advice("tires.eco.lat_stiff_x"),
            advice("tires.street.lat_stiff_x")
        );
        assert!(advice("chassis.inertia.2").unwrap().contains("slower roll"));
        assert!(advice("axles.1.damping").unwrap().contains("bearing"));
        assert_eq!(advice("nothing.here"), None);
    }
}
