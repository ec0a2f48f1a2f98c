//! The worlds of the proving ground as backends.

use proving_ground::ProvingError;
use proving_ground::ground::Terrain;
use proving_ground::world::{self, World, WorldKind};

use crate::backend::{Backend, Expected, Need, expected};
use crate::suite::without;

impl Backend for WorldKind {
    fn name(&self) -> &'static str {
        (*self).name()
    }

    fn open(&self, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, ProvingError> {
        world::open(*self, terrain, dt)
    }

    fn expected_failures(&self) -> Vec<Expected> {
        match (*self).name() {
            "standalone" => without(
                &[Need::BodiesAsGround, Need::RigidWheels],
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

const AVIAN: [Expected; 3] = [
    expected(
        "100 km away, a body moves as it is told",
        "Avian's coordinates are of single precision: 8 mm there",
    ),
    expected(
        "a sedan on jointed wheels parks on a slope",
        "Avian keeps friction from step to step in axes along the contact's velocity, which at rest is noise: \
         0.17 m in 10 s",
    ),
    expected(
        "a sedan on jointed wheels accelerates as on rays",
        "Avian's friction builds up anew, so that the wheels spin in first gear; it gains 13 % of the time",
    ),
];
