//! The axles of four wheels.

use glam::Vec3;

use crate::base::lanes::{LANES, Mask4, Pairs};
use crate::params::WheelParams;

/// Wheels that a sweep solves at once: the two of an axle, or one that faces no other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxleWheels {
    /// Two lanes, among which are the wheels'.
    pub lanes: [u8; 2],
    /// The wheels.
    pub wheels: Mask4,
}

impl AxleWheels {
    /// The wheels of the axle that are in a `mask`.
    #[inline]
    #[must_use]
    pub fn among(self, mask: Mask4) -> Self {
        Self {
            wheels: self.wheels & mask,
            ..self
        }
    }
}

/// The axles of up to four wheels, in the order of their first wheels. A sweep solves both wheels of an axle at once, and sums
/// over wheels add them first, so that a vehicle and its mirror image move alike, to the bit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelAxles {
    axles: [AxleWheels; LANES],
    count: u8,
    /// Lane of the opposite wheel of each lane's axle; the lane itself where there is none.
    pub opposite: [u8; LANES],
    /// Lanes that sums over wheels add first.
    pub(crate) pairs: Pairs,
}

impl WheelAxles {
    /// The axles of up to four wheels, in lane order.
    #[must_use]
    pub fn new(wheels: &[WheelParams]) -> Self {
        let mut all = Self::default();
        let opposite = opposite(wheels);
        for (lane, &opposite) in opposite.iter().enumerate().take(wheels.len()) {
            if lane <= opposite {
                let other = if opposite == lane {
                    (lane + 1) % LANES
                } else {
                    opposite
                };
                all.axles[usize::from(all.count)] = AxleWheels {
                    lanes: [lane, other].map(|lane| lane as u8),
                    wheels: Mask4::from_fn(|n| n == lane || n == opposite),
                };
                all.count += 1;
            }
        }
        all.opposite = opposite.map(|lane| lane as u8);
        all.pairs = Pairs::of(opposite);
        all
    }

    /// The axles in the order in which sweeps solve them.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = AxleWheels> + '_ {
        self.axles.iter().copied().take(usize::from(self.count))
    }
}

/// Lane of each wheel's opposite, of up to four wheels: of the one on the other side that is nearest to its mirror image, if
/// the converse holds, too; otherwise its own.
fn opposite(wheels: &[WheelParams]) -> [usize; LANES] {
    let nearest = |lane: usize| {
        let own = wheels.get(lane)?.position;
        let across = (0..wheels.len().min(LANES)).filter(|n| wheels[*n].position.y * own.y < 0.0);
        let image = own * Vec3::new(1.0, -1.0, 1.0);
        let apart = |n: &usize| wheels[*n].position.distance_squared(image);
        across.min_by(|a, b| apart(a).total_cmp(&apart(b)))
    };
    core::array::from_fn(|lane| {
        let opposite = nearest(lane).filter(|opposite| nearest(*opposite) == Some(lane));
        opposite.unwrap_or(lane)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::lanes::W4;
    use crate::testing;
    use alloc::vec::Vec;
    use rstest::rstest;

    /// Wheels at these positions, forward and to the left (`m`).
    fn at(positions: &[[f32; 2]]) -> WheelAxles {
        let car = testing::four_wheeler();
        let wheels: Vec<WheelParams> = positions
            .iter()
            .map(|&[x, y]| {
                let mut wheel = car.wheels[0].clone();
                wheel.position = Vec3::new(x, y, 0.0);
                wheel
            })
            .collect();
        WheelAxles::new(&wheels)
    }

    #[rstest]
    #[case::car(&[[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], &[0b0011, 0b1100], [1, 0, 3, 2])]
    #[case::side_by_side(&[[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]], &[0b0101, 0b1010], [2, 3, 0, 1])]
    #[case::one_ahead(&[[1.0, 0.0], [-1.0, 1.0], [-1.0, -1.0]], &[0b0001, 0b0110], [0, 2, 1, 3])]
    #[case::one_behind(&[[1.0, -1.0], [1.0, 1.0], [-1.0, 0.0]], &[0b0011, 0b0100], [1, 0, 2, 3])]
    #[case::twins(&[[0.0, 2.0], [0.0, 1.0], [0.0, -1.0], [0.0, -2.0]], &[0b1001, 0b0110], [3, 2, 1, 0])]
    #[case::motorcycle(&[[1.0, 0.0], [-1.0, 0.0]], &[0b0001, 0b0010], [0, 1, 2, 3])]
    fn wheels_that_face_each_other_are_one_axle(
        #[case] positions: &[[f32; 2]],
        #[case] expected: &[u32],
        #[case] mirrored: [usize; LANES],
    ) {
        let axles = at(positions);
        let actual: Vec<u32> = axles.iter().map(|axle| axle.wheels.bits()).collect();
        assert_eq!(actual, expected);
        for axle in axles.iter() {
            let [a, b] = axle.lanes.map(usize::from);
            assert!(a != b && axle.wheels.bits() & !(1 << a | 1 << b) == 0);
        }
        // Sums of a vehicle and of its mirror image are one number.
        let numbers = [0.1_f32, 0.7e-7, 3.3, -5.1e-8];
        let sum = |numbers: [f32; LANES]| axles.pairs.pair_of_sums([W4::from_array(numbers); 2]);
        assert_eq!(sum(numbers), sum(mirrored.map(|lane| numbers[lane])));
    }
}
