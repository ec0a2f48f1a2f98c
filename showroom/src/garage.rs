//! A vehicle file being tuned: every number by its path, undo, two sets to compare. The library judges every change.

use std::collections::BTreeMap;

use jounce::file::{Car, find_value};
use toml::Table;

use crate::bounds::Bounds;
use crate::levers::LeverSet;
use crate::numbers::{each, number, put, with};
use crate::parts::Part;
use crate::saved::written;
use crate::sliders::Slider;
use crate::spares::{self, Spare};

/// A number of a vehicle file.
#[derive(Clone, Debug, PartialEq)]
pub struct Knob {
    /// Path of the number in the file: keys and indices between dots.
    pub path: String,
    /// Present value.
    pub value: f64,
    /// Value as the file was opened, or as the number was added; `None` if it came with a text.
    pub default: Option<f64>,
    /// Whether the file has a whole number at this path.
    pub whole: bool,
}

/// A file that is tuned.
#[derive(Clone, Debug)]
pub struct Garage {
    /// Name under which faults of the file are reported.
    pub name: String,
    /// The text whose layout and comments are kept.
    source: String,
    opened: Table,
    /// The file as it was opened, with the numbers that were added since.
    default: Table,
    now: Table,
    past: Vec<Table>,
    other: Option<Table>,
    /// Counts the changes of `now`.
    edition: u64,
    /// Units and ranges that the library has reported, each with the edition that it holds for.
    told: BTreeMap<String, (u64, Bounds)>,
    /// Numbers that may be added, with the edition that they hold for.
    spares: Option<(u64, Vec<Spare>)>,
    /// The slider that made the last change: its next change goes on with that one.
    slid: Option<(u64, Slider)>,
}

/// Number of changes that can be undone.
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
            slid: None,
        })
    }

    /// Whether the file was opened as this text.
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
                default: find_value(&self.default, path).and_then(self::number),
                whole: value.is_integer(),
            }));
        });
        let left_out = |path: &str| {
            path == "schema" || path.starts_with("target.") || path.contains("wheels.")
        };
        knobs.retain(|knob| !left_out(&knob.path));
        knobs
    }

    /// Numbers that are not as the file was opened, by their paths.
    #[must_use]
    pub fn changed_numbers(&self) -> BTreeMap<String, f64> {
        let opened = |knob: &Knob| find_value(&self.opened, &knob.path).and_then(number);
        let knobs = self.knobs().into_iter();
        let changed = knobs.filter(|knob| opened(knob) != Some(knob.value));
        changed.map(|knob| (knob.path, knob.value)).collect()
    }

    /// Unit and range of a number, as last asked.
    #[must_use]
    pub fn bounds(&self, path: &str) -> Option<&Bounds> {
        self.told.get(path).map(|(_, bounds)| bounds)
    }

    /// Whether unit and range of the number at `path` are unknown since the last change.
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

    /// Entries that the file leaves out and may have; `None` if they have not been looked for since the last change.
    #[must_use]
    pub fn spares(&self) -> Option<&[Spare]> {
        let known = self.spares.as_ref();
        known.and_then(|(edition, spares)| (*edition == self.edition).then_some(&**spares))
    }

    /// Looks for the entries that the file leaves out; takes some hundred readings of it.
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
        find_value(&self.now, path).and_then(number)
    }

    /// Whether the file has anything at this path.
    fn has(&self, path: &str) -> bool {
        find_value(&self.now, path).is_some()
    }

    /// Number of entries of a list; 0 without one.
    fn count(&self, path: &str) -> usize {
        let list = find_value(&self.now, path).and_then(toml::Value::as_array);
        list.map_or(0, Vec::len)
    }

    /// Levers of the vehicle.
    #[must_use]
    pub fn levers(&self) -> LeverSet {
        let switch = |path: &str| if self.has(path) { 2 } else { 1 };
        let retarder = match self.value("drivetrain.retarder.steps") {
            Some(steps) => steps as u8 + 1,
            None => switch("drivetrain.retarder"),
        };
        LeverSet::new([
            switch("drivetrain.clutch.pedal"),
            self.count("drivetrain.gearbox.ranges").max(1) as u8,
            retarder,
            switch("drivetrain.power_take_off"),
        ])
    }

    /// Name of the part that the file selects; empty if it has none.
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

    /// Present factor of a slider; `None` if the file has no numbers of it.
    #[must_use]
    pub fn slider(&self, slider: Slider) -> Option<f64> {
        slider.factor(&self.now, &self.opened)
    }

    /// Sets a slider. Moves of one slider without another change between them are undone together.
    ///
    /// # Errors
    /// As [`Garage::set`].
    pub fn slide(&mut self, slider: Slider, factor: f64) -> Result<(), String> {
        let next = slider.set(&self.now, &self.opened, factor);
        let before = self.edition;
        self.take(next)?;
        if self.edition == before {
            return Ok(());
        }
        if self.slid == Some((before, slider)) {
            self.past.pop();
        }
        self.slid = Some((self.edition, slider));
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

    /// Takes the last change back; returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let before = self.past.pop();
        before.map(|before| self.put(before)).is_some()
    }

    /// Whether the file has a change to undo.
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
mod tests;
