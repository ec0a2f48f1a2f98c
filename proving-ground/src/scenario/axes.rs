//! PhysX's axes (+Y up, +Z forward) and ours (x forward, y left, z up) differ by a cyclic
//! permutation, which is exact.

use glam::{DVec3, Quat, Vec3};

/// Converts a PhysX vector to our axes.
#[must_use]
pub fn from_physx(p: [f32; 3]) -> Vec3 {
    Vec3::new(p[2], p[0], p[1])
}

/// Converts a vector to PhysX's axes.
#[must_use]
pub fn to_physx(v: Vec3) -> [f32; 3] {
    [v.y, v.z, v.x]
}

/// Converts a position to PhysX's axes.
#[must_use]
pub fn place_to_physx(v: DVec3) -> [f64; 3] {
    [v.y, v.z, v.x]
}

/// Converts a PhysX rotation to our axes.
#[must_use]
pub fn rotation_from_physx(q: [f32; 4]) -> Quat {
    Quat::from_xyzw(q[2], q[0], q[1], q[3])
}

/// Converts a rotation to PhysX's axes.
#[must_use]
pub fn rotation_to_physx(q: Quat) -> [f32; 4] {
    [q.y, q.z, q.x, q.w]
}
