//! Two tracks: all wheels of a track turn together, and the torque is shared by the driver's
//! thrusts (ALGORITHMS §4.9 and §7.6).

mod track;

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::WheelControl;
use vehicle_core::lanes::Mask4;
use vehicle_core::{CarCommand, Check, Control, Inspector, MAX_WHEELS, TankCommand};

use super::multi_wheel::set_shares;
use super::{Asked, DifferentialLaw, MultiWheel, receives, release, wheel_coupling};
use crate::per_wheel::{self, PerWheel};
pub use track::{Track, TrackSide};

/// Torque split by the tracks' thrusts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TankLaw {
    /// All the torque, in proportion to the thrusts; a track with negative thrust is geared
    /// backwards, and one with exactly 0 is disengaged (PhysX 4). [`TrackCoupling`] sets how the
    /// tracks' speeds turn the engine.
    Shared,
    /// Each wheel's ratio times its track's thrust; wheels without a track get their ratio (PhysX
    /// 5). Lower thrusts take less torque from the engine.
    Scaled(MultiWheel),
}

/// Parameters of the tracks. PhysX 4 gives wheels of different radii the same spin; here they have
/// the same rim speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TankDifferential {
    /// The tracks; at least one on each side.
    pub tracks: Vec<Track>,
    /// Torque split by the tracks' thrusts.
    pub law: TankLaw,
    /// Whether a track's thrust may be negative, so that the vehicle turns on the spot ("special"
    /// in PhysX). Otherwise negative thrusts count as 0, as do those of braked tracks.
    #[serde(default)]
    pub special: bool,
    /// Brake command of a track without thrust while the other track has some, 0…1. In PhysX it rolls freely: 0.
    #[serde(default, rename = "hold")]
    pub idle_brake: f32,
    /// Relation of the engine's speed to the tracks' speeds.
    #[serde(default)]
    pub coupling: TrackCoupling,
}

/// Relation of the engine's speed to the tracks' speeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrackCoupling {
    /// The engine turns with the mean of the tracks' speeds, with [`TankLaw::Shared`], weighted as the torque is, so that
    /// power is conserved.
    #[default]
    ByTorque,
    /// The engine turns with half of each track's speed, as in PhysX 4 with [`TankLaw::Shared`], so that up to twice
    /// its power reaches the ground in a bend; and the throttle stays open while the autobox changes gears.
    ByHalves,
}

impl TankDifferential {
    /// Thrusts below this in sum share the torque evenly.
    const LEAST_THRUST: f32 = 1e-3;

    /// Converts a car's command: steering takes thrust from the inner track, all of it at half
    /// steer; beyond, the inner track is driven backwards, or braked if it cannot be. Where thrusts
    /// may be negative, the inner track is braked more, up to `idle_brake`, the less thrust it has:
    /// torque alone hardly turns a vehicle that rolls at part throttle. Clutch pedal and handbrake
    /// are not converted.
    #[must_use]
    pub fn command_of(&self, car: &CarCommand) -> TankCommand {
        let pedal = car.brake;
        let (mut thrust, mut brake) = ([1.0; 2], [pedal; 2]);
        let inner = if car.steer > 0.0 {
            TrackSide::Right
        } else {
            TrackSide::Left
        }
        .index();
        let left = 1.0 - 2.0 * car.steer.abs();
        thrust[inner] = left;
        if self.special {
            brake[inner] = pedal.max(self.idle_brake * (1.0 - left.abs()));
        } else {
            thrust[inner] = left.max(0.0);
            brake[inner] = pedal.max(-left);
        }
        TankCommand {
            throttle: car.throttle,
            thrust,
            brake,
            gear: car.gear,
            automatic: car.automatic,
        }
    }

    /// Effective thrusts of both tracks, and how far each is braked, 0…1.
    #[must_use]
    pub fn thrusts_and_brakes(&self, command: &TankCommand) -> ([f32; 2], [f32; 2]) {
        let mut thrust = command.thrust;
        if !self.special {
            for (thrust, brake) in thrust.iter_mut().zip(command.brake) {
                *thrust = if brake > 0.0 { 0.0 } else { thrust.max(0.0) };
            }
        }
        let mut brake = command.brake;
        for side in 0..2 {
            if thrust[side] == 0.0 && thrust[1 - side] != 0.0 {
                brake[side] = brake[side].max(self.idle_brake);
            }
        }
        (thrust, brake)
    }

    /// Whether the tracks work against each other, so that the autobox must wait: they turn in
    /// opposite directions, or one is braked while the other pulls.
    #[must_use]
    pub fn is_turning_hard(&self, command: &TankCommand) -> bool {
        let ([left, right], brake) = (command.thrust, command.brake);
        if self.special {
            left * right < 0.0
        } else {
            right * brake[0] > 0.0 || left * brake[1] > 0.0
        }
    }

    /// Brake command of each wheel, from its track; wheels without a track follow the track that is braked more.
    pub(crate) fn wheel_brakes(&self, brake: [f32; 2]) -> PerWheel {
        let mut all = [brake[0].max(brake[1]); MAX_WHEELS];
        for track in &self.tracks {
            for &wheel in &track.wheels {
                all[wheel] = brake[track.side.index()];
            }
        }
        all
    }

    /// Torque shares and gearing directions −1…1 of the left and the right track, for
    /// [`TankLaw::Shared`]; shares are ≥ 0, sum 1.
    #[must_use]
    pub fn track_shares(thrust: [f32; 2]) -> ([f32; 2], [f32; 2]) {
        let [left, right] = thrust.map(f32::abs);
        let sum = left + right;
        if sum <= Self::LEAST_THRUST {
            return ([0.5; 2], [1.0; 2]);
        }
        let share = 0.5 + 0.5 * (left - right) / sum;
        let sign = |thrust: f32| if thrust == 0.0 { 0.0 } else { thrust.signum() };
        ([share, 1.0 - share], thrust.map(sign))
    }

    /// Signed shares (torque, speed) of every wheel.
    #[must_use]
    pub fn shares(&self, thrust: [f32; 2]) -> ([f32; MAX_WHEELS], [f32; MAX_WHEELS]) {
        match &self.law {
            TankLaw::Shared => self.shared(thrust),
            TankLaw::Scaled(ratios) => self.scaled(ratios, thrust),
        }
    }

    /// Makes the wheels of each track turn together; a single wheel needs no wheel coupling.
    pub fn join(&self, control: &mut Control) {
        release(control);
        for track in self.tracks.iter().filter(|track| track.wheels.len() > 1) {
            wheel_coupling(track.members(), control);
        }
    }

    fn shared(&self, thrust: [f32; 2]) -> (PerWheel, PerWheel) {
        let (mut torque, mut speed): (PerWheel, PerWheel) = ([0.0; MAX_WHEELS], [0.0; MAX_WHEELS]);
        let (shares, gearing) = Self::track_shares(thrust);
        for track in &self.tracks {
            let side = track.side.index();
            let of_side = self.tracks.iter().filter(|other| other.side == track.side);
            let count: usize = of_side.map(|other| other.wheels.len()).sum();
            for &wheel in &track.wheels {
                let weight = self.coupling.weight(shares[side]);
                torque[wheel] = gearing[side] * shares[side] / count as f32;
                speed[wheel] = gearing[side] * weight / count as f32;
            }
        }
        (torque, speed)
    }

    /// Gives the shares of wheels that are off to the others of their track, so that the vehicle
    /// keeps straight.
    fn leave_out(&self, shares: &mut PerWheel, control: &Control) {
        for track in &self.tracks {
            let all: f32 = track.wheels.iter().map(|&wheel| shares[wheel]).sum();
            let on = track
                .wheels
                .iter()
                .filter(|wheel| !control.is_disabled(**wheel));
            let left: f32 = on.map(|&wheel| shares[wheel]).sum();
            if left == 0.0 {
                continue;
            }
            for &wheel in &track.wheels {
                let on = !control.is_disabled(wheel);
                shares[wheel] = if on {
                    shares[wheel] * (all / left)
                } else {
                    0.0
                };
            }
        }
    }

    fn scaled(&self, ratios: &MultiWheel, thrust: [f32; 2]) -> (PerWheel, PerWheel) {
        let (mut torque, mut speed) = ratios.shares();
        for track in &self.tracks {
            let thrust = thrust[track.side.index()];
            let sign = if thrust == 0.0 { 0.0 } else { thrust.signum() };
            for &wheel in &track.wheels {
                torque[wheel] *= thrust;
                speed[wheel] *= sign;
            }
        }
        (torque, speed)
    }
}

impl DifferentialLaw for TankDifferential {
    fn check_wheels(&self, wheels: usize, i: &mut Inspector) {
        for (n, track) in self.tracks.iter().enumerate() {
            per_wheel::check_indices(&format!("tracks[{n}].wheels"), &track.wheels, wheels, i);
        }
        if let TankLaw::Scaled(ratios) = &self.law {
            i.within("law", |i| ratios.check_wheels(wheels, i));
        }
    }

    fn ask(&self, asked: &Asked, control: &mut Control) {
        let (mut torque, mut speed) = self.shares(asked.thrust);
        if control.disabled != 0 {
            self.leave_out(&mut torque, control);
            self.leave_out(&mut speed, control);
        }
        set_shares(&torque, &speed, control);
        self.join(control);
    }

    /// Mask of the wheels that the throttle accelerates: under PhysX 4's law, also those of a disengaged track.
    fn accelerated(&self, wheels: &WheelControl) -> Mask4 {
        let driven = receives(wheels);
        match self.law {
            TankLaw::Shared => driven | Mask4::from_fn(|lane| wheels.wheel_coupling[lane] != 0),
            TankLaw::Scaled(_) => driven,
        }
    }
}

impl Check for TankDifferential {
    fn check(&self, i: &mut Inspector) {
        for (name, side) in [("left", TrackSide::Left), ("right", TrackSide::Right)] {
            let any = self.tracks.iter().any(|track| track.side == side);
            let found = format!("no {name} one");
            i.rule(any, "tracks", found, "", "there must be one");
        }
        let mut named = Vec::new();
        for (n, track) in self.tracks.iter().enumerate() {
            i.within(format!("tracks[{n}]"), |i| track.check(&mut named, i));
        }
        if let TankLaw::Scaled(ratios) = &self.law {
            i.within("law", |i| ratios.check(i));
        }
        i.within_range("hold", self.idle_brake, 0.0, 1.0, "");
    }
}

#[cfg(test)]
mod tests;
