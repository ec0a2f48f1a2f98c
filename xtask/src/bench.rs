//! Medians of the benches.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::cargo::{Cargo, finish};
use crate::files;

/// Benches, with their packages and features.
const BENCHES: [[&str; 6]; 5] = [
    ["-p", "jounce", "--bench", "update", "--features", "rayon"],
    ["-p", "jounce", "--bench", "parts", "--features", "rayon"],
    ["-p", "jounce", "--bench", "threads", "--features", "rayon"],
    [
        "-p",
        "jounce-tire-models",
        "--bench",
        "laws",
        "--features",
        "",
    ],
    [
        "-p",
        "jounce-proving-ground",
        "--bench",
        "frame",
        "--features",
        "rapier",
    ],
];

/// Medians (`ns`) by group, function and number of vehicles; per vehicle, where a bench has several.
type Medians = BTreeMap<String, f64>;

/// Runs the benches and prints medians.
pub(crate) fn run(cargo: &Cargo, json: bool) -> Result<(), String> {
    let home = cargo.target().join("criterion");
    files::remove(&home)?;
    for bench in BENCHES {
        let arguments = [&["bench"], &bench[..]].concat();
        let mut command = cargo.command(&arguments);
        command.env("CRITERION_HOME", &home);
        if json {
            command.stdout(Stdio::null());
        }
        finish(&mut command, &arguments)?;
    }
    let mut medians = Medians::new();
    collect(&home, &mut medians)?;
    if medians.is_empty() {
        return Err(format!("{}: no results", home.display()));
    }
    if json {
        let result = json!({ "unit": "ns per vehicle", "statistic": "median", "medians": medians });
        println!("{result}");
    } else {
        println!("\n{:<56} median [ns per vehicle]", "bench");
        for (name, median) in &medians {
            println!("{name:<56} {median:>12.1}");
        }
    }
    Ok(())
}

/// Reads every result in a folder of criterion's.
fn collect(folder: &Path, medians: &mut Medians) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(files::named(folder))? {
        let path = entry.map_err(files::named(folder))?.path();
        if path.ends_with("new") {
            let result = read(&path.join("benchmark.json"))?;
            let estimates = read(&path.join("estimates.json"))?;
            let (name, median) = median(&result, &estimates)
                .ok_or_else(|| format!("{}: holds no median", path.display()))?;
            medians.insert(name, median);
        } else if path.is_dir() {
            collect(&path, medians)?;
        }
    }
    Ok(())
}

/// Name and median (`ns` per vehicle) of a result.
fn median(result: &Value, estimates: &Value) -> Option<(String, f64)> {
    let whole = estimates["median"]["point_estimate"].as_f64()?;
    let vehicles = result["throughput"]["Elements"].as_f64().unwrap_or(1.0);
    // A tenth of a nanosecond is far below the noise.
    let each = (10.0 * whole / vehicles).round() / 10.0;
    Some((result["full_id"].as_str()?.to_owned(), each))
}

fn read(path: &Path) -> Result<Value, String> {
    serde_json::from_str(&files::read(path)?)
        .map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_per_vehicle() {
        let estimates = json!({ "median": { "point_estimate": 1234.5 } });
        let fleet = json!({ "full_id": "update/sedan/10", "throughput": { "Elements": 10 } });
        let expected = ("update/sedan/10".to_owned(), 123.5);
        assert_eq!(median(&fleet, &estimates), Some(expected));
        let alone = json!({ "full_id": "load/sedan", "throughput": null });
        let expected = ("load/sedan".to_owned(), 1234.5);
        assert_eq!(median(&alone, &estimates), Some(expected));
        assert_eq!(median(&alone, &json!({})), None);
    }
}
