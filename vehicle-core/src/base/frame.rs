//! Conversion of axes.
//!
//! A vehicle is always described in one frame: x forward, y left, z up (ISO 8855). An engine's body may be
//! modeled in other axes; a [`Frame`] defines which of its axes are forward and up.

use alloc::format;

use glam::{Mat3, Quat, Vec3};

use crate::base::checked::Fault;
use crate::base::math;

/// A signed coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Axis {
    /// +x
    X,
    /// +y
    Y,
    /// +z
    Z,
    /// −x
    NegX,
    /// −y
    NegY,
    /// −z
    NegZ,
}

impl Axis {
    /// The unit vector along this axis.
    #[must_use]
    pub const fn unit(self) -> Vec3 {
        match self {
            Self::X => Vec3::X,
            Self::Y => Vec3::Y,
            Self::Z => Vec3::Z,
            Self::NegX => Vec3::NEG_X,
            Self::NegY => Vec3::NEG_Y,
            Self::NegZ => Vec3::NEG_Z,
        }
    }

    /// The fault of this axis as up for a parallel axis `forward`.
    #[must_use]
    pub fn parallel_to(self, forward: Self) -> Fault {
        let rule = format!("must be perpendicular to forward = {forward:?}");
        Fault::new("up", format!("{self:?}"), "", rule)
    }
}

/// The axes of an engine's body that are the vehicle's forward and up; left follows by the right-hand rule.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Columns: the vehicle's x, y, z in body axes.
    vehicle_to_body: Mat3,
    rotation: Quat,
}

impl PartialEq for Frame {
    /// The rotation tells the axes.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.rotation == other.rotation
    }
}

impl Frame {
    /// x forward, z up: the vehicle frame itself.
    pub const X_FORWARD_Z_UP: Self = Self {
        vehicle_to_body: Mat3::IDENTITY,
        rotation: Quat::IDENTITY,
    };
    /// z forward, y up: PhysX samples, Unity-like models in a right-handed world.
    pub const Z_FORWARD_Y_UP: Self = Self {
        vehicle_to_body: Mat3::from_cols(Vec3::Z, Vec3::X, Vec3::Y),
        rotation: Quat::from_xyzw(-0.5, -0.5, -0.5, 0.5),
    };
    /// x forward, y up: Rapier's and Godot-like worlds.
    pub const X_FORWARD_Y_UP: Self = Self {
        vehicle_to_body: Mat3::from_cols(Vec3::X, Vec3::NEG_Z, Vec3::Y),
        rotation: Quat::from_xyzw(
            -core::f32::consts::FRAC_1_SQRT_2,
            0.0,
            0.0,
            core::f32::consts::FRAC_1_SQRT_2,
        ),
    };

    /// A frame from its two axes.
    ///
    /// # Errors
    /// If the axes are parallel.
    pub fn new(forward: Axis, up: Axis) -> Result<Self, Fault> {
        let (x, z) = (forward.unit(), up.unit());
        if x.dot(z) != 0.0 {
            return Err(up.parallel_to(forward));
        }
        let vehicle_to_body = Mat3::from_cols(x, z.cross(x), z);
        Ok(Self {
            vehicle_to_body,
            rotation: quaternion(&vehicle_to_body),
        })
    }

    /// A vector of the vehicle frame, in body axes.
    #[must_use]
    pub fn to_body(&self, vehicle: Vec3) -> Vec3 {
        self.vehicle_to_body * vehicle
    }

    /// A vector of the body, in vehicle axes.
    #[must_use]
    pub fn to_vehicle(&self, body: Vec3) -> Vec3 {
        Vec3::new(
            self.vehicle_to_body.x_axis.dot(body),
            self.vehicle_to_body.y_axis.dot(body),
            self.vehicle_to_body.z_axis.dot(body),
        )
    }

    /// Rotation vehicle → world from the engine's rotation body → world.
    #[inline]
    #[must_use]
    pub fn vehicle_rotation(&self, body_rotation: Quat) -> Quat {
        math::compose(body_rotation, self.rotation)
    }

    /// A rotation within the vehicle frame, as a rotation within body axes.
    #[must_use]
    pub fn rotation_to_body(&self, vehicle: Quat) -> Quat {
        let axis = self.to_body(Vec3::new(vehicle.x, vehicle.y, vehicle.z));
        Quat::from_xyzw(axis.x, axis.y, axis.z, vehicle.w)
    }

    /// A symmetric tensor (inertia or its inverse) of the body, in vehicle axes.
    #[must_use]
    pub fn tensor_to_vehicle(&self, body: Mat3) -> Mat3 {
        let in_vehicle = math::product(&self.vehicle_to_body.transpose(), &body);
        math::product(&in_vehicle, &self.vehicle_to_body)
    }

    /// A symmetric tensor (inertia or its inverse) of the vehicle, in body axes.
    #[must_use]
    pub fn tensor_to_body(&self, vehicle: Mat3) -> Mat3 {
        self.vehicle_to_body * vehicle * self.vehicle_to_body.transpose()
    }
}

/// The unit quaternion of a rotation matrix, by its largest component (Shepperd's method).
pub(crate) fn quaternion(m: &Mat3) -> Quat {
    let (a, b, c) = (m.x_axis, m.y_axis, m.z_axis);
    let candidates = [
        1.0 + a.x + b.y + c.z,
        1.0 + a.x - b.y - c.z,
        1.0 - a.x + b.y - c.z,
        1.0 - a.x - b.y + c.z,
    ];
    let largest = (0..4).fold(0, |best, i| {
        if candidates[i] > candidates[best] {
            i
        } else {
            best
        }
    });
    let root = math::sqrt(candidates[largest]);
    let scale = 0.5 / root;
    let half = 0.5 * root;
    match largest {
        0 => Quat::from_xyzw(
            (b.z - c.y) * scale,
            (c.x - a.z) * scale,
            (a.y - b.x) * scale,
            half,
        ),
        1 => Quat::from_xyzw(
            half,
            (a.y + b.x) * scale,
            (c.x + a.z) * scale,
            (b.z - c.y) * scale,
        ),
        2 => Quat::from_xyzw(
            (a.y + b.x) * scale,
            half,
            (b.z + c.y) * scale,
            (c.x - a.z) * scale,
        ),
        _ => Quat::from_xyzw(
            (c.x + a.z) * scale,
            (b.z + c.y) * scale,
            half,
            (a.y - b.x) * scale,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const AXES: [Axis; 6] = [
        Axis::X,
        Axis::Y,
        Axis::Z,
        Axis::NegX,
        Axis::NegY,
        Axis::NegZ,
    ];

    #[test]
    fn every_right_handed_pair_works() {
        let v = Vec3::new(1.0, -2.0, 3.0);
        let mut accepted = 0;
        for forward in AXES {
            for up in AXES {
                let Ok(frame) = Frame::new(forward, up) else {
                    continue;
                };
                accepted += 1;
                assert_eq!(frame.to_vehicle(frame.to_body(v)), v);
                assert_eq!(frame.to_vehicle(forward.unit()), Vec3::X);
                assert_eq!(frame.to_vehicle(up.unit()), Vec3::Z);
                let turned = math::matrix(frame.vehicle_rotation(Quat::IDENTITY)) * v;
                assert!(
                    (turned - frame.to_body(v)).length() < 1e-6,
                    "{forward:?} {up:?}"
                );
            }
        }
        assert_eq!(accepted, 24);
    }

    #[test]
    fn named_frames_equal_constructed_ones() {
        let pairs = [
            (Frame::X_FORWARD_Z_UP, Axis::X, Axis::Z),
            (Frame::Z_FORWARD_Y_UP, Axis::Z, Axis::Y),
            (Frame::X_FORWARD_Y_UP, Axis::X, Axis::Y),
        ];
        for (named, forward, up) in pairs {
            let built = Frame::new(forward, up).unwrap();
            assert_eq!(named.vehicle_to_body, built.vehicle_to_body);
            let same = (0..4).all(|i| {
                let (a, b) = (named.rotation.to_array()[i], built.rotation.to_array()[i]);
                (a - b).abs() < 1e-6
            });
            let opposite = (0..4).all(|i| {
                let (a, b) = (named.rotation.to_array()[i], built.rotation.to_array()[i]);
                (a + b).abs() < 1e-6
            });
            assert!(same || opposite, "{forward:?}");
        }
    }

    #[test]
    fn parallel_axes_are_refused() {
        let error = Frame::new(Axis::Y, Axis::NegY).unwrap_err();
        assert_eq!(
            alloc::format!("{error}"),
            "up = NegY: must be perpendicular to forward = Y"
        );
    }

    /// A rotation turns the same way in every frame, and a tensor takes the same vectors to the same ones,
    /// whichever axes they are given in.
    #[test]
    fn rotations_and_tensors_agree_in_both_axes() {
        let (v, turned) = (
            Vec3::new(1.0, -2.0, 3.0),
            Quat::from_xyzw(0.1, -0.3, 0.5, 0.806_225_8),
        );
        let tensor = Mat3::from_cols_array(&[1.0, 0.2, 0.3, 0.2, 2.0, -0.4, 0.3, -0.4, 5.0]);
        for (forward, up) in AXES.into_iter().flat_map(|f| AXES.map(|up| (f, up))) {
            let Ok(frame) = Frame::new(forward, up) else {
                continue;
            };
            let here = frame.to_body(v);
            let by_body = math::matrix(frame.rotation_to_body(turned)) * here;
            let by_vehicle = frame.to_body(math::matrix(turned) * v);
            assert!((by_body - by_vehicle).length() < 1e-5, "{forward:?} {up:?}");
            let by_body = frame.tensor_to_body(tensor) * here;
            let by_vehicle = frame.to_body(tensor * v);
            assert!((by_body - by_vehicle).length() < 1e-5, "{forward:?} {up:?}");
            assert_eq!(
                frame.tensor_to_vehicle(frame.tensor_to_body(tensor)),
                tensor
            );
            // A body that is turned itself.
            let vehicle = frame.vehicle_rotation(turned);
            let off = math::matrix(vehicle) * v - math::matrix(turned) * here;
            assert!(off.length() < 1e-5, "{forward:?} {up:?}");
        }
    }

    proptest! {
        /// Whichever component is the largest.
        #[test]
        fn quaternions_are_recovered_from_matrices(
            q in (-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0),
        ) {
            let q = Quat::from_xyzw(q.0, q.1, q.2, q.3);
            prop_assume!(q.length() > 0.1);
            let q = math::unit(q);
            let actual = quaternion(&math::matrix(q));
            let apart = (actual - q).length().min((actual + q).length());
            prop_assert!(apart < 1e-6, "{actual} {q}");
        }
    }
}
