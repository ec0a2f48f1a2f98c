//! Triangle meshes against each of their triangles.

use glam::{DVec3, Vec3};
use rstest::rstest;
use scene_query::{Ground, Hit, Ray, ShapeHit, Sweep, TriangleMesh, Triangles, sweep_triangle};

use crate::{FAR, corners, cut, spread, sweep, vector};

/// Triangles of half the size of the space they fill, which extends `size` (`m`) to every side of
/// `center`. Their corners are on a nanometer grid, so that sums with the center are exact.
fn soup(center: DVec3, size: f64) -> Triangles {
    const GRID: f64 = (1 << 30) as f64;
    let corner = |n: usize, k: usize| {
        let place = vector(n) * 0.7 + vector(1000 + 5 * n + k * k) * 0.3;
        center + (place * size * GRID).round() / GRID
    };
    Triangles {
        vertices: (0..180).map(|n| corner(n / 3, n % 3)).collect(),
        corners: (0..60).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect(),
    }
}

/// The nearest of all triangles, the lowest index of equally near ones.
fn nearest(ray: &Ray, triangles: &Triangles) -> Option<(f64, u32)> {
    let all = 0..triangles.corners.len() as u32;
    let hits = all.filter_map(|n| Some((cut(ray, corners(triangles, n))?.0, n)));
    let on_ray = |t: f64| t >= 0.0 && t <= f64::from(ray.length);
    hits.filter(|hit| on_ray(hit.0))
        .min_by(|a, b| a.0.total_cmp(&b.0))
}

#[rstest]
fn a_ray_hits_the_nearest_of_all_triangles(
    #[values(0.3, 4.0, 900.0)] size: f64,
    #[values(DVec3::ZERO, FAR)] center: DVec3,
) {
    let triangles = soup(center, size);
    let mesh = TriangleMesh::of(&triangles).unwrap();
    let mut seen = 0;
    for n in 0..400 {
        let [.., x, y, z] = spread(n);
        let along_axis = n % 9 == 0;
        let way = if along_axis {
            DVec3::AXES[n % 3]
        } else {
            DVec3::new(x, y, z).normalize()
        };
        let ray = Ray {
            origin: center + vector(n + 500) * size - way * size,
            direction: way,
            length: (if n % 5 == 0 { 0.7 } else { 3.0 } * size) as f32,
        };
        let (expected, hit) = (nearest(&ray, &triangles), mesh.cast(&ray));
        assert_eq!(
            hit.map(|hit| hit.triangle),
            expected.map(|near| Some(near.1))
        );
        if let (Some(hit), Some((distance, number))) = (hit, expected) {
            seen += 1;
            let off = (f64::from(hit.distance) - distance).abs();
            assert!(off < 2e-7 * distance.max(1.0), "{hit:?} {distance}");
            let normal = against(&ray, corners(&triangles, number));
            assert!((hit.normal - normal).length() < 1e-6, "{hit:?} {normal}");
        }
    }
    assert!(seen > 100, "{seen}");
}

/// The normal of a triangle on the side the ray comes from.
fn against(ray: &Ray, [a, b, c]: [DVec3; 3]) -> Vec3 {
    let normal = (b - a).cross(c - a).normalize();
    (normal * -normal.dot(ray.direction).signum()).as_vec3()
}

/// Corners are inside the tree's boxes, despite single precision.
#[rstest]
fn a_mesh_reaches_as_far_as_its_corners(
    #[values(3.0, 900.0, 30_000.0)] size: f64,
    #[values(DVec3::ZERO, FAR)] center: DVec3,
) {
    let mesh = TriangleMesh::of(&soup(center, size)).unwrap();
    for corner in mesh.triangles().vertices {
        for axis in DVec3::AXES {
            // Rays along an axis are parallel to the sides of boxes.
            for way in [axis, -axis] {
                let ray = Ray {
                    origin: corner - way * 0.25,
                    direction: way,
                    length: 0.26,
                };
                let hit = mesh.cast(&ray);
                assert!(hit.is_some_and(|hit| hit.distance < 0.251), "{corner}");
            }
        }
    }
}

/// A ray hits the first of `copies` coincident triangles among others.
#[rstest]
fn of_coincident_triangles_the_lowest_index_is_hit(
    #[values(2, 3, 7, 30)] copies: usize,
    #[values(1, 7, 13)] stride: usize,
) {
    let roof = [DVec3::ZERO, DVec3::X * 2.0, DVec3::Y * 2.0];
    let count = copies + 20;
    let mut vertices = roof.to_vec();
    let mut triangles = vec![[0, 1, 2]; count];
    // Other triangles nearby; a stride coprime to the count spreads their indices.
    assert!(stride == 1 || !count.is_multiple_of(stride));
    for n in 0..20 {
        let place = (n * stride + 1) % count;
        let start = vertices.len() as u32;
        vertices.extend(roof.map(|corner| corner + vector(n) * 9.0 + DVec3::X * 20.0));
        triangles[place] = [start, start + 1, start + 2];
    }
    let lowest = triangles.iter().position(|t| *t == [0, 1, 2]).unwrap();
    let mesh = TriangleMesh::new(&vertices, &triangles).unwrap();
    for side in [1.0, -1.0] {
        let ray = Ray {
            origin: DVec3::new(0.5, 0.5, side),
            direction: DVec3::Z * -side,
            length: 2.0,
        };
        let hit = mesh.cast(&ray).unwrap();
        assert_eq!((hit.triangle, hit.distance), (Some(lowest as u32), 1.0));
        assert_eq!(hit.normal, Vec3::Z * side as f32);
    }
}

/// Reordering the triangles changes only their indices.
#[test]
fn the_order_of_triangles_does_not_matter() {
    let triangles = soup(FAR, 4.0);
    let last = triangles.corners.len() as u32 - 1;
    let mut reversed = triangles.clone();
    reversed.corners.reverse();
    let [mesh, other] = [triangles, reversed].map(|t| TriangleMesh::of(&t).unwrap());
    for n in 0..300 {
        let way = vector(n + 40).normalize();
        let ray = Ray {
            origin: FAR + vector(n) * 4.0 - way * 4.0,
            direction: way,
            length: 12.0,
        };
        let renumbered = other.cast(&ray).map(|hit| Hit {
            triangle: hit.triangle.map(|number| last - number),
            ..hit
        });
        assert_eq!(mesh.cast(&ray), renumbered);
    }
}

fn all(ground: &impl Ground, sweep: &Sweep) -> Vec<ShapeHit> {
    let mut hits = vec![];
    ground.sweep(sweep, &mut |hit| hits.push(hit));
    hits
}

#[rstest]
fn a_sweep_hits_each_triangle_that_it_hits_alone(
    #[values(0.8, 4.0, 8.0)] size: f64,
    #[values(DVec3::ZERO, FAR)] center: DVec3,
) {
    let mesh = TriangleMesh::of(&soup(center, size)).unwrap();
    let triangles = mesh.triangles();
    let mut seen = 0;
    for n in 0..40 {
        let sweep = sweep(n, center + vector(n + 500) * size, vector(n + 40));
        let mut hits = all(&mesh, &sweep);
        hits.sort_by_key(|hit| hit.triangle);
        let alone = (0..triangles.corners.len() as u32).filter_map(|number| {
            let corners = corners(&triangles, number).map(|corner| corner - sweep.start);
            let hit = sweep_triangle(corners, &sweep.way)?;
            Some(ShapeHit {
                triangle: Some(number),
                ..hit
            })
        });
        let alone: Vec<_> = alone.collect();
        assert_eq!(hits, alone);
        seen += hits.len();
    }
    assert!(seen > 5, "{seen}");
}
