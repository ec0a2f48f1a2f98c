//! Conversion of types: Box3D's are plain numbers, as glam's are.

use boxddd::{Matrix3, MotionLocks, Pos, Quat as BoxQuat, Vec3 as BoxVec3};
use glam::{BVec3, DVec3, Mat3, Quat, Vec3};
use vehicle_core::LockedAxes;

/// A vector for Box3D.
#[must_use]
pub const fn vector(v: Vec3) -> BoxVec3 {
    BoxVec3::new(v.x, v.y, v.z)
}

/// A vector of Box3D.
#[must_use]
pub const fn from_vector(v: BoxVec3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

/// A position for Box3D (`m`, world).
#[must_use]
pub const fn position(p: DVec3) -> Pos {
    Pos::new(p.x, p.y, p.z)
}

/// A position of Box3D (`m`, world).
#[must_use]
pub const fn from_position(p: Pos) -> DVec3 {
    DVec3::new(p.x, p.y, p.z)
}

/// A rotation for Box3D.
#[must_use]
pub fn rotation(q: Quat) -> BoxQuat {
    BoxQuat::new(BoxVec3::new(q.x, q.y, q.z), q.w)
}

/// A rotation of Box3D.
#[must_use]
pub const fn from_rotation(q: BoxQuat) -> Quat {
    Quat::from_xyzw(q.v.x, q.v.y, q.v.z, q.s)
}

/// A matrix for Box3D.
#[must_use]
pub const fn matrix(m: Mat3) -> Matrix3 {
    Matrix3 {
        cx: vector(m.x_axis),
        cy: vector(m.y_axis),
        cz: vector(m.z_axis),
    }
}

/// A matrix of Box3D.
#[must_use]
pub const fn from_matrix(m: Matrix3) -> Mat3 {
    Mat3::from_cols(from_vector(m.cx), from_vector(m.cy), from_vector(m.cz))
}

/// Locked axes for Box3D.
#[must_use]
pub const fn motion_locks(axes: LockedAxes) -> MotionLocks {
    let (v, w) = (axes.translation, axes.rotation);
    MotionLocks::new(v.x, v.y, v.z, w.x, w.y, w.z)
}

/// Locked axes of Box3D.
#[must_use]
pub const fn from_motion_locks(locks: MotionLocks) -> LockedAxes {
    LockedAxes {
        translation: BVec3::new(locks.linear_x, locks.linear_y, locks.linear_z),
        rotation: BVec3::new(locks.angular_x, locks.angular_y, locks.angular_z),
    }
}
