//! Pose of a carrier, and derivatives of its points by its coordinates.

use nalgebra::{Matrix3, SMatrix, SVector, Unit, Vector3};

/// A position or a direction (`m`, vehicle frame).
pub(super) type Position = Vector3<f64>;
/// Coordinates of a carrier: its shift, then a quaternion.
pub(super) type Coordinates = SVector<f64, 7>;
/// Derivative of a point by the coordinates.
pub(super) type Slope = SMatrix<f64, 3, 7>;

/// The pose of a carrier: the shift of its origin and a quaternion that a constraint keeps at length 1, so that
/// positions are polynomials of the coordinates and their derivatives are exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CarrierPose {
    /// Position of the origin at the design position (`m`).
    origin: Position,
    /// The coordinates.
    pub(super) coordinates: Coordinates,
}

impl CarrierPose {
    /// The design position of a carrier with this origin.
    pub(super) fn design(origin: Position) -> Self {
        let mut coordinates = Coordinates::zeros();
        coordinates[3] = 1.0;
        Self {
            origin,
            coordinates,
        }
    }

    /// This carrier at other coordinates.
    pub(super) fn at(self, coordinates: Coordinates) -> Self {
        Self {
            coordinates,
            ..self
        }
    }

    fn quaternion(&self) -> (f64, Position) {
        let x = &self.coordinates;
        (x[3], Position::new(x[4], x[5], x[6]))
    }

    /// A direction that turns with the carrier.
    pub(super) fn turned(&self, direction: &Position) -> Position {
        let (w, u) = self.quaternion();
        direction * (w * w - u.dot(&u))
            + u * (2.0 * u.dot(direction))
            + u.cross(direction) * (2.0 * w)
    }

    /// Derivative of [`Self::turned`] by the coordinates.
    pub(super) fn turning(&self, direction: &Position) -> Slope {
        let (w, u) = self.quaternion();
        let by_w = direction * (2.0 * w) + u.cross(direction) * 2.0;
        let by_u = u * direction.transpose() * 2.0 - direction * u.transpose() * 2.0
            + Matrix3::identity() * (2.0 * u.dot(direction))
            - direction.cross_matrix() * (2.0 * w);
        let mut slope = Slope::zeros();
        slope.set_column(3, &by_w);
        slope.fixed_columns_mut::<3>(4).copy_from(&by_u);
        slope
    }

    /// Position of the carrier's point that was at `design` in the design position.
    pub(super) fn place(&self, design: &Position) -> Position {
        let shift: Position = self.coordinates.fixed_rows::<3>(0).into();
        self.origin + shift + self.turned(&(design - self.origin))
    }

    /// Derivative of [`Self::place`] by the coordinates.
    pub(super) fn slope(&self, design: &Position) -> Slope {
        let mut slope = self.turning(&(design - self.origin));
        slope
            .fixed_columns_mut::<3>(0)
            .copy_from(&Matrix3::identity());
        slope
    }

    /// Design position of the carrier's point that is now at `place`.
    pub(super) fn design_of(&self, place: &Position) -> Position {
        let (w, u) = self.quaternion();
        let mut back = *self;
        back.coordinates.fixed_rows_mut::<3>(4).copy_from(&-u);
        back.coordinates[3] = w;
        let shift: Position = self.coordinates.fixed_rows::<3>(0).into();
        self.origin + back.turned(&(place - self.origin - shift))
    }

    /// Angular velocity (`rad` per unit of what the coordinates change with).
    pub(super) fn spin(&self, rate: &Coordinates) -> Position {
        let (w, u) = self.quaternion();
        let (dw, du) = (rate[3], Position::new(rate[4], rate[5], rate[6]));
        (du * w - u * dw + u.cross(&du)) * 2.0
    }
}

/// A point of the carrier, or of an arm that a ball joint ties to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mount {
    /// Fixed in the body.
    Body(Position),
    /// Fixed in the carrier, by its design position.
    Carrier(Position),
    /// Fixed in an arm.
    Arm {
        /// Position of the point in the design position.
        design: Position,
        /// A point of the arm's axis.
        pivot: Position,
        /// The axis.
        axis: Unit<Position>,
        /// The ball joint at the design position.
        joint: Position,
    },
}

impl Mount {
    /// Position of the point, and its derivative by the coordinates.
    pub(super) fn at(&self, pose: &CarrierPose) -> (Position, Slope) {
        match self {
            Self::Body(place) => (*place, Slope::zeros()),
            Self::Carrier(design) => (pose.place(design), pose.slope(design)),
            Self::Arm {
                design,
                pivot,
                axis,
                joint,
            } => {
                let across = |p: Position| p - axis.as_ref() * axis.dot(&p);
                let now = pose.place(joint);
                let (was, is) = (across(joint - pivot), across(now - pivot));
                let angle = axis.dot(&was.cross(&is)).atan2(was.dot(&is));
                let turn = nalgebra::Rotation3::from_axis_angle(axis, angle);
                let place = pivot + turn * (design - pivot);
                let (lever, arm) = (axis.cross(&(place - pivot)), axis.cross(&is));
                let slope = lever * arm.transpose() / arm.norm_squared() * pose.slope(joint);
                (place, slope)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose() -> CarrierPose {
        let q = nalgebra::UnitQuaternion::from_euler_angles(0.3, -0.2, 0.5);
        let mut pose = CarrierPose::design(Position::new(0.1, 0.8, 0.3));
        pose.coordinates = Coordinates::from([0.02, -0.03, 0.05, q.w, q.i, q.j, q.k]);
        pose
    }

    #[test]
    fn a_pose_turns_as_its_quaternion_does_and_back() {
        let (pose, p) = (pose(), Position::new(-0.2, 0.5, 0.6));
        let turn = nalgebra::UnitQuaternion::from_euler_angles(0.3, -0.2, 0.5);
        let origin = Position::new(0.1, 0.8, 0.3);
        let expected = origin + Position::new(0.02, -0.03, 0.05) + turn * (p - origin);
        assert!((pose.place(&p) - expected).norm() < 1e-14);
        assert!((pose.design_of(&pose.place(&p)) - p).norm() < 1e-14);
    }

    /// Derivatives of points of the carrier and of an arm agree with differences; so does v = v₀ + ω × r.
    #[test]
    fn slopes_are_the_derivatives_of_places() {
        let pose = pose();
        let (joint, pivot) = (Position::new(0.0, 0.75, 0.2), Position::new(0.1, 0.4, 0.25));
        let arm = Mount::Arm {
            design: Position::new(0.05, 0.6, 0.3),
            pivot,
            axis: Unit::new_normalize(Position::new(1.0, 0.1, 0.05)),
            joint,
        };
        let rate = Coordinates::from([0.3, -0.2, 1.0, -0.1, 0.2, 0.4, -0.3]);
        // Along the sphere of unit quaternions.
        let q = pose.coordinates.fixed_rows::<4>(3).into_owned();
        let mut rate = rate;
        let dq = rate.fixed_rows::<4>(3) - q * q.dot(&rate.fixed_rows::<4>(3).into_owned());
        rate.fixed_rows_mut::<4>(3).copy_from(&dq);
        for mount in [arm, Mount::Carrier(joint), Mount::Body(pivot)] {
            let h = 1e-6;
            let place = |h: f64| mount.at(&pose.at(pose.coordinates + rate * h)).0;
            let difference = (place(h) - place(-h)) / (2.0 * h);
            let exact = mount.at(&pose).1 * rate;
            assert!((exact - difference).norm() < 1e-8, "{mount:?}");
        }
        let (a, b) = (joint, pivot);
        let apart = pose.place(&b) - pose.place(&a);
        let relative = (pose.slope(&b) - pose.slope(&a)) * rate;
        assert!((relative - pose.spin(&rate).cross(&apart)).norm() < 1e-12);
    }
}
