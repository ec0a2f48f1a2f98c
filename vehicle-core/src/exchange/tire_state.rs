//! States of stateful tires; see [`StatefulTire`](crate::stateful_tire::StatefulTire).

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::base::lanes::LANES;

/// State of a tire between substeps. Plain data; its law defines the meaning of the numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct TireState {
    /// Lengths (`m`), such as the deflections of bristles forward and to the left.
    pub lengths: [f32; 2],
    /// Other state of the law, in its own units. A tire made on top of another law shares them with it and
    /// documents which ones it uses.
    pub values: [f32; 6],
}

impl TireState {
    /// Whether all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.lengths
            .iter()
            .chain(&self.values)
            .all(|x| x.is_finite())
    }
}

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
    /// One per wheel; empty without stateful tires.
    #[must_use]
    pub fn as_slice(&self) -> &[TireState] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    /// The same, mutable.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [TireState] {
        self.0.as_deref_mut().map_or(&mut [], Vec::as_mut_slice)
    }

    /// Copies `values` from other states and keeps its own lengths. Wheels without such a state are unchanged.
    pub(crate) fn wear_as(&mut self, others: &Self) {
        for (own, other) in self.as_mut_slice().iter_mut().zip(others.as_slice()) {
            own.values = other.values;
        }
    }

    /// States of a group of four wheels; fewer in the last one, none for a vehicle without stateful tires.
    #[must_use]
    pub fn group(&self, group: usize) -> &[TireState] {
        self.as_slice().chunks(LANES).nth(group).unwrap_or_default()
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
        assert_eq!(TireStates::default().as_slice(), &[]);
        let five = TireStates::from(alloc::vec![TireState::default(); 5]);
        assert_eq!([0, 1, 2].map(|g| five.group(g).len()), [4, 1, 0]);
        assert_eq!(TireStates::from(Vec::new()), TireStates::default());
        assert_eq!(Vec::from(five).len(), 5);
    }

    #[test]
    fn a_state_has_finite_numbers_only() {
        let state = TireState::default();
        assert!(state.is_finite());
        for n in 0..8 {
            let mut spoilt = state;
            if n < 2 {
                spoilt.lengths[n] = f32::NAN;
            } else {
                spoilt.values[n - 2] = f32::INFINITY;
            }
            assert!(!spoilt.is_finite(), "{n}");
        }
    }

    #[test]
    fn values_are_copied_and_lengths_kept() {
        let state = |x: f32| TireState {
            lengths: [x; 2],
            values: [x; 6],
        };
        let mut own = TireStates::from(alloc::vec![state(1.0), state(2.0)]);
        own.wear_as(&TireStates::from(alloc::vec![state(7.0)]));
        let found = own.as_slice();
        assert_eq!((found[0].lengths, found[0].values), ([1.0; 2], [7.0; 6]));
        assert_eq!(found[1], state(2.0));
    }
}
