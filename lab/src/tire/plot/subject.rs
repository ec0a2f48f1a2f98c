//! A tire to plot: its law, its wheel, and the valid range of its curves.

use std::sync::Arc;

use jounce::core::{Curve, TireForces, TireInput, TireModel, TireProperties};
use jounce::tires::magic_formula::Coefficients;
use jounce::tires::tir::Side;
use jounce::tires::{MagicFormulaParams, SpecError, TireRegistry};
use serde::Deserialize as _;
use toml::{Table, Value};

use proving_ground::stage::GRAVITY;

/// Speed for laws without one (`m/s`).
const SPEED: f64 = 60.0 / 3.6;
/// Radius of an unspecified wheel (`m`); no law's force depends on it.
const RADIUS: f64 = 0.3;
/// Half the slip difference of a difference quotient (–).
const SMALL: f64 = 1e-3;

/// The wheel of a vehicle, as far as its tire's forces depend on it.
#[derive(Clone, Debug)]
pub(super) struct Wheel {
    /// Load at rest (`N`).
    pub(super) rest_load: f64,
    /// Radius (`m`).
    pub(super) radius: Option<f64>,
    /// Friction against |slip ratio|.
    pub(super) friction: [[f32; 2]; 3],
}

/// Remarks on a tire's parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks {
    /// The side of the car that it was measured on.
    pub(super) side: Option<Side>,
    /// Oddities of the file.
    pub(super) warnings: Vec<String>,
    /// Keys missing in the file.
    pub(super) defaulted: Vec<&'static str>,
}

/// A tire to plot.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// Name in legends.
    pub(super) name: String,
    /// Source of the tire: a file or a preset.
    pub(super) source: String,
    /// Table that describes the tire, with references resolved.
    table: Table,
    /// Parameters of the tire, if it is a Magic Formula.
    pub(super) formula: Option<MagicFormulaParams>,
    pub(super) remarks: Remarks,
    /// Wheel of the tire; missing values are the law's or defaults.
    wheel: Wheel,
    model: Arc<dyn TireModel>,
}

/// State of a wheel; by default free rolling upright.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    /// Load (`N`).
    pub(super) load: f64,
    /// Slip ratio κ (–).
    pub(super) ratio: f64,
    /// Slip angle α (`rad`).
    pub(super) angle: f64,
    /// Camber γ (`rad`).
    pub(super) camber: f64,
    /// Friction of the surface (–).
    pub(super) friction: f64,
}

impl Subject {
    /// The tire of a self-contained table.
    ///
    /// # Errors
    /// If the table does not describe a valid tire.
    pub(super) fn new(
        name: String,
        source: String,
        table: Table,
        remarks: Remarks,
        wheel: Wheel,
    ) -> Result<Self, SpecError> {
        let model = TireRegistry::with_builtins().build(table.clone())?;
        let mut params = table.clone();
        let law = params.remove("model");
        let is_formula = law.as_ref().and_then(Value::as_str) == Some("magic-formula");
        let formula = is_formula.then(|| MagicFormulaParams::deserialize(Value::Table(params)));
        Ok(Self {
            name,
            source,
            formula: formula.and_then(Result::ok),
            table,
            remarks,
            wheel,
            model,
        })
    }

    /// Name and version of the law.
    pub(super) fn law(&self) -> String {
        let mirrored = |p: &MagicFormulaParams| if p.mirrored { ", mirrored" } else { "" };
        match &self.formula {
            Some(p) => format!("Magic Formula {}{}", p.version, mirrored(p)),
            None => self.table["model"].as_str().unwrap_or_default().to_owned(),
        }
    }

    pub(super) fn coefficients(&self) -> Option<&Coefficients> {
        self.formula.as_ref().map(|params| &params.coefficients)
    }

    /// A number of the description [SI].
    fn number(&self, key: &str) -> Option<f64> {
        self.table.get(key).and_then(Value::as_float)
    }

    /// Nominal load of its parameters (`N`).
    pub(super) fn own_load(&self) -> Option<f64> {
        let own = self.coefficients().map(|c| c.FNOMIN);
        own.or_else(|| self.number("nominal_load"))
    }

    /// Nominal load of its parameters, otherwise the load at rest (`N`).
    pub(super) fn nominal_load(&self) -> f64 {
        self.own_load().unwrap_or(self.wheel.rest_load)
    }

    /// Valid range of loads (`N`).
    pub(super) fn loads(&self) -> Option<[f64; 2]> {
        let file = self.coefficients().map(|c| [c.FZMIN, c.FZMAX]);
        file.or_else(|| Some([0.0, self.number("greatest_load")?]))
    }

    /// Inflation pressure of the tire (`Pa`), if its law uses pressure.
    pub(super) fn pressure(&self) -> Option<f64> {
        let params = self.formula.as_ref()?;
        params
            .version
            .has_pressure()
            .then_some(params.coefficients.INFLPRES)
    }

    /// Whether the tire's parameters are valid at its pressure.
    pub(super) fn covers_its_pressure(&self) -> bool {
        let valid = |c: &Coefficients| (c.PRESMIN..=c.PRESMAX).contains(&c.INFLPRES);
        self.coefficients().is_none_or(valid)
    }

    /// Speed of its curves (`m/s`).
    pub(super) fn speed(&self) -> f64 {
        self.coefficients().map_or(SPEED, |c| c.LONGVL)
    }

    /// Friction against |slip ratio|, unless constant.
    pub(super) fn friction_curve(&self) -> Option<[[f32; 2]; 3]> {
        let curve = self.wheel.friction;
        let [[_, first], [_, second], [_, third]] = curve;
        (first != 1.0 || second != 1.0 || third != 1.0).then_some(curve)
    }

    /// Whether the tire's parameters are valid in this state.
    pub(super) fn covers(&self, state: &State) -> bool {
        let within = |[low, high]: [f64; 2], x: f64| (low..=high).contains(&x);
        let slips = self.coefficients().is_none_or(|c| {
            within([c.KPUMIN, c.KPUMAX], state.ratio)
                && within([c.ALPMIN, c.ALPMAX], state.angle)
                && within([c.CAMMIN, c.CAMMAX], state.camber)
        });
        slips && self.loads().is_none_or(|loads| within(loads, state.load))
    }

    fn input(&self, state: &State) -> TireInput {
        let (speed, tangent) = (self.speed(), libm::tan(state.angle));
        let curve = Curve(self.wheel.friction.to_vec());
        let radius = self.coefficients().map_or(RADIUS, |c| c.UNLOADED_RADIUS);
        TireInput {
            slip_ratio: state.ratio as f32,
            tan_slip_angle: tangent as f32,
            forward_speed: speed as f32,
            lateral_speed: (speed * tangent) as f32,
            rim_speed: (speed * (1.0 + state.ratio)) as f32,
            radius: self.wheel.radius.unwrap_or(radius) as f32,
            load: state.load as f32,
            rest_load: self.wheel.rest_load as f32,
            camber: state.camber as f32,
            friction: state.friction as f32 * curve.at(state.ratio.abs() as f32),
            yaw_speed: 0.0,
            // The law's own.
            pressure: 0.0,
            gravity: GRAVITY.length(),
        }
    }

    /// Forces of the law.
    pub(super) fn forces(&self, state: &State) -> TireForces {
        self.model.forces(&self.input(state))
    }

    /// Properties of the law; zeros if it has none.
    pub(super) fn properties(&self, state: &State) -> TireProperties {
        if self.model.traits().has_properties {
            self.model.properties(&self.input(state))
        } else {
            TireProperties::default()
        }
    }

    /// Slip stiffness (`N`) and cornering stiffness (`N/rad`) in free rolling: from the law,
    /// otherwise the slope of its curves.
    pub(super) fn stiffness(&self, state: &State) -> [f64; 2] {
        let told = self.properties(state).slip_stiffness.map(f64::from);
        let at = |ratio: f64, angle: f64| {
            self.forces(&State {
                ratio,
                angle,
                ..*state
            })
        };
        let along = at(SMALL, 0.0).longitudinal - at(-SMALL, 0.0).longitudinal;
        let across = at(0.0, -SMALL).lateral - at(0.0, SMALL).lateral;
        let slopes = [along, across].map(|rise| f64::from(rise) / (2.0 * SMALL));
        core::array::from_fn(|n| if told[n] > 0.0 { told[n] } else { slopes[n] })
    }

    /// Pneumatic trail (`m`) near free rolling: slope of Mz over Fy.
    pub(super) fn trail(&self, state: &State) -> Option<f64> {
        let [left, right] = [SMALL, -SMALL].map(|angle| self.forces(&State { angle, ..*state }));
        let trail = (left.aligning_moment - right.aligning_moment) / (right.lateral - left.lateral);
        let acts = self.model.traits().has_moments && trail.is_finite() && trail != 0.0;
        acts.then_some(f64::from(trail))
    }

    /// Whether the tire's moments act on a vehicle.
    pub(super) fn has_moments(&self) -> bool {
        self.model.traits().has_moments
    }

    /// This tire at a pressure (`Pa`), if its law uses pressure.
    pub(super) fn inflated(&self, pressure: f64) -> Option<Self> {
        let mut table = self.table.clone();
        let coefficients = table.get_mut("coefficients")?.as_table_mut()?;
        coefficients.insert("INFLPRES".to_owned(), Value::Float(pressure));
        let (name, source) = (self.name.clone(), self.source.clone());
        Self::new(name, source, table, Remarks::default(), self.wheel.clone()).ok()
    }
}

#[cfg(test)]
mod tests;
