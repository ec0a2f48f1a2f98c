//! A vehicle file being tuned: every number by its path, undo, two sets to compare. The library judges every change.

use std::collections::BTreeMap;

use jounce::file::Car;
use toml::{Table, Value};

use crate::bounds::Bounds;
use crate::numbers::{each, find, number, with};

/// A number of a vehicle file.
#[derive(Clone, Debug, PartialEq)]
pub struct Knob {
    /// Where it stands: keys and indices between dots.
    pub path: String,
    /// Its value.
    pub value: f64,
    /// Its value as the file was opened; `None` if it was not there.
    pub default: Option<f64>,
    /// Whether the file has a whole number here.
    pub whole: bool,
}

/// A file that is tuned.
#[derive(Clone, Debug)]
pub struct Garage {
    /// What its faults are told with.
    pub name: String,
    opened: Table,
    now: Table,
    past: Vec<Table>,
    other: Option<Table>,
    /// Counts the changes of `now`.
    edition: u64,
    /// What the library has told of numbers, and of which edition.
    told: BTreeMap<String, (u64, Bounds)>,
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
            opened: table.clone(),
            now: table,
            past: Vec::new(),
            other: None,
            edition: 0,
            told: BTreeMap::new(),
        })
    }

    /// The file as it is now.
    #[must_use]
    pub fn text(&self) -> String {
        self.now.to_string()
    }

    /// Every number, in the order of the keys.
    #[must_use]
    pub fn knobs(&self) -> Vec<Knob> {
        let mut knobs = Vec::new();
        each(&self.now, &mut |path, value| {
            knobs.extend(number(value).map(|number| Knob {
                path: path.to_owned(),
                value: number,
                default: find(&self.opened, path).and_then(self::number),
                whole: value.is_integer(),
            }));
        });
        knobs.retain(|knob| knob.path != "schema" && !knob.path.contains("wheels."));
        knobs
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

    /// A number by its path.
    #[must_use]
    pub fn value(&self, path: &str) -> Option<f64> {
        find(&self.now, path).and_then(number)
    }

    /// The solver by its name in the file.
    #[must_use]
    pub fn solver(&self) -> &str {
        self.now
            .get("solver")
            .and_then(Value::as_str)
            .unwrap_or("rows")
    }

    /// The law of the first tire.
    #[must_use]
    pub fn tire_law(&self) -> Option<&str> {
        let tires = self.now.get("tires")?.as_table()?;
        tires.values().next()?.get("model")?.as_str()
    }

    /// Sets a number.
    ///
    /// # Errors
    /// With the library's reasons, if it refuses the file; nothing has changed then.
    pub fn set(&mut self, path: &str, value: f64) -> Result<(), String> {
        let next = with(&self.now, path, value).ok_or_else(|| format!("{path}: no such number"))?;
        self.take(next)
    }

    /// Sets the solver.
    ///
    /// # Errors
    /// As [`Garage::set`].
    pub fn set_solver(&mut self, name: &str) -> Result<(), String> {
        let mut next = self.now.clone();
        next.insert("solver".to_owned(), Value::String(name.to_owned()));
        self.take(next)
    }

    /// What wheels probe the ground with: `rays` or `sweeps`.
    #[must_use]
    pub fn contact(&self) -> &str {
        if self.now.contains_key("sweep") {
            "sweeps"
        } else {
            "rays"
        }
    }

    /// Sets what wheels probe the ground with.
    ///
    /// # Errors
    /// As [`Garage::set`].
    pub fn set_contact(&mut self, name: &str) -> Result<(), String> {
        let mut next = self.now.clone();
        match name {
            "rays" => {
                next.remove("sweep");
            }
            "sweeps" => {
                let swept = self.opened.get("sweep").cloned();
                next.insert(
                    "sweep".to_owned(),
                    swept.unwrap_or_else(|| Value::Table(Table::new())),
                );
            }
            _ => return Err(format!("{name}: neither rays nor sweeps")),
        }
        self.take(next)
    }

    /// Sets the law of all tires: `file` as the file was opened, or one of [`TIRES`].
    ///
    /// # Errors
    /// As [`Garage::set`].
    pub fn set_tires(&mut self, law: &str) -> Result<(), String> {
        let mut next = self.now.clone();
        let opened = self.opened.get("tires").and_then(Value::as_table).cloned();
        let mut tires = opened.ok_or("the file has no tires")?;
        if law != "file" {
            let known = TIRES.iter().find(|(name, _)| *name == law);
            let (_, text) = known.ok_or_else(|| format!("{law}: no such tire law"))?;
            let table: Table = text
                .parse()
                .map_err(|error: toml::de::Error| error.to_string())?;
            for (_, tire) in &mut tires {
                *tire = Value::Table(table.clone());
            }
        }
        next.insert("tires".to_owned(), Value::Table(tires));
        self.take(next)
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

/// Solvers by their names in files.
pub const SOLVERS: [&str; 2] = ["rows", "explicit"];

/// What wheels can probe the ground with.
pub const CONTACTS: [&str; 2] = ["rays", "sweeps"];

/// Tire laws to swap in, with usual numbers.
pub const TIRES: [(&str, &str); 3] = [
    (
        "michigan",
        "model = \"michigan\"\nlat_stiff_x = 2.0\nlat_stiff_y = 14.0\nlong_stiff_per_g = 4500.0\ncamber_stiff_per_g = 0.0\n",
    ),
    (
        "linear",
        "model = \"linear\"\nslip_stiffness = 12.0\ncornering_stiffness = 12.0\ncamber_stiffness = 0.0\ntrail = 0.0\n",
    ),
    (
        "magic-formula",
        "model = \"magic-formula\"\npreset = \"suv-255-55-r20\"\n",
    ),
];

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
        assert_eq!(garage.value(SPRING), Some(27_500.0));
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
        assert_eq!(garage.value(SPRING), Some(27_500.0));
        garage.compare();
        assert_eq!(garage.value(SPRING), Some(20_000.0));
        let again = Garage::open("again", &garage.text()).unwrap();
        assert_eq!(again.value(SPRING), Some(20_000.0));
        garage.reset();
        assert_eq!(garage.value(SPRING), Some(27_500.0));
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
    fn solvers_contacts_and_tire_laws_are_swapped() {
        let mut garage = sedan();
        garage.set_solver("explicit").unwrap();
        assert_eq!(garage.solver(), "explicit");
        assert_eq!(garage.contact(), "rays");
        garage.set_contact("sweeps").unwrap();
        assert_eq!(garage.contact(), "sweeps");
        garage.set_contact("rays").unwrap();
        assert!(garage.set_contact("feelers").is_err());
        for (law, _) in TIRES {
            garage.set_tires(law).unwrap();
            assert_eq!(garage.tire_law(), Some(law));
        }
        garage.set_tires("file").unwrap();
        assert_eq!(garage.tire_law(), Some("michigan"));
        assert!(garage.set_solver("magic").is_err());
    }

    #[test]
    fn a_file_with_faults_lists_them_all() {
        let text = jounce::presets::FILES[0]
            .1
            .replace("mass = 1500.0", "mass = -1500.0");
        let told = Garage::open(
            "mine.toml",
            &text.replace("radius = 0.32 ", "radius = 0.0 "),
        )
        .unwrap_err();
        assert!(
            told.contains("chassis.mass") && told.contains("radius"),
            "{told}"
        );
    }
}
