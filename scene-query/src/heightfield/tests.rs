//! Heightfields: shapes, rays along grid lines, errors.

use super::*;
use approx::assert_relative_eq;
use glam::Vec3;
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::frame::Axis;

const FAR: DVec3 = DVec3::new(1e5, -1e5, 9e4);

fn bumpy(axes: Axes, cell: f64) -> HeightField {
    HeightField::from_fn(axes, FAR, cell, [7, 5], |x, y| {
        let (i, j) = ((x / cell).round(), (y / cell).round());
        (i * 7.0 + j * 3.0) % 5.0 * 0.3
    })
    .unwrap()
}

/// A ray in the field's own axes.
fn ray(field: &HeightField, from: DVec3, way: DVec3, length: f32) -> Ray {
    Ray {
        origin: field.origin + field.axes.to_world(from),
        direction: field.axes.to_world(way.normalize()),
        length,
    }
}

/// Rows run along x and the heights within a row along y, for any up axis.
#[rstest]
#[case::z_up(Axes::Z_UP, DVec3::new(2.0, 1.0, 0.0))]
#[case::y_up(Axes::Y_UP, DVec3::new(1.0, 0.0, 2.0))]
#[case::x_down(Axes::up(Axis::NegX), DVec3::new(0.0, 2.0, -1.0))]
fn axes_are_not_swapped(#[case] axes: Axes, #[case] beside: DVec3) {
    let rows = [vec![0.0, 0.0], vec![0.0, 0.0], vec![0.0, 5.0]];
    let field = HeightField::new(axes, DVec3::ZERO, 1.0, &rows).unwrap();
    let up = axes.to_world(DVec3::Z);
    let surface = field.surface(beside + up * 77.0).unwrap();
    assert_eq!(surface, beside + up * 5.0);
    assert_eq!(field.vertex(2, 1), surface);
}

#[test]
fn the_diagonal_is_the_documented_one() {
    let rows = [vec![0.0, 0.0], vec![1.0, 0.0]];
    let field = HeightField::new(Axes::Z_UP, DVec3::ZERO, 2.0, &rows).unwrap();
    let hit = |x, y| {
        field
            .cast(&ray(&field, DVec3::new(x, y, 3.0), DVec3::NEG_Z, 4.0))
            .unwrap()
    };
    assert_eq!(
        (hit(1.5, 0.5).triangle, hit(1.5, 0.5).distance),
        (Some(0), 2.5)
    );
    assert_eq!(
        (hit(0.5, 1.5).triangle, hit(0.5, 1.5).distance),
        (Some(1), 3.0)
    );
    let lean = Vec3::new(-0.5, 0.5, 1.0).normalize();
    assert!((hit(1.5, 0.5).normal - lean).length() < 1e-6);
    assert_eq!(hit(0.5, 1.5).normal, Vec3::Z);
}

#[test]
fn triangles_are_numbered_as_in_hits_and_face_up() {
    let field = bumpy(Axes::Y_UP, 0.5);
    let triangles = field.triangles();
    assert_eq!(triangles.corners.len(), 2 * 6 * 4);
    let up = field.axes.to_world(DVec3::Z);
    for (n, corners) in triangles.corners.iter().enumerate() {
        let [a, b, c] = corners.map(|corner| triangles.vertices[corner as usize]);
        assert!((b - a).cross(c - a).dot(up) > 0.0);
        let above = Ray {
            origin: (a + b + c) / 3.0 + up,
            direction: -up,
            length: 2.0,
        };
        assert_eq!(field.cast(&above).unwrap().triangle, Some(n as u32));
    }
}

#[test]
fn outside_is_empty_and_the_sides_are_walls() {
    let field = bumpy(Axes::Z_UP, 0.5);
    let extent = field.extent();
    assert_eq!(extent, DVec2::new(3.0, 2.0));
    for (x, y) in [(-0.01, 1.0), (3.01, 1.0), (1.0, -0.01), (1.0, 2.01)] {
        let down = ray(&field, DVec3::new(x, y, 3.0), DVec3::NEG_Z, 9.0);
        assert_eq!(field.cast(&down), None);
        assert_eq!(field.surface(down.origin), None);
    }
    let along = ray(&field, DVec3::new(-1.0, 1.0, -0.5), DVec3::X, 9.0);
    let hit = field.cast(&along).unwrap();
    assert_eq!((hit.distance, hit.normal), (1.0, Vec3::NEG_X));
    let under = ray(&field, DVec3::new(1.0, 1.0, -0.5), DVec3::X, 9.0);
    assert!(field.cast(&under).unwrap().inside);
}

#[test]
fn faults_are_reported_together() {
    let rows = [vec![0.0, 1.0], vec![0.0]];
    let error = HeightField::new(Axes::Z_UP, DVec3::ZERO, 0.0, &rows).unwrap_err();
    assert_eq!(
        error.to_string(),
        "2 invalid parameter(s):\n\
         heightfield.cell = 0 m: must be finite and > 0\n\
         heightfield.rows[1].length = 1: must be 2 as in rows[0]"
    );
    let rows = [vec![0.0, f32::NAN], vec![f32::INFINITY, 0.0]];
    let error = HeightField::new(Axes::Z_UP, DVec3::ZERO, 1.0, &rows).unwrap_err();
    assert_eq!(
        error.to_string(),
        "2 invalid parameter(s):\n\
         heightfield.rows[0][1] = NaN m: must be finite\n\
         heightfield.rows[1][0] = inf m: must be finite"
    );
}

proptest! {
    // Multiples of half a grid unit: vertices, edge midpoints, diagonals and cell centers, all
    // exact.
    #[test]
    fn down_on_vertices_and_edges_hits(
        i in 0..=12_u32,
        j in 0..=8_u32,
        cell in prop_oneof![Just(0.1), Just(0.5), Just(1.7)],
    ) {
        let field = bumpy(Axes::Y_UP, cell);
        let at = DVec3::new(f64::from(i) * 0.5 * cell, f64::from(j) * 0.5 * cell, 2.0);
        // At most half a micrometer inwards: rounding far away moves points off the grid.
        let extent = field.extent();
        let local = at.clamp(DVec3::splat(5e-7), DVec3::new(extent.x - 5e-7, extent.y - 5e-7, 9.0));
        let down = ray(&field, local, DVec3::NEG_Z, 9.0);
        let surface = field.surface(down.origin).unwrap();
        let hit = field.cast(&down).unwrap();
        let expected = (down.origin - surface).length();
        prop_assert!((f64::from(hit.distance) - expected).abs() < 1e-6);
    }

    #[test]
    fn down_anywhere_hits_at_the_height(x in 0.0..3.0_f64, y in 0.0..2.0_f64) {
        let field = bumpy(Axes::Z_UP, 0.5);
        let down = ray(&field, DVec3::new(x, y, 4.0), DVec3::NEG_Z, 9.0);
        let expected = (down.origin - field.surface(down.origin).unwrap()).length();
        prop_assert!((f64::from(field.cast(&down).unwrap().distance) - expected).abs() < 1e-6);
    }

    // A ray steeper than any slope and aimed at a vertex must hit there.
    #[test]
    fn slanted_rays_at_vertices_hit(
        i in 1..6_usize,
        j in 1..4_usize,
        from in prop::array::uniform2(-4.0..4.0_f64),
    ) {
        let field = bumpy(Axes::Y_UP, 0.5);
        let vertex = field.axes.to_local(field.vertex(i, j) - field.origin);
        let start = vertex + DVec3::new(from[0], from[1], 20.0);
        let aimed = ray(&field, start, vertex - start, 40.0);
        let hit = field.cast(&aimed).unwrap();
        let at = aimed.at(f64::from(hit.distance));
        prop_assert!(hit.normal.as_dvec3().dot(aimed.direction) < 0.0);
        prop_assert!((field.vertex(i, j) - at).length() < 1e-5);
    }

    #[test]
    fn grid_lines_do_not_hide_walls(j in 0..=4_u32, x in -1.0..0.0_f64) {
        let field = bumpy(Axes::Z_UP, 0.5);
        let y = (f64::from(j) * 0.5).clamp(1e-6, 2.0 - 1e-6);
        let along = ray(&field, DVec3::new(x, y, 0.1), DVec3::X, 40.0);
        prop_assert!(field.cast(&along).is_some());
    }
}

#[test]
fn a_ray_hits_at_its_exact_end() {
    let field = bumpy(Axes::Z_UP, 0.1);
    let vertex = field.vertex(3, 2);
    let ray = Ray {
        origin: vertex + DVec3::Z,
        direction: DVec3::NEG_Z,
        length: 1.0,
    };
    assert_relative_eq!(field.cast(&ray).unwrap().distance, 1.0, epsilon = 1e-6);
}
