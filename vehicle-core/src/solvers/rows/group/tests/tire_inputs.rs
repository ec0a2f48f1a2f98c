//! Inputs of tires and of the rows of stateful tires.

use super::*;
use crate::contracts::stateful_tire::{StatefulTire, TireRow, TireStep};
use crate::contracts::tire::{TireForces, TireInput, TireTraits};
use crate::contracts::tire_model::TireModel;
use crate::exchange::tire_state::TireState;
use crate::params::Compliance;
use crate::stages::contact::MovingGround;

/// Lateral force of 100 N per rad of camber and 10 N per rad/s of yaw speed.
#[derive(Debug)]
struct Listens;

impl TireModel for Listens {
    fn forces(&self, input: &TireInput) -> TireForces {
        TireForces {
            lateral: 100.0 * input.camber + 10.0 * input.yaw_speed,
            ..TireForces::default()
        }
    }

    fn traits(&self) -> TireTraits {
        TireTraits::PLAIN
    }
}

// A car that yaws at 0.5 rad/s on fixed or rotating ground.
#[rstest]
#[case::on_ground(0.0, 0.5)]
#[case::on_a_turntable(0.5, 0.0)]
#[case::faster_than_it(0.2, 0.3)]
fn tires_receive_yaw_speed_relative_to_the_ground(#[case] ground: f32, #[case] expected: f32) {
    let mut rig = Rig::on(car(|_| ()), Listens);
    rig.chassis.velocity.angular = (Vec3::Z * 0.5).extend(0.0);
    if ground != 0.0 {
        rig.ground[0] = MovingGround {
            any: true,
            spin: V3x4::splat(Vec3::Z * ground),
            ..MovingGround::FIXED
        };
    }
    rig.advance(H);
    let lateral = rig.rows[0].linearization.forces.lateral;
    assert!(
        (lateral.lane(1) - 10.0 * expected).abs() < 1e-4,
        "{lateral:?}"
    );
}

#[test]
fn tires_receive_the_camber_of_their_travel() {
    let mut rig = Rig::on(
        car(|p| {
            for wheel in &mut p.wheels {
                wheel.compliance = Compliance {
                    camber: alloc::vec![(0.0, 0.1), (0.1, 0.3)],
                    ..Compliance::default()
                };
            }
        }),
        Listens,
    );
    rig.state.wheels[0].ground_height = W4::splat(1.6);
    rig.advance(1e-3);
    let lateral = rig.rows[0].linearization.forces.lateral;
    assert!((lateral.lane(2) - 20.0).abs() < 1e-3, "{lateral:?}");
    let shown = rig.outputs[0].camber;
    assert!((shown.lane(2) - 0.2).abs() < 1e-3, "{shown:?}");
}

// A body that rolls to the right sees the normal tilted to the left.
#[rstest]
#[case::upright(0.0)]
#[case::to_the_right(0.12)]
#[case::to_the_left(-0.12)]
fn tires_receive_their_inclination_to_the_ground(
    #[case] roll: f32,
    #[values(0.0, 0.1)] camber: f32,
) {
    let mut rig = Rig::on(
        car(|p| {
            for wheel in &mut p.wheels {
                wheel.compliance.camber = alloc::vec![(0.0, camber)];
            }
        }),
        Listens,
    );
    let normal = Vec3::new(0.0, roll.sin(), roll.cos());
    rig.state.wheels[0].ground_normal = V3x4::splat(normal);
    rig.advance(1e-3);
    // A rear wheel on the side that is pressed.
    let wheel = if roll > 0.0 { 3 } else { 2 };
    let lateral = rig.rows[0].linearization.forces.lateral.lane(wheel);
    let expected = 100.0 * (roll + camber);
    assert!((lateral - expected).abs() < 1e-3, "{lateral} {expected}");
    let shown = rig.outputs[0].camber.lane(wheel);
    assert!((shown - camber).abs() < 1e-6, "to the body: {shown}");
}

// Below 1 m/s, where gravity is in the velocity already, a sticking wheel is not taken to slide.
#[rstest]
#[case::standing(0.0, 0.0)]
#[case::at_speed(5.0, 0.25)]
fn a_sticking_wheel_does_not_appear_to_slide(#[case] forward: f32, #[case] aside: f32) {
    let mut rig = Rig::new(car(|_| ()));
    // A push adds 0.5 m/s to the left in the substep, whose mean the law sees only at speed.
    rig.chassis.velocity.linear = (Vec3::X * forward).extend(0.0);
    rig.state.wheels[0].spin = W4::splat(forward / 0.5);
    rig.state.last_step.push.linear = Vec3::Y * (0.5 / H);
    rig.advance(H);
    let slip = rig.outputs[0].tan_slip_angle.lane(0);
    let expected = aside / forward.max(0.05);
    assert!((slip - expected).abs() < 0.02, "{slip} {expected}");
}

/// Forces of 100 N forward and to the left per unit of an input.
#[derive(Debug)]
struct Echo(fn(&TireInput) -> f32);

impl TireModel for Echo {
    fn forces(&self, _: &TireInput) -> TireForces {
        TireForces::default()
    }

    fn traits(&self) -> TireTraits {
        TireTraits::PLAIN
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        Some(self)
    }
}

impl StatefulTire for Echo {
    fn fresh(&self) -> TireState {
        TireState::default()
    }

    fn rows(&self, _: &TireState, input: &TireInput, duration: f32) -> Option<[TireRow; 2]> {
        assert_eq!(duration, H);
        let row = TireRow {
            force: 100.0 * self.0(input),
            gain: 0.0,
        };
        Some([row; 2])
    }

    fn advance(&self, state: &mut TireState, step: &TireStep) {
        state.values[0] = self.0(&step.input);
        state.values[1] = step.forces[0];
    }
}

// 6 m/s forward and 0.5 to the left, rims at 6.6, on ground of friction 0.9.
#[rstest]
#[case::forward(|i: &TireInput| i.forward_speed, 6.0)]
#[case::left(|i: &TireInput| i.lateral_speed, 0.5)]
#[case::rim(|i: &TireInput| i.rim_speed, 6.6)]
#[case::slip(|i: &TireInput| 10.0 * i.slip_ratio, 6.0 / 6.6)]
#[case::aside(|i: &TireInput| 10.0 * i.tan_slip_angle, 5.0 / 6.6)]
#[case::friction(|i: &TireInput| i.friction, 0.9)]
// 437.5 kg, and 0.3 percent more by pitch.
#[case::load(|i: &TireInput| 1e-3 * i.load, 4.306)]
#[case::rest_load(|i: &TireInput| 1e-3 * i.rest_load, 4.488)]
#[case::radius(|i: &TireInput| i.radius, 0.5)]
#[case::gravity(|i: &TireInput| i.gravity, 9.81)]
fn own_rows_receive_the_tires_input(#[case] of: fn(&TireInput) -> f32, #[case] expected: f32) {
    let mut rig = Rig::on(
        car(|p| p.wheels.iter_mut().for_each(|w| w.damping = 0.0)),
        Echo(of),
    );
    rig.chassis.velocity.linear = Vec3::new(6.0, 0.5, 0.0).extend(0.0);
    let wheels = &mut rig.state.wheels[0];
    wheels.spin = W4::splat(6.6 / 0.5);
    wheels.ground_friction = W4::splat(0.9);
    rig.advance(H);
    let pushed = rig.state.wheels[0].grip.rows().force[0].lane(0);
    assert!(
        (pushed - 100.0 * expected).abs() < 2.0,
        "{pushed} {expected}"
    );
    let tire = rig.state.extras.tires()[0];
    assert_eq!(
        tire.values[1], pushed,
        "its state has the transmitted force"
    );
    // During the substep, it slows its wheel by up to F·h·r²/I.
    let slowed = pushed / 600.0 + 0.03 * (1.0 + expected);
    assert!((tire.values[0] - expected).abs() < slowed, "{tire:?}");
}

// 1 rad of toe per meter of travel; droop 0.1 m.
#[rstest]
#[case::pressed(1.6, 0.05)]
#[case::hanging(3.0, -0.1)]
fn toe_follows_travel(#[case] height: f32, #[case] toe: f32) {
    let mut rig = Rig::new(car(|p| {
        for wheel in &mut p.wheels {
            wheel.compliance = Compliance {
                toe: alloc::vec![(-1.0, -1.0), (1.0, 1.0)],
                ..Compliance::default()
            };
        }
    }));
    rig.state.wheels[0].ground_height = W4::splat(height);
    rig.advance(H);
    let ahead = rig.outputs[0].axes.longitudinal.lane(2);
    let expected = Vec3::new(toe.cos(), toe.sin(), 0.0);
    assert!((ahead - expected).length() < 1e-5, "{ahead}");
}

#[rstest]
#[case::forward(|i: &TireInput| i.forward_speed)]
#[case::left(|i: &TireInput| i.lateral_speed)]
#[case::rim(|i: &TireInput| i.rim_speed)]
fn tire_state_advances_at_the_final_speeds(#[case] of: fn(&TireInput) -> f32) {
    let mut rig = Rig::on(car(|_| ()), Echo(of));
    rig.chassis.velocity.linear = Vec3::new(6.0, 3.0, 0.0).extend(0.0);
    rig.state.wheels[0].spin = W4::splat(13.2);
    let before = rig.clone();
    rig.advance(H);
    let end = rig.velocity_in(&before);
    let contact = before.contact(0, &before);
    let input = TireInput {
        forward_speed: contact.speed(1, end) as f32,
        lateral_speed: contact.speed(2, end) as f32,
        rim_speed: 0.5 * rig.state.wheels[0].spin.lane(0),
        ..TireInput::default()
    };
    let remembered = rig.state.extras.tires()[0].values[0];
    assert!(
        (remembered - of(&input)).abs() < 1e-3,
        "{remembered} {input:?}"
    );
    // Its rows were evaluated at other speeds.
    let asked = TireInput {
        forward_speed: 6.0,
        lateral_speed: 3.0,
        rim_speed: 6.6,
        ..TireInput::default()
    };
    assert!((remembered - of(&asked)).abs() > 5e-3, "{remembered}");
}
