//! Requirements for every possible input.

use jounce::core::lanes::Mask4;
use jounce::core::{TireForces, TireInput};

use super::LawUnderTest;
use super::grid::{Point, slipping};
use crate::finding::{Failure, Measure, expect};

/// All outputs of a law.
fn all(forces: &TireForces) -> [f32; 4] {
    [
        forces.longitudinal,
        forces.lateral,
        forces.aligning_moment,
        forces.wheel_torque,
    ]
}

pub(super) fn carries(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
    for (point, _) in slipping(subject) {
        for point in [
            Point { load: 0.0, ..point },
            Point {
                friction: 0.0,
                ..point
            },
        ] {
            let forces = all(&point.forces(subject));
            let none = forces.iter().all(|force| *force == 0.0);
            expect(none, || format!("{forces:?} at {point:?}"))?;
        }
    }
    Ok(Measure::KEPT)
}

/// Extreme numbers, and some in between.
const EXTREMES: [f32; 12] = [
    0.0,
    f32::MIN_POSITIVE,
    1e-45,
    1e-20,
    1e-6,
    0.3,
    1.0,
    1e3,
    1e9,
    1e20,
    1e38,
    f32::MAX,
];
/// Number of combinations tested.
const COMBINATIONS: u32 = 200_000;

/// A pseudorandom sequence, the same in every run.
struct ExtremeInputs(u64);

impl ExtremeInputs {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % count
    }

    fn positive(&mut self) -> f32 {
        EXTREMES[1 + self.below(EXTREMES.len() - 1)]
    }

    fn not_negative(&mut self) -> f32 {
        EXTREMES[self.below(EXTREMES.len())]
    }

    fn any(&mut self) -> f32 {
        let sign = if self.below(2) == 0 { 1.0 } else { -1.0 };
        sign * self.not_negative()
    }

    fn input(&mut self) -> TireInput {
        TireInput {
            slip_ratio: self.any(),
            tan_slip_angle: self.any(),
            forward_speed: self.any(),
            lateral_speed: self.any(),
            rim_speed: self.any(),
            radius: self.positive(),
            load: self.not_negative(),
            rest_load: self.positive(),
            camber: self.any(),
            friction: self.not_negative(),
            yaw_speed: self.any(),
            pressure: self.not_negative(),
            gravity: self.positive(),
        }
    }
}

pub(super) fn finite(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
    let mut dice = ExtremeInputs(1);
    for _ in 0..COMBINATIONS {
        let input = dice.input();
        let forces = all(&subject.tire.forces(&input));
        let finite = forces.iter().all(|force| force.is_finite());
        expect(finite, || format!("{forces:?} at {input:?}"))?;
    }
    Ok(Measure::KEPT)
}

pub(super) fn lanes(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
    let points: Vec<_> = slipping(subject).map(|(point, _)| point).collect();
    for four in points.chunks_exact(4) {
        let inputs = [0, 1, 2, 3].map(|n: usize| four[n].input(subject));
        let together = TireInput::of(&inputs);
        let found = subject.tire.forces4(&together, Mask4::ALL);
        for (lane, input) in inputs.iter().enumerate() {
            let alone = all(&subject.tire.forces(input));
            let lane = [
                found.longitudinal,
                found.lateral,
                found.aligning_moment,
                found.wheel_torque,
            ]
            .map(|four| four.lane(lane));
            // 0 and −0 are the same force.
            expect(lane == alone, || {
                format!("{lane:?} for {alone:?} at {input:?}")
            })?;
        }
    }
    Ok(Measure::KEPT)
}
