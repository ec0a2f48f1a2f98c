//! Fuel that a drivetrain uses.

/// Fuel that a drivetrain has used since its vehicle was fresh, and uses now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FuelUse {
    /// Mass flow in the last substep (`kg/s`), ≥ 0.
    pub flow: f32,
    /// Mass used (`kg`), ≥ 0.
    pub mass: f32,
    /// Volume used (`m³`), ≥ 0.
    pub volume: f32,
}
