//! Results that must not depend on the time step: distances, times, circles, drops.

use jounce::core::{CarCommand, Gear};

use super::finding::{CarFinding, RATES};
use super::stage::{FLAT_OUT, FREE, Scene, Setup, Stage, steps};
use proving_ground::ProvingError;

/// 100 km/h (`m/s`).
const HUNDRED: f32 = 100.0 / 3.6;

/// The spread of a result over rates (`%`); the results are noted with their unit.
fn spread(
    rates: &[f32],
    unit: &str,
    result: impl Fn(f32) -> Result<f64, ProvingError>,
) -> Result<CarFinding, ProvingError> {
    let results = rates.iter().map(|rate| result(*rate));
    let results = results.collect::<Result<Vec<_>, _>>()?;
    let texts: Vec<String> = results
        .iter()
        .map(|result| format!("{result:.3}"))
        .collect();
    let note = format!("{} {unit}", texts.join("/"));
    Ok(CarFinding::noted(CarFinding::spread(&results), note))
}

/// Stopping distance from 100 km/h at full braking.
pub(super) fn stop(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const LONG_ENOUGH: f32 = 9.0;
    let scene = Scene {
        speed: HUNDRED,
        ..Scene::LEVEL
    };
    let command = CarCommand { brake: 1.0, ..FREE };
    spread(&RATES, "m", |rate| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        let start = stage.position()?;
        stage.run(LONG_ENOUGH, &command)?;
        Ok(stage.position()?.distance(start))
    })
}

/// Time from rest to 100 km/h at full throttle, or to 0.8 of the speed that a slower vehicle reaches within 40 s.
pub(super) fn launch(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const LONGEST: f32 = 40.0;
    let mut stage = Stage::new(setup, &Scene::IN_FIRST, RATES[0])?;
    stage.run(LONGEST, &FLAT_OUT)?;
    let aim = HUNDRED.min(0.8 * stage.velocity().length());
    spread(&RATES, "s", |rate| {
        let mut stage = Stage::new(setup, &Scene::IN_FIRST, rate)?;
        let mut before = 0.0;
        for n in 0..steps(LONGEST, rate) {
            stage.step(&FLAT_OUT)?;
            let speed = stage.velocity().length();
            if speed >= aim {
                let part = (aim - before) / (speed - before);
                return Ok(f64::from((n as f32 + part) / rate));
            }
            before = speed;
        }
        Ok(f64::NAN)
    })
}

/// The result of a steady circle.
#[derive(Clone, Copy, Debug)]
struct Circle {
    radius: f64,
    /// (`°`)
    roll: f64,
}

const CIRCLE_RATES: [f32; 5] = [30.0, 60.0, 120.0, 240.0, 480.0];

pub(super) fn circle_radius(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    spread(&CIRCLE_RATES, "m", |rate| Ok(circle(setup, rate)?.radius))
}

pub(super) fn circle_roll(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    spread(&CIRCLE_RATES, "deg", |rate| Ok(circle(setup, rate)?.roll))
}

/// A circle to the left at 11 m/s in third gear: mean of the last 5 s of 30.
fn circle(setup: &Setup<'_>, rate: f32) -> Result<Circle, ProvingError> {
    const SPEED: f32 = 11.0;
    const STEER: f32 = -0.15;
    /// Throttle per speed error (`s/m`).
    const GAIN: f32 = 0.3;
    let scene = Scene {
        gear: Gear(3),
        ..Scene::LEVEL
    };
    let mut stage = Stage::new(setup, &scene, rate)?;
    let (mut way, mut turned, mut roll) = (0.0, 0.0, 0.0);
    let last = steps(5.0, rate);
    let all = steps(30.0, rate);
    let mut place = stage.position()?;
    for n in 0..all {
        let throttle = (GAIN * (SPEED - stage.velocity().length())).clamp(0.0, 1.0);
        stage.step(&CarCommand {
            throttle,
            steer: STEER,
            ..FREE
        })?;
        let body = stage.body()?;
        if n >= all - last {
            way += body.position.distance(place);
            turned += f64::from(body.angular_velocity.z * stage.dt);
            roll += f64::from((body.rotation * glam::Vec3::Y).z.asin().to_degrees());
        }
        place = body.position;
    }
    Ok(Circle {
        radius: way / turned,
        roll: roll / last as f64,
    })
}

/// The lowest point of the center of mass of a car dropped from 2 m without its hull: struts and
/// bump stops stop it.
pub(super) fn drop(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let scene = Scene {
        lift: 2.0,
        hull: false,
        ..Scene::LEVEL
    };
    spread(&RATES, "m", |rate| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        let mut heights = Vec::new();
        for _ in 0..steps(1.5, rate) {
            stage.step(&FREE)?;
            heights.push(stage.position()?.z);
        }
        Ok(lowest(&heights))
    })
}

/// The lowest point of the parabola through the lowest of samples and its neighbors.
fn lowest(samples: &[f64]) -> f64 {
    let triples = samples.windows(3);
    let Some(&[a, b, c]) = triples.min_by(|x, y| x[1].total_cmp(&y[1])) else {
        return f64::NAN;
    };
    b - (c - a) * (c - a) / (8.0 * (a - 2.0 * b + c))
}

/// The lowest rate (`Hz`) down to which a car drives at full throttle for 10 s, upright, on its
/// wheels, and within a fifth of its speed at 60 Hz.
pub(super) fn lowest_rate(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const TRIED: [f32; 10] = [30.0, 20.0, 15.0, 12.0, 10.0, 8.0, 7.0, 6.0, 5.0, 4.0];
    let reference = sprint(setup, 60.0)?.unwrap_or(f32::NAN);
    let mut least = 60.0;
    for rate in TRIED {
        match sprint(setup, rate)? {
            Some(speed) if (speed / reference - 1.0).abs() <= 0.2 => least = rate,
            _ => break,
        }
    }
    Ok(CarFinding::noted(
        f64::from(least),
        format!("{reference:.1} m/s at 60 Hz"),
    ))
}

/// Speed after 10 s of full throttle (`m/s`); `None` unless the car stands on all its wheels then.
fn sprint(setup: &Setup<'_>, rate: f32) -> Result<Option<f32>, ProvingError> {
    let mut stage = Stage::new(setup, &Scene::IN_FIRST, rate)?;
    stage.run(10.0, &FLAT_OUT)?;
    let body = stage.body()?;
    let upright = (body.rotation * glam::Vec3::Z).z > 0.95;
    let wheels = 0..setup.car.model().wheel_count();
    let grounded = wheels
        .into_iter()
        .all(|n| !stage.vehicle.wheel_report(n).in_air);
    Ok((upright && grounded).then(|| stage.velocity().length()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_point_lies_between_samples() {
        let samples: Vec<f64> = (0..9).map(|n| (f64::from(n) - 4.3).powi(2) + 0.5).collect();
        assert!((lowest(&samples) - 0.5).abs() < 1e-12);
    }
}
