//! States of stateful tires; see [`StatefulTire`](crate::stateful_tire::StatefulTire).

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
