//! Seconds to open large grounds, by world: a heightfield of 4 million cells, a mesh of 4 million triangles.
//!
//! `cargo bench -p jounce-proving-ground --features rapier --bench opening`

use std::time::Instant;

use glam::DVec3;
use jounce::scene::{Axes, HeightField, Triangles};
use proving_ground::ground::Terrain;
use proving_ground::world::{self, WorldKind};

/// Cells along each side of the heightfield.
const CELLS: usize = 2000;
/// Quads along each side of the mesh, two triangles each.
const QUADS: usize = 1414;

fn field(cells: usize) -> HeightField {
    let size = [cells + 1; 2];
    let height = |x: f64, y: f64| (0.01 * x).sin() * (0.013 * y).cos() * 5.0;
    HeightField::from_fn(Axes::Z_UP, DVec3::ZERO, 1.0, size, height).expect("the grid is valid")
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = work();
    println!("{what:<52} {:>6.2} s", start.elapsed().as_secs_f64());
    made
}

fn main() {
    let obj = field(QUADS).triangles().to_obj();
    let triangles = timed("mesh: its text read", || {
        Triangles::from_obj("mesh.obj", &obj).expect("the text is valid")
    });
    drop(obj);
    let mesh = timed("mesh: terrain", || {
        Terrain::triangles("mesh".to_owned(), triangles).expect("the mesh is valid")
    });
    let heights = timed("heightfield: terrain", || {
        Terrain::height_field("heights".to_owned(), field(CELLS))
    });
    for (name, terrain) in [("heightfield", &heights), ("mesh", &mesh)] {
        for &kind in WorldKind::all() {
            timed(&format!("{name}: opened in {}", kind.name()), || {
                world::open(kind, terrain, 1.0 / 60.0).expect("the world opens")
            });
        }
    }
}
