//! All channels of one vehicle.

use alloc::vec;
use alloc::vec::Vec;

use vehicle_core::report::EngineReport;
use vehicle_core::{Command, Vehicle};

use crate::channel::{AirChannel, EngineChannel, FuelChannel, SteeringChannel, WheelChannel};
use crate::ring::Ring;

/// The last samples of every channel of one vehicle. There is no cost without calls to
/// [`Telemetry::record`]; recording does not allocate.
#[derive(Clone, Debug, PartialEq)]
pub struct Telemetry {
    wheels: Vec<[Ring; WheelChannel::COUNT]>,
    engine: [Ring; EngineChannel::COUNT],
    air: [Ring; AirChannel::COUNT],
    steering: [Ring; SteeringChannel::COUNT],
    fuel: [Ring; FuelChannel::COUNT],
}

impl Telemetry {
    /// An empty recorder for a vehicle with this number of wheels.
    #[must_use]
    pub fn new(wheels: usize) -> Self {
        Self {
            wheels: vec![Default::default(); wheels],
            engine: Default::default(),
            air: Default::default(),
            steering: Default::default(),
            fuel: Default::default(),
        }
    }

    /// Records one sample of every channel after an update of `vehicle` with `command`, under a
    /// gravity (`m/s²`).
    ///
    /// PhysX records spins, engine speed and clutch slip from before its update; here all samples
    /// are simultaneous.
    ///
    /// # Panics
    /// If the vehicle has a different number of wheels.
    pub fn record(&mut self, vehicle: &Vehicle, command: &Command, gravity: f32) {
        let count = vehicle.model().wheel_count();
        assert_eq!(count, self.wheels.len(), "telemetry for other wheels");
        for (report, rings) in vehicle.wheel_reports().zip(&mut self.wheels) {
            for (channel, ring) in WheelChannel::ALL.into_iter().zip(rings) {
                ring.push(channel.sample(&report, gravity));
            }
        }
        let engine = EngineReport::of(vehicle);
        for (channel, ring) in EngineChannel::ALL.into_iter().zip(&mut self.engine) {
            ring.push(channel.sample(engine.as_ref(), command));
        }
        if let Some(air) = vehicle.air_load() {
            for (channel, ring) in AirChannel::ALL.into_iter().zip(&mut self.air) {
                ring.push(channel.sample(&air));
            }
        }
        if let Some(wheel) = vehicle.state().steering_wheel() {
            for (channel, ring) in SteeringChannel::ALL.into_iter().zip(&mut self.steering) {
                ring.push(channel.sample(&wheel));
            }
        }
        if let Some(fuel) = vehicle.model().fuel_use(vehicle.state()) {
            for (channel, ring) in FuelChannel::ALL.into_iter().zip(&mut self.fuel) {
                ring.push(channel.sample(&fuel));
            }
        }
    }

    /// Number of recorded wheels.
    #[must_use]
    pub fn wheel_count(&self) -> usize {
        self.wheels.len()
    }

    /// The samples of a channel of wheel `wheel`.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn wheel(&self, wheel: usize, channel: WheelChannel) -> &Ring {
        &self.wheels[wheel][channel as usize]
    }

    /// The samples of a channel of engine and driver.
    #[must_use]
    pub fn engine(&self, channel: EngineChannel) -> &Ring {
        &self.engine[channel as usize]
    }

    /// The samples of a channel of the air; none of a vehicle without aerodynamics.
    #[must_use]
    pub fn air(&self, channel: AirChannel) -> &Ring {
        &self.air[channel as usize]
    }

    /// The samples of a channel of the steering wheel; none of a vehicle whose wheels follow the command at once.
    #[must_use]
    pub fn steering(&self, channel: SteeringChannel) -> &Ring {
        &self.steering[channel as usize]
    }

    /// The samples of a channel of the fuel; none of a vehicle that counts none.
    #[must_use]
    pub fn fuel(&self, channel: FuelChannel) -> &Ring {
        &self.fuel[channel as usize]
    }

    /// Discards all samples.
    pub fn clear(&mut self) {
        let wheels = self.wheels.iter_mut().flatten();
        let others = self.engine.iter_mut().chain(&mut self.air);
        let others = others.chain(&mut self.steering).chain(&mut self.fuel);
        wheels.chain(others).for_each(Ring::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_channel_is_cleared() {
        let mut telemetry = Telemetry::new(3);
        assert_eq!(telemetry.wheel_count(), 3);
        let wheels = telemetry.wheels.iter_mut().flatten();
        wheels
            .chain(&mut telemetry.engine)
            .chain(&mut telemetry.air)
            .chain(&mut telemetry.steering)
            .chain(&mut telemetry.fuel)
            .for_each(|ring| ring.push(1.0));
        assert_eq!(telemetry.wheel(2, WheelChannel::Spin).len(), 1);
        assert_eq!(telemetry.engine(EngineChannel::Steer).len(), 1);
        assert_eq!(telemetry.air(AirChannel::Lift).len(), 1);
        assert_eq!(telemetry.steering(SteeringChannel::Road).len(), 1);
        assert_eq!(telemetry.fuel(FuelChannel::Mass).len(), 1);
        telemetry.clear();
        assert_eq!(telemetry, Telemetry::new(3));
    }
}
