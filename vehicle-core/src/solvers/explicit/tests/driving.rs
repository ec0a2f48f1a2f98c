//! Spins, displayed angles, and what tires remember.

use super::*;
use crate::base::checked::Inspector;
use crate::contracts::drivetrain::{ClutchAccuracy, Drivetrain, EngineCoupling};
use crate::exchange::command::Command;
use crate::exchange::step_error::StepError;
use crate::params::profile::Profile;

/// A drive that splits torque by load.
#[derive(Debug)]
struct ByLoad;

impl Drivetrain for ByLoad {
    fn check(&self, _: usize, _: &mut Inspector) {}

    fn initial_state(&self) -> DriveState {
        DriveState::default()
    }

    fn control(&self, _: &Command, _: &mut DriveState, _: &mut Control) -> Result<(), StepError> {
        Ok(())
    }

    fn split_torque(&self, _: &DriveState, wheels: &[WheelState], control: &mut Control) {
        control.wheels[0].torque_share = wheels[0].normal_force;
    }

    fn requests_motion(&self, _: &Command, _: &DriveState) -> bool {
        false
    }
}

/// Drives know the loads of the substep in which they split torque.
#[rstest]
#[case::one(1)]
#[case::three(3)]
fn torque_is_shared_by_present_loads(#[case] count: u32) {
    let mut params = with_profile(Profile::PHYSX_4);
    substeps(&mut params, count);
    let params = Checked::new(params).unwrap();
    let model = VehicleModel::new(params, &testing::tires(), Arc::new(ByLoad)).unwrap();
    let mut rig = Rig::new(model, REST).moving(tilt(0.02, 0.01, 0.3), Vec3::ZERO, Vec3::ZERO);
    let before = rig.wheels().normal_force;
    rig.advance(count as f32 * H);
    let loads = rig.wheels().normal_force;
    assert_ne!(loads, before);
    assert_eq!(rig.control.wheels[0].torque_share, loads);
}

/// Rolling resistance takes spin as a torque on the wheel's inertia, and never turns a wheel back.
#[rstest]
#[case::rolls([20.0, -20.0, 5.0, -5.0])]
#[case::nearly_stands([0.1, -0.1, 0.0, 0.01])]
fn rolling_resistance_slows_and_stops(#[case] spin: [f32; 4]) {
    let params = with_profile(Profile {
        tire_moments: true,
        ..Profile::PHYSX_4
    });
    let mut rig = Rig::new(on_tires(params, echo(|_| 90.0)), REST);
    rig.wheels().spin = W4::from_array(spin);
    rig.advance(H);
    // The longitudinal force turns the wheel back as well: by a quarter.
    let tire = -0.25 * 90.0 * H / 2.5;
    let most = 90.0 * H / 2.5;
    let damped = 1.0 / (1.0 + H * 0.25 / 2.5);
    for (lane, before) in spin.into_iter().enumerate() {
        let slowed = before - before.clamp(-most, most);
        let expected = (slowed + tire) * damped;
        let actual = rig.state.wheels[0].spin.lane(lane);
        assert!(close(actual, expected, 30.0), "{actual} {expected}");
    }
}

/// Tires that roll are cooled by the air they move through: those of wheels in the air are told the
/// chassis' speed, no load and no friction, as often as others.
#[rstest]
#[case::speed(|i: &TireInput| i.forward_speed, 30.0, 30.0)]
#[case::spin(|i: &TireInput| i.rim_speed, 8.0, 8.0)]
#[case::load(|i: &TireInput| i.load, 0.0, 312.5 * G)]
#[case::friction(|i: &TireInput| i.friction, 0.0, 1.0)]
#[case::rest_load(|i: &TireInput| i.rest_load, 457.5 * G, 332.5 * G)]
fn tires_in_the_air_advance_without_load(
    #[case] of: fn(&TireInput) -> f32,
    #[case] airborne: f32,
    #[case] loaded: f32,
) {
    let model = on_tires(with_profile(Profile::PHYSX_4), Silent(echo(of)));
    let mut rig = Rig::new(model, REST);
    rig = rig.moving(Quat::IDENTITY, Vec3::new(30.0, 0.0, 0.0), Vec3::ZERO);
    rig.wheels().ground_height = W4::from_array([9.0, 9.0, REST, REST]);
    rig.wheels().spin = W4::splat(16.0);
    rig.advance(H);
    for (n, tire) in rig.state.extras.tires().iter().enumerate() {
        assert_eq!(tire.values[0], 1.0, "tire {n} received no step");
        let expected = if n < 2 { airborne } else { loaded };
        assert!(close(tire.values[1], expected, 1e3), "{n} {tire:?}");
    }
}

/// Remembers its inputs, and has no forces.
#[derive(Debug)]
struct Silent(Echo);

impl TireModel for Silent {
    fn forces(&self, _: &TireInput) -> TireForces {
        TireForces::default()
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        Some(&self.0)
    }
}

/// A wheel in the air cools as fast as the car drives, step after step, until it has the air's warmth.
#[test]
fn a_tire_in_the_air_is_cooled() {
    let mut rig = Rig::new(on_tires(with_profile(Profile::PHYSX_4), Warm), 50.0);
    rig = rig.moving(Quat::IDENTITY, Vec3::X * 20.0, Vec3::ZERO);
    let mut last = 80.0;
    for _ in 0..10 {
        rig.advance(H);
        for tire in rig.state.extras.tires().iter() {
            assert!(
                tire.values[0] < last - 0.05,
                "{} stays warm",
                tire.values[0]
            );
        }
        last = rig.state.extras.tires()[0].values[0];
    }
}

/// Warm rubber that the wind cools.
#[derive(Debug)]
struct Warm;

impl TireModel for Warm {
    fn forces(&self, _: &TireInput) -> TireForces {
        TireForces::default()
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        Some(self)
    }
}

impl StatefulTire for Warm {
    fn fresh(&self) -> TireState {
        TireState {
            values: [80.0; 6],
            ..TireState::default()
        }
    }

    fn advance(&self, state: &mut TireState, step: &TireStep) {
        let cooling = 0.02 * step.input.forward_speed.abs();
        state.values[0] -= cooling * (state.values[0] - 20.0) * step.duration;
    }
}

/// Wheels of four masses behind torques of tires, brakes and drive.
#[test]
fn spins_integrate_all_torques() {
    let mut rig = Rig::new(
        on_tires(with_profile(Profile::PHYSX_4), echo(|_| 40.0)),
        REST,
    );
    rig.wheels().spin = W4::splat(12.0);
    rig.control.wheels[0].drive = W4::from_array([0.0, 100.0, 0.0, 100.0]);
    rig.control.wheels[0].brake = W4::from_array([0.0, 0.0, 50.0, 50.0]);
    rig.advance(H);
    for (lane, torque) in [0.0, 100.0, -50.0, 50.0].into_iter().enumerate() {
        let expected = (12.0 + (torque - 10.0) * H / 2.5) / (1.0 + H * 0.25 / 2.5);
        let actual = rig.state.wheels[0].spin.lane(lane);
        assert!(close(actual, expected, 12.0), "{actual} {expected}");
    }
}

fn coupling(ratio: f32, clutch: f32, torque: f32) -> EngineCoupling {
    EngineCoupling {
        inertia: 1.0,
        idle_speed: 0.0,
        idle_torque: f32::INFINITY,
        max_speed: 600.0,
        damping: 0.0,
        torque,
        friction: 0.0,
        ratio,
        clutch,
        capacity: None,
        accuracy: ClutchAccuracy::Exact,
        throttle: 1.0,
    }
}

/// A wheel that nothing drives or brakes is shown rolling at low speed; so it is behind an open clutch, in
/// neutral, and behind an engine without torque.
#[rstest]
#[case::alone(None, 0.0, 0.0, REST, true)]
#[case::engine(Some(coupling(8.0, 10.0, 1.0)), 0.0, 0.0, REST, false)]
#[case::open(Some(coupling(8.0, 0.0, 1.0)), 0.0, 0.0, REST, true)]
#[case::neutral(Some(coupling(0.0, 10.0, 1.0)), 0.0, 0.0, REST, true)]
#[case::idling(Some(coupling(8.0, 10.0, 0.0)), 0.0, 0.0, REST, true)]
#[case::direct(None, 20.0, 0.0, REST, false)]
#[case::both(Some(coupling(8.0, 10.0, 1.0)), 20.0, 0.0, REST, false)]
#[case::braked(None, 0.0, 1.0, REST, false)]
#[case::driven_and_braked(None, 20.0, 1.0, REST, false)]
#[case::airborne(None, 0.0, 0.0, 9.0, false)]
#[case::extended(None, 0.0, 0.0, REST + 0.05, true)]
fn only_free_wheels_are_displayed_rolling(
    #[case] coupling: Option<EngineCoupling>,
    #[case] drive: f32,
    #[case] brake: f32,
    #[case] height: f32,
    #[case] rolling: bool,
) {
    let mut rig = Rig::new(on_ice(Profile::PHYSX_4), height);
    rig = rig.moving(Quat::IDENTITY, Vec3::X * 2.0, Vec3::ZERO);
    rig.wheels().spin = W4::splat(9.0);
    rig.control.coupling = coupling;
    rig.control.wheels[0].torque_share = W4::splat(0.25);
    rig.control.wheels[0].drive = W4::splat(drive);
    rig.control.wheels[0].brake = W4::splat(brake);
    rig.advance(H);
    let wheels = &rig.state.wheels[0];
    for lane in 0..LANES {
        let (shown, spin) = (wheels.spin_shown.lane(lane), wheels.spin.lane(lane));
        // Two fifths of the blend speed: so much of its spin, the rest as it rolls.
        let blended = 0.6 * 4.0 + 0.4 * spin;
        let expected = if rolling { blended } else { spin };
        assert!((shown - expected).abs() < 0.1, "{shown} {expected}");
    }
}

/// PhysX 5 turns its wheels once, by the whole step at the last spin; others in every substep.
#[rstest]
#[case::once(true)]
#[case::always(false)]
fn wheels_turn_once_or_in_every_substep(#[case] turns_once: bool) {
    let mut params = with_profile(Profile::PHYSX_4);
    testing::explicit(&mut params.profile).turns_once = turns_once;
    substeps(&mut params, 3);
    let mut rig = Rig::new(on_tires(params, echo(|_| 0.0)), 50.0);
    rig.control.wheels[0].drive = W4::splat(500.0);
    let mut expected = 0.0;
    let (mut spin, gain) = (0.0, 500.0 * H / 2.5);
    for _ in 0..3 {
        spin = (spin + gain) / (1.0 + H * 0.25 / 2.5);
        expected += spin * H;
    }
    if turns_once {
        expected = spin * 3.0 * H;
    }
    rig.advance(3.0 * H);
    let angle = rig.state.wheels[0].angle.lane(2);
    assert!(close(angle, expected, 0.1), "{angle} {expected}");
}
