//! Roads with a height formula.

use glam::{DVec2, DVec3, Vec3};
use jounce::core::{CarCommand, Gear, GroundRay, Surfaces};
use jounce::presets;
use jounce::scene::{Axes, HeightField, TriangleMesh, Triangles};
use proving_ground::ground::{Solid, Terrain};
use proving_ground::stage::{FREE, GRAVITY, Scene, Stage};
use proving_ground::world::{ColliderShape, ColliderSpec, World};

use crate::backend::Backend;
use crate::case::Case;
use crate::contracts::{bare, down, hit, must_hit, ray};
use crate::finding::{Failure, Measure};

pub(super) const CASES: [Case; 5] = [
    Case::closed_form(
        "a sine road of triangles is as high as its formula",
        "height [m]",
        4e-4,
        sine_mesh,
    ),
    Case::closed_form(
        "a sine road of heights is as high as its formula",
        "height [m]",
        4e-4,
        sine_field,
    ),
    Case::closed_form(
        "no ray misses a heightfield on vertices and edges",
        "misses",
        0.0,
        aligned_field,
    ),
    Case::closed_form(
        "no ray misses a mesh on vertices and edges",
        "misses",
        0.0,
        aligned_mesh,
    ),
    Case::closed_form(
        "seams of a flat mesh are not felt at 40 m/s",
        "acceleration [g]",
        0.05,
        seams,
    ),
];

/// Height (`m`) and length (`m`) of the waves, and the spacing of vertices (`m`).
const WAVE: (f64, f64) = (0.1, 5.0);
const CELL: f64 = 0.125;

fn wave(x: f64) -> f64 {
    WAVE.0 * libm::sin(core::f64::consts::TAU * x / WAVE.1)
}

/// Heights over 20 × 2 m, from the origin on.
fn road() -> Result<HeightField, Failure> {
    let field = HeightField::from_fn(Axes::Z_UP, DVec3::ZERO, CELL, [161, 17], |x, _| wave(x));
    field.map_err(|error| Failure::Broken(error.to_string()))
}

/// Chords deviate from the sine by up to `A·k²·d²/8`: 0.3 mm.
fn along(world: &dyn World) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for n in 1..400 {
        let x = f64::from(n) * 0.05;
        let height = 2.0 - f64::from(must_hit(world, &down(x, 0.7, 2.0, 3.0))?.distance);
        worst = worst.max((height - wave(x)).abs());
    }
    Ok(worst.into())
}

fn of_shape(backend: &dyn Backend, shape: ColliderShape) -> Result<Box<dyn World>, Failure> {
    let mut world = bare(backend)?;
    world.add_collider(&ColliderSpec::fixed(shape, DVec3::ZERO))?;
    Ok(world)
}

fn sine_mesh(backend: &dyn Backend) -> Result<Measure, Failure> {
    along(&*of_shape(
        backend,
        ColliderShape::Mesh(road()?.triangles()),
    )?)
}

fn sine_field(backend: &dyn Backend) -> Result<Measure, Failure> {
    along(&*of_shape(backend, ColliderShape::HeightField(road()?))?)
}

/// Down on all inner vertices and midpoints of all inner edges, and along the grid lines.
fn aligned() -> impl Iterator<Item = GroundRay> {
    let cells = (1..32).flat_map(|i| (1..32).map(move |j| DVec2::new(f64::from(i), f64::from(j))));
    cells.flat_map(|vertex| {
        let at = |offset: DVec2| (vertex + offset) * 0.5 - 8.0;
        let halves = [DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::ONE];
        let straight = halves.map(|half| {
            let at = at(half * 0.5);
            down(at.x, at.y, 9.0, 20.0)
        });
        let start = at(DVec2::ZERO).extend(1.0);
        let slanted = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y].map(|aside| {
            let direction = (aside * 0.2 + Vec3::NEG_Z).normalize();
            ray(start, direction, 4.0)
        });
        straight.into_iter().chain(slanted)
    })
}

/// Uneven heights over 16 × 16 m, about the origin.
fn uneven() -> Result<HeightField, Failure> {
    let low = DVec3::new(-8.0, -8.0, 0.0);
    let height = |x: f64, y: f64| 0.3 * libm::sin(1.7 * x) * libm::cos(2.3 * y);
    let field = HeightField::from_fn(Axes::Z_UP, low, 0.5, [33, 33], height);
    field.map_err(|error| Failure::Broken(error.to_string()))
}

fn missed(world: &dyn World) -> Measure {
    let misses = aligned().filter(|ray| hit(world, ray).is_none_or(|hit| hit.triangle.is_none()));
    Measure {
        value: misses.count() as f64,
        note: format!("of {}", aligned().count()),
    }
}

fn aligned_field(backend: &dyn Backend) -> Result<Measure, Failure> {
    Ok(missed(&*of_shape(
        backend,
        ColliderShape::HeightField(uneven()?),
    )?))
}

fn aligned_mesh(backend: &dyn Backend) -> Result<Measure, Failure> {
    Ok(missed(&*of_shape(
        backend,
        ColliderShape::Mesh(uneven()?.triangles()),
    )?))
}

/// A flat strip with a seam every 20 cm, from 10 m before the origin to 150 m after it.
fn strip() -> Result<Terrain, Failure> {
    let rows: u32 = 800;
    let vertex = |n: u32| {
        let side = if n.is_multiple_of(2) { -5.0 } else { 5.0 };
        DVec3::new(f64::from(n / 2) * 0.2 - 10.0, side, 0.0)
    };
    let square = |n: u32| [[2 * n, 2 * n + 2, 2 * n + 3], [2 * n, 2 * n + 3, 2 * n + 1]];
    let triangles = Triangles {
        vertices: (0..2 * rows + 2).map(vertex).collect(),
        corners: (0..rows).flat_map(square).collect(),
    };
    let mesh = TriangleMesh::of(&triangles);
    let mesh = mesh.map_err(|error| Failure::Broken(error.to_string()))?;
    Ok(Terrain {
        name: "strip".to_owned(),
        grounds: mesh.into(),
        solid: Solid::Triangles(triangles),
        start: DVec2::ZERO,
        surfaces: Surfaces::new(),
        relief: false,
        notes: Vec::new(),
        track: None,
    })
}

/// Over about 1100 triangles, after settling.
fn seams(backend: &dyn Backend) -> Result<Measure, Failure> {
    const RATE: f32 = 120.0;
    let terrain = strip()?;
    let world = backend.open(&terrain, 1.0 / RATE)?;
    let scene = Scene {
        speed: 40.0,
        gear: Gear::NEUTRAL,
        ..Scene::LEVEL
    };
    let car = presets::sedan();
    let mut stage = Stage::put(world, &terrain, &car, &scene, 1.0 / RATE)?;
    let command: CarCommand = FREE;
    stage.run(0.5, &command)?;
    let start = stage.position()?;
    let mut worst = 0.0_f32;
    for _ in 0..330 {
        let before = stage.velocity().z;
        stage.step(&command)?;
        worst = worst.max((stage.velocity().z - before).abs() * RATE);
    }
    let way = stage.position()?.distance(start);
    Ok(Measure {
        value: f64::from(worst / -GRAVITY.z),
        note: format!("over {:.0} m", way),
    })
}
