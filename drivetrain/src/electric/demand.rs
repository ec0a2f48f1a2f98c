//! What the driver asks of motors and brakes: from pedals, gear and speeds to torques.

use vehicle_core::{MAX_WHEELS, Sensors};

use super::hybrid::{HybridDemand, HybridInput, left_by};
use super::memory::ElectricMemory;
use super::parallel::{ParallelDemand, ParallelHybridParams, ParallelInput};
use super::power::allowed_part;
use super::regeneration::AskedBrakes;
use super::shafts::mean_spin;
use super::split::split;
use super::{ElectricDrive, MAX_MOTORS, MotorParams, PerMotor};
use crate::per_wheel::PerWheel;

/// State of the pedals, the gear and the motors at the start of a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct DriverInput<'a> {
    pub(super) sensors: &'a Sensors<'a>,
    pub(super) memory: &'a ElectricMemory,
    /// Accelerator after its response, 0…1.
    pub(super) accelerator: f32,
    /// 1 forward, 0 neutral, −1 reverse.
    pub(super) direction: f32,
    /// Speeds of the rotors (`rad/s`).
    pub(super) speeds: PerMotor,
    /// Speeds of the rotors over the mean spins of their wheels (–): negative in the reverse gear of a gearbox, 0 in its neutral.
    pub(super) ratios: PerMotor,
    /// Speed of the engine of a hybrid (`rad/s`), and torque with which it drives the wheels (`N·m`).
    pub(super) engine: [f32; 2],
    /// Speed of the input of a parallel hybrid's gearbox over the mean spin of its wheels (–).
    pub(super) gear_ratio: f32,
}

/// Torques for the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DriveDemand {
    /// Torques at the rotors (`N·m`).
    pub(super) torques: PerMotor,
    /// Torques that the rotors lose per speed that they gain (`N·m·s/rad`), ≥ 0.
    pub(super) slopes: PerMotor,
    /// Torques of the friction brakes (`N·m`), ≥ 0.
    pub(super) brakes: PerWheel,
    /// Engine and generator of a power split.
    pub(super) hybrid: Option<HybridDemand>,
    /// Engine and separating clutch of a parallel hybrid.
    pub(super) parallel: Option<ParallelDemand>,
}

/// A torque of each motor at its wheels (`N·m`), and what it loses per speed of its rotor (`N·m·s/rad`).
#[derive(Clone, Copy, Debug)]
struct Sloped {
    torques: PerMotor,
    slopes: PerMotor,
}

/// Limits of all motors at their speeds.
struct MotorLimits {
    /// Greatest torques at the wheels (`N·m`), and what they lose per speed of the rotor (`N·m·s/rad`).
    most: Sloped,
    /// Speeds of the rims (`m/s`), and the size of their gain per speed of the rotor (`m`).
    rims: PerMotor,
    rolling: PerMotor,
    /// Speeds of the slowest rim of each motor (`m/s`), ≥ 0: 0 if one of its wheels locks.
    slowest: PerMotor,
    /// Power that the battery takes and gives (`W`).
    battery: [f32; 2],
}

impl ElectricDrive {
    /// Torques of motors and friction brakes.
    pub(super) fn demand(&self, input: &DriverInput<'_>) -> DriveDemand {
        let p = &self.params;
        let mut limits = self.limits(input);
        let most = limits.most.torques;
        let asked = self.asked(input, &limits);
        let hybrid = self.hybrid_demand(input, asked);
        let parallel = self.parallel_demand(input, asked);
        if let Some(hybrid) = &hybrid {
            limits.battery = left_by(hybrid.power, limits.battery);
        }
        let driving = self.driving(input, asked, &limits);
        // What motors take of an engine's torque, the battery no longer takes of braking.
        let taken = at_rotors(input, |n| input.direction * driving.torques[n]);
        let charged: f32 = taken
            .iter()
            .zip(&input.speeds)
            .map(|(t, s)| (t * s).min(0.0))
            .sum();
        limits.battery[0] = (limits.battery[0] + charged).max(0.0);
        let (braking, mut brakes) = self.braking(input, &limits);
        let turning = match &p.vectoring {
            Some(vectoring) if input.direction != 0.0 => {
                vectoring.torques(&p.motors, input.sensors)
            }
            _ => [0.0; MAX_MOTORS],
        };
        let [_, handbrake] = input.memory.brakes;
        for (brake, params) in brakes.iter_mut().zip(&p.brakes) {
            *brake += params.torque(0.0, handbrake);
        }
        let mut demand = DriveDemand {
            torques: [0.0; MAX_MOTORS],
            slopes: [0.0; MAX_MOTORS],
            brakes,
            hybrid,
            parallel,
        };
        let coupled = |n: &usize| input.ratios[*n] != 0.0;
        for n in (0..p.motors.len()).filter(coupled) {
            let against = braking.torques[n] * limits.rims[n].signum();
            let torque = input.direction * driving.torques[n] - against + turning[n];
            // No negative zero: the bits of what is remembered stay the same at rest.
            demand.torques[n] = torque.clamp(-most[n], most[n]) / input.ratios[n] + 0.0;
            // Half, so that the mean torque of the substep is that at the middle of its speeds.
            let slope = driving.slopes[n] + braking.slopes[n];
            demand.slopes[n] = 0.5 * slope / input.ratios[n].abs();
        }
        if let (Some(parts), Some(hybrid)) = (p.hybrid(), hybrid) {
            [demand.torques[parts.index], demand.slopes[parts.index]] = hybrid.generator;
        }
        demand
    }

    /// Torque that accelerator and creep ask at all wheels together, in the selected direction (`N·m`), ≥ 0, and what it loses per
    /// speed of the rims (`N·s`).
    fn asked(&self, input: &DriverInput<'_>, limits: &MotorLimits) -> [f32; 2] {
        if input.direction == 0.0 {
            return [0.0; 2];
        }
        let brakes = input.memory.brakes.iter().sum();
        let rim = input.direction * self.mean(&limits.rims);
        let creep = self
            .params
            .creep
            .map_or([0.0; 2], |creep| creep.at(rim, brakes));
        let direct = self.engine_torque(input);
        let beyond = self.params.parallel.as_ref().map_or(0.0, |parallel| {
            let most = parallel.input_torque.unwrap_or(f32::INFINITY);
            (limits.most.torques[0] + direct - most * input.gear_ratio.abs()).max(0.0)
        });
        let most = limits.most.torques.iter().sum::<f32>() + direct - beyond;
        [input.accelerator * most + creep[0], creep[1]]
    }

    /// Greatest torque of an engine at the wheels (`N·m`).
    fn engine_torque(&self, input: &DriverInput<'_>) -> f32 {
        let p = &self.params;
        match (p.hybrid(), &p.engine) {
            (Some(hybrid), _) => hybrid.direct_torque(),
            (None, Some(engine)) => {
                let speed = input.speeds[0] / p.motors[0].ratio;
                input.gear_ratio.abs() * ParallelHybridParams::engine_torque(engine, speed)
            }
            (None, None) => 0.0,
        }
    }

    /// Engine and separating clutch of a parallel hybrid, of which the driver asks a torque.
    fn parallel_demand(
        &self,
        input: &DriverInput<'_>,
        [torque, _]: [f32; 2],
    ) -> Option<ParallelDemand> {
        let p = &self.params;
        let (parallel, engine) = (p.parallel.as_ref()?, p.engine.as_ref()?);
        let motor = &p.motors[0];
        let input = ParallelInput {
            memory: input.memory.engine,
            engine_speed: input.engine[0],
            input_speed: input.speeds[0] / motor.ratio,
            spin: mean_spin(input.sensors.wheels, &motor.wheels),
            speed: input.sensors.velocity.x,
            torque,
            direction: input.direction,
            ratio: input.gear_ratio,
            charge: input.memory.state_of_charge(p),
            duration: input.sensors.duration,
        };
        Some(parallel.demand(engine, &input))
    }

    /// Engine and generator of a power split, of which the driver asks a torque.
    fn hybrid_demand(
        &self,
        input: &DriverInput<'_>,
        [torque, _]: [f32; 2],
    ) -> Option<HybridDemand> {
        let hybrid = self.params.hybrid()?;
        let spin = mean_spin(input.sensors.wheels, &hybrid.split.wheels);
        let rise = input.memory.motors[hybrid.index].rise;
        let heat = &hybrid.generator.heat;
        let input = HybridInput {
            memory: input.memory,
            engine_speed: input.engine[0],
            rotor_speed: input.speeds[hybrid.index],
            spin,
            speed: input.sensors.velocity.x,
            torque,
            direction: input.direction,
            cool: heat.map_or(1.0, |heat| heat.torque_share(rise)),
            duration: input.sensors.duration,
        };
        Some(hybrid.demand(&self.params, &input))
    }

    fn limits(&self, input: &DriverInput<'_>) -> MotorLimits {
        let p = &self.params;
        let zero = [0.0; MAX_MOTORS];
        let mut limits = MotorLimits {
            most: Sloped {
                torques: zero,
                slopes: zero,
            },
            rims: zero,
            rolling: zero,
            slowest: zero,
            battery: p.battery.limits(input.memory.state_of_charge(p)),
        };
        let driving = p.motors.iter().enumerate();
        let coupled = |(n, motor): &(usize, &MotorParams)| {
            !motor.wheels.is_empty() && input.ratios[*n] != 0.0
        };
        for (n, motor) in driving.filter(coupled) {
            let ratio = input.ratios[n];
            let speed = input.speeds[n];
            let rise = input.memory.motors[n].rise;
            let cool = motor.heat.map_or(1.0, |heat| heat.torque_share(rise));
            let at_wheels = cool * ratio.abs();
            limits.most.torques[n] = at_wheels * motor.limit(speed);
            limits.most.slopes[n] = at_wheels * motor.limit_slope(speed);
            let wheels = motor
                .wheels
                .iter()
                .filter_map(|w| input.sensors.wheels.get(*w));
            let radius: f32 = wheels.map(|wheel| wheel.radius).sum();
            limits.rolling[n] = radius / (motor.wheels.len() as f32 * ratio.abs());
            limits.rims[n] = limits.rolling[n] * speed * 1.0_f32.copysign(ratio);
            limits.slowest[n] = slowest_rim(motor, limits.rims[n], input.sensors);
        }
        limits
    }

    /// Mean of a value of all motors that drive wheels.
    fn mean(&self, values: &PerMotor) -> f32 {
        let driving = self
            .params
            .motors
            .iter()
            .filter(|motor| !motor.wheels.is_empty());
        values.iter().sum::<f32>() / driving.count() as f32
    }

    /// Torques with which motors drive, in the selected direction, of what is asked of all wheels and its loss per speed.
    fn driving(
        &self,
        input: &DriverInput<'_>,
        [asked, slope]: [f32; 2],
        limits: &MotorLimits,
    ) -> Sloped {
        let p = &self.params;
        let (most, zero) = (&limits.most.torques, [0.0; MAX_MOTORS]);
        if input.direction == 0.0 {
            return Sloped {
                torques: zero,
                slopes: zero,
            };
        }
        let total = asked - input.direction * input.engine[1];
        let asked = split(total, &self.shares, most);
        let rotors = at_rotors(input, |n| input.direction * asked[n]);
        let part = allowed_part(&p.motors, &rotors, &input.speeds, limits.battery);
        let torques = asked.map(|torque| part * torque);
        let slopes = core::array::from_fn(|n| {
            let speed = input.direction * input.speeds[n] * 1.0_f32.copysign(input.ratios[n]);
            let drives = torques[n] > 0.0 && speed > 0.0;
            let of_limit = if most[n] > 0.0 && drives {
                limits.most.slopes[n] * torques[n] / most[n]
            } else {
                0.0
            };
            let of_battery = if part < 1.0 && drives {
                torques[n] / speed
            } else {
                0.0
            };
            of_limit.max(of_battery) + self.shares[n] * slope * limits.rolling[n]
        });
        Sloped { torques, slopes }
    }

    /// Torques with which motors brake, against their speeds, and those of the friction brakes but for the handbrake.
    fn braking(&self, input: &DriverInput<'_>, limits: &MotorLimits) -> (Sloped, PerWheel) {
        let p = &self.params;
        let asked = AskedBrakes::new(&p.brakes, input.memory.brakes[0]);
        let engaged = input.direction.abs();
        let fading = limits.slowest.map(|rim| p.regeneration.fading(rim));
        let most = |n: usize| engaged * fading[n][0] * limits.most.torques[n];
        let rotors = at_rotors(input, |n| -limits.rims[n].signum() * most(n));
        let part = allowed_part(&p.motors, &rotors, &input.speeds, limits.battery);
        let released = (1.0 - input.accelerator).max(0.0) * p.regeneration.lift_off;
        let lifted: PerMotor = core::array::from_fn(|n| {
            let peak_torque = p.motors.get(n).map_or(0.0, |motor| motor.peak_torque);
            let peak = peak_torque * input.ratios[n].abs();
            (released * fading[n][0] * peak).min(part * most(n))
        });
        let available = core::array::from_fn(|n| part * most(n) - lifted[n]);
        let blended = asked.blend(&p.regeneration, &p.motors, &self.shares, &available);
        let torques: PerMotor = core::array::from_fn(|n| lifted[n] + blended.motors[n]);
        let slopes = core::array::from_fn(|n| {
            let [part, slope] = fading[n];
            if part > 0.0 {
                torques[n] * slope / part * limits.rolling[n]
            } else {
                0.0
            }
        });
        let [fades, _] = p.regeneration.fading(self.mean(&limits.rims));
        let holding = engaged * p.regeneration.holding_pedal(input.accelerator, fades);
        let mut friction = [0.0; MAX_WHEELS];
        for (n, slot) in friction.iter_mut().enumerate() {
            let held = p
                .brakes
                .get(n)
                .map_or(0.0, |brake| brake.torque(holding, 0.0));
            *slot = blended.friction[n].max(held);
        }
        (Sloped { torques, slopes }, friction)
    }
}

/// Torques at the rotors (`N·m`) of torques at the wheels; 0 for motors that turn no wheels.
fn at_rotors(input: &DriverInput<'_>, torques: impl Fn(usize) -> f32) -> PerMotor {
    core::array::from_fn(|n| {
        let ratio = input.ratios[n];
        if ratio == 0.0 {
            0.0
        } else {
            torques(n) / ratio
        }
    })
}

/// Speed of the slowest rim of a motor's wheels (`m/s`), in the direction of their mean `speed`; 0 for one that stands or turns the
/// other way, as an open differential lets it.
fn slowest_rim(motor: &MotorParams, speed: f32, sensors: &Sensors<'_>) -> f32 {
    let wheels = motor.wheels.iter().filter_map(|w| sensors.wheels.get(*w));
    let rims = wheels.map(|wheel| speed.signum() * wheel.spin * wheel.radius);
    rims.reduce(f32::min).unwrap_or(0.0).max(0.0)
}
