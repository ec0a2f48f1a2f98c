//! Electric power of all motors, and the part of their torques that the battery allows.

use vehicle_core::math;

use super::PerMotor;
use super::motor::MotorParams;

/// Part of `torques` (`N·m`, at the rotors), 0…1, with which the electric power of all motors, losses included, stays within the
/// greatest power of charging and of discharging (`W`, both ≥ 0).
///
/// With a part k, the power is a·k² + b·k + c: losses by current, mechanical power, and losses without torque.
pub(super) fn allowed_part(
    motors: &[MotorParams],
    torques: &PerMotor,
    speeds: &PerMotor,
    [charge, discharge]: [f32; 2],
) -> f32 {
    let (mut a, mut b, mut c) = (0.0, 0.0, 0.0);
    for (n, motor) in motors.iter().enumerate() {
        let (torque, speed) = (torques[n], speeds[n]);
        a += motor.losses.copper * torque * torque;
        b += torque * speed;
        c += motor.losses.without_torque(torque, speed);
    }
    if a + b + c > discharge {
        return root(a, b, (discharge - c).max(0.0));
    }
    if a + b + c < -charge {
        return root(-a, -b, charge + c);
    }
    1.0
}

/// The smaller positive root of a·k² + b·k = `power`, at most 1; 1 if there is none.
fn root(a: f32, b: f32, power: f32) -> f32 {
    let square = b * b + 4.0 * a * power;
    let sum = b + math::sqrt(square.max(0.0));
    if square >= 0.0 && sum > 0.0 {
        (2.0 * power / sum).clamp(0.0, 1.0)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::motor::tests::MOTOR;
    use super::*;
    use rstest::rstest;

    /// At the part, the electric power is just what the battery gives or takes.
    #[rstest]
    #[case::weak_battery([200.0, 150.0], [900.0, 800.0], [50_000.0, 100_000.0])]
    #[case::standing([400.0, 300.0], [0.0, 0.0], [50_000.0, 3000.0])]
    #[case::full_battery([-200.0, -150.0], [900.0, 800.0], [20_000.0, 1e9])]
    #[case::one_of_two_drives([300.0, -50.0], [900.0, 800.0], [1e9, 100_000.0])]
    #[case::strong_battery([200.0, 150.0], [900.0, 800.0], [1e9, 1e9])]
    fn the_battery_gives_what_it_can(
        #[case] torques: [f32; 2],
        #[case] speeds: [f32; 2],
        #[case] limits: [f32; 2],
    ) {
        let motors = [MOTOR(&[0, 1]), MOTOR(&[2, 3])];
        let all = |two: [f32; 2]| core::array::from_fn(|n| two.get(n).copied().unwrap_or(0.0));
        let part = allowed_part(&motors, &all(torques), &all(speeds), limits);
        let power = |part: f32| -> f32 {
            let motors = motors.iter().enumerate();
            motors
                .map(|(n, motor)| {
                    let torque = part * torques[n];
                    torque * speeds[n] + motor.losses.at(torque, speeds[n])
                })
                .sum()
        };
        let expected = power(1.0).clamp(-limits[0], limits[1]);
        assert!(
            (power(part) - expected).abs() < 1e-4 * expected.abs(),
            "{part}"
        );
        assert_eq!(part < 1.0, power(1.0) != expected);
    }
}
