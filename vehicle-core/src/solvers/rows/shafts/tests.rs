//! Torques of shafts against closed forms, and against what defines them.

use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::contracts::shafts::ShaftRow;
use proptest::prelude::*;

/// Substep (`s`).
const H: f32 = 1.0 / 240.0;

/// Wheels of this inertia (`kg·m²`) that turn freely at these speeds (`rad/s`), but for brakes of this torque (`N·m`).
#[derive(Clone, Copy, Debug)]
struct FreeWheels {
    inertia: f32,
    speeds: [f32; 2],
    brake: f32,
}

impl FreeWheels {
    fn spins(&self, torques: &WheelTorques, spins: &mut [Sloped; MAX_WHEELS]) {
        for (n, speed) in self.speeds.iter().enumerate() {
            let momentum = soft(self.inertia * speed + H * torques[n], H * self.brake);
            spins[n] = Sloped {
                value: momentum / self.inertia,
                slope: if momentum == 0.0 {
                    0.0
                } else {
                    H / self.inertia
                },
            };
        }
    }

    /// Solves shafts on these wheels; returns the speeds of nodes and wheels at the end.
    fn solve(&self, shafts: &mut Shafts) -> Vec<f32> {
        let respond = |torques: &WheelTorques, spins: &mut [Sloped; MAX_WHEELS]| {
            self.spins(torques, spins);
        };
        let (end, torques) = solve(shafts, &respond, None, H);
        end.commit(shafts, H);
        let mut spins = [Sloped::default(); MAX_WHEELS];
        self.spins(&torques, &mut spins);
        let nodes = shafts.nodes.iter().map(|node| node.speed);
        nodes
            .chain(spins[..2].iter().map(|spin| spin.value))
            .collect()
    }
}

fn node(inertia: f32, speed: f32, torque: f32) -> ShaftNode {
    ShaftNode {
        speed,
        torque,
        is_engine: true,
        ..ShaftNode::new(inertia)
    }
}

fn near(a: f32, b: f32) {
    assert!(
        (a - b).abs() <= 1e-4 * (1.0 + b.abs()),
        "{a} instead of {b}"
    );
}

/// A motor geared to two wheels by an open differential: the inertia that it feels is J + 2·I/i².
#[test]
fn a_geared_motor_turns_both_wheels() {
    let wheels = FreeWheels {
        inertia: 1.2,
        speeds: [10.0, 14.0],
        brake: 0.0,
    };
    let mut shafts = Shafts {
        nodes: vec![node(0.05, 108.0, 200.0)],
        rows: vec![ShaftRow::gear(&[1.0, -4.5, -4.5])],
    };
    let speeds = wheels.solve(&mut shafts);
    let gain = 200.0 * H / (0.05 + 2.0 * 1.2 / 81.0);
    near(speeds[0], 108.0 + gain);
    near(speeds[1], 10.0 + gain / 9.0);
    near(speeds[2], 14.0 + gain / 9.0);
    near(shafts.nodes[0].applied, 200.0);
    near(shafts.nodes[0].work, 200.0 * H * (108.0 + 0.5 * gain));
}

/// A motor at constant power P loses P/Ω² of its torque per speed, and is cut by an aid as far as wheels allow.
#[rstest::rstest]
#[case::power(2.0, f32::INFINITY)]
#[case::cut(0.0, 15.2)]
fn a_motor_gives_what_power_and_limits_allow(#[case] slope: f32, #[case] greatest: f32) {
    let wheels = FreeWheels {
        inertia: 1.2,
        speeds: [14.0; 2],
        brake: 0.0,
    };
    let mut shafts = Shafts {
        nodes: vec![ShaftNode {
            slope,
            ..node(0.05, 126.0, 900.0)
        }],
        rows: vec![ShaftRow::gear(&[1.0, -4.5, -4.5])],
    };
    let spin = |torques: &WheelTorques| {
        let mut spins = [Sloped::default(); MAX_WHEELS];
        wheels.spins(torques, &mut spins);
        spins[0].value
    };
    let respond = |torques: &WheelTorques, spins: &mut [Sloped; MAX_WHEELS]| {
        wheels.spins(torques, spins);
    };
    let excess = |torques: &WheelTorques| spin(torques) - greatest;
    let limit = ShaftLimit {
        excess: &excess,
        least: &NO_TORQUES,
    };
    let (end, torques) = solve(&mut shafts, &respond, Some(&limit), H);
    end.commit(&mut shafts, H);
    let inertia = 0.05 + 2.0 * 1.2 / 81.0;
    let gain = 900.0 * H / (inertia + H * slope);
    let expected = if greatest < 20.0 {
        9.0 * (greatest - 14.0)
    } else {
        gain
    };
    near(shafts.nodes[0].speed, 126.0 + expected);
    near(spin(&torques), 14.0 + expected / 9.0);
    near(shafts.nodes[0].applied, inertia * expected / H);
}

/// Plates slip at their capacity, and hold below it; pressed ones have a share of the torque that presses them, by its direction.
#[rstest::rstest]
#[case::slip(40.0, 500.0, [0.0, 0.0], 40.0)]
#[case::hold(1e4, 500.0, [0.0, 0.0], 0.5 * 2.0 * 1.2 / H)]
#[case::pressed(40.0, 500.0, [0.1, 0.25], 40.0 + 0.25 * 300.0)]
#[case::pressed_backward(40.0, -500.0, [0.1, 0.25], 40.0 + 0.1 * 300.0)]
fn plates_between_wheels(
    #[case] capacity: f32,
    #[case] motor: f32,
    #[case] pressure: [f32; 2],
    #[case] expected: f32,
) {
    let wheels = FreeWheels {
        inertia: 1.2,
        speeds: [11.0, 9.0],
        brake: 0.0,
    };
    // A motor so heavy that it keeps its speed; the plates of its clutch slip with 300 N·m.
    let mut shafts = Shafts {
        nodes: vec![node(1e6, motor, 0.0)],
        rows: vec![
            ShaftRow::plates(&[1.0, -0.5, -0.5], 300.0),
            ShaftRow {
                pressed_by: vec![1.0],
                pressure,
                ..ShaftRow::plates(&[0.0, 1.0, -1.0], capacity)
            },
        ],
    };
    let speeds = wheels.solve(&mut shafts);
    near(shafts.rows[0].torque, 300.0_f32.copysign(motor));
    near(shafts.rows[1].torque, expected);
    near(speeds[1] - speeds[2], 2.0 - 2.0 * expected * H / 1.2);
}

/// Plates that are pressed less than in the last substep hold no more than their range.
#[test]
fn plates_let_go_with_the_torque_that_presses_them() {
    let wheels = FreeWheels {
        inertia: 1.2,
        speeds: [11.0, 9.0],
        brake: 0.0,
    };
    let mut shafts = Shafts {
        nodes: vec![node(0.1, 10.0, 0.0)],
        rows: vec![
            ShaftRow::gear(&[1.0, -0.5, -0.5]),
            ShaftRow {
                pressed_by: vec![1.0],
                pressure: [0.25; 2],
                ..ShaftRow::plates(&[0.0, 1.0, -1.0], 10.0)
            },
        ],
    };
    (shafts.rows[0].torque, shafts.rows[1].torque) = (300.0, 85.0);
    let _ = wheels.solve(&mut shafts);
    let [pressing, held] = [&shafts.rows[0], &shafts.rows[1]].map(|row| row.torque);
    assert!(pressing.abs() < 1.0, "{pressing} N·m");
    near(held, 10.0 + 0.25 * pressing.abs());
}

/// A planetary gear set: its torques have fixed ratios, and its speeds fulfill (1 + ρ)·carrier = sun + ρ·ring.
#[test]
fn a_planetary_gear_set_splits_power() {
    let wheels = FreeWheels {
        inertia: 40.0,
        speeds: [20.0; 2],
        brake: 0.0,
    };
    let ratio = 2.6;
    let mut shafts = Shafts {
        nodes: vec![
            node(0.2, 150.0, 90.0),
            node(0.03, 0.0, -20.0),
            node(0.04, 80.0, 50.0),
        ],
        rows: vec![
            ShaftRow::gear(&[1.0 + ratio, -1.0, -ratio, 0.0, 0.0]),
            ShaftRow::gear(&[0.0, 0.0, 1.0, -2.0, -2.0]),
        ],
    };
    shafts.nodes[1].speed = 3.6 * 150.0 - ratio * 80.0;
    let before: Vec<f32> = shafts.nodes.iter().map(|node| node.speed).collect();
    let speeds = wheels.solve(&mut shafts);
    near((1.0 + ratio) * speeds[0], speeds[1] + ratio * speeds[2]);
    near(speeds[2], 2.0 * (speeds[3] + speeds[4]));
    let torque = shafts.rows[0].torque;
    for (n, (weight, own)) in [(-3.6, 90.0), (1.0, -20.0)].into_iter().enumerate() {
        let gain = shafts.nodes[n].inertia * (speeds[n] - before[n]) / H;
        near(gain, own + weight * torque);
    }
}

/// A shaft that twists with a frequency of 4 Hz keeps that frequency and its damping, with a spring and a damper at the middle of
/// the substep.
#[test]
fn a_twisting_shaft_swings() {
    let (inertia, frequency, damping) = (0.4_f32, 4.0_f32, 0.05_f32);
    let omega = core::f32::consts::TAU * frequency;
    let (k, d) = (inertia * omega * omega, 2.0 * damping * inertia * omega);
    let h = 1.0 / 60.0;
    let mut shafts = Shafts {
        nodes: vec![node(inertia, omega * 0.1, 0.0)],
        rows: vec![ShaftRow {
            softness: 1.0 / (0.25 * h * k + 0.5 * d),
            ..ShaftRow::gear(&[1.0])
        }],
    };
    let (mut twist, mut crossings, mut peaks) = (0.0_f32, Vec::new(), Vec::new());
    for n in 0..60 {
        let before = shafts.nodes[0].speed;
        shafts.rows[0].bias = k * (twist + 0.25 * h * before) + 0.5 * d * before;
        let respond = |_: &WheelTorques, _: &mut [Sloped; MAX_WHEELS]| {};
        let (end, _) = solve(&mut shafts, &respond, None, h);
        end.commit(&mut shafts, h);
        let after = shafts.nodes[0].speed;
        if before > 0.0 && after <= 0.0 {
            crossings.push((n as f32 + before / (before - after)) * h);
            peaks.push(twist);
        }
        twist += 0.5 * h * (before + after);
    }
    let periods = (crossings.len() - 1) as f32;
    let period = (crossings[crossings.len() - 1] - crossings[0]) / periods;
    assert!((period * frequency - 1.0).abs() < 0.03, "{period}");
    let decrement = libm::logf(peaks[0] / peaks[peaks.len() - 1]) / periods;
    let found = decrement / core::f32::consts::TAU;
    assert!((found - damping).abs() < 0.1 * damping, "{found}");
}

fn random_row(nodes: usize) -> impl Strategy<Value = ShaftRow> {
    let weights = prop::collection::vec(prop_oneof![Just(0.0_f32), -6.0_f32..6.0], nodes + 2);
    let capacity = prop_oneof![Just(f32::INFINITY), 0.0_f32..500.0];
    let softness = prop_oneof![Just(0.0_f32), 1e-4_f32..1.0];
    (
        weights,
        capacity,
        softness,
        -20.0_f32..20.0,
        -800.0_f32..800.0,
    )
        .prop_map(|(weights, capacity, softness, offset, torque)| ShaftRow {
            softness,
            offset: if softness > 0.0 { offset } else { 0.0 },
            torque,
            ..ShaftRow::plates(&weights, capacity)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Rows lose no more than friction takes, from any start: each is without slip, or at the bound that its slip presses against.
    #[test]
    fn rows_slip_only_at_their_bounds(
        speeds in prop::collection::vec(-200.0_f32..200.0, 3),
        torques in prop::collection::vec(-500.0_f32..500.0, 3),
        rows in prop::collection::vec(random_row(3), 1..5),
        spins in prop::array::uniform2(-100.0_f32..100.0),
        brake in prop_oneof![Just(0.0_f32), 0.0_f32..3000.0],
    ) {
        let nodes = speeds.iter().zip(&torques);
        let mut shafts = Shafts {
            nodes: nodes.map(|(speed, torque)| node(0.1, *speed, *torque)).collect(),
            rows,
        };
        let wheels = FreeWheels { inertia: 1.0, speeds: spins, brake };
        let ends = wheels.solve(&mut shafts);
        let mut worst: f32 = 0.0;
        for row in &shafts.rows {
            let terms = row.speeds.iter().zip(&ends).map(|(weight, speed)| weight * speed);
            let size = 1.0 + terms.clone().map(f32::abs).sum::<f32>() + row.offset.abs();
            let slip = terms.sum::<f32>() - row.offset - row.softness * row.torque;
            let [least, most] = row.range;
            prop_assert!(row.torque >= least && row.torque <= most);
            let held = (row.torque >= most && slip > 0.0) || (row.torque <= least && slip < 0.0);
            if !held {
                worst = worst.max(slip.abs() / size);
            }
        }
        prop_assert!(worst < 1e-3, "{worst} {shafts:?}");
    }
}
