//! Motion of the steering wheel under hands and road, and of the wheels under it.

use vehicle_core::lanes::{LANES, W4};
use vehicle_core::{CarCommand, Control, MAX_WHEELS, SteeringInput, SteeringWheel};

use super::SteeringParams;
use crate::pedals;
use crate::per_wheel::{self, PerWheel};
use crate::steering_system::{Pull, SteeringSystem, TireResponse, TreadState};

/// Part of the lock over which the slope of the geometry is taken (–).
const NEAR: f32 = 1.0 / 1024.0;

impl SteeringParams {
    /// Reads a car's command: turns straight wheels to the angles (`rad`) that stand for it by `set`, and returns what the
    /// hands do to the steering wheel, if there is one.
    #[inline]
    pub(crate) fn read(
        &self,
        car: &CarCommand,
        forward_speed: f32,
        set: impl FnMut(usize, f32),
    ) -> SteeringInput {
        let command = pedals::steer(car.steer);
        let Some(system) = &self.system else {
            self.turn_straight(command, forward_speed, set);
            return SteeringInput::Angle(0.0);
        };
        let answer = self.response.signed_at(command, forward_speed);
        let (hands, share) = system.read(car, answer);
        self.turn(share, share, set);
        hands
    }

    /// Sets the angles of all wheels, unless they are already known for this command.
    pub(crate) fn aim(&self, car: &CarCommand, control: &mut Control) {
        let known = control.steered_for == Some(car.steer) && self.system.is_none();
        if known && self.response.is_linear() {
            return;
        }
        control.steered_for = Some(car.steer);
        let wheels = &mut control.wheels;
        wheels.each_mut(|_, wheels| wheels.steer = W4::ZERO);
        // In lanes at once: a load of four numbers stalls on four separate stores.
        control.hands = self.read(car, control.forward_speed, |wheel, angle| {
            if let Some(wheels) = wheels.get_mut(wheel / LANES) {
                wheels.steer = wheels.steer.with_lane(wheel % LANES, angle);
            }
        });
    }

    /// Advances a steering wheel by `h` (`s`) and sets the wheels' angles.
    pub(crate) fn steer(
        &self,
        wheel: &mut SteeringWheel,
        road: &[TireResponse],
        h: f32,
        control: &mut Control,
    ) {
        let Some(system) = &self.system else { return };
        if h > 0.0 {
            let pull = self.pull(system, wheel, road, h, control);
            system.turn(wheel, &pull, control.hands, control.forward_speed, h);
        }
        let angles = self.turned_at(system, wheel.pinion + wheel.compliance);
        for (group, wheels) in control.wheels.iter_mut().enumerate() {
            wheels.steer = per_wheel::lanes(&angles, group);
        }
    }

    /// The steering wheel of a fresh vehicle, if torques move it.
    pub(crate) fn steering_wheel(&self) -> Option<SteeringWheel> {
        self.system.as_ref().map(|_| SteeringWheel::STRAIGHT)
    }

    /// Whether the driver steers: by a command other than straight, or by hands on a steering wheel.
    pub(crate) fn is_turned(&self, car: &CarCommand) -> bool {
        match car.steering_wheel.filter(|_| self.system.is_some()) {
            None => car.steer != 0.0,
            Some(hands) => {
                ![SteeringInput::Angle(0.0), SteeringInput::Torque(0.0)].contains(&hands)
            }
        }
    }

    /// Angles of all wheels (`rad`) at an angle of the pinion (`rad`), both to the left.
    fn turned_at(&self, system: &SteeringSystem, pinion: f32) -> PerWheel {
        let command = -system.share(pinion);
        let mut angles = [0.0; MAX_WHEELS];
        self.turn(command, command, |wheel, angle| angles[wheel] = angle);
        angles
    }

    /// Turns the steering by the moments of the road; sets its moments on the wheels, and lets go of moments that
    /// treads cannot hold.
    fn pull(
        &self,
        system: &SteeringSystem,
        wheel: &mut SteeringWheel,
        road: &[TireResponse],
        h: f32,
        control: &mut Control,
    ) -> Pull {
        let near = NEAR * system.lock();
        let most = system.lock() - near;
        let at = (wheel.pinion + wheel.compliance).clamp(-most, most);
        let ends = [at + near, at - near].map(|p| self.turned_at(system, p));
        let mut pull = Pull::default();
        for axis in &system.axes {
            let (group, lane) = (axis.wheel / LANES, axis.wheel % LANES);
            let (Some((input, forces)), Some(wheels)) =
                (road.get(group), control.wheels.get_mut(group))
            else {
                continue;
            };
            let slope = (ends[0][axis.wheel] - ends[1][axis.wheel]) / (2.0 * near);
            let tread = TreadState::of(input, forces, lane);
            let held = tread.held_by(wheels.brake.lane(lane));
            let moment = axis.moment(&tread, wheels.steer.lane(lane), held);
            wheels.road_moment = wheels.road_moment.with_lane(lane, moment);
            pull.add(system, axis, &tread, (moment, slope));
        }
        pull.wind(&mut wheel.wind_up, h);
        pull
    }
}
