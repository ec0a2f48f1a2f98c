use approx::assert_relative_eq;
use vehicle_core::drivetrain::ClutchAccuracy;

use super::*;

const H: f32 = 1.0 / 60.0;

fn coupling() -> EngineCoupling {
    EngineCoupling {
        inertia: 0.2,
        idle_speed: 80.0,
        idle_torque: f32::INFINITY,
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

/// Spins at the end of a step, of so many substeps, of wheels of this inertia on their motors, which slide from a spin
/// on ground that takes `load` (`N·m`).
fn turned(motors: &mut [Motor], inertia: f32, load: f32, spin: f32, substeps: u8) -> Vec<f32> {
    let h = H / f32::from(substeps);
    let turned = motors.iter_mut().map(|motor| {
        (0..substeps).fold(spin, |spin, _| {
            let free = spin + h / inertia * (motor.torque - load);
            let both = inertia + motor.inertia;
            let together = (inertia * free + motor.inertia * motor.spin + h * motor.drive) / both;
            let most = h * motor.most / inertia;
            let spin = together.clamp(free - most, free + most);
            motor.follow(spin, h);
            spin
        })
    });
    turned.collect()
}

/// Two wheels that move a car, and two that spin: the engine is one inertia more, in any number of substeps.
#[test]
fn a_shut_clutch_is_the_engines_inertia_on_the_wheels() {
    let (speed, spin) = (240.0, 20.0);
    let clutch = Clutch::new(&coupling(), speed, spin, H);
    for (wheel, load) in [(300.0, 0.0), (1.0, 1000.0)] {
        for substeps in [1, 4, 24] {
            let mut motors = [clutch.motor(0.5, spin); 2];
            let spins = turned(&mut motors, wheel, load, spin, substeps);
            // One inertia: 2 wheels and 12²·0.2 kg·m², turned by 12·200 N·m.
            let gained = H * (12.0 * 200.0 - 2.0 * load) / (2.0 * wheel + 144.0 * 0.2);
            assert_relative_eq!(spins[0], spin + gained, max_relative = 1e-5);
            let (torque, after) = clutch.after(0.5 * (spins[0] + spins[1]));
            assert_relative_eq!(after, 12.0 * spins[0], max_relative = 1e-4);
            // What the clutch transmits is what the wheels got.
            let got = 2.0 * (load + wheel * gained / H);
            assert_relative_eq!(12.0 * torque, got, max_relative = 1e-2);
        }
    }
}

/// An engine that is faster than its wheels speeds them up, until both are one.
#[test]
fn a_faster_engine_drags_its_wheels_along() {
    let coupling = EngineCoupling {
        torque: 0.0,
        capacity: Some(1e6),
        ..coupling()
    };
    let clutch = Clutch::new(&coupling, 300.0, 20.0, H);
    let spin = turned(&mut [clutch.motor(1.0, 20.0)], 10.0, 0.0, 20.0, 4)[0];
    // 10 kg·m² at 20 rad/s and 28.8 kg·m² at 25 rad/s.
    let expected = (10.0 * 20.0 + 28.8 * 25.0) / 38.8;
    assert_relative_eq!(spin, expected, max_relative = 1e-4);
}

#[test]
fn a_slipping_clutch_transmits_its_capacity_and_an_open_one_nothing() {
    let slipping = Clutch::new(&coupling(), 300.0, 0.0, H);
    let spin = turned(&mut [slipping.motor(0.5, 0.0)], 1e6, 0.0, 0.0, 4)[0];
    assert_relative_eq!(spin, H * 0.5 * 12.0 * 300.0 / 1e6, max_relative = 1e-4);
    let (torque, speed) = slipping.after(0.0);
    assert_eq!(torque, 300.0);
    assert_relative_eq!(speed, 300.0 - H * 100.0 / 0.2, max_relative = 1e-5);
    let open = EngineCoupling {
        ratio: 0.0,
        ..coupling()
    };
    let open = Clutch::new(&open, 300.0, 0.0, H);
    assert_eq!(turned(&mut [open.motor(0.5, 7.0)], 1.0, 0.0, 7.0, 4), [7.0]);
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
