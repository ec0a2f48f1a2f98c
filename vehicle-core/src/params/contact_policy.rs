//! Division of a wheel's contacts between suspension and rigid contact (ALGORITHMS §2.4, §2.5).
//!
//! Sweeps find ground, walls and curbs alike, and so do the contacts of wheel colliders. Two angles to the
//! suspension's travel divide these hits: the selection of sweep hits uses [`ContactPolicy::is_suspensions`],
//! the contact hooks of engines use [`WheelContact::target_velocity`](crate::WheelContact::target_velocity).

use glam::Vec3;

use crate::base::checked::{Check, Inspector};
use crate::base::math;

/// Rule that divides contacts between suspension and rigid contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct ContactPolicy {
    /// Maximum angle between the travel direction and the direction from the wheel's center to a contact of the
    /// suspension, in the wheel's plane (`rad`), 0…π.
    pub point_angle: f32,
    /// Maximum angle between the travel direction and the reversed ground normal (`rad`), 0…π.
    pub normal_angle: f32,
    /// Whether rigid contact leaves a gap to the suspension: it ignores a contact whose point *or* normal is the
    /// suspension's, so that nobody takes a contact that passes one test only; and a sweep's point is taken
    /// where the wheel at jounce 0 would touch the plane. Otherwise, the point is taken relative to the wheel's
    /// actual position, and rigid contact takes exactly what the suspension does not.
    pub leaves_gap: bool,
}

impl ContactPolicy {
    /// The angles of the PhysX sample, π/4 each; exactly complementary.
    pub const DEFAULT: Self = Self {
        point_angle: core::f32::consts::FRAC_PI_4,
        normal_angle: core::f32::consts::FRAC_PI_4,
        leaves_gap: false,
    };

    /// The policy of a wheel that climbs the first hit of any kind.
    pub const WHATEVER_FACES: Self = Self {
        point_angle: core::f32::consts::PI,
        normal_angle: core::f32::consts::FRAC_PI_2,
        leaves_gap: false,
    };

    /// Whether the suspension takes a contact: `travel` is the direction of droop, `radial` points from the
    /// wheel's center to the contact in the wheel's plane, `normal` from the ground to the wheel; all unit
    /// vectors in the same axes.
    #[must_use]
    pub fn is_suspensions(&self, travel: Vec3, radial: Vec3, normal: Vec3) -> bool {
        let (point, face) = self.tests(travel, radial, normal);
        point && face
    }

    /// Whether rigid contact takes a contact; arguments as in
    /// [`is_suspensions`](Self::is_suspensions).
    #[must_use]
    pub fn is_rigid(&self, travel: Vec3, radial: Vec3, normal: Vec3) -> bool {
        let (point, face) = self.tests(travel, radial, normal);
        if self.leaves_gap {
            !point && !face
        } else {
            !(point && face)
        }
    }

    /// Whether point and normal of a contact are within their angles of the suspension's.
    fn tests(&self, travel: Vec3, radial: Vec3, normal: Vec3) -> (bool, bool) {
        let cos = |angle: f32| math::sin_cos(angle).1;
        (
            travel.dot(radial) >= cos(self.point_angle),
            travel.dot(-normal) >= cos(self.normal_angle),
        )
    }
}

impl Default for ContactPolicy {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Check for ContactPolicy {
    fn check(&self, i: &mut Inspector) {
        let half = core::f32::consts::PI;
        i.within_range("point_angle", self.point_angle, 0.0, half, "rad");
        i.within_range("normal_angle", self.normal_angle, 0.0, half, "rad");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    fn direction() -> impl Strategy<Value = Vec3> {
        (-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0)
            .prop_map(Vec3::from)
            .prop_filter_map("a direction", |v| v.try_normalize())
    }

    proptest! {
        #[test]
        fn every_contact_has_one_owner(travel in direction(), radial in direction(), normal in direction()) {
            let policy = ContactPolicy::DEFAULT;
            prop_assert_ne!(
                policy.is_suspensions(travel, radial, normal),
                policy.is_rigid(travel, radial, normal)
            );
            let gap = ContactPolicy { leaves_gap: true, ..policy };
            prop_assert!(!(gap.is_suspensions(travel, radial, normal) && gap.is_rigid(travel, radial, normal)));
        }
    }

    /// Unit vectors so far (`rad`) from straight down, for a wheel that travels straight down.
    fn leaning(angle: f32) -> Vec3 {
        let (sin, cos) = math::sin_cos(angle);
        Vec3::new(sin, 0.0, -cos)
    }

    /// Point and normal within their angles, or not, each by itself.
    #[rstest]
    fn point_and_normal_have_separate_angles(
        #[values(0.3, 0.6)] point_angle: f32,
        #[values(0.2, 0.9)] normal_angle: f32,
        #[values(0.0, 0.25, 0.5, 0.8, 1.2)] point: f32,
        #[values(0.0, 0.1, 0.5, 0.8, 1.2)] normal: f32,
        #[values(false, true)] leaves_gap: bool,
    ) {
        let policy = ContactPolicy {
            point_angle,
            normal_angle,
            leaves_gap,
        };
        let (radial, face) = (leaning(point), -leaning(-normal));
        let (below, faces) = (point <= point_angle, normal <= normal_angle);
        let suspensions = policy.is_suspensions(Vec3::NEG_Z, radial, face);
        assert_eq!(suspensions, below && faces);
        let rigid = policy.is_rigid(Vec3::NEG_Z, radial, face);
        let neither = !below && !faces;
        assert_eq!(rigid, if leaves_gap { neither } else { !suspensions });
    }

    #[rstest]
    #[case::both_right(0.0, 3.1, 0)]
    #[case::point_too_wide(3.2, 1.0, 1)]
    #[case::normal_below_none(1.0, -0.1, 1)]
    #[case::neither(-0.1, f32::NAN, 2)]
    fn angles_are_checked(#[case] point: f32, #[case] normal: f32, #[case] faults: usize) {
        let mut inspector = Inspector::new();
        let policy = ContactPolicy {
            point_angle: point,
            normal_angle: normal,
            leaves_gap: false,
        };
        policy.check(&mut inspector);
        let actual = inspector.verdict().err().map_or(0, |actual| actual.0.len());
        assert_eq!(actual, faults);
    }
}
