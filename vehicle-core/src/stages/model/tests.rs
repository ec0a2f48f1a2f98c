//! Constants of four wheels are those of their parameters.

use alloc::string::ToString;
use alloc::vec;

use super::*;
use crate::contracts::stateful_tire::TireStep;
use crate::contracts::tire::TireForces;
use crate::contracts::tire::{TireInput, TireTraits};
use crate::exchange::command::Command;
use crate::exchange::state::DriveState;
use crate::exchange::step_error::StepError;
use crate::params::AntiRollBar;
use crate::stages::wheel_consts::per_travel;
use crate::testing::uneven::{close, near, uneven};
use crate::testing::{four_wheeler, model_of, no_drive, tires};
use glam::Vec3;
use proptest::prelude::*;
use rstest::rstest;

/// A law that only tells what it is like, and may remember.
#[derive(Debug)]
struct Like {
    traits: TireTraits,
    remembers: bool,
}

impl TireModel for Like {
    fn forces(&self, _: &TireInput) -> TireForces {
        TireForces::default()
    }

    fn traits(&self) -> TireTraits {
        self.traits
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        self.remembers.then_some(self)
    }
}

impl StatefulTire for Like {
    fn fresh(&self) -> TireState {
        TireState {
            lengths: [0.5, 0.25],
            values: [7.0; 6],
        }
    }

    fn advance(&self, _: &mut TireState, _: &TireStep) {}
}

/// Wheel 2 on a law like this, the others on a plain one.
fn third_wheel_on(traits: TireTraits, remembers: bool, profile: Profile) -> VehicleModel {
    let mut params = four_wheeler();
    params.profile = profile;
    params.wheels[2].tire.model = 1;
    let plain = Like {
        traits: TireTraits {
            feels_camber: false,
            ..TireTraits::PLAIN
        },
        remembers: false,
    };
    let tires: [Arc<dyn TireModel>; 2] = [Arc::new(plain), Arc::new(Like { traits, remembers })];
    VehicleModel::new(Checked::new(params).unwrap(), &tires, no_drive()).unwrap()
}

fn third() -> Mask4 {
    Mask4::from_array([false, false, true, false])
}

#[test]
fn constants_are_those_of_the_parameters() {
    let params = uneven();
    let model = model_of(params.clone());
    let k = model.wheels().first();
    for (n, wheel) in params.wheels.iter().enumerate() {
        let s = &wheel.suspension;
        for (constant, parameter) in [
            (k.radius, wheel.radius),
            (k.half_width, wheel.width / 2.0),
            (k.inverse_radius, 1.0 / wheel.radius),
            (k.inertia, wheel.inertia),
            (k.inverse_inertia, 1.0 / wheel.inertia),
            (k.damping, wheel.damping),
            (k.toe, wheel.toe),
            (k.stiffness, s.stiffness),
            (k.damper, s.damping.bump.rate),
            (k.bump_stop, s.bump_stop_stiffness),
            (k.sprung_mass, s.sprung_mass),
            (k.wheel_mass, wheel.mass),
            (k.max_compression, s.max_compression),
            (k.max_droop, s.max_droop),
        ] {
            assert!(close(constant.lane(n), parameter, parameter.abs()));
        }
        assert!(k.enabled.lane(n));
        let friction = wheel.tire.friction_curve;
        assert_eq!(
            k.curve_slip.map(|x| x.lane(n)),
            [friction[1][0], friction[2][0]]
        );
        assert_eq!(
            k.curve_friction.map(|y| y.lane(n)),
            friction.map(|[_, y]| y)
        );
    }
    assert!(k.lowers_sides && k.friction_falls);
}

#[test]
fn lever_arms_are_relative_to_the_center_of_mass() {
    let params = uneven();
    let model = model_of(params.clone());
    let k = model.wheels().first();
    let from_center = |point: Vec3| point - params.chassis.center_of_mass;
    for (n, wheel) in params.wheels.iter().enumerate() {
        let (s, tire) = (&wheel.suspension, from_center(wheel.tire.application_point));
        let (center, down) = (from_center(wheel.position), s.travel_direction);
        let strut = from_center(s.application_point);
        assert!(near(k.center.lane(n), center, 2.0));
        assert!(near(k.travel.lane(n), down, 1.0));
        assert!(near(k.suspension_point.lane(n), strut, 2.0));
        assert!(near(k.suspension_arm(n), strut.cross(down), 2.0));
        assert!(near(k.tire_point.lane(n), tire, 2.0));
        let side = Vec3::new(tire.x, tire.y, tire.z * s.roll_influence);
        assert!(near(k.side_point.lane(n), side, 2.0));
        // A ray goes from the top of the wheel at full compression to a radius below full droop.
        let top = center - down * (s.max_compression + wheel.radius);
        assert!(near(k.ray_start.lane(n), top, 2.0));
        let end = center + down * (s.max_droop + 2.0 * wheel.radius);
        assert!(near(top + down * k.ray_length.lane(n), end, 3.0));
        let ground = center + down * wheel.radius;
        assert!(near(top + down * k.rest_distance.lane(n), ground, 3.0));
    }
}

/// A spring law says what a strut carries at jounce 0, and a tire what presses on it.
#[test]
fn preloads_and_rest_masses_follow_their_laws() {
    let params = uneven();
    let model = model_of(params.clone());
    let k = model.wheels().first();
    for (n, wheel) in params.wheels.iter().enumerate() {
        let s = &wheel.suspension;
        let (mass, force) = if s.free_at_droop {
            (0.0, s.stiffness * s.max_droop)
        } else {
            (s.sprung_mass, 0.0)
        };
        assert_eq!((k.preload_mass.lane(n), k.preload.lane(n)), (mass, force));
        let both = wheel.mass + s.sprung_mass;
        assert_eq!(k.rest_mass.lane(n), wheel.tire.rest_mass.unwrap_or(both));
    }
}

#[test]
fn lanes_without_a_wheel_are_disabled() {
    let mut params = four_wheeler();
    params.wheels.push(params.wheels[3].clone());
    for wheel in &mut params.wheels {
        wheel.suspension.sprung_mass = 300.0;
    }
    params.wheels[1].enabled = false;
    params.wheels[0].suspension.sprung_mass = 600.0;
    params.anti_roll.clear();
    let model = model_of(params);
    let enabled = [0, 1].map(|g| model.wheels()[g].enabled);
    assert_eq!(enabled[0], Mask4::from_array([true, false, true, true]));
    assert_eq!(enabled[1], Mask4::from_array([true, false, false, false]));
    assert_eq!(model.idle_control().disabled, 0b10);
    assert_eq!(model.wheel_count(), 5);
}

#[test]
fn disabled_wheels_are_set_before_control() {
    let mut params = four_wheeler();
    for (n, sprung_mass) in [750.0, 1.0, 750.0, 1.0].into_iter().enumerate() {
        params.wheels[n].suspension.sprung_mass = sprung_mass;
        params.wheels[n].enabled = n % 2 == 0;
    }
    params.anti_roll.clear();
    assert_eq!(model_of(params).idle_control().disabled, 0b1010);
}

/// A control has nothing of disabled wheels; while all are enabled, it is left as it is.
#[rstest]
#[case::on(true)]
#[case::off(false)]
fn disabled_wheels_receive_no_drive(#[case] enabled: bool) {
    let mut params = four_wheeler();
    params.wheels[2].suspension.sprung_mass = 625.0;
    params.wheels[3].suspension.sprung_mass = 1.0;
    params.wheels[2].suspension.sprung_mass -= f32::from(u8::from(enabled));
    params.wheels[3].enabled = enabled;
    params.anti_roll.clear();
    let model = model_of(params);
    let mut control = model.idle_control();
    control.wheels[0].brake = W4::splat(100.0);
    model.disable_wheels(&mut control);
    let braked = if enabled { 100.0 } else { 0.0 };
    assert_eq!(
        control.wheels[0].brake.to_array(),
        [100.0, 100.0, 100.0, braked]
    );
}

/// Each trait is that of the wheels whose law has it, and of no others.
#[test]
fn traits_are_stored_by_wheel() {
    let with = |change: fn(&mut TireTraits)| {
        let mut traits = TireTraits::PLAIN;
        change(&mut traits);
        third_wheel_on(traits, false, Profile::DEFAULT)
    };
    let plain = with(|_| ());
    let k = plain.wheels().first();
    assert!(!(k.has_offsets || k.friction_falls || plain.friction_falls() || plain.has_moments()));
    assert_eq!((k.moments, k.properties), (Mask4::NONE, Mask4::NONE));
    let falls = with(|t| t.friction_falls = true);
    assert!(falls.friction_falls() && falls.wheels().first().friction_falls);
    assert!(with(|t| t.has_offsets = true).wheels().first().has_offsets);
    assert!(k.feels_camber);
    let upright = with(|t| t.feels_camber = false);
    assert!(!upright.wheels().first().feels_camber);
    let moments = with(|t| t.has_moments = true);
    assert!(moments.has_moments());
    assert_eq!(moments.wheels().first().moments, third());
    let with_properties = with(|t| t.has_properties = true);
    assert_eq!(with_properties.wheels().first().properties, third());
}

#[test]
fn moments_act_only_if_the_profile_allows() {
    let traits = TireTraits {
        has_moments: true,
        ..TireTraits::PLAIN
    };
    let model = third_wheel_on(traits, false, Profile::PHYSX_4);
    assert!(!model.has_moments() && model.wheels().first().moments == Mask4::NONE);
}

#[test]
fn a_falling_friction_curve_is_detected() {
    let mut params = four_wheeler();
    params.wheels[3].tire.friction_curve[2][1] = 0.9;
    let plain: [Arc<dyn TireModel>; 1] = [Arc::new(Like {
        traits: TireTraits::PLAIN,
        remembers: false,
    })];
    let model = VehicleModel::new(Checked::new(params).unwrap(), &plain, no_drive()).unwrap();
    assert!(model.friction_falls());
}

#[test]
fn only_stateful_tires_have_states() {
    let model = third_wheel_on(TireTraits::PLAIN, true, Profile::DEFAULT);
    assert_eq!(model.wheels().first().stateful, third());
    assert!(model.has_stateful_tires());
    let blank = TireState::default();
    let tire = Like {
        traits: TireTraits::PLAIN,
        remembers: true,
    };
    let fresh = [blank, blank, tire.fresh(), blank];
    assert_eq!(model.fresh_extras().tires(), fresh);
    assert_eq!(
        [0, 1, 2, 3].map(|n| model.remembers(n)),
        [false, false, true, false]
    );
    let plain = third_wheel_on(TireTraits::PLAIN, false, Profile::DEFAULT);
    assert!(!plain.has_stateful_tires() && plain.fresh_extras().tires().is_empty());
}

#[test]
fn the_rate_of_every_bar_counts_at_both_of_its_wheels() {
    let mut params = four_wheeler();
    let bar = |a, b, stiffness| AntiRollBar {
        wheels: [a, b],
        stiffness,
    };
    params.anti_roll = vec![bar(0, 1, 100.0), bar(1, 3, 20.0)];
    let model = model_of(params);
    let stiffness = model.wheels().first().bar_stiffness.to_array();
    assert_eq!(stiffness, [100.0, 120.0, 0.0, 20.0]);
    assert_eq!(model.bars().len(), 2);
}

#[test]
fn a_missing_tire_model_is_reported() {
    let mut params = four_wheeler();
    params.wheels[1].tire.model = 1;
    let params = Checked::new(params).unwrap();
    let error = VehicleModel::new(params, &tires(), no_drive()).unwrap_err();
    assert!(
        error.to_string().contains("wheels[1].tire.model = 1"),
        "{error}"
    );
}

/// A drive that finds fault with every vehicle.
#[derive(Debug)]
struct Fussy;

impl Drivetrain for Fussy {
    fn check(&self, wheels: usize, i: &mut Inspector) {
        i.rule(false, "wheels", wheels, "", "must not be");
    }

    fn initial_state(&self) -> DriveState {
        DriveState::default()
    }

    fn control(&self, _: &Command, _: &mut DriveState, _: &mut Control) -> Result<(), StepError> {
        Ok(())
    }

    fn requests_motion(&self, _: &Command, _: &DriveState) -> bool {
        false
    }
}

#[test]
fn the_drivetrain_checks_its_wheels() {
    let model = model_of(four_wheeler());
    let params = Checked::new(four_wheeler()).unwrap();
    let error = model.with(params, Arc::new(Fussy)).unwrap_err();
    assert!(
        error.to_string().contains("drivetrain.wheels = 4"),
        "{error}"
    );
}

#[test]
fn other_parameters_keep_tires_and_drive() {
    let mut params = four_wheeler();
    params.wheels[0].radius = 0.45;
    let model = third_wheel_on(TireTraits::UNKNOWN, true, Profile::DEFAULT);
    params.wheels[2].tire.model = 1;
    let retuned = model.with_params(Checked::new(params).unwrap()).unwrap();
    assert_eq!(retuned.wheels().first().radius.lane(0), 0.45);
    assert_eq!(retuned.wheels().first().stateful, third());
    assert_eq!(retuned.tires()[0].len(), 2);
}

proptest! {
    /// Camber grows from its rest by its increments in proportion to travel, wheel by wheel
    /// (ALGORITHMS §3.7).
    #[test]
    fn camber_is_linear_in_each_direction(jounce in -0.2f32..0.3) {
        let params = uneven();
        let model = model_of(params.clone());
        let camber = model.wheels().first().camber(W4::splat(jounce));
        for (n, wheel) in params.wheels.iter().enumerate() {
            let (s, c) = (&wheel.suspension, &wheel.suspension.camber);
            let change = if jounce > 0.0 {
                c.at_max_compression * (jounce / s.max_compression)
            } else {
                c.at_max_droop * (-jounce / s.max_droop)
            };
            prop_assert!(close(camber.lane(n), c.at_rest + change, 1.0));
        }
    }
}

/// Where a strut has no travel, its increment is per meter.
#[test]
fn camber_without_travel_is_per_meter() {
    let slopes = per_travel(W4::splat(0.03), W4::from_array([0.0, 0.1, 0.3, 0.0]));
    for (slope, expected) in slopes.to_array().into_iter().zip([0.03, 0.3, 0.1, 0.03]) {
        assert!(close(slope, expected, 1.0));
    }
}

#[test]
fn rolling_resistance_acts_with_moments_and_is_not_negative() {
    let traits = TireTraits {
        has_moments: true,
        ..TireTraits::PLAIN
    };
    let model = third_wheel_on(traits, false, Profile::DEFAULT);
    let resistance = |each: f32| {
        let forces = TireForces {
            rolling_resistance: W4::splat(each),
            ..TireForces::default()
        };
        let k = model.wheels().first();
        k.rolling_resistance(&forces, W4::ZERO, W4::ZERO).to_array()
    };
    assert_eq!(resistance(5.0), [0.0, 0.0, 5.0, 0.0]);
    assert_eq!(resistance(-5.0), [0.0; 4]);
}
