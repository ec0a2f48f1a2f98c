//! Engines and gearboxes, for both generations.

use serde_json::{Value, json};

use super::dice::Dice;

/// Torque over speed, both relative.
pub(super) fn torque_curve(dice: &mut Dice) -> Value {
    json!([
        0.0,
        dice.within(0.6..1.0),
        dice.within(0.2..0.6),
        1.0,
        1.0,
        dice.within(0.5..1.0)
    ])
}

/// Reverse, neutral and forward gears.
pub(super) fn ratios(dice: &mut Dice) -> Vec<f32> {
    let mut ratio = dice.within(3.0..5.0);
    let mut ratios = vec![-ratio, 0.0];
    for _ in 0..dice.whole(2..7) {
        ratios.push(ratio);
        ratio *= dice.within(0.6..0.85);
    }
    ratios
}

/// Relative speeds at which the autobox changes up and down, of `gears` with reverse and neutral.
pub(super) fn autobox(dice: &mut Dice, gears: usize) -> [Vec<f32>; 2] {
    let [mut up, mut down] = [0.6..0.8, 0.3..0.5]
        .map(|range| -> Vec<f32> { (0..gears).map(|_| dice.within(range.clone())).collect() });
    up[1] = dice.within(0.1..0.2);
    // The marks of gears from which there is no change.
    (down[0], down[1]) = (2.0, 0.5);
    [up, down]
}
