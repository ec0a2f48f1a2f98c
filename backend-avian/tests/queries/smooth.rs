//! Smooth normals on top of an Avian world.

use core::f64::consts::TAU;

use backend_avian::surface_triangles;
use jounce::scene::{SmoothNormals, SmoothSurface, SmoothSurfaces, Triangles};
use parry3d::shape::HeightFieldFlags;
use parry3d::utils::Array2;

use super::*;

/// Waves of 8 m along x, 20 cm from trough to crest.
fn height(x: f64) -> f64 {
    0.1 * (x * TAU / 8.0).sin()
}

/// 40 m of waves in half-meter steps; y is up.
fn waves(mesh: bool) -> Collider {
    let mut heights = Array2::zeros(21, 81);
    for row in 0..21 {
        for column in 0..81 {
            heights[(row, column)] = height(column as f64 * 0.5 - 20.0) as f32;
        }
    }
    let flags = HeightFieldFlags::empty();
    let field = SharedShape::heightfield_with_flags(heights, Vec3::new(40.0, 1.0, 10.0), flags);
    if mesh {
        let (vertices, corners) = surface_triangles(&*field.0).unwrap();
        Collider::trimesh(vertices, corners)
    } else {
        field.into()
    }
}

#[rstest]
fn surfaces_of_avian_can_be_smoothed(#[values(false, true)] mesh: bool) {
    let ground = waves(mesh);
    let (vertices, corners) = surface_triangles(ground.shape_scaled().as_ref()).unwrap();
    let vertices = vertices.iter().map(|v| v.as_dvec3()).collect();
    let surface = SmoothSurface::new(Triangles { vertices, corners }).unwrap();
    let (mut app, entity) = app_with((RigidBody::Static, ground));
    let mut surfaces = SmoothSurfaces::default();
    surfaces.set(collider_id(entity), surface);
    let (mut facet, mut rounded) = (0.0_f64, 0.0_f64);
    AvianWorld::scope(app.world_mut(), |world| {
        let smooth = SmoothNormals::new(world, &surfaces);
        for i in 0..300_u16 {
            let x = f64::from(i) * 0.1 - 15.0;
            let ray = GroundRay {
                anchor: DVec3::new(x, 1.0, 0.63),
                direction: Vec3::NEG_Y,
                length: 2.0,
                filter: ANY,
                ..GroundRay::BLANK
            };
            let slope = 0.1 * TAU / 8.0 * (x * TAU / 8.0).cos();
            let ideal = DVec3::new(-slope, 1.0, 0.0).normalize();
            let off = |query: &dyn SceneQuery| {
                let mut hits = [None];
                query.cast_rays(&[ray], &mut hits);
                (hits[0].expect("a hit").normal.as_dvec3() - ideal).length()
            };
            facet = facet.max(off(smooth.world()));
            rounded = rounded.max(off(&smooth));
        }
    });
    assert!(rounded < 0.25 * facet, "facets {facet}, smooth {rounded}");
}
