//! Shape of a vehicle, by what its file says of it: hull, wheels, coupling, and a word of its description.
//!
//! Shapes are built in the file's frame: the origin on the ground, x ahead, y to the left, z up (`m`).

mod paint;
mod lamps;
mod wheel;
mod outline;
mod saloon;
mod truck;
mod farm;
mod tank;
mod board;

use glam::{Vec3, Vec4};
use jounce::file::Car;

use super::mesh::MeshData;
use lamps::Lamps;
pub(crate) use lamps::{LAMPS, Lit};
use outline::Outline;
pub(super) use wheel::wheels;

/// A vehicle's shape, from its center of mass; alpha of colors is the gloss.
pub(super) struct VehicleShape {
    pub(super) body: MeshData,
    /// The body with few triangles, for cars that are far away.
    pub(super) far: MeshData,
    /// Lamps, in the order of [`LAMPS`].
    pub(super) lamps: [MeshData; LAMPS.len()],
    /// Color that most of the body has.
    pub(super) paint: Vec4,
}

/// Ways in which bodies are built.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Style {
    /// A car of this outline.
    Car(&'static Outline),
    /// A cab on a frame, with what it carries.
    Truck,
    /// A farm tractor.
    Tractor,
    /// Tracks and a turret.
    Tank,
    /// A platform on a fifth wheel.
    SemiTrailer,
    /// A tipping body on a drawbar.
    Trailer,
    /// A deck with a rider.
    Board,
}

/// Where a vehicle's hull and wheels are, in the file's frame (`m`).
struct Plan {
    low: Vec3,
    high: Vec3,
    wheels: Vec<WheelPlace>,
    /// Coupling by which the vehicle tows or is towed.
    coupling: Option<Vec3>,
}

/// A wheel at its design position.
#[derive(Clone, Copy, Debug)]
struct WheelPlace {
    center: Vec3,
    radius: f32,
    width: f32,
}

impl Plan {
    fn of(car: &Car) -> Self {
        let half = car.hull.size * 0.5;
        let model = car.model();
        let wheels = model.params().wheels.iter().map(|wheel| WheelPlace {
            center: wheel.position,
            radius: wheel.radius,
            width: wheel.width.max(0.04),
        });
        Self {
            low: car.hull.center - half,
            high: car.hull.center + half,
            wheels: wheels.collect(),
            coupling: car.coupling.as_ref().map(|coupling| coupling.position),
        }
    }

    fn length(&self) -> f32 {
        self.high.x - self.low.x
    }

    fn height(&self) -> f32 {
        self.high.z - self.low.z
    }

    /// Half of the hull's width.
    fn half(&self) -> f32 {
        0.5 * (self.high.y - self.low.y)
    }

    /// Position along the hull: 0 is its rear, 1 its front.
    fn x(&self, share: f32) -> f32 {
        self.low.x + share * self.length()
    }

    /// Height within the hull: 0 is its floor, 1 its roof.
    fn z(&self, share: f32) -> f32 {
        self.low.z + share * self.height()
    }

    /// Wheels of the left side, and those in the middle.
    fn left(&self) -> impl Iterator<Item = &WheelPlace> {
        self.wheels.iter().filter(|wheel| wheel.center.y > -0.01)
    }

    /// Top of the highest wheel.
    fn wheel_top(&self) -> f32 {
        let tops = self.wheels.iter().map(|w| w.center.z + w.radius);
        tops.fold(self.low.z, f32::max)
    }

    /// The foremost wheel of the left side.
    fn front_wheel(&self) -> Option<&WheelPlace> {
        self.left().max_by(|a, b| a.center.x.total_cmp(&b.center.x))
    }

    /// Half of the room between the wheels of both sides; of the whole width where a wheel stands in the middle.
    fn between_wheels(&self) -> f32 {
        let inner = self.left().map(|w| w.center.y - 0.5 * w.width - 0.03);
        let inner = inner.fold(self.half(), f32::min);
        if inner > 0.1 {
            inner
        } else {
            0.3 * self.half()
        }
    }

    /// Whether wheels stand in a row as road wheels of a track do: each side has many, close together.
    fn is_tracked(&self) -> bool {
        let mut left: Vec<&WheelPlace> = self.left().collect();
        left.sort_by(|a, b| a.center.x.total_cmp(&b.center.x));
        let close = |pair: &[&WheelPlace]| {
            let apart = pair[1].center.x - pair[0].center.x;
            apart > 0.1 && apart < 2.6 * pair[0].radius
        };
        left.len() >= 4 && left.windows(2).all(close)
    }

    fn style(&self, car: &Car) -> Style {
        let towed = car.coupling.as_ref().filter(|c| c.towed_by.is_some());
        let high_wheels = self.wheel_top() - self.low.z > 0.35 * self.height();
        let [half, tall] = [self.half(), self.height()];
        let open = self.wheels.iter().any(|wheel| wheel.center.y > half);
        match towed {
            Some(coupling) if coupling.position.z > 0.9 => Style::SemiTrailer,
            Some(_) => Style::Trailer,
            None if self.length() < 1.5 => Style::Board,
            None if self.is_tracked() => Style::Tank,
            None if tall > 1.4 && open && high_wheels => Style::Tractor,
            None if tall > 1.75 => Style::Truck,
            None => Style::Car(Outline::of(car, self)),
        }
    }
}

/// The shape of a vehicle.
pub(super) fn shape(car: &Car) -> VehicleShape {
    let plan = Plan::of(car);
    let mut shape = match plan.style(car) {
        Style::Car(outline) => saloon::shape(&plan, outline),
        Style::Truck => truck::truck(&plan),
        Style::Tractor => farm::tractor(&plan),
        Style::Tank => tank::shape(&plan),
        Style::SemiTrailer => truck::semi_trailer(&plan),
        Style::Trailer => farm::trailer(&plan),
        Style::Board => board::shape(&plan),
    };
    let center = car.center_of_mass();
    let meshes = [&mut shape.body, &mut shape.far];
    for mesh in meshes.into_iter().chain(&mut shape.lamps) {
        mesh.corners.iter_mut().for_each(|corner| *corner -= center);
    }
    shape
}

impl VehicleShape {
    /// A shape that is simple enough to be drawn at any distance.
    fn simple(body: MeshData, lamps: Lamps, paint: Vec4) -> Self {
        Self {
            far: body.clone(),
            body,
            lamps: lamps.0,
            paint,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Follower;
    use crate::sim::Place;
    use glam::{DVec3, Quat};

    fn preset(name: &str) -> Car {
        jounce::presets::by_name(name).unwrap()
    }

    fn style(name: &str) -> Style {
        let car = preset(name);
        Plan::of(&car).style(&car)
    }

    #[test]
    fn presets_are_built_as_what_they_are() {
        let styles = [
            ("tank", Style::Tank),
            ("skateboard", Style::Board),
            ("tractor", Style::Tractor),
            ("trailer", Style::Trailer),
            ("semi-trailer", Style::SemiTrailer),
            ("truck", Style::Truck),
            ("eighteen-wheeler", Style::Truck),
            ("truck-6x6-agile", Style::Truck),
            ("sedan", Style::Car(&outline::SEDAN)),
            ("ev-saloon", Style::Car(&outline::SEDAN)),
            ("hatchback", Style::Car(&outline::HATCHBACK)),
            ("city-car-cvt", Style::Car(&outline::HATCHBACK)),
            ("sports-car", Style::Car(&outline::COUPE)),
            ("suv", Style::Car(&outline::WAGON)),
            ("pickup", Style::Car(&outline::PICKUP)),
            ("rally-car", Style::Car(&outline::RALLY)),
            ("tadpole", Style::Car(&outline::TADPOLE)),
            ("delta", Style::Car(&outline::DELTA)),
        ];
        for (name, expected) in styles {
            assert_eq!(style(name), expected, "{name}");
        }
    }

    /// Axles, guns, drawbars, riders and fenders reach beyond a hull, bodies do not.
    #[test]
    fn every_preset_has_a_body_about_its_hull_and_wheels_of_its_size() {
        for (name, _) in jounce::presets::FILES {
            let car = preset(name);
            let shape = shape(&car);
            let center = car.hull.center - car.center_of_mass();
            let beyond = match style(name) {
                Style::Car(_) => Vec3::splat(0.25),
                Style::Truck => Vec3::new(0.25, 0.25, 0.6),
                Style::Board => Vec3::new(0.3, 0.6, 1.2),
                _ => Vec3::new(3.5, 0.7, 1.1),
            };
            let reach = car.hull.size * 0.5 + beyond;
            assert!(
                shape.far.corners.len() <= shape.body.corners.len(),
                "{name}"
            );
            let lamps = shape.lamps.iter().flat_map(|lamp| &lamp.corners);
            for corner in shape
                .body
                .corners
                .iter()
                .chain(&shape.far.corners)
                .chain(lamps)
            {
                let near = (*corner - center).abs().cmple(reach).all();
                assert!(corner.is_finite() && near, "{name}: {corner}");
            }
            let model = car.model();
            for (mesh, params) in wheels(&car).iter().zip(&model.params().wheels) {
                let far = mesh.corners.iter().map(|c| c.x.hypot(c.z));
                let far = far.fold(0.0, f32::max);
                assert!((far - params.radius).abs() < 1e-3, "{name}");
                // What looks away from the eye is not drawn.
                let there = |(_, normal): &(&Vec3, &Vec3)| **normal != Vec3::ZERO;
                for (corner, normal) in mesh.corners.iter().zip(&mesh.normals).filter(there) {
                    let radial = normal.x * corner.x + normal.z * corner.z;
                    let side = normal.y * corner.y > 0.0 && normal.y.abs() > 0.3;
                    assert!(side || radial > 0.0, "{name}: {corner} {normal}");
                }
            }
        }
    }

    /// From the usual camera, outer sides of wheels are seen beside the body.
    #[test]
    fn wheels_are_seen_from_the_usual_camera() {
        for (name, _) in jounce::presets::FILES {
            let car = preset(name);
            let plan = Plan::of(&car);
            let mut camera = Follower::default();
            let standing = Place {
                position: DVec3::ZERO,
                rotation: Quat::IDENTITY,
            };
            camera.follow(&standing, car.hull.size, 0.0, |_| None);
            let eye = camera.eye.as_vec3();
            let body = shape(&car).body.corners;
            let seen = |wheel: &&WheelPlace| {
                let out = wheel.center.y.signum() * (0.5 * wheel.width + 0.01);
                let hub = wheel.center + Vec3::Y * out - car.center_of_mass();
                let hides =
                    |corners: &[Vec3]| between(eye, hub, [corners[0], corners[1], corners[2]]);
                !body.chunks_exact(3).any(hides)
            };
            let beside = plan.wheels.iter().filter(|w| w.center.y < -0.01);
            let count = beside.clone().count();
            let seen = beside.filter(seen).count();
            assert!(2 * seen >= count, "{name}: {seen} of {count}");
        }
    }

    /// Whether a triangle lies between two points.
    fn between(from: Vec3, to: Vec3, [a, b, c]: [Vec3; 3]) -> bool {
        let (way, normal) = (to - from, (b - a).cross(c - a));
        let share = (a - from).dot(normal) / way.dot(normal);
        let at = from + way * share;
        let inside = [(a, b), (b, c), (c, a)];
        (0.0..0.99).contains(&share)
            && inside
                .into_iter()
                .all(|(p, q)| (q - p).cross(at - p).dot(normal) >= 0.0)
    }
}
