//! Rotating, mirroring and moving a ground together with the query does the same to the answer.

use glam::{DMat3, DVec3, Quat, Vec3};
use rstest::rstest;
use scene_query::{
    Axes, Block, Capsule, Grounds, HeightField, Plane, Platform, Ramp, Standalone, Steps,
    TriangleMesh,
};
use vehicle_core::{
    Axis, BodyId, GroundHit, GroundRay, GroundSweep, QueryFilter, SceneQuery, SweepHit,
};

use crate::{FAR, KINDS, spread, wheel};

/// Cells of the heightfield along x and y.
const CELLS: [usize; 2] = [9, 7];
const CELL: f64 = 0.9;

/// A rotation about the origin, optionally with a reflection, followed by a translation (`m`).
#[derive(Clone, Copy, Debug)]
struct Motion {
    turn: DMat3,
    way: DVec3,
}

impl Motion {
    const NONE: Self = Self {
        turn: DMat3::IDENTITY,
        way: DVec3::ZERO,
    };

    fn of(axes: Axes, way: DVec3) -> Self {
        let turn = DMat3::from_cols_array_2d(
            &[DVec3::X, DVec3::Y, DVec3::Z].map(|unit| axes.to_world(unit).to_array()),
        );
        Self { turn, way }
    }

    fn vector(&self, v: Vec3) -> Vec3 {
        (self.turn * v.as_dvec3()).as_vec3()
    }

    fn point(&self, p: DVec3) -> DVec3 {
        self.turn * p + self.way
    }

    fn ray(&self, ray: &GroundRay) -> GroundRay {
        GroundRay {
            anchor: self.point(ray.anchor),
            offset: self.vector(ray.offset),
            direction: self.vector(ray.direction),
            ..*ray
        }
    }

    fn sweep(&self, sweep: &GroundSweep) -> GroundSweep {
        GroundSweep {
            anchor: self.point(sweep.anchor),
            offset: self.vector(sweep.offset),
            axle: self.vector(sweep.axle),
            direction: self.vector(sweep.direction),
            ..*sweep
        }
    }
}

/// A field around the origin whose grid has x and y exchanged if `swapped`.
fn field(axes: Axes, way: DVec3, swapped: bool) -> HeightField {
    let cells = if swapped { [CELLS[1], CELLS[0]] } else { CELLS };
    let corner = DVec3::new(cells[0] as f64, cells[1] as f64, 0.0) * -0.5 * CELL;
    let height = |x: f64, y: f64| {
        let (x, y) = if swapped { (y, x) } else { (x, y) };
        0.4 * (1.3 * x).sin() - 0.3 * (1.9 * y + 0.4 * x).cos()
    };
    let size = cells.map(|count| count + 1);
    HeightField::from_fn(axes, way + axes.to_world(corner), CELL, size, height).unwrap()
}

/// Grounds that allow any orientation.
fn free(kind: &str, motion: &Motion) -> Grounds {
    match kind {
        "plane" => {
            let normal = motion.turn * DVec3::new(0.2, -0.1, 1.0);
            Plane::new(motion.point(DVec3::new(0.3, 0.1, -0.2)), normal)
                .unwrap()
                .into()
        }
        "block" => {
            // A reflected rotated box is a box with exchanged extents, rotated the other way.
            let lean = DMat3::from_quat(Quat::from_xyzw(0.1, 0.2, 0.3, 0.86_f32.sqrt()).as_dquat());
            let half = Vec3::new(2.5, 1.8, 1.0);
            let reflected = motion.turn.determinant() < 0.0;
            let (turn, half) = if reflected {
                (motion.turn * lean * SWAP, Vec3::new(1.8, 2.5, 1.0))
            } else {
                (motion.turn * lean, half)
            };
            let turn = Quat::from_mat3(&turn.as_mat3());
            Block::new(motion.way, turn, half).unwrap().into()
        }
        "capsule" => {
            let ends = [DVec3::new(-2.5, 0.3, -0.4), DVec3::new(2.2, -0.6, 0.2)];
            Capsule::new(ends.map(|end| motion.point(end)), 1.8)
                .unwrap()
                .into()
        }
        "mesh" => {
            let mut triangles = field(Axes::Z_UP, DVec3::ZERO, false).triangles();
            for vertex in &mut triangles.vertices {
                *vertex = motion.point(*vertex);
            }
            TriangleMesh::of(&triangles).unwrap().into()
        }
        _ => unreachable!("{kind}"),
    }
}

/// The exchange of x and y.
const SWAP: DMat3 = DMat3::from_cols(DVec3::Y, DVec3::X, DVec3::Z);

/// Grounds aligned with the axes.
fn ground(kind: &str, axes: Axes, way: DVec3) -> Grounds {
    match kind {
        "ramp" => Ramp::new(axes, way - axes.to_world(DVec3::X), 25.0, 3.0)
            .unwrap()
            .into(),
        "steps" => Steps::new(axes, way - axes.to_world(DVec3::X), 0.25, 0.7, 3)
            .unwrap()
            .into(),
        "heightfield" => field(axes, way, false).into(),
        _ => free(kind, &Motion::of(axes, way)),
    }
}

/// Rays from above, from the side and from within the ground, most of them downwards.
fn rays() -> impl Iterator<Item = GroundRay> {
    (0..200).map(|n| {
        let [x, y, z, dx, dy, dz] = spread(n).map(|number| number as f32);
        GroundRay {
            anchor: DVec3::new(0.5, -0.25, 0.125),
            offset: Vec3::new(4.5 * x, 3.5 * y, 1.0 + 1.6 * z),
            direction: Vec3::new(dx, dy, 0.6 * dz - 0.5).normalize(),
            length: if n % 7 == 0 { 1.0 } else { 9.0 },
            filter: QueryFilter::except(BodyId(7)),
        }
    })
}

fn sweeps() -> impl Iterator<Item = GroundSweep> {
    rays().enumerate().step_by(5).map(|(n, ray)| {
        let [a, b, c, ..] = spread(n + 77).map(|number| number as f32);
        GroundSweep {
            anchor: ray.anchor,
            offset: ray.offset,
            axle: Vec3::new(0.5 * a, 1.5 + b, 0.5 * c).normalize(),
            shape: wheel(KINDS[n / 5 % 4]),
            direction: ray.direction,
            length: ray.length,
            filter: ray.filter,
        }
    })
}

/// Asserts that two hits are the same up to a motion; distances are compared across the ground.
fn assert_same(motion: &Motion, direction: Vec3, from: &GroundHit, moved: &GroundHit) {
    let approach = -from.normal.dot(direction);
    let apart = (from.distance - moved.distance).abs() * approach;
    let turned = (motion.vector(from.normal) - moved.normal).length();
    assert!(apart < 2e-6 && turned < 2e-4, "{from:?} {moved:?}");
}

/// Compares all queries of both worlds; returns how many rays and sweeps hit something.
fn compare(here: &impl SceneQuery, there: &impl SceneQuery, motion: &Motion) -> [usize; 2] {
    let ray_hits = compare_rays(here, there, motion, |triangle| triangle);
    [ray_hits, compare_sweeps(here, there, motion)]
}

fn compare_rays(
    here: &impl SceneQuery,
    there: &impl SceneQuery,
    motion: &Motion,
    number: impl Fn(u32) -> u32,
) -> usize {
    let asked = rays().filter(|ray| {
        let (mut from, mut moved) = ([None], [None]);
        here.cast_rays(&[*ray], &mut from);
        there.cast_rays(&[motion.ray(ray)], &mut moved);
        assert_eq!(from[0].is_some(), moved[0].is_some(), "{ray:?}");
        let (Some(from), Some(moved)) = (from[0], moved[0]) else {
            return false;
        };
        assert_same(motion, ray.direction, &from, &moved);
        assert_eq!(from.triangle.map(&number), moved.triangle, "{ray:?}");
        true
    });
    asked.count()
}

fn first(world: &impl SceneQuery, query: GroundSweep) -> Option<SweepHit> {
    let mut hits = [None];
    world.sweeps().unwrap().sweep_first(&[query], &mut hits);
    hits[0]
}

fn count(world: &impl SceneQuery, query: GroundSweep) -> usize {
    let mut count = 0;
    let sweeps = world.sweeps().unwrap();
    sweeps.sweep_all(&[query], &mut |_, _| count += 1);
    count
}

fn compare_sweeps(here: &impl SceneQuery, there: &impl SceneQuery, motion: &Motion) -> usize {
    let asked = sweeps().filter(|sweep| {
        let turned = motion.sweep(sweep);
        let (from, moved) = (first(here, *sweep), first(there, turned));
        assert_eq!(from.is_some(), moved.is_some(), "{sweep:?}");
        assert_eq!(count(here, *sweep), count(there, turned), "{sweep:?}");
        let (Some(from), Some(moved)) = (from, moved) else {
            return false;
        };
        assert_same(motion, sweep.direction, &from.ground, &moved.ground);
        // Across the ground: on flat ground the contact along a wheel's side is not unique.
        let apart = moved.point - motion.vector(from.point);
        let across = apart.dot(moved.ground.normal).abs();
        assert!(across < 5e-6, "{sweep:?}: {from:?} {moved:?}");
        true
    });
    asked.count()
}

const AXES: [Axis; 6] = [
    Axis::X,
    Axis::Y,
    Axis::Z,
    Axis::NegX,
    Axis::NegY,
    Axis::NegZ,
];

#[rstest]
fn a_ground_gives_the_same_hits_along_all_24_orientations(
    #[values("plane", "block", "capsule", "mesh", "ramp", "steps", "heightfield")] kind: &str,
    #[values(DVec3::ZERO, FAR)] way: DVec3,
) {
    let here = ground(kind, Axes::Z_UP, DVec3::ZERO);
    let all = AXES.map(|forward| AXES.map(|up| Axes::new(forward, up).ok()));
    let mut seen = 0;
    for axes in all.into_iter().flatten().flatten() {
        let there = ground(kind, axes, way);
        let hits = compare(&here, &there, &Motion::of(axes, way));
        assert!(hits[0] > 40 && hits[1] > 10, "{hits:?}");
        seen += 1;
    }
    assert_eq!(seen, 24);
}

fn turns() -> [Quat; 3] {
    [
        Quat::from_xyzw(0.1, -0.2, 0.3, 0.86_f32.sqrt()),
        Quat::from_xyzw(-0.5, 0.5, -0.5, 0.5),
        Quat::from_xyzw(0.7, 0.1, -0.5, 0.5),
    ]
}

#[rstest]
fn grounds_of_any_orientation_give_the_same_hits(
    #[values("plane", "block", "capsule", "mesh")] kind: &str,
    #[values(DVec3::ZERO, FAR)] way: DVec3,
) {
    for turn in turns() {
        let turn = DMat3::from_quat(turn.as_dquat().normalize());
        let motion = Motion { turn, way };
        let (here, there) = (free(kind, &Motion::NONE), free(kind, &motion));
        compare(&here, &there, &motion);
    }
}

#[rstest]
fn a_platform_moves_its_ground_to_any_pose(
    #[values("plane", "block", "capsule", "mesh", "ramp", "steps", "heightfield")] kind: &str,
    #[values(DVec3::ZERO, FAR)] way: DVec3,
) {
    let here = ground(kind, Axes::Z_UP, DVec3::ZERO);
    for rotation in turns() {
        let mut there = Standalone::default();
        let platform = Platform {
            rotation,
            ..Platform::at_rest(here.clone(), way)
        };
        there.add_platform(platform).unwrap();
        let turn = DMat3::from_quat(rotation.as_dquat().normalize());
        compare(&here, &there, &Motion { turn, way });
    }
}

#[rstest]
fn mirrored_grounds_give_mirrored_hits(
    #[values("plane", "block", "capsule", "mesh", "ramp", "steps", "heightfield")] kind: &str,
) {
    let motion = Motion {
        turn: SWAP,
        way: DVec3::ZERO,
    };
    let here = ground(kind, Axes::Z_UP, DVec3::ZERO);
    let there = match kind {
        "ramp" | "steps" => {
            let axes = Axes::new(Axis::Y, Axis::Z).unwrap();
            ground(kind, axes, DVec3::ZERO)
        }
        "heightfield" => field(Axes::Z_UP, DVec3::ZERO, true).into(),
        _ => free(kind, &motion),
    };
    // In the mirrored field, rows are columns, and the halves of a cell are exchanged.
    let [rows, columns] = CELLS.map(|count| count as u32);
    let image = |triangle: u32| {
        let (cell, half) = (triangle / 2, triangle % 2);
        2 * (cell % columns * rows + cell / columns) + 1 - half
    };
    let number = |triangle| {
        if kind == "heightfield" {
            image(triangle)
        } else {
            triangle
        }
    };
    assert!(compare_rays(&here, &there, &motion, number) > 40);
    assert!(compare_sweeps(&here, &there, &motion) > 10);
}
