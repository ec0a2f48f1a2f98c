use approx::assert_relative_eq;
use vehicle_core::drivetrain::ClutchAccuracy;

use super::*;

const H: f32 = 1.0 / 60.0;

fn coupling() -> EngineCoupling {
    EngineCoupling {
        inertia: 0.2,
        idle_speed: 80.0,
        max_speed: 600.0,
        damping: 0.0,
        torque: 200.0,
        friction: 0.0,
        ratio: 12.0,
        clutch: 10.0,
        capacity: Some(300.0),
        accuracy: ClutchAccuracy::Exact,
        throttle: 1.0,
    }
}

/// Spin at the end of a step, of four substeps, of a free wheel of this inertia on a motor.
fn turned(motor: &Motor, inertia: f32, spin: f32) -> f32 {
    let h = 0.25 * H;
    (0..4).fold(spin, |spin, _| {
        let pull = motor.damping * (motor.spin - spin) / (1.0 + h * motor.damping / inertia);
        spin + h / inertia * (motor.torque + pull.clamp(-motor.most, motor.most))
    })
}

#[test]
fn a_shut_clutch_is_the_engines_inertia_on_the_wheel() {
    let (speed, wheel) = (240.0, 300.0);
    let clutch = Clutch::new(&coupling(), speed, speed / 12.0, H);
    let spin = turned(&clutch.motor(1.0, 1.0, speed / 12.0), wheel, speed / 12.0);
    // One inertia: 300 + 12²·0.2 kg·m², turned by 12·200 N·m.
    let expected = speed / 12.0 + H * 12.0 * 200.0 / (wheel + 144.0 * 0.2);
    let gained = [spin, expected].map(|spin| spin - speed / 12.0);
    assert_relative_eq!(gained[0], gained[1], max_relative = 0.01);
    let (torque, after) = clutch.after(spin);
    assert_relative_eq!(after, 12.0 * spin, max_relative = 1e-5);
    assert!(torque < 200.0 && torque > 0.0);
}

#[test]
fn a_slipping_clutch_transmits_its_capacity_and_an_open_one_nothing() {
    let slipping = Clutch::new(&coupling(), 300.0, 0.0, H);
    let spin = turned(&slipping.motor(0.5, 0.5, 0.0), 1e6, 0.0);
    assert_relative_eq!(spin, H * 0.5 * 12.0 * 300.0 / 1e6, max_relative = 1e-4);
    let (torque, speed) = slipping.after(0.0);
    assert_eq!(torque, 300.0);
    assert_relative_eq!(speed, 300.0 - H * 100.0 / 0.2, max_relative = 1e-5);
    let open = EngineCoupling {
        ratio: 0.0,
        ..coupling()
    };
    let open = Clutch::new(&open, 300.0, 0.0, H);
    assert_eq!(turned(&open.motor(0.5, 0.5, 7.0), 1.0, 7.0), 7.0);
    assert_relative_eq!(
        open.after(7.0).1,
        300.0 + H * 200.0 / 0.2,
        max_relative = 1e-5
    );
}

#[test]
fn the_engine_stays_within_its_speeds() {
    let stalled = Clutch::new(&coupling(), 90.0, 0.0, H);
    assert_eq!(stalled.after(0.0).1, 81.666_664);
    let slow = Clutch::new(
        &EngineCoupling {
            torque: 0.0,
            ..coupling()
        },
        90.0,
        0.0,
        H,
    );
    assert_eq!(slow.after(0.0).1, 80.0);
}
