//! Start poses of a fleet's cars, and their commands.

use core::f32::consts::TAU;

use glam::{DVec2, Quat};
use jounce::core::{CarCommand, Command, Fleet, Gear, Vehicle};
use jounce::file::Car;
use jounce::scene::Standalone;
use proving_ground::course::{CourseName, DrivingCourse};
use proving_ground::world::{self, Pose};

/// Distance between neighbors (`m`).
const SPACING: f64 = 9.0;

/// A fleet before its first step.
pub(super) struct Start {
    pub(super) fleet: Fleet,
    pub(super) world: Standalone,
    pub(super) course: DrivingCourse,
    pub(super) commands: Vec<Command>,
    /// The one in the middle.
    pub(super) driven: usize,
}

impl Start {
    /// `count` cars in a square on a plain, which turn by eighths.
    pub(super) fn of(car: &Car, count: usize) -> Self {
        let course = || DrivingCourse::new(CourseName::SkidPad).expect("a built-in course");
        let mut world = Standalone::new(course().terrain.grounds);
        let mut fleet = Fleet::new();
        let side = (count as f64).sqrt().ceil();
        for n in 0..count {
            let body = world.add(&world::chassis(car, &pose(car, n, side)));
            let mut vehicle = Vehicle::new(car.model(), body.expect("a valid body"));
            vehicle.state_mut().drive.force_gear(Gear::FIRST);
            fleet.push(vehicle);
        }
        Self {
            fleet,
            world,
            course: course(),
            commands: (0..count).map(circle).collect(),
            driven: (0.5 * (side - 1.0) * (side + 1.0)) as usize % count,
        }
    }
}

/// Start pose of a car in a square with `side` cars on each side.
fn pose(car: &Car, n: usize, side: f64) -> Pose {
    let (row, column) = ((n as f64 / side).floor(), n as f64 % side);
    let place = (DVec2::new(row, column) - 0.5 * side) * SPACING;
    let height = car.ride_height() - f64::from(car.center_of_mass().z);
    Pose {
        origin: place.extend(height),
        rotation: Quat::from_rotation_z(TAU * (n % 8) as f32 / 8.0),
    }
}

/// Command of a car without a driver: a circle, to the right for even `n`, else to the left.
fn circle(n: usize) -> Command {
    Command::Car(CarCommand {
        throttle: 0.25 + 0.05 * (n % 5) as f32,
        steer: if n.is_multiple_of(2) { 0.5 } else { -0.5 },
        ..CarCommand::default()
    })
}
