//! Grounds with several surfaces, in worlds.

use glam::{DVec2, DVec3, Vec3};
use jounce::core::{GroundRay, MaterialId, QueryFilter};
use jounce::scene::{Axes, HeightField};

use super::{GroundSpec, MeshUp, Terrain};
use crate::world::{self, WorldKind};

/// Worlds whose hits have the material of their triangle.
fn worlds() -> Vec<WorldKind> {
    vec![
        WorldKind::Standalone,
        #[cfg(feature = "rapier")]
        WorldKind::Rapier,
    ]
}

/// The material under a place, as a wheel's ray finds it.
fn material(world: &dyn world::World, at: DVec2) -> MaterialId {
    let ray = GroundRay {
        anchor: at.extend(50.0),
        direction: Vec3::NEG_Z,
        length: 100.0,
        filter: QueryFilter {
            layers: u32::MAX,
            ignore: [None; 2],
            dynamic_bodies: true,
        },
        ..GroundRay::BLANK
    };
    let mut hits = [None];
    world.cast_rays(&[ray], &mut hits);
    hits[0].expect("there is ground").material
}

/// A file in a folder of its own.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("jounce-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (file, text) in files {
            std::fs::write(folder.join(file), text).unwrap();
        }
        Self(folder)
    }

    fn terrain(&self, file: &str) -> Result<Terrain, crate::ProvingError> {
        Terrain::new(&GroundSpec::File(self.0.join(file)), MeshUp::Y)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Two lanes along x, z up: the left one is a frozen lake, the right one a road.
const LANES: &str = "v -50 -5 0\nv 200 -5 0\nv 200 0 0\nv -50 0 0\nv 200 5 0\nv -50 5 0\n\
                     usemtl Road\nf 1 2 3 4\nusemtl Frozen lake\nf 4 3 5 6\n";

#[test]
fn a_ground_file_gives_surfaces_to_the_materials_of_a_mesh() {
    let text = "schema = 1\n[mesh]\nfile = \"lanes.obj\"\nup = \"z\"\n[materials]\n\
                \"Frozen lake\" = \"ice\"\nRoad = \"damp\"\n[surfaces]\ndamp = 0.8\n";
    let folder = Folder::new("lanes", &[("lanes.obj", LANES), ("lanes.toml", text)]);
    let terrain = folder.terrain("lanes.toml").unwrap();
    assert!(terrain.notes.is_empty(), "{:?}", terrain.notes);
    let surfaces = &terrain.surfaces;
    for kind in worlds() {
        let world = world::open(kind, &terrain, 1.0 / 60.0).unwrap();
        let friction = |y: f64| {
            let surface = surfaces.surface_type(material(&*world, DVec2::new(10.0, y)));
            surfaces.friction(surface, jounce::core::TireType(0))
        };
        assert_eq!([friction(-2.0), friction(2.0)], [0.8, 0.1], "{kind:?}");
    }
}

#[test]
fn faults_of_a_ground_file_are_told_together_with_their_lines() {
    let text = "schema = 2\ndefault = \"mud\"\n[mesh]\nfile = \"lanes.obj\"\n[materials]\nRoad = \"icee\"\n\
                [surfaces]\ndamp = -0.8\n";
    let folder = Folder::new("faults", &[("lanes.obj", LANES), ("g.toml", text)]);
    let told = folder.terrain("g.toml").unwrap_err().to_string();
    let names = "must be one of asphalt, ice, gravel, wet, damp";
    for part in [
        "g.toml:1: schema = 2: must be 1".to_owned(),
        format!("g.toml:2: default = \"mud\": {names}"),
        format!("g.toml:6: materials.Road = \"icee\": {names}"),
        "g.toml:8: surfaces.damp = -0.8: ".to_owned(),
    ] {
        assert!(told.contains(&part), "{part}\n{told}");
    }
}

/// A checkerboard whose triangles all differ from their neighbors, so that a wrong order is noticed.
#[test]
fn every_triangle_of_a_heightfield_has_its_material_in_every_world() {
    let (rows, columns) = (5, 4);
    let height = |x: f64, y: f64| 0.3 * x - 0.2 * y + 0.1 * x * y;
    let low = DVec3::new(-3.0, 2.0, 0.0);
    let field = HeightField::from_fn(Axes::Z_UP, low, 1.5, [rows, columns], height).unwrap();
    let materials = (0..2 * (rows - 1) * (columns - 1)).map(|n| MaterialId(n as u32));
    let terrain = Terrain::height_field("board".to_owned(), field).covered(materials.collect());
    for kind in worlds() {
        let world = world::open(kind, &terrain, 1.0 / 60.0).unwrap();
        for i in 0..rows - 1 {
            for j in 0..columns - 1 {
                let cell = 2 * (i * (columns - 1) + j) as u32;
                let at = |x: f64, y: f64| {
                    let place = DVec2::new(i as f64 + x, j as f64 + y) * 1.5;
                    material(&*world, low.truncate() + place)
                };
                let found = [at(0.8, 0.3), at(0.3, 0.8)].map(|material| material.0);
                assert_eq!(found, [cell, cell + 1], "{kind:?}: {i}, {j}");
            }
        }
    }
}
