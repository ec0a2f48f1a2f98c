//! Energy of a car by part: what its drive gives, and where it goes.
//!
//! Works of a step are torques and forces, as solved for its end, times means of speeds at its ends, so that kinetic energies are
//! exact; with several substeps in a step, torques and forces are those of the last one. Brakes are not measured: theirs is what
//! the motion of the wheels lacks otherwise; suspension and bodywork take what the motion of the chassis lacks: parts sum up to the
//! drive's work by definition. An engine with one clutch counts from there on, other drives count at the wheels.

use core::ops::AddAssign;

use glam::Mat3;
use jounce::core::{AirLoad, BodyState, Vehicle, WheelReport, math, params::WheelParams};

use crate::world::GRAVITY;

/// Works of a car's parts over some time (`J`): the drive's is the sum of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyFlow {
    /// Work of an engine with one clutch on it, or of other drives on the wheels.
    pub drive: f64,
    /// Heat of clutch and differentials.
    pub clutch: f64,
    /// Heat of the brakes.
    pub brakes: f64,
    /// Heat of bearings.
    pub bearings: f64,
    /// Heat of rolling tires.
    pub rolling: f64,
    /// Heat of tires that slip, along the wheels and across them.
    pub slip: f64,
    /// Work against the air.
    pub air: f64,
    /// Energy that the suspension takes, and hits of the body.
    pub suspension: f64,
    /// Gain of potential energy.
    pub height: f64,
    /// Gain of kinetic energy, of chassis and wheels.
    pub speed: f64,
}

impl EnergyFlow {
    /// Names and works of the parts that the drive's work goes to, from the engine to the ground.
    #[must_use]
    pub fn parts(&self) -> [(&'static str, f64); 9] {
        [
            ("clutch, differentials", self.clutch),
            ("brakes", self.brakes),
            ("bearings", self.bearings),
            ("rolling tires", self.rolling),
            ("slipping tires", self.slip),
            ("air", self.air),
            ("suspension, body", self.suspension),
            ("height", self.height),
            ("speed", self.speed),
        ]
    }
}

impl AddAssign for EnergyFlow {
    fn add_assign(&mut self, other: Self) {
        self.drive += other.drive;
        self.clutch += other.clutch;
        self.brakes += other.brakes;
        self.bearings += other.bearings;
        self.rolling += other.rolling;
        self.slip += other.slip;
        self.air += other.air;
        self.suspension += other.suspension;
        self.height += other.height;
        self.speed += other.speed;
    }
}

/// Speeds at the start of a step.
#[derive(Clone, Debug)]
pub(crate) struct EnergyMeter {
    body: BodyState,
    engine: f64,
    wheels: Vec<[f64; 3]>,
}

/// Mean of two speeds.
fn mean(before: f64, after: f64) -> f64 {
    0.5 * (before + after)
}

/// Kinetic energy of a body (`J`).
fn kinetic(body: &BodyState) -> f64 {
    let angular = math::matrix(body.rotation).transpose() * body.angular_velocity;
    // Nothing about axes that are locked.
    let inertia = if body.inverse_inertia.determinant() > 0.0 {
        body.inverse_inertia.inverse()
    } else {
        Mat3::ZERO
    };
    let linear = f64::from(body.mass) * body.linear_velocity.as_dvec3().length_squared();
    0.5 * (linear + f64::from(angular.dot(inertia * angular)))
}

impl EnergyMeter {
    /// A meter for a car at the start of a drive.
    pub(crate) fn new(vehicle: &Vehicle, body: &BodyState) -> Self {
        let reports = vehicle.wheel_reports();
        Self {
            body: vehicle.state().at_end_of_step(body),
            engine: vehicle.state().drive.engine_speed.into(),
            wheels: reports.map(|wheel| speeds(&wheel)).collect(),
        }
    }

    /// Works of a step that ended with this state of the body, after `dt` (`s`).
    pub(crate) fn step(&mut self, vehicle: &Vehicle, body: &BodyState, dt: f32) -> EnergyFlow {
        let now = Self::new(vehicle, body);
        let mut flow = EnergyFlow::default();
        let mut thrust = 0.0;
        let reports = vehicle.wheel_reports();
        let params = &vehicle.model().params().wheels;
        let speeds = self.wheels.iter().zip(&now.wheels);
        for ((report, params), (before, after)) in reports.zip(params).zip(speeds) {
            thrust += flow.add_wheel(&report, params, (before, after));
        }
        let one_clutch = vehicle.control().shafts.is_none();
        if let Some(engine) = vehicle.report(body).engine.filter(|_| one_clutch) {
            let work = f64::from(engine.clutch_torque) * mean(self.engine, now.engine);
            flow.clutch = work - flow.drive;
            flow.drive = work;
        }
        let (before, after) = (&self.body, &now.body);
        let moved = (after.position - before.position).as_vec3() / dt;
        let to_car = math::matrix(before.rotation).transpose();
        let turned = to_car * (before.angular_velocity + after.angular_velocity) * 0.5;
        let air = vehicle.air_load().unwrap_or(AirLoad::NONE);
        let pushed = air.force.dot(to_car * moved) + air.moment.dot(turned);
        flow.air = -f64::from(pushed);
        flow.height = -f64::from(after.mass * GRAVITY.dot(moved));
        let gain = kinetic(after) - kinetic(before);
        // Powers so far.
        for power in [
            &mut flow.drive,
            &mut flow.clutch,
            &mut flow.brakes,
            &mut flow.bearings,
            &mut flow.rolling,
            &mut flow.slip,
            &mut flow.air,
            &mut flow.height,
            &mut thrust,
        ] {
            *power *= f64::from(dt);
        }
        // The wheels gain what they were given beside all else.
        flow.brakes -= flow.speed;
        flow.suspension = thrust - flow.air - flow.height - gain;
        flow.speed += gain;
        *self = now;
        flow
    }
}

/// Spin (`rad/s`) and speeds of the contact forward and to the left (`m/s`).
fn speeds(wheel: &WheelReport) -> [f64; 3] {
    [wheel.spin, wheel.forward_speed, wheel.lateral_speed].map(f64::from)
}

impl EnergyFlow {
    /// Adds the powers of a wheel (`W`), and the gain of its energy (`J`); returns the power of its tire on the chassis. The brake has
    /// that of the drive which is left.
    fn add_wheel(
        &mut self,
        wheel: &WheelReport,
        params: &WheelParams,
        (before, after): (&[f64; 3], &[f64; 3]),
    ) -> f64 {
        let [spin, forward, left] = [0, 1, 2].map(|n| mean(before[n], after[n]));
        let [ahead, aside] = [wheel.longitudinal_force, wheel.lateral_force].map(f64::from);
        let drive = f64::from(wheel.drive_torque) * spin;
        let rim = ahead * f64::from(params.radius) * spin;
        let rolling = f64::from(wheel.rolling_resistance) * spin.abs();
        let bearings = f64::from(params.damping) * after[0] * spin;
        let thrust = ahead * forward + aside * left;
        self.drive += drive;
        self.rolling += rolling;
        self.bearings += bearings;
        self.slip += rim - thrust;
        self.brakes += drive - rim - rolling - bearings;
        self.speed += f64::from(params.inertia) * (after[0] - before[0]) * spin;
        thrust
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::{FREE, Scene, Setup, Stage};
    use crate::world::WorldKind;
    use jounce::core::{CarCommand, Gear};
    use rstest::rstest;

    /// Works of a car for some seconds with a command, and the sum of the pedal's torques times the spins.
    fn driven(
        name: &str,
        (gear, speed): (Gear, f32),
        command: CarCommand,
        seconds: f32,
    ) -> (EnergyFlow, f64) {
        let car = jounce::presets::load(name).unwrap();
        let setup = Setup {
            world: WorldKind::Standalone,
            car: &car,
        };
        let scene = Scene {
            gear,
            speed,
            ..Scene::LEVEL
        };
        let mut stage = Stage::new(&setup, &scene, 60.0).unwrap();
        stage.step(&FREE).unwrap();
        let mut meter = EnergyMeter::new(&stage.vehicle, &stage.body().unwrap());
        let (mut sum, mut braked) = (EnergyFlow::default(), 0.0);
        for _ in 0..(60.0 * seconds) as usize {
            let before = stage.spins();
            stage.step(&command).unwrap();
            let body = stage.body().unwrap();
            sum += meter.step(&stage.vehicle, &body, stage.dt);
            let brakes = stage.vehicle.control().wheels[0].brake.to_array();
            let spins = before.iter().zip(stage.spins());
            let powers = spins
                .zip(brakes)
                .map(|((a, b), torque)| 0.5 * (a + b) * torque);
            braked += f64::from(powers.sum::<f32>() * stage.dt);
        }
        (sum, braked)
    }

    fn sum(flow: &EnergyFlow) -> f64 {
        flow.parts().iter().map(|(_, work)| work).sum()
    }

    /// Parts sum up to the drive's work; without brakes, wheels lack nothing, and on a plane the chassis hardly anything.
    #[rstest]
    #[case::one_clutch("sedan", 2)]
    #[case::motors("ev-saloon", 1)]
    #[case::a_converter("suv-automatic", 2)]
    #[case::two_clutches("hatchback-dct", 2)]
    fn a_start_has_a_balance(#[case] name: &str, #[case] gear: i8) {
        let command = CarCommand {
            throttle: 0.6,
            ..FREE
        };
        let (flow, _) = driven(name, (Gear(gear), 10.0), command, 4.0);
        assert!(
            flow.drive > 1e5 && (sum(&flow) / flow.drive - 1.0).abs() < 1e-6,
            "{flow:?}"
        );
        assert!(flow.brakes.abs() < 1e-3 * flow.drive, "{flow:?}");
        assert!(flow.clutch.abs() < 1e-3 * flow.drive, "{flow:?}");
        assert!(flow.suspension.abs() < 5e-3 * flow.drive, "{flow:?}");
    }

    /// Brakes take their torques times the spins.
    #[test]
    fn a_stop_has_a_balance() {
        let command = CarCommand {
            brake: 0.3,
            clutch: 1.0,
            ..FREE
        };
        let (flow, braked) = driven("sedan", (Gear::NEUTRAL, 30.0), command, 4.0);
        assert!(
            braked > 1e5 && (flow.brakes / braked - 1.0).abs() < 1e-3,
            "{flow:?} {braked}"
        );
        assert!(sum(&flow).abs() < 1e-6 * braked, "{flow:?}");
        assert!(
            flow.speed < -0.9 * braked && flow.suspension.abs() < 5e-3 * braked,
            "{flow:?}"
        );
    }
}
