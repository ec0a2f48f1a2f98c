//! The worlds of the proving ground as backends.

use proving_ground::world::WorldKind;

use crate::backend::{Backend, Expected, Need, expected};
use crate::suite::without;

impl Backend for WorldKind {
    fn expected_failures(&self) -> Vec<Expected> {
        match (*self).name() {
            "standalone" => without(
                &[Need::BodiesAsGround, Need::RigidWheels, Need::Joints],
                "its free bodies meet fixed ground only, and wheels are no bodies",
            )
            .collect(),
            "rapier" => RAPIER.to_vec(),
            "avian" => AVIAN.to_vec(),
            _ => Vec::new(),
        }
    }
}

const RAPIER: [Expected; 2] = [
    expected(
        "100 km away, a body moves as it is told",
        "Rapier's coordinates are of single precision: 8 mm there",
    ),
    expected(
        "in a world of centimetres, bodies fall as fast",
        "Rapier limits speeds to 400 units a second, unless its length_unit is set to 100",
    ),
];

const AVIAN: [Expected; 1] = [expected(
    "100 km away, a body moves as it is told",
    "Avian's coordinates are of single precision: 8 mm there",
)];
