//! Cars that steer on the spot and that cross speed 0.
use crate::laws;
use crate::standing::{Bench, RATES};
use glam::Vec3;
use jounce::core::{CarCommand, Gear};
use lab::LabError;
use lab::stage::{FREE, GRAVITY, Scene, Setup, Stage, steps};
use lab::world::WorldKind;
use libtest_mimic::{Failed, Trial};

pub(crate) fn all() -> Vec<Trial> {
    laws::tires().into_iter().enumerate().flat_map(|(n, tire)| {
        let tire = std::sync::Arc::new(tire);
        ["rows", "explicit"].map(|solver| {
            let tire = tire.clone();
            Trial::test(format!("crossing::{n} {} {solver}", tire.name), move || {
                let bench = Bench::new(&tire, solver).map_err(Failed::from)?;
                let driven = Bench::driven(&tire, solver).map_err(Failed::from)?;
                for rate in RATES {
                    let run = || -> Result<_, LabError> {
                        let a = on_the_spot(&bench, 1.0, rate)?;
                        let b = on_the_spot(&bench, 0.0, rate)?;
                        let c = rolls_back(&bench, rate)?;
                        let d = drives_back(&driven, rate)?;
                        Ok((a, b, c, d))
                    };
                    let (a, b, c, d) = run().map_err(|e| Failed::from(e.to_string()))?;
                    println!("{} {solver} {rate}: braked {a:.3?} free {b:.3?} rolls {c:.3?} drives {d:.3?}", tire.name);
                }
                Ok(())
            })
        })
    }).collect()
}

fn stage(bench: &Bench, scene: Scene, rate: f32) -> Result<Stage, LabError> {
    let setup = Setup { world: WorldKind::Standalone, car: &bench.car };
    Stage::new(&setup, &Scene { hull: false, ..scene }, rate)
}

/// mm, mm/s
fn on_the_spot(bench: &Bench, brake: f32, rate: f32) -> Result<[f64; 3], LabError> {
    let mut stage = stage(bench, Scene::LEVEL, rate)?;
    stage.run(2.0, &CarCommand { brake, ..FREE })?;
    let start = stage.position()?;
    let (mut way, mut speed) = (0.0_f64, 0.0_f64);
    let n = steps(6.0, rate);
    for i in 0..n {
        let t = 6.0 * i as f32 / n as f32;
        let steer = if t < 1.0 { t } else if t < 3.0 { 2.0 - t } else if t < 4.0 { t - 4.0 } else { 0.0 };
        stage.step(&CarCommand { brake, steer, ..FREE })?;
        way = way.max(stage.position()?.distance(start));
        speed = speed.max(f64::from(stage.velocity().length()));
    }
    Ok([1e3 * way, 1e3 * speed, 1e3 * stage.position()?.distance(start)])
}

/// Greatest jump of acceleration near speed 0 [m/s²], the greatest acceleration, and speed at end
fn jump(stage: &mut Stage, command: &CarCommand, seconds: f32) -> Result<[f32; 3], LabError> {
    let mut last = stage.body()?.linear_velocity.x;
    let (mut before, mut most, mut worst) = (None::<f32>, 0.0_f32, 0.0_f32);
    for _ in 0..steps(seconds, 1.0 / stage.dt) {
        stage.step(command)?;
        let now = stage.body()?.linear_velocity.x;
        let a = (now - last) / stage.dt;
        last = now;
        if now.abs() < 0.5 {
            if let Some(b) = before { worst = worst.max((a - b).abs()); }
            most = most.max(a.abs());
            before = Some(a);
        } else { before = None; }
    }
    Ok([worst, most, last])
}

fn rolls_back(bench: &Bench, rate: f32) -> Result<[f32; 3], LabError> {
    let mut stage = stage(bench, Scene { speed: 1.5, ..Scene::LEVEL }, rate)?;
    let angle = 5f32.to_radians();
    stage.gravity = GRAVITY.z * Vec3::new(angle.sin(), 0.0, angle.cos());
    jump(&mut stage, &FREE, 4.0)
}

fn drives_back(bench: &Bench, rate: f32) -> Result<[f32; 3], LabError> {
    let mut stage = stage(bench, Scene { speed: 2.0, gear: Gear::REVERSE, ..Scene::LEVEL }, rate)?;
    jump(&mut stage, &CarCommand { throttle: 1.0, ..FREE }, 3.0)
}
