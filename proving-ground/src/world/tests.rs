//! Requirements on every world.

mod actions;

use super::*;
use crate::ground::{GroundSpec, MeshUp};
use rstest::rstest;

#[rstest]
fn a_car_stands_still_where_it_is_placed(
    #[values(GroundSpec::Flat, GroundSpec::Slope(10.0))] spec: GroundSpec,
) {
    for &kind in WorldKind::all() {
        stand(kind, &spec);
    }
}

fn stand(kind: WorldKind, spec: &GroundSpec) {
    let terrain = Terrain::new(spec, MeshUp::Y).unwrap();
    let world = open(kind, &terrain, 0.01).unwrap();
    let car = jounce::presets::sedan();
    let start = Start {
        position: DVec2::new(20.0, 5.0),
        heading: 0.5,
    };
    let pose = rest_pose(&*world, &terrain, &car, start).unwrap();
    let up = pose.rotation * Vec3::Z;
    let (_, normal) = world.ground_at(start.position).unwrap();
    assert!(up.distance(normal) < 1e-3, "{up} {normal}");
    let height = terrain.height(start.position).unwrap();
    assert!((pose.origin.z - height).abs() < 5e-3);
}
