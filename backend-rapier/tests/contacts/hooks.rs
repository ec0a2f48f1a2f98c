//! The user's own hooks, after those of the wheels.

use super::*;

/// Lets all pairs pass, or none.
struct Gate(bool);

impl PhysicsHooks for Gate {
    fn filter_contact_pair(&self, _: &PairFilterContext<'_>) -> Option<SolverFlags> {
        self.0.then_some(SolverFlags::default())
    }

    fn filter_intersection_pair(&self, _: &PairFilterContext<'_>) -> bool {
        self.0
    }
}

#[rstest]
fn user_hooks_filter_contacts_of_wheels(#[values(true, false)] open: bool) {
    let asks = wall().active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS);
    let mut rig = rig(&[asks], false, hook(0.0));
    rig.body().set_linvel(Vec3::X, true);
    let gate = Gate(open);
    for _ in 0..30 {
        let hooks = rig.link.hooks().and(&gate);
        rig.world.step_with_events(&hooks, &());
    }
    let speed = rig.body().linvel().x;
    assert_eq!(speed < 0.1, open, "{speed}");
}

#[rstest]
fn user_hooks_filter_sensors(#[values(true, false)] open: bool) {
    let sensor = wall().sensor(true);
    let asks = sensor.active_hooks(ActiveHooks::FILTER_INTERSECTION_PAIR);
    let mut rig = rig(&[asks], false, hook(0.0));
    let gate = Gate(open);
    let hooks = rig.link.hooks().and(&gate);
    rig.world.step_with_events(&hooks, &());
    let seen = rig.world.narrow_phase.intersection_pairs_with(rig.wheel);
    let seen = seen.filter(|pair| pair.2).count();
    assert_eq!(seen, usize::from(open));
}
