//! `jounce tire` on the tires of the reference tables.

use std::fs;
use std::path::{Path, PathBuf};

use jounce::tires::tir::{MagicFormulaFile, Reading};
use jounce_lab::LabError;
use jounce_lab::tire::{TireAction, TireArgs, tire_command};
use rstest::rstest;

fn tires() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/reference/tires")
}

fn run(action: TireAction) -> Result<String, LabError> {
    tire_command(&TireArgs { action })
}

fn check(name: &str, strict: bool) -> Result<String, LabError> {
    let file = tires().join(name);
    run(TireAction::Check { file, strict })
}

fn eval(tire: &str, points: &str) -> Result<String, LabError> {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("points-{}", points.len()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("points.csv");
    fs::write(&path, points).unwrap();
    run(TireAction::Eval {
        file: tires().join(tire),
        points: path,
        out: None,
    })
}

#[test]
fn a_file_is_described_with_its_oddities() {
    let text = check("tir_grammar/g1_comments_crlf.tir", false).unwrap();
    for part in [
        "Magic Formula 6.1, for the left side",
        "nominal load 4000 N",
        "warnings: 2",
        "line 33: PKY1: given on line 32 already",
        "absent keys, at their defaults: 259",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_strict_reader_refuses_what_a_tolerant_one_warns_about() {
    let error = check("tir_grammar/g1_comments_crlf.tir", true).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("g1_comments_crlf.tir:33: PKY1"), "{error}");
}

/// The table's own points give the table's forces and moments.
#[test]
fn points_are_evaluated_as_in_the_reference() {
    let table = fs::read_to_string(tires().join("mf61_255_55R20.csv")).unwrap();
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let place = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let inputs = ["Fz", "kappa", "alpha", "gamma", "Vx", "p"];
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let of_mode =
        |row: &&Vec<&str>| row[place("use_mode")] == "111" && row[place("omega_in")].is_empty();
    let rows: Vec<&Vec<&str>> = rows.iter().filter(of_mode).take(200).collect();
    let mut points = inputs.join(",") + "\n";
    for row in &rows {
        points += &(inputs.map(|input| row[place(input)]).join(",") + "\n");
    }
    let text = eval("mf61_255_55R20.tir", &points).unwrap();
    let mut found = text.lines();
    let columns: Vec<&str> = found.next().unwrap().split(',').collect();
    let mut compared = 0;
    for (row, line) in rows.iter().zip(found) {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        for name in ["Fx", "Fy", "Mx", "My", "Mz", "Kya", "t"] {
            let expected: f64 = row[place(name)].parse().unwrap();
            let cell = cells[columns.iter().position(|column| *column == name).unwrap()];
            assert!(
                (cell - expected).abs() <= 1e-9 * (1.0 + expected.abs()) * 10.0,
                "{name} {cell} {expected}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 7 * 200);
}

#[rstest]
#[case::unknown(
    "Fz,kapa\n1,2\n",
    "column \"kapa\": must be one of Fz, kappa, alpha, gamma, phit, Vx, p, once"
)]
#[case::twice("Fz,Fz\n1,2\n", "column \"Fz\"")]
#[case::no_load("kappa,alpha\n0,0.1\n", "there must be a column Fz")]
#[case::text("Fz,kappa\n4000,x\n", "line 2: kappa = \"x\": must be a finite number")]
#[case::infinite(
    "Fz,gamma\n4000,inf\n ",
    "line 2: gamma = \"inf\": must be a finite number"
)]
#[case::short("Fz,kappa,alpha\n4000,1\n", "line")]
fn invalid_tables_of_points_are_refused(#[case] points: &str, #[case] expected: &str) {
    let error = eval("mf61_255_55R20.tir", points).unwrap_err().to_string();
    assert!(
        error.contains("points.csv: ") && error.contains(expected),
        "{error}"
    );
}

/// A pressure that is not given is the file's own; another one makes another tire.
#[test]
fn points_may_have_a_pressure() {
    let tire = "../../../tire-models/tires/suv-255-55-r20.tir";
    let file = tires().join(tire);
    let file = MagicFormulaFile::open(&file, Reading::Tolerant).unwrap();
    let own = file.coefficients.INFLPRES;
    let forces = |head: &str, cell: &str| {
        let said = eval(tire, &format!("Fz,alpha{head}\n5000.0000,0.050000{cell}\n")).unwrap();
        let row = said.lines().nth(1).unwrap().split(',').map(str::to_owned);
        row.skip(2 + usize::from(!head.is_empty()))
            .collect::<Vec<_>>()
    };
    let told = forces("", "");
    assert_eq!(forces(",p", &format!(",{own}")), told);
    assert_ne!(forces(",p", &format!(",{}", 0.8 * own)), told);
}
