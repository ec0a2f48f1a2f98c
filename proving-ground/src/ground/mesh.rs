//! Wavefront files as ground.

use std::path::Path;
use std::sync::Arc;

use glam::DVec3;
use jounce::core::MaterialId;
use jounce::scene::{ObjMesh, Triangles};

use super::assign::SurfaceRules;
use super::{MeshUp, Terrain};
use crate::error::ProvingError;

/// How much larger the area of a mesh is as seen along the other axis, if that is up.
const LYING: f64 = 2.0;

/// The ground of a Wavefront file, called `name`, with the surfaces of its materials.
///
/// # Errors
/// If the file cannot be read or has faults, or a rule is for a material that it lacks.
pub(super) fn load(
    name: String,
    path: &Path,
    up: MeshUp,
    rules: &SurfaceRules,
) -> Result<Terrain, ProvingError> {
    let ObjMesh {
        mut triangles,
        materials,
        material_of,
    } = ObjMesh::load(path)?;
    let file = path.display().to_string();
    let assigned = rules.assign(&file, &materials)?;
    let lying = lying(&file, &triangles, up);
    for vertex in &mut triangles.vertices {
        *vertex = up.to_world(*vertex);
    }
    let mut terrain = Terrain::triangles(name, triangles)?.begun_in_the_middle();
    terrain.notes.extend(lying.into_iter().chain(assigned.note));
    terrain.surfaces = rules.table.surfaces();
    let of = material_of.iter().map(|&n| assigned.materials[n as usize]);
    Ok(terrain.covered(of.collect()))
}

impl Terrain {
    /// This ground with a material for each triangle of its mesh or heightfield, by number.
    pub(super) fn covered(mut self, materials: Arc<[MaterialId]>) -> Self {
        let one = materials.first().copied().unwrap_or_default();
        let plain = materials.iter().all(|&material| material == one);
        for part in &mut self.grounds.0 {
            if plain {
                part.material = one;
            } else {
                part.triangle_materials = Some(Arc::clone(&materials));
            }
        }
        self
    }
}

/// A remark on a mesh that seems to lie on its side: its triangles cover far more area as seen along the other axis.
fn lying(file: &str, triangles: &Triangles, up: MeshUp) -> Option<String> {
    let area = |&[a, b, c]: &[u32; 3]| {
        let [a, b, c] = [a, b, c].map(|n| triangles.vertices[n as usize]);
        (b - a).cross(c - a).abs()
    };
    let seen: DVec3 = triangles.corners.iter().map(area).sum();
    let (other, axis, own) = match up {
        MeshUp::Y => (seen.z > LYING * seen.y, "z", "y"),
        MeshUp::Z => (seen.y > LYING * seen.z, "y", "z"),
    };
    other.then(|| {
        format!(
            "{file}: seems to have {axis} up, and is read with {own} up: most of its area faces {axis}; \
             turn it by --up {axis}, or by up = \"{axis}\" in a ground file"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::GroundSpec;
    use rstest::rstest;

    #[rstest]
    #[case::y_up("v 0 0 0\nv 9 0.1 0\nv 9 0 -9\nf 1 2 3\n", MeshUp::Y, None)]
    #[case::z_up("v 0 0 0\nv 9 0 0.1\nv 9 9 0\nf 1 2 3\n", MeshUp::Z, None)]
    #[case::z_as_y(
        "v 0 0 0\nv 9 0 0.1\nv 9 9 0\nf 1 2 3\n",
        MeshUp::Y,
        Some("turn it by --up z")
    )]
    #[case::y_as_z(
        "v 0 0 0\nv 9 0.1 0\nv 9 0 -9\nf 1 2 3\n",
        MeshUp::Z,
        Some("turn it by --up y")
    )]
    // At 45°, both may be.
    #[case::steep("v 0 0 0\nv 9 0 0\nv 9 9 9\nf 1 2 3\n", MeshUp::Y, None)]
    fn a_mesh_on_its_side_is_noticed(
        #[case] text: &str,
        #[case] up: MeshUp,
        #[case] told: Option<&str>,
    ) {
        let triangles = Triangles::from_obj("m.obj", text).unwrap();
        let note = lying("m.obj", &triangles, up);
        assert_eq!(note.is_some(), told.is_some(), "{note:?}");
        assert!(note.unwrap_or_default().contains(told.unwrap_or_default()));
    }

    #[test]
    fn the_hills_that_ship_stand_upright() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vehicles/hills.obj");
        let spec = GroundSpec::Mesh(path.into());
        let notes = |up| Terrain::new(&spec, up).unwrap().notes.len();
        assert_eq!([notes(MeshUp::Y), notes(MeshUp::Z)], [0, 1]);
    }
}
