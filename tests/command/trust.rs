//! The trust table: printed world by world, or as a page with a line per case.

use core::fmt::Write as _;
use std::path::Path;

use proving_ground::world::WorldKind;
use vehicle_conformance::finding::Ending;
use vehicle_conformance::stability::{self, CARS, Cell, Preset, StabilityRow};

/// Prints one table per world, writes a page if one is named, and returns whether every row is within its bounds.
pub(crate) fn run(preset: Preset, page: Option<&Path>) -> Result<bool, String> {
    let mut all = true;
    let mut worlds = Vec::new();
    for &world in WorldKind::all() {
        println!("{}", stability::heading(&format!("{world:?}"), preset));
        let rows = stability::table(world, preset);
        rows.iter().for_each(|row| println!("{row}"));
        let count = |wanted| rows.iter().filter(|row| row.ending() == wanted).count();
        let (held, failed) = (count(Some(Ending::Passed)), count(None));
        let not_asked = count(Some(Ending::NotAsked));
        println!("{held} within the bounds, {failed} out of them, {not_asked} not asked\n");
        all &= failed == 0;
        worlds.push(rows);
    }
    if let Some(path) = page {
        std::fs::write(path, markdown(&worlds))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(all)
}

/// A Markdown table of the rows of each world, which are of the same cases.
fn markdown(worlds: &[Vec<StabilityRow>]) -> String {
    let head = CARS.join(" | ");
    let rule = "---|".repeat(CARS.len());
    let mut text = format!("| row | what | goal | {head} | best peer |\n|---|---|---|{rule}---|\n");
    for (n, row) in worlds[0].iter().enumerate() {
        let cells = (0..CARS.len()).map(|car| {
            let each = worlds.iter().map(|rows| shown(rows[n].cells.get(car)));
            joined(&each.collect::<Vec<_>>())
        });
        let cells = cells.collect::<Vec<_>>().join(" | ");
        let StabilityRow {
            name,
            what,
            goal,
            peer,
            ..
        } = row;
        let _ = writeln!(text, "| `{name}` | {what} | {goal} | {cells} | {peer} |");
    }
    text
}

fn shown(cell: Option<&Cell>) -> String {
    match cell {
        Some(Cell::Found { worst, .. }) => worst.clone(),
        Some(Cell::Failed(_)) => "failed".to_owned(),
        Some(Cell::Unsupported(_)) | None => "–".to_owned(),
    }
}

/// One text where all are the same.
fn joined(texts: &[String]) -> String {
    let same = texts.iter().all(|text| *text == texts[0]);
    if same {
        texts[0].clone()
    } else {
        texts.join(" / ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vehicle_conformance::stability::Goal;

    fn row(worst: [&str; 4]) -> StabilityRow {
        let cell = |worst: &str| match worst {
            "" => Cell::Unsupported("sweeps"),
            text => Cell::Found {
                text: String::new(),
                worst: text.to_owned(),
                holds: true,
            },
        };
        StabilityRow {
            name: "parked",
            what: "drift [mm]",
            goal: Goal::Below(0.5),
            peer: "none",
            cells: worst.map(cell).to_vec(),
        }
    }

    #[test]
    fn worlds_that_agree_have_one_figure() {
        let worlds = [["0.1", "0.2", "0.3", "0.4"], ["0.1", "0.5", "", "0.4"]];
        let text = markdown(&worlds.map(|worst| vec![row(worst)]));
        let line = "| `parked` | drift [mm] | < 0.5 | 0.1 | 0.2 / 0.5 | 0.3 / – | 0.4 | none |";
        assert_eq!(text.lines().nth(2), Some(line));
    }
}
