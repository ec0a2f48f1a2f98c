use glam::*;
use jounce::core::*;
use jounce::presets;
use proving_ground::ground::*;
use proving_ground::jointed::*;
use proving_ground::stage::*;
use proving_ground::world::*;

const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };
fn main() {
    let only = std::env::args().nth(1);
    for kind in WorldKind::all() {
        if only.as_deref().is_some_and(|n| n != kind.name()) {
            continue;
        }
        println!("== {}", kind.name());
        if let Err(e) = all(*kind) {
            println!("{e}");
        }
    }
}
fn rig(
    kind: WorldKind,
    spec: &GroundSpec,
    scene: &Scene,
) -> Result<JointedStage, Box<dyn std::error::Error>> {
    let terrain = Terrain::new(spec, MeshUp::Z)?;
    let world = open(kind, &terrain, 1.0 / 60.0)?;
    Ok(JointedStage::put(
        world,
        &terrain,
        &presets::sedan(),
        scene,
        1.0 / 60.0,
    )?)
}
fn ray(
    kind: WorldKind,
    spec: &GroundSpec,
    scene: &Scene,
) -> Result<Stage, Box<dyn std::error::Error>> {
    let terrain = Terrain::new(spec, MeshUp::Z)?;
    let world = open(kind, &terrain, 1.0 / 60.0)?;
    Ok(Stage::put(
        world,
        &terrain,
        &presets::sedan(),
        scene,
        1.0 / 60.0,
    )?)
}
fn all(kind: WorldKind) -> Result<(), Box<dyn std::error::Error>> {
    // rest
    let mut s = rig(kind, &GroundSpec::Flat, &Scene::LEVEL)?;
    s.run(3.0, &BRAKED)?;
    println!(
        "rest {:?} z {:.4} v {:?}",
        s.car.motions().iter().map(|m| m.travel).collect::<Vec<_>>(),
        s.position()?.z,
        s.body()?.linear_velocity
    );
    // slope
    for heading in [0.0, 1.5708, core::f32::consts::PI] {
        let mut s = rig(
            kind,
            &GroundSpec::Slope(20.0),
            &Scene {
                heading,
                ..Scene::LEVEL
            },
        )?;
        s.run(3.0, &BRAKED)?;
        let a = s.position()?;
        s.run(10.0, &BRAKED)?;
        println!(
            "slope heading {heading:.2}: {:.3} mm; tilt {:?}",
            1000.0 * s.position()?.distance(a),
            s.body()?.rotation * Vec3::Z
        );
    }
    // accelerate, brake
    let mut s = rig(kind, &GroundSpec::Flat, &Scene::IN_FIRST)?;
    let mut t = 0.0;
    while s.body()?.linear_velocity.x < 28.0 && t < 40.0 {
        s.step(&FLAT_OUT)?;
        t += 1.0 / 60.0;
        if ((t * 60.0) as i32) % 60 == 0 {
            println!(
                "  {t:.1} s {:.2} m/s gear {:?} engine {:.0} spins {:?}",
                s.body()?.linear_velocity.x,
                s.car.drive().gear,
                s.car.drive().engine_speed,
                s.car
                    .motions()
                    .iter()
                    .map(|m| (m.spin * 100.0).round() / 100.0)
                    .collect::<Vec<_>>()
            );
        }
    }
    println!("0-100 {t:.2} s, y {:.3}", s.position()?.y);
    let mut r = ray(kind, &GroundSpec::Flat, &Scene::IN_FIRST)?;
    let mut t = 0.0;
    while r.velocity().x < 28.0 {
        r.step(&FLAT_OUT)?;
        t += 1.0 / 60.0;
    }
    println!("ray 0-100 {t:.2} s");
    let way = |s: &mut JointedStage| -> Result<f64, Box<dyn std::error::Error>> {
        let mut from = None;
        for _ in 0..600 {
            s.step(&BRAKED)?;
            let v = s.body()?.linear_velocity.length();
            if from.is_none() && v <= 27.78 {
                from = Some(s.position()?);
            }
            if v < 0.05 {
                break;
            }
        }
        Ok(s.position()?.distance(from.unwrap()))
    };
    println!("brakes {:.3} m, y {:.3}", way(&mut s)?, s.position()?.y);
    let mut from = None;
    for _ in 0..600 {
        r.step(&BRAKED)?;
        let v = r.velocity().length();
        if from.is_none() && v <= 27.78 {
            from = Some(r.position()?);
        }
        if v < 0.05 {
            break;
        }
    }
    println!("ray brakes {:.3} m", r.position()?.distance(from.unwrap()));
    // slalom
    for (speed, steer) in [(8.0f32, 0.15f32), (12.0, 0.1), (15.0, 0.06)] {
        let scene = Scene {
            speed,
            gear: Gear::NEUTRAL,
            ..Scene::LEVEL
        };
        let (mut s, mut r) = (
            rig(kind, &GroundSpec::Flat, &scene)?,
            ray(kind, &GroundSpec::Flat, &scene)?,
        );
        let mut path = vec![];
        let mut other = vec![];
        for n in 0..480 {
            let c = CarCommand {
                steer: steer * (core::f32::consts::TAU * n as f32 / 180.0).sin(),
                ..FREE
            };
            s.step(&c)?;
            r.step(&c)?;
            path.push(s.position()?);
            other.push(r.position()?);
        }
        let worst = path
            .iter()
            .map(|p| {
                other
                    .iter()
                    .map(|q| q.truncate().distance(p.truncate()))
                    .fold(9e9, f64::min)
            })
            .fold(0.0, f64::max);
        println!(
            "slalom {speed}: apart {worst:.3} m, ends {:.2} {:.2}, widest {:.2}",
            path[479],
            other[479],
            other.iter().map(|p| p.y.abs()).fold(0.0, f64::max)
        );
    }
    let axes = jounce::scene::Axes::Z_UP;
    for mesh in [false, true] {
        let steps = jounce::scene::Steps::new(axes, DVec3::X * 8.0, 0.17, 0.6, 6)?;
        let mut terrain = Terrain::triangles("stairs".to_owned(), steps.triangles(1000.0))?;
        if !mesh {
            terrain.grounds = jounce::scene::Grounds(vec![jounce::scene::GroundPart::new(steps)]);
        }
        let world = open(kind, &terrain, 1.0 / 60.0)?;
        let mut s = JointedStage::put(
            world,
            &terrain,
            &presets::sedan(),
            &Scene::IN_FIRST,
            1.0 / 60.0,
        )?;
        for n in 0..900 {
            let v = s.body()?.linear_velocity.x;
            let c = CarCommand {
                throttle: if v < 3.0 { 1.0 } else { 0.0 },
                ..FREE
            };
            s.step(&c)?;
            if n % 90 == 0 {
                println!("  stairs {:.2} v {v:.2}", s.position()?);
            }
        }
    }
    Ok(())
}
