//! Batches of cars.

mod results;

use std::sync::{Mutex, MutexGuard, TryLockError};

use glam::DVec2;
use jounce_batch::{self as jb, BatchError, Parameter, Setup};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1, PyReadonlyArray2};
use proving_ground::world::Start;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrays::numbers;
use crate::car::Car;
use crate::errors::{of_argument, of_batch};
use crate::ground::Ground;
use crate::options::{Goal, Limits, Randomize, Sight};
use crate::threads;
use crate::track::Track;

pub(crate) use results::{Column, Steps};

/// Cars in worlds of their own, stepped together on several threads, without Python's lock.
///
/// The life of a car depends on the arguments, the seed, its number and its actions alone: the same bits whatever ``count``,
/// ``arena``, ``threads`` and ``first`` are, and whatever becomes of the other cars.
///
/// Parameters
/// ----------
/// cars : Car or sequence of Car
///     Dealt in turn by a car's number; all with as many wheels.
/// count : int
///     Number of cars N.
/// ground : Ground or Track
///     The ground; by default level. On a track, cars begin where it begins.
/// dt : float
///     Duration of a physics step [s].
/// substeps : int
///     Number of physics steps per action.
/// actions : sequence of str
///     Names of the k actions: ``throttle``, ``brake``, ``handbrake``, ``clutch`` (0 … 1), ``pedals`` (−1 brake … 1 throttle), ``steer``
///     (−1 left … 1 right), ``gear`` (whole numbers, −1 reverse), ``direction`` (below 0 reverse).
/// observe : sequence of str
///     Names of the m observed numbers. A name is a path, such as ``body.velocity.x``; one that ends earlier stands for all below it,
///     and ``*`` for any one part: ``wheel.*.slip_ratio``. First parts are ``body``, ``wheel``, ``engine``, ``air``, ``steering``,
///     ``drive``; with a goal ``goal``; with a trailer ``trailer``: ``x``, ``y``, ``angle``, ``rate``; on a track ``track``: ``s``,
///     ``offset``, ``heading``, ``left``, ``right``, ``laps``, ``time``, ``lap_time``, ``best_time``, ``spare_speed``, ``curvature.*``, ``sharpest.*``, ``speed.*`` and ``ray.*``
///     (see :class:`Sight`).
/// rewards : dict of str to float
///     Weights of the r terms of the reward: ``time`` [s], ``forward`` [m], ``sideways`` [m], ``effort`` (sum of the squares of the
///     action's changes), ``failure`` and ``impact`` (1, and the square of the speed, in the step that passes a limit); with a goal,
///     ``approach`` [m] and ``reached``; on a track, ``progress`` [m along the center line], ``off_track`` [m·s beyond an edge] and
///     ``lap``; with a slip angle to hold, ``drift`` (progress times how near the slip angle is: 1 there, 0 straight ahead and at
///     twice of it).
/// hands : bool
///     Whether pedals take 0.15 s, and the steering wheel 0.45 s from the middle to the lock, and the range of steering shrinks with
///     the speed.
/// randomize : Randomize, optional
///     What is drawn for each episode.
/// limits : Limits, optional
///     What ends an episode.
/// goal : Goal, optional
///     A pose to reach.
/// trailer : Car, optional
///     The trailer that each car tows, in line at the start: then cars are all equal, and the goal is the trailer's.
/// sight : Sight, optional
///     Places of the track that a car sees.
/// slip_angle : float, optional
///     The slip angle to hold [rad, as ``body.slip_angle``].
/// arena : int
///     Number of cars that one thread steps at a time.
/// seed : int
///     Seed of all random numbers.
/// first : int
///     Number of the first car.
/// threads : int, optional
///     Number of threads; by default ``JOUNCE_THREADS``, otherwise as many as the process may use.
///
/// Raises
/// ------
/// ArgumentError
///     If an argument breaks its rule.
/// UnknownName
///     If a name is not known; it has the nearest ones.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from jounce import Batch, Car
/// >>> batch = Batch(Car.load("sedan"), 100, observe=["body.velocity.x", "wheel.*.slip_ratio"])
/// >>> actions = np.tile(np.float32([1.0, 0.0]), (100, 1))
/// >>> for _ in range(40):
/// ...     steps = batch.step(actions)
/// >>> steps.observations.shape, bool(steps.observations[0, 0] > 4.0)
/// ((100, 5), True)
/// >>> batch.columns[0].name, batch.columns[0].unit
/// ('body.velocity.x', 'm/s')
#[pyclass(module = "jounce._core", frozen)]
#[derive(Debug)]
pub(crate) struct Batch {
    batch: Mutex<jb::Batch>,
    /// Columns, actions and terms.
    widths: [usize; 3],
    #[pyo3(get)]
    count: usize,
    #[pyo3(get)]
    threads: usize,
}

/// One car, or several.
#[derive(FromPyObject)]
enum Cars<'py> {
    One(PyRef<'py, Car>),
    Several(Vec<PyRef<'py, Car>>),
}

/// A ground, or a track on a level one.
#[derive(FromPyObject)]
enum Surface<'py> {
    Ground(PyRef<'py, Ground>),
    Track(PyRef<'py, Track>),
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (cars, count, *, ground = None, dt = 1.0 / 60.0, substeps = 3,
        actions = vec!["pedals".to_owned(), "steer".to_owned()],
        observe = ["body", "wheel.*", "engine", "air"].map(str::to_owned).to_vec(),
        rewards = None, hands = true, randomize = None, limits = None, goal = None, trailer = None, sight = None,
        slip_angle = None, arena = 64, seed = 0, first = 0,
        threads = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        py: Python<'_>,
        cars: Cars<'_>,
        count: usize,
        ground: Option<Surface<'_>>,
        dt: f32,
        substeps: usize,
        actions: Vec<String>,
        observe: Vec<String>,
        rewards: Option<&Bound<'_, PyDict>>,
        hands: bool,
        randomize: Option<Randomize>,
        limits: Option<Limits>,
        goal: Option<Goal>,
        trailer: Option<PyRef<'_, Car>>,
        sight: Option<Sight>,
        slip_angle: Option<f32>,
        arena: usize,
        seed: u64,
        first: u64,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let ground = match ground {
            Some(Surface::Ground(ground)) => ground.clone(),
            Some(Surface::Track(track)) => Ground::with_track(py, &track)?,
            None => Ground::flat(py)?,
        };
        let setup = Setup {
            cars: match cars {
                Cars::One(car) => vec![car.0.clone()],
                Cars::Several(cars) => cars.iter().map(|car| car.0.clone()).collect(),
            },
            trailer: trailer.map(|car| car.0.clone()),
            count,
            terrain: ground.0.into(),
            dt,
            substeps,
            actions,
            observe,
            rewards: rewards.map_or(Ok(Vec::new()), weights)?,
            hands,
            randomize: randomize.map_or(jb::Randomize::NOTHING, Into::into),
            limits: limits.map_or_else(jb::Limits::default, Into::into),
            goal: goal.map(Into::into),
            sight: sight.map_or_else(jb::Sight::default, Into::into),
            slip_angle,
            arena,
            seed,
            first,
        };
        let threads = threads::count(threads)?;
        let batch = py.detach(|| threads::run(threads, || jb::Batch::new(&setup)))?;
        let batch = batch.map_err(|error| of_batch(py, &error))?;
        Ok(Self {
            widths: [
                batch.columns().len(),
                batch.actions().len(),
                batch.terms().len(),
            ],
            count,
            threads,
            batch: Mutex::new(batch),
        })
    }

    /// The m observed numbers, in the order of a row.
    #[getter]
    fn columns(&self) -> PyResult<Vec<Column>> {
        Ok(self.lock()?.columns().iter().map(Column::of).collect())
    }

    /// The k actions with their ranges, in the order of a row.
    #[getter]
    fn actions(&self) -> PyResult<Vec<Column>> {
        Ok(self
            .lock()?
            .actions()
            .iter()
            .map(Column::of_action)
            .collect())
    }

    /// Names of the r terms of the reward.
    #[getter]
    fn terms(&self) -> PyResult<Vec<&'static str>> {
        Ok(self.lock()?.terms())
    }

    /// Duration of an action [s].
    #[getter]
    fn duration(&self) -> PyResult<f32> {
        Ok(self.lock()?.duration())
    }

    /// Begin the next episode of some cars, or of all.
    ///
    /// Parameters
    /// ----------
    /// mask : array_like of bool, shape (N,), optional
    ///     Which cars.
    /// seed : int, optional
    ///     A new seed, under which the episode is the first.
    /// at : array_like of float, shape (N, 3), optional
    ///     Starts: position x, y [m, world] and heading [rad, 0 along x, to the left].
    ///
    /// Returns
    /// -------
    /// ndarray of float32, shape (N, m)
    ///     Observations of all cars. What a step computes, such as tire forces, is 0 before the first one.
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If an array has another shape or a start is out of range. No car is moved then.
    /// JounceError
    ///     If a start has no ground. No car is moved then.
    #[pyo3(signature = (mask = None, *, seed = None, at = None))]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        mask: Option<&Bound<'py, PyAny>>,
        seed: Option<u64>,
        at: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let mask = self.mask(mask)?;
        let mask = mask.as_ref().map(|mask| mask.as_slice()).transpose()?;
        let starts = at.map(|at| self.starts(at)).transpose()?;
        self.run(py, |batch| batch.reset(mask, seed, starts.as_deref()))?;
        self.observe(py)
    }

    /// Observe all cars.
    ///
    /// Returns
    /// -------
    /// ndarray of float32, shape (N, m)
    ///     A new array.
    fn observe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let rows = PyArray2::zeros(py, [self.count, self.widths[0]], false);
        {
            let mut rows = rows.readwrite();
            let rows = rows.as_slice_mut()?;
            self.run(py, |batch| batch.observe(rows))?;
        }
        Ok(rows)
    }

    /// Step every car by one action.
    ///
    /// Parameters
    /// ----------
    /// actions : array_like of float, shape (N, k)
    ///     Actions, clamped to their ranges. An array of float32 in C order is read without a copy.
    /// out : Steps, optional
    ///     Results of an earlier step, to be overwritten. By default, new arrays are made: learners keep them for longer than a step.
    ///
    /// Returns
    /// -------
    /// Steps
    ///     What came of it. Cars whose episode has ended go on until they are reset.
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If the shape is another, or a number is not finite. No car is moved then.
    ///
    /// Examples
    /// --------
    /// >>> from jounce import ArgumentError, Batch, Car
    /// >>> batch = Batch(Car.load("sedan"), 4)
    /// >>> try:
    /// ...     batch.step([[0, 0], [0, 0], [0, 0], [0, float("nan")]])
    /// ... except ArgumentError as error:
    /// ...     print(error)
    /// actions[3, 1] = NaN: must be finite
    #[pyo3(signature = (actions, *, out = None))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
        out: Option<Bound<'py, Steps>>,
    ) -> PyResult<Bound<'py, Steps>> {
        let [columns, width, terms] = self.widths;
        let actions: PyReadonlyArray2<'_, f32> = numbers(actions, "actions", &[self.count, width])?;
        let actions = actions.as_slice()?;
        let out = match out {
            Some(out) => out,
            None => Bound::new(py, Steps::new(py, self.count, columns, terms))?,
        };
        out.get().write(py, [self.count, columns, terms], |rows| {
            self.run(py, |batch| batch.step_into(actions, rows))
        })?;
        Ok(out)
    }

    /// Read observations by name, beside those of the constructor.
    ///
    /// Parameters
    /// ----------
    /// names : sequence of str
    ///     As those of ``observe``.
    ///
    /// Returns
    /// -------
    /// ndarray of float32, shape (N, number of names' columns)
    fn get<'py>(&self, py: Python<'py>, names: Vec<String>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (columns, values) = self.run(py, |batch| batch.get(&names))?;
        PyArray1::from_vec(py, values).reshape([self.count, columns.len()])
    }

    /// Return the actions of a racing driver for every car.
    ///
    /// The driver follows the line of least curvature, at speeds that the car's grip, brakes and power allow on a dry road.
    ///
    /// Returns
    /// -------
    /// ndarray of float32, shape (N, k)
    ///     Actions for :meth:`step`; gears are the automatic's.
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If the ground has no track, or a car cannot race on it.
    ///
    /// Examples
    /// --------
    /// >>> from jounce import Batch, Car, Track
    /// >>> batch = Batch(Car.load("sedan"), 2, ground=Track.load("oval"), rewards={"progress": 1.0})
    /// >>> progress = sum(batch.step(batch.race()).rewards[0] for _ in range(100))
    /// >>> bool(progress > 40.0)
    /// True
    fn race<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let shape = [self.count, self.widths[1]];
        let mut actions = vec![0.0; shape[0] * shape[1]];
        self.run(py, |batch| batch.race(&mut actions))?;
        PyArray1::from_vec(py, actions).reshape(shape)
    }

    /// Read a parameter of every car.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     ``grip`` (–), ``payload`` [kg], ``wind.x`` or ``wind.y`` [m/s, world].
    ///
    /// Returns
    /// -------
    /// ndarray of float32, shape (N,)
    fn parameter<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let values = self.run(py, |batch| Ok(batch.parameter(Parameter::named(name)?)))?;
        Ok(PyArray1::from_vec(py, values))
    }

    /// Set a parameter of some cars, or of all, until their episodes end.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     As that of :meth:`parameter`.
    /// values : array_like of float, shape (N,)
    ///     Values.
    /// mask : array_like of bool, shape (N,), optional
    ///     Which cars.
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If a value is out of range. Nothing is changed then.
    #[pyo3(signature = (name, values, mask = None))]
    fn set(
        &self,
        py: Python<'_>,
        name: &str,
        values: &Bound<'_, PyAny>,
        mask: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mask = self.mask(mask)?;
        let mask = mask.as_ref().map(|mask| mask.as_slice()).transpose()?;
        let values: PyReadonlyArray1<'_, f32> = numbers(values, name, &[self.count])?;
        let values = values.as_slice()?;
        self.run(py, |batch| batch.set(Parameter::named(name)?, values, mask))
    }

    /// Save some cars, or all.
    ///
    /// Parameters
    /// ----------
    /// mask : array_like of bool, shape (N,), optional
    ///     Which cars.
    ///
    /// Returns
    /// -------
    /// bytes
    ///     From which :meth:`restore` goes on with the same bits.
    #[pyo3(signature = (mask = None))]
    fn snapshot<'py>(
        &self,
        py: Python<'py>,
        mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mask = self.mask(mask)?;
        let mask = mask.as_ref().map(|mask| mask.as_slice()).transpose()?;
        let bytes = self.run(py, |batch| batch.snapshot(mask))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Put the cars of a snapshot back.
    ///
    /// Parameters
    /// ----------
    /// snapshot : bytes
    ///     Of a batch with the same arguments.
    /// mask : array_like of bool, shape (N,), optional
    ///     Which of them.
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If the bytes are no such snapshot, or lack a car. Nothing is changed then.
    #[pyo3(signature = (snapshot, mask = None))]
    fn restore(
        &self,
        py: Python<'_>,
        snapshot: &[u8],
        mask: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mask = self.mask(mask)?;
        let mask = mask.as_ref().map(|mask| mask.as_slice()).transpose()?;
        self.run(py, |batch| batch.restore(snapshot, mask))
    }

    /// Cars whose last step was refused, with the reasons.
    ///
    /// Returns
    /// -------
    /// list of tuple of (int, str)
    fn refusals(&self) -> PyResult<Vec<(usize, String)>> {
        Ok(self.lock()?.refusals())
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        let [columns, actions, _] = self.widths;
        format!(
            "<Batch of {} cars, {columns} columns, {actions} actions>",
            self.count
        )
    }
}

impl Batch {
    fn lock(&self) -> PyResult<MutexGuard<'_, jb::Batch>> {
        self.batch.try_lock().map_err(|error| {
            PyRuntimeError::new_err(match error {
                TryLockError::WouldBlock => "another thread is using this batch",
                TryLockError::Poisoned(_) => "a call of this batch has failed; make a new one",
            })
        })
    }

    /// Runs `work` on the batch's threads, without Python's lock.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut jb::Batch) -> Result<T, BatchError> + Send,
    ) -> PyResult<T> {
        let mut batch = self.lock()?;
        let (batch, threads) = (&mut *batch, self.threads);
        let fits_one = batch.arena_count() == 1;
        let done = py.detach(|| match fits_one {
            true => Ok(work(batch)),
            false => threads::run(threads, || work(batch)),
        });
        done?.map_err(|error| of_batch(py, &error))
    }

    fn mask<'py>(
        &self,
        mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<PyReadonlyArray1<'py, bool>>> {
        let Some(mask) = mask else {
            return Ok(None);
        };
        let array = mask
            .py()
            .import("numpy")?
            .call_method1("asarray", (mask,))?;
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        if kind != "b" {
            let found = array.getattr("dtype")?.to_string();
            return Err(of_argument(mask.py(), "mask", "of bool", found, ""));
        }
        numbers(&array, "mask", &[self.count]).map(Some)
    }

    fn starts(&self, at: &Bound<'_, PyAny>) -> PyResult<Vec<Start>> {
        let at: PyReadonlyArray2<'_, f64> = numbers(at, "at", &[self.count, 3])?;
        let start = |row: &[f64]| Start {
            position: DVec2::new(row[0], row[1]),
            heading: row[2] as f32,
        };
        Ok(at.as_slice()?.chunks_exact(3).map(start).collect())
    }
}

/// Names and weights in the order of the dict.
fn weights(rewards: &Bound<'_, PyDict>) -> PyResult<Vec<(String, f32)>> {
    rewards
        .iter()
        .map(|(name, weight)| Ok((name.extract()?, weight.extract()?)))
        .collect()
}
