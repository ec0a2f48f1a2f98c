//! What a drive used: energy of a battery, fuel, driver aids.

use crate::drive::Drive;
use crate::electric::ElectricCar;
use crate::sample::Sample;
use serde::Serialize;

use super::Figure;

/// Energy at the terminals of an electric drive's battery.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BatteryUse {
    /// Energy that left it (`J`).
    pub used: f32,
    /// Energy that motors brought back while they braked (`J`).
    pub recovered: f32,
    /// State of charge at the end (–).
    pub state_of_charge: f32,
}

impl BatteryUse {
    pub(super) fn of(drive: &Drive) -> Option<Self> {
        let memory = &drive.samples.last()?.drivetrain_memory;
        let report = ElectricCar::of(&drive.car)?.report(memory);
        Some(Self {
            used: report.energy_used,
            recovered: report.energy_recovered,
            state_of_charge: report.state_of_charge,
        })
    }

    pub(super) fn figure(&self, distance: f32) -> Figure {
        let kilowatt_hours = |energy: f32| energy / 3.6e6;
        let net = kilowatt_hours(self.used - self.recovered);
        let per_hundred = 1e5 * net / distance.max(1.0);
        let value = format!("{net:.2} kWh");
        let note = format!(
            "{per_hundred:.1} kWh/100 km; {:.2} kWh recovered, {:.1} % charged",
            kilowatt_hours(self.recovered),
            100.0 * self.state_of_charge
        );
        Figure::new("energy", value, note)
    }
}

/// Time during which a driver aid acted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AidUse {
    /// Name of the aid.
    pub name: String,
    /// Time (`s`).
    pub time: f32,
}

impl AidUse {
    /// One for each aid of the driven car.
    pub(super) fn all(drive: &Drive) -> Vec<Self> {
        let names = drive.aid_names().into_iter().enumerate();
        let acted = |n: usize| {
            let acts = |s: &&Sample| s.aids.get(n).is_some_and(|activity| *activity > 0.0);
            drive.samples.iter().filter(acts).count() as f32 * drive.dt
        };
        let of = |(n, name)| Self {
            name,
            time: acted(n),
        };
        names.map(of).collect()
    }

    pub(super) fn figure(&self) -> Figure {
        let time = format!("{:.2} s", self.time);
        Figure::new("driver aid", time, self.name.clone())
    }
}

/// Fuel of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FuelFigures {
    /// Mass used (`kg`).
    pub mass: f32,
    /// Volume used (`m³`).
    pub volume: f32,
}

impl FuelFigures {
    pub(super) fn of(drive: &Drive) -> Option<Self> {
        let used = drive.samples.last()?.fuel?;
        Some(Self {
            mass: used.mass,
            volume: used.volume,
        })
    }

    pub(super) fn figure(&self, distance: f32) -> Figure {
        let liters = 1000.0 * self.volume;
        let per_hundred = 1e5 * liters / distance.max(1.0);
        let note = format!("{per_hundred:.1} l/100 km; {:.3} kg", self.mass);
        Figure::new("fuel", format!("{liters:.3} l"), note)
    }
}
