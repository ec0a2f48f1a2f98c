//! A sentence for each word of the panels.

use jounce::presets;

/// Words of choices.
const WORDS: [(&str, &str); 44] = [
    (
        "standalone",
        "The library's own world: one rigid body over the ground, without collisions of hulls.",
    ),
    (
        "rapier",
        "The engine Rapier, with collisions of hulls, loose boxes and joints.",
    ),
    (
        "avian",
        "The engine Avian of Bevy, with collisions of hulls and loose boxes.",
    ),
    ("box3d", "The engine Box3D, with collisions of hulls."),
    ("jolt", "The engine Jolt, with collisions of hulls."),
    ("hills", "Generated hills of one square kilometer."),
    (
        "skid-pad",
        "A level plain without end, with a circle of cones.",
    ),
    (
        "town",
        "Streets between houses, with curbs, stairs and a ramp to jump.",
    ),
    (
        "patches",
        "Strips of wet asphalt, ice and gravel on a plain.",
    ),
    ("crossed-ramps", "Ramps that lift one side after the other."),
    (
        "turntable",
        "A disc that turns, and behind it a platform that goes to and fro.",
    ),
    (
        "boxes",
        "Towers of loose boxes, in engines that have such bodies.",
    ),
    (
        "rows",
        "Solves tires and suspension as constraints, stable at large steps.",
    ),
    (
        "explicit",
        "Integrates forces of tires and suspension in substeps, as PhysX 4 does.",
    ),
    ("rays", "Finds the ground by one ray per wheel."),
    (
        "sweeps",
        "Finds the ground by a swept wheel, which rides over edges.",
    ),
    (
        "michigan",
        "A tire law of stiffnesses and friction, as of PhysX vehicles.",
    ),
    (
        "linear",
        "A tire law that is proportional to slip, up to the friction.",
    ),
    (
        "magic-formula",
        "Pacejka's Magic Formula with measured coefficients of an SUV's tire.",
    ),
    (
        "open-front",
        "Drives the front wheels by an open differential.",
    ),
    (
        "open-rear",
        "Drives the rear wheels by an open differential.",
    ),
    ("open-all", "Drives all wheels by open differentials."),
    (
        "limited-slip-front",
        "Drives the front wheels, whose speeds may differ only so far.",
    ),
    (
        "limited-slip-rear",
        "Drives the rear wheels, whose speeds may differ only so far.",
    ),
    (
        "limited-slip-all",
        "Drives all wheels, whose speeds may differ only so far.",
    ),
    ("locking", "Turns both rear wheels at one speed."),
    ("equal", "Gives all wheels the same torque."),
    ("torque-vectoring", "Gives each wheel torque by its load."),
    ("as in the file", "Goes back to what the vehicle file says."),
    ("none", "Leaves it out."),
    ("chase", "Follows from behind."),
    ("hood", "Sees from the hood."),
    ("side", "Sees from the left."),
    ("top", "Sees from above."),
    ("automatic", "Lets the gearbox change gear by itself."),
    ("by hand", "Leaves gears to you: PgUp and PgDn."),
    ("one car", "Goes back to the car that you tune."),
    (
        "by distance from the camera",
        "Simulates near cars in full, and far ones more coarsely.",
    ),
    (
        "World",
        "Vehicle, course, engine, and what is swapped as a whole.",
    ),
    ("Tune", "Numbers of the vehicle file, while it drives."),
    (
        "Inside",
        "Forces, contact, friction ellipses, torques, telemetry.",
    ),
    ("Time", "Pause, slow motion, rewinding, recordings."),
    (
        "Fleet",
        "Thousands of cars, each in the detail of its distance.",
    ),
    ("Keys", "All keys."),
];

/// Titles of groups of numbers in the order of a car, by the beginning of their paths, and what each holds.
const GROUPS: [(&str, &str, &str); 29] = [
    (
        "chassis",
        "body",
        "Mass, inertia, center of mass, and the box that collides.",
    ),
    (
        "axles.*.suspension",
        "suspension",
        "Springs, dampers, travel, and the angles of the wheels.",
    ),
    (
        "axles.*.links",
        "links",
        "Roll center and anti-dive, or the points of the links.",
    ),
    (
        "axles.*.tire",
        "tires",
        "Load, friction and rolling resistance of the axle's tires.",
    ),
    (
        "axles.*.brakes",
        "brakes",
        "Braking torques of the pedal and of the handbrake.",
    ),
    (
        "axles.*.steering",
        "steering",
        "Greatest angle, and how inner and outer wheels differ.",
    ),
    (
        "axles.*",
        "wheels",
        "Place, size, mass and inertia of the axle's wheels.",
    ),
    (
        "anti_roll",
        "anti-roll bars",
        "Stiffness of the bars between left and right wheels.",
    ),
    (
        "tires",
        "tire laws",
        "Coefficients of the laws of the tires.",
    ),
    (
        "drivetrain.engine",
        "engine",
        "Torque over speed, idle, inertia and losses.",
    ),
    (
        "drivetrain.motors",
        "motors",
        "Torque and power of the electric motors.",
    ),
    (
        "drivetrain.battery",
        "battery",
        "Voltage, energy and greatest power.",
    ),
    (
        "drivetrain.power_split",
        "power split",
        "The planetary gear between engine and motors.",
    ),
    (
        "drivetrain.clutch",
        "clutch",
        "Strength and capacity of the clutch.",
    ),
    (
        "drivetrain.converter",
        "converter",
        "Torque converter before the gearbox.",
    ),
    (
        "drivetrain.gearbox",
        "gearbox",
        "Ratios of the gears, and the time of a change.",
    ),
    (
        "drivetrain.autobox",
        "automatic gears",
        "Engine speeds at which gears are changed.",
    ),
    (
        "drivetrain.differential",
        "differential",
        "How torque and speed are split among wheels.",
    ),
    (
        "drivetrain.retarder",
        "retarder",
        "Braking torque at the output of the gearbox.",
    ),
    (
        "drivetrain.steering",
        "steering response",
        "How far the wheels steer at a speed.",
    ),
    (
        "drivetrain",
        "drivetrain",
        "What else is between engine and wheels.",
    ),
    ("steering", "steering", "Steering wheel, column and rack."),
    ("aerodynamics", "air", "Drag and downforce."),
    ("aids", "driver aids", "Settings of ABS and the other aids."),
    ("coupling", "coupling", "Where a trailer is coupled."),
    ("rows", "solver", "Softness of the solver's constraints."),
    (
        "load_filter",
        "load filter",
        "How the loads of wheels are smoothed for their tires.",
    ),
    (
        "substeps",
        "substeps",
        "How a step is divided for tires and drivetrain.",
    ),
    ("ladder", "levels of detail", "What far cars leave out."),
];

/// The sentence on a word: of a preset, its description.
pub(super) fn sentence(word: &str) -> Option<&str> {
    let known = WORDS.iter().find(|(known, _)| *known == word);
    known.map(|(_, sentence)| *sentence).or_else(|| {
        let (_, text) = presets::FILES.into_iter().find(|(name, _)| *name == word)?;
        let mut lines = text.lines();
        let description = lines.find_map(|line| line.strip_prefix("description = \""))?;
        description.strip_suffix('"')
    })
}

/// Numbers of one table stand together: two keys of the path, of axles three.
pub(super) fn group(path: &str) -> String {
    let parts: Vec<&str> = path.split('.').collect();
    let deep = if parts[0] == "axles" { 3 } else { 2 };
    let most = parts.len().saturating_sub(1).clamp(1, deep);
    parts[..most].join(".")
}

/// Place of a group in the order of a car, its title and its sentence.
pub(super) fn place(group: &str) -> (usize, String, &'static str) {
    let mut keys = group.split('.');
    let axle = match (keys.next(), keys.next()) {
        (Some("axles"), Some(index)) => index.parse().ok(),
        _ => None,
    };
    let general = axle.map_or_else(
        || group.to_owned(),
        |axle: usize| group.replacen(&format!("axles.{axle}"), "axles.*", 1),
    );
    let fits = |known: &str| {
        let rest = general.strip_prefix(known);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let found = GROUPS.iter().position(|(known, ..)| fits(known));
    let Some(found) = found else {
        return (
            100 * GROUPS.len(),
            group.to_owned(),
            "Numbers without a group of their own.",
        );
    };
    let (known, title, what) = GROUPS[found];
    // All of one axle, then all of the next.
    let axles = GROUPS
        .iter()
        .filter(|(known, ..)| known.starts_with("axles"))
        .count();
    let rest = general[known.len()..].replace('.', " ");
    match axle {
        Some(axle) => {
            let first = GROUPS
                .iter()
                .position(|(known, ..)| known.starts_with("axles"));
            let within = found - first.unwrap_or(0);
            let order = 100 * first.unwrap_or(0) + axles * axle + within;
            (order, format!("axle {}: {title}{rest}", axle + 1), what)
        }
        None => (100 * found, format!("{title}{rest}"), what),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proving_ground::course::CourseName;
    use proving_ground::world::WorldKind;

    #[test]
    fn every_word_has_a_sentence() {
        let engines = WorldKind::all().iter().map(|kind| kind.name());
        let courses = CourseName::ALL.iter().map(|course| course.name());
        let parts = crate::parts::Part::ALL.iter().flat_map(|part| part.names());
        let presets = presets::FILES.iter().map(|(name, _)| *name);
        let panels = super::super::PANELS.iter().map(|(_, title)| *title);
        let words = engines
            .chain(courses)
            .chain(parts.copied())
            .chain(presets)
            .chain(panels);
        for word in words {
            assert!(sentence(word).is_some(), "{word}");
        }
    }

    /// From the body by axle to the engine; no number of a preset is without a group.
    #[test]
    fn groups_are_in_the_order_of_a_car() {
        let order = [
            "chassis",
            "axles.0.suspension",
            "axles.0.tire",
            "axles.0",
            "axles.1.suspension",
            "anti_roll.0",
            "drivetrain.engine",
            "aids.abs",
        ];
        let places = order.map(|group| place(group).0);
        assert!(places.is_sorted(), "{places:?}");
        assert_eq!(place("axles.1.suspension").1, "axle 2: suspension");
        for (name, text) in presets::FILES {
            let garage = crate::garage::Garage::open(name, text).unwrap();
            for knob in garage.knobs() {
                let (order, title, _) = place(&group(&knob.path));
                assert!(order < 100 * GROUPS.len(), "{name}: {title}");
            }
        }
    }
}
