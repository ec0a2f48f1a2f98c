//! Temperature, wear and pressure for any law: a model on top of another, `model = "thermal"`.
//!
//! ```text
//! C·Ṫ = share·P + hysteresis·N·|Ω·r| − (c₀ + c₁·|v|)·(T − Tₐ)        P: power of the sliding contact
//! ẇ = wear_per_energy·P                                             w: share of the tread that is gone
//! p = p₀ + (p₀ + pₐ)·(T − Tₐ)/(Tₐ + 273.15)                    a gas in a closed room
//! ```
//!
//! Curves give the effect of T and w on friction and stiffness; the pressure is passed to laws that
//! use one. Everything else comes from the inner law: see [`StatefulTire::condition`], the hook
//! used for all of this.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::lanes::{Mask4, W4};
use vehicle_core::tire::TireTraits;
use vehicle_core::tire_model::{TireOutputs, TireRequest};
use vehicle_core::{
    Check, Checked, Curve, Inspector, TireForces, TireInput, TireModel, TireProperties,
};
use vehicle_core::{
    stateful_tire::{StatefulTire, TireCondition, TireRow, TireStep},
    tire_state::TireState,
};

use crate::spec::TireOver;

/// Parameters of [`Thermal`], in addition to the `law`. In a vehicle file:
///
/// ```toml
/// [tires.slick]
/// model = "thermal"
/// ambient = 20.0                    # °C
/// heat_capacity = 10e3              # J/K
/// sliding_share = 0.5               # of the sliding power, that the tire takes
/// hysteresis = 0.01                 # heat of bending per load and distance
/// cooling = 20.0                    # W/K, standing
/// cooling_per_speed = 3.0           # W s/(K m)
/// friction_over_temperature = [[20.0, 0.8], [90.0, 1.0], [130.0, 0.85]]
/// stiffness_over_temperature = [[20.0, 1.2], [120.0, 0.8]]
/// wear_per_energy = 1e-9            # 1/J
/// friction_over_wear = [[0.0, 1.0], [0.9, 0.95], [1.0, 0.6]]
/// cold_pressure = 180e3             # Pa
/// law = { model = "magic-formula", preset = "sedan-245-40-r18" }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThermalParams {
    /// Temperature of air and ground Tₐ (`°C`), above −273.15.
    pub ambient: f32,
    /// Temperature of a new tire (`°C`); defaults to that of the air.
    #[serde(default)]
    pub initial: Option<f32>,
    /// Heat capacity C of the heated part (`J/K`), > 0; about 10 000 for the tread of a car's tire.
    pub heat_capacity: f32,
    /// Share of the sliding power that heats the tire (–), 0 to 1; about 0.5, the rest heats the
    /// road.
    pub sliding_share: f32,
    /// Heat of bending per load and distance (–), ≥ 0; about the coefficient of rolling resistance,
    /// 0.01.
    pub hysteresis: f32,
    /// Cooling at a standstill c₀ (`W/K`), ≥ 0; about 20.
    pub cooling: f32,
    /// Additional cooling per speed c₁ (`W·s/(K·m)`), ≥ 0; about 3.
    pub cooling_per_speed: f32,
    /// Factor on friction over the temperature (`°C`), ≥ 0.
    pub friction_over_temperature: Curve,
    /// Factor on slip stiffness over the temperature (`°C`), > 0.
    pub stiffness_over_temperature: Curve,
    /// Share of the tread that is lost per sliding energy (`1/J`), ≥ 0; 1e-9: a gigajoule.
    pub wear_per_energy: f32,
    /// Factor on friction over the worn share of the tread, 0 to 1 (–), ≥ 0.
    pub friction_over_wear: Curve,
    /// Gauge pressure at ambient temperature p₀ (`Pa`), ≥ 0; 0 keeps the law's own.
    #[serde(default)]
    pub cold_pressure: f32,
    /// Pressure of the air pₐ (`Pa`), > 0.
    #[serde(default = "atmosphere")]
    pub air_pressure: f32,
}

/// The standard atmosphere (`Pa`).
const fn atmosphere() -> f32 {
    101_325.0
}

/// 0 °C over absolute zero (`K`).
const ZERO_CELSIUS: f32 = 273.15;

impl Check for ThermalParams {
    fn check(&self, i: &mut Inspector) {
        let warm = |t: f32| t > -ZERO_CELSIUS && t.is_finite();
        for (name, t) in [
            ("ambient", self.ambient),
            ("initial", self.initial.unwrap_or(self.ambient)),
        ] {
            i.rule(warm(t), name, t, "°C", "must be above -273.15");
        }
        i.positive("heat_capacity", self.heat_capacity, "J/K");
        i.within_range("sliding_share", self.sliding_share, 0.0, 1.0, "");
        i.not_negative("hysteresis", self.hysteresis, "");
        i.not_negative("cooling", self.cooling, "W/K");
        i.not_negative("cooling_per_speed", self.cooling_per_speed, "W·s/(K·m)");
        i.not_negative("wear_per_energy", self.wear_per_energy, "1/J");
        i.not_negative("cold_pressure", self.cold_pressure, "Pa");
        i.positive("air_pressure", self.air_pressure, "Pa");
        for (name, curve, least) in [
            (
                "friction_over_temperature",
                &self.friction_over_temperature,
                0.0,
            ),
            (
                "stiffness_over_temperature",
                &self.stiffness_over_temperature,
                1e-3,
            ),
            ("friction_over_wear", &self.friction_over_wear, 0.0),
        ] {
            i.within(name, |i| {
                curve.check(i);
                for (n, point) in curve.0.iter().enumerate() {
                    i.within_range(&format!("[{n}].y"), point[1], least, 1e3, "");
                }
            });
        }
    }
}

impl TireOver for ThermalParams {
    type Model = Thermal;
    fn build(law: Arc<dyn TireModel>, params: Checked<Self>) -> Thermal {
        Thermal::new(law, params)
    }
}

/// A law whose tire warms up and wears. It uses values 3 to 5 of the [`TireState`]; the rest
/// belongs to the inner law.
#[derive(Clone, Debug)]
pub struct Thermal {
    law: Arc<dyn TireModel>,
    params: ThermalParams,
}

/// Index of the temperature in the state (`°C`).
const TEMPERATURE: usize = 5;
/// Index of the worn share of the tread, and of a remainder too small to be added yet.
const WEAR: usize = 4;
const MORE_WEAR: usize = 3;
/// Threshold above which the remainder is added (–).
const WORTH_ADDING: f32 = 1e-4;

impl Thermal {
    /// The law with these parameters.
    #[must_use]
    pub fn new(law: Arc<dyn TireModel>, params: Checked<ThermalParams>) -> Self {
        let params = params.into_inner();
        Self { law, params }
    }

    /// The temperature in a tire's state (`°C`).
    #[must_use]
    pub fn temperature(state: &TireState) -> f32 {
        state.values[TEMPERATURE]
    }

    /// The worn share of its tread (–), 0 to 1.
    #[must_use]
    pub fn wear(state: &TireState) -> f32 {
        (state.values[WEAR] + state.values[MORE_WEAR]).min(1.0)
    }

    /// Gauge pressure at a temperature (`°C`), in (`Pa`); 0 if none is known.
    #[must_use]
    pub fn pressure(&self, temperature: f32) -> f32 {
        let k = &self.params;
        if k.cold_pressure == 0.0 {
            return 0.0;
        }
        let warmer = (temperature - k.ambient) / (k.ambient + ZERO_CELSIUS);
        (k.cold_pressure + (k.cold_pressure + k.air_pressure) * warmer).max(0.0)
    }

    /// Temperature after a step (`°C`), implicit in the cooling.
    fn warmed(&self, temperature: f32, step: &TireStep) -> f32 {
        let (k, input) = (&self.params, &step.input);
        let speed = input.forward_speed.abs();
        let bending = k.hysteresis * input.load * input.rim_speed.abs();
        let heat = k.sliding_share * step.sliding_power() + bending;
        let cooling = k.cooling + k.cooling_per_speed * speed;
        let per_kelvin = step.duration / k.heat_capacity;
        let change = per_kelvin * (heat - cooling * (temperature - k.ambient));
        temperature + change / (1.0 + per_kelvin * cooling)
    }
}

impl TireModel for Thermal {
    fn traits(&self) -> TireTraits {
        self.law.traits()
    }

    fn forces(&self, input: &TireInput) -> TireForces {
        self.law.forces(input)
    }

    fn forces4(&self, input: &TireInput<W4>, mask: Mask4) -> TireForces<W4> {
        self.law.forces4(input, mask)
    }

    fn properties(&self, input: &TireInput) -> TireProperties {
        self.law.properties(input)
    }

    fn properties4(&self, input: &TireInput<W4>, mask: Mask4) -> TireProperties<W4> {
        self.law.properties4(input, mask)
    }

    fn evaluate4(&self, input: &TireInput<W4>, mask: Mask4, request: TireRequest) -> TireOutputs {
        self.law.evaluate4(input, mask, request)
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        Some(self)
    }
}

impl StatefulTire for Thermal {
    fn fresh(&self) -> TireState {
        let law = self.law.stateful();
        let mut state = law.map_or_else(TireState::default, StatefulTire::fresh);
        state.values[TEMPERATURE] = self.params.initial.unwrap_or(self.params.ambient);
        (state.values[WEAR], state.values[MORE_WEAR]) = (0.0, 0.0);
        state
    }

    fn condition(&self, state: &TireState) -> TireCondition {
        let (k, temperature) = (&self.params, Self::temperature(state));
        let law = self.law.stateful();
        let law = law.map_or(TireCondition::NEW, |law| law.condition(state));
        let warm = k.friction_over_temperature.at(temperature);
        let worn = k.friction_over_wear.at(Self::wear(state));
        let pressure = self.pressure(temperature);
        TireCondition {
            friction: law.friction * warm * worn,
            stiffness: law.stiffness * k.stiffness_over_temperature.at(temperature),
            pressure: if pressure > 0.0 {
                pressure
            } else {
                law.pressure
            },
        }
    }

    fn rows(&self, state: &TireState, input: &TireInput, duration: f32) -> Option<[TireRow; 2]> {
        self.law.stateful()?.rows(state, input, duration)
    }

    fn advance(&self, state: &mut TireState, step: &TireStep) {
        let before = *state;
        if let Some(law) = self.law.stateful() {
            law.advance(state, step);
        }
        state.values[TEMPERATURE] = self.warmed(Self::temperature(&before), step);
        let lost = self.params.wear_per_energy * step.sliding_power() * step.duration;
        let mut wear = before.values[WEAR];
        let mut more = before.values[MORE_WEAR] + lost;
        if more >= WORTH_ADDING {
            (wear, more) = ((wear + more).min(1.0), 0.0);
        }
        (state.values[WEAR], state.values[MORE_WEAR]) = (wear, more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TireRegistry;
    use approx::assert_relative_eq;

    fn params() -> ThermalParams {
        ThermalParams {
            ambient: 20.0,
            initial: None,
            heat_capacity: 10_000.0,
            sliding_share: 0.5,
            hysteresis: 0.01,
            cooling: 20.0,
            cooling_per_speed: 3.0,
            friction_over_temperature: Curve(vec![[20.0, 0.8], [90.0, 1.0], [130.0, 0.85]]),
            stiffness_over_temperature: Curve(vec![[20.0, 1.2], [120.0, 0.8]]),
            wear_per_energy: 1e-9,
            friction_over_wear: Curve(vec![[0.0, 1.0], [0.9, 0.95], [1.0, 0.6]]),
            cold_pressure: 180_000.0,
            air_pressure: atmosphere(),
        }
    }

    fn over(law: &str) -> Thermal {
        let law = TireRegistry::with_builtins().build(toml::from_str(law).unwrap());
        Thermal::new(law.unwrap(), Checked::new(params()).unwrap())
    }

    fn thermal() -> Thermal {
        over("model = 'dugoff'\nslip_stiffness = 100e3\ncornering_stiffness = 80e3")
    }

    fn step(lateral_speed: f32, left: f32, duration: f32) -> TireStep {
        TireStep {
            input: TireInput {
                forward_speed: 20.0,
                rim_speed: 20.0,
                lateral_speed,
                load: 4000.0,
                friction: 1.0,
                ..TireInput::default()
            },
            forces: [0.0, left],
            duration,
        }
    }

    #[test]
    fn temperature_converges_to_the_balance_of_heat_and_cooling() {
        // 0.5·1 m/s·3 kN + 0.01·4 kN·20 m/s = 2300 W over 20 + 3·20 = 80 W/K.
        let tire = thermal();
        for duration in [0.01, 1.0, 1000.0] {
            let mut state = tire.fresh();
            let count = (5000.0 / duration) as usize;
            for _ in 0..count.max(20) {
                tire.advance(&mut state, &step(-1.0, 3000.0, duration));
            }
            assert_relative_eq!(
                Thermal::temperature(&state),
                20.0 + 2300.0 / 80.0,
                epsilon = 0.05
            );
        }
    }

    #[test]
    fn tiny_wear_accumulates() {
        let tire = thermal();
        let mut state = tire.fresh();
        // 3 kW wear 3e-6 of the tread in a second, in a million steps.
        for _ in 0..1_000_000 {
            tire.advance(&mut state, &step(-1.0, 3000.0, 1e-3));
        }
        assert_relative_eq!(Thermal::wear(&state), 3e-3, max_relative = 5e-3);
        assert!(tire.condition(&state).friction < 1.0);
    }

    #[test]
    fn heat_changes_friction_stiffness_and_pressure() {
        let tire = thermal();
        let at = |temperature: f32| {
            let mut state = tire.fresh();
            state.values[TEMPERATURE] = temperature;
            tire.condition(&state)
        };
        let (cold, hot) = (at(20.0), at(90.0));
        assert_relative_eq!(cold.friction, 0.8);
        assert_relative_eq!(hot.friction, 1.0);
        assert_relative_eq!(cold.stiffness, 1.2);
        assert_relative_eq!(hot.stiffness, 0.92);
        assert_relative_eq!(cold.pressure, 180_000.0);
        // (180 000 + 101 325)·(363.15/293.15) − 101 325.
        assert_relative_eq!(hot.pressure, 247_176.0, max_relative = 1e-4);
    }

    #[test]
    fn a_stateful_inner_law_keeps_its_state() {
        let tire = over(
            "model = 'lugre'\nstiffness = [200.0, 160.0]\ndamping = [1.0, 1.0]\n\
             viscous_friction = 0.0\nstatic_friction = 1.2\nkinetic_friction = 0.9\n\
             stribeck_speed = 6.0\npatch_length = 0.15\nelastic = 0.8",
        );
        let mut state = tire.fresh();
        tire.advance(&mut state, &step(-1.0, 3000.0, 0.01));
        assert!(state.lengths[1] > 0.0);
        assert!(Thermal::temperature(&state) > 20.0);
        assert!(
            tire.rows(&state, &step(-1.0, 0.0, 0.01).input, 0.01)
                .is_some()
        );
    }

    #[test]
    fn faults_name_the_parameter() {
        let bad = ThermalParams {
            ambient: -300.0,
            stiffness_over_temperature: Curve(vec![[20.0, 0.0]]),
            ..params()
        };
        let error = Checked::new(bad).unwrap_err().to_string();
        assert!(
            error.contains("ambient = -300 °C: must be above"),
            "{error}"
        );
        assert!(
            error.contains("stiffness_over_temperature.[0].y"),
            "{error}"
        );
    }
}
