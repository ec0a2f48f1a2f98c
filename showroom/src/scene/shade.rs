//! The shadow of a car's box: where it falls, and which part of the picture that is.

use glam::{Mat4, Vec3};
use jounce::file::Car;
use three_d::{ScissorBox, Viewport};

use super::{SUN, pose};
use crate::sim::Place;

/// Reach of the gloom beyond the box, in half sizes.
const GLOOM: f32 = 1.5;
/// Depth below the ground beneath the car to which a shadow reaches (`m`): slopes fall away.
const DEEP: f32 = 1.5;

/// A shadow.
pub(super) struct Shade {
    /// World → the unit cube that casts it.
    pub(super) caster: Mat4,
    /// One over the ray to the sun, in that cube.
    pub(super) inverse: Vec3,
    /// Corners of a hull around it (`m`, world).
    corners: [Vec3; 16],
}

impl Shade {
    /// Makes the shadow of a car whose center of mass is `high` above the ground (`m`).
    pub(super) fn of(car: &Car, place: &Place, high: f32) -> Self {
        let half = (car.hull.size * 0.5).max(Vec3::splat(0.1));
        let middle = Mat4::from_translation(car.hull.center - car.center_of_mass());
        let at = pose(place) * middle * Mat4::from_scale(half);
        let fall = SUN * ((high.max(0.0) + DEEP + half.z) / SUN.z);
        let corner = |n: usize| {
            let side = |bit: usize| if n & bit == 0 { -GLOOM } else { GLOOM };
            let corner = at.transform_point3(Vec3::new(side(1), side(2), side(4)));
            if n < 8 { corner } else { corner - fall }
        };
        let caster = at.inverse();
        // Along a side of the cube, almost nothing stands for nothing.
        let along = |ray: f32| 1.0 / ray.abs().max(1e-6).copysign(ray);
        let ray = caster.transform_vector3(SUN);
        Self {
            caster,
            inverse: Vec3::from_array(ray.to_array().map(along)),
            corners: core::array::from_fn(corner),
        }
    }

    /// Whether the shadow may fall into a sphere.
    pub(super) fn reaches(&self, center: Vec3, radius: f32) -> bool {
        let middle = self.corners.iter().sum::<Vec3>() / self.corners.len() as f32;
        let far = self
            .corners
            .iter()
            .map(|corner| (*corner - middle).length());
        (center - middle).length() < radius + far.fold(0.0, f32::max)
    }

    /// The part of the picture that it may lie in; `None` if that is out of sight.
    pub(super) fn frame(&self, viewport: Viewport, view: Mat4) -> Option<ScissorBox> {
        let seen = self.corners.map(|corner| view * corner.extend(1.0));
        let whole = ScissorBox::from(viewport);
        // Behind the eye there is no position in the picture.
        if seen.iter().any(|corner| corner.w <= 0.1) {
            return Some(whole);
        }
        let places = seen.map(|corner| corner.truncate().truncate() / corner.w * 0.5 + 0.5);
        let [low, high] = [
            places.into_iter().reduce(glam::Vec2::min)?,
            places.into_iter().reduce(glam::Vec2::max)?,
        ];
        let size = glam::Vec2::new(viewport.width as f32, viewport.height as f32);
        let (low, high) = ((low * size).floor(), (high * size).ceil());
        let (low, high) = (low.max(glam::Vec2::ZERO), high.min(size));
        (low.x < high.x && low.y < high.y).then(|| ScissorBox {
            x: viewport.x + low.x as i32,
            y: viewport.y + low.y as i32,
            width: (high.x - low.x) as u32,
            height: (high.y - low.y) as u32,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Follower;
    use glam::{DVec3, Quat};

    #[test]
    fn the_frame_of_a_shadow_is_around_the_car_and_smaller_than_the_picture() {
        let car = jounce::presets::sedan();
        let place = Place {
            position: DVec3::new(30.0, 5.0, 0.6),
            rotation: Quat::from_rotation_z(0.4),
        };
        let mut camera = Follower::default();
        camera.follow(&place, car.hull.size, 0.02, |_| None);
        let viewport = Viewport::new_at_origo(1280, 720);
        let view = camera.matrix(1280.0 / 720.0);
        let shade = Shade::of(&car, &place, 0.6);
        let frame = shade.frame(viewport, view).unwrap();
        assert!(frame.width < 1000 && frame.height < 500, "{frame:?}");
        let seen = view.project_point3(place.position.as_vec3());
        let x = (0.5 * seen.x + 0.5) * 1280.0;
        assert!((frame.x as f32) < x && x < (frame.x + frame.width as i32) as f32);
        assert!(shade.reaches(place.position.as_vec3(), 1.0));
        assert!(!shade.reaches(Vec3::new(300.0, 0.0, 0.0), 50.0));
    }
}
