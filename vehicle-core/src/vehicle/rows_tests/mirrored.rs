//! A symmetric vehicle on symmetric ground and its mirror image move alike, to the bit: no wheel is first.

use super::*;
use crate::params::{LinkSlopes, Unsprung};

/// How wheels are arranged, numbered, steered and coupled.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// Forward and to the left of the center of mass (`m`).
    positions: &'static [[f32; 2]],
    /// The wheel at each one's mirror image.
    opposite: &'static [usize],
    /// Steering angle at full command, to the left (`rad`).
    steers: &'static [f32],
    /// Wheel coupling of each wheel, 0 for none, as wheels without a differential have it.
    wheel_couplings: &'static [u8],
}

const CAR: Layout = Layout {
    positions: &[[1.25, 0.8], [1.25, -0.8], [-1.5, 0.75], [-1.5, -0.75]],
    opposite: &[1, 0, 3, 2],
    steers: &[0.5, 0.5, 0.0, 0.0],
    wheel_couplings: &[0; 4],
};

const LAYOUTS: [Layout; 8] = [
    CAR,
    Layout {
        wheel_couplings: &[0, 0, 1, 1],
        ..CAR
    },
    Layout {
        wheel_couplings: &[1; 4],
        ..CAR
    },
    // The left wheels first, and a track on each side.
    Layout {
        positions: &[[1.25, 0.8], [-1.5, 0.8], [1.25, -0.8], [-1.5, -0.8]],
        opposite: &[2, 3, 0, 1],
        steers: &[0.5, 0.0, 0.5, 0.0],
        wheel_couplings: &[1, 1, 2, 2],
    },
    Layout {
        positions: &[[1.25, 0.0], [-1.2, 0.75], [-1.2, -0.75]],
        opposite: &[0, 2, 1],
        steers: &[0.5, 0.0, 0.0],
        wheel_couplings: &[0, 1, 1],
    },
    Layout {
        positions: &[[1.2, -0.75], [1.2, 0.75], [-1.4, 0.0]],
        opposite: &[1, 0, 2],
        steers: &[0.5, 0.5, 0.0],
        wheel_couplings: &[0; 3],
    },
    Layout {
        positions: &[
            [1.6, 0.8],
            [1.6, -0.8],
            [-0.9, 0.8],
            [-0.9, -0.8],
            [-1.7, 0.8],
            [-1.7, -0.8],
        ],
        opposite: &[1, 0, 3, 2, 5, 4],
        steers: &[0.5, 0.5, 0.0, 0.0, -0.2, -0.2],
        wheel_couplings: &[0; 6],
    },
    Layout {
        positions: &[
            [1.6, 0.8],
            [1.6, -0.8],
            [-0.9, 0.8],
            [-0.9, -0.8],
            [-1.7, 0.8],
            [-1.7, -0.8],
        ],
        opposite: &[1, 0, 3, 2, 5, 4],
        steers: &[0.5, 0.5, 0.0, 0.0, 0.0, 0.0],
        wheel_couplings: &[0, 0, 1, 1, 1, 1],
    },
];

impl Layout {
    /// A number of each wheel, in lanes.
    fn lanes(of: impl Fn(usize) -> f32, group: usize) -> W4 {
        W4::from_fn(|lane| of(group * LANES + lane))
    }
}

/// The engine of [`Geared`], brakes, steering, and what couples the wheels.
#[derive(Debug)]
struct Coupled(Layout);

impl Drivetrain for Coupled {
    fn check(&self, _: usize, _: &mut Inspector) {}

    fn initial_state(&self) -> DriveState {
        DriveState::default()
    }

    fn control(
        &self,
        command: &Command,
        state: &mut DriveState,
        control: &mut Control,
    ) -> Result<(), StepError> {
        geared(Some(500.0)).control(command, state, control)?;
        let Command::Car(car) = command else {
            unreachable!("Geared refuses the others")
        };
        let Layout {
            positions,
            steers,
            wheel_couplings,
            ..
        } = self.0;
        control.wheel_couplings = wheel_couplings.iter().copied().max().unwrap_or(0);
        let share = |wheel: usize| {
            if wheel < positions.len() {
                1.0 / positions.len() as f32
            } else {
                0.0
            }
        };
        let steer = |wheel: usize| steers.get(wheel).map_or(0.0, |most| -most * car.steer);
        for (g, wheels) in control.wheels.iter_mut().enumerate() {
            wheels.wheel_coupling =
                core::array::from_fn(|n| wheel_couplings.get(g * LANES + n).copied().unwrap_or(0));
            wheels.coupling_ratio = W4::ONE;
            wheels.torque_share = Layout::lanes(share, g);
            wheels.speed_share = Layout::lanes(share, g);
            wheels.steer = Layout::lanes(steer, g);
        }
        Ok(())
    }

    fn requests_motion(&self, command: &Command, _: &DriveState) -> bool {
        matches!(command, Command::Car(car) if car.throttle != 0.0 || car.steer != 0.0)
    }
}

/// Random properties of a vehicle besides its layout.
#[derive(Clone, Copy, Debug)]
struct Build {
    layout: Layout,
    stiffness: f32,
    height: f32,
    toe: f32,
    has_unsprung: bool,
    links: bool,
    friction: f32,
}

/// Unsprung mass of a wheel (`kg`).
const UNSPRUNG: f32 = 40.0;

impl Build {
    fn model(&self) -> Arc<VehicleModel> {
        let Layout {
            positions,
            opposite,
            ..
        } = self.layout;
        let mut params = params(|_| ());
        let wheel = params.wheels[0].clone();
        params.anti_roll.clear();
        params.wheels.clear();
        for (n, &[x, y]) in positions.iter().enumerate() {
            let mut wheel = wheel.clone();
            let side = if y == 0.0 { 0.0 } else { y.signum() };
            let position = Vec3::new(x, y, wheel.radius - self.height);
            wheel.position = position;
            wheel.toe = -self.toe * side;
            let suspension = &mut wheel.suspension;
            suspension.application_point = position;
            suspension.stiffness = self.stiffness;
            wheel.tire.application_point = position - Vec3::Z * wheel.radius;
            if self.has_unsprung {
                wheel.unsprung = Some(Unsprung {
                    mass: UNSPRUNG,
                    tire_stiffness: 2e5,
                    tire_damping: 150.0,
                });
            }
            if self.links {
                wheel.compliance.links = Some(LinkSlopes {
                    lateral: 0.1 * side,
                    ..LinkSlopes::default()
                });
            }
            params.wheels.push(wheel);
            if n < opposite[n] {
                params.anti_roll.push(AntiRollBar {
                    wheels: [n, opposite[n]],
                    stiffness: 8000.0,
                });
            }
        }
        let points: Vec<Vec3> = params.wheels.iter().map(|wheel| wheel.position).collect();
        let unsprung_mass = if self.has_unsprung { UNSPRUNG } else { 0.0 };
        let mass = params.chassis.mass - unsprung_mass * positions.len() as f32;
        let sprung = crate::params::sprung_mass::sprung_masses(&points, Vec3::ZERO, mass, Vec3::Z);
        for (wheel, mass) in params.wheels.iter_mut().zip(sprung.unwrap()) {
            wheel.suspension.sprung_mass = mass;
        }
        model(params, Arc::new(Coupled(self.layout)))
    }

    fn world(&self, speed: f32) -> World {
        let mut world = World::new(&self.model(), 0.0, 0.0);
        world.friction = self.friction;
        world.body.linear_velocity.x = speed;
        world
    }
}

fn image(command: CarCommand) -> CarCommand {
    CarCommand {
        steer: -command.steer,
        ..command
    }
}

/// The first number of two mirror images that differs.
fn difference(layout: &Layout, here: &World, there: &World) -> Option<(&'static str, f64, f64)> {
    let (a, b) = (&here.body, &there.body);
    let (v, w) = (a.linear_velocity, a.angular_velocity);
    let (v2, w2) = (b.linear_velocity, b.angular_velocity);
    let turned = [a.rotation, b.rotation].map(|turned| turned.to_array());
    let mut pairs = vec![
        ("forward", a.position.x, b.position.x),
        ("left", a.position.y, -b.position.y),
        ("up", a.position.z, b.position.z),
    ];
    let mut add = |name, one: f32, other: f32| pairs.push((name, one.into(), other.into()));
    for (n, (one, other)) in v.to_array().into_iter().zip(v2.to_array()).enumerate() {
        add("velocity", one, if n == 1 { -other } else { other });
    }
    for (n, (one, other)) in w.to_array().into_iter().zip(w2.to_array()).enumerate() {
        add("rotation", one, if n == 1 { other } else { -other });
    }
    for (n, (one, other)) in turned[0].into_iter().zip(turned[1]).enumerate() {
        add("turned", one, if n % 2 == 0 { -other } else { other });
    }
    for (wheel, &mirror_wheel) in layout.opposite.iter().enumerate() {
        let (one, other) = (
            here.car.wheel_report(wheel),
            there.car.wheel_report(mirror_wheel),
        );
        add("spin", one.spin, other.spin);
        add("jounce", one.jounce, other.jounce);
        add("lateral force", one.lateral_force, -other.lateral_force);
        add(
            "longitudinal force",
            one.longitudinal_force,
            other.longitudinal_force,
        );
    }
    pairs.into_iter().find(|(_, one, other)| one != other)
}

fn builds() -> impl Strategy<Value = Build> {
    let springs = (
        15_000f32..60_000.0,
        0.4f32..0.9,
        prop_oneof![Just(0f32), -0.02f32..0.02],
    );
    let models = (0..LAYOUTS.len(), any::<bool>(), any::<bool>(), 0.2f32..1.2);
    (springs, models).prop_map(
        |((stiffness, height, toe), (n, has_unsprung, links, friction))| Build {
            layout: LAYOUTS[n],
            stiffness,
            height,
            toe,
            has_unsprung,
            links,
            friction,
        },
    )
}

fn commands(most: f32) -> impl Strategy<Value = Vec<CarCommand>> {
    let pedals = (
        0f32..1.0,
        prop_oneof![3 => Just(0f32), 1 => 0f32..1.0],
        -most..=most,
    );
    let command = pedals.prop_map(|(throttle, brake, steer)| CarCommand {
        throttle,
        brake,
        steer,
        ..CarCommand::default()
    });
    prop::collection::vec(command, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// A vehicle's mirror image, driven by mirrored commands, moves in the mirror image.
    #[test]
    fn mirrored_drives_stay_mirrored(
        build in builds(), commands in commands(1.0), speed in prop_oneof![Just(0f32), 0f32..25.0],
    ) {
        let mut here = build.world(speed);
        let mut there = here.clone();
        for command in commands {
            (here.command, there.command) = (command, image(command));
            for step in 0..30 {
                here.step();
                there.step();
                let apart = difference(&build.layout, &here, &there);
                prop_assert!(apart.is_none(), "{step}: {apart:?}");
            }
        }
    }

    /// Straight ahead is straight ahead: the mirror image of such a drive is the drive itself.
    #[test]
    fn a_straight_drive_stays_straight(
        build in builds(), commands in commands(0.0), speed in prop_oneof![Just(0f32), 0f32..25.0],
    ) {
        let mut world = build.world(speed);
        for command in commands {
            world.command = command;
            world.run(0.5);
            let apart = difference(&build.layout, &world, &world);
            prop_assert!(apart.is_none(), "{apart:?}");
        }
    }
}
