//! What only some vehicles remember: states of their tires, of a steering wheel that torques move, and of mounts that give.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use crate::base::lanes::{LANES, W4};
use crate::exchange::steering_wheel::SteeringWheel;
use crate::exchange::tire_state::TireState;

/// States of a vehicle's tires, one per wheel; none for a vehicle without stateful tires. Beside them, that of its
/// steering wheel, if torques move it, and what the mounts of the wheels feel, if forces move them. (Behind a thin pointer, so that the state of a four-wheeler stays within 512 bytes.)
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Remembered", into = "Remembered"))]
pub struct TireStates(Option<Box<Remembered>>);

#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
struct Remembered {
    wheels: Vec<TireState>,
    steering: Option<SteeringWheel>,
    /// What the mounts of a group's wheels feel: longitudinal and lateral force (`N`), aligning moment (`N·m`).
    mounts: Vec<[W4; 3]>,
}

impl TireStates {
    /// States of stateful tires, one per wheel or none, and of a steering wheel.
    #[must_use]
    pub fn new(wheels: Vec<TireState>, steering: Option<SteeringWheel>) -> Self {
        let mounts = Vec::new();
        Remembered {
            wheels,
            steering,
            mounts,
        }
        .into()
    }

    /// The same with mounts of so many groups of wheels, which feel nothing yet.
    #[must_use]
    pub(crate) fn with_mounts(self, groups: usize) -> Self {
        let mounts = alloc::vec![[W4::ZERO; 3]; groups];
        Remembered {
            mounts,
            ..self.into()
        }
        .into()
    }

    /// What the mounts of the wheels feel, by groups; nothing for a vehicle whose wheels no force moves.
    #[inline]
    pub(crate) fn mounts(&self) -> &[[W4; 3]] {
        self.0.as_ref().map_or(&[], |all| all.mounts.as_slice())
    }

    /// The same, mutable.
    #[inline]
    pub(crate) fn mounts_mut(&mut self) -> &mut [[W4; 3]] {
        self.0
            .as_mut()
            .map_or(&mut [], |all| all.mounts.as_mut_slice())
    }

    /// The same of a group.
    pub(crate) fn felt(&self, group: usize) -> Option<&[W4; 3]> {
        self.mounts().get(group)
    }

    /// Takes over what the mounts of the wheels `source` of `others` feel.
    pub(crate) fn feel_as(&mut self, others: &Self, source: impl Fn(usize) -> Option<usize>) {
        for (g, own) in self.mounts_mut().iter_mut().enumerate() {
            for (n, felt) in own.iter_mut().enumerate() {
                *felt = W4::from_fn(|lane| {
                    let from = source(g * LANES + lane);
                    let group = from.and_then(|wheel| Some((others.felt(wheel / LANES)?, wheel)));
                    group.map_or(0.0, |(felt, wheel)| felt[n].lane(wheel % LANES))
                });
            }
        }
    }

    /// Whether all that is not the tires' is finite.
    pub(crate) fn is_finite(&self) -> bool {
        let mut felt = self.mounts().iter().flatten();
        self.steering().is_none_or(SteeringWheel::is_finite)
            && felt.all(|felt| felt.to_array().iter().all(|x| x.is_finite()))
    }

    /// Copies `values` from other states and keeps its own lengths. Wheels without such a state are unchanged.
    pub(crate) fn wear_as(&mut self, others: &Self) {
        for (own, other) in self.iter_mut().zip(others.iter()) {
            own.values = other.values;
        }
    }

    /// States of a group of four wheels; fewer in the last one, none for a vehicle without stateful tires.
    #[must_use]
    pub fn group(&self, group: usize) -> &[TireState] {
        self.chunks(LANES).nth(group).unwrap_or_default()
    }

    /// The steering wheel, if torques move it.
    #[inline]
    #[must_use]
    pub fn steering(&self) -> Option<&SteeringWheel> {
        self.0.as_ref()?.steering.as_ref()
    }

    /// The same, mutable.
    #[inline]
    #[must_use]
    pub fn steering_mut(&mut self) -> Option<&mut SteeringWheel> {
        self.0.as_mut()?.steering.as_mut()
    }

    /// Whether a vehicle whose fresh states are `fresh` may have these.
    pub(crate) fn fits(&self, fresh: &Self) -> bool {
        let alike = self.len() == fresh.len()
            && self.mounts().len() == fresh.mounts().len()
            && self.steering().is_some() == fresh.steering().is_some();
        alike && self.iter().all(TireState::is_finite) && self.is_finite()
    }
}

impl Deref for TireStates {
    type Target = [TireState];
    fn deref(&self) -> &[TireState] {
        self.0.as_ref().map_or(&[], |all| all.wheels.as_slice())
    }
}

impl DerefMut for TireStates {
    fn deref_mut(&mut self) -> &mut [TireState] {
        self.0
            .as_mut()
            .map_or(&mut [], |all| all.wheels.as_mut_slice())
    }
}

impl From<Remembered> for TireStates {
    fn from(all: Remembered) -> Self {
        Self((all != Remembered::default()).then(|| Box::new(all)))
    }
}

impl From<TireStates> for Remembered {
    fn from(states: TireStates) -> Self {
        states.0.map(|all| *all).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_a_thin_pointer() {
        assert_eq!(size_of::<TireStates>(), size_of::<usize>());
        assert!(TireStates::default().is_empty());
        let five = TireStates::new(alloc::vec![TireState::default(); 5], None);
        assert_eq!([0, 1, 2].map(|g| five.group(g).len()), [4, 1, 0]);
        assert_eq!(TireStates::new(Vec::new(), None), TireStates::default());
        assert!(five.steering().is_none() && five.fits(&five));
        let steered = TireStates::new(Vec::new(), Some(SteeringWheel::STRAIGHT));
        assert!(
            steered.is_empty() && steered.fits(&steered) && !steered.fits(&TireStates::default())
        );
        let spoilt = SteeringWheel {
            give: f32::NAN,
            ..SteeringWheel::STRAIGHT
        };
        assert!(!TireStates::new(Vec::new(), Some(spoilt)).fits(&steered));
    }

    #[test]
    fn values_are_copied_and_lengths_kept() {
        let state = |x: f32| TireState {
            lengths: [x; 2],
            values: [x; 6],
        };
        let mut own = TireStates::new(alloc::vec![state(1.0), state(2.0)], None);
        own.wear_as(&TireStates::new(alloc::vec![state(7.0)], None));
        assert_eq!((own[0].lengths, own[0].values), ([1.0; 2], [7.0; 6]));
        assert_eq!(own[1], state(2.0));
    }
}
