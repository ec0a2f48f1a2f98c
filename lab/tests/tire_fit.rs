//! `jounce tire fit`: from a table to a tire file, and its report.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use jounce::tires::magic_formula::Version;
use jounce::tires::tir::{MagicFormulaFile, Reading};
use jounce_lab::LabError;
use jounce_lab::tire::{TireArgs, tire_command};
use rstest::rstest;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    tire: TireArgs,
}

/// Output of `jounce tire …`.
fn jounce(words: &[&str]) -> Result<String, LabError> {
    let words = ["tire"].iter().chain(words);
    tire_command(&Cli::try_parse_from(words).unwrap().tire)
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("fit")
        .join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Slips of a test rig: pure and combined, at four loads and three cambers.
fn points() -> String {
    let mut points = "Fz,kappa,alpha,gamma\n".to_owned();
    for load in [2000, 3500, 5000, 6500] {
        for gamma in [-0.05, 0.0, 0.05] {
            for n in -6..=6 {
                let s = 0.04 * f64::from(n);
                for (kappa, alpha) in [(s, 0.0), (0.0, s), (s, 0.05), (-0.05, s)] {
                    points += &format!("{load},{kappa},{alpha},{gamma}\n");
                }
            }
        }
    }
    points
}

/// The cells of a table from the fifth column on.
fn forces(csv: &str) -> Vec<[f64; 3]> {
    let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let places = ["Fx", "Fy", "Mz"].map(|name| head.iter().position(|n| *n == name).unwrap());
    let rows = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>());
    rows.map(|row| places.map(|place| row[place].parse().unwrap()))
        .collect()
}

#[test]
fn a_rigs_table_becomes_a_tire_with_its_forces() {
    let folder = folder("rig");
    let [points_csv, iso, rig, out, toml] =
        ["points.csv", "iso.csv", "rig.csv", "out.tir", "out.toml"].map(|name| folder.join(name));
    fs::write(&points_csv, points()).unwrap();
    let tires = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tire-models/tires");
    let truth = tires.join("suv-255-55-r20.tir");
    let there = [
        "eval",
        text(&truth),
        "--points",
        text(&points_csv),
        "--out",
        text(&iso),
    ];
    jounce(&there).unwrap();
    let to_rig = [
        "convert",
        text(&iso),
        "--to",
        "sae-j670",
        "--to-units",
        "kN,deg,%",
    ];
    jounce(&[&to_rig[..], &["--out", text(&rig)]].concat()).unwrap();
    let of_rig = ["--from", "sae-j670", "--units", "kN,deg,%"];
    let fit = [
        "fit",
        text(&rig),
        "--model",
        "magic-formula",
        "--start",
        "suv-255-55-r20-62",
    ];
    for out in [&out, &toml] {
        let said = jounce(&[&fit[..], &of_rig, &["--out", text(out)]].concat()).unwrap();
        for part in [
            "magic-formula 6.2 from 624 measurements",
            "held: PKY4",
            "PDY1",
            "± 95 %",
            "PPX1",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
        for (channel, unit) in [("Fx", " N "), ("Fy", " N "), ("Mz", " N·m ")] {
            let row = said.lines().find(|line| line.starts_with(channel)).unwrap();
            assert_eq!(row.matches(unit).count(), 2, "{row}");
        }
    }
    jounce(&[
        "convert",
        text(&toml),
        "--out",
        text(&folder.join("toml.tir")),
    ])
    .unwrap();
    // Another version than that of the file it starts from is written anew.
    let mut older = fit;
    older[3] = "magic-formula-6.1";
    let old = folder.join("old.tir");
    jounce(&[&older[..], &of_rig, &["--out", text(&old)]].concat()).unwrap();
    let versions = [&out, &old].map(|file| {
        let file = MagicFormulaFile::open(file, Reading::Tolerant).unwrap();
        file.version.to_string()
    });
    assert_eq!(versions, ["6.2", "6.1"]);
    for fitted in [out, folder.join("toml.tir")] {
        let found = jounce(&["eval", text(&fitted), "--points", text(&points_csv)]).unwrap();
        let expected = fs::read_to_string(&iso).unwrap();
        for (a, b) in forces(&found).iter().zip(&forces(&expected)) {
            for (n, bound) in [20.0, 20.0, 2.0].into_iter().enumerate() {
                assert!((a[n] - b[n]).abs() < bound, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn a_small_law_is_written_as_a_readable_table() {
    let folder = folder("small");
    let [data, out] = ["data.csv", "dugoff.toml"].map(|name| folder.join(name));
    let mut table = "Fz,kappa,Fx\n".to_owned();
    for n in 1..12 {
        // Below the slip at which Dugoff's tire of 80 kN starts to slide.
        let kappa = 0.002 * f64::from(n);
        table += &format!("4000,{kappa},{}\n", 80_000.0 * kappa / (1.0 + kappa));
    }
    fs::write(&data, table).unwrap();
    let words = [
        "fit",
        text(&data),
        "--model",
        "dugoff",
        "--hold",
        "friction",
        "--friction",
        "1.2",
    ];
    let said = jounce(&[&words[..], &["--out", text(&out)]].concat()).unwrap();
    assert!(
        said.contains("no data, as at the start: cornering_stiffness"),
        "{said}"
    );
    let file: toml::Table = fs::read_to_string(&out).unwrap().parse().unwrap();
    let tire = &file["tires"]["dugoff"];
    assert_eq!(tire["model"].as_str(), Some("dugoff"));
    assert!(
        (tire["slip_stiffness"].as_float().unwrap() - 80_000.0).abs() < 50.0,
        "{tire}"
    );
    // It can be the start of another fit.
    let again = [
        "fit",
        text(&data),
        "--model",
        "dugoff",
        "--start",
        text(&out),
    ];
    assert!(jounce(&again).is_ok());
    let other = [
        "fit",
        text(&data),
        "--model",
        "fiala",
        "--start",
        text(&out),
    ];
    let error = jounce(&other).unwrap_err().to_string();
    assert!(error.contains("must be a tire \"fiala\""), "{error}");
}

#[rstest]
#[case::column("Fz,kapa,Fx\n1,2,3\n", &[], "column \"kapa\": must be one of")]
#[case::no_force("Fz,kappa\n1,2\n", &[], "there must be a column Fx, Fy or Mz")]
#[case::nan("Fz,Fx\n4000,nan\n", &[], "line 2: Fx = \"nan\": must be a finite number")]
#[case::few("Fz,kappa,Fx\n4000,0.1,3000\n", &[], "1 measured values cannot determine")]
#[case::empty("Fz,kappa,Fx\n", &[], "0 measured values cannot determine")]
#[case::sign("Fz,Fx\n-4000,100\n", &[], "row 1: Fz = -4000 N in ISO-W: must be >= 0; is --from right?")]
#[case::weight("Fz,Fx\n1,1\n", &["--weights", "Fx=-1"], "--weights: \"Fx=-1\": must be Fx, Fy or Mz")]
#[case::hold("Fz,Fx\n1,1\n", &["--hold", "grip"], "--hold: \"grip\": no parameter of this law")]
#[case::start("Fz,Fx\n1,1\n", &["--start", "nowhere.toml"], "nowhere.toml")]
#[case::out(
    "Fz,kappa,Fx\n4000,0.01,700\n4000,0.1,3000\n4000,0.2,3100\n",
    &["--out", "x.tir"],
    "x.tir: a tire \"brush\" is written as .toml"
)]
fn impossible_fits_are_reported(
    #[case] table: &str,
    #[case] more: &[&str],
    #[case] expected: &str,
) {
    let folder = folder(&format!("bad-{}-{}", table.len(), expected.len()));
    let data = folder.join("data.csv");
    fs::write(&data, table).unwrap();
    let model = [
        "fit",
        text(&data),
        "--model",
        "brush",
        "--hold",
        "stribeck_speed,kinetic_friction",
    ];
    let words = if more.contains(&"--hold") {
        &model[..4]
    } else {
        &model[..]
    };
    let error = jounce(&[words, more].concat()).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

/// A motorcycle's tire from the table of a spreadsheet, with semicolons and decimal commas.
#[test]
fn a_motorcycles_tire_is_fitted_from_a_spreadsheet() {
    let folder = folder("motorcycle");
    let [points, measured, start, truth, out] = [
        "points.csv",
        "measured.csv",
        "start.tir",
        "truth.tir",
        "out.tir",
    ]
    .map(|name| folder.join(name));
    let tire = "[MODEL]\nPROPERTY_FILE_FORMAT = 'PAC_MC'\nUNLOADED_RADIUS = 0.32\nFNOMIN = 1500\nPCX1 = 1.6\n\
                PDX1 = 1.2\nPKX1 = 24\nRBX1 = 13\nPCY1 = 0.95\nPCY2 = 0.7\nPDY1 = 1.25\nPKY1 = -19\nPKY2 = 1.7\n\
                PKY3 = 1.45\nPKY6 = -0.85\nPEY1 = -1\nQDZ1 = 0.1\n";
    fs::write(&truth, tire).unwrap();
    let off = tire
        .replace("-0.85", "-0.7")
        .replace("PCY2 = 0.7", "PCY2 = 0.8");
    fs::write(&start, off).unwrap();
    let mut table = "Fz,alpha,gamma\n".to_owned();
    for load in [600, 1500, 2400] {
        for gamma in [-0.7, -0.3, 0.0, 0.3, 0.7] {
            for n in -6..=6 {
                table += &format!("{load},{},{gamma}\n", 0.04 * f64::from(n));
            }
        }
    }
    fs::write(&points, table).unwrap();
    let csv = jounce(&["eval", text(&truth), "--points", text(&points)]).unwrap();
    fs::write(&measured, csv.replace(',', ";").replace('.', ",")).unwrap();
    let words = |model: &'static str| {
        let weights = "Fx=0,Fy=1,Mz=0";
        let (data, start, out) = (text(&measured), text(&start), text(&out));
        jounce(&[
            "fit",
            data,
            "--model",
            model,
            "--start",
            start,
            "--weights",
            weights,
            "--out",
            out,
        ])
    };
    words("magic-formula-mc").unwrap();
    let found = MagicFormulaFile::open(&out, Reading::Tolerant).unwrap();
    assert_eq!(found.version, Version::Motorcycle);
    let again = jounce(&["eval", text(&out), "--points", text(&points)]).unwrap();
    for (found, truth) in forces(&again).iter().zip(forces(&csv)) {
        assert!((found[1] - truth[1]).abs() < 1.0, "{found:?} {truth:?}");
    }
    let error = words("magic-formula-6.1").unwrap_err().to_string();
    assert!(
        error.contains("--start is of MC, --model of 6.1"),
        "{error}"
    );
}
