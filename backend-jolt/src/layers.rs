//! Use of Jolt's object layers to wheels.

use oxijolt::ObjectLayer;
use vehicle_core::QueryFilter;

use crate::GroundOptions;

/// Use of the bodies of an object layer to wheels, and the layers of the core that they are in, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerUse {
    /// Fixed or scripted ground.
    Ground(u32),
    /// Free bodies, ground if a query asks for them.
    Bodies(u32),
    /// Chassis of vehicles, ground if [`GroundOptions::drive_on_vehicles`] says so.
    Vehicles(u32),
    /// Bodies that are no ground: sensors, characters.
    Nothing,
}

impl LayerUse {
    fn answers(self, filter: &QueryFilter, options: &GroundOptions) -> bool {
        let free = filter.dynamic_bodies && options.drive_on_dynamic;
        let (bits, counts) = match self {
            Self::Ground(bits) => (bits, true),
            Self::Bodies(bits) => (bits, free),
            Self::Vehicles(bits) => (bits, free && options.drive_on_vehicles),
            Self::Nothing => (0, false),
        };
        counts && bits & filter.layers != 0
    }
}

/// The uses of a world's layers.
#[derive(Clone, Debug)]
pub(crate) struct LayerTable(Vec<(ObjectLayer, LayerUse)>);

impl LayerTable {
    pub(crate) fn new(layers: &[(ObjectLayer, LayerUse)]) -> Self {
        Self(layers.to_vec())
    }

    /// The layers that answer a query.
    pub(crate) fn of(&self, filter: &QueryFilter, options: &GroundOptions) -> Vec<ObjectLayer> {
        let answering = (self.0.iter()).filter(|(_, used)| used.answers(filter, options));
        answering.map(|(layer, _)| *layer).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_answers_who_asks_for_it() {
        let all = QueryFilter {
            layers: 0b01,
            ignore: [None; 2],
            dynamic_bodies: true,
        };
        let fixed = QueryFilter {
            dynamic_bodies: false,
            ..all
        };
        let usual = GroundOptions::default();
        let onto_cars = GroundOptions {
            drive_on_vehicles: true,
            ..usual
        };
        assert!(LayerUse::Ground(0b11).answers(&fixed, &usual));
        assert!(!LayerUse::Ground(0b10).answers(&all, &usual));
        assert!(LayerUse::Bodies(1).answers(&all, &usual));
        assert!(!LayerUse::Bodies(1).answers(&fixed, &usual));
        assert!(!LayerUse::Vehicles(1).answers(&all, &usual));
        assert!(LayerUse::Vehicles(1).answers(&all, &onto_cars));
        assert!(!LayerUse::Nothing.answers(&all, &onto_cars));
    }
}
