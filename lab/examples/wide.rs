//! Time that a world takes to open over a wide heightfield: `cargo run --release -p jounce-lab --example wide`, with the
//! number of cells along each side after `--` (2000: four million cells).

use core::error::Error;
use std::time::Instant;

use glam::{DVec2, DVec3};
use jounce::scene::{Axes, HeightField};
use proving_ground::ground::Terrain;
use proving_ground::world::{self, WorldKind};

/// Spacing of the heights (`m`).
const CELL: f64 = 0.5;

/// Waves of 2 m.
fn waves(cells: usize) -> Result<Terrain, Box<dyn Error>> {
    let half = 0.5 * CELL * cells as f64;
    let low = DVec3::new(-half, -half, 0.0);
    let height = |x: f64, y: f64| libm::sin(0.04 * x) * libm::cos(0.03 * y);
    let size = [cells + 1; 2];
    let field = HeightField::from_fn(Axes::Z_UP, low, CELL, size, height)?;
    Ok(Terrain::height_field("waves".to_owned(), field))
}

fn main() -> Result<(), Box<dyn Error>> {
    let cells = std::env::args().nth(1);
    let cells = cells.map_or(Ok(2000), |cells| cells.parse())?;
    let started = Instant::now();
    let terrain = waves(cells)?;
    println!("{cells} x {cells} cells, made in {:.2?}", started.elapsed());
    for &kind in WorldKind::all() {
        let started = Instant::now();
        let world = world::open(kind, &terrain, 1.0 / 60.0)?;
        let (ground, _) = world.ground_at(DVec2::ZERO).ok_or("no ground")?;
        let opened = started.elapsed();
        println!(
            "{:12}{opened:.2?}, ground at {:.3} m",
            kind.name(),
            ground.z
        );
    }
    Ok(())
}
