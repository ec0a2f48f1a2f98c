//! Numbers of single wheels, and their way into groups of four lanes.

use alloc::format;

use vehicle_core::lanes::{Groups, LANES, W4};
use vehicle_core::{Inspector, MAX_WHEELS};

/// One number per wheel, in wheel order.
pub(crate) type PerWheel = [f32; MAX_WHEELS];

/// The numbers of the wheels of `group`; 0 for wheels beyond the last.
pub(crate) fn lanes(values: &PerWheel, group: usize) -> W4 {
    let start = group * LANES;
    W4::from_fn(|lane| values.get(start + lane).copied().unwrap_or(0.0))
}

/// Numbers from a list that may be shorter than the vehicle has wheels.
pub(crate) fn padded(values: impl Iterator<Item = f32>) -> PerWheel {
    let mut all = [0.0; MAX_WHEELS];
    for (slot, value) in all.iter_mut().zip(values) {
        *slot = value;
    }
    all
}

/// Groups of the largest vehicle.
const GROUPS: usize = MAX_WHEELS.div_ceil(LANES);

/// The numbers of all groups, prepared.
pub(crate) fn grouped(values: &PerWheel) -> [W4; GROUPS] {
    core::array::from_fn(|group| lanes(values, group))
}

/// Where four numbers go: for each lane of each group the one that it takes, or none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Places([[usize; LANES]; GROUPS]);

impl Places {
    /// Stands for no number.
    const NONE: usize = LANES;

    /// Number i goes to `wheels[i]`.
    pub(crate) fn new(wheels: [usize; LANES]) -> Self {
        Self(core::array::from_fn(|group| {
            core::array::from_fn(|lane| {
                let wheel = group * LANES + lane;
                let number = wheels.iter().position(|&w| w == wheel);
                number.unwrap_or(Self::NONE)
            })
        }))
    }

    /// The lanes of `group`, 0 where no number goes.
    pub(crate) fn lanes(&self, [a, b, c, d]: [f32; LANES], group: usize) -> W4 {
        let padded = [a, b, c, d, 0.0];
        W4::from_fn(|lane| padded[self.0[group][lane]])
    }
}

/// The number of one wheel among `groups`; 0 if the vehicle does not have it.
pub(crate) fn lane_of<T>(groups: &Groups<T>, wheel: usize, number: impl Fn(&T) -> W4) -> f32 {
    let group = wheel / LANES;
    if group < groups.count() {
        number(&groups[group]).lane(wheel % LANES)
    } else {
        0.0
    }
}

/// Reports a fault unless `wheel` can be the index of one of `wheels` wheels.
pub(crate) fn check_index(name: &str, wheel: usize, wheels: usize, i: &mut Inspector) {
    let rule = format!("must name a wheel, 0..{wheels}");
    i.rule(wheel < wheels, name, wheel, "", rule);
}

/// Reports a fault if a list has more entries than there are `wheels`.
pub(crate) fn check_length(count: usize, wheels: usize, i: &mut Inspector) {
    let rule = format!("there must be at most {wheels}");
    i.rule(count <= wheels, "", count, "entries", rule);
}
