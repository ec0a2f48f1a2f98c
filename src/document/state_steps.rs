//! Steps of a vehicle's state.

use toml::{Table, Value};

use super::spelling::rename;

/// Migrates to schema 2, in which the memory of a wheel's grip is that of one solver. Before, one field was a deflection or a
/// time, and nothing said which: it is read as the rows solver's, of which the explicit solver takes the forces alone, so
/// that its wheels begin to stand anew.
pub(super) fn grip_by_solver(state: &mut Table) -> Result<(), String> {
    // One group of four wheels, or more.
    let groups = state.get_mut("wheels").and_then(Value::as_table_mut);
    let groups = groups.ok_or("wheels are missing")?.iter_mut();
    let groups = groups.filter_map(|(_, groups)| groups.as_array_mut());
    for group in groups.flatten() {
        let group = group.as_table_mut().ok_or("wheels must be tables")?;
        let mut pair = |keys: [&str; 2]| {
            let both = keys.map(|key| group.remove(key).ok_or(format!("{key} is missing")));
            both.into_iter().collect::<Result<Vec<Value>, String>>()
        };
        let deflection = pair(["hold_forward", "hold_sideways"])?;
        let force = pair(["forward_force", "left_force"])?;
        let rows = [("deflection", deflection), ("force", force)];
        let rows = rows.map(|(key, pair)| (key.to_owned(), Value::Array(pair)));
        let grip = [("rows".to_owned(), Value::Table(Table::from_iter(rows)))];
        group.insert("grip".to_owned(), Value::Table(Table::from_iter(grip)));
    }
    Ok(())
}

/// Migrates to schema 3, whose step record expects a pose and the motion of bodies under the wheels. Without a duration it is
/// compared with nothing; the estimated push goes on.
pub(super) fn forget_the_last_step(state: &mut Table) -> Result<(), String> {
    let old = state.remove("handover");
    let old = old.as_ref().and_then(Value::as_table);
    let old = old.ok_or("handover is missing")?;
    let kept = |key: &str| {
        old.get(key)
            .cloned()
            .ok_or(format!("handover.{key} is missing"))
    };
    let zero = Value::Array(vec![Value::Float(0.0); 3]);
    let unturned = [0.0, 0.0, 0.0, 1.0].map(Value::Float).to_vec();
    let handover = [
        ("place", zero),
        ("rotation", Value::Array(unturned)),
        ("expected", kept("expected")?),
        ("push", kept("push")?),
        ("duration", Value::Float(0.0)),
    ];
    let handover = handover.map(|(key, value)| (key.to_owned(), value));
    state.insert("handover".to_owned(), Table::from_iter(handover).into());
    Ok(())
}

/// Migrates to schema 4, which expects the excess of the velocity of a body under the wheels over the reported one: the last
/// step's is forgotten.
pub(super) fn forget_the_ground(state: &mut Table) -> Result<(), String> {
    let handover = state.get_mut("handover").and_then(Value::as_table_mut);
    handover.ok_or("handover is missing")?.remove("ground");
    Ok(())
}

/// Migrates to schema 5, in which the states of tires are among the parts that only some vehicles have.
pub(super) fn tires_among_extras(state: &mut Table) -> Result<(), String> {
    if let Some(tires) = state.remove("tires") {
        let extras = [("tires".to_owned(), tires)];
        state.insert("extras".to_owned(), Table::from_iter(extras).into());
    }
    Ok(())
}

/// Migrates to schema 6, which has other names for its contents.
pub(super) fn name_the_last_step(state: &mut Table) -> Result<(), String> {
    rename(state, "handover", "last_step")?;
    rename(state, "given", "input_digest")?;
    rename(state, "slept_on", "ground_digest")?;
    rename(state, "on_moving_ground", "needs_probe")?;
    let last = state.get_mut("last_step").and_then(Value::as_table_mut);
    let last = last.ok_or("handover must be a table")?;
    rename(last, "place", "position")?;
    match last.get_mut("ground").and_then(Value::as_table_mut) {
        Some(ground) => rename(ground, "place", "position"),
        None => Ok(()),
    }
}

/// Migrates to schema 3, in which a digest of everything that keeps a sleeping car at rest replaces the sum of its braking
/// torques. It is unknown in older documents, so that a car that slept wakes once.
pub(super) fn without_braking(state: &mut Table) -> Result<(), String> {
    let braking = state.remove("braking");
    braking
        .map(|_| ())
        .ok_or_else(|| "braking is missing".to_owned())
}
