//! What the suite takes: an engine, and what it is known not to do.

use proving_ground::ProvingError;
use proving_ground::ground::Terrain;
use proving_ground::world::{self, World, WorldKind};

use crate::suite::{Case, Need, cases};

/// A case that a backend is known to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The case's name.
    pub case: &'static str,
    /// Why it fails, for those who consider the engine.
    pub reason: &'static str,
}

/// A case that a backend is known to fail, and why.
#[must_use]
pub const fn expected(case: &'static str, reason: &'static str) -> Expected {
    Expected { case, reason }
}

/// An engine that cars are to drive on.
pub trait Backend: Sync {
    /// What it is called, short: a column of the table.
    fn name(&self) -> &'static str;

    /// A world over a terrain, with nobody in it, that steps by `dt` [s].
    ///
    /// # Errors
    /// If the engine has no such ground.
    fn open(&self, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, ProvingError>;

    /// The cases that it is known to fail. The list is strict: one that passes, or that there is no
    /// case of, is a failure.
    fn expected_failures(&self) -> Vec<Expected> {
        Vec::new()
    }
}

/// All cases that need one of these, as failures of a backend that lacks them for this reason.
pub fn without(needs: &'static [Need], reason: &'static str) -> impl Iterator<Item = Expected> {
    let lacking = move |case: &&Case| case.need.is_some_and(|need| needs.contains(&need));
    let cases = cases().filter(lacking);
    cases.map(move |case| expected(case.name, reason))
}

impl Backend for WorldKind {
    fn name(&self) -> &'static str {
        match self {
            Self::Standalone => "standalone",
            #[cfg(feature = "rapier")]
            Self::Rapier => "rapier",
            #[cfg(feature = "avian")]
            Self::Avian => "avian",
        }
    }

    fn open(&self, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, ProvingError> {
        world::open(*self, terrain, dt)
    }

    fn expected_failures(&self) -> Vec<Expected> {
        match self {
            Self::Standalone => without(
                &[Need::BodiesAsGround, Need::RigidWheels, Need::Joints],
                "its free bodies meet fixed ground only, and wheels are no bodies",
            )
            .collect(),
            #[cfg(feature = "rapier")]
            Self::Rapier => RAPIER.to_vec(),
            #[cfg(feature = "avian")]
            Self::Avian => AVIAN.to_vec(),
        }
    }
}

#[cfg(feature = "rapier")]
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

#[cfg(feature = "avian")]
const AVIAN: [Expected; 1] = [expected(
    "100 km away, a body moves as it is told",
    "Avian's coordinates are of single precision: 8 mm there",
)];
