//! A car that pitches on its springs, with something on it that takes part.

use super::*;

/// A car's pitching (about x, a body of its own), with a load that turns with it.
struct LadenCar {
    body: BodyState,
    state: VehicleState,
    /// Stiffness over the car's inertia, times dt² (–).
    stiffness: f32,
    /// Inertia of the load, over the car's (–).
    load: f32,
}

impl LadenCar {
    /// Damping over the car's inertia, times dt (–).
    const DAMPING: f32 = 0.5;
    const SUBSTEPS: u32 = 2;

    fn new(stiffness: f32, load: f32) -> Self {
        Self {
            body: BodyState {
                rotation: math::turn(Quat::IDENTITY, Vec3::X, 5e-4),
                ..Engine::new().body
            },
            state: state(),
            stiffness,
            load,
        }
    }

    /// How far it is turned (`rad`).
    fn angle(&self) -> f32 {
        turned_since(Quat::IDENTITY.to_array(), self.body.rotation).x
    }

    /// A substep of `h` (`s`) of a spring that acts by the angle in its middle, and of a damper.
    fn substep(&self, chassis: &mut Chassis, push: f32, h: f32) {
        let (spring, damper) = (self.stiffness / (DT * DT), 0.5 * Self::DAMPING / DT);
        let (angle, speed) = (
            self.angle() + chassis.turned.x,
            chassis.velocity.truncated().angular.x,
        );
        let force = push - spring * (angle + 0.25 * h * speed) - damper * speed;
        let next = (speed + h * force) / (1.0 + h * (0.25 * h * spring + damper));
        let change = velocity([0.0; 3], [next - speed, 0.0, 0.0]);
        chassis.turn_by_arc();
        chassis.glide(&change.in_lanes(), h);
    }

    fn step(&mut self) {
        let actual = begin_step(&SETTINGS, &mut self.state, &self.body, GRAVITY);
        let mut chassis = Chassis::new(&self.body, Vec3::ZERO, actual.velocity.truncated().angular);
        for _ in 0..Self::SUBSTEPS {
            self.substep(
                &mut chassis,
                actual.push.truncated().angular.x,
                DT / Self::SUBSTEPS as f32,
            );
        }
        self.state.move_to(self.body.position);
        let step = (GRAVITY, DT);
        let motion = end_step(&mut self.state, &self.body, &chassis, &actual.push, step);
        let Motion::StepMotion {
            angular,
            canceled_angular_acceleration,
            ..
        } = motion
        else {
            panic!("{motion:?}")
        };
        let load = self.load * self.body.angular_velocity;
        self.body.angular_velocity =
            (angular - canceled_angular_acceleration * DT + load) / (1.0 + self.load);
        self.body.rotation = math::turn(self.body.rotation, self.body.angular_velocity, DT);
    }
}

#[rstest]
fn what_turns_with_a_car_does_not_drive_it(
    #[values(0.0, 1.0, 4.0, 8.0)] load: f32,
    #[values(0.1, 0.5, 1.0, 2.0)] stiffness: f32,
) {
    let mut car = LadenCar::new(stiffness, load);
    let start = car.angle();
    for _ in 0..600 {
        car.step();
        assert!(car.angle().abs() < 2.0 * start, "{}", car.angle());
    }
    assert!(car.angle().abs() < 0.01 * start, "{}", car.angle());
}
