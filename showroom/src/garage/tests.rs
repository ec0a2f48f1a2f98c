use super::*;

const SPRING: &str = "axles.0.suspension.stiffness";

fn sedan() -> Garage {
    Garage::open("sedan", jounce::presets::FILES[0].1).unwrap()
}

#[test]
fn every_number_of_every_preset_is_a_knob_that_can_be_turned() {
    for (name, text) in jounce::presets::FILES {
        let mut garage = Garage::open(name, text).unwrap();
        let knobs = garage.knobs();
        assert!(knobs.len() > 20, "{name}");
        let mut fixed = Vec::new();
        for knob in knobs {
            assert_eq!(Some(knob.value), knob.default, "{name}: {}", knob.path);
            let step = if knob.whole {
                1.0
            } else {
                0.01 * knob.value.abs().max(1.0)
            };
            let turned = [knob.value + step, knob.value - step];
            // A number at the end of its range, or at a bound that another number sets, turns one way only.
            let new = turned
                .into_iter()
                .find(|value| garage.set(&knob.path, *value).is_ok());
            let Some(new) = new else {
                fixed.push((knob.path, knob.whole));
                continue;
            };
            assert_eq!(garage.value(&knob.path), Some(new), "{name}: {}", knob.path);
            assert!(garage.changed(), "{name}: {}", knob.path);
            assert!(garage.undo());
            assert_eq!(garage.value(&knob.path), Some(knob.value));
        }
        // A curve begins at 0, those of a converter end where both sides turn alike, axles keep their wheels, a differential lists
        // each of them once, and a locked one has a bias and a target of 1.
        let bound = |(path, whole): &(String, bool)| {
            let is_given = ["_limit.bias", "_limit.target", ".wheels"]
                .iter()
                .any(|end| path.ends_with(end));
            let ends = path.contains("converter.");
            path.ends_with(".0.0") || is_given || ends || (*whole && path.contains("differential."))
        };
        assert!(fixed.iter().all(bound), "{name}: {fixed:?}");
        assert!(!garage.changed());
    }
}

#[test]
fn a_bad_value_is_refused_with_its_reason() {
    let mut garage = sedan();
    let told = garage.set(SPRING, -1.0).unwrap_err();
    assert!(
        told.contains("stiffness") && told.contains("must be"),
        "{told}"
    );
    assert_eq!(garage.value(SPRING), Some(25_000.0));
    assert!(garage.set("axles.0.wings", 1.0).is_err());
}

#[test]
fn changes_are_undone_compared_and_saved() {
    let mut garage = sedan();
    garage.set(SPRING, 20_000.0).unwrap();
    garage.set(SPRING, 15_000.0).unwrap();
    assert!(garage.undo());
    assert_eq!(garage.value(SPRING), Some(20_000.0));
    garage.compare();
    assert_eq!(garage.value(SPRING), Some(25_000.0));
    garage.compare();
    assert_eq!(garage.value(SPRING), Some(20_000.0));
    let again = Garage::open("again", &garage.text()).unwrap();
    assert_eq!(again.value(SPRING), Some(20_000.0));
    garage.reset();
    assert_eq!(garage.value(SPRING), Some(25_000.0));
}

#[test]
fn what_the_file_leaves_out_is_added_with_its_default_and_undone() {
    const PITCH: &str = "aerodynamics.pitch";
    let mut garage = sedan();
    assert_eq!(garage.value(PITCH), None);
    garage.look_for_spares();
    assert!(
        garage
            .spares()
            .unwrap()
            .iter()
            .any(|spare| spare.path == PITCH)
    );
    garage.add(PITCH).unwrap();
    garage.set(PITCH, 0.01).unwrap();
    let knob = garage.knobs().into_iter().find(|knob| knob.path == PITCH);
    assert_eq!(
        knob.map(|knob| (knob.value, knob.default)),
        Some((0.01, Some(0.0)))
    );
    assert_eq!(
        garage.changed_numbers(),
        BTreeMap::from([(PITCH.to_owned(), 0.01)])
    );
    assert!(garage.spares().is_none(), "they are of the file before");
    assert!(garage.add(PITCH).is_err(), "it is there");
    assert!(garage.undo() && garage.undo());
    assert_eq!(garage.text(), jounce::presets::FILES[0].1);
}

#[test]
fn bounds_are_asked_anew_after_a_change() {
    let mut garage = sedan();
    assert!(garage.wonders(SPRING) && garage.bounds(SPRING).is_none());
    garage.ask(SPRING);
    assert!(!garage.wonders(SPRING));
    assert_eq!(garage.bounds(SPRING).unwrap().to_string(), "> 0");
    garage.set("drivetrain.gearbox.forward.0", 3.0).unwrap();
    assert!(garage.wonders(SPRING) && garage.bounds(SPRING).is_some());
}

#[test]
fn parts_are_swapped_and_undone() {
    let mut garage = sedan();
    assert_eq!(garage.part(Part::Contact), "rays");
    garage.swap(Part::Contact, "sweeps").unwrap();
    garage.swap(Part::Differential, "locking").unwrap();
    assert_eq!(garage.part(Part::Differential), "locking");
    assert!(garage.swap(Part::Solver, "magic").is_err());
    assert!(garage.undo() && garage.undo());
    assert_eq!(garage.text(), jounce::presets::FILES[0].1);
}

#[test]
fn another_text_is_taken_with_its_comments_or_refused_with_its_lines() {
    let mut garage = sedan();
    let text = format!(
        "{}\n# Softer.\n",
        garage.text().replace("25000.0", "22000.0")
    );
    garage.write(&text).unwrap();
    assert_eq!(garage.value(SPRING), Some(22_000.0));
    assert_eq!(garage.text(), text);
    let told = garage.write(&text.replace("22000.0", "-1.0")).unwrap_err();
    assert!(told.contains("stiffness"), "{told}");
    assert!(garage.undo());
    assert_eq!(garage.value(SPRING), Some(25_000.0));
}

#[test]
fn a_file_with_faults_lists_them_all() {
    let text = jounce::presets::FILES[0]
        .1
        .replace("mass = 1500.0", "mass = -1500.0");
    let told = Garage::open(
        "mine.toml",
        &text.replace("radius = 0.33 ", "radius = 0.0 "),
    )
    .unwrap_err();
    assert!(
        told.contains("chassis.mass") && told.contains("radius"),
        "{told}"
    );
}

#[test]
fn a_vehicle_has_the_levers_of_its_file() {
    for (name, positions) in [
        ("sedan", [1, 1, 1, 1]),
        ("sports-car-manual", [2, 1, 1, 1]),
        ("tractor-range", [1, 2, 1, 2]),
        ("eighteen-wheeler-retarder", [1, 1, 6, 1]),
    ] {
        let mut files = jounce::presets::FILES.into_iter();
        let (_, text) = files.find(|(known, _)| *known == name).unwrap();
        let garage = Garage::open(name, text).unwrap();
        assert_eq!(garage.levers(), LeverSet::new(positions), "{name}");
    }
}

#[test]
fn moves_of_a_slider_are_undone_together() {
    let (_, text) = jounce::presets::FILES[0];
    let mut garage = Garage::open("sedan", text).unwrap();
    for factor in [1.1, 1.2, 1.2, 1.3] {
        garage.slide(Slider::Power, factor).unwrap();
    }
    let power = garage.slider(Slider::Power).unwrap();
    assert!((power - 1.3).abs() < 1e-3, "{power}");
    garage.slide(Slider::Weight, 0.9).unwrap();
    assert!(garage.undo() && garage.undo());
    assert!(!garage.changed() && garage.changed_numbers().is_empty());
}
