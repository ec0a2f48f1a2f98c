//! A mass that slides down a slope on a single LuGre bristle, compared with an integration by a
//! Radau method.
//!
//! In double precision: the law's equations, integrated by the Runge–Kutta method. In single
//! precision: the rows of a vehicle at the end of a substep of 25 µs, of first order.

use std::collections::BTreeMap;
use std::path::Path;

use crate::reference::{self, Comparison};
use jounce::core::stateful_tire::{StatefulTire, TireStep};
use jounce::core::{Checked, TireInput};
use jounce::tires::lugre::{LuGre, LuGreParams, Sliding};

use crate::table::{Row, Table};

/// Prefix of its file names.
pub(crate) const PREFIX: &str = "lugre_slope_stop";
/// Maximum errors, relative to a column's maximum value in a case.
const DOUBLE_BOUND: f64 = 1e-7;
const SINGLE_BOUND: f64 = 2e-3;
/// Maximum step of each integration (`s`).
const DOUBLE_STEP: f64 = 1e-5;
const SINGLE_STEP: f64 = 2.5e-5;
/// Magnitude of gravity in the tables (`m/s²`).
const GRAVITY: f64 = 9.806_65;

const INPUTS: [&str; 11] = [
    "case",
    "mass",
    "slope_rad",
    "mu_s",
    "mu_c",
    "v_stribeck",
    "sigma0",
    "sigma1",
    "sigma2",
    "v0",
    "t",
];
const OUTPUTS: [&str; 4] = ["x", "v", "z", "F"];

/// The mass of a case on its slope.
struct Slope {
    mass: f64,
    /// Acceleration downhill without friction (`m/s²`).
    pull: f64,
    load: f64,
    law: LuGreParams<f64>,
}

/// Distance and speed downhill, and deflection of the bristle with the table's sign.
type Motion = [f64; 3];

impl Slope {
    fn new(row: &Row<'_>) -> Result<Self, String> {
        let (mass, slope) = (row.given("mass")?, row.given("slope_rad")?);
        let load = mass * GRAVITY * slope.cos();
        Ok(Self {
            mass,
            pull: GRAVITY * slope.sin(),
            load,
            law: LuGreParams {
                stiffness: [row.given("sigma0")? / load; 2],
                damping: [row.given("sigma1")? / load; 2],
                viscous_friction: row.given("sigma2")? / load,
                static_friction: row.given("mu_s")?,
                kinetic_friction: row.given("mu_c")?,
                stribeck_speed: row.given("v_stribeck")?,
                patch_length: 1.0,
                elastic: 0.0,
            },
        })
    }

    /// Rates of a motion, and the force.
    fn rates(&self, [_, v, z]: Motion) -> (Motion, f64) {
        let at = Sliding {
            slip_speeds: [-v, 0.0],
            rim_speed: 0.0,
            friction: 1.0,
        };
        let rates = self.law.rates([-z, 0.0], &at);
        let forces = self.law.forces_per_load([-z, 0.0], rates, at.slip_speeds);
        let force = self.load * forces[0];
        ([v, self.pull + force / self.mass, -rates[0]], force)
    }

    /// One step of the Runge–Kutta method.
    fn step(&self, motion: Motion, h: f64) -> Motion {
        let plus = |by: &Motion, h: f64| core::array::from_fn(|n| motion[n] + h * by[n]);
        let (a, _) = self.rates(motion);
        let (b, _) = self.rates(plus(&a, 0.5 * h));
        let (c, _) = self.rates(plus(&b, 0.5 * h));
        let (d, _) = self.rates(plus(&c, h));
        core::array::from_fn(|n| motion[n] + h / 6.0 * (a[n] + 2.0 * (b[n] + c[n]) + d[n]))
    }
}

/// Follows one case from row to row.
trait Follow: Sized {
    fn begin(row: &Row<'_>) -> Result<Self, String>;
    /// Continues for this time (`s`).
    fn go_on(&mut self, time: f64);
    /// The columns of the table: x, v, z, F.
    fn outputs(&self) -> [f64; 4];
}

/// The case in double precision.
struct Exact {
    slope: Slope,
    motion: Motion,
}

impl Follow for Exact {
    fn begin(row: &Row<'_>) -> Result<Self, String> {
        let slope = Slope::new(row)?;
        let motion = [0.0, row.given("v0")?, 0.0];
        Ok(Self { slope, motion })
    }

    fn go_on(&mut self, time: f64) {
        let (count, h) = steps(time, DOUBLE_STEP);
        for _ in 0..count {
            self.motion = self.slope.step(self.motion, h);
        }
    }

    fn outputs(&self) -> [f64; 4] {
        let ([x, v, z], (_, force)) = (self.motion, self.slope.rates(self.motion));
        [x, v, z, force]
    }
}

/// The rows of a tire as a vehicle uses them.
struct Rows {
    slope: Slope,
    tire: LuGre,
    state: jounce::core::TireState,
    way: f64,
    speed: f32,
    force: f32,
}

impl Rows {
    fn input(&self) -> TireInput {
        TireInput {
            forward_speed: self.speed,
            load: self.slope.load as f32,
            friction: 1.0,
            ..TireInput::default()
        }
    }
}

impl Follow for Rows {
    fn begin(row: &Row<'_>) -> Result<Self, String> {
        let slope = Slope::new(row)?;
        let params = Checked::new(slope.law.map(|&x| x as f32)).map_err(|e| e.to_string())?;
        let tire = LuGre::new(params);
        let (_, force) = slope.rates([0.0, row.given("v0")?, 0.0]);
        Ok(Self {
            state: tire.fresh(),
            tire,
            slope,
            way: 0.0,
            speed: row.given("v0")? as f32,
            force: force as f32,
        })
    }

    fn go_on(&mut self, time: f64) {
        let (count, h) = steps(time, SINGLE_STEP);
        let h = h as f32;
        for _ in 0..count {
            let rows = self.tire.rows(&self.state, &self.input(), h);
            let [row, _] = rows.expect("it has rows of its own");
            let (pull, mass) = (self.slope.pull as f32, self.slope.mass as f32);
            let pushed = self.speed + h * (pull + row.force / mass);
            self.speed = pushed / (1.0 + h * row.gain / mass);
            self.force = row.force - row.gain * self.speed;
            self.way += f64::from(h * self.speed);
            let step = TireStep {
                input: self.input(),
                forces: [self.force, 0.0],
                duration: h,
            };
            self.tire.advance(&mut self.state, &step);
        }
    }

    fn outputs(&self) -> [f64; 4] {
        let [z, _] = self.state.lengths;
        [self.way, self.speed.into(), (-z).into(), self.force.into()]
    }
}

/// Number of equal steps in a time (`s`), none longer than `longest`, and their length.
fn steps(time: f64, longest: f64) -> (u32, f64) {
    let count = (time / longest - 1e-9).ceil().max(0.0);
    (count as u32, time / count.max(1.0))
}

/// Compares every cell of a table.
pub(crate) fn compare(path: &Path) -> Result<Vec<Comparison>, String> {
    let name = reference::stem(path);
    let at = |what: String| format!("{name}: {what}");
    let table = Table::read(path)?;
    let mut columns: Vec<&str> = table.columns.iter().map(String::as_str).collect();
    let mut known = INPUTS.into_iter().chain(OUTPUTS).collect::<Vec<_>>();
    columns.sort_unstable();
    known.sort_unstable();
    if columns != known {
        return Err(at(format!("columns {columns:?} instead of {known:?}")));
    }
    let double = follow::<Exact>(&table).map_err(at)?;
    let single = follow::<Rows>(&table).map_err(at)?;
    let line = |precision, (max_error, note), bound| Comparison {
        name: format!("{name} {precision}"),
        rows: table.rows().count(),
        max_error,
        bound,
        note,
    };
    Ok(vec![
        line("f64", double, DOUBLE_BOUND),
        line("f32", single, SINGLE_BOUND),
    ])
}

/// The maximum error relative to its column's maximum value in its case, and a note.
fn follow<F: Follow>(table: &Table) -> Result<(f64, String), String> {
    // By case: errors and maximum values of the columns.
    let mut found_of: BTreeMap<String, [[f64; 4]; 2]> = BTreeMap::new();
    let mut now: Option<(String, f64, F)> = None;
    for row in table.rows() {
        let (case, time) = (row.text("case")?.to_owned(), row.given("t")?);
        let follower = match now.take() {
            Some((before, t, mut follower)) if before == case => {
                follower.go_on(time - t);
                follower
            }
            _ => F::begin(&row)?,
        };
        let found = follower.outputs();
        let none = [[0.0; 4], [f64::MIN_POSITIVE; 4]];
        let [errors, scales] = found_of.entry(case.clone()).or_insert(none);
        for (n, column) in OUTPUTS.iter().enumerate() {
            let expected = row.given(column)?;
            scales[n] = scales[n].max(expected.abs());
            let error = (found[n] - expected).abs();
            errors[n] = errors[n].max(if error.is_nan() { f64::INFINITY } else { error });
        }
        now = Some((case, time, follower));
    }
    let shares = found_of.iter().flat_map(|(case, [errors, scales])| {
        (0..OUTPUTS.len()).map(move |n| (errors[n] / scales[n], case, OUTPUTS[n]))
    });
    let worst = shares.max_by(|a, b| a.0.total_cmp(&b.0));
    let (share, case, column) = worst.ok_or("no rows")?;
    Ok((share, format!("worst {column} of case {case}")))
}
