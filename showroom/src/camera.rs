//! Position and direction of the camera.

use glam::camera::rh::proj::opengl::perspective;
use glam::camera::rh::view::look_at_mat4;
use glam::{DVec3, Mat4, Vec3};

use crate::sim::Place;

/// A view of the car.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// Follows from behind, with a lagging heading.
    #[default]
    Chase,
    /// Sees from the hood.
    Hood,
    /// Sees from the left.
    Side,
    /// Sees from above.
    Top,
}

impl View {
    /// All views.
    pub const ALL: [Self; 4] = [Self::Chase, Self::Hood, Self::Side, Self::Top];

    /// The next one.
    #[must_use]
    pub fn next(self) -> Self {
        let place = Self::ALL.iter().position(|view| *view == self);
        Self::ALL[(place.unwrap_or(0) + 1) % Self::ALL.len()]
    }
}

/// A camera that follows.
#[derive(Clone, Copy, Debug)]
pub struct Follower {
    /// Selected view.
    pub view: View,
    /// Angle of the camera about the car, by mouse or finger (`rad`); 0 is behind it.
    pub orbit: f32,
    /// Factor on the usual distance.
    pub zoom: f32,
    /// Length of a towed vehicle (`m`), which the view includes.
    pub towed: f32,
    /// Angle by which the camera stands beside a car that has not driven yet (`rad`): its side and its wheels are seen.
    glance: f32,
    heading: Option<f32>,
    motion: Motion,
    /// Eye and target (`m`, world).
    pub eye: DVec3,
    target: DVec3,
    up: Vec3,
}

impl Default for Follower {
    fn default() -> Self {
        Self {
            view: View::default(),
            orbit: 0.0,
            zoom: 1.0,
            towed: 0.0,
            glance: GLANCE,
            heading: None,
            motion: Motion::default(),
            eye: DVec3::ZERO,
            target: DVec3::X,
            up: Vec3::Z,
        }
    }
}

/// Rate at which the chase camera turns after the car (`1/s`).
const TURN: f32 = 4.0;
/// Rate at which the camera follows changes of speed and yaw rate (`1/s`).
const EASE: f32 = 3.0;
/// Distance per frame beyond which a car has been set elsewhere (`m`).
const JUMP: f64 = 5.0;
/// Time by which the chase camera looks ahead of a turn (`s`), and the angle to which it does (`rad`).
const AHEAD: f32 = 0.3;
const MOST_AHEAD: f32 = 0.22;
/// Vertical field of view at rest, and what is added at great speed (`rad`); the speed at which half of that is added (`m/s`).
const FIELD: f32 = 0.95;
const WIDER: f32 = 0.30;
const FAST: f32 = 30.0;
/// Angle beside a car that has not driven yet (`rad`), and how much of it a meter takes away (`1/m`).
const GLANCE: f32 = 0.6;
const LEAVES: f32 = 0.25;
/// Greatest shake of the eye (`m`).
const SHAKE: f32 = 0.03;

/// Motion of the car as the camera has seen it.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    /// Last position (`m`, world) and heading (`rad`).
    last: Option<(DVec3, f32)>,
    /// Speed (`m/s`) and yaw rate (`rad/s`), eased.
    speed: f32,
    yaw_rate: f32,
    /// Distance traveled (`m`), by which the eye shakes.
    traveled: f32,
}

impl Motion {
    /// Sees the car at its next position (`m`, world) and heading (`rad`), after `dt` (`s`).
    fn see(&mut self, position: DVec3, heading: f32, dt: f32) {
        let last = self.last.replace((position, heading));
        let Some((from, before)) = last.filter(|_| dt > 0.0) else {
            return;
        };
        let way = (position - from).length();
        if way > JUMP {
            *self = Self {
                last: self.last,
                ..Self::default()
            };
            return;
        }
        let eased = 1.0 - (-EASE * dt).exp();
        let (speed, yaw_rate) = (way as f32 / dt, wrapped(heading - before) / dt);
        self.speed += eased * (speed - self.speed);
        self.yaw_rate += eased * (yaw_rate - self.yaw_rate);
        // Modulo a period of the shake, so that it stays exact.
        self.traveled = (self.traveled + way as f32) % (20.0 * core::f32::consts::TAU);
    }

    /// Share of great speed, 0…1.
    fn haste(&self) -> f32 {
        let square = self.speed * self.speed;
        square / (square + FAST * FAST)
    }

    /// Angle by which to look ahead of a turn (`rad`), positive to the left.
    fn turn(&self) -> f32 {
        (AHEAD * self.yaw_rate * self.haste().sqrt()).clamp(-MOST_AHEAD, MOST_AHEAD)
    }

    /// Offset of the eye (`m`), by the distance traveled: a rough road at great speed.
    fn shake(&self) -> Vec3 {
        let at = self.traveled;
        let wave = |a: f32, b: f32| 0.5 * ((a * at).sin() + (b * at).sin());
        Vec3::new(0.0, wave(0.5, 0.85), wave(0.7, 1.15)) * (SHAKE * self.haste() * self.haste())
    }
}

/// An angle between −π and π (`rad`).
fn wrapped(angle: f32) -> f32 {
    let turn = core::f32::consts::TAU;
    angle - turn * (angle / turn).round()
}

impl Follower {
    /// Shows a car from beside, until it drives.
    pub(crate) fn present(&mut self) {
        self.glance = GLANCE;
    }

    /// Follows a car of this size (`m`) for `dt` (`s`); `ground` is the height below a point.
    pub fn follow(
        &mut self,
        car: &Place,
        size: Vec3,
        dt: f32,
        ground: impl Fn(DVec3) -> Option<f64>,
    ) {
        let ahead = car.rotation * Vec3::X;
        let heading = ahead.y.atan2(ahead.x);
        self.motion.see(car.position, heading, dt);
        let lag = self
            .heading
            .map_or(0.0, |old| wrapped(old - heading) * (-TURN * dt).exp());
        self.heading = Some(heading + lag);
        let length = size.x.max(1.5) + self.towed;
        self.up = Vec3::Z;
        self.target = car.position + DVec3::Z * f64::from(0.35 * size.z);
        let around = |angle: f32, far: f32, high: f32| {
            let back = Vec3::new(-angle.cos() * far, -angle.sin() * far, high);
            car.position + (back * self.zoom).as_dvec3()
        };
        let angle = heading + lag + self.orbit;
        let quarter = core::f32::consts::FRAC_PI_2;
        match self.view {
            View::Chase => {
                let high = 0.55 * size.z + 0.10 * length + 0.70;
                self.glance *= (-LEAVES * self.motion.speed * dt).exp();
                let angle = angle + self.glance + self.motion.turn();
                self.eye = around(angle, 1.05 * length + 2.0, high);
                self.eye += self.motion.shake().as_dvec3();
                if let Some(ground) = ground(self.eye) {
                    self.eye.z = self.eye.z.max(ground + 0.6);
                }
                // The faster, the further ahead: the car moves down in the picture.
                let ahead = Vec3::new(heading.cos(), heading.sin(), 0.25);
                self.target += (ahead * (3.0 * self.motion.haste())).as_dvec3();
            }
            View::Side => self.eye = around(angle - quarter, 0.9 * length + 3.0, 0.9),
            View::Top => {
                self.eye = car.position + DVec3::Z * f64::from((3.0 * length + 10.0) * self.zoom);
                self.target = car.position;
                self.up = Vec3::new(angle.cos(), angle.sin(), 0.0);
            }
            View::Hood => {
                let place = Vec3::new(0.12 * size.x, 0.0, 0.55 * size.z + 0.15);
                self.eye = car.position + (car.rotation * place).as_dvec3();
                self.target = self.eye + (ahead * 10.0).as_dvec3() - DVec3::Z * 0.6;
                self.eye += (0.5 * self.motion.shake()).as_dvec3();
                self.up = car.rotation * Vec3::Z;
            }
        }
    }

    /// World → clip space for a window of this aspect.
    #[must_use]
    pub fn matrix(&self, aspect: f32) -> Mat4 {
        let (eye, target) = (self.eye.as_vec3(), self.target.as_vec3());
        let field = match self.view {
            View::Chase | View::Hood => FIELD + WIDER * self.motion.haste(),
            View::Side | View::Top => FIELD,
        };
        let projection = perspective(field, aspect, 0.25, 1500.0);
        projection * look_at_mat4(eye, target, self.up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn the_car_is_in_the_middle_of_every_picture() {
        let car = Place {
            position: DVec3::new(40.0, -7.0, 2.0),
            rotation: Quat::from_rotation_z(1.0),
        };
        for view in [View::Chase, View::Side, View::Top] {
            let mut camera = Follower {
                view,
                ..Follower::default()
            };
            camera.follow(&car, Vec3::new(4.6, 1.8, 1.1), 0.02, |_| None);
            let seen = camera.matrix(1.6).project_point3(car.position.as_vec3());
            assert!(
                seen.x.abs() < 0.02 && seen.y.abs() < 0.25,
                "{view:?} {seen}"
            );
        }
    }

    #[test]
    fn the_chase_camera_stays_above_the_ground() {
        let car = Place {
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
        };
        let mut camera = Follower::default();
        camera.follow(&car, Vec3::new(4.6, 1.8, 1.1), 0.02, |_| Some(9.0));
        assert!(camera.eye.z >= 9.6);
    }

    #[test]
    fn a_camera_is_behind_what_is_towed() {
        let car = Place {
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
        };
        let mut camera = Follower {
            towed: 6.0,
            ..Follower::default()
        };
        camera.follow(&car, Vec3::new(4.0, 2.0, 2.0), 0.02, |_| None);
        assert!(camera.eye.truncate().length() > 2.0 + 6.0, "{}", camera.eye);
    }

    /// A car that drives a bend to the left at 40 m/s.
    fn hurried() -> Follower {
        let mut camera = Follower::default();
        let mut at = DVec3::ZERO;
        for n in 0..300_u16 {
            let heading = 0.005 * f32::from(n);
            let car = Place {
                position: at,
                rotation: Quat::from_rotation_z(heading),
            };
            camera.follow(&car, Vec3::new(4.6, 1.8, 1.1), 1.0 / 60.0, |_| None);
            at += Vec3::new(heading.cos(), heading.sin(), 0.0).as_dvec3() * (40.0 / 60.0);
        }
        camera
    }

    #[test]
    fn at_speed_the_camera_sees_more_and_looks_into_the_bend() {
        let (fast, calm) = (hurried(), Follower::default());
        // A point at the edge of the picture moves inwards.
        let seen = |camera: &Follower| camera.matrix(1.6).row(1).truncate().length();
        assert!(seen(&fast) < 0.9 * seen(&calm));
        assert!((fast.motion.speed - 40.0).abs() < 1.0, "{:?}", fast.motion);
        assert!((0.05..=MOST_AHEAD).contains(&fast.motion.turn()));
        assert!(fast.motion.shake().length() < SHAKE);
        assert_eq!(calm.motion.shake(), Vec3::ZERO);
    }

    #[test]
    fn a_car_that_is_set_elsewhere_does_not_hurry() {
        let mut camera = hurried();
        let car = Place {
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
        };
        camera.follow(&car, Vec3::new(4.6, 1.8, 1.1), 1.0 / 60.0, |_| None);
        assert_eq!((camera.motion.speed, camera.motion.turn()), (0.0, 0.0));
    }

    #[test]
    fn views_go_round() {
        assert_eq!(
            View::ALL.map(View::next),
            [View::Hood, View::Side, View::Top, View::Chase]
        );
    }
}
