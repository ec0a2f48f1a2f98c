//! Bonds: wheels that turn together, as those of a track or of a locked axle do (ROWS §7).
//!
//! A bond has one unknown, its speed s; each of its wheels turns at `ratio·s`. What shaft and brake must
//! add to a wheel for that is monotone in s, and so is the sum over the bond: a search finds the speed for
//! every torque of the clutch. Brakes of all its wheels hold a bond together.
//!
//! The wheels' rows are then solved one after the other as ever, each with the torque that its shaft was
//! found to pass, or at its spin where it slides or stands. The speed that counts is the one that the
//! bond's whole angular momentum leaves, so that none is lost.

use crate::MAX_WHEELS;
use crate::base::lanes::LANES;

use super::group::{GroupRows, Stage};
use super::member::{Member, Sloped};
use super::wheel::{Shaft, soft};

/// Most steps of the search; a few suffice, unless a tire is about to slide.
const STEPS: usize = 48;
/// Part of a bond's speed that is as good as none (–).
const ENOUGH: f32 = 1e-6;
/// Groups of the largest vehicle.
const GROUPS: usize = MAX_WHEELS.div_ceil(LANES);

/// A set of wheels that turn together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Bond {
    /// Impulse per torque on the differentials (`s`).
    per_torque: f32,
    /// Its share in the mean speed that the clutch sees (–).
    speed_share: f32,
    /// Greatest impulse of its brakes (`N·m·s`).
    brake: f32,
    /// Angular momentum per speed, tires aside (`N·m·s²`).
    bearing: f32,
    /// Where the search begins (`rad/s`).
    guess: f32,
}

/// All bonds of a vehicle in the middle of a sweep.
#[derive(Clone, Debug)]
pub struct Bonds {
    members: [Member; MAX_WHEELS],
    /// Bond, group and lane of each.
    places: [(usize, usize, usize); MAX_WHEELS],
    count: usize,
    bonds: [Bond; MAX_WHEELS],
}

impl Bonds {
    /// No bond yet.
    #[must_use]
    pub fn none() -> Self {
        Self {
            members: [Member::default(); MAX_WHEELS],
            places: [(0, 0, 0); MAX_WHEELS],
            count: 0,
            bonds: [Bond::default(); MAX_WHEELS],
        }
    }

    /// Adds the bound wheels of group `g`, in a substep of `h` (`s`), and takes them out of the group's own
    /// part in the mean speed; `most` is the number of bonds.
    pub fn gather(&mut self, g: usize, stage: &Stage<'_>, most: u8, rows: &mut GroupRows, h: f32) {
        let control = stage.control;
        for lane in (0..LANES).filter(|&lane| stage.consts.enabled.lane(lane)) {
            let Some(bond) = control.bond_of(lane, most) else {
                continue;
            };
            let ratio = control.bond_ratio.lane(lane);
            let member = rows.release(lane, ratio);
            self.members[self.count] = member;
            self.places[self.count] = (bond, g, lane);
            self.count += 1;
            let of = &mut self.bonds[bond];
            of.per_torque += ratio * control.torque_share.lane(lane) * h;
            of.speed_share += ratio * control.speed_share.lane(lane);
            of.brake += ratio.abs() * member.brake;
            of.bearing += ratio * ratio * member.bearing;
            if ratio != 0.0 {
                of.guess = rows.spin().lane(lane) / ratio;
            }
        }
    }

    fn members_of(&self, bond: usize) -> impl Iterator<Item = &Member> {
        let all = self.members[..self.count].iter().zip(&self.places);
        all.filter(move |(_, place)| place.0 == bond)
            .map(|(member, _)| member)
    }

    /// What shaft and brakes must add for a bond to turn at `speed` (`N·m·s`).
    fn need_at(&self, bond: usize, speed: f32) -> Sloped {
        let mut sum = Sloped::default();
        for member in self.members_of(bond) {
            let need = member.need_at(member.ratio * speed);
            sum.value += member.ratio * need.value;
            sum.slope += member.ratio * member.ratio * need.slope;
        }
        sum
    }

    /// Speed of a bond to which its shaft adds `impulse` (`N·m·s`), and its slope against it; 0 and 0 where
    /// the brakes hold it.
    fn speed_at(&self, bond: usize, impulse: f32) -> Sloped {
        let Bond {
            brake,
            bearing,
            guess,
            ..
        } = self.bonds[bond];
        let missing = soft(impulse - self.need_at(bond, 0.0).value, brake);
        if missing == 0.0 || bearing <= 0.0 {
            return Sloped::default();
        }
        // Forward is where it turns to. Tires only help to get there less fast.
        let forward = missing.signum();
        let against = forward * impulse - brake;
        let over = |speed: f32| {
            let need = self.need_at(bond, forward * speed);
            Sloped {
                value: forward * need.value - against,
                slope: need.slope,
            }
        };
        let speed = rising_root(over, missing.abs() / bearing, forward * guess);
        Sloped {
            value: forward * speed,
            slope: 1.0 / over(speed).slope,
        }
    }

    /// Part of the bonds in the mean speed (`rad/s`) when the differentials receive `torque` (`N·m`).
    #[must_use]
    pub fn mean_at(&self, torque: f32) -> Sloped {
        let mut mean = Sloped::default();
        for (n, bond) in self.bonds.iter().enumerate() {
            if bond.speed_share == 0.0 {
                continue;
            }
            let speed = self.speed_at(n, bond.per_torque * torque);
            mean.value += bond.speed_share * speed.value;
            mean.slope += bond.speed_share * bond.per_torque * speed.slope;
        }
        mean
    }

    /// What the shafts do to the wheels in this sweep, the differentials receiving `torque` (`N·m`).
    #[must_use]
    pub fn shafts(&self, torque: f32) -> [[Shaft; LANES]; GROUPS] {
        let mut shafts = [[Shaft::Free; LANES]; GROUPS];
        let mut speeds = [None; MAX_WHEELS];
        for (member, &(bond, g, lane)) in self.members[..self.count].iter().zip(&self.places) {
            let impulse = self.bonds[bond].per_torque * torque;
            let speed = speeds[bond].get_or_insert_with(|| self.speed_at(bond, impulse));
            let spin = member.ratio * speed.value;
            let (_, slides) = member.tire_at(spin);
            // Brakes hold a standing bond, whatever the tires do about it.
            let held = speed.slope == 0.0;
            shafts[g][lane] = if slides || held {
                Shaft::At(spin)
            } else {
                Shaft::Adds(member.need_at(spin).value)
            };
        }
        shafts
    }

    /// Turns the wheels at what the tires' impulses have left to the bonds, the differentials receiving
    /// `torque` (`N·m`).
    pub fn settle(&self, torque: f32, groups: &mut [GroupRows]) {
        let mut momenta = self.bonds.map(|bond| bond.per_torque * torque);
        for (member, &(bond, g, lane)) in self.members[..self.count].iter().zip(&self.places) {
            let tire = groups[g].tangent.impulses[0][lane];
            momenta[bond] += member.ratio * (member.momentum - member.radius * tire);
        }
        for (member, &(bond, g, lane)) in self.members[..self.count].iter().zip(&self.places) {
            let Bond { brake, bearing, .. } = self.bonds[bond];
            let speed = if bearing > 0.0 {
                soft(momenta[bond], brake) / bearing
            } else {
                0.0
            };
            groups[g].turn(lane, member.ratio * speed);
        }
    }
}

/// The root between 0 and `end` of a rising function that is below 0 at 0 and not below it at `end`:
/// Newton's method within a bracket, from `start`; where its steps do not get shorter by half, the bracket
/// is halved instead.
fn rising_root(at: impl Fn(f32) -> Sloped, end: f32, start: f32) -> f32 {
    let (mut low, mut high) = (0.0, end);
    let mut x = if start > low && start < high {
        start
    } else {
        0.0
    };
    let mut last = end;
    for _ in 0..STEPS {
        let here = at(x);
        if here.value < 0.0 {
            low = x;
        } else {
            high = x;
        }
        let step = here.value / here.slope;
        let next = x - step;
        if step.abs() <= ENOUGH * x || high - low <= ENOUGH * high {
            return next.clamp(low, high);
        }
        let shorter = 2.0 * step.abs() <= last;
        let new = if shorter && next > low && next < high {
            next
        } else {
            0.5 * (low + high)
        };
        last = (new - x).abs();
        x = new;
    }
    x
}

#[cfg(test)]
mod tests;
