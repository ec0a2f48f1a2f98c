//! A step is its substeps, one after the other.

use super::*;
use crate::params::SubstepPolicy;
use crate::params::profile::{ExplicitSettings, Profile, Solver};
use crate::testing::uneven::{lanes, tilted, vector, vectors};

/// A car on tires that push by their slip, under a profile.
fn sliding(profile: Profile, count: u32) -> VehicleModel {
    let mut params = with_profile(profile);
    substeps(&mut params, count);
    on_tires(params, echo(|i| 2000.0 * i.slip_ratio + 0.1 * i.load))
}

/// A push on the ground, as the mean of some steps.
fn mean(pushes: &[Groups<GroundPushes>]) -> V3x4 {
    let sum = pushes
        .iter()
        .fold(V3x4::ZERO, |sum, push| sum + push[0].force);
    sum * W4::splat(1.0 / pushes.len() as f32)
}

/// Ground that moves under all wheels, under each in another direction.
fn moving_ground() -> impl Strategy<Value = MovingGround> {
    let parts = (vectors(1.0), vectors(0.5), vectors(3.0), lanes(-0.3..0.3));
    parts.prop_map(|(own, spin, arm, rise)| MovingGround {
        any: true,
        velocity: own + spin.cross(arm),
        arm,
        spin,
        rise,
        ..MovingGround::FIXED
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A step of three substeps is three steps of one, bit by bit: state and motion alike, the push on the
    /// ground their mean, the rows and sticking wheels those of the first or of the last.
    #[test]
    fn a_step_is_its_substeps(
        rotation in tilted(), linear in vector(2.0), angular in vector(0.3), height in 1.3f32..1.7,
        ground in moving_ground(), spin in lanes(-4.0..4.0), last in any::<bool>(),
    ) {
        let mut profile = Profile::PHYSX_4;
        let settings = testing::explicit(&mut profile);
        (settings.damper_may_pull, settings.stops.of_last_substep) = (false, last);
        let upright = math::unit(Quat::from_xyzw(0.05 * rotation.x, 0.05 * rotation.y, rotation.z, 1.0));
        let rig = |count| {
            let rig = Rig::new(sliding(profile, count), height);
            let mut rig = rig.moving(upright, linear, angular);
            rig.ground[0] = ground;
            rig.wheels().spin = spin;
            rig
        };
        let (mut whole, mut parts) = (rig(3), rig(1));
        // A step leaves its last pose to the engine, which moves as its substeps do.
        let h = 3.0 * H / 3.0;
        whole.advance(3.0 * H);
        whole.chassis.drift(h);
        let steps = [0, 1, 2].map(|_| {
            parts.advance(h);
            parts.chassis.drift(h);
            parts.clone()
        });
        prop_assert_eq!(&whole.state, &parts.state);
        prop_assert_eq!(whole.chassis, parts.chassis);
        let counts = &steps[if last { 2 } else { 0 }];
        prop_assert_eq!(&whole.rows, &counts.rows);
        let sticking = |rig: &Rig| (rig.out().sticky.longitudinal, rig.out().sticky.lateral);
        prop_assert_eq!(sticking(&whole), sticking(counts));
        let pushes = steps.map(|rig| rig.reactions);
        let (push, expected) = (whole.reactions[0].force, mean(&pushes));
        for lane in 0..LANES {
            prop_assert!(near(push.lane(lane), expected.lane(lane), 1e5), "{push:?} {expected:?}");
        }
    }

    /// Struts take from the ground the momentum that they give to the car: over a step of any number of substeps,
    /// on ice, momentum goes from one to the other.
    #[test]
    fn struts_act_equally_and_oppositely_on_the_ground(
        rotation in tilted(), height in 1.4f32..1.6, count in 1u32..6, ground in moving_ground(),
    ) {
        let mut params = with_profile(Profile::PHYSX_4);
        testing::explicit(&mut params.profile).damper_may_pull = false;
        substeps(&mut params, count);
        let upright = math::unit(Quat::from_xyzw(0.05 * rotation.x, 0.05 * rotation.y, rotation.z, 1.0));
        let model = on_tires(params, echo(|_| 0.0));
        let mut rig = Rig::new(model, height).moving(upright, Vec3::ZERO, Vec3::ZERO);
        rig.ground[0] = ground;
        rig.advance(3.0 * H);
        let given = rig.chassis.velocity.truncated().linear * 1500.0;
        let taken = rig.reactions[0].force.sum() * (3.0 * H);
        prop_assert!(given.z > 10.0);
        prop_assert!(near(given, -taken, 1e3), "car {given}, ground {taken}");
    }

    /// PhysX 5 counts gravity in: a car in the air falls by it, and nothing else.
    #[test]
    fn gravity_is_integrated_if_set(rotation in tilted(), count in 1u32..4) {
        for (profile, falls) in [(Profile::PHYSX_4, 0.0), (Profile::PHYSX_5, 1.0)] {
            let mut rig = Rig::new(sliding(profile, count), 50.0);
            rig = rig.moving(rotation, Vec3::ZERO, Vec3::ZERO);
            rig.advance(3.0 * H);
            prop_assert!(near(rig.chassis.velocity.truncated().linear, GRAVITY * (falls * 3.0 * H), 1.0));
            prop_assert_eq!(rig.chassis.velocity.truncated().angular, Vec3::ZERO);
        }
    }
}

/// Fixed ground is not pushed.
#[test]
fn fixed_ground_has_no_reaction() {
    let mut rig = Rig::new(sliding(Profile::PHYSX_4, 2), REST);
    rig.reactions[0].force = V3x4::splat(Vec3::ONE);
    rig.advance(2.0 * H);
    assert!(rig.out().suspension_force.gt(W4::ZERO).all());
    assert_eq!(rig.reactions[0], GroundPushes::default());
}

/// Substeps follow the forward speed, in PhysX 5 with its sign: there, reversing is slow.
#[rstest]
#[case::slow(Profile::PHYSX_4, 4.0, 3)]
#[case::fast(Profile::PHYSX_4, 6.0, 1)]
#[case::backwards(Profile::PHYSX_4, -6.0, 1)]
#[case::slow_of_5(Profile::PHYSX_5, 4.0, 3)]
#[case::fast_of_5(Profile::PHYSX_5, 6.0, 1)]
#[case::backwards_in_5(Profile::PHYSX_5, -6.0, 3)]
fn slow_cars_take_more_substeps(#[case] profile: Profile, #[case] speed: f32, #[case] count: u32) {
    let mut params = with_profile(profile);
    params.substeps = SubstepPolicy::PHYSX;
    let heading = tilt(0.0, 0.0, 0.7);
    let model = on_tires(params, echo(|_| 0.0));
    let velocity = heading * Vec3::new(speed, 20.0, 0.0);
    let mut rig = Rig::new(model, REST).moving(heading, velocity, Vec3::ZERO);
    rig.advance(3.0 * H);
    // Every tire receives one step per substep.
    let values = rig.state.extras.tires()[0].values;
    assert_eq!(values[0], count as f32);
    assert!(close(values[4], 3.0 * H, 1.0));
}

/// Wheels that are off get nothing of the drive.
#[test]
fn a_disabled_wheel_is_not_braked() {
    let mut params = with_profile(Profile::PHYSX_4);
    params.anti_roll.clear();
    params.wheels[3].enabled = false;
    params.wheels[2].suspension.sprung_mass = 625.0;
    let mut rig = Rig::new(on_tires(params, echo(|_| 0.0)), REST);
    rig.control.wheels[0].brake = W4::splat(100.0);
    rig.advance(H);
    assert_eq!(
        rig.control.wheels[0].brake.to_array(),
        [100.0, 100.0, 100.0, 0.0]
    );
    assert!(!rig.out().loaded.lane(3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The default settings, which the compiler knows, do what they say: to the bit what settings do that differ in
    /// nothing that a step asks for.
    #[test]
    fn default_settings_do_what_they_say(
        rotation in tilted(), linear in vector(8.0), angular in vector(0.5), height in 1.3f32..1.7,
        ground in moving_ground(), moves in any::<bool>(), spin in lanes(-20.0..20.0),
    ) {
        let rig = |outlive| {
            let settings = ExplicitSettings { bars_outlive_wheels: outlive, ..ExplicitSettings::DEFAULT };
            let profile = Profile { solver: Solver::Explicit(settings), ..Profile::DEFAULT };
            let model = sliding(profile, 3);
            assert_eq!(model.has_default_settings(), !outlive);
            let mut rig = Rig::new(model, height).moving(rotation, linear, angular);
            rig.ground[0] = if moves { ground } else { MovingGround::FIXED };
            rig.wheels().spin = spin;
            rig.advance(H);
            rig
        };
        let (known, asked) = (rig(false), rig(true));
        prop_assert_eq!(known.state, asked.state);
        prop_assert_eq!(known.chassis, asked.chassis);
        prop_assert_eq!(known.outputs, asked.outputs);
        prop_assert_eq!(known.rows, asked.rows);
    }
}
