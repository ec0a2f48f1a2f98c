//! Two tracks: all wheels of a track turn together, and the driver's thrusts share the torque
//! (ALGORITHMS §4.9 and §7.6).

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::WheelControl;
use vehicle_core::lanes::Mask4;
use vehicle_core::{CarCommand, Check, Control, Inspector, MAX_WHEELS, TankCommand, scaled};

use super::multi_wheel::set_shares;
use super::{Asked, Law, MultiWheel, bond, receives, release};
use crate::per_wheel::{self, PerWheel};

/// A side of the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrackSide {
    /// Driven and braked as the left track.
    Left,
    /// Driven and braked as the right track.
    Right,
}

impl TrackSide {
    /// Where its values stand in a [`TankCommand`].
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => 1,
        }
    }
}

/// Wheels that a track joins: their rims move alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Which thrust and brake it follows.
    pub side: TrackSide,
    /// Indices of its wheels, at least one.
    pub wheels: Vec<usize>,
    /// Radii of these wheels [m], > 0; none if all are alike.
    #[serde(default)]
    pub radii: Vec<f32>,
}

scaled!(Track {
    side: same,
    wheels: same,
    radii: [1, 0],
});

impl Track {
    /// Its wheels, with their spins over that of the first [−].
    fn members(&self) -> impl Iterator<Item = (usize, f32)> {
        let ratio = |n: usize| match (self.radii.first(), self.radii.get(n)) {
            (Some(first), Some(own)) => first / own,
            _ => 1.0,
        };
        self.wheels
            .iter()
            .enumerate()
            .map(move |(n, &wheel)| (wheel, ratio(n)))
    }
}

/// How thrusts share the torque.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TankLaw {
    /// All the torque, in proportion to the thrusts; a track whose thrust is negative is geared
    /// backwards, and one whose thrust is exactly 0 is off the engine (PhysX 4).
    Shared,
    /// Each wheel its ratio times its track's thrust; wheels of no track their ratio (PhysX 5). The
    /// engine gives less torque to lower thrusts.
    Scaled(MultiWheel),
}

/// Parameters of the tracks. Where PhysX 4 turns wheels of different radii alike, their rims move
/// alike here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TankDifferential {
    /// The tracks; at least one on either side.
    pub tracks: Vec<Track>,
    /// How thrusts share the torque.
    pub law: TankLaw,
    /// Whether a track's thrust may be negative, so that the vehicle turns on the spot ("special" in
    /// PhysX). Otherwise negative thrusts count as 0, and so do those of braked tracks.
    #[serde(default)]
    pub special: bool,
    /// How firmly the brakes hold a track without thrust while the other has some [−], 0…1. PhysX
    /// lets it roll: 0.
    #[serde(default)]
    pub hold: f32,
    /// Whether the throttle stays open while the autobox changes gears, as in PhysX 4.
    #[serde(default)]
    pub physx_rules: bool,
}

scaled!(TankDifferential {
    tracks: inner,
    law: same,
    special: same,
    hold: same,
    physx_rules: same,
});

impl TankDifferential {
    /// Thrusts as far as they are smaller than this together share the torque evenly [−].
    const LEAST_THRUST: f32 = 1e-3;

    /// What a car's command means on tracks: steering takes thrust from the inner one, all of it
    /// half-way; beyond, that one is driven backwards, or braked where it cannot be. Where thrusts may
    /// be negative, the inner track is braked the more, up to `hold`, the less thrust it has: torque
    /// alone hardly turns a vehicle that rolls at part throttle. Clutch pedal and handbrake are no
    /// part of it.
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
            brake[inner] = pedal.max(self.hold * (1.0 - left.abs()));
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

    /// Thrusts of both tracks that count, and how far each is braked, 0…1.
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
                brake[side] = brake[side].max(self.hold);
            }
        }
        (thrust, brake)
    }

    /// Whether the tracks work against each other, so that the autobox must wait: they turn against
    /// each other, or one is braked while the other pulls.
    #[must_use]
    pub fn is_turning_hard(&self, command: &TankCommand) -> bool {
        let ([left, right], brake) = (command.thrust, command.brake);
        if self.special {
            left * right < 0.0
        } else {
            right * brake[0] > 0.0 || left * brake[1] > 0.0
        }
    }

    /// How far each wheel is braked [−], by how far its track is; wheels of no track as the track
    /// that is braked more.
    pub(crate) fn wheel_brakes(&self, brake: [f32; 2]) -> PerWheel {
        let mut all = [brake[0].max(brake[1]); MAX_WHEELS];
        for track in &self.tracks {
            for &wheel in &track.wheels {
                all[wheel] = brake[track.side.index()];
            }
        }
        all
    }

    /// Shares of the torque and directions of gearing −1…1 of the left and the right track, by
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

    /// Makes the wheels of each track turn together; one wheel alone is no bond.
    pub fn join(&self, control: &mut Control) {
        release(control);
        for track in self.tracks.iter().filter(|track| track.wheels.len() > 1) {
            bond(track.members(), control);
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
                torque[wheel] = gearing[side] * shares[side] / count as f32;
                speed[wheel] = gearing[side] * 0.5 / count as f32;
            }
        }
        (torque, speed)
    }

    /// Gives what wheels that are off have to the others of their track, so that the vehicle goes
    /// straight on.
    fn leave_out(&self, shares: &mut PerWheel, control: &Control) {
        for track in &self.tracks {
            let all: f32 = track.wheels.iter().map(|&wheel| shares[wheel]).sum();
            let on = track.wheels.iter().filter(|wheel| !control.is_off(**wheel));
            let left: f32 = on.map(|&wheel| shares[wheel]).sum();
            if left == 0.0 {
                continue;
            }
            for &wheel in &track.wheels {
                let on = !control.is_off(wheel);
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

impl Law for TankDifferential {
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
        if control.off != 0 {
            self.leave_out(&mut torque, control);
            self.leave_out(&mut speed, control);
        }
        set_shares(&torque, &speed, control);
        self.join(control);
    }

    /// Under PhysX 4's law, a track is meant to move that is off the engine, too.
    fn accelerated(&self, wheels: &WheelControl) -> Mask4 {
        let driven = receives(wheels);
        match self.law {
            TankLaw::Shared => driven | Mask4::from_fn(|lane| wheels.bond[lane] != 0),
            TankLaw::Scaled(_) => driven,
        }
    }
}

impl Check for TankDifferential {
    fn check(&self, i: &mut Inspector) {
        for (name, side) in [("left", TrackSide::Left), ("right", TrackSide::Right)] {
            let any = self.tracks.iter().any(|track| track.side == side);
            i.rule(
                any,
                "tracks",
                format!("no {name} one"),
                "",
                "there must be one",
            );
        }
        let mut named = Vec::new();
        for (n, track) in self.tracks.iter().enumerate() {
            i.within(format!("tracks[{n}]"), |i| {
                let count = track.wheels.len();
                i.rule(count > 0, "wheels", 0, "wheels", "there must be at least 1");
                per_wheel::check_indices("wheels", &track.wheels, MAX_WHEELS, i);
                for (k, wheel) in track.wheels.iter().enumerate() {
                    let once = !named.contains(wheel);
                    let name = format!("wheels[{k}]");
                    i.rule(once, &name, wheel, "", "must be in one track only");
                    named.push(*wheel);
                }
                let radii = track.radii.len();
                let rule = format!("there must be none, or one per wheel, {count}");
                i.rule(radii == 0 || radii == count, "radii", radii, "radii", rule);
                for (k, radius) in track.radii.iter().enumerate() {
                    i.positive(&format!("radii[{k}]"), *radius, "m");
                }
            });
        }
        if let TankLaw::Scaled(ratios) = &self.law {
            i.within("law", |i| ratios.check(i));
        }
        i.within_range("hold", self.hold, 0.0, 1.0, "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;
    use rstest::rstest;
    use vehicle_core::{Checked, GearCommand};

    fn track(side: TrackSide, wheels: &[usize]) -> Track {
        Track {
            side,
            wheels: wheels.to_vec(),
            radii: vec![],
        }
    }

    fn tank(law: TankLaw) -> TankDifferential {
        TankDifferential {
            tracks: vec![
                track(TrackSide::Left, &[0, 2]),
                track(TrackSide::Right, &[1, 3]),
            ],
            law,
            special: true,
            hold: 0.0,
            physx_rules: false,
        }
    }

    fn asked(law: &TankDifferential, thrust: [f32; 2]) -> Control {
        let mut control = Control::idle(4);
        let asked = Asked {
            handbrake: 0.0,
            thrust,
        };
        law.ask(&asked, &mut control);
        control
    }

    #[rstest]
    #[case::none([0.0, 0.0], [0.25, 0.25], [0.25, 0.25])]
    #[case::straight([1.0, 1.0], [0.25, 0.25], [0.25, 0.25])]
    #[case::bend([0.6, 0.2], [0.375, 0.125], [0.25, 0.25])]
    #[case::on_the_spot([0.5, -0.5], [0.25, -0.25], [0.25, -0.25])]
    #[case::one_track([0.0, 0.5], [0.0, 0.5], [0.0, 0.25])]
    fn thrusts_share_all_the_torque(
        #[case] thrust: [f32; 2],
        #[case] torque: [f32; 2],
        #[case] speed: [f32; 2],
    ) {
        let control = asked(&tank(TankLaw::Shared), thrust);
        let wheels = control.wheels.first();
        let both = |[left, right]: [f32; 2]| [left, right, left, right];
        assert_eq!(wheels.torque_share.to_array(), both(torque));
        assert_eq!(wheels.speed_share.to_array(), both(speed));
        assert_eq!((control.bonds, wheels.bond), (2, [1, 2, 1, 2]));
    }

    #[test]
    fn the_others_of_a_track_get_what_a_wheel_that_is_off_had() {
        let law = tank(TankLaw::Shared);
        let mut control = Control::idle(4);
        control.off = 0b0100;
        let straight = Asked {
            handbrake: 0.0,
            thrust: [1.0; 2],
        };
        law.ask(&straight, &mut control);
        let wheels = control.wheels.first();
        let shares = [0.5, 0.25, 0.0, 0.25];
        assert_eq!(wheels.torque_share.to_array(), shares);
        assert_eq!(wheels.speed_share.to_array(), shares);
    }

    #[test]
    fn thrusts_scale_ratios() {
        let ratios = MultiWheel {
            torque_ratios: vec![0.5, 0.5, 0.0, 0.0],
            speed_ratios: vec![0.5, 0.5, 0.0, 0.0],
            physx_rules: false,
        };
        let control = asked(&tank(TankLaw::Scaled(ratios)), [-0.5, 0.25]);
        let wheels = control.wheels.first();
        assert_eq!(wheels.torque_share.to_array(), [-0.25, 0.125, 0.0, 0.0]);
        assert_eq!(wheels.speed_share.to_array(), [-0.5, 0.5, 0.0, 0.0]);
    }

    #[test]
    fn rims_of_unequal_wheels_move_alike() {
        let mut tank = tank(TankLaw::Shared);
        tank.tracks[1].radii = vec![0.3, 0.6];
        let control = asked(&tank, [1.0, 1.0]);
        let ratios = control.wheels.first().bond_ratio.to_array();
        assert_eq!(ratios, [1.0, 1.0, 1.0, 0.5]);
    }

    #[rstest]
    #[case::standard(false, [0.5, -0.5], [0.0, 0.0], [0.5, 0.0], [0.0, 0.4])]
    #[case::standard_braked(false, [0.5, 0.5], [0.2, 0.0], [0.0, 0.5], [0.4, 0.0])]
    #[case::special(true, [0.5, -0.5], [0.2, 0.0], [0.5, -0.5], [0.2, 0.0])]
    #[case::idle(true, [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0])]
    fn thrusts_that_count_and_brakes_that_hold(
        #[case] special: bool,
        #[case] thrust: [f32; 2],
        #[case] brake: [f32; 2],
        #[case] counting: [f32; 2],
        #[case] braked: [f32; 2],
    ) {
        let tank = TankDifferential {
            special,
            hold: 0.4,
            ..tank(TankLaw::Shared)
        };
        let command = TankCommand {
            thrust,
            brake,
            ..TankCommand::default()
        };
        assert_eq!(tank.thrusts_and_brakes(&command), (counting, braked));
    }

    #[rstest]
    #[case::straight(true, 0.0, 0.0, [1.0, 1.0], [0.0, 0.0])]
    #[case::half_right(true, 0.25, 0.0, [1.0, 0.5], [0.0, 0.2])]
    #[case::braked_to_the_right(true, 0.25, 0.3, [1.0, 0.5], [0.3, 0.3])]
    #[case::left_on_the_spot(true, -1.0, 0.0, [-1.0, 1.0], [0.0, 0.0])]
    #[case::braked_to_the_left(false, -0.75, 0.0, [0.0, 1.0], [0.5, 0.0])]
    #[case::braked(false, 0.25, 0.4, [1.0, 0.5], [0.4, 0.4])]
    fn a_cars_command_on_tracks(
        #[case] special: bool,
        #[case] steer: f32,
        #[case] pedal: f32,
        #[case] thrust: [f32; 2],
        #[case] brake: [f32; 2],
    ) {
        let tank = TankDifferential {
            special,
            hold: 0.4,
            ..tank(TankLaw::Shared)
        };
        let found = tank.command_of(&CarCommand {
            throttle: 0.7,
            brake: pedal,
            steer,
            ..CarCommand::default()
        });
        let expected = TankCommand {
            throttle: 0.7,
            thrust,
            brake,
            gear: GearCommand::Hold,
            automatic: true,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn every_fault_is_found() {
        let bad = TankDifferential {
            tracks: vec![
                track(TrackSide::Left, &[0, 20]),
                Track {
                    radii: vec![-0.3],
                    ..track(TrackSide::Left, &[0, 1])
                },
            ],
            hold: 2.0,
            ..tank(TankLaw::Scaled(MultiWheel::default()))
        };
        let error = Checked::new(bad).unwrap_err();
        let paths: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
        let expected = [
            "tracks",
            "tracks[0].wheels[1]",
            "tracks[1].wheels[0]",
            "tracks[1].radii",
            "tracks[1].radii[0]",
            "law.torque_ratios",
            "law.speed_ratios",
            "hold",
        ];
        assert_eq!(paths, expected);
    }

    proptest! {
        #[test]
        fn magnitudes_of_shares_sum_to_one(thrust in proptest::array::uniform2(-1.0..1.0_f32)) {
            let (torque, _) = tank(TankLaw::Shared).shares(thrust);
            let sum: f32 = torque.iter().map(|share| share.abs()).sum();
            prop_assert!((sum - 1.0).abs() < 1e-5, "{torque:?}");
        }
    }
}
