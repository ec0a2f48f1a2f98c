//! The wheel colliders of a vehicle: their poses, and the hooks' data.

mod cart;

use backend_rapier::{
    RapierLink, WheelFault, WheelHook, WheelSize, attach_wheels, body_handle, follow_wheels,
    publish_wheels, set_mass_properties, share_contacts,
};
use glam::{Mat3, Vec3};
use rapier3d::prelude::*;
use rstest::rstest;
use vehicle_core::profile::{ExplicitSettings, RowsSettings, Solver};
use vehicle_core::{BodyError, BodyId, Frame, QueryFilter, Vehicle, WheelColliderSettings};

const FRAME: Frame = Frame::X_FORWARD_Y_UP;

const ROWS: Solver = Solver::Rows(RowsSettings::DEFAULT);
const EXPLICIT: Solver = Solver::Explicit(ExplicitSettings::DEFAULT);

/// A cart on a body, with a collider for each of its wheels.
struct Rig {
    world: PhysicsWorld,
    link: RapierLink,
    vehicle: Vehicle,
    wheels: Vec<Option<ColliderHandle>>,
}

fn rig_with(solver: Solver) -> Rig {
    let mut world = PhysicsWorld::new();
    let body = world.insert_body(RigidBodyBuilder::dynamic());
    let mut link = RapierLink::new(FRAME);
    let id = link.add_chassis(body, FRAME);
    let vehicle = Vehicle::new(cart::model(solver), id);
    let sizes: Vec<_> = (vehicle.model().params().wheels.iter())
        .map(|wheel| {
            Some(WheelSize {
                radius: wheel.radius,
                width: wheel.width,
            })
        })
        .collect();
    let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
    let groups = InteractionGroups::none();
    let wheels = attach_wheels(bodies, colliders, id, &FRAME, &sizes, groups).unwrap();
    Rig {
        world,
        link,
        vehicle,
        wheels,
    }
}

fn rig() -> Rig {
    rig_with(ROWS)
}

impl Rig {
    fn share(&mut self) -> Result<(), WheelFault> {
        share_contacts(
            &mut self.link,
            &self.world.bodies,
            &mut self.world.colliders,
            &self.vehicle,
            &self.wheels,
            WheelColliderSettings::default(),
        )
    }

    fn follow(&mut self) {
        let (bodies, colliders) = (&self.world.bodies, &mut self.world.colliders);
        follow_wheels(bodies, colliders, &self.wheels, &self.vehicle, &FRAME);
    }

    /// The hooks' data of a wheel, if they are called for it.
    fn hook(&mut self, wheel: usize) -> Option<WheelHook> {
        self.link.wheel_hook_mut(self.wheels[wheel]?).copied()
    }

    fn collider(&mut self, wheel: usize) -> &mut Collider {
        &mut self.world.colliders[self.wheels[wheel].unwrap()]
    }
}

#[test]
fn the_cylinder_of_a_wheel_has_its_size() {
    let mut rig = rig();
    for (number, radius, width) in [(0, 0.5, 0.4), (1, 0.4, 0.3)] {
        let cylinder = *rig.collider(number).shape().as_cylinder().unwrap();
        assert_eq!(
            (cylinder.radius, 2.0 * cylinder.half_height),
            (radius, width)
        );
    }
}

/// Wheels keep their positions for any origin of the body and any center of mass.
#[rstest]
#[case::as_the_vehicle_has_it(cart::CENTER)]
#[case::elsewhere_on_the_body(Vec3::new(-0.6, 0.4, 1.2))]
fn wheels_keep_their_positions_about_the_center_of_mass(#[case] center: Vec3) {
    let mut rig = rig();
    let (bodies, colliders) = (&mut rig.world.bodies, &mut rig.world.colliders);
    let (id, inertia) = (rig.vehicle.body(), Mat3::from_diagonal(Vec3::splat(300.0)));
    set_mass_properties(bodies, colliders, id, &FRAME, 500.0, inertia, center).unwrap();
    rig.follow();
    for number in 0..2 {
        let place = *rig.collider(number).position_wrt_parent().unwrap();
        let arm = FRAME.to_vehicle(place.translation) - center;
        let pose = rig.vehicle.unrolled_wheel_pose(number);
        let expected = pose.position - cart::CENTER;
        assert!((arm - expected).length() < 1e-5, "{arm} {expected}");
        let axle = FRAME.to_vehicle(place.transform_vector(Vec3::Y));
        assert!((axle - pose.rotation * Vec3::Y).length() < 1e-6, "{axle}");
    }
}

#[test]
fn wheels_of_a_missing_chassis_are_skipped() {
    let mut rig = rig();
    let body = body_handle(rig.vehicle.body());
    rig.world.remove_body(body);
    rig.follow();
    assert_eq!(rig.world.colliders.len(), 0);
}

/// A rigid contact acts where the suspension's force does.
#[rstest]
#[case::explicit(EXPLICIT, Some(cart::APPLICATION - cart::CENTER))]
#[case::rows(ROWS, None)]
fn the_solver_decides_where_contacts_act(#[case] solver: Solver, #[case] place: Option<Vec3>) {
    let mut rig = rig_with(solver);
    rig.share().unwrap();
    for number in 0..2 {
        let hook = rig.hook(number).unwrap();
        assert_eq!(hook.application_point, place);
        assert_eq!(
            hook,
            WheelHook::of(&rig.vehicle, number, WheelColliderSettings::default())
        );
    }
}

#[test]
fn publishing_updates_the_hooks_from_the_vehicle() {
    let mut rig = rig();
    rig.share().unwrap();
    // The first wheel keeps its own settings.
    let first = rig.link.wheel_hook_mut(rig.wheels[0].unwrap()).unwrap();
    first.settings.policy.leaves_gap = true;
    first.spin = 77.0;
    *rig.vehicle.filter_mut() = QueryFilter {
        layers: 0b101,
        ..QueryFilter::except(rig.vehicle.body())
    };
    publish_wheels(&mut rig.link, &rig.vehicle, &rig.wheels);
    let layers = [0, 1].map(|number| rig.hook(number).unwrap().filter.layers);
    // The second wheel has its own layers.
    assert_eq!(layers, [0b101, 0b100]);
    assert_eq!(rig.hook(0).unwrap().spin, 0.0);
    let rules = [0, 1].map(|number| rig.hook(number).unwrap().settings.policy.leaves_gap);
    assert_eq!(rules, [true, false]);
}

/// Wheels shared before the failing one are restored.
#[rstest]
#[case::shared_already(true)]
#[case::of_nobody(false)]
fn all_wheels_are_shared_or_none(#[case] shared_already: bool) {
    let mut rig = rig();
    let last = rig.wheels[1].unwrap();
    let expected = if shared_already {
        let hook = WheelHook::of(&rig.vehicle, 1, WheelColliderSettings::default());
        let (bodies, colliders) = (&rig.world.bodies, &mut rig.world.colliders);
        rig.link.share_wheel(bodies, colliders, last, hook).unwrap();
        WheelFault::Twice(last)
    } else {
        rig.world.remove_collider(last);
        WheelFault::NotOf(last, rig.vehicle.body())
    };
    assert_eq!(rig.share(), Err(expected));
    assert_eq!(rig.hook(0), None);
    let groups = rig.collider(0).collision_groups();
    assert_eq!(groups, InteractionGroups::none());
}

#[test]
fn only_wheels_of_the_vehicle_are_accepted() {
    let mut rig = rig();
    let crate_ = rig.world.insert_body(RigidBodyBuilder::dynamic());
    let strange = rig
        .world
        .insert_collider(ColliderBuilder::ball(0.3), Some(crate_));
    let own = rig.wheels[0].replace(strange);
    let fault = WheelFault::NotOf(strange, rig.vehicle.body());
    assert_eq!(rig.share(), Err(fault));
    // A wheel without a collider is allowed.
    rig.wheels[0] = None;
    assert_eq!(rig.share(), Ok(()));
    assert!(rig.hook(1).is_some());
    assert_eq!(rig.link.wheel_hook_mut(own.unwrap()), None);
}

#[test]
fn a_chassis_that_is_no_longer_dynamic_shares_nothing() {
    let mut rig = rig();
    let id: BodyId = rig.vehicle.body();
    rig.world.bodies[body_handle(id)].set_body_type(RigidBodyType::Fixed, false);
    assert_eq!(rig.share(), Err(BodyError::NotDynamic(id).into()));
    assert_eq!(rig.hook(0), None);
}
