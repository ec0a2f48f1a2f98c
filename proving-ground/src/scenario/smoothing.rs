//! The driver's keys and pads of a trace, smoothed. Left and right keep PhysX's names: the rules are
//! the same both ways.

use jounce::core::{Checked, Curve, InvalidParams, VehicleReport};
use jounce::input::{
    CarHands, CarKeys, CarPad, CarRates, CarSmoothing, InputFault, Rate, SteerLimit,
};

use super::header::Header;

/// What the header's analog values come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Device {
    Keys,
    Pad,
}

/// How a trace's input is smoothed.
#[derive(Clone, Debug)]
pub(super) struct Smoothing {
    device: Device,
    settings: Checked<CarSmoothing>,
}

/// PhysX's words for smoothing.
pub(super) const KINDS: [&str; 3] = ["none", "key", "pad"];

impl Smoothing {
    /// As the header says; `None` for a trace whose analog values are used as they are.
    pub(super) fn new(header: &Header) -> Result<Option<Self>, InvalidParams> {
        let device = match header.smoothing.as_str() {
            "key" => Device::Keys,
            "pad" => Device::Pad,
            _ => return Ok(None),
        };
        let rate = |n: usize| Rate::new(header.rise_rates[n], header.fall_rates[n]);
        let points = header.steer_vs_speed.chunks_exact(2).map(|p| [p[0], p[1]]);
        let settings = Checked::new(CarSmoothing {
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

    /// Raw analog values after `dt` (`s`) in the hands of a driver who sees the car so.
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

/// Where the hands are, as PhysX's analog values.
fn analog(hands: &CarHands) -> [f32; 5] {
    [
        hands.throttle,
        hands.brake,
        hands.handbrake,
        hands.left,
        hands.right,
    ]
}

/// Hands that hold these analog values of PhysX.
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
