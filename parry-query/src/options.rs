//! Ground in a world of an engine.

/// Bodies that count as ground, beyond the filter of each query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundOptions {
    /// Whether dynamic bodies are ground at all. A query's own `dynamic_bodies` must agree.
    pub drive_on_dynamic: bool,
    /// Whether a registered chassis (with all its colliders) is ground for other vehicles.
    pub drive_on_vehicles: bool,
}

impl Default for GroundOptions {
    /// Crates are ground, cars are not.
    fn default() -> Self {
        Self {
            drive_on_dynamic: true,
            drive_on_vehicles: false,
        }
    }
}
