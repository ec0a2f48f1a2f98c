//! The batch: arenas, stepped at the same time.

mod parameter;

use core::fmt;

use glam::Vec3;
use proving_ground::world::Start;

use crate::act::Action;
use crate::arena::Arena;
use crate::error::{BatchError, check_finite, check_length};
use crate::observe::{Column, Plan};
use crate::parallel::each;
use crate::rows::{Rows, Steps};
use crate::setup::{Design, HEADING, PLACE, Setup};
use crate::snapshot;

pub use parameter::Parameter;

/// Cars in worlds of their own, stepped together.
///
/// The life of a car depends on the setup, the seed, its number and its actions alone: not on how many cars there are, how they
/// share worlds and threads, or on the episodes of others. With feature `rayon`, arenas are stepped on all threads of the current
/// pool.
pub struct Batch {
    design: Design,
    arenas: Vec<Arena>,
    /// Number of cars per arena, but for the last.
    per_arena: usize,
    count: usize,
}

impl fmt::Debug for Batch {
    /// The number of cars: all of their data would be pages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut batch = f.debug_struct("Batch");
        batch.field("count", &self.count).finish_non_exhaustive()
    }
}

impl Batch {
    /// A batch whose cars are in their first episodes.
    ///
    /// # Errors
    /// With the first argument that breaks its rule, or if a start has no ground.
    pub fn new(setup: &Setup) -> Result<Self, BatchError> {
        let design = Design::new(setup)?;
        let (count, per_arena) = (setup.count, setup.arena.min(setup.count));
        let range = |from: usize| {
            let number = |n: usize| setup.first.wrapping_add(n as u64);
            number(from)..number((from + per_arena).min(count))
        };
        let starts = (0..count).step_by(per_arena);
        let arenas = starts.map(|from| Arena::new(&design, range(from)));
        Ok(Self {
            arenas: arenas.collect::<Result<_, _>>()?,
            design,
            per_arena,
            count,
        })
    }

    /// Number of cars.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of arenas: a batch of one is stepped on the caller's thread.
    #[must_use]
    pub fn arena_count(&self) -> usize {
        self.arenas.len()
    }

    /// The observed numbers, in the order of a row.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        self.design.plan.columns()
    }

    /// The actions, in the order of a row.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        &self.design.actions
    }

    /// Names of the terms of the reward, in the order of a row.
    #[must_use]
    pub fn terms(&self) -> Vec<&'static str> {
        self.design.rewards.names().collect()
    }

    /// Duration of an action (`s`).
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.design.duration()
    }

    /// Begins the next episode of the cars in `mask`, or of all, each where the setup says or at `starts`. With a `seed`, it is their
    /// first episode under that seed. Cars begin in first gear, on the ground.
    ///
    /// # Errors
    /// If a list has not one element per car, a start is not finite or has no ground; nothing is changed then.
    pub fn reset(
        &mut self,
        mask: Option<&[bool]>,
        seed: Option<u64>,
        starts: Option<&[Start]>,
    ) -> Result<(), BatchError> {
        self.check_mask(mask)?;
        if let Some(starts) = starts {
            check_length("at", starts.len(), self.count)?;
            starts.iter().enumerate().try_for_each(check_start)?;
        }
        let (design, per_arena) = (&self.design, self.per_arena);
        let is_masked = |n: usize| mask.is_none_or(|mask| mask[n]);
        let mut results: Vec<Result<(), BatchError>> = Vec::new();
        results.resize_with(self.arenas.len(), || Ok(()));
        let jobs = self.arenas.iter_mut().zip(&mut results).enumerate();
        each(jobs.collect(), |(a, (arena, result))| {
            let from = a * per_arena;
            let start = |n: usize| Some(starts?[from + n]);
            *result = arena.prepare(design, seed, |n| is_masked(from + n), start);
        });
        if let Some(error) = results.into_iter().find_map(Result::err) {
            return Err(error);
        }
        each(self.arenas.iter_mut().collect(), |arena| {
            arena.begin(design);
        });
        Ok(())
    }

    /// Writes the observation of every car into rows of [`columns`](Self::columns). Before the first step of an episode, what an
    /// update computes, such as tire forces, is 0.
    ///
    /// # Errors
    /// If there is not one row per car.
    pub fn observe(&self, rows: &mut [f32]) -> Result<(), BatchError> {
        let width = self.columns().len();
        check_length("out", rows.len(), self.count * width)?;
        if width > 0 {
            let jobs = self
                .arenas
                .iter()
                .zip(rows.chunks_mut(self.per_arena * width));
            each(jobs.collect(), |(arena, rows)| {
                arena.observe(&self.design, rows);
            });
        }
        Ok(())
    }

    /// Steps every car by one action: a row of [`actions`](Self::actions) per car, clamped to their ranges. Cars whose episode has
    /// ended go on until they are [reset](Self::reset).
    ///
    /// # Errors
    /// If there is not one row per car, or a number is not finite; nothing is changed then.
    pub fn step(&mut self, actions: &[f32], out: &mut Steps) -> Result<(), BatchError> {
        let (columns, terms) = (self.columns().len(), self.design.rewards.len());
        out.resize(self.count, columns, terms);
        self.step_into(actions, out.rows())
    }

    /// [`Batch::step`] that writes into memory of the caller.
    ///
    /// # Errors
    /// As [`Batch::step`], or if a list of `out` has another length.
    pub fn step_into(&mut self, actions: &[f32], mut out: Rows<'_>) -> Result<(), BatchError> {
        let width = self.design.actions.len();
        let (columns, terms) = (self.columns().len(), self.design.rewards.len());
        check_length("actions", actions.len(), self.count * width)?;
        check_finite("actions", actions, width)?;
        out.check(self.count, columns, terms)?;
        let (design, size) = (&self.design, self.per_arena);
        let mut jobs = Vec::with_capacity(self.arenas.len());
        for (arena, actions) in self.arenas.iter_mut().zip(actions.chunks(size * width)) {
            jobs.push((arena, actions, out.take(size, columns, terms)));
        }
        each(jobs, |(arena, actions, rows)| {
            arena.step(design, actions, rows);
        });
        Ok(())
    }

    /// Cars whose last action was refused, with the reasons.
    #[must_use]
    pub fn refusals(&self) -> Vec<(usize, String)> {
        let errors = self.arenas.iter().flat_map(Arena::errors).enumerate();
        let refused = errors.filter_map(|(n, error)| Some((n, error.as_ref()?.to_string())));
        refused.collect()
    }

    /// Observations by name, a row per car, beside those of the setup.
    ///
    /// # Errors
    /// If a name is not known.
    pub fn get(&self, names: &[String]) -> Result<(Vec<Column>, Vec<f32>), BatchError> {
        let plan = Plan::new(names, self.design.subject())?;
        let width = plan.columns().len();
        let mut rows = vec![0.0; self.count * width];
        let mut left = rows.chunks_mut(width);
        for arena in &self.arenas {
            for (n, row) in (0..arena.count()).zip(&mut left) {
                arena.write(&self.design, &plan, n, row);
            }
        }
        Ok((plan.columns().to_vec(), rows))
    }

    /// Writes the actions of a racing driver for every car into rows of [`actions`](Self::actions): one who follows the line of least
    /// curvature, reckons with full grip, and leaves the gears to the automatic.
    ///
    /// # Errors
    /// If the ground has no track, a car cannot race on it, or there is not one row per car.
    pub fn race(&self, actions: &mut [f32]) -> Result<(), BatchError> {
        let width = self.design.actions.len();
        check_length("actions", actions.len(), self.count * width)?;
        let Some(course) = &self.design.course else {
            return Err(BatchError::argument("ground", "a track", "none", ""));
        };
        let mut rows = actions.chunks_mut(width);
        for arena in &self.arenas {
            for (n, row) in (0..arena.count()).zip(&mut rows) {
                arena.race(&self.design, course, n, row)?;
            }
        }
        Ok(())
    }

    /// Bytes from which the cars in `mask`, or all, go on with the same bits.
    ///
    /// # Errors
    /// If the mask has not one element per car.
    pub fn snapshot(&self, mask: Option<&[bool]>) -> Result<Vec<u8>, BatchError> {
        self.check_mask(mask)?;
        let mut records = Vec::new();
        for (a, arena) in self.arenas.iter().enumerate() {
            for n in 0..arena.count() {
                let index = a * self.per_arena + n;
                if mask.is_none_or(|mask| mask[index]) {
                    records.push(arena.record(&self.design, n, index));
                }
            }
        }
        Ok(snapshot::written(records))
    }

    /// Puts the cars of a snapshot back, or those of them in `mask`. What an update computes is observed again after the next step.
    ///
    /// # Errors
    /// If the snapshot is of another batch, or lacks a car of the mask; nothing is changed then.
    pub fn restore(&mut self, bytes: &[u8], mask: Option<&[bool]>) -> Result<(), BatchError> {
        self.check_mask(mask)?;
        let mut records = snapshot::read(bytes)?;
        let mut missing = mask.map(<[bool]>::to_vec).unwrap_or_default();
        for record in &records {
            if record.index >= self.count {
                let expected = format!("of cars below {}", self.count);
                return Err(BatchError::argument("snapshot", expected, record.index, ""));
            }
            record.check(&self.design)?;
            if let Some(missing) = missing.get_mut(record.index) {
                *missing = false;
            }
        }
        if let Some(index) = missing.iter().position(|&it| it) {
            let found = format!("a mask with car {index}");
            return Err(BatchError::argument(
                "mask",
                "of cars in the snapshot",
                found,
                "",
            ));
        }
        records.retain(|record| mask.is_none_or(|mask| mask[record.index]));
        for record in records {
            let (a, n) = (record.index / self.per_arena, record.index % self.per_arena);
            self.arenas[a].put_back(&self.design, n, record);
        }
        Ok(())
    }

    /// Sets a parameter of the cars in `mask`, or of all, until their episodes end: one value per car.
    ///
    /// # Errors
    /// If a list has not one element per car, or a value is out of range; nothing is changed then.
    pub fn set(
        &mut self,
        parameter: Parameter,
        values: &[f32],
        mask: Option<&[bool]>,
    ) -> Result<(), BatchError> {
        self.check_mask(mask)?;
        check_length(parameter.name(), values.len(), self.count)?;
        parameter.check(values)?;
        for (index, &value) in values.iter().enumerate() {
            if mask.is_some_and(|mask| !mask[index]) {
                continue;
            }
            let (a, n) = (index / self.per_arena, index % self.per_arena);
            let (arena, design) = (&mut self.arenas[a], &self.design);
            let wind = arena.episodes()[n].wind;
            match parameter {
                Parameter::Grip => arena.set_grip(n, value),
                Parameter::Payload => arena.set_payload(design, n, value),
                Parameter::WindX => arena.set_wind(n, Vec3 { x: value, ..wind }),
                Parameter::WindY => arena.set_wind(n, Vec3 { y: value, ..wind }),
            }
        }
        Ok(())
    }

    /// A parameter of every car.
    #[must_use]
    pub fn parameter(&self, parameter: Parameter) -> Vec<f32> {
        let episodes = self.arenas.iter().flat_map(Arena::episodes);
        let value = |episode| parameter.of(episode);
        episodes.map(value).collect()
    }

    fn check_mask(&self, mask: Option<&[bool]>) -> Result<(), BatchError> {
        mask.map_or(Ok(()), |mask| check_length("mask", mask.len(), self.count))
    }
}

/// A start must be within the range of drawn ones.
fn check_start((n, start): (usize, &Start)) -> Result<(), BatchError> {
    let [x, y] = start.position.to_array();
    for (key, value, range, unit) in [
        ("x", x, PLACE, "m"),
        ("y", y, PLACE, "m"),
        ("heading", f64::from(start.heading), HEADING, "rad"),
    ] {
        if !range.contains(&value) {
            let expected = format!("within {}..={}", range.start(), range.end());
            let place = format!("at[{n}].{key}");
            return Err(BatchError::argument(place, expected, value, unit));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
