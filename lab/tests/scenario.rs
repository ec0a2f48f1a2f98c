//! Modified PhysX scenarios on Rapier.

use proving_ground::scenario::{Replay, Scenario, TraceFrame};
use proving_ground::world::WorldKind;

/// A drive over a curb from PhysX's traces, with another height (`m`).
fn end_at_curb(height: f32, modified: bool) -> TraceFrame {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/reference/physx/traces/curb_0p15_sweep_contactmod.jsonl.gz"
    );
    let text = proving_ground::text::read(file.as_ref()).unwrap();
    let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let mut header = first["header"].clone();
    header["ground"]["box_height"] = height.into();
    header["contact_modification"] = modified.into();
    let scenario = Scenario::from_header(&header, file).unwrap();
    let replay = Replay::new(&scenario, WorldKind::Rapier).unwrap();
    replay.last().unwrap().unwrap()
}

/// The face is 10 m ahead, and a wheel's radius is 0.5 m: 45° separates curbs at 0.15 m.
#[test]
fn wheels_with_shared_contacts_are_stopped_by_high_curbs_only() {
    let [low, high] = [0.1, 0.3].map(|height| end_at_curb(height, true));
    assert!(low.p[2] > 24.0, "{:?}", low.p);
    assert!((15.0..17.0).contains(&high.p[2]), "{:?}", high.p);
    let through = end_at_curb(0.3, false);
    assert!(through.p[2] > 24.0, "{:?}", through.p);
}
