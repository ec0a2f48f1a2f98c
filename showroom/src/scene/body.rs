//! Shape of a vehicle: a body from its hull and the arches of its wheels, and wheels of their size.

use glam::{Vec3, Vec4};
use jounce::file::Car;

use super::mesh::MeshData;

/// Color of hull and roof; the alpha is the gloss.
pub(super) const PAINT: Vec4 = Vec4::new(0.74, 0.13, 0.11, 0.9);
const GLASS: Vec4 = Vec4::new(0.10, 0.13, 0.17, 1.0);
const TRIM: Vec4 = Vec4::new(0.13, 0.13, 0.14, 0.2);
const BOX: Vec4 = Vec4::new(0.82, 0.83, 0.84, 0.3);
const RUBBER: Vec4 = Vec4::new(0.09, 0.09, 0.10, 0.1);
const RIM: Vec4 = Vec4::new(0.70, 0.72, 0.75, 0.8);
const LAMP: Vec4 = Vec4::new(1.5, 1.45, 1.25, 0.2);
const TAIL: Vec4 = Vec4::new(1.6, 0.16, 0.12, 0.2);
/// Stations along a body, and along one that is far away.
pub(super) const STATIONS: u16 = 72;
pub(super) const FAR_STATIONS: u16 = 6;
/// Sides of a wheel.
const SIDES: u16 = 28;

/// Sides and roof line of a body.
struct BodyPlan {
    /// Low and high corner of the hull (`m`, from the center of mass).
    low: Vec3,
    high: Vec3,
    /// Height of the hood's line.
    belt: f32,
    /// Ends of the cabin as shares of the length: the belt's rear, the roof's rear, the roof's front, the belt's front.
    cabin: Option<[f32; 4]>,
    /// Centers and radii of the arches along one side.
    arches: Vec<(Vec3, f32)>,
    /// Front end of a box behind the cab, as a share of the length.
    load: Option<f32>,
}

impl BodyPlan {
    fn of(car: &Car) -> Self {
        let (half, center) = (car.hull.size * 0.5, car.hull.center - car.center_of_mass());
        let (low, high) = (center - half, center + half);
        let model = car.model();
        let wheels = model.params().wheels.iter();
        let arches = wheels.map(|w| (w.position - car.center_of_mass(), w.radius * 1.14));
        let towed = car.coupling.as_ref().is_some_and(|c| c.towed_by.is_some());
        let (slender, tall) = (car.hull.size.z / car.hull.size.x, car.hull.size.z);
        let flat = tall < 0.35;
        // Taller bodies have shorter hoods and longer roofs; the tallest are trucks with a load.
        let truck = tall > 1.75 && !towed;
        let cabin = match () {
            () if flat || towed => None,
            () if truck => Some([0.74, 0.745, 0.93, 0.985]),
            () if slender > 0.27 => Some([0.015, 0.10, 0.58, 0.74]),
            () => Some([0.06, 0.25, 0.53, 0.73]),
        };
        let share = if truck { 0.42 } else { 0.56 };
        Self {
            belt: if cabin.is_some() {
                low.z + share * tall
            } else {
                high.z
            },
            load: truck.then_some(0.72),
            low,
            high,
            cabin,
            arches: arches.filter(|(place, _)| place.y >= -0.01).collect(),
        }
    }

    fn x(&self, share: f32) -> f32 {
        self.low.x + share * (self.high.x - self.low.x)
    }

    /// Lower edge: it rises toward both ends.
    fn floor(&self, x: f32) -> f32 {
        let end = 1.0
            - ((x - self.low.x).min(self.high.x - x) / (0.16 * (self.high.x - self.low.x)))
                .clamp(0.0, 1.0);
        self.low.z + 0.20 * (self.belt - self.low.z) * end
    }

    /// Lower edge of the side at a station: over the wheels, an arch.
    fn sill(&self, x: f32) -> f32 {
        let over = self.arches.iter().filter_map(|(place, radius)| {
            let square = radius * radius - (x - place.x) * (x - place.x);
            (square > 0.0).then(|| place.z + square.sqrt())
        });
        over.fold(self.floor(x), f32::max).min(self.belt - 0.02)
    }

    /// Half width at a station: rounded at both ends.
    fn half_width(&self, x: f32) -> f32 {
        let wide = self.high.y - 0.5 * (self.high.y + self.low.y);
        let end = ((x - self.low.x).min(self.high.x - x) / (0.11 * (self.high.x - self.low.x)))
            .clamp(0.0, 1.0);
        wide * (0.80 + 0.20 * (1.0 - (1.0 - end) * (1.0 - end)).sqrt())
    }

    /// Height of hood and trunk: falling toward the ends.
    fn deck(&self, x: f32) -> f32 {
        if self.cabin.is_none() {
            return self.belt;
        }
        let share = (x - self.low.x) / (self.high.x - self.low.x);
        let fall = ((share - 0.70) / 0.30).clamp(0.0, 1.0);
        let rear = ((0.12 - share) / 0.12).clamp(0.0, 1.0);
        let high = self.belt - self.low.z;
        self.belt - high * (0.24 * fall * fall + 0.10 * rear * rear)
    }
}

/// The body of a car, from its center of mass, with so many stations along it.
pub(super) fn body(car: &Car, stations: u16) -> MeshData {
    let plan = BodyPlan::of(car);
    let mut mesh = MeshData::default();
    shell(&plan, stations, &mut mesh);
    if let Some(cabin) = plan.cabin {
        greenhouse(&plan, cabin, &mut mesh);
        lamps(&plan, &mut mesh);
    }
    if let Some(share) = plan.load {
        let (from, to) = (plan.x(0.0), plan.x(share));
        let (low, high) = (plan.belt - 0.15, plan.high.z);
        let center = Vec3::new(0.5 * (from + to), 0.0, 0.5 * (low + high));
        let half = Vec3::new(0.5 * (to - from), plan.high.y * 0.99, 0.5 * (high - low));
        mesh.add_box(center, half, BOX);
    }
    inside(&plan, car, &mut mesh);
    mesh
}

/// Sides with arches, shoulders, hood and trunk, front and rear.
fn shell(plan: &BodyPlan, stations: u16, mesh: &mut MeshData) {
    let color = if plan.cabin.is_some() { PAINT } else { BOX };
    let at = |n: u16| plan.x(f32::from(n) / f32::from(stations));
    for n in 0..stations {
        let [a, b] = [at(n), at(n + 1)];
        for side in [1.0, -1.0_f32] {
            let wall =
                |x: f32, z: f32, inset: f32| Vec3::new(x, side * (plan.half_width(x) - inset), z);
            let shoulder = |x: f32| plan.deck(x) - 0.22 * (plan.deck(x) - plan.low.z);
            let mut strip = |low: &dyn Fn(f32) -> Vec3, high: &dyn Fn(f32) -> Vec3| {
                let face = [low(a), low(b), high(b), high(a)];
                // Seen from the right, the order is the other way round.
                let face = if side > 0.0 {
                    [face[1], face[0], face[3], face[2]]
                } else {
                    face
                };
                mesh.quad(face, color);
            };
            strip(&|x| wall(x, plan.sill(x), 0.0), &|x| {
                wall(x, shoulder(x).max(plan.sill(x)), 0.0)
            });
            strip(&|x| wall(x, shoulder(x).max(plan.sill(x)), 0.0), &|x| {
                wall(x, plan.deck(x), 0.09)
            });
        }
        let top =
            |x: f32, side: f32| Vec3::new(x, side * (plan.half_width(x) - 0.09), plan.deck(x));
        mesh.quad(
            [top(a, 1.0), top(a, -1.0), top(b, -1.0), top(b, 1.0)],
            color,
        );
    }
    for (x, turn) in [(plan.high.x, 1.0), (plan.low.x, -1.0_f32)] {
        let wide = plan.half_width(x) * turn;
        let (low, high) = (plan.floor(x), plan.deck(x));
        let corner = |y: f32, z: f32| Vec3::new(x, y, z);
        mesh.quad(
            [
                corner(-wide, low),
                corner(wide, low),
                corner(wide, high),
                corner(-wide, high),
            ],
            color,
        );
    }
}

/// Windows and roof.
fn greenhouse(
    plan: &BodyPlan,
    [rear, roof_rear, roof_front, front]: [f32; 4],
    mesh: &mut MeshData,
) {
    let foot = |share: f32| {
        let x = plan.x(share);
        (x, plan.half_width(x) - 0.10, plan.deck(x) - 0.01)
    };
    let top = plan.high.z;
    let narrow = 0.80;
    let [r, f] = [foot(rear), foot(front)];
    let point = |(x, y, z): (f32, f32, f32), side: f32| Vec3::new(x, side * y, z);
    let [roof_r, roof_f] = [roof_rear, roof_front].map(|s| (plan.x(s), f.1.max(r.1) * narrow, top));
    // From one edge across the car to another; the sign of `turn` is the side it faces.
    let pane = |from, to, turn: f32| {
        [
            point(from, -turn),
            point(from, turn),
            point(to, turn),
            point(to, -turn),
        ]
    };
    mesh.quad(pane(f, roof_f, 1.0), GLASS);
    mesh.quad(pane(r, roof_r, -1.0), GLASS);
    mesh.quad(pane(roof_r, roof_f, -1.0), PAINT);
    for side in [1.0, -1.0_f32] {
        let face = [
            point(r, side),
            point(f, side),
            point(roof_f, side),
            point(roof_r, side),
        ];
        let face = if side > 0.0 {
            [face[1], face[0], face[3], face[2]]
        } else {
            face
        };
        mesh.quad(face, GLASS);
        // A pillar between the doors.
        let middle = |a: (f32, f32, f32), b: (f32, f32, f32), s: f32| {
            let mix = |p: f32, q: f32| p + (q - p) * s;
            Vec3::new(mix(a.0, b.0), side * (mix(a.1, b.1) + 0.008), mix(a.2, b.2))
        };
        let pillar = [0.50, 0.54].map(|s| [middle(r, f, s), middle(roof_r, roof_f, s)]);
        let [near, far] = if side > 0.0 { [1, 0] } else { [0, 1] };
        let [near, far] = [pillar[near], pillar[far]];
        mesh.quad([near[0], far[0], far[1], near[1]], PAINT);
    }
}

fn lamps(plan: &BodyPlan, mesh: &mut MeshData) {
    for side in [1.0, -1.0_f32] {
        for (x, color) in [(plan.high.x, LAMP), (plan.low.x, TAIL)] {
            let place = Vec3::new(x, side * plan.half_width(x) * 0.72, plan.deck(x) - 0.12);
            mesh.add_box(place, Vec3::new(0.02, 0.15, 0.055), color);
        }
    }
}

/// A dark floor between the wheels, and bumpers.
fn inside(plan: &BodyPlan, car: &Car, mesh: &mut MeshData) {
    let model = car.model();
    let wheels = model.params().wheels.iter();
    let between = wheels.map(|w| w.position.y.abs() - 0.5 * w.width - 0.02);
    let least = between.fold(plan.high.y, f32::min);
    let wide = if least > 0.1 {
        least
    } else {
        0.8 * plan.high.y
    };
    let high = plan.low.z + 0.7 * (plan.belt - plan.low.z);
    let center = Vec3::new(
        0.5 * (plan.low.x + plan.high.x),
        0.0,
        0.5 * (plan.low.z + high),
    );
    let half = Vec3::new(
        0.42 * (plan.high.x - plan.low.x),
        wide,
        0.5 * (high - plan.low.z).max(0.04),
    );
    mesh.add_box(center, half, TRIM);
}

/// Wheels about their centers, the axle along y.
pub(super) fn wheels(car: &Car) -> Vec<MeshData> {
    let model = car.model();
    let wheels = model.params().wheels.iter();
    wheels.map(|w| wheel(w.radius, w.width.max(0.04))).collect()
}

/// A tire, a rim with five spokes on both sides.
fn wheel(radius: f32, width: f32) -> MeshData {
    let mut mesh = MeshData::default();
    let half = 0.5 * width;
    let at = |r: f32, n: u16, y: f32| {
        let angle = core::f32::consts::TAU * f32::from(n) / f32::from(SIDES);
        Vec3::new(r * angle.sin(), y, r * angle.cos())
    };
    let (shoulder, rim) = (0.94 * radius, 0.66 * radius);
    for n in 0..SIDES {
        // A tread block shows that the wheel turns.
        let tread = if n % 2 == 0 { RUBBER } else { RUBBER * 1.9 };
        mesh.quad(
            [
                at(radius, n, 0.8 * half),
                at(radius, n, -0.8 * half),
                at(radius, n + 1, -0.8 * half),
                at(radius, n + 1, 0.8 * half),
            ],
            tread,
        );
        for side in [1.0, -1.0_f32] {
            let mut ring = |inner: (f32, f32), outer: (f32, f32), color: Vec4| {
                let face = [
                    at(outer.0, n, side * outer.1),
                    at(inner.0, n, side * inner.1),
                    at(inner.0, n + 1, side * inner.1),
                    at(outer.0, n + 1, side * outer.1),
                ];
                let face = if side < 0.0 {
                    face
                } else {
                    [face[1], face[0], face[3], face[2]]
                };
                mesh.quad(face, color);
            };
            ring((shoulder, half), (radius, 0.8 * half), RUBBER);
            ring((rim, half), (shoulder, half), RUBBER * 1.3);
            ring((0.9 * rim, 0.86 * half), (rim, half), RIM);
            ring((0.0, 0.55 * half), (0.9 * rim, 0.5 * half), TRIM);
        }
    }
    for side in [1.0, -1.0_f32] {
        for spoke in 0..5_u8 {
            let angle = core::f32::consts::TAU * f32::from(spoke) / 5.0;
            let (out, across) = (
                Vec3::new(angle.sin(), 0.0, angle.cos()),
                Vec3::new(angle.cos(), 0.0, -angle.sin()),
            );
            let y = Vec3::Y * (side * 0.80 * half);
            let (r, wide) = (0.93 * rim, 0.16 * rim);
            let face = [
                across * wide + y,
                out * r + across * wide * 0.8 + y,
                out * r - across * wide * 0.8 + y,
                -across * wide + y,
            ];
            let face = if side < 0.0 {
                face
            } else {
                [face[3], face[2], face[1], face[0]]
            };
            mesh.quad(face, RIM);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_a_body_within_its_hull_and_wheels_of_its_size() {
        for (name, _) in jounce::presets::FILES {
            let car = jounce::presets::by_name(name).unwrap();
            let center = car.hull.center - car.center_of_mass();
            let reach = car.hull.size * 0.5 + Vec3::splat(0.12);
            let [fine, far] = [STATIONS, FAR_STATIONS].map(|stations| body(&car, stations).corners);
            assert!(3 * far.len() < fine.len(), "{name}");
            for corner in fine.into_iter().chain(far) {
                assert!(corner.is_finite(), "{name}");
                assert!(
                    (corner - center).abs().cmple(reach).all(),
                    "{name}: {corner}"
                );
            }
            let model = car.model();
            for (mesh, params) in wheels(&car).iter().zip(&model.params().wheels) {
                let far = mesh
                    .corners
                    .iter()
                    .map(|c| c.x.hypot(c.z))
                    .fold(0.0, f32::max);
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
}
