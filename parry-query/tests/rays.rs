//! The requirements of `SceneQuery` that apply to a ray on a single shape.

use core::f32::consts::FRAC_1_SQRT_2;

use glam::{Quat, Vec3};
use parry_query::{
    cast_by_vehicle, cast_ray, ground_hit, is_surface, normal_against, reach, surface_triangles,
};
use parry3d::math::Pose;
use parry3d::query::{Ray, RayCast as _, RayIntersection};
use parry3d::shape::{
    Ball, Capsule, Cuboid, FeatureId, HalfSpace, HeightField, Shape, TriMesh, Triangle,
};
use parry3d::utils::Array2;
use rstest::rstest;
use vehicle_core::{BodyId, ColliderId, GroundRay, MaterialId, QueryFilter};

#[path = "sweeps/dice.rs"]
mod dice;

use dice::Dice;

/// Halfway between up and −x.
const SLANT: Vec3 = Vec3::new(-FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0);
const DOWN: Vec3 = Vec3::NEG_Y;

/// Bumps of up to 1.2 m, 8 by 6 cells of 2 m, and their vertices by index: rows run along z.
fn bumps() -> (HeightField, impl Fn(usize, usize) -> Vec3) {
    let height = |i: usize, j: usize| ((i * 7 + j * 3) % 5) as f32 * 0.3;
    let heights = (0..9).flat_map(|j| (0..7).map(move |i| height(i, j)));
    let heights = Array2::new(7, 9, heights.collect());
    let vertex = move |i: usize, j: usize| {
        Vec3::new(j as f32 * 2.0 - 8.0, height(i, j), i as f32 * 2.0 - 6.0)
    };
    (
        HeightField::new(heights, Vec3::new(16.0, 1.0, 12.0)),
        vertex,
    )
}

/// A slope that rises toward +x, through the origin, as a mesh or a heightfield.
fn slope(heightfield: bool) -> Box<dyn Shape> {
    if heightfield {
        let heights = Array2::new(2, 2, vec![-4.0, -4.0, 4.0, 4.0]);
        return Box::new(HeightField::new(heights, Vec3::new(8.0, 1.0, 8.0)));
    }
    let corners = [(-4.0, -4.0), (-4.0, 4.0), (4.0, 4.0), (4.0, -4.0)];
    let corners = corners.map(|(x, z)| Vec3::new(x, x, z));
    Box::new(TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap())
}

#[rstest]
#[case::of_a_surface_at_the_start(0.0, SLANT, true, SLANT)]
#[case::of_a_surface_at_the_start_from_below(0.0, -SLANT, true, SLANT)]
#[case::of_a_solid_at_the_start(0.0, SLANT, false, Vec3::Y)]
#[case::in_a_solid(0.0, Vec3::ZERO, false, Vec3::Y)]
#[case::of_a_solid(1.0, SLANT, false, SLANT)]
#[case::of_a_surface(1.0, SLANT, true, SLANT)]
#[case::from_behind(1.0, -SLANT, true, SLANT)]
#[case::of_any_length(1.0, SLANT * 5.0, true, SLANT)]
#[case::across_the_ray(1.0, Vec3::NEG_X, true, Vec3::NEG_X)]
#[case::none_at_all(1.0, Vec3::ZERO, true, Vec3::Y)]
fn the_normal_is_of_the_ground_unless_the_ray_starts_in_a_solid(
    #[case] distance: f32,
    #[case] normal: Vec3,
    #[case] surface: bool,
    #[case] expected: Vec3,
) {
    let hit = RayIntersection::new(distance, normal, FeatureId::Unknown);
    let told = normal_against(&hit, surface, DOWN);
    assert!((told - expected).length() < 1e-6, "{told}");
}

/// A surface has no inside: a ray that starts on it gets its normal.
#[rstest]
fn a_ray_that_starts_on_a_surface_gets_its_normal(
    #[values(true, false)] heightfield: bool,
    #[values(DOWN, Vec3::new(0.6, -0.8, 0.0), Vec3::new(0.0, -0.6, 0.8))] direction: Vec3,
) {
    let shape = slope(heightfield);
    // Next to the diagonal.
    let ray = Ray::new(Vec3::new(1.0, 1.0, -0.5), direction);
    let hit = cast_ray(&*shape, &Pose::IDENTITY, &ray, 1.0).unwrap();
    assert!(hit.time_of_impact.abs() < 1e-6, "{hit:?}");
    let normal = normal_against(&hit, is_surface(&*shape), direction);
    assert!((normal - SLANT).length() < 1e-6, "{normal}");
}

#[test]
fn only_shapes_of_triangles_are_surfaces() {
    assert!(is_surface(&*slope(false)) && is_surface(&*slope(true)));
    let triangle = Triangle::new(Vec3::X, Vec3::Y, Vec3::Z);
    let solids: [&dyn Shape; 3] = [&Ball::new(1.0), &Cuboid::new(Vec3::ONE), &triangle];
    for solid in solids {
        assert!(!is_surface(solid));
        assert_eq!(surface_triangles(solid), None);
    }
}

/// Enough for the last bits of the coordinates, but no more.
#[rstest]
#[case::at_the_origin(1.0, Vec3::ZERO, 1.0)]
#[case::a_short_ray(0.01, Vec3::splat(0.1), 1.0)]
#[case::a_long_ray(50.0, Vec3::X, 50.0)]
#[case::far_away(2.0, Vec3::new(30.0, -4000.0, 2.0), 4000.0)]
fn the_search_length_includes_rounding(
    #[case] length: f32,
    #[case] origin: Vec3,
    #[case] size: f32,
) {
    let more = reach(length, origin) - length;
    let bits = more / (size * f32::EPSILON);
    // The sum is rounded, too.
    assert!(bits > 3.0 && bits < 5.0, "{bits}");
}

/// Vertices, and points along all three kinds of edges, in various poses and at various distances.
#[rstest]
#[case::as_it_is(Pose::IDENTITY)]
#[case::moved(Pose::from_translation(Vec3::new(3.0, -7.0, 11.0)))]
#[case::turned(Pose::from_parts(Vec3::new(-2.0, 1.0, 5.0), Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)))]
fn rays_along_the_grid_of_a_heightfield_find_it(
    #[case] pose: Pose,
    #[values(0.0, 0.25, 0.5)] share: f32,
    #[values(0.01, 2.0, 300.0)] height: f32,
) {
    let (field, vertex) = bumps();
    let tolerance = 4.0 * f32::EPSILON * height.max(16.0);
    for (i, j, along) in edges() {
        let end = vertex(i + along.0, j + along.1);
        let place = vertex(i, j).lerp(end, share);
        let from = pose.transform_point(place + Vec3::Y * height);
        let ray = Ray::new(from, pose.transform_vector(DOWN));
        // Not beyond the ground.
        let hit = cast_ray(&field, &pose, &ray, reach(height, from));
        let hit = hit.unwrap_or_else(|| panic!("{i} {j} {along:?}: missed"));
        let off = (hit.time_of_impact - height).abs();
        assert!(off < tolerance, "{i} {j} {along:?}: {hit:?} {height}");
        let normal = pose.inverse_transform_vector(hit.normal);
        assert!(normal.y.abs() > 0.5, "{normal}");
    }
}

/// Edges of the grid, including its rim: the start and the direction of each.
fn edges() -> impl Iterator<Item = (usize, usize, (usize, usize))> {
    let all = (0..7).flat_map(|i| (0..9).flat_map(move |j| [(i, j, (0, 1)), (i, j, (1, 0))]));
    all.filter(|&(i, j, along)| i + along.0 < 7 && j + along.1 < 9)
}

/// A large heightfield has no gaps for any size of the cells.
#[rstest]
fn a_large_heightfield_has_no_gaps(#[values(10.0, 1e3, 1e5)] size: f32) {
    let (small, vertex) = bumps();
    let large = Vec3::new(size, 1.0, size);
    let field = HeightField::new(small.heights().clone(), small.scale() * large);
    for (i, j, _) in edges() {
        let place = vertex(i, j);
        let ray = Ray::new(place * large + Vec3::Y * 3.0, DOWN);
        let hit = cast_ray(&field, &Pose::IDENTITY, &ray, 5.0);
        let hit = hit.unwrap_or_else(|| panic!("{i} {j}: missed"));
        let off = (hit.time_of_impact - 3.0).abs();
        assert!(off < 1e-4, "{i} {j}: {hit:?}");
    }
}

/// Hits beyond the reach are not found, on grid lines neither.
#[rstest]
fn a_ray_that_ends_above_a_heightfield_misses(#[values(0.0, 0.3)] beside: f32) {
    let (field, vertex) = bumps();
    let from = vertex(2, 3) + Vec3::new(0.0, 2.0, beside);
    let ray = Ray::new(from, DOWN);
    let found = |reach: f32| cast_ray(&field, &Pose::IDENTITY, &ray, reach);
    let distance = found(9.0).unwrap().time_of_impact;
    assert!(found(distance - 1e-2).is_none());
    assert!(found(distance + 1e-2).is_some());
    let up = Ray::new(from, Vec3::Y);
    assert!(cast_ray(&field, &Pose::IDENTITY, &up, 9.0).is_none());
}

/// A ray just beyond the rim of a heightfield misses.
#[test]
fn a_ray_beside_a_heightfield_misses() {
    let (field, _) = bumps();
    for (x, z) in [(8.01, 0.0), (-8.01, 2.0), (2.0, 6.01), (0.0, -6.01)] {
        let ray = Ray::new(Vec3::new(x, 5.0, z), DOWN);
        assert!(cast_ray(&field, &Pose::IDENTITY, &ray, 9.0).is_none());
    }
}

/// The middle of each triangle of the data is hit with its index.
#[test]
fn triangles_of_a_heightfield_are_numbered_as_in_hits() {
    let (field, vertex) = bumps();
    let (vertices, corners) = surface_triangles(&field).unwrap();
    assert_eq!((vertices.len(), corners.len()), (7 * 9, 2 * 6 * 8));
    for (number, corners) in corners.iter().enumerate() {
        let [a, b, c] = corners.map(|corner| vertices[corner as usize]);
        let middle = (a + b + c) / 3.0;
        let ray = Ray::new(middle + Vec3::Y, DOWN);
        let hit = cast_ray(&field, &Pose::IDENTITY, &ray, 2.0).unwrap();
        assert!((hit.time_of_impact - 1.0).abs() < 1e-5, "{number}: {hit:?}");
        assert_eq!(hit.subshape as usize, number);
    }
    for i in 0..7 {
        for j in 0..9 {
            let near = |corner: &Vec3| (*corner - vertex(i, j)).length() < 1e-5;
            assert!(vertices.iter().any(near), "{i} {j}");
        }
    }
}

#[test]
fn triangles_of_a_mesh_are_unchanged() {
    let mesh = TriMesh::new(vec![Vec3::X, Vec3::Y, Vec3::Z], vec![[2, 0, 1]]).unwrap();
    let (vertices, corners) = surface_triangles(&mesh).unwrap();
    assert_eq!((&*vertices, &*corners), (mesh.vertices(), mesh.indices()));
}

/// Hills on a square of 24 m about the origin, with cells of this size, as a mesh.
fn hills(cell: f32) -> TriMesh {
    let side = (24.0 / cell) as u32 + 1;
    let vertex = |n: u32| {
        let at = |index: u32| index as f32 * cell - 12.0;
        let (x, z) = (at(n % side), at(n / side));
        Vec3::new(x, 0.5 * libm::sinf(x / 3.0) * libm::cosf(z / 4.0), z)
    };
    let corner = |n: u32| n + n / (side - 1);
    let cells = (0..(side - 1) * (side - 1)).map(corner);
    let pair = |n| [[n, n + side, n + 1], [n + 1, n + side, n + side + 1]];
    let vertices = (0..side * side).map(vertex).collect();
    TriMesh::new(vertices, cells.flat_map(pair).collect()).unwrap()
}

/// The nearest of all triangles, of equally near ones the lowest.
fn brute_force(mesh: &TriMesh, ray: &Ray, reach: f32) -> Option<(f32, u32)> {
    let hit = |(number, triangle): (u32, Triangle)| {
        let hit = triangle.cast_local_ray_and_get_normal(ray, reach, true)?;
        Some((hit.time_of_impact, number))
    };
    let hits = (0..).zip(mesh.triangles()).filter_map(hit);
    hits.min_by(|a, b| a.partial_cmp(b).unwrap())
}

/// Rays above hills, down and aslant, some from below: short rays, as of wheels, and long ones.
fn some_rays(dice: &mut Dice) -> Ray {
    let down = if dice.roll() > 0.5 {
        dice.direction()
    } else {
        DOWN + dice.vector(0.3)
    };
    // A quarter on the grid.
    let place = dice.vector(11.0);
    let place = if dice.roll() > 0.5 {
        place.round()
    } else {
        place
    };
    let start = place.with_y(0.7 * dice.roll());
    Ray::new(start, down.normalize())
}

/// A mesh is hit to the bit as the nearest of its triangles, with few triangles near a ray or many.
#[rstest]
fn a_mesh_is_hit_where_the_nearest_of_its_triangles_is(#[values(0.25, 1.0, 6.0)] cell: f32) {
    let (mesh, mut dice, mut hits) = (hills(cell), Dice(1), 0);
    for _ in 0..1500 {
        let ray = some_rays(&mut dice);
        let reach = if dice.roll() > 0.8 { 30.0 } else { 1.5 };
        let hit = cast_ray(&mesh, &Pose::IDENTITY, &ray, reach);
        let expected = brute_force(&mesh, &ray, reach);
        let told = hit.map(|hit| hit.time_of_impact);
        assert_eq!(told, expected.map(|best| best.0), "{ray:?}");
        hits += u32::from(hit.is_some());
        // Of many, Parry finds them, and chooses among equally near ones.
        if reach < 2.0 && cell >= 1.0 {
            assert_eq!(hit.map(|hit| hit.subshape), expected.map(|best| best.1));
        }
    }
    assert!((300..1400).contains(&hits), "{hits}");
}

/// Rays of one vehicle get the bits that each gets alone, also in turned axes.
#[rstest]
#[case::as_it_is(Pose::IDENTITY)]
#[case::turned(Pose::from_parts(Vec3::new(0.3, 0.1, -0.2), Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)))]
#[case::aslant(Pose::from_parts(Vec3::X, Quat::from_rotation_x(0.1)))]
fn rays_of_a_vehicle_are_answered_as_each_alone(#[case] pose: Pose) {
    let coarse = hills(6.0);
    let fine = hills(0.25);
    let (field, _) = bumps();
    let plane = HalfSpace::new(Vec3::Y);
    let capsule = Capsule::new(Vec3::ZERO, Vec3::X * 3.0, 0.4);
    let cuboid = Cuboid::new(Vec3::new(5.0, 0.2, 5.0));
    let shapes: [&dyn Shape; 6] = [&coarse, &fine, &field, &plane, &capsule, &cuboid];
    let mut dice = Dice(2);
    for shape in shapes {
        let mut hit = 0;
        for count in (2..=7).cycle().take(150) {
            let rays: Vec<GroundRay> = (0..count).map(|_| ground_ray(&mut dice, &pose)).collect();
            let alone = |ray: &GroundRay| {
                let line = Ray::new(ray.offset, ray.direction);
                let within = reach(ray.length, ray.offset);
                let hit = cast_ray(shape, &pose, &line, within)?;
                Some(ground_hit(ray, ColliderId(3), &hit, is_surface(shape), tag))
            };
            let mut hits = vec![None; rays.len()];
            let together = |groups: &mut parry_query::RayGroups<'_>| {
                for group in groups.iter_mut() {
                    group.cast(ColliderId(3), shape, &pose, tag);
                }
            };
            cast_by_vehicle(&rays, &mut hits, together, alone);
            for (ray, hit) in rays.iter().zip(&hits) {
                assert_eq!(*hit, alone(ray), "{ray:?}");
            }
            hit += hits.iter().flatten().count();
        }
        assert!(hit > 50, "{hit} of {:?}", shape.shape_type());
    }
}

fn ground_ray(dice: &mut Dice, pose: &Pose) -> GroundRay {
    let ray = some_rays(dice);
    GroundRay {
        anchor: glam::DVec3::ZERO,
        offset: pose.transform_point(ray.origin * 0.3),
        direction: pose.transform_vector(ray.dir),
        length: if dice.roll() > 0.9 { 20.0 } else { 1.5 },
        filter: QueryFilter::except(BodyId(1)),
    }
}

/// Tells triangles apart.
fn tag(triangle: Option<u32>) -> (MaterialId, Option<BodyId>) {
    (MaterialId(triangle.unwrap_or(u32::MAX)), None)
}
