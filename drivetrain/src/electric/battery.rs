//! A battery: open-circuit voltage behind a resistance, and the power that it gives and takes.

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, Inspector, math};

/// A battery as an open-circuit voltage over the state of charge behind a resistance (L. Guzzella, A. Sciarretta, *Vehicle Propulsion
/// Systems*, 3rd ed. 2013).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatteryParams {
    /// Charge of the full battery (`A·s`), > 0.
    pub capacity: f32,
    /// State of charge of a fresh vehicle (–), 0…1.
    pub state_of_charge: f32,
    /// Open-circuit voltage (`V`), > 0, over the state of charge (–).
    pub voltage: Curve,
    /// Internal resistance (`Ω`), > 0.
    pub resistance: f32,
    /// Greatest power at the terminals while discharging (`W`), > 0.
    pub discharge_power: f32,
    /// Greatest power at the terminals while charging (`W`), ≥ 0.
    pub charge_power: f32,
    /// Greatest current while discharging (`A`), > 0; `None` without a limit.
    #[serde(default)]
    pub discharge_current: Option<f32>,
    /// Greatest current while charging (`A`), > 0; `None` without a limit.
    #[serde(default)]
    pub charge_current: Option<f32>,
    /// States of charge below which the power of discharging falls, and above which that of charging falls (–), 0…1: to 0 where
    /// the battery is empty or full.
    #[serde(default = "default_taper")]
    pub taper: [f32; 2],
}

const fn default_taper() -> [f32; 2] {
    [0.05, 0.95]
}

impl BatteryParams {
    /// Current (`A`), positive discharging, at a power at the terminals (`W`) and an open-circuit `voltage` (`V`). Beyond the greatest
    /// power that the resistance lets through, it is the current of that power.
    #[must_use]
    pub fn current(&self, power: f32, voltage: f32) -> f32 {
        // I = (V − √(V² − 4·R·P))/(2·R), without the difference.
        let root = (voltage * voltage - 4.0 * self.resistance * power).max(0.0);
        2.0 * power.min(self.matched_power(voltage)) / (voltage + math::sqrt(root))
    }

    /// Greatest power that the resistance lets through (`W`).
    fn matched_power(&self, voltage: f32) -> f32 {
        voltage * voltage / (4.0 * self.resistance)
    }

    /// Greatest power of charging, and of discharging (`W`), both ≥ 0, at a state of charge (–).
    #[must_use]
    pub fn limits(&self, state_of_charge: f32) -> [f32; 2] {
        let voltage = self.voltage.at(state_of_charge);
        let at = |current: f32| (voltage + self.resistance * current) * current;
        let [charge, discharge] = [
            self.charge_current.map_or(f32::MAX, at),
            self.discharge_current.map_or(f32::MAX, |current| {
                let greatest = voltage / (2.0 * self.resistance);
                -at(-current.min(greatest))
            }),
        ];
        let [empty, full] = self.taper;
        let left = |charge: f32, range: f32| {
            if range > 0.0 {
                charge / range
            } else {
                1e9 * charge
            }
        };
        [
            charge.min(self.charge_power) * left(1.0 - state_of_charge, 1.0 - full).clamp(0.0, 1.0),
            discharge
                .min(self.discharge_power)
                .min(self.matched_power(voltage))
                * left(state_of_charge, empty).clamp(0.0, 1.0),
        ]
    }
}

impl Check for BatteryParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("capacity", self.capacity, "A·s");
        i.within_range("state_of_charge", self.state_of_charge, 0.0, 1.0, "");
        i.within("voltage", |i| {
            self.voltage.check(i);
            for (n, [charge, voltage]) in self.voltage.0.iter().enumerate() {
                i.within(alloc::format!("[{n}]"), |i| {
                    i.within_range("x", *charge, 0.0, 1.0, "");
                    i.positive("y", *voltage, "V");
                });
            }
        });
        i.positive("resistance", self.resistance, "Ω");
        i.positive("discharge_power", self.discharge_power, "W");
        i.not_negative("charge_power", self.charge_power, "W");
        i.positive(
            "discharge_current",
            self.discharge_current.unwrap_or(1.0),
            "A",
        );
        i.positive("charge_current", self.charge_current.unwrap_or(1.0), "A");
        for (n, charge) in self.taper.into_iter().enumerate() {
            i.within_range(["taper[0]", "taper[1]"][n], charge, 0.0, 1.0, "");
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
