//! Engine and generator of a power split: when the engine runs, how fast, and with which torque.

use super::ElectricDriveParams;
use super::memory::{ElectricMemory, EngineMemory};
use super::motor::MotorParams;
use super::power_split::PowerSplitParams;
use crate::engine::EngineParams;

/// Time in which the generator brings the engine to its speed (`s`).
const SPEED_LAG: f32 = 0.05;
/// Speed over the idle speed above which a cranked engine burns fuel (–).
pub(super) const FIRES: f32 = 0.8;
/// Speed of an engine that counts as standing (`rad/s`).
const STANDS: f32 = 1.0;
/// Speed of the wheels for which the engine is ready at least, once it runs (`rad/s`): its power is to be there as the car sets off.
pub(super) const READY: f32 = 10.0;
/// Part of the maximum speed of a generator or an engine that is used (–): below the one at which its torque falls.
pub(super) const USED: f32 = 0.94;

/// The parts of a power split.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hybrid<'a> {
    pub(super) engine: &'a EngineParams,
    pub(super) split: &'a PowerSplitParams,
    /// The generator, and its index among the motors.
    pub(super) generator: &'a MotorParams,
    pub(super) index: usize,
}

/// Engine, generator and request at the start of a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct HybridInput<'a> {
    pub(super) memory: &'a ElectricMemory,
    /// Speed of the engine, of the generator's rotor, and mean spin of the ring's wheels (`rad/s`).
    pub(super) engine_speed: f32,
    pub(super) rotor_speed: f32,
    pub(super) spin: f32,
    /// Speed of the vehicle (`m/s`).
    pub(super) speed: f32,
    /// Torque that the driver asks at the wheels, in the selected direction (`N·m`).
    pub(super) torque: f32,
    /// 1 forward, 0 neutral, −1 reverse.
    pub(super) direction: f32,
    /// Part of the generator's torque that its heat leaves (–).
    pub(super) cool: f32,
    /// Length of the substep (`s`).
    pub(super) duration: f32,
}

/// Torques of engine and generator for the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct HybridDemand {
    /// What the drive remembers of its engine.
    pub(super) memory: EngineMemory,
    /// Torque of the engine (`N·m`), and what it loses per speed (`N·m·s/rad`); dry friction (`N·m`).
    pub(super) engine: [f32; 2],
    pub(super) friction: f32,
    /// Torque of the generator (`N·m`), and what it loses per speed (`N·m·s/rad`).
    pub(super) generator: [f32; 2],
    /// Electric power of the generator in the substep, beside its losses without torque (`W`).
    pub(super) power: f32,
}

impl ElectricDriveParams {
    /// The power split, if there is one.
    pub(super) fn hybrid(&self) -> Option<Hybrid<'_>> {
        let mut motors = self.motors.iter().enumerate();
        let (index, generator) = motors.find(|(_, motor)| motor.wheels.is_empty())?;
        Some(Hybrid {
            engine: self.engine.as_ref()?,
            split: self.power_split.as_ref()?,
            generator,
            index,
        })
    }
}

impl Hybrid<'_> {
    /// Greatest torque of the engine on the wheels (`N·m`).
    pub(super) fn direct_torque(&self) -> f32 {
        let power = self.split.engine_power();
        let speed = self.split.operating_line.at(power);
        self.split.direct_ratio() * power / speed
    }

    /// Torques of engine and generator.
    pub(super) fn demand(
        &self,
        params: &ElectricDriveParams,
        input: &HybridInput<'_>,
    ) -> HybridDemand {
        let charge = input.memory.state_of_charge(params);
        let running = self.runs(input, charge);
        let turning = (input.direction * input.spin).max(0.0);
        let charging = input.direction.abs() * self.split.rules().charging(charge);
        let ready = input.torque * turning.max(READY) + charging;
        let target = self.target(input, running, ready);
        let memory = EngineMemory {
            running,
            target,
            ..input.memory.engine
        };
        let fires = running && input.engine_speed > FIRES * self.engine.idle_speed;
        let asked = (input.torque * turning + charging).clamp(0.0, self.split.engine_power());
        let (throttle, speed) = (self.throttle(asked, fires, input), input.engine_speed);
        let damping = self.engine.damping(throttle, 1.0);
        let torque = self.engine.torque(throttle, speed) - damping * speed;
        let mut demand = HybridDemand {
            memory,
            engine: [torque, damping],
            friction: self.engine.friction(throttle, speed),
            ..HybridDemand::default()
        };
        if target > 0.0 || speed > STANDS {
            let accelerates = (target - input.memory.engine.target) / input.duration;
            let carrier = torque - self.engine.inertia * accelerates;
            self.hold_speed(input, carrier, &mut demand);
        }
        demand
    }

    /// Whether the engine runs: by its rules, or because the generator's speed would not let it stand.
    fn runs(&self, input: &HybridInput<'_>, charge: f32) -> bool {
        let request = input.torque * READY.max(input.direction * input.spin);
        let [slowest, _] = self.speeds(input.spin);
        let running = input.memory.engine.running;
        let rules = self.split.rules();
        rules.runs(running, request, charge, input.speed) || slowest > 0.0
    }

    /// Least and greatest speed of the engine (`rad/s`) that the generator's allows, at a mean spin of the ring's wheels.
    fn speeds(&self, spin: f32) -> [f32; 2] {
        let sun = USED * self.generator.max_speed / self.generator.ratio;
        let ring = self.split.planetary * self.split.ratio * spin;
        [-sun, sun].map(|sun| (sun + ring) / (1.0 + self.split.planetary))
    }

    /// Speed that the engine is to have at the end of the substep (`rad/s`), for the power that it is to be ready for (`W`).
    fn target(&self, input: &HybridInput<'_>, running: bool, power: f32) -> f32 {
        let goal = if running {
            let [slowest, fastest] = self.speeds(input.spin);
            let best = self
                .split
                .operating_line
                .at(power)
                .max(self.engine.idle_speed);
            best.min(fastest).max(slowest.max(0.0))
        } else {
            0.0
        };
        let before = input.memory.engine.target;
        let most = self.split.speed_rate * input.duration;
        before + (goal - before).clamp(-most, most)
    }

    /// Throttle for a power (`W`), of which the engine gives no more than the generator bears: otherwise it would run away.
    fn throttle(&self, power: f32, fires: bool, input: &HybridInput<'_>) -> f32 {
        if !fires {
            return 0.0;
        }
        let speed = input.engine_speed;
        let borne = self.carrier_ratio() * self.generator_limit(input);
        self.engine.throttle_for((power / speed).min(borne), speed)
    }

    /// Torque on the carrier over that of the generator (–): 1 + ρ.
    fn carrier_ratio(&self) -> f32 {
        (1.0 + self.split.planetary) * self.generator.ratio
    }

    /// Greatest torque of the generator (`N·m`).
    fn generator_limit(&self, input: &HybridInput<'_>) -> f32 {
        input.cool * self.generator.limit(input.rotor_speed)
    }

    /// Lets the generator bear the torque of the carrier (`N·m`), and bring the engine to its target.
    fn hold_speed(&self, input: &HybridInput<'_>, carrier: f32, demand: &mut HybridDemand) {
        let (split, ratio) = (self.split, self.generator.ratio);
        let (over, most) = (self.carrier_ratio(), self.generator_limit(input));
        let gain = (self.generator.inertia + self.engine.inertia / (over * over)) / SPEED_LAG;
        let sun = split.sun_speed(demand.memory.target, split.ratio * input.spin);
        let asked = gain * (ratio * sun - input.rotor_speed) - carrier / over;
        let torque = asked.clamp(-most, most);
        let held = if torque == asked { gain } else { 0.0 };
        demand.generator = [torque, held];
        // As the engine gains speed, so does the rotor, whose torque then falls.
        let gains = over * (demand.memory.target - input.memory.engine.target);
        let (mean, speed) = (torque - held * gains, input.rotor_speed + 0.5 * gains);
        demand.power = mean * (speed + self.generator.losses.copper * mean);
    }
}

/// Battery limits (`W`) that a generator's power leaves to the motors.
pub(super) fn left_by(power: f32, [charge, discharge]: [f32; 2]) -> [f32; 2] {
    [(charge + power).max(0.0), (discharge - power).max(0.0)]
}
