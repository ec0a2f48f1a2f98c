//! The subject of the rules: the car in meters and kilograms, and the known parts of its drive.

use glam::Vec3;
use jounce::core::params::WheelParams;
use jounce::core::profile::Solver;
use jounce::core::{Command, Control, MAX_WHEELS, TankCommand, VehicleParams, WheelCommand};
use jounce::document::VehicleSpec;
use jounce::drive::{
    AutoboxParams, BrakeParams, ClutchParams, ClutchPedalParams, Differential, DualClutchParams,
    EngineParams, GearboxParams, MotorParams, ParallelHybridParams, PowerSplitParams,
    RetarderParams, VariatorParams,
};
use jounce::file::{Car, Hull};
use serde::de::DeserializeOwned;
use toml::Value;

use super::LintSurroundings;
use proving_ground::stage::FREE;
use proving_ground::world::GRAVITY;

/// A car and its surroundings.
pub(super) struct LintedCar<'a> {
    pub(super) car: &'a Car,
    /// Time step of the world (`s`).
    pub(super) dt: f32,
    /// Linear and angular damping of its body (`1/s`).
    pub(super) damping: [f32; 2],
    pub(super) params: VehicleParams,
    pub(super) hull: Hull,
    pub(super) engine: Option<EngineParams>,
    /// Motors of an electric drive.
    pub(super) motors: Vec<MotorParams>,
    /// Power split between engine, generator and wheels.
    pub(super) power_split: Option<PowerSplitParams>,
    /// Separating clutch and gearbox of a parallel hybrid.
    pub(super) parallel: Option<ParallelHybridParams>,
    pub(super) dual_clutch: Option<DualClutchParams>,
    pub(super) variator: Option<VariatorParams>,
    pub(super) clutch_pedal: Option<ClutchPedalParams>,
    pub(super) retarder: Option<RetarderParams>,
    pub(super) differential: Option<Differential>,
    pub(super) gearbox: Option<GearboxParams>,
    pub(super) autobox: Option<AutoboxParams>,
    pub(super) brakes: Vec<BrakeParams>,
}

/// Magnitude of gravity (`m/s²`).
pub(super) const G: f32 = -GRAVITY.z;

impl<'a> LintedCar<'a> {
    pub(super) fn new(car: &'a Car, surroundings: &LintSurroundings) -> Self {
        let spec = car.spec();
        let parallel: Option<ParallelHybridParams> = part(spec, "parallel");
        let geared = parallel.as_ref();
        Self {
            car,
            dt: surroundings.dt,
            damping: [surroundings.linear_damping, surroundings.angular_damping],
            params: spec.params.clone(),
            hull: car.hull,
            engine: part(spec, "engine"),
            motors: part(spec, "motors").unwrap_or_default(),
            power_split: part(spec, "power_split"),
            dual_clutch: part(spec, "dual_clutch"),
            variator: part(spec, "variator"),
            clutch_pedal: part(spec, "clutch").and_then(|clutch: ClutchParams| clutch.pedal),
            retarder: part(spec, "retarder"),
            differential: part(spec, "differential"),
            gearbox: part(spec, "gearbox").or_else(|| Some(geared?.gearbox.clone())),
            autobox: part(spec, "autobox").or_else(|| geared?.autobox.clone()),
            parallel: parallel.clone(),
            brakes: part(spec, "brakes").unwrap_or_default(),
        }
    }

    /// Enabled wheels with their indices.
    pub(super) fn wheels(&self) -> impl Iterator<Item = (usize, &WheelParams)> {
        let wheels = self.params.wheels.iter().enumerate();
        wheels.filter(|(_, wheel)| wheel.enabled)
    }

    /// Moments of inertia of the body's box with uniform density (`kg·m²`).
    pub(super) fn box_inertia(&self) -> Vec3 {
        let square = self.hull.size * self.hull.size;
        let sums = Vec3::new(
            square.y + square.z,
            square.z + square.x,
            square.x + square.y,
        );
        sums * (self.params.chassis.mass / 12.0)
    }

    /// Longest substep of a spring (`s`).
    pub(super) fn substep(&self) -> f32 {
        let substeps = match self.params.profile.solver {
            Solver::Rows(settings) => settings.substeps(self.dt),
            Solver::Explicit(_) => self.params.substeps.slow.min(self.params.substeps.fast),
        };
        self.dt / substeps as f32
    }

    /// Whether the drive responds to a command with torque on any wheel.
    pub(super) fn drives(&self) -> bool {
        self.command(AnyCommand {
            throttle: 1.0,
            ..AnyCommand::default()
        })
        .is_some_and(|command| {
            let control = self.answer(&command);
            control.is_some_and(|control| {
                let driven = |torque: f32| torque != 0.0;
                let direct = control
                    .wheels
                    .iter()
                    .any(|w| w.drive.to_array().into_iter().any(driven));
                let engine = control.coupling.is_some() || self.engine.is_some();
                direct || engine || !self.motors.is_empty()
            })
        })
    }

    /// Wheels whose speeds the drive's clutch or converter sees.
    pub(super) fn driven_wheels(&self) -> Vec<usize> {
        let command = self.command(AnyCommand::default());
        let control = command.and_then(|command| self.answer(&command));
        let driven = |control: &Control, wheel: usize| control.wheel(wheel).speed_share != 0.0;
        let wheels = self.wheels().map(|(n, _)| n);
        wheels
            .filter(|n| control.as_ref().is_some_and(|control| driven(control, *n)))
            .collect()
    }

    /// Whether the drive responds to steering: by wheel angles, or by thrusts of tracks.
    pub(super) fn steers(&self) -> bool {
        let answer = |steer: f32| {
            let asked = AnyCommand {
                steer,
                throttle: 1.0,
                ..AnyCommand::default()
            };
            let mut control = self.answer(&self.command(asked)?)?;
            control.steered_for = None;
            Some(control)
        };
        answer(0.0) != answer(1.0)
    }

    /// Maximum angle of a wheel (`rad`) in response to steering −1…1 at a speed (`m/s`); 0 for
    /// tracked vehicles.
    pub(super) fn steering_angle(&self, steer: f32, speed: f32) -> f32 {
        let angles = self.steering_angles(steer, speed);
        angles.into_iter().fold(0.0, f32::max)
    }

    /// Magnitudes of the angles of all wheels (`rad`) in response to steering −1…1 at a speed (`m/s`).
    pub(super) fn steering_angles(&self, steer: f32, speed: f32) -> Vec<f32> {
        let angles = self.signed_steering_angles(steer, speed).into_iter();
        angles.map(f32::abs).collect()
    }

    /// Angles of all wheels (`rad`, positive to the left) in response to steering −1…1 at a speed (`m/s`).
    pub(super) fn signed_steering_angles(&self, steer: f32, speed: f32) -> Vec<f32> {
        let asked = AnyCommand {
            steer,
            ..AnyCommand::default()
        };
        let command = self.command(asked);
        let control = command.and_then(|command| self.answer_at(&command, speed));
        let Some(control) = control else {
            return Vec::new();
        };
        let angles = control.wheels.iter().flat_map(|w| w.steer.to_array());
        angles.take(self.params.wheels.len()).collect()
    }

    /// The speed that the highest gear allows at the engine's greatest, or the gears of all motors at theirs (`m/s`); `None` if it has
    /// neither.
    pub(super) fn top_speed(&self) -> Option<f32> {
        if !self.motors.is_empty() {
            let radius = |motor: &MotorParams| {
                let radii = motor.wheels.iter().map(|n| self.params.wheels[*n].radius);
                radii.fold(0.0, f32::max)
            };
            let gears = self.parallel.as_ref().map(|parallel| &parallel.gearbox);
            let behind = |n: usize| match gears {
                Some(gears) if n == 0 => gears.ratio(gears.highest()) * gears.range_ratio(0),
                _ => 1.0,
            };
            let driving = self.motors.iter().enumerate();
            let driving = driving.filter(|(_, motor)| !motor.wheels.is_empty());
            let speeds = driving.map(|(n, m)| m.max_speed / (m.ratio * behind(n)) * radius(m));
            return speeds.reduce(f32::min);
        }
        let (engine, gearbox) = (self.engine.as_ref()?, self.gearbox.as_ref()?);
        let variator = self
            .variator
            .as_ref()
            .map_or(1.0, |variator| variator.ratios[1]);
        let behind = gearbox.range_ratio(0) * variator;
        let ratio = gearbox.forward.last()? * gearbox.final_ratio * behind;
        let [_, radius] = extent(self.wheels().map(|(_, wheel)| wheel.radius));
        Some(engine.max_speed / ratio * radius)
    }

    /// Speed of bends (`m/s`): 80 km/h as in ISO 7401, less for what is small or slow.
    pub(super) fn cruise(&self) -> f32 {
        let of_size = 5.0 * (G * self.wheelbase()).sqrt();
        let reached = 0.9 * self.top_speed().unwrap_or(f32::INFINITY);
        of_size.min(80.0 / 3.6).min(reached)
    }

    /// Distance from the frontmost to the rearmost wheel (`m`).
    pub(super) fn wheelbase(&self) -> f32 {
        let [rear, front] = extent(self.wheels().map(|(_, wheel)| wheel.position.x));
        front - rear
    }

    /// Angle of the front wheels (`rad`) with which it would have 0.2 g to the side at a speed (`m/s`), if it
    /// did not slip.
    pub(super) fn fifth_of_g(&self, speed: f32) -> f32 {
        fifth_of_g(self.wheelbase(), speed)
    }

    /// The equivalent command of the kind that the drive accepts.
    pub(super) fn command(&self, asked: AnyCommand) -> Option<Command> {
        [asked.of_car(), asked.of_tank(), asked.of_wheels()]
            .into_iter()
            .find(|command| self.answer(command).is_some())
    }

    fn answer(&self, command: &Command) -> Option<Control> {
        self.answer_at(command, 0.0)
    }

    /// The drive's response to a command at a forward speed (`m/s`).
    fn answer_at(&self, command: &Command, speed: f32) -> Option<Control> {
        let model = self.car.model();
        let mut control = Control::idle(model.wheel_count());
        control.forward_speed = speed;
        let mut state = model.drivetrain().initial_state();
        let answered = model
            .drivetrain()
            .control(command, &mut state, &mut control);
        answered.ok().map(|()| control)
    }
}

/// A driver's input for any vehicle: pedals 0…1, steering −1 (left) … 1.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AnyCommand {
    pub(super) throttle: f32,
    pub(super) brake: f32,
    pub(super) steer: f32,
    /// The autobox leaves the gear as it is: neutral, where a run began in it.
    pub(super) in_neutral: bool,
}

impl AnyCommand {
    fn of_car(self) -> Command {
        let mut car = FREE;
        (car.throttle, car.brake, car.steer) = (self.throttle, self.brake, self.steer);
        car.automatic = !self.in_neutral;
        Command::Car(car)
    }

    /// The inner track is not driven.
    fn of_tank(self) -> Command {
        let thrust = [1.0 + self.steer.min(0.0), 1.0 - self.steer.max(0.0)];
        Command::Tank(TankCommand {
            throttle: self.throttle,
            thrust: thrust.map(|share| share * self.throttle),
            brake: [self.brake; 2],
            automatic: !self.in_neutral,
            ..TankCommand::default()
        })
    }

    /// Torques that suit a skateboard and stop a truck.
    fn of_wheels(self) -> Command {
        let mut wheels = WheelCommand {
            drive: [100.0 * self.throttle; MAX_WHEELS],
            brake: [5000.0 * self.brake; MAX_WHEELS],
            ..WheelCommand::default()
        };
        wheels.steer[..2].fill(-0.4 * self.steer);
        Command::Wheels(wheels)
    }
}

/// The least and the greatest of some numbers; infinite and reversed if there are none.
pub(super) fn extent(numbers: impl Iterator<Item = f32>) -> [f32; 2] {
    numbers.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], x| {
        [low.min(x), high.max(x)]
    })
}

/// Steering angle (`rad`) for 0.2 g of a car of a wheelbase (`m`), without understeer, at a speed (`m/s`).
fn fifth_of_g(base: f32, speed: f32) -> f32 {
    0.2 * G * base / (speed * speed)
}

/// A part of the drive's parameters, if it has one of this name.
fn part<T: DeserializeOwned>(spec: &VehicleSpec, name: &str) -> Option<T> {
    let value: &Value = spec.drive.0.get(name)?;
    T::deserialize(value.clone()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A circle of radius base / angle has a lateral acceleration v² / r of 0.2 g.
    #[test]
    fn a_step_of_steering_is_for_a_fifth_of_g() {
        for (base, speed) in [(2.7, 20.0), (0.5, 9.0), (4.0, 15.0)] {
            let radius = base / fifth_of_g(base, speed);
            let share = speed * speed / radius / 9.81;
            assert!((share - 0.2).abs() < 1e-5, "{base} {speed}: {share}");
        }
    }

    fn asked(steer: f32) -> AnyCommand {
        AnyCommand {
            throttle: 0.5,
            brake: 0.25,
            steer,
            in_neutral: false,
        }
    }

    /// Whoever steers to the other side asks for the mirror image, by wheels as by tracks.
    #[test]
    fn steering_to_either_side_is_asked_of_any_drive() {
        for steer in [0.0, 0.5, 1.0] {
            let [right, left] = [steer, -steer].map(|steer| asked(steer).of_tank());
            let (Command::Tank(right), Command::Tank(left)) = (right, left) else {
                panic!("{right:?} {left:?}");
            };
            // The inner track, here the right one, is left alone at full lock.
            assert_eq!(right.thrust, [0.5, 0.5 * (1.0 - steer)]);
            assert_eq!(left.thrust, [right.thrust[1], right.thrust[0]]);
            assert_eq!((right.throttle, right.brake), (0.5, [0.25; 2]));
            assert!(right.automatic && left.automatic);

            let Command::Wheels(wheels) = asked(steer).of_wheels() else {
                panic!("wheels take torques");
            };
            assert!(
                (wheels.steer[0] + 0.4 * steer).abs() < 1e-6,
                "right is negative"
            );
            assert_eq!((wheels.steer[1], wheels.steer[2]), (wheels.steer[0], 0.0));
            assert_eq!((wheels.drive[0], wheels.brake[0]), (50.0, 1250.0));
        }
    }

    #[test]
    fn a_subject_knows_its_car() {
        let sedan = jounce::presets::sedan();
        let subject = LintedCar::new(&sedan, &LintSurroundings::new(1.0 / 60.0));
        assert!((subject.wheelbase() - 2.72).abs() < 1e-5);
        // A brick of these sides (m) and 1500 kg.
        let wanted = 125.0
            * Vec3::new(
                1.82 * 1.82 + 1.05 * 1.05,
                4.6 * 4.6 + 1.05 * 1.05,
                4.6 * 4.6 + 1.82 * 1.82,
            );
        assert!((subject.box_inertia() - wanted).length() < 0.01 * wanted.length());
        let [right, left, half, none] =
            [1.0, -1.0, 0.5, 0.0].map(|steer| subject.steering_angle(steer, 0.0));
        assert!((right.to_degrees() - 36.0).abs() < 6.0, "{right}");
        assert!((right - left).abs() < 1e-5 && half < 0.7 * right && half > 0.3 * right);
        assert!(none < 0.01, "{none}");
        assert!(subject.drives() && subject.steers());
        assert!((subject.substep() - 1.0 / 60.0).abs() < 1e-6);
        let trailer = jounce::presets::by_name("trailer").unwrap();
        let trailer = LintedCar::new(&trailer, &LintSurroundings::new(1.0 / 60.0));
        assert!(!trailer.drives() && !trailer.steers());
    }

    /// All that ships and is no trailer drives and steers, cars as tanks; torques wheel by wheel do, too.
    #[test]
    fn whatever_has_a_drive_drives_and_steers() {
        let answers = |car: &Car| {
            let subject = LintedCar::new(car, &LintSurroundings::new(1.0 / 60.0));
            [subject.drives(), subject.steers()]
        };
        for (name, text) in jounce::presets::FILES {
            let driven = !name.contains("trailer");
            let car = Car::parse(text, name).unwrap();
            assert_eq!(answers(&car), [driven; 2], "{name}");
        }
        let (_, text) = jounce::presets::FILES[0];
        let (before, _) = text.split_once("[drivetrain]").unwrap();
        for (torque, driven) in [("300.0", true), ("0.0", false)] {
            let direct = format!(
                "[drivetrain]\nmodel = \"direct\"\nmax_torques = [{torque}, 0.0, 0.0, 0.0]"
            );
            let car = Car::parse(&format!("{before}{direct}"), "direct.toml").unwrap();
            assert_eq!(answers(&car), [driven, true], "{torque}");
        }
    }

    #[test]
    fn a_spring_is_looked_at_once_in_each_substep() {
        let (_, text) = jounce::presets::FILES[0];
        let solver =
            "solver = \"explicit\"\nsubsteps = { threshold_speed = 5.0, slow = 10, fast = 4 }";
        let car = Car::parse(&text.replace("solver = \"rows\"", solver), "car.toml").unwrap();
        let substep = LintedCar::new(&car, &LintSurroundings::new(0.02)).substep();
        assert!((substep - 0.005).abs() < 1e-8, "{substep}");
    }
}
