//! Per-wheel numbers, and their conversion to groups of four lanes.

use alloc::format;

use vehicle_core::lanes::{LANES, W4};
use vehicle_core::{Inspector, MAX_WHEELS};

/// One number per wheel, in wheel order.
pub(crate) type PerWheel = [f32; MAX_WHEELS];

/// The numbers of the wheels of `group`; 0 for wheels beyond the last.
pub(crate) fn lanes(values: &PerWheel, group: usize) -> W4 {
    let start = group * LANES;
    W4::from_fn(|lane| values.get(start + lane).copied().unwrap_or(0.0))
}

/// Numbers from a list that may be shorter than the number of wheels.
pub(crate) fn padded(values: impl Iterator<Item = f32>) -> PerWheel {
    let mut all = [0.0; MAX_WHEELS];
    for (slot, value) in all.iter_mut().zip(values) {
        *slot = value;
    }
    all
}

/// Number of groups in the largest vehicle.
pub(crate) const GROUPS: usize = MAX_WHEELS.div_ceil(LANES);

/// The numbers of all groups.
pub(crate) fn grouped(values: &PerWheel) -> [W4; GROUPS] {
    core::array::from_fn(|group| lanes(values, group))
}

/// The numbers of all wheels, from their groups.
pub(crate) fn ungrouped<T>(groups: &[T], numbers: impl Fn(&T) -> W4) -> PerWheel {
    let mut all = [0.0; MAX_WHEELS];
    for (slots, group) in all.chunks_mut(LANES).zip(groups.iter()) {
        slots.copy_from_slice(&numbers(group).to_array());
    }
    all
}

/// The number of one wheel among `groups`; 0 if the vehicle does not have it.
pub(crate) fn lane_of<T>(groups: &[T], wheel: usize, number: impl Fn(&T) -> W4) -> f32 {
    let group = wheel / LANES;
    if group < groups.len() {
        number(&groups[group]).lane(wheel % LANES)
    } else {
        0.0
    }
}

/// Reports a fault unless `wheel` is a valid index into `wheels` wheels.
pub(crate) fn check_index(name: &str, wheel: usize, wheels: usize, i: &mut Inspector) {
    let rule = format!("must name a wheel, 0..{wheels}");
    i.rule(wheel < wheels, name, wheel, "", rule);
}

/// Reports the entries of a list that are not valid wheel indices.
pub(crate) fn check_indices(name: &str, list: &[usize], wheels: usize, i: &mut Inspector) {
    for (n, &wheel) in list.iter().enumerate() {
        check_index(&format!("{name}[{n}]"), wheel, wheels, i);
    }
}

/// Reports a fault unless a list names at least one wheel and each only once.
pub(crate) fn check_driven(name: &str, list: &[usize], i: &mut Inspector) {
    i.rule(
        !list.is_empty(),
        name,
        0,
        "wheels",
        "there must be at least 1",
    );
    check_indices(name, list, MAX_WHEELS, i);
    for (n, wheel) in list.iter().enumerate() {
        let once = !list[..n].contains(wheel);
        let name = format!("{name}[{n}]");
        i.rule(once, &name, wheel, "", "must differ from the others");
    }
}

/// Reports a fault if a list has more than `wheels` entries.
pub(crate) fn check_length(count: usize, wheels: usize, i: &mut Inspector) {
    let rule = format!("there must be at most {wheels}");
    i.rule(count <= wheels, "", count, "entries", rule);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_wheel_has_zero() {
        let groups = core::array::from_fn::<_, 2, _>(|group| W4::splat(group as f32 + 1.0));
        for (wheel, number) in [(0, 1.0), (3, 1.0), (4, 2.0), (7, 2.0), (8, 0.0), (19, 0.0)] {
            assert_eq!(lane_of(&groups, wheel, |x| *x), number, "{wheel}");
        }
    }
}
