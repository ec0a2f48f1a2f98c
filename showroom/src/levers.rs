//! Levers and switches beside pedals and gear lever: which of them a vehicle has, and their positions.

use jounce::core::Levers;

/// A lever or switch of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lever {
    /// Works the clutch by its pedal alone.
    ManualClutch,
    /// Selects the range of the gearbox.
    Range,
    /// Sets the step of the retarder.
    Retarder,
    /// Engages the power take-off.
    PowerTakeOff,
}

impl Lever {
    /// All levers.
    pub const ALL: [Self; 4] = [
        Self::ManualClutch,
        Self::Range,
        Self::Retarder,
        Self::PowerTakeOff,
    ];
}

/// Number of positions of each lever of a vehicle; 1 where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeverSet {
    /// Positions in the order of [`Lever::ALL`].
    positions: [u8; 4],
}

impl LeverSet {
    /// Levers with these numbers of positions, in the order of [`Lever::ALL`].
    pub(crate) fn new(positions: [u8; 4]) -> Self {
        Self { positions }
    }

    /// Number of positions of a lever; 1 where the vehicle has none.
    #[must_use]
    pub fn positions(&self, lever: Lever) -> u8 {
        self.positions[lever as usize]
    }

    /// Moves a lever to its next position, after the last to the first.
    pub fn move_on(&self, lever: Lever, levers: &mut Levers) {
        let next = (position(lever, levers) + 1) % self.positions(lever);
        match lever {
            Lever::ManualClutch => levers.manual_clutch = next > 0,
            Lever::Range => levers.range = next,
            Lever::Retarder => levers.retarder = next,
            Lever::PowerTakeOff => levers.power_take_off = next > 0,
        }
    }
}

/// Present position of a lever, from 0.
#[must_use]
pub fn position(lever: Lever, levers: &Levers) -> u8 {
    match lever {
        Lever::ManualClutch => levers.manual_clutch.into(),
        Lever::Range => levers.range,
        Lever::Retarder => levers.retarder,
        Lever::PowerTakeOff => levers.power_take_off.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levers_go_round() {
        let set = LeverSet {
            positions: [1, 1, 3, 1],
        };
        let mut levers = Levers::RELEASED;
        let steps: Vec<u8> = (0..4)
            .map(|_| {
                set.move_on(Lever::Retarder, &mut levers);
                levers.retarder
            })
            .collect();
        assert_eq!(steps, [1, 2, 0, 1]);
        set.move_on(Lever::Range, &mut levers);
        assert_eq!(levers.range, 0);
    }
}
