//! Fixed things and boxes on the courses.

use glam::{DVec3, Quat, Vec3};
use jounce::scene::{BodyDesc, CollisionBox, Triangles};

use super::{CourseName, Cover, DrivingCourse, PlatformPlan};
use crate::world::{ColliderShape, ColliderSpec, HULL_FRICTION};

/// Height of covers above the plain (`m`): above its rounding, below what a wheel feels.
const FILM: f64 = 0.002;
/// Width of the town's streets, and of its blocks with their pavements (`m`).
const STREET: f64 = 12.0;
const BLOCK: f64 = 36.0;
/// Height of a curb (`m`).
const CURB: f32 = 0.12;

/// Adds what belongs to the course.
pub(super) fn furnish(course: &mut DrivingCourse) {
    match course.name {
        CourseName::Hills | CourseName::SkidPad => {}
        CourseName::Town => course.fixed = town(),
        CourseName::Patches => course.fixed = patches(),
        CourseName::CrossedRamps => course.fixed = crossed_ramps(),
        CourseName::Turntable => {
            course.platforms = platforms();
            course.starts_on_platform = true;
        }
        CourseName::Boxes => course.boxes = boxes(),
    }
}

/// A box with its base on the plain at `place`.
fn standing(place: DVec3, size: Vec3) -> ColliderSpec {
    let half = size * 0.5;
    let center = place + DVec3::Z * f64::from(half.z);
    ColliderSpec::fixed(ColliderShape::Cuboid(half), center)
}

/// A level rectangle of a cover from `low` to `high` (x, y).
fn film(cover: Cover, low: [f64; 2], high: [f64; 2]) -> ColliderSpec {
    let at = |x: f64, y: f64| DVec3::new(x, y, FILM);
    let square = Triangles {
        vertices: vec![
            at(low[0], low[1]),
            at(high[0], low[1]),
            at(high[0], high[1]),
            at(low[0], high[1]),
        ],
        corners: vec![[0, 1, 2], [0, 2, 3]],
    };
    ColliderSpec {
        material: cover.material(),
        ..ColliderSpec::fixed(ColliderShape::Mesh(square), DVec3::ZERO)
    }
}

/// A wedge that rises along +x from `foot`, turned to `heading` (`rad`): length, width and height (`m`).
fn wedge(foot: DVec3, heading: f32, size: [f64; 3]) -> ColliderSpec {
    let [long, wide, high] = size;
    let mut vertices = Vec::new();
    for (x, z) in [(0.0, 0.0), (long, high), (long, 0.0)] {
        for y in [0.5 * wide, -0.5 * wide] {
            vertices.push(DVec3::new(x, y, z));
        }
    }
    let corners = vec![
        [0, 1, 3],
        [0, 3, 2],
        [2, 3, 5],
        [2, 5, 4],
        [0, 2, 4],
        [1, 5, 3],
    ];
    ColliderSpec {
        rotation: Quat::from_rotation_z(heading),
        ..ColliderSpec::fixed(ColliderShape::Mesh(Triangles { vertices, corners }), foot)
    }
}

/// Four by four blocks with curbs and houses around the start; a flight of stairs, and a ramp to jump.
fn town() -> Vec<ColliderSpec> {
    let mut parts = Vec::new();
    let pitch = STREET + BLOCK;
    for column in -2..2_i32 {
        for row in -2..2_i32 {
            let middle = |n: i32| (f64::from(n) + 0.5) * pitch;
            let place = DVec3::new(middle(column), middle(row), 0.0);
            let size = BLOCK as f32;
            parts.push(standing(place, Vec3::new(size, size, CURB)));
            parts.extend(houses(place, (column * 7 + row * 3).rem_euclid(5)));
        }
    }
    parts.extend(stairs(DVec3::new(2.4 * pitch, 0.0, 0.0)));
    parts.push(wedge(
        DVec3::new(-2.3 * pitch, 0.0, 0.0),
        core::f32::consts::PI,
        [7.0, 5.0, 1.1],
    ));
    parts
}

/// The houses of a block, set back behind pavements.
fn houses(block: DVec3, kind: i32) -> Vec<ColliderSpec> {
    let side = 0.25 * (BLOCK - 6.0);
    let mut houses = Vec::new();
    for (n, (x, y)) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .into_iter()
        .enumerate()
    {
        if (n as i32 + kind) % 4 == 0 {
            continue;
        }
        let height = 4.0 + 2.5 * ((n as i32 * 2 + kind) % 4) as f32;
        let place = block + DVec3::new(x * side, y * side, 0.0);
        let wide = 2.0 * side as f32 - 2.0;
        houses.push(standing(place, Vec3::new(wide, wide - 1.5, height)));
    }
    houses
}

/// Low wide stairs up along +x, a landing, and a way down.
fn stairs(foot: DVec3) -> Vec<ColliderSpec> {
    const RISE: f32 = 0.1;
    const STEPS: u16 = 5;
    let mut parts: Vec<ColliderSpec> = (0..STEPS)
        .map(|n| {
            let from = f64::from(n) * 1.2;
            let length = 16.0 - from;
            let middle = foot + DVec3::X * (from + 0.5 * length);
            standing(
                middle,
                Vec3::new(length as f32, 8.0, RISE * f32::from(n + 1)),
            )
        })
        .collect();
    let high = f64::from(RISE) * f64::from(STEPS);
    parts.push(wedge(
        foot + DVec3::X * 22.0,
        core::f32::consts::PI,
        [6.0, 8.0, high],
    ));
    parts
}

/// Strips across the way, and one along it for the left wheels only.
fn patches() -> Vec<ColliderSpec> {
    vec![
        film(Cover::Wet, [25.0, -10.0], [55.0, 10.0]),
        film(Cover::Ice, [75.0, -10.0], [105.0, 10.0]),
        film(Cover::Gravel, [125.0, -10.0], [155.0, 10.0]),
        film(Cover::Ice, [175.0, 0.0], [235.0, 3.0]),
        film(Cover::Gravel, [-40.0, 15.0], [40.0, 40.0]),
        film(Cover::Ice, [-40.0, -40.0], [40.0, -15.0]),
    ]
}

/// Ramps of one track's width that lift one side after the other.
fn crossed_ramps() -> Vec<ColliderSpec> {
    let mut parts = Vec::new();
    for n in 0..6_u8 {
        let side = if n % 2 == 0 { 0.8 } else { -0.8 };
        let foot = DVec3::new(15.0 + 5.0 * f64::from(n), side, 0.0);
        let size = [2.4, 1.1, 0.35];
        parts.push(wedge(foot, 0.0, size));
    }
    parts
}

/// A turntable, and a platform that goes to and fro beyond it.
fn platforms() -> Vec<PlatformPlan> {
    vec![
        PlatformPlan {
            top: DVec3::new(0.0, 0.0, 0.25),
            turning: 0.25,
            swing: (Vec3::ZERO, 1.0),
        },
        PlatformPlan {
            top: DVec3::new(140.0, 0.0, 0.12),
            turning: 0.0,
            swing: (Vec3::Y * 2.5, 12.0),
        },
    ]
}

/// Towers of boxes ahead.
fn boxes() -> Vec<BodyDesc> {
    let half = Vec3::splat(0.4);
    let mass = 40.0;
    let mut boxes = Vec::new();
    for column in 0..6_u8 {
        for row in 0..6_u8 {
            let high = 1 + (column + row) % 3;
            for level in 0..high {
                let place = DVec3::new(
                    22.0 + 3.0 * f64::from(column),
                    -7.5 + 3.0 * f64::from(row),
                    0.4 + 0.8 * f64::from(level),
                );
                boxes.push(BodyDesc {
                    hull: Some(CollisionBox {
                        half_extents: half,
                        center: Vec3::ZERO,
                        friction: HULL_FRICTION,
                        layers: u32::MAX,
                    }),
                    ..BodyDesc::at_rest(place, mass, BodyDesc::box_inertia(mass, half))
                });
            }
        }
    }
    boxes
}
