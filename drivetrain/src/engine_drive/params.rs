//! Parameters of a drive with an engine.

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector, MAX_WHEELS};

use crate::autobox::AutoboxParams;
use crate::brakes::{self, BrakeParams};
use crate::clutch::ClutchParams;
use crate::converter::ConverterParams;
use crate::differential::Differential;
use crate::dual_clutch::DualClutchParams;
use crate::engine::EngineParams;
use crate::gearbox::GearboxParams;
use crate::per_wheel;
use crate::power_take_off::PowerTakeOffParams;
use crate::response::Responses;
use crate::retarder::RetarderParams;
use crate::steering::SteeringParams;
use crate::variator::VariatorParams;

/// Parameters of an [`EngineDrive`](super::EngineDrive).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineDriveParams {
    /// The engine.
    pub engine: EngineParams,
    /// The clutch.
    pub clutch: ClutchParams,
    /// The torque converter of an automatic gearbox, if there is one; `clutch` are then the clutches of the gearbox. It needs the rows
    /// solver, and a differential that locks no wheels together.
    #[serde(default)]
    pub converter: Option<ConverterParams>,
    /// The double clutch before the gearbox, if there is one; `clutch` are then both of them. It needs the rows solver, a differential
    /// that locks no wheels together, and no converter.
    #[serde(default)]
    pub dual_clutch: Option<DualClutchParams>,
    /// The variator of a continuously variable transmission, if there is one, behind the `converter` that it needs; the ratios of the
    /// gearbox multiply with its own.
    #[serde(default)]
    pub variator: Option<VariatorParams>,
    /// The retarder on the output shaft of the gearbox, if there is one. It needs the rows solver, and a differential that locks no
    /// wheels together.
    #[serde(default)]
    pub retarder: Option<RetarderParams>,
    /// The power take-off of the engine, if there is one; its needs are a retarder's.
    #[serde(default)]
    pub power_take_off: Option<PowerTakeOffParams>,
    /// The gearbox.
    pub gearbox: GearboxParams,
    /// The autobox, if there is one.
    #[serde(default)]
    pub autobox: Option<AutoboxParams>,
    /// Differential: the driven wheels, and their torque and speed split.
    pub differential: Differential,
    /// Responses to the pedals.
    #[serde(default)]
    pub responses: Responses,
    /// Steering; unused on tracks.
    #[serde(default)]
    pub steering: SteeringParams,
    /// Brakes in wheel order; wheels beyond the last entry have none.
    #[serde(default)]
    pub brakes: Vec<BrakeParams>,
    /// Radii of the wheels (`m`), > 0, in wheel order, from which the autobox computes the slip of driven wheels; it ignores
    /// that of wheels beyond the last entry.
    #[serde(default)]
    pub radii: Vec<f32>,
}

impl Check for EngineDriveParams {
    fn check(&self, i: &mut Inspector) {
        i.within("engine", |i| self.engine.check(i));
        i.within("clutch", |i| self.clutch.check(i));
        if let Some(converter) = &self.converter {
            i.within("converter", |i| converter.check(i));
            let locks = self.differential.locks();
            let rule = "must lock no wheels together behind a torque converter";
            i.rule(!locks, "differential", "locks", "", rule);
        }
        if let Some(dual) = &self.dual_clutch {
            i.within("dual_clutch", |i| dual.check(i));
            let locks = self.differential.locks();
            let rule = "must lock no wheels together behind a double clutch";
            i.rule(!locks, "differential", "locks", "", rule);
            let alone = self.converter.is_none();
            let rule = "must be left out beside a torque converter";
            i.rule(alone, "dual_clutch", "there", "", rule);
        }
        if let Some(retarder) = &self.retarder {
            i.within("retarder", |i| retarder.check(i));
            let locks = self.differential.locks();
            let rule = "must lock no wheels together behind a retarder";
            i.rule(!locks, "differential", "locks", "", rule);
        }
        if let Some(power_take_off) = &self.power_take_off {
            i.within("power_take_off", |i| power_take_off.check(i));
            let locks = self.differential.locks();
            let rule = "must lock no wheels together beside a power take-off";
            i.rule(!locks, "differential", "locks", "", rule);
        }
        if let Some(variator) = &self.variator {
            i.within("variator", |i| variator.check(i));
            let started = self.converter.is_some();
            let rule = "must stand behind a torque converter";
            i.rule(started, "variator", "there", "", rule);
        }
        i.within("gearbox", |i| self.gearbox.check(i));
        if let Some(autobox) = &self.autobox {
            i.within("autobox", |i| {
                autobox.check(i);
                autobox.check_gears(self.gearbox.forward.len(), i);
            });
        }
        i.within("differential", |i| self.differential.check(i));
        i.within("responses", |i| self.responses.check(i));
        i.within("steering", |i| self.steering.check(i));
        brakes::check_all(&self.brakes, i);
        i.within("radii", |i| {
            per_wheel::check_length(self.radii.len(), MAX_WHEELS, i);
        });
        for (n, radius) in self.radii.iter().enumerate() {
            i.positive(&format!("radii[{n}]"), *radius, "m");
        }
    }
}
