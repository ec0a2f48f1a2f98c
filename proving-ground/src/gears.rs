//! The gears of a vehicle, as its drivetrain reports them.

use jounce::core::lanes::LANES;
use jounce::core::state::WheelState;
use jounce::core::{CarCommand, Command, Control, DriveState, Gear, VehicleModel};

/// Greatest speed in a gear, by the vehicle and by the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GearReach {
    /// The gear.
    pub gear: Gear,
    /// Speed of the vehicle at the engine's maximum speed (`m/s`); negative in reverse.
    pub speed: f32,
    /// The engine's maximum speed (`rad/s`).
    pub engine_speed: f32,
}

/// Every gear of a vehicle, from the lowest in reverse to the highest. Empty for drives without an engine.
#[must_use]
pub fn gear_reaches(model: &VehicleModel) -> Vec<GearReach> {
    let reverse = (1..=i8::MAX).map_while(|n| reach(model, Gear(-n)));
    let mut reaches: Vec<_> = reverse.collect();
    reaches.reverse();
    reaches.extend((1..=i8::MAX).map_while(|n| reach(model, Gear(n))));
    reaches
}

/// State and control of a standing car's drivetrain at full throttle in a gear; `None` if it takes no car's commands.
fn at_full_throttle(model: &VehicleModel, gear: Gear) -> Option<(DriveState, Control)> {
    let drivetrain = model.drivetrain();
    let mut state = drivetrain.initial_state();
    state.force_gear(gear);
    let command = Command::Car(CarCommand {
        throttle: 1.0,
        automatic: false,
        ..CarCommand::default()
    });
    let mut control = Control::idle(model.wheel_count());
    drivetrain
        .control(&command, &mut state, &mut control)
        .ok()?;
    // A response may hold it back at a standstill.
    control.throttle = 1.0;
    let still = vec![WheelState::AT_REST; control.wheels.len()];
    drivetrain.change_gears(&mut state, &still, 1e-3, &mut control);
    Some((state, control))
}

/// Greatest power and torque of an engine at full throttle, as in a data sheet: net of its damping.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnginePeaks {
    /// Greatest power before the engine's damping (`W`).
    pub gross_power: f32,
    /// Greatest power (`W`).
    pub power: f32,
    /// Lowest speed at which the engine has this power (`1/min`).
    pub power_at: f32,
    /// Greatest torque (`N·m`).
    pub torque: f32,
    /// Lowest speed at which the engine has this torque (`1/min`).
    pub torque_at: f32,
}

/// Steps in which the speed of an engine is scanned (`1/min`).
const SCAN: u16 = 10;

/// Greatest power and torque of a vehicle's engine from its idle speed to its maximum speed. `None` for drives without an engine.
#[must_use]
pub fn engine_peaks(model: &VehicleModel) -> Option<EnginePeaks> {
    let (mut state, mut control) = at_full_throttle(model, Gear::FIRST)?;
    let coupling = control.coupling?;
    let still = vec![WheelState::AT_REST; control.wheels.len()];
    let rpm = core::f32::consts::PI / 30.0;
    let range = coupling.idle_speed..=coupling.max_speed * (1.0 + f32::EPSILON);
    let mut peaks = EnginePeaks::default();
    // What is as great to the last bits is reached at the lower speed.
    let exceeds = |value: f32, greatest: f32| value > greatest * (1.0 + 1e-5);
    for at in (1..=u16::MAX / SCAN).map(|n| f32::from(n * SCAN)) {
        state.engine_speed = at * rpm;
        if !range.contains(&state.engine_speed) {
            continue;
        }
        model
            .drivetrain()
            .split_torque(&state, &still, &mut control);
        let engine = control.coupling?;
        peaks.gross_power = peaks.gross_power.max(engine.torque * state.engine_speed);
        let torque = engine.torque - engine.damping * state.engine_speed;
        let power = torque * state.engine_speed;
        if exceeds(torque, peaks.torque) {
            (peaks.torque, peaks.torque_at) = (torque, at);
        }
        if exceeds(power, peaks.power) {
            (peaks.power, peaks.power_at) = (power, at);
        }
    }
    Some(peaks)
}

/// A gear as the drivetrain reports it: ratio, engine limit and driven wheels.
fn reach(model: &VehicleModel, gear: Gear) -> Option<GearReach> {
    let (_, control) = at_full_throttle(model, gear)?;
    let coupling = control.coupling.filter(|c| c.ratio != 0.0)?;
    let spin = coupling.max_speed / coupling.ratio;
    let wheels = model.params().wheels.iter().enumerate();
    let radius: f32 = wheels.fold(0.0, |sum, (n, wheel)| {
        let share = control.wheels[n / LANES].speed_share.lane(n % LANES);
        sum + share * wheel.radius
    });
    Some(GearReach {
        gear,
        speed: spin * radius,
        engine_speed: coupling.max_speed,
    })
}

/// Share of the engine's maximum speed up to which a driver uses a gear on the road (–). tuned: a family car at 100 km/h
/// is in fourth.
const USED: f32 = 0.6;

/// The gear in which a driver goes at a `speed` (`m/s`, negative in reverse): the lowest in which the engine is not
/// strained, otherwise the highest. First in drives without an engine.
#[must_use]
pub fn gear_for(model: &VehicleModel, speed: f32) -> Gear {
    let reaches = gear_reaches(model);
    let mut same_way: Vec<&GearReach> = reaches.iter().filter(|r| r.speed * speed > 0.0).collect();
    same_way.sort_by(|a, b| a.speed.abs().total_cmp(&b.speed.abs()));
    let fits = |r: &&&GearReach| speed.abs() <= USED * r.speed.abs();
    let found = same_way.iter().find(fits).or(same_way.last());
    found.map_or(Gear::FIRST, |reach| reach.gear)
}

#[cfg(test)]
mod tests {
    use jounce::presets;

    use super::*;

    #[test]
    fn a_faster_car_starts_in_a_higher_gear() {
        let model = presets::sedan().model();
        let gears = [-3.0, 0.0, 3.0, 27.8, 100.0].map(|speed| gear_for(&model, speed).0);
        assert_eq!(gears, [-1, 1, 1, 4, 6]);
        let skateboard = presets::by_name("skateboard").unwrap().model();
        assert_eq!(gear_for(&skateboard, 9.0), Gear::FIRST);
        assert_eq!(gear_reaches(&skateboard), []);
    }
}
