//! Fuel of an engine: its flow by a Willans line or by a map of specific consumption, and its sum.
//!
//! ```text
//! ṁ·H = (T + T_f(ω))·ω/e,   ≥ 0          Willans line
//! ṁ = b(ω, T)·T·ω                         map, at its least torque and above
//! ```
//!
//! with the torque T that leaves the engine or accelerates its flywheel, the torque `T_f` that friction, pumping and auxiliaries take,
//! the indicated efficiency e, the heating value H and the specific consumption b (L. Guzzella, A. Sciarretta, *Vehicle Propulsion
//! Systems*, 3rd ed. 2013, chapter 3: Willans approximation).

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, FuelUse, Inspector};

use crate::long_sum::{halves, whole};
use crate::speed_map::SpeedMap;

/// Specific consumption of 1 g/kWh (`kg/J`).
const GRAM_PER_KILOWATT_HOUR: f32 = 1e-3 / 3.6e6;
/// Default of the speed above which the injection is cut, over the idle speed (–). tuned: some 1200 1/min, so that the engine does not
/// stall before the injection resumes.
const CUTS_ABOVE: f32 = 1.5;

/// Fuel of an engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FuelParams {
    /// Energy of the fuel (`J/kg`), its lower heating value, > 0.
    pub heating_value: f32,
    /// Density of the fuel (`kg/m³`), > 0.
    pub density: f32,
    /// Indicated efficiency (–), 0…1: each joule more of work takes 1/efficiency more of the fuel's energy.
    pub efficiency: f32,
    /// Torque that friction, pumping and auxiliaries take (`N·m`), ≥ 0, over the engine's speed (`rad/s`): with it, an engine without load
    /// has its idle consumption. It is none that slows the engine: that is its damping.
    pub friction: Curve,
    /// Speed above which the injection is cut while the throttle is closed and no torque leaves the engine (`rad/s`), ≥ 0; 1.5 of the
    /// idle speed without a value.
    #[serde(default)]
    pub cut_speed: Option<f32>,
    /// Specific consumption (`g/kWh`), over engine speed (`rad/s`) and torque that leaves the engine (`N·m`), > 0. Between no torque and
    /// the least one the flow is linear, from the Willans line's; `None` for the Willans line everywhere.
    #[serde(default)]
    pub map: Option<SpeedMap>,
}

/// Mean motion of an engine in a substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EngineWork {
    /// Speed (`rad/s`).
    pub(crate) speed: f32,
    /// Torque that left it or accelerated its flywheel (`N·m`).
    pub(crate) torque: f32,
    /// Throttle, 0…1.
    pub(crate) throttle: f32,
}

impl FuelParams {
    /// Mass flow (`kg/s`), ≥ 0, of an engine with this speed (`rad/s`) that gives this torque (`N·m`), with its injection on.
    #[must_use]
    pub fn flow(&self, speed: f32, torque: f32) -> f32 {
        let willans = |torque: f32| {
            let indicated = torque + self.friction.at(speed);
            indicated * speed / (self.efficiency * self.heating_value)
        };
        let flow = match &self.map {
            None => willans(torque),
            Some(map) => {
                let least = map.rows.first().map_or(0.0, |(torque, _)| *torque);
                let mapped =
                    |torque: f32| map.at(speed, torque) * GRAM_PER_KILOWATT_HOUR * torque * speed;
                if torque < least {
                    let none = willans(0.0);
                    none + (mapped(least) - none) * (torque / least)
                } else {
                    mapped(torque)
                }
            }
        };
        flow.max(0.0)
    }

    /// Mass flow (`kg/s`) in a substep, of an engine with this idle speed (`rad/s`) that is not stalled: 0 while the injection is cut.
    pub(crate) fn flow_in(&self, work: &EngineWork, idle_speed: f32) -> f32 {
        let above = self.cut_speed.unwrap_or(CUTS_ABOVE * idle_speed);
        let is_cut = work.throttle <= 0.0 && work.torque < 0.0 && work.speed > above;
        if is_cut {
            0.0
        } else {
            self.flow(work.speed, work.torque)
        }
    }
}

impl Check for FuelParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("heating_value", self.heating_value, "J/kg");
        i.positive("density", self.density, "kg/m³");
        let range = self.efficiency > 0.0 && self.efficiency <= 1.0;
        let rule = "must be > 0 and at most 1";
        i.rule(range, "efficiency", self.efficiency, "", rule);
        i.within("friction", |i| {
            self.friction.check(i);
            for (n, [_, torque]) in self.friction.0.iter().enumerate() {
                i.within(alloc::format!("[{n}]"), |i| {
                    i.not_negative("y", *torque, "N·m");
                });
            }
        });
        if let Some(speed) = self.cut_speed {
            i.not_negative("cut_speed", speed, "rad/s");
        }
        if let Some(map) = &self.map {
            i.within("map", |i| {
                map.check(["N·m", "g/kWh"], false, i);
                let least = map.rows.first().map_or(f32::NAN, |(torque, _)| *torque);
                i.positive("rows[0][0]", least, "N·m");
            });
        }
    }
}

/// What a drive remembers of its engine's fuel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FuelMemory {
    /// Speed of the engine at the start of the last substep (`rad/s`), its length (`s`), 0 before the first, and its throttle.
    pub(crate) speed: f32,
    pub(crate) duration: f32,
    pub(crate) throttle: f32,
    /// Mass flow in the substep before that (`kg/s`).
    pub(crate) flow: f32,
    /// Mass that it used (`kg`).
    mass: f64,
}

impl FuelMemory {
    /// Number of the values.
    pub(crate) const LENGTH: usize = 6;

    /// The memory in these values; that of a fresh drive if there are fewer.
    pub(crate) fn read(values: &[f32]) -> Self {
        let [speed, duration, throttle, flow, high, low] = *values else {
            return Self::default();
        };
        Self {
            speed,
            duration,
            throttle,
            flow,
            mass: whole([high, low]),
        }
    }

    /// Writes the memory to as many values as there are.
    pub(crate) fn write(&self, values: &mut [f32]) {
        let [high, low] = halves(self.mass);
        let all = [
            self.speed,
            self.duration,
            self.throttle,
            self.flow,
            high,
            low,
        ];
        values.iter_mut().zip(all).for_each(|(to, from)| *to = from);
    }

    /// Adds a substep with this mass flow (`kg/s`).
    pub(crate) fn add(&mut self, flow: f32) {
        self.flow = flow;
        self.mass += f64::from(flow * self.duration);
    }

    /// The fuel that was used.
    pub(crate) fn used(&self, fuel: &FuelParams) -> FuelUse {
        let mass = self.mass as f32;
        FuelUse {
            flow: self.flow,
            mass,
            volume: mass / fuel.density,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
