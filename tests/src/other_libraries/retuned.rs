//! Assertions of NVIDIA's tests about PhysX 5's behavior, and about cars changed while driving.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use jounce::core::profile::{ExplicitSettings, Solver, StickySettings};
use jounce::core::{CarCommand, Checked, VehicleParams};
use jounce::file::Car;
use proving_ground::stage::{FREE, Scene, Stage, steps};
use serde_json::json;

use super::{at_rate, noted, on_level, physx, six};
use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 6] = [
    Case::assertion(
        "on PhysX 5's profile, a car that has stood holds its place",
        holds,
    )
    .needs(Need::UserForces),
    Case::assertion(
        "on PhysX 5's profile, it holds its place to the side",
        holds_sideways,
    )
    .needs(Need::UserForces),
    Case::assertion(
        "wheels follow vanished ground at once, or as fast as they can",
        follows,
    )
    .needs(Need::Placing),
    Case::assertion("bump stops that give back throw a dropped car up", bounces),
    Case::assertion("wheels come off a car that drives on", wheels_off),
    Case::assertion("steering answers less at speed, in reverse too", answers),
];

/// Step rate where a single step must be short (`Hz`).
const FAST: f32 = 480.0;

/// Other parameters for a running car.
fn retune(stage: &mut Stage, change: impl FnOnce(&mut VehicleParams)) -> Result<(), Failure> {
    let model = stage.vehicle.model();
    let mut params = model.params().clone();
    change(&mut params);
    let broken = |error: &dyn core::fmt::Display| Failure::Broken(error.to_string());
    let params = Checked::new(params).map_err(|error| broken(&error))?;
    let model = model.with_params(params).map_err(|error| broken(&error))?;
    stage.vehicle.set_model(Arc::new(model));
    Ok(())
}

/// Other settings of the explicit solver for a running car.
fn retune_explicit(
    stage: &mut Stage,
    change: impl FnOnce(&mut ExplicitSettings),
) -> Result<(), Failure> {
    retune(stage, |params| {
        if let Solver::Explicit(settings) = &mut params.profile.solver {
            change(settings);
        }
    })
}

/// The sedan on `PhysX` 5's profile.
fn physx_5() -> Result<Car, Failure> {
    physx::sedan(|table| {
        table.insert("solver".to_owned(), "explicit".into());
        table.insert("profile".to_owned(), "physx-5".into());
    })
}

/// Strong enough in both directions to stop a car within a few steps.
const FIRM: StickySettings = StickySettings {
    forward_damping: 1000.0,
    side_damping: 1000.0,
    ..ExplicitSettings::PHYSX_5.sticky
};

/// Distance within a second (`m`) of a sedan out of gear that has stood for 1.2 times the hold
/// time, and is then pushed by what would give it this velocity (`m/s`).
///
/// NVIDIA's test pushes for a single step. The hold is computed before the engine's step, which
/// includes the push; to give it a chance to respond, the push lasts 0.2 s here.
fn pushed(backend: &dyn Backend, sticky: StickySettings, velocity: Vec3) -> Result<f64, Failure> {
    const PUSH: f32 = 0.2;
    let car = physx_5()?;
    let mut stage = at_rate(backend, &car, &Scene::LEVEL, FAST)?;
    retune_explicit(&mut stage, |settings| settings.sticky = sticky)?;
    stage.run(1.2 + 1.2 * FIRM.forward_time.max(FIRM.side_time), &FREE)?;
    let (body, start) = (stage.vehicle.body(), stage.position()?);
    stage.world.push(body, velocity * (car.mass() / PUSH))?;
    stage.run(PUSH, &FREE)?;
    stage.world.push(body, Vec3::ZERO)?;
    stage.run(1.0 - PUSH, &FREE)?;
    let moved = stage.position()? - start;
    Ok(moved.dot(velocity.normalize().as_dvec3()))
}

/// Distances with the hold, and with each of three conditions that prevent it.
fn ways(backend: &dyn Backend, velocity: Vec3) -> Result<[f64; 4], Failure> {
    let pushed = |sticky| pushed(backend, sticky, velocity);
    Ok([
        pushed(FIRM)?,
        pushed(StickySettings { speed: 0.0, ..FIRM })?,
        pushed(StickySettings {
            forward_time: 1000.0,
            side_time: 1000.0,
            ..FIRM
        })?,
        pushed(StickySettings {
            forward_damping: 0.0,
            side_damping: 0.0,
            ..FIRM
        })?,
    ])
}

fn holds(backend: &dyn Backend) -> Result<Measure, Failure> {
    let ways = ways(backend, Vec3::X)?;
    let free = ways[1..].iter().all(|way| *way > 0.5);
    noted(ways[0] < 0.01 && free, format!("{ways:.4?} m"))
}

/// Tires alone would resist a weaker push.
fn holds_sideways(backend: &dyn Backend) -> Result<Measure, Failure> {
    let ways = ways(backend, Vec3::Y * 1.7)?;
    // Held, the body rolls; free, it moves on.
    let free = ways[1..]
        .iter()
        .all(|way| *way > 0.02 && *way > 4.0 * ways[0]);
    noted(free, format!("{ways:.4?} m"))
}

/// Fraction of its travel from full droop that remains of a front wheel's jounce, a step after the
/// ground disappears.
fn follows(backend: &dyn Backend) -> Result<Measure, Failure> {
    let left = |limited: bool| -> Result<f32, Failure> {
        let mut stage = at_rate(backend, &physx_5()?, &Scene::LEVEL, FAST)?;
        retune(&mut stage, |params| {
            params.profile.limit_expansion = limited;
        })?;
        stage.run(1.0, &FREE)?;
        let droop = stage.vehicle.model().params().wheels[0]
            .suspension
            .max_droop;
        let before = stage.vehicle.wheel_report(0).jounce + droop;
        let body = stage.body()?;
        let above = body.position + DVec3::Z * 10.0;
        let id = stage.vehicle.body();
        stage.world.place(id, above, body.rotation)?;
        stage.step(&FREE)?;
        Ok((stage.vehicle.wheel_report(0).jounce + droop) / before)
    };
    let (free, limited) = (left(false)?, left(true)?);
    noted(
        free.abs() < 1e-6 && (0.9..1.0).contains(&limited),
        format!("{free:.6}, limited {limited:.4}"),
    )
}

/// The fastest rebound (`m/s`) of a sedan dropped from a meter, by the restitution of its stops.
fn bounces(backend: &dyn Backend) -> Result<Measure, Failure> {
    let rebound = |restitution: f32| -> Result<f32, Failure> {
        let scene = Scene {
            lift: 1.0,
            hull: false,
            ..Scene::LEVEL
        };
        let mut stage = at_rate(backend, &physx_5()?, &scene, FAST)?;
        retune_explicit(&mut stage, |settings| {
            settings.stops.restitution = restitution;
        })?;
        let mut fastest = 0.0_f32;
        for _ in 0..steps(1.0, FAST) {
            stage.step(&FREE)?;
            fastest = fastest.max(stage.velocity().z);
        }
        Ok(fastest)
    };
    let speeds = [rebound(0.0)?, rebound(0.5)?, rebound(1.0)?];
    let rise = speeds.is_sorted() && speeds[2] > 1.5 * speeds[0];
    noted(rise, format!("{speeds:.3?} m/s"))
}

/// The middle axle of a 6x6, at speed.
fn wheels_off(backend: &dyn Backend) -> Result<Measure, Failure> {
    let car = six::six(&six::FRONT_FOUR, &six::equal())?;
    let throttle = CarCommand {
        throttle: 0.3,
        ..FREE
    };
    let mut stage = on_level(backend, &car, &Scene::IN_FIRST)?;
    stage.run(2.0, &throttle)?;
    let mut fits = Ok(());
    retune(&mut stage, |params| {
        fits = params.enable_only(&[0, 1, 4, 5]);
    })?;
    fits.map_err(|error| Failure::Broken(error.to_string()))?;
    let (place, speed) = (stage.position()?.x, stage.velocity().x);
    stage.run(3.0, &throttle)?;
    let loads = [0, 1, 2, 3, 4, 5].map(|wheel| stage.vehicle.wheel_report(wheel).load);
    let way = stage.position()?.x - place;
    let weight = car.mass() * -proving_ground::stage::GRAVITY.z;
    let carried: f32 = loads.iter().sum();
    let holds = loads[2] == 0.0
        && loads[3] == 0.0
        && (carried / weight - 1.0).abs() < 0.02
        && way > f64::from(2.0 * speed);
    noted(
        holds,
        format!("loads {loads:.0?} N, {way:.2} m from {speed:.2} m/s"),
    )
}

/// Half as far at 20 m/s as at a standstill; vehicle2 does not define reverse.
fn answers(backend: &dyn Backend) -> Result<Measure, Failure> {
    let car: Car = physx::sedan(|table| {
        let response = json!({ "response": { "rows": [
            { "command": 0.0, "by_speed": [[0.0, 0.0], [20.0, 0.0]] },
            { "command": 1.0, "by_speed": [[0.0, 1.0], [20.0, 0.5]] },
        ] } });
        let response = toml::Value::try_from(response).expect("it is a table");
        let drivetrain = table["drivetrain"].as_table_mut().expect("a table");
        drivetrain.insert("steering".to_owned(), response);
        let axles = table["axles"].as_array_mut().expect("a list");
        for axle in axles {
            axle.as_table_mut().expect("a table").remove("toe_deg");
        }
    })?;
    let angle = |speed: f32| -> Result<f32, Failure> {
        let scene = Scene {
            speed,
            lift: 5.0,
            ..Scene::LEVEL
        };
        let mut stage = on_level(backend, &car, &scene)?;
        stage.step(&CarCommand { steer: 0.5, ..FREE })?;
        Ok(stage.vehicle.wheel_report(0).steer)
    };
    let angles = [angle(0.0)?, angle(20.0)?, angle(-20.0)?];
    let share = |n: usize| angles[n] / angles[0];
    expect(angles[0] < -0.1, || format!("{angles:?} rad"))?;
    let holds = [1, 2].iter().all(|n| (0.45..0.55).contains(&share(*n)));
    noted(holds, format!("{angles:.4?} rad"))
}
