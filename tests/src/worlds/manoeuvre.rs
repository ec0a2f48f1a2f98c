//! What the cars do: open-loop commands, so that nothing corrects a deviation.
//!
//! All stay within the tires' grip. A car that spins multiplies whatever sets two worlds apart,
//! and would tell about itself instead of about them.

use core::f32::consts::TAU;

use jounce::core::math::sin_cos;
use jounce::core::{CarCommand, Command};

/// A command for each time.
#[derive(Clone, Copy, Debug)]
pub struct Manoeuvre {
    /// What it is called.
    pub name: &'static str,
    /// The command at a time [s].
    pub command: fn(f32) -> Command,
}

/// The manoeuvres, each from rest.
pub const MANOEUVRES: [Manoeuvre; 5] = [
    Manoeuvre {
        name: "accelerate",
        command: |_| car(1.0, 0.0, 0.0),
    },
    Manoeuvre {
        name: "brake",
        command: |time| {
            if time < 6.0 {
                car(1.0, 0.0, 0.0)
            } else {
                car(0.0, 0.25, 0.0)
            }
        },
    },
    Manoeuvre {
        name: "slalom",
        command: |time| car(0.5, 0.0, 0.04 * swing(time, 3.0, 10.0, 2.5)),
    },
    Manoeuvre {
        name: "circle",
        command: |time| car(0.5, 0.0, (time / 4.0).min(1.0) * 0.06),
    },
    Manoeuvre {
        name: "lane-change",
        command: |time| {
            let throttle = if time < 5.0 { 0.8 } else { 0.2 };
            car(throttle, 0.0, -0.05 * swing(time, 6.0, 8.0, 2.0))
        },
    },
];

/// A sine of so many seconds per period, from `start` to `end` [s].
fn swing(time: f32, start: f32, end: f32, period: f32) -> f32 {
    if (start..end).contains(&time) {
        sin_cos((time - start) * TAU / period).0
    } else {
        0.0
    }
}

fn car(throttle: f32, brake: f32, steer: f32) -> Command {
    Command::Car(CarCommand {
        throttle,
        brake,
        steer,
        ..CarCommand::default()
    })
}
