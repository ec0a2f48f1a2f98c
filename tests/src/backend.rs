//! Input of the suite: an engine, and its known failures.

use proving_ground::world::WorldSource;

/// A case that a backend is known to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The case's name.
    pub case: &'static str,
    /// The reason, for readers who evaluate the engine.
    pub reason: &'static str,
}

/// An expected failure: a case that a backend is known to fail, and the reason.
#[must_use]
pub const fn expected(case: &'static str, reason: &'static str) -> Expected {
    Expected { case, reason }
}

/// An engine to test.
pub trait Backend: WorldSource {
    /// The cases that the engine is known to fail. The list is strict: an entry that passes, or that
    /// matches no case, is a failure. Rows of the trust table go by
    /// their [names](crate::stability::StabilityCase::name), with substeps twice as long by `coarse::` and the name,
    /// with vehicles that are not in the table by `others::` and the name.
    fn expected_failures(&self) -> Vec<Expected> {
        Vec::new()
    }
}

/// An ability that a case needs and not every world has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Sweeps, [`SceneQuery::sweeps`](jounce::core::SceneQuery::sweeps).
    Sweeps,
    /// Triangles of the ground, [`SceneQuery::triangles`](jounce::core::SceneQuery::triangles).
    Triangles,
    /// Meshes that are hit from behind, too; cars do not need it.
    BackFaces,
    /// Platforms.
    MovingGround,
    /// Free bodies that wheels can stand on.
    BodiesAsGround,
    /// Hulls that collide with the ground.
    Hulls,
    /// Wheel colliders, [`CollidingWheels`](proving_ground::world::CollidingWheels).
    WheelColliders,
    /// Reactions on bodies that wheels stand on.
    Reactions,
    /// User forces.
    UserForces,
    /// Removal of bodies.
    Removal,
    /// Bodies that fall asleep.
    Sleep,
    /// Joints between bodies, [`Joints`](proving_ground::world::Joints).
    Joints,
    /// Wheels that are bodies, [`World::jointed_wheels`](proving_ground::world::World::jointed_wheels).
    JointedWheels,
    /// Placing of bodies, [`Handling::place`](proving_ground::world::Handling::place).
    Placing,
    /// Locked axes of bodies, [`AxisLocks`](proving_ground::world::AxisLocks).
    LockedAxes,
}

impl Need {
    /// All needs.
    pub const ALL: [Self; 15] = [
        Self::Sweeps,
        Self::Triangles,
        Self::BackFaces,
        Self::MovingGround,
        Self::BodiesAsGround,
        Self::Hulls,
        Self::WheelColliders,
        Self::Reactions,
        Self::UserForces,
        Self::Removal,
        Self::Sleep,
        Self::Joints,
        Self::JointedWheels,
        Self::Placing,
        Self::LockedAxes,
    ];
}
