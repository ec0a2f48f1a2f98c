//! The ladder of detail: a car driven past a camera, from no update to rigid wheels and back.

use jounce::core::Gear;
use jounce::jointed::{JointedError, JointedWheels, WorldAbilities};
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::ladder::{self, LadderDrive, LadderStage, drive_past, ladder_of};
use proving_ground::stage::Scene;

use super::{RATE, noted};
use crate::backend::{Backend, Need};
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 2] = [
    Case::measured_assertion(
        "a sedan climbs all rungs of detail past a camera",
        "jump at a switch, of 1 cm and 1 % of the speed",
        1.0,
        climbs,
    )
    .needs(Need::JointedWheels),
    Case::assertion("a rung that a world cannot do is refused", refuses).needs(Need::JointedWheels),
];

const DT: f32 = 1.0 / RATE;
/// A jump that is not seen: of the position (`m`), and of speeds (–).
const JUMP: f64 = 0.01;
const KICK: f64 = 0.01;

fn flat() -> Result<Terrain, Failure> {
    Ok(Terrain::new(&GroundSpec::Flat, MeshUp::Z)?)
}

fn climbs(backend: &dyn Backend) -> Result<Measure, Failure> {
    let terrain = flat()?;
    let drive = drive_past(backend.open(&terrain, DT)?, &terrain, &ladder::sedan()?, DT)?;
    let rungs: Vec<usize> = drive.switches.iter().map(|switch| switch.to).collect();
    let note = note(&drive);
    expect(rungs == [5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6], || {
        note.clone()
    })?;
    let kept = drive.switches.iter().all(|switch| switch.gears_stay);
    let turned = drive.switches.iter().map(|switch| f64::from(switch.turned));
    expect(kept && turned.fold(0.0, f64::max) < KICK, || note.clone())?;
    let worst = drive.switches.iter();
    let worst = worst.map(|switch| (switch.jump / JUMP).max(switch.kick / KICK));
    Ok(Measure {
        value: worst.fold(0.0, f64::max),
        note,
    })
}

/// Every switch and the cost of every rung.
fn note(drive: &LadderDrive) -> String {
    let switches = drive.switches.iter().map(|switch| {
        format!(
            "{} to {}: {:.2} mm, {:.3} %, spins {:.3} %",
            switch.from,
            switch.to,
            1000.0 * switch.jump,
            100.0 * switch.kick,
            100.0 * switch.turned
        )
    });
    let costs = drive.names.iter().zip(drive.costs());
    let costs = costs.map(|(name, cost)| format!("{name} {:.1} us", 1e6 * cost));
    switches.chain(costs).collect::<Vec<_>>().join("; ")
}

/// Refuses a ladder that the world cannot carry, before the first step, and loses nothing by it.
fn refuses(backend: &dyn Backend) -> Result<Measure, Failure> {
    let unable = WorldAbilities {
        sweeps: false,
        triangles: false,
        joints: false,
    };
    let refused = ladder_of(&ladder::sedan()?, unable);
    let text = refused.map_or_else(|error| error.to_string(), |_| String::new());
    let named = [
        "ladder.rungs[0].attachments = rigid wheels: needs wheels on joints, which this world lacks",
        "ladder.rungs[2].kind = sweeps: needs sweeps, which this world lacks",
    ];
    expect(named.iter().all(|fault| text.contains(fault)), || {
        text.clone()
    })?;
    let terrain = flat()?;
    let scene = Scene {
        speed: 5.0,
        gear: Gear(2),
        ..Scene::LEVEL
    };
    let world = backend.open(&terrain, DT)?;
    let mut stage = LadderStage::put(world, &terrain, &ladder::sedan()?, &scene, DT)?;
    let (rung, state) = (stage.car.rung(), stage.car.vehicle().state().clone());
    let body = stage.body()?;
    let refused = stage.car.switch(0, &body, None::<&mut dyn JointedWheels>);
    let named = matches!(&refused, Err(JointedError::NoJoints(rung)) if rung == "rigid wheels");
    let kept = stage.car.rung() == rung && *stage.car.vehicle().state() == state;
    let still = stage.body()? == body;
    noted(named && kept && still, format!("{refused:?}"))
}
