//! Tier B: closed forms. Engines share libraries; agreement between two of them proves nothing.

mod air;
mod cars;
mod edges;
mod hops;
mod locked;
mod mirrored;
mod roads;
mod wheels;

use crate::case::Case;

/// Every case of this tier.
pub(crate) fn cases() -> impl Iterator<Item = &'static Case> {
    let shapes = cars::CASES
        .iter()
        .chain(&air::CASES)
        .chain(&roads::CASES)
        .chain(&edges::CASES);
    shapes
        .chain(&wheels::CASES)
        .chain(&hops::CASES)
        .chain(&locked::CASES)
        .chain(&mirrored::CASES)
}
