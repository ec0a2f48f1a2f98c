//! The spins predicted by the clutch's solve against those of the wheels' rows.

use super::*;
use crate::base::lanes::V3x4;
use crate::base::velocity::Velocity;
use crate::solvers::rows::contact_space::Jacobian;
use glam::{Mat3, Vec3};

/// One wheel of the sample car, the others inactive; a chassis of 1500 kg, all tires at its center.
#[derive(Clone, Copy, Debug)]
struct Alone {
    spin: f32,
    torque: f32,
    brake: f32,
    share: f32,
    /// Force and gain of its forward row.
    row: [f32; 2],
    /// Forward speed of the chassis (`m/s`), and warm start of the row (`N·s`).
    speed: f32,
    warm: f32,
    load: f32,
    h: f32,
}

prop_compose! {
    fn alone()(
        spin in -60f32..60.0, torque in -2000f32..2000.0, brake in prop_oneof![Just(0f32), 0f32..3000.0],
        share in prop_oneof![-1f32..-0.1, 0.1f32..1.0], force in -3000f32..3000.0, gain in 0f32..20_000.0,
        speed in -30f32..30.0, warm in -50f32..50.0, load in 100f32..8000.0, h in 1f32 / 240.0..1.0 / 30.0,
    ) -> Alone {
        Alone { spin, torque, brake, share, row: [force, gain], speed, warm, load, h }
    }
}

/// The lane of the wheel.
const LANE: usize = 2;

impl Alone {
    fn start(&self) -> WheelStart {
        WheelStart {
            spin: W4::splat(self.spin),
            torque: W4::splat(self.torque),
            brake: W4::splat(self.brake),
            friction: W4::ONE,
            lateral_grip: W4::ONE,
            rim_weight: W4::ONE,
            rest_load: W4::splat(4000.0),
        }
    }

    /// The row along x on a chassis `lighter` times lighter.
    fn tangent(&self, lighter: f32) -> RowBlock<2> {
        let row = |d: Vec3| Jacobian::new(V3x4::splat(d), V3x4::ZERO, &Mat3::ZERO);
        let mut tangent = RowBlock::default();
        let warm = W4::from_fn(|lane| if lane == LANE { self.warm } else { 0.0 });
        let rows_of_tires = [row(Vec3::X), row(Vec3::Y)];
        tangent.jacobian = rows_of_tires;
        tangent.prepare([W4::ZERO; 2], [warm, W4::ZERO], lighter / 1500.0);
        let velocity = Velocity {
            linear: Vec3::X * self.speed,
            angular: Vec3::ZERO,
        };
        tangent.read_velocity(&velocity.in_lanes());
        tangent
    }

    fn row(&self) -> TireRow<W4> {
        TireRow {
            force: W4::splat(self.row[0]),
            gain: W4::splat(self.row[1]),
        }
    }

    /// Input of the search; `part` is the wheel's share of the mean speed.
    fn spins(&self, loaded_count: f32, part: f32) -> Spins {
        let only = |value: f32| W4::from_fn(|lane| if lane == LANE { value } else { 0.0 });
        let split = WheelControl {
            torque_share: only(self.share),
            speed_share: only(part),
            ..WheelControl::default()
        };
        let driven = Driven {
            consts: &testing::wheel_consts(),
            rim_weight: W4::ONE,
            split: &split,
            row: &self.row(),
            tangent: &self.tangent(1.0),
        };
        Spins::new(&driven, W4::splat(self.load * self.h), loaded_count, self.h)
    }

    /// The rows on this block.
    fn rows(&self, tangent: &RowBlock<2>) -> WheelRows {
        let k = testing::wheel_consts();
        let rows = [self.row(), TireRow::default()];
        WheelRows::new(
            &k,
            &self.start(),
            &rows,
            &LoadLine::of(&LoadFilter::OFF),
            tangent,
            self.h,
        )
    }

    /// Spin by the wheel's row, alone on a chassis `lighter` times lighter.
    fn solved(&self, torque: f32, lighter: f32) -> f32 {
        let mut tangent = self.tangent(lighter);
        let mut blocks = self.rows(&tangent);
        blocks.drive = blocks.drive.with_lane(LANE, self.share * torque * self.h);
        let normal = W4::from_fn(|lane| {
            if lane == LANE {
                self.load * self.h
            } else {
                0.0
            }
        });
        blocks.sweep(&mut tangent, normal, &testing::wheel_consts().axles);
        blocks.spin.lane(LANE)
    }

    /// Bound of the spin's rounding error (`rad/s`).
    fn rounding(&self, torque: f32) -> f32 {
        1e-5 * (60.0 + self.h * (self.torque.abs() + torque.abs() + self.row[0].abs()))
            + 1e-5 * self.h * self.row[1] * 60.0
    }
}

proptest! {
    /// For wheels that grip, slide or are locked, the search predicts the row's result on a chassis lighter by
    /// the number of loaded wheels.
    #[test]
    fn the_clutch_predicts_the_wheels_rows(
        alone in alone(), torque in -5000f32..5000.0, loaded_count in 1f32..6.0, part in 0.1f32..1.0,
    ) {
        let rows = alone.rows(&alone.tangent(1.0));
        let mean = alone.spins(loaded_count, part).mean_at(&rows, torque);
        let solved = alone.solved(torque, loaded_count);
        let near = alone.rounding(torque);
        prop_assert!((mean.value - part * solved).abs() < near, "{mean:?} {solved}");
    }

    /// A coupled wheel needs the impulse that leads to the same spin, and leaves the mean speed.
    #[test]
    fn a_coupled_wheel_needs_the_impulse_it_received(
        alone in alone(), torque in -5000f32..5000.0,
    ) {
        let free = Alone { brake: 0.0, ..alone };
        let mut spins = free.spins(1.0, 0.7);
        let spin = free.solved(torque, 1.0);
        let rows = free.rows(&free.tangent(1.0));
        let wheel = spins.coupled_wheel(&rows, LANE);
        prop_assert_eq!(spins.mean_at(&rows, torque), Sloped::default());
        let radius = wheel.radius;
        let tire = (wheel.standing_impulse + wheel.traction * spin).clamp(-wheel.bound, wheel.bound);
        let need = wheel.effective_inertia * spin + radius * tire - wheel.momentum;
        let given = free.share * torque * free.h;
        let near = 4.0 * free.rounding(torque) * (1.0 + wheel.effective_inertia + radius * wheel.traction);
        prop_assert!((need - given).abs() < near, "{need} {given}");
        prop_assert_eq!(wheel.brake, 0.0);
    }
}

#[test]
fn only_the_coupled_wheel_leaves_the_mean() {
    let shaft = Shaft::new([10.0, 20.0, 30.0, 40.0], [0.0; LANES]);
    let (all, rows) = (shaft.spins(), shaft.rows());
    for lane in 0..LANES {
        let mut spins = all;
        let share = shaft.split.speed_share.lane(lane);
        let wheel = spins.coupled_wheel(&rows, lane);
        let spin = wheel.momentum / wheel.effective_inertia;
        let left = spins.mean_at(&rows, 0.0).value;
        let expected = all.mean_at(&rows, 0.0).value - share * spin;
        assert!((left - expected).abs() < 1e-5, "{lane}: {left} {expected}");
    }
}

/// Where the speed of an engine changes, its slope is `h` over its inertia.
#[rstest]
#[case::running(ENGINE, 200.0, 100.0)]
#[case::locked_by_friction(EngineCoupling { friction: 2000.0, ..ENGINE }, 0.0, 100.0)]
#[case::idling(EngineCoupling { idle_speed: 200.0, ..ENGINE }, 200.0, 100.0)]
#[case::at_its_limit(EngineCoupling { torque: 500.0, ..ENGINE }, 600.0, -100.0)]
#[case::beyond_its_limit(ENGINE, 700.0, 0.0)]
#[case::pushed_beyond_its_limit(EngineCoupling { torque: 900.0, ..ENGINE }, 599.0, -2000.0)]
fn the_slope_of_an_engine_is_that_of_its_speed(
    #[case] law: EngineCoupling,
    #[case] speed: f32,
    #[case] torque: f32,
) {
    let coupling = viscous(10.0, 8.0, law);
    let engine = Engine::new(&coupling, speed, H);
    let [low, here, high] = [-1.0, 0.0, 1.0].map(|by| engine.speed_at(torque + by));
    let slope = (high.value - low.value) / 2.0;
    assert!((slope - here.slope).abs() < 2e-3 * H, "{slope} {here:?}");
}
