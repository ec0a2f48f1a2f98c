use super::*;
use alloc::vec;
use vehicle_core::Curve;

use crate::response::{ResponseRow, ResponseTable};

#[test]
fn physx_gives_reverse_the_response_at_the_lowest_speed() {
    let row = |command, points: &[[f32; 2]]| ResponseRow {
        command,
        by_speed: Curve(points.to_vec()),
    };
    let physx = ResponseTable {
        rows: vec![
            row(0.5, &[[0.0, 0.0]]),
            row(1.0, &[[20.0, 1.0], [60.0, 0.0]]),
        ],
        speed_axis: SpeedAxis::Signed,
    };
    assert_eq!(physx.at(1.0, -40.0), 1.0);
    assert!(!physx.is_linear() && ResponseTable::default().is_linear());
}
