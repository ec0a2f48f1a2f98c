//! Readings that several aids take from a vehicle's sensors.

use vehicle_core::math;
use vehicle_core::{Command, Sensors, WheelRequest, WheelSensors};

/// Pedals and handbrake of a command, 0…1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pedals {
    pub(crate) throttle: f32,
    /// Brake pedal or handbrake, whichever is pressed further.
    pub(crate) brake: f32,
    pub(crate) clutch: f32,
}

impl Pedals {
    /// The pedals of the step; none is pressed if the command was refused or has torques of wheels.
    pub(crate) fn of(sensors: &Sensors<'_>) -> Self {
        match sensors.command {
            Some(Command::Car(car)) => Self {
                throttle: car.throttle,
                brake: math::greater(car.brake, car.handbrake),
                clutch: car.clutch,
            },
            Some(Command::Tank(tank)) => Self {
                throttle: tank.throttle,
                brake: math::greater(tank.brake[0], tank.brake[1]),
                clutch: 0.0,
            },
            _ => Self::default(),
        }
    }
}

/// The other wheel of a wheel's axle: the one that is nearest to its mirror image, if it is beside it.
pub(crate) fn mate(wheels: &[WheelSensors], wheel: usize) -> Option<usize> {
    /// Difference of the longitudinal positions of an axle's wheels (`m`).
    const BESIDE: f32 = 0.1;
    let own = wheels[wheel].position;
    let distance = |n: usize| (wheels[n].position.y + own.y).abs();
    let beside = |n: &usize| {
        let other = wheels[*n].position;
        (other.x - own.x).abs() < BESIDE && other.y * own.y < 0.0 && wheels[*n].enabled
    };
    (0..wheels.len())
        .filter(beside)
        .min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
}

/// Distances of the foremost and the rearmost enabled wheel from the center of mass (`m`), forward.
pub(crate) fn ends(wheels: &[WheelSensors]) -> [f32; 2] {
    let places = wheels.iter().filter(|wheel| wheel.enabled);
    places.fold([f32::MIN, f32::MAX], |[front, rear], wheel| {
        let x = wheel.position.x;
        [math::greater(front, x), math::lesser(rear, x)]
    })
}

/// Sum over the enabled wheels.
pub(crate) fn sum(wheels: &[WheelSensors], value: impl Fn(&WheelSensors) -> f32) -> f32 {
    wheels.iter().filter(|wheel| wheel.enabled).map(value).sum()
}

/// Mean friction of the wheels on the ground, by their loads (–); 0 in the air.
pub(crate) fn friction(wheels: &[WheelSensors]) -> f32 {
    let load = sum(wheels, |wheel| wheel.load);
    if load > 0.0 {
        sum(wheels, |wheel| wheel.load * wheel.friction) / load
    } else {
        0.0
    }
}

/// Lets the solver release a wheel's brake, by up to `release` (`N·m`), so that its braking slip stays below `slip` (–), rolling
/// in the direction of `speed`.
pub(crate) fn keep_braking_slip(request: &mut WheelRequest, slip: f32, speed: f32, release: f32) {
    let [least, greatest] = request.slip_range;
    request.slip_range = if speed < 0.0 {
        [least, math::lesser(greatest, slip)]
    } else {
        [math::greater(least, -slip), greatest]
    };
    request.release = math::greater(request.release, release);
}

/// Whether the handbrake holds a wheel, with no valve between: one of the rear axles while it is pulled.
pub(crate) fn handbrake_holds(sensors: &Sensors<'_>, wheel: &WheelSensors) -> bool {
    let pulled = matches!(sensors.command, Some(Command::Car(car)) if car.handbrake > 0.0);
    pulled && wheel.position.x < 0.0
}

/// Distributes a braking force (`N`, ≥ 0) over the wheels on the ground by their loads: at least so much braking torque.
pub(crate) fn brake_by_load(force: f32, wheels: &[WheelSensors], requests: &mut [WheelRequest]) {
    let load = sum(wheels, |wheel| wheel.load);
    if load <= 0.0 {
        return;
    }
    for (wheel, request) in wheels.iter().zip(requests) {
        let torque = force * wheel.radius * wheel.load / load;
        request.brake = math::greater(request.brake, torque);
    }
}

/// Excess of a value over a range around 0, with its sign.
pub(crate) fn beyond(value: f32, range: f32) -> f32 {
    value - value.clamp(-range, range)
}

/// Part of the way to its goal that a lag with this time constant covers in a substep, both `s`.
pub(crate) fn lag(duration: f32, time: f32) -> f32 {
    1.0 - math::exp(-duration / time)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use glam::Vec3;
    use vehicle_core::{CarCommand, WheelRequest};

    /// Sensors of four wheels of a car of 1500 kg at 20 m/s on a level road, 0.3 m in radius.
    pub(crate) const CAR: [WheelSensors; 4] = [
        wheel(1.2, 0.8),
        wheel(1.2, -0.8),
        wheel(-1.4, 0.8),
        wheel(-1.4, -0.8),
    ];

    /// A request of nothing.
    pub(crate) const UNASKED: WheelRequest = WheelRequest {
        brake: 0.0,
        release: 0.0,
        build: 0.0,
        slip_range: [f32::NEG_INFINITY, f32::INFINITY],
        drive: 0.0,
    };

    const fn wheel(x: f32, y: f32) -> WheelSensors {
        WheelSensors {
            enabled: true,
            on_ground: true,
            radius: 0.3,
            inertia: 1.0,
            position: Vec3::new(x, y, -0.5),
            steering_angle: 0.0,
            spin: 20.0 / 0.3,
            ground_velocity: [20.0, 0.0],
            slip: 0.0,
            load: 3700.0,
            force: [0.0; 2],
            brake: 0.0,
            drive: 0.0,
            friction: 0.8,
            best_slip: 0.1,
        }
    }

    /// Sensors of a car with these wheels and this command.
    pub(crate) fn car<'a>(wheels: &'a [WheelSensors], command: &'a Command) -> Sensors<'a> {
        Sensors {
            duration: 1.0 / 60.0,
            begins_step: true,
            mass: 1500.0,
            gravity: Vec3::NEG_Z * 9.81,
            velocity: Vec3::X * 20.0,
            angular_velocity: Vec3::ZERO,
            acceleration: Vec3::Z * 9.81,
            engine_speed: 200.0,
            command: Some(command),
            wheels,
        }
    }

    #[test]
    fn the_wheels_of_an_axle_are_mates() {
        let mut wheels = CAR;
        assert_eq!(
            [0, 1, 2, 3].map(|n| mate(&wheels, n)),
            [1, 0, 3, 2].map(Some)
        );
        wheels[3].enabled = false;
        assert_eq!(mate(&wheels, 2), None);
        assert_eq!(ends(&wheels), [1.2, -1.4]);
        assert_eq!(friction(&wheels), 0.8);
        assert_eq!(friction(&[]), 0.0);
    }

    #[test]
    fn a_handbrake_counts_as_a_brake() {
        let command = Command::Car(CarCommand {
            throttle: 0.2,
            handbrake: 0.6,
            ..CarCommand::default()
        });
        let pedals = Pedals::of(&car(&CAR, &command));
        assert_eq!(
            (pedals.throttle, pedals.brake, pedals.clutch),
            (0.2, 0.6, 0.0)
        );
    }

    #[test]
    fn only_the_excess_counts() {
        assert_eq!([-3.0, 0.5, 3.0].map(|x| beyond(x, 1.0)), [-2.0, 0.0, 2.0]);
        assert!((lag(1.0, 1.0) - 0.632).abs() < 1e-3);
    }
}
