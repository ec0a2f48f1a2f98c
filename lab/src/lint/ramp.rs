//! A bend that tightens slowly, as in ISO 4138, and how much the car steers in it.

use super::run::{COASTING, LintRun};
use super::subject::{AnyCommand, G, LintedCar, extent};
use crate::error::LabError;

/// Rates at which the wheels are steered (`rad/s`): where the gradient is taken, so that a car with a slow response keeps
/// up, and beyond, where a bend costs speed.
const OPENING: [f32; 2] = [0.004, 0.02];
/// Lateral accelerations (g) between which the gradient is taken, where cars are linear.
const LINEAR: [f32; 2] = [0.1, 0.3];
/// Roll angle at which a car tips over (`rad`).
pub(super) const TIPPED: f32 = 0.7;

/// A car at one time of the bend; all to the left.
#[derive(Clone, Copy, Debug)]
pub(super) struct RampPoint {
    /// Steering asked for, 0…1.
    pub(super) steer: f32,
    /// Lateral acceleration (`m/s²`).
    pub(super) acceleration: f32,
    /// Mean angle of the wheels that steer most (`rad`).
    angle: f32,
    /// Curvature of the path (`1/m`).
    curvature: f32,
}

/// A tightening bend at a speed, out of gear.
pub(super) struct TighteningBend {
    pub(super) speed: f32,
    pub(super) points: Vec<RampPoint>,
    /// Curvature per steering angle where nothing slips (`1/(m·rad)`).
    kinematic: f32,
}

impl TighteningBend {
    /// Drives the bend at a speed (`m/s`) until the car slips away, tips or is at full lock. `None` if no wheel steers.
    ///
    /// # Errors
    /// If the world loses the car.
    pub(super) fn drive(subject: &LintedCar<'_>, speed: f32) -> Result<Option<Self>, LabError> {
        let lock = subject.steering_angle(1.0, speed);
        if speed < 3.0 || lock < 0.01 {
            return Ok(None);
        }
        let steered = steered_wheels(subject);
        let kinematic = kinematic(subject, &steered)?;
        let mut run = LintRun::coasting(subject, speed)?;
        let (mut points, mut most) = (Vec::<RampPoint>::new(), 0.0_f32);
        let mut steer = 0.0;
        while steer < 1.0 {
            let linear = most <= LINEAR[1] * G;
            steer += OPENING[usize::from(!linear)] / lock * subject.dt;
            run.step(left(steer))?;
            let point = run.point(steer, &steered);
            points.push(point);
            most = most.max(point.acceleration);
            let over = most > 1.0 && point.acceleration < 0.8 * most;
            if over || run.speed() < 0.5 * speed || run.lean()?.abs() > TIPPED {
                break;
            }
        }
        Ok(Some(Self {
            speed,
            points,
            kinematic,
        }))
    }

    /// The greatest lateral acceleration (`m/s²`).
    pub(super) fn greatest(&self) -> f32 {
        let [_, most] = extent(self.points.iter().map(|point| point.acceleration));
        most
    }

    /// Steering that takes the car to a lateral acceleration (`m/s²`) below the greatest.
    pub(super) fn steer_at(&self, acceleration: f32) -> f32 {
        let mut points = self.points.iter();
        let first = points.find(|point| point.acceleration >= acceleration);
        first.map_or(1.0, |point| point.steer)
    }

    /// Understeer gradient (`rad` per g): steering angle in addition to that of the path, by least squares. `None` if the car
    /// does not come to enough.
    pub(super) fn understeer(&self) -> Option<f32> {
        let [low, high] = LINEAR.map(|share| share * G);
        let most = self.greatest();
        let linear = self.points.iter().take_while(|it| it.acceleration <= high);
        let linear: Vec<[f32; 2]> = linear
            .filter(|it| it.acceleration >= low)
            .map(|it| {
                [
                    it.acceleration / G,
                    it.angle - it.curvature / self.kinematic,
                ]
            })
            .collect();
        if linear.len() < 5 || most < high {
            return None;
        }
        let mean = |n: usize| linear.iter().map(|it| it[n]).sum::<f32>() / linear.len() as f32;
        let [x, y] = [mean(0), mean(1)];
        let over = linear
            .iter()
            .map(|it| (it[0] - x) * (it[1] - y))
            .sum::<f32>();
        let under = linear
            .iter()
            .map(|it| (it[0] - x) * (it[0] - x))
            .sum::<f32>();
        Some(over / under)
    }
}

impl LintRun<'_> {
    fn point(&self, steer: f32, steered: &[usize]) -> RampPoint {
        let curvature = self.curvature();
        RampPoint {
            steer,
            acceleration: curvature * self.speed() * self.speed(),
            angle: self.steering(steered),
            curvature,
        }
    }

    /// Mean angle of some wheels as the steering turns them (`rad`): what mounts give is understeer.
    fn steering(&self, wheels: &[usize]) -> f32 {
        let state = self.stage.vehicle.state();
        let angles = wheels.iter().map(|&n| state.wheel(n).steer);
        angles.sum::<f32>() / wheels.len() as f32
    }
}

/// Steering to the left, out of gear.
pub(super) fn left(steer: f32) -> AnyCommand {
    AnyCommand {
        steer: -steer.min(1.0),
        ..COASTING
    }
}

/// The wheels that steering turns most.
fn steered_wheels(subject: &LintedCar<'_>) -> Vec<usize> {
    let angles = subject.steering_angles(0.5, 0.0);
    let [_, most] = extent(angles.iter().copied());
    let all = 0..angles.len();
    all.filter(|n| angles[*n] > 0.5 * most).collect()
}

/// Curvature per steering angle (`1/(m·rad)`) at a walk, with 0.03 g to the side.
fn kinematic(subject: &LintedCar<'_>, steered: &[usize]) -> Result<f32, LabError> {
    const ANGLE: f32 = 0.05;
    let walk = (0.03 * G * subject.wheelbase() / ANGLE).sqrt();
    let lock = subject.steering_angle(1.0, walk);
    let mut run = LintRun::coasting(subject, walk)?;
    run.go(2.0, left(ANGLE / lock))?;
    Ok(run.curvature() / run.steering(steered))
}
