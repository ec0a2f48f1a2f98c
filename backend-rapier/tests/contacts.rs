//! Contacts of wheel colliders, shared with a suspension, here absent: one wheel on a box.

mod hooks;
mod points;

use backend_rapier::{
    RapierLink, WheelFault, WheelHook, WheelSize, attach_wheels, pose_wheels, set_mass_properties,
};
use glam::{Mat3, Quat, Vec3};
use rapier3d::prelude::*;
use rstest::rstest;
use vehicle_core::{BodyError, BodyId, ContactPolicy, Frame, WheelColliderSettings};

type Filter = vehicle_core::QueryFilter;

const FRAME: Frame = Frame::X_FORWARD_Y_UP;
const SIZE: WheelSize = WheelSize {
    radius: 0.35,
    width: 0.2,
};

fn hook(spin: f32) -> WheelHook {
    WheelHook {
        settings: WheelColliderSettings::default(),
        policy: ContactPolicy::DEFAULT,
        travel: Vec3::NEG_Z,
        application_point: None,
        spin,
        filter: Filter {
            layers: u32::MAX,
            ignore: [None, None],
            dynamic_bodies: true,
        },
    }
}

struct Rig {
    world: PhysicsWorld,
    link: RapierLink,
    id: BodyId,
    wheel: ColliderHandle,
}

/// A wheel at the origin of a body of 100 kg that cannot rotate, with `others`, without gravity.
/// The order of a pair in Rapier depends on which was created first.
fn rig(others: &[ColliderBuilder], wheel_first: bool, hook: WheelHook) -> Rig {
    let mut world = PhysicsWorld::new();
    world.gravity = Vec3::ZERO;
    world.integration_parameters.contact_clustering = false;
    world.integration_parameters.max_ccd_substeps = 0;
    let add = |world: &mut PhysicsWorld| {
        for other in others {
            world.insert_collider(other.clone(), None);
        }
    };
    if !wheel_first {
        add(&mut world);
    }
    let body = RigidBodyBuilder::dynamic().lock_rotations();
    let body = world.insert_body(body.can_sleep(false));
    let mut link = RapierLink::new(FRAME);
    let id = link.add_chassis(body, FRAME);
    let groups = InteractionGroups::none();
    let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
    let wheels = attach_wheels(bodies, colliders, id, &FRAME, &[Some(SIZE)], groups).unwrap();
    pose_wheels(colliders, &wheels, &[(Vec3::ZERO, Quat::IDENTITY)], &FRAME);
    let inertia = Mat3::from_diagonal(Vec3::splat(10.0));
    set_mass_properties(bodies, colliders, id, &FRAME, 100.0, inertia, Vec3::ZERO).unwrap();
    let wheel = wheels[0].unwrap();
    link.share_wheel(bodies, colliders, wheel, hook).unwrap();
    if wheel_first {
        add(&mut world);
    }
    Rig {
        world,
        link,
        id,
        wheel,
    }
}

impl Rig {
    fn body(&mut self) -> &mut RigidBody {
        &mut self.world.bodies[backend_rapier::body_handle(self.id)]
    }

    fn run(&mut self, steps: u32) {
        for _ in 0..steps {
            self.world.step_with_events(&self.link.hooks(), &());
        }
    }
}

/// A wall in front of the wheel, touching it.
fn wall() -> ColliderBuilder {
    ColliderBuilder::cuboid(0.5, 5.0, 5.0).translation(Vec3::X * 0.85)
}

/// Ground under the wheel, which is 5 cm deep in it.
fn ground() -> ColliderBuilder {
    ColliderBuilder::cuboid(5.0, 0.5, 5.0).translation(Vec3::NEG_Y * 0.8)
}

#[rstest]
fn the_ground_has_no_effect_at_any_speed(
    #[values(0.0, 0.5, 30.0)] speed: f32,
    #[values(true, false)] wheel_first: bool,
) {
    let long = ColliderBuilder::cuboid(500.0, 0.5, 5.0).translation(Vec3::NEG_Y * 0.8);
    let mut rig = rig(&[long], wheel_first, hook(speed / 0.35));
    rig.body().set_linvel(Vec3::X * speed, true);
    rig.run(120);
    let (place, velocity) = (rig.body().translation(), rig.body().linvel());
    assert_eq!(velocity, Vec3::X * speed);
    assert!((place - Vec3::X * speed * 2.0).length() < 1e-3, "{place}");
}

/// Wherever a step ends; without prediction, most steps end behind it.
#[rstest]
#[case(0.0, 10..=20)]
#[case(10.0, 0..=0)]
fn a_fast_wheel_does_not_pass_through_a_predicted_wall(
    #[case] prediction: f32,
    #[case] passed: core::ops::RangeInclusive<usize>,
    #[values(true, false)] wheel_first: bool,
) {
    let passes = |n: usize| {
        let face = 1.35 + 0.05 * n as f32;
        let sheet = ColliderBuilder::cuboid(0.01, 5.0, 5.0).translation(Vec3::X * (face + 0.01));
        let mut rig = rig(&[sheet], wheel_first, hook(0.0));
        rig.body().set_soft_ccd_prediction(prediction);
        rig.body().set_linvel(Vec3::X * 60.0, true);
        rig.run(10);
        rig.body().translation().x > face
    };
    let found = (0..20).filter(|&n| passes(n)).count();
    assert!(passed.contains(&found), "{found}");
}

/// A low curb, which looks like a wall when predicted from afar, does not stop a fast wheel.
#[rstest]
fn a_low_curb_does_not_stop_a_fast_wheel(#[values(10.0, 60.0, 200.0)] speed: f32) {
    // It meets the wheel 30° from its lowest point.
    let top = -0.35 * 0.75_f32.sqrt();
    let curb = ColliderBuilder::cuboid(10.0, 1.0, 5.0).translation(Vec3::new(14.0, top - 1.0, 0.0));
    let mut rig = rig(&[curb], true, hook(0.0));
    rig.body().set_soft_ccd_prediction(10.0);
    rig.body().set_linvel(Vec3::X * speed, true);
    // Until it is met.
    rig.run((3.9 / speed * 60.0) as u32);
    assert_eq!(rig.body().linvel(), Vec3::X * speed);
}

/// A wheel that rolls forward pulls itself up a wall in front, and pushes itself down along a
/// ceiling's edge behind.
#[rstest]
#[case::forward(20.0, 0.7)]
#[case::backward(-20.0, -0.7)]
#[case::still(0.0, 0.0)]
fn a_spinning_wheel_climbs_a_wall(
    #[case] spin: f32,
    #[case] speed: f32,
    #[values(true, false)] wheel_first: bool,
    #[values(true, false)] turned_round: bool,
) {
    let mut rig = rig(&[wall()], wheel_first, hook(spin));
    if turned_round {
        // A cylinder whose axis points to the right.
        let round = Quat::from_rotation_z(core::f32::consts::PI);
        let wheels = [Some(rig.wheel)];
        pose_wheels(
            &mut rig.world.colliders,
            &wheels,
            &[(Vec3::ZERO, round)],
            &FRAME,
        );
    }
    rig.body().add_force(Vec3::X * 2000.0, true);
    rig.run(120);
    let velocity = rig.body().linvel();
    assert!((velocity.y - speed).abs() < 0.02, "{velocity}");
    assert!(velocity.x.abs() < 0.01, "{velocity}");
    let place = rig.body().translation();
    assert!(place.x.abs() < 0.02, "{place}");
}

#[rstest]
#[case::ground_and_wall(vec![ground(), wall()])]
#[case::one_mesh(vec![corner()])]
fn a_wall_on_the_ground_stops_a_wheel_that_the_ground_does_not(
    #[case] others: Vec<ColliderBuilder>,
) {
    let mut rig = rig(&others, false, hook(0.0));
    rig.body().set_translation(Vec3::NEG_X, true);
    rig.body().set_linvel(Vec3::X * 5.0, true);
    rig.run(120);
    let place = rig.body().translation();
    assert!(place.x.abs() < 0.03 && place.y.abs() < 1e-4, "{place}");
}

/// Continuous detection brakes a fast wheel, the reason for `check_wheels` to report it. If this fails, the module's front page
/// is outdated.
#[rstest]
#[case::fast(1, 40.0, true)]
#[case::slow(1, 10.0, false)]
#[case::without(0, 40.0, false)]
fn continuous_detection_brakes_a_fast_wheel_on_its_own_ground(
    #[case] substeps: usize,
    #[case] speed: f32,
    #[case] brakes: bool,
) {
    let tile = |i: u8| ground().translation(Vec3::new(f32::from(i) * 10.0 - 10.0, -0.84, 0.0));
    let tiles: Vec<_> = (0..10).map(tile).collect();
    let mut rig = rig(&tiles, false, hook(0.0));
    rig.world.integration_parameters.max_ccd_substeps = substeps;
    rig.body().set_linvel(Vec3::X * speed, true);
    rig.run(60);
    let lost = speed - rig.body().translation().x;
    println!("{speed} m/s, {substeps} substeps: {lost} m short after 1 s");
    assert_eq!(lost > 0.1, brakes, "{lost}");
    assert!(lost.abs() < 1e-3 || brakes, "{lost}");
}

/// Ground and wall of four triangles in one collider: decided per triangle.
fn corner() -> ColliderBuilder {
    let square = |x: f32, y: f32| [-5.0, 5.0].map(|z| Vec3::new(x, y, z));
    let vertices = [square(-5.0, -0.3), square(0.35, -0.3), square(0.35, 5.0)].concat();
    let strip = |i: u32| [[i, i + 1, i + 3], [i, i + 3, i + 2]];
    let triangles = [strip(0), strip(2)].concat();
    ColliderBuilder::trimesh(vertices, triangles).unwrap()
}

#[test]
fn ground_that_the_suspension_may_not_use_is_rigid() {
    let mut rig = rig(&[ground()], false, hook(0.0));
    rig.link.wheel_hook_mut(rig.wheel).unwrap().filter.layers = 0;
    rig.run(120);
    let height = rig.body().translation().y;
    assert!(height > 0.02, "{height}");
}

/// A contact has another lever arm on the body at its application point.
#[test]
fn contacts_act_at_the_application_point() {
    let spin_of = |application_point: Option<Vec3>| {
        let hook = WheelHook {
            application_point,
            ..hook(0.0)
        };
        let mut rig = rig(&[wall()], false, hook);
        rig.body().lock_rotations(false, true);
        rig.body().set_linvel(Vec3::X, true);
        rig.run(3);
        rig.body().angvel().z
    };
    // The contact is level with the center of mass; at an application point below it, a wall
    // pitches the body nose down.
    assert!(spin_of(None).abs() < 0.05);
    let (below, above) = (Vec3::NEG_Z * 0.3, Vec3::Z * 0.3);
    assert!(spin_of(Some(below)) < -0.3, "{}", spin_of(Some(below)));
    assert!(spin_of(Some(above)) > 0.3, "{}", spin_of(Some(above)));
}

/// The policy's other angle: the suspension handles everything, or nothing.
#[rstest]
#[case::all(core::f32::consts::PI, 0.0)]
#[case::none(0.0, 1.0)]
fn the_policy_decides(#[case] angle: f32, #[case] stopped: f32) {
    let mut hook = hook(0.0);
    hook.policy = ContactPolicy {
        point_angle: angle,
        normal_angle: angle,
        leaves_gap: false,
    };
    let mut rig = rig(&[wall()], false, hook);
    rig.body().set_linvel(Vec3::X, true);
    rig.run(30);
    let speed = rig.body().linvel().x;
    assert!((speed - (1.0 - stopped)).abs() < 0.01, "{speed}");
}

struct Deaf;

impl PhysicsHooks for Deaf {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        if let Some(rigid) = context.rigid_mut() {
            rigid.solver_contacts.clear();
        }
    }
}

#[test]
fn the_users_hooks_run_afterwards() {
    let mut rig = rig(&[wall()], false, hook(0.0));
    rig.body().set_linvel(Vec3::X, true);
    for _ in 0..30 {
        let hooks = rig.link.hooks().and(&Deaf);
        rig.world.step_with_events(&hooks, &());
    }
    assert_eq!(rig.body().linvel(), Vec3::X);
}

#[test]
fn a_sleeping_wheel_is_not_changed() {
    let mut rig = rig(&[ground(), wall()], false, hook(0.0));
    *rig.body().activation_mut() = RigidBodyActivation::default();
    rig.run(120);
    assert!(rig.body().is_sleeping());
    rig.link.wheel_hook_mut(rig.wheel).unwrap().spin = 20.0;
    rig.run(60);
    assert!(rig.body().is_sleeping());
    assert!(rig.body().translation().length() < 1e-3);
}

#[test]
fn debug_output_of_hooks_has_the_number_of_wheels() {
    let rig = rig(&[], false, hook(0.0));
    let text = format!("{:?}", rig.link.hooks());
    assert_eq!(text, "WheelPhysicsHooks { wheels: 1, .. }");
}

#[test]
fn faults_are_reported_at_set_up() {
    let mut rig = rig(&[], false, hook(0.0));
    let (bodies, colliders) = (&rig.world.bodies, &mut rig.world.colliders);
    let twice = rig
        .link
        .share_wheel(bodies, colliders, rig.wheel, hook(0.0));
    assert_eq!(twice, Err(WheelFault::Twice(rig.wheel)));
    let loose = colliders.insert(ColliderBuilder::ball(1.0));
    let gone = rig.link.share_wheel(bodies, colliders, loose, hook(0.0));
    assert_eq!(gone, Err(WheelFault::Gone(loose)));
}

#[rstest]
#[case::fixed(RigidBodyBuilder::fixed())]
#[case::kinematic(RigidBodyBuilder::kinematic_position_based())]
fn a_chassis_that_is_not_dynamic_is_refused(#[case] chassis: RigidBodyBuilder) {
    let mut world = PhysicsWorld::new();
    let body = world.insert_body(chassis);
    let id = backend_rapier::body_id(body);
    let groups = InteractionGroups::all();
    let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
    let fault = attach_wheels(bodies, colliders, id, &FRAME, &[Some(SIZE)], groups);
    let not_dynamic = Err(WheelFault::Body(BodyError::NotDynamic(id)));
    assert_eq!(fault, not_dynamic);
    let wheel = colliders.insert_with_parent(ColliderBuilder::ball(0.3), body, bodies);
    let mut link = RapierLink::new(FRAME);
    let shared = link.share_wheel(bodies, colliders, wheel, hook(0.0));
    assert_eq!(shared, not_dynamic.map(|_: Vec<_>| ()));
}

#[rstest]
#[case(0.0, 0.2)]
#[case(0.3, f32::NAN)]
#[case(-0.3, 0.2)]
fn a_wheel_needs_a_valid_size(#[case] radius: f32, #[case] width: f32) {
    let mut world = PhysicsWorld::new();
    let body = world.insert_body(RigidBodyBuilder::dynamic());
    let id = backend_rapier::body_id(body);
    let sizes = [Some(SIZE), Some(WheelSize { radius, width })];
    let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
    let groups = InteractionGroups::all();
    let fault = attach_wheels(bodies, colliders, id, &FRAME, &sizes, groups).unwrap_err();
    assert!(
        fault.to_string().starts_with("wheel 1 has radius"),
        "{fault}"
    );
    assert_eq!(colliders.len(), 0);
}

#[test]
fn settings_that_rapier_cannot_combine_are_reported() {
    let mut rig = rig(&[], false, hook(0.0));
    let check = |rig: &Rig| {
        let world = &rig.world;
        let parameters = &world.integration_parameters;
        let faults = rig
            .link
            .check_wheels(parameters, &world.bodies, &world.colliders);
        faults.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(check(&rig), Vec::<String>::new());
    rig.world.integration_parameters.contact_clustering = true;
    assert!(check(&rig)[0].contains("contact_clustering"));
    rig.world.integration_parameters.contact_clustering = false;
    rig.world.integration_parameters.max_ccd_substeps = 1;
    // Half the wheel's radius in 1/60 s.
    assert!(
        check(&rig)[0].starts_with("from about 10.5 m/s on"),
        "{:?}",
        check(&rig)
    );
    rig.world.integration_parameters.max_ccd_substeps = 0;
    rig.world.colliders[rig.wheel].set_active_hooks(ActiveHooks::empty());
    assert!(check(&rig)[0].contains("has lost"));
    let wheel = rig.wheel;
    rig.world.remove_collider(wheel);
    assert!(check(&rig)[0].contains("is gone"));
    rig.run(3);
    rig.link.unshare_wheel(&mut rig.world.colliders, wheel);
    assert_eq!(check(&rig), Vec::<String>::new());
}

#[test]
fn a_chassis_is_reported_once_for_all_of_its_wheels() {
    let mut rig = rig(&[], false, hook(0.0));
    rig.world.integration_parameters.max_ccd_substeps = 1;
    let (bodies, colliders) = (&mut rig.world.bodies, &mut rig.world.colliders);
    let groups = InteractionGroups::none();
    let more = [Some(SIZE); 2];
    let more = attach_wheels(bodies, colliders, rig.id, &FRAME, &more, groups).unwrap();
    for wheel in more.into_iter().flatten() {
        let shared = rig.link.share_wheel(bodies, colliders, wheel, hook(0.0));
        shared.unwrap();
    }
    let parameters = &rig.world.integration_parameters;
    let faults = rig.link.check_wheels(parameters, bodies, colliders);
    assert!(
        matches!(*faults, [WheelFault::Swept { chassis, .. }] if chassis == rig.id),
        "{faults:?}"
    );
}

/// Two cars are two chassis braked by Rapier.
#[test]
fn every_chassis_is_reported() {
    let mut rig = rig(&[], false, hook(0.0));
    rig.world.integration_parameters.max_ccd_substeps = 1;
    let body = rig.world.insert_body(RigidBodyBuilder::dynamic());
    let second = rig.link.add_chassis(body, FRAME);
    let (bodies, colliders) = (&mut rig.world.bodies, &mut rig.world.colliders);
    let groups = InteractionGroups::none();
    let wheels = attach_wheels(bodies, colliders, second, &FRAME, &[Some(SIZE)], groups).unwrap();
    let wheel = wheels[0].unwrap();
    rig.link
        .share_wheel(bodies, colliders, wheel, hook(0.0))
        .unwrap();
    let parameters = &rig.world.integration_parameters;
    let faults = rig.link.check_wheels(parameters, bodies, colliders);
    let swept = faults.iter().map(|fault| match fault {
        WheelFault::Swept { chassis, .. } => *chassis,
        other => panic!("{other}"),
    });
    assert_eq!(swept.collect::<Vec<_>>(), [rig.id, second]);
}

/// A shared wheel calls the hooks, also one that called them before its contacts were shared.
#[test]
fn a_shared_wheel_calls_the_hooks() {
    let mut rig = rig(&[], false, hook(0.0));
    let body = backend_rapier::body_handle(rig.id);
    let own = ActiveHooks::MODIFY_SOLVER_CONTACTS | ActiveHooks::FILTER_CONTACT_PAIRS;
    let wheel = ColliderBuilder::cylinder(0.1, 0.3).active_hooks(own);
    let wheel = rig.world.insert_collider(wheel, Some(body));
    let (bodies, colliders) = (&rig.world.bodies, &mut rig.world.colliders);
    rig.link
        .share_wheel(bodies, colliders, wheel, hook(0.0))
        .unwrap();
    assert_eq!(colliders[wheel].active_hooks(), own);
}

#[test]
fn a_wheel_gets_its_groups_back() {
    let mut rig = rig(&[wall()], false, hook(0.0));
    let groups = |rig: &Rig| rig.world.colliders[rig.wheel].collision_groups();
    assert_eq!(groups(&rig), InteractionGroups::all());
    let wheel = rig.wheel;
    rig.link.unshare_wheel(&mut rig.world.colliders, wheel);
    assert_eq!(groups(&rig), InteractionGroups::none());
}
