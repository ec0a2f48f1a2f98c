//! Whose a contact of a wheel is: the suspension's or rigid contact's (ALGORITHMS §2.4, §2.5).
//!
//! Sweeps find grounds, walls and kerbs alike, and so do the contacts of wheel colliders. Two angles
//! between them and the suspension's travel divide what they find: the selection of sweep hits asks
//! [`ContactPolicy::is_suspensions`], the contact hooks of engines ask [`WheelContact::modified`].

use glam::{Quat, Vec3};

use crate::checked::{Check, Inspector};
use crate::lanes::LANES;
use crate::math;
use crate::params::SweepHits;
use crate::profile::Solver;
use crate::vehicle::Vehicle;

/// Which contacts the suspension leaves to rigid contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct ContactPolicy {
    /// Greatest angle between the travel direction and the way from the wheel's centre to a contact
    /// of the suspension, in the wheel's plane [rad], 0…π.
    pub point_angle: f32,
    /// Greatest angle between the travel direction and the ground's normal, turned round [rad],
    /// 0…π.
    pub normal_angle: f32,
    /// PhysX's own rules. Rigid contact then leaves a contact alone if the suspension would take its
    /// point *or* its normal: what passes one test only is nobody's. And a sweep's point counts where
    /// the wheel of jounce 0 would touch the plane that was hit. Otherwise the point counts where it
    /// is, from the wheel where that is, and rigid contact takes exactly what the suspension does not.
    pub physx_rules: bool,
}

impl ContactPolicy {
    /// The angles of the PhysX sample, π/4 each; exactly complementary.
    pub const DEFAULT: Self = Self {
        point_angle: core::f32::consts::FRAC_PI_4,
        normal_angle: core::f32::consts::FRAC_PI_4,
        physx_rules: false,
    };

    /// What a wheel takes that climbs whatever it meets first.
    pub const WHATEVER_FACES: Self = Self {
        point_angle: core::f32::consts::PI,
        normal_angle: core::f32::consts::FRAC_PI_2,
        physx_rules: false,
    };

    /// The same angles with PhysX's rules.
    pub const PHYSX: Self = Self {
        physx_rules: true,
        ..Self::DEFAULT
    };

    /// Whether the suspension takes a contact: `travel` is the direction of droop, `radial` points
    /// from the wheel's centre to the contact in the wheel's plane, `normal` from the ground to the
    /// wheel; all of unit length, in the same axes.
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
        if self.physx_rules {
            !point && !face
        } else {
            !(point && face)
        }
    }

    /// Whether point and normal are within their angles.
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

/// What wheels do to the obstacles that they run into.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct RigidWheels {
    /// Whose which contact is.
    pub policy: ContactPolicy,
    /// How much of the rim's speed pulls the car along an obstacle [−]: its friction then aims at
    /// that.
    pub spin_share: f32,
}

impl RigidWheels {
    /// As in the PhysX sample: a tenth of the rim's speed.
    pub const DEFAULT: Self = Self {
        policy: ContactPolicy::DEFAULT,
        spin_share: 0.1,
    };

    /// What complements the sweeps of a vehicle; the default for one with rays.
    #[must_use]
    pub fn beside(vehicle: &Vehicle) -> Self {
        let sweep = vehicle.sweep_settings().unwrap_or_default();
        let policy = match sweep.hits {
            SweepHits::All => sweep.policy,
            SweepHits::First => ContactPolicy::WHATEVER_FACES,
        };
        Self {
            policy,
            ..Self::DEFAULT
        }
    }
}

impl Default for RigidWheels {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A wheel as contact hooks see it, in world axes. Points count from one origin, whichever the
/// engine's contacts have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelContact {
    /// What it does to obstacles.
    pub settings: RigidWheels,
    /// Centre of the wheel's collider [m].
    pub centre: Vec3,
    /// Axle, to the left, unit.
    pub axle: Vec3,
    /// Direction of droop, unit.
    pub travel: Vec3,
    /// Spin as shown [rad/s].
    pub spin: f32,
    /// Where the suspension pushes the chassis [m], if rigid contacts are to act there, too; else
    /// they act where they are.
    pub application_point: Option<Vec3>,
}

/// What becomes of a rigid contact of a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModifiedContact {
    /// Velocity of the chassis over the other body that friction aims at [m/s], in the plane of
    /// contact.
    pub target_velocity: Vec3,
    /// Where the contact acts [m].
    pub point: Vec3,
}

impl WheelContact {
    /// What becomes of a contact at `point` [m] with the unit `normal` from the other body to the
    /// wheel; `None` for a contact that is the suspension's (ALGORITHMS §2.5).
    #[must_use]
    pub fn modified(&self, point: Vec3, normal: Vec3) -> Option<ModifiedContact> {
        let arm = point - self.centre;
        let in_plane = arm - self.axle * arm.dot(self.axle);
        let radial = math::unit_or_zero(in_plane);
        if !self.settings.policy.is_rigid(self.travel, radial, normal) {
            return None;
        }
        let rim = self.axle.cross(in_plane) * self.spin;
        let along = rim - normal * rim.dot(normal);
        Some(ModifiedContact {
            target_velocity: -(along * self.settings.spin_share),
            point: self.application_point.unwrap_or(point),
        })
    }
}

impl Vehicle {
    /// The policy that complements what wheel `wheel` stands on: a wheel in the ground stands on what
    /// is out of its reach, and rigid contact must not push it out as well.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn rigid_policy(&self, wheel: usize, policy: ContactPolicy) -> ContactPolicy {
        let point_angle = match self.contacts()[wheel] {
            Some(contact) if !contact.in_reach => core::f32::consts::PI,
            _ => policy.point_angle,
        };
        ContactPolicy {
            point_angle,
            ..policy
        }
    }

    /// Wheel `wheel` after the last update, for the contacts of its collider in the coming step;
    /// points count from the centre of mass of its body in the pose `rotation`, vehicle → world.
    /// Contacts act where the suspension's force does: with the explicit solver at its application
    /// point, with the rows solver where they are.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn wheel_contact(
        &self,
        wheel: usize,
        rotation: Quat,
        settings: RigidWheels,
    ) -> WheelContact {
        let params = self.kind().params();
        let pose = self.unrolled_wheel_pose(wheel);
        let matrix = math::matrix(rotation);
        let place = |point: Vec3| matrix * params.from_centre_of_mass(point);
        let strut = &params.wheels[wheel].suspension;
        let explicit = params.profile.solver == Solver::Explicit;
        WheelContact {
            settings: RigidWheels {
                policy: self.rigid_policy(wheel, settings.policy),
                ..settings
            },
            centre: place(pose.position),
            axle: matrix * math::matrix(pose.rotation).y_axis,
            travel: matrix * strut.travel_direction,
            spin: self.state().wheels[wheel / LANES]
                .spin_shown
                .lane(wheel % LANES),
            application_point: explicit.then(|| place(strut.application_point)),
        }
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
            let gap = ContactPolicy { physx_rules: true, ..policy };
            prop_assert!(!(gap.is_suspensions(travel, radial, normal) && gap.is_rigid(travel, radial, normal)));
        }
    }

    const WHEEL: WheelContact = WheelContact {
        settings: RigidWheels::DEFAULT,
        centre: Vec3::Z,
        axle: Vec3::Y,
        travel: Vec3::NEG_Z,
        spin: 10.0,
        application_point: Some(Vec3::new(0.0, -0.5, 1.2)),
    };

    /// Unit vectors so far [rad] from straight down, for a wheel that travels straight down.
    fn leaning(angle: f32) -> Vec3 {
        let (sin, cos) = math::sin_cos(angle);
        Vec3::new(sin, 0.0, -cos)
    }

    /// Point and normal within their angles, or not, each by itself.
    #[rstest]
    fn point_and_normal_are_held_to_their_own_angles(
        #[values(0.3, 0.6)] point_angle: f32,
        #[values(0.2, 0.9)] normal_angle: f32,
        #[values(0.0, 0.25, 0.5, 0.8, 1.2)] point: f32,
        #[values(0.0, 0.1, 0.5, 0.8, 1.2)] normal: f32,
        #[values(false, true)] physx_rules: bool,
    ) {
        let policy = ContactPolicy {
            point_angle,
            normal_angle,
            physx_rules,
        };
        let (radial, face) = (leaning(point), -leaning(-normal));
        let (below, faces) = (point <= point_angle, normal <= normal_angle);
        let suspensions = policy.is_suspensions(Vec3::NEG_Z, radial, face);
        assert_eq!(suspensions, below && faces);
        let rigid = policy.is_rigid(Vec3::NEG_Z, radial, face);
        let neither = !below && !faces;
        assert_eq!(rigid, if physx_rules { neither } else { !suspensions });
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
            physx_rules: false,
        };
        policy.check(&mut inspector);
        let found = inspector.verdict().err().map_or(0, |found| found.0.len());
        assert_eq!(found, faults);
    }

    proptest! {
        /// Points count in the wheel's plane: how far aside of it they are does not matter.
        #[test]
        fn a_contact_may_be_anywhere_across_the_tread(
            point in direction(), normal in direction(), aside in -1.0_f32..1.0,
        ) {
            let place = |aside: f32| {
                let wheel = WheelContact { axle: Vec3::Y, ..WHEEL };
                let arm = Vec3::new(point.x, 0.0, point.z) + Vec3::Y * aside;
                wheel.modified(wheel.centre + arm, normal)
            };
            prop_assume!((point.x.abs() + point.z).abs() > 1e-3);
            prop_assert_eq!(place(0.0).is_some(), place(aside).is_some());
        }

        /// The rim's own speed, as the way that a point of it takes in a short time, freed of what points
        /// into the obstacle; a tenth of it, and against it: what the wheel pushes back drives it ahead.
        #[test]
        fn friction_aims_at_a_share_of_the_rims_speed(
            axle in direction(), arm in direction(), normal in direction(), spin in -30.0_f32..30.0,
            share in 0.0_f32..1.0,
        ) {
            let wheel = WheelContact {
                settings: RigidWheels {
                    // Nothing is the suspension's.
                    policy: ContactPolicy { point_angle: 0.0, normal_angle: 0.0, physx_rules: false },
                    spin_share: share,
                },
                centre: Vec3::new(3.0, -2.0, 1.0),
                axle,
                spin,
                application_point: None,
                ..WHEEL
            };
            let point = wheel.centre + arm * 0.4;
            let found = wheel.modified(point, normal).unwrap();
            prop_assert_eq!(found.point, point);
            let short = 1e-2;
            let turned = |time: f32| math::matrix(math::rotation_about(axle, spin * time)) * (arm * 0.4);
            // Central differences are exact but for a known factor.
            let factor = math::sin_cos(spin * short).0 / (spin * short);
            prop_assume!(factor.is_finite());
            let rim = (turned(short) - turned(-short)) * (0.5 / short / factor);
            let along = rim - normal * rim.dot(normal);
            let off = found.target_velocity + along * share;
            prop_assert!(off.length() < 1e-3 * (1.0 + rim.length()), "{} {}", found.target_velocity, along);
        }
    }

    #[test]
    fn the_ground_is_the_suspensions_and_a_wall_is_rigid() {
        let under = WHEEL.modified(Vec3::new(0.05, 0.0, 0.6), Vec3::Z);
        assert_eq!(under, None);
        let ahead = Vec3::new(0.4, 0.1, 1.0);
        let wall = WHEEL.modified(ahead, Vec3::NEG_X).unwrap();
        // A wheel that rolls forward climbs a wall: the rim in front of it goes down.
        assert!((wall.target_velocity - Vec3::Z * 0.4).length() < 1e-6);
        assert_eq!(Some(wall.point), WHEEL.application_point);
    }
}
