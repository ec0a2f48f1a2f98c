//! What the suite takes: an engine, and what it is known not to do.

use proving_ground::ProvingError;
use proving_ground::ground::Terrain;
use proving_ground::world::World;

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

    /// A world over a terrain, with nobody in it, that steps by `dt` (`s`).
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

/// What a case needs that not every world has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Sweeps, [`SceneQuery::sweeps`](jounce::core::SceneQuery::sweeps).
    Sweeps,
    /// Platforms.
    MovingGround,
    /// Free bodies that wheels can stand on.
    BodiesAsGround,
    /// Hulls that meet the ground.
    Hulls,
    /// Wheels that run into things, [`WheelColliders`](proving_ground::world::WheelColliders).
    RigidWheels,
    /// Pushes on bodies that wheels stand on.
    Reactions,
    /// Forces of the user's.
    UserForces,
    /// Bodies that can be taken out.
    Removal,
    /// Bodies that fall asleep.
    Sleep,
    /// Bodies that can be joined, [`Joints`](proving_ground::world::Joints).
    Joints,
    /// Bodies that can be put elsewhere, [`Handling::place`](proving_ground::world::Handling::place).
    Placing,
}

impl Need {
    /// Every one.
    pub const ALL: [Self; 11] = [
        Self::Sweeps,
        Self::MovingGround,
        Self::BodiesAsGround,
        Self::Hulls,
        Self::RigidWheels,
        Self::Reactions,
        Self::UserForces,
        Self::Removal,
        Self::Sleep,
        Self::Joints,
        Self::Placing,
    ];
}
