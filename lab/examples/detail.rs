//! An 18-wheeler drives away from the camera with decreasing detail, until the camera follows; a sedan drives past a
//! camera on all rungs of the ladder that its file has, from no update to wheels that are bodies:
//! `cargo run --release -p jounce-lab --example detail`.
//!
//! Writes `out/detail.html`.

use std::path::Path;

use glam::{DVec2, DVec3, Vec3};
use jounce::core::detail::{HYSTERESIS, level_at};
use jounce::core::{
    CarCommand, Command, Detail, Environment, Fleet, Gear, Surfaces, UpdateLevel, Vehicle,
};
use jounce_lab::report::{Chart, ChartCurve, ReportTable, Sheet, heading, note};
use proving_ground::ProvingError;
use proving_ground::car::EighteenWheeler;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::ladder::{self, LadderDrive, LadderMoment, LadderSwitch, drive_past};
use proving_ground::stage::{FREE, GRAVITY};
use proving_ground::world::Start;
use proving_ground::world::{self, WorldKind};

const DT: f32 = 1.0 / 60.0;
const STEPS: usize = 2220;
/// Distances at which the levels end (`m`).
const ENDS: [f32; 3] = [40.0, 80.0, 150.0];
const LEVELS: [(&str, Detail); 4] = [
    ("18 wheels, all of every step", Detail::FULL),
    ("4 wheels", Detail::FULL),
    (
        "4 wheels, queries in every 4th update",
        Detail {
            probe_every: 4,
            update_every: 1,
        },
    ),
    (
        "4 wheels, updates in every 3rd step",
        Detail {
            probe_every: 2,
            update_every: 3,
        },
    ),
];

/// The state after a step.
#[derive(Clone, Copy, Default)]
struct Moment {
    place: DVec3,
    /// True velocity (`m/s`).
    velocity: Vec3,
    /// Distance to the camera (`m`).
    distance: f32,
    level: usize,
    /// Wheels computed.
    wheels: usize,
}

/// Position of the camera [m]: it stands for 25 s, then follows the truck.
fn camera(step: usize) -> f64 {
    let time = step as f64 * f64::from(DT);
    -10.0 + 30.0 * (time - 25.0).max(0.0)
}

fn command(step: usize) -> Command {
    let time = step as f32 * DT;
    Command::Car(CarCommand {
        throttle: if time % 12.0 < 9.0 { 0.7 } else { 0.0 },
        steer: 0.01 * libm::sinf(0.5 * time),
        automatic: true,
        ..FREE
    })
}

/// The drive, in full detail or by the distance to the camera.
fn drive(versions: &EighteenWheeler, by_distance: bool) -> Result<Vec<Moment>, ProvingError> {
    let terrain = Terrain::new(&GroundSpec::Flat, MeshUp::Z)?;
    let mut world = world::open(WorldKind::Standalone, &terrain, DT)?;
    let start = Start {
        position: terrain.start,
        heading: 0.0,
    };
    let pose = world::rest_pose(&*world, &terrain, &versions.near, start)?;
    let body = world.add_chassis(&versions.near, &pose)?;
    let mut fleet = Fleet::new();
    let mut truck = Vehicle::new(versions.near.model(), body);
    truck.state_mut().drive.force_gear(Gear::FIRST);
    fleet.push(truck);
    let surfaces = Surfaces::new();
    let environment = Environment::in_still_air(GRAVITY, &surfaces);
    let lost = |source| ProvingError::Lost { time: 0.0, source };
    let mut moments: Vec<Moment> = Vec::new();
    for step in 0..STEPS {
        let before = moments.last().copied().unwrap_or_default();
        let mut moment = Moment {
            distance: (before.place.x - camera(step)).abs() as f32,
            ..before
        };
        if by_distance {
            moment.level = level_at(&ENDS, HYSTERESIS, moment.distance, before.level);
            if (moment.level == 0) != (before.level == 0) {
                versions.swap(&mut fleet.vehicles_mut()[0]);
            }
        }
        let (_, detail) = LEVELS[moment.level];
        let update_level = detail.update_level(step as u64, 0);
        fleet
            .probe(&*world, &environment, |_, _| update_level)
            .map_err(lost)?;
        fleet.update(&[command(step)], &environment, DT);
        fleet.apply(&mut *world).map_err(lost)?;
        world.advance(GRAVITY, DT);
        let body = world.body_state(body).map_err(lost)?;
        let truck = &fleet.vehicles()[0];
        moment.place = body.position;
        moment.velocity = truck.state().at_end_of_step(&body).linear_velocity;
        moment.wheels = match update_level {
            UpdateLevel::Extrapolated => 0,
            UpdateLevel::Full | UpdateLevel::KnownGround => truck.model().wheel_count(),
        };
        moments.push(moment);
    }
    Ok(moments)
}

/// A change of level.
struct Switch {
    time: f64,
    from: usize,
    to: usize,
    /// Change of the position within three steps of the switch, relative to the truck in full detail (`m`); `kick` is that of
    /// the velocity, as a fraction of the speed.
    jump: f64,
    kick: f32,
}

/// All changes of level, and their effects.
fn switches(less: &[Moment], full: &[Moment]) -> Vec<Switch> {
    let off = |n: usize| less[n].place - full[n].place;
    let faster = |n: usize| less[n].velocity - full[n].velocity;
    let changes = (2..STEPS - 3).filter(|&n| less[n].level != less[n - 1].level);
    changes
        .map(|n| {
            // The previous deviation, extrapolated, is not part of the jump.
            let going_on = |k: usize| off(n - 1) + (off(n - 1) - off(n - 2)) * (k + 1) as f64;
            let jumps = (0..3).map(|k| (off(n + k) - going_on(k)).length());
            let kicks = (0..3).map(|k| (faster(n + k) - faster(n - 1)).length());
            Switch {
                time: n as f64 * f64::from(DT),
                from: less[n - 1].level,
                to: less[n].level,
                jump: jumps.fold(0.0, f64::max),
                kick: kicks.fold(0.0, f32::max) / full[n].velocity.length(),
            }
        })
        .collect()
}

fn table(switches: &[Switch]) -> ReportTable {
    let head = [
        "time [s]",
        "from level",
        "to level",
        "place [mm]",
        "velocity [%]",
    ];
    let row = |switch: &Switch| {
        vec![
            format!("{:.1}", switch.time),
            switch.from.to_string(),
            switch.to.to_string(),
            format!("{:.2}", 1000.0 * switch.jump),
            format!("{:.3}", 100.0 * switch.kick),
        ]
    };
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: switches.iter().map(row).collect(),
    }
}

fn chart(title: &str, unit: &'static str, how: &str, curves: Vec<ChartCurve>) -> String {
    Chart::plain(title, unit, how, curves).html()
}

fn curve(name: &str, color: usize, value: impl Fn(usize) -> f64) -> ChartCurve {
    let point = |n: usize| DVec2::new(n as f64 * f64::from(DT), value(n));
    ChartCurve::new(name, color, (0..STEPS).map(point).collect())
}

fn sheet(less: &[Moment], full: &[Moment], table: &ReportTable) -> Sheet {
    let levels = LEVELS.iter().enumerate();
    let names: Vec<String> = levels
        .map(|(n, (name, _))| format!("{n}: {name}"))
        .collect();
    // Wheels over the last half second, per step.
    let mean = |moments: &[Moment], n: usize| {
        let last = &moments[n.saturating_sub(29)..=n];
        last.iter().map(|m| m.wheels).sum::<usize>() as f64 / last.len() as f64
    };
    Sheet {
        brand: "jounce example: detail".to_owned(),
        title: "Eighteen wheels near, four far".to_owned(),
        what: "A truck drives away from the camera, which comes after it from 25 s on. The farther it is, the \
               less of it is computed; a second truck does the same in full detail."
            .to_owned(),
        facts: vec![
            ("levels end at", format!("{ENDS:?} m")),
            ("step", format!("1/{:.0} s", 1.0 / DT)),
        ],
        sections: vec![
            heading("Distance and level"),
            chart(
                "To the camera",
                "m",
                "",
                vec![curve("distance", 0, |n| less[n].distance.into())],
            ),
            chart(
                "Level",
                "",
                &names.join("; "),
                vec![curve("level", 1, |n| less[n].level as f64)],
            ),
            heading("Savings"),
            chart(
                "Wheels computed",
                "per step, mean of half a second",
                "",
                vec![
                    curve("full detail", 4, |n| mean(full, n)),
                    curve("by distance", 1, |n| mean(less, n)),
                ],
            ),
            heading("Cost"),
            chart(
                "Speed",
                "m/s",
                "",
                vec![
                    ChartCurve {
                        width: 4.0,
                        ..curve("full detail", 4, |n| full[n].velocity.length().into())
                    },
                    curve("by distance", 1, |n| less[n].velocity.length().into()),
                ],
            ),
            chart(
                "Deviation from the truck in full detail",
                "m",
                "It accumulates over the drive; no switch is visible in it.",
                vec![curve("place", 1, |n| (less[n].place - full[n].place).length())],
            ),
            heading("At each switch"),
            table.html(),
            note("Changes in the three steps after the switch, relative to the truck in full detail."),
        ],
    }
}

/// The sedan's drive past a camera, in the worlds that have joints.
fn climbs() -> Result<Vec<(WorldKind, LadderDrive)>, ProvingError> {
    let terrain = Terrain::new(&GroundSpec::Flat, MeshUp::Z)?;
    let mut drives = Vec::new();
    for &kind in WorldKind::all() {
        let mut world = world::open(kind, &terrain, DT)?;
        if world.jointed_wheels().is_some() {
            drives.push((kind, drive_past(world, &terrain, &ladder::sedan()?, DT)?));
        }
    }
    Ok(drives)
}

fn ladder_switches(drive: &LadderDrive) -> ReportTable {
    let head = ["time [s]", "from", "to", "place [mm]", "velocity [%]"];
    let row = |switch: &LadderSwitch| {
        vec![
            format!("{:.2}", switch.step as f64 * f64::from(DT)),
            drive.names[switch.from].clone(),
            drive.names[switch.to].clone(),
            format!("{:.2}", 1000.0 * switch.jump),
            format!("{:.3}", 100.0 * switch.kick),
        ]
    };
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: drive.switches.iter().map(row).collect(),
    }
}

/// Cost of a step on each rung, by world.
fn costs(drives: &[(WorldKind, LadderDrive)]) -> ReportTable {
    let names = drives
        .iter()
        .map(|(kind, _)| format!("{} [us]", kind.name()));
    let rungs = drives.first().map_or(&[][..], |(_, drive)| &drive.names);
    let row = |(n, name): (usize, &String)| {
        let costs = drives.iter().map(|(_, drive)| drive.costs()[n]);
        let costs = costs.map(|cost| format!("{:.1}", 1e6 * cost));
        [vec![name.clone()], costs.collect()].concat()
    };
    ReportTable {
        head: [vec!["rung".to_owned()], names.collect()].concat(),
        rows: rungs.iter().enumerate().map(row).collect(),
    }
}

/// Rung over time and distance, and speed, of all worlds.
fn ladder_sections(drives: &[(WorldKind, LadderDrive)]) -> Vec<String> {
    let curves = |point: &dyn Fn(usize, &LadderMoment) -> DVec2| {
        let drives = drives.iter().enumerate();
        let curve = |(color, (kind, drive)): (usize, &(WorldKind, LadderDrive))| {
            let moments = drive.moments.iter().enumerate();
            let points = moments.map(|(n, moment)| point(n, moment)).collect();
            ChartCurve::new(kind.name(), color, points)
        };
        drives.map(curve).collect::<Vec<_>>()
    };
    let time = |n: usize| n as f64 * f64::from(DT);
    let first = drives.first().map(|(_, drive)| drive);
    let names = first.map_or(&[][..], |drive| &drive.names);
    let ends = first.map_or(&[][..], |drive| &drive.ends);
    let names = names.iter().enumerate();
    let names: Vec<String> = names.map(|(n, name)| format!("{n}: {name}")).collect();
    let rung = curves(&|n, moment| DVec2::new(time(n), moment.rung as f64));
    let distance = curves(&|n, moment| DVec2::new(time(n), moment.distance.into()));
    let speed = curves(&|n, moment| DVec2::new(time(n), moment.velocity.length()));
    let height = curves(&|n, moment| DVec2::new(time(n), 1000.0 * moment.place.z));
    let mut all = vec![
        heading("The ladder: a sedan past a camera"),
        chart("Rung", "", &names.join("; "), rung),
        chart(
            "To the camera",
            "m",
            &format!("Rungs end at {ends:?} m."),
            distance,
        ),
        chart("Speed", "m/s", "", speed),
        chart("Height of the center of mass", "mm", "", height),
    ];
    for (kind, drive) in drives {
        all.push(heading(&format!("At each switch: {}", kind.name())));
        all.push(ladder_switches(drive).html());
    }
    all.extend([
        heading("Cost of a step"),
        costs(drives).html(),
        note("Mean time of a step, the world's included."),
    ]);
    all
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let versions = EighteenWheeler::shipped();
    let (less, full) = (drive(&versions, true)?, drive(&versions, false)?);
    let table = table(&switches(&less, &full));
    let climbs = climbs()?;
    let mut sheet = sheet(&less, &full, &table);
    sheet.sections.extend(ladder_sections(&climbs));
    let path = sheet.save(Path::new("out"), "detail.html")?;
    println!("{table}");
    for (kind, drive) in &climbs {
        println!("{}\n{}", kind.name(), ladder_switches(drive));
    }
    println!("{}\nwritten: {}", costs(&climbs), path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Allowed jump of the position (`m`), and of the velocity as a fraction of the speed.
    const JUMP: f64 = 0.01;
    const KICK: f32 = 0.01;

    #[test]
    fn no_switch_is_visible() {
        let versions = EighteenWheeler::shipped();
        let (less, full) = (
            drive(&versions, true).unwrap(),
            drive(&versions, false).unwrap(),
        );
        let switches = switches(&less, &full);
        let levels: Vec<usize> = switches.iter().map(|switch| switch.to).collect();
        assert_eq!(levels, [1, 2, 3, 2, 1, 0]);
        for switch in &switches {
            let what = (switch.time, switch.jump, switch.kick);
            assert!(switch.jump < JUMP && switch.kick < KICK, "{what:?}");
        }
        let wheels = |moments: &[Moment]| moments.iter().map(|m| m.wheels).sum::<usize>();
        assert!(2 * wheels(&less) < wheels(&full));
        let html = sheet(&less, &full, &table(&switches)).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }

    #[test]
    fn the_ladder_is_drawn_for_each_world_with_joints() {
        let drives = climbs().unwrap();
        let kinds: Vec<_> = drives.iter().map(|(kind, _)| kind.name()).collect();
        assert_eq!(kinds.first(), Some(&"standalone"));
        let html = ladder_sections(&drives).concat();
        assert!(!html.contains("NaN") && html.contains("rigid wheels"));
    }
}
