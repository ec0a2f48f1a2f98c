//! What only stands beside the way, to be seen: trees, cones, signs. Cars drive through it.

use glam::{DVec2, Mat4, Vec3, Vec4};
use proving_ground::course::{CourseName, Cover, DrivingCourse};
use proving_ground::world::ColliderShape;
use three_d::Context;

use super::mesh::{MeshData, SolidMesh};
use super::solids::Slab;

/// Distance beyond which things are not drawn, by their height (1).
const SEEN: f32 = 45.0;
/// Room around the start without trees (`m`).
const CLEARING: f64 = 18.0;
/// Distance between trees (`m`).
const GRID: f64 = 23.0;
/// Half of the side of a wood (`m`).
const WOOD: f64 = 480.0;
/// Blocks that are lower and wider than this (half, `m`) are pavements; how far from their edges trees stand (`m`).
const LOW: f32 = 0.1;
const WIDE: f32 = 8.0;
const EDGE: f32 = 0.9;
/// Radius of the circle of cones on a skid pad (`m`), and their number.
const CIRCLE: f32 = 30.0;
const CONES: u8 = 24;

/// Pose and tint of each thing.
type Places = Vec<(Mat4, Vec4)>;

/// Things of one shape.
struct Grove {
    mesh: SolidMesh,
    height: f32,
    places: Places,
}

/// The scenery of a course.
pub(super) struct Scenery(Vec<Grove>);

impl Scenery {
    pub(super) fn new(context: &Context, course: &DrivingCourse) -> Self {
        let groves = things(course).into_iter();
        let groves = groves.filter(|(_, _, places)| !places.is_empty());
        Self(
            groves
                .map(|(mesh, height, places)| Grove {
                    mesh: mesh.upload(context),
                    height,
                    places,
                })
                .collect(),
        )
    }

    /// Calls `draw` with each shape and its places near the eye that are in sight.
    pub(super) fn each(
        &self,
        eye: Vec3,
        in_sight: impl Fn(Vec3, f32) -> bool,
        mut draw: impl FnMut(&SolidMesh, &[(Mat4, Vec4)]),
    ) {
        for grove in &self.0 {
            let near = |(at, _): &&(Mat4, Vec4)| {
                let place = at.w_axis.truncate();
                (place - eye).length() < SEEN * grove.height && in_sight(place, grove.height)
            };
            let near: Vec<(Mat4, Vec4)> = grove.places.iter().filter(near).copied().collect();
            draw(&grove.mesh, &near);
        }
    }
}

/// Shapes, heights (`m`) and places of the things of a course.
fn things(course: &DrivingCourse) -> Vec<(MeshData, f32, Places)> {
    let cones = cones(course);
    let signs = signs(course);
    vec![
        (fir(), 7.0, trees(course, 0)),
        (leafy(), 6.0, [trees(course, 1), avenue(course)].concat()),
        (cone(), 2.5, cones),
        (sign(), 4.0, signs),
    ]
}

/// A number without a pattern, 0…1, for a cell of a grid.
fn chance(x: i32, y: i32, salt: u32) -> f64 {
    let mut bits =
        (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77) ^ salt;
    bits = (bits ^ bits >> 15).wrapping_mul(0x2C1B_3C6D);
    bits = (bits ^ bits >> 12).wrapping_mul(0x297A_2D39);
    f64::from(bits ^ bits >> 15) / f64::from(u32::MAX)
}

/// Trees of a kind on hills: in every third cell of a grid, somewhere within it, denser on higher ground.
fn trees(course: &DrivingCourse, kind: u32) -> Places {
    if course.name != CourseName::Hills {
        return Vec::new();
    }
    let most = (WOOD / GRID) as i32;
    let cells = (-most..=most).flat_map(|x| (-most..=most).map(move |y| (x, y)));
    let places = cells.filter_map(|(x, y)| {
        let roll = |salt: u32| chance(x, y, salt);
        if (roll(1) < 0.5) != (kind == 0) {
            return None;
        }
        let cell = DVec2::new(f64::from(x), f64::from(y));
        let at = (cell + 0.8 * DVec2::new(roll(2), roll(3))) * GRID;
        let ground = course.terrain.height(at)?;
        let apart = (at - course.terrain.start).length() > CLEARING;
        let dense = 0.22 + 0.03 * ground;
        let size = 0.7 + 0.7 * roll(5) as f32;
        let turn = 6.0 * roll(6) as f32;
        let tint = Vec3::new(0.85, 0.9, 0.8).lerp(Vec3::new(1.15, 1.05, 0.9), roll(7) as f32);
        (apart && roll(4) < dense).then(|| {
            let place = at.extend(ground - 0.15).as_vec3();
            let turned = Mat4::from_rotation_z(turn) * Mat4::from_scale(Vec3::splat(size));
            (Mat4::from_translation(place) * turned, tint.extend(1.0))
        })
    });
    places.collect()
}

/// Trees on the pavements of a town, two along each side of a block.
fn avenue(course: &DrivingCourse) -> Places {
    let blocks = course.fixed.iter().filter_map(|spec| match spec.shape {
        ColliderShape::Cuboid(half) if half.z < LOW && half.x > WIDE && half.y > WIDE => {
            Some((spec.position.as_vec3(), half))
        }
        _ => None,
    });
    let corners = [(-1.0, -0.4), (-1.0, 0.4), (1.0, -0.4), (1.0, 0.4_f32)];
    let places = blocks.flat_map(|(center, half)| {
        corners.into_iter().flat_map(move |(side, along)| {
            [
                Vec3::new(along * half.x, side * (half.y - EDGE), half.z),
                Vec3::new(side * (half.x - EDGE), along * half.y, half.z),
            ]
            .map(|place| center + place)
        })
    });
    let stand = |place: Vec3| {
        let pose = Mat4::from_translation(place) * Mat4::from_scale(Vec3::splat(0.6));
        (pose, Vec4::ONE)
    };
    places.map(stand).collect()
}

/// Low and high corner of each strip of a course (x, y), with its cover.
fn strips(course: &DrivingCourse) -> impl Iterator<Item = (Cover, [Vec3; 2])> {
    course.fixed.iter().filter_map(|spec| {
        let cover = Cover::ALL
            .into_iter()
            .find(|c| c.material() == spec.material)?;
        let ColliderShape::Mesh(film) = &spec.shape else {
            return None;
        };
        let points = || film.vertices.iter().map(|v| v.as_vec3());
        let (low, high) = (points().reduce(Vec3::min)?, points().reduce(Vec3::max)?);
        (cover != Cover::Asphalt).then_some((cover, [low, high]))
    })
}

/// Cones: a circle on a skid pad, corners and edges of strips, a row beside ramps.
fn cones(course: &DrivingCourse) -> Places {
    let stand = |place: Vec3| (Mat4::from_translation(place), Vec4::ONE);
    match course.name {
        CourseName::SkidPad => (0..CONES)
            .map(|n| {
                let angle = core::f32::consts::TAU * f32::from(n) / f32::from(CONES);
                let (x, y) = (CIRCLE * angle.sin(), CIRCLE * (1.0 - angle.cos()));
                stand(Vec3::new(x, y + 2.5, 0.0))
            })
            .collect(),
        CourseName::Patches => strips(course)
            .flat_map(|(_, [low, high])| {
                let parts = ((high.x - low.x) / 10.0).round().max(1.0) as u16;
                let xs = (0..=parts)
                    .map(move |n| low.x + (high.x - low.x) * f32::from(n) / f32::from(parts));
                xs.flat_map(move |x| [low.y - 0.4, high.y + 0.4].map(|y| Vec3::new(x, y, 0.0)))
            })
            .map(stand)
            .collect(),
        CourseName::CrossedRamps => (0..8_u8)
            .flat_map(|n| [-3.5, 3.5].map(|y| Vec3::new(10.0 + 5.0 * f32::from(n), y, 0.0)))
            .map(stand)
            .collect(),
        _ => Vec::new(),
    }
}

/// Signs before strips, in the color of their cover.
fn signs(course: &DrivingCourse) -> Places {
    let stand = |(cover, [low, _]): (Cover, [Vec3; 2])| {
        let color = match cover {
            Cover::Ice => Vec3::new(0.45, 0.75, 1.0),
            Cover::Gravel => Vec3::new(0.85, 0.68, 0.42),
            _ => Vec3::new(0.35, 0.45, 0.62),
        };
        let place = Vec3::new(low.x - 4.0, low.y - 1.5, 0.0);
        (Mat4::from_translation(place), color.extend(1.0))
    };
    strips(course).map(stand).collect()
}

const BARK: Vec4 = Vec4::new(0.30, 0.22, 0.15, 0.0);

/// A fir of three skirts.
fn fir() -> MeshData {
    let mut mesh = MeshData::default();
    let at = |z: f32| Vec3::Z * z;
    mesh.tube([at(0.0), at(1.6)], [0.22, 0.18], 5, BARK);
    let green = Vec4::new(0.13, 0.30, 0.16, 0.0);
    for (from, to, wide) in [(1.2, 3.6, 1.9), (2.8, 5.2, 1.45), (4.3, 7.0, 1.0)] {
        mesh.tube(
            [at(from), at(to)],
            [wide, 0.03],
            7,
            green * (0.8 + 0.06 * from),
        );
    }
    mesh
}

/// A tree with a round crown.
fn leafy() -> MeshData {
    let mut mesh = MeshData::default();
    let at = |z: f32| Vec3::new(0.0, 0.0, z);
    mesh.tube([at(0.0), at(2.6)], [0.24, 0.16], 5, BARK);
    let green = Vec4::new(0.27, 0.42, 0.15, 0.0);
    for (from, to, radii, shade) in [
        (1.9, 2.8, [0.9, 2.1], 0.75),
        (2.8, 4.3, [2.1, 1.8], 0.9),
        (4.3, 5.7, [1.8, 0.5], 1.1),
    ] {
        mesh.tube([at(from), at(to)], radii, 8, green * shade);
    }
    mesh
}

/// A traffic cone with a white ring.
fn cone() -> MeshData {
    let mut mesh = MeshData::default();
    let (orange, white) = (
        Vec4::new(0.95, 0.36, 0.05, 0.2),
        Vec4::new(0.95, 0.95, 0.95, 0.2),
    );
    let slab = |y: f32, z: f32| Slab::new([-y, y], y, z);
    mesh.block(slab(0.2, 0.0), slab(0.2, 0.04), orange);
    let at = |z: f32| Vec3::Z * z;
    mesh.tube([at(0.04), at(0.30)], [0.15, 0.10], 8, orange);
    mesh.tube([at(0.30), at(0.46)], [0.10, 0.07], 8, white);
    mesh.tube([at(0.46), at(0.70)], [0.07, 0.025], 8, orange);
    mesh
}

/// A sign on a post, which faces who comes along +x: white, so that a tint colors it.
fn sign() -> MeshData {
    let mut mesh = MeshData::default();
    let post = [Vec3::ZERO, Vec3::Z * 2.2];
    mesh.tube(post, [0.04; 2], 6, Vec4::new(0.5, 0.5, 0.5, 0.3));
    let board = |x: f32, z: f32| Slab::new([x, x + 0.04], 0.55, z);
    let block = mesh.block(
        board(-0.06, 1.3),
        board(-0.06, 2.2),
        Vec4::new(0.95, 0.95, 0.95, 0.1),
    );
    let dark = Vec4::new(0.12, 0.12, 0.12, 0.1);
    mesh.panel(block.rear, [0.46, 0.54], [0.38, 0.82], dark);
    mesh.panel(block.rear, [0.46, 0.54], [0.16, 0.28], dark);
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(name: CourseName) -> Vec<usize> {
        let course = DrivingCourse::new(name).unwrap();
        let things = things(&course);
        things.iter().map(|(.., places)| places.len()).collect()
    }

    #[test]
    fn courses_have_what_belongs_beside_them() {
        let hills = places(CourseName::Hills);
        assert!(hills[0] > 100 && hills[1] > 100, "{hills:?}");
        assert_eq!(places(CourseName::SkidPad), [0, 0, usize::from(CONES), 0]);
        assert_eq!(places(CourseName::Patches)[3], 6);
        assert_eq!(places(CourseName::Town), [0, 16 * 8, 0, 0]);
    }

    #[test]
    fn trees_stand_on_the_ground_and_leave_the_start_free() {
        let course = DrivingCourse::new(CourseName::Hills).unwrap();
        for (at, _) in trees(&course, 0) {
            let place = at.w_axis.truncate();
            let ground = course.terrain.height(place.truncate().as_dvec2()).unwrap();
            assert!((f64::from(place.z) - ground).abs() < 0.2, "{place}");
            let apart = place.truncate().as_dvec2() - course.terrain.start;
            assert!(apart.length() > CLEARING - 0.01);
        }
    }
}
