//! Wheels that meet sections of uneven ground: the table's bounds, saved states, buried cars, cars that park on a curb.

use jounce::core::CarCommand;
use jounce::core::params::Probe;
use jounce::core::phases::last_probe;
use proving_ground::stage::FREE;
use proving_ground::world::WorldKind;
use rstest::rstest;
use vehicle_conformance::ground::{CASES, GroundRow, Line, Rig, Start};

#[rstest]
fn the_table_is_within_its_bounds(
    #[values(WorldKind::Standalone, WorldKind::Rapier)] world: WorldKind,
) {
    let rows = CASES
        .iter()
        .map(|case| GroundRow::of(case, world, Probe::Sections));
    let out: Vec<String> = rows
        .filter(|row| !row.is_right())
        .map(|row| row.to_string())
        .collect();
    assert!(out.is_empty(), "{}", out.join("\n"));
}

fn start(speed: f32, place: [f64; 2]) -> Start {
    Start {
        world: WorldKind::Standalone,
        probe: Probe::Sections,
        radius: 0.35,
        place,
        speed,
        rate: 60.0,
        angle: 0.0,
        command: FREE,
    }
}

/// In a world with triangles, wheels that choose meet sections.
#[test]
fn wheels_that_choose_meet_sections() {
    let drive = |probe| {
        let begun = Start {
            probe,
            ..start(5.0, [-3.0, 0.0])
        };
        let mut rig = Rig::new(Line::curb(0.1), &begun).unwrap();
        let last = (0..120).map(|_| rig.step().unwrap()).last().unwrap();
        (
            last_probe(&rig.vehicle),
            last.position,
            last.linear_velocity,
        )
    };
    assert_eq!(drive(Probe::Auto), drive(Probe::Sections));
}

/// A state that is saved on an edge goes on to the bit.
#[test]
fn a_state_on_an_edge_goes_on_to_the_bit() {
    let mut rig = Rig::new(Line::curb(0.1), &start(5.0, [-3.0, 0.0])).unwrap();
    let on_edge = |rig: &Rig| {
        (0..4).any(|wheel| {
            rig.vehicle
                .wheel_report(wheel)
                .ground
                .is_some_and(|hit| hit.normal.x < -0.05)
        })
    };
    while !on_edge(&rig) {
        rig.step().unwrap();
    }
    let (state, world) = (
        rig.vehicle.state().clone(),
        rig.world.snapshots().unwrap().snapshot(),
    );
    let drive = |rig: &mut Rig| -> Vec<_> {
        let steps = (0..60).map(|_| rig.step().unwrap());
        steps
            .map(|body| (body.position, body.linear_velocity))
            .collect()
    };
    let unbroken = drive(&mut rig);
    rig.world.snapshots().unwrap().restore(&world).unwrap();
    rig.vehicle.restore(state).unwrap();
    assert_eq!(drive(&mut rig), unbroken);
}

/// A car that is placed in the ground rises slowly.
#[test]
fn a_buried_car_rises_slowly() {
    let mut rig = Rig::new(Line::curb(0.0), &start(0.0, [-3.0, -0.25])).unwrap();
    let rest = rig.body().unwrap().position.z + 0.25;
    let mut highest = f64::NEG_INFINITY;
    for _ in 0..300 {
        highest = highest.max(rig.step().unwrap().position.z);
    }
    let last = rig.body().unwrap().position.z;
    assert!((last - rest).abs() < 0.01, "{last} {rest}");
    assert!(highest < rest + 0.1, "{highest} {rest}");
}

/// A braked car stands with its front wheels on an edge or behind it, without creeping.
#[rstest]
fn a_car_parks_on_a_curb(#[values(1.3, 1.45, 1.5, 1.55, 1.6)] place: f64) {
    // The front axle is on the edge.
    let braked = Start {
        command: CarCommand { brake: 1.0, ..FREE },
        ..start(0.0, [-place, 0.15])
    };
    let mut rig = Rig::new(Line::curb(0.1), &braked).unwrap();
    let mut places = Vec::new();
    for n in 0..1200 {
        let body = rig.step().unwrap();
        if n >= 600 {
            places.push(body.position);
        }
    }
    let moved = (places[places.len() - 1] - places[0]).length();
    assert!(moved < 1e-3, "{moved}");
}
