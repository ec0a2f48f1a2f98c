//! The aids of a vehicle, in the order in which they act.

use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::{DriverAid, Inspector};

use crate::abs::Abs;
use crate::brake_distribution::BrakeDistribution;
use crate::brake_fade::BrakeFade;
use crate::cruise_control::CruiseControl;
use crate::hill_descent::HillDescent;
use crate::hill_hold::HillHold;
use crate::launch_control::LaunchControl;
use crate::parking_brake::ParkingBrake;
use crate::rollover_mitigation::RolloverMitigation;
use crate::speed_limiter::SpeedLimiter;
use crate::stability_control::StabilityControl;
use crate::torque_vectoring::TorqueVectoring;
use crate::traction_control::TractionControl;
use crate::trailer_sway_control::TrailerSwayControl;
use crate::valve_abs::ValveAbs;

/// Defines [`AidSuite`] by the aids in the order of their calls.
macro_rules! suite {
    ($($(#[$doc:meta])* $key:ident: $aid:ty,)*) => {
        /// Driver aids of a vehicle, each of which it may have. They act in the order of the fields, and the last has the last
        /// word: first the driver's conveniences, then aids that brake for stability, then slip control.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
        pub struct AidSuite {
            $($(#[$doc])* pub $key: Option<$aid>,)*
        }

        impl AidSuite {
            /// The aids in order, for [`VehicleModel::with_aids`](vehicle_core::VehicleModel::with_aids).
            #[must_use]
            pub fn aids(&self) -> Vec<Arc<dyn DriverAid>> {
                let mut aids: Vec<Arc<dyn DriverAid>> = Vec::new();
                $(if let Some(aid) = self.$key {
                    aids.push(Arc::new(aid));
                })*
                aids
            }
        }
    };
}

suite! {
    /// Fades torque near a speed.
    speed_limiter: SpeedLimiter,
    /// Keeps a set speed, and the distance to a vehicle ahead.
    cruise_control: CruiseControl,
    /// Keeps a slow speed downhill.
    hill_descent: HillDescent,
    /// Holds the car on a slope.
    hill_hold: HillHold,
    /// Holds the standing car.
    parking_brake: ParkingBrake,
    /// Holds engine speed and slip at the start.
    launch_control: LaunchControl,
    /// Brakes inner wheels under power.
    torque_vectoring: TorqueVectoring,
    /// Brakes before the inner wheels lift.
    rollover_mitigation: RolloverMitigation,
    /// Brakes while a trailer swings.
    trailer_sway_control: TrailerSwayControl,
    /// Brakes against too much and too little yaw.
    stability_control: StabilityControl,
    /// Keeps the slip of driven wheels.
    traction_control: TractionControl,
    /// Lets hot discs brake less.
    brake_fade: BrakeFade,
    /// Keeps rear slips below front slips.
    brake_distribution: BrakeDistribution,
    /// Keeps braking slips.
    abs: Abs,
    /// Keeps braking slips by valves; instead of `abs`.
    valve_abs: ValveAbs,
}

impl AidSuite {
    /// Whether there is no aid.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Reports parameters that do not fit a vehicle of `wheels` wheels, each under the aid's name.
    pub fn check(&self, wheels: usize, inspector: &mut Inspector) {
        for aid in self.aids() {
            inspector.within(aid.name(), |i| aid.check(wheels, i));
        }
        let both = self.abs.is_some() && self.valve_abs.is_some();
        inspector.rule(
            !both,
            "valve-abs",
            "given",
            "",
            "must be left out beside abs",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;
    use alloc::vec;

    /// A suite with every aid.
    fn full() -> AidSuite {
        let keys = toml::Table::try_from(AidSuite::default()).unwrap();
        assert!(keys.is_empty());
        let text = "speed-limiter.speed = 20.0\ncruise-control = {}\nhill-descent = {}\nhill-hold = {}\nparking-brake = {}\nlaunch-control = {}\n\
                    torque-vectoring = {}\nrollover-mitigation = {}\ntrailer-sway-control = {}\nstability-control = {}\n\
                    traction-control = {}\nbrake-fade = {}\nbrake-distribution = {}\nabs = {}\nvalve-abs = {}\n";
        toml::from_str(text).unwrap()
    }

    #[test]
    fn aids_are_called_by_the_names_of_their_keys() {
        let suite = full();
        let aids = suite.aids();
        let names: Vec<&str> = aids.iter().map(|aid| aid.name()).collect();
        assert_eq!(names.len(), 15);
        assert_eq!(names[..2], ["speed-limiter", "cruise-control"]);
        assert_eq!(names[13..], ["abs", "valve-abs"]);
        let table = toml::Table::try_from(suite).unwrap();
        assert!(
            names.iter().all(|name| table.contains_key(*name)),
            "{table:?}"
        );
        assert_eq!(
            toml::from_str::<AidSuite>(&toml::to_string(&suite).unwrap()).unwrap(),
            suite
        );
    }

    #[test]
    fn the_aids_of_cars_keep_their_rules() {
        let mut inspector = Inspector::new();
        full().check(4, &mut inspector);
        let faults = inspector.verdict().unwrap_err().0;
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!(faults[0].path, "valve-abs");
    }

    #[test]
    fn every_fault_is_reported_with_its_path() {
        let text = "abs = { slip = 2.0, fill_rate = -1.0, least_speed = nan, front_parting_rate = -3.0 }\n\
                    hill-hold = { reserve = 0.5, duration = 0.0 }\nspeed-limiter = { speed = 0.0 }";
        let suite: AidSuite = toml::from_str(text).unwrap();
        let mut inspector = Inspector::new();
        suite.check(4, &mut inspector);
        let faults = inspector.verdict().unwrap_err().0;
        let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
        let expected = vec![
            "speed-limiter.speed",
            "hill-hold.duration",
            "hill-hold.reserve",
            "abs.slip",
            "abs.fill_rate",
            "abs.least_speed",
            "abs.front_parting_rate",
        ];
        assert_eq!(paths, expected);
        let error = toml::from_str::<AidSuite>("abs.slipp = 0.1").unwrap_err();
        assert!(error.to_string().contains("slipp"));
    }
}
