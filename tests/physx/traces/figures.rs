//! State after a single update, column by column of the file.

use std::collections::BTreeMap;

use crate::reference::Comparison;
use glam::Vec3;
use proving_ground::scenario::to_physx;

use super::recorded::Columns;
use super::variants::{ROUNDS, Updated};
use super::{Recorded, single_line};
use crate::rounding::{ROUNDINGS, TIMES, range};

/// The column of the body's velocity, whose parts along the body's axes are judged each by its own spread: the noise of
/// dampers in the vertical one says nothing about the others. Of other columns, the widest spread of a row counts.
const VELOCITY: &str = "v1";

/// Columns by their names.
pub(super) type Own = Vec<(&'static str, Vec<f64>)>;

/// The largest error of a column.
#[derive(Default)]
struct Worst {
    /// Number of compared updates.
    updates: usize,
    /// The error as a share of what rounding explains.
    error: f64,
    frame: usize,
}

/// The largest errors of all updates of a trace.
#[derive(Default)]
pub(super) struct Figures {
    /// Largest errors by column.
    worst: BTreeMap<String, Worst>,
    /// Spins whose true value the file does not show: the blended one is compared.
    blended: usize,
}

/// One of our updates, to be compared.
pub(super) struct Update<'a> {
    pub(super) ours: &'a Updated,
    /// This update from differently rounded inputs.
    pub(super) rounded: &'a [Updated],
    /// Further rounds of these.
    pub(super) more: &'a dyn Fn(u32) -> Result<Vec<Updated>, String>,
    /// The recorded next frame, and the velocities after PhysX's update, where they are known.
    pub(super) after: &'a Recorded,
    pub(super) velocities: Option<[Vec3; 2]>,
    /// Columns that the file does not determine here.
    pub(super) unknown: &'a [&'a str],
    /// Our values of what files of this generation have otherwise than our own.
    pub(super) own: &'a dyn Fn(&Updated) -> Own,
}

impl Update<'_> {
    /// PhysX's values, as far as the file determines them.
    fn theirs(&self) -> Columns {
        let mut theirs = self.after.columns.clone();
        theirs.retain(|key, _| !self.unknown.contains(&key.as_str()));
        for (n, key) in [VELOCITY, "w1"].into_iter().enumerate() {
            match self.velocities {
                Some(velocities) => {
                    let velocity = to_physx(velocities[n]).map(f64::from);
                    theirs.insert(key.to_owned(), velocity.to_vec())
                }
                None => theirs.remove(key),
            };
        }
        theirs
    }

    /// The compared values of one of our vehicles.
    fn ours(&self, updated: &Updated) -> Columns {
        let mut columns = updated.columns();
        let own = (self.own)(updated).into_iter();
        columns.extend(own.map(|(key, values)| (key.to_owned(), values)));
        self.along_body(columns)
    }

    /// Replaces the velocity by its components along the axes of the body.
    fn along_body(&self, mut columns: Columns) -> Columns {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| to_physx(self.after.rotation * axis));
        if let Some(velocity) = columns.get_mut(VELOCITY) {
            let along = |axis: [f32; 3]| {
                let parts = axis.iter().zip(&*velocity);
                parts.map(|(axis, part)| f64::from(*axis) * part).sum()
            };
            *velocity = axes.map(along).to_vec();
        }
        columns
    }

    /// The largest error of each of the file's columns, as a share of what rounding explains.
    fn errors(&self, rounded: &Rounded) -> Result<Vec<(String, f64)>, String> {
        let all = self.ours(self.ours);
        let error = |(column, theirs): (String, Vec<f64>)| {
            let unknown = || format!("unknown schema: column {column}");
            let ours = all.get(&column).ok_or_else(unknown)?;
            if ours.len() != theirs.len() {
                return Err(format!("{column}: {} values", theirs.len()));
            }
            let each = ours.iter().enumerate();
            let spreads = each.map(|(n, ours)| rounded.spread(&column, n, *ours));
            let mut spreads: Vec<f64> = spreads.collect();
            if column != VELOCITY {
                let widest = spreads.iter().copied().fold(0.0, f64::max);
                spreads.fill(widest);
            }
            let error = largest_share(ours, &theirs, &spreads);
            Ok((column, error))
        };
        self.along_body(self.theirs())
            .into_iter()
            .map(error)
            .collect()
    }
}

impl Figures {
    /// Adds an update.
    ///
    /// # Errors
    /// If the file has a column that we do not know, or the update fails.
    pub(super) fn add(&mut self, update: &Update<'_>) -> Result<(), String> {
        let mut rounded = Rounded::default();
        rounded.add(update, update.rounded);
        let mut errors = update.errors(&rounded)?;
        if errors.iter().any(|(_, error)| *error > 1.0) {
            for round in 1..ROUNDS {
                rounded.add(update, &(update.more)(round)?);
            }
            errors = update.errors(&rounded)?;
        }
        for (column, error) in errors {
            let worst = self.worst.entry(column).or_default();
            worst.updates += 1;
            if error > worst.error {
                (worst.error, worst.frame) = (error, update.after.f);
            }
        }
        let vehicle = &update.ours.after;
        let wheels = 0..vehicle.model().wheel_count();
        let reports = wheels.map(|n| vehicle.wheel_report(n));
        self.blended += reports
            .filter(|wheel| wheel.spin != wheel.spin_shown)
            .count();
        Ok(())
    }

    /// One line per column of trace `name`; `note` says what was not compared.
    pub(super) fn lines(&self, name: &str, note: &str) -> Vec<Comparison> {
        let mut lines: Vec<Comparison> = (self.worst.iter())
            .map(|(column, worst)| {
                let note = match worst.error {
                    0.0 => String::new(),
                    _ => format!("of what rounding explains, at frame {}", worst.frame),
                };
                single_line(name, column, (worst.updates, worst.error), 1.0, &note)
            })
            .collect();
        if let Some(first) = lines.first_mut() {
            first.note = format!("{note}; {}", first.note);
        }
        let spins = lines.iter_mut().find(|line| line.name.ends_with("/omega"));
        if let Some(line) = spins.filter(|_| self.blended > 0) {
            line.note += &format!("; {} of wheels as shown, blended", self.blended);
        }
        lines
    }
}

/// Our values from inputs moved by one rounding, and by several.
#[derive(Default)]
struct Rounded {
    near: Vec<Columns>,
    far: Vec<Columns>,
}

impl Rounded {
    /// Adds variants.
    fn add(&mut self, update: &Update<'_>, variants: &[Updated]) {
        for variant in variants {
            let columns = update.ours(variant);
            let list = if variant.is_far {
                &mut self.far
            } else {
                &mut self.near
            };
            list.push(columns);
        }
    }

    /// Range of a value that rounding explains; `ours` is the value by the inputs themselves.
    fn spread(&self, column: &str, n: usize, ours: f64) -> f64 {
        let [near, far] = [&self.near, &self.far].map(|variants| {
            let values = variants.iter().map(|variant| variant[column][n]);
            range(values.chain([ours]))
        });
        far.max(TIMES * near)
    }
}

/// The largest error of a row's column, as a share of what rounding explains, value by value. Where PhysX's is not
/// finite, ours must only be.
fn largest_share(ours: &[f64], theirs: &[f64], spreads: &[f64]) -> f64 {
    let finite = theirs.iter().filter(|x| x.is_finite());
    let scale = finite.fold(0.0, |scale: f64, x| scale.max(x.abs()));
    let share = |((ours, theirs), spread): ((&f64, &f64), &f64)| {
        let off = (ours - theirs).abs();
        match (ours.is_finite(), theirs.is_finite()) {
            (false, _) => f64::INFINITY,
            (true, false) => 0.0,
            (true, true) if off == 0.0 => 0.0,
            (true, true) => off / (spread + ROUNDINGS * scale),
        }
    };
    let pairs = ours.iter().zip(theirs).zip(spreads);
    pairs.map(share).fold(0.0, f64::max)
}
