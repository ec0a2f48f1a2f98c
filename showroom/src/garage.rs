//! A vehicle file being tuned: every number by its path, undo, two sets to compare. The library judges every change.

use std::collections::BTreeMap;

use jounce::file::Car;
use toml::Table;

use crate::bounds::Bounds;
use crate::numbers::{each, find, number, put, with};
use crate::parts::Part;
use crate::saved::written;
use crate::spares::{self, Spare};

/// A number of a vehicle file.
#[derive(Clone, Debug, PartialEq)]
pub struct Knob {
    /// Where it stands: keys and indices between dots.
    pub path: String,
    /// Its value.
    pub value: f64,
    /// Its value as the file was opened, or as it was added; `None` if it came with a text.
    pub default: Option<f64>,
    /// Whether the file has a whole number here.
    pub whole: bool,
}

/// A file that is tuned.
#[derive(Clone, Debug)]
pub struct Garage {
    /// What its faults are told with.
    pub name: String,
    /// The text whose layout and comments are kept.
    source: String,
    opened: Table,
    /// That, and what was added.
    default: Table,
    now: Table,
    past: Vec<Table>,
    other: Option<Table>,
    /// Counts the changes of `now`.
    edition: u64,
    /// What the library has told of numbers, and of which edition.
    told: BTreeMap<String, (u64, Bounds)>,
    /// What may be added, and to which edition.
    spares: Option<(u64, Vec<Spare>)>,
}

/// How many changes can be taken back.
const UNDO: usize = 100;

impl Garage {
    /// Opens a file's text.
    ///
    /// # Errors
    /// With every fault of the file, one a line.
    pub fn open(name: &str, text: &str) -> Result<Self, String> {
        Car::parse(text, name).map_err(|error| error.to_string())?;
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| error.to_string())?;
        Ok(Self {
            name: name.to_owned(),
            source: text.to_owned(),
            opened: table.clone(),
            default: table.clone(),
            now: table,
            past: Vec::new(),
            other: None,
            edition: 0,
            told: BTreeMap::new(),
            spares: None,
        })
    }

    /// Whether it was opened as this text.
    pub(crate) fn opened_as(&self, text: &str) -> bool {
        text.parse() == Ok(self.opened.clone())
    }

    /// The file as it is now, with the comments that it was opened with.
    #[must_use]
    pub fn text(&self) -> String {
        written(&self.source, &self.now)
    }

    /// Every number, in the order of the keys.
    #[must_use]
    pub fn knobs(&self) -> Vec<Knob> {
        let mut knobs = Vec::new();
        each(&self.now, &mut |path, value| {
            knobs.extend(number(value).map(|number| Knob {
                path: path.to_owned(),
                value: number,
                default: find(&self.default, path).and_then(self::number),
                whole: value.is_integer(),
            }));
        });
        knobs.retain(|knob| knob.path != "schema" && !knob.path.contains("wheels."));
        knobs
    }

    /// Numbers that are not as the file was opened, by their paths.
    #[must_use]
    pub fn changed_numbers(&self) -> BTreeMap<String, f64> {
        let opened = |knob: &Knob| find(&self.opened, &knob.path).and_then(number);
        let knobs = self.knobs().into_iter();
        let changed = knobs.filter(|knob| opened(knob) != Some(knob.value));
        changed.map(|knob| (knob.path, knob.value)).collect()
    }

    /// Unit and range of a number, as last asked.
    #[must_use]
    pub fn bounds(&self, path: &str) -> Option<&Bounds> {
        self.told.get(path).map(|(_, bounds)| bounds)
    }

    /// Whether unit and range have not been asked since the last change.
    #[must_use]
    pub fn wonders(&self, path: &str) -> bool {
        self.told
            .get(path)
            .is_none_or(|(edition, _)| *edition != self.edition)
    }

    /// Asks the library for unit and range of a number; takes some ten readings of the file.
    pub fn ask(&mut self, path: &str) {
        if let Some(bounds) = Bounds::of(&self.now, path) {
            self.told.insert(path.to_owned(), (self.edition, bounds));
        }
    }

    /// What the file leaves out and may have; `None` if that has not been looked for since the last change.
    #[must_use]
    pub fn spares(&self) -> Option<&[Spare]> {
        let known = self.spares.as_ref();
        known.and_then(|(edition, spares)| (*edition == self.edition).then_some(&**spares))
    }

    /// Looks for what the file leaves out; takes some hundred readings of it.
    pub fn look_for_spares(&mut self) {
        if let Ok(car) = Car::parse(&self.now.to_string(), &self.name) {
            self.spares = Some((self.edition, spares::left_out(&self.now, &car)));
        }
    }

    /// Adds something that the file leaves out, as the library then has it.
    ///
    /// # Errors
    /// If it is not left out, or as [`Garage::set`].
    pub fn add(&mut self, path: &str) -> Result<(), String> {
        // What it then has may follow from a number that has changed.
        self.look_for_spares();
        let mut spares = self.spares().unwrap_or_default().iter();
        let spare = spares.find(|spare| spare.path == path);
        let value = spare
            .ok_or_else(|| format!("{path}: cannot be added"))?
            .value
            .clone();
        let added = |table: &Table| put(table, path, &value);
        let next = added(&self.now).ok_or_else(|| format!("{path}: has no place"))?;
        self.take(next)?;
        self.default = added(&self.default).unwrap_or_else(|| self.default.clone());
        Ok(())
    }

    /// A number by its path.
    #[must_use]
    pub fn value(&self, path: &str) -> Option<f64> {
        find(&self.now, path).and_then(number)
    }

    /// What the file has of a part, by its name; empty if it has none.
    #[must_use]
    pub fn part(&self, part: Part) -> &str {
        part.of(&self.now).unwrap_or_default()
    }

    /// Sets a number.
    ///
    /// # Errors
    /// With the library's reasons, if it refuses the file; nothing has changed then.
    pub fn set(&mut self, path: &str, value: f64) -> Result<(), String> {
        let next = with(&self.now, path, value).ok_or_else(|| format!("{path}: no such number"))?;
        let known = self.spares().is_some();
        self.take(next)?;
        if let Some((edition, _)) = self.spares.as_mut().filter(|_| known) {
            // With another number, the file leaves out the same.
            *edition = self.edition;
        }
        Ok(())
    }

    /// Swaps a part: `file` for the one that the file was opened with.
    ///
    /// # Errors
    /// As [`Garage::set`].
    pub fn swap(&mut self, part: Part, name: &str) -> Result<(), String> {
        let next = part.swapped(&self.now, &self.opened, name)?;
        self.take(next)
    }

    /// Goes on with another text of the file.
    ///
    /// # Errors
    /// As [`Garage::set`], with the lines of the faults.
    pub fn write(&mut self, text: &str) -> Result<(), String> {
        Car::parse(text, &self.name).map_err(|error| error.to_string())?;
        let next = text
            .parse()
            .map_err(|error: toml::de::Error| error.to_string())?;
        self.remember(next);
        self.source = text.to_owned();
        Ok(())
    }

    fn take(&mut self, next: Table) -> Result<(), String> {
        Car::parse(&next.to_string(), &self.name).map_err(|error| error.to_string())?;
        self.remember(next);
        Ok(())
    }

    /// Goes on with another table; the present one can be taken back.
    fn remember(&mut self, next: Table) {
        if next == self.now {
            return;
        }
        if self.past.len() == UNDO {
            self.past.remove(0);
        }
        let before = self.put(next);
        self.past.push(before);
    }

    fn put(&mut self, next: Table) -> Table {
        self.edition += 1;
        core::mem::replace(&mut self.now, next)
    }

    /// Takes the last change back; whether there was one.
    pub fn undo(&mut self) -> bool {
        let before = self.past.pop();
        before.map(|before| self.put(before)).is_some()
    }

    /// Whether there is a change to take back.
    #[must_use]
    pub fn changed(&self) -> bool {
        !self.past.is_empty()
    }

    /// Keeps the present numbers as the other set.
    pub fn keep(&mut self) {
        self.other = Some(self.now.clone());
    }

    /// Changes to the other set, by default the file as it was opened.
    pub fn compare(&mut self) {
        let other = self.other.take().unwrap_or_else(|| self.opened.clone());
        self.other = Some(self.now.clone());
        self.remember(other);
    }

    /// The file as it was opened.
    pub fn reset(&mut self) {
        self.remember(self.opened.clone());
    }
}

#[cfg(test)]
mod tests {
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
            for knob in knobs {
                assert_eq!(Some(knob.value), knob.default, "{name}: {}", knob.path);
                garage.set(&knob.path, knob.value).unwrap();
            }
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
}
