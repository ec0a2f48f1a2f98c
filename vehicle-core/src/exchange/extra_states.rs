//! States that only some vehicles have: those of tires, of a steering wheel that torques move, of the bushings of wheels, and
//! the memories of drivetrain and driver aids.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::base::digest::Digest;
use crate::base::lanes::{LANES, W4};
use crate::exchange::steering_wheel::SteeringWheel;
use crate::exchange::tire_state::TireState;

/// Longitudinal and lateral force (`N`) and aligning moment (`N·m`) of four tires on the bushings of their wheels, in the last
/// substep.
pub(crate) type BushingForces = [W4; 3];

/// States of stateful tires, of a steering wheel that torques move, forces on the bushings of wheels that these
/// move, and memories; most vehicles have none. (A thin pointer: with it, the state of a four-wheeler stays within 512 bytes.)
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Remembered", into = "Remembered"))]
pub struct ExtraStates(Option<Box<Remembered>>);

/// Contents of [`ExtraStates`]. Every field has a default, so that states without it are read.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
struct Remembered {
    /// States of stateful tires, one per wheel, or none.
    tires: Box<[TireState]>,
    /// The steering wheel, if torques move it.
    steering: Option<SteeringWheel>,
    /// Forces on the bushings of wheels that these move, one entry per group of wheels, or none.
    #[cfg_attr(feature = "serde", serde(rename = "mounts"))]
    bushings: Box<[BushingForces]>,
    /// Memories of drivetrain and driver aids.
    memories: Option<Box<Memories>>,
}

/// Memories of drivetrain and driver aids; empty if they have none.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub(crate) struct Memories {
    /// Values that the drivetrain remembers.
    pub(crate) drivetrain: Box<[f32]>,
    /// States of the drivetrain's shafts.
    pub(crate) shafts: Box<[f32]>,
    /// Values that each driver aid remembers.
    pub(crate) aids: Box<[Box<[f32]>]>,
    /// Braking torques as applied in the last substep (`N·m`), one entry per group of wheels of a vehicle with aids.
    pub(crate) brakes: Box<[W4]>,
    /// Driver aids that are switched off, bit `n` for aid `n`.
    pub(crate) disabled_aids: u32,
}

impl Memories {
    /// Memories of so many values of the drivetrain, of its shafts and of each aid, and of brakes of so many groups of wheels, all 0.
    pub(crate) fn new(
        [drivetrain, shafts]: [usize; 2],
        aids: impl Iterator<Item = usize>,
        groups: usize,
    ) -> Self {
        let zeros = |count: usize| vec![0.0; count].into_boxed_slice();
        Self {
            drivetrain: zeros(drivetrain),
            shafts: zeros(shafts),
            aids: aids.map(zeros).collect(),
            brakes: vec![W4::ZERO; groups].into(),
            disabled_aids: 0,
        }
    }

    /// Whether a driver aid is switched on.
    #[inline]
    pub(crate) fn aid_is_enabled(&self, aid: usize) -> bool {
        self.disabled_aids >> aid & 1 == 0
    }

    /// Whether these have as many values as `others`.
    fn fits(&self, others: &Self) -> bool {
        let lengths = |memories: &Self| {
            let Self {
                drivetrain,
                shafts,
                brakes,
                ..
            } = memories;
            [drivetrain.len(), shafts.len(), brakes.len()]
        };
        lengths(self) == lengths(others)
            && self.aids.len() == others.aids.len()
            && self
                .aids
                .iter()
                .zip(&others.aids)
                .all(|(own, other)| own.len() == other.len())
    }

    /// Copies memories that [fit](Self::fits), without an allocation.
    fn copy_from(&mut self, others: &Self) {
        self.drivetrain.copy_from_slice(&others.drivetrain);
        self.shafts.copy_from_slice(&others.shafts);
        for (own, other) in self.aids.iter_mut().zip(&others.aids) {
            own.copy_from_slice(other);
        }
        self.brakes.copy_from_slice(&others.brakes);
        self.disabled_aids = others.disabled_aids;
    }

    fn is_finite(&self) -> bool {
        let values = self.drivetrain.iter().chain(&self.shafts);
        let values = values.chain(self.aids.iter().flatten());
        values.copied().all(f32::is_finite) && self.brakes.iter().all(|brakes| brakes.is_finite())
    }
}

impl Remembered {
    /// Whether all states but those of tires are finite.
    #[inline(never)]
    fn is_finite(&self) -> bool {
        let mut forces = self.bushings.iter().flatten();
        let steering = self.steering.as_ref();
        steering.is_none_or(SteeringWheel::is_finite)
            && forces.all(|force| force.is_finite())
            && self
                .memories
                .as_ref()
                .is_none_or(|memories| memories.is_finite())
    }
}

impl ExtraStates {
    /// States of stateful tires, one per wheel or none, and of a steering wheel.
    #[must_use]
    pub fn new(tires: Vec<TireState>, steering: Option<SteeringWheel>) -> Self {
        Remembered {
            tires: tires.into(),
            steering,
            ..Remembered::default()
        }
        .into()
    }

    /// These states with bushings of so many groups of wheels, without forces.
    #[must_use]
    pub(crate) fn with_bushings(self, groups: usize) -> Self {
        Remembered {
            bushings: vec![[W4::ZERO; 3]; groups].into(),
            ..self.into()
        }
        .into()
    }

    /// These states with other memories.
    #[must_use]
    pub(crate) fn with_memories(self, memories: Memories) -> Self {
        Remembered {
            memories: (memories != Memories::default()).then(|| Box::new(memories)),
            ..self.into()
        }
        .into()
    }

    /// Memories of drivetrain and driver aids, if they remember anything.
    pub(crate) fn memories(&self) -> Option<&Memories> {
        self.0.as_ref()?.memories.as_deref()
    }

    /// Memories of drivetrain and driver aids, mutable.
    pub(crate) fn memories_mut(&mut self) -> Option<&mut Memories> {
        self.0.as_mut()?.memories.as_deref_mut()
    }

    /// Digest of the memories of drivetrain and driver aids, and of which aids are switched off, to find out whether they change; 0 if
    /// there are none. The last values of the drivetrain's, its `counters`, and of each aid's, those `of_aid`, are left out.
    #[inline]
    pub(crate) fn memory_digest(&self, counters: usize, of_aid: impl Fn(usize) -> usize) -> u32 {
        let digest = |memories: &Memories| {
            let without = |memory: &'_ [f32], counters| memory.len().saturating_sub(counters);
            let count = without(&memories.drivetrain, counters);
            let digest = Digest::new().numbers(&memories.drivetrain[..count]);
            let all = memories.aids.iter().enumerate();
            let digest = all.fold(digest, |digest, (n, aid)| {
                digest.numbers(&aid[..without(aid, of_aid(n))])
            });
            digest.word(memories.disabled_aids).long()
        };
        self.memories().map_or(0, digest)
    }

    /// Takes over memories of as many values from `others`, and the switches of as many aids.
    pub(crate) fn take_memories(&mut self, others: &Self) {
        let (Some(own), Some(others)) = (self.memories_mut(), others.memories()) else {
            return;
        };
        if own.drivetrain.len() == others.drivetrain.len() {
            own.drivetrain.copy_from_slice(&others.drivetrain);
        }
        if own.shafts.len() == others.shafts.len() {
            own.shafts.copy_from_slice(&others.shafts);
        }
        if own.aids.len() == others.aids.len() {
            own.disabled_aids = others.disabled_aids;
        }
        for (own, other) in own.aids.iter_mut().zip(&others.aids) {
            if own.len() == other.len() {
                own.copy_from_slice(other);
            }
        }
    }

    /// States of the tires, one per wheel; empty without stateful tires.
    #[inline]
    #[must_use]
    pub fn tires(&self) -> &[TireState] {
        self.0.as_ref().map_or(&[], |all| &all.tires)
    }

    /// States of stateful tires, one per wheel or none, mutable.
    #[inline]
    #[must_use]
    pub fn tires_mut(&mut self) -> &mut [TireState] {
        self.0.as_mut().map_or(&mut [], |all| &mut all.tires)
    }

    /// Forces on the bushings, per group of wheels; empty for a vehicle whose wheels no force moves.
    #[inline]
    pub(crate) fn bushings(&self) -> &[BushingForces] {
        self.0.as_ref().map_or(&[], |all| &all.bushings)
    }

    /// Forces on the bushings, per group of wheels, mutable.
    #[inline]
    pub(crate) fn bushings_mut(&mut self) -> &mut [BushingForces] {
        self.0.as_mut().map_or(&mut [], |all| &mut all.bushings)
    }

    /// Forces on the bushings of a group.
    pub(crate) fn bushing_forces(&self, group: usize) -> Option<&BushingForces> {
        self.bushings().get(group)
    }

    /// Takes over the forces on the bushings of the wheels `source` of `others`.
    pub(crate) fn take_bushing_forces(
        &mut self,
        others: &Self,
        source: impl Fn(usize) -> Option<usize>,
    ) {
        let from = |wheel: Option<usize>, n: usize| {
            let wheel = wheel?;
            let forces = others.bushing_forces(wheel / LANES)?;
            Some(forces[n].lane(wheel % LANES))
        };
        for (g, own) in self.bushings_mut().iter_mut().enumerate() {
            for (n, force) in own.iter_mut().enumerate() {
                *force = W4::from_fn(|lane| from(source(g * LANES + lane), n).unwrap_or(0.0));
            }
        }
    }

    /// Whether all states but those of tires are finite.
    #[inline]
    pub(crate) fn is_finite(&self) -> bool {
        self.0.as_ref().is_none_or(|all| all.is_finite())
    }

    /// Copies states that [fit](Self::fits), without an allocation.
    pub(crate) fn copy_from(&mut self, others: &Self) {
        let (Some(own), Some(others)) = (&mut self.0, &others.0) else {
            return;
        };
        own.tires.copy_from_slice(&others.tires);
        own.steering = others.steering;
        own.bushings.copy_from_slice(&others.bushings);
        if let (Some(own), Some(others)) = (&mut own.memories, &others.memories) {
            own.copy_from(others);
        }
    }

    /// Copies `values` from other states and keeps its own lengths. Wheels without such a state are unchanged.
    pub(crate) fn wear_as(&mut self, others: &Self) {
        for (own, other) in self.tires_mut().iter_mut().zip(others.tires()) {
            own.values = other.values;
        }
    }

    /// Switches driver aids off that are off in other states, of the same vehicle.
    pub(crate) fn switch_as(&mut self, others: &Self) {
        if let (Some(own), Some(others)) = (self.memories_mut(), others.memories()) {
            own.disabled_aids = others.disabled_aids;
        }
    }

    /// States of a group of four wheels; fewer in the last one, none for a vehicle without stateful tires.
    #[must_use]
    pub fn group(&self, group: usize) -> &[TireState] {
        self.tires().chunks(LANES).nth(group).unwrap_or_default()
    }

    /// The steering wheel, if torques move it.
    #[inline]
    #[must_use]
    pub fn steering(&self) -> Option<&SteeringWheel> {
        self.0.as_ref()?.steering.as_ref()
    }

    /// The steering wheel, mutable; `None` if the vehicle has none.
    #[inline]
    #[must_use]
    pub fn steering_mut(&mut self) -> Option<&mut SteeringWheel> {
        self.0.as_mut()?.steering.as_mut()
    }

    /// Whether a vehicle whose fresh states are `fresh` may have these.
    pub(crate) fn fits(&self, fresh: &Self) -> bool {
        let alike = self.tires().len() == fresh.tires().len()
            && self.bushings().len() == fresh.bushings().len()
            && self.steering().is_some() == fresh.steering().is_some()
            && match (self.memories(), fresh.memories()) {
                (Some(own), Some(fresh)) => own.fits(fresh),
                (own, fresh) => own.is_none() && fresh.is_none(),
            };
        alike && self.tires().iter().all(TireState::is_finite) && self.is_finite()
    }
}

impl From<Remembered> for ExtraStates {
    fn from(all: Remembered) -> Self {
        Self((all != Remembered::default()).then(|| Box::new(all)))
    }
}

impl From<ExtraStates> for Remembered {
    fn from(states: ExtraStates) -> Self {
        states.0.map(|all| *all).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_fit_a_vehicle_that_remembers_as_much() {
        let new = |drivetrain, aids: &[usize], groups| {
            let memories = Memories::new([drivetrain, 0], aids.iter().copied(), groups);
            ExtraStates::default().with_memories(memories)
        };
        let fresh = new(2, &[3, 1], 1);
        let mut own = fresh.clone();
        own.memories_mut().unwrap().aids[0][1] = 7.0;
        assert!(own.fits(&fresh) && own.is_finite());
        for others in [
            new(1, &[3, 1], 1),
            new(2, &[3, 2], 1),
            new(2, &[3], 1),
            new(2, &[3, 1], 2),
        ] {
            assert!(!others.fits(&fresh));
        }
        assert!(!ExtraStates::default().fits(&fresh));
        let mut changed = new(9, &[3, 4], 1);
        changed.take_memories(&own);
        let memories = changed.memories().unwrap();
        assert_eq!(*memories.drivetrain, [0.0; 9]);
        assert_eq!(*memories.aids[0], [0.0, 7.0, 0.0]);
        own.memories_mut().unwrap().drivetrain[0] = f32::NAN;
        assert!(!own.fits(&fresh) && !own.is_finite());
        assert_eq!(new(0, &[], 0), ExtraStates::default());
    }

    #[test]
    fn states_are_a_thin_pointer() {
        assert_eq!(size_of::<ExtraStates>(), size_of::<usize>());
        assert!(ExtraStates::default().tires().is_empty());
        let five = ExtraStates::new(alloc::vec![TireState::default(); 5], None);
        assert_eq!([0, 1, 2].map(|g| five.group(g).len()), [4, 1, 0]);
        assert_eq!(ExtraStates::new(Vec::new(), None), ExtraStates::default());
        assert!(five.steering().is_none() && five.fits(&five));
        let steered = ExtraStates::new(Vec::new(), Some(SteeringWheel::STRAIGHT));
        assert!(
            steered.tires().is_empty()
                && steered.fits(&steered)
                && !steered.fits(&ExtraStates::default())
        );
        let spoilt = SteeringWheel {
            compliance: f32::NAN,
            ..SteeringWheel::STRAIGHT
        };
        assert!(!ExtraStates::new(Vec::new(), Some(spoilt)).fits(&steered));
    }

    #[test]
    fn values_are_copied_and_lengths_kept() {
        let state = |x: f32| TireState {
            lengths: [x; 2],
            values: [x; 6],
        };
        let mut own = ExtraStates::new(alloc::vec![state(1.0), state(2.0)], None);
        own.wear_as(&ExtraStates::new(alloc::vec![state(7.0)], None));
        let [worn, kept] = own.tires() else {
            panic!("{own:?}");
        };
        assert_eq!((worn.lengths, worn.values), ([1.0; 2], [7.0; 6]));
        assert_eq!(*kept, state(2.0));
    }
}
