//! Steps of a vehicle's state.

use toml::{Table, Value};

/// To schema 2, in which the memory of a wheel's grip is that of one solver. Before, one field was a deflection
/// or a time, and nothing said which: it is read as the rows solver's, of which the explicit solver takes the
/// forces alone, so that its wheels begin to stand anew.
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

/// To schema 3, in which a digest of everything that holds a sleeping car replaces the sum of its braking torques.
/// It is unknown in older documents, so that a car that slept wakes once.
pub(super) fn without_braking(state: &mut Table) -> Result<(), String> {
    let braking = state.remove("braking");
    braking
        .map(|_| ())
        .ok_or_else(|| "braking is missing".to_owned())
}
