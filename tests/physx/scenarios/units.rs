//! A drive in a world with other units is the same drive, bit by bit where the units are powers of two.

use jounce::core::rigid_bodies::RigidBodies;
use jounce::core::{BodyId, BodyState, InUnits, UnitScale, Vehicle, phases};
use proving_ground::scenario::{Scenario, TraceFrame};
use proving_ground::world::WorldKind;
use serde_json::Value;

use crate::traces;

/// Half a meter, and a quarter of a kilogram.
const UNITS: UnitScale = UnitScale {
    length: 2.0,
    mass: 4.0,
};

/// Whether a scenario behaves alike in other units: on a plane through the origin, driven by no smoothing of its own.
pub(super) fn is_alike(header: &Value, scenario: &Scenario) -> bool {
    let plane = header["ground"].is_null() || header["ground"]["kind"] == "plane";
    plane && !scenario.smooths_input()
}

/// Compares a drive in [`UNITS`] with the frames of the same drive in SI.
pub(super) fn compare(scenario: &Scenario, frames: &[Value]) -> Result<(), String> {
    let said = |error: &dyn core::fmt::Display| format!("in other units: {error}");
    let world = scenario.world(WorldKind::Standalone);
    let mut world = world.map_err(|error| said(&error))?;
    let body = world.add_body(&scenario.body().in_units(UNITS));
    let body = body.map_err(|error| said(&error))?;
    let mut vehicle = Vehicle::new(scenario.model(), body);
    scenario.prepare(&mut vehicle);
    let (gravity, dt) = (scenario.gravity(), scenario.dt());
    for (frame, expected) in frames.iter().enumerate() {
        let moment = scenario.scheduled(frame);
        if let Some(gear) = moment.force_gear {
            vehicle.state_mut().drive.force_gear(gear);
        }
        let mut scaled = InUnits::new(&mut *world, UNITS).map_err(|error| said(&error))?;
        let was_asleep = state(&scaled, body)?.asleep;
        if scenario.queries(frame) {
            let probed = phases::probe(&mut vehicle, &scaled, scenario.surfaces());
            probed.map_err(|error| said(&error))?;
        }
        let advanced = phases::advance(&mut vehicle, &mut scaled, &moment.command, gravity, dt);
        advanced.map_err(|error| said(&error))?;
        let skipped = was_asleep && state(&scaled, body)?.asleep;
        world.advance(gravity * UNITS.length as f32, dt);
        let scaled = InUnits::new(&mut *world, UNITS).map_err(|error| said(&error))?;
        let after = state(&scaled, body)?;
        let ours = TraceFrame::of(
            frame,
            &vehicle,
            &after,
            scenario.origin(),
            moment.analog,
            skipped,
        );
        let ours = serde_json::to_value(ours).map_err(|error| said(&error))?;
        if traces::as_recorded(ours, scenario, &vehicle) != *expected {
            return Err(said(&format!("frame {frame} differs")));
        }
    }
    Ok(())
}

fn state(world: &impl RigidBodies, body: BodyId) -> Result<BodyState, String> {
    let mut state = [BodyState::BLANK];
    world
        .read(&[body], &mut state)
        .map_err(|error| error.to_string())?;
    Ok(state[0])
}
