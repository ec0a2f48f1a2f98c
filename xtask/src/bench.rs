//! Medians of the benches.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Map, Value, json};

use crate::cargo::{Cargo, finish};

/// Groups and functions of `benches/update.rs`.
const BENCHES: [&str; 6] = [
    "update/as-shipped",
    "update/fine",
    "update/magic-formula",
    "update/explicit-1-substep",
    "update/explicit-3-substeps",
    "update/report-and-poses",
];
/// Vehicles per update.
const COUNTS: [u32; 3] = [1, 100, 1000];

/// Runs the benches and prints medians per vehicle.
pub(crate) fn run(cargo: &Cargo, json: bool) -> Result<(), String> {
    let home = cargo.target().join("criterion");
    let arguments = ["bench", "-p", "jounce", "--bench", "update"];
    let mut command = cargo.command(&arguments);
    command.env("CRITERION_HOME", &home);
    if json {
        command.stdout(Stdio::null());
    }
    finish(&mut command, &arguments)?;
    let mut medians = Map::new();
    for bench in BENCHES {
        let row = COUNTS.map(|count| Ok((count, median(&home.join(bench), count)?)));
        let row: Vec<(u32, f64)> = row.into_iter().collect::<Result<_, String>>()?;
        medians.insert(bench.to_owned(), row.into_iter().map(column).collect());
    }
    if json {
        let result = json!({ "unit": "ns per vehicle", "statistic": "median", "medians": medians });
        println!("{result}");
    } else {
        print_table(&medians);
    }
    Ok(())
}

fn column((count, median): (u32, f64)) -> (String, Value) {
    // A tenth of a nanosecond is far below the noise.
    (count.to_string(), json!((median * 10.0).round() / 10.0))
}

/// The median (`ns` per vehicle) that criterion wrote to the folder of a bench.
fn median(bench: &Path, count: u32) -> Result<f64, String> {
    let path = bench.join(count.to_string()).join("new/estimates.json");
    let failed = |what: &dyn core::fmt::Display| format!("{}: {what}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
    let estimates: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
    let whole = estimates["median"]["point_estimate"].as_f64();
    let whole = whole.ok_or_else(|| failed(&"holds no median"))?;
    Ok(whole / f64::from(count))
}

fn print_table(medians: &Map<String, Value>) {
    println!("\nmedian [ns per vehicle]");
    print!("{:<26}", "vehicles per update");
    COUNTS.iter().for_each(|count| print!("{count:>10}"));
    println!();
    for (bench, row) in medians {
        print!("{bench:<26}");
        for count in COUNTS {
            print!(
                "{:>10.1}",
                row[&count.to_string()].as_f64().unwrap_or(f64::NAN)
            );
        }
        println!();
    }
}
