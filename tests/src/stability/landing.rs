//! Cars that fall so far that their hulls hit the ground.

use super::finding::CarFinding;
use super::stage::{FREE, GRAVITY, Scene, Setup, Stage, steps};
use proving_ground::ProvingError;

/// Heights of the falls (`m`).
const HEIGHTS: [f64; 3] = [15.0, 20.0, 50.0];
/// Rate at which rebounds no longer depend on the rate (`Hz`).
const LIMIT: f32 = 960.0;
/// Time after the fall in which a car lands and rises (`s`).
const REBOUND: f32 = 3.0;

/// Height to which a car rises after its first landing from a fall, over its design height (`m`).
fn rebound(setup: &Setup<'_>, height: f64, rate: f32) -> Result<f64, ProvingError> {
    let scene = Scene {
        lift: height,
        ..Scene::LEVEL
    };
    let mut stage = Stage::new(setup, &scene, rate)?;
    let stands = stage.position()?.z - height;
    let fall = libm::sqrt(2.0 * height / f64::from(GRAVITY.length())) as f32;
    let (mut highest, mut landed) = (f64::NEG_INFINITY, false);
    for _ in 0..steps(fall + REBOUND, rate) {
        stage.step(&FREE)?;
        landed |= stage.velocity().z >= 0.0;
        if landed {
            highest = highest.max(stage.position()?.z);
        }
    }
    Ok(highest - stands)
}

/// Most that rebounds are away from those at 960 Hz (`%`).
pub(super) fn landing(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let limits = HEIGHTS.map(|height| rebound(setup, height, LIMIT));
    let limits = limits.into_iter().collect::<Result<Vec<_>, _>>()?;
    let found = CarFinding::at_rates(|rate| {
        let falls = HEIGHTS.into_iter().zip(&limits);
        falls
            .into_iter()
            .try_fold(0.0_f64, |worst, (height, limit)| {
                let off = rebound(setup, height, rate)? / limit - 1.0;
                Ok(worst.max(100.0 * off.abs()))
            })
    })?;
    Ok(CarFinding {
        note: format!("{limits:.2?} m"),
        ..found
    })
}
