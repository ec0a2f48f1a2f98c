//! Contacts of wheel colliders: rigid contact takes those that the suspension does not handle ([`ContactPolicy`],
//! ALGORITHMS §2.5).

use glam::{Quat, Vec3};

use crate::base::lanes::LANES;
use crate::base::math;
use crate::params::contact_policy::ContactPolicy;
use crate::vehicle::Vehicle;

/// Settings of wheel colliders: their contacts that the suspension handles, and the motion of their rims at obstacles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct WheelColliderSettings {
    /// Division of contacts between suspension and rigid contact.
    pub policy: ContactPolicy,
    /// Speed that friction at an obstacle drives the car to, over the rim's speed (–): it pulls the car along the obstacle.
    pub spin_share: f32,
}

impl WheelColliderSettings {
    /// Settings of PhysX's sample: a tenth of the rim's speed.
    pub const DEFAULT: Self = Self {
        policy: ContactPolicy::DEFAULT,
        spin_share: 0.1,
    };

    /// Settings by which the colliders take the contacts that a vehicle's sweeps do not; the default for a vehicle with rays.
    #[must_use]
    pub fn beside(vehicle: &Vehicle) -> Self {
        let sweep = vehicle.sweep_settings().unwrap_or_default();
        let policy = if sweep.all_hits {
            sweep.policy
        } else {
            ContactPolicy::WHATEVER_FACES
        };
        Self {
            policy,
            ..Self::DEFAULT
        }
    }

    /// Settings whose policy complements the ground of wheel `wheel`: a wheel in the ground stands on a plane out of
    /// its reach, and rigid contact must not push it out as well.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn for_wheel(self, vehicle: &Vehicle, wheel: usize) -> Self {
        let point_angle = match vehicle.contacts()[wheel] {
            Some(contact) if !contact.in_reach => core::f32::consts::PI,
            _ => self.policy.point_angle,
        };
        let policy = ContactPolicy {
            point_angle,
            ..self.policy
        };
        Self { policy, ..self }
    }
}

impl Default for WheelColliderSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A wheel as seen by contact hooks, in world axes. Points have the same origin as the engine's contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelContact {
    /// Settings of the collider.
    pub settings: WheelColliderSettings,
    /// Center of the wheel's collider (`m`).
    pub center: Vec3,
    /// Axle, to the left, unit.
    pub axle: Vec3,
    /// Direction of droop, unit.
    pub travel: Vec3,
    /// Displayed spin (`rad/s`).
    pub spin: f32,
    /// Point of application of the suspension force on the chassis (`m`), if rigid contacts must act there too; otherwise,
    /// they act at their own points.
    pub application_point: Option<Vec3>,
}

impl WheelContact {
    /// Wheel `wheel` of a vehicle after its last update, for its collider's contacts in the coming step. Points are relative
    /// to the center of mass of its body with `rotation` (vehicle → world). With the explicit solver, contacts
    /// act at the suspension's application point, with the rows solver at their own points.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn of(
        vehicle: &Vehicle,
        wheel: usize,
        rotation: Quat,
        settings: WheelColliderSettings,
    ) -> Self {
        let params = vehicle.model().params();
        let pose = vehicle.unrolled_wheel_pose(wheel);
        let matrix = math::matrix(rotation);
        let offset = |point: Vec3| matrix * params.from_center_of_mass(point);
        let strut = &params.wheels[wheel].suspension;
        let explicit = params.profile.explicit().is_some();
        Self {
            settings: settings.for_wheel(vehicle, wheel),
            center: offset(pose.position),
            axle: matrix * math::matrix(pose.rotation).y_axis,
            travel: matrix * strut.travel_direction,
            spin: vehicle.state().wheels[wheel / LANES]
                .spin_shown
                .lane(wheel % LANES),
            application_point: explicit.then(|| offset(strut.application_point)),
        }
    }

    /// Target velocity for friction, chassis relative to the other body (`m/s`), in the plane of a contact at
    /// `point` (`m`) with the unit `normal` from the other body to the wheel; `None` for a contact that belongs
    /// to the suspension (ALGORITHMS §2.5).
    #[must_use]
    pub fn target_velocity(&self, point: Vec3, normal: Vec3) -> Option<Vec3> {
        let arm = point - self.center;
        let in_plane = arm - self.axle * arm.dot(self.axle);
        let radial = math::unit_or_zero(in_plane);
        if !self.settings.policy.is_rigid(self.travel, radial, normal) {
            return None;
        }
        let rim = self.axle.cross(in_plane) * self.spin;
        let along = rim - normal * rim.dot(normal);
        Some(-(along * self.settings.spin_share))
    }

    /// Target velocity (`m/s`) by the rules of [`target_velocity`](Self::target_velocity) for a contact that an
    /// engine may predict: there is still a `gap` (`m`) between the wheel's `point` and the other body, relative to
    /// which the wheel moves at `velocity` (`m/s`). It is rigid if it is so now, and also where the wheel meets it:
    /// from afar, the edge of a low curb looks like a wall.
    #[must_use]
    pub fn predicted_velocity(
        &self,
        point: Vec3,
        normal: Vec3,
        gap: f32,
        velocity: Vec3,
    ) -> Option<Vec3> {
        let target = self.target_velocity(point, normal)?;
        let in_plane = |v: Vec3| v - self.axle * v.dot(self.axle);
        let near = in_plane(point - self.center);
        let far = in_plane(point - normal * gap - self.center);
        let displacement = in_plane(velocity);
        let beyond = far.dot(far) - near.dot(near);
        if gap <= 0.0 || beyond <= 0.0 {
            return Some(target);
        }
        let radial =
            math::unit_or_zero(far - displacement * first_touch(far, displacement, beyond));
        let aside = normal.dot(self.axle);
        let facing = math::sqrt((1.0 - aside * aside).max(0.0));
        let normal = self.axle * aside - radial * facing;
        let rigid = (self.settings.policy).is_rigid(self.travel, radial, normal);
        rigid.then_some(target)
    }

    /// Point of application of a rigid contact at `point` (`m`).
    #[must_use]
    pub fn acting_point(&self, point: Vec3) -> Vec3 {
        self.application_point.unwrap_or(point)
    }
}

/// Part of its `displacement` (`m`) after which a circle touches a point `far` from its center (`m`), whose square of the distance is
/// `beyond` (`m²`) more than the radius', as a multiple of the displacement (–), ≥ 0; that at which it is nearest, if it never
/// does.
fn first_touch(far: Vec3, displacement: Vec3, beyond: f32) -> f32 {
    let square = displacement.dot(displacement);
    if square == 0.0 {
        return 0.0;
    }
    let along = far.dot(displacement);
    let inside = (along * along - square * beyond).max(0.0);
    ((along - math::sqrt(inside)) / square).max(0.0)
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

    const WHEEL: WheelContact = WheelContact {
        settings: WheelColliderSettings::DEFAULT,
        center: Vec3::Z,
        axle: Vec3::Y,
        travel: Vec3::NEG_Z,
        spin: 10.0,
        application_point: Some(Vec3::new(0.0, -0.5, 1.2)),
    };

    proptest! {
        /// Points count in the wheel's plane: how far aside of it they are does not matter.
        #[test]
        fn a_contact_may_be_anywhere_across_the_tread(
            point in direction(), normal in direction(), aside in -1.0_f32..1.0,
        ) {
            let target = |aside: f32| {
                let wheel = WheelContact { axle: Vec3::Y, ..WHEEL };
                let arm = Vec3::new(point.x, 0.0, point.z) + Vec3::Y * aside;
                wheel.target_velocity(wheel.center + arm, normal)
            };
            prop_assume!((point.x.abs() + point.z).abs() > 1e-3);
            prop_assert_eq!(target(0.0).is_some(), target(aside).is_some());
        }

        /// The rim's own speed, as the displacement of a point of it in a short time, freed of what points
        /// into the obstacle; a tenth of it, and against it: what the wheel pushes back drives it ahead.
        #[test]
        fn friction_aims_at_a_share_of_the_rims_speed(
            axle in direction(), arm in direction(), normal in direction(), spin in -30.0_f32..30.0,
            share in 0.0_f32..1.0,
        ) {
            let wheel = WheelContact {
                settings: WheelColliderSettings {
                    // Nothing is the suspension's.
                    policy: ContactPolicy { point_angle: 0.0, normal_angle: 0.0, leaves_gap: false },
                    spin_share: share,
                },
                center: Vec3::new(3.0, -2.0, 1.0),
                axle,
                spin,
                application_point: None,
                ..WHEEL
            };
            let point = wheel.center + arm * 0.4;
            let actual = wheel.target_velocity(point, normal).unwrap();
            prop_assert_eq!(wheel.acting_point(point), point);
            let short = 1e-2;
            let turned = |time: f32| math::matrix(math::rotation_about(axle, spin * time)) * (arm * 0.4);
            // Central differences are exact but for a known factor.
            let factor = math::sin_cos(spin * short).0 / (spin * short);
            prop_assume!(factor.is_finite());
            let rim = (turned(short) - turned(-short)) * (0.5 / short / factor);
            let along = rim - normal * rim.dot(normal);
            let off = actual + along * share;
            prop_assert!(off.length() < 1e-3 * (1.0 + rim.length()), "{} {}", actual, along);
        }
    }

    /// A wheel of 0.5 m, whose center is 1 m ahead of a wall, 1 m wide of the edge of a curb, or beside one.
    #[rstest]
    #[case::a_wall(1.0, 0.0, Vec3::X, true)]
    #[case::a_wall_that_is_met_slowly(1.0, 0.0, Vec3::X * 0.1, true)]
    #[case::a_curb_at_rest(1.0, -0.4, Vec3::ZERO, true)]
    #[case::a_curb_of_a_fifth(1.0, -0.4, Vec3::X * 2.0, false)]
    #[case::a_curb_of_a_half(1.0, -0.25, Vec3::X * 2.0, true)]
    #[case::a_joint_in_the_road(1.0, -0.5, Vec3::X * 2.0, false)]
    #[case::a_joint_just_below(1.0, -0.51, Vec3::X * 2.0, false)]
    #[case::a_curb_left_behind(1.0, -0.4, Vec3::X * -2.0, true)]
    fn what_is_predicted_is_judged_where_the_wheel_meets_it(
        #[case] ahead: f32,
        #[case] up: f32,
        #[case] velocity: Vec3,
        #[case] rigid: bool,
    ) {
        let radial = Vec3::new(ahead, 0.0, up).normalize();
        let wheel = WheelContact {
            center: Vec3::ZERO,
            ..WHEEL
        };
        let target_at = |gap| wheel.predicted_velocity(radial * 0.5, -radial, gap, velocity);
        let now = wheel.target_velocity(radial * 0.5, -radial);
        assert!(now.is_some());
        assert_eq!(target_at(ahead.hypot(up) - 0.5), now.filter(|_| rigid));
        // What touches already is judged as it is.
        assert_eq!(target_at(0.0), now);
    }

    /// The side of a wheel that comes nearer to a curb: its normal lies along the axle, wherever its point.
    #[test]
    fn a_curb_beside_the_wheel_stays_rigid() {
        let wheel = WheelContact {
            center: Vec3::ZERO,
            ..WHEEL
        };
        let (point, normal) = (Vec3::new(0.1, 0.1, -0.45), Vec3::new(0.0, -1.0, 0.01));
        let target =
            wheel.predicted_velocity(point, normal.normalize(), 0.05, Vec3::new(1.0, 0.1, 0.0));
        assert!(target.is_some());
    }

    #[test]
    fn the_ground_is_the_suspensions_and_a_wall_is_rigid() {
        let under = WHEEL.target_velocity(Vec3::new(0.05, 0.0, 0.6), Vec3::Z);
        assert_eq!(under, None);
        let ahead = Vec3::new(0.4, 0.1, 1.0);
        let wall = WHEEL.target_velocity(ahead, Vec3::NEG_X).unwrap();
        // A wheel that rolls forward climbs a wall: the rim in front of it goes down.
        assert!((wall - Vec3::Z * 0.4).length() < 1e-6);
        assert_eq!(Some(WHEEL.acting_point(ahead)), WHEEL.application_point);
    }
}
