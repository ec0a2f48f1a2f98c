//! `jounce tire convert`: the same tire and the same numbers in other files, units and frames.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
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
        .join("convert")
        .join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Every tire of the reference tables, and every preset.
fn tires() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["tests/reference/tires", "tire-models/tires"];
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let paths = files.map(|entry| entry.unwrap().path());
    let mut tires: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "tir"))
        .collect();
    tires.sort();
    assert_eq!(tires.len(), 9);
    tires
}

const POINTS: &str = "Fz,kappa,alpha,gamma,Vx\n4000,0.05,0.03,0.02,16\n2500,-0.2,-0.1,-0.05,30\n\
    6500,0,0.2,0,10\n900,0.6,0,0.1,5\n9000,-1,-0.4,0,20\n5000,0.01,-0.01,0.08,-12\n";

/// All cells of the output of `jounce tire eval`.
fn evaluated(tire: &Path, points: &Path) -> Vec<f64> {
    let csv = jounce(&["eval", text(tire), "--points", text(points)]).unwrap();
    let cells = csv.lines().skip(1).flat_map(|line| line.split(','));
    cells.map(|cell| cell.parse().unwrap()).collect()
}

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-12 * (1e3 + b.abs()), "{what}: {a} {b}");
    }
}

#[test]
fn every_file_round_trips_through_toml_other_units_and_the_other_side() {
    let folder = folder("round");
    let points = folder.join("points.csv");
    fs::write(&points, POINTS).unwrap();
    let [toml, tir, units, back] =
        ["a.toml", "a.tir", "u.tir", "b.tir"].map(|name| folder.join(name));
    for tire in tires() {
        let name = tire.display().to_string();
        let expected = evaluated(&tire, &points);
        jounce(&["convert", &name, "--out", text(&toml)]).unwrap();
        jounce(&["convert", text(&toml), "--out", text(&tir)]).unwrap();
        assert_close(&evaluated(&tir, &points), &expected, &name);
        let other = [
            "--length",
            "mm",
            "--force",
            "kN",
            "--angle",
            "deg",
            "--pressure",
            "bar",
        ];
        jounce(&[&["convert", &name, "--out", text(&units)], &other[..]].concat()).unwrap();
        assert_ne!(fs::read(&units).unwrap(), fs::read(&tire).unwrap());
        assert_close(&evaluated(&units, &points), &expected, &name);
        jounce(&["convert", &name, "--mirror", "--out", text(&tir)]).unwrap();
        jounce(&["convert", text(&tir), "--mirror", "--out", text(&back)]).unwrap();
        assert_close(&evaluated(&back, &points), &expected, &name);
    }
}

#[test]
fn a_mirrored_tire_reproduces_the_mirrored_table() {
    let folder = folder("mirror");
    let [points, here, mirrored, right] =
        ["points.csv", "here.csv", "mirrored.csv", "right.tir"].map(|name| folder.join(name));
    fs::write(&points, POINTS).unwrap();
    for tire in tires() {
        let name = text(&tire);
        jounce(&[
            "eval",
            name,
            "--points",
            text(&points),
            "--out",
            text(&here),
        ])
        .unwrap();
        let table = jounce(&["convert", text(&here), "--mirror"]).unwrap();
        let cells = |csv: &str| -> Vec<Vec<f64>> {
            let lines = csv.lines().skip(1).map(|line| line.split(','));
            lines
                .map(|line| line.map(|cell| cell.parse().unwrap()).collect())
                .collect()
        };
        jounce(&[
            "convert",
            text(&points),
            "--mirror",
            "--out",
            text(&mirrored),
        ])
        .unwrap();
        // Via TOML, which represents it differently.
        jounce(&["convert", name, "--mirror", "--out", text(&right)]).unwrap();
        let own = jounce(&["eval", text(&right), "--points", text(&mirrored)]).unwrap();
        assert_close(&cells(&own).concat(), &cells(&table).concat(), name);
    }
}

#[test]
fn a_rigs_table_round_trips_through_iso_w() {
    let folder = folder("table");
    let [rig, iso] = ["rig.csv", "iso.csv"].map(|name| folder.join(name));
    let given = "Fz,kappa,alpha,gamma,Vx,p,Fx,Fy,Mz,Kya\n\
        -4,5,-2,1,36,220,1.5,-3.5,0.05,-1\n-2,0,0,0,36,220,,0,0,-0.5\n";
    fs::write(&rig, given).unwrap();
    let units = ["--units", "kN,deg,%,km/h,kPa"];
    let words = [
        "convert",
        text(&rig),
        "--from",
        "sae-j670",
        "--out",
        text(&iso),
    ];
    jounce(&[&words[..], &units].concat()).unwrap();
    let found = fs::read_to_string(&iso).unwrap();
    let row = found.lines().nth(1).unwrap();
    let cells: Vec<f64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
    let degree = 1f64.to_radians();
    let expected = [
        4000.0,
        0.05,
        2.0 * degree,
        degree,
        10.0,
        220e3,
        1500.0,
        3500.0,
        -50.0,
        -1000.0 / degree,
    ];
    assert_close(&cells, &expected, "iso-w");
    assert!(found.lines().nth(2).unwrap().contains(",,0,0,"), "{found}");
    let words = [
        "convert",
        text(&iso),
        "--to",
        "sae-j670",
        "--to-units",
        "kN,deg,%,km/h,kPa",
    ];
    let back = jounce(&words).unwrap();
    for (back, given) in back.lines().skip(1).zip(given.lines().skip(1)) {
        for (back, given) in back.split(',').zip(given.split(',')) {
            match (back.parse::<f64>(), given.parse::<f64>()) {
                (Ok(a), Ok(b)) => assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} {b}"),
                _ => assert_eq!(back, given),
            }
        }
    }
}

#[test]
fn the_rest_of_a_file_is_unchanged_and_unknown_keys_are_named() {
    let folder = folder("rest");
    let [tire, out] = ["own.tir", "out.tir"].map(|name| folder.join(name));
    let given = "$ ours\n[UNITS]\nLENGTH = 'meter'\n[MODEL]\nFITTYP = 61\n[VERTICAL]\nFNOMIN = 4000 $ N\n\
        HEIGHT_OF_OURS = 3\n[DEFLECTION]\n{pen fz}\n0.01 2500\n";
    fs::write(&tire, given).unwrap();
    let said = jounce(&["convert", text(&tire), "--force", "kN", "--out", text(&out)]).unwrap();
    assert!(
        said.contains("left as they are: HEIGHT_OF_OURS [DEFLECTION]"),
        "{said}"
    );
    let found = fs::read_to_string(&out).unwrap();
    let with_unit = "LENGTH = 'meter'\nFORCE                    = 'kN'";
    let expected = given
        .replace("4000", "4")
        .replace("LENGTH = 'meter'", with_unit);
    assert_eq!(found, expected);
}

#[rstest]
#[case::unit(&["x.csv", "--units", "stone"], "--units: \"stone\": must be a unit of length")]
#[case::time(&["x.csv", "--units", "hour"], "--units: \"hour\": must be a unit of length")]
#[case::file_units(&["x.csv", "--force", "kN"], "x.csv: --length, --force and so on are for .tir files")]
#[case::frame(&["x.tir", "--from", "sae-j670", "--out", "y.tir"], "x.tir: --from, --to, --units")]
#[case::no_out(&["x.tir"], "x.tir: a tire needs --out")]
#[case::ending(&["x.dat", "--out", "y.tir"], "x.dat: must end in .tir, .toml or .csv")]
#[case::table(&["x.tir", "--out", "y.csv"], "y.csv: a tire is a .tir or .toml file")]
#[case::si(&["x.tir", "--force", "kN", "--out", "y.toml"], "x.tir: a .toml file has SI units")]
#[case::law(&["dugoff.toml", "--out", "y.tir"], "dugoff.toml: model \"dugoff\" has no .tir file")]
#[case::two(&["two.toml", "--out", "y.tir"], "two.toml: must have one table in tires, and has: a, b")]
#[case::none(&["none.toml", "--out", "y.tir"], "none.toml: has neither a key model nor a table tires")]
#[case::fault(&["bad.toml", "--out", "y.tir"], "slip_stiffness = -1")]
fn impossible_conversions_are_refused(#[case] words: &[&str], #[case] expected: &str) {
    let folder = folder(&format!("refused-{}", expected.len()));
    let dugoff = "model = 'dugoff'\nslip_stiffness = 1e5\ncornering_stiffness = 8e4\n";
    for (name, text) in [
        ("x.csv", "Fz\n1\n".to_owned()),
        ("x.tir", "[MODEL]\nFITTYP = 61\n".to_owned()),
        ("dugoff.toml", dugoff.to_owned()),
        ("bad.toml", dugoff.replace("1e5", "-1.0")),
        (
            "two.toml",
            "[tires.a]\nmodel = 'x'\n[tires.b]\nmodel = 'y'\n".to_owned(),
        ),
        ("none.toml", "[chassis]\nmass = 1\n".to_owned()),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    let paths: Vec<String> = words
        .iter()
        .map(|word| match word.contains('.') {
            true => folder.join(word).display().to_string(),
            false => (*word).to_owned(),
        })
        .collect();
    let words: Vec<&str> = ["convert"]
        .into_iter()
        .chain(paths.iter().map(String::as_str))
        .collect();
    let error = jounce(&words).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

/// A tire that a vehicle file has mirrored is, mirrored once more, the tire as it was measured.
#[test]
fn two_mirrors_undo_one_another() {
    let folder = folder("mirrors");
    let [points, left, right, measured, mirrored] = [
        "points.csv",
        "left.toml",
        "right.toml",
        "measured.tir",
        "mirrored.tir",
    ]
    .map(|name| folder.join(name));
    fs::write(&points, POINTS).unwrap();
    let tire = &tires()[0];
    jounce(&["convert", text(tire), "--out", text(&left)]).unwrap();
    let plain = fs::read_to_string(&left).unwrap();
    assert!(!plain.contains("mirrored = true"), "{plain:.300}");
    let model = "model = \"magic-formula\"\n";
    let plain = plain.replace("mirrored = false\n", "");
    assert!(plain.contains(model), "{plain:.300}");
    fs::write(
        &right,
        plain.replace(model, &format!("{model}mirrored = true\n")),
    )
    .unwrap();
    let expected = evaluated(tire, &points);
    jounce(&[
        "convert",
        text(&right),
        "--mirror",
        "--out",
        text(&measured),
    ])
    .unwrap();
    assert_close(&evaluated(&measured, &points), &expected, "twice");
    jounce(&["convert", text(&right), "--out", text(&mirrored)]).unwrap();
    let once = evaluated(&mirrored, &points);
    jounce(&["convert", text(&left), "--mirror", "--out", text(&measured)]).unwrap();
    assert_close(&evaluated(&measured, &points), &once, "once");
    // By way of another table, which has the other side's coefficients.
    let other = folder.join("other.toml");
    for (from, wanted) in [(&left, &once), (&right, &expected)] {
        jounce(&["convert", text(from), "--mirror", "--out", text(&other)]).unwrap();
        assert!(
            !fs::read_to_string(&other)
                .unwrap()
                .contains("mirrored = true")
        );
        jounce(&["convert", text(&other), "--out", text(&measured)]).unwrap();
        assert_close(&evaluated(&measured, &points), wanted, "table");
    }
    assert!(
        once.iter()
            .zip(&expected)
            .any(|(a, b)| (a - b).abs() > 10.0)
    );
}
