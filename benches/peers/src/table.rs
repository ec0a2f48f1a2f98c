//! The result as tables for reading.

use core::fmt::Write as _;

use crate::field;
use crate::result::Measured;
use crate::statistic::Spread;

/// Markdown: the goals beside what was measured, and how long updates take.
pub(crate) fn goals(outcome: &Measured) -> String {
    let mut text = conditions(outcome);
    ratios_with_goals(&mut text, outcome);
    text
}

/// Markdown: all ratios, the times of updates, the stages, memory.
pub(crate) fn results(outcome: &Measured) -> String {
    let mut text = conditions(outcome);
    ratios(&mut text, outcome);
    updates(&mut text, outcome);
    stages(&mut text, outcome);
    memory(&mut text, outcome);
    text
}

fn conditions(outcome: &Measured) -> String {
    let [rust, cpp] = &outcome.compilers;
    format!(
        "Measured {} on {} ({rust}; {cpp}), one thread, thread CPU time, contestants in turns; median of the medians \
         of {} copies of the program (least–greatest of all turns).\n",
        outcome.date, outcome.machine, outcome.programs
    )
}

/// Goals: what, the key of its ratio, and how large it should be.
const GOALS: [(&str, &str, &str); 18] = [
    ("explicit, light", "physx_explicit_light_n100", "≥ 10"),
    (
        "explicit, reports and poses",
        "physx_explicit_reports_n100",
        "≥ 6",
    ),
    (
        "explicit, 3 substeps, light",
        "physx_explicit_3_substeps_n100",
        "≥ 7",
    ),
    ("rows sedan, light", "physx_rows_sedan_n100", "≥ 4"),
    (
        "rows sedan, reports and poses",
        "physx_rows_sedan_reports_n100",
        "≥ 3",
    ),
    ("rows sports car", "physx_rows_sports_n100", "≥ 2.5"),
    ("rows truck", "physx_rows_truck_n100", "≥ 1.8"),
    ("rows suv, Magic Formula 6.1", "physx_rows_suv_n100", "≥ 1"),
    ("6×6 over four wheels", "rows_6x6_over_4_n100", "≤ 2"),
    ("tank over four wheels", "rows_tank_over_4_n100", "≤ 4"),
    ("three wheels over four", "rows_3_over_4_n100", "≤ 1"),
    (
        "frame on Rapier, plane",
        "rapier_controller_plane_n100",
        "≥ 1.3",
    ),
    (
        "frame on Rapier, heightfield",
        "rapier_controller_heightfield_n100",
        "≥ 1.3",
    ),
    (
        "frame on Rapier, mesh",
        "rapier_controller_mesh_n100",
        "≥ 1.3",
    ),
    (
        "frame with the engine's step on Jolt, plane",
        "jolt_vehicle_plane_n100",
        "–",
    ),
    (
        "N = 5000 ÷ N = 100, explicit",
        "n5000_over_n100_explicit_light",
        "≤ 1.3",
    ),
    (
        "N = 5000 ÷ N = 100, rows sedan",
        "n5000_over_n100_rows_sedan",
        "≤ 1.3",
    ),
    ("N = 5000 ÷ N = 100, PhysX", "n5000_over_n100_physx", "–"),
];

/// Contestants whose updates have a line of their own at N = 100.
const UPDATES: [(&str, &str); 3] = [
    ("update of the rows sedan [ns]", "rows sedan"),
    ("of the explicit sedan [ns]", "explicit"),
    ("of PhysX [ns]", "physx"),
];

fn ratios_with_goals(text: &mut String, outcome: &Measured) {
    let columns = ["measured", "goal"].map(str::to_owned);
    head(text, "ratio at N = 100", columns.into_iter());
    for (name, key, goal) in GOALS {
        let Some(ratio) = outcome.ratio.get(key) else {
            continue;
        };
        let range = outcome.ratio_spread.get(key).map(shown);
        let measured = range.unwrap_or_else(|| format!("{ratio:.2}"));
        let _ = writeln!(text, "| {name} | {measured} | {goal} |");
    }
    if let Some(bytes) = outcome.bytes_per_vehicle.get("sedan") {
        let _ = writeln!(
            text,
            "| memory of a sedan at N = 1000 | {bytes} B | ≤ 2850 B |"
        );
    }
    for (label, contestant) in UPDATES {
        if let Some(time) = outcome.time(contestant, 100) {
            let _ = writeln!(text, "| {label} | {} | – |", shown(&time));
        }
    }
}

fn head(text: &mut String, first: &str, columns: impl Iterator<Item = String>) {
    let columns: Vec<String> = columns.collect();
    let line = "---|".repeat(columns.len());
    let _ = writeln!(text, "\n| {first} | {} |\n|---|{line}", columns.join(" | "));
}

fn by_count<'a>(
    text: &mut String,
    outcome: &'a Measured,
    name: &str,
    cell: impl Fn(usize) -> Option<&'a Spread>,
) {
    let cells = outcome
        .vehicles
        .iter()
        .map(|&count| cell(count).map_or("–".to_owned(), shown));
    let _ = writeln!(
        text,
        "| {name} | {} |",
        cells.collect::<Vec<_>>().join(" | ")
    );
}

fn counts(outcome: &Measured) -> impl Iterator<Item = String> {
    outcome.vehicles.iter().map(|count| format!("N = {count}"))
}

fn ratios(text: &mut String, outcome: &Measured) {
    head(text, "times faster (or as long)", counts(outcome));
    for ratio in field::ratios() {
        by_count(
            text,
            outcome,
            &format!("{} ÷ {}", ratio.long, ratio.short),
            |count| outcome.ratio_spread.get(&format!("{}_n{count}", ratio.key)),
        );
    }
}

fn updates(text: &mut String, outcome: &Measured) {
    head(text, "update \\[ns per vehicle\\]", counts(outcome));
    // Jolt's vehicles have none of their own: they move within its step.
    let updated = (outcome.times.iter())
        .filter(|(_, times)| times.values().any(|stages| stages["update"].max > 0.0));
    for (name, times) in updated {
        by_count(text, outcome, name, |count| {
            Some(&times.get(&count)?["update"])
        });
    }
}

/// The stages at one number of vehicles.
fn stages(text: &mut String, outcome: &Measured) {
    let count = if outcome.vehicles.contains(&100) {
        100
    } else {
        outcome.vehicles[0]
    };
    let columns = ["probe", "update", "apply", "step"];
    let first = format!("stages at N = {count} \\[ns per vehicle\\]");
    head(text, &first, columns.iter().map(|&name| name.to_owned()));
    for (name, times) in &outcome.times {
        let Some(stages) = times.get(&count) else {
            continue;
        };
        let cells = columns.map(|stage| format!("{:.0}", stages[stage].median));
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
}

fn memory(text: &mut String, outcome: &Measured) {
    let kinds = outcome.bytes_per_vehicle.keys().cloned();
    head(text, "memory at N = 1000", kinds);
    let bytes = outcome
        .bytes_per_vehicle
        .values()
        .map(|bytes| bytes.to_string());
    let _ = writeln!(
        text,
        "| bytes per vehicle | {} |",
        bytes.collect::<Vec<_>>().join(" | ")
    );
}

fn shown(spread: &Spread) -> String {
    let digits = if spread.median < 20.0 { 2 } else { 0 };
    let Spread { median, min, max } = spread;
    format!("{median:.digits$} ({min:.digits$}–{max:.digits$})")
}
