//! States of all tires of a vehicle.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use crate::base::lanes::LANES;
use crate::exchange::tire_state::TireState;

/// States of a vehicle's tires, one per wheel; none for a vehicle without stateful tires.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(from = "Vec<TireState>", into = "Vec<TireState>")
)]
#[expect(
    clippy::box_collection,
    reason = "a thin pointer: with it, the state of a four-wheeler stays within 512 bytes"
)]
pub struct TireStates(Option<Box<Vec<TireState>>>);

impl TireStates {
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
}

impl Deref for TireStates {
    type Target = [TireState];
    fn deref(&self) -> &[TireState] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl DerefMut for TireStates {
    fn deref_mut(&mut self) -> &mut [TireState] {
        self.0.as_deref_mut().map_or(&mut [], Vec::as_mut_slice)
    }
}

impl From<Vec<TireState>> for TireStates {
    fn from(states: Vec<TireState>) -> Self {
        Self((!states.is_empty()).then(|| Box::new(states)))
    }
}

impl From<TireStates> for Vec<TireState> {
    fn from(states: TireStates) -> Self {
        states.0.map(|states| *states).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_a_thin_pointer() {
        assert_eq!(size_of::<TireStates>(), size_of::<usize>());
        assert!(TireStates::default().is_empty());
        let five = TireStates::from(alloc::vec![TireState::default(); 5]);
        assert_eq!([0, 1, 2].map(|g| five.group(g).len()), [4, 1, 0]);
        assert_eq!(TireStates::from(Vec::new()), TireStates::default());
        assert_eq!(Vec::from(five).len(), 5);
    }

    #[test]
    fn values_are_copied_and_lengths_kept() {
        let state = |x: f32| TireState {
            lengths: [x; 2],
            values: [x; 6],
        };
        let mut own = TireStates::from(alloc::vec![state(1.0), state(2.0)]);
        own.wear_as(&TireStates::from(alloc::vec![state(7.0)]));
        assert_eq!((own[0].lengths, own[0].values), ([1.0; 2], [7.0; 6]));
        assert_eq!(own[1], state(2.0));
    }
}
