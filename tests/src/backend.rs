//! What the suite takes: an engine, and what it is known not to do.

use lab::LabError;
use lab::ground::Terrain;
use lab::world::{self, World, WorldKind};

use crate::suite::cases;

/// A case that a backend is known to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The case's name.
    pub case: &'static str,
    /// Why it fails, for those who consider the engine.
    pub reason: &'static str,
}

const fn expected(case: &'static str, reason: &'static str) -> Expected {
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
    fn open(&self, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, LabError>;

    /// The cases that it is known to fail. The list is strict: one that passes, or that there is no
    /// case of, is a failure.
    fn expected_failures(&self) -> Vec<Expected> {
        Vec::new()
    }
}

/// All cases that need sweeps, as failures of a backend that has none for this reason.
pub fn without_sweeps(reason: &'static str) -> impl Iterator<Item = Expected> {
    let cases = cases().filter(|case| case.needs_sweeps);
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

    fn open(&self, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, LabError> {
        world::open(*self, terrain, dt)
    }

    fn expected_failures(&self) -> Vec<Expected> {
        let own = match self {
            Self::Standalone => &STANDALONE[..],
            #[cfg(feature = "rapier")]
            Self::Rapier => &RAPIER,
            #[cfg(feature = "avian")]
            Self::Avian => &AVIAN,
        };
        own.to_vec()
    }
}

const STANDALONE: [Expected; 3] = [
    expected(
        "a ray that starts inside a box hits at once",
        "a box is its surface here: grounds are solid below a surface, or triangles",
    ),
    expected("free bodies are ground only if asked for", NO_GROUND),
    expected(
        "colliders attached to an ignored body never answer",
        NO_GROUND,
    ),
];

const NO_GROUND: &str = "its free bodies are no ground: they meet fixed ground and nothing else";

#[cfg(feature = "rapier")]
const RAPIER: [Expected; 3] = [
    expected("100 km away, ground is where it is", SINGLE),
    expected("100 km away, a body moves as it is told", SINGLE),
    expected(
        "in a world of centimetres, bodies fall as fast",
        "Rapier limits speeds to 400 units a second, unless its length_unit is set to 100",
    ),
];

#[cfg(feature = "rapier")]
const SINGLE: &str = "Rapier's coordinates are of single precision: 8 mm there";

#[cfg(feature = "avian")]
const AVIAN: [Expected; 1] = [expected(
    "100 km away, a body moves as it is told",
    "Avian's coordinates are of single precision: 8 mm there",
)];
