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
    heading: Option<f32>,
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
            heading: None,
            eye: DVec3::ZERO,
            target: DVec3::X,
            up: Vec3::Z,
        }
    }
}

/// Rate at which the chase camera turns after the car (`1/s`).
const TURN: f32 = 4.0;

impl Follower {
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
        let turn = core::f32::consts::TAU;
        let lag = self.heading.map_or(0.0, |old| {
            let off = old - heading;
            (off - turn * (off / turn).round()) * (-TURN * dt).exp()
        });
        self.heading = Some(heading + lag);
        let length = size.x.max(1.5) + self.towed;
        self.up = Vec3::Z;
        self.target = car.position + DVec3::Z * f64::from(0.35 * size.z);
        let around = |angle: f32, far: f32, high: f32| {
            let back = Vec3::new(-angle.cos() * far, -angle.sin() * far, high);
            car.position + (back * self.zoom).as_dvec3()
        };
        let angle = heading + lag + self.orbit;
        match self.view {
            View::Chase => {
                self.eye = around(angle, 1.05 * length + 2.2, 0.28 * length + 1.1);
                if let Some(ground) = ground(self.eye) {
                    self.eye.z = self.eye.z.max(ground + 0.6);
                }
            }
            View::Side => self.eye = around(angle - 0.25 * turn, 0.9 * length + 3.0, 0.9),
            View::Top => {
                self.eye = car.position + DVec3::Z * f64::from((3.0 * length + 10.0) * self.zoom);
                self.target = car.position;
                self.up = Vec3::new(angle.cos(), angle.sin(), 0.0);
            }
            View::Hood => {
                let place = Vec3::new(0.12 * size.x, 0.0, 0.55 * size.z + 0.15);
                self.eye = car.position + (car.rotation * place).as_dvec3();
                self.target = self.eye + (ahead * 10.0).as_dvec3() - DVec3::Z * 0.6;
                self.up = car.rotation * Vec3::Z;
            }
        }
    }

    /// World → clip space for a window of this aspect.
    #[must_use]
    pub fn matrix(&self, aspect: f32) -> Mat4 {
        let (eye, target) = (self.eye.as_vec3(), self.target.as_vec3());
        let projection = perspective(0.95, aspect, 0.25, 1500.0);
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
        assert!(camera.eye.x < -(2.0 + 6.0), "{}", camera.eye);
    }

    #[test]
    fn views_go_round() {
        assert_eq!(
            View::ALL.map(View::next),
            [View::Hood, View::Side, View::Top, View::Chase]
        );
    }
}
