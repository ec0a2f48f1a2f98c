//! Smoothing of the keys and pads of a trace. Left and right keep PhysX's names: the rules are
//! symmetric.

use jounce::core::{Checked, Curve, InvalidParams, VehicleReport};
use jounce::input::{
    CarHands, CarKeys, CarPad, CarRates, CarSmoothing, InputFault, Rate, SteerLimit,
};

use super::header::Header;

/// The device of the header's analog values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Device {
    Keys,
    Pad,
}

/// Smoothing of a trace's input.
#[derive(Clone, Debug)]
pub(super) struct Smoothing {
    device: Device,
    settings: Checked<CarSmoothing>,
}

/// PhysX's names of smoothing.
pub(super) const KINDS: [&str; 3] = ["none", "key", "pad"];

impl Smoothing {
    /// Smoothing of a header; `None` if analog values are used directly.
    pub(super) fn new(header: &Header) -> Result<Option<Self>, InvalidParams> {
        let device = match header.smoothing.as_str() {
            "key" => Device::Keys,
            "pad" => Device::Pad,
            _ => return Ok(None),
        };
        let rate = |n: usize| Rate::new(header.rise_rates[n], header.fall_rates[n]);
        let points = header.steer_vs_speed.chunks_exact(2).map(|p| [p[0], p[1]]);
        let settings = Checked::new(CarSmoothing {
            grip: None,
            rates: CarRates {
                throttle: rate(0),
                brake: rate(1),
                handbrake: rate(2),
                steer_left: rate(3),
                steer_right: rate(4),
            },
            steer_limit: SteerLimit {
                by_speed: Curve(points.collect()),
                sharpness: 0.0,
            },
        })?;
        Ok(Some(Self { device, settings }))
    }

    /// Raw analog values after `dt` (`s`) of smoothing for the state `seen`.
    pub(super) fn smooth(
        &self,
        hands: &mut CarHands,
        raw: [f32; 5],
        seen: &VehicleReport,
        dt: f32,
    ) -> Result<[f32; 5], InputFault> {
        let [throttle, brake, handbrake, left, right] = raw;
        match self.device {
            Device::Keys => {
                let keys = CarKeys {
                    throttle: throttle != 0.0,
                    brake: brake != 0.0,
                    handbrake: handbrake != 0.0,
                    left: left != 0.0,
                    right: right != 0.0,
                    ..CarKeys::FREE
                };
                hands.press(&self.settings, &keys, seen, dt)?;
            }
            Device::Pad => {
                let pad = CarPad {
                    throttle,
                    brake,
                    handbrake,
                    steer: right - left,
                    ..CarPad::FREE
                };
                hands.follow(&self.settings, &pad, seen, dt)?;
            }
        }
        Ok(analog(hands))
    }
}

/// Positions of the hands, as PhysX's analog values.
fn analog(hands: &CarHands) -> [f32; 5] {
    [
        hands.throttle,
        hands.brake,
        hands.handbrake,
        hands.left,
        hands.right,
    ]
}

/// Hands at these PhysX analog values.
#[must_use]
pub fn hands_at(analog: [f32; 5]) -> CarHands {
    let [throttle, brake, handbrake, left, right] = analog;
    CarHands {
        throttle,
        brake,
        handbrake,
        left,
        right,
        ..CarHands::default()
    }
}
