//! A vehicle from the side.

use core::f64::consts::TAU;

use glam::{DVec2, Vec3};
use jounce::file::Car;

use super::window::Window;

/// Corners of a circle's polygon.
const CORNERS: u32 = 32;

/// Outlines of a vehicle from the side (`m`: ahead, up): boxes, each by two opposite corners (`m`, from the vehicle's
/// origin), and wheels.
///
/// The vehicle's origin is at `place`, and its wheels are `jounce` (`m`) higher in it than at design height.
#[must_use]
pub fn profile(car: &Car, boxes: &[[Vec3; 2]], place: DVec2, jounce: f32) -> Vec<Vec<DVec2>> {
    let aside = |point: Vec3| place + DVec2::new(point.x.into(), point.z.into());
    let boxes = boxes.iter().map(|&[from, to]| {
        let low = aside(from.min(to));
        let size = aside(from.max(to)) - low;
        Window { low, size }.corners()
    });
    let model = car.model();
    let wheels = model.params().wheels.iter().map(|wheel| {
        let centre = aside(wheel.position + Vec3::Z * jounce);
        let angles = (0..CORNERS).map(|n| f64::from(n) / f64::from(CORNERS) * TAU);
        let rim = |angle| centre + f64::from(wheel.radius) * DVec2::from_angle(angle);
        angles.map(rim).collect()
    });
    boxes.chain(wheels).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wheels_stand_on_the_ground_at_design_height_and_hang_below_it() {
        let car = jounce::presets::sedan();
        let place = DVec2::new(3.0, 1.0);
        let corners = [Vec3::new(2.0, 0.8, 1.3), Vec3::new(-2.0, -0.8, 0.3)];
        for jounce in [0.0, -0.1_f32] {
            let shapes = profile(&car, &[corners], place, jounce);
            assert_eq!(shapes.len(), 5);
            let body = Window::around(shapes[0].iter().copied()).unwrap();
            assert!(body.low.distance(DVec2::new(1.0, 1.3)) < 1e-6);
            assert!(body.size.distance(DVec2::new(4.0, 1.0)) < 1e-6);
            for (rim, wheel) in shapes[1..].iter().zip(&car.model().params().wheels) {
                let wheel = (f64::from(wheel.position.x), f64::from(wheel.radius));
                let around = Window::around(rim.iter().copied()).unwrap();
                let low = place + DVec2::new(wheel.0 - wheel.1, f64::from(jounce));
                assert!(around.low.distance(low) < 1e-6, "{around:?}, not {low}");
                assert!((around.size - 2.0 * wheel.1).length() < 1e-6);
            }
        }
    }
}
