//! Wheel rows: effects of brake, tire and bearing on spin and chassis.

mod bound;

use super::*;
use crate::base::lanes::V3x4;
use crate::base::velocity::Velocity;
use crate::params::LoadFilter;
use crate::solvers::rows::contact_space::Jacobian;
use crate::stages::axles::AxleWheels;
use crate::stages::load::LoadLine;
use crate::testing;
use glam::{Mat3, Vec3};
use proptest::prelude::*;
use rstest::rstest;

const H: f32 = 1.0 / 60.0;
const REST: f32 = 4000.0;
const MASS: f32 = 1500.0;

/// Four wheels on a chassis, equal to wheel 0 of the sample car: r = 0.5 m, I = 2.5 kg·m².
#[derive(Clone, Copy, Debug)]
struct Wheels {
    points: V3x4,
    inverse_inertia: Mat3,
    spin: f32,
    torque: f32,
    brake: f32,
    drive: f32,
    friction: f32,
    filter: LoadFilter,
    rows: [TireRow<W4>; 2],
    velocity: Velocity,
    damping: f32,
    h: f32,
}

impl Wheels {
    /// All tires at the center of mass: wheels are only coupled by the chassis' translation.
    fn at_the_center() -> Self {
        Self {
            points: V3x4::ZERO,
            inverse_inertia: Mat3::ZERO,
            spin: 0.0,
            torque: 0.0,
            brake: 0.0,
            drive: 0.0,
            friction: 1.0,
            filter: LoadFilter::OFF,
            rows: [TireRow::default(); 2],
            velocity: Velocity::ZERO,
            damping: 0.0,
            h: H,
        }
    }

    fn with_gain(mut self, force: f32, gain: f32) -> Self {
        self.rows = [TireRow {
            force: W4::splat(force),
            gain: W4::splat(gain),
        }; 2];
        self
    }

    fn start(&self) -> WheelStart {
        WheelStart {
            spin: W4::splat(self.spin),
            torque: W4::splat(self.torque),
            brake: W4::splat(self.brake),
            friction: W4::splat(self.friction),
            lateral_grip: W4::ONE,
            rim_weight: W4::ONE,
            rest_load: W4::splat(REST),
        }
    }

    fn tangent(&self) -> RowBlock<2> {
        let row = |d: Vec3| Jacobian::new(V3x4::splat(d), self.points, &self.inverse_inertia);
        let mut tangent = RowBlock::default();
        let jacobian = [row(Vec3::X), row(Vec3::Y)];
        tangent.jacobian = jacobian;
        tangent.prepare([W4::ZERO; 2], [W4::ZERO; 2], 1.0 / MASS);
        tangent.read_velocity(&self.velocity.in_lanes());
        tangent
    }

    fn blocks(&self, tangent: &RowBlock<2>) -> WheelRows {
        let mut k = testing::wheel_consts();
        k.damping = W4::splat(self.damping);
        let mut blocks = WheelRows::new(
            &k,
            &self.start(),
            &self.rows,
            &LoadLine::of(&self.filter),
            tangent,
            self.h,
        );
        blocks.drive = W4::splat(self.drive * self.h);
        blocks
    }

    /// One sweep with these loads (`N`).
    fn roll(&self, loads: [f32; LANES]) -> (WheelRows, RowBlock<2>) {
        let mut tangent = self.tangent();
        let mut blocks = self.blocks(&tangent);
        blocks.sweep(
            &mut tangent,
            W4::from_array(loads) * W4::splat(self.h),
            &axles(),
        );
        (blocks, tangent)
    }
}

/// Axes of the wheels of the sample car.
fn axles() -> WheelAxles {
    testing::wheel_consts().axles
}

#[rstest]
#[case::beyond(5.0, 2.0, 3.0)]
#[case::beyond_backwards(-5.0, 2.0, -3.0)]
#[case::stuck(1.5, 2.0, 0.0)]
#[case::stuck_backwards(-1.5, 2.0, 0.0)]
#[case::just_stuck(2.0, 2.0, 0.0)]
#[case::without_friction(-0.7, 0.0, -0.7)]
#[case::still(0.0, 0.0, 0.0)]
fn dry_friction_is_a_soft_threshold(#[case] z: f32, #[case] b: f32, #[case] left: f32) {
    assert_eq!(soft(z, b), left);
}

// 2.5 kg·m² at 10 rad/s: 25 N·m·s, the impulse of 1500 N·m in 1/60 s.
#[rstest]
#[case::weak(300.0, 10.0, 8.0)]
#[case::backwards(300.0, -10.0, -8.0)]
#[case::just_enough(1500.0, 10.0, 0.0)]
#[case::strong(4000.0, 10.0, 0.0)]
#[case::strong_backwards(4000.0, -10.0, 0.0)]
#[case::at_rest(4000.0, 0.0, 0.0)]
fn a_brake_stops_but_never_reverses_a_wheel(
    #[case] brake: f32,
    #[case] spin: f32,
    #[case] end: f32,
) {
    let wheels = Wheels {
        brake,
        spin,
        ..Wheels::at_the_center().with_gain(500.0, 3000.0)
    };
    let (blocks, tangent) = wheels.roll([0.0; LANES]);
    assert!(
        (blocks.spin.lane(1) - end).abs() < 1e-5,
        "{:?}",
        blocks.spin
    );
    assert_eq!(tangent.impulses, [W4::ZERO; 2], "no tire acts without load");
}

// A locked wheel on moving ground: the tire pulls it with gain·v·r up to its grip.
#[rstest]
#[case::locked(1.0, 600.0, 0.0)]
#[case::turned(1.0, 400.0, 1.0)]
#[case::turned_backwards(-1.0, 400.0, -1.0)]
#[case::locked_by_a_little(1.0, 495.0, 0.0)]
fn a_brake_holds_up_to_its_torque(#[case] speed: f32, #[case] brake: f32, #[case] direction: f32) {
    // 1000 N per m/s: at 1 m/s 500 N·m, less what the chassis yields: 16.7 N·s on 1500 kg make
    // 494.5 N·m of it for the first wheel, and a percent less for each that follows.
    let wheels = Wheels {
        brake,
        velocity: Velocity {
            linear: Vec3::X * speed,
            angular: Vec3::ZERO,
        },
        ..Wheels::at_the_center().with_gain(0.0, 1000.0)
    };
    let (blocks, tangent) = wheels.roll([REST; LANES]);
    for lane in 0..LANES {
        assert_eq!(direction, sign(blocks.spin.lane(lane)), "{:?}", blocks.spin);
        assert!(tangent.impulses[0].lane(lane) * speed < 0.0);
    }
}

fn sign(x: f32) -> f32 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

#[rstest]
#[case::physx_in_the_air(LoadFilter::PHYSX, 0.0)]
#[case::physx_light(LoadFilter::PHYSX, 1.0)]
#[case::physx_at_rest(LoadFilter::PHYSX, REST)]
#[case::physx_heavy(LoadFilter::PHYSX, 3.5 * REST)]
#[case::off_at_rest(LoadFilter::OFF, REST)]
#[case::off_heavy(LoadFilter::OFF, 20.0 * REST)]
#[case::off_beyond(LoadFilter::OFF, 150.0 * REST)]
fn friction_is_bounded_by_the_filtered_load(#[case] filter: LoadFilter, #[case] force: f32) {
    let wheels = Wheels {
        filter,
        friction: 0.8,
        ..Wheels::at_the_center()
    };
    let bounds = wheels
        .blocks(&wheels.tangent())
        .bounds(W4::splat(force * H));
    let load = LoadLine::of(&filter)
        .tire_load(W4::splat(force), W4::splat(REST))
        .lane(0);
    // Without a normal force, the wheel is in the air and has no load, with any filter.
    let expected = if force > 0.0 { 0.8 * load * H } else { 0.0 };
    let bound = bounds.lane(3);
    assert!((bound - expected).abs() <= 1e-5 * expected, "{bound}");
}

#[test]
fn a_gripping_wheel_matches_a_hand_calculation() {
    // Ω·(I + h·ζ + h·r²·G/(1 + G·w·h)) = I·Ω₀ + h·T, for a row G·(rΩ − v) on a chassis at rest.
    let wheels = Wheels {
        torque: 400.0,
        spin: 2.0,
        damping: 5.0,
        ..Wheels::at_the_center().with_gain(0.0, 6000.0)
    };
    let (blocks, tangent) = wheels.roll([REST, 0.0, 0.0, 0.0]);
    let gain = H * 6000.0 / (1.0 + 6000.0 * H / MASS);
    let expected = (5.0 + H * 400.0) / (2.5 + H * 5.0 + 0.25 * gain);
    assert!((blocks.spin.lane(0) - expected).abs() < 1e-5, "{blocks:?}");
    let pushed = tangent.impulses[0].lane(0);
    assert!((pushed - gain * 0.5 * expected).abs() < 1e-4, "{pushed}");
}

#[rstest]
#[case::ahead(3.0, 4.0)]
#[case::mostly_sideways(-0.3, 4.0)]
#[case::mostly_forward(5.0, -0.2)]
fn a_locked_wheel_slides_against_its_motion(#[case] forward: f32, #[case] left: f32) {
    let speed = Vec3::new(forward, left, 0.0);
    let wheels = Wheels {
        brake: 1e5,
        velocity: Velocity {
            linear: speed,
            angular: Vec3::ZERO,
        },
        ..Wheels::at_the_center().with_gain(0.0, 8000.0)
    };
    let mut tangent = wheels.tangent();
    let mut blocks = wheels.blocks(&tangent);
    let normal = W4::splat(REST * H);
    let axle = AxleWheels {
        lanes: [0, 1],
        wheels: Mask4::only(0),
    };
    let bounds = blocks.bounds(normal);
    let impulses = blocks.solve(axle.wheels, &tangent, (normal, bounds));
    tangent.set(axle, impulses);
    // Both rows are equal: force and slip are parallel.
    let force = Vec3::new(
        tangent.impulses[0].lane(0),
        tangent.impulses[1].lane(0),
        0.0,
    ) / H;
    let expected = -speed.normalize() * REST;
    assert!((force - expected).length() < 1e-4 * REST, "{force}");
}

/// Wheels of any kind on a turning chassis.
fn any_wheels() -> impl Strategy<Value = Wheels> {
    let points = prop::array::uniform4(prop::array::uniform3(-2f32..2.0));
    let speeds = prop::array::uniform6(-20f32..20.0);
    let torques = (
        -150f32..150.0,
        -3000f32..3000.0,
        prop_oneof![Just(0.0f32), 0f32..6000.0],
        -3000f32..3000.0,
    );
    let tires = (
        prop::array::uniform2(-6000f32..6000.0),
        prop::array::uniform2(0f32..2e5),
        0f32..2.0,
        any::<bool>(),
    );
    let others = (0f32..5.0, 1f32 / 480.0..1.0 / 20.0);
    (points, speeds, torques, tires, others).prop_map(
        |(
            points,
            v,
            (spin, torque, brake, drive),
            (force, gain, friction, physx),
            (damping, h),
        )| {
            Wheels {
                points: V3x4::from_array(points.map(Vec3::from)),
                inverse_inertia: Mat3::from_diagonal(Vec3::new(1e-3, 3e-4, 2.5e-4)),
                spin,
                torque,
                brake,
                drive,
                friction,
                filter: if physx {
                    LoadFilter::PHYSX
                } else {
                    LoadFilter::OFF
                },
                rows: core::array::from_fn(|n| TireRow {
                    force: W4::splat(force[n]),
                    gain: W4::splat(gain[n]),
                }),
                velocity: Velocity {
                    linear: Vec3::new(v[0], v[1], v[2]),
                    angular: Vec3::new(v[3], v[4], v[5]) * 0.2,
                },
                damping,
                h,
            }
        },
    )
}

proptest! {
    #[test]
    fn impulses_stay_within_the_friction_bound(
        wheels in any_wheels(), loads in prop::array::uniform4(-100f32..20_000.0), sweeps in 1usize..4,
    ) {
        let mut tangent = wheels.tangent();
        let mut blocks = wheels.blocks(&tangent);
        let normal = W4::from_array(loads) * W4::splat(wheels.h);
        let bounds = blocks.bounds(normal);
        for _ in 0..sweeps {
            blocks.sweep(&mut tangent, normal, &axles());
            for lane in 0..LANES {
                let [forward, left] = [0, 1].map(|kind| f64::from(tangent.impulses[kind].lane(lane)));
                let (force, bound) = (forward.hypot(left), f64::from(bounds.lane(lane)));
                // Forward, its rest and their squares are rounded; of a bound of 0 nothing is left.
                prop_assert!(force <= bound * (1.0 + 5e-7), "{force} {bound}");
                prop_assert!(blocks.spin.lane(lane).is_finite());
            }
        }
    }

    /// A wheel's change of angular momentum is that of tire, bearing, drive and brake; the tire's impulse also
    /// acts on the chassis.
    #[test]
    fn momentum_of_wheel_and_chassis_is_conserved(
        wheels in any_wheels(), loads in prop::array::uniform4(0f32..20_000.0), sweeps in 1usize..4,
    ) {
        let mut tangent = wheels.tangent();
        let mut blocks = wheels.blocks(&tangent);
        for _ in 0..sweeps {
            blocks.sweep(&mut tangent, W4::from_array(loads) * W4::splat(wheels.h), &axles());
        }
        let h = f64::from(wheels.h);
        let (inertia, radius) = (2.5, 0.5);
        let started = inertia * f64::from(wheels.spin);
        let driven = (f64::from(wheels.torque) + f64::from(wheels.drive)) * h;
        let mut pushed = 0.0;
        for lane in 0..LANES {
            let spin = f64::from(blocks.spin.lane(lane));
            let tire = f64::from(tangent.impulses[0].lane(lane));
            pushed += tire;
            let lost = started + driven
                - radius * tire
                - spin * (inertia + f64::from(wheels.damping) * h);
            // The rest is the brake's: its maximum on a turning wheel.
            let brake = f64::from(wheels.brake) * h;
            let terms = started.abs() + driven.abs() + radius * tire.abs() + brake;
            // The grip's own product of spin and traction may be much larger than what is left.
            let gripping = f64::from(wheels.rows[0].gain.lane(0)) * h * spin.abs() * radius;
            let rounding = 2e-6 * (terms + gripping) + 1e-5;
            if spin == 0.0 {
                prop_assert!(lost.abs() <= brake + rounding, "{lost} {brake}");
            } else {
                let off = lost - brake * spin.signum();
                prop_assert!(off.abs() < rounding, "{off} {rounding}");
            }
        }
        let mut after = wheels.velocity.in_lanes();
        tangent.apply_impulses(&mut after, axles().pairs);
        let gained = f64::from(after.linear.x - wheels.velocity.linear.x) * f64::from(MASS);
        // The velocity of up to 20 m/s is rounded to 2e-6 m/s.
        prop_assert!((gained - pushed).abs() < 0.005 + 1e-5 * pushed.abs(), "{gained} {pushed}");
    }

    /// A single gripping wheel ends with its rows' forces at the final speeds.
    #[test]
    fn a_gripping_wheel_obeys_its_rows(
        wheels in any_wheels(), left in -2f32..2.0, forward in -2f32..2.0,
    ) {
        let mut alone = wheels;
        alone.points = V3x4::ZERO;
        alone.friction = 1e6;
        alone.filter = LoadFilter::OFF;
        alone.velocity.linear = Vec3::new(forward, left, 0.0);
        let mut tangent = alone.tangent();
        let mut blocks = alone.blocks(&tangent);
        let normal = W4::splat(REST * alone.h);
        let only = AxleWheels { lanes: [2, 3], wheels: Mask4::only(2) };
        let bounds = blocks.bounds(normal);
        let impulses = blocks.solve(only.wheels, &tangent, (normal, bounds));
        tangent.set(only, impulses);
        let slips = [
            f64::from(tangent.speeds[0].lane(2)) - 0.5 * f64::from(blocks.spin.lane(2)),
            f64::from(tangent.speeds[1].lane(2)),
        ];
        for (n, slip) in slips.into_iter().enumerate() {
            let (force, gain) = (alone.rows[n].force.lane(0), alone.rows[n].gain.lane(0));
            let expected = f64::from(alone.h) * (f64::from(force) - f64::from(gain) * slip);
            let actual = f64::from(tangent.impulses[n].lane(2));
            // A slip of up to 80 m/s, rounded, times h·gain.
            let rounding = 1e-5 * f64::from(gain * alone.h) * (1.0 + f64::from(alone.spin.abs()));
            prop_assert!((actual - expected).abs() < 0.01 + rounding, "{actual} {expected}");
        }
    }

    /// With any brake and tire force, the wheel does not turn against both.
    #[test]
    fn a_brake_never_reverses_a_wheel(
        spin in -200f32..200.0, brake in 0f32..20_000.0, speed in 0f32..40.0, gain in 0f32..1e5,
    ) {
        let wheels = Wheels {
            spin: if spin < 0.0 { spin } else { 0.0 },
            brake,
            velocity: Velocity { linear: Vec3::X * -speed, angular: Vec3::ZERO },
            ..Wheels::at_the_center().with_gain(0.0, gain)
        };
        let (blocks, _) = wheels.roll([REST; LANES]);
        // Wheel and ground move backwards; the car behind the wheels slows down, but does not turn.
        prop_assert!(blocks.spin.lane(0) <= 0.0, "{:?}", blocks.spin);
    }
}
